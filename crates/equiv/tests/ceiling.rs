//! A verdict is a function of the two programs: a ceiling on time makes it "out of time" and never another one, and what
//! the thread did before changes nothing.

mod toy;

use equiv::*;
use std::time::Duration;
use toy::{stack::Stack, whilelang::While};

/// A loop, and its code with the sum taken from where the tests put `FROM`.
const SOURCE: &str = "fn f(a0, d, n) { s = a0; a = a0; i = 1;
    while i < (n & 31) { a = a + d; s = s + a; i = i + 1; } return s; }";
const CODE: &str = "enter a0 d n\nget a0\nset r0\nget a0\nset r1\npush 1\nset r2\nloop:\nget r2\nget n\npush 31\n&\n<\njz done\nget r1\nget d\n+\nset r3\nget r3\nget FROM\n+\nset r0\nget r3\nset r1\npush 1\nget r2\n+\nset r2\njmp loop\ndone:\nget r0\nret";

/// What is told of a proof or a refutation, times left out; none where time ran out.
fn told(from: &str, time: Duration) -> Option<String> {
    let left = While::parse(SOURCE);
    let right = Stack::parse(&CODE.replace("FROM", from));
    let accept = SameNames::default();
    let p = Programs::new(&left, &right, &accept);
    match prove(&p, &Options { time, rounds: 2, ..Options::default() }).verdict {
        Verdict::Unknown(why) if why.limit == Some(Limit::Time) => None,
        Verdict::Unknown(why) => Some(format!("{:?} {:?} {:?}", why.kind, why.at, why.dropped)),
        Verdict::Refuted(c) => Some(c.to_string()),
        other => Some(format!("{other:?}")),
    }
}

#[test]
fn time_makes_no_other_verdict() {
    let mut late = 0;
    // Right, and wrong in the second round and in the first.
    for from in ["r0", "r1", "d"] {
        let whole = told(from, Duration::from_secs(600)).expect("within ten minutes");
        for micros in [0, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000] {
            match told(from, Duration::from_micros(micros)) {
                None => late += 1,
                Some(verdict) => assert_eq!(verdict, whole, "{from} within {micros} µs"),
            }
        }
        assert_eq!(told(from, Duration::from_secs(600)).as_ref(), Some(&whole), "{from} once more");
    }
    assert!(late > 2, "{late} of them were cut short");
}
