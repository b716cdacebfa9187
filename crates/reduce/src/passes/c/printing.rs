//! What a program prints: directly, not through a checksum.

use crate::passes::c::calls::{arguments, calls};
use crate::passes::c::names::{parameters, resolve};
use crate::passes::c::outline::outline;
use crate::passes::c::types::{Class, ExprTypes};
use crate::passes::c::unused::{is_main, remove_declarations};
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{ExprId, ExprKind, TypeKind};

c_pass!(
    ChecksumsToPrints,
    "checksums-to-prints",
    "Replaces the calls of a checksum function by `printf`.",
    checksums
);
c_pass!(PrintArguments, "print-arguments", "Prints another variable.", print_arguments);

/// The declaration of `printf` in front of a file that has none.
fn declaration(view: View<'_>) -> Option<Patch> {
    let declared = view.ast.names.lookup("printf");
    let names = resolve(view.ast);
    let known = declared.is_some_and(|name| names.entities.iter().any(|entity| entity.name == name));
    (!known).then(|| view.insert(0, "int printf(const char *, ...);\n"))
}

fn checksums(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    let types = ExprTypes::new(view);
    for (format, cast) in [("%d", "int"), ("%llx", "unsigned long long")] {
        for entity in &names.entities {
            let Some(id) = entity.definition() else { continue };
            let calls = calls(view, &outline, &entity.uses);
            let all_statements = calls.calls.iter().all(|call| call.statement.is_some());
            let body = view.ast[id].span;
            let recursive = calls.calls.iter().any(|call| {
                let at = view.ast[call.id].span;
                body.lo <= at.lo && at.hi <= body.hi
            });
            let takes = (1..=3).contains(&parameters(view.ast, id).len());
            if !takes
                || recursive
                || !all_statements
                || calls.calls.is_empty()
                || !calls.others.is_empty()
                || is_main(view.ast, entity.name)
            {
                continue;
            }
            let Some(mut patches) = remove_declarations(view, entity) else { continue };
            for call in &calls.calls {
                let Some(&value) = arguments(view, call.id).first() else { continue };
                if types.class(value).is_some_and(|class| class != Class::Arithmetic) {
                    continue;
                }
                let source = String::from_utf8_lossy(view.source(view.ast[value].span));
                let text = format!("printf(\"{format}\\n\", ({cast})({source}))");
                patches.push(view.put(view.ast[call.id].span, text));
            }
            patches.extend(declaration(view));
            hints.extend(view.hint(patches));
        }
    }
}

/// More variables than this are not tried in place of what is printed.
const MOST_VARIABLES: usize = 40;

fn print_arguments(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let types = ExprTypes::new(view);
    let is_global = |e: &&crate::passes::c::names::Entity| e.owner.is_none() && e.only_declarator().is_some();
    let globals: Vec<_> = names.entities.iter().filter(is_global).take(MOST_VARIABLES).collect();
    for place in outline(view.ast).exprs {
        let ExprKind::Call(callee, args) = &view.ast[place.id].kind else { continue };
        let prints =
            matches!(view.ast[*callee].kind, ExprKind::Ident(name) if view.ast.names.name(name) == "printf");
        let Some(&last) = args.last().filter(|_| prints && args.len() > 1) else { continue };
        for global in &globals {
            let Some((decl, index)) = global.only_declarator() else { continue };
            let declarator = &view.ast[decl].declarators[index];
            let known = global.uses.iter().find_map(|&id: &ExprId| types.class(id));
            let scalar =
                !matches!(view.ast[declarator.ty].kind, TypeKind::Function { .. } | TypeKind::Array { .. });
            if scalar && known == Some(Class::Arithmetic) && !global.uses.contains(&last) {
                let name = view.ast.names.name(global.name);
                hints.extend(view.one(view.put(view.ast[last].span, name)));
                let call = format!("printf(\"%d\\n\", (int){name})");
                hints.extend(view.one(view.put(view.ast[place.id].span, call)));
            }
        }
    }
}
