//! What the text of a machine function says about addresses: which object they lie in, and which frame objects'
//! addresses stay inside the function.

use super::table::{Form, Sem};
use super::{State, X86};
use crate::abi::{AREA, Slot};
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::memory::promoted::{Accesses, Range};
use crate::names::Name;
use crate::x86::regs::{PhysReg, Unit};
use crate::x86_mir::ast::{MachineInst, Operand, Reg};
use rustc_hash::FxHashSet;

impl<O: NamedObjects> X86<'_, O> {
    /// Whether an access lies inside a frame object or known global, by the program's text. A write to a constant
    /// never counts: such memory need not be writable.
    pub(super) fn inside_object(&self, ex: &[&Operand], bytes: u64, write: bool) -> bool {
        let (Some(base), Some(index), Some(displacement)) = (ex.first(), ex.get(2), ex.get(3)) else {
            return false;
        };
        if !matches!(index, Operand::Reg { reg: Reg::None, .. }) {
            return false;
        }
        if let Some((name, offset)) = self.place_in_thread(ex) {
            return self.global_size(name).is_some_and(|(size, constant)| {
                let end = u64::try_from(offset).ok().and_then(|from| from.checked_add(bytes));
                !(write && constant) && end.is_some_and(|end| end <= size)
            });
        }
        !self.in_segment(ex) && self.within(base, displacement, bytes, write, 0)
    }

    /// The thread-local variable and the offset in it that a memory operand counted from the thread pointer names.
    fn place_in_thread(&self, ex: &[&Operand]) -> Option<(Name, i64)> {
        let [base, _, _, displacement, segment, ..] = ex else { return None };
        if !matches!(segment, Operand::Reg { reg: Reg::Physical(p), .. } if Some(*p) == PhysReg::from_name("fs"))
        {
            return None;
        }
        match (base, displacement) {
            (Operand::Reg { reg: Reg::None, .. }, Operand::Global(name, k, Some(flag))) => {
                (self.m.names.text(*flag) == "x86-tpoff").then_some((*name, *k))
            }
            (Operand::Reg { reg: Reg::Virtual(n), sub: None, .. }, Operand::Imm(k)) => {
                let inst = self.definition(*n)?;
                match &self.explicit(inst)[..] {
                    [
                        _,
                        _,
                        _,
                        Operand::Reg { reg: Reg::None, .. },
                        Operand::Global(name, 0, Some(flag)),
                        ..,
                    ] if self.m.names.text(inst.opcode) == "MOV64rm"
                        && self.m.names.text(*flag) == "x86-gottpoff" =>
                    {
                        Some((*name, *k))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
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
        // One of the addresses may come from the global offset table.
        if depth < 4
            && let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = base
            && let Operand::Imm(k) = displacement
            && let Some(inst) = self.definition(*n)
            && self.m.names.text(inst.opcode) == "CMOV64rm"
            && let [_, a, _, _, Operand::Reg { reg: Reg::None, .. }, Operand::Global(name, 0, Some(flag)), ..] =
                &self.explicit(inst)[..]
            && self.m.names.text(*flag).starts_with("x86-gotpcrel")
        {
            let other = self.global_size(*name).is_some_and(|(size, constant)| {
                let end = u64::try_from(*k).ok().and_then(|k| k.checked_add(bytes));
                !(write && constant) && end.is_some_and(|end| end <= size)
            });
            return other && self.within(a, displacement, bytes, write, depth + 1);
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
                    _ => {
                        let (source, more) = self.origin(*n)?;
                        self.object_offset(source, &Operand::Imm(k.checked_add(more)?), depth + 1)
                    }
                }
            }
            _ => None,
        }
    }

    /// The size of a global that is known, and whether it is constant.
    fn global_size(&self, name: Name) -> Option<(u64, bool)> {
        let variable = self.objects.variable(self.m.names.text(name))?;
        Some((variable.size?, variable.constant))
    }

    /// Whether an operand is at a multiple of 16 in a global that begins at one.
    pub(super) fn aligned_global(&self, ex: &[&Operand], bytes: u64) -> bool {
        let (Some(base), Some(Operand::Reg { reg: Reg::None, .. }), Some(displacement)) =
            (ex.first(), ex.get(2), ex.get(3))
        else {
            return false;
        };
        let Some((name, offset)) = self.place_in_global(base, displacement) else { return false };
        self.is_aligned_variable(name, bytes) && offset % bytes as i64 == 0
    }

    /// Whether a variable is declared to be aligned to so many bytes.
    pub(super) fn is_aligned_variable(&self, name: Name, bytes: u64) -> bool {
        let found = self.objects.variable(self.m.names.text(name)).and_then(|v| v.align);
        found.is_some_and(|align| align.is_multiple_of(bytes))
    }

    /// The global and the offset in it that a base and a displacement stand for.
    pub(super) fn place_in_global(&self, base: &Operand, displacement: &Operand) -> Option<(Name, i64)> {
        match (base, displacement) {
            (Operand::Reg { reg: Reg::None, .. }, Operand::Global(name, k, None)) => Some((*name, *k)),
            (Operand::Reg { reg: Reg::Physical(p), .. }, Operand::Global(name, k, None))
                if p.unit == Unit::Rip =>
            {
                Some((*name, *k))
            }
            (Operand::Reg { reg: Reg::Virtual(n), sub: None, .. }, Operand::Imm(more)) => {
                let inst = self.definition(*n)?;
                let ex = self.explicit(inst);
                let [_, _, _, Operand::Reg { reg: Reg::None, .. }, Operand::Global(name, k, flag), ..] =
                    &ex[..]
                else {
                    return None;
                };
                let loaded = flag.is_some_and(|f| self.m.names.text(f).starts_with("x86-gotpcrel"));
                match self.m.names.text(inst.opcode) {
                    "LEA64r" if flag.is_none() => Some((*name, k.checked_add(*more)?)),
                    "MOV64rm" if loaded && *k == 0 => Some((*name, *more)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The one instruction that defines a virtual register.
    pub(crate) fn definition(&self, n: u32) -> Option<&MachineInst> {
        self.definitions.get(n as usize).copied().flatten().and_then(|i| self.f.insts.get(i as usize))
    }

    /// Whether a register becomes the stack pointer as soon as it is defined, in the same block: what is no multiple of 16 is
    /// a fault there, before any point.
    pub(crate) fn is_stack_end(&self, n: u32) -> bool {
        let Some(at) = self.definitions.get(n as usize).copied().flatten().filter(|_| self.moves_stack)
        else {
            return false;
        };
        let within = self.f.blocks.iter().any(|b| b.first <= at && at + 1 < b.end);
        let Some(next) = self.f.insts.get(at as usize + 1).filter(|_| within) else { return false };
        let to = |o: &Operand| match o {
            Operand::Reg { reg: Reg::Physical(p), flags, .. } => p.unit == Unit::Gpr(4) && flags.def,
            _ => false,
        };
        let from = |o: &Operand| matches!(o, Operand::Reg { reg: Reg::Virtual(v), sub: None, .. } if *v == n);
        match &self.explicit(next)[..] {
            [target, source] => self.m.names.text(next.opcode) == "COPY" && to(target) && from(source),
            _ => false,
        }
    }

    /// The jump table that a memory operand reads, by the program's text.
    pub(super) fn jump_table(&self, ex: &[&Operand]) -> Option<u32> {
        if self.in_segment(ex) {
            return None;
        }
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

    /// The table in the constant pool that a memory operand reads, by the program's text.
    pub(super) fn pool_table(&self, ex: &[&Operand]) -> Option<u32> {
        if self.in_segment(ex) {
            return None;
        }
        match (ex.first()?, ex.get(3)?) {
            (_, Operand::Pool(n, _)) => Some(*n),
            (Operand::Reg { reg: Reg::Virtual(v), sub: None, .. }, Operand::Imm(_)) => {
                let inst = self.definition(*v)?;
                match (self.m.names.text(inst.opcode), &self.explicit(inst)[..]) {
                    ("LEA64r", [_, _, _, Operand::Reg { reg: Reg::None, .. }, Operand::Pool(n, _), _]) => {
                        Some(*n)
                    }
                    ("COPY", [_, source]) => self.pool_table(&[source, source, source, ex.get(3)?]),
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

    /// The place that a memory operand is in, if it is a constant one in a frame object or an object passed by value.
    fn frame_place(&self, ex: &[&Operand]) -> Option<FramePlace> {
        let [
            base,
            _,
            Operand::Reg { reg: Reg::None, .. },
            Operand::Imm(offset),
            Operand::Reg { reg: Reg::None, .. },
            ..,
        ] = ex
        else {
            return None;
        };
        self.spot(base, *offset, 0)
    }

    /// The place that a register or frame index and an offset are.
    fn spot(&self, base: &Operand, offset: i64, depth: u32) -> Option<FramePlace> {
        if depth > 8 {
            return None;
        }
        match base {
            Operand::Stack(n) => {
                let size = self.f.stack.iter().find(|o| o.id == *n).and_then(|o| o.size);
                Some(FramePlace { object: self.frame_object(*n), offset, size })
            }
            Operand::Fixed(n) => {
                let slot = self.env.fixed.get(*n as usize)?.as_ref().filter(|s| s.object == AREA)?;
                let inside = |(_, at, size): &&(String, u64, u64)| (*at..at + size).contains(&slot.offset);
                let (name, at, size) = self.env.by_value.iter().find(inside)?;
                let offset = i64::try_from(slot.offset - at).ok()?.checked_add(offset)?;
                Some(FramePlace { object: name.clone(), offset, size: Some(*size) })
            }
            Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } => self.spot_of(*n, offset, depth),
            _ => None,
        }
    }

    /// What a virtual register is a constant distance from, by its one definition, and the distance.
    fn origin(&self, n: u32) -> Option<(&Operand, i64)> {
        let inst = self.definition(n)?;
        match (self.m.names.text(inst.opcode), &self.explicit(inst)[..]) {
            (
                "LEA64r",
                [
                    _,
                    base,
                    _,
                    Operand::Reg { reg: Reg::None, .. },
                    Operand::Imm(k),
                    Operand::Reg { reg: Reg::None, .. },
                ],
            )
            | ("ADD64ri32" | "ADD64ri8", [_, base, Operand::Imm(k)]) => Some((base, *k)),
            ("COPY", [_, base @ Operand::Reg { reg: Reg::Virtual(_), .. }]) => Some((base, 0)),
            _ => None,
        }
    }

    /// The place that a virtual register holds the address of, by its one definition.
    fn spot_of(&self, n: u32, offset: i64, depth: u32) -> Option<FramePlace> {
        let (base, k) = self.origin(n)?;
        self.spot(base, offset.checked_add(k)?, depth + 1)
    }

    /// The address in a frame object that a virtual register always holds, by its one definition.
    pub(crate) fn frame_address<D: Domain>(&self, d: &mut D, n: u32) -> Option<D::Bv> {
        let (mut n, mut offset) = (n, 0i64);
        for _ in 0..8 {
            let (base, k) = self.origin(n)?;
            offset = offset.checked_add(k)?;
            match base {
                Operand::Stack(_) | Operand::Fixed(_) => {
                    let base = self.symbol_address(d, base).ok()?;
                    return Some(d.add_num(&base, i128::from(offset)));
                }
                Operand::Reg { reg: Reg::Virtual(from), sub: None, .. } => n = *from,
                _ => return None,
            }
        }
        None
    }

    /// The memory operand of an instruction that is such a place: where its operands begin.
    fn spot_operand(&self, ex: &[&Operand]) -> Option<usize> {
        (0..ex.len()).find(|i| {
            matches!(ex[*i], Operand::Stack(_) | Operand::Fixed(_) | Operand::Reg { .. })
                && matches!(ex.get(i + 1), Some(Operand::Imm(1)))
                && self.frame_place(&ex[*i..]).is_some()
        })
    }

    /// The promoted object that a memory operand lies in, and the offset.
    pub(crate) fn promoted_place(&self, ex: &[&Operand]) -> Option<(String, u64)> {
        if self.env.promoted.is_empty() {
            return None;
        }
        let spot = self.frame_place(ex)?;
        self.env.promoted.has(&spot.object).then_some((spot.object, u64::try_from(spot.offset).ok()?))
    }

    /// The place accessed by an instruction that has one memory operand, with the range if it is known.
    fn frame_access(&self, inst: &MachineInst) -> Option<(FramePlace, Option<u64>)> {
        let ex = self.explicit(inst);
        let spot = self.frame_place(&ex[self.spot_operand(&ex)?..])?;
        let bytes = match self.f.mem_of(inst) {
            [only] => only.bits.map(|b| b / 8),
            [first, rest @ ..] if rest.iter().all(|m| m.bits == first.bits) => first.bits.map(|b| b / 8),
            _ => None,
        };
        Some((spot, bytes))
    }

    /// At the entry, the promoted slots of objects passed by value hold what memory has.
    pub(crate) fn fill_by_value<D: Domain>(&self, d: &mut D, st: &mut State<D>) {
        let area = self.env.signature.as_ref().map_or(0, |s| u64::from(s.stack_bytes));
        for (name, offset, _) in &self.env.by_value {
            if self.env.promoted.has(name) {
                let slot = Slot { object: AREA.to_owned(), size: area, offset: *offset };
                let (at, mem) = (slot.address(d), st.mem.clone());
                self.env.promoted.fill(d, &mut st.promoted, name, &mem, &at);
            }
        }
    }

    /// The promoted slots that an instruction reads and writes, by its opcode: those written as a whole, and others read.
    pub(crate) fn promoted_of(&self, index: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut uses, mut defs) = (Vec::new(), Vec::new());
        let (Some(inst), Some(Some(op))) = (self.f.insts.get(index), self.opcodes.get(index)) else {
            return (uses, defs);
        };
        let ex = self.explicit(inst);
        if matches!(op.sem, Sem::Lea(_)) {
            return (uses, defs);
        }
        let Some(at) = self.spot_operand(&ex) else { return (uses, defs) };
        let Some((object, offset)) = self.promoted_place(&ex[at..]) else { return (uses, defs) };
        let store = op.sem == Sem::Mov && !op.is_masked() && matches!(op.form, Form::MR | Form::MI);
        let bits = match op.sem {
            Sem::Mov => op.width,
            Sem::Movzx(w) | Sem::Movsx(w) | Sem::MovFit(w) => w,
            // Wider than any access.
            _ => 512,
        };
        for t in self.env.promoted.touched(&object, offset, u64::from(bits / 8)) {
            if store && t.bits == self.env.promoted.width(t.slot) {
                defs.push(t.slot);
            } else {
                uses.push(t.slot);
            }
        }
        (uses, defs)
    }

    /// Whether an access leaves its frame object, where that is promoted.
    pub(super) fn leaves_object(&self, ex: &[&Operand], bytes: u32) -> bool {
        let Some(spot) = self.frame_place(ex) else { return false };
        let end = u64::try_from(spot.offset).ok().and_then(|at| at.checked_add(u64::from(bytes)));
        end.is_none_or(|end| end > spot.size.unwrap_or(0))
    }

    /// What an instruction does with the addresses of frame objects: ranges that it accesses in place go to `out`, objects
    /// whose address it uses otherwise to `escaped`.
    fn note_uses(&self, i: usize, out: &mut Accesses, escaped: &mut FxHashSet<String>) {
        let inst = &self.f.insts[i];
        let ex = self.explicit(inst);
        let defines = |o: &Operand| matches!(o, Operand::Reg { flags, .. } if flags.def);
        let named: Vec<String> = ex
            .iter()
            .filter(|o| !defines(o))
            .filter_map(|o| self.spot(o, 0, 0))
            .map(|spot| spot.object)
            .collect();
        let sem = self.opcodes[i].map(|o| o.sem);
        if matches!(sem, Some(Sem::Nothing | Sem::CallEnd)) {
            return;
        }
        // Parts of an address, and uses that no operand of the operation shows.
        for operand in self.f.operands_of(inst) {
            if let Operand::Reg { reg: Reg::Virtual(n), sub, flags } = operand
                && !flags.def
                && (sub.is_some() || flags.implicit)
            {
                escaped.extend(self.spot_of(*n, 0, 0).map(|spot| spot.object));
            }
        }
        if named.is_empty() {
            return;
        }
        // An address made from it is followed in turn.
        let made = ex.first().filter(|o| defines(o)).and_then(|o| self.spot(o, 0, 0));
        if made.is_some() && named.len() == 1 {
            return;
        }
        match self.access_in_place(i, sem, &named) {
            Some((object, Some(range))) => {
                if let Some(list) = out.get_mut(&object) {
                    list.push(range);
                }
            }
            Some((_, None)) => {}
            None => escaped.extend(named),
        }
    }

    /// The one frame object that an instruction accesses in place, and the range there where its end is known.
    fn access_in_place(
        &self,
        i: usize,
        sem: Option<Sem>,
        named: &[String],
    ) -> Option<(String, Option<Range>)> {
        let inst = &self.f.insts[i];
        let elsewhere = matches!(
            sem,
            None | Some(
                Sem::Lea(_) | Sem::Call | Sem::TailCall | Sem::Copy | Sem::Assembly | Sem::SaveVectors
            )
        );
        let plain = !elsewhere && self.f.mem_of(inst).iter().all(|m| !m.volatile && !m.atomic);
        match (named, self.frame_access(inst)) {
            ([_], Some((spot, bytes))) if plain => {
                let lo = u64::try_from(spot.offset).ok();
                let hi = lo.and_then(|lo| lo.checked_add(bytes.unwrap_or(1).max(1)));
                match (lo, hi, spot.size) {
                    (Some(lo), Some(hi), Some(size)) if hi <= size => {
                        Some((spot.object, bytes.map(|_| Range { lo, hi })))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Fixed objects that reach beyond an object passed by value, or into it from outside.
    fn note_overlaps(&self, escaped: &mut FxHashSet<String>) {
        for object in &self.f.fixed {
            let Some(slot) = self.env.fixed.get(object.id as usize).and_then(Option::as_ref) else {
                continue;
            };
            if slot.object != AREA {
                continue;
            }
            let end = slot.offset.saturating_add(object.size.unwrap_or(u64::MAX));
            for (name, at, size) in &self.env.by_value {
                let within = slot.offset >= *at && end <= at + size.next_multiple_of(8);
                if slot.offset < at + size && *at < end && !within {
                    escaped.insert(name.clone());
                }
            }
        }
    }

    /// The frame objects whose address is only loaded from and stored to, in place and in bounds, with the ranges
    /// accessed: those that [`crate::memory::promoted`] may take out of memory.
    pub fn private_objects(&self) -> Accesses {
        let mut out = Accesses::default();
        let mut escaped: FxHashSet<String> = FxHashSet::default();
        // Objects of unknown size, and incoming arguments that became an object's place, stay in memory.
        let places: FxHashSet<&str> =
            self.env.fixed.iter().flatten().map(|slot| slot.object.as_str()).collect();
        for object in &self.f.stack {
            let name = self.frame_object(object.id);
            if object.size.is_none() || places.contains(name.as_str()) {
                escaped.insert(name);
            } else {
                out.insert(name, Vec::new());
            }
        }
        for (name, ..) in &self.env.by_value {
            out.insert(name.clone(), Vec::new());
        }
        for i in 0..self.f.insts.len() {
            self.note_uses(i, &mut out, &mut escaped);
        }
        self.note_overlaps(&mut escaped);
        for name in escaped {
            out.remove(&name);
        }
        out
    }
}

/// A constant place in an object.
struct FramePlace {
    /// The object's name.
    object: String,
    offset: i64,
    /// The object's size, if it is known.
    size: Option<u64>,
}
