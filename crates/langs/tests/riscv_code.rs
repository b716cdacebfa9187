//! The instructions of RISC-V against `qemu-riscv64`: each is assembled, decoded and run by the semantics on random states, and
//! run by the emulator on the same; registers and memory must be equal, NaNs and all. Compressed instructions are compared
//! with those that they stand for. Where the assembler or the emulator is missing, the test says so and passes.

mod emulated;

use emulated::{STATE, hex, make, number, run, state_of, tools, words};
use langs::machine_code::riscv::{Insn, LP64D, decode};
use langs::machine_code::{Decoded, Machine, run_branch, run_one};
use smt::{ArrayVal, Bv, Concrete, Domain, Rng};
use std::fmt::Write as _;

const ROUNDS: u32 = 48;
/// In a state: a0 to a5, fa0 to fa3, memory.
const FLOATS: usize = 64;
const MEMORY: usize = 128;
/// Where the semantics has the state, and t0 leads.
const AT: u128 = 0x10000;

/// Instructions on three registers.
const THREE: &[&str] = &[
    "add", "sub", "sll", "srl", "sra", "slt", "sltu", "xor", "or", "and", "addw", "subw", "sllw", "srlw",
    "sraw", "mul", "mulh", "mulhu", "mulhsu", "div", "divu", "rem", "remu", "mulw", "divw", "divuw", "remw",
    "remuw",
];

/// Instructions that have one form here.
const SINGLE: &[&str] = &[
    "nop",
    "lui a0, 0x12345",
    "lui a0, 0xfffff",
    "addi a0, a1, 0",
    "addi a0, a1, -2048",
    "addi a0, zero, 2047",
    "addi zero, a1, 5",
    "addiw a0, a1, 0",
    "addiw a0, a1, -1",
    "slti a0, a1, -1",
    "sltiu a0, a1, -1",
    "sltiu a0, a1, 1",
    "xori a0, a1, -1",
    "ori a0, a1, 1365",
    "andi a0, a1, -256",
    "slli a0, a1, 0",
    "slli a0, a1, 63",
    "srli a0, a1, 32",
    "srai a0, a1, 33",
    "slliw a0, a1, 31",
    "srliw a0, a1, 1",
    "sraiw a0, a1, 31",
    "sub a0, zero, a1",
    "sltu a0, zero, a1",
    "sd zero, 136(t0)",
    "fcvt.d.w fa0, zero",
    "fmv.d.x fa0, zero",
];

/// Branches.
const BRANCHES: &[&str] =
    &["beq a1, a2", "bne a1, a2", "blt a1, a2", "bge a1, a2", "bltu a1, a2", "bgeu a1, a2", "beq a1, zero"];

