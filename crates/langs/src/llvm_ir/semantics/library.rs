//! Calls of functions of the C library whose result the arguments decide, between IR programs: optimisers make numbers and
//! instructions of them.

use super::compare::COMPARING;
use super::{Effect, Ir, Res, Scalar, Side, State, Value};
use crate::assumption::Assumption;
use crate::bits;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Call, Inst};

impl Ir<'_> {
    /// What a call of the library comes to where that is known; none where it is a call like others.
    pub(super) fn library_call<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        (call, args): (&Call, &[Value<D>]),
    ) -> Res<Option<Effect<D>>> {
        let Some(name) = self.callee_name(call).filter(|_| self.checks.exact) else { return Ok(None) };
        if self.callee(call).is_none_or(|f| f.defined) || call.flags.any_math() {
            return Ok(None);
        }
        if let Some(effect) = self.spelled_call(d, st, (inst, call))? {
            return Ok(Some(effect));
        }
        let scalars: Option<Vec<&Scalar<D>>> = args.iter().map(Value::scalar).collect();
        let Some(scalars) = scalars else { return Ok(None) };
        if name == "free" && scalars.first().is_some_and(|p| is_number(d, p, 0)) {
            self.note_library(d);
            return Ok(Some(Effect::Next));
        }
        let width = self.scalar_bits(call.ret);
        let (Ok(width), Some(_)) = (width, inst.result) else { return Ok(None) };
        if name == "strlen" && scalars.first().is_some_and(|text| self.has_no_end(d, text)) {
            self.note_library(d);
            let always = d.bool(true);
            self.note_ub(d, st, &always);
        }
        let Some(result) = self.library_result(d, name, &scalars, width) else { return Ok(None) };
        self.note_library(d);
        let mut poison = d.bool(false);
        // Pointers to nothing are not looked at.
        let looked = if matches!(name, "memcmp" | "bcmp" | "fwrite") { &[][..] } else { &scalars[..] };
        for s in looked {
            let bad = if self.side == Side::Target { s.anything(d) } else { s.poison.clone() };
            poison = d.or(&poison, &bad);
        }
        self.set_result(st, inst, Value::Scalar(Scalar::with_poison(d, result, poison)));
        Ok(Some(Effect::Next))
    }

    pub(super) fn note_library<D: Domain>(&self, d: &mut D) {
        // A run on numbers proves nothing.
        let probe = d.nondet("probe", 1);
        if d.as_const(&probe).is_none() {
            self.assume(Assumption::FunctionsOfTheLibrary);
        }
    }

    fn library_result<D: Domain>(
        &self,
        d: &mut D,
        name: &str,
        args: &[&Scalar<D>],
        width: u32,
    ) -> Option<D::Bv> {
        match (name, args) {
            ("ffs" | "ffsl" | "ffsll", [x]) => {
                let zeros = bits::trailing_zeros(d, &x.bits);
                let place = d.add_num(&zeros, 1);
                let (none, nothing) = (d.is_zero(&x.bits), d.num(d.width(&x.bits), 0));
                let place = d.ite(&none, &nothing, &place);
                Some(d.zfit(&place, width))
            }
            ("fabsf" | "fabs", [x]) if d.width(&x.bits) == width && matches!(width, 32 | 64) => {
                let magnitude = d.extract(width - 2, 0, &x.bits);
                Some(d.zfit(&magnitude, width))
            }
            ("memcmp" | "bcmp", [a, b, length]) => {
                let same = d.eq(&a.bits, &b.bits);
                let itself = self.side == Side::Source
                    && d.as_bool(&same) == Some(true)
                    && self.target_is_without(COMPARING);
                (itself || is_number(d, length, 0)).then(|| d.num(width, 0))
            }
            ("fwrite", [_, size, count, _]) => {
                (is_number(d, size, 0) || is_number(d, count, 0)).then(|| d.num(width, 0))
            }
            ("strlen", [text]) => {
                let length = self.length_of_constant(d, text)?;
                Some(d.num(width, u128::from(length)))
            }
            _ => None,
        }
    }

    /// How many bytes a constant has from an address on before the first zero.
    pub(super) fn length_of_constant<D: Domain>(&self, d: &mut D, text: &Scalar<D>) -> Option<u64> {
        self.constant_behind(d, text)?.iter().position(|b| *b == 0).map(|n| n as u64)
    }

    /// Whether the source looks for the end of a text in a constant that has none.
    fn has_no_end<D: Domain>(&self, d: &mut D, text: &Scalar<D>) -> bool {
        self.side == Side::Source && self.constant_behind(d, text).is_some_and(|all| !all.contains(&0))
    }

    /// The bytes of a constant from an address in it to its end, where all are known.
    fn constant_behind<D: Domain>(&self, d: &mut D, text: &Scalar<D>) -> Option<Vec<u64>> {
        for (base, init, ty) in self.constant_contents(d) {
            let offset = d.sub(&text.bits, &base);
            let Some(offset) = d.as_const(&offset).and_then(|o| o.to_u64()) else { continue };
            let value = self.constant(d, init, ty).ok()?;
            let bytes: Option<Vec<u64>> = value.scalars().into_iter().map(|s| byte(d, s)).collect();
            let bytes = bytes?;
            return bytes.get(usize::try_from(offset).ok()?..).map(<[u64]>::to_vec);
        }
        None
    }
}

/// A byte that is known.
fn byte<D: Domain>(d: &mut D, s: &Scalar<D>) -> Option<u64> {
    let open = s.anything(d);
    let fine = d.width(&s.bits) == 8 && d.as_bool(&open) == Some(false);
    d.as_const(&s.bits).filter(|_| fine)?.to_u64()
}

fn is_number<D: Domain>(d: &mut D, s: &Scalar<D>, number: u64) -> bool {
    let open = s.anything(d);
    d.as_bool(&open) == Some(false) && d.as_const(&s.bits).and_then(|n| n.to_u64()) == Some(number)
}

/// Whether optimisers know a function by its name: those of LLVM's list of library functions, and some more.
pub(crate) fn is_known(name: &str) -> bool {
    include_str!("../library.txt").split_whitespace().any(|known| known == name)
}
