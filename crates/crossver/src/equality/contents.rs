//! Data by content: objects that correspond, constants that are equal, what anchors reach.

use super::matcher::Matcher;
use super::side::Side;
use super::verdict::{Assumption, Difference};
use crate::objects::addend::{field, fold, is_distance};
use crate::objects::data::{Extent, gap, merged_entry};
use crate::objects::{Arch, Image, Reloc};
use crate::places::{Place, resolve};

impl Matcher<'_> {
    pub(super) fn data(&mut self, a: &Place, b: &Place, access: Option<u64>) -> Result<(), Difference> {
        let (Some(x), Some(y)) = (Target::of(self.old, a), Target::of(self.new, b)) else {
            return Err(Difference::Unresolved("data outside its section"));
        };
        let (s, t) = (&self.old.image.sections[x.extent.section], &self.new.image.sections[y.extent.section]);
        if s.write != t.write || s.tls != t.tls {
            return Err(Difference::Name(self.show(a, b)));
        }
        if x.inner != y.inner {
            return Err(Difference::Name(self.show(a, b)));
        }
        // An access within the object cannot mean another one.
        let within = |size: u64| x.inner >= 0 && x.inner as u64 + size <= x.extent.size();
        let plain = access.is_some_and(within);
        // A text may lie among other data at one level and in a section of texts at another.
        let text = x.merged != y.merged && !self.old.anchored && !self.new.anchored;
        if x.through != y.through && !plain && !text {
            return Err(Difference::Name(self.show(a, b)));
        }
        match (x.symbol, y.symbol) {
            (Some(m), Some(n)) => self.named(m, n, s.write)?,
            (None, None) if s.write => return self.window(&x, &y, true),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => return Err(Difference::Name(self.show(a, b))),
        }
        if (x.through || y.through) && !plain {
            if self.old.anchored || self.new.anchored {
                self.window(&x, &y, s.write)?;
            } else if x.symbol.is_some() && !self.same_neighbours(&x, &y) {
                // By address alone the object before may be meant, or the one behind.
                self.assumptions.insert(Assumption::StaysInObject);
            }
        }
        if s.write {
            return Ok(());
        }
        if let Some(size) = access.filter(|size| plain && *size > 0 && x.symbol.is_none() && !x.merged) {
            // What is read is known, whatever else lies there.
            let read = |t: &Target| Extent {
                section: t.extent.section,
                start: t.offset as u64,
                end: t.offset as u64 + size,
            };
            let fits = x.offset as u64 + size <= x.extent.end && y.offset as u64 + size <= y.extent.end;
            if fits {
                return self.equal(read(&x), read(&y));
            }
        }
        self.contents(&x, &y)
    }

    /// Whether two named objects correspond.
    fn named(&self, m: usize, n: usize, write: bool) -> Result<(), Difference> {
        let (old, new) = (&self.old.image.symbols[m], &self.new.image.symbols[n]);
        let same = if !old.local && !new.local {
            old.name == new.name
        } else if write {
            self.pairing.data(m) == Some(n)
        } else {
            crate::pairing::names::data_base(&old.name) == crate::pairing::names::data_base(&new.name)
        };
        if same { Ok(()) } else { Err(Difference::Name(format!("{} | {}", old.name, new.name))) }
    }

    /// Whether the same objects lie before and behind, as far away.
    fn same_neighbours(&self, x: &Target, y: &Target) -> bool {
        let near = |side: &Side, t: &Target, forward: bool| {
            let named = &side.image.sections[t.extent.section].named;
            let symbols = &side.image.symbols;
            let at = named.partition_point(|n| symbols[*n].value < t.extent.start);
            let other = if forward {
                named[at..].iter().find(|n| symbols[**n].value >= t.extent.end)
            } else {
                named[..at].last()
            };
            other.map(|n| {
                let s = &symbols[*n];
                let distance = if forward {
                    s.value - t.extent.end
                } else {
                    t.extent.start.wrapping_sub(s.value + s.size)
                };
                (crate::pairing::names::data_base(&s.name).to_owned(), distance)
            })
        };
        let behind = || near(self.old, x, true) == near(self.new, y, true);
        let before = near(self.old, x, false) == near(self.new, y, false);
        // What points to the start of an object may be the end of the one before, and nothing of the one behind.
        before && (x.inner == 0 || behind())
    }

    /// Whether all that instructions reach from an anchor in a section is the same: objects that can be written, one by
    /// one at the same distances, or read-only contents.
    fn window(&mut self, x: &Target, y: &Target, write: bool) -> Result<(), Difference> {
        let differs = || Difference::Layout(self.old.image.sections[x.extent.section].name.clone());
        let room = |side: &Side, t: &Target| {
            let size = side.image.sections[t.extent.section].size as i64;
            (t.offset.min(BEHIND), (size - t.offset).clamp(0, REACH))
        };
        let (a, b) = (room(self.old, x), room(self.new, y));
        // Beyond the end of either section neither may go.
        let (back, forward) = (a.0.min(b.0), a.1.min(b.1));
        if !write {
            let extent = |t: &Target| Extent {
                section: t.extent.section,
                start: t.offset as u64,
                end: (t.offset + forward) as u64,
            };
            return self.equal(extent(x), extent(y)).map_err(|_| differs());
        }
        let reached = |side: &Side, t: &Target| -> Vec<(i64, u64, usize)> {
            let symbols = &side.image.symbols;
            let of = |n: &usize| (symbols[*n].value as i64 - t.offset, symbols[*n].size, *n);
            let named = side.image.sections[t.extent.section].named.iter().map(of);
            named.filter(|(at, size, _)| at + *size as i64 > -back && *at < forward).collect()
        };
        let (p, q) = (reached(self.old, x), reached(self.new, y));
        let same = |(m, n): (&(i64, u64, usize), &(i64, u64, usize))| {
            m.0 == n.0 && m.1 == n.1 && self.named(m.2, n.2, true).is_ok()
        };
        if p.is_empty() || p.len() != q.len() || !p.iter().zip(&q).all(same) {
            return Err(differs());
        }
        Ok(())
    }

    /// Whether read-only contents are equal, what they refer to included.
    fn contents(&mut self, x: &Target, y: &Target) -> Result<(), Difference> {
        if x.symbol.is_some() || x.merged && y.merged {
            return self.equal(x.extent, y.extent);
        }
        if x.merged || y.merged {
            return self.text(x, y);
        }
        // Without names, all that lies between the named ones must be equal, or the piece up to the next reference.
        let kept = (self.assumptions.clone(), self.callees.clone(), self.seen.clone(), self.pending.len());
        let same_start = x.offset - x.extent.start as i64 == y.offset - y.extent.start as i64;
        if same_start && self.equal(x.extent, y.extent).is_ok() {
            return Ok(());
        }
        // What the failed attempt noted is worth nothing.
        (self.assumptions, self.callees, self.seen) = (kept.0, kept.1, kept.2);
        self.pending.truncate(kept.3);
        let (mut a, mut b) = (piece(self.old, x), piece(self.new, y));
        trim_padding(self.old, &mut a, self.new, &mut b);
        self.equal(a, b)?;
        if !self.is_jump_table(a) {
            self.assumptions.insert(Assumption::EndsAtNext);
        }
        Ok(())
    }

    /// Whether an entry of a section of such is also what lies at a place without a name, which ends with it: a string does, and
    /// anything else but for padding.
    fn text(&mut self, x: &Target, y: &Target) -> Result<(), Difference> {
        let size = if x.merged { x.extent.size() } else { y.extent.size() };
        let cut = |t: &Target| {
            let start = if t.merged { t.extent.start } else { t.offset as u64 };
            Extent { start, end: start.saturating_add(size).min(t.extent.end), ..t.extent }
        };
        let [(home, entry), (side, other)] = match x.merged {
            true => [(self.old, x), (self.new, y)],
            false => [(self.new, y), (self.old, x)],
        };
        let rest = Extent { start: cut(other).end, ..piece(side, other) };
        let section = &side.image.sections[rest.section];
        // A string that ends before the next place that is referred to: what lies there is referred to by its middle alone.
        let string = home.image.sections[entry.extent.section].strings;
        let padding = string
            || rest.start >= rest.end
            || section.relocs_in(rest.start, rest.end).is_empty()
                && section.read(rest.start, rest.end - rest.start).is_some_and(|b| b.iter().all(|b| *b == 0));
        if !padding {
            return Err(Difference::Contents(format!("what lies behind {}+{:#x}", section.name, rest.start)));
        }
        self.equal(cut(x), cut(y))?;
        self.assumptions.insert(Assumption::EndsAtNext);
        Ok(())
    }

    /// Whether every word is a place in the old function: a jump table, bounded by its relocations.
    fn is_jump_table(&self, a: Extent) -> bool {
        let image = self.old.image;
        let relocs = image.sections[a.section].relocs_in(a.start, a.end);
        let Some(width) = relocs.first().and_then(|r| field(image.arch, r.kind)).map(|f| u64::from(f.0))
        else {
            return false;
        };
        let mut places: Vec<u64> = relocs.iter().map(|r| r.offset).collect();
        places.dedup();
        let inside = |r: &Reloc| {
            // RISC-V says a distance by two: from the code, and from the table.
            let from_table = image.arch.is_riscv() && fold(image.arch, r.kind) == 39;
            from_table || matches!(word_place(image, self.functions.0, r, a.start), Place::Own { .. })
        };
        places.len() as u64 * width == a.size() && relocs.iter().all(inside)
    }

    /// Whether two stretches of read-only data are equal.
    ///
    /// # Errors
    /// What differs.
    pub fn equal(&mut self, a: Extent, b: Extent) -> Result<(), Difference> {
        let differs = |what: &str, image: &Image, e: Extent| {
            Difference::Contents(format!("{what} of {}+{:#x}", image.sections[e.section].name, e.start))
        };
        if a.size() != b.size() {
            return Err(differs("the size", self.new.image, b));
        }
        if !self.seen.insert((a, b)) {
            return Ok(());
        }
        let result = self
            .equal_bytes(a, b)
            .and_then(|same| if same { Ok(()) } else { Err(differs("the contents", self.new.image, b)) });
        if result.is_err() {
            self.seen.remove(&(a, b));
        }
        result
    }

    fn equal_bytes(&mut self, a: Extent, b: Extent) -> Result<bool, Difference> {
        let (s, t) = (&self.old.image.sections[a.section], &self.new.image.sections[b.section]);
        let (Some(mut x), Some(mut y)) = (s.read(a.start, a.size()), t.read(b.start, b.size())) else {
            return Err(Difference::Unresolved("data that is too large"));
        };
        let (p, q) = (s.relocs_in(a.start, a.end), t.relocs_in(b.start, b.end));
        if p.len() != q.len() {
            return Ok(false);
        }
        for (r, u) in p.iter().zip(q) {
            blank(self.old.image.arch, r, a.start, x.to_mut());
            blank(self.new.image.arch, u, b.start, y.to_mut());
        }
        if x != y {
            return Ok(false);
        }
        if self.old.image.fixed && self.holds_addresses(&x) {
            return Err(Difference::Unresolved("numbers that may be addresses"));
        }
        for (r, u) in p.iter().zip(q) {
            if !self.same_kind(r, u) || r.offset - a.start != u.offset - b.start {
                return Ok(false);
            }
            let m = word_place(self.old.image, self.functions.0, r, a.start);
            let n = word_place(self.new.image, self.functions.1, u, b.start);
            self.same(&m, &n, None)?;
        }
        Ok(true)
    }

    /// Whether two relocations fill in the same: for two machines only whole addresses do.
    fn same_kind(&self, r: &Reloc, u: &Reloc) -> bool {
        let (old, new) = (self.old.image.arch, self.new.image.arch);
        if old == new {
            return fold(old, r.kind) == fold(old, u.kind);
        }
        let pointer = |arch: Arch, kind: u32| {
            let whole = field(arch, kind) == Some((arch.pointer_size() as u8, u64::MAX));
            (whole && !is_distance(arch, kind)).then(|| arch.pointer_size())
        };
        pointer(old, r.kind).is_some() && pointer(old, r.kind) == pointer(new, u.kind)
    }

    /// Whether a word of a file with fixed addresses lies in one of its sections.
    fn holds_addresses(&self, bytes: &[u8]) -> bool {
        let size = self.old.image.arch.pointer_size() as usize;
        bytes.chunks_exact(size).any(|word| {
            let value = word.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
            value != 0 && (self.old.image.locate(value).is_some() || self.new.image.locate(value).is_some())
        })
    }
}

