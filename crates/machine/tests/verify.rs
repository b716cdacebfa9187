//! The bytecode verifier refuses what lowering never makes: each rule broken in turn, at every place of a program.

use csyntax::target::Target;
use csyntax::tree::Unit;
use machine::bytecode::{Insn, Mem, Program};
use machine::verify::verify;

const TEXT: &str = "
    struct s { int n; struct s *next; char text[3]; };
    struct s list = {1, &list, \"ab\"};
    int table[7];
    int sum(int n, int *p) {
        int a[n], s = 0, b[5] = {1, 2};
        for (int i = 0; i < n; i++) { a[i] = p[i]; s += a[i] + b[i % 5]; }
        switch (s) { case 1: return 7; case 2: s++; case 9: break; default: s += table[s % 7]; }
        return s + list.next->n;
    }
    int main(void) { int x[3] = {1, 2, 3}; return sum(3, x) + (x + 1 == &x[1]); }";

fn lowered(target: &Target) -> (Unit, Program) {
    let parsed = csyntax::parse::parse(TEXT.as_bytes(), "verify.c");
    let checked = csyntax::check::check(&parsed.ast, target);
    let unit = checked.unit.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let options = machine::Options { target: target.clone(), ..machine::Options::default() };
    let program = machine::lower::lower(&unit, &options).expect("it is supported");
    (unit, program)
}

/// Instructions that are wrong wherever they stand in a code with this many registers, and this frame.
fn wrong(program: &Program, regs: u32, frame: u32) -> Vec<Insn> {
    let (beyond, codes) = (regs as u16, program.codes.len() as u32);
    vec![
        Insn::Mov { d: beyond, a: 0 },
        Insn::Mov { d: 0, a: beyond },
        Insn::AddI32 { d: 0, a: 0, b: beyond },
        Insn::Jmp { t: 1 << 20 },
        Insn::JNz { a: 0, t: 1 << 20 },
        Insn::Switch { a: 0, table: 1 << 20 },
        Insn::Const { d: 0, c: program.constants.len() as u32 },
        Insn::LdL { d: 0, kind: Mem::W64, cls: 0, off: frame },
        Insn::StG { s: 0, kind: Mem::U8, cls: 0, at: program.static_bytes as u32 },
        Insn::LdLX { d: 0, i: 0, kind: Mem::U8, cls: 0, r: program.arrays.len() as u32 },
        Insn::LdS { d: 0, p: 0, m: program.accesses.len() as u32 },
        Insn::Enter { local: u16::MAX },
        Insn::Call { base: 0, used: true, f: codes },
        Insn::Call { base: beyond, used: true, f: 0 },
        Insn::CallSite { base: 0, site: program.sites.len() as u32 },
        Insn::Stop { s: program.stops.len() as u32 },
        Insn::Point { id: program.points.len() as u32 },
    ]
}

#[test]
fn what_lowering_makes_is_accepted() {
    for target in [Target::LP64, Target::ILP32, Target::LP64_BE] {
        let (unit, program) = lowered(&target);
        assert_eq!(verify(&unit, &program), Ok(()));
    }
}

#[test]
fn broken_instructions_are_refused_wherever_they_stand() {
    let (unit, program) = lowered(&Target::LP64);
    let mut tried = 0;
    for code in 0..program.codes.len() {
        let (regs, frame) = (program.codes[code].regs, program.codes[code].frame_size);
        for pc in 0..program.codes[code].insns.len() {
            for insn in wrong(&program, regs, frame) {
                let mut broken = program.clone();
                broken.codes[code].insns[pc] = insn;
                assert!(verify(&unit, &broken).is_err(), "code {code}, {pc}: {insn:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn code_that_runs_past_its_end_is_refused() {
    let (unit, program) = lowered(&Target::LP64);
    for code in 0..program.codes.len() {
        let mut broken = program.clone();
        if let Some(last) = broken.codes[code].insns.last_mut() {
            *last = Insn::Nop {};
            assert!(verify(&unit, &broken).is_err(), "code {code}");
        }
    }
}

#[test]
fn registers_that_hold_something_else_are_refused() {
    let (unit, program) = lowered(&Target::LP64);
    let main = program.codes.iter().position(|c| c.insns.iter().any(|i| matches!(i, Insn::VlaAlloc { .. })));
    let code = main.expect("a function with a variable-length array");
    // A number for an address, a frame mark, an offset from bounds checks, a pointer: registers 0 and 1 are parameters.
    let start = [Insn::AddI32 { d: 2, a: 0, b: 0 }, Insn::Nop {}];
    for insn in [
        Insn::Zero { p: 0, size: 4 },
        Insn::Zero { p: 2, size: 4 },
        Insn::StackFree { a: 0 },
        Insn::LdLO { d: 2, o: 0, kind: Mem::I32, cls: 3, off: 0 },
        Insn::LdP { d: 2, p: 2, kind: Mem::I32, cls: 3, off: 0 },
    ] {
        let mut broken = program.clone();
        broken.codes[code].insns[0] = start[0];
        broken.codes[code].insns[1] = insn;
        assert!(verify(&unit, &broken).is_err(), "{insn:?}");
    }
}
