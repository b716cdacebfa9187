//! Unsequenced side effects (C11 6.5p2): found statically where objects are named, logged at run time elsewhere.
//!
//! An operator whose operands are unsequenced opens a *region* when one operand writes something the other may
//! touch. Accesses inside are logged by operand; closing the region compares the logs. Most expressions open none.

use super::func::FnLower;
use super::place::{Base, Place};
use crate::bytecode::{Insn, Reg};
use csyntax::ast::Quals;
use csyntax::tree::{Builtin, ExprId, ExprKind, InitEntry, ObjId, StmtId, StmtKind, Storage};

/// What an expression may touch, without the bodies of called functions (those are indeterminately sequenced).
#[derive(Default)]
struct Effects {
    reads: Vec<ObjId>,
    writes: Vec<ObjId>,
    memory_read: bool,
    memory_written: bool,
}

impl Effects {
    fn conflicts(&self, other: &Effects, unit: &csyntax::tree::Unit) -> bool {
        let hit = |w: &Effects, o: &Effects| {
            w.writes.iter().any(|x| o.reads.contains(x) || o.writes.contains(x))
                || (w.memory_written
                    && (o.memory_read
                        || o.memory_written
                        || o.reads.iter().chain(&o.writes).any(|x| unit[*x].addressed)))
                || ((o.memory_read || o.memory_written) && w.writes.iter().any(|x| unit[*x].addressed))
        };
        hit(self, other) || hit(other, self)
    }

    /// May a store to `place` meet one of the writes of `self`?
    fn writes_meet(&self, store: &Effects, unit: &csyntax::tree::Unit) -> bool {
        let addressed = |set: &[ObjId]| set.iter().any(|x| unit[*x].addressed);
        store.writes.iter().any(|x| self.writes.contains(x))
            || (store.memory_written && (self.memory_written || addressed(&self.writes)))
            || (self.memory_written && addressed(&store.writes))
    }
}

/// Bits of a store region: operands, and whether the final store is checked.
const PAIR: u8 = 1;
const STORE: u8 = 2;

const WRITES: u8 = 1;
const CALLS: u8 = 2;
/// Calls of functions that are not neutral.
const DISTURBS: u8 = 4;

/// For each expression: may it (or an operand) write, may it call? One pass, as operands mostly stand before their
/// operator; repeated until nothing changes.
pub(super) fn summarise(unit: &csyntax::tree::Unit, neutral: &[bool]) -> Vec<u8> {
    let mut summary = vec![0u8; unit.exprs.len()];
    let mut stack = Vec::new();
    // Operands that stand behind their operator may ask for another pass.
    let mut forward = Vec::new();
    loop {
        forward.clear();
        for (index, expr) in unit.exprs.iter().enumerate() {
            if let ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Object(_) | ExprKind::Function(_) =
                expr.kind
            {
                continue;
            }
            if let ExprKind::Load(e)
            | ExprKind::Decay(e)
            | ExprKind::AddrOf(e)
            | ExprKind::Deref(e)
            | ExprKind::Convert { value: e, .. } = expr.kind
                && e.index() < index
            {
                summary[index] = summary[e.index()];
                continue;
            }
            let mut bits = own_summary(unit, &expr.kind, neutral);
            operands(&expr.kind, &mut stack);
            if let ExprKind::CompoundLit(id) = &expr.kind {
                let entries = unit[*id].init.iter().flat_map(|i| &i.entries);
                stack.extend(entries.map(|entry: &InitEntry| entry.value));
            }
            for e in stack.drain(..) {
                if e.index() > index {
                    forward.push((index, e.index()));
                }
                bits |= summary[e.index()];
            }
            summary[index] = bits;
        }
        if forward.iter().all(|(operator, operand)| summary[*operand] & !summary[*operator] == 0) {
            return summary;
        }
    }
}

