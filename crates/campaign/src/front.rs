//! From text to the machine's answer: parse, check, run. The only place that knows all three.

use csyntax::source::{Diagnostic, Severity, SourceMap, Span};
use csyntax::tree::Unit;
use csyntax::types::TyKind;
use machine::profile::Seen;
use machine::{Options, Run};

/// A program that was run.
pub struct Answer {
    /// What the machine says.
    pub run: Run,
    /// Turns its spans into places.
    pub source: SourceMap,
    /// What the parser and checker found worth saying.
    pub warnings: Vec<Diagnostic>,
    /// Statements and how often each ran, in the order of the text; empty unless [`Options::profile`].
    pub coverage: Vec<Point>,
}

/// Why a text was not run.
pub enum Refusal {
    /// It is not a C program.
    NotC {
        /// What is wrong, in order.
        diagnostics: Vec<Diagnostic>,
        /// Turns their spans into places.
        source: SourceMap,
    },
    /// plumb itself failed: a bug to report.
    Internal(String),
}

/// Gives a preprocessed text its meaning. Never panics: a panic inside is a [`Refusal::Internal`].
pub fn meaning(text: &[u8], name: &str, options: &Options) -> Result<Answer, Refusal> {
    let work = std::panic::AssertUnwindSafe(|| evaluate(text, name, options));
    std::panic::catch_unwind(work).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Refusal::Internal(said))
    })
}

fn evaluate(text: &[u8], name: &str, options: &Options) -> Result<Answer, Refusal> {
    let parsed = csyntax::parse::parse(text, name);
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.iter().any(|d| d.severity.refuses()) {
        return refusal(diagnostics, parsed.source);
    }
    let checked = csyntax::check::check(&parsed.ast, &options.target);
    // What follows can use its memory again.
    drop(parsed.ast);
    diagnostics.extend(checked.diagnostics);
    match checked.unit {
        Some(unit) => {
            let run =
                if options.judge { machine::judge(&unit, options) } else { machine::run(&unit, options) };
            let coverage = if options.profile { coverage(&unit, &run) } else { Vec::new() };
            Ok(Answer { run, source: parsed.source, warnings: diagnostics, coverage })
        }
        None => refusal(diagnostics, parsed.source),
    }
}

/// The answer for a text that is refused. The first reason decides: others may follow from it.
fn refusal(diagnostics: Vec<Diagnostic>, source: SourceMap) -> Result<Answer, Refusal> {
    match diagnostics.iter().find(|d| d.severity.refuses()) {
        Some(Diagnostic { severity: Severity::Unsupported, span, message }) => {
            let run = Run::unsupported(message.clone(), *span);
            Ok(Answer { run, source, warnings: Vec::new(), coverage: Vec::new() })
        }
        _ => Err(Refusal::NotC { diagnostics, source }),
    }
}

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
fn coverage(unit: &Unit, run: &Run) -> Vec<Point> {
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
