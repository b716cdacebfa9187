//! Machine code of two compilers, function against function: what a caller, a callee and memory can see must be the same
//! ("Will you still compile me tomorrow?", section 2; memory is bytes here, and loops are cut, not unrolled).
//!
//! Inputs are the arguments that the convention passes, memory, and which of it may be accessed. Compared are results, the
//! registers that a call keeps, memory outside the frames at every byte, and calls in order: callee, arguments, memory.
//! What the old function does not survive permits anything to the new one.

use super::prove::{Report, resting_on, unsupported};
use crate::domain::{Domain, Ext, Unsupported};
use crate::machine_code::x86::{
    Convention, FIRST_ARGUMENT, Facts, Frame, Function, PUSHED, Program, SHOWN, StackObjects,
};
use crate::memory::access::AccessCheck;
use equiv::{Acceptability, Constraint, Event, Options, Programs, Shape, Stated, Val, prove};
use smt::clock::Instant;

/// When states of two functions of machine code are compatible.
#[derive(Clone, Copy, Debug, Default)]
pub struct SameMachine;

impl Acceptability for SameMachine {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint> {
        super::isel::same_names(left, right)
    }

    fn event<D: Domain>(&self, d: &mut D, left: &Event<D>, right: &Event<D>) -> Option<D::Bool> {
        if left.label != right.label || left.args.len() != right.args.len() {
            return None;
        }
        if left.args.len() < FIRST_ARGUMENT {
            return Some(equiv::equal_vals(d, &left.args, &right.args));
        }
        let mut same = equiv::equal_vals(d, &left.args[..PUSHED], &right.args[..PUSHED]);
        let places = FIRST_ARGUMENT..FIRST_ARGUMENT + 2 * SHOWN;
        for n in places.step_by(2) {
            let bits = |event: &Event<D>| {
                d.as_const(event.args[n].bv()).and_then(|b| b.to_u64()).unwrap_or(0) as u32
            };
            let (a, b) = (bits(left), bits(right));
            let both = a.min(b);
            if both > 0 {
                let (x, y) = (d.zfit(left.args[n + 1].bv(), both), d.zfit(right.args[n + 1].bv(), both));
                let equal = d.eq(&x, &y);
                same = d.and(&same, &equal);
            }
        }
        // Something may be passed on the stack to a callee of unknown types: that is not compared.
        if [left, right].iter().any(|e| d.as_const(e.args[PUSHED].bv()).is_none_or(|b| !b.is_zero())) {
            return Some(d.bool(false));
        }
        let rest = FIRST_ARGUMENT + 2 * SHOWN;
        let stack = equiv::equal_vals(d, &left.args[rest..], &right.args[rest..]);
        Some(d.and(&same, &stack))
    }

    fn describe(&self, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
        let show = |v: &Val<smt::Concrete>| match v {
            Val::Bv(b) => Some(Some(format!("{:#x}", b.to_big()))),
            Val::Mem(_) => None,
        };
        vals.iter().filter_map(show).collect()
    }
}

/// How functions are called, by name; none where that is not known.
pub type Types<'a> = &'a dyn Fn(&str) -> Option<Convention>;

/// One side of a pair.
pub struct MachineSide<'a> {
    /// The function.
    pub function: &'a Function,
    /// Stack objects whose address is taken, named alike on both sides.
    pub objects: &'a StackObjects,
    /// How the functions that it calls are called.
    pub types: Types<'a>,
}

/// A pair of functions of machine code.
pub struct MachinePair {
    /// The old one.
    pub left: Program,
    /// The new one.
    pub right: Program,
}

impl MachinePair {
    /// Prepares a pair that is called by a convention.
    ///
    /// # Errors
    /// Where either does what is not modelled whatever its inputs.
    pub fn new(
        old: &MachineSide<'_>,
        new: &MachineSide<'_>,
        own: &Convention,
        access: AccessCheck,
    ) -> Result<MachinePair, Unsupported> {
        let facts = (Facts::of(old.function)?, Facts::of(new.function)?);
        let mut accesses = (Frame::accesses(old.function, &facts.0), Frame::accesses(new.function, &facts.1));
        // Arguments on the stack, for those that only a callee reads.
        let incoming: Vec<(i64, u64)> =
            own.stack.iter().map(|(at, bytes)| (8 + *at as i64, *bytes)).collect();
        accesses.0.extend(&incoming);
        accesses.1.extend(&incoming);
        let frames = (
            Frame::new(&accesses.0, &accesses.1, old.objects.clone()),
            Frame::new(&accesses.1, &accesses.0, new.objects.clone()),
        );
        let program = |side: &MachineSide<'_>, frame: Frame| {
            Program::new(side.function.clone(), frame, own.clone(), side.types, access)
        };
        Ok(MachinePair { left: program(old, frames.0)?, right: program(new, frames.1)? })
    }

    /// Proves or refutes that the new function means what the old one does.
    pub fn prove(&self, opts: &Options) -> Report {
        let programs = Programs::new(&self.left, &self.right, &SameMachine);
        resting_on(prove(&programs, opts), Stated::new())
    }
}

/// Proves or refutes that a function of machine code means what another does.
pub fn prove_machine(
    old: &MachineSide<'_>,
    new: &MachineSide<'_>,
    own: &Convention,
    access: AccessCheck,
    opts: &Options,
) -> Report {
    let start = Instant::now();
    match MachinePair::new(old, new, own, access) {
        Ok(pair) => pair.prove(opts),
        Err(e) => unsupported(e, start),
    }
}
