//! Vector and floating-point instructions: operands in, what the processor computes of them, results out.

use super::ints::Current;
use super::table::{Form, Sem};
use super::{Res, State, X86};
use crate::assumption::Assumption;
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::x86::float::{self, Convert, Float};
use crate::x86::packed::{LaneShift, byte_shift, per_lane, signs, test_flags};
use crate::x86::rearrange::{Mix, blend_by, broadcast, by_halves, extend, permute, shift_each};
use crate::x86::regs::{PhysReg, Unit};
use crate::x86_mir::ast::Operand;

impl<O: NamedObjects> X86<'_, O> {
    pub(super) fn packed<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let vector = c.op.vector;
        let value = match c.op.sem {
            Sem::Packed(packed) => {
                let (a, b) = self.vector_inputs(d, st, c, vector)?;
                by_halves(d, &a, &b, |d, a, b| packed.value(d, a, b))
            }
            Sem::MovLow => {
                let (a, b) =
                    (self.read(d, st, self.at(c.ex, 1)?, 128)?, self.read(d, st, self.at(c.ex, 2)?, 128)?);
                let low = d.zfit(&b, c.op.width);
                let high = d.extract(127, c.op.width, &a);
                d.concat(&high, &low)
            }
            Sem::LaneShift(shift) => self.lane_shift(d, st, c, shift)?,
            Sem::ShiftEach(shift) => {
                let (a, counts) = self.vector_inputs(d, st, c, vector)?;
                shift_each(d, shift.operation(), c.op.width, &a, &counts)
            }
            Sem::ByteShift(left) => {
                let a = self.one_input(d, st, c)?;
                let n = self.code(c, c.ex.len().saturating_sub(1))?;
                by_halves(d, &a, &a, |d, a, _| byte_shift(d, a, n, left))
            }
            Sem::MoveMask => {
                let a = self.read(d, st, self.at(c.ex, 1)?, vector)?;
                signs(d, c.op.width, &a)
            }
            Sem::InsertLane => self.insert_lane(d, st, c)?,
            Sem::ExtractLane | Sem::ExtractHalf => return self.extract_lane(d, st, c),
            Sem::MovHalf(lo) => match c.op.form {
                Form::MR => {
                    let a = self.read(d, st, self.at(c.ex, 5)?, 128)?;
                    let half = d.extract(lo + 63, lo, &a);
                    return self.store(d, st, c.ex, &half);
                }
                _ => {
                    let a = self.read(d, st, self.at(c.ex, 1)?, 128)?;
                    let half = self.load(d, st, self.tail(c.ex, 2)?, 64)?;
                    replace_bits(d, &a, &half, lo)
                }
            },
            Sem::MaskedMove => return self.masked_move(d, st, c),
            Sem::TestVector => return self.test_vector(d, st, c),
            _ => self.rearranged(d, st, c)?,
        };
        self.write_fit(d, st, self.at(c.ex, 0)?, &value)
    }

    /// What moves lanes about.
    fn rearranged<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<D::Bv> {
        let (w, vector) = (c.op.width, c.op.vector);
        // The immediate comes last.
        let last = c.ex.len().saturating_sub(1);
        Ok(match c.op.sem {
            Sem::Arrange(arrange) => {
                let a = self.one_input(d, st, c)?;
                arrange.value(d, &a, self.code(c, last)?)
            }
            Sem::Mix(mix) => {
                let a = self.read(d, st, self.at(c.ex, 1)?, vector)?;
                let second = match (mix, c.op.form) {
                    (Mix::Insert(part), _) => part,
                    (Mix::InsertFloat, Form::RM) => 32,
                    _ => vector,
                };
                let b = self.vector_input(d, st, c, 2, second)?;
                mix.value(d, &a, &b, self.code(c, last)?)
            }
            Sem::Alone(alone) => {
                let a = self.vector_input(d, st, c, 1, vector)?;
                alone.value(d, &a)
            }
            Sem::Broadcast => {
                let lane = match c.op.form {
                    Form::RM => self.load(d, st, self.tail(c.ex, 1)?, w)?,
                    _ => {
                        let whole = self.read_whole(d, st, self.at(c.ex, 1)?)?;
                        d.zfit(&whole, w)
                    }
                };
                broadcast(d, &lane, vector)
            }
            Sem::Extend(from, signed) => {
                let bits = vector / w * from;
                let a = match c.op.form {
                    Form::RM => self.load(d, st, self.tail(c.ex, 1)?, bits)?,
                    _ => {
                        let whole = self.read_whole(d, st, self.at(c.ex, 1)?)?;
                        d.zfit(&whole, bits)
                    }
                };
                extend(d, (from, w), signed, &a)
            }
            Sem::BlendBy => {
                let (a, b) = self.vector_inputs(d, st, c, vector)?;
                let mask = match c.op.vex {
                    true => self.read(d, st, self.at(c.ex, last)?, vector)?,
                    false => self.read_phys(d, st, PhysReg { unit: Unit::Xmm(0), lo: 0, width: 128 })?,
                };
                blend_by(d, w, &a, &b, &mask)
            }
            Sem::Permute(all) => {
                let (first, second) = self.vector_inputs(d, st, c, vector)?;
                // Across all lanes the numbers are the first input, else the second.
                match all {
                    true => permute(d, w, all, &second, &first),
                    false => permute(d, w, all, &first, &second),
                }
            }
            _ => return self.unsupported("vector instruction"),
        })
    }

    /// An immediate of 8 bits.
    pub(super) fn code(&self, c: Current<'_>, i: usize) -> Res<u8> {
        match self.at(c.ex, i)? {
            Operand::Imm(code @ -128..=255) => Ok(*code as u8),
            _ => self.unsupported("immediate of a vector instruction"),
        }
    }

    /// The flags of a conjunction, or of its lanes' top bits: whether it is zero, and whether that with the first's complement
    /// is.
    fn test_vector<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let a = self.read(d, st, self.at(c.ex, 0)?, c.op.vector)?;
        let b = self.vector_input(d, st, c, 1, c.op.vector)?;
        let flags = test_flags(d, (c.op.width < 128).then_some(c.op.width), &a, &b);
        self.set_flags(st, c.inst, flags);
        Ok(())
    }

    pub(super) fn floating<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let (w, ex) = (c.op.width, c.ex);
        let value = match c.op.sem {
            Sem::Float(float) => {
                let (a, b) = self.vector_inputs(d, st, c, w)?;
                self.float(d, float, &a, &b)
            }
            Sem::FloatPacked(float) => {
                let (a, b) = self.vector_inputs(d, st, c, c.op.vector)?;
                per_lane(d, w, &a, &b, |d, x, y| self.float(d, float, x, y))
            }
            Sem::Hardware(hardware) => self.hardware(d, st, c, hardware)?,
            Sem::Sqrt => {
                let a = self.vector_input(d, st, c, self.only_input(c), w)?;
                self.uninterpreted();
                float::square_root(d, a)
            }
            Sem::SqrtPacked => {
                let a = self.vector_input(d, st, c, 1, c.op.vector)?;
                self.uninterpreted();
                per_lane(d, w, &a, &a, |d, x, _| float::square_root(d, x.clone()))
            }
            Sem::Round => {
                let i = self.only_input(c);
                let a = self.vector_input(d, st, c, i, w)?;
                let Some(operation) = float::rounding(w, self.code(c, ex.len().saturating_sub(1))?) else {
                    return self.unsupported("rounding mode");
                };
                self.uninterpreted();
                d.operation(&operation, &[a], w)
            }
            Sem::Fused(fused, packed) => {
                let width = if packed { c.op.vector } else { w };
                let a = self.read(d, st, self.at(ex, 1)?, width)?;
                let b = self.read(d, st, self.at(ex, 2)?, width)?;
                let x = self.vector_input(d, st, c, 3, width)?;
                self.uninterpreted();
                fused.lanes(d, w, [&a, &b, &x])
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
                let whole = if c.op.sem == Sem::FloatMask { w } else { c.op.vector };
                let (a, b) = self.vector_inputs(d, st, c, whole)?;
                let code = self.at(ex, ex.len().saturating_sub(1))?;
                let Operand::Imm(code) = code else { return self.unsupported("comparison code") };
                match float::masks(d, w, &a, &b, *code) {
                    Some(masks) => masks,
                    None => return self.unsupported("comparison code"),
                }
            }
            Sem::FromInt(from) => self.convert(d, st, c, (Convert::FromInt(from), w))?,
            Sem::ToInt(to) => self.convert(d, st, c, (Convert::ToInt(w), to))?,
            Sem::FromUnsigned(from) => self.convert(d, st, c, (Convert::FromUnsigned(from), w))?,
            Sem::ToUnsigned(to) => self.convert(d, st, c, (Convert::ToUnsigned(w), to))?,
            Sem::RoundToInt(to) => self.convert(d, st, c, (Convert::Nearest(w), to))?,
            Sem::FloatConvert(from) => self.convert(d, st, c, (Convert::Format(from), w))?,
            Sem::ConvertPacked(convert) => {
                // Where the results are wider, only the lower lanes are read, from memory only those.
                let from = convert.from();
                let a = self.vector_input(d, st, c, 1, c.op.vector / w.max(from) * from)?;
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
        // A conversion to an integer writes no vector register, so that no other gives it the bits above.
        let whole = matches!(convert, Convert::ToInt(_) | Convert::ToUnsigned(_) | Convert::Nearest(_));
        let i = if whole { 1 } else { self.only_input(c) };
        let a = self.vector_input(d, st, c, i, convert.from())?;
        self.uninterpreted();
        Ok(convert.value(d, to, a))
    }

    /// Where the input of a scalar operation is: AVX has before it the register that gives the bits above the result.
    fn only_input(&self, c: Current<'_>) -> usize {
        if c.op.vex { 2 } else { 1 }
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
        let a = self.one_input(d, st, c)?;
        let count = match c.op.form {
            Form::RI | Form::RMI => self.read(d, st, self.at(c.ex, c.ex.len().saturating_sub(1))?, 8)?,
            _ => {
                let count = self.vector_input(d, st, c, 2, 128)?;
                d.zfit(&count, 64)
            }
        };
        Ok(shift.value(d, c.op.width, &a, &count))
    }

    fn insert_lane<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<D::Bv> {
        let w = c.op.width;
        let a = self.read(d, st, self.at(c.ex, 1)?, 128)?;
        let (lane, code) = match c.op.form {
            Form::RM => (self.load(d, st, self.tail(c.ex, 2)?, w)?, self.code(c, 7)?),
            _ => {
                let lane = self.read(d, st, self.at(c.ex, 2)?, w.max(32))?;
                (d.zfit(&lane, w), self.code(c, 3)?)
            }
        };
        Ok(replace_bits(d, &a, &lane, u32::from(code) % (128 / w) * w))
    }

    fn extract_lane<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let (w, memory) = (c.op.width, c.op.form == Form::MR);
        let a = self.read(d, st, self.at(c.ex, if memory { 5 } else { 1 })?, c.op.vector)?;
        let code = self.code(c, if memory { 6 } else { 2 })?;
        let lo = u32::from(code) % (c.op.vector / w) * w;
        let lane = d.extract(lo + w - 1, lo, &a);
        if memory {
            return self.store(d, st, c.ex, &lane);
        }
        let target = self.at(c.ex, 0)?;
        let width = self.operand_width(target)?;
        let lane = d.zfit(&lane, width);
        self.write(d, st, target, &lane)
    }

    fn uninterpreted(&self) {
        self.assume(Assumption::FloatsByName);
    }

    /// Both inputs; a memory operand of 16 bytes must be aligned before AVX.
    pub(super) fn vector_inputs<D: Domain>(
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

    pub(super) fn vector_input<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        i: usize,
        width: u32,
    ) -> Res<D::Bv> {
        match c.op.form {
            Form::RM => self.vector_load(d, st, c, (i, width)),
            _ => self.read(d, st, self.at(c.ex, i)?, width),
        }
    }

    /// A register, as wide as it is.
    pub(super) fn read_whole<D: Domain>(&self, d: &mut D, st: &State<D>, operand: &Operand) -> Res<D::Bv> {
        self.read(d, st, operand, self.operand_width(operand)?)
    }

    /// A vector that an immediate comes behind: from memory where the form says so.
    pub(super) fn one_input<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<D::Bv> {
        match c.op.form {
            Form::RMI => self.vector_load(d, st, c, (1, c.op.vector)),
            _ => self.read(d, st, self.at(c.ex, 1)?, c.op.vector),
        }
    }

    /// A load of an operand at a place, of a width; one number stands for all lanes where the opcode says so.
    fn vector_load<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        (i, width): (usize, u32),
    ) -> Res<D::Bv> {
        if width == 128 && !c.op.vex {
            self.check_aligned(d, st, self.tail(c.ex, i)?, 16)?;
        }
        if let Some(spread) = c.op.evex.map(|evex| evex.spread).filter(|spread| *spread > 0) {
            let lane = self.load(d, st, self.tail(c.ex, i)?, spread)?;
            return Ok(broadcast(d, &lane, width));
        }
        self.load(d, st, self.tail(c.ex, i)?, width)
    }
}
