//! Loops that vectorisers take apart: several arrays with elements of different widths, masks, reductions into narrow and
//! wide sums, strided, reversed and gathered accesses, early exits, nests (the shapes of Livinskii, Babokin and Regehr,
//! "Fuzzing loop optimizations in compilers", PLDI 2023). All in one block, which fills its arrays first and folds them
//! into an object outside last.

use super::{StatementConstruct, assign};
use crate::builder::{Built, Ex, Gen, Item};
use crate::flow::{Flow, Node, NodeId};
use crate::lvalue::{Use, Want};
use crate::model::{IntTy, Qualified, Range};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, ForInit, Quals, StmtId, StmtKind, Storage};
use csyntax::intern::Symbol;

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "mixed loops",
    doc: "a block of loops over arrays of several widths: masks, reductions, strides, gathers, early exits, nests",
    weight: 4,
    allowed: |gen_| {
        gen_.on(Switch::MixedLoops)
            && gen_.on(Switch::Arrays)
            && gen_.can_nest()
            && gen_.frequency() <= 20
            && gen_.steps_left() > 40_000
    },
    build,
};

/// Elements of the arrays: whole vectors, and vectors with a remainder.
const LENGTHS: [u32; 6] = [16, 32, 64, 19, 37, 61];
/// Gathered elements are among so many: no array is shorter.
const GATHERED: u32 = 16;
/// Turns of the outer loop of a nest.
const OUTER: u32 = 4;

/// Operators of elements. Comparisons give masks, and stand apart.
const OPERATORS: [BinOp; 12] = [
    BinOp::Add,
    BinOp::Add,
    BinOp::Sub,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::Rem,
    BinOp::Div,
];
const RELATIONS: [BinOp; 4] = [BinOp::Lt, BinOp::Ge, BinOp::Eq, BinOp::Ne];
/// Operators of reductions.
const FOLDS: [BinOp; 6] = [BinOp::Add, BinOp::Add, BinOp::Xor, BinOp::Or, BinOp::And, BinOp::Sub];

/// An array.
#[derive(Copy, Clone)]
struct Table {
    name: Symbol,
    int: IntTy,
}

/// Which element a turn works on.
#[derive(Copy, Clone)]
enum Place {
    /// `a[i]`
    Same,
    /// `a[n - 1 - i]`
    Reversed,
    /// `a[2 * i]`, in loops of half the turns.
    Even,
    /// `a[2 * i + 1]`, likewise.
    Odd,
    /// `a[b[i] & 15]`
    Gathered(Table),
}

/// The block under construction.
struct Maker<'g, 'o> {
    gen_: &'g mut Gen<'o>,
    tables: Vec<Table>,
    /// The variable that reductions add to; other results of the block are added to it as well, so that they count.
    sum: Table,
    i: Symbol,
    j: Symbol,
    len: u32,
    /// Is the outer counter in scope?
    nested: bool,
}

fn divides(op: BinOp) -> bool {
    matches!(op, BinOp::Div | BinOp::Rem)
}

/// Expressions in it have no calls and no side effects.
fn build(gen_: &mut Gen) -> Option<Built> {
    let pure = std::mem::replace(&mut gen_.cx.pure, true);
    let built = block(gen_);
    gen_.cx.pure = pure;
    built
}

