//! What a store holds, as its callers see it, whichever back end keeps it.

use super::items::Needs;
use crate::verdict::{Answer, FindingKind, Inconclusive, Named, Rejection};

/// What became of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramRow {
    /// The number that the source maps to it.
    pub seed: u64,
    /// Its name in messages.
    pub name: String,
    /// Why it was not used, if it was not used in any data model.
    pub rejected: Option<Rejection>,
    /// The strategies that made it, separated by commas; empty for programs of the source.
    pub strategies: String,
    /// Microseconds of CPU time that compilers and compiled programs took.
    pub compilers_us: u64,
    /// Microseconds of CPU time that plumb took since the row before.
    pub plumb_us: u64,
    /// One row a configuration in which it was tested.
    pub results: Vec<ResultRow>,
    /// One row an alarm.
    pub findings: Vec<FindingRow>,
}

/// What became of one program, as stores write it down: with names in place of values, so that it can be brought from one
/// store to another without being understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number that the source maps to it.
    pub seed: u64,
    /// Its name in messages.
    pub name: String,
    /// The name of the reason why it was not used, if it was not.
    pub rejected: Option<String>,
    /// What the reason is about.
    pub about: String,
    /// Particulars of the reason.
    pub detail: String,
    /// The strategies that made it, separated by commas.
    pub strategies: String,
    /// Microseconds of CPU time that compilers and compiled programs took.
    pub compilers_us: u64,
    /// Microseconds of CPU time that plumb took.
    pub plumb_us: u64,
    /// When it was done, in milliseconds since 1970; `None` for now, or where it is not known.
    pub at: Option<i64>,
    /// One a configuration in which it was tested.
    pub results: Vec<RecordResult>,
    /// One an alarm.
    pub findings: Vec<FindingRow>,
}

/// What became of one program in one configuration, as stores write it down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordResult {
    /// Index of the configuration in its campaign.
    pub configuration: i64,
    /// The name of the verdict.
    pub verdict: String,
    /// The name of the reason; empty where it needs none.
    pub why: String,
    /// What the reason is about.
    pub about: String,
    /// Particulars.
    pub detail: String,
    /// Microseconds of CPU time of the compiler.
    pub compile_us: i64,
    /// Microseconds of CPU time of the compiled program.
    pub run_us: i64,
}

impl From<&ProgramRow> for Record {
    fn from(row: &ProgramRow) -> Record {
        let reason = row.rejected.as_ref().map(Rejection::reason);
        let results = row.results.iter().map(|result| {
            let VerdictColumns { answer, why, about, detail } = result.verdict.columns();
            RecordResult {
                configuration: result.configuration as i64,
                verdict: answer.name().to_owned(),
                why: why.to_owned(),
                about,
                detail,
                compile_us: result.compile_us as i64,
                run_us: result.run_us as i64,
            }
        });
        Record {
            seed: row.seed,
            name: row.name.clone(),
            rejected: reason.as_ref().map(|reason| reason.kind.name().to_owned()),
            about: reason.map_or_else(String::new, |reason| reason.about),
            detail: row.rejected.as_ref().map_or("", Rejection::detail).to_owned(),
            strategies: row.strategies.clone(),
            compilers_us: row.compilers_us,
            plumb_us: row.plumb_us,
            at: None,
            results: results.collect(),
            findings: row.findings.clone(),
        }
    }
}

/// What became of one program in one configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    /// Index of the configuration in its campaign.
    pub configuration: usize,
    /// The verdict.
    pub verdict: RowVerdict,
    /// Microseconds of CPU time of the compiler.
    pub compile_us: u64,
    /// Microseconds of CPU time of the compiled program.
    pub run_us: u64,
}

/// The verdict on a program in one configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowVerdict {
    /// Right.
    Pass,
    /// Wrong: its finding says how.
    Alarm,
    /// Undecided: why.
    Inconclusive(Inconclusive),
    /// Not tested in the configuration's data model: why.
    Rejected(Rejection),
}

/// A verdict with its reason as text, for the store and JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerdictColumns {
    /// Which.
    pub answer: Answer,
    /// The name of the reason; empty where it needs none.
    pub why: &'static str,
    /// What the reason is about.
    pub about: String,
    /// Particulars.
    pub detail: String,
}

impl RowVerdict {
    /// As columns.
    pub fn columns(&self) -> VerdictColumns {
        let plain = |answer| VerdictColumns { answer, why: "", about: String::new(), detail: String::new() };
        match self {
            RowVerdict::Pass => plain(Answer::Pass),
            RowVerdict::Alarm => plain(Answer::Alarm),
            RowVerdict::Inconclusive(Inconclusive { reason, detail }) => VerdictColumns {
                answer: Answer::Inconclusive,
                why: reason.kind.name(),
                about: reason.about.clone(),
                detail: detail.clone(),
            },
            RowVerdict::Rejected(rejection) => {
                let reason = rejection.reason();
                VerdictColumns {
                    answer: Answer::Rejected,
                    why: reason.kind.name(),
                    about: reason.about,
                    detail: rejection.detail().to_owned(),
                }
            }
        }
    }
}

