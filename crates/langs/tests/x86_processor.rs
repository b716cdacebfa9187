//! The opcode table against this processor: every opcode that computes on integers, vectors or comparisons is put
//! into a machine function, LLVM's back end makes code of it, and both run on the same random inputs.

use langs::x86::alu::{Alu, Unary};
use langs::x86::bits::{BitTest, Count};
use langs::x86::float::{Convert, Float};
use langs::x86::hardware::Hardware;
use langs::x86::rearrange::Mix;
use langs::x86_mir::semantics::table::{Family, Form, Opcode, Sem, opcodes};
use langs::x86_mir::semantics::{Effect, Environment, X86};
use smt::{ArrayVal, Bv, Concrete};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

#[path = "x86_processor/evex.rs"]
mod evex;

/// Bytes of outputs at most.
const OUTPUT: usize = 192;
/// Bytes of inputs: two operands of 32 bytes, and a count.
const INPUT: usize = 72;
const IN_AT: u128 = 0x10000;
const OUT_AT: u128 = 0x20000;

/// The flags that an operation defines, as condition codes.
fn conditions(op: &Opcode) -> &'static [u32] {
    match op.sem {
        Sem::Alu(Alu::Imul) => &[0, 2],
        Sem::MulWide(_) => &[0, 2],
        // Later passes choose between two instructions, whose flags differ.
        Sem::Alu(Alu::OrDisjoint) => &[],
        Sem::Alu(_) | Sem::Cmp | Sem::Test | Sem::FloatFlags => &[0, 2, 4, 6, 8, 10, 12, 14, 3, 7, 13, 15],
        Sem::Unary(Unary::Not) => &[],
        Sem::Unary(_) => &[0, 2, 4, 8, 10, 12, 14],
        Sem::BitTest(_) => &[2],
        Sem::TestVector | Sem::MaskFlags(_) => &[0, 2, 4, 8, 10],
        _ => &[],
    }
}

/// An opcode's name without AVX's prefix.
fn plain(name: &str) -> &str {
    name.strip_prefix('V').unwrap_or(name)
}

/// What inputs to compare an instruction with that intrinsics stand for; none of what is known by name alone.
fn hardware_inputs(hardware: Hardware, width: u32) -> Option<Inputs> {
    match hardware {
        Hardware::Low(Float::Min | Float::Max) | Hardware::MaskLow | Hardware::Masks => Some(Inputs::Any),
        Hardware::ConvertLow(Convert::FromInt(_)) => Some(Inputs::Any),
        Hardware::ConvertLow(Convert::Format(from)) => Some(Inputs::Float(from)),
        Hardware::Low(Float::Add | Float::Sub | Float::Mul)
        | Hardware::Neighbours(_)
        | Hardware::Alternating => Some(Inputs::Float(width)),
        _ => None,
    }
}

fn skipped(name: &str, op: &Opcode) -> bool {
    let uninterpreted = matches!(
        op.sem,
        Sem::Float(Float::Add | Float::Sub | Float::Mul | Float::Div)
            | Sem::FloatPacked(Float::Add | Float::Sub | Float::Mul | Float::Div)
            | Sem::Sqrt
            | Sem::SqrtPacked
            | Sem::Round
            | Sem::FromInt(_)
            | Sem::ToInt(_)
            | Sem::RoundToInt(_)
            | Sem::FloatConvert(_)
            | Sem::ConvertPacked(_)
    ) || matches!(op.sem, Sem::Hardware(hardware) if hardware_inputs(hardware, op.width).is_none());
    let structural = op.width == 0
        || matches!(
            op.sem,
            Sem::Nothing | Sem::Lea(_) | Sem::Atomic(_) | Sem::StackFence | Sem::ThreadLocal(_)
        );
    // Names of other LLVM versions, forms that only later passes make, and what needs more than one register.
    let plain = plain(name);
    let absent = name.ends_with("_NOREX")
        || plain.starts_with("CMPSDrr") && !name.ends_with('i')
        || plain.starts_with("CMPSSrr") && !name.ends_with('i')
        || matches!(plain, "CMPSDrm" | "CMPSSrm" | "CMPSDrmi" | "CMPSSrmi")
        || name.contains("ImmSExti8")
        || plain.starts_with("MOVDQArr")
        || matches!(op.sem, Sem::Constant(_)) && !name.starts_with("MOV")
        // The processor leaves 16-bit double shifts by more than 16 undefined.
        || matches!(name, "SHLD16rrCL" | "SHRD16rrCL")
        || matches!(op.sem, Sem::SignUpper | Sem::SignAcc | Sem::SetCarry)
        // Operands in an order of their own; the register forms share their meaning.
        || matches!(op.sem, Sem::Bmi(_)) && op.form == Form::Own
        || matches!(op.sem, Sem::Mulx(_));
    let memory_float = matches!(op.sem, Sem::FloatMasks) && op.form == Form::RM;
    uninterpreted || structural || absent || memory_float
}

