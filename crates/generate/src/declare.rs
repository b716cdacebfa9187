//! Types and variables with their initialisers.

use crate::analysis::sets::Sets;
use crate::builder::Gen;
use crate::flow::{Place, PlaceId};
use crate::lvalue::Want;
use crate::model::{Dims, Field, Home, IntTy, Loc, Model, Qualified, TyDef, TyId, Var, VarId};
use crate::options::{Limit, Switch};
use crate::syntax::init_item;
use csyntax::ast::{
    Basic, DeclId, Declaration, ExprKind, FieldDecl, FieldDeclarator, InitId, Item, Quals, RecordSpec,
    StmtKind, Storage, TypeKind, UnOp,
};
use csyntax::intern::Symbol;
use csyntax::source::Span;

impl Gen<'_> {
    /// A new name.
    pub(crate) fn fresh(&mut self, prefix: &str) -> Symbol {
        self.names_used += 1;
        self.numbered(prefix, self.names_used)
    }

    /// A name that ends with a number.
    pub(crate) fn numbered(&mut self, prefix: &str, mut number: u32) -> Symbol {
        let mut text = [0u8; 32];
        let mut at = text.len();
        loop {
            at -= 1;
            text[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        let first = at.saturating_sub(prefix.len());
        text[first..at].copy_from_slice(&prefix.as_bytes()[..at - first]);
        self.name(str::from_utf8(&text[first..]).unwrap_or_default())
    }

    /// The structs and unions of the program, before everything else (thesis section 3.4).
    pub(crate) fn declare_types(&mut self) {
        if self.on(Switch::Structs) {
            for _ in 0..self.choices.below(4) {
                self.record(false);
            }
        }
        if self.on(Switch::Enums) {
            for _ in 0..self.choices.below(3) {
                self.enumeration();
            }
        }
        if self.on(Switch::Unions) {
            for _ in 0..self.choices.below(3) {
                self.record(true);
            }
        }
        for _ in 0..self.choices.below(4) {
            let int = self.random_int();
            let ty = self.int_ty(int);
            self.typedef(ty, 50);
            if self.on(Switch::Pointers) && self.choices.percent(30) {
                let pointer = self.model.intern(TyDef::Pointer(Qualified { ty, quals: Quals::NONE }));
                self.typedef(pointer, 50);
            }
        }
    }

    fn enumeration(&mut self) {
        let tag = self.numbered("E", self.model.enums.len() as u32);
        let count = self.choices.range(1, 6);
        let (mut values, mut enumerators) = (Vec::new(), Vec::new());
        for n in 0..count {
            let name = format!("E{}_{n}", self.model.enums.len());
            let name = self.name(&name);
            let mut last: i32 = values.last().map_or(0, |v: &(Symbol, i32)| v.1 + 1);
            let value = self.choices.percent(40).then(|| {
                last = last.saturating_add(self.choices.below(1000) as i32 - 100);
                self.int_const(last.into(), crate::model::IntTy::I32).id
            });
            let span = Span::NONE;
            enumerators.push(csyntax::ast::Enumerator { name, value, attrs: Vec::new(), span });
            values.push((name, last));
        }
        let spec = csyntax::ast::EnumSpec {
            tag: Some(tag),
            underlying: None,
            enumerators: Some(enumerators),
            attrs: Vec::new(),
            span: Span::NONE,
        };
        let spec = self.ast.push_enum(spec);
        let base = self.type_node(TypeKind::Enum(spec), Quals::NONE);
        self.enumerators.extend_from_slice(&values);
        self.model.enums.push(crate::model::EnumDef { tag, values });
        self.declare_type(base);
        let ty = self.model.intern(TyDef::Enum(self.model.enums.len() as u32 - 1));
        self.typedef(ty, 60);
    }

    /// `struct S { ... };`
    fn declare_type(&mut self, base: csyntax::ast::TypeId) {
        let decl = self.ast.push_decl(Declaration {
            storage: Storage::NONE,
            alignas: Vec::new(),
            base,
            attrs: Vec::new(),
            declarators: Vec::new(),
            span: Span::NONE,
        });
        self.type_items.push(Item::Decl(decl));
    }

    fn record(&mut self, is_union: bool) {
        let letter = if is_union { "U" } else { "S" };
        let tag = self.numbered(letter, self.model.records.len() as u32);
        let most = self.opts.small(if is_union { Limit::MaxUnionFields } else { Limit::MaxStructFields });
        let fixed = !is_union && self.on(Switch::FixedStructFields);
        let count = if fixed { most } else { self.choices.range(1, most) };
        let mut fields: Vec<Field> = (0..count).map(|n| self.field(n, is_union)).collect();
        if fields[0].name.is_none() {
            fields[0].name = Some(self.name("f0"));
            fields[0].bits = Some(7);
        }
        let decls = fields.iter().map(|f| self.field_decl(f)).collect();
        let packed = !is_union && self.on(Switch::PackedStruct) && self.choices.percent(20);
        self.model.add_record(tag, is_union, packed, fields);
        let spec = RecordSpec {
            is_union,
            tag: Some(tag),
            fields: Some(decls),
            attrs: Vec::new(),
            pack: packed.then_some(1),
            span: Span::NONE,
        };
        let spec = self.ast.push_record(spec);
        let base = self.type_node(TypeKind::Record(spec), Quals::NONE);
        if packed {
            self.type_items.push(Item::Pragma("pack(1)".into(), Span::NONE));
        }
        self.declare_type(base);
        if packed {
            self.type_items.push(Item::Pragma("pack()".into(), Span::NONE));
        }
        let ty = self.model.intern(TyDef::Record(self.model.records.len() as u32 - 1));
        self.typedef(ty, 40);
    }

    fn field(&mut self, index: u32, in_union: bool) -> Field {
        let name = Some(self.numbered("f", index));
        let mut field = Field {
            name,
            ty: Qualified { ty: Model::VOID, quals: Quals::NONE },
            dims: Dims::default(),
            bits: None,
            loc: 0,
        };
        let int = self.random_int();
        let bits = !in_union && self.on(Switch::Bitfields) && self.choices.percent(22);
        if bits {
            let signed = self.choices.percent(50);
            let int = if signed { crate::model::IntTy::I32 } else { crate::model::IntTy::U32 };
            field.ty.ty = self.int_ty(int);
            // To the full width of the type, where the field is no narrower than what is read of it.
            field.bits = Some(self.choices.range(1, 32));
            if self.choices.percent(6) {
                // an unnamed one, often of width 0, which ends the unit
                field.name = None;
                field.bits = Some(if self.choices.percent(60) { 0 } else { self.choices.range(1, 20) });
                return field;
            }
        } else {
            let pointer = !in_union && self.on(Switch::Pointers) && self.choices.percent(12);
            let inner = if pointer { Some(self.field_pointer(int)) } else { self.inner_record(in_union) };
            field.ty.ty = match inner {
                Some(ty) => ty,
                None if self.on(Switch::Float) && self.choices.percent(6) => self.random_float(),
                None if self.choices.percent(4) && !self.model.enums.is_empty() => {
                    self.random_enum().unwrap_or_else(|| self.int_ty(int))
                }
                None => self.int_ty(int),
            };
            if self.on(Switch::Arrays) && self.choices.percent(12) {
                let most = self.opts.small(Limit::MaxArrayLen);
                let len = self.choices.range(1, most.min(8));
                field.dims.push(len);
            }
        }
        if self.on(Switch::Volatiles) && self.on(Switch::VolStructUnionFields) && self.choices.percent(4) {
            field.ty.quals = field.ty.quals.with(Quals::VOLATILE);
        }
        if self.on(Switch::Consts) && self.on(Switch::ConstStructUnionFields) && self.choices.percent(4) {
            field.ty.quals = field.ty.quals.with(Quals::CONST);
        }
        field
    }

    /// A pointer to an integer or to a record declared before.
    fn field_pointer(&mut self, int: crate::model::IntTy) -> TyId {
        let records = self.model.records.len() as u32;
        let to = if records > 0 && self.choices.percent(40) {
            let index = self.choices.below(records);
            self.model.intern(TyDef::Record(index))
        } else {
            self.int_ty(int)
        };
        self.model.intern(TyDef::Pointer(Qualified { ty: to, quals: Quals::NONE }))
    }

    fn inner_record(&mut self, in_union: bool) -> Option<TyId> {
        let deepest = self.opts.small(Limit::MaxStructNestedLevel);
        let fits: Vec<u32> = (0..self.model.records.len() as u32)
            .filter(|r| {
                let record = &self.model.records[*r as usize];
                record.level + 1 < deepest && record.scalars < 20 && !(in_union && record.has_facts)
            })
            .collect();
        if fits.is_empty() || !self.choices.percent(15) {
            return None;
        }
        let index = self.choices.pick(&fits);
        Some(self.model.intern(TyDef::Record(index)))
    }

    fn field_decl(&mut self, field: &Field) -> FieldDecl {
        let (base, ty) = self.written_array(field.ty, &field.dims);
        let width = field.bits.map(|b| self.number(b));
        let declarator = FieldDeclarator { name: field.name, ty, width, attrs: Vec::new(), span: Span::NONE };
        FieldDecl::Fields {
            base,
            alignas: Vec::new(),
            attrs: Vec::new(),
            declarators: vec![declarator],
            span: Span::NONE,
        }
    }

    /// The global variables that the program starts with.
    pub(crate) fn declare_globals(&mut self) {
        if !self.on(Switch::GlobalVariables) {
            return;
        }
        let count = self.choices.range(4, 14);
        for _ in 0..count {
            let ty = self.variable_type(true);
            self.global(ty);
        }
    }

    fn variable_type(&mut self, global: bool) -> TyId {
        let records = self.model.records.len() as u32;
        let pointers = if self.on(Switch::Pointers) { 22 } else { 0 };
        let floats = if self.on(Switch::Float) { 9 } else { 0 };
        let weights = [60, if records > 0 { 18 } else { 0 }, pointers, floats, 14];
        match self.choices.weighted(&weights).unwrap_or(0) {
            4 => match self.random_special() {
                Some(ty) => ty,
                None => {
                    let int = self.random_int();
                    self.int_ty(int)
                }
            },
            3 => self.random_float(),
            1 => {
                let index = self.choices.below(records);
                self.model.intern(TyDef::Record(index))
            }
            2 => {
                let made = if global { self.random_global_pointer() } else { self.random_pointer() };
                made.unwrap_or_else(|| {
                    let int = self.random_int();
                    self.int_ty(int)
                })
            }
            _ => {
                let int = self.random_int();
                self.int_ty(int)
            }
        }
    }

    fn random_global_pointer(&mut self) -> Option<TyId> {
        let most = self.opts.small(Limit::MaxPointerDepth);
        let fits: Vec<VarId> = self
            .globals
            .iter()
            .copied()
            .filter(|v| self.model.depth(self.model.var(*v).ty.ty) < most)
            .collect();
        if fits.is_empty() {
            return None;
        }
        let var = self.choices.pick(&fits);
        let to = self.model.var(var).ty;
        Some(self.model.intern(TyDef::Pointer(to)))
    }

    fn dimensions(&mut self, ty: TyId) -> Dims {
        if !self.on(Switch::Arrays) || !self.choices.percent(35) {
            return Dims::default();
        }
        let most = self.opts.small(Limit::MaxArrayLen);
        let dims = self.choices.range(1, self.opts.small(Limit::MaxArrayDim));
        let mut all = Dims::default();
        let mut count = self.model.scalars(ty);
        let limit = if self.model.pointee(ty).is_some() { 24 } else { 200 };
        for _ in 0..dims {
            let dim = self.choices.range(1, most);
            count *= u64::from(dim);
            if count > limit && !all.is_empty() {
                break;
            }
            all.push(dim.min(limit as u32));
        }
        all
    }

    fn qualifiers(&mut self, ty: TyId) -> Quals {
        let mut quals = Quals::NONE;
        let vector = matches!(self.model.def(ty), TyDef::Vector(..));
        let pointer = self.model.pointee(ty).is_some();
        let volatile = self.on(Switch::Volatiles) && (!pointer || self.on(Switch::VolatilePointers));
        if volatile && !vector && self.choices.percent(7) {
            quals = quals.with(Quals::VOLATILE);
        }
        let constant = self.on(Switch::Consts) && (!pointer || self.on(Switch::ConstPointers));
        if constant && self.choices.percent(7) {
            quals = quals.with(Quals::CONST);
        }
        let word = matches!(self.model.int(ty), Some(IntTy::I32 | IntTy::U32));
        if quals == Quals::NONE && word && self.on(Switch::Atomics) && self.choices.percent(6) {
            quals = Quals::ATOMIC;
        }
        quals
    }

    /// A global variable.
    pub(crate) fn global(&mut self, ty: TyId) -> VarId {
        let dims = self.dimensions(ty);
        let quals = self.qualifiers(ty);
        let name = self.fresh("g_");
        let (target, set) = self.static_target(ty);
        let var = Var {
            name,
            ty: Qualified { ty, quals },
            dims,
            home: Home::Static,
            loc: Loc::GARBAGE,
            range: None,
            free: true,
            global: true,
            owner: None,
        };
        let written = self.written_array(Qualified { ty, quals }, &dims);
        let init = self.initialiser(ty, &dims, target);
        let decl = self.declaration(Storage::STATIC, written, name, Some(init));
        self.align(decl);
        self.global_decls.push(decl);
        let cost = dims.iter().map(|d| u64::from(*d)).product::<u64>() * self.model.scalars(ty) * 70;
        self.used = self.used.saturating_add(cost);
        let var = self.model.add_var(var, set);
        self.globals.push(var);
        var
    }

    /// Gives a variable an alignment of its own, now and then.
    fn align(&mut self, decl: DeclId) {
        if !(self.on(Switch::Gnu) && self.on(Switch::Aligned) && self.choices.percent(6)) {
            return;
        }
        let bytes = self.choices.pick(&[16u32, 32, 64]);
        let (name, bytes) = (self.name("aligned"), self.number(bytes));
        let args = Some(vec![csyntax::ast::AttrArg::Expr(bytes)]);
        self.ast[decl].declarators[0].attrs.push(csyntax::ast::Attribute { name, args });
    }

    /// What pointers in a static variable point to at first.
    fn static_target(&mut self, ty: TyId) -> (Option<VarId>, u32) {
        let Some(to) = self.model.pointee(ty) else {
            return (None, Sets::NULL);
        };
        let fits: Vec<VarId> = self
            .globals
            .iter()
            .copied()
            .filter(|v| {
                let quals = self.model.var(*v).ty.quals;
                // `_Atomic T` is a type of its own: a pointer to it is none to `T`, and the reverse.
                let same = quals.has(Quals::ATOMIC) == to.quals.has(Quals::ATOMIC);
                self.model.var(*v).ty.ty == to.ty && to.quals.has(quals) && same
            })
            .collect();
        if fits.is_empty() || self.choices.percent(10) {
            return (None, Sets::NULL);
        }
        let var = self.choices.pick(&fits);
        (Some(var), self.transfer.sets.one(self.model.var(var).loc))
    }

    /// An initialiser of constants and of addresses of `target`.
    pub(crate) fn initialiser(&mut self, ty: TyId, dims: &[u32], target: Option<VarId>) -> InitId {
        if let Some((&len, inner)) = dims.split_first() {
            let all: u32 = dims.iter().product();
            let whole = all <= self.opts.small(Limit::ArrayInits) || self.model.pointee(ty).is_some();
            let written = if !whole { self.choices.range(1, len.min(3)) } else { len };
            let mut items = Vec::with_capacity(written as usize);
            for _ in 0..written {
                items.push(init_item(self.initialiser(ty, inner, target)));
            }
            return self.init_items(items);
        }
        let value = match self.model.def(ty) {
            TyDef::Int(int) => {
                let value = self.interesting(int);
                self.int_const(value, int).id
            }
            TyDef::Record(index) => {
                let record = &self.model.records[index as usize];
                let shown = if record.is_union { 1 } else { record.fields.len() };
                let mut items = Vec::with_capacity(shown);
                for n in 0..shown {
                    let field = self.model.records[index as usize].fields[n];
                    if field.name.is_some() {
                        items.push(init_item(self.field_init(&field)));
                    }
                }
                return self.init_items(items);
            }
            TyDef::Pointer(_) => match target {
                Some(var) => {
                    let (name, dims) = {
                        let v = self.model.var(var);
                        (v.name, v.dims)
                    };
                    let mut id = self.ident(name);
                    for &dim in &*dims {
                        let at = self.choices.below(dim);
                        let at = self.number(at);
                        id = self.e(ExprKind::Index(id, at));
                    }
                    self.e(ExprKind::Unary(UnOp::AddrOf, id))
                }
                None => self.null(ty).id,
            },
            TyDef::Float(float) => {
                let value = self.choices.below(1000);
                self.float_literal(value, float)
            }
            TyDef::Enum(_) => self.enum_constant(ty).id,
            TyDef::Wide(_) => self.wide_constant(ty).id,
            TyDef::Vector(lane, count) => return self.vector_init(lane, count),
            TyDef::Void => self.number(0),
        };
        self.init_expr(value)
    }

    /// An initialiser of a member.
    pub(crate) fn field_init(&mut self, field: &Field) -> InitId {
        let Some(bits) = field.bits else {
            return self.initialiser(field.ty.ty, &field.dims, None);
        };
        let signed = self.model.int(field.ty.ty).is_some_and(|i| i.signed());
        let range = crate::lvalue::bit_range(signed, bits);
        let span = (range.hi - range.lo + 1) as u64;
        let at = u64::from(self.choices.word()) % span;
        let value = self.int_const(range.lo + i128::from(at), crate::model::IntTy::I32).id;
        self.init_expr(value)
    }

    /// A local variable of a scope. Without an initialiser given, the caller places the declaration.
    pub(crate) fn declare_local(&mut self, ty: TyId, scope: usize, init: Option<InitId>) -> (VarId, DeclId) {
        let name = self.fresh("l_");
        let ty = Qualified { ty, quals: Quals::NONE };
        let var = Var {
            name,
            ty,
            dims: Dims::default(),
            home: Home::Block(self.cx.scopes[scope].block),
            loc: Loc::GARBAGE,
            range: None,
            free: true,
            global: false,
            owner: Some(self.cx.fx),
        };
        let written = self.written(ty);
        let decl = self.declaration(Storage::NONE, written, name, init);
        (self.model.add_var(var, Sets::GARBAGE), decl)
    }

    /// A loop counter declared at the top of the innermost block.
    pub(crate) fn counter(&mut self, ty: TyId) -> VarId {
        let scope = self.real_scope();
        let zero = self.number(0);
        let init = self.init_expr(zero);
        let (var, decl) = self.declare_local(ty, scope, Some(init));
        let block = self.cx.scopes[scope].block;
        let stmt = self.s(StmtKind::Decl(decl));
        self.decls[block.0 as usize].push(stmt);
        var
    }

    /// The innermost scope that declarations can stand in.
    pub(crate) fn real_scope(&self) -> usize {
        self.cx.scopes.iter().rposition(|s| s.real).unwrap_or(0)
    }

    /// A new variable that something of a type can be found in: a global where it fits, else a local.
    pub(crate) fn new_variable(&mut self, want: Want) -> Option<VarId> {
        let ty = match want {
            Want::Int => self.variable_type(true),
            Want::Enum => self.random_enum()?,
            Want::Wide => {
                let signed = self.choices.percent(50);
                self.model.intern(TyDef::Wide(signed))
            }
            Want::Vector => self.random_vector(),
            Want::Float => self.random_float(),
            Want::Pointer => self.random_global_pointer()?,
            Want::Record => {
                let count = self.model.records.len() as u32;
                let index = (count > 0).then(|| self.choices.below(count))?;
                self.model.intern(TyDef::Record(index))
            }
            Want::Exactly(ty) => ty,
        };
        if self.on(Switch::GlobalVariables) && self.choices.percent(40) && self.static_only(ty) {
            return Some(self.global(ty));
        }
        self.local(ty)
    }

    /// Is there nothing in the type that only locals could be pointed to by?
    fn static_only(&self, ty: TyId) -> bool {
        let cost = self.model.scalars(ty) * 70 * 200;
        self.used.saturating_add(cost) < self.opts.limit(Limit::MaxSteps)
    }

    /// A local variable at the top of a block around, with an initialiser of constants and addresses.
    pub(crate) fn local(&mut self, ty: TyId) -> Option<VarId> {
        let depth = self.cx.scopes.len() as u32;
        let scope = self.cx.scopes.len() - 1 - self.choices.below(depth.min(2)) as usize;
        let scope = if self.cx.scopes[scope].real { scope } else { self.real_scope() };
        let block = self.cx.scopes[scope].block;
        let dims = self.dimensions(ty);
        let quals = self.qualifiers(ty);
        let size = 4 * self.model.scalars(ty) * dims.iter().map(|d| u64::from(*d)).product::<u64>();
        if !self.affords(size) {
            return None;
        }
        self.charge(size);
        let name = self.fresh("l_");
        let (target, set) = self.static_target(ty);
        let lasting = self.on(Switch::StaticLocals) && self.choices.percent(12);
        let (storage, home, owner) = if lasting {
            (Storage::STATIC, Home::Static, None)
        } else {
            (Storage::NONE, Home::Block(block), Some(self.cx.fx))
        };
        let var = Var {
            name,
            ty: Qualified { ty, quals },
            dims,
            home,
            loc: Loc::GARBAGE,
            range: None,
            free: true,
            global: false,
            owner,
        };
        let written = self.written_array(Qualified { ty, quals }, &dims);
        let init = self.initialiser(ty, &dims, target);
        let decl = self.declaration(storage, written, name, Some(init));
        self.align(decl);
        let stmt = self.s(StmtKind::Decl(decl));
        self.decls[block.0 as usize].push(stmt);
        let var = self.model.add_var(var, set);
        if !lasting {
            self.flow.blocks[block.0 as usize].vars.push(var);
        }
        self.cx.scopes[scope].vars.push(var);
        Some(var)
    }

    /// The place of a whole variable.
    pub(crate) fn variable_place(&mut self, var: VarId) -> PlaceId {
        let loc = self.model.var(var).loc;
        self.flow.place(Place::At(loc))
    }

    /// `void abort(void);`
    pub(crate) fn declare_abort(&mut self) -> Item {
        let ty = self.function_type(Model::VOID, Vec::new(), false);
        let name = self.name("abort");
        Item::Decl(self.declaration(Storage::NONE, ty, name, None))
    }

    /// `int printf(const char *, ...);`
    pub(crate) fn declare_printf(&mut self) -> Item {
        let int = self.int_ty(crate::model::IntTy::I32);
        let base = self.type_node(TypeKind::Basic(Basic::Char), Quals::CONST);
        let ty = self.type_node(TypeKind::Pointer(base), Quals::NONE);
        let param = csyntax::ast::Param {
            storage: Storage::NONE,
            base,
            ty,
            name: None,
            attrs: Vec::new(),
            span: Span::NONE,
        };
        let ty = self.function_type(int, vec![param], true);
        let name = self.name("printf");
        Item::Decl(self.declaration(Storage::NONE, ty, name, None))
    }
}
