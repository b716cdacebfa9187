//! Every way a job can end, with real processes.

use std::time::{Duration, Instant};
use toolchain::Cancel;
use toolchain::process::{Clock, Env, Limits, Outcome, Read, Session, SpawnError, Spec, Stdin, Stream, run};

fn sh(script: &str) -> Spec {
    Spec::new("sh").args(["-c", script])
}

fn limits() -> Limits {
    Limits::within(Duration::from_secs(30))
}

/// The ids of live processes whose command line holds `mark`.
fn alive(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("tests need /proc").flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(mark) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn an_exit_code_and_both_streams_come_back() {
    let done = run(&sh("echo out; echo err >&2; exit 7"));
    assert_eq!(done.outcome, Outcome::Exited(7));
    assert_eq!((done.stdout.as_slice(), done.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    assert!(done.usage.wall > Duration::ZERO && done.usage.max_rss > 0, "{:?}", done.usage);
}

#[test]
fn a_signal_is_told_apart_from_an_exit_code() {
    assert_eq!(run(&sh("kill -SEGV $$")).outcome, Outcome::Signaled(libc::SIGSEGV));
    assert_eq!(run(&sh("exit 139")).outcome, Outcome::Exited(139));
}

#[test]
fn a_sleeper_meets_the_wall_clock() {
    let wall = Limits { wall: Some(Duration::from_millis(200)), ..limits() };
    let start = Instant::now();
    assert_eq!(run(&Spec::new("sleep").arg("1000").limits(wall)).outcome, Outcome::TimedOut(Clock::Wall));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_spinner_meets_the_cpu_clock_below_a_second() {
    let cpu = Limits { cpu: Some(Duration::from_millis(300)), ..limits() };
    let done = run(&sh("while :; do :; done").limits(cpu));
    assert_eq!(done.outcome, Outcome::TimedOut(Clock::Cpu));
    assert!(done.usage.cpu() >= Duration::from_millis(250), "{:?}", done.usage);
    assert!(done.usage.cpu() < Duration::from_secs(3), "{:?}", done.usage);
}

#[test]
fn cpu_time_of_grandchildren_counts() {
    let cpu = Limits { cpu: Some(Duration::from_millis(400)), ..limits() };
    let script = "(while :; do :; done) & (while :; do :; done) & wait";
    assert_eq!(run(&sh(script).limits(cpu)).outcome, Outcome::TimedOut(Clock::Cpu));
}

#[test]
fn too_much_output_is_cut_at_the_limit_and_killed() {
    let few = Limits { stdout: 1000, ..limits() };
    let done = run(&Spec::new("yes").limits(few.clone()));
    assert_eq!((done.outcome, done.stdout.len()), (Outcome::OutputLimit(Stream::Stdout), 1000));
    let done = run(&sh("yes >&2").limits(Limits { stderr: 500, ..few.clone() }));
    assert_eq!((done.outcome, done.stderr.len()), (Outcome::OutputLimit(Stream::Stderr), 500));
    let exact = run(&sh("head -c 1000 /dev/zero").limits(few.clone()));
    assert_eq!((exact.outcome, exact.stdout.len()), (Outcome::Exited(0), 1000));
    let more = run(&sh("head -c 1001 /dev/zero").limits(few));
    assert_eq!(more.outcome, Outcome::OutputLimit(Stream::Stdout));
}

#[test]
fn much_output_within_the_limit_arrives_whole() {
    let done = run(&sh("head -c 5000000 /dev/zero").limits(limits()));
    assert_eq!((done.outcome, done.stdout.len()), (Outcome::Exited(0), 5_000_000));
}

#[test]
fn a_file_cannot_grow_beyond_its_limit() {
    let root = toolchain::scratch::ScratchRoot::new().expect("scratch");
    let dir = root.dir().expect("scratch");
    let small = Limits { file_size: Some(4096), ..limits() };
    let job = Spec::new("dd").args(["if=/dev/zero", "of=big", "bs=1000", "count=100"]).cwd(dir.path());
    assert_eq!(run(&job.limits(small)).outcome, Outcome::OutputLimit(Stream::File));
    assert!(std::fs::metadata(dir.file("big")).expect("written").len() <= 4096);
}

#[test]
fn an_eater_of_memory_is_refused_it() {
    let small = Limits { address_space: Some(64 << 20), ..limits() };
    let done = run(&sh("x=a; while :; do x=$x$x; done").limits(small));
    assert!(!done.outcome.success() && !matches!(done.outcome, Outcome::TimedOut(_)), "{:?}", done.outcome);
    assert!(done.usage.max_rss < 128 << 20, "{:?}", done.usage);
}

#[test]
fn too_many_processes_are_killed() {
    let few = Limits { processes: Some(8), ..limits() };
    let mark = format!("4242{}.5", std::process::id());
    let script = format!("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep {mark} & done; wait");
    assert_eq!(run(&sh(&script).limits(few)).outcome, Outcome::ProcessLimit);
    assert_eq!(alive(&mark), Vec::<String>::new());
}

#[test]
fn a_bomb_of_processes_is_put_out() {
    let few = Limits { processes: Some(32), ..limits() };
    // At most 1023 shells, should it not be stopped.
    let mark = format!("4545{}.5", std::process::id());
    let script =
        format!("f() {{ if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & fi; sleep {mark}; }}; f 9");
    let done = run(&sh(&script).limits(few));
    assert_eq!(done.outcome, Outcome::ProcessLimit);
    assert_eq!(alive(&mark), Vec::<String>::new());
}

#[test]
fn nothing_outlives_a_job_even_in_a_session_of_its_own() {
    let mark = format!("4343{}.5", std::process::id());
    let script = format!(
        "sleep {mark} & setsid sleep {mark} & setsid sh -c 'sleep {mark} & sleep {mark}' & sleep 0.2"
    );
    assert_eq!(run(&sh(&script)).outcome, Outcome::Exited(0));
    assert_eq!(alive(&mark), Vec::<String>::new());
}

#[test]
fn a_job_that_kills_its_supervisor_is_cleaned_up_all_the_same() {
    let mark = format!("4646{}.5", std::process::id());
    let script =
        format!("sleep {mark} & setsid sleep {mark} & sleep 0.1; kill -KILL $PPID; exec sleep {mark}");
    match run(&sh(&script)).outcome {
        Outcome::SpawnFailed(SpawnError::Runner(why)) => assert!(why.contains("killed"), "{why}"),
        other => panic!("found {other:?}"),
    }
    let start = Instant::now();
    while !alive(&mark).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(10), "left behind: {:?}", alive(&mark));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_named_pipe_without_a_writer_holds_nobody_up() {
    let root = toolchain::scratch::ScratchRoot::new().expect("scratch");
    let dir = root.dir().expect("scratch");
    assert!(run(&Spec::new("mkfifo").arg(dir.file("fifo"))).outcome.success());
    let wall = Limits { wall: Some(Duration::from_millis(300)), ..limits() };
    let done = run(&Spec::new("cat").stdin(Stdin::File(dir.file("fifo"))).limits(wall));
    assert_eq!(done.outcome, Outcome::Exited(0));
}

#[test]
fn unbounded_times_are_no_trouble() {
    let never = Limits { wall: Some(Duration::MAX), cpu: Some(Duration::MAX), ..limits() };
    assert!(run(&Spec::new("true").limits(never)).outcome.success());
    let none =
        Limits { wall: None, cpu: None, address_space: None, file_size: None, processes: None, ..limits() };
    assert!(run(&Spec::new("true").limits(none)).outcome.success());
    let zero = Limits { wall: Some(Duration::ZERO), ..limits() };
    assert_eq!(run(&Spec::new("sleep").arg("9").limits(zero)).outcome, Outcome::TimedOut(Clock::Wall));
}

#[test]
fn a_dropped_session_kills_its_job() {
    let mark = format!("4444{}.5", std::process::id());
    let mut session = Session::start(&sh(&format!("sleep {mark} & echo up; wait"))).expect("sh");
    assert_eq!(session.read(None), Read::Data(b"up\n".to_vec()));
    assert!(!alive(&mark).is_empty());
    drop(session);
    let start = Instant::now();
    while !alive(&mark).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(10), "left behind: {:?}", alive(&mark));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_token_cancels_running_and_later_jobs() {
    let cancel = Cancel::new().expect("descriptor");
    let job = Spec::new("sleep").arg("1000").cancel(&cancel);
    let done = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&job));
        std::thread::sleep(Duration::from_millis(100));
        cancel.cancel();
        running.join().expect("no panic")
    });
    assert_eq!(done.outcome, Outcome::Cancelled);
    assert!(done.usage.wall < Duration::from_secs(20));
    assert_eq!(run(&job).outcome, Outcome::Cancelled);
}