fn own_summary(unit: &csyntax::tree::Unit, kind: &ExprKind, neutral: &[bool]) -> u8 {
    match kind {
        ExprKind::Assign(..)
        | ExprKind::CompoundAssign { .. }
        | ExprKind::IncDec { .. }
        | ExprKind::VaArg(_) => WRITES,
        ExprKind::Builtin(
            Builtin::Atomic(_) | Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow,
            _,
        ) => WRITES,
        ExprKind::StmtExpr { .. } => WRITES | CALLS | DISTURBS,
        ExprKind::Call(f, _) => match unit.called(*f) {
            Some(f) if neutral[f.index()] => CALLS,
            Some(_) | None => CALLS | DISTURBS,
        },
        _ => 0,
    }
}

/// Library functions that may not come back.
const LEAVING: &[&str] =
    &["exit", "_exit", "_Exit", "quick_exit", "abort", "raise", "__assert", "__assert_fail"];

/// May a call end the program or jump out of functions?
pub(super) fn leaves(unit: &csyntax::tree::Unit) -> bool {
    let leaving = |f: csyntax::tree::FnId| {
        let function = &unit[f];
        let name = unit.names.name(function.name);
        function.body.is_none()
            && (function.noreturn || function.asm_label.is_some() || function.alias.is_some())
            || LEAVING.contains(&name.trim_start_matches("__builtin_"))
    };
    unit.exprs.iter().any(|e| match &e.kind {
        ExprKind::Function(id) => leaving(*id),
        ExprKind::Builtin(Builtin::Longjmp | Builtin::Trap | Builtin::Apply, _) => true,
        _ => false,
    }) || unit.stmts.iter().any(|s| matches!(s.kind, StmtKind::GotoOuter(..)))
}

impl FnLower<'_, '_> {
    /// May the expression write anything itself (assignments, steps; calls do not count)?
    pub fn writes(&self, e: ExprId) -> bool {
        self.lw.summary[e.index()] & WRITES != 0
    }

    /// May the expression call a function?
    pub fn calls(&self, e: ExprId) -> bool {
        self.lw.summary[e.index()] & CALLS != 0
    }

