//! Calls.

use super::convert::Purpose;
use super::scope::Entity;
use super::{At, Checker, builtin_table};
use crate::ast;
use crate::intern::Symbol;
use crate::source::Span;
use crate::tree::{ExprId, ExprKind, FnId};
use crate::types::{FnTy, Ty, TyKind};

/// Builtins of one processor.
fn is_target_builtin(name: &str) -> bool {
    name.strip_prefix("__builtin_").is_some_and(|rest| {
        ["ia32_", "aarch64_", "arm_", "neon_", "altivec_", "vsx_", "s390_", "riscv_"]
            .iter()
            .any(|p| rest.starts_with(p))
    })
}

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: ast::ExprId, args: &[ast::ExprId], at: At) -> ExprId {
        let target = match self.ast[callee].kind {
            ast::ExprKind::Ident(name) => match self.call_by_name(name, callee, args, at) {
                Ok(done) => return done,
                Err(target) => target,
            },
            _ => self.expr(callee),
        };
        let pointer = self.value(target);
        let ty = self.pointee(self.ty(pointer)).map(|to| self.tykind(to.ty).clone());
        let Some(TyKind::Function(fn_ty)) = ty else {
            for &arg in args {
                self.rvalue(arg);
            }
            if self.is_poison(pointer) {
                return self.poison(at);
            }
            let text = self.show(self.ty(pointer));
            return self.error_expr(at, format!("expected a function to call, found '{text}'"));
        };
        let (pointer, fn_ty) = self.implicit_shape(pointer, fn_ty, args.len());
        let args = self.arguments(&fn_ty, args, at);
        let ret = self.plain(fn_ty.ret.ty);
        if !self.is_void(ret) && !self.is_complete(ret) {
            let text = self.show(ret);
            return self.error_expr(at, format!("the function returns the incomplete type '{text}'"));
        }
        let call = self.push(ExprKind::Call(pointer, args), ret, at);
        self.fold_call(call);
        call
    }

    /// A call of a processor's builtin gets the type that its place wants: headers of intrinsics cast or return
    /// them at once. No definition exists, so running it is what is not supported, not reading it.
    pub(super) fn retyped_call(&mut self, value: ExprId, to: Ty) -> Option<ExprId> {
        let ExprKind::Call(callee, args) = self.kind(value) else { return None };
        let ExprKind::AddrOf(function) = *self.kind(*callee) else { return None };
        let ExprKind::Function(id) = *self.kind(function) else { return None };
        let function = &self.tree.functions[id.index()];
        if !function.implicit || self.ty(value) != Ty::INT || !is_target_builtin(self.name(function.name)) {
            return None;
        }
        let (name, args, at) = (function.name, args.clone(), self.at_of(value));
        Some(self.unknown_call(name, to, args, at))
    }

    /// A call of a function that has no known prototype and returns `ret`.
    fn unknown_call(&mut self, name: Symbol, ret: Ty, args: Vec<ExprId>, at: At) -> ExprId {
        let fn_ty = FnTy { ret: ret.into(), params: Vec::new(), variadic: false, prototype: false };
        let ty = self.tree.types.intern(TyKind::Function(fn_ty));
        let id = self.new_function(name, ty, at.span);
        self.function(id).implicit = true;
        let designator = self.push(ExprKind::Function(id), ty, at);
        let pointer = self.value(designator);
        self.push(ExprKind::Call(pointer, args), ret, at)
    }

    /// Builtins with rules of their own are done here; otherwise the function designator.
    fn call_by_name(
        &mut self,
        name: Symbol,
        callee: ast::ExprId,
        args: &[ast::ExprId],
        at: At,
    ) -> Result<ExprId, ExprId> {
        let here = self.at(callee);
        match self.scope.lookup(name) {
            Some(Entity::Function(id)) => {
                let declared_only = self.tree.functions[id.index()].body.is_none();
                if declared_only && let Some(done) = self.declared_special(name, args, at) {
                    return Ok(done);
                }
                Err(self.expr(callee))
            }
            Some(_) => Err(self.expr(callee)),
            None => {
                let text = self.name(name).to_string();
                if let Some(done) = self.special_call(&text, args, at) {
                    return Ok(done);
                }
                let id = match self.declare_builtin(name, &text, at.span) {
                    Some(id) => id,
                    None => {
                        if is_target_builtin(&text) {
                            let args = args.iter().map(|&a| self.rvalue(a)).collect();
                            return Ok(self.unknown_call(name, Ty::INT, args, at));
                        }
                        if text.starts_with("__builtin_") {
                            self.unsupported(here.span, format!("the builtin '{text}' is not known"));
                            return Err(self.poison(here));
                        }
                        self.warn(here.span, format!("'{text}' is called without a declaration"));
                        self.implicit_function(name, here.span)
                    }
                };
                let ty = self.tree.functions[id.index()].ty;
                Err(self.push(ExprKind::Function(id), ty, here))
            }
        }
    }

    /// Declares a function that compilers know by its name.
    pub(super) fn declare_builtin(&mut self, name: Symbol, text: &str, span: Span) -> Option<FnId> {
        if let Some(Entity::Function(id)) = self.scope.linked(name) {
            self.scope.bind(name, Entity::Function(id));
            return Some(id);
        }
        let known = builtin_table::lookup(text)?;
        let ty = self.builtin_ty(known);
        let id = self.new_function(name, ty, span);
        let function = self.function(id);
        function.implicit = true;
        function.noreturn = known.noreturn;
        self.scope.link(name, Entity::Function(id));
        self.scope.bind(name, Entity::Function(id));
        Some(id)
    }

    /// gcc gives an undeclared library function that could be `int f()` that type: a call with too few or too many
    /// arguments is no error.
    fn implicit_shape(&mut self, pointer: ExprId, fn_ty: FnTy, count: usize) -> (ExprId, FnTy) {
        let ExprKind::AddrOf(function) = *self.kind(pointer) else { return (pointer, fn_ty) };
        let ExprKind::Function(id) = *self.kind(function) else { return (pointer, fn_ty) };
        let known = &self.tree.functions[id.index()];
        let fits = count == fn_ty.params.len() || !fn_ty.prototype;
        if fits || !known.implicit || self.name(known.name).starts_with("__builtin_") {
            return (pointer, fn_ty);
        }
        let ret = crate::types::QTy::from(Ty::INT);
        let shape = FnTy { ret, params: Vec::new(), variadic: false, prototype: false };
        let made = self.tree.types.intern(TyKind::Function(shape.clone()));
        if !self.compatible(made, self.ty(function)) {
            return (pointer, fn_ty);
        }
        let made = self.tree.types.pointer(made);
        (self.node_convert(pointer, made, crate::tree::Conversion::PtrToPtr, false), shape)
    }

    pub(super) fn arguments(&mut self, fn_ty: &FnTy, args: &[ast::ExprId], at: At) -> Vec<ExprId> {
        let count = fn_ty.params.len();
        if fn_ty.prototype && (args.len() < count || args.len() > count && !fn_ty.variadic) {
            let found = args.len();
            let more = if fn_ty.variadic { "at least " } else { "" };
            self.error(at.span, format!("the function takes {more}{count} arguments, found {found}"));
        }
        let mut made = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            let value = self.rvalue(arg);
            let arg_at = self.at(arg);
            made.push(match fn_ty.params.get(index) {
                Some(&param) => self.assign_convert(value, param, Purpose::Argument, arg_at),
                None => {
                    if self.is_void(self.ty(value)) {
                        self.error_expr(arg_at, "an argument cannot be void")
                    } else {
                        self.promote_argument(value)
                    }
                }
            });
        }
        made
    }

    /// Values of known functions on constants.
    fn fold_call(&mut self, call: ExprId) {
        let ExprKind::Call(callee, args) = self.kind(call) else { return };
        let ExprKind::AddrOf(function) = *self.kind(*callee) else { return };
        let ExprKind::Function(id) = *self.kind(function) else { return };
        let function = &self.tree.functions[id.index()];
        let [arg] = args[..] else { return };
        if function.body.is_some() {
            return;
        }
        let name = self.name(function.name);
        let Some(name) = name.strip_prefix("__builtin_") else {
            if name == "strlen" {
                self.fold_strlen(call, arg);
            }
            return;
        };
        if name == "strlen" {
            return self.fold_strlen(call, arg);
        }
        let Some(value) = self.int_of(arg) else { return };
        let width = self.width(self.ty(arg));
        let signed = self.extend(value, self.ty(arg));
        let leading = |v: u128| v.leading_zeros() - (128 - width);
        let result = match name {
            "clz" | "clzl" | "clzll" if value != 0 => u128::from(leading(value)),
            "ctz" | "ctzl" | "ctzll" if value != 0 => u128::from(value.trailing_zeros()),
            "clrsb" | "clrsbl" | "clrsbll" => {
                let rest = if signed < 0 { self.truncate(!value, self.ty(arg)) } else { value };
                u128::from(leading(rest) - 1)
            }
            "popcount" | "popcountl" | "popcountll" => u128::from(value.count_ones()),
            "parity" | "parityl" | "parityll" => u128::from(value.count_ones() & 1),
            "ffs" | "ffsl" | "ffsll" if value == 0 => 0,
            "ffs" | "ffsl" | "ffsll" => u128::from(value.trailing_zeros() + 1),
            "bswap16" | "bswap32" | "bswap64" | "bswap128" => value.swap_bytes() >> (128 - width),
            "abs" | "labs" | "llabs" => signed.unsigned_abs(),
            _ => return,
        };
        let result = self.truncate(result, self.ty(call));
        self.set_const(call, super::fold::Const::Int(result));
    }

    fn fold_strlen(&mut self, call: ExprId, arg: ExprId) {
        let mut arg = arg;
        while let ExprKind::Convert { value, .. } = *self.kind(arg) {
            arg = value;
        }
        let ExprKind::Decay(place) = *self.kind(arg) else { return };
        let ExprKind::Str(id) = *self.kind(place) else { return };
        let units = &self.tree.strings[id.index()].units;
        let len = units.iter().position(|&u| u == 0).unwrap_or(units.len());
        self.set_const(call, super::fold::Const::Int(len as u128));
    }

    /// The value of an AST argument converted to a type.
    pub(super) fn arg_as(&mut self, arg: ast::ExprId, ty: Ty) -> ExprId {
        let value = self.rvalue(arg);
        let at = self.at(arg);
        self.assign_convert(value, ty.into(), Purpose::Argument, at)
    }
}
