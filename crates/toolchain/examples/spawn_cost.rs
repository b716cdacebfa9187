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
    println!("{:<44} {:>10} {:>10}", "/bin/true, median µs", "elapsed", "own CPU");
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

fn report(what: &str, jobs: usize, mut job: impl FnMut()) {
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
    println!("{what:<44} {:>10.0} {:>10.0}", median(&mut elapsed), median(&mut cpu));
}
