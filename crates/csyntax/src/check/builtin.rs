//! Builtins whose typing is not that of a function.

use super::fold::Const;
use super::{At, Checker};
use crate::ast::{self, Params, TypeKind};
use crate::intern::Symbol;
use crate::tree::{Builtin, ExprId, ExprKind, FloatClass, QuietRel};
use crate::types::{FloatKind, IntKind, Ty, TyKind};

impl Checker<'_> {
    /// Library functions with rules of their own even when declared.
    pub(super) fn declared_special(&mut self, name: Symbol, args: &[ast::ExprId], at: At) -> Option<ExprId> {
        let text =
            self.ast.names.name(if (name.0 as usize) < self.ast.names.len() { name } else { return None });
        match text {
            "setjmp" | "_setjmp" | "__setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "_longjmp"
            | "siglongjmp" | "alloca" => self.special_call(text, args, at),
            _ => None,
        }
    }

    /// A call of a builtin with rules of its own, by name.
    pub(super) fn special_call(&mut self, name: &str, args: &[ast::ExprId], at: At) -> Option<ExprId> {
        if name.starts_with("__atomic_") || name.starts_with("__sync_") {
            return self.atomic_call(name, args, at);
        }
        let bare = name.strip_prefix("__builtin_");
        Some(match bare.unwrap_or(name) {
            "va_start" if bare.is_some() => self.va_start(args, at),
            "va_end" if bare.is_some() => self.va_op(Builtin::VaEnd, args, 1, at),
            "va_copy" if bare.is_some() => self.va_op(Builtin::VaCopy, args, 2, at),
            "constant_p" if bare.is_some() => self.constant_p(args, at),
            "expect" | "expect_with_probability" if bare.is_some() => self.expect(args, at),
            "classify_type" if bare.is_some() => self.classify_type(args, at),
            "unreachable" if bare.is_some() => self.nullary(Builtin::Unreachable, Ty::VOID, args, at),
            "trap" if bare.is_some() => self.nullary(Builtin::Trap, Ty::VOID, args, at),
            "alloca" => self.alloca(args, 1, at),
            "alloca_with_align" | "alloca_with_align_and_max" if bare.is_some() => {
                self.alloca(args, args.len(), at)
            }
            "frame_address" if bare.is_some() => self.level(Builtin::FrameAddress, args, at),
            "return_address" if bare.is_some() => self.level(Builtin::ReturnAddress, args, at),
            "prefetch" if bare.is_some() => self.plain_builtin(Builtin::Prefetch, Ty::VOID, args, at),
            "assume" if bare.is_some() => self.plain_builtin(Builtin::Assume, Ty::VOID, args, at),
            "assume_aligned" if bare.is_some() => {
                let pointer = self.tree.types.pointer(Ty::VOID);
                self.plain_builtin(Builtin::AssumeAligned, pointer, args, at)
            }
            "add_overflow" if bare.is_some() => self.overflow(Builtin::AddOverflow, args, at),
            "sub_overflow" if bare.is_some() => self.overflow(Builtin::SubOverflow, args, at),
            "mul_overflow" if bare.is_some() => self.overflow(Builtin::MulOverflow, args, at),
            "add_overflow_p" if bare.is_some() => self.overflow(Builtin::AddOverflowP, args, at),
            "sub_overflow_p" if bare.is_some() => self.overflow(Builtin::SubOverflowP, args, at),
            "mul_overflow_p" if bare.is_some() => self.overflow(Builtin::MulOverflowP, args, at),
            "shuffle" if bare.is_some() => self.shuffle(args, at),
            "shufflevector" if bare.is_some() => self.shuffle_vector(args, at),
            "complex" if bare.is_some() => self.complex(args, at),
            "tgmath" if bare.is_some() => self.tgmath(args, at),
            "object_size" | "dynamic_object_size" if bare.is_some() => self.object_size(args, at),
            "clear_padding" if bare.is_some() => {
                self.plain_builtin(Builtin::ClearPadding, Ty::VOID, args, at)
            }
            "speculation_safe_value" if bare.is_some() => self.speculation_safe(args, at),
            "isnan" | "isnanf" | "isnanl" => self.float_class(FloatClass::IsNan, args, at),
            "isinf" | "isinff" | "isinfl" => self.float_class(FloatClass::IsInf, args, at),
            "isinf_sign" if bare.is_some() => self.float_class(FloatClass::IsInfSign, args, at),
            "isfinite" | "finite" | "finitef" | "finitel" => self.float_class(FloatClass::IsFinite, args, at),
            "isnormal" => self.float_class(FloatClass::IsNormal, args, at),
            "signbit" | "signbitf" | "signbitl" => self.float_class(FloatClass::SignBit, args, at),
            "isless" => self.quiet(QuietRel::Less, args, at),
            "islessequal" => self.quiet(QuietRel::LessEqual, args, at),
            "isgreater" => self.quiet(QuietRel::Greater, args, at),
            "isgreaterequal" => self.quiet(QuietRel::GreaterEqual, args, at),
            "islessgreater" => self.quiet(QuietRel::LessGreater, args, at),
            "isunordered" => self.quiet(QuietRel::Unordered, args, at),
            "fpclassify" if bare.is_some() => self.fpclassify(args, at),
            "setjmp" | "_setjmp" | "__setjmp" | "sigsetjmp" | "__sigsetjmp" => {
                let library = bare.is_none();
                if let (0, true, Some(state)) = (self.unevaluated, library, self.functions.last_mut()) {
                    state.setjmp = true;
                }
                self.plain_builtin(Builtin::Setjmp(library), Ty::INT, args, at)
            }
            "longjmp" | "_longjmp" | "siglongjmp" => self.plain_builtin(Builtin::Longjmp, Ty::VOID, args, at),
            "apply_args" | "apply" if bare.is_some() => {
                let pointer = self.tree.types.pointer(Ty::VOID);
                self.plain_builtin(Builtin::Apply, pointer, args, at)
            }
            "return" if bare.is_some() => self.plain_builtin(Builtin::Apply, Ty::VOID, args, at),
            _ => return None,
        })
    }

    /// Reports a wrong number of arguments.
    pub(super) fn count(&mut self, args: &[ast::ExprId], least: usize, most: usize, at: At) -> bool {
        let right = (least..=most).contains(&args.len());
        if !right {
            let found = args.len();
            self.error(at.span, format!("the builtin takes {least} to {most} arguments, found {found}"));
        }
        right
    }

    fn nullary(&mut self, builtin: Builtin, ty: Ty, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 0, 0, at) {
            return self.poison(at);
        }
        self.push(ExprKind::Builtin(builtin, Vec::new()), ty, at)
    }

    /// Operands as written, promoted.
    fn plain_builtin(&mut self, builtin: Builtin, ty: Ty, args: &[ast::ExprId], at: At) -> ExprId {
        let args = args
            .iter()
            .map(|&arg| {
                let value = self.rvalue(arg);
                self.promote_argument(value)
            })
            .collect();
        self.push(ExprKind::Builtin(builtin, args), ty, at)
    }

    fn first(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 1, 2, at) {
            return self.poison(at);
        }
        self.rvalue(args[0])
    }

    /// The first operand, after both are evaluated.
    fn speculation_safe(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        let value = self.first(args, at);
        let Some(&other) = args.get(1) else { return value };
        let (other, ty) = (self.rvalue(other), self.ty(value));
        self.push(ExprKind::Comma(other, value), ty, at)
    }

    fn va_start(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 1, 2, at) {
            return self.poison(at);
        }
        if let Some(&last) = args.get(1) {
            self.unevaluated += 1;
            self.expr(last);
            self.unevaluated -= 1;
        }
        let list = self.va_list(args[0]);
        let Some(state) = self.functions.last() else {
            return self.error_expr(at, "va_start outside of a function");
        };
        let (own, ast) = (&self.tree.functions[state.id.index()], self.ast);
        let declared = match &ast[ast[state.definition].ty].kind {
            TypeKind::Function { params: Params::Prototype { params, variadic }, .. } => {
                Some((params, *variadic))
            }
            // A definition of the old style takes whatever is passed.
            _ => None,
        };
        if declared.is_some_and(|(_, variadic)| !variadic) {
            return self.error_expr(at, "va_start in a function with a fixed number of arguments");
        }
        // Of a type that the default argument promotions change?
        let types = &self.tree.types;
        let changes = |ty: Ty| match types.kind(ty) {
            TyKind::Float(kind) => *kind == FloatKind::Float,
            _ => types.int_kind(ty).is_some_and(|kind| kind < IntKind::Int),
        };
        let named = args.get(1).and_then(|last| match ast[*last].kind {
            ast::ExprKind::Ident(name) => Some(name),
            _ => None,
        });
        let last = declared
            .and_then(|(params, _)| params.last())
            .filter(|last| named.is_some() && last.name == named);
        let unfit = last.is_some_and(|last| {
            let object = own.params.last().map(|object| self.tree.objects[object.index()].ty.ty);
            last.storage.has(ast::Storage::REGISTER) || object.is_some_and(changes)
        });
        let builtin = if unfit { Builtin::VaStartPromoted } else { Builtin::VaStart };
        self.push(ExprKind::Builtin(builtin, vec![list]), Ty::VOID, at)
    }

    fn va_op(&mut self, builtin: Builtin, args: &[ast::ExprId], count: usize, at: At) -> ExprId {
        if !self.count(args, count, count, at) {
            return self.poison(at);
        }
        let lists = args.iter().map(|&a| self.va_list(a)).collect();
        self.push(ExprKind::Builtin(builtin, lists), Ty::VOID, at)
    }

    fn constant_p(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 1, 1, at) {
            return self.poison(at);
        }
        self.unevaluated += 1;
        let value = self.rvalue(args[0]);
        self.unevaluated -= 1;
        let string =
            matches!(*self.kind(value), ExprKind::Decay(s) if matches!(self.kind(s), ExprKind::Str(_)));
        if self.const_of(value).is_some() || string {
            return self.int_const(1, Ty::INT, at);
        }
        // Where a constant is needed it is one.
        let unknown = self.push(ExprKind::Builtin(Builtin::ConstantP, Vec::new()), Ty::INT, at);
        self.set_const(unknown, Const::Int(0));
        unknown
    }

    fn expect(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 2, 3, at) {
            return self.poison(at);
        }
        // The hints are evaluated like any argument; constants leave nothing behind.
        let hints: Vec<ExprId> = args[1..].iter().map(|hint| self.rvalue(*hint)).collect();
        let mut value = self.arg_as(args[0], Ty::LONG);
        for hint in hints.into_iter().rev() {
            if self.const_of(hint).is_none() {
                let ty = self.ty(value);
                value = self.push(ExprKind::Comma(hint, value), ty, at);
            }
        }
        value
    }

    /// Type classes as gcc's `typeclass.h` numbers them.
    fn classify_type(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 1, 1, at) {
            return self.poison(at);
        }
        self.unevaluated += 1;
        let value = self.rvalue(args[0]);
        self.unevaluated -= 1;
        let class: u128 = match self.tykind(self.ty(value)) {
            TyKind::Void => 0,
            TyKind::Int(_) | TyKind::Enum(_) => 1,
            TyKind::Pointer(_) | TyKind::VaList => 5,
            TyKind::Float(_) => 8,
            TyKind::Complex(_) => 9,
            TyKind::Function(_) => 10,
            TyKind::Record(id) => {
                if self.types().records[id.0 as usize].is_union {
                    13
                } else {
                    12
                }
            }
            TyKind::Array(..) => 14,
            TyKind::Vector(..) => 19,
        };
        self.int_const(class, Ty::INT, at)
    }

    fn alloca(&mut self, args: &[ast::ExprId], count: usize, at: At) -> ExprId {
        if !self.count(args, count.max(1), count.max(1), at) {
            return self.poison(at);
        }
        let size_t = self.types().size_t();
        let pointer = self.tree.types.pointer(Ty::VOID);
        let args = args.iter().map(|&a| self.arg_as(a, size_t)).collect();
        self.push(ExprKind::Builtin(Builtin::Alloca, args), pointer, at)
    }

    fn level(&mut self, builtin: Builtin, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 1, 1, at) {
            return self.poison(at);
        }
        let pointer = self.tree.types.pointer(Ty::VOID);
        let level = self.arg_as(args[0], Ty::UINT);
        self.push(ExprKind::Builtin(builtin, vec![level]), pointer, at)
    }

    fn overflow(&mut self, builtin: Builtin, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 3, 3, at) {
            return self.poison(at);
        }
        let values: Vec<ExprId> = args.iter().map(|&a| self.rvalue(a)).collect();
        if values.iter().any(|&v| self.is_poison(v)) {
            return self.poison(at);
        }
        let tests = matches!(builtin, Builtin::AddOverflowP | Builtin::SubOverflowP | Builtin::MulOverflowP);
        let result = self.ty(values[2]);
        let result = if tests { Some(result) } else { self.pointee(result).map(|to| to.ty) };
        let integers = values[..2].iter().all(|&v| self.is_integer(self.ty(v)));
        if !integers || !result.is_some_and(|r| self.is_integer(r)) {
            return self.error_expr(at, "overflow builtins take two integers and an integer result");
        }
        if tests && self.facts[values[2].index()].narrow != 0 {
            self.unsupported(at.span, "an overflow builtin that is asked for the width of a bit-field");
            return self.poison(at);
        }
        let id = self.push(ExprKind::Builtin(builtin, values.clone()), Ty::BOOL, at);
        if tests {
            self.fold_overflow(id, builtin, &values);
        }
        id
    }

    /// `__builtin_add_overflow_p` and its kin on constants.
    fn fold_overflow(&mut self, id: ExprId, builtin: Builtin, values: &[ExprId]) {
        let (Some(a), Some(b)) = (self.signed_of(values[0]), self.signed_of(values[1])) else { return };
        let result = match builtin {
            Builtin::AddOverflowP => a.checked_add(b),
            Builtin::SubOverflowP => a.checked_sub(b),
            Builtin::MulOverflowP => a.checked_mul(b),
            _ => return,
        };
        let ty = self.ty(values[2]);
        let overflows = match result {
            Some(value) => self.extend(self.truncate(value as u128, ty), ty) != value,
            None => true,
        };
        self.set_const(id, super::fold::Const::Int(overflows.into()));
    }

    fn shuffle(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 2, 3, at) {
            return self.poison(at);
        }
        let values: Vec<ExprId> = args.iter().map(|&a| self.rvalue(a)).collect();
        let ty = self.plain(self.ty(values[0]));
        if !values.iter().all(|&v| self.is_vector(self.ty(v))) {
            return self.error_expr(at, "__builtin_shuffle takes vectors");
        }
        self.push(ExprKind::Builtin(Builtin::Shuffle, values), ty, at)
    }

    fn shuffle_vector(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        let mut values: Vec<ExprId> = args.iter().map(|&a| self.rvalue(a)).collect();
        let vectors: Vec<(Ty, u32)> = values
            .iter()
            .take(2)
            .filter_map(|&v| match *self.tykind(self.ty(v)) {
                TyKind::Vector(elem, count) => Some((elem, count)),
                _ => None,
            })
            .collect();
        let (&[(elem, first), (other, second)], true) = (&vectors[..], values.len() > 2) else {
            return self.error_expr(at, "__builtin_shufflevector takes two vectors and indices");
        };
        if elem != other {
            return self
                .error_expr(at, "the vectors of __builtin_shufflevector must have elements of one type");
        }
        let last = i128::from(first) + i128::from(second) - 1;
        for value in &mut values[2..] {
            match self.signed_of(*value) {
                None => {
                    return self.error_expr(at, "the indices of __builtin_shufflevector must be constant");
                }
                Some(index) if index < -1 || index > last => {
                    return self.error_expr(at, "an index of __builtin_shufflevector is beyond both vectors");
                }
                Some(index) => *value = self.int_const(index as u128, Ty::INT, at),
            }
        }
        let ty = self.tree.types.intern(TyKind::Vector(elem, values.len() as u32 - 2));
        self.push(ExprKind::Builtin(Builtin::ShuffleVector, values), ty, at)
    }

    fn complex(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 2, 2, at) {
            return self.poison(at);
        }
        let (a, b) = (self.rvalue(args[0]), self.rvalue(args[1]));
        let (ta, tb) = (self.ty(a), self.ty(b));
        if !self.is_float(ta) || !self.compatible(ta, tb) {
            return self.error_expr(at, "__builtin_complex takes two values of one floating type");
        }
        let elem = self.plain(ta);
        let (a, b) = (self.coerce(a, elem), self.coerce(b, elem));
        let ty = self.tree.types.intern(TyKind::Complex(elem));
        self.push(ExprKind::Complex(a, b), ty, at)
    }

    fn object_size(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 2, 2, at) {
            return self.poison(at);
        }
        let pointer = self.rvalue(args[0]);
        let kind = self.arg_as(args[1], Ty::INT);
        let ty = self.types().size_t();
        self.push(ExprKind::Builtin(Builtin::ObjectSize, vec![pointer, kind]), ty, at)
    }

    fn float_operand(&mut self, arg: ast::ExprId) -> Option<ExprId> {
        let value = self.rvalue(arg);
        if self.is_float(self.ty(value)) || self.is_poison(value) {
            return Some(value);
        }
        if self.is_integer(self.ty(value)) {
            return Some(self.coerce(value, Ty::DOUBLE));
        }
        None
    }

    fn float_class(&mut self, class: FloatClass, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 1, 1, at) {
            return self.poison(at);
        }
        match self.float_operand(args[0]) {
            Some(value) => self.push(ExprKind::Builtin(Builtin::FloatClass(class), vec![value]), Ty::INT, at),
            None => self.error_expr(at, "floating classification takes a floating value"),
        }
    }

    fn quiet(&mut self, rel: QuietRel, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 2, 2, at) {
            return self.poison(at);
        }
        let (a, b) = (self.rvalue(args[0]), self.rvalue(args[1]));
        if !self.is_real(self.ty(a)) || !self.is_real(self.ty(b)) {
            return self.error_expr(at, "floating comparisons take real values");
        }
        let (a, b, _) = self.usual(a, b);
        self.push(ExprKind::Builtin(Builtin::QuietCompare(rel), vec![a, b]), Ty::INT, at)
    }

    fn fpclassify(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        if !self.count(args, 6, 6, at) {
            return self.poison(at);
        }
        let mut values: Vec<ExprId> = args[..5].iter().map(|&a| self.arg_as(a, Ty::INT)).collect();
        match self.float_operand(args[5]) {
            Some(value) => values.push(value),
            None => return self.error_expr(at, "__builtin_fpclassify takes a floating value"),
        }
        self.push(ExprKind::Builtin(Builtin::FpClassify, values), Ty::INT, at)
    }
}
