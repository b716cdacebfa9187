//! What attributes promise of parameters and of what calls return, between IR programs: an optimiser relies on it.
//!
//! Only the source is held to them: where a promise is broken, the source is undefined or its value poison, which
//! permits anything. What the target promises anew is an assumption that `pairs/opt.rs` states.

use super::value::in_range;
use super::{Ir, Side, State, Value};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Attr, Call};
use crate::llvm_ir::types::TypeId;

/// Bytes of an object that a parameter is said to point to which are looked at: fewer promise less.
const MOST_BYTES: u64 = 64;

impl Ir<'_> {
    fn holds_promises(&self) -> bool {
        self.checks.exact && self.side == Side::Source
    }

    /// Notes at the entry that promises about the parameters do not hold: undefined with `noundef`, as with
    /// `dereferenceable`; without, an argument would be poison, which verdicts assume it is not.
    pub(crate) fn note_parameters<D: Domain>(&self, d: &mut D, st: &mut State<D>) {
        if !self.holds_promises() {
            return;
        }
        for param in &self.f.params {
            let Some(Some(Value::Scalar(value))) = st.locals.get(param.local.0 as usize) else { continue };
            let bits = value.bits.clone();
            let broken = self.value_breaks(d, &param.attrs, param.ty, &bits);
            self.note_ub(d, st, &broken);
            for attr in &param.attrs {
                let (bytes, or_null, write) = match (self.m.names.text(attr.name()), attr) {
                    ("dereferenceable", Attr::Int(_, n)) => (*n, false, false),
                    ("dereferenceable_or_null", Attr::Int(_, n)) => (*n, true, false),
                    ("byval" | "sret", Attr::Type(_, ty)) => {
                        (self.m.layout.alloc_size(&self.m.types, *ty).unwrap_or(0), false, true)
                    }
                    _ => continue,
                };
                let mut fine = d.bool(true);
                for i in 0..bytes.min(MOST_BYTES) {
                    let at = d.add_num(&bits, i128::from(i));
                    let this = self.checks.access.permits(d, &st.perm, &at, (1, write), true);
                    fine = d.and(&fine, &this);
                }
                let null = d.is_zero(&bits);
                let some = d.not(&null);
                let kept = if or_null { d.or(&null, &fine) } else { d.and(&some, &fine) };
                let broken = d.not(&kept);
                self.note_ub(d, st, &broken);
            }
        }
    }

    /// Whether what a call returned breaks what is promised of it: then it is poison.
    pub(crate) fn result_breaks<D: Domain>(&self, d: &mut D, call: &Call, bits: &D::Bv) -> D::Bool {
        if !self.holds_promises() {
            return d.bool(false);
        }
        let name = self.callee_name(call).and_then(|n| self.m.names.get(n));
        let declared = self.m.functions.iter().find(|f| Some(f.name) == name && f.ret == call.ret);
        let mut attrs = call.ret_attrs.clone();
        attrs.extend(declared.iter().flat_map(|f| f.ret_attrs.iter().cloned()));
        self.value_breaks(d, &attrs, call.ret, bits)
    }

    /// Whether a value is null, misaligned or out of the range that its attributes promise.
    fn value_breaks<D: Domain>(&self, d: &mut D, attrs: &[Attr], ty: TypeId, bits: &D::Bv) -> D::Bool {
        let mut broken = d.bool(false);
        for attr in attrs {
            let this = match (self.m.names.text(attr.name()), attr) {
                ("nonnull", _) => d.is_zero(bits),
                ("align", Attr::Int(_, n)) if n.is_power_of_two() && *n > 1 => {
                    let low = d.zfit(bits, n.trailing_zeros());
                    let aligned = d.is_zero(&low);
                    d.not(&aligned)
                }
                ("range", Attr::Raw(_, text)) => match self.bounds(d, text, ty) {
                    Some((lo, hi)) => {
                        let inside = in_range(d, bits, &lo, &hi);
                        d.not(&inside)
                    }
                    None => continue,
                },
                _ => continue,
            };
            broken = d.or(&broken, &this);
        }
        broken
    }

    /// The bounds of `range(iN LO, HI)` for a value of that type.
    fn bounds<D: Domain>(&self, d: &mut D, text: &str, ty: TypeId) -> Option<(D::Bv, D::Bv)> {
        let (of, numbers) = text.trim().split_once(' ')?;
        let (lo, hi) = numbers.split_once(',')?;
        let width = of.strip_prefix('i')?.parse::<u32>().ok()?;
        let (lo, hi) = (lo.trim().parse::<i128>().ok()?, hi.trim().parse::<i128>().ok()?);
        (lo != hi && self.scalar_bits(ty).ok()? == width).then(|| (d.signed(width, lo), d.signed(width, hi)))
    }
}
