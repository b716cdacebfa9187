//! Data by content: which object a reference means, and how far it reaches.

use super::image::{Home, Image, Kind};

/// Orders the named objects of each section.
pub(super) fn index(image: &mut Image) {
    for (n, symbol) in image.symbols.iter().enumerate() {
        let Home::Section(section) = symbol.home else { continue };
        let section = &mut image.sections[section];
        let object = matches!(symbol.kind, Kind::Object | Kind::Tls);
        let label = symbol.kind == Kind::Label && !symbol.local && !symbol.name.is_empty();
        if !section.exec && (object || label) && symbol.value <= section.size {
            section.named.push(n);
        }
    }
    let symbols = &image.symbols;
    for section in &mut image.sections {
        // The outermost of objects that begin together comes first.
        section
            .named
            .sort_by_key(|n| (symbols[*n].value, std::cmp::Reverse(symbols[*n].size), symbols[*n].local, *n));
    }
}

/// A stretch of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extent {
    /// The section.
    pub section: usize,
    /// The first byte.
    pub start: u64,
    /// The byte behind the last.
    pub end: u64,
}

impl Extent {
    /// Its bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.end - self.start
    }
}

/// Longest string or gap between objects that is looked through, in bytes.
const LONGEST: u64 = 1 << 24;

/// The entry of a section of mergeable strings or constants that holds an offset.
#[must_use]
pub fn merged_entry(image: &Image, section: usize, offset: u64) -> Option<Extent> {
    let home = image.sections.get(section)?;
    let entry = home.merge.filter(|_| !home.write && offset < home.size)?;
    if !home.strings {
        let start = offset / entry * entry;
        return Some(Extent { section, start, end: (start + entry).min(home.size) });
    }
    let bytes = home.read(0, home.size.min(LONGEST))?;
    let unit = entry as usize;
    let is_zero = |at: usize| bytes.get(at..at + unit).is_some_and(|unit| unit.iter().all(|b| *b == 0));
    let mut start = offset as usize / unit * unit;
    let mut end = start;
    // In a linked file strings share their ends, and where one begins is not known.
    if !image.linked {
        while start >= unit && !is_zero(start - unit) {
            start -= unit;
        }
    }
    while end < bytes.len() && !is_zero(end) {
        end += unit;
    }
    Some(Extent { section, start: start as u64, end: ((end + unit) as u64).min(home.size) })
}

/// The named objects around an offset that no named object covers: end of the one before, start of the one behind.
#[must_use]
pub fn gap(image: &Image, section: usize, offset: u64) -> Option<Extent> {
    let home = image.sections.get(section)?;
    let after = home.named.partition_point(|n| image.symbols[*n].value <= offset);
    let near = home.named.get(after.saturating_sub(8)..after)?;
    let start = near.iter().map(|n| image.symbols[*n].value + image.symbols[*n].size).max().unwrap_or(0);
    let end = home.named.get(after).map_or(home.size, |n| image.symbols[*n].value);
    (start <= offset && offset < end).then_some(Extent { section, start, end })
}
