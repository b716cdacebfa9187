//! Functions from symbols: cut at their sizes, or at the next symbol; aliases joined; cold parts attached.

use super::error::{ObjectError, Problem};
use super::image::{Home, Image, Kind, Symbol};
use std::collections::{BTreeMap, HashMap};

/// A range of a section that belongs to a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The symbol's name, as `f.cold`.
    pub name: String,
    /// The section.
    pub section: usize,
    /// The first byte.
    pub start: u64,
    /// The byte behind the last.
    pub end: u64,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// The name it is reported by: a global one where it has one.
    pub name: String,
    /// All symbols at this address: aliases, and what identical-code folding made one.
    pub symbols: Vec<usize>,
    /// The section.
    pub section: usize,
    /// The first byte.
    pub start: u64,
    /// The byte behind the last.
    pub end: u64,
    /// Whether it begins in Thumb.
    pub thumb: bool,
    /// Whether no other file can see any of its names.
    pub local: bool,
    /// Parts that lie elsewhere: `.cold`.
    pub fragments: Vec<Part>,
}

impl Function {
    /// Bytes of code, with the parts that lie elsewhere.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.end - self.start + self.fragments.iter().map(|p| p.end - p.start).sum::<u64>()
    }

    /// All ranges, the entry's first: section, start, end.
    pub fn ranges(&self) -> impl Iterator<Item = (usize, u64, u64)> + '_ {
        let own = std::iter::once((self.section, self.start, self.end));
        own.chain(self.fragments.iter().map(|p| (p.section, p.start, p.end)))
    }
}

/// The function that a cold part belongs to: `f` of `f.cold` and `f.cold.3`.
#[must_use]
pub fn cold_parent(name: &str) -> Option<&str> {
    let (parent, rest) = name.split_once(".cold")?;
    let number = rest.strip_prefix('.').unwrap_or(rest);
    (!parent.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(parent)
}

/// Finds the functions of an image.
pub(super) fn find(image: &mut Image) -> Result<(), ObjectError> {
    let mut starts: BTreeMap<(usize, u64), Vec<usize>> = BTreeMap::new();
    for (n, symbol) in image.symbols.iter().enumerate() {
        if let Some(section) = begins_code(image, symbol) {
            starts.entry((section, symbol.value)).or_default().push(n);
        }
    }
    drop_inner_labels(image, &mut starts);
    if starts.is_empty() {
        return nothing(image).map_or(Ok(()), Err);
    }
    let keys: Vec<(usize, u64)> = starts.keys().copied().collect();
    let mut functions: Vec<Function> = Vec::with_capacity(keys.len());
    for (n, (section, start)) in keys.iter().enumerate() {
        let next = keys.get(n + 1).filter(|(s, _)| s == section).map(|(_, at)| *at);
        functions.push(function(image, (*section, *start), &starts[&(*section, *start)], next));
    }
    image.functions = attach_cold(functions);
    Ok(())
}

/// What is wrong with a file in which no function is found: nothing, if it holds data alone.
fn nothing(image: &Image) -> Option<ObjectError> {
    let code = image.sections.iter().any(|s| s.exec && s.size > 0);
    let defined = |s: &Symbol| matches!(s.home, Home::Section(_)) && s.kind != Kind::Section;
    let named = image.symbols.iter().any(|s| defined(s) && !s.name.is_empty());
    let problem = if named { Problem::NoFunctions } else { Problem::Stripped };
    code.then(|| ObjectError::of(&image.label, problem))
}

/// The section of a symbol at which code may begin: functions, and labels in code that assembly exports.
fn begins_code(image: &Image, symbol: &Symbol) -> Option<usize> {
    let Home::Section(section) = symbol.home else { return None };
    let home = image.sections.get(section)?;
    let label = || symbol.kind == Kind::Label && !symbol.local && !symbol.name.is_empty();
    let begins = symbol.kind == Kind::Function || label();
    (home.exec && symbol.value < home.size && begins).then_some(section)
}

/// Labels without a type inside a function with a size are places in it.
fn drop_inner_labels(image: &Image, starts: &mut BTreeMap<(usize, u64), Vec<usize>>) {
    let mut inside: Option<(usize, u64)> = None;
    starts.retain(|(section, start), symbols| {
        let functions = symbols.iter().map(|n| &image.symbols[*n]).filter(|s| s.kind == Kind::Function);
        let size = functions.map(|s| s.size).max();
        match size {
            Some(size) => {
                inside = Some((*section, start.saturating_add(size)));
                true
            }
            None => inside.is_none_or(|(s, end)| s != *section || *start >= end),
        }
    });
}

fn function(image: &Image, at: (usize, u64), symbols: &[usize], next: Option<u64>) -> Function {
    let (section, start) = at;
    let of = |n: &usize| &image.symbols[*n];
    let limit = image.sections[section].size;
    let size = symbols.iter().map(|n| of(n).size).max().unwrap_or(0);
    // Without a size a function reaches to the next one; one that reaches into the next keeps what it says.
    let end = if size == 0 { next.unwrap_or(limit) } else { start.saturating_add(size) }.min(limit);
    let best = symbols.iter().min_by_key(|n| (of(n).local, of(n).weak, of(n).kind != Kind::Function, **n));
    Function {
        name: best.map_or_else(String::new, |n| of(n).name.clone()),
        symbols: symbols.to_vec(),
        section,
        start,
        end,
        thumb: symbols.iter().any(|n| of(n).thumb),
        local: symbols.iter().all(|n| of(n).local),
        fragments: Vec::new(),
    }
}

/// Takes cold parts whose function is there out of the list, and gives them to it.
fn attach_cold(functions: Vec<Function>) -> Vec<Function> {
    let by_name: HashMap<String, usize> =
        functions.iter().enumerate().map(|(n, f)| (f.name.clone(), n)).collect();
    let mut parts: HashMap<usize, Vec<Part>> = HashMap::new();
    let mut cold = vec![false; functions.len()];
    for (n, f) in functions.iter().enumerate() {
        let parent = cold_parent(&f.name).and_then(|name| by_name.get(name)).filter(|_| f.local);
        if let Some(parent) = parent {
            cold[n] = true;
            let part = Part { name: f.name.clone(), section: f.section, start: f.start, end: f.end };
            parts.entry(*parent).or_default().push(part);
        }
    }
    let mut kept = Vec::with_capacity(functions.len());
    for (n, mut f) in functions.into_iter().enumerate() {
        f.fragments = parts.remove(&n).unwrap_or_default();
        if !cold[n] {
            kept.push(f);
        }
    }
    kept
}
