//! Promises that optimisers may build on: `assume(e)` of what is true here by construction, and unreachable branches. Trip
//! counts that are multiples, values within bounds, pointers that differ from null, in loops that get something out of it.

use super::ExpressionConstruct;
use super::helper::{self, Helper};
use crate::builder::{Ex, Gen};
use crate::model::{IntTy, Qualified, Range, TyDef};
use crate::options::Switch;
use csyntax::ast::{
    ArraySize, AttrArg, Attribute, BinOp, ExprId, ExprKind, Quals, StmtId, StmtKind, Storage, TypeKind, UnOp,
};
use csyntax::intern::Symbol;

const NAME: &str = "assumption call";

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: NAME,
    doc: "a call of a function that promises what holds: `__attribute__((assume(n % 4 == 0)));`, \
          `if (x > 7) __builtin_unreachable();`",
    weight: 5,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::Assume) && helper::possible(gen_),
    build: |gen_, ops| helper::call(gen_, ops, NAME, define),
};

/// The function under construction.
struct Promises<'g, 'o> {
    gen_: &'g mut Gen<'o>,
    all: Vec<StmtId>,
    /// What can be read, with its values.
    names: Vec<(Symbol, IntTy, Range)>,
}

impl Promises<'_, '_> {
    fn op(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.gen_.e(ExprKind::Binary(op, a, b))
    }

    /// `name op value`
    fn compare(&mut self, op: BinOp, name: Symbol, value: i128, int: IntTy) -> ExprId {
        let (held, value) = (self.gen_.ident(name), self.gen_.literal(value, int.promoted()));
        self.op(op, held, value)
    }

    /// Promises a condition, in one way or the other.
    fn promise(&mut self, condition: ExprId) -> StmtId {
        if self.gen_.on(Switch::Builtins) && self.gen_.choices.percent(25) {
            let (wrong, name) =
                (self.gen_.e(ExprKind::Unary(UnOp::Not, condition)), self.gen_.name("__builtin_unreachable"));
            let callee = self.gen_.ident(name);
            let call = self.gen_.e(ExprKind::Call(callee, Vec::new()));
            let never = self.gen_.s(StmtKind::Expr(call));
            return self.gen_.s(StmtKind::If(wrong, never, None));
        }
        let name = self.gen_.name("assume");
        self.gen_.s(StmtKind::Attr(vec![Attribute { name, args: Some(vec![AttrArg::Expr(condition)]) }]))
    }

    fn leaf(&mut self) -> Ex {
        if self.gen_.choices.percent(25) {
            let int = self.gen_.random_int();
            let value = self.gen_.interesting(int);
            return self.gen_.int_const(value, int);
        }
        let (name, int, range) = self.gen_.choices.pick(&self.names);
        self.gen_.named_ex(name, int, range)
    }

    fn term(&mut self, ops: u32) -> Ex {
        if ops == 0 || self.gen_.choices.exhausted() {
            return self.leaf();
        }
        let op = super::binary::operator(self.gen_);
        let (left, right) = self.gen_.split(ops - 1);
        let (a, b) = (self.term(left), self.term(right));
        self.gen_.binary(op, a, b)
    }

    fn declare(&mut self, name: &str, int: IntTy, value: Ex, range: Range) -> Symbol {
        let name = self.gen_.name(name);
        self.all.push(self.gen_.named_decl(name, int, value.id));
        self.names.push((name, int, range));
        name
    }

