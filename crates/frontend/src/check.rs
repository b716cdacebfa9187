//! From a preprocessed text to its typed tree, or what is wrong with it.

use crate::error::Refused;
use csyntax::source::{Diagnostic, Severity, SourceMap, Span};
use csyntax::target::Target;
use csyntax::tree::Unit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program.
pub struct Checked {
    /// Its typed tree.
    pub unit: Unit,
    /// Turns spans into places.
    pub source: SourceMap,
    /// What the parser and checker found worth saying.
    pub warnings: Vec<Diagnostic>,
}

/// Why a text is not run.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// It is not a C program.
    NotC(Refused),
    /// It uses what plumb does not know.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        span: Span,
        /// Turns the span into a place.
        source: SourceMap,
    },
    /// plumb itself failed, with these words: a bug to report.
    Internal(String),
}

/// Parses and checks a preprocessed text, called `name` in its messages, for a data model. Never panics: a panic
/// inside is a [`Refusal::Internal`].
pub fn check(text: &[u8], name: &str, target: &Target) -> Result<Checked, Refusal> {
    guarded(|| evaluate(text, name, target)).unwrap_or_else(|said| Err(Refusal::Internal(said)))
}

/// What `work` gives, or the words of the panic that ended it.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
        said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}

fn evaluate(text: &[u8], name: &str, target: &Target) -> Result<Checked, Refusal> {
    let parsed = csyntax::parse::parse(text, name);
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.iter().any(|d| d.severity.refuses()) {
        return Err(refusal(diagnostics, parsed.source));
    }
    let checked = csyntax::check::check(&parsed.ast, target);
    // What follows can use its memory again.
    drop(parsed.ast);
    diagnostics.extend(checked.diagnostics);
    match checked.unit {
        Some(unit) => Ok(Checked { unit, source: parsed.source, warnings: diagnostics }),
        None => Err(refusal(diagnostics, parsed.source)),
    }
}

/// The first reason decides: others may follow from it.
fn refusal(diagnostics: Vec<Diagnostic>, source: SourceMap) -> Refusal {
    match diagnostics.iter().find(|d| d.severity.refuses()) {
        Some(Diagnostic { severity: Severity::Unsupported, span, message }) => {
            Refusal::Unsupported { what: message.clone(), span: *span, source }
        }
        Some(_) | None => Refusal::NotC(Refused { diagnostics, source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Refusal {
        check(text.as_bytes(), "a.c", &Target::LP64).err().expect("refused")
    }

    #[test]
    fn a_program_has_a_tree() {
        let checked = check(b"int main(void) { return 0; }\n", "a.c", &Target::LP64);
        assert!(checked.is_ok_and(|c| c.warnings.is_empty()));
    }

    #[test]
    fn errors_of_parser_and_checker_have_carets() {
        for (text, place) in
            [("int x = ;\n", "a.c:1:9: error: "), ("int f(void) { return y; }\n", "a.c:1:22: ")]
        {
            let Refusal::NotC(refused) = refused(text) else { panic!("{text}") };
            let shown = refused.render(text.as_bytes());
            assert!(shown.starts_with(place) && shown.contains("\n |") && shown.contains('^'), "{shown}");
            assert!(refused.first().starts_with(&place[..9]));
        }
    }

    #[test]
    fn a_panic_is_words() {
        assert_eq!(guarded(|| -> u8 { panic!("no {}", 1) }), Err("no 1".to_owned()));
        assert_eq!(guarded(|| 3), Ok(3));
    }
}
