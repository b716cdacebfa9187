//! What became of one program, as one transaction: results, findings and their files, under a lease that still holds.
//!
//! Of the findings with the same signature the one with the smallest seed has its files in the store, whoever brings it and
//! when: so that the result of a campaign is the same for one worker and for many.

use super::Postgres;
use super::files;
use crate::error::Error;
use crate::store::rows::{CampaignId, FileRow, FindingRow, Kept, Lease, ProgramRow, Record};
use crate::verdict::Named;
use postgres::{GenericClient, Statement, Transaction};

type Done = Result<(), postgres::Error>;
/// Findings with their files.
type Found<'a> = [(&'a FindingRow, Vec<FileRow>)];
/// A lease that must hold; without one there is none that could be late.
type Under<'a> = Option<&'a Lease>;

/// Writes a program with its results if the lease of it holds and it is not there: says whether, and whether. The lease's
/// row is locked so that nobody takes it over meanwhile. Whoever tells users of the program has it on the server's disk first;
/// others are done again if a crash takes them (`leases.rs`).
const WHOLE: &str = "
WITH held AS (
  SELECT FROM lease WHERE campaign = $1::bigint AND first = $12::bigint AND epoch = $13::bigint AND NOT done
  FOR NO KEY UPDATE
), new AS (
  INSERT INTO program (campaign, seed, name, rejected, about, detail, compilers_us, plumb_us, strategies, at)
  SELECT $1::bigint, $2::bigint, $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::bigint, $9::text,
    coalesce(to_timestamp($10::bigint / 1000.0), now())
  WHERE $12::bigint IS NULL OR EXISTS (SELECT FROM held)
  ON CONFLICT DO NOTHING RETURNING seed
), kept AS (
  INSERT INTO result SELECT $1::bigint, $2::bigint, of.*
  FROM new, unnest($14::bigint[], $15::text[], $16::text[], $17::text[], $18::text[], $19::bigint[], $20::bigint[]) AS of
)
SELECT $12::bigint IS NULL OR EXISTS (SELECT FROM held), EXISTS (SELECT FROM new),
  CASE WHEN $11::boolean THEN set_config('synchronous_commit', 'on', true) END";

impl Postgres {
    /// Commits what became of one program of a lease.
    pub fn commit(&self, campaign: CampaignId, lease: &Lease, row: &ProgramRow) -> Result<Kept, Error> {
        let mut found = Vec::new();
        for finding in &row.findings {
            found.push((finding, files::read(&self.files.join(&finding.id))?));
        }
        self.write("committing a program", campaign, Some(lease), (&Record::from(row), &found))
    }

    /// Writes what became of one program, as another store has it. A finding without a directory is one that is only
    /// counted.
    pub fn add(&self, campaign: CampaignId, record: &Record) -> Result<Kept, Error> {
        let mut found = Vec::new();
        for finding in &record.findings {
            let dir = self.files.join(&finding.id);
            found.push((finding, if dir.is_dir() { files::read(&dir)? } else { Vec::new() }));
        }
        self.write("writing a program", campaign, None, (record, &found))
    }

