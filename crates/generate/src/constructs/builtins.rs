//! GNU builtins: bit counting, byte swapping, overflow tests, memory and strings.

use super::{ExpressionConstruct, StatementConstruct};
use crate::builder::{Built, Ex, Gen, Item};
use crate::flow::{Flow, Node};
use crate::lvalue::{Use, Want};
use crate::model::{IntTy, Model, Range, VarId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, Quals, StmtKind, UnOp};

pub(super) const BITS: ExpressionConstruct = ExpressionConstruct {
    name: "bit builtin",
    doc: "`__builtin_popcount(e)`, `clz`, `ctz`, `parity`, `ffs`, `bswap`, `expect`",
    weight: 4,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::Builtins),
    build: bits,
};

pub(super) const OVERFLOW: ExpressionConstruct = ExpressionConstruct {
    name: "overflow builtin",
    doc: "`__builtin_add_overflow(a, b, &x)`",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::Builtins) && !gen_.cx.pure,
    build: overflow,
};

pub(super) const MEMORY: StatementConstruct = StatementConstruct {
    name: "memory builtin",
    doc: "`__builtin_memset(a, 7, sizeof a)`, `memcpy`, `memmove` of whole arrays",
    weight: 3,
    allowed: |gen_| {
        gen_.on(Switch::Gnu) && gen_.on(Switch::Builtins) && library(gen_) && gen_.on(Switch::Arrays)
    },
    build: memory,
};

pub(super) const COMPARE: ExpressionConstruct = ExpressionConstruct {
    name: "compare builtin",
    doc: "`__builtin_memcmp(a, b, n) == 0`, `__builtin_strlen(\"text\")`",
    weight: 1,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::Builtins) && library(gen_),
    build: compare,
};

/// May builtins that are library functions at heart be used?
fn library(gen_: &Gen) -> bool {
    !gen_.on(Switch::Freestanding)
}

fn bits(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    Some(bits_of(gen_, |gen_| gen_.int_expr(ops)))
}

/// One of the builtins on bits, of a value made for it.
pub(super) fn bits_of(gen_: &mut Gen, value: impl FnOnce(&mut Gen) -> Ex) -> Ex {
    // name, type of the argument, type of the result, its values, must the argument be non-zero?
    const TABLE: [(&str, IntTy, IntTy, i128, bool); 11] = [
        ("popcount", IntTy::U32, IntTy::I32, 32, false),
        ("popcountll", IntTy::U64, IntTy::I32, 64, false),
        ("clz", IntTy::U32, IntTy::I32, 31, true),
        ("clzll", IntTy::U64, IntTy::I32, 63, true),
        ("ctz", IntTy::U32, IntTy::I32, 31, true),
        ("ctzll", IntTy::U64, IntTy::I32, 63, true),
        ("parity", IntTy::U32, IntTy::I32, 1, false),
        ("ffs", IntTy::I32, IntTy::I32, 32, false),
        ("bswap32", IntTy::U32, IntTy::U32, u32::MAX as i128, false),
        ("bswap64", IntTy::U64, IntTy::U64, u64::MAX as i128, false),
        ("bswap16", IntTy::U16, IntTy::U16, u16::MAX as i128, false),
    ];
    let (name, arg, result, most, nonzero) = gen_.choices.pick(&TABLE);
    let mut ex = value(gen_);
    if gen_.int_of(&ex) != arg {
        ex = gen_.convert(ex, arg);
    }
    if nonzero {
        let one = gen_.choices.pick(&[1i128, 8, 16]);
        let one = gen_.int_const(one, arg);
        ex = gen_.binary(BinOp::Or, ex, one);
    }
    let callee = builtin(gen_, name);
    let kind = ExprKind::Call(callee, vec![ex.id]);
    let made = gen_.int_ex(kind, result, Range { lo: 0, hi: most }, ex.node);
    // `uint64_t` may be `unsigned long`, which is not `unsigned long long` to `va_arg` and `_Generic`.
    let named = name.starts_with("bswap");
    if named { gen_.convert(made, result) } else { made }
}

fn builtin(gen_: &mut Gen, name: &str) -> ExprId {
    gen_.cost += 4;
    let name = gen_.name(&format!("__builtin_{name}"));
    gen_.ident(name)
}

