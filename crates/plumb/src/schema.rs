//! The schemas of `--json`: generated from the types that are printed, and held equal to `docs/schema/*.json`.
//! `UPDATE_GOLDEN=1 cargo test -p plumb schema` writes them anew.

use crate::commands::{self, emi, findings, generate, hunt, reduce, report, run, serve, show, triage};
use crate::output::Tagged;
use schemars::{JsonSchema, Schema, schema_for};
use std::path::{Path, PathBuf};

/// Generates a schema.
type Generated = fn() -> Schema;

/// The commands with a schema, and what they print: one line each is an object of it.
const SCHEMAS: &[(&str, Generated)] = &[
    ("diff", || schema_for!(Printed<commands::DiffLine>)),
    ("emi", || schema_for!(Printed<emi::Line>)),
    ("findings", || schema_for!(Printed<findings::Line>)),
    ("gen", || schema_for!(Printed<generate::Line>)),
    ("hunt", || schema_for!(Printed<hunt::Line>)),
    ("inject", || schema_for!(Printed<commands::InjectLine>)),
    ("prove", || schema_for!(Printed<commands::ProveLine>)),
    ("reduce", || schema_for!(Printed<reduce::Line>)),
    ("report", || schema_for!(Printed<report::Line>)),
    ("run", || schema_for!(Printed<run::Line>)),
    ("serve", || schema_for!(Printed<serve::Line>)),
    ("serve-api", || schema_for!(Printed<campaign::view::View>)),
    ("show", || schema_for!(Printed<show::Line>)),
    ("triage", || schema_for!(Printed<triage::Line>)),
];

/// One line of a command's output: what the command prints, or the error that ended it.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum Printed<T> {
    Line(T),
    Error(Tagged),
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Holds a file equal to what was generated, or writes it where that is asked for.
fn hold(path: &Path, text: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, text).expect("writable");
        return;
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(kept, text, "{} is not what the types say; UPDATE_GOLDEN=1 writes it", path.display());
}

#[test]
fn schemas_are_what_the_types_say() {
    let dir = docs().join("schema");
    for (name, schema) in SCHEMAS {
        let text = serde_json::to_string_pretty(&schema()).expect("JSON") + "\n";
        hold(&dir.join(format!("{name}.json")), &text);
    }
    let kept = std::fs::read_dir(&dir).expect("readable").count();
    assert_eq!(kept, SCHEMAS.len(), "each file under docs/schema has a line in SCHEMAS");
}

/// What begins and ends the table of assumptions in `docs/prove.md`.
const TABLE: (&str, &str) = ("<!-- assumptions: generated -->\n", "<!-- end -->\n");

#[test]
fn the_table_of_assumptions_is_what_the_types_say() {
    let path = docs().join("prove.md");
    let page = std::fs::read_to_string(&path).expect("readable");
    let (before, rest) = page.split_once(TABLE.0).expect("it has the table");
    let (_, after) = rest.split_once(TABLE.1).expect("the table ends");
    let table = langs::assumption::Assumption::table();
    hold(&path, &format!("{before}{}{table}{}{after}", TABLE.0, TABLE.1));
}
