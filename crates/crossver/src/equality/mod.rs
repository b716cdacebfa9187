//! Equality the cheap way: identical after relocation names, or the same instructions on every path.
//!
//! What a proof rests on: functions called by the same name, or that correspond, do the same (their own pairs say
//! whether); constants, strings and tables reached are equal, byte by byte and reference by reference; objects that
//! can be written correspond one to one. Read-only objects with equal contents are not told apart by address, and
//! unwinding is not compared, but for functions with landing pads, which are only identical if those tables are, too.

pub mod anchors;
mod contents;
pub mod linear;
mod literal;
pub mod matcher;
mod opposite;
pub mod side;
pub mod verdict;
mod walk;

use crate::code::{Code, Flow};
use crate::objects::{Arch, Image};
use crate::pairing::Pairing;
use crate::places::{self, Reference};
use matcher::Matcher;
use side::Side;
use std::collections::BTreeSet;
use verdict::{Assumption, Difference, How, Lack, Verdict, Why};

/// A function, decoded.
#[derive(Debug)]
pub struct Function {
    /// Its code.
    pub code: Code,
    /// Its references, a list for each stretch.
    pub references: Vec<Vec<Reference>>,
}

impl Function {
    /// Decodes a function of an image.
    #[must_use]
    pub fn of(image: &Image, function: usize) -> Function {
        let code = Code::of(image, function);
        let references = places::references(image, function, &code);
        Function { code, references }
    }
}

/// A verdict with what it rests on.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Functions of the same file whose pairs have to hold, too, by their new names.
    pub callees: BTreeSet<String>,
}

/// Compares two functions.
#[must_use]
pub fn compare(old: &Side, new: &Side, pairing: &Pairing, pair: (usize, usize)) -> Answer {
    if old.image.arch != new.image.arch {
        return unknown(Difference::Machines);
    }
    let (a, b) = (Function::of(old.image, pair.0), Function::of(new.image, pair.1));
    let unsupported = lack(old.image, pair.0, &a).or_else(|| lack(new.image, pair.1, &b));
    let mut linear = Matcher::new(old, new, pairing, pair);
    let first = linear::compare(&mut linear, &a, &b).and_then(|()| landing_pads(&mut linear, pair));
    let first = match first {
        Ok(()) if unsupported.is_none() || !old.image.linked => {
            return proved(How::Identical, linear.assumptions, linear.callees);
        }
        Ok(()) => Difference::Shape,
        Err(difference) => difference,
    };
    if let Some(lack) = unsupported {
        return Answer { verdict: Verdict::Unsupported(lack), callees: BTreeSet::new() };
    }
    if has_landing_pads(old.image, pair.0) || has_landing_pads(new.image, pair.1) {
        return unknown(Difference::LandingPads);
    }
    let mut walked = Matcher::new(old, new, pairing, pair);
    match walk::compare(&mut walked, &a, &b) {
        Ok(()) => proved(How::SameBlocks, walked.assumptions, walked.callees),
        // What differs in the bytes alone says less than what differs on a path.
        Err(Difference::Shape) => unknown(first),
        Err(difference) => unknown(difference),
    }
}

fn unknown(difference: Difference) -> Answer {
    Answer { verdict: Verdict::Unknown(Why::NotModelledYet(difference)), callees: BTreeSet::new() }
}

fn proved(how: How, assumptions: BTreeSet<Assumption>, callees: BTreeSet<String>) -> Answer {
    let verdict = match assumptions.is_empty() {
        true => Verdict::Proved(how),
        false => Verdict::Conditional(how, assumptions.into_iter().collect()),
    };
    Answer { verdict, callees }
}

/// What a function holds that is not read: unknown instructions, and addresses made in pieces in linked files.
fn lack(image: &Image, function: usize, f: &Function) -> Option<Lack> {
    let name = &image.functions[function].name;
    let start = f.code.stretches.first().map_or(0, |s| s.start);
    let place = |at: u64| format!("{name}+{:#x}", at.wrapping_sub(start));
    if f.code.insns().next().is_none() {
        return Some(Lack { what: "a function without instructions".to_owned(), place: name.clone() });
    }
    if let Some(insn) = f.code.insns().find(|insn| !insn.known()) {
        return Some(Lack {
            what: "an instruction that the decoder does not know".to_owned(),
            place: place(insn.at),
        });
    }
    if image.linked && !image.arch.is_x86() {
        let pieces = "addresses made in several steps in a linked file; compare objects".to_owned();
        return Some(Lack { what: pieces, place: name.clone() });
    }
    if image.linked && image.arch == Arch::I386 {
        let what =
            "addresses relative to the global offset table in a linked file; compare objects".to_owned();
        return Some(Lack { what, place: name.clone() });
    }
    let table = f.code.insns().find(|insn| insn.flow == Flow::IndirectJump);
    if let Some(jump) = table.filter(|_| image.linked) {
        let what = "a jump table without relocations in a linked file; compare objects".to_owned();
        return Some(Lack { what, place: place(jump.at) });
    }
    let fixed = image.fixed && image.linked;
    fixed.then(|| Lack {
        what: "numbers that may be addresses in a program at a fixed address; compare objects".to_owned(),
        place: name.clone(),
    })
}

fn has_landing_pads(image: &Image, function: usize) -> bool {
    let f = &image.functions[function];
    f.ranges().any(|(section, start, _)| image.landing.contains_key(&(section, start)))
}

/// Tables of landing pads hold distances from the function's start: equal tables, equal pads.
fn landing_pads(matcher: &mut Matcher, pair: (usize, usize)) -> Result<(), Difference> {
    let table = |image: &Image, function: usize| {
        let f = &image.functions[function];
        let place = |(section, start, _)| image.landing.get(&(section, start)).copied();
        f.ranges().map(place).collect::<Vec<_>>()
    };
    let (old, new) = (table(matcher.old.image, pair.0), table(matcher.new.image, pair.1));
    if old.len() != new.len() {
        return Err(Difference::LandingPads);
    }
    for tables in old.into_iter().zip(new) {
        let ((s, x), (t, y)) = match tables {
            (None, None) => continue,
            // Without relocations the types that pads catch are distances, which say nothing by themselves.
            (Some(a), Some(b)) if !matcher.old.image.linked => (a, b),
            (Some(_), None | Some(_)) | (None, Some(_)) => return Err(Difference::LandingPads),
        };
        let place = |section, offset: u64| places::Place::Data {
            section,
            offset: offset as i64,
            symbol: None,
            through: false,
        };
        let same = matcher.same(&place(s, x), &place(t, y), None);
        same.map_err(|_| Difference::LandingPads)?;
    }
    Ok(())
}