/// The register class of an operand of a width.
fn class(width: u32, vector: bool) -> &'static str {
    match (vector, width) {
        (true, 32) => "fr32",
        (true, 64) => "fr64",
        (_, 128) => "vr128",
        (_, 256) => "vr256",
        (_, 8) => "gr8",
        (_, 16) => "gr16",
        (_, 32) => "gr32",
        _ => "gr64",
    }
}

fn load(class: &str) -> &'static str {
    match class {
        "gr8" => "MOV8rm",
        "gr16" => "MOV16rm",
        "gr32" => "MOV32rm",
        "gr64" => "MOV64rm",
        "fr32" => "MOVSSrm_alt",
        "fr64" => "MOVSDrm_alt",
        "vr256" => "VMOVUPSYrm",
        _ => "MOVUPSrm",
    }
}

fn store(class: &str) -> &'static str {
    match class {
        "gr8" => "MOV8mr",
        "gr16" => "MOV16mr",
        "gr32" => "MOV32mr",
        "gr64" => "MOV64mr",
        "fr32" => "MOVSSmr",
        "fr64" => "MOVSDmr",
        "vr256" => "VMOVUPSYmr",
        _ => "MOVUPSmr",
    }
}

/// Result and input classes of the two register operands.
fn classes(name: &str, op: &Opcode) -> (&'static str, &'static str, &'static str) {
    let (w, v) = (op.width, class(op.vector, true));
    let general = if w == 64 { "gr64" } else { "gr32" };
    let name = plain(name);
    match op.sem {
        Sem::Mix(Mix::Insert(_)) => (v, v, "vr128"),
        Sem::LaneShift(_) => (v, v, "vr128"),
        Sem::Broadcast | Sem::Extend(..) => (v, "vr128", "vr128"),
        Sem::ExtractHalf => ("vr128", v, v),
        Sem::InsertLane => (v, v, general),
        Sem::ExtractLane => (general, v, v),
        Sem::MoveMask => ("gr32", v, v),
        Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(from))) => {
            (v, v, if from == 64 { "gr64" } else { "gr32" })
        }
        Sem::FloatFlags if name.ends_with("_Int") => (v, v, v),
        Sem::Fused(_, false) => (class(w, true), class(w, true), class(w, true)),
        _ if matches!(op.sem.family(), Family::Vector)
            || matches!(
                op.sem,
                Sem::FloatPacked(_) | Sem::FloatMasks | Sem::Fused(..) | Sem::Hardware(_)
            ) =>
        {
            (v, v, v)
        }
        Sem::Float(_) | Sem::FloatFlags | Sem::FloatMask => (class(w, true), class(w, true), class(w, true)),
        Sem::Movzx(from) | Sem::Movsx(from) => (class(w, false), class(from, false), class(from, false)),
        Sem::MovFit(from) => match name {
            "MOVPDI2DIrr" | "MOVPQIto64rr" | "MOVZPQILo2PQIrr" => (class(w, false), "vr128", "vr128"),
            _ => (class(w, false), class(from, false), class(from, false)),
        },
        Sem::Mov => match name {
            "MOV64toSDrr" => ("fr64", "gr64", "gr64"),
            "MOVSDto64rr" => ("gr64", "fr64", "fr64"),
            "MOVDI2SSrr" => ("fr32", "gr32", "gr32"),
            "MOVSS2DIrr" => ("gr32", "fr32", "fr32"),
            "MOVPDI2DImr" | "MOVPQI2QImr" | "MOVLPDmr" | "MOVLPSmr" => ("vr128", "vr128", "vr128"),
            _ if name.starts_with("MOVS") => (class(w, true), class(w, true), class(w, true)),
            _ => (class(w, false), class(w, false), class(w, false)),
        },
        _ => (class(w, false), class(w, false), class(w, false)),
    }
}

