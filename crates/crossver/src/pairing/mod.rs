//! Which functions and objects of two files correspond: by symbol, then by debug information, then by similarity.
//!
//! Functions may correspond to several: identical-code folding gives one body several names. Writable local objects
//! correspond one to one, whatever compilers number them.

pub(crate) mod dwarf;
pub mod names;
mod similarity;

use crate::objects::{Home, Image, Kind};
use names::{clone_base, clone_number, data_base, names_function};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How a pair was found.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The same name.
    Symbol,
    /// Clones of the same function by the same transformation: `f.isra.0` and `f.isra.3`.
    Clone,
    /// The same name, file and line in debug information.
    Dwarf,
    /// Blocks of the same shape.
    Similarity,
}

impl By {
    /// The stable name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            By::Symbol => "symbol",
            By::Clone => "clone",
            By::Dwarf => "dwarf",
            By::Similarity => "similarity",
        }
    }
}

/// Two functions that correspond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The old one's index.
    pub old: usize,
    /// The new one's.
    pub new: usize,
    /// How they were found.
    pub by: By,
}

/// What corresponds.
#[derive(Debug, Default)]
pub struct Pairing {
    /// Pairs in the order of the old file's functions.
    pub pairs: Vec<Pair>,
    /// Functions of the old file alone.
    pub only_old: Vec<usize>,
    /// Functions of the new file alone.
    pub only_new: Vec<usize>,
    related: HashSet<(usize, usize)>,
    data: HashMap<usize, usize>,
}

impl Pairing {
    /// Finds what corresponds.
    #[must_use]
    pub fn of(old: &Image, new: &Image) -> Pairing {
        let mut pairing = Pairing::default();
        pairing.by_symbol(old, new);
        pairing.by_clone(old, new);
        if pairing.open(old, new) {
            let found = dwarf::pairs(old, new, &pairing);
            pairing.add(found, By::Dwarf);
        }
        // Mnemonics of two machines say nothing of each other.
        if old.arch == new.arch && pairing.open(old, new) {
            let found = similarity::pairs(old, new, &pairing);
            pairing.add(found, By::Similarity);
        }
        pairing.pairs.sort_by_key(|p| (p.old, p.new));
        pairing.only_old = pairing.rest(old.functions.len(), true);
        pairing.only_new = pairing.rest(new.functions.len(), false);
        pairing.data = objects(old, new);
        pairing
    }

    /// Whether two functions correspond, also as aliases.
    #[must_use]
    pub fn related(&self, old: usize, new: usize) -> bool {
        self.related.contains(&(old, new))
    }

    /// The writable local object of the new file, by symbol, that one of the old file corresponds to.
    #[must_use]
    pub fn data(&self, old: usize) -> Option<usize> {
        self.data.get(&old).copied()
    }

    /// Whether a writable local object of the new file corresponds to one of the old.
    #[must_use]
    pub fn has_partner(&self, new: usize) -> bool {
        self.data.values().any(|n| *n == new)
    }

    /// Functions of one side that have no partner yet.
    #[must_use]
    pub fn rest(&self, all: usize, of_old: bool) -> Vec<usize> {
        let paired: HashSet<usize> = self.pairs.iter().map(|p| if of_old { p.old } else { p.new }).collect();
        (0..all).filter(|n| !paired.contains(n)).collect()
    }

    fn open(&self, old: &Image, new: &Image) -> bool {
        !self.rest(old.functions.len(), true).is_empty() && !self.rest(new.functions.len(), false).is_empty()
    }

    fn add(&mut self, found: Vec<(usize, usize)>, by: By) {
        for (old, new) in found {
            if self.related.insert((old, new)) {
                self.pairs.push(Pair { old, new, by });
            }
        }
    }

    fn by_symbol(&mut self, old: &Image, new: &Image) {
        // Global names first; local ones by their source file where several have one.
        let mut global: HashMap<&str, usize> = HashMap::new();
        let mut local: HashMap<&str, Vec<(Option<&str>, usize)>> = HashMap::new();
        for (n, f) in new.functions.iter().enumerate() {
            for symbol in f.symbols.iter().map(|s| &new.symbols[*s]) {
                if symbol.local {
                    local.entry(&symbol.name).or_default().push((symbol.unit.as_deref(), n));
                } else {
                    global.entry(&symbol.name).or_insert(n);
                }
            }
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for f in &old.functions {
            for symbol in f.symbols.iter().map(|s| &old.symbols[*s]).filter(|s| s.local) {
                *counts.entry(&symbol.name).or_default() += 1;
            }
        }
        let mut found = Vec::new();
        for (n, f) in old.functions.iter().enumerate() {
            for symbol in f.symbols.iter().map(|s| &old.symbols[*s]) {
                let name = symbol.name.as_str();
                let locals = local.get(name).map(Vec::as_slice).unwrap_or_default();
                let in_unit = locals.iter().find(|(unit, _)| *unit == symbol.unit.as_deref());
                let sole = match locals {
                    [only] if counts.get(name).copied().unwrap_or(0) <= 1 => Some(only),
                    _ => None,
                };
                let partner = match symbol.local {
                    true => sole.or(in_unit).map(|(_, n)| n).or_else(|| global.get(name)),
                    false => global.get(name).or_else(|| sole.map(|(_, n)| n)),
                };
                found.extend(partner.map(|partner| (n, *partner)));
            }
        }
        self.add(found, By::Symbol);
    }

    fn by_clone(&mut self, old: &Image, new: &Image) {
        type Clones<'a> = BTreeMap<(&'a str, Vec<&'a str>), Vec<(u64, usize)>>;
        fn clones(image: &Image, rest: Vec<usize>) -> Clones<'_> {
            let mut clones = Clones::new();
            for n in rest {
                let name = image.functions[n].name.as_str();
                let (base, kinds) = clone_base(name);
                if !kinds.is_empty() {
                    clones.entry((base, kinds)).or_default().push((clone_number(name), n));
                }
            }
            clones.values_mut().for_each(|list| list.sort_unstable());
            clones
        }
        let a = clones(old, self.rest(old.functions.len(), true));
        let b = clones(new, self.rest(new.functions.len(), false));
        let mut found = Vec::new();
        for (key, list) in &a {
            let other = b.get(key).map(Vec::as_slice).unwrap_or_default();
            found.extend(list.iter().zip(other).map(|((_, m), (_, n))| (*m, *n)));
        }
        self.add(found, By::Clone);
    }
}

