//! The same instructions on every path: both functions are walked together from their entries.
//!
//! Where blocks lie, how jumps are encoded and what fills space makes no difference: a pair of places is the same if
//! their instructions are and all places behind them are, which is a bisimulation on places. What tables refer to is
//! walked as well.

use super::Function;
use super::linear::{differ, masked, take};
use super::literal::{literal, width};
use super::matcher::Matcher;
use super::opposite::opposite;
use super::verdict::{Assumption, Difference};
use crate::code::{Flow, Insn, Stretch, decoder};
use crate::objects::Image;
use crate::places::{NEARBY, NEVER_RETURN, Place, Reference};
use std::collections::HashSet;

/// A place: section and address.
type At = (usize, u64);

/// Compares two functions along their paths.
///
/// # Errors
/// The first difference.
pub fn compare(matcher: &mut Matcher, old: &Function, new: &Function) -> Result<(), Difference> {
    let entry = |f: &Function| f.code.stretches.first().map(|s| (s.section, s.start));
    let (Some(a), Some(b)) = (entry(old), entry(new)) else { return Err(Difference::Shape) };
    let mut walk = Walk { matcher, old, new, seen: HashSet::new(), todo: vec![(a, b)] };
    let bound = (old.code.insns().count() + new.code.insns().count()).saturating_mul(4) + 64;
    while let Some((a, b)) = walk.todo.pop() {
        if walk.seen.len() > bound {
            return Err(Difference::TooLong);
        }
        walk.step(a, b)?;
        walk.todo.append(&mut walk.matcher.pending);
    }
    Ok(())
}

struct Walk<'m, 'a, 'f> {
    matcher: &'m mut Matcher<'a>,
    old: &'f Function,
    new: &'f Function,
    seen: HashSet<(At, At)>,
    todo: Vec<(At, At)>,
}

/// An instruction with its stretch and references.
struct Here<'f> {
    stretch: &'f Stretch,
    insn: &'f Insn,
    refs: Vec<&'f Reference>,
}

impl<'f> Here<'f> {
    fn behind(&self) -> At {
        (self.stretch.section, self.insn.end())
    }

    /// Where a jump within the function leads.
    fn own_target(&self) -> Option<At> {
        self.refs.iter().find_map(|r| match r.place {
            Place::Own { section, address } if r.kind != NEARBY => Some((section, address)),
            Place::Own { .. }
            | Place::Function { .. }
            | Place::Name { .. }
            | Place::Data { .. }
            | Place::Number(_)
            | Place::Unresolved(_) => None,
        })
    }
}

fn here<'f>(f: &'f Function, (section, address): At) -> Option<Here<'f>> {
    let (n, at) = f.code.find(section, address)?;
    let (stretch, references) = (&f.code.stretches[n], &f.references[n]);
    let insn = &stretch.insns[at];
    let from = references.partition_point(|r| r.at < insn.at);
    let refs = take(&mut references[from..].iter().peekable(), insn);
    Some(Here { stretch, insn, refs })
}

/// Goes on over what does nothing and jumps within the function. None where the function ends.
fn skip(f: &Function, mut at: At) -> Result<Option<Here<'_>>, Difference> {
    let mut passed = HashSet::new();
    loop {
        let Some(now) = here(f, at) else { return Ok(None) };
        let jump = now.insn.flow == Flow::Jump && !now.insn.conditional;
        let next = match now.own_target() {
            Some(target) if jump => target,
            _ if now.insn.nop => now.behind(),
            _ => return Ok(Some(now)),
        };
        if !passed.insert(at) {
            // A loop of nothing: both sides would have to have one, which is not worth telling.
            return Err(Difference::Shape);
        }
        at = next;
    }
}

