//! How unlike two findings are: the tokens of their programs and of what went wrong, compared in runs of three (shingles).

use std::collections::BTreeSet;

/// Tokens in a shingle.
const WIDTH: usize = 3;
/// The part of what went wrong in the distance; the rest is the program's.
const OUTPUT_SHARE: f64 = 0.25;

/// What of a finding is compared.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Features {
    program: BTreeSet<String>,
    output: BTreeSet<String>,
}

impl Features {
    /// Of a program's text, and of what went wrong in words.
    pub fn of(program: &str, output: &str) -> Features {
        // What nearly all programs declare says nothing.
        let telling = program.lines().filter(|line| !line.trim_start().starts_with("int printf("));
        let telling = telling.collect::<Vec<_>>().join("\n");
        Features { program: shingles(&tokens(&telling)), output: shingles(&tokens(output)) }
    }

    /// From 0 (alike) to 1 (nothing in common).
    pub fn distance(&self, other: &Features) -> f64 {
        (1.0 - OUTPUT_SHARE) * jaccard(&self.program, &other.program)
            + OUTPUT_SHARE * jaccard(&self.output, &other.output)
    }
}

fn jaccard(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let all = a.union(b).count();
    if all == 0 { 0.0 } else { 1.0 - a.intersection(b).count() as f64 / all as f64 }
}

fn shingles(tokens: &[String]) -> BTreeSet<String> {
    let runs = tokens.windows(WIDTH.min(tokens.len()).max(1));
    runs.map(|run| run.join(" ")).collect()
}

/// Words that mean something in every C program; other names are a program's own.
const WORDS: &[&str] = &[
    "_Bool",
    "__attribute__",
    "__int128",
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "main",
    "printf",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// The tokens of a C text without what is one program's own: names become `I`, numbers `N` with their suffix, texts `S`.
pub fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphabetic() || first == '_' {
            span(rest, |c| c.is_alphanumeric() || c == '_')
        } else if first.is_ascii_digit() {
            span(rest, |c| c.is_alphanumeric() || c == '.')
        } else if first == '"' || first == '\'' {
            quoted(rest, first)
        } else {
            operator(rest)
        };
        let (token, behind) = rest.split_at(length);
        found.push(plain(token, first));
        rest = behind.trim_start();
    }
    found
}

fn plain(token: &str, first: char) -> String {
    if first.is_ascii_digit() {
        let suffix = token.trim_start_matches(|c: char| !matches!(c, 'u' | 'U' | 'l' | 'L'));
        return format!("N{}", suffix.to_uppercase());
    }
    match first {
        '"' => "S".to_owned(),
        '\'' => "N".to_owned(),
        _ if first.is_alphabetic() || first == '_' => {
            let own = !WORDS.contains(&token) && !token.starts_with("__builtin_");
            if own { "I".to_owned() } else { token.to_owned() }
        }
        _ => token.to_owned(),
    }
}

fn span(text: &str, inside: impl Fn(char) -> bool) -> usize {
    text.find(|c| !inside(c)).unwrap_or(text.len())
}

fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn operator(text: &str) -> usize {
    const LONG: &[&str] = &[
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
        "*=", "/=", "%=", "&=", "|=", "^=",
    ];
    let long = LONG.iter().find(|long| text.starts_with(**long)).map(|long| long.len());
    long.unwrap_or_else(|| text.chars().next().map_or(1, char::len_utf8))
}

/// A short text for a program's shape, by which a bug without culprit can be known again: what operators, types and
/// statements it has.
pub fn shape(text: &str) -> String {
    let dull = [
        "(", ")", "{", "}", ";", ",", "I", "N", "S", "main", "printf", "int", "return", "*", "=", "void",
        "const",
    ];
    let words: BTreeSet<String> =
        tokens(text).into_iter().filter(|token| !dull.contains(&token.as_str())).collect();
    words.into_iter().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_do_not_matter() {
        let one = Features::of("int f(int a) { return a + 1u; }", "exit");
        let other = Features::of("int g(int  zz){return zz+23U;}", "exit");
        assert_eq!(one.distance(&other), 0.0);
        let third =
            Features::of("struct s { int x : 3; } y; int main(void) { return y.x << 4; }", "signal 11");
        assert!(one.distance(&third) > 0.8);
    }

    #[test]
    fn tokens_of_any_text_end() {
        for text in ["", "\"abc", "'", "é ü ->>", "a\\\n\"x\\\"y\"", "0x1FuLL 1.5e3 '\\''"] {
            assert!(tokens(text).len() <= text.len() + 1, "{text}");
        }
        assert_eq!(
            tokens("x->y<<=0x1FuLL + __builtin_clz(\"a\\\"b\")").join(" "),
            "I -> I <<= NULL + __builtin_clz ( S )"
        );
    }
}
