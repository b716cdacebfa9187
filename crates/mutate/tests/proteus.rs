//! Split programs: their parts, compiled apart and linked, do what the whole does, and the whole does what the
//! program did.

use machine::{Options, Verdict};
use mutate::Seed;
use mutate::choices::Choices;
use mutate::proteus::split;
use std::process::Command;

fn outcome(text: &str) -> machine::Outcome {
    let parsed = csyntax::parse::parse(text.as_bytes(), "p.c");
    let unit = csyntax::check::check(&parsed.ast, &csyntax::target::Target::LP64).unit.expect("it checks");
    match machine::judge(&unit, &Options::default()).verdict {
        Verdict::Defined(outcome) => outcome,
        other => panic!("{other:?}\n{text}"),
    }
}

const SMALL: &str = "typedef struct { int x; } T; static T t[] = {{1}, {2}, {3}}; static int f(int); int g = 2, h;\n\
    extern int puts(const char *); static int index(int i) { static int calls; return t[i].x + calls++; }\n\
    int k(a) int a; { return a + (int)(sizeof t / sizeof t[0]); }\n\
    int main(void) { puts(\"x\"); h = f(1); return index(1) + h * 10 + k(0); }\n\
    static int f(int x) { return x + g; }\n";

#[test]
fn a_small_program_is_taken_apart() {
    let wanted = outcome(SMALL);
    let made = split(SMALL, &csyntax::target::Target::LP64, 3, &mut Choices::new(4)).unwrap();
    assert!(made.units.len() >= 2);
    assert_eq!(outcome(&made.whole), wanted);
    for name in ["f_exposed", "t_exposed", "index_exposed"] {
        assert!(made.units.iter().all(|unit| unit.contains(name)), "{name}\n{}", made.units.join("\n----\n"));
    }
    assert!(made.units.iter().all(|unit| !unit.contains("static int f") && unit.contains("typedef")));
}

#[test]
fn what_must_stay_together_is_refused() {
    let refused = |text| split(text, &csyntax::target::Target::LP64, 4, &mut Choices::new(1)).err();
    assert!(refused("asm(\"\"); int main(void) { return 0; }").is_some());
    assert!(refused("int main(void) { return 0; }").is_some());
    assert!(refused("int f(void) { return __func__[0]; } int main(void) { return f(); }").is_some());
    assert!(
        refused("int f(void) { return 1; } int g(void) __attribute__((alias(\"f\"))); int main(void) {}")
            .is_some()
    );
}

#[test]
fn parts_compiled_apart_behave_as_the_program() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("no gcc here: nothing compared");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let options = Options { max_steps: 1_000_000, ..Options::default() };
    let mut compared = 0;
    for number in 1..=10u64 {
        let text = generate::generate(number, &generate::Options::default()).text();
        let Ok(seed) = Seed::new(text.as_bytes(), "seed.c", &options, &[]) else { continue };
        let mut draw = Choices::new(number);
        let made = split(&seed.text, &options.target, 4, &mut draw).unwrap();
        assert_eq!(outcome(&made.whole).stdout, seed.truth[0].1.stdout);
        let lto = draw.coin();
        let mut objects = Vec::new();
        for (index, unit) in made.units.iter().enumerate() {
            let (source, object) = (dir.path().join("u.c"), dir.path().join(format!("u{index}.o")));
            std::fs::write(&source, unit).unwrap();
            let level = ["-O0", "-O1", "-Os", "-O2", "-O3"][draw.below(5)];
            let mut gcc = Command::new("gcc");
            gcc.args(["-w", level, "-c"]).args(lto.then_some("-flto")).arg(&source).arg("-o").arg(&object);
            let built = gcc.output().unwrap();
            assert!(built.status.success(), "seed {number}: {}", String::from_utf8_lossy(&built.stderr));
            objects.push(object);
        }
        let binary = dir.path().join("p");
        let mut gcc = Command::new("gcc");
        let linked = gcc
            .args(["-w"])
            .args(lto.then_some("-flto"))
            .args(&objects)
            .arg("-o")
            .arg(&binary)
            .output()
            .unwrap();
        assert!(linked.status.success(), "seed {number}: {}", String::from_utf8_lossy(&linked.stderr));
        let ran = Command::new(&binary).output().unwrap();
        assert_eq!(ran.stdout, seed.truth[0].1.stdout, "seed {number}, lto {lto}");
        compared += 1;
    }
    assert!(compared >= 6, "only {compared} programs were compared");
}