/// The machine function around one opcode.
fn function(name: &str, op: &Opcode) -> String {
    let (result, first, second) = classes(name, op);
    let mut body = String::new();
    let mut line = |text: String| {
        let _ = writeln!(body, "    {text}");
    };
    let input = "%0, 1, $noreg";
    line("%0:gr64 = COPY $rdi".into());
    line("%1:gr64 = COPY $rsi".into());
    line(format!("%2:{first} = {} {input}, 0, $noreg", load(first)));
    line(format!("%3:{second} = {} {input}, 32, $noreg", load(second)));
    line(format!("%4:gr8 = MOV8rm {input}, 64, $noreg"));
    if matches!(op.sem, Sem::Fused(..)) {
        line(format!("%7:{first} = {} {input}, 16, $noreg", load(first)));
    }
    if matches!(op.sem, Sem::BlendBy) && !op.vex {
        line("$xmm0 = COPY %2".into());
    }
    // Memory that instructions change is the output's; it starts as the first input.
    line(format!("{} %1, 1, $noreg, 0, $noreg, %2", store(first)));
    let cl = matches!(op.form, Form::RCl | Form::MCl);
    if cl {
        line("$cl = COPY %4".into());
    }
    // A known state of the flags, carry included: that of an input compared with one.
    line("CMP8ri %4, 1, implicit-def $eflags".into());
    let mut gives_result = false;
    if matches!(op.sem, Sem::MulWide(_) | Sem::Divide(_)) {
        wide(name, op, first).into_iter().for_each(&mut line);
    } else {
        let text = instruction(name, op, result);
        gives_result = text.starts_with("%5:");
        line(text);
    }
    for (i, code) in conditions(op).iter().enumerate() {
        let reg = 30 + i;
        line(format!("%{reg}:gr8 = SETCCr {code}, implicit $eflags"));
        line(format!("MOV8mr %1, 1, $noreg, {}, $noreg, %{reg}", 64 + i));
    }
    if gives_result {
        line(format!("{} %1, 1, $noreg, 32, $noreg, %5", store(result)));
    }
    line("RET 0".into());
    format!(
        "---\nname:            f_{name}\ntracksRegLiveness: true\nbody:             |\n  bb.0:\n    liveins: $rdi, $rsi\n\n{body}\n...\n"
    )
}

const FLAGS: &str = "implicit-def $eflags";

/// Memory at an offset from a register.
fn mem(base: &str, offset: u32) -> String {
    format!("{base}, 1, $noreg, {offset}, $noreg")
}

