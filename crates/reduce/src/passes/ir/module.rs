//! A text of LLVM IR in parts: functions, blocks, instructions and the rest, each with its bytes.

use crate::{Case, Hint, Patch};
use std::ops::Range;

/// A file of LLVM IR.
pub struct Module<'c> {
    /// Which file of the case.
    pub file: usize,
    /// Its text.
    pub text: &'c str,
    /// Functions with bodies.
    pub functions: Vec<Function<'c>>,
    /// All other lines, whole, with their ends: globals, declarations, attributes, metadata.
    pub others: Vec<Range<usize>>,
}

/// A function with a body.
pub struct Function<'c> {
    /// With the `@`.
    pub name: &'c str,
    /// The line that begins it, without its end.
    pub head: Range<usize>,
    /// From the head to behind the closing brace's line.
    pub span: Range<usize>,
    /// In order; the first is the entry.
    pub blocks: Vec<Block<'c>>,
}

/// A block.
pub struct Block<'c> {
    /// Without `%` and `:`; `None` where the entry has none.
    pub label: Option<&'c str>,
    /// The line of the label, with its end; empty where there is none.
    pub label_line: Range<usize>,
    /// In order; the last is the terminator.
    pub instructions: Vec<Instruction<'c>>,
}

/// An instruction, all of its lines.
pub struct Instruction<'c> {
    /// Whole lines, with their ends.
    pub lines: Range<usize>,
    /// From its first byte to its last.
    pub span: Range<usize>,
    /// With the `%`.
    pub result: Option<&'c str>,
    /// Its text from the opcode on, and where that begins.
    pub body: &'c str,
    /// Where the body begins.
    pub at: usize,
}

impl Block<'_> {
    /// All of its lines.
    pub fn span(&self) -> Range<usize> {
        let end = self.instructions.last().map_or(self.label_line.end, |i| i.lines.end);
        let first = self.instructions.first().map_or(end, |i| i.lines.start);
        if self.label_line.is_empty() { first..end } else { self.label_line.start..end }
    }
}

impl<'c> Instruction<'c> {
    /// The first word, behind `tail` and its like.
    pub fn opcode(&self) -> &'c str {
        let mut words = self.body.split_whitespace();
        words.find(|word| !matches!(*word, "tail" | "musttail" | "notail")).unwrap_or("")
    }
}

/// Is it a byte of a name?
fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-')
}

/// The name that begins at this place with `%`, `@` or `!`; quoted ones have their quotes.
pub fn name_at(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    if bytes.get(end) == Some(&b'"') {
        let close = text[end + 1..].find('"').map_or(text.len(), |n| end + 1 + n + 1);
        return &text[at..close];
    }
    while bytes.get(end).is_some_and(|b| is_word(*b)) {
        end += 1;
    }
    &text[at..end]
}

/// Where a name (with its sigil) stands as a whole, in a part of the text.
pub fn uses<'t>(text: &'t str, part: Range<usize>, name: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let base = part.start;
    text[part].match_indices(name).filter_map(move |(at, _)| {
        let span = base + at..base + at + name.len();
        let ends = text.as_bytes().get(span.end).is_none_or(|b| !is_word(*b) || name.ends_with('"'));
        ends.then_some(span)
    })
}

/// How many brackets are open behind a line, outside of strings.
fn depth(line: &str) -> isize {
    let (mut depth, mut quoted) = (0, false);
    for b in line.bytes() {
        match b {
            b'"' => quoted = !quoted,
            b'(' | b'[' | b'{' if !quoted => depth += 1,
            b')' | b']' | b'}' if !quoted => depth -= 1,
            b';' if !quoted => break,
            _ => {}
        }
    }
    depth
}

/// Parts of a list between commas that are in no bracket.
pub fn parts(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let (mut depth, mut quoted, mut from) = (0, false, span.start);
    let mut all = Vec::new();
    for (n, b) in text[span.clone()].bytes().enumerate() {
        match b {
            b'"' => quoted = !quoted,
            b'(' | b'[' | b'{' | b'<' if !quoted => depth += 1,
            b')' | b']' | b'}' | b'>' if !quoted => depth -= 1,
            b',' if !quoted && depth == 0 => {
                all.push(from..span.start + n);
                from = span.start + n + 1;
            }
            _ => {}
        }
    }
    if !text[from..span.end].trim().is_empty() {
        all.push(from..span.end);
    }
    all
}

/// A deletion of one part of a list with a comma.
pub fn cut_part(parts: &[Range<usize>], index: usize) -> Range<usize> {
    match parts.get(index + 1) {
        Some(next) => parts[index].start..next.start,
        None if index > 0 => parts[index - 1].end..parts[index].end,
        None => parts[index].clone(),
    }
}

