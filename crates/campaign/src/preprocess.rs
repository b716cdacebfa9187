//! Decides whether a text still needs the preprocessor.

/// Whether `cc -E` could change what the text means: it has a directive, a predefined macro (`__INT_MAX__`), a
/// comment or a continued line. Line markers and pragmas are what a preprocessor leaves.
pub fn is_needed(text: &[u8]) -> bool {
    // A text that begins with a line marker has been through a preprocessor.
    if text.starts_with(b"# 1 \"") || text.starts_with(b"# 0 \"") {
        return false;
    }
    text.split(|b| *b == b'\n').any(|line| {
        let line = line.trim_ascii();
        match line.strip_prefix(b"#") {
            Some(rest) => is_directive(rest.trim_ascii_start()),
            None => line.ends_with(b"\\") || has_comment(line) || has_macro(line),
        }
    })
}

fn is_directive(rest: &[u8]) -> bool {
    let word: &[u8] = rest.split(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default();
    !(word.is_empty() || word == b"pragma" || word == b"ident" || word[0].is_ascii_digit())
}

fn has_comment(line: &[u8]) -> bool {
    line.windows(2).any(|pair| pair == b"//" || pair == b"/*")
}

/// An identifier `__NAME__`, or one of the few predefined names without underscores.
fn has_macro(line: &[u8]) -> bool {
    const PLAIN: &[&[u8]] = &[b"linux", b"unix", b"i386", b"__COUNTER__"];
    line.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).any(|word| {
        (word.len() > 4 && word.starts_with(b"__") && word.ends_with(b"__")) || PLAIN.contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::is_needed;

    #[test]
    fn preprocessed_text_is_left_alone() {
        assert!(!is_needed(b"# 1 \"x.c\"\n#pragma GCC poison\nint main(void) { return 0; }\n"));
    }

    #[test]
    fn what_the_preprocessor_changes_is_seen() {
        for text in
            ["#include <stdio.h>", "  # define X", "int x = __INT_MAX__;", "a \\\nb", "/* c */", "// c"]
        {
            assert!(is_needed(text.as_bytes()), "{text}");
        }
    }
}
