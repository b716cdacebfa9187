//! The store of campaigns, behind this module alone: an SQLite database with a directory of findings for one machine, or
//! a PostgreSQL database for many.
//!
//! A campaign is known by its key: everything its results depend on. Results are unique on (campaign, seed,
//! configuration) and a program's results are committed at once, with what they cost; so killing a hunt at any
//! moment loses at most what its open leases had in flight and can count nothing twice. One process hunts in an SQLite
//! store: it holds a lock file, which the system frees however the hunt ends, and leases left open are void from then
//! on. Any number hunts in a PostgreSQL store, whose leases end by the server's clock.

mod backend;
mod batch;
mod bucket;
mod copy;
mod files;
mod items;
mod parts;
mod postgres;
mod rows;
mod sqlite;
mod totals;

pub use batch::{Batch, Brought};
pub use copy::{Copied, copy};
pub use files::{COMPILERS, is_of_campaign, read_files, write_files};
pub use items::{Fleet, Has, Item, Job, JobId, Needs, Outcome, Outcomes, WorkerRow};
pub use parts::{PART, Part, Whole};
pub use rows::{
    CampaignId, CampaignKey, CampaignRow, ConfigurationKey, Decision, FileRow, FindingMoment, FindingRow,
    Kept, Lease, Offer, ProgramRow, Record, RecordResult, ResultCount, ResultRow, RowVerdict, TriageRow,
    VerdictColumns, Work,
};
pub use totals::Totals;

use crate::error::Error;
use backend::Backend;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The database's name in the directory of a store of one machine.
pub const DATABASE: &str = sqlite::DATABASE;
/// How long a worker may be silent before others take over what it holds.
pub const LEASE: Duration = Duration::from_secs(60);

/// An open store.
pub struct Store {
    place: PathBuf,
    backend: Box<dyn Backend>,
}

/// Whether a place is the address of a PostgreSQL database; else it is a directory.
pub fn is_address(place: &Path) -> bool {
    place.to_str().is_some_and(|text| text.starts_with("postgres://") || text.starts_with("postgresql://"))
}

impl Store {
    /// Opens the store at a place for hunting, making it where there is none. In a store of many machines a lease lasts
    /// `lease` beyond the last sign of life of its holder.
    pub fn open_for(place: &Path, lease: Duration) -> Result<Store, Error> {
        let backend: Box<dyn Backend> = match place.to_str().filter(|_| is_address(place)) {
            Some(address) => Box::new(postgres::Postgres::open(address, lease)?),
            None => Box::new(sqlite::Sqlite::open(place)?),
        };
        Ok(Store { place: place.to_owned(), backend })
    }

    /// As [`Store::open_for`] with leases of [`LEASE`].
    pub fn open(place: &Path) -> Result<Store, Error> {
        Store::open_for(place, LEASE)
    }

    /// Opens an existing store for what is said of findings afterwards; a hunt may go on beside.
    pub fn annotate(place: &Path) -> Result<Store, Error> {
        let backend: Box<dyn Backend> = match place.to_str().filter(|_| is_address(place)) {
            Some(address) => Box::new(postgres::Postgres::read(address, LEASE)?),
            None => Box::new(sqlite::Sqlite::annotate(place)?),
        };
        Ok(Store { place: place.to_owned(), backend })
    }

    /// Opens an existing store for reading.
    pub fn read(place: &Path) -> Result<Store, Error> {
        let backend: Box<dyn Backend> = match place.to_str().filter(|_| is_address(place)) {
            Some(address) => Box::new(postgres::Postgres::read(address, LEASE)?),
            None => Box::new(sqlite::Sqlite::read(place)?),
        };
        Ok(Store { place: place.to_owned(), backend })
    }

    /// Opens an existing store of many machines for working on what is in it.
    pub fn join(address: &Path, lease: Duration) -> Result<Store, Error> {
        let text = address.to_str().filter(|_| is_address(address)).ok_or_else(|| {
            let why = "a directory has room for one hunt; name a database, as postgres://USER@HOST/DATABASE";
            Error::Usage(format!("--store: {why}"))
        })?;
        Ok(Store { place: address.to_owned(), backend: Box::new(postgres::Postgres::read(text, lease)?) })
    }

    /// Where the store is: a directory, or an address, which has no secret in it.
    pub fn dir(&self) -> &Path {
        &self.place
    }

    /// Whether others may hunt in it at the same time.
    pub fn is_shared(&self) -> bool {
        is_address(&self.place)
    }

    /// Where directories of findings lie on this machine. Of a shared store only those are there that were asked for
    /// with [`Store::fetch`].
    pub fn findings_dir(&self) -> PathBuf {
        self.backend.findings_dir()
    }

    /// Where a finding is: its directory, or its name in a shared store.
    pub fn directory(&self, id: &str) -> PathBuf {
        if self.is_shared() { self.place.join(id) } else { self.findings_dir().join(id) }
    }

    /// Sees to it that the directory of a finding lies on this machine, as the store has it, and says where.
    pub fn fetch(&self, id: &str) -> Result<PathBuf, Error> {
        self.backend.fetch(id)?;
        Ok(self.findings_dir().join(id))
    }

    /// As [`Store::fetch`], to a directory that outlives this process: of a shared store one beneath `parent`.
    pub fn bring(&self, id: &str, parent: &Path) -> Result<PathBuf, Error> {
        let here = self.fetch(id)?;
        if !self.is_shared() {
            return Ok(here);
        }
        let kept = parent.join(id);
        files::copy(&here, &kept)?;
        Ok(kept)
    }

