//! The statements of the functions that sweeps call: locals, updates of variables of file scope, branches, switches.

use super::sweep_terms::{Known, Terms};
use crate::builder::Ex;
use crate::model::{IntTy, Qualified};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprKind, Quals, StmtId, StmtKind, Storage, UnOp};

impl Terms<'_, '_> {
    /// The whole body: statements, then all that was computed.
    pub fn body(&mut self, ret: IntTy) -> StmtId {
        let params = self.known.len();
        let count = self.gen_.choices.range(5, 14);
        let mut all = Vec::new();
        for _ in 0..count {
            match self.gen_.choices.weighted(&[46, 24, 18, 8, 4]).unwrap_or(0) {
                1 => all.push(self.update()),
                2 => all.push(self.branch()),
                3 => all.push(self.switch()),
                4 => all.push(self.early(ret)),
                _ => all.push(self.local()),
            }
        }
        let value = self.sum(params, ret);
        all.push(self.gen_.s(StmtKind::Return(Some(value.id))));
        self.gen_.s(StmtKind::Compound(all))
    }

    fn expr_stmt(&mut self, kind: ExprKind) -> StmtId {
        let id = self.gen_.e(kind);
        self.gen_.s(StmtKind::Expr(id))
    }

    /// `T v = e;`
    fn local(&mut self) -> StmtId {
        let int = self.gen_.random_int();
        let depth = self.gen_.choices.range(1, 3);
        let value = self.value(depth);
        let name = self.gen_.numbered("v", self.known.len() as u32);
        let ty = self.gen_.int_ty(int);
        let written = self.gen_.written(Qualified { ty, quals: Quals::NONE });
        let init = self.gen_.init_expr(value.id);
        let decl = self.gen_.declaration(Storage::NONE, written, name, Some(init));
        self.known.push(Known { name, index: None, int });
        self.gen_.s(StmtKind::Decl(decl))
    }

    /// A variable that can be written: of file scope, or a local behind the parameters.
    fn target(&mut self) -> Known {
        let lens = [self.sinks.len(), self.states.len(), self.known.len()];
        let weights = [0, 1, 2].map(|n| if lens[n] > 0 { [50, 15, 25][n] } else { 0 });
        match self.gen_.choices.weighted(&weights).unwrap_or(2) {
            0 => self.gen_.choices.pick(&self.sinks),
            1 => self.gen_.choices.pick(&self.states),
            _ => self.gen_.choices.pick(&self.known),
        }
    }

    /// `x op= e;`, `x++;`, `x = 0;`
    fn update(&mut self) -> StmtId {
        let to = self.target();
        let compound = self.gen_.on(Switch::CompoundAssignment);
        let wraps = to.int.bits() < 32 || !to.int.signed();
        match self.gen_.choices.weighted(&[30, 34, 20, 16]).unwrap_or(0) {
            1 if compound => {
                let value = self.value(1);
                let value = self.gen_.convert(value, to.int);
                let mut ops = vec![BinOp::Xor, BinOp::Xor, BinOp::And, BinOp::Or];
                if wraps {
                    ops.extend([BinOp::Add, BinOp::Sub]);
                }
                let op = self.gen_.choices.pick(&ops);
                let left = self.gen_.ident(to.name);
                self.expr_stmt(ExprKind::Assign(Some(op), left, value.id))
            }
            2 if wraps => {
                let left = self.gen_.ident(to.name);
                let on = |switch, op| self.gen_.on(switch).then_some(op);
                let up = on(Switch::PostIncr, UnOp::PostInc).or(on(Switch::PreIncr, UnOp::PreInc));
                let down = on(Switch::PostDecr, UnOp::PostDec).or(on(Switch::PreDecr, UnOp::PreDec));
                let op = if self.gen_.choices.percent(50) { up } else { down };
                match op {
                    Some(op) => self.expr_stmt(ExprKind::Unary(op, left)),
                    None => self.store(to, 1),
                }
            }
            3 => {
                let value = self.gen_.choices.pick(&[0i128, 1, 0, -1, 1, 2]);
                let value = self.gen_.wrap(value, to.int);
                let value = self.gen_.int_const(value, to.int);
                let left = self.gen_.ident(to.name);
                self.expr_stmt(ExprKind::Assign(None, left, value.id))
            }
            _ => self.store(to, 2),
        }
    }

