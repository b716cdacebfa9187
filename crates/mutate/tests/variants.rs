//! The law of the crate: a variant behaves as its seed, whatever strategy made it and whichever of its edits are
//! kept; and everything is a function of the seed number.

use machine::Options;
use mutate::{Chosen, Edit, STRATEGIES, Seed, Settings, Strategy, check, from_log, to_log, variant};

fn options() -> Options {
    Options { max_steps: 3_000_000, ..Options::default() }
}

fn generated(number: u64) -> Option<Seed> {
    let text = generate::generate(number, &generate::Options::default()).text();
    Seed::new(text.as_bytes(), "seed.c", &options(), &[]).ok()
}

/// A law must hold of the variants of one strategy, and of all together.
fn mixes() -> Vec<Vec<&'static dyn Strategy>> {
    let editing = Chosen::all_editing().editing;
    let mut mixes: Vec<Vec<&dyn Strategy>> = editing.iter().map(|s| vec![*s as &dyn Strategy]).collect();
    mixes.push(editing.iter().map(|s| *s as &dyn Strategy).collect());
    mixes
}

#[test]
fn variants_of_generated_programs_behave_as_their_seeds() {
    let settings = Settings { point_probability: 0.3, ..Settings::default() };
    let (mut seeds, mut edits) = (0, vec![0; mixes().len() - 1]);
    let first: u64 = std::env::var("PLUMB_FIRST_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let count: u64 = std::env::var("PLUMB_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(50);
    for number in first..first + count {
        let Some(seed) = generated(number) else { continue };
        seeds += 1;
        for (mix, strategies) in mixes().iter().enumerate() {
            let made = variant(&seed, strategies, &settings, number, 0).unwrap();
            if let Some(total) = edits.get_mut(mix) {
                *total += made.edits.len();
            }
            match check(&seed, &made.text, &made.edits) {
                Ok(()) => {}
                Err(wrong) if wrong.exhausted => {}
                Err(wrong) => panic!("seed {number}, mix {mix}: {wrong}"),
            }
        }
    }
    assert!(seeds * 10 >= count * 7, "only {seeds} of {count} generated programs were seeds");
    for (strategy, edits) in Chosen::all_editing().editing.iter().zip(edits) {
        assert!(edits as u64 >= count, "{} made only {edits} edits", strategy.name());
    }
}

/// What a seed knows of its variants' texts beforehand changes nothing of what they are.
#[test]
fn variants_are_read_as_any_text_is() {
    let settings = Settings { point_probability: 0.3, ..Settings::default() };
    for seed in (1..).filter_map(generated).take(6) {
        for (number, strategies) in mixes().iter().enumerate() {
            let made = variant(&seed, strategies, &settings, 5, number as u64).unwrap();
            let parsed = csyntax::parse::parse(made.text.as_bytes(), "variant.c");
            let checked = csyntax::check::check(&parsed.ast, &seed.options.target);
            let whole = format!("{:?}", (parsed, Some(checked)));
            assert!(format!("{:?}", seed.read(&made.text)) == whole, "{}", made.text);
        }
    }
}

#[test]
fn any_subset_of_edits_is_a_variant() {
    let settings = Settings { point_probability: 0.5, ..Settings::default() };
    let seed = (1..).find_map(generated).unwrap();
    let made = variant(&seed, STRATEGIES, &settings, 7, 0).unwrap();
    for part in 0..12u64 {
        let mut draw = mutate::choices::Choices::nth(99, part);
        let kept: Vec<Edit> = made.edits.iter().filter(|_| draw.coin()).cloned().collect();
        let text = seed.replay(&kept).unwrap();
        check(&seed, &text, &kept).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[test]
fn same_seed_same_bytes_and_logs_replay() {
    let settings = Settings::default();
    let (one, two) = (generated(3).unwrap(), generated(3).unwrap());
    for index in 0..5 {
        let made = variant(&one, STRATEGIES, &settings, 11, index).unwrap();
        assert_eq!(made.text, variant(&two, STRATEGIES, &settings, 11, index).unwrap().text);
        let log = from_log(&to_log(&made.edits)).unwrap();
        assert_eq!(log, made.edits);
        assert_eq!(two.replay(&log).unwrap(), made.text);
    }
    let other = variant(&one, STRATEGIES, &settings, 12, 0).unwrap();
    assert_ne!(other.text, variant(&one, STRATEGIES, &settings, 11, 0).unwrap().text);
}

/// Parameters are called `restrict` where nothing else reaches what they do, and only there.
#[test]
fn restrict_is_told_only_where_it_holds() {
    let program = |call: &str| {
        format!(
            "int a[4] = {{1, 2, 3, 4}}, b[4];\nvoid add(int *to, const int *from, int n) {{ int i;\n\
             for (i = 0; i < n; i++) to[i] += from[i]; }}\nint main(void) {{ add({call}, 3); return a[1] + b[2]; }}"
        )
    };
    let told = |text: &str| {
        let seed = Seed::new(text.as_bytes(), "seed.c", &Options::default(), &[]).unwrap();
        let settings = Settings { point_probability: 0.7, ..Settings::default() };
        let mut told = 0;
        for index in 0..60 {
            let made = variant(&seed, STRATEGIES, &settings, 11, index).unwrap();
            check(&seed, &made.text, &made.edits).unwrap_or_else(|wrong| panic!("{wrong}\n{}", made.text));
            told += made.edits.iter().filter(|edit| edit.strategy == "facts/restrict").count();
        }
        told
    };
    assert!(told(&program("b, a")) > 20);
    assert_eq!(told(&program("a + 1, a")), 0);
}
