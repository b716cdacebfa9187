//! One source at two levels is never said to differ where C leaves its compiler the choice, and what differs is still found.

mod common;

use common::{report, verdict};
use crossver::equality::verdict::{VerdictKind, WhyKind};
use crossver::report::FileReport;

/// What one level does otherwise than another, and may.
const SAME: &str = r#"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
struct value { union { void *p; double d; long n; } v; unsigned char tag; };
struct state { int status; struct value *top; struct value *last; };
struct entry { const char *name; int (*call)(struct state *); };
struct stream { int error; char text[40]; };
int known(struct state *);
int prepare(struct stream *, int);
void set(const struct entry *);
void say(const char *, const char *const *);

void push(struct state *s, int b) {
    if (b == 0)
        s->top->tag = 1;
    else
        s->top->tag = 17;
    s->top++;
}
float both(int *n, float *f) { *n = 1; *f = 2; return *n; }
long wide(long *n, long long *m) { *n = 1; *m = 2; return *n; }
static int first(struct state *s) { return known(s) + 1; }
static int second(struct state *s) { return known(s) + 2; }
static const struct entry entries[] = { { "one", first }, { "two", second }, { 0, 0 } };
static const char *const words[] = { "ahead", "behind", 0 };
void opens(void) { set(entries); }
void says(int n) { say(n ? "yes" : "no", words); }
void lower(char *to, const char *from, int n) {
    for (int i = 0; i < n; i++) to[i] = tolower((unsigned char)from[i]);
}
struct stream *begin(int n) {
    struct stream *s = malloc(sizeof(struct stream));
    if (!s) return 0;
    s->error = 0;
    int error = prepare(s, n);
    if (error) {
        s->error = error;
        free(s);
        return 0;
    }
    return s;
}
static int checked(struct state *s) { return s == 0 || s->status < 3 || s->status > 9; }
int used(struct state *s) {
    if (checked(s)) return -1;
    return s->status * 2;
}
const char *version(void) { return "1.2.3"; }
struct stream *cleared(struct stream *s) {
    if (!s) return 0;
    memset(s, 0, sizeof(*s) * 100);
    s->error = 9;
    return s;
}
__attribute__((noinline)) static int looks(struct state *s, int n) { return n ? looks(s, n - 1) + s->status : known(0); }
void fill(struct state *);
static void through(struct state *s, int n) { known(0); s->status = n; fill(s); }
int local(int n) {
    struct state s;
    through(&s, n);
    return s.status;
}
void show(struct state *, char *);
__attribute__((noinline)) int fails(struct state *s, int n) {
    char text[24];
    text[0] = n;
    show(s, text);
    return known(s) + n;
}
static int checks(struct state *s, int n) { return known(s) ? n : fails(s, n); }
int chained(struct state *s, int n) { return checks(s, n) + known(s); }
int twice(struct state *s, int n) {
    int before = s->last->tag;
    int found = looks(s, n);
    return before + s->last->tag + found;
}
"#;

#[test]
fn what_levels_may_do_otherwise_is_no_difference() {
    for (old, new) in [("gcc -O0", "gcc -O2"), ("gcc -O2", "gcc -O0")] {
        let found = report((old, SAME), (new, SAME));
        assert!(found.functions.len() >= 9, "{} functions", found.functions.len());
        for f in &found.functions {
            assert_ne!(f.verdict, VerdictKind::Different, "{old}, {new}: {f:#?}");
        }
        // A body in the place of its call keeps the frame pointer of its caller, and a text is the same wherever it lies.
        // Of a chain of callees each level has other bodies inside, and nobody knows of an object whose address is kept in the frame.
        let names = ["used", "version", "chained", "local"];
        for name in &names[..if old == "gcc -O0" { 4 } else { 3 }] {
            let proved = matches!(verdict(&found, name), VerdictKind::Proved | VerdictKind::Conditional);
            assert!(proved, "{old}, {new}: {name}: {found:#?}");
        }
    }
}

/// Declarations of the functions below.
const COMMON: &str = r#"
#include <errno.h>
#include <string.h>
struct block { char text[200]; int used; };
struct value { union { void *p; double d; long n; } v; unsigned char tag; };
struct state { int status; struct value *top; struct value *last; };
struct small { long a[6]; };
struct sink { void *to; int n; int done; };
int put(void *, const char *, int, int);
int take(struct small *, int);
void note(int *);
void fail(const char *) __attribute__((noreturn));
"#;

