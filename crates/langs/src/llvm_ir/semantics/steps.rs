//! Address arithmetic (`getelementptr`): where it leads, and that it stays in an object where it says so.

use super::places::Root;
use super::{Ir, Res, Scalar, Side, State, Value};
use crate::bits::overflows;
use crate::domain::{BitOp, Domain, Ext};
use crate::llvm_ir::ast::{Flags, Operand};
use crate::llvm_ir::types::{Type, TypeId};
use crate::operation::Operation;

/// What is known of the memory around an address.
pub(super) struct Around<'a, D: Domain> {
    /// Permissions, where a function runs.
    pub perm: Option<&'a D::Mem>,
    /// Where the variable begins that the text says the address lies in, and how many bytes it has.
    pub variable: Option<(D::Bv, u64)>,
}

impl<D: Domain> Around<'_, D> {
    /// Whether an address is known to lie in the variable, or right behind it.
    fn inside(&self, d: &mut D, at: &D::Bv) -> D::Bool {
        let Some((start, size)) = &self.variable else { return d.bool(false) };
        let (offset, size) = (d.sub(at, start), d.num(d.width(at), u128::from(*size)));
        let beyond = d.ult(&size, &offset);
        d.not(&beyond)
    }
}

impl Ir<'_> {
    pub(super) fn gep<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        (flags, source): (Flags, TypeId),
        (base_ty, operand): (TypeId, Operand),
        indices: &[(TypeId, Operand)],
    ) -> Res<Value<D>> {
        let base = self.settled(d, st, operand, base_ty)?;
        let mut list = Vec::with_capacity(indices.len());
        for (ty, index) in indices {
            list.push((*ty, self.settled(d, st, *index, *ty)?));
        }
        let operands: Vec<Operand> = indices.iter().map(|i| i.1).collect();
        let flags = self.without_kept_bounds(d, (flags, source), (&base, operand), &operands);
        let variable = match (&base, self.side) {
            (Value::Scalar(base), Side::Target) => self.variable_around(d, operand, &base.bits),
            _ => None,
        };
        let around = Around { perm: Some(&st.perm), variable };
        let value = self.gep_values(d, &around, (flags, source), &base, &list)?;
        let variable = indices.iter().any(|(_, index)| self.small_constant(*index).is_none());
        if variable
            && flags.0 & Flags::INBOUNDS.0 != 0
            && let (Value::Scalar(base), Value::Scalar(to)) = (&base, &value)
            && self.leaves_object(d, operand, &base.bits, &to.bits)
        {
            let poison = d.bool(true);
            return Ok(Value::Scalar(Scalar::with_poison(d, to.bits.clone(), poison)));
        }
        Ok(value)
    }

    /// Where the variable begins that the text says an address lies in, and its size in bytes.
    fn variable_around<D: Domain>(&self, d: &mut D, operand: Operand, at: &D::Bv) -> Option<(D::Bv, u64)> {
        let (size, offset) = self.place_in_variable(operand)?;
        Some((d.add_num(at, -i128::from(offset)), size))
    }

    /// Whether an address, a number in a run, lies outside of the object that the text says its base lies in. That the
    /// source promised to stay there is needed where a run would be a counterexample; proofs do without. A variable of another
    /// module may be longer than it is declared to be here, but what a run does behind that is no counterexample to lean on.
    fn leaves_object<D: Domain>(&self, d: &mut D, operand: Operand, base: &D::Bv, to: &D::Bv) -> bool {
        if self.checks.exact || self.side != Side::Source {
            return false;
        }
        let (Some(base), Some(to)) = (d.as_const(base), d.as_const(to)) else { return false };
        let (Some(base), Some(to)) = (base.to_u64(), to.to_u64()) else { return false };
        let Some((root, size, offset)) = self.object_offset(operand, 0) else { return false };
        if size == 0 && matches!(root, Root::Global { defined: false, .. }) {
            return false;
        }
        let start = base.wrapping_sub(offset as u64);
        to.wrapping_sub(start) > size
    }

    /// Bytes from one element of an array or vector to the next: those of a vector lie without gaps.
    pub(super) fn stride(&self, ty: TypeId, elem: TypeId) -> Option<u64> {
        match self.m.types.resolve(ty) {
            Type::Vector { .. } => {
                let bits = self.m.layout.bits(&self.m.types, elem)?;
                bits.is_multiple_of(8).then_some(bits / 8)
            }
            _ => self.m.layout.alloc_size(&self.m.types, elem),
        }
    }

    /// Addresses lane by lane; what is no vector is the same in every lane.
    fn gep_lanes<D: Domain>(
        &self,
        d: &mut D,
        around: &Around<'_, D>,
        (flags, source): (Flags, TypeId),
        base: &Value<D>,
        (indices, n): (&[(TypeId, Value<D>)], usize),
    ) -> Res<Value<D>> {
        let lane = |v: &Value<D>, i: usize| match v {
            Value::Aggregate(items) if items.len() == n => match items.get(i) {
                Some(Value::Scalar(s)) => Some(Value::Scalar(s.clone())),
                Some(Value::Aggregate(_)) | None => None,
            },
            Value::Aggregate(_) => None,
            Value::Scalar(s) => Some(Value::Scalar(s.clone())),
        };
        let mut out = Vec::with_capacity(n);
        for i in 0..n {
            let all: Option<Vec<_>> = indices.iter().map(|(ty, v)| Some((*ty, lane(v, i)?))).collect();
            let (Some(base), Some(indices)) = (lane(base, i), all) else {
                return self.unsupported("getelementptr on vectors of different lengths");
            };
            out.push(self.gep_values(d, around, (flags, source), &base, &indices)?);
        }
        Ok(Value::Aggregate(out.into()))
    }

    /// Steps over so many elements of a size: where that leads, and whether it is poison.
    fn step_on<D: Domain>(
        &self,
        d: &mut D,
        flags: Flags,
        (at, poison): (&mut D::Bv, &mut D::Bool),
        (index, size): (&D::Bv, u64),
    ) {
        *at = self.scaled(d, at, index, size);
        if let Some(far) = self.too_far(d, flags, index, (d.width(at), size)) {
            *poison = d.or(poison, &far);
        }
    }

    /// Whether so many elements of a size are more bytes than an address has numbers, with a sign, where the address is to stay
    /// in its object (LLVM LangRef, `getelementptr`, `inbounds`); none where they can't be.
    fn too_far<D: Domain>(
        &self,
        d: &mut D,
        flags: Flags,
        index: &D::Bv,
        (width, size): (u32, u64),
    ) -> Option<D::Bool> {
        let some = self.checks.exact && flags.0 & Flags::INBOUNDS.0 != 0;
        let bits = d.width(index) + u64::BITS - size.leading_zeros();
        if !some || size <= 1 || bits <= width {
            return None;
        }
        let index = d.sfit(index, width);
        let size_bits = d.num(width, u128::from(size));
        if !size.is_power_of_two() {
            return Some(overflows(d, BitOp::Mul, &index, &size_bits, true));
        }
        let by = d.num(width, u128::from(size.trailing_zeros()));
        let far = d.bin(BitOp::Shl, &index, &by);
        let back = d.bin(BitOp::Ashr, &far, &by);
        Some(d.ne(&back, &index))
    }

    /// An address made from another.
    pub(super) fn gep_values<D: Domain>(
        &self,
        d: &mut D,
        around: &Around<'_, D>,
        (flags, source): (Flags, TypeId),
        base: &Value<D>,
        indices: &[(TypeId, Value<D>)],
    ) -> Res<Value<D>> {
        let lanes = |v: &Value<D>| match v {
            Value::Aggregate(items) => Some(items.len()),
            Value::Scalar(_) => None,
        };
        if let Some(n) = std::iter::once(base).chain(indices.iter().map(|i| &i.1)).find_map(lanes) {
            return self.gep_lanes(d, around, (flags, source), base, (indices, n));
        }
        let Value::Scalar(base) = base else { return self.unsupported("getelementptr on vectors") };
        let (mut at, mut poison, mut ty) = (base.bits.clone(), base.poison.clone(), source);
        let mut steps: Vec<D::Bv> = Vec::new();
        for (i, (_, index)) in indices.iter().enumerate() {
            if i > 0 {
                steps.push(at.clone());
            }
            let Value::Scalar(index) = index else { return self.unsupported("getelementptr on vectors") };
            poison = d.or(&poison, &index.poison);
            if i == 0 {
                let Some(size) = self.m.layout.alloc_size(&self.m.types, ty) else {
                    return self.unsupported("getelementptr over an unsized type");
                };
                self.step_on(d, flags, (&mut at, &mut poison), (&index.bits, size));
                continue;
            }
            match self.m.types.resolve(ty) {
                Type::Struct { fields, packed } => {
                    let field = d.as_const(&index.bits).and_then(|v| v.to_u64());
                    let offsets = self.m.layout.fields(&self.m.types, fields, *packed);
                    let (Some(field), Some((offsets, ..))) = (field, offsets) else {
                        return self.unsupported("getelementptr into a struct by a variable");
                    };
                    let Some((offset, inner)) = offsets.get(field as usize).zip(fields.get(field as usize))
                    else {
                        return self.unsupported("getelementptr outside a struct");
                    };
                    at = d.add_num(&at, i128::from(*offset));
                    ty = *inner;
                }
                Type::Array { elem, .. } | Type::Vector { elem, .. } => {
                    let Some(size) = self.stride(ty, *elem) else {
                        return self.unsupported("getelementptr over an unsized type");
                    };
                    self.step_on(d, flags, (&mut at, &mut poison), (&index.bits, size));
                    ty = *elem;
                }
                _ => return self.unsupported("getelementptr into a scalar"),
            }
        }
        steps.push(at.clone());
        if self.checks.exact {
            if flags.0 & Flags::INBOUNDS.0 != 0 {
                // Every step stays in the object that the base lies in.
                let null_is_none = self.null_is_no_object();
                for step in &steps {
                    let told = around.perm.and_then(|perm| self.in_one_object(d, perm, &base.bits, step));
                    let inside = match told {
                        Some(told) => d.bool(told),
                        None => {
                            let same = d.same_object(&base.bits, step, null_is_none);
                            let counted = around.inside(d, step);
                            d.or(&same, &counted)
                        }
                    };
                    let out = d.not(&inside);
                    poison = d.or(&poison, &out);
                }
            }
            if flags.0 & (Flags::NUSW.0 | Flags::NUW.0) != 0 && !indices.is_empty() {
                // When exactly such arithmetic wraps is known by name alone.
                let wraps = Operation::AddressWraps(flags.0 & !Flags::INBOUNDS.0);
                let out = d.predicate(&wraps, &[base.bits.clone(), at.clone()]);
                poison = d.or(&poison, &out);
            }
        }
        Ok(Value::Scalar(Scalar::with_poison(d, at, poison)))
    }
}
