//! Building syntax: short constructors for the nodes that the generator writes.

use crate::builder::Gen;
use crate::model::{FloatTy, IntTy, Qualified, TyDef, TyId};
use csyntax::ast::{
    ArraySize, Basic, ExprId, ExprKind, Function, Init, InitId, InitItem, InitKind, IntBase, IntSuffix,
    Param, Params, Quals, RecordSpec, StmtId, StmtKind, Storage, TypeId, TypeKind, TypeNode, UnOp,
};
use csyntax::intern::Symbol;
use csyntax::source::Span;

/// The keywords of an integer type.
fn basic(int: IntTy) -> Basic {
    match int {
        IntTy::Bool => Basic::Bool,
        IntTy::I8 => Basic::SChar,
        IntTy::U8 => Basic::UChar,
        IntTy::I16 => Basic::Short,
        IntTy::U16 => Basic::UShort,
        IntTy::I32 => Basic::Int,
        IntTy::U32 => Basic::UInt,
        IntTy::I64 => Basic::LLong,
        IntTy::U64 => Basic::ULLong,
    }
}

/// An item of an initialiser list, without designators.
pub(crate) fn init_item(init: InitId) -> InitItem {
    InitItem { designators: Vec::new(), init }
}

impl Gen<'_> {
    /// An expression; every one counts towards the size and the cost of the statement it is in.
    pub(crate) fn e(&mut self, kind: ExprKind) -> ExprId {
        self.tokens += 2;
        self.cost += 1;
        self.ast.expr(kind)
    }

    /// A statement.
    pub(crate) fn s(&mut self, kind: StmtKind) -> StmtId {
        self.tokens += 2;
        self.ast.stmt(kind)
    }

    /// A name.
    pub(crate) fn name(&mut self, name: &str) -> Symbol {
        self.ast.names.intern(name)
    }

    /// A use of a name.
    pub(crate) fn ident(&mut self, name: Symbol) -> ExprId {
        self.e(ExprKind::Ident(name))
    }

    /// A non-negative decimal constant of type `int`.
    pub(crate) fn number(&mut self, value: u32) -> ExprId {
        let suffix = IntSuffix::default();
        self.e(ExprKind::Int { value: value.into(), suffix, base: IntBase::Dec })
    }

    /// A constant of a promoted type.
    pub(crate) fn literal(&mut self, value: i128, ty: IntTy) -> ExprId {
        let long = if ty.bits() == 64 { 2 } else { 0 };
        let suffix =
            IntSuffix { unsigned: ty.bits() >= 32 && !ty.signed(), long, imaginary: false, bits: false };
        if value >= 0 {
            let base = if value > 9 && self.choices.percent(40) { IntBase::Hex } else { IntBase::Dec };
            return self.e(ExprKind::Int { value: value as u128, suffix, base });
        }
        let least = value == ty.promoted().range().lo;
        let magnitude = if least { -(value + 1) } else { -value };
        let digits = self.e(ExprKind::Int { value: magnitude as u128, suffix, base: IntBase::Dec });
        let negative = self.e(ExprKind::Unary(UnOp::Minus, digits));
        if !least {
            return negative;
        }
        let one = self.number(1);
        self.e(ExprKind::Binary(csyntax::ast::BinOp::Sub, negative, one))
    }

    /// A type node with qualifiers.
    pub(crate) fn type_node(&mut self, kind: TypeKind, quals: Quals) -> TypeId {
        self.ast.push_type(TypeNode { kind, quals, attrs: Vec::new(), span: Span::NONE })
    }

    /// The specifier type and the full type of a type of the model.
    pub(crate) fn written(&mut self, ty: Qualified) -> (TypeId, TypeId) {
        self.tokens += 1;
        if let Some(name) = self.typedef_of(ty.ty) {
            let node = self.type_node(TypeKind::Typedef(name), ty.quals);
            return (node, node);
        }
        let kind = match self.model.def(ty.ty) {
            TyDef::Void => TypeKind::Basic(Basic::Void),
            TyDef::Int(int) => TypeKind::Basic(basic(int)),
            TyDef::Float(FloatTy::Float) => TypeKind::Basic(Basic::Float),
            TyDef::Float(FloatTy::Double) => TypeKind::Basic(Basic::Double),
            TyDef::Float(FloatTy::Long) => TypeKind::Basic(Basic::LongDouble),
            TyDef::Wide(true) => TypeKind::Basic(Basic::Int128),
            TyDef::Wide(false) => TypeKind::Basic(Basic::UInt128),
            TyDef::Vector(..) => TypeKind::Typedef(self.vector_name(ty.ty)),
            TyDef::Record(index) => {
                let record = &self.model.records[index as usize];
                let spec = RecordSpec {
                    is_union: record.is_union,
                    tag: Some(record.tag),
                    fields: None,
                    attrs: Vec::new(),
                    pack: None,
                    span: Span::NONE,
                };
                TypeKind::Record(self.ast.push_record(spec))
            }
            TyDef::Enum(index) => {
                let tag = Some(self.model.enums[index as usize].tag);
                let spec = csyntax::ast::EnumSpec {
                    tag,
                    underlying: None,
                    enumerators: None,
                    attrs: Vec::new(),
                    span: Span::NONE,
                };
                TypeKind::Enum(self.ast.push_enum(spec))
            }
            TyDef::Pointer(to) => {
                let (base, to) = self.written(to);
                let full = self.type_node(TypeKind::Pointer(to), ty.quals);
                return (base, full);
            }
        };
        let node = self.type_node(kind, ty.quals);
        (node, node)
    }

    /// The same for an array.
    pub(crate) fn written_array(&mut self, ty: Qualified, dims: &[u32]) -> (TypeId, TypeId) {
        let (base, mut full) = self.written(ty);
        for &dim in dims.iter().rev() {
            let size = ArraySize::Expr(self.number(dim));
            let array = TypeKind::Array { elem: full, size, quals: Quals::NONE, is_static: false };
            full = self.type_node(array, Quals::NONE);
        }
        (base, full)
    }

    /// A type name, as casts have it.
    pub(crate) fn type_name(&mut self, ty: TyId) -> TypeId {
        self.written(Qualified { ty, quals: Quals::NONE }).1
    }

    /// `(T)e`
    pub(crate) fn cast(&mut self, ty: TyId, inner: ExprId) -> ExprId {
        let ty = self.type_name(ty);
        self.e(ExprKind::Cast(ty, inner))
    }

    /// `= e`
    pub(crate) fn init_expr(&mut self, value: ExprId) -> InitId {
        self.ast.push_init(Init { kind: InitKind::Expr(value), span: Span::NONE })
    }

    /// `= { ... }`
    pub(crate) fn init_list(&mut self, items: Vec<InitId>) -> InitId {
        self.init_items(items.into_iter().map(init_item).collect())
    }

    /// The same of items.
    pub(crate) fn init_items(&mut self, items: Vec<InitItem>) -> InitId {
        self.ast.push_init(Init { kind: InitKind::List(items), span: Span::NONE })
    }

    /// A declaration of one name.
    pub(crate) fn declaration(
        &mut self,
        storage: Storage,
        (base, ty): (TypeId, TypeId),
        name: Symbol,
        init: Option<InitId>,
    ) -> csyntax::ast::DeclId {
        self.tokens += 4;
        let decl = self.ast.declaration(storage, (base, ty), name);
        self.ast[decl].declarators[0].init = init;
        decl
    }

    /// A parameter.
    pub(crate) fn param(&mut self, ty: Qualified, name: Option<Symbol>) -> Param {
        let (base, ty) = self.written(ty);
        Param { storage: Storage::NONE, base, ty, name, attrs: Vec::new(), span: Span::NONE }
    }

    /// A function type.
    pub(crate) fn function_type(
        &mut self,
        ret: TyId,
        params: Vec<Param>,
        variadic: bool,
    ) -> (TypeId, TypeId) {
        let (base, ret) = self.written(Qualified { ty: ret, quals: Quals::NONE });
        let params = Params::Prototype { params, variadic };
        let full = self.type_node(TypeKind::Function { ret, params }, Quals::NONE);
        (base, full)
    }

    /// A function definition.
    pub(crate) fn function(
        &mut self,
        storage: Storage,
        (base, ty): (TypeId, TypeId),
        name: Symbol,
        body: StmtId,
    ) -> csyntax::ast::FnId {
        self.tokens += 6;
        self.ast.push_function(Function {
            storage,
            base,
            ty,
            name,
            attrs: Vec::new(),
            asm_label: None,
            kr_decls: Vec::new(),
            body,
            span: Span::NONE,
        })
    }
}
