//! The types of all views; their JSON Schema is `docs/schema/serve-api.json`.

use super::filter::{Choices, Filter};
use crate::findings::Facts;
use crate::store::FindingRow;
use crate::triage;
use crate::verdict::FindingKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What an address of the live page answers as JSON.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum View {
    /// `/api/campaigns.json`
    Campaigns(Campaigns),
    /// `/api/campaign.json`
    Campaign(Box<CampaignView>),
    /// `/api/findings.json`
    Findings(Box<Findings>),
    /// `/api/finding.json`
    Finding(Box<FindingView>),
}

/// The campaigns of a store.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Campaigns {
    /// Where the store lies.
    pub store: PathBuf,
    /// Its campaigns, the newest first.
    pub campaigns: Vec<CampaignLine>,
}

/// A campaign as a list shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignLine {
    /// Its number.
    pub id: i64,
    /// Source and seed, for people.
    pub title: String,
    /// When it began, in milliseconds since 1970; null where the store does not know.
    pub begun: Option<i64>,
    /// Programs looked at.
    pub programs: u64,
    /// Alarms raised.
    pub findings: u64,
    /// Distinct bugs among them.
    pub bugs: u64,
}

/// How those do who work on a campaign of many machines.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FleetView {
    /// How often ranges were handed out.
    pub leases: u64,
    /// How often of these again, after a worker was silent, stopped or died.
    pub leases_again: u64,
    /// Processes that were heard of in the last minute and have not ended.
    pub workers: u64,
    /// Items of the store that are to be done: functions and findings that somebody shared out.
    pub items_open: u64,
    /// Items that are done.
    pub items_done: u64,
    /// The last workers that ended, and how: host and words.
    pub last_words: Vec<(String, String)>,
}

/// A campaign.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignView {
    /// Its workers, where many machines share the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet: Option<FleetView>,
    /// Seconds that the store took to answer one small question.
    pub store_seconds: f64,
    /// Its number.
    pub id: i64,
    /// Source and seed, for people.
    pub title: String,
    /// Everything its results depend on.
    pub key: String,
    /// When it began, in milliseconds since 1970; null where the store does not know.
    pub begun: Option<i64>,
    /// When its last program was done, in milliseconds since 1970.
    pub last_program: Option<i64>,
    /// Seconds hunted, without breaks between runs.
    pub hunting_seconds: f64,
    /// Programs looked at.
    pub programs: u64,
    /// Those tested in at least one configuration.
    pub tested: u64,
    /// Those not used.
    pub rejected_programs: u64,
    /// Programs a second of hunting.
    pub rate: f64,
    /// Programs a second in the last minute of hunting.
    pub recent_rate: f64,
    /// Programs a second over time, oldest first, in equal stretches of hunting.
    pub rates: Vec<Rate>,
    /// Pairs of program and configuration by verdict.
    pub results: BTreeMap<String, u64>,
    /// Why programs were not used, the most frequent first; beyond ten lines summed up.
    pub rejected: Vec<Counted>,
    /// Why results are inconclusive, the most frequent first; beyond ten lines summed up.
    pub inconclusive: Vec<Counted>,
    /// Alarms raised.
    pub findings: u64,
    /// Alarms by kind.
    pub alarms: BTreeMap<String, u64>,
    /// Distinct bugs.
    pub bugs: u64,
    /// How long ago the last bug that was not yet known was found; null before the first.
    pub since_new_bug: Option<SinceNewBug>,
    /// When distinct bugs were first found, oldest first.
    pub discoveries: Vec<Discovery>,
    /// Distinct bugs, to be looked at in this order.
    pub groups: Vec<GroupView>,
    /// What makes its results worth less than they seem.
    pub warnings: Vec<String>,
    /// Its configurations.
    pub configurations: Vec<ConfigurationView>,
    /// Compilers by levels.
    pub matrix: Matrix,
    /// Variants tested, by strategy; those of several strategies count for each.
    pub variants: BTreeMap<String, u64>,
    /// Alarms by the strategies whose edits they need.
    pub alarms_by_strategy: BTreeMap<String, u64>,
    /// CPU seconds of compilers and compiled programs.
    pub compilers_cpu_seconds: f64,
    /// CPU seconds of plumb itself.
    pub plumb_cpu_seconds: f64,
    /// plumb's part of both, in percent.
    pub plumb_cpu_percent: f64,
}

/// Programs in a stretch of time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Rate {
    /// Where the stretch ends, in seconds of hunting.
    pub seconds: f64,
    /// Programs done up to then.
    pub programs: u64,
    /// Programs a second in it.
    pub per_second: f64,
}

/// The first finding of a bug.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Discovery {
    /// After how many seconds of hunting.
    pub seconds: f64,
    /// After how many programs.
    pub programs: u64,
    /// Distinct bugs known from then on.
    pub bugs: u64,
    /// The bug's group.
    pub group: String,
}

/// How long nothing new was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SinceNewBug {
    /// Seconds of hunting.
    pub seconds: f64,
    /// Programs.
    pub programs: u64,
}

/// A reason and how often it held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counted {
    /// The reason's stable name, and what it is about without what changes from program to program.
    pub reason: String,
    /// The same for people.
    pub words: String,
    /// How often.
    pub count: u64,
}

