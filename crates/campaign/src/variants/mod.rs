//! Variants in campaigns: each program of a source is followed by a random number of variants that must behave as it
//! does (equivalence modulo inputs). Programs are numbered through: a seed, its variants, the next seed.
//!
//! Making variants is the [`mutate`] crate's part. The machine judges every variant as it judges any program; one
//! that means something else than its seed is a bug of plumb, and is rejected with its edits.

mod chain;
mod corpus;

pub use chain::{CHAIN, Chained, Round};
pub use corpus::{corpus, generated};

use crate::error::Error;
use crate::units::Units;
use crate::verdict::{Rejection, RejectionKind};
use machine::{Options, Outcome};
use mutate::choices::Choices;
use mutate::opaque::Unprofiled;
use mutate::proteus::Split;
use mutate::{Chosen, Edit, Input, Refusal, Seed, Settings, Strategy};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Prepared seeds kept for the variants to come, beside one for each worker.
const KEPT: usize = 8;
/// Variants of one seed when the mean is not given (Orion: 8).
pub const MEAN: u64 = 8;
/// Most units of a split program.
const PARTS: usize = 5;

/// Makes the variants of a campaign.
pub struct Mutator {
    chosen: Chosen,
    mean: u64,
    chain: usize,
    /// Strategies that paid before, of those chosen.
    favoured: Vec<usize>,
    settings: Settings,
    levels: Vec<String>,
    /// Numbers taken up by the first seeds: sums, one a seed.
    sums: Mutex<Vec<u64>>,
    cache: Mutex<Vec<(u64, Prepared)>>,
}

/// A seed ready for mutation, or why it is none.
pub type Prepared = Arc<Result<Seed, Rejection>>;

/// A variant.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its text; of a split program, the whole in one piece.
    pub text: String,
    /// How it came from the seed.
    pub edits: Vec<Edit>,
    /// Its units, if it is split.
    pub units: Option<Units>,
    /// The strategy that split it.
    pub split_by: Option<&'static str>,
}

impl Variant {
    /// The strategies that made it, each once, in order; with `kinds` as exactly as edits name them.
    pub fn strategies(&self, kinds: bool) -> Vec<String> {
        let mut names = strategies(&self.edits, kinds);
        names.extend(self.split_by.map(str::to_owned));
        names.sort();
        names.dedup();
        names
    }
}

/// The strategies of edits, one an edit; with `kinds` as exactly as edits name them.
pub fn strategies(edits: &[Edit], kinds: bool) -> Vec<String> {
    let name = |edit: &Edit| {
        let whole = edit.strategy.as_str();
        if kinds { whole } else { whole.split('/').next().unwrap_or(whole) }.to_owned()
    };
    edits.iter().map(name).collect()
}

impl Mutator {
    /// The mutator of strategies by name; `levels` are those that split programs are compiled at. Where no corpus was named,
    /// Athena inserts statements of programs that are generated with these options.
    pub fn new(
        wanted: &[String],
        mean: u64,
        mut settings: Settings,
        levels: &[String],
        generator: Option<&generate::Options>,
    ) -> Result<Mutator, Error> {
        let chosen = Chosen::of(wanted).map_err(|error| Error::Usage(format!("--strategy: {error}")))?;
        if settings.database.is_none() && chosen.needs_database() {
            let usual = generate::Options::default();
            settings.database = Some(generated(generator.unwrap_or(&usual)));
        }
        if mean == 0 {
            return Err(Error::Usage("--variants 0: give at least 1, or leave --strategy out".to_owned()));
        }
        let (sums, cache) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        Ok(Mutator {
            chosen,
            mean,
            chain: CHAIN,
            favoured: Vec::new(),
            settings,
            levels: levels.to_vec(),
            sums,
            cache,
        })
    }

    /// With at most so many rounds that a variant comes from; 1 for variants of seeds alone.
    pub fn chaining(self, chain: usize) -> Mutator {
        Mutator { chain, ..self }
    }

    /// With these strategies for half of the variants that have one alone.
    pub fn favouring(self, names: &BTreeSet<String>) -> Mutator {
        let editing = self.chosen.editing.iter().enumerate();
        let favoured = editing.filter(|(_, s)| names.contains(s.name())).map(|(at, _)| at).collect();
        Mutator { favoured, ..self }
    }

