//! The function builder: registers, labels, scopes, and the final assembly of a function's code.

use super::Lowerer;
use crate::bytecode::{Code, Constant, Insn, Local, Reg, StopDesc};
use crate::class::{Scalar, scalar_of};
use crate::profile::Home;
use crate::ub::Ub;
use csyntax::ast::Quals;
use csyntax::source::Span;
use csyntax::tree::{ExprId, FnId, LabelId, ObjId, Storage};
use csyntax::types::{QTy, Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A jump target that is placed later.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Label(pub u32);

/// Where an object lives.
#[derive(Copy, Clone, Debug)]
pub(super) enum Loc {
    /// In a register.
    Reg(Reg),
    /// In frame memory, by index into [`Code::locals`].
    Local(u16),
    /// In the arena, by index into the program's statics.
    Static(u32),
    /// Variable-length: a register holds the pointer.
    Ref(Reg),
}

/// A block whose objects have a lifetime of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Index in [`FnLower::scopes`] of the block around.
    pub parent: Option<u32>,
    /// Memory locals born at entry.
    pub locals: Vec<u16>,
    /// All its objects.
    pub objects: Vec<ObjId>,
    /// Register variables that are indeterminate at entry.
    pub regs: Vec<Reg>,
    /// Stack mark to return to when the scope is left (variable-length arrays).
    pub mark: Option<Reg>,
    /// The part of a block from the declaration of an object with the GNU attribute `cleanup` on.
    pub cleanup: Option<ObjId>,
    /// Numbers the execution of a block with restrict pointers.
    pub restrict: Option<Reg>,
}

/// Targets of `break` and `continue`, with the scope they are in; neither in the condition of a loop.
#[derive(Copy, Clone)]
pub(super) struct Jumps {
    pub brk: Option<Label>,
    pub cont: Option<Label>,
    pub scope: Option<u32>,
}

/// A switch being lowered.
pub(super) struct SwitchCtx {
    pub cases: Vec<Option<(Label, Option<u32>)>>,
    pub default: Option<(Label, Option<u32>)>,
}

/// What [`csyntax::tree::ExprKind::Same`] stands for.
#[derive(Copy, Clone)]
pub(super) enum Same {
    /// A scalar.
    Reg(Reg),
    /// An aggregate.
    Place(super::place::Place),
}

/// Lowering of one function.
pub(super) struct FnLower<'l, 'u> {
    pub lw: &'l mut Lowerer<'u>,
    pub code: Code,
    pub span: Span,
    pub locs: FxHashMap<ObjId, Loc>,
    pub vlas: FxHashMap<u32, Reg>,
    pub next: u32,
    /// Registers below hold variable lengths, perhaps of types that outlive the expression that computed them.
    pub kept: u32,
    labels: Vec<u32>,
    /// Position of the label placed last: what stands before it is not alone in leading there.
    pub joined: u32,
    pub scopes: Vec<Scope>,
    pub scope: Option<u32>,
    pub jumps: Vec<Jumps>,
    pub switches: Vec<SwitchCtx>,
    /// Ordinary labels: code label, and scope once it is known.
    pub named: FxHashMap<LabelId, Label>,
    pub named_scope: FxHashMap<LabelId, Option<u32>>,
    pub named_entry: FxHashMap<LabelId, Label>,
    /// Gotos to labels whose scope is not known yet: stub label, target, scope of the goto.
    pub pending: Vec<(Label, LabelId, Option<u32>, Span)>,
    pub same: Vec<Same>,
    /// Operands evaluated ahead of their operator.
    pub ahead: FxHashMap<ExprId, Reg>,
    /// Depth of open unsequenced regions.
    pub seq: u32,
    pub function: Option<FnId>,
    pub ret: QTy,
    /// Variables that live in memory because computed gotos can enter their blocks.
    pub unseen: FxHashSet<ObjId>,
    /// Registers of variables (not temporaries): reads are tracked for initialisation.
    pub tracked: Vec<bool>,
    pub has_vla: bool,
    /// Switch tables of this function.
    pub tables: Vec<u32>,
    /// Label constants of this function.
    pub label_constants: Vec<u32>,
    /// Index of this code in the program.
    pub code_id: u32,
    /// While initialising a static local: its function.
    pub init_owner: Option<FnId>,
    /// Restrict pointers that are followed, by register, and the register that numbers their block's execution.
    pub restricted: FxHashMap<Reg, (ObjId, Reg)>,
    /// Temporaries of the full expressions around.
    pub temporaries: Vec<u16>,
    /// Profile points of this function.
    pub points: Vec<u32>,
    /// The objects of static storage that its points see, once there is one.
    pub globals: Option<Vec<ObjId>>,
}

