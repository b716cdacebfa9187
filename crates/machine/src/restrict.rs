//! `restrict` (C11 6.7.3.1): which restrict pointers a pointer value is based on, and who touched which bytes while
//! their blocks ran.
//!
//! Eight spare bits of a provenance, its *tag*, name a [`Node`]: a restrict pointer object in one execution of its
//! block, and the tag that the pointer's own value had, so that a tag stands for the chain of all restrict pointers
//! its value is based on. While such a block runs, accesses to memory are logged by byte. Two accesses of a byte
//! conflict when one of them writes and a restrict pointer whose block was running at both is in the chain of one
//! and not in that of the other (6.7.3.1p4). What cannot be decided makes an execution *muted*: pointers turned into
//! integers, subtracted or found equal across chains, more pointers than tags, jumps out of blocks.

use crate::mem::Ptr;
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry as Entered;

/// Where the tag lies in a provenance.
const SHIFT: u32 = 24;
/// The bits of the tag.
pub const TAG: u64 = 0xff << SHIFT;
/// Logged granules at which detection gives up: a bound on memory.
const MOST: usize = 1 << 20;
/// Pointer objects whose last tag is kept at hand.
const RECENT: usize = 16;

/// Granules whose last access is kept at hand.
const LAST: usize = 256;

/// The tag of a provenance.
#[inline(always)]
pub fn tag(prov: u64) -> u8 {
    (prov >> SHIFT) as u8
}

/// An execution of a block that declares restrict pointers.
#[derive(Copy, Clone, Debug)]
pub struct Execution {
    /// When it began: a number of its own.
    pub start: u64,
    /// The frame it belongs to: depth and serial number; depth 0 for `main`'s block, where file-scope pointers belong.
    pub depth: usize,
    /// See `depth`.
    pub serial: u64,
    /// Nothing is decided about it any more.
    muted: bool,
}

/// What a tag stands for.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Node {
    /// Start of the execution.
    start: u64,
    /// The pointer object, an index into [`crate::bytecode::Program::restricts`].
    object: u32,
    /// What the pointer's value was based on itself.
    parent: u8,
    /// Is it restrict-qualified *and* a pointer to const?
    konst: bool,
}

/// Accesses of eight bytes: by whom, which bytes, since when.
#[derive(Copy, Clone, Debug)]
struct Entry {
    tag: u8,
    read: u8,
    written: u8,
    /// Start of the execution that was innermost.
    time: u64,
}

/// A use of a pointer object, and what came of it.
#[derive(Copy, Clone, Debug, Default)]
struct Used {
    epoch: u64,
    prov: u64,
    start: u64,
    object: u32,
    konst: bool,
    new: u64,
}

/// The last accesses of a granule of eight bytes in one epoch, all by one tag: more of the same bytes decide nothing
/// and change no log.
#[derive(Copy, Clone, Debug, Default)]
struct LastAccess {
    epoch: u64,
    granule: u64,
    generation: u32,
    tag: u8,
    read: u8,
    written: u8,
    /// Its place in [`Restrict::granules`].
    slot: u32,
    /// Are they all that is logged of it?
    alone: bool,
}

/// The state of detection.
#[derive(Debug)]
pub struct Restrict {
    /// Executions in progress, oldest first.
    running: Vec<Execution>,
    next: u64,
    nodes: Vec<Node>,
    free: Vec<u8>,
    /// The tag last given out, by pointer object.
    recent: [u8; RECENT],
    /// Counts the changes of [`Restrict::running`] and of the nodes in use.
    epoch: u64,
    /// The last use, by pointer object.
    used: [Used; RECENT],
    /// By granule.
    last: Box<[LastAccess; LAST]>,
    /// Where in [`Restrict::granules`] what is: by generation and granule.
    log: FxHashMap<(u32, u64), u32>,
    granules: Vec<Vec<Entry>>,
    /// No execution that began later has a tag, and these are the tags of this one.
    newest: u64,
    made: Vec<u8>,
    names: Vec<String>,
}

