//! Blame for programs of several units: first the unit whose compilation goes wrong, then the pass, of that unit alone. What is
//! compiled as a whole when it is linked has passes there too; GCC leaves them out in all steps, LLVM does not number them.

use super::{Blame, Error, of_unit};
use crate::triage::model::Seen;
use crate::triage::subject::{Subject, Variation};
use toolchain::compiler::Family;

/// Blames a unit, and a pass that works on it.
pub fn blame(subject: &Subject<'_>, whole: bool) -> Result<Blame, Error> {
    let family = subject.configuration.family();
    if !family.optimises() || (family == Family::Gcc && subject.is_linked_as_whole()) {
        return of_unit(subject, whole);
    }
    let Some((number, name)) = wrong_unit(subject)? else {
        return Ok(Blame::nothing(
            "no unit that alone is compiled without optimisation makes the bug go away: no pass is blamed",
        ));
    };
    let mut blame = of_unit(&subject.focused(number), whole)?;
    blame.culprit.unit = Some(name);
    if subject.is_linked_as_whole() && blame.culprit.pass.is_none() {
        blame.notes.push("the passes of link-time optimisation are not numbered".to_owned());
    }
    Ok(blame)
}

/// The subject of which a blamed pass is one: focused on the unit that is named.
pub fn in_blame<'r>(subject: &Subject<'r>, unit: Option<&str>) -> Subject<'r> {
    let number = subject.units().find(|(_, name)| Some(*name) == unit).map(|(number, _)| number);
    number.map_or_else(|| subject.clone(), |number| subject.focused(number))
}

/// The unit that, compiled without optimisation, ends the bug; of several the one that shows it while all others are compiled
/// so (another may end it because calls of it are no longer replaced by its body, or because things lie elsewhere).
fn wrong_unit(subject: &Subject<'_>) -> Result<Option<(usize, String)>, Error> {
    let plain = Variation::with(["-O0".to_owned()]);
    let mut ending = Vec::new();
    for (number, name) in subject.units() {
        if subject.focused(number).ask(&plain)?.seen == Seen::Right {
            ending.push((number, name.to_owned()));
        }
    }
    if ending.len() > 1 {
        for unit in &ending {
            if subject.sparing(unit.0).ask(&plain)?.seen == Seen::Shows {
                return Ok(Some(unit.clone()));
            }
        }
    }
    Ok(ending.into_iter().next())
}
