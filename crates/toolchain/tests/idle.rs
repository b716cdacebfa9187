//! Waiting for a job costs no processor time. Alone in its program, so that it measures nothing else.

use std::time::Duration;
use toolchain::process::{Spec, run};

fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[test]
fn waiting_costs_no_processor_time() {
    assert!(run(&Spec::new("true")).outcome.success());
    let before = own_cpu();
    assert!(run(&Spec::new("sleep").arg("1")).outcome.success());
    let spent = own_cpu() - before;
    assert!(spent < Duration::from_millis(20), "one second of waiting took {spent:?}");
}
