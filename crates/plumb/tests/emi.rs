//! `plumb emi`: variants with logs that replay and minimise, corpora, parameters, split programs, and refusals.

mod common;

use common::{Plumb, lines};

const PROGRAM: &str = "int g, h = 3;\nstatic int help(int x)\n{\n    if (x > 50) {\n        g = x;\n        h--;\n    }\n    \
    return x + h;\n}\nint main(void)\n{\n    int i;\n    for (i = 0; i < 4; i++)\n        g += help(i);\n    return g;\n}\n";

#[test]
fn logs_replay_to_the_same_bytes() {
    let plumb = Plumb::new();
    plumb.file("seed.c", PROGRAM);
    let done = plumb.run(&["emi", "seed.c", "-n", "6", "-o", "out", "--json", "--probability", "0.5"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["variants"], 6, "{summary}");
    let read = |path: &str| std::fs::read_to_string(plumb.dir().join(path)).expect(path);
    for index in 0..6 {
        let log = format!("out/seed-{index}.edits.jsonl");
        let again = plumb.run(&["emi", "seed.c", "-o", "again", "--replay", &log]);
        assert_eq!(again.code, 0, "{}", again.stderr);
        assert_eq!(read("again/seed-0.c"), read(&format!("out/seed-{index}.c")));
    }
    plumb.file("other.c", "int main(void) { return 0; }\n");
    let misfit = plumb.run(&["emi", "other.c", "-o", "again", "--replay", "out/seed-0.edits.jsonl"]);
    assert_eq!(misfit.code, 2, "{}", misfit.stderr);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let plumb = Plumb::new();
    plumb.file("seed.c", PROGRAM);
    let made = |jobs: &str| {
        let done = plumb.run(&["emi", "seed.c", "-n", "70", "-o", "out", "--json", "--jobs", jobs]);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        let read = |index: u32| {
            let path = plumb.dir().join(format!("out/seed-{index}.c"));
            let text = std::fs::read_to_string(&path).expect("a variant");
            std::fs::remove_file(path).expect("written anew by each call");
            text
        };
        (done.stdout, (0..70).map(read).collect::<Vec<_>>())
    };
    // 70 are several rounds of 2 and of 3 threads, the last one short.
    let one = made("1");
    assert_eq!(made("2"), one);
    assert_eq!(made("3"), one);
}

#[test]
fn minimised_variants_are_classified() {
    let plumb = Plumb::new();
    plumb.file("seed.c", PROGRAM);
    // Interesting is a variant in which the dead store is gone.
    let test = plumb.script("gone.sh", "#!/bin/sh\n! grep -q 'h--' \"$1\"\n");
    let test = test.display().to_string();
    let args = [
        "emi",
        "seed.c",
        "-n",
        "8",
        "-o",
        "out",
        "--json",
        "--strategy",
        "orion,hermes",
        "--minimize",
        &test,
    ];
    let done = plumb.run(&args);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    let classes = summary["interesting_by_strategy"].as_object().expect("classes");
    assert_eq!(classes.keys().collect::<Vec<_>>(), ["orion"], "{summary}");
}

#[test]
fn corpora_and_parameters_are_used() {
    let plumb = Plumb::new();
    plumb.file("seed.c", PROGRAM);
    std::fs::create_dir(plumb.dir().join("corpus")).expect("writable");
    plumb.file(
        "corpus/a.c",
        "long far; int other(int k) { while (k > 3) { far += k * 77; k -= 2; } return k; }\n",
    );
    let base = ["emi", "seed.c", "-n", "10", "-o", "out", "--strategy", "athena", "--corpus", "corpus"];
    let done = plumb.run(&[base.as_slice(), &["--set", "steps=80", "--set", "gamma=0"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let texts = (0..10)
        .map(|k| std::fs::read_to_string(plumb.dir().join(format!("out/seed-{k}.c"))).expect("written"));
    assert!(texts.into_iter().any(|text| text.contains("* 77")), "no statement of the corpus was inserted");
    for (set, word) in [("sigma=none", "sigma"), ("nothing=1", "point_probability"), ("steps", "NAME=VALUE")]
    {
        let refused = plumb.run(&["emi", "seed.c", "-o", "out", "--set", set]);
        assert_eq!(refused.code, 2, "{set}: {}", refused.stderr);
        assert!(refused.stderr.contains(word), "{set}: {}", refused.stderr);
    }
    assert_eq!(plumb.run(&["emi", "seed.c", "-o", "out", "--corpus", "nowhere"]).code, 2);
}

#[test]
fn split_programs_link() {
    let plumb = Plumb::new();
    plumb.file("seed.c", PROGRAM);
    let done = plumb.run(&["emi", "seed.c", "-n", "3", "-o", "out", "--json", "--split", "3"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let mut linked = 0;
    for line in lines(&done.stdout).iter().filter(|line| line["type"] == "variant") {
        let units: Vec<String> = line["units"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|u| u.as_str().map(str::to_owned))
            .collect();
        if units.is_empty() {
            continue;
        }
        let words =
            ["cc", "-w", "-o", "program"].map(str::to_owned).into_iter().chain(units).collect::<Vec<_>>();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let dir = plumb.dir().display().to_string();
        let command = format!("cd '{dir}' && {} && ./program", words.join(" "));
        assert_eq!(common::shell(&["sh", "-c", &command]).code, 18, "{command}");
        linked += 1;
    }
    assert!(linked > 0, "nothing was split: {}", done.stdout);
}

#[test]
fn programs_without_variants_say_why() {
    let plumb = Plumb::new();
    let cases = [
        ("undefined.c", "int main(void) { int x; return x; }\n", 3),
        ("divides.c", "int g; int main(void) { return 1 / g; }\n", 3),
        ("endless.c", "int main(void) { for (;;) ; }\n", 5),
        ("recursion.c", "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }\n", 5),
        (
            "assembly.c",
            "int main(void) { __asm__ volatile(\"mfence; nop\" : : : \"memory\"); return 0; }\n",
            4,
        ),
        (
            "address.c",
            "#include <stdio.h>\nint main(void) { int x; printf(\"%p\", (void *)&x); return 0; }\n",
            4,
        ),
        (
            "clock.c",
            "#include <stdio.h>\n#include <time.h>\nint main(void) { printf(\"%ld\", (long)time(0)); return 0; }\n",
            4,
        ),
        (
            "cpu-clock.c",
            "#include <stdio.h>\n#include <time.h>\nint main(void) { printf(\"%ld\", (long)clock()); return 0; }\n",
            4,
        ),
        ("residue.c", "int a; int main(void) { return (unsigned long)&a % 7; }\n", 4),
        ("compares.c", "int a, b; int main(void) { return (unsigned long)&a < (unsigned long)&b; }\n", 4),
        ("overflow.c", "int g = 2147483647; int main(void) { return g + 1 < g; }\n", 3),
        ("outside.c", "int a[3]; int main(int c, char **v) { return a[c + 2]; }\n", 3),
        ("endless-goto.c", "volatile int g; int main(void) { l: g++; goto l; }\n", 5),
        (
            "order.c",
            "int g; int f(void) { return ++g; } int h(void) { return g * 2; } int main(void) { return f() - h() + 5; }\n",
            4,
        ),
    ];
    for (name, text, code) in cases {
        plumb.file(name, text);
        let done = plumb.run(&["emi", name, "-n", "2", "-o", "out", "--max-steps", "100000"]);
        assert_eq!(done.code, code, "{name}: {}", done.stderr);
        assert_eq!(done.stderr.trim().lines().count(), 1, "{name}: {}", done.stderr);
        assert!(!plumb.dir().join("out").exists(), "{name}: variants were written");
        let told = plumb.run(&["emi", name, "-n", "2", "-o", "out", "--max-steps", "100000", "--json"]);
        let summary = lines(&told.stdout).pop().expect("a summary");
        let verdict = ["undefined", "unsupported", "exhausted"][code as usize - 3];
        assert_eq!(
            (told.code, &summary["verdict"], &summary["variants"]),
            (code, &verdict.into(), &0.into())
        );
    }
    for (name, text) in
        [("nothing.c", ""), ("no-main.c", "int f(void) { return 1; }\n"), ("broken.c", "int main(void) {\n")]
    {
        plumb.file(name, text);
        let done = plumb.run(&["emi", name, "-n", "2", "-o", "out"]);
        assert!((2..=4).contains(&done.code), "{name}: {} {}", done.code, done.stderr);
        assert!(
            !done.stderr.trim().is_empty() && !done.stderr.contains("please report"),
            "{name}: {}",
            done.stderr
        );
        assert!(!plumb.dir().join("out").exists(), "{name}: variants were written");
    }
    // Of one line, without a function of its own that is called, with nothing that runs but the end: variants, or the
    // reason why they equal the seed.
    let small = [
        ("line.c", "int never(void) { return 1; } int main(void) { return 0; }\n"),
        ("empty.c", "int main(void) { }\n"),
        (
            "uncalled.c",
            "int g; void never(int n) { while (n) { g += n; n--; } g = 3; } int main(void) { return 0; }\n",
        ),
    ];
    for (name, text) in small {
        plumb.file(name, text);
        let done = plumb.run(&["emi", name, "-n", "3", "-o", "small", "--json"]);
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
        let summary = lines(&done.stdout).pop().expect("a summary");
        assert_eq!(summary["variants"], 3, "{name}: {summary}");
        let said = plumb.run(&["emi", name, "-n", "3", "-o", "small"]);
        let same = summary["unchanged"].as_u64().expect("a count");
        assert_eq!(
            same > 0,
            said.stderr.contains("nothing in it suits"),
            "{name}: {summary} {}",
            said.stderr
        );
        // Each strategy alone too.
        for strategy in mutate::STRATEGIES.iter().map(|s| s.name()).chain(["proteus"]) {
            let done = plumb.run(&["emi", name, "-n", "2", "-o", "small", "--strategy", strategy, "--json"]);
            let summary = lines(&done.stdout).pop().expect("a summary");
            assert_eq!(
                (done.code, &summary["variants"]),
                (0, &2.into()),
                "{name}, {strategy}: {}",
                done.stderr
            );
        }
    }
}

#[test]
fn several_inputs_are_one_profile() {
    let plumb = Plumb::new();
    // Each arm runs on one of the inputs only, so that no variant may touch either; the third is dead.
    let text = "int getchar(void);\nint main(int c, char **v)\n{\n    int got = getchar();\n    if (c > 2)\n        \
                return 2;\n    if (got == 'x')\n        return 3;\n    if (got == 'y')\n        return 4;\n    return 5;\n}\n";
    plumb.file("seed.c", text);
    plumb.file("x.txt", "x");
    plumb.file("z.txt", "z");
    let base = ["emi", "seed.c", "-n", "12", "--strategy", "orion", "--stdin", "x.txt", "--stdin", "z.txt"];
    let done = plumb.run(&[base.as_slice(), &["--argv", "one two", "--argv", "one", "-o", "all"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let all = |dir: &str| -> Vec<String> {
        let read =
            |k| std::fs::read_to_string(plumb.dir().join(format!("{dir}/seed-{k}.c"))).expect("written");
        (0..12).map(read).collect()
    };
    let texts = all("all");
    assert!(texts.iter().all(|t| t.contains("return 2;") && t.contains("return 3;")), "{}", texts[0]);
    assert!(texts.iter().any(|t| !t.contains("return 4;")), "the dead arm was never taken out");
    let done = plumb.run(&[base.as_slice(), &["--argv", "one", "-o", "one"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(all("one").iter().any(|t| !t.contains("return 2;")), "an arm no input enters stayed");
    let refused = plumb.run(&[base.as_slice(), &["--argv", "one", "-o", "out", "--", "two"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

#[test]
fn the_manual_names_every_strategy() {
    let manual = std::fs::read_to_string(common::repository().join("docs/emi.md")).expect("docs/emi.md");
    for strategy in mutate::STRATEGIES {
        assert!(manual.contains(&format!("`{}`", strategy.name())), "docs/emi.md: {}", strategy.name());
    }
}
