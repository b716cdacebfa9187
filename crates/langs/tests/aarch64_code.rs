//! The instructions of AArch64 against `qemu-aarch64`: each is assembled, decoded and run by the semantics on random states,
//! and run by the emulator on the same; registers, vectors, memory and flags must be equal. Where the assembler or the
//! emulator is missing, the test says so and passes.

mod emulated;

use emulated::{STATE, hex, make, number, run, state_of, tools, words};
use langs::machine_code::aarch64::{AAPCS64, decode};
use langs::machine_code::{Decoded, Machine, run_one};
use langs::x86::flags::{Each, Flags};
use smt::{ArrayVal, Bv, Concrete, Domain, Rng};
use std::fmt::Write as _;

const ROUNDS: u32 = 24;
/// In a state: six general registers, what x7 has moved by, three vectors, flags, memory.
const VECTORS: usize = 64;
const FLAGS: usize = 112;
const MEMORY: usize = 128;
/// Where the semantics has the state, and x7 leads.
const AT: u128 = 0x10000;

const CONDITIONS: [&str; 15] =
    ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"];

/// Instructions that have one form here.
const SINGLE: &[&str] = &[
    "nop",
    "bti c",
    "movz x0, #0x1234, lsl #32",
    "movz w0, #0x1234, lsl #16",
    "movn x0, #0x55aa",
    "movn w0, #0x55aa, lsl #16",
    "movk x0, #0xbeef, lsl #48",
    "movk w0, #0xbeef",
    "mov x0, #0xaaaaaaaaaaaaaaaa",
    "mov w0, #0x7f807f80",
    "and x0, x1, #0xffffffff00000001",
    "tst w1, #0x3fc",
    "eor w0, w1, #1",
    "orr x0, x1, #0x8000000000000000",
    "mvn w0, w1",
    "sbfx x0, x1, #3, #20",
    "sbfiz w0, w1, #7, #9",
    "ubfx w0, w1, #31, #1",
    "ubfiz x0, x1, #33, #30",
    "bfi x0, x1, #5, #40",
    "bfi w0, w1, #5, #11",
    "bfxil x0, x1, #5, #40",
    "bfxil w0, w1, #0, #32",
    "bfxil x0, xzr, #3, #9",
    "bfi x0, xzr, #3, #9",
    "sxtb x0, w1",
    "sxth w0, w1",
    "sxtw x0, w1",
    "uxtb w0, w1",
    "uxth w0, w1",
    "asr x0, x1, #63",
    "asr w0, w1, #1",
    "lsl x0, x1, #1",
    "lsl w0, w1, #31",
    "lsr x0, x1, #40",
    "lsr w0, w1, #0",
    "ror x0, x1, #9",
    "extr x0, x1, x2, #0",
    "extr x0, x1, x2, #17",
    "extr w0, w1, w2, #31",
    "madd x0, x1, x2, x3",
    "madd w0, w1, w2, w3",
    "msub x0, x1, x2, x3",
    "msub w0, w1, w2, w3",
    "mul x0, x1, x2",
    "mneg w0, w1, w2",
    "smull x0, w1, w2",
    "smaddl x0, w1, w2, x3",
    "smsubl x0, w1, w2, x3",
    "umull x0, w1, w2",
    "umaddl x0, w1, w2, x3",
    "umsubl x0, w1, w2, x3",
    "smulh x0, x1, x2",
    "umulh x0, x1, x2",
    "rev16 x0, x1",
    "rev16 w0, w1",
    "rev32 x0, x1",
    "rev x0, x1",
    "rev w0, w1",
    "ccmp x0, #7, #0, al",
    "ldrsw x0, [x7, #132]",
    "ldrsb w0, [x7, #133]",
    "ldrsb x0, [x7, #133]",
    "ldrsh w0, [x7, #134]",
    "ldrsh x0, [x7, #134]",
    "ldursw x0, [x7, #135]",
    "prfm pldl1keep, [x7]",
    "stp x0, x1, [x7, #136]",
    "stp w0, w1, [x7, #140]",
    "stp xzr, x1, [x7, #136]",
    "stp w0, w1, [x7, #136]!",
    "stp x0, x1, [x7], #64",
    "ldp x0, x1, [x7, #128]!",
    "ldp w0, w1, [x7], #-8",
    "ldp x0, x1, [x7, #168]",
    "ldpsw x0, x1, [x7, #132]",
    "ldnp x0, x1, [x7, #136]",
    "stp d0, d1, [x7, #136]",
    "stp q0, q1, [x7, #144]",
    "ldp d0, d1, [x7, #136]",
    "ldp s0, s1, [x7, #136]",
    "ldp q0, q1, [x7, #144]",
    "fmov d0, x1",
    "fmov s0, w1",
    "fmov x0, d1",
    "fmov w0, s1",
    "fmov d0, d1",
    "fmov s0, s1",
    "fmov d0, #1.0",
    "fmov d0, #-0.125",
    "fmov s0, #31.0",
    "fmov s0, #0.25",
    "movi d0, #0",
    "movi v0.2d, #0",
    "movi v0.4s, #0",
    "movi d0, #0xff00ffff0000ff00",
    "movi v0.2d, #0xff00ffff0000ff00",
    "movi v0.4s, #18",
    "movi v0.2s, #18, lsl #24",
    "movi v0.8h, #200, lsl #8",
    "movi v0.4h, #3",
    "movi v0.16b, #129",
    "movi v0.4s, #5, msl #16",
    "mvni v0.4s, #5, msl #8",
    "mvni v0.4s, #0",
    "mvni v0.2s, #1, lsl #8",
    "mvni v0.8h, #7",
    "fmov v0.4s, #-1.5",
    "fmov v0.2d, #2.0",
    "fmov v0.2s, #0.5",
    "mov v0.16b, v1.16b",
    "fabs d0, d1",
    "fabs s0, s1",
    "fneg d0, d1",
    "fneg s0, s1",
    "fcmp d0, d1",
    "fcmpe s0, s1",
    "fcmp d0, #0.0",
    "fcmpe s0, #0.0",
    "fcsel d0, d1, d2, gt",
    "fcsel s0, s1, s2, ne",
];