/// The lines of an operation on a pair of fixed registers.
fn wide(name: &str, op: &Opcode, first: &str) -> Vec<String> {
    let flags = FLAGS;
    let mut lines = Vec::new();
    let mut line = |text: String| lines.push(text);
    let accumulator = |w: u32| match w {
        8 => ("al", "ah"),
        16 => ("ax", "dx"),
        32 => ("eax", "edx"),
        _ => ("rax", "rdx"),
    };
    let form = op.form;
    let (lo, hi) = accumulator(op.width);
    if op.width == 8 && matches!(op.sem, Sem::Divide(_)) {
        line(
            format!("$ax = {} %2, implicit-def dead $eflags", "MOVZX16rr8")
                .replace(", implicit-def dead $eflags", ""),
        );
    } else {
        line(format!("${lo} = COPY %2"));
    }
    if matches!(op.sem, Sem::Divide(_)) && op.width > 8 {
        line("%20:gr32 = MOV32r0 implicit-def $eflags".into());
        let sub = match op.width {
            16 => ".sub_16bit",
            _ => "",
        };
        if op.width == 64 {
            line("%21:gr64 = SUBREG_TO_REG 0, %20, %subreg.sub_32bit".into());
            line("$rdx = COPY %21".into());
        } else {
            line(format!("${hi} = COPY %20{sub}"));
        }
    }
    let operand = if form == Form::M { mem("%0", 32) } else { "%3".into() };
    let (extra_def, extra_use) = match (op.width, op.sem) {
        (8, Sem::Divide(_)) => ("implicit-def $al, implicit-def $ah".to_owned(), "implicit $ax".to_owned()),
        (8, _) => ("implicit-def $al, implicit-def $ax".to_owned(), "implicit $al".to_owned()),
        (_, Sem::Divide(_)) => {
            (format!("implicit-def ${lo}, implicit-def ${hi}"), format!("implicit ${lo}, implicit ${hi}"))
        }
        _ => (format!("implicit-def ${lo}, implicit-def ${hi}"), format!("implicit ${lo}")),
    };
    line(format!("{name} {operand}, {extra_def}, {flags}, {extra_use}"));
    if op.width == 8 {
        line(
            "%5:gr16 = COPY $ax"
                .replace("$ax", if matches!(op.sem, Sem::Divide(_)) { "$al" } else { "$ax" })
                .replace("gr16", if matches!(op.sem, Sem::Divide(_)) { "gr8" } else { "gr16" }),
        );
        let store = if matches!(op.sem, Sem::Divide(_)) { "MOV8mr" } else { "MOV16mr" };
        line(format!("{store} %1, 1, $noreg, 32, $noreg, %5"));
    } else {
        line(format!("%5:{first} = COPY ${lo}"));
        line(format!("%6:{first} = COPY ${hi}"));
        line(format!("{} %1, 1, $noreg, 32, $noreg, %5", store(first)));
        line(format!("{} %1, 1, $noreg, 56, $noreg, %6", store(first)));
    }
    lines
}

