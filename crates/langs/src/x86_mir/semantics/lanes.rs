//! AVX-512's masks, what they make of the lanes of any vector operation, and the operations that only AVX-512 has.

use super::ints::Current;
use super::table::{Evex, Form, Masking, Opcode, Sem};
use super::{Res, State, X86};
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::x86::masks::{MASK_BITS, MaskOp, chosen, mask_flags, masked, to_lanes};
use crate::x86::packed::signs;
use crate::x86::rearrange::{broadcast, rotate_each, truncate};
use crate::x86_mir::ast::{Operand, Reg};

impl<O: NamedObjects> X86<'_, O> {
    /// What belongs to [`super::table::Family::Lanes`].
    pub(super) fn lanes<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let (w, vector) = (c.op.width, c.op.vector);
        let last = c.ex.len().saturating_sub(1);
        let value = match c.op.sem {
            Sem::Mask(op) => return self.mask_operation(d, st, c, op),
            Sem::MaskFlags(both) => {
                let a = self.read_whole(d, st, self.at(c.ex, 0)?)?;
                let b = self.read_whole(d, st, self.at(c.ex, 1)?)?;
                let (a, b) = (d.zfit(&a, w), d.zfit(&b, w));
                let flags = mask_flags(d, &a, &b, both);
                self.set_flags(st, c.inst, flags);
                return Ok(());
            }
            Sem::Ask(question) => {
                let count = c.op.evex.map_or(0, |evex| evex.count);
                let (a, b) = self.vector_inputs(d, st, c, count * w)?;
                let code = if question.has_code() { self.code(c, last)? } else { 0 };
                match question.value(d, w, (&a, &b), code) {
                    Some(answers) => d.zfit(&answers, MASK_BITS),
                    None => return self.unsupported("comparison code"),
                }
            }
            Sem::SpreadMask => {
                let bits = self.read(d, st, self.at(c.ex, 1)?, MASK_BITS)?;
                to_lanes(d, w, vector / w, &bits)
            }
            Sem::SignMask => {
                let a = self.read(d, st, self.at(c.ex, 1)?, vector)?;
                let bits = signs(d, w, &a);
                d.zfit(&bits, MASK_BITS)
            }
            Sem::Rotate(left) => {
                let a = self.one_input(d, st, c)?;
                let count = d.num(w, u128::from(self.code(c, last)?));
                let counts = broadcast(d, &count, vector);
                rotate_each(d, left, w, &a, &counts)
            }
            Sem::RotateEach(left) => {
                let (a, counts) = self.vector_inputs(d, st, c, vector)?;
                rotate_each(d, left, w, &a, &counts)
            }
            Sem::Truncate(..) if c.op.form == Form::MR => {
                let value = self.stored_lanes(d, st, c, 5)?;
                return self.store(d, st, c.ex, &value);
            }
            Sem::Truncate(from, narrow) => {
                let a = self.read(d, st, self.at(c.ex, 1)?, vector)?;
                let value = truncate(d, (from, w), narrow, &a);
                let whole = d.width(&value).max(128);
                d.zfit(&value, whole)
            }
            _ => return self.unsupported("instruction of AVX-512"),
        };
        self.write_fit(d, st, self.at(c.ex, 0)?, &value)
    }

    /// The mask registers hold more bits than most masks have: those above are zero after every operation.
    fn mask_operation<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, op: MaskOp) -> Res<()> {
        let w = c.op.width;
        let narrow = |d: &mut D, st: &State<D>, i: usize| {
            let whole = self.read_whole(d, st, self.at(c.ex, i)?)?;
            Ok(d.zfit(&whole, w))
        };
        if c.op.form == Form::MR {
            let value = narrow(d, st, 5)?;
            return self.store(d, st, c.ex, &value);
        }
        let zero = d.num(w, 0);
        let a = match (op.inputs(), c.op.form) {
            (0, _) => zero,
            (_, Form::RM) => self.load(d, st, self.tail(c.ex, 1)?, w)?,
            _ => narrow(d, st, 1)?,
        };
        let b = if op.inputs() > 1 { narrow(d, st, 2)? } else { a.clone() };
        let code = if let MaskOp::Shift(_) = op { self.code(c, 2)? } else { 0 };
        let value = op.value(d, w, (&a, &b), code);
        let target = self.at(c.ex, 0)?;
        let value = d.zfit(&value, self.operand_width(target)?);
        self.write(d, st, target, &value)
    }

    /// What an operation that stores lanes makes of its register.
    fn stored_lanes<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, i: usize) -> Res<D::Bv> {
        let a = self.read(d, st, self.at(c.ex, i)?, c.op.vector)?;
        match c.op.sem {
            Sem::Mov => Ok(a),
            Sem::Truncate(from, narrow) => Ok(truncate(d, (from, c.op.width), narrow, &a)),
            Sem::ExtractHalf => {
                let lo = u32::from(self.code(c, i + 1)?) % (c.op.vector / c.op.width) * c.op.width;
                Ok(d.extract(lo + c.op.width - 1, lo, &a))
            }
            _ => self.unsupported("masked store of this form"),
        }
    }

    /// An operation of whose lanes a mask tells which count. Of an operand in memory all is read, as LLVM makes it only of
    /// loads that the program does in any case; moves access the lanes that are chosen.
    pub(super) fn masked_operation<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        evex: Evex,
    ) -> Res<()> {
        if c.op.form == Form::MR {
            let bits = self.read(d, st, self.at(c.ex, 5)?, MASK_BITS)?;
            let value = self.stored_lanes(d, st, c, 6)?;
            let all: Vec<D::Bool> = (0..evex.count).map(|i| chosen(d, &bits, i)).collect();
            self.check_whole(d, st, c, c.ex)?;
            return self.store_lanes(d, st, c.ex, (&all, evex.lane), &value);
        }
        // Where the first input gives the lanes that are left out, it comes before the mask in either form.
        let kept = match c.op.sem {
            Sem::Fused(..) => true,
            Sem::Hardware(hardware) => hardware.inputs() > 2,
            _ => false,
        };
        let (mask_at, old_at) = match evex.masking {
            _ if kept => (2, Some(1)),
            Masking::Merge => (2, Some(1)),
            Masking::Choose => (1, Some(2)),
            Masking::Zero | Masking::None => (1, None),
        };
        let target = self.at(c.ex, 0)?;
        let width = self.operand_width(target)?;
        let bits = self.read(d, st, self.at(c.ex, mask_at)?, MASK_BITS)?;
        let old = match old_at {
            Some(i) if evex.masking != Masking::Zero => self.read(d, st, self.at(c.ex, i)?, width)?,
            _ => d.num(width, 0),
        };
        let mut rest = c.ex.to_vec();
        rest.remove(mask_at);
        if let Some(i) = old_at.filter(|_| !kept) {
            rest.remove(if i > mask_at { i - 1 } else { i });
        }
        if (c.op.sem, c.op.form) == (Sem::Mov, Form::RM) {
            let place = self.tail(&rest, 1)?;
            self.check_whole(d, st, c, place)?;
            let all: Vec<D::Bool> = (0..evex.count).map(|i| chosen(d, &bits, i)).collect();
            let value = self.load_lanes(d, st, place, (&all, evex.lane), &old)?;
            return self.write(d, st, target, &value);
        }
        let op = Opcode { evex: Some(Evex { masking: Masking::None, ..evex }), ..c.op };
        self.compute(d, st, Current { op, ex: &rest, ..c })?;
        let new = self.read(d, st, target, width)?;
        let value = masked(d, (evex.lane, evex.count), &bits, &new, &old);
        self.write(d, st, target, &value)
    }

    /// Notes the fault of a masked move that has to be aligned as a whole.
    fn check_whole<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        place: &[&Operand],
    ) -> Res<()> {
        match c.op.sem == Sem::Mov && self.is_aligned_move(c.inst) {
            true => self.check_aligned(d, st, place, u64::from(c.op.vector / 8)),
            false => Ok(()),
        }
    }

    /// The bits that a mask of this class certainly has, if the operand is a mask register: copies to and from others may
    /// be of 16 bits where no mask has more.
    pub(super) fn mask_bits(&self, operand: &Operand) -> Option<u32> {
        let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = operand else { return None };
        let class = self.f.vregs.get(*n as usize).copied().flatten()?;
        let digits = self.m.names.text(class).strip_prefix("vk")?;
        let bits: u32 = digits.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
        Some(bits.max(16))
    }
}
