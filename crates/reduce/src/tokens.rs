//! Tokens of any text: as the C lexer reads them where the file's name says that it is like C, else words, numbers,
//! quoted strings and single marks.

use csyntax::lex::token::Tok;
use csyntax::lex::{Lexer, names_with_keywords};
use std::ops::Range;

/// What a token is, as far as passes need to know.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// A name that is no keyword.
    Name,
    /// A keyword of C.
    Keyword,
    /// A number.
    Number,
    /// A string or character constant.
    Quoted,
    /// Anything else.
    Mark,
    /// A part of a line that begins with `#`.
    Directive,
}

/// A token and its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes.
    pub span: Range<usize>,
}

/// Endings of files that the C lexer reads well enough.
const C_LIKE: &[&str] =
    &["c", "h", "i", "cc", "cpp", "cxx", "hpp", "ii", "m", "java", "cl", "cu", "inc", "def"];

/// Does a file of this name hold C or a language with its tokens and comments?
pub fn is_c_like(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| C_LIKE.contains(&ending))
}

/// The tokens of a text, in order; comments are none.
pub fn tokens(text: &[u8], c_like: bool) -> Vec<Token> {
    if !c_like {
        return plain(text, 0..text.len());
    }
    let directives = directives(text);
    let mut pending = directives.iter().peekable();
    let mut found = Vec::new();
    let mut lexer = Lexer::new(text);
    let mut names = names_with_keywords();
    loop {
        let token = lexer.next(&mut names);
        let span = token.lo as usize..token.hi as usize;
        while let Some(line) = pending.next_if(|line| token.kind == Tok::Eof || line.start <= span.start) {
            let words = plain(text, (*line).clone());
            found.extend(words.into_iter().map(|w| Token { kind: TokenKind::Directive, span: w.span }));
        }
        let kind = match token.kind {
            Tok::Eof => return found,
            Tok::Pragma => continue,
            Tok::Ident => TokenKind::Name,
            Tok::Number => TokenKind::Number,
            Tok::Char | Tok::Str => TokenKind::Quoted,
            _ if text[span.clone()].first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') => {
                TokenKind::Keyword
            }
            _ => TokenKind::Mark,
        };
        if !span.is_empty() {
            found.push(Token { kind, span });
        }
    }
}

/// The lines of a C-like text that begin with `#` outside of comments, continued lines included, without the line end.
pub fn directives(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains(&b'#') {
        return found;
    }
    let (mut at, mut fresh) = (0, true);
    while at < text.len() {
        match text[at] {
            b'\n' => (at, fresh) = (at + 1, true),
            b' ' | b'\t' | b'\r' => at += 1,
            b'#' if fresh => {
                let end = line_end(text, at);
                found.push(at..end);
                at = end;
            }
            b'/' if comment_end(text, at).is_some() => at = comment_end(text, at).unwrap_or(text.len()),
            b'"' | b'\'' => (at, fresh) = (quoted_end(text, at), false),
            _ => (at, fresh) = (at + 1, false),
        }
    }
    found
}

/// Is this directive one that the syntax of preprocessed C has: a pragma or a line marker?
pub fn is_of_syntax(line: &[u8]) -> bool {
    let word = line.iter().skip(1).find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
    line.windows(6).any(|w| w == b"pragma") || word.is_none_or(u8::is_ascii_digit)
}

/// The end of a line that backslashes may continue.
fn line_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// The end of the comment that begins here, if one does. That of a line comment is before the line end.
fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1) {
        Some(b'/') => Some(line_end(text, at)),
        Some(b'*') => {
            let close = text[at + 2..].windows(2).position(|w| w == b"*/");
            Some(close.map_or(text.len(), |n| at + 2 + n + 2))
        }
        _ => None,
    }
}

/// The end of the quoted string that begins here; an unclosed one ends with its line.
fn quoted_end(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < text.len() && text[end] != b'\n' {
        match text[end] {
            b'\\' => end += 2,
            b if b == text[at] => return end + 1,
            _ => end += 1,
        }
    }
    end.min(text.len())
}

/// The comments of a C-like text.
pub fn comments(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match (text[at], comment_end(text, at)) {
            (b'/', Some(end)) => {
                found.push(at..end);
                at = end;
            }
            (b'"' | b'\'', _) => at = quoted_end(text, at),
            _ => at += 1,
        }
    }
    found
}

/// The trivial tokeniser: words, numbers, quoted strings on one line, single marks.
fn plain(text: &[u8], part: Range<usize>) -> Vec<Token> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let mut found = Vec::new();
    let mut at = part.start;
    while at < part.end {
        let b = text[at];
        let mut end = at + 1;
        let kind = match b {
            _ if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ if word(b) => {
                while end < part.end && word(text[end]) {
                    end += 1;
                }
                if b.is_ascii_digit() { TokenKind::Number } else { TokenKind::Name }
            }
            b'"' => {
                let close = quoted_end(&text[..part.end], at);
                // An unclosed quote is a mark by itself.
                end = if text[close - 1] == b'"' && close > at + 1 { close } else { end };
                TokenKind::Quoted
            }
            _ => TokenKind::Mark,
        };
        found.push(Token { kind, span: at..end });
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, c_like: bool) -> Vec<&str> {
        tokens(text.as_bytes(), c_like).iter().map(|t| &text[t.span.clone()]).collect()
    }

    #[test]
    fn c_is_read_as_c() {
        let text =
            "#include <a.h>\nint x; // y\n#pragma pack(1)\nchar *s = \"a\\\"b\" /* c */ + 0x1p+3; a->b";
        let expected =
            "# include < a . h > int x ; # pragma pack ( 1 ) char * s = \"a\\\"b\" + 0x1p+3 ; a -> b";
        assert_eq!(words(text, true).join(" "), expected);
        assert_eq!(comments(text.as_bytes()).len(), 2);
    }

    #[test]
    fn anything_is_read_somehow() {
        assert_eq!(
            words("(define x 'a \"b c\") \"", false),
            ["(", "define", "x", "'", "a", "\"b c\"", ")", "\""]
        );
        assert_eq!(words("", true), Vec::<&str>::new());
        assert_eq!(words("\"", false), ["\""]);
    }
}
