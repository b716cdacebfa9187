//! Sweeps: a new function, or a loop, computes an expression over tables of boundary values that the compiler cannot see
//! through; what comes out is known, and the program stops if it is anything else. As Creal puts functions of known
//! results into programs; here they are synthesised, by algorithm 3 of the Hermes paper with the rows of the tables as
//! the states in which every operation must be defined.

use super::live::{fresh, open};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::places::Place;
use crate::seed::Seed;
use crate::synth::arith::{self, Op, constant, convert, keyword, limits, promote};
use crate::synth::env::{Env, Operand};
use crate::synth::expression::{self, Value};
use crate::synth::predicate::strip;
use csyntax::types::{IntKind, Types};

/// The strategy.
pub struct Sweep;

/// Passes of all loops of one sweep, over all visits to its point.
const PASSES: u64 = 2000;
/// Kinds of table columns; the plain `char` has no sign of its own.
const KINDS: [IntKind; 12] = [
    IntKind::SChar,
    IntKind::UChar,
    IntKind::Short,
    IntKind::UShort,
    IntKind::Int,
    IntKind::Int,
    IntKind::UInt,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::LLong,
    IntKind::ULLong,
];

impl Strategy for Sweep {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn about(&self) -> &'static str {
        "computes with tables of boundary values, in functions whose results are known"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let rows = |place: &&Place| {
            let count = seed.points.get(&place.stmt).map_or(0, |p| p.count);
            open(seed, place, settings) && count <= PASSES / 8
        };
        let fit: Vec<&Place> = seed.places.all.iter().filter(rows).collect();
        let chance = (settings.sweeps / fit.len().max(1) as f64).min(1.0);
        let mut edits = Vec::new();
        for place in fit {
            if draw.chance(chance) {
                let (definitions, code) = sweep(seed, place, draw);
                let change = Change::Define { definitions, code };
                edits.push(Edit { strategy: self.name().to_string(), at: place.stmt.0, change });
            }
        }
        edits
    }
}

/// Tables, their rows as the states of an environment, and how an operand is written where they are read.
struct Tables {
    definitions: String,
    env: Env,
    /// Passes of the outer and the inner loop.
    passes: (usize, usize),
}

/// The definitions that a sweep needs, and its statements.
fn sweep(seed: &Seed, place: &Place, draw: &mut Choices) -> (String, String) {
    let types = &seed.unit.types;
    let name = fresh(seed, "sweep", place, 0);
    let count = seed.points.get(&place.stmt).map_or(1, |p| p.count).max(1);
    let most = (PASSES / count).min(36) as usize;
    let Tables { mut definitions, mut env, passes } = tables(types, &name, most, draw);
    let (statements, text) = if draw.below(3) > 0 {
        let accesses: Vec<String> = env.operands.iter().map(|o| o.text.clone()).collect();
        let mut params = Vec::new();
        for (k, operand) in env.operands.iter_mut().enumerate() {
            operand.text = format!("a{k}");
            params.push(format!("{} a{k}", keyword(operand.kind)));
        }
        let (body, value) = computation(types, &mut env, draw);
        let kind = *draw.pick(&KINDS).unwrap_or(&IntKind::Int);
        let inline = *draw.pick(&["", "__attribute__((noinline)) ", "inline "]).unwrap_or(&"");
        definitions.push_str(&format!(
            "static {inline}{} {name}_f({})\n{{\n{body}return {};\n}}\n",
            keyword(kind),
            params.join(", "),
            strip(&value.text)
        ));
        let call = format!("{name}_f({})", accesses.join(", "));
        (String::new(), Value { text: call, kind, values: value.assigned(types, kind), exact: true })
    } else {
        computation(types, &mut env, draw)
    };
    (definitions, relied_on(types, &statements, &text, passes, draw))
}