impl Walk<'_, '_, '_> {
    fn step(&mut self, a: At, b: At) -> Result<(), Difference> {
        let (x, y) = match (skip(self.old, a)?, skip(self.new, b)?) {
            (Some(x), Some(y)) => (x, y),
            (None, None) => {
                self.matcher.assumptions.insert(Assumption::NeverRunsOff);
                return Ok(());
            }
            (None, Some(_)) | (Some(_), None) => return Err(Difference::Shape),
        };
        let places = ((x.stretch.section, x.insn.at), (y.stretch.section, y.insn.at));
        if !self.seen.insert(places) {
            return Ok(());
        }
        let turned = self.same_instruction(&x, &y)?;
        self.same_references(&x, &y)?;
        self.successors(&x, &y, turned)
    }

    /// Whether both do the same; true if they branch on opposite conditions.
    fn same_instruction(&self, x: &Here, y: &Here) -> Result<bool, Difference> {
        let differs = || differ(self.matcher, (self.old, x.stretch, x.insn), (self.new, y.stretch, y.insn));
        let (i, j) = (x.insn, y.insn);
        if !i.known() || !j.known() || i.flow != j.flow || i.conditional != j.conditional {
            return Err(differs());
        }
        let (old, new) = (self.matcher.old.image, self.matcher.new.image);
        let bytes = (
            masked(old, x.stretch.section, i, &x.refs, true),
            masked(new, y.stretch.section, j, &y.refs, true),
        );
        if i.pinned || j.pinned {
            // Its meaning depends on where it is.
            let from = |f: &Function, h: &Here| {
                let same = f.code.stretches.first().is_some_and(|s| s.section == h.stretch.section);
                same.then(|| h.insn.at.wrapping_sub(f.code.stretches[0].start))
            };
            let same = bytes.0 == bytes.1 && from(self.old, x).is_some();
            let table = i.flow == Flow::IndirectJump;
            return match same && from(self.old, x) == from(self.new, y) && !table {
                true => Ok(false),
                false => Err(differs()),
            };
        }
        if bytes.0 == bytes.1 && !names_near(x) && !names_near(y) {
            return Ok(false);
        }
        let decoder = decoder(old.arch);
        match (decoder.key(&bytes.0, i), decoder.key(&bytes.1, j)) {
            (Some(m), Some(n)) if m == n => Ok(false),
            (Some(m), Some(n)) if i.conditional && opposite(&m, &n) => Ok(true),
            (Some(_) | None, Some(_) | None) => Err(differs()),
        }
    }

    fn same_references(&mut self, x: &Here, y: &Here) -> Result<(), Difference> {
        if x.refs.len() != y.refs.len() {
            return Err(differ(self.matcher, (self.old, x.stretch, x.insn), (self.new, y.stretch, y.insn)));
        }
        for (r, u) in x.refs.iter().zip(&y.refs) {
            // Jumps are numbered differently with and without relocations.
            let jumps = x.insn.target.is_some() && y.insn.target.is_some();
            if r.kind != u.kind && !jumps {
                return Err(differ(
                    self.matcher,
                    (self.old, x.stretch, x.insn),
                    (self.new, y.stretch, y.insn),
                ));
            }
            let own = matches!((&r.place, &u.place), (Place::Own { .. }, Place::Own { .. }));
            // Where jumps lead is walked; what is called, itself included, has to be the same.
            if own && jumps && x.insn.flow == Flow::Jump {
                continue;
            }
            if own && r.kind == NEARBY {
                self.near(x, y, r, u)?;
                continue;
            }
            // An address of code that is kept: wherever it is jumped to, the same follows.
            self.matcher.same(&r.place, &u.place, r.access.filter(|_| !own && r.access == u.access))?;
        }
        Ok(())
    }

    /// A place in the function that is no jump's target: a literal, or the base of a table.
    fn near(&mut self, x: &Here, y: &Here, r: &Reference, u: &Reference) -> Result<(), Difference> {
        let (Place::Own { section: s, address: a }, Place::Own { section: t, address: b }) =
            (&r.place, &u.place)
        else {
            return Err(Difference::Shape);
        };
        if r.access.is_none() || u.access.is_none() {
            // x86 reaches code by tables of relocations alone; others add what they read from tables of numbers.
            let arch = self.matcher.old.image.arch;
            if !arch.is_x86() || self.matcher.old.image.linked {
                return Err(Difference::JumpTable);
            }
            return self.matcher.same(&r.place, &u.place, None);
        }
        let width = width(self.matcher.old.image, x.stretch.section, x.insn);
        let old = literal(self.matcher.old.image, self.old, (*s, *a), width);
        let new = literal(self.matcher.new.image, self.new, (*t, *b), width);
        let (Some((bytes, p)), Some((other, q))) = (old, new) else { return Err(Difference::JumpTable) };
        if bytes != other || p.len() != q.len() {
            return Err(differ(self.matcher, (self.old, x.stretch, x.insn), (self.new, y.stretch, y.insn)));
        }
        for (r, u) in p.iter().zip(q) {
            if r.kind != u.kind || r.at - a != u.at - b {
                return Err(Difference::Shape);
            }
            self.matcher.same(&r.place, &u.place, None)?;
        }
        Ok(())
    }

    fn successors(&mut self, x: &Here, y: &Here, turned: bool) -> Result<(), Difference> {
        let behind = (x.behind(), y.behind());
        let linked = self.matcher.old.image.linked;
        match x.insn.flow {
            Flow::IndirectJump if linked => return Err(Difference::JumpTable),
            Flow::Return | Flow::Trap | Flow::IndirectJump => {}
            Flow::Next | Flow::IndirectCall => {
                self.todo.push(behind);
                return Ok(());
            }
            Flow::Call => {
                if !self.never_returns(x, y) {
                    self.todo.push(behind);
                }
                return Ok(());
            }
            Flow::Jump => match (x.own_target(), y.own_target()) {
                (Some(p), Some(q)) if turned => {
                    self.todo.push((p, behind.1));
                    self.todo.push((behind.0, q));
                    return Ok(());
                }
                (Some(p), Some(q)) => self.todo.push((p, q)),
                // Jumps to other functions were compared as references.
                (None, None) if !turned => {}
                (Some(_) | None, Some(_) | None) => return Err(Difference::Shape),
            },
        }
        if x.insn.conditional {
            self.todo.push(behind);
        }
        Ok(())
    }

    /// Whether what both call does not return: by its name, or since the code behind the call is not the function's.
    fn never_returns(&mut self, x: &Here, y: &Here) -> bool {
        let name = |image: &Image, h: &Here| {
            h.refs.iter().find_map(|r| match &r.place {
                Place::Name { name, .. } => Some(name.clone()),
                Place::Function { function, .. } => Some(image.functions[*function].name.clone()),
                Place::Own { .. } | Place::Data { .. } | Place::Number(_) | Place::Unresolved(_) => None,
            })
        };
        let Some(name) = name(self.matcher.new.image, y) else { return false };
        if NEVER_RETURN.contains(&name.as_str()) {
            return true;
        }
        let ends = |f: &Function, at: At| matches!(skip(f, at), Ok(None));
        let known = self.matcher.old.endless.contains(&name) || self.matcher.new.endless.contains(&name);
        if known || ends(self.old, x.behind()) || ends(self.new, y.behind()) {
            self.matcher.assumptions.insert(Assumption::DoesNotReturn(name));
            return true;
        }
        false
    }
}

fn names_near(h: &Here) -> bool {
    h.refs.iter().any(|r| r.field.is_none())
}
