//! Statements that never run: unrolled from the grammar over the variables in scope, so that they share as much data
//! and control flow with the code around as they can (Hermes, section 4.2, false conditional blocks). They must
//! compile; what they would mean if they ran is of no interest.

use crate::choices::Choices;
use crate::places::Place;
use crate::seed::Seed;
use csyntax::ast::Quals;
use csyntax::intern::Symbol;
use csyntax::types::{ArrayLen, QTy, TyKind};
use rustc_hash::FxHashSet;

/// What dead code may name.
pub struct Vocabulary<'a> {
    /// Objects and what is in them: few are ever written down.
    steps: Vec<Step<'a>>,
    /// Integers that may be read: their last steps, as of the next ones.
    reads: Vec<u32>,
    /// Integers that may be assigned.
    writes: Vec<u32>,
    /// Real floating objects that may be assigned.
    floats: Vec<u32>,
    /// Arrays of integers: all but the subscript.
    arrays: Vec<u32>,
    /// Labels of the function.
    labels: Vec<&'a str>,
    in_loop: bool,
    in_breakable: bool,
}

/// A step on the way to an object; all but the first go on from an earlier one.
#[derive(Copy, Clone)]
enum Step<'a> {
    Name(&'a str),
    Deref(u32),
    Element(u32, usize),
    Member(u32, &'a str),
}

/// The object where a step leads, as text.
struct Path<'a> {
    steps: &'a [Step<'a>],
    last: u32,
}

impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = |last| Path { steps: self.steps, last };
        match self.steps[self.last as usize] {
            Step::Name(name) => f.write_str(name),
            Step::Deref(pointer) => write!(f, "(*{})", of(pointer)),
            Step::Element(array, index) => write!(f, "{}[{index}]", of(array)),
            Step::Member(record, name) => write!(f, "{}.{name}", of(record)),
        }
    }
}

/// Deepest path into an object: `s.f[2].g`.
const PATH: usize = 4;
/// Paths taken from one object.
const PATHS: usize = 6;

