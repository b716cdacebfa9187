//! One file's text after translation phases 1 and 2 (C11 5.1.1.2): lines spliced, trigraphs replaced where wanted.
//!
//! Line numbers stay those of the file: the places where lines were spliced are kept aside.

use memchr::{memchr, memchr_iter, memmem};

/// The longest text accepted.
pub const LARGEST: usize = 1 << 30;

/// A text made ready for the preprocessor. It may be used for many runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Ends with a newline and a zero byte, which the lexer reads but which is not part of the text.
    pub(crate) text: Vec<u8>,
    /// Offsets at which a spliced line goes on.
    pub(crate) splices: Vec<u32>,
}

impl Source {
    /// Prepares a text. What lies beyond [`LARGEST`] bytes is cut off.
    pub fn new(mut bytes: Vec<u8>, trigraphs: bool) -> Source {
        bytes.truncate(LARGEST);
        let replace = trigraphs && memmem::find(&bytes, b"??").is_some();
        let spliced = memchr_iter(b'\\', &bytes).any(|at| splice(&bytes, at).is_some());
        let marked = bytes.starts_with(b"\xef\xbb\xbf");
        let mut splices = Vec::new();
        if replace || spliced || marked || memchr(b'\r', &bytes).is_some() {
            bytes = clean(&bytes[if marked { 3 } else { 0 }..], replace, &mut splices);
        }
        if bytes.last() != Some(&b'\n') {
            bytes.push(b'\n');
        }
        bytes.push(0);
        Source { text: bytes, splices }
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.text.len() - 1
    }

    /// Never: there is at least a newline.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// The length of a backslash-newline at `at`, blanks between the two included as compilers allow.
fn splice(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    while matches!(text.get(end), Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
        end += 1;
    }
    match text.get(end) {
        Some(b'\n') => Some(end + 1 - at),
        Some(_) => None,
        None => Some(end - at),
    }
}

fn clean(text: &[u8], trigraphs: bool, splices: &mut Vec<u32>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let stop = rest.iter().position(|b| matches!(b, b'\\' | b'\r') || trigraphs && *b == b'?');
        let Some(stop) = stop else {
            out.extend_from_slice(rest);
            break;
        };
        out.extend_from_slice(&rest[..stop]);
        at += stop;
        match text[at] {
            b'\r' if text.get(at + 1) == Some(&b'\n') => at += 1,
            b'\\' => at += backslash(text, at, 1, &mut out, splices),
            b'?' => match trigraph(text, at) {
                Some(b'\\') => at += backslash(text, at, 3, &mut out, splices),
                Some(byte) => {
                    out.push(byte);
                    at += 3;
                }
                None => {
                    out.push(b'?');
                    at += 1;
                }
            },
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// Takes a backslash that is written in `width` bytes; returns how many bytes were taken.
fn backslash(text: &[u8], at: usize, width: usize, out: &mut Vec<u8>, splices: &mut Vec<u32>) -> usize {
    match splice(text, at + width - 1) {
        Some(length) => {
            splices.push(out.len() as u32);
            length + width - 1
        }
        None => {
            out.push(b'\\');
            width
        }
    }
}

fn trigraph(text: &[u8], at: usize) -> Option<u8> {
    if text.get(at + 1) != Some(&b'?') {
        return None;
    }
    Some(match text.get(at + 2)? {
        b'=' => b'#',
        b'(' => b'[',
        b'/' => b'\\',
        b')' => b']',
        b'\'' => b'^',
        b'<' => b'{',
        b'!' => b'|',
        b'>' => b'}',
        b'-' => b'~',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_spliced_and_remembered() {
        let source = Source::new(b"a\\\nb\\ \t\nc\nd\\".to_vec(), false);
        assert_eq!(&*source.text, b"abc\nd\n\0");
        assert_eq!(&*source.splices, &[1, 2, 5]);
    }

    #[test]
    fn plain_text_stays_and_gets_its_last_newline() {
        assert_eq!(&*Source::new(b"a\\b".to_vec(), true).text, b"a\\b\n\0");
        assert_eq!(&*Source::new(Vec::new(), true).text, b"\n\0");
    }

    #[test]
    fn trigraphs_are_replaced_where_wanted() {
        let text = b"??=x ??/\ny ?? ??? ??>".to_vec();
        assert_eq!(&*Source::new(text.clone(), true).text, b"#x y ?? ??? }\n\0");
        assert_eq!(&*Source::new(text, false).text, b"??=x ??/\ny ?? ??? ??>\n\0");
    }
}
