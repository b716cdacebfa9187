//! The machine functions around AVX-512's opcodes, and what inputs they are compared on.

use super::{FLAGS, Inputs, conditions, hardware_inputs, mem};
use langs::x86::float::{Convert, Float};
use langs::x86::hardware::Hardware;
use langs::x86::masks::{MaskOp, Question};
use langs::x86::rearrange::Mix;
use langs::x86_mir::semantics::table::{Family, Form, Masking, Opcode, Sem};
use std::fmt::Write as _;

/// Bytes of inputs: three operands of 64 bytes and a mask.
pub const INPUT: usize = 200;

/// Whether an opcode is AVX-512's.
pub fn is_of_avx512(name: &str, op: &Opcode) -> bool {
    let mask = matches!(op.sem, Sem::Mask(_) | Sem::MaskFlags(_));
    op.evex.is_some() || mask || name.starts_with("AVX512_")
}

/// Whether it is known by name alone, or made of its instruction by later passes.
pub fn is_skipped(op: &Opcode) -> bool {
    match op.sem {
        // What does not fit is some number.
        Sem::ToInt(_) | Sem::ToUnsigned(_) | Sem::RoundToInt(_) => true,
        Sem::ConvertPacked(Convert::ToInt(_) | Convert::ToUnsigned(_) | Convert::Nearest(_)) => true,
        Sem::Hardware(hardware) => inputs_of(op, hardware).is_none(),
        Sem::Round => true,
        _ => false,
    }
}

fn inputs_of(op: &Opcode, hardware: Hardware) -> Option<Inputs> {
    match hardware {
        Hardware::Ternary | Hardware::ChosenOfTwo(_) | Hardware::DotProduct(..) => Some(Inputs::Any),
        _ => hardware_inputs(hardware, op.width),
    }
}

/// What inputs it is compared on.
pub fn kind(op: &Opcode) -> Inputs {
    match op.sem {
        Sem::Float(Float::Min | Float::Max) | Sem::FloatPacked(Float::Min | Float::Max) => Inputs::Any,
        Sem::Float(Float::Div) | Sem::FloatPacked(Float::Div) | Sem::Sqrt | Sem::SqrtPacked => {
            Inputs::Positive(op.width)
        }
        Sem::Float(_) | Sem::FloatPacked(_) | Sem::Fused(..) => Inputs::Float(op.width),
        Sem::FloatConvert(from) | Sem::ConvertPacked(Convert::Format(from)) => Inputs::Float(from),
        Sem::Hardware(hardware) => inputs_of(op, hardware).unwrap_or(Inputs::Any),
        _ => Inputs::Any,
    }
}

fn vector(width: u32) -> &'static str {
    match width {
        32 => "fr32x",
        64 => "fr64x",
        256 => "vr256x",
        512 => "vr512",
        _ => "vr128x",
    }
}

fn general(width: u32) -> &'static str {
    if width == 64 { "gr64" } else { "gr32" }
}

fn load(class: &str) -> &'static str {
    match class {
        "fr32x" => "VMOVSSZrm_alt",
        "fr64x" => "VMOVSDZrm_alt",
        "vr256x" => "VMOVUPSZ256rm",
        "vr512" => "VMOVUPSZrm",
        "gr32" => "MOV32rm",
        "gr64" => "MOV64rm",
        "vk64" => "KMOVQkm",
        _ => "VMOVUPSZ128rm",
    }
}

fn store(class: &str) -> &'static str {
    match class {
        "fr32x" => "VMOVSSZmr",
        "fr64x" => "VMOVSDZmr",
        "vr256x" => "VMOVUPSZ256mr",
        "vr512" => "VMOVUPSZmr",
        "gr32" => "MOV32mr",
        "gr64" => "MOV64mr",
        "vk64" => "KMOVQmk",
        _ => "VMOVUPSZ128mr",
    }
}

