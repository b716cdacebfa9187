//! Machine code for two machines, function against function ("Will you still compile me tomorrow?", section 5: x86 against
//! ARM): arguments and results are related by their place in the convention of each machine, not by register.
//!
//! Both conventions fill general registers and vectors in order and apart from one another, so that the n-th of a class is
//! the same argument; what one machine has no register for lies on its stack. An argument counts as far as both have it: who
//! extends it differs. Registers that a call keeps are each side's own affair: it has to keep them.

use super::machine::{MachinePair, MachineSide, bits};
use crate::domain::{Domain, Ext, Unsupported};
use crate::machine_code::{
    Abi, Convention, FIRST_ARGUMENT, Facts, Filled, Frame, Machines, PUSHED, Piece, Program, Setting,
    Spelling, partners, pieces,
};
use crate::memory::access::AccessCheck;
use equiv::{Acceptability, Constraint, Event, Shape, Val};

/// When states of two functions for different machines are compatible.
#[derive(Clone, Copy, Debug)]
pub struct AcrossMachines {
    /// The machine of the old function.
    pub left: &'static Abi,
    /// The machine of the new one.
    pub right: &'static Abi,
}

/// What is passed in an event of a call beyond the registers that both machines have, and whether registers hold what
/// cannot be matched.
struct Beyond<D: Domain> {
    values: Vec<D::Bv>,
    stray: bool,
}

impl AcrossMachines {
    /// How many general registers of arguments, and how many vectors, both machines have.
    fn shared(&self) -> (usize, usize) {
        let (a, b) = (self.left, self.right);
        (a.general_arguments.min(b.general_arguments), a.vector_arguments.min(b.vector_arguments))
    }

    /// The arguments behind those in registers that both machines have: further registers, then the stack.
    fn beyond<D: Domain>(&self, d: &mut D, abi: &Abi, event: &Event<D>) -> Beyond<D> {
        let (general, vectors) = self.shared();
        let mut out = Beyond { values: Vec::new(), stray: false };
        for (n, register) in abi.arguments.iter().enumerate() {
            let behind = n.checked_sub(abi.general_arguments);
            let matched = behind.map_or(n < general, |n| n < vectors);
            if matched || abi.counter == Some(*register) {
                continue;
            }
            let place = FIRST_ARGUMENT + 2 * n;
            let (width, set, named) = bits(d, event, place);
            if width > 0 && named && behind.is_none() {
                let value = d.zfit(event.args[place + 1].bv(), width);
                out.values.push(value);
            } else {
                out.stray |= width > 0 && (set || named);
            }
        }
        let rest = FIRST_ARGUMENT + 2 * abi.arguments.len();
        out.values.extend(event.args[rest..].iter().map(|v| v.bv().clone()));
        out
    }
}

/// Whether an argument of which so many bits are compared fills its register as the convention of the machine says; not
/// where it has to, and nobody knows how.
fn is_filled<D: Domain>(d: &mut D, abi: &Abi, event: &Event<D>, (place, compared): (usize, u32)) -> D::Bool {
    let value = event.args[place + 1].bv();
    let told = d.as_const(event.args[place].bv()).and_then(|b| b.to_u64()).unwrap_or(0);
    match Filled::from_told(told as u32, place) {
        Some(filled) => filled.holds(d, value),
        None => {
            let whole = compared >= bits(d, event, place).0;
            d.bool(!abi.widens || whole)
        }
    }
}

impl Acceptability for AcrossMachines {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint> {
        super::isel::same_names(left, right)
    }

