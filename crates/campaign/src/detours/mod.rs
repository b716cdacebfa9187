//! Detours: other ways to compute what a construct computes, by which a known bug is recognised in a program that was not
//! reduced.
//!
//! A compiler without passes gives triage nothing to leave out. What can be left out is the construct that it translates
//! wrongly: everywhere in a program, each conversion, operator or comparison of a kind (the *key*, as `conversion of narrow
//! signed to narrow unsigned`) is replaced by the call of a function that computes the same another way, through a volatile
//! object and, of integers, in 64 bits. If the failure of a reduced program is gone then, the key names its bug; if the
//! same detour takes the failure of another program away, that one fails for the same reason. It costs one compilation
//! where reducing costs thousands.
//!
//! Why that is sound enough to group by:
//! - The meaning stays: the abstract machine must see the rewritten program do what the program did, or the detour says
//!   nothing. The failure is judged as ever, by compiling and running.
//! - A key is narrow. Another bug's failure goes away only if it needs a construct of the same kind.
//! - Compound assignments have their conversions inside, where nothing can be replaced: they are spelled out first, in all
//!   programs, and a program whose failure that alone takes away is no evidence for any other detour.
//! - Of the detours that heal a reduced program the one whose construct is evaluated first names the bug: what follows works
//!   on a value that is wrong already.
//!
//! What it cannot see: bugs of declarations, jumps and calls, which no expression avoids (of declarations only arrays of
//! variable length have a detour, one of fixed length). Their findings are reduced, each.

mod apply;
mod helpers;
mod places;
mod spell;

use csyntax::target::Target;

/// A kind of construct that is computed another way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Detour {
    /// What constructs: `conversion of narrow signed to narrow unsigned`.
    key: String,
}

impl Detour {
    /// In words, as a signature has it.
    pub fn name(&self) -> &str {
        &self.key
    }

    /// What is done to each of the constructs, in words that go on after `is`.
    pub fn taken(&self) -> &'static str {
        if self.is_storage() {
            "of fixed length instead"
        } else if self.is_assignment() {
            "spelled out"
        } else {
            "computed by a function, through a volatile object"
        }
    }

    /// Does it spell assignments out?
    pub fn is_assignment(&self) -> bool {
        self.key.starts_with(places::ASSIGNMENT)
    }

    /// Does it keep objects elsewhere?
    pub fn is_storage(&self) -> bool {
        self.key == places::VARIABLE
    }

    /// The detour of this name; `None` if it is none of this version's.
    pub fn named(name: &str) -> Option<Detour> {
        places::FAMILIES
            .iter()
            .any(|family| name.starts_with(family))
            .then(|| Detour { key: name.to_owned() })
    }
}

/// The detours that a program has a place for, those evaluated first first.
pub fn of(text: &str, target: &Target) -> Vec<Detour> {
    let mut keys = apply::keys(text, target, &places::of_assignments);
    if let Some(plain) = spelled_out(text, target) {
        keys.extend(apply::keys(&plain, target, &places::of_expressions));
    }
    keys.into_iter().map(|key| Detour { key }).collect()
}

/// The program with all its compound assignments spelled out, from which detours start; `None` if it is not C.
pub fn spelled_out(text: &str, target: &Target) -> Option<String> {
    spell::out(text, target, &|_| true)
}

/// The program with these detours taken; `None` if it has no place for any of them.
pub fn take(text: &str, target: &Target, detours: &[Detour]) -> Option<String> {
    let wanted = |key: &str| detours.iter().any(|detour| detour.key == key);
    let (assigned, rest): (Vec<&Detour>, Vec<&Detour>) =
        detours.iter().partition(|detour| detour.is_assignment());
    if rest.is_empty() && !assigned.is_empty() {
        return spell::out(text, target, &wanted).filter(|new| new != text);
    }
    apply::apply(&spelled_out(text, target)?, target, &wanted)
}

#[cfg(test)]
mod tests;
