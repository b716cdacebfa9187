//! House rules as a test: functions fit a screen, files an idea. Sizes are read from the source with a parser of Rust.

mod common;

use common::repository;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A screen: lines of a function from its `fn` to its last brace.
const SCREEN: usize = 60;
/// The share of functions that may be longer than a screen, in percent.
const LONGER: f64 = 2.0;
/// What no function is longer than, but those of `LONG_FUNCTIONS`.
const LONGEST: usize = 120;
/// Parameters of a function, a receiver not counted.
const PARAMETERS: usize = 6;
/// Lines of half, of nine tenths, and of all files but those of `LONG_FILES`.
const FILES: (usize, usize, usize) = (200, 500, 800);

/// Functions that may be as long as they are, and why: (file, function, reason).
const LONG_FUNCTIONS: &[(&str, &str, &str)] = &[(
    "crates/machine/src/vm/exec/mod.rs",
    "run_frames",
    "the dispatch of the abstract machine: one arm an instruction, with the frame in registers",
)];

/// Files that may be as long as they are, and why: tables, registries and definitions of trees alone.
const LONG_FILES: &[(&str, &str)] =
    &[("crates/smt/src/build/promises.rs", "rewrites under facts, a table of rules with their tests")];

/// A function as the source has it.
struct Function {
    file: String,
    name: String,
    line: usize,
    lines: usize,
    parameters: usize,
}

/// Reads the functions of a file, those inside functions and macros' arguments that are items too.
struct Reader<'a> {
    file: &'a str,
    functions: Vec<Function>,
}

impl Reader<'_> {
    fn add(&mut self, signature: &syn::Signature, end: proc_macro2::Span) {
        let first = signature.span().start().line;
        let receiver = usize::from(signature.receiver().is_some());
        self.functions.push(Function {
            file: self.file.to_owned(),
            name: signature.ident.to_string(),
            line: first,
            lines: end.end().line - first + 1,
            parameters: signature.inputs.len() - receiver,
        });
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add(&function.sig, function.span());
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(&function.sig, function.span());
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.add(&function.sig, function.span());
        visit::visit_trait_item_fn(self, function);
    }
}

/// The `.rs` files beneath a directory, in order.
fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).expect("readable").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Each file of the crates, beneath the repository, with its text.
fn files() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    sources(&repository().join("crates"), &mut paths);
    let root = repository();
    let shown = |path: &Path| path.strip_prefix(&root).expect("beneath").display().to_string();
    paths.iter().map(|path| (shown(path), std::fs::read_to_string(path).expect("text"))).collect()
}

fn functions() -> Vec<Function> {
    let mut all = Vec::new();
    for (file, text) in files() {
        let tree = syn::parse_file(&text).unwrap_or_else(|e| panic!("{file}:{}: {e}", e.span().start().line));
        let mut reader = Reader { file: &file, functions: Vec::new() };
        reader.visit_file(&tree);
        all.append(&mut reader.functions);
    }
    assert!(all.len() > 5000, "only {} functions: does this test still read them?", all.len());
    all
}

#[test]
fn functions_fit_a_screen() {
    let all = functions();
    let mut long: Vec<&Function> = all.iter().filter(|f| f.lines > SCREEN).collect();
    long.sort_by_key(|f| std::cmp::Reverse(f.lines));
    let share = 100.0 * long.len() as f64 / all.len() as f64;
    println!(
        "{} functions, {} ({share:.2} %) over {SCREEN} lines, the longest {}",
        all.len(),
        long.len(),
        long[0].lines
    );
    let shown = |f: &&Function| format!("{}:{}: {} has {} lines", f.file, f.line, f.name, f.lines);
    let lines: Vec<String> = long.iter().map(shown).collect();
    assert!(share < LONGER, "{share:.2} % of functions are longer than a screen:\n{}", lines.join("\n"));
    let excused =
        |f: &&&Function| LONG_FUNCTIONS.iter().any(|(file, name, _)| f.file == *file && f.name == *name);
    let wrong: Vec<String> =
        long.iter().filter(|f| f.lines > LONGEST).filter(|f| !excused(f)).map(shown).collect();
    assert!(wrong.is_empty(), "longer than {LONGEST} lines:\n{}", wrong.join("\n"));
}

#[test]
fn functions_take_few_parameters() {
    let all = functions();
    let many = all.iter().filter(|f| f.parameters > PARAMETERS);
    let lines: Vec<String> = many
        .map(|f| format!("{}:{}: {} takes {} parameters", f.file, f.line, f.name, f.parameters))
        .collect();
    assert!(lines.is_empty(), "more than {PARAMETERS}:\n{}", lines.join("\n"));
}

#[test]
fn files_hold_one_idea() {
    let mut sizes: Vec<(usize, String)> =
        files().into_iter().map(|(file, text)| (text.lines().count(), file)).collect();
    sizes.sort();
    let at = |percent: usize| sizes[(sizes.len() * percent).div_ceil(100) - 1].0;
    let (half, most, all) = FILES;
    println!("{} files, median {}, p90 {}, the longest {}", sizes.len(), at(50), at(90), at(100));
    assert!(at(50) <= half, "half of the files have more than {} lines", at(50));
    assert!(at(90) <= most, "one in ten files has more than {} lines", at(90));
    let long: Vec<&(usize, String)> = sizes.iter().filter(|(lines, _)| *lines > all).collect();
    let wrong: Vec<String> = long
        .iter()
        .filter(|(_, file)| !LONG_FILES.iter().any(|(known, _)| known == file))
        .map(|(lines, file)| format!("{file} has {lines} lines"))
        .collect();
    assert!(wrong.is_empty(), "longer than {all} lines:\n{}", wrong.join("\n"));
}

#[test]
fn lines_and_parameters_are_counted() {
    let text = "//! x\nstruct S;\nimpl S {\n    /// Long\n    #[inline]\n    pub fn a(&self, b: u8) {\n        fn c() {}\n        c();\n    }\n}\n";
    let mut reader = Reader { file: "f.rs", functions: Vec::new() };
    reader.visit_file(&syn::parse_file(text).expect("Rust"));
    let found: Vec<_> =
        reader.functions.iter().map(|f| (f.name.as_str(), f.line, f.lines, f.parameters)).collect();
    assert_eq!(found, [("a", 6, 4, 1), ("c", 7, 1, 0)]);
}