    fn event<D: Domain>(&self, d: &mut D, left: &Event<D>, right: &Event<D>) -> Option<D::Bool> {
        if left.label != right.label {
            return None;
        }
        if left.args.len() < FIRST_ARGUMENT || right.args.len() < FIRST_ARGUMENT {
            return (left.args.len() == right.args.len())
                .then(|| equiv::equal_vals(d, &left.args, &right.args));
        }
        let mut same = equiv::equal_vals(d, &left.args[..PUSHED], &right.args[..PUSHED]);
        let (general, vectors) = self.shared();
        let classes = [(0, 0, general), (self.left.general_arguments, self.right.general_arguments, vectors)];
        for (of_left, of_right, count) in classes {
            // Registers are filled in order: behind one that either side cannot mean as an argument, none is.
            let mut filled = true;
            for n in 0..count {
                let (p, q) = (FIRST_ARGUMENT + 2 * (of_left + n), FIRST_ARGUMENT + 2 * (of_right + n));
                let ((a, set, named), (b, other, _)) = (bits(d, left, p), bits(d, right, q));
                let both = a.min(b);
                filled &= both > 0;
                let counts = both > 0 && (named || filled);
                if !counts && (set || other) {
                    return Some(d.bool(false));
                }
                if counts {
                    let x = d.zfit(left.args[p + 1].bv(), both);
                    let y = d.zfit(right.args[q + 1].bv(), both);
                    let equal = d.eq(&x, &y);
                    same = d.and(&same, &equal);
                    for (abi, event, place) in [(self.left, left, p), (self.right, right, q)] {
                        let filled = is_filled(d, abi, event, (place, both));
                        same = d.and(&same, &filled);
                    }
                }
            }
        }
        // Something may be passed on the stack to a callee of unknown types: that is not compared.
        if [left, right].iter().any(|e| d.as_const(e.args[PUSHED].bv()).is_none_or(|b| !b.is_zero())) {
            return Some(d.bool(false));
        }
        let (a, b) = (self.beyond(d, self.left, left), self.beyond(d, self.right, right));
        if a.stray || b.stray || a.values.len() != b.values.len() {
            return Some(d.bool(false));
        }
        for (x, y) in a.values.iter().zip(&b.values) {
            let both = d.width(x).min(d.width(y));
            let (x, y) = (d.zfit(x, both), d.zfit(y, both));
            let equal = d.eq(&x, &y);
            same = d.and(&same, &equal);
        }
        Some(same)
    }

    fn describe(&self, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
        describe(*self, vals)
    }
}

/// What is passed, of an event of a call: registers in pairs of their width and what they hold.
fn describe(machines: AcrossMachines, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
    let numbers: Vec<_> =
        vals.iter().filter_map(|v| if let Val::Bv(b) = v { Some(b.to_big()) } else { None }).collect();
    let shown = |n: &num_bigint::BigUint| Some(format!("{n:#x}"));
    let call = matches!(vals.first(), Some(Val::Mem(_))) && numbers.len() + 1 == vals.len();
    let of = |abi: &Abi| FIRST_ARGUMENT - 1 + 2 * abi.arguments.len();
    // The longer list of registers is told from the shorter one with arguments on the stack by what widths can be.
    let width = |n: usize| numbers.get(n).is_some_and(|bits| *bits < (1u32 << 15).into());
    let fits = |abi: &&&Abi| numbers.len() >= of(abi) && (PUSHED..of(abi)).step_by(2).all(width);
    let mut both = [machines.left, machines.right];
    both.sort_by_key(|abi| std::cmp::Reverse(abi.arguments.len()));
    let Some(abi) = both.iter().find(fits).filter(|_| call) else {
        return numbers.iter().map(shown).collect();
    };
    let passed =
        (PUSHED..of(abi)).step_by(2).filter(|n| numbers[*n] != 0u32.into()).map(|n| shown(&numbers[n + 1]));
    let (target, stack) = (shown(&numbers[0]), numbers[of(abi)..].iter().map(shown));
    std::iter::once(target).chain(passed).chain(stack).collect()
}

/// Which of its class a register of a list is, and whether it is a vector.
fn place(abi: &Abi, register: usize) -> Option<(bool, usize)> {
    let n = abi.arguments.iter().position(|r| *r == register)?;
    Some(match n.checked_sub(abi.general_arguments) {
        None => (false, n),
        Some(n) => (true, n),
    })
}

