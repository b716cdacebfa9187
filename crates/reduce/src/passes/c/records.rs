//! Structs and unions: members removed with their initialisers, variables split into scalars.

use crate::passes::c::declarations::variables;
use crate::passes::c::initializers::item_spans;
use crate::passes::c::names::resolve;
use crate::passes::c::outline::outline;
use crate::passes::c::scratch::Scratch;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{
    DeclId, Designator, ExprId, ExprKind, FieldDecl, InitId, InitItem, InitKind, RecordId,
    Storage, TypeId, TypeKind,
};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use csyntax::tree;
use rustc_hash::FxHashMap;

c_pass!(UnusedFields, "unused-fields", "Removes members that nothing names, with their initialisers.", unused_fields);
c_pass!(Fields, "fields", "Removes members, 0 standing for them.", fields);
c_pass!(BitFields, "bit-fields", "Makes bit-fields plain members.", bit_fields);
c_pass!(Scalars, "scalars", "Splits structs, unions and arrays with constant indices into variables.", scalars);

/// One member of a struct or union.
#[derive(Copy, Clone, Debug)]
pub struct Member {
    /// Its name, unless it is an anonymous record or unnamed bit-field.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: TypeId,
    /// The specifier type of that.
    pub base: TypeId,
    /// Its width as a bit-field.
    pub width: Option<ExprId>,
    /// Where it is declared.
    pub span: Span,
    /// What to delete to remove it.
    cut: Span,
}

/// The members that a specifier defines, in order.
pub fn members(view: View<'_>, id: RecordId) -> Vec<Member> {
    let mut members = Vec::new();
    for field in view.ast[id].fields.iter().flatten() {
        let FieldDecl::Fields { base, declarators, span, .. } = field else { continue };
        if declarators.is_empty() {
            members.push(Member { name: None, ty: *base, base: *base, width: None, span: *span, cut: *span });
            continue;
        }
        let spans: Vec<Span> = declarators.iter().map(|d| d.span).collect();
        let cuts = if spans.len() == 1 { vec![*span] } else { view.list_cuts(&spans) };
        for (d, cut) in declarators.iter().zip(cuts) {
            members.push(Member { name: d.name, ty: d.ty, base: *base, width: d.width, span: d.span, cut });
        }
    }
    members
}

/// What a written type is, as far as its members go.
#[derive(Copy, Clone, Debug)]
pub enum Shape {
    /// A struct or union, by the specifier that defines it.
    Record(RecordId),
    /// An array of these.
    Array(TypeId),
    /// Anything else.
    Other,
}

/// Finds the definitions behind tags and typedefs.
pub struct Shapes<'a> {
    view: View<'a>,
    tags: FxHashMap<Symbol, RecordId>,
    typedefs: FxHashMap<Symbol, TypeId>,
}

