//! Variables that live at different times and share a place in the frame of one side: each gets a place of its own.
//!
//! Compilers put a variable of one block, or of a body that they inlined, where another lay before. The other side may have two
//! places for these two, which no place of this side can be both of. So instructions of the scope of a variable are given another
//! displacement, which leads to that variable alone. What holds where a variable's scope begins nobody can know: C has it
//! indeterminate, and in truth it is what the other variable left there. It is taken to be the same unknown on both sides, as at
//! the entry of a function. An instruction that belongs to no variable, or to two, leaves the place as it is.

use super::convert::Converted;
use super::flow::Flow;
use super::frames::{Placed, Side, Variable};
use super::locals::{Local, Locals};
use crate::objects::Image;
use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};
use langs::machine_code::{Decoded, Facts, Frame, MOST_MOVED as MOST, MOVED as STEP};
use std::collections::{BTreeMap, BTreeSet};

/// Longest variable that is given a place of its own, in bytes.
const LONGEST: i64 = 2048;

/// A place that variables share, and what is done about it.
struct Shared {
    /// The variables: index in the list of all placed variables of the function, and index in the list of its own locals.
    variables: Vec<(usize, usize)>,
    /// Instructions that get another displacement: which variable they are of, and where they copy a register, how far the address is
    /// from the stack pointer.
    moved: Vec<(usize, usize, Option<i64>)>,
    /// Where the scope of a variable begins: the instruction, and which of the variables.
    begins: Vec<(usize, usize)>,
}

/// Gives variables of both functions places of their own. What the locals of either are then.
pub fn unshare(
    (old, new): (&mut Converted, &mut Converted),
    (of_old, of_new): (&Image, &Image),
    (in_old, in_new): (&Locals, &Locals),
    pair: (usize, usize),
) -> [Vec<Local>; 2] {
    let sides = [Side::new(old, of_old, in_old, pair.0), Side::new(new, of_new, in_new, pair.1)];
    let mut locals = sides.each_ref().map(|side| side.locals.to_vec());
    // Nothing lives at another time than the rest where nothing is of a block.
    if locals.iter().flatten().all(|local| local.scope.is_none()) {
        return locals;
    }
    let placed = sides.each_ref().map(|side| Some((Facts::of(side.function).ok()?, side)));
    let [Some(a), Some(b)] = placed else { return locals };
    let lists = [a.1.placed(&a.0), b.1.placed(&b.0)];
    let found = [(&a, &*old, of_old, 0), (&b, &*new, of_new, 1)]
        .map(|((facts, _), cut, image, n)| shared(cut, image, facts, &lists[n]));
    let keys = |n: usize, s: &Shared| -> BTreeSet<Variable> {
        s.variables.iter().map(|(at, _)| lists[n][*at].key.clone()).collect()
    };
    let cuts = [&*old, &*new];
    let images = [of_old, of_new];
    let facts = [&a.0, &b.0];
    // Where the other side has them apart, their scopes begin there, too. Where it has them share a place as well and leaves
    // that as it is, so does this one.
    let begins_alone = [0, 1].map(|n| {
        let flow = Flow { cut: cuts[n], facts: facts[n] };
        let wanted: BTreeSet<Variable> = found[1 - n].iter().flat_map(|s| keys(1 - n, s)).collect();
        let alone = lists[n].iter().filter(|p| wanted.contains(&p.key) && is_alone(p, &lists[n]));
        let begins = alone.filter_map(|p| Some((p.key.clone(), flow.begins_alone(images[n], p)?)));
        begins.collect::<BTreeMap<Variable, Vec<(usize, i64)>>>()
    });
    let mut kept = found.each_ref().map(|list| vec![true; list.len()]);
    loop {
        let moved: [BTreeSet<Variable>; 2] = [0, 1].map(|n| {
            let list = found[n].iter().zip(&kept[n]).filter(|(_, kept)| **kept);
            list.flat_map(|(s, _)| keys(n, s)).collect()
        });
        let before = kept.clone();
        for (n, other) in [(0, 1), (1, 0)] {
            for (s, kept) in found[n].iter().zip(&mut kept[n]) {
                let keys = keys(n, s);
                let mut partners = lists[other].iter().filter(|p| keys.contains(&p.key));
                *kept &= partners
                    .all(|p| moved[other].contains(&p.key) || begins_alone[other].contains_key(&p.key));
            }
        }
        if kept == before {
            break;
        }
    }
    let mut begins: [Vec<(usize, i64)>; 2] = Default::default();
    let mut moves: [Vec<(usize, i64, Option<i64>)>; 2] = Default::default();
    for (n, other) in [(0, 1), (1, 0)] {
        for (s, _) in found[n].iter().zip(&kept[n]).filter(|(_, kept)| **kept) {
            begins[other].extend(keys(n, s).iter().filter_map(|key| begins_alone[other].get(key)).flatten());
            let place = |v: usize| lists[n][s.variables[v].0].start;
            begins[n].extend(s.begins.iter().map(|(i, v)| (*i, place(*v) - away(*v))));
            moves[n].extend(s.moved.iter().map(|(i, v, copied)| (*i, -away(*v), *copied)));
            for (v, (_, local)) in s.variables.iter().enumerate() {
                locals[n][*local].offset -= away(v);
            }
        }
    }
    let [of_old, of_new] = moves;
    let [begins_old, begins_new] = begins;
    for (cut, moves, mut begins) in [(old, of_old, begins_old), (new, of_new, begins_new)] {
        for (i, by, copied) in moves {
            if let Decoded::X86(insn) = &mut cut.function.insns[i].decoded {
                displace(insn, by, copied);
            }
        }
        begins.sort_unstable();
        begins.dedup();
        cut.function.begins = begins;
    }
    locals
}

