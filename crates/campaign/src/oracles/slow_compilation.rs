//! Compilations that cost out of line: far more CPU time or memory than another configuration needs for the same program,
//! so that the program's size is no excuse, and far more than is usual between the two.
//!
//! Compared are one compiler with another at the same level, a version with an older one, and a level with those below
//! it. Between `-O3` and `-O0`, or between two compilers, some factor is usual: what counts is how often that factor the
//! costs differ. CPU time is what the system charges the compiler's processes (`getrusage`), so that a busy machine
//! changes little; the engine measures again, alone, before a suspicion is believed.

use crate::configurations::{Configuration, Level};
use crate::verdict::{Measure, Relation};
use std::collections::BTreeMap;
use std::time::Duration;
use toolchain::process::Usage;

/// Cheaper compilations are never slow: starting the compiler and reading headers is most of them.
pub const LEAST_TIME: Duration = Duration::from_secs(1);
/// Compilations that need less memory than this, in bytes, never need too much.
pub const LEAST_MEMORY: u64 = 512 << 20;
/// How often the usual factor between two configurations an alarm takes.
pub const FACTOR: f64 = 8.0;
/// Programs after which it is known what is usual; before, equal costs are.
const ENOUGH: usize = 8;
/// Programs that what is usual is taken from; later ones change nothing.
const MOST: usize = 101;

impl Measure {
    /// How much of it a compilation took.
    pub fn of(self, usage: &Usage) -> f64 {
        match self {
            Measure::Time => usage.cpu().as_secs_f64(),
            Measure::Memory => usage.max_rss as f64,
        }
    }

    /// Less of it is never too much.
    pub fn least(self) -> f64 {
        match self {
            Measure::Time => LEAST_TIME.as_secs_f64(),
            Measure::Memory => LEAST_MEMORY as f64,
        }
    }

    /// An amount in words.
    pub fn amount(self, amount: f64) -> String {
        match self {
            Measure::Time => format!("{amount:.2} s of CPU time"),
            Measure::Memory => format!("{:.0} MB of memory", amount / f64::from(1 << 20)),
        }
    }
}

/// What the compilation of a program cost in a configuration, by its index.
pub type Cost = (usize, Usage);

/// A compilation under suspicion.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Slow {
    /// What there is too much of.
    pub measure: Measure,
    /// What the cheaper configuration is to the other.
    pub relation: Relation,
    /// Index of the configuration that costs too much.
    pub worse: usize,
    /// Index of the cheaper one.
    pub better: usize,
    /// So many times the cost of the better one would be out of line.
    pub factor: f64,
}

impl Slow {
    /// Is it out of line by these costs of the two?
    pub fn holds(&self, worse: f64, better: f64) -> bool {
        worse >= self.measure.least() && worse >= self.factor * better
    }
}

/// What the costs of two configurations were to each other, program by program.
#[derive(Default, Debug)]
pub struct Usual {
    seen: BTreeMap<(Measure, usize, usize), Vec<f64>>,
}

impl Usual {
    /// The median factor, at least 1.
    fn factor(&self, measure: Measure, worse: usize, better: usize) -> f64 {
        let Some(seen) = self.seen.get(&(measure, worse, better)).filter(|seen| seen.len() >= ENOUGH) else {
            return 1.0;
        };
        let mut sorted = seen.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2].max(1.0)
    }

    /// The suspicions that the costs of a program raise, one a configuration and measure at most: against the
    /// configuration that makes the least of it. The costs are remembered.
    pub fn judge(&mut self, configurations: &[Configuration], costs: &[Cost]) -> Vec<Slow> {
        let mut suspicions = Vec::new();
        for measure in [Measure::Time, Measure::Memory] {
            for (worse, cost) in costs {
                let mut worst: Option<(f64, Slow)> = None;
                for (better, other) in costs {
                    let pair = (&configurations[*worse], &configurations[*better]);
                    let Some(relation) = relation(pair.0, pair.1) else { continue };
                    let (high, low) = (measure.of(cost), measure.of(other));
                    if low <= 0.0 {
                        continue;
                    }
                    let factor = FACTOR * self.factor(measure, *worse, *better);
                    let slow = Slow { measure, relation, worse: *worse, better: *better, factor };
                    let excess = high / low / factor;
                    if slow.holds(high, low) && worst.is_none_or(|(most, _)| excess > most) {
                        worst = Some((excess, slow));
                    }
                    let seen = self.seen.entry((measure, *worse, *better)).or_default();
                    if seen.len() < MOST {
                        seen.push(high / low);
                    }
                }
                suspicions.extend(worst.map(|(_, slow)| slow));
            }
        }
        suspicions
    }
}

/// How two configurations compare, if they do.
fn relation(worse: &Configuration, better: &Configuration) -> Option<Relation> {
    let same_line = worse.line() == better.line();
    if !worse.compares(better) {
        return None;
    }
    if same_line && worse.version() == better.version() {
        let below = better.rank() != worse.rank() && better.rank().at_most(worse.rank());
        return below.then_some(Relation::Level);
    }
    if worse.level != better.level || (same_line && worse.version() < better.version()) {
        return None;
    }
    // What one compiler does at `-O0` says nothing about another that optimises a little there.
    let compiler = worse.rank() != Level::None;
    if same_line { Some(Relation::Regression) } else { compiler.then_some(Relation::Compiler) }
}
