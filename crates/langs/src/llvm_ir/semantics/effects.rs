//! What a function promises of its accesses (`memory(...)` and its older forms, `readonly` and the like on
//! parameters): an access that breaks it is undefined.
//!
//! Which promise an access falls under is read off the text: its address is made from a parameter, from a variable, or
//! from an object of the function's own, which no promise is about. What is loaded or chosen may be any of these.

use super::atomics::locked;
use super::{Ir, Scalar, Side, State, Value, known_global_size};
use crate::domain::{CmpOp, Domain, Ext};
use crate::llvm_ir::ast::{Attr, CastOp, ConstExpr, ConstKind, LocalId, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::{Type, Types};
use crate::names::Name;

/// Bytes of the largest object of a function that is forgotten when it returns: to see a larger one is a matter of more
/// work, and of objects that are handed on.
const LARGEST_FORGOTTEN: u32 = 64;

/// Most values that an address is followed through to the variables that it may be made from.
const CHOICES: usize = 16;

/// What an address is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MadeFrom {
    /// A stack object.
    Stack,
    /// A parameter, by its number.
    Parameter(usize),
    /// A variable.
    Global,
    /// Something that the text does not tell.
    Unknown,
}

/// Whether memory may be read, and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effects {
    reads: bool,
    writes: bool,
}

impl Effects {
    const ALL: Effects = Effects { reads: true, writes: true };

    fn and(self, other: Effects) -> Effects {
        Effects { reads: self.reads && other.reads, writes: self.writes && other.writes }
    }

    fn of_word(word: &str) -> Option<Effects> {
        Some(match word {
            "none" | "readnone" => Effects { reads: false, writes: false },
            "read" | "readonly" => Effects { reads: true, writes: false },
            "write" | "writeonly" => Effects { reads: false, writes: true },
            "readwrite" => Effects::ALL,
            _ => return None,
        })
    }

    fn allow(self, write: bool) -> bool {
        if write { self.writes } else { self.reads }
    }
}

