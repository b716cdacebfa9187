//! Plans: how one attempt at a proof cuts the programs, what it guesses, and what it may spend. A plan is a value that
//! is handed down to whoever asks something; nothing of it is kept where a later attempt would find it.
//!
//! Attempts come in rounds. A round tries one plan after the other with a fixed amount of work; where only work was
//! lacking, the next round has more. So a proof is a function of its input: time decides in which round it ends, if
//! the ceiling is reached, and never which verdict a round comes to.

use crate::guess;
use crate::model::budget::{
    BLOCK_CANDIDATE, BLOCK_QUERY, BLOCKS_SHARE, CANDIDATE_SHARE, CHECK_QUERY, LOCAL_SHARE, QUERY_SHARE,
    QUICK_QUERY, QUICK_SHARE, ROUND, ROUND_POINT,
};
use crate::model::{PointKind, Shape, loops};
use smt::Why;
use smt::effort::{Deadline, Effort};

/// How many blocks a program without loops may have to be looked at as a whole first.
const SMALL: usize = 6;

/// How many pairs of joins make it worth to cut there at once.
const JOINS: usize = 4;

/// How often a side may run on through a cut where loops as they are cut do not meet.
const RUN_ON: u32 = 3;

/// Where the programs are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cuts {
    /// At every block that has a partner: more relations to find, but obligations of a block each.
    Blocks,
    /// At loops, or where hints say.
    Loops,
}

/// What is guessed of variables besides what is read off the states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Guesses {
    /// Bounds of variables.
    pub bounds: bool,
    /// What branches on the way to a point say.
    pub branches: bool,
    /// What variables are made of on the other side: what one keeps and the other computes again.
    pub made: bool,
}

/// What an attempt may spend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// On an obligation.
    pub query: Effort,
    /// On a candidate relation.
    pub candidate: Effort,
    /// On everything.
    pub end: Deadline,
}

/// One way to attempt a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub cuts: Cuts,
    pub guesses: Guesses,
    pub budget: Budget,
    /// Check only runs that pass no point more often than this, without cutting loops.
    pub bound: Option<u32>,
    /// How often a side may run on through a cut, on its way from one pair of points to the next.
    pub run_on: u32,
}

impl Plan {
    /// Loops cut, nothing special guessed.
    pub fn new(budget: Budget) -> Plan {
        Plan { cuts: Cuts::Loops, guesses: Guesses::default(), budget, bound: None, run_on: 0 }
    }

    /// For a certificate, whose relations are not searched for.
    pub fn check(by_blocks: bool) -> Plan {
        let budget = Budget { query: CHECK_QUERY, candidate: CHECK_QUERY, end: Deadline::NEVER };
        let cuts = if by_blocks { Cuts::Blocks } else { Cuts::Loops };
        Plan { cuts, run_on: RUN_ON, ..Plan::new(budget) }
    }

    /// Are blocks cut, not loops alone?
    pub fn by_blocks(&self) -> bool {
        self.cuts == Cuts::Blocks
    }

    /// What a query may spend that should have so much.
    pub fn allow(&self, wanted: Effort) -> Effort {
        wanted.min(self.budget.end.left())
    }

    /// What an obligation may spend.
    pub fn query(&self) -> Effort {
        self.allow(self.budget.query)
    }

    /// What an obligation may spend that should have so much and not more than others.
    pub fn query_of(&self, wanted: Effort) -> Effort {
        self.allow(wanted.min(self.budget.query))
    }
}

/// The attempts of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// Loops cut where names say, and short obligations: most functions close so.
    Quick,
    /// Every block cut that has a partner.
    Blocks,
    /// Loops cut where names say.
    Names,
    /// Loops cut where runs say, with bounds of variables.
    Runs,
    /// Once more with patience for candidates, where only work was lacking.
    Patience,
}

impl Attempt {
    /// The order in which they are made; `local` where it is best to go from block to block at once.
    pub fn order(local: bool) -> [Attempt; 5] {
        let [first, second] =
            if local { [Attempt::Blocks, Attempt::Quick] } else { [Attempt::Quick, Attempt::Blocks] };
        [first, second, Attempt::Names, Attempt::Runs, Attempt::Patience]
    }

    /// The plan of an attempt in a round of so much work that ends there.
    pub fn plan(self, round: Effort, end: Deadline, local: bool) -> Plan {
        let left = end.left();
        let query = round.percent(QUERY_SHARE);
        let (share, query, candidate) = match self {
            Attempt::Quick => {
                (QUICK_SHARE, QUICK_QUERY.min(round.percent(5)), QUICK_QUERY.min(round.percent(2)))
            }
            Attempt::Blocks => (
                if local { LOCAL_SHARE } else { BLOCKS_SHARE },
                BLOCK_QUERY.min(left.percent(25)),
                BLOCK_CANDIDATE.min(left.percent(12)),
            ),
            Attempt::Names | Attempt::Runs => (100, query, round.percent(CANDIDATE_SHARE)),
            Attempt::Patience => (100, query, query),
        };
        let end = if share == 100 { end } else { Deadline::after(left.percent(share)) };
        let budget = Budget { query, candidate: candidate.min(query), end };
        let made = matches!(self, Attempt::Names | Attempt::Runs | Attempt::Patience);
        let guesses = Guesses { bounds: self == Attempt::Runs, made, branches: false };
        let cuts = if self == Attempt::Blocks { Cuts::Blocks } else { Cuts::Loops };
        let run_on = if made { RUN_ON } else { 0 };
        Plan { cuts, guesses, run_on, ..Plan::new(budget) }
    }
}

/// The work of the first round for two programs.
pub(crate) fn first_round(left: &Shape) -> Effort {
    ROUND + ROUND_POINT.times(left.points.len() as u64)
}

/// Whether it is best to go from block to block at once: nearly all of them have a partner by its name, and there is more
/// than a few of them; or nearly all that paths join at have one by what lies around them.
pub(crate) fn is_local(l: &Shape, r: &Shape) -> bool {
    by_names(l, r) || {
        let (pairs, joins) = guess::joins(l, r, &[], &[]);
        pairs.len() >= JOINS && 10 * pairs.len() >= 8 * joins
    }
}

/// Whether nearly all blocks have a partner by name.
pub(crate) fn by_names(l: &Shape, r: &Shape) -> bool {
    let blocks = l.points.iter().filter(|p| p.kind == PointKind::Block).count();
    if blocks <= SMALL && loops(l).is_empty() {
        return false;
    }
    10 * guess::blocks(l, r, &[], &[]).len() >= 9 * blocks
}

/// Whether anything was given up that more work might have shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Shortage {
    /// Something was, for whatever limit.
    pub any: bool,
    /// Something was, and a larger budget may do.
    pub effort: bool,
}

impl Shortage {
    /// As a query without an answer says.
    pub fn of(why: Option<&Why>) -> Shortage {
        let effort = match why {
            Some(Why::Effort | Why::Time) => true,
            Some(Why::Memory | Why::Incomplete(_) | Why::Backend(_)) | None => false,
        };
        Shortage { any: why.is_some(), effort }
    }

    /// One or the other.
    pub fn add(&mut self, other: Shortage) {
        self.any |= other.any;
        self.effort |= other.effort;
    }
}
