//! What the machine records of volatile objects, and what it leaves out because C or its implementations leave room.

use machine::volatile::Access::{self, Read, Write};
use machine::volatile::{Place, places};
use machine::{Options, Verdict};

fn recorded(text: &str) -> Vec<Place> {
    let options = Options::default();
    let parsed = csyntax::parse::parse(text.as_bytes(), "volatile.c");
    let unit = csyntax::check::check(&parsed.ast, &options.target).unit.expect("it checks");
    assert!(matches!(machine::run(&unit, &options).verdict, Verdict::Defined(_)), "{text}");
    places(&unit, &options)
}

/// The accesses of an object's first place, in the order of the program.
fn accesses(text: &str, object: &str) -> Vec<Access> {
    let all = recorded(text);
    all.into_iter().find(|place| place.object == object).map(|place| place.accesses).unwrap_or_default()
}

#[test]
fn each_access_is_one_and_in_order() {
    let text =
        "volatile int v = 7; int main(void) { v; v = 3; v++; v += v; int x = v = 9; return sizeof v + x; }";
    assert_eq!(accesses(text, "v"), [Read, Write(3), Read, Write(4), Read, Read, Write(8), Write(9)]);
    let text = "static volatile signed char c; volatile _Bool b; volatile float f; int main(void) \
                { c = -1; b = 5; f = 1; for (int i = 0; i < 3; i++) c; return 0; }";
    assert_eq!(accesses(text, "c"), [Write(0xff), Read, Read, Read]);
    assert_eq!(accesses(text, "b"), [Write(1)]);
    assert_eq!(accesses(text, "f"), [Write(0x3f80_0000)]);
    // A rotation by shifts is one of a plain value alone.
    let text = "volatile unsigned v = 7; int main(void) { return (v << 4 | v >> 28) != 112; }";
    assert_eq!(accesses(text, "v"), [Read, Read]);
}

#[test]
fn elements_and_members_are_places_of_their_own() {
    let text = "struct s { char a; volatile short b; int c; } g; volatile long a[2][3]; volatile int *p; \
                int main(void) { g.a = 1; g.b = 2; g.c = 3; volatile long *q = a[1]; q[2] = 5; return a[1][2] == p[0]; }";
    let text = text.replace("volatile int *p;", "int x; volatile int *p = (volatile int *)&x;");
    let all = recorded(&text);
    let names: Vec<_> = all.iter().map(|place| (place.object.as_str(), place.offset, place.size)).collect();
    // `x` is accessed through a volatile lvalue, but is not volatile itself.
    assert_eq!(names, [("g", 2, 2), ("a", 40, 8)]);
    assert_eq!(all[0].accesses, [Write(2)]);
    assert_eq!(all[1].accesses, [Write(5), Read]);
    assert_eq!(all[1].object_size, 48);
}

#[test]
fn what_may_be_accessed_in_more_ways_than_one_is_left_out() {
    for object in [
        "volatile struct { int a : 3, b : 5; } g; int main(void) { g.a = 1; return g.b; }",
        "volatile struct { int a : 3; int b; } g; int main(void) { g.b = 1; return 0; }",
        "volatile union { int a; char b; } g; int main(void) { g.a = 1; return 0; }",
        "struct { volatile int a; } g, h; int main(void) { g.a = 1; h = g; return 0; }",
        "volatile long double g; int main(void) { g = 1; return 0; }",
        "volatile struct __attribute__((packed)) { char a; int b; } g; int main(void) { g.b = 1; return 0; }",
        "_Atomic volatile int g; int main(void) { g++; return 0; }",
        "int main(void) { static volatile int g; volatile int h = 1; g = h; return 0; }",
    ] {
        let all = recorded(object);
        assert_eq!(all, [], "{object}");
    }
}

#[test]
fn an_order_that_is_open_is_said_to_be() {
    let text = |order| {
        format!(
            "volatile int v; int f(void) {{ return v = 1; }} int g(void) {{ return v = 2; }} \
             int main(void) {{ int x = f() {order} g(); return x; }}"
        )
    };
    let open = recorded(&text("+"));
    assert!(!open[0].ordered && open[0].accesses.len() == 2, "{open:?}");
    let fixed = recorded(&text(","));
    assert!(fixed[0].ordered, "{fixed:?}");
}
