//! Which registers, flags and stack slots instructions of x86-64 read and write. The upper half of a vector of 256 bits is a
//! register of its own: what AVX writes to 128 bits clears it, what SSE writes leaves it.

use super::super::abi::Abi;
use super::super::facts::Facts;
use super::super::function::{Decoded, Function, Insn};
use super::super::uses::{Control, Uses};
use super::atomic::{is_event, is_fence};
use super::i386::I386;
use super::table::{Op, op, sets_all_flags};
use super::track::{RBP, RSP, gpr64};
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// x86-64 under the System V convention: general registers by their hardware number, then vectors. The last of the
/// arguments is `al`, which counts the vectors of variadic calls.
pub static SYSV: Abi = Abi {
    general: 16,
    registers: 48,
    uppers: Some(32),
    word: 64,
    vector_width: 128,
    stack: RSP,
    frame: RBP,
    arguments: &[7, 6, 2, 1, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23, 0],
    general_arguments: 6,
    vector_arguments: 8,
    counter: Some(0),
    unnamed_vectors: true,
    results: [0, 2, 16, 17],
    saved: &[3, 5, 12, 13, 14, 15],
    // All but rbx, rsp, rbp, r12 to r15.
    clobbered: 0xffff_ffff_0fc7,
    link: None,
    extends: true,
    widens: false,
    incoming: 8,
    flags: &[0, 1, 2, 3, 4],
    names: &[
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
        "r14", "r15",
    ],
    vector: "xmm",
    nothing,
};

pub(super) fn nothing() -> Decoded {
    Decoded::X86(iced_x86::Decoder::with_ip(64, &[0x90], 0, iced_x86::DecoderOptions::NONE).decode())
}

/// The number of a register: general ones, then vectors.
pub(crate) fn number(register: Register) -> Option<usize> {
    let full = register.full_register();
    if let Some(n) = gpr64(full) {
        return Some(n);
    }
    let vector = full.is_vector_register() && full.number() < 16;
    vector.then(|| 16 + full.number())
}

/// The upper halves of vectors of 256 bits, as bits.
const UPPERS: u64 = 0xffff << 32;

/// A register as bits: of more than 128 bits its upper half, too; every register for one that has no number.
fn bits(register: Register) -> u64 {
    let Some(n) = number(register) else { return u64::MAX };
    let upper = n >= SYSV.general && register.size() > 16;
    1 << n | u64::from(upper) << SYSV.upper(n)
}

/// The direct accesses of the frame that an instruction makes: offset, bytes, reads, writes.
pub(crate) fn frame_accesses(f: &Function, facts: &Facts, i: usize) -> Vec<(i64, u64, bool, bool)> {
    let insn = &f.insns[i];
    let d = insn.x86();
    let Some(sp) = facts.frame(i, RSP) else { return Vec::new() };
    let mut out = Vec::new();
    match d.mnemonic() {
        Mnemonic::Push => {
            let size = i64::from(d.stack_pointer_increment());
            out.push((sp + size, size.unsigned_abs(), false, true));
        }
        Mnemonic::Pop => out.push((sp, i64::from(d.stack_pointer_increment()).unsigned_abs(), true, false)),
        Mnemonic::Leave => {
            if let Some(at) = facts.frame(i, RBP) {
                out.push((at, 8, true, false));
            }
        }
        _ => {}
    }
    if (0..d.op_count()).all(|op| d.op_kind(op) != OpKind::Memory)
        || d.mnemonic() == Mnemonic::Lea
        || is_event(d)
    {
        return out;
    }
    let base = gpr64(d.memory_base()).and_then(|n| facts.frame(i, n));
    let (Some(at), Register::None) = (base, d.memory_index()) else { return out };
    let at = at.wrapping_add(d.memory_displacement64() as i64);
    let bytes = d.memory_size().size() as u64;
    let mut factory = InstructionInfoFactory::new();
    let (mut reads, mut writes) = (false, false);
    for used in factory.info(d).used_memory() {
        if used.base() == d.memory_base() && used.displacement() == d.memory_displacement64() {
            let access = used.access();
            reads |= !matches!(access, OpAccess::Write | OpAccess::None | OpAccess::NoMemAccess);
            writes |= !matches!(
                access,
                OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess
            );
        }
    }
    out.push((at, bytes, reads, writes));
    out
}

