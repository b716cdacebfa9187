//! Instructions on vectors of 128 and 256 bits and on floating-point numbers.

use super::super::state::{Code, Machine};
use super::table::Op;
use super::uses::forgets;
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext, Res};
use crate::x86::float::{self, Convert, Float};
use crate::x86::packed::{Packed, Shuffle, byte_shift, per_lane, signs, test_flags};
use crate::x86::rearrange::{Arrange, Mix, blend_by, broadcast, by_halves, extend, permute, shift_each};
use iced_x86::{EncodingKind, Instruction, Mnemonic, OpKind, Register, RoundingControl};

/// Where the operands of an instruction are: AVX names the first source apart from the result, SSE takes the result for it.
struct Sources {
    first: u32,
    second: u32,
    /// What is behind them: an immediate, or a third source.
    last: u32,
}

/// The sources of an instruction that has two beside what comes `behind` them.
fn sources(ins: &Instruction, behind: u32) -> Sources {
    let first = ins.op_count().saturating_sub(behind).saturating_sub(2);
    Sources { first, second: first + 1, last: first + 2 }
}

/// Bits of a register operand; none of what is no register.
fn register_bits(ins: &Instruction, op: u32) -> u32 {
    if ins.op_kind(op) == OpKind::Register { ins.op_register(op).size() as u32 * 8 } else { 0 }
}

/// What of an instruction's encoding is not modelled.
pub(super) fn unmodelled(ins: &Instruction) -> Option<&'static str> {
    let registers = (0..ins.op_count()).filter(|n| ins.op_kind(*n) == OpKind::Register);
    let mut registers = registers.map(|n| ins.op_register(n));
    match () {
        () if ins.has_op_mask() || ins.is_broadcast() || ins.rounding_control() != RoundingControl::None => {
            Some("a mask, a broadcast or a rounding mode of AVX-512")
        }
        () if registers.any(|r| r.is_mm() || r.is_zmm() || r.is_k() || r.is_st()) => {
            Some("registers other than vectors of 128 and 256 bits")
        }
        () => None,
    }
}

