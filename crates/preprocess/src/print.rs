//! The result: tokens on their lines, with line markers where lines jump, as `gcc -E` writes them.

use crate::state::{Run, shifted};
use crate::token::{Gap, Kind, Tok, WHITE, would_paste};

/// The text made so far.
#[derive(Default)]
pub(crate) struct Printer {
    pub out: Vec<u8>,
    /// The line of the source that the current line of the result stands for.
    pub line: u32,
    /// Something was written on the current line.
    pub printed: bool,
    /// Padding since the last token.
    pub gap: Gap,
    /// The last token of the line.
    pub previous: Option<Tok>,
}

/// How many lines are skipped with newlines rather than a marker.
const FEW: u32 = 8;

impl Printer {
    /// Ends the current line if it has something on it.
    pub fn end_line(&mut self) {
        if self.printed {
            self.out.push(b'\n');
            self.line = self.line.saturating_add(1);
            self.printed = false;
        }
    }

    /// Writes `# line "name"flags` and, for system headers, the flags for those.
    pub fn marker(&mut self, line: u32, name: &[u8], flags: &str, system: bool) {
        if self.printed {
            self.out.push(b'\n');
            self.printed = false;
        }
        self.line = line;
        self.out.extend_from_slice(format!("# {line} \"").as_bytes());
        for &b in name {
            match b {
                b'"' | b'\\' => self.out.extend_from_slice(&[b'\\', b]),
                b if b < b' ' || b == 0x7f => self.out.extend_from_slice(format!("\\{b:03o}").as_bytes()),
                b => self.out.push(b),
            }
        }
        self.out.push(b'"');
        self.out.extend_from_slice(flags.as_bytes());
        self.out.extend_from_slice(if system { b" 3 4\n" } else { b"\n" });
    }
}

impl Run<'_> {
    /// Writes a marker for a line of the current file.
    pub fn mark(&mut self, line: u32, flags: &str) {
        if let Some(file) = self.files.last() {
            self.printer.marker(shifted(line, file.line_shift), &file.name, flags, file.system);
        }
    }

    /// Makes the next text stand on a line of the current file.
    pub fn go_to_line(&mut self, line: u32) {
        self.printer.end_line();
        let shown = shifted(line, self.files.last().map_or(0, |file| file.line_shift));
        if shown >= self.printer.line && shown - self.printer.line < FEW {
            while self.printer.line < shown {
                self.printer.out.push(b'\n');
                self.printer.line += 1;
            }
        } else {
            self.mark(line, "");
        }
    }

    /// The same, at a column: one blank less, since a token that has white space before it brings that.
    pub fn change_line(&mut self, line: u32, column: u32) {
        self.go_to_line(line);
        self.printer.previous = None;
        self.printer.gap = self.printer.gap.at_new_line();
        self.printer.printed = true;
        let blanks = column.saturating_sub(2) as usize;
        let length = self.printer.out.len();
        self.printer.out.resize(length + blanks, b' ');
    }

    /// Is the current line of the result not the one for this line of the file?
    pub fn is_elsewhere(&self, line: u32) -> bool {
        shifted(line, self.files.last().map_or(0, |file| file.line_shift)) != self.printer.line
    }

    /// Writes a token, with white space before it only if the source has some or if it would paste.
    pub fn print(&mut self, tok: Tok) {
        let (line, column) = if self.from_file { (tok.line, tok.column) } else { self.invocation };
        let gap = self.printer.gap;
        if (gap.seen || tok.has(WHITE)) && self.is_elsewhere(line) {
            self.change_line(line, column);
            self.printer.out.push(b' ');
        } else if gap.seen {
            let pastes = match self.printer.previous {
                Some(previous) => would_paste(previous, tok, &self.names),
                None => tok.kind == Kind::Hash,
            };
            if gap.white(tok) || pastes {
                self.printer.out.push(b' ');
            }
        } else if tok.has(WHITE) {
            self.printer.out.push(b' ');
        }
        self.printer.gap = Gap::default();
        self.printer.previous = Some(tok);
        self.printer.printed = true;
        self.printer.out.extend_from_slice(tok.spelling(&self.names));
    }

    /// Writes what `_Pragma` became, on a line of its own.
    pub fn print_pragma(&mut self, tok: Tok) {
        let line = if self.from_file { tok.line } else { self.invocation.0 };
        // It stands where the reading is, perhaps some lines behind the macro's name.
        self.go_to_line(self.lexer.line);
        self.printer.out.extend_from_slice(b"#pragma ");
        self.printer.out.extend_from_slice(self.names.text(tok.sym));
        self.printer.out.push(b'\n');
        self.mark(line, "");
        self.printer.gap = Gap::default();
        self.printer.previous = None;
    }
}
