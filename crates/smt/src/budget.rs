//! The budgets of queries: one table, each entry with a name, a unit and the reason for its number. Those of proofs are
//! the engine's, in the same form.
//!
//! Every unit is counted the same on every machine ([`crate::effort`]); a million ticks are about a millisecond.

use crate::effort::Effort;

/// An entry of a table of budgets.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// What it is called in the code.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// How many.
    pub amount: u64,
    /// What it bounds, and why there.
    pub reason: &'static str,
}

/// Makes a table of budgets: a constant for each entry, and `TABLE`, which lists them.
#[macro_export]
macro_rules! budgets {
    (@value Effort $n:literal) => { $crate::effort::Effort::mega($n) };
    (@value $kind:ident $n:literal) => { $n };
    ($($(#[doc = $reason:literal])+ $name:ident: $kind:ident of $unit:literal = $n:literal;)+) => {
        $($(#[doc = $reason])+ pub const $name: $kind = $crate::budgets!(@value $kind $n);)+

        /// The budgets, one by one.
        pub const TABLE: &[$crate::budget::Budget] = &[$($crate::budget::Budget {
            name: stringify!($name),
            unit: $unit,
            amount: $n,
            reason: concat!($($reason),+),
        }),+];
    };
}

budgets! {
    /// The backend's first try at a query as a whole. Nearly all queries that it decides at all it decides within.
    WHOLE_FIRST: Effort of "Mticks" = 300;
    /// The backend's try once equal parts are merged by sweeping. That left the query smaller: a longer try pays.
    WHOLE_SWEPT: Effort of "Mticks" = 500;
    /// A goal of several parts as a whole. They are proved one by one afterwards, where the whole is seldom easier.
    CONJUNCTION: Effort of "Mticks" = 120;
    /// Parts of a goal that are proved one by one. With more, a part each costs more than the whole.
    CONJUNCTS: usize of "parts" = 64;
    /// A case before it is split further. Easy ones end in a tenth of that.
    CASE: Effort of "Mticks" = 120;
    /// Conditions fixed one after the other in case splitting. Deeper there is seldom a choice left.
    CASE_DEPTH: u32 of "conditions" = 24;
    /// Pairs of addresses taken for equal and for different before anything else. Each doubles the query.
    ALIAS_SPLITS: u32 of "splits" = 3;
    /// Conditions under which addresses are said to be apart that are fixed one after the other. Each doubles the query, where
    /// rewriting does not close a case at once.
    GUARD_SPLITS: u32 of "splits" = 3;
    /// Conditions, and pairs of places that may be one, that are fixed one after the other along a path, with the solver asked only
    /// at its end. Each may double the query.
    PATH_SPLITS: u32 of "splits" = 24;
    /// Boolean terms searched for a pair of addresses that a promise leaves open.
    ALIAS_SEARCH: usize of "terms" = 2_000;
    /// A pair of terms in SAT sweeping. Most pairs are local and fall at once; the others are left for the whole.
    SWEEP_PAIR: Effort of "Mticks" = 60;
    /// The model of the small facts that sweeping under facts begins with.
    SWEEP_MODEL: Effort of "Mticks" = 100;
    /// Terms of a query that is swept: with more, going through them costs more than a search.
    SWEEP_TERMS: usize of "terms" = 20_000;
    /// Models that tell terms apart in one sweep; each is evaluated on the whole query.
    SWEEP_MODELS: u32 of "models" = 400;
    /// Members of a class of like terms that a term is compared with.
    SWEEP_MEMBERS: usize of "terms" = 3;
    /// Conflicts of a search by the SAT solver for small ones, which keeps what it learnt. After that the one for hard
    /// searches takes over, which is faster there but has to be given all clauses first: with a tenth of this a function
    /// of many queries of middling size took longer.
    SMALL_SEARCH: u64 of "conflicts" = 10_000;
    /// Rounds of lemmas on demand for one query.
    LEMMA_ROUNDS: u32 of "rounds" = 400;
    /// Variables that definitions may have before they are thrown away. Those of earlier queries cost little as long as
    /// nothing decides on them; making a large function's path conditions anew costs more than most searches.
    KEPT_VARIABLES: u32 of "variables" = 600_000;
    /// A query that takes more than this is listed as a slow one.
    SLOW_QUERY: Effort of "Mticks" = 60;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_says_what_it_counts_and_why() {
        assert!(TABLE.iter().all(|b| b.amount > 0 && !b.unit.is_empty() && b.reason.len() > 20));
        assert!(TABLE.iter().any(|b| b.name == "SMALL_SEARCH" && b.amount == SMALL_SEARCH));
    }
}
