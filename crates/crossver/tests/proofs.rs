//! Pairs of functions under `tests/diff`: what instructions mean decides. The directory is the verdict.

mod common;

use common::{image, verdict};
use crossver::equality::verdict::{How, VerdictKind, WhyKind};
use crossver::objects::map;
use crossver::project::compile::Command;
use crossver::project::sources::Source;
use crossver::replay::Finding;
use crossver::report::{FunctionReport, compare_images};
use std::path::{Path, PathBuf};

fn pairs(kind: &str) -> Vec<(String, PathBuf, PathBuf)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/diff").join(kind);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&dir).expect("readable").flatten() {
        let old = entry.path();
        let name = old.file_name().expect("a name").to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".old.s") {
            found.push((name.to_owned(), old.clone(), dir.join(format!("{name}.new.s"))));
        }
    }
    assert!(!found.is_empty(), "no pairs in {}", dir.display());
    found.sort();
    found
}

fn report(old: &Path, new: &Path) -> FunctionReport {
    // Types that some pairs have lie beside them.
    let types = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/diff");
    report_by(&format!("gcc -Wa,-I,{}", types.display()), old, new)
}

fn report_by(compiler: &str, old: &Path, new: &Path) -> FunctionReport {
    let dir = tempfile::tempdir().expect("a directory");
    let object = |file: &Path, name: &str| {
        let output = dir.path().join(name);
        let source = Source { file: file.to_owned(), directory: None, options: Vec::new() };
        let command = Command::parse(compiler).expect("a command");
        command.compile(&source, &[], &output).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        map(&output).expect("an object")
    };
    let (a, b) = (object(old, "old.o"), object(new, "new.o"));
    let time = std::time::Duration::from_secs(60);
    let report = compare_images(&image("old", &a), &image("new", &b), 1, time).expect("one machine");
    report.functions.into_iter().find(|f| f.function == "f").expect("the function")
}

/// Whether both functions were run and did not do the same.
fn differs(f: &FunctionReport) -> bool {
    let differs = |finding: &Finding| matches!(finding, Finding::Differ(_));
    f.replay.as_ref().is_some_and(|replay| differs(&replay.finding) && !replay.old.is_empty())
}

#[test]
fn equivalent_pairs_are_proved() {
    for (name, old, new) in pairs("equivalent") {
        let f = report(&old, &new);
        let proved = matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
        assert!(proved && f.how == Some(How::Proof), "{name}: {f:?}");
        assert!(!f.assumptions.iter().any(|a| a.contains("may be accessed")), "{name}: {f:?}");
    }
}

#[test]
fn broken_pairs_are_never_proved_and_what_differs_is_replayed() {
    let mut different = 0;
    for (name, old, new) in pairs("broken") {
        // A load may be left out, but none added; and what the old code has given up, the new one may keep.
        let ways = if ["fault", "accessed_later", "gone_called"].contains(&name.as_str()) { 1 } else { 2 };
        let both = [(&old, &new), (&new, &old)];
        for (n, (from, to)) in both.into_iter().take(ways).enumerate() {
            let f = report(from, to);
            assert!(!matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional), "{name}: {f:#?}");
            different += usize::from(f.verdict == VerdictKind::Different);
            // Which object of the frame an address on the stack is of, no run tells: objects are paired by guess.
            // What a callee of unknown types reads, a run with a stub in its place does not tell either.
            // Nor what counts of a result of unknown type above its lowest byte, and whether a counter is a result, too.
            // Nor what a callee of the same file does whose body cannot be put in the place of the call, or which memory is free.
            // Nor what an address leads to that went out, or may have.
            // Nor, as no proof is looked for, that an access faults which is not aligned.
            // Nor what other threads could see, what a linker leaves out, lays into one place or has at null, or what overlaps against
            // the types of C.
            let no_run_tells = [
                "traded",
                "field",
                "hole",
                "linked",
                "given_again",
                "format",
                "kept_then_stored",
                "byte",
                "extension",
                "limit",
                "fence",
                "atomic_order",
                "atomic_lock",
                "atomic_split",
                "atomic_expected",
                "met",
                "local",
                "weak_null",
                "texts_in_one_place",
                "accessed_later",
                "table_changed",
                "nested",
                "later_known",
                "left_in_register",
                "frame_misaligned",
                "element_inside",
                "element_behind",
                "reloaded_later",
                "perhaps_other",
                "gone",
                "gone_called",
                "gone_zero",
            ];
            let no_run_tells = no_run_tells.contains(&name.as_str());
            // The other way round, what the broken side does may rest on what it was not given, which permits anything.
            let replays = f.why != Some(WhyKind::DifferenceNotReplayed);
            assert!(replays || n == 1 || no_run_tells, "{name}: {f:#?}");
            assert_eq!(f.verdict == VerdictKind::Different, differs(&f), "{name}: {f:#?}");
        }
    }
    assert!(different >= 30, "{different} differences were replayed");
}

