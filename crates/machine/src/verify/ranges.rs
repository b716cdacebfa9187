//! Indices into tables, and accesses of named objects at offsets that are known before the run.

use super::{Checked, callee, lowered, rule, within};
use crate::bytecode::{Code, Insn, Mem, Program};
use crate::vm::restrict::MAIN;
use csyntax::tree::Unit;

/// Bytes of a memory value.
pub(crate) fn bytes(kind: Mem, unit: &Unit) -> u64 {
    match kind {
        Mem::I8 | Mem::U8 => 1,
        Mem::I16 | Mem::U16 => 2,
        Mem::I32 | Mem::U32 => 4,
        Mem::W64 => 8,
        Mem::Ptr => unit.types.target.pointer_bytes.into(),
    }
}

/// `n` bytes at this offset of the frame lie in one local.
pub(super) fn in_local(code: &Code, off: u64, n: u64) -> Checked {
    let inside = |start: u32, size: u32| {
        off >= u64::from(start) && off.saturating_add(n) <= u64::from(start) + u64::from(size)
    };
    // Locals are laid out in order.
    let after = code.locals.partition_point(|l| u64::from(l.offset) <= off);
    let found = code.locals[..after].last().is_some_and(|l| inside(l.offset, l.size));
    rule(found, || format!("{n} byte(s) at frame offset {off} lie in no local"))
}

/// `n` bytes at this arena offset lie in one static object.
pub(super) fn in_static(program: &Program, at: u64, n: u64) -> Checked {
    let found =
        program.statics.iter().any(|s| at >= s.at && at.saturating_add(n) <= s.at.saturating_add(s.size));
    rule(found, || format!("{n} byte(s) at arena offset {at} lie in no static object"))
}

/// The bytes that an element of a bounds-checked array can take: first and one past the last.
fn elements(program: &Program, r: u32, n: u64) -> (u64, u64) {
    let array = &program.arrays[r as usize];
    let last = array.count.saturating_sub(1).saturating_mul(array.scale);
    (array.base, array.base.saturating_add(last).saturating_add(n))
}

/// All indices of an instruction other than its registers and targets.
pub(super) fn indices(unit: &Unit, program: &Program, code: &Code, insn: &Insn) -> Checked {
    let local = |local: u16| within(&code.locals, local.into(), "local");
    match insn.plain() {
        Insn::Switch { table, .. } => within(&program.switches, table, "switch"),
        Insn::Const { c, .. } | Insn::JmpOuter { c } => within(&program.constants, c, "constant"),
        Insn::LdL { kind, off, .. } | Insn::StL { kind, off, .. } => {
            in_local(code, off.into(), bytes(kind, unit))
        }
        Insn::XorStLU32 { off, .. } => in_local(code, off.into(), bytes(Mem::U32, unit)),
        Insn::LdG { kind, at, .. } | Insn::StG { kind, at, .. } => {
            in_static(program, at.into(), bytes(kind, unit))
        }
        Insn::LdLX { kind, r, .. } | Insn::StLX { kind, r, .. } => {
            within(&program.arrays, r, "array")?;
            let (first, end) = elements(program, r, bytes(kind, unit));
            in_local(code, first, end - first)
        }
        Insn::LdGX { kind, r, .. } | Insn::StGX { kind, r, .. } => {
            within(&program.arrays, r, "array")?;
            let (first, end) = elements(program, r, bytes(kind, unit));
            in_static(program, first, end - first)
        }
        Insn::IdxOff { r, .. } | Insn::IdxAdd { r, .. } => within(&program.arrays, r, "array"),
        Insn::LdS { m, .. } | Insn::StS { m, .. } => within(&program.accesses, m, "access"),
        Insn::Tag { t, .. } => within(&program.tagged, t, "tagged access"),
        Insn::CkOverlap { x, .. } => within(&program.overlaps, x, "overlap"),
        Insn::Copy { m, .. } => within(&program.copies, m, "copy"),
        Insn::InitStr { s, .. } => within(&unit.strings, s, "string"),
        Insn::LeaL { local: l, .. }
        | Insn::Enter { local: l }
        | Insn::EnterIfDead { local: l }
        | Insn::Reset { local: l }
        | Insn::Seal { local: l }
        | Insn::Leave { local: l } => local(l),
        Insn::LeaUp { local, owner, .. } => {
            within(&program.codes, owner, "code")?;
            within(&program.codes[owner as usize].locals, local.into(), "local of the function around")
        }
        Insn::Call { base, f, .. } => {
            lowered(program, f)?;
            frame(code, base, program.codes[f as usize].params)
        }
        Insn::CallSite { base, site } | Insn::CallPtr { base, site, .. } => {
            within(&program.sites, site, "call")?;
            let site = &program.sites[site as usize];
            if let Some(id) = site.callee {
                callee(program, id.0)?;
            }
            rule(matches!(insn, Insn::CallPtr { .. }) || site.callee.is_some(), || {
                "a call of nothing".into()
            })?;
            frame(code, base, u32::from(site.hidden) + site.args.len() as u32)
        }
        Insn::FnPtr { f, .. } => callee(program, f),
        Insn::VaArg { v, .. } => within(&program.va_args, v, "type of va_arg"),
        Insn::Overflow { v, .. } => within(&program.overflows, v, "overflow builtin"),
        Insn::Vec { v, .. } => within(&program.vectors, v, "vector operation"),
        Insn::RestrictUse { scope, object, .. } | Insn::RestrictAssign { scope, object, .. } => {
            rule(scope == MAIN || u32::from(scope) < code.regs, || format!("register {scope}"))?;
            within(&program.restricts, object >> 1, "restrict pointer")
        }
        Insn::Point { id } | Insn::Count { id } => within(&program.points, id, "point"),
        Insn::Stop { s } => within(&program.stops, s, "stop"),
        _ => Ok(()),
    }
}

/// A callee's frame begins at `base`, where the caller has put this many registers.
fn frame(code: &Code, base: u16, passed: u32) -> Checked {
    let top = u32::from(base) + passed.max(1);
    rule(top <= code.regs, || {
        format!("a frame at {base} with {passed} argument(s) in {} registers", code.regs)
    })
}
