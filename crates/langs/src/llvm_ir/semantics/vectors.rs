//! Vectors, lane by lane, and bit casts between shapes.

use super::{Ir, Res, Scalar, Value};
use crate::bits;
use crate::domain::Ext;
use crate::domain::{CmpOp, Domain};
use crate::llvm_ir::ast::{ConstId, ConstKind};
use crate::llvm_ir::types::TypeId;

impl Ir<'_> {
    pub(super) fn extract_element<D: Domain>(
        &self,
        d: &mut D,
        v: &Value<D>,
        index: &Scalar<D>,
    ) -> Res<Value<D>> {
        let Value::Aggregate(items) = v else { return self.unsupported("extractelement of a scalar") };
        if let Some(i) = d.as_const(&index.bits).and_then(|i| i.to_u64())
            && d.as_bool(&index.poison) == Some(false)
            && d.as_bool(&index.undef) == Some(false)
        {
            return match items.get(i as usize) {
                Some(item) => Ok(item.clone()),
                None => self.unsupported("extractelement out of range"),
            };
        }
        self.unsupported("extractelement by a variable")
    }

    pub(super) fn insert_element<D: Domain>(
        &self,
        d: &mut D,
        v: &Value<D>,
        elem: &Value<D>,
        index: &Scalar<D>,
    ) -> Res<Value<D>> {
        let Value::Aggregate(items) = v else { return self.unsupported("insertelement into a scalar") };
        match d.as_const(&index.bits).and_then(|i| i.to_u64()) {
            Some(i)
                if (i as usize) < items.len()
                    && d.as_bool(&index.poison) == Some(false)
                    && d.as_bool(&index.undef) == Some(false) =>
            {
                let mut items = items.to_vec();
                items[i as usize] = elem.clone();
                Ok(Value::Aggregate(items.into()))
            }
            _ => self.unsupported("insertelement by a variable or out of range"),
        }
    }

    pub(super) fn shuffle<D: Domain>(
        &self,
        d: &mut D,
        a: &Value<D>,
        b: &Value<D>,
        mask: ConstId,
        elem: TypeId,
    ) -> Res<Value<D>> {
        let (Value::Aggregate(xs), Value::Aggregate(ys)) = (a, b) else {
            return self.unsupported("shufflevector of scalars");
        };
        let mask_const = &self.m.consts[mask.0 as usize];
        if matches!(mask_const.kind, ConstKind::Undef | ConstKind::Poison) {
            return self.unsupported("shufflevector with an undefined mask");
        }
        let indices = self.constant(d, mask, mask_const.ty)?;
        let Value::Aggregate(indices) = indices else { return self.unsupported("shufflevector mask") };
        let width = self.scalar_bits(elem)?;
        let mut items = Vec::new();
        for index in indices.iter() {
            let Value::Scalar(index) = index else { return self.unsupported("shufflevector mask") };
            let bad = index.anything(d);
            if d.as_bool(&bad) == Some(true) {
                // LLVM 14 to 16 write `undef` for such lanes, and mean it; later versions write and mean `poison`.
                let bits = d.num(width, 0);
                let (poison, undef) = (index.poison.clone(), index.undef.clone());
                items.push(Value::Scalar(Scalar { bits, poison, undef }));
                continue;
            }
            let Some(i) = d.as_const(&index.bits).and_then(|i| i.to_u64()) else {
                return self.unsupported("shufflevector mask");
            };
            let i = i as usize;
            match xs.get(i).or_else(|| ys.get(i - xs.len().min(i))) {
                Some(item) => items.push(item.clone()),
                None => return self.unsupported("shufflevector mask out of range"),
            }
        }
        Ok(Value::Aggregate(items.into()))
    }

    /// A bit cast: poison in one lane makes every overlapping lane poison.
    pub(super) fn bitcast<D: Domain>(
        &self,
        d: &mut D,
        v: &Value<D>,
        from: TypeId,
        to: TypeId,
    ) -> Res<Value<D>> {
        let (from_elem, to_elem) = (self.elem_type(from), self.elem_type(to));
        let (from_width, to_width) = (self.scalar_bits(from_elem)?, self.scalar_bits(to_elem)?);
        if from_width == to_width {
            match v {
                Value::Scalar(_) if self.m.types.is_vector(to) => {
                    return Ok(Value::Aggregate([v.clone()].into()));
                }
                Value::Aggregate(items) if !self.m.types.is_vector(to) => {
                    return match items.first() {
                        Some(item) => Ok(item.clone()),
                        None => self.unsupported("bitcast of an empty vector"),
                    };
                }
                Value::Scalar(_) | Value::Aggregate(_) => return Ok(v.clone()),
            }
        }
        // As a number, a vector has its first lane lowest, or highest where memory has the highest byte first.
        let mut scalars = v.scalars();
        let first_is_low = self.m.layout.little_endian;
        if !first_is_low {
            scalars.reverse();
        }
        let Some(first) = scalars.first() else { return self.unsupported("bitcast of an empty vector") };
        let step = d.width(&first.bits);
        let lanes: Vec<D::Bv> = scalars.iter().map(|s| s.bits.clone()).collect();
        let whole = bits::join(d, &lanes);
        let poison_of = |d: &mut D, lo: u32, hi: u32| {
            let mut poison = d.bool(false);
            for (n, s) in scalars.iter().enumerate() {
                let from = n as u32 * step;
                if from < hi && lo < from + step {
                    poison = d.or(&poison, &s.poison);
                }
            }
            poison
        };
        if !self.m.types.is_vector(to) {
            let poison = poison_of(d, 0, u32::MAX);
            return Ok(Value::Scalar(Scalar::with_poison(d, whole, poison)));
        }
        if !d.width(&whole).is_multiple_of(to_width) {
            return self.unsupported("bitcast between these shapes");
        }
        let mut items = Vec::new();
        for (n, part) in bits::lanes(d, &whole, to_width).into_iter().enumerate() {
            let lo = n as u32 * to_width;
            let poison = poison_of(d, lo, lo + to_width);
            items.push(Value::Scalar(Scalar::with_poison(d, part, poison)));
        }
        if !first_is_low {
            items.reverse();
        }
        Ok(Value::Aggregate(items.into()))
    }

    /// The number of the first lane that is set, or of lanes where none is.
    pub(super) fn first_lane<D: Domain>(&self, d: &mut D, ret: TypeId, args: &[Value<D>]) -> Res<Value<D>> {
        let [lanes, Value::Scalar(strict), ..] = args else { return self.unsupported("cttz.elts") };
        let (lanes, width) = (lanes.scalars(), self.scalar_bits(ret)?);
        if width < 32 && lanes.len() >> width != 0 {
            return self.unsupported("cttz.elts of more lanes than the result can number");
        }
        let mut first = d.num(width, lanes.len() as u128);
        let mut none = d.bool(true);
        let mut poison = d.bool(false);
        for (n, lane) in lanes.iter().enumerate().rev() {
            let (set, here) = (d.is_set(&lane.bits), d.num(width, n as u128));
            first = d.ite(&set, &here, &first);
            let clear = d.not(&set);
            none = d.and(&none, &clear);
            poison = d.or(&poison, &lane.poison);
        }
        let strict = d.is_set(&strict.bits);
        let undefined = d.and(&strict, &none);
        let poison = d.or(&poison, &undefined);
        Ok(Value::Scalar(Scalar::with_poison(d, first, poison)))
    }

    /// Folds a vector by an operation, for the reductions.
    pub(super) fn reduce<D: Domain>(
        &self,
        d: &mut D,
        v: &Value<D>,
        f: impl Fn(&mut D, &D::Bv, &D::Bv) -> D::Bv,
    ) -> Res<Value<D>> {
        let scalars = v.scalars();
        let Some((first, rest)) = scalars.split_first() else { return self.unsupported("empty reduction") };
        let mut out = (*first).clone();
        for s in rest {
            out.bits = f(d, &out.bits, &s.bits);
            out.poison = d.or(&out.poison, &s.poison);
        }
        out.undef = d.bool(false);
        Ok(Value::Scalar(out))
    }

    /// Whether the number of a comparison's lanes does not matter: kept here for the intrinsics.
    pub(super) fn less<D: Domain>(&self, d: &mut D, signed: bool, a: &D::Bv, b: &D::Bv) -> D::Bool {
        d.cmp(if signed { CmpOp::Slt } else { CmpOp::Ult }, a, b)
    }
}
