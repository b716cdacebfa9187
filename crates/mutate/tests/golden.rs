//! One golden per strategy: `golden/NAME.c` and the variant that `golden/NAME.expected.c` shows. With `PLUMB_BLESS=1`
//! the expected files are written anew; read the difference before keeping it.

use csyntax::{parse::parse, print::print};
use machine::Options;
use mutate::choices::Choices;
use mutate::{STRATEGIES, Seed, Settings, check, variant};
use std::path::Path;

#[test]
fn every_strategy_makes_its_golden_variant() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let settings = Settings { point_probability: 0.6, least_points: 0.0, ..Settings::default() };
    for strategy in STRATEGIES {
        let name = strategy.name();
        let text = std::fs::read(dir.join(format!("{name}.c"))).unwrap_or_else(|e| panic!("{name}.c: {e}"));
        let seed = Seed::new(&text, "golden.c", &Options::default(), &[]).unwrap();
        let made = variant(&seed, &[*strategy], &settings, 5, 0).unwrap();
        let shown = match strategy.splitter() {
            Some(split) => {
                let made = split(&made.text, &seed.options.target, 3, &mut Choices::new(5)).unwrap();
                check(&seed, &made.whole, &[]).unwrap_or_else(|wrong| panic!("{wrong}"));
                assert!(made.units.len() > 1, "{name} split nothing");
                made.units.iter().map(|unit| format!("/* a unit */\n{}", laid_out(unit))).collect()
            }
            None => {
                assert!(!made.edits.is_empty(), "{name} made no edit");
                check(&seed, &made.text, &made.edits).unwrap_or_else(|wrong| panic!("{wrong}"));
                laid_out(&made.text)
            }
        };
        let path = dir.join(format!("{name}.expected.c"));
        if std::env::var_os("PLUMB_BLESS").is_some() {
            std::fs::write(&path, &shown).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}.expected.c: {e}"));
        assert_eq!(shown, expected, "{name}: bless with PLUMB_BLESS=1 if the change is meant");
    }
}

/// A variant as the printer lays it out: for people to read.
fn laid_out(text: &str) -> String {
    print(&parse(text.as_bytes(), "variant.c").ast)
}

#[test]
fn programs_without_a_meaning_are_refused() {
    let options = Options { max_steps: 10_000, ..Options::default() };
    let refusal = |text: &str| Seed::new(text.as_bytes(), "f.c", &options, &[]).err().map(|r| r.to_string());
    assert!(refusal("int main(void) { int x; return x; }").unwrap().contains("undefined"));
    assert!(refusal("int main(void) { for (;;) ; }").unwrap().contains("budget"));
    assert!(refusal("int main(void) { return").unwrap().contains("error"));
    assert!(refusal("int x; int main(void) { return (int)(unsigned long)&x & 4096 ? 1 : 0; }").is_some());
    assert_eq!(refusal("int never(void) { return 1; } int main(void) { return 0; }"), None);
}

#[test]
fn minimisation_keeps_what_is_needed() {
    let text = b"int g; int main(void) { if (g) { g = 1; g = 2; g = 3; g = 4; } return 0; }";
    let seed = Seed::new(text, "f.c", &Options::default(), &[]).unwrap();
    let orion = mutate::strategy("orion").unwrap();
    let made = (0..100)
        .map(|index| variant(&seed, &[orion], &Settings::default(), 1, index).unwrap())
        .find(|made| made.edits.len() >= 3)
        .unwrap();
    let wanted = made.edits[1].clone();
    let kept = mutate::minimize(&made.edits, 100, |edits| edits.contains(&wanted));
    assert_eq!(kept, [wanted]);
}

#[test]
fn added_jumps_go_to_labels_that_no_other_edit_removes() {
    let text =
        b"int g; int main(void) { int i; for (i = 0; i < 3; i++) { if (g) { goto l; l: g = 2; } g = 0; }
        return g; }";
    let seed = Seed::new(text, "f.c", &Options::default(), &[]).unwrap();
    let settings = Settings { point_probability: 1.0, ..Settings::default() };
    for index in 0..300 {
        let made = variant(&seed, STRATEGIES, &settings, 1, index).unwrap();
        check(&seed, &made.text, &made.edits).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

/// Programs of the ideas that the papers show, and the first variant by the strategy that each one names.
#[test]
fn examples_of_the_papers() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/paper");
    let settings = Settings { point_probability: 0.4, least_points: 0.0, ..Settings::default() };
    let mut seen = 0;
    let mut files: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let shown = path.display().to_string();
        if shown.ends_with(".expected.c") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let wanted = text.lines().find_map(|line| line.strip_prefix("/* strategy: "));
        let wanted = wanted.unwrap_or_else(|| panic!("{shown}: no line with a strategy")).trim();
        let strategy = mutate::strategy(wanted.split('/').next().unwrap_or(wanted)).unwrap();
        let seed = Seed::new(text.as_bytes(), "example.c", &Options::default(), &[]).unwrap();
        let made = (0..200)
            .map(|index| variant(&seed, &[strategy], &settings, 9, index).unwrap())
            .find(|made| made.edits.iter().any(|edit| edit.strategy.starts_with(wanted)))
            .unwrap_or_else(|| panic!("{shown}: no variant by {wanted}"));
        check(&seed, &made.text, &made.edits).unwrap_or_else(|wrong| panic!("{shown}: {wrong}"));
        let expected = path.with_extension("expected.c");
        let laid = laid_out(&made.text);
        if std::env::var_os("PLUMB_BLESS").is_some() {
            std::fs::write(&expected, &laid).unwrap();
        }
        let known = std::fs::read_to_string(&expected).unwrap_or_else(|e| panic!("{shown}: {e}"));
        assert_eq!(laid, known, "{shown}: bless with PLUMB_BLESS=1 if the change is meant");
        seen += 1;
    }
    assert_eq!(seen, 11);
}
