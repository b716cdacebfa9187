//! Record layout against gcc and clang: random records, their sizes, offsets and the places of bit-fields.

mod check_support;

use check_support::{Random, compile, have, unit};
use csyntax::target::Target;
use csyntax::tree::Unit;
use csyntax::types::Record;
use std::collections::HashMap;
use std::fmt::Write;

const RECORDS: usize = 300;

/// Random records `s0`, `s1`, ...; later ones may hold earlier ones. Plain ones have no attributes and pragmas:
/// there gcc and clang lay out some bit-fields differently.
fn records(random: &mut Random, bits64: bool, plain: bool) -> String {
    let mut out = String::new();
    for n in 0..RECORDS {
        let pack = (!plain && random.one_in(6)).then(|| *random.pick(&[1, 2, 4, 8]));
        if let Some(pack) = pack {
            let _ = writeln!(out, "#pragma pack(push, {pack})");
        }
        let word = if random.one_in(5) { "union" } else { "struct" };
        let _ = writeln!(out, "{word} s{n} {{");
        let count = 1 + random.below(7);
        for m in 0..count {
            let _ = writeln!(out, "  {}", member(random, n, m, bits64, plain));
        }
        let attribute = match if plain { 100 } else { random.below(12) } {
            0 | 1 => " __attribute__((packed))".to_string(),
            2 => format!(" __attribute__((aligned({})))", 1 << random.below(6)),
            3 => " __attribute__((packed, aligned(2)))".to_string(),
            _ => String::new(),
        };
        let _ = writeln!(out, "}}{attribute};");
        let _ = writeln!(out, "typedef {word} s{n} t{n};");
        if pack.is_some() {
            out.push_str("#pragma pack(pop)\n");
        }
    }
    out
}

fn member(random: &mut Random, record: usize, index: u64, bits64: bool, plain: bool) -> String {
    let integers = [
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "long long",
    ];
    let attribute = match if plain { 100 } else { random.below(14) } {
        0 => " __attribute__((packed))".to_string(),
        1 => format!(" __attribute__((aligned({})))", 1 << random.below(6)),
        _ => String::new(),
    };
    match random.below(10) {
        0..=4 => {
            let ty = *random.pick(&integers);
            let most = match ty {
                "char" | "signed char" | "unsigned char" => 8,
                "short" | "unsigned short" => 16,
                "int" | "unsigned" => 32,
                "long" if !bits64 => 32,
                _ => 64,
            };
            match random.below(8) {
                0 => format!("{ty} : 0;"),
                1 => format!("{ty} : {};", 1 + random.below(most)),
                _ => format!("{ty} b{index} : {}{attribute};", 1 + random.below(most)),
            }
        }
        5 if record > 0 => format!("t{} m{index}{attribute};", random.below(record as u64)),
        6 => format!("{} m{index}[{}]{attribute};", random.pick(&integers), random.below(4)),
        7 => {
            let floats = ["float", "double", "long double", "void *", "_Bool", "_Complex float"];
            format!("{} m{index}{attribute};", random.pick(&floats))
        }
        _ => format!("{} m{index}{attribute};", random.pick(&integers)),
    }
}

/// The records by tag number.
fn tagged(unit: &Unit) -> Vec<(String, &Record)> {
    unit.types.records.iter().filter_map(|r| Some((unit.names.name(r.tag?).to_string(), r))).collect()
}

fn assertions(unit: &Unit) -> String {
    let mut out = String::new();
    for (tag, record) in tagged(unit) {
        let name = tag.replace('s', "t");
        let _ = writeln!(out, "_Static_assert(sizeof({name}) == {}, \"size {tag}\");", record.size);
        let _ = writeln!(out, "_Static_assert(_Alignof({name}) == {}, \"align {tag}\");", record.align);
        for field in record.fields.as_deref().expect("every record is complete") {
            if let (Some(member), None) = (field.name, field.bits) {
                let member = unit.names.name(member);
                let _ = writeln!(
                    out,
                    "_Static_assert(__builtin_offsetof({name}, {member}) == {}, \"offset {tag}.{member}\");",
                    field.offset
                );
            }
        }
    }
    out
}

