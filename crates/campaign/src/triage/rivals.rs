//! Findings that may be another's bug: leaving out the pass that another finding is blamed on ends them, too.
//!
//! What a pass does wrongly often shows only where an earlier one made the code for it, and without either the program is
//! right. Which of the two is wrong nothing but reading tells, so such a finding is kept apart. Only passes are asked about
//! that something is blamed on anyway, and only for findings that are grouped with others: alone they join nothing.

use super::analyse::{group_key, stem};
use super::blame;
use super::model::{Analysis, Pass, PassKind, parts};
use super::run::Job;
use super::subject::Subject;
use crate::error::Error;
use crate::store::FindingRow;
use std::collections::BTreeMap;

/// Asks about every finding that shares its culprit with another what the culprits of the rest do to it.
pub(super) fn ask(job: &Job<'_>, rows: &[&FindingRow]) -> Result<(), Error> {
    let triaged = job.store.triaged()?;
    let texts: BTreeMap<&str, &str> =
        triaged.iter().map(|row| (row.finding.as_str(), row.analysis.as_str())).collect();
    let analysis = |row: &FindingRow| serde_json::from_str(texts.get(row.id.as_str())?).ok();
    let kept: Vec<(&FindingRow, Analysis)> =
        rows.iter().filter_map(|row| Some((*row, analysis(row)?))).collect();
    let mut grouped: BTreeMap<&str, usize> = BTreeMap::new();
    let mut blamed: BTreeMap<&str, BTreeMap<String, Pass>> = BTreeMap::new();
    for (_, analysis) in &kept {
        if let Some(pass) = pass(analysis) {
            *grouped.entry(&analysis.signature).or_default() += 1;
            blamed
                .entry(class(analysis))
                .or_default()
                .entry(pass.to_string())
                .or_insert_with(|| pass.clone());
        }
    }
    let others = |analysis: &Analysis| -> Vec<Pass> {
        let Some(own) = pass(analysis).map(stem) else { return Vec::new() };
        let all = blamed.get(class(analysis)).into_iter().flat_map(BTreeMap::values);
        all.filter(|pass| stem(pass) != own && !analysis.asked.contains(&pass.to_string())).cloned().collect()
    };
    let open: Vec<(&FindingRow, Analysis, Vec<Pass>)> = (kept.iter())
        .filter(|(_, analysis)| grouped.get(analysis.signature.as_str()).is_some_and(|count| *count > 1))
        .map(|(row, analysis)| (*row, analysis.clone(), others(analysis)))
        .filter(|(_, _, others)| !others.is_empty())
        .collect();
    job.each(&open, &|(row, analysis, others)| {
        let (Some(own), Ok(subject)) =
            (pass(analysis), Subject::open(&job.store.findings_dir(), row, &job.workshop))
        else {
            return Ok(true);
        };
        let mut analysis = analysis.clone();
        let found = blame::rivals(&subject, own, others)?;
        if toolchain::stop::requested() {
            return Ok(false);
        }
        analysis.asked.extend(others.iter().map(Pass::to_string));
        if let Some(culprit) = &mut analysis.culprit {
            culprit.rivals.extend(found);
        }
        job.keep(row, &analysis)?;
        Ok(true)
    })
}

/// Keeps what is known of rivals in a later analysis that blames the same pass.
pub(super) fn carry_over(kept: Analysis, analysis: &mut Analysis) {
    if pass(&kept).is_some() && pass(&kept) == pass(analysis) {
        analysis.asked = kept.asked;
        if let (Some(culprit), Some(kept)) = (&mut analysis.culprit, kept.culprit) {
            culprit.rivals = kept.rivals;
        }
    }
}

/// The rivals as grouping names them.
pub(super) fn names(analysis: &Analysis) -> Vec<String> {
    let mut names: Vec<String> =
        analysis.culprit.iter().flat_map(|culprit| culprit.rivals.iter().map(stem)).collect();
    names.sort();
    names.dedup();
    names
}

/// A pass that can be left out by itself, blamed for a program of one unit that does not say itself what is wrong.
fn pass(analysis: &Analysis) -> Option<&Pass> {
    let culprit = analysis.culprit.as_ref().filter(|culprit| culprit.unit.is_none())?;
    let pass = culprit.pass.as_ref()?;
    let alone = matches!(pass.kind, PassKind::Gimple | PassKind::Ipa | PassKind::Rtl);
    (alone && group_key(&analysis.signature)? == stem(pass)).then_some(pass)
}

fn class(analysis: &Analysis) -> &str {
    parts(&analysis.signature).map_or("", |(class, _)| class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::model::Culprit;

    fn blamed(name: &str, rivals: &[&str]) -> Analysis {
        let pass =
            |name: &str| Pass { kind: PassKind::Rtl, name: name.to_owned(), number: None, function: None };
        let rivals: Vec<Pass> = rivals.iter().map(|name| pass(name)).collect();
        Analysis {
            signature: format!("wrong-code gcc: {}", stem(&pass(name))),
            asked: rivals.iter().map(Pass::to_string).collect(),
            culprit: Some(Culprit { pass: Some(pass(name)), rivals, ..Culprit::default() }),
            ..Analysis::default()
        }
    }

    #[test]
    fn rivals_are_named_once_and_without_the_numbers_of_instances() {
        assert_eq!(names(&blamed("combine", &["fwprop1", "cse2", "cse1"])), ["rtl-cse", "rtl-fwprop"]);
        let said = blamed("combine", &["cse1"]).culprit.expect("there").to_string();
        assert_eq!(said, "pass rtl-combine; gone without rtl-cse1 alone, too");
    }

    #[test]
    fn they_stay_while_the_same_pass_is_blamed() {
        let mut again = blamed("combine", &[]);
        carry_over(blamed("combine", &["cse1"]), &mut again);
        assert_eq!((names(&again), again.asked.len()), (vec!["rtl-cse".to_owned()], 1));
        let mut other = blamed("ree", &[]);
        carry_over(blamed("combine", &["cse1"]), &mut other);
        assert_eq!(other, blamed("ree", &[]));
    }
}
