//! What structs and unions consist of, and the types behind tags and typedefs.

use crate::passes::c::view::View;
use csyntax::ast::{ExprId, FieldDecl, RecordId, Storage, TypeId, TypeKind};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use rustc_hash::FxHashMap;

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
    pub cut: Span,
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
    /// The file.
    pub view: View<'a>,
    members: Vec<Vec<Member>>,
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
        let ids = (0..view.ast.records.len() as u32).map(RecordId);
        Shapes { view, members: ids.map(|id| members(view, id)).collect(), tags, typedefs }
    }

    /// The members that a specifier defines, in order.
    pub fn members(&self, id: RecordId) -> &[Member] {
        &self.members[id.index()]
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
