//! No text exhausts the stack: nesting is bounded with one clear diagnostic, chains of any length are read,
//! printed, walked and compared by iteration.

use csyntax::equal::ast_eq;
use csyntax::parse::{MAX_NESTING, Parsed, parse};
use csyntax::print::print;

use csyntax::visit::{Flow, walk_unit};

fn read(text: &str) -> Parsed {
    parse(text.as_bytes(), "deep.c")
}

/// `before`, then `piece` so many times, then `after`.
fn repeat(before: &str, piece: &str, count: usize, after: &str) -> String {
    format!("{before}{}{after}", piece.repeat(count))
}

#[test]
fn endless_nesting_gives_one_diagnostic() {
    let cases: &[(&str, &str)] = &[
        ("int x = ", "("),
        ("int x = ", "-"),
        ("int x = ", "!~*&"),
        ("int x = ", "(int)"),
        ("int x = ", "sizeof "),
        ("int x = ", "sizeof("),
        ("int x = ", "f("),
        ("int x = ", "f(1, "),
        ("int x = ", "a["),
        ("int x = ", "({"),
        ("int x = ", "1 ? "),
        ("int x = ", "a || b && c | d ^ e & f == g < h << i + j * ("),
        ("int x = ", "__extension__ "),
        ("int x = ", "_Generic("),
        ("int x = ", "__builtin_choose_expr("),
        ("int x = ", "__builtin_va_arg("),
        ("int x = ", "__builtin_offsetof(struct { int a["),
        ("int x[] = ", "{"),
        ("int x[] = ", "{ [0] = "),
        ("int x[] = ", "(int[]){"),
        ("int ", "("),
        ("int ", "*"),
        ("int ", "(*"),
        ("int x", "[sizeof(int"),
        ("int x", "[1]"),
        ("int f", "(int"),
        ("int f", "(int ("),
        ("int f", "(int (*x)"),
        ("", "struct {"),
        ("", "union { int a; struct {"),
        ("", "enum { a = sizeof("),
        ("", "typeof("),
        ("", "_Atomic("),
        ("", "_Alignas("),
        ("", "__attribute__((aligned("),
        ("", "struct [[gnu::aligned(sizeof("),
        ("void f(void) ", "{"),
        ("void f(void) { ", "if (1) "),
        ("void f(void) { ", "if (1) ; else { "),
        ("void f(void) { ", "while (1) "),
        ("void f(void) { ", "do "),
        ("void f(void) { ", "for (;;) "),
        ("void f(void) { ", "for (int a = ({ "),
        ("void f(void) { ", "switch (1) case 1: "),
        ("void f(void) { ", "int g(void) { "),
        ("void f(void) { ", "asm(\"\" : : \"r\" (({ "),
        ("", "_Static_assert(({ "),
    ];
    for (before, piece) in cases {
        let text = repeat(before, piece, 100_000, "");
        let parsed = read(&text);
        let errors: Vec<String> =
            parsed.diagnostics.iter().filter(|d| d.severity.refuses()).map(|d| parsed.render(d)).collect();
        let told = errors.iter().filter(|e| e.contains("levels deep")).count();
        assert_eq!(told, 1, "{before}{piece}{piece}...: {errors:?}");
        print(&parsed.ast);
    }
}

#[test]
fn nesting_within_the_limit_is_read() {
    let depth = MAX_NESTING as usize - 20;
    for (before, open, middle, close) in [
        ("int x = ", "(", "1", ")"),
        ("int x = ", "f(", "1", ")"),
        ("int x = ", "a[", "1", "]"),
        ("int x = ", "a || b && c | d ^ e & f == g < h << i + j * (", "1", ")"),
        ("int x[] = ", "{", "1", "}"),
        ("int ", "(", "x", ")"),
        ("int ", "*", "x", ""),
    ] {
        let text = format!("{before}{}{middle}{};", open.repeat(depth), close.repeat(depth));
        let parsed = read(&text);
        assert!(!parsed.has_errors(), "{before}{open}: {:?}", parsed.diagnostics);
        same_after_printing(&parsed);
    }
}

fn same_after_printing(parsed: &Parsed) {
    let printed = print(&parsed.ast);
    let again = read(&printed);
    assert!(!again.has_errors(), "{:?}", again.diagnostics);
    assert!(ast_eq(&parsed.ast, &again.ast));
}

#[test]
fn long_chains_are_read_printed_and_walked() {
    const N: usize = 50_000;
    let texts = [
        repeat("int x = a", " + b", N, ";"),
        repeat("int x = a", " * b + c", N, ";"),
        repeat("int x = a", " ? b : c", N, ";"),
        repeat("int x = a", " ?: c", N, ";"),
        repeat("void f(void) { a", " = b", N, "; }"),
        repeat("void f(void) { a", " += b", N, "; }"),
        repeat("void f(void) { a", ", b", N, "; }"),
        repeat("int x = a", ".b", N, ";"),
        repeat("int x = a", "(1)", N, ";"),
        repeat("int x = a", "[1]", N, ";"),
        repeat("int x = a", "++", N, ";"),
        repeat("int x[] = {1", ", 1", N, "};"),
        repeat("int x[] = {[1] = 1", ", [2] = 1", N, "};"),
        repeat("int x", ", x", N, ";"),
        repeat("", "int x;", N, ""),
        repeat("enum { a", ", a", N, "};"),
        repeat("struct s { int a;", "int a;", N, "};"),
        repeat("void f(int a", ", int a", N, ");"),
        repeat("char *x = ", "\"a\" ", N, ";"),
        repeat("void f(void) { if (a) ;", " else if (b) ;", N, "}"),
        repeat("void f(void) { if (a) {}", " else if (b) {}", N, "else {} }"),
        repeat("void f(void) { switch (a) {", "case 1: ", N, "; } }"),
        repeat("void f(void) { ", "l: ", N, "; }"),
        repeat("void f(void) { ", "x;", N, "}"),
        repeat("void f(void) { f(1", ", 1", N, "); }"),
        repeat("int x __attribute__((a", ", a", N, "));"),
    ];
    for text in texts {
        let parsed = read(&text);
        let shown: String = text.chars().take(60).collect();
        assert!(!parsed.has_errors(), "{shown}: {}", parsed.render(&parsed.diagnostics[0]));
        let mut nodes = 0;
        walk_unit(&parsed.ast, |_| {
            nodes += 1;
            Flow::Continue
        });
        // `case` and attribute chains have the fewest nodes; a string is one.
        assert!(nodes >= 2, "{shown}");
        same_after_printing(&parsed);
    }
}
