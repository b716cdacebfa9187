//! The transfer function: runs the flow of statements over facts, and validates on the way (thesis sections 4.3-4.6).
//!
//! Facts are one vector of slots, a points-to set for each pointer and the active member for each union. Loops and
//! regions that are jumped back in run to a fixed point. Functions run at each call with the facts of that call
//! (the caller-callee handshake is setting the parameters' slots) and are summarised: a summary holds the slots that
//! the call depends on, and applies wherever those have the same facts again.

use super::calls::Summary;
use super::effects::{Effect, Footprint, conflict};
use super::sets::{SetId, Sets};
use super::unions;
use crate::flow::{BlockId, Flow, FnIx, Kids, LabelId, Node, NodeId, Place, PlaceId, ValId};
use crate::model::{Home, Loc, Model, NO_FACT, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Why a piece of program is rejected.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// A dereference of a pointer that may be null or indeterminate.
    Dereference,
    /// A read of a pointer that may be indeterminate.
    Indeterminate,
    /// A read of a union member that may not be the one last stored to, or a store to a part of such a member.
    InactiveMember,
    /// A value read from one member of a union is stored to another.
    Overlap,
    /// Two unsequenced effects on one object, or two unsequenced volatile accesses.
    Unsequenced,
    /// A write to a variable that a loop counts with.
    Locked,
    /// A pointer may point to something that an assertion does not allow.
    Assertion,
    /// No fixed point within the bound that the height of the lattice allows in practice.
    Diverged,
}

/// Facts at a point of the program. Most statements change none, so that copies share them until one does.
#[derive(Clone, Debug, Default)]
pub struct State {
    facts: Rc<Vec<u32>>,
    /// Can the point be reached?
    pub live: bool,
}

impl State {
    /// The start of the program.
    pub fn start() -> State {
        State { facts: Rc::default(), live: true }
    }

    pub(super) fn get(&self, world: &World, slot: u32) -> u32 {
        self.facts.get(slot as usize).copied().unwrap_or_else(|| world.model.initial[slot as usize])
    }

    pub(super) fn set(&mut self, world: &World, slot: u32, value: u32) {
        if self.get(world, slot) != value {
            self.change(world, slot, value);
        }
    }

    fn change(&mut self, world: &World, slot: u32, value: u32) {
        let facts = Rc::make_mut(&mut self.facts);
        if facts.len() <= slot as usize {
            facts.extend_from_slice(&world.model.initial[facts.len()..]);
        }
        facts[slot as usize] = value;
    }
}

/// What the transfer function knows of a function.
#[derive(Clone, Debug)]
pub struct FnFlow {
    /// Its parameters.
    pub params: Vec<VarId>,
    /// Its body.
    pub body: BlockId,
}

/// The program so far.
#[derive(Copy, Clone)]
pub struct World<'a> {
    /// Types, variables, locations.
    pub model: &'a Model,
    /// The flow.
    pub flow: &'a Flow,
    /// The functions, by [`FnIx`].
    pub functions: &'a [FnFlow],
}

/// The abstract value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number,
    Pointer(SetId),
    /// The slots of a record, and the first slot of an object of that type.
    Record(u32, Vec<u32>),
}

/// A statement that `break` and `continue` refer to, with what reaches them.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) depth: usize,
    pub(super) breaks: Option<State>,
    pub(super) continues: Option<State>,
    pub(super) is_loop: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) footprint: Footprint,
    pub(super) touched: Vec<u32>,
    touched_set: Vec<u64>,
    pub(super) active: Vec<BlockId>,
    pub(super) targets: Vec<Target>,
    pub(super) labels: Vec<(LabelId, usize)>,
    pub(super) pending: FxHashMap<LabelId, State>,
    pub(super) returned: Option<(State, Value)>,
    at: Option<(BlockId, usize)>,
}

