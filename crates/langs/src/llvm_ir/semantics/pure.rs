//! Intrinsics that only compute.

use super::math_choices::leave;
use super::packed::{mean, with_sign};
use super::{Ir, Res, Scalar, Side, Value};
use crate::assumption::Assumption;
use crate::bits;
use crate::choice::fused::Sums;
use crate::choice::scan_of_zero::{self, OfZero};
use crate::domain::{BitOp, Domain, Ext};
use crate::llvm_ir::ast::{Call, Flags, Inst, Op};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::{Type, TypeId};
use crate::memory::objects::{RETURN_ADDRESS, THREAD_POINTER};
use crate::operation::{Arithmetic, Format, Operation};
use crate::x86::float::{multiply_add, nearest_integer};

impl Ir<'_> {
    /// The value of an intrinsic that only computes.
    pub(super) fn pure_intrinsic<D: Domain>(
        &self,
        d: &mut D,
        (inst, call): (&Inst, &Call),
        intrinsic: Intrinsic,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let elem = self.elem_type(call.ret);
        match intrinsic {
            Intrinsic::Expect => Ok(args[0].clone()),
            Intrinsic::IsConstant | Intrinsic::ObjectSize => self.answer(d, (inst, call), intrinsic, args),
            Intrinsic::FpClass => {
                let ty = self.elem_type(call.args[0].ty);
                let Value::Scalar(classes) = &args[1] else { return self.unsupported("is.fpclass") };
                self.fp_class(d, ty, &args[0], &classes.bits)
            }
            Intrinsic::Overflowing(op, signed) => self.overflowing(d, (op, signed), &args[0], &args[1]),
            Intrinsic::Carrying(op) => self.carrying(d, op, args),
            Intrinsic::Saturating(op, signed) => {
                self.pairwise(d, args, |d, x, y| saturating(d, op, signed, x, y))
            }
            Intrinsic::MinMax(signed, max) => {
                self.pairwise(d, args, |d, x, y| bits::min_max(d, x, y, signed, max))
            }
            Intrinsic::Abs | Intrinsic::Zeros { .. } => self.with_flag(d, inst, intrinsic, args),
            Intrinsic::FirstLane => self.first_lane(d, call.ret, args),
            Intrinsic::Popcount => self.each(d, &args[0], bits::popcount),
            Intrinsic::ByteSwap => self.each(d, &args[0], bits::byte_swap),
            Intrinsic::BitReverse => self.each(d, &args[0], bits::bit_reverse),
            Intrinsic::Funnel { left } => self.funnel(d, left, args),
            Intrinsic::ThreeWay(signed) => {
                let width = self.scalar_bits(elem)?;
                self.pairwise(d, args, |d, x, y| {
                    let (less, more) = (self.less(d, signed, x, y), self.less(d, signed, y, x));
                    let (one, zero, minus) = (d.num(width, 1), d.num(width, 0), d.signed(width, -1));
                    let up = d.ite(&more, &one, &zero);
                    d.ite(&less, &minus, &up)
                })
            }
            Intrinsic::Reduce(op) => self.reduce(d, &args[0], |d, a, b| d.bin(op, a, b)),
            Intrinsic::ReduceMinMax(signed, max) => {
                self.reduce(d, &args[0], |d, a, b| bits::min_max(d, a, b, signed, max))
            }
            Intrinsic::FloatExtreme(which) => self.extreme_of_lanes(d, (which, call.flags), args, elem),
            Intrinsic::ReduceFloatExtreme(which) => self.extreme_of_all(d, which, &args[0], elem),
            Intrinsic::PointerMask => self.pairwise(d, args, |d, x, y| d.bin(BitOp::And, x, y)),
            Intrinsic::MoveMask => Ok(signs(d, &args[0])),
            Intrinsic::FrameAddress => self.frame_address(d, &args[0]),
            Intrinsic::FloatAbs => self.each(d, &args[0], |d, x| {
                let width = d.width(x);
                let low = d.extract(width - 2, 0, x);
                d.zfit(&low, width)
            }),
            Intrinsic::CopySign => self.pairwise(d, args, |d, x, y| {
                let width = d.width(x);
                let (low, sign) = (d.zfit(x, width - 1), d.extract(width - 1, width - 1, y));
                d.concat(&sign, &low)
            }),
            Intrinsic::MultiplyAdd => self.fmuladd(d, call, elem, args),
            Intrinsic::SquareRoot => {
                let root = Operation::SquareRoot(self.math_format(call, elem, "sqrt")?);
                self.each(d, &args[0], |d, x| {
                    let width = d.width(x);
                    d.operation(&root, std::slice::from_ref(x), width)
                })
            }
            Intrinsic::NearestInteger => self.nearest_integer(d, call, &args[0]),
            Intrinsic::Library(function) => self.library(d, call, function, args),
            Intrinsic::PackedShift(op, each) => self.packed_shift(d, (op, each), args),
            Intrinsic::Packed(packed) => self.packed_operation(d, packed, call.ret, args),
            Intrinsic::Hardware(hardware) => self.hardware(d, hardware, call.ret, args),
            Intrinsic::CompareLow(pred) => self.compare_low(d, pred, args),
            Intrinsic::TruncateLow => self.truncate_low(d, call.ret, &args[0]),
            Intrinsic::PackedFloat(float) => self.pairwise(d, args, |d, x, y| float.value(d, x, y)),
            Intrinsic::ThreadPointer => {
                let at = d.symbol(THREAD_POINTER, 64);
                Ok(Value::plain(d, at))
            }
            Intrinsic::ReturnAddress => self.return_address(d, &args[0]),
            Intrinsic::Bits(bmi) => self.pairwise(d, args, |d, x, y| bmi.value(d, x, y).0),
            Intrinsic::PackedBlend => self.packed_blend(d, args),
            Intrinsic::VectorTest(test) => self.vector_test(d, test, args),
            Intrinsic::SignTest(test) => {
                let signs = [signs(d, &args[0]), signs(d, &args[1])];
                self.vector_test(d, test, &signs)
            }
            Intrinsic::PackedMean => self.pairwise(d, args, mean),
            Intrinsic::PackedNeighbours { op, saturating } => {
                self.packed_neighbours(d, (op, saturating), args)
            }
            Intrinsic::PackedChoice => self.packed_choice(d, args),
            Intrinsic::PackedMultiplyAdd => self.packed_multiply_add(d, args),
            Intrinsic::PackedSign => self.pairwise(d, args, with_sign),
            Intrinsic::SaturatingShift(signed) => self.saturating_shift(d, signed, args),
            Intrinsic::Nothing
            | Intrinsic::Locked(_)
            | Intrinsic::SideEffect
            | Intrinsic::Lifetime
            | Intrinsic::VaStart
            | Intrinsic::VaCopy
            | Intrinsic::Block(_)
            | Intrinsic::Trap
            | Intrinsic::KeepGuard
            | Intrinsic::StackSave
            | Intrinsic::StackRestore
            | Intrinsic::MaskedLoad(_)
            | Intrinsic::MaskedStore(_)
            | Intrinsic::Assume
            | Intrinsic::LoadRelative
            | Intrinsic::LoadVector
            | Intrinsic::Constrained(_)
            | Intrinsic::Refused(_)
            | Intrinsic::Unknown => self.unsupported("intrinsic with an effect"),
        }
    }

    /// The integer next to a number, of the type of the result.
    fn nearest_integer<D: Domain>(&self, d: &mut D, call: &Call, a: &Value<D>) -> Res<Value<D>> {
        let number = match a {
            Value::Scalar(number) => Some(number),
            Value::Aggregate(lanes) => lanes.first().and_then(Value::scalar),
        };
        let Some(number) = number.filter(|x| matches!(d.width(&x.bits), 32 | 64)) else {
            return self.unsupported("lrint of this type");
        };
        let to = self.scalar_bits(call.ret)?;
        if self.checks.exact || !matches!(self.m.types.resolve(call.ret), Type::Int(32 | 64)) {
            return self.unsupported("lrint of this type");
        }
        self.assume(Assumption::FloatsByName);
        let bits = nearest_integer(d, number.bits.clone(), to);
        Ok(Value::Scalar(Scalar::with_poison(d, bits, number.poison.clone())))
    }

    /// A function of each lane; poison stays poison.
    pub(super) fn each<D: Domain>(
        &self,
        d: &mut D,
        a: &Value<D>,
        f: impl Fn(&mut D, &D::Bv) -> D::Bv,
    ) -> Res<Value<D>> {
        self.lanes(d, a, a, &mut |d, x, _| {
            let bits = f(d, &x.bits);
            Ok(Scalar::with_poison(d, bits, x.poison.clone()))
        })
    }

    /// A function of the lanes of the first two arguments; poison if either is.
    pub(super) fn pairwise<D: Domain>(
        &self,
        d: &mut D,
        args: &[Value<D>],
        f: impl Fn(&mut D, &D::Bv, &D::Bv) -> D::Bv,
    ) -> Res<Value<D>> {
        self.lanes(d, &args[0], &args[1], &mut |d, x, y| {
            let bits = f(d, &x.bits, &y.bits);
            let poison = d.or(&x.poison, &y.poison);
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }

    /// A function of the lanes of any number of arguments of one shape; poison if any of them is.
    pub(super) fn of_lanes<D: Domain>(
        &self,
        d: &mut D,
        args: &[&Value<D>],
        f: impl Fn(&mut D, &[D::Bv]) -> D::Bv,
    ) -> Res<Value<D>> {
        let lanes: Vec<_> = args.iter().map(|a| a.scalars()).collect();
        let count = lanes.first().map_or(0, Vec::len);
        if count == 0 || lanes.iter().any(|l| l.len() != count) {
            return self.unsupported("operands of different shapes");
        }
        let mut results = Vec::new();
        for n in 0..count {
            let bits: Vec<D::Bv> = lanes.iter().map(|l| l[n].bits.clone()).collect();
            let poison = lanes.iter().fold(d.bool(false), |poison, l| d.or(&poison, &l[n].poison));
            let bits = f(d, &bits);
            results.push(Value::Scalar(Scalar::with_poison(d, bits, poison)));
        }
        Ok(match args[0] {
            Value::Scalar(_) => results.swap_remove(0),
            Value::Aggregate(_) => Value::Aggregate(results.into()),
        })
    }

    fn overflowing<D: Domain>(
        &self,
        d: &mut D,
        (op, signed): (BitOp, bool),
        a: &Value<D>,
        b: &Value<D>,
    ) -> Res<Value<D>> {
        let args = [a.clone(), b.clone()];
        let result = self.pairwise(d, &args, |d, x, y| d.bin(op, x, y))?;
        let over = self.pairwise(d, &args, |d, x, y| {
            let over = bits::overflows(d, op, x, y, signed);
            d.bool_to_bv(&over)
        })?;
        Ok(Value::Aggregate([result, over].into()))
    }

    /// Sum or difference of two numbers and a carry, any number but zero; whether there is one again, and the result.
    fn carrying<D: Domain>(&self, d: &mut D, op: BitOp, args: &[Value<D>]) -> Res<Value<D>> {
        let [carry, numbers @ ..] = args else { return self.unsupported("intrinsic arity") };
        let all = |d: &mut D, more: u32| {
            let both = self.pairwise(d, numbers, |d, x, y| {
                let [x, y] = [x, y].map(|n| d.zfit(n, d.width(n) + more));
                d.bin(op, &x, &y)
            })?;
            self.pairwise(d, &[both, carry.clone()], |d, both, carry| {
                let none = d.is_zero(carry);
                let some = d.not(&none);
                let (some, width) = (d.bool_to_bv(&some), d.width(both));
                let carry = d.zfit(&some, width);
                d.bin(op, both, &carry)
            })
        };
        let (result, wide) = (all(d, 0)?, all(d, 1)?);
        let carry = self.each(d, &wide, |d, wide| {
            let top = d.width(wide) - 1;
            let carry = d.extract(top, top, wide);
            d.zfit(&carry, 8)
        })?;
        Ok(Value::Aggregate([carry, result].into()))
    }

    /// Operations whose second argument says that their result for one number is poison.
    fn with_flag<D: Domain>(
        &self,
        d: &mut D,
        inst: &Inst,
        intrinsic: Intrinsic,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let Value::Scalar(flag) = &args[1] else { return self.unsupported("flag that is no scalar") };
        let strict = d.is_set(&flag.bits);
        let scans = d.as_bool(&strict) == Some(true) && self.choices.zeros == OfZero::Left;
        self.lanes(d, &args[0], &args[0], &mut |d, x, _| {
            let (bits, special) = match intrinsic {
                Intrinsic::Zeros { leading } if scans => self.scan(d, inst, leading, &x.bits),
                Intrinsic::Zeros { leading: true } => (bits::leading_zeros(d, &x.bits), d.is_zero(&x.bits)),
                Intrinsic::Zeros { leading: false } => (bits::trailing_zeros(d, &x.bits), d.is_zero(&x.bits)),
                _ => magnitude(d, &x.bits),
            };
            let extra = d.and(&strict, &special);
            let poison = d.or(&x.poison, &extra);
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }

    /// A count of zeros whose result for zero is poison, and whether it is: poison has the bits that the machine's scan
    /// of zero leaves.
    fn scan<D: Domain>(&self, d: &mut D, inst: &Inst, leading: bool, x: &D::Bv) -> (D::Bv, D::Bool) {
        let width = d.width(x);
        if !leading {
            let (place, zero) = (bits::lowest_set(d, x), d.is_zero(x));
            let left = self.scan_of_zero(d, inst, width);
            return (d.ite(&zero, &left, &place), zero);
        }
        let (place, top) = (bits::highest_set(d, x), d.num(width, u128::from(width - 1)));
        let zero = d.is_zero(x);
        let left = self.scan_of_zero(d, inst, width);
        if width.is_power_of_two() {
            // As the machine has it: the place is its own distance from the top, bit by bit.
            let scanned = d.ite(&zero, &left, &place);
            return (d.bv_xor(&scanned, &top), zero);
        }
        let (left, count) = (d.bv_xor(&left, &top), d.sub(&top, &place));
        (d.ite(&zero, &left, &count), zero)
    }

    /// What the machine's scan that an instruction becomes may leave of zero, where it can be told which that is; the
    /// source's poison may have these bits as well as any.
    fn scan_of_zero<D: Domain>(&self, d: &mut D, inst: &Inst, width: u32) -> D::Bv {
        let index = self.f.insts.iter().position(|i| i.at == inst.at);
        let block = index.and_then(|i| self.f.block_of(i)).and_then(|b| self.f.blocks.get(b.0 as usize));
        let Some((block, index)) = block.zip(index) else { return d.num(width, 0) };
        let scan = |i: &Inst| match &i.op {
            Op::Call(c) => matches!(c.intrinsic, Some((Intrinsic::Zeros { .. }, _))),
            _ => false,
        };
        let before = self.f.insts[block.first as usize..index].iter().filter(|i| scan(i)).count();
        self.assume(Assumption::BitScanOfZero);
        let left = d.symbol(&scan_of_zero::left(self.m.names.text(block.name), before), 64);
        d.zfit(&left, width)
    }

    /// What is said where it is asked what is known of a value: between IR programs any of the right answers. What selects
    /// instructions says that nothing is constant.
    fn answer<D: Domain>(
        &self,
        d: &mut D,
        (inst, call): (&Inst, &Call),
        intrinsic: Intrinsic,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let about = match intrinsic {
            Intrinsic::ObjectSize => "llvm.objectsize",
            _ => "llvm.is.constant",
        };
        if !self.checks.exact {
            if intrinsic == Intrinsic::ObjectSize {
                return self.unsupported("objectsize");
            }
            let no = d.num(1, 0);
            return Ok(Value::plain(d, no));
        }
        let width = self.scalar_bits(call.ret)?;
        let bits: Vec<D::Bv> = args.iter().flat_map(Value::scalars).map(|s| s.bits.clone()).collect();
        let question = Operation::Call(format!("{about} {}", self.questions_before(inst)));
        let answer = d.operation(&question, &bits, width);
        Ok(Value::plain(d, answer))
    }

    /// How often a function asks what is known ahead of an instruction: each question has answers of its own, of
    /// which the source may give any.
    fn questions_before(&self, inst: &Inst) -> usize {
        let ahead = self.f.insts.iter().take_while(|i| i.at != inst.at);
        let asks = |i: &&Inst| match &i.op {
            Op::Call(c) => matches!(c.intrinsic, Some((Intrinsic::IsConstant | Intrinsic::ObjectSize, _))),
            _ => false,
        };
        ahead.filter(asks).count()
    }

    fn funnel<D: Domain>(&self, d: &mut D, left: bool, args: &[Value<D>]) -> Res<Value<D>> {
        let pairs = self.pairwise(d, args, |d, x, y| d.concat(x, y))?;
        self.pairwise(d, &[pairs, args[2].clone()], |d, pair, n| {
            let width = d.width(n);
            let (hi, lo) = (d.extract(2 * width - 1, width, pair), d.extract(width - 1, 0, pair));
            match left {
                true => bits::funnel_left(d, &hi, &lo, n),
                false => bits::funnel_right(d, &hi, &lo, n),
            }
        })
    }

    /// The frame pointer of this function, the same in both programs; no further up.
    fn frame_address<D: Domain>(&self, d: &mut D, depth: &Value<D>) -> Res<Value<D>> {
        let own = depth.scalar().and_then(|s| d.as_const(&s.bits)).is_some_and(|n| n.is_zero());
        if !own {
            return self.unsupported("frameaddress");
        }
        let address = d.symbol(bits::FRAME_ADDRESS, 64);
        Ok(Value::plain(d, address))
    }

    /// Fused or not as the implementation likes, but alike in both programs of a pair of IR. Before selection it may
    /// take the unfused form, as code without FMA does.
    fn fmuladd<D: Domain>(&self, d: &mut D, call: &Call, elem: TypeId, args: &[Value<D>]) -> Res<Value<D>> {
        if call.flags.any_math() && !self.checks.exact {
            return self.unsupported("fmuladd");
        }
        let [a, b, c, ..] = args else { return self.unsupported("intrinsic arity") };
        if let Some(sum) = self.sum_with_unit_factor(d, elem, (a, b), c)? {
            return Ok(sum);
        }
        let probe = d.nondet("probe", 1);
        let free = self.side == Side::Source && d.as_const(&probe).is_none();
        let target = self.beside.as_ref().filter(|_| self.checks.exact && free);
        let is = |i: &Inst, what: Intrinsic| match &i.op {
            Op::Call(c) => c.intrinsic.is_some_and(|(n, _)| n == what),
            _ => false,
        };
        let does = |what: Intrinsic| target.is_some_and(|t| t.f.insts.iter().any(|i| is(i, what)));
        // The source may do either, of which a proof takes what the target does. A run on numbers shows neither.
        let parted = target.is_some() && !does(Intrinsic::MultiplyAdd);
        if parted && does(Intrinsic::Library("fma")) && matches!(c, Value::Scalar(_)) {
            return self.library(d, call, "fma", args);
        }
        if self.checks.exact && !parted {
            return self.multiply_add(d, elem, a, b, c);
        }
        let once = self.side == Side::Source && self.choices.sums == Sums::Once;
        if once && free {
            self.assume(Assumption::FloatsByName);
            return self.fused(d, a, b, c);
        }
        let product = self
            .lanes(d, a, b, &mut |d, x, y| self.float_binary(d, (Arithmetic::Mul, Flags(0)), elem, x, y))?;
        let twice = self.lanes(d, &product, c, &mut |d, x, y| {
            self.float_binary(d, (Arithmetic::Add, Flags(0)), elem, x, y)
        })?;
        if !once {
            return Ok(twice);
        }
        // A run on numbers. Where both are one, that is it; else what the run shows is no difference of the programs.
        let fused = self.fused(d, a, b, c)?;
        let numbers = |v: &Value<D>| v.scalars().iter().map(|s| d.as_const(&s.bits)).collect::<Vec<_>>();
        if numbers(&twice) != numbers(&fused) {
            self.multiply_add(d, elem, a, b, c)?;
        }
        Ok(fused)
    }

    /// `a * b + c` of scalars or lanes, rounded once.
    fn fused<D: Domain>(&self, d: &mut D, a: &Value<D>, b: &Value<D>, c: &Value<D>) -> Res<Value<D>> {
        self.of_lanes(d, &[a, b, c], |d, lane| multiply_add(d, &lane[0], &lane[1], &lane[2]))
    }

    /// The format of an operation on floating-point numbers of a type, which is then relied on by name.
    fn math_format(&self, call: &Call, ty: TypeId, name: &str) -> Res<Format> {
        let Type::Float(kind) = self.m.types.resolve(ty) else { return self.unsupported(name) };
        if leave(call.flags) != 0 && !self.checks.exact {
            return self.unsupported("fast-math flags");
        }
        self.assume(Assumption::FloatsByName);
        Ok((*kind).into())
    }

    fn library<D: Domain>(&self, d: &mut D, call: &Call, function: &str, args: &[Value<D>]) -> Res<Value<D>> {
        let lane = match self.m.types.resolve(call.ret) {
            Type::Vector { elem, .. } => *elem,
            _ => call.ret,
        };
        let format = self.math_format(call, lane, function)?;
        if let ("fma", Format::F32 | Format::F64, [a, b, c, ..]) = (function, format, args) {
            return match self.sum_with_unit_factor(d, lane, (a, b), c)? {
                Some(sum) => Ok(sum),
                None => self.fused(d, a, b, c),
            };
        }
        let operation = Operation::Library(function.to_owned(), format);
        let args: Vec<&Value<D>> = args.iter().collect();
        self.of_lanes(d, &args, |d, lane| {
            let width = d.width(&lane[0]);
            d.operation(&operation, lane, width)
        })
    }

    /// The address that the function returns to. Of those further out nothing is known.
    fn return_address<D: Domain>(&self, d: &mut D, depth: &Value<D>) -> Res<Value<D>> {
        match depth {
            Value::Scalar(depth) if d.as_const(&depth.bits).is_some_and(|depth| depth.is_zero()) => {
                let at = d.symbol(RETURN_ADDRESS, 64);
                Ok(Value::plain(d, at))
            }
            Value::Scalar(_) | Value::Aggregate(_) => {
                self.unsupported("the address that a caller returns to")
            }
        }
    }
}

/// The magnitude of a number, and whether it is the least, which has none.
fn magnitude<D: Domain>(d: &mut D, x: &D::Bv) -> (D::Bv, D::Bool) {
    let width = d.width(x);
    let zero = d.num(width, 0);
    let negated = d.sub(&zero, x);
    let negative = d.sign(x);
    let least = d.constant(smt::Bv::smin(width));
    (d.ite(&negative, &negated, x), d.eq(x, &least))
}

/// The sign bits of lanes as a number of 32 bits; poison if any lane is.
fn signs<D: Domain>(d: &mut D, v: &Value<D>) -> Value<D> {
    let (mut signs, mut poison) = (Vec::new(), d.bool(false));
    for s in v.scalars() {
        let top = d.width(&s.bits) - 1;
        signs.push(d.extract(top, top, &s.bits));
        poison = d.or(&poison, &s.poison);
    }
    let mask = bits::join(d, &signs);
    let bits = d.zfit(&mask, 32);
    Value::Scalar(Scalar::with_poison(d, bits, poison))
}

pub(super) fn saturating<D: Domain>(d: &mut D, op: BitOp, signed: bool, a: &D::Bv, b: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let over = bits::overflows(d, op, a, b, signed);
    let bits = d.bin(op, a, b);
    let limit = if signed {
        // The exact result has the sign of the first operand.
        let (least, most) = (d.constant(smt::Bv::smin(width)), d.constant(smt::Bv::smax(width)));
        let negative = d.sign(a);
        d.ite(&negative, &least, &most)
    } else if op == BitOp::Add {
        d.constant(smt::Bv::ones(width))
    } else {
        d.num(width, 0)
    };
    d.ite(&over, &limit, &bits)
}
