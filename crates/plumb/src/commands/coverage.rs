//! What `plumb run --coverage` and `--profile` print.

use campaign::front::{Answer, Point};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Every statement with its count, for JSON.
pub fn points(answer: &Answer) -> Value {
    let point = |point: &Point| {
        let place = answer.source.place(point.span.lo);
        let values: serde_json::Map<String, Value> =
            point.values.iter().map(|(name, seen)| (name.clone(), seen.clone().into())).collect();
        json!({
            "file": place.file, "line": place.line, "column": place.column,
            "count": point.count, "values": values,
        })
    };
    answer.coverage.iter().map(point).collect()
}

/// Values shown of a variable at a statement.
const SHOWN: usize = 4;

/// Every statement with its count and the values seen there, a line each.
pub fn statements(answer: &Answer) -> String {
    let mut out = String::new();
    for point in &answer.coverage {
        let _ = write!(out, "{}: {}", answer.source.place(point.span.lo), point.count);
        for (name, seen) in &point.values {
            let shown = seen.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            let more = if seen.len() > SHOWN { ", ..." } else { "" };
            let _ = write!(out, " {name}={{{shown}{more}}}");
        }
        out.push('\n');
    }
    out
}

/// Lines with the count of the statement that ran most often there, and the share of statements that ran.
pub fn lines(answer: &Answer) -> String {
    let mut most: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for point in &answer.coverage {
        let (place, count) = (answer.source.place(point.span.lo), point.count);
        let line = most.entry((place.file, place.line)).or_default();
        *line = (*line).max(count);
    }
    let mut out = String::new();
    for ((file, line), count) in &most {
        let _ = writeln!(out, "{file}:{line}: {count}");
    }
    let ran = answer.coverage.iter().filter(|p| p.count > 0).count();
    let _ = writeln!(out, "{ran} of {} statements ran", answer.coverage.len());
    out
}
