//! Flat text makes deep trees: chains of tens of thousands of operators, arguments, cases and members run as short ones do.

use machine::{Exit, Options, Outcome, Verdict};

/// Links of a chain.
const LONG: usize = 20_000;

fn exit(text: &str, profile: bool) -> u8 {
    let parsed = csyntax::parse::parse(text.as_bytes(), "long.c");
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics.first());
    let options = Options { profile, ..Options::default() };
    let checked = csyntax::check::check(&parsed.ast, &options.target);
    let unit = checked.unit.unwrap_or_else(|| panic!("{:?}", checked.diagnostics.first()));
    match machine::judge(&unit, &options).verdict {
        Verdict::Defined(Outcome { exit: Exit::Code(code), .. }) => code,
        other => panic!("{other:?}"),
    }
}

fn chain(link: &str, between: &str) -> String {
    vec![link; LONG].join(between)
}

/// Programs that end with 0.
fn programs() -> Vec<(&'static str, String)> {
    let numbered = |link: fn(usize) -> String| (0..LONG).map(link).collect::<String>();
    let main = |body: String| format!("int main(void) {{ int a = 1; {body} }}");
    vec![
        ("sum", main(format!("unsigned s = {}; return s != {LONG};", chain("a", " + ")))),
        ("conjunction", main(format!("int s = {}; return s != 1;", chain("a", " && ")))),
        ("branch", main(format!("if ({}) return 0; return 1;", chain("a", " && ")))),
        ("disjunction", main(format!("a = 0; return {};", chain("a", " || ")))),
        ("comma", main(format!("return ({}) - 1;", chain("a", ", ")))),
        ("assignment", main(format!("int v[{LONG}]; {}0; return v[a];", numbered(|n| format!("v[{n}] = "))))),
        ("conditional", main(format!("a = 0; return {}0;", numbered(|n| format!("a ? {n} : "))))),
        ("comparison", main(format!("return ({}) > 1;", chain("a", " == ")))),
        ("members", {
            let chain = chain("n", "->");
            format!(
                "struct s {{ struct s *n; }}; int main(void) {{ struct s x = {{&x}}; return x.{chain} != &x; }}"
            )
        }),
        ("arguments", {
            let zeros = chain("0", ", ");
            format!("int f(int a, ...) {{ return a; }} int main(void) {{ return f({zeros}); }}")
        }),
        (
            "cases",
            main(format!("switch (a) {{ {} return 0; }} return 1;", numbered(|n| format!("case {n}: ")))),
        ),
        ("else", main(format!("{} return 0;", numbered(|n| format!("if (a == {}) return 1; else ", n + 9))))),
        ("labels", main(format!("goto l0; {} return 0;", numbered(|n| format!("l{n}: "))))),
        ("floats", main(format!("double d = a; return {} != {LONG};", chain("d", " + ")))),
        // Each of these values takes four registers.
        (
            "complex",
            main(format!("_Complex double d = a; return {} != 10000;", vec!["d"; LONG / 2].join(" + "))),
        ),
    ]
}

#[test]
fn long_chains_run() {
    for (n, (name, text)) in programs().into_iter().enumerate() {
        assert_eq!(exit(&text, n % 2 == 1), 0, "{name}");
    }
}
