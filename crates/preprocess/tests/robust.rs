//! Nothing panics or runs on without end: arbitrary bytes, arbitrary directives, and texts made to explode.

mod common;

use common::{Memory, compiler, small};
use preprocess::{Error, ErrorKind, Options, Output};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn run(text: &[u8], files: &[(&str, &str)]) -> Result<Output, Error> {
    let compiler = compiler("#define __STRICT_ANSI__ 1\n");
    let options = Options { name: "t.c".to_owned(), limits: small(), ..Options::default() };
    preprocess::preprocess(compiler.source(text.to_vec()), &options, &compiler, &mut Memory::of(files))
}

fn limited(text: &str, files: &[(&str, &str)]) {
    match run(text.as_bytes(), files) {
        Err(error) => assert_eq!(error.kind, ErrorKind::Limit, "{error}"),
        Ok(output) => panic!("{} bytes", output.text.len()),
    }
}

#[test]
fn what_would_not_end_is_ended() {
    limited("#include \"a.h\"", &[("a.h", "#include \"a.h\"\n")]);
    limited(
        "#include \"a.h\"",
        &[("a.h", "#if __INCLUDE_LEVEL__ < 19\n#include \"a.h\"\n#include \"a.h\"\n#endif\n")],
    );
    let doubling: String = (1..60).map(|n| format!("#define a{n} a{} a{}\n", n - 1, n - 1)).collect();
    limited(&format!("{doubling}a59"), &[]);
    let empty: String = (1..60).map(|n| format!("#define a{n} a{} a{}\n", n - 1, n - 1)).collect();
    limited(&format!("#define a0\n{empty}a59"), &[]);
    limited(
        &format!(
            "#define a0 1\n{}#if a59\n#endif",
            doubling.replace(" a", " + a").replace("define +", "define")
        ),
        &[],
    );
    limited(&format!("#define f(x) x x\n{}1{}", "f(".repeat(40), ")".repeat(40)), &[]);
    limited(
        &format!(
            "#define s(x) #x\n#define t(x) s(x) s(x)\n#define u(x) t(x)\n{}1{}",
            "u(".repeat(60),
            ")".repeat(60)
        ),
        &[],
    );
    limited(&"a\n#line 1\n".repeat(100_000), &[]);
}

#[test]
fn deep_nesting_is_no_deep_recursion() {
    let deep = 100_000;
    for text in [
        format!("#define f(x) x\n{}1{}", "f(".repeat(deep), ")".repeat(deep)),
        format!("#if {}1{}\n#endif", "(".repeat(deep), ")".repeat(deep)),
        format!("#if {}1\n#endif", "-!~".repeat(deep)),
        format!("#if {}1{}\n#endif", "1?".repeat(deep), ":1".repeat(deep)),
        format!("#if {}1\n#endif", "0?1:".repeat(deep)),
        format!("{}{}", "#if 1\n".repeat(deep), "#endif\n".repeat(deep)),
        format!("{}{}", "#if 0\n".repeat(deep), "#endif\n".repeat(deep)),
        format!("#if {}1\n#endif", "1 || ".repeat(deep)),
    ] {
        // Accepted or not: it ends.
        let _ = run(text.as_bytes(), &[]);
    }
    let chain: String = (1..5_000).map(|n| format!("#define a{n} a{}\n", n - 1)).collect();
    let text = run(format!("{chain}a4999").as_bytes(), &[]).expect("a chain is no recursion").text;
    assert!(text.ends_with(b"a0\n"));
}

#[test]
fn odd_texts_are_taken_in_stride() {
    for text in [
        &b""[..],
        b"\0",
        b"\\",
        b"\\\n",
        b"#",
        b"#\n#",
        b"\xff\xfe",
        b"\"",
        b"'\\",
        b"L'",
        b"R\"(",
        b"u8R\"x(\n)x\"",
        b"/",
        b"/*",
        b"//\\\n",
        b"#define \xff\xff",
        b"\xef\xbb\xbfa",
        b"#include \"",
        b"#include <\\\n>",
        b"#if '\\",
        b"#line 4294967295\na\nb",
        b"_Pragma(\"",
        b"%:%:",
        b"#define f(\\\n",
        b"??=",
        b"#pragma",
        b"#ident",
        b"# 1",
        b"#define a(...) #__VA_OPT__()\na()",
        b"a\r\nb\rc",
    ] {
        let _ = run(text, &[]);
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "#define ",
        "#undef ",
        "#if ",
        "#ifdef ",
        "#elif ",
        "#else\n",
        "#endif\n",
        "#include ",
        "#line ",
        "#pragma ",
        "_Pragma(\"x\")",
        "f",
        "g",
        "x",
        "f(",
        "g(",
        "(",
        ")",
        ",",
        "...",
        "__VA_ARGS__",
        "__VA_OPT__",
        "##",
        "#",
        "\n",
        "\\\n",
        " ",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        "\"a\"",
        "1",
        "0x",
        "+",
        "-",
        "?",
        ":",
        "<",
        ">",
        "\"h.h\"",
        "<h.h>",
        "defined ",
        "__LINE__",
        "__COUNTER__",
        "\\",
        "R\"(",
        "__has_include(",
        "??/",
        "%:",
        "push_macro(\"f\")",
        "pop_macro(\"f\")",
        "GCC poison ",
        "once",
        "\u{e9}",
        "\\u00e9",
        "#define f(a,b...) ",
        "#define g f",
        "f(x)",
        "f(x,",
        "import ",
        "error",
        "&&",
        "<<",
        "\0",
    ])
}

#[test]
fn a_hash_behind_a_comment_over_lines_is_no_directive() {
    let text = run(b"f/*\n*/#define f(a) 1\nf(2)", &[]).expect("no directive is none").text;
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.ends_with("f\n  #define f(a) 1\nf(2)\n"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = run(&bytes, &[("h.h", "#ifndef H\n#define H f(\n#endif\n")]);
    }

    #[test]
    fn directives_never_panic(pieces in prop::collection::vec(piece(), 0..60), header in prop::collection::vec(piece(), 0..12)) {
        let header = header.concat();
        let _ = run(pieces.concat().as_bytes(), &[("h.h", &header), ("/inc/h.h", "x\n#include_next <h.h>")]);
    }

    /// What is left of a text has no macros: preprocessing it again changes no token.
    #[test]
    fn results_are_stable(pieces in prop::collection::vec(piece(), 0..40)) {
        let plain = |piece: &&&str| !piece.contains("pragma") && !piece.contains(['_', '\\']) && **piece != "??/";
        let text: String = pieces.iter().filter(plain).copied().collect();
        // Pieces may meet as the trigraph of a backslash, which joins lines the next time.
        if text.contains("??/") {
            return Ok(());
        }
        if let Ok(once) = run(text.as_bytes(), &[]) {
            let lines = || once.text.split(|b| *b == b'\n').filter(|line| !line.starts_with(b"# "));
            // Behind a comment over several lines a `#` is no directive, but stands first on a line of the result, with
            // gcc too: it would be one the next time.
            let directive = |line: &[u8]| line.trim_ascii_start().starts_with(b"#") || line.trim_ascii_start().starts_with(b"%:");
            if lines().any(directive) {
                return Ok(());
            }
            let plain: Vec<u8> = lines().collect::<Vec<_>>().join(&b'\n');
            if let Ok(twice) = run(&plain, &[]) {
                let spell = |text: &[u8]| common::split(text).into_iter().map(|token| token.2).collect::<Vec<_>>();
                prop_assert_eq!(spell(&once.text), spell(&twice.text));
            }
        }
    }
}
