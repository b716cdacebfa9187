//! The objects of two frames whose addresses become data, and which of them are the same one.
//!
//! What a frame holds is not in the code: debug information names variables with place and size; an address that leads
//! to none of them is taken to be of an object that reaches to the next one known, to the next such address or to the
//! saved registers. That is as long as it can be: what lies there is then in memory, where callees and pointers see
//! it, and not in a slot of its own. Any way to pair objects is sound (they only have names in common), one that is
//! wrong costs the proof; that a pointer into an object stays in it is what a proof takes for granted.

use super::convert::{Converted, Origin};
use super::locals::{Base, Local, Locals};
use crate::objects::Image;
use langs::machine_code::{Facts, Frame, Function, StackObject, StackObjects, Taken, before_moved};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes that the constant part of an address with an index lies below what it is an index into.
const BELOW: i64 = 256;

/// Where objects lie that a frame does not have: behind all of its own.
const NOWHERE: i64 = -(1 << 40);

/// Bytes of arguments on the stack, at most.
const LONGEST: u64 = 1 << 20;

/// A variable: name, line, and which of those with the same.
pub(super) type Variable = (String, u64, usize);

/// A part of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Region {
    start: i64,
    end: i64,
    /// Variables in it, with how far they are from its start; none where debug information knows none.
    variables: BTreeMap<Variable, i64>,
    /// The first instruction that takes an address in it.
    first: Option<usize>,
    /// Whether a body that stands in the place of a call has it.
    inside: bool,
}

impl Region {
    fn size(&self) -> u64 {
        (self.end - self.start) as u64
    }

    /// Whether a variable is at the same place in both.
    fn shares(&self, other: &Region) -> bool {
        self.variables.iter().any(|(key, at)| other.variables.get(key) == Some(at))
    }
}

/// A frame in regions.
#[derive(Debug, Default)]
struct Draft {
    regions: Vec<Region>,
    /// What the addresses that become data lead to: region, and bytes from its start.
    addresses: BTreeMap<i64, (usize, i64)>,
    /// The addresses of arguments on the stack.
    incoming: Vec<i64>,
    /// Where these begin.
    above: i64,
}

/// The objects of both frames.
pub struct Frames {
    /// Of the old one.
    pub old: StackObjects,
    /// Of the new one.
    pub new: StackObjects,
    /// The names of those that hold the same variable on both sides, as debug information says. Others are paired by guess.
    pub told: BTreeSet<String>,
}

/// A function with its variables, and those of bodies that stand in the place of calls, by their first instructions.
pub struct Side<'a> {
    pub(super) function: &'a Function,
    pub(super) locals: &'a [Local],
    bodies: Vec<(usize, &'a [Local])>,
}

/// A variable in the frame.
pub(super) struct Placed<'a> {
    /// Its first byte, from the stack pointer of the entry.
    pub start: i64,
    /// Behind its last.
    pub end: i64,
    /// Which it is.
    pub key: Variable,
    /// As debug information has it.
    pub local: &'a Local,
    /// Which of the function's own locals it is; none of a body that stands in the place of a call.
    pub own: Option<usize>,
    /// The first instruction of that, or of the function.
    pub first: usize,
}

