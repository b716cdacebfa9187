//! Refutations run natively: both sides compiled by LLVM's own back end (the source at -O0, the target from after
//! instruction selection on), linked with a driver, and run on the counterexample's inputs.

use super::input::Unit;
use super::worker::PairKind;
use campaign::toolchain::process::{Finished, Limits, Outcome, Spec, run};
use campaign::toolchain::sandbox::Sandbox;
use campaign::toolchain::scratch::{Scratch, ScratchRoot};
use langs::native::{Finding, Plan, Ran, embedded_ir, judge, only_in_ir, only_in_mir, version};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a tool may take.
const TOOL: Duration = Duration::from_secs(60);

/// How long a run may take.
const RUN: Duration = Duration::from_secs(5);

/// LLVM's versions, newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// Names of C compilers that can assemble and link, the likeliest first.
const COMPILERS: [&str; 3] = ["clang", "gcc", "cc"];

/// Where the driver's code goes: away from the places of inputs.
const IMAGE: &str = "-Wl,-Ttext-segment=0x70000000";

/// Runs a refutation.
pub fn confirm(unit: &Unit, function: &str, plan: &Plan) -> Finding {
    attempt(unit, function, plan).unwrap_or_else(Finding::NotPossible)
}

fn attempt(unit: &Unit, function: &str, plan: &Plan) -> Result<Finding, String> {
    let read = |path: &Path| {
        std::fs::read(path)
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))
    };
    let target = read(&unit.job.right)?;
    let source = match &unit.job.left {
        Some(left) => read(left)?,
        None => embedded_ir(&target).ok_or("the file holds no LLVM IR")?,
    };
    let made_by = version(&source).or_else(|| version(&target));
    let root = ScratchRoot::new().map_err(|error| format!("no temporary directory: {error}"))?;
    let dir = root.dir().map_err(|error| format!("no temporary directory: {error}"))?;
    let tools = Tools::find(&dir, made_by)?;
    tools.driver(plan)?;
    let target = match unit.job.kind {
        PairKind::Isel => ("mir", only_in_mir(&target, function)),
        PairKind::Opt => ("ll", only_in_ir(&target, function)),
    };
    let left = tools.side("left", ("ll", &only_in_ir(&source, function)), function)?;
    let right = tools.side("right", (target.0, &target.1), function)?;
    let (left, right) = (run_one(&left), run_one(&right));
    Ok(judge(plan, (&left.0, left.1.as_deref()), (&right.0, right.1.as_deref())))
}

/// Runs a linked side: what it printed, and how it ended otherwise than by itself.
fn run_one(program: &Path) -> (Ran, Option<String>) {
    let limits = Limits { address_space: Some(2 << 30), ..Limits::within(RUN) };
    let done = run(&Spec::new(program).limits(limits).sandbox(Sandbox::read_only()));
    let how = match &done.outcome {
        Outcome::Exited(0) => None,
        Outcome::Signaled(n) => Some(format!("ended by signal {n}")),
        Outcome::TimedOut(_) => Some("did not end".to_owned()),
        other => Some(format!("ended: {other:?}")),
    };
    (Ran::parse(&String::from_utf8_lossy(&done.stdout)), how)
}

/// The tools, and where they work.
struct Tools<'d> {
    dir: &'d Scratch,
    llc: PathBuf,
    cc: PathBuf,
}

impl<'d> Tools<'d> {
    /// The `llc` of the version that made the files if it is here, or else the newest; and a C compiler.
    fn find(dir: &'d Scratch, made_by: Option<u32>) -> Result<Tools<'d>, String> {
        let versions = made_by.into_iter().chain(VERSIONS.rev());
        let names = versions.map(|v| format!("llc-{v}"));
        // What goes by the plain name may be of any age.
        let llc = names.chain(["llc".to_owned()]).find_map(|n| on_path(&n));
        let llc = llc.ok_or("no `llc` on this machine")?;
        let beside = llc.canonicalize().ok().map(|p| p.with_file_name("clang")).filter(|p| p.is_file());
        let cc = beside.or_else(|| COMPILERS.iter().find_map(|n| on_path(n)));
        let cc = cc.ok_or("no C compiler on this machine")?;
        Ok(Tools { dir, llc, cc })
    }

    fn call<I: IntoIterator<Item = OsString>>(&self, tool: &Path, args: I) -> Result<(), String> {
        let limits = Limits { file_size: Some(1 << 30), ..Limits::within(TOOL) };
        let done: Finished = run(&Spec::new(tool).args(args).working_in(self.dir.path()).limits(limits));
        if done.outcome == Outcome::Exited(0) {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr);
        let first = said.lines().find(|l| l.contains("error")).or_else(|| said.lines().next());
        let name = tool.file_name().unwrap_or_default().to_string_lossy();
        Err(match first {
            Some(line) => format!("{name}: {}", line.trim()),
            None => format!("{name}: {:?}", done.outcome),
        })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    fn driver(&self, plan: &Plan) -> Result<(), String> {
        self.write("driver.c", &plan.driver)?;
        self.write("places.ld", &plan.script)?;
        let words = ["-c", "-O1", "-w", "-fno-pie", "-ffreestanding", "-fno-stack-protector", "-fno-builtin"];
        self.call(&self.cc, words.into_iter().chain(["driver.c", "-o", "driver.o"]).map(OsString::from))
    }

    /// Compiles a side and links it.
    fn side(&self, name: &str, (kind, text): (&str, &str), function: &str) -> Result<PathBuf, String> {
        let (input, assembly) = (format!("{name}.{kind}"), format!("{name}.s"));
        self.write(&input, text)?;
        let mut words = vec!["-O0", "-filetype=asm"];
        if kind == "mir" {
            words.push("-start-after=finalize-isel");
        }
        words.extend([&input, "-o", &assembly]);
        self.call(&self.llc, words.into_iter().map(OsString::from))?;
        // The driver calls the function by a name of its own: the linker puts a stub behind the other.
        let path = self.dir.path().join(&assembly);
        let mut text =
            std::fs::read_to_string(&path).map_err(|error| format!("cannot read `{assembly}`: {error}"))?;
        text.push_str(&format!("\t.globl\tplumb_entry\n\t.set\tplumb_entry, \"{function}\"\n"));
        self.write(&assembly, &text)?;
        let words = ["-nostdlib", "-static", "-no-pie", "-w", IMAGE, "-Wl,--unresolved-symbols=ignore-all"];
        let files = ["driver.o", &assembly, "places.ld", "-o", name];
        self.call(&self.cc, words.into_iter().chain(files).map(OsString::from))?;
        Ok(self.dir.path().join(name))
    }
}

/// A program by its name, as the shell would find it.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|p| p.is_file())
}
