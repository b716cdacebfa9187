//! The pairs in `tests/equiv`: a directory is the verdict. `.mir` files hold both sides; `.src.ll` and `.tgt.ll`
//! belong together.

mod pairs;

use equiv::{ReasonKind, Verdict};
use langs::assumption::Assumption;
use langs::pairs::{IselFile, isel_functions, opt_functions, prove_machine_function_with_itself, prove_opt};
use pairs::{files, module, options, reports};
use std::path::{Path, PathBuf};

fn proved(v: &Verdict<Assumption>) -> bool {
    matches!(v, Verdict::Proved(_) | Verdict::Conditional { .. })
}

/// Whether a proof rests on the source having no defined run at all: then any target would pass.
fn rests_on_the_source(v: &Verdict<Assumption>) -> bool {
    matches!(v, Verdict::Conditional { assumptions, .. } if assumptions.contains_key(&Assumption::SourceIsUndefined))
}

#[test]
fn equivalent_pairs_are_proved() {
    let mut wrong = Vec::new();
    for path in files("equivalent") {
        for (f, report) in reports(&path) {
            if !proved(&report.verdict) {
                wrong.push(format!("{} {f}: {:?}", path.display(), report.verdict));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the source leaves open has the bits that the target leaves undefined. Each of the programs may do this or that,
/// and so refines nothing by itself.
#[test]
fn open_values_are_those_of_the_target() {
    for path in files("open") {
        for (f, report) in reports(&path) {
            assert!(proved(&report.verdict), "{f}: {:?}", report.verdict);
            let stated = pairs::stated(&report);
            let fine = |a: &Assumption| *a == Assumption::UndefinedRegister;
            assert!(stated.iter().all(fine), "{f}: {stated:?}");
        }
    }
}

#[test]
fn broken_pairs_are_refuted() {
    let mut wrong = Vec::new();
    for path in files("broken") {
        for (f, report) in reports(&path) {
            if !matches!(&report.verdict, Verdict::Refuted(c) if c.replayed == equiv::Replay::InModel) {
                wrong.push(format!("{} {f}: {:?}", path.display(), report.verdict));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pairs_that_may_differ_are_not_proved() {
    for path in files("unproved") {
        for (f, report) in reports(&path) {
            assert!(!proved(&report.verdict), "{} {f}: {:?}", path.display(), report.verdict);
        }
    }
}

/// A call of `memset` is an event, which a loop of stores is not: that is a difference in what is followed.
#[test]
fn what_the_library_does_at_once_is_not_held_against_the_target() {
    let path = files("unproved").into_iter().find(|p| p.ends_with("filled_by_the_library.src.ll"));
    for (f, report) in reports(&path.expect("the pair")) {
        assert!(matches!(report.verdict, Verdict::Unsupported { .. }), "{f}: {:?}", report.verdict);
    }
}

/// The bits that a run on numbers picks for what was never stored are one choice of many.
#[test]
fn what_is_undefined_in_part_is_not_held_against_the_target() {
    let path = files("unproved").into_iter().find(|p| p.ends_with("partly_stored_on_both_sides.src.ll"));
    for (f, report) in reports(&path.expect("the pair")) {
        assert!(!matches!(report.verdict, Verdict::Refuted(_)), "{f}: {:?}", report.verdict);
    }
}

/// Of sums of products each may be rounded once or twice, and what lies behind a variable of another module as it is declared
/// here is no place of the program's.
#[test]
fn what_is_left_to_the_compiler_is_not_held_against_it() {
    for name in ["fused_in_part.mir", "table_of_another_module.mir"] {
        let path = files("unproved").into_iter().find(|p| p.ends_with(name)).expect("the pair");
        for (f, report) in reports(&path) {
            assert!(!matches!(report.verdict, Verdict::Refuted(_)), "{f}: {:?}", report.verdict);
        }
    }
}

/// What a constant holds that is too long to be spelled out no run on numbers knows.
#[test]
fn what_long_constants_hold_is_not_held_against_the_target() {
    let path = files("unproved").into_iter().find(|p| p.ends_with("contents_of_a_long_constant.src.ll"));
    for (f, report) in reports(&path.expect("the pair")) {
        assert!(!matches!(report.verdict, Verdict::Refuted(_)), "{f}: {:?}", report.verdict);
    }
}

/// What holds a local variable is known to its module alone, which may keep it elsewhere.
#[test]
fn what_became_of_a_local_variable_is_not_held_against_the_target() {
    let path = files("unproved").into_iter().find(|p| p.ends_with("local_variable_taken_apart.src.ll"));
    for (f, report) in reports(&path.expect("the pair")) {
        assert!(matches!(report.verdict, Verdict::Unsupported { .. }), "{f}: {:?}", report.verdict);
    }
}

/// Addresses do not tell which objects have one pointer alone: a difference at equal ones is none of the optimiser's.
#[test]
fn objects_with_one_pointer_are_not_held_against_the_target() {
    let source = "declare void @g()
define i32 @f(ptr byval({ i32, i32 }) align 8 %p) {
  call void @g()
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @h(ptr noundef %p) {
  %new = call noalias ptr @malloc(i64 8)
  store i32 1, ptr %new
  store i32 2, ptr %p
  %v = load i32, ptr %new
  ret i32 %v
}
declare ptr @malloc(i64)
";
    let (load, call) = ("  %v = load i32, ptr %p\n", "  call void @g()\n");
    let target = source.replace(&format!("{call}{load}"), &format!("{load}{call}"));
    let (one, two) = ("  store i32 1, ptr %new\n", "  store i32 2, ptr %p\n");
    let target = target.replace(&format!("{one}{two}"), &format!("{two}{one}"));
    let module = |text: &str| langs::llvm_ir::parse(text.as_bytes()).expect("the text is IR");
    let (l, r) = (module(source), module(&target));
    for name in ["f", "h"] {
        let verdict = prove_opt(&l, &r, name, &options()).verdict;
        assert!(!matches!(verdict, Verdict::Refuted(_)), "{name}: {verdict:?}");
        // `h` is proved: nobody else knows the object that it allocates. `f` stays open.
        assert_eq!(proved(&verdict), name == "h", "{name}: {verdict:?}");
    }
}

/// Where a pointer is found to be the address of a function of the module, a call through it may have become its body.
#[test]
fn a_call_of_what_a_pointer_is_compared_with_is_not_held_against_the_target() {
    const SAME: &str = "define internal i32 @same(i32 %x) {\n  ret i32 %x\n}\n";
    let module = |text: &str| {
        langs::llvm_ir::parse(format!("{SAME}define i32 @f(ptr %p, i32 %x) {{\n{text}}}\n").as_bytes())
            .expect("the text is IR")
    };
    let source = module(
        "  %c = icmp eq ptr %p, @same\n  br i1 %c, label %known, label %done\nknown:\n  %r = call i32 %p(i32 %x)\n  \
         ret i32 %r\ndone:\n  ret i32 0\n",
    );
    let target = module("  %c = icmp eq ptr %p, @same\n  %r = select i1 %c, i32 %x, i32 0\n  ret i32 %r\n");
    let verdict = prove_opt(&source, &target, "f", &options()).verdict;
    assert!(matches!(verdict, Verdict::Unsupported { .. }), "{verdict:?}");
}

/// Neither what alias scopes tell apart nor what is promised of a result that is an argument is followed everywhere, nor all
/// that fences, relaxed accesses and variables without an address of their own leave open.
#[test]
fn promises_that_are_not_followed_are_not_held_against_the_target() {
    const NAMES: [&str; 3] = [
        "accesses_told_apart_by_scopes.src.ll",
        "promise_of_a_returned_argument.src.ll",
        "optimisers_know_more.src.ll",
    ];
    for name in NAMES {
        let path = files("unproved").into_iter().find(|p| p.ends_with(name)).expect("the pair");
        for (f, report) in reports(&path) {
            assert!(!matches!(report.verdict, Verdict::Refuted(_)), "{f}: {:?}", report.verdict);
        }
    }
}

/// Metadata of a kind that the source's accesses have not is the target's own promise; and so is that a call leaves the
/// caller's objects alone.
#[test]
fn what_the_target_alone_says_of_accesses_is_stated() {
    let source = "define void @stores(ptr %p, ptr %q) {
  store i32 1, ptr %p
  store i32 2, ptr %q
  ret void
}
define i32 @loads(ptr %p) {
  %r = load i32, ptr %p
  ret i32 %r
}
define void @hands_on() {
  %a = alloca i32
  call void @work(ptr %a)
  ret void
}
declare void @work(ptr)
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
!3 = !{}
";
    let target = source
        .replace("i32 1, ptr %p", "i32 1, ptr %p, !alias.scope !0")
        .replace("i32 2, ptr %q", "i32 2, ptr %q, !noalias !0")
        .replace("load i32, ptr %p", "load i32, ptr %p, !invariant.load !3")
        .replace("  call void @work", "  tail call void @work");
    let module = |text: &str| langs::llvm_ir::parse(text.as_bytes()).expect("the text is IR");
    let (l, r) = (module(source), module(&target));
    let said = [
        ("stores", Assumption::TargetAliasMetadata),
        ("loads", Assumption::TargetAliasMetadata),
        ("hands_on", Assumption::PromisesAtCalls),
    ];
    for (name, told) in said {
        let report = prove_opt(&l, &r, name, &options());
        assert!(pairs::stated(&report).contains(&told), "{name}: {:?}", report.verdict);
        let same = prove_opt(&l, &l, name, &options());
        assert!(!pairs::stated(&same).contains(&told), "{name}: {:?}", same.verdict);
    }
}

/// Undef is another number for each use: what is computed of it may be any of several, also the target's undef.
#[test]
fn choices_of_undef_that_agree_are_not_refuted() {
    let source = "define i8 @odd_product() {
  %r = mul i8 undef, 3
  ret i8 %r
}
define i8 @read_twice() {
  %a = and i8 undef, 1
  %r = xor i8 %a, %a
  ret i8 %r
}
define i32 @unchanged() {
  %r = or i32 undef, 0
  ret i32 %r
}
define i1 @above_most(i32 noundef %x) {
  %r = icmp ugt i32 undef, %x
  ret i1 %r
}
define <2 x i64> @one_lane_twice() {
  %a = and <2 x i64> <i64 undef, i64 7>, <i64 1, i64 1>
  %r = shufflevector <2 x i64> %a, <2 x i64> poison, <2 x i32> zeroinitializer
  ret <2 x i64> %r
}
define i8 @decides_the_way() {
  %a = and i8 undef, 1
  %c = icmp eq i8 %a, 0
  br i1 %c, label %t, label %e
t:
  ret i8 0
e:
  ret i8 1
}
";
    let target = "define i8 @odd_product() {
  ret i8 undef
}
define i8 @read_twice() {
  ret i8 1
}
define i32 @unchanged() {
  ret i32 undef
}
define i1 @above_most(i32 noundef %x) {
  %r = icmp ne i32 %x, -1
  ret i1 %r
}
define <2 x i64> @one_lane_twice() {
  ret <2 x i64> <i64 0, i64 1>
}
define i8 @decides_the_way() {
  ret i8 2
}
";
    let module = |text: &str| langs::llvm_ir::parse(text.as_bytes()).expect("the text is IR");
    let (l, r) = (module(source), module(target));
    for name in opt_functions(&l, &r) {
        let verdict = prove_opt(&l, &r, &name, &options()).verdict;
        assert!(!matches!(verdict, Verdict::Refuted(_)), "{name}: {verdict:?}");
    }
}

#[test]
fn vacuous_pairs_are_told() {
    for path in files("vacuous") {
        for (f, report) in reports(&path) {
            let vacuous = matches!(&report.verdict, Verdict::Unknown(why) if why.kind == ReasonKind::Vacuous);
            assert!(vacuous, "{} {f}: {:?}", path.display(), report.verdict);
        }
    }
}

/// Functions that break what they promise themselves, whatever they are given.
const UNDEFINED: [(&str, &str); 9] = [
    ("source_is_undefined.src.ll", "writes_to_a_constant"),
    ("source_is_undefined.tgt.ll", "writes_to_a_constant"),
    ("values_left_open_and_computed.src.ll", "each_use_of_undef_anew"),
    ("values_left_open_and_computed.tgt.ll", "each_use_of_undef_anew"),
    ("promises_about_behaviour.tgt.ll", "store_in_a_reader"),
    ("promises_about_behaviour.tgt.ll", "store_through_a_readonly_parameter"),
    ("allocations_settled_further.tgt.ll", "of_no_size"),
    ("promises_about_behaviour.tgt.ll", "returns_after_all"),
    ("store_to_constant.tgt.ll", "f"),
];

/// Functions that settle a choice or compute with undef: that both sides may choose the same is not proved, and nothing is
/// refuted.
const CHOOSES: [(&str, &str); 11] = [
    ("known_of_pointers_and_padding.src.ll", "lane_like_the_other"),
    ("known_of_pointers_and_padding.src.ll", "address_behind_any"),
    ("no_choice_of_undef_agrees.src.ll", "greater_than_the_greatest"),
    ("no_choice_of_undef_agrees.src.ll", "remainder_by_one"),
    ("no_choice_of_undef_agrees.src.ll", "frozen_for_all_who_read_it"),
    ("no_choice_of_undef_agrees.src.ll", "only_multiples_of_eight"),
    ("no_choice_of_undef_agrees.src.ll", "not_above_a_byte"),
    ("no_choice_of_undef_agrees.tgt.ll", "remainder_by_one"),
    ("values_left_open_and_computed_otherwise.src.ll", "settled_for_good"),
    ("values_left_open_and_computed_otherwise.src.ll", "one_of_two_stores"),
    ("values_left_open_and_computed_otherwise.src.ll", "undef_above_a_bound"),
];

#[test]
fn every_ir_program_refines_itself() {
    let mut wrong = Vec::new();
    for directory in ["equivalent", "broken"] {
        for path in files(directory).into_iter().filter(|p| p.to_string_lossy().ends_with(".src.ll")) {
            let target = PathBuf::from(path.to_string_lossy().replace(".src.ll", ".tgt.ll"));
            for side in [path, target] {
                let m = module(&side);
                for f in opt_functions(&m, &m) {
                    let report = prove_opt(&m, &m, &f, &options());
                    let listed = |(file, name): &(&str, &str)| side.ends_with(file) && *name == f;
                    if CHOOSES.iter().any(listed) {
                        assert!(matches!(report.verdict, Verdict::Unknown(_)), "{f}: {:?}", report.verdict);
                        continue;
                    }
                    let undefined = UNDEFINED.iter().any(listed);
                    if !proved(&report.verdict) || rests_on_the_source(&report.verdict) != undefined {
                        wrong.push(format!("{} {f}: {:?}", side.display(), report.verdict));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Functions whose source is undefined between IR programs, where selection says what it means: stores whose alignment
/// does not hold, or what the file's name says.
const NO_SOURCE: [&str; 4] =
    ["waw_stores_merged", "waw_stores_plain", "waw_stores_merged_out_of_order", "always_undefined"];

/// What only selection follows: objects that are made as the function runs, accesses by a mask, what fast-math flags leave
/// open of the target, the integer next to a number.
const SELECTION_ALONE: [&str; 4] =
    ["lesser_in_any_order", "masked_lanes", "stack_grown", "stack_not_taken_back"];

/// No end is reachable, and no error either.
const VACUOUS: [&str; 1] = ["endless_loop"];

#[test]
fn the_source_of_every_machine_function_refines_itself() {
    let mut wrong = Vec::new();
    for directory in ["equivalent", "broken", "unproved", "vacuous"] {
        for path in files(directory).into_iter().filter(|p| p.extension().is_some_and(|e| e == "mir")) {
            let name = path.display().to_string();
            let listed = |list: &[&str]| list.iter().any(|n| name.contains(n));
            let m = IselFile::parse(&std::fs::read(&path).unwrap()).unwrap();
            let ir = m.ir.as_ref().expect("the source is in the file");
            for f in opt_functions(ir, ir) {
                let verdict = prove_opt(ir, ir, &f, &options()).verdict;
                let fine = match &verdict {
                    Verdict::Unknown(why) if listed(&VACUOUS) => why.kind == ReasonKind::Vacuous,
                    Verdict::Unsupported { .. } => listed(&SELECTION_ALONE),
                    other => {
                        let undefined = listed(&NO_SOURCE);
                        proved(other)
                            && !listed(&VACUOUS)
                            && !listed(&SELECTION_ALONE)
                            && rests_on_the_source(other) == undefined
                    }
                };
                if !fine {
                    wrong.push(format!("{name} {f}: {verdict:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_machine_function_refines_itself() {
    let mut wrong = Vec::new();
    for directory in ["equivalent", "broken"] {
        for path in files(directory).into_iter().filter(|p| p.extension().is_some_and(|e| e == "mir")) {
            let m = IselFile::parse(&std::fs::read(&path).unwrap()).unwrap();
            for f in isel_functions(&m).0 {
                let verdict = prove_machine_function_with_itself(&m, &f, &options()).verdict;
                if !proved(&verdict) {
                    wrong.push(format!("{} {f}: {verdict:?}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn alias_metadata_is_an_assumption_only_where_it_is_needed() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv/equivalent/metadata_needed_by_one.mir");
    let stated = |v: &Verdict<Assumption>| match v {
        Verdict::Conditional { assumptions, .. } => assumptions.contains_key(&Assumption::AliasMetadata),
        _ => false,
    };
    let found: Vec<(String, bool)> =
        reports(&path).into_iter().map(|(f, r)| (f, stated(&r.verdict))).collect();
    assert_eq!(found, [("needed".to_owned(), true), ("not_needed".to_owned(), false)]);
}
