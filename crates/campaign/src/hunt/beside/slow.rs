//! Compilations that cost out of line.

use super::{Beside, assembly, micros, raise};
use crate::error::Error;
use crate::findings::{Against, Contrast, CostFacts};
use crate::hunt::context::{Hunt, held};
use crate::hunt::meaning::Meaning;
use crate::hunt::raise::Tested;
use crate::oracles::Observation;
use crate::oracles::slow_compilation::{Cost, Slow};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, Named, OracleName, Stage};
use toolchain::compiler::CompileOutcome;

/// How often a suspicious compilation is measured again; the least counts for it, the most for what it is compared with.
const MEASURED: usize = 3;

/// Compares what compiling the program cost, and measures what is suspicious again with nothing beside it.
pub(super) fn slow(
    hunt: &Hunt<'_>,
    tested: &Tested<'_>,
    observations: &[Observation],
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    // Drawn options cost what they cost: a level is compared with a level.
    let plain = |seen: &&Observation| seen.drawn.is_empty() && seen.compile.outcome == CompileOutcome::Ok;
    let whole = |seen: &&Observation| {
        let meaning = tested.meanings.of(hunt, seen.configuration);
        matches!(meaning.truth, Truth::Known { .. }) && meaning.units.is_none()
    };
    let costs: Vec<Cost> = observations
        .iter()
        .filter(plain)
        .filter(whole)
        .map(|seen| (seen.configuration, seen.compile.usage))
        .collect();
    let suspicions = held(&hunt.usual).judge(&hunt.plan.configurations, &costs);
    for slow in suspicions {
        let mut measured = Vec::new();
        for index in [slow.worse, slow.better] {
            let mut all = Vec::new();
            for _ in 0..MEASURED {
                let configuration = &hunt.plan.configurations[index];
                let meaning = tested.meanings.of(hunt, index);
                let Some((compiled, _)) = assembly(hunt, configuration, &meaning.text, true)? else {
                    return Ok(None);
                };
                beside.compilers_us += micros(&compiled.usage);
                if compiled.outcome == CompileOutcome::Ok {
                    all.push(slow.measure.of(&compiled.usage));
                }
            }
            measured.push(all);
        }
        if measured.iter().any(|all| all.len() < MEASURED) {
            continue;
        }
        let worse = measured[0].iter().copied().fold(f64::INFINITY, f64::min);
        let better = measured[1].iter().copied().fold(0.0, f64::max);
        if slow.holds(worse, better) {
            let meaning = tested.meanings.of(hunt, slow.worse);
            let Some(()) = raise_slow(hunt, (tested, meaning), slow, (worse, better), beside)? else {
                return Ok(None);
            };
        }
    }
    Ok(Some(()))
}

/// Raises the alarm of a compilation that costs out of line.
fn raise_slow(
    hunt: &Hunt<'_>,
    of: (&Tested<'_>, &Meaning),
    slow: Slow,
    (cost, other): (f64, f64),
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    let (worse, better) = (&hunt.plan.configurations[slow.worse], &hunt.plan.configurations[slow.better]);
    let measure = slow.measure;
    let alarm = Alarm {
        kind: FindingKind::SlowCompilation,
        oracle: OracleName::SlowCompilation,
        stage: Stage::Compile,
        signature: format!(
            "{} {}: {} of {}",
            worse.label(),
            worse.version_text(),
            measure.name(),
            of.0.program.name
        ),
        summary: format!(
            "compiling takes {}, and {} with {}: more than {:.1} times as much is out of line",
            measure.amount(cost),
            measure.amount(other),
            better.label(),
            slow.factor
        ),
        doubt: None,
    };
    let costs = CostFacts { measure, worse: cost, better: other, factor: slow.factor };
    let what = Contrast::Cost(costs);
    let against = Against { configuration: better.clone(), relation: slow.relation, what };
    raise(hunt, of, &of.1.text, (worse, &alarm, &against), beside)
}
