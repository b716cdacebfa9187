//! What the text of a machine function says about addresses: which object they lie in, and which frame objects'
//! addresses stay inside the function.

use super::X86;
use super::table::{Form, Sem};
use crate::cells::{Accesses, Range};
use crate::names::Name;
use crate::x86_mir::ast::{MachineInst, Operand, Reg};
use crate::x86_mir::regs::Unit;
use rustc_hash::FxHashSet;

impl X86<'_> {
    /// Whether an access lies inside a frame object or known global, by the program's text. A write to a constant
    /// never counts: such memory need not be writable.
    pub(super) fn inside_object(&self, ex: &[&Operand], bytes: u64, write: bool) -> bool {
        let (Some(base), Some(index), Some(displacement)) = (ex.first(), ex.get(2), ex.get(3)) else {
            return false;
        };
        if !matches!(index, Operand::Reg { reg: Reg::None, .. }) {
            return false;
        }
        self.within(base, displacement, bytes, write, 0)
    }

    /// Whether an address lies inside an object, by the program's text; a choice of addresses if both do.
    fn within(&self, base: &Operand, displacement: &Operand, bytes: u64, write: bool, depth: u32) -> bool {
        if depth < 4
            && let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = base
            && let Some(inst) = self.definition(*n)
            && self.m.names.text(inst.opcode) == "CMOV64rr"
            && let [_, a, b, _] = &self.explicit(inst)[..]
        {
            return self.within(a, displacement, bytes, write, depth + 1)
                && self.within(b, displacement, bytes, write, depth + 1);
        }
        self.object_offset(base, displacement, 0).is_some_and(|(size, offset, constant)| {
            !(write && constant)
                && offset >= 0
                && (offset as u64).checked_add(bytes).is_some_and(|end| end <= size)
        })
    }

    /// Size of the object an address is a constant offset into, the offset, and whether the object is constant.
    fn object_offset(&self, base: &Operand, displacement: &Operand, depth: u32) -> Option<(u64, i64, bool)> {
        if depth > 8 {
            return None;
        }
        let named =
            |list: &[Option<(String, u64)>], n: u32| list.get(n as usize)?.as_ref().map(|(_, size)| *size);
        match (base, displacement) {
            (Operand::Stack(n), Operand::Imm(k)) => {
                let own = || self.f.stack.iter().find(|o| o.id == *n).and_then(|o| o.size);
                Some((named(&self.env.stack, *n).or_else(own)?, *k, false))
            }
            (Operand::Fixed(n), Operand::Imm(k)) => {
                let slot = self.env.fixed.get(*n as usize)?.as_ref()?;
                Some((slot.size, i64::try_from(slot.offset).ok()?.checked_add(*k)?, false))
            }
            (Operand::Reg { reg: Reg::Physical(p), .. }, Operand::Global(name, k, flag))
                if p.unit == Unit::Rip && flag.is_none() =>
            {
                let (size, constant) = self.global_size(*name)?;
                Some((size, *k, constant))
            }
            (Operand::Reg { reg: Reg::None, .. }, Operand::Global(name, k, None)) => {
                let (size, constant) = self.global_size(*name)?;
                Some((size, *k, constant))
            }
            (Operand::Reg { reg: Reg::Virtual(n), sub: None, .. }, Operand::Imm(k)) => {
                let inst = self.definition(*n)?;
                let ex = self.explicit(inst);
                let name = self.m.names.text(inst.opcode);
                match (name, &ex[..]) {
                    ("LEA64r", [_, base, _, Operand::Reg { reg: Reg::None, .. }, displacement, _]) => {
                        let (size, offset, constant) = self.object_offset(base, displacement, depth + 1)?;
                        Some((size, offset.checked_add(*k)?, constant))
                    }
                    (
                        "MOV64rm",
                        [
                            _,
                            _,
                            _,
                            Operand::Reg { reg: Reg::None, .. },
                            Operand::Global(name, 0, Some(flag)),
                            _,
                        ],
                    ) if self.m.names.text(*flag).starts_with("x86-gotpcrel") => {
                        let (size, constant) = self.global_size(*name)?;
                        Some((size, *k, constant))
                    }
                    ("COPY", [_, source @ Operand::Reg { reg: Reg::Virtual(_), .. }]) => {
                        self.object_offset(source, displacement, depth + 1)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The size of a global that is known, and whether it is constant.
    fn global_size(&self, name: Name) -> Option<(u64, bool)> {
        let ir = self.m.ir.as_ref()?;
        let id = ir.names.get(self.m.names.text(name))?;
        let constant = ir.globals.iter().find(|g| g.name == id)?.constant;
        Some((crate::llvm_ir::semantics::known_global_size(ir, id)?, constant))
    }

    /// The one instruction that defines a virtual register.
    fn definition(&self, n: u32) -> Option<&MachineInst> {
        self.definitions.get(n as usize).copied().flatten().and_then(|i| self.f.insts.get(i as usize))
    }

    /// The jump table that a memory operand reads, by the program's text.
    pub(super) fn jump_table(&self, ex: &[&Operand]) -> Option<u32> {
        match (ex.first()?, ex.get(3)?) {
            (_, Operand::JumpTable(n)) => Some(*n),
            (Operand::Reg { reg: Reg::Virtual(v), sub: None, .. }, Operand::Imm(0)) => {
                let inst = self.definition(*v)?;
                let ex = self.explicit(inst);
                match (self.m.names.text(inst.opcode), &ex[..]) {
                    ("LEA64r", [_, _, _, Operand::Reg { reg: Reg::None, .. }, Operand::JumpTable(n), _]) => {
                        Some(*n)
                    }
                    ("COPY", [_, source]) => {
                        self.jump_table(&[source, ex.first()?, source, &Operand::Imm(0)])
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The name that a frame object's address goes by.
    pub(crate) fn frame_object(&self, n: u32) -> String {
        match self.env.stack.get(n as usize) {
            Some(Some((name, _))) => name.clone(),
            _ => format!("machine.stack.{n}"),
        }
    }

    /// The frame object and offset of a memory operand that is nothing else.
    fn frame_place(&self, ex: &[&Operand]) -> Option<(u32, u64)> {
        let [
            Operand::Stack(n),
            _,
            Operand::Reg { reg: Reg::None, .. },
            Operand::Imm(offset),
            Operand::Reg { reg: Reg::None, .. },
            ..,
        ] = ex
        else {
            return None;
        };
        Some((*n, u64::try_from(*offset).ok()?))
    }

    /// The cell-bound object that a memory operand lies in, and the offset.
    pub(crate) fn cell_place(&self, ex: &[&Operand]) -> Option<(String, u64)> {
        if self.env.cells.is_empty() {
            return None;
        }
        let (n, offset) = self.frame_place(ex)?;
        let name = self.frame_object(n);
        self.env.cells.has(&name).then_some((name, offset))
    }

    /// The frame object accessed by an instruction that has one memory operand, with the range if it is known.
    fn frame_access(&self, inst: &MachineInst) -> Option<(u32, u64, Option<u64>)> {
        let ex = self.explicit(inst);
        let at = ex.iter().position(|o| matches!(o, Operand::Stack(_)))?;
        let (n, offset) = self.frame_place(&ex[at..])?;
        let bytes = match self.f.mem_of(inst) {
            [only] => only.bits.map(|b| b / 8),
            [first, rest @ ..] if rest.iter().all(|m| m.bits == first.bits) => first.bits.map(|b| b / 8),
            _ => None,
        };
        Some((n, offset, bytes))
    }

    /// The cells that an instruction reads and writes, by its opcode: whole cells written, others read.
    pub(crate) fn cells_of(&self, index: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut uses, mut defs) = (Vec::new(), Vec::new());
        let (Some(inst), Some(Some(op))) = (self.f.insts.get(index), self.opcodes.get(index)) else {
            return (uses, defs);
        };
        let ex = self.explicit(inst);
        let Some(at) = ex.iter().position(|o| matches!(o, Operand::Stack(_))) else { return (uses, defs) };
        let Some((object, offset)) = self.cell_place(&ex[at..]) else { return (uses, defs) };
        let store = op.sem == Sem::Mov && matches!(op.form, Form::MR | Form::MI);
        let bits = match op.sem {
            Sem::Mov => op.width,
            Sem::Movzx(w) | Sem::Movsx(w) | Sem::MovFit(w) => w,
            // Wider than any access.
            _ => 512,
        };
        for t in self.env.cells.touched(&object, offset, u64::from(bits / 8)) {
            if store && t.bits == self.env.cells.width(t.cell) {
                defs.push(t.cell);
            } else {
                uses.push(t.cell);
            }
        }
        (uses, defs)
    }

    /// Whether an access leaves its frame object, where that lives in a cell.
    pub(super) fn leaves_object(&self, ex: &[&Operand], bytes: u32) -> bool {
        let Some((n, offset)) = self.frame_place(ex) else { return false };
        let size = self.f.stack.iter().find(|o| o.id == n).and_then(|o| o.size).unwrap_or(0);
        offset.checked_add(u64::from(bytes)).is_none_or(|end| end > size)
    }

    /// The frame objects whose address is only loaded from and stored to, in place and in bounds, with the ranges
    /// accessed: those that [`crate::cells`] may take out of memory.
    pub fn private_objects(&self) -> Accesses {
        let mut out = Accesses::default();
        let mut escaped: FxHashSet<u32> = FxHashSet::default();
        // Objects of unknown size, and incoming arguments that became an object's place, stay in memory.
        let places: FxHashSet<&str> =
            self.env.fixed.iter().flatten().map(|slot| slot.object.as_str()).collect();
        for object in &self.f.stack {
            let name = self.frame_object(object.id);
            if object.size.is_none() || places.contains(name.as_str()) {
                escaped.insert(object.id);
            } else {
                out.insert(name, Vec::new());
            }
        }
        for (i, inst) in self.f.insts.iter().enumerate() {
            let operands = self.f.operands_of(inst);
            let named: Vec<u32> = operands
                .iter()
                .filter_map(|o| match o {
                    Operand::Stack(n) => Some(*n),
                    _ => None,
                })
                .collect();
            if named.is_empty() {
                continue;
            }
            let sem = self.opcodes[i].map(|o| o.sem);
            if sem == Some(Sem::Nothing) {
                continue;
            }
            let elsewhere = matches!(
                sem,
                None | Some(
                    Sem::Lea(_) | Sem::Call | Sem::TailCall | Sem::Copy | Sem::Assembly | Sem::SaveVectors
                )
            );
            let plain = !elsewhere && self.f.mem_of(inst).iter().all(|m| !m.volatile && !m.atomic);
            let size = |n: u32| self.f.stack.iter().find(|o| o.id == n).and_then(|o| o.size);
            let access = match (&named[..], self.frame_access(inst)) {
                ([_], Some((n, offset, bytes))) if plain => {
                    let end = offset.checked_add(bytes.unwrap_or(1).max(1));
                    match (end, size(n)) {
                        (Some(hi), Some(size)) if hi <= size => {
                            Some((n, bytes.map(|_| Range { lo: offset, hi })))
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            match access {
                Some((n, Some(range))) => {
                    if let Some(list) = out.get_mut(&self.frame_object(n)) {
                        list.push(range);
                    }
                }
                Some((_, None)) => {}
                None => escaped.extend(named),
            }
        }
        for n in escaped {
            out.remove(&self.frame_object(n));
        }
        out
    }
}
