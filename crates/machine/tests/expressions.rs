//! Property: on small random programs of integer expressions, the machine either finds undefined behaviour or
//! prints what `gcc -O0` prints; and no program that it calls undefined is one by its own mistake, which a second
//! property checks: with every operator guarded, none is undefined.
//!
//! `PLUMB_EXPR_SEED` chooses the first seed, `PLUMB_EXPR_ROUNDS` how many programs.

mod support;

use csyntax::target::Target;
use std::fmt::Write;
use support::{Answer, Random, ask_compiler, ask_machine, scratch};

const TYPES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];
const VARIABLES: u64 = 8;

/// A value of any type: small, or at an edge.
fn constant(random: &mut Random) -> String {
    match random.below(6) {
        0 => random
            .one(&["0x7fffffff", "(-0x7fffffff - 1)", "0xffffffffu", "0x7fffffffffffffffLL", "~0ull"])
            .into(),
        1 => random.one(&["127", "(-128)", "255", "32767", "65535", "'a'", "'\\377'"]).into(),
        2 => format!("{}{}", random.next() >> random.below(64), "ull"),
        _ => format!("({})", random.below(41) as i64 - 20),
    }
}

/// An expression without side effects. Guarded, it is always defined: arithmetic is done in `unsigned long long`,
/// divisors are odd, shift counts masked.
fn expression(random: &mut Random, depth: u32, guarded: bool) -> String {
    if depth == 0 || random.below(8) == 0 {
        return if random.below(3) == 0 {
            constant(random)
        } else {
            match random.below(4) {
                0 => format!("s.f{}", random.below(4)),
                1 => format!("a[{}]", random.below(4)),
                _ => format!("v{}", random.below(VARIABLES)),
            }
        };
    }
    let sub = |random: &mut Random| expression(random, depth - 1, guarded);
    let (x, y) = (sub(random), sub(random));
    let w = if guarded { "(unsigned long long)" } else { "" };
    match random.below(13) {
        0 | 1 => format!("({w}{x} {} {w}{y})", random.one(&["+", "-", "*"])),
        2 => format!("({x} {} {y})", random.one(&["&", "|", "^"])),
        3 => format!("({x} {} {y})", random.one(&["<", ">", "<=", ">=", "==", "!="])),
        4 => format!("({w}{x} {} ({w}{y} | 1))", random.one(&["/", "%"])),
        5 => format!("({w}{x} {} ({y} & {}))", random.one(&["<<", ">>"]), if guarded { "63" } else { "31" }),
        6 => format!("({x} {} {y})", random.one(&["&&", "||"])),
        7 => format!("({}{w}{x})", random.one(&["-", "~", "+"])),
        8 => format!("!{x}"),
        9 => format!("({x} ? {y} : {})", sub(random)),
        10 | 11 => format!("(({}){x})", random.one(TYPES)),
        _ => format!("({x}, {y})"),
    }
}

fn program(seed: u64, guarded: bool) -> String {
    let mut random = Random(seed);
    let random = &mut random;
    let mut text = String::from("int printf(const char *, ...);\n");
    for n in 0..VARIABLES {
        let _ = writeln!(text, "static {} v{n} = {};", random.one(TYPES), constant(random));
    }
    let _ = writeln!(
        text,
        "static struct {{ int f0 : {}; unsigned f1 : {}; signed char f2; unsigned f3 : 7; }} s = {{3, 5, -1, 70}};",
        1 + random.below(31),
        1 + random.below(31)
    );
    let _ = writeln!(text, "static {} a[4] = {{1, 2, 3}};", random.one(TYPES));
    text.push_str("int main(void) {\n");
    for n in 0..6 {
        let target = match random.below(4) {
            0 => format!("s.f{}", random.below(4)),
            1 => format!("a[{}]", random.below(4)),
            _ => format!("v{}", random.below(VARIABLES)),
        };
        let value = expression(random, 4, guarded);
        match random.below(if guarded { 2 } else { 5 }) {
            0 | 1 => {
                let _ = writeln!(text, "    {target} = {value};");
            }
            2 => {
                let _ =
                    writeln!(text, "    {target} {}= {value};", random.one(&["+", "-", "*", "&", "|", "^"]));
            }
            3 => {
                let _ = writeln!(text, "    if ({value}) {target}++; else --{target};");
            }
            _ => {
                let _ = writeln!(text, "    for (int i{n} = 0; i{n} < 3; i{n}++) {target} ^= {value};");
            }
        }
        let shown = expression(random, 3, guarded);
        let _ = writeln!(
            text,
            "    printf(\"%llu %d\\n\", (unsigned long long)({shown}), (int)sizeof(({shown}) + 0));"
        );
    }
    for n in 0..VARIABLES {
        let _ = writeln!(text, "    printf(\"%lld \", (long long)v{n});");
    }
    text.push_str(
        "    printf(\"%d %d %d %d %d\\n\", s.f0, s.f1, s.f2, s.f3, (int)a[3]);\n    return 0;\n}\n",
    );
    text
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The complaint about one program, and whether it was defined.
fn compare(seed: u64, guarded: bool, target: &Target, flag: &str) -> (bool, Option<String>) {
    let text = program(seed, guarded);
    let machine = ask_machine(text.as_bytes(), "random.c", target);
    if let Answer::Undefined(..) = machine {
        if guarded {
            return (false, Some(format!("seed {seed} {flag}: guarded, yet {machine:?}\n{text}")));
        }
        return (false, None);
    }
    let path = scratch(".c");
    std::fs::write(&path, &text).expect("scratch file");
    let gcc = ask_compiler("gcc", &[flag, "-O0"], &path);
    let _ = std::fs::remove_file(&path);
    let differs =
        (gcc != machine).then(|| format!("seed {seed} {flag}: gcc {gcc:?}\nmachine {machine:?}\n{text}"));
    (true, differs)
}

fn property(guarded: bool) {
    let first = number("PLUMB_EXPR_SEED", 1);
    let rounds = number("PLUMB_EXPR_ROUNDS", 60);
    let mut complaints = Vec::new();
    let mut defined = 0;
    for seed in first..first + rounds {
        let targets = support::targets();
        let (target, flag) = &targets[seed as usize % targets.len()];
        let (ran, complaint) = compare(seed, guarded, target, flag);
        defined += u64::from(ran);
        complaints.extend(complaint);
    }
    assert!(complaints.is_empty(), "{} complaint(s):\n{}", complaints.len(), complaints.join("\n"));
    assert!(defined > 0, "no program of {rounds} was defined: nothing was compared");
}

#[test]
fn random_expressions_mean_what_gcc_makes_of_them() {
    property(false);
}

#[test]
fn guarded_expressions_are_defined_and_mean_what_gcc_makes_of_them() {
    property(true);
}