/// The line of any other operation; `%5` is its result, if that goes to a register.
fn instruction(name: &str, op: &Opcode, result: &str) -> String {
    let cl = matches!(op.form, Form::RCl | Form::MCl);
    let flags = FLAGS;
    let uses = if cl { ", implicit $cl, implicit $eflags" } else { ", implicit $eflags" };
    let imm = match op.sem {
        Sem::Shift(_) | Sem::LaneShift(_) | Sem::ByteShift(_) => 3,
        Sem::BitTest(_) => 5,
        Sem::Arrange(_) | Sem::Mix(Mix::Both(_)) => 0x1b,
        Sem::Mix(Mix::Blend(_)) => 0x5a,
        Sem::Mix(Mix::Halves) => 0x21,
        Sem::Mix(Mix::InsertFloat) => 0x92,
        Sem::Mix(Mix::Insert(_)) | Sem::ExtractHalf => 1,
        Sem::Mix(Mix::Align) => 5,
        Sem::InsertLane | Sem::ExtractLane => 3,
        _ => -77,
    };
    let double = name.starts_with("SHLD") || name.starts_with("SHRD");
    let text = match (op.sem, op.form) {
        (Sem::Cmp | Sem::Test | Sem::FloatFlags | Sem::BitTest(BitTest::Bt), form) => match form {
            Form::RM => format!("{name} %2, {}, {flags}", mem("%0", 32)),
            Form::RI => format!("{name} %2, {imm}, {flags}"),
            Form::MR => format!("{name} {}, %3, {flags}", mem("%0", 0)),
            Form::MI => format!("{name} {}, {imm}, {flags}", mem("%0", 0)),
            _ => format!("{name} %2, %3, {flags}"),
        },
        (Sem::Cmov, form) => match form {
            Form::RM => format!("%5:{result} = {name} %2, {}, 2{uses}", mem("%0", 32)),
            _ => format!("%5:{result} = {name} %2, %3, 2{uses}"),
        },
        (Sem::Setcc, Form::R) => format!("%5:{result} = {name} 2{uses}"),
        (Sem::Setcc, _) => {
            format!("{name} {}, 2{uses}", mem("%1", 0))
        }
        (Sem::Constant(_), _) => format!("%5:{result} = {name} {flags}"),
        (Sem::MovZextImm(_), _) => format!("%5:{result} = {name} 123456"),
        (Sem::Mov, Form::RI) => format!("%5:{result} = {name} {imm}"),
        (Sem::Mov | Sem::Movzx(_) | Sem::Movsx(_) | Sem::MovFit(_), Form::RM) => {
            format!("%5:{result} = {name} {}", mem("%0", 32))
        }
        (Sem::Mov | Sem::Movzx(_) | Sem::Movsx(_) | Sem::MovFit(_), Form::RR) => {
            format!("%5:{result} = {name} %2")
        }
        (Sem::Mov, _) => {
            let value = if op.form == Form::MI { imm.to_string() } else { "%3".into() };
            format!("{name} {}, {value}", mem("%1", 0))
        }
        (Sem::Bswap, _) => format!("%5:{result} = {name} %2"),
        (Sem::Count(_), Form::RM) => format!("%5:{result} = {name} {}, {flags}", mem("%0", 32)),
        (Sem::Count(_), _) => format!("%5:{result} = {name} %2, {flags}"),
        (Sem::FloatMask | Sem::FloatMasks, _) => format!("%5:{result} = {name} %2, %3, 1, implicit $mxcsr"),
        (Sem::InsertLane | Sem::Mix(_), Form::RM) => {
            format!("%5:{result} = {name} %2, {}, {imm}", mem("%0", 32))
        }
        (Sem::InsertLane | Sem::Mix(_), _) => format!("%5:{result} = {name} %2, %3, {imm}"),
        (Sem::MaskedMove, Form::MR) => format!("{name} {}, %2, %3", mem("%1", 0)),
        (Sem::ExtractLane | Sem::ExtractHalf, Form::MR) => format!("{name} {}, %2, {imm}", mem("%1", 0)),
        (Sem::ExtractLane | Sem::ExtractHalf, _) => format!("%5:{result} = {name} %2, {imm}"),
        (Sem::Alone(_) | Sem::Broadcast | Sem::Extend(..), Form::RM) => {
            format!("%5:{result} = {name} {}", mem("%0", 32))
        }
        (Sem::MoveMask | Sem::Alone(_) | Sem::Broadcast | Sem::Extend(..), _) => {
            format!("%5:{result} = {name} %2")
        }
        (Sem::BlendBy, form) => {
            let second = if form == Form::RM { mem("%0", 32) } else { "%3".into() };
            let mask = if op.vex { "%2" } else { "implicit $xmm0" };
            format!("%5:{result} = {name} %2, {second}, {mask}")
        }
        (Sem::Fused(..), form) => {
            let third = if form == Form::RM { mem("%0", 16) } else { "%7".into() };
            format!("%5:{result} = {name} %2, %3, {third}")
        }
        (Sem::Hardware(hardware), form) => {
            let second = if form == Form::RM { mem("%0", 32) } else { "%3".into() };
            let code = if hardware.has_code() { ", 1" } else { "" };
            format!("%5:{result} = {name} %2, {second}{code}, implicit $mxcsr")
        }
        (Sem::TestVector, Form::RM) => format!("{name} %2, {}, {flags}", mem("%0", 32)),
        (Sem::TestVector, _) => format!("{name} %2, %3, {flags}"),
        (Sem::MovHalf(_), Form::MR) => format!("{name} {}, %2", mem("%1", 0)),
        (Sem::MovReversed, Form::RM) => format!("%5:{result} = {name} {}", mem("%0", 32)),
        (Sem::MovReversed, _) => format!("{name} {}, %3", mem("%1", 0)),
        (_, Form::RMI) => format!("%5:{result} = {name} {}, {imm}, {flags}", mem("%0", 32)),
        (_, Form::RM) => format!("%5:{result} = {name} %2, {}, {flags}{uses}", mem("%0", 32)),
        (_, Form::RI) if double => format!("%5:{result} = {name} %2, %3, 3, {flags}"),
        (_, Form::RCl) if double => format!("%5:{result} = {name} %2, %3, {flags}{uses}"),
        (_, Form::RI) => format!("%5:{result} = {name} %2, {imm}, {flags}{uses}"),
        (_, Form::MR) => {
            format!("{name} {}, %3, {flags}{uses}", mem("%1", 0))
        }
        (_, Form::MI) => {
            format!("{name} {}, {imm}, {flags}{uses}", mem("%1", 0))
        }
        (_, Form::R | Form::R1 | Form::RCl) => format!("%5:{result} = {name} %2, {flags}{uses}"),
        (_, Form::M | Form::M1 | Form::MCl) => {
            format!("{name} {}, {flags}{uses}", mem("%1", 0))
        }
        _ => format!("%5:{result} = {name} %2, %3, {flags}{uses}"),
    };
    // Vector instructions know nothing of the flags.
    let vector = matches!(op.sem.family(), Family::Vector | Family::Floating)
        && !matches!(op.sem, Sem::TestVector | Sem::FloatFlags);
    let text = if vector { text.replace(&format!(", {flags}"), "").replace(uses, "") } else { text };
    match op.sem {
        Sem::Unary(Unary::Not) => text.replace(&format!(", {flags}"), ""),
        Sem::Float(_) | Sem::FloatPacked(_) | Sem::FloatFlags | Sem::Fused(..) => {
            format!("{text}, implicit $mxcsr")
        }
        _ => text,
    }
}

