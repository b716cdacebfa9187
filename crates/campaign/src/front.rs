//! From text to the machine's answer: parse, check, run. The only place that knows all three.

use csyntax::source::{Diagnostic, Severity, SourceMap, Span};
use csyntax::tree::{ObjId, Unit};
use machine::profile::{Profile, Seen};
use machine::{Options, Run};

/// A program that was run.
pub struct Answer {
    /// What the machine says.
    pub run: Run,
    /// Turns its spans into places.
    pub source: SourceMap,
    /// What the parser and checker found worth saying.
    pub warnings: Vec<Diagnostic>,
    /// The statements of the program, in the order of the text; empty unless [`Options::profile`].
    pub statements: Vec<Statement>,
}

/// What is known of a statement after a profiled run.
pub struct Statement {
    /// Where it stands.
    pub span: Span,
    /// How often it ran.
    pub count: u64,
    /// The variables in scope.
    pub variables: Vec<String>,
    /// Distinct rows of their values when it was reached, the first that came.
    pub values: Vec<Vec<String>>,
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
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(Refusal::NotC { diagnostics, source: parsed.source });
    }
    let checked = csyntax::check::check(&parsed.ast, &options.target);
    diagnostics.extend(checked.diagnostics);
    match checked.unit {
        Some(unit) => {
            let mut run = machine::judge(&unit, options);
            let statements = statements(&unit, std::mem::take(&mut run.profile));
            Ok(Answer { run, source: parsed.source, warnings: diagnostics, statements })
        }
        None => Err(Refusal::NotC { diagnostics, source: parsed.source }),
    }
}

/// The profile with names in place of indices.
fn statements(unit: &Unit, profile: Profile) -> Vec<Statement> {
    let name = |object: ObjId| match unit.objects.get(object.0 as usize).and_then(|object| object.name) {
        Some(symbol) => unit.names.name(symbol).to_owned(),
        None => "(unnamed)".to_owned(),
    };
    let value = |seen: Seen| match seen {
        Seen::Indeterminate => "indeterminate".to_owned(),
        Seen::Int(value) => value.to_string(),
        Seen::Null => "null".to_owned(),
        Seen::Object(object, 0) => format!("&{}", name(object)),
        Seen::Object(object, offset) => format!("&{}+{offset}", name(object)),
        Seen::Other => "a pointer".to_owned(),
    };
    let points = profile.points.iter().zip(profile.seen);
    let mut statements: Vec<Statement> = points
        .filter(|(point, _)| point.span != Span::NONE)
        .map(|(point, seen)| Statement {
            span: point.span,
            count: seen.count,
            variables: point.variables.iter().map(|variable| name(variable.object)).collect(),
            values: seen.rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect(),
        })
        .collect();
    statements.sort_by_key(|statement| statement.span.lo);
    statements
}