/// Name, text, and what has another meaning in the place of what.
type Proved = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What is proved although one level calls where the other writes stores, or has an object of the frame in a register until its
/// address goes out, or a body in the place of a call, or an address where the other adds a counter.
const PROVED: &[Proved] = &[
    (
        "fill",
        "void fill(struct block *b) { memset(b, 0, sizeof *b); b->used = 3; }",
        &[("sizeof *b", "sizeof *b - 8"), ("0, sizeof", "1, sizeof")],
    ),
    (
        "copy",
        "void copy(struct small *to, const struct small *from) { memcpy(to, from, sizeof *to); }",
        &[("sizeof *to", "sizeof *to - 1"), ("to, from,", "to, from + 1,")],
    ),
    (
        "count",
        "int count(const char *p, long n) { int found = 0; for (long i = 0; i < n; i++) found += p[i] == 'x'; \
         note(&found); return found; }",
        &[("p[i] == 'x'", "p[i] == 'y'"), ("note(", "found++; note(")],
    ),
    (
        "walk",
        "int walk(const char *p, int n) { int found = 0; for (int i = 0; i < n; i++) found += p[i] == 'x'; return found; }",
        &[("p[i]", "p[i + 1]"), ("i < n", "i <= n")],
    ),
    (
        "both",
        "static void clear(struct small *s) { memset(s, 0, sizeof *s); }\n\
         static void first(struct small *s, long n) { s->a[0] = n; }\n\
         int both(long n) { struct small s, t; clear(&s); first(&s, n); clear(&t); return take(&s, 1) + take(&t, 2); }",
        &[("clear(&t);", ""), ("s->a[0] = n", "s->a[1] = n")],
    ),
    (
        "twice",
        "int checked(const int *p) { if (*p < 0) fail(\"below\"); return *p * 2; }\n\
         int twice(const int *p, int *q) { *q = checked(p); note(q); return checked(p + 1); }",
        &[("checked(p + 1)", "checked(p)")],
    ),
    (
        "through",
        "int through(void *to, int n) { struct sink d, *p = &d; p->to = to; p->n = n; p->done = 0; char x = 1;\n\
         p->done = put(p->to, &x, 1, p->n); return p->done; }",
        &[("p->n)", "p->n + 1)"), ("x = 1", "x = 2")],
    ),
    (
        "push",
        "void push(struct state *s, int b) { if (b) s->top->tag = 1; else s->top->tag = 2; s->top++; }",
        &[("top++", "top--"), ("tag = 2", "tag = 3")],
    ),
    (
        "failed",
        "int said(int n) { int e = errno; return n ? n : e; }\n\
         int failed(int n) { return n != 0 && errno != 0 ? said(0) : -1; }",
        &[("-1", "-2"), ("errno != 0", "errno != 1")],
    ),
    // Shorts by a pointer are no `unsigned`, though the structure has shorts, too.
    (
        "clear",
        "struct hash { short *head; unsigned size; short counts[4]; union { short one; long all; } last; char names[8]; };\n\
         void clear(struct hash *h) { h->head[h->size - 1] = 0; memset(h->head, 0, (h->size - 1) * sizeof *h->head); }",
        &[("size - 1)", "size - 2)"), ("unsigned size; short", "unsigned short size; int")],
    ),
    // Pointers of one type are the same, or lie apart.
    (
        "leave",
        "struct up { struct up *at; union { struct { struct up *next, **previous; } open;\n\
           struct { union { void *p; double d; unsigned char b; } v; unsigned char tag; } value; } u; };\n\
         void leave(struct up *u) { *u->u.open.previous = u->u.open.next;\n\
           if (u->u.open.next) u->u.open.next->u.open.previous = u->u.open.previous; }",
        &[("if (u->u.open.next)", "if (u->at)")],
    ),
    // What takes unnamed arguments is called, how often ever.
    (
        "warn",
        "#include <stdarg.h>\n\
         void say(void *, const char *, va_list);\n\
         void tell(void *to, const char *what, ...) { va_list v; va_start(v, what); say(to, what, v); va_end(v); }\n\
         int check(void *to, int n, const char *what) { if (n < 9) { if (what) tell(to, \"few %s\", what); else tell(to, \"few\"); } return n; }\n\
         int warn(void *to, int n) { return check(to, n, \"legs\") + 1; }",
        &[("\"legs\"", "\"arms\""), ("n < 9", "n < 8")],
    ),
    // What memory holds at a loop's head the other level has in a longer register.
    (
        "load",
        "int get(int, void *, unsigned);\n\
         int load(int *from, char *to, unsigned n, unsigned *have) { int k = 0; *have = 0;\n\
           do { unsigned part = n - *have; if (part > 1 << 20) part = 1 << 20;\n\
             k = get(*from, to + *have, part); if (k <= 0) break; *have += k; } while (*have < n);\n\
           return k; }",
        &[("to + *have", "to + *have + 1"), ("*have += k", "*have += k + 1")],
    ),
    // A tag is no part of a buffer that has another member in its place, whatever may lie in the buffer's room.
    (
        "append",
        "struct stack { struct value *top; }; struct buffer { struct stack *s; int pushed, used; char room[210]; };\n\
         void *text(struct stack *, const char *, long); void join(struct stack *, int);\n\
         static void add(struct buffer *b, const char *from, long n) { struct stack *s = b->s; struct value *v = s->top;\n\
           v->v.p = text(s, from, n); v->tag = 4; s->top++; if (!b->pushed) b->pushed = 1; else join(s, 2); }\n\
         void append(struct buffer *b, const char *from, long n) { if (n > 200 - b->used) { add(b, b->room, b->used); b->used = 0; }\n\
           add(b, from, n); }",
        &[("tag = 4", "tag = 5"), ("pushed = 1", "pushed = 2")],
    ),
    // Where a row begins and how long it is lies in memory, and in registers of the other level.
    (
        "find",
        "struct range { const char *name; int start, end; }; struct all { long n; int count; struct range *rows; };\n\
         const char *find(const struct all *f, int k, int pc) {\n\
           for (int i = 0; i < f->count && f->rows[i].start <= pc; i++)\n\
             if (pc < f->rows[i].end && --k == 0) return f->rows[i].name + 3; return 0; }",
        &[("i < f->count", "i <= f->count"), ("pc < f->rows", "pc <= f->rows")],
    ),
    // A chain of callees longer than most.
    (
        "deep",
        "int get(int); static int f0(int *p) { return get(*p); } static int f1(int *p) { return f0(p) + p[1]; }\n\
         static int f2(int *p) { return f1(p) * p[2]; } static int f3(int *p) { return f2(p) - p[3]; }\n\
         static int f4(int *p) { return f3(p) + p[4]; } static int f5(int *p) { return f4(p) ^ p[5]; }\n\
         static int f6(int *p) { return f5(p) + p[6]; } static int f7(int *p) { return f6(p) & p[7]; }\n\
         int deep(int *p) { return f7(p) + f7(p + 1); }",
        &[("f2(p) - p[3]", "f2(p) - p[2]"), ("f7(p + 1)", "f7(p + 2)")],
    ),
    // No callee is passed a table of jumps.
    (
        "choose",
        "int act(void *, int, ...); int open(void *, const char *const *);\n\
         static const char *const names[] = { \"a\", \"b\", \"c\" }; static const char numbers[] = { 3, 4, 6, 9, 5 };\n\
         int choose(void *to) { int o = numbers[open(to, names)]; switch (o) {\n\
           case 3: { int k = act(to, o); return act(to, 4) + k; } case 4: return act(to, o, open(to, 0));\n\
           case 5: case 6: { int r = act(to, o); note(&r); return r; } case 7: return act(to, o, 2, 3);\n\
           case 8: return act(to, o, open(to, names) + 1, 5); case 9: return 0; default: return 7; } }",
        &[
            ("o, 2, 3", "o, 2, 4"),
            ("case 9: return 0", "case 9: return 1"),
            ("act(to, 4) + k", "act(to, 5) + k"),
        ],
    ),
];

