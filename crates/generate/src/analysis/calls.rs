//! Calls (section 4.3.5): a function runs with the facts of each call, unless a summary with the same facts is known.

use super::effects::Effect;
use super::transfer::{Frame, Invalid, Outcome, State, Transfer, Value, World};
use crate::flow::{FnIx, Kids, NodeId, ValId};
use crate::model::{Loc, VarId};
use std::rc::Rc;

/// How many summaries are kept for a function.
const SUMMARIES: usize = 8;

/// A summary of one call.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    depends: Vec<(u32, u32)>,
    after: Vec<u32>,
    live: bool,
    pub(super) effects: Vec<Effect>,
    result: Value,
}

fn set_param(world: World, param: VarId, value: Value, state: &mut State) {
    let first = world.model.loc(world.model.var(param).loc).slots.0;
    match value {
        Value::Number => {}
        Value::Pointer(set) => state.set(&world, first, set),
        Value::Record(_, slots) => {
            for (slot, value) in (first..).zip(slots) {
                state.set(&world, slot, value);
            }
        }
    }
}

fn mark(set: &mut Vec<bool>, index: usize) {
    if set.len() <= index {
        set.resize(index + 1, false);
    }
    set[index] = true;
}

impl Transfer {
    /// Gives a parameter the value of its argument.
    pub fn pass(&mut self, world: World, param: VarId, val: ValId, state: &mut State) {
        if let Ok(value) = self.value(world, val, state, false) {
            self.note_null(param, &value);
            set_param(world, param, value, state);
        }
    }

    /// Remembers that the function under generation accesses something volatile, if it does.
    pub fn note_volatile(&mut self, callee: FnIx) {
        if self.frame().footprint.writes(Loc::VOLATILE) {
            mark(&mut self.volatile, callee.0 as usize);
        }
    }

    /// Remembers that a parameter may be null.
    fn note_null(&mut self, param: VarId, value: &Value) {
        let Value::Pointer(set) = value else { return };
        if !self.sets.valid(*set) {
            mark(&mut self.maybe_null, param.0 as usize);
        }
    }

    /// Evaluates the arguments, then the callee.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        world: World,
        node: NodeId,
        callee: FnIx,
        kids: Kids,
        vals: Kids,
        state: &mut State,
    ) -> Outcome {
        self.unsequenced(world, kids, state)?;
        let function = &world.functions[callee.0 as usize];
        for (n, &param) in function.params.iter().enumerate().take(world.flow.count(vals)) {
            let value = self.value(world, world.flow.val_kid(vals, n), state, false)?;
            self.note_null(param, &value);
            set_param(world, param, value, state);
        }
        if self.summaries.len() <= callee.0 as usize {
            self.summaries.resize(callee.0 as usize + 1, Vec::new());
        }
        let matches =
            |s: &&Rc<Summary>| s.depends.iter().all(|(slot, value)| state.get(&world, *slot) == *value);
        let summary = match self.summaries[callee.0 as usize].iter().find(matches) {
            Some(known) => known.clone(),
            None => self.summarise(world, callee, state)?,
        };
        for (&(slot, _), &after) in summary.depends.iter().zip(&summary.after) {
            self.put(world, state, slot, after);
        }
        for effect in &summary.effects {
            let locked = |var: &VarId| {
                let loc = world.model.var(*var).loc.0;
                effect.write && (effect.lo..effect.hi).contains(&loc)
            };
            if self.locked.iter().any(locked) {
                return Err(Invalid::Locked);
            }
        }
        state.live = summary.live;
        self.log.extend_from_slice(&summary.effects);
        self.results.insert(node, summary.result.clone());
        Ok(())
    }

    fn summarise(&mut self, world: World, callee: FnIx, state: &State) -> Result<Rc<Summary>, Invalid> {
        self.runs += 1;
        let depth = self.frames.len();
        self.frames.push(Frame::default());
        let mut inside = state.clone();
        if let Err(invalid) = self.block(world, world.functions[callee.0 as usize].body, &mut inside) {
            self.frames.truncate(depth);
            return Err(invalid);
        }
        let frame = self.frames.pop().unwrap_or_default();
        let mut result = Value::Number;
        if let Some((returned, value)) = frame.returned {
            self.join(world, &mut inside, &returned);
            result = value;
        }
        let params = &world.functions[callee.0 as usize].params;
        let outlives = |loc: Loc| {
            let var = world.model.loc(loc).var;
            world.model.var(var).owner != Some(callee) || params.contains(&var)
        };
        let touched = frame.touched.iter().copied();
        let touched: Vec<u32> = touched.filter(|s| outlives(world.model.fact_locs[*s as usize])).collect();
        let keep =
            |loc: Loc| loc <= Loc::GARBAGE || world.model.var(world.model.loc(loc).var).owner != Some(callee);
        let effects = frame.footprint.effects(&keep);
        if effects.iter().any(|e| e.lo == Loc::VOLATILE.0) {
            mark(&mut self.volatile, callee.0 as usize);
        }
        let summary = Rc::new(Summary {
            depends: touched.iter().map(|s| (*s, state.get(&world, *s))).collect(),
            after: touched.iter().map(|s| inside.get(&world, *s)).collect(),
            live: inside.live,
            effects,
            result,
        });
        let known = &mut self.summaries[callee.0 as usize];
        if known.len() == SUMMARIES {
            known.remove(0);
        }
        known.push(summary.clone());
        Ok(summary)
    }
}
