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
pub struct Vocabulary {
    /// Integers that may be read.
    reads: Vec<String>,
    /// Integers that may be assigned.
    writes: Vec<String>,
    /// Real floating objects that may be assigned.
    floats: Vec<String>,
    /// Arrays of integers: all but the subscript.
    arrays: Vec<String>,
    /// Labels of the function.
    labels: Vec<String>,
    in_loop: bool,
    in_breakable: bool,
}

/// Deepest path into an object: `s.f[2].g`.
const PATH: usize = 4;
/// Paths taken from one object.
const PATHS: usize = 6;

impl Vocabulary {
    /// The vocabulary of a place. `mutable` names are the place's own; `labels` only where a jump may lead anywhere.
    pub fn of(seed: &Seed, place: &Place, draw: &mut Choices) -> Vocabulary {
        let function = &seed.places.functions[place.function as usize];
        let labels = if function.jump_barriers { &[][..] } else { &function.labels };
        let mut words = Vocabulary {
            reads: Vec::new(),
            writes: Vec::new(),
            floats: Vec::new(),
            arrays: Vec::new(),
            labels: labels.iter().map(|l| seed.ast.names.name(*l).to_string()).collect(),
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
    fn add(&mut self, seed: &Seed, name: &str, ty: QTy, draw: &mut Choices) {
        let types = &seed.unit.types;
        let mut todo = vec![(name.to_string(), ty, 0usize, ty.quals.has(Quals::CONST))];
        let mut found = 0;
        while let Some((path, ty, depth, constant)) = todo.pop() {
            let constant = constant || ty.quals.has(Quals::CONST);
            match types.kind(ty.ty) {
                TyKind::Int(_) | TyKind::Enum(_) => {
                    found += 1;
                    if !constant {
                        self.writes.push(path.clone());
                    }
                    self.reads.push(path);
                }
                TyKind::Float(_) if !constant => self.floats.push(path),
                TyKind::Pointer(to) if depth < PATH => {
                    if types.int_kind(to.ty).is_some() {
                        todo.push((format!("(*{path})"), *to, depth + 1, to.quals.has(Quals::CONST)));
                    }
                }
                TyKind::Array(elem, ArrayLen::Fixed(n)) if depth < PATH && *n > 0 => {
                    if types.int_kind(elem.ty).is_some() && !constant && !elem.quals.has(Quals::CONST) {
                        self.arrays.push(path.clone());
                    }
                    let index = draw.below((*n).min(1 << 20) as usize);
                    todo.push((format!("{path}[{index}]"), *elem, depth + 1, constant));
                }
                TyKind::Record(id) if depth < PATH => {
                    let fields = types.records[id.0 as usize].fields.as_deref().unwrap_or_default();
                    let named: Vec<_> = fields.iter().filter_map(|f| Some((f.name?, f.ty))).collect();
                    for _ in 0..2 {
                        if let Some((field, ty)) = draw.pick(&named) {
                            let field = seed.unit.names.name(*field);
                            todo.push((format!("{path}.{field}"), *ty, depth + 1, constant));
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

    /// A statement, with what it declares inside braces of its own.
    pub fn statement(&self, depth: usize, draw: &mut Choices) -> String {
        self.produce(depth, self.in_loop, self.in_breakable, draw)
    }

    fn produce(&self, depth: usize, in_loop: bool, in_breakable: bool, draw: &mut Choices) -> String {
        let nested = |this: &Self, draw: &mut Choices| this.produce(depth - 1, in_loop, in_breakable, draw);
        match if depth == 0 { draw.below(6) } else { draw.below(14) } {
            0..=2 => self.assignment(draw),
            3 => match draw.pick(&self.floats) {
                Some(float) => format!("{float} = {float} + {};", self.expression(1, draw)),
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
            let array = &self.arrays[draw.below(self.arrays.len())];
            return format!("{array}[{}] = {value};", self.leaf(draw));
        }
        match draw.pick(&self.writes) {
            Some(place) => match draw.below(4) {
                0 => format!("{place}{};", if draw.coin() { "++" } else { "--" }),
                1 => {
                    let op = draw.pick(&["+", "-", "*", "&", "|", "^"]).copied().unwrap_or("+");
                    format!("{place} {op}= {value};")
                }
                _ => format!("{place} = {value};"),
            },
            None => format!("(void)({value});"),
        }
    }

    fn leaf(&self, draw: &mut Choices) -> String {
        match draw.pick(&self.reads) {
            Some(name) if draw.below(5) > 0 => name.clone(),
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
                format!("{}[{left}]", self.arrays[draw.below(self.arrays.len())])
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
