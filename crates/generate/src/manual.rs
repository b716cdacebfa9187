//! The lists in the manual, made from the registries: constructs, switches, limits, options left out.

use crate::command_line::{TEXTS, WORDS};
use crate::constructs::{EXPRESSIONS, STATEMENTS};
use crate::options::{LIMITS, SWITCHES};
use crate::peer_options::{IMPLIED, LEFT};
use std::fmt::Write;

/// A construct, for listings.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Construct {
    /// Its name.
    pub name: &'static str,
    /// `statement` or `expression`.
    pub kind: &'static str,
    /// How likely it is.
    pub weight: u32,
    /// What it is.
    pub doc: &'static str,
}

/// Every construct, statements first.
pub fn constructs() -> impl Iterator<Item = Construct> {
    let row = |kind, name, weight, doc| Construct { name, kind, weight, doc };
    let statements = STATEMENTS.iter().map(move |c| row("statement", c.name, c.weight, c.doc));
    statements.chain(EXPRESSIONS.iter().map(move |c| row("expression", c.name, c.weight, c.doc)))
}

/// The reference part of `docs/generate.md`.
pub fn reference() -> String {
    let mut out = String::new();
    let mut row = |cells: &[&str]| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    row(&["Statement", "Weight", "What it is"]);
    row(&["---", "---", "---"]);
    STATEMENTS.iter().for_each(|c| row(&[c.name, &c.weight.to_string(), &cell(c.doc)]));
    row(&["**Expression**", "", ""]);
    EXPRESSIONS.iter().for_each(|c| row(&[c.name, &c.weight.to_string(), &cell(c.doc)]));
    out.push('\n');
    let mut row = |cells: &[&str]| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    row(&["Switch", "Default", "What it is for"]);
    row(&["---", "---", "---"]);
    for info in SWITCHES {
        let flag = format!("`--{0}`, `--no-{0}`", info.flag);
        row(&[&flag, if info.default { "on" } else { "off" }, &cell(info.doc)]);
    }
    out.push('\n');
    let mut row = |cells: &[&str]| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    row(&["Limit", "Default", "Least", "Greatest", "What it bounds"]);
    row(&["---", "---", "---", "---", "---"]);
    for info in LIMITS {
        let numbers = [info.default, info.min, info.max].map(|n| n.to_string());
        row(&[&format!("`--{} N`", info.flag), &numbers[0], &numbers[1], &numbers[2], &cell(info.doc)]);
    }
    out.push('\n');
    let mut row = |cells: &[&str]| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    row(&["Other option", "What it does"]);
    row(&["---", "---"]);
    let modes = crate::SafeMath::ALL.map(|m| m.1).join("\\|");
    row(&[&format!("`--safe-math {modes}`"), "how arithmetic is kept from overflowing"]);
    TEXTS.iter().for_each(|(flag, value, doc)| row(&[&format!("`--{flag} {value}`"), &cell(doc)]));
    WORDS.iter().for_each(|(flag, doc)| row(&[&format!("`--{flag}`"), &cell(doc)]));
    out.push('\n');
    let mut row = |cells: &[&str]| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    row(&["Accepted, changes nothing", "Why"]);
    row(&["---", "---"]);
    IMPLIED.iter().for_each(|(flag, why)| row(&[&format!("`--{flag}`"), &cell(why)]));
    row(&["**Not supported**", ""]);
    LEFT.iter().for_each(|(flag, _, why)| row(&[&format!("`--{flag}`"), &cell(why)]));
    out
}

/// Text inside a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
