//! Outlining: a value that is assigned or returned is computed by a new function from the variables it reads; a
//! condition that the profile decides chooses between the two.

use super::live::{points, pure_value, text};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::ctype::declare;
use crate::edit::{Change, Edit};
use crate::places::Place;
use crate::seed::Seed;
use crate::synth::arith::keyword;
use crate::synth::predicate;
use csyntax::ast::{ExprId, ExprKind, TypeKind};
use csyntax::tree::{self, ObjId};
use csyntax::types::TyKind;
use csyntax::visit::{self, Node};

/// The strategy.
pub struct Outline;

impl Strategy for Outline {
    fn name(&self) -> &'static str {
        "outline"
    }

    fn about(&self) -> &'static str {
        "computes values in new functions"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (place, env) in points(seed, settings, draw) {
            let Some((value, kind)) = pure_value(seed, place) else { continue };
            let Some(params) = params(seed, place, value) else { continue };
            let Some(body) = text(seed, seed.ast[value].span) else { continue };
            let name = seed.unused(format!("outlined_{}", place.stmt.0));
            let list: Vec<&str> = params.iter().map(|(_, declaration)| declaration.as_str()).collect();
            let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
            let inline = *draw.pick(&["", "__attribute__((noinline)) ", "inline "]).unwrap_or(&"");
            let code = format!("static {inline}{} {name}({list})\n{{\nreturn {body};\n}}", keyword(kind));
            let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
            let call = format!("{name}({})", names.join(", "));
            let types = &seed.unit.types;
            let wanted = draw.coin();
            let test = predicate::synthesize(types, env, wanted, settings.predicate_depth, draw);
            let (before, after) = if wanted {
                (format!("({test}) ? {call} : ("), ")".to_string())
            } else {
                (format!("({test}) ? ("), format!(") : {call}"))
            };
            let span = seed.ast[value].span;
            let change = Change::Function { code, lo: span.lo, hi: span.hi, before, after };
            edits.push(Edit { strategy: self.name().to_string(), at: place.stmt.0, change });
        }
        edits
    }
}

/// The local variables that an expression reads, with their declarations as parameters. `None` where it means something
/// else outside its function.
fn params(seed: &Seed, place: &Place, value: ExprId) -> Option<Vec<(String, String)>> {
    let start = seed.places.functions[place.function as usize].start;
    let ast = &seed.ast;
    let mut met: Vec<ObjId> = Vec::new();
    let mut params = Vec::new();
    for node in visit::nodes(ast, Node::Expr(value)) {
        match node {
            Node::Type(ty) => match &ast[ty].kind {
                TypeKind::Basic(_) | TypeKind::Pointer(_) => {}
                TypeKind::Typedef(name) => {
                    seed.type_table().definition(ast.names.name(*name), start)?;
                }
                TypeKind::Record(_)
                | TypeKind::Enum(_)
                | TypeKind::Array { .. }
                | TypeKind::Function { .. }
                | TypeKind::TypeofExpr(_)
                | TypeKind::TypeofType(_)
                | TypeKind::Atomic(_)
                | TypeKind::Unqual(_)
                | TypeKind::BitInt(..)
                | TypeKind::Auto
                | TypeKind::Implicit => return None,
            },
            Node::Expr(e) => {
                let ExprKind::Ident(name) = ast[e].kind else { continue };
                let tree::ExprKind::Object(object) = seed.unit.exprs[*seed.typed.get(&e)? as usize].kind
                else {
                    return None;
                };
                let entity = &seed.unit[object];
                if entity.owner.is_none() {
                    // Visible before the function too, and not hidden by a parameter.
                    if entity.span.hi > start || entity.span.lo >= entity.span.hi {
                        return None;
                    }
                    continue;
                }
                if met.contains(&object) {
                    continue;
                }
                met.push(object);
                let simple = match seed.unit.types.kind(entity.ty.ty) {
                    TyKind::Int(_) | TyKind::Float(_) => true,
                    TyKind::Pointer(to) => {
                        matches!(seed.unit.types.kind(to.ty), TyKind::Int(_) | TyKind::Float(_))
                    }
                    TyKind::Void
                    | TyKind::Complex(_)
                    | TyKind::Enum(_)
                    | TyKind::Array(..)
                    | TyKind::Vector(..)
                    | TyKind::Function(_)
                    | TyKind::Record(_)
                    | TyKind::VaList => false,
                };
                // A volatile variable is read where it stands, not where it is passed.
                if !simple || entity.ty.quals != csyntax::ast::Quals::NONE {
                    return None;
                }
                let name = ast.names.name(name).to_string();
                let declaration = declare(&seed.unit, entity.ty, &name)?;
                params.push((name, declaration));
            }
            Node::Stmt(_)
            | Node::Init(_)
            | Node::Decl(_)
            | Node::Function(_)
            | Node::Record(_)
            | Node::Enum(_) => {
                return None;
            }
        }
    }
    let unread = |object: &ObjId| {
        seed.unit[*object].owner.is_some()
            && seed.points.get(&place.stmt).is_none_or(|point| {
                let column = point.variables.iter().position(|(o, _)| o == object);
                column.is_none_or(|c| {
                    let indeterminate = |row: &Vec<machine::profile::Seen>| {
                        matches!(row[c], machine::profile::Seen::Indeterminate)
                    };
                    !point.complete || point.rows.iter().any(indeterminate)
                })
            })
    };
    // Passing what has no value yet would read it.
    (!met.iter().any(unread)).then_some(params)
}