impl Restrict {
    /// State for a program whose restrict pointers have these names; with `file_scope`, some belong to `main`.
    pub fn new(names: Vec<String>, file_scope: bool) -> Restrict {
        let main = Execution { start: 1, depth: 0, serial: 0, muted: false };
        Restrict {
            running: if file_scope { vec![main] } else { Vec::new() },
            next: 2,
            nodes: vec![Node::default(); 256],
            free: (1..=255).rev().collect(),
            recent: [0; RECENT],
            epoch: 1,
            used: [Used::default(); RECENT],
            last: Box::new([LastAccess::default(); LAST]),
            log: FxHashMap::default(),
            granules: Vec::new(),
            newest: 0,
            made: Vec::new(),
            names,
        }
    }

    /// A block begins; gives the number of its execution.
    pub fn open(&mut self, depth: usize, serial: u64) -> u64 {
        let start = self.next;
        self.next += 1;
        self.epoch += 1;
        self.running.push(Execution { start, depth, serial, muted: false });
        start
    }

    /// A block ends, and with it all that began later.
    pub fn close(&mut self, start: u64) {
        let at = self.running.partition_point(|r| r.start < start);
        self.running.truncate(at);
        self.epoch += 1;
    }

    /// The innermost execution.
    #[inline(always)]
    pub fn last(&self) -> Option<&Execution> {
        self.running.last()
    }

    /// Forgets the innermost execution, whose frame has ended.
    pub fn drop_last(&mut self) {
        self.running.pop();
        self.epoch += 1;
    }

    /// Stops deciding anything about what runs now.
    pub fn mute_all(&mut self) {
        self.running.iter_mut().for_each(|r| r.muted = true);
        self.epoch += 1;
    }

    fn execution(&self, start: u64) -> Option<&Execution> {
        let at = self.running.binary_search_by_key(&start, |r| r.start).ok()?;
        Some(&self.running[at])
    }

    fn decided(&self, start: u64) -> bool {
        self.execution(start).is_some_and(|r| !r.muted)
    }

    fn mute(&mut self, start: u64) {
        self.epoch += 1;
        if let Ok(at) = self.running.binary_search_by_key(&start, |r| r.start) {
            self.running[at].muted = true;
        }
    }

    fn chain(&self, tag: u8) -> impl Iterator<Item = &Node> {
        let mut tag = tag;
        std::iter::from_fn(move || {
            let node = &self.nodes[usize::from(tag)];
            let more = tag != 0;
            tag = node.parent;
            more.then_some(node)
        })
    }

    fn based(&self, tag: u8, on: &Node) -> bool {
        self.chain(tag).any(|n| n.start == on.start && n.object == on.object)
    }

    /// Nothing is decided any more about the pointers that a value is based on.
    pub fn mute_chain(&mut self, of: u8) {
        let starts: Vec<u64> = self.chain(of).map(|n| n.start).collect();
        starts.into_iter().for_each(|start| self.mute(start));
    }

    /// Two pointers met in a way that lets one tell something of the other.
    pub fn meet(&mut self, a: u64, b: u64) {
        if tag(a) != tag(b) {
            self.mute_chain(tag(a));
            self.mute_chain(tag(b));
        }
    }

    /// The value of restrict pointer `object` is used: the same value, based on that object too. `None` when no tag is
    /// left.
    #[inline]
    pub fn use_of(&mut self, prov: u64, start: u64, object: u32, konst: bool) -> Option<u64> {
        let used = &self.used[object as usize % RECENT];
        if (used.epoch, used.prov, used.start) == (self.epoch, prov, start)
            && (used.object, used.konst) == (object, konst)
        {
            return Some(used.new);
        }
        let new = self.first_use_of(prov, start, object, konst)?;
        self.used[object as usize % RECENT] = Used { epoch: self.epoch, prov, start, object, konst, new };
        Some(new)
    }

    fn first_use_of(&mut self, prov: u64, start: u64, object: u32, konst: bool) -> Option<u64> {
        let parent = tag(prov);
        let node = Node { start, object, parent, konst };
        if prov == 0 || !self.decided(start) || self.based(parent, &node) {
            return Some(prov);
        }
        let recent = self.recent[object as usize % RECENT];
        let same = |n: &Node| *n == node;
        let new = if same(&self.nodes[usize::from(recent)]) {
            recent
        } else {
            if start > self.newest {
                self.newest = start;
                self.made.clear();
            }
            let known = if start == self.newest {
                self.made.iter().copied().find(|tag| same(&self.nodes[usize::from(*tag)]))
            } else {
                self.nodes.iter().position(same).map(|at| at as u8)
            };
            match known {
                Some(tag) => tag,
                None => {
                    let free = self.free.pop()?;
                    self.nodes[usize::from(free)] = node;
                    if start == self.newest {
                        self.made.push(free);
                    }
                    free
                }
            }
        };
        self.recent[object as usize % RECENT] = new;
        Some(prov & !TAG | u64::from(new) << SHIFT)
    }

