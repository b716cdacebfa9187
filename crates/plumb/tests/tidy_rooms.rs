//! House rules as a test: inside a crate, imports run downwards from room to room. What imports what is read from
//! the source, not from a list; only the order of the rooms is written down here.

mod common;

use common::repository;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Rooms of a crate, or of a directory of one, the lowest first: a room uses those before it. `mod.rs` and `lib.rs` are
/// the doors and may use all.
const ROOMS: &[(&str, &[&str])] = &[
    (
        "crossver/src",
        &[
            "objects",
            "code",
            "places",
            "pairing",
            "equality",
            "semantics",
            "inject",
            "replay",
            "cause",
            "proof",
            "buckets",
            "report",
            "project",
        ],
    ),
    ("equiv/src", &["model", "run", "guess", "prove", "refute", "report", "answer"]),
    (
        "frontend/src",
        &["diagnostics", "error", "preprocess", "options", "files", "text", "check", "merge", "needed"],
    ),
    (
        "campaign/src",
        &[
            "error",
            "executor",
            "fingerprint",
            "verdict",
            "units",
            "truth",
            "configurations",
            "sources",
            "variants",
            "oracles",
            "accesses",
            "store",
            "yields",
            "findings",
            "detours",
            "reduction",
            "hunt",
            "triage",
            "report",
            "view",
        ],
    ),
    (
        "langs/src",
        &[
            "error",
            "names",
            "assumption",
            "operation",
            "arithmetic",
            "domain",
            "bits",
            "floats",
            "liveness",
            "memory",
            "abi",
            "choice",
            "x86",
            "assembly",
            "llvm_ir",
            "x86_mir",
            "machine_code",
            "pairs",
            "native",
        ],
    ),
    (
        "campaign/src/hunt",
        &[
            "deadline",
            "pins",
            "plan",
            "context",
            "meaning",
            "observe",
            "elsewhere",
            "attempts",
            "opaque",
            "shown",
            "judge",
            "reproduce",
            "variant",
            "raise",
            "beside",
            "test",
            "worker",
            "progress",
        ],
    ),
];

/// Rooms that do not know each other, though one stands below the other above.
const APART: &[(&str, &[&str])] = &[("langs/src", &["llvm_ir", "x86_mir", "machine_code"])];

/// The rooms of a directory: files and directories.
fn rooms(dir: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(dir).expect("readable").flatten();
    let names = entries.map(|entry| entry.path().file_stem().expect("a name").to_string_lossy().into_owned());
    names.filter(|name| name != "mod" && name != "lib" && name != "main").collect()
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).expect("readable").flatten();
    entries
        .flat_map(|entry| files(&entry.path()))
        .filter(|file| file.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// The text without comments, which may speak of anything.
fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("text");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The names that stand directly behind `prefix`, alone (`prefix::a`) or in braces (`prefix::{a, b::c}`).
fn named(code: &str, prefix: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        // `super::` inside `super::super::` and names that end in the prefix are others.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => {
                    found.insert(word(&group[start..at]));
                    break;
                }
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.insert(word(&group[start..at]));
                    start = at + 1;
                }
                _ => {}
            }
        }
    }
    found
}

/// How a file that lies so many directories beneath `dir` names what is in `dir`.
fn prefixes(dir: &str, depth: usize) -> Vec<String> {
    let inside = dir.split_once("/src").map_or("", |(_, inside)| inside).replace('/', "::");
    vec![format!("crate{inside}::"), "super::".repeat(depth)]
}

#[test]
fn imports_run_downwards() {
    let mut imports = 0;
    for (dir, order) in ROOMS {
        let place = repository().join("crates").join(dir);
        for room in rooms(&place) {
            let level = order.iter().position(|known| *known == room);
            let level =
                level.unwrap_or_else(|| panic!("{dir}/{room}: say in this test which room it lies above"));
            let path = Some(place.join(&room)).filter(|path| path.is_dir());
            for file in files(&path.unwrap_or_else(|| place.join(format!("{room}.rs")))) {
                let below = file.strip_prefix(&place).expect("beneath").components().count();
                // The door of a room names its neighbours as a plain file does.
                let depth =
                    if file.file_name().is_some_and(|name| name == "mod.rs") { below - 1 } else { below };
                let code = code(&file);
                for name in prefixes(dir, depth).iter().flat_map(|prefix| named(&code, prefix)) {
                    let Some(used) = order.iter().position(|known| *known == name) else { continue };
                    imports += usize::from(used != level);
                    assert!(used <= level, "{}: uses `{name}`, a room above its own", file.display());
                }
            }
        }
    }
    println!("{imports} imports between rooms, none upwards, so in no circle");
    assert!(imports > 40, "only {imports} imports between rooms were found: does this test still read them?");
}

