//! Intrinsics that stand for one instruction of the processor on whole vectors.

use super::{Ir, Res, Scalar, Value};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::floats::{FloatPred, float_compare};
use crate::llvm_ir::types::TypeId;
use crate::x86::float::{Convert, format};
use crate::x86::hardware::Hardware;

impl Ir<'_> {
    /// What an instruction makes of its operands, the immediate among them.
    pub(super) fn hardware<D: Domain>(
        &self,
        d: &mut D,
        hardware: Hardware,
        ret: TypeId,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let (operands, code) = match hardware.has_code() {
            true => args.split_at(args.len().saturating_sub(1)),
            false => (args, &[][..]),
        };
        let code = match code {
            [Value::Scalar(code)] => match d.as_const(&code.bits) {
                Some(code) => code.to_u64().unwrap_or_default() as u8,
                None => return self.unsupported("instruction whose immediate is not known"),
            },
            _ => 0,
        };
        let (inputs, poison) = self.whole_vectors(d, operands)?;
        let lane = self.scalar_bits(self.elem_type(ret))?;
        let fits = match (hardware, &inputs[..]) {
            (Hardware::Checksum(from), [sum, data]) => d.width(sum) >= 32 && d.width(data) == from,
            (_, [first, rest @ ..]) => {
                let width = d.width(first);
                let whole = width.is_multiple_of(128) && matches!(lane, 8 | 16 | 32 | 64);
                whole && rest.iter().all(|other| d.width(other) == width)
            }
            (_, []) => false,
        };
        if !fits {
            return self.unsupported("instruction on operands of other widths");
        }
        if let Some(assumption) = hardware.assumption() {
            self.assume(assumption);
        }
        match hardware.value(d, lane, &inputs, code) {
            Some(whole) => self.lanes_of(d, ret, &whole, &poison),
            None => self.unsupported("immediate of an instruction"),
        }
    }

    /// Whether a comparison of the lowest lanes holds, as a number of 32 bits.
    pub(super) fn compare_low<D: Domain>(
        &self,
        d: &mut D,
        pred: FloatPred,
        args: &[Value<D>],
    ) -> Res<Value<D>> {
        let (Some(a), Some(b)) = (lowest(&args[0]), lowest(&args[1])) else {
            return self.unsupported("comparison of empty vectors");
        };
        let kind = format(d.width(&a.bits));
        let holds = float_compare(d, pred, kind, &a.bits, &b.bits);
        let bit = d.bool_to_bv(&holds);
        let bits = d.zfit(&bit, 32);
        let poison = d.or(&a.poison, &b.poison);
        Ok(Value::Scalar(Scalar::with_poison(d, bits, poison)))
    }

    /// The lowest lane as a signed integer: what does not fit is some number, the same for all.
    pub(super) fn truncate_low<D: Domain>(&self, d: &mut D, ret: TypeId, vector: &Value<D>) -> Res<Value<D>> {
        let Some(a) = lowest(vector) else { return self.unsupported("conversion of an empty vector") };
        self.assume(Assumption::FloatsByName);
        let convert = Convert::ToInt(d.width(&a.bits));
        let bits = convert.value(d, self.scalar_bits(ret)?, a.bits.clone());
        Ok(Value::Scalar(Scalar::with_poison(d, bits, a.poison.clone())))
    }
}

fn lowest<D: Domain>(vector: &Value<D>) -> Option<&Scalar<D>> {
    vector.scalars().into_iter().next()
}
