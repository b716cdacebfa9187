//! The database of one machine as a back end of the store. Its findings are directories where they are written, so that
//! nothing has to be brought to them; one process hunts, so that nothing is late.

use super::Sqlite;
use crate::error::Error;
use crate::store::backend::{Backend, Shared};
use crate::store::rows::{
    CampaignId, CampaignKey, CampaignRow, ConfigurationKey, Decision, FindingMoment, FindingRow, Kept, Lease,
    Offer, ProgramRow, Record, ResultCount, TriageRow, Work,
};
use crate::store::totals::Totals;
use std::path::PathBuf;

impl Backend for Sqlite {
    fn shared(&self) -> Option<&dyn Shared> {
        None
    }

    fn findings_dir(&self) -> PathBuf {
        Sqlite::findings_dir(self)
    }

    fn fetch(&self, _id: &str) -> Result<(), Error> {
        Ok(())
    }

    fn keep_files(&self, _id: &str) -> Result<(), Error> {
        Ok(())
    }

    fn campaign(&self, key: &CampaignKey) -> Result<CampaignId, Error> {
        Sqlite::campaign(self, key)
    }

    fn work(&self) -> Result<Vec<Work>, Error> {
        Ok(Vec::new())
    }

    fn lease(&self, campaign: CampaignId, base: u64, total: Option<u64>, count: u64) -> Result<Offer, Error> {
        Sqlite::lease(self, campaign, base, total, count)
    }

    fn renew(&self, _campaign: CampaignId) -> Result<(), Error> {
        Ok(())
    }

    fn give_back(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        Sqlite::give_back(self, campaign, lease)
    }

    fn commit(
        &self,
        campaign: CampaignId,
        lease: &Lease,
        rows: &[ProgramRow],
        last: bool,
    ) -> Result<Kept, Error> {
        let mut kept = Kept::Known;
        for row in rows {
            kept = match self.add(campaign, &Record::from(row))? {
                Kept::New => Kept::New,
                Kept::Known | Kept::Late => kept,
            };
        }
        if last {
            self.finish(campaign, lease)?;
        }
        Ok(kept)
    }

    fn records(&self, campaign: CampaignId, after: Option<u64>, most: u32) -> Result<Vec<Record>, Error> {
        Sqlite::records(self, campaign, after, most)
    }

    fn add(&self, campaign: CampaignId, record: &Record) -> Result<Kept, Error> {
        Sqlite::add(self, campaign, record)
    }

    fn prune(&self, campaign: CampaignId) -> Result<(), Error> {
        Sqlite::prune(self, campaign)
    }

    fn findings(&self, campaign: Option<CampaignId>) -> Result<Vec<FindingRow>, Error> {
        self.findings_of(campaign)
    }

    fn sums(&self, campaign: CampaignId) -> Result<Totals, Error> {
        Sqlite::sums(self, campaign)
    }

    fn version(&self) -> Result<i64, Error> {
        Sqlite::version(self)
    }

    fn campaigns(&self) -> Result<Vec<CampaignRow>, Error> {
        Sqlite::campaigns(self)
    }

    fn configurations(&self, campaign: CampaignId) -> Result<Vec<ConfigurationKey>, Error> {
        Sqlite::configurations(self, campaign)
    }

    fn runs(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        Sqlite::runs(self, campaign)
    }

    fn moments(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        Sqlite::moments(self, campaign)
    }

    fn results(&self, campaign: CampaignId) -> Result<Vec<ResultCount>, Error> {
        Sqlite::results(self, campaign)
    }

    fn finding_moments(&self) -> Result<Vec<FindingMoment>, Error> {
        Sqlite::finding_moments(self)
    }

    fn triaged(&self) -> Result<Vec<TriageRow>, Error> {
        Sqlite::triaged(self)
    }

    fn triage_of(&self, finding: &str) -> Result<Option<TriageRow>, Error> {
        Sqlite::triage_of(self, finding)
    }

    fn keep_triage(&self, rows: &[TriageRow]) -> Result<(), Error> {
        Sqlite::keep_triage(self, rows)
    }

    fn decisions(&self) -> Result<Vec<Decision>, Error> {
        Sqlite::decisions(self)
    }

    fn decide(&self, decision: &Decision) -> Result<(), Error> {
        Sqlite::decide(self, decision)
    }
}
