//! Programs of a lease that are brought to the store together, so that a store of many machines is asked once for several. A
//! finding waits for nothing, and nothing waits for long.

use super::{CampaignId, Kept, Lease, ProgramRow, Store};
use crate::error::Error;
use std::time::{Duration, Instant};

/// How long a program may wait for those that come after it.
const PATIENCE: Duration = Duration::from_secs(5);

/// What was tested of a lease and is not in the store yet.
pub struct Batch<'s> {
    store: &'s Store,
    campaign: CampaignId,
    lease: &'s Lease,
    rows: Vec<ProgramRow>,
    /// When the first of them was tested.
    since: Instant,
    /// The lease was said to be through.
    through: bool,
}

/// Programs that were brought, and whether their lease still held.
pub type Brought = (Kept, Vec<ProgramRow>);

impl<'s> Batch<'s> {
    /// For the programs of a lease.
    pub fn new(store: &'s Store, campaign: CampaignId, lease: &'s Lease) -> Batch<'s> {
        Batch { store, campaign, lease, rows: Vec::new(), since: Instant::now(), through: false }
    }

    /// Takes a program, and says what was brought. In a store of one machine each program is brought at once.
    pub fn add(&mut self, row: ProgramRow) -> Result<Brought, Error> {
        if self.rows.is_empty() {
            self.since = Instant::now();
        }
        let last = self.lease.seeds.last() == Some(&row.seed);
        let now = last || !row.findings.is_empty() || self.since.elapsed() >= PATIENCE;
        self.rows.push(row);
        if now || !self.store.is_shared() { self.bring(last) } else { Ok((Kept::Known, Vec::new())) }
    }

    /// Brings what is left; all of the lease was tested, or not.
    pub fn end(mut self, through: bool) -> Result<Brought, Error> {
        if self.through || (self.rows.is_empty() && !through) {
            return Ok((Kept::Known, Vec::new()));
        }
        self.bring(through)
    }

    fn bring(&mut self, last: bool) -> Result<Brought, Error> {
        let rows = std::mem::take(&mut self.rows);
        self.through |= last;
        let kept = self.store.backend.commit(self.campaign, self.lease, &rows, last)?;
        Ok((kept, rows))
    }
}
