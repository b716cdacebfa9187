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
use crate::variants::{Prepared, Variant, same};
use crate::verdict::{Alarm, Limit, Rejection};
use mutate::Seed;
use mutate::opaque::Unprofiled;
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
    prepared: Prepared,
    number: u64,
    index: u64,
    name: String,
}

impl Descended {
    /// What the machine cannot tell of the variant, as it could not of its seed: what its seed does.
    pub fn opaque(&self, truth: &Truth) -> Option<Truth> {
        match (&*self.prepared, truth) {
            (Ok(seed), Truth::Rejected(why)) if seed.opaque && why.limit() == Limit::Unsupported => {
                Some(Truth::Opaque { outcome: seed.truth[0].1.clone(), why: why.clone() })
            }
            (Ok(_) | Err(_), _) => None,
        }
    }

    /// How the variant's meaning differs from its seed's, if it does; running out of budget does not count.
    pub fn differs(&self, truth: &Truth) -> Option<String> {
        let Ok(seed) = &*self.prepared else { return None };
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
    let seed = match &*prepared {
        Ok(seed) => seed,
        Err(why) => return Err(Failure::Rejected(why.clone())),
    };
    let variant = mutator.variant(seed, number, index).map_err(Failure::Rejected)?;
    let by = variant.strategies(false).join(", ");
    let name = format!("{}, variant {index} ({by})", program.name);
    let made = Program {
        name,
        text: variant.text.clone().into_bytes(),
        include: Vec::new(),
        file: None,
        command: program.command.clone(),
        units: None,
        parts: Vec::new(),
    };
    Ok((made, Some(Descended { variant, prepared, number, index, name: program.name })))
}

/// What was found last: the program, what it did, and the alarm it raises.
type Found = (Meaning, Observation, Alarm);

/// Cuts the edits of an alarming variant down to a list from which none can go while the same alarm shows in the same
/// configuration. What is found is `None` where even the first attempt shows it no more. `None` when plumb was
/// stopped or time ran out before anything was learnt.
pub(super) fn smallest(
    hunt: &Hunt<'_>,
    descended: &Descended,
    seen: &Observation,
    alarm: &Alarm,
) -> Result<Option<(Descent, Option<Found>)>, Error> {
    let (Some(mutator), Ok(seed)) = (hunt.mutator, &*descended.prepared) else { return Ok(None) };
    let at = At { configuration: seen.configuration, drawn: &seen.drawn };
    let (number, index) = (descended.number, descended.index);
    let descent = |variant| Descent {
        seed: descended.name.clone(),
        seed_text: seed.text.clone(),
        variant,
        edits_before: descended.variant.edits.len(),
    };
    let begun = Instant::now();
    let mut failed = None;
    let mut try_one = |edits: &[mutate::Edit], split: bool| -> Option<(Variant, Found)> {
        if begun.elapsed() > TIME || failed.is_some() {
            return None;
        }
        let variant = mutator.with_edits(seed, edits, number, index, split)?;
        match shows_variant(hunt, at, (descended, &variant), alarm) {
            Ok(found) => Some((variant, found?)),
            Err(error) => {
                failed = Some(error);
                None
            }
        }
    };
    let mut best: Option<(Variant, Found)> = None;
    let was_split = descended.variant.units.is_some();
    let edits = &descended.variant.edits;
    // Does it need no edit at all, or at least no splitting?
    let mut split = was_split;
    if let Some(found) = try_one(&[], false) {
        best = Some(found);
    } else {
        if was_split {
            if let Some(found) = try_one(edits, false) {
                best = Some(found);
                split = false;
            } else if let Some(found) = try_one(&[], true) {
                best = Some(found);
            }
        }
        if best.as_ref().is_none_or(|(variant, _)| !variant.edits.is_empty()) {
            mutate::minimize(edits, TRIES, |kept| match try_one(kept, split) {
                Some(found) => {
                    best = Some(found);
                    true
                }
                None => false,
            });
        }
    }
    if let Some(error) = failed {
        return Err(error);
    }
    Ok(Some(match best {
        Some((variant, found)) => (descent(variant), Some(found)),
        None => (descent(descended.variant.clone()), None),
    }))
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
