//! What LLVM IR means, over any value domain: one instruction at a time, with undefined behaviour collected as a
//! condition and poison and undef carried by values.
//!
//! On the source side every choice LLVM leaves open may be made freely (a store writes some bits even for poison);
//! on the target side the same freedom is held against the program (`undef` counts as poison there).

mod alias;
mod assembly;
pub(crate) mod atomics;
mod based;
mod beyond;
mod blocks;
mod calls;
mod compare;
mod consts;
mod contents;
mod denormals;
mod effects;
mod endless;
mod escape;
mod extremes;
mod fast_math;
mod floats;
mod growing;
mod hardware;
mod intrinsics;
mod ints;
mod layout;
pub(crate) mod library;
mod masked;
mod math_choices;
mod memory;
mod named;
mod null;
mod open;
mod packed;
mod places;
mod promises;
mod pure;
mod rounding;
mod segments;
mod short_pointers;
mod steps;
mod undecided;
mod value;
mod vectors;

use crate::assumption::Assumption;
use crate::memory::access::AccessCheck;
use crate::memory::volatile::fence;
pub(crate) use alias::AccessId;
pub use alias::{Accessed, Tags};
pub(crate) use consts::{global_address, label_address};
pub(crate) use effects::MadeFrom;
pub(crate) use memory::known_global_size;
pub(crate) use places::ByValue;
pub(crate) use promises::MOST_KEPT;
pub(crate) use value::flat_widths;
pub use value::{Scalar, Value};

use self::endless::Endless;
use super::ast::{Attr, BlockId, ConstId, Function, Inst, LocalId, Module, Op, Operand};
use super::types::{Type, TypeId, Types};
use crate::choice::Choices;
pub(crate) use crate::domain::Res;
use crate::domain::{BitOp, CmpOp, Domain, Ext, Unsupported};
use crate::memory::promoted::PromotedSlots;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Which program of a pair this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The one whose undefined behaviour permits anything.
    Source,
    /// The one that must behave as the source.
    Target,
}

/// Which conditions of undefined behaviour are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    /// How accesses are permitted.
    pub access: AccessCheck,
    /// Whether conditions that only matter against another IR program are computed.
    pub exact: bool,
}

/// A function of a module, ready to run.
pub struct Ir<'m> {
    /// The module.
    pub m: &'m Module,
    /// The function.
    pub f: &'m Function,
    /// Its role.
    pub side: Side,
    /// Which conditions are computed.
    pub checks: Checks,
    /// Assumptions the semantics made that a verdict must state.
    pub assumptions: RefCell<BTreeSet<Assumption>>,
    /// The stack objects that are promoted.
    pub promoted: Rc<PromotedSlots>,
    /// Whether, between IR programs, objects that blocks of memory are copied into may be promoted.
    pub(crate) promotes_copied: bool,
    /// The same of objects that blocks of memory are copied from, or structures loaded from or stored to as a whole.
    pub(crate) promotes_read: bool,
    /// The static stack objects' numbers.
    object_index: FxHashMap<LocalId, usize>,
    /// The numbers those go by, where they are not their own.
    object_numbers: Vec<usize>,
    /// The constants it names whose content is known.
    constants: Vec<contents::ConstantGlobal>,
    /// Those of which runs on numbers do not know what they hold.
    unspelled: contents::Unspelled,
    /// The other function of a pair, for what its constants hold.
    beside: Option<Box<Ir<'m>>>,
    /// How what the source leaves open is settled in view of the other program.
    pub choices: Choices,
    /// How unnamed arguments are found, where that is the convention's business.
    pub variadic: Option<crate::abi::variadic::Variadic>,
    /// Bytes of the area of incoming stack arguments, where a tail call hands some of them on as they lie there.
    pub handed_on: Option<u64>,
    /// Whether the target ends in calls, whose results become its own.
    pub ends_in_calls: bool,
    /// Whether what is stored as poison is what the target has there.
    pub open_stores: bool,
    /// Alias metadata, where its promises are relied on.
    tags: Option<Tags>,
    /// Branches that go on for ever, of the source.
    endless: Endless,
    /// Sizes of the stack objects.
    object_sizes: Vec<u64>,
    /// Objects that the other function of a pair alone has in memory: name and size.
    foreign_objects: Vec<(String, u64)>,
    /// Parameters that are objects passed by value.
    by_value: Vec<places::ByValue>,
    /// Whether arguments and results of calls may be poison, which points then follow (between IR programs).
    pub poison_inputs: bool,
    /// Whether the module has `undef` anywhere.
    has_undef: bool,
    /// Where their addresses become known.
    escapes: std::cell::OnceCell<escape::Escapes>,
    /// Which choices of the target its instructions make.
    math_choices: std::cell::OnceCell<math_choices::MathChoices>,
    /// What is computed of undef.
    undecided: std::cell::OnceCell<undecided::Undecided>,
}