    /// Puts into the store what was changed in the directory of a finding.
    pub fn keep_files(&self, id: &str) -> Result<(), Error> {
        self.backend.keep_files(id)
    }

    /// Finds the campaign of this key, or begins it. In a store of one machine, leases left open by a killed hunt are
    /// void.
    pub fn campaign(&self, key: &CampaignKey) -> Result<CampaignId, Error> {
        self.backend.campaign(key)
    }

    /// The campaigns that another machine can work on, oldest first.
    pub fn work(&self) -> Result<Vec<Work>, Error> {
        self.backend.work()
    }

    /// Leases the next range of at most `count` programs among the first `total`. Program 0 has the seed `base`.
    pub fn lease(
        &self,
        campaign: CampaignId,
        base: u64,
        total: Option<u64>,
        count: u64,
    ) -> Result<Offer, Error> {
        self.backend.lease(campaign, base, total, count)
    }

    /// A sign of life: leases of this process last on.
    pub fn renew(&self, campaign: CampaignId) -> Result<(), Error> {
        self.backend.renew(campaign)
    }

    /// Says that all of a lease is tested.
    pub fn finish(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        self.backend.commit(campaign, lease, &[], true).map(|_| ())
    }

    /// Gives back a lease that was not finished.
    pub fn give_back(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        self.backend.give_back(campaign, lease)
    }

    /// Commits what became of one program of a lease, all or nothing, with its findings' directories. A program already
    /// there is left as it is.
    pub fn commit(&self, campaign: CampaignId, lease: &Lease, row: &ProgramRow) -> Result<Kept, Error> {
        self.backend.commit(campaign, lease, std::slice::from_ref(row), false)
    }

    /// Takes a campaign away with all that belongs to it. One that is worked on is left.
    pub fn prune(&self, campaign: CampaignId) -> Result<(), Error> {
        self.backend.prune(campaign)
    }

    /// All findings of the store, oldest first; of a store of many machines by campaign and seed.
    pub fn findings(&self) -> Result<Vec<FindingRow>, Error> {
        self.backend.findings(None)
    }

    /// The one finding whose id begins so. One that is only counted leads to the one that it is counted with.
    pub fn named(&self, id: &str) -> Result<FindingRow, Error> {
        let row = self.exactly(id)?;
        let first = self.findings()?.into_iter().find(|other| other.id == row.evidence_of);
        Ok(first.unwrap_or(row))
    }

    fn exactly(&self, id: &str) -> Result<FindingRow, Error> {
        let mut matching = self.findings()?;
        matching.retain(|row| row.id.starts_with(id));
        if let Some(exact) = matching.iter().position(|row| row.id == id) {
            return Ok(matching.swap_remove(exact));
        }
        match matching.len() {
            1 => Ok(matching.remove(0)),
            0 => Err(Error::Usage(format!(
                "{id}: no such finding in `{}`; list them with `plumb findings`",
                self.place.display()
            ))),
            count => {
                let ids: Vec<&str> = matching.iter().take(5).map(|row| row.id.as_str()).collect();
                let ids = ids.join(", ");
                Err(Error::Usage(format!("{id}: {count} findings begin so ({ids}); give more of the name")))
            }
        }
    }

    /// A number that changes whenever another process has written to the store.
    pub fn version(&self) -> Result<i64, Error> {
        self.backend.version()
    }

    /// All campaigns, oldest first.
    pub fn campaigns(&self) -> Result<Vec<CampaignRow>, Error> {
        self.backend.campaigns()
    }

    /// The configurations of a campaign, in order.
    pub fn configurations(&self, campaign: CampaignId) -> Result<Vec<ConfigurationKey>, Error> {
        self.backend.configurations(campaign)
    }

    /// When the runs of a campaign began, in milliseconds since 1970.
    pub fn runs(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        self.backend.runs(campaign)
    }

    /// When the programs of a campaign were done, in milliseconds since 1970.
    pub fn moments(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        self.backend.moments(campaign)
    }

    /// The results of a campaign, counted by configuration, verdict and reason.
    pub fn results(&self, campaign: CampaignId) -> Result<Vec<ResultCount>, Error> {
        self.backend.results(campaign)
    }

    /// When the findings of all campaigns were found, oldest campaign first.
    pub fn finding_moments(&self) -> Result<Vec<FindingMoment>, Error> {
        self.backend.finding_moments()
    }

    /// All rows of triage.
    pub fn triaged(&self) -> Result<Vec<TriageRow>, Error> {
        self.backend.triaged()
    }

    /// The row of triage of one finding.
    pub fn triage_of(&self, finding: &str) -> Result<Option<TriageRow>, Error> {
        self.backend.triage_of(finding)
    }

    /// Keeps rows of triage, all or none.
    pub fn keep_triage(&self, rows: &[TriageRow]) -> Result<(), Error> {
        self.backend.keep_triage(rows)
    }

    /// What was decided, oldest first.
    pub fn decisions(&self) -> Result<Vec<Decision>, Error> {
        self.backend.decisions()
    }

    /// Remembers a decision.
    pub fn decide(&self, decision: &Decision) -> Result<(), Error> {
        self.backend.decide(decision)
    }
}
