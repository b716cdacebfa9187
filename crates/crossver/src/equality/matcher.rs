//! Whether two places mean the same, given which functions and objects of both files correspond.

use super::side::Side;
use super::verdict::{Assumption, Difference};
use crate::objects::Image;
use crate::objects::data::Extent;
use crate::pairing::Pairing;
use crate::places::Place;
use std::collections::{BTreeSet, HashSet};

/// Code addresses of both sides that have to do the same: section and address, old and new.
pub type CodePair = ((usize, u64), (usize, u64));

/// A function of both sides being compared.
pub struct Matcher<'a> {
    /// The old side.
    pub old: &'a Side<'a>,
    /// The new side.
    pub new: &'a Side<'a>,
    /// What corresponds.
    pub pairing: &'a Pairing,
    /// The functions compared.
    pub functions: (usize, usize),
    /// Taken for granted so far.
    pub assumptions: BTreeSet<Assumption>,
    /// Code that tables lead to, to be compared.
    pub pending: Vec<CodePair>,
    /// Functions of the same file that are referred to, by their new name.
    pub callees: BTreeSet<String>,
    pub(super) seen: HashSet<(Extent, Extent)>,
}

impl<'a> Matcher<'a> {
    /// For one pair of functions.
    #[must_use]
    pub fn new(
        old: &'a Side<'a>,
        new: &'a Side<'a>,
        pairing: &'a Pairing,
        functions: (usize, usize),
    ) -> Self {
        Matcher {
            old,
            new,
            pairing,
            functions,
            assumptions: BTreeSet::new(),
            pending: Vec::new(),
            callees: BTreeSet::new(),
            seen: HashSet::new(),
        }
    }

    /// Whether two places are the same. Code of the functions themselves is noted as pending; `access` is how many bytes
    /// both access there, where that is all they do with the address.
    ///
    /// # Errors
    /// What differs.
    pub fn same(&mut self, a: &Place, b: &Place, access: Option<u64>) -> Result<(), Difference> {
        match (a, b) {
            (Place::Own { section: s, address: x }, Place::Own { section: t, address: y }) => {
                self.pending.push(((*s, *x), (*t, *y)));
                Ok(())
            }
            (Place::Function { function: f, offset: m }, Place::Function { function: g, offset: n }) => {
                if m != n || *m != 0 {
                    return Err(Difference::Interior);
                }
                self.function(*f, *g)
            }
            (Place::Name { name: m, offset: x }, Place::Name { name: n, offset: y }) => {
                if m == n && x == y {
                    Ok(())
                } else {
                    Err(Difference::Name(self.show(a, b)))
                }
            }
            (Place::Number(x), Place::Number(y)) if x == y => Ok(()),
            (Place::Data { .. }, Place::Data { .. }) => self.data(a, b, access),
            // One side defines what the other takes from elsewhere under the same name.
            (Place::Name { name, offset }, other) | (other, Place::Name { name, offset }) => {
                let old_is_name = matches!(a, Place::Name { .. });
                let image = if old_is_name { self.new.image } else { self.old.image };
                if global_name(image, other, name) == Some(*offset) {
                    Ok(())
                } else {
                    Err(Difference::Name(self.show(a, b)))
                }
            }
            (Place::Unresolved(why), _) | (_, Place::Unresolved(why)) => Err(Difference::Unresolved(why)),
            (
                Place::Own { .. } | Place::Function { .. } | Place::Number(_) | Place::Data { .. },
                Place::Own { .. } | Place::Function { .. } | Place::Number(_) | Place::Data { .. },
            ) => Err(Difference::Name(self.show(a, b))),
        }
    }

    fn function(&mut self, f: usize, g: usize) -> Result<(), Difference> {
        let (old, new) = (&self.old.image.functions[f], &self.new.image.functions[g]);
        if self.pairing.related(f, g) {
            self.callees.insert(new.name.clone());
            return Ok(());
        }
        Err(Difference::Name(format!("{} | {}", old.name, new.name)))
    }

    pub(super) fn show(&self, a: &Place, b: &Place) -> String {
        format!("{} | {}", describe(self.old.image, a), describe(self.new.image, b))
    }
}

/// The distance from a global symbol of that name to a place, if it has that name.
fn global_name(image: &Image, place: &Place, name: &str) -> Option<i64> {
    let has = |n: &usize| !image.symbols[*n].local && image.symbols[*n].name == name;
    match place {
        Place::Function { function, offset } => {
            image.functions[*function].symbols.iter().any(has).then_some(*offset)
        }
        Place::Data { symbol: Some(n), offset, .. } if has(n) => {
            Some(offset - image.symbols[*n].value as i64)
        }
        Place::Data { .. }
        | Place::Own { .. }
        | Place::Name { .. }
        | Place::Number(_)
        | Place::Unresolved(_) => None,
    }
}

/// A place in words.
#[must_use]
pub fn describe(image: &Image, place: &Place) -> String {
    match place {
        Place::Own { address, .. } => format!("code at {address:#x}"),
        Place::Function { function, offset: 0 } => image.functions[*function].name.clone(),
        Place::Function { function, offset } => format!("{}+{offset}", image.functions[*function].name),
        Place::Name { name, offset: 0 } => name.clone(),
        Place::Name { name, offset } => format!("{name}{offset:+}"),
        Place::Data { section, offset, symbol, .. } => match symbol {
            Some(n) => format!("{}{:+}", image.symbols[*n].name, offset - image.symbols[*n].value as i64),
            None => format!("{}{offset:+}", image.sections[*section].name),
        },
        Place::Number(n) => n.to_string(),
        Place::Unresolved(why) => (*why).to_owned(),
    }
}