    fn effects(&self, e: ExprId, out: &mut Effects) {
        let unit = self.lw.unit;
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            let kind = &unit[e].kind;
            match kind {
                ExprKind::Load(lv) => self.touch(*lv, false, out),
                ExprKind::Assign(lv, _) => self.touch(*lv, true, out),
                ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec { place, .. } => {
                    self.touch(*place, true, out);
                }
                ExprKind::VaArg(_) | ExprKind::Builtin(..) => {
                    out.memory_read = true;
                    out.memory_written |= matches!(
                        kind,
                        ExprKind::VaArg(_)
                            | ExprKind::Builtin(
                                Builtin::Atomic(_)
                                    | Builtin::AddOverflow
                                    | Builtin::SubOverflow
                                    | Builtin::MulOverflow,
                                _
                            )
                    );
                }
                ExprKind::StmtExpr { block, .. } => self.statement_effects(*block, out),
                ExprKind::CompoundLit(id) => {
                    let entries = unit[*id].init.iter().flat_map(|i| &i.entries);
                    stack.extend(entries.map(|entry| entry.value));
                }
                _ => {}
            }
            operands(kind, &mut stack);
        }
    }

    fn touch(&self, lv: ExprId, write: bool, out: &mut Effects) {
        let unit = self.lw.unit;
        let mut e = lv;
        loop {
            match &unit[e].kind {
                ExprKind::Object(id) => {
                    let set = if write { &mut out.writes } else { &mut out.reads };
                    if !set.contains(id) {
                        set.push(*id);
                    }
                    return;
                }
                ExprKind::Member { base, .. }
                | ExprKind::VectorElem(base, _)
                | ExprKind::ComplexPart { base, .. } => e = *base,
                ExprKind::Deref(ptr) => {
                    let mut p = *ptr;
                    if let ExprKind::PtrAdd { ptr, .. } = unit[p].kind {
                        p = ptr;
                    }
                    match unit[p].kind {
                        ExprKind::Decay(array) | ExprKind::AddrOf(array) => e = array,
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        if write {
            out.memory_written = true;
        } else {
            out.memory_read = true;
        }
    }

    fn statement_effects(&self, s: StmtId, out: &mut Effects) {
        // Statement expressions are rare inside operators: be coarse about their inside.
        let mut stack = vec![s];
        while let Some(s) = stack.pop() {
            let kind = &self.lw.unit[s].kind;
            match kind {
                StmtKind::Expr(e)
                | StmtKind::Return(Some(e))
                | StmtKind::GotoPtr(e)
                | StmtKind::If(e, ..)
                | StmtKind::While(e, _)
                | StmtKind::DoWhile(_, e)
                | StmtKind::Switch { value: e, .. } => self.effects(*e, out),
                StmtKind::For { cond, step, .. } => {
                    cond.iter().chain(step).for_each(|e| self.effects(*e, out));
                }
                StmtKind::Decl(id) => {
                    for entry in self.lw.unit[*id].init.iter().flat_map(|i| &i.entries) {
                        self.effects(entry.value, out);
                    }
                }
                StmtKind::Nop
                | StmtKind::Block { .. }
                | StmtKind::Case(..)
                | StmtKind::Default(_)
                | StmtKind::Label(..)
                | StmtKind::VlaEval(_)
                | StmtKind::Goto(_)
                | StmtKind::GotoOuter(..)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(None)
                | StmtKind::Asm(_) => {}
            }
            super::unseen::inner(kind, |s| stack.push(s));
        }
    }

    fn set(&self, e: ExprId) -> Effects {
        let mut out = Effects::default();
        self.effects(e, &mut out);
        out
    }

    /// May the expression call a function that can tell when it is called, or that others can?
    fn disturbs(&self, e: ExprId) -> bool {
        self.lw.summary[e.index()] & DISTURBS != 0
    }

    /// Should the right of two unsequenced operands go first? Where it could matter, the code notes that it got here.
    pub fn right_first(&mut self, a: ExprId, b: ExprId) -> bool {
        let matters = (self.disturbs(a) && self.touches(b)) || (self.disturbs(b) && self.touches(a));
        if matters {
            self.emit(Insn::OrderChosen {});
        }
        matters && self.lw.reverse
    }

    /// As [`FnLower::right_first`], for any number of operands.
    pub fn last_first(&mut self, operands: &[ExprId]) -> bool {
        let calling = operands.iter().filter(|e| self.disturbs(**e)).count();
        let matters =
            calling > 1 || calling == 1 && operands.iter().any(|e| !self.disturbs(*e) && self.touches(*e));
        if matters {
            self.emit(Insn::OrderChosen {});
        }
        matters && self.lw.reverse
    }

    /// May a call elsewhere change what this expression sees, or the other way round? Variables of this function whose
    /// address is never taken are out of every call's reach; what this expression does to them beside another one that
    /// uses them is unsequenced, and found as such in any order.
    fn touches(&self, e: ExprId) -> bool {
        let unit = self.lw.unit;
        if self.disturbs(e) {
            return true;
        }
        if self.lw.leaves {
            // A call that does not come back would keep an operand from being undefined, or not.
            return !matches!(
                unit[e].kind,
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Decay(_) | ExprKind::AddrOf(_)
            );
        }
        let effects = self.set(e);
        let reachable = |id: &ObjId| {
            let object = &unit[*id];
            object.addressed
                || object.storage == Storage::Static
                || object.owner != self.function
                || object.ty.quals.has(Quals::VOLATILE)
        };
        effects.memory_read
            || effects.memory_written
            || effects.reads.iter().chain(&effects.writes).any(reachable)
    }

    /// Opens a region if two operands may conflict.
    pub fn open_pair(&mut self, a: ExprId, b: ExprId) -> bool {
        if !self.writes(a) && !self.writes(b) {
            return false;
        }
        let open = self.set(a).conflicts(&self.set(b), self.lw.unit);
        if open {
            self.open();
        }
        open
    }

    /// Opens a region if any two of several operands may conflict.
    pub fn open_many(&mut self, operands: &[ExprId]) -> bool {
        if operands.len() < 2 || !operands.iter().any(|e| self.writes(*e)) {
            return false;
        }
        let sets: Vec<Effects> = operands.iter().map(|e| self.set(*e)).collect();
        let conflict =
            (0..sets.len()).any(|i| (i + 1..sets.len()).any(|j| sets[i].conflicts(&sets[j], self.lw.unit)));
        if conflict {
            self.open();
        }
        conflict
    }

    fn open(&mut self) {
        self.emit(Insn::SeqOpen {});
        self.seq += 1;
    }

    /// Before an operand that ends in a sequence point.
    pub fn seq_mark(&mut self) -> Option<Reg> {
        if self.seq == 0 {
            return None;
        }
        let d = self.temp();
        self.emit(Insn::SeqMark { d });
        Some(d)
    }

    /// The sequence point: side effects since the mark are complete.
    pub fn seq_point(&mut self, mark: Option<Reg>) {
        if let Some(a) = mark {
            self.emit(Insn::SeqPoint { a });
        }
    }

    /// The next operand of an open region.
    pub fn next_pair(&mut self, open: bool) {
        if open {
            self.emit(Insn::SeqNext {});
        }
    }

    /// Closes a region; its log becomes part of the operand it stands in.
    pub fn close_pair(&mut self, open: bool) {
        if open {
            self.seq -= 1;
            self.emit(Insn::SeqClose { keep: self.seq > 0 });
        }
    }

    /// Opens a region for an assignment: the operands against each other, and the store against their writes.
    pub fn open_store(&mut self, lv: ExprId, rv: ExprId) -> u8 {
        if !self.writes(lv) && !self.writes(rv) {
            return 0;
        }
        let (left, right) = (self.set(lv), self.set(rv));
        let mut store = Effects::default();
        self.touch(lv, true, &mut store);
        let pair = left.conflicts(&right, self.lw.unit);
        let stores = left.writes_meet(&store, self.lw.unit) || right.writes_meet(&store, self.lw.unit);
        let open = if pair { PAIR } else { 0 } | if stores { STORE } else { 0 };
        if open != 0 {
            self.open();
        }
        open
    }

    /// Between the operands of an assignment.
    pub fn next_store(&mut self, open: u8) {
        self.next_pair(open & PAIR != 0);
    }

    /// Before the store: it must not meet a write of the operands.
    pub fn check_store(&mut self, open: u8, place: Place) -> Place {
        if open & STORE == 0 {
            return place;
        }
        if let Base::Reg(v) = place.base {
            self.emit(Insn::SeqStoreReg { v });
            return place;
        }
        let p = self.address(place, false);
        let n = self.extent(&place);
        self.emit(Insn::SeqStore { p, n });
        place.at(p)
    }

    /// After the store.
    pub fn close_store(&mut self, open: u8) {
        self.close_pair(open != 0);
    }
}

/// Pushes the operands of an expression (not those of compound literals).
pub(super) fn operands(kind: &ExprKind, out: &mut Vec<ExprId>) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::VlaLen(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::LabelAddrOuter(..)
        | ExprKind::Object(_)
        | ExprKind::Str(_)
        | ExprKind::CompoundLit(_)
        | ExprKind::Function(_)
        | ExprKind::Same => {}
        ExprKind::Deref(a)
        | ExprKind::Materialize(a, _)
        | ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Neg(a)
        | ExprKind::BitNot(a)
        | ExprKind::Not(a)
        | ExprKind::VaArg(a)
        | ExprKind::PartOf(a, _)
        | ExprKind::VlaEval(_, a)
        | ExprKind::Member { base: a, .. }
        | ExprKind::ComplexPart { base: a, .. }
        | ExprKind::Convert { value: a, .. } => out.push(*a),
        ExprKind::VectorElem(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::Complex(a, b) => out.extend([*a, *b]),
        ExprKind::PtrAdd { ptr, index, scale, .. } => {
            out.extend([*ptr, *index]);
            out.extend(scale);
        }
        ExprKind::PtrDiff(a, b, scale) => {
            out.extend([*a, *b]);
            out.extend(scale);
        }
        ExprKind::Cond(a, b, c) => out.extend([*a, *b, *c]),
        ExprKind::CondElvis { cond, value, other } => out.extend([*cond, *value, *other]),
        ExprKind::CompoundAssign { place, compute } | ExprKind::IncDec { place, compute, .. } => {
            out.extend([*place, *compute]);
        }
        ExprKind::Call(f, args) => {
            out.push(*f);
            out.extend(args);
        }
        ExprKind::Builtin(_, args) => out.extend(args),
        ExprKind::StmtExpr { value, .. } => out.extend(value),
    }
}