#[test]
fn what_one_level_writes_out_is_what_another_calls() {
    for (name, text, others) in PROVED {
        let of = |text: &str| {
            let text = [COMMON, text].concat();
            report(("gcc -O0", &text), ("gcc -O2", &text))
        };
        let proved = |found: &FileReport| {
            matches!(verdict(found, name), VerdictKind::Proved | VerdictKind::Conditional)
        };
        let found = of(text);
        assert!(proved(&found), "{name}: {found:#?}");
        for (before, after) in *others {
            let other = [COMMON, &text.replace(before, after)].concat();
            assert_ne!(other, [COMMON, text].concat(), "{name}: {before}");
            let found = report(("gcc -O0", &[COMMON, text].concat()), ("gcc -O2", &other));
            assert!(!proved(&found), "{name}, {after}: {found:#?}");
        }
    }
}

/// A type, what differs, and what the old and the new version have in its place.
const BROKEN: &[(&str, &str, &str, &str)] = &[
    ("integers", "int f(int *a, int *b) { BODY }", "*a = 1; return *b;", "int n = *b; *a = 1; return n;"),
    (
        "a member",
        "struct s { int n, m; }; int f(struct s *a, int *b) { BODY }",
        "a->m = 1; return *b;",
        "int n = *b; a->m = 1; return n;",
    ),
    (
        "one of two",
        "long long f(long long *a, long long *b) { *a = 1; *b = 2; BODY }",
        "return *a;",
        "return 1;",
    ),
    (
        "characters",
        "int f(int *a, char *b) { BODY }",
        "*a = 1; *b = 2; return *a;",
        "*a = 1; *b = 2; return 1;",
    ),
    (
        "apart",
        "struct v { double d; unsigned char tag; }; struct s { int n; struct v *top; }; void f(struct s *s) { BODY }",
        "s->top->tag = 1; s->top++;",
        "s->top->tag = 2; s->top++;",
    ),
    (
        "a promise",
        "void f(int *restrict p, const int *restrict q) { BODY }",
        "p[1] = 1; p[0] = q[0]; p[2] = q[2];",
        "p[1] = 1; p[0] = q[1]; p[2] = q[2];",
    ),
    (
        "no types",
        "int f(void *a, void *b) { BODY }",
        "*(int *)a = 1; *(float *)b = 2; return 3;",
        "*(int *)a = 1; *(float *)b = 2; return 4;",
    ),
    (
        "words",
        "void say(const char *const *); static const char *const words[] = { \"ahead\", BODY, 0 }; void f(void) { say(words); }",
        "\"behind\"",
        "\"beyond\"",
    ),
    ("a text", "void say(const char *); void f(void) { say(BODY); }", "\"ahead\"", "\"ahoy\""),
    (
        "a body",
        "static int g(int *p, int n) { int k = p[n]; p[n] = 7; return k; } int f(int *p) { BODY }",
        "return g(p, 1) + p[1];",
        "return g(p, 2) + p[1];",
    ),
];

