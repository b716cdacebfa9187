//! What decides about a dead block, in a form that programs have in common: the operators of the condition and the
//! storage of its operands, two levels deep.

use crate::places::Place;
use crate::seed::Seed;
use csyntax::ast::{BinOp, ExprId, ExprKind, StmtId, StmtKind, UnOp};
use csyntax::intern::Symbol;
use csyntax::tree::{Linkage, Storage};

/// Operators beneath so many others are not told apart.
const DEPTH: u32 = 2;

/// What `decider` decides about `place` by.
pub(super) fn text(seed: &Seed, place: &Place, decider: &Place) -> String {
    let of = |expr: &ExprId| expression(seed, place.scope, *expr, DEPTH);
    match &seed.ast[chooser(seed, place, decider).stmt].kind {
        StmtKind::If(condition, then, _) => {
            let holds = is_within(seed, place, *then);
            format!("{} ({})", if holds { "if" } else { "else of if" }, of(condition))
        }
        StmtKind::While(condition, _) | StmtKind::DoWhile(_, condition) => {
            format!("while ({})", of(condition))
        }
        StmtKind::For { cond, .. } => format!("for ({})", cond.as_ref().map(of).unwrap_or_default()),
        StmtKind::Switch(value, _) => format!("switch ({})", of(value)),
        StmtKind::Compound(_) => {
            let before = super::before(seed, decider, place);
            format!("behind {}", before.map_or("a label", |before| statement(&seed.ast[before.stmt].kind)))
        }
        _ => "a label".to_owned(),
    }
}

/// The `switch` in whose body a place stands behind one of its labels; else the statement that decides.
fn chooser<'a>(seed: &'a Seed, place: &'a Place, decider: &'a Place) -> &'a Place {
    let mut below = place;
    while below.parent != Some(decider.stmt) {
        match below.parent.and_then(|parent| seed.places.get(parent)) {
            Some(around) => below = around,
            None => return decider,
        }
    }
    let is_case = matches!(seed.ast[below.stmt].kind, StmtKind::Case(..) | StmtKind::Default(_));
    let is_switch = |around: &&Place| matches!(seed.ast[around.stmt].kind, StmtKind::Switch(..));
    let around = decider.parent.filter(|_| is_case).and_then(|around| seed.places.get(around));
    around.filter(is_switch).unwrap_or(decider)
}

/// Is a place the statement, or in it?
fn is_within(seed: &Seed, place: &Place, around: StmtId) -> bool {
    let mut at = Some(place);
    while let Some(here) = at {
        if here.stmt == around {
            return true;
        }
        at = here.parent.and_then(|parent| seed.places.get(parent));
    }
    false
}

fn statement(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::If(..) => "an if",
        StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => "a loop",
        StmtKind::Switch(..) => "a switch",
        StmtKind::Expr(_) => "an expression",
        StmtKind::Return(_) => "a return",
        StmtKind::Goto(_) | StmtKind::GotoPtr(_) | StmtKind::Break | StmtKind::Continue => "a jump",
        StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_) => "a label",
        _ => "a statement",
    }
}

fn expression(seed: &Seed, scope: u32, expr: ExprId, depth: u32) -> String {
    let below = |expr: ExprId| match depth {
        0 => "_".to_owned(),
        _ => expression(seed, scope, expr, depth - 1),
    };
    match &seed.ast[expr].kind {
        ExprKind::Ident(name) => variable(seed, scope, *name).to_owned(),
        ExprKind::Int { value: small @ 0..=1, .. } => small.to_string(),
        ExprKind::Int { .. } | ExprKind::Char { .. } => "n".to_owned(),
        ExprKind::Float { .. } => "n.0".to_owned(),
        // A conversion is no operator of its own: generated programs have them everywhere.
        ExprKind::Cast(_, inner) | ExprKind::Unary(UnOp::Plus | UnOp::Extension, inner) => {
            expression(seed, scope, *inner, depth)
        }
        ExprKind::Unary(op, inner) => format!("{}{}", unary(*op), below(*inner)),
        ExprKind::Binary(op, left, right) => {
            let whole = format!("{} {} {}", below(*left), binary(*op), below(*right));
            if depth == DEPTH { whole } else { format!("({whole})") }
        }
        ExprKind::Assign(_, _, value) => format!("(= {})", below(*value)),
        ExprKind::Cond(condition, ..) => format!("({} ? :)", below(*condition)),
        ExprKind::Comma(_, last) => format!("(, {})", below(*last)),
        ExprKind::Call(..) => "call".to_owned(),
        ExprKind::Index(base, _) => format!("{}[]", below(*base)),
        ExprKind::Member { base, arrow, .. } => {
            format!("{}{}", below(*base), if *arrow { "->m" } else { ".m" })
        }
        _ => "_".to_owned(),
    }
}

/// How an object lives.
fn variable(seed: &Seed, scope: u32, name: Symbol) -> &'static str {
    let Some(Some(object)) = seed.places.resolve(scope, name) else { return "v" };
    let object = &seed.unit[object];
    match (object.storage, object.linkage) {
        (Storage::Static, Linkage::External) => "global",
        (Storage::Static, Linkage::Internal | Linkage::None) => "static",
        (Storage::Auto, _) => "local",
        (Storage::Param(_), _) => "param",
    }
}

fn unary(op: UnOp) -> &'static str {
    match op {
        UnOp::Plus | UnOp::Extension => "",
        UnOp::Minus => "-",
        UnOp::BitNot => "~",
        UnOp::Not => "!",
        UnOp::Deref => "*",
        UnOp::AddrOf => "&",
        UnOp::PreInc | UnOp::PostInc => "++",
        UnOp::PreDec | UnOp::PostDec => "--",
        UnOp::Real => "__real__ ",
        UnOp::Imag => "__imag__ ",
    }
}

/// Directions are not told apart: `a < b` is `b > a`.
fn binary(op: BinOp) -> &'static str {
    match op {
        BinOp::Mul => "*",
        BinOp::Div | BinOp::Rem => "/",
        BinOp::Add | BinOp::Sub => "+",
        BinOp::Shl | BinOp::Shr => "<<",
        BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge => "<",
        BinOp::Eq | BinOp::Ne => "==",
        BinOp::And => "&",
        BinOp::Xor => "^",
        BinOp::Or => "|",
        BinOp::LogAnd => "&&",
        BinOp::LogOr => "||",
    }
}