/// The state of a function's run.
pub struct State<D: Domain> {
    /// Values of locals; none before their definition.
    pub locals: Vec<Option<Value<D>>>,
    /// Memory.
    pub mem: D::Mem,
    /// Whether undefined behaviour has happened.
    pub ub: D::Bool,
    /// Permissions, a byte for each byte of memory: 0 none, 1 read, others read and write. Calls may change them.
    pub perm: D::Mem,
    /// Tells the frames of one run apart.
    pub frame: u32,
    /// What the promoted slots hold.
    pub promoted: Vec<D::Bv>,
    /// Which of their bytes are poison, and which undef (only followed against another IR program).
    pub promoted_flags: Vec<(D::Bv, D::Bv)>,
    /// Where the stack ends, in multiples of 16.
    pub stack: D::Bv,
    /// Accesses of the block at hand that alias metadata or `noalias` parameters describe.
    pub accesses: Vec<Accessed<D>>,
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        Self {
            locals: self.locals.clone(),
            mem: self.mem.clone(),
            ub: self.ub.clone(),
            perm: self.perm.clone(),
            frame: self.frame,
            promoted: self.promoted.clone(),
            promoted_flags: self.promoted_flags.clone(),
            stack: self.stack.clone(),
            accesses: self.accesses.clone(),
        }
    }
}

/// Who is called.
pub enum Callee<D: Domain> {
    /// A function by name.
    Direct(String),
    /// A function by address.
    Indirect(D::Bv),
}

/// What an instruction did besides changing the state.
pub enum Effect<D: Domain> {
    /// Go on with the next instruction.
    Next,
    /// Go to one of these blocks; the conditions exclude each other, and undefined behaviour covers the rest.
    Jump(Vec<(D::Bool, BlockId)>),
    /// Leave the function.
    Return(Option<Value<D>>),
    /// Call; the caller of the semantics provides the result with [`Ir::set_result`].
    Call {
        /// Who.
        callee: Callee<D>,
        /// Arguments.
        args: Vec<Value<D>>,
    },
    /// A volatile access of some bytes; a load's result is to be provided with [`Ir::set_result`].
    Volatile {
        /// Address.
        at: D::Bv,
        /// Bytes.
        bytes: u32,
        /// What is stored; none for a load.
        value: Option<D::Bv>,
    },
    /// Undefined behaviour for certain.
    Unreachable,
}

impl<'m> Ir<'m> {
    /// A function to run.
    pub fn new(m: &'m Module, f: &'m Function, side: Side, checks: Checks) -> Self {
        let endless = match side {
            Side::Source if checks.exact => Endless::of(m, f),
            Side::Source | Side::Target => Endless::default(),
        };
        let (constants, unspelled) = contents::named_constants(m, f);
        let mut ir = Self {
            m,
            f,
            side,
            checks,
            assumptions: RefCell::new(BTreeSet::new()),
            promoted: Rc::default(),
            promotes_copied: false,
            promotes_read: false,
            object_index: FxHashMap::default(),
            object_numbers: Vec::new(),
            constants,
            unspelled,
            beside: None,
            choices: Choices::default(),
            variadic: None,
            handed_on: None,
            ends_in_calls: false,
            open_stores: false,
            tags: None,
            endless,
            object_sizes: Vec::new(),
            foreign_objects: Vec::new(),
            by_value: Vec::new(),
            poison_inputs: false,
            has_undef: m.consts.iter().any(|c| matches!(c.kind, super::ast::ConstKind::Undef)),
            escapes: std::cell::OnceCell::new(),
            math_choices: std::cell::OnceCell::new(),
            undecided: std::cell::OnceCell::new(),
        };
        let objects = ir.stack_objects();
        ir.object_index = objects.iter().enumerate().map(|(i, (l, ..))| (*l, i)).collect();
        ir.object_sizes = objects.iter().map(|o| o.1).collect();
        ir
    }