/// Blocks that are copied in pieces of other sizes: where they overlap C leaves open what becomes of them. Characters that are
/// copied one by one may overlap.
#[test]
fn blocks_that_are_copied_do_not_overlap() {
    let of = |body: &str| {
        format!(
            "void *memcpy(void *, const void *, unsigned long); void f(char *to, const char *from) {{ {body} }}"
        )
    };
    let pieces = |bytes: u32, last: &str| -> String {
        let piece = |at: u32| match at + bytes {
            32 => format!("memcpy(to + {at}, from + {last}, {bytes});"),
            _ => format!("memcpy(to + {at}, from + {at}, {bytes});"),
        };
        of(&(0..32).step_by(bytes as usize).map(piece).collect::<String>())
    };
    let alone =
        (of("to[0] = from[0]; to[1] = from[1];"), of("char c = from[1]; to[0] = from[0]; to[1] = c;"));
    for (old, new, different) in [
        (pieces(16, "16"), pieces(8, "24"), false),
        (pieces(8, "24"), pieces(16, "16"), false),
        (pieces(16, "16"), pieces(8, "25"), true),
        (alone.0, alone.1, true),
    ] {
        let found = report(("gcc -O1 -g", &old), ("gcc -O1 -g", &new));
        assert_eq!(verdict(&found, "f") == VerdictKind::Different, different, "{old} {new}: {found:#?}");
        let proved = matches!(verdict(&found, "f"), VerdictKind::Proved | VerdictKind::Conditional);
        assert!(!proved, "{old} {new}: {found:#?}");
    }
}

/// The new code reads two bytes for one. That the second may not be read is a difference only where a process shows it; where
/// none does, the rest is proved, and said to take for granted that it may.
#[test]
fn an_access_of_the_new_code_alone_has_to_show_on_a_processor() {
    let of = |body: &str| format!("asm(\".globl f\\n.type f,@function\\nf: {body}; ret\\n.size f,.-f\");");
    let old = of("testb $2, 2(%rdi); setne %al; movzbl %al, %eax");
    for (new, want) in [
        ("movzwl 2(%rdi), %eax; shrl $1, %eax; andl $1, %eax", VerdictKind::Conditional),
        ("movzwl 2(%rdi), %eax; shrl $2, %eax; andl $1, %eax", VerdictKind::Different),
        ("movzwl 2(%rdi), %eax; shrl $1, %eax; andl $1, %eax; testb $2, 65536(%rdi)", VerdictKind::Different),
    ] {
        let found = report(("gcc", &old), ("gcc", &of(new)));
        assert_eq!(verdict(&found, "f"), want, "{new}: {found:#?}");
    }
}

#[test]
fn a_table_of_distances_is_one_of_addresses() {
    let Some(clang) = clang() else { return };
    let text = |third: &str| {
        format!(
            "void say(const char *); static const char *const words[] = {{ \"ahead\", \"behind\", \"{third}\", \"below\" }}; \
             void f(void) {{ for (int i = 0; i < 4; i++) say(words[i]); }} void g(void) {{ say(\"{third}\"); }}"
        )
    };
    let command = format!("{clang} -O1");
    let found = report(("gcc -O1", &text("above")), (&command, &text("above")));
    assert_ne!(verdict(&found, "f"), VerdictKind::Different, "{found:#?}");
    let found = report(("gcc -O1", &text("above")), (&command, &text("about")));
    assert_eq!(verdict(&found, "g"), VerdictKind::Different, "{found:#?}");
}

