//! Pairs of C programs and what is said of their objects: the same is proved the same, and what differs never is.

mod common;

use common::{report, verdict};
use crossver::equality::verdict::{How, VerdictKind};
use crossver::pairing::By;

/// Every construct whose comparison has a rule of its own.
const PROGRAM: &str = r#"
#include <stdlib.h>
#include <stdio.h>
extern int ext(int);
extern int other(int);
static const int table[] = { 1, 2, 3, TABLE };
static int counter;
int called(int x) { return CALLEE(x) + 1; }
int constant(int x) { return x * CONSTANT; }
int switched(int x) {
    switch (x) {
    case 0: return ext(1);
    case 1: return ext(FIRST);
    case 2: return ext(SECOND);
    case 3: return ext(9);
    case 4: return ext(22);
    case 5: return ext(31);
    }
    return 0;
}
int indexed(int i) { return table[i & 3]; }
double real(double x) { return x * REAL; }
void text(int n) { printf(TEXT, n); }
int branch(int x, int y) { if (x COMPARES y) return ext(x); return other(y); }
int counted(void) { static int n; n += 1; counter += STEP; return n + counter; }
int loop(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] & ext(i); return s; }
void stops(int x) { if (x > 3) abort(); ext(x); }
int global = INITIAL;
int loads(void) { return global; }
"#;

/// The parameters of the program.
const PLAIN: &[(&str, &str)] = &[
    ("TABLE", "4"),
    ("CALLEE", "ext"),
    ("CONSTANT", "7"),
    ("FIRST", "5"),
    ("SECOND", "7"),
    ("REAL", "3.25"),
    ("TEXT", "\"%d apples\\n\""),
    ("COMPARES", "<"),
    ("STEP", "1"),
    ("INITIAL", "5"),
];

fn program(changed: Option<(&str, &str)>) -> String {
    let value = |(name, plain): &(&'static str, &'static str)| {
        let value = changed.filter(|(n, _)| n == name).map_or(*plain, |(_, v)| v);
        format!("#define {name} {value}\n")
    };
    PLAIN.iter().map(value).collect::<String>() + PROGRAM
}

const FUNCTIONS: &[&str] = &[
    "called", "constant", "switched", "indexed", "real", "text", "branch", "counted", "loop", "stops",
    "loads",
];

/// The compilers of other machines that are installed beside the machine's own.
fn compilers() -> Vec<&'static str> {
    let cross = [
        "aarch64-linux-gnu-gcc",
        "arm-linux-gnueabihf-gcc",
        "arm-linux-gnueabihf-gcc -marm",
        "riscv64-linux-gnu-gcc",
    ];
    let there = |command: &&str| {
        let program = command.split(' ').next().unwrap_or_default();
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
    };
    let mut found = vec!["gcc", "gcc -fno-pic", "gcc -fPIC", "gcc -ffunction-sections -fdata-sections"];
    found.extend(cross.into_iter().filter(there));
    found
}

#[test]
fn the_same_program_is_the_same() {
    for compiler in compilers() {
        for level in ["-O0", "-O1", "-O2", "-Os"] {
            let command = format!("{compiler} {level}");
            let text = program(None);
            let report = report((&command, &text), (&command, &text));
            for f in &report.functions {
                // Without optimisation strings have no ends: they are not in sections of strings.
                let open = level == "-O0" && f.verdict == VerdictKind::Conditional;
                assert!(f.verdict == VerdictKind::Proved || open, "{command}: {f:?}");
                assert_eq!(f.how, Some(How::Identical), "{command}: {f:?}");
            }
            assert_eq!(report.functions.len(), FUNCTIONS.len(), "{command}");
            assert!(report.objects.is_empty() && report.lone.is_empty(), "{command}: {report:?}");
        }
    }
}