/// What inputs an operation needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inputs {
    /// Any.
    Any,
    /// Quotients that fit: the divisor is odd, positive and, in every width, large; the dividend positive.
    Divide,
    /// Not zero, of which scans leave their result undefined.
    Scan,
    /// Small whole numbers in floating point of this width, so that results are exact.
    Float(u32),
    /// The same that are above zero.
    Positive(u32),
}

/// Pseudo-random bytes, with edge values now and then.
fn inputs(seed: u64, kind: Inputs, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut bytes = Vec::new();
    for i in 0..size / 8 {
        let word = match next() % 6 {
            0 => 0,
            1 => u64::MAX,
            2 => 0x8000_8000_8000_8080 ^ (next() & 1),
            3 => next() & 0xff,
            4 => 0x7ff0_0000_7f80_0000 | (next() & 1),
            _ => next(),
        };
        let least = if matches!(kind, Inputs::Positive(_)) { 1.0 } else { -512.0 };
        let small = |word: u64| (word >> 8 & 0x3ff) as f32 + least;
        let word = match (kind, i) {
            (Inputs::Divide, 4) => (word & 0x7f7f_7f7f_7f7f_7f7f) | 0x4141_4141_4141_4141,
            (Inputs::Divide, 0) => word & 0x7f7f_7f7f_7f7f_7f3f,
            (Inputs::Scan, 0 | 4) => word | 0x20,
            (Inputs::Float(64) | Inputs::Positive(64), _) => f64::from(small(word)).to_bits(),
            (Inputs::Float(_) | Inputs::Positive(_), _) => {
                u64::from(small(word).to_bits()) << 32 | u64::from(small(word >> 20).to_bits())
            }
            _ => word,
        };
        bytes.extend(word.to_le_bytes());
    }
    bytes
}

