//! What a program needs of the declarations that its headers bring.
//!
//! Headers of one compiler are often refused by another for declarations that the program never uses. Without those the
//! same text is a program for both, and a smaller one.

use crate::merge::{defined_types, only_declares};
use csyntax::ast::{Ast, Item, Storage, TypeKind};
use csyntax::parse::parse;
use csyntax::source::{SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A preprocessed text without what its headers declare and nothing that is left names. Line markers, pragmas and all that
/// the file itself says stay, every line on the line that it was on. A text that cannot be parsed stays as it is.
pub fn without_unneeded(text: &[u8], name: &str) -> Vec<u8> {
    let parsed = parse(text, name);
    if parsed.diagnostics.iter().any(|d| d.severity.refuses()) {
        return text.to_vec();
    }
    let ast = &parsed.ast;
    let droppable = droppable(ast, &parsed.source, text);
    let mut needed = vec![false; ast.items.len()];
    let mut said_by: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, item) in ast.items.iter().enumerate().filter(|(index, _)| droppable[*index].is_some()) {
        introduced(ast, item).into_iter().for_each(|name| said_by.entry(name).or_default().push(index));
    }
    let mut named: Vec<String> = words(&without(text, droppable.iter().flatten()));
    let mut seen: BTreeSet<String> = named.iter().cloned().collect();
    while let Some(name) = named.pop() {
        for &index in said_by.get(&name).into_iter().flatten() {
            if let (false, Some(span)) = (needed[index], droppable[index]) {
                needed[index] = true;
                let inside = words(&text[span.lo as usize..span.hi as usize]);
                named.extend(inside.into_iter().filter(|word| seen.insert(word.clone())));
            }
        }
    }
    without(
        text,
        droppable.iter().zip(&needed).filter(|(_, needed)| !**needed).filter_map(|(span, _)| span.as_ref()),
    )
}

/// Of each item the span, if it comes from a header and does nothing but declare.
fn droppable(ast: &Ast, source: &SourceMap, text: &[u8]) -> Vec<Option<Span>> {
    let second_line = text.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let own = source.place(second_line as u32).file;
    let span = |item: &Item| match item {
        Item::Decl(id) if only_declares(ast, item) || ast[*id].declarators.is_empty() => Some(ast[*id].span),
        Item::Function(id) if ast[*id].storage.has(Storage::INLINE) => Some(ast[*id].span),
        Item::Decl(_) | Item::Function(_) | Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => None,
    };
    ast.items.iter().map(|item| span(item).filter(|span| source.place(span.lo).file != own)).collect()
}

/// The names that an item may be the first to say.
fn introduced(ast: &Ast, item: &Item) -> Vec<String> {
    let spelled = |name| ast.names.name(name).to_owned();
    match item {
        Item::Function(id) => vec![spelled(ast[*id].name)],
        Item::Decl(id) => {
            let decl = &ast[*id];
            let mut names: Vec<String> = defined_types(ast, item).into_iter().map(|(_, name)| name).collect();
            names.extend(decl.declarators.iter().map(|d| spelled(d.name)));
            let is_function = |ty: csyntax::ast::TypeId| matches!(ast[ty].kind, TypeKind::Function { .. });
            if !decl.declarators.iter().any(|d| is_function(d.ty)) {
                let inside = |at: Span| decl.span.lo <= at.lo && at.hi <= decl.span.hi;
                let records = ast.records.iter().filter(|r| inside(r.span)).filter_map(|r| r.tag);
                let enums = ast.enums.iter().filter(|e| inside(e.span)).filter_map(|e| e.tag);
                names.extend(records.chain(enums).map(spelled));
            }
            names
        }
        Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => Vec::new(),
    }
}