/// Goes on with more stack where little is left: a tree may be as deep as its text is long.
pub(super) fn deep<T>(lower: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 4 << 20, lower)
}

/// Marks a label not placed yet.
const UNPLACED: u32 = u32::MAX;

impl<'l, 'u> FnLower<'l, 'u> {
    pub fn new(lw: &'l mut Lowerer<'u>, function: Option<FnId>) -> FnLower<'l, 'u> {
        FnLower {
            lw,
            code: Code::default(),
            span: Span::NONE,
            locs: FxHashMap::default(),
            vlas: FxHashMap::default(),
            kept: 0,
            next: 0,
            labels: Vec::new(),
            joined: 0,
            scopes: Vec::new(),
            scope: None,
            jumps: Vec::new(),
            switches: Vec::new(),
            named: FxHashMap::default(),
            named_scope: FxHashMap::default(),
            named_entry: FxHashMap::default(),
            pending: Vec::new(),
            same: Vec::new(),
            ahead: FxHashMap::default(),
            seq: 0,
            function,
            ret: Ty::VOID.into(),
            unseen: FxHashSet::default(),
            tracked: Vec::new(),
            has_vla: false,
            tables: Vec::new(),
            label_constants: Vec::new(),
            code_id: u32::MAX,
            init_owner: None,
            restricted: FxHashMap::default(),
            temporaries: Vec::new(),
            points: Vec::new(),
            globals: None,
        }
    }

    /// Appends an instruction; gives its position.
    pub fn emit(&mut self, insn: Insn) -> usize {
        self.code.insns.push(insn);
        self.code.spans.push(self.span);
        self.code.insns.len() - 1
    }

    /// A fresh register above all in use. Beyond the encodable number the function stops when it is entered.
    pub fn temp(&mut self) -> Reg {
        let reg = self.next;
        self.next += 1;
        self.code.regs = self.code.regs.max(self.next);
        reg.min(u32::from(Reg::MAX)) as Reg
    }

    /// Frees the registers from `next` on, but for those of variable lengths.
    pub fn release(&mut self, next: u32) {
        self.next = next.max(self.kept);
    }

    /// The register to put a value in.
    pub fn dst(&mut self, want: Option<Reg>) -> Reg {
        match want {
            Some(reg) => reg,
            None => self.temp(),
        }
    }

    /// A new, unplaced label.
    pub fn label(&mut self) -> Label {
        self.labels.push(UNPLACED);
        Label(self.labels.len() as u32 - 1)
    }

    /// Places a label here.
    pub fn place_label(&mut self, label: Label) {
        debug_assert_eq!(self.labels[label.0 as usize], UNPLACED);
        self.joined = self.code.insns.len() as u32;
        self.labels[label.0 as usize] = self.joined;
    }

    pub fn jump(&mut self, label: Label) {
        self.emit(Insn::Jmp { t: label.0 });
    }

    pub fn konst(&mut self, want: Option<Reg>, lo: u64, hi: u64) -> Reg {
        let d = self.dst(want);
        match i32::try_from(lo as i64) {
            Ok(k) if hi == 0 => self.emit(Insn::K { d, k }),
            _ => {
                let c = self.lw.constant(Constant::Bits(lo, hi));
                self.emit(Insn::Const { d, c })
            }
        };
        d
    }