/// How far instructions reach from an anchor, forwards and backwards, in bytes: the most of AArch64, ARM and RISC-V.
const REACH: i64 = 4096;
const BEHIND: i64 = 2048;

/// What a word of data refers to. One that holds a distance is used as one from the start of its table.
fn word_place(image: &Image, function: usize, reloc: &Reloc, start: u64) -> Place {
    let distance = is_distance(image.arch, reloc.kind) && !image.linked;
    let inside = if distance { reloc.offset.wrapping_sub(start) as i64 } else { 0 };
    resolve(image, function, reloc.referent, reloc.addend.wrapping_sub(inside))
}

/// Sets the bits that a relocation fills to zero.
fn blank(arch: Arch, reloc: &Reloc, start: u64, bytes: &mut [u8]) {
    let (size, mask) = match reloc.kind {
        crate::objects::POINTER => (arch.pointer_size() as u8, u64::MAX),
        kind => field(arch, kind).unwrap_or((4, 0xffff_ffff)),
    };
    clear(bytes, reloc.offset.wrapping_sub(start) as usize, size, mask);
}

/// Clears bits of little-endian bytes.
pub fn clear(bytes: &mut [u8], at: usize, size: u8, mask: u64) {
    for n in 0..usize::from(size) {
        if let Some(byte) = at.checked_add(n).and_then(|at| bytes.get_mut(at)) {
            *byte &= !((mask >> (8 * n)) as u8);
        }
    }
}