fn block(gen_: &mut Gen) -> Option<Built> {
    let len = gen_.choices.pick(&LENGTHS);
    let count = gen_.choices.range(2, 4);
    let mut tables: Vec<Table> = Vec::new();
    for _ in 0..count {
        // Another width than the one before, if the next few draws have one.
        let mut int = gen_.random_int();
        for _ in 0..3 {
            if tables.last().is_some_and(|last| last.int.bits() == int.bits()) {
                int = gen_.random_int();
            }
        }
        tables.push(Table { name: gen_.fresh("v_"), int });
    }
    let wide = gen_.choices.pick(&[IntTy::U32, IntTy::U64, IntTy::U16]);
    let sum =
        Table { name: gen_.fresh("n_"), int: if gen_.on(Switch::LongLong) { wide } else { IntTy::U32 } };
    let (i, j) = (gen_.name("i"), gen_.name("j"));
    let outside = std::mem::take(&mut gen_.cost);
    let mut maker = Maker { gen_, tables, sum, i, j, len, nested: false };
    let mut all = maker.declarations();
    let (fill, filled) = maker.fill();
    all.push(fill);
    for _ in 0..maker.gen_.choices.range(1, 3) {
        all.extend(maker.work());
    }
    all.push(maker.fold_all());
    let gen_ = maker.gen_;
    // Each statement runs once for an element, those of nests more often.
    gen_.cost = outside + (gen_.cost + 20) * u64::from(len * OUTER);
    gen_.cx.effects.clear();
    let target = gen_.find(Want::Int, Use::Write)?;
    let (held, left) = (gen_.loaded(&target), gen_.named_ex(sum.name, sum.int, sum.int.range()));
    let value = gen_.binary(BinOp::Xor, held, left);
    let stored = assign::plain(gen_, &target, value);
    all.push(gen_.s(StmtKind::Expr(stored.id)));
    let stored = gen_.flow.node(Node::Full(stored.node));
    let stmt = gen_.s(StmtKind::Compound(all));
    let node = gen_.flow.seq(&[filled, stored]);
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}

impl Maker<'_, '_> {
    /// `T v[n];` of each array, and `T n = 0;` of the sum.
    fn declarations(&mut self) -> Vec<StmtId> {
        let mut all = Vec::new();
        for table in self.tables.clone() {
            let ty = self.gen_.int_ty(table.int);
            let written = self.gen_.written_array(Qualified { ty, quals: Quals::NONE }, &[self.len]);
            let decl = self.gen_.declaration(Storage::NONE, written, table.name, None);
            all.push(self.gen_.s(StmtKind::Decl(decl)));
        }
        let start = self.gen_.number(0);
        all.push(self.gen_.named_decl(self.sum.name, self.sum.int, start));
        all
    }

    fn table(&mut self) -> Table {
        self.gen_.choices.pick(&self.tables)
    }

    fn counter(&mut self, name: Symbol, turns: u32) -> Ex {
        self.gen_.named_ex(name, IntTy::I32, Range { lo: 0, hi: i128::from(turns) - 1 })
    }

    fn element(&mut self, table: Table, place: Place) -> Ex {
        let held = self.gen_.ident(self.i);
        let index = match place {
            Place::Same => held,
            Place::Reversed => {
                let last = self.gen_.number(self.len - 1);
                self.op(BinOp::Sub, last, held)
            }
            Place::Even => self.twice(held),
            Place::Odd => {
                let (twice, one) = (self.twice(held), self.gen_.number(1));
                self.op(BinOp::Add, twice, one)
            }
            Place::Gathered(by) => {
                let base = self.gen_.ident(by.name);
                let which = self.gen_.e(ExprKind::Index(base, held));
                let mask = self.gen_.number(GATHERED - 1);
                self.op(BinOp::And, which, mask)
            }
        };
        let base = self.gen_.ident(table.name);
        self.gen_.int_ex(ExprKind::Index(base, index), table.int, table.int.range(), Flow::NOP)
    }

    fn twice(&mut self, held: ExprId) -> ExprId {
        let two = self.gen_.number(2);
        self.op(BinOp::Mul, two, held)
    }

    fn op(&mut self, op: BinOp, left: ExprId, right: ExprId) -> ExprId {
        self.gen_.e(ExprKind::Binary(op, left, right))
    }

    /// An element, a constant of some element's type, a counter.
    fn operand(&mut self, strided: bool) -> Ex {
        let places: &[u32] = if strided { &[20, 10, 35, 35, 10] } else { &[60, 15, 0, 0, 15] };
        let outer = if self.nested { 15 } else { 0 };
        match self.gen_.choices.weighted(&[70, 12, 10, outer]).unwrap_or(0) {
            1 => {
                let int = self.table().int;
                let value = self.gen_.interesting(int);
                self.gen_.int_const(value, int)
            }
            2 => self.counter(self.i, self.len),
            3 => self.counter(self.j, OUTER),
            _ => {
                let table = self.table();
                let place = match self.gen_.choices.weighted(places).unwrap_or(0) {
                    1 => Place::Reversed,
                    2 => Place::Even,
                    3 => Place::Odd,
                    4 => Place::Gathered(self.table()),
                    _ => Place::Same,
                };
                self.element(table, place)
            }
        }
    }

