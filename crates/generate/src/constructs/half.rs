//! `_Float16` without rounding: whole numbers up to 2048 in size, so that no evaluation method and no order of additions can
//! change a result. Variables, arrays with loops and reductions, comparisons and conversions.

use super::ExpressionConstruct;
use super::helper::{self, Helper};
use crate::builder::Gen;
use crate::model::{IntTy, Range};
use crate::options::Switch;
use csyntax::ast::{
    ArraySize, Basic, BinOp, ExprId, ExprKind, FloatSuffix, FloatSuffixKind, Quals, StmtId, StmtKind,
    Storage, TypeId, TypeKind, UnOp,
};
use csyntax::intern::Symbol;

const NAME: &str = "half call";

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: NAME,
    doc: "a call of a function that computes with `_Float16`, exact as other floating point is",
    weight: 4,
    allowed: |gen_| gen_.on(Switch::Float) && gen_.on(Switch::Float16) && helper::possible(gen_),
    build: |gen_, ops| helper::call(gen_, ops, NAME, define),
};

/// Every whole number up to this is a `_Float16`.
const EXACT: i128 = 2048;

/// A value of the type.
#[derive(Copy, Clone, Debug)]
struct Half {
    id: ExprId,
    range: Range,
}

struct Halves<'g, 'o> {
    gen_: &'g mut Gen<'o>,
    names: Vec<(Symbol, Range)>,
    ints: Vec<(Symbol, IntTy)>,
}

/// `a op b`, where it is exact.
fn exact(op: BinOp, a: Range, b: Range) -> Option<Range> {
    crate::arith::exact(op, a, b).filter(|range| range.within(Range { lo: -EXACT, hi: EXACT }))
}

impl Halves<'_, '_> {
    fn ty(&mut self) -> TypeId {
        self.gen_.type_node(TypeKind::Basic(Basic::Float16), Quals::NONE)
    }

    fn constant(&mut self, value: u32) -> Half {
        let text = self.gen_.name(&format!("{value}.0"));
        let suffix = FloatSuffix { kind: FloatSuffixKind::Float16, imaginary: false };
        Half { id: self.gen_.e(ExprKind::Float { text, suffix }), range: Range::one(value.into()) }
    }

    /// `(_Float16)(p & 15)`
    fn int_as_half(&mut self) -> Half {
        let (name, int) = self.gen_.choices.pick(&self.ints);
        let mask = self.gen_.choices.pick(&[15u32, 3, 63, 255]);
        let (held, bits) =
            (self.gen_.named_ex(name, int, int.range()), self.gen_.int_const(mask.into(), IntTy::I32));
        let mut masked = self.gen_.binary(BinOp::And, held, bits);
        if self.gen_.choices.percent(40) {
            let half = self.gen_.int_const(i128::from(mask / 2), IntTy::I32);
            let signed = self.gen_.convert(masked, IntTy::I32);
            masked = self.gen_.binary(BinOp::Sub, signed, half);
        }
        let ty = self.ty();
        Half { id: self.gen_.e(ExprKind::Cast(ty, masked.id)), range: masked.range }
    }

    fn leaf(&mut self) -> Half {
        match self.gen_.choices.weighted(&[20, 50, 30]).unwrap_or(0) {
            1 if !self.names.is_empty() => {
                let (name, range) = self.gen_.choices.pick(&self.names);
                Half { id: self.gen_.ident(name), range }
            }
            2 => self.int_as_half(),
            _ => {
                let value = self.gen_.choices.pick(&[0u32, 1, 2, 3, 7, 16, 100, 1024, 2047]);
                self.constant(value)
            }
        }
    }

