//! Numbers, and addresses of constant texts, that registers and stack slots hold whatever the inputs are: a forward dataflow
//! over moves. Without optimisation, and behind a body in the place of a call, a constant goes through slots.

use super::super::facts::Facts;
use super::super::flow::successors;
use super::super::frame::Frame;
use super::super::function::{Function, Target};
use super::super::uses::{Control, control, uses};
use super::SYSV;
use super::track::gpr64;
use super::uses::frame_accesses;
use iced_x86::{Mnemonic, OpKind, Register};
use std::collections::BTreeMap;

/// What is always the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Settled {
    /// A number.
    Number(u64),
    /// The address of a text, by the instruction that makes it.
    Text(usize),
}

impl Settled {
    /// What a move of so many bits keeps of it: a number's low bits; an address only where it is moved whole.
    fn low(self, bits: u32) -> Option<Settled> {
        match self {
            Settled::Number(value) if bits < 64 => Some(Settled::Number(value & ((1 << bits) - 1))),
            Settled::Text(_) if bits < 64 => None,
            Settled::Number(_) | Settled::Text(_) => Some(self),
        }
    }

    /// A number's low 32 bits, extended by their sign to 64.
    fn extended(self) -> Option<Settled> {
        match self {
            Settled::Number(value) => Some(Settled::Number(value as u32 as i32 as u64)),
            Settled::Text(_) => None,
        }
    }
}

/// What is known: registers by number, then slots.
#[derive(Clone, PartialEq, Eq, Default)]
struct Numbers {
    registers: BTreeMap<usize, Settled>,
    slots: BTreeMap<usize, Settled>,
}

impl Numbers {
    fn join(&mut self, other: &Numbers) {
        self.registers.retain(|n, value| other.registers.get(n) == Some(value));
        self.slots.retain(|n, value| other.slots.get(n) == Some(value));
    }

    fn register(&self, register: Register) -> Option<Settled> {
        let whole = self.registers.get(&gpr64(register.full_register())?).copied()?;
        if matches!(register.size(), 4 | 8) { whole.low(register.size() as u32 * 8) } else { None }
    }

    /// The slot that an instruction accesses whole.
    fn slot(&self, f: &Function, (facts, frame): (&Facts, &Frame), i: usize) -> Option<usize> {
        let [(at, bytes, ..)] = frame_accesses(f, facts, i)[..] else { return None };
        let [slot] = frame.touched(at, bytes)[..] else { return None };
        (u64::from(frame.slots.width(slot)) == bytes * 8).then_some(slot)
    }

    /// The length of a text that an instruction calls `strlen` for.
    fn measured(&self, f: &Function, i: usize) -> Option<u64> {
        let Some(Target::Function(name)) = &f.insns[i].target else { return None };
        match self.registers.get(&SYSV.arguments[0]) {
            Some(Settled::Text(from)) if name == "strlen" => Some(f.insns[*from].text.as_ref()?.len() as u64),
            Some(Settled::Text(_) | Settled::Number(_)) | None => None,
        }
    }

    fn step(&mut self, f: &Function, known: (&Facts, &Frame), i: usize) {
        let d = f.insns[i].x86();
        let of = |numbers: &Numbers, n: u32| match d.op_kind(n) {
            OpKind::Register => numbers.register(d.op_register(n)),
            OpKind::Memory => numbers.slots.get(&numbers.slot(f, known, i)?).copied(),
            _ => {
                let number = d.try_immediate(n).ok().filter(|_| f.insns[i].immediate.is_none());
                number.map(Settled::Number)
            }
        };
        let text = Some(Settled::Text(i)).filter(|_| f.insns[i].text.is_some());
        let value = match d.mnemonic() {
            Mnemonic::Mov => of(self, 1),
            Mnemonic::Lea if d.is_ip_rel_memory_operand() => text,
            Mnemonic::Movsxd => of(self, 1).and_then(Settled::extended),
            Mnemonic::Cdqe => self.register(Register::EAX).and_then(Settled::extended),
            Mnemonic::Xor if d.op0_kind() == OpKind::Register && d.op0_register() == d.op1_register() => {
                Some(Settled::Number(0))
            }
            _ => None,
        };
        let (_, frame) = known;
        let slot = self.slot(f, known, i);
        let measured = self.measured(f, i);
        let gone = uses(f, i).writes | if control(f, i) == Control::Call { SYSV.clobbered } else { 0 };
        self.registers.retain(|n, _| gone >> n & 1 == 0);
        for (at, bytes, _, writes) in frame_accesses(f, known.0, i) {
            if writes {
                let touched = frame.touched(at, bytes);
                self.slots.retain(|slot, _| !touched.contains(slot));
            }
        }
        self.registers.extend(measured.map(|length| (SYSV.results[0], Settled::Number(length))));
        let Some(value) = value else { return };
        let to = if d.mnemonic() == Mnemonic::Cdqe { Register::RAX } else { d.op0_register() };
        match (d.op0_kind(), slot) {
            (OpKind::Memory, Some(slot)) => {
                self.slots.extend(value.low(frame.slots.width(slot)).map(|held| (slot, held)));
            }
            (OpKind::Memory, None) => {}
            _ if matches!(to.size(), 4 | 8) => {
                let value = value.low(to.size() as u32 * 8);
                self.registers.extend(gpr64(to.full_register()).zip(value));
            }
            _ => {}
        }
    }
}

/// What registers hold before instructions, where that is always the same: by instruction and register.
pub(crate) fn settled(
    f: &Function,
    known: (&Facts, &Frame),
    registers: &[usize],
) -> BTreeMap<(usize, usize), Settled> {
    let mut at_start: Vec<Option<Numbers>> = vec![None; f.blocks.len()];
    if let Some(first) = at_start.first_mut() {
        *first = Some(Numbers::default());
    }
    let mut out = BTreeMap::new();
    let mut open = vec![0];
    while let Some(b) = open.pop() {
        let Some(mut now) = at_start[b].clone() else { continue };
        for i in f.blocks[b].first..f.blocks[b].end {
            for register in registers {
                out.remove(&(i, *register));
                out.extend(now.registers.get(register).map(|value| ((i, *register), *value)));
            }
            now.step(f, known, i);
        }
        for to in successors(f, known.0, b) {
            let mut joined = at_start[to].clone().unwrap_or_else(|| now.clone());
            joined.join(&now);
            if at_start[to].as_ref() != Some(&joined) {
                at_start[to] = Some(joined);
                open.push(to);
            }
        }
    }
    out
}
