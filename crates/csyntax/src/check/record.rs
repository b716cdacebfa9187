//! Struct, union and enum specifiers.

use super::layout::{self, Member, Rules};
use super::scope::{Entity, Tag};
use super::{Checker, attr::Attrs};
use crate::ast::{self, Alignas, FieldDecl, FieldDeclarator, Quals};
use crate::intern::Symbol;
use crate::source::Span;
use crate::types::{
    ArrayLen, Enum, EnumId, Field, IntKind, Layout, QTy, Record, RecordAttrs, RecordId, Ty, TyKind,
};
use rustc_hash::FxHashMap;

/// Above so many members a record gets a map of their names.
const MEMBER_MAP_FROM: usize = 16;

impl Checker<'_> {
    /// The type a struct or union specifier names or defines.
    pub(super) fn record_spec(&mut self, spec: ast::RecordId, _quals: Quals) -> Ty {
        let id = match self.record_specs[spec.index()] {
            Some(id) => id,
            None => {
                let id = self.declare_record(spec);
                self.record_specs[spec.index()] = Some(id);
                if self.ast[spec].fields.is_some() {
                    self.define_record(spec, id);
                }
                id
            }
        };
        self.tree.types.intern(TyKind::Record(id))
    }

    fn declare_record(&mut self, spec: ast::RecordId) -> RecordId {
        let node = &self.ast[spec];
        let (is_union, span, defines) = (node.is_union, node.span, node.fields.is_some());
        let Some(tag) = node.tag else { return self.new_record(None, is_union, span) };
        let known = if defines { self.scope.tag_here(tag) } else { self.scope.tag(tag) };
        match known {
            Some(Tag::Record(id)) => {
                let record = &self.types().records[id.0 as usize];
                if record.is_union != is_union {
                    let text = self.name(tag).to_string();
                    self.error(
                        span,
                        format!("tag '{text}' names a struct in one place and a union in the other"),
                    );
                } else if defines && record.fields.is_some() {
                    let text = self.name(tag).to_string();
                    self.error(span, format!("redefinition of tag '{text}'"));
                } else {
                    return id;
                }
                self.new_record(Some(tag), is_union, span)
            }
            Some(Tag::Enum(_)) => {
                let text = self.name(tag).to_string();
                self.error(span, format!("tag '{text}' names an enum"));
                self.new_record(Some(tag), is_union, span)
            }
            None => {
                let id = self.new_record(Some(tag), is_union, span);
                self.scope.bind_tag(tag, Tag::Record(id));
                id
            }
        }
    }

    /// `struct s;` declares a new tag in this scope even if an outer one exists.
    pub(super) fn redeclare_tag(&mut self, spec: ast::RecordId) {
        let node = &self.ast[spec];
        if let (Some(tag), None) = (node.tag, &node.fields)
            && self.scope.tag_here(tag).is_none()
            && self.scope.tag(tag).is_some()
        {
            let id = self.new_record(Some(tag), node.is_union, node.span);
            self.scope.bind_tag(tag, Tag::Record(id));
            self.record_specs[spec.index()] = Some(id);
        }
    }

    fn new_record(&mut self, tag: Option<Symbol>, is_union: bool, span: Span) -> RecordId {
        let attrs = RecordAttrs::default();
        let records = &mut self.tree.types.records;
        records.push(Record { tag, is_union, fields: None, size: 0, align: 1, attrs, span });
        RecordId(records.len() as u32 - 1)
    }

    fn define_record(&mut self, spec: ast::RecordId, id: RecordId) {
        let ast = self.ast;
        let node = &ast[spec];
        let attrs = self.attrs(&node.attrs, node.span);
        let mut fields = Vec::new();
        let mut members = Vec::new();
        for decl in node.fields.as_deref().unwrap_or(&[]) {
            match decl {
                FieldDecl::StaticAssert(cond, message) => {
                    self.static_assert(*cond, message.as_deref(), ast[*cond].span);
                }
                FieldDecl::Fields { base, alignas, attrs: own, declarators, span } => {
                    let common = self.attrs(own, *span);
                    let aligned = self.alignas(alignas, *span);
                    let base_ty = self.base_type(*base);
                    if declarators.is_empty() {
                        let Some(record) = self.anonymous(base_ty, *base) else {
                            self.warn(*span, "this member declaration declares nothing");
                            continue;
                        };
                        let aligned = aligned.max(common.aligned);
                        let packed = attrs.packed || common.packed;
                        let layout = Layout { size: record.size, align: record.align };
                        members.push(Member { layout, width: None, named: false, packed, aligned });
                        let (ty, span) = (base_ty, *span);
                        fields.push(Field { name: None, ty, offset: 0, bits: None, align: 1, span });
                    }
                    for declarator in declarators {
                        let member = self.member(declarator, *base, base_ty, &common, aligned, attrs.packed);
                        if let Some((field, member)) = member {
                            fields.push(field);
                            members.push(member);
                        }
                    }
                }
            }
        }
        self.check_flexible(&fields, node.is_union);
        self.finish_record(id, node, fields, &members, &attrs);
    }

    fn finish_record(
        &mut self,
        id: RecordId,
        node: &ast::RecordSpec,
        mut fields: Vec<Field>,
        members: &[Member],
        attrs: &Attrs,
    ) {
        let rules = Rules {
            is_union: node.is_union,
            pack: node.pack.filter(|&p| p != 0).map(u64::from),
            aligned: attrs.aligned,
        };
        let layout = match layout::place(members, rules, self.size_limit()) {
            Some((placed, layout)) => {
                for (field, place) in fields.iter_mut().zip(placed) {
                    field.offset = place.offset;
                    field.bits = place.bits;
                    field.align = place.align;
                }
                layout
            }
            None => {
                self.error(node.span, "this record is too large");
                Layout { size: 1, align: 1 }
            }
        };
        self.check_member_names(&fields);
        if fields.len() >= MEMBER_MAP_FROM {
            let map = self.member_map(&fields);
            self.member_maps.insert(id, map);
        }
        let record = &mut self.tree.types.records[id.0 as usize];
        record.fields = Some(fields);
        record.size = layout.size;
        record.align = layout.align;
        record.span = node.span;
        record.attrs =
            RecordAttrs { packed: attrs.packed, transparent: attrs.transparent, may_alias: attrs.may_alias };
    }

    /// The record behind a member declaration without declarators (`-fms-extensions` is not on: no tag allowed,
    /// but gcc takes a tagless definition only).
    fn anonymous(&mut self, ty: QTy, base: ast::TypeId) -> Option<Record> {
        let ast::TypeKind::Record(spec) = self.ast[base].kind else { return None };
        if self.ast[spec].tag.is_some() {
            return None;
        }
        let TyKind::Record(id) = *self.tykind(ty.ty) else { return None };
        self.types().records[id.0 as usize]
            .fields
            .is_some()
            .then(|| self.types().records[id.0 as usize].clone())
    }

    fn member(
        &mut self,
        declarator: &FieldDeclarator,
        base: ast::TypeId,
        base_ty: QTy,
        common: &Attrs,
        alignas: Option<u64>,
        packed: bool,
    ) -> Option<(Field, Member)> {
        let span = declarator.span;
        let own = self.attrs(&declarator.attrs, span);
        let attrs = own.with(common.clone());
        let pending = self.pending_vlas.len();
        let ty = self.resolve(declarator.ty, Some((base, base_ty)));
        let ty = self.apply_type_attrs(ty, &attrs, span);
        let ty = if attrs.may_alias {
            self.apply_typedef_attrs(ty, &Attrs { may_alias: true, ..Attrs::default() })
        } else {
            ty
        };
        if self.variably_modified(ty.ty) {
            self.pending_vlas.truncate(pending);
            self.unsupported(span, "members of variable size are not supported");
            return None;
        }
        let layout = match (self.types().layout(ty.ty), self.tykind(ty.ty)) {
            (Some(layout), _) => layout,
            (None, TyKind::Array(elem, ArrayLen::Unknown)) => {
                Layout { size: 0, align: self.types().layout(elem.ty).map_or(1, |l| l.align) }
            }
            (None, _) => {
                let text = self.show(ty);
                self.error(span, format!("a member cannot have the incomplete type '{text}'"));
                return None;
            }
        };
        let width = match declarator.width {
            Some(width) => Some(self.bit_width(width, ty.ty, declarator.name, span)?),
            None => None,
        };
        let member = Member {
            layout,
            width,
            named: declarator.name.is_some(),
            packed: packed || attrs.packed,
            aligned: attrs.aligned.max(alignas),
        };
        Some((Field { name: declarator.name, ty, offset: 0, bits: None, align: 1, span }, member))
    }

    fn bit_width(&mut self, width: ast::ExprId, ty: Ty, name: Option<Symbol>, span: Span) -> Option<u64> {
        if !self.is_integer(ty) {
            let text = self.show(ty);
            self.error(span, format!("a bit-field must have an integer type, found '{text}'"));
            return None;
        }
        let (value, _) = self.need_constant(width, "a bit-field width")?;
        let most = self.width(ty);
        if value < 0 || value > i128::from(most) {
            self.error(
                span,
                format!("bit-field width {value} is not between 0 and {most}, the width of its type"),
            );
            return None;
        }
        if value > 64 {
            self.unsupported(span, "a bit-field wider than 64 bits");
            return None;
        }
        if value == 0 && name.is_some() {
            self.error(span, "a bit-field of width 0 cannot have a name");
            return None;
        }
        Some(value as u64)
    }

    fn check_flexible(&mut self, fields: &[Field], is_union: bool) {
        let last = fields.len().saturating_sub(1);
        for index in (0..fields.len()).rev() {
            let flexible = matches!(self.tykind(fields[index].ty.ty), TyKind::Array(_, ArrayLen::Unknown));
            if flexible && index != last && !is_union {
                let span = fields[index].span;
                self.error(span, "only the last member may be a flexible array");
            }
        }
    }

    fn check_member_names(&mut self, fields: &[Field]) {
        let mut seen = FxHashMap::default();
        let mut stack: Vec<(Symbol, Span)> = Vec::new();
        self.collect_names(fields, &mut stack);
        for (name, span) in stack {
            if seen.insert(name, span).is_some() {
                let text = self.name(name).to_string();
                self.error(span, format!("duplicate member '{text}'"));
            }
        }
    }

    fn collect_names(&self, fields: &[Field], out: &mut Vec<(Symbol, Span)>) {
        for field in fields {
            match (field.name, self.tykind(field.ty.ty)) {
                (Some(name), _) => out.push((name, field.span)),
                (None, TyKind::Record(id)) if field.bits.is_none() => {
                    if let Some(inner) = &self.types().records[id.0 as usize].fields {
                        self.collect_names(inner, out);
                    }
                }
                (None, _) => {}
            }
        }
    }

    /// Member paths by name.
    fn member_map(&self, fields: &[Field]) -> FxHashMap<Symbol, Vec<u32>> {
        let mut map = FxHashMap::default();
        for (index, field) in fields.iter().enumerate() {
            let index = index as u32;
            match (field.name, self.tykind(field.ty.ty)) {
                (Some(name), _) => {
                    map.insert(name, vec![index]);
                }
                (None, TyKind::Record(id)) if field.bits.is_none() => {
                    if let Some(inner) = &self.types().records[id.0 as usize].fields {
                        for (name, path) in self.member_map(inner) {
                            map.insert(name, std::iter::once(index).chain(path).collect());
                        }
                    }
                }
                (None, _) => {}
            }
        }
        map
    }

    /// The indices that lead to a member, through anonymous records.
    pub(super) fn find_member(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        if let Some(map) = self.member_maps.get(&record) {
            return map.get(&name).cloned();
        }
        let fields = self.types().records[record.0 as usize].fields.as_deref()?;
        for (index, field) in fields.iter().enumerate() {
            if field.name == Some(name) {
                return Some(vec![index as u32]);
            }
            if let (None, None, TyKind::Record(inner)) = (field.name, field.bits, self.tykind(field.ty.ty))
                && let Some(path) = self.find_member(*inner, name)
            {
                return Some(std::iter::once(index as u32).chain(path).collect());
            }
        }
        None
    }

    /// The strictest of several `_Alignas`.
    pub(super) fn alignas(&mut self, list: &[Alignas], span: Span) -> Option<u64> {
        let mut most = None;
        for alignas in list {
            let value = match alignas {
                Alignas::Type(ty) => {
                    let ty = self.type_name(*ty);
                    self.types().layout(ty.ty).map(|l| l.align)
                }
                Alignas::Expr(expr) => {
                    let value = self.need_constant(*expr, "an alignment").map(|(v, _)| v);
                    value.and_then(|v| u64::try_from(v).ok()).and_then(|v| self.check_alignment(v, span))
                }
            };
            most = most.max(value);
        }
        most
    }

    // ----- enums

    /// The type an enum specifier names or defines.
    pub(super) fn enum_spec(&mut self, spec: ast::EnumId) -> Ty {
        let ast = self.ast;
        let node = &ast[spec];
        let defines = node.enumerators.is_some();
        let known = match node.tag {
            Some(tag) if defines => self.scope.tag_here(tag),
            Some(tag) => self.scope.tag(tag),
            None => None,
        };
        let id = match known {
            Some(Tag::Enum(id)) if !(defines && self.types().enums[id.0 as usize].defined) => id,
            Some(_) => {
                let text = node.tag.map(|t| self.name(t).to_string()).unwrap_or_default();
                self.error(node.span, format!("tag '{text}' is defined already, or not as an enum"));
                self.new_enum(None, node.span)
            }
            None => self.new_enum(node.tag, node.span),
        };
        if known.is_none()
            && let Some(tag) = node.tag
        {
            self.scope.bind_tag(tag, Tag::Enum(id));
        }
        let ty = self.tree.types.intern(TyKind::Enum(id));
        if let Some(underlying) = node.underlying {
            self.fix_enum(id, underlying);
        }
        if let Some(enumerators) = &node.enumerators {
            let attrs = self.attrs(&node.attrs, node.span);
            self.define_enum(id, ty, enumerators, &attrs);
        }
        ty
    }

    fn new_enum(&mut self, tag: Option<Symbol>, span: Span) -> EnumId {
        self.tree.types.enums.push(Enum { tag, int: None, fixed: false, defined: false, span });
        EnumId(self.tree.types.enums.len() as u32 - 1)
    }

    /// Gives an enum the underlying type that is written (C23 6.7.3.3).
    fn fix_enum(&mut self, id: EnumId, underlying: ast::TypeId) {
        let span = self.ast[underlying].span;
        let ty = self.type_name(underlying).ty;
        let kind = self.types().int_kind(ty).filter(|kind| kind.bit_precise().is_none());
        let Some(kind) = kind else {
            let text = self.show(ty);
            self.error(span, format!("an enum cannot have the underlying type '{text}'"));
            return;
        };
        let known = &mut self.tree.types.enums[id.0 as usize];
        if known.int.is_some_and(|int| int != kind || !known.fixed) {
            self.error(span, "this enum has been declared with another underlying type");
            return;
        }
        known.int = Some(kind);
        known.fixed = true;
    }

    /// The enumerators of an enum with an underlying type have its type.
    fn define_fixed_enum(&mut self, ty: Ty, enumerators: &[ast::Enumerator]) {
        let mut next = 0i128;
        for enumerator in enumerators {
            let given = enumerator.value.and_then(|expr| self.need_constant(expr, "an enumerator's value"));
            let value = given.map_or(next, |(value, _)| value);
            if self.extend(self.truncate(value as u128, ty), ty) != value {
                let text = self.show(ty);
                self.error(enumerator.span, format!("the value {value} does not fit the type of '{text}'"));
            }
            self.declare_constant(enumerator.name, value, ty, enumerator.span);
            next = value.wrapping_add(1);
        }
    }

    fn define_enum(&mut self, id: EnumId, ty: Ty, enumerators: &[ast::Enumerator], attrs: &Attrs) {
        self.tree.types.enums[id.0 as usize].defined = true;
        if self.types().enums[id.0 as usize].fixed {
            return self.define_fixed_enum(ty, enumerators);
        }
        let mut values: Vec<(Symbol, i128, Ty)> = Vec::with_capacity(enumerators.len());
        let (mut next, mut next_ty) = (0i128, Ty::INT);
        let (mut least, mut most) = (0i128, 0i128);
        for enumerator in enumerators {
            let (mut value, mut value_ty) = (next, next_ty);
            if let Some(expr) = enumerator.value
                && let Some((v, t)) = self.need_constant(expr, "an enumerator's value")
            {
                (value, value_ty) = (v, self.promoted_ty(t, 0));
            }
            if i32::try_from(value).is_ok() {
                value_ty = Ty::INT;
            } else if value_ty == Ty::INT {
                value_ty = if value <= i128::from(u32::MAX) && value >= 0 { Ty::UINT } else { Ty::LONG };
            }
            self.declare_constant(enumerator.name, value, value_ty, enumerator.span);
            values.push((enumerator.name, value, value_ty));
            least = least.min(value);
            most = most.max(value);
            next = value.wrapping_add(1);
            next_ty = value_ty;
        }
        let kind = match attrs.mode {
            Some(_) => {
                let base = if least < 0 { Ty::INT } else { Ty::UINT };
                let made = self.apply_type_attrs(base.into(), attrs, Span::NONE);
                self.types().int_kind(made.ty).unwrap_or(IntKind::Int)
            }
            None => self.enum_kind(least, most, attrs.packed),
        };
        self.tree.types.enums[id.0 as usize].int = Some(kind);
        for (name, value, _) in values {
            let ty = if i32::try_from(value).is_ok() { Ty::INT } else { ty };
            let value = self.truncate(value as u128, ty);
            if matches!(self.scope.lookup_here(name), Some(Entity::Constant(..))) {
                self.scope.rebind(name, Entity::Constant(value, ty));
            }
        }
    }

    fn declare_constant(&mut self, name: Symbol, value: i128, ty: Ty, span: Span) {
        if self.scope.lookup_here(name).is_some() {
            let text = self.name(name).to_string();
            self.error(span, format!("redeclaration of '{text}' as an enumerator"));
            return;
        }
        let value = self.truncate(value as u128, ty);
        self.scope.bind(name, Entity::Constant(value, ty));
    }

    /// gcc's choice: unsigned unless a value is negative, `int`-sized unless that is too small or `packed`.
    fn enum_kind(&self, least: i128, most: i128, packed: bool) -> IntKind {
        let all = [
            (IntKind::SChar, IntKind::UChar),
            (IntKind::Short, IntKind::UShort),
            (IntKind::Int, IntKind::UInt),
            (IntKind::Long, IntKind::ULong),
            (IntKind::LLong, IntKind::ULLong),
        ];
        let candidates = if packed { &all[..] } else { &all[2..] };
        for &(signed, unsigned) in candidates {
            let bits = self.types().int_bytes(signed) as u32 * 8;
            if least >= 0 {
                if most < 1i128 << bits {
                    return unsigned;
                }
            } else if least >= -(1i128 << (bits - 1)) && most < 1i128 << (bits - 1) {
                return signed;
            }
        }
        if least < 0 { IntKind::LLong } else { IntKind::ULLong }
    }
}
