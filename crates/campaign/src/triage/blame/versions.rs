//! What the other levels and the other compilers of this machine make of a finding.

use super::Error;
use crate::configurations::Tested;
use crate::triage::model::{Cell, Seen, Step};
use crate::triage::subject::{Subject, Variation};
use std::sync::Arc;
use toolchain::compiler::Runner;

/// The levels of the table, in the order in which compilers do more.
const LEVELS: [&str; 5] = ["-O0", "-O1", "-Os", "-O2", "-O3"];

/// What became of the program at each level of each compiler: the finding's own, those of its family, and native ones. Further
/// options of the finding are kept for its family; a cell is named by its level alone.
pub fn table(subject: &Subject<'_>, compilers: &[Arc<Tested>]) -> Result<Vec<Cell>, Error> {
    let own = &subject.configuration.tested;
    let (level, rest) = taken_apart(&subject.configuration.level);
    let mut cells = Vec::new();
    // One that is found under another name, or without further options, is the same: what it says of itself tells.
    let same = |tested: &&Arc<Tested>| {
        let (a, b) = (&tested.compiler, &own.compiler);
        let (name, _) = with_options(&b.command);
        a.command == name || (name.len() == 1 && (&a.banner, &a.target) == (&b.banner, &b.target))
    };
    let always = with_options(&own.compiler.command).1.join(" ");
    let relative = |tested: &&Arc<Tested>| {
        tested.compiler.runner == Runner::Native || tested.compiler.family == own.compiler.family
    };
    let others = compilers.iter().filter(|tested| !same(tested) && relative(tested));
    for tested in [own].into_iter().chain(others) {
        let family = tested.compiler.family == own.compiler.family;
        let useful = if tested.compiler.family.optimises() { LEVELS.len() } else { 1 };
        // Under an emulator each run costs much, and tells whether the target matters: two levels are enough for that.
        let foreign = tested.compiler.runner != Runner::Native;
        let wanted = |level: &&str| !foreign || ["-O0", "-O2"].contains(level);
        let special =
            Some(level.as_str()).filter(|level| family && !level.is_empty() && !LEVELS.contains(level));
        for level in LEVELS.into_iter().take(useful).filter(wanted).chain(special) {
            let other = (tested.name != own.name).then(|| Arc::clone(tested));
            let words = match (family, &other) {
                (true, Some(_)) => format!("{level} {rest} {always}"),
                (true, None) => format!("{level} {rest}"),
                (false, _) => level.to_owned(),
            };
            let variation = Variation { compiler: other, level: Some(words), options: Vec::new() };
            cells.push(Cell {
                compiler: tested.name.clone(),
                version: tested.compiler.banner.clone(),
                target: tested.compiler.target.triple.clone(),
                level: level.to_owned(),
                seen: subject.ask(&variation)?.seen,
            });
        }
    }
    Ok(cells)
}

/// A compiler's command without the options at its end, and these.
pub fn with_options(command: &[String]) -> (&[String], &[String]) {
    let name = command.iter().rposition(|word| !word.starts_with('-')).map_or(0, |last| last + 1);
    command.split_at(name)
}

/// The last word for the level, and the others.
fn taken_apart(level: &str) -> (String, String) {
    let (levels, rest): (Vec<&str>, Vec<&str>) =
        level.split_whitespace().partition(|word| word.starts_with("-O"));
    (levels.last().copied().unwrap_or_default().to_owned(), rest.join(" "))
}

/// The step between the levels of the finding's compiler with which the bug begins.
pub fn levels(subject: &Subject<'_>, cells: &[Cell]) -> Option<Step> {
    let own = |cell: &&Cell| cell.compiler == subject.configuration.tested.name && cell.level != "-Os";
    let cells: Vec<&Cell> =
        cells.iter().filter(own).filter(|cell| LEVELS.contains(&cell.level.as_str())).collect();
    cells.windows(2).find_map(|pair| match pair {
        [right, wrong] if right.seen == Seen::Right && wrong.seen == Seen::Shows => {
            Some(Step { right: right.level.clone(), wrong: wrong.level.clone() })
        }
        _ => None,
    })
}

/// The versions of the finding's family and target that show the bug, oldest first, and the step between versions with
/// which it begins, or else ends.
pub fn affected(
    subject: &Subject<'_>,
    cells: &[Cell],
    compilers: &[Arc<Tested>],
) -> (Vec<String>, Option<Step>) {
    let own = &subject.configuration.tested;
    let mut family: Vec<&Tested> = compilers
        .iter()
        .map(Arc::as_ref)
        .filter(|tested| {
            let compiler = &tested.compiler;
            (compiler.family, &compiler.target.triple) == (own.compiler.family, &own.compiler.target.triple)
        })
        .collect();
    if !family.iter().any(|tested| tested.compiler.command == own.compiler.command) {
        family.push(own);
    }
    family.sort_by_key(|tested| tested.compiler.version);
    let seen = |tested: &Tested| -> Option<bool> {
        let of = cells.iter().filter(|cell| cell.compiler == tested.name);
        let mut known = of.filter(|cell| !matches!(cell.seen, Seen::Unknown { .. })).peekable();
        known.peek()?;
        Some(known.any(|cell| cell.seen == Seen::Shows))
    };
    let answers: Vec<(String, bool)> =
        family.iter().filter_map(|tested| Some((tested.compiler.banner.clone(), seen(tested)?))).collect();
    let wrong = answers.iter().filter(|(_, wrong)| *wrong).map(|(name, _)| name.clone()).collect();
    let step = |from: bool| {
        answers.windows(2).find_map(|pair| {
            let [(a, first), (b, second)] = pair else { return None };
            // A wrapper is of the version that it calls.
            (*first == from && *second != from && a != b).then(|| (a.clone(), b.clone()))
        })
    };
    let begins = step(false).map(|(right, wrong)| Step { right, wrong });
    let ends = step(true).map(|(wrong, right)| Step { right, wrong });
    (wrong, begins.or(ends))
}
