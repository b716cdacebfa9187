//! White space.

use crate::passes::{Pass, Stage};
use crate::{Case, Hint};

/// Removes blank lines, blanks at the end of lines, and all but one of several blanks within a line.
pub struct Blanks;

impl Pass for Blanks {
    fn name(&self) -> &'static str {
        "blanks"
    }

    fn about(&self) -> &'static str {
        "Removes blank lines, blanks at the end of lines, and all but one of several blanks within a line."
    }

    fn stage(&self) -> Stage {
        Stage::Polish
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for (index, file) in case.files.iter().enumerate() {
            let text = &file.text;
            let mut at = 0;
            while at < text.len() {
                let run = text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                if run == 0 {
                    at += 1;
                    continue;
                }
                let blanks = &text[at..at + run];
                let last_line = blanks.iter().rposition(|b| *b == b'\n');
                // The indentation of the next line stays: where it has a meaning it must.
                let with: &[u8] = match last_line {
                    Some(0) => blanks,
                    Some(newline) if at == 0 => &blanks[newline + 1..],
                    Some(newline) => &blanks[newline..],
                    None if at + run == text.len() => b"",
                    None if at == 0 || text[at - 1] == b'\n' => blanks,
                    None => &blanks[..1],
                };
                if with != blanks {
                    hints.push(Hint::put(index, at..at + run, with));
                }
                at += run;
            }
        }
        hints
    }
}
