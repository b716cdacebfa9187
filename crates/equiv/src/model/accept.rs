//! The acceptability relation (section 2): what it means for states of the two languages to be
//! compatible, as a parameter of the proof.

use super::{Constraint, Event, Expr, Shape, Side, State, Val, VarSort};
use smt::{Concrete, Domain};

/// Which states of the two sides are compatible. The defaults fit two languages with one memory
/// model and the same observables; override what differs.
pub trait Acceptability {
    /// What relates the states at the two entries: trusted, not proved.
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint>;

    /// A further condition on entry states that equalities can't express.
    fn entry_condition<D: Domain>(&self, d: &mut D, _left: &State<D>, _right: &State<D>) -> D::Bool {
        d.bool(true)
    }

    /// When do two exits agree? By default, when all results are equal.
    fn exit<D: Domain>(&self, d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
        equal_vals(d, left, right)
    }

    /// When are two events the same? `None` when they are of different kinds. By default labels and
    /// sorts of results must be the same and the arguments equal.
    fn event<D: Domain>(&self, d: &mut D, left: &Event<D>, right: &Event<D>) -> Option<D::Bool> {
        (left.label == right.label && left.results == right.results)
            .then(|| equal_vals(d, &left.args, &right.args))
    }

    /// What the world answers to matching events, `fresh` making an unknown value. By default the
    /// same unknowns on both sides.
    fn results<D: Domain>(
        &self,
        d: &mut D,
        left: &Event<D>,
        _right: &Event<D>,
        fresh: &mut dyn FnMut(&mut D, VarSort) -> Val<D>,
    ) -> (Vec<Val<D>>, Vec<Val<D>>) {
        let vals: Vec<Val<D>> = left.results.iter().map(|s| fresh(d, *s)).collect();
        (vals.clone(), vals)
    }

    /// May the left side end in this error while the right side does anything (`None`), or ends in
    /// that error? By default undefined behaviour on the left permits everything.
    fn left_error(&self, _left: &str, _right: Option<&str>) -> bool {
        true
    }

    /// Whether execution surely goes on behind this event of the left side, whatever the event gives; a proof that
    /// needs it of anything but a call states [`crate::Premise::GoesOn`]. Then the right side may err ahead of it where the left is bound to err behind it: undefined behaviour
    /// permits everything, also before. By default of no event: a call may never return, unless it
    /// promises to.
    fn goes_on<D: Domain>(&self, _event: &Event<D>) -> bool {
        false
    }

    /// Whether that the left errs whatever it is given is an answer: the right may do anything then, and a proof states
    /// [`crate::Premise::LeftErrs`]. By default it is none, as it says nothing of the right.
    fn erring_left(&self) -> bool {
        false
    }

    /// Whether addresses tell all about pointers. Where some have objects of their own, inputs at which they are equal
    /// to others are none, so that a model is not pursued beyond what it says of itself.
    fn addresses_tell(&self) -> bool {
        true
    }

    /// Whether a difference has to show at addresses that a process may have, wherever inputs can be moved to such.
    fn in_a_process(&self) -> bool {
        false
    }

    /// Values handed over or returned, in words for people, as [`Event::args`] or [`super::Next::Exit`] hold them;
    /// `None` for one that the program leaves open. Memories are left out: how they differ is told apart.
    fn describe(&self, vals: &[Val<Concrete>]) -> Vec<Option<String>> {
        let show = |v: &Val<Concrete>| match v {
            Val::Bv(b) => Some(Some(format!("{:#x}", b.to_big()))),
            Val::Mem(_) => None,
        };
        vals.iter().filter_map(show).collect()
    }
}

/// All values equal, pairwise; false when number or sorts differ.
pub fn equal_vals<D: Domain>(d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
    if left.len() != right.len() {
        return d.bool(false);
    }
    let mut acc = d.bool(true);
    for (l, r) in left.iter().zip(right) {
        let e = equal_val(d, l, r);
        acc = d.and(&acc, &e);
    }
    acc
}

/// Two values equal; false when the sorts differ.
pub fn equal_val<D: Domain>(d: &mut D, l: &Val<D>, r: &Val<D>) -> D::Bool {
    match (l, r) {
        (Val::Bv(a), Val::Bv(b)) if d.width(a) == d.width(b) => d.eq(a, b),
        (Val::Mem(a), Val::Mem(b)) => d.eq_mem(a, b),
        (Val::Bv(_), _) | (Val::Mem(_), _) => d.bool(false),
    }
}

/// The plain relation: entry variables of the same name (or listed pairs) are equal, and so are
/// results and events.
#[derive(Clone, Debug, Default)]
pub struct SameNames {
    /// Pairs of entry variables (left, right) equal besides those of the same name.
    pub pairs: Vec<(String, String)>,
}

impl Acceptability for SameNames {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint> {
        let mut out = Vec::new();
        let mut relate = |l: &str, r: &str| {
            out.push(Constraint {
                a: Expr::Var(Side::Right, r.to_owned()),
                b: Expr::Var(Side::Left, l.to_owned()),
            });
        };
        for v in &left.point(Shape::ENTRY).vars {
            if right.var(Shape::ENTRY, &v.name).is_some() {
                relate(&v.name, &v.name);
            }
        }
        for (l, r) in &self.pairs {
            relate(l, r);
        }
        out
    }
}
