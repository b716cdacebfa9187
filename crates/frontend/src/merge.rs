//! Several translation units as one text that means the same, for the abstract machine, which runs a text.
//!
//! What one unit keeps to itself (names of internal linkage, and types, which have none) is renamed where another unit
//! uses the name for something else. Declarations that units have in common, as from a header, are written once, so
//! that a type of a header is one type. What is left to collide, such as a function that two units define, is an error
//! of the merged text, as it would be of the linked program.

use crate::error::Refused;
use csyntax::ast::{
    Ast, DeclId, Declaration, EnumSpec, ExprKind, Item, Params, Quals, RecordSpec, Storage, TypeId, TypeKind,
    TypeNode,
};
use csyntax::intern::Symbol;
use csyntax::parse::parse;
use std::collections::{BTreeMap, BTreeSet};

/// Why units do not make one text.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unmergeable {
    /// One is no C.
    #[error("{0}")]
    NotC(String),
    /// A function that has to be renamed could print its name.
    #[error(
        "{unit}: `{name}` is the name of something else in another unit, and the unit asks for names of functions"
    )]
    Named {
        /// The unit.
        unit: String,
        /// The function.
        name: String,
    },
}

/// Names by their spelling.
type Names = BTreeSet<String>;

/// A unit with what it declares at file scope.
struct Unit<'t> {
    name: &'t str,
    ast: Ast,
    /// Names of internal linkage.
    internal: Names,
    /// All ordinary names of file scope.
    ordinary: Names,
}

/// How names of a unit are to be written.
#[derive(Clone, Default, PartialEq)]
struct Renamed {
    ordinary: Names,
    tags: Names,
}

