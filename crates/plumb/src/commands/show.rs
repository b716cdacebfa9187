//! `plumb show`

use crate::args::Show;
use crate::output;
use campaign::findings::{self, REPRO};
use campaign::store::Store;
use campaign::{Error, exit};
use serde_json::Value;
use std::path::Path;

/// Runs the command.
pub fn run(args: &Show) -> Result<u8, Error> {
    let store = Store::read(&args.store)?;
    let matching: Vec<_> = store.findings()?.into_iter().filter(|row| row.id.starts_with(&args.id)).collect();
    let row = match matching.as_slice() {
        [row] => row,
        [] => {
            return Err(Error::Usage(format!(
                "show {}: no such finding in `{}`; list them with `plumb findings`",
                args.id,
                args.store.display()
            )));
        }
        several => match several.iter().find(|row| row.id == args.id) {
            Some(row) => row,
            None => {
                let ids: Vec<&str> = several.iter().take(5).map(|row| row.id.as_str()).collect();
                return Err(Error::Usage(format!(
                    "show {}: {} findings begin so ({}); give more of the name",
                    args.id,
                    several.len(),
                    ids.join(", ")
                )));
            }
        },
    };
    let dir = store.findings_dir().join(&row.id);
    let facts = findings::read(&dir)?;
    if args.json {
        output::json(&facts);
    } else {
        print(&facts, &dir);
    }
    Ok(exit::ALARM)
}

fn print(facts: &Value, dir: &Path) {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    };
    output::line(&format!("{}: {}", text(&facts["id"]), text(&facts["summary"])));
    if let Value::String(names) = &facts["strategies"] {
        let left = facts["edits"].as_array().map_or(0, Vec::len);
        let before = text(&facts["edits_before"]);
        output::line(&format!(
            "variant:   of {}, {left} of {before} edits needed ({names})",
            text(&facts["variant_of"])
        ));
    }
    if let Value::String(doubt) = &facts["doubt"] {
        output::line(&format!("doubtful: {doubt}"));
    }
    output::line(&format!("program:   {}", text(&facts["program"])));
    let compiler = &facts["compiler"];
    output::line(&format!("compiler:  {} ({})", text(&facts["configuration"]), text(&compiler["version"])));
    let words = facts["command"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>();
    output::line(&format!("command:   {}", words.join(" ")));
    if let Value::String(signature) = &facts["signature"]
        && !signature.is_empty()
    {
        output::line(&format!("signature: {signature}"));
    }
    for (title, answer) in [("expected", &facts["expected"]), ("actual", &facts["actual"])] {
        if answer.is_object() {
            let ended = match (&answer["exit"], &answer["signal"]) {
                (Value::Null, Value::Null) => text(&answer["ended"]),
                (Value::Null, signal) => format!("signal {signal}"),
                (code, _) => format!("exit status {code}"),
            };
            output::line(&format!("{title}: {ended}, and this output"));
            for line in text(&answer["stdout"]).lines() {
                output::line(&format!("    {line}"));
            }
        }
    }
    output::line(&format!("reproduce: {}", dir.join(REPRO).display()));
}
