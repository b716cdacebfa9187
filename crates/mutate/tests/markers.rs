//! Markers of dead blocks: where they stand, what is said of them, and that a marked program does what it did.

use machine::Options;
use mutate::markers::{self, Marked};
use mutate::{Input, Seed};

fn seed(text: &str) -> Seed {
    match Seed::new(text.as_bytes(), "p.c", &Options::default(), &[Input::default()]) {
        Ok(seed) => seed,
        Err(why) => panic!("{why}\n{text}"),
    }
}

fn marked(text: &str) -> Marked {
    markers::mark(&seed(text), 100).unwrap_or_else(|| panic!("no marker in {text}"))
}

const PROGRAM: &str = "static int s; int g = 3; extern int puts(const char *);
    static int never(int x) { if (x) return 1; return 2; }
    int main(void) {
        int i, sum = 0;
        if (s) { puts(\"a\"); if (g) puts(\"inside\"); }
        if (g == 3) sum = 1; else sum = never(2);
        for (i = 0; i < g; i++) { if (i > 7) break; while (i == 90) sum++; }
        switch (g & 7) { case 1: sum = 4; puts(\"b\"); break; case 3: sum++; break; default: sum = 9; }
        if (sum) return sum;
        puts(\"c\");
        puts(\"d\");
        return 0;
    }";

#[test]
fn each_block_that_was_decided_about_has_one() {
    let made = marked(PROGRAM);
    assert_eq!(
        made.guards,
        [
            "if (static)",
            "else of if (global == n)",
            "if (local < n)",
            "while (local == n)",
            "switch (global & n)",
            "switch (global & n)",
            "behind an if",
        ],
        "{}",
        made.text
    );
    for line in
        ["case 1: { plumb_dead_4();", "default: { plumb_dead_5();", "plumb_dead_6();\n    puts(\"c\");"]
    {
        assert!(flat(&made.text).contains(&flat(line)), "{line} in\n{}", made.text);
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_marked_program_does_what_it_did() {
    let made = marked(PROGRAM);
    let (before, after) = (seed(PROGRAM), seed(&made.text));
    assert_eq!(before.truth[0].1.exit, after.truth[0].1.exit);
    for number in 0..7 {
        assert_eq!(markers::decided_by(&after, &markers::name(number)).as_ref(), made.guards.get(number));
    }
    assert_eq!(markers::decided_by(&after, &markers::name(7)), None);
}

#[test]
fn only_decided_markers_count() {
    let decided = |body: &str| {
        let text = format!(
            "extern void plumb_dead_0(void); static int s; static void f(void) {{ {body} }}
            int main(void) {{ f(); return 0; }}"
        );
        markers::decided_by(&seed(&text), "plumb_dead_0").is_some()
    };
    assert!(decided("if (s) plumb_dead_0();"));
    assert!(decided("if (s) { int x = 3; { plumb_dead_0(); } }"));
    // Nothing is known of what was not evaluated.
    assert!(!decided("int x; if (s) if (x) plumb_dead_0();"));
    // Two calls, or a use that is none.
    assert!(!decided("if (s) { plumb_dead_0(); plumb_dead_0(); }"));
    assert!(!decided("if (s) plumb_dead_0(); if (plumb_dead_0 == 0) s = 1;"));
    assert!(!decided("s = plumb_dead_0 != 0;"));
}
