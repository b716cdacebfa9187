//! Arithmetic on numbers that are known, between IR programs: what the function says of numbers so small that they may be
//! flushed to zero decides what comes of those.

use super::{Ir, Res, Side};
use crate::arithmetic::{exactly, is_subnormal};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Attr, BinOp, Inst, Op};
use crate::operation::{Arithmetic, Format};
use smt::Bv;

/// What may become of numbers that are too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Denormals {
    /// They stay.
    Stay,
    /// They may become zero of their sign.
    Signed,
    /// They may become positive zero.
    Positive,
    /// That depends on the processor's mode.
    Unknown,
}

/// Modes of what goes in and of what comes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Modes {
    results: Denormals,
    operands: Denormals,
}

impl Denormals {
    fn of(word: &str) -> Denormals {
        match word.trim() {
            "ieee" => Denormals::Stay,
            "preservesign" | "preserve-sign" => Denormals::Signed,
            "positivezero" | "positive-zero" => Denormals::Positive,
            _ => Denormals::Unknown,
        }
    }

    fn flushed(self, format: Format, v: Bv) -> Option<Bv> {
        if !is_subnormal(format, &v) {
            return Some(v);
        }
        match self {
            Denormals::Stay => Some(v),
            Denormals::Signed if v.bit(v.width() - 1) => Some(Bv::bit_at(v.width(), v.width() - 1)),
            Denormals::Signed | Denormals::Positive => Some(Bv::new(v.width(), 0)),
            Denormals::Unknown => None,
        }
    }
}

impl Modes {
    /// `results|operands`, or one word for both; also with a comma.
    fn of(text: &str) -> Modes {
        let (results, operands) = text.split_once(['|', ',']).unwrap_or((text, text));
        Modes { results: Denormals::of(results), operands: Denormals::of(operands) }
    }
}

impl Modes {
    /// What holds where nothing is said.
    const USUAL: Modes = Modes { results: Denormals::Stay, operands: Denormals::Stay };
}

impl Ir<'_> {
    /// Whether an attribute says of small numbers what holds without it.
    pub(crate) fn is_usual_mode(&self, attr: &Attr) -> bool {
        let text = match attr {
            Attr::Text(_, Some(text)) => self.m.names.text(*text),
            Attr::Raw(_, text) => text,
            _ => return false,
        };
        match self.m.names.text(attr.name()) {
            // (That of floats alone, `denormal-fp-math-f32`, takes back what is said of all.)
            "denormal-fp-math" => Modes::of(text) == Modes::USUAL,
            "denormal_fpenv" => text.split(',').all(|part| {
                let mode = part.split_once(':').map_or(part, |(_, mode)| mode);
                Modes::of(mode) == Modes::USUAL
            }),
            _ => false,
        }
    }

    /// What arithmetic on two known numbers gives; none where that is known by name alone.
    ///
    /// A function that lets small numbers be flushed need not flush them: its source may, which a proof makes use of
    /// where the target does no arithmetic of its own; a run on numbers shows nothing of such ones.
    pub(super) fn of_numbers<D: Domain>(
        &self,
        d: &mut D,
        op: Arithmetic,
        format: Format,
        (x, y): (&D::Bv, &D::Bv),
    ) -> Option<D::Bv> {
        if !self.checks.exact {
            return None;
        }
        let (a, b) = (d.as_const(x)?, d.as_const(y)?);
        let modes = self.denormals(format);
        if modes != Modes::USUAL {
            let probe = d.nondet("probe", 1);
            if self.side == Side::Target || d.as_const(&probe).is_some() || !self.target_does_no_arithmetic()
            {
                return None;
            }
        }
        let (a, b) = (modes.operands.flushed(format, a)?, modes.operands.flushed(format, b)?);
        let result = modes.results.flushed(format, exactly(op, format, &a, &b)?)?;
        Some(d.constant(result))
    }

    /// A number as comparisons take it: what goes in is taken for zero where the function says so, of whichever sign.
    pub(super) fn compared_as<D: Domain>(&self, d: &mut D, format: Format, bits: &D::Bv) -> Res<D::Bv> {
        let (Some(mantissa), true) = (format.mantissa(), self.checks.exact) else { return Ok(bits.clone()) };
        match self.denormals(format).operands {
            Denormals::Stay => Ok(bits.clone()),
            Denormals::Signed | Denormals::Positive => {
                let width = d.width(bits);
                let exponent = d.extract(width - 2, mantissa, bits);
                let (small, zero) = (d.is_zero(&exponent), d.num(width, 0));
                Ok(d.ite(&small, &zero, bits))
            }
            Denormals::Unknown => self.unsupported("comparison in a mode that is not known"),
        }
    }

    /// Whether the source's numbers stay as they are however small, and the target does no arithmetic of its own.
    pub(super) fn leaves_numbers(&self, format: Format) -> bool {
        self.checks.exact && self.denormals(format) == Modes::USUAL && self.target_does_no_arithmetic()
    }

    /// Whether numbers stay as they are however small, so that signs go where IEEE arithmetic has them; against machine
    /// programs also where they may be flushed, which keeps the sign there.
    pub(super) fn has_usual_numbers(&self, format: Format) -> bool {
        !self.checks.exact || self.denormals(format) == Modes::USUAL
    }

    fn target_does_no_arithmetic(&self) -> bool {
        let floats = |i: &Inst| {
            let op = match i.op {
                Op::Binary { op, .. } => op,
                _ => return false,
            };
            matches!(op, BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem)
        };
        self.beside.as_ref().is_some_and(|other| !other.f.insts.iter().any(floats))
    }

    /// The modes that the function's attributes say: numbers stay as they are where none does.
    fn denormals(&self, format: Format) -> Modes {
        let mut modes = Modes::USUAL;
        let mut of_floats = None;
        for attr in self.attributes_of(self.f) {
            let text = match attr {
                Attr::Text(_, Some(text)) => self.m.names.text(*text),
                Attr::Raw(_, text) => text,
                _ => continue,
            };
            match self.m.names.text(attr.name()) {
                "denormal-fp-math" => modes = Modes::of(text),
                "denormal-fp-math-f32" => of_floats = Some(Modes::of(text)),
                "denormal_fpenv" => {
                    for part in text.split(',') {
                        match part.split_once(':') {
                            Some((_, mode)) => of_floats = Some(Modes::of(mode)),
                            None => modes = Modes::of(part),
                        }
                    }
                }
                _ => {}
            }
        }
        if format == Format::F32 { of_floats.unwrap_or(modes) } else { modes }
    }
}
