//! Acceptability with the direction of the proof put in: where equivalence is asked for, undefined behaviour of the left
//! permits only the same of the right.

use crate::model::{Acceptability, Constraint, Event, Shape, State, Val, VarSort};
use smt::{Concrete, Domain};

/// Acceptability with the direction of the proof put in.
pub(super) struct Directed<'a, A> {
    /// Of a refinement.
    pub inner: &'a A,
    /// Both directions.
    pub bisimulation: bool,
}

impl<A: Acceptability> Acceptability for Directed<'_, A> {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint> {
        self.inner.entry(left, right)
    }
    fn entry_condition<D: Domain>(&self, d: &mut D, left: &State<D>, right: &State<D>) -> D::Bool {
        self.inner.entry_condition(d, left, right)
    }
    fn exit<D: Domain>(&self, d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
        self.inner.exit(d, left, right)
    }
    fn event<D: Domain>(&self, d: &mut D, left: &Event<D>, right: &Event<D>) -> Option<D::Bool> {
        self.inner.event(d, left, right)
    }
    fn results<D: Domain>(
        &self,
        d: &mut D,
        left: &Event<D>,
        right: &Event<D>,
        fresh: &mut dyn FnMut(&mut D, VarSort) -> Val<D>,
    ) -> (Vec<Val<D>>, Vec<Val<D>>) {
        self.inner.results(d, left, right, fresh)
    }
    fn goes_on<D: Domain>(&self, event: &Event<D>) -> bool {
        !self.bisimulation && self.inner.goes_on(event)
    }
    fn addresses_tell(&self) -> bool {
        self.inner.addresses_tell()
    }
    fn in_a_process(&self) -> bool {
        self.inner.in_a_process()
    }
    fn erring_left(&self) -> bool {
        !self.bisimulation && self.inner.erring_left()
    }
    fn describe(&self, vals: &[Val<Concrete>]) -> Vec<Option<String>> {
        self.inner.describe(vals)
    }
    fn left_error(&self, left: &str, right: Option<&str>) -> bool {
        (!self.bisimulation || right.is_some()) && self.inner.left_error(left, right)
    }
}
