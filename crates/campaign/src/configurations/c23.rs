//! Whether a text is in C23: by words and spellings that no program of C17 has. What it does not recognise costs a refused
//! compilation more, since compilers are asked for C23 where they refuse a program too; what it takes for C23 is compiled
//! without if that is refused.

/// Words of C23 that are none of C17 and, once a program is preprocessed, macros of it no more.
const WORDS: &[&[u8]] =
    &[b"constexpr", b"nullptr", b"typeof_unqual", b"static_assert", b"thread_local", b"alignas", b"alignof"];

/// Has the text C23 in it, outside of comments, strings and character constants?
pub(super) fn is_in(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(first) = text.get(at) {
        let rest = &text[at..];
        at += match first {
            b'"' | b'\'' => quoted(rest, *first),
            b'/' if rest.starts_with(b"//") => until(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => until(rest, b"*/"),
            b'[' if rest.starts_with(b"[[") => return true,
            b'0'..=b'9' => {
                let (len, is_separated) = number(rest);
                if is_separated {
                    return true;
                }
                len
            }
            c if is_word(*c) => {
                let len = rest.iter().position(|c| !is_word(*c)).unwrap_or(rest.len());
                // `u8'x'` is of C23 too, but `L'x'` is not.
                if WORDS.contains(&&rest[..len]) {
                    return true;
                }
                len
            }
            _ => 1,
        };
    }
    false
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$'
}

/// How long a string or character constant is.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(c) = text.get(at) {
        at += match *c {
            b'\\' => 2,
            c if c == quote || c == b'\n' => return at + 1,
            _ => 1,
        };
    }
    text.len()
}

/// How long what ends in `end` is.
fn until(text: &[u8], end: &[u8]) -> usize {
    let found = text[2..].windows(end.len()).position(|bytes| bytes == end);
    found.map_or(text.len(), |at| 2 + at + end.len())
}

/// How long a number is, and whether there is a separator in it.
fn number(text: &[u8]) -> (usize, bool) {
    let len = text.iter().position(|c| !(is_word(*c) || *c == b'.')).unwrap_or(text.len());
    let is_separated =
        text[len..].first() == Some(&b'\'') && text.get(len + 1).is_some_and(u8::is_ascii_hexdigit);
    (len, is_separated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c23_is_told_from_c17() {
        for text in [
            "constexpr int n = 1;",
            "int *p = nullptr;",
            "int n = 1'000;",
            "int n = 0xf'ffU;",
            "[[nodiscard]] int f(void);",
            "/* ' */ int a; static_assert(1);",
            "char *s = \"\\\"\"; int *p = nullptr;",
            "int c = 'a'; // it's\nint *p = nullptr;",
        ] {
            assert!(is_in(text.as_bytes()), "{text}");
        }
        for text in [
            "int main(void) { return 0; }",
            "/* constexpr [[x]] 1'000 */ // nullptr\nint constexpr_ = 'a', b = a[i[0]];",
            "char *s = \"[[ constexpr 1'0\"; int c = '\\'', d = L'1', e = 12 + '0';",
            "_Static_assert(1, \"nullptr\"); _Alignas(8) int a = 0x1p-3 > 1.5e+3;",
            "\"",
            "'",
            "/*",
            "//",
            "",
        ] {
            assert!(!is_in(text.as_bytes()), "{text}");
        }
    }
}
