//! The bytecode verifier: what the interpreter relies on without looking, shown for a whole program.
//!
//! The loop in [`crate::vm`] reaches registers, instructions and named objects through raw pointers. It may, because of
//! what is checked here: every register, jump target, table index and callee exists; every access of a named object stays
//! inside it; code never runs past its end; and registers hold, wherever control comes from, what their readers take them
//! for ([`kinds`]): an offset from a bounds check, the address of a whole object, a stack mark, a pointer with its
//! provenance. Builds with debug assertions verify every program they lower; tests verify generated ones too.

mod kinds;
pub(crate) mod operands;
pub(crate) mod ranges;

use crate::bytecode::{Callee, Code, Constant, Insn, Program};
use crate::profile::Home;
use csyntax::tree::Unit;
use std::fmt;

/// Where a program breaks a rule of the bytecode, and which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Index of the function's code; `None` for a fault in the program's tables.
    pub code: Option<u32>,
    /// Position of the instruction in that code.
    pub pc: u32,
    /// The rule, and what was found instead.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "code {code}, instruction {}: {}", self.pc, self.what),
            None => write!(f, "tables: {}", self.what),
        }
    }
}

/// A rule holds, or why not.
type Checked = Result<(), String>;

/// A rule, with what is said where it is broken.
fn rule(holds: bool, broken: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(broken()) }
}

/// An index into a table.
fn within<T>(table: &[T], index: u32, name: &str) -> Checked {
    rule((index as usize) < table.len(), || format!("{name} {index} of {}", table.len()))
}

/// Verifies a lowered program of this unit; gives the first fault.
pub fn verify(unit: &Unit, program: &Program) -> Result<(), Fault> {
    tables(unit, program).map_err(|what| Fault { code: None, pc: 0, what })?;
    for (index, code) in program.codes.iter().enumerate() {
        // Nothing refers to a function that was not lowered: see `callee`.
        if code.insns.is_empty() {
            continue;
        }
        let at = |pc: usize, what: String| Fault { code: Some(index as u32), pc: pc as u32, what };
        shape(program, code).map_err(|what| at(0, what))?;
        for (pc, insn) in code.insns.iter().enumerate() {
            instruction(unit, program, code, pc, insn).map_err(|what| at(pc, format!("{insn:?}: {what}")))?;
        }
        kinds::check(unit, program, index as u32).map_err(|(pc, what)| at(pc, what))?;
    }
    Ok(())
}

/// What belongs to no function.
fn tables(unit: &Unit, program: &Program) -> Checked {
    rule(program.callees.len() == unit.functions.len(), || "not every function has a callee".into())?;
    within(&program.codes, program.init, "code of initialisers")?;
    rule(!program.codes[program.init as usize].insns.is_empty(), || "no code of initialisers".into())?;
    for id in program.constructors.iter().chain(&program.destructors).chain(&program.main) {
        callee(program, id.0)?;
    }
    for item in &program.statics {
        within(&program.templates, item.template, "template")?;
        let template = program.templates[item.template as usize].len() as u64;
        let end = item.at.saturating_add(item.size);
        let fits = end <= program.static_most;
        rule(template == if fits { item.size } else { 0 }, || {
            format!("a template of {template} for {} bytes", item.size)
        })?;
        rule(end <= program.static_bytes, || format!("a static object ends at {end}"))?;
        if let Some(string) = item.literal {
            within(&unit.strings, string, "string")?;
        }
    }
    for constant in &program.constants {
        match *constant {
            Constant::Bits(..) => {}
            Constant::Static(index, _) => within(&program.statics, index, "static object")?,
            Constant::Function(id) => callee(program, id)?,
            Constant::Label(owner, t) => {
                within(&program.codes, owner, "code of a label")?;
                within(&program.codes[owner as usize].insns, t, "label")?;
            }
        }
    }
    program.streams.iter().flatten().try_for_each(|index| within(&program.statics, *index, "stream"))
}

/// A function that something refers to has been lowered, is in the library, or is known to be missing.
fn callee(program: &Program, id: u32) -> Checked {
    within(&program.callees, id, "function")?;
    match program.callees[id as usize] {
        Callee::Code(code) => lowered(program, code),
        Callee::Native(native) => {
            let known = crate::libc::known(native);
            rule(known, || format!("library function {native}"))
        }
        Callee::Missing => Ok(()),
    }
}

/// A code that is called has instructions.
fn lowered(program: &Program, code: u32) -> Checked {
    within(&program.codes, code, "code")?;
    rule(!program.codes[code as usize].insns.is_empty(), || format!("code {code} was never lowered"))
}

/// A function's own tables.
fn shape(program: &Program, code: &Code) -> Checked {
    rule(code.spans.len() == code.insns.len(), || "not every instruction has a place".into())?;
    rule(code.regs >= 1 && code.regs <= u32::from(u16::MAX), || format!("{} registers", code.regs))?;
    rule(code.params <= code.regs, || format!("{} parameters in {} registers", code.params, code.regs))?;
    for local in &code.locals {
        within(&program.templates, local.template, "template")?;
        let template = program.templates[local.template as usize].len();
        rule(template == local.size as usize, || {
            format!("a template of {template} for {} bytes", local.size)
        })?;
        let end = u64::from(local.offset) + u64::from(local.size);
        rule(end <= u64::from(code.frame_size), || format!("a local ends at {end} of {}", code.frame_size))?;
        rule((local.slot as usize) < code.locals.len(), || format!("slot {}", local.slot))?;
    }
    match code.insns.last() {
        Some(last) if operands::ends(last) => Ok(()),
        last => Err(format!("code runs past its end: {last:?}")),
    }
}

/// One instruction: registers, target, indices, and accesses at constant offsets.
fn instruction(unit: &Unit, program: &Program, code: &Code, pc: usize, insn: &Insn) -> Checked {
    ranges::indices(unit, program, code, insn)?;
    let operands = operands::operands(program, insn);
    for reg in operands.reads().map(|(reg, _)| reg).chain(operands.writes().map(|(reg, _)| reg)) {
        rule(u32::from(reg) < code.regs, || format!("register {reg} of {}", code.regs))?;
    }
    if let Some(to) = insn.leads_to(pc) {
        rule(to < code.insns.len(), || format!("leads to {to} of {}", code.insns.len()))?;
    }
    if let Insn::Switch { table, .. } = *insn {
        let table = &program.switches[table as usize];
        let dense = table.dense.iter().flat_map(|d| &d.1).copied();
        let all = table.ranges.iter().map(|r| r.2).chain(dense).chain([table.default]);
        for to in all {
            within(&code.insns, to, "target of a switch")?;
        }
    }
    if let Insn::Point { id } = *insn {
        for variable in &program.points[id as usize].variables {
            let n = variable.scalar.bytes(unit.types.target.pointer_bytes.into());
            match variable.home {
                Home::Reg(reg, flag) => {
                    let last = u32::from(reg.max(flag.unwrap_or(0)));
                    rule(last < code.regs, || format!("register {last} of {}", code.regs))?;
                }
                Home::Local(off) => ranges::in_local(code, off.into(), n)?,
                Home::Static(at) => ranges::in_static(program, at.into(), n)?,
            }
        }
    }
    Ok(())
}
