//! Programs with detours taken are C that means what they meant.

use super::*;
use machine::{Options, Verdict};

/// Something of every family.
const TEXT: &str = "int printf(const char *, ...);\n\
    struct s { int f : 5; unsigned char c; } v = {-3, 200};\n\
    static long long sum(signed char a, unsigned short b) { return a * b - (a < b) + ~b; }\n\
    int main(void)\n{\n    char a = -1; unsigned u = 3000000000U; float g = 2.5f; short t[3] = {1, -2, 3}; _Bool b = a;\n    \
    int i = 0;\n    int w[u % 7 + 1]; w[0] = a;\n    for (; i < 3 && t[i]; i++) { u += t[i]; v.c -= 7; v.f++; g *= 1.5f; }\n    t[a + 2] ^= 9;\n    \
    switch (v.c & 3) { case 1: u >>= 3; break; default: u <<= 1; }\n    \
    printf(\"%X %u %d %d %d %g %lld %d\\n\", (unsigned short)a * 1, u, v.c, v.f, b ? i++ : -i, g, sum(a, u), !t[1]);\n    \
    printf(\"%d %d\\n\", i + w[0], (int)(g / 3) % 4);\n    return (unsigned char)a >> 4;\n}\n";

fn meaning(text: &str) -> (String, machine::Exit) {
    let target = Target::LP64;
    let checked =
        frontend::check(text.as_bytes(), "a.c", &target).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    let run = machine::judge(&checked.unit, &Options { target, ..Options::default() });
    match run.verdict {
        Verdict::Defined(outcome) => (String::from_utf8_lossy(&outcome.stdout).into_owned(), outcome.exit),
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn each_detour_and_all_together_keep_the_meaning() {
    let target = Target::LP64;
    let (meant, all) = (meaning(TEXT), of(TEXT, &target));
    for family in places::FAMILIES {
        assert!(all.iter().any(|one| one.name().starts_with(family)), "{family}: {all:#?}");
    }
    for one in &all {
        let text =
            take(TEXT, &target, std::slice::from_ref(one)).unwrap_or_else(|| panic!("{one:?} has no place"));
        assert_ne!(text, TEXT);
        assert_eq!(meaning(&text), meant, "{one:?}\n{text}");
        assert_eq!(Detour::named(one.name()).as_ref(), Some(one));
    }
    assert_eq!(meaning(&take(TEXT, &target, &all).expect("a program")), meant);
}

#[test]
fn a_key_is_narrow_and_what_is_no_place_stays() {
    let target = Target::LP64;
    let narrow = Detour::named("conversion of narrow signed to narrow unsigned").expect("a detour");
    let text = take(TEXT, &target, std::slice::from_ref(&narrow)).expect("a place");
    assert!(
        text.contains("plumb_char_to_unsigned_short(a)") && text.contains("plumb_char_to_unsigned_char(a)"),
        "{text}"
    );
    assert!(!text.contains("plumb_Add"), "{text}");
    assert_eq!(take("int main(void) { return 0; }", &target, &[narrow]), None);
    assert_eq!(take("no C", &target, &of(TEXT, &target)), None);
    assert_eq!(Detour::named("shape = ("), None);
}
