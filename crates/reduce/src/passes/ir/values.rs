//! Values: instructions removed, their results and operands replaced by constants or by other values, never by `undef`.

use super::module::{Function, Instruction, Module, hint, name_at, parts, uses};
use super::types::{is_integer, leading_type, result_type, zero};
use crate::{Hint, Patch};

ir_pass!(
    IrInstructions,
    "ir-instructions",
    "LLVM IR: removes instructions, with a constant for what they give.",
    instructions,
    Coarse
);
ir_pass!(
    IrForward,
    "ir-forward",
    "LLVM IR: replaces what instructions give by an operand of its type.",
    forward
);
ir_pass!(IrOperands, "ir-operands", "LLVM IR: replaces operands by constants.", operands, Fine);

/// All instructions but terminators, of all functions.
fn all<'m, 'c>(module: &'m Module<'c>) -> impl Iterator<Item = (&'m Function<'c>, &'m Instruction<'c>)> {
    module.functions.iter().flat_map(|function| {
        let inner = function.blocks.iter().flat_map(|block| match block.instructions.split_last() {
            Some((_, inner)) => inner,
            None => &[],
        });
        inner.map(move |instruction| (function, instruction))
    })
}

/// An instruction cut, with this in place of each use of its result.
fn replaced(
    module: &Module<'_>,
    function: &Function<'_>,
    gone: &Instruction<'_>,
    with: &str,
) -> Option<Hint> {
    let mut patches = vec![module.cut(gone.lines.clone())];
    for place in uses(module.text, function.span.clone(), gone.result?) {
        if !gone.lines.contains(&place.start) {
            patches.push(module.put(place, with));
        }
    }
    hint(patches)
}

fn instructions(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for (function, instruction) in all(module).collect::<Vec<_>>().into_iter().rev() {
        let Some(result) = instruction.result else {
            hints.extend(hint(vec![module.cut(instruction.lines.clone())]));
            continue;
        };
        let used = uses(module.text, function.span.clone(), result).count() > 1;
        match result_type(instruction) {
            Some(ty) => hints.extend(replaced(module, function, instruction, zero(ty))),
            None if !used => hints.extend(hint(vec![module.cut(instruction.lines.clone())])),
            None => {}
        }
    }
}

/// The values that an instruction reads, with `%`, each once.
fn read<'t>(instruction: &Instruction<'t>) -> Vec<&'t str> {
    let body = instruction.body;
    let mut names: Vec<&str> = Vec::new();
    for (at, _) in body.match_indices('%') {
        let name = name_at(body, at);
        let label = body[..at].ends_with("label ") || body[at + name.len()..].trim_start().starts_with(']');
        if !label && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The type of a value of a function: of the instruction that gives it, or as a parameter.
fn type_of<'t>(module: &Module<'t>, function: &Function<'t>, name: &str) -> Option<&'t str> {
    let given = function.blocks.iter().flat_map(|b| &b.instructions).find(|i| i.result == Some(name));
    if let Some(instruction) = given {
        return result_type(instruction);
    }
    let head = &module.text[function.head.clone()];
    let open = head.find(&format!("{}(", function.name))? + function.name.len();
    let list = super::module::inside(head, open)?;
    let named = |part: &std::ops::Range<usize>| {
        let text = &head[part.clone()];
        text.rfind('%').is_some_and(|at| name_at(text, at) == name)
    };
    parts(head, list).into_iter().find(named).and_then(|part| leading_type(&head[part]))
}

fn forward(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for (function, instruction) in all(module) {
        let (Some(result), Some(ty)) = (instruction.result, result_type(instruction)) else { continue };
        for name in read(instruction) {
            if name != result && type_of(module, function, name) == Some(ty) {
                hints.extend(replaced(module, function, instruction, name));
            }
        }
    }
}

fn operands(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
            for name in read(instruction) {
                let Some(ty) = type_of(module, function, name) else { continue };
                let places: Vec<_> = uses(module.text, instruction.at..instruction.span.end, name).collect();
                let mut constants = vec![zero(ty)];
                if is_integer(ty) {
                    constants.push(if ty == "i1" { "true" } else { "1" });
                }
                for constant in constants {
                    let patches: Vec<Patch> =
                        places.iter().map(|place| module.put(place.clone(), constant)).collect();
                    hints.extend(hint(patches));
                }
            }
        }
    }
}