/// An alarm as the store lists it; the rest is in its directory.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct FindingRow {
    /// The stable identity: kind and a hash of campaign, seed, configuration.
    pub id: String,
    /// The program's number.
    pub seed: u64,
    /// The program's name.
    pub program: String,
    /// The configuration's label.
    pub configuration: String,
    /// What kind of bug.
    pub kind: FindingKind,
    /// What tells the bug from others.
    pub signature: String,
    /// One line for people.
    pub summary: String,
    /// What makes it doubtful.
    pub doubt: Option<String>,
    /// Of an alarm on a variant: the strategies whose edits it needs, separated by commas; `seed` where it needs none.
    pub strategies: String,
    /// Of an alarm that is only counted: the finding of the same bug that has the directory; else empty.
    pub evidence_of: String,
}

/// What makes a campaign this one and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignKey {
    /// Source, first seed, limits and compilers, as text.
    pub key: String,
    /// The same for people.
    pub title: String,
    /// The configurations, in order.
    pub configurations: Vec<ConfigurationKey>,
    /// The command line that another machine works on it by; empty where none can.
    pub words: Vec<String>,
    /// How many programs it has; `None` for no end.
    pub total: Option<u64>,
    /// What a machine must have to work on it.
    pub needs: Needs,
}

/// A configuration as a store lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationKey {
    /// How it is named everywhere.
    pub label: String,
    /// The compiler's command line, as the user wrote it; the label where it is not known.
    pub compiler: String,
    /// The level; may be empty.
    pub level: String,
    /// What the compiler says of itself; empty where it is not known.
    pub version: String,
    /// What its executables consist of; empty where the store does not keep it.
    pub hash: String,
}

/// A campaign in a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CampaignId(pub(super) i64);

/// A campaign as a store lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignRow {
    /// Which.
    pub id: CampaignId,
    /// For people.
    pub title: String,
    /// Everything its results depend on.
    pub key: String,
}

/// Results of a configuration that have the same verdict for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultCount {
    /// Index of the configuration in its campaign.
    pub configuration: usize,
    /// The verdict.
    pub answer: Answer,
    /// The name of the reason; empty where it needs none.
    pub why: String,
    /// What the reason is about; may be empty.
    pub about: String,
    /// How many.
    pub count: u64,
    /// Microseconds of CPU time that compiling took in all of them.
    pub compile_us: u64,
}

/// When a finding was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingMoment {
    /// The finding's identity.
    pub id: String,
    /// Its campaign.
    pub campaign: CampaignId,
    /// Milliseconds since 1970; `None` in a store without history.
    pub at: Option<i64>,
}

impl CampaignId {
    /// The number by which people and addresses name it.
    pub fn number(self) -> i64 {
        self.0
    }
}

/// What triage says of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriageRow {
    /// The finding's identity.
    pub finding: String,
    /// The identity of the finding that stands for its group.
    pub group: String,
    /// The group's place, from 1.
    pub rank: u64,
    /// The name of the known bug that it is.
    pub known: Option<String>,
    /// What was found of the finding itself, as JSON.
    pub analysis: String,
}

/// What a person decided of groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Two findings are the same bug.
    Merge(String, String),
    /// A finding is a bug of its own.
    Split(String),
}

/// A range that one worker is to test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Where it begins, counted from the campaign's first seed.
    pub(super) first: u64,
    /// How often the range was handed out before: what its earlier holders bring late is told by it.
    pub(super) epoch: i64,
    /// The seeds of all its programs.
    pub(super) whole: Vec<u64>,
    /// Those of them that are not yet tested.
    pub seeds: Vec<u64>,
}

/// What a store answers to who asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A range to test.
    Lease(Lease),
    /// Nothing is free now, but what others hold may come back.
    Wait,
    /// All is done, or will be by those in this process.
    Done,
}

/// What became of a program that was brought.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is in the store now.
    New,
    /// It was there already, and is left as it was.
    Known,
    /// Its range was handed to another meanwhile; nothing was kept.
    Late,
}

/// A file of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Its path in the finding's directory.
    pub name: String,
    /// Whether it is a program.
    pub executable: bool,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A campaign that another machine can work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// Which.
    pub id: CampaignId,
    /// For people.
    pub title: String,
    /// Everything its results depend on.
    pub key: String,
    /// The command line of its hunt, without the name of the program.
    pub words: Vec<String>,
    /// Its compilers, each once: the command line, and what their executables consist of.
    pub compilers: Vec<(String, String)>,
    /// Whether there is something to test that nobody holds.
    pub free: bool,
    /// Whether there is something to test that somebody holds.
    pub held: bool,
    /// How many processes hold something of it.
    pub holders: u64,
    /// What a machine must have to work on it.
    pub needs: Needs,
}
