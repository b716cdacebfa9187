//! Finds the C compilers on `PATH`: native and cross, each once, under its most telling name.

use super::{Compiler, CompilerError};
use crate::scratch::ScratchRoot;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a compiler found by chance may take to answer; one that the user names gets more.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a search brought.
#[derive(Debug, Clone, Default)]
pub struct Discovery {
    /// Compilers that work, native ones first.
    pub compilers: Vec<Compiler>,
    /// Files with a compiler's name that do not work, and why.
    pub broken: Vec<CompilerError>,
}

/// Names by which wrappers stand in front of a compiler: the file behind says nothing about who is called.
const WRAPPERS: &[&str] = &["ccache", "distcc", "icecc", "sccache", "colorgcc", "buildcache"];

/// Compilers that distributions install beside `PATH`, since they go by the name of another.
const BESIDE: &[&str] = &["/usr/lib/gcc-snapshot/bin/gcc"];

/// Finds, identifies and tries all C compilers on `PATH`, and known ones beside it. Several run at once; the order of the result is fixed.
#[must_use]
pub fn discover(scratch: &ScratchRoot) -> Discovery {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut names = candidates(&std::env::split_paths(&path).collect::<Vec<_>>());
    names.extend(BESIDE.iter().filter(|file| Path::new(file).is_file()).map(|file| (*file).to_owned()));
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(names.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = Compiler::identify_words(words(name), scratch, PATIENCE);
                    let found = found.map_err(|problem| CompilerError { command: name.clone(), problem });
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(found);
                }
            });
        }
    });
    let mut discovery = Discovery::default();
    for result in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
        match result {
            Ok(compiler) => discovery.compilers.push(compiler),
            Err(error) => discovery.broken.push(error),
        }
    }
    let rank = |c: &Compiler| {
        (c.runner != super::Runner::Native, c.family, c.target.triple.clone(), c.version, c.name())
    };
    discovery.compilers.sort_by_cached_key(rank);
    discovery.broken.sort_by(|a, b| a.command.cmp(&b.command));
    discovery
}

/// The names of compilers in these directories, one for each file behind them.
fn candidates(dirs: &[PathBuf]) -> Vec<String> {
    let mut by_file: BTreeMap<(PathBuf, OsString), String> = BTreeMap::new();
    let mut seen = std::collections::BTreeSet::new();
    for dir in dirs {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            // An earlier directory hides a later one's file of the same name.
            if !is_compiler_name(&name) || !seen.insert(name.clone()) {
                continue;
            }
            let Ok(file) = std::fs::canonicalize(dir.join(&name)) else { continue };
            let stem = file.file_name().unwrap_or_default().to_string_lossy();
            if WRAPPERS.contains(&stem.as_ref()) || !file.is_file() {
                continue;
            }
            // clang takes its target from the name it is called by.
            let target = if stem.contains("clang") { target_prefix(&name).into() } else { OsString::new() };
            let best = by_file.entry((file, target)).or_insert_with(|| name.clone());
            if telling(&name) > telling(best) {
                *best = name;
            }
        }
    }
    let mut names: Vec<String> = by_file.into_values().collect();
    names.sort();
    names
}

/// `gcc-12` tells more than `gcc`, which tells more than `cc`; a short name is better than a long one.
fn telling(name: &str) -> (bool, bool, std::cmp::Reverse<usize>, std::cmp::Reverse<String>) {
    let versioned = split_version(name).1.is_some();
    let generic = split_version(name).0 == "cc";
    (versioned, !generic, std::cmp::Reverse(name.len()), std::cmp::Reverse(name.to_owned()))
}

/// Splits off a trailing `-12` or `-4.9`.
fn split_version(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('-') {
        Some((stem, tail)) if tail.starts_with(|c: char| c.is_ascii_digit()) && is_version(tail) => {
            (stem, Some(tail))
        }
        _ => (name, None),
    }
}

fn is_version(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn target_prefix(name: &str) -> &str {
    split_version(name).0.rsplit_once('-').map_or("", |(prefix, _)| prefix)
}

/// Compilers that come for many targets, whose name may stand before theirs.
const PREFIXED: &[&str] = &["gcc", "clang", "tcc"];
/// Compilers with one name each. `zig` is one as `zig cc`.
const PLAIN: &[&str] = &["cc", "pcc", "zig", "icx", "kefir", "chibicc", "slimcc", "cproc", "lacc"];

/// Whether a file is named like a C compiler, with an optional target before and version behind.
fn is_compiler_name(name: &str) -> bool {
    let (stem, _) = split_version(name);
    let (prefix, base) = stem.rsplit_once('-').unwrap_or(("", stem));
    // c89-gcc and c99-gcc are gcc with a dialect.
    let prefixed = PREFIXED.contains(&base) && !matches!(prefix, "c89" | "c99");
    prefixed || (PLAIN.contains(&base) && prefix.is_empty())
}

/// The command line behind a name.
fn words(name: &str) -> Vec<String> {
    let (stem, _) = split_version(name);
    let more = if stem == "zig" { &["cc"][..] } else { &[] };
    [name].iter().chain(more).map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_compilers_are_told_from_their_relatives() {
        let yes = [
            "cc",
            "gcc",
            "gcc-12",
            "gcc-4.9",
            "clang-19",
            "tcc",
            "i386-tcc",
            "pcc",
            "aarch64-linux-gnu-gcc-12",
        ];
        let no = [
            "gcc-ar-12",
            "gcc-nm",
            "clang++-19",
            "clang-cpp-19",
            "c99-gcc",
            "clang-format-15",
            "g++",
            "gcov-12",
        ];
        for name in yes {
            assert!(is_compiler_name(name), "{name}");
        }
        for name in no {
            assert!(!is_compiler_name(name), "{name}");
        }
    }

    #[test]
    fn zig_compiles_c_by_a_subcommand() {
        assert_eq!(words("zig"), ["zig", "cc"]);
        assert_eq!(words("gcc-12"), ["gcc-12"]);
    }

    #[test]
    fn the_most_telling_name_wins() {
        assert!(telling("gcc-12") > telling("gcc"));
        assert!(telling("gcc") > telling("cc"));
        assert!(telling("gcc-12") > telling("x86_64-linux-gnu-gcc-12"));
    }

    #[test]
    fn one_file_behind_several_names_is_one_compiler() {
        let root = ScratchRoot::new().expect("scratch");
        let dir = root.dir().expect("scratch");
        std::fs::write(dir.file("x86_64-linux-gnu-gcc-12"), "").expect("writable");
        for name in ["gcc-12", "gcc", "cc"] {
            std::os::unix::fs::symlink("x86_64-linux-gnu-gcc-12", dir.file(name)).expect("writable");
        }
        std::fs::write(dir.file("ccache"), "").expect("writable");
        std::os::unix::fs::symlink("ccache", dir.file("gcc-11")).expect("writable");
        std::os::unix::fs::symlink("nowhere", dir.file("tcc")).expect("writable");
        assert_eq!(candidates(&[dir.path().to_owned()]), ["gcc-12"]);
    }
}