/// Floating-point arithmetic, which is compared on numbers that are small.
const ARITHMETIC: &[&str] = &[
    "fadd d0, d1, d2",
    "fadd s0, s1, s2",
    "fsub d0, d1, d2",
    "fmul d0, d1, d2",
    "fmul s0, s1, s2",
    "fnmul d0, d1, d2",
    "fdiv d0, d1, d2",
    "fdiv s0, s1, s2",
    "fsqrt d0, d1",
    "fcvt s0, d1",
    "fcvtzs w0, d1",
    "fcvtzs x0, d1",
    "scvtf d0, w1",
    "scvtf s0, x1",
    "ucvtf d0, x1",
    "scvtf d0, d1",
    "scvtf s0, s1",
    "ucvtf d0, d1",
    "fcvtzs d0, d1",
    "fcvtzs s0, s1",
    "fmadd d0, d1, d2, d0",
    "fmsub d0, d1, d2, d0",
    "fnmadd s0, s1, s2, s0",
    "fnmsub d0, d1, d2, d0",
];

fn instructions() -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (registers, r) in [("x0, x1", "x"), ("w0, w1", "w")] {
        let top = if r == "x" { 63 } else { 31 };
        for op in ["add", "sub", "adds", "subs"] {
            out.push(format!("{op} {registers}, {r}2"));
            out.push(format!("{op} {registers}, #4095"));
            out.push(format!("{op} {registers}, #5, lsl #12"));
            for shift in ["lsl #3", "lsr #7", "asr #1"] {
                out.push(format!("{op} {registers}, {r}2, {shift}"));
            }
            out.push(format!("{op} {registers}, {r}2, asr #{top}"));
            for extend in ["uxtb", "uxth #2", "uxtw #4", "sxtb #1", "sxth", "sxtw #3"] {
                out.push(format!("{op} {registers}, w2, {extend}"));
            }
        }
        for op in ["and", "orr", "eor", "bic", "orn", "eon", "ands", "bics"] {
            out.push(format!("{op} {registers}, {r}2"));
            for shift in ["lsl #3", "lsr #7", "asr #1", "ror #13"] {
                out.push(format!("{op} {registers}, {r}2, {shift}"));
            }
        }
        for op in ["adc", "adcs", "sbc", "sbcs", "udiv", "sdiv", "lslv", "lsrv", "asrv", "rorv"] {
            out.push(format!("{op} {registers}, {r}2"));
        }
        for op in ["clz", "cls", "rbit"] {
            out.push(format!("{op} {registers}"));
        }
        out.extend([format!("cmp {registers}"), format!("cmn {registers}"), format!("neg {registers}")]);
        out.extend([format!("cmp {r}0, #17"), format!("cmn {r}0, #1"), format!("negs {registers}")]);
        for condition in CONDITIONS {
            for op in ["csel", "csinc", "csinv", "csneg"] {
                out.push(format!("{op} {registers}, {r}2, {condition}"));
            }
            out.push(format!("ccmp {registers}, #5, {condition}"));
            out.push(format!("ccmn {registers}, #10, {condition}"));
            out.push(format!("ccmp {r}0, #30, #2, {condition}"));
        }
    }
    for register in ["x0", "w0", "d0", "s0", "q0"] {
        for op in ["ldr", "str"] {
            out.push(format!("{op} {register}, [x7, #144]"));
            out.push(
                format!("{op}{} {register}, [x7, #135]", "").replace("ldr", "ldur").replace("str", "stur"),
            );
            out.push(format!("{op} {register}, [x7, #144]!"));
            out.push(format!("{op} {register}, [x7], #-16"));
        }
    }
    for op in ["ldrb", "ldrh", "strb", "strh"] {
        out.push(format!("{op} w0, [x7, #150]"));
        out.push(format!("{op} w0, [x7, #150]!"));
    }
    out.extend(SINGLE.iter().chain(ARITHMETIC).map(|text| (*text).to_owned()));
    // With a register as the index, which `harness` makes a small one.
    for index in ["x5", "x5, lsl #3", "w5, sxtw", "w5, uxtw #3", "x5, sxtx"] {
        out.push(format!("ldr x0, [x7, {index}]"));
        out.push(format!("str x0, [x7, {index}]"));
    }
    out.push("ldrb w0, [x7, w5, uxtw]".to_owned());
    out.push("ldrsh x0, [x7, x5, lsl #1]".to_owned());
    out
}

