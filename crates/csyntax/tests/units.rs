//! Small facts about constants, equality, places and walks.

use csyntax::ast::{ExprKind, StmtKind};
use csyntax::equal::ast_eq;
use csyntax::parse::{needs_preprocessing, parse};
use csyntax::print::{print, print_expr, print_stmt, print_type};
use csyntax::source::Severity;
use csyntax::visit::{Flow, Node, Visit, exprs, operands_mut, roots, stmts, walk, walk_unit, walk_unit_mut};

/// The initialisers of `long x[] = { text };` as they were read.
fn values(text: &str) -> Vec<ExprKind> {
    let parsed = parse(format!("long x[] = {{ {text} }};").as_bytes(), "x.c");
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.ast.exprs.iter().map(|e| e.kind.clone()).collect()
}

#[test]
fn integer_and_character_constants_have_their_values() {
    let found: Vec<i128> = values(
        "0, 00, 017, 0x1F, 0b101, 18446744073709551616, 'a', '\\377', '\\x80', 'ab', '\\0\\377', 'abcd', 'abcde', \
         L'\\xffffffff', u'\\xffff', U'\\xffffffff', '\\e', '\u{e9}', L'\u{e9}'",
    )
    .iter()
    .map(|kind| match kind {
        ExprKind::Int { value, .. } => *value as i128,
        ExprKind::Char { value, .. } => i128::from(*value),
        other => panic!("{other:?}"),
    })
    .collect();
    // As gcc 12 on x86-64 has them.
    let expected = [
        0,
        0,
        15,
        31,
        5,
        1 << 64,
        97,
        -1,
        -128,
        24930,
        255,
        0x6162_6364,
        0x6263_6465,
        -1,
        0xffff,
        0xffff_ffff,
        27,
        0xc3a9,
        0xe9,
    ];
    assert_eq!(found, expected);
}

