//! Property: on small random programs of `_BitInt` expressions, the machine either finds undefined behaviour or prints what
//! `clang-19 -O0` prints; and with every operator guarded, none is undefined.
//!
//! `PLUMB_EXPR_SEED` chooses the first seed, `PLUMB_EXPR_ROUNDS` how many programs.

mod support;

use csyntax::target::Target;
use std::fmt::Write;
use support::{Answer, Random, ask_compiler, ask_machine, scratch, works};

const COMPILER: &str = "clang-19";
const VARIABLES: u64 = 6;

impl Random {
    /// A width, often at an edge.
    fn width(&mut self) -> u64 {
        match self.below(4) {
            0 => [2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33][self.below(11) as usize],
            1 => [63, 64, 65, 66, 96, 127, 128][self.below(7) as usize],
            _ => 2 + self.below(127),
        }
    }

    /// An integer type, mostly a bit-precise one.
    fn ty(&mut self) -> String {
        match self.below(8) {
            0 => self.one(&["int", "unsigned", "long long", "_Bool", "short", "__int128"]).into(),
            1..4 => format!("unsigned _BitInt({})", self.width() - self.0 % 2),
            _ => format!("_BitInt({})", self.width()),
        }
    }
}

fn constant(random: &mut Random) -> String {
    match random.below(6) {
        0 => random.one(&["0x7fffffff", "(-128)", "0xffffffffu", "~0ull", "0x7fffffffffffffffLL"]).into(),
        1 => format!("{}uwb", random.next() >> random.below(64)),
        2 => format!("(-{}wb)", random.next() >> random.below(64)),
        3 => format!("((unsigned _BitInt(128)){}u << {})", random.below(1000), random.below(128)),
        _ => format!("{}wb", random.below(41)),
    }
}

fn place(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("s.f{}", random.below(3)),
        1 => format!("a[{}]", random.below(3)),
        _ => format!("v{}", random.below(VARIABLES)),
    }
}

/// An expression without side effects. Guarded, it is always defined: arithmetic is unsigned, divisors are odd, shift
/// counts below the width.
fn expression(random: &mut Random, depth: u32, guarded: bool) -> String {
    if depth == 0 || random.below(8) == 0 {
        return if random.below(3) == 0 { constant(random) } else { place(random) };
    }
    let sub = |random: &mut Random| expression(random, depth - 1, guarded);
    let (x, y) = (sub(random), sub(random));
    let width = random.width();
    let w = if guarded { format!("(unsigned _BitInt({width}))") } else { String::new() };
    match random.below(14) {
        0..3 => format!("({w}{x} {} {w}{y})", random.one(&["+", "-", "*"])),
        3 => format!("({x} {} {y})", random.one(&["&", "|", "^"])),
        4 => format!("({x} {} {y})", random.one(&["<", ">", "<=", ">=", "==", "!="])),
        5 => format!("({w}{x} {} ({w}{y} | {w}1))", random.one(&["/", "%"])),
        6 if guarded => {
            let count = random.below(width);
            format!("({w}{x} {} {count})", random.one(&["<<", ">>"]))
        }
        6 => format!("({x} {} (({y}) & 31))", random.one(&["<<", ">>"])),
        7 => format!("({x} {} {y})", random.one(&["&&", "||"])),
        8 => format!("({}{w}{x})", random.one(&["-", "~", "+"])),
        9 => format!("!{x}"),
        10 => format!("({x} ? {y} : {})", sub(random)),
        11 | 12 => format!("(({}){x})", random.ty()),
        _ => format!("({x}, {y})"),
    }
}

fn statement(random: &mut Random, n: u32, guarded: bool) -> String {
    let target = place(random);
    let value = expression(random, 4, guarded);
    match random.below(if guarded { 3 } else { 6 }) {
        0 | 1 => format!("{target} = {value};"),
        2 => format!("{target} {}= {value};", random.one(&["&", "|", "^"])),
        3 => format!("{target} {}= {value};", random.one(&["+", "-", "*"])),
        4 => format!("if ({value}) {target}++; else --{target};"),
        _ => format!("for (_BitInt(9) i{n} = 0; i{n} < 3; i{n}++) {target} ^= {value};"),
    }
}

