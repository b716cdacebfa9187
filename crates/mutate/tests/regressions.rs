//! Variants that once behaved otherwise than their seed: each program with every strategy, alone and together.

use machine::Options;
use mutate::athena::Database;
use mutate::{Change, Edit, STRATEGIES, Seed, Settings, Strategy, check, variant};

/// The program, and what was wrong with variants of it.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "a variable was declared without the width of its type",
        "int g; int main(void) { unsigned _BitInt(13) n = 3; if (g) { n = n * 2; g = n; } while (g) { n++; g = (int)n; }\n\
         return (int)n; }",
    ),
    (
        "a guard around the first arm of an if took its else",
        "int g; int main(void) { int i; for (i = 0; i < 7; i++) if (i == 6) g = 2; else g = 1; return g; }",
    ),
    (
        "a compound literal died in the block of a guard",
        "typedef struct { int f; } T; int main(void) { T *a, *b = 0; int n = 0; again: a = b; b = &(T){n++};\n\
         if (n < 3) goto again; return a == b ? b->f : 9; }",
    ),
    (
        "an inserted statement used a declaration that another edit removed",
        "int g; int use(int *p) { return *p; } int main(void) { if (g) { int dead = 3; g = 1; g = use(&g); }\n\
         if (g) { int x = 1; while (x < 9) { int y = x; x += y; } g = 4; } return g; }",
    ),
    (
        "a type was used before its definition",
        "int first(int n) { if (n > 5) { n = 1; n++; } return n; } struct late { int v; }; struct late t[3];\n\
         int main(void) { struct late *p = t; if (first(1) > 3) { p->v = 3; (*p++).v = 4; } return t[1].v; }",
    ),
    (
        "code was put between a declaration and the attribute in front of it",
        "int main(int argc, char **argv) { argc += 2; __attribute__((vector_size(16))) int a = {1, 2, 3, 4}, b;\n\
         b = 2 + a; return b[3] + argc; }",
    ),
    (
        "a test with effects was made once more",
        "int main(void) { int n = 3, s = 0; while (n--) s += n; n = 0; while (n--) s++; return s + n; }",
    ),
    (
        "a fact was stated behind a peeled pass",
        "int main(void) { int s = 0, i = 0; for (; i < 4; i++) s += i; for (; i < 6; i++) s *= 2; return s; }",
    ),
    (
        "a volatile object was copied",
        "int main(void) { int s = 0; for (int i = 0; i < 5; i++) { volatile int v = i; s += v; } return s; }",
    ),
    (
        "one of two names of an object was written, and the other thought unchanged",
        "int a = 1; extern int b __attribute__((alias(\"a\"))); int c = 1; extern int d __attribute__((alias(\"c\")));\n\
         int main(void) { int *p = &a, *q = &b, n = 0; *p = 1; *q = 2; if (*p == 1) n = 9; c = 4; n += d; return n; }",
    ),
    (
        "a number that holds an address was compared with a constant",
        "int g[2]; int test(unsigned long a) { int *p = (int *)a; p[0] = 5; return p[1]; }\n\
         int main(void) { unsigned long a = (unsigned long)&g[0]; int r = test(a); return r + g[0]; }",
    ),
    (
        "a pointer to a packed member was dereferenced",
        "#pragma pack(1)\nstruct P { char c; int i; } s = {1, 2};\n#pragma pack()\nvoid *keep;\n\
         int main(void) { int *p = (int *)(void *)&s.i; keep = p; int x = s.i; x += s.c; return x; }",
    ),
    (
        "a pointer to the local of another activation was taken for one to its own",
        "int f(int a, int *y) { int x = a; if (a == 0) return *y; return f(a - 1, &x); }\n\
         int main(void) { int zero = 0; return f(3, &zero) - 1; }",
    ),
    (
        "distances between labels were compared with constants",
        "int g; int run(int n) { static short to[] = {&&one - &&one, &&two - &&one}; goto *(&&one + to[n]);\n\
         one: g += to[1] > 0; return 1; two: g += 2; return 2; } int main(void) { return run(0) + run(1) - 3; }",
    ),
    (
        "added locals moved what was asked for its alignment",
        "int at(char *p) { unsigned long a = (unsigned long)p; int low = a & 15; return low == 0; }\n\
         int main(void) { char c[16] __attribute__((aligned(16))); int k = at(c); return k - 1; }",
    ),
    (
        "a static object began with what a hole was bound to",
        "long g; int main(void) { static long x; if (g) { static long *p = &x; *p = 1; g = *p; g = 7; } return x; }",
    ),
    (
        "distances between labels that variables hold were compared with constants",
        "short to[3]; int n; void run(short *ip) { void *base = &&a; static void *tab[] = {&&a, &&b}; int i;\n\
         if (!ip) { for (i = 0; i < 2; i++) to[i] = (short)((char *)tab[i] - (char *)base); return; }\n\
         goto *((char *)base + *ip++); a: n++; goto *((char *)base + *ip++); b: n += 2; }\n\
         short p[3]; int main(void) { run(0); p[0] = to[0]; p[1] = to[1]; run(p); n += p[1] > 0; return n - 4; }",
    ),
    (
        "what a restrict pointer of file scope pointed to was read by its name",
        "int *__restrict x; int foo(int y) { *x = y; return *x; }\n\
         int main(void) { int i = 0; x = &i; if (foo(1) != 1) return 7; return 0; }",
    ),
    (
        "a pointer to what was gone was compared with null",
        "int *g, x; int f(void) { int k = 2; g = &k; return *g; }\n\
         int main(void) { int a = 1; { int l = 3; g = &l; a += *g; } a += 2; a ^= 5; a += f(); a += x; g = &x; return a; }",
    ),
    (
        "the comma of what a switch asks began another declaration",
        "int g, h = 2; int main(void) { switch (g, h) { case 2: g = 5; break; case 0: g = 7; break; } return g; }",
    ),
    (
        "what a function sees that reads nothing was noted in one order of evaluation alone",
        "int g, h; int f(int x) { int a = x; a += 2; return a; }\n\
         int main(void) { h = f(1) + (g = 7); g = 0; h += (g = 9) + f(h); return h; }",
    ),
    (
        "a null pointer whose bytes were copied was thought to point somewhere",
        "void *memcpy(void *, const void *, unsigned long); int x, *q = &x;\n\
         int main(void) { unsigned long zero = 0; int a = 1; memcpy(&q, &zero, sizeof q); a += 2; a += q == 0; return a; }",
    ),
];

