//! Every guess is needed: the pair that is named here is proved with all guesses of its registry, and not without that one.

use crate::pairs::isel::{Isel, isel_pair};
use crate::pairs::opt::{Form, Opt, prepare};
use crate::pairs::prove::{Ask, ask};
use crate::pairs::{IselFile, isel_functions, opt_functions};
use equiv::{Guess, Knowing, Options, Programs, Verdict};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Alias metadata is relied on, and what verdicts take for granted of inputs.
const FORM: Form = Form { strict: false, trusting: true };

/// The pairs that need the guesses of [`Opt::GUESSES`], in their order.
const OPT: [&str; 5] = [
    "counter_without_sign",
    "signed_increment_compares_true",
    "load_ahead_of_loop",
    "address_steps_joined",
    "loop_multiply_becomes_shift",
];

/// The pair that needs the guess of [`Isel::GUESSES`].
const ISEL: [&str; 1] = ["loops_seldom_entered"];

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

fn options() -> Options {
    Options { time: Duration::from_secs(10), rounds: 1, ..Options::default() }
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

fn isel_proved(pair: &str, missing: Option<usize>) -> bool {
    let m = IselFile::parse(&read(&format!("{pair}.mir"))).expect("Machine IR");
    isel_functions(&m).0.iter().all(|name| {
        let Ok(pair) = isel_pair(&m, name, crate::memory::access::AccessCheck::Mapped) else { return false };
        let guesses = Knowing { known: &pair.relation, registry: &without(Isel::GUESSES, missing) };
        let programs = Programs::new(&pair.left, &pair.right, &pair.relation);
        is_proved(&ask(Programs { guesses: &[&guesses], ..programs }, &options(), &Ask::Prove(None)).verdict)
    })
}

/// What is wrong with the pairs named for a registry, each with those that would do.
fn wrong(named: &[&str], ending: &str, proved: &dyn Fn(&str, Option<usize>) -> bool) -> Vec<String> {
    let needs = |pair: &str, n: usize| proved(pair, None) && !proved(pair, Some(n));
    let unneeded = named.iter().enumerate().filter(|(n, pair)| !needs(pair, *n));
    let others = |n: usize| -> Vec<String> {
        let entries = std::fs::read_dir(equivalent()).expect("a directory").flatten();
        let names = entries.filter_map(|e| e.file_name().to_str()?.strip_suffix(ending).map(str::to_owned));
        names.filter(|pair| needs(pair, n)).collect()
    };
    unneeded.map(|(n, pair)| format!("guess {n} is not needed by {pair}, but by {:?}", others(n))).collect()
}

#[test]
fn every_guess_is_needed_by_its_pair() {
    assert_eq!((OPT.len(), ISEL.len()), (Opt::GUESSES.len(), Isel::GUESSES.len()));
    let mut all = wrong(&OPT, ".src.ll", &opt_proved);
    all.extend(wrong(&ISEL, ".mir", &isel_proved));
    assert!(all.is_empty(), "{}", all.join("\n"));
}
