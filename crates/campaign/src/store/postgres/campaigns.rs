//! Campaigns: begun by whoever comes first, and found by all who have the same key and the same compilers.

use super::Postgres;
use crate::error::Error;
use crate::store::items::Needs;
use crate::store::rows::{CampaignId, CampaignKey, Work};
use postgres::Row;
use std::collections::BTreeMap;

impl Postgres {
    /// Finds the campaign of this key, or begins it. What others hold is theirs.
    pub fn campaign(&self, key: &CampaignKey) -> Result<CampaignId, Error> {
        let build = build(key);
        let words = match key.words.as_slice() {
            [] => String::new(),
            words => serde_json::to_string(words)
                .map_err(|error| Error::Internal(format!("a command line is not JSON: {error}")))?,
        };
        let total = key.total.and_then(|total| i64::try_from(total).ok());
        let memory = i64::try_from(key.needs.memory).unwrap_or(i64::MAX);
        let id = self.connection.durable("beginning the campaign", |write| {
            let find =
                "SELECT id, total, words FROM campaign WHERE md5(key) = md5($1) AND md5(build) = md5($2)";
            let known = write.query_opt(find, &[&key.key, &build])?;
            let id: i64 = match &known {
                Some(row) => {
                    let (id, before): (i64, Option<i64>) = (row.get(0), row.get(1));
                    let more = before.is_some_and(|before| total.is_none_or(|total| total > before));
                    // The same command with more programs goes on, and workers are told, who may not say so themselves. A
                    // copy of a store that only one process worked on has no command line yet.
                    if !words.is_empty() && (more || row.get::<_, &str>(2).is_empty()) {
                        let sql = "UPDATE campaign SET total = $2, words = $3 WHERE id = $1";
                        write.execute(sql, &[&id, &total, &words])?;
                    }
                    id
                }
                None => {
                    write.execute(
                        "INSERT INTO campaign (key, build, title, words, total, architecture, memory) \
                         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
                        &[&key.key, &build, &key.title, &words, &total, &key.needs.architecture, &memory],
                    )?;
                    write.query_one(find, &[&key.key, &build])?.get(0)
                }
            };
            // A campaign that was there has its configurations: they came with it, in one transaction.
            let new = if known.is_some() { &[][..] } else { &key.configurations };
            for (number, part) in new.iter().enumerate() {
                write.execute(
                    "INSERT INTO configuration (campaign, number, label, compiler, level, version, hash) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
                    &[
                        &id,
                        &(number as i64),
                        &part.label,
                        &part.compiler,
                        &part.level,
                        &part.version,
                        &part.hash,
                    ],
                )?;
            }
            write.execute("INSERT INTO run (campaign) VALUES ($1)", &[&id])?;
            // Whoever waits for work looks again.
            write.execute("SELECT pg_notify('plumb', '')", &[])?;
            Ok(id)
        })?;
        Ok(CampaignId(id))
    }

    /// The campaigns that have a command line, and their compilers.
    pub fn work(&self) -> Result<Vec<Work>, Error> {
        let sql = "SELECT campaign.id, title, key, words, compiler, hash, \
                   next < coalesce(total, next + 1) OR EXISTS (SELECT FROM lease WHERE lease.campaign = campaign.id \
                   AND NOT done AND expires < now()), \
                   EXISTS (SELECT FROM lease WHERE lease.campaign = campaign.id AND NOT done AND expires >= now()), \
                   (SELECT count(DISTINCT holder) FROM lease WHERE lease.campaign = campaign.id \
                   AND NOT done AND expires >= now()), architecture, memory FROM campaign \
                   JOIN configuration ON campaign = campaign.id WHERE words <> '' ORDER BY campaign.id, number";
        let rows = self.connection.run("listing campaigns", |session| {
            let rows = session.query(sql, &[])?;
            // Whoever hears that nothing is left goes away: a crash must not make it untrue.
            if !rows.iter().any(|row| row.get(6) || row.get(7)) {
                session.settle()?;
            }
            Ok(rows)
        })?;
        let read = |row: &Row| -> Result<(i64, Work), String> {
            let words: String = row.get(3);
            let words: Vec<String> = serde_json::from_str(&words)
                .map_err(|error| format!("a command line is damaged: {error}"))?;
            let work = Work {
                id: CampaignId(row.get(0)),
                title: row.get(1),
                key: row.get(2),
                words,
                compilers: vec![(row.get(4), row.get(5))],
                free: row.get(6),
                held: row.get(7),
                holders: row.get::<_, i64>(8) as u64,
                needs: Needs { architecture: row.get(9), memory: row.get::<_, i64>(10) as u64 },
            };
            Ok((row.get(0), work))
        };
        let mut all: BTreeMap<i64, Work> = BTreeMap::new();
        for row in &rows {
            let (id, mut work) = read(row).map_err(|why| self.connection.refuse(&why))?;
            match all.get_mut(&id) {
                Some(known) => {
                    work.compilers.retain(|one| !known.compilers.contains(one));
                    known.compilers.append(&mut work.compilers);
                }
                None => {
                    all.insert(id, work);
                }
            }
        }
        Ok(all.into_values().collect())
    }
}

/// What tells campaigns of the same key apart: the compilers' executables.
fn build(key: &CampaignKey) -> String {
    let mut parts: Vec<String> =
        key.configurations.iter().map(|part| format!("{} {}", part.compiler, part.hash)).collect();
    parts.dedup();
    parts.join("\n")
}