/// What a field that was not set is made of, compilers choose: a register that the caller keeps something in, or another one.
#[test]
fn a_field_that_is_not_set_is_no_difference() {
    let dir = tempfile::tempdir().expect("a directory");
    let side = |name: &str, register: &str| {
        let file = dir.path().join(name);
        let code = format!("mov [rdi], rsi\n mov [rdi+8], {register}\n ret");
        let text = format!(
            " .intel_syntax noprefix\n .text\n .globl f\n .type f, @function\nf:\n {code}\n .size f, .-f\n"
        );
        std::fs::write(&file, text).expect("written");
        file
    };
    for (n, (old, new)) in [("rbx", "r13"), ("r13", "rbp")].into_iter().enumerate() {
        let f = report(&side(&format!("{n}.old.s"), old), &side(&format!("{n}.new.s"), new));
        assert_eq!(f.verdict, VerdictKind::Unknown, "{old}, {new}: {f:#?}");
    }
}

/// The compiler of the pairs for another machine; where it is missing, that is said aloud.
fn compiler(machine: &str) -> Option<String> {
    let name = format!("{machine}-linux-gnu-gcc");
    let here = std::process::Command::new(&name).arg("--version").output().is_ok();
    if !here {
        eprintln!("SKIPPED: no `{name}` here");
    }
    here.then_some(name)
}

/// Both ways, since neither side of such a pair does more than the other.
fn are_proved(machine: &str, dir: &str) {
    let Some(compiler) = compiler(machine) else { return };
    for (name, old, new) in pairs(dir) {
        for (old, new) in [(&old, &new), (&new, &old)] {
            let f = report_by(&compiler, old, new);
            let proved = matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
            assert!(proved && f.how == Some(How::Proof), "{name}: {f:?}");
            assert!(!f.assumptions.iter().any(|a| a.contains("may be accessed")), "{name}: {f:?}");
        }
    }
}

/// Never proved, and at least so many times refuted, though no processor is asked.
fn are_never_proved(machine: &str, dir: &str, least: usize) {
    let Some(compiler) = compiler(machine) else { return };
    let mut refuted = 0;
    for (name, old, new) in pairs(dir) {
        for (from, to) in [(&old, &new), (&new, &old)] {
            let f = report_by(&compiler, from, to);
            assert!(!matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional), "{name}: {f:#?}");
            refuted += usize::from(f.why == Some(WhyKind::DifferenceNotReplayed));
        }
    }
    assert!(refuted >= least, "{refuted} differences were found");
}

#[test]
fn equivalent_pairs_of_aarch64_are_proved() {
    are_proved("aarch64", "aarch64/equivalent");
}

#[test]
fn broken_pairs_of_aarch64_are_never_proved() {
    are_never_proved("aarch64", "aarch64/broken", 60);
}

#[test]
fn equivalent_pairs_of_riscv_are_proved() {
    are_proved("riscv64", "riscv/equivalent");
}

#[test]
fn broken_pairs_of_riscv_are_never_proved() {
    are_never_proved("riscv64", "riscv/broken", 70);
}

/// A function that calls what a pointer of a type leads to, with something else in a register that is no argument of it.
fn calls_by_pointer(parameters: &str, passed: &str, scratch: bool) -> String {
    let scratch = match scratch {
        true => "register long r __asm__(\"r8\") = d * 2; __asm__ volatile(\"\" : : \"r\"(r));",
        false => "",
    };
    format!(
        "struct s {{ int (*call)({parameters}); void *data; }};\n\
         int f(struct s *s, int a, int b, int c, long d) {{ {scratch} return s->call(s->data, {passed}) + 1; }}\n"
    )
}

