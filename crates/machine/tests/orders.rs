//! What C leaves unspecified: orders of evaluation are tried both ways where a call could tell the difference, addresses
//! and bytes without a value of their own are others in a second run, and statements
//! left out of a run because they were not expected to run come back when they are reached.

use machine::{Exit, Options, Verdict};
use std::sync::Arc;

fn judge(text: &str, options: &Options) -> machine::Runs {
    let parsed = csyntax::parse::parse(text.as_bytes(), "order.c");
    let unit = csyntax::check::check(&parsed.ast, &options.target).unit.expect("it checks");
    machine::runs(&unit, options)
}

/// Does the program do something else in the other order?
fn depends(text: &str) -> bool {
    let runs = judge(text, &Options::default());
    let Verdict::Defined(outcome) = &runs.run.verdict else { panic!("{text}: {:?}", runs.run.verdict) };
    runs.mirrored.is_some_and(|other| other.differs(outcome))
}

const DEPENDENT: &[&str] = &[
    "int g; int f(void) { return ++g; } int h(void) { return g * 2; } int main(void) { return f() - h() + 5; }",
    // The helper is neutral, but its argument is not.
    "int g = 1; int f(void) { return g = 7; } int add(int a, int b) { return a + b; }\n\
     int main(void) { return add(g, 1) - f() + 20; }",
    "int g = 1; int f(void) { return g = 7; } int two(int a, int b) { return a * 3 + b; }\n\
     int main(void) { return two(g, f()); }",
    "int g = 1, a[9]; int f(void) { g = 3; return 5; } int main(void) { a[g] = f(); return a[1] + 2 * a[3]; }",
    "int g; int set(int *p) { *p = 4; return 0; } int main(void) { int x = 1; return set(&x) + x; }",
    "int f(int n) { static int last; int was = last; last = n; return was; } int main(void) { return f(1) - f(2) + 9; }",
    // A call that does not come back keeps what is beside it from being undefined.
    "void exit(int); int zero; int f(void) { exit(3); return 0; } int main(void) { int n = 0; return f() + 1 / n; }",
    "void exit(int); int div(int a, int b) { return a / b; } int f(void) { exit(3); return 0; }\n\
     int main(void) { return f() + div(1, 0); }",
    "#define O f\nint g; int f(void) { return ++g; } int apply(int (*p)(void)) { return p() * 2; }\n\
     int main(void) { int (*p)(void) = f; return p() - apply(p) + 9; }",
];

const INDEPENDENT: &[&str] = &[
    "int add(int a, int b) { int s = a; s += b; return s; } int sub(int a, int b) { return add(a, -b); }\n\
     int main(void) { int x = 4; return add(x, 1) * sub(x, 2) + add(add(1, x), sub(x, 1)); }",
    "int g; int f(void) { return g += 3; } int main(void) { int x = 4; return f() + x * 2; }",
    // Never reached.
    "int g; int f(void) { return ++g; } int h(void) { return g * 2; } int main(void) { return g ? f() - h() : 4; }",
];

#[test]
fn what_calls_can_tell_is_tried_both_ways() {
    for text in DEPENDENT {
        assert!(depends(&text.replace("#define O f\n", "")), "{text}");
    }
    for text in INDEPENDENT {
        assert!(!depends(text), "{text}");
    }
}

#[test]
fn what_no_call_can_tell_is_run_once() {
    for text in INDEPENDENT {
        assert!(judge(text, &Options::default()).mirrored.is_none(), "{text}");
    }
}

#[test]
fn a_mirrored_run_is_that_of_a_program_lowered_for_it() {
    for text in DEPENDENT {
        let options = Options { profile: true, ..Options::default() };
        let mirrored = judge(text, &options).mirrored.expect("another order");
        let whole = judge(text, &Options { reverse: true, ..options }).run;
        assert_eq!(mirrored.verdict, whole.verdict, "{text}");
        let counts = |run: &machine::Run| {
            let pairs = run.profile.points.iter().zip(&run.profile.seen);
            let mut counts: Vec<_> = pairs.map(|(point, seen)| (point.stmt.0, seen.count)).collect();
            counts.sort_unstable();
            counts
        };
        assert_eq!(counts(&mirrored), counts(&whole), "{text}");
    }
}