    /// No tag is left for an execution.
    pub fn give_up(&mut self, start: u64) {
        self.mute(start);
    }

    /// Frees the tags that no pointer in `seen` carries and that stand for nothing that runs.
    pub fn collect(&mut self, mut seen: [bool; 256]) {
        self.epoch += 1;
        for entries in &mut self.granules {
            for entry in entries.iter_mut() {
                entry.tag = settled(&self.running, &self.nodes, entry.tag);
                seen[usize::from(entry.tag)] = true;
            }
        }
        for at in 1..=255u8 {
            if self.nodes[usize::from(at)].start != 0
                && self.execution(self.nodes[usize::from(at)].start).is_some()
            {
                seen[usize::from(at)] = true;
            }
        }
        // Parents of what stays stay.
        for at in 1..=255u8 {
            let mut tag = at;
            while seen[usize::from(at)] && tag != 0 {
                seen[usize::from(tag)] = true;
                tag = self.nodes[usize::from(tag)].parent;
            }
        }
        self.free.clear();
        for at in (1..=255u8).rev() {
            if !seen[usize::from(at)] {
                self.nodes[usize::from(at)] = Node::default();
                self.free.push(at);
            }
        }
    }

    /// The pointer `object` of a block's execution takes a value: it may only be based on restrict pointers of blocks
    /// that began earlier (6.7.3.1p4).
    pub fn assign(&self, prov: u64, start: u64, object: u32) -> Res<()> {
        if !self.decided(start) {
            return Ok(());
        }
        let wrong = self
            .chain(tag(prov))
            .find(|n| n.start >= start && (n.start, n.object) != (start, object) && self.decided(n.start));
        match wrong {
            None => Ok(()),
            Some(node) => undefined(
                Ub::RestrictViolation,
                format!(
                    "'{}' is assigned a pointer based on '{}', whose block did not begin earlier",
                    self.name(object),
                    self.name(node.object)
                ),
            ),
        }
    }

    fn name(&self, object: u32) -> &str {
        self.names.get(object as usize).map_or("", String::as_str)
    }

    /// Logs an access of `n` bytes and compares it with those before.
    #[inline]
    pub fn access(&mut self, ptr: Ptr, n: u64, write: bool) -> Res<()> {
        let first = ptr.addr & 7;
        let granule = ptr.addr >> 3;
        let last = &mut self.last[granule as usize % LAST];
        if (last.epoch, last.granule) == (self.epoch, granule)
            && (last.generation, last.tag) == ((ptr.prov >> 32) as u32, tag(ptr.prov))
            && (1..=8 - first).contains(&n)
        {
            let bits = bits(ptr.addr, ptr.addr + n);
            let known = if write { last.written } else { last.read | last.written };
            if bits & !known == 0 {
                return Ok(());
            }
            // A tag that wrote before may write.
            if last.alone
                && (!write || last.written != 0)
                && let Some(entry) = self.granules[last.slot as usize].first_mut()
            {
                *if write { &mut entry.written } else { &mut entry.read } |= bits;
                *if write { &mut last.written } else { &mut last.read } |= bits;
                return Ok(());
            }
        }
        self.new_access(ptr, n, write)
    }

    /// The log has an access of these bytes by a pointer of this tag, and nothing of it is wrong.
    fn note(&mut self, granule: u64, prov: u64, bits: u8, write: bool, slot: u32) {
        let (generation, tag) = ((prov >> 32) as u32, tag(prov));
        let last = &mut self.last[granule as usize % LAST];
        if (last.epoch, last.granule, last.generation, last.tag) != (self.epoch, granule, generation, tag) {
            *last = LastAccess {
                epoch: self.epoch,
                granule,
                generation,
                tag,
                read: 0,
                written: 0,
                slot,
                alone: false,
            };
        }
        (last.slot, last.alone) = (slot, self.granules[slot as usize].len() == 1);
        *if write { &mut last.written } else { &mut last.read } |= bits;
    }

