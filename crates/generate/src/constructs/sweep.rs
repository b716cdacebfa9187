//! Sweeps: random arithmetic over all pairs of two tables of boundary values, every result of which reaches the
//! checksum. Where a compiler gets one instruction wrong for some operands, those operands are there.

use super::StatementConstruct;
use super::sweep_terms::{Known, Terms};
use crate::analysis::sets::Sets;
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node};
use crate::model::{Dims, FloatTy, Home, IntTy, Loc, Model, Qualified, TyDef, Var, VarId};
use crate::options::{Limit, Switch};
use csyntax::ast::{Attribute, BinOp, ExprId, ExprKind, Quals, StmtId, StmtKind, Storage};
use csyntax::intern::Symbol;

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "sweep",
    doc: "a call of a function that applies random arithmetic to all pairs of two tables of boundary values, or to \
          their elements side by side",
    weight: 12,
    allowed: |gen_| {
        gen_.on(Switch::Sweeps)
            && gen_.on(Switch::Arrays)
            && gen_.on(Switch::GlobalVariables)
            && gen_.cx.nesting == 0
            && gen_.cx.scopes.len() == 1
            && gen_.frequency() == 1
            && gen_.steps_left() > 20_000
    },
    build,
};

/// Elements of tables that are worked on side by side: whole vectors.
const LANES: u32 = 16;

/// Tokens of a sweep that is not large.
const SMALL: u64 = 300;

/// What a sweep is made of.
struct Sweep {
    sum: Symbol,
    i: Symbol,
    j: Symbol,
}

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let (stmt, written) = call(gen_)?;
    let stores: Vec<_> = written
        .into_iter()
        .map(|var| {
            let (place, kids) = (gen_.variable_place(var), gen_.flow.kids(&[]));
            gen_.flow.node(Node::Store { kids, place, val: Flow::NUMBER })
        })
        .collect();
    let all = gen_.flow.seq(&stores);
    let node = gen_.flow.node(Node::Full(all));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}

/// The sweeps that `main` calls itself: so many of 100 tokens as `--sweeps` says.
pub(crate) fn of_main(gen_: &mut Gen) {
    let wanted = [Switch::Sweeps, Switch::Arrays, Switch::GlobalVariables, Switch::Main];
    if !wanted.into_iter().all(|switch| gen_.on(switch)) {
        return;
    }
    let tokens = gen_.opts.limit(Limit::Tokens) * gen_.opts.limit(Limit::SweepShare) / 100;
    let end = gen_.tokens + tokens;
    let steps = gen_.opts.limit(Limit::MaxSteps) / 2;
    let index = super::STATEMENTS.iter().position(|c| c.name == STATEMENT.name);
    while gen_.tokens + SMALL < end && gen_.used < steps && !gen_.choices.exhausted() {
        let outer = std::mem::take(&mut gen_.cost);
        if let Some((stmt, _)) = call(gen_) {
            gen_.used = gen_.used.saturating_add(gen_.cost);
            gen_.main_sweeps.push(stmt);
            gen_.stats.statements += 1;
            if let Some(count) = index.and_then(|index| gen_.used_constructs.get_mut(index)) {
                *count += 1;
            }
        }
        gen_.cost = outer;
    }
}

