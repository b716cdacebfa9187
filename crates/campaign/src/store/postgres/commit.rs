//! What became of programs of one lease, as one statement and so one transaction: results, findings and their files, under a
//! lease that still holds, and that they were the last of it.
//!
//! Of the findings with the same signature the one with the smallest seed has its files in the store, whoever brings it and
//! when: so that the result of a campaign is the same for one worker and for many.

use super::Postgres;
use super::aside::Columns;
use crate::error::Error;
use crate::store::files::read_files;
use crate::store::rows::{CampaignId, FindingRow, Kept, Lease, ProgramRow, Record};
use crate::verdict::Named;
use postgres::Row;
use postgres::types::ToSql;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::PoisonError;

/// A finding's place among those of its signature: of those with files first by seed.
pub(super) type Place = (bool, i64, i64);
/// Of each signature of a campaign, the first place that this process has seen taken.
pub(super) type Leaders = BTreeMap<(i64, &'static str, String), Place>;

/// Writes programs with all that belongs to them if their lease holds, but those that are there: says whether it held, and how
/// many were new. The lease's row is locked so that nobody takes it over meanwhile. Where the lease is to be through, it is if all
/// of its programs are there now; else it is free again for those that are missing.
///
/// Whoever tells users of a finding has it on the server's disk first; other programs are done again if a crash takes them
/// (`leases.rs`). The row of the lease is found by its key: a condition that hides `done` keeps the planner from the index of open
/// ranges, which it would read whole. Workers that bring the same bug at once decide one after the other which is first: the lock is held when the
/// trigger of the findings looks, at the end of the transaction.
macro_rules! whole {
    () => {
        "
WITH held AS (
  SELECT FROM lease WHERE campaign = $1::bigint AND first = $2::bigint AND epoch = $3::bigint
    AND CASE WHEN done THEN false ELSE true END
  FOR NO KEY UPDATE
), given AS (
  SELECT * FROM json_to_recordset($4::text::json) AS of (seed bigint, name text, rejected text, about text, detail text,
    compilers_us bigint, plumb_us bigint, strategies text, at bigint)
), new AS (
  INSERT INTO program (campaign, seed, name, rejected, about, detail, compilers_us, plumb_us, strategies, at)
  SELECT $1, seed, name, rejected, about, detail, compilers_us, plumb_us, strategies,
    coalesce(to_timestamp(at / 1000.0), now())
  FROM given WHERE $2 IS NULL OR EXISTS (SELECT FROM held)
  ON CONFLICT DO NOTHING RETURNING seed
), results AS (
  INSERT INTO result (campaign, seed, configuration, verdict, why, about, detail, compile_us, run_us)
  SELECT $1, of.* FROM json_to_recordset($5::text::json) AS of (seed bigint, configuration bigint, verdict text, why text,
    about text, detail text, compile_us bigint, run_us bigint)
  WHERE of.seed IN (SELECT seed FROM new)
), there AS MATERIALIZED (
  SELECT (SELECT count(*) FROM unnest($6::bigint[]) AS own
      WHERE (SELECT true FROM program WHERE campaign = $1 AND seed = own))
    + (SELECT count(*) FROM new) = cardinality($6) AS all
), through AS (
  UPDATE lease SET done = there.all,
    holder = CASE WHEN there.all THEN holder ELSE '' END,
    expires = CASE WHEN there.all THEN expires ELSE '-infinity' END
  FROM there
  WHERE $7::boolean AND EXISTS (SELECT FROM held) AND campaign = $1 AND first = $2 AND epoch = $3
)"
    };
}

/// [`whole`], where no program has a finding.
const PLAIN: &str = concat!(
    whole!(),
    "
SELECT $2 IS NULL OR EXISTS (SELECT FROM held), (SELECT count(*) FROM new)"
);

/// [`whole`] with findings.
const FINDING: &str = concat!(whole!(), "
, locks AS MATERIALIZED (
  SELECT pg_advisory_xact_lock(number) IS NULL AS taken FROM unnest($8::bigint[]) AS number ORDER BY number
), found AS (
  INSERT INTO finding (campaign, id, seed, ordinal, program, configuration, kind, signature, summary, doubt, strategies, bare)
  SELECT $1, of.* FROM json_to_recordset($9::text::json) AS of (id text, seed bigint, ordinal bigint, program text,
    configuration text, kind text, signature text, summary text, doubt text, strategies text, bare boolean)
  WHERE of.seed IN (SELECT seed FROM new)
  ON CONFLICT DO NOTHING RETURNING id
), files AS (
  INSERT INTO finding_file (campaign, finding, name, executable, bytes, hash)
  SELECT $1, of.* FROM unnest($10::text[], $11::text[], $12::boolean[], $13::bytea[], $14::text[])
    AS of (finding, name, executable, bytes, hash)
  WHERE of.finding IN (SELECT id FROM found)
  ON CONFLICT DO NOTHING
)
SELECT $2 IS NULL OR EXISTS (SELECT FROM held), (SELECT count(*) FROM new), (SELECT count(taken) FROM locks),
  set_config('synchronous_commit', 'on', true)");

/// A row of [`whole`] for a program.
#[derive(Serialize)]
struct Program<'a> {
    seed: i64,
    name: String,
    rejected: Option<&'a str>,
    about: String,
    detail: String,
    compilers_us: i64,
    plumb_us: i64,
    strategies: &'a str,
    at: Option<i64>,
}

/// For what it came to in a configuration.
#[derive(Serialize)]
struct Tested<'a> {
    seed: i64,
    configuration: i64,
    verdict: &'a str,
    why: &'a str,
    about: String,
    detail: String,
    compile_us: i64,
    run_us: i64,
}

