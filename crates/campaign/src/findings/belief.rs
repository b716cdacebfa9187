//! What plumb runs of a finding that somebody else brought: the compilers of its campaign, which the owner named, with options
//! that change code and neither run anything else nor read or write another file. A finding that names others is kept, and
//! not run: whoever reads its facts is told why.

use super::Facts;
use crate::error::Error;
use crate::store::COMPILERS;
use std::collections::BTreeSet;
use std::path::Path;

/// Options that say what is made of a program, and how those begin that change its code.
const PLAIN: &[&str] = &["-w", "-c", "-S", "-o", "-lm"];
const HARMLESS: &[&str] = &["-O", "-f", "-g", "-m", "-std=", "-D", "-Wno-", "--param="];
/// What of these does more.
const HARMFUL: &[&str] = &[
    "-fplugin",
    "-fpass-plugin",
    "-fuse-ld",
    "-fdump",
    "-fmodule",
    "-fprofile-use=",
    "-fprofile-generate=",
    "-fprofile-dir",
    "-fcs-profile",
    "-fauto-profile",
    "-fsave",
    "-foptimization-record",
    "-fdiagnostics",
    "-fcallgraph-info",
    "-fstack-usage",
    "-ftest-coverage",
    "-fada",
    "-fcompare-debug",
    "-ffile",
    "-flto=",
    "-fthinlto",
    "-fcrash",
    "-fdebug-pass",
    "-ftime",
    "-fembed",
    "-fxray",
    "-fsanitize-ignorelist",
    "-fsanitize-coverage",
    "-gsplit-dwarf",
];

/// An error where the facts of a directory, or of one beneath it, are not believed. What this machine found itself is.
pub(super) fn check(dir: &Path, facts: &Facts) -> Result<(), Error> {
    let above = dir.parent().unwrap_or(dir);
    let Some(list) = [dir, above].iter().find_map(|dir| std::fs::read(dir.join(COMPILERS)).ok()) else {
        return Ok(());
    };
    let compilers: BTreeSet<String> = serde_json::from_slice(&list).unwrap_or_default();
    let told = |why: String| Error::Usage(format!("finding {} is not run here: {why}", facts.id));
    believe(facts, &compilers).map_err(told)
}

/// Is this all of a campaign with these compilers? What is not.
fn believe(facts: &Facts, compilers: &BTreeSet<String>) -> Result<(), String> {
    let own = facts.commands.iter().chain([&facts.command]);
    let mut all: Vec<(&str, &Vec<String>)> = own.map(|words| (facts.compiler.name.as_str(), words)).collect();
    all.extend(facts.against.iter().map(|against| (against.compiler.name.as_str(), &against.command)));
    for (compiler, words) in all {
        if !compilers.contains(compiler) {
            return Err(format!("its campaign has no compiler `{compiler}`"));
        }
        let named = shell_words::split(compiler).unwrap_or_default();
        let program = |word: &String| {
            let path = std::path::absolute(word).map(|path| path.display().to_string());
            words.first() == Some(word) || word.contains('/') && words.first() == path.ok().as_ref()
        };
        let rest = words.get(1..).and_then(|words| words.strip_prefix(named.get(1..)?));
        let Some(rest) = rest.filter(|_| named.first().is_some_and(program)) else {
            return Err(format!("a command of it is not one of `{compiler}`"));
        };
        let before = std::iter::once("").chain(rest.iter().map(String::as_str));
        if let Some((word, _)) = rest.iter().zip(before).find(|(word, before)| !is_harmless(word, before)) {
            return Err(format!("a hunt gives no compiler the option `{word}`"));
        }
    }
    Ok(())
}

/// Does a word of a command change no more than code?
fn is_harmless(word: &str, before: &str) -> bool {
    if word.contains('/') || word.starts_with('@') {
        return false;
    }
    // A name and a value: code is loaded from files whose names have a dot.
    if before == "-mllvm" {
        return word.starts_with('-') && !word.starts_with("-load") && !word.contains('.');
    }
    let is_file = word.starts_with(|first: char| first.is_ascii_alphanumeric());
    let begins = |all: &[&str]| all.iter().any(|start| word.starts_with(start));
    is_file || PLAIN.contains(&word) || begins(HARMLESS) && !begins(HARMFUL)
}

#[cfg(test)]
mod tests {
    use super::is_harmless;
    use crate::configurations::open;
    use mutate::choices::Choices;
    use std::collections::BTreeSet;
    use toolchain::scratch::ScratchRoot;

    #[test]
    fn all_that_hunts_draw_is_harmless() {
        let scratch = ScratchRoot::new().expect("a scratch directory");
        for compiler in ["gcc", "clang-19"] {
            let Ok(mut tested) = open(compiler, &scratch) else {
                eprintln!("{compiler} is not here: what it offers is not looked at");
                continue;
            };
            tested.read_menu(&BTreeSet::new(), &scratch);
            for seed in 0..2000 {
                let words = tested.menu.draw(&mut Choices::new(seed));
                let before = std::iter::once("").chain(words.iter().map(String::as_str));
                for (word, before) in words.iter().zip(before) {
                    assert!(is_harmless(word, before), "{before} {word}");
                }
            }
        }
    }

    #[test]
    fn options_of_hunts_are_harmless_and_others_are_not() {
        for pair in [
            ["", "-O2"],
            ["", "-fno-gcse"],
            ["", "--param=max-unroll-times=3"],
            ["", "-march=x86-64-v3"],
            ["", "-mllvm"],
            ["-mllvm", "-prefer-inloop-reductions=true"],
            ["-mllvm", "-enable-load-pre=false"],
            ["", "-fprofile-use"],
            ["", "-D__builtin_unreachable()=((void)0)"],
            ["", "program.c"],
            ["-o", "program"],
            ["", "-fsanitize=address"],
            ["", "-std=gnu2x"],
            ["", "-Wno-error=int-conversion"],
            ["", "-flto"],
            ["", "-g3"],
            ["", "-lm"],
        ] {
            assert!(is_harmless(pair[1], pair[0]), "{pair:?}");
        }
        for pair in [
            ["", "-fplugin=evil"],
            ["", "-fpass-plugin=evil.so"],
            ["", "-wrapper"],
            ["", "-B."],
            ["", "-specs=evil"],
            ["", "@evil"],
            ["-o", "/etc/passwd"],
            ["", "../program"],
            ["", "-Xclang"],
            ["-mllvm", "-load=evil.so"],
            ["-mllvm", "-load"],
            ["-mllvm", "-pass-remarks-output=x.yaml"],
            ["", "-fuse-ld=evil"],
            ["", "-Wl,--version"],
            ["", "-include"],
            ["", "-fdump-tree-all=x"],
            ["", "-I."],
            ["", "-x"],
            ["", "-T"],
            ["", "-l:evil"],
        ] {
            assert!(!is_harmless(pair[1], pair[0]), "{pair:?}");
        }
    }
}