    /// `x = e;`
    fn store(&mut self, to: Known, depth: u32) -> StmtId {
        let value = self.value(depth);
        let left = self.gen_.ident(to.name);
        self.expr_stmt(ExprKind::Assign(None, left, value.id))
    }

    fn some_updates(&mut self) -> StmtId {
        let count = self.gen_.choices.range(1, 2);
        let all = (0..count).map(|_| self.update()).collect();
        self.gen_.s(StmtKind::Compound(all))
    }

    /// `if (c) { ... } else { ... }`
    fn branch(&mut self) -> StmtId {
        let cond = self.condition(1);
        let then = self.some_updates();
        let otherwise = self.gen_.choices.percent(50).then(|| self.some_updates());
        self.gen_.s(StmtKind::If(cond.id, then, otherwise))
    }

    /// `if (c) return e;`, of one pair of operands in a few.
    fn early(&mut self, ret: IntTy) -> StmtId {
        let (left, right) = (self.one(), self.one());
        let (a, edge) = (self.read(left), self.constant(left.int));
        let first = self.gen_.binary(BinOp::Eq, a, edge);
        let (b, edge) = (self.read(right), self.constant(right.int));
        let op = self.gen_.choices.pick(&super::sweep_terms::RELATIONS);
        let second = self.gen_.binary(op, b, edge);
        let cond = self.gen_.binary(BinOp::LogAnd, first, second);
        let value = self.value(1);
        let value = self.gen_.convert(value, ret);
        let leave = self.gen_.s(StmtKind::Return(Some(value.id)));
        self.gen_.s(StmtKind::If(cond.id, leave, None))
    }

    /// A switch over a few values, all of which come up.
    fn switch(&mut self) -> StmtId {
        let most = self.gen_.choices.pick(&[7u32, 3, 15, 7]);
        let value = self.value(1);
        let mask = self.gen_.int_const(most.into(), IntTy::I32);
        let value = self.gen_.binary(BinOp::And, value, mask);
        // Some values have no label: a test of the range comes first.
        let most = most - self.gen_.choices.pick(&[0u32, 2, 1]);
        let int = self.gen_.int_of(&value).promoted();
        let mut parts = Vec::new();
        let mut next = self.gen_.choices.below(2);
        while next <= most {
            let label = self.gen_.int_const(next.into(), int);
            let last = next + if self.gen_.on(Switch::Gnu) && self.gen_.choices.percent(10) { 2 } else { 0 };
            let high = (last > next).then(|| self.gen_.int_const(last.into(), int).id);
            let update = self.update();
            parts.push(self.gen_.s(StmtKind::Case(label.id, high, update)));
            if self.gen_.choices.percent(80) {
                parts.push(self.gen_.s(StmtKind::Break));
            }
            next = last + 1 + u32::from(self.gen_.choices.percent(15));
        }
        if self.gen_.choices.percent(50) {
            let update = self.update();
            parts.push(self.gen_.s(StmtKind::Default(update)));
        }
        let body = self.gen_.s(StmtKind::Compound(parts));
        self.gen_.s(StmtKind::Switch(value.id, body))
    }

    /// Every local, each with a factor of its own, so that none is lost.
    fn sum(&mut self, params: usize, ret: IntTy) -> Ex {
        let int = ret.unsigned();
        let value = self.value(2);
        let mut all = self.gen_.convert(value, int);
        for at in params..self.known.len() {
            let known = self.known[at];
            let ex = self.read(known);
            let ex = self.gen_.convert(ex, int);
            let by = self.gen_.choices.pick(&[3i128, 5, 9, 17, 31, 33, 7, 11]);
            let by = self.gen_.int_const(by, int);
            let scaled = self.gen_.binary(BinOp::Mul, all, by);
            let op = self.gen_.choices.pick(&[BinOp::Add, BinOp::Xor, BinOp::Sub]);
            all = self.gen_.binary(op, scaled, ex);
        }
        if int == ret { all } else { self.gen_.convert(all, ret) }
    }
}
