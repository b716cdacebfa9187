//! Members of structs and unions removed, with their initialisers and uses.

use crate::passes::c::initializers::item_spans;
use crate::passes::c::outline::outline;
use crate::passes::c::records::{Member, Shape, Shapes, members};
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{Designator, ExprId, ExprKind, InitId, InitItem, InitKind, RecordId, TypeId};
use csyntax::source::Span;
use csyntax::tree;
use rustc_hash::{FxHashMap, FxHashSet};

c_pass!(
    UnusedFields,
    "unused-fields",
    "Removes members that nothing names, with their initialisers.",
    unused_fields
);
c_pass!(Fields, "fields", "Removes members, 0 standing for them.", fields);
c_pass!(BitFields, "bit-fields", "Makes bit-fields plain members.", bit_fields);

/// The member that an item of a list initialises; none if that is not plain to see.
fn initialised(
    view: View<'_>,
    record: RecordId,
    members: &[Member],
    items: &[InitItem],
    at: usize,
) -> Option<usize> {
    if let [Designator::Field(name)] = items[at].designators[..] {
        return members.iter().position(|member| member.name == Some(name));
    }
    let plain = items.iter().all(|item| item.designators.is_empty());
    let named: Vec<usize> =
        (0..members.len()).filter(|&m| members[m].name.is_some() || members[m].width.is_none()).collect();
    let within = !view.ast[record].is_union || at == 0;
    (plain && within).then(|| named.get(at).copied()).flatten()
}

/// Collects the patches that take the values of a member out of an initialiser; none if braces are left out in it.
fn drop_values(
    shapes: &Shapes<'_>,
    ty: TypeId,
    init: InitId,
    target: (RecordId, usize),
    patches: &mut Vec<Patch>,
) -> Option<()> {
    let view = shapes.view;
    let InitKind::List(items) = &view.ast[init].kind else { return Some(()) };
    match shapes.of(ty) {
        Shape::Array(elem) => {
            items.iter().try_for_each(|item| drop_values(shapes, elem, item.init, target, patches))
        }
        Shape::Record(record) => {
            let members = shapes.members(record);
            let cuts = view.list_cuts(&item_spans(view, items, view.ast[init].span));
            for (at, item) in items.iter().enumerate() {
                let member = initialised(view, record, members, items, at)?;
                let aggregate = !matches!(shapes.of(members[member].ty), Shape::Other);
                let braced = matches!(view.ast[item.init].kind, InitKind::List(_));
                if (record, member) == target {
                    // The value of a union's first member becomes that of the next.
                    if !view.ast[record].is_union {
                        patches.push(view.cut(cuts[at]));
                    }
                } else if aggregate && !braced {
                    return None;
                } else {
                    drop_values(shapes, members[member].ty, item.init, target, patches)?;
                }
            }
            Some(())
        }
        Shape::Other => Some(()),
    }
}

/// All initialisers with the types they initialise.
fn initialisers(view: View<'_>) -> Vec<(TypeId, InitId)> {
    let declared = view.ast.decls.iter().flat_map(|decl| &decl.declarators);
    let mut found: Vec<_> = declared.filter_map(|d| Some((d.ty, d.init?))).collect();
    for expr in &view.ast.exprs {
        if let ExprKind::CompoundLit(ty, init) = expr.kind {
            found.push((ty, init));
        }
    }
    found
}

/// The patches that remove a member, and its values from all initialisers.
fn remove_member(shapes: &Shapes<'_>, record: RecordId, index: usize, member: &Member) -> Option<Vec<Patch>> {
    let mut patches = vec![shapes.view.cut(member.cut)];
    for (ty, init) in initialisers(shapes.view) {
        drop_values(shapes, ty, init, (record, index), &mut patches)?;
    }
    Some(patches)
}

/// The expressions that name each member, by where it is declared; nothing, if the checker refuses the file.
pub(super) fn uses(view: View<'_>) -> Option<FxHashMap<Span, Vec<ExprId>>> {
    let unit = view.file.checked()?;
    let mut uses: FxHashMap<Span, Vec<ExprId>> = FxHashMap::default();
    for expr in &unit.exprs {
        if let tree::ExprKind::Member { record, field, .. } = expr.kind {
            let fields = unit.types.records[record.0 as usize].fields.as_deref().unwrap_or_default();
            if let Some(field) = fields.get(field as usize) {
                uses.entry(field.span).or_default().push(expr.origin);
            }
        }
    }
    Some(uses)
}

/// Calls for each member of each record, the last first.
pub(super) fn each_member(view: View<'_>, mut f: impl FnMut(RecordId, usize, &Member)) {
    for id in (0..view.ast.records.len() as u32).map(RecordId) {
        for (index, member) in members(view, id).iter().enumerate().rev() {
            f(id, index, member);
        }
    }
}

fn unused_fields(view: View<'_>, hints: &mut Vec<Hint>) {
    let Some(uses) = uses(view) else { return };
    let shapes = Shapes::new(view);
    each_member(view, |record, index, member| {
        if !uses.contains_key(&member.span)
            && let Some(patches) = remove_member(&shapes, record, index, member)
        {
            hints.extend(view.hint(patches));
        }
    });
}

fn fields(view: View<'_>, hints: &mut Vec<Hint>) {
    let Some(uses) = uses(view) else { return };
    let shapes = Shapes::new(view);
    let places = outline(view.ast).exprs;
    let places = places.iter().filter(|place| place.wants_lvalue(view.ast) || place.is_followed(view.ast));
    let irreplaceable: FxHashSet<ExprId> = places.map(|place| place.id).collect();
    each_member(view, |record, index, member| {
        let used = uses.get(&member.span).map_or(&[][..], |uses| uses);
        if !used.is_empty()
            && !used.iter().any(|id| irreplaceable.contains(id))
            && let Some(mut patches) = remove_member(&shapes, record, index, member)
        {
            patches.extend(used.iter().map(|&id| view.put(view.ast[id].span, "0")));
            hints.extend(view.hint(patches));
        }
    });
}

fn bit_fields(view: View<'_>, hints: &mut Vec<Hint>) {
    each_member(view, |_, _, member| {
        if let (Some(width), Some(_)) = (member.width, member.name) {
            let text = view.source(Span::new(member.span.lo, view.ast[width].span.lo));
            if let Some(colon) = text.iter().rposition(|&b| b == b':') {
                let span = Span::new(member.span.lo + colon as u32, view.ast[width].span.hi);
                hints.extend(view.one(view.cut(span)));
            }
        }
    });
}
