//! Variants in a hunt: made before they are tested, and cut down to the edits that an alarm needs.

use super::context::Hunt;
use super::meaning::{Meaning, Unmerged, is_preprocessed, machine_options, merged, preprocessed};
use super::observe::At;
use super::opaque;
use super::shown::shows;
use crate::error::Error;
use crate::findings::Descent;
use crate::oracles::Observation;
use crate::sources::{Failure, Program};
use crate::truth::{self, Truth};
use crate::variants::{Chained, Mutator, Round, Variant, same, strategies};
use crate::verdict::{Alarm, Limit, Rejection};
use mutate::opaque::Unprofiled;
use mutate::{Edit, Seed};
use std::sync::Arc;
use std::time::{Duration, Instant};
use toolchain::compiler::PreprocessError;

/// Compilations spent on cutting one alarm down.
const TRIES: usize = 80;
/// Time spent on it.
const TIME: Duration = Duration::from_secs(120);

/// A variant and where it came from.
pub(super) struct Descended {
    pub variant: Variant,
    /// What each round changed; the last is what the variant is made of.
    rounds: Vec<Round>,
    number: u64,
    index: u64,
    name: String,
}

impl Descended {
    fn new(made: Chained, (number, index): (u64, u64), name: String) -> Descended {
        Descended { variant: made.variant, rounds: made.rounds, number, index, name }
    }

    /// The seed of the source.
    fn first(&self) -> Option<&Seed> {
        self.rounds.first().and_then(|round| round.seed.as_ref().as_ref().ok())
    }

    /// The strategies of all rounds, each once.
    pub fn strategies(&self) -> Vec<String> {
        let mut names = self.variant.strategies(false);
        names.extend(self.rounds.iter().flat_map(|round| strategies(&round.edits, false)));
        names.sort();
        names.dedup();
        names
    }

    /// All edits, round by round.
    pub fn log(&self) -> String {
        let logs: Vec<String> = self.rounds.iter().map(|round| mutate::to_log(&round.edits)).collect();
        logs.join("next round:\n")
    }

    /// What the machine cannot tell of the variant, as it could not of its seed: what its seed does.
    pub fn opaque(&self, truth: &Truth) -> Option<Truth> {
        match (self.first(), truth) {
            (Some(seed), Truth::Rejected(why)) if seed.opaque && why.limit() == Limit::Unsupported => {
                Some(Truth::Opaque { outcome: seed.truth[0].1.clone(), why: why.clone() })
            }
            (Some(_) | None, _) => None,
        }
    }

    /// How the variant's meaning differs from its seed's, if it does; running out of budget does not count.
    pub fn differs(&self, truth: &Truth) -> Option<String> {
        let seed = self.first()?;
        // Of such a seed the machine knows nothing to compare with.
        if seed.opaque {
            return None;
        }
        match truth {
            Truth::Known { outcome, .. } if same(&seed.truth[0].1, outcome) => None,
            Truth::Known { .. } => Some("it behaves otherwise than its seed".to_owned()),
            Truth::Opaque { .. } => None,
            Truth::Rejected(rejection) => match rejection.limit() {
                Limit::Budget => None,
                Limit::Program | Limit::Unsupported => {
                    Some(format!("{}: {}", rejection.reason(), rejection.detail()))
                }
            },
        }
    }
}

/// The program to test under a number: the seed itself for variant 0.
pub(super) fn of(
    hunt: &Hunt<'_>,
    program: Program,
    number: u64,
    index: u64,
) -> Result<(Program, Option<Descended>), Failure> {
    let Some(mutator) = hunt.mutator.filter(|_| index > 0) else { return Ok((program, None)) };
    let text = if !program.parts.is_empty() {
        let (whole, _) = merged(hunt, &program, 0).map_err(|error| match error {
            Unmerged::Stopped => Failure::Stopped,
            Unmerged::Rejected(why) => Failure::Rejected(why),
        })?;
        whole.into_bytes()
    } else if is_preprocessed(hunt, &program) {
        preprocessed(hunt, &program, 0).map_err(|error| match error {
            PreprocessError::Cancelled => Failure::Stopped,
            error => Failure::Rejected(Rejection::NotPreprocessed(error.to_string())),
        })?
    } else {
        program.text.clone()
    };
    let options = machine_options(hunt, &hunt.plan.models[0]);
    let compiled = |seed| opaque::seed(hunt, seed, &text);
    let compiled: Option<&dyn Fn(Unprofiled) -> Option<Seed>> =
        if hunt.options.differential { Some(&compiled) } else { None };
    let prepared = mutator.prepare(number, &text, (&program.name, &options), compiled);
    let made =
        mutator.chained(&prepared, (number, index), (&program.name, &options)).map_err(Failure::Rejected)?;
    let descended = Descended::new(made, (number, index), program.name.clone());
    let by = descended.strategies().join(", ");
    let name = format!("{}, variant {index} ({by})", program.name);
    let made = Program {
        name,
        text: descended.variant.text.clone().into_bytes(),
        include: Vec::new(),
        file: None,
        command: program.command.clone(),
        units: None,
        parts: Vec::new(),
        left_out: program.left_out.clone(),
    };
    Ok((made, Some(descended)))
}