    fn term(&mut self, ops: u32) -> Half {
        if ops == 0 || self.gen_.choices.exhausted() {
            return self.leaf();
        }
        let (left, right) = self.gen_.split(ops - 1);
        let a = self.term(left);
        if self.gen_.choices.percent(15) {
            return Half {
                id: self.gen_.e(ExprKind::Unary(UnOp::Minus, a.id)),
                range: Range { lo: -a.range.hi, hi: -a.range.lo },
            };
        }
        let b = self.term(right);
        let op = self.gen_.choices.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul]);
        for op in [op, BinOp::Add, BinOp::Sub] {
            if let Some(range) = exact(op, a.range, b.range) {
                return Half { id: self.gen_.e(ExprKind::Binary(op, a.id, b.id)), range };
            }
        }
        // cond ? a : b
        let all = [BinOp::Lt, BinOp::Ge, BinOp::Eq, BinOp::Ne];
        let (op, x, y) = (self.gen_.choices.pick(&all), self.leaf(), self.leaf());
        let cond = self.gen_.e(ExprKind::Binary(op, x.id, y.id));
        Half { id: self.gen_.e(ExprKind::Cond(cond, Some(a.id), b.id)), range: a.range.union(b.range) }
    }

    fn local(&mut self, value: Half) -> StmtId {
        let name = self.gen_.fresh("h_");
        let (ty, init) = (self.ty(), self.gen_.init_expr(value.id));
        let decl = self.gen_.declaration(Storage::NONE, (ty, ty), name, Some(init));
        self.names.push((name, value.range));
        self.gen_.s(StmtKind::Decl(decl))
    }

    /// `_Float16 v[8]; for (...) v[i] = e;`, then a sum or the greatest of them.
    fn array(&mut self, all: &mut Vec<StmtId>) {
        let (name, i) = (self.gen_.fresh("h_"), self.gen_.fresh("i_"));
        let len = self.gen_.choices.pick(&[8u32, 4, 7, 16, 32]);
        let elem = self.ty();
        let size = ArraySize::Expr(self.gen_.number(len));
        let kind = TypeKind::Array { elem, size, quals: Quals::NONE, is_static: false };
        let array = self.gen_.type_node(kind, Quals::NONE);
        let decl = self.gen_.declaration(Storage::NONE, (elem, array), name, None);
        all.push(self.gen_.s(StmtKind::Decl(decl)));
        let before = self.gen_.cost;
        self.ints.push((i, IntTy::I32));
        let (a, b) = (self.int_as_half(), self.term(1));
        self.ints.pop();
        let sum = exact(BinOp::Add, a.range, b.range);
        let value = match sum {
            Some(range) => Half { id: self.gen_.e(ExprKind::Binary(BinOp::Add, a.id, b.id)), range },
            None => a,
        };
        let element = |halves: &mut Self| {
            let (array, index) = (halves.gen_.ident(name), halves.gen_.ident(i));
            halves.gen_.e(ExprKind::Index(array, index))
        };
        let to = element(self);
        let store = self.gen_.assign_stmt_to(to, value.id);
        all.push(self.gen_.counted(i, len, store));
        let reach = i128::from(len) * value.range.hi.abs().max(value.range.lo.abs());
        let total = self.gen_.fresh("h_");
        let (ty, zero) = (self.ty(), self.constant(0));
        let init = self.gen_.init_expr(zero.id);
        let decl = self.gen_.declaration(Storage::NONE, (ty, ty), total, Some(init));
        all.push(self.gen_.s(StmtKind::Decl(decl)));
        let (held, read) = (self.gen_.ident(total), element(self));
        let (step, range) = if reach <= EXACT && self.gen_.choices.percent(70) {
            let to = self.gen_.ident(total);
            let sum = self.gen_.e(ExprKind::Binary(BinOp::Add, held, read));
            (self.gen_.assign_stmt_to(to, sum), Range { lo: -reach, hi: reach })
        } else {
            let greater = self.gen_.e(ExprKind::Binary(BinOp::Lt, held, read));
            let (to, read) = (self.gen_.ident(total), element(self));
            let set = self.gen_.assign_stmt_to(to, read);
            (self.gen_.s(StmtKind::If(greater, set, None)), value.range.union(Range::one(0)))
        };
        all.push(self.gen_.counted(i, len, step));
        self.names.push((total, range));
        let each = self.gen_.cost - before;
        self.gen_.cost = self.gen_.cost.saturating_add(each * u64::from(len));
    }
}

/// `static int half_7(int p0, unsigned p1)`
fn define(gen_: &mut Gen) -> Helper {
    let name = gen_.fresh("half_");
    let mut halves = Halves { gen_, names: Vec::new(), ints: Vec::new() };
    let (mut params, mut ints) = (Vec::new(), Vec::new());
    for number in 0..halves.gen_.choices.range(1, 3) {
        let (int, param) = (halves.gen_.random_int(), halves.gen_.name(&format!("p{number}")));
        params.push(helper::parameter(halves.gen_, int, param));
        halves.ints.push((param, int));
        ints.push(int);
    }
    let mut all = Vec::new();
    for _ in 0..halves.gen_.choices.range(1, 4) {
        if halves.gen_.on(Switch::Arrays) && halves.gen_.choices.percent(40) {
            halves.array(&mut all);
        } else {
            let ops = halves.gen_.choices.range(1, 5);
            let value = halves.term(ops);
            all.push(halves.local(value));
        }
    }
    // sum = sum * 31 + (int)h, in arithmetic that wraps.
    let mut sum = halves.gen_.literal(1, IntTy::U32);
    for (name, _) in halves.names.clone() {
        let held = halves.gen_.ident(name);
        let int = halves.gen_.int_ty(IntTy::I32);
        let (value, factor) = (halves.gen_.cast(int, held), halves.gen_.number(31));
        let more = halves.gen_.e(ExprKind::Binary(BinOp::Mul, sum, factor));
        sum = halves.gen_.e(ExprKind::Binary(BinOp::Add, more, value));
    }
    all.push(helper::give_back(gen_, sum));
    let body = gen_.s(StmtKind::Compound(all));
    let ret = gen_.int_ty(IntTy::U32);
    let ty = gen_.function_type(ret, params, false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    gen_.helper_defs.push(def);
    Helper { construct: NAME, name, params: ints, ret: IntTy::U32, cost: 6 * gen_.cost + 60 }
}