impl<'a> Vocabulary<'a> {
    /// The vocabulary of a place. `mutable` names are the place's own; `labels` only where a jump may lead anywhere.
    pub fn of(seed: &'a Seed, place: &Place, draw: &mut Choices) -> Vocabulary<'a> {
        let function = &seed.places.functions[place.function as usize];
        let labels = if function.jump_barriers { &[][..] } else { &function.labels };
        let mut words = Vocabulary {
            steps: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            floats: Vec::new(),
            arrays: Vec::new(),
            labels: labels.iter().map(|l| seed.ast.names.name(*l)).collect(),
            in_loop: place.in_loop,
            in_breakable: place.in_breakable,
        };
        let mut hidden: FxHashSet<Symbol> = FxHashSet::default();
        for scope in seed.places.visible(place.scope) {
            if !hidden.insert(scope.name) {
                continue;
            }
            let Some(object) = scope.object else { continue };
            let entity = &seed.unit[object];
            words.add(seed, seed.ast.names.name(scope.name), entity.ty, draw);
        }
        words
    }

    /// Adds an object and, at random, what is in it.
    fn add(&mut self, seed: &'a Seed, name: &'a str, ty: QTy, draw: &mut Choices) {
        let types = &seed.unit.types;
        let first = self.step(Step::Name(name));
        let mut todo = vec![(first, ty, 0usize, ty.quals.has(Quals::CONST))];
        let mut found = 0;
        while let Some((path, ty, depth, constant)) = todo.pop() {
            let constant = constant || ty.quals.has(Quals::CONST);
            match types.kind(ty.ty) {
                TyKind::Int(_) | TyKind::Enum(_) => {
                    found += 1;
                    if !constant {
                        self.writes.push(path);
                    }
                    self.reads.push(path);
                }
                TyKind::Float(_) if !constant => self.floats.push(path),
                TyKind::Pointer(to) if depth < PATH && types.int_kind(to.ty).is_some() => {
                    todo.push((self.step(Step::Deref(path)), *to, depth + 1, to.quals.has(Quals::CONST)));
                }
                TyKind::Array(elem, ArrayLen::Fixed(n)) if depth < PATH && *n > 0 => {
                    if types.int_kind(elem.ty).is_some() && !constant && !elem.quals.has(Quals::CONST) {
                        self.arrays.push(path);
                    }
                    let index = draw.below((*n).min(1 << 20) as usize);
                    todo.push((self.step(Step::Element(path, index)), *elem, depth + 1, constant));
                }
                TyKind::Record(id) if depth < PATH => {
                    let fields = types.records[id.0 as usize].fields.as_deref().unwrap_or_default();
                    let named: Vec<_> = fields.iter().filter_map(|f| Some((f.name?, f.ty))).collect();
                    for _ in 0..2 {
                        if let Some((field, ty)) = draw.pick(&named) {
                            let field = seed.unit.names.name(*field);
                            todo.push((self.step(Step::Member(path, field)), *ty, depth + 1, constant));
                        }
                    }
                }
                _ => {}
            }
            if found >= PATHS {
                break;
            }
        }
    }

    fn step(&mut self, step: Step<'a>) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    fn path(&self, last: u32) -> Path<'_> {
        Path { steps: &self.steps, last }
    }

    /// A statement, with what it declares inside braces of its own.
    pub fn statement(&self, depth: usize, draw: &mut Choices) -> String {
        self.produce(depth, self.in_loop, self.in_breakable, draw)
    }

    fn produce(&self, depth: usize, in_loop: bool, in_breakable: bool, draw: &mut Choices) -> String {
        let nested = |this: &Self, draw: &mut Choices| this.produce(depth - 1, in_loop, in_breakable, draw);
        match if depth == 0 { draw.below(6) } else { draw.below(14) } {
            0..=2 => self.assignment(draw),
            3 => match draw.pick(&self.floats) {
                Some(float) => {
                    let float = self.path(*float);
                    format!("{float} = {float} + {};", self.expression(1, draw))
                }
                None => self.assignment(draw),
            },
            4 if in_loop => "continue;".to_string(),
            4 if in_breakable => "break;".to_string(),
            5 => match draw.pick(&self.labels) {
                Some(label) if draw.coin() => format!("goto {label};"),
                Some(_) | None => "__builtin_abort();".to_string(),
            },
            4 | 6 => format!("__builtin_printf(\"%d\", (int){});", self.leaf(draw)),
            7 | 8 => {
                let then = nested(self, draw);
                if draw.coin() {
                    let otherwise = nested(self, draw);
                    format!("if ({}) {{ {then} }} else {{ {otherwise} }}", self.expression(2, draw))
                } else {
                    format!("if ({}) {{ {then} }}", self.expression(2, draw))
                }
            }
            9 | 10 => {
                let body = self.produce(depth - 1, true, true, draw);
                match draw.pick(&self.writes) {
                    Some(counter) => {
                        let counter = self.path(*counter);
                        let step = draw.pick(&["++", "--"]).copied().unwrap_or("++");
                        let bound = self.expression(1, draw);
                        let relation = draw.pick(&["<", ">", "!=", "<="]).copied().unwrap_or("<");
                        format!(
                            "for ({counter} = {}; {counter} {relation} {bound}; {counter}{step}) {{ {body} }}",
                            draw.below(10)
                        )
                    }
                    None => format!("while ({}) {{ {body} }}", self.expression(2, draw)),
                }
            }
            11 => {
                let body = self.produce(depth - 1, true, true, draw);
                format!("do {{ {body} }} while ({});", self.expression(2, draw))
            }
            12 => {
                let (one, two) = (nested(self, draw), self.produce(depth - 1, in_loop, true, draw));
                let value = self.expression(1, draw);
                let low = draw.below(5);
                format!("switch ((int){value}) {{ case {low}: {{ {one} }} break; default: {{ {two} }} }}")
            }
            _ => {
                let (first, second) = (nested(self, draw), nested(self, draw));
                format!("{first} {second}")
            }
        }
    }

    fn assignment(&self, draw: &mut Choices) -> String {
        let value = self.expression(2, draw);
        if !self.arrays.is_empty() && draw.below(3) == 0 {
            let array = self.path(self.arrays[draw.below(self.arrays.len())]);
            return format!("{array}[{}] = {value};", self.leaf(draw));
        }
        match draw.pick(&self.writes) {
            Some(place) => {
                let place = self.path(*place);
                match draw.below(4) {
                    0 => format!("{place}{};", if draw.coin() { "++" } else { "--" }),
                    1 => {
                        let op = draw.pick(&["+", "-", "*", "&", "|", "^"]).copied().unwrap_or("+");
                        format!("{place} {op}= {value};")
                    }
                    _ => format!("{place} = {value};"),
                }
            }
            None => format!("(void)({value});"),
        }
    }

    fn leaf(&self, draw: &mut Choices) -> String {
        match draw.pick(&self.reads) {
            Some(name) if draw.below(5) > 0 => self.path(*name).to_string(),
            Some(_) | None => draw.below(10).to_string(),
        }
    }

    fn expression(&self, depth: usize, draw: &mut Choices) -> String {
        if depth == 0 || draw.below(3) == 0 {
            return self.leaf(draw);
        }
        let left = self.expression(depth - 1, draw);
        match draw.below(8) {
            0 => format!("(!{left})"),
            1 => format!("(~{left})"),
            2 if !self.arrays.is_empty() => {
                let array = self.path(self.arrays[draw.below(self.arrays.len())]);
                format!("{array}[{left}]")
            }
            _ => {
                let ops =
                    ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">", "==", "!=", "&&", "||"];
                let op = draw.pick(&ops).copied().unwrap_or("+");
                // A constant zero divisor would be warned about, and nothing else be learnt from it.
                let right =
                    if matches!(op, "/" | "%") { "3".to_string() } else { self.expression(depth - 1, draw) };
                format!("({left} {op} {right})")
            }
        }
    }
}
