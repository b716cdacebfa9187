//! Optimisations that one configuration misses and another does not.

use super::{Beside, assembly, micros, raise};
use crate::configurations::INPUT;
use crate::error::Error;
use crate::findings::{Against, Contrast};
use crate::hunt::context::{Hunt, held};
use crate::hunt::meaning::{Meaning, machine_options};
use crate::hunt::raise::Tested;
use crate::oracles::missed_optimisation::{self, Missed, Survivors, survivors};
use crate::truth::{self, Truth};
use crate::variants::same;
use crate::verdict::{Alarm, FindingKind, OracleName, Relation, Stage};
use mutate::markers::{self, Marked};
use mutate::{Input, Seed};
use std::collections::BTreeMap;
use toolchain::compiler::CompileOutcome;

/// Dead blocks marked in one program.
const MARKERS: usize = 256;

/// Marks the dead blocks of the program and compares what configurations leave in.
pub(super) fn missed(hunt: &Hunt<'_>, tested: &Tested<'_>, beside: &mut Beside) -> Result<Option<()>, Error> {
    for (model, meaning) in tested.meanings.models.iter().enumerate() {
        let Some((seed, marked)) = marked(hunt, meaning, model) else { continue };
        let mut seen = Vec::new();
        for (number, configuration) in hunt.plan.configurations.iter().enumerate() {
            let is_asked = configuration.model == model && tested.program.is_for(number);
            if !is_asked || !configuration.family().optimises() {
                continue;
            }
            let Some((compiled, text)) = assembly(hunt, configuration, marked.text.as_bytes(), false)? else {
                return Ok(None);
            };
            beside.compilers_us += micros(&compiled.usage);
            // One that fails has removed nothing: the program without markers says what there is to say of that.
            if compiled.outcome == CompileOutcome::Ok {
                seen.push(Survivors { configuration: number, markers: survivors(&text) });
            }
        }
        let all = missed_optimisation::compare(&hunt.plan.configurations, &seen);
        for missed in chosen(hunt, &marked, all) {
            let Some(()) = raise_missed(hunt, tested, meaning, (&seed, &marked), missed, beside)? else {
                return Ok(None);
            };
        }
    }
    Ok(Some(()))
}

/// The program with its dead blocks marked, where its meaning is known and stays the same.
fn marked(hunt: &Hunt<'_>, meaning: &Meaning, model: usize) -> Option<(Seed, Marked)> {
    let Truth::Known { outcome, .. } = &meaning.truth else { return None };
    if meaning.units.is_some() {
        return None;
    }
    let options = machine_options(hunt, &hunt.plan.models[model]);
    let input = Input { args: options.args.clone(), stdin: options.stdin.clone() };
    let seed = frontend::guarded(|| Seed::new(&meaning.text, INPUT, &options, &[input])).ok()?.ok()?;
    let marked = markers::mark(&seed, MARKERS)?;
    match truth::of(marked.text.as_bytes(), INPUT, &options) {
        Truth::Known { outcome: now, .. } if same(outcome, &now) => Some((seed, marked)),
        Truth::Known { .. } | Truth::Opaque { .. } | Truth::Rejected(_) => None,
    }
}

/// What a finding is known by: who misses it, against what, and what decides about the block.
fn signature(hunt: &Hunt<'_>, marked: &Marked, missed: &Missed) -> String {
    let worse = &hunt.plan.configurations[missed.worse];
    let line = worse.line().name();
    let by = match missed.relation {
        Relation::DebugInfo => format!("{line} {} with debug information", worse.version_text()),
        Relation::Regression => format!("{line} {} since an older version", worse.version_text()),
        Relation::Level => format!("{line} {} at {}", worse.version_text(), worse.level),
        Relation::Compiler => {
            format!("{line}, not {}", hunt.plan.configurations[missed.better].family().name())
        }
    };
    format!("{by}: {}", marked.guards[missed.marker])
}

/// Of what is missed by the same compiler in comparisons of the same kind, one a program: the first that is not known.
fn chosen(hunt: &Hunt<'_>, marked: &Marked, all: Vec<Missed>) -> Vec<Missed> {
    let mut groups: BTreeMap<_, Vec<Missed>> = BTreeMap::new();
    for missed in all {
        let line = hunt.plan.configurations[missed.worse].line();
        groups.entry((line, missed.relation)).or_default().push(missed);
    }
    let known = held(&hunt.signatures);
    let is_new = |missed: &&Missed| {
        !known.contains_key(&(FindingKind::MissedOptimisation, signature(hunt, marked, missed)))
    };
    groups.values().filter_map(|group| group.iter().find(is_new).or(group.first()).copied()).collect()
}

/// Raises the alarm of a missed block, on the program with that marker alone where it shows it.
fn raise_missed(
    hunt: &Hunt<'_>,
    tested: &Tested<'_>,
    meaning: &Meaning,
    (seed, marked): (&Seed, &Marked),
    missed: Missed,
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    let (worse, better) = (&hunt.plan.configurations[missed.worse], &hunt.plan.configurations[missed.better]);
    let mut text = marked.text.clone();
    if let Ok(alone) = seed.replay(&marked.edits[missed.marker..=missed.marker]) {
        let mut left = Vec::new();
        for configuration in [worse, better] {
            let Some((compiled, text)) = assembly(hunt, configuration, alone.as_bytes(), false)? else {
                return Ok(None);
            };
            beside.compilers_us += micros(&compiled.usage);
            left.push(compiled.outcome == CompileOutcome::Ok && survivors(&text).contains(&missed.marker));
        }
        if left == [true, false] {
            text = alone;
        }
    }
    let name = markers::name(missed.marker);
    let guard = &marked.guards[missed.marker];
    let what = Contrast::Marker(name.clone());
    let against = Against { configuration: better.clone(), relation: missed.relation, what };
    let alarm = Alarm {
        kind: FindingKind::MissedOptimisation,
        oracle: OracleName::MissedOptimisation,
        stage: Stage::Compile,
        signature: signature(hunt, marked, &missed),
        summary: against.missed(&name, guard),
        doubt: None,
    };
    raise(hunt, (tested, meaning), text.as_bytes(), (worse, &alarm, &against), beside)
}
