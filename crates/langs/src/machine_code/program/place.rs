//! The place that a caller has for a returned structure, followed as objects of the frame are: what it holds is no part of what
//! calls see, and no part of memory between the points of a proof, until its address goes out.
//!
//! Why that may be: the storage must not overlap any data that the callee sees through other names (System V ABI for x86-64,
//! 3.2.3), so that at the entry nothing but the register that it is passed in leads there, neither memory nor another argument.
//! As long as the function neither stores an address made from that register nor passes one, whatever it calls has none and
//! can neither read nor write the place; `longjmp` and `exit` do not come back to the caller's use of the result, either. From
//! the first such store or call on, on any way, it is memory as all the rest is; at the end it always is.
//! Both programs follow it, or neither does, so that memories at one point mean the same.

use super::super::contents::words;
use super::super::state::Machine;
use super::{Program, Sight, Var};
use crate::domain::{Domain, Ext};
use equiv::{PointKind, State};

/// Its name as an object, and that of its address as a variable.
pub(crate) const PLACE: &str = "place for the result";

/// Longest place that is followed, in bytes.
const LONGEST: u64 = 128;

/// The place as it is followed.
pub(crate) struct Place {
    /// The number that it goes by: behind all objects of the frame.
    pub number: usize,
    /// Its size in bytes.
    pub bytes: u64,
    /// The pieces that it is followed in: their first bytes, and how many bytes.
    pieces: Vec<(i64, u64)>,
}

impl Program {
    /// Whether something may be written to the place ahead of a call that cannot know of it: where another compiler writes that
    /// behind the call, memories differ there.
    pub(crate) fn writes_place_unseen(&self) -> bool {
        let Some((number, ..)) = self.escapes.place() else { return false };
        let mut at_start: Vec<Option<bool>> = vec![None; self.f.blocks.len()];
        if let Some(first) = at_start.first_mut() {
            *first = Some(false);
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some(mut written) = at_start[b] else { continue };
            for i in self.f.blocks[b].first..self.f.blocks[b].end {
                if written && self.is_event(i) && self.sight(i, number) == Sight::Hidden {
                    return true;
                }
                let uses = super::super::uses::uses(&self.f, i);
                let may = uses.stores || self.spelling.contains_key(&i);
                let passed = self.calls.at(i).map_or(uses.reads, |_| u64::MAX);
                written |= may && self.escapes.in_place(i, passed);
            }
            for to in super::successors(&self.f, &self.facts, b) {
                let known = at_start[to];
                let joined = known.unwrap_or(false) || written;
                if known != Some(joined) {
                    at_start[to] = Some(joined);
                    open.push(to);
                }
            }
        }
        false
    }

    /// Whether the place can be followed: it is short, and its address known at the entry.
    pub(crate) fn may_follow_place(&self) -> bool {
        self.escapes.place().is_some_and(|(_, register, bytes)| {
            let passed =
                |var: &Var| matches!(var, Var::Argument(p) if p.register == register && p.bits == 64);
            (1..=LONGEST).contains(&bytes) && self.stops.first().is_some_and(|s| s.vars.iter().any(passed))
        })
    }

    /// Follows the place: its address is a variable of all points, and what it holds is one of those where nobody else knows of it.
    #[must_use]
    pub(crate) fn with_place_apart(mut self) -> Program {
        let Some((number, _, bytes)) = self.escapes.place() else { return self };
        let pieces: Vec<(i64, u64)> = words(0, bytes as i64).map(|(at, bytes)| (at, bytes as u64)).collect();
        self.place = Some(Place { number, bytes, pieces: pieces.clone() });
        for n in 1..self.stops.len() {
            let stop = &self.stops[n];
            let hidden = match self.shape.points[n].kind {
                PointKind::AfterEvent => {
                    let event = stop.insn - 1;
                    let goes_on = !self.ends(event) && !self.calls.at(event).is_some_and(|c| c.tail);
                    goes_on && self.escapes.place_hidden_behind(event)
                }
                _ => self.escapes.place_hidden_before(stop.insn),
            };
            let mut more = vec![Var::Place];
            if hidden {
                more.extend(pieces.iter().map(|(at, bytes)| Var::Held(number, *at, *bytes)));
                self.stops[n].hidden.push(number);
            }
            let decls: Vec<_> = more.iter().map(|var| self.declare(*var)).collect();
            self.stops[n].vars.extend(more);
            self.shape.points[n].vars.extend(decls);
        }
        self
    }

    /// Whether an object goes by the number of the place.
    pub(super) fn is_place(&self, n: usize) -> bool {
        self.place.as_ref().is_some_and(|place| place.number == n)
    }

    /// The name of an object of the frame, or of the place.
    pub(super) fn object_name(&self, n: usize) -> &str {
        self.frame.objects.list.get(n).map_or(PLACE, |object| object.name.as_str())
    }

    /// The pieces in which one of them is followed.
    pub(super) fn pieces(&self, n: usize) -> Option<&[(i64, u64)]> {
        match &self.place {
            Some(place) if place.number == n => Some(&place.pieces),
            Some(_) | None => self.frame.contents[n].as_deref(),
        }
    }

    /// The address of one of them plus some bytes.
    pub(super) fn object_address<D: Domain>(
        &self,
        d: &mut D,
        place: Option<&D::Bv>,
        n: usize,
        delta: i64,
    ) -> D::Bv {
        match (self.is_place(n), place) {
            (true, Some(place)) => d.add_num(place, i128::from(delta)),
            (true, None) => d.nondet("what nobody set", 64),
            (false, _) => self.frame.address(d, n, delta),
        }
    }

    /// Notes where the place lies.
    pub(super) fn note_place<D: Domain>(&self, m: &mut Machine<D>, at: &D::Bv) {
        // It is the first of what is kept apart.
        if let Some(fresh) = m.fresh.first_mut() {
            fresh.0 = at.clone();
        }
        m.place = self.place.as_ref().map(|_| at.clone());
    }

    /// Where the place lies in a state.
    pub(super) fn place_of<D: Domain>(&self, s: &State<D>) -> Option<D::Bv> {
        let vars = &self.stops[s.at.index()].vars;
        let n = vars.iter().position(|var| *var == Var::Place)?;
        Some(s.vals[n].bv().clone())
    }
}
