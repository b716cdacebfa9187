//! A campaign as SARIF 2.1.0, which code hosts and editors read: one result a bug, the program that shows it as its place.

use campaign::findings::REPRO;
use campaign::verdict::{FindingKind, Named};
use campaign::view::{CampaignView, GroupView};
use serde_json::{Value, json};
use std::path::Path;

/// The base of all paths: the directory of findings.
const BASE: &str = "FINDINGS";

/// The log. `findings` is the directory of findings.
pub fn sarif(campaign: &CampaignView, findings: &Path) -> Value {
    let kinds = FindingKind::ALL;
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(*kind)).collect();
    let results: Vec<Value> = campaign.groups.iter().map(|group| result(group, kinds)).collect();
    let notices: Vec<Value> = campaign
        .warnings
        .iter()
        .map(|warning| json!({ "level": "warning", "message": { "text": warning } }))
        .collect();
    log(&campaign.title, findings, (BASE, rules, results, notices))
}

/// A log of rules, results and notices; paths in it are beneath a directory, which goes by a name.
pub fn log(
    id: &str,
    directory: &Path,
    (base, rules, results, notices): (&str, Vec<Value>, Vec<Value>, Vec<Value>),
) -> Value {
    let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "plumb",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "automationDetails": { "id": id },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { base: { "uri": self::directory(&absolute) } },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notices,
            }],
            "results": results,
        }],
    })
}

fn rule(kind: FindingKind) -> Value {
    json!({
        "id": kind.name(),
        "shortDescription": { "text": kind.text() },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(group: &GroupView, kinds: &[FindingKind]) -> Value {
    let mut text = group.title.clone();
    if let Some(culprit) = &group.culprit {
        text.push_str(&format!(" (to blame: {culprit})"));
    }
    let id = &group.representative;
    json!({
        "ruleId": group.kind.name(),
        "ruleIndex": kinds.iter().position(|kind| *kind == group.kind).unwrap_or_default(),
        "level": if group.known.is_some() { "note" } else { "error" },
        "message": { "text": text },
        "locations": [{ "physicalLocation": { "artifactLocation": {
            "uri": format!("{}/program.c", encoded(id)),
            "uriBaseId": BASE,
        }}}],
        "partialFingerprints": { "plumbBug/v1": group.key },
        "occurrenceCount": group.findings.max(1),
        "properties": {
            "finding": id,
            "configurations": group.configurations,
            "known": group.known,
            "reproducer": format!("{id}/{REPRO}"),
        },
    })
}

/// A directory as an address, which must end in a slash.
fn directory(path: &Path) -> String {
    format!("file://{}/", encoded(&path.display().to_string()).trim_end_matches('/'))
}

/// Percent-encodes what an address cannot hold.
pub fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