/// The class of the result and those of the inputs.
fn classes(name: &str, op: &Opcode) -> (&'static str, Vec<&'static str>) {
    let (w, v) = (op.width, vector(op.vector));
    let (scalar, x) = (vector(w.min(64)), "vr128x");
    let whole = op.evex.is_some_and(|evex| evex.lane > 0);
    match op.sem {
        Sem::Mov if whole => (v, vec![v]),
        Sem::Mov if name.starts_with("VMOV64toSD") => ("fr64x", vec!["gr64"]),
        Sem::Mov if name.starts_with("VMOVSDto64") => ("gr64", vec!["fr64x"]),
        Sem::Mov if name.starts_with("VMOVDI2SS") => ("fr32x", vec!["gr32"]),
        Sem::Mov if name.starts_with("VMOVSS2DI") => ("gr32", vec!["fr32x"]),
        Sem::Mov if name.starts_with("VMOVS") => (scalar, vec![scalar]),
        Sem::Mov => (x, vec![x]),
        Sem::MovHalf(_) if op.form == Form::MR => (x, vec![x]),
        Sem::MovFit(128) => (general(w), vec![x]),
        Sem::MovFit(_) if name.starts_with("VMOVZ") => (x, vec![x]),
        Sem::MovFit(from) => (x, vec![general(from)]),
        Sem::Mix(Mix::Insert(part)) => (v, vec![v, vector(part)]),
        Sem::LaneShift(_) if matches!(op.form, Form::RR | Form::RM) => (v, vec![v, x]),
        Sem::LaneShift(_) | Sem::ByteShift(_) | Sem::Arrange(_) | Sem::Rotate(_) => (v, vec![v]),
        Sem::Alone(_) | Sem::SqrtPacked => (v, vec![v]),
        Sem::Broadcast if name.contains("rZ") => (v, vec![general(w)]),
        Sem::Broadcast => (v, vec![x]),
        Sem::Extend(from, _) => (v, vec![vector((op.vector / w * from).max(128))]),
        Sem::ConvertPacked(convert) => {
            let count = op.vector / w.max(convert.from());
            (vector((count * w).max(128)), vec![vector((count * convert.from()).max(128))])
        }
        Sem::Ask(_) if name.contains("_Int") => ("vk64", vec![x, x]),
        Sem::Ask(Question::Floats) if name.contains("SDZ") || name.contains("SSZ") => {
            ("vk64", vec![scalar, scalar])
        }
        Sem::Ask(_) => ("vk64", vec![v, v]),
        Sem::FloatFlags if name.ends_with("_Int") => ("", vec![x, x]),
        Sem::FloatFlags => ("", vec![scalar, scalar]),
        Sem::FromInt(from) | Sem::FromUnsigned(from) => (scalar, vec![scalar, general(from)]),
        Sem::FloatConvert(from) => (scalar, vec![scalar, vector(from)]),
        Sem::Float(_) | Sem::Sqrt => (scalar, vec![scalar, scalar]),
        Sem::Fused(_, packed) => {
            let class = if packed { v } else { scalar };
            (class, vec![class; 3])
        }
        Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(from))) => (v, vec![v, general(from)]),
        Sem::Hardware(hardware) => (v, vec![v; hardware.inputs()]),
        Sem::InsertLane => (x, vec![x, general(w)]),
        Sem::ExtractLane => (general(w), vec![x]),
        Sem::ExtractHalf => (vector(w), vec![v]),
        Sem::Truncate(from, _) => (vector((op.vector / from * w).max(128)), vec![v]),
        Sem::SpreadMask => (v, vec!["vk64"]),
        Sem::SignMask => ("vk64", vec![v]),
        Sem::Mask(_) if name.ends_with("kr") => ("vk64", vec![general(w)]),
        Sem::Mask(_) if name.ends_with("rk") => (general(w), vec!["vk64"]),
        Sem::Mask(op) => ("vk64", vec!["vk64"; op.inputs()]),
        Sem::MaskFlags(_) => ("", vec!["vk64"; 2]),
        Sem::Constant(_) => (vector(w), Vec::new()),
        _ => (v, vec![v, v]),
    }
}