/// For a finding.
#[derive(Serialize)]
struct Finding<'a> {
    id: &'a str,
    seed: i64,
    ordinal: i64,
    program: String,
    configuration: &'a str,
    kind: &'static str,
    signature: String,
    summary: String,
    doubt: Option<String>,
    strategies: &'a str,
    bare: bool,
}

/// Findings as parameters of [`FINDING`].
#[derive(Default)]
struct Found<'a> {
    rows: Vec<Finding<'a>>,
    /// The numbers of their bugs' locks.
    locks: Vec<i64>,
    /// Whose the files are.
    ids: Vec<&'a str>,
    files: Columns,
}

/// Under what programs are written.
#[derive(Clone, Copy)]
struct Under<'a> {
    lease: &'a Lease,
    /// They are the last of it.
    last: bool,
}

impl Postgres {
    /// Commits what became of programs of a lease.
    pub fn commit(
        &self,
        campaign: CampaignId,
        lease: &Lease,
        rows: &[ProgramRow],
        last: bool,
    ) -> Result<Kept, Error> {
        let records: Vec<Record> = rows.iter().map(Record::from).collect();
        let found = self.found(campaign, &records, true)?;
        self.write("committing programs", campaign, Some(Under { lease, last }), (&records, &found))
    }

    /// Writes what became of one program, as another store has it. A finding without a directory is one that is only
    /// counted.
    pub fn add(&self, campaign: CampaignId, record: &Record) -> Result<Kept, Error> {
        let records = std::slice::from_ref(record);
        let found = self.found(campaign, records, false)?;
        self.write("writing a program", campaign, None, (records, &found))
    }