/// What lies from a place on up to the next one that is referred to.
fn piece(side: &Side, t: &Target) -> Extent {
    let list = &side.referred[t.extent.section];
    let start = t.offset as u64;
    let next = list.get(list.partition_point(|at| *at <= start)).copied();
    Extent { start, end: next.unwrap_or(t.extent.end).min(t.extent.end), ..t.extent }
}

/// Padding at the end of the longer piece: zeros up to the next alignment of at most 32 bytes.
fn trim_padding(old: &Side, a: &mut Extent, new: &Side, b: &mut Extent) {
    let (long, side, short) = if a.size() > b.size() { (a, old, b.size()) } else { (b, new, a.size()) };
    let extra = long.size() - short;
    if extra == 0 || extra >= 32 {
        return;
    }
    let section = &side.image.sections[long.section];
    let zero = section.read(long.start + short, extra).is_some_and(|bytes| bytes.iter().all(|b| *b == 0));
    if zero && section.relocs_in(long.start + short, long.end).is_empty() {
        long.end = long.start + short;
    }
}

/// Data that a reference means.
struct Target {
    extent: Extent,
    /// The referred offset in its section.
    offset: i64,
    /// Bytes from the object's start to it; 0 for unnamed data.
    inner: i64,
    symbol: Option<usize>,
    merged: bool,
    through: bool,
}

