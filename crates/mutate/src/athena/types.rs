//! Type definitions at file scope as texts: what an inserted statement must bring along, and what is there already.

use csyntax::ast::{Ast, Item, Storage, TypeKind};
use csyntax::visit::{self, Node};
use rustc_hash::FxHashMap;

/// Type definitions one statement may need.
const MOST_TYPES: usize = 8;

/// The type definitions at file scope, as texts.
#[derive(Debug, Default)]
pub struct TypeTable {
    definitions: FxHashMap<String, (String, Vec<String>, u32)>,
}

impl TypeTable {
    /// Those of a program. Keys are `struct S`, `enum E`, and plain names for typedefs and enumerators.
    pub fn of(ast: &Ast) -> TypeTable {
        let mut table = TypeTable::default();
        let mut twice = Vec::new();
        for item in &ast.items {
            let Item::Decl(id) = item else { continue };
            let decl = &ast[*id];
            let typedef = decl.storage.has(Storage::TYPEDEF);
            let nodes = visit::nodes(ast, Node::Decl(*id));
            let mut names = Vec::new();
            let mut needs = Vec::new();
            for node in &nodes {
                match node {
                    Node::Record(r) => {
                        let record = &ast[*r];
                        let word = if record.is_union { "union" } else { "struct" };
                        let key = record.tag.map(|tag| format!("{word} {}", ast.names.name(tag)));
                        let into = if record.fields.is_some() { &mut names } else { &mut needs };
                        into.extend(key);
                    }
                    Node::Enum(e) => {
                        let key = ast[*e].tag.map(|tag| format!("enum {}", ast.names.name(tag)));
                        match &ast[*e].enumerators {
                            Some(list) => {
                                names.extend(key);
                                names.extend(list.iter().map(|e| ast.names.name(e.name).to_string()));
                            }
                            None => needs.extend(key),
                        }
                    }
                    Node::Type(t) => {
                        if let TypeKind::Typedef(name) = &ast[*t].kind {
                            needs.push(ast.names.name(*name).to_string());
                        }
                    }
                    Node::Expr(_) | Node::Stmt(_) | Node::Init(_) | Node::Decl(_) | Node::Function(_) => {}
                }
            }
            let text = if typedef {
                names.extend(decl.declarators.iter().map(|d| ast.names.name(d.name).to_string()));
                csyntax::print::print_decl(ast, *id)
            } else if names.is_empty() {
                continue;
            } else {
                format!("{};", csyntax::print::print_type(ast, decl.base))
            };
            needs.retain(|need| !names.contains(need));
            for name in names {
                if let Some((old, ..)) = table.definitions.get(&name)
                    && *old != text
                {
                    twice.push(name.clone());
                }
                table.definitions.insert(name, (text.clone(), needs.clone(), decl.span.hi));
            }
        }
        // What is defined twice means one thing here and another there.
        for name in twice {
            table.definitions.remove(&name);
        }
        table
    }

    /// The text that defines a name, if it stands before a place.
    pub fn definition(&self, name: &str, before: u32) -> Option<&str> {
        self.definitions.get(name).filter(|(_, _, end)| *end <= before).map(|(text, ..)| text.as_str())
    }

    /// The definitions that names need, each after those it needs itself.
    pub fn closure(&self, names: &[String]) -> Option<Vec<(String, String)>> {
        let mut found: Vec<(String, String)> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        for name in names {
            self.add(name, &mut found, &mut open)?;
        }
        Some(found)
    }

    fn add(&self, name: &str, found: &mut Vec<(String, String)>, open: &mut Vec<String>) -> Option<()> {
        if found.iter().any(|(known, _)| known == name) {
            return Some(());
        }
        if open.len() >= MOST_TYPES || found.len() >= MOST_TYPES || open.iter().any(|o| o == name) {
            return None;
        }
        let (text, needs, _) = self.definitions.get(name)?;
        if found.iter().any(|(_, known)| known == text) {
            return Some(());
        }
        open.push(name.to_string());
        for need in needs {
            self.add(need, found, open)?;
        }
        open.pop();
        found.push((name.to_string(), text.clone()));
        Some(())
    }
}
