//! What type-based alias metadata promises: accesses whose tags cannot alias share no byte. Selection and optimisers
//! reorder and merge accesses by that. The promise is the front end's, so a proof that uses it states it.
//!
//! What `noalias` promises of parameters is the function's own: where accesses break it the source is
//! undefined by the language (LLVM LangRef, `noalias`), and nothing is stated. Only pairs of which one writes count, as the
//! promise is about memory that is modified. This is sound as what is noted did happen: both accesses are behind each
//! other on one way through the function, the pointer of the one is based on the parameter and that of the other is not. Of pairs in
//! different blocks those are noted between which no call lies (`program/accessed.rs`); that others
//! are not loses proofs alone. Neither promise is followed on the target's side, as
//! without this: overlaps that are excused are those of the source's own accesses, on whose inputs every target is right; on all
//! others the target has to do what the source does with the bytes in memory, whatever the target's parameters promise. A
//! `noalias` that only the target has is stated where promises are compared ([`crate::assumption::Assumption::NewPromise`]).

use super::based::{Base, Bases};
use super::{Ir, Res, State};
use crate::assumption::Assumption;
use crate::domain::{CmpOp, Domain, Ext};
use crate::llvm_ir::ast::{Inst, Module, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use rustc_hash::FxHashMap;

/// Most accesses of a block that are compared with later ones.
const MOST: usize = 96;

/// Most members of a structure of which copies are described.
const MEMBERS: usize = 8;

/// Longest path through type descriptions: damaged ones may form a ring.
const LONGEST: u32 = 64;

/// An access of a function: an instruction, and which of its parts. A block operation has one for each member of a structure
/// that `!tbaa.struct` describes, read and written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct AccessId {
    /// The instruction's index in its function.
    pub(crate) inst: u32,
    /// Zero for loads and stores; else the members that are read, then those that are written, in their order.
    pub(crate) part: u32,
}

impl AccessId {
    /// What a variable is called that tells of it.
    pub(crate) fn name(self) -> String {
        match self.part {
            0 => format!("access {}", self.inst),
            part => format!("access {}.{part}", self.inst),
        }
    }
}

/// A memory access of the block at hand, or one before that.
pub struct Accessed<D: Domain> {
    /// Which.
    pub(crate) id: AccessId,
    /// Whether it was made.
    pub(crate) made: D::Bool,
    /// Its address.
    pub(crate) at: D::Bv,
    is: Described,
}

impl<D: Domain> Clone for Accessed<D> {
    fn clone(&self) -> Self {
        let Accessed { id, made, at, is } = self;
        Accessed { id: *id, made: made.clone(), at: at.clone(), is: *is }
    }
}

impl<D: Domain> Accessed<D> {
    /// An access of another block.
    pub(crate) fn behind(ir: &Ir<'_>, id: AccessId, at: D::Bv, made: D::Bool) -> Option<Accessed<D>> {
        let is = ir.described(ir.f.insts.get(id.inst as usize)?, id.part)?;
        Some(Accessed { id, made, at, is })
    }
}

/// What is told of an access.
#[derive(Clone, Copy)]
struct Described {
    ptr: Operand,
    /// Where behind the pointer, in bytes.
    offset: u64,
    bytes: u64,
    write: bool,
    tag: Option<Tag>,
    base: Base,
}

/// An access tag: the object's type, the accessed type, where that lies in the object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tag {
    base: u32,
    access: u32,
    offset: u64,
}

/// A type description: its fields' types and offsets, or its parent.
#[derive(Clone, Debug, Default)]
struct Description {
    scalar: bool,
    fields: Vec<(u32, u64)>,
}

/// The alias metadata of a module.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    /// What `noalias` parameters tell apart in a function.
    bases: Bases,
    tags: FxHashMap<u32, Tag>,
    types: FxHashMap<u32, Description>,
    /// Members of structures that are copied (`!tbaa.struct`): their offsets, sizes and tags.
    members: FxHashMap<u32, Vec<(u64, u64, u32)>>,
}

