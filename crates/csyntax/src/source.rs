//! Places in source text: byte spans, line markers, diagnostics.

/// A half-open byte range `[lo, hi)` in the (preprocessed) text that was parsed. `Span::NONE` for built nodes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The span of nodes that no text stands behind (generated, mutated).
    pub const NONE: Span = Span { lo: 0, hi: 0 };

    /// A span from byte offsets.
    pub fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi }
    }

    /// The smallest span that covers both; `NONE` is neutral.
    pub fn to(self, other: Span) -> Span {
        if self == Span::NONE {
            return other;
        }
        if other == Span::NONE {
            return self;
        }
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// A resolved place: file as the line markers name it, 1-based line and column (bytes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// File name from the last line marker, or the name the text was given.
    pub file: String,
    /// 1-based line in that file.
    pub line: u32,
    /// 1-based column, in bytes.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Maps byte offsets of preprocessed text to places, following `# 12 "file.c"` line markers.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<String>,
    /// Byte offset of the start of each physical line, with the file index and line number it stands for.
    lines: Vec<(u32, u32, u32)>,
}

impl SourceMap {
    /// Scans `text` once. `name` is the file named until the first marker.
    pub fn new(name: &str, text: &[u8]) -> SourceMap {
        let mut files = vec![name.to_string()];
        let mut lines = Vec::new();
        let (mut file, mut line, mut at) = (0u32, 1u32, 0usize);
        let next_hash = |from: usize| memchr::memchr(b'#', &text[from..]).map_or(text.len(), |n| from + n);
        let mut hash = next_hash(0);
        while at <= text.len() {
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n);
            if hash < at {
                hash = next_hash(at);
            }
            let marked = if hash < end { line_marker(&text[at..end]) } else { None };
            if let Some((marked_line, marked_file)) = marked {
                lines.push((at as u32, file, line));
                line = marked_line;
                if let Some(name) = marked_file {
                    file = match files.iter().position(|f| *f == name) {
                        Some(known) => known as u32,
                        None => {
                            files.push(name);
                            files.len() as u32 - 1
                        }
                    };
                }
            } else {
                lines.push((at as u32, file, line));
                line = line.saturating_add(1);
            }
            at = end + 1;
        }
        SourceMap { files, lines }
    }

    /// The place of a byte offset.
    pub fn place(&self, offset: u32) -> Place {
        let index = self.lines.partition_point(|l| l.0 <= offset).saturating_sub(1);
        match self.lines.get(index) {
            Some(&(start, file, line)) => {
                Place { file: self.files[file as usize].clone(), line, column: offset - start + 1 }
            }
            None => Place { file: self.files.first().cloned().unwrap_or_default(), line: 1, column: 1 },
        }
    }
}

/// Reads `# 12 "file.c" ...` or `#line 12 "file.c"`.
fn line_marker(line: &[u8]) -> Option<(u32, Option<String>)> {
    let start = line.iter().position(|b| !matches!(b, b' ' | b'\t'))?;
    if line[start] != b'#' {
        return None;
    }
    let text = String::from_utf8_lossy(&line[start + 1..]);
    let text = text.trim_start();
    let text = text.strip_prefix("line").map_or(text, str::trim_start);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..digits].parse().ok()?;
    let rest = text[digits..].trim_start();
    Some((number, rest.strip_prefix('"').map(quoted_name)))
}

/// A file name up to its closing quote, escapes undone.
fn quoted_name(text: &str) -> String {
    let mut name = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => name.extend(chars.next()),
            c => name.push(c),
        }
    }
    name
}

/// How bad a diagnostic is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The text is not a C program that can be given a meaning.
    Error,
    /// Compilers give it a meaning that plumb does not know.
    Unsupported,
    /// Accepted as compilers accept it, but worth a word.
    Warning,
}

impl Severity {
    /// Is the text not to be used?
    pub fn refuses(self) -> bool {
        match self {
            Severity::Error | Severity::Unsupported => true,
            Severity::Warning => false,
        }
    }
}

/// One finding of the parser or checker about the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What was expected, what was found, what to do.
    pub message: String,
}