/// The bytes inside the bracket that opens at this place.
pub fn inside(text: &str, open: usize) -> Option<Range<usize>> {
    let (mut depth, mut quoted) = (0, false);
    for (n, b) in text[open..].bytes().enumerate() {
        match b {
            b'"' => quoted = !quoted,
            b'(' | b'[' if !quoted => depth += 1,
            b')' | b']' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + 1..open + n);
                }
            }
            _ => {}
        }
    }
    None
}

impl<'c> Module<'c> {
    /// Reads a text; what is not understood is among the other lines.
    pub fn read(file: usize, text: &'c str) -> Module<'c> {
        let mut module = Module { file, text, functions: Vec::new(), others: Vec::new() };
        let mut at = 0;
        let mut lines = text.split_inclusive('\n').map(|line| {
            at += line.len();
            at - line.len()..at
        });
        while let Some(line) = lines.next() {
            let words = text[line.clone()].trim_end();
            if words.starts_with("define ") && words.ends_with('{') {
                module.functions.push(function(text, line, &mut lines));
            } else {
                module.others.push(line);
            }
        }
        module
    }

    /// A patch of this file.
    pub fn put(&self, span: Range<usize>, with: impl Into<Vec<u8>>) -> Patch {
        Patch { file: self.file, span, with: with.into() }
    }

    /// A deletion in this file.
    pub fn cut(&self, span: Range<usize>) -> Patch {
        Patch::cut(self.file, span)
    }
}

fn function<'c>(
    text: &'c str,
    head: Range<usize>,
    lines: &mut impl Iterator<Item = Range<usize>>,
) -> Function<'c> {
    let at = text[head.clone()].find('@').map_or(head.start, |n| head.start + n);
    let name = name_at(text, at);
    let trimmed = head.start..head.start + text[head.clone()].trim_end().len();
    let mut made = Function { name, head: trimmed, span: head.clone(), blocks: Vec::new() };
    let mut open: Option<(Range<usize>, isize)> = None;
    for line in lines {
        made.span.end = line.end;
        let words = text[line.clone()].trim();
        if let Some((lines, deep)) = &mut open {
            lines.end = line.end;
            *deep += depth(words);
            if *deep <= 0 {
                let lines = lines.clone();
                open = None;
                push(text, &mut made, lines);
            }
        } else if words == "}" {
            break;
        } else if let Some(label) = label(words) {
            made.blocks.push(Block { label: Some(label), label_line: line, instructions: Vec::new() });
        } else if !words.is_empty() && !words.starts_with(';') {
            match depth(words) {
                deep if deep > 0 => open = Some((line, deep)),
                _ => push(text, &mut made, line),
            }
        }
    }
    made
}

/// The name of a line that is a label.
fn label(words: &str) -> Option<&str> {
    let words = words.split(';').next().unwrap_or("").trim_end();
    let name = words.strip_suffix(':')?;
    let quoted = name.len() > 1 && name.starts_with('"') && name.ends_with('"');
    (quoted || !name.is_empty() && name.bytes().all(is_word)).then_some(name)
}

fn push<'c>(text: &'c str, made: &mut Function<'c>, lines: Range<usize>) {
    let whole = &text[lines.clone()];
    let start = lines.start + whole.len() - whole.trim_start().len();
    let span = start..start + whole.trim().len();
    let words = &text[span.clone()];
    let (result, at) = match words.starts_with('%').then(|| words.split_once(" = ")).flatten() {
        Some((name, _)) => (Some(name), span.start + name.len() + 3),
        None => (None, span.start),
    };
    let instruction = Instruction { lines, body: &text[at..span.end], span, result, at };
    match made.blocks.last_mut() {
        Some(block) => block.instructions.push(instruction),
        None => made.blocks.push(Block {
            label: None,
            label_line: instruction.lines.start..instruction.lines.start,
            instructions: vec![instruction],
        }),
    }
}

/// The hints for all files of LLVM IR.
pub fn each(case: &Case, propose: fn(&Module<'_>, &mut Vec<Hint>)) -> Vec<Hint> {
    let mut hints = Vec::new();
    for (index, file) in case.files.iter().enumerate() {
        let Ok(text) = std::str::from_utf8(&file.text) else { continue };
        if file.name.ends_with(".ll") {
            propose(&Module::read(index, text), &mut hints);
        }
    }
    hints
}

/// A hint of these patches in order; none if two of them overlap.
pub fn hint(mut patches: Vec<Patch>) -> Option<Hint> {
    patches.sort_by_key(|p| (p.span.start, p.span.end));
    patches.dedup();
    let apart = patches.windows(2).all(|two| two[0].span.end <= two[1].span.start);
    (apart && !patches.is_empty()).then_some(Hint { patches })
}
