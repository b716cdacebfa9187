//! Proteus: one translation unit becomes several that are compiled each at a level of its own and linked, with or
//! without link-time optimisation (ISSTA 2015).
//!
//! Each object and function is defined in one of the units and declared in the others. What was `static` is exposed
//! under a name of its own, so that it cannot meet a library's. The program in one piece, exposed and renamed, is
//! given too: the machine runs that.

use crate::choices::Choices;
use csyntax::ast::{
    ArraySize, Ast, Attribute, DeclId, Declarator, Expr, ExprKind, FnId, IntBase, IntSuffix, Item, Params,
    Storage, TypeId, TypeKind, TypeNode,
};
use csyntax::intern::{Interner, Symbol};
use csyntax::source::Span;
use csyntax::target::Target;
use csyntax::tree::Unit;
use csyntax::types::{ArrayLen, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A program in several units.
#[derive(Clone, Debug)]
pub struct Split {
    /// The units.
    pub units: Vec<String>,
    /// The same program in one unit.
    pub whole: String,
}

/// Splits a program into at most `parts` units. The reason, where that cannot be done without changing it.
pub fn split(text: &str, target: &Target, parts: usize, draw: &mut Choices) -> Result<Split, &'static str> {
    let parsed = csyntax::parse::parse(text.as_bytes(), "split.c");
    if parsed.has_errors() {
        return Err("it does not parse");
    }
    let unit = csyntax::check::check(&parsed.ast, target).unit.ok_or("it does not check")?;
    let ast = parsed.ast;
    refuse(&ast)?;
    let mut names = Names { statics: FxHashSet::default(), owner: FxHashMap::default() };
    for item in &ast.items {
        names.meet(&ast, item, parts.max(1), draw)?;
    }
    let renamed = rename(&ast, &names.statics)?;
    let mut used: Vec<usize> = names.owner.values().copied().collect();
    used.sort_unstable();
    used.dedup();
    let builder = Builder { ast: &ast, unit: &unit, names: &names, interner: renamed };
    let units: Vec<String> = used.iter().map(|part| builder.part(Some(*part))).collect();
    if units.len() < 2 {
        return Err("there is nothing to split");
    }
    for text in &units {
        let parsed = csyntax::parse::parse(text.as_bytes(), "unit.c");
        if parsed.has_errors() || csyntax::check::check(&parsed.ast, target).unit.is_none() {
            return Err("a part of it does not check");
        }
    }
    Ok(Split { units, whole: builder.part(None) })
}

/// Programs whose parts must stay in one unit.
fn refuse(ast: &Ast) -> Result<(), &'static str> {
    let tied = [
        "alias",
        "weakref",
        "ifunc",
        "section",
        "gnu_inline",
        "always_inline",
        "constructor",
        "destructor",
        "weak",
        "common",
        "nocommon",
        "init_priority",
        "cleanup",
        "symver",
    ];
    let attributed = |attrs: &[Attribute]| attrs.iter().any(|a| tied.contains(&ast.names.name(a.name)));
    for item in &ast.items {
        match item {
            Item::Asm(..) => return Err("it has assembly at file scope"),
            Item::Function(id) if attributed(&ast[*id].attrs) => {
                return Err("its attributes tie it together");
            }
            Item::Decl(id) => {
                let decl = &ast[*id];
                if attributed(&decl.attrs) || decl.declarators.iter().any(|d| attributed(&d.attrs)) {
                    return Err("its attributes tie it together");
                }
                if decl.storage.has(Storage::REGISTER) {
                    return Err("it has global register variables");
                }
            }
            Item::Function(_) | Item::StaticAssert(..) | Item::Pragma(..) => {}
        }
    }
    if ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].iter().any(|n| ast.names.lookup(n).is_some()) {
        return Err("it asks for the names of its functions");
    }
    Ok(())
}

struct Names {
    /// What was `static`.
    statics: FxHashSet<Symbol>,
    /// The part that defines a name.
    owner: FxHashMap<Symbol, usize>,
}

impl Names {
    fn meet(&mut self, ast: &Ast, item: &Item, parts: usize, draw: &mut Choices) -> Result<(), &'static str> {
        match item {
            Item::Function(id) => {
                let function = &ast[*id];
                if function.storage.has(Storage::STATIC) {
                    self.statics.insert(function.name);
                }
                let part = draw.below(parts);
                self.owner.entry(function.name).or_insert(part);
            }
            Item::Decl(id) => {
                let decl = &ast[*id];
                if decl.storage.has(Storage::TYPEDEF) {
                    return Ok(());
                }
                let objects: Vec<&Declarator> =
                    decl.declarators.iter().filter(|d| !is_function(ast, d.ty)).collect();
                if decl.storage.has(Storage::STATIC) {
                    self.statics.extend(decl.declarators.iter().map(|d| d.name));
                }
                if decl.storage.has(Storage::EXTERN) && objects.iter().all(|d| d.init.is_none()) {
                    return Ok(());
                }
                let known: FxHashSet<usize> =
                    objects.iter().filter_map(|d| self.owner.get(&d.name).copied()).collect();
                let part = match known.len() {
                    0 => draw.below(parts),
                    1 => known.into_iter().next().unwrap_or(0),
                    _ => return Err("one declaration is of objects of several parts"),
                };
                for object in objects {
                    self.owner.insert(object.name, part);
                }
            }
            Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => {}
        }
        Ok(())
    }
}

/// Is it a function, as far as can be seen without typedefs?
fn is_function(ast: &Ast, ty: TypeId) -> bool {
    matches!(ast[ty].kind, TypeKind::Function { .. })
}