/// Whether an instruction reads memory.
pub(crate) fn reads_memory(d: &Instruction) -> bool {
    let unread =
        |access: OpAccess| matches!(access, OpAccess::Write | OpAccess::None | OpAccess::NoMemAccess);
    InstructionInfoFactory::new().info(d).used_memory().iter().any(|used| !unread(used.access()))
}

/// Instructions that give the same whatever their register held.
pub(crate) fn forgets(insn: &Insn) -> bool {
    let d = insn.x86();
    // AVX has the result apart from what is read twice.
    let last = d.op_count().saturating_sub(1);
    let same = matches!(last, 1 | 2)
        && (last - 1..=last).all(|n| d.op_kind(n) == OpKind::Register)
        && d.op_register(last - 1) == d.op_register(last)
        && !d.has_op_mask();
    let avx = matches!(
        d.mnemonic(),
        Mnemonic::Vpxor
            | Mnemonic::Vxorps
            | Mnemonic::Vxorpd
            | Mnemonic::Vpcmpeqb
            | Mnemonic::Vpcmpeqw
            | Mnemonic::Vpcmpeqd
    );
    let sse = matches!(
        d.mnemonic(),
        Mnemonic::Xor
            | Mnemonic::Sub
            | Mnemonic::Pxor
            | Mnemonic::Xorps
            | Mnemonic::Xorpd
            | Mnemonic::Sbb
            | Mnemonic::Pcmpeqb
            | Mnemonic::Pcmpeqw
            | Mnemonic::Pcmpeqd
    );
    same && (sse && last == 1 || avx && last == 2) && d.op0_register().size() >= 4
}

/// How an instruction goes on.
pub(crate) fn control(d: &Instruction) -> Control {
    match d.flow_control() {
        _ if op(d.mnemonic()) == Some(Op::Trap) => Control::Trap,
        FlowControl::Call | FlowControl::IndirectCall => Control::Call,
        FlowControl::IndirectBranch => Control::IndirectJump,
        FlowControl::UnconditionalBranch => Control::Jump,
        FlowControl::Return => Control::Return,
        _ => Control::Other,
    }
}

