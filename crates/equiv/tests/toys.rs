//! The engine on two toy languages, unchanged: equivalent programs with loops proved, broken ones
//! refuted by a replayed model, vacuous ones reported.

mod toy;

use equiv::*;
use toy::{stack::Stack, whilelang::While};

/// Figure 1: the sum of the first elements of an arithmetic sequence.
const SUM: &str = "fn sum(a0, d, n) {
    s = a0; a = a0; i = 1;
    while i < n { a = a + d; s = s + a; i = i + 1; }
    return s;
}";

/// The same on the stack machine, after figure 2 (b): the comparison turned round, the order of the
/// additions changed, other names.
const SUM_STACK: &str = "
    enter a0 d n
    get a0
    set r0
    get a0
    set r1
    push 1
    set r2
  loop:
    get r2
    get n
    <
    jz done
    get r1
    get d
    +
    set r3
    get r3
    get r0
    +
    set r0
    get r3
    set r1
    push 1
    get r2
    +
    set r2
    jmp loop
  done:
    get r0
    ret
";

fn check<L: Semantics, R: Semantics>(left: &L, right: &R, opts: &Options) -> Report {
    let accept = SameNames::default();
    prove(&Programs::new(left, right, &accept), opts)
}

fn proved<L: Semantics, R: Semantics>(left: &L, right: &R) -> Certificate {
    let both = Options { bisimulation: true, ..Options::default() };
    // Each against itself first, then both directions at once.
    for r in [check(left, left, &both), check(right, right, &both)] {
        assert_eq!(r.verdict.kind().name(), "proved", "against itself: {:?}", r.verdict);
    }
    let r = check(left, right, &both);
    match r.verdict {
        Verdict::Proved(c) => c,
        v => panic!("expected a proof, found {v:?}"),
    }
}

fn refuted<L: Semantics, R: Semantics>(left: &L, right: &R) -> Counterexample {
    // Where runs do not count there is no proof all the same.
    let unrun = check(left, right, &Options { runs_refute: false, ..Options::default() }).verdict;
    assert_eq!(unrun.kind().name(), "unknown", "without runs: {unrun:?}");
    match check(left, right, &Options::default()).verdict {
        Verdict::Refuted(c) => {
            assert!(c.replayed == equiv::Replay::InModel, "a refutation must replay");
            *c
        }
        v => panic!("expected a refutation, found {v:?}"),
    }
}

#[test]
fn figures_1_to_3() {
    let (l, r) = (While::parse(SUM), Stack::parse(SUM_STACK));
    let c = proved(&l, &r);
    // Entry and the loop: exits match in place.
    assert_eq!(c.points.len(), 2);
    let text: Vec<String> = c.points[1].constraints.iter().map(ToString::to_string).collect();
    for want in [
        "right.r0 = left.s",
        "right.r1 = left.a",
        "right.r2 = left.i",
        "right.n = left.n",
        "right.d = left.d",
    ] {
        assert!(text.iter().any(|t| t == want), "{want} is missing from {text:?}");
    }
}

#[test]
fn figures_1_to_3_broken() {
    let l = While::parse(SUM);
    let broken = |from: &str, to: &str| {
        let text = SUM_STACK.replacen(from, to, 1);
        assert_ne!(text, SUM_STACK);
        Stack::parse(&text)
    };
    refuted(&l, &broken("push 1\n    set r2", "push 0\n    set r2"));
    refuted(&l, &broken("get r3\n    set r1", "get r0\n    set r1"));
    refuted(&l, &broken("get r3\n    get r0\n    +", "get r3\n    get r0\n    -"));
    // A signed comparison differs only for loops of 2^31 rounds, too long to replay: not a
    // refutation, and certainly no proof.
    let v = check(&l, &broken("<", "<s"), &Options::default()).verdict;
    assert_eq!(v.kind().name(), "unknown", "{v:?}");
}

#[test]
fn certificates_check_again_and_tampering_shows() {
    let (l, r) = (While::parse(SUM), Stack::parse(SUM_STACK));
    let c = proved(&l, &r);
    let accept = SameNames::default();
    let p = Programs::new(&l, &r, &accept);
    let again = Certificate::from_text(&c.to_text()).expect("a certificate");
    assert_eq!(again, c);
    assert_eq!(recheck(&p, &again, &Options::default()).verdict.kind().name(), "proved");
    // Without what relates the sums.
    let mut weak = c.clone();
    weak.points[1].constraints.retain(|k| !k.to_string().contains("left.s"));
    assert_eq!(recheck(&p, &weak, &Options::default()).verdict.kind().name(), "unknown");
    // With something false.
    let mut wrong = c.clone();
    let one = smt::Bv::one(32);
    wrong.points[1]
        .constraints
        .push(Constraint { a: Expr::Var(Side::Left, "d".into()), b: Expr::Const(one) });
    assert_eq!(recheck(&p, &wrong, &Options::default()).verdict.kind().name(), "unknown");
    // An entry relation of its own is ignored.
    let mut entry = c.clone();
    entry.points[0].constraints.clear();
    assert_eq!(recheck(&p, &entry, &Options::default()).verdict.kind().name(), "proved");
    // For other programs.
    let other = Stack::parse(&SUM_STACK.replacen("get d", "get n", 1));
    let q = Programs::new(&l, &other, &accept);
    assert_eq!(recheck(&q, &c, &Options::default()).verdict.kind().name(), "unknown");
}