#[test]
fn names_of_earlier_rounds_are_not_taken_again() {
    let text = b"int sweep_3_0_0, sweep_3_1; int main(void) { return sweep_3_1; }";
    let seed = Seed::new(text, "t.c", &Options::default(), &[]).expect("a program");
    assert_eq!(seed.unused("sweep_3_0".to_owned()), "sweep_3_0__");
    assert_eq!(seed.unused("sweep_4".to_owned()), "sweep_4");
}

#[test]
fn programs_that_had_wrong_variants_have_none() {
    let settings = Settings { point_probability: 0.8, ..Settings::default() };
    for (why, text) in PROGRAMS {
        let options = Options { max_steps: 1_000_000, ..Options::default() };
        let seed = match Seed::new(text.as_bytes(), "seed.c", &options, &[]) {
            Ok(seed) => seed,
            // Refused for what it does: then it has no variants at all.
            Err(refusal) => {
                let said = refusal.to_string();
                assert!(said.contains("misaligned") || said.contains("depends"), "{why}: {said}");
                continue;
            }
        };
        let mut mixes: Vec<Vec<&dyn Strategy>> = STRATEGIES.iter().map(|s| vec![*s]).collect();
        mixes.push(STRATEGIES.to_vec());
        for (mix, strategies) in mixes.iter().enumerate() {
            for index in 0..25 {
                let made = variant(&seed, strategies, &settings, 3, index).unwrap();
                if let Err(wrong) = check(&seed, &made.text, &made.edits) {
                    assert!(wrong.exhausted, "{why}: mix {mix}: {wrong}\n{}", made.text);
                }
            }
        }
    }
}

