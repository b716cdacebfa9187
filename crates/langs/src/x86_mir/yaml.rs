//! The part of YAML that `.mir` files use: block mappings and lists, flow mappings and lists, scalars.

/// A node; scalars are raw text without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Yaml {
    /// A scalar.
    Scalar(String),
    /// A mapping.
    Map(Vec<(String, Yaml)>),
    /// A list.
    List(Vec<Yaml>),
}

impl Yaml {
    /// The value of a key of a mapping.
    pub(super) fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Self::Map(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            Self::Scalar(_) | Self::List(_) => None,
        }
    }

    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(s) => Some(s),
            Self::Map(_) | Self::List(_) => None,
        }
    }

    /// The items of a list; a scalar or mapping has none.
    pub(super) fn items(&self) -> &[Yaml] {
        match self {
            Self::List(items) => items,
            Self::Map(_) | Self::Scalar(_) => &[],
        }
    }

    /// The number a key's scalar spells.
    pub(super) fn number<N: std::str::FromStr>(&self, key: &str) -> Option<N> {
        self.get(key)?.text()?.parse().ok()
    }

    /// The text of a key's scalar, or nothing.
    pub(super) fn string(&self, key: &str) -> &str {
        self.get(key).and_then(Yaml::text).unwrap_or("")
    }
}

const MAX_DEPTH: u32 = 20;

/// Reads a node from lines (comments and blank lines not expected inside).
pub(super) fn read(lines: &[&str]) -> Option<Yaml> {
    Reader { lines, at: 0 }.node(0, 0)
}

struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<(usize, String)> {
        while let Some(line) = self.lines.get(self.at) {
            if line.trim().is_empty() {
                self.at += 1;
                continue;
            }
            return Some((indent(line), line.trim().to_owned()));
        }
        None
    }

    /// A node whose lines are indented by at least `least`.
    fn node(&mut self, least: usize, depth: u32) -> Option<Yaml> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (column, text) = self.peek()?;
        if column < least {
            return None;
        }
        if text.starts_with("- ") || text == "-" {
            return Some(self.list(column, depth));
        }
        Some(self.map(column, depth, None))
    }

    fn list(&mut self, column: usize, depth: u32) -> Yaml {
        let mut items = Vec::new();
        while let Some((c, text)) = self.peek() {
            if c != column || !(text.starts_with("- ") || text == "-") {
                break;
            }
            let rest = text[1..].trim_start().to_owned();
            self.at += 1;
            if rest.starts_with('{') || rest.starts_with('[') || rest.starts_with('\'') {
                items.push(self.value(rest, depth));
            } else if rest.contains(": ") || rest.ends_with(':') {
                items.push(self.map(column + 2, depth + 1, Some(rest)));
            } else {
                items.push(self.value(rest, depth));
            }
        }
        Yaml::List(items)
    }

    fn map(&mut self, column: usize, depth: u32, first: Option<String>) -> Yaml {
        let mut entries = Vec::new();
        let mut pending = first;
        loop {
            let text = match pending.take() {
                Some(text) => text,
                None => match self.peek() {
                    Some((c, text)) if c == column && !text.starts_with("- ") => {
                        self.at += 1;
                        text
                    }
                    _ => break,
                },
            };
            let Some((key, rest)) = text.split_once(':') else { continue };
            let rest = rest.trim();
            let value = if rest.is_empty() {
                match self.peek() {
                    // A list may stand at the indentation of its key.
                    Some((c, next)) if c > column || (c == column && next.starts_with("- ")) => {
                        self.node(c, depth + 1).unwrap_or(Yaml::Scalar(String::new()))
                    }
                    _ => Yaml::Scalar(String::new()),
                }
            } else {
                self.value(rest.to_owned(), depth)
            };
            entries.push((unquote(key.trim()), value));
        }
        Yaml::Map(entries)
    }

    /// A value that starts on the key's line; flow brackets may go on for more lines.
    fn value(&mut self, mut text: String, depth: u32) -> Yaml {
        if text.starts_with('{') || text.starts_with('[') {
            while unbalanced(&text) && self.at < self.lines.len() {
                text.push(' ');
                text.push_str(self.lines[self.at].trim());
                self.at += 1;
            }
            let mut flow = Flow { text: text.as_bytes(), at: 0 };
            return flow.node(depth).unwrap_or(Yaml::Scalar(text));
        }
        Yaml::Scalar(unquote(&text))
    }
}

