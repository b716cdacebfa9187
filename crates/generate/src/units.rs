//! A program split into translation units, for link-time optimisation and its absence.
//!
//! Every unit has the types and prototypes; a function and a variable is defined in one and declared in the others.
//! What is small and holds no state (guards, tables of functions) every unit has for itself.

use crate::Program;
use csyntax::ast::{Ast, DeclId, FnId, Item, Storage};
use csyntax::intern::Symbol;

fn prefixed(ast: &Ast, name: Symbol, prefixes: &[&str]) -> bool {
    let text = ast.names.name(name);
    prefixes.iter().any(|p| text.starts_with(p))
}

/// A copy of a declaration as its other units see it.
fn declared(ast: &mut Ast, decl: DeclId, storage: Storage, defines: bool) -> DeclId {
    let mut copy = ast[decl].clone();
    copy.storage = storage;
    if !defines {
        copy.declarators.iter_mut().for_each(|d| d.init = None);
    }
    ast.push_decl(copy)
}

/// Is it a variable, and not a prototype or a type?
fn is_variable(ast: &Ast, decl: DeclId) -> bool {
    let typedef = ast[decl].storage.has(Storage::TYPEDEF);
    ast[decl]
        .declarators
        .first()
        .is_some_and(|d| !typedef && !matches!(ast[d.ty].kind, csyntax::ast::TypeKind::Function { .. }))
}

impl Program {
    /// The program as so many units, the one with `main` last. One unit is the program itself.
    pub fn units(&self, count: usize) -> Vec<String> {
        if count < 2 {
            return vec![self.text()];
        }
        (0..count).map(|unit| self.unit(unit, count)).collect()
    }

    fn unit(&self, unit: usize, count: usize) -> String {
        let mut ast = self.ast.clone();
        let (mut variables, mut functions) = (0, 0);
        let mut items = Vec::new();
        for item in self.ast.items.clone() {
            match item {
                Item::Decl(decl) if is_variable(&ast, decl) => {
                    let own = prefixed(&ast, ast[decl].declarators[0].name, &["t_"]);
                    if own {
                        items.push(Item::Decl(decl));
                        continue;
                    }
                    let here = variables % count == unit;
                    variables += 1;
                    let storage = if here { Storage::NONE } else { Storage::EXTERN };
                    items.push(Item::Decl(declared(&mut ast, decl, storage, here)));
                }
                Item::Decl(decl) => {
                    // Prototypes of what other units define.
                    let storage = ast[decl].storage;
                    let plain = if storage.has(Storage::STATIC) { Storage::NONE } else { storage };
                    items.push(Item::Decl(declared(&mut ast, decl, plain, true)));
                }
                Item::Function(function) => {
                    if let Some(item) = self.function(&mut ast, function, &mut functions, unit, count) {
                        items.push(item);
                    }
                }
                Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => items.push(item),
            }
        }
        ast.items = items;
        self.printed(&ast)
    }

    /// A function where it is defined here.
    fn function(
        &self,
        ast: &mut Ast,
        function: FnId,
        seen: &mut usize,
        unit: usize,
        count: usize,
    ) -> Option<Item> {
        let name = ast[function].name;
        if ast.names.name(name) == "main" {
            return (unit + 1 == count).then_some(Item::Function(function));
        }
        // The mixer works on the checksum, which `main` uses and `step_hash` beside it.
        if ast.names.name(name) == "step_hash" {
            ast[function].storage = Storage::NONE;
            return (unit + 1 == count).then_some(Item::Function(function));
        }
        if ast.names.name(name) == "mix" {
            return (unit + 1 == count).then_some(Item::Function(function));
        }
        if !prefixed(ast, name, &["func_"]) {
            return Some(Item::Function(function));
        }
        let here = *seen % count == unit;
        *seen += 1;
        if !here {
            return None;
        }
        ast[function].storage = Storage::NONE;
        Some(Item::Function(function))
    }
}