#[test]
fn rooms_apart_do_not_know_each_other() {
    for (dir, apart) in APART {
        let place = repository().join("crates").join(dir);
        for room in *apart {
            let files = files(&place.join(room));
            assert!(!files.is_empty(), "{dir}/{room} is not there");
            for file in files {
                let used = named(&code(&file), "crate::");
                let other = apart.iter().find(|other| *other != room && used.contains(**other));
                assert!(other.is_none(), "{}: uses `{}`", file.display(), other.unwrap_or(&""));
            }
        }
    }
}

#[test]
fn names_of_imports_are_found() {
    let code = "use crate::a::B;\nuse crate::{c, d::{E, f::G}, h};\nlet x = crate::i::j(other_crate::k::l);";
    let names: Vec<String> = named(code, "crate::").into_iter().collect();
    assert_eq!(names, ["a", "c", "d", "h", "i"]);
    assert_eq!(
        named("use super::super::x; super::y::z();", "super::super::").into_iter().collect::<Vec<_>>(),
        ["x"]
    );
}

/// Crates whose rooms are directories that say in their `mod.rs` what comes in and goes out, and whose files import each
/// other in no circle.
const DIRECTORIES: &[&str] = &["equiv/src"];

/// The file of a room that a name stands for which a file imports from `super::`: a sibling, or where the door has it from.
fn sibling(room: &Path, door: &str, name: &str) -> Option<String> {
    if room.join(name).with_extension("rs").is_file() {
        return Some(name.to_owned());
    }
    let uses = door.split("use ").skip(1).filter_map(|line| line.split(';').next());
    let from = uses.filter_map(|path| path.split_once("::")).find(|(file, _)| {
        let file = file.trim_start_matches("self::");
        named(door, &format!("{file}::")).contains(name)
    });
    from.map(|(file, _)| file.to_owned())
}

#[test]
fn files_of_a_room_import_each_other_in_no_circle() {
    let mut imports = 0;
    for dir in DIRECTORIES {
        let place = repository().join("crates").join(dir);
        for room in rooms(&place).iter().map(|room| place.join(room)) {
            let door = code(&room.join("mod.rs"));
            let mut edges: Vec<(String, BTreeSet<String>)> = Vec::new();
            for file in rooms(&room) {
                let code = code(&room.join(&file).with_extension("rs"));
                let mut used: BTreeSet<String> =
                    named(&code, "super::").iter().filter_map(|name| sibling(&room, &door, name)).collect();
                used.remove(&file);
                imports += used.len();
                edges.push((file, used));
            }
            // What imports nothing, or only such as are done, is done; a circle never is.
            let mut open: BTreeSet<String> = edges.iter().map(|(file, _)| file.clone()).collect();
            let done = |open: &BTreeSet<String>| {
                edges.iter().find(|(file, used)| open.contains(file) && used.is_disjoint(open)).cloned()
            };
            while let Some((file, _)) = done(&open) {
                open.remove(&file);
            }
            assert!(open.is_empty(), "{}: these files import each other: {open:?}", room.display());
        }
    }
    assert!(imports > 30, "only {imports} imports within rooms were found: does this test still read them?");
}

#[test]
fn rooms_say_what_comes_in_and_goes_out() {
    for dir in DIRECTORIES {
        let place = repository().join("crates").join(dir);
        for room in rooms(&place) {
            let door = place.join(&room).join("mod.rs");
            let text = std::fs::read_to_string(&door).unwrap_or_else(|e| panic!("{}: {e}", door.display()));
            let doc: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
            assert!(doc.contains("In:") && doc.contains("Out:"), "{}: `In:` and `Out:`", door.display());
        }
    }
}