/// Texts that one compiler gives a name and the other a place in a section: linkers merge either with what is equal.
#[test]
fn a_text_is_what_it_says() {
    let Some(clang) = clang() else { return };
    let text = |second: &str| {
        format!(
            "void say(const char *, int); \
             void f(int *p, int n) {{ say(\"ahead\", *p + n); if (n > 3) say(\"{second}\", n); say(\"ahead\", 1); }}"
        )
    };
    for level in ["-O1", "-O2"] {
        let (gcc, clang) = (format!("gcc -g {level}"), format!("{clang} -g {level}"));
        for (old, new) in [(&gcc, &clang), (&clang, &gcc)] {
            let found = report((old, &text("behind")), (new, &text("behind")));
            let same = verdict(&found, "f");
            assert!(
                matches!(same, VerdictKind::Proved | VerdictKind::Conditional),
                "{old}, {new}: {found:#?}"
            );
            let found = report((old, &text("behind")), (new, &text("beyond")));
            assert_eq!(verdict(&found, "f"), VerdictKind::Different, "{old}, {new}: {found:#?}");
        }
    }
}

/// What Clang does otherwise than GCC, and may: a static variable's name, the text of an assertion, what a truth value or a narrow
/// argument is beside its bits, what a local function gives that nobody asks for, arguments of a function that a pointer of
/// another type leads to.
const COMPILERS: &str = r#"
#line 2 "checked.c"
#include <assert.h>
#include <stdlib.h>
#define APART __attribute__((noinline))
struct opaque;
struct iterator { struct iterator *next; _Bool small; int n; };
typedef int (*query)(int);
query info;
void (*pack)(const int *, int, int *);
void table(void), far(int *, int);
void pack_c(const int *from, int n, int *to) { for (int i = 0; i < n; i++) to[i] = from[i]; }
void ready(void) {
    static volatile query last = (query)&last;
    if (last == info) return;
    table();
    last = info;
}
void ready_too(void) {
    static volatile query last = (query)&last;
    if (last == info) return;
    table(); table();
    last = info;
}
int counted(int n) { static int count = 1; { static int count = 5; count += n; n = count; } return count += n; }
int checked(int n) { assert(n > 3); return n - 1; }
int small(struct iterator *i) { if (i->small) return i->n; return i->next->n; }
int hidden(struct opaque *o) {
    struct iterator *i = (struct iterator *)o;
    if (i->small) { i->n = 3; return 1; }
    i->n = 4;
    return 2;
}
static APART void collect(int *heap, int force) { far(heap, force); far(heap, 1); }
void collect_all(int *heap, _Bool force) { collect(heap, force ? 2 : 1); collect(heap, force); }
static APART _Bool attempt(_Bool quiet, void (*handler)(void)) {
    if (!handler) { if (!quiet) abort(); return 0; }
    handler();
    return 1;
}
void attempts(_Bool quiet, void (*handler)(void)) { attempt(quiet, handler); }
void choose(void) { pack = pack_c; if (info && info(3)) pack = 0; }
"#;

/// A type, what differs, and what GCC and Clang are given in its place.
const COMPILERS_BROKEN: &[(&str, &str, &str, &str)] = &[
    (
        "a static variable",
        "int f(int n) { BODY }",
        "static int c = 1; return c += n;",
        "static int c = 1; return c -= n;",
    ),
    (
        "an assertion",
        "#line 1 \"checked.c\"\n#include <assert.h>\nint f(int n) { BODY }",
        "assert(n > 3); return 1;",
        "assert(n > 4); return 1;",
    ),
    (
        "a truth value",
        "struct s { _Bool b; int n; }; int f(struct s *s) { BODY }",
        "if (s->b) return 1; return s->n;",
        "if (!s->b) return 1; return s->n;",
    ),
    ("a narrow argument", "int f(_Bool b, signed char c) { BODY }", "return b ? c : 3;", "return b ? c : 4;"),
    ("a named function", "void g(int, int); void f(int n) { BODY }", "g(n, 1);", "g(n, 2);"),
];

/// A Clang of this machine.
fn clang() -> Option<&'static str> {
    let is_here = |name: &&str| std::process::Command::new(name).arg("--version").output().is_ok();
    let found = ["clang", "clang-19"].into_iter().find(is_here);
    if found.is_none() {
        eprintln!("SKIPPED: no `clang` here");
    }
    found
}

