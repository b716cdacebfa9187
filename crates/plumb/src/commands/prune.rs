//! `plumb prune`

use crate::args::Prune as Arguments;
use crate::output;
use campaign::store::{CampaignRow, Store};
use campaign::{Error, exit};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs the command.
pub fn run(args: &Arguments) -> Result<u8, Error> {
    // Reading fails where there is no store; opening would make one.
    drop(Store::read(&args.store)?);
    let store = Store::open(&args.store)?;
    let all = store.campaigns()?;
    if let Some(missing) =
        args.campaign.iter().find(|number| all.iter().all(|row| row.id.number() != **number))
    {
        let why = format!("prune: there is no campaign {missing} in `{}`", args.store.display());
        return Err(Error::Usage(why));
    }
    if let Some(age) = args.older_than {
        let jobs = store.prune_jobs(age, args.dry_run)?;
        if jobs > 0 {
            let verb = if args.dry_run { "would go" } else { "are gone" };
            output::line(&format!("{jobs} jobs of functions and findings {verb}"));
        }
    }
    // The newest first: findings of a campaign may be counted with those of an older one.
    for row in all.iter().rev() {
        let old = match args.older_than {
            Some(age) => is_older(&store, row, age)?,
            None => false,
        };
        if !old && !args.campaign.contains(&row.id.number()) {
            continue;
        }
        let programs = store.moments(row.id)?.len();
        if args.dry_run {
            output::line(&format!(
                "campaign {} would go: {programs} programs of {}",
                row.id.number(),
                row.title
            ));
        } else {
            store.prune(row.id)?;
            output::line(&format!(
                "campaign {} is gone: {programs} programs of {}",
                row.id.number(),
                row.title
            ));
        }
    }
    Ok(exit::OK)
}

/// Was nothing done in a campaign for so long? One without history is not old.
fn is_older(store: &Store, row: &CampaignRow, age: Duration) -> Result<bool, Error> {
    let last = store.moments(row.id)?.into_iter().chain(store.runs(row.id)?).max();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let limit = i64::try_from(now.saturating_sub(age).as_millis()).unwrap_or(i64::MAX);
    Ok(last.is_some_and(|last| last < limit))
}
