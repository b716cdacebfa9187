//! What became of one program, as one transaction: results, findings and their files, under a lease that still holds.
//! What every program writes names the types of its parameters, so that the server is asked once and not also for them.
//!
//! Of the findings with the same signature the one with the smallest seed has its files in the store, whoever brings it and
//! when: so that the result of a campaign is the same for one worker and for many.

use super::Postgres;
use super::files;
use crate::error::Error;
use crate::store::rows::{CampaignId, FileRow, FindingRow, Kept, Lease, ProgramRow, Record};
use crate::verdict::Named;
use postgres::Transaction;
use postgres::types::Type;

type Done = Result<(), postgres::Error>;
/// Findings with their files.
type Found<'a> = [(&'a FindingRow, Vec<FileRow>)];

impl Postgres {
    /// Commits what became of one program of a lease.
    pub fn commit(&self, campaign: CampaignId, lease: &Lease, row: &ProgramRow) -> Result<Kept, Error> {
        let mut found = Vec::new();
        for finding in &row.findings {
            found.push((finding, files::read(&self.files.join(&finding.id))?));
        }
        let (record, seconds) = (Record::from(row), self.lease.as_secs_f64());
        let kept = self.connection.durable("committing a program", |write| {
            let holds = write.execute_typed(
                "UPDATE lease SET expires = greatest(expires, now() + $4 * interval '1 second') \
                 WHERE campaign = $1 AND first = $2 AND epoch = $3 AND NOT done",
                &[
                    (&campaign.0, Type::INT8),
                    (&(lease.first as i64), Type::INT8),
                    (&lease.epoch, Type::INT8),
                    (&seconds, Type::FLOAT8),
                ],
            )?;
            if holds == 0 { Ok(Kept::Late) } else { whole(write, campaign, &record, &found) }
        })?;
        self.forget(&row.findings);
        Ok(kept)
    }

    /// Writes what became of one program, as another store has it. A finding without a directory is one that is only
    /// counted.
    pub fn add(&self, campaign: CampaignId, record: &Record) -> Result<Kept, Error> {
        let mut found = Vec::new();
        for finding in &record.findings {
            let dir = self.files.join(&finding.id);
            found.push((finding, if dir.is_dir() { files::read(&dir)? } else { Vec::new() }));
        }
        let kept =
            self.connection.durable("writing a program", |write| whole(write, campaign, record, &found))?;
        self.forget(&record.findings);
        Ok(kept)
    }

    /// Files that are in the store now, or are not wanted.
    fn forget(&self, findings: &[FindingRow]) {
        for finding in findings {
            let _ = std::fs::remove_dir_all(self.files.join(&finding.id));
        }
    }
}

/// Writes all of a program, unless it is there.
fn whole(
    write: &mut Transaction<'_>,
    campaign: CampaignId,
    record: &Record,
    found: &Found<'_>,
) -> Result<Kept, postgres::Error> {
    if !program(write, campaign, record)? {
        return Ok(Kept::Known);
    }
    results(write, campaign, record)?;
    findings(write, campaign, found)?;
    Ok(Kept::New)
}

/// Writes the program's row; false where it is there.
fn program(
    write: &mut Transaction<'_>,
    campaign: CampaignId,
    record: &Record,
) -> Result<bool, postgres::Error> {
    let new = write.execute_typed(
        "INSERT INTO program (campaign, seed, name, rejected, about, detail, compilers_us, plumb_us, strategies, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce(to_timestamp($10::bigint / 1000.0), now())) \
         ON CONFLICT DO NOTHING",
        &[
            (&campaign.0, Type::INT8),
            (&(record.seed as i64), Type::INT8),
            (&text(&record.name), Type::TEXT),
            (&record.rejected, Type::TEXT),
            (&text(&record.about), Type::TEXT),
            (&text(&record.detail), Type::TEXT),
            (&(record.compilers_us as i64), Type::INT8),
            (&(record.plumb_us as i64), Type::INT8),
            (&record.strategies, Type::TEXT),
            (&record.at, Type::INT8),
        ],
    )?;
    Ok(new > 0)
}

/// Writes all results with one statement.
fn results(write: &mut Transaction<'_>, campaign: CampaignId, record: &Record) -> Done {
    let results = &record.results;
    let numbers: Vec<i64> = results.iter().map(|result| result.configuration).collect();
    let verdicts: Vec<&str> = results.iter().map(|result| result.verdict.as_str()).collect();
    let whys: Vec<&str> = results.iter().map(|result| result.why.as_str()).collect();
    let abouts: Vec<String> = results.iter().map(|result| text(&result.about)).collect();
    let details: Vec<String> = results.iter().map(|result| text(&result.detail)).collect();
    let compiled: Vec<i64> = results.iter().map(|result| result.compile_us).collect();
    let ran: Vec<i64> = results.iter().map(|result| result.run_us).collect();
    write.execute_typed(
        "INSERT INTO result SELECT $1::bigint, $2::bigint, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], \
         $7::text[], $8::bigint[], $9::bigint[])",
        &[
            (&campaign.0, Type::INT8),
            (&(record.seed as i64), Type::INT8),
            (&numbers, Type::INT8_ARRAY),
            (&verdicts, Type::TEXT_ARRAY),
            (&whys, Type::TEXT_ARRAY),
            (&abouts, Type::TEXT_ARRAY),
            (&details, Type::TEXT_ARRAY),
            (&compiled, Type::INT8_ARRAY),
            (&ran, Type::INT8_ARRAY),
        ],
    )?;
    Ok(())
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
