//! What types keep apart: accesses that C does not define are no differences, and those that it does define are.

mod common;

use common::{report, verdict};
use crossver::equality::verdict::VerdictKind;

/// What types do not keep apart: bytes, what begins as the other does, what has the other in it, what was accessed before a
/// call. The second text remembers what the first one reads again.
const NOT_APART: &[(&str, &str, &str)] = &[
    ("bytes", "int bytes(int *p, char *q) { int n = *p; *q = 1; return n + *p; }", "return n + n;"),
    (
        "header",
        "struct any { struct any *next; long mark; }; struct one { struct any *next; long mark; long n; };\n\
         long header(struct any *p, struct one *q) { long n = p->mark; q->mark = 1; return n + p->mark; }",
        "return n + n;",
    ),
    (
        "inside",
        "struct in { long a; }; struct out { long b; struct in in; };\n\
         long inside(struct in *p, struct out *q) { long n = p->a; q->in.a = 1; return n + p->a; }",
        "return n + n;",
    ),
    (
        "row",
        "struct hash { short *head; long n; short last; };\n\
         long row(struct hash *h) { long n = h->last; h->head[h->n] = 1; return n + h->last; }",
        "return n + n;",
    ),
    (
        "halves",
        "struct two { long *to; union { int part[2]; long all; } u; };\n\
         long halves(struct two *t) { long n = t->u.all; *t->to = 1; return n + t->u.all; }",
        "return n + n;",
    ),
    (
        "room",
        "struct value { long a; }; struct buffer { long n; char room[16]; int k; };\n\
         long room(struct value *p, struct buffer *q) { long n = p->a; q->room[3] = 1; return n + p->a; }",
        "return n + n;",
    ),
    (
        "later",
        "struct x { long a; }; struct y { double b; }; void reuse(void *, void *);\n\
         long later(struct x *p, struct y *q) { long n = p->a; reuse(p, q); q->b = 1; return n; }",
        "return p->a;",
    ),
];

#[test]
fn types_keep_apart_what_c_does_and_no_more() {
    for (name, text, other) in NOT_APART {
        let start = text.rfind("return").expect("a result");
        let changed = format!("{}{other} }}", &text[..start]);
        let found = report(("gcc -O0", text), ("gcc -O0", &changed));
        let proved = matches!(verdict(&found, name), VerdictKind::Proved | VerdictKind::Conditional);
        assert!(!proved, "{name}: {found:#?}");
    }
}

#[test]
fn objects_of_other_types_share_places_only_where_that_is_asked_for() {
    let text = |body: &str| format!("int f(int *a, float *b) {{ *a = 1; *b = 2; return {body}; }}");
    for compiler in ["gcc", "clang", "clang-19"] {
        if std::process::Command::new(compiler).arg("--version").output().is_err() {
            eprintln!("SKIPPED: no `{compiler}` here");
            continue;
        }
        let (plain, new) = (format!("{compiler} -O0"), format!("{compiler} -O1"));
        let found = report((&plain, &text("*a")), (&new, &text("1")));
        assert_eq!(verdict(&found, "f"), VerdictKind::Conditional, "{compiler}: {found:#?}");
        let told = found.functions[0].assumptions.join("; ");
        assert!(told.contains("pointers to different types"), "{told}");
        let asked = format!("{compiler} -O0 -fno-strict-aliasing");
        let found = report((&asked, &text("*a")), (&new, &text("1")));
        assert_eq!(verdict(&found, "f"), VerdictKind::Different, "{compiler}: {found:#?}");
    }
}
