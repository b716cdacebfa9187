//! What the convention of RISC-V says of registers, by types that debug information has: how narrow values fill them, what a
//! function may rely on and owes, and where structures lie.

mod common;

use common::{report, verdict};
use crossver::equality::verdict::VerdictKind;

/// The compiler; where it is missing, that is said aloud.
fn is_here() -> bool {
    let name = "riscv64-linux-gnu-gcc";
    let here = std::process::Command::new(name).arg("--version").output().is_ok();
    if !here {
        eprintln!("SKIPPED: no `{name}` here");
    }
    here
}

fn found(old: &str, new: &str) -> VerdictKind {
    verdict(&report(("riscv64-linux-gnu-gcc -g -O1", old), ("riscv64-linux-gnu-gcc -g -O2", new)), "f")
}

fn is_proved(old: &str, new: &str) -> bool {
    matches!(found(old, new), VerdictKind::Proved | VerdictKind::Conditional)
}

/// A function with a body in assembly.
fn naked(head: &str, body: &str) -> String {
    format!("__attribute__((naked)) {head} {{ __asm__ volatile(\"{body}\\n ret\"); }}\n")
}

/// Heads of functions, bodies in C, bodies in assembly that do the same, and such as do not.
const NARROW: &[(&str, &str, &str, &str)] = &[
    ("long f(int a)", "return a;", "nop", "slli a0, a0, 32\\n srli a0, a0, 32"),
    ("unsigned long f(unsigned a)", "return a;", "slli a0, a0, 32\\n srli a0, a0, 32", "nop"),
    ("unsigned f(unsigned a, unsigned b)", "return a + b;", "addw a0, a0, a1", "add a0, a0, a1"),
    ("int f(unsigned char a)", "return a;", "nop", "slliw a0, a0, 24\\n sraiw a0, a0, 24"),
    ("int f(signed char a)", "return a;", "nop", "andi a0, a0, 255"),
    (
        "short f(short a)",
        "return a + 1;",
        "addi a0, a0, 1\\n slli a0, a0, 48\\n srai a0, a0, 48",
        "addi a0, a0, 1",
    ),
    ("int f(_Bool a)", "return !a;", "xori a0, a0, 1", "xori a0, a0, -1"),
    ("float f(float a)", "return a;", "fmv.s fa0, fa0", "fmv.x.w a0, fa0\\n fmv.d.x fa0, a0"),
    ("float f(float a, float b)", "return a + b;", "fadd.s fa0, fa1, fa0", "fsub.s fa0, fa1, fa0"),
];

#[test]
fn narrow_values_fill_their_registers() {
    if !is_here() {
        return;
    }
    for (head, body, same, other) in NARROW {
        let old = format!("{head} {{ {body} }}\n");
        assert!(is_proved(&old, &naked(head, same)), "{head}: {same}");
        assert!(is_proved(&naked(head, same), &old), "{head}: {same}, from assembly");
        assert!(!is_proved(&old, &naked(head, other)), "{head}: {other}");
        assert!(!is_proved(&naked(head, other), &old), "{head}: {other}, from assembly");
    }
}

/// The same around a callee: what it is passed, and what it gives.
const CALLS: &[(&str, &str, &str, &str, &str)] = &[
    ("int g(unsigned);", "int f(long a)", "return g(a) + 1;", "sext.w a0, a0", "nop"),
    ("int g(unsigned char);", "int f(long a)", "return g(a) + 1;", "andi a0, a0, 255", "sext.w a0, a0"),
    ("float g(float);", "int f(float a)", "return g(a + a);", "fadd.s fa0, fa0, fa0", "fadd.d fa0, fa0, fa0"),
];

#[test]
fn callees_are_passed_what_fills_registers() {
    if !is_here() {
        return;
    }
    for (callee, head, body, same, other) in CALLS {
        let old = format!("{callee} {head} {{ {body} }}\n");
        let behind = if callee.starts_with("float") { "fcvt.w.s a0, fa0, rtz" } else { "addiw a0, a0, 1" };
        let around = |middle: &str| {
            let body = format!(
                "addi sp, sp, -16\\n sd ra, 8(sp)\\n {middle}\\n call g\\n {behind}\\n ld ra, 8(sp)\\n addi sp, sp, 16"
            );
            format!("{callee} {}", naked(head, &body))
        };
        assert!(is_proved(&old, &around(same)), "{head}: {same}");
        assert!(!is_proved(&old, &around(other)), "{head}: {other}");
    }
}

#[test]
fn what_a_callee_gives_fills_its_register() {
    if !is_here() {
        return;
    }
    let old = "int g(void); long f(void) { return g() + 1L; }\n";
    let around = |middle: &str| {
        let body = format!(
            "addi sp, sp, -16\\n sd ra, 8(sp)\\n call g\\n {middle}\\n addi a0, a0, 1\\n ld ra, 8(sp)\\n addi sp, sp, 16"
        );
        format!("int g(void); {}", naked("long f(void)", &body))
    };
    assert!(is_proved(old, &around("nop")) && is_proved(old, &around("sext.w a0, a0")));
    assert!(!is_proved(old, &around("slli a0, a0, 32\\n srli a0, a0, 32")));
}

/// A function that passes a structure by value to a callee and gives another one back.
fn passes(fields: &str, values: &str, second: &str) -> String {
    format!(
        "struct s {{ {fields} }}; struct r {{ double x; int y; }};\n\
         int g(struct s, int);\n\
         struct r f(long a, long b, long c) {{ struct s s = {{ {values} }}; return (struct r) {{ g(s, 1), {second} }}; }}\n"
    )
}

#[test]
fn structures_are_passed_by_the_convention() {
    if !is_here() {
        return;
    }
    // In two general registers, one of each kind, two of floating-point numbers, general ones for what is not so.
    for (fields, one, two) in [
        ("long a; int b;", "a, b", "a, c"),
        ("int a[3];", "a, b, c", "a, a, c"),
        ("float a; long b;", "1, c", "2, c"),
        ("int a; double b;", "a, 1", "b, 1"),
        ("float a, b;", "1, 2", "1, 3"),
        ("float a, b; int c;", "1, 2, c", "1, 3, c"),
    ] {
        let same = is_proved(&passes(fields, one, "(int)(b + c)"), &passes(fields, one, "(int)b + (int)c"));
        assert!(same, "{fields}");
        for other in [(two, "(int)(b + c)"), (one, "(int)(b - c)")] {
            let proved = is_proved(&passes(fields, one, "(int)(b + c)"), &passes(fields, other.0, other.1));
            assert!(!proved, "{fields}: {other:?}");
        }
    }
}