/// The names with those of statics changed to ones that nothing else has.
fn rename(ast: &Ast, statics: &FxHashSet<Symbol>) -> Result<Interner, &'static str> {
    let mut attributes: FxHashSet<Symbol> = FxHashSet::default();
    let mut note = |attrs: &[Attribute]| attributes.extend(attrs.iter().map(|a| a.name));
    ast.decls.iter().for_each(|d| note(&d.attrs));
    ast.functions.iter().for_each(|f| note(&f.attrs));
    ast.types.iter().for_each(|t| note(&t.attrs));
    ast.records.iter().for_each(|r| note(&r.attrs));
    if statics.iter().any(|name| attributes.contains(name)) {
        return Err("a name of it is also an attribute's");
    }
    let mut renamed = Interner::new();
    for index in 0..ast.names.len() as u32 {
        let symbol = Symbol(index);
        let name = ast.names.name(symbol);
        let mut new = name.to_string();
        if statics.contains(&symbol) {
            new = format!("{name}_exposed");
            while ast.names.lookup(&new).is_some() {
                new.push('_');
            }
        }
        if renamed.intern(&new) != symbol {
            return Err("its names cannot be changed");
        }
    }
    Ok(renamed)
}

struct Builder<'a> {
    ast: &'a Ast,
    unit: &'a Unit,
    names: &'a Names,
    interner: Interner,
}

impl Builder<'_> {
    /// The text of one part, or of all in one.
    fn part(&self, part: Option<usize>) -> String {
        let mut ast = self.ast.clone();
        ast.names = self.interner.clone();
        let items = std::mem::take(&mut ast.items);
        let mine = |name: Symbol| part.is_none_or(|part| self.names.owner.get(&name) == Some(&part));
        for item in items {
            match item {
                Item::Function(id) => {
                    let storage = &mut ast[id].storage;
                    *storage = exposed(*storage);
                    let item = if mine(ast[id].name) { Item::Function(id) } else { prototype(&mut ast, id) };
                    ast.items.push(item);
                }
                Item::Decl(id) => {
                    self.declaration(&mut ast, id, &mine);
                    ast.items.push(Item::Decl(id));
                }
                Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => ast.items.push(item),
            }
        }
        csyntax::print::print(&ast)
    }

    fn declaration(&self, ast: &mut Ast, id: DeclId, mine: &impl Fn(Symbol) -> bool) {
        if ast[id].storage.has(Storage::TYPEDEF) || ast[id].declarators.is_empty() {
            return;
        }
        ast[id].storage = exposed(ast[id].storage);
        let objects: Vec<Symbol> =
            ast[id].declarators.iter().filter(|d| !is_function(self.ast, d.ty)).map(|d| d.name).collect();
        let defined_here = objects.iter().any(|name| mine(*name));
        if objects.is_empty() || defined_here || ast[id].storage.has(Storage::EXTERN) && self.plain(id) {
            return;
        }
        ast[id].storage = ast[id].storage.with(Storage::EXTERN);
        for index in 0..ast[id].declarators.len() {
            let (name, ty, base) =
                (ast[id].declarators[index].name, ast[id].declarators[index].ty, ast[id].base);
            if let Some(length) = self.completed(name, ty)
                && let TypeKind::Array { elem, .. } = ast[ty].kind
            {
                let kind =
                    ExprKind::Int { value: length.into(), suffix: IntSuffix::default(), base: IntBase::Dec };
                let size = ArraySize::Expr(ast.push_expr(Expr { kind, span: Span::NONE }));
                let kind = TypeKind::Array { elem, size, quals: csyntax::ast::Quals::NONE, is_static: false };
                if ty != base {
                    let node = TypeNode { kind, ..ast[ty].clone() };
                    ast[id].declarators[index].ty = ast.push_type(node);
                }
            }
            ast[id].declarators[index].init = None;
        }
    }

    fn plain(&self, id: DeclId) -> bool {
        self.ast[id].declarators.iter().all(|d| d.init.is_none())
    }

    /// How many elements an array has whose declaration leaves it to the initialiser.
    fn completed(&self, name: Symbol, ty: TypeId) -> Option<u64> {
        if !matches!(self.ast[ty].kind, TypeKind::Array { size: ArraySize::None, .. }) {
            return None;
        }
        let object = self.unit.objects.iter().find(|o| {
            o.owner.is_none() && o.name.is_some_and(|n| self.unit.names.name(n) == self.ast.names.name(name))
        })?;
        match self.unit.types.kind(object.ty.ty) {
            TyKind::Array(_, ArrayLen::Fixed(n)) => Some(*n),
            _ => None,
        }
    }
}

fn exposed(storage: Storage) -> Storage {
    Storage(storage.0 & !(Storage::STATIC.0 | Storage::INLINE.0))
}

/// The declaration of a function that another part defines.
fn prototype(ast: &mut Ast, id: FnId) -> Item {
    let function = ast[id].clone();
    let mut ty = function.ty;
    if let TypeKind::Function { ret, params: Params::Identifiers(_) } = &ast[ty].kind {
        let kind = TypeKind::Function { ret: *ret, params: Params::Unspecified };
        let node = TypeNode { kind, ..ast[ty].clone() };
        ty = ast.push_type(node);
    }
    let decl = ast.declaration(function.storage, (function.base, ty), function.name);
    ast[decl].attrs = function.attrs;
    ast[decl].declarators[0].asm_label = function.asm_label;
    Item::Decl(decl)
}
