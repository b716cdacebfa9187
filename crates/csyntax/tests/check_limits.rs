//! Long, deep and huge programs: no panic, no stack overflow, no time that grows with the square.

mod check_support;

use check_support::{errors, unit};
use csyntax::target::Target;

fn accepts(text: &str) {
    unit(text, &Target::LP64);
}

#[test]
fn long_operator_chains() {
    for operator in ["+", ",", "&&", "||", "=", "?a:"] {
        let count = if matches!(operator, "+" | ",") { 100_000 } else { 20_000 };
        let chain = format!("{operator}a").repeat(count);
        accepts(&format!("int a; int f(void) {{ return a{chain}; }}"));
    }
}

#[test]
fn long_else_if_and_case_chains() {
    let ifs: String = (0..20_000).map(|i| format!("if (a == {i}) return {i}; else ")).collect();
    accepts(&format!("int f(int a) {{ {ifs} return 0; }}"));
    let cases: String = (0..20_000).map(|i| format!("case {i}: ")).collect();
    accepts(&format!("int f(int a) {{ switch (a) {{ {cases} return 1; }} return 0; }}"));
}

#[test]
fn many_initialisers_in_and_out_of_order() {
    let forward: String = (0..100_000).map(|i| format!("{i},")).collect();
    accepts(&format!("int a[] = {{ {forward} }};"));
    let backward: String = (0..50_000).rev().map(|i| format!("[{i}] = {i},")).collect();
    accepts(&format!("int a[50000] = {{ {backward} }};"));
}

#[test]
fn ranges_that_are_too_large_are_errors() {
    assert!(errors("int a[1000000000] = { [0 ... 999999999] = 1 };").iter().any(|e| e.contains("too large")));
    assert!(errors("int a[1000][1000] = { [0 ... 999][0 ... 999] = 1 };").is_empty());
}

#[test]
fn types_chained_through_typedefs() {
    for declarator in ["*t{}", "t{}[1]"] {
        let chain: String = (0..5_000)
            .map(|i| format!("typedef t{i} {};\n", declarator.replace("{}", &(i + 1).to_string())))
            .collect();
        accepts(&format!(
            "typedef int t0;\n{chain} t5000 x; int f(t5000 y) {{ return sizeof x + (y == 0); }}"
        ));
    }
}

#[test]
fn records_with_many_members() {
    let members: String = (0..20_000).map(|i| format!("int m{i};")).collect();
    let uses: String = (0..20_000).map(|i| format!("r += v.m{i};")).collect();
    accepts(&format!("struct s {{ {members} }} v; int f(void) {{ int r = 0; {uses} return r; }}"));
}

#[test]
fn sizes_that_overflow_are_errors() {
    for text in [
        "char a[1LL << 60][1LL << 60];",
        "struct s { char a[1LL << 62], b[1LL << 62]; };",
        "int a[~0ULL];",
        "struct s { char a[1LL << 62]; } v[4];",
    ] {
        assert!(errors(text).iter().any(|e| e.contains("too large")), "{text}");
    }
}