/// What a configuration's results are worth.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Health {
    /// Not tested yet.
    Untested,
    /// Most of its results decide something.
    Sound,
    /// Less than half of its results decide something.
    Doubtful,
    /// Nothing was compiled: it finds no bug whatever the compiler does.
    CompilesNothing,
    /// None of its results decides anything.
    DecidesNothing,
}

/// A configuration and what became of programs in it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConfigurationView {
    /// Its number, from 0.
    pub number: usize,
    /// How it is named everywhere.
    pub label: String,
    /// The compiler's command line.
    pub compiler: String,
    /// The level; may be empty.
    pub level: String,
    /// What the compiler says of itself; empty where the store does not know.
    pub version: String,
    /// Results in it.
    pub results: u64,
    /// Right ones.
    pub passed: u64,
    /// Alarms.
    pub alarms: u64,
    /// Undecided ones.
    pub inconclusive: u64,
    /// Those not tested since the program has no meaning in the configuration's data model.
    pub rejected: u64,
    /// Undecided ones of a hundred results.
    pub inconclusive_percent: f64,
    /// Rejected ones of a hundred results.
    pub rejected_percent: f64,
    /// What the results are worth.
    pub health: Health,
    /// Why results are inconclusive or rejected, the most frequent first; beyond ten lines summed up.
    pub reasons: Vec<Counted>,
    /// Mean CPU seconds of compiling one program.
    pub compile_seconds: f64,
}

/// Compilers by levels.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Matrix {
    /// The columns.
    pub levels: Vec<String>,
    /// The rows.
    pub rows: Vec<MatrixRow>,
}

/// A compiler at all levels.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatrixRow {
    /// The compiler's command line.
    pub compiler: String,
    /// One a level; null where it is not tested at the level.
    pub cells: Vec<Option<Cell>>,
}

/// A compiler at a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cell {
    /// Results.
    pub results: u64,
    /// Results that decide something.
    pub decided: u64,
    /// Alarms.
    pub findings: u64,
    /// Distinct bugs among them.
    pub bugs: u64,
    /// What the results are worth.
    pub health: Health,
}

/// Findings that are taken for one bug.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GroupView {
    /// Its identity.
    pub key: String,
    /// What kind of bug.
    pub kind: FindingKind,
    /// One line for people.
    pub title: String,
    /// What in the compiler is to blame, or the construct that it translates wrongly; null where neither is known.
    pub culprit: Option<String>,
    /// The name of the known bug that it is.
    pub known: Option<String>,
    /// The finding to look at.
    pub representative: String,
    /// How many findings it has.
    pub findings: u64,
    /// The configurations in which it showed, in the order of their first finding.
    pub configurations: Vec<String>,
    /// When it was first found, in milliseconds since 1970.
    pub first: Option<i64>,
    /// When it was last found, in milliseconds since 1970.
    pub last: Option<i64>,
}

/// Findings of a store.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Findings {
    /// Where the store lies.
    pub store: PathBuf,
    /// Which were asked for.
    pub filter: Filter,
    /// How many the store has.
    pub all: usize,
    /// How many were asked for.
    pub matching: usize,
    /// The page that is listed, from 1.
    pub page: usize,
    /// How many pages there are.
    pub pages: usize,
    /// The distinct bugs among those asked for.
    pub groups: Vec<GroupView>,
    /// One page of them, the newest first.
    pub findings: Vec<FindingLine>,
    /// What can be asked for.
    pub choices: Choices,
}

/// A finding as lists show it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingLine {
    /// As the store lists it.
    #[serde(flatten)]
    pub row: FindingRow,
    /// Its campaign's number.
    pub campaign: i64,
    /// When it was found, in milliseconds since 1970.
    pub at: Option<i64>,
    /// The group of findings that are the same bug.
    pub group: String,
}

/// A finding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingView {
    /// As lists show it.
    #[serde(flatten)]
    pub line: FindingLine,
    /// Its directory.
    pub directory: PathBuf,
    /// All that is known of it; null where it has no directory or that is damaged.
    pub facts: Option<Facts>,
    /// Why there are no facts.
    pub trouble: Option<String>,
    /// The finding with a directory that it was counted for as the same bug.
    pub counted_for: Option<String>,
    /// The group it belongs to.
    pub bug: GroupView,
    /// Other findings of the group, at most ten.
    pub others: Vec<FindingLine>,
    /// The program.
    pub source: Option<Text>,
    /// The reduced program.
    pub reduced: Option<Text>,
    /// How the program became small, oldest first.
    pub reduction: Vec<Reduction>,
    /// What is to blame, line by line.
    pub blame: Vec<String>,
    /// What every compiler looked at did at every level; empty before triage.
    pub levels: Vec<triage::Cell>,
    /// What a report would begin with; null where the finding has no facts.
    pub report: Option<String>,
}

/// A file of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Text {
    /// What it is called in the finding's directory.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// What it holds; where it is very long, its beginning.
    pub text: String,
    /// Whether only the beginning is given.
    pub cut: bool,
}

/// A size of a program that is being reduced.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize, JsonSchema)]
pub struct Reduction {
    /// Seconds of reducing.
    pub seconds: f64,
    /// Bytes of the program then.
    pub bytes: u64,
}