fn tables(types: &Types, name: &str, most: usize, draw: &mut Choices) -> Tables {
    let columns = draw.range(1, 4);
    let crossed = columns > 1 && most >= 16 && draw.below(3) == 0;
    let passes = if crossed {
        (draw.range(2, 4), draw.range(2, most / 4))
    } else {
        (1, draw.range(3.min(most), most.min(14)))
    };
    let passes = (passes.0, passes.1.max(1));
    let rows = passes.0 * passes.1;
    let mut env = Env { rows, exact: true, ..Env::default() };
    // Sometimes the compiler is shown the values.
    let storage = *draw.pick(&["", "", "", "static const ", "static "]).unwrap_or(&"");
    let together = !crossed && draw.below(4) == 0;
    let (mut definitions, mut members, mut lists) =
        (String::new(), String::new(), vec![String::new(); passes.1]);
    for column in 0..columns {
        let kind = *draw.pick(&KINDS).unwrap_or(&IntKind::Int);
        let outer = crossed && column == 0;
        let length = if outer { passes.0 } else { passes.1 };
        let style = draw.below(4);
        let values: Vec<i128> = (0..length).map(|_| entry(types, kind, style, draw)).collect();
        let spelled: Vec<String> = values.iter().map(|v| constant(types, promote(types, kind), *v)).collect();
        let text = if together {
            members.push_str(&format!("{} m{column}; ", keyword(kind)));
            lists.iter_mut().zip(&spelled).for_each(|(list, value)| list.push_str(&format!("{value}, ")));
            format!("{name}[j].m{column}")
        } else {
            let list = spelled.join(", ");
            definitions
                .push_str(&format!("{storage}{} {name}_{column}[{length}] = {{{list}}};\n", keyword(kind)));
            format!("{name}_{column}[{}]", if outer { "i" } else { "j" })
        };
        let at = |row: usize| if outer { row / passes.1 } else { row % passes.1 };
        let values = (0..rows).map(|row| values[at(row)]).collect();
        env.operands.push(Operand { text, kind, values, writable: false, object: None });
    }
    if together {
        let all: String = lists.iter().map(|list| format!("{{ {list}}}, ")).collect();
        definitions = format!("{storage}struct {{ {members}}} {name}[{}] = {{ {all}}};\n", passes.1);
    }
    Tables { definitions, env, passes }
}

/// A value of a table: small, near a bound, near a power of two, or any.
fn entry(types: &Types, kind: IntKind, style: usize, draw: &mut Choices) -> i128 {
    let (least, most) = limits(types, kind);
    let style = if draw.below(4) == 0 { draw.below(4) } else { style };
    let value = match style {
        0 => draw.below(40) as i128 - 12,
        1 => {
            let near = *draw.pick(&[least, most, 0, most / 2]).unwrap_or(&0);
            near + draw.below(5) as i128 - 2
        }
        2 => {
            let power = 1i128 << draw.below(arith::bits(types, kind) as usize);
            power + draw.below(3) as i128 - 1
        }
        _ => i128::from(draw.word()) >> draw.below(64),
    };
    convert(types, kind, value)
}

/// A few statements over variables of their own, and an expression of what they leave.
fn computation(types: &Types, env: &mut Env, draw: &mut Choices) -> (String, Value) {
    let mut code = String::new();
    let mut own: Vec<usize> = Vec::new();
    for number in 0..draw.below(4) {
        let value = expression::rich(types, env, draw);
        if !own.is_empty() && draw.coin() {
            // An assignment on a condition: the states say in which of them it is made.
            let at = own[draw.below(own.len())];
            let test = expression::rich(types, env, draw);
            let kind = env.operands[at].kind;
            let then = value.assigned(types, kind);
            let name = env.operands[at].text.clone();
            code.push_str(&format!("if ({}) {name} = {};\n", strip(&test.text), strip(&value.text)));
            for (row, made) in then.into_iter().enumerate() {
                if test.values[row] != 0 {
                    env.operands[at].values[row] = made;
                }
            }
            continue;
        }
        let kind = *draw.pick(&KINDS).unwrap_or(&IntKind::Int);
        let text = format!("v{number}");
        code.push_str(&format!("{} {text} = {};\n", keyword(kind), strip(&value.text)));
        let values = value.assigned(types, kind);
        own.push(env.operands.len());
        env.operands.push(Operand { text, kind, values, writable: false, object: None });
    }
    (code, expression::rich(types, env, draw))
}

