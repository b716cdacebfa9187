//! `plumb reduce` of LLVM IR with the prover as the test: pairs that are refuted, and what a command makes of a file.

mod common;

use common::{Plumb, repository};

fn broken(name: &str) -> String {
    let path = repository().join("tests/equiv/broken").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const EXTRA: &str = "\ndefine i32 @extra(i32 %x) #0 {\n  %y = add nsw i32 %x, 1\n  ret i32 %y\n}\n\nattributes #0 = { nounwind }\n";

#[test]
fn of_a_pair_the_refuted_function_is_left() {
    let plumb = Plumb::new();
    plumb.file("a.ll", broken("division_made_unconditional.src.ll") + EXTRA);
    plumb.file("b.ll", broken("division_made_unconditional.tgt.ll") + EXTRA);
    let done = plumb.run(&["reduce", "a.ll", "b.ll", "-o", "small"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    for name in ["a.ll", "b.ll"] {
        let left = std::fs::read_to_string(plumb.dir().join("small").join(name)).expect("written");
        assert!(left.contains("@f") && !left.contains("@extra") && !left.contains("attributes"), "{left}");
        assert!(left.contains("udiv"), "an edit of one side alone would be an error of its own: {left}");
    }
    let again = plumb.run(&["prove", "small/a.ll", "small/b.ll"]);
    assert_eq!(again.code, 1, "{}", again.stdout);
}

/// What stands in for an optimiser with a fault: it forgets that a subtraction has an order.
const OPTIMISER: &str = "#!/bin/sh
in= out=
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2; shift ;;
    -*) ;;
    *) in=$1 ;;
  esac
  shift
done
sed -E 's/= sub (nsw |nuw )*i32 (%[a-z0-9]+), (%[a-z0-9]+)/= sub i32 \\3, \\2/' \"$in\" >\"$out\"
";

const WHOLE: &str = "; a file
source_filename = \"a.c\"
@g = global i32 7, align 4

define i32 @sum(i32 noundef %x, i32 noundef %y) {
  %s = add nsw i32 %x, %y
  ret i32 %s
}

define i32 @difference(i32 noundef %x, i32 noundef %y, i1 noundef %c) {
entry:
  br i1 %c, label %then, label %end

then:
  %a = add i32 %x, 1
  %b = mul i32 %a, %y
  br label %end

end:
  %p = phi i32 [ %b, %then ], [ %x, %entry ]
  %d = sub nsw i32 %p, %y
  ret i32 %d
}
";

#[test]
fn what_an_optimiser_breaks_becomes_small() {
    let plumb = Plumb::new();
    plumb.file("f.ll", WHOLE);
    plumb.script("opt.sh", OPTIMISER);
    let opt = plumb.dir().join("opt.sh").display().to_string();
    let done = plumb.run(&["reduce", "f.ll", "--passes", "any", "--opt", &opt, "--jobs", "1"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let left = std::fs::read_to_string(plumb.dir().join("f.ll")).expect("written");
    assert!(left.contains("sub i32") && !left.contains("phi") && !left.contains("mul"), "{left}");
    assert!(!left.contains("@sum") && !left.contains("@g ") && left.lines().count() <= 5, "{left}");
    assert_eq!(std::fs::read_to_string(plumb.dir().join("f.ll.orig")).expect("kept"), WHOLE);
}

#[test]
fn what_is_not_refuted_is_refused() {
    let plumb = Plumb::new();
    plumb.file("a.ll", broken("division_made_unconditional.src.ll"));
    plumb.file("b.ll", broken("division_made_unconditional.src.ll"));
    let done = plumb.run(&["reduce", "a.ll", "b.ll"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("no function of it is refuted"), "{}", done.stderr);
    let alone = plumb.run(&["reduce", "a.ll"]);
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("--passes"), "{}", alone.stderr);
}
