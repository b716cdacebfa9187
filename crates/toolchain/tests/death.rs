//! Nothing survives plumb: a second copy of this test program plays plumb and is killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use toolchain::process::{Limits, Spec, run};
use toolchain::sandbox::Sandbox;
use toolchain::scratch::ScratchRoot;

/// Set for the copy that plays plumb: the scratch parent and the mark of its processes.
const ROLE: &str = "PLUMB_DEATH_TEST";

/// Processes whose command line holds `mark`.
fn alive(mark: &str) -> usize {
    let lines = std::fs::read_dir("/proc").expect("tests need /proc").flatten();
    let lines = lines.map(|entry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default());
    lines.filter(|line| String::from_utf8_lossy(line).contains(mark)).count()
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "still waiting until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Not a test of its own: what the copy does. It runs a tree of processes, some in sessions of their own.
#[test]
#[ignore = "played by the copy that the other tests start"]
fn plays_plumb() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (parent, mark) = role.split_once('|').expect("parent|mark");
    toolchain::stop::install().expect("signal handlers");
    let root = ScratchRoot::beneath(Path::new(parent)).expect("scratch");
    let tree = format!(
        "touch file; sleep {mark} & setsid sleep {mark} & sh -c 'sleep {mark} & sleep {mark}' & sleep {mark}"
    );
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let dir = root.dir().expect("scratch");
                let limits = Limits::within(Duration::from_secs(100));
                let job = Spec::new("sh").args(["-c", &tree]).cwd(dir.path()).limits(limits);
                run(&job.sandbox(Sandbox::writing_beneath(dir.path())))
            });
        }
    });
    if parent.ends_with("stubborn") {
        // Plays a plumb that hangs while it stops.
        std::thread::sleep(Duration::from_secs(100));
    }
}

struct Double {
    process: Child,
    parent: PathBuf,
    mark: String,
}

impl Double {
    /// Starts the copy and waits until its processes are all there.
    fn start(number: u32) -> Double {
        let double = Double::start_only(number);
        // Two jobs of: the shell, four sleeps (one in a session of its own), one inner shell, one sleep in it.
        wait_until("the copy's processes are up", || alive(&double.mark) >= 12);
        assert_eq!(double.scratch().len(), 1, "{:?}", double.scratch());
        double
    }

    fn start_only(number: u32) -> Double {
        Double::start_in(number, "polite")
    }

    fn start_in(number: u32, manner: &str) -> Double {
        let mark = format!("{number}{}.25", std::process::id());
        let parent = std::env::temp_dir().join(format!("plumb-death-{mark}-{manner}"));
        std::fs::create_dir_all(&parent).expect("a temporary directory");
        let process = Command::new(std::env::current_exe().expect("own path"))
            .args(["--exact", "plays_plumb", "--ignored"])
            .env(ROLE, format!("{}|{mark}", parent.display()))
            .stdout(Stdio::null())
            .spawn()
            .expect("a copy of this test");
        Double { process, parent, mark }
    }

    fn scratch(&self) -> Vec<PathBuf> {
        let homes = std::fs::read_dir(&self.parent).into_iter().flatten().flatten();
        let roots = homes.flat_map(|home| std::fs::read_dir(home.path()).into_iter().flatten().flatten());
        roots.filter(|root| root.path().is_dir()).map(|root| root.path()).collect()
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(pid, signal).expect("the copy is there");
    }

    fn spawner(&self) -> rustix::process::Pid {
        let children = format!("/proc/{0}/task/{0}/children", self.process.id());
        let tasks = format!("/proc/{}/task", self.process.id());
        let mut all = std::fs::read_to_string(&children).unwrap_or_default();
        for task in std::fs::read_dir(tasks).into_iter().flatten().flatten() {
            all.push_str(&std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
        }
        let first = all.split_whitespace().next().expect("the copy has a spawner");
        rustix::process::Pid::from_raw(first.parse().expect("a number")).expect("a process")
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.parent);
    }
}

#[test]
fn kill_minus_nine_leaves_no_process_and_no_file() {
    let mut double = Double::start(5101);
    double.signal(rustix::process::Signal::KILL);
    double.process.wait().expect("it dies");
    wait_until("all processes are gone", || alive(&double.mark) == 0);
    wait_until("the scratch directory is gone", || double.scratch().is_empty());
}

#[test]
fn kill_minus_nine_at_any_moment_leaves_nothing() {
    for moment in 0..20 {
        let mut double = Double::start_only(5200 + moment);
        std::thread::sleep(Duration::from_micros(u64::from(moment) * 1500));
        double.signal(rustix::process::Signal::KILL);
        double.process.wait().expect("it dies");
        wait_until("all processes are gone", || alive(&double.mark) == 0);
        // A root made before there was a spawner to tell is left to the next plumb, which takes it once the dying
        // spawner has let go of its lock.
        wait_until("the scratch directory is gone", || {
            drop(ScratchRoot::beneath(&double.parent).expect("scratch"));
            double.scratch().is_empty()
        });
    }
}

#[test]
fn a_polite_stop_ends_jobs_and_removes_scratch() {
    for (number, signal) in [(5102, rustix::process::Signal::INT), (5103, rustix::process::Signal::TERM)] {
        let mut double = Double::start(number);
        double.signal(signal);
        let status = double.process.wait().expect("it ends");
        assert!(status.success(), "it ends in good order, found {status}");
        assert_eq!(alive(&double.mark), 0);
        assert!(double.scratch().is_empty(), "{:?}", double.scratch());
    }
}

#[test]
fn a_second_signal_ends_a_plumb_that_hangs() {
    let mut double = Double::start_in(5105, "stubborn");
    wait_until("the copy's processes are up", || alive(&double.mark) >= 12);
    double.signal(rustix::process::Signal::INT);
    wait_until("the jobs are gone", || alive(&double.mark) == 0);
    assert!(double.process.try_wait().expect("own child").is_none(), "it is meant to hang");
    double.signal(rustix::process::Signal::INT);
    assert_eq!(double.process.wait().expect("it ends").code(), Some(130));
    wait_until("the scratch directory is gone", || double.scratch().is_empty());
}

#[test]
fn killing_the_spawner_too_leaves_scratch_to_the_next_plumb() {
    let mut double = Double::start(5104);
    let spawner = double.spawner();
    rustix::process::kill_process(spawner, rustix::process::Signal::KILL).expect("the spawner is there");
    double.signal(rustix::process::Signal::KILL);
    double.process.wait().expect("it dies");
    // The supervisors need no spawner to see that plumb is gone.
    wait_until("all processes are gone", || alive(&double.mark) == 0);
    assert_eq!(double.scratch().len(), 1, "nobody is there to remove it");
    let next = ScratchRoot::beneath(&double.parent).expect("scratch");
    assert_eq!(double.scratch(), [next.path().to_owned()]);
}

#[test]
fn a_killed_spawner_is_replaced() {
    assert!(run(&Spec::new("true")).outcome.success());
    let children = std::fs::read_dir("/proc/self/task").expect("/proc").flatten();
    let children = children.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let all: String = children.collect();
    for pid in all.split_whitespace() {
        let name = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if name.starts_with(b"plumb-spawner\0") {
            let pid = rustix::process::Pid::from_raw(pid.parse().expect("a number")).expect("a process");
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("own child");
        }
    }
    for _ in 0..20 {
        let done = run(&Spec::new("true"));
        assert!(done.outcome.success(), "{:?}", done.outcome);
    }
}
