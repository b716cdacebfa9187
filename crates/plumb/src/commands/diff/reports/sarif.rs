//! What is not proved as SARIF 2.1.0: one result a function, an object or a file.

use super::{Item, Open, Summary, reason};
use crossver::equality::verdict::VerdictKind;
use crossver::report::{FunctionReport, LoneReport};
use serde_json::{Value, json};
use std::path::Path;

/// The base of all paths: the working directory.
const BASE: &str = "SOURCES";

/// What results are of: name, words, level.
const RULES: [(&str, &str, &str); 6] = [
    (
        "different",
        "For some inputs the new machine code does not do what the old one does; both were run",
        "error",
    ),
    ("unknown", "The machine code differs, and no proof was found", "warning"),
    ("unsupported", "The machine code holds what is not read", "warning"),
    ("only-one-side", "A function that only one side has", "warning"),
    ("object", "The initial contents of an object differ, or could not be compared", "warning"),
    ("not-compared", "A file that could not be compared", "error"),
];

/// The log. With a baseline each result says whether it is new.
pub fn log(baseline: bool, summary: &Summary<'_>, open: &Open) -> Value {
    let rules = RULES.map(|(id, text, level)| {
        json!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": level } })
    });
    let state = |known: bool| baseline.then_some(if known { "unchanged" } else { "new" });
    let mut results: Vec<Value> =
        open.functions.iter().map(|f| function(f, summary, state(f.known))).collect();
    results.extend(open.lone.iter().map(|f| lone(f, state(f.known))));
    results.extend(open.objects.iter().map(|object| {
        let (name, text) = &object.what;
        let message = format!("object `{name}`: {text}");
        result("object", (&object.file, name), message, state(object.known))
    }));
    let files = open.files.iter();
    results
        .extend(files.map(|file| result("not-compared", (&file.file, ""), file.why.clone(), state(false))));
    let here = Path::new(".");
    serve::sarif_log(&summary.title, here, (BASE, rules.to_vec(), results, Vec::new()))
}

fn result(rule: &str, (file, name): (&str, &str), message: String, state: Option<&str>) -> Value {
    let n = RULES.iter().position(|(id, ..)| *id == rule).unwrap_or_default();
    let mut location = json!({ "physicalLocation": { "artifactLocation": {
        "uri": serve::sarif_address(file),
    }}});
    if !Path::new(file).is_absolute() {
        location["physicalLocation"]["artifactLocation"]["uriBaseId"] = BASE.into();
    }
    if !name.is_empty() {
        location["logicalLocations"] = json!([{ "name": name, "kind": "function" }]);
    }
    let mut out = json!({
        "ruleId": rule,
        "ruleIndex": n,
        "level": RULES[n].2,
        "message": { "text": message },
        "locations": [location],
        "partialFingerprints": { "plumbDiff/v1": format!("{file}:{name}:{rule}") },
    });
    if let Some(state) = state {
        out["baselineState"] = state.into();
    }
    out
}

fn function(item: &Item<FunctionReport>, summary: &Summary<'_>, state: Option<&str>) -> Value {
    let f = &item.what;
    let rule = match f.verdict {
        VerdictKind::Different => "different",
        VerdictKind::Unsupported => "unsupported",
        VerdictKind::Unknown | VerdictKind::Proved | VerdictKind::Conditional => "unknown",
    };
    let mut text = format!("`{}`: {}", f.function, reason(f));
    if let Some(bucket) = &f.bucket {
        text.push_str(&format!(" ({})", summary.rules.what(bucket)));
    }
    if let Some(why) = &f.text {
        text.push_str(&format!(": {why}"));
    }
    if let Some(cause) = &f.cause {
        text.push_str(&format!("; cause ({}): {cause}", cause.kind.name()));
    }
    let mut out = result(rule, (&item.file, &f.function), text, state);
    out["partialFingerprints"]["plumbDiff/v1"] = format!("{}:{}:{}", item.file, f.function, reason(f)).into();
    let replay = f.replay.as_ref();
    out["properties"] = json!({
        "bucket": f.bucket,
        "cause": f.cause,
        "why": f.why,
        "inputs": replay.map(|replay| &replay.inputs),
        "old": replay.map(|replay| &replay.old),
        "new": replay.map(|replay| &replay.new),
    });
    out
}

fn lone(item: &Item<LoneReport>, state: Option<&str>) -> Value {
    let f = &item.what;
    let side = if f.old { "old" } else { "new" };
    let message = format!("`{}` is only in the {side} file ({} bytes)", f.function, f.bytes);
    let mut out = result("only-one-side", (&item.file, &f.function), message, state);
    if f.local {
        // Nobody outside misses it.
        out["level"] = "note".into();
    }
    out
}
