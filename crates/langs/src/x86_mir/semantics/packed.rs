//! Vector and floating-point instructions.

use super::table::{Convert, Float, Form, LaneShift, Opcode, Packed, Sem, Shuffle};
use super::{Each, Flags, Res, State, X86};
use crate::assumption::Assumption;
use crate::bits::{join, lanes, min_max};
use crate::domain::{BitOp, CmpOp, Domain, Ext};
use crate::llvm_ir::ast::FloatPred;
use crate::llvm_ir::semantics::float_compare;
use crate::operation::{Arithmetic, Conversion, Format, Operation};
use crate::x86_mir::ast::{MachineInst, Operand};

fn format(width: u32) -> Format {
    if width == 32 { Format::F32 } else { Format::F64 }
}

impl X86<'_> {
    pub(super) fn packed<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        op: Opcode,
        ex: &[&Operand],
    ) -> Res<()> {
        let w = op.width;
        let result = self.at(ex, 0)?;
        let value = match op.sem {
            Sem::Packed(packed) => {
                let (a, b) = self.vector_inputs(d, st, op, ex, 128)?;
                packed_value(d, packed, &a, &b)
            }
            Sem::Float(float) => {
                let (a, b) = self.vector_inputs(d, st, op, ex, w)?;
                self.float(d, float, w, &a, &b)
            }
            Sem::FloatPacked(float) => {
                let (a, b) = self.vector_inputs(d, st, op, ex, 128)?;
                let (xs, ys) = (lanes(d, &a, w), lanes(d, &b, w));
                let out: Vec<D::Bv> =
                    xs.iter().zip(&ys).map(|(x, y)| self.float(d, float, w, x, y)).collect();
                join(d, &out)
            }
            Sem::Sqrt => {
                let a = self.vector_input(d, st, op, ex, 1, w)?;
                self.uninterpreted();
                d.operation(&Operation::SquareRoot(format(w)), &[a], w)
            }
            Sem::FloatFlags => {
                let a = self.read(d, st, result, w)?;
                let b = match op.form {
                    Form::RM => self.load(d, st, self.tail(ex, 1)?, w)?,
                    _ => self.read(d, st, self.at(ex, 1)?, w)?,
                };
                let kind = format(w);
                let unordered = float_compare(d, FloatPred::Uno, kind, &a, &b);
                let less = float_compare(d, FloatPred::Ult, kind, &a, &b);
                let equal = float_compare(d, FloatPred::Ueq, kind, &a, &b);
                let no = d.bool(false);
                let each = Each {
                    carry: Some(less),
                    parity: Some(unordered),
                    zero: Some(equal),
                    sign: Some(no.clone()),
                    overflow: Some(no),
                };
                self.set_flags(st, inst, Flags::Each(Box::new(each)));
                return Ok(());
            }
            Sem::FloatMask | Sem::FloatMasks => {
                let whole = if op.sem == Sem::FloatMask { w } else { 128 };
                let (a, b) = self.vector_inputs(d, st, op, ex, whole)?;
                let code = self.at(ex, if op.form == Form::RM { 7 } else { 3 })?;
                let Operand::Imm(code) = code else { return self.unsupported("comparison code") };
                let pred = match code {
                    0 => FloatPred::Oeq,
                    1 => FloatPred::Olt,
                    2 => FloatPred::Ole,
                    3 => FloatPred::Uno,
                    4 => FloatPred::Une,
                    5 => FloatPred::Uge,
                    6 => FloatPred::Ugt,
                    7 => FloatPred::Ord,
                    _ => return self.unsupported("comparison code"),
                };
                let (xs, ys) = (lanes(d, &a, w), lanes(d, &b, w));
                let out: Vec<D::Bv> = xs
                    .iter()
                    .zip(&ys)
                    .map(|(x, y)| {
                        let holds = float_compare(d, pred, format(w), x, y);
                        mask(d, &holds, w)
                    })
                    .collect();
                join(d, &out)
            }
            Sem::FromInt(from) => {
                let a = self.vector_input(d, st, op, ex, 1, from)?;
                self.uninterpreted();
                let conversion = Conversion::FromInt { signed: true, bits: from, to: format(w) };
                d.operation(&Operation::Convert(conversion), &[a], w)
            }
            Sem::ToInt(to) => {
                let a = self.vector_input(d, st, op, ex, 1, w)?;
                self.uninterpreted();
                let conversion = Conversion::ToInt { from: format(w), signed: true, bits: to };
                d.operation(&Operation::Convert(conversion), &[a], to)
            }
            Sem::FloatConvert(from) => {
                let a = self.vector_input(d, st, op, ex, 1, from)?;
                self.uninterpreted();
                let conversion = Conversion::Format { from: format(from), to: format(w) };
                d.operation(&Operation::Convert(conversion), &[a], w)
            }
            Sem::ConvertPacked(convert) => self.convert_packed(d, st, op, convert, ex)?,
            Sem::MovLow => {
                let (a, b) =
                    (self.read(d, st, self.at(ex, 1)?, 128)?, self.read(d, st, self.at(ex, 2)?, 128)?);
                let low = d.zfit(&b, w);
                let high = d.extract(127, w, &a);
                d.concat(&high, &low)
            }
            Sem::LaneShift(shift) => {
                let a = self.read(d, st, self.at(ex, 1)?, 128)?;
                let count = match op.form {
                    Form::RI => self.read(d, st, self.at(ex, 2)?, 8)?,
                    _ => {
                        let count = self.read(d, st, self.at(ex, 2)?, 128)?;
                        d.zfit(&count, 64)
                    }
                };
                lane_shift(d, shift, w, &a, &count)
            }
            Sem::ByteShift(left) => {
                let a = self.read(d, st, self.at(ex, 1)?, 128)?;
                let Operand::Imm(n) = self.at(ex, 2)? else { return self.unsupported("byte shift") };
                let amount = d.num(128, (*n as u8).min(16) as u128 * 8);
                d.bin(if left { BitOp::Shl } else { BitOp::Lshr }, &a, &amount)
            }
            Sem::Shuffle(kind) => {
                let (a, code) = match op.form {
                    Form::RMI => (self.load(d, st, self.tail(ex, 1)?, 128)?, self.at(ex, 6)?),
                    _ => (self.read(d, st, self.at(ex, 1)?, 128)?, self.at(ex, 2)?),
                };
                let Operand::Imm(code) = code else { return self.unsupported("shuffle code") };
                shuffle(d, kind, &a, *code as u8)
            }
            Sem::ShuffleFloat => {
                let (a, b) = self.vector_inputs(d, st, op, ex, 128)?;
                let Operand::Imm(code) = self.at(ex, 3)? else { return self.unsupported("shuffle code") };
                let (xs, ys) = (lanes(d, &a, w), lanes(d, &b, w));
                let code = *code as usize;
                let out = if w == 32 {
                    [&xs[code & 3], &xs[code >> 2 & 3], &ys[code >> 4 & 3], &ys[code >> 6 & 3]]
                        .map(Clone::clone)
                        .to_vec()
                } else {
                    [&xs[code & 1], &ys[code >> 1 & 1]].map(Clone::clone).to_vec()
                };
                join(d, &out)
            }
            Sem::InsertWord => {
                let a = self.read(d, st, self.at(ex, 1)?, 128)?;
                let (word, code) = match op.form {
                    Form::RM => (self.load(d, st, self.tail(ex, 2)?, 16)?, self.at(ex, 7)?),
                    _ => {
                        let word = self.read(d, st, self.at(ex, 2)?, 32)?;
                        (d.zfit(&word, 16), self.at(ex, 3)?)
                    }
                };
                let Operand::Imm(code) = code else { return self.unsupported("lane number") };
                crate::cells::replace_bits(d, &a, &word, (*code as u32 & 7) * 16)
            }
            Sem::ExtractWord => {
                let a = self.read(d, st, self.at(ex, 1)?, 128)?;
                let Operand::Imm(code) = self.at(ex, 2)? else { return self.unsupported("lane number") };
                let lo = (*code as u32 & 7) * 16;
                let word = d.extract(lo + 15, lo, &a);
                d.zfit(&word, 32)
            }
            Sem::MoveMask => {
                let a = self.read(d, st, self.at(ex, 1)?, 128)?;
                let signs: Vec<D::Bv> =
                    lanes(d, &a, w).iter().map(|lane| d.extract(w - 1, w - 1, lane)).collect();
                let mask = join(d, &signs);
                d.zfit(&mask, 32)
            }
            _ => return self.unsupported("vector instruction"),
        };
        self.write_fit(d, st, result, &value)
    }

    fn uninterpreted(&self) {
        self.assume(Assumption::FloatsByName);
    }

    /// Both inputs; a memory operand of 16 bytes must be aligned.
    fn vector_inputs<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        op: Opcode,
        ex: &[&Operand],
        width: u32,
    ) -> Res<(D::Bv, D::Bv)> {
        let a = self.read(d, st, self.at(ex, 1)?, width)?;
        let b = self.vector_input(d, st, op, ex, 2, width)?;
        Ok((a, b))
    }

    fn vector_input<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        op: Opcode,
        ex: &[&Operand],
        i: usize,
        width: u32,
    ) -> Res<D::Bv> {
        match op.form {
            Form::RM => {
                if width == 128 {
                    self.check_aligned(d, st, self.tail(ex, i)?)?;
                }
                self.load(d, st, self.tail(ex, i)?, width)
            }
            _ => self.read(d, st, self.at(ex, i)?, width),
        }
    }

    /// Lanes converted one by one. Where the results are wider, only the lower lanes are read, from memory only those;
    /// where they are narrower, zeros lie above them.
    fn convert_packed<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        op: Opcode,
        convert: Convert,
        ex: &[&Operand],
    ) -> Res<D::Bv> {
        let w = op.width;
        let (from, conversion) = match convert {
            Convert::FromInt => (32, Conversion::FromInt { signed: true, bits: 32, to: format(w) }),
            Convert::ToInt(from) => (from, Conversion::ToInt { from: format(from), signed: true, bits: 32 }),
            Convert::Format(from) => (from, Conversion::Format { from: format(from), to: format(w) }),
        };
        let count = 128 / w.max(from);
        let a = self.vector_input(d, st, op, ex, 1, count * from)?;
        self.uninterpreted();
        let mut out = Vec::new();
        for lane in lanes(d, &a, from) {
            out.push(d.operation(&Operation::Convert(conversion), &[lane], w));
        }
        let value = join(d, &out);
        Ok(d.zfit(&value, 128))
    }

    fn float<D: Domain>(&self, d: &mut D, float: Float, w: u32, a: &D::Bv, b: &D::Bv) -> D::Bv {
        let arithmetic = match float {
            Float::Add => Arithmetic::Add,
            Float::Sub => Arithmetic::Sub,
            Float::Mul => Arithmetic::Mul,
            Float::Div => Arithmetic::Div,
            Float::Min => {
                let less = float_compare(d, FloatPred::Olt, format(w), a, b);
                return d.ite(&less, a, b);
            }
            Float::Max => {
                let more = float_compare(d, FloatPred::Ogt, format(w), a, b);
                return d.ite(&more, a, b);
            }
        };
        self.uninterpreted();
        d.float_arithmetic(arithmetic, format(w), a, b)
    }
}

