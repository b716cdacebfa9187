//! Inline assembly as both languages show it: known by its text, operands and clobbers alone.
//!
//! Assembly with side effects, or that touches memory, is an event like a call. Other assembly computes its results
//! from its operands. Both sides of a pair must show the same [`Assembly::label`].

use crate::names::canonical;
use crate::x86::regs::PhysReg;
use std::fmt::Write as _;

/// Where an operand lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// Any register.
    Register,
    /// This register.
    Fixed(PhysReg),
    /// The place of an output, by its position among all operands.
    Tied(usize),
    /// Memory at an address.
    Memory,
    /// A constant.
    Immediate,
}

/// An operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Written by the assembly.
    pub output: bool,
    /// Written before all inputs are read.
    pub early: bool,
    /// Where it lies.
    pub kind: OperandKind,
}

/// A piece of inline assembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembly {
    /// The template, in canonical escapes.
    pub template: String,
    /// Intel syntax.
    pub intel: bool,
    /// Must run as often as the program says.
    pub side_effects: bool,
    /// Names all memory as changed.
    pub all_memory: bool,
    /// Operands, in order.
    pub items: Vec<Item>,
    /// Registers that it destroys, by unit.
    pub clobbers: Vec<String>,
}

impl Assembly {
    /// Reads what LLVM IR says: flags, template, constraints. None for constraints that are not modelled.
    pub fn of_ir(flags: &str, template: &str, constraints: &str) -> Option<Assembly> {
        let mut assembly = Assembly {
            template: canonical(template.as_bytes()).into_owned(),
            intel: flags.split(' ').any(|w| w == "inteldialect"),
            side_effects: flags.split(' ').any(|w| w == "sideeffect"),
            all_memory: false,
            items: Vec::new(),
            clobbers: Vec::new(),
        };
        for text in constraints.split(',').filter(|t| !t.is_empty()) {
            if let Some(name) = text.strip_prefix("~{").and_then(|t| t.strip_suffix('}')) {
                match name {
                    "memory" => assembly.all_memory = true,
                    // No register: LLVM drops it.
                    "cc" => {}
                    _ => assembly.clobbers.push(clobber(name)?),
                }
                continue;
            }
            let (output, text) = match text.strip_prefix('=') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            let (early, text) = match text.strip_prefix('&') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            let (indirect, text) = match text.strip_prefix('*') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            let kind = kind(text)?;
            if indirect != (kind == OperandKind::Memory) {
                return None;
            }
            assembly.items.push(Item { output, early, kind });
        }
        Some(assembly)
    }

    /// Whether it may do more than compute results.
    pub fn is_event(&self) -> bool {
        self.side_effects || self.all_memory || self.items.iter().any(|i| i.kind == OperandKind::Memory)
    }

    /// A text that two pieces of assembly share exactly when they are the same.
    pub fn label(&self) -> String {
        let mut out = format!("asm \"{}\"", self.template);
        if self.intel {
            out.push_str(" intel");
        }
        if self.side_effects {
            out.push_str(" sideeffect");
        }
        out.push_str(" (");
        for item in &self.items {
            let (output, early) = (if item.output { "=" } else { "" }, if item.early { "&" } else { "" });
            let _ = match &item.kind {
                OperandKind::Register => write!(out, "{output}{early}r,"),
                OperandKind::Fixed(reg) => {
                    write!(out, "{output}{early}{:?}.{}.{},", reg.unit, reg.lo, reg.width)
                }
                OperandKind::Tied(n) => write!(out, "{output}{early}{n},"),
                // Machine code does not say which way memory operands go; the order does.
                OperandKind::Memory => write!(out, "m,"),
                OperandKind::Immediate => write!(out, "{output}{early}i,"),
            };
        }
        for clobber in &self.clobbers {
            let _ = write!(out, "~{clobber},");
        }
        out.push(')');
        out
    }
}

/// A clobbered register by its unit, under the name that LLVM IR has for it or its own.
fn clobber(name: &str) -> Option<String> {
    let name = match name {
        "dirflag" => "df",
        "fpsr" => "fpsw",
        "flags" => "eflags",
        "fpcr" => "fpcw",
        other => other,
    };
    Some(clobbered(PhysReg::from_name(name)?))
}

/// The text for a clobbered register.
pub fn clobbered(reg: PhysReg) -> String {
    format!("{:?}", reg.unit)
}

fn kind(text: &str) -> Option<OperandKind> {
    if let Some(name) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        return PhysReg::from_name(name).map(|reg| OperandKind::Fixed(PhysReg { width: 0, ..reg }));
    }
    if let Ok(n) = text.parse::<usize>() {
        return Some(OperandKind::Tied(n));
    }
    Some(match text {
        "r" | "q" | "Q" | "R" | "l" | "x" => OperandKind::Register,
        "m" | "o" | "V" => OperandKind::Memory,
        "i" | "n" | "s" | "I" | "J" | "K" | "L" | "M" | "N" | "O" | "e" | "Z" => OperandKind::Immediate,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_read() {
        let a = Assembly::of_ir("sideeffect", "lock; incl $0", "=*m,r,0,~{memory},~{flags}");
        let a = a.expect("plain constraints");
        assert_eq!(a.items.len(), 3);
        assert!(a.items[0].output && a.items[0].kind == OperandKind::Memory);
        assert_eq!(a.items[2].kind, OperandKind::Tied(0));
        assert!(a.all_memory && a.is_event());
        assert_eq!(a.clobbers, ["Flags"]);
    }

    #[test]
    fn what_is_not_modelled_is_refused() {
        for constraints in ["=@ccz", "=rm", "r|m", "=*r", "X"] {
            assert!(Assembly::of_ir("", "nop", constraints).is_none(), "{constraints}");
        }
    }

    #[test]
    fn fixed_registers_tell_apart() {
        let of = |c| Assembly::of_ir("", "cpuid", c).expect("plain constraints").label();
        assert_ne!(of("={ax},={cx}"), of("={cx},={ax}"));
        assert_eq!(of("={ax},{ax}"), of("={ax},{ax}"));
    }
}