fn unbalanced(text: &str) -> bool {
    let (mut depth, mut quote) = (0i32, 0u8);
    for b in text.bytes() {
        match b {
            b'\'' | b'"' if quote == 0 => quote = b,
            _ if b == quote => quote = 0,
            b'{' | b'[' if quote == 0 => depth += 1,
            b'}' | b']' if quote == 0 => depth -= 1,
            _ => {}
        }
    }
    depth > 0 || quote != 0
}

fn unquote(text: &str) -> String {
    if text.len() >= 2 && text.starts_with('\'') && text.ends_with('\'') {
        return text[1..text.len() - 1].replace("''", "'");
    }
    if text.len() >= 2 && text.starts_with('"') && text.ends_with('"') {
        return text[1..text.len() - 1].to_owned();
    }
    text.to_owned()
}

struct Flow<'a> {
    text: &'a [u8],
    at: usize,
}

impl Flow<'_> {
    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn node(&mut self, depth: u32) -> Option<Yaml> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.blank();
        match self.text.get(self.at)? {
            b'{' => self.entries(depth),
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                loop {
                    self.blank();
                    match self.text.get(self.at)? {
                        b']' => {
                            self.at += 1;
                            return Some(Yaml::List(items));
                        }
                        b',' => self.at += 1,
                        b'}' => return None,
                        _ => items.push(self.node(depth + 1)?),
                    }
                }
            }
            _ => Some(Yaml::Scalar(self.scalar())),
        }
    }

    fn entries(&mut self, depth: u32) -> Option<Yaml> {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            self.blank();
            match self.text.get(self.at)? {
                b'}' => {
                    self.at += 1;
                    return Some(Yaml::Map(entries));
                }
                b',' => self.at += 1,
                _ => {
                    let start = self.at;
                    while *self.text.get(self.at)? != b':' {
                        self.at += 1;
                    }
                    let key = String::from_utf8_lossy(&self.text[start..self.at]).trim().to_owned();
                    self.at += 1;
                    entries.push((unquote(&key), self.node(depth + 1)?));
                }
            }
        }
    }

    fn scalar(&mut self) -> String {
        let start = self.at;
        if let Some(&quote @ (b'\'' | b'"')) = self.text.get(self.at) {
            self.at += 1;
            while let Some(&b) = self.text.get(self.at) {
                self.at += 1;
                if b == quote {
                    if quote == b'\'' && self.text.get(self.at) == Some(&quote) {
                        self.at += 1;
                        continue;
                    }
                    break;
                }
            }
        } else {
            while self.text.get(self.at).is_some_and(|b| !matches!(b, b',' | b'}' | b']')) {
                self.at += 1;
            }
        }
        unquote(String::from_utf8_lossy(&self.text[start..self.at]).trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lists_that_wrap() {
        let text = "a: 1\nstack:\n  - { id: 0, name: 'x, y', size: 4, \n      alignment: 4 }\nb:\n  - id:  2\n    value: 'double 1.5'\n  - id: 3\n";
        let lines: Vec<&str> = text.lines().collect();
        let doc = read(&lines).unwrap();
        assert_eq!(doc.string("a"), "1");
        let stack = doc.get("stack").unwrap().items();
        assert_eq!((stack[0].string("name"), stack[0].number::<u32>("alignment")), ("x, y", Some(4)));
        let b = doc.get("b").unwrap().items();
        assert_eq!((b.len(), b[0].string("value"), b[1].number::<u32>("id")), (2, "double 1.5", Some(3)));
    }
}
