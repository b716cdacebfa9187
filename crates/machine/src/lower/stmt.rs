//! Statements: control flow, scopes, labels, switches.

use super::func::{FnLower, Jumps, Label, Loc, SwitchCtx, deep};
use super::place::Place;
use crate::bytecode::{Constant, Insn, Reg, SwitchTable};
use crate::class::Scalar;
use csyntax::tree::{ExprId, ExprKind, FnId, LabelId, ObjId, StmtId, StmtKind, Storage};
use csyntax::types::{ArrayLen, QTy, TyKind, VlaId};

impl FnLower<'_, '_> {
    /// Lowers a statement. Deep nests (long `else if` chains) are handled on a growing stack.
    pub fn statement(&mut self, s: StmtId) {
        deep(|| self.statement_kind(s));
    }

    fn statement_kind(&mut self, s: StmtId) {
        let unit = self.lw.unit;
        let stmt = &unit[s];
        let old = std::mem::replace(&mut self.span, stmt.span);
        let next = self.next;
        let mut keep = false;
        if self.is_cold(s) {
            self.stop(crate::bytecode::StopDesc::Cold);
            self.span = old;
            return;
        }
        if self.lw.profile
            && self.is_observed()
            && !matches!(stmt.kind, StmtKind::Block { .. } | StmtKind::Nop)
        {
            self.point(stmt);
        }
        match &stmt.kind {
            StmtKind::Nop => {}
            StmtKind::Expr(e) => {
                let mark = self.temporaries.len();
                self.discard(*e);
                self.end_temporaries(mark);
            }
            StmtKind::Block { locals, body } => self.block(locals, body),
            StmtKind::Decl(id) => {
                self.declaration(*id);
                keep = true;
            }
            StmtKind::VlaEval(vla) => {
                self.vla_eval(*vla);
                keep = true;
            }
            StmtKind::If(c, t, f) => {
                let (no, end) = (self.label(), self.label());
                self.branch(*c, no, false);
                self.statement(*t);
                match f {
                    Some(f) => {
                        self.span = stmt.span;
                        self.jump(end);
                        self.place_label(no);
                        self.statement(*f);
                    }
                    None => self.place_label(no),
                }
                self.place_label(end);
            }
            StmtKind::While(c, body) => self.loop_statement(Some(*c), None, *body, true),
            StmtKind::DoWhile(body, c) => self.loop_statement(Some(*c), None, *body, false),
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|s| self.statement(*s));
                self.loop_statement(*cond, *step, *body, true);
            }
            StmtKind::Switch { value, cases, has_default, body } => {
                self.switch(*value, cases, *has_default, *body);
            }
            StmtKind::Case(index, inner) => {
                let label = self.label();
                self.place_label(label);
                let scope = self.scope;
                if let Some(slot) = self.switches.last_mut().and_then(|s| s.cases.get_mut(*index as usize)) {
                    *slot = Some((label, scope));
                }
                self.statement(*inner);
            }
            StmtKind::Default(inner) => {
                let label = self.label();
                self.place_label(label);
                let scope = self.scope;
                if let Some(switch) = self.switches.last_mut() {
                    switch.default = Some((label, scope));
                }
                self.statement(*inner);
            }
            StmtKind::Label(id, inner) => {
                let label = self.named_label(*id);
                self.place_label(label);
                self.named_scope.insert(*id, self.scope);
                self.statement(*inner);
            }
            StmtKind::Goto(id) => {
                let stub = self.label();
                self.jump(stub);
                self.pending.push((stub, *id, self.scope, stmt.span));
            }
            StmtKind::GotoOuter(owner, label) => match self.lw.labels.get(&(*owner, *label)) {
                Some(&c) => {
                    self.emit(Insn::JmpOuter { c });
                }
                None => {
                    self.unsupported("a goto to this label");
                }
            },
            StmtKind::GotoPtr(e) => {
                let a = self.value(*e, None);
                self.emit(Insn::JmpPtr { a });
            }
            StmtKind::Break => self.leave(|j| j.brk),
            StmtKind::Continue => self.leave(|j| j.cont),
            StmtKind::Return(value) => self.return_statement(*value),
            StmtKind::Asm(asm) => self.asm(asm),
        }
        if !keep {
            self.release(next);
        }
        self.span = old;
    }

    fn block(&mut self, locals: &[ObjId], body: &[StmtId]) {
        let next = self.next;
        if locals.is_empty() {
            body.iter().for_each(|s| self.statement(*s));
        } else {
            self.open_scope(locals);
            body.iter().for_each(|s| self.statement(*s));
            self.close_scope();
        }
        self.release(next);
    }

    /// The block of a statement expression, then its scalar value, taken before the block's objects die.
    pub fn statement_value(&mut self, block: StmtId, value: Option<ExprId>, want: Option<Reg>) -> Reg {
        let unit = self.lw.unit;
        let d = self.dst(want.filter(|_| value.is_some()));
        let next = self.next;
        let StmtKind::Block { locals, body } = &unit[block].kind else {
            self.statement(block);
            if let Some(value) = value {
                self.scalar_or_nothing(value, d);
            }
            return d;
        };
        self.open_scope(locals);
        body.iter().for_each(|s| self.statement(*s));
        if let Some(value) = value {
            // A temporary: `d` may be a variable that the block's value reads.
            self.scalar_or_nothing(value, d);
        }
        self.close_scope();
        self.release(next);
        d
    }

    fn scalar_or_nothing(&mut self, value: ExprId, d: Reg) {
        if self.scalar(self.lw.unit[value].ty.ty).is_some() {
            self.value(value, Some(d));
        } else {
            self.discard(value);
        }
    }

    /// As [`FnLower::statement_value`] for values kept in memory: copied out of the block.
    pub fn statement_aggregate(&mut self, block: StmtId, value: ExprId, ty: QTy) -> Place {
        let unit = self.lw.unit;
        let local = self.temp_local(ty);
        let place = self.local_place(local, ty);
        let next = self.next;
        let (locals, body): (&[ObjId], &[StmtId]) = match &unit[block].kind {
            StmtKind::Block { locals, body } => (locals, body),
            _ => (&[], std::slice::from_ref(&block)),
        };
        self.open_scope(locals);
        body.iter().for_each(|s| self.statement(*s));
        let src = self.aggregate(value);
        self.copy(place, src, true);
        self.close_scope();
        self.release(next);
        place
    }

    fn loop_statement(&mut self, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId, test_first: bool) {
        let (top, test, cont, end) = (self.label(), self.label(), self.label(), self.label());
        let span = self.span;
        if test_first && cond.is_some() {
            self.jump(test);
        }
        self.place_label(top);
        self.jumps.push(Jumps { brk: Some(end), cont: Some(cont), scope: self.scope });
        self.statement(body);
        self.jumps.pop();
        self.span = span;
        self.place_label(cont);
        self.jumps.push(Jumps { brk: None, cont: None, scope: self.scope });
        if let Some(step) = step {
            self.discard(step);
        }
        self.place_label(test);
        match cond {
            Some(cond) => {
                self.span = self.lw.unit[cond].span;
                self.branch(cond, top, true);
                self.span = span;
            }
            None => self.jump(top),
        }
        self.jumps.pop();
        self.place_label(end);
    }

    fn leave(&mut self, pick: impl Fn(&Jumps) -> Option<Label>) {
        // In the condition of a loop it is of the loop around for GCC, and of that loop for Clang: the second run says so.
        let mut of_condition = false;
        let found = self.jumps.iter().rev().find_map(|j| {
            of_condition |= j.brk.is_none() && j.cont.is_none();
            pick(j).map(|label| (label, j.scope))
        });
        if of_condition {
            self.lw.program.asks_compiler = true;
            if self.lw.moved {
                self.unsupported("`break` or `continue` in the condition of a loop, which compilers take for different loops'");
                return;
            }
        }
        match found {
            Some((label, scope)) => {
                self.transition(self.scope, scope);
                self.jump(label);
            }
            None => {
                self.unsupported("break or continue outside a loop");
            }
        }
    }

    fn return_statement(&mut self, value: Option<ExprId>) {
        if let Some(value) = value {
            let ty = self.lw.unit[value].ty.ty;
            if self.in_memory(ty) {
                let src = self.aggregate(value);
                let dst = self.result_place();
                self.copy(dst, src, true);
                self.clean_up_all();
            } else if self.scalar(ty).is_some() {
                // A cleanup may change the variable whose register the value would be in.
                let want = self.cleans_up().then(|| self.temp());
                let a = self.value(value, want);
                self.alive(value, a);
                self.check_result(a);
                self.clean_up_all();
                self.emit(if self.is_own_address(value) { Insn::RetDangling {} } else { Insn::RetV { a } });
                return;
            } else {
                self.discard(value);
                self.clean_up_all();
            }
            self.emit(Insn::Ret {});
            return;
        }
        self.clean_up_all();
        if matches!(self.lw.unit.types.kind(self.ret.ty), TyKind::Void) {
            self.emit(Insn::Ret {});
        } else {
            self.emit(Insn::RetMissing {});
        }
    }

    /// Is this the address of an automatic object of this function, or of a part of one? Its value is indeterminate once the
    /// function has returned (C11 6.2.4p2).
    fn is_own_address(&self, value: ExprId) -> bool {
        let unit = self.lw.unit;
        if self.scalar(unit[value].ty.ty) != Some(Scalar::Ptr) {
            return false;
        }
        match &unit[value].kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.is_own_object(*place),
            ExprKind::Convert { value, .. } => self.is_own_address(*value),
            _ => false,
        }
    }

    fn is_own_object(&self, place: ExprId) -> bool {
        let unit = self.lw.unit;
        match &unit[place].kind {
            ExprKind::Object(object) => {
                let object = &unit[*object];
                !matches!(object.storage, Storage::Static) && object.owner == self.function
            }
            ExprKind::Member { base, .. } => self.is_own_object(*base),
            _ => false,
        }
    }

    fn switch(&mut self, value: ExprId, cases: &[(i128, i128)], has_default: bool, body: StmtId) {
        let unit = self.lw.unit;
        let scalar = self.scalar(unit[value].ty.ty).unwrap_or(Scalar::I32);
        let a = self.value(value, None);
        let table = self.lw.program.switches.len() as u32;
        self.lw.program.switches.push(SwitchTable { ranges: Vec::new(), dense: None, default: 0, scalar });
        self.tables.push(table);
        self.emit(Insn::Switch { a, table });
        let end = self.label();
        self.jumps.push(Jumps { brk: Some(end), cont: None, scope: self.scope });
        self.switches.push(SwitchCtx { cases: vec![None; cases.len()], default: None });
        let outer = self.scope;
        self.statement(body);
        self.jumps.pop();
        let context = self.switches.pop();
        self.jump(end);
        // Cases inside inner blocks are entered through stubs that begin the blocks' lifetimes.
        let mut targets = Vec::new();
        let mut default = end;
        if let Some(context) = context {
            let stub = |fl: &mut Self, found: Option<(Label, Option<u32>)>| match found {
                Some((label, scope)) if scope != outer => {
                    let stub = fl.label();
                    fl.place_label(stub);
                    fl.transition(outer, scope);
                    fl.jump(label);
                    stub
                }
                Some((label, _)) => label,
                None => end,
            };
            for (range, found) in cases.iter().zip(context.cases) {
                let label = stub(self, found);
                if range.0 <= range.1 {
                    targets.push((range.0, range.1, label.0));
                }
            }
            if has_default {
                default = stub(self, context.default);
            }
        }
        targets.sort_by_key(|t| t.0);
        let dense = dense_table(&targets, default.0);
        let entry = &mut self.lw.program.switches[table as usize];
        entry.ranges = targets;
        entry.default = default.0;
        entry.dense = dense;
        self.place_label(end);
    }

    fn named_label(&mut self, id: LabelId) -> Label {
        if let Some(&label) = self.named.get(&id) {
            return label;
        }
        let label = self.label();
        self.named.insert(id, label);
        label
    }

    /// The code label that computed gotos to an address-taken label go to.
    pub fn label_entry(&mut self, id: LabelId) -> Label {
        if let Some(&label) = self.named_entry.get(&id) {
            return label;
        }
        let label = self.label();
        self.named_entry.insert(id, label);
        label
    }

    /// The constant that is the address of a label of this function.
    pub fn label_constant(&mut self, id: LabelId) -> u32 {
        let owner = self.function.unwrap_or(FnId(u32::MAX));
        if let Some(&c) = self.lw.labels.get(&(owner, id)) {
            return c;
        }
        let target = self.label_entry(id);
        self.lw.program.constants.push(Constant::Label(self.code_id, target.0));
        let c = self.lw.program.constants.len() as u32 - 1;
        self.label_constants.push(c);
        self.lw.labels.insert((owner, id), c);
        c
    }

    /// After the body: gotos become scope transitions, computed gotos get their entries.
    pub fn late_gotos(&mut self) {
        for (stub, id, from, span) in std::mem::take(&mut self.pending) {
            self.span = span;
            self.place_label(stub);
            let Some(&to) = self.named_scope.get(&id) else {
                self.unsupported("a goto to this label");
                continue;
            };
            self.transition(from, to);
            let label = self.named_label(id);
            self.jump(label);
        }
        for (id, entry) in self.named_entry.clone() {
            self.place_label(entry);
            let Some(&to) = self.named_scope.get(&id) else {
                self.unsupported("a computed goto to this label");
                continue;
            };
            let mut chain = Vec::new();
            let mut scope = to;
            while let Some(index) = scope {
                chain.push(index);
                scope = self.scopes[index as usize].parent;
            }
            for index in chain.into_iter().rev() {
                let scope = self.scopes[index as usize].clone();
                for local in scope.locals {
                    self.emit(Insn::EnterIfDead { local });
                }
            }
            let label = self.named_label(id);
            self.jump(label);
        }
    }

    fn declaration(&mut self, id: ObjId) {
        let unit = self.lw.unit;
        let object = &unit[id];
        if let Loc::Ref(d) = self.allocate(id) {
            let Some(n) = self.dynamic_size(object.ty) else {
                self.unsupported("an object of incomplete type");
                return;
            };
            let align = object.align.max(16) as u32;
            self.emit(Insn::VlaAlloc { d, n, align });
            if object.cleanup.is_some() {
                self.open_cleanup(id);
            }
            return;
        }
        match self.allocate(id) {
            Loc::Reg(v) => {
                self.emit(Insn::MarkUninit { v });
            }
            Loc::Local(local) => {
                // Reached again by a backward goto: the same object, without its value.
                if !self.lw.unit.functions[self.function.map_or(0, FnId::index)].labels.is_empty() {
                    self.emit(Insn::Reset { local });
                }
            }
            Loc::Static(_) | Loc::Ref(_) => {}
        }
        if object.init.is_some() && !matches!(self.allocate(id), Loc::Static(_)) {
            let mark = self.temporaries.len();
            self.initialise(id);
            self.end_temporaries(mark);
        }
        if object.cleanup.is_some() {
            self.open_cleanup(id);
        }
    }

    /// Size in bytes of a variable-length type, in a register.
    pub fn dynamic_size(&mut self, ty: QTy) -> Option<Reg> {
        match self.lw.unit.types.kind(ty.ty).clone() {
            TyKind::Array(elem, len) => {
                let elem = self.dynamic_size(elem)?;
                let count = match len {
                    ArrayLen::Fixed(n) => self.konst(None, n, 0),
                    ArrayLen::Variable(VlaId(v)) => *self.vlas.get(&v)?,
                    ArrayLen::Unknown => return None,
                };
                let d = self.temp();
                self.emit(Insn::MulI64 { d, a: elem, b: count });
                Some(d)
            }
            _ => {
                let size = self.lw.size_of(ty.ty)?;
                Some(self.konst(None, size, 0))
            }
        }
    }

    /// Evaluates a variable length.
    pub fn vla_eval(&mut self, vla: VlaId) {
        let len = self.lw.unit.vlas[vla.0 as usize].len;
        let reg = match self.vlas.get(&vla.0) {
            Some(&reg) => reg,
            None => {
                let reg = self.temp();
                self.kept = self.next;
                self.vlas.insert(vla.0, reg);
                reg
            }
        };
        let scalar = self.scalar(self.lw.unit[len].ty.ty).unwrap_or(Scalar::I64);
        self.value(len, Some(reg));
        self.emit(Insn::VlaCheck { a: reg, signed: scalar.signed() });
    }

    /// Inline assembly: an empty template is a barrier through which values pass unchanged.
    fn asm(&mut self, asm: &csyntax::tree::Asm) {
        if !does_nothing(&asm.template) || asm.goto {
            self.unsupported("inline assembly");
            return;
        }
        // "+r"(x) keeps x; "=r"(x) : "0"(y) is x = y; other outputs would be indeterminate.
        for (index, (constraint, lv)) in asm.outputs.iter().enumerate() {
            if constraint.contains(&b'+') {
                let place = self.place(*lv);
                if self.scalar(place.ty.ty).is_some() {
                    let place = self.settle(place);
                    let value = self.load(place, None);
                    self.store(place, value, false);
                }
                continue;
            }
            let digit = index.to_string().into_bytes();
            let tied = asm.inputs.iter().find(|(c, _)| **c == *digit);
            match tied {
                Some((_, value)) => {
                    let place = self.place(*lv);
                    let (from, to) = (self.scalar(self.lw.unit[*value].ty.ty), self.scalar(place.ty.ty));
                    if let (Some(from), Some(to)) = (from, to) {
                        let reg = self.value(*value, None);
                        let reg = self.convert_reg(reg, from, to, None);
                        self.store(place, reg, false);
                    } else {
                        let src = self.aggregate(*value);
                        self.copy(place, src, false);
                    }
                }
                None => {
                    self.unsupported("an output of empty inline assembly");
                }
            }
        }
    }
}

/// Holds an assembly template only comments and instructions that do nothing?
fn does_nothing(template: &[u8]) -> bool {
    template.split(|c| *c == b'\n').all(|line| {
        let code = line.split(|c| *c == b'#').next().unwrap_or_default();
        code.split(|c| *c == b';').all(|insn| matches!(insn.trim_ascii(), b"" | b"nop"))
    })
}

/// A direct table where the cases are close together.
fn dense_table(targets: &[(i128, i128, u32)], default: u32) -> Option<(i64, Vec<u32>)> {
    let (first, last) = (targets.first()?.0, targets.last()?.1);
    let span = last.checked_sub(first)?.checked_add(1)?;
    let count = i128::try_from(targets.len()).ok()?;
    if targets.len() < 4
        || span > count * 8 + 16
        || i64::try_from(first).is_err()
        || i64::try_from(last).is_err()
    {
        return None;
    }
    let mut table = vec![default; span as usize];
    for (lo, hi, target) in targets {
        table[(lo - first) as usize..=(hi - first) as usize].fill(*target);
    }
    Some((first as i64, table))
}