    /// Writes all of a program, unless its lease is lost or it is there. Without findings that is one question to the server.
    fn write(
        &self,
        what: &'static str,
        campaign: CampaignId,
        under: Under<'_>,
        (record, found): (&Record, &Found<'_>),
    ) -> Result<Kept, Error> {
        let kept = self.connection.run(what, |session| {
            let statement = session.prepared(WHOLE)?;
            if found.is_empty() {
                return whole(&mut **session, &statement, (campaign, under, record));
            }
            let mut write = session.transaction()?;
            let kept = whole(&mut write, &statement, (campaign, under, record))?;
            if kept == Kept::New {
                findings(&mut write, campaign, found)?;
            }
            write.commit()?;
            Ok(kept)
        })?;
        for (finding, _) in found {
            let _ = std::fs::remove_dir_all(self.files.join(&finding.id));
        }
        Ok(kept)
    }
}

/// Writes a program with its results, in a transaction or as one.
fn whole(
    to: &mut impl GenericClient,
    statement: &Statement,
    (campaign, under, record): (CampaignId, Under<'_>, &Record),
) -> Result<Kept, postgres::Error> {
    let results = &record.results;
    let numbers: Vec<i64> = results.iter().map(|result| result.configuration).collect();
    let verdicts: Vec<&str> = results.iter().map(|result| result.verdict.as_str()).collect();
    let whys: Vec<&str> = results.iter().map(|result| result.why.as_str()).collect();
    let abouts: Vec<String> = results.iter().map(|result| text(&result.about)).collect();
    let details: Vec<String> = results.iter().map(|result| text(&result.detail)).collect();
    let compiled: Vec<i64> = results.iter().map(|result| result.compile_us).collect();
    let ran: Vec<i64> = results.iter().map(|result| result.run_us).collect();
    let said = to.query_one(
        statement,
        &[
            &campaign.0,
            &(record.seed as i64),
            &text(&record.name),
            &record.rejected,
            &text(&record.about),
            &text(&record.detail),
            &(record.compilers_us as i64),
            &(record.plumb_us as i64),
            &record.strategies,
            &record.at,
            &(under.is_none() || !record.findings.is_empty()),
            &under.map(|lease| lease.first as i64),
            &under.map_or(0, |lease| lease.epoch),
            &numbers,
            &verdicts,
            &whys,
            &abouts,
            &details,
            &compiled,
            &ran,
        ],
    )?;
    Ok(match (said.get(0), said.get(1)) {
        (false, _) => Kept::Late,
        (true, false) => Kept::Known,
        (true, true) => Kept::New,
    })
}

fn findings(write: &mut Transaction<'_>, campaign: CampaignId, found: &Found<'_>) -> Done {
    // Workers that bring the same bug at once decide one after the other which is first. All take locks in one order.
    let mut bugs: Vec<String> = found
        .iter()
        .filter(|(row, _)| !row.signature.is_empty())
        .map(|(row, _)| format!("{} {} {}", campaign.0, row.kind.name(), row.signature))
        .collect();
    bugs.sort();
    bugs.dedup();
    for bug in &bugs {
        write.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", &[bug])?;
    }
    for (ordinal, (row, files)) in found.iter().enumerate() {
        finding(write, campaign, row, (ordinal as i64, files.is_empty()))?;
        if first(write, campaign, row)? {
            for file in files {
                put(write, campaign, &row.id, file, "NOTHING")?;
            }
        }
    }
    Ok(())
}

fn finding(
    write: &mut Transaction<'_>,
    campaign: CampaignId,
    row: &FindingRow,
    (ordinal, bare): (i64, bool),
) -> Done {
    write.execute(
        "INSERT INTO finding (campaign, id, seed, ordinal, program, configuration, kind, signature, summary, doubt, \
         strategies, bare) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING",
        &[
            &campaign.0,
            &row.id,
            &(row.seed as i64),
            &ordinal,
            &text(&row.program),
            &row.configuration,
            &row.kind.name(),
            &text(&row.signature),
            &text(&row.summary),
            &row.doubt.as_deref().map(text),
            &row.strategies,
            &bare,
        ],
    )?;
    Ok(())
}

/// Is the finding the first of its signature so far? The files of the one that was before go at the transaction's end.
fn first(
    write: &mut Transaction<'_>,
    campaign: CampaignId,
    row: &FindingRow,
) -> Result<bool, postgres::Error> {
    if row.signature.is_empty() {
        return Ok(true);
    }
    let sql = "SELECT id FROM finding WHERE campaign = $1 AND kind = $2 AND md5(signature) = md5($3) \
               ORDER BY bare, seed, ordinal LIMIT 1";
    let leader = write.query_one(sql, &[&campaign.0, &row.kind.name(), &text(&row.signature)])?;
    Ok(leader.get::<_, String>(0) == row.id)
}

/// Writes a file of a finding, or instead of one that is there.
pub(super) fn replace(write: &mut Transaction<'_>, campaign: CampaignId, id: &str, file: &FileRow) -> Done {
    put(write, campaign, id, file, "UPDATE SET executable = excluded.executable, bytes = excluded.bytes")
}

/// Writes a file of a finding; `else_do` says what to do where there is one. Workers may not change what is there.
fn put(write: &mut Transaction<'_>, campaign: CampaignId, id: &str, file: &FileRow, else_do: &str) -> Done {
    let sql = format!(
        "INSERT INTO finding_file (campaign, finding, name, executable, bytes) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (campaign, finding, name) DO {else_do}"
    );
    write.execute(&sql, &[&campaign.0, &id, &file.name, &file.executable, &file.bytes])?;
    Ok(())
}

/// A text as the database takes it: without the character of code 0, which no text of PostgreSQL holds.
fn text(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}