/// Merges preprocessed units, each with the name it has in messages.
pub fn merge(units: &[(String, Vec<u8>)]) -> Result<String, Unmergeable> {
    let read: Result<Vec<Unit<'_>>, Unmergeable> =
        units.iter().map(|(name, text)| Unit::read(name, text)).collect();
    let units = read?;
    let mut written = Written::default();
    let mut text = String::new();
    for (number, unit) in units.iter().enumerate() {
        let renamed = unit.renamed(number, &units, &written)?;
        let mut ast = unit.ast.clone();
        rename(&mut ast, &renamed, &|name| fresh(name, number, &units));
        for (index, item) in printed(&ast) {
            if written.add(&ast, index, &item) {
                text.push_str(&item);
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// What stands in the merged text so far.
#[derive(Default)]
struct Written {
    items: BTreeSet<String>,
    /// Tags, typedef names and enumerators that are defined.
    types: BTreeSet<(bool, String)>,
}

impl Written {
    /// Notes an item; false where it is there already and need not be said again.
    fn add(&mut self, ast: &Ast, index: usize, text: &str) -> bool {
        let again = !self.items.insert(text.to_owned());
        self.types.extend(defined_types(ast, &ast.items[index]));
        !(again && only_declares(ast, &ast.items[index]))
    }
}

impl<'t> Unit<'t> {
    fn read(name: &'t str, text: &[u8]) -> Result<Unit<'t>, Unmergeable> {
        let parsed = parse(text, name);
        if parsed.diagnostics.iter().any(|d| d.severity.refuses()) {
            let refused = Refused { diagnostics: parsed.diagnostics, source: parsed.source };
            return Err(Unmergeable::NotC(refused.first()));
        }
        let mut ast = parsed.ast;
        define_apart(&mut ast);
        let (mut internal, mut ordinary) = (Names::new(), Names::new());
        let mut declare = |name: Symbol, storage: Storage| {
            ordinary.insert(ast.names.name(name).to_owned());
            if storage.has(Storage::STATIC) {
                internal.insert(ast.names.name(name).to_owned());
            }
        };
        for item in &ast.items {
            match item {
                Item::Function(id) => declare(ast[*id].name, ast[*id].storage),
                Item::Decl(id) => {
                    let storage = ast[*id].storage;
                    ast[*id].declarators.iter().for_each(|declarator| declare(declarator.name, storage));
                }
                Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => {}
            }
        }
        let enumerators = ast.enums.iter().flat_map(|e| e.enumerators.iter().flatten());
        enumerators.for_each(|e| declare(e.name, Storage::NONE));
        // Objects of other units that only a block declares.
        let externs = ast.decls.iter().filter(|decl| decl.storage.has(Storage::EXTERN));
        externs.for_each(|decl| decl.declarators.iter().for_each(|d| declare(d.name, Storage::NONE)));
        Ok(Unit { name, ast, internal, ordinary })
    }

    /// Which of its names must be others, given what is written already.
    fn renamed(&self, number: usize, units: &[Unit<'_>], written: &Written) -> Result<Renamed, Unmergeable> {
        let others = || units.iter().enumerate().filter(|(other, _)| *other != number);
        let clashes = |name: &&String| {
            // Of two that keep a name to themselves, the first may have it.
            others().any(|(other, unit)| {
                unit.ordinary.contains(*name) && (other < number || !unit.internal.contains(*name))
            })
        };
        let ordinary: Names = self.internal.iter().filter(clashes).cloned().collect();
        let mut renamed = Renamed { ordinary, tags: Names::new() };
        if let Some(name) = renamed.ordinary.iter().find(|name| self.is_function(name))
            && self.asks_for_names()
        {
            return Err(Unmergeable::Named { unit: self.name.to_owned(), name: name.clone() });
        }
        // A type that is another one here takes those with it that are made of it.
        loop {
            let mut ast = self.ast.clone();
            rename(&mut ast, &renamed, &|name| fresh(name, number, units));
            let before = renamed.clone();
            for (index, text) in printed(&ast) {
                if written.items.contains(&text) {
                    continue;
                }
                for (is_tag, name) in defined_types(&ast, &ast.items[index]) {
                    if written.types.contains(&(is_tag, name.clone())) {
                        if is_tag { &mut renamed.tags } else { &mut renamed.ordinary }.insert(name);
                    }
                }
            }
            if renamed == before {
                return Ok(renamed);
            }
        }
    }

    fn is_function(&self, name: &str) -> bool {
        self.ast.functions.iter().any(|function| self.ast.names.name(function.name) == name)
    }

    fn asks_for_names(&self) -> bool {
        let names = ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"];
        names.iter().any(|name| {
            let symbol = self.ast.names.lookup(name);
            self.ast.exprs.iter().any(|e| matches!(e.kind, ExprKind::Ident(used) if Some(used) == symbol))
        })
    }
}

/// Writes `struct s { … } v = …;` as `struct s { … }; struct s v = …;`: units that have the type in common need not declare
/// the same with it.
fn define_apart(ast: &mut Ast) {
    let items = std::mem::take(&mut ast.items);
    for item in items {
        if let Item::Decl(id) = item
            && !ast[id].declarators.is_empty()
            && let Some((definition, end)) = named_alone(ast, ast[id].base)
        {
            let decl = &ast[id];
            let alone = Declaration {
                storage: Storage::NONE,
                alignas: Vec::new(),
                base: definition,
                attrs: Vec::new(),
                declarators: Vec::new(),
                span: decl.span,
            };
            ast[id].span.lo = end;
            let alone = ast.push_decl(alone);
            ast.items.push(Item::Decl(alone));
        }
        ast.items.push(item);
    }
}

/// Makes a type that is defined by name where it stands one that is only named there. Another node that defines it, and where
/// the definition ended.
fn named_alone(ast: &mut Ast, base: TypeId) -> Option<(TypeId, u32)> {
    let node = ast[base].clone();
    let (named, end) = match node.kind {
        TypeKind::Record(id) if ast[id].tag.is_some() && ast[id].fields.is_some() => {
            let end = ast[id].span.hi;
            let named = RecordSpec { fields: None, attrs: Vec::new(), ..ast[id].clone() };
            (TypeKind::Record(ast.push_record(named)), end)
        }
        TypeKind::Enum(id) if ast[id].tag.is_some() && ast[id].enumerators.is_some() => {
            let end = ast[id].span.hi;
            let named = EnumSpec { enumerators: None, attrs: Vec::new(), ..ast[id].clone() };
            (TypeKind::Enum(ast.push_enum(named)), end)
        }
        _ => return None,
    };
    ast[base].kind = named;
    let definition = TypeNode { quals: Quals::NONE, attrs: Vec::new(), ..node };
    Some((ast.push_type(definition), end))
}

/// A name that no unit has.
fn fresh(name: &str, number: usize, units: &[Unit<'_>]) -> String {
    let mut fresh = format!("{name}_{number}");
    while units.iter().any(|unit| unit.ast.names.lookup(&fresh).is_some()) {
        fresh.push('_');
    }
    fresh
}

/// Each item by itself.
fn printed(ast: &Ast) -> Vec<(usize, String)> {
    let mut one = ast.clone();
    let print = |(index, item): (usize, &Item)| {
        one.items = vec![item.clone()];
        (index, csyntax::print::print(&one))
    };
    ast.items.iter().enumerate().map(print).collect()
}

/// Does saying an item twice say no more than once?
pub(crate) fn only_declares(ast: &Ast, item: &Item) -> bool {
    match item {
        Item::Function(_) | Item::Asm(..) | Item::Pragma(..) => false,
        Item::StaticAssert(..) => true,
        Item::Decl(id) => {
            let decl = &ast[*id];
            let declares = |storage: Storage| storage.has(Storage::TYPEDEF) || storage.has(Storage::EXTERN);
            decl.declarators.iter().all(|d| {
                d.init.is_none()
                    && (declares(decl.storage) || matches!(ast[d.ty].kind, TypeKind::Function { .. }))
            })
        }
    }
}

/// The types that an item defines, by name: whether it is a tag, and the spelling. Enumerators are among the others.
pub(crate) fn defined_types(ast: &Ast, item: &Item) -> Vec<(bool, String)> {
    let Item::Decl(id) = item else { return Vec::new() };
    let mut types = Vec::new();
    let decl = &ast[*id];
    if decl.storage.has(Storage::TYPEDEF) {
        types.extend(decl.declarators.iter().map(|d| (false, ast.names.name(d.name).to_owned())));
    }
    let span = decl.span;
    let inside = |at: csyntax::source::Span| span.lo <= at.lo && at.hi <= span.hi;
    for record in ast.records.iter().filter(|r| r.fields.is_some() && inside(r.span)) {
        types.extend(record.tag.map(|tag| (true, ast.names.name(tag).to_owned())));
    }
    for spec in ast.enums.iter().filter(|e| inside(e.span)) {
        let Some(enumerators) = &spec.enumerators else { continue };
        types.extend(spec.tag.map(|tag| (true, ast.names.name(tag).to_owned())));
        types.extend(enumerators.iter().map(|e| (false, ast.names.name(e.name).to_owned())));
    }
    types
}

/// Writes names otherwise, wherever they stand for something ordinary or for a tag; members and labels stay.
fn rename(ast: &mut Ast, renamed: &Renamed, fresh: &dyn Fn(&str) -> String) {
    let map = |names: &Names, ast: &mut Ast| -> BTreeMap<Symbol, Symbol> {
        let known = names.iter().filter_map(|name| Some((ast.names.lookup(name)?, fresh(name))));
        let known: Vec<(Symbol, String)> = known.collect();
        known.into_iter().map(|(old, new)| (old, ast.names.intern(&new))).collect()
    };
    let (ordinary, tags) = (map(&renamed.ordinary, ast), map(&renamed.tags, ast));
    let change = |map: &BTreeMap<Symbol, Symbol>, name: &mut Symbol| {
        if let Some(new) = map.get(name) {
            *name = *new;
        }
    };
    for expr in &mut ast.exprs {
        if let ExprKind::Ident(name) = &mut expr.kind {
            change(&ordinary, name);
        }
    }
    for index in 0..ast.decls.len() {
        let decl = &mut ast[DeclId(index as u32)];
        decl.declarators.iter_mut().for_each(|d| change(&ordinary, &mut d.name));
    }
    ast.functions.iter_mut().for_each(|function| change(&ordinary, &mut function.name));
    for node in &mut ast.types {
        match &mut node.kind {
            TypeKind::Typedef(name) => change(&ordinary, name),
            TypeKind::Function { params: Params::Identifiers(names), .. } => {
                names.iter_mut().for_each(|name| change(&ordinary, name));
            }
            TypeKind::Function { params: Params::Prototype { params, .. }, .. } => {
                params.iter_mut().filter_map(|param| param.name.as_mut()).for_each(|n| change(&ordinary, n));
            }
            _ => {}
        }
    }
    ast.records.iter_mut().filter_map(|record| record.tag.as_mut()).for_each(|tag| change(&tags, tag));
    for spec in &mut ast.enums {
        spec.tag.iter_mut().for_each(|tag| change(&tags, tag));
        let enumerators = spec.enumerators.iter_mut().flatten();
        enumerators.for_each(|e| change(&ordinary, &mut e.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(units: &[&str]) -> Result<String, Unmergeable> {
        let named = units.iter().enumerate().map(|(n, text)| (format!("{n}.c"), text.as_bytes().to_vec()));
        merge(&named.collect::<Vec<_>>())
    }

    fn flat(units: &[&str]) -> String {
        let text = merged(units).unwrap_or_else(|why| panic!("{why}"));
        let checked = crate::check(text.as_bytes(), "merged.c", &csyntax::target::Target::LP64);
        if let Err(crate::Refusal::NotC(refused)) = &checked {
            panic!("{}\n{text}", refused.first());
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_header_declares_is_said_once() {
        let header = "typedef struct p { int x; } P; enum { A = 3, B }; extern int g; int f(P *); static int h(int v) { return v + A; }\n";
        let one = format!("{header} int g = 4; int main(void) {{ P p = {{ 1 }}; return f(&p) + h(1) + g; }}");
        let two = format!("{header} int f(P *p) {{ return h(p->x) + B; }}");
        let text = flat(&[&one, &two]);
        assert_eq!(text.matches("struct p {").count(), 1, "{text}");
        assert_eq!(text.matches("extern int g;").count(), 1, "{text}");
        assert!(text.contains("int h_1(int v)") && text.contains("h_1(p->x)"), "{text}");
    }

    #[test]
    fn a_type_that_is_defined_beside_an_object_is_one_type() {
        let text = flat(&[
            "extern const union u { int a; char b; } v; enum e { A = 2 } w; int main(void) { return v.a + w; }",
            "const union u { int a; char b; } v = { 3 }; extern enum e { A = 2 } w;",
        ]);
        assert_eq!(text.matches("union u {").count(), 1, "{text}");
        assert_eq!(text.matches("enum e {").count(), 1, "{text}");
        assert!(text.contains("const union u v = {3}") || text.contains("const union u v = { 3 }"), "{text}");
    }

    #[test]
    fn what_a_unit_keeps_to_itself_is_renamed() {
        let text = flat(&[
            "static int n = 1; struct s { int n; }; int one(void) { struct s v = { n }; return v.n; }",
            "int one(void); int n(void) { return 2; } struct s { char c; }; struct t { struct s in; };
             int main(void) { struct t v; v.in.c = 1; return n() + v.in.c + one(); }",
        ]);
        assert!(text.contains("static int n_0 = 1") && text.contains("int n(void)"), "{text}");
        assert!(text.contains("struct s v = {n_0}; return v.n;") || text.contains("{ n_0 }"), "{text}");
        assert!(text.contains("struct s_1 { char c; }") && text.contains("struct s_1 in;"), "{text}");
    }

    #[test]
    fn types_made_of_other_types_are_other_types() {
        let text = flat(&[
            "typedef int T; struct s { T x; }; int f(void) { struct s v; v.x = 70000; return v.x; }",
            "typedef char T; struct s { T x; }; int main(void) { struct s v; v.x = 1; return v.x; }",
        ]);
        assert!(text.contains("typedef char T_1;") && text.contains("struct s_1 { T_1 x; }"), "{text}");
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        let names = "static const char *f(void) { return __func__; } const char *g(void) { return f(); }";
        let main = "int f(void) { return 0; } int main(void) { return f(); }";
        assert!(matches!(merged(&[names, main]), Err(Unmergeable::Named { .. })));
        assert!(merged(&[names, "int main(void) { return 0; }"]).is_ok());
        assert!(matches!(merged(&["int x = ;"]), Err(Unmergeable::NotC(why)) if why.starts_with("0.c:1:9")));
    }
}
