//! The budgets of a proof: one table, each entry with a name, a unit and the reason for its number. Those of queries
//! are the solvers' ([`smt::budget`]), in the same form.
//!
//! Every unit is counted the same on every machine ([`smt::effort`]); a million ticks (Mticks) are about a millisecond.

use smt::effort::Effort;

smt::budgets! {
    /// The first round of attempts at any pair of functions. Most proofs need a hundredth of it.
    ROUND: Effort of "Mticks" = 6_000;
    /// What the first round has besides for each point of the source: a large function needs more for its last proof
    /// attempt to be reached at all, and what a round leaves open is begun anew in the next.
    ROUND_POINT: Effort of "Mticks" = 100;
    /// How many times as much as the round before a round has. With less, rounds that fail cost more than the one that
    /// does not; with more, a proof just out of reach of one round costs too much in the next.
    ROUND_GROWTH: u64 of "times" = 4;
    /// Rounds, where only work is lacking. The last would take hours: until then it is the ceiling on time that ends them.
    ROUNDS: u32 of "rounds" = 8;
    /// Rounds of a proof that a bounded check follows. A bound is worth more than an hour of search.
    ROUNDS_BOUNDED: u32 of "rounds" = 3;
    /// Share of a round for going from block to block, where that is tried first: nearly all such proofs close so.
    LOCAL_SHARE: u64 of "percent" = 70;
    /// Share of what is left of a round for going from block to block where that is not tried first.
    BLOCKS_SHARE: u64 of "percent" = 50;
    /// Share of what is left of a round for the attempt with short obligations.
    QUICK_SHARE: u64 of "percent" = 25;
    /// An obligation, and a candidate relation, of the attempt with short ones.
    QUICK_QUERY: Effort of "Mticks" = 500;
    /// An obligation between two blocks. It is small, or something is wrong with the cut.
    BLOCK_QUERY: Effort of "Mticks" = 300;
    /// The same once one took longer.
    BLOCK_QUERY_LONG: Effort of "Mticks" = 1_200;
    /// A candidate relation at a block. Those are many, and true at a glance or not at all.
    BLOCK_CANDIDATE: Effort of "Mticks" = 160;
    /// Share of a round for an obligation of the other attempts.
    QUERY_SHARE: u64 of "percent" = 25;
    /// Share of a round for a candidate relation of the other attempts.
    CANDIDATE_SHARE: u64 of "percent" = 3;
    /// An obligation of a certificate that is checked without search.
    CHECK_QUERY: Effort of "Mticks" = 15_000;
    /// A candidate relation about one side alone. It is seldom needed, and as a rule true at a glance or not at all.
    ONE_SIDED: Effort of "Mticks" = 60;
    /// A query without the facts that say that no error came before: by far the largest, and seldom needed.
    WITHOUT_ERRORS: Effort of "Mticks" = 150;
    /// All paths into an error of the target together, before they are gone through one by one.
    ALL_ERROR_PATHS: Effort of "Mticks" = 300;
    /// Showing one error path of the target to be an error path of the source.
    ERROR_PATH: Effort of "Mticks" = 400;
    /// Whether a synchronisation point is reached at all. Most are; one that is not costs its relations.
    REACHED: Effort of "Mticks" = 40;
    /// Whether the exit or an event that a proof speaks of can be reached: a proof of nothing is none.
    REACHABLE: Effort of "Mticks" = 15_000;
    /// Cuts taken back only because something behind them took too long.
    LATE_CUTS: u32 of "cuts" = 8;
    /// A series of runs on concrete values.
    RUNS: Effort of "Mticks" = 1_000;
    /// The same, as a share of a first round that is smaller than usual.
    RUNS_SHARE: u64 of "percent" = 12;
    /// Share of a series for one of its runs: a loop that goes round for longer shows little that its first rounds did
    /// not.
    RUN_SHARE: u64 of "percent" = 25;
    /// Making the inputs of a counterexample small: people read them, and it is found by then.
    SMALLER: Effort of "Mticks" = 1_000;
    /// Inputs that satisfy the entry relation, where random ones do not.
    ENTRY_MODEL: Effort of "Mticks" = 2_000;
    /// A model of a difference whose addresses a process may have.
    MODEL_WITHIN_REACH: Effort of "Mticks" = 1_500;
    /// The search for a difference on short paths from the entry, at most.
    SHORT_PATHS: Effort of "Mticks" = 3_000;
    /// The same search, as a share of the round before it.
    SHORT_PATHS_SHARE: u64 of "percent" = 10;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_says_what_it_counts_and_why() {
        assert!(TABLE.iter().all(|b| b.amount > 0 && !b.unit.is_empty() && b.reason.len() > 20));
        let mut names: Vec<&str> = TABLE.iter().map(|b| b.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|w| w[0] != w[1]));
    }
}
