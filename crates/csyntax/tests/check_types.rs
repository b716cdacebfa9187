//! Types and values of constant expressions against gcc: random ones, and every pair of arithmetic types.

mod check_support;

use check_support::{Random, checked, compile, have, unit};

use csyntax::target::Target;
use csyntax::tree::Unit;
use csyntax::types::{FloatKind, IntKind, Ty, TyKind};
use std::fmt::Write;

const TYPES: [&str; 15] = [
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
    "float",
    "double",
    "long double",
];

/// A scalar type as C.
fn c_type(unit: &Unit, ty: Ty) -> String {
    match unit.types.kind(ty) {
        TyKind::Int(kind) => match kind {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LLong => "long long",
            IntKind::ULLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
            IntKind::BitInt(width) => return format!("_BitInt({width})"),
            IntKind::UBitInt(width) => return format!("unsigned _BitInt({width})"),
        }
        .to_string(),
        TyKind::Float(kind) => match kind {
            FloatKind::Float16 => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "_Float128",
        }
        .to_string(),
        TyKind::Complex(elem) => format!("_Complex {}", c_type(unit, *elem)),
        other => panic!("no C name for {other:?}"),
    }
}

/// Declares `o0`, `o1`, ... with the types of the expressions.
fn declarations(exprs: &[String]) -> String {
    exprs.iter().enumerate().fold(String::new(), |mut out, (i, e)| {
        let _ = writeln!(out, "__typeof__({e}) o{i} = {e};");
        out
    })
}

/// Asks gcc whether the expressions have the types they have here.
fn types_agree(prelude: &str, exprs: &[String], target: &Target, flag: &str) {
    if !have("gcc") {
        return;
    }
    let unit = unit(&format!("{prelude}{}", declarations(exprs)), target);
    let mut text = prelude.to_string();
    for (index, expr) in exprs.iter().enumerate() {
        let name = format!("o{index}");
        let object = unit.objects.iter().find(|o| o.name.is_some_and(|n| unit.names.name(n) == name));
        let ty = c_type(&unit, object.expect("declared above").ty.ty);
        let _ = writeln!(
            text,
            "_Static_assert(__builtin_types_compatible_p(__typeof__({expr}), {ty}), \"{index} {ty}\");"
        );
    }
    if let Err(messages) = compile("gcc", &[flag, "-w", "-fsyntax-only"], &text) {
        let first: Vec<&str> = messages.lines().take(6).collect();
        panic!("{flag}: {}", first.join("\n"));
    }
}

#[test]
fn every_pair_of_arithmetic_types() {
    let mut exprs = Vec::new();
    for a in TYPES {
        exprs.push(format!("+({a})1"));
        exprs.push(format!("-({a})1"));
        for b in TYPES {
            exprs.push(format!("({a})1 + ({b})1"));
            exprs.push(format!("1 ? ({a})1 : ({b})1"));
            exprs.push(format!("({a})1 < ({b})1"));
            if !a.contains("float") && !a.contains("double") && !b.contains("float") && !b.contains("double")
            {
                exprs.push(format!("({a})1 << ({b})1"));
                exprs.push(format!("~({a})1 | ({b})1"));
            }
        }
    }
    types_agree("", &exprs, &Target::LP64, "-m64");
    types_agree("", &exprs, &Target::ILP32, "-m32");
}

#[test]
fn enums_and_their_constants() {
    let prelude = "
enum small { A, B }; enum minus { C = -1 }; enum wide { D = 1LL << 40, E = 1 }; enum top { F = 0x80000000 };
enum __attribute__((packed)) packed { G = 200 }; enum __attribute__((packed)) packed_minus { H = -200 };
enum mixed { I = -1, J = 0x80000000 };
";
    let mut exprs = Vec::new();
    for name in ["small", "minus", "wide", "top", "packed", "packed_minus", "mixed"] {
        exprs.push(format!("(int)sizeof(enum {name})"));
        exprs.push(format!("+(enum {name})0"));
    }
    for name in ["A", "C", "D", "E", "F", "G", "H", "I", "J"] {
        exprs.push(format!("+{name}"));
    }
    types_agree(prelude, &exprs, &Target::LP64, "-m64");
}

#[test]
fn integer_literals() {
    let mut exprs = Vec::new();
    for digits in ["0", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807"] {
        for suffix in ["", "u", "l", "ul", "ll", "ull"] {
            exprs.push(format!("{digits}{suffix}"));
        }
    }
    for digits in
        ["0x7fffffff", "0x80000000", "0xffffffff", "0x100000000", "0x8000000000000000", "037777777777"]
    {
        for suffix in ["", "u", "l", "ul", "ll", "ull"] {
            exprs.push(format!("{digits}{suffix}"));
        }
    }
    exprs.extend(["'a'", "L'a'", "u'a'", "U'a'", "1.0", "1.0f", "1.0L"].map(str::to_string));
    types_agree("", &exprs, &Target::LP64, "-m64");
    types_agree("", &exprs, &Target::ILP32, "-m32");
}

