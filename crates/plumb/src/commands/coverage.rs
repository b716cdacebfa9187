//! What `plumb run --coverage` and `--profile` print.

use campaign::front::Answer;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Every statement with its count, for JSON.
pub fn points(answer: &Answer) -> Value {
    let point = |(span, count): &(campaign::Span, u64)| {
        let place = answer.source.place(span.lo);
        json!({ "file": place.file, "line": place.line, "column": place.column, "count": count })
    };
    answer.coverage.iter().map(point).collect()
}

/// Every statement with its count, a line each.
pub fn statements(answer: &Answer) -> String {
    let mut out = String::new();
    for (span, count) in &answer.coverage {
        let _ = writeln!(out, "{}: {count}", answer.source.place(span.lo));
    }
    out
}

/// Lines with the count of the statement that ran most often there, and the share of statements that ran.
pub fn lines(answer: &Answer) -> String {
    let mut most: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for (span, count) in &answer.coverage {
        let place = answer.source.place(span.lo);
        let line = most.entry((place.file, place.line)).or_default();
        *line = (*line).max(*count);
    }
    let mut out = String::new();
    for ((file, line), count) in &most {
        let _ = writeln!(out, "{file}:{line}: {count}");
    }
    let ran = answer.coverage.iter().filter(|(_, count)| *count > 0).count();
    let _ = writeln!(out, "{ran} of {} statements ran", answer.coverage.len());
    out
}
