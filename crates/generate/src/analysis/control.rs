//! The transfer function on control flow: labels, regions jumped back in, loops to a fixed point, switches, leaving
//! loops and functions (thesis sections 4.3.6 and 4.3.7).

use super::sets::SetId;
use super::transfer::{Invalid, Outcome, ROUNDS, State, Target, Transfer, Value, World, is_pointer};
use crate::flow::{Kids, LabelId, NodeId, ValId};
use crate::model::{Home, Loc};

impl Transfer {
    #[inline(never)]
    pub(super) fn labelled(
        &mut self,
        world: World,
        label: LabelId,
        body: NodeId,
        state: &mut State,
    ) -> Outcome {
        self.enter_label(label);
        self.exec(world, body, state)?;
        if let Some(jumped) = self.leave_label() {
            self.join(world, state, &jumped);
        }
        Ok(())
    }

    /// Two ways, of which one is taken.
    #[inline(never)]
    pub(super) fn branch(
        &mut self,
        world: World,
        [cond, yes, no]: [NodeId; 3],
        state: &mut State,
    ) -> Outcome {
        self.exec(world, cond, state)?;
        let mut other = state.clone();
        self.exec(world, yes, state)?;
        self.exec(world, no, &mut other)?;
        self.join(world, state, &other);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn jump(&mut self, world: World, label: LabelId, state: &mut State) {
        let depth = self.frame().labels.iter().rev().find(|l| l.0 == label).map_or(0, |l| l.1);
        self.kill_down_to(world, depth, state);
        let mut pending = self.frame().pending.remove(&label);
        self.join_option(world, &mut pending, state);
        if let Some(pending) = pending {
            self.frame().pending.insert(label, pending);
        }
        state.live = false;
    }

    #[inline(never)]
    pub(super) fn region(
        &mut self,
        world: World,
        label: LabelId,
        body: NodeId,
        state: &mut State,
    ) -> Outcome {
        let mut head = state.clone();
        self.enter_label(label);
        for _ in 0..ROUNDS {
            *state = head.clone();
            self.exec(world, body, state)?;
            let back = self.frame().pending.remove(&label);
            if !back.is_some_and(|back| self.join(world, &mut head, &back)) {
                self.frame().labels.pop();
                return Ok(());
            }
        }
        Err(Invalid::Diverged)
    }

    #[inline(never)]
    pub(super) fn repeat(
        &mut self,
        world: World,
        cond: NodeId,
        body: NodeId,
        step: NodeId,
        do_while: bool,
        state: &mut State,
    ) -> Outcome {
        let mut head = state.clone();
        for _ in 0..ROUNDS {
            *state = head.clone();
            let mut out = State::default();
            if !do_while {
                self.exec(world, cond, state)?;
                out = state.clone();
            }
            self.enter_target(true);
            self.exec(world, body, state)?;
            let (breaks, continues) = self.leave_target();
            if let Some(continues) = continues {
                self.join(world, state, &continues);
            }
            if do_while {
                self.exec(world, cond, state)?;
                out = state.clone();
            } else {
                self.exec(world, step, state)?;
            }
            if !self.join(world, &mut head, state) {
                *state = out;
                if let Some(breaks) = breaks {
                    self.join(world, state, &breaks);
                }
                return Ok(());
            }
        }
        Err(Invalid::Diverged)
    }

    #[inline(never)]
    pub(super) fn switch(
        &mut self,
        world: World,
        value: NodeId,
        sections: Kids,
        total: bool,
        state: &mut State,
    ) -> Outcome {
        self.exec(world, value, state)?;
        let entry = state.clone();
        state.live = false;
        self.enter_target(false);
        for n in 0..world.flow.count(sections) {
            self.join(world, state, &entry);
            self.exec(world, world.flow.kid(sections, n), state)?;
        }
        let (breaks, _) = self.leave_target();
        if let Some(breaks) = breaks {
            self.join(world, state, &breaks);
        }
        if !total {
            self.join(world, state, &entry);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn leave(&mut self, world: World, to_next_turn: bool, state: &mut State) {
        let wanted = |t: &Target| !to_next_turn || t.is_loop;
        if let Some(index) = self.frame().targets.iter().rposition(wanted) {
            let depth = self.frame().targets[index].depth;
            self.kill_down_to(world, depth, state);
            let target = &mut self.frame().targets[index];
            let slot = if to_next_turn { &mut target.continues } else { &mut target.breaks };
            let mut taken = slot.take();
            self.join_option(world, &mut taken, state);
            let target = &mut self.frame().targets[index];
            *(if to_next_turn { &mut target.continues } else { &mut target.breaks }) = taken;
        }
        state.live = false;
    }

    #[inline(never)]
    pub(super) fn ret(&mut self, world: World, val: ValId, state: &mut State) -> Outcome {
        let value = self.value(world, val, state, false)?;
        self.kill_down_to(world, 0, state);
        let value = self.killed_value(world, value);
        if matches!(value, Value::Pointer(set) if self.sets.garbage(set)) {
            return Err(Invalid::Indeterminate);
        }
        match self.frame().returned.take() {
            Some((mut joined, known)) => {
                self.join(world, &mut joined, state);
                let value = self.join_values(world, known, value);
                self.frame().returned = Some((joined, value));
            }
            None => self.frame().returned = Some((state.clone(), value)),
        }
        state.live = false;
        Ok(())
    }

    /// A returned pointer to a variable of the function is indeterminate for the caller.
    pub(super) fn killed_value(&mut self, world: World, value: Value) -> Value {
        let active = self.frame().active.clone();
        let dead = |loc: &Loc| {
            *loc > Loc::GARBAGE
                && match world.model.var(world.model.loc(*loc).var).home {
                    Home::Block(block) => active.contains(&block),
                    Home::Static => false,
                }
        };
        match value {
            Value::Number => Value::Number,
            Value::Pointer(set) => Value::Pointer(self.without(set, &dead)),
            Value::Record(first, mut slots) => {
                for (slot, value) in (first..).zip(&mut slots) {
                    if is_pointer(world, slot) {
                        *value = self.without(*value, &dead);
                    }
                }
                Value::Record(first, slots)
            }
        }
    }

    /// The set with its dead members replaced by `GARBAGE`.
    pub(super) fn without(&mut self, set: SetId, dead: &dyn Fn(&Loc) -> bool) -> SetId {
        if !self.sets.members(set).iter().any(dead) {
            return set;
        }
        let left = self.sets.members(set).iter().map(|l| if dead(l) { Loc::GARBAGE } else { *l }).collect();
        self.sets.intern(left)
    }
}
