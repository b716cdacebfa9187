//! x86 of 64 and 32 bits, decoded by iced-x86.

use super::{Decoder, Flow, Insn, Registers, Relative};
use iced_x86::{
    Code, DecoderOptions, FastFormatter, FlowControl, Instruction, InstructionInfoFactory, Mnemonic,
    OpAccess, OpKind, Register,
};

/// The decoder.
pub struct X86 {
    /// 64 or 32.
    pub bits: u32,
}

impl X86 {
    fn one(&self, bytes: &[u8], at: u64) -> Instruction {
        iced_x86::Decoder::with_ip(self.bits, bytes, at, DecoderOptions::NONE).decode()
    }
}

impl Decoder for X86 {
    fn decode(&self, bytes: &[u8], at: u64, _thumb: bool, out: &mut Vec<Insn>) {
        let mut decoder = iced_x86::Decoder::with_ip(self.bits, bytes, at, DecoderOptions::NONE);
        let mut insn = Instruction::default();
        let mut done = 0;
        while decoder.can_decode() {
            decoder.decode_out(&mut insn);
            if insn.is_invalid() {
                // Go on behind one byte: the next instruction may be whole.
                out.push(Insn::plain(at + done as u64, 1, 0));
                done += 1;
                decoder.set_ip(at + done as u64);
                if decoder.set_position(done).is_err() {
                    return;
                }
                continue;
            }
            out.push(record(&insn));
            done = decoder.position();
        }
    }

    fn key(&self, bytes: &[u8], insn: &Insn) -> Option<String> {
        let mut decoded = self.one(bytes, 0);
        if decoded.is_invalid() {
            return None;
        }
        if insn.target.is_some() || matches!(insn.flow, Flow::Jump | Flow::Call) {
            return Some(format!("{:?}{}", decoded.mnemonic(), prefixes(&decoded)));
        }
        if decoded.is_ip_rel_memory_operand() {
            decoded.set_memory_displacement64(0);
        }
        Some(format(&decoded))
    }

    fn text(&self, bytes: &[u8], insn: &Insn) -> String {
        format(&self.one(bytes, insn.at))
    }

    fn mnemonic(&self, bytes: &[u8], insn: &Insn) -> String {
        format!("{:?}", self.one(bytes, insn.at).mnemonic()).to_lowercase()
    }

    fn registers(&self, bytes: &[u8], insn: &Insn) -> Option<Registers> {
        let decoded = self.one(bytes, insn.at);
        let mut factory = InstructionInfoFactory::new();
        let mut registers = Registers::default();
        for used in factory.info(&decoded).used_registers() {
            let name = format!("{:?}", used.register()).to_lowercase();
            let (reads, writes) = match used.access() {
                OpAccess::None | OpAccess::NoMemAccess => (false, false),
                OpAccess::Read | OpAccess::CondRead => (true, false),
                OpAccess::Write => (false, true),
                // A write under a condition keeps the old value otherwise, as reading it does.
                OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
            };
            if reads {
                registers.reads.push(name.clone());
            }
            if writes {
                registers.writes.push(name);
            }
        }
        Some(registers)
    }
}

fn format(insn: &Instruction) -> String {
    let mut formatter = FastFormatter::new();
    formatter.options_mut().set_always_show_memory_size(true);
    let mut text = String::new();
    formatter.format(insn, &mut text);
    text
}

fn prefixes(insn: &Instruction) -> &'static str {
    if insn.has_repne_prefix() { " bnd" } else { "" }
}

fn record(insn: &Instruction) -> Insn {
    // iced numbers INVALID as 0, as this crate does.
    let mut made = Insn::plain(insn.ip(), insn.len() as u8, insn.mnemonic() as u16);
    made.nop = is_nop(insn);
    (made.flow, made.conditional) = match insn.flow_control() {
        FlowControl::Next | FlowControl::XbeginXabortXend => (Flow::Next, false),
        FlowControl::UnconditionalBranch => (Flow::Jump, false),
        FlowControl::ConditionalBranch => (Flow::Jump, true),
        FlowControl::IndirectBranch => (Flow::IndirectJump, false),
        FlowControl::Return => (Flow::Return, false),
        FlowControl::Call => (Flow::Call, false),
        FlowControl::IndirectCall => (Flow::IndirectCall, false),
        FlowControl::Exception => (Flow::Trap, false),
        FlowControl::Interrupt if insn.mnemonic() == Mnemonic::Int3 => (Flow::Trap, false),
        // A system call, on i386.
        FlowControl::Interrupt => (Flow::Next, false),
    };
    if insn.mnemonic() == Mnemonic::Hlt {
        made.flow = Flow::Trap;
    }
    let near = matches!(insn.op0_kind(), OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64);
    if near {
        made.target = Some(insn.near_branch_target());
    }
    let memory = (0..insn.op_count()).any(|n| insn.op_kind(n) == OpKind::Memory);
    if memory {
        let address = insn.mnemonic() == Mnemonic::Lea;
        let base = insn.memory_base();
        let lone = matches!(base, Register::None | Register::RIP | Register::EIP);
        let size = u8::try_from(insn.memory_size().size()).ok().filter(|size| *size > 0);
        made.access = size.filter(|_| lone && insn.memory_index() == Register::None && !address);
        if insn.is_ip_rel_memory_operand() {
            let place = insn.ip_rel_memory_address();
            made.relative = Some(if address { Relative::Address(place) } else { Relative::Access(place) });
        }
    }
    made
}

/// Instructions that fill space. `endbr` is none: it marks where indirect jumps may lead.
fn is_nop(insn: &Instruction) -> bool {
    match insn.mnemonic() {
        Mnemonic::Nop => true,
        Mnemonic::Xchg => {
            matches!(insn.code(), Code::Nopw | Code::Nopd | Code::Nopq)
        }
        // `lea (%esi,%eiz),%esi` as assemblers for i386 fill with.
        Mnemonic::Lea => {
            let register = insn.op0_register();
            let sole = (insn.memory_base() == register && insn.memory_index() == Register::None)
                || (insn.memory_index() == register
                    && insn.memory_base() == Register::None
                    && insn.memory_index_scale() == 1);
            let whole = register.size() == if insn.code_size() == iced_x86::CodeSize::Code64 { 8 } else { 4 };
            sole && whole && insn.memory_displacement64() == 0 && !insn.is_ip_rel_memory_operand()
        }
        _ => false,
    }
}
