//! Conditional expressions and operands.

use super::tokened::Tokened;
use crate::passes::{Pass, Stage};
use crate::{Case, Hint};

/// Keeps one operand of an operator.
pub struct Ternary;

/// What ends an operand of `?:` at either side.
const AROUND: &[&str] = &[
    ",", ";", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "return", "{", "}", "?",
    ":", "case",
];

/// Operators between two operands.
const BINARY: &[&str] = &[
    "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||", "=",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ",",
];

impl Pass for Ternary {
    fn name(&self) -> &'static str {
        "operands"
    }

    fn about(&self) -> &'static str {
        "Keeps one operand of `?:` and of operators with two operands."
    }

    fn stage(&self) -> Stage {
        Stage::Fine
    }

    fn alternatives(&self) -> bool {
        true
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for file in Tokened::all(case) {
            for at in 1..file.tokens.len() {
                if file.is(at, b"?") {
                    conditional(&file, at, &mut hints);
                } else if file.is_any(at, BINARY) && (file.is_operand(at - 1) || file.closes(at - 1)) {
                    binary(&file, at, &mut hints);
                }
            }
        }
        hints
    }
}

/// `c ? a : b` to `a`, `b` and `c`.
fn conditional(file: &Tokened<'_>, question: usize, hints: &mut Vec<Hint>) {
    let around = |t: usize| t != question && file.is_any(t, AROUND);
    let start = file.extent(question, &around).start;
    let mut depth = 0;
    let mut colon = question + 1;
    while colon < file.tokens.len() && !file.closes(colon) {
        match file.word(colon) {
            b"?" => depth += 1,
            b":" if depth == 0 => break,
            b":" => depth -= 1,
            _ => {}
        }
        colon = if file.opens(colon) { file.partner[colon].unwrap_or(colon) + 1 } else { colon + 1 };
    }
    if !file.is(colon, b":") || colon == question + 1 || start == question {
        return;
    }
    let last = |t: usize| t != colon && file.is_any(t, &[",", ";", "}", ":"]);
    let end = file.extent(colon, &last).end;
    hints.push(Hint { patches: vec![file.cut(start..question + 1), file.cut(colon..end)] });
    hints.push(file.hint(start..colon + 1));
    hints.push(file.hint(question..end));
}

/// `a + b` to `a` and `b`; of a longer chain also all to one side.
fn binary(file: &Tokened<'_>, op: usize, hints: &mut Vec<Hint>) {
    let narrow = |t: usize| t != op && (file.is_any(t, BINARY) || file.is_any(t, AROUND));
    let wide = |t: usize| t != op && file.is_any(t, AROUND);
    let (near, far) = (file.extent(op, &narrow), file.extent(op, &wide));
    let mut cuts = vec![op..far.end, far.start..op + 1];
    cuts.extend((near.end != far.end).then_some(op..near.end));
    cuts.extend((near.start != far.start).then_some(near.start..op + 1));
    hints.extend(cuts.into_iter().filter(|cut| cut.len() > 1).map(|cut| file.hint(cut)));
}
