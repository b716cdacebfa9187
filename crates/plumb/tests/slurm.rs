//! The script of `deploy/slurm` under a Slurm of the test's own: `munged`, `slurmctld` and `slurmd` on loopback, from Debian's
//! packages `munge`, `slurmctld`, `slurmd` and `slurm-client`. Where they are not installed, or this is not root, which `slurmd`
//! must be, it says so loudly, and fails where `PLUMB_NEED_SLURM` is set.

mod common;
#[path = "../../campaign/tests/postgres/mod.rs"]
mod postgres;

use common::Plumb;
use postgres::Server;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const DAEMONS: [&str; 3] = ["/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd"];

/// A cluster of one node.
struct Slurm {
    dir: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    fn start() -> Option<Slurm> {
        let root =
            fs::metadata("/proc/self").is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == 0);
        if !root || DAEMONS.iter().any(|path| !Path::new(path).is_file()) {
            eprintln!(
                "\n*** Slurm is not installed, or this is not root: deploy/slurm is NOT TESTED here ***\n"
            );
            assert!(std::env::var_os("PLUMB_NEED_SLURM").is_none(), "PLUMB_NEED_SLURM is set");
            return None;
        }
        let dir = tempfile::tempdir().expect("a temporary directory");
        // `munged` wants nobody else to write there.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).expect("its owner's");
        let mut slurm = Slurm { dir, daemons: Vec::new() };
        slurm.configure();
        let file = |name: &str| slurm.dir.path().join(name).display().to_string();
        let munge: Vec<String> = [
            ("key-file", "key"),
            ("socket", "socket"),
            ("pid-file", "pid"),
            ("log-file", "log"),
            ("seed-file", "seed"),
        ]
        .map(|(option, name)| format!("--{option}={}", file(&format!("munge.{name}"))))
        .to_vec();
        let conf = file("slurm.conf");
        slurm.daemon(DAEMONS[0], &[&["--force".to_owned(), "--foreground".to_owned()][..], &munge].concat());
        wait("munged", || slurm.dir.path().join("munge.socket").exists());
        for daemon in &DAEMONS[1..] {
            slurm.daemon(daemon, &["-D", "-f", &conf].map(str::to_owned));
        }
        wait("an idle node", || slurm.ask("sinfo", &["-h", "-o", "%T"]).contains("idle"));
        Some(slurm)
    }

    fn configure(&self) {
        let at = self.dir.path().display();
        let host = self.ask("hostname", &["-s"]);
        let host = host.trim();
        let mut ports = (0..2).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"));
        let mut port = || ports.next().and_then(|l| l.local_addr().ok()).expect("bound").port();
        let text = format!(
            "ClusterName=plumb\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
             AuthType=auth/munge\nAuthInfo=socket={at}/munge.socket\nSlurmctldPort={}\nSlurmdPort={}\n\
             StateSaveLocation={at}/controller\nSlurmdSpoolDir={at}/node\n\
             SlurmctldPidFile={at}/controller.pid\nSlurmdPidFile={at}/node.pid\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU_Memory\nReturnToService=2\nKillWait=10\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 State=UNKNOWN\n\
             PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            port(),
            port()
        );
        for name in ["controller", "node"] {
            fs::create_dir(self.dir.path().join(name)).expect("writable");
        }
        fs::write(self.dir.path().join("slurm.conf"), text).expect("writable");
        let key = self.dir.path().join("munge.key");
        fs::write(&key, [7; 128]).expect("writable");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).expect("its owner's");
    }

    fn daemon(&mut self, program: &str, words: &[String]) {
        let log = fs::File::create(self.dir.path().join("daemons.log")).expect("writable");
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.daemons.push(command.spawn().expect("it starts"));
    }

    fn conf(&self) -> PathBuf {
        self.dir.path().join("slurm.conf")
    }

    /// What one of its commands prints.
    fn ask(&self, program: &str, words: &[&str]) -> String {
        let mut command = Command::new(program);
        command.args(words).env("SLURM_CONF", self.conf()).current_dir(self.dir.path());
        let done = command.output().expect("it starts");
        String::from_utf8_lossy(&done.stdout).into_owned()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let _ = self.ask("scancel", &["--signal=KILL", "--full", "--state=RUNNING"]);
        for daemon in self.daemons.iter_mut().rev() {
            common::shell(&["kill", "-TERM", &daemon.id().to_string()]);
            let _ = daemon.wait();
        }
    }
}

fn wait(what: &str, mut there: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(180);
    while !there() {
        assert!(Instant::now() < end, "not within three minutes: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn count(server: &Server, database: &str, sql: &str) -> i64 {
    server.client(database).query_one(sql, &[]).map_or(0, |row| row.get(0))
}

/// A campaign is worked off by an array of two tasks, of which one is taken away in the middle; the findings are those of one
/// process.
#[test]
fn an_array_of_tasks_finds_what_one_process_finds() {
    let Some(server) = Server::start() else { return };
    let Some(slurm) = Slurm::start() else { return };
    let plumb = Plumb::new();
    let canary = common::repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let (alone, shared) = (server.database("alone"), server.database("shared"));
    let hunt = |store: &str| {
        [
            "hunt",
            "--cc",
            &canary,
            "--levels",
            "-O0,-O2",
            "--drawn",
            "0",
            "--programs",
            "16",
            "--jobs",
            "1",
            "--store",
            store,
        ]
        .map(str::to_owned)
    };
    let words = hunt(&alone);
    let done = plumb.run(&words.each_ref().map(String::as_str));
    assert_eq!(done.code, 1, "{}", done.stderr);
    // Begins the campaign, and goes.
    let words = hunt(&shared);
    let mut beginning = plumb.command(&words.each_ref().map(String::as_str));
    let mut beginning = beginning.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    wait("the first program", || count(&server, "shared", "SELECT count(*) FROM program") > 0);
    common::shell(&["kill", "-TERM", &beginning.id().to_string()]);
    beginning.wait().expect("it ended");

    let script = common::repository().join("deploy/slurm/plumb-work.sbatch").display().to_string();
    let export = format!("--export=ALL,PLUMB={},PLUMB_STORE={shared}", env!("CARGO_BIN_EXE_plumb"));
    let small = ["--parsable", "--array=1-2", "--cpus-per-task=1", "--mem=500", "--time=5", &export, &script];
    let job = slurm.ask("sbatch", &small).trim().to_owned();
    assert!(!job.is_empty(), "sbatch took no job");
    let working = "SELECT count(DISTINCT holder) FROM lease WHERE NOT done AND expires > now()";
    wait("a task that works", || count(&server, "shared", working) > 0);
    let first = format!("{job}_1");
    slurm.ask("scancel", &[&first]);
    wait("the end of all tasks", || slurm.ask("squeue", &["-h"]).trim().is_empty());

    let log = |task: u8| {
        fs::read_to_string(slurm.dir.path().join(format!("plumb-work-{job}_{task}.log"))).unwrap_or_default()
    };
    let said = format!("{}\n{}", log(1), log(2));
    assert!(said.contains("works on campaign 1"), "{said}");
    for table in ["program", "result", "finding_seen"] {
        assert_eq!(server.rows("alone", table), server.rows("shared", table), "{table}: {said}");
    }
    assert_eq!(count(&server, "shared", "SELECT count(*) FROM program"), 16);
    let words = "SELECT count(*) FROM worker WHERE words = 'nothing was left to do'";
    assert!(count(&server, "shared", words) > 0, "{said}");
}