    /// Draws whether all strategies are mixed, and else which one is taken.
    fn alone(&self, draw: &mut Choices) -> Option<usize> {
        let mixed = draw.coin();
        let one = draw.below(self.chosen.editing.len().max(1));
        let one = match self.favoured.len() {
            0 => one,
            _ if draw.coin() => one,
            count => self.favoured[draw.below(count)],
        };
        (!mixed).then_some(one)
    }

    /// Everything that its variants depend on.
    pub fn identity(&self) -> String {
        let names = self.chosen.names();
        let plain = Settings { database: None, ..self.settings.clone() };
        let corpus = self.settings.database.as_ref().map(|d| format!("; corpus {:016x}", d.fingerprint()));
        let corpus = corpus.unwrap_or_default();
        format!(
            "variants by {}, mean {}, chain {}, {plain:?}{corpus}",
            names.join(","),
            self.mean,
            self.chain
        )
    }

    /// How many variants a seed has: 1 to twice the mean, so that the mean is what it is called.
    fn variants(&self, seed: u64) -> u64 {
        let most = usize::try_from(self.mean * 2 - 1).unwrap_or(usize::MAX);
        Choices::nth(seed, 0x0e11).range(1, most) as u64
    }

    /// Seed and variant of a number, both from 0; variant 0 is the seed itself.
    pub fn locate(&self, number: u64) -> (u64, u64) {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        while sums.last().is_none_or(|last| *last <= number) {
            let next = sums.last().copied().unwrap_or(0) + 1 + self.variants(sums.len() as u64);
            sums.push(next);
        }
        let seed = sums.partition_point(|sum| *sum <= number);
        let first = if seed == 0 { 0 } else { sums[seed - 1] };
        (seed as u64, number - first)
    }

    /// How many numbers so many seeds take up.
    pub fn count(&self, seeds: u64) -> u64 {
        (0..seeds).map(|seed| 1 + self.variants(seed)).sum()
    }

    /// The seed of this number: profiled now, or lately, on the input that the options give. One whose meaning the machine
    /// cannot give is what `compiled` says, where there is that.
    pub fn prepare(
        &self,
        number: u64,
        text: &[u8],
        (name, options): (&str, &Options),
        compiled: Option<&dyn Fn(Unprofiled) -> Option<Seed>>,
    ) -> Prepared {
        let cache = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = cache().iter().find(|(n, _)| *n == number) {
            return Arc::clone(known);
        }
        let input = Input { args: options.args.clone(), stdin: options.stdin.clone() };
        let made = match frontend::guarded(|| Seed::new(text, name, options, &[input])) {
            Ok(Err(refusal @ Refusal::Unsupported(_))) => {
                let opaque = || compiled?(Unprofiled::new(text, name, options).ok()?);
                frontend::guarded(opaque).ok().flatten().ok_or_else(|| not_used(&refusal))
            }
            Ok(made) => made.map_err(|refusal| not_used(&refusal)),
            Err(said) => Err(Rejection::Internal(format!("the profile panicked: {said}"))),
        };
        let made: Prepared = Arc::new(made);
        let mut cache = cache();
        if cache.len() >= KEPT + std::thread::available_parallelism().map_or(1, usize::from) {
            cache.remove(0);
        }
        cache.push((number, Arc::clone(&made)));
        made
    }

    /// A variant of a seed.
    pub fn variant(&self, seed: &Seed, number: u64, index: u64) -> Result<Variant, Rejection> {
        let mut draw = Choices::nth(number ^ 0x5eed, index);
        let plain = self.edited(seed, (number, index), &mut draw)?;
        let editing = !self.chosen.editing.is_empty();
        let split = !seed.opaque && self.chosen.splitting.is_some() && (!editing || draw.below(3) == 0);
        Ok(if split { self.split(seed, &plain, draw.word()) } else { plain })
    }

