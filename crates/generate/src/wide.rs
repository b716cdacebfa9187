//! `__int128`: everything that could overflow is done without sign, where it wraps.

use crate::builder::{Ex, Gen};
use crate::flow::{Flow, Node, NodeId};
use crate::lvalue::{Use, Want};
use crate::model::{IntTy, Range, TyDef, TyId};
use csyntax::ast::{BinOp, ExprKind, UnOp};

impl Gen<'_> {
    fn wide_ex(&mut self, kind: ExprKind, signed: bool, node: NodeId) -> Ex {
        let id = self.e(kind);
        let ty = self.model.intern(TyDef::Wide(signed));
        Ex { id, ty, range: Range::one(0), node, val: Flow::NUMBER, bits: false }
    }

    fn is_signed(&self, ex: &Ex) -> bool {
        self.model.def(ex.ty) == TyDef::Wide(true)
    }

    /// The value in the type with or without sign.
    pub(crate) fn wide_as(&mut self, ex: Ex, signed: bool) -> Ex {
        if self.is_signed(&ex) == signed {
            return ex;
        }
        let ty = self.model.intern(TyDef::Wide(signed));
        let id = self.cast(ty, ex.id);
        Ex { id, ty, ..ex }
    }

    /// A constant that `long long` holds.
    pub(crate) fn wide_constant(&mut self, ty: TyId) -> Ex {
        let int = if self.model.def(ty) == TyDef::Wide(true) { IntTy::I64 } else { IntTy::U64 };
        let value = self.interesting(int);
        let ex = self.int_const(value, int);
        Ex { ty, ..ex }
    }

    /// An integer as an `__int128`.
    fn wide_from(&mut self, ex: Ex) -> Ex {
        let signed = self.choices.percent(50);
        let ty = self.model.intern(TyDef::Wide(signed));
        let kind = ExprKind::Cast(self.type_name(ty), ex.id);
        self.wide_ex(kind, signed, ex.node)
    }

    fn wide_leaf(&mut self) -> Ex {
        if self.choices.percent(60)
            && let Some(lv) = self.find(Want::Wide, Use::Read)
        {
            return self.loaded(&lv);
        }
        let ex = self.int_leaf();
        self.wide_from(ex)
    }

    /// An expression of either type.
    pub(crate) fn wide_expr(&mut self, ops: u32) -> Ex {
        if ops == 0 || self.choices.exhausted() {
            return self.wide_leaf();
        }
        match self.choices.weighted(&[60, 12, 10, 10]).unwrap_or(0) {
            1 => {
                let ex = self.wide_expr(ops - 1);
                let ex = self.wide_as(ex, false);
                let op = self.choices.pick(&[UnOp::Minus, UnOp::BitNot]);
                self.wide_ex(ExprKind::Unary(op, ex.id), false, ex.node)
            }
            2 => {
                let ex = self.int_expr(ops - 1);
                self.wide_from(ex)
            }
            3 => {
                let cond = self.int_expr(1);
                let (yes, no) = (self.wide_expr(ops - 1), self.wide_expr(ops - 1));
                let signed = self.is_signed(&yes) && self.is_signed(&no);
                let node = self.flow.node(Node::Cond(cond.node, yes.node, no.node));
                self.wide_ex(ExprKind::Cond(cond.id, Some(yes.id), no.id), signed, node)
            }
            _ => self.wide_binary(ops - 1),
        }
    }

    fn wide_binary(&mut self, ops: u32) -> Ex {
        let (left, right) = self.split(ops);
        let a = self.wide_expr(left);
        let op = self.choices.pick(&[
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::And,
            BinOp::Or,
            BinOp::Xor,
            BinOp::Shl,
            BinOp::Shr,
            BinOp::Div,
            BinOp::Rem,
        ]);
        match op {
            BinOp::Shl | BinOp::Shr => {
                let a = self.wide_as(a, false);
                let count = self.int_expr(right.min(2));
                let mask = self.number(127);
                let count_id = self.e(ExprKind::Binary(BinOp::And, count.id, mask));
                let node = self.flow.unseq(&[a.node, count.node]);
                self.wide_ex(ExprKind::Binary(op, a.id, count_id), false, node)
            }
            BinOp::Div | BinOp::Rem if self.is_signed(&a) => {
                // A small positive divisor can be neither 0 nor -1.
                let by = self.int_expr(right.min(2));
                let mask = self.number(0xff);
                let masked = self.e(ExprKind::Binary(BinOp::And, by.id, mask));
                let one = self.number(1);
                let by_id = self.e(ExprKind::Binary(BinOp::Add, masked, one));
                let node = self.flow.unseq(&[a.node, by.node]);
                self.wide_ex(ExprKind::Binary(op, a.id, by_id), true, node)
            }
            BinOp::Div | BinOp::Rem => {
                let b = self.wide_expr(right);
                let b = self.wide_as(b, false);
                let one = self.number(1);
                let odd = self.e(ExprKind::Binary(BinOp::Or, b.id, one));
                let node = self.flow.unseq(&[a.node, b.node]);
                self.wide_ex(ExprKind::Binary(op, a.id, odd), false, node)
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                let a = self.wide_as(a, false);
                let b = self.wide_expr(right);
                let node = self.flow.unseq(&[a.node, b.node]);
                self.wide_ex(ExprKind::Binary(op, a.id, b.id), false, node)
            }
            BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Lt
            | BinOp::Gt
            | BinOp::Le
            | BinOp::Ge
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::LogAnd
            | BinOp::LogOr => {
                let b = self.wide_expr(right);
                let signed = self.is_signed(&a) && self.is_signed(&b);
                let node = self.flow.unseq(&[a.node, b.node]);
                self.wide_ex(ExprKind::Binary(op, a.id, b.id), signed, node)
            }
        }
    }
}