/// Both conventions of one function, with as many bits of each argument and result as both have.
///
/// # Errors
/// Where they do not pass the same.
pub fn shared_convention(
    (left, a): (&Abi, &Convention),
    (right, b): (&Abi, &Convention),
) -> Result<(Convention, Convention), &'static str> {
    let (mut a, mut b) = (a.clone(), b.clone());
    if [&a, &b].iter().any(|c| !c.stack.is_empty()) {
        return Err("arguments on the stack, between machines");
    }
    if [&a, &b].iter().any(|c| c.variadic || c.perhaps != 0) || a.arguments.len() != b.arguments.len() {
        return Err("arguments that are not known, between machines");
    }
    let result = |abi: &Abi, p: &Piece| abi.results.iter().position(|r| *r == p.register);
    let pairs = a.arguments.iter_mut().zip(&mut b.arguments);
    for (p, q) in pairs {
        if place(left, p.register) != place(right, q.register) {
            return Err("arguments in other places, between machines");
        }
        (p.bits, q.bits) = (p.bits.min(q.bits), p.bits.min(q.bits));
    }
    if a.results.len() != b.results.len() {
        return Err("results in other places, between machines");
    }
    for (p, q) in a.results.iter_mut().zip(&mut b.results) {
        if result(left, p) != result(right, q) {
            return Err("results in other places, between machines");
        }
        (p.bits, q.bits) = (p.bits.min(q.bits), p.bits.min(q.bits));
    }
    Ok((a, b))
}

/// Whether two conventions of one function pass the same: arguments in the same places of registers that both machines
/// have, as many in all, and results in the same places.
#[must_use]
pub fn passes_alike((left, a): (&'static Abi, &Convention), (right, b): (&'static Abi, &Convention)) -> bool {
    let (general, vectors) = AcrossMachines { left, right }.shared();
    let shared = |abi: &Abi, c: &Convention| {
        let mut places: Vec<(bool, usize)> =
            c.arguments.iter().filter_map(|p| place(abi, p.register)).collect();
        places.retain(|(vector, n)| *n < if *vector { vectors } else { general });
        places.sort_unstable();
        places
    };
    let results = |abi: &Abi, c: &Convention| -> Vec<Option<usize>> {
        c.results.iter().map(|p| abi.results.iter().position(|r| *r == p.register)).collect()
    };
    let all = |c: &Convention| c.arguments.len() + c.stack.len();
    all(a) == all(b)
        && a.variadic == b.variadic
        && a.perhaps == b.perhaps
        && shared(left, a) == shared(right, b)
        && results(left, a) == results(right, b)
}

impl MachinePair {
    /// Prepares a pair of functions for different machines, each called by the convention of its own.
    ///
    /// # Errors
    /// Where either does what is not modelled whatever its inputs, or the conventions do not pass the same.
    pub fn across(
        old: &MachineSide<'_>,
        new: &MachineSide<'_>,
        (of_old, of_new): (&Convention, &Convention),
        access: AccessCheck,
    ) -> Result<MachinePair, Unsupported> {
        let (left, right) = (old.function.abi, new.function.abi);
        let (of_old, of_new) =
            shared_convention((left, of_old), (right, of_new)).map_err(Unsupported::new)?;
        let facts = (Facts::of(old.function)?, Facts::of(new.function)?);
        let blocks = partners((old.function, &facts.0), (new.function, &facts.1));
        let accesses = (Frame::accesses(old.function, &facts.0), Frame::accesses(new.function, &facts.1));
        let contents = pieces([(old.objects, &accesses.0), (new.objects, &accesses.1)]);
        let program = |side: &MachineSide<'_>,
                       facts: &Facts,
                       own: Convention,
                       partners: Option<&[Option<usize>]>| {
            let abi = side.function.abi;
            let accesses = Frame::accesses(side.function, facts);
            let frame =
                Frame::new(abi.incoming, &accesses, &[], side.objects.clone()).with_contents(&contents);
            let above = accesses.iter().any(|(at, bytes)| at.saturating_add(*bytes as i64) > abi.incoming);
            if above || side.objects.list.iter().any(|object| !object.own) {
                return Err(Unsupported::new("arguments on the stack, between machines"));
            }
            let setting = Setting { access, machines: Machines::Two, partners, spelling: &Spelling::new() };
            Program::new(side.function.clone(), frame, own, side.types, setting)
        };
        let left = program(old, &facts.0, of_old, None)?.with_objects_apart();
        Ok(MachinePair { left, right: program(new, &facts.1, of_new, Some(&blocks))? })
    }
}
