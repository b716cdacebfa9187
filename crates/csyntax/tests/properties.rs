//! Laws: print then parse is the identity; nothing that is not C makes the parser panic or run away.

mod common;

use csyntax::ast::{Ast, ExprId};
use csyntax::equal::{ast_eq, first_difference};
use csyntax::parse::{needs_preprocessing, parse};
use csyntax::print::print;
use csyntax::visit::{Flow, Node, Visit, walk_unit};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Printed text must be read without a word and give the same tree.
fn survives_printing(ast: &Ast) -> Result<(), TestCaseError> {
    let printed = print(ast);
    let again = parse(printed.as_bytes(), "printed.c");
    let told: Vec<String> = again.diagnostics.iter().map(|d| again.render(d)).collect();
    prop_assert!(told.is_empty(), "{told:?}\n{printed}");
    if let Some(difference) = first_difference(ast, &again.ast) {
        prop_assert!(
            false,
            "{}\n{printed}\nand again\n{}",
            show(ast, &again.ast, difference),
            print(&again.ast)
        );
    }
    prop_assert_eq!(printed, print(&again.ast));
    Ok(())
}

/// The two nodes of a difference.
fn show(a: &Ast, b: &Ast, difference: Option<(Node, Node)>) -> String {
    let one = |ast: &Ast, node| match node {
        Node::Expr(id) => format!("{:?}", ast[id]),
        Node::Stmt(id) => format!("{:?}", ast[id]),
        Node::Type(id) => format!("{:?}", ast[id]),
        Node::Init(id) => format!("{:?}", ast[id]),
        Node::Decl(id) => format!("{:?}", ast[id]),
        Node::Function(id) => format!("{:?}", ast[id]),
        Node::Record(id) => format!("{:?}", ast[id]),
        Node::Enum(id) => format!("{:?}", ast[id]),
    };
    difference.map_or("the items differ".to_string(), |(l, r)| format!("{}\n{}", one(a, l), one(b, r)))
}

/// Whatever it is, it is read; and what is read without errors survives printing.
fn survives_parsing(text: &[u8]) -> Result<(), TestCaseError> {
    needs_preprocessing(text);
    let parsed = parse(text, "fuzz.c");
    for diagnostic in &parsed.diagnostics {
        prop_assert!(diagnostic.span.hi as usize <= text.len() && diagnostic.span.lo <= diagnostic.span.hi);
        parsed.render(diagnostic);
    }
    let printed = print(&parsed.ast);
    walk_unit(&parsed.ast, |_| Flow::Continue);
    prop_assert!(ast_eq(&parsed.ast, &parsed.ast.clone()));
    if !parsed.has_errors() && !has_inner_pragma(&parsed.ast, text) {
        let again = parse(printed.as_bytes(), "printed.c");
        let told: Vec<String> = again.diagnostics.iter().map(|d| again.render(d)).collect();
        prop_assert!(!again.has_errors(), "{told:?}\n{printed}");
        if let Some(difference) = first_difference(&parsed.ast, &again.ast) {
            let shown = show(&parsed.ast, &again.ast, difference);
            prop_assert!(false, "{shown}\n{printed}\nand again\n{}", print(&again.ast));
        }
    }
    Ok(())
}

/// Pragmas inside declarations move behind them, so packing may differ after printing.
fn has_inner_pragma(ast: &Ast, text: &[u8]) -> bool {
    text.windows(4).any(|w| w == b"pack") && ast.records.iter().any(|r| r.fields.is_some())
}

