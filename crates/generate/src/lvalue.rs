//! Choosing objects to read, write and point to: variables, members, elements, what pointers point to.

use crate::builder::{Ex, Gen};
use crate::flow::{Flow, NodeId, Place, PlaceId, Val};
use crate::model::{Dims, Home, Kinds, Model, Qualified, Range, TyDef, TyId, VarId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, Quals, UnOp};

/// An lvalue.
#[derive(Clone, Debug)]
pub(crate) struct Lv {
    /// The syntax.
    pub id: ExprId,
    /// Its type, with the qualifiers of what it is a part of.
    pub ty: Qualified,
    /// Dimensions that are not indexed yet.
    pub dims: Dims,
    /// The object.
    pub place: PlaceId,
    /// What evaluating its indices does.
    pub node: NodeId,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// Values it always has.
    pub range: Option<Range>,
    /// The variable it is a part of, where that is named.
    pub var: Option<VarId>,
    /// Is it an element of an array, or a part of one?
    pub element: bool,
    /// Is it in a packed struct, and so perhaps not aligned?
    pub packed: bool,
}

/// What an object is wanted for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// An integer of any type.
    Int,
    /// A floating object.
    Float,
    /// An object of any enum.
    Enum,
    /// An `__int128`.
    Wide,
    /// A vector.
    Vector,
    /// Any pointer.
    Pointer,
    /// Any struct or union.
    Record,
    /// A value of this pointer or record type.
    Exactly(TyId),
}

/// What will be done with it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Read,
    Write,
    Address,
}

