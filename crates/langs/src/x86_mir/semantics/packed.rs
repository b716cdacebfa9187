//! Vector and floating-point instructions: operands in, what the processor computes of them, results out.

use super::ints::Current;
use super::table::{Form, Sem};
use super::{Res, State, X86};
use crate::assumption::Assumption;
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::x86::float::{self, Convert, Float};
use crate::x86::packed::{LaneShift, byte_shift, per_lane, shuffle_both, signs};
use crate::x86_mir::ast::Operand;

impl<O: NamedObjects> X86<'_, O> {
    pub(super) fn packed<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let value = match c.op.sem {
            Sem::Packed(packed) => {
                let (a, b) = self.vector_inputs(d, st, c, 128)?;
                packed.value(d, &a, &b)
            }
            Sem::MovLow => {
                let (a, b) =
                    (self.read(d, st, self.at(c.ex, 1)?, 128)?, self.read(d, st, self.at(c.ex, 2)?, 128)?);
                let low = d.zfit(&b, c.op.width);
                let high = d.extract(127, c.op.width, &a);
                d.concat(&high, &low)
            }
            Sem::LaneShift(shift) => self.lane_shift(d, st, c, shift)?,
            Sem::ByteShift(left) => {
                let a = self.read(d, st, self.at(c.ex, 1)?, 128)?;
                let Operand::Imm(n) = self.at(c.ex, 2)? else { return self.unsupported("byte shift") };
                byte_shift(d, &a, *n as u8, left)
            }
            Sem::Shuffle(_) | Sem::ShuffleFloat => self.shuffle(d, st, c)?,
            Sem::InsertWord | Sem::ExtractWord => self.word_lane(d, st, c)?,
            Sem::MoveMask => {
                let a = self.read(d, st, self.at(c.ex, 1)?, 128)?;
                signs(d, c.op.width, &a)
            }
            _ => return self.unsupported("vector instruction"),
        };
        self.write_fit(d, st, self.at(c.ex, 0)?, &value)
    }

    pub(super) fn floating<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let (w, ex) = (c.op.width, c.ex);
        let value = match c.op.sem {
            Sem::Float(float) => {
                let (a, b) = self.vector_inputs(d, st, c, w)?;
                self.float(d, float, &a, &b)
            }
            Sem::FloatPacked(float) => {
                let (a, b) = self.vector_inputs(d, st, c, 128)?;
                per_lane(d, w, &a, &b, |d, x, y| self.float(d, float, x, y))
            }
            Sem::Sqrt => {
                let a = self.vector_input(d, st, c, 1, w)?;
                self.uninterpreted();
                float::square_root(d, a)
            }
            Sem::FloatFlags => {
                let a = self.read(d, st, self.at(ex, 0)?, w)?;
                let b = match c.op.form {
                    Form::RM => self.load(d, st, self.tail(ex, 1)?, w)?,
                    _ => self.read(d, st, self.at(ex, 1)?, w)?,
                };
                let flags = float::compare(d, &a, &b);
                self.set_flags(st, c.inst, flags);
                return Ok(());
            }
            Sem::FloatMask | Sem::FloatMasks => {
                let whole = if c.op.sem == Sem::FloatMask { w } else { 128 };
                let (a, b) = self.vector_inputs(d, st, c, whole)?;
                let code = self.at(ex, if c.op.form == Form::RM { 7 } else { 3 })?;
                let Operand::Imm(code) = code else { return self.unsupported("comparison code") };
                match float::masks(d, w, &a, &b, *code) {
                    Some(masks) => masks,
                    None => return self.unsupported("comparison code"),
                }
            }
            Sem::FromInt(from) => self.convert(d, st, c, (Convert::FromInt(from), w))?,
            Sem::ToInt(to) => self.convert(d, st, c, (Convert::ToInt(w), to))?,
            Sem::FloatConvert(from) => self.convert(d, st, c, (Convert::Format(from), w))?,
            Sem::ConvertPacked(convert) => {
                // Where the results are wider, only the lower lanes are read, from memory only those.
                let from = convert.from();
                let a = self.vector_input(d, st, c, 1, 128 / w.max(from) * from)?;
                self.uninterpreted();
                convert.lanes(d, w, &a)
            }
            _ => return self.unsupported("floating-point instruction"),
        };
        self.write_fit(d, st, self.at(ex, 0)?, &value)
    }

    fn convert<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        (convert, to): (Convert, u32),
    ) -> Res<D::Bv> {
        let a = self.vector_input(d, st, c, 1, convert.from())?;
        self.uninterpreted();
        Ok(convert.value(d, to, a))
    }

    fn float<D: Domain>(&self, d: &mut D, float: Float, a: &D::Bv, b: &D::Bv) -> D::Bv {
        if float.arithmetic().is_some() {
            self.uninterpreted();
        }
        float.value(d, a, b)
    }

    fn lane_shift<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        shift: LaneShift,
    ) -> Res<D::Bv> {
        let a = self.read(d, st, self.at(c.ex, 1)?, 128)?;
        let count = match c.op.form {
            Form::RI => self.read(d, st, self.at(c.ex, 2)?, 8)?,
            _ => {
                let count = self.read(d, st, self.at(c.ex, 2)?, 128)?;
                d.zfit(&count, 64)
            }
        };
        Ok(shift.value(d, c.op.width, &a, &count))
    }

    fn shuffle<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<D::Bv> {
        let Sem::Shuffle(kind) = c.op.sem else {
            let (a, b) = self.vector_inputs(d, st, c, 128)?;
            let Operand::Imm(code) = self.at(c.ex, 3)? else { return self.unsupported("shuffle code") };
            return Ok(shuffle_both(d, c.op.width, &a, &b, *code as u8));
        };
        let (a, code) = match c.op.form {
            Form::RMI => (self.load(d, st, self.tail(c.ex, 1)?, 128)?, self.at(c.ex, 6)?),
            _ => (self.read(d, st, self.at(c.ex, 1)?, 128)?, self.at(c.ex, 2)?),
        };
        let Operand::Imm(code) = code else { return self.unsupported("shuffle code") };
        Ok(kind.value(d, &a, *code as u8))
    }

    fn word_lane<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<D::Bv> {
        let a = self.read(d, st, self.at(c.ex, 1)?, 128)?;
        let lane = |code: &Operand| match code {
            Operand::Imm(code) => Ok((*code as u32 & 7) * 16),
            _ => self.unsupported("lane number"),
        };
        if c.op.sem == Sem::ExtractWord {
            let lo = lane(self.at(c.ex, 2)?)?;
            let word = d.extract(lo + 15, lo, &a);
            return Ok(d.zfit(&word, 32));
        }
        let (word, code) = match c.op.form {
            Form::RM => (self.load(d, st, self.tail(c.ex, 2)?, 16)?, self.at(c.ex, 7)?),
            _ => {
                let word = self.read(d, st, self.at(c.ex, 2)?, 32)?;
                (d.zfit(&word, 16), self.at(c.ex, 3)?)
            }
        };
        Ok(replace_bits(d, &a, &word, lane(code)?))
    }

    fn uninterpreted(&self) {
        self.assume(Assumption::FloatsByName);
    }

    /// Both inputs; a memory operand of 16 bytes must be aligned.
    fn vector_inputs<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        width: u32,
    ) -> Res<(D::Bv, D::Bv)> {
        let a = self.read(d, st, self.at(c.ex, 1)?, width)?;
        let b = self.vector_input(d, st, c, 2, width)?;
        Ok((a, b))
    }

    fn vector_input<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        i: usize,
        width: u32,
    ) -> Res<D::Bv> {
        match c.op.form {
            Form::RM => {
                if width == 128 {
                    self.check_aligned(d, st, self.tail(c.ex, i)?)?;
                }
                self.load(d, st, self.tail(c.ex, i)?, width)
            }
            _ => self.read(d, st, self.at(c.ex, i)?, width),
        }
    }
}