    /// As an unsigned number, mostly: sums that cannot overflow need no guard, and stay one instruction.
    fn wrapping(&mut self, ex: Ex) -> Ex {
        let int = self.gen_.int_of(&ex).promoted();
        if self.gen_.choices.percent(80) { self.gen_.convert(ex, int.unsigned()) } else { ex }
    }

    /// A value of so many operators.
    fn value(&mut self, ops: u32, strided: bool) -> Ex {
        if ops == 0 {
            return self.operand(strided);
        }
        if self.gen_.choices.percent(20) {
            let mask = self.mask(strided);
            let (yes, no) = (self.value(ops - 1, strided), self.operand(strided));
            return self.gen_.conditional(mask, yes, no);
        }
        let op = self.gen_.choices.pick(&OPERATORS);
        let allowed = match op {
            BinOp::Mul => self.gen_.on(Switch::Muls),
            op => !divides(op) || self.gen_.on(Switch::Divs),
        };
        let op = if allowed { op } else { BinOp::Sub };
        let left = self.value(ops - 1, strided);
        let left = self.wrapping(left);
        let right = if matches!(op, BinOp::Shl | BinOp::Shr) {
            let bits = self.gen_.int_of(&left).promoted().bits();
            let by = self.gen_.choices.range(1, bits - 1);
            self.gen_.int_const(by.into(), IntTy::I32)
        } else if divides(op) {
            let by = self.gen_.choices.range(2, 100);
            self.gen_.int_const(by.into(), IntTy::I32)
        } else {
            let right = self.operand(strided);
            self.wrapping(right)
        };
        self.gen_.binary(op, left, right)
    }

    /// `v[i] < w[i]`
    fn mask(&mut self, strided: bool) -> Ex {
        let op = self.gen_.choices.pick(&RELATIONS);
        let (left, right) = (self.operand(strided), self.operand(strided));
        self.gen_.binary(op, left, right)
    }

    /// `if (mask) statement`, as often as not.
    fn masked(&mut self, statement: StmtId, strided: bool) -> StmtId {
        if self.gen_.choices.percent(55) {
            return statement;
        }
        let mask = self.mask(strided);
        self.gen_.s(StmtKind::If(mask.id, statement, None))
    }

    /// `v[place] = value;`
    fn store(&mut self, place: Place, strided: bool) -> StmtId {
        let (table, ops) = (self.table(), self.gen_.choices.range(1, 4));
        let value = self.value(ops, strided);
        let to = self.element(table, place);
        self.gen_.assign_stmt_to(to.id, value.id)
    }

    /// `n = n op value;`
    fn reduce(&mut self, strided: bool) -> StmtId {
        let (op, ops) = (self.gen_.choices.pick(&FOLDS), self.gen_.choices.below(3));
        let held = self.gen_.named_ex(self.sum.name, self.sum.int, self.sum.int.range());
        let value = self.value(ops, strided);
        let int = self.sum.int.promoted().unsigned();
        let value = self.gen_.convert(value, int);
        let value = self.gen_.binary(op, held, value);
        let to = self.gen_.ident(self.sum.name);
        self.gen_.assign_stmt_to(to, value.id)
    }

    /// The first loop: every element of every array gets a value, which comes from outside. Also what that reads.
    fn fill(&mut self) -> (StmtId, NodeId) {
        let (mut body, mut nodes) = (Vec::new(), Vec::new());
        for table in self.tables.clone() {
            let scale = self.gen_.interesting(table.int);
            let scale = self.gen_.int_const(scale, table.int);
            self.gen_.cx.effects.clear();
            let (index, leaf) = (self.counter(self.i, self.len), self.gen_.int_leaf());
            nodes.push(self.gen_.flow.node(Node::Full(leaf.node)));
            let index = self.gen_.convert(index, IntTy::U32);
            let scaled = self.gen_.binary(BinOp::Mul, index, scale);
            let op = self.gen_.choices.pick(&[BinOp::Add, BinOp::Xor, BinOp::Sub]);
            let scaled = self.wrapping(scaled);
            let value = self.gen_.binary(op, scaled, leaf);
            let to = self.element(table, Place::Same);
            body.push(self.gen_.assign_stmt_to(to.id, value.id));
        }
        let body = self.gen_.s(StmtKind::Compound(body));
        let node = self.gen_.flow.seq(&nodes);
        (self.gen_.counted(self.i, self.len, body), node)
    }