const TOKENS: &[&str] = &[
    "int",
    "char",
    "unsigned",
    "long",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "const",
    "volatile",
    "void",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "return",
    "goto",
    "break",
    "sizeof",
    "typeof",
    "_Generic",
    "__attribute__",
    "((",
    "))",
    "asm",
    "__extension__",
    "__label__",
    "_Alignas",
    "_Atomic",
    "__builtin_offsetof",
    "__builtin_va_arg",
    "_Static_assert",
    "_Complex",
    "__real__",
    "__auto_type",
    "inline",
    "x",
    "y",
    "T",
    "f",
    "x",
    "T",
    "1",
    "0x1f",
    "1.5",
    "'a'",
    "\"s\"",
    "L\"w\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ";",
    ";",
    ",",
    ":",
    "?",
    "...",
    ".",
    "->",
    "++",
    "--",
    "+",
    "-",
    "*",
    "&",
    "&&",
    "||",
    "=",
    "==",
    "+=",
    "<<",
    "<",
    "~",
    "!",
    "%",
    "\n# 7 \"f.c\"\n",
    "\n#pragma pack(1)\n",
    "[[",
    "]]",
    "typedef int T;",
    "({",
    "})",
    "int f(void) {",
    "struct s {",
    "(int)",
    "x:",
    "= {",
    "}",
    "}",
];

/// So many cases, the same in each run; `FUZZ_TIMES=100` runs a hundred times as many, and others each time.
fn config(cases: u32) -> ProptestConfig {
    let times = std::env::var("FUZZ_TIMES").ok().and_then(|t| t.parse().ok());
    let rng_seed = if times.is_some() { RngSeed::Random } else { RngSeed::Fixed(1) };
    ProptestConfig {
        cases: cases.saturating_mul(times.unwrap_or(1)),
        failure_persistence: None,
        rng_seed,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(384))]

    #[test]
    fn random_trees_survive_printing(choices in prop::collection::vec(any::<u8>(), 0..1200)) {
        survives_printing(&common::unit(&choices))?;
    }

    #[test]
    fn arbitrary_bytes_are_read(text in prop::collection::vec(any::<u8>(), 0..400)) {
        survives_parsing(&text)?;
    }

    #[test]
    fn arbitrary_text_is_read(text in "[ -~\\n]{0,300}") {
        survives_parsing(text.as_bytes())?;
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn token_soup_is_read(picks in prop::collection::vec(0..TOKENS.len(), 0..60)) {
        let words: Vec<&str> = picks.into_iter().map(|n| TOKENS[n]).collect();
        survives_parsing(words.join(" ").as_bytes())?;
    }

    #[test]
    fn damaged_programs_are_read(
        file in 0usize..64,
        edits in prop::collection::vec((any::<u16>(), 0..TOKENS.len(), 0usize..12), 1..4),
    ) {
        let programs = accepted_programs();
        let mut text = programs[file % programs.len()].clone();
        for (at, token, cut) in edits {
            let at = usize::from(at) % (text.len() + 1);
            let end = (at + cut).min(text.len());
            text.splice(at..end, TOKENS[token].bytes());
        }
        survives_parsing(&text)?;
    }

    #[test]
    fn mutated_programs_survive_printing(
        file in 0usize..64,
        edits in prop::collection::vec((any::<u16>(), any::<u16>()), 1..4),
    ) {
        let programs = accepted_programs();
        let mut ast = parse(&programs[file % programs.len()], "seed.c").ast;
        for (to, from) in edits {
            replace_expression(&mut ast, usize::from(to), usize::from(from));
        }
        survives_printing(&ast)?;
    }
}

/// Puts a copy of one expression in the place of a later one. Children come before parents in the arena, so no
/// cycle can arise; typedef names mean the same everywhere in the programs this is used on.
fn replace_expression(ast: &mut Ast, to: usize, from: usize) {
    if ast.exprs.is_empty() {
        return;
    }
    let to = to % ast.exprs.len();
    let from = from % (to + 1);
    let has_block = {
        let mut found = false;
        csyntax::visit::walk(ast, Node::Expr(ExprId(from as u32)), |moment| {
            found |= matches!(moment, Visit::Enter(Node::Stmt(_) | Node::Record(_) | Node::Enum(_)));
            Flow::Continue
        });
        found
    };
    if !has_block {
        ast.exprs[to] = ast.exprs[from].clone();
    }
}

/// The programs of the golden tests in which every typedef name is one everywhere.
fn accepted_programs() -> &'static [Vec<u8>] {
    static PROGRAMS: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accepted");
        let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|e| e.unwrap().path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "c") && !f.ends_with("typedef_names.c"));
        files.sort();
        files.into_iter().map(|f| std::fs::read(f).unwrap()).collect()
    })
}