#[test]
fn what_compilers_may_do_otherwise_is_no_difference() {
    let Some(clang) = clang() else { return };
    for level in ["-O1", "-O2"] {
        let (gcc, clang) = (format!("gcc {level}"), format!("{clang} {level}"));
        for (old, new) in [(&gcc, &clang), (&clang, &gcc)] {
            let found = report((old, COMPILERS), (new, COMPILERS));
            assert!(found.functions.len() >= 10, "{} functions", found.functions.len());
            for f in &found.functions {
                assert_ne!(f.verdict, VerdictKind::Different, "{old}, {new}: {f:#?}");
            }
            for (name, text, before, after) in COMPILERS_BROKEN {
                let found = report((old, &text.replace("BODY", before)), (new, &text.replace("BODY", after)));
                assert_eq!(verdict(&found, "f"), VerdictKind::Different, "{name}: {old}, {new}: {found:#?}");
            }
        }
    }
}

#[test]
fn the_order_of_operands_is_no_difference() {
    let text = |body: &str| format!("int g(int); int h(int); int k(int); int f(int n) {{ {body} }}");
    let old = text("int a = g(n); int b = h(n); return a - b;");
    for (new, expected) in [
        (text("int b = h(n); int a = g(n); return a - b;"), VerdictKind::Unknown),
        (text("int a = g(n); int b = k(n); return a - b;"), VerdictKind::Different),
    ] {
        let found = report(("gcc -O1", &old), ("gcc -O2", &new));
        assert_eq!(verdict(&found, "f"), expected, "{found:#?}");
    }
}

#[test]
fn an_object_of_the_frame_is_known_once_its_address_went_out() {
    let text = |body: &str| {
        format!(
            "struct s {{ int n; }}; void fill(struct s *); void last(int, int, int, int, int, int, struct s *);\n\
             static void through(struct s *s, int n) {{ {body} }} int f(int n) {{ struct s s; through(&s, n); return s.n; }}"
        )
    };
    for (before, after) in [
        ("s->n = n; fill(s);", "s->n = n; fill(s); s->n = n;"),
        ("s->n = n; last(1, 2, 3, 4, 5, 6, s);", "s->n = n; last(1, 2, 3, 4, 5, 6, s); s->n = n;"),
        (
            "s->n = n; last(1, 2, 3, 4, 5, 6, s); s->n = 0;",
            "s->n = n + 1; last(1, 2, 3, 4, 5, 6, s); s->n = 0;",
        ),
    ] {
        for (old, new) in [("gcc -O0", "gcc -O2"), ("gcc -O2", "gcc -O0")] {
            let found = report((old, &text(before)), (new, &text(after)));
            let proved = matches!(verdict(&found, "f"), VerdictKind::Proved | VerdictKind::Conditional);
            assert!(!proved, "{old}, {new}: {after}: {found:#?}");
        }
    }
}

#[test]
fn a_shift_that_goes_too_far_is_no_difference() {
    let text = |number: &str, by: &str| {
        format!("unsigned f(int n) {{ if ({number} > 30) return 0; return 1u << {by}; }}")
    };
    for (by, expected) in [("n", VerdictKind::Unknown), ("(n & 15)", VerdictKind::Different)] {
        let found = report(("gcc -O1", &text("n", by)), ("gcc -O1", &text("(unsigned)n", by)));
        assert_eq!(verdict(&found, "f"), expected, "{by}: {found:#?}");
    }
}

#[test]
fn a_bit_that_is_searched_in_zero_is_no_difference() {
    let text = |none: &str| format!("int f(unsigned n) {{ {none} return 31 - __builtin_clz(n); }}");
    let counts = "gcc -O2 -mlzcnt";
    let changed = "int f(unsigned n) { return 30 - __builtin_clz(n); }";
    for (old, new, expected) in [
        (("gcc -O2", text("").as_str()), (counts, text("").as_str()), VerdictKind::Unknown),
        (
            ("gcc -O2", &text("if (!n) return 9;")),
            (counts, &text("if (!n) return 8;")),
            VerdictKind::Different,
        ),
        (("gcc -O2", &text("")), ("gcc -O2", changed), VerdictKind::Different),
    ] {
        let found = report(old, new);
        assert_eq!(verdict(&found, "f"), expected, "{old:?}, {new:?}: {found:#?}");
    }
}

#[test]
fn truth_values_that_are_passed_and_given_are_zero_or_one() {
    for text in ["TYPE g(void); int f(void) { BODY }", "TYPE h(void); int f(TYPE b) { BODY }"] {
        let call = if text.contains("g(void)") { "g()" } else { "b" };
        for (ty, proved) in [("_Bool", true), ("unsigned char", false)] {
            let text = |body: &str| text.replace("TYPE", ty).replace("BODY", body);
            let old = text(&format!("return {call} + 1;"));
            let new = text(&format!("return {call} ? 2 : 1;"));
            let found = report(("gcc -O2", &old), ("gcc -O2", &new));
            let expected = if proved { VerdictKind::Proved } else { VerdictKind::Different };
            assert_eq!(verdict(&found, "f"), expected, "{ty}, {call}: {found:#?}");
        }
    }
}

