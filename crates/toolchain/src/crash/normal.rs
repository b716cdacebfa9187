//! Takes out of a message what changes from run to run: addresses, directories, quoted names, numbers.

use regex_lite::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The longest signature; what follows tells no more.
const LONGEST: usize = 200;

/// A pattern written in this crate: that it compiles is tested with every recogniser that uses it.
pub(super) fn pattern(text: &'static str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("pattern `{text}`: {error}"))
}

static RULES: LazyLock<[(Regex, &str); 7]> = LazyLock::new(|| {
    [
        // Directories go, the file's own name stays.
        (pattern(r"(?:\.{0,2}/)(?:[^\s/:'`()]+/)*([^\s/:'`()]+)"), "$1"),
        // file.cc:123:45 -> file.cc
        (pattern(r"(\.[A-Za-z]{1,4}):\d+(?::\d+)?"), "$1"),
        (pattern(r"0x[0-9a-fA-F]+"), "ADDR"),
        // Names from the program compiled come in quotes; so do a few words of the compiler's own.
        (pattern(r"[‘'`][^’'`]*[’']"), "NAME"),
        // tcc's `(got "T_1")`: a name of the program by its number, which texts of a compiler's own do not have.
        (pattern(r#""[A-Za-z_]\w*\d\w*""#), "NAME"),
        (pattern(r"\b\d+\b"), "N"),
        (pattern(r"\s+"), " "),
    ]
});

/// The stable part of a message.
#[must_use]
pub fn normalise(message: &str) -> String {
    let mut text: Cow<'_, str> = Cow::Borrowed(message.trim());
    for (rule, by) in RULES.iter() {
        let next = rule.replace_all(&text, *by).into_owned();
        text = Cow::Owned(next);
    }
    shorten(text.trim())
}

/// Cuts at a character boundary.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => text[..end].to_owned(),
        None => text.to_owned(),
    }
}

/// A function's qualified name without template arguments, parameters or return type.
pub(super) fn bare_function(text: &str) -> String {
    let mut name = String::new();
    let mut depth = 0u32;
    let text = text.replace("(anonymous namespace)", "anonymous");
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => break,
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    shorten(name.trim().rsplit(' ').next().unwrap_or_default())
}