/// Compressed instructions and what they stand for.
const COMPRESSED: &[(&str, &str)] = &[
    ("c.nop", "addi zero, zero, 0"),
    ("c.addi a0, -32", "addi a0, a0, -32"),
    ("c.addi s5, 17", "addi s5, s5, 17"),
    ("c.addiw a3, 31", "addiw a3, a3, 31"),
    ("c.addiw a3, 0", "addiw a3, a3, 0"),
    ("c.li t6, -11", "addi t6, zero, -11"),
    ("c.lui a4, 0xfffe1", "lui a4, 0xfffe1"),
    ("c.lui a4, 21", "lui a4, 21"),
    ("c.addi16sp sp, -512", "addi sp, sp, -512"),
    ("c.addi16sp sp, 304", "addi sp, sp, 304"),
    ("c.addi4spn a2, sp, 1020", "addi a2, sp, 1020"),
    ("c.addi4spn s1, sp, 340", "addi s1, sp, 340"),
    ("c.srli a5, 41", "srli a5, a5, 41"),
    ("c.srai a5, 22", "srai a5, a5, 22"),
    ("c.andi s0, -19", "andi s0, s0, -19"),
    ("c.slli t3, 42", "slli t3, t3, 42"),
    ("c.sub a0, a5", "sub a0, a0, a5"),
    ("c.xor a0, a5", "xor a0, a0, a5"),
    ("c.or s1, a5", "or s1, s1, a5"),
    ("c.and a0, s0", "and a0, a0, s0"),
    ("c.subw a0, a5", "subw a0, a0, a5"),
    ("c.addw a0, a5", "addw a0, a0, a5"),
    ("c.mv t4, s11", "add t4, zero, s11"),
    ("c.add t4, s11", "add t4, t4, s11"),
    ("c.lw a1, 84(a3)", "lw a1, 84(a3)"),
    ("c.lw a1, 40(a3)", "lw a1, 40(a3)"),
    ("c.ld a1, 168(a3)", "ld a1, 168(a3)"),
    ("c.ld a1, 80(a3)", "ld a1, 80(a3)"),
    ("c.fld fa1, 168(a3)", "fld fa1, 168(a3)"),
    ("c.sw s0, 84(a3)", "sw s0, 84(a3)"),
    ("c.sd s0, 168(a3)", "sd s0, 168(a3)"),
    ("c.fsd fs0, 80(a3)", "fsd fs0, 80(a3)"),
    ("c.lwsp ra, 168(sp)", "lw ra, 168(sp)"),
    ("c.lwsp ra, 84(sp)", "lw ra, 84(sp)"),
    ("c.ldsp t1, 336(sp)", "ld t1, 336(sp)"),
    ("c.ldsp t1, 168(sp)", "ld t1, 168(sp)"),
    ("c.fldsp ft1, 336(sp)", "fld ft1, 336(sp)"),
    ("c.swsp s2, 168(sp)", "sw s2, 168(sp)"),
    ("c.swsp s2, 84(sp)", "sw s2, 84(sp)"),
    ("c.sdsp s2, 336(sp)", "sd s2, 336(sp)"),
    ("c.sdsp s2, 168(sp)", "sd s2, 168(sp)"),
    ("c.fsdsp fs2, 336(sp)", "fsd fs2, 336(sp)"),
    ("c.jr a4", "jalr zero, 0(a4)"),
    ("c.jr ra", "jalr zero, 0(ra)"),
    ("c.jalr a4", "jalr ra, 0(a4)"),
    ("c.ebreak", "ebreak"),
    ("c.j .", "jal zero, ."),
    ("c.beqz a4, .", "beq a4, zero, ."),
    ("c.bnez a4, .", "bne a4, zero, ."),
];

fn instructions() -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for op in THREE {
        out.push(format!("{op} a0, a1, a2"));
        out.push(format!("{op} a1, a1, a1"));
    }
    for (load, store) in [("lb", "sb"), ("lh", "sh"), ("lw", "sw"), ("ld", "sd")] {
        out.push(format!("{load} a0, 143(t0)"));
        out.push(format!("{store} a0, 144(t0)"));
        out.push(format!("{store} a1, 151(t0)"));
    }
    out.extend(["lbu", "lhu", "lwu"].map(|op| format!("{op} a0, 136(t0)")));
    out.extend(
        ["flw fa0, 136(t0)", "fld fa0, 143(t0)", "fsw fa1, 144(t0)", "fsd fa1, 151(t0)"].map(str::to_owned),
    );
    for f in ["s", "d"] {
        for op in ["fadd", "fsub", "fmul", "fdiv", "fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax"] {
            out.push(format!("{op}.{f} fa0, fa1, fa2"));
        }
        for op in ["fmadd", "fmsub", "fnmadd", "fnmsub"] {
            out.push(format!("{op}.{f} fa0, fa1, fa2, fa3"));
        }
        for op in ["feq", "flt", "fle"] {
            out.push(format!("{op}.{f} a0, fa1, fa2"));
            out.push(format!("{op}.{f} a0, fa1, fa1"));
        }
        out.push(format!("fsqrt.{f} fa0, fa1"));
        out.push(format!("fclass.{f} a0, fa1"));
        for integer in ["w", "wu", "l", "lu"] {
            out.push(format!("fcvt.{integer}.{f} a0, fa1, rtz"));
            out.push(format!("fcvt.{f}.{integer} fa0, a1"));
        }
    }
    out.extend(["fcvt.s.d fa0, fa1", "fcvt.d.s fa0, fa1"].map(str::to_owned));
    out.extend(
        ["fmv.x.w a0, fa1", "fmv.x.d a0, fa1", "fmv.w.x fa0, a1", "fmv.d.x fa0, a1"].map(str::to_owned),
    );
    out.extend(SINGLE.iter().chain(BRANCHES).map(|text| (*text).to_owned()));
    out
}

