//! Random states of a pair, for functions that are said to do the same although a fault is in one: only a run can tell
//! whether the fault matters.

use super::plan::PAGE;
use equiv::{Counterexample, EventKind, Inputs, Replay, Seen, Semantics, Val, VarSort};
use langs::machine_code::{Program, Reference, x86::SYSV};
use langs::pairs::MachinePair;
use smt::{ArrayVal, Bv, Concrete, Rng};
use std::collections::BTreeSet;

/// Pages that pointers lead to, those of named objects, and how many of each.
const HEAP: u64 = 0x2000_0000;
const OBJECTS: u64 = 0x1000_0000;
const PAGES: u64 = 8;

/// Bytes of each page that hold something.
const FILLED: u64 = 512;

/// How many calls get an answer.
const CALLS: usize = 24;

/// A counterexample that nothing has shown to be one.
#[must_use]
pub fn state(pair: &MachinePair, seed: u64) -> Counterexample {
    // Mixed: the generators of neighbouring seeds must not be the same one, a draw apart.
    let mut rng = Rng(Rng(seed).draw());
    let mut domain = Concrete::new(seed);
    let mut pages: Vec<u64> = (0..PAGES).map(|n| HEAP + n * PAGE).collect();
    let names: BTreeSet<String> = names(&pair.left).chain(names(&pair.right)).collect();
    for (n, name) in names.into_iter().enumerate() {
        let at = OBJECTS + n as u64 * 2 * PAGE;
        pages.push(at);
        domain.objects.insert((name.clone(), 64), PAGE);
        domain.symbols.insert((name, 64), Bv::new(64, u128::from(at)));
    }
    let mut mem = ArrayVal::new(64, Bv::zero(8));
    for page in &pages {
        for at in (0..FILLED).step_by(8) {
            mem.store(&Bv::new(64, u128::from(page + at)), &word(&mut rng));
        }
    }
    for n in [3usize, 5, 12, 13, 14, 15] {
        domain.symbols.insert((Program::saved_name(&SYSV, n), 64), Bv::new(64, u128::from(rng.draw())));
    }
    let mut vars = Vec::new();
    for var in pair.left.shape().points.first().into_iter().flat_map(|p| &p.vars) {
        let value = match (&var.sort, var.name.as_str()) {
            (VarSort::Mem { .. }, "mem") => Val::Mem(mem.clone()),
            (VarSort::Mem { .. }, _) => Val::Mem(ArrayVal::new(64, Bv::ones(8))),
            (VarSort::Bv(width), _) if *width > 64 => {
                Val::Bv(Bv::new(*width, u128::from(rng.draw()) << 64 | u128::from(rng.draw())))
            }
            (VarSort::Bv(width), _) => Val::Bv(word(&mut rng).zext(64).trunc(*width)),
        };
        vars.push((var.name.clone(), value));
    }
    domain.accesses = Some(pages.into_iter().map(|at| (at, 1)).collect());
    let mut seen = || Seen {
        event: Some(EventKind::Call),
        label: equiv::Label::call(None),
        args: Vec::new(),
        results: [64, 64, 64, 128, 128]
            .map(|width| Val::Bv(word(&mut rng).zext(width.max(64)).trunc(width)))
            .to_vec(),
    };
    let seen = (0..CALLS).map(|_| seen()).collect();
    let numbers = Inputs { vars, domain, seen, right_errs: false, right_leaves_open: false };
    Counterexample {
        inputs: Vec::new(),
        left: Vec::new(),
        right: Vec::new(),
        paths: [Vec::new(), Vec::new()],
        first_difference: 0,
        differences: Vec::new(),
        replayed: Replay::InModel,
        numbers: Some(Box::new(numbers)),
    }
}

/// Pointers, small numbers, edges.
fn word(rng: &mut Rng) -> Bv {
    let value = match rng.below(8) {
        0..=2 => HEAP + rng.below(PAGES) * PAGE + rng.below(FILLED / 8) * 8,
        3..=4 => rng.below(16),
        5 => rng.below(256),
        6 => (rng.below(16) as i64 - 8) as u64,
        _ => rng.draw(),
    };
    Bv::new(64, u128::from(value))
}

/// Names of objects that code refers to.
fn names(program: &Program) -> impl Iterator<Item = String> + '_ {
    let references = program.function().insns.iter().flat_map(|insn| [&insn.memory, &insn.immediate]);
    references.flatten().filter_map(|reference| match reference {
        Reference::Place(place) | Reference::Indirect(place) => {
            Some(place.name.clone()).filter(|name| name.starts_with('@'))
        }
        Reference::ThreadOffset(_) | Reference::IndirectThreadOffset(_) | Reference::Table(_) => None,
    })
}
