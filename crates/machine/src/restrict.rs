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

/// Where the tag lies in a provenance.
const SHIFT: u32 = 24;
/// The bits of the tag.
pub const TAG: u64 = 0xff << SHIFT;
/// Logged granules at which detection gives up: a bound on memory.
const MOST: usize = 1 << 20;
/// Pointer objects whose last tag is kept at hand.
const RECENT: usize = 16;

/// The tag of a provenance.
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
    log: FxHashMap<(u32, u64), Vec<Entry>>,
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
            log: FxHashMap::default(),
            names,
        }
    }

    /// A block begins; gives the number of its execution.
    pub fn open(&mut self, depth: usize, serial: u64) -> u64 {
        let start = self.next;
        self.next += 1;
        self.running.push(Execution { start, depth, serial, muted: false });
        start
    }

    /// A block ends, and with it all that began later.
    pub fn close(&mut self, start: u64) {
        let at = self.running.partition_point(|r| r.start < start);
        self.running.truncate(at);
    }

    /// The innermost execution.
    pub fn last(&self) -> Option<Execution> {
        self.running.last().copied()
    }

    /// Forgets the innermost execution, whose frame has ended.
    pub fn drop_last(&mut self) {
        self.running.pop();
    }

    /// Stops deciding anything about what runs now.
    pub fn mute_all(&mut self) {
        self.running.iter_mut().for_each(|r| r.muted = true);
    }

    fn execution(&self, start: u64) -> Option<&Execution> {
        let at = self.running.binary_search_by_key(&start, |r| r.start).ok()?;
        Some(&self.running[at])
    }

    fn decided(&self, start: u64) -> bool {
        self.execution(start).is_some_and(|r| !r.muted)
    }

    fn mute(&mut self, start: u64) {
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
    pub fn use_of(&mut self, prov: u64, start: u64, object: u32, konst: bool) -> Option<u64> {
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
            match self.nodes.iter().position(same) {
                Some(at) => at as u8,
                None => {
                    let free = self.free.pop()?;
                    self.nodes[usize::from(free)] = node;
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
        for entries in self.log.values_mut() {
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
    pub fn access(&mut self, ptr: Ptr, n: u64, write: bool) -> Res<()> {
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
            self.mute_all();
        }
        let generation = (ptr.prov >> 32) as u32;
        let end = ptr.addr.saturating_add(n);
        let mut at = ptr.addr;
        while at < end {
            let stop = ((at | 7) + 1).min(end);
            let bits = (0xffu16 << (at & 7)) as u8 & (0xff >> (7 - ((stop - 1) & 7)));
            let key = (generation, at >> 3);
            at = stop;
            let kept = self.log.entry(key).or_default();
            if let [entry] = kept.as_mut_slice()
                && (entry.tag, entry.time) == (mine, time)
            {
                *if write { &mut entry.written } else { &mut entry.read } |= bits;
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
            self.log.insert(key, entries);
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
