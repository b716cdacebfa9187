//! Types as written to types as meant.

use super::attr::Attrs;
use super::scope::Entity;
use super::{At, Checker};
use crate::ast::{self, ArraySize, Basic, ComplexInt, Params, Quals, TypeId, TypeKind};
use crate::source::Span;
use crate::target::{Endian, LongDouble};
use crate::tree::ExprId;
use crate::tree::ExprKind;
use crate::types::{ArrayLen, FnTy, IntKind, QTy, Ty, TyKind, VlaId, WIDEST_BIT_INT};

/// `_Float32` and its kin by width, the `x` kinds as width + 1.
fn float_n(width: u16) -> Ty {
    match width {
        16 => Ty::FLOAT16,
        32 => Ty::FLOAT,
        33 | 64 => Ty::DOUBLE,
        65 => Ty::LONG_DOUBLE,
        _ => Ty::FLOAT128,
    }
}

impl Checker<'_> {
    /// The type of a type name: casts, `sizeof`, `_Generic` associations.
    pub(super) fn type_name(&mut self, id: TypeId) -> QTy {
        self.resolve(id, None)
    }

    /// The type of a declarator chain whose end, `base`, is known already.
    pub(super) fn resolve(&mut self, id: TypeId, base: Option<(TypeId, QTy)>) -> QTy {
        if let Some((end, ty)) = base
            && end == id
        {
            return ty;
        }
        let span = self.ast[id].span;
        self.deeper(span, |c| c.resolve_node(id, base), |_| Ty::INT.into())
    }

    fn resolve_node(&mut self, id: TypeId, base: Option<(TypeId, QTy)>) -> QTy {
        let ast = self.ast;
        let node = &ast[id];
        let span = node.span;
        let attrs = self.attrs(&node.attrs, span);
        let ty: QTy = match &node.kind {
            TypeKind::Basic(basic) => self.basic(*basic, span).into(),
            TypeKind::Typedef(name) => match self.scope.lookup(*name) {
                Some(Entity::Typedef(ty)) => ty,
                _ => {
                    let text = self.name(*name).to_string();
                    self.error(span, format!("'{text}' does not name a type here"));
                    Ty::INT.into()
                }
            },
            TypeKind::Record(record) => self.record_spec(*record, node.quals).into(),
            TypeKind::Enum(spec) => self.enum_spec(*spec).into(),
            TypeKind::Pointer(to) => {
                let to = self.resolve(*to, base);
                self.tree.types.pointer(to).into()
            }
            TypeKind::Array { elem, size, .. } => {
                let elem = self.resolve(*elem, base);
                self.array(elem, *size, span).into()
            }
            TypeKind::Function { ret, params } => {
                let ret = self.resolve(*ret, base);
                self.check_return(ret.ty, span);
                self.prototype(ret, params).into()
            }
            TypeKind::TypeofExpr(expr) => self.typeof_expr(*expr),
            TypeKind::TypeofType(ty) | TypeKind::Atomic(ty) => self.resolve(*ty, None),
            TypeKind::Unqual(ty) => {
                let ty = self.resolve(*ty, None);
                self.unqualified(ty).into()
            }
            TypeKind::BitInt(width, unsigned) => {
                let width = self.need_constant(*width, "the width of a '_BitInt'");
                width.and_then(|(width, _)| self.bit_int(width, *unsigned, span)).unwrap_or(Ty::INT).into()
            }
            TypeKind::Auto | TypeKind::Implicit => Ty::INT.into(),
        };
        let ty = self.apply_type_attrs(ty, &attrs, span);
        let ty = self.apply_typedef_attrs(ty, &attrs);
        self.qualify(ty, node.quals)
    }

    pub(super) fn check_return(&mut self, ret: Ty, span: Span) {
        if self.is_array(ret) || self.is_function(ret) {
            let text = self.show(ret);
            self.error(span, format!("a function cannot return '{text}'"));
        }
    }

    fn typeof_expr(&mut self, expr: ast::ExprId) -> QTy {
        let pending = self.pending_vlas.len();
        let (id, addresses) = self.unevaluated(expr);
        let ty = self.qty(id);
        if !self.variably_modified(ty.ty) {
            self.pending_vlas.truncate(pending);
        } else if !self.is_poison(id) && !matches!(self.kind(id), ExprKind::Object(_)) {
            // GNU C evaluates the operand then, and with it the lengths in it.
            self.pending_vlas.truncate(pending);
            self.evaluate_after_all(addresses);
            let at = self.at(expr);
            let size_t = self.types().size_t();
            let (value, one) = (self.discarded(id), self.int_const(1, size_t, at));
            let len = self.push(ExprKind::Comma(value, one), size_t, at);
            self.vla(len);
        }
        let at = self.at(expr);
        if self.place_width(id) != 0 {
            self.error(at.span, "typeof of a bit-field");
        }
        self.type_is_asked(id, at.span);
        self.nullptr_type(expr);
        ty
    }

    /// Without qualifiers; those of an array are its elements'.
    fn unqualified(&mut self, ty: QTy) -> Ty {
        match *self.tykind(ty.ty) {
            TyKind::Array(elem, len) => {
                let elem = self.unqualified(elem);
                self.tree.types.intern(TyKind::Array(elem.into(), len))
            }
            _ => ty.ty,
        }
    }

    /// The bit-precise integer type of a width.
    pub(super) fn bit_int(&mut self, width: i128, unsigned: bool, span: Span) -> Option<Ty> {
        let least = if unsigned { 1 } else { 2 };
        if width < least {
            self.error(
                span,
                format!("a '_BitInt' of this sign has a width of at least {least}, found {width}"),
            );
            return None;
        }
        let target = &self.types().target;
        let words = target.pointer_bytes == 8 && target.endian == Endian::Little;
        // Their alignment differs from processor to processor; x87 tells x86-64.
        let known = width <= 64 || target.long_double == LongDouble::X87;
        match u8::try_from(width).ok().filter(|width| *width <= WIDEST_BIT_INT && words && known) {
            Some(width) => {
                let kind = if unsigned { IntKind::UBitInt(width) } else { IntKind::BitInt(width) };
                Some(self.int_ty(kind))
            }
            None => {
                let most = if !words {
                    0
                } else if width <= 128 {
                    64
                } else {
                    WIDEST_BIT_INT
                };
                self.unsupported(span, format!("a '_BitInt' wider than {most} bits on this target"));
                None
            }
        }
    }

    /// `nullptr_t` has no type of its own here.
    pub(super) fn nullptr_type(&mut self, asked: ast::ExprId) {
        if let ast::ExprKind::Ident(name) = self.ast[asked].kind
            && self.name(name) == "nullptr"
            && self.scope.lookup(name).is_none()
        {
            let span = self.ast[asked].span;
            self.unsupported(span, "the type of 'nullptr'");
        }
    }

    fn basic(&mut self, basic: Basic, span: Span) -> Ty {
        let elem = |kind: ComplexInt| match kind {
            ComplexInt::Char => Ty::CHAR,
            ComplexInt::UChar => Ty::UCHAR,
            ComplexInt::Short => Ty::SHORT,
            ComplexInt::UShort => Ty::USHORT,
            ComplexInt::Int => Ty::INT,
            ComplexInt::UInt => Ty::UINT,
            ComplexInt::Long => Ty::LONG,
            ComplexInt::ULong => Ty::ULONG,
            ComplexInt::LLong => Ty::LLONG,
            ComplexInt::ULLong => Ty::ULLONG,
        };
        let complex = match basic {
            Basic::Void => return Ty::VOID,
            Basic::Bool => return Ty::BOOL,
            Basic::Char => return Ty::CHAR,
            Basic::SChar => return Ty::SCHAR,
            Basic::UChar => return Ty::UCHAR,
            Basic::Short => return Ty::SHORT,
            Basic::UShort => return Ty::USHORT,
            Basic::Int => return Ty::INT,
            Basic::UInt => return Ty::UINT,
            Basic::Long => return Ty::LONG,
            Basic::ULong => return Ty::ULONG,
            Basic::LLong => return Ty::LLONG,
            Basic::ULLong => return Ty::ULLONG,
            Basic::Int128 | Basic::UInt128 => {
                if !self.types().target.int128 {
                    self.error(span, "this target has no '__int128'");
                }
                return if basic == Basic::Int128 { Ty::INT128 } else { Ty::UINT128 };
            }
            Basic::Float16 => return Ty::FLOAT16,
            Basic::Float => return Ty::FLOAT,
            Basic::Double => return Ty::DOUBLE,
            Basic::LongDouble => return Ty::LONG_DOUBLE,
            Basic::Float128 => return Ty::FLOAT128,
            Basic::VaList => return Ty::VA_LIST,
            Basic::FloatN(width) => return float_n(width),
            Basic::ComplexFloatN(width) => float_n(width),
            Basic::Decimal(_) => {
                self.unsupported(span, "decimal floating types are not supported");
                return Ty::DOUBLE;
            }
            Basic::ComplexFloat => Ty::FLOAT,
            Basic::ComplexDouble => Ty::DOUBLE,
            Basic::ComplexLongDouble => Ty::LONG_DOUBLE,
            Basic::ComplexInt(kind) => elem(kind),
        };
        self.tree.types.intern(TyKind::Complex(complex))
    }

    fn array(&mut self, elem: QTy, size: ArraySize, span: Span) -> Ty {
        if self.is_function(elem.ty) || self.is_void(elem.ty) || !self.is_complete(elem.ty) {
            let text = self.show(elem);
            self.error(span, format!("an array cannot have elements of type '{text}'"));
            return self.tree.types.intern(TyKind::Array(Ty::INT.into(), ArrayLen::Unknown));
        }
        let len = match size {
            ArraySize::None => ArrayLen::Unknown,
            ArraySize::Star => {
                let at = At { span, origin: ast::ExprId(u32::MAX) };
                let one = self.int_const(1, Ty::INT, at);
                ArrayLen::Variable(self.vla(one))
            }
            ArraySize::Expr(size) => self.array_len(elem.ty, size),
        };
        self.tree.types.intern(TyKind::Array(elem, len))
    }

    fn array_len(&mut self, elem: Ty, size: ast::ExprId) -> ArrayLen {
        let value = self.rvalue(size);
        let span = self.ast[size].span;
        if self.is_poison(value) {
            return ArrayLen::Fixed(1);
        }
        if !self.is_integer(self.ty(value)) {
            let text = self.show(self.ty(value));
            self.error(span, format!("an array size must be an integer, found '{text}'"));
            return ArrayLen::Fixed(1);
        }
        let Some(count) = self.signed_of(value) else {
            if self.functions.is_empty() && self.scope.level() == 0 {
                self.error(span, "the size of an array at file scope must be constant");
                return ArrayLen::Fixed(1);
            }
            return ArrayLen::Variable(self.vla(value));
        };
        if count < 0 {
            self.error(span, format!("array size {count} is negative"));
            return ArrayLen::Fixed(1);
        }
        let bytes = self.types().layout(elem).map_or(1, |l| l.size.max(1));
        let limit = self.size_limit();
        match u64::try_from(count).ok().filter(|n| n.checked_mul(bytes).is_some_and(|size| size <= limit)) {
            Some(count) => ArrayLen::Fixed(count),
            None => {
                self.error(span, format!("an array of {count} elements of {bytes} bytes is too large"));
                ArrayLen::Fixed(1)
            }
        }
    }

    /// The largest object there can be.
    pub(super) fn size_limit(&self) -> u64 {
        if self.types().target.pointer_bytes == 8 { i64::MAX as u64 } else { i32::MAX as u64 }
    }

    /// A new variable length, to be evaluated by whatever node or statement takes the pending ones.
    fn vla(&mut self, len: ExprId) -> VlaId {
        self.tree.vlas.push(crate::tree::Vla { len });
        let id = VlaId(self.tree.vlas.len() as u32 - 1);
        self.pending_vlas.push(id);
        id
    }

    /// A function type from a parameter list that belongs to no definition.
    fn prototype(&mut self, ret: QTy, params: &Params) -> Ty {
        let ret = QTy { ty: ret.ty, quals: Quals::NONE };
        let Params::Prototype { params, variadic } = params else {
            let ty = FnTy { ret, params: Vec::new(), variadic: false, prototype: false };
            return self.tree.types.intern(TyKind::Function(ty));
        };
        let pending = self.pending_vlas.len();
        self.scope.enter();
        let mut types = Vec::with_capacity(params.len());
        for param in params {
            let (ty, _) = self.param_type(param);
            if let Some(name) = param.name {
                self.scope.bind(name, Entity::ProtoParam(ty));
            }
            types.push(QTy { ty: ty.ty, quals: Quals::NONE });
        }
        self.scope.leave();
        self.pending_vlas.truncate(pending);
        let ty = FnTy { ret, params: types, variadic: *variadic, prototype: true };
        self.tree.types.intern(TyKind::Function(ty))
    }

    /// The adjusted type of a parameter, and whether it is declared as a `va_list`.
    pub(super) fn param_type(&mut self, param: &ast::Param) -> (QTy, bool) {
        let base = self.resolve(param.base, None);
        let attrs = self.attrs(&param.attrs, param.span);
        let ty = self.resolve(param.ty, Some((param.base, base)));
        let ty = self.apply_type_attrs(ty, &attrs, param.span);
        let quals = match &self.ast[param.ty].kind {
            TypeKind::Array { quals, .. } => *quals,
            _ => Quals::NONE,
        };
        let list = matches!(self.tykind(ty.ty), TyKind::VaList);
        (self.adjust_param(ty, quals, param.span), list)
    }

    /// Arrays and functions as parameters are pointers; so are variable argument lists.
    pub(super) fn adjust_param(&mut self, ty: QTy, quals: Quals, span: Span) -> QTy {
        match *self.tykind(ty.ty) {
            TyKind::Array(elem, _) => QTy { ty: self.tree.types.pointer(elem), quals },
            TyKind::Function(_) | TyKind::VaList => self.tree.types.pointer(ty).into(),
            TyKind::Void => {
                self.error(span, "a parameter cannot have type 'void'");
                Ty::INT.into()
            }
            _ => ty,
        }
    }

    /// The specifier type of a declaration with the attributes among its specifiers.
    pub(super) fn base_type(&mut self, base: TypeId) -> QTy {
        self.resolve(base, None)
    }

    /// An integer constant expression: its value and type.
    pub(super) fn constant(&mut self, expr: ast::ExprId) -> Option<(i128, Ty)> {
        self.unevaluated += 1;
        let value = self.rvalue(expr);
        self.unevaluated -= 1;
        if !self.is_integer(self.ty(value)) {
            return None;
        }
        Some((self.signed_of(value)?, self.ty(value)))
    }

    /// An integer constant expression, or an error that says what needed it.
    pub(super) fn need_constant(&mut self, expr: ast::ExprId, what: &str) -> Option<(i128, Ty)> {
        let errors = self.errors;
        let value = self.constant(expr);
        if value.is_none() && self.errors == errors {
            let span = self.ast[expr].span;
            self.error(span, format!("{what} must be an integer constant expression"));
        }
        value
    }

    /// The attributes of specifiers and declarator together.
    pub(super) fn both_attrs(&mut self, a: &[ast::Attribute], b: &[ast::Attribute], span: Span) -> Attrs {
        let first = self.attrs(a, span);
        let second = self.attrs(b, span);
        first.with(second)
    }
}
