//! Which expressions may initialise static objects (6.6p7, and what gcc folds beyond it).

use super::{Checker, builtin_table};
use crate::ast::Quals;
use crate::tree::{Builtin, Conversion, ExprId, ExprKind, Storage};
use crate::types::TyKind;

impl Checker<'_> {
    /// Reports a static initialiser that is not constant.
    pub(super) fn need_static(&mut self, value: ExprId) {
        if !self.is_poison(value) && !self.is_static_value(value) {
            let span = self.tree[value].span;
            self.error(span, "this initialiser of a static object is not constant");
        }
    }

    fn is_static_value(&mut self, id: ExprId) -> bool {
        if self.const_of(id).is_some() {
            return true;
        }
        let span = self.tree[id].span;
        self.deeper(span, |c| c.static_value(id), |_| true)
    }

    fn static_value(&mut self, id: ExprId) -> bool {
        match self.kind(id).clone() {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::LabelAddrOuter(..)
            | ExprKind::Str(_)
            | ExprKind::Function(_)
            | ExprKind::Same => true,
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.is_static_place(place),
            ExprKind::Load(place) => self.is_constant_object(place),
            ExprKind::Convert { kind, value, .. } => {
                let narrows =
                    kind == Conversion::PtrToInt && self.width(self.ty(id)) < self.width(self.ty(value));
                !narrows && self.is_static_value(value)
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) | ExprKind::PartOf(a, _) => {
                self.is_static_value(a)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PtrDiff(a, b, None)
            | ExprKind::Complex(a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b) => self.is_static_value(a) && self.is_static_value(b),
            ExprKind::PtrAdd { ptr, index, scale: None, .. } => {
                self.is_static_value(ptr) && self.is_static_value(index)
            }
            ExprKind::Cond(cond, a, b) => match self.truth(cond) {
                Some(true) => self.is_static_value(a),
                Some(false) => self.is_static_value(b),
                None => self.is_static_value(cond) && self.is_static_value(a) && self.is_static_value(b),
            },
            ExprKind::CondElvis { cond, value, other } => {
                self.is_static_value(cond) && self.is_static_value(value) && self.is_static_value(other)
            }
            ExprKind::Call(callee, args) => {
                self.is_folded_call(callee) && args.iter().all(|&a| self.is_static_value(a))
            }
            ExprKind::Builtin(builtin, args) => {
                let pure = matches!(
                    builtin,
                    Builtin::FloatClass(_)
                        | Builtin::QuietCompare(_)
                        | Builtin::FpClassify
                        | Builtin::Shuffle
                        | Builtin::ShuffleVector
                        | Builtin::ConvertVector
                        | Builtin::AddOverflowP
                        | Builtin::SubOverflowP
                        | Builtin::MulOverflowP
                        | Builtin::ConstantP
                        | Builtin::ObjectSize
                );
                pure && args.iter().all(|&a| self.is_static_value(a))
            }
            ExprKind::VlaLen(_)
            | ExprKind::Object(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLit(_)
            | ExprKind::Materialize(..)
            | ExprKind::VectorElem(..)
            | ExprKind::ComplexPart { .. }
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff(..)
            | ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::StmtExpr { .. }
            | ExprKind::VaArg(_)
            | ExprKind::VlaEval(..) => false,
        }
    }

    /// An object of static storage, or a part of one, or `*constant`.
    fn is_static_place(&mut self, id: ExprId) -> bool {
        match *self.kind(id) {
            ExprKind::Object(object) => self.tree.objects[object.index()].storage == Storage::Static,
            ExprKind::Str(_) | ExprKind::Function(_) => true,
            ExprKind::Member { base, .. } | ExprKind::ComplexPart { base, .. } => self.is_static_place(base),
            ExprKind::VectorElem(base, index) => self.is_static_place(base) && self.const_of(index).is_some(),
            ExprKind::Deref(pointer) => self.is_static_value(pointer),
            _ => false,
        }
    }

    /// gcc and clang read `const` objects of static storage that have constant initialisers, their elements and
    /// members, and those of literals.
    fn is_constant_object(&mut self, id: ExprId) -> bool {
        match *self.kind(id) {
            ExprKind::Object(object) => {
                let object = &self.tree.objects[object.index()];
                let literal = object.name.is_none() && object.storage == Storage::Static;
                let mut quals = object.ty.quals;
                let mut ty = object.ty.ty;
                while let TyKind::Array(elem, _) = *self.tykind(ty) {
                    quals = quals.with(elem.quals);
                    ty = elem.ty;
                }
                let constant = quals.has(Quals::CONST) && !quals.has(Quals::VOLATILE);
                object.storage == Storage::Static && object.init.is_some() && (constant || literal)
            }
            ExprKind::Member { base, .. } => self.is_constant_object(base),
            ExprKind::Deref(pointer) => match *self.kind(pointer) {
                ExprKind::PtrAdd { ptr, index, scale: None, .. } => match *self.kind(ptr) {
                    ExprKind::Decay(array) => {
                        self.const_of(index).is_some() && self.is_constant_object(array)
                    }
                    _ => false,
                },
                ExprKind::Decay(array) => self.is_constant_object(array),
                _ => false,
            },
            ExprKind::Str(_) => true,
            _ => false,
        }
    }

    /// A call of a builtin that gcc evaluates at compile time.
    fn is_folded_call(&self, callee: ExprId) -> bool {
        let ExprKind::AddrOf(function) = *self.kind(callee) else { return false };
        let ExprKind::Function(id) = *self.kind(function) else { return false };
        let function = &self.tree.functions[id.index()];
        function.body.is_none() && builtin_table::lookup(self.name(function.name)).is_some_and(|b| b.folds)
    }
}