#[test]
fn statements_of_the_seed_that_run_after_all_are_noticed() {
    let text = "int g; int main(void) { int r = 1; if (g) { r = 5; } return r; }";
    let seed = Seed::new(text.as_bytes(), "seed.c", &Options::default(), &[]).expect("a seed");
    let place = seed.places.all.iter().find(|p| {
        seed.places.site(p.stmt).is_some_and(|s| seed.text[s.span.lo as usize..].starts_with("if (g)"))
    });
    let at = place.expect("the if").stmt.0;
    let wrong = |code: &str| {
        let change = Change::Before { code: code.to_owned() };
        let edits = [Edit { strategy: "test".to_owned(), at, change }];
        let made = seed.replay(&edits).expect("it fits");
        assert!(seed.cold(&made, &edits).is_some_and(|cold| !cold.is_empty()), "nothing is left out");
        check(&seed, &made, &edits).expect_err("it is wrong").why
    };
    assert_eq!(wrong("g = 1;"), "other exit on input 0");
    assert!(wrong("{ int x; g = x; }").contains("uninitialised-read"));
    assert!(wrong("for (;;) { }").contains("budget"));
}

/// What a function's address is as a number, no other compilation knows: edits must not rely on it.
#[test]
fn numbers_made_of_functions_get_no_live_edits() {
    let text = b"int f(void) { return 1; }\nint main(void)\n{\n    unsigned long one, two;\n    one = (unsigned long)&f;\n    \
                 one += 5;\n    two = 5 + (unsigned long)&f;\n    return one != two;\n}\n";
    let seed = Seed::new(text, "functions.c", &Options::default(), &[]).unwrap();
    assert!(seed.addresses_seen);
    let settings = Settings { point_probability: 1.0, ..Settings::default() };
    for index in 0..20 {
        let made = variant(&seed, STRATEGIES, &settings, 1, index).unwrap();
        let shape = |edit: &Edit| {
            ["orion", "athena", "unroll", "cases/switch"].iter().any(|s| edit.strategy.starts_with(s))
        };
        assert!(made.edits.iter().all(shape), "{:?}", made.edits);
    }
}

/// What `setjmp` writes is another thing in every library: edits must not rely on it.
#[test]
fn what_a_jump_buffer_holds_is_not_read() {
    let text = b"typedef struct __jmp_buf_tag { long held[8]; int saved; unsigned long mask[16]; } jmp_buf[1];\n\
                 int _setjmp(jmp_buf); void longjmp(jmp_buf, int); static jmp_buf env;\n\
                 int main(void)\n{\n    int got = _setjmp(env);\n    if (got)\n        return got - 3;\n    longjmp(env, 3);\n}\n";
    let seed = Seed::new(text, "jumps.c", &Options::default(), &[]).unwrap();
    let mut known = Vec::new();
    for env in seed.places.all.iter().filter_map(|place| seed.env(place)) {
        known.extend(env.operands.iter().map(|operand| operand.text.as_str()));
    }
    assert!(known.contains(&"got"), "{known:?}");
    assert!(!known.iter().any(|text| text.contains("env")), "{known:?}");
}

/// A `typedef` that the seed has with the same text is another type there, where the structure it names is another.
#[test]
fn inserted_statements_bring_what_their_types_are_made_of() {
    let mut database = Database::default();
    let from = "struct S { int f0; int f1; unsigned f2; }; typedef struct S T; struct W { int w; T rows[4]; } all; int n;\n\
                int main(void) { if (n) { all.rows[n].f2 = 3; all.rows[n].f2++; } return 0; }";
    let text = b"struct S { int f0; }; typedef struct S T; T here[4]; int n;\n\
                 int main(void) { if (n) { n = 2; n++; } here[1].f0 = 5; if (here[0].f0) { n = 1; } return here[1].f0; }";
    let seed = Seed::new(text, "seed.c", &Options::default(), &[]).unwrap();
    assert!(database.learn(from.as_bytes(), "from.c", &Options::default().target) > 0);
    let settings =
        Settings { point_probability: 0.8, database: Some(database.into()), ..Settings::default() };
    let athena: Vec<&dyn Strategy> = STRATEGIES.iter().copied().filter(|s| s.name() == "athena").collect();
    let mut brought = 0;
    for index in 0..60 {
        let made = variant(&seed, &athena, &settings, 3, index).unwrap();
        brought += usize::from(made.text.contains("f2"));
        check(&seed, &made.text, &made.edits).unwrap_or_else(|wrong| panic!("{wrong}\n{}", made.text));
    }
    assert!(brought > 0);
}
