//! The places of a program where a detour can be taken, with their keys: the values that its functions compute, operands
//! before what is computed of them, and the assignments that compute.

use super::helpers::{Helper, Scalar, relation, symbol};
use csyntax::ast;
use csyntax::tree::{Conversion, ExprId, ExprKind, Op, Rel, StmtId, StmtKind, Storage, Unit};

/// How the keys of compound assignments begin.
pub const ASSIGNMENT: &str = "compound assignment";

/// How keys begin, one a family of constructs.
pub const FAMILIES: &[&str] = &[
    "conversion of ",
    "operator ",
    "comparison ",
    "test of ",
    "negation of ",
    "complement of ",
    "index of ",
    "switch on ",
    VARIABLE,
    ASSIGNMENT,
];

/// How the key of variable-length arrays is called.
pub const VARIABLE: &str = "variable-length array";

/// Elements of an array that stands for one of variable length. The machine sees where that is too few.
const ROOM: u128 = 1024;

/// What is done at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The value of the node is handed to the helper.
    Wrap(Helper),
    /// The node is the cast, or the operator, that the helper does in its stead: its operands are handed over.
    Instead(Helper),
    /// The node becomes this constant.
    Constant(u128),
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Of what kind the construct is.
    pub key: String,
    /// The node of the syntax.
    pub node: ast::ExprId,
    /// What takes its place.
    pub action: Action,
}

/// Every place of the functions' values, in the order of evaluation as far as C has one.
pub fn of_expressions(unit: &Unit) -> Vec<Place> {
    let mut finder = Finder { unit, found: Vec::new() };
    for body in unit.functions.iter().filter_map(|function| function.body) {
        finder.stmt(body);
    }
    finder.found
}

/// The keys of compound assignments and increments; their places are found in the syntax.
pub fn of_assignments(unit: &Unit) -> Vec<Place> {
    let assigned = unit.exprs.iter().filter_map(|expr| {
        Some(Place {
            key: assignment_key(unit, expr)?,
            node: expr.origin,
            action: Action::Wrap(Helper::Same(Scalar::of(unit, expr.ty.ty)?)),
        })
    });
    assigned.collect()
}

/// The key of a compound assignment or an increment.
pub fn assignment_key(unit: &Unit, expr: &csyntax::tree::Expr) -> Option<String> {
    let (place, compute) = match &expr.kind {
        ExprKind::CompoundAssign { place, compute } | ExprKind::IncDec { place, compute, .. } => {
            (*place, *compute)
        }
        _ => return None,
    };
    let class = class_of_place(unit, place)?;
    let mut inner = compute;
    while let ExprKind::Convert { value, .. } = &unit[inner].kind {
        inner = *value;
    }
    let ExprKind::Binary(op, ..) = &unit[inner].kind else { return None };
    let by = Scalar::of(unit, unit[inner].ty.ty)?.class(unit);
    Some(format!("{ASSIGNMENT} {}= of {class} in {by}", symbol(*op)))
}

fn class_of_place(unit: &Unit, place: ExprId) -> Option<String> {
    let class = Scalar::of(unit, unit[place].ty.ty)?.class(unit);
    Some(if is_bit_field(unit, place) { format!("bit-field {class}") } else { class })
}

fn is_bit_field(unit: &Unit, place: ExprId) -> bool {
    let ExprKind::Member { record, field, .. } = &unit[place].kind else { return false };
    let fields = unit.types.records[record.0 as usize].fields.as_ref();
    fields.and_then(|fields| fields.get(*field as usize)).is_some_and(|field| field.bits.is_some())
}

struct Finder<'u> {
    unit: &'u Unit,
    found: Vec<Place>,
}

