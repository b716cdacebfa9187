//! The machines that Capstone decodes: what they have in common.
//!
//! What an instruction does to control is told from its text, which assemblers agree on, by one function a machine;
//! Capstone's groups leave out returns by `pop` and jumps by writing to the program counter.

use super::{Decoder, Insn, Registers};
use capstone::Capstone;

/// An instruction's text, cut up.
pub struct Words<'a> {
    /// The mnemonic.
    pub mnemonic: &'a str,
    /// The operands as printed.
    pub operands: &'a str,
}

impl Words<'_> {
    /// The last operand, if it is a number: where branches print their target.
    pub fn last_number(&self) -> Option<i64> {
        number(self.operands.rsplit(',').next()?)
    }

    /// The operands before the last.
    pub fn but_last(&self) -> &str {
        self.operands.rsplit_once(',').map_or("", |(before, _)| before.trim())
    }

    /// The first operand.
    pub fn first(&self) -> &str {
        self.operands.split(',').next().unwrap_or_default().trim()
    }
}

/// A number as Capstone prints it: `#0x10`, `-0x8`, `12`.
pub fn number(text: &str) -> Option<i64> {
    let text = text.trim().trim_start_matches('#');
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    Some(if negative { (value as i64).wrapping_neg() } else { value as i64 })
}

/// A machine: Capstone's handles, and what its texts mean.
pub struct Machine {
    /// For the instruction set that is not Thumb.
    pub plain: Option<Capstone>,
    /// For Thumb.
    pub thumb: Option<Capstone>,
    /// Bytes of the shortest instruction, not of Thumb.
    pub unit: u8,
    /// Fills in flow, targets and places from the text.
    pub classify: fn(&Words, &mut Insn),
    /// The text without the places it names; none if only equal bytes are equal.
    pub key: fn(&Words, &Insn) -> Option<String>,
    /// Joins and completes what takes several instructions to see, from an instruction on and by their bytes.
    pub finish: fn(&mut Vec<Insn>, usize, &[u8]),
}

impl Machine {
    fn handle(&self, thumb: bool) -> Option<&Capstone> {
        if thumb { self.thumb.as_ref() } else { self.plain.as_ref() }
    }

    fn with<T>(
        &self,
        bytes: &[u8],
        insn: &Insn,
        f: impl FnOnce(&Capstone, &capstone::Insn) -> T,
    ) -> Option<T> {
        let handle = self.handle(insn.thumb)?;
        let decoded = handle.disasm_count(bytes, insn.at, 1).ok()?;
        decoded.first().map(|decoded| f(handle, decoded))
    }
}

fn words<'a>(insn: &'a capstone::Insn) -> Words<'a> {
    Words { mnemonic: insn.mnemonic().unwrap_or_default(), operands: insn.op_str().unwrap_or_default() }
}

impl Decoder for Machine {
    fn decode(&self, bytes: &[u8], at: u64, thumb: bool, out: &mut Vec<Insn>) {
        let first = out.len();
        let unit = if thumb { 2 } else { self.unit };
        let mut done = 0usize;
        while done < bytes.len() {
            let rest = &bytes[done..];
            if let Some(Ok(mut iter)) = self.handle(thumb).map(|h| h.disasm_iter(rest, at + done as u64)) {
                while let Some(decoded) = iter.next() {
                    // Capstone numbers unknown instructions 0; what it decodes has a number.
                    let opcode = (decoded.id().0 as u16).max(1);
                    let mut insn = Insn::plain(decoded.address(), decoded.len() as u8, opcode);
                    insn.thumb = thumb;
                    (self.classify)(&words(&decoded), &mut insn);
                    done += decoded.len();
                    out.push(insn);
                }
            }
            if done < bytes.len() {
                let left = (bytes.len() - done).min(usize::from(unit)) as u8;
                let mut unknown = Insn::plain(at + done as u64, left, 0);
                unknown.thumb = thumb;
                out.push(unknown);
                done += usize::from(left);
            }
        }
        (self.finish)(out, first, bytes);
    }

    fn key(&self, bytes: &[u8], insn: &Insn) -> Option<String> {
        self.with(bytes, insn, |_, decoded| (self.key)(&words(decoded), insn)).flatten()
    }

    fn text(&self, bytes: &[u8], insn: &Insn) -> String {
        let text = self.with(bytes, insn, |_, decoded| {
            let words = words(decoded);
            format!("{} {}", words.mnemonic, words.operands)
        });
        text.unwrap_or_else(|| "(unknown)".to_owned())
    }

    fn mnemonic(&self, bytes: &[u8], insn: &Insn) -> String {
        let mnemonic = self.with(bytes, insn, |_, decoded| words(decoded).mnemonic.to_owned());
        mnemonic.unwrap_or_else(|| "(unknown)".to_owned())
    }

    fn registers(&self, bytes: &[u8], insn: &Insn) -> Option<Registers> {
        let found = self.with(bytes, insn, |handle, decoded| {
            let detail = handle.insn_detail(decoded).ok()?;
            let names = |ids: &[capstone::RegId]| ids.iter().filter_map(|r| handle.reg_name(*r)).collect();
            Some(Registers { reads: names(detail.regs_read()), writes: names(detail.regs_write()) })
        });
        // Without operands told apart, an empty answer would say too much.
        found.flatten().filter(|r: &Registers| !r.reads.is_empty() || !r.writes.is_empty())
    }
}
