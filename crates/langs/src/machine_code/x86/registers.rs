//! Registers and their parts.

use super::super::state::{Code, Machine};
use super::uses::number;
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext, Res};
use iced_x86::{EncodingKind, Register};

/// Whether a register is the second byte of another.
fn is_high(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

impl Code<'_> {
    /// Reads a register.
    pub(crate) fn read<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        i: usize,
        register: Register,
    ) -> Res<D::Bv> {
        if number(register).is_some_and(|n| n < 16 && self.facts.known(i, n).is_code()) {
            return Err(self.f.unsupported(i, "what a jump table holds as data"));
        }
        self.read_any(d, m, i, register)
    }

    /// As [`Code::read`], also what came from a jump table.
    pub(crate) fn read_any<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        i: usize,
        register: Register,
    ) -> Res<D::Bv> {
        let Some(n) = number(register) else {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        };
        if n < 16 && self.facts.frame(i, n).is_some() {
            let whole = self.frame_register(d, i, n)?;
            return Ok(d.zfit(&whole, register.size() as u32 * 8));
        }
        let Some(whole) = m.registers[n].clone() else {
            return Err(self.f.unsupported(i, &format!("{register:?} before anything is known of it")));
        };
        let width = register.size() as u32 * 8;
        if width == 256 {
            let Some(upper) = m.registers[self.f.abi.upper(n)].clone() else {
                return Err(self.f.unsupported(i, &format!("{register:?} before anything is known of it")));
            };
            return Ok(d.concat(&upper, &whole));
        }
        if width > d.width(&whole) {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        }
        let low = if is_high(register) { 8 } else { 0 };
        Ok(d.extract(low + width - 1, low, &whole))
    }

    /// Writes a register: of 32 bits the rest becomes zero, of fewer it stays; of vectors SSE leaves the rest, and AVX clears it.
    pub(crate) fn write<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, register): (usize, Register),
        value: &D::Bv,
    ) -> Res<()> {
        let Some(n) = number(register) else {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        };
        let width = register.size() as u32 * 8;
        if width > 256 {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        }
        let sse = self.f.insns[i].x86().code().encoding() == EncodingKind::Legacy;
        if n >= self.f.abi.general && !sse {
            let whole = d.zfit(value, 256);
            m.registers[self.f.abi.upper(n)] = Some(d.extract(255, 128, &whole));
        }
        let (value, width) = (d.zfit(value, width.min(128)), width.min(128));
        let whole = match (n < 16, width) {
            (true, 64) | (false, 128) => value,
            (true, 32) => d.zfit(&value, 64),
            _ => {
                // Of a register that nobody set the rest may be anything.
                let old = m.registers[n].clone();
                let old = old.unwrap_or_else(|| d.nondet("what nobody set", self.f.abi.width(n)));
                replace_bits(d, &old, &value, if is_high(register) { 8 } else { 0 })
            }
        };
        m.registers[n] = Some(whole);
        Ok(())
    }
}
