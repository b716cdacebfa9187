//! Programs of several C files: which files belong together, and how each is read.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Files above this size are not read: no compiler under test takes them in reasonable time either.
pub(super) const LARGEST: u64 = 64 << 20;

/// One file of a program of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file.
    pub file: PathBuf,
    /// Options of `cc` that say what it means, as `-DNAME`, beside those of the campaign.
    pub words: Vec<OsString>,
}

/// What can be seen of a file without preprocessing it.
pub(super) struct Look {
    /// Does it define `main`?
    pub main: bool,
    /// C files that it includes: they are no units of their own.
    pub included: Vec<PathBuf>,
}

/// Looks at a file; one that cannot be read defines nothing.
pub(super) fn look(file: &Path) -> Look {
    let usable = fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
    let text = usable.then(|| fs::read(file).ok()).flatten().unwrap_or_default();
    let dir = file.parent().unwrap_or(Path::new(""));
    Look { main: defines_main(&text), included: included(&text).map(|name| dir.join(name)).collect() }
}

/// The names of C files in `#include "name.c"`.
fn included(text: &[u8]) -> impl Iterator<Item = String> {
    text.split(|b| *b == b'\n').filter_map(|line| {
        let rest = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"include")?;
        let name = rest.trim_ascii().strip_prefix(b"\"")?.split(|b| *b == b'"').next()?;
        let name = String::from_utf8(name.to_vec()).ok()?;
        Path::new(&name).extension().is_some_and(|e| e == "c").then_some(name)
    })
}

/// Does a text define a function `main`? Comments, strings and directives are looked through.
pub(super) fn defines_main(text: &[u8]) -> bool {
    let plain = without_comments(text);
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut from = 0;
    while let Some(at) = plain[from..].windows(4).position(|word| word == b"main").map(|at| from + at) {
        from = at + 4;
        let begins = at == 0 || !is_word(plain[at - 1]);
        let rest = plain[from..].trim_ascii_start();
        if begins && rest.first() == Some(&b'(') && is_body(rest) {
            return true;
        }
    }
    false
}

/// Does a body, or a declaration of an old-style parameter, follow the parentheses that the text begins with?
fn is_body(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let next = text[at + 1..].trim_ascii_start().first();
            return next.is_some_and(|next| *next == b'{' || next.is_ascii_alphabetic() || *next == b'_');
        }
    }
    false
}

/// The text with blanks for comments, strings, characters and directives.
fn without_comments(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let (mut at, mut fresh) = (0, true);
    let end_of = |from: usize, end: &[u8]| {
        text[from..]
            .windows(end.len())
            .position(|here| here == end)
            .map_or(text.len(), |n| from + n + end.len())
    };
    while at < text.len() {
        let rest = &text[at..];
        let next = match rest {
            [b'/', b'*', ..] => end_of((at + 2).min(text.len()), b"*/"),
            [b'/', b'/', ..] => line_end(text, at),
            [b'#', ..] if fresh => line_end(text, at),
            [quote @ (b'"' | b'\''), ..] => literal_end(text, at + 1, *quote),
            _ => at,
        };
        if next > at {
            plain.push(b' ');
            at = next;
            continue;
        }
        fresh = text[at] == b'\n' || (fresh && text[at].is_ascii_whitespace());
        plain.push(text[at]);
        at += 1;
    }
    plain
}

/// The end of a line that may go on behind a backslash.
fn line_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() && (text[at] != b'\n' || text[at - 1] == b'\\') {
        at += 1;
    }
    at
}

fn literal_end(text: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from;
    while at < text.len() && text[at] != quote && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_of_main_is_seen() {
        for text in [
            "int main(void) { return 0; }",
            "int main (int argc, char **argv)\n{",
            "main() {}",
            "int main(argc, argv) int argc; char **argv; { }",
            "char q = '\"'; int main(int (*f)(void)) {",
        ] {
            assert!(defines_main(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "int main(void);",
            "int domain(void) { }",
            "int main_2(void) { }",
            "/* int main(void) { } */ int f(void) { return 0; }",
            "// int main(void) { }\nint x;",
            "#define M int main(void) { }\n",
            "#define M \\\n int main(void) { }\n",
            "const char *s = \"int main(void) { }\";",
            "int main(",
        ] {
            assert!(!defines_main(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn included_files_are_seen() {
        let text = b"#include <stdio.h>\n # include \"a.c\"\n#include \"b.h\"\n#include \"sub/c.c\" // why\n";
        assert_eq!(included(text).collect::<Vec<_>>(), ["a.c", "sub/c.c"]);
    }
}