    #[inline(never)]
    fn new_access(&mut self, ptr: Ptr, n: u64, write: bool) -> Res<()> {
        let Some(innermost) = self.running.last() else { return Ok(()) };
        if n == 0 || ptr.prov == 0 {
            return Ok(());
        }
        let (time, oldest) = (innermost.start, self.running[0].start);
        let mine = settled(&self.running, &self.nodes, tag(ptr.prov));
        if write && let Some(node) = self.chain(mine).find(|n| n.konst && self.decided(n.start)) {
            return undefined(
                Ub::RestrictViolation,
                format!(
                    "an object is modified through '{}', a restrict pointer to const",
                    self.name(node.object)
                ),
            );
        }
        if self.log.len() >= MOST {
            self.log.clear();
            self.granules.clear();
            self.mute_all();
        }
        let generation = (ptr.prov >> 32) as u32;
        let end = ptr.addr.saturating_add(n);
        let mut at = ptr.addr;
        while at < end {
            let stop = ((at | 7) + 1).min(end);
            let bits = bits(at, stop);
            let key = (generation, at >> 3);
            at = stop;
            let slot = match self.log.entry(key) {
                Entered::Occupied(entry) => *entry.get(),
                Entered::Vacant(entry) => {
                    let slot = self.granules.len() as u32;
                    self.granules.push(Vec::new());
                    *entry.insert(slot)
                }
            };
            let kept = &mut self.granules[slot as usize];
            if let [entry] = kept.as_mut_slice()
                && (entry.tag, entry.time) == (mine, time)
            {
                *if write { &mut entry.written } else { &mut entry.read } |= bits;
                self.note(key.1, ptr.prov, bits, write, slot);
                continue;
            }
            if kept.iter().all(|e| e.time < oldest) {
                let (read, written) = if write { (0, bits) } else { (bits, 0) };
                kept.clear();
                kept.push(Entry { tag: mine, read, written, time });
                self.note(key.1, ptr.prov, bits, write, slot);
                continue;
            }
            let mut entries = std::mem::take(kept);
            entries.retain(|e| e.time >= oldest);
            let mut found = None;
            for (k, entry) in entries.iter_mut().enumerate() {
                entry.tag = settled(&self.running, &self.nodes, entry.tag);
                // Only which of the running executions had begun matters.
                let begun = self.running.partition_point(|r| r.start <= entry.time);
                entry.time = self.running[begun - 1].start;
                if entry.tag == mine && entry.time == time {
                    found = Some(k);
                }
                let met = if write { entry.read | entry.written } else { entry.written } & bits;
                if met != 0 && entry.tag != mine {
                    self.compare(entry.tag, mine, entry.time, ptr)?;
                }
            }
            let k = match found {
                Some(k) => k,
                None => {
                    entries.push(Entry { tag: mine, read: 0, written: 0, time });
                    entries.len() - 1
                }
            };
            if write {
                entries[k].written |= bits;
            } else {
                entries[k].read |= bits;
            }
            self.granules[slot as usize] = entries;
            self.note(key.1, ptr.prov, bits, write, slot);
        }
        Ok(())
    }

    /// Two accesses of a byte, one a write: is one of them based on a pointer that the other is not?
    fn compare(&self, a: u8, b: u8, time: u64, ptr: Ptr) -> Res<()> {
        for (one, other) in [(a, b), (b, a)] {
            let wrong =
                self.chain(one).find(|n| n.start <= time && self.decided(n.start) && !self.based(other, n));
            if let Some(node) = wrong {
                return undefined(
                    Ub::RestrictViolation,
                    format!(
                        "the object at {:#x} is modified, and accessed both through a pointer based on '{}' and through \
                         another that is not",
                        ptr.addr,
                        self.name(node.object)
                    ),
                );
            }
        }
        Ok(())
    }
}

/// The bytes from one address to another of their granule of eight.
#[inline(always)]
fn bits(from: u64, to: u64) -> u8 {
    (0xffu16 << (from & 7)) as u8 & (0xff >> (7 - ((to - 1) & 7)))
}

/// The tag without pointers of blocks that have ended at its head.
fn settled(running: &[Execution], nodes: &[Node], mut tag: u8) -> u8 {
    while tag != 0 {
        let node = &nodes[usize::from(tag)];
        if running.binary_search_by_key(&node.start, |r| r.start).is_ok() {
            break;
        }
        tag = node.parent;
    }
    tag
}