#[test]
fn one_change_is_seen_in_its_function_and_in_no_other() {
    let changes = [
        ("TABLE", "5", Some("indexed")),
        ("CALLEE", "other", Some("called")),
        ("CONSTANT", "9", Some("constant")),
        ("FIRST", "6", Some("switched")),
        ("SECOND", "5", Some("switched")),
        ("REAL", "3.125", Some("real")),
        ("TEXT", "\"%d pears!\\n\"", Some("text")),
        ("COMPARES", "<=", Some("branch")),
        ("STEP", "2", Some("counted")),
        ("INITIAL", "6", None),
    ];
    for compiler in compilers() {
        for level in ["-O0", "-O2"] {
            let command = format!("{compiler} {level}");
            for (name, value, function) in changes {
                let report = report((&command, &program(None)), (&command, &program(Some((name, value)))));
                for f in FUNCTIONS {
                    let proved =
                        matches!(verdict(&report, f), VerdictKind::Proved | VerdictKind::Conditional);
                    // Where several objects are reached from one anchor, a neighbour's change is one, too.
                    let near = !proved && !command.starts_with("gcc");
                    let expected = Some(*f) != function;
                    assert!(
                        proved == expected || (near && expected),
                        "{command}, {name}={value}, {f}: {report:?}"
                    );
                }
                let objects: Vec<&str> = report.objects.iter().map(|(name, _)| name.as_str()).collect();
                let expected: &[&str] = if name == "INITIAL" { &["global"] } else { &[] };
                assert_eq!(objects, expected, "{command}, {name}={value}");
            }
        }
    }
}

#[test]
fn cases_that_trade_places_are_different() {
    let swapped = program(None).replace("case 1: return", "case 9: return").replace("case 2:", "case 1:");
    let swapped = swapped.replace("case 9:", "case 2:");
    for compiler in compilers() {
        let command = format!("{compiler} -O2");
        let report = report((&command, &program(None)), (&command, &swapped));
        // What instructions mean is modelled for one of the architectures.
        let modelled = !compiler.contains("-linux-") && !compiler.contains("-m32");
        let wanted = if modelled { VerdictKind::Different } else { VerdictKind::Unknown };
        assert_eq!(verdict(&report, "switched"), wanted, "{command}");
    }
}

#[test]
fn the_order_of_blocks_and_filling_make_no_difference() {
    let text = program(None);
    for (old, new) in [
        ("gcc -O2", "gcc -O2 -fno-align-functions -fno-align-jumps -fno-align-loops -fno-align-labels"),
        ("gcc -O2 -falign-labels=16", "gcc -O2 -falign-labels=32"),
    ] {
        let report = report((old, &text), (new, &text));
        for f in &report.functions {
            assert_ne!(f.verdict, VerdictKind::Unknown, "{f:?}");
        }
        let moved = report.functions.iter().filter(|f| f.how == Some(How::SameBlocks)).count();
        assert!(moved > 0, "nothing moved: {report:?}");
    }
}

#[test]
fn clones_and_numbered_objects_find_their_partners() {
    let text = r#"
        extern int ext(int);
        static __attribute__((noinline)) int part(int a, int b) { return ext(a) + b; }
        int f(int x) { return part(x, 3) + part(ext(x), 3); }
        int g(void) { static int n; return n += 2; }
        int h(void) { static int n; return n += 3; }
    "#;
    let other = format!("int first(void) {{ static int n; return n += 7; }}\n{text}");
    let report = report(("gcc -O2", text), ("gcc -O2", &other));
    for f in ["f", "g", "h"] {
        assert_eq!(verdict(&report, f), VerdictKind::Proved, "{report:?}");
    }
    assert_eq!(report.lone.len(), 1, "{report:?}");
    assert!(report.functions.iter().any(|f| f.old.name.starts_with("part")), "{report:?}");
}

#[test]
fn a_renamed_function_is_found_by_its_blocks() {
    let text = "extern int ext(int);\nstatic __attribute__((noinline)) int NAME(int a) \
                { if (a > 4) return ext(a) * 3; return ext(a + 1) - ext(a + 2); }\nint f(int x) { return NAME(x) + NAME(ext(x)); }";
    let (old, new) = (text.replace("NAME", "before"), text.replace("NAME", "after"));
    let report = report(("gcc -O2", &old), ("gcc -O2", &new));
    let pair = report.functions.iter().find(|f| f.old.name == "before").expect("a pair");
    assert_eq!((pair.by, pair.new.name.as_str()), (By::Similarity, "after"));
    assert_eq!(pair.verdict, VerdictKind::Proved);
}

#[test]
fn what_begins_like_a_text_is_none() {
    let text = |number: &str| {
        format!(
            "void known(double); void say(const char *); void f(void) {{ say(\"\"); known({number}); say(\"on\"); }}"
        )
    };
    let found = report(("gcc -O0 -g0", &text("504.0")), ("gcc -O2 -g0", &text("503.0")));
    let f = found.functions.iter().find(|f| f.function == "f").expect("the pair");
    assert_eq!(f.verdict, VerdictKind::Different, "{f:#?}");
    let told = f.text.as_deref().unwrap_or_default();
    assert!(told.contains("0x407f800000000000 | 0x407f700000000000"), "{told}");
}
