//! Safe arithmetic (thesis section 3.6.4): one static function for each operation and type that a program uses.
//!
//! Where the operation would be undefined, a wrapper returns its first operand.

use crate::builder::Gen;
use crate::model::{IntTy, Qualified, TyDef};
use csyntax::ast::{BinOp, ExprId, ExprKind, Quals, StmtKind, Storage, UnOp};
use csyntax::intern::Symbol;

/// Operations that need a guard.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum SafeOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Neg,
}

/// An operation on a type.
pub(crate) type Wrapper = (SafeOp, IntTy);

impl SafeOp {
    fn name(self) -> &'static str {
        match self {
            SafeOp::Add => "add",
            SafeOp::Sub => "sub",
            SafeOp::Mul => "mul",
            SafeOp::Div => "div",
            SafeOp::Rem => "mod",
            SafeOp::Shl => "shl",
            SafeOp::Shr => "shr",
            SafeOp::Neg => "neg",
        }
    }

    fn op(self) -> Option<BinOp> {
        match self {
            SafeOp::Add => Some(BinOp::Add),
            SafeOp::Sub => Some(BinOp::Sub),
            SafeOp::Mul => Some(BinOp::Mul),
            SafeOp::Div => Some(BinOp::Div),
            SafeOp::Rem => Some(BinOp::Rem),
            SafeOp::Shl => Some(BinOp::Shl),
            SafeOp::Shr => Some(BinOp::Shr),
            SafeOp::Neg => None,
        }
    }
}

/// Evaluations of one call of a wrapper.
pub(crate) const WRAPPER_COST: u64 = 24;

