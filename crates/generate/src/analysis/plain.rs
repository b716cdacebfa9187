//! Full expressions that no fact has a part in: reads and writes of named numbers. What they do is the same whenever
//! they run, so that where they were found valid once, running them again is adding the same effects.

use super::effects::Effect;
use super::transfer::{Transfer, World};
use crate::flow::{Kids, Node, NodeId, Place, PlaceId, Val};
use crate::model::Loc;

/// What is known of the full expressions of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Plain {
    /// By node: 0 where it never ran, [`FACTS`] where facts matter, otherwise one more than an index into `runs`.
    known: Vec<u32>,
    /// Where the effects of each stand.
    runs: Vec<(u32, u32)>,
    effects: Vec<Effect>,
}

const FACTS: u32 = u32::MAX;

impl Transfer {
    /// Adds the effects of a full expression that is known, if it is, and may run here.
    pub(super) fn replay(&mut self, world: World, node: NodeId) -> bool {
        let at = match self.plain.known.get(node.0 as usize) {
            None | Some(0 | &FACTS) => return false,
            Some(at) => *at as usize - 1,
        };
        let (from, to) = self.plain.runs[at];
        let effects = &self.plain.effects[from as usize..to as usize];
        let locked = |e: &Effect| {
            e.write && e.lo > Loc::GARBAGE.0 && self.locked.contains(&world.model.loc(Loc(e.lo)).var)
        };
        if !self.locked.is_empty() && effects.iter().any(locked) {
            return false;
        }
        if let Some(frame) = self.frames.last_mut() {
            effects.iter().for_each(|e| frame.footprint.add(*e));
        }
        true
    }

    /// Remembers the effects logged since `mark` as those of a full expression that was found valid, where facts have
    /// no part in it.
    pub(super) fn remember(&mut self, world: World, node: NodeId, inner: NodeId, mark: usize) {
        let index = node.0 as usize;
        if self.plain.known.len() <= index {
            self.plain.known.resize(index + 256, 0);
        }
        if self.plain.known[index] != 0 {
            return;
        }
        if !plain(world, inner) {
            self.plain.known[index] = FACTS;
            return;
        }
        let from = self.plain.effects.len() as u32;
        self.plain.effects.extend_from_slice(&self.log[mark..]);
        self.plain.runs.push((from, self.plain.effects.len() as u32));
        self.plain.known[index] = self.plain.runs.len() as u32;
    }
}

fn all(world: World, kids: Kids) -> bool {
    (0..world.flow.count(kids)).all(|n| plain(world, world.flow.kid(kids, n)))
}

/// Is it a number with a name, in no union?
fn number(world: World, place: PlaceId) -> bool {
    match world.flow.place_at(place) {
        Place::At(loc) => {
            let info = world.model.loc(loc);
            !info.pointer && info.slots.1 == 0 && info.union.is_none()
        }
        Place::Deref(..) => false,
    }
}

fn plain(world: World, node: NodeId) -> bool {
    match world.flow.at(node) {
        Node::Nop => true,
        Node::Seq(kids) | Node::Unseq(kids) => all(world, kids),
        Node::Load(place) => number(world, place),
        Node::Store { kids, place, val } => {
            matches!(world.flow.val_at(val), Val::Number) && number(world, place) && all(world, kids)
        }
        Node::Cond(cond, yes, no) => [cond, yes, no].into_iter().all(|n| plain(world, n)),
        Node::Volatile(inner) => plain(world, inner),
        Node::Call { .. }
        | Node::Full(_)
        | Node::Block(_)
        | Node::If(..)
        | Node::Switch { .. }
        | Node::Loop { .. }
        | Node::Break
        | Node::Continue
        | Node::Return(_)
        | Node::Goto(_)
        | Node::Labelled(..)
        | Node::Region(..)
        | Node::Locked(..)
        | Node::Assert(..)
        | Node::Birth(_) => false,
    }
}
