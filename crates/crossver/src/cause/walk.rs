//! From a difference backwards, through what has no partner on the other side, to the first instruction of either run that
//! made something new from what both runs have.

use super::CauseKind;
use super::align;
use super::flow::{Flow, Node, Turn};
use super::start::Starts;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Executed instructions that are looked through for the decision that led to one.
const FAR: usize = 400;

/// Both runs, and which instructions are partners.
pub struct Walk<'f> {
    flows: [&'f Flow; 2],
    /// Instructions of both runs that did the same, in the order of both.
    pairs: Vec<[usize; 2]>,
    /// The partners of instructions, those in another order included.
    partners: [BTreeMap<usize, usize>; 2],
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// The kind.
    pub kind: CauseKind,
    /// The old and the new instruction.
    pub blamed: [Option<usize>; 2],
    /// How many instructions before it did the same.
    gap: usize,
}

/// Where a walk ends: an instruction without a partner that read only what has one.
struct End {
    node: usize,
    /// The old and the new jump, where they are what led there.
    jump: Option<[Option<usize>; 2]>,
}

/// What decides that an instruction was executed.
enum Path {
    /// Nothing that the other side lacks.
    Same,
    /// What these instructions made.
    By(Vec<usize>),
    /// A jump goes elsewhere.
    Elsewhere([Option<usize>; 2]),
}