#[test]
fn callees_by_address_are_passed_what_types_of_functions_say() {
    let found = |parameters: &str, passed: &str| {
        let old = calls_by_pointer(parameters, "a", false);
        let new = calls_by_pointer(parameters, passed, true);
        verdict(&common::report(("gcc -O2", &old), ("gcc -O2", &new)), "f")
    };
    assert_eq!(found("void *, int", "a"), VerdictKind::Conditional);
    // Whatever is in registers may be passed to one that takes any arguments.
    for (parameters, passed) in [("void *, int", "a + 1"), ("void *, ...", "a"), ("", "a")] {
        let proved = matches!(found(parameters, passed), VerdictKind::Conditional | VerdictKind::Proved);
        assert!(!proved, "({parameters}): {passed}");
    }
}

/// A function that calls what a variable holds the address of, as itself or as another type, and maybe uses a register beside.
/// Some other pointer leads to functions of more arguments.
fn calls_by_variable(kind: &str, parameters: &str, call: &str, scratch: bool) -> String {
    let scratch = match scratch {
        true => {
            "register long r __asm__(\"rdx\") = d * 2; __asm__ volatile(\"test %0, %0\" : : \"r\"(r) : \"cc\");"
        }
        false => "",
    };
    format!(
        "typedef int (*pointer)({parameters}); {kind} pointer v; extern int (*other)(int, int, long, int);\n\
         typedef int (*wide)(int, long, long);\n\
         int g(int a) {{ return other(a, 1, 2, 3); }} void set(pointer p) {{ v = p; }}\n\
         int f(int a, long b, long c, long d) {{ {scratch} return {call} + 1; }}\n"
    )
}

#[test]
fn callees_by_a_variable_are_passed_what_its_type_says() {
    let found = |kind: &str, parameters: &str, old: &str, new: &str| {
        let side = |call: &str, scratch: bool| calls_by_variable(kind, parameters, call, scratch);
        verdict(&common::report(("gcc -g -O2", &side(old, false)), ("gcc -g -O2", &side(new, true))), "f")
    };
    let proved = |verdict| matches!(verdict, VerdictKind::Conditional | VerdictKind::Proved);
    for kind in ["extern", "static", ""] {
        assert!(proved(found(kind, "int, long", "v(a, b)", "v(a, b)")), "{kind}");
        assert!(!proved(found(kind, "int, long", "v(a, b)", "v(a, b + 1)")), "{kind}");
        // One that is called as another type, of which nobody knows the arguments or that takes any.
        assert!(!proved(found(kind, "int, long", "((wide)v)(a, b, c)", "((wide)v)(a, b, c + 1)")), "{kind}");
        for parameters in ["void", "", "int, ..."] {
            let other = found(kind, parameters, "((wide)v)(a, b, c)", "((wide)v)(a, b, d)");
            assert!(!proved(other), "{kind} {parameters}");
        }
    }
}

/// A function that passes a structure by value to a callee and gives another one back.
fn passes_a_structure(fields: &str, values: &str, second: &str) -> String {
    format!(
        "struct s {{ {fields} }}; struct r {{ long x; int y; }};\n\
         int g(struct s, int);\n\
         struct r f(long a, long b, long c) {{ struct s s = {{ {values} }}; return (struct r) {{ g(s, 1), {second} }}; }}\n"
    )
}

#[test]
fn structures_are_passed_by_the_convention() {
    let found = |fields: &str, old: (&str, &str), new: (&str, &str)| {
        let (old, new) = (passes_a_structure(fields, old.0, old.1), passes_a_structure(fields, new.0, new.1));
        verdict(&common::report(("gcc -g -O1", &old), ("gcc -g -O2", &new)), "f")
    };
    // In memory, in two registers of each kind, in one of each.
    for (fields, one, two) in [
        ("long a, b, c;", "a, b, c", "a, c, c"),
        ("long a; int b;", "a, b", "a, c"),
        ("float a, b; long c;", "1, 2, c", "1, 3, c"),
        ("int a[3];", "a, b, c", "a, a, c"),
        // A union in a register, and one with a hole in memory.
        ("union { long n; double d; char c; } u; long k;", "{ a }, b", "{ c }, b"),
        (
            "union { struct { void *p; long n; } o; struct { long n; int k; } i; } u; char c;",
            "{ { (void *)a, b } }, (char)c",
            "{ { (void *)a, c } }, (char)c",
        ),
    ] {
        let same = found(fields, (one, "(int)(b + c)"), (one, "(int)b + (int)c"));
        assert!(matches!(same, VerdictKind::Conditional | VerdictKind::Proved), "{fields}: {same:?}");
        for other in [(two, "(int)(b + c)"), (one, "(int)(b - c)")] {
            let differs = found(fields, (one, "(int)(b + c)"), other);
            assert_eq!(differs, VerdictKind::Different, "{fields}: {other:?}");
        }
    }
}

