//! Array values: a default element and the exceptions, in shared pages of shared regions, so that a copy costs nothing
//! and a store copies one page, the list of its region, and the list of regions.

use crate::Bv;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Elements of a page.
const PAGE: usize = 64;

/// Pages of a region.
const REGION: u128 = 64;

type Page = [u64; PAGE];

/// Pages by their number.
type Region = BTreeMap<u128, Arc<Page>>;

/// An array: a default element and the exceptions.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayVal {
    index: u32,
    default: Bv,
    cells: Cells,
}

/// Invariants: no region is empty, no page holds only defaults, no sparse entry is the default.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Cells {
    /// Indices of up to 128 bits, elements of up to 64.
    Pages(Arc<BTreeMap<u128, Arc<Region>>>),
    /// Anything else.
    Sparse(Arc<BTreeMap<Bv, Bv>>),
}

fn small(v: &Bv) -> u64 {
    v.to_u64().unwrap_or_default()
}

fn wide(v: &Bv) -> u128 {
    v.to_u128().unwrap_or_default()
}

fn page_of(regions: &BTreeMap<u128, Arc<Region>>, page: u128) -> Option<&Arc<Page>> {
    regions.get(&(page / REGION))?.get(&page)
}

impl ArrayVal {
    /// The array that holds `default` at every index of the given width.
    pub fn new(index: u32, default: Bv) -> ArrayVal {
        let cells = if index <= 128 && default.width() <= 64 {
            Cells::Pages(Arc::default())
        } else {
            Cells::Sparse(Arc::default())
        };
        ArrayVal { index, default, cells }
    }

    /// The element at an index.
    pub fn get(&self, index: &Bv) -> Bv {
        match &self.cells {
            Cells::Pages(regions) => {
                let i = wide(index);
                match page_of(regions, i / PAGE as u128) {
                    Some(p) => Bv::new(self.default.width(), u128::from(p[(i % PAGE as u128) as usize])),
                    None => self.default.clone(),
                }
            }
            Cells::Sparse(m) => m.get(index).unwrap_or(&self.default).clone(),
        }
    }

    /// Replaces the element at an index.
    pub fn set(&mut self, index: Bv, elem: Bv) {
        assert_eq!((index.width(), elem.width()), (self.index, self.default.width()), "array widths");
        let last = self.index <= 16 && index.is_ones();
        self.put(&index, &elem);
        if last {
            self.rebase();
        }
    }

    fn put(&mut self, index: &Bv, elem: &Bv) {
        match &mut self.cells {
            Cells::Pages(regions) => {
                let i = wide(index);
                let (key, at) = (i / PAGE as u128, (i % PAGE as u128) as usize);
                let (new, default) = (small(elem), small(&self.default));
                let old = page_of(regions, key).map_or(default, |p| p[at]);
                if old == new {
                    return;
                }
                let regions = Arc::make_mut(regions);
                let pages = Arc::make_mut(regions.entry(key / REGION).or_default());
                let page = Arc::make_mut(pages.entry(key).or_insert_with(|| Arc::new([default; PAGE])));
                page[at] = new;
                if new == default && page.iter().all(|e| *e == default) {
                    pages.remove(&key);
                    if pages.is_empty() {
                        regions.remove(&(key / REGION));
                    }
                }
            }
            Cells::Sparse(m) => {
                let m = Arc::make_mut(m);
                if *elem == self.default {
                    m.remove(index);
                } else {
                    m.insert(index.clone(), elem.clone());
                }
            }
        }
    }

    /// In a small index space, where entries can cover everything, the default is the last index's
    /// element: equal arrays then look alike.
    fn rebase(&mut self) {
        let d = self.get(&Bv::ones(self.index));
        if d == self.default {
            return;
        }
        let mut new = ArrayVal::new(self.index, d);
        for i in 0..1u128 << self.index {
            let i = Bv::new(self.index, i);
            new.put(&i, &self.get(&i));
        }
        *self = new;
    }

    /// `n` neighbouring elements as one bit-vector, the one at `index` least significant.
    pub fn load(&self, index: &Bv, n: u32) -> Bv {
        let one = Bv::one(self.index);
        let mut at = index.clone();
        let mut acc: Option<Bv> = None;
        for _ in 0..n {
            let e = self.get(&at);
            acc = Some(match acc {
                None => e,
                Some(a) => e.concat(&a),
            });
            at = at.add(&one);
        }
        acc.expect("a load of at least one element")
    }

    /// Writes the elements of `value` from `index` on, least significant first.
    pub fn store(&mut self, index: &Bv, value: &Bv) {
        let e = self.default.width();
        let one = Bv::one(self.index);
        let mut at = index.clone();
        for i in 0..value.width() / e {
            let next = at.add(&one);
            self.set(at, value.extract((i + 1) * e - 1, i * e));
            at = next;
        }
    }

    /// Whether no element of a range is zero: looked at in pages, not one by one.
    pub fn holds_no_zero(&self, range: std::ops::Range<u64>) -> bool {
        let Cells::Pages(regions) = &self.cells else {
            return range.into_iter().all(|at| !self.get(&Bv::new(self.index, u128::from(at))).is_zero());
        };
        let (mut at, page) = (range.start, PAGE as u64);
        while at < range.end {
            let end = (at - at % page).saturating_add(page).min(range.end);
            let inside = (at % page) as usize..(at % page + (end - at)) as usize;
            let has_zero = match page_of(regions, u128::from(at / page)) {
                Some(held) => held[inside].contains(&0),
                None => self.default.is_zero(),
            };
            if has_zero {
                return false;
            }
            at = end;
        }
        true
    }

    /// The element at all indices without an entry.
    pub fn default_elem(&self) -> &Bv {
        &self.default
    }

    /// The indices that differ from the default, in order, with their elements.
    pub fn entries(&self) -> Vec<(Bv, Bv)> {
        match &self.cells {
            Cells::Pages(regions) => {
                let default = small(&self.default);
                let mut out = Vec::new();
                for (key, page) in regions.values().flat_map(|pages| pages.iter()) {
                    for (i, e) in page.iter().enumerate().filter(|(_, e)| **e != default) {
                        let at = Bv::new(self.index, key * PAGE as u128 + i as u128);
                        out.push((at, Bv::new(self.default.width(), u128::from(*e))));
                    }
                }
                out
            }
            Cells::Sparse(m) => m.iter().map(|(i, e)| (i.clone(), e.clone())).collect(),
        }
    }

    /// Width of an index.
    pub fn index_width(&self) -> u32 {
        self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_in_a_range_is_found_wherever_it_lies() {
        for default in [0, 3] {
            let mut array = ArrayVal::new(64, Bv::new(8, default));
            for at in 100..400u128 {
                array.set(Bv::new(64, at), Bv::new(8, u128::from(at != 250 && at != 399)));
            }
            let by_one = |low: u64, high: u64| {
                (low..high).all(|at| !array.get(&Bv::new(64, u128::from(at))).is_zero())
            };
            for low in (60..420).step_by(7) {
                for high in (low..460).step_by(5) {
                    assert_eq!(array.holds_no_zero(low..high), by_one(low, high), "{default}: {low}..{high}");
                }
            }
        }
    }
}