/// The program that runs each instruction on states from its input; those behind it are only looked at.
fn harness(list: &[String], others: &[&str]) -> String {
    let mut asm = String::from(".text\n");
    for (n, text) in list.iter().enumerate() {
        let _ = writeln!(asm, ".option norvc\n.balign 4\nrun{n}:\nmv t1, a0\nmv t0, a0");
        for v in 0..4 {
            let _ = writeln!(asm, "fld fa{v}, {}(t1)", FLOATS + 8 * v);
        }
        for r in [1, 2, 3, 4, 5, 0] {
            let _ = writeln!(asm, "ld a{r}, {}(t1)", 8 * r);
        }
        match BRANCHES.contains(&text.as_str()) {
            true => {
                let _ = writeln!(asm, "li a0, 1\nbegin{n}: {text}, 1f\nli a0, 0\n1:");
            }
            false => {
                let _ = writeln!(asm, "begin{n}: {text}");
            }
        }
        for r in 0..6 {
            let _ = writeln!(asm, "sd a{r}, {}(t1)", 8 * r);
        }
        for v in 0..4 {
            let _ = writeln!(asm, "fsd fa{v}, {}(t1)", FLOATS + 8 * v);
        }
        asm.push_str("ret\n");
    }
    for (n, text) in others.iter().enumerate() {
        let short = text.starts_with("c.");
        let _ = writeln!(
            asm,
            ".option {}rvc\n.balign 4\nbegin{}: {text}",
            if short { "" } else { "no" },
            list.len() + n
        );
    }
    asm.push_str(".option norvc\nnop\n.data\n.globl table\ntable:\n");
    for n in 0..list.len() + others.len() {
        let run = if n < list.len() { n } else { 0 };
        let _ = writeln!(asm, ".quad run{run}, begin{n}");
    }
    asm
}

/// Words that are edges of integers, doubles and boxed single numbers.
fn word(rng: &mut Rng) -> u64 {
    let double = |v: f64| v.to_bits();
    let boxed = |bits: u32| 0xffff_ffff_0000_0000 | u64::from(bits);
    let single = |v: f32| boxed(v.to_bits());
    let edges = [0.0, 0.5, 1.0, 1.5, 2147483647.0, 2147483648.0, 4294967296.0, 9.3e18, 1.9e19, 1e300, 1e-310];
    let edge = edges[rng.below(edges.len() as u64) as usize];
    let edge = if rng.below(2) == 0 { edge } else { -edge };
    match rng.below(14) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << rng.below(64),
        3 => u64::from(rng.draw() as u32),
        4 => i64::from(rng.draw() as u32 as i32) as u64,
        5 => double(edge),
        6 => single(edge as f32),
        7 => double((rng.below(1 << 20) as i64 - (1 << 19)) as f64 / 8.0),
        8 => single((rng.below(1 << 20) as i64 - (1 << 19)) as f32 / 8.0),
        9 => [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN][rng.below(4) as usize].to_bits(),
        // A quiet NaN with a payload and a signalling one.
        10 => [0x7ff8_0000_0000_0001, 0xfff0_0000_0000_0007][rng.below(2) as usize],
        11 => {
            boxed([0x7f80_0000, 0xff80_0000, 0x7fc0_0001, 0xff80_0003, 1, 0x8000_0000][rng.below(6) as usize])
        }
        12 => rng.below(1 << 10),
        _ => rng.draw(),
    }
}

fn state(rng: &mut Rng) -> Vec<u8> {
    (0..STATE / 8).flat_map(|_| word(rng).to_le_bytes()).collect()
}