impl Gen<'_> {
    /// The pointer conversion rule (section 3.6.3): same pointee, and no qualifier lost.
    pub(crate) fn converts(&self, from: TyId, to: TyId) -> bool {
        if from == to {
            return true;
        }
        match (self.model.pointee(from), self.model.pointee(to)) {
            (Some(from), Some(to)) => {
                let same = |quals| from.quals.has(quals) == to.quals.has(quals);
                from.ty == to.ty
                    && to.quals.has(from.quals)
                    && same(Quals::ATOMIC)
                    && !self.on(Switch::MatchExactQualifiers)
            }
            (Some(_), None) | (None, Some(_)) | (None, None) => false,
        }
    }

    /// A whole variable.
    pub(crate) fn variable(&mut self, var: VarId) -> Lv {
        let (name, ty, dims, loc, range) = {
            let v = self.model.var(var);
            (v.name, v.ty, v.dims, v.loc, v.range)
        };
        let id = self.ident(name);
        let place = self.flow.place(Place::At(loc));
        let element = false;
        Lv { id, ty, dims, place, node: Flow::NOP, bits: None, range, var: Some(var), element, packed: false }
    }

    /// A member of a record.
    pub(crate) fn member(&mut self, lv: Lv, field: usize) -> Option<Lv> {
        let record = self.model.record(lv.ty.ty)?;
        let field = &record.fields[field];
        let (name, offset, packed) = (field.name?, field.loc, lv.packed || record.packed);
        let (ty, dims, bits) = (field.ty, field.dims, field.bits);
        // (*p).f is written p->f
        let id = match self.ast[lv.id].kind {
            ExprKind::Unary(UnOp::Deref, base) => self.e(ExprKind::Member { base, arrow: true, field: name }),
            _ => self.e(ExprKind::Member { base: lv.id, arrow: false, field: name }),
        };
        let place = match self.flow.place_at(lv.place) {
            Place::At(loc) => Place::At(crate::model::Loc(loc.0 + offset)),
            Place::Deref(val, at) => Place::Deref(val, at + offset),
        };
        let place = self.flow.place(place);
        let ty = Qualified { ty: ty.ty, quals: ty.quals.with(lv.ty.quals) };
        let element = lv.element || !dims.is_empty();
        Some(Lv { id, ty, dims, place, node: lv.node, bits, range: None, var: lv.var, element, packed })
    }

    /// What a pointer points to, if that is surely something.
    pub(crate) fn dereference(&mut self, lv: Lv) -> Option<Lv> {
        let to = self.model.pointee(lv.ty.ty)?;
        if !lv.dims.is_empty() || self.model.def(to.ty) == TyDef::Void {
            return None;
        }
        let val = self.flow.val(Val::Load(lv.place));
        if !self.transfer.dereferenceable(
            crate::analysis::transfer::World {
                model: &self.model,
                flow: &self.flow,
                functions: &self.fn_flow,
            },
            val,
            &self.state,
        ) {
            return None;
        }
        let id = self.e(ExprKind::Unary(UnOp::Deref, lv.id));
        let place = self.flow.place(Place::Deref(val, 0));
        Some(Lv {
            id,
            ty: to,
            dims: Dims::default(),
            place,
            node: lv.node,
            bits: None,
            range: None,
            var: None,
            element: lv.element,
            packed: false,
        })
    }

    /// An element of an array, all dimensions indexed.
    pub(crate) fn element(&mut self, mut lv: Lv) -> Lv {
        let mut nodes = [Flow::NOP; Dims::MOST + 1];
        nodes[0] = lv.node;
        for (&len, at) in std::mem::take(&mut lv.dims).iter().zip(&mut nodes[1..]) {
            let (index, node) = self.index(len);
            lv.id = self.e(ExprKind::Index(lv.id, index));
            *at = node;
            lv.element = true;
        }
        lv.node = self.flow.unseq(&nodes);
        lv.range = None;
        lv
    }

    /// An index below `len`, without side effects.
    pub(crate) fn index(&mut self, len: u32) -> (ExprId, NodeId) {
        let constant = |gen_: &mut Self| {
            let at = gen_.choices.below(len);
            (gen_.number(at), Flow::NOP)
        };
        let fits = |c: &&crate::builder::Counter| c.range.hi - c.range.lo < len.into();
        let counters = self.cx.counters.iter().filter(fits).count() as u32;
        match self.choices.weighted(&[20, if counters == 0 { 0 } else { 90 }, 12]) {
            Some(1) => {
                let at = self.choices.below(counters) as usize;
                let counter = self.cx.counters.iter().filter(fits).nth(at).copied();
                counter.and_then(|c| self.counter_index(c, len)).unwrap_or_else(|| constant(self))
            }
            Some(2) => self.masked_index(len).unwrap_or_else(|| constant(self)),
            _ => constant(self),
        }
    }

    /// A loop counter as an index, moved so that it stays within bounds.
    pub(crate) fn counter_index(
        &mut self,
        counter: crate::builder::Counter,
        len: u32,
    ) -> Option<(ExprId, NodeId)> {
        let (least, most) = (-counter.range.lo, i128::from(len) - 1 - counter.range.hi);
        if least > most {
            return None;
        }
        let width = (most - least).min(7) as u32;
        let shift = least + i128::from(self.choices.below(width + 1));
        let shift = if least <= 0 && most >= 0 && self.choices.percent(60) { 0 } else { shift };
        let lv = self.variable(counter.var);
        let node = self.flow.node(crate::flow::Node::Load(lv.place));
        let id = match shift {
            0 => lv.id,
            1.. => {
                let by = self.number(shift as u32);
                self.e(ExprKind::Binary(BinOp::Add, lv.id, by))
            }
            _ => {
                let by = self.number(-shift as u32);
                self.e(ExprKind::Binary(BinOp::Sub, lv.id, by))
            }
        };
        Some((id, node))
    }

    /// `x & 7` or `x % 7u` as an index.
    fn masked_index(&mut self, len: u32) -> Option<(ExprId, NodeId)> {
        let var = (0..3).find_map(|_| {
            let var = self.pick_any()?;
            let info = self.model.var(var);
            (self.model.int(info.ty.ty).is_some() && info.dims.is_empty()).then_some(var)
        })?;
        let lv = self.variable(var);
        let ex = self.read(lv)?;
        let int = self.model.int(ex.ty)?;
        let id = if len.is_power_of_two() || self.choices.percent(50) {
            let mask = self.number(len.next_power_of_two() / if len.is_power_of_two() { 1 } else { 2 } - 1);
            self.e(ExprKind::Binary(BinOp::And, ex.id, mask))
        } else {
            let len = self.literal(len.into(), crate::model::IntTy::U32);
            let wide = int.bits() == 64 && int.signed();
            let base = if wide {
                let unsigned = self.model.intern(TyDef::Int(crate::model::IntTy::U32));
                self.cast(unsigned, ex.id)
            } else {
                ex.id
            };
            self.e(ExprKind::Binary(BinOp::Rem, base, len))
        };
        Some((id, ex.node))
    }

    /// A variable in sight that `fits`, by scope (thesis table 3.3).
    pub(crate) fn pick_var(&mut self, fits: impl Fn(&Model, VarId) -> bool) -> Option<VarId> {
        let count = |list: &[VarId]| list.iter().filter(|v| fits(&self.model, **v)).count() as u32;
        let globals = count(&self.globals);
        let params = count(&self.cx.params);
        let locals = self.cx.scopes.iter().map(|s| count(&s.vars)).sum();
        let weight = |count, weight| if count == 0 { 0 } else { weight };
        let class = self.choices.weighted(&[weight(globals, 40), weight(locals, 35), weight(params, 25)])?;
        let at = self.choices.below([globals, locals, params][class]) as usize;
        let fitting = |v: &&VarId| fits(&self.model, **v);
        match class {
            0 => self.globals.iter().filter(fitting).nth(at).copied(),
            1 => self.cx.scopes.iter().flat_map(|s| &s.vars).filter(fitting).nth(at).copied(),
            _ => self.cx.params.iter().filter(fitting).nth(at).copied(),
        }
    }

    /// Any variable in sight, by scope. Those in the lists are all free.
    fn pick_any(&mut self) -> Option<VarId> {
        let lens =
            [self.globals.len(), self.cx.scopes.iter().map(|s| s.vars.len()).sum(), self.cx.params.len()];
        let weight = |len: usize, weight| if len == 0 { 0 } else { weight };
        let weights = [weight(lens[0], 40), weight(lens[1], 35), weight(lens[2], 25)];
        let class = self.choices.weighted(&weights)?;
        let mut at = self.choices.below(lens[class] as u32) as usize;
        let var = match class {
            0 => self.globals.get(at).copied(),
            1 => self.cx.scopes.iter().find_map(|s| {
                let found = s.vars.get(at).copied();
                at = at.wrapping_sub(s.vars.len());
                found
            }),
            _ => self.cx.params.get(at).copied(),
        };
        debug_assert!(var.is_some_and(|v| self.model.var(v).free));
        var
    }

    /// A variable in sight in which something of a kind may be found; any, where a few draws find none.
    fn pick_likely(&mut self, kinds: Kinds, purpose: Use) -> Option<VarId> {
        let mut var = self.pick_any()?;
        for _ in 0..5 {
            let reach = self.model.reach[var.0 as usize];
            let constant = purpose == Use::Write
                && self.model.var(var).ty.quals.has(Quals::CONST)
                && !reach.any(Kinds::POINTER);
            if reach.any(kinds) && !constant {
                return Some(var);
            }
            var = self.pick_any()?;
        }
        Some(var)
    }

    /// An object in sight that can be used so, found by walking from a random variable.
    pub(crate) fn find(&mut self, want: Want, purpose: Use) -> Option<Lv> {
        let kinds = match want {
            Want::Int => Kinds::INT,
            Want::Float => Kinds::FLOAT,
            Want::Enum => Kinds::ENUM,
            Want::Wide => Kinds::WIDE,
            Want::Vector => Kinds::VECTOR,
            Want::Pointer => Kinds::POINTER,
            Want::Record => Kinds::RECORD,
            Want::Exactly(ty) => self.model.kind(ty),
        };
        for _ in 0..4 {
            let new = self.choices.percent(6) && !self.cx.scopes.is_empty();
            let var = match new.then(|| self.new_variable(want)).flatten() {
                Some(var) => var,
                None => self.pick_likely(kinds, purpose)?,
            };
            let lv = self.variable(var);
            if let Some(found) = self.walk(lv, want, purpose)
                && self.usable(&found, purpose)
            {
                return Some(found);
            }
        }
        None
    }

    /// Is it valid to use it so here? Notes the effects if it is.
    fn usable(&mut self, lv: &Lv, purpose: Use) -> bool {
        let world = crate::analysis::transfer::World {
            model: &self.model,
            flow: &self.flow,
            functions: &self.fn_flow,
        };
        let effects = &mut self.cx.effects;
        match purpose {
            Use::Read => self.transfer.try_read(world, lv.place, &self.state, effects),
            Use::Write => self.transfer.try_write(world, lv.place, &self.state, effects),
            Use::Address => {
                lv.bits.is_none() && !lv.packed && self.local_address(lv) && self.may_point_into(lv)
            }
        }
    }

    fn local_address(&self, lv: &Lv) -> bool {
        self.on(Switch::AddrTakenOfLocals) || lv.var.is_none_or(|v| self.model.var(v).home == Home::Static)
    }

    fn may_point_into(&self, lv: &Lv) -> bool {
        match self.flow.place_at(lv.place) {
            Place::At(loc) => self.on(Switch::TakeUnionFieldAddr) || self.model.loc(loc).union.is_none(),
            Place::Deref(..) => true,
        }
    }

    fn suits(&self, lv: &Lv, want: Want, purpose: Use) -> bool {
        if purpose == Use::Write && !self.assignable(lv) {
            return false;
        }
        match want {
            Want::Int => self.model.int(lv.ty.ty).is_some(),
            Want::Enum => matches!(self.model.def(lv.ty.ty), TyDef::Enum(_)),
            Want::Wide => matches!(self.model.def(lv.ty.ty), TyDef::Wide(_)),
            Want::Vector => matches!(self.model.def(lv.ty.ty), TyDef::Vector(..)),
            Want::Float => matches!(self.model.def(lv.ty.ty), TyDef::Float(_)),
            Want::Pointer => self.model.pointee(lv.ty.ty).is_some(),
            Want::Record => self.model.record(lv.ty.ty).is_some(),
            Want::Exactly(ty) => match purpose {
                Use::Read => self.converts(lv.ty.ty, ty),
                Use::Write | Use::Address => lv.ty.ty == ty,
            },
        }
    }

    /// May it be assigned to?
    pub(crate) fn assignable(&self, lv: &Lv) -> bool {
        !lv.ty.quals.has(Quals::CONST)
            && !self.model.record(lv.ty.ty).is_some_and(|r| r.has_const)
            && lv.var.is_none_or(|v| !self.transfer.is_locked(v))
    }

    /// Goes from an object through elements, members and pointers to one that suits.
    pub(crate) fn walk(&mut self, mut lv: Lv, want: Want, purpose: Use) -> Option<Lv> {
        for _ in 0..8 {
            if !lv.dims.is_empty() {
                lv = self.element(lv);
            }
            let suits = self.suits(&lv, want, purpose);
            match self.model.def(lv.ty.ty) {
                TyDef::Int(_)
                | TyDef::Float(_)
                | TyDef::Enum(_)
                | TyDef::Wide(_)
                | TyDef::Vector(..)
                | TyDef::Void => return suits.then_some(lv),
                TyDef::Record(index) => {
                    let deeper = want == Want::Record && self.choices.percent(20);
                    if suits && !deeper {
                        return Some(lv);
                    }
                    let count = self.model.records[index as usize].fields.len() as u32;
                    let field = self.choices.below(count) as usize;
                    lv = self.member(lv, field)?;
                }
                TyDef::Pointer(_) => {
                    let deeper = want == Want::Pointer && self.choices.percent(30);
                    if suits && !deeper {
                        return Some(lv);
                    }
                    lv = self.dereference(lv)?;
                }
            }
        }
        None
    }

    /// The value of an object found for reading.
    pub(crate) fn loaded(&mut self, lv: &Lv) -> Ex {
        let load = self.flow.node(crate::flow::Node::Load(lv.place));
        let node = self.flow.unseq(&[lv.node, load]);
        let val = match self.model.def(lv.ty.ty) {
            TyDef::Pointer(_) | TyDef::Record(_) => self.flow.val(Val::Load(lv.place)),
            TyDef::Void | TyDef::Int(_) | TyDef::Float(_) => Flow::NUMBER,
            TyDef::Wide(_) | TyDef::Vector(..) | TyDef::Enum(_) => Flow::NUMBER,
        };
        if lv.ty.quals.has(Quals::ATOMIC) {
            self.atomic_reads.push(lv.id);
        }
        let (mut ty, mut range) = (lv.ty.ty, Range { lo: 0, hi: 0 });
        if let TyDef::Float(_) = self.model.def(ty) {
            range = crate::floats::HELD;
        }
        if let TyDef::Enum(index) = self.model.def(ty) {
            range = self.model.enums[index as usize].hull();
        }
        if let Some(int) = self.model.int(ty) {
            range = lv.range.unwrap_or(int.range());
            if let Some(bits) = lv.bits {
                range = bit_range(int.signed(), bits);
                if bits < 32 {
                    ty = self.model.intern(TyDef::Int(crate::model::IntTy::I32));
                }
            }
        }
        Ex { id: lv.id, ty, range, node, val, bits: lv.bits.is_some() }
    }

    /// Reads a whole scalar variable, if that is valid here.
    pub(crate) fn read(&mut self, lv: Lv) -> Option<Ex> {
        self.usable(&lv, Use::Read).then(|| self.loaded(&lv))
    }

    /// The address of an object found for that; notes that its block's variables can be pointed to.
    pub(crate) fn address(&mut self, lv: &Lv) -> Ex {
        if let Some(var) = lv.var
            && let Home::Block(block) = self.model.var(var).home
        {
            self.flow.blocks[block.0 as usize].address_taken = true;
        }
        let id = self.e(ExprKind::Unary(UnOp::AddrOf, lv.id));
        let ty = self.model.intern(TyDef::Pointer(lv.ty));
        let val = self.flow.val(Val::Address(lv.place));
        let through = match self.flow.place_at(lv.place) {
            Place::At(_) => Flow::NOP,
            Place::Deref(val, _) => match self.flow.val_at(val) {
                Val::Load(place) => self.flow.node(crate::flow::Node::Load(place)),
                Val::Number | Val::Null | Val::Address(_) | Val::Either(..) | Val::Result(_) => Flow::NOP,
            },
        };
        let node = self.flow.unseq(&[lv.node, through]);
        Ex { id, ty, range: Range::one(0), node, val, bits: false }
    }
}

