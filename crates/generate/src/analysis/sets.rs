//! Interned points-to sets: the lattice of section 4.4.2, where equal sets are equal numbers and joins are remembered.

use crate::model::Loc;
use rustc_hash::FxHashMap;

/// An interned set of locations.
pub type SetId = u32;

/// All sets of a program.
#[derive(Clone, Debug)]
pub struct Sets {
    sets: Vec<Box<[Loc]>>,
    known: FxHashMap<Box<[Loc]>, SetId>,
    joins: FxHashMap<(SetId, SetId), SetId>,
    /// The set of each single location, where it was asked for.
    ones: Vec<SetId>,
}

impl Default for Sets {
    fn default() -> Sets {
        let mut sets = Sets {
            sets: Vec::new(),
            known: FxHashMap::default(),
            joins: FxHashMap::default(),
            ones: Vec::new(),
        };
        sets.intern(Vec::new());
        sets.intern(vec![Loc::NULL]);
        sets.intern(vec![Loc::GARBAGE]);
        sets
    }
}

impl Sets {
    /// No location: the top of the lattice.
    pub const EMPTY: SetId = 0;
    /// A null pointer's.
    pub const NULL: SetId = 1;
    /// An indeterminate pointer's.
    pub const GARBAGE: SetId = 2;

    /// The set of these locations.
    pub fn intern(&mut self, mut members: Vec<Loc>) -> SetId {
        members.sort_unstable();
        members.dedup();
        if let Some(&known) = self.known.get(members.as_slice()) {
            return known;
        }
        let id = self.sets.len() as SetId;
        let members = members.into_boxed_slice();
        self.sets.push(members.clone());
        self.known.insert(members, id);
        id
    }

    /// The set of one location.
    pub fn one(&mut self, loc: Loc) -> SetId {
        let index = loc.0 as usize;
        if self.ones.len() <= index {
            self.ones.resize(index + 64, Sets::EMPTY);
        }
        if self.ones[index] == Sets::EMPTY {
            self.ones[index] = self.intern(vec![loc]);
        }
        self.ones[index]
    }

    /// The members, ascending: `NULL` and `GARBAGE` come first.
    pub fn members(&self, set: SetId) -> &[Loc] {
        &self.sets[set as usize]
    }

    /// Union.
    pub fn join(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == Sets::EMPTY {
            return a;
        }
        if a == Sets::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.joins.get(&key) {
            return known;
        }
        let mut all = self.members(a).to_vec();
        all.extend_from_slice(self.members(b));
        let set = self.intern(all);
        self.joins.insert(key, set);
        set
    }

    /// Is `GARBAGE` in it?
    pub fn garbage(&self, set: SetId) -> bool {
        self.members(set).contains(&Loc::GARBAGE)
    }

    /// Is a dereference valid: points it to something, and to nothing special?
    pub fn valid(&self, set: SetId) -> bool {
        self.members(set).first().is_some_and(|first| *first > Loc::GARBAGE)
    }
}