impl<'a> Side<'a> {
    /// Function number `n` of a file.
    #[must_use]
    pub fn new(cut: &'a Converted, image: &Image, locals: &'a Locals, n: usize) -> Side<'a> {
        let of = |section: usize, start: u64| locals.get(&(section, start)).map_or(&[][..], Vec::as_slice);
        let own = &image.functions[n];
        let body = |(i, origin): (usize, &Option<Origin>)| {
            let origin = origin.as_ref()?;
            let start = origin.at.wrapping_sub(image.sections[origin.section].address);
            let is_own = (origin.section, start) == (own.section, own.start);
            let list = of(origin.section, start);
            (!is_own && !list.is_empty()).then_some((i, list))
        };
        let bodies = cut.origins.iter().enumerate().filter_map(body).collect();
        Side { function: &cut.function, locals: of(own.section, own.start), bodies }
    }

    /// The same with other places of the function's own variables.
    #[must_use]
    pub fn with_locals(self, locals: &'a [Local]) -> Side<'a> {
        Side { locals, ..self }
    }

    /// The variables in the frame.
    pub(super) fn placed(&self, facts: &Facts) -> Vec<Placed<'a>> {
        let f = self.function;
        let (stack, _) = facts.body();
        // Bodies that stand in the place of calls have frame pointers of their own, behind the function's.
        let pointer = |first: usize| (first..f.insns.len()).find_map(|i| facts.pointers_at(i).1);
        let mut placed: Vec<Placed<'a>> = Vec::new();
        let mut counts: BTreeMap<(String, u64), usize> = BTreeMap::new();
        let mut place = |local: &'a Local, base: Option<i64>, (own, first): (Option<usize>, usize)| {
            let (name, line, _) = &local.key;
            let nth = counts.entry((name.clone(), *line)).or_default();
            let key = (name.clone(), *line, *nth);
            *nth += 1;
            let Some(start) = base.and_then(|base| base.checked_add(local.offset)) else { return };
            let Some(end) = i64::try_from(local.size).ok().and_then(|size| start.checked_add(size)) else {
                return;
            };
            if end <= 0 {
                placed.push(Placed { start, end, key, local, own, first });
            }
        };
        for (n, local) in self.locals.iter().enumerate() {
            let base = match local.base {
                Base::Caller => Some(f.abi.incoming),
                Base::StackPointer => stack,
                Base::FramePointer => pointer(0),
            };
            place(local, base, (Some(n), 0));
        }
        for (first, locals) in &self.bodies {
            for local in *locals {
                let base = match local.base {
                    Base::Caller => facts.pointers_at(*first).0.map(|at| at + f.abi.incoming),
                    // A body changes its stack pointer behind its first instructions.
                    Base::StackPointer => None,
                    Base::FramePointer => {
                        let entry = facts.pointers_at(*first).0;
                        (*first..f.insns.len()).find_map(|i| {
                            facts.pointers_at(i).1.filter(|at| entry.is_some_and(|entry| *at <= entry))
                        })
                    }
                };
                place(local, base, (None, *first));
            }
        }
        placed
    }
}

/// Finds the objects of both.
///
/// # Errors
/// Where an address in the frame leads to nothing that is known, in words.
pub fn pair(old: Side<'_>, new: Side<'_>) -> Result<Frames, String> {
    let (a, b) = (Draft::of(&old)?, Draft::of(&new)?);
    let partners = partners(&a, &b);
    let mut frames =
        Frames { old: StackObjects::default(), new: StackObjects::default(), told: BTreeSet::new() };
    let mut numbers: (BTreeMap<usize, usize>, BTreeMap<usize, usize>) = Default::default();
    for (m, n) in &partners {
        let (r, q) = (&a.regions[*m], &b.regions[*n]);
        // Neither guess is shorter than the object; what is known by its variables is as long as they are.
        let guessed = r.variables.is_empty() || q.variables.is_empty();
        let size = if guessed { r.size().min(q.size()) } else { r.size().max(q.size()) };
        let name = format!("frame object {}", numbers.0.len());
        // In truth one that was moved shares its place with others, and holds what these do.
        let moved = [r, q].iter().any(|region| before_moved(region.start) != region.start);
        frames.told.extend((r.shares(q) && !r.inside && !q.inside && !moved).then(|| name.clone()));
        for (objects, region, numbers, at) in
            [(&mut frames.old, r, &mut numbers.0, *m), (&mut frames.new, q, &mut numbers.1, *n)]
        {
            numbers.insert(at, objects.list.len());
            objects.list.push(StackObject { name: name.clone(), offset: region.start, size, own: true });
        }
    }
    let (mut of_old, mut of_new) = (Vec::new(), Vec::new());
    let above = a.above;
    let incoming = !a.incoming.is_empty() || !b.incoming.is_empty();
    for (objects, draft, numbers, side, others) in [
        (&mut frames.old, &a, &mut numbers.0, "old", &mut of_old),
        (&mut frames.new, &b, &mut numbers.1, "new", &mut of_new),
    ] {
        for (n, region) in draft.regions.iter().enumerate() {
            if region.first.is_some() && !numbers.contains_key(&n) {
                numbers.insert(n, objects.list.len());
                let name = format!("{side} frame object {n}");
                others.push((name.clone(), region.size()));
                objects.list.push(StackObject { name, offset: region.start, size: region.size(), own: true });
            }
        }
        for (at, (region, delta)) in &draft.addresses {
            let Some(object) = numbers.get(region) else { continue };
            objects.addresses.insert(*at, (*object, *delta));
        }
        if incoming {
            let (name, offset) = ("incoming arguments".to_owned(), above);
            objects.list.push(StackObject { name, offset, size: LONGEST, own: false });
        }
    }
    // What one side has alone is nowhere in the other's memory, either.
    for (objects, others) in [(&mut frames.old, of_new), (&mut frames.new, of_old)] {
        let mut offset = NOWHERE;
        for (name, size) in others {
            offset -= size as i64;
            objects.list.push(StackObject { name, offset, size, own: true });
        }
        apart(objects)?;
    }
    Ok(frames)
}

