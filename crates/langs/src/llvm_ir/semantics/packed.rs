//! Intrinsics on packed integers: shifts that may go too far, means, signs.

use super::pure::saturating;
use super::value::flat_widths;
use super::{Ir, Res, Scalar, Side, Value};
use crate::bits;
use crate::domain::{BitOp, CmpOp, Domain, Ext};
use crate::llvm_ir::intrinsics::VectorTest;
use crate::llvm_ir::types::TypeId;
use crate::x86::packed::Packed;

impl Ir<'_> {
    /// Shifts that leave zeros, or copies of the sign, where they go too far: of all lanes by one number, the second
    /// argument or (of a vector) its low 64 bits, or of each by its own.
    pub(super) fn packed_shift<D: Domain>(
        &self,
        d: &mut D,
        (op, each): (BitOp, bool),
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let shift = |d: &mut D, x: &Scalar<D>, n: &D::Bv, poison: &D::Bool| {
            let bits = shifted(d, op, &x.bits, n);
            let poison = d.or(&x.poison, poison);
            Ok(Scalar::with_poison(d, bits, poison))
        };
        if each {
            return self.lanes(d, &args[0], &args[1], &mut |d, x, n| shift(d, x, &n.bits, &n.poison));
        }
        let (mut parts, mut poison, mut width) = (Vec::new(), d.bool(false), 0);
        for s in args[1].scalars() {
            if width < 64 {
                width += d.width(&s.bits);
                parts.push(s.bits.clone());
                poison = d.or(&poison, &s.poison);
            }
        }
        if parts.is_empty() {
            return self.unsupported("shift by nothing");
        }
        let n = bits::join(d, &parts);
        self.lanes(d, &args[0], &args[0], &mut |d, x, _| shift(d, x, &n, &poison))
    }

    /// `sshl.sat`, `ushl.sat`: by as many bits as the number has, or more, poison.
    pub(super) fn saturating_shift<D: Domain>(
        &self,
        d: &mut D,
        signed: bool,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        self.lanes(d, &args[0], &args[1], &mut |d, x, n| {
            let width = d.width(&x.bits);
            let (double, most) = (d.zfit(&n.bits, 2 * width), d.num(2 * width, u128::from(width)));
            let near = d.cmp(CmpOp::Ult, &double, &most);
            let far = d.not(&near);
            let wide = if signed { d.sfit(&x.bits, 2 * width) } else { d.zfit(&x.bits, 2 * width) };
            let all = d.bin(BitOp::Shl, &wide, &double);
            let bits = d.zfit(&all, width);
            let back = if signed { d.sfit(&bits, 2 * width) } else { d.zfit(&bits, 2 * width) };
            let lost = d.ne(&back, &all);
            let limit = if signed {
                let (least, greatest) = (d.constant(smt::Bv::smin(width)), d.constant(smt::Bv::smax(width)));
                let negative = d.sign(&x.bits);
                d.ite(&negative, &least, &greatest)
            } else {
                d.constant(smt::Bv::ones(width))
            };
            let bits = d.ite(&lost, &limit, &bits);
            let either = d.or(&x.poison, &n.poison);
            let poison = d.or(&either, &far);
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }

    /// `phadd`, `phsub`.
    pub(super) fn packed_neighbours<D: Domain>(
        &self,
        d: &mut D,
        (op, saturates): (BitOp, bool),
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let (a, b) = (args[0].scalars(), args[1].scalars());
        let Some(width) = a.first().map(|s| d.width(&s.bits)) else {
            return self.unsupported("empty vector");
        };
        let each = (128 / width.max(1)) as usize;
        if each < 2 || a.len() != b.len() || !a.len().is_multiple_of(each) {
            return self.unsupported("sums of neighbours of this shape");
        }
        let mut lanes = Vec::new();
        for half in 0..a.len() / each {
            for of in [&a, &b] {
                for pair in of[half * each..(half + 1) * each].chunks_exact(2) {
                    let (x, y) = (&pair[0], &pair[1]);
                    let bits = match saturates {
                        true => saturating(d, op, true, &x.bits, &y.bits),
                        false => d.bin(op, &x.bits, &y.bits),
                    };
                    let poison = d.or(&x.poison, &y.poison);
                    lanes.push(Value::Scalar(Scalar::with_poison(d, bits, poison)));
                }
            }
        }
        Ok(Value::Aggregate(lanes.into()))
    }

    /// What an instruction of the processor makes of two vectors, 128 bits by 128 bits.
    pub(super) fn packed_operation<D: Domain>(
        &self,
        d: &mut D,
        packed: Packed,
        ret: TypeId,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let (vectors, poison) = self.whole_vectors(d, &args[..2])?;
        if vectors.iter().any(|v| !d.width(v).is_multiple_of(128)) {
            return self.unsupported("vector operation of this width");
        }
        if d.width(&vectors[0]) != d.width(&vectors[1]) {
            return self.unsupported("vector operation of two widths");
        }
        let (a, b) = (bits::lanes(d, &vectors[0], 128), bits::lanes(d, &vectors[1], 128));
        let each: Vec<D::Bv> = a.iter().zip(&b).map(|(a, b)| packed.value(d, a, b)).collect();
        let whole = bits::join(d, &each);
        self.lanes_of(d, ret, &whole, &poison)
    }

    /// The bits of vectors or numbers, and whether something of them is poison: of that the source picks bits; of the target
    /// one such lane spoils all.
    pub(super) fn whole_vectors<D: Domain>(
        &self,
        d: &mut D,
        args: &[Value<D>],
    ) -> Res<(Vec<D::Bv>, D::Bool)> {
        let (mut vectors, mut poison) = (Vec::new(), d.bool(false));
        for arg in args {
            for s in arg.scalars().into_iter().filter(|_| self.side == Side::Target) {
                let bad = s.anything(d);
                poison = d.or(&poison, &bad);
            }
            let all: Vec<D::Bv> = arg.scalars().iter().map(|s| s.bits.clone()).collect();
            if all.is_empty() {
                return self.unsupported("operation on an empty vector");
            }
            vectors.push(bits::join(d, &all));
        }
        Ok((vectors, poison))
    }

    /// Bits as a value of a type, all of it poison or nothing.
    pub(super) fn lanes_of<D: Domain>(
        &self,
        d: &mut D,
        ret: TypeId,
        whole: &D::Bv,
        poison: &D::Bool,
    ) -> Res<Value<D>> {
        if flat_widths(self, ret).map(|widths| widths.iter().sum()) != Some(d.width(whole)) {
            return self.unsupported("operation with a result of another width");
        }
        let mut at = 0;
        self.build(d, ret, &mut |d, _, width| {
            let lane = d.extract(at + width - 1, at, whole);
            at += width;
            Scalar::with_poison(d, lane, poison.clone())
        })
    }

    /// `pshufb`.
    pub(super) fn packed_choice<D: Domain>(&self, d: &mut D, args: &[Value<D>]) -> Res<Value<D>> {
        const EACH: usize = 16;
        let (bytes, indices) = (args[0].scalars(), args[1].scalars());
        if bytes.len() != indices.len() || !bytes.len().is_multiple_of(EACH) {
            return self.unsupported("choice of bytes of this shape");
        }
        let mut lanes = Vec::new();
        for (n, index) in indices.iter().enumerate() {
            let among = &bytes[n / EACH * EACH..][..EACH];
            let place = d.zfit(&index.bits, 4);
            let mut chosen = among[0].clone();
            for (i, byte) in among.iter().enumerate().skip(1) {
                let number = d.num(4, i as u128);
                let here = d.eq(&place, &number);
                chosen = Scalar::choose(d, &here, byte, &chosen);
            }
            let (none, zero) = (d.sign(&index.bits), d.num(8, 0));
            let nothing = Scalar::plain(d, zero);
            let chosen = Scalar::choose(d, &none, &nothing, &chosen);
            let poison = d.or(&chosen.poison, &index.poison);
            lanes.push(Value::Scalar(Scalar::with_poison(d, chosen.bits, poison)));
        }
        Ok(Value::Aggregate(lanes.into()))
    }

    /// `pblendvb` and its like: lanes of the second operand where the third's are negative.
    pub(super) fn packed_blend<D: Domain>(&self, d: &mut D, args: &[Value<D>]) -> Res<Value<D>> {
        let signs = self.each(d, &args[2], |d, x| {
            let top = d.width(x) - 1;
            d.extract(top, top, x)
        })?;
        self.select(d, &signs, &args[1], &args[0])
    }

    /// `ptest`.
    pub(super) fn vector_test<D: Domain>(
        &self,
        d: &mut D,
        test: VectorTest,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let (a, b) = (args[0].scalars(), args[1].scalars());
        let (mut apart, mut covered, mut poison) = (d.bool(true), d.bool(true), d.bool(false));
        for (x, y) in a.iter().zip(&b) {
            let not = d.bv_not(&x.bits);
            for (all, x) in [(&mut apart, &x.bits), (&mut covered, &not)] {
                let both = d.bv_and(x, &y.bits);
                let none = d.is_zero(&both);
                *all = d.and(all, &none);
            }
            let either = d.or(&x.poison, &y.poison);
            poison = d.or(&poison, &either);
        }
        let holds = match test {
            VectorTest::Zero => apart,
            VectorTest::Covered => covered,
            VectorTest::Neither => {
                let one = d.or(&apart, &covered);
                d.not(&one)
            }
        };
        let bit = d.bool_to_bv(&holds);
        let bits = d.zfit(&bit, 32);
        Ok(Value::Scalar(Scalar::with_poison(d, bits, poison)))
    }

    /// `pmaddubsw`.
    pub(super) fn packed_multiply_add<D: Domain>(&self, d: &mut D, args: &[Value<D>]) -> Res<Value<D>> {
        let (a, b) = (args[0].scalars(), args[1].scalars());
        let mut lanes = Vec::new();
        for (x, y) in a.chunks_exact(2).zip(b.chunks_exact(2)) {
            let (mut sum, mut poison) = (d.num(32, 0), d.bool(false));
            for (x, y) in x.iter().zip(y) {
                let (unsigned, signed) = (d.zfit(&x.bits, 32), d.sfit(&y.bits, 32));
                let product = d.bin(BitOp::Mul, &unsigned, &signed);
                sum = d.add(&sum, &product);
                let either = d.or(&x.poison, &y.poison);
                poison = d.or(&poison, &either);
            }
            let (least, most) = (d.signed(32, i16::MIN.into()), d.signed(32, i16::MAX.into()));
            let (low, high) = (d.cmp(CmpOp::Slt, &sum, &least), d.cmp(CmpOp::Slt, &most, &sum));
            let below = d.ite(&high, &most, &sum);
            let inside = d.ite(&low, &least, &below);
            let bits = d.zfit(&inside, 16);
            lanes.push(Value::Scalar(Scalar::with_poison(d, bits, poison)));
        }
        Ok(Value::Aggregate(lanes.into()))
    }
}

/// A number shifted by another of any width.
fn shifted<D: Domain>(d: &mut D, op: BitOp, x: &D::Bv, n: &D::Bv) -> D::Bv {
    let width = d.width(x);
    let room = d.width(n).max(width).max(16);
    let (wide, most) = (d.zfit(n, room), d.num(room, u128::from(width)));
    let near = d.cmp(CmpOp::Ult, &wide, &most);
    let small = d.zfit(n, width);
    let inside = d.bin(op, x, &small);
    let beyond = if op == BitOp::Ashr {
        let all = d.num(width, u128::from(width - 1));
        d.bin(BitOp::Ashr, x, &all)
    } else {
        d.num(width, 0)
    };
    d.ite(&near, &inside, &beyond)
}

/// The mean of two unsigned numbers, rounded up.
pub(super) fn mean<D: Domain>(d: &mut D, x: &D::Bv, y: &D::Bv) -> D::Bv {
    let width = d.width(x);
    let (x, y, one) = (d.zfit(x, width + 1), d.zfit(y, width + 1), d.num(width + 1, 1));
    let sum = d.add(&x, &y);
    let sum = d.add(&sum, &one);
    d.extract(width, 1, &sum)
}

/// The first number, negated where the second is negative, and zero where that is zero.
pub(super) fn with_sign<D: Domain>(d: &mut D, x: &D::Bv, y: &D::Bv) -> D::Bv {
    let zero = d.num(d.width(x), 0);
    let negated = d.sub(&zero, x);
    let (negative, none) = (d.sign(y), d.is_zero(y));
    let signed = d.ite(&negative, &negated, x);
    d.ite(&none, &zero, &signed)
}
