//! `plumb findings`

use crate::args::Findings;
use crate::output;
use campaign::store::Store;
use campaign::verdict::Kind;
use campaign::{Error, exit};
use serde_json::json;

/// Runs the command.
pub fn run(args: &Findings) -> Result<u8, Error> {
    if let Some(kind) = &args.kind
        && !Kind::ALL.iter().any(|known| known.name() == kind)
    {
        let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        return Err(Error::Usage(format!("--kind {kind}: expected one of {}", known.join(", "))));
    }
    let store = Store::read(&args.store)?;
    let mut rows = store.findings()?;
    rows.retain(|row| args.kind.as_ref().is_none_or(|kind| row.kind == *kind));
    for row in &rows {
        if args.json {
            let mut line = serde_json::to_value(row).unwrap_or_default();
            line["type"] = "finding".into();
            line["directory"] = json!(store.findings_dir().join(&row.id));
            output::json(&line);
        } else {
            output::line(&format!("{}  {}  {}\n    {}", row.id, row.configuration, row.program, row.summary));
            if let Some(doubt) = &row.doubt {
                output::line(&format!("    doubtful: {doubt}"));
            }
        }
    }
    if args.json {
        output::json(&json!({ "type": "summary", "findings": rows.len() }));
    } else if rows.is_empty() {
        output::line("no findings");
    } else {
        output::line(&format!("{} findings; explain one with `plumb show ID`", rows.len()));
    }
    Ok(if rows.is_empty() { exit::OK } else { exit::ALARM })
}