fn run_tool(command: &mut Command, what: &str) -> Vec<u8> {
    let output =
        command.output().unwrap_or_else(|e| panic!("{what} is needed for this test and does not start: {e}"));
    assert!(output.status.success(), "{what} failed: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The instructions that LLVM's library names, as far as it is found: those of its table of names among others.
fn known_names() -> Option<HashSet<String>> {
    let tool = Command::new("sh").args(["-c", "ldd $(command -v llc-19)"]).output().ok()?;
    let list = String::from_utf8_lossy(&tool.stdout).into_owned();
    let path =
        list.lines().find(|l| l.contains("libLLVM"))?.split_whitespace().find(|w| w.starts_with('/'))?;
    let bytes = std::fs::read(path).ok()?;
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let names = bytes.split(|b| *b == 0).filter(|n| n.len() < 64 && n.iter().all(is_name));
    Some(names.map(|n| String::from_utf8_lossy(n).into_owned()).collect())
}

/// How a set of opcodes is compared.
struct Comparison {
    /// The features that LLVM makes code for.
    features: &'static str,
    /// Bytes of inputs.
    input: usize,
    /// How often.
    rounds: usize,
    /// The machine function around an opcode.
    function: fn(&str, &Opcode) -> String,
    /// What inputs it needs.
    kind: fn(&Opcode) -> Inputs,
}

type Chosen = (&'static str, Opcode);

/// The functions as LLVM reads them, compiled to `ops.o`, without the opcodes that LLVM lacks.
fn compiled(how: &Comparison, dir: &std::path::Path, chosen: &mut Vec<Chosen>) -> String {
    // Families are listed in all widths and forms; LLVM lacks some of the combinations, and says which.
    let mut lacking = Vec::new();
    if let Some(known) = known_names() {
        lacking.extend(chosen.iter().filter(|(n, _)| !known.contains(*n)).map(|(n, _)| (*n).to_owned()));
        chosen.retain(|(n, _)| known.contains(*n));
    }
    loop {
        let mir: String = chosen.iter().map(|(name, op)| (how.function)(name, op)).collect();
        std::fs::write(dir.join("ops.mir"), &mir).unwrap();
        let output = Command::new("llc-19")
            .args(["-x", "mir", "-start-after=finalize-isel", "-mtriple=x86_64-pc-linux-gnu"])
            .args(["-filetype=obj", "-relocation-model=pic", "-O0", "-o"])
            .arg(dir.join("ops.o"))
            .arg(format!("-mattr={}", how.features))
            .arg(dir.join("ops.mir"))
            .output()
            .unwrap_or_else(|e| panic!("llc-19 is needed for this test and does not start: {e}"));
        if output.status.success() {
            println!("{} opcodes compared; {} are not in LLVM 19", chosen.len(), lacking.len());
            return mir;
        }
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let unknown =
            error.split("unknown machine instruction name '").nth(1).and_then(|t| t.split('\'').next());
        let Some(name) = unknown else { panic!("llc-19 failed: {error}") };
        lacking.push(name.to_owned());
        chosen.retain(|(n, _)| *n != name);
    }
}

/// Runs every opcode on the processor, on inputs that each has a number of.
fn outputs(how: &Comparison, dir: &std::path::Path, chosen: &[Chosen], feed: Vec<u8>) -> Vec<u8> {
    let mut driver =
        String::from("#include <stdio.h>\n#include <string.h>\ntypedef void F(void *, void *);\n");
    for (name, _) in chosen {
        let _ = writeln!(driver, "F f_{name};");
    }
    driver.push_str("static F *all[] = {\n");
    for (name, _) in chosen {
        let _ = writeln!(driver, "f_{name},");
    }
    let input = how.input;
    let _ = write!(
        driver,
        "}};\nint main(void) {{ static _Alignas(64) unsigned char in[256], out[{OUTPUT}];\n\
         unsigned i; while (fread(&i, 4, 1, stdin) == 1 && fread(in, {input}, 1, stdin) == 1) {{\n\
         memset(out, 0, {OUTPUT}); all[i](in, out); fwrite(out, {OUTPUT}, 1, stdout); }} return 0; }}\n",
    );
    std::fs::write(dir.join("driver.c"), &driver).unwrap();
    let (run, source, ops) = (dir.join("run"), dir.join("driver.c"), dir.join("ops.o"));
    run_tool(Command::new("gcc").arg("-o").arg(&run).arg(source).arg(ops), "gcc");
    let mut child =
        Command::new(run).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the driver starts");
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&feed));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the driver died: {:?}", output.status);
    output.stdout
}

/// Compares opcodes with the processor, and tells how many there were.
fn compare(how: &Comparison, mut chosen: Vec<Chosen>) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let mir = compiled(how, dir.path(), &mut chosen);
    let mut cases = Vec::new();
    let mut feed = Vec::new();
    for (i, (name, op)) in chosen.iter().enumerate() {
        for round in 0..how.rounds {
            let bytes = inputs((i * how.rounds + round) as u64 + 1, (how.kind)(op), how.input);
            feed.extend((i as u32).to_le_bytes());
            feed.extend(&bytes);
            cases.push((*name, bytes));
        }
    }
    let output = outputs(how, dir.path(), &chosen, feed);
    assert_eq!(output.len(), cases.len() * OUTPUT, "the driver stopped early");

    let module = langs::x86_mir::parse(mir.as_bytes()).unwrap();
    assert!(module.damaged.is_empty(), "{:?}", module.damaged);
    let functions: HashMap<&str, _> = module.functions.iter().map(|f| (&f.name[2..], f)).collect();
    let mut wrong = Vec::new();
    for ((name, bytes), real) in cases.iter().zip(output.chunks(OUTPUT)) {
        match simulate(&module, functions[name], bytes) {
            Ok(ours) => {
                let differ: Vec<usize> = (0..OUTPUT).filter(|i| ours[*i] != real[*i]).collect();
                if !differ.is_empty() {
                    wrong.push(format!(
                        "{name}: bytes {differ:?} differ: {ours:?} here, {real:?} there, on {bytes:?}"
                    ));
                }
            }
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
    }
    wrong.dedup_by_key(|w| w.split(':').next().unwrap_or("").to_owned());
    let names: Vec<&str> = wrong.iter().map(|w| w.split(':').next().unwrap_or(w)).collect();
    let first = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} opcodes differ: {}\n{}", names.len(), names.join(" "), first.join("\n"));
    chosen.len()
}