fn mask<D: Domain>(d: &mut D, c: &D::Bool, w: u32) -> D::Bv {
    let (ones, zero) = (d.signed(w, -1), d.num(w, 0));
    d.ite(c, &ones, &zero)
}

fn per_lane<D: Domain>(
    d: &mut D,
    w: u32,
    a: &D::Bv,
    b: &D::Bv,
    mut f: impl FnMut(&mut D, &D::Bv, &D::Bv) -> D::Bv,
) -> D::Bv {
    let (xs, ys) = (lanes(d, a, w), lanes(d, b, w));
    let out: Vec<D::Bv> = xs.iter().zip(&ys).map(|(x, y)| f(d, x, y)).collect();
    join(d, &out)
}

fn packed_value<D: Domain>(d: &mut D, packed: Packed, a: &D::Bv, b: &D::Bv) -> D::Bv {
    match packed {
        Packed::And => d.bin(BitOp::And, a, b),
        Packed::Or => d.bin(BitOp::Or, a, b),
        Packed::Xor => d.bin(BitOp::Xor, a, b),
        Packed::Andn => {
            let a = d.bv_not(a);
            d.bin(BitOp::And, &a, b)
        }
        Packed::Add(w) => per_lane(d, w, a, b, |d, x, y| d.add(x, y)),
        Packed::Sub(w) => per_lane(d, w, a, b, |d, x, y| d.sub(x, y)),
        Packed::MulLow(w) => per_lane(d, w, a, b, |d, x, y| d.mul(x, y)),
        Packed::MulHigh(w) => per_lane(d, w, a, b, |d, x, y| {
            let (x, y) = (d.sfit(x, 2 * w), d.sfit(y, 2 * w));
            let product = d.mul(&x, &y);
            d.extract(2 * w - 1, w, &product)
        }),
        Packed::MulHighU(w) => per_lane(d, w, a, b, |d, x, y| {
            let (x, y) = (d.zfit(x, 2 * w), d.zfit(y, 2 * w));
            let product = d.mul(&x, &y);
            d.extract(2 * w - 1, w, &product)
        }),
        Packed::MulEven => per_lane(d, 64, a, b, |d, x, y| {
            let (x, y) = (d.zfit(x, 32), d.zfit(y, 32));
            let (x, y) = (d.zfit(&x, 64), d.zfit(&y, 64));
            d.mul(&x, &y)
        }),
        Packed::MulAddWords => per_lane(d, 32, a, b, |d, x, y| {
            let half = |d: &mut D, v: &D::Bv, lo: u32| {
                let part = d.extract(lo + 15, lo, v);
                d.sfit(&part, 32)
            };
            let (x0, y0, x1, y1) = (half(d, x, 0), half(d, y, 0), half(d, x, 16), half(d, y, 16));
            let (p, q) = (d.mul(&x0, &y0), d.mul(&x1, &y1));
            d.add(&p, &q)
        }),
        Packed::CmpEq(w) => per_lane(d, w, a, b, |d, x, y| {
            let c = d.eq(x, y);
            mask(d, &c, w)
        }),
        Packed::CmpGt(w) => per_lane(d, w, a, b, |d, x, y| {
            let c = d.cmp(CmpOp::Slt, y, x);
            mask(d, &c, w)
        }),
        Packed::MinMax(w, signed, max) => per_lane(d, w, a, b, |d, x, y| min_max(d, x, y, signed, max)),
        Packed::Saturating(w, signed, minus) => per_lane(d, w, a, b, |d, x, y| {
            let op = if minus { BitOp::Sub } else { BitOp::Add };
            let wide = w + 2;
            let (x, y) =
                if signed { (d.sfit(x, wide), d.sfit(y, wide)) } else { (d.zfit(x, wide), d.zfit(y, wide)) };
            let exact = d.bin(op, &x, &y);
            clamp(d, &exact, w, signed)
        }),
        Packed::Average(w) => per_lane(d, w, a, b, |d, x, y| {
            let (x, y) = (d.zfit(x, w + 1), d.zfit(y, w + 1));
            let sum = d.add(&x, &y);
            let sum = d.add_num(&sum, 1);
            d.extract(w, 1, &sum)
        }),
        Packed::UnpackLow(w) | Packed::UnpackHigh(w) => {
            let (xs, ys) = (lanes(d, a, w), lanes(d, b, w));
            let half = xs.len() / 2;
            let first = if matches!(packed, Packed::UnpackLow(_)) { 0 } else { half };
            let out: Vec<D::Bv> =
                (first..first + half).flat_map(|i| [xs[i].clone(), ys[i].clone()]).collect();
            join(d, &out)
        }
        Packed::Pack(w, signed) => {
            let mut all = lanes(d, a, w);
            all.extend(lanes(d, b, w));
            let out: Vec<D::Bv> = all
                .iter()
                .map(|x| {
                    let wide = d.sfit(x, w + 1);
                    clamp(d, &wide, w / 2, signed)
                })
                .collect();
            join(d, &out)
        }
    }
}

