//! Comments.

use crate::passes::{Pass, Stage};
use crate::tokens::{comments, is_c_like};
use crate::{Case, Hint};

/// Removes comments.
pub struct Comments;

impl Pass for Comments {
    fn name(&self) -> &'static str {
        "comments"
    }

    fn about(&self) -> &'static str {
        "Removes comments of languages with those of C."
    }

    fn stage(&self) -> Stage {
        Stage::Coarse
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for (index, file) in case.files.iter().enumerate().filter(|(_, file)| is_c_like(&file.name)) {
            for span in comments(&file.text) {
                // A comment keeps the words around it apart.
                let blank = |at: Option<&u8>| at.is_none_or(u8::is_ascii_whitespace);
                let before = span.start.checked_sub(1).and_then(|at| file.text.get(at));
                let apart = blank(before) || blank(file.text.get(span.end));
                hints.push(Hint::put(index, span, if apart { "" } else { " " }));
            }
        }
        hints
    }
}