impl<'a> Shapes<'a> {
    /// Of a file.
    pub fn new(view: View<'a>) -> Shapes<'a> {
        let (mut tags, mut typedefs) = (FxHashMap::default(), FxHashMap::default());
        for (id, record) in view.ast.records.iter().enumerate() {
            if let (Some(tag), Some(_)) = (record.tag, &record.fields) {
                tags.insert(tag, RecordId(id as u32));
            }
        }
        for decl in view.ast.decls.iter().filter(|decl| decl.storage.has(Storage::TYPEDEF)) {
            typedefs.extend(decl.declarators.iter().map(|d| (d.name, d.ty)));
        }
        Shapes { view, tags, typedefs }
    }

    /// Of a type.
    pub fn of(&self, mut ty: TypeId) -> Shape {
        for _ in 0..64 {
            match &self.view.ast[ty].kind {
                TypeKind::Record(id) if self.view.ast[*id].fields.is_some() => return Shape::Record(*id),
                TypeKind::Record(id) => {
                    let defined = self.view.ast[*id].tag.and_then(|tag| self.tags.get(&tag));
                    return defined.map_or(Shape::Other, |id| Shape::Record(*id));
                }
                TypeKind::Array { elem, .. } => return Shape::Array(*elem),
                TypeKind::Typedef(name) => match self.typedefs.get(name) {
                    Some(&behind) => ty = behind,
                    None => return Shape::Other,
                },
                _ => return Shape::Other,
            }
        }
        Shape::Other
    }
}

/// The member that an item of a list initialises; none if that is not plain to see.
fn initialised(view: View<'_>, record: RecordId, members: &[Member], items: &[InitItem], at: usize) -> Option<usize> {
    if let [Designator::Field(name)] = items[at].designators[..] {
        return members.iter().position(|member| member.name == Some(name));
    }
    let plain = items.iter().all(|item| item.designators.is_empty());
    let named: Vec<usize> = (0..members.len()).filter(|&m| members[m].name.is_some() || members[m].width.is_none()).collect();
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
            let members = members(view, record);
            let cuts = view.list_cuts(&item_spans(view, items, view.ast[init].span));
            for (at, item) in items.iter().enumerate() {
                let member = initialised(view, record, &members, items, at)?;
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
fn uses(view: View<'_>) -> Option<FxHashMap<Span, Vec<ExprId>>> {
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

fn each_member(view: View<'_>, mut f: impl FnMut(RecordId, usize, &Member)) {
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
    each_member(view, |record, index, member| {
        let used = uses.get(&member.span).map_or(&[][..], |uses| uses);
        if !used.is_empty()
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

/// A part of a variable that becomes one by itself.
struct Part {
    /// What is behind the variable's name.
    suffix: String,
    ty: TypeId,
    base: TypeId,
    /// Its place in an initialiser list without designators.
    position: usize,
}

fn scalars(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let shapes = Shapes::new(view);
    let mut scratch = Scratch::new(view.ast);
    let around: FxHashMap<ExprId, ExprId> = outline(view.ast)
        .exprs
        .iter()
        .filter_map(|place| match place.parent {
            Some(csyntax::visit::Node::Expr(parent)) => Some((place.id, parent)),
            Some(_) | None => None,
        })
        .collect();
    for variable in variables(view, &names) {
        let declarator = &view.ast[variable.decl].declarators[variable.index];
        if view.ast[variable.decl].declarators.len() > 1 || variable.entity.uses.is_empty() {
            continue;
        }
        let part = |id: &ExprId| Some((*around.get(id)?, part_of(&shapes, declarator.ty, view.ast[variable.decl].base, *id, *around.get(id)?)?));
        let parts: Option<Vec<(ExprId, Part)>> = variable.entity.uses.iter().map(part).collect();
        if let Some(parts) = parts {
            let mut patches = split(view, &mut scratch, variable.decl, &parts);
            let name = view.ast.names.name(declarator.name);
            patches.extend(parts.iter().map(|(id, part)| view.put(view.ast[*id].span, format!("{name}{}", part.suffix))));
            hints.extend(view.hint(patches));
        }
    }
}

/// Which part of a variable of this type `outer` is, an access to it.
fn part_of(shapes: &Shapes<'_>, ty: TypeId, base: TypeId, inner: ExprId, outer: ExprId) -> Option<Part> {
    let view = shapes.view;
    match (shapes.of(ty), &view.ast[outer].kind) {
        (Shape::Record(record), ExprKind::Member { arrow: false, field, .. }) => {
            let all = members(view, record);
            let position = all.iter().position(|member| member.name == Some(*field))?;
            let suffix = format!("_{}", view.ast.names.name(*field));
            Some(Part { suffix, ty: all[position].ty, base: all[position].base, position })
        }
        (Shape::Array(elem), ExprKind::Index(array, index)) if *array == inner => match view.ast[*index].kind {
            ExprKind::Int { value, .. } if value < 1 << 16 && matches!(view.ast[ty].kind, TypeKind::Array { .. }) => {
                Some(Part { suffix: format!("_{value}"), ty: elem, base, position: value as usize })
            }
            _ => None,
        },
        (Shape::Record(_) | Shape::Array(_) | Shape::Other, _) => None,
    }
}

/// The declarations of a variable's parts in place of its own.
fn split(view: View<'_>, scratch: &mut Scratch, decl: DeclId, parts: &[(ExprId, Part)]) -> Vec<Patch> {
    let declaration = &view.ast[decl];
    let declarator = &declaration.declarators[0];
    let name = view.ast.names.name(declarator.name);
    let mut done: Vec<&str> = Vec::new();
    let mut text = String::new();
    for (_, part) in parts {
        if done.contains(&&part.suffix[..]) {
            continue;
        }
        done.push(&part.suffix);
        let symbol = scratch.ast.names.intern(&format!("{name}{}", part.suffix));
        text += &scratch.variable(symbol, declaration.storage, part.base, part.ty);
        if let Some(init) = declarator.init {
            let value = match &view.ast[init].kind {
                InitKind::List(items) => items.get(part.position).map(|item| view.source(view.ast[item.init].span)),
                InitKind::Expr(_) => None,
            };
            text += &format!(" = {}", String::from_utf8_lossy(value.unwrap_or(b"0")));
        }
        text += "; ";
    }
    vec![view.put(declaration.span, text)]
}
