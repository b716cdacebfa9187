//! Progress while workers work.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a plain line is written where stderr is no terminal.
const EVERY: Duration = Duration::from_secs(10);

/// Progress on stderr: a bar on a terminal, a plain line now and then elsewhere.
pub struct Progress {
    bar: Option<ProgressBar>,
    last: Cell<Instant>,
    all: usize,
    what: &'static str,
}

impl Progress {
    /// For so many things, which are called so.
    pub fn new(all: usize, what: &'static str) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(all as u64), ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Progress { bar, last: Cell::new(Instant::now()), all, what }
    }

    /// Prints around the bar, and moves it on to where so many are done.
    pub fn around(&self, done: usize, counts: &str, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => {
                bar.suspend(print);
                bar.set_position(done as u64);
                bar.set_message(counts.to_owned());
            }
            None => {
                print();
                if self.last.get().elapsed() >= EVERY {
                    self.last.set(Instant::now());
                    eprintln!("{done} of {} {}: {counts}", self.all, self.what);
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
