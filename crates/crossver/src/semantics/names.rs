//! One name for what both files mean by a reference, so that a proof rests on the same notion of a name as the cheap
//! way ([`Matcher::same`]).
//!
//! Functions go by the name of the new side's partner; objects that can be written by their own name or their partner's;
//! constants by the place of the new side's that is equal.

use crate::equality::matcher::Matcher;
use crate::equality::side::Side;
use crate::equality::verdict::Assumption;
use crate::objects::data::merged_entry;
use crate::objects::{Arch, Home, Image};
use crate::pairing::Pairing;
use crate::places::{Place, references, resolve};
use langs::machine_code::{self, Held};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most bytes of a constant that are looked at.
const LONGEST: u64 = 64;

/// Names of constants, by section and offset.
type Placed = BTreeMap<(usize, i64), String>;

/// What the name of a callee, as [`Names`] gives it, stands for in a pair of functions. Local functions, and those without
/// a partner, have a word and a space in front of theirs, which no symbol of C has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee<'a> {
    /// What both sides call by this name.
    Global(&'a str),
    /// A local function of both files.
    Local(&'a str),
    /// A function of the old file that has no partner in the new one.
    Old(&'a str),
}

/// In front of the name of a function that is local in both files.
const LOCAL: &str = "local ";
/// In front of the name of a function of the old file that has no partner in the new one.
const OLD: &str = "old ";

impl<'a> Callee<'a> {
    /// What a name of [`Names`] stands for.
    #[must_use]
    pub fn of(name: &'a str) -> Callee<'a> {
        match (name.strip_prefix(LOCAL), name.strip_prefix(OLD)) {
            (Some(plain), _) => Callee::Local(plain),
            (None, Some(plain)) => Callee::Old(plain),
            (None, None) => Callee::Global(name),
        }
    }

    /// Its name in its file.
    #[must_use]
    pub fn in_file(self) -> &'a str {
        let (Callee::Global(name) | Callee::Local(name) | Callee::Old(name)) = self;
        name
    }

    /// Is it a local function of both files?
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(self, Callee::Local(_))
    }
}

/// The name in its file of a function that both sides have. One of the old file alone keeps the word in front, so that
/// what is known by name of a function of both files is not taken for known of it.
#[must_use]
pub fn plain(name: &str) -> &str {
    match Callee::of(name) {
        Callee::Global(plain) | Callee::Local(plain) => plain,
        Callee::Old(_) => name,
    }
}

/// The names of a pair of functions.
pub struct Names<'a> {
    /// Both sides.
    pub sides: (&'a Side<'a>, &'a Side<'a>),
    pairing: &'a Pairing,
    /// Constants: place and name, of the old side and of the new.
    constants: (Placed, Placed),
    /// Beginnings of read-only objects that both files have: side and place. All places in them go by the name of the beginning.
    whole: BTreeSet<(bool, (usize, i64))>,
    /// What the names take for granted.
    pub assumptions: BTreeSet<Assumption>,
    /// Functions whose pairs have to hold, too, by their new names.
    pub callees: BTreeSet<String>,
    /// Local objects that can be written and correspond to none of the other side.
    pub alone: BTreeSet<String>,
    /// Objects that can be written and are referred to, by side and symbol.
    referred: BTreeSet<(bool, usize)>,
    /// Places whose address is taken where one object ends and another begins: side, and both symbols.
    borders: BTreeSet<(bool, usize, usize)>,
}

