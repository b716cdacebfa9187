//! Machine code of two compilers, function against function: what a caller, a callee and memory can see must be the same
//! ("Will you still compile me tomorrow?", section 2; memory is bytes here, and loops are cut, not unrolled).
//!
//! Inputs are the arguments that the convention passes, memory, and which of it may be accessed. Compared are results, the
//! registers that a call keeps, memory outside the frames at every byte, and calls in order: callee, arguments, memory.
//! What the old function does not survive permits anything to the new one.

use super::across::AcrossMachines;
use super::guess::{Distances, Guarded, Hidden, Peeled, Walks};
use super::prove::{Ask, Report, ask, resting_on};
use crate::domain::{Domain, Ext, Unsupported};
use crate::machine_code::{
    ALONE, Abi, Convention, FIRST_ARGUMENT, FIRST_RESULT, Facts, Frame, Function, MEANT, Machines, PUSHED,
    Pointees, Program, Setting, Spelling, StackObjects, apart, gives_first, partners, pieces, told_bits,
};
use crate::memory::access::AccessCheck;
use equiv::{
    Acceptability, Certificate, Constraint, Event, Guess, Options, Programs, Shape, Stated, Val, VarSort,
};

/// How many bits of an argument register matter, whether it was set for this call alone, and whether it counts whatever lies
/// in those ahead of it.
pub(super) fn bits<D: Domain>(d: &mut D, event: &Event<D>, place: usize) -> (u32, bool, bool) {
    let told = d.as_const(event.args[place].bv()).and_then(|b| b.to_u64()).unwrap_or(0);
    let told = u32::try_from(told).unwrap_or(0);
    (told_bits(told), told & MEANT != 0, told & ALONE != 0)
}

/// When states of two functions of machine code are compatible.
#[derive(Clone, Copy, Debug)]
pub struct SameMachine(pub &'static Abi);

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
        // Registers are filled in order: behind one that either side cannot mean as an argument, none is.
        let mut filled = [true; 3];
        let (general, vectors) = (self.0.general_arguments, self.0.vector_arguments);
        for n in 0..self.0.arguments.len() {
            let place = FIRST_ARGUMENT + 2 * n;
            let class = usize::from(n >= general) + usize::from(n >= general + vectors);
            let ((a, set, alone), (b, other, _)) = (bits(d, left, place), bits(d, right, place));
            let both = a.min(b);
            filled[class] &= both > 0;
            let counts = both > 0 && (alone || filled[class]);
            if !counts && (set || other) {
                // What one side sets for this call is passed; the other has nothing there, or nothing ahead of it.
                return Some(d.bool(false));
            }
            if counts {
                let x = d.zfit(left.args[place + 1].bv(), both);
                let y = d.zfit(right.args[place + 1].bv(), both);
                let equal = d.eq(&x, &y);
                same = d.and(&same, &equal);
            }
        }
        // Something may be passed on the stack to a callee of unknown types: that is not compared.
        if [left, right].iter().any(|e| d.as_const(e.args[PUSHED].bv()).is_none_or(|b| !b.is_zero())) {
            return Some(d.bool(false));
        }
        let rest = FIRST_ARGUMENT + 2 * self.0.arguments.len();
        let stack = equiv::equal_vals(d, &left.args[rest..], &right.args[rest..]);
        Some(d.and(&same, &stack))
    }

    fn results<D: Domain>(
        &self,
        d: &mut D,
        left: &Event<D>,
        _right: &Event<D>,
        fresh: &mut dyn FnMut(&mut D, VarSort) -> Val<D>,
    ) -> (Vec<Val<D>>, Vec<Val<D>>) {
        let mut vals: Vec<Val<D>> = left.results.iter().map(|s| fresh(d, *s)).collect();
        let callee = left.label.callee.as_deref().filter(|name| gives_first(name));
        if let (Some(_), Some(first)) = (callee, left.args.get(FIRST_ARGUMENT + 1))
            && let Some(result @ Val::Bv(_)) = vals.get_mut(FIRST_RESULT)
            && bits(d, left, FIRST_ARGUMENT).0 == 64
        {
            *result = first.clone();
        }
        (vals.clone(), vals)
    }

    fn describe(&self, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
        let number = |n: usize| match vals.get(n) {
            Some(Val::Bv(b)) => Some(b.to_big()),
            Some(Val::Mem(_)) | None => None,
        };
        let registers = FIRST_ARGUMENT..FIRST_ARGUMENT + 2 * self.0.arguments.len();
        let event = matches!(vals.first(), Some(Val::Mem(_))) && vals.len() >= registers.end;
        let mut out = Vec::new();
        for n in 0..vals.len() {
            let Some(value) = number(n) else { continue };
            // Of an argument register only what may be meant as an argument.
            let passed = match (event && registers.contains(&n), (n - n.min(FIRST_ARGUMENT)) % 2) {
                (false, _) | (true, 0) => true,
                (true, _) => number(n - 1).is_some_and(|bits| bits != 0u32.into()),
            };
            out.push(passed.then(|| format!("{value:#x}")));
        }
        out
    }
}

