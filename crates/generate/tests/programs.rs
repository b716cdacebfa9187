//! What every generated program has to be: the same everywhere, valid from any choices, defined under sanitizers.

use generate::{Options, Switch, generate, replay};
use std::io::Write;
use std::process::{Command, Stdio};

/// FNV-1a, to keep goldens short.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

fn compiles(text: &str, args: &[&str]) -> Result<(), String> {
    let mut child = Command::new("gcc")
        .args(["-w", "-x", "c", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("gcc is needed for this test: {e}"))?;
    let mut input = child.stdin.take().ok_or("no stdin")?;
    input.write_all(text.as_bytes()).map_err(|e| e.to_string())?;
    drop(input);
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for seed in 0..20 {
        let (a, b) = (generate(seed, &Options::default()), generate(seed, &Options::default()));
        assert_eq!(a.text(), b.text());
        assert_eq!(a.text(), replay(&a.choices, &Options::default()).text(), "seed {seed} replayed");
    }
}

#[test]
fn different_seeds_give_different_programs() {
    let all: std::collections::HashSet<u64> =
        (0..200).map(|seed| digest(&generate(seed, &Options::default()).text())).collect();
    assert_eq!(all.len(), 200);
}

#[test]
fn any_choices_make_a_program_that_compiles() {
    let options = Options::default();
    for seed in 0..12u32 {
        let mut choices = generate(seed.into(), &options).choices;
        match seed % 4 {
            0 => choices.truncate(choices.len() / 3),
            1 => choices.iter_mut().enumerate().filter(|(n, _)| n % 7 == 3).for_each(|(_, c)| *c = !*c),
            2 => drop(choices.drain(50..150)),
            _ => choices = (0..4000).map(|n: u32| n.wrapping_mul(seed + 0x9e37_79b9) >> 3).collect(),
        }
        let text = replay(&choices, &options).text();
        if let Err(error) = compiles(&text, &["-fsyntax-only"]) {
            panic!("choices of seed {seed}: {error}\n{text}");
        }
    }
    let least = replay(&[], &options).text();
    assert!(least.len() < 2500, "no choices make a small program, not {} bytes", least.len());
}

#[test]
fn programs_run_clean_under_sanitizers() {
    let dir = std::env::temp_dir().join(format!("plumb-generate-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for seed in 0..8 {
        let text = generate(seed, &Options::default()).text();
        let binary = dir.join(format!("s{seed}"));
        let args = ["-fsanitize=address,undefined", "-fno-sanitize-recover", "-o", binary.to_str().unwrap()];
        if let Err(error) = compiles(&text, &args) {
            panic!("seed {seed}: {error}\n{text}");
        }
        let output = Command::new(&binary).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "seed {seed}: {}\n{error}\n{text}", output.status);
        assert!(output.stdout.starts_with(b"checksum = "), "seed {seed}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn the_manual_lists_every_construct_and_option() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/generate.md");
    let manual = std::fs::read_to_string(path).unwrap();
    let reference = generate::manual::reference();
    assert!(manual.contains(&reference), "docs/generate.md is out of date; it should end in:\n{reference}");
}

#[test]
fn a_seed_gives_the_same_bytes_on_every_machine() {
    // A change of any construct changes programs: then these are new, and the change log says so.
    let golden = include_str!("golden.txt");
    let now: String = (1..=12u64)
        .map(|seed| {
            let options = if seed % 3 == 0 {
                Options::parse(&["--swarm", "--no-gnu"]).unwrap()
            } else {
                Options::default()
            };
            format!("{seed} {:016x}\n", digest(&generate(seed, &options).text()))
        })
        .collect();
    assert_eq!(golden, now, "tests/golden.txt is out of date");
}

#[test]
fn programs_are_defined_and_mean_the_same_in_every_data_model() {
    use csyntax::target::Target;
    let mut options = Options::default();
    // `va_list` on ILP32 is not modelled by the machine yet.
    options.set(generate::Switch::Variadic, false);
    for seed in 0..40 {
        let program = generate(seed, &options);
        let parsed = csyntax::parse::parse(program.text().as_bytes(), "program.c");
        let runs = [Target::LP64, Target::ILP32, Target::LP64_BE].map(|target| {
            let unit = csyntax::check::check(&parsed.ast, &target).unit.expect("it checks");
            let options = machine::Options { target, ..machine::Options::default() };
            let run = machine::run(&unit, &options);
            let defined = matches!(run.verdict, machine::Verdict::Defined(_));
            assert!(defined, "seed {seed}: {:?}", run.verdict);
            assert!(run.steps <= program.stats.steps, "seed {seed}: {} steps", run.steps);
            run.stdout
        });
        assert!(runs.iter().all(|r| *r == runs[0]), "seed {seed} prints different things");
    }
}

#[test]
fn pedantic_compilers_accept_programs_without_gnu_extensions() {
    let options = Options::parse(&["--no-gnu"]).unwrap();
    for seed in 0..10 {
        let text = generate(seed, &options).text();
        if let Err(error) = compiles(&text, &["-std=c11", "-pedantic-errors", "-fsyntax-only"]) {
            panic!("seed {seed}: {error}\n{text}");
        }
    }
}

/// The first seed whose program has each construct, and that program.
#[test]
fn every_construct_is_used_and_its_programs_stay() {
    let every = ["--int128", "--long-double", "--paranoid", "--enable-access-once", "--dead-code", "5"];
    let invalid = ["--null-ptr-deref-prob", "10", "--dangling-ptr-deref-prob", "10"];
    let mut found: Vec<(&str, Option<String>)> =
        generate::manual::constructs().map(|c| (c.name, None)).collect();
    // What is off takes no draw: those before it are the programs of before there was any of these.
    let late = ["--bit-int", "--c23", "--assume", "--musttail", "--float16"];
    let runs = [(&every[..], 0..400u64), (&invalid[..], 0..60), (&late[..], 0..60)];
    for (words, seeds) in runs {
        let options = Options::parse(words).unwrap();
        for seed in seeds {
            if found.iter().all(|f| f.1.is_some()) {
                break;
            }
            let program = generate(seed, &options);
            for ((name, used), slot) in program.stats.constructs.iter().zip(&mut found) {
                assert_eq!(*name, slot.0, "statistics are in the order of the registries");
                if *used > 0 && slot.1.is_none() {
                    slot.1 = Some(format!("{name}: seed {seed}, {:016x}\n", digest(&program.text())));
                }
            }
        }
    }
    let unused: Vec<&str> = found.iter().filter(|f| f.1.is_none()).map(|f| f.0).collect();
    assert!(unused.is_empty(), "never used: {unused:?}");
    let now: String = found.into_iter().filter_map(|f| f.1).collect();
    let golden = include_str!("constructs.txt");
    assert!(golden == now, "tests/constructs.txt is out of date; it should be:\n{now}");
}

/// The programs of constructs that are off unless asked for, each alone and all together.
#[test]
fn programs_of_newer_constructs_are_defined() {
    let late = ["--bit-int", "--c23", "--assume", "--musttail", "--float16"];
    let sets =
        late.iter().map(|word| vec![*word]).chain([late.to_vec(), vec!["--c23", "--no-gnu", "--swarm"]]);
    for words in sets {
        let options = Options::parse(&words).unwrap();
        for seed in 0..12 {
            let program = generate(seed, &options);
            let verdict = run(&program.text()).verdict;
            assert!(matches!(verdict, machine::Verdict::Defined(_)), "{words:?}, seed {seed}: {verdict:?}");
            assert_eq!(program.text(), replay(&program.choices, &options).text(), "{words:?}, seed {seed}");
        }
    }
}

/// What a program says that it has of newer compilers' C is there, and nothing else is.
#[test]
fn newer_constructs_are_named() {
    let mut options = Options::parse(&["--bit-int", "--c23", "--assume", "--musttail", "--float16"]).unwrap();
    options.set(Switch::VarySize, true);
    let words = [
        (Switch::BitInt, "_BitInt("),
        (Switch::C23, "0xffff'ffffU"),
        (Switch::Assume, "assume("),
        (Switch::Musttail, "__attribute__((musttail))"),
        (Switch::Float16, "_Float16"),
    ];
    let mut seen = [[0; 2]; 5];
    for seed in 0..60 {
        let program = generate(seed, &options);
        let text = program.text();
        for ((switch, word), seen) in words.iter().zip(&mut seen) {
            let has = text.contains(word);
            assert_eq!(has, program.late.contains(switch), "seed {seed}: {word}");
            seen[usize::from(has)] += 1;
        }
    }
    assert!(seen.iter().flatten().all(|count| *count >= 5), "{seen:?}");
    options.favour_late();
    options.set(Switch::VarySize, false);
    let named: usize = (0..6).map(|seed| generate(seed, &options).late.len()).sum();
    assert!(named >= 22, "{named} of 30");
}

/// Constructs that are off change no program, whatever is drawn.
#[test]
fn newer_constructs_that_are_off_take_no_draw() {
    let plain = Options::parse(&["--random-random", "--swarm", "--vary-size"]).unwrap();
    let mut off = plain.clone();
    for name in ["bit-precise-call", "c23-call", "assumption-call", "tail-call", "half-call"] {
        off.set_weight(&format!("{name}=0")).unwrap();
    }
    for seed in 0..20 {
        assert_eq!(generate(seed, &plain).text(), generate(seed, &off).text(), "seed {seed}");
    }
}

#[test]
fn units_of_a_program_link_and_mean_the_same() {
    let dir = std::env::temp_dir().join(format!("plumb-units-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for seed in 0..4 {
        let program = generate(seed, &Options::default());
        let mut printed = Vec::new();
        for count in [1, 3] {
            let files: Vec<_> = (0..count).map(|n| dir.join(format!("{seed}-{count}-{n}.c"))).collect();
            for (file, text) in files.iter().zip(program.units(count)) {
                std::fs::write(file, text).unwrap();
            }
            let binary = dir.join("a");
            let built =
                Command::new("gcc").args(["-w", "-flto", "-O1", "-o"]).arg(&binary).args(&files).output();
            let built = built.expect("gcc is needed for this test");
            assert!(built.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&built.stderr));
            printed.push(Command::new(&binary).output().unwrap().stdout);
        }
        assert_eq!(printed[0], printed[1], "seed {seed}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// What follows the `[...]` that a text begins with.
fn after_indices(mut text: &str) -> &str {
    while text.starts_with('[') {
        let mut depth = 0;
        let end = text.find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        });
        text = end.map_or("", |end| &text[end + 1..]);
    }
    text
}

/// clang 14 refuses `switch (a)` where `a` is atomic: no conversion takes the qualifier off there.
#[test]
fn no_switch_takes_an_atomic_object_as_it_is() {
    let swarm = Options::parse(&["--swarm"]).unwrap();
    let mut cast = 0;
    for seed in 0..1200 {
        let text = generate(seed, &swarm).text();
        for line in text.lines().filter(|line| line.starts_with("static _Atomic") && line.contains(" g_")) {
            let declared = line.split([' ', '*', '[', ';', '(']).find(|word| word.starts_with("g_")).unwrap();
            let read = format!("switch ({declared}");
            let bare = text.split(&read).skip(1).any(|rest| after_indices(rest).starts_with(')'));
            assert!(!bare, "seed {seed}: {declared}");
            cast += [")", "["].iter().filter(|end| text.contains(&format!("int){declared}{end}"))).count();
        }
    }
    assert!(cast >= 4, "{cast} atomic objects are cast");
}

/// `_Atomic int` is another type than `int`, which compilers of today insist on: pointers to the one are none to the other.
#[test]
fn no_pointer_to_atomic_objects_points_to_others() {
    let mut of_atomic = 0;
    for seed in 200..500 {
        let program = generate(seed, &Options::default());
        let checked = csyntax::check::check(&program.ast, &csyntax::target::Target::LP64);
        let wrong = checked.diagnostics.iter().find(|d| d.message.contains("incompatible pointer"));
        assert!(wrong.is_none(), "seed {seed}: {wrong:?}");
        of_atomic +=
            program.text().lines().filter(|l| l.starts_with("static _Atomic") && l.contains("*")).count();
    }
    assert!(of_atomic >= 5, "{of_atomic}");
}

/// The checked program.
fn run(text: &str) -> machine::Run {
    let parsed = csyntax::parse::parse(text.as_bytes(), "program.c");
    let unit = csyntax::check::check(&parsed.ast, &csyntax::target::Target::LP64).unit.expect("it checks");
    machine::run(&unit, &machine::Options { max_steps: 1 << 30, ..machine::Options::default() })
}

#[test]
fn step_hashes_are_printed_and_change_nothing_else() {
    let plain = Options::parse(&["--no-pure-functions", "--max-steps", "100000"]).unwrap();
    let words = ["--step-hash-by-stmt", "--max-steps", "100000"];
    for seed in 0..6 {
        let before = run(&generate(seed, &plain).text());
        let all = generate(seed, &Options::parse(&words).unwrap());
        let one =
            generate(seed, &Options::parse(&[&words[..], &["--monitor-funcs", "func_1"]].concat()).unwrap());
        let printed = [&all, &one].map(|program| {
            let run = run(&program.text());
            assert!(matches!(run.verdict, machine::Verdict::Defined(_)), "seed {seed}: {:?}", run.verdict);
            String::from_utf8(run.stdout).unwrap()
        });
        let last = |text: &str| text.lines().last().map(str::to_string);
        let before = last(&String::from_utf8(before.stdout).unwrap());
        assert!(printed.iter().all(|text| last(text) == before), "seed {seed}");
        let steps = printed.each_ref().map(|text| text.matches("before stmt(").count());
        assert!(steps[1] > 0 && steps[0] >= steps[1], "seed {seed}: {steps:?}");
        for text in all.units(3) {
            if let Err(error) = compiles(&text, &["-fsyntax-only"]) {
                panic!("seed {seed}: {error}\n{text}");
            }
        }
    }
}

#[test]
fn marked_constants_can_be_changed() {
    let options = Options::parse(&["--mark-mutable-const"]).unwrap();
    let mut changed = 0;
    for seed in 0..8 {
        let text = generate(seed, &options).text();
        let same = generate(seed, &Options::default()).text();
        assert_eq!(run(&text).stdout, run(&same).stdout, "seed {seed}");
        let mut other = String::new();
        for line in text.lines() {
            let global = line.starts_with("static") && line.contains(" g_") && line.contains(" = ");
            let mut parts = line.split('(');
            other.push_str(parts.next().unwrap_or(""));
            for part in parts {
                let (inside, rest) = part.split_once(')').unwrap_or((part, ""));
                let digits = inside.trim_start_matches('-');
                let marked = digits.starts_with(|c: char| c.is_ascii_digit());
                if global && marked && digits.chars().all(|c| c.is_ascii_alphanumeric()) {
                    other.push_str("(1)");
                    other.push_str(rest);
                    changed += 1;
                } else {
                    other.push('(');
                    other.push_str(part);
                }
            }
            other.push('\n');
        }
        let verdict = run(&other).verdict;
        assert!(matches!(verdict, machine::Verdict::Defined(_)), "seed {seed}: {verdict:?}\n{other}");
    }
    assert!(changed > 50, "{changed} constants");
}

#[test]
fn a_shortened_or_changed_sequence_keeps_its_program_defined() {
    let options = Options::default();
    for seed in 0..10u32 {
        let mut choices = generate(seed.into(), &options).choices;
        match seed % 3 {
            0 => choices.truncate(choices.len() / 2),
            1 => drop(choices.drain(100..180)),
            _ => choices.iter_mut().skip(seed as usize).step_by(50).for_each(|c| *c ^= 5),
        }
        let program = replay(&choices, &options);
        let unit =
            csyntax::check::check(&program.ast, &csyntax::target::Target::LP64).unit.expect("it checks");
        let run = machine::run(&unit, &machine::Options::default());
        assert!(matches!(run.verdict, machine::Verdict::Defined(_)), "seed {seed}: {:?}", run.verdict);
    }
}

#[test]
fn all_programs_come_one_after_the_other() {
    let words = ["--max-funcs", "1", "--tokens", "60", "--max-block-size", "1", "--max-expr-complexity", "1"];
    let mut options = Options::parse(&words).unwrap();
    options.exhaustive = true;
    let programs: Vec<_> = generate::Exhaustive::new(&options).take(60).collect();
    assert_eq!(programs.len(), 60);
    assert!(programs[0].choices.iter().all(|c| *c == 0));
    assert!(
        programs.windows(2).all(|w| w[0].choices < w[1].choices),
        "each has later choices than the one before"
    );
    for program in programs.iter().step_by(10) {
        if let Err(error) = compiles(&program.text(), &["-fsyntax-only"]) {
            panic!("{error}\n{}", program.text());
        }
        assert_eq!(replay(&program.choices, &options).text(), program.text());
    }
}

#[test]
fn kinds_of_builtins_are_switched() {
    let count = |words: &[&str], name: &str| -> u32 {
        let options = Options::parse(words).unwrap();
        let used = |seed| generate(seed, &options).stats.constructs;
        (0..30).flat_map(used).filter(|(n, _)| *n == name).map(|(_, count)| count).sum()
    };
    assert!(count(&[], "bit builtin") > 0 && count(&[], "overflow builtin") > 0);
    assert_eq!(count(&["--disable-builtin-kinds", "bit,memory"], "bit builtin"), 0);
    assert_eq!(count(&["--enable-builtin-kinds=bit"], "overflow builtin"), 0);
    assert!(count(&["--enable-builtin-kinds=bit"], "bit builtin") > 0);
}

#[test]
fn bytecode_of_generated_programs_keeps_its_rules() {
    let swarm = Options::parse(&["--swarm".to_owned()]).expect("an option");
    for seed in 0..12 {
        for (options, profile) in
            [(Options::default(), false), (Options::default(), true), (swarm.clone(), false)]
        {
            let text = generate(seed, &options).text();
            let parsed = csyntax::parse::parse(text.as_bytes(), "program.c");
            let options = machine::Options { profile, ..machine::Options::default() };
            let unit = csyntax::check::check(&parsed.ast, &options.target).unit.expect("it checks");
            let program = machine::lower::lower(&unit, &options).expect("it is supported");
            if let Err(fault) = machine::verify::verify(&unit, &program) {
                panic!("seed {seed}: {fault}\n{text}");
            }
        }
    }
}

#[test]
fn values_are_not_read_from_members_that_overlap_their_target() {
    // This seed stored one member of a union to another (C11 6.5.16.1p3).
    let options = Options::parse(&["--swarm".to_owned()]).expect("an option");
    let text = generate(30463, &options).text();
    let parsed = csyntax::parse::parse(text.as_bytes(), "program.c");
    let options = machine::Options::default();
    let unit = csyntax::check::check(&parsed.ast, &options.target).unit.expect("it checks");
    let run = machine::run(&unit, &options);
    assert!(matches!(run.verdict, machine::Verdict::Defined(_)), "{:?}", run.verdict);
}