/// Objects may have grown to the size of their partners.
fn apart(objects: &StackObjects) -> Result<(), String> {
    let mut list: Vec<(i64, i64)> =
        objects.list.iter().map(|o| (o.offset, o.offset + o.size as i64)).collect();
    list.sort_unstable();
    match list.windows(2).any(|two| two[0].1 > two[1].0) {
        true => Err("objects of the frame that share their places otherwise on the other side".to_owned()),
        false => Ok(()),
    }
}

impl Draft {
    fn of(side: &Side<'_>) -> Result<Draft, String> {
        let f = side.function;
        let facts = Facts::of(f).map_err(|e| e.what)?;
        let mut draft = Draft { regions: known(side, &facts), above: f.abi.incoming, ..Draft::default() };
        let mut rest = Vec::new();
        for taken in &facts.taken {
            if taken.offset >= f.abi.incoming {
                draft.incoming.push(taken.offset);
            } else if let Some(n) = draft.region(taken.offset) {
                draft.note(n, taken);
            } else {
                rest.push(*taken);
            }
        }
        // The end of an object, or a place that an index leads away from.
        let mut unknown = Vec::new();
        for taken in rest {
            match draft.near(&taken) {
                Some(n) => draft.note(n, &taken),
                None => unknown.push(taken),
            }
        }
        draft.guess(f, &facts, &unknown)?;
        Ok(draft)
    }

    fn region(&self, offset: i64) -> Option<usize> {
        self.regions.iter().position(|r| (r.start..r.end).contains(&offset))
    }

    fn note(&mut self, n: usize, taken: &Taken) {
        let region = &mut self.regions[n];
        region.first = Some(region.first.map_or(taken.insn, |first| first.min(taken.insn)));
        self.addresses.insert(taken.offset, (n, taken.offset - region.start));
    }

    /// The region that an address outside of all belongs to: the one that ends there if an address in it is taken, or the
    /// next above one with an index.
    fn near(&self, taken: &Taken) -> Option<usize> {
        let ended = self.regions.iter().position(|r| r.end == taken.offset && r.first.is_some());
        let above = || {
            let near = |r: &&Region| (1..=BELOW).contains(&(r.start - taken.offset));
            let next = self.regions.iter().filter(near).map(|r| r.start).min()?;
            self.region(next).filter(|_| taken.indexed)
        };
        ended.or_else(above)
    }

    /// Regions for addresses of which nothing is known.
    fn guess(&mut self, f: &Function, facts: &Facts, unknown: &[Taken]) -> Result<(), String> {
        let saves = Frame::saves(f, facts);
        let starts: Vec<i64> = self.regions.iter().map(|r| r.start).collect();
        for taken in unknown {
            let start = taken.offset;
            let others = unknown.iter().map(|t| t.offset);
            let ends = starts.iter().copied().chain(others).chain(saves.iter().copied()).chain([0]);
            let end = ends.filter(|end| *end > start).min();
            let Some(end) = end.filter(|_| !taken.indexed) else {
                let at = f.insns.get(taken.insn).map_or(0, |insn| insn.offset);
                return Err(format!(
                    "an address in the frame that leads to nothing known at {}+{at:#x}",
                    f.name
                ));
            };
            self.regions.push(Region { start, end, variables: BTreeMap::new(), first: None, inside: false });
            self.note(self.regions.len() - 1, taken);
        }
        Ok(())
    }
}