/// How far a variable of a group is moved, in bytes.
fn away(v: usize) -> i64 {
    STEP * (v as i64 + 1)
}

/// Whether a variable has its place for itself.
fn is_alone(placed: &Placed<'_>, list: &[Placed<'_>]) -> bool {
    let meets = |p: &Placed<'_>| p.key != placed.key && p.start < placed.end && placed.start < p.end;
    !list.iter().any(meets)
}

/// Has an instruction access, or make, an address in the frame that is so far from its own; one that copies it from a register makes
/// it of the stack pointer, from which it is so far.
fn displace(insn: &mut Instruction, by: i64, copied: Option<i64>) {
    let of_memory = (0..insn.op_count()).any(|op| insn.op_kind(op) == OpKind::Memory);
    let from = if of_memory { insn.memory_displacement64() as i64 } else { copied.unwrap_or(0) };
    if !of_memory {
        let base = if copied.is_some() { Register::RSP } else { insn.op1_register() };
        insn.set_code(Code::Lea_r64_m);
        insn.set_op1_kind(OpKind::Memory);
        insn.set_memory_base(base);
    }
    insn.set_memory_displacement64(from.wrapping_add(by) as u64);
    insn.set_memory_displ_size(4);
}

/// The instruction at which the scope of a variable begins that has its place alone; none where that is not one place.
fn start(cut: &Converted, image: &Image, placed: &Placed<'_>) -> Option<usize> {
    let Some(scope) = &placed.local.scope else { return Some(placed.first) };
    let [only] = scope.ranges.as_slice() else { return None };
    let at = image.sections[scope.section].address + only.start;
    (placed.first..cut.origins.len())
        .find(|i| cut.origins[*i].as_ref().is_some_and(|o| o.section == scope.section && o.at == at))
}