impl Gen<'_> {
    /// The name of a wrapper, which is made at its first use.
    pub(crate) fn wrapper(&mut self, op: SafeOp, ty: IntTy) -> Symbol {
        self.cost += WRAPPER_COST;
        if let Some(&known) = self.wrappers.get(&(op, ty)) {
            return known;
        }
        let name = self.name(&format!("safe_{}_{}", op.name(), ty.short()));
        self.wrappers.insert((op, ty), name);
        let cost = self.cost;
        self.define_wrapper(op, ty, name);
        self.cost = cost;
        name
    }

    fn define_wrapper(&mut self, op: SafeOp, ty: IntTy, name: Symbol) {
        let (a, b) = (self.name("a"), self.name("b"));
        let of = self.model.intern(TyDef::Int(ty));
        let shift = matches!(op, SafeOp::Shl | SafeOp::Shr);
        let second = if shift { self.model.intern(TyDef::Int(IntTy::U32)) } else { of };
        let mut params = vec![self.param(Qualified { ty: of, quals: Quals::NONE }, Some(a))];
        if op != SafeOp::Neg {
            params.push(self.param(Qualified { ty: second, quals: Quals::NONE }, Some(b)));
        }
        let unsafe_if = self.unsafe_when(op, ty, a, b);
        let same = self.ident(a);
        let left = self.ident(a);
        let value = match op.op() {
            Some(op) => {
                let right = self.ident(b);
                self.e(ExprKind::Binary(op, left, right))
            }
            None => self.e(ExprKind::Unary(UnOp::Minus, left)),
        };
        let value = match unsafe_if {
            Some(cond) => self.e(ExprKind::Cond(cond, Some(same), value)),
            None => value,
        };
        let ret = self.s(StmtKind::Return(Some(value)));
        let body = self.s(StmtKind::Compound(vec![ret]));
        let fn_ty = self.function_type(of, params, false);
        let def = self.function(Storage::STATIC, fn_ty, name, body);
        self.wrapper_defs.push(def);
    }

    fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.e(ExprKind::Binary(op, a, b))
    }

    /// `name op literal`
    fn test(&mut self, name: Symbol, op: BinOp, value: i128, ty: IntTy) -> ExprId {
        let (a, b) = (self.ident(name), self.plain(value, ty));
        self.bin(op, a, b)
    }

    /// A decimal literal, without a draw.
    fn plain(&mut self, value: i128, ty: IntTy) -> ExprId {
        let long = if ty.bits() == 64 { 2 } else { 0 };
        let suffix = csyntax::ast::IntSuffix { unsigned: !ty.signed(), long, imaginary: false, bits: false };
        let base = csyntax::ast::IntBase::Dec;
        if value >= 0 {
            return self.e(ExprKind::Int { value: value as u128, suffix, base });
        }
        let least = value == ty.range().lo;
        let magnitude = if least { -(value + 1) } else { -value };
        let digits = self.e(ExprKind::Int { value: magnitude as u128, suffix, base });
        let negative = self.e(ExprKind::Unary(UnOp::Minus, digits));
        if !least {
            return negative;
        }
        let one = self.number(1);
        self.bin(BinOp::Sub, negative, one)
    }

    fn unsafe_when(&mut self, op: SafeOp, ty: IntTy, a: Symbol, b: Symbol) -> Option<ExprId> {
        let (min, max) = (ty.range().lo, ty.range().hi);
        Some(match (op, ty.signed()) {
            (SafeOp::Add | SafeOp::Sub | SafeOp::Mul | SafeOp::Neg, false) => return None,
            (SafeOp::Add | SafeOp::Sub, true) => {
                // b > 0 ? a > MAX - b : a < MIN - b, and mirrored for subtraction
                let (up, down) = if op == SafeOp::Add { (max, min) } else { (min, max) };
                let positive = self.test(b, BinOp::Gt, 0, ty);
                let ends = [(up, BinOp::Gt, BinOp::Lt), (down, BinOp::Lt, BinOp::Gt)];
                let [over, under] = ends.map(|(end, for_add, for_sub)| {
                    let (end, by) = (self.plain(end, ty), self.ident(b));
                    let add = op == SafeOp::Add;
                    let end = self.bin(if add { BinOp::Sub } else { BinOp::Add }, end, by);
                    let left = self.ident(a);
                    self.bin(if add { for_add } else { for_sub }, left, end)
                });
                self.e(ExprKind::Cond(positive, Some(over), under))
            }
            (SafeOp::Mul, true) => self.mul_overflows(ty, a, b),
            (SafeOp::Div | SafeOp::Rem, false) => self.test(b, BinOp::Eq, 0, ty),
            (SafeOp::Div | SafeOp::Rem, true) => {
                let zero = self.test(b, BinOp::Eq, 0, ty);
                let least = self.test(a, BinOp::Eq, min, ty);
                let minus = self.test(b, BinOp::Eq, -1, ty);
                let both = self.bin(BinOp::LogAnd, least, minus);
                self.bin(BinOp::LogOr, zero, both)
            }
            (SafeOp::Shl | SafeOp::Shr, signed) => {
                let wide = self.test(b, BinOp::Ge, ty.bits().into(), IntTy::U32);
                if !signed {
                    return Some(wide);
                }
                let negative = self.test(a, BinOp::Lt, 0, ty);
                let either = self.bin(BinOp::LogOr, negative, wide);
                if op == SafeOp::Shr {
                    return Some(either);
                }
                let (most, by) = (self.plain(max, ty), self.ident(b));
                let most = self.bin(BinOp::Shr, most, by);
                let left = self.ident(a);
                let over = self.bin(BinOp::Gt, left, most);
                self.bin(BinOp::LogOr, either, over)
            }
            (SafeOp::Neg, true) => self.test(a, BinOp::Eq, min, ty),
        })
    }

    fn mul_overflows(&mut self, ty: IntTy, a: Symbol, b: Symbol) -> ExprId {
        let (min, max) = (ty.range().lo, ty.range().hi);
        // a > 0 ? (b > 0 ? a > MAX / b : b < MIN / a) : (b > 0 ? a < MIN / b : a != 0 && b < MAX / a)
        let quotient = |gen_: &mut Self, left: Symbol, op, end, by: Symbol| {
            let (end, by) = (gen_.plain(end, ty), gen_.ident(by));
            let end = gen_.bin(BinOp::Div, end, by);
            let left = gen_.ident(left);
            gen_.bin(op, left, end)
        };
        let both_up = quotient(self, a, BinOp::Gt, max, b);
        let b_down = quotient(self, b, BinOp::Lt, min, a);
        let a_down = quotient(self, a, BinOp::Lt, min, b);
        let both_down = quotient(self, b, BinOp::Lt, max, a);
        let nonzero = self.test(a, BinOp::Ne, 0, ty);
        let both_down = self.bin(BinOp::LogAnd, nonzero, both_down);
        let up = self.test(b, BinOp::Gt, 0, ty);
        let first = self.e(ExprKind::Cond(up, Some(both_up), b_down));
        let up = self.test(b, BinOp::Gt, 0, ty);
        let second = self.e(ExprKind::Cond(up, Some(a_down), both_down));
        let cond = self.test(a, BinOp::Gt, 0, ty);
        self.e(ExprKind::Cond(cond, Some(first), second))
    }
}
