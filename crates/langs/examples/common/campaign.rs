//! The settings of a campaign of planted faults, and the deep stack that it runs on.

use std::process::ExitCode;
use std::time::Duration;

/// What a campaign is told on the command line.
pub struct Campaign {
    /// Faults to plant.
    pub count: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// Seconds of a proof.
    pub time: f64,
    /// Runs that compare both sides of a proved one.
    pub runs: u32,
    /// Most instructions of a function.
    pub size: usize,
    /// Options that only this campaign knows, with their values.
    pub more: Vec<(&'static str, String)>,
    /// The files.
    pub files: Vec<String>,
}

impl Campaign {
    /// Takes the process's arguments over these defaults.
    pub fn read(mut self) -> Campaign {
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().unwrap_or_default();
            match arg.as_str() {
                "--count" => self.count = value().parse().unwrap_or(self.count),
                "--seed" => self.seed = value().parse().unwrap_or(self.seed),
                "--time" => self.time = value().parse().unwrap_or(self.time),
                "--runs" => self.runs = value().parse().unwrap_or(self.runs),
                "--size" => self.size = value().parse().unwrap_or(self.size),
                _ => match self.more.iter_mut().find(|(name, _)| *name == arg) {
                    Some((_, kept)) => *kept = value(),
                    None => self.files.push(arg),
                },
            }
        }
        self
    }

    /// The time of a proof.
    pub fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.time)
    }

    /// Runs it on a deep stack, which deep programs need; exit code 2 if it panics.
    pub fn run(self, work: impl FnOnce(Campaign) -> u8 + Send + 'static) -> ExitCode {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(move || work(self));
        match thread.map(std::thread::JoinHandle::join) {
            Ok(Ok(code)) => code.into(),
            Ok(Err(_)) | Err(_) => 2.into(),
        }
    }
}
