//! Memory: loads and stores of typed values, stack objects.

use super::{Effect, Ir, Res, Scalar, Side, State, Value, flat_widths};
use crate::assumption::Assumption;
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Access, Inst, Op, Operand};
use crate::llvm_ir::intrinsics::{Block, Intrinsic};
use crate::llvm_ir::types::{Type, TypeId};
use crate::memory::access::{AccessCheck, Asked};
use crate::memory::blocks::SPELLED_OUT;

/// The largest value, in bytes, that a load or store moves.
const MAX_BYTES: u64 = 1024;

/// Bytes of a word: few loads and stores of one are taken apart.
const WORD: u64 = 8;

impl Ir<'_> {
    /// The name of the address of a static stack object.
    pub fn stack_name(frame: u32, index: usize) -> String {
        format!("stack.{frame}.{index}")
    }

    pub(super) fn alloca<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        (ty, count, align): (TypeId, Option<(TypeId, Operand)>, Option<u64>),
    ) -> Res<Value<D>> {
        let Some((size, _)) = self.alloca_size(ty, count, align) else {
            if self.checks.exact && self.is_unused(inst) {
                // Nobody looks where it lies.
                let nowhere = d.num(64, 0);
                return Ok(Value::plain(d, nowhere));
            }
            if !self.checks.exact {
                return self.grow_stack(d, st, (ty, count, align));
            }
            return self.unsupported("alloca of a variable size");
        };
        let Some(index) = inst.result.and_then(|l| self.object_index.get(&l).copied()) else {
            if !self.checks.exact {
                return self.grow_stack(d, st, (ty, count, align));
            }
            return self.unsupported("alloca outside the entry block");
        };
        if !self.is_promoted(index) {
            self.needs_whole_pointers()?;
        }
        let address = d.address(&Self::stack_name(st.frame, self.object_number(index)), Some(size));
        if !self.is_promoted(index) {
            self.was_never_stored(d, &address, size);
        }
        Ok(Value::plain(d, address))
    }

    /// Whether nothing reads an instruction's result.
    fn is_unused(&self, inst: &Inst) -> bool {
        let mut read = false;
        for other in &self.f.insts {
            other.op.for_each_operand(|o| read |= matches!(o, Operand::Local(l) if Some(l) == inst.result));
        }
        !read
    }

    pub(super) fn check_access<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ptr, operand): (&Scalar<D>, Operand),
        (bytes, align): (u64, u64),
        write: bool,
    ) {
        let bad = ptr.anything(d);
        self.note_ub(d, st, &bad);
        self.note_forbidden(d, st, operand, write);
        self.note_null(d, st, (&ptr.bits, operand));
        self.note_first_page(d, &ptr.bits, bytes);
        self.note_wrapped(d, st, &ptr.bits, bytes);
        if self.checks.access != AccessCheck::Off && !self.inside_object(operand, bytes, write) {
            let mut fine = self.checks.access.permits(d, &st.perm, &ptr.bits, (bytes, write), Asked::Words);
            if let Some(inside) = self.in_named_object(d, operand, &ptr.bits, bytes, write) {
                fine = d.or(&fine, &inside);
            }
            let fault = d.not(&fine);
            self.note_ub(d, st, &fault);
        }
        if bytes > WORD {
            self.note_apart(d, st, &ptr.bits, bytes);
        }
        if write {
            self.note_handed_on(d, st, &ptr.bits, bytes);
            self.holds_from_now(d, &ptr.bits, bytes);
        }
        if self.checks.exact && self.beyond_own_object(operand, bytes) {
            let beyond = d.bool(true);
            self.note_ub(d, st, &beyond);
        }
        self.note_beyond(d, st, (&ptr.bits, operand), bytes);
        if write && self.side == Side::Source && self.hits_constant(d, &ptr.bits, bytes) {
            let hit = d.bool(true);
            self.note_ub(d, st, &hit);
        }
        if write && self.checks.exact && self.is_constant_object(operand) {
            let hit = d.bool(true);
            self.note_ub(d, st, &hit);
        }
        // Alignment matters to what another program may assume only for wide accesses, or against another IR.
        if (self.checks.exact || align >= 16 || align > bytes)
            && let Some(off) = self.misaligned(d, st.frame, (&ptr.bits, operand), align)
        {
            self.note_ub(d, st, &off);
        }
    }

    /// Where an address is not aligned; none where it is for sure.
    pub(super) fn misaligned<D: Domain>(
        &self,
        d: &mut D,
        frame: u32,
        (at, operand): (&D::Bv, Operand),
        align: u64,
    ) -> Option<D::Bool> {
        if align < 2 || !align.is_power_of_two() || self.aligned_in_object(operand, align) {
            return None;
        }
        // A variable lies as it is declared to: what counts is the distance from its start.
        let start = self
            .aligned_variable(d, operand, align)
            .or_else(|| self.aligned_stack_object(d, frame, operand, align));
        let from = start.map_or_else(|| at.clone(), |start| d.sub(at, &start));
        let low = d.extract(align.trailing_zeros() - 1, 0, &from);
        let aligned = d.is_zero(&low);
        Some(d.not(&aligned))
    }

    /// Notes undefined behaviour where a block of memory that is read or written as a whole may not be.
    pub(crate) fn check_block<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (at, operand): (&D::Bv, Operand),
        bytes: u64,
        write: bool,
    ) {
        if bytes > 0 {
            self.note_forbidden(d, st, operand, write);
            self.note_null(d, st, (at, operand));
        }
        self.note_first_page(d, at, bytes);
        if bytes > 1 {
            self.note_apart(d, st, at, bytes);
        }
        if self.checks.exact && self.beyond_own_object(operand, bytes) {
            let beyond = d.bool(true);
            self.note_ub(d, st, &beyond);
        }
        if bytes > 0 {
            self.note_beyond(d, st, (at, operand), bytes);
        }
        if self.checks.access != AccessCheck::Off && !self.inside_object(operand, bytes, write) {
            let any = self.checks.exact && self.side == Side::Source && bytes <= SPELLED_OUT;
            let asked = if any { Asked::Every } else { Asked::Words };
            let fine = self.checks.access.permits(d, &st.perm, at, (bytes, write), asked);
            let fault = d.not(&fine);
            self.note_ub(d, st, &fault);
        }
    }

    fn access_size(&self, ty: TypeId) -> Res<(u64, u64)> {
        let types = &self.m.types;
        match (self.m.layout.store_size(types, ty), self.m.layout.align(types, ty)) {
            (Some(size), Some(align)) if size <= MAX_BYTES => Ok((size, align)),
            _ => self.unsupported("access of a very large or unsized type"),
        }
    }

    pub(super) fn load<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        (ty, ptr): (TypeId, Operand),
        access: &Access,
    ) -> Res<Effect<D>> {
        if self.ordering(access).is_some() {
            return self.atomic_load(d, st, (ty, ptr), access);
        }
        let operand = ptr;
        let ptr = self.place(d, st, ptr)?;
        let (size, natural) = self.access_size(ty)?;
        let align = access.align.unwrap_or(natural);
        if size == 0 {
            let value = self.value_of_bits(d, ty, None)?;
            self.set_result(st, inst, value);
            return Ok(Effect::Next);
        }
        if let Some((object, offset)) = self.promoted_place(operand) {
            let value = match self.m.types.resolve(ty) {
                Type::Struct { .. } | Type::Array { .. } => {
                    self.load_parts(d, st, (inst, ty), (&object, offset))?
                }
                _ => self.load_promoted(d, st, inst, ty, (&object, offset, size))?,
            };
            self.set_result(st, inst, value);
            return Ok(Effect::Next);
        }
        self.check_access(d, st, (&ptr, operand), (size, align), false);
        if !access.is_plain() {
            return Ok(Effect::Volatile { at: ptr.bits, bytes: size as u32, value: None });
        }
        if self.is_thread_word(d, operand, &ptr.bits, size) {
            let value = self.value_of_bits(d, ty, Some(&ptr.bits))?;
            self.set_result(st, inst, value);
            return Ok(Effect::Next);
        }
        if self.checks.exact {
            self.known_in_a_run(d, &ptr.bits, size)?;
        }
        let bits = self.read(d, &st.mem, (&ptr.bits, operand), size as u32);
        let value = self.loaded(d, st, inst, ty, &bits)?;
        self.set_result(st, inst, value);
        Ok(Effect::Next)
    }

    /// The value of a type that loaded bytes hold, with what metadata promises about it.
    pub fn loaded<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        ty: TypeId,
        bits: &D::Bv,
    ) -> Res<Value<D>> {
        let value = self.value_of_bits(d, ty, Some(bits))?;
        let Value::Scalar(mut scalar) = value else { return Ok(self.lanes_in_range(d, inst, value)) };
        let bits = &self.in_memory_order(d, bits);
        // Bits above an odd-sized integer are what its store left there: zeros.
        let (width, stored) = (d.width(&scalar.bits), d.width(bits));
        if stored > width {
            let above = d.extract(stored - 1, width, bits);
            let clear = d.is_zero(&above);
            let dirty = d.not(&clear);
            self.note_ub(d, st, &dirty);
        }
        let (mut out, mut noundef) = (d.bool(false), false);
        for (kind, node) in &inst.attachments {
            match self.m.names.text(*kind) {
                "range" => {
                    let Some(inside) = node.and_then(|n| self.in_ranges(d, n, &scalar.bits)) else {
                        // An unknown promise is ignored by the source and must be kept by the target.
                        if self.side == Side::Target {
                            return self.unsupported("!range of this form");
                        }
                        continue;
                    };
                    let outside = d.not(&inside);
                    out = d.or(&out, &outside);
                }
                "nonnull" => {
                    let null = d.is_zero(&scalar.bits);
                    out = d.or(&out, &null);
                }
                "noundef" => noundef = true,
                "align" | "dereferenceable" | "dereferenceable_or_null" if self.side == Side::Target => {
                    return self.unsupported("pointer promises on a load");
                }
                "tbaa" | "alias.scope" | "noalias" | "tbaa.struct" if self.side == Side::Target => {
                    self.assume(Assumption::TargetAliasMetadata);
                }
                _ => {}
            }
        }
        if noundef {
            self.note_ub(d, st, &out);
        } else {
            scalar.poison = d.or(&scalar.poison, &out);
        }
        Ok(Value::Scalar(scalar))
    }

    /// A vector whose lanes are poison outside of the range that metadata promises.
    fn lanes_in_range<D: Domain>(&self, d: &mut D, inst: &Inst, value: Value<D>) -> Value<D> {
        let range = inst.attachments.iter().find(|(kind, _)| self.m.names.text(*kind) == "range");
        let Some((_, Some(node))) = range else { return value };
        value.map(d, &mut |d, s| match self.in_ranges(d, *node, &s.bits) {
            Some(inside) => {
                let out = d.not(&inside);
                let poison = d.or(&s.poison, &out);
                Scalar { bits: s.bits.clone(), poison, undef: s.undef.clone() }
            }
            None => s.clone(),
        })
    }

    /// Whether bits lie in the ranges that a metadata node `!{i8 0, i8 2, …}` lists.
    pub(super) fn in_ranges<D: Domain>(&self, d: &mut D, node: u32, bits: &D::Bv) -> Option<D::Bool> {
        let text = &self.m.metadata.iter().find(|(n, _)| *n == node)?.1;
        let inner = text.strip_prefix("!{")?.strip_suffix('}')?;
        let width = d.width(bits);
        let mut numbers = Vec::new();
        for part in inner.split(',') {
            let (ty, number) = part.trim().split_once(' ')?;
            if ty.strip_prefix('i')?.parse::<u32>().ok()? != width {
                return None;
            }
            numbers.push(d.signed(width, number.trim().parse::<i128>().ok()?));
        }
        let mut inside = d.bool(false);
        for pair in numbers.chunks(2) {
            let [lo, hi] = pair else { return None };
            let this = super::value::in_range(d, bits, lo, hi);
            inside = d.or(&inside, &this);
        }
        Some(inside)
    }

    pub(super) fn store<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ty, value): (TypeId, Operand),
        ptr: Operand,
        access: &Access,
    ) -> Res<Effect<D>> {
        if self.ordering(access).is_some() {
            return self.atomic_store(d, st, (ty, value), ptr, access);
        }
        let cleared = matches!(value, Operand::Const(_)) && self.clears_padding();
        let value = self.operand(d, st, value, ty)?;
        let operand = ptr;
        let ptr = self.place(d, st, ptr)?;
        let (size, natural) = self.access_size(ty)?;
        if size == 0 {
            return Ok(Effect::Next);
        }
        if let Some((object, offset)) = self.promoted_place(operand)
            && let Value::Aggregate(_) = &value
            && let Type::Struct { .. } | Type::Array { .. } = self.m.types.resolve(ty)
        {
            self.store_parts(d, st, (ty, &value), (&object, offset, size))?;
            return Ok(Effect::Next);
        }
        let padding = self.note_padding(ty);
        if let Some((object, offset)) = self.promoted_place(operand) {
            if !padding.is_empty() {
                let (bits, poison) = (d.num(1, 0), d.bool(true));
                let open = Scalar::with_poison(d, bits, poison);
                self.refuse_concrete(d, &open)?;
            }
            self.store_promoted(d, st, ty, &value, (&object, offset))?;
            return Ok(Effect::Next);
        }
        let align = access.align.unwrap_or(natural);
        self.check_access(d, st, (&ptr, operand), (size, align), true);
        for s in value.scalars() {
            self.refuse_concrete(d, s)?;
        }
        for s in value.scalars() {
            self.reaches_memory(d, st, s);
        }
        if !access.is_plain() {
            let bits = self.to_bits(d, ty, &value)?;
            return Ok(Effect::Volatile { at: ptr.bits, bytes: size as u32, value: Some(bits) });
        }
        self.store_value(d, st, ty, &value, &ptr.bits)?;
        for (offset, bits) in padding {
            let at = d.add_num(&ptr.bits, i128::from(offset));
            if cleared && bits == 0xff {
                let zero = d.num(8, 0);
                st.mem = d.store(&st.mem, &at, &zero);
            }
            d.leave_open(&at, bits);
        }
        Ok(Effect::Next)
    }

    /// Memory has no poison here: what reaches it is held against the target at once, and the source is taken to keep it
    /// out.
    pub(super) fn reaches_memory<D: Domain>(&self, d: &mut D, st: &mut State<D>, value: &Scalar<D>) {
        if !self.checks.exact {
            return;
        }
        let bad = if self.side == Side::Target { value.anything(d) } else { value.poison.clone() };
        if self.side == Side::Source && d.as_bool(&bad) != Some(false) {
            self.assume(Assumption::PoisonInMemory);
        }
        self.note_ub(d, st, &bad);
    }

    /// Whether the bytes between the fields of a constant that is stored are zero on both sides: where the target stores
    /// such a constant or fills memory, which it may have made of such a store.
    fn clears_padding(&self) -> bool {
        let clears = |ir: &Ir<'_>| {
            ir.f.insts.iter().any(|inst| match &inst.op {
                Op::Store { ty, value: Operand::Const(_), .. } => {
                    matches!(ir.m.types.resolve(*ty), Type::Struct { .. } | Type::Array { .. })
                }
                Op::Call(call) => matches!(call.intrinsic, Some((Intrinsic::Block(Block::Fill), _))),
                _ => false,
            })
        };
        self.checks.exact
            && match self.side {
                Side::Source => self.beside.as_deref().is_some_and(clears),
                Side::Target => clears(self),
            }
    }

    /// Between IR programs: bytes between the fields of a structure, and bits above an integer of an odd size, are left
    /// as they are (of a constant, see [`Self::clears_padding`]), and zero. That is one of the source's choices; that the target makes it too is assumed.
    /// Which bytes that are, from the start, and which of their bits: all that a value does not fill.
    fn note_padding(&self, ty: TypeId) -> Vec<(u64, u8)> {
        let size = self
            .m
            .layout
            .store_size(&self.m.types, ty)
            .filter(|size| self.checks.exact && *size <= MAX_BYTES);
        let mut held = vec![0; size.unwrap_or(0) as usize];
        self.note_held(ty, 0, &mut held);
        let open: Vec<_> =
            (0..).zip(held).filter(|(_, held)| *held != 0xff).map(|(n, held)| (n, !held)).collect();
        if !open.is_empty() {
            self.assume(Assumption::PaddingKept);
        }
        open
    }

    /// Marks the bits of bytes that a value of a type fills from an offset on.
    fn note_held(&self, ty: TypeId, at: u64, held: &mut [u8]) {
        match self.m.types.resolve(ty) {
            Type::Struct { fields, packed } => {
                let Some((offsets, ..)) = self.m.layout.fields(&self.m.types, fields, *packed) else {
                    return;
                };
                for (field, offset) in fields.iter().zip(offsets) {
                    self.note_held(*field, at + offset, held);
                }
            }
            Type::Array { len, elem } => {
                let Some(step) = self.m.layout.alloc_size(&self.m.types, *elem) else { return };
                let size = held.len() as u64;
                for n in (0..*len).take_while(|n| at + n * step < size) {
                    self.note_held(*elem, at + n * step, held);
                }
            }
            _ => {
                let bits: u64 = flat_widths(self, ty).unwrap_or_default().iter().map(|w| u64::from(*w)).sum();
                let bytes = held.iter_mut().skip(at as usize).take(bits.div_ceil(8) as usize);
                for (n, byte) in bytes.enumerate() {
                    // The highest bits of a number are in the last byte or in the first.
                    let highest = if self.m.layout.little_endian { n as u64 == bits / 8 } else { n == 0 };
                    *byte = if highest && !bits.is_multiple_of(8) { (1 << (bits % 8)) - 1 } else { 0xff };
                }
            }
        }
    }

    /// Loads from an object that is promoted. Poison that was stored comes back; against another IR program undef
    /// too, also what is there before any store.
    pub(super) fn load_promoted<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        ty: TypeId,
        (object, offset, bytes): (&str, u64, u64),
    ) -> Res<Value<D>> {
        let bits = self.promoted.load(d, &st.promoted, object, offset, bytes);
        let zeros = d.num(bytes as u32, 0);
        let (mut poison, mut undef) = (zeros.clone(), zeros);
        for t in self.promoted.touched(object, offset, bytes) {
            let (hi, lo) = ((t.lo + t.bits) / 8 - 1, t.lo / 8);
            let (p, u) = st.promoted_flags[t.slot].clone();
            let (p, u) = (d.extract(hi, lo, &p), d.extract(hi, lo, &u));
            poison = replace_bits(d, &poison, &p, t.at / 8);
            undef = replace_bits(d, &undef, &u, t.at / 8);
        }
        let (bits, undef) = self.open_bytes_chosen(d, bits, undef);
        // What metadata promises about the value is looked at where there is one.
        let before = st.ub.clone();
        let value = self.loaded(d, st, inst, ty, &bits)?;
        let vector = matches!(self.m.types.resolve(ty), Type::Vector { .. });
        let widths: Vec<u32> = value.scalars().iter().map(|s| d.width(&s.bits)).collect();
        let apart = vector
            && widths.iter().all(|w| w.is_multiple_of(8))
            && u64::from(widths.iter().sum::<u32>()) == 8 * bytes;
        let mut flags = Vec::new();
        let mut first = 0;
        for width in if apart { widths } else { vec![8 * bytes as u32] } {
            let last = first + width / 8;
            let (p, u) = (d.extract(last - 1, first, &poison), d.extract(last - 1, first, &undef));
            flags.push(self.loaded_flags(d, &p, &u, vector && !apart)?);
            first = last;
        }
        // The source's promise of lanes of which any is open is left out, the target's only where all are.
        let source = self.side == Side::Source;
        let mut anything = d.bool(!source);
        for (poison, undef) in &flags {
            let this = d.or(poison, undef);
            anything = if source { d.or(&anything, &this) } else { d.and(&anything, &this) };
        }
        st.ub = d.ite_bool(&anything, &before, &st.ub);
        let mut number = 0;
        Ok(value.map(d, &mut |d, s| {
            let (poison, undef) = &flags[number.min(flags.len() - 1)];
            number += 1;
            Scalar { bits: s.bits.clone(), poison: d.or(&s.poison, poison), undef: d.or(&s.undef, undef) }
        }))
    }

    /// Whether a value of these bytes is poison, and whether it is undef. One poison byte makes a scalar poison (of lanes
    /// that are no bytes only some, of which the source picks bits); only where all bytes are undef is it undef as a
    /// whole, elsewhere the source picks bits.
    fn loaded_flags<D: Domain>(
        &self,
        d: &mut D,
        poison: &D::Bv,
        undef: &D::Bv,
        lanes: bool,
    ) -> Res<(D::Bool, D::Bool)> {
        let defined = d.bv_not(undef);
        let whole = d.is_zero(&defined);
        let some = d.bv_to_bool(undef);
        let mut bad = if lanes && self.side == Side::Source {
            let sound = d.bv_not(poison);
            d.is_zero(&sound)
        } else {
            d.bv_to_bool(poison)
        };
        let parts = d.not(&whole);
        let mixed = d.and(&some, &parts);
        if d.as_bool(&mixed) != Some(false) {
            if self.side == Side::Source && d.follows_choices() {
                return self.unsupported("choices that are not followed");
            }
            let probe = d.nondet("probe", 1);
            // A run on numbers shows one choice of many: such a value is undef as a whole there, on both sides.
            if d.as_const(&probe).is_some() {
                return Ok((bad, d.or(&whole, &mixed)));
            }
        }
        if self.side == Side::Target {
            // Of a value that is undef in part the target may show any.
            bad = d.or(&bad, &mixed);
        }
        Ok((bad, whole))
    }

    /// Stores to an object that is promoted. Flags are kept for each byte.
    pub(super) fn store_promoted<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        ty: TypeId,
        value: &Value<D>,
        (object, offset): (&str, u64),
    ) -> Res<()> {
        let bits = self.to_bits(d, ty, value)?;
        let bytes = u64::from(d.width(&bits) / 8);
        let (poison, undef) = self.byte_flags(d, value, bytes as u32)?;
        for t in self.promoted.touched(object, offset, bytes) {
            let (hi, lo) = ((t.at + t.bits) / 8 - 1, t.at / 8);
            let (p, u) = (d.extract(hi, lo, &poison), d.extract(hi, lo, &undef));
            let (old_p, old_u) = st.promoted_flags[t.slot].clone();
            st.promoted_flags[t.slot] =
                (replace_bits(d, &old_p, &p, t.lo / 8), replace_bits(d, &old_u, &u, t.lo / 8));
        }
        self.promoted.store(d, &mut st.promoted, object, offset, &bits);
        Ok(())
    }

    /// Poison and undef of a value's bytes, as masks.
    fn byte_flags<D: Domain>(&self, d: &mut D, value: &Value<D>, bytes: u32) -> Res<(D::Bv, D::Bv)> {
        let scalars = value.scalars();
        let lanes = scalars.len() as u32;
        let each = if lanes > 0 && bytes.is_multiple_of(lanes) { bytes / lanes } else { 0 };
        let whole = lanes == 1 || scalars.iter().all(|s| d.width(&s.bits) == each * 8);
        if each == 0 || !whole {
            return self.unsupported("vector of odd lanes in a stack object");
        }
        let (mut poison, mut undef) = (Vec::new(), Vec::new());
        for s in scalars {
            if !self.checks.exact && d.as_bool(&s.undef) == Some(true) {
                self.refuse_concrete(d, s)?;
            }
            let (ones, zeros) = (d.signed(each, -1), d.num(each, 0));
            let follows = self.checks.exact;
            let bad = if self.side == Side::Target && !follows { s.anything(d) } else { s.poison.clone() };
            poison.push(d.ite(&bad, &ones, &zeros));
            undef.push(if follows { d.ite(&s.undef, &ones, &zeros) } else { zeros });
        }
        Ok((crate::bits::join(d, &poison), crate::bits::join(d, &undef)))
    }

    /// Marks the promoted slots of an object as holding nothing, as at a lifetime's start.
    pub(super) fn forget_promoted<D: Domain>(&self, d: &mut D, st: &mut State<D>, operand: Operand) -> bool {
        let Some((object, _)) = self.promoted_place(operand) else { return false };
        if self.checks.exact {
            for t in self.promoted.touched(&object, 0, u64::MAX) {
                st.promoted_flags[t.slot] = self.unset_flags(d, t.slot);
            }
        }
        true
    }

    /// Poison and undef of stack bytes that were never stored: undef between IR programs; against others nothing for the
    /// source, and held against the target.
    pub fn unset_flags<D: Domain>(&self, d: &mut D, slot: usize) -> (D::Bv, D::Bv) {
        let bytes = self.promoted.width(slot) / 8;
        let (ones, zeros) = (d.signed(bytes, -1), d.num(bytes, 0));
        match self.side {
            Side::Source | Side::Target if self.checks.exact => (zeros, ones),
            Side::Target => (ones, zeros),
            Side::Source => (zeros.clone(), zeros),
        }
    }

    /// Writes a value of a type; padding is left as it is.
    pub(super) fn store_value<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        ty: TypeId,
        value: &Value<D>,
        at: &D::Bv,
    ) -> Res<()> {
        match (self.m.types.resolve(ty), value) {
            (Type::Struct { fields, packed }, Value::Aggregate(items)) => {
                let Some((offsets, ..)) = self.m.layout.fields(&self.m.types, fields, *packed) else {
                    return self.unsupported("struct without a size");
                };
                for ((field, item), offset) in fields.iter().zip(items.iter()).zip(offsets) {
                    let at = d.add_num(at, i128::from(offset));
                    self.store_value(d, st, *field, item, &at)?;
                }
                Ok(())
            }
            (Type::Array { elem, .. }, Value::Aggregate(items)) => {
                let Some(stride) = self.m.layout.alloc_size(&self.m.types, *elem) else {
                    return self.unsupported("array without a size");
                };
                for (i, item) in items.iter().enumerate() {
                    let at = d.add_num(at, i128::from(stride) * i as i128);
                    self.store_value(d, st, *elem, item, &at)?;
                }
                Ok(())
            }
            _ => {
                let mut bits = self.to_bits(d, ty, value)?;
                if let (true, Value::Scalar(s)) = (self.open_stores, value)
                    && d.width(&s.bits) == d.width(&bits)
                {
                    let open = s.anything(d);
                    bits = d.stored(at, &bits, &open);
                }
                st.mem = d.store(&st.mem, at, &bits);
                Ok(())
            }
        }
    }

    /// The bytes that a scalar or vector has in memory, zeros above an odd size.
    pub fn to_bits<D: Domain>(&self, d: &mut D, ty: TypeId, value: &Value<D>) -> Res<D::Bv> {
        let (size, _) = self.access_size(ty)?;
        let bits = match (self.m.types.resolve(ty), value) {
            (_, Value::Scalar(s)) => s.bits.clone(),
            (Type::Vector { .. }, Value::Aggregate(items)) if !items.is_empty() => {
                let mut lanes = Vec::new();
                for item in items.iter() {
                    let Value::Scalar(s) = item else { return self.unsupported("vector of aggregates") };
                    lanes.push(s.bits.clone());
                }
                if !self.m.layout.little_endian {
                    lanes.reverse();
                }
                crate::bits::join(d, &lanes)
            }
            _ => return self.unsupported("volatile access of an aggregate"),
        };
        let bits = d.zfit(&bits, size as u32 * 8);
        Ok(self.in_memory_order(d, &bits))
    }

    /// A number's bytes, lowest address first, or the number of such bytes: the same where memory has the lowest first.
    pub(super) fn in_memory_order<D: Domain>(&self, d: &mut D, bits: &D::Bv) -> D::Bv {
        if self.m.layout.little_endian { bits.clone() } else { crate::bits::byte_swap(d, bits) }
    }

    /// The value of a type in bytes of memory (none for an empty type).
    pub fn value_of_bits<D: Domain>(&self, d: &mut D, ty: TypeId, bits: Option<&D::Bv>) -> Res<Value<D>> {
        let types = &self.m.types;
        match types.resolve(ty) {
            Type::Struct { fields, packed } => {
                let Some((offsets, ..)) = self.m.layout.fields(types, fields, *packed) else {
                    return self.unsupported("struct without a size");
                };
                let items: Res<Vec<_>> =
                    fields.iter().zip(offsets).map(|(f, o)| self.value_of_bytes(d, *f, bits, o)).collect();
                Ok(Value::Aggregate(items?.into()))
            }
            Type::Array { len, elem } => {
                let Some(stride) = self.m.layout.alloc_size(types, *elem) else {
                    return self.unsupported("array without a size");
                };
                let items: Res<Vec<_>> =
                    (0..*len).map(|i| self.value_of_bytes(d, *elem, bits, i * stride)).collect();
                Ok(Value::Aggregate(items?.into()))
            }
            Type::Vector { len, elem, scalable: false } => {
                let width = self.scalar_bits(*elem)?;
                let Some(bits) = bits else { return self.unsupported("empty vector") };
                let bits = &self.in_memory_order(d, bits);
                let total = d.width(bits);
                let mut items = Vec::new();
                for i in 0..*len as u32 {
                    if (i + 1) * width > total {
                        return self.unsupported("vector wider than its bytes");
                    }
                    let lane = d.extract((i + 1) * width - 1, i * width, bits);
                    items.push(Value::plain(d, lane));
                }
                if !self.m.layout.little_endian {
                    items.reverse();
                }
                Ok(Value::Aggregate(items.into()))
            }
            _ => {
                let width = self.scalar_bits(ty)?;
                let Some(bits) = bits else { return self.unsupported("empty value") };
                let bits = &self.in_memory_order(d, bits);
                let low = d.zfit(bits, width);
                Ok(Value::plain(d, low))
            }
        }
    }

    fn value_of_bytes<D: Domain>(
        &self,
        d: &mut D,
        ty: TypeId,
        bits: Option<&D::Bv>,
        offset: u64,
    ) -> Res<Value<D>> {
        let Some(size) = self.m.layout.store_size(&self.m.types, ty) else {
            return self.unsupported("value without a size");
        };
        let Some(bits) = bits.filter(|_| size > 0) else { return self.value_of_bits(d, ty, None) };
        let (lo, hi) = (offset as u32 * 8, (offset + size) as u32 * 8);
        if hi > d.width(bits) {
            return self.unsupported("value wider than its bytes");
        }
        let part = d.extract(hi - 1, lo, bits);
        self.value_of_bits(d, ty, Some(&part))
    }

    /// In a run on numbers, whether a write hits a constant that the function names.
    fn hits_constant<D: Domain>(&self, d: &mut D, at: &D::Bv, bytes: u64) -> bool {
        let Some(at) = d.as_const(at).and_then(|a| a.to_u64()) else { return false };
        self.constant_places(d).into_iter().any(|(base, size)| {
            let base = d.as_const(&base).and_then(|b| b.to_u64());
            base.is_some_and(|base| at.wrapping_sub(base) < size || base.wrapping_sub(at) < bytes)
        })
    }
}

/// The size of a global variable that the linker cannot replace by another. (One of the same name that follows the one
/// definition rule is the same.)
pub(crate) fn known_global_size(m: &crate::llvm_ir::ast::Module, name: crate::names::Name) -> Option<u64> {
    let g = m.globals.iter().find(|g| g.name == name)?;
    let interposable =
        g.words.iter().any(|w| matches!(m.names.text(*w), "weak" | "linkonce" | "common" | "extern_weak"));
    if interposable { None } else { m.layout.alloc_size(&m.types, g.ty) }
}
