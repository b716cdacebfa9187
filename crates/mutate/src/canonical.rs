//! The canonical form of a seed: what its own file has, and of the files it includes what that needs.
//!
//! Headers are most of a small program's text. What nothing of the program mentions is not carried through every
//! variant: declarations without definition, types, and functions that no other file could call. Names are followed as
//! words, whatever name space they are in, so that too much stays rather than too little.

use csyntax::ast::{Ast, AttrArg, Attribute, DeclId, Item, Storage, TypeKind};
use csyntax::intern::Symbol;
use csyntax::source::SourceMap;
use csyntax::visit::{self, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which items stand in the user's own file: the one where the last item is, since headers come first.
pub fn own_items(ast: &Ast, source: &SourceMap) -> Vec<bool> {
    let file = |lo: u32| source.place(lo).file;
    let of = |item: &Item| match item {
        Item::Function(id) => ast[*id].span.lo,
        Item::Decl(id) => ast[*id].span.lo,
        Item::StaticAssert(_, _, span) | Item::Asm(_, span) | Item::Pragma(_, span) => span.lo,
    };
    let own = ast.items.last().map(|item| file(of(item)));
    ast.items.iter().map(|item| Some(file(of(item))) == own).collect()
}

/// Takes out of a unit the items of other files that nothing needs. `own` says of each item whether it is the user's,
/// and goes along.
pub fn prune(ast: &mut Ast, own: &mut Vec<bool>) {
    if own.iter().all(|own| *own) || named_in_strings(ast) {
        return;
    }
    let mut providers: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
    let mut keep = vec![false; ast.items.len()];
    let mut todo = Vec::new();
    for (index, item) in ast.items.iter().enumerate() {
        if own[index] || !droppable(ast, item) {
            keep[index] = true;
            todo.push(index);
        } else {
            for name in provided(ast, item) {
                providers.entry(name).or_default().push(index);
            }
        }
    }
    let mut met = FxHashSet::default();
    while let Some(index) = todo.pop() {
        for name in mentioned(ast, &ast.items[index]) {
            if met.insert(name) {
                for provider in providers.remove(&name).unwrap_or_default() {
                    if !std::mem::replace(&mut keep[provider], true) {
                        todo.push(provider);
                    }
                }
            }
        }
    }
    let mut kept = keep.iter();
    ast.items.retain(|_| *kept.next().unwrap_or(&true));
    let mut kept = keep.iter();
    own.retain(|_| *kept.next().unwrap_or(&true));
}

/// Are there names that only assembly or the strings of attributes have?
fn named_in_strings(ast: &Ast) -> bool {
    let attributes = ["alias", "weakref", "ifunc", "symver"];
    ast.items.iter().any(|item| matches!(item, Item::Asm(..)))
        || attributes.iter().any(|name| ast.names.lookup(name).is_some())
}

/// May an item of a header go if nothing mentions it?
fn droppable(ast: &Ast, item: &Item) -> bool {
    let started = |attrs: &[Attribute]| {
        attrs.iter().any(|a| matches!(ast.names.name(a.name), "constructor" | "destructor" | "used"))
    };
    match item {
        Item::Function(id) => {
            let function = &ast[*id];
            let inner = function.storage.has(Storage::STATIC) || function.storage.has(Storage::INLINE);
            inner && !started(&function.attrs)
        }
        Item::Decl(id) => {
            let decl = &ast[*id];
            let function = |ty: csyntax::ast::TypeId| matches!(ast[ty].kind, TypeKind::Function { .. });
            decl.storage.has(Storage::TYPEDEF)
                || decl.storage.has(Storage::EXTERN)
                || decl.declarators.iter().all(|d| function(d.ty))
        }
        Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => false,
    }
}

/// The names for which an item could be needed.
fn provided(ast: &Ast, item: &Item) -> Vec<Symbol> {
    match item {
        Item::Function(id) => vec![ast[*id].name],
        Item::Decl(id) => declared(ast, *id),
        Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => Vec::new(),
    }
}

fn declared(ast: &Ast, id: DeclId) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = ast[id].declarators.iter().map(|d| d.name).collect();
    for node in visit::nodes(ast, Node::Decl(id)) {
        match node {
            // Also where it is only named: that may be where it enters the scope.
            Node::Record(record) => names.extend(ast[record].tag),
            Node::Enum(id) => {
                names.extend(ast[id].tag);
                names.extend(ast[id].enumerators.iter().flatten().map(|e| e.name));
            }
            Node::Expr(_)
            | Node::Stmt(_)
            | Node::Type(_)
            | Node::Init(_)
            | Node::Decl(_)
            | Node::Function(_) => {}
        }
    }
    names
}

