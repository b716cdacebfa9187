//! Older C: functions without a declaration, `int` left out, conversions between integers and pointers. The machine takes it,
//! as compilers did for decades; those of today refuse some of it unless they are asked, each in its own words. And what small
//! compilers lack of GNU C: builtin functions that strategies write into variants, which macros can stand for. And newer C:
//! C23, which compilers take that are asked for it.

use super::{COMPILE_TIME, INPUT, OUTPUT, dialect_limits};
use std::fs;
use toolchain::compiler::{Compilation, CompileOutcome, Compiler, Family, Product};
use toolchain::process::Limits;
use toolchain::scratch::ScratchRoot;

/// What GCC from 14 and Clang from 16 on refuse, and C23.
const PROBE: &str = "int given();
add(a, b) { return a + b; }
static one() { return 1; }
int main() {
  char *bytes = 0, c = 0;
  long *words = bytes;
  int *number = 8, bool = (1 < 2) < 3;
  void (*function)(int) = one;
  long back = words;
  if (1 < 2 < 3) undeclared(c);
  return given(1) + add(2, 3) + bool + (int)back + (number == 0) + (function == 0);
}
";

/// What GCC has from 14 and Clang from 19 on, by default from GCC 15 on; with a comparison of a comparison, which Clang from
/// 23 on refuses whatever the standard.
const C23_PROBE: &str = "constexpr int n = 1'000;
enum small : short { A };
static_assert(n == 1000);
static bool truth = true;
static unsigned _BitInt(7) bits = 3uwb;
int f(int, typeof_unqual(const int) b) { return b; }
int main(void) {
  auto half = 0.5;
  int *pointer = nullptr, list[2] = {};
  alignas(8) thread_local static int here;
  [[maybe_unused]] enum small a = A;
  if (1 < 2 < 3) list[0] = 0;
  return f(n, 0) + (pointer == nullptr) + !truth + (half > 1) + (int)bits + list[0] + here;
}
";

/// What to try, the least first.
const GCC: &[&[&str]] = &[&["-std=gnu17"], &["-std=gnu17", "-fpermissive"]];
const CLANG: &[&[&str]] = &[
    &["-std=gnu17"],
    &[
        "-std=gnu17",
        "-Wno-error=implicit-function-declaration",
        "-Wno-error=implicit-int",
        "-Wno-error=int-conversion",
        "-Wno-error=incompatible-pointer-types",
        "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=return-mismatch",
    ],
    &[
        "-std=gnu17",
        "-Wno-error=implicit-function-declaration",
        "-Wno-error=implicit-int",
        "-Wno-error=int-conversion",
        "-Wno-error=incompatible-pointer-types",
        "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=return-mismatch",
        "-Wno-error=parentheses",
    ],
];

/// The same for C23. So spelled, compilers have had it longest.
const NEWER: &[&[&str]] = &[&["-std=gnu2x"], &["-std=gnu2x", "-Wno-error=parentheses"]];

/// A call of a builtin function, and the macro that may stand for it: what does the same in a defined program.
const BUILTINS: &[(&str, &str)] = &[
    ("__builtin_abort()", "-D__builtin_abort=abort"),
    ("__builtin_printf(\"\")", "-D__builtin_printf=printf"),
    ("__builtin_unreachable()", "-D__builtin_unreachable()=((void)0)"),
    ("v = __builtin_assume_aligned(v, 1)", "-D__builtin_assume_aligned(pointer,bytes)=(pointer)"),
];

/// The fewest options with which the compiler takes older C, or macros for builtin functions that it lacks: none if it takes
/// both anyway, or with none of these.
pub(super) fn options(compiler: &Compiler, scratch: &ScratchRoot) -> Vec<String> {
    let sets = match compiler.family {
        Family::Gcc => GCC,
        Family::Clang | Family::ZigCc => CLANG,
        Family::Tcc | Family::Pcc | Family::Unknown => return macros(compiler, scratch),
    };
    let Ok(dir) = scratch.dir() else { return Vec::new() };
    if sets.is_empty() || fs::write(dir.file(INPUT), PROBE).is_err() {
        return Vec::new();
    }
    let limits = Limits { processes: Some(256), ..Limits::within(COMPILE_TIME) };
    let takes = |set: &&[&str]| {
        let job = Compilation::new(dir.file(INPUT), dir.file("older.o")).args(set.iter().copied());
        compiler.compile(&job.product(Product::Object).limits(limits.clone())).outcome == CompileOutcome::Ok
    };
    if takes(&&[][..]) {
        return Vec::new();
    }
    sets.iter().copied().find(takes).unwrap_or_default().iter().map(|word| (*word).to_owned()).collect()
}

/// The options with which the compiler takes C23 that it does not take by default: none if it does, or never.
pub(super) fn newer(compiler: &Compiler, scratch: &ScratchRoot) -> Vec<String> {
    let Ok(dir) = scratch.dir() else { return Vec::new() };
    if !compiler.family.optimises() || fs::write(dir.file(INPUT), C23_PROBE).is_err() {
        return Vec::new();
    }
    let limits = Limits { processes: Some(256), ..Limits::within(COMPILE_TIME) };
    let takes = |words: &[&str]| {
        let job = Compilation::new(dir.file(INPUT), dir.file("newer.o")).args(words.iter().copied());
        compiler.compile(&job.product(Product::Object).limits(limits.clone())).outcome == CompileOutcome::Ok
    };
    if takes(&[]) {
        return Vec::new();
    }
    let set = NEWER.iter().find(|words| takes(words)).copied().unwrap_or_default();
    set.iter().map(|word| (*word).to_owned()).collect()
}

/// Macros for the builtin functions with which the compiler makes no program.
fn macros(compiler: &Compiler, scratch: &ScratchRoot) -> Vec<String> {
    let Ok(dir) = scratch.dir() else { return Vec::new() };
    let limits = dialect_limits();
    let answer = |calls: &str| {
        let text = format!(
            "int printf(const char *, ...);\nint main(int n, char **v) {{ if (n > 9) {{ {calls}; }} return v == 0; }}\n"
        );
        let job = Compilation::new(dir.file(INPUT), dir.file(OUTPUT)).limits(limits.clone());
        fs::write(dir.file(INPUT), text).ok().map(|()| compiler.compile(&job).outcome)
    };
    let lacks = |calls: &str| matches!(answer(calls), Some(CompileOutcome::Rejected { .. }));
    let all: Vec<&str> = BUILTINS.iter().map(|(call, _)| *call).collect();
    if answer("") != Some(CompileOutcome::Ok) || !lacks(&all.join("; ")) {
        return Vec::new();
    }
    let missing = BUILTINS.iter().filter(|(call, _)| lacks(call));
    missing.map(|(_, word)| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use csyntax::target::Target;

    #[test]
    fn the_probe_for_c23_is_a_program_to_plumb_too() {
        let checked = frontend::check(C23_PROBE.as_bytes(), "probe.c", &Target::LP64);
        assert!(checked.is_ok(), "{:?}", checked.err());
    }

    #[test]
    fn a_compiler_of_c17_that_knows_c23_is_asked_for_it() {
        let scratch = ScratchRoot::new().expect("a scratch directory");
        match Compiler::identify("clang-19", &scratch) {
            Ok(compiler) => assert_eq!(newer(&compiler, &scratch), ["-std=gnu2x"]),
            Err(_) => eprintln!("clang-19 is not here: it is not asked for C23"),
        }
        if let Ok(compiler) = Compiler::identify("tcc", &scratch) {
            assert!(newer(&compiler, &scratch).is_empty());
        }
    }
}