/// Values of a bit-field.
pub(crate) fn bit_range(signed: bool, bits: u32) -> Range {
    if signed {
        Range { lo: -(1i128 << (bits - 1)), hi: (1i128 << (bits - 1)) - 1 }
    } else {
        Range { lo: 0, hi: (1i128 << bits) - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Choices;
    use crate::model::IntTy;
    use crate::options::Options;

    /// The valid and invalid conversions of section 3.6.3; `char **` to `char const **` is listing 3.1.
    #[test]
    fn qualifiers_are_added_only_where_that_is_sound() {
        let options = Options::default();
        let mut gen_ = Gen::new(&options, Choices::from_seed(0));
        let char_ = gen_.model.intern(TyDef::Int(IntTy::I8));
        let mut to = |ty, quals| gen_.model.intern(TyDef::Pointer(Qualified { ty, quals }));
        let (none, constant, volatile) = (Quals::NONE, Quals::CONST, Quals::VOLATILE);
        let p = to(char_, none);
        let (p_const, p_volatile) = (to(char_, constant), to(char_, volatile));
        let (pp, pp_const, pp_volatile) = (to(p, none), to(p_const, none), to(p_volatile, none));
        let (p_const_p, p_volatile_const_p) = (to(p, constant), to(p_volatile, constant));
        let (ppp, ppp_volatile) = (to(pp, none), to(pp_volatile, none));
        for (from, into) in [(p, p_volatile), (pp, p_const_p), (pp_volatile, p_volatile_const_p)] {
            assert!(gen_.converts(from, into));
        }
        for (from, into) in [(p_const, p), (pp, pp_const), (ppp, ppp_volatile)] {
            assert!(!gen_.converts(from, into));
        }
    }
}