#[test]
fn what_cannot_start_says_why() {
    let failed = |spec: Spec| match run(&spec).outcome {
        Outcome::SpawnFailed(error) => error,
        other => panic!("expected a failed start, found {other:?}"),
    };
    let missing = failed(Spec::new("no-such-compiler-anywhere"));
    assert_eq!(missing.to_string(), "`no-such-compiler-anywhere`: no such program on PATH");
    assert!(matches!(failed(Spec::new("/no/such/file")), SpawnError::NotFound { .. }));
    assert!(matches!(failed(Spec::new("/etc/passwd")), SpawnError::NotExecutable { .. }));
    assert!(matches!(failed(Spec::new("/etc")), SpawnError::NotExecutable { .. }));
    assert!(matches!(failed(Spec::new("true").cwd("/no/such/dir")), SpawnError::Directory { .. }));
    assert!(matches!(failed(Spec::new("true").arg("a\0b")), SpawnError::Nul(_)));
    assert!(matches!(failed(Spec::from_argv(Vec::<String>::new())), SpawnError::Empty));
    let unreadable = Spec::new("cat").stdin(Stdin::File("/no/such/input".into()));
    assert!(matches!(failed(unreadable), SpawnError::Input { .. }));
}

#[test]
fn a_file_that_is_no_program_is_not_executable() {
    use std::os::unix::fs::PermissionsExt;
    let root = toolchain::scratch::ScratchRoot::new().expect("scratch");
    let dir = root.dir().expect("scratch");
    let file = dir.file("garbage");
    std::fs::write(&file, [0x7f, 0, 1, 2, 3]).expect("scratch is writable");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("own file");
    match run(&Spec::new(&file)).outcome {
        Outcome::SpawnFailed(SpawnError::NotExecutable { program, .. }) => assert_eq!(program, file),
        other => panic!("found {other:?}"),
    }
}