impl Code<'_> {
    pub(super) fn vector<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        if let Some(what) = unmodelled(self.f.insns[i].x86()) {
            return Err(self.f.unsupported(i, what));
        }
        match op {
            Op::MovLane(w) => self.move_lane(d, m, i, w),
            Op::MovBits(w) => self.move_bits(d, m, i, w),
            Op::MovHigh | Op::MovLow | Op::LowToHigh | Op::HighToLow => self.move_half(d, m, i, op),
            Op::Packed(packed) => self.packed(d, m, i, packed),
            Op::LaneShift(..)
            | Op::ByteShift(_)
            | Op::ShiftEach(..)
            | Op::Arrange(_)
            | Op::Mix(_)
            | Op::Alone(_)
            | Op::Broadcast(_)
            | Op::BlendBy(_)
            | Op::Permute(..)
            | Op::Signs(_)
            | Op::Insert(_)
            | Op::Extend(..) => {
                let value = self.rearrange(d, m, i, op)?;
                self.put(d, m, (i, 0), &value)
            }
            Op::Extract(_) | Op::ExtractHalf => self.extract(d, m, i, op),
            Op::TestVector(w) => self.test_vector(d, m, i, w),
            Op::ClearVectors(all) => {
                self.clear_vectors(d, m, all);
                Ok(())
            }
            Op::Float(..)
            | Op::FloatPacked(..)
            | Op::Sqrt(_)
            | Op::SqrtPacked(_)
            | Op::Fused(..)
            | Op::FloatCompare(_)
            | Op::FloatMasks(..)
            | Op::Hardware(..) => self.float(d, m, i, op),
            Op::Convert(..) | Op::FromInt(_) | Op::ToInt(_) | Op::ConvertLanes(..) => {
                self.convert(d, m, i, op)
            }
            _ => Err(self.f.unsupported(i, "this form of the instruction")),
        }
    }

    /// Zeros in the upper halves of all vectors of 256 bits, or in all of them.
    fn clear_vectors<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, all: bool) {
        let zero = d.num(128, 0);
        let first = self.f.abi.general;
        for n in (0..16).map(|n| first + n) {
            m.registers[self.f.abi.upper(n)] = Some(zero.clone());
            if all {
                m.registers[n] = Some(zero.clone());
            }
        }
    }

    fn move_lane<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: u32) -> Res<()> {
        let ins = self.f.insns[i].x86();
        let memory = (0..ins.op_count()).any(|n| ins.op_kind(n) == OpKind::Memory);
        match (ins.op0_kind(), memory) {
            (OpKind::Register, false) => {
                let from = sources(ins, 0);
                let (a, b) =
                    (self.operand(d, m, (i, from.first), 128)?, self.operand(d, m, (i, from.second), w)?);
                let value = replace_bits(d, &a, &b, 0);
                self.put(d, m, (i, 0), &value)
            }
            (OpKind::Register, true) => {
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
        let from = sources(ins, 0);
        let old = self.operand(d, m, (i, from.first), 128)?;
        let (half, place) = match op {
            Op::MovHigh => (self.load(d, m, i, 64)?, 64),
            Op::MovLow => (self.load(d, m, i, 64)?, 0),
            Op::LowToHigh => (self.operand(d, m, (i, from.second), 64)?, 64),
            _ => {
                let other = self.operand(d, m, (i, from.second), 128)?;
                (d.extract(127, 64, &other), 0)
            }
        };
        let value = replace_bits(d, &old, &half, place);
        self.put(d, m, (i, 0), &value)
    }

    fn packed<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, packed: Packed) -> Res<()> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        let width = register_bits(ins, 0);
        if forgets(insn) {
            let zero = d.num(width, 0);
            let ones = matches!(
                ins.mnemonic(),
                Mnemonic::Pcmpeqb
                    | Mnemonic::Pcmpeqw
                    | Mnemonic::Pcmpeqd
                    | Mnemonic::Vpcmpeqb
                    | Mnemonic::Vpcmpeqw
                    | Mnemonic::Vpcmpeqd
            );
            let value = if ones { d.bv_not(&zero) } else { zero };
            return self.put(d, m, (i, 0), &value);
        }
        let from = sources(ins, 0);
        let a = self.operand(d, m, (i, from.first), width)?;
        let b = self.operand(d, m, (i, from.second), width)?;
        let value = by_halves(d, &a, &b, |d, a, b| packed.value(d, a, b));
        self.put(d, m, (i, 0), &value)
    }

    /// The immediate of an instruction; none where a register tells.
    fn code(&self, i: usize, op: u32) -> Res<u8> {
        let ins = self.f.insns[i].x86();
        let number = if op < ins.op_count() { ins.try_immediate(op).ok() } else { None };
        number.map(|n| n as u8).ok_or_else(|| self.f.unsupported(i, "a shuffle by a register"))
    }

    fn rearrange<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<D::Bv> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        let width = register_bits(ins, 0);
        Ok(match op {
            Op::LaneShift(shift, w) => {
                let from = sources(ins, 0);
                let a = self.operand(d, m, (i, from.first), width)?;
                let count = match ins.op_kind(from.second) {
                    OpKind::Register | OpKind::Memory => {
                        let all = self.operand(d, m, (i, from.second), 128)?;
                        d.zfit(&all, 64)
                    }
                    _ => self.operand(d, m, (i, from.second), 8)?,
                };
                shift.value(d, w, &a, &count)
            }
            Op::ByteShift(left) => {
                let from = sources(ins, 0);
                let a = self.operand(d, m, (i, from.first), width)?;
                let bytes = self.code(i, from.second)?;
                by_halves(d, &a, &a, |d, a, _| byte_shift(d, a, bytes, left))
            }
            Op::ShiftEach(shift, w) => {
                let (a, counts) = (self.operand(d, m, (i, 1), width)?, self.operand(d, m, (i, 2), width)?);
                shift_each(d, shift.operation(), w, &a, &counts)
            }
            Op::Arrange(arrange) => {
                let a = self.operand(d, m, (i, 1), width)?;
                arrange.value(d, &a, self.code(i, 2)?)
            }
            Op::Mix(mix) => {
                let from = sources(ins, 1);
                let b = self.operand(d, m, (i, from.second), self.bits(insn, from.second))?;
                if mix == Mix::Insert(128) && self.code(i, from.last)? & 1 == 1 {
                    // What the half held before, nobody may know of.
                    let a = self.operand(d, m, (i, from.first), 128)?;
                    let value = d.concat(&b, &a);
                    return Ok(value);
                }
                let a = self.operand(d, m, (i, from.first), width)?;
                mix.value(d, &a, &b, self.code(i, from.last)?)
            }
            Op::Alone(alone) => {
                // From memory fewer bits may be read than the result has.
                let a = self.operand(d, m, (i, 1), self.bits(insn, 1))?;
                let a = d.zfit(&a, width);
                alone.value(d, &a)
            }
            Op::Broadcast(w) => {
                let lane = self.operand(d, m, (i, 1), w)?;
                broadcast(d, &lane, width)
            }
            Op::BlendBy(w) => {
                let avx = ins.code().encoding() != EncodingKind::Legacy;
                let from = sources(ins, u32::from(avx));
                let a = self.operand(d, m, (i, from.first), width)?;
                let b = self.operand(d, m, (i, from.second), width)?;
                let mask = match avx {
                    true => self.operand(d, m, (i, from.last), width)?,
                    false => self.read(d, m, i, Register::XMM0)?,
                };
                blend_by(d, w, &a, &b, &mask)
            }
            Op::Permute(w, _) if self.code(i, 2).is_ok() => {
                let a = self.operand(d, m, (i, 1), width)?;
                let arrange = if w == 32 { Arrange::Each(Shuffle::Dwords) } else { Arrange::Qwords };
                arrange.value(d, &a, self.code(i, 2)?)
            }
            Op::Permute(w, all) => {
                let (first, second) =
                    (self.operand(d, m, (i, 1), width)?, self.operand(d, m, (i, 2), width)?);
                // Across all lanes the numbers are the first source, else the second.
                match all {
                    true => permute(d, w, all, &second, &first),
                    false => permute(d, w, all, &first, &second),
                }
            }
            Op::Signs(w) => {
                let a = self.operand(d, m, (i, 1), register_bits(ins, 1))?;
                signs(d, w, &a)
            }
            Op::Insert(w) => {
                let from = sources(ins, 1);
                let old = self.operand(d, m, (i, from.first), 128)?;
                let lane = self.operand(d, m, (i, from.second), w)?;
                let place = u32::from(self.code(i, from.last)?) % (128 / w) * w;
                replace_bits(d, &old, &lane, place)
            }
            Op::Extend(from, to, signed) => {
                let a = self.operand(d, m, (i, 1), width / to * from)?;
                extend(d, (from, to), signed, &a)
            }
            _ => return Err(self.f.unsupported(i, "this form of the instruction")),
        })
    }

    /// A lane or a half of a vector to a register or to memory.
    fn extract<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let insn = &self.f.insns[i];
        let w = if let Op::Extract(w) = op { w } else { 128 };
        let width = register_bits(insn.x86(), 1);
        let a = self.operand(d, m, (i, 1), width)?;
        let place = u32::from(self.code(i, 2)?) % (width / w) * w;
        let lane = d.extract(place + w - 1, place, &a);
        if insn.x86().op0_kind() == OpKind::Memory {
            return self.store(d, m, i, &lane);
        }
        let to = self.bits(insn, 0);
        let lane = d.zfit(&lane, to);
        self.put(d, m, (i, 0), &lane)
    }

    /// Flags of a conjunction: of whole vectors, or of the signs of lanes.
    fn test_vector<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: Option<u32>) -> Res<()> {
        let width = register_bits(self.f.insns[i].x86(), 0);
        let (a, b) = (self.operand(d, m, (i, 0), width)?, self.operand(d, m, (i, 1), width)?);
        m.flags = test_flags(d, w, &a, &b);
        Ok(())
    }

    fn float<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let ins = self.f.insns[i].x86();
        let width = register_bits(ins, 0);
        let value = match op {
            Op::Float(float, w) => {
                let from = sources(ins, 0);
                let old = self.operand(d, m, (i, from.first), 128)?;
                let (a, b) = (d.zfit(&old, w), self.operand(d, m, (i, from.second), w)?);
                let value = float.value(d, &a, &b);
                replace_bits(d, &old, &value, 0)
            }
            Op::FloatPacked(float, w) => {
                let from = sources(ins, 0);
                let a = self.operand(d, m, (i, from.first), width)?;
                let b = self.operand(d, m, (i, from.second), width)?;
                per_lane(d, w, &a, &b, |d, x, y| Float::value(float, d, x, y))
            }
            Op::Sqrt(w) => {
                let from = sources(ins, 0);
                let old = self.operand(d, m, (i, from.first), 128)?;
                let a = self.operand(d, m, (i, from.second), w)?;
                let value = float::square_root(d, a);
                replace_bits(d, &old, &value, 0)
            }
            Op::SqrtPacked(w) => {
                let a = self.operand(d, m, (i, 1), width)?;
                per_lane(d, w, &a, &a, |d, x, _| float::square_root(d, x.clone()))
            }
            Op::Fused(fused, w, all) => {
                let read = if all { width } else { w };
                let old = self.operand(d, m, (i, 0), width)?;
                let a = d.zfit(&old, read);
                let (b, c) = (self.operand(d, m, (i, 1), read)?, self.operand(d, m, (i, 2), read)?);
                let value = fused.lanes(d, w, [&a, &b, &c]);
                replace_bits(d, &old, &value, 0)
            }
            Op::Hardware(hardware, lane) => {
                let from = sources(ins, u32::from(hardware.has_code()));
                // With three inputs the result is the first of them.
                let first = if hardware.inputs() == 3 { 0 } else { from.first };
                let mut inputs = Vec::new();
                for n in first..from.last {
                    let read = if n == from.second { hardware.last_width(lane, width) } else { width };
                    inputs.push(self.operand(d, m, (i, n), read)?);
                }
                let code = if hardware.has_code() { self.code(i, from.last)? } else { 0 };
                let Some(value) = hardware.value(d, lane, &inputs, code) else {
                    return Err(self.f.unsupported(i, "an immediate that stands for nothing known"));
                };
                value
            }
            Op::FloatCompare(w) => {
                let (a, b) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
                m.flags = float::compare(d, &a, &b);
                return Ok(());
            }
            Op::FloatMasks(w, all) => {
                let from = sources(ins, 1);
                let read = if all { width } else { w };
                let old = self.operand(d, m, (i, from.first), width)?;
                let (a, b) = (d.zfit(&old, read), self.operand(d, m, (i, from.second), read)?);
                let code = i64::from(self.code(i, from.last)?);
                // With two operands there are eight comparisons.
                let known = code < 8 || from.first == 1;
                let masks = if known { float::masks(d, w, &a, &b, code) } else { None };
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
        let from = sources(insn.x86(), 0);
        let value = match op {
            Op::Convert(convert, to) => {
                let old = self.operand(d, m, (i, from.first), 128)?;
                let a = self.operand(d, m, (i, from.second), convert.from())?;
                let value = convert.value(d, to, a);
                replace_bits(d, &old, &value, 0)
            }
            Op::FromInt(to) => {
                let old = self.operand(d, m, (i, from.first), 128)?;
                let bits = self.bits(insn, from.second);
                let a = self.operand(d, m, (i, from.second), bits)?;
                let value = Convert::FromInt(bits).value(d, to, a);
                replace_bits(d, &old, &value, 0)
            }
            Op::ToInt(from) => {
                let to = self.bits(insn, 0);
                let a = self.operand(d, m, (i, 1), from)?;
                Convert::ToInt(from).value(d, to, a)
            }
            Op::ConvertLanes(convert, to) => {
                let whole = self.bits(insn, 0).max(self.bits(insn, 1));
                let lanes = whole / to.max(convert.from());
                let a = self.operand(d, m, (i, 1), lanes * convert.from())?;
                convert.lanes(d, to, &a)
            }
            _ => return Err(self.f.unsupported(i, "this form of the instruction")),
        };
        debug_assert!(insn.x86().op0_register() != Register::None);
        self.put(d, m, (i, 0), &value)
    }
}