/// A new sweep's call, with the variables that it writes.
fn call(gen_: &mut Gen) -> Option<(StmtId, Vec<VarId>)> {
    let outer = std::mem::take(&mut gen_.cost);
    let pure = std::mem::replace(&mut gen_.cx.pure, true);
    let [i, j] = ["i", "j"].map(|name| gen_.name(name));
    let long = gen_.on(Switch::LongLong);
    let sum = variable(gen_, if long { IntTy::U64 } else { IntTy::U32 }, false);
    let sweep = Sweep { sum: gen_.model.var(sum).name, i, j };
    let mut written = vec![sum];
    let body = if gen_.choices.percent(28) { sweep.lanes(gen_) } else { sweep.pairs(gen_, &mut written) };
    let name = gen_.fresh("sweep_");
    let ty = gen_.function_type(Model::VOID, Vec::new(), false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    gen_.helper_defs.push(def);
    gen_.cx.pure = pure;
    let cost = std::mem::replace(&mut gen_.cost, outer);
    if cost > gen_.steps_left() / 2 {
        return None;
    }
    gen_.cost = gen_.cost.saturating_add(cost);
    let callee = gen_.ident(name);
    let call = gen_.e(ExprKind::Call(callee, Vec::new()));
    Some((gen_.s(StmtKind::Expr(call)), written))
}

/// A new variable of file scope. One that is not `free` nothing else writes, so that it is still there at the end.
fn variable(gen_: &mut Gen, int: IntTy, free: bool) -> VarId {
    let ty = gen_.int_ty(int);
    let ty = Qualified { ty, quals: Quals::NONE };
    let name = gen_.fresh("g_");
    let (home, dims, loc) = (Home::Static, Dims::default(), Loc::GARBAGE);
    let var = Var { name, ty, dims, home, loc, range: None, free, global: true, owner: None };
    let written = gen_.written(ty);
    let value = gen_.interesting(int);
    let value = gen_.int_const(value, int);
    let init = gen_.init_expr(value.id);
    let decl = gen_.declaration(Storage::STATIC, written, name, Some(init));
    gen_.global_decls.push(decl);
    gen_.used = gen_.used.saturating_add(70);
    let var = gen_.model.add_var(var, Sets::NULL);
    if free {
        gen_.globals.push(var);
    } else {
        gen_.hashed.push(var);
    }
    var
}

/// A value at a boundary of some type, or any.
fn boundary(gen_: &mut Gen, int: IntTy) -> i128 {
    let value = match gen_.choices.weighted(&[25, 25, 20, 15, 15]).unwrap_or(0) {
        0 => i128::from(gen_.choices.below(20)) - 4,
        1 => {
            let power = 1i128 << gen_.choices.below(int.bits());
            power + gen_.choices.pick(&[0, -1, 1])
        }
        2 => {
            let power = 1i128 << gen_.choices.pick(&[7u32, 8, 15, 16, 31, 32, 63]);
            power + gen_.choices.pick(&[0, -1])
        }
        3 => -(1i128 << gen_.choices.below(int.bits())) + gen_.choices.pick(&[0, -1, 1]),
        _ => i128::from(gen_.choices.word()) << 32 | i128::from(gen_.choices.word()),
    };
    gen_.wrap(value, int)
}

/// The values of a table: the ends of the type first.
fn values(gen_: &mut Gen, int: IntTy, len: u32, shared: &[i128]) -> Vec<i128> {
    let range = int.range();
    let mut all = vec![0, 1, gen_.wrap(-1, int), range.hi, range.lo, 2];
    while (all.len() as u32) < len {
        let next = match shared.is_empty() {
            false if gen_.choices.percent(35) => {
                let value = gen_.choices.pick(shared);
                gen_.wrap(value, int)
            }
            _ => boundary(gen_, int),
        };
        all.push(next);
    }
    all.truncate(len as usize);
    // Neighbours in the table are neighbours in vectors.
    let turn = gen_.choices.below(len) as usize;
    all.rotate_left(turn);
    all
}

/// `static T t_1[12] = {...};`, or without values.
fn table(gen_: &mut Gen, ty: crate::model::TyId, int: IntTy, len: u32, values: Option<&[i128]>) -> Symbol {
    let name = gen_.fresh("t_");
    let written = gen_.written_array(Qualified { ty, quals: Quals::NONE }, &[len]);
    let init = values.map(|values| {
        let mut items = Vec::with_capacity(values.len());
        for value in values {
            let value = gen_.int_const(*value, int);
            items.push(gen_.init_expr(value.id));
        }
        gen_.init_list(items)
    });
    let decl = gen_.declaration(Storage::STATIC, written, name, init);
    gen_.global_decls.push(decl);
    name
}

fn int_table(gen_: &mut Gen, int: IntTy, values: &[i128]) -> Symbol {
    let ty = gen_.int_ty(int);
    table(gen_, ty, int, values.len() as u32, Some(values))
}

impl Sweep {
    /// `sum = sum * k + e;`
    fn fold(&self, gen_: &mut Gen, value: ExprId) -> StmtId {
        let int = if gen_.on(Switch::LongLong) { IntTy::U64 } else { IntTy::U32 };
        let ty = gen_.int_ty(int);
        let value = gen_.cast(ty, value);
        let old = gen_.ident(self.sum);
        let by = gen_.choices.pick(&[31u32, 33, 5, 0x9e37_79b1 >> 1 | 1]);
        let by = gen_.literal(by.into(), int);
        let scaled = gen_.e(ExprKind::Binary(BinOp::Mul, old, by));
        let whole = gen_.e(ExprKind::Binary(BinOp::Add, scaled, value));
        {
            let to = gen_.ident(self.sum);
            gen_.assign_stmt_to(to, whole)
        }
    }

    /// Every element of one table with every element of the other.
    fn pairs(&self, gen_: &mut Gen, written: &mut Vec<VarId>) -> StmtId {
        let (x, y) = (gen_.random_int(), gen_.random_int());
        let y = if gen_.choices.percent(35) { x } else { y };
        let lens = [gen_.choices.range(9, 12), gen_.choices.range(8, 11)];
        let first = values(gen_, x, lens[0], &[]);
        let second = values(gen_, y, lens[1], &first);
        let tables = [int_table(gen_, x, &first), int_table(gen_, y, &second)];
        let counts = [gen_.choices.below(3), gen_.choices.range(1, 3)];
        let types: &[IntTy] = if gen_.on(Switch::LongLong) { &IntTy::ALL } else { &IntTy::ALL[..6] };
        let states: Vec<VarId> = (0..counts[0] + counts[1])
            .map(|_| {
                let int = gen_.choices.pick(types);
                variable(gen_, int, true)
            })
            .collect();
        written.extend(&states);
        let before = std::mem::take(&mut gen_.cost);
        let ret = gen_.choices.pick(&[IntTy::U64, IntTy::U32, IntTy::I64, IntTy::I32]);
        let ret = if gen_.on(Switch::LongLong) { ret } else { IntTy::U32 };
        let [a, b] = ["a", "b"].map(|name| gen_.name(name));
        let held: Vec<Known> = states
            .iter()
            .map(|var| {
                let v = gen_.model.var(*var);
                Known { name: v.name, index: None, int: gen_.model.int(v.ty.ty).unwrap_or(IntTy::I32) }
            })
            .collect();
        let known = vec![Known { name: a, index: None, int: x }, Known { name: b, index: None, int: y }];
        let pool: Vec<i128> = first.iter().chain(&second).copied().collect();
        let (read, only_written) = held.split_at(counts[0] as usize);
        let (states, sinks) = (read.to_vec(), only_written.to_vec());
        let body = Terms { gen_, known, states, sinks, pool, last: None }.body(ret);
        let name = gen_.fresh("op_");
        let params = [(a, x), (b, y)].map(|(name, int)| {
            let ty = gen_.int_ty(int);
            gen_.param(Qualified { ty, quals: Quals::NONE }, Some(name))
        });
        let ty = gen_.int_ty(ret);
        let ty = gen_.function_type(ty, params.to_vec(), false);
        let def = gen_.function(Storage::STATIC, ty, name, body);
        if gen_.on(Switch::Gnu) && gen_.on(Switch::Attributes) && gen_.choices.percent(50) {
            let name = gen_.name("noinline");
            gen_.ast[def].attrs.push(Attribute { name, args: None });
        }
        gen_.helper_defs.push(def);
        let args = [(tables[0], self.i), (tables[1], self.j)].map(|(table, at)| {
            let (base, index) = (gen_.ident(table), gen_.ident(at));
            gen_.e(ExprKind::Index(base, index))
        });
        let callee = gen_.ident(name);
        let call = gen_.e(ExprKind::Call(callee, args.to_vec()));
        let mut all = vec![self.fold(gen_, call)];
        for state in held {
            let value = gen_.ident(state.name);
            all.push(self.fold(gen_, value));
        }
        let all = gen_.s(StmtKind::Compound(all));
        let each = std::mem::replace(&mut gen_.cost, before) + 12;
        let inner = gen_.counted(self.j, lens[1], all);
        let outer = gen_.counted(self.i, lens[0], inner);
        gen_.cost = gen_.cost.saturating_add(each * u64::from(lens[0] * lens[1]));
        gen_.s(StmtKind::Compound(vec![outer]))
    }

    /// The elements of tables side by side, as vector units do it.
    fn lanes(&self, gen_: &mut Gen) -> StmtId {
        let (x, y) = (gen_.random_int(), gen_.random_int());
        let y = if gen_.choices.percent(70) { x } else { y };
        let first = values(gen_, x, LANES, &[]);
        let second = values(gen_, y, LANES, &first);
        let tables = [int_table(gen_, x, &first), int_table(gen_, y, &second)];
        let before = std::mem::take(&mut gen_.cost);
        let float = gen_.on(Switch::Float) && gen_.choices.percent(15);
        let out = if gen_.choices.percent(70) { x } else { gen_.random_int() };
        let known =
            [(tables[0], x), (tables[1], y)].map(|(name, int)| Known { name, index: Some(self.i), int });
        let pool: Vec<i128> = first.iter().chain(&second).copied().collect();
        let mut all = Vec::new();
        for _ in 0..gen_.choices.range(1, 3) {
            let (known, pool) = (known.to_vec(), pool.clone());
            let (states, sinks) = (Vec::new(), Vec::new());
            let mut terms = Terms { gen_: &mut *gen_, known, states, sinks, pool, last: None };
            let depth = terms.gen_.choices.range(1, 3);
            let (ty, value) = if float {
                let ty = terms.gen_.model.intern(TyDef::Float(FloatTy::Double));
                (ty, terms.fractions())
            } else {
                let ty = terms.gen_.int_ty(out);
                (ty, terms.lane(out, depth).id)
            };
            let results = table(gen_, ty, out, LANES, None);
            let target = element(gen_, results, self.i);
            let store = gen_.assign_stmt_to(target, value);
            all.push(gen_.counted(self.i, LANES, store));
            let value = element(gen_, results, self.i);
            let value = if float {
                let to = gen_.int_ty(if gen_.on(Switch::LongLong) { IntTy::I64 } else { IntTy::I32 });
                gen_.cast(to, value)
            } else {
                value
            };
            let fold = self.fold(gen_, value);
            all.push(gen_.counted(self.i, LANES, fold));
        }
        let each = std::mem::replace(&mut gen_.cost, before) + 24;
        gen_.cost = gen_.cost.saturating_add(each * u64::from(LANES));
        gen_.s(StmtKind::Compound(all))
    }
}

/// `t[i]`
fn element(gen_: &mut Gen, table: Symbol, at: Symbol) -> ExprId {
    let (base, index) = (gen_.ident(table), gen_.ident(at));
    gen_.e(ExprKind::Index(base, index))
}

impl Terms<'_, '_> {
    /// An expression as vector units have it: one type, no division, selections instead of branches.
    fn lane(&mut self, int: IntTy, depth: u32) -> crate::builder::Ex {
        let known = self.one();
        if depth == 0 {
            let ex = self.read(known);
            return if known.int == int { ex } else { self.gen_.convert(ex, int) };
        }
        let of = int.unsigned();
        let bits = int.bits();
        let made = match self.gen_.choices.weighted(&[10, 30, 14, 26, 12, 8]).unwrap_or(0) {
            1 => {
                let (a, b) = (self.lane(of, depth - 1), self.lane(of, depth - 1));
                let (a, b) = (self.word(a), self.word(b));
                let all = [BinOp::Add, BinOp::Sub, BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Mul, BinOp::Add];
                let op = self.gen_.choices.pick(&all);
                self.gen_.binary(op, a, b)
            }
            2 => {
                let op = self.gen_.choices.pick(&[BinOp::Shr, BinOp::Shl]);
                let a = self.lane(if op == BinOp::Shl { of } else { int }, depth - 1);
                let a = if op == BinOp::Shl { self.word(a) } else { a };
                let by = self.gen_.choices.range(1, bits - 1);
                let by = self.gen_.int_const(by.into(), IntTy::I32);
                self.shifted(op, a, by)
            }
            3 => {
                let op = self.gen_.choices.pick(&super::sweep_terms::RELATIONS);
                let (a, b) = (self.lane(int, 0), self.lane(int, depth - 1));
                let b = if self.gen_.choices.percent(30) { self.constant(int) } else { b };
                let cond = self.gen_.binary(op, a, b);
                let yes = self.lane(int, depth - 1);
                let no = if self.gen_.choices.percent(30) { self.constant(int) } else { self.lane(int, 0) };
                self.gen_.conditional(cond, yes, no)
            }
            4 => {
                let a = self.lane(of, depth - 1);
                let a = self.word(a);
                let op = self.gen_.choices.pick(&[csyntax::ast::UnOp::BitNot, csyntax::ast::UnOp::Minus]);
                self.gen_.unary(op, a)
            }
            5 => {
                let other = self.gen_.random_int();
                let a = self.lane(int, depth - 1);
                self.gen_.convert(a, other)
            }
            _ => self.constant(int),
        };
        if self.gen_.int_of(&made) == int { made } else { self.gen_.convert(made, int) }
    }

    /// The value in an unsigned type that needs no promotion.
    fn word(&mut self, ex: crate::builder::Ex) -> crate::builder::Ex {
        let int = self.gen_.int_of(&ex);
        let wide = if int.bits() < 32 { IntTy::U32 } else { int.unsigned() };
        if int == wide { ex } else { self.gen_.convert(ex, wide) }
    }

    /// Sums of halves and quarters.
    fn fractions(&mut self) -> ExprId {
        let (a, b) = (self.fraction(), self.fraction());
        let op = self.gen_.choices.pick(&[BinOp::Add, BinOp::Sub]);
        let sum = self.gen_.e(ExprKind::Binary(op, a, b));
        let by = self.gen_.float_literal(2, FloatTy::Double);
        self.gen_.e(ExprKind::Binary(BinOp::Div, sum, by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Choices;
    use crate::options::Options;

    #[test]
    fn tables_hold_the_ends_of_their_type() {
        let options = Options::default();
        for (seed, int) in (0..).zip(IntTy::ALL) {
            let mut gen_ = Gen::new(&options, Choices::from_seed(seed));
            let all = values(&mut gen_, int, 9, &[]);
            let ends = [int.range().lo, int.range().hi, 0, 1];
            assert!(ends.iter().all(|end| all.contains(end)), "{int:?}: {all:?}");
        }
    }
}
