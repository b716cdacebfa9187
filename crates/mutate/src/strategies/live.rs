//! What strategies for live code share: where it may be put, and what may be said of the expressions there.

use super::Settings;
use crate::choices::Choices;
use crate::places::Place;
use crate::seed::Seed;
use crate::synth::env::Env;
use csyntax::ast::{ExprId, ExprKind, StmtId, StmtKind, UnOp};
use csyntax::types::{IntKind, QTy, TyKind, Types};
use csyntax::visit::{self, Node};

/// May live code be put in front of a statement?
pub fn open(seed: &Seed, place: &Place, settings: &Settings) -> bool {
    let count = seed.points.get(&place.stmt).map_or(0, |p| p.count);
    place.parent.is_some()
        && !place.in_expression
        && seed.places.functions[place.function as usize].live_edits
        && count > 0
        && count <= settings.hottest
}

/// The probability with which a point is mutated: small programs would otherwise often stay as they are.
pub fn probability(seed: &Seed, settings: &Settings) -> f64 {
    // Some points are left alone in every variant.
    const MOST: f64 = 0.75;
    let points = seed.places.all.iter().filter(|place| open(seed, place, settings)).count().max(1) as f64;
    settings.point_probability.max((settings.least_points / points).min(MOST))
}

/// The probability for edits that need the values at a point, which not every point has.
pub fn profiled_probability(seed: &Seed, settings: &Settings) -> f64 {
    (probability(seed, settings) / seed.profiled).min(1.0)
}

/// The drawn places for live code, with what is known there.
pub fn points<'a>(seed: &'a Seed, settings: &Settings, draw: &mut Choices) -> Vec<(&'a Place, &'a Env)> {
    let mut found = Vec::new();
    let probability = profiled_probability(seed, settings);
    for place in &seed.places.all {
        if draw.chance(probability)
            && open(seed, place, settings)
            && let Some(env) = seed.env(place).filter(|env| !env.is_empty())
        {
            found.push((place, env));
        }
    }
    found
}

/// May it be put into a block of its own? What it declares, and objects of compound literals, would die there.
pub fn wrappable(seed: &Seed, place: &Place) -> bool {
    let literal = |e: &ExprId| matches!(seed.ast[*e].kind, ExprKind::CompoundLit(..));
    !matches!(seed.ast[place.stmt].kind, StmtKind::Decl(_))
        && !visit::exprs(&seed.ast, Node::Stmt(place.stmt)).iter().any(literal)
}

/// A name that the program does not use, nor begins others with.
pub fn fresh(seed: &Seed, stem: &str, place: &Place, number: usize) -> String {
    seed.unused(format!("{stem}_{}_{number}", place.stmt.0))
}

/// The right side of `name = e` where both are integers. Any place but a plain name could be evaluated with side
/// effects that are unsequenced with added code.
pub fn assigned_integer(seed: &Seed, e: ExprId) -> Option<ExprId> {
    let ExprKind::Assign(None, left, right) = seed.ast[e].kind else { return None };
    let plain = matches!(seed.ast[left].kind, ExprKind::Ident(_));
    let odd =
        |id: &ExprId| matches!(seed.ast[*id].kind, ExprKind::StmtExpr(_) | ExprKind::Unary(UnOp::AddrOf, _));
    let simple = !visit::exprs(&seed.ast, Node::Expr(right)).iter().any(odd);
    (plain && simple && integer(seed, left).is_some() && integer(seed, right).is_some()).then_some(right)
}

/// The integer kind of an expression before conversions that its context asks for.
pub fn integer(seed: &Seed, e: ExprId) -> Option<IntKind> {
    let of = seed.typed.get(&e)?;
    seed.unit.types.int_kind(seed.unit.exprs[*of as usize].ty.ty)
}

/// The integer value that a statement computes without side effects: what it assigns to a plain name, or returns.
pub fn pure_value(seed: &Seed, place: &Place) -> Option<(ExprId, IntKind)> {
    let value = match &seed.ast[place.stmt].kind {
        StmtKind::Expr(e) => assigned_integer(seed, *e)?,
        StmtKind::Return(Some(e)) => *e,
        _ => return None,
    };
    let kind = integer(seed, value).filter(|kind| *kind < IntKind::Int128)?;
    pure(seed, value).then_some((value, kind))
}

