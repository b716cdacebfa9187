//! The last edit: a text that a person likes to read.

use crate::passes::{Pass, Stage};
use crate::tokens::directives;
use crate::{Case, File, Hint};
use csyntax::print::print;

/// Writes C anew, as plumb's printer does.
pub struct Pretty;

impl Pass for Pretty {
    fn name(&self) -> &'static str {
        "pretty"
    }

    fn about(&self) -> &'static str {
        "Writes C anew with the usual indentation, at the end."
    }

    fn stage(&self) -> Stage {
        Stage::Finish
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let files = case.files.iter().enumerate();
        files.filter_map(|(index, file)| Some(Hint::put(index, 0..file.text.len(), printed(file)?))).collect()
    }
}

/// The file as the printer writes it. Directives are not of the syntax: they can be kept where nothing stands before them.
fn printed(file: &File) -> Option<Vec<u8>> {
    let ast = file.syntax()?;
    let directives = directives(&file.text);
    let first = file.tokens().iter().find(|t| t.kind != crate::tokens::TokenKind::Directive);
    let ahead = |span: &std::ops::Range<usize>| first.is_none_or(|token| span.end <= token.span.start);
    if !directives.iter().all(ahead) {
        return None;
    }
    let mut text = Vec::new();
    for span in directives {
        text.extend_from_slice(&file.text[span]);
        text.push(b'\n');
    }
    text.extend(print(ast).into_bytes());
    Some(text)
}