    pub fn constant(&mut self, want: Option<Reg>, constant: Constant) -> Reg {
        let d = self.dst(want);
        let c = self.lw.constant(constant);
        self.emit(Insn::Const { d, c });
        d
    }

    pub fn mov(&mut self, want: Option<Reg>, from: Reg) -> Reg {
        match want {
            Some(d) if d != from => {
                self.emit(Insn::Mov { d, a: from });
                d
            }
            Some(_) | None => from,
        }
    }

    /// As [`FnLower::mov`], where `from` is read by nothing else if it is a register from `fresh` up: then the
    /// instruction that made it can write to `want` directly.
    pub fn mov_last(&mut self, want: Option<Reg>, from: Reg, fresh: u32) -> Reg {
        let here = self.code.insns.len() as u32;
        if let Some(d) = want
            && u32::from(from) >= fresh
            && self.joined < here
            && let Some(
                Insn::Const { d: made, .. }
                | Insn::LeaL { d: made, .. }
                | Insn::PField { d: made, .. }
                | Insn::PAddK { d: made, .. }
                | Insn::Narrow { d: made, .. }
                | Insn::POff { d: made, .. },
            ) = self.code.insns.last_mut()
            && *made == from
        {
            *made = d;
            return d;
        }
        self.mov(want, from)
    }

    pub fn stop(&mut self, desc: StopDesc) {
        self.lw.program.stops.push(desc);
        let s = self.lw.program.stops.len() as u32 - 1;
        self.emit(Insn::Stop { s });
    }

    /// Code that stops here as unsupported; gives a register so that lowering can go on.
    pub fn unsupported(&mut self, what: impl Into<String>) -> Reg {
        self.stop(StopDesc::Unsupported(what.into()));
        self.temp()
    }

    pub fn undefined(&mut self, ub: Ub, what: &str) {
        self.stop(StopDesc::Undefined(ub, what.to_string()));
    }

    pub fn scalar(&self, ty: Ty) -> Option<Scalar> {
        scalar_of(&self.lw.unit.types, ty)
    }

    pub fn size(&self, ty: Ty) -> u64 {
        self.lw.size_of(ty).unwrap_or(0)
    }

    pub fn align(&self, ty: Ty) -> u64 {
        match self.lw.unit.types.kind(ty) {
            TyKind::Array(elem, _) => self.align(elem.ty),
            _ => self.lw.unit.types.layout(ty).map_or(1, |l| l.align),
        }
    }

    /// A new memory local.
    pub fn new_local(&mut self, ty: QTy, size: u64, align: u64, tag: u32) -> u16 {
        let free = u64::from(self.code.frame_size);
        let offset = match self.lw.moved {
            true => super::barely_aligned(free, align),
            false => free.next_multiple_of(align.max(1)),
        };
        let room = offset + size.max(1) + 8;
        if room > u64::from(u32::MAX / 2) || self.code.locals.len() >= usize::from(u16::MAX) {
            self.unsupported("a function with this much automatic storage");
            // What follows never runs, but names a local.
            return match self.code.locals.len() {
                0 => self.new_local(Ty::CHAR.into(), 1, 1, tag),
                locals => locals as u16 - 1,
            };
        }
        let template = self.lw.template(ty, size);
        self.code.frame_size = room as u32;
        self.code.frame_align = self.code.frame_align.max(align as u32);
        let slot = self.code.locals.len() as u32;
        self.code.locals.push(Local { offset: offset as u32, size: size as u32, template, slot, tag });
        self.code.locals.len() as u16 - 1
    }

    /// An unnamed memory local that is born now and lives to the end of the function.
    pub fn temp_local(&mut self, ty: QTy) -> u16 {
        let quals = Quals::NONE;
        let (size, align) = (self.size(ty.ty), self.align(ty.ty));
        let local = self.new_local(QTy { ty: ty.ty, quals }, size, align, 0);
        self.emit(Insn::Enter { local });
        local
    }