#[test]
fn standard_input_comes_from_bytes_files_or_nowhere() {
    let text = |stdin| String::from_utf8(run(&Spec::new("cat").stdin(stdin)).stdout).expect("text");
    assert_eq!(text(Stdin::Null), "");
    assert_eq!(text(Stdin::Bytes(b"abc"[..].into())), "abc");
    assert_eq!(text(Stdin::Bytes(vec![b'x'; 300_000].into())).len(), 300_000);
    assert!(text(Stdin::File("/proc/self/status".into())).contains("Name:"));
}

#[test]
fn a_session_talks_both_ways() {
    let mut session = Session::start(&Spec::new("cat").stdin(Stdin::Piped)).expect("cat");
    let soon = Some(Instant::now() + Duration::from_secs(20));
    assert!(session.write(b"question\n", soon));
    assert_eq!(session.read(soon), Read::Data(b"question\n".to_vec()));
    assert_eq!(session.read(Some(Instant::now() + Duration::from_millis(30))), Read::TimedOut);
    // Far more than a pipe holds in both directions at once.
    assert!(session.write(&vec![b'z'; 1_000_000], soon));
    session.close_stdin();
    let mut total = 0;
    loop {
        match session.read(soon) {
            Read::Data(bytes) => total += bytes.len(),
            Read::Ended => break,
            Read::TimedOut => panic!("cat stopped answering"),
        }
    }
    assert_eq!(total, 1_000_000);
    assert_eq!(session.finish().outcome, Outcome::Exited(0));
}

