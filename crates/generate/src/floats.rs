//! Floating point without rounding: every value is an integer that its type holds exactly, so that no evaluation
//! method, contraction or reassociation can change a result.

use crate::arith;
use crate::builder::{Ex, Gen};
use crate::flow::{Flow, Node};
use crate::lvalue::{Use, Want};
use crate::model::{FloatTy, IntTy, Range, TyDef, TyId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, FloatSuffix, FloatSuffixKind, UnOp};

/// What a floating object holds is at most this far from 0.
pub(crate) const LIMIT: i128 = 1 << 20;

/// Values of floating objects.
pub(crate) const HELD: Range = Range { lo: -LIMIT, hi: LIMIT };

fn exact(ty: FloatTy) -> Range {
    let most = 1i128 << ty.digits();
    Range { lo: -most, hi: most }
}

impl Gen<'_> {
    /// The floating type of an expression.
    pub(crate) fn float_of(&self, ty: TyId) -> FloatTy {
        match self.model.def(ty) {
            TyDef::Float(float) => float,
            TyDef::Void
            | TyDef::Int(_)
            | TyDef::Pointer(_)
            | TyDef::Record(_)
            | TyDef::Wide(_)
            | TyDef::Vector(..)
            | TyDef::Enum(_) => FloatTy::Double,
        }
    }

    fn random_float_ty(&mut self) -> FloatTy {
        let long = self.on(Switch::LongDouble) && self.choices.percent(20);
        if long { FloatTy::Long } else { self.choices.pick(&[FloatTy::Double, FloatTy::Float]) }
    }

    /// The type of arithmetic between two (6.3.1.8).
    fn common(&self, a: &Ex, b: &Ex) -> FloatTy {
        match (self.float_of(a.ty), self.float_of(b.ty)) {
            (FloatTy::Long, _) | (_, FloatTy::Long) => FloatTy::Long,
            (FloatTy::Float, FloatTy::Float) => FloatTy::Float,
            (FloatTy::Double | FloatTy::Float, FloatTy::Double | FloatTy::Float) => FloatTy::Double,
        }
    }

    /// A floating type.
    pub(crate) fn random_float(&mut self) -> TyId {
        let float = self.random_float_ty();
        self.model.intern(TyDef::Float(float))
    }

    /// A floating constant.
    pub(crate) fn float_literal(&mut self, value: u32, ty: FloatTy) -> ExprId {
        let text = match self.choices.below(3) {
            1 => format!("{value}.00"),
            2 if value < 1 << 16 => format!("0x{value:x}p0"),
            _ => format!("{value}.0"),
        };
        let text = self.name(&text);
        let kind = match ty {
            FloatTy::Float => FloatSuffixKind::Float,
            FloatTy::Double => FloatSuffixKind::Double,
            FloatTy::Long => FloatSuffixKind::LongDouble,
        };
        self.e(ExprKind::Float { text, suffix: FloatSuffix { kind, imaginary: false } })
    }

    fn float_ex(&mut self, kind: ExprKind, ty: FloatTy, range: Range, node: crate::flow::NodeId) -> Ex {
        let id = self.e(kind);
        let ty = self.model.intern(TyDef::Float(ty));
        Ex { id, ty, range, node, val: Flow::NUMBER, bits: false }
    }

    /// A floating expression.
    pub(crate) fn float_expr(&mut self, ops: u32) -> Ex {
        if ops == 0 || self.choices.exhausted() {
            return self.float_leaf();
        }
        match self.choices.weighted(&[60, 12, 10]).unwrap_or(0) {
            1 => {
                let a = self.float_expr(ops - 1);
                let range = Range { lo: -a.range.hi, hi: -a.range.lo };
                let ty = self.float_of(a.ty);
                self.float_ex(ExprKind::Unary(UnOp::Minus, a.id), ty, range, a.node)
            }
            2 => {
                let cond = self.int_expr(1);
                let (yes, no) = (self.float_expr(ops - 1), self.float_expr(ops - 1));
                let ty = self.common(&yes, &no);
                let node = self.flow.node(Node::Cond(cond.node, yes.node, no.node));
                let range = yes.range.union(no.range);
                self.float_ex(ExprKind::Cond(cond.id, Some(yes.id), no.id), ty, range, node)
            }
            _ => {
                let (left, right) = self.split(ops - 1);
                let (a, b) = (self.float_expr(left), self.float_expr(right));
                self.float_binary(a, b)
            }
        }
    }

    fn float_binary(&mut self, a: Ex, b: Ex) -> Ex {
        let ty = self.common(&a, &b);
        let op = self.choices.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Mul]);
        let node = self.flow.unseq(&[a.node, b.node]);
        for op in [op, BinOp::Add] {
            let range = arith::exact(op, a.range, b.range).filter(|r| r.within(exact(ty)));
            if let Some(range) = range {
                return self.float_ex(ExprKind::Binary(op, a.id, b.id), ty, range, node);
            }
        }
        a
    }

    fn float_leaf(&mut self) -> Ex {
        match self.choices.weighted(&[20, 55, 25]).unwrap_or(0) {
            1 => {
                if let Some(lv) = self.find(Want::Float, Use::Read) {
                    return self.loaded(&lv);
                }
            }
            2 => {
                let float = self.random_float_ty();
                let ex = self.int_leaf();
                return self.float_from(ex, float);
            }
            _ => {}
        }
        let float = self.random_float_ty();
        let value = self.choices.pick(&[1u32, 0, 2, 3, 4, 7, 10, 16, 100, 255, 1000, 65535]);
        let id = self.float_literal(value, float);
        let ty = self.model.intern(TyDef::Float(float));
        Ex { id, ty, range: Range::one(value.into()), node: Flow::NOP, val: Flow::NUMBER, bits: false }
    }

    /// An integer as a floating value, made small where it may be large.
    pub(crate) fn float_from(&mut self, mut ex: Ex, float: FloatTy) -> Ex {
        if !ex.range.within(HELD) {
            let mask = self.choices.pick(&[0xffi128, 0xf, 0xfff, 0x7fff]);
            let mask = self.int_const(mask, IntTy::I32);
            ex = self.binary(BinOp::And, ex, mask);
        }
        let ty = self.model.intern(TyDef::Float(float));
        let id = self.cast(ty, ex.id);
        Ex { id, ty, range: ex.range, node: ex.node, val: Flow::NUMBER, bits: false }
    }

    /// A floating value as an integer.
    pub(crate) fn int_from(&mut self, ex: Ex) -> Ex {
        let int = if ex.range.within(IntTy::I32.range()) { IntTy::I32 } else { IntTy::I64 };
        self.convert(ex, int)
    }

    /// A floating value that an object can hold.
    pub(crate) fn float_held(&mut self, ex: Ex) -> Ex {
        if ex.range.within(HELD) {
            return ex;
        }
        let float = self.float_of(ex.ty);
        let int = self.int_from(ex);
        self.float_from(int, float)
    }
}
