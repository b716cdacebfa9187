//! Spells compound assignments and increments out: `x += y` as `x = x + y`, so that what they convert and compute has
//! nodes of its own.

use super::apply::read;
use super::places::assignment_key;
use csyntax::ast::{Ast, BinOp, Expr, ExprId, ExprKind, IntBase, IntSuffix, UnOp};
use csyntax::print::print;
use csyntax::target::Target;
use csyntax::visit::{self, Node};

/// The program with the assignments of these keys spelled out, where their place can be evaluated twice; `None` if it is not C.
pub fn out(text: &str, target: &Target, wanted: &dyn Fn(&str) -> bool) -> Option<String> {
    let (mut ast, unit) = read(text, target)?;
    for expr in &unit.exprs {
        if assignment_key(&unit, expr).is_some_and(|key| wanted(&key)) {
            spell(&mut ast, expr.origin);
        }
    }
    Some(print(&ast))
}

fn spell(ast: &mut Ast, node: ExprId) {
    let one = |ast: &mut Ast| {
        ast.expr(ExprKind::Int { value: 1, suffix: IntSuffix::default(), base: IntBase::Dec })
    };
    let span = ast[node].span;
    let (place, op, by, after) = match ast[node].kind {
        ExprKind::Assign(Some(op), place, by) => (place, op, by, None),
        ExprKind::Unary(UnOp::PreInc, place) => (place, BinOp::Add, one(ast), None),
        ExprKind::Unary(UnOp::PreDec, place) => (place, BinOp::Sub, one(ast), None),
        ExprKind::Unary(UnOp::PostInc, place) => (place, BinOp::Add, one(ast), Some(BinOp::Sub)),
        ExprKind::Unary(UnOp::PostDec, place) => (place, BinOp::Sub, one(ast), Some(BinOp::Add)),
        _ => return,
    };
    if !is_pure(ast, place) {
        return;
    }
    let value = ast.expr(ExprKind::Binary(op, place, by));
    let assigned = ExprKind::Assign(None, place, value);
    let kind = match after {
        // The old value, which is wrong where it does not come back: the machine sees that.
        Some(back) => {
            let (assigned, one) = (ast.expr(assigned), one(ast));
            let old = ast.expr(ExprKind::Binary(back, place, one));
            ExprKind::Comma(assigned, old)
        }
        None => assigned,
    };
    ast[node] = Expr { kind, span };
}

/// Can it be evaluated twice? Calls, assignments and statement expressions cannot.
fn is_pure(ast: &Ast, expr: ExprId) -> bool {
    visit::exprs(ast, Node::Expr(expr)).into_iter().all(|inner| match &ast[inner].kind {
        ExprKind::Assign(..) | ExprKind::Call(..) | ExprKind::StmtExpr(_) | ExprKind::VaArg(..) => false,
        ExprKind::Unary(op, _) => !matches!(op, UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec),
        _ => true,
    })
}
