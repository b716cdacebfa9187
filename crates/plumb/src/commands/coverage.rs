//! What `plumb run --coverage` and `--profile` print.

use campaign::front::Answer;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Every statement with its count, and with the values seen if wanted.
pub fn json(answer: &Answer, values: bool) -> Value {
    let statement = |statement: &campaign::front::Statement| {
        let place = answer.source.place(statement.span.lo);
        let mut line = json!({ "file": place.file, "line": place.line, "column": place.column, "count": statement.count });
        if values {
            line["variables"] = json!(statement.variables);
            line["values"] = json!(statement.values);
        }
        line
    };
    answer.statements.iter().map(statement).collect()
}

/// Every statement with its count and the values its variables had, a line each.
pub fn statements(answer: &Answer) -> String {
    /// Values shown of one variable; JSON has all.
    const SHOWN: usize = 8;
    let mut out = String::new();
    for statement in &answer.statements {
        let _ = writeln!(out, "{}: {}", answer.source.place(statement.span.lo), statement.count);
        for (column, name) in statement.variables.iter().enumerate() {
            let mut values: Vec<&str> = Vec::new();
            for row in &statement.values {
                if let Some(value) = row.get(column)
                    && !values.contains(&value.as_str())
                {
                    values.push(value);
                }
            }
            let more = if values.len() > SHOWN { ", ..." } else { "" };
            values.truncate(SHOWN);
            if !values.is_empty() {
                let _ = writeln!(out, "  {name} = {}{more}", values.join(", "));
            }
        }
    }
    out
}

/// Lines with the count of the statement that ran most often there, and the share of statements that ran.
pub fn lines(answer: &Answer) -> String {
    let mut most: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for statement in &answer.statements {
        let place = answer.source.place(statement.span.lo);
        let line = most.entry((place.file, place.line)).or_default();
        *line = (*line).max(statement.count);
    }
    let mut out = String::new();
    for ((file, line), count) in &most {
        let _ = writeln!(out, "{file}:{line}: {count}");
    }
    let ran = answer.statements.iter().filter(|statement| statement.count > 0).count();
    let _ = writeln!(out, "{ran} of {} statements ran", answer.statements.len());
    out
}