impl Frame {
    pub(super) fn touch(&mut self, slot: u32) {
        let word = slot as usize / 64;
        if self.touched_set.len() <= word {
            self.touched_set.resize(word + 1, 0);
        }
        if self.touched_set[word] >> (slot % 64) & 1 == 0 {
            self.touched_set[word] |= 1 << (slot % 64);
            self.touched.push(slot);
        }
    }
}

pub(super) fn is_pointer(world: World, slot: u32) -> bool {
    world.model.loc(world.model.fact_locs[slot as usize]).pointer
}

/// Rounds of a fixed point before it is given up.
pub(super) const ROUNDS: usize = 200;

/// The machinery of the transfer function.
#[derive(Clone, Debug, Default)]
pub struct Transfer {
    /// Points-to sets.
    pub sets: Sets,
    /// Do an unordered read and write of two volatile objects conflict even as operand and target of `=`?
    pub strict_volatile: bool,
    /// Calls that were run in full, for statistics.
    pub runs: u64,
    pub(super) log: Vec<Effect>,
    pub(super) frames: Vec<Frame>,
    pub(super) results: FxHashMap<NodeId, Value>,
    pub(super) summaries: Vec<Vec<Rc<Summary>>>,
    pub(super) locked: Vec<VarId>,
    /// Parameters that were passed a null or indeterminate pointer, by variable.
    pub(super) maybe_null: Vec<bool>,
    /// Functions in which something volatile was accessed.
    pub(super) volatile: Vec<bool>,
    /// Full expressions that no fact has a part in.
    pub(super) plain: super::plain::Plain,
}

pub(super) type Outcome = Result<(), Invalid>;

impl Transfer {
    /// One with or without the strict rule for volatile objects.
    pub fn new(strict_volatile: bool) -> Transfer {
        Transfer { strict_volatile, ..Transfer::default() }
    }

    /// Starts a function under generation.
    pub fn enter_function(&mut self) {
        self.frames.push(Frame::default());
    }

    /// Ends it. Its first call finds no summary and runs the whole body.
    pub fn leave_function(&mut self) {
        self.frames.pop();
    }

    /// Starts a block under generation.
    pub fn enter_block(&mut self, block: BlockId) {
        self.frame().active.push(block);
    }

    /// Ends it: pointers to what lived in it are indeterminate now.
    pub fn leave_block(&mut self, world: World, block: BlockId, state: &mut State) {
        self.frame().active.pop();
        self.kill(world, block, state);
    }

    /// Starts a statement that `break` (and `continue`, for loops) refer to.
    pub fn enter_target(&mut self, is_loop: bool) {
        let depth = self.frame().active.len();
        self.frame().targets.push(Target { depth, breaks: None, continues: None, is_loop });
    }

    /// Ends it: what reaches its `break` and `continue` statements.
    pub fn leave_target(&mut self) -> (Option<State>, Option<State>) {
        let target = self.frame().targets.pop();
        target.map_or((None, None), |t| (t.breaks, t.continues))
    }

    /// Declares a label of which jumps follow, at the current block.
    pub fn enter_label(&mut self, label: LabelId) {
        let depth = self.frame().active.len();
        self.frame().labels.push((label, depth));
    }

    /// Ends its scope; what reaches it by jumps.
    pub fn leave_label(&mut self) -> Option<State> {
        let (label, _) = self.frame().labels.pop()?;
        self.frame().pending.remove(&label)
    }

    /// Keeps a variable from being written until [`Self::unlock`].
    pub fn lock(&mut self, var: VarId) {
        self.locked.push(var);
    }

    /// Lets the variable locked last be written again.
    pub fn unlock(&mut self) {
        self.locked.pop();
    }

    /// Is a variable locked?
    pub fn is_locked(&self, var: VarId) -> bool {
        self.locked.contains(&var)
    }

