//! Compatible and composite types, and questions about what a type is.

use super::Checker;
use crate::ast::Quals;
use crate::types::{ArrayLen, FnTy, IntKind, QTy, Ty, TyKind};

/// Types can nest as deep as a chain of typedefs is long.
fn grow<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, f)
}

impl Checker<'_> {
    pub(super) fn tykind(&self, ty: Ty) -> &TyKind {
        self.tree.types.kind(ty)
    }

    pub(super) fn is_void(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Void)
    }

    /// Integer or complete enum?
    pub(super) fn is_integer(&self, ty: Ty) -> bool {
        self.types().int_kind(ty).is_some()
    }

    pub(super) fn is_float(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Float(_))
    }

    pub(super) fn is_complex(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Complex(_))
    }

    pub(super) fn is_real(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    pub(super) fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_real(ty) || self.is_complex(ty)
    }

    pub(super) fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Pointer(_))
    }

    pub(super) fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub(super) fn is_array(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Array(..))
    }

    pub(super) fn is_function(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Function(_))
    }

    pub(super) fn is_record(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Record(_))
    }

    pub(super) fn is_vector(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Vector(..))
    }

    pub(super) fn is_bool(&self, ty: Ty) -> bool {
        self.types().int_kind(ty) == Some(IntKind::Bool)
    }

    /// What a pointer points to.
    pub(super) fn pointee(&self, ty: Ty) -> Option<QTy> {
        match self.tykind(ty) {
            TyKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub(super) fn fn_ty(&self, ty: Ty) -> Option<&FnTy> {
        match self.tykind(ty) {
            TyKind::Function(f) => Some(f),
            _ => None,
        }
    }

    /// Has it a size, constant or variable?
    pub(super) fn is_complete(&self, mut ty: Ty) -> bool {
        while let TyKind::Array(elem, ArrayLen::Variable(_) | ArrayLen::Fixed(_)) = self.tykind(ty) {
            ty = elem.ty;
        }
        self.types().layout(ty).is_some()
    }

    /// An array type whose length, or whose elements' length, is evaluated at run time?
    pub(super) fn is_variable(&self, mut ty: Ty) -> bool {
        while let TyKind::Array(elem, len) = self.tykind(ty) {
            if matches!(len, ArrayLen::Variable(_)) {
                return true;
            }
            ty = elem.ty;
        }
        false
    }

    /// A type that contains a variable length anywhere in its derivation?
    pub(super) fn variably_modified(&self, mut ty: Ty) -> bool {
        loop {
            match self.tykind(ty) {
                TyKind::Array(_, ArrayLen::Variable(_)) => return true,
                TyKind::Array(elem, _) => ty = elem.ty,
                TyKind::Pointer(to) => ty = to.ty,
                TyKind::Function(f) => ty = f.ret.ty,
                _ => return false,
            }
        }
    }

    /// The same type without alignment and aliasing attributes.
    pub(super) fn plain(&mut self, ty: Ty) -> Ty {
        if self.tree.types.adjusted.is_empty() || !self.tree.types.adjusted.contains_key(&ty) {
            return ty;
        }
        let kind = self.tykind(ty).clone();
        self.tree.types.intern(kind)
    }

    /// Adds qualifiers; those of an array go to its elements.
    pub(super) fn qualify(&mut self, ty: QTy, quals: Quals) -> QTy {
        if quals == Quals::NONE {
            return ty;
        }
        if let TyKind::Array(elem, len) = *self.tykind(ty.ty) {
            let elem = grow(|| self.qualify(elem, quals));
            let mut array = self.tree.types.intern(TyKind::Array(elem, len));
            if let Some(adjusted) = self.types().adjusted.get(&ty.ty).copied() {
                array = self.tree.types.adjust(array, adjusted);
            }
            return QTy { ty: array, quals: ty.quals };
        }
        QTy { ty: ty.ty, quals: ty.quals.with(quals) }
    }

    /// Compatible types (6.2.7) without regard to their outermost qualifiers.
    pub(super) fn compatible(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        match (self.tykind(a), self.tykind(b)) {
            (TyKind::Void, TyKind::Void) | (TyKind::VaList, TyKind::VaList) => true,
            (TyKind::Int(x), TyKind::Int(y)) => x == y,
            (TyKind::Float(x), TyKind::Float(y)) => x == y,
            (TyKind::Complex(x), TyKind::Complex(y)) => self.compatible(*x, *y),
            (TyKind::Enum(x), TyKind::Enum(y)) => x == y,
            (TyKind::Enum(x), TyKind::Int(y)) | (TyKind::Int(y), TyKind::Enum(x)) => {
                self.types().enums[x.0 as usize].int == Some(*y)
            }
            (TyKind::Pointer(x), TyKind::Pointer(y)) => self.compatible_q(*x, *y),
            (TyKind::Array(x, m), TyKind::Array(y, n)) => {
                let lengths = match (m, n) {
                    (ArrayLen::Fixed(m), ArrayLen::Fixed(n)) => m == n,
                    (ArrayLen::Unknown | ArrayLen::Variable(_), _)
                    | (_, ArrayLen::Unknown | ArrayLen::Variable(_)) => true,
                };
                lengths && self.compatible_q(*x, *y)
            }
            (TyKind::Vector(x, m), TyKind::Vector(y, n)) => m == n && self.compatible(*x, *y),
            (TyKind::Record(x), TyKind::Record(y)) => x == y,
            (TyKind::Function(f), TyKind::Function(g)) => self.compatible_fns(f, g),
            _ => false,
        }
    }

    /// Compatible, qualifiers included.
    pub(super) fn compatible_q(&self, a: QTy, b: QTy) -> bool {
        let quals = a.quals.without(Quals::RESTRICT) == b.quals.without(Quals::RESTRICT);
        quals && grow(|| self.compatible(a.ty, b.ty))
    }

    fn compatible_fns(&self, f: &FnTy, g: &FnTy) -> bool {
        if !grow(|| self.compatible(f.ret.ty, g.ret.ty)) {
            return false;
        }
        match (f.prototype, g.prototype) {
            (true, true) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(a, b)| self.compatible_param(a.ty, b.ty))
            }
            (false, false) => true,
            (true, false) => self.survives_promotion(f),
            (false, true) => self.survives_promotion(g),
        }
    }

    /// Parameters may differ as a transparent union and one of its members do.
    fn compatible_param(&self, a: Ty, b: Ty) -> bool {
        self.compatible(a, b)
            || self.transparent_member(a, b).is_some()
            || self.transparent_member(b, a).is_some()
    }

    /// The member of transparent union `union` whose type is `ty`.
    pub(super) fn transparent_member(&self, union: Ty, ty: Ty) -> Option<u32> {
        let TyKind::Record(id) = *self.tykind(union) else { return None };
        let record = &self.types().records[id.0 as usize];
        if !record.attrs.transparent {
            return None;
        }
        let fields = record.fields.as_ref()?;
        fields.iter().position(|f| self.compatible(f.ty.ty, ty)).map(|i| i as u32)
    }

    /// May a function with this prototype be called as one without?
    fn survives_promotion(&self, f: &FnTy) -> bool {
        !f.variadic
            && f.params.iter().all(|p| match self.tykind(p.ty) {
                TyKind::Float(kind) => *kind != crate::types::FloatKind::Float,
                _ => self.types().int_kind(p.ty).is_none_or(|kind| kind >= IntKind::Int),
            })
    }

    /// The composite of two compatible types (6.2.7p3).
    pub(super) fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        if a == b { a } else { grow(|| self.composite_kinds(a, b)) }
    }

    fn composite_kinds(&mut self, a: Ty, b: Ty) -> Ty {
        match (self.tykind(a).clone(), self.tykind(b).clone()) {
            (TyKind::Pointer(x), TyKind::Pointer(y)) => {
                let to = self.composite(x.ty, y.ty);
                if to == x.ty { a } else { self.tree.types.pointer(QTy { ty: to, quals: x.quals }) }
            }
            (TyKind::Array(x, m), TyKind::Array(y, n)) => {
                let elem = QTy { ty: self.composite(x.ty, y.ty), quals: x.quals };
                let len = match (m, n) {
                    (ArrayLen::Fixed(_), _) => m,
                    (_, ArrayLen::Fixed(_)) => n,
                    (ArrayLen::Variable(_), _) => m,
                    (ArrayLen::Unknown, _) => n,
                };
                if elem == x && len == m { a } else { self.tree.types.intern(TyKind::Array(elem, len)) }
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                let ret = QTy { ty: self.composite(f.ret.ty, g.ret.ty), quals: f.ret.quals };
                let made = match (f.prototype, g.prototype) {
                    (true, true) if f.params.len() == g.params.len() => {
                        let pairs = f.params.iter().zip(&g.params);
                        let params = pairs
                            .map(|(x, y)| {
                                if self.compatible(x.ty, y.ty) {
                                    QTy { ty: self.composite(x.ty, y.ty), quals: x.quals }
                                } else {
                                    *x
                                }
                            })
                            .collect();
                        FnTy { ret, params, variadic: f.variadic, prototype: true }
                    }
                    (true, _) => FnTy { ret, ..f },
                    (false, _) => FnTy { ret, ..g },
                };
                self.tree.types.intern(TyKind::Function(made))
            }
            (TyKind::Enum(_), TyKind::Int(_)) => a,
            (TyKind::Int(_), TyKind::Enum(_)) => b,
            _ => a,
        }
    }

    /// Has a record a const member, however deep (then it is no modifiable lvalue)?
    pub(super) fn has_const_member(&self, ty: Ty) -> bool {
        match self.tykind(ty) {
            TyKind::Record(id) => {
                let fields = self.types().records[id.0 as usize].fields.as_deref().unwrap_or(&[]);
                fields.iter().any(|f| f.ty.quals.has(Quals::CONST) || grow(|| self.has_const_member(f.ty.ty)))
            }
            TyKind::Array(elem, _) => elem.quals.has(Quals::CONST) || grow(|| self.has_const_member(elem.ty)),
            _ => false,
        }
    }

    /// A type as C text, for messages.
    pub(super) fn show(&self, ty: impl Into<QTy>) -> String {
        super::dump::type_text(&self.tree, ty.into())
    }
}
