//! `sizeof`, `_Alignof`, `_Generic` and the builtins that take types.

use super::{At, Checker};
use crate::ast::{self, Designator, TypeId};
use crate::tree::{Builtin, ExprId, ExprKind, ObjId, Op};
use crate::types::{QTy, Ty, TyKind};

impl Checker<'_> {
    pub(super) fn sizeof_expr(&mut self, operand: ast::ExprId, at: At) -> ExprId {
        let mark = self.pending_vlas.len();
        let (expr, addresses) = self.unevaluated(operand);
        self.pending_vlas.truncate(mark);
        if self.place_width(expr) != 0 {
            return self.error_expr(at, "sizeof of a bit-field");
        }
        let (ty, poison) = (self.ty(expr), self.is_poison(expr));
        let size = self.size_of(ty, at);
        // The operand is evaluated only where its own type is a variable array.
        if !poison && self.is_variable(ty) && !matches!(self.kind(expr), ExprKind::Object(_)) {
            self.evaluate_after_all(addresses);
            let ty = self.types().size_t();
            return self.push(ExprKind::Comma(expr, size), ty, at);
        }
        size
    }

    /// Checks an operand that is not evaluated; also gives what [`Checker::evaluate_after_all`] needs if it is.
    pub(super) fn unevaluated(&mut self, operand: ast::ExprId) -> (ExprId, Vec<ObjId>) {
        let mark = self.unevaluated_addresses.len();
        self.unevaluated += 1;
        let expr = self.expr(operand);
        self.unevaluated -= 1;
        (expr, self.unevaluated_addresses.split_off(mark))
    }

    /// An operand checked as not evaluated is, so the addresses that it takes count.
    pub(super) fn evaluate_after_all(&mut self, addresses: Vec<ObjId>) {
        for object in addresses {
            if self.unevaluated > 0 {
                self.unevaluated_addresses.push(object);
            } else {
                self.object(object).addressed = true;
            }
        }
    }

    pub(super) fn sizeof_type(&mut self, ty: TypeId, at: At) -> ExprId {
        let mark = self.pending_vlas.len();
        let ty = self.type_name(ty);
        let vlas = self.pending_vlas.split_off(mark);
        let size = self.size_of(ty.ty, at);
        self.with_vlas(vlas, size, at)
    }

    fn size_of(&mut self, ty: Ty, at: At) -> ExprId {
        let size_t = self.types().size_t();
        if self.is_void(ty) || self.is_function(ty) {
            return self.int_const(1, size_t, at);
        }
        match self.size_expr(ty, at) {
            Some(size) => size,
            None => {
                let text = self.show(ty);
                self.error_expr(at, format!("sizeof of the incomplete type '{text}'"))
            }
        }
    }

    pub(super) fn alignof_expr(&mut self, operand: ast::ExprId, at: At) -> ExprId {
        self.unevaluated += 1;
        let mark = self.pending_vlas.len();
        let expr = self.expr(operand);
        self.unevaluated -= 1;
        self.pending_vlas.truncate(mark);
        let size_t = self.types().size_t();
        let align = match *self.kind(expr) {
            ExprKind::Object(object) => {
                let object = &self.tree.objects[object.index()];
                let natural = self.types().layout(object.ty.ty).map_or(1, |l| l.align);
                object.align.max(natural)
            }
            ExprKind::Function(id) => self.tree.functions[id.index()].align,
            ExprKind::Member { record, field, .. } => {
                let fields = self.types().records[record.0 as usize].fields.as_deref().unwrap_or(&[]);
                match fields.get(field as usize) {
                    Some(field) => field.align,
                    None => return self.align_of(self.ty(expr), at),
                }
            }
            _ => return self.align_of(self.ty(expr), at),
        };
        self.int_const(align.into(), size_t, at)
    }

    pub(super) fn alignof_type(&mut self, ty: TypeId, at: At) -> ExprId {
        let mark = self.pending_vlas.len();
        let ty = self.type_name(ty);
        self.pending_vlas.truncate(mark);
        self.align_of(ty.ty, at)
    }

    fn align_of(&mut self, mut ty: Ty, at: At) -> ExprId {
        let size_t = self.types().size_t();
        while let TyKind::Array(elem, _) = *self.tykind(ty) {
            if self.types().adjusted.contains_key(&ty) {
                break;
            }
            ty = elem.ty;
        }
        if self.is_void(ty) || self.is_function(ty) {
            return self.int_const(1, size_t, at);
        }
        let align = self.types().layout(ty).map(|l| l.align);
        match align {
            Some(align) => self.int_const(align.into(), size_t, at),
            None => {
                let text = self.show(ty);
                self.error_expr(at, format!("alignment of the incomplete type '{text}'"))
            }
        }
    }

    pub(super) fn generic(
        &mut self,
        value: ast::ExprId,
        choices: &[(Option<TypeId>, ast::ExprId)],
        at: At,
    ) -> ExprId {
        self.unevaluated += 1;
        let control = self.rvalue(value);
        self.unevaluated -= 1;
        self.type_is_asked(control, at.span);
        self.nullptr_type(value);
        let ty = self.ty(control);
        let mut found = None;
        let mut default = None;
        let mut made: Vec<(TypeId, QTy)> = Vec::new();
        for &(name, choice) in choices {
            match name {
                None => default = Some(choice),
                Some(name) => {
                    let mark = self.pending_vlas.len();
                    let choice_ty = self.type_name(name);
                    self.pending_vlas.truncate(mark);
                    if made.iter().any(|m| self.compatible_q(m.1, choice_ty)) {
                        let span = self.ast[name].span;
                        self.error(span, "two associations of _Generic have compatible types");
                    }
                    made.push((name, choice_ty));
                    if self.compatible_q(choice_ty, ty.into()) {
                        found = Some(choice);
                    }
                }
            }
        }
        let Some(chosen) = found.or(default) else {
            let text = self.show(ty);
            return self.error_expr(at, format!("_Generic has no association for '{text}'"));
        };
        let mut result = None;
        for &(_, choice) in choices {
            if choice == chosen {
                result = Some(self.expr(choice));
            } else {
                self.unevaluated += 1;
                self.expr(choice);
                self.unevaluated -= 1;
            }
        }
        match result {
            Some(result) => result,
            None => self.poison(at),
        }
    }

    pub(super) fn types_compatible(&mut self, a: TypeId, b: TypeId, at: At) -> ExprId {
        let mark = self.pending_vlas.len();
        let (a, b) = (self.type_name(a), self.type_name(b));
        self.pending_vlas.truncate(mark);
        let enums = self.is_enum(a.ty) != self.is_enum(b.ty);
        let same = !enums && self.compatible(a.ty, b.ty);
        self.int_const(same.into(), Ty::INT, at)
    }

    pub(super) fn choose_expr(
        &mut self,
        cond: ast::ExprId,
        a: ast::ExprId,
        b: ast::ExprId,
        at: At,
    ) -> ExprId {
        let Some((cond, _)) = self.need_constant(cond, "the first operand of __builtin_choose_expr") else {
            return self.poison(at);
        };
        let (chosen, other) = if cond != 0 { (a, b) } else { (b, a) };
        self.unevaluated += 1;
        self.expr(other);
        self.unevaluated -= 1;
        self.expr(chosen)
    }

    pub(super) fn convert_vector(&mut self, value: ast::ExprId, ty: TypeId, at: At) -> ExprId {
        let value = self.rvalue(value);
        let to = self.type_name(ty).ty;
        match (self.tykind(self.ty(value)), self.tykind(to)) {
            (TyKind::Vector(_, m), TyKind::Vector(_, n)) if m == n => {
                let to = self.plain(to);
                self.push(ExprKind::Builtin(Builtin::ConvertVector, vec![value]), to, at)
            }
            _ if self.is_poison(value) => value,
            _ => self.error_expr(at, "__builtin_convertvector needs vectors of the same length"),
        }
    }

    pub(super) fn va_arg(&mut self, list: ast::ExprId, ty: TypeId, at: At) -> ExprId {
        let list = self.va_list(list);
        let mark = self.pending_vlas.len();
        let ty = self.type_name(ty);
        let vlas = self.pending_vlas.split_off(mark);
        if !self.is_complete(ty.ty) {
            let text = self.show(ty);
            return self.error_expr(at, format!("va_arg of the incomplete type '{text}'"));
        }
        if self.is_array(ty.ty) {
            let to = self.push(ExprKind::VaArg(list), ty, at);
            return self.materialize(to, at);
        }
        let ty = self.plain(ty.ty);
        let id = self.push(ExprKind::VaArg(list), ty, at);
        self.with_vlas(vlas, id, at)
    }

    /// An operand that names a `va_list`: a pointer to it.
    pub(super) fn va_list(&mut self, list: ast::ExprId) -> ExprId {
        let value = self.rvalue(list);
        let pointer = self.tree.types.pointer(Ty::VA_LIST);
        if self.is_poison(value) || self.compatible(self.ty(value), pointer) {
            return value;
        }
        let (at, text) = (self.at(list), self.show(self.ty(value)));
        self.error_expr(at, format!("expected a va_list, found '{text}'"))
    }

    /// `__builtin_offsetof(T, a.b[i])`: a constant, plus products for indices that are not.
    pub(super) fn offsetof(&mut self, ty: TypeId, path: &[Designator], at: At) -> ExprId {
        let size_t = self.types().size_t();
        let mut ty = self.type_name(ty);
        let mut offset = 0u64;
        let mut sum: Option<ExprId> = None;
        for designator in path {
            match *designator {
                Designator::Field(name) => {
                    let TyKind::Record(record) = *self.tykind(ty.ty) else {
                        return self
                            .error_expr(at, "offsetof a member of something that is no struct or union");
                    };
                    let Some(path) = self.find_member(record, name) else {
                        let (text, name) = (self.show(ty), self.name(name).to_string());
                        return self.error_expr(at, format!("'{text}' has no member '{name}'"));
                    };
                    for index in path {
                        let TyKind::Record(record) = *self.tykind(ty.ty) else { return self.poison(at) };
                        let Some(field) = self.field(record, index) else { return self.poison(at) };
                        if field.bits.is_some() {
                            return self.error_expr(at, "offsetof a bit-field");
                        }
                        offset = offset.wrapping_add(field.offset);
                        ty = field.ty;
                    }
                }
                Designator::Index(index) => {
                    let TyKind::Array(elem, _) = *self.tykind(ty.ty) else {
                        return self.error_expr(at, "offsetof an element of something that is no array");
                    };
                    let size = self.types().layout(elem.ty).map_or(0, |l| l.size);
                    let index = self.rvalue(index);
                    match self.signed_of(index) {
                        Some(value) => offset = offset.wrapping_add((value as u64).wrapping_mul(size)),
                        None => {
                            let index = self.coerce(index, size_t);
                            let size = self.int_const(size.into(), size_t, at);
                            let term = self.push(ExprKind::Binary(Op::Mul, index, size), size_t, at);
                            sum = Some(match sum {
                                Some(sum) => self.push(ExprKind::Binary(Op::Add, sum, term), size_t, at),
                                None => term,
                            });
                        }
                    }
                    ty = elem;
                }
                Designator::Range(..) => return self.error_expr(at, "a range has no offset"),
            }
        }
        let constant = self.int_const(offset.into(), size_t, at);
        match sum {
            Some(sum) => self.push(ExprKind::Binary(Op::Add, sum, constant), size_t, at),
            None => constant,
        }
    }
}