/// The program that runs each instruction on states from its input.
fn harness(list: &[String]) -> String {
    let mut asm = String::from(".text\n");
    for (n, text) in list.iter().enumerate() {
        let _ = write!(asm, "run{n}:\nmov x7, x0\nmov x9, x0\nldr x10, [x9, #{FLAGS}]\nmsr nzcv, x10\n");
        for v in 0..3 {
            let _ = writeln!(asm, "ldr q{v}, [x9, #{}]", VECTORS + 16 * v);
        }
        asm.push_str("ldp x2, x3, [x9, #16]\nldp x4, x5, [x9, #32]\nldp x0, x1, [x9]\n");
        let _ = writeln!(asm, "begin{n}: {text}");
        asm.push_str("mrs x10, nzcv\nsub x7, x7, x9\nstr x7, [x9, #48]\nstp x0, x1, [x9]\n");
        let _ = write!(asm, "stp x2, x3, [x9, #16]\nstp x4, x5, [x9, #32]\nstr x10, [x9, #{FLAGS}]\n");
        for v in 0..3 {
            let _ = writeln!(asm, "str q{v}, [x9, #{}]", VECTORS + 16 * v);
        }
        asm.push_str("ret\n");
    }
    asm.push_str(".data\n.globl table\ntable:\n");
    for n in 0..list.len() {
        let _ = writeln!(asm, ".quad run{n}, begin{n}");
    }
    asm
}

