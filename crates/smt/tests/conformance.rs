//! One suite for every backend that is always there. Those that need a program installed are in
//! `external.rs`.

mod common;

use common::suite::conforms;
use smt::clock::Instant;
use smt::effort::{Ceiling, Effort};
use smt::{Answer, Cached, Embedded, Limits, Pool, Portfolio, Solver, Sort, Why};
use std::time::Duration;

fn rounds(usual: u64) -> u64 {
    std::env::var("CONFORMANCE_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(usual)
}

#[test]
fn embedded_conforms() {
    conforms(|| Box::new(Embedded::new()), rounds(120));
}

/// Either SAT solver alone, and one taking over from the other in the middle of most searches.
#[test]
fn embedded_conforms_whichever_solver_searches() {
    for conflicts in [0, 2, u64::MAX] {
        conforms(move || Box::new(Embedded::with_patience(conflicts)), rounds(40));
    }
}

#[test]
fn cached_conforms() {
    conforms(|| Box::new(Cached::new(Box::new(Embedded::new()))), rounds(40));
}

#[test]
fn portfolio_without_others_conforms() {
    conforms(|| Box::new(Portfolio::new(Vec::new())), rounds(40));
}

/// A query that the embedded solver won't decide soon: the factors of a 64-bit semiprime.
fn hard(p: &mut Pool) -> Vec<smt::TermId> {
    let (a, b) = (p.var("a", Sort::Bv(96)), p.var("b", Sort::Bv(96)));
    let m = p.mul(a, b);
    let n = p.num(96, 18_446_743_979_220_271_189);
    let one = p.num(96, 1);
    let big = p.num(96, 1 << 33);
    vec![p.eq(m, n), p.ult(one, a), p.ult(one, b), p.ult(a, big), p.ult(b, big)]
}

/// Patience with which one or the other SAT solver does it all.
const EITHER: [u64; 2] = [0, u64::MAX];

/// A budget ends a search, at the same step every time.
#[test]
fn effort_limit_holds() {
    for conflicts in EITHER {
        let run = || {
            let mut p = Pool::new();
            let goals = hard(&mut p);
            let start = Effort::so_far();
            let limits = Limits::effort(Effort::mega(20));
            let answer = Embedded::with_patience(conflicts).check(&mut p, &goals, &limits);
            assert_eq!(answer, Answer::Unknown(Why::Effort));
            Effort::since(start)
        };
        let effort = run();
        assert_eq!(effort, run());
        assert!(effort < Effort::mega(400), "took {effort}");
    }
}

/// A ceiling ends a search that no budget does, and says that it was time.
#[test]
fn ceiling_holds() {
    for conflicts in EITHER {
        let mut p = Pool::new();
        let goals = hard(&mut p);
        let (start, ceiling) = (Instant::now(), Ceiling::start(Duration::from_millis(300)));
        let answer = Embedded::with_patience(conflicts).check(&mut p, &goals, &Limits::effort(Effort::MAX));
        assert_eq!(answer, Answer::Unknown(Why::Time));
        assert!(ceiling.reached());
        assert!(start.elapsed() < Duration::from_millis(1500), "took {:?}", start.elapsed());
    }
}

/// The same query has the same model, whichever machine it is on and whatever was asked before.
#[test]
fn models_are_the_same_every_time() {
    for conflicts in [0, 20, u64::MAX] {
        let model = || {
            let mut p = Pool::new();
            let (a, b) = (p.var("a", Sort::Bv(24)), p.var("b", Sort::Bv(24)));
            let m = p.mul(a, b);
            let (n, one, most) = (p.num(24, 8_633 * 911), p.num(24, 1), p.num(24, 1 << 13));
            let goals = [p.eq(m, n), p.ult(one, a), p.ult(one, b), p.ult(a, most), p.ult(b, most)];
            match Embedded::with_patience(conflicts).check(&mut p, &goals, &Limits::default()) {
                Answer::Sat(m) => m.eval_all(&p, &[a, b]),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(model(), model());
    }
}

#[test]
fn memory_limit_holds() {
    let mut p = Pool::new();
    let goals = hard(&mut p);
    for conflicts in EITHER {
        let limits = Limits { memory: 1 << 20, ..Limits::default() };
        let answer = Embedded::with_patience(conflicts).check(&mut p, &goals, &limits);
        assert_eq!(answer, Answer::Unknown(Why::Memory));
    }
    // Wide division makes the blasting itself too big.
    let (a, b) = (p.var("wide", Sort::Bv(2000)), p.var("wider", Sort::Bv(2000)));
    let q = p.udiv(a, b);
    let e = p.eq(q, b);
    let limits = Limits { memory: 64 << 20, ..Limits::default() };
    assert_eq!(Embedded::new().check(&mut p, &[e], &limits), Answer::Unknown(Why::Memory));
}

/// Four disjoint word stores permuted, and division by ten: closed before any solver.
#[test]
fn normalisation_decides() {
    let mut p = Pool::new();
    let m = p.var("m", Sort::memory(64));
    let base = p.var("base", Sort::Bv(64));
    let words: Vec<_> = (0..4).map(|i| p.var(&format!("w{i}"), Sort::Bv(32))).collect();
    let mut build = |order: [usize; 4]| {
        let mut a = m;
        for i in order {
            let at = p.add_num(base, 4 * i as i128);
            a = p.store(a, at, words[i]);
        }
        a
    };
    assert_eq!(build([0, 1, 2, 3]), build([3, 1, 0, 2]));
    // Tests of flags: greater is not equal and not less.
    for k in [0, 6, 13] {
        let x = words[1];
        let k = p.num(32, k);
        let (ne, lt) = (p.ne(x, k), p.slt(x, k));
        let ge = p.not(lt);
        assert_eq!(p.and(ne, ge), p.sgt(x, k));
        let (eq, below) = (p.eq(x, k), p.ult(x, k));
        assert_eq!(p.or(eq, below), p.ule(x, k));
    }
    // Either bound of a comparison with a constant.
    let x = words[0];
    let (k13, k14) = (p.num(32, 13), p.num(32, 14));
    assert_eq!(p.slt(x, k14), p.sle(x, k13));
    assert_eq!(p.slt(k13, x), p.sle(k14, x));
    assert_eq!(p.ult(x, k14), p.ule(x, k13));
}