/// Has it no side effects, no volatile accesses and no calls?
pub fn pure(seed: &Seed, e: ExprId) -> bool {
    let volatile = |id: &ExprId| {
        let typed = seed.typed.get(id).map(|k| seed.unit.exprs[*k as usize].ty);
        typed.is_some_and(|ty| ty.quals.has(csyntax::ast::Quals::VOLATILE))
    };
    let all = visit::exprs(&seed.ast, Node::Expr(e));
    !all.iter().any(volatile)
        && all.iter().all(|id| match &seed.ast[*id].kind {
            ExprKind::Ident(_)
            | ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Char { .. }
            | ExprKind::Binary(..)
            | ExprKind::Cond(..)
            | ExprKind::Comma(..)
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::Cast(..) => true,
            ExprKind::Unary(op, _) => !matches!(
                op,
                UnOp::PreInc
                    | UnOp::PreDec
                    | UnOp::PostInc
                    | UnOp::PostDec
                    | UnOp::AddrOf
                    | UnOp::Real
                    | UnOp::Imag
            ),
            ExprKind::Str(_)
            | ExprKind::Assign(..)
            | ExprKind::Call(..)
            | ExprKind::CompoundLit(..)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::Generic(..)
            | ExprKind::StmtExpr(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::VaArg(..)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..)
            | ExprKind::ChooseExpr(..)
            | ExprKind::ConvertVector(..)
            | ExprKind::Error => false,
        })
}

/// What leaves or enters a statement otherwise than at its ends.
#[derive(Copy, Clone, Default, Debug)]
pub struct Jumps {
    /// A `break` of a loop or switch around it.
    pub breaks: bool,
    /// A `continue` of a loop around it.
    pub continues: bool,
    /// A `case` or `default` of a switch around it.
    pub cases: bool,
    /// A label, or an object that must not be there twice.
    pub unique: bool,
}

/// The jumps of a statement.
pub fn jumps(seed: &Seed, stmt: StmtId) -> Jumps {
    let ast = &seed.ast;
    let (mut loops, mut switches) = (0u32, 0u32);
    let span = ast[stmt].span;
    let within =
        |o: &csyntax::tree::Object| o.owner.is_some() && span.lo <= o.span.lo && o.span.hi <= span.hi;
    // A volatile object must be one.
    let volatile = |o: &csyntax::tree::Object| within(o) && has_volatile(&seed.unit.types, o.ty);
    let mut found = Jumps { unique: seed.unit.objects.iter().any(volatile), ..Jumps::default() };
    visit::walk(ast, Node::Stmt(stmt), |moment| {
        let (visit::Visit::Enter(node) | visit::Visit::Leave(node)) = moment;
        let enter = matches!(moment, visit::Visit::Enter(_));
        match node {
            Node::Stmt(s) => match &ast[s].kind {
                StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => {
                    loops = if enter { loops + 1 } else { loops - 1 };
                }
                StmtKind::Switch(..) => switches = if enter { switches + 1 } else { switches - 1 },
                StmtKind::Break => found.breaks |= loops + switches == 0,
                StmtKind::Continue => found.continues |= loops == 0,
                StmtKind::Case(..) | StmtKind::Default(_) => found.cases |= switches == 0,
                StmtKind::Label(..)
                | StmtKind::LocalLabels(_)
                | StmtKind::NestedFn(_)
                | StmtKind::Asm(_)
                | StmtKind::Pragma(_) => found.unique = true,
                _ => {}
            },
            Node::Decl(d) => {
                let storage = ast[d].storage;
                found.unique |= storage.has(csyntax::ast::Storage::STATIC);
            }
            Node::Expr(e) => {
                found.unique |= matches!(ast[e].kind, ExprKind::StmtExpr(_) | ExprKind::LabelAddr(_));
            }
            Node::Type(_) | Node::Init(_) | Node::Function(_) | Node::Record(_) | Node::Enum(_) => {}
        }
        visit::Flow::Continue
    });
    found
}

/// Is it, or anything in it, volatile?
fn has_volatile(types: &Types, ty: QTy) -> bool {
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        if ty.quals.has(csyntax::ast::Quals::VOLATILE) {
            return true;
        }
        match types.kind(ty.ty) {
            TyKind::Array(elem, _) => todo.push(*elem),
            TyKind::Record(id) => {
                todo.extend(types.records[id.0 as usize].fields.iter().flatten().map(|f| f.ty));
            }
            TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Complex(_)
            | TyKind::Enum(_)
            | TyKind::Pointer(_)
            | TyKind::Vector(..)
            | TyKind::Function(_)
            | TyKind::VaList => {}
        }
    }
    false
}

/// The text of a node of the seed.
pub fn text(seed: &Seed, span: csyntax::source::Span) -> Option<&str> {
    seed.text.get(span.lo as usize..span.hi as usize)
}