#[test]
fn what_overlaps_against_a_promise_is_no_difference() {
    let text =
        |first: &str| format!("void f(int *RESTRICT p, const int *RESTRICT q) {{ {first} p[2] = q[2]; }}");
    let (old, new) = (text("p[1] = 1; p[0] = q[0];"), text("int x = q[0]; p[1] = 1; p[0] = x;"));
    for (promise, expected) in
        [("-DRESTRICT=", VerdictKind::Different), ("-DRESTRICT=restrict", VerdictKind::Unknown)]
    {
        let compiler = format!("gcc -O1 {promise}");
        assert_eq!(
            verdict(&common::report((&compiler, &old), (&compiler, &new)), "f"),
            expected,
            "{promise}"
        );
    }
}

/// A function with variables of inlined bodies that share their place in the frame, of which debug information names not all.
fn shares_a_place(second: &str) -> String {
    format!(
        "int use(const void *, int);\n\
         static inline __attribute__((always_inline)) int one(int y) {{ char x = (char)y; return use(&x, 1); }}\n\
         static inline __attribute__((always_inline)) int eight(long x) {{ return use(&x, 8); }}\n\
         int f(long a, int b) {{ int s = one(b); s += eight({second}); s += one(b + 1); return s + eight(a); }}\n"
    )
}

#[test]
fn variables_may_share_a_place_with_longer_ones() {
    let found = |new: &str| {
        let (old, new) = (shares_a_place("a + b"), shares_a_place(new));
        verdict(&common::report(("gcc -g -O1", &old), ("gcc -g -O2", &new)), "f")
    };
    assert_eq!(found("a + b"), VerdictKind::Conditional);
    // In the seventh byte alone.
    assert_eq!(found("(a + b) ^ 1L << 50"), VerdictKind::Different);
}

/// A function with a call that only debug information says not to return, and one of a function that takes any arguments, for
/// which room is made on the stack with a register that holds nothing.
fn fails(by: &str, text: &str) -> String {
    format!(
        "const char *said(void *, const char *, ...); void leave(void *, int) __attribute__((noreturn));\n\
         void fail(void *, const char *, ...) __attribute__((noreturn)); struct s {{ void *l; long n; }};\n\
         static {by} void stop(struct s *s, const char *what, int k) {{\n\
             const char *t = said(s->l, \"line %d\", (int)s->n);\n\
             if (k) said(s->l, \"%s near %s\", t, what); leave(s->l, 3); }}\n\
         long f(struct s *s, long m, long n) {{\n\
             if (n < m) stop(s, \"one\", (int)m); if (n == m) stop(s, {text}, (int)n); return s->n + m; }}\n\
         long g(void *s, long m, long n) {{\n\
             if ((unsigned long)n + 1 <= 1) {{ if (n == 0) fail(s, {text}); return 0; }}\n\
             long r = m % n; return r != 0 && (r ^ n) < 0 ? r + n : r; }}\n"
    )
}

#[test]
fn what_does_not_return_is_told_by_debug_information() {
    let found = |new: &str, name: &str| {
        let old = fails("__attribute__((noinline, noreturn))", "\"two\"");
        let new = fails("inline __attribute__((always_inline))", new);
        verdict(&common::report(("gcc -g -O1", &old), ("gcc -g -O2", &new)), name)
    };
    for name in ["f", "g"] {
        assert_eq!(found("\"two\"", name), VerdictKind::Conditional, "{name}");
        assert_ne!(found("\"to\"", name), VerdictKind::Conditional, "{name}");
    }
}