#[test]
fn strings_are_joined_in_the_encoding_any_of_them_asks_for() {
    let units = |text: &str| match &values(text)[0] {
        ExprKind::Str(lit) => lit.units.to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(units("\"a\" \"\\x41\" \"1\""), [97, 65, 49]);
    assert_eq!(units("\"\u{e9}\""), [0xc3, 0xa9]);
    assert_eq!(units("\"\u{e9}\" L\"\\x3b1\""), [0xe9, 0x3b1]);
    assert_eq!(units("u\"\\U0001f600\""), [0xd83d, 0xde00]);
    assert_eq!(units("R\"(a\\n\")\""), [97, 92, 110, 34]);
}

/// No two of these are the same program.
const DIFFERENT: &[&str] = &[
    "int a;",
    "int b;",
    "int *a;",
    "int **a;",
    "int a[1];",
    "int a[2];",
    "int a[];",
    "int a();",
    "int a(void);",
    "int a(int);",
    "int a(int b);",
    "int a(int, ...);",
    "int a(int c);",
    "int a(register int b);",
    "long a;",
    "const int a;",
    "static int a;",
    "int *const a;",
    "int a, b;",
    "int b, a;",
    "int a; int b;",
    "int a = 1;",
    "int a = 01;",
    "int a = 1u;",
    "int a = 1l;",
    "int a = 1i;",
    "int a = {1};",
    "int a = {1, 2};",
    "int a = {[1] = 2};",
    "int a = {[1 ... 2] = 2};",
    "int a = {.b = 2};",
    "int a = {.c = 2};",
    "int a = 1.0;",
    "int a = 1.0f;",
    "int a = 'a';",
    "int a = L'a';",
    "int a = \"a\";",
    "int a = \"b\";",
    "int a = L\"a\";",
    "int a = -1;",
    "int a = +1;",
    "int a = b + c;",
    "int a = b - c;",
    "int a = c + b;",
    "int a = (b, c);",
    "int a = (b = c);",
    "int a = (b += c);",
    "int a = b ? c : d;",
    "int a = b ?: d;",
    "int a = b();",
    "int a = b(c);",
    "int a = b[c];",
    "int a = b.c;",
    "int a = b->c;",
    "int a = (int)b;",
    "int a = (long)b;",
    "int a = (int){b};",
    "int a = sizeof b;",
    "int a = sizeof(int);",
    "int a = __alignof__ b;",
    "int a = &&b;",
    "int a = _Generic(b, int: c);",
    "int a = _Generic(b, default: c);",
    "int a = ({ b; });",
    "int a = __builtin_offsetof(struct s, b);",
    "int a = __builtin_offsetof(struct s, c);",
    "int a asm(\"x\");",
    "int a __attribute__((x));",
    "int a __attribute__((y));",
    "int a __attribute__((x()));",
    "int a __attribute__((x(int)));",
    "__attribute__((x)) int a;",
    "_Alignas(1) int a;",
    "_Alignas(int) int a;",
    "struct s a;",
    "union s a;",
    "enum s a;",
    "struct t a;",
    "struct s {} a;",
    "struct s { int b; } a;",
    "struct s { int b : 1; } a;",
    "struct s { int : 1; } a;",
    "struct s { struct { int b; }; } a;",
    "enum s { A } a;",
    "enum s { A = 1 } a;",
    "typeof(b) a;",
    "typeof(int) a;",
    "_Atomic(int) a;",
    "__auto_type a = 1;",
    "#pragma a\n",
    "#pragma b\n",
    "#pragma pack(1)\nstruct s { int b; } a;",
    "asm(\"x\");",
    "_Static_assert(1);",
    "_Static_assert(1, \"\");",
    "a() {}",
    "int a() {}",
    "int a(b) {}",
    "int a(b) int b; {}",
    "int a() { ; }",
    "int a() { b; }",
    "int a() { {} }",
    "int a() { int b; }",
    "int a() { if (b) c; }",
    "int a() { if (b) c; else d; }",
    "int a() { while (b) c; }",
    "int a() { do c; while (b); }",
    "int a() { for (;;) c; }",
    "int a() { for (b;;) c; }",
    "int a() { for (;b;) c; }",
    "int a() { for (;;b) c; }",
    "int a() { for (int b;;) c; }",
    "int a() { switch (b) c; }",
    "int a() { case 1: c; }",
    "int a() { case 1 ... 2: c; }",
    "int a() { default: c; }",
    "int a() { b: c; }",
    "int a() { d: c; }",
    "int a() { goto b; }",
    "int a() { goto *b; }",
    "int a() { break; }",
    "int a() { continue; }",
    "int a() { return; }",
    "int a() { return b; }",
    "int a() { __label__ b; }",
    "int a() { int b() {} }",
    "int a() { asm(\"\"); }",
    "int a() { asm(\"\" :); }",
    "int a() { asm volatile(\"\"); }",
    "int a() { asm(\"\" : \"r\"(b)); }",
    "int a() { asm(\"\" : : \"r\"(b)); }",
    "int a() { asm(\"\" : : : \"b\"); }",
    "int a() { __attribute__((fallthrough)); }",
    "int a() {\n#pragma b\n}",
];

#[test]
fn equality_ignores_layout_and_sees_every_difference() {
    let read = |text: &str| {
        let parsed = parse(text.as_bytes(), "x.c");
        assert!(!parsed.has_errors(), "{text}: {:?}", parsed.diagnostics);
        parsed.ast
    };
    assert!(ast_eq(&read("int a = (1 + 2) * 3;"), &read("# 7 \"y.h\"\nint\n a=(1+2)*3 ;")));
    let trees: Vec<_> = DIFFERENT.iter().map(|text| read(text)).collect();
    for (i, a) in trees.iter().enumerate() {
        for (j, b) in trees.iter().enumerate() {
            assert_eq!(ast_eq(a, b), i == j, "{:?} and {:?}", DIFFERENT[i], DIFFERENT[j]);
        }
    }
}

#[test]
fn pragma_operators_undo_two_escapes_alone() {
    let ast = parse(br#"_Pragma("x \"a\\b\" \n\x01") int a;"#, "x.c");
    assert!(!ast.has_errors(), "{:?}", ast.diagnostics);
    let text = csyntax::print::print(&ast.ast);
    assert!(text.contains(r#"#pragma x "a\b" \n\x01"#), "{text}");
    assert!(ast_eq(&parse(text.as_bytes(), "x.c").ast, &ast.ast), "{text}");
    for text in [r#"_Pragma("x\\") int a;"#, r#"_Pragma(R"(x)") int a;"#] {
        assert!(parse(text.as_bytes(), "x.c").has_errors(), "{text}");
    }
}

#[test]
fn spans_cover_the_text_of_their_nodes() {
    let text = "int f(int n)\n{\n    if (n > 1) return (n + 2) * g(n, 3)[4];\n    return -n;\n}\n";
    let ast = parse(text.as_bytes(), "x.c").ast;
    for expr in &ast.exprs {
        let piece = &text[expr.span.lo as usize..expr.span.hi as usize];
        let again = parse(format!("int x = {piece};").as_bytes(), "piece").ast;
        let same = format!("int x = {};", print_expr(&ast, exprs_of(&ast, expr.span)));
        assert!(ast_eq(&again, &parse(same.as_bytes(), "same").ast), "{piece}");
    }
    for stmt in &ast.stmts {
        let piece = &text[stmt.span.lo as usize..stmt.span.hi as usize];
        assert!(piece.ends_with([';', '}']), "{piece}");
    }
    let place = |piece: &str| parse(text.as_bytes(), "x.c").source.place(text.find(piece).unwrap() as u32);
    assert_eq!(place("return -n").to_string(), "x.c:4:5");
}

fn exprs_of(ast: &csyntax::ast::Ast, span: csyntax::source::Span) -> csyntax::ast::ExprId {
    let index = ast.exprs.iter().position(|e| e.span == span).unwrap();
    csyntax::ast::ExprId(index as u32)
}

#[test]
fn line_markers_name_files_and_lines() {
    let text = b"# 1 \"a.c\"\nint a;\n# 10 \"b \\\"x\\\".h\" 1 3 4\nint b = @;\n#line 5\nint c = @;\n";
    let parsed = parse(text, "given.c");
    let places: Vec<String> =
        parsed.diagnostics.iter().map(|d| parsed.source.place(d.span.lo).to_string()).collect();
    assert_eq!(places[0], "b \"x\".h:10:9", "{places:?}");
    assert!(places.iter().any(|p| p == "b \"x\".h:5:9"), "{places:?}");
}

#[test]
fn walks_enter_and_leave_every_node_once() {
    let text = "struct s { int a, b[2]; } x, *y; int f(struct s *p) { for (int i = 0; i < 2; i++) p->b[i] = i; return 0; }";
    let mut ast = parse(text.as_bytes(), "x.c").ast;
    let (mut open, mut entered) = (Vec::new(), Vec::new());
    walk_unit(&ast, |moment| {
        match moment {
            Visit::Enter(node) => {
                open.push(node);
                entered.push(node);
            }
            Visit::Leave(node) => assert_eq!(open.pop(), Some(node)),
        }
        Flow::Continue
    });
    assert!(open.is_empty());
    let count = entered.len();
    entered.sort_by_key(|n| format!("{n:?}"));
    entered.dedup();
    assert_eq!(entered.len(), count);
    for id in 0..ast.exprs.len() {
        assert!(entered.contains(&Node::Expr(csyntax::ast::ExprId(id as u32))));
    }
    let function = roots(&ast)[1];
    assert_eq!(stmts(&ast, function).len(), ast.stmts.len());
    let first = stmts(&ast, function)[1];
    assert!(print_stmt(&ast, first).starts_with("for (int i = 0; i < 2; i++)"));
    assert!(!walk(&ast, function, |_| Flow::Stop));
    // Every constant becomes 7.
    walk_unit_mut(&mut ast, |ast, moment| {
        if let Visit::Enter(Node::Expr(id)) = moment
            && let ExprKind::Int { value, .. } = &mut ast[id].kind
        {
            *value = 7;
        }
        Flow::Continue
    });
    assert!(print(&ast).contains("b[7]") && print(&ast).contains("return 7;"));
    let assigned =
        exprs(&ast, function).into_iter().find(|&e| matches!(ast[e].kind, ExprKind::Assign(..))).unwrap();
    let ends: Vec<_> = operands_mut(&mut ast[assigned].kind).into_iter().collect();
    assert_eq!(ends.len(), 2);
}

#[test]
fn a_dangling_else_gets_braces() {
    let mut ast = parse(b"void f(void) { if (1) if (2) ; if (3) ; else ; }", "x.c").ast;
    let ifs: Vec<usize> =
        (0..ast.stmts.len()).filter(|&i| matches!(ast.stmts[i].kind, StmtKind::If(..))).collect();
    let inner =
        ifs.iter().copied().find(|&i| print_stmt(&ast, csyntax::ast::StmtId(i as u32)).contains("(2)"));
    let inner = csyntax::ast::StmtId(inner.unwrap() as u32);
    let outer = *ifs.last().unwrap();
    if let StmtKind::If(_, then, _) = &mut ast.stmts[outer].kind {
        *then = inner;
    }
    let text = print_stmt(&ast, csyntax::ast::StmtId(outer as u32));
    assert!(text.starts_with("if (3) {\n") && text.contains("} else"), "{text}");
}

#[test]
fn types_print_as_type_names() {
    let ast = parse(b"int x = sizeof(int (*(*)[3])(void, ...)) + sizeof(const char *const);", "x.c").ast;
    let found: Vec<String> = ast
        .exprs
        .iter()
        .filter_map(|e| if let ExprKind::SizeofType(ty) = e.kind { Some(print_type(&ast, ty)) } else { None })
        .collect();
    assert_eq!(found, ["int (*(*)[3])(void, ...)", "const char *const "].map(str::trim_end));
}

#[test]
fn odd_texts_are_read() {
    for text in [
        &b""[..],
        b" \n\t",
        b"\0",
        b"\xef\xbb\xbfint x;",
        b";;;",
        b"// only a comment",
        b"/* \xff\xfe */ char *s = \"\xff\";",
        b"int x;\r\nint y;\r\n",
    ] {
        let parsed = parse(text, "x.c");
        assert!(!parsed.has_errors(), "{text:?}: {:?}", parsed.diagnostics);
    }
    let nul = parse(b"int\0x;", "x.c");
    assert!(nul.diagnostics.iter().all(|d| d.severity == Severity::Warning) && !nul.diagnostics.is_empty());
    let binary = parse(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0", "x.c");
    assert_eq!(binary.diagnostics.len(), 1);
    assert!(binary.diagnostics[0].message.contains("binary"), "{:?}", binary.diagnostics);
    assert!(parse(b"int \xff\xfe;", "x.c").has_errors());
}

#[test]
fn directives_call_for_preprocessing() {
    for text in ["#include <a.h>\n", "int x;\n  #  define A 1\n", "#if 1\n#endif", "%:include <x>"] {
        let expected = !text.starts_with('%');
        assert_eq!(needs_preprocessing(text.as_bytes()), expected, "{text}");
    }
    for text in
        ["", "# 1 \"a.c\"\nint x;", "#pragma once\n", "#\n", "#line 3\n", "#ident \"x\"\n", "int x; # y"]
    {
        assert!(!needs_preprocessing(text.as_bytes()), "{text}");
    }
}