    /// A variant in one piece. Half of them mix all strategies, the others have one.
    fn edited(
        &self,
        seed: &Seed,
        (number, index): (u64, u64),
        draw: &mut Choices,
    ) -> Result<Variant, Rejection> {
        let alone = self.alone(draw);
        let fits = |strategy: &dyn Strategy| !seed.opaque || strategy.needs_coverage_only();
        let editing: Vec<&dyn Strategy> =
            self.chosen.editing.iter().filter(|s| fits(**s)).map(|s| *s as &dyn Strategy).collect();
        if seed.opaque && editing.is_empty() {
            let why = "no strategy makes variants of programs whose meaning the machine cannot give";
            return Err(Rejection::SeedNotUsed {
                because: RejectionKind::Unsupported,
                detail: why.to_owned(),
            });
        }
        let chosen = match alone {
            Some(at) => editing.get(at % editing.len().max(1)).copied().into_iter().collect(),
            None => editing,
        };
        let made = match frontend::guarded(|| mutate::variant(seed, &chosen, &self.settings, number, index)) {
            Ok(made) => made.map_err(|misfit| Rejection::WrongVariant(misfit.to_string()))?,
            Err(said) => return Err(Rejection::Internal(format!("a strategy panicked: {said}"))),
        };
        Ok(Variant { text: made.text, edits: made.edits, units: None, split_by: None })
    }

    /// The variant with other edits, split as it was.
    pub fn with_edits(
        &self,
        seed: &Seed,
        edits: &[Edit],
        number: u64,
        index: u64,
        split: bool,
    ) -> Option<Variant> {
        let text = seed.replay(edits).ok()?;
        let plain = Variant { text, edits: edits.to_vec(), units: None, split_by: None };
        if !split {
            return Some(plain);
        }
        let mut draw = Choices::nth(number ^ 0x5eed, index);
        let _ = self.alone(&mut draw);
        if !self.chosen.editing.is_empty() {
            draw.below(3);
        }
        let made = self.split(seed, &plain, draw.word());
        made.units.is_some().then_some(made)
    }

    fn split(&self, seed: &Seed, plain: &Variant, word: u64) -> Variant {
        let mut draw = Choices::new(word);
        let parts = draw.range(2, PARTS);
        let by = self.chosen.splitting.and_then(|s| Some((s.name(), s.splitter()?)));
        let Some((by, splitter)) = by else { return plain.clone() };
        let Ok(Split { units, whole }) = splitter(&plain.text, &seed.options.target, parts, &mut draw) else {
            return plain.clone();
        };
        let level = |draw: &mut Choices| draw.pick(&self.levels).cloned().unwrap_or_default();
        let levels = (1..units.len()).map(|_| level(&mut draw)).collect();
        let units = Units { texts: units, levels, lto: draw.coin() };
        Variant { text: whole, edits: plain.edits.clone(), units: Some(units), split_by: Some(by) }
    }
}

/// Why no variants are made of a program.
fn not_used(refusal: &Refusal) -> Rejection {
    let because = match refusal {
        Refusal::NotC(_) => RejectionKind::NotC,
        Refusal::Undefined { .. } => RejectionKind::Undefined,
        Refusal::Unsupported(_) => RejectionKind::Unsupported,
        Refusal::Exhausted(_) => RejectionKind::Exhausted,
        Refusal::Internal(_) => RejectionKind::Internal,
    };
    Rejection::SeedNotUsed { because, detail: refusal.to_string() }
}

/// Does a variant do what its seed does? Its volatile accesses must be the same too.
pub fn same(seed: &Outcome, variant: &Outcome) -> bool {
    (seed.exit, &seed.stdout, &seed.stderr, seed.volatile_trace)
        == (variant.exit, &variant.stdout, &variant.stderr, variant.volatile_trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_through_seeds_and_variants() {
        let mutator =
            Mutator::new(&["orion,hermes".to_owned()], 8, Settings::default(), &[], None).expect("known");
        let mut expected = Vec::new();
        for seed in 0..200 {
            expected.extend((0..=mutator.variants(seed)).map(|variant| (seed, variant)));
        }
        assert_eq!(expected.len() as u64, mutator.count(200));
        for (number, wanted) in expected.iter().enumerate().rev() {
            assert_eq!(mutator.locate(number as u64), *wanted);
        }
        let mean = expected.len() as f64 / 200.0 - 1.0;
        assert!((7.0..9.0).contains(&mean), "{mean} variants a seed");
    }

    #[test]
    fn unknown_strategies_are_named() {
        let refused = Mutator::new(&["orion,oreon".to_owned()], 8, Settings::default(), &[], None);
        assert!(refused.err().is_some_and(|e| e.to_string().contains("oreon")));
        assert!(
            Mutator::new(&["all".to_owned()], 8, Settings::default(), &[], None)
                .is_ok_and(|m| m.chosen.splitting.is_some())
        );
    }
}