impl<'a> Names<'a> {
    /// Looks at all constants that both functions refer to, and functions of the old and of the new file beside them.
    pub fn new(
        old: &'a Side<'a>,
        new: &'a Side<'a>,
        pairing: &'a Pairing,
        pair: (usize, usize),
        (more_old, more_new): (&BTreeSet<usize>, &BTreeSet<usize>),
    ) -> Names<'a> {
        let mut names = Names {
            sides: (old, new),
            pairing,
            constants: (BTreeMap::new(), BTreeMap::new()),
            whole: BTreeSet::new(),
            assumptions: BTreeSet::new(),
            callees: BTreeSet::new(),
            alone: BTreeSet::new(),
            referred: BTreeSet::new(),
            borders: BTreeSet::new(),
        };
        let of_old = constants(old.image, more_old.iter().chain([&pair.0]));
        let of_new = constants(new.image, more_new.iter().chain([&pair.1]));
        for (key, _) in &of_new {
            names.constants.1.insert(*key, format!("constant {}+{}", key.0, key.1));
        }
        let (within_old, within_new) = (within(old.image, &of_old), within(new.image, &of_new));
        for (key, place) in &of_old {
            let mut name = format!("old constant {}+{}", key.0, key.1);
            for (partner, other) in &of_new {
                let mut matcher = Matcher::new(old, new, pairing, pair);
                let whole = within_old.get(key).zip(within_new.get(partner));
                let same = match whole {
                    Some((a, b)) => matcher.same(&stepped(place, *a || *b), &stepped(other, *a || *b), None),
                    None => matcher.same(place, other, None),
                };
                if same.is_ok() && matcher.pending.is_empty() {
                    name = names.constants.1.get(partner).cloned().unwrap_or(name);
                    if whole.is_some() {
                        names.whole.extend([(true, *key), (false, *partner)]);
                    }
                    names.assumptions.extend(matcher.assumptions);
                    names.callees.extend(matcher.callees);
                    break;
                }
            }
            names.constants.0.insert(*key, name);
        }
        names
    }

    /// The constants that one of the functions refers to: section, offset and name.
    pub fn constants(&self, old: bool) -> impl Iterator<Item = ((usize, i64), &str)> {
        let list = if old { &self.constants.0 } else { &self.constants.1 };
        list.iter().map(|(key, name)| (*key, name.as_str()))
    }

    /// What the read-only objects hold that one of the functions refers to, by their names: of long ones those that are wanted.
    pub fn held(
        &mut self,
        old: bool,
        function: usize,
        wanted: &BTreeSet<String>,
    ) -> Vec<machine_code::Constant> {
        let image = self.side(old).image;
        let list: Vec<_> = self.constants(old).map(|(key, name)| (key, name.to_owned())).collect();
        let mut out = Vec::new();
        for ((section, offset), name) in list {
            let place = Place::Data { section, offset, symbol: None, through: false };
            // An object that other files know by its name goes by that.
            let global = u64::try_from(offset).ok().and_then(|at| image.object_at(section, at));
            if global.is_some_and(|n| !image.symbols[n].local) {
                continue;
            }
            let is_wanted = wanted.contains(&name);
            let unnamed = || unnamed(self.side(old), section, offset).filter(|_| is_wanted);
            let found = inside(image, function, &place).or_else(|| Some((unnamed()?, Vec::new())));
            let Some((bytes, places)) = found.filter(|(bytes, _)| *bytes <= SHORT || is_wanted) else {
                continue;
            };
            out.extend(
                self.words(old, (section, offset as u64, bytes), &places)
                    .map(|holds| machine_code::Constant { name, holds, alone: false }),
            );
        }
        out
    }

    /// The read-only objects that one of the functions refers to: names of places, and the bytes from there to the object's end.
    pub fn read_only(&self, old: bool) -> Vec<(String, u64)> {
        let image = self.side(old).image;
        let size = |(section, offset): (usize, i64)| {
            let (home, at) = (&image.sections[section], u64::try_from(offset).ok()?);
            if home.write || home.tls {
                return None;
            }
            let Some(n) = told_object(image, section, at) else {
                let merged = merged_entry(image, section, at).map(|entry| entry.end.saturating_sub(at));
                return merged.or_else(|| unnamed(self.side(old), section, offset));
            };
            let s = &image.symbols[n];
            // What other files know by its name may be another one.
            (s.local && !s.weak).then(|| (s.value + s.size).saturating_sub(at)).filter(|size| *size > 0)
        };
        self.constants(old).filter_map(|(key, name)| Some((name.to_owned(), size(key)?))).collect()
    }

    /// The words of so many bytes of a section; none where they hold an address that has no name.
    fn words(
        &mut self,
        old: bool,
        (section, start, bytes): (usize, u64, u64),
        places: &[(u64, Place)],
    ) -> Option<Vec<(u64, Held)>> {
        let home = &self.side(old).image.sections[section];
        let (mut out, mut at) = (Vec::new(), 0);
        while at < bytes {
            if let Some((_, place)) = places.iter().find(|(n, _)| *n == at) {
                out.push((at, Held::Address(self.place(old, place, None).ok()?)));
                at += 8;
                continue;
            }
            let next = places.iter().map(|(n, _)| *n).filter(|n| *n > at).min().unwrap_or(bytes);
            let length = (next - at).min(8);
            let read = home.read(start + at, length).filter(|read| read.len() as u64 == length)?;
            out.push((at, Held::Bytes(Rc::from(read.as_ref()))));
            at += length;
        }
        Some(out)
    }

    /// An object whose beginning is also the end of another that the same function refers to: which of them an address means is
    /// not known, and where they lie apart they are two.
    pub fn border(&self) -> Option<String> {
        let met = |(old, before, _): &&(bool, usize, usize)| self.referred.contains(&(*old, *before));
        let (old, _, n) = self.borders.iter().find(met)?;
        Some(self.side(*old).image.symbols[*n].name.clone())
    }

    /// One of the two sides.
    pub fn side(&self, old: bool) -> &'a Side<'a> {
        if old { self.sides.0 } else { self.sides.1 }
    }

    /// The name of a function of the files.
    pub fn function(&mut self, old: bool, function: usize) -> String {
        let partner = match old {
            true => self.pairing.pairs.iter().find(|p| p.old == function).map(|p| p.new),
            false => Some(function),
        };
        let image = self.side(old && partner.is_none()).image;
        let Some(f) = partner.or(Some(function)).and_then(|n| image.functions.get(n)) else {
            return String::new();
        };
        if !old {
            self.callees.insert(f.name.clone());
        }
        // Of several names of one function, the first stands for all.
        let global = f.symbols.iter().map(|s| &image.symbols[*s]).filter(|s| !s.local).map(|s| &s.name).min();
        match (global, partner) {
            (Some(name), Some(_)) => name.clone(),
            (None, Some(_)) => format!("{LOCAL}{}", f.name),
            (_, None) => format!("{OLD}{}", f.name),
        }
    }

    /// The name of an object, and a place in it.
    pub fn place(
        &mut self,
        old: bool,
        place: &Place,
        access: Option<u64>,
    ) -> Result<machine_code::Place, &'static str> {
        let image = self.side(old).image;
        let plain = |name: String, offset: i64, never_null| machine_code::Place {
            name,
            offset,
            size: None,
            holds: None,
            never_null,
        };
        match place {
            Place::Name { name, offset } => {
                let weak = self.side(old).image.symbols.iter().any(|s| s.weak && s.name == *name);
                Ok(plain(format!("@{}", self.outer(name)), *offset, !weak))
            }
            Place::Function { function, offset: 0 } => {
                Ok(plain(format!("@{}", self.function(old, *function)), 0, true))
            }
            Place::Function { .. } => Err("the address of the middle of another function"),
            Place::Own { .. } => Err("an address in the function's own code"),
            Place::Number(_) => Err("a number that the linker fills in"),
            Place::Unresolved(why) => Err(why),
            Place::Data { section, offset, symbol, through } => {
                if !image.sections[*section].write {
                    return self.constant(old, (*section, *offset), *symbol, access);
                }
                let at = u64::try_from(*offset).ok();
                let found = symbol.or_else(|| image.object_at(*section, at?));
                let found = found.map(|n| (n, offset - image.symbols[n].value as i64));
                let inside = found.zip(access).is_some_and(|((n, inner), bytes)| {
                    inner >= 0 && inner as u64 + bytes <= image.symbols[n].size
                });
                // All of a section may be reached from one place in it.
                if self.side(old).anchored {
                    let one_machine = self.sides.0.image.arch == self.sides.1.image.arch;
                    let home = &image.sections[*section];
                    if one_machine && self.laid_out_alike(&home.name) {
                        let name = format!("@section {}", home.name);
                        return Ok(machine_code::Place {
                            name,
                            offset: *offset,
                            size: Some(home.size),
                            holds: None,
                            never_null: true,
                        });
                    }
                    if *through && (one_machine || !inside) {
                        return Err("a place in a section that is laid out otherwise on the other side");
                    }
                }
                let Some((n, inner)) = found else { return Err("data that belongs to no object") };
                self.referred.insert((old, n));
                if access.is_none() && inner == 0 {
                    let ends = |s: &crate::objects::Symbol| {
                        s.home == Home::Section(*section) && s.size > 0 && Some(s.value + s.size) == at
                    };
                    let before = (0..image.symbols.len()).filter(|m| ends(&image.symbols[*m]));
                    self.borders.extend(before.map(|m| (old, m, n)));
                }
                let s = &image.symbols[n];
                if *through && !inside {
                    self.assumptions.insert(Assumption::StaysInObject);
                }
                let name = self.object(old, n);
                let size = (!s.weak && s.size > 0).then_some(s.size);
                Ok(machine_code::Place { name, offset: inner, size, holds: None, never_null: true })
            }
        }
    }

    /// Whether both files have one section of a name, with the same objects at the same places.
    fn laid_out_alike(&self, name: &str) -> bool {
        let objects = |image: &Image| {
            let mut homes = (0..image.sections.len()).filter(|n| image.sections[*n].name == name);
            let (Some(home), None) = (homes.next(), homes.next()) else { return None };
            let section = &image.sections[home];
            let named = image.symbols.iter().filter(|s| s.home == Home::Section(home) && s.size > 0);
            let mut list: Vec<_> = named.map(|s| (s.value, s.size, s.name.clone())).collect();
            list.sort_unstable();
            let weak = image.symbols.iter().any(|s| s.home == Home::Section(home) && s.weak);
            (!weak && !section.tls).then_some((section.size, list))
        };
        let (old, new) = (objects(self.sides.0.image), objects(self.sides.1.image));
        old.is_some() && old == new
    }

    /// A name of another file; where the new side defines it, its function's.
    fn outer(&mut self, name: &str) -> String {
        for old in [false, true] {
            let image = self.side(old).image;
            let has = |n: &usize| !image.symbols[*n].local && image.symbols[*n].name == name;
            if let Some(f) = image.functions.iter().position(|f| f.symbols.iter().any(has)) {
                return self.function(old, f);
            }
        }
        name.to_owned()
    }

    /// The name of an object that can be written: aliases have that of the first.
    fn object(&mut self, old: bool, n: usize) -> String {
        let image = self.side(old).image;
        let s = &image.symbols[n];
        let twin = |t: &crate::objects::Symbol| {
            t.home == s.home && t.value == s.value && !t.local && t.size == s.size
        };
        let global = image.symbols.iter().filter(|t| twin(t)).map(|t| &t.name).min();
        if let Some(name) = global {
            return format!("@{name}");
        }
        match (old, self.pairing.data(n)) {
            (true, Some(partner)) => format!("@local {partner} {}", self.sides.1.image.symbols[partner].name),
            (true, None) => {
                self.alone.insert(s.name.clone());
                format!("@old {n} {}", s.name)
            }
            (false, _) => {
                if !self.pairing.has_partner(n) {
                    self.alone.insert(s.name.clone());
                }
                format!("@local {n} {}", s.name)
            }
        }
    }

    fn constant(
        &mut self,
        old: bool,
        key: (usize, i64),
        symbol: Option<usize>,
        access: Option<u64>,
    ) -> Result<machine_code::Place, &'static str> {
        let image = self.side(old).image;
        // What has a name that other files know goes by it.
        let global = symbol.map(|n| &image.symbols[n]).filter(|s| !s.local);
        let known = if old { &self.constants.0 } else { &self.constants.1 };
        let whole = beginning(image, key).filter(|start| self.whole.contains(&(old, *start)));
        let from = whole.unwrap_or(key);
        let (name, offset) = match global {
            Some(s) => (format!("@{}", s.name), key.1 - s.value as i64),
            None => (known.get(&from).cloned().ok_or("a constant that was not compared")?, key.1 - from.1),
        };
        let section = &image.sections[key.0];
        let holds = access.filter(|n| (1..=LONGEST).contains(n)).and_then(|bytes| {
            let start = u64::try_from(key.1).ok()?;
            if image.symbols.iter().any(|s| s.weak && s.home == Home::Section(key.0)) || section.tls {
                return None;
            }
            let free = section.relocs_in(start.saturating_sub(7), start + bytes).is_empty();
            let read = section.read(start, bytes).filter(|read| free && read.len() as u64 == bytes)?;
            Some(Rc::from(read.as_ref()))
        });
        Ok(machine_code::Place { name, offset, size: None, holds, never_null: true })
    }
}