impl Ir<'_> {
    /// The variable that an address is made from.
    pub(crate) fn global_of(&self, operand: Operand) -> Option<Name> {
        let mut at = operand;
        for _ in 0..64 {
            at = match at {
                Operand::Local(local) => match self.defined_by(local)? {
                    Op::Gep { base, .. } => *base,
                    Op::Cast { op: CastOp::BitCast, value, .. } => *value,
                    _ => return None,
                },
                Operand::Const(c) => match &self.m.consts.get(c.0 as usize)?.kind {
                    ConstKind::Global(name) => return Some(*name),
                    ConstKind::Expr(e) => match &**e {
                        ConstExpr::Gep { args, .. } => Operand::Const(*args.first()?),
                        _ => return None,
                    },
                    _ => return None,
                },
            };
        }
        None
    }

    /// Whether an address is made from a variable that nothing may be written to.
    pub(crate) fn is_constant_object(&self, operand: Operand) -> bool {
        let name = self.global_of(operand);
        self.m.globals.iter().any(|g| Some(g.name) == name && g.constant)
    }

    /// Between IR programs: that an access lies inside a variable that its address is made from, or may be, which is there as
    /// declared, at a distance from its start that the text does not tell.
    pub(super) fn in_named_object<D: Domain>(
        &self,
        d: &mut D,
        operand: Operand,
        at: &D::Bv,
        bytes: u64,
        write: bool,
    ) -> Option<D::Bool> {
        let names = if self.checks.exact { self.globals_of(operand) } else { Vec::new() };
        let mut inside: Option<D::Bool> = None;
        for name in names {
            let Some(global) = self.m.globals.iter().find(|g| g.name == name) else { continue };
            let size = known_global_size(self.m, name).filter(|_| !(write && global.constant));
            let Some(room) = size.and_then(|size| size.checked_sub(bytes)) else { continue };
            let start = self.global_address(d, self.m.names.text(name));
            let (offset, room) = (d.sub(at, &start), d.num(d.width(at), u128::from(room)));
            let beyond = d.cmp(CmpOp::Ult, &room, &offset);
            let within = d.not(&beyond);
            inside = Some(match inside {
                None => within,
                Some(before) => d.or(&before, &within),
            });
        }
        inside
    }

    /// The variables that an address may be made from, whichever way choices go.
    pub(super) fn globals_of(&self, operand: Operand) -> Vec<Name> {
        let (mut out, mut seen, mut open) = (Vec::new(), Vec::new(), vec![operand]);
        while let Some(at) = open.pop() {
            if seen.contains(&at) || seen.len() == CHOICES {
                continue;
            }
            seen.push(at);
            let chosen = match at {
                Operand::Local(local) => self.defined_by(local),
                Operand::Const(_) => None,
            };
            match chosen {
                Some(Op::Phi { incoming, .. }) => open.extend(incoming.iter().map(|(from, _)| *from)),
                Some(Op::Select { then, other, .. }) => open.extend([*then, *other]),
                Some(Op::Gep { base, .. }) => open.push(*base),
                Some(Op::Cast { op: CastOp::BitCast, value, .. }) => open.push(*value),
                _ => out.extend(self.global_of(at).filter(|name| !out.contains(name))),
            }
        }
        out
    }

    /// Between IR programs: the start of the variable that an address is made from, where it is declared to be so
    /// aligned.
    pub(super) fn aligned_variable<D: Domain>(
        &self,
        d: &mut D,
        operand: Operand,
        align: u64,
    ) -> Option<D::Bv> {
        let name = self.global_of(operand).filter(|_| self.checks.exact)?;
        let global = self.m.globals.iter().find(|g| g.name == name)?;
        known_global_size(self.m, name)?;
        let own = global.align.or_else(|| self.m.layout.align(&self.m.types, global.ty))?;
        own.is_multiple_of(align).then(|| self.global_address(d, self.m.names.text(name)))
    }

    /// Memory behind the function, when its stack objects are no more: what they held is nobody's to see.
    pub(crate) fn without_own_objects<D: Domain>(&self, d: &mut D, mem: &D::Mem) -> D::Mem {
        let mut out = mem.clone();
        for (name, size) in &self.foreign_objects {
            let bits = u32::try_from(8 * size).ok().filter(|b| (8..=8 * LARGEST_FORGOTTEN).contains(b));
            if let Some(bits) = bits {
                let (at, zeros) = (d.address(name, Some(*size)), d.num(bits, 0));
                out = d.store(&out, &at, &zeros);
            }
        }
        for (index, size) in self.object_sizes.iter().enumerate().filter(|(i, _)| !self.is_promoted(*i)) {
            let bits = u32::try_from(8 * size).ok().filter(|b| (8..=8 * LARGEST_FORGOTTEN).contains(b));
            if let Some(bits) = bits {
                let at = d.address(&self.object_name(index), Some(*size));
                let zeros = d.num(bits, 0);
                out = d.store(&out, &at, &zeros);
            }
        }
        out
    }

    /// What an address is made from.
    pub(crate) fn made_from(&self, operand: Operand) -> MadeFrom {
        let mut at = operand;
        for _ in 0..64 {
            let local = match at {
                Operand::Local(local) => local,
                Operand::Const(c) => match self.m.consts.get(c.0 as usize).map(|c| &c.kind) {
                    Some(ConstKind::Global(_)) => return MadeFrom::Global,
                    Some(ConstKind::Expr(e)) => match &**e {
                        ConstExpr::Gep { args, .. } if !args.is_empty() => {
                            at = Operand::Const(args[0]);
                            continue;
                        }
                        _ => return MadeFrom::Unknown,
                    },
                    _ => return MadeFrom::Unknown,
                },
            };
            if let Some(n) = self.f.params.iter().position(|p| p.local == local) {
                return MadeFrom::Parameter(n);
            }
            match self.defined_by(local) {
                Some(Op::Alloca { .. }) => return MadeFrom::Stack,
                Some(Op::Gep { base, .. }) => at = *base,
                Some(Op::Cast { op: CastOp::BitCast, value, .. }) => at = *value,
                _ => return MadeFrom::Unknown,
            }
        }
        MadeFrom::Unknown
    }

    /// A value that the function returns: a pointer that it says it does not let out is poison then.
    pub(super) fn not_captured<D: Domain>(&self, d: &mut D, operand: Operand, value: Value<D>) -> Value<D> {
        let MadeFrom::Parameter(n) = self.made_from(operand) else { return value };
        let param = &self.f.params[n];
        let kept = self.says_not_captured(&param.attrs);
        let pointer = matches!(self.m.types.resolve(param.ty), Type::Ptr(_));
        let returned = self.attr(&param.attrs, "returned").is_some();
        if !self.checks.exact || !kept || !pointer || returned {
            return value;
        }
        value.map(d, &mut |d, s| {
            let poison = d.bool(true);
            Scalar::with_poison(d, s.bits.clone(), poison)
        })
    }

    /// Whether attributes of a parameter or an argument say that the pointer does not get out.
    pub(crate) fn says_not_captured(&self, attrs: &[Attr]) -> bool {
        attrs.iter().any(|a| match (self.m.names.text(a.name()), a) {
            ("nocapture", _) => true,
            ("captures", Attr::Raw(_, text)) => text.trim() == "none",
            _ => false,
        })
    }

    pub(super) fn defined_by(&self, local: LocalId) -> Option<&Op> {
        self.f.definition(local).map(|i| &i.op)
    }

    /// What the function says of memory that its arguments lead to, and of other memory.
    fn effects(&self) -> (Effects, Effects) {
        let (mut arguments, mut others) = (Effects::ALL, Effects::ALL);
        for attr in self.attributes_of(self.f) {
            match (self.m.names.text(attr.name()), attr) {
                ("memory", Attr::Raw(_, text)) => {
                    let (mut named, mut by_default) = (None, None);
                    for part in text.split(',') {
                        match part.split_once(':') {
                            Some((place, word)) if place.trim() == "argmem" => {
                                named = Effects::of_word(word.trim());
                            }
                            Some(_) => {}
                            None => by_default = Effects::of_word(part.trim()),
                        }
                    }
                    let rest = by_default.unwrap_or(Effects { reads: false, writes: false });
                    arguments = arguments.and(named.unwrap_or(rest));
                    others = others.and(rest);
                }
                ("argmemonly", _) => others = Effects { reads: false, writes: false },
                (word @ ("readnone" | "readonly" | "writeonly"), _) => {
                    let all = Effects::of_word(word).unwrap_or(Effects::ALL);
                    (arguments, others) = (arguments.and(all), others.and(all));
                }
                _ => {}
            }
        }
        (arguments, others)
    }

    /// Notes undefined behaviour where an access is one that the function or a parameter says there is none of.
    pub(super) fn note_forbidden<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        operand: Operand,
        write: bool,
    ) {
        if !self.checks.exact || !(self.side == Side::Source || self.poison_inputs) || self.is_free() {
            return;
        }
        let (arguments, others) = self.effects();
        let fine = match self.made_from(operand) {
            MadeFrom::Stack => true,
            MadeFrom::Parameter(n) => {
                let attrs = &self.f.params[n].attrs;
                let own = attrs.iter().filter_map(|a| Effects::of_word(self.m.names.text(a.name())));
                own.fold(arguments, Effects::and).allow(write)
            }
            // What never changes is read by no promise's leave: LLVM calls functions that look up tables `memory(none)`.
            MadeFrom::Global => others.allow(write) || (!write && self.is_constant_object(operand)),
            // It may be one of the function's own objects, or of the source a constant.
            MadeFrom::Unknown if !self.object_sizes.is_empty() => true,
            MadeFrom::Unknown if self.side == Side::Source && !write => true,
            MadeFrom::Unknown => arguments.allow(write) || others.allow(write),
        };
        if !fine {
            let broken = d.bool(true);
            self.note_ub(d, st, &broken);
        }
    }

    /// Whether nothing at all is promised: the most functions.
    fn is_free(&self) -> bool {
        const WORDS: [&str; 5] = ["memory", "argmemonly", "readnone", "readonly", "writeonly"];
        let one = |a: &Attr| WORDS.contains(&self.m.names.text(a.name()));
        !self.attributes_of(self.f).any(one) && !self.f.params.iter().flat_map(|p| &p.attrs).any(one)
    }

    /// Whether all that a promise about memory is about is looked at where the function runs: accesses whose addresses
    /// the text tells the origin of, and no calls.
    pub(crate) fn tells_all_accesses(&self) -> bool {
        let told = |o: Operand| self.object_sizes.is_empty() || self.made_from(o) != MadeFrom::Unknown;
        self.f.insts.iter().all(|inst| match &inst.op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => told(*ptr),
            Op::Call(call) => {
                let pointer = |o: Operand, ty| matches!(self.m.types.resolve(ty), Type::Ptr(_)) && !told(o);
                call.intrinsic.is_some()
                    && locked(call).is_none()
                    && !call.args.iter().any(|a| pointer(a.value, a.ty))
            }
            Op::CmpXchg { .. } | Op::AtomicRmw { .. } | Op::VaArg { .. } => false,
            _ => true,
        })
    }

    /// Whether a parameter is used for nothing but accesses and addresses that stay in the function.
    pub(crate) fn stays_inside(&self, parameter: usize) -> bool {
        let Some(param) = self.f.params.get(parameter) else { return false };
        let mut todo = vec![param.local];
        let mut seen = Vec::new();
        while let Some(local) = todo.pop() {
            if seen.contains(&local) {
                continue;
            }
            seen.push(local);
            let me = Operand::Local(local);
            for inst in &self.f.insts {
                let mut uses = false;
                inst.op.for_each_operand(|o| uses |= o == me);
                if !uses {
                    continue;
                }
                match &inst.op {
                    Op::Load { access, .. } if !access.volatile => {}
                    Op::Store { value, access, .. } if *value != me && !access.volatile => {}
                    Op::Gep { .. } => todo.extend(inst.result),
                    Op::Call(call)
                        if call.ret == Types::VOID
                            && call.intrinsic.is_some_and(|(what, _)| what != Intrinsic::KeepGuard) => {}
                    _ => return false,
                }
            }
        }
        true
    }
}