    /// The findings of programs with their files, but those files of which it is known that another finding has them. Where
    /// `all` have directories, one that is missing is an error.
    fn found<'r>(&self, campaign: CampaignId, records: &'r [Record], all: bool) -> Result<Found<'r>, Error> {
        let (mut found, mut files) = (Found::default(), Vec::new());
        let leaders = self.leaders.lock().unwrap_or_else(PoisonError::into_inner);
        for record in records {
            for (row, ordinal) in record.findings.iter().zip(0..) {
                let dir = self.files.join(&row.id);
                let bare = !all && !dir.is_dir();
                let place = (bare, record.seed as i64, ordinal);
                let led = leaders.get(&bug(campaign, row)).is_some_and(|leader| *leader < place);
                found.add(row, place);
                let own = if bare || led { Vec::new() } else { read_files(&dir)? };
                found.ids.extend(own.iter().map(|_| row.id.as_str()));
                files.extend(own);
            }
        }
        drop(leaders);
        found.files = self.put_aside(files)?;
        found.locks =
            found.rows.iter().filter(|row| !row.signature.is_empty()).map(|row| row.lock(campaign)).collect();
        found.locks.sort_unstable();
        found.locks.dedup();
        Ok(found)
    }

    /// Writes all of some programs, unless their lease is lost or they are there.
    fn write(
        &self,
        what: &'static str,
        campaign: CampaignId,
        under: Option<Under<'_>>,
        (records, found): (&[Record], &Found<'_>),
    ) -> Result<Kept, Error> {
        let json = |error: serde_json::Error| Error::Internal(format!("a program is not JSON: {error}"));
        let programs =
            serde_json::to_string(&records.iter().map(program).collect::<Vec<_>>()).map_err(json)?;
        let results =
            serde_json::to_string(&records.iter().flat_map(results).collect::<Vec<_>>()).map_err(json)?;
        let rows = serde_json::to_string(&found.rows).map_err(json)?;
        let first = under.map(|under| under.lease.first as i64);
        let epoch = under.map_or(0, |under| under.lease.epoch);
        let last = under.is_some_and(|under| under.last);
        let whole: Vec<i64> =
            under.iter().flat_map(|under| &under.lease.whole).map(|seed| *seed as i64).collect();
        let kept = self.connection.run(what, |session| {
            let common: [&(dyn ToSql + Sync); 7] =
                [&campaign.0, &first, &epoch, &programs, &results, &whole, &last];
            if found.rows.is_empty() && under.is_some() {
                let statement = session.prepared(PLAIN)?;
                return session.query_one(&statement, &common).map(|row| kept(&row));
            }
            let statement = session.prepared(FINDING)?;
            let Found { locks, ids, files: Columns { names, executable, bytes, hashes }, .. } = found;
            let more: [&(dyn ToSql + Sync); 7] = [locks, &rows, ids, names, executable, bytes, hashes];
            let all = [&common[..], &more[..]].concat();
            if under.is_some() {
                return session.query_one(&statement, &all).map(|row| kept(&row));
            }
            let mut write = session.transaction()?;
            // Whoever takes the campaign away waits, or has done so.
            write.query_one("SELECT FROM campaign WHERE id = $1 FOR KEY SHARE", &[&campaign.0])?;
            let kept = write.query_one(&statement, &all).map(|row| kept(&row))?;
            write.commit()?;
            Ok(kept)
        })?;
        if kept == Kept::New {
            let mut leaders = self.leaders.lock().unwrap_or_else(PoisonError::into_inner);
            for row in found.rows.iter().filter(|row| !row.signature.is_empty()) {
                let place = (row.bare, row.seed, row.ordinal);
                let leader = leaders.entry((campaign.0, row.kind, row.signature.clone())).or_insert(place);
                *leader = place.min(*leader);
            }
        }
        for row in &found.rows {
            let _ = std::fs::remove_dir_all(self.files.join(row.id));
        }
        Ok(kept)
    }
}

fn program(record: &Record) -> Program<'_> {
    Program {
        seed: record.seed as i64,
        name: text(&record.name),
        rejected: record.rejected.as_deref(),
        about: text(&record.about),
        detail: text(&record.detail),
        compilers_us: record.compilers_us as i64,
        plumb_us: record.plumb_us as i64,
        strategies: &record.strategies,
        at: record.at,
    }
}

fn results(record: &Record) -> impl Iterator<Item = Tested<'_>> {
    record.results.iter().map(|result| Tested {
        seed: record.seed as i64,
        configuration: result.configuration,
        verdict: &result.verdict,
        why: &result.why,
        about: text(&result.about),
        detail: text(&result.detail),
        compile_us: result.compile_us,
        run_us: result.run_us,
    })
}

/// What the database says of programs that were brought.
fn kept(row: &Row) -> Kept {
    match (row.get(0), row.get::<_, i64>(1)) {
        (false, _) => Kept::Late,
        (true, 0) => Kept::Known,
        (true, _) => Kept::New,
    }
}

/// What the first of its findings is remembered by.
fn bug(campaign: CampaignId, row: &FindingRow) -> (i64, &'static str, String) {
    (campaign.0, row.kind.name(), text(&row.signature))
}

impl Finding<'_> {
    /// The number of the lock that whoever brings its bug takes.
    fn lock(&self, campaign: CampaignId) -> i64 {
        let digest = Sha256::digest(format!("{} {} {}", campaign.0, self.kind, self.signature));
        digest.iter().take(8).fold(0, |number, byte| number << 8 | i64::from(*byte))
    }
}

impl<'r> Found<'r> {
    fn add(&mut self, row: &'r FindingRow, (bare, seed, ordinal): Place) {
        self.rows.push(Finding {
            id: &row.id,
            seed,
            ordinal,
            program: text(&row.program),
            configuration: &row.configuration,
            kind: row.kind.name(),
            signature: text(&row.signature),
            summary: text(&row.summary),
            doubt: row.doubt.as_deref().map(text),
            strategies: &row.strategies,
            bare,
        });
    }
}

/// A text as the database takes it: without the character of code 0, which no text of PostgreSQL holds.
fn text(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}