/// The address of an object, in a word of its own.
const WORD64: u32 = 1;

/// Most bytes of a read-only object that is looked into.
const LARGEST: u64 = 4096;

/// Most bytes of one that is a part of memory, and whose addresses are followed.
pub const SHORT: u64 = 256;

/// What a read-only object holds from a place on, up to its end: places by bytes from there. None where it has no known end,
/// or holds what a linker fills in otherwise.
fn inside(image: &Image, function: usize, place: &Place) -> Option<(u64, Vec<(u64, Place)>)> {
    let Place::Data { section, offset, symbol, .. } = place else { return None };
    let (home, start) = (&image.sections[*section], u64::try_from(*offset).ok()?);
    if home.write || home.tls || image.linked || image.arch != Arch::X86_64 {
        return None;
    }
    let named = symbol.or_else(|| image.object_at(*section, start));
    let Some(n) = named.filter(|n| tells_end(image, *n)) else {
        // What linkers merge ends where it ends, without a symbol that says so: a text with its zero, or a constant. Whichever
        // equal one a reference leads to in the end, it holds the same from there on.
        let entry = merged_entry(image, *section, start)?;
        let plain = home.relocs_in(entry.start.saturating_sub(7), entry.end).is_empty();
        let short = start < entry.end && entry.end - start <= LARGEST;
        return (plain && short).then(|| (entry.end - start, Vec::new()));
    };
    let s = &image.symbols[n];
    let end = s.value.checked_add(s.size)?;
    if s.weak || start < s.value || start >= end || end - start > LARGEST {
        return None;
    }
    let mut out = Vec::new();
    for reloc in home.relocs_in(start.saturating_sub(7), end) {
        let at = reloc.offset.checked_sub(start).filter(|_| reloc.kind == WORD64)?;
        out.push((at, resolve(image, function, reloc.referent, reloc.addend)));
    }
    Some((end - start, out))
}