/// The places that variables of a function share.
fn shared(cut: &Converted, image: &Image, facts: &Facts, placed: &[Placed<'_>]) -> Vec<Shared> {
    let mut own: Vec<(usize, usize)> =
        (placed.iter().enumerate()).filter_map(|(at, p)| Some((at, p.own?))).collect();
    own.sort_by_key(|(at, _)| placed[*at].start);
    let mut groups: Vec<(i64, Vec<(usize, usize)>)> = Vec::new();
    for (at, local) in own {
        let p = &placed[at];
        match groups.last_mut() {
            Some((end, group)) if p.start < *end => {
                *end = (*end).max(p.end);
                group.push((at, local));
            }
            _ => groups.push((p.end, vec![(at, local)])),
        }
    }
    let shares = |group: &[(usize, usize)]| {
        let short = group.iter().all(|(at, _)| placed[*at].end - placed[*at].start <= LONGEST);
        let scopes: Vec<_> = group.iter().map(|(at, _)| &placed[*at].local.scope).collect();
        let apart =
            scopes.iter().enumerate().all(|(n, scope)| scopes[..n].iter().all(|other| other != scope));
        short && apart && (2..=MOST).contains(&group.len())
    };
    let groups: Vec<_> = groups.into_iter().filter(|(_, group)| shares(group)).collect();
    if groups.is_empty() {
        return Vec::new();
    }
    let held = &Flow { cut, facts }.held();
    let groups = groups.into_iter();
    groups
        .filter_map(|(_, group)| Group { cut, image, facts, placed, variables: group, held }.shared())
        .collect()
}

struct Group<'g> {
    cut: &'g Converted,
    image: &'g Image,
    facts: &'g Facts,
    placed: &'g [Placed<'g>],
    variables: Vec<(usize, usize)>,
    /// Copies of addresses ([`Flow::held`]).
    held: &'g [Option<(i64, i64)>],
}

impl Group<'_> {
    fn place(&self, v: usize) -> (i64, i64) {
        let p = &self.placed[self.variables[v].0];
        (p.start, p.end)
    }

    /// Whether an instruction is the function's own, and not of a body that stands in the place of a call.
    fn is_own(&self, i: usize) -> bool {
        let f = &self.cut.function;
        f.bodies.iter().all(|b| i < f.blocks[*b].first)
    }

    /// Which variable an instruction is of by its address: that of the innermost scope.
    fn of(&self, i: usize) -> Option<usize> {
        let origin = self.cut.origins[i].as_ref()?;
        let at = |section: usize| origin.at.wrapping_sub(self.image.sections[section].address);
        let scope = |v: usize| &self.placed[self.variables[v].0].local.scope;
        let depth = |v: &usize| match scope(*v) {
            None => Some(0),
            Some(s) => (s.section == origin.section && s.ranges.iter().any(|r| r.contains(&at(s.section))))
                .then_some(s.depth),
        };
        let inside: Vec<(isize, usize)> =
            (0..self.variables.len()).filter_map(|v| Some((depth(&v)?, v))).collect();
        let most = inside.iter().map(|(depth, _)| *depth).max()?;
        let mut innermost = inside.iter().filter(|(depth, _)| *depth == most);
        let (_, v) = innermost.next()?;
        innermost.next().is_none().then_some(*v)
    }

    fn shared(self) -> Option<Shared> {
        let f = &self.cut.function;
        let places = || (0..self.variables.len()).map(|v| self.place(v));
        let (start, end) = (places().map(|p| p.0).min()?, places().map(|p| p.1).max()?);
        let mut moved = Vec::new();
        // What tells whose turn it is: accesses, and where addresses are used.
        let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
        for i in (0..f.insns.len()).filter(|i| self.is_own(*i)) {
            let Decoded::X86(insn) = &f.insns[i].decoded else { return None };
            for (at, bytes) in Frame::accesses_at(f, self.facts, i) {
                if at >= end || at.saturating_add_unsigned(bytes) <= start {
                    continue;
                }
                let v = self.of(i)?;
                let (first, last) = self.place(v);
                let stack = matches!(insn.mnemonic(), Mnemonic::Push | Mnemonic::Pop | Mnemonic::Leave);
                if stack
                    || at < first
                    || at.saturating_add_unsigned(bytes) > last
                    || turns.insert(i, v).is_some_and(|u| u != v)
                {
                    return None;
                }
                moved.push((i, v, None));
            }
            let copied = || Some(self.held[i]?.1);
            // Loops that go backwards may end ahead of the first byte, whichever variable they go through.
            if self.facts.taken_at(i) == Some(start - 1) {
                return None;
            }
            // An address right behind one is its end, where nothing else begins there.
            let behind = self.placed.iter().all(|p| p.start != end);
            let near = |at: &i64| (start..end).contains(at) || *at == end && behind;
            let Some(at) = self.facts.taken_at(i).or_else(copied).filter(near) else { continue };
            let any = places().position(|(first, last)| (first..=last).contains(&at));
            let v = match insn.mnemonic() {
                Mnemonic::Lea => self.used(i, insn.op0_register(), any, &mut turns)?,
                Mnemonic::Mov if insn.op1_kind() == OpKind::Register => {
                    self.used(i, insn.op0_register(), any, &mut turns)?
                }
                _ if insn.memory_index() != Register::None => {
                    let v = self.of(i)?;
                    turns.insert(i, v);
                    v
                }
                _ => return None,
            };
            if !(self.place(v).0..=self.place(v).1).contains(&at) {
                return None;
            }
            let distance = self.held[i].filter(|_| self.facts.taken_at(i).is_none());
            moved.push((i, v, distance.map(|(stack, at)| at - stack)));
        }
        moved.sort_unstable();
        moved.dedup();
        let all: BTreeSet<usize> = turns.values().copied().collect();
        // Calls stay where they are in a block, and what they may look at has begun there: but for what is there
        // in all of the function, which others may come before.
        for i in (0..f.insns.len()).filter(|i| self.is_own(*i) && self.flow().calls(*i)) {
            let in_block = |v: &usize| self.placed[self.variables[*v].0].local.scope.is_some();
            if let (Some(v), false) = (self.of(i).filter(in_block), turns.contains_key(&i)) {
                turns.insert(i, v);
            }
        }
        if all.len() < 2 {
            return None;
        }
        let begins = self.flow().begins(&turns, None);
        Some(Shared { variables: self.variables, moved, begins })
    }

    /// The variable whose scope has every use of an address that an instruction puts into a register.
    fn used(
        &self,
        i: usize,
        register: Register,
        unused: Option<usize>,
        turns: &mut BTreeMap<usize, usize>,
    ) -> Option<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let copied = |j: usize| self.held[j].is_some();
        for j in self.flow().uses(i, register, &copied)?.into_iter().filter(|j| self.is_own(*j)) {
            let v = self.of(j)?;
            if turns.insert(j, v).is_some_and(|u| u != v) {
                return None;
            }
            found.insert(v);
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(v), None) => Some(v),
            // One that nobody uses is any's.
            (None, _) => self.of(i).or(unused),
            (Some(_), Some(_)) => None,
        }
    }

    fn flow(&self) -> Flow<'_> {
        Flow { cut: self.cut, facts: self.facts }
    }
}

