//! What `plumb run --coverage` and `--profile` print.

use super::run::Answer;
use csyntax::source::{Place, Span};
use csyntax::tree::Unit;
use csyntax::types::TyKind;
use machine::Run;
use machine::profile::Seen;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A statement of a profiled run.
pub struct Point {
    /// Where it stands.
    pub span: Span,
    /// How often it was reached.
    pub count: u64,
    /// The variables that were in scope, and the distinct values they were seen to have there.
    pub values: Vec<(String, Vec<String>)>,
}

/// The profile in the order of the text.
pub fn of(unit: &Unit, run: &Run) -> Vec<Point> {
    let name = |id: csyntax::tree::ObjId| unit[id].name.map_or("?", |n| unit.names.name(n)).to_string();
    let show = |seen: &Seen| match seen {
        Seen::Indeterminate => "indeterminate".to_string(),
        Seen::Int(value) => value.to_string(),
        Seen::Float(bits) => f64::from_bits(*bits).to_string(),
        Seen::Null => "null".to_string(),
        Seen::Object(id, 0) => format!("&{}", name(*id)),
        Seen::Object(id, offset) => format!("&{}+{offset}", name(*id)),
        Seen::Other => "pointer".to_string(),
    };
    let mut points = Vec::new();
    for (point, seen) in run.profile.points.iter().zip(&run.profile.seen) {
        if point.span == Span::NONE {
            continue;
        }
        let column = |k: usize| {
            let mut distinct: Vec<String> = Vec::new();
            for row in &seen.rows {
                let text = show(&row[k]);
                if !distinct.contains(&text) {
                    distinct.push(text);
                }
            }
            distinct
        };
        let called = |v: &machine::profile::Variable| match unit.types.kind(unit[v.object].ty.ty) {
            TyKind::Record(_) | TyKind::Array(..) => format!("{}+{}", name(v.object), v.offset),
            _ => name(v.object),
        };
        let values = point.variables.iter().enumerate().map(|(k, v)| (called(v), column(k)));
        points.push(Point { span: point.span, count: seen.count, values: values.collect() });
    }
    points.sort_by_key(|p| p.span.lo);
    points
}

/// A place in a file.
#[derive(Serialize, JsonSchema)]
pub struct At {
    /// The file.
    file: String,
    /// Counted from 1.
    line: u32,
    /// Counted from 1, in bytes.
    column: u32,
}

impl At {
    /// Of a place.
    pub fn of(place: Place) -> At {
        At { file: place.file, line: place.line, column: place.column }
    }
}

/// A statement of a profiled run, for JSON.
#[derive(Serialize, JsonSchema)]
pub struct Statement {
    /// Where it stands.
    #[serde(flatten)]
    at: At,
    /// How often it ran.
    count: u64,
    /// The variables in scope, with the distinct values they were seen to have.
    values: BTreeMap<String, Vec<String>>,
}

/// Every statement with its count, for JSON.
pub fn points(answer: &Answer) -> Vec<Statement> {
    let point = |point: &Point| Statement {
        at: At::of(answer.source.place(point.span.lo)),
        count: point.count,
        values: point.values.iter().cloned().collect(),
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
