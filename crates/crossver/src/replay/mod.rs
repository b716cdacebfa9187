//! Counterexamples on the processor ("Will you still compile me tomorrow?", section 3: what the validator reports has to
//! be shown by a run): both functions are cut out of their objects and run on the inputs of the counterexample, with stubs
//! in place of what they call. Only what differs there is a difference.
//!
//! * `plan`: what a run takes, as data; `make`: a plan from a counterexample; `link`: the functions at their places;
//! * `feed`: a plan as the words that the driver reads; `driver.c`: runs them; `ran`: what it prints;
//! * `random`: states that nothing has chosen, for functions that are said to do the same;
//! * `undefined`: arithmetic of a run that C leaves undefined; `follow`, `apart`: what a run accesses by which pointer, and the same input with the objects that these lead to apart;
//! * `values`: the same input with values that its types have; `nearby`: with other numbers; `written`: what a run wrote of its frame;
//! * `judge`: what the runs say; `constants`: which read-only data is the same; `observed`: in what they differ; `trace`: what they did, with `lines` of the source; `steps`:
//!   what they did instruction by instruction.

mod apart;
mod constants;
pub mod features;
mod feed;
mod follow;
mod judge;
mod lines;
mod link;
pub mod make;
mod nearby;
mod observed;
pub mod plan;
mod ran;
pub mod random;
pub mod steps;
mod trace;
mod undefined;
mod values;
mod written;

pub use judge::{Finding, Replayed};
pub use observed::Observed;
use plan::{Plan, SidePlan};
use ran::Ran;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;
use steps::Step;
use toolchain::process::{Limits, Outcome, Spec, Stdin, run};
use toolchain::sandbox::Sandbox;
use toolchain::scratch::{Scratch, ScratchRoot};
pub use undefined::Undefined;

/// How long the compiler may take.
const COMPILE: Duration = Duration::from_secs(60);

/// How long a run may take.
const RUN: Duration = Duration::from_secs(5);

/// Names of C compilers, the likeliest first.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

/// Where the driver's code goes: away from all that it runs.
const IMAGE: &str = "-Wl,-Ttext-segment=0x70000000";

/// Runs plans. The driver is compiled once, when it is first needed.
#[derive(Debug, Default)]
pub struct Replayer(OnceLock<Result<Driver, String>>);

#[derive(Debug)]
struct Driver {
    _root: ScratchRoot,
    dir: Scratch,
    program: PathBuf,
}

impl Replayer {
    /// Runs both sides, and says what came of it.
    pub fn run(&self, plan: &Plan) -> Replayed {
        self.ran(plan).0
    }

    /// The same; also the stubs that both functions called, by number.
    fn ran(&self, plan: &Plan) -> (Replayed, [Vec<usize>; 2]) {
        let inputs = plan.inputs.clone();
        let failed = |why: String| {
            let (old, new) = (Vec::new(), Vec::new());
            (
                Replayed { finding: Finding::NotPossible(why), inputs: inputs.clone(), old, new },
                Default::default(),
            )
        };
        let driver = match self.0.get_or_init(Driver::make) {
            Ok(driver) => driver,
            Err(why) => return failed(why.clone()),
        };
        let both = |side: &SidePlan| -> Result<[Ran; 2], String> {
            let run = |n| Ok::<_, String>(driver.run(plan, side, (n, 0))?.0);
            Ok([run(0)?, run(1)?])
        };
        match both(&plan.sides[0]).and_then(|old| Ok((old, both(&plan.sides[1])?))) {
            Ok((old, new)) => {
                // A function ends at a call that does not return: what stands behind that is another path's.
                let sides = plan.sides.iter().zip([&old, &new]);
                let last =
                    sides.flat_map(|(side, both)| both.iter().filter_map(|ran| judge::last_call(side, ran)));
                if let Some(n) = last.min().filter(|n| *n < plan.answers.len()) {
                    let mut shorter = plan.clone();
                    shorter.answers.truncate(n);
                    return self.ran(&shorter);
                }
                let finding = judge::judge(plan, &old, &new);
                let calls = [&old[0], &new[0]].map(|ran| ran.calls.iter().map(|call| call.stub).collect());
                let old = trace::trace(plan, &plan.sides[0], &old[0]);
                let new = trace::trace(plan, &plan.sides[1], &new[0]);
                (Replayed { finding, old, new, inputs }, calls)
            }
            Err(why) => failed(why),
        }
    }
}

