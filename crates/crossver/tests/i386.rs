//! Functions of i386 without calls: arguments on the stack, pairs of registers for what is longer, addresses of 32 bits.
//! Each pair of bodies that do the same has a third that does not.

mod common;

use common::{report, verdict};
use crossver::equality::verdict::VerdictKind;

const OPTIONS: &str = "-m32 -fno-pie -ffreestanding -fno-asynchronous-unwind-tables -fcf-protection=none -g";

/// The compiler for i386; where it is missing, that is said aloud.
fn is_here() -> bool {
    let dir = tempfile::tempdir().expect("a directory");
    let (file, object) = (dir.path().join("f.c"), dir.path().join("f.o"));
    std::fs::write(&file, "int f(void) { return 0; }\n").expect("writable");
    let made = std::process::Command::new("gcc").args(["-m32", "-c", "-o"]).arg(object).arg(file).output();
    let here = made.is_ok_and(|made| made.status.success());
    if !here {
        eprintln!("SKIPPED: no `gcc -m32` here");
    }
    here
}

fn found(old: &str, new: &str) -> VerdictKind {
    let of = |level: &str| format!("gcc {level} {OPTIONS}");
    verdict(&report((&of("-O1"), old), (&of("-O2"), new)), "f")
}

fn is_proved(old: &str, new: &str) -> bool {
    matches!(found(old, new), VerdictKind::Proved | VerdictKind::Conditional)
}

/// Heads of functions, a body, one that does the same, and one that does not.
const BODIES: &[(&str, &str, &str, &str)] = &[
    ("int f(int a, int b)", "return a * 9 + b;", "return b + (a << 3) + a;", "return b + (a << 3) - a;"),
    ("int f(int a, int b)", "return a - b;", "return a + ~b + 1;", "return b - a;"),
    (
        "unsigned f(unsigned *p, unsigned n)",
        "unsigned s = p[n]; p[n] = s + 1; return s;",
        "return (*(p + n))++;",
        "return ++p[n];",
    ),
    ("void f(char *p, int n)", "p[n & 7] = 0;", "*(p + n % 8u) = 0;", "p[n & 15] = 0;"),
    (
        "unsigned long long f(unsigned long long a, unsigned long long b)",
        "return a + b;",
        "return b - ~a - 1;",
        "return (a + b) & 0xffffffff;",
    ),
    (
        "unsigned long long f(unsigned a, unsigned b)",
        "return (unsigned long long)a * b;",
        "return b * (unsigned long long)a;",
        "return a * b;",
    ),
    ("int f(int a, int b)", "return a < b ? a : b;", "return b > a ? a : b;", "return a < b ? b : a;"),
    (
        "int f(const int *a, const int *b, int *c, int n)",
        "int x = a[n], y = b[n + 1]; c[n] = x ^ y; c[n + 1] = x & y; return x | y;",
        "int y = b[n + 1], x = a[n]; c[n] = y ^ x; c[n + 1] = y & x; return y | x;",
        "int y = b[n + 1], x = a[n]; c[n] = y ^ x; c[n + 1] = y | x; return y | x;",
    ),
    ("short f(short a)", "return a + 1;", "return 1 - -a;", "return a - 1;"),
];

#[test]
fn bodies_without_calls() {
    if !is_here() {
        return;
    }
    for (head, body, same, other) in BODIES {
        let of = |body: &str| format!("{head} {{ {body} }}\n");
        assert!(is_proved(&of(body), &of(same)), "{head}: {body} | {same}");
        assert!(is_proved(&of(same), &of(body)), "{head}: {same} | {body}");
        assert!(!is_proved(&of(body), &of(other)), "{head}: {body} | {other}");
        assert!(!is_proved(&of(other), &of(body)), "{head}: {other} | {body}");
    }
}

/// A function with a body in assembly, which takes back what it pushed itself.
fn naked(head: &str, body: &str) -> String {
    format!("__attribute__((naked)) {head} {{ __asm__ volatile(\"{body}\\n ret\"); }}\n")
}

/// Bodies in assembly that do the same as one in C, and such as do not.
const ASSEMBLY: &[(&str, &str, &str, &str)] = &[
    // The address is a sum modulo 2^32; that of the other one is longer by a byte.
    (
        "int f(int *p, int n)",
        "return p[n];",
        "mov 8(%esp), %eax\\n shl $2, %eax\\n add 4(%esp), %eax\\n mov (%eax), %eax",
        "mov 8(%esp), %eax\\n shl $2, %eax\\n add 4(%esp), %eax\\n mov 1(%eax), %eax",
    ),
    // Callers find ebx, esi, edi and ebp as they were.
    (
        "int f(int a)",
        "return a;",
        "push %ebx\\n mov 8(%esp), %ebx\\n mov %ebx, %eax\\n pop %ebx",
        "mov 4(%esp), %ebx\\n mov %ebx, %eax",
    ),
    (
        "int f(int a)",
        "return a;",
        "push %esi\\n mov 8(%esp), %esi\\n mov %esi, %eax\\n pop %esi",
        "mov 4(%esp), %esi\\n mov %esi, %eax",
    ),
    // Both halves of a result count.
    ("long long f(int a)", "return a;", "mov 4(%esp), %eax\\n cltd", "mov 4(%esp), %eax\\n xor %edx, %edx"),
    // The second argument lies four bytes above the first.
    ("int f(int a, int b)", "return b;", "mov 8(%esp), %eax", "mov 12(%esp), %eax"),
    // So is what is set behind a stack pointer that has moved.
    (
        "int f(int a)",
        "return a;",
        "sub $8, %esp\\n mov 12(%esp), %eax\\n mov %eax, (%esp)\\n mov (%esp), %eax\\n add $8, %esp",
        "sub $8, %esp\\n mov 16(%esp), %eax\\n mov %eax, (%esp)\\n mov (%esp), %eax\\n add $8, %esp",
    ),
];

#[test]
fn what_the_convention_says() {
    if !is_here() {
        return;
    }
    for (head, body, same, other) in ASSEMBLY {
        let old = format!("{head} {{ {body} }}\n");
        assert!(is_proved(&old, &naked(head, same)), "{head}: {same}");
        assert!(is_proved(&naked(head, same), &old), "{head}: {same}, from assembly");
        assert!(!is_proved(&old, &naked(head, other)), "{head}: {other}");
        assert!(!is_proved(&naked(head, other), &old), "{head}: {other}, from assembly");
    }
}

/// Nothing is proved where the convention is not certain, or leaves the registers that are modelled.
#[test]
fn what_is_not_modelled_is_never_proved() {
    if !is_here() {
        return;
    }
    let local = |body: &str| {
        format!(
            "__attribute__((noipa)) static int f(int a, int b) {{ int x; {body}; return a + b + x; }}
             int g(int a) {{ return f(a, 1); }}\n"
        )
    };
    let double = |body: &str| naked("double f(int a)", body);
    let cases = [
        (local("x = 3"), local(r#"__asm__("mov $3, %0" : "=r"(x))"#)),
        (
            "double f(double a) { return a + a; }\n".to_owned(),
            "double f(double a) { return 3 * a; }\n".to_owned(),
        ),
        (double("nop\\n inc %eax"), double("mov 4(%esp), %eax")),
    ];
    for (old, new) in cases {
        let kind = found(&old, &new);
        let open = matches!(kind, VerdictKind::Unknown | VerdictKind::Unsupported);
        assert!(open, "{kind:?}: {old} | {new}");
    }
}