    /// The function, its undefined behaviour with that of breaking what alias metadata and `noalias` parameters promise.
    #[must_use]
    pub fn with_alias_metadata(mut self) -> Self {
        self.tags = Some(Tags::of(self.m).with_bases(based::Bases::of(&self)));
        self
    }

    /// The function where arguments and results of calls may be poison, and both sides are held to what attributes
    /// promise of them.
    #[must_use]
    pub fn with_poison_inputs(mut self) -> Self {
        self.poison_inputs = true;
        self
    }

    /// The function with some of its stack objects in promoted slots.
    #[must_use]
    pub fn with_promoted(mut self, promoted: Rc<PromotedSlots>) -> Self {
        self.promoted = promoted;
        self
    }

    /// Whether the program may have a value that is undef by name.
    pub(crate) fn names_undef(&self) -> bool {
        self.has_undef
    }

    fn unsupported<T>(&self, what: impl Into<String>) -> Res<T> {
        Err(Unsupported::new(what))
    }

    pub(crate) fn assume(&self, what: Assumption) {
        self.assumptions.borrow_mut().insert(what);
    }

    /// The attribute of a name, if it is there.
    pub fn attr<'a>(&self, attrs: &'a [Attr], name: &str) -> Option<&'a Attr> {
        attrs.iter().find(|a| self.m.names.text(a.name()) == name)
    }

    /// A state at the function's entry with these arguments.
    pub fn entry<D: Domain>(
        &self,
        d: &mut D,
        mem: D::Mem,
        perm: D::Mem,
        frame: u32,
        args: Vec<Value<D>>,
    ) -> State<D> {
        let mut locals = vec![None; self.f.locals.len()];
        for (param, arg) in self.f.params.iter().zip(args) {
            if let Some(slot) = locals.get_mut(param.local.0 as usize) {
                *slot = Some(arg);
            }
        }
        let promoted = (0..self.promoted.len()).map(|i| self.promoted.initial(d, i)).collect();
        let promoted_flags = (0..self.promoted.len()).map(|i| self.unset_flags(d, i)).collect();
        let (ub, stack) = (d.bool(false), crate::memory::stack::at_entry(d));
        State { locals, mem, ub, perm, frame, promoted, promoted_flags, stack, accesses: Vec::new() }
    }

    /// Notes undefined behaviour under a condition.
    pub fn note_ub<D: Domain>(&self, d: &mut D, st: &mut State<D>, when: &D::Bool) {
        st.ub = d.or(&st.ub, when);
    }

    /// The value of an operand.
    pub fn operand<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        operand: Operand,
        ty: TypeId,
    ) -> Res<Value<D>> {
        match operand {
            Operand::Local(LocalId(i)) => match st.locals.get(i as usize) {
                Some(Some(value)) => Ok(value.clone()),
                _ => {
                    let name = self.f.locals.get(i as usize).map_or("?", |l| self.m.names.text(l.name));
                    self.unsupported(format!("use of %{name} before its definition"))
                }
            },
            Operand::Const(c) => self.constant(d, c, ty),
        }
    }

    fn scalar<D: Domain>(&self, d: &mut D, st: &State<D>, operand: Operand, ty: TypeId) -> Res<Scalar<D>> {
        match self.operand(d, st, operand, ty)? {
            Value::Scalar(s) => Ok(s),
            Value::Aggregate(_) => self.unsupported("aggregate where a scalar is needed"),
        }
    }

    /// Gives an instruction's result its value.
    pub fn set_result<D: Domain>(&self, st: &mut State<D>, inst: &Inst, value: Value<D>) {
        if let Some(LocalId(i)) = inst.result
            && let Some(slot) = st.locals.get_mut(i as usize)
        {
            *slot = Some(value);
        }
    }

    /// Moves into a block from another: evaluates its PHIs, all at once.
    pub fn enter<D: Domain>(&self, d: &mut D, st: &mut State<D>, from: BlockId, to: BlockId) -> Res<()> {
        let mut values = Vec::new();
        for inst in self.f.block_insts(to) {
            let Op::Phi { flags, ty, incoming } = &inst.op else { break };
            let Some((operand, _)) = incoming.iter().find(|(_, block)| *block == from) else {
                return self.unsupported("phi without a value for a predecessor");
            };
            let value = self.operand(d, st, *operand, *ty)?;
            self.math_freedoms(d, *flags)?;
            let value = self.math_chosen(d, *flags, *ty, value, &[])?;
            let value = self.chosen_result(d, inst, value)?;
            let open = inst.result.and_then(|l| self.choices.open.get(&(l.0, from.0)));
            values.push((inst, open.map_or_else(|| value.clone(), |parts| value.opened(d, parts))));
        }
        for (inst, value) in values {
            self.set_result(st, inst, value);
        }
        Ok(())
    }

    /// Runs one instruction (PHIs are [`Ir::enter`]'s and do nothing here).
    pub fn exec<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) -> Res<Effect<D>> {
        self.note_access(d, st, inst)?;
        self.note_hidden(d, st, inst)?;
        match &inst.op {
            Op::Phi { .. } => return Ok(Effect::Next),
            Op::Ret(None) => return Ok(Effect::Return(None)),
            Op::Ret(Some((ty, value))) => {
                let given = self.operand(d, st, *value, *ty)?;
                let given = self.returned(d, given);
                self.note_short_result(d, st, *value);
                return Ok(Effect::Return(Some(self.not_captured(d, *value, given))));
            }
            Op::Br(to) => {
                let yes = d.bool(true);
                return Ok(Effect::Jump(vec![(yes, *to)]));
            }
            Op::CondBr { cond, then, other } => return self.cond_br(d, st, *cond, *then, *other),
            Op::Switch { ty, value, default, cases } => {
                return self.switch(d, st, (*ty, *value), *default, cases);
            }
            Op::IndirectBr { address, targets } => return self.indirect_br(d, st, *address, targets),
            Op::Unreachable => return Ok(Effect::Unreachable),
            Op::Load { ty, ptr, access } => return self.load(d, st, inst, (*ty, *ptr), access),
            Op::Store { ty, value, ptr, access } => return self.store(d, st, (*ty, *value), *ptr, access),
            Op::Fence(ordering) => {
                if !self.is_seen(*ordering) {
                    return Ok(Effect::Next);
                }
                let callee = Callee::Direct(fence(self.m.names.text(*ordering)));
                return Ok(Effect::Call { callee, args: Vec::new() });
            }
            Op::CmpXchg { .. } | Op::AtomicRmw { .. } => return self.atomic_update(d, st, inst),
            Op::Call(call) => return self.call(d, st, inst, call),
            _ => {}
        }
        let result = self.computed(d, st, inst)?;
        let result = self.chosen_result(d, inst, result)?;
        self.set_result(st, inst, result);
        Ok(Effect::Next)
    }

    fn switch<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ty, value): (TypeId, Operand),
        default: BlockId,
        cases: &[(ConstId, BlockId)],
    ) -> Res<Effect<D>> {
        let value = self.scalar(d, st, value, ty)?;
        let bad = value.anything(d);
        self.note_ub(d, st, &bad);
        let mut none = d.bool(true);
        let mut out: Vec<(D::Bool, BlockId)> = Vec::new();
        for (case, to) in cases {
            let case = self.constant(d, *case, ty)?;
            let Value::Scalar(case) = case else { return self.unsupported("switch case") };
            let hit = d.eq(&value.bits, &case.bits);
            let first = d.and(&none, &hit);
            let miss = d.not(&hit);
            none = d.and(&none, &miss);
            push_jump(d, &mut out, first, *to);
        }
        push_jump(d, &mut out, none, default);
        Ok(Effect::Jump(out))
    }

    /// The result of an instruction that computes.
    fn computed<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) -> Res<Value<D>> {
        match self.spreads_undef(&inst.op) {
            Some(operands) => self.spread(d, st, inst, &operands),
            None => self.computed_of_bits(d, st, inst),
        }
    }

    fn computed_of_bits<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) -> Res<Value<D>> {
        match &inst.op {
            Op::Binary { op, flags, ty, lhs, rhs } => {
                let (a, b) = (self.settled(d, st, *lhs, *ty)?, self.settled(d, st, *rhs, *ty)?);
                self.binary(d, st, (*op, *flags), self.elem_type(*ty), (&a, &b))
            }
            Op::FNeg { flags, ty, value } => {
                let v = self.settled(d, st, *value, *ty)?;
                self.fneg(d, *flags, self.elem_type(*ty), &v)
            }
            Op::ICmp { flags, pred, ty, lhs, rhs } => {
                let (a, b) = (self.settled(d, st, *lhs, *ty)?, self.settled(d, st, *rhs, *ty)?);
                self.icmp(d, *flags, *pred, &a, &b)
            }
            Op::FCmp { flags, pred, ty, lhs, rhs } => {
                let (a, b) = (self.settled(d, st, *lhs, *ty)?, self.settled(d, st, *rhs, *ty)?);
                self.fcmp(d, (*pred, *flags), self.elem_type(*ty), &a, &b)
            }
            Op::Cast { op, flags, from, value, to } => {
                let v = self.settled(d, st, *value, *from)?;
                let signed = inst.result.is_some_and(|l| self.choices.sign_extended.contains(&l.0));
                self.cast(d, (*op, *flags, signed), &v, *from, *to)
            }
            Op::Select { flags, cond_ty, cond, ty, then, other } => {
                let c = self.settled(d, st, *cond, *cond_ty)?;
                let (a, b) = (self.operand(d, st, *then, *ty)?, self.operand(d, st, *other, *ty)?);
                let chosen = self.select(d, &c, &a, &b)?;
                self.math_chosen(d, *flags, *ty, chosen, &[&a, &b])
            }
            Op::Freeze { ty, value } => self.freeze(d, st, *ty, *value),
            Op::Alloca { ty, count, align, .. } => self.alloca(d, st, inst, (*ty, *count, *align)),
            Op::Gep { flags, source, base_ty, base, indices } => {
                self.gep(d, st, (*flags, *source), (*base_ty, *base), indices)
            }
            Op::ExtractValue { .. }
            | Op::InsertValue { .. }
            | Op::ExtractElement { .. }
            | Op::InsertElement { .. }
            | Op::Shuffle { .. } => self.parts(d, st, inst),
            Op::CallBranch { mnemonic, .. } | Op::Exception(mnemonic) => {
                self.unsupported(self.m.names.text(*mnemonic).to_owned())
            }
            Op::VaArg { .. } => self.unsupported("va_arg"),
            // What has effects is run by `exec`.
            _ => self.unsupported("instruction without a value"),
        }
    }

    /// Parts of aggregates and vectors taken out and put in.
    fn parts<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) -> Res<Value<D>> {
        match &inst.op {
            Op::ExtractValue { ty, value, path } => {
                let v = self.operand(d, st, *value, *ty)?;
                let mut at = &v;
                for &i in path {
                    match at {
                        Value::Aggregate(items) if (i as usize) < items.len() => at = &items[i as usize],
                        _ => return self.unsupported("extractvalue path"),
                    }
                }
                Ok(at.clone())
            }
            Op::InsertValue { ty, value, elem_ty, elem, path } => {
                let (v, e) = (self.operand(d, st, *value, *ty)?, self.operand(d, st, *elem, *elem_ty)?);
                insert(&v, e, path).ok_or_else(|| Unsupported::new("insertvalue path"))
            }
            Op::ExtractElement { ty, value, index_ty, index } => {
                let (v, i) = (self.operand(d, st, *value, *ty)?, self.scalar(d, st, *index, *index_ty)?);
                self.extract_element(d, &v, &i)
            }
            Op::InsertElement { ty, value, elem, index_ty, index } => {
                let elem_ty = self.elem_type(*ty);
                let (v, e) = (self.operand(d, st, *value, *ty)?, self.operand(d, st, *elem, elem_ty)?);
                let i = self.scalar(d, st, *index, *index_ty)?;
                self.insert_element(d, &v, &e, &i)
            }
            Op::Shuffle { ty, a, b, mask } => {
                let (x, y) = (self.operand(d, st, *a, *ty)?, self.operand(d, st, *b, *ty)?);
                self.shuffle(d, &x, &y, *mask, self.elem_type(*ty))
            }
            _ => self.unsupported("instruction without a value"),
        }
    }

    fn cond_br<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        condition: Operand,
        then: BlockId,
        other: BlockId,
    ) -> Res<Effect<D>> {
        let cond = self.scalar(d, st, condition, Types::I1)?;
        let bad = cond.anything(d);
        self.note_ub(d, st, &bad);
        if let Operand::Local(local) = condition {
            self.note_endless(d, st, (local, then, other));
        }
        let yes = d.is_set(&cond.bits);
        let no = d.not(&yes);
        let mut out = Vec::new();
        push_jump(d, &mut out, yes, then);
        push_jump(d, &mut out, no, other);
        Ok(Effect::Jump(out))
    }

    /// Jumps to the target whose address it is; to another address is undefined.
    fn indirect_br<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        address: Operand,
        targets: &[BlockId],
    ) -> Res<Effect<D>> {
        let address = self.scalar(d, st, address, Types::PTR)?;
        let bad = address.anything(d);
        self.note_ub(d, st, &bad);
        let (mut none, mut out) = (d.bool(true), Vec::new());
        let mut seen: Vec<BlockId> = Vec::new();
        for to in targets {
            if seen.contains(to) {
                continue;
            }
            seen.push(*to);
            let label = self.f.blocks.get(to.0 as usize).map_or("", |b| self.m.names.text(b.name));
            let Some(label) = label_address(d, self.m, self.m.names.text(self.f.name), label) else {
                return self.unsupported("indirectbr to a block that is not there");
            };
            let here = d.eq(&address.bits, &label);
            let not = d.not(&here);
            none = d.and(&none, &not);
            push_jump(d, &mut out, here, *to);
        }
        self.note_ub(d, st, &none);
        Ok(Effect::Jump(out))
    }

    /// The element type of a vector, or the type itself.
    pub(crate) fn elem_type(&self, ty: TypeId) -> TypeId {
        match self.m.types.resolve(ty) {
            Type::Vector { elem, .. } => *elem,
            _ => ty,
        }
    }

    /// Bits of a scalar type.
    pub fn scalar_bits(&self, ty: TypeId) -> Res<u32> {
        let bits = match self.m.types.resolve(ty) {
            Type::Int(_) | Type::Float(_) | Type::Ptr(_) => self.m.layout.bits(&self.m.types, ty),
            _ => None,
        };
        match bits.and_then(|b| u32::try_from(b).ok()) {
            Some(bits) => Ok(bits),
            None => self.unsupported("a value of this type"),
        }
    }

    /// A value of a type, its scalars made by a function of their types.
    pub fn build<D: Domain>(
        &self,
        d: &mut D,
        ty: TypeId,
        make: &mut impl FnMut(&mut D, TypeId, u32) -> Scalar<D>,
    ) -> Res<Value<D>> {
        match self.m.types.resolve(ty) {
            Type::Array { len, elem } | Type::Vector { len, elem, scalable: false } => {
                if *len > 4096 {
                    return self.unsupported("a value of a very large array type");
                }
                let items: Res<Vec<_>> = (0..*len).map(|_| self.build(d, *elem, make)).collect();
                Ok(Value::Aggregate(items?.into()))
            }
            Type::Struct { fields, .. } => {
                let items: Res<Vec<_>> = fields.iter().map(|f| self.build(d, *f, make)).collect();
                Ok(Value::Aggregate(items?.into()))
            }
            _ => {
                let bits = self.scalar_bits(ty)?;
                Ok(Value::Scalar(make(d, ty, bits)))
            }
        }
    }

    fn select<D: Domain>(&self, d: &mut D, c: &Value<D>, a: &Value<D>, b: &Value<D>) -> Res<Value<D>> {
        match c {
            Value::Scalar(c) => {
                let bit = d.is_set(&c.bits);
                let bad = c.anything(d);
                let chosen = Value::choose(d, &bit, a, b);
                if d.as_bool(&bad) == Some(false) {
                    return Ok(chosen);
                }
                let poison = c.poison.clone();
                Ok(chosen.map(d, &mut |d, s| Scalar {
                    bits: s.bits.clone(),
                    poison: d.or(&s.poison, &poison),
                    undef: s.undef.clone(),
                }))
            }
            Value::Aggregate(cs) => {
                let (Value::Aggregate(xs), Value::Aggregate(ys)) = (a, b) else {
                    return self.unsupported("select of scalars by a vector");
                };
                let items: Res<Vec<_>> = cs
                    .iter()
                    .zip(xs.iter().zip(ys.iter()))
                    .map(|(c, (x, y))| self.select(d, c, x, y))
                    .collect();
                Ok(Value::Aggregate(items?.into()))
            }
        }
    }

    /// Lane-wise application of a scalar operation to one or two values of a shape.
    fn lanes<D: Domain>(
        &self,
        d: &mut D,
        a: &Value<D>,
        b: &Value<D>,
        f: &mut impl FnMut(&mut D, &Scalar<D>, &Scalar<D>) -> Res<Scalar<D>>,
    ) -> Res<Value<D>> {
        match (a, b) {
            (Value::Scalar(x), Value::Scalar(y)) => Ok(Value::Scalar(f(d, x, y)?)),
            (Value::Aggregate(xs), Value::Aggregate(ys)) if xs.len() == ys.len() => {
                let items: Res<Vec<_>> =
                    xs.iter().zip(ys.iter()).map(|(x, y)| self.lanes(d, x, y, f)).collect();
                Ok(Value::Aggregate(items?.into()))
            }
            _ => self.unsupported("operands of different shapes"),
        }
    }

    /// `base + index * scale`, as pointer arithmetic does it.
    fn scaled<D: Domain>(&self, d: &mut D, base: &D::Bv, index: &D::Bv, scale: u64) -> D::Bv {
        let width = d.width(base);
        let index = d.sfit(index, width);
        let scale = d.num(width, u128::from(scale));
        let offset = d.bin(BitOp::Mul, &index, &scale);
        d.add(base, &offset)
    }
}

