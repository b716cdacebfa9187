//! Diagnostics as a compiler prints them: place, severity, message, the line of the source and a caret under it.

use csyntax::source::{Diagnostic, Severity, SourceMap, Span};
use std::fmt::Write as _;

/// Lines of the source are cut here; generated text can have very long ones.
const WIDEST: usize = 160;

/// Renders all diagnostics, errors and warnings in their order, at most `most` of them.
pub fn render(diagnostics: &[Diagnostic], source: &SourceMap, text: &[u8], most: usize) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(most) {
        let severity = match diagnostic.severity {
            Severity::Error | Severity::Unsupported => "error",
            Severity::Warning => "warning",
        };
        out.push_str(&message(severity, &diagnostic.message, diagnostic.span, source, text));
    }
    if diagnostics.len() > most {
        let _ = writeln!(out, "... and {} more", diagnostics.len() - most);
    }
    out
}

/// One message at a place: `file:line:column: error: message`, the line and a caret.
pub fn message(kind: &str, message: &str, span: Span, source: &SourceMap, text: &[u8]) -> String {
    if span == Span::NONE {
        return format!("{kind}: {message}\n");
    }
    let mut out = format!("{}: {kind}: {message}\n", source.place(span.lo));
    out.push_str(&excerpt(span, text));
    out
}

/// The physical line of a span with its part underlined.
fn excerpt(span: Span, text: &[u8]) -> String {
    let at = (span.lo as usize).min(text.len());
    let start = text[..at].iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
    let end = text[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |newline| at + newline);
    // Of a line too long to show, show the part around the place.
    let from = if at - start > WIDEST / 2 { at - WIDEST / 2 } else { start };
    let to = end.min(from + WIDEST);
    let shown = |bytes: &[u8]| -> String {
        let text = String::from_utf8_lossy(bytes);
        text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
    };
    let line = shown(&text[from..to]);
    let before: String = shown(&text[from..at]).chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
    let under = (span.hi as usize).clamp(at, to).saturating_sub(at).max(1);
    let width = shown(&text[at..(at + under).min(to)]).chars().count().max(1);
    format!(" | {line}\n | {before}^{}\n", "~".repeat(width - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, lo: u32, hi: u32) -> String {
        let source = SourceMap::new("a.c", text.as_bytes());
        message("error", "no", Span::new(lo, hi), &source, text.as_bytes())
    }

    #[test]
    fn the_caret_stands_under_the_place() {
        assert_eq!(
            rendered("int x;\n\tfoo bar;\n", 12, 15),
            "a.c:2:6: error: no\n | \tfoo bar;\n | \t    ^~~\n"
        );
    }

    #[test]
    fn long_lines_and_odd_bytes_do_no_harm() {
        let long = "x".repeat(10_000);
        let shown = rendered(&long, 9_000, 9_001);
        assert!(shown.len() < 600, "{}", shown.len());
        assert!(rendered("", 0, 0).contains("error"));
        assert!(rendered("a", 5, 9).contains("error"));
        assert!(rendered("\u{1b}[31m;", 5, 6).contains('\u{fffd}'));
    }
}
