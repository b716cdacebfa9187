//! Arrays whose length is known at run time alone: of variable length, from `alloca`, from `malloc` and freed again.
//! Each lives in a block of its own, which fills it, works on it and folds it into an object outside.

use super::{StatementConstruct, assign};
use crate::builder::{Built, Ex, Gen, Item};
use crate::flow::{Flow, Node, NodeId};
use crate::lvalue::{Use, Want};
use crate::model::{IntTy, Qualified, Range};
use crate::options::Switch;
use csyntax::ast::{
    ArraySize, BinOp, ExprId, ExprKind, ForInit, Quals, StmtId, StmtKind, Storage, TypeKind, UnOp,
};
use csyntax::intern::Symbol;

pub(super) const VLA: StatementConstruct = StatementConstruct {
    name: "variable length array",
    doc: "`{ int n = e; T v[n]; ... }`",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Vla) && allowed(gen_),
    build: |gen_| build(gen_, Memory::Vla),
};

pub(super) const ALLOCA: StatementConstruct = StatementConstruct {
    name: "alloca",
    doc: "`T *v = __builtin_alloca(n * sizeof(T));`",
    weight: 1,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::Alloca) && gen_.cx.turns < 100 && allowed(gen_),
    build: |gen_| build(gen_, Memory::Alloca),
};

pub(super) const MALLOC: StatementConstruct = StatementConstruct {
    name: "malloc",
    doc: "`T *v = __builtin_malloc(n * sizeof(T)); ... __builtin_free(v);`, also `calloc`",
    weight: 2,
    allowed: |gen_| {
        gen_.on(Switch::Gnu) && gen_.on(Switch::Malloc) && !gen_.on(Switch::Freestanding) && allowed(gen_)
    },
    build: |gen_| build(gen_, Memory::Malloc),
};

#[derive(Copy, Clone, PartialEq, Eq)]
enum Memory {
    Vla,
    Alloca,
    Malloc,
}

fn allowed(gen_: &Gen) -> bool {
    gen_.can_nest() && gen_.on(Switch::Arrays) && gen_.steps_left() > 3000
}

/// What the parts share: the names, the type of the elements, how many there are at most.
struct Array {
    v: Symbol,
    n: Symbol,
    int: IntTy,
    most: u32,
}

impl Array {
    fn element(&self, gen_: &mut Gen, i: Symbol, back: u32) -> ExprKind {
        let base = gen_.ident(self.v);
        let mut index = gen_.ident(i);
        if back > 0 {
            let by = gen_.number(back);
            index = gen_.e(ExprKind::Binary(BinOp::Sub, index, by));
        }
        ExprKind::Index(base, index)
    }

    fn load(&self, gen_: &mut Gen, i: Symbol, back: u32) -> Ex {
        let kind = self.element(gen_, i, back);
        gen_.int_ex(kind, self.int, self.int.range(), Flow::NOP)
    }

    /// `for (int i = first; i < n; i++) body`, or downwards.
    fn turns(&self, gen_: &mut Gen, i: Symbol, first: u32, body: StmtId) -> StmtId {
        let down = first == 0 && gen_.choices.percent(25);
        let (start, cond) = if down {
            let (n, one) = (gen_.ident(self.n), gen_.number(1));
            let (held, zero) = (gen_.ident(i), gen_.number(0));
            let start = gen_.e(ExprKind::Binary(BinOp::Sub, n, one));
            (start, gen_.e(ExprKind::Binary(BinOp::Ge, held, zero)))
        } else {
            let (held, n) = (gen_.ident(i), gen_.ident(self.n));
            (gen_.number(first), gen_.e(ExprKind::Binary(BinOp::Lt, held, n)))
        };
        let step = gen_.named_step(i, !down);
        let decl = gen_.named_decl(i, IntTy::I32, start);
        let init = match gen_.ast[decl].kind {
            StmtKind::Decl(decl) => ForInit::Decl(decl),
            _ => ForInit::None,
        };
        gen_.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body })
    }

    /// `T v[n];`, `T *v = __builtin_malloc(n * sizeof(T));`
    fn declare(&self, gen_: &mut Gen, memory: Memory, all: &mut Vec<StmtId>) {
        let ty = gen_.int_ty(self.int);
        let (base, full) = gen_.written(Qualified { ty, quals: Quals::NONE });
        if memory == Memory::Vla {
            let size = ArraySize::Expr(gen_.ident(self.n));
            let array = TypeKind::Array { elem: full, size, quals: Quals::NONE, is_static: false };
            let array = gen_.type_node(array, Quals::NONE);
            let decl = gen_.declaration(Storage::NONE, (base, array), self.v, None);
            all.push(gen_.s(StmtKind::Decl(decl)));
            return;
        }
        let pointer = gen_.type_node(TypeKind::Pointer(full), Quals::NONE);
        let (name, sized) = (gen_.type_name(ty), gen_.ident(self.n));
        let size = gen_.e(ExprKind::SizeofType(name));
        let cleared = memory == Memory::Malloc && gen_.choices.percent(40);
        let value = if cleared {
            call(gen_, "__builtin_calloc", vec![sized, size])
        } else {
            let bytes = gen_.e(ExprKind::Binary(BinOp::Mul, sized, size));
            let name = if memory == Memory::Malloc { "__builtin_malloc" } else { "__builtin_alloca" };
            call(gen_, name, vec![bytes])
        };
        let init = gen_.init_expr(value);
        let decl = gen_.declaration(Storage::NONE, (base, pointer), self.v, Some(init));
        all.push(gen_.s(StmtKind::Decl(decl)));
        if memory == Memory::Malloc {
            let held = gen_.ident(self.v);
            let missing = gen_.e(ExprKind::Unary(UnOp::Not, held));
            let trap = call(gen_, "__builtin_trap", Vec::new());
            let trap = gen_.s(StmtKind::Expr(trap));
            all.push(gen_.s(StmtKind::If(missing, trap, None)));
        }
    }
}