/// The operands of a metadata node's text.
fn operands(text: &str) -> Option<Vec<&str>> {
    let inner = text.trim().strip_prefix("!{")?.strip_suffix('}')?;
    let (mut out, mut quoted, mut start) = (Vec::new(), false, 0);
    for (i, c) in inner.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                out.push(inner[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    out.push(inner[start..].trim());
    Some(out)
}

fn node(text: &str) -> Option<u32> {
    text.strip_prefix('!')?.parse().ok()
}

fn offset(text: &str) -> Option<u64> {
    text.strip_prefix("i64 ")?.trim().parse().ok()
}

impl Tags {
    /// The tags and types of a module's numbered metadata, in the form that all C front ends write.
    pub fn of(m: &Module) -> Tags {
        let mut out = Tags::default();
        for (n, text) in &m.metadata {
            let Some(ops) = operands(text) else { continue };
            let member = |of: &[&str]| Some((offset(of.first()?)?, offset(of.get(1)?)?, node(of.get(2)?)?));
            if let Some(members) = ops.chunks(3).map(member).collect() {
                out.members.insert(*n, members);
                continue;
            }
            match ops[..] {
                [base, access, at] | [base, access, at, _]
                    if let (Some(base), Some(access), Some(offset)) =
                        (node(base), node(access), offset(at)) =>
                {
                    out.tags.insert(*n, Tag { base, access, offset });
                }
                [name, ref rest @ ..] if name.starts_with("!\"") => {
                    let mut fields = Vec::new();
                    for pair in rest.chunks(2) {
                        let Some(ty) = node(pair[0]) else { break };
                        fields.push((ty, pair.get(1).and_then(|t| offset(t)).unwrap_or(0)));
                    }
                    out.types.insert(*n, Description { scalar: rest.len() <= 3, fields });
                }
                _ => {}
            }
        }
        out
    }

    /// The same, with what the `noalias` parameters of a function tell apart.
    pub(super) fn with_bases(self, bases: Bases) -> Tags {
        Tags { bases, ..self }
    }

    fn parent(&self, ty: u32) -> Option<u32> {
        self.types.get(&ty)?.fields.first().map(|f| f.0)
    }

    /// The nearest type that both descend from.
    fn common(&self, a: u32, b: u32) -> Option<u32> {
        let line = |mut t: u32| {
            let mut out = vec![t];
            while let Some(p) = self.parent(t)
                && out.len() < LONGEST as usize
            {
                out.push(p);
                t = p;
            }
            out
        };
        let (x, y) = (line(a), line(b));
        x.into_iter().find(|t| y.contains(t))
    }

    /// The field of a type at an offset, and the offset in it.
    fn field(&self, ty: u32, at: u64) -> Option<(u32, u64)> {
        let d = self.types.get(&ty)?;
        if d.scalar {
            let (parent, off) = d.fields.first()?;
            return Some((*parent, at.checked_sub(*off)?));
        }
        let inside = d.fields.iter().take_while(|f| f.1 <= at).last()?;
        Some((inside.0, at - inside.1))
    }

    /// Whether an access to a base may be one to a part described by another tag; none where that is no part of it.
    fn part(&self, base: Tag, sub: Tag, common: u32) -> Option<bool> {
        if base.access == base.base && base.access == common {
            return Some(true);
        }
        let (mut ty, mut at) = (base.base, base.offset);
        for _ in 0..LONGEST {
            if ty == sub.base {
                return Some(at == sub.offset || ty == base.access || sub.base == sub.access);
            }
            (ty, at) = self.field(ty, at)?;
        }
        Some(true)
    }

    /// Whether two accesses may alias.
    fn may_alias(&self, a: Tag, b: Tag) -> bool {
        if a == b {
            return true;
        }
        let Some(common) = self.common(a.access, b.access) else { return true };
        // Where neither may be a part of the other, they are different things.
        self.part(a, b, common).or_else(|| self.part(b, a, common)).unwrap_or(false)
    }
}

/// By what two accesses are told apart.
enum Apart {
    /// By the parameters that their addresses are based on.
    Base,
    /// By their types.
    Type,
}

impl Tags {
    fn apart(&self, a: &Described, b: &Described) -> Option<Apart> {
        match (a.tag, b.tag) {
            _ if !a.write && !b.write => None,
            _ if a.base.is_apart(b.base) => Some(Apart::Base),
            (Some(a), Some(b)) if !self.may_alias(a, b) => Some(Apart::Type),
            _ => None,
        }
    }
}

impl Ir<'_> {
    /// Whether what alias metadata and `noalias` parameters promise is relied on.
    pub(crate) fn follows_alias_metadata(&self) -> bool {
        self.tags.is_some()
    }

    /// The parts of an instruction that are accesses of which alias metadata or a `noalias` parameter says something.
    pub(crate) fn described_accesses(&self, inst: &Inst) -> impl Iterator<Item = u32> {
        (0..self.access_count(inst)).filter(|part| self.described(inst, *part).is_some())
    }

    /// Whether they say that an access and one of an instruction share no byte.
    pub(crate) fn are_told_apart(&self, (a, part): (&Inst, u32), b: &Inst) -> bool {
        let Some((tags, a)) = self.tags.as_ref().zip(self.described(a, part)) else { return false };
        let mut others = (0..self.access_count(b)).filter_map(|part| self.described(b, part));
        others.any(|b| tags.apart(&a, &b).is_some())
    }

    /// The number of the metadata node that is attached to an instruction under a name, such as `tbaa`.
    fn attached(&self, inst: &Inst, name: &str) -> Option<u32> {
        inst.attachments.iter().find(|(kind, _)| self.m.names.text(*kind) == name)?.1
    }

    /// The members of the structure that a block operation copies, as far as it is told.
    fn members(&self, inst: &Inst) -> &[(u64, u64, u32)] {
        let node = self.attached(inst, "tbaa.struct");
        let all = self.tags.as_ref().zip(node).and_then(|(tags, node)| tags.members.get(&node));
        all.map_or(&[], |members| &members[..members.len().min(MEMBERS)])
    }

    /// How many accesses an instruction has: its number of parts.
    fn access_count(&self, inst: &Inst) -> u32 {
        match &inst.op {
            Op::Load { .. } | Op::Store { .. } => 1,
            Op::Call(call) if matches!(call.intrinsic, Some((Intrinsic::Block(_), _))) => {
                2 * self.members(inst).len() as u32
            }
            _ => 0,
        }
    }

    fn described(&self, inst: &Inst, part: u32) -> Option<Described> {
        let tags = self.tags.as_ref()?;
        let sized = |ty| self.m.layout.store_size(&self.m.types, ty);
        let tagged = || self.attached(inst, "tbaa");
        let (ptr, offset, bytes, write, plain, tag) = match &inst.op {
            Op::Load { ty, ptr, access } => (*ptr, 0, sized(*ty)?, false, access.is_plain(), tagged()),
            Op::Store { ty, ptr, access, .. } => (*ptr, 0, sized(*ty)?, true, access.is_plain(), tagged()),
            // All is read before any is written.
            Op::Call(call) => {
                let members = self.members(inst);
                let (write, n) = (part as usize >= members.len(), part as usize % members.len().max(1));
                let (offset, bytes, tag) = *members.get(n)?;
                let ptr = call.args.get(usize::from(!write))?.value;
                (ptr, offset, bytes, write, true, Some(tag))
            }
            _ => return None,
        };
        let tag = tag.and_then(|n| tags.tags.get(&n)).copied();
        // What may be based on every parameter is told apart from nothing.
        let base = if plain { tags.bases.base(ptr) } else { Base::ANY };
        if tag.is_none() && (tags.bases.is_empty() || base == Base::ANY) {
            return None;
        }
        let plain = bytes != 0 && self.promoted_place(ptr).is_none();
        plain.then_some(Described { ptr, offset, bytes, write, tag, base })
    }

    /// Notes undefined behaviour where an access overlaps an earlier one, of its block or one before that, which metadata
    /// or a `noalias` parameter tells apart.
    pub(super) fn note_access<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) -> Res<()> {
        for part in 0..self.access_count(inst) {
            if let Some(is) = self.described(inst, part)
                && st.accesses.len() < MOST
            {
                let inst = self.f.insts.element_offset(inst).map_or(u32::MAX, |i| i as u32);
                self.note_part(d, st, AccessId { inst, part }, is)?;
            }
        }
        Ok(())
    }

    fn note_part<D: Domain>(&self, d: &mut D, st: &mut State<D>, id: AccessId, is: Described) -> Res<()> {
        let Some(tags) = &self.tags else { return Ok(()) };
        let (made, start) = (d.bool(true), self.place(d, st, is.ptr)?.bits);
        let at = d.add_num(&start, i128::from(is.offset));
        let this = Accessed { id, made, at, is };
        let (mut based, mut tagged) = (d.bool(false), d.bool(false));
        for old in &st.accesses {
            let told = match tags.apart(&old.is, &is) {
                Some(Apart::Base) => &mut based,
                Some(Apart::Type) => &mut tagged,
                None => continue,
            };
            let near = overlaps(d, old, &this);
            let near = d.and(&near, &old.made);
            *told = d.or(told, &near);
        }
        self.note_ub(d, st, &based);
        if d.as_bool(&tagged) != Some(false) {
            self.assume(Assumption::AliasMetadata);
            self.note_ub(d, st, &tagged);
        }
        st.accesses.push(this);
        Ok(())
    }
}

