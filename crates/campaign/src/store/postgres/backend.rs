//! The database of many machines as a back end of the store.

use super::Postgres;
use crate::error::Error;
use crate::store::backend::{Backend, Shared};
use crate::store::rows::{
    CampaignId, CampaignKey, CampaignRow, ConfigurationKey, Decision, FindingMoment, FindingRow, Kept, Lease,
    Offer, ProgramRow, Record, ResultCount, TriageRow, Work,
};
use crate::store::totals::Totals;
use std::path::PathBuf;

impl Backend for Postgres {
    fn shared(&self) -> Option<&dyn Shared> {
        Some(self)
    }

    fn findings_dir(&self) -> PathBuf {
        Postgres::findings_dir(self)
    }

    fn fetch(&self, id: &str) -> Result<(), Error> {
        Postgres::fetch(self, id)
    }

    fn keep_files(&self, id: &str) -> Result<(), Error> {
        Postgres::keep_files(self, id)
    }

    fn campaign(&self, key: &CampaignKey) -> Result<CampaignId, Error> {
        Postgres::campaign(self, key)
    }

    fn work(&self) -> Result<Vec<Work>, Error> {
        Postgres::work(self)
    }

    fn lease(&self, campaign: CampaignId, base: u64, total: Option<u64>, count: u64) -> Result<Offer, Error> {
        Postgres::lease(self, campaign, base, total, count)
    }

    fn renew(&self, campaign: CampaignId) -> Result<(), Error> {
        Postgres::renew(self, campaign)
    }

    fn give_back(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        Postgres::give_back(self, campaign, lease)
    }

    fn commit(
        &self,
        campaign: CampaignId,
        lease: &Lease,
        rows: &[ProgramRow],
        last: bool,
    ) -> Result<Kept, Error> {
        Postgres::commit(self, campaign, lease, rows, last)
    }

    fn records(&self, campaign: CampaignId, after: Option<u64>, most: u32) -> Result<Vec<Record>, Error> {
        Postgres::records(self, campaign, after, most)
    }

    fn add(&self, campaign: CampaignId, record: &Record) -> Result<Kept, Error> {
        Postgres::add(self, campaign, record)
    }

    fn prune(&self, campaign: CampaignId) -> Result<(), Error> {
        Postgres::prune(self, campaign)
    }

    fn findings(&self, campaign: Option<CampaignId>) -> Result<Vec<FindingRow>, Error> {
        Postgres::findings(self, campaign)
    }

    fn sums(&self, campaign: CampaignId) -> Result<Totals, Error> {
        Postgres::sums(self, campaign)
    }

    fn version(&self) -> Result<i64, Error> {
        Postgres::version(self)
    }

    fn campaigns(&self) -> Result<Vec<CampaignRow>, Error> {
        Postgres::campaigns(self)
    }

    fn configurations(&self, campaign: CampaignId) -> Result<Vec<ConfigurationKey>, Error> {
        Postgres::configurations(self, campaign)
    }

    fn runs(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        Postgres::runs(self, campaign)
    }

    fn moments(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        Postgres::moments(self, campaign)
    }

    fn results(&self, campaign: CampaignId) -> Result<Vec<ResultCount>, Error> {
        Postgres::results(self, campaign)
    }

    fn finding_moments(&self) -> Result<Vec<FindingMoment>, Error> {
        Postgres::finding_moments(self)
    }

    fn triaged(&self) -> Result<Vec<TriageRow>, Error> {
        Postgres::triaged(self)
    }

    fn triage_of(&self, finding: &str) -> Result<Option<TriageRow>, Error> {
        Postgres::triage_of(self, finding)
    }

    fn keep_triage(&self, rows: &[TriageRow]) -> Result<(), Error> {
        Postgres::keep_triage(self, rows)
    }

    fn decisions(&self) -> Result<Vec<Decision>, Error> {
        Postgres::decisions(self)
    }

    fn decide(&self, decision: &Decision) -> Result<(), Error> {
        Postgres::decide(self, decision)
    }
}
