//! Instructions on vectors of 128 bits and on floating-point numbers.

use super::super::state::{Code, Machine};
use super::table::Op;
use super::uses::forgets;
use crate::bits::{join, lanes, replace_bits};
use crate::domain::{Domain, Ext, Res};
use crate::x86::float::{self, Convert, Float};
use crate::x86::packed::{Packed, byte_shift, per_lane, shuffle_both, signs};
use iced_x86::{Mnemonic, OpKind, Register};

impl Code<'_> {
    pub(super) fn vector<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        let wide = (0..ins.op_count()).any(|n| {
            ins.op_kind(n) == OpKind::Register && (ins.op_register(n).is_ymm() || ins.op_register(n).is_mm())
        });
        if wide {
            return Err(self.f.unsupported(i, "vectors of other widths than 128 bits"));
        }
        match op {
            Op::MovLane(w) => self.move_lane(d, m, i, w),
            Op::MovBits(w) => self.move_bits(d, m, i, w),
            Op::MovHigh | Op::MovLow | Op::LowToHigh | Op::HighToLow => self.move_half(d, m, i, op),
            Op::Packed(packed) => self.packed(d, m, i, packed),
            Op::LaneShift(..)
            | Op::ByteShift(_)
            | Op::Shuffle(_)
            | Op::ShuffleBoth(_)
            | Op::Signs(_)
            | Op::Insert(_)
            | Op::Extract(_)
            | Op::Extend(..) => self.rearrange(d, m, i, op),
            Op::Float(..) | Op::FloatPacked(..) | Op::Sqrt(_) | Op::FloatCompare(_) | Op::FloatMasks(..) => {
                self.float(d, m, i, op)
            }
            Op::Convert(..) | Op::FromInt(_) | Op::ToInt(_) | Op::ConvertLanes(..) => {
                self.convert(d, m, i, op)
            }
            _ => Err(self.f.unsupported(i, "this form of the instruction")),
        }
    }

    fn move_lane<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: u32) -> Res<()> {
        let ins = self.f.insns[i].x86();
        match (ins.op0_kind(), ins.op1_kind()) {
            (OpKind::Register, OpKind::Register) => {
                let (a, b) = (self.operand(d, m, (i, 0), 128)?, self.operand(d, m, (i, 1), w)?);
                let value = replace_bits(d, &a, &b, 0);
                self.put(d, m, (i, 0), &value)
            }
            (OpKind::Register, _) => {
                let low = self.load(d, m, i, w)?;
                let value = d.zfit(&low, 128);
                self.put(d, m, (i, 0), &value)
            }
            _ => {
                let low = self.operand(d, m, (i, 1), w)?;
                self.store(d, m, i, &low)
            }
        }
    }

    fn move_bits<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: u32) -> Res<()> {
        let ins = self.f.insns[i].x86();
        // `movd` with a register of 64 bits is `movq` by another name.
        let general = |n: u32| ins.op_kind(n) == OpKind::Register && ins.op_register(n).is_gpr64();
        let w = if general(0) || general(1) { 64 } else { w };
        let value = self.operand(d, m, (i, 1), w)?;
        match ins.op0_kind() {
            OpKind::Memory => self.store(d, m, i, &value),
            _ => {
                let value = if ins.op0_register().is_xmm() { d.zfit(&value, 128) } else { value };
                self.put(d, m, (i, 0), &value)
            }
        }
    }

    fn move_half<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let ins = self.f.insns[i].x86();
        if ins.op0_kind() == OpKind::Memory {
            let all = self.operand(d, m, (i, 1), 128)?;
            let half = if op == Op::MovHigh { d.extract(127, 64, &all) } else { d.zfit(&all, 64) };
            return self.store(d, m, i, &half);
        }
        let old = self.operand(d, m, (i, 0), 128)?;
        let (half, place) = match op {
            Op::MovHigh => (self.load(d, m, i, 64)?, 64),
            Op::MovLow => (self.load(d, m, i, 64)?, 0),
            Op::LowToHigh => (self.operand(d, m, (i, 1), 64)?, 64),
            _ => {
                let other = self.operand(d, m, (i, 1), 128)?;
                (d.extract(127, 64, &other), 0)
            }
        };
        let value = replace_bits(d, &old, &half, place);
        self.put(d, m, (i, 0), &value)
    }

    fn packed<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, packed: Packed) -> Res<()> {
        let insn = &self.f.insns[i];
        if forgets(insn) {
            let zero = d.num(128, 0);
            let value = match insn.x86().mnemonic() {
                Mnemonic::Pcmpeqb | Mnemonic::Pcmpeqw | Mnemonic::Pcmpeqd => d.bv_not(&zero),
                _ => zero,
            };
            return self.put(d, m, (i, 0), &value);
        }
        let (a, b) = (self.operand(d, m, (i, 0), 128)?, self.operand(d, m, (i, 1), 128)?);
        let value = packed.value(d, &a, &b);
        self.put(d, m, (i, 0), &value)
    }

    fn code(&self, i: usize, op: u32) -> Res<u8> {
        let number = self.f.insns[i].x86().try_immediate(op).ok();
        number.map(|n| n as u8).ok_or_else(|| self.f.unsupported(i, "a shuffle by a register"))
    }

    fn rearrange<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let ins = self.f.insns[i].x86();
        let value = match op {
            Op::LaneShift(shift, w) => {
                let a = self.operand(d, m, (i, 0), 128)?;
                let count = match ins.op1_kind() {
                    OpKind::Register | OpKind::Memory => {
                        let all = self.operand(d, m, (i, 1), 128)?;
                        d.zfit(&all, 64)
                    }
                    _ => self.operand(d, m, (i, 1), 8)?,
                };
                shift.value(d, w, &a, &count)
            }
            Op::ByteShift(left) => {
                let a = self.operand(d, m, (i, 0), 128)?;
                byte_shift(d, &a, self.code(i, 1)?, left)
            }
            Op::Shuffle(shuffle) => {
                let a = self.operand(d, m, (i, 1), 128)?;
                shuffle.value(d, &a, self.code(i, 2)?)
            }
            Op::ShuffleBoth(w) => {
                let (a, b) = (self.operand(d, m, (i, 0), 128)?, self.operand(d, m, (i, 1), 128)?);
                shuffle_both(d, w, &a, &b, self.code(i, 2)?)
            }
            Op::Signs(w) => {
                let a = self.operand(d, m, (i, 1), 128)?;
                signs(d, w, &a)
            }
            Op::Insert(w) => {
                let old = self.operand(d, m, (i, 0), 128)?;
                let lane = self.operand(d, m, (i, 1), w)?;
                let place = u32::from(self.code(i, 2)?) % (128 / w) * w;
                replace_bits(d, &old, &lane, place)
            }
            Op::Extract(w) => {
                let a = self.operand(d, m, (i, 1), 128)?;
                let place = u32::from(self.code(i, 2)?) % (128 / w) * w;
                let lane = d.extract(place + w - 1, place, &a);
                if ins.op0_kind() == OpKind::Memory {
                    return self.store(d, m, i, &lane);
                }
                let width = self.bits(&self.f.insns[i], 0);
                d.zfit(&lane, width)
            }
            Op::Extend(from, to, signed) => {
                let a = self.operand(d, m, (i, 1), 128 / to * from)?;
                let out: Vec<D::Bv> = lanes(d, &a, from)
                    .iter()
                    .map(|lane| if signed { d.sfit(lane, to) } else { d.zfit(lane, to) })
                    .collect();
                join(d, &out)
            }
            _ => return Err(self.f.unsupported(i, "this form of the instruction")),
        };
        self.put(d, m, (i, 0), &value)
    }

    fn float<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let value = match op {
            Op::Float(float, w) => {
                let old = self.operand(d, m, (i, 0), 128)?;
                let (a, b) = (d.zfit(&old, w), self.operand(d, m, (i, 1), w)?);
                let value = float.value(d, &a, &b);
                replace_bits(d, &old, &value, 0)
            }
            Op::FloatPacked(float, w) => {
                let (a, b) = (self.operand(d, m, (i, 0), 128)?, self.operand(d, m, (i, 1), 128)?);
                per_lane(d, w, &a, &b, |d, x, y| Float::value(float, d, x, y))
            }
            Op::Sqrt(w) => {
                let old = self.operand(d, m, (i, 0), 128)?;
                let a = self.operand(d, m, (i, 1), w)?;
                let value = float::square_root(d, a);
                replace_bits(d, &old, &value, 0)
            }
            Op::FloatCompare(w) => {
                let (a, b) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
                m.flags = float::compare(d, &a, &b);
                return Ok(());
            }
            Op::FloatMasks(w, all) => {
                let width = if all { 128 } else { w };
                let old = self.operand(d, m, (i, 0), 128)?;
                let (a, b) = (d.zfit(&old, width), self.operand(d, m, (i, 1), width)?);
                let code = i64::from(self.code(i, 2)?);
                // With two operands there are eight comparisons.
                let masks = if code < 8 { float::masks(d, w, &a, &b, code) } else { None };
                let Some(masks) = masks else {
                    return Err(self.f.unsupported(i, "a comparison of this number"));
                };
                replace_bits(d, &old, &masks, 0)
            }
            _ => return Err(self.f.unsupported(i, "this form of the instruction")),
        };
        self.put(d, m, (i, 0), &value)
    }

    fn convert<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let insn = &self.f.insns[i];
        let value = match op {
            Op::Convert(convert, to) => {
                let old = self.operand(d, m, (i, 0), 128)?;
                let a = self.operand(d, m, (i, 1), convert.from())?;
                let value = convert.value(d, to, a);
                replace_bits(d, &old, &value, 0)
            }
            Op::FromInt(to) => {
                let old = self.operand(d, m, (i, 0), 128)?;
                let from = self.bits(insn, 1);
                let a = self.operand(d, m, (i, 1), from)?;
                let value = Convert::FromInt(from).value(d, to, a);
                replace_bits(d, &old, &value, 0)
            }
            Op::ToInt(from) => {
                let to = self.bits(insn, 0);
                let a = self.operand(d, m, (i, 1), from)?;
                Convert::ToInt(from).value(d, to, a)
            }
            Op::ConvertLanes(convert, to) => {
                let lanes = 128 / to.max(convert.from());
                let a = self.operand(d, m, (i, 1), lanes * convert.from())?;
                convert.lanes(d, to, &a)
            }
            _ => return Err(self.f.unsupported(i, "this form of the instruction")),
        };
        debug_assert!(insn.x86().op0_register() != Register::None);
        self.put(d, m, (i, 0), &value)
    }
}