/// The names in an item, its own among them.
fn mentioned(ast: &Ast, item: &Item) -> Vec<Symbol> {
    let (root, mut names) = match item {
        Item::Function(id) => (Node::Function(*id), vec![ast[*id].name]),
        Item::Decl(id) => (Node::Decl(*id), Vec::new()),
        Item::StaticAssert(condition, _, _) => (Node::Expr(*condition), Vec::new()),
        Item::Asm(..) | Item::Pragma(..) => return Vec::new(),
    };
    for node in visit::nodes(ast, root) {
        match node {
            Node::Expr(e) => {
                if let csyntax::ast::ExprKind::Ident(name) = ast[e].kind {
                    names.push(name);
                }
            }
            Node::Type(ty) => {
                if let TypeKind::Typedef(name) = ast[ty].kind {
                    names.push(name);
                }
            }
            Node::Record(record) => names.extend(ast[record].tag),
            Node::Enum(id) => names.extend(ast[id].tag),
            // What is declared twice stays together.
            Node::Decl(id) => {
                names.extend(ast[id].declarators.iter().map(|d| d.name));
                let attrs = ast[id].declarators.iter().flat_map(|d| &d.attrs).chain(&ast[id].attrs);
                names.extend(attrs.flat_map(|attr| plain(ast, attr)));
            }
            Node::Stmt(_) | Node::Init(_) | Node::Function(_) => {}
        }
    }
    names
}

/// The names among an attribute's arguments.
fn plain<'a>(ast: &'a Ast, attr: &'a Attribute) -> impl Iterator<Item = Symbol> + 'a {
    attr.args.iter().flatten().filter_map(|arg| match arg {
        AttrArg::Expr(e) => match ast[*e].kind {
            csyntax::ast::ExprKind::Ident(name) => Some(name),
            _ => None,
        },
        AttrArg::Type(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_program_needs_of_its_headers_stays() {
        let text = "# 1 \"h.h\" 1\ntypedef struct tag T; struct tag { int a; };\nextern int puts(const char *);\n\
                    enum E { ONE, TWO }; typedef unsigned long size; extern size count(T *);\n\
                    static int used(int x) { return x + (int)sizeof(size); } static int not_used(void) { return TWO; }\n\
                    int common; struct other { int b; };\n# 2 \"own.c\" 2\nint main(void) { return used(ONE); }\n";
        let mut parsed = csyntax::parse::parse(text.as_bytes(), "own.c");
        let mut own = own_items(&parsed.ast, &parsed.source);
        prune(&mut parsed.ast, &mut own);
        let left = csyntax::print::print(&parsed.ast);
        for (word, stays) in [
            ("used(int", true),
            ("ONE", true),
            ("size", true),
            ("common", true),
            ("main", true),
            ("not_used", false),
            ("puts", false),
            ("tag", false),
            ("count", false),
            ("other", false),
        ] {
            assert_eq!(left.contains(word), stays, "{word} in {left}");
        }
        assert_eq!(own.len(), parsed.ast.items.len());
        assert_eq!(own.iter().filter(|own| **own).count(), 1);
    }
}
