//! What a hunt is about to do, what it came to, and who follows it.

use crate::configurations::Configuration;
use crate::error::Error;
use crate::executor::Executor;
use crate::oracles::volatile::VolatileCounts;
use crate::store::{self, CampaignId, ProgramRow, Totals, Work};
use crate::variants;
use crate::verdict::{Answer, FindingKind, InconclusiveKind, Reason, RejectionKind};
use csyntax::target::Target;
use mutate::Input;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use toolchain::process::Limits;

/// What to hunt, with what, and for how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where programs come from: see [`sources::SOURCES`].
    pub from: String,
    /// Options for the generator that programs come from, as on its command line.
    pub generator: Vec<String>,
    /// Command lines of compilers; empty for all that are found.
    pub compilers: Vec<String>,
    /// Optimisation levels.
    pub levels: Vec<String>,
    /// Of a hundred programs in a configuration, how many have options drawn for them.
    pub drawn: u8,
    /// The first seed.
    pub seed: u64,
    /// How many programs the campaign has in all; without it the hunt goes on until it is stopped.
    pub programs: Option<u64>,
    /// How long this run lasts.
    pub time: Option<Duration>,
    /// Programs worked on at once.
    pub jobs: usize,
    /// The store's directory, or the address of a store of many machines.
    pub store: PathBuf,
    /// In a store of many machines: how long this process may be silent before others take over what it holds.
    pub lease: Duration,
    /// The command line by which another machine can work on the same campaign, without what names compilers; empty where
    /// none can.
    pub words: Vec<String>,
    /// Bytes of memory that another machine must have for each program that it works on at once.
    pub worker_memory: u64,
    /// Ends this run in good order when it is raised, as if its time were over.
    pub leave: Option<Arc<AtomicBool>>,
    /// The campaign of a shared store that is to be worked on; any other is an error that says what differs.
    pub expected: Option<Work>,
    /// Time for one compilation.
    pub compile_time: Duration,
    /// Bytes of memory for one compilation.
    pub compile_memory: u64,
    /// Time for one compiled program, beside what its steps on the machine call for.
    pub run_time: Duration,
    /// Steps that the machine spends on a program before it gives up.
    pub max_steps: u64,
    /// Whether to compare compilers with each other where the machine has no answer.
    pub differential: bool,
    /// Bugs to look for beside crashes, hangs and wrong code.
    pub also: BTreeSet<FindingKind>,
    /// Strategies by which variants of each program are made; none for the programs alone.
    pub strategies: Vec<String>,
    /// The mean number of variants of a program.
    pub variants: u64,
    /// Rounds of a variant at most: each is a variant of the one before.
    pub chain: usize,
    /// Stores of earlier hunts whose findings say which options and strategies to favour.
    pub learn_from: Vec<PathBuf>,
    /// Parameters of the strategies.
    pub settings: mutate::Settings,
    /// Stop after so many alarms in this campaign.
    pub stop_after: Option<u64>,
    /// How programs are preprocessed: `-I`, `-D`, `-U`, and by whom.
    pub reading: frontend::Options,
    /// What programs are given: arguments and standard input.
    pub input: Input,
    /// Who compiles and runs programs first; without one this machine alone.
    pub executor: Option<Arc<dyn Executor>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            from: "builtin".to_owned(),
            generator: Vec::new(),
            compilers: Vec::new(),
            levels: ["-O0", "-O1", "-Os", "-O2", "-O3"].map(str::to_owned).to_vec(),
            drawn: 50,
            seed: 1,
            programs: None,
            time: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            store: PathBuf::from("plumb-store"),
            lease: store::LEASE,
            words: Vec::new(),
            worker_memory: 0,
            leave: None,
            expected: None,
            compile_time: Duration::from_secs(60),
            compile_memory: 4 << 30,
            run_time: Duration::from_secs(10),
            max_steps: 30_000_000,
            differential: false,
            also: BTreeSet::new(),
            strategies: Vec::new(),
            variants: variants::MEAN,
            chain: variants::CHAIN,
            learn_from: Vec::new(),
            settings: mutate::Settings::default(),
            stop_after: None,
            reading: frontend::Options::default(),
            input: Input::default(),
            executor: None,
        }
    }
}