#[test]
fn nested_loops_calls_and_memory() {
    let l = While::parse(
        "fn f(p, n) { i = 0;
            while i < n { j = 0; acc = 0;
                while j < i { acc = acc + [p + j * 4]; j = j + 1; }
                r = call sink(acc, i);
                if r == 0 { [p + i * 4] = acc; } else { [p + i * 4] = r + 1; }
                i = i + 1; }
            return i; }",
    );
    let r = Stack::parse(
        "enter p n
        push 0
        set x
      outer:
        get x
        get n
        <
        jz end
        push 0
        set k
        push 0
        set sum
      inner:
        get k
        get x
        <
        jz out
        get k
        push 2
        <<
        get p
        +
        load
        get sum
        +
        set sum
        get k
        push 1
        +
        set k
        jmp inner
      out:
        get sum
        get x
        call sink 2
        set v
        get p
        push 4
        get x
        *
        +
        get v
        jz zero
        get v
        push 1
        +
        jmp put
      zero:
        get sum
      put:
        store
        get x
        push 1
        +
        set x
        jmp outer
      end:
        get x
        ret",
    );
    proved(&l, &r);
}

#[test]
fn rotated_loop() {
    let l = While::parse("fn f(n, x) { i = 0; while i < n { x = x * 3 + i; i = i + 1; } return x; }");
    // Test at the bottom, guarded.
    let r = Stack::parse(
        "enter n x
        get n
        jz done
      body:
        get x
        push 3
        *
        get i
        +
        set x
        get i
        push 1
        +
        set i
        get i
        get n
        <
        jz done
        jmp body
      done:
        get x
        ret",
    );
    proved(&l, &r);
}

#[test]
fn overlapping_stores_in_the_wrong_order() {
    let l = While::parse("fn f(p) { [p + 2] = 0; [p + 4] = 2; [p + 12] = 7; return 0; }");
    let same = While::parse("fn f(p) { [p + 12] = 7; [p + 2] = 0; [p + 4] = 2; return 0; }");
    let swapped = While::parse("fn f(p) { [p + 12] = 7; [p + 4] = 2; [p + 2] = 0; return 0; }");
    proved(&l, &same);
    refuted(&l, &swapped);
}

#[test]
fn undefined_behaviour_permits_anything_on_the_left_only() {
    let div = While::parse("fn f(a, b) { q = a / b; r = call g(q); return r; }");
    let total = While::parse(
        "fn f(a, b) { q = 0; if b == 0 { q = 5; } else { q = a / b; } r = call g(q); return r; }",
    );
    assert_eq!(check(&div, &total, &Options::default()).verdict.kind().name(), "proved");
    // The other way round the division traps where the left does not.
    let c = refuted(&total, &div);
    assert!(c.right[c.first_difference].contains("division by zero"), "{c}");
    // And in both directions it is no equivalence.
    let both = Options { bisimulation: true, ..Options::default() };
    assert_eq!(check(&div, &total, &both).verdict.kind().name(), "refuted");
}

#[test]
fn vacuous_proofs_are_reported() {
    let never = While::parse("fn f(a) { x = a / (a - a); return x; }");
    let any = While::parse("fn f(a) { return 7; }");
    match check(&never, &any, &Options::default()).verdict {
        Verdict::Unknown(r) => assert_eq!(r.kind, ReasonKind::Vacuous),
        v => panic!("expected a vacuous answer, found {v:?}"),
    }
}

#[test]
fn non_termination_is_not_equivalence() {
    let l = While::parse("fn f(a) { return a; }");
    let r = While::parse("fn f(a) { while a == a { a = a + 0; } return a; }");
    let v = check(&l, &r, &Options { runs: 4, ..Options::default() }).verdict;
    assert_eq!(v.kind().name(), "unknown", "{v:?}");
    let v = check(&r, &l, &Options { runs: 4, ..Options::default() }).verdict;
    assert_eq!(v.kind().name(), "unknown", "{v:?}");
}

#[test]
fn a_rare_difference_is_found_by_its_model() {
    let l = While::parse("fn f(a, b) { return a + b; }");
    let r =
        While::parse("fn f(a, b) { if (a ^ b) == 3735928559 { return 1; } else { x = 0; } return a + b; }");
    let c = refuted(&l, &r);
    assert_ne!(c.left, c.right);
}

#[test]
fn hints_replace_inference() {
    let (l, r) = (While::parse(SUM), Stack::parse(SUM_STACK));
    let eq = |a: &str, b: &str| Constraint {
        a: Expr::Var(Side::Right, b.into()),
        b: Expr::Var(Side::Left, a.into()),
    };
    let at = |s: &Shape, n: &str| s.find(n).expect("a point");
    let mut constraints: Vec<Constraint> =
        [("s", "r0"), ("a", "r1"), ("i", "r2"), ("n", "n"), ("d", "d"), ("mem", "mem")]
            .iter()
            .map(|(a, b)| eq(a, b))
            .collect();
    // One that is not inductive is dropped.
    constraints.push(eq("s", "r1"));
    let hint = SyncPoint { left: at(l.shape(), "while1"), right: at(r.shape(), "loop"), constraints };
    let accept = SameNames::default();
    let p = Programs { hints: vec![hint], ..Programs::new(&l, &r, &accept) };
    let r = prove(&p, &Options { runs: 0, ..Options::default() });
    match r.verdict {
        Verdict::Proved(c) => assert_eq!(c.points[1].constraints.len(), 6),
        v => panic!("expected a proof, found {v:?}"),
    }
}

#[test]
fn bounded_fallback() {
    // Summing up and summing down: equal, but by no relation between the states of the loops.
    let l = While::parse("fn f(n) { s = 0; i = 0; while i < (n & 7) { s = s + i; i = i + 1; } return s; }");
    let r = While::parse("fn f(n) { s = 0; i = n & 7; while 0 < i { i = i - 1; s = s + i; } return s; }");
    let v = check(&l, &r, &Options { bound: Some(3), ..Options::default() }).verdict;
    assert!(matches!(v, Verdict::Bounded { passes: 3, .. }), "{v:?}");
}