/// Writable local objects, one to one: those that have the same source name and size and are used by functions of the
/// same names; among several of these, in the order of their numbers.
fn objects(old: &Image, new: &Image) -> HashMap<usize, usize> {
    type Key<'a> = (&'a str, u64, BTreeSet<&'a str>);
    fn grouped(image: &Image) -> BTreeMap<Key<'_>, Vec<(u64, usize)>> {
        let users = users(image);
        let mut groups: BTreeMap<Key<'_>, Vec<(u64, usize)>> = BTreeMap::new();
        for (n, s) in image.symbols.iter().enumerate() {
            let Home::Section(section) = s.home else { continue };
            if s.local && matches!(s.kind, Kind::Object | Kind::Tls) && image.sections[section].write {
                let users = users.get(&n).cloned().unwrap_or_default();
                let key = (data_base(&s.name), s.size, users);
                groups.entry(key).or_default().push((clone_number(&s.name), n));
            }
        }
        groups.values_mut().for_each(|list| list.sort_unstable());
        groups
    }
    let (a, b) = (grouped(old), grouped(new));
    let mut pairs = HashMap::new();
    let mut taken = HashSet::new();
    for (key, list) in &a {
        let other = b.get(key).map(Vec::as_slice).unwrap_or_default();
        // Compilers number them in other orders.
        let named = |image: &Image, n: usize| names_function(&image.symbols[n].name);
        let alike = || list.iter().zip(other).all(|((_, m), (_, n))| named(old, *m) == named(new, *n));
        if list.len() == other.len() && (list.len() == 1 || alike()) {
            for ((_, m), (_, n)) in list.iter().zip(other) {
                pairs.insert(*m, *n);
                taken.insert(*n);
            }
        }
    }
    // Inlining changes who uses them: what is left goes by name and size alone, where that is one each.
    let left = |groups: &BTreeMap<Key<'_>, Vec<(u64, usize)>>, done: &dyn Fn(usize) -> bool| {
        let mut by_name: BTreeMap<(String, u64), Vec<usize>> = BTreeMap::new();
        for ((name, size, _), list) in groups {
            let open = list.iter().map(|(_, n)| *n).filter(|n| !done(*n));
            by_name.entry(((*name).to_owned(), *size)).or_default().extend(open);
        }
        by_name
    };
    let open_old = left(&a, &|n| pairs.contains_key(&n));
    let open_new = left(&b, &|n| taken.contains(&n));
    for (key, list) in open_old {
        if let ([m], Some([n])) = (list.as_slice(), open_new.get(&key).map(Vec::as_slice)) {
            pairs.insert(*m, *n);
        }
    }
    pairs
}

/// The functions, by the names of their sources, whose code refers to each object.
fn users(image: &Image) -> HashMap<usize, BTreeSet<&str>> {
    let mut users: HashMap<usize, BTreeSet<&str>> = HashMap::new();
    for f in &image.functions {
        for (section, start, end) in f.ranges() {
            for reloc in image.sections[section].relocs_in(start, end) {
                let crate::objects::Referent::Symbol(n) = reloc.referent else { continue };
                let symbol = &image.symbols[n];
                let Home::Section(home) = symbol.home else { continue };
                let object = match symbol.kind {
                    Kind::Object | Kind::Tls => Some(n),
                    Kind::Section | Kind::Label => {
                        let at = symbol.value.wrapping_add_signed(reloc.addend);
                        // Relative to the end of the instruction, four bytes on for most of them.
                        let near = if image.arch.is_x86() { at.wrapping_add(4) } else { at };
                        image.object_at(home, near)
                    }
                    Kind::Function => None,
                };
                if let Some(object) = object {
                    users.entry(object).or_default().insert(clone_base(&f.name).0);
                }
            }
        }
    }
    users
}
