//! Which functions only read, and which do not even that: what `pure` and `const` may be said of.
//!
//! Over the flow alone: a store to anything but the function's own objects, through any pointer, or a call of a
//! function that stores makes it neither; a load of anything that can change keeps it from being `const`.

use super::transfer::World;
use crate::flow::{BlockId, FnIx, Kids, Node, NodeId, Place, PlaceId, Val, ValId};
use crate::model::{Home, Loc};
use csyntax::ast::Quals;

/// What a function does to the world outside it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Purity {
    /// Its result depends on its arguments alone.
    Const,
    /// It also reads.
    Pure,
    /// It writes, or accesses something volatile.
    Impure,
}

/// The purity of every function; those of `impure` do things that the flow does not show.
pub fn all(world: World, impure: &dyn Fn(FnIx) -> bool) -> Vec<Purity> {
    let mut known = vec![None; world.functions.len()];
    (0..known.len()).map(|n| of(world, FnIx(n as u32), impure, &mut known)).collect()
}

fn of(world: World, fx: FnIx, impure: &dyn Fn(FnIx) -> bool, known: &mut Vec<Option<Purity>>) -> Purity {
    let index = fx.0 as usize;
    if let Some(purity) = known[index] {
        return purity;
    }
    // No function here calls itself; if one did it would not be pure.
    known[index] = Some(Purity::Impure);
    let mut walk = Walk { world, fx, impure, known, purity: Purity::Const };
    if (walk.impure)(fx) {
        walk.purity = Purity::Impure;
    }
    walk.block(world.functions[index].body);
    let purity = walk.purity;
    known[index] = Some(purity);
    purity
}

struct Walk<'a, 'k> {
    world: World<'a>,
    fx: FnIx,
    impure: &'k dyn Fn(FnIx) -> bool,
    known: &'k mut Vec<Option<Purity>>,
    purity: Purity,
}

impl Walk<'_, '_> {
    fn at_least(&mut self, purity: Purity) {
        self.purity = self.purity.max(purity);
    }

    fn block(&mut self, block: BlockId) {
        for n in 0..self.world.flow.blocks[block.0 as usize].nodes.len() {
            self.node(self.world.flow.blocks[block.0 as usize].nodes[n]);
        }
    }

    fn kids(&mut self, kids: Kids) {
        for n in 0..self.world.flow.count(kids) {
            self.node(self.world.flow.kid(kids, n));
        }
    }

    fn node(&mut self, node: NodeId) {
        if self.purity == Purity::Impure {
            return;
        }
        match self.world.flow.at(node) {
            Node::Nop | Node::Break | Node::Continue | Node::Goto(_) | Node::Birth(_) | Node::Assert(..) => {}
            Node::Seq(kids) | Node::Unseq(kids) => self.kids(kids),
            Node::Load(place) => self.load(place),
            Node::Store { kids, place, val } => {
                self.kids(kids);
                self.val(val);
                match self.world.flow.place_at(place) {
                    Place::At(loc) if self.own(loc) => {}
                    Place::At(_) | Place::Deref(..) => self.at_least(Purity::Impure),
                }
            }
            Node::Cond(a, b, c) | Node::If(a, b, c) => [a, b, c].into_iter().for_each(|n| self.node(n)),
            Node::Call { callee, kids, vals } => {
                self.kids(kids);
                for n in 0..self.world.flow.count(vals) {
                    self.val(self.world.flow.val_kid(vals, n));
                }
                let purity = of(self.world, callee, self.impure, self.known);
                self.at_least(purity);
            }
            Node::Full(inner)
            | Node::Labelled(_, inner)
            | Node::Region(_, inner)
            | Node::Locked(_, inner) => {
                self.node(inner);
            }
            Node::Volatile(_) => self.at_least(Purity::Impure),
            Node::Block(block) => self.block(block),
            Node::Switch { value, sections, .. } => {
                self.node(value);
                self.kids(sections);
            }
            Node::Loop { init, cond, body, step, .. } => {
                [init, cond, body, step].into_iter().for_each(|n| self.node(n));
            }
            Node::Return(val) => self.val(val),
        }
    }

    /// Is it a part of an object that lives in this function?
    fn own(&self, loc: Loc) -> bool {
        let info = self.world.model.loc(loc);
        let var = self.world.model.var(info.var);
        var.owner == Some(self.fx) && matches!(var.home, Home::Block(_)) && !info.volatile
    }

    fn load(&mut self, place: PlaceId) {
        match self.world.flow.place_at(place) {
            Place::At(loc) if self.own(loc) => {}
            Place::At(loc) => {
                let info = self.world.model.loc(loc);
                let constant = self.world.model.var(info.var).ty.quals.has(Quals::CONST);
                self.at_least(match (info.volatile, constant) {
                    (true, _) => Purity::Impure,
                    (false, true) => Purity::Const,
                    (false, false) => Purity::Pure,
                });
            }
            Place::Deref(val, _) => {
                self.at_least(Purity::Pure);
                self.val(val);
            }
        }
    }

    fn val(&mut self, val: ValId) {
        match self.world.flow.val_at(val) {
            Val::Number | Val::Null | Val::Result(_) => {}
            Val::Address(place) => {
                if let Place::Deref(inner, _) = self.world.flow.place_at(place) {
                    self.val(inner);
                }
            }
            Val::Load(place) => self.load(place),
            Val::Either(a, b) => {
                self.val(a);
                self.val(b);
            }
        }
    }
}