/// A random state: edges often.
fn state(rng: &mut Rng, text: &str) -> Vec<u8> {
    let mut out = vec![0; STATE];
    for n in 0..STATE / 8 {
        let word: u64 = match rng.below(6) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << rng.below(64),
            3 => 0x3ff0_0000_3f80_0000 << rng.below(2),
            4 => u64::from(rng.draw() as u32 as i32 as u32),
            _ => rng.draw(),
        };
        out[8 * n..8 * n + 8].copy_from_slice(&word.to_le_bytes());
    }
    let mut put = |at: usize, word: u64| out[at..at + 8].copy_from_slice(&word.to_le_bytes());
    put(48, 0);
    put(FLAGS, rng.below(16) << 28);
    put(FLAGS + 8, 0);
    if ARITHMETIC.contains(&text) {
        let single = text.contains("s1");
        for place in 0..3 {
            let number = (1 + rng.below(1 << 20)) as i64 - (1 << 8);
            let positive = if text.starts_with("fsqrt") { number.abs() } else { number };
            let bits =
                if single { u64::from((positive as f32).to_bits()) } else { (positive as f64).to_bits() };
            put(VECTORS + 16 * place, bits);
        }
        put(8, rng.below(1 << 20));
    }
    if text.contains("x5") || text.contains("w5") {
        put(40, 16 + rng.below(5));
    }
    out
}

/// The machine of a state.
fn machine(d: &mut Concrete, s: &[u8]) -> Machine<Concrete> {
    let mut mem = ArrayVal::new(64, Bv::zero(8));
    for (n, byte) in s.iter().enumerate() {
        mem.set(Bv::new(64, AT + n as u128), Bv::new(8, u128::from(*byte)));
    }
    let mut m = Machine::new(d, mem, None);
    for n in 0..6 {
        m.registers[n] = Some(Bv::new(64, number(&s[8 * n..8 * n + 8])));
    }
    m.registers[7] = Some(Bv::new(64, AT));
    for v in 0..3 {
        let at = VECTORS + 16 * v;
        m.registers[32 + v] = Some(Bv::new(128, number(&s[at..at + 16])));
    }
    let flags = number(&s[FLAGS..FLAGS + 8]);
    let bit = |n: u32| flags >> n & 1 == 1;
    // The carry is kept as a borrow.
    let (sign, zero, carry, overflow) = (Some(bit(31)), Some(bit(30)), Some(!bit(29)), Some(bit(28)));
    m.flags = Flags::Each(Box::new(Each { carry, parity: None, zero, sign, overflow }));
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
        check(format!("x{n}"), value(&m.registers[n]), number(&s[8 * n..8 * n + 8]));
    }
    let moved = value(&m.registers[7]).wrapping_sub(AT) as u64;
    check("x7".to_owned(), u128::from(moved), number(&s[48..56]));
    for v in 0..3 {
        let at = VECTORS + 16 * v;
        check(format!("v{v}"), value(&m.registers[32 + v]), number(&s[at..at + 16]));
    }
    for (n, byte) in s.iter().enumerate().skip(MEMORY) {
        let ours = d.load(&m.mem, &Bv::new(64, AT + n as u128), 1);
        check(format!("byte {n}"), ours.to_u128().expect("a byte"), u128::from(*byte));
    }
    let each = m.flags.each(d);
    let flags = number(&s[FLAGS..FLAGS + 8]);
    let all = [(31, each.sign), (30, each.zero), (29, each.carry.map(|c| !c)), (28, each.overflow)];
    for (bit, flag) in all {
        let flag = flag.expect("a flag");
        check(format!("flag {bit}"), u128::from(flag), flags >> bit & 1);
    }
    out
}

#[test]
fn instructions_do_what_the_emulator_does() {
    let Some((compiler, emulator)) = tools("aarch64") else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let list = instructions();
    let program = make(&compiler, dir.path(), &harness(&list));
    let words = words(&emulator, &program, list.len());
    let mut rng = Rng(7);
    let (mut input, mut expected, mut wrong) = (String::new(), Vec::new(), Vec::new());
    for (n, text) in list.iter().enumerate() {
        for _ in 0..ROUNDS {
            let s = state(&mut rng, text);
            let mut d = Concrete::new(1);
            let mut m = machine(&mut d, &s);
            if let Err(e) = run_one(&mut d, &mut m, &AAPCS64, Decoded::AArch64(decode(words[n]))) {
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
        let after = state_of(&answer);
        let found = differences(&mut d, &m, &after);
        if !found.is_empty() {
            wrong.push(format!("{}: on {}: {}", list[n], hex(&s), found.join("; ")));
        }
    }
    wrong.dedup_by_key(|w| w.split(':').next().map(str::to_owned));
    assert!(wrong.is_empty(), "{} instructions:\n{}", wrong.len(), wrong.join("\n"));
}
