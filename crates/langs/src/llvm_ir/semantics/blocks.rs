//! `memcpy`, `memmove` and `memset` of a known length from and to stack objects that are promoted.

use super::{Effect, Ir, Res, Scalar, State};
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Call, Inst};
use crate::llvm_ir::intrinsics::Block;
use crate::memory::blocks::{fill_bytes, overlap};

/// Longest piece that goes to memory at once, in bytes.
const PIECE: u64 = 8;

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
            if d.is_open(second, n) {
                return self.unsupported("padding that is read in a run on numbers");
            }
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
}
