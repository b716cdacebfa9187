//! What became of programs in each configuration, and what its results are worth: a configuration that compiles nothing finds
//! nothing, and its silence must not pass for health.

use super::groups::Grouping;
use super::model::{Cell, ConfigurationView, Counted, Health, Matrix, MatrixRow};
use crate::store::{ConfigurationKey, FindingRow, ResultCount};
use crate::verdict::{Answer, InconclusiveKind, Named};
use std::collections::BTreeSet;

/// Fewer results say nothing about a configuration.
const ENOUGH: u64 = 3;

/// A part of a whole, in percent.
pub fn shares(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// The configurations of a campaign with their results.
pub(super) fn of(keys: &[ConfigurationKey], results: &[ResultCount]) -> Vec<ConfigurationView> {
    keys.iter()
        .enumerate()
        .map(|(number, key)| {
            let own: Vec<&ResultCount> = results.iter().filter(|r| r.configuration == number).collect();
            one(number, key, &own)
        })
        .collect()
}

fn one(number: usize, key: &ConfigurationKey, results: &[&ResultCount]) -> ConfigurationView {
    let count = |wanted: Answer| -> u64 {
        results.iter().filter(|result| result.answer == wanted).map(|result| result.count).sum()
    };
    let all: u64 = results.iter().map(|result| result.count).sum();
    let (inconclusive, rejected) = (count(Answer::Inconclusive), count(Answer::Rejected));
    let compiled = all - rejected;
    let compile_us: u64 = results.iter().map(|result| result.compile_us).sum();
    ConfigurationView {
        number,
        label: key.label.clone(),
        compiler: key.compiler.clone(),
        level: key.level.clone(),
        version: key.version.clone(),
        results: all,
        passed: count(Answer::Pass),
        alarms: count(Answer::Alarm),
        inconclusive,
        rejected,
        inconclusive_percent: shares(inconclusive, all),
        rejected_percent: shares(rejected, all),
        health: health(results, all),
        reasons: super::most_frequent(results.iter().filter_map(|result| reason(result)).collect()),
        compile_seconds: if compiled == 0 { 0.0 } else { compile_us as f64 / 1e6 / compiled as f64 },
    }
}

fn reason(result: &ResultCount) -> Option<Counted> {
    let words = match result.answer {
        Answer::Pass | Answer::Alarm => return None,
        Answer::Inconclusive => InconclusiveKind::of_name(&result.why).map(Named::text),
        Answer::Rejected => crate::verdict::RejectionKind::of_name(&result.why).map(Named::text),
    };
    let words = words.unwrap_or(&result.why);
    let (reason, words) = match result.about.as_str() {
        "" => (result.why.clone(), words.to_owned()),
        about => (format!("{}: {about}", result.why), format!("{words}: {about}")),
    };
    Some(Counted { reason, words, count: result.count })
}

fn health(results: &[&ResultCount], all: u64) -> Health {
    let decided: u64 = results
        .iter()
        .filter(|result| matches!(result.answer, Answer::Pass | Answer::Alarm))
        .map(|result| result.count)
        .sum();
    let no_program = |result: &&ResultCount| match result.answer {
        Answer::Pass | Answer::Alarm | Answer::Rejected => false,
        Answer::Inconclusive => InconclusiveKind::of_name(&result.why).is_some_and(compiles_nothing),
    };
    let failed: u64 = results.iter().filter(|r| no_program(r)).map(|result| result.count).sum();
    match (all, decided) {
        (0, _) => Health::Untested,
        (all, 0) if failed == all && all >= ENOUGH => Health::CompilesNothing,
        (all, 0) if all >= ENOUGH => Health::DecidesNothing,
        (all, decided) if decided * 2 < all => Health::Doubtful,
        _ => Health::Sound,
    }
}

/// Did the compiler make no program?
fn compiles_nothing(kind: InconclusiveKind) -> bool {
    match kind {
        InconclusiveKind::CompilerRefused
        | InconclusiveKind::CompilerMemory
        | InconclusiveKind::CompilerDisk
        | InconclusiveKind::CompilerOutput
        | InconclusiveKind::CompilerProcesses
        | InconclusiveKind::CompilerNotStarted
        | InconclusiveKind::CompilerTime => true,
        InconclusiveKind::Cancelled
        | InconclusiveKind::RunTime
        | InconclusiveKind::RunOutput
        | InconclusiveKind::RunProcesses
        | InconclusiveKind::NothingToCompare
        | InconclusiveKind::NoMajority
        | InconclusiveKind::NoOracle
        | InconclusiveKind::NotRepeated
        | InconclusiveKind::ReproducerDenies => false,
    }
}

impl ConfigurationView {
    /// What makes its results worth less than they seem.
    pub fn warning(&self) -> Option<String> {
        let most = self.reasons.first().map_or_else(String::new, |most| format!(" ({})", most.words));
        let (label, results) = (&self.label, self.results);
        match self.health {
            Health::Untested | Health::Sound => None,
            Health::CompilesNothing => {
                Some(format!("{label} COMPILES NOTHING: 0 of {results} programs{most}"))
            }
            Health::DecidesNothing => Some(format!("{label} DECIDES NOTHING: 0 of {results} results{most}")),
            Health::Doubtful => Some(format!(
                "{label} decides less than half of its results: {:.0} % inconclusive, {:.0} % rejected{most}",
                self.inconclusive_percent, self.rejected_percent
            )),
        }
    }
}

/// Compilers by levels, both in the order of the configurations.
pub(super) fn matrix(
    configurations: &[ConfigurationView],
    findings: &[&FindingRow],
    grouping: &Grouping,
) -> Matrix {
    let mut matrix = Matrix { levels: Vec::new(), rows: Vec::new() };
    for configuration in configurations {
        if !matrix.levels.contains(&configuration.level) {
            matrix.levels.push(configuration.level.clone());
        }
    }
    for configuration in configurations {
        let cell = cell(configuration, findings, grouping);
        let column = matrix.levels.iter().position(|level| *level == configuration.level);
        let row = matrix.rows.iter().position(|row| row.compiler == configuration.compiler);
        let row = row.unwrap_or_else(|| {
            let cells = vec![None; matrix.levels.len()];
            matrix.rows.push(MatrixRow { compiler: configuration.compiler.clone(), cells });
            matrix.rows.len() - 1
        });
        if let Some(place) = column.and_then(|column| matrix.rows[row].cells.get_mut(column)) {
            *place = Some(cell);
        }
    }
    matrix
}

fn cell(configuration: &ConfigurationView, findings: &[&FindingRow], grouping: &Grouping) -> Cell {
    let own = findings.iter().filter(|row| row.configuration == configuration.label);
    let bugs: BTreeSet<&str> = own.clone().map(|row| grouping.key(row)).collect();
    Cell {
        results: configuration.results,
        decided: configuration.passed + configuration.alarms,
        findings: own.count() as u64,
        bugs: bugs.len() as u64,
        health: configuration.health,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(compiler: &str, level: &str) -> ConfigurationKey {
        ConfigurationKey {
            label: format!("{compiler} {level}"),
            compiler: compiler.to_owned(),
            level: level.to_owned(),
            version: String::new(),
            hash: String::new(),
        }
    }

    fn count(configuration: usize, answer: Answer, why: &str, count: u64) -> ResultCount {
        ResultCount {
            configuration,
            answer,
            why: why.to_owned(),
            about: String::new(),
            count,
            compile_us: 10,
        }
    }

    #[test]
    fn what_compiles_nothing_is_shouted() {
        let keys = [key("good", "-O0"), key("bad", "-O0"), key("mute", "-O0"), key("new", "-O0")];
        let results = [
            count(0, Answer::Pass, "", 50),
            count(0, Answer::Inconclusive, "compiler-refused", 3),
            count(1, Answer::Inconclusive, "compiler-refused", 53),
            count(2, Answer::Inconclusive, "run-out-of-time", 53),
            count(3, Answer::Inconclusive, "compiler-refused", 1),
        ];
        let all = of(&keys, &results);
        let health: Vec<Health> = all.iter().map(|c| c.health).collect();
        assert_eq!(
            health,
            [Health::Sound, Health::CompilesNothing, Health::DecidesNothing, Health::Doubtful],
            "one result is no ground to shout"
        );
        let warning = all[1].warning().expect("it is shouted");
        assert!(warning.contains("COMPILES NOTHING: 0 of 53 programs (the compiler refuses"), "{warning}");
        assert_eq!(all[0].warning(), None);
    }

    #[test]
    fn the_matrix_has_a_cell_a_configuration() {
        let keys = [key("a", "-O0"), key("a", "-O2"), key("b", "-O2")];
        let configurations = of(&keys, &[count(2, Answer::Pass, "", 7)]);
        let matrix = matrix(&configurations, &[], &Grouping::default());
        assert_eq!(matrix.levels, ["-O0", "-O2"]);
        let filled: Vec<Vec<bool>> =
            matrix.rows.iter().map(|row| row.cells.iter().map(Option::is_some).collect()).collect();
        assert_eq!(filled, [vec![true, true], vec![false, true]]);
        assert_eq!(matrix.rows[1].cells[1].as_ref().map(|cell| cell.decided), Some(7));
    }
}
