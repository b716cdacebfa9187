//! Who works: told by workers themselves, with their last words; and waiting for what others do, of which the server tells.

use super::Postgres;
use super::connection::Session;
use crate::error::Error;
use crate::store::items::{Fleet, Has, WorkerRow};
use crate::store::rows::CampaignId;
use postgres::fallible_iterator::FallibleIterator;
use std::sync::TryLockError;
use std::time::{Duration, Instant};

/// How long a thread waits while another one listens.
const BESIDE: Duration = Duration::from_millis(300);

impl Postgres {
    /// Says that this process works, what it has, and what it does.
    pub fn sign_in(&self, has: &Has, doing: &str) -> Result<(), Error> {
        let sql = "INSERT INTO worker (id, host, architecture, memory, jobs, version, doing) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET seen = now(), doing = $7";
        let memory = i64::try_from(has.memory).unwrap_or(i64::MAX);
        let (jobs, version) = (has.jobs as i64, env!("CARGO_PKG_VERSION"));
        self.connection.run("signing in", |session| {
            session
                .execute(sql, &[&self.holder, &has.host, &has.architecture, &memory, &jobs, &version, &doing])
                .map(|_| ())
        })
    }

    /// Says how this process ended.
    pub fn last_words(&self, words: &str) -> Result<(), Error> {
        let sql = "UPDATE worker SET seen = now(), words = $2, doing = '' WHERE id = $1";
        let words = words.replace('\0', "\u{fffd}");
        self.connection
            .durable("signing out", |write| write.execute(sql, &[&self.holder, &words]).map(|_| ()))
    }

    /// Who works or worked, the last first.
    pub fn workers(&self) -> Result<Vec<WorkerRow>, Error> {
        let sql = "SELECT host, architecture, jobs, extract(epoch FROM now() - seen)::float8, doing, words FROM worker \
                   ORDER BY seen DESC, id";
        self.rows("listing workers", sql, None, |row| {
            Ok(WorkerRow {
                host: row.get(0),
                architecture: row.get(1),
                jobs: row.get::<_, i64>(2) as u64,
                silent: row.get(3),
                doing: row.get(4),
                words: row.get(5),
            })
        })
    }

    /// How those do who work on a campaign.
    pub fn fleet(&self, campaign: CampaignId) -> Result<Fleet, Error> {
        let sql = "SELECT (SELECT coalesce(sum(epoch), 0)::bigint FROM lease WHERE campaign = $1), \
                   (SELECT coalesce(sum(epoch - 1), 0)::bigint FROM lease WHERE campaign = $1 AND epoch > 1), \
                   (SELECT count(*) FROM worker WHERE words IS NULL AND seen > now() - interval '1 minute'), \
                   (SELECT count(*) FROM item WHERE NOT done), (SELECT count(*) FROM item WHERE done)";
        let row =
            self.connection.run("counting workers", |session| session.query_one(sql, &[&campaign.0]))?;
        let count = |column: usize| row.get::<_, i64>(column) as u64;
        Ok(Fleet {
            leases: count(0),
            leases_again: count(1),
            workers: count(2),
            items_open: count(3),
            items_done: count(4),
        })
    }

    /// Waits until the server tells of something, or for so long; says whether there may be something new.
    pub fn wait(&self, most: Duration) -> bool {
        let begun = Instant::now();
        let mut held = match self.listening.try_lock() {
            Ok(held) => held,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread waits, and hears for itself alone.
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(most.min(BESIDE));
                return true;
            }
        };
        if held.as_ref().is_none_or(|session| session.is_closed()) {
            // What was told before is not told again: whoever waits looks once more first.
            *held = self.connection.connect().and_then(listen).ok();
            if held.is_some() {
                return true;
            }
        }
        let told = held.as_mut().map(|session| {
            let mut notifications = session.notifications();
            let first = notifications.timeout_iter(most).next();
            // One look is enough for all of them.
            while let Ok(Some(_)) = notifications.iter().next() {}
            first
        });
        match told {
            Some(Ok(said)) => said.is_some(),
            // It is away: what asks it says so.
            Some(Err(_)) | None => {
                *held = None;
                std::thread::sleep(most.saturating_sub(begun.elapsed()));
                false
            }
        }
    }
}

fn listen(mut session: Session) -> Result<Session, Error> {
    let failed = |error: postgres::Error| Error::Internal(format!("listening: {error}"));
    session.batch_execute("LISTEN plumb").map_err(failed)?;
    Ok(session)
}