/// The regions of variables; those that share bytes are one.
fn known(side: &Side<'_>, facts: &Facts) -> Vec<Region> {
    let f = side.function;
    let placed: Vec<(i64, i64, Variable, bool)> =
        side.placed(facts).into_iter().map(|p| (p.start, p.end, p.key, p.own.is_none())).collect();
    // What lives at other times may share the place, and be longer: an access goes to one object.
    let accesses = Frame::accesses(f, facts);
    let mut longer: Vec<(i64, i64)> = Vec::new();
    loop {
        let regions = joined(&placed, &longer);
        let ranges = accesses.iter().map(|(at, bytes)| (*at, at.saturating_add_unsigned(*bytes)));
        let before = longer.len();
        longer.extend(ranges.filter(|(at, end)| {
            let mut touched = regions.iter().filter(|r| *at < r.end && r.start < *end);
            *end <= 0 && touched.any(|r| *at < r.start || r.end < *end)
        }));
        if longer.len() == before {
            return regions;
        }
    }
}

/// Variables and other parts of the frame as regions, of which those that share bytes are one.
fn joined(placed: &[(i64, i64, Variable, bool)], others: &[(i64, i64)]) -> Vec<Region> {
    let named = placed.iter().map(|(start, end, key, inside)| (*start, *end, Some(key), *inside));
    let others = others.iter().map(|(start, end)| (*start, *end, None, false));
    let mut all: Vec<_> = named.chain(others).collect();
    all.sort_by_key(|(start, end, ..)| (*start, *end));
    let mut regions: Vec<Region> = Vec::new();
    for (start, end, key, inside) in all {
        if regions.last().is_none_or(|last| start >= last.end) {
            regions.push(Region { start, end, variables: BTreeMap::new(), first: None, inside });
        }
        if let Some(last) = regions.last_mut() {
            last.end = last.end.max(end);
            last.inside |= inside;
            last.variables.extend(key.map(|key| (key.clone(), start - last.start)));
        }
    }
    regions
}

/// The regions that are one object, old and new.
fn partners(a: &Draft, b: &Draft) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (m, r) in a.regions.iter().enumerate() {
        let n = (0..b.regions.len())
            .find(|n| r.shares(&b.regions[*n]) && found.iter().all(|(_, known)| known != n));
        if let Some(n) = n.filter(|n| r.first.is_some() || b.regions[*n].first.is_some()) {
            found.push((m, n));
        }
    }
    // Of the others, those of one size first, then in the order in which their addresses are taken.
    for equal in [true, false] {
        let rest = |draft: &Draft, known: &dyn Fn(usize) -> bool| {
            let mut list: Vec<usize> = (0..draft.regions.len())
                .filter(|n| draft.regions[*n].first.is_some() && !known(*n))
                .filter(|n| draft.regions[*n].variables.is_empty() || !equal)
                .collect();
            list.sort_by_key(|n| draft.regions[*n].first);
            list
        };
        let old = rest(a, &|n| found.iter().any(|(m, _)| *m == n));
        let mut new = rest(b, &|n| found.iter().any(|(_, known)| *known == n));
        for m in old {
            let fits = |n: &usize| !equal || a.regions[m].size() == b.regions[*n].size();
            if let Some(place) = new.iter().position(fits) {
                found.push((m, new.remove(place)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(start: i64, end: i64, variable: Option<&str>, first: usize) -> Region {
        let variables = variable.map(|name| ((name.to_owned(), 1, 0), 0)).into_iter().collect();
        Region { start, end, variables, first: Some(first), inside: false }
    }

    #[test]
    fn regions_pair_by_variable_then_by_size_then_by_order() {
        let draft = |regions: Vec<Region>| Draft { regions, ..Draft::default() };
        let old = draft(vec![
            region(-64, -48, Some("a"), 5),
            region(-48, -40, None, 1),
            region(-40, -32, None, 2),
            region(-32, -16, None, 3),
        ]);
        let new = draft(vec![
            region(-72, -56, None, 1),
            region(-56, -48, None, 2),
            region(-48, -40, None, 3),
            region(-40, -24, Some("a"), 4),
        ]);
        assert_eq!(partners(&old, &new), [(0, 3), (1, 1), (2, 2), (3, 0)]);
    }
}