#[test]
fn the_end_of_a_table_is_met_from_its_beginning() {
    let text = |body: &str| {
        format!(
            "int g(int); static const signed char t[10] = {{ 2, 33, -16, 12, 64, 0, 1, -1, 127, -128 }};\n\
             static const signed char u[9] = {{ 3, 0, 1 }}; void f(void) {{ const signed char *p = t; {body}\n\
             for (p = u; p != u + 9; p++) g(*p); }}"
        )
    };
    let old = text("g(*p++); while (p != t + 10) g(*p++);");
    for (new, different) in
        [("do g(*p++); while (p != t + 10);", false), ("do g(*p++); while (p != t + 9);", true)]
    {
        let found = report(("gcc -O1", &old), ("gcc -O1", &text(new)));
        assert_eq!(verdict(&found, "f") == VerdictKind::Different, different, "{new}: {found:#?}");
    }
}

/// A structure that is made of parts of another: the first one is returned, or goes where a pointer leads.
const PLACED: &str = "struct t { long x, y, z, w; int n; }; struct s { long a, b, c; };\n\
    struct s f(const struct t *p) { struct s r; r.a = p->x; r.b = p->n ? p->z : p->w; r.c = 5; if (p->y) r.c = p->w; return r; }\n\
    void g(struct t *r, const struct t *p) { r->x = p->x; r->y = p->n ? p->z : p->w; r->z = 5; if (p->y) r->z = p->w; }";

#[test]
fn nothing_else_leads_to_the_place_of_a_result() {
    let Some(clang) = clang() else { return };
    let clang = format!("{clang} -O2");
    // The other way round, more is read than the old side does.
    for (old, new) in [("gcc -O1", &*clang), ("gcc -O2", &*clang)] {
        let found = report((old, PLACED), (new, PLACED));
        let proved = matches!(verdict(&found, "f"), VerdictKind::Proved | VerdictKind::Conditional);
        assert!(proved, "{old}, {new}: {found:#?}");
    }
    // Another order of the accesses, where both pointers may lead to one structure.
    let later =
        PLACED.replace("r->z = 5; if (p->y) r->z = p->w;", "long y = p->y; r->z = 5; if (y) r->z = p->w;");
    let first = later
        .replace("{ r->x = p->x;", "{ long y = p->y; r->x = p->x;")
        .replace("long y = p->y; r->z", "r->z");
    let found = report(("gcc -O1", &later), ("gcc -O1", &first));
    assert_eq!(verdict(&found, "g"), VerdictKind::Different, "{found:#?}");
}

/// What is read behind a store or ahead of it, where a part that is seldom run lies apart from the function.
const COLD: &str = "struct area { int n; unsigned long held, start; }; struct page { double d; unsigned long held, start; };\n\
    void f(struct area *to, struct page *from) {\n\
      FIRST to->held = from->held; SECOND if (!start) __builtin_trap(); to->start = 2; }";

#[test]
fn a_function_with_a_part_elsewhere_has_types() {
    let at = |text: &str, ahead: bool| {
        let read = "unsigned long start = from->start;";
        let (first, second) = if ahead { (read, "") } else { ("", read) };
        text.replace("FIRST", first).replace("SECOND", second)
    };
    let verdict_on = |text: &str| {
        // In the order of the source.
        let command = "gcc -O2 -fno-schedule-insns2 -fno-tree-ter";
        verdict(&report((command, &at(text, false)), (command, &at(text, true))), "f")
    };
    let proved = |text: &str| matches!(verdict_on(text), VerdictKind::Proved | VerdictKind::Conditional);
    assert!(proved(COLD));
    // Both pointers may lead to one structure: another member of it, or the same one.
    let one = COLD.replace("struct page *", "struct area *");
    assert!(proved(&one));
    assert!(!proved(&one.replace("to->held =", "to->start =")));
}

#[test]
fn a_structure_is_read_ahead_as_a_whole() {
    let text = |ahead: &str| {
        format!(
            "#define LOADED(p) (*(void *volatile *)&(p))\nstruct v {{ void *p; char apart[8192]; int tag; }};\n\
             void *f(struct v *v) {{ {ahead} if (v->tag == 2) return v->p; return 0; }}"
        )
    };
    for (ahead, expected) in [
        ("(void)LOADED(v->p);", VerdictKind::Conditional),
        ("(void)LOADED(v[999].p);", VerdictKind::Different),
    ] {
        let found = report(("gcc -O1", &text("")), ("gcc -O1", &text(ahead)));
        assert_eq!(verdict(&found, "f"), expected, "{ahead}: {found:#?}");
    }
}