#[test]
fn writing_to_a_job_that_has_died_is_no_death() {
    let mut session = Session::start(&sh("exit 3").stdin(Stdin::Piped)).expect("sh");
    let soon = Some(Instant::now() + Duration::from_secs(20));
    while session.read(soon) != Read::Ended {}
    assert!(!session.write(&vec![b'q'; 1 << 20], soon));
    assert_eq!(session.finish().outcome, Outcome::Exited(3));
}

#[test]
fn the_environment_is_what_was_asked() {
    let lines = |spec: Spec| String::from_utf8(run(&spec).stdout).expect("text");
    let clean = lines(Spec::new("env").env_policy(Env::Clean).env("A", "1"));
    let names: Vec<&str> = clean.lines().filter_map(|line| line.split('=').next()).collect();
    assert_eq!(names, ["A", "LC_ALL", "PATH"]);
    let inherited = lines(Spec::new("env").env_remove("PATH").env("PATH", "/usr/bin:/bin"));
    assert!(inherited.contains("LC_ALL=C\n") && inherited.contains("PATH=/usr/bin:/bin\n"), "{inherited}");
    let huge = lines(Spec::new("env").env_policy(Env::Clean).env("BIG", "b".repeat(120_000)));
    assert!(huge.len() > 120_000, "an environment larger than a socket message must arrive");
}

#[test]
fn commands_start_with_default_signals_no_cores_and_no_stray_descriptors() {
    let status = String::from_utf8(run(&Spec::new("cat").arg("/proc/self/status")).stdout).expect("text");
    let field =
        |name: &str| status.lines().find_map(|l| l.strip_prefix(name)).unwrap_or("?").trim().to_owned();
    assert_eq!(field("SigBlk:"), "0000000000000000");
    assert_eq!(u64::from_str_radix(&field("SigIgn:"), 16).map(|set| set & 0xffff), Ok(0));
    let core = String::from_utf8(run(&sh("grep core /proc/self/limits")).stdout).expect("text");
    assert_eq!(core.split_whitespace().nth(4), Some("1"), "{core}");
    let fds = run(&Spec::new("ls").arg("/proc/self/fd")).stdout;
    // The fourth is ls's own, on the directory it lists.
    assert_eq!(String::from_utf8_lossy(&fds), "0\n1\n2\n3\n");
}

#[test]
fn fixed_addresses_are_the_same_every_time() {
    let personality = Spec::new("cat").arg("/proc/self/personality").fixed_addresses();
    let personality = String::from_utf8(run(&personality).stdout).expect("text");
    if u32::from_str_radix(personality.trim(), 16).map(|set| set & 0x40000) != Ok(0x40000) {
        eprintln!("NOT TESTED: this kernel or container does not let addresses be fixed");
        return;
    }
    let maps = Spec::new("cat").arg("/proc/self/maps").env_policy(Env::Clean).fixed_addresses();
    assert_eq!(run(&maps).stdout, run(&maps).stdout);
}

#[test]
fn many_threads_run_jobs_at_once() {
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for job in 0..10 {
                    let done = run(&sh(&format!("echo {thread}.{job}; exit {job}")));
                    assert_eq!(done.outcome, Outcome::Exited(job));
                    assert_eq!(done.stdout, format!("{thread}.{job}\n").into_bytes());
                }
            });
        }
    });
}