/// How the values of all passes become one that is compared.
enum Sum {
    /// `s = s * f + e`, without a sign.
    Hash(IntKind, i128),
    /// `s ^= e`, `s += e`, `s |= e` and the like, without a sign.
    Fold(Op, IntKind),
    /// `if (e > s) s = e`.
    Extreme(Op),
    /// `s += e` in a floating type that holds all sums exactly.
    Float(&'static str, f64),
    /// An array is filled, and compared with another.
    Array(IntKind),
}

/// Largest value added up in a floating type.
const LARGEST: i128 = 1 << 16;

/// The loops that compute the value in every pass, and the comparison.
fn relied_on(
    types: &Types,
    statements: &str,
    value: &Value,
    (outer, inner): (usize, usize),
    draw: &mut Choices,
) -> String {
    let unsigned = [IntKind::UInt, IntKind::ULong, IntKind::ULLong, IntKind::UShort, IntKind::UChar];
    let kind = unsigned[draw.below(unsigned.len())];
    let small = value.values.iter().all(|v| v.abs() <= LARGEST);
    let sum = match draw.below(7) {
        0 => Sum::Hash(unsigned[draw.below(3)], draw.range(3, 40) as i128),
        1 => Sum::Fold(Op::Add, kind),
        2 => Sum::Fold(*draw.pick(&[Op::Xor, Op::Sub, Op::Or, Op::And]).unwrap_or(&Op::Xor), kind),
        3 => Sum::Extreme(if draw.coin() { Op::Gt } else { Op::Lt }),
        4 if small => {
            let factor = *draw.pick(&[1.0, 0.5, 2.0, -0.25, 3.0]).unwrap_or(&1.0);
            // A `float` has 24 bits; 36 sums of 2^16 * 3 in quarters have more.
            let float = value.values.iter().all(|v| v.abs() <= 1 << 8);
            Sum::Float(if float && draw.coin() { "float" } else { "double" }, factor)
        }
        _ => Sum::Array(*draw.pick(&KINDS).unwrap_or(&IntKind::Int)),
    };
    let rows = outer * inner;
    // Where both loops run upwards, the rows come in order.
    let (declared, step, test) = match &sum {
        Sum::Hash(kind, factor) => {
            let word = keyword(*kind);
            let all = value.values.iter().fold(1, |s, v| {
                let product = convert(types, *kind, s * factor);
                convert(types, *kind, product + convert(types, *kind, *v))
            });
            (
                format!("{word} s = 1;\n"),
                format!("s = s * {factor} + ({word}){};", value.text),
                format!("s != {}", constant(types, promote(types, *kind), all)),
            )
        }
        Sum::Fold(op, kind) => {
            let start = if *op == Op::And { limits(types, *kind).1 } else { 0 };
            let all = value.values.iter().fold(start, |s, v| {
                let v = convert(types, *kind, *v);
                let made = match op {
                    Op::Xor => s ^ v,
                    Op::Or => s | v,
                    Op::And => s & v,
                    Op::Sub => s - v,
                    _ => s + v,
                };
                convert(types, *kind, made)
            });
            let word = keyword(*kind);
            let promoted = promote(types, *kind);
            (
                format!("{word} s = {};\n", constant(types, promoted, start)),
                format!(
                    "s {}= ({word}){};",
                    if matches!(op, Op::Xor | Op::Or | Op::And | Op::Sub) { op.text() } else { "+" },
                    value.text
                ),
                format!("s != {}", constant(types, promoted, all)),
            )
        }
        Sum::Extreme(op) => {
            let kind = promote(types, value.kind);
            let (least, most) = limits(types, kind);
            let greatest = *op == Op::Gt;
            let all = if greatest { value.values.iter().max() } else { value.values.iter().min() };
            let start = constant(types, kind, if greatest { least } else { most });
            (
                format!("{} s = {start};\n", keyword(kind)),
                format!("if ({} {} s) s = {};", value.text, op.text(), value.text),
                format!("s != {}", constant(types, kind, all.copied().unwrap_or(least))),
            )
        }
        Sum::Float(word, factor) => {
            let all: f64 = value.values.iter().map(|v| *v as f64 * factor).sum();
            let suffix = if *word == "float" { "f" } else { "" };
            let spelled = |v: f64| format!("{}{:.2}{suffix}", if v < 0.0 { "-" } else { "" }, v.abs());
            (
                format!("{word} s = 0;\n"),
                format!("s = s + ({word}){} * {};", value.text, spelled(*factor)),
                format!("s != {}", spelled(all)),
            )
        }
        Sum::Array(kind) => {
            let (word, promoted) = (keyword(*kind), promote(types, *kind));
            let wanted: Vec<String> =
                value.assigned(types, *kind).iter().map(|v| constant(types, promoted, *v)).collect();
            let k = format!("for (i = 0; i < {rows}; i++) if (got[i] != wanted[i]) __builtin_abort();\n");
            let code = loops(
                &format!(
                    "static const {word} wanted[{rows}] = {{{}}};\n{word} got[{rows}];\n",
                    wanted.join(", ")
                ),
                statements,
                &format!("got[i * {inner} + j] = {};", value.text),
                (outer, inner),
                draw,
            );
            return format!("{{\n{code}{k}}}");
        }
    };
    let code = loops(&declared, statements, &step, (outer, inner), draw);
    format!("{{\n{code}if ({test}) __builtin_abort();\n}}")
}

/// The loops around a step; the inner one in one of the forms that C has.
fn loops(
    declared: &str,
    statements: &str,
    step: &str,
    (outer, inner): (usize, usize),
    draw: &mut Choices,
) -> String {
    let words = ["int", "unsigned int", "long", "unsigned long", "short", "unsigned char"];
    let (i, j) = (words[draw.below(2)], words[draw.below(words.len())]);
    let body = format!("{statements}{step}");
    let turn = match draw.below(4) {
        0 => format!("j = 0;\nwhile (j < {inner}) {{\n{body}\nj++;\n}}"),
        1 => format!("j = 0;\ndo {{\n{body}\n}} while (++j < {inner});"),
        _ => format!("for (j = 0; j < {inner}; j++) {{\n{body}\n}}"),
    };
    let all = if outer > 1 {
        format!("for (i = 0; i < {outer}; i++) {{\n{turn}\n}}\n")
    } else {
        format!("i = 0;\n{turn}\n")
    };
    format!("{i} i;\n{j} j;\n{declared}{all}")
}