/// A random constant expression without division by zero and without shifts out of range.
fn constant(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.one_in(8) {
        let suffix = random.pick(&["", "u", "l", "ul", "ll", "ull"]);
        return match random.below(5) {
            0 => format!("{}{suffix}", random.below(10)),
            1 => format!("{:#x}{suffix}", random.next() >> random.below(64)),
            2 => format!("({}){:#x}", random.pick(&TYPES[..12]), random.next() >> random.below(64)),
            3 => format!("(int)sizeof({})", random.pick(&TYPES)),
            _ => format!("{}.{}", random.below(100), random.below(10)),
        };
    }
    let a = constant(random, depth - 1);
    let b = constant(random, depth - 1);
    // Floating operands only where every operator takes them.
    let int = |e: &str| format!("(long)({e} != 0)");
    match random.below(14) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 => format!("(({})({a} < {b}) * 77)", random.pick(&TYPES[..12])),
        3 => format!("({a} == {b})"),
        4 => format!("({a} <= {b})"),
        5 => format!("(!{a} ? {a} : {b})"),
        6 => format!("({a} && {b})"),
        7 => format!("({a} || {b})"),
        8 => format!("(({} << 3) / ({} + 3))", int(&a), int(&b)),
        9 => format!("(~{} & {})", int(&a), int(&b)),
        10 => format!("(({})~{} >> 3)", random.pick(&TYPES[..12]), int(&a)),
        11 => format!("(({})({} << 7) ^ {})", random.pick(&TYPES[..12]), int(&a), int(&b)),
        12 => format!("(-({a}))"),
        _ => format!("(({}){} % 7)", random.pick(&TYPES[2..12]), int(&a)),
    }
}

#[test]
fn random_constants_have_gccs_values() {
    if !have("gcc") {
        return;
    }
    for (target, flag) in [(Target::LP64, "-m64"), (Target::ILP32, "-m32")] {
        let mut random = Random(7);
        let exprs: Vec<String> = (0..600).map(|_| constant(&mut random, 4)).collect();
        types_agree("", &exprs, &target, flag);
        let texts: String = exprs.iter().enumerate().fold(String::new(), |mut out, (i, e)| {
            let _ = writeln!(
                out,
                "const long long v{i}[2] = {{ 1, ({e}) < 0 ? 2 : ({e}) == 0 ? 3 : ({e}) < 1000 ? 4 : 5 }};"
            );
            out
        });
        let assembly =
            compile("gcc", &[flag, "-w", "-S", "-o", "-"], &texts).expect("gcc compiles the constants");
        let mut asserts = String::new();
        for (index, expr) in exprs.iter().enumerate() {
            let class = class_of(&assembly, index);
            let _ = writeln!(
                asserts,
                "_Static_assert((({expr}) < 0 ? 2 : ({expr}) == 0 ? 3 : ({expr}) < 1000 ? 4 : 5) == {class}, \"{index}\");"
            );
        }
        let (done, parsed) = checked(&asserts, &target);
        let errors: Vec<_> =
            done.diagnostics.iter().filter(|d| d.severity.refuses()).map(|d| parsed.render(d)).collect();
        assert!(errors.is_empty(), "{flag}: {}", errors.join("\n"));
    }
}

/// The second element of `v<index>` in gcc's assembly.
fn class_of(assembly: &str, index: usize) -> u64 {
    let label = format!("v{index}:");
    let mut numbers = assembly.lines().skip_while(|l| *l != label).skip(1).take(8).filter_map(|line| {
        let (directive, value) = line.trim().split_once('\t')?;
        matches!(directive, ".quad" | ".long").then(|| value.parse::<u64>().ok())?
    });
    numbers.find(|&n| n > 1).expect("the second element is 2 or more")
}

#[test]
fn floating_constants_have_gccs_bits() {
    if !have("gcc") {
        return;
    }
    let texts = [
        "0.1",
        "1e308",
        "4.9e-324",
        "1.7976931348623157e308",
        "0x1.8p-3",
        "123456789.123456789",
        "1e-40",
        "16777217.0",
    ];
    let mut c = String::new();
    for (index, text) in texts.iter().enumerate() {
        for (letter, ty, suffix) in
            [("f", "float", "f"), ("d", "double", ""), ("l", "long double", "L"), ("q", "_Float128", "f128")]
        {
            let _ = writeln!(c, "{ty} {letter}{index} = {text}{suffix};");
        }
    }
    let assembly = compile("gcc", &["-w", "-S", "-o", "-"], &c).expect("gcc compiles the constants");
    let unit = unit(&c, &Target::LP64);
    let mut compared = 0;
    for object in &unit.objects {
        let name = unit.names.name(object.name.expect("named above"));
        let entry = &object.init.as_ref().expect("initialised above").entries[0];
        let csyntax::tree::ExprKind::Float(value) = unit[entry.value].kind else {
            panic!("{name} is no constant")
        };
        let label = format!("{name}:");
        let mut bits = 0u128;
        let mut shift = 0;
        for line in assembly.lines().skip_while(|l| *l != label).skip(1) {
            let Some((".long", number)) = line.trim().split_once('\t') else { break };
            bits |= u128::from(number.parse::<i64>().expect("a number") as u32) << shift;
            shift += 32;
        }
        assert_eq!(value.bits, bits, "{name}");
        compared += 1;
    }
    assert_eq!(compared, texts.len() * 4);
}