    /// Where the function under generation stood when [`Self::run`] failed: block and index of the statement.
    pub fn position(&mut self) -> Option<(BlockId, usize)> {
        self.frame().at
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn get(&mut self, world: World, state: &State, slot: u32) -> u32 {
        self.frame().touch(slot);
        state.get(&world, slot)
    }

    pub(super) fn put(&mut self, world: World, state: &mut State, slot: u32, value: u32) {
        self.frame().touch(slot);
        state.set(&world, slot, value);
    }

    /// Joins `from` into `into`; was there anything new?
    pub fn join(&mut self, world: World, into: &mut State, from: &State) -> bool {
        if !from.live {
            return false;
        }
        if !into.live {
            *into = from.clone();
            return true;
        }
        if Rc::ptr_eq(&into.facts, &from.facts) {
            return false;
        }
        // Slots that one of the two has not are as they were at first.
        let (known, others) = (into.facts.len(), from.facts.len());
        let initial = |lo: usize, hi: usize| world.model.initial.get(lo..hi).unwrap_or_default();
        if known < others && from.facts[known..] != *initial(known, others) {
            Rc::make_mut(&mut into.facts).extend_from_slice(initial(known, others));
        }
        let common = into.facts.len().min(others);
        let changed = self.join_slots(world, 0, into, &from.facts[..common]);
        let rest = initial(common, into.facts.len());
        self.join_slots(world, common, into, rest) || changed
    }

    /// Joins the slots from `first` on. Most are equal, and are compared many at a time.
    fn join_slots(&mut self, world: World, first: usize, into: &mut State, from: &[u32]) -> bool {
        const MANY: usize = 16;
        let mut changed = false;
        for (start, from) in (first..).step_by(MANY).zip(from.chunks(MANY)) {
            if into.facts[start..start + from.len()] == *from {
                continue;
            }
            for (slot, &b) in (start..).zip(from) {
                let a = into.facts[slot];
                let both = if a == b { a } else { self.join_slot(world, slot as u32, a, b) };
                if both != a {
                    Rc::make_mut(&mut into.facts)[slot] = both;
                    changed = true;
                }
            }
        }
        changed
    }

    pub(super) fn join_option(&mut self, world: World, into: &mut Option<State>, from: &State) {
        match into {
            Some(state) => {
                self.join(world, state, from);
            }
            None => *into = Some(from.clone()),
        }
    }

    /// Ends the lifetime of a block's variables.
    pub(super) fn kill(&mut self, world: World, block: BlockId, state: &mut State) {
        if !state.live || !world.flow.blocks[block.0 as usize].address_taken {
            return;
        }
        for n in 0..self.frame().touched.len() {
            let slot = self.frame().touched[n];
            if !is_pointer(world, slot) {
                continue;
            }
            let set = state.get(&world, slot);
            let dead = |loc: &Loc| {
                *loc > Loc::GARBAGE && world.model.var(world.model.loc(*loc).var).home == Home::Block(block)
            };
            let left = self.without(set, &dead);
            if left != set {
                state.set(&world, slot, left);
            }
        }
    }

    pub(super) fn kill_down_to(&mut self, world: World, depth: usize, state: &mut State) {
        for n in (depth..self.frame().active.len()).rev() {
            let block = self.frame().active[n];
            self.kill(world, block, state);
        }
    }

    /// May an object be read here, next to what the full expression did so far? Then its effects are added.
    pub fn try_read(
        &mut self,
        world: World,
        place: PlaceId,
        state: &State,
        so_far: &mut Vec<Effect>,
    ) -> bool {
        let mark = self.log.len();
        let valid = self.load(world, place, state).is_ok() && !conflict(&self.log[mark..], so_far);
        if valid {
            so_far.extend_from_slice(&self.log[mark..]);
        }
        self.log.truncate(mark);
        valid
    }

    /// May an object be written here, next to what the full expression did so far? Then its effects are added.
    pub fn try_write(
        &mut self,
        world: World,
        place: PlaceId,
        state: &State,
        so_far: &mut Vec<Effect>,
    ) -> bool {
        let mark = self.log.len();
        let valid = self.writable(world, place, state) && !conflict(&self.log[mark..], so_far);
        if valid {
            so_far.extend_from_slice(&self.log[mark..]);
        }
        self.log.truncate(mark);
        valid
    }

    fn writable(&mut self, world: World, place: PlaceId, state: &State) -> bool {
        if let Place::At(loc) = world.flow.place_at(place) {
            return self.writes(world, loc, state);
        }
        let Ok(set) = self.targets(world, place, state, true) else {
            return false;
        };
        (0..self.sets.members(set).len()).all(|n| {
            let loc = self.sets.members(set)[n];
            self.writes(world, loc, state)
        })
    }

    fn writes(&mut self, world: World, loc: Loc, state: &State) -> bool {
        let info = world.model.loc(loc);
        let valid = !self.is_locked(info.var)
            && (info.union.is_none() || self.activate(world, loc, true, &mut state.clone()).is_ok());
        if valid {
            self.note(world, loc, true);
        }
        valid
    }

    /// Is a pointer value valid to dereference here?
    pub fn dereferenceable(&mut self, world: World, val: ValId, state: &State) -> bool {
        match self.value(world, val, state, false) {
            Ok(Value::Pointer(set)) => self.sets.valid(set),
            Ok(Value::Number | Value::Record(..)) | Err(_) => false,
        }
    }

    /// What a pointer points to.
    pub fn points_to(&self, world: World, pointer: Loc, state: &State) -> Vec<Loc> {
        let slot = world.model.loc(pointer).fact;
        if slot == NO_FACT {
            return Vec::new();
        }
        self.sets.members(state.get(&world, slot)).to_vec()
    }

    /// The effects of a whole call as its summaries know them, for choosing where to call.
    pub fn known_effects(&self, callee: FnIx) -> &[Effect] {
        self.summaries.get(callee.0 as usize).and_then(|s| s.last()).map_or(&[], |s| &s.effects)
    }

    /// Was a parameter ever passed a null or indeterminate pointer?
    pub fn may_be_null(&self, param: VarId) -> bool {
        self.maybe_null.get(param.0 as usize).copied().unwrap_or(false)
    }

    /// Did a call of a function access something volatile?
    pub fn accesses_volatile(&self, callee: FnIx) -> bool {
        self.volatile.get(callee.0 as usize).copied().unwrap_or(false)
    }

    /// Runs a node of the function under generation. On failure the state is of no use, and [`Self::position`] tells the offending statement.
    pub fn run(&mut self, world: World, node: NodeId, state: &mut State) -> Outcome {
        let frame = self.frame();
        let marks = (frame.active.len(), frame.targets.len(), frame.labels.len());
        let (log, locked) = (self.log.len(), self.locked.len());
        let outcome = self.exec(world, node, state);
        if outcome.is_err() {
            let frame = self.frame();
            frame.active.truncate(marks.0);
            frame.targets.truncate(marks.1);
            frame.labels.truncate(marks.2);
            self.log.truncate(log);
            self.locked.truncate(locked);
        }
        outcome
    }

    pub(super) fn exec(&mut self, world: World, node: NodeId, state: &mut State) -> Outcome {
        if !state.live {
            return Ok(());
        }
        match world.flow.at(node) {
            Node::Nop => Ok(()),
            Node::Seq(kids) => {
                (0..world.flow.count(kids)).try_for_each(|n| self.exec(world, world.flow.kid(kids, n), state))
            }
            Node::Unseq(kids) => self.unsequenced(world, kids, state),
            Node::Load(place) => self.load(world, place, state),
            Node::Store { kids, place, val } => self.store(world, kids, place, val, state),
            Node::Cond(cond, yes, no) | Node::If(cond, yes, no) => self.branch(world, [cond, yes, no], state),
            Node::Call { callee, kids, vals } => self.call(world, node, callee, kids, vals, state),
            Node::Full(inner) => {
                if self.replay(world, node) {
                    return Ok(());
                }
                let mark = self.log.len();
                let outcome = self.exec(world, inner, state);
                if outcome.is_ok() {
                    self.remember(world, node, inner, mark);
                }
                self.flush(mark);
                outcome
            }
            Node::Block(block) => self.block(world, block, state),
            Node::Switch { value, sections, total } => self.switch(world, value, sections, total, state),
            Node::Loop { init, cond, body, step, do_while, locked } => {
                self.exec(world, init, state)?;
                self.locked.extend(locked);
                let outcome = self.repeat(world, cond, body, step, do_while, state);
                if locked.is_some() {
                    self.locked.pop();
                }
                outcome
            }
            Node::Break => {
                self.leave(world, false, state);
                Ok(())
            }
            Node::Continue => {
                self.leave(world, true, state);
                Ok(())
            }
            Node::Return(val) => self.ret(world, val, state),
            Node::Goto(label) => {
                self.jump(world, label, state);
                Ok(())
            }
            Node::Labelled(label, body) => self.labelled(world, label, body, state),
            Node::Region(label, body) => self.region(world, label, body, state),
            Node::Locked(var, inner) => {
                self.locked.push(var);
                let outcome = self.exec(world, inner, state);
                self.locked.pop();
                outcome
            }
            Node::Volatile(inner) => {
                self.exec(world, inner, state)?;
                self.log.push(Effect { lo: Loc::VOLATILE.0, hi: 1, write: true, called: false });
                Ok(())
            }
            Node::Assert(pointer, asserted) => {
                let set = self.get(world, state, world.model.loc(pointer).fact);
                if self.sets.join(set, asserted) == asserted { Ok(()) } else { Err(Invalid::Assertion) }
            }
            Node::Birth(var) => {
                self.birth(world, var, state);
                Ok(())
            }
        }
    }

    fn flush(&mut self, mark: usize) {
        self.frame();
        if let Some(frame) = self.frames.last_mut() {
            self.log.drain(mark..).for_each(|e| frame.footprint.add(e));
        }
    }

    fn birth(&mut self, world: World, var: VarId, state: &mut State) {
        let (first, count) = world.model.loc(world.model.var(var).loc).slots;
        for slot in first..first + count {
            self.put(world, state, slot, world.model.initial[slot as usize]);
        }
    }

    pub(super) fn block(&mut self, world: World, block: BlockId, state: &mut State) -> Outcome {
        if state.live {
            for &var in &world.flow.blocks[block.0 as usize].vars {
                self.birth(world, var, state);
            }
        }
        self.enter_block(block);
        for (index, &node) in world.flow.blocks[block.0 as usize].nodes.iter().enumerate() {
            self.frame().at = Some((block, index));
            self.exec(world, node, state)?;
        }
        self.leave_block(world, block, state);
        Ok(())
    }

    pub(super) fn join_slot(&mut self, world: World, slot: u32, a: u32, b: u32) -> u32 {
        if is_pointer(world, slot) { self.sets.join(a, b) } else { unions::join(a, b) }
    }

    pub(super) fn join_values(&mut self, world: World, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(self.sets.join(a, b)),
            (Value::Record(first, a), Value::Record(_, b)) => {
                let joined = (first..).zip(a.into_iter().zip(b));
                Value::Record(first, joined.map(|(s, (x, y))| self.join_slot(world, s, x, y)).collect())
            }
            (Value::Number, other) | (other, _) => other,
        }
    }

    pub(super) fn unsequenced(&mut self, world: World, kids: Kids, state: &mut State) -> Outcome {
        let mark = self.log.len();
        for n in 0..world.flow.count(kids) {
            let start = self.log.len();
            self.exec(world, world.flow.kid(kids, n), state)?;
            if n > 0 && conflict(&self.log[mark..start], &self.log[start..]) {
                return Err(Invalid::Unsequenced);
            }
        }
        Ok(())
    }
}