/// Has calls of one callee know the same objects of the frame on both sides. Of what is gone on the left no callee knows, which
/// counts where the right has given it up, too; where the right alone has, that is a difference.
fn hide_both(left: &mut Program, right: &mut Program) {
    let (mut of_left, of_right) = (left.unknown_objects(), right.unknown_objects());
    let given_up = right.given_up();
    let gone = left.unknown_or_gone().intersection(&given_up).cloned().collect();
    left.hide(&of_right);
    left.hide(&gone);
    of_left.extend(gone);
    right.hide(&of_left);
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
        if !std::ptr::eq(old.function.abi, new.function.abi) {
            return Err(Unsupported::new("functions for different machines"));
        }
        let above = old.function.abi.incoming;
        let facts = (Facts::of(old.function)?, Facts::of(new.function)?);
        let mut accesses = (Frame::accesses(old.function, &facts.0), Frame::accesses(new.function, &facts.1));
        // Arguments on the stack, for those that only a callee reads.
        let incoming: Vec<(i64, u64)> =
            own.stack.iter().map(|(at, bytes)| (above + *at as i64, *bytes)).collect();
        accesses.0.extend(&incoming);
        accesses.1.extend(&incoming);
        let contents = pieces([(old.objects, &accesses.0), (new.objects, &accesses.1)]);
        let frame = |own: &[(i64, u64)], other: &[(i64, u64)], objects: &StackObjects| {
            Frame::new(above, own, other, objects.clone()).with_contents(&contents)
        };
        let frames =
            (frame(&accesses.0, &accesses.1, old.objects), frame(&accesses.1, &accesses.0, new.objects));
        let blocks = partners((old.function, &facts.0), (new.function, &facts.1));
        let [left, right] = apart([(old.function, &facts.0, &frames.0), (new.function, &facts.1, &frames.1)]);
        let program = |side: &MachineSide<'_>,
                       frame: Frame,
                       (partners, spelling): (Option<&[Option<usize>]>, &Spelling)| {
            let setting = Setting { access, machines: Machines::One, partners, spelling };
            Program::new(side.function.clone(), frame, own.clone(), side.types, setting)
        };
        let mut left = program(old, frames.0, (None, &left))?;
        let mut right = program(new, frames.1, (Some(&blocks), &right))?;
        if [&left, &right].iter().all(|p| p.may_follow_place())
            && [&left, &right].iter().any(|p| p.writes_place_unseen())
        {
            (left, right) = (left.with_place_apart(), right.with_place_apart());
        }
        let mut left = left.with_objects_apart();
        hide_both(&mut left, &mut right);
        left.share_unset(&mut right);
        Ok(MachinePair { left, right })
    }

    /// Takes for granted of the old function that what pointers to different types lead to lies apart; whether that says
    /// anything of it.
    pub fn keep_kinds(&mut self, types: &dyn Pointees) -> bool {
        self.left.keep_kinds(types)
    }

    /// Proves or refutes that the new function means what the old one does.
    pub fn prove(&self, opts: &Options) -> Report {
        self.answer(opts, &Ask::Prove(None))
    }

    /// Whether a certificate, found with more taken for granted, holds of this pair.
    pub fn check(&self, certificate: &Certificate, opts: &Options) -> Report {
        self.answer(opts, &Ask::Check(certificate))
    }

    fn answer(&self, opts: &Options, what: &Ask<'_>) -> Report {
        let (left, right) = (self.left.function().abi, self.right.function().abi);
        let hidden = Hidden { left: &self.left, right: &self.right };
        let peeled = Peeled { left: &self.left, right: &self.right };
        let walks = Walks { left: &self.left };
        let guesses: &[&dyn Guess] = &[&walks, &Distances, &Guarded, &hidden, &peeled];
        let (one, two) = (SameMachine(left), AcrossMachines { left, right });
        let report = if std::ptr::eq(left, right) {
            ask(Programs { guesses, ..Programs::new(&self.left, &self.right, &one) }, opts, what)
        } else {
            ask(Programs { guesses, ..Programs::new(&self.left, &self.right, &two) }, opts, what)
        };
        resting_on(report, Stated::new())
    }
}