/// What was found last: the program, what it did, and the alarm it raises.
type Found = (Meaning, Observation, Alarm);

/// Cuts the edits of an alarming variant down to a list from which none can go while the same alarm shows in the same
/// configuration, of the earliest round of its chain that does. What is found is `None` where even the first attempt shows
/// it no more. `None` when plumb was stopped or time ran out before anything was learnt.
pub(super) fn smallest(
    hunt: &Hunt<'_>,
    descended: &Descended,
    seen: &Observation,
    alarm: &Alarm,
) -> Result<Option<(Descent, Option<Found>)>, Error> {
    let Some(mutator) = hunt.mutator else { return Ok(None) };
    let at = At { configuration: seen.configuration, drawn: &seen.drawn };
    let mut search = Search { hunt, mutator, descended, at, alarm, begun: Instant::now(), failed: None };
    let mut kept = None;
    for (number, round) in descended.rounds.iter().enumerate().rev() {
        let Ok(seed) = &*round.seed else { break };
        let last = number + 1 == descended.rounds.len();
        let found = search.round(seed, &round.edits, last && descended.variant.units.is_some());
        if let Some(error) = search.failed {
            return Err(error);
        }
        let seed_name = match number {
            0 => descended.name.clone(),
            _ => format!("{}, round {number} of variant {}", descended.name, descended.index),
        };
        let descent = |variant| Descent {
            seed: seed_name,
            seed_text: seed.text.clone(),
            variant,
            edits_before: descended.rounds.iter().map(|round| round.edits.len()).sum(),
        };
        let Some((variant, found)) = found else {
            if last {
                kept = Some((descent(descended.variant.clone()), None));
            }
            break;
        };
        // The program that the round began with shows it too: what made that one is next.
        let bare = variant.edits.is_empty() && variant.units.is_none();
        kept = Some((descent(variant), Some(found)));
        if !bare {
            break;
        }
    }
    Ok(kept)
}

/// The search for the fewest edits of a variant.
struct Search<'a> {
    hunt: &'a Hunt<'a>,
    mutator: &'a Mutator,
    descended: &'a Descended,
    at: At<'a>,
    alarm: &'a Alarm,
    begun: Instant,
    failed: Option<Error>,
}

impl Search<'_> {
    /// The variant with these edits of a seed, if it alarms.
    fn try_one(&mut self, seed: &Seed, edits: &[Edit], split: bool) -> Option<(Variant, Found)> {
        if self.begun.elapsed() > TIME || self.failed.is_some() {
            return None;
        }
        let Descended { number, index, .. } = *self.descended;
        let variant = self.mutator.with_edits(seed, edits, number, index, split)?;
        match shows_variant(self.hunt, self.at, (self.descended, &variant), self.alarm) {
            Ok(found) => Some((variant, found?)),
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    /// The fewest edits of one round: none at all, or those without which it does not show, split only if it must be.
    fn round(&mut self, seed: &Seed, edits: &[Edit], was_split: bool) -> Option<(Variant, Found)> {
        let bare = self.try_one(seed, &[], false);
        if bare.is_some() {
            return bare;
        }
        let (mut split, mut best) = (was_split, None);
        if was_split {
            best = self.try_one(seed, edits, false);
            if best.is_some() {
                split = false;
            } else {
                best = self.try_one(seed, &[], true);
            }
        }
        if best.as_ref().is_none_or(|(variant, _)| !variant.edits.is_empty()) {
            mutate::minimize(edits, TRIES, |kept| match self.try_one(seed, kept, split) {
                Some(found) => {
                    best = Some(found);
                    true
                }
                None => false,
            });
        }
        best
    }
}

/// Does a variant raise the same alarm in this configuration? It must mean something first.
fn shows_variant(
    hunt: &Hunt<'_>,
    at: At<'_>,
    (descended, variant): (&Descended, &Variant),
    alarm: &Alarm,
) -> Result<Option<Found>, Error> {
    let model = hunt.plan.configurations[at.configuration].model;
    let options = machine_options(hunt, &hunt.plan.models[model]);
    let truth = truth::of(variant.text.as_bytes(), "variant", &options);
    let truth = descended.opaque(&truth).unwrap_or(truth);
    match truth {
        Truth::Known { .. } | Truth::Opaque { .. } => {}
        Truth::Rejected(_) => return Ok(None),
    }
    let units = variant.units.clone().map(Arc::new);
    let meaning = Meaning { text: Arc::from(variant.text.as_bytes()), truth, units };
    Ok(shows(hunt, at, &meaning, alarm)?.map(|(seen, alarm)| (meaning, seen, alarm)))
}