/// The immediate behind the operands, if there is one: any that the name happens to give, so that all are met.
fn immediate(name: &str, op: &Opcode) -> Option<u32> {
    let any = name.bytes().fold(7u32, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into())) >> 3;
    Some(match op.sem {
        Sem::LaneShift(_) if matches!(op.form, Form::RR | Form::RM) => return None,
        Sem::LaneShift(_) | Sem::ByteShift(_) | Sem::Rotate(_) | Sem::Mask(MaskOp::Shift(_)) => any % 20,
        // Later passes make another instruction of it, and take the number to be one of a lane.
        Sem::Mix(Mix::AlignLanes(w)) => any % (op.vector / w),
        Sem::Ask(Question::Integers(_)) => any % 8,
        Sem::Ask(Question::Floats) => any % 32,
        Sem::Arrange(_) | Sem::Mix(_) | Sem::InsertLane | Sem::ExtractLane | Sem::ExtractHalf => any % 256,
        Sem::Hardware(hardware) if hardware.has_code() => any % 256,
        _ => return None,
    })
}

/// The machine function around one opcode.
pub fn function(name: &str, op: &Opcode) -> String {
    let (result, inputs) = classes(name, op);
    let mut body = String::new();
    let mut line = |text: String| {
        let _ = writeln!(body, "    {text}");
    };
    line("%0:gr64 = COPY $rdi".into());
    line("%1:gr64 = COPY $rsi".into());
    line(format!("%8:vk64wm = KMOVQkm {}", mem("%0", 192)));
    line(format!("%9:vr512 = VMOVUPSZrm {}", mem("%0", 128)));
    line(format!("VMOVUPSZmr {}, %9", mem("%1", 0)));
    let mut operands = Vec::new();
    let memory = matches!(op.form, Form::RM | Form::RMI);
    for (n, class) in inputs.iter().enumerate() {
        if memory && n + 1 == inputs.len() {
            operands.push(mem("%0", 64));
            continue;
        }
        line(format!("%{}:{class} = {} {}", 10 + n, load(class), mem("%0", 64 * n as u32)));
        operands.push(format!("%{}", 10 + n));
    }
    let masking = op.evex.map_or(Masking::None, |evex| evex.masking);
    let kept = inputs.len() == 3;
    let store_of = op.form == Form::MR;
    if masking != Masking::None {
        operands.insert(usize::from(kept), "%8".into());
    }
    match masking {
        Masking::Merge if !kept && !store_of => {
            line(format!("%4:{result} = {} {}", load(result), mem("%0", 128)));
            operands.insert(0, "%4".into());
        }
        Masking::Choose => {
            line(format!("%4:{result} = {} {}", load(result), mem("%0", 128)));
            operands.insert(1, "%4".into());
        }
        _ => {}
    }
    operands.extend(immediate(name, op).map(|n| n.to_string()));
    let flags = matches!(op.sem, Sem::FloatFlags | Sem::MaskFlags(_));
    if flags {
        operands.push(FLAGS.into());
    }
    if op.sem.family() == Family::Floating || matches!(op.sem, Sem::Ask(_)) {
        operands.push("implicit $mxcsr".into());
    }
    let list = operands.join(", ");
    if store_of {
        line(format!("{name} {}, {list}", mem("%1", 0)));
    } else if result.is_empty() {
        line(format!("{name} {list}"));
    } else {
        line(format!("%5:{result} = {name} {list}"));
        line(format!("{} {}, %5", store(result), mem("%1", 64)));
    }
    for (i, code) in conditions(op).iter().enumerate() {
        line(format!("%{}:gr8 = SETCCr {code}, implicit $eflags", 30 + i));
        line(format!("MOV8mr {}, %{}", mem("%1", 128 + i as u32), 30 + i));
    }
    line("RET 0".into());
    format!(
        "---\nname:            f_{name}\ntracksRegLiveness: true\nbody:             |\n  bb.0:\n    liveins: $rdi, $rsi\n\n{body}\n...\n"
    )
}

/// Whether this processor has what the opcodes need.
pub fn is_there() -> bool {
    let flags = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    [
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512dq",
        "avx512cd",
        "avx512vbmi",
        "avx512_vpopcntdq",
        "avx512_vnni",
        "avx512_bitalg",
    ]
    .iter()
    .all(|flag| flags.split_whitespace().any(|f| f == *flag))
}