impl Flow<'_> {
    /// Where the scope of a variable begins that has its place alone: where that is first used behind the start of its block. None
    /// where that is not one piece of code.
    fn begins_alone(&self, image: &Image, placed: &Placed<'_>) -> Option<Vec<(usize, i64)>> {
        let f = &self.cut.function;
        let start = start(self.cut, image, placed)?;
        let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
        for i in 0..f.insns.len() {
            let touches =
                |(at, bytes): (i64, u64)| at < placed.end && at.saturating_add_unsigned(bytes) > placed.start;
            let called = placed.local.scope.is_some() && self.calls(i);
            if called || Frame::accesses_at(f, self.facts, i).any(touches) {
                turns.insert(i, 0);
            }
            let taken = self.facts.taken_at(i).is_some_and(|at| (placed.start..placed.end).contains(&at));
            let Some(Decoded::X86(insn)) = f.insns.get(i).map(|insn| &insn.decoded).filter(|_| taken) else {
                continue;
            };
            let made = matches!(insn.mnemonic(), Mnemonic::Lea | Mnemonic::Mov)
                && insn.op0_kind() == OpKind::Register
                && (insn.mnemonic() == Mnemonic::Lea || insn.op1_kind() == OpKind::Register);
            match made {
                true => {
                    turns.extend(self.uses(i, insn.op0_register(), &|_| false)?.into_iter().map(|j| (j, 0)))
                }
                false => turns.extend([(i, 0)]),
            }
        }
        let begins = self.begins(&turns, Some(start));
        Some(begins.into_iter().map(|(i, _)| (i, placed.start)).collect())
    }
}