    /// `int n = (e & 3) * 4 + 1;` with what it is known to be: how many turns at most.
    fn count(&mut self) -> (Symbol, u32) {
        let (step, rest) = (self.gen_.choices.pick(&[4u32, 2, 3, 8, 1]), self.gen_.choices.below(3));
        let mask = self.gen_.choices.pick(&[3u32, 1, 7]);
        let most = mask * step + rest;
        let value = self.term(1);
        let mask = self.gen_.int_const(mask.into(), IntTy::I32);
        let value = self.gen_.binary(BinOp::And, value, mask);
        let value = self.gen_.convert(value, IntTy::I32);
        let (step_ex, rest_ex) =
            (self.gen_.int_const(step.into(), IntTy::I32), self.gen_.int_const(rest.into(), IntTy::I32));
        let value = self.gen_.binary(BinOp::Mul, value, step_ex);
        let value = self.gen_.binary(BinOp::Add, value, rest_ex);
        let range = value.range;
        let n = self.declare("n", IntTy::I32, value, range);
        if step > 1 && self.gen_.on(Switch::Divs) && self.gen_.choices.percent(70) {
            let (held, by) = (self.gen_.ident(n), self.gen_.number(step));
            let left = self.op(BinOp::Rem, held, by);
            let right = self.gen_.number(rest % step);
            let multiple = self.op(BinOp::Eq, left, right);
            let promise = self.promise(multiple);
            self.all.push(promise);
        }
        let bound = self.compare(BinOp::Le, n, most.into(), IntTy::I32);
        let promise = self.promise(bound);
        self.all.push(promise);
        (n, most)
    }

    /// A value with a promise of its bounds, of a bit of it, or of what it is not.
    fn value(&mut self, number: u32) {
        let ops = self.gen_.choices.range(1, 3);
        let mut value = self.term(ops);
        let int = self.gen_.int_of(&value);
        if value.range == int.range() && self.gen_.choices.percent(80) {
            let mask = self.gen_.choices.pick(&[0xfi128, 0xff, 0x7fff, 1, 0x70]);
            let mask = self.gen_.int_const(mask, IntTy::I32);
            value = self.gen_.binary(BinOp::And, value, mask);
        }
        let (int, range) = (self.gen_.int_of(&value), value.range);
        let x = self.declare(&format!("x{number}"), int, value, range);
        if !range.within(int.promoted().range()) {
            return;
        }
        let condition = match self.gen_.choices.below(3) {
            0 => self.compare(BinOp::Le, x, range.hi, int),
            1 => self.compare(BinOp::Ge, x, range.lo, int),
            _ => {
                let (low, high) =
                    (self.compare(BinOp::Ge, x, range.lo, int), self.compare(BinOp::Le, x, range.hi, int));
                self.op(BinOp::LogAnd, low, high)
            }
        };
        let promise = self.promise(condition);
        self.all.push(promise);
    }

