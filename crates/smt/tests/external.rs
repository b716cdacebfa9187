//! The suite for external solvers, which need their programs on `PATH`. Not run by default; run with
//! `cargo test -p plumb-smt --test external -- --ignored`. Without a program these tests FAIL.

mod common;

use common::suite::conforms;
use smt::{External, Portfolio, found};

fn installed() -> Vec<External> {
    let all = found();
    assert!(!all.is_empty(), "none of z3, bitwuzla, cvc5 is on PATH: install one to run these tests");
    all
}

#[test]
#[ignore = "needs z3, bitwuzla or cvc5 on PATH"]
fn external_solvers_conform() {
    for e in installed() {
        conforms(|| Box::new(e.clone()), 24);
    }
}

#[test]
#[ignore = "needs z3, bitwuzla or cvc5 on PATH"]
fn portfolio_conforms() {
    let all = installed();
    conforms(|| Box::new(Portfolio::new(all.clone())), 24);
}