/// Whether a symbol tells where its object ends, or is one that other files know: not the name of a section, or a label.
fn tells_end(image: &Image, symbol: usize) -> bool {
    image.symbols[symbol].size > 0 || !image.symbols[symbol].local
}

/// The symbol of the object at a place, where that tells where it ends.
fn told_object(image: &Image, section: usize, at: u64) -> Option<usize> {
    image.object_at(section, at).filter(|n| tells_end(image, *n))
}

/// Where the read-only object of a place begins, of one that this file alone knows and that has a known end.
fn beginning(image: &Image, (section, offset): (usize, i64)) -> Option<(usize, i64)> {
    let n = told_object(image, section, u64::try_from(offset).ok()?)?;
    let s = &image.symbols[n];
    (s.local && !s.weak).then_some((section, s.value as i64))
}

/// Where read-only objects begin that places of a list lie in, and whether other places are reached from any of these.
fn within(image: &Image, places: &[((usize, i64), Place)]) -> BTreeMap<(usize, i64), bool> {
    let mut out = BTreeMap::new();
    for (key, place) in places {
        let reached = matches!(place, Place::Data { through: true, .. });
        if let Some(start) = beginning(image, *key) {
            *out.entry(start).or_default() |= reached;
        }
    }
    out
}

/// A place of data, said to be one that others are reached from, or none such.
fn stepped(place: &Place, reached: bool) -> Place {
    match place.clone() {
        Place::Data { section, offset, symbol, .. } => {
            Place::Data { section, offset, symbol, through: reached }
        }
        place => place,
    }
}

