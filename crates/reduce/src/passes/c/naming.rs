//! Short names, and functions in an order that needs no declarations ahead: for people who read the result.

use crate::Hint;
use crate::passes::c::names::{Entity, Site, resolve};
use crate::passes::c::records::members;
use crate::passes::c::unused::is_main;
use crate::passes::c::view::View;
use crate::passes::c::words::tokens;
use csyntax::ast::{Ast, RecordId, StmtKind, Storage, TypeKind};
use csyntax::lex::token::Tok;
use rustc_hash::{FxHashMap, FxHashSet};

c_pass!(
    Rename,
    "rename",
    "Gives functions, variables, types, members and labels short names.",
    rename,
    Polish
);
c_pass!(
    DefinitionsFirst,
    "definitions-first",
    "Moves definitions to where the function is declared ahead.",
    definitions_first
);

/// What a name is for decides how it looks.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum NameKind {
    Variable,
    Function,
    Type,
    Label,
}

/// The names of a kind, in the order they are given out.
fn candidate(kind: NameKind, number: usize) -> String {
    let letters: &[u8] = match kind {
        NameKind::Variable => b"abcdeijklmnpqrstuvwxyz",
        NameKind::Function => b"fgh",
        NameKind::Type => b"STUVW",
        NameKind::Label => b"LMN",
    };
    let letter = char::from(letters[number % letters.len()]);
    match number / letters.len() {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// Is the entity a function that is only declared, so that its name is someone else's?
fn is_foreign(ast: &Ast, entity: &Entity) -> bool {
    entity.sites.iter().all(|site| match site {
        Site::Declarator(decl, index) => {
            let function = matches!(ast[ast[*decl].declarators[*index].ty].kind, TypeKind::Function { .. });
            (function && !ast[*decl].storage.has(Storage::TYPEDEF)) || ast[*decl].storage.has(Storage::EXTERN)
        }
        Site::Function(_) | Site::Parameter(..) | Site::Enumerator(..) => false,
    })
}

fn kind_of(ast: &Ast, entity: &Entity) -> NameKind {
    match entity.sites.first() {
        Some(Site::Function(_)) => NameKind::Function,
        Some(Site::Declarator(decl, _)) if ast[*decl].storage.has(Storage::TYPEDEF) => NameKind::Type,
        Some(_) if entity.definition().is_some() => NameKind::Function,
        Some(_) | None => NameKind::Variable,
    }
}

/// The names that may be changed, each with what it is first used for.
fn changeable(view: View<'_>) -> FxHashMap<String, NameKind> {
    let names = resolve(view.ast);
    let mut kinds: FxHashMap<String, NameKind> = FxHashMap::default();
    let mut fixed: FxHashSet<String> = FxHashSet::default();
    let text = |symbol| view.ast.names.name(symbol).to_string();
    for entity in &names.entities {
        if is_foreign(view.ast, entity) || is_main(view.ast, entity.name) {
            fixed.insert(text(entity.name));
        } else {
            kinds.entry(text(entity.name)).or_insert(kind_of(view.ast, entity));
        }
    }
    fixed.extend(names.unknown.iter().filter_map(|&id| match view.ast[id].kind {
        csyntax::ast::ExprKind::Ident(name) => Some(text(name)),
        _ => None,
    }));
    for (id, record) in view.ast.records.iter().enumerate() {
        kinds.extend(record.tag.map(|tag| (text(tag), NameKind::Type)));
        for name in members(view, RecordId(id as u32)).iter().filter_map(|member| member.name) {
            kinds.entry(text(name)).or_insert(NameKind::Variable);
        }
    }
    kinds.extend(view.ast.enums.iter().filter_map(|e| e.tag).map(|tag| (text(tag), NameKind::Type)));
    for stmt in &view.ast.stmts {
        if let StmtKind::Label(name, ..) = stmt.kind {
            kinds.entry(text(name)).or_insert(NameKind::Label);
        }
    }
    kinds.retain(|name, _| !fixed.contains(name));
    kinds
}

fn rename(view: View<'_>, hints: &mut Vec<Hint>) {
    let kinds = changeable(view);
    let tokens = tokens(view.text);
    let identifiers: Vec<(String, _)> = tokens
        .iter()
        .filter(|token| token.kind == Tok::Ident)
        .map(|token| (String::from_utf8_lossy(view.source(token.span())).into_owned(), token.span()))
        .collect();
    // No new name may be one that stays.
    let mut taken: FxHashSet<&str> =
        identifiers.iter().map(|(name, _)| &name[..]).filter(|name| !kinds.contains_key(*name)).collect();
    taken.insert("main");
    let mut new: FxHashMap<&str, String> = FxHashMap::default();
    let mut given: FxHashMap<NameKind, usize> = FxHashMap::default();
    for (name, _) in &identifiers {
        let Some(&kind) = kinds.get(name) else { continue };
        if new.contains_key(&name[..]) {
            continue;
        }
        let number = given.entry(kind).or_default();
        while taken.contains(&candidate(kind, *number)[..]) {
            *number += 1;
        }
        new.insert(name, candidate(kind, *number));
        *number += 1;
    }
    let renamed =
        identifiers.iter().filter_map(|(name, span)| Some(view.put(*span, &new.get(&name[..])?[..])));
    hints.extend(view.hint(renamed.collect()));
}

fn definitions_first(view: View<'_>, hints: &mut Vec<Hint>) {
    for entity in &resolve(view.ast).entities {
        let [Site::Declarator(decl, _), rest @ ..] = &entity.sites[..] else { continue };
        let Some(id) = rest.iter().find_map(|site| match site {
            Site::Function(id) => Some(*id),
            Site::Declarator(..) | Site::Parameter(..) | Site::Enumerator(..) => None,
        }) else {
            continue;
        };
        if view.ast[*decl].declarators.len() == 1 {
            let span = view.ast[id].span;
            let patches = vec![view.put(view.ast[*decl].span, view.source(span)), view.cut(span)];
            hints.extend(view.hint(patches));
        }
    }
}