/// A text without some of its parts; their line ends and line markers stay.
fn without<'s>(text: &[u8], spans: impl Iterator<Item = &'s Span>) -> Vec<u8> {
    let (mut left, mut at) = (Vec::with_capacity(text.len()), 0);
    for span in spans {
        let (lo, hi) = (span.lo as usize, span.hi as usize);
        left.extend_from_slice(&text[at..lo.max(at)]);
        for line in text[lo.max(at)..hi.max(at)].split_inclusive(|byte| *byte == b'\n') {
            if line.starts_with(b"#") {
                left.extend_from_slice(line);
            } else if line.ends_with(b"\n") {
                left.push(b'\n');
            }
        }
        at = hi.max(at);
    }
    left.extend_from_slice(&text[at..]);
    left
}

/// All words of a text, also those in strings.
fn words(text: &[u8]) -> Vec<String> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$' || *byte >= 0x80;
    let all = text.split(|byte| !is_word(byte)).filter(|word| !word.is_empty());
    let all: BTreeSet<&[u8]> = all.collect();
    all.into_iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> String {
        let left = String::from_utf8(without_unneeded(text.as_bytes(), "a.c")).unwrap_or_default();
        assert_eq!(left.lines().count(), text.lines().count(), "{left}");
        let checked = crate::check(left.as_bytes(), "a.c", &csyntax::target::Target::LP64);
        assert!(
            checked.is_ok() || crate::check(text.as_bytes(), "a.c", &csyntax::target::Target::LP64).is_err()
        );
        left
    }

    const HEADER: &str = "# 1 \"a.c\"\n# 1 \"/h.h\" 1 3 4\ntypedef unsigned long size_t; struct file; typedef struct file FILE;\n\
        extern FILE *out; enum { A, B };\nextern int puts(const char *s);\nextern size_t len(const char *);\n\
        typedef struct { int quot; } div_t;\nextern div_t divide(int,\n int);\n\
        static inline int twice(int n) { return n + n; }\nint defined = 3;\n# 2 \"a.c\" 2\n";

    #[test]
    fn what_nothing_names_goes() {
        let left = left(&format!("{HEADER}int unused(int n);\nint main(void) {{ return puts(\"x\"); }}\n"));
        for gone in ["size_t", "FILE", "enum", "div_t", "twice"] {
            assert!(!left.contains(gone), "{gone}: {left}");
        }
        for kept in ["puts(const", "int defined", "int unused", "# 2 \"a.c\" 2"] {
            assert!(left.contains(kept), "{kept}: {left}");
        }
    }

    #[test]
    fn what_is_needed_stays_with_what_it_needs() {
        let left =
            left(&format!("{HEADER}int main(void) {{ return out ? B : divide(1, 2).quot + twice(2); }}\n"));
        for kept in
            ["struct file;", "typedef struct file FILE;", "FILE *out", "enum", "div_t divide(int", "twice"]
        {
            assert!(left.contains(kept), "{kept}: {left}");
        }
        assert!(!left.contains("size_t") && !left.contains("puts"), "{left}");
    }

    #[test]
    fn a_tag_that_a_parameter_names_keeps_its_declaration() {
        let header = "# 1 \"a.c\"\n# 1 \"h.h\" 1\nstruct s;\nextern struct t *x;\nint f(struct s *p);\n# 1 \"a.c\" 2\n";
        let left = left(&format!(
            "{header}struct s {{ int i; }};\nint g(struct t *p);\nint main(void) {{ struct s v = {{ 0 }}; return f(&v); }}\nint f(struct s *p) {{ return p->i; }}\n"
        ));
        assert!(left.contains("struct s;") && left.contains("struct t *x"), "{left}");
    }

    #[test]
    fn what_is_no_c_stays_as_it_is() {
        let text = "# 1 \"a.c\"\n# 1 \"h.h\" 1\nint f(int);\n# 2 \"a.c\" 2\nint main(void) { return ; } }\n";
        assert_eq!(without_unneeded(text.as_bytes(), "a.c"), text.as_bytes());
    }
}