/// The uses of an instruction.
pub(crate) fn uses(insn: &Insn) -> Uses {
    let d = insn.x86();
    let mut uses = Uses::default();
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(d);
    let (event, mut in_part) = (is_event(d), 0u64);
    for used in info.used_registers() {
        let Some(n) = number(used.register()) else { continue };
        let both = bits(used.register());
        // A byte or a word leaves the rest of its register as it was.
        let whole = used.register().size() >= if n < 16 { 4 } else { 16 };
        match used.access() {
            OpAccess::None | OpAccess::NoMemAccess => {}
            OpAccess::Read | OpAccess::CondRead => uses.reads |= both,
            OpAccess::Write if whole => {
                uses.writes |= both;
                uses.replaced |= both;
            }
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => {
                uses.reads |= both;
                uses.writes |= both;
                in_part |= both;
            }
        }
    }
    uses.replaced &= !in_part;
    // An atomic instruction is two (see `atomic::split`): this one only shows its operands, the one behind it writes.
    if event {
        let writes_flags = d.rflags_modified() != 0;
        return Uses { reads: uses.reads, writes_flags: writes_flags && is_fence(d), ..Uses::default() };
    }
    // What is popped may be there to take the stack back alone.
    let names = d.op_count() > 0 && d.op0_kind() == OpKind::Register && d.mnemonic() != Mnemonic::Pop;
    let result = names.then(|| number(d.op0_register()));
    if let Some(n) = result.flatten() {
        uses.named = 1 << n;
        if forgets(insn) {
            uses.reads &= !bits(d.op_register(d.op_count() - 1));
        }
    }
    if let Some(Op::ClearVectors(all)) = op(d.mnemonic()) {
        let cleared = if all { UPPERS | UPPERS >> 16 } else { UPPERS };
        return Uses { writes: cleared, replaced: cleared, ..Uses::default() };
    }
    uses.reads_flags = d.rflags_read() != 0;
    uses.writes_flags = d.rflags_modified() != 0;
    uses.sets_flags = sets_all_flags(d.mnemonic());
    uses.loads = d.mnemonic() != Mnemonic::Lea
        && (0..d.op_count()).any(|op| op > 0 && d.op_kind(op) == OpKind::Memory)
        && matches!(d.op0_kind(), OpKind::Register)
        && info.op0_access() == OpAccess::Write;
    uses.stores = info.used_memory().iter().any(|used| {
        !matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess)
    });
    // Of a store only what is stored goes out, not what its address is made from.
    uses.stored = match (uses.stores, d.op_count() > 1 && d.op1_kind() == OpKind::Register, op(d.mnemonic()))
    {
        (false, ..) => 0,
        (true, true, Some(Op::Mov)) => bits(d.op1_register()),
        (true, true, Some(Op::MovBits(64))) => bits(d.op1_register()),
        (true, false, Some(Op::Mov)) => 0,
        // What they copy is in memory already.
        (true, _, Some(Op::Movs(_))) => 0,
        (true, _, Some(Op::Stos(_))) => 1,
        (true, ..) => uses.reads,
    };
    uses
}

/// Where an instruction pushes a register that the caller finds as it was.
pub(crate) fn saves(d: &Instruction, facts: &Facts, i: usize) -> Vec<(usize, i64)> {
    let pushes = d.mnemonic() == Mnemonic::Push && d.op0_kind() == OpKind::Register;
    let register = pushes.then(|| number(d.op0_register())).flatten();
    let size = i64::from(d.stack_pointer_increment());
    let saved = if size == -4 { I386.saved } else { SYSV.saved };
    let at = register.filter(|n| saved.contains(n)).zip(facts.frame(i, RSP));
    at.map(|(n, at)| (n, at + size)).into_iter().collect()
}

/// The address in the frame that an instruction makes data of.
pub(crate) fn address_made(d: &Instruction, facts: &Facts, i: usize) -> Option<i64> {
    let at = |register: Register| gpr64(register.full_register()).and_then(|n| facts.frame(i, n));
    let base = (d.mnemonic() == Mnemonic::Lea).then(|| at(d.memory_base())).flatten();
    let address = base.map(|at| at.wrapping_add(d.memory_displacement64() as i64));
    let moved = || {
        let read =
            (0..d.op_count()).filter(|op| *op > 0 || !matches!(d.mnemonic(), Mnemonic::Mov | Mnemonic::Lea));
        read.filter(|op| d.op_kind(*op) == OpKind::Register).find_map(|op| at(d.op_register(op)))
    };
    address.or_else(moved)
}

/// Whether an instruction writes or reads the stack.
pub(crate) fn uses_frame(d: &Instruction) -> bool {
    let stack = |r: Register| matches!(r.full_register(), Register::RSP | Register::RBP);
    let through = (0..d.op_count()).any(|op| d.op_kind(op) == OpKind::Memory) && stack(d.memory_base());
    through || matches!(d.mnemonic(), Mnemonic::Push | Mnemonic::Pop | Mnemonic::Leave)
}

/// What an instruction that writes these registers makes of the number of vectors that is passed in `al`; none where it
/// leaves it: it is set by a constant right before the call.
pub(crate) fn counts_vectors(d: &Instruction, writes: u64) -> Option<Option<u64>> {
    (writes & 1 == 1).then(|| match d.mnemonic() {
        Mnemonic::Xor if d.op0_register() == d.op1_register() => Some(0),
        Mnemonic::Mov => d.try_immediate(1).ok(),
        _ => None,
    })
}