impl Replayer {
    /// The same; a difference that rests on objects which share their places although their types do not permit it is none, and is
    /// looked for where they do not.
    pub fn settled(&self, plan: Plan) -> (Plan, Replayed) {
        let settle = |plan: Plan| {
            let (replayed, calls) = self.ran(&plan);
            apart::settle(self, plan, (replayed, &calls[0]))
        };
        let (plan, replayed) = settle(plan);
        if !apart::is_undefined(self, &plan, &replayed.finding) {
            return (plan, replayed);
        }
        let differs = |(_, replayed): &(Plan, Replayed)| matches!(replayed.finding, Finding::Differ(_));
        let other = nearby::nearby(&plan).map(settle).find(differs);
        other.unwrap_or((plan, replayed))
    }

    /// The first of the two runs of each side, or the second, instruction by instruction.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub fn steps(&self, plan: &Plan, second: bool) -> Result<[Vec<Step>; 2], String> {
        let driver = self.0.get_or_init(Driver::make).as_ref().map_err(Clone::clone)?;
        let told = |side: &SidePlan| {
            let (ran, text) = driver.run(plan, side, (usize::from(second), steps::MOST))?;
            match ran.end {
                ran::End::Other(how) => Err(how),
                _ => Ok(steps::parse(&text)),
            }
        };
        Ok([told(&plan.sides[0])?, told(&plan.sides[1])?])
    }
}

impl Driver {
    fn make() -> Result<Driver, String> {
        if !cfg!(target_arch = "x86_64") {
            return Err("this processor is none of the functions'".to_owned());
        }
        let failed = |error: std::io::Error| format!("no temporary directory: {error}");
        let root = ScratchRoot::new().map_err(failed)?;
        let dir = root.dir().map_err(failed)?;
        let text = [langs::native::PRINT, include_str!("driver.c")].concat();
        std::fs::write(dir.file("driver.c"), text).map_err(|error| format!("cannot write: {error}"))?;
        let words =
            ["-O1", "-w", "-fno-pie", "-no-pie", "-ffreestanding", "-fno-stack-protector", "-fno-builtin"];
        let link = ["-nostdlib", "-static", IMAGE, "driver.c", "-o", "driver"];
        let words: Vec<OsString> = words.iter().chain(&link).map(OsString::from).collect();
        let mut said = "no C compiler on this machine".to_owned();
        for compiler in COMPILERS {
            let done = run(&Spec::new(compiler)
                .args(words.clone())
                .working_in(dir.path())
                .limits(Limits::within(COMPILE)));
            match done.outcome {
                Outcome::Exited(0) => {
                    let program = dir.file("driver");
                    return Ok(Driver { _root: root, dir, program });
                }
                Outcome::SpawnFailed(_) => {}
                other => said = format!("{compiler} does not compile the driver: {other:?}"),
            }
        }
        Err(said)
    }

    /// Runs a side, with the junk of that number, so many steps of it told one by one; also gives all that was printed.
    fn run(&self, plan: &Plan, side: &SidePlan, (n, steps): (usize, u64)) -> Result<(Ran, String), String> {
        let words = feed::words(plan, side, (feed::JUNK[n], steps))?;
        let limits = Limits { address_space: Some(2 << 30), stdout: 1 << 24, ..Limits::within(RUN) };
        let spec = Spec::new(&self.program).cwd(self.dir.path()).limits(limits);
        let done = run(&spec.stdin(Stdin::Bytes(words.into())).sandbox(Sandbox::read_only()));
        let how = match &done.outcome {
            Outcome::Exited(0) => None,
            Outcome::Signaled(n) => Some(format!("was ended by signal {n}")),
            Outcome::TimedOut(_) => Some("did not end".to_owned()),
            other => Some(format!("ended: {other:?}")),
        };
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        Ok((Ran::parse(&text, how), text))
    }
}