#[test]
fn statements_left_out_come_back_when_they_are_reached() {
    let text = "int g = 1; int f(int n) { switch (n) { case 1: if (g) { g = 2; case 2: g += 8; } } return g; }\n\
                int main(void) { int s = 0; for (int i = 0; i < 3; i++) { if (i == 2) goto in; s += i; }\n\
                { s += 100; in: s += 10; } return s + f(1) + f(2); }";
    let whole = judge(text, &Options::default()).run;
    assert_eq!(whole.verdict, judge(text, &Options::default()).run.verdict);
    let Verdict::Defined(outcome) = &whole.verdict else { panic!("{:?}", whole.verdict) };
    assert_eq!(outcome.exit, Exit::Code(1 + 10 + 10 + 18));
    for lo in 0..text.len() as u32 {
        for hi in [lo + 1, lo + 30, text.len() as u32] {
            let cold: Arc<[(u32, u32)]> = Arc::from(vec![(lo, hi)]);
            let run = judge(text, &Options { cold: Some(cold), ..Options::default() }).run;
            assert_eq!(run.verdict, whole.verdict, "left out {lo}..{hi}");
        }
    }
}

/// Does the program do something else where addresses and unspecified values are others?
fn moves(text: &str) -> bool {
    let runs = judge(text, &Options::default());
    let Verdict::Defined(outcome) = &runs.run.verdict else { panic!("{text}: {:?}", runs.run.verdict) };
    runs.moved.is_some_and(|other| other.differs(outcome))
}

#[test]
fn behaviour_that_depends_on_unspecified_values_and_addresses_is_seen() {
    for text in [
        "union u { int i; char c; }; int main(void) { union u u; u.i = 0; u.c = 2; return u.i >> 8 & 1; }",
        "struct s { int n; union { int i; char c; } u; }; int main(void) { struct s a, b; a.u.i = 0; a.u.c = 1;\n\
         b.u = a.u; return b.u.i >> 16 & 1; }",
        "int x, y; int main(void) { return &x + 1 == &y; }",
        "int main(void) { int x[2], y[2]; if (y + 2 != x) return 1; return 2; }",
        "int main(void) { return \"abc\" == \"abc\"; }",
        "char c; int main(void) { return (unsigned long)&c & 1; }",
        "int main(void) { char c[3]; return (unsigned long)c & 1; }",
        "int main(void) { int c, d; return (unsigned long)&c < (unsigned long)&d; }",
        "int c, d; int main(void) { return (unsigned long)&c < (unsigned long)&d; }",
        "void *malloc(unsigned long); int main(void) { char *p = malloc(4), *q = malloc(4);\n\
         return (unsigned long)p < (unsigned long)q; }",
        "long time(long *); int main(void) { return time(0) % 100; }",
        // How much of it a compiler knows is its own affair.
        "char c[9]; int main(void) { return __builtin_object_size(c, 0) != 9; }",
        "int main(void) { int a = 3; return __builtin_constant_p(a); }",
        // GCC leaves the outer loop, Clang the inner one.
        "int main(void) { int y = 1; for (;;) { while (({ if (y) break; 0; })) ; return 1; } return 0; }",
        "_BitInt(5) b; int main(void) { b = -3; return *(unsigned char *)&b >> 5; }",
        "int memcmp(const void *, const void *, unsigned long);\n\
         int main(void) { _BitInt(20) x[2] = {5, 5}; return memcmp(x, x + 1, 4) != 0; }",
    ] {
        assert!(moves(text), "{text}");
    }
    for text in [
        "union u { int i; char c; }; int main(void) { union u u; u.i = 0; u.c = 2; int i = u.i; return u.c + 0 * i; }",
        "int x[2], y; int main(void) { return &x[0] + 1 == &x[1] && &y != x; }",
        "int main(void) { const char *p = \"abc\", *q = p; return p == q && p + 1 != q && p != \"xyz\"; }",
        "int c; int main(void) { return (unsigned long)&c & 3; }",
        "long time(long *); int main(void) { long t; return time(&t) != t; }",
        "int main(void) { int y = 1; for (;;) { while (({ while (1) if (y) break; 0; })) ; return 1; } return 0; }",
        "int a; int main(void) { return __builtin_constant_p(3) + (__builtin_constant_p(a) ? a * 2 : a + a); }",
        "char c[9]; int main(void) { if (c[0]) return __builtin_object_size(c, 0) != 9; return 0; }",
        "char c[9], d[9]; int main(void) {\n\
         __builtin___memcpy_chk(c, d, 9, __builtin_object_size(c, 0)); return 0; }",
        "int main(void) { _BitInt(5) b = -3; return b == -3 ? *(unsigned char *)&b & 31 : 40; }",
    ] {
        assert!(!moves(text), "{text}");
    }
}
