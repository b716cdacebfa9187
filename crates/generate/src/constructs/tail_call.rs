//! Tail calls that must be jumps (`musttail`): functions of one signature that count down, call themselves and those before
//! them, with more arguments than registers take. (`crate::spelling` writes the attribute in front of `return`.)

use super::ExpressionConstruct;
use super::helper::{self, Helper};
use crate::builder::{Ex, Gen};
use crate::model::{IntTy, Range};
use crate::options::Switch;
use crate::spelling::JUMPS;
use csyntax::ast::{BinOp, ExprId, ExprKind, StmtId, StmtKind, Storage, UnOp};
use csyntax::intern::Symbol;

const NAME: &str = "tail call";

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: NAME,
    doc: "a call of a function that ends in `__attribute__((musttail)) return f(n - 1, e, ...);`",
    weight: 4,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::Musttail) && helper::possible(gen_),
    build: |gen_, ops| helper::call(gen_, ops, NAME, define),
};

/// No such function goes on longer, whatever it is called with; one less than a power of two.
const TURNS: u32 = 15;

/// A function under construction. What stands for its first parameter counts down.
struct Tail<'g, 'o> {
    gen_: &'g mut Gen<'o>,
    params: Vec<(Symbol, IntTy)>,
}

impl Tail<'_, '_> {
    fn leaf(&mut self) -> Ex {
        if self.gen_.choices.percent(20) {
            let int = self.gen_.random_int();
            let value = self.gen_.interesting(int);
            return self.gen_.int_const(value, int);
        }
        let at = self.gen_.choices.below(self.params.len() as u32) as usize;
        let (name, int) = self.params[at];
        let range = if at == 0 { Range { lo: 1, hi: TURNS.into() } } else { int.range() };
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

    /// `return f(n - 1, e, ...);`
    fn jump(&mut self, to: Symbol) -> StmtId {
        let mut args: Vec<ExprId> = Vec::new();
        for at in 0..self.params.len() {
            let (name, int) = self.params[at];
            let arg = if at == 0 {
                let (held, one) = (self.gen_.ident(name), self.gen_.number(1));
                self.gen_.e(ExprKind::Binary(BinOp::Sub, held, one))
            } else {
                let ops = self.gen_.choices.below(3);
                let value = self.term(ops);
                self.gen_.convert(value, int).id
            };
            args.push(arg);
        }
        let callee = self.gen_.ident(to);
        let call = self.gen_.e(ExprKind::Call(callee, args));
        helper::give_back(self.gen_, call)
    }
}

/// The first parameter gives the number of turns, whatever is passed: `int k = p0 & 15; if (!k) return e;`
fn define(gen_: &mut Gen) -> Helper {
    let earlier: Vec<Helper> = gen_.helpers.iter().filter(|h| h.construct == NAME).cloned().collect();
    // One before it with its signature is one it can jump to.
    let model = (!earlier.is_empty() && gen_.choices.percent(60)).then(|| {
        let at = gen_.choices.below(earlier.len() as u32) as usize;
        earlier[at].clone()
    });
    let name = gen_.fresh(JUMPS);
    let (ints, ret) = match &model {
        Some(model) => (model.params.clone(), model.ret),
        None => {
            let mut ints = vec![IntTy::I32];
            for _ in 0..gen_.choices.range(1, 9) {
                ints.push(gen_.random_int());
            }
            (ints, gen_.random_int())
        }
    };
    let names: Vec<Symbol> = (0..ints.len()).map(|number| gen_.name(&format!("p{number}"))).collect();
    let params = names.iter().zip(&ints).map(|(name, int)| helper::parameter(gen_, *int, *name)).collect();
    let mut tail = Tail { gen_, params: names.iter().copied().zip(ints.iter().copied()).collect() };

    let k = tail.gen_.name("k");
    let (held, mask) = (tail.gen_.ident(names[0]), tail.gen_.number(TURNS));
    let count = tail.gen_.e(ExprKind::Binary(BinOp::And, held, mask));
    let declared = tail.gen_.named_decl(k, IntTy::I32, count);
    let held = tail.gen_.ident(k);
    let out = tail.gen_.e(ExprKind::Unary(UnOp::Not, held));
    tail.params.remove(0);
    let value = if tail.params.is_empty() { tail.gen_.int_const(0, ret) } else { tail.last() };
    let value = tail.gen_.convert(value, ret);
    tail.params.insert(0, (k, IntTy::I32));
    let then = helper::give_back(tail.gen_, value.id);
    let mut all = vec![declared, tail.gen_.s(StmtKind::If(out, then, None))];
    if let Some(model) = &model {
        let cond = tail.term(1);
        let other = tail.jump(model.name);
        all.push(tail.gen_.s(StmtKind::If(cond.id, other, None)));
    }
    all.push(tail.jump(name));
    let body = gen_.s(StmtKind::Compound(all));
    let ty = gen_.int_ty(ret);
    let ty = gen_.function_type(ty, params, false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    gen_.helper_defs.push(def);
    let before = model.map_or(0, |model| model.cost);
    let cost = (3 * gen_.cost + 60) * u64::from(TURNS + 1) + before;
    Helper { construct: NAME, name, params: ints, ret, cost }
}

impl Tail<'_, '_> {
    /// All parameters but the count in one value.
    fn last(&mut self) -> Ex {
        let mut sum: Option<Ex> = None;
        for (name, int) in self.params.clone() {
            let value = self.gen_.named_ex(name, int, int.range());
            sum = Some(match sum {
                Some(sum) => self.gen_.binary(BinOp::Xor, sum, value),
                None => value,
            });
        }
        sum.unwrap_or_else(|| self.gen_.int_const(0, IntTy::I32))
    }
}
