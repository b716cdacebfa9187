//! Every guess about optimisers is needed: the pair that is named here is proved with all guesses of its registry, and not without that one.

use crate::pairs::opt::{Form, Opt, prepare};
use crate::pairs::opt_functions;
use crate::pairs::prove::{Ask, ask};
use equiv::{Guess, Knowing, Options, Programs, Verdict};
use smt::effort::Effort;
use std::path::{Path, PathBuf};

/// Alias metadata is relied on, and what verdicts take for granted of inputs.
const FORM: Form = Form { trusting: true, ..Form::PLAIN };

/// The pairs that need the guesses of [`Opt::GUESSES`], in their order. Of [`Isel::GUESSES`] there is none: where runs
/// show the same relations, those expected only spare the time of finding them.
///
/// [`Isel::GUESSES`]: crate::pairs::Isel::GUESSES
const OPT: [&str; 10] = [
    "answer_kept_past_a_loop",
    "counter_without_sign",
    "counter_ends_at_limit",
    "sum_of_bits_of_even_counter",
    "counter_compared_before_its_step",
    "load_carried_beside_address",
    "load_hoisted_past_stores_of_another_type",
    "promoted_counter_may_wrap",
    "address_steps_taken_out_of_a_loop",
    "sum_hoisted_out_of_inner_loop",
];

fn equivalent() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv/equivalent")
}

fn read(name: &str) -> Vec<u8> {
    let path = equivalent().join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A registry without one of its guesses.
fn without<'a, K>(all: &[&'a dyn Guess<K>], one: Option<usize>) -> Vec<&'a dyn Guess<K>> {
    all.iter().enumerate().filter(|(n, _)| Some(*n) != one).map(|(_, guess)| *guess).collect()
}

/// One small round: these pairs are proved in a tenth of it, and what lacks a guess is to end soon.
fn options() -> Options {
    Options { first_round: Some(Effort::mega(1_000)), rounds: 1, ..Options::default() }
}

fn is_proved(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Proved(_) | Verdict::Conditional { .. })
}

fn opt_proved(pair: &str, missing: Option<usize>) -> bool {
    let parse = |side: &str| crate::llvm_ir::parse(&read(&format!("{pair}.{side}.ll"))).expect("LLVM IR");
    let (left, right) = (parse("src"), parse("tgt"));
    opt_functions(&left, &right).iter().all(|name| {
        let Ok((l, r, _)) = prepare(&left, &right, name, FORM) else { return false };
        let known = Opt { left: &l, right: &r };
        let guesses = Knowing { known: &known, registry: &without(Opt::GUESSES, missing) };
        let programs = Programs { guesses: &[&guesses], ..Programs::new(&l, &r, &known) };
        is_proved(&ask(programs, &options(), &Ask::Prove(None)).verdict)
    })
}

/// What is wrong with the pairs that are named, each with those that would do.
fn wrong() -> Vec<String> {
    let needs = |pair: &str, n: usize| opt_proved(pair, None) && !opt_proved(pair, Some(n));
    let unneeded = OPT.iter().enumerate().filter(|(n, pair)| !needs(pair, *n));
    let others = |n: usize| -> Vec<String> {
        let entries = std::fs::read_dir(equivalent()).expect("a directory").flatten();
        let names =
            entries.filter_map(|e| e.file_name().to_str()?.strip_suffix(".src.ll").map(str::to_owned));
        names.filter(|pair| needs(pair, n)).collect()
    };
    unneeded.map(|(n, pair)| format!("guess {n} is not needed by {pair}, but by {:?}", others(n))).collect()
}

#[test]
fn every_guess_is_needed_by_its_pair() {
    assert_eq!(OPT.len(), Opt::GUESSES.len());
    let wrong = wrong();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