    /// One of the loops.
    fn work(&mut self) -> Vec<StmtId> {
        match self.gen_.choices.weighted(&[35, 25, 15, 15, 15]).unwrap_or(0) {
            1 => {
                let body = self.reduce(false);
                let body = self.masked(body, false);
                vec![self.gen_.counted(self.i, self.len, body)]
            }
            2 => self.interleaved(),
            3 => vec![self.nest()],
            4 => self.early_exit(),
            _ => {
                let mut body = Vec::new();
                for _ in 0..self.gen_.choices.range(1, 3) {
                    let place = if self.gen_.choices.percent(85) { Place::Same } else { Place::Reversed };
                    let store = self.store(place, false);
                    body.push(self.masked(store, false));
                }
                let body = self.gen_.s(StmtKind::Compound(body));
                vec![self.gen_.counted(self.i, self.len, body)]
            }
        }
    }

    /// `for (i < n / 2) { v[2 * i] = ...; w[2 * i + 1] = ...; }`
    fn interleaved(&mut self) -> Vec<StmtId> {
        let mut body = Vec::new();
        for place in [Place::Even, Place::Odd, Place::Same] {
            if self.gen_.choices.percent(70) {
                body.push(self.store(place, true));
            }
        }
        let body = self.gen_.s(StmtKind::Compound(body));
        vec![self.gen_.counted(self.i, self.len / 2, body)]
    }

    /// `for (j < 4) for (i < n) ...`
    fn nest(&mut self) -> StmtId {
        self.nested = true;
        let inner =
            if self.gen_.choices.percent(50) { self.reduce(false) } else { self.store(Place::Same, false) };
        let inner = self.masked(inner, false);
        self.nested = false;
        let inner = self.gen_.counted(self.i, self.len, inner);
        self.gen_.counted(self.j, OUTER, inner)
    }

    /// `{ int i = 0; for (; i < n; i++) if (v[i] == w[i]) break; sum ^= i; }`
    fn early_exit(&mut self) -> Vec<StmtId> {
        let zero = self.gen_.number(0);
        let mut all = vec![self.gen_.named_decl(self.i, IntTy::I32, zero)];
        let exit = self.mask(false);
        let exit = {
            let leave = self.gen_.s(StmtKind::Break);
            self.gen_.s(StmtKind::If(exit.id, leave, None))
        };
        let mut body = vec![exit];
        if self.gen_.choices.percent(40) {
            body.push(self.reduce(false));
        }
        let body = self.gen_.s(StmtKind::Compound(body));
        let (held, bound) = (self.gen_.ident(self.i), self.gen_.number(self.len));
        let cond = self.op(BinOp::Lt, held, bound);
        let step = self.gen_.named_step(self.i, true);
        all.push(self.gen_.s(StmtKind::For {
            init: ForInit::None,
            cond: Some(cond),
            step: Some(step),
            body,
        }));
        let held = self.gen_.named_ex(self.sum.name, self.sum.int, self.sum.int.range());
        let at = self.counter(self.i, self.len + 1);
        let value = self.gen_.binary(BinOp::Xor, held, at);
        let to = self.gen_.ident(self.sum.name);
        all.push(self.gen_.assign_stmt_to(to, value.id));
        vec![self.gen_.s(StmtKind::Compound(all))]
    }

    /// The last loop: nothing that was computed is lost.
    fn fold_all(&mut self) -> StmtId {
        let mut value = self.gen_.named_ex(self.sum.name, self.sum.int, self.sum.int.range());
        let int = self.sum.int.promoted().unsigned();
        value = self.gen_.convert(value, int);
        if self.gen_.on(Switch::Muls) {
            let by = self.gen_.int_const(31, int);
            value = self.gen_.binary(BinOp::Mul, value, by);
        }
        for table in self.tables.clone() {
            let element = self.element(table, Place::Same);
            value = self.gen_.binary(BinOp::Xor, value, element);
        }
        let to = self.gen_.ident(self.sum.name);
        let body = self.gen_.assign_stmt_to(to, value.id);
        self.gen_.counted(self.i, self.len, body)
    }
}