/// A loop that goes on while memory holds a number, which it passes on.
fn passes_what_was_asked(passed: &str) -> String {
    format!(
        "void save(long *, int); int next(long *);\n\
         int f(long *ls, int *at) {{\n\
             long count = 0; int s = *at; save(ls, s); *at = next(ls);\n\
             while (*at == '=') {{ save(ls, {passed}); *at = next(ls); count++; }}\n\
             return *at == s ? count + 2 : count == 0; }}\n"
    )
}

#[test]
fn what_a_loop_asked_of_memory_holds_in_its_body() {
    let found = |new: &str| {
        let (old, new) = (passes_what_was_asked("*at"), passes_what_was_asked(new));
        verdict(&common::report(("gcc -g -O0", &old), ("gcc -g -O2", &new)), "f")
    };
    assert_eq!(found("*at"), VerdictKind::Conditional);
    assert_ne!(found("*at + (count == 3)"), VerdictKind::Conditional);
}

/// Functions with variables of blocks and of inlined bodies that live one after the other.
fn lives_in_turn(in_block: &str, in_body: &str) -> String {
    format!(
        "void use(int *);\n\
         int f(int n) {{\n\
             if (n > 3) {{ int a[4]; a[0] = n; use(a); n += a[1]; }}\n\
             {{ int b[6]; {in_block} use(b); n += b[2]; }}\n\
             return n; }}\n\
         static inline int one(int n) {{ int k[3]; k[1] = n; use(k); return k[2]; }}\n\
         static inline int two(int n) {{ int k[5]; {in_body} use(k + 1); return k[4]; }}\n\
         int g(int n) {{ int s = 0; for (int i = 0; i < n; i++) s += i & 1 ? one(i) : two(s); return s; }}\n"
    )
}

#[test]
fn variables_that_live_in_turn_may_share_a_place() {
    let found = |in_block: &str, in_body: &str, name: &str| {
        let (old, new) = (lives_in_turn("b[0] = n;", "k[2] = n;"), lives_in_turn(in_block, in_body));
        verdict(&common::report(("gcc -g -O0", &old), ("gcc -g -O2", &new)), name)
    };
    for name in ["f", "g"] {
        assert_eq!(found("b[0] = n;", "k[2] = n;", name), VerdictKind::Conditional, "{name}");
        // What the other variable left there, or something else.
        for (in_block, in_body) in [("", ""), ("b[0] = n + 1;", "k[2] = n + 1;"), ("b[1] = n;", "k[3] = n;")]
        {
            assert_ne!(
                found(in_block, in_body, name),
                VerdictKind::Conditional,
                "{name}: {in_block}{in_body}"
            );
        }
    }
}

/// A function that looks into a table of structures, by the address of a member or of the table.
fn looks_into_rows(last: &str) -> String {
    format!(
        "struct row {{ short good, lazy; int (*step)(int); }};\n\
         static int one(int n) {{ return n + 1; }}\n\
         static int two(int n) {{ return n * 2; }}\n\
         static const struct row rows[5] = {{{{1, 2, one}}, {{3, 4, two}}, {{5, 6, one}}, {{7, 8, two}}, {last}}};\n\
         int f(int *at, int n) {{\n\
             if ((unsigned)n > 4) return -1;\n\
             if (rows[*at].step != rows[n].step) {{ *at = n; return rows[n].good; }}\n\
             return rows[n].lazy; }}\n"
    )
}

#[test]
fn all_places_in_a_table_are_of_one_object() {
    let found = |new: &str| {
        let (old, new) = (looks_into_rows("{9, 10, two}"), looks_into_rows(new));
        verdict(&common::report(("gcc -g -O0", &old), ("gcc -g -O2", &new)), "f")
    };
    assert_eq!(found("{9, 10, two}"), VerdictKind::Conditional);
    for other in ["{9, 10, one}", "{9, 11, two}", "{8, 10, two}"] {
        assert_ne!(found(other), VerdictKind::Conditional, "{other}");
    }
}

/// Functions with a pointer that comes from several places, of a type that others lead to or not.
fn pointers_meet(kind: &str, again: &str) -> String {
    format!(
        "struct v {{ struct v *next; long n; }}; struct s {{ struct s *next; long n; }};\n\
         long f(struct s *s, struct {kind} *p, struct {kind} *q, int c) {{\n\
             struct {kind} *r = c ? p : q; long n = s->n; r->n = n + 1; return n + {again}; }}\n\
         long g(struct s *s, struct {kind} *p, int c) {{\n\
             struct {kind} *r = p; if (c > 3) r = p->next; else if (c > 1) r = p->next->next;\n\
             long n = s->n; r->n = c; p->n = n + 1; return n + {again}; }}\n"
    )
}

