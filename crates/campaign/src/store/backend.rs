//! What a back end of the store does. The methods are those of [`super::Store`], where they are described; what is the
//! same for all back ends is there and not here.

use super::items::{Fleet, Has, Item, Job, JobId, Outcomes, WorkerRow};
use super::parts::{Part, Whole};
use super::rows::{
    CampaignId, CampaignKey, CampaignRow, ConfigurationKey, Decision, FileRow, FindingMoment, FindingRow,
    Kept, Lease, Offer, ProgramRow, Record, ResultCount, TriageRow, Work,
};
use super::totals::Totals;
use crate::error::Error;
use std::path::PathBuf;
use std::time::Duration;

/// A database that keeps campaigns.
pub(super) trait Backend: Send + Sync {
    /// What many machines share beside programs; none where there is only one.
    fn shared(&self) -> Option<&dyn Shared>;
    fn findings_dir(&self) -> PathBuf;
    fn fetch(&self, id: &str) -> Result<(), Error>;
    fn keep_files(&self, id: &str) -> Result<(), Error>;
    fn campaign(&self, key: &CampaignKey) -> Result<CampaignId, Error>;
    fn work(&self) -> Result<Vec<Work>, Error>;
    fn lease(&self, campaign: CampaignId, base: u64, total: Option<u64>, count: u64) -> Result<Offer, Error>;
    fn renew(&self, campaign: CampaignId) -> Result<(), Error>;
    fn give_back(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error>;
    fn commit(
        &self,
        campaign: CampaignId,
        lease: &Lease,
        rows: &[ProgramRow],
        last: bool,
    ) -> Result<Kept, Error>;
    fn records(&self, campaign: CampaignId, after: Option<u64>, most: u32) -> Result<Vec<Record>, Error>;
    fn add(&self, campaign: CampaignId, record: &Record) -> Result<Kept, Error>;
    fn prune(&self, campaign: CampaignId) -> Result<(), Error>;
    fn findings(&self, campaign: Option<CampaignId>) -> Result<Vec<FindingRow>, Error>;
    fn sums(&self, campaign: CampaignId) -> Result<Totals, Error>;
    fn version(&self) -> Result<i64, Error>;
    fn campaigns(&self) -> Result<Vec<CampaignRow>, Error>;
    fn configurations(&self, campaign: CampaignId) -> Result<Vec<ConfigurationKey>, Error>;
    fn runs(&self, campaign: CampaignId) -> Result<Vec<i64>, Error>;
    fn moments(&self, campaign: CampaignId) -> Result<Vec<i64>, Error>;
    fn results(&self, campaign: CampaignId) -> Result<Vec<ResultCount>, Error>;
    fn finding_moments(&self) -> Result<Vec<FindingMoment>, Error>;
    fn triaged(&self) -> Result<Vec<TriageRow>, Error>;
    fn triage_of(&self, finding: &str) -> Result<Option<TriageRow>, Error>;
    fn keep_triage(&self, rows: &[TriageRow]) -> Result<(), Error>;
    fn decisions(&self) -> Result<Vec<Decision>, Error>;
    fn decide(&self, decision: &Decision) -> Result<(), Error>;
}

/// What only a database of many machines keeps. The methods are those of [`super::Store`].
pub(super) trait Shared {
    fn begin_job(&self, job: &Job) -> Result<JobId, Error>;
    fn take_item(&self, has: &Has, only: &[JobId], but: &[JobId]) -> Result<Option<Item>, Error>;
    fn job_files(&self, job: JobId, beginning: &str) -> Result<Vec<FileRow>, Error>;
    fn keep_item(&self, item: &Item, files: &[FileRow]) -> Result<Kept, Error>;
    fn give_back_item(&self, item: &Item, tried: bool) -> Result<(), Error>;
    fn outcomes(&self, wanted: &[(JobId, u64)]) -> Result<Outcomes, Error>;
    fn renew_items(&self) -> Result<(), Error>;
    fn items(&self, has: &Has, but: &[JobId]) -> Result<(bool, bool), Error>;
    fn hand_out(
        &self,
        item: &Item,
        about: &str,
        files: &[Vec<u8>],
        tell: bool,
    ) -> Result<Option<Vec<u64>>, Error>;
    fn parts(&self, item: &Item, numbers: &[u64]) -> Result<Vec<(u64, Part)>, Error>;
    fn withdraw(&self, item: &Item, numbers: &[u64]) -> Result<bool, Error>;
    fn whole(&self, part: &Item) -> Result<Option<(Whole, Vec<u8>)>, Error>;
    fn holds(&self, item: &Item) -> Result<bool, Error>;
    fn keep_state(&self, item: &Item, state: &[u8]) -> Result<bool, Error>;
    fn wait(&self, most: Duration) -> bool;
    fn sign_in(&self, has: &Has, doing: &str) -> Result<(), Error>;
    fn last_words(&self, words: &str) -> Result<(), Error>;
    fn workers(&self) -> Result<Vec<WorkerRow>, Error>;
    fn fleet(&self, campaign: CampaignId) -> Result<Fleet, Error>;
    fn prune_jobs(&self, age: Duration, dry: bool) -> Result<u64, Error>;
}