#[test]
fn every_opcode_on_this_processor() {
    let all = opcodes().into_iter().filter(|(name, op)| !evex::is_of_avx512(name, op));
    let how = Comparison {
        features: "+popcnt,+lzcnt,+bmi,+bmi2,+movbe,+fma,+avx2",
        input: INPUT,
        rounds: 24,
        function,
        kind: |op| match op.sem {
            Sem::Divide(_) => Inputs::Divide,
            Sem::Count(Count::Bsf | Count::Bsr) => Inputs::Scan,
            Sem::Fused(..) => Inputs::Float(op.width),
            Sem::Hardware(hardware) => hardware_inputs(hardware, op.width).unwrap_or(Inputs::Any),
            _ => Inputs::Any,
        },
    };
    let count = compare(&how, all.filter(|(name, op)| !skipped(name, op)).collect());
    assert!(count > 300, "only {count} opcodes to compare");
}

#[test]
fn every_opcode_of_avx512_on_this_processor() {
    if !evex::is_there() {
        println!("skipped: this processor has not all of AVX-512 that the opcodes need");
        return;
    }
    let all = opcodes().into_iter().filter(|(name, op)| evex::is_of_avx512(name, op));
    let how = Comparison {
        features: "+avx512f,+avx512bw,+avx512vl,+avx512dq,+avx512cd,+avx512vbmi,+avx512vpopcntdq,+avx512vnni,+avx512bitalg,\
                   +vaes,+vpclmulqdq,+fma",
        input: evex::INPUT,
        rounds: 6,
        function: evex::function,
        kind: evex::kind,
    };
    let count = compare(&how, all.filter(|(_, op)| !evex::is_skipped(op)).collect());
    assert!(count > 2000, "only {count} opcodes to compare");
}

fn simulate(
    module: &langs::x86_mir::ast::MirModule,
    f: &langs::x86_mir::ast::MachineFunction,
    bytes: &[u8],
) -> Result<Vec<u8>, String> {
    let mut d = Concrete::new(1);
    let x86 = X86::new(module, f, Environment::default(), ());
    let mut mem = ArrayVal::new(64, Bv::zero(8));
    for (i, b) in bytes.iter().enumerate() {
        mem.set(Bv::new(64, IN_AT + i as u128), Bv::new(8, u128::from(*b)));
    }
    let perm = ArrayVal::new(64, Bv::ones(8));
    let mut st = x86.blank(&mut d, mem, perm);
    st.gpr[7] = Some(Bv::new(64, IN_AT));
    st.gpr[6] = Some(Bv::new(64, OUT_AT));
    for i in 0..f.insts.len() {
        match x86.exec(&mut d, &mut st, i).map_err(|e| e.to_string())? {
            Effect::Next => {}
            Effect::Return => break,
            _ => return Err("unexpected effect".into()),
        }
    }
    if st.fault {
        return Err("fault".into());
    }
    let out = Bv::new(64, OUT_AT);
    Ok((0..OUTPUT as u128)
        .map(|i| {
            let at = out.add(&Bv::new(64, i));
            st.mem.get(&at).to_u64().unwrap_or(0) as u8
        })
        .collect())
}