    /// Decides where an automatic object lives.
    pub fn allocate(&mut self, id: ObjId) -> Loc {
        if let Some(index) = self.lw.statics[id.index()] {
            return Loc::Static(index);
        }
        if let Some(&loc) = self.locs.get(&id) {
            return loc;
        }
        let unit = self.lw.unit;
        let object = &unit[id];
        let loc = if object.storage == Storage::Static {
            match self.lw.statics[id.index()] {
                Some(index) => Loc::Static(index),
                None => return Loc::Static(u32::MAX),
            }
        } else if self.lw.size_of(object.ty.ty).is_none() {
            let reg = self.temp();
            Loc::Ref(reg)
        } else if !object.addressed
            && self.scalar(object.ty.ty).is_some()
            && !object.ty.quals.has(Quals::VOLATILE)
            && !self.unseen.contains(&id)
        {
            // The register after it is its flag, if one turns out to be needed: both lie below every call's frame.
            let reg = self.temp();
            self.temp();
            self.track(reg);
            Loc::Reg(reg)
        } else {
            let size = self.lw.object_size(id).unwrap_or(0);
            let local = self.new_local(object.ty, size, object.align.max(self.align(object.ty.ty)), id.0 + 1);
            self.lw.outer.insert(id, (self.code_id, local));
            Loc::Local(local)
        };
        self.locs.insert(id, loc);
        loc
    }

    pub fn track(&mut self, reg: Reg) {
        let index = usize::from(reg);
        if self.tracked.len() <= index {
            self.tracked.resize(index + 1, false);
        }
        self.tracked[index] = true;
    }

    /// Opens a scope for objects; emits their births.
    pub fn open_scope(&mut self, objects: &[ObjId]) -> u32 {
        let mut scope = Scope { parent: self.scope, objects: objects.to_vec(), ..Scope::default() };
        let mut order = objects.to_vec();
        if self.lw.moved {
            order.reverse();
        }
        for id in order {
            match self.allocate(id) {
                Loc::Reg(reg) => scope.regs.push(reg),
                Loc::Local(local) => scope.locals.push(local),
                Loc::Ref(_) => {
                    if scope.mark.is_none() {
                        let mark = self.temp();
                        scope.mark = Some(mark);
                        self.has_vla = true;
                    }
                }
                Loc::Static(_) => {}
            }
        }
        // Computed gotos leave and enter blocks unseen.
        if !self.lw.label_values {
            scope.restrict = self.restrict_scope(objects);
        }
        self.scopes.push(scope);
        let index = self.scopes.len() as u32 - 1;
        self.scope = Some(index);
        self.enter_scope(index, false);
        index
    }

    pub fn enter_scope(&mut self, index: u32, if_dead: bool) {
        let scope = std::mem::take(&mut self.scopes[index as usize]);
        if let Some(d) = scope.mark {
            self.emit(Insn::StackMark { d });
            for object in &scope.objects {
                if let Some(Loc::Ref(d)) = self.locs.get(object) {
                    let d = *d;
                    self.emit(Insn::K { d, k: 0 });
                }
            }
        }
        for &local in &scope.locals {
            self.emit(if if_dead { Insn::EnterIfDead { local } } else { Insn::Enter { local } });
        }
        for &v in &scope.regs {
            self.emit(Insn::MarkUninit { v });
        }
        if let Some(d) = scope.restrict {
            self.emit(Insn::RestrictOpen { d });
        }
        self.scopes[index as usize] = scope;
    }

    pub fn leave_scope(&mut self, index: u32) {
        if let Some(id) = self.scopes[index as usize].cleanup {
            self.clean_up(id);
        }
        let scope = std::mem::take(&mut self.scopes[index as usize]);
        if let Some(a) = scope.restrict {
            self.emit(Insn::RestrictClose { a });
        }
        for &local in &scope.locals {
            self.emit(Insn::Leave { local });
        }
        if let Some(a) = scope.mark {
            self.emit(Insn::StackFree { a });
        }
        self.scopes[index as usize] = scope;
    }