/// Compiled code, even unoptimised and under an emulator, does more steps of the machine than this in a second.
const SLOWEST_STEPS_PER_SECOND: u64 = 5_000_000;

impl Options {
    /// Limits of a compilation.
    pub fn compile_limits(&self) -> Limits {
        Limits {
            wall: Some(self.compile_time * 4),
            cpu: Some(self.compile_time),
            address_space: Some(self.compile_memory),
            ..Limits::default()
        }
    }

    /// Limits of a compiled program whose meaning was found in `steps` and prints `output` bytes.
    pub fn run_limits(&self, steps: u64, output: usize) -> Limits {
        let time = self.run_time + Duration::from_secs(steps / SLOWEST_STEPS_PER_SECOND);
        Limits {
            wall: Some(time * 4),
            cpu: Some(time),
            // Deep recursion that the machine allows must not overflow here.
            stack: Some(512 << 20),
            stdout: output + (64 << 10),
            file_size: Some(16 << 20),
            processes: Some(8),
            ..Limits::default()
        }
    }
}

/// What a hunt is about to do.
pub struct Plan {
    /// The campaign in its store.
    pub campaign: CampaignId,
    /// The configurations.
    pub configurations: Vec<Configuration>,
    /// Their distinct data models.
    pub models: Vec<Target>,
    /// How the source names itself.
    pub source: String,
    /// How many programs the campaign has, if it ends.
    pub programs: Option<u64>,
    /// What was done by earlier runs.
    pub before: Totals,
    /// Compilers that were found but cannot be used, and constructs that no program has for one of them.
    pub left_out: Vec<String>,
    /// Why the oracle of volatile objects cannot ask here, where it was asked for and cannot.
    pub unwatchable: Option<String>,
    /// When the run began.
    pub begun: Instant,
    /// How long it may last.
    pub time: Option<Duration>,
}

/// What a run of a hunt came to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Programs of the campaign looked at, in all its runs.
    pub programs: u64,
    /// Those tested in at least one configuration.
    pub tested: u64,
    /// Those not used, by reason.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub rejected: BTreeMap<Reason<RejectionKind>, u64>,
    /// Number of configurations.
    pub configurations: usize,
    /// Pairs of program and configuration by verdict.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub results: BTreeMap<Answer, u64>,
    /// Inconclusive pairs by reason.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub inconclusive: BTreeMap<Reason<InconclusiveKind>, u64>,
    /// Alarms by kind.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub alarms: BTreeMap<FindingKind, u64>,
    /// Distinct bugs among the alarms, as far as is known: groups of triage, then signatures, then programs.
    pub distinct: u64,
    /// Variants tested, by strategy; those of several strategies count for each.
    pub variants: BTreeMap<String, u64>,
    /// Alarms by the strategies whose edits they need.
    pub alarms_by_strategy: BTreeMap<String, u64>,
    /// Seconds that this run took.
    pub seconds: f64,
    /// CPU seconds of compilers and compiled programs, in all runs.
    pub compilers_cpu_seconds: f64,
    /// CPU seconds of plumb itself, in all runs.
    pub plumb_cpu_seconds: f64,
    /// plumb's part of both, in percent.
    pub plumb_cpu_percent: f64,
    /// Where the findings are.
    pub findings: PathBuf,
    /// What the oracle of volatile objects looked at in this run, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatile: Option<VolatileCounts>,
    /// Whether the run was stopped by a signal.
    pub stopped: bool,
    /// The exit code that it deserves.
    pub exit_code: u8,
}

/// Follows a hunt. All methods may be called from any worker.
pub trait Observer: Sync {
    /// The hunt is about to start.
    fn begin(&self, plan: &Plan);
    /// A program is done and committed; its findings' directories are written. An error ends the hunt.
    fn program(&self, row: &ProgramRow, totals: &Totals) -> Result<(), Error>;
    /// Called about once a second.
    fn tick(&self, totals: &Totals);
    /// It is over.
    fn end(&self, summary: &Summary);
}
