//! The reproducer of an alarm, run before the alarm is raised: what it denies is no finding.

use super::context::Hunt;
use crate::error::Error;
use crate::findings::{Draft, REPRO};
use std::sync::PoisonError;
use std::time::Duration;
use toolchain::process::{Limits, Outcome, Spec, run};

/// What a reproducer says.
pub(super) enum Reproduced {
    /// The bug shows, or that cannot be told.
    NotDenied,
    /// The bug does not show.
    Denied,
    /// plumb was stopped meanwhile.
    Stopped,
}

/// Time for what is not limited inside the script.
const SLACK: Duration = Duration::from_secs(10);

/// Runs the reproducer of a draft with nothing beside it. `limit` is the time that the script gives to each command.
pub(super) fn reproduce(hunt: &Hunt<'_>, draft: &Draft, limit: Duration) -> Result<Reproduced, Error> {
    let no_dir = |error: std::io::Error| Error::file("make a directory in", hunt.scratch.path(), &error);
    let scratch = hunt.scratch.dir().map_err(no_dir)?;
    let commands = u32::try_from(draft.commands() + 1).unwrap_or(u32::MAX);
    let limits = Limits { wall: Some(limit.saturating_mul(commands) + SLACK), ..Limits::default() };
    let spec = Spec::new("sh").arg(REPRO).cwd(draft.path()).env("TMPDIR", scratch.path()).limits(limits);
    let _alone = hunt.quiet.write().unwrap_or_else(PoisonError::into_inner);
    Ok(match run(&spec).outcome {
        Outcome::Exited(0) => Reproduced::Denied,
        Outcome::Cancelled => Reproduced::Stopped,
        Outcome::Exited(_)
        | Outcome::Signaled(_)
        | Outcome::TimedOut(_)
        | Outcome::OutputLimit(_)
        | Outcome::ProcessLimit
        | Outcome::SpawnFailed(_) => Reproduced::NotDenied,
    })
}