fn call(gen_: &mut Gen, name: &str, args: Vec<ExprId>) -> ExprId {
    gen_.cost += 8;
    let name = gen_.name(name);
    let callee = gen_.ident(name);
    gen_.e(ExprKind::Call(callee, args))
}

/// The length: drawn from a value, as often as not a constant that only looks so.
fn length(gen_: &mut Gen, most: u32) -> (ExprId, NodeId) {
    if gen_.choices.percent(30) {
        return (gen_.number(most), Flow::NOP);
    }
    let leaf = gen_.int_leaf();
    let mask = gen_.number(most - 1);
    let masked = gen_.e(ExprKind::Binary(BinOp::And, leaf.id, mask));
    let one = gen_.number(1);
    (gen_.e(ExprKind::Binary(BinOp::Add, masked, one)), leaf.node)
}

/// Expressions in it have no calls and no side effects.
fn build(gen_: &mut Gen, memory: Memory) -> Option<Built> {
    let pure = std::mem::replace(&mut gen_.cx.pure, true);
    let built = parts(gen_, memory);
    gen_.cx.pure = pure;
    built
}

fn parts(gen_: &mut Gen, memory: Memory) -> Option<Built> {
    gen_.cx.effects.clear();
    let most = gen_.choices.pick(&[8u32, 4, 16, 2]);
    let int = gen_.random_int();
    let (v, n, i) = (gen_.fresh("v_"), gen_.fresh("n_"), gen_.name("i"));
    let array = Array { v, n, int, most };
    let (count, counted) = length(gen_, most);
    let mut all = vec![gen_.named_decl(n, IntTy::I32, count)];
    array.declare(gen_, memory, &mut all);
    let (outside, cost) = (std::mem::take(&mut gen_.cost), u64::from(most));
    let mut nodes = vec![gen_.flow.node(Node::Full(counted))];
    let held = |gen_: &mut Gen, range| gen_.named_ex(i, IntTy::I32, range);
    let indices = Range { lo: 0, hi: i128::from(array.most) - 1 };

    // v[i] = e;
    gen_.cx.effects.clear();
    let (index, ops) = (held(gen_, indices), gen_.choices.below(3));
    let other = gen_.int_expr(ops);
    let op = super::binary::operator(gen_);
    let value = gen_.binary(op, index, other);
    nodes.push(gen_.flow.node(Node::Full(value.node)));
    let to = array.element(gen_, i, 0);
    let to = gen_.e(to);
    let fill = gen_.assign_stmt_to(to, value.id);
    all.push(array.turns(gen_, i, 0, fill));

    // v[i] = v[i - 1] op v[i];
    if gen_.choices.percent(50) {
        let (a, b) = (array.load(gen_, i, 1), array.load(gen_, i, 0));
        let op = super::binary::operator(gen_);
        let value = gen_.binary(op, a, b);
        let to = array.element(gen_, i, 0);
        let to = gen_.e(to);
        let work = gen_.assign_stmt_to(to, value.id);
        all.push(array.turns(gen_, i, 1, work));
    }

    // x = x op v[i];
    gen_.cx.effects.clear();
    let target = gen_.find(Want::Int, Use::Write)?;
    let sum = gen_.loaded(&target);
    let element = array.load(gen_, i, 0);
    let op = gen_.choices.pick(&[BinOp::Add, BinOp::Xor, BinOp::Sub, BinOp::Or, BinOp::Mul]);
    let value = gen_.binary(op, sum, element);
    let stored = assign::plain(gen_, &target, value);
    let fold = gen_.s(StmtKind::Expr(stored.id));
    let node = gen_.flow.node(Node::Full(stored.node));
    nodes.push(node);
    all.push(array.turns(gen_, i, 0, fold));
    gen_.cost = outside + (gen_.cost + 20) * cost;
    if memory == Memory::Malloc {
        gen_.impure.push(gen_.cx.fx);
        let held = gen_.ident(v);
        let free = call(gen_, "__builtin_free", vec![held]);
        all.push(gen_.s(StmtKind::Expr(free)));
    }
    let stmt = gen_.s(StmtKind::Compound(all));
    let node = gen_.flow.seq(&nodes);
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}
