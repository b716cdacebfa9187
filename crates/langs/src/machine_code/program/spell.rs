//! What a call does that copies, fills or compares a known number of bytes, looks at a constant text, or tells where an object of
//! the library lies, where it is compared by that.

use super::super::spelled::{PLACES, Spelled, Verb};
use super::super::state::Machine;
use super::super::x86;
use super::Program;
use crate::domain::{Domain, Ext, Res};
use crate::x86::flags::Flags;

/// Bytes of a single store of what is filled or moved, and of what is copied: compilers that copy without a call go from the
/// first vector to the last.
const STORE: u64 = 32;
const COPY: u64 = 16;

impl Program {
    /// Runs such a call.
    pub(super) fn spell<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, what: Spelled) -> Res<()> {
        let Spelled { verb, bytes, .. } = what;
        if verb == Verb::Place {
            let name = PLACES.get(bytes as usize).copied().unwrap_or_default();
            let there = d.symbol(&format!("where {name} leads"), 64);
            self.called(d, m, i, there);
            return Ok(());
        }
        if verb == Verb::Length {
            let length = d.num(64, u128::from(bytes));
            self.called(d, m, i, length);
            return Ok(());
        }
        if matches!(verb, Verb::Strings | Verb::Bytes) {
            return self.compare(d, m, i, what);
        }
        let (to, of_object) = self.passed(d, m, i, 0)?;
        let (from, from_object) = self.passed(d, m, i, 1)?;
        let code = self.code();
        let registers = [0, 1].map(|n| 1u64 << self.f.abi.arguments[n]);
        let reach = |d: &mut D, m: &mut Machine<D>, at: &D::Bv, used: u64| {
            if bytes > 0 {
                code.keep_apart(d, m, (i, at), (bytes, used));
                code.keep_from_fresh(d, m, (i, at), (bytes, used));
            }
        };
        reach(d, m, &to, registers[0]);
        let step = if verb == Verb::Copy { COPY } else { STORE };
        let pieces = (0..bytes).step_by(step as usize).map(|at| (at, step.min(bytes - at)));
        if verb != Verb::Fill {
            reach(d, m, &from, registers[1]);
        }
        // Accesses by either follow.
        m.in_place = None;
        if verb == Verb::Copy && bytes > 0 {
            self.overlap(d, m, (&to, &from), bytes);
        }
        let load = |d: &mut D, m: &mut Machine<D>, at: u64, n: u64| {
            let at = d.add_num(&from, i128::from(at));
            code.load_at(d, m, &at, n, from_object)
        };
        let mut values = Vec::new();
        for (at, n) in pieces.clone() {
            match verb {
                Verb::Align
                | Verb::Repeat
                | Verb::Scan
                | Verb::Place
                | Verb::Length
                | Verb::Strings
                | Verb::Bytes => return Err(self.f.unsupported(i, "a call")),
                Verb::Fill => {
                    let byte = d.zfit(&from, 8);
                    values.push(repeated(d, &byte, n));
                }
                Verb::Move => values.push(load(d, m, at, n)),
                Verb::Copy => {}
            }
        }
        for (k, (at, n)) in pieces.enumerate() {
            let value = match values.get(k) {
                Some(value) => value.clone(),
                None => load(d, m, at, n),
            };
            let at = d.add_num(&to, i128::from(at));
            code.store_at(d, m, &at, &value, of_object);
        }
        self.called(d, m, i, to);
        Ok(())
    }

    /// Compares bytes one by one, as unsigned numbers: the result has the sign of the first difference, and is that. Of strings
    /// nothing is looked at behind the first difference; of bytes all are there.
    fn compare<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        Spelled { verb, bytes, text }: Spelled,
    ) -> Res<()> {
        let text = text.and_then(|(argument, from)| Some((argument, self.f.insns[from].text.clone()?)));
        let both = [self.passed(d, m, i, 0)?, self.passed(d, m, i, 1)?];
        let mut same = d.bool(true);
        let mut differences = Vec::new();
        for n in 0..bytes {
            let mut values = Vec::new();
            for (argument, (at, of_object)) in both.iter().enumerate() {
                if let Some((_, text)) = text.as_ref().filter(|(known, _)| *known == argument) {
                    let byte = text.get(n as usize).copied().unwrap_or(0);
                    values.push(d.num(8, u128::from(byte)));
                    continue;
                }
                let first = at.clone();
                let at = d.add_num(at, i128::from(n));
                // Where nothing is looked at any more, it is the first byte once more.
                let looked = if verb == Verb::Strings { d.ite(&same, &at, &first) } else { at.clone() };
                let used = 1u64 << self.f.abi.arguments[argument];
                self.code().keep_apart(d, m, (i, &looked), (1, used));
                self.code().keep_from_fresh(d, m, (i, &looked), (1, used));
                if !of_object {
                    self.code().check(d, m, &looked, 1, false);
                }
                m.in_place = None;
                values.push(self.code().load_at(d, m, &at, 1, true));
            }
            let (a, b) = (d.zfit(&values[0], 32), d.zfit(&values[1], 32));
            let equal = d.eq(&a, &b);
            same = d.and(&same, &equal);
            differences.push((equal, d.sub(&a, &b)));
        }
        let mut result = d.num(32, 0);
        for (equal, difference) in differences.into_iter().rev() {
            result = d.ite(&equal, &result, &difference);
        }
        let above = d.nondet("above a result", 32);
        let result = d.concat(&above, &result);
        self.called(d, m, i, result);
        Ok(())
    }

    /// What a call leaves in registers.
    fn called<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, result: D::Bv) {
        for n in self.calls.at(i).into_iter().flat_map(|call| call.clobbers()) {
            m.registers[n] = None;
        }
        self.keep_halves(d, m);
        m.flags = Flags::Unknown;
        m.registers[self.f.abi.results[0]] = Some(result);
    }

    /// An argument, and whether it is a place in the frame.
    fn passed<D: Domain>(&self, d: &mut D, m: &Machine<D>, i: usize, n: usize) -> Res<(D::Bv, bool)> {
        let register = self.f.abi.arguments[n];
        if let Some(at) = self.facts.frame(i, register) {
            return Ok((self.code().frame_address(d, i, at)?, true));
        }
        let value = match &m.registers[register] {
            Some(value) => value.clone(),
            None => d.nondet("an argument that nobody set", 64),
        };
        Ok((value, false))
    }

    /// Where what is copied overlaps with where it goes, and is not the same, nothing is defined.
    fn overlap<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (to, from): (&D::Bv, &D::Bv), bytes: u64) {
        let apart = d.sub(to, from);
        let moved = d.add_num(&apart, i128::from(bytes) - 1);
        let room = d.num(64, u128::from(2 * bytes - 1));
        let near = d.ult(&moved, &room);
        let same = d.eq(to, from);
        let other = d.not(&same);
        let overlap = d.and(&near, &other);
        m.fault_if(d, &overlap);
    }

    /// The ways behind an instruction that aligns an address, one for each alignment that it may have had, with its condition: on
    /// each the aligned address is so many bytes below.
    pub(super) fn aligned<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        i: usize,
    ) -> Res<Vec<(D::Bool, Machine<D>)>> {
        let register = x86::aligned_register(&self.f, i);
        let address = register.and_then(|n| m.registers[n].clone());
        let (Some(register), Some(address)) = (register, address) else {
            return Err(self.f.unsupported(i, "an address that nobody set"));
        };
        let low = d.zfit(&address, x86::ALIGNED.trailing_zeros());
        let mut after = m.clone();
        self.code().exec(d, &mut after, i)?;
        let mut out = Vec::new();
        for n in 0..x86::ALIGNED {
            let number = d.num(x86::ALIGNED.trailing_zeros(), u128::from(n));
            let so = d.eq(&low, &number);
            if d.as_bool(&so) != Some(false) {
                let mut way = after.clone();
                let below = d.add_num(&address, -i128::from(n));
                way.aligned = after.registers[register].clone().map(|form| (below.clone(), form));
                way.registers[register] = Some(below);
                out.push((so, way));
            }
        }
        Ok(out)
    }
}

/// A byte so many times.
fn repeated<D: Domain>(d: &mut D, byte: &D::Bv, times: u64) -> D::Bv {
    let mut all = byte.clone();
    for _ in 1..times {
        all = d.concat(&all, byte);
    }
    all
}
