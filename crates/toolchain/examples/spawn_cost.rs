//! Prints what starting a process costs: through plumb's runner, and through the standard library for comparison,
//! from one thread and from several, with a small and with a large parent.
//!
//! `cargo run --release -p plumb-toolchain --example spawn_cost [JOBS]`

use std::time::{Duration, Instant};
use toolchain::process::{Env, Limits, Spec, run};
use toolchain::sandbox::Sandbox;

fn main() {
    let jobs = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(500);
    let plain = Spec::new("/bin/true").env_policy(Env::Clean);
    let bare = plain.clone().limits(Limits { processes: None, cpu: None, ..Limits::default() });
    let confined = plain.clone().sandbox(Sandbox::writing_beneath(std::env::temp_dir()));
    let runner =
        |spec: &Spec| assert!(run(spec).outcome.success(), "/bin/true failed: {:?}", run(spec).outcome);
    let standard = || {
        let done = std::process::Command::new("/bin/true").output().expect("/bin/true exists");
        assert!(done.status.success());
    };
    runner(&plain);
    println!("sandbox on this kernel: {:?}", toolchain::sandbox::available());
    println!("{:<44} {:>10} {:>10} {:>10}", "/bin/true, µs a job", "elapsed", "own CPU", "all CPU");
    report("runner, default limits", jobs, || runner(&plain));
    report("runner, wall clock only", jobs, || runner(&bare));
    report("runner, sandbox", jobs, || runner(&confined));
    report("std::process::Command", jobs, standard);
    let threads = 4;
    report("runner, 4 threads", jobs, || {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| runner(&plain));
            }
        });
    });
    let ballast = vec![1u8; 1 << 30];
    report("runner, 1 GiB parent", jobs, || runner(&plain));
    report("std::process::Command, 1 GiB parent", jobs, standard);
    assert_eq!(std::hint::black_box(&ballast)[ballast.len() / 2], 1);
}

fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// This process, the spawner and all that both have reaped, from `/proc`, in steps of a clock tick.
fn all_cpu() -> Duration {
    let me = std::process::id();
    let children = std::fs::read_to_string(format!("/proc/{me}/task/{me}/children")).unwrap_or_default();
    let ids = children.split_whitespace().map(str::to_owned).chain([me.to_string()]);
    let ticks: u64 = ids.map(|id| ticks(&id)).sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
}

fn ticks(id: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// Prints medians of the elapsed time and of this process's own CPU, and the mean of all CPU.
fn report(what: &str, jobs: usize, mut job: impl FnMut()) {
    let before = all_cpu();
    let measure = |_| {
        let (start, cpu) = (Instant::now(), own_cpu());
        job();
        (start.elapsed(), own_cpu() - cpu)
    };
    let (mut elapsed, mut cpu): (Vec<Duration>, Vec<Duration>) = (0..jobs.max(1)).map(measure).unzip();
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e6
    };
    let all = (all_cpu() - before).as_secs_f64() * 1e6 / jobs.max(1) as f64;
    println!("{what:<44} {:>10.0} {:>10.0} {all:>10.0}", median(&mut elapsed), median(&mut cpu));
}