/// The nearest value of a width to a signed number of a larger one.
fn clamp<D: Domain>(d: &mut D, exact: &D::Bv, w: u32, signed: bool) -> D::Bv {
    let wide = d.width(exact);
    let (low, high) = if signed {
        (d.signed(wide, -(1i128 << (w - 1))), d.signed(wide, (1i128 << (w - 1)) - 1))
    } else {
        (d.num(wide, 0), d.num(wide, (1u128 << w) - 1))
    };
    let under = d.cmp(CmpOp::Slt, exact, &low);
    let over = d.cmp(CmpOp::Slt, &high, exact);
    let value = d.ite(&over, &high, exact);
    let value = d.ite(&under, &low, &value);
    d.zfit(&value, w)
}

fn lane_shift<D: Domain>(d: &mut D, shift: LaneShift, w: u32, a: &D::Bv, count: &D::Bv) -> D::Bv {
    // Counts beyond the lane give zeros or signs, as the domain's shifts do, but must not be cut first.
    let width = d.width(count);
    let limit = d.num(width, u128::from(w.min(255)));
    let far = d.cmp(CmpOp::Ult, &limit, count);
    let count = d.ite(&far, &limit, count);
    let count = d.zfit(&count, w);
    let op = match shift {
        LaneShift::Left => BitOp::Shl,
        LaneShift::Right => BitOp::Lshr,
        LaneShift::Arith => BitOp::Ashr,
    };
    let out: Vec<D::Bv> = lanes(d, a, w).iter().map(|lane| d.bin(op, lane, &count)).collect();
    join(d, &out)
}

fn shuffle<D: Domain>(d: &mut D, kind: Shuffle, a: &D::Bv, code: u8) -> D::Bv {
    let pick = |i: usize| (code >> (2 * i) & 3) as usize;
    let out: Vec<D::Bv> = match kind {
        Shuffle::Dwords => {
            let xs = lanes(d, a, 32);
            (0..4).map(|i| xs[pick(i)].clone()).collect()
        }
        Shuffle::LowWords => {
            let xs = lanes(d, a, 16);
            (0..8).map(|i| xs[if i < 4 { pick(i) } else { i }].clone()).collect()
        }
        Shuffle::HighWords => {
            let xs = lanes(d, a, 16);
            (0..8).map(|i| xs[if i < 4 { i } else { 4 + pick(i - 4) }].clone()).collect()
        }
    };
    join(d, &out)
}