/// One constant per bit-field with all its bits set, nothing else.
fn constants(unit: &Unit) -> (String, HashMap<String, Vec<u8>>) {
    let mut text = String::new();
    let mut expected = HashMap::new();
    for (tag, record) in tagged(unit) {
        if record.size == 0 || record.size > 4096 {
            continue;
        }
        for field in record.fields.as_deref().expect("every record is complete") {
            let (Some(member), Some(bits)) = (field.name, field.bits) else { continue };
            let member = unit.names.name(member);
            let variable = format!("v_{tag}_{member}");
            let _ = writeln!(text, "const {} {variable} = {{ .{member} = -1 }};", tag.replace('s', "t"));
            let mut bytes = vec![0u8; record.size as usize];
            for bit in 0..u64::from(bits.width) {
                let at = field.offset * 8 + u64::from(bits.start) + bit;
                bytes[(at / 8) as usize] |= 1 << (at % 8);
            }
            expected.insert(variable, bytes);
        }
    }
    (text, expected)
}

/// The contents of data objects in gcc's assembly output.
fn data(assembly: &str) -> HashMap<String, Vec<u8>> {
    let mut out: HashMap<String, Vec<u8>> = HashMap::new();
    let mut current = None;
    for line in assembly.lines() {
        if let Some(label) = line.strip_suffix(':') {
            current = label.starts_with("v_").then(|| label.to_string());
            continue;
        }
        let (Some(name), Some((directive, value))) = (&current, line.trim().split_once('\t')) else {
            continue;
        };
        let number = value.parse::<i128>().unwrap_or(0);
        let size = match directive {
            ".byte" => 1,
            ".value" | ".short" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => {
                out.entry(name.clone()).or_default().extend(std::iter::repeat_n(0, number as usize));
                continue;
            }
            _ => continue,
        };
        out.entry(name.clone()).or_default().extend(&number.to_le_bytes()[..size]);
    }
    out
}

fn agree(seed: u64, target: &Target, flag: &str, compiler: &str, plain: bool) {
    if !have(compiler) {
        return;
    }
    let text = records(&mut Random(seed), target.long_bytes == 8, plain);
    let unit = unit(&text, target);
    let asserted = format!("{text}{}", assertions(&unit));
    if let Err(messages) = compile(compiler, &[flag, "-w", "-fsyntax-only"], &asserted) {
        let first: Vec<&str> = messages.lines().filter(|l| l.contains("error")).take(5).collect();
        panic!("{compiler} {flag} seed {seed}: {}\n{asserted}", first.join("\n"));
    }
    if compiler != "gcc" {
        return;
    }
    let (constants, expected) = constants(&unit);
    assert!(expected.len() > 100, "too few bit-fields to say anything");
    let assembly =
        compile("gcc", &[flag, "-w", "-S", "-o", "-"], &format!("{text}{constants}")).expect("gcc compiles");
    let found = data(&assembly);
    for (name, bytes) in expected {
        assert_eq!(found.get(&name), Some(&bytes), "{flag} seed {seed} {name}\n{text}");
    }
}

#[test]
fn layout_agrees_with_gcc_on_lp64() {
    for seed in 0..6 {
        agree(seed, &Target::LP64, "-m64", "gcc", false);
    }
}

#[test]
fn layout_agrees_with_gcc_on_ilp32() {
    for seed in 10..16 {
        agree(seed, &Target::ILP32, "-m32", "gcc", false);
    }
}

#[test]
fn plain_layout_agrees_with_clang() {
    for seed in 20..24 {
        agree(seed, &Target::LP64, "-m64", "clang-19", true);
        agree(seed, &Target::ILP32, "-m32", "clang-19", true);
    }
}
