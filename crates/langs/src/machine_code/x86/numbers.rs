//! Numbers that registers and stack slots hold whatever the inputs are: a forward dataflow over moves. Without optimisation, and
//! behind a body in the place of a call, a constant goes through slots.

use super::super::facts::Facts;
use super::super::flow::successors;
use super::super::frame::Frame;
use super::super::function::Function;
use super::super::uses::{Control, control, uses};
use super::SYSV;
use super::track::gpr64;
use super::uses::frame_accesses;
use iced_x86::{Mnemonic, OpKind, Register};
use std::collections::BTreeMap;

/// What is known: registers by number, then slots.
#[derive(Clone, PartialEq, Eq, Default)]
struct Numbers {
    registers: BTreeMap<usize, u64>,
    slots: BTreeMap<usize, u64>,
}

impl Numbers {
    fn join(&mut self, other: &Numbers) {
        self.registers.retain(|n, value| other.registers.get(n) == Some(value));
        self.slots.retain(|n, value| other.slots.get(n) == Some(value));
    }

    fn register(&self, register: Register) -> Option<u64> {
        let whole = self.registers.get(&gpr64(register.full_register())?).copied()?;
        match register.size() {
            8 => Some(whole),
            4 => Some(whole & u64::from(u32::MAX)),
            _ => None,
        }
    }

    /// The slot that an instruction accesses whole.
    fn slot(&self, f: &Function, (facts, frame): (&Facts, &Frame), i: usize) -> Option<usize> {
        let [(at, bytes, ..)] = frame_accesses(f, facts, i)[..] else { return None };
        let [slot] = frame.touched(at, bytes)[..] else { return None };
        (u64::from(frame.slots.width(slot)) == bytes * 8).then_some(slot)
    }

    fn step(&mut self, f: &Function, known: (&Facts, &Frame), i: usize) {
        let d = f.insns[i].x86();
        let of = |numbers: &Numbers, n: u32| match d.op_kind(n) {
            OpKind::Register => numbers.register(d.op_register(n)),
            OpKind::Memory => numbers.slots.get(&numbers.slot(f, known, i)?).copied(),
            _ => d.try_immediate(n).ok().filter(|_| f.insns[i].immediate.is_none()),
        };
        let value = match d.mnemonic() {
            Mnemonic::Mov => of(self, 1),
            Mnemonic::Movsxd => of(self, 1).map(|v| v as u32 as i32 as u64),
            Mnemonic::Cdqe => self.register(Register::EAX).map(|v| v as u32 as i32 as u64),
            Mnemonic::Xor if d.op0_kind() == OpKind::Register && d.op0_register() == d.op1_register() => {
                Some(0)
            }
            _ => None,
        };
        let (_, frame) = known;
        let slot = self.slot(f, known, i);
        let gone = uses(f, i).writes | if control(f, i) == Control::Call { SYSV.clobbered } else { 0 };
        self.registers.retain(|n, _| gone >> n & 1 == 0);
        for (at, bytes, _, writes) in frame_accesses(f, known.0, i) {
            if writes {
                let touched = frame.touched(at, bytes);
                self.slots.retain(|slot, _| !touched.contains(slot));
            }
        }
        let Some(value) = value else { return };
        let to = if d.mnemonic() == Mnemonic::Cdqe { Register::RAX } else { d.op0_register() };
        match (d.op0_kind(), slot) {
            (OpKind::Memory, Some(slot)) => {
                let width = frame.slots.width(slot);
                let held = if width < 64 { value & ((1 << width) - 1) } else { value };
                self.slots.insert(slot, held);
            }
            (OpKind::Memory, None) => {}
            _ if matches!(to.size(), 4 | 8) => {
                let value = if to.size() == 4 { value & u64::from(u32::MAX) } else { value };
                self.registers.extend(gpr64(to.full_register()).map(|n| (n, value)));
            }
            _ => {}
        }
    }
}

/// The numbers that a register holds before instructions, where it always holds the same one.
pub(crate) fn numbers(f: &Function, known: (&Facts, &Frame), register: usize) -> BTreeMap<usize, u64> {
    let mut at_start: Vec<Option<Numbers>> = vec![None; f.blocks.len()];
    if let Some(first) = at_start.first_mut() {
        *first = Some(Numbers::default());
    }
    let mut out = BTreeMap::new();
    let mut open = vec![0];
    while let Some(b) = open.pop() {
        let Some(mut now) = at_start[b].clone() else { continue };
        for i in f.blocks[b].first..f.blocks[b].end {
            out.remove(&i);
            out.extend(now.registers.get(&register).map(|value| (i, *value)));
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