    /// `T a[16] = { ... }; T *p = a;` and loops over both up to `n`.
    fn loops(&mut self, (n, most): (Symbol, u32), word: IntTy, sum: Symbol) {
        let int = self.gen_.random_int();
        let len = most.max(1).next_power_of_two();
        let (a, p, i) = (self.gen_.name("a"), self.gen_.name("p"), self.gen_.name("i"));
        let items = (0..self.gen_.choices.range(1, len.min(6))).map(|_| {
            let value = self.gen_.interesting(int);
            let value = self.gen_.int_const(value, int);
            self.gen_.init_expr(value.id)
        });
        let items = items.collect();
        let init = self.gen_.init_list(items);
        let ty = self.gen_.int_ty(int);
        let elem = self.gen_.written(Qualified { ty, quals: Quals::NONE }).1;
        let size = ArraySize::Expr(self.gen_.number(len));
        let array = TypeKind::Array { elem, size, quals: Quals::NONE, is_static: false };
        let array = self.gen_.type_node(array, Quals::NONE);
        let decl = self.gen_.declaration(Storage::NONE, (elem, array), a, Some(init));
        self.all.push(self.gen_.s(StmtKind::Decl(decl)));
        let to = self.gen_.model.intern(TyDef::Pointer(Qualified { ty, quals: Quals::NONE }));
        let written = self.gen_.written(Qualified { ty: to, quals: Quals::NONE });
        let start = self.gen_.ident(a);
        let init = self.gen_.init_expr(start);
        let decl = self.gen_.declaration(Storage::NONE, written, p, Some(init));
        self.all.push(self.gen_.s(StmtKind::Decl(decl)));
        let (held, zero) = (self.gen_.ident(p), self.gen_.number(0));
        let some = self.op(BinOp::Ne, held, zero);
        let promise = self.promise(some);
        self.all.push(promise);

        self.names.push((i, IntTy::I32, Range { lo: 0, hi: i128::from(most.max(1)) - 1 }));
        let before = self.gen_.cost;
        let inside = self.gen_.choices.percent(40).then(|| {
            let (held, bound) = (self.gen_.ident(i), self.gen_.ident(n));
            let below = self.op(BinOp::Lt, held, bound);
            self.promise(below)
        });
        let value = self.term(2);
        let value = self.gen_.convert(value, int);
        let element = |promises: &mut Self, array: Symbol| {
            let (array, index) = (promises.gen_.ident(array), promises.gen_.ident(i));
            promises.gen_.e(ExprKind::Index(array, index))
        };
        let to = element(self, p);
        let op = self.gen_.choices.pick(&[BinOp::Xor, BinOp::Or, BinOp::And]);
        let store = self.gen_.e(ExprKind::Assign(Some(op), to, value.id));
        let store = self.gen_.s(StmtKind::Expr(store));
        let (held, read) = (self.gen_.ident(sum), element(self, a));
        let word = self.gen_.int_ty(word);
        let read = self.gen_.cast(word, read);
        let more = self.op(BinOp::Add, held, read);
        let to = self.gen_.ident(sum);
        let add = self.gen_.assign_stmt_to(to, more);
        let body: Vec<StmtId> = inside.into_iter().chain([store, add]).collect();
        let body = self.gen_.s(StmtKind::Compound(body));
        let each = self.gen_.cost - before + 4;
        self.gen_.cost = self.gen_.cost.saturating_add(each * u64::from(most + 1));
        self.names.pop();
        let start = self.gen_.number(0);
        let decl = self.gen_.named_decl(i, IntTy::I32, start);
        self.all.push(decl);
        let (held, bound) = (self.gen_.ident(i), self.gen_.ident(n));
        let cond = self.op(BinOp::Lt, held, bound);
        let step = self.gen_.named_step(i, true);
        let init = csyntax::ast::ForInit::None;
        self.all.push(self.gen_.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body }));
    }
}

/// `static unsigned long long hint_7(unsigned long long p0, int p1)`
fn define(gen_: &mut Gen) -> Helper {
    let (name, word) = (gen_.fresh("hint_"), helper::word(gen_));
    let ints = vec![word, gen_.random_int()];
    let mut params = Vec::new();
    let mut promises = Promises { gen_, all: Vec::new(), names: Vec::new() };
    for (number, int) in ints.iter().enumerate() {
        let param = promises.gen_.name(&format!("p{number}"));
        params.push(helper::parameter(promises.gen_, *int, param));
        promises.names.push((param, *int, int.range()));
    }
    for number in 0..promises.gen_.choices.range(1, 3) {
        promises.value(number);
    }
    let start = promises.term(2);
    let start = promises.gen_.convert(start, word);
    let sum = promises.declare("sum", word, start, word.range());
    promises.names.pop();
    if promises.gen_.on(Switch::Arrays) && promises.gen_.on(Switch::Pointers) {
        let count = promises.count();
        promises.loops(count, word, sum);
    }
    let value = promises.term(3);
    let value = promises.gen_.convert(value, word);
    let held = promises.gen_.ident(sum);
    let value = promises.op(BinOp::Xor, held, value.id);
    let last = helper::give_back(promises.gen_, value);
    promises.all.push(last);
    let all = promises.all;
    let body = gen_.s(StmtKind::Compound(all));
    let ret = gen_.int_ty(word);
    let ty = gen_.function_type(ret, params, false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    gen_.helper_defs.push(def);
    Helper { construct: NAME, name, params: ints, ret: word, cost: 3 * gen_.cost + 60 }
}