impl Target {
    fn of(side: &Side, place: &Place) -> Option<Target> {
        let Place::Data { section, offset, symbol, through } = place else { return None };
        let (section, offset, through) = (*section, *offset, *through);
        let image = side.image;
        let named = |n: usize| {
            let s = &image.symbols[n];
            let extent = Extent { section, start: s.value, end: s.value + s.size };
            let inner = offset - s.value as i64;
            Target { extent, offset, inner, symbol: Some(n), merged: false, through }
        };
        let merged = |extent: Extent| {
            let inner = offset - extent.start as i64;
            Target { extent, offset, inner, symbol: None, merged: true, through: false }
        };
        if let Some(n) = *symbol {
            let s = &image.symbols[n];
            let inside = (0..s.size as i64).contains(&(offset - s.value as i64));
            // A linker takes what a local name stands for in such a section for any other entry that is equal.
            let entry = merged_entry(image, section, s.value).filter(|_| s.local && inside);
            let whole = entry.filter(|e| e.start == s.value && e.size() == s.size);
            return Some(whole.map_or_else(|| named(n), merged));
        }
        let at = u64::try_from(offset).ok()?;
        if let Some(extent) = merged_entry(image, section, at) {
            return Some(merged(extent));
        }
        if let Some(n) = image.object_at(section, at) {
            return Some(named(n));
        }
        // One past the last object of a section.
        let ends = |n: &&usize| image.symbols[**n].value + image.symbols[**n].size == at;
        if at == image.sections[section].size
            && let Some(n) = image.sections[section].named.iter().rev().find(ends)
        {
            return Some(named(*n));
        }
        let extent = gap(image, section, at)?;
        Some(Target { extent, offset, inner: 0, symbol: None, merged: false, through })
    }
}