/// `__builtin_add_overflow(a, b, &x)`: `x` gets the wrapped result, the value tells whether it wrapped.
fn overflow(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let (left, right) = gen_.split(ops);
    let (a, b) = (gen_.int_expr(left), gen_.int_expr(right));
    let target = gen_.find(Want::Int, Use::Write)?;
    let int = gen_.model.int(target.ty.ty)?;
    if target.bits.is_some() || target.packed || int == IntTy::Bool || target.ty.quals != Quals::NONE {
        return None;
    }
    let mut name = gen_.choices.pick(&["add_overflow", "sub_overflow", "mul_overflow"]);
    // Clang before 14 multiplies 65 bits by a function of its own library, which programs are not linked with.
    let types: Vec<IntTy> = [a.ty, b.ty].iter().filter_map(|ty| gen_.model.int(*ty)).chain([int]).collect();
    let (wide, negative) = (types.contains(&IntTy::U64), types.iter().any(|ty| ty.signed()));
    if wide && negative && name == "mul_overflow" {
        name = "add_overflow";
    }
    let callee = builtin(gen_, name);
    let address = gen_.address(&target);
    let kids = gen_.flow.kids(&[a.node, b.node, address.node]);
    let node = gen_.flow.node(Node::Store { kids, place: target.place, val: Flow::NUMBER });
    let kind = ExprKind::Call(callee, vec![a.id, b.id, address.id]);
    Some(gen_.int_ex(kind, IntTy::Bool, Range { lo: 0, hi: 1 }, node))
}

/// Whole arrays of integers.
fn arrays(model: &Model, var: VarId) -> bool {
    let v = model.var(var);
    let plain = !v.ty.quals.has(Quals::VOLATILE) && !v.ty.quals.has(Quals::ATOMIC);
    model.int(v.ty.ty).is_some_and(|i| i != IntTy::Bool) && !v.dims.is_empty() && v.free && plain
}

fn bytes(model: &Model, var: VarId) -> u64 {
    let v = model.var(var);
    let count: u64 = v.dims.iter().map(|d| u64::from(*d)).product();
    count * u64::from(model.int(v.ty.ty).map_or(1, IntTy::bits)) / 8
}

fn memory(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let to = gen_.pick_var(|m, v| arrays(m, v) && !m.var(v).ty.quals.has(Quals::CONST))?;
    if gen_.transfer.is_locked(to) {
        return None;
    }
    let lv = gen_.variable(to);
    let sized = gen_.variable(to);
    let size = gen_.e(ExprKind::SizeofExpr(sized.id));
    let ty = gen_.model.var(to).ty.ty;
    let from =
        gen_.pick_var(|m, v| arrays(m, v) && m.var(v).ty.ty == ty && v != to && bytes(m, v) >= bytes(m, to));
    gen_.cost += bytes(&gen_.model, to) / 2;
    let (name, second, node) = match from {
        Some(from) if gen_.choices.percent(60) => {
            let from = gen_.variable(from);
            let load = gen_.flow.node(Node::Load(from.place));
            let name = gen_.choices.pick(&["memcpy", "memmove"]);
            (name, from.id, load)
        }
        _ => {
            let byte = gen_.choices.pick(&[0u32, 1, 255, 85, 127]);
            ("memset", gen_.number(byte), Flow::NOP)
        }
    };
    let callee = builtin(gen_, name);
    let call = gen_.e(ExprKind::Call(callee, vec![lv.id, second, size]));
    let kids = gen_.flow.kids(&[node]);
    let store = gen_.flow.node(Node::Store { kids, place: lv.place, val: Flow::NUMBER });
    let node = gen_.flow.node(Node::Full(store));
    let stmt = gen_.s(StmtKind::Expr(call));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}

fn compare(gen_: &mut Gen, _: u32) -> Option<Ex> {
    if gen_.choices.percent(30) {
        let len = gen_.choices.below(20);
        let units = (0..len).map(|n| 97 + n % 26).collect();
        let text = ExprKind::Str(csyntax::ast::StrLit { prefix: csyntax::ast::StrPrefix::None, units });
        let text = gen_.e(text);
        let callee = builtin(gen_, "strlen");
        let call = gen_.e(ExprKind::Call(callee, vec![text]));
        let ty = gen_.int_ty(IntTy::I32);
        let id = gen_.cast(ty, call);
        let range = Range::one(len.into());
        return Some(Ex { id, ty, range, node: Flow::NOP, val: Flow::NUMBER, bits: false });
    }
    let a = gen_.pick_var(arrays)?;
    let ty = gen_.model.var(a).ty.ty;
    let size = bytes(&gen_.model, a);
    let b = gen_.pick_var(|m, v| arrays(m, v) && m.var(v).ty.ty == ty && bytes(m, v) >= size)?;
    let mut nodes = Vec::new();
    let mut ids = Vec::new();
    for var in [a, b] {
        let lv = gen_.variable(var);
        nodes.push(gen_.flow.node(Node::Load(lv.place)));
        ids.push(lv.id);
    }
    let sized = gen_.variable(a);
    ids.push(gen_.e(ExprKind::SizeofExpr(sized.id)));
    gen_.cost += size / 2;
    let callee = builtin(gen_, "memcmp");
    let call = gen_.e(ExprKind::Call(callee, ids));
    let node = gen_.flow.unseq(&nodes);
    Some(gen_.int_ex(ExprKind::Unary(UnOp::Not, call), IntTy::I32, Range { lo: 0, hi: 1 }, node))
}
