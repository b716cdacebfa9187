//! Time that this thread has computed, for limits that mean the same on a busy machine as on an idle one.

use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::ops::Add;
use std::time::Duration;

/// How long a reading of the thread's clock is good for: reading it costs a system call, the wall clock does not.
const FRESH: Duration = Duration::from_micros(50);

/// A point in the CPU time of the thread that made it. Points of different threads have nothing to do with each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// The CPU time of this thread so far.
    pub fn now() -> Instant {
        thread_local! {
            static LAST: Cell<Option<(std::time::Instant, Duration)>> = const { Cell::new(None) };
        }
        let wall = std::time::Instant::now();
        LAST.with(|last| match last.get() {
            Some((then, cpu)) if wall.saturating_duration_since(then) < FRESH => Instant(cpu),
            _ => {
                let t = clock_gettime(ClockId::ThreadCPUTime);
                let seconds = u64::try_from(t.tv_sec).unwrap_or(0);
                let cpu = Duration::new(seconds, u32::try_from(t.tv_nsec).unwrap_or(0));
                last.set(Some((wall, cpu)));
                Instant(cpu)
            }
        })
    }

    /// CPU time since this point.
    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    /// CPU time from an earlier point to this one; none if it is not earlier.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The point so much later, if it can be told.
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;
    fn add(self, time: Duration) -> Instant {
        Instant(self.0.saturating_add(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_does_not_count() {
        let start = Instant::now();
        std::thread::sleep(Duration::from_millis(60));
        assert!(start.elapsed() < Duration::from_millis(50));
    }

    #[test]
    fn work_counts() {
        let (start, mut n) = (Instant::now(), 0u64);
        while start.elapsed() < Duration::from_millis(5) {
            n = std::hint::black_box(n + 1);
        }
        assert!(n > 0 && start.elapsed() >= Duration::from_millis(5));
    }
}