fn program(seed: u64, guarded: bool) -> String {
    let mut random = Random(seed);
    let random = &mut random;
    let mut text = String::from(
        "int printf(const char *, ...);\n\
         #define SHOW(e) printf(\"%llx:%llx %d\\n\", (unsigned long long)((unsigned __int128)(e) >> 64), \\\n\
             (unsigned long long)(e), (int)sizeof((e) + 0))\n",
    );
    for n in 0..VARIABLES {
        let (ty, value) = (random.ty(), constant(random));
        let _ = writeln!(text, "static {ty} v{n} = {value};");
    }
    let (one, two) = (2 + random.below(63), 1 + random.below(64));
    let (ty, first, second) = (random.ty(), 2 + random.below(one - 1), 1 + random.below(two));
    let _ = writeln!(
        text,
        "static struct {{ _BitInt({one}) f0 : {first}; unsigned _BitInt({two}) f1 : {second}; {ty} f2; }} s = {{-1, 1, 0}};"
    );
    let _ = writeln!(text, "static {} a[3] = {{1, 2, 3}};", random.ty());
    // Passed and returned.
    let (from, to) = (random.ty(), random.ty());
    let _ = writeln!(text, "{to} pass({from} x, char y, _BitInt(77) z) {{ return x ? x : ({to})z + y; }}");
    text.push_str("int main(void) {\n");
    for n in 0..6 {
        let line = statement(random, n, guarded);
        let shown = expression(random, 3, guarded);
        let _ = writeln!(text, "    {line}\n    SHOW({shown});");
    }
    if guarded {
        let value = expression(random, 2, guarded);
        let _ = writeln!(text, "    SHOW(pass({value}, 0, {value}));");
    }
    for n in 0..VARIABLES {
        let _ = writeln!(text, "    SHOW(v{n});");
    }
    text.push_str("    SHOW(s.f0); SHOW(s.f1); SHOW(s.f2); SHOW(a[2]);\n    return 0;\n}\n");
    text
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The complaint about one program, and whether it was defined.
fn compare(seed: u64, guarded: bool) -> (bool, Option<String>) {
    let text = program(seed, guarded);
    let path = scratch(".c");
    std::fs::write(&path, &text).expect("scratch file");
    let machine = ask_machine(&support::preprocess(&path, "-m64"), "random.c", &Target::LP64);
    let ends = matches!(machine, Answer::Ends(..));
    let complaint = match machine {
        Answer::Undefined(..) if !guarded => None,
        Answer::Ends(..) => {
            let clang = ask_compiler(COMPILER, &["-std=gnu2x", "-O0"], &path);
            (clang != machine).then(|| format!("seed {seed}: clang {clang:?}\nmachine {machine:?}\n{text}"))
        }
        other => Some(format!("seed {seed}: {other:?}\n{text}")),
    };
    let _ = std::fs::remove_file(&path);
    (ends, complaint)
}

fn property(guarded: bool) {
    if !works(&[COMPILER, "-std=gnu2x"]) {
        eprintln!("{COMPILER} is not here: bit-precise integers are compared with nothing");
        return;
    }
    let first = number("PLUMB_EXPR_SEED", 1);
    let rounds = number("PLUMB_EXPR_ROUNDS", 60);
    let mut complaints = Vec::new();
    let mut defined = 0;
    for seed in first..first + rounds {
        let (ran, complaint) = compare(seed, guarded);
        defined += u64::from(ran);
        complaints.extend(complaint);
    }
    assert!(complaints.is_empty(), "{} complaint(s):\n{}", complaints.len(), complaints.join("\n"));
    assert!(defined > 0, "no program of {rounds} was defined: nothing was compared");
}

#[test]
fn random_bit_precise_expressions_mean_what_clang_makes_of_them() {
    property(false);
}

#[test]
fn guarded_bit_precise_expressions_are_defined_and_mean_what_clang_makes_of_them() {
    property(true);
}
