//! Is a finding a bug that is known already? Asked without reducing it: where a detour ([`crate::detours`]) around the
//! construct that the compiler translates wrongly takes the failure away, the finding is that bug.

use super::model::Seen;
use super::subject::{Subject, Variation};
use crate::detours::{self, Detour};
use crate::error::Error;
use crate::truth::Truth;
use crate::verdict::{FindingKind, Stage};

/// Bytes of a program that may name a bug. What is longer was not reduced to the end, and has more than one thing in it.
const SMALL: usize = 1 << 10;

/// Of fewer detours it says nothing that most of them heal: both operands of what is translated wrongly may have one.
const MANY: usize = 6;

/// Can a detour say anything of this finding?
pub fn applies(subject: &Subject<'_>) -> bool {
    let wrong = matches!(subject.facts.kind, FindingKind::WrongCode | FindingKind::Hang);
    wrong && subject.facts.stage == Stage::Run && subject.is_single()
}

/// The first detour that takes the failure of a reduced program away: of storage, then operands before what is computed of
/// them. `None` too where most detours do: then the failure depends on where things lie, and goes away with any change.
pub fn detour(subject: &Subject<'_>) -> Result<Option<Detour>, Error> {
    if !applies(subject) || subject.text.len() > SMALL {
        return Ok(None);
    }
    let (text, target) = (String::from_utf8_lossy(&subject.text), &subject.configuration.tested.target);
    let all = detours::of(&text, target);
    let mut healing = Vec::new();
    for one in &all {
        if heals(subject, std::slice::from_ref(one))? {
            if one.is_storage() {
                return Ok(Some(one.clone()));
            }
            healing.push(one);
        }
    }
    let any = all.len() >= MANY && healing.len() * 2 > all.len();
    Ok(healing.first().filter(|_| !any).map(|one| (*one).clone()))
}

/// Does the failure go away where these detours are taken, all of them?
pub fn heals(subject: &Subject<'_>, taken: &[Detour]) -> Result<bool, Error> {
    let (text, target) = (String::from_utf8_lossy(&subject.text), &subject.configuration.tested.target);
    let Some(around) = detours::take(&text, target, taken) else { return Ok(false) };
    if !is_right(subject, &around)? {
        return Ok(false);
    }
    // What spelling assignments out does alone is no detour's doing.
    let by_spelling = taken.iter().any(Detour::is_assignment);
    let spelled = if by_spelling { None } else { detours::spelled_out(&text, target) };
    match spelled {
        Some(spelled) => Ok(!is_right(subject, &spelled)?),
        None => Ok(true),
    }
}

/// Which of the known bugs a finding is: the place in the list of one whose detour heals it, or, where several have to be
/// taken together, of the first that it cannot do without.
pub fn known(subject: &Subject<'_>, bugs: &[Detour]) -> Result<Option<usize>, Error> {
    if bugs.is_empty() || !applies(subject) || !heals(subject, bugs)? {
        return Ok(None);
    }
    for (index, bug) in bugs.iter().enumerate() {
        if heals(subject, std::slice::from_ref(bug))? {
            return Ok(Some(index));
        }
    }
    let mut left: Vec<usize> = (0..bugs.len()).collect();
    for index in (0..bugs.len()).rev() {
        let fewer: Vec<usize> = left.iter().copied().filter(|&other| other != index).collect();
        let taken: Vec<Detour> = fewer.iter().map(|&at| bugs[at].clone()).collect();
        if !fewer.is_empty() && heals(subject, &taken)? {
            left = fewer;
        }
    }
    Ok(left.first().copied())
}

/// Does the compiler translate this text rightly, and does the text mean what the finding's program does?
fn is_right(subject: &Subject<'_>, text: &str) -> Result<bool, Error> {
    let target = &subject.configuration.tested.target;
    let (Truth::Known { outcome: meant, .. }, Truth::Known { outcome, .. }) =
        (&*subject.truth(target), &subject.meaning(text.as_bytes(), target))
    else {
        return Ok(false);
    };
    if (&meant.exit, &meant.stdout) != (&outcome.exit, &outcome.stdout) {
        return Ok(false);
    }
    Ok(subject.ask_of(text.as_bytes(), &Variation::default())?.seen == Seen::Right)
}
