//! `benches/RESULTS.md` is made from `benches/results/*.json`, one line a figure, and fits them.
//!
//! `PLUMB_BLESS=1 cargo test -p plumb --test results` writes it anew.

mod common;

use common::repository;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A figure as `benches/record.py` writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    area: String,
    claim: String,
    command: String,
    reach: String,
    figure: String,
    peer: String,
    date: String,
    commit: String,
}

/// What stands above the tables.
const HEAD: &str = "# Results\n\n\
    One line a figure, made from `results/*.json` by `PLUMB_BLESS=1 cargo test -p plumb --test results`. The commands run \
    their peers in the same call, on two cores, 24 GB, Debian 12, Rust 1.95, mostly beside other work: ratios count, not seconds.\n";

fn figures(dir: &Path) -> BTreeMap<String, Figure> {
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let figure = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path.file_stem().expect("a name").to_string_lossy().into_owned(), figure)
    };
    std::fs::read_dir(dir).expect("benches/results").map(read).collect()
}

fn table(figures: &BTreeMap<String, Figure>) -> String {
    let mut areas: BTreeMap<&str, Vec<&Figure>> = BTreeMap::new();
    for figure in figures.values() {
        areas.entry(&figure.area).or_default().push(figure);
    }
    let mut text = HEAD.to_owned();
    for (area, rows) in areas {
        text.push_str(&format!("\n## {area}\n\n| Claim | Reach | Figure | Peer | Command | Date | Commit |\n|---|---|---|---|---|---|---|\n"));
        for f in rows {
            let cells = [&f.claim, &f.reach, &f.figure, &f.peer].map(|cell| cell.replace('|', "\\|"));
            let command = f.command.replace('|', "\\|");
            text.push_str(&format!("| {} | `{command}` | {} | {} |\n", cells.join(" | "), f.date, f.commit));
        }
    }
    text
}

#[test]
fn the_table_fits_the_figures() {
    let benches = repository().join("benches");
    let wanted = table(&figures(&benches.join("results")));
    let path = benches.join("RESULTS.md");
    if std::env::var_os("PLUMB_BLESS").is_some() {
        std::fs::write(&path, &wanted).expect("written");
    }
    let there = std::fs::read_to_string(&path).expect("RESULTS.md");
    assert!(
        there == wanted,
        "benches/RESULTS.md is not what benches/results says; PLUMB_BLESS=1 writes it anew"
    );
}

#[test]
fn figures_are_short_and_dated() {
    for (name, f) in figures(&repository().join("benches/results")) {
        for (what, text) in
            [("claim", &f.claim), ("reach", &f.reach), ("figure", &f.figure), ("command", &f.command)]
        {
            assert!(
                !text.is_empty() && !text.contains('\n'),
                "{name}: `{what}` is empty or of several lines"
            );
            assert!(text.chars().count() <= 240, "{name}: `{what}` is a notebook, not a figure");
        }
        let date: Vec<&str> = f.date.split('-').collect();
        assert!(
            date.len() == 3 && date.iter().all(|part| part.parse::<u32>().is_ok()),
            "{name}: date `{}`",
            f.date
        );
        assert!(!f.commit.is_empty(), "{name}: no commit");
    }
}
