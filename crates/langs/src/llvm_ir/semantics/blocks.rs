//! `memcpy`, `memmove` and `memset` of a known length from and to stack objects that are promoted.

use super::{Effect, Ir, Res, Scalar, Side, State, Value, flat_widths};
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Call, Inst};
use crate::llvm_ir::intrinsics::Block;
use crate::llvm_ir::types::{Type, TypeId};
use crate::memory::blocks::{fill_bytes, overlap};

/// Longest piece that goes to memory at once, in bytes.
const PIECE: u64 = 8;
/// Most parts of a structure that is stored to a promoted object at once.
const MOST_PARTS: u64 = 64;

impl Ir<'_> {
    /// The promoted slots that a copy or fill writes, also in part.
    pub(crate) fn promoted_written(&self, inst: &Inst) -> Vec<usize> {
        let mut out = Vec::new();
        for (ptr, bytes, write) in self.block_accesses(inst) {
            if let (true, Some((object, offset))) = (write, self.promoted_place(ptr)) {
                out.extend(self.promoted.touched(&object, offset, bytes).into_iter().map(|t| t.slot));
            }
        }
        out
    }

    /// A block operation of which at least one area is promoted; none where neither is. Bytes go with what is known of
    /// their poison, which memory does not have.
    pub(super) fn block_in_promoted<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        block: Block,
        (args, n): (&[Scalar<D>], u64),
    ) -> Res<Option<Effect<D>>> {
        let place = |i: usize| call.args.get(i).and_then(|a| self.promoted_place(a.value));
        let to_promoted = place(0);
        let from_promoted = if block == Block::Fill { None } else { place(1) };
        if to_promoted.is_none() && from_promoted.is_none() {
            return Ok(None);
        }
        if n == 0 {
            return Ok(Some(Effect::Next));
        }
        let bytes = n as u32;
        let length = d.num(64, u128::from(n));
        for (arg, s) in call.args.iter().zip(args).take(if block == Block::Fill { 1 } else { 2 }) {
            self.check_promised_alignment(d, st, (&arg.attrs, arg.value), &s.bits, &length);
        }
        let (to, second) = (&args[0].bits, &args[1].bits);
        let (value, poison, undef) = if block == Block::Fill {
            let (ones, zeros) = (d.signed(bytes, -1), d.num(bytes, 0));
            let undef = if self.checks.exact { d.ite(&args[1].undef, &ones, &zeros) } else { zeros.clone() };
            (fill_bytes(d, second, n as usize), d.ite(&args[1].poison, &ones, &zeros), undef)
        } else if let Some((object, offset)) = &from_promoted {
            let value = self.promoted.load(d, &st.promoted, object, *offset, n);
            let (mut poison, mut undef) = (d.num(bytes, 0), d.num(bytes, 0));
            for t in self.promoted.touched(object, *offset, n) {
                let (hi, lo) = ((t.lo + t.bits) / 8 - 1, t.lo / 8);
                let (p, u) = st.promoted_flags[t.slot].clone();
                let (p, u) = (d.extract(hi, lo, &p), d.extract(hi, lo, &u));
                poison = replace_bits(d, &poison, &p, t.at / 8);
                undef = replace_bits(d, &undef, &u, t.at / 8);
            }
            (value, poison, undef)
        } else {
            self.check_block(d, st, (second, call.args[1].value), n, false);
            self.known_in_a_run(d, second, n)?;
            let mem = self.memory_with_constant(d, &st.mem, second, n);
            let mut parts = Vec::new();
            let mut at = 0;
            while at < n {
                let size = (n - at).min(PIECE);
                let from = d.add_num(second, i128::from(at));
                parts.push(d.load(&mem, &from, size as u32));
                at += size;
            }
            let zeros = d.num(bytes, 0);
            (crate::bits::join(d, &parts), zeros.clone(), zeros)
        };
        match (&to_promoted, &from_promoted) {
            (Some((to_object, _)), Some((from_object, _)))
                if block == Block::Copy && to_object == from_object =>
            {
                let bad = overlap(d, to, second, &length);
                self.note_ub(d, st, &bad);
            }
            _ => {}
        }
        if let Some((object, offset)) = &to_promoted {
            for t in self.promoted.touched(object, *offset, n) {
                let (hi, lo) = ((t.at + t.bits) / 8 - 1, t.at / 8);
                let (p, u) = (d.extract(hi, lo, &poison), d.extract(hi, lo, &undef));
                let (old_p, old_u) = st.promoted_flags[t.slot].clone();
                st.promoted_flags[t.slot] =
                    (replace_bits(d, &old_p, &p, t.lo / 8), replace_bits(d, &old_u, &u, t.lo / 8));
            }
            self.promoted.store(d, &mut st.promoted, object, *offset, &value);
            return Ok(Some(Effect::Next));
        }
        self.check_block(d, st, (to, call.args[0].value), n, true);
        // Poison that goes to memory takes bits of the source's choice, which a run on numbers must not build on.
        let some = d.bv_to_bool(&poison);
        let whole = Scalar::with_poison(d, value.clone(), some);
        self.refuse_concrete(d, &whole)?;
        if self.checks.exact {
            return self.open_block_to_memory(d, st, to, (&value, &poison, &undef)).map(Some);
        }
        let mut at = 0;
        while at < n {
            let size = (n - at).min(PIECE);
            let piece = d.extract(((at + size) * 8 - 1) as u32, (at * 8) as u32, &value);
            let place = d.add_num(to, i128::from(at));
            st.mem = d.store(&st.mem, &place, &piece);
            at += size;
        }
        Ok(Some(Effect::Next))
    }

    /// Between IR programs, where bytes of a promoted object go to memory, which has no undef. The source may choose what
    /// bytes that are undef or poison are from then on: what memory held before, as what takes the object apart leaves
    /// them. In a run on numbers they stay open. No proof lets the target's go there, which is no difference either.
    fn open_block_to_memory<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        to: &D::Bv,
        (value, poison, undef): (&D::Bv, &D::Bv, &D::Bv),
    ) -> Res<Effect<D>> {
        let open = d.bv_or(poison, undef);
        let any = d.bv_to_bool(&open);
        let may = d.as_bool(&any) != Some(false);
        if self.side == Side::Target {
            if d.as_bool(&any) == Some(true) && self.shows_numbers(d) {
                return self.unsupported("undef that goes to memory in a run on numbers");
            }
            self.note_ub(d, st, &any);
        } else if may && d.follows_choices() {
            return self.unsupported("choices that are not followed");
        }
        let (bytes, mut at) = (d.width(&open), 0);
        while at < bytes {
            // Several bytes at once where none is open.
            let piece = (bytes - at).min(PIECE as u32);
            let several = d.extract(at + piece - 1, at, &open);
            let some = d.bv_to_bool(&several);
            let known = d.as_bool(&some) == Some(false) || self.side == Side::Target;
            let size = if known { piece } else { 1 };
            let place = d.add_num(to, i128::from(at));
            self.holds_from_now(d, &place, u64::from(size));
            let mut stored = d.extract(8 * (at + size) - 1, 8 * at, value);
            if !known {
                let bit = d.extract(at, at, &open);
                let is_open = d.is_set(&bit);
                let before = d.load(&st.mem, &place, 1);
                stored = d.ite(&is_open, &before, &stored);
                if d.as_bool(&is_open) == Some(true) {
                    d.leave_open(&place, 0xff);
                }
            }
            st.mem = d.store(&st.mem, &place, &stored);
            at += size;
        }
        Ok(Effect::Next)
    }

    /// Stores a structure or an array to an object that is promoted, part by part. What lies between the parts is undef from
    /// then on.
    pub(super) fn store_parts<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ty, value): (TypeId, &Value<D>),
        (object, offset, size): (&str, u64, u64),
    ) -> Res<()> {
        let Some(parts) = self.parts_of(ty) else { return self.unsupported("structure of odd parts") };
        let values: Vec<Scalar<D>> = value.scalars().into_iter().cloned().collect();
        if values.len() != parts.len() {
            return self.unsupported("structure of odd parts");
        }
        for t in self.promoted.touched(object, offset, size) {
            let bytes = t.bits / 8;
            let (ones, zeros) = (d.signed(bytes, -1), d.num(bytes, 0));
            let (p, u) = st.promoted_flags[t.slot].clone();
            st.promoted_flags[t.slot] =
                (replace_bits(d, &p, &zeros, t.lo / 8), replace_bits(d, &u, &ones, t.lo / 8));
        }
        for ((at, part), value) in parts.into_iter().zip(values) {
            self.store_promoted(d, st, part, &Value::Scalar(value), (object, offset + at))?;
        }
        Ok(())
    }

    /// Loads a structure or an array from an object that is promoted, part by part.
    pub(super) fn load_parts<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, ty): (&Inst, TypeId),
        (object, offset): (&str, u64),
    ) -> Res<Value<D>> {
        let Some(parts) = self.parts_of(ty) else { return self.unsupported("structure of odd parts") };
        let mut values = Vec::new();
        for (at, part) in parts {
            let bytes = self.m.layout.store_size(&self.m.types, part).unwrap_or(0);
            let value = self.load_promoted(d, st, inst, part, (object, offset + at, bytes))?;
            values.extend(value.scalars().into_iter().cloned());
        }
        let mut list = values.into_iter();
        self.build(d, ty, &mut |d, _, bits| {
            list.next().unwrap_or_else(|| {
                let zero = d.num(bits, 0);
                Scalar::plain(d, zero)
            })
        })
    }

    /// The numbers and pointers that a structure or an array is made of, each of whole bytes, and where they lie; none where
    /// there are others or many.
    pub(super) fn parts_of(&self, ty: TypeId) -> Option<Vec<(u64, TypeId)>> {
        let types = &self.m.types;
        let inner: Vec<(u64, TypeId)> = match types.resolve(ty) {
            Type::Struct { fields, packed } => {
                let (offsets, ..) = self.m.layout.fields(types, fields, *packed)?;
                offsets.into_iter().zip(fields.iter().copied()).collect()
            }
            Type::Array { len, elem } if *len <= MOST_PARTS => {
                let step = self.m.layout.alloc_size(types, *elem)?;
                (0..*len).map(|n| (n * step, *elem)).collect()
            }
            Type::Array { .. } | Type::Vector { .. } => return None,
            _ => {
                let widths = flat_widths(self, ty)?;
                let size = self.m.layout.store_size(types, ty)?;
                let whole = widths.len() == 1 && u64::from(widths[0]) == 8 * size;
                return whole.then(|| vec![(0, ty)]);
            }
        };
        let mut out = Vec::new();
        for (at, part) in inner {
            out.extend(self.parts_of(part)?.into_iter().map(|(n, part)| (at + n, part)));
        }
        (out.len() as u64 <= MOST_PARTS).then_some(out)
    }
}
