//! Functions with variable arguments, which fold as many integers as they are told of.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};
use crate::model::{IntTy, Qualified};
use crate::options::Switch;
use csyntax::ast::{Basic, BinOp, ExprId, ExprKind, ForInit, Quals, StmtKind, Storage, TypeKind, UnOp};
use csyntax::intern::Symbol;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "variadic call",
    doc: "`f(3, a, b, c)` of a function that reads its arguments with `va_arg`",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::Variadic) && !gen_.cx.pure,
    build,
};

fn call(gen_: &mut Gen, name: &str, args: Vec<ExprId>) -> csyntax::ast::StmtId {
    let name = gen_.name(name);
    let callee = gen_.ident(name);
    let call = gen_.e(ExprKind::Call(callee, args));
    gen_.s(StmtKind::Expr(call))
}

/// `static T va(int n, ...)`
fn define(gen_: &mut Gen, int: IntTy) -> Symbol {
    let name = gen_.fresh("va_");
    let [n, ap, sum, i] = ["n", "ap", "sum", "i"].map(|name| gen_.name(name));
    let plain = |ty| Qualified { ty, quals: Quals::NONE };
    let (ty, count) = (gen_.int_ty(int), gen_.int_ty(IntTy::I32));
    let list = gen_.type_node(TypeKind::Basic(Basic::VaList), Quals::NONE);
    let ap_decl = gen_.declaration(Storage::NONE, (list, list), ap, None);
    let start = gen_.int_const(1, int);
    let init = gen_.init_expr(start.id);
    let written = gen_.written(plain(ty));
    let sum_decl = gen_.declaration(Storage::NONE, written, sum, Some(init));
    let args = vec![gen_.ident(ap), gen_.ident(n)];
    let begin = call(gen_, "__builtin_va_start", args);
    // sum = sum * 31 + next, in unsigned arithmetic
    let (list, of) = (gen_.ident(ap), gen_.type_name(ty));
    let next = gen_.e(ExprKind::VaArg(list, of));
    let (held, factor) = (gen_.ident(sum), gen_.literal(31, IntTy::U32));
    let op = gen_.choices.pick(&[BinOp::Mul, BinOp::Add, BinOp::Xor]);
    let unsigned = gen_.int_ty(int.unsigned());
    let held = gen_.cast(unsigned, held);
    let mixed = gen_.e(ExprKind::Binary(op, held, factor));
    let mixed = gen_.e(ExprKind::Binary(BinOp::Xor, mixed, next));
    let to = gen_.ident(sum);
    let assign = gen_.e(ExprKind::Assign(None, to, mixed));
    let body = gen_.s(StmtKind::Expr(assign));
    let zero = gen_.number(0);
    let init = gen_.init_expr(zero);
    let written = gen_.written(plain(count));
    let i_decl = gen_.declaration(Storage::NONE, written, i, Some(init));
    let (held, bound) = (gen_.ident(i), gen_.ident(n));
    let cond = gen_.e(ExprKind::Binary(BinOp::Lt, held, bound));
    let held = gen_.ident(i);
    let step = gen_.e(ExprKind::Unary(UnOp::PostInc, held));
    let turn =
        gen_.s(StmtKind::For { init: ForInit::Decl(i_decl), cond: Some(cond), step: Some(step), body });
    let args = vec![gen_.ident(ap)];
    let end = call(gen_, "__builtin_va_end", args);
    let value = gen_.ident(sum);
    let mut all: Vec<_> = [ap_decl, sum_decl].map(|d| gen_.s(StmtKind::Decl(d))).to_vec();
    all.extend([begin, turn, end, gen_.s(StmtKind::Return(Some(value)))]);
    let body = gen_.s(StmtKind::Compound(all));
    let params = vec![gen_.param(plain(count), Some(n))];
    let fn_ty = gen_.function_type(ty, params, true);
    let def = gen_.function(Storage::STATIC, fn_ty, name, body);
    gen_.helper_defs.push(def);
    name
}

fn build(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let int = gen_.choices.pick(&[IntTy::I32, IntTy::U32, IntTy::I64, IntTy::U64]);
    let int = if int.bits() == 64 && !gen_.on(Switch::LongLong) { IntTy::I32 } else { int };
    let known = gen_.variadics.iter().find(|v| v.0 == int).map(|v| v.1);
    let outer = gen_.cost;
    let name = match known {
        Some(name) => name,
        None => {
            let name = define(gen_, int);
            gen_.variadics.push((int, name));
            name
        }
    };
    let count = gen_.choices.range(1, 5);
    gen_.cost = outer + 20 + 16 * u64::from(count);
    let told = gen_.choices.range(0, count);
    let (mut args, mut nodes) = (vec![gen_.number(told)], Vec::new());
    for _ in 0..count {
        let ex = gen_.int_expr((ops / count).min(3));
        let ex = if gen_.int_of(&ex).promoted() == int { ex } else { gen_.convert(ex, int) };
        nodes.push(ex.node);
        args.push(ex.id);
    }
    let node = gen_.flow.unseq(&nodes);
    let callee = gen_.ident(name);
    Some(gen_.int_ex(ExprKind::Call(callee, args), int, int.range(), node))
}