/// How many bytes that no symbol names are known from a read-only place on, where they hold no addresses: up to the next
/// place that something refers to. (A text at -O0, which is not merged with others.)
fn unnamed(side: &Side<'_>, section: usize, offset: i64) -> Option<u64> {
    let (home, start) = (&side.image.sections[section], u64::try_from(offset).ok()?);
    let foreign = home.write || home.tls || home.exec || side.image.linked || side.image.arch != Arch::X86_64;
    if foreign || told_object(side.image, section, start).is_some() {
        return None;
    }
    let referred = &side.referred[section];
    let next = referred.get(referred.partition_point(|at| *at <= start)).copied();
    let end = next.unwrap_or(home.size).min(home.size).min(start.checked_add(LARGEST)?);
    let plain = home.relocs_in(start.saturating_sub(7), end).is_empty();
    end.checked_sub(start).filter(|bytes| plain && *bytes > 0)
}

/// The read-only places that functions refer to, and those that the objects there refer to.
fn constants<'f>(image: &Image, functions: impl Iterator<Item = &'f usize>) -> Vec<((usize, i64), Place)> {
    let mut out: BTreeMap<(usize, i64), Place> = BTreeMap::new();
    for function in functions {
        let code = crate::code::Code::of(image, *function);
        let all = references(image, *function, &code);
        for reference in all.iter().flatten() {
            if let Place::Data { section, .. } = &reference.place
                && !image.sections[*section].write
            {
                let mut open = vec![reference.place.clone()];
                while let Some(place) = open.pop() {
                    let Place::Data { section, offset, .. } = &place else { continue };
                    if image.sections[*section].write || out.contains_key(&(*section, *offset)) {
                        continue;
                    }
                    out.insert((*section, *offset), place.clone());
                    if let Some((section, offset)) = beginning(image, (*section, *offset)) {
                        open.push(Place::Data { section, offset, symbol: None, through: false });
                    }
                    let more = inside(image, *function, &place).filter(|(bytes, _)| *bytes <= SHORT);
                    open.extend(more.into_iter().flat_map(|(_, places)| places).map(|(_, place)| place));
                }
            }
        }
    }
    out.into_iter().collect()
}