/// The machine of a state.
fn machine(d: &mut Concrete, s: &[u8]) -> Machine<Concrete> {
    let mut mem = ArrayVal::new(64, Bv::zero(8));
    for (n, byte) in s.iter().enumerate() {
        mem.set(Bv::new(64, AT + n as u128), Bv::new(8, u128::from(*byte)));
    }
    let mut m = Machine::new(d, mem, None);
    let word = |at: usize| Some(Bv::new(64, number(&s[at..at + 8])));
    for n in 0..6 {
        m.registers[10 + n] = word(8 * n);
    }
    m.registers[5] = Some(Bv::new(64, AT));
    for v in 0..4 {
        m.registers[42 + v] = word(FLOATS + 8 * v);
    }
    m
}

/// What differs from the emulator's state.
fn differences(d: &mut Concrete, m: &Machine<Concrete>, s: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    let mut check = |what: String, ours: u128, theirs: u128| {
        if ours != theirs {
            out.push(format!("{what}: {ours:#x}, the emulator has {theirs:#x}"));
        }
    };
    let value = |v: &Option<Bv>| v.as_ref().and_then(|b| b.to_u128()).expect("a value");
    for n in 0..6 {
        check(format!("a{n}"), value(&m.registers[10 + n]), number(&s[8 * n..8 * n + 8]));
    }
    for v in 0..4 {
        let at = FLOATS + 8 * v;
        check(format!("fa{v}"), value(&m.registers[42 + v]), number(&s[at..at + 8]));
    }
    for (n, byte) in s.iter().enumerate().skip(MEMORY) {
        let ours = d.load(&m.mem, &Bv::new(64, AT + n as u128), 1);
        check(format!("byte {n}"), ours.to_u128().expect("a byte"), u128::from(*byte));
    }
    out
}

/// The instruction that a word begins with.
fn decoded(word: u32) -> Insn {
    let length = if word & 3 == 3 { 4 } else { 2 };
    decode(&word.to_le_bytes()[..length])
}

#[test]
fn instructions_do_what_the_emulator_does() {
    let Some((compiler, emulator)) = tools("riscv64") else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let list = instructions();
    let others: Vec<&str> = COMPRESSED.iter().flat_map(|(short, long)| [*short, *long]).collect();
    let program = make(&compiler, dir.path(), &harness(&list, &others));
    let words = words(&emulator, &program, list.len() + others.len());
    let mut rng = Rng(7);
    let (mut input, mut expected, mut wrong) = (String::new(), Vec::new(), Vec::new());
    for (n, text) in list.iter().enumerate() {
        for _ in 0..ROUNDS {
            let s = state(&mut rng);
            let mut d = Concrete::new(1);
            let mut m = machine(&mut d, &s);
            let insn = Decoded::RiscV(decoded(words[n]));
            let ran = match BRANCHES.contains(&text.as_str()) {
                true => run_branch(&mut d, &mut m, &LP64D, insn).map(|taken| {
                    m.registers[10] = Some(Bv::new(64, u128::from(taken)));
                }),
                false => run_one(&mut d, &mut m, &LP64D, insn),
            };
            if let Err(e) = ran {
                wrong.push(format!("{text}: {e}"));
                break;
            }
            let _ = writeln!(input, "{n} 1 {}", hex(&s));
            expected.push((n, d, m, s));
        }
    }
    let answers = run(&emulator, &program, &input);
    assert_eq!(answers.len(), expected.len());
    for ((n, mut d, m, s), answer) in expected.into_iter().zip(answers) {
        let found = differences(&mut d, &m, &state_of(&answer));
        if !found.is_empty() {
            wrong.push(format!("{}: on {}: {}", list[n], hex(&s), found.join("; ")));
        }
    }
    wrong.dedup_by_key(|w| w.split(':').next().map(str::to_owned));
    for ((short, long), pair) in COMPRESSED.iter().zip(words[list.len()..].chunks(2)) {
        let (a, b) = (decoded(pair[0]), decoded(pair[1]));
        if pair[0] & 3 == 3 || a.op.is_none() || a.op != b.op {
            wrong.push(format!("{short}: {:?}, {long}: {:?}", a.op, b.op));
        }
    }
    assert!(wrong.is_empty(), "{} instructions:\n{}", wrong.len(), wrong.join("\n"));
}