#[test]
fn what_differs_is_found_at_other_levels() {
    for (name, text, before, after) in BROKEN {
        for (old, new) in [("gcc -O0", "gcc -O2"), ("gcc -O2", "gcc -O0"), ("gcc -O2", "gcc -O2")] {
            let found = report((old, &text.replace("BODY", before)), (new, &text.replace("BODY", after)));
            assert_eq!(verdict(&found, "f"), VerdictKind::Different, "{name}: {old}, {new}: {found:#?}");
        }
    }
}

#[test]
fn without_types_a_result_is_what_is_set_for_nothing_else() {
    let kept = |register: &str| {
        format!("void f(long *p) {{ long n = p[0]; __asm__(\"\" : \"+{register}\"(n)); p[1] = n; }}")
    };
    let gives = |kind: &str, body: &str| format!("{kind} f({kind} *p) {{ return {body}; }}");
    for (old, new, differ) in [
        (kept("a"), kept("c"), false),
        (gives("signed char", "*p"), gives("unsigned char", "*p"), false),
        (gives("int", "*p + 1"), gives("int", "*p + 2"), true),
        (gives("float", "*p + 1"), gives("float", "*p + 2"), true),
    ] {
        let found = report(("gcc -O1 -g0", &old), ("gcc -O1 -g0", &new));
        assert_eq!(verdict(&found, "f") == VerdictKind::Different, differ, "{old}\n{new}\n{found:#?}");
    }
}

/// A function whose rare half a compiler put elsewhere, and the same function whole, as one side calls it.
const PARTED: &str = r#"
struct ops { int (*go)(int); int n; };
extern struct ops ops;
int g(int);
static int __attribute__((noinline)) slow(int n) __asm__("act.part.0");
static int slow(int n) { g(n); g(n + 1); g(n + 2); return ops.go(n); }
int f(int n) { if (n > 3) return slow(n); return 0; }
"#;
const WHOLE: &str = r#"
struct ops { int (*go)(int); int n; };
extern struct ops ops;
int g(int);
static int __attribute__((noinline)) act(int n) { if (n > 3) { g(n); g(n + 1); BODY; return ops.go(n); } return 0; }
int f(int n) { return act(n); }
"#;

#[test]
fn a_part_of_a_function_is_compared_where_it_is_called() {
    for (body, expected) in [("g(n + 2)", true), ("g(n + 3)", false), ("n += g(n + 2)", false)] {
        let whole = WHOLE.replace("BODY", body);
        for (old, new) in [(PARTED, whole.as_str()), (whole.as_str(), PARTED)] {
            let found = report(("gcc -O2", old), ("gcc -O2", new));
            let proved = matches!(verdict(&found, "f"), VerdictKind::Proved | VerdictKind::Conditional);
            assert_eq!(proved, expected, "{body}: {found:#?}");
            assert_eq!(found.lone.len(), 2, "{found:#?}");
        }
    }
}

/// A local function with callers: what these pass is greater than zero or at most 255.
const FITTED: &str = r#"
extern int put(int);
__attribute__((noinline)) static int span(int *p, int n) { int k = 0; if (n TEST) k = p[3] + put(n); return k + n; }
__attribute__((noinline)) static int between(int *p, int n) { return span(p, n & 7) + put(3); }
int one(int *p, int n) { return n > 0 ? span(p, n) + 1 : 4; }
int two(int *p, unsigned char n) { return between(p, n) + 2; }
TAKEN
"#;

#[test]
fn a_local_function_differs_where_a_caller_shows_it() {
    let text = |test: &str, taken: &str| FITTED.replace("TEST", test).replace("TAKEN", taken);
    let plain = text("> 0", "");
    for (test, taken, expected) in [
        // Where no caller passes a number below zero, compilers may ask either.
        ("!= 0", "", VerdictKind::Unknown),
        ("> 1", "", VerdictKind::Different),
        ("> 7", "", VerdictKind::Different),
        ("> -1", "", VerdictKind::Different),
        // Whoever has the address passes anything.
        ("!= 0", "int (*taken)(int *, int) = span;", VerdictKind::Different),
        ("!= 0", "void give(int (*)(int *, int)); void gives(void) { give(span); }", VerdictKind::Different),
    ] {
        let old = if taken.is_empty() { plain.clone() } else { text("> 0", taken) };
        let new = text(test, taken);
        for (old, new) in [(&old, &new), (&new, &old)] {
            let found = report(("gcc -g -O2", old), ("gcc -g -O2", new));
            let f = found.functions.iter().find(|f| f.function == "span").expect("the function");
            assert_eq!(f.verdict, expected, "{test} {taken}: {f:#?}");
            assert!(expected != VerdictKind::Unknown || f.why == Some(WhyKind::DifferenceNotReached));
        }
    }
}