#[test]
fn pointers_of_one_type_may_meet() {
    let found = |kind: &str, again: &str, name: &str| {
        let (old, new) = (pointers_meet(kind, "s->n"), pointers_meet(kind, again));
        verdict(&common::report(("gcc -g -O0", &old), ("gcc -g -O1", &new)), name)
    };
    for name in ["f", "g"] {
        assert_eq!(found("v", "n", name), VerdictKind::Conditional, "{name}");
        assert_ne!(found("s", "n", name), VerdictKind::Conditional, "{name}");
        assert_ne!(found("v", "n + 1", name), VerdictKind::Conditional, "{name}");
    }
}

/// Functions that store by a pointer that lies in an object that a pointer in an object leads to: one of numbers or structures,
/// which was there before or is given.
fn stores_by_what_lies_deep(element: &str, member: &str, again: &str) -> String {
    format!(
        "struct line {{ int pc, line; }}; struct body {{ long n; {element} *rows; }};\n\
         struct state {{ struct body *to; long k; }}; void *more(void *, long);\n\
         long f(struct state *s, int i, int v) {{\n\
             long n = s->to->n; s->to->rows[i]{member} = v; return n + {again}; }}\n\
         long g(struct state *s, int v) {{\n\
             s->to->rows = more(s->to->rows, s->k); long n = s->to->n;\n\
             s->to->rows[n]{member} = v; return n + {again}; }}\n"
    )
}

#[test]
fn pointers_that_lie_in_objects_lead_apart() {
    let found = |(element, member): (&str, &str), again: &str, name: &str| {
        let text = |again: &str| stores_by_what_lies_deep(element, member, again);
        let (old, new) = (text("s->to->n"), text(again));
        verdict(&common::report(("gcc -g -O0", &old), ("gcc -g -O1", &new)), name)
    };
    for name in ["f", "g"] {
        assert_eq!(found(("struct line", ".pc"), "n", name), VerdictKind::Conditional, "{name}");
        assert_ne!(found(("long", ""), "n", name), VerdictKind::Conditional, "{name}");
        assert_ne!(found(("struct line", ".pc"), "n + 1", name), VerdictKind::Conditional, "{name}");
    }
}

#[test]
fn a_character_by_itself_is_no_part_of_a_number() {
    let text = |place: &str, again: &str| {
        format!(
            "struct c {{ long n; unsigned char mark, room[8]; }};\n\
             int f(struct c *c, int *p) {{ int n = c->{place}; *p = 1; return n + {again}; }}\n"
        )
    };
    let found = |place: &str, again: &str| {
        let (old, new) = (text(place, &format!("c->{place}")), text(place, again));
        verdict(&common::report(("gcc -g -O0", &old), ("gcc -g -O1", &new)), "f")
    };
    assert_eq!(found("mark", "n"), VerdictKind::Conditional);
    assert_ne!(found("mark", "n + 1"), VerdictKind::Conditional);
    assert_ne!(found("room[3]", "n"), VerdictKind::Conditional);
}

#[test]
fn what_is_read_behind_a_write_into_a_row_may_be_read_before_it() {
    let text = |kind: &str, before: &str, behind: &str| {
        format!(
            "struct item {{ struct item *next; long n; }}; struct other {{ struct other *next; long n; }};\n\
             long f(struct {kind} *rows, struct item *p, long i) {{\n\
                 long n = {before}; rows[i].n = i; return n + {behind}; }}\n"
        )
    };
    let found = |kind: &str, more: &str| {
        let (old, new) = (text(kind, "i", "p->next->n"), text(kind, &format!("i + p->next->n{more}"), "0"));
        verdict(&common::report(("gcc -g -O0", &old), ("gcc -g -O1", &new)), "f")
    };
    assert_eq!(found("other", ""), VerdictKind::Conditional);
    assert_ne!(found("item", ""), VerdictKind::Conditional);
    assert_ne!(found("other", " + 1"), VerdictKind::Conditional);
}