impl Finder<'_> {
    fn stmt(&mut self, id: StmtId) {
        let unit = self.unit;
        match &unit[id].kind {
            StmtKind::Nop
            | StmtKind::Goto(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_) => {}
            StmtKind::VlaEval(length) => {
                let node = unit[unit.vlas[length.0 as usize].len].origin;
                let action = Action::Constant(ROOM);
                self.found.push(Place { key: VARIABLE.to_owned(), node, action });
            }
            StmtKind::Expr(e) | StmtKind::GotoPtr(e) => self.expr(*e),
            StmtKind::Block { body, .. } => body.iter().for_each(|&s| self.stmt(s)),
            StmtKind::Decl(object) => {
                let object = &unit[*object];
                if object.storage == Storage::Auto {
                    object
                        .init
                        .iter()
                        .flat_map(|init| &init.entries)
                        .for_each(|entry| self.expr(entry.value));
                }
            }
            StmtKind::If(cond, then, otherwise) => {
                self.test(*cond);
                self.stmt(*then);
                otherwise.iter().for_each(|&s| self.stmt(s));
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.test(*cond);
                self.stmt(*body);
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|&s| self.stmt(s));
                cond.iter().for_each(|&e| self.test(e));
                step.iter().for_each(|&e| self.expr(e));
                self.stmt(*body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(*value);
                self.wrap(*value, "switch on", Helper::Same);
                self.stmt(*body);
            }
            StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.stmt(*body),
            StmtKind::Return(value) => value.iter().for_each(|&e| self.expr(e)),
        }
    }

    fn expr(&mut self, id: ExprId) {
        let unit = self.unit;
        match &unit[id].kind {
            ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec { place, .. } => self.expr(*place),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => [a, b].into_iter().for_each(|e| self.test(*e)),
            ExprKind::Cond(c, a, b) => {
                self.test(*c);
                [a, b].into_iter().for_each(|e| self.expr(*e));
            }
            // The value of the tested expression stands in the other operand.
            ExprKind::CondElvis { cond, other, .. } => [cond, other].into_iter().for_each(|e| self.expr(*e)),
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.expr(*ptr);
                self.expr(*index);
                self.wrap(*index, "index of", Helper::Same);
            }
            ExprKind::StmtExpr { block, value } => {
                self.stmt(*block);
                value.iter().for_each(|&e| self.expr(e));
            }
            ExprKind::VlaEval(_, value) => self.expr(*value),
            kind => {
                operands(kind).into_iter().for_each(|e| self.expr(e));
                self.computed(id);
            }
        }
    }

    /// A value that is only asked whether it is zero.
    fn test(&mut self, id: ExprId) {
        self.expr(id);
        self.wrap(id, "test of", Helper::Test);
    }

    fn scalar(&self, id: ExprId) -> Option<Scalar> {
        Scalar::of(self.unit, self.unit[id].ty.ty)
    }

    fn wrap(&mut self, id: ExprId, family: &str, helper: fn(Scalar) -> Helper) {
        // Constants are computed nowhere.
        if let (Some(of), false) = (self.scalar(id), matches!(self.unit[id].kind, ExprKind::Int(_))) {
            let key = format!("{family} {}", of.class(self.unit));
            let node = self.unit[id].origin;
            self.found.push(Place { key, node, action: Action::Wrap(helper(of)) });
        }
    }

    fn computed(&mut self, id: ExprId) {
        let found = match &self.unit[id].kind {
            ExprKind::Convert { kind, value, explicit } => self.conversion(id, *kind, *value, *explicit),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b),
            ExprKind::Compare(rel, a, _) => self.compare(*rel, *a),
            ExprKind::Neg(a) => self.unary(*a, "negation of", Helper::Neg),
            ExprKind::BitNot(a) => self.unary(*a, "complement of", Helper::Complement),
            ExprKind::Not(a) => self.unary(*a, "test of", Helper::Not),
            _ => None,
        };
        let node = self.unit[id].origin;
        self.found.extend(found.map(|(key, action)| Place { key, node, action }));
    }

    fn conversion(
        &self,
        id: ExprId,
        kind: Conversion,
        value: ExprId,
        explicit: bool,
    ) -> Option<(String, Action)> {
        use Conversion::{FloatToFloat, FloatToInt, IntToFloat, IntToInt, ToBool};
        if !matches!(kind, IntToInt | IntToFloat | FloatToInt | FloatToFloat | ToBool) {
            return None;
        }
        let (from, to) = (self.scalar(value)?, self.scalar(id)?);
        let unit = self.unit;
        let what = match &unit[value].kind {
            ExprKind::Load(place) if is_bit_field(unit, *place) => "bit-field ",
            ExprKind::Int(_) | ExprKind::Float(_) => "constant ",
            _ => "",
        };
        let key = format!("conversion of {what}{} to {}", from.class(unit), to.class(unit));
        let helper = Helper::Convert(from, to);
        Some((key, if explicit { Action::Instead(helper) } else { Action::Wrap(helper) }))
    }

    fn binary(&self, op: Op, a: ExprId, b: ExprId) -> Option<(String, Action)> {
        let (of, by) = (self.scalar(a)?, self.scalar(b)?);
        let constant = |id: ExprId| matches!(self.unit[id].kind, ExprKind::Int(_) | ExprKind::Float(_));
        let by_what = if constant(b) { " by a constant" } else { "" };
        let key = format!("operator {} of {}{by_what}", symbol(op), of.class(self.unit));
        Some((key, Action::Instead(Helper::Binary(op, of, by))))
    }

    fn compare(&self, rel: Rel, a: ExprId) -> Option<(String, Action)> {
        let of = self.scalar(a)?;
        let key = format!("comparison {} of {}", relation(rel), of.class(self.unit));
        Some((key, Action::Instead(Helper::Compare(rel, of))))
    }

    fn unary(&self, a: ExprId, family: &str, helper: fn(Scalar) -> Helper) -> Option<(String, Action)> {
        let of = self.scalar(a)?;
        Some((format!("{family} {}", of.class(self.unit)), Action::Instead(helper(of))))
    }
}

/// The operands of what computes no jump and changes no place by itself, in order.
fn operands(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Deref(a)
        | ExprKind::Materialize(a, _)
        | ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Neg(a)
        | ExprKind::BitNot(a)
        | ExprKind::Not(a)
        | ExprKind::VaArg(a)
        | ExprKind::PartOf(a, _)
        | ExprKind::VlaEval(_, a)
        | ExprKind::Member { base: a, .. }
        | ExprKind::ComplexPart { base: a, .. }
        | ExprKind::Convert { value: a, .. } => vec![*a],
        ExprKind::VectorElem(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Complex(a, b) => vec![*a, *b],
        // The value is computed before the store.
        ExprKind::Assign(a, b) => vec![*b, *a],
        ExprKind::PtrDiff(a, b, _) => vec![*a, *b],
        ExprKind::PtrAdd { ptr, index, .. } => vec![*ptr, *index],
        ExprKind::Cond(a, b, c) => vec![*a, *b, *c],
        ExprKind::CondElvis { cond, other, .. } => vec![*cond, *other],
        ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec { place, .. } => vec![*place],
        ExprKind::Call(callee, args) => std::iter::once(callee).chain(args).copied().collect(),
        ExprKind::Builtin(_, args) => args.clone(),
        ExprKind::StmtExpr { value, .. } => value.iter().copied().collect(),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::VlaLen(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::LabelAddrOuter(..)
        | ExprKind::Object(_)
        | ExprKind::Str(_)
        | ExprKind::CompoundLit(_)
        | ExprKind::Function(_)
        | ExprKind::Same => Vec::new(),
    }
}