/// Whether two accesses share a byte.
fn overlaps<D: Domain>(d: &mut D, old: &Accessed<D>, new: &Accessed<D>) -> D::Bool {
    let (up, down) = (d.sub(&new.at, &old.at), d.sub(&old.at, &new.at));
    let width = d.width(&new.at);
    let (n, m) = (d.num(width, u128::from(old.is.bytes)), d.num(width, u128::from(new.is.bytes)));
    let (x, y) = (d.cmp(CmpOp::Ult, &up, &n), d.cmp(CmpOp::Ult, &down, &m));
    d.or(&x, &y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags() -> Tags {
        let text = "!1 = !{!\"root\"}\n!2 = !{!\"char\", !1, i64 0}\n!3 = !{!\"int\", !2, i64 0}\n\
                    !4 = !{!\"pointer\", !2, i64 0}\n!5 = !{!\"S\", !3, i64 0, !4, i64 8, !3, i64 16}\n\
                    !10 = !{!3, !3, i64 0}\n!11 = !{!4, !4, i64 0}\n!12 = !{!2, !2, i64 0}\n\
                    !13 = !{!5, !3, i64 0}\n!14 = !{!5, !4, i64 8}\n!15 = !{!5, !3, i64 16}\n";
        let m = crate::llvm_ir::parse(text.as_bytes()).expect("metadata");
        Tags::of(&m)
    }

    #[test]
    fn tags_of_different_types_or_fields_are_told_apart() {
        let t = tags();
        let may = |a: u32, b: u32| {
            let (x, y) = (t.may_alias(t.tags[&a], t.tags[&b]), t.may_alias(t.tags[&b], t.tags[&a]));
            assert_eq!(x, y, "{a} against {b}");
            x
        };
        assert!(!may(10, 11), "int against pointer");
        assert!(may(10, 12) && may(11, 12), "characters alias everything");
        assert!(may(10, 13) && may(10, 15), "an int may be a field");
        assert!(!may(10, 14), "an int is no pointer field");
        assert!(!may(13, 15) && !may(13, 14), "fields at different offsets");
        assert!(may(14, 11) && may(14, 14));
        assert!(may(12, 14), "a character may be a part of any field");
    }
}