    /// Closes the innermost scope; emits the deaths.
    pub fn close_scope(&mut self) {
        while let Some(index) = self.scope {
            self.leave_scope(index);
            self.scope = self.scopes[index as usize].parent;
            if self.scopes[index as usize].cleanup.is_none() {
                break;
            }
        }
    }

    /// Opens the scope that ends in the cleanup of an object.
    pub fn open_cleanup(&mut self, id: ObjId) {
        self.scopes.push(Scope { parent: self.scope, cleanup: Some(id), ..Scope::default() });
        self.scope = Some(self.scopes.len() as u32 - 1);
    }

    /// The cleanups of all scopes that a return leaves.
    pub fn clean_up_all(&mut self) {
        for index in self.chain(self.scope).into_iter().rev() {
            if let Some(id) = self.scopes[index as usize].cleanup {
                self.clean_up(id);
            }
        }
    }

    /// Does a return here run cleanups?
    pub fn cleans_up(&self) -> bool {
        self.chain(self.scope).iter().any(|index| self.scopes[*index as usize].cleanup.is_some())
    }

    fn chain(&self, scope: Option<u32>) -> Vec<u32> {
        let mut chain: Vec<u32> = std::iter::successors(scope, |s| self.scopes[*s as usize].parent).collect();
        chain.reverse();
        chain
    }

    /// Emits the deaths and births of a jump between scopes.
    pub fn transition(&mut self, from: Option<u32>, to: Option<u32>) {
        let (from, to) = (self.chain(from), self.chain(to));
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        for &scope in from[common..].iter().rev() {
            self.leave_scope(scope);
        }
        for &scope in &to[common..] {
            if self.scopes[scope as usize].mark.is_some() {
                self.undefined(Ub::GotoIntoVla, "a jump enters the scope of a variable-length array");
            }
            self.enter_scope(scope, false);
        }
    }

    /// Maps every jump target of this function, whose jumps stand at these positions.
    fn retarget(&mut self, jumps: &[u32], map: impl Fn(u32) -> u32) {
        for &pc in jumps {
            if let Some(t) = self.code.insns[pc as usize].target_mut() {
                *t = map(*t);
            }
        }
        for &table in &self.tables {
            let table = &mut self.lw.program.switches[table as usize];
            table.ranges.iter_mut().for_each(|r| r.2 = map(r.2));
            table.default = map(table.default);
            if let Some((_, targets)) = &mut table.dense {
                targets.iter_mut().for_each(|t| *t = map(*t));
            }
        }
        for &constant in &self.label_constants {
            if let Constant::Label(_, t) = &mut self.lw.program.constants[constant as usize] {
                *t = map(*t);
            }
        }
    }

    fn closing_brace(&self) -> Span {
        match self.function.and_then(|f| self.lw.unit[f].body) {
            Some(body) => {
                let end = self.lw.unit[body].span.hi;
                Span { lo: end.saturating_sub(1), hi: end }
            }
            None => Span::NONE,
        }
    }