impl<'f> Walk<'f> {
    /// Finds the partners.
    pub fn new(flows: [&'f Flow; 2]) -> Walk<'f> {
        let pairs = align::pairs(flows[0], flows[1]);
        let all: Vec<[usize; 2]> = pairs.iter().copied().chain(align::reordered(flows, &pairs)).collect();
        let partners = [0, 1].map(|side| all.iter().map(|pair| (pair[side], pair[1 - side])).collect());
        Walk { flows, pairs, partners }
    }

    fn lone(&self, side: usize, n: usize) -> bool {
        !self.partners[side].contains_key(&n)
    }

    /// The cause: of all that the walks from both sides come to, what lies first in the order that both runs share.
    pub fn cause(&self, starts: Starts) -> Option<Found> {
        let ends = [self.ends(0, &starts[0]), self.ends(1, &starts[1])];
        let mut found: Vec<Found> = Vec::new();
        for (side, own) in ends.iter().enumerate() {
            let others: Vec<usize> = ends[1 - side].iter().map(|end| end.node).collect();
            for End { node, jump } in own {
                let gap = self.gap(side, *node);
                found.push(match jump {
                    Some(blamed) => Found { kind: CauseKind::Path, blamed: *blamed, gap },
                    None => {
                        let blamed = self.beside(side, *node, &others);
                        let blamed = self.astray(blamed).unwrap_or(blamed);
                        Found { kind: CauseKind::Value, blamed, gap }
                    }
                });
            }
        }
        // What both sides have in one place says more than what one of them lacks.
        let lacks = |found: &Found| found.blamed.iter().any(Option::is_none);
        let order = |found: &Found| (lacks(found), found.gap, found.blamed[1], found.blamed[0]);
        found.sort_by_key(order);
        let jump = |side: usize| {
            let jumps = found.iter().filter(|found| found.kind == CauseKind::Path);
            jumps.filter_map(|found| found.blamed[side]).next()
        };
        let jumps = [jump(0), jump(1)];
        let first = found.into_iter().next().map(|mut found| {
            // Each side may have a jump that the other has not.
            if found.kind == CauseKind::Path {
                found.blamed = [0, 1].map(|side| found.blamed[side].or(jumps[side]));
            }
            found
        });
        // What has partners alone on both sides was taken from the wrong place.
        first.or_else(|| {
            let blamed = [0, 1].map(|side| starts[side].first().copied());
            let any = blamed.iter().any(Option::is_some);
            let astray = match blamed {
                [Some(old), Some(new)] => self.put_elsewhere([&[old], &[new]]),
                _ => None,
            };
            any.then_some(Found { kind: CauseKind::Value, blamed: astray.unwrap_or(blamed), gap: 0 })
        })
    }

    /// Where walks of a side end.
    fn ends(&self, side: usize, starts: &[usize]) -> Vec<End> {
        let lone = |n: &usize| self.lone(side, *n);
        let mut open: Vec<usize> = starts.iter().copied().filter(lone).collect();
        let mut seen: BTreeSet<usize> = open.iter().copied().collect();
        let mut out = Vec::new();
        while let Some(n) = open.pop() {
            let Some(node) = self.flows[side].nodes.get(n) else { continue };
            let mut before: Vec<usize> = node.makers.iter().copied().filter(lone).collect();
            if before.is_empty() {
                match self.path(side, n) {
                    Path::Same => out.push(End { node: n, jump: None }),
                    Path::Elsewhere(blamed) => out.push(End { node: n, jump: Some(blamed) }),
                    Path::By(makers) => before = makers,
                }
            }
            open.extend(before.into_iter().filter(|n| seen.insert(*n)));
        }
        out
    }

    /// How many partners lie before an instruction.
    fn gap(&self, side: usize, n: usize) -> usize {
        self.pairs.partition_point(|pair| pair[side] < n)
    }

    /// The instructions of a side between the partners of that number and the next ones.
    fn between(&self, side: usize, gap: usize) -> Range<usize> {
        let first = gap.checked_sub(1).map_or(0, |before| self.pairs[before][side] + 1);
        let end = self.pairs.get(gap).map_or(self.flows[side].nodes.len(), |pair| pair[side]);
        first..end.max(first)
    }

    fn node(&self, side: usize, n: usize) -> &Node {
        &self.flows[side].nodes[n]
    }

    /// Whether a jump led to an instruction that the other side has no like of.
    fn path(&self, side: usize, n: usize) -> Path {
        let gap = self.gap(side, n);
        let ranges = [self.between(0, gap), self.between(1, gap)];
        let decided = |side: usize, range: Range<usize>| {
            range.into_iter().find(|n| self.node(side, *n).turn == Turn::Branch)
        };
        let other = 1 - side;
        if let Some(branch) = decided(side, ranges[side].start..n) {
            let against = decided(other, ranges[other].clone());
            return self.by(side, branch, against.or_else(|| self.turn(other, &ranges[other])));
        }
        // Both sides do the same operations, one by one: then they are in the same place.
        let operations =
            |side: usize| ranges[side].clone().map(move |n| self.node(side, n).shape.0).collect::<Vec<_>>();
        let together = operations(0) == operations(1);
        let like = |m: usize| {
            let [a, b] = [self.node(other, m), self.node(side, n)];
            a.shape.0 == b.shape.0
                && (b.turn != Turn::Call && together || !self.elsewhere([side, other], [b, a]))
        };
        if ranges[other].clone().any(like) {
            return Path::Same;
        }
        let turns = [0, 1].map(|side| self.turn(side, &ranges[side]));
        let first = [0, 1].map(|side| {
            let mut list = ranges[side].clone();
            list.find(|n| self.node(side, *n).turn != Turn::Jump).map(|n| self.node(side, n))
        });
        let same = match first {
            [Some(old), Some(new)] => {
                let nop = old.turn == Turn::Nop || new.turn == Turn::Nop;
                let like = old.shape.0 == new.shape.0 || old.shape.1 == new.shape.1;
                nop || like && !self.elsewhere([0, 1], [old, new])
            }
            _ => false,
        };
        match (same, turns[side]) {
            (false, Some(branch)) => self.by(side, branch, turns[other]),
            (false, None) if turns[other].is_some() && first[other].is_none() => Path::Elsewhere(turns),
            (..) if self.node(side, n).turn == Turn::Call
                || self.flows[side].calls.iter().any(|c| c.node == n) =>
            {
                self.before(side, n)
            }
            _ => Path::Same,
        }
    }

    /// The last decision before an instruction that was another one on the other side, or that led elsewhere.
    fn before(&self, side: usize, n: usize) -> Path {
        let next = |side: usize, n: usize| {
            let nodes = &self.flows[side].nodes;
            (n + 1..nodes.len()).find(|m| nodes[*m].token.is_some())
        };
        let branches = (0..n).rev().take(FAR).filter(|b| self.node(side, *b).turn == Turn::Branch);
        for b in branches {
            let partner = self.partners[side].get(&b).copied();
            let together = partner.is_some_and(|p| {
                let after = next(side, b).and_then(|after| self.partners[side].get(&after).copied());
                after.is_some() && after == next(1 - side, p)
            });
            if !together {
                return self.by(side, b, partner);
            }
        }
        Path::Same
    }

    /// Of two instructions that read what has partners alone: what one of them read is made on the other side, too, and goes nowhere there. Then
    /// it was put in the wrong place.
    fn astray(&self, blamed: [Option<usize>; 2]) -> Option<[Option<usize>; 2]> {
        let [old, new] = [self.node(0, blamed[0]?), self.node(1, blamed[1]?)];
        // Others read what the other side does not mean them to.
        if old.whole.1 != new.whole.1 {
            return None;
        }
        self.put_elsewhere([&old.makers, &new.makers])
    }

    fn put_elsewhere(&self, makers: [&[usize]; 2]) -> Option<[Option<usize>; 2]> {
        [1, 0].into_iter().find_map(|side| {
            makers[1 - side].iter().find_map(|maker| {
                let here = *self.partners[1 - side].get(maker)?;
                let read = makers[side].contains(&here);
                let used = || self.flows[side].nodes.iter().any(|node| node.makers.contains(&here));
                let put = |side: usize, n: usize| self.node(side, n).whole.1.first();
                let elsewhere = put(side, here) != put(1 - side, *maker);
                (!read && elsewhere && !used()).then(|| {
                    let mut out = [Some(*maker); 2];
                    out[side] = Some(here);
                    out
                })
            })
        })
    }

    /// Whether two instructions are not the same, and either is somewhere in the code of the other side, too: neither is
    /// wrong then, and what is wrong is that it was executed.
    fn elsewhere(&self, sides: [usize; 2], nodes: [&Node; 2]) -> bool {
        let has = |n: usize| self.flows[sides[1 - n]].text.contains(&nodes[n].whole);
        nodes[0].whole != nodes[1].whole && has(0) && has(1)
    }

    /// The jump right before the first other instruction of a range.
    fn turn(&self, side: usize, range: &Range<usize>) -> Option<usize> {
        let first = range.clone().find(|n| self.node(side, *n).turn != Turn::Jump).unwrap_or(range.end);
        let before = first.checked_sub(1)?;
        matches!(self.node(side, before).turn, Turn::Jump | Turn::Branch).then_some(before)
    }

    fn by(&self, side: usize, branch: usize, against: Option<usize>) -> Path {
        let makers = self.node(side, branch).makers.iter().copied();
        let makers: Vec<usize> = makers.filter(|n| self.lone(side, *n)).collect();
        if !makers.is_empty() {
            return Path::By(makers);
        }
        let mut blamed = [against; 2];
        blamed[side] = Some(branch);
        Path::Elsewhere(blamed)
    }

    /// An instruction, and what the other side has in its place.
    fn beside(&self, side: usize, n: usize, others: &[usize]) -> [Option<usize>; 2] {
        let other = 1 - side;
        let range = self.between(other, self.gap(side, n));
        let shape = &self.node(side, n).shape;
        let list = || range.clone().filter(|m| self.node(other, *m).turn != Turn::Jump);
        let of = |m: &usize| &self.node(other, *m).shape;
        let found = list().find(|m| others.contains(m) && of(m).0 == shape.0);
        let found = found.or_else(|| list().find(|m| of(m).0 == shape.0));
        let found = found.or_else(|| list().find(|m| others.contains(m)));
        let found = found.or_else(|| list().find(|m| of(m).1 == shape.1)).or_else(|| list().next());
        let mut out = [found; 2];
        out[side] = Some(n);
        out
    }
}