fn push_jump<D: Domain>(d: &mut D, out: &mut Vec<(D::Bool, BlockId)>, cond: D::Bool, to: BlockId) {
    if d.as_bool(&cond) == Some(false) {
        return;
    }
    match out.iter_mut().find(|(_, block)| *block == to) {
        Some((old, _)) => *old = d.or(old, &cond),
        None => out.push((cond, to)),
    }
}

fn insert<D: Domain>(v: &Value<D>, elem: Value<D>, path: &[u32]) -> Option<Value<D>> {
    let Some((&i, rest)) = path.split_first() else { return Some(elem) };
    let Value::Aggregate(items) = v else { return None };
    let mut items: Vec<Value<D>> = items.to_vec();
    let slot = items.get_mut(i as usize)?;
    *slot = insert(slot, elem, rest)?;
    Some(Value::Aggregate(items.into()))
}

/// The comparison that a predicate asks, with operands to swap and result to negate.
fn compare_op(pred: super::ast::IntPred) -> (CmpOp, bool, bool) {
    use super::ast::IntPred as P;
    match pred {
        P::Eq => (CmpOp::Eq, false, false),
        P::Ne => (CmpOp::Eq, false, true),
        P::Ult => (CmpOp::Ult, false, false),
        P::Ule => (CmpOp::Ule, false, false),
        P::Ugt => (CmpOp::Ult, true, false),
        P::Uge => (CmpOp::Ule, true, false),
        P::Slt => (CmpOp::Slt, false, false),
        P::Sle => (CmpOp::Sle, false, false),
        P::Sgt => (CmpOp::Slt, true, false),
        P::Sge => (CmpOp::Sle, true, false),
    }
}