    /// Resolves labels, settles initialisation checks, removes empty instructions, and gives the finished code.
    pub fn finish(mut self) -> Code {
        let end = self.code.insns.len() as u32;
        self.span = self.closing_brace();
        // Where labels that were never placed lead, and so that code never runs past its end.
        self.emit(Insn::RetMissing {});
        let places: Vec<u32> = self.labels.iter().map(|l| if *l == UNPLACED { end } else { *l }).collect();
        let jumps = |insns: &mut [Insn]| -> Vec<u32> {
            (0..insns.len() as u32).filter(|pc| insns[*pc as usize].target_mut().is_some()).collect()
        };
        let from = jumps(&mut self.code.insns);
        self.retarget(&from, |t| places[t as usize]);
        let mut entries: Vec<u32> = Vec::new();
        for &table in &self.tables {
            let table = &self.lw.program.switches[table as usize];
            entries.extend(table.ranges.iter().map(|r| r.2));
            entries.push(table.default);
        }
        for &constant in &self.label_constants {
            if let Constant::Label(_, t) = self.lw.program.constants[constant as usize] {
                entries.push(t);
            }
        }
        let all = self.lw.profile;
        let flags = super::assign::settle(&mut self.code, &self.tracked, &from, &entries, all);
        for &id in &self.points {
            for variable in &mut self.lw.program.points[id as usize].variables {
                if let Home::Reg(reg, flag) = &mut variable.home {
                    *flag = flags.get(reg).copied();
                }
            }
        }
        super::peephole::thread(&mut self.code.insns, &from, &entries);
        let targets = super::peephole::entered(&self.code.insns, &entries);
        super::forward::forward(self.lw.unit, &self.lw.program, &mut self.code.insns, &targets);
        super::fuse::fuse(&mut self.code.insns, &targets);
        let mut map = Vec::with_capacity(self.code.insns.len());
        let mut kept = 0;
        for pc in 0..self.code.insns.len() {
            map.push(kept as u32);
            if !matches!(self.code.insns[pc], Insn::Nop {}) {
                self.code.insns[kept] = self.code.insns[pc];
                self.code.spans[kept] = self.code.spans[pc];
                kept += 1;
            }
        }
        self.code.insns.truncate(kept);
        self.code.spans.truncate(kept);
        let from = jumps(&mut self.code.insns);
        if kept < map.len() {
            self.retarget(&from, |t| map[t as usize]);
        }
        for pc in from {
            if let Some(t) = self.code.insns[pc as usize].target_mut() {
                *t = t.wrapping_sub(pc + 1);
            }
        }
        self.code.insns.iter_mut().for_each(|insn| *insn = insn.quick());
        if self.code.regs > 60_000 {
            self.lw.program.stops.push(StopDesc::Unsupported("a function with this many values".into()));
            let s = self.lw.program.stops.len() as u32 - 1;
            self.code.insns = vec![Insn::Stop { s }];
            self.code.spans = vec![self.span];
            self.code.regs = self.code.params + 1;
        }
        self.code
    }
}

/// Lowers a function definition.
pub(super) fn function(lw: &mut Lowerer<'_>, id: FnId, code_id: u32) -> Code {
    let unit = lw.unit;
    let function = &unit[id];
    let mut fl = FnLower::new(lw, Some(id));
    fl.span = function.span;
    fl.code_id = code_id;
    let TyKind::Function(ty) = unit.types.kind(function.ty).clone() else { return fl.finish() };
    fl.ret = ty.ret;
    fl.code.variadic = ty.variadic;
    if fl.lw.label_values {
        fl.unseen = super::unseen::entered(unit, function);
    }
    fl.parameters(&function.params, &ty);
    if let Some(body) = function.body {
        fl.statement(body);
    }
    if unit.names.name(function.name) == "main" {
        fl.next = fl.next.max(1);
        fl.code.regs = fl.code.regs.max(1);
        fl.emit(Insn::K { d: 0, k: 0 });
        fl.emit(Insn::Ret {});
    } else if matches!(unit.types.kind(ty.ret.ty), TyKind::Void) {
        fl.emit(Insn::Ret {});
    } else {
        fl.span = fl.closing_brace();
        fl.emit(Insn::RetMissing {});
    }
    fl.code.regs = fl.code.regs.max(1);
    if fl.lw.label_values {
        for index in 0..function.labels.len() {
            fl.label_constant(LabelId(index as u32));
        }
    }
    fl.late_gotos();
    fl.finish()
}

/// The code that initialises static objects, in order of their declarations.
pub(super) fn static_init(lw: &mut Lowerer<'_>) -> Code {
    let mut fl = FnLower::new(lw, None);
    for index in 0..fl.lw.unit.objects.len() {
        let id = ObjId(index as u32);
        let object = &fl.lw.unit[id];
        if object.storage == Storage::Static && object.init.is_some() && fl.lw.statics[index].is_some() {
            fl.span = object.span;
            fl.init_owner = object.owner;
            fl.initialise(id);
        }
    }
    fl.emit(Insn::Ret {});
    fl.code.regs = fl.code.regs.max(1);
    fl.finish()
}
