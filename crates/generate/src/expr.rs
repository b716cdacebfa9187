//! Expressions (thesis section 3.4): integers of any type, pointers and records of a given one.

use crate::builder::{Ex, Gen};
use crate::constructs;
use crate::flow::{Flow, Node, Val};
use crate::lvalue::{Use, Want};
use crate::model::{IntTy, Model, Qualified, Range, TyDef, TyId};
use crate::options::Limit;
use csyntax::ast::{ExprKind, Quals};

impl Gen<'_> {
    /// How many operators the next expression gets.
    pub(crate) fn complexity(&mut self) -> u32 {
        let most = self.opts.small(Limit::MaxExprComplexity) + 1;
        let (a, b) = (self.choices.below(most), self.choices.below(most));
        a.min(b)
    }

    /// Splits the operators of an expression between two operands.
    pub(crate) fn split(&mut self, ops: u32) -> (u32, u32) {
        let left = self.choices.below(ops + 1);
        (left, ops - left)
    }

    /// An integer expression with about `ops` operators.
    pub(crate) fn int_expr(&mut self, ops: u32) -> Ex {
        if ops == 0 || self.choices.exhausted() {
            return self.int_leaf();
        }
        let weights = &self.opts.weights[constructs::STATEMENTS.len()..];
        let index =
            self.draw(weights, self.totals.1, |gen_, index| (constructs::EXPRESSIONS[index].allowed)(gen_));
        if let Some(index) = index
            && let Some(ex) = (constructs::EXPRESSIONS[index].build)(self, ops - 1)
        {
            self.used_constructs[constructs::STATEMENTS.len() + index] += 1;
            return ex;
        }
        self.int_leaf()
    }

    /// A constant, a variable or a loop counter.
    pub(crate) fn int_leaf(&mut self) -> Ex {
        let counters = if self.cx.counters.is_empty() { 0 } else { 25 };
        match self.choices.weighted(&[18, 75, counters]).unwrap_or(0) {
            1 => {
                if let Some(lv) = self.find(Want::Int, Use::Read) {
                    return self.loaded(&lv);
                }
            }
            2 => {
                let at = self.choices.below(self.cx.counters.len() as u32) as usize;
                let counter = self.cx.counters[at];
                let mut lv = self.variable(counter.var);
                lv.range = Some(counter.range);
                return self.loaded(&lv);
            }
            _ => {}
        }
        if self.on(crate::options::Switch::AccessOnce)
            && self.choices.percent(20)
            && let Some(ex) = constructs::access_once(self)
        {
            return ex;
        }
        if !self.enumerators.is_empty() && self.choices.percent(12) {
            let at = self.choices.below(self.enumerators.len() as u32) as usize;
            let (name, value) = self.enumerators[at];
            return self.int_ex(ExprKind::Ident(name), IntTy::I32, Range::one(value.into()), Flow::NOP);
        }
        let int = self.random_int();
        let value = self.interesting(int);
        self.int_const(value, int)
    }

    /// A condition.
    pub(crate) fn condition(&mut self) -> Ex {
        let ops = self.complexity().max(1);
        self.int_expr(ops)
    }

    /// A value of any type but void.
    pub(crate) fn value_of(&mut self, ty: TyId, ops: u32) -> Option<Ex> {
        match self.model.def(ty) {
            TyDef::Int(_) => Some(self.int_expr(ops)),
            TyDef::Pointer(_) => Some(self.pointer_expr(ty, ops)),
            TyDef::Record(_) => Some(self.record_expr(ty, ops)),
            TyDef::Float(_) => {
                let ex = self.float_expr(ops);
                Some(self.float_held(ex))
            }
            TyDef::Enum(_) => Some(self.enum_expr(ty)),
            TyDef::Wide(signed) => {
                let ex = self.wide_expr(ops);
                Some(self.wide_as(ex, signed))
            }
            TyDef::Vector(..) => Some(self.vector_expr(ty, ops)),
            TyDef::Void => None,
        }
    }

    /// A pointer expression.
    pub(crate) fn pointer_expr(&mut self, ty: TyId, ops: u32) -> Ex {
        let calls = if self.cx.pure || ops == 0 { 0 } else { 8 };
        match self.choices.weighted(&[8, 50, 40, if ops > 0 { 9 } else { 0 }, calls]).unwrap_or(0) {
            1 => {
                if let Some(ex) = self.address_expr(ty) {
                    return ex;
                }
                if let Some(lv) = self.find(Want::Exactly(ty), Use::Read) {
                    return self.loaded(&lv);
                }
            }
            2 => {
                if let Some(lv) = self.find(Want::Exactly(ty), Use::Read) {
                    return self.loaded(&lv);
                }
                if let Some(ex) = self.address_expr(ty) {
                    return ex;
                }
            }
            3 => {
                let cond = self.int_expr(1);
                let yes = self.pointer_expr(ty, ops - 1);
                let no = self.pointer_expr(ty, ops - 1);
                return self.conditional(cond, yes, no);
            }
            4 => {
                if let Some(ex) = self.call_returning(ty, false, ops - 1) {
                    return ex;
                }
            }
            _ => {}
        }
        self.null(ty)
    }

    /// `&x` for an object that a pointer of this type may point to.
    pub(crate) fn address_expr(&mut self, ty: TyId) -> Option<Ex> {
        let to = self.model.pointee(ty)?;
        let lv = self.find(Want::Exactly(to.ty), Use::Address)?;
        let exact = self.on(crate::options::Switch::MatchExactQualifiers);
        if !to.quals.has(lv.ty.quals)
            || to.quals.has(Quals::ATOMIC) != lv.ty.quals.has(Quals::ATOMIC)
            || exact && to.quals != lv.ty.quals
        {
            return None;
        }
        Some(self.address(&lv))
    }

    /// A null pointer.
    pub(crate) fn null(&mut self, ty: TyId) -> Ex {
        let void = Qualified { ty: Model::VOID, quals: Quals::NONE };
        let void_ptr = self.model.intern(TyDef::Pointer(void));
        let zero = self.number(0);
        let id = self.cast(void_ptr, zero);
        Ex { id, ty, range: Range::one(0), node: Flow::NOP, val: Flow::NULL, bits: false }
    }

    /// `c ? a : b`
    pub(crate) fn conditional(&mut self, cond: Ex, yes: Ex, no: Ex) -> Ex {
        let node = if yes.node == Flow::NOP && no.node == Flow::NOP {
            cond.node
        } else {
            self.flow.node(Node::Cond(cond.node, yes.node, no.node))
        };
        let kind = ExprKind::Cond(cond.id, Some(yes.id), no.id);
        match (self.model.int(yes.ty), self.model.int(no.ty)) {
            (Some(a), Some(b)) => {
                let ty = a.arith(b);
                let range = yes.range.converted(ty).union(no.range.converted(ty));
                self.int_ex(kind, ty, range, node)
            }
            (None, _) | (_, None) => {
                let id = self.e(kind);
                let val = self.flow.val(Val::Either(yes.val, no.val));
                Ex { id, ty: yes.ty, range: yes.range, node, val, bits: false }
            }
        }
    }
}
