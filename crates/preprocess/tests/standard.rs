//! Translation phases 2 to 4 as C11 and GNU C have them, each idea with a text and what becomes of it.

mod common;

use common::{error, preprocess, tokens};
use preprocess::ErrorKind;

fn same(text: &str, expected: &str) {
    assert_eq!(tokens(text, &[]), expected, "{text}");
}

#[test]
fn a_macro_does_not_expand_within_itself() {
    same("#define f f + 1\nf", "f + 1");
    same("#define a b\n#define b a\na b", "a b");
    same("#define f(x) x f(x)\nf(f(1))", "1 f ( 1 ) f ( 1 f ( 1 ) )");
    // The name stays as it is even where the macro can be used again.
    same("#define id(x) x\n#define self id(self)\nid(self)", "self");
}

#[test]
fn a_call_may_begin_in_a_replacement_and_end_behind_it() {
    same("#define f(a) <a>\n#define g f\ng(1)(2)", "< 1 > ( 2 )");
    same("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    same("#define open (\n#define f(x) [x]\n#define id(x) x\nid(f open 1))", "[ 1 ]");
}

#[test]
fn names_without_parentheses_are_left_alone() {
    same("#define f(x) x\nf\n;f f\n(\n3\n)", "f ; f 3");
}

#[test]
fn arguments_are_expanded_before_they_are_put_in() {
    same("#define one 1\n#define str(x) #x\n#define xstr(x) str(x)\nstr(one) xstr(one)", "\"one\" \"1\"");
    same(
        "#define one 1\n#define cat(a, b) a ## b\n#define xcat(a, b) cat(a, b)\ncat(one, one) xcat(one, one)",
        "oneone 11",
    );
}

#[test]
fn strings_of_arguments_keep_spelling_and_single_blanks() {
    same("#define s(x) #x\ns(  a   +\n/* c */ b  )", "\"a + b\"");
    same(
        r#"#define s(x) #x
s("a\n" '"' \n)"#,
        r#""\"a\\n\" '\"' \n""#,
    );
    same("#define s(...) #__VA_ARGS__\ns(1 , 2,3) s()", "\"1 , 2,3\" \"\"");
    same("#define s(x) #x\ns(@\\)", "\"@\"");
}

#[test]
fn pasting_makes_one_token_which_may_be_a_macro() {
    same(
        "#define cat(a, b) a ## b\n#define ab 7\ncat(a, b) cat(<, <=) cat(1., e+) cat(L, 'x') cat(, x) cat(y,) cat(,)",
        "7 <<= 1.e + L'x' x y",
    );
    same("#define hash_hash # ## #\n#define two(a) a hash_hash a\ntwo(x)", "x ## x");
    same("#define t(x,y,z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(,,)", "123 45 67 89");
    let error = error("#define cat(a, b) a ## b\n\ncat(+, x)\n");
    assert_eq!((error.kind, error.line), (ErrorKind::Rejected, 3));
    assert!(error.message.contains("`+` and `x`"), "{error}");
}

#[test]
fn variable_arguments() {
    same("#define p(f, ...) q(f, __VA_ARGS__)\np(1, 2, 3) p(1,)", "q ( 1 , 2 , 3 ) q ( 1 , )");
    same("#define p(f, a...) q(f, ## a)\np(1, 2, 3) p(1,) p(1)", "q ( 1 , 2 , 3 ) q ( 1 , ) q ( 1 )");
    same("#define p(...) q(0, ## __VA_ARGS__)\np() p(1)", "q ( 0 ) q ( 0 , 1 )");
    same(
        "#define p(x, ...) f(x __VA_OPT__(,) __VA_ARGS__)\np(1) p(1,) p(1, 2)",
        "f ( 1 ) f ( 1 ) f ( 1 , 2 )",
    );
    same("#define p(x, ...) x ## __VA_OPT__(a b) #__VA_OPT__(a  x)\np(1) p(1, 2)", "1 \"\" 1a b \"a 1\"");
}

#[test]
fn white_space_never_makes_or_breaks_tokens() {
    let text = preprocess("#define m -\n#define e\n-m -e- -/**/- +e+ <m> m=", &[]).expect("accepted");
    let line = text.lines().last().unwrap_or_default();
    assert_eq!(line, "- - - - - - + + <- > - =");
}

#[test]
fn lines_are_counted_through_splices_comments_and_calls() {
    let text = "#define f(x) x __LINE__\na\\\nb __LINE__ /*\n*/ __LINE__\nf(\n__LINE__\n)\n__LINE__\n";
    same(text, "ab 3 4 6 5 8");
    same("#line 70 \"o.h\"\n__LINE__ __FILE__\n__LINE__", "70 \"o.h\" 71");
    same("#define n 5\n#line n\n__LINE__\n# 9 \"m\" 3\n__LINE__ __FILE__", "5 9 \"m\"");
}

#[test]
fn conditions_are_constant_expressions() {
    for (condition, truth) in [
        ("1", true),
        ("0x10 == 020 && 16 == 0b10000", true),
        ("-1 > 0u", true),
        ("-1 > 0", false),
        ("(2 || 1 / 0) && !(0 && 1 / 0)", true),
        ("1 ? 2 : (1 / 0)", true),
        ("(0 ? 1u : -1) > 0", true),
        ("'\\377' < 0 && 'ab' == 24930 && L'\\xff' == 255", true),
        ("-8 / 3 == -2 && -8 % 3 == -2 && -8 >> 1 == -4", true),
        ("0x7fffffffffffffff + 1 < 0", true),
        ("18446744073709551615 == -1", true),
        ("1 << 63 < 0 && 1u << 63 > 0 && 1 << 64 == 0", true),
        ("1 - - 1 == 2 && ~0 == -1 && - - 3 == 3", true),
        ("defined X || defined ( X )", false),
        ("!defined X && X == 0 && unknown == 0", true),
        ("1 ? 0 ? 3 : 4 : 5", true),
        ("2 + 3 * 4 == 14 && (1 | 2 ^ 3 & 4) == 3", true),
        ("__has_include(<a.h>) && !__has_include(\"b.h\")", true),
        ("1, 0", false),
    ] {
        let text = format!("#if {condition}\nyes\n#else\nno\n#endif\n");
        let files = [("/inc/a.h", "")];
        assert_eq!(tokens(&text, &files), if truth { "yes" } else { "no" }, "{condition}");
    }
    for condition in [
        "", "1 +", "(1", "1)", "1 / 0", "1.0", "\"a\"", "1 2", "1 ? 2", "x = 1", "09", "''", "defined",
        "1 : 2", "f(1)",
    ] {
        let error = error(&format!("\n#if {condition}\n#endif\n"));
        assert_eq!((error.kind, error.line), (ErrorKind::Rejected, 2), "{condition}: {error}");
    }
}

#[test]
fn groups_are_taken_once_and_the_others_skipped_as_text() {
    same("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#elif 1 / 0\nd\n#else\ne\n#endif\nf", "c f");
    same("#if 0\ndon't /* #endif\n' \" /* */ */\n#endif\n", "");
    same("#if 0\nDIR\" /*\" R\"(\" /* )\" u8R\"x(\")x\"\n#endif\na", "a");
    same("#if 0\n/* \n#endif\n*/ # /* x */ else\na\n#endif\n", "a");
    same("#ifdef a\n#elifndef b\n1\n#elifdef b\n2\n#endif\n", "1");
    for text in [
        "#if 1",
        "#else",
        "#endif",
        "#elif 1",
        "#if 1\n#else\n#else\n#endif",
        "#if 0\n#else\n#elif 1\n#endif",
        "#ifdef\n#endif",
        "#ifdef 3\n#endif",
    ] {
        assert_eq!(error(text).kind, ErrorKind::Rejected, "{text}");
    }
}

#[test]
fn headers_are_looked_for_where_compilers_look() {
    let files = [
        ("x.h", "beside __FILE__ __INCLUDE_LEVEL__"),
        ("/inc/x.h", "system"),
        ("/inc/sub/y.h", "#include \"z.h\"\n#include_next <sub/y.h>"),
        ("/inc/sub/z.h", "z"),
    ];
    assert_eq!(tokens("#include \"x.h\"\n#include <x.h>", &files), "beside \"x.h\" 1 system");
    assert_eq!(
        tokens("#define h <x.h>\n#include h\n#define q \"x.h\"\n#include q", &files),
        "system beside \"x.h\" 1"
    );
    let missing = preprocess("a\n#include <sub/y.h>\n", &files).expect_err("include_next finds nothing");
    assert_eq!((missing.file.as_str(), missing.line), ("/inc/sub/y.h", 2));
    assert!(missing.message.contains("No such file"), "{missing}");
    let wrong = preprocess("a\n  #include  <none.h>\n", &files).expect_err("there is no such file");
    assert_eq!(
        wrong.rendered(),
        "t.c:2:13: error: none.h: No such file or directory\n |   #include  <none.h>\n |             ^"
    );
}

#[test]
fn guarded_headers_are_read_once() {
    let files = [
        ("g.h", "/* c */\n#ifndef G\n#define G\ng\n#endif\n// end\n"),
        ("i.h", "#if !defined(I)\n#define I\ni\n#endif\n"),
        ("o.h", "#pragma once\no\n"),
        ("not.h", "#ifndef N\n#define N\nn\n#endif\nm\n"),
        ("else.h", "#ifndef E\n#define E\ne\n#else\nf\n#endif\n"),
    ];
    let twice = |name: &str| format!("#include \"{name}\"\n#include \"{name}\"\n");
    for (name, expected) in [("g.h", "g"), ("i.h", "i"), ("o.h", "o"), ("not.h", "n m m"), ("else.h", "e f")]
    {
        assert_eq!(tokens(&twice(name), &files), expected, "{name}");
    }
    let text = preprocess(&twice("g.h"), &files).expect("accepted");
    assert_eq!(text.matches("\"g.h\" 1").count(), 1, "entered once:\n{text}");
    // The guard counts only while it is defined.
    assert_eq!(tokens("#include \"g.h\"\n#undef G\n#include \"g.h\"", &files), "g g");
}

#[test]
fn markers_are_those_of_gcc() {
    let text = preprocess("a\n#include <h.h>\nb\n\n\n\n\n\n\n\n\n\n\nc\n", &[("/inc/h.h", "\nh\n")])
        .expect("accepted");
    let expected =
        "# 0 \"t.c\"\n# 1 \"t.c\"\na\n# 1 \"/inc/h.h\" 1 3 4\n\nh\n# 3 \"t.c\" 2\nb\n# 14 \"t.c\"\nc\n";
    assert_eq!(text, expected);
}

#[test]
fn pragmas_pass_or_are_carried_out() {
    same("#pragma STDC FP_CONTRACT ON\nx", "# pragma STDC FP_CONTRACT ON x");
    same(
        "#define p(x) _Pragma(#x)\na p(pack(1)) b _Pragma(\"a \\\"b\\\"\")",
        "a # pragma pack ( 1 ) b # pragma a \"b\"",
    );
    same("#define a 1\n#pragma push_macro(\"a\")\n#undef a\na\n#pragma pop_macro(\"a\")\na", "a 1");
    assert!(error("#pragma GCC poison bad\nbad").message.contains("poisoned"));
    assert!(error("_Pragma(1)").message.contains("_Pragma"));
}

#[test]
fn directives_within_arguments_are_carried_out() {
    same("#define f(x) [x]\n#define a 1\nf(a\n#undef a\n#define a 2\na\n#if 0\n)\n#endif\n)", "[ 2 2 ]");
    same("#define f(x) [x]\nf\n#define g 3\n(g)", "f ( 3 )");
}

#[test]
fn computed_macros() {
    same(
        "__COUNTER__ __COUNTER__ __DATE__ __TIME__ __BASE_FILE__",
        "0 1 \"Jan  1 1970\" \"00:00:00\" \"t.c\"",
    );
    assert_eq!(error("__TIMESTAMP__").kind, ErrorKind::Unhandled);
    assert!(error("__has_include(<a.h>)").message.contains("outside"));
}

#[test]
fn what_compilers_refuse_is_refused_with_its_place() {
    for (text, message) in [
        ("#error stop  here", "#error stop  here"),
        ("#foo", "invalid preprocessing directive #foo"),
        ("#define", "no macro name"),
        ("#define 1", "identifiers"),
        ("#define defined", "defined"),
        ("#define f(x", "expected"),
        ("#define f(x,x) x", "duplicate"),
        ("#define f(x) #y", "not followed by a macro parameter"),
        ("#define f ## x", "either end"),
        ("#define f x ##", "either end"),
        ("#define f(...) __VA_OPT__(", "unterminated"),
        ("#define f(x) x\nf(1, 2)", "passed 2 arguments"),
        ("#define f(x, y) x\nf(1)", "requires 2 arguments"),
        ("#define f(x) x\nf(1", "unterminated argument list"),
        ("/* open", "unterminated comment"),
        ("#include", "expects"),
        ("#include <x", "missing terminating >"),
        ("#line x", "positive number"),
        ("#pragma GCC error \"no\"", "no"),
    ] {
        let error = error(&format!("\n{text}\n"));
        assert_eq!(error.kind, ErrorKind::Rejected, "{text}");
        assert!(error.message.contains(message) && error.line >= 2, "{text}: {error}");
    }
}

#[test]
fn numbers_and_names_are_read_as_long_as_they_go() {
    same(
        "#define e 7\n1e+e 0x1p-e .5.e e$e \u{e9}e \\u00e9e ..e",
        "1e+e 0x1p-e .5.e e$e \u{e9}e \u{e9}e . . 7",
    );
    same("#define x 1\n\u{201c}x\u{201d}", "\u{201c}1\u{201d}");
    same("%:define d <: a %:%: b :>\nd", "<: ab :>");
}
