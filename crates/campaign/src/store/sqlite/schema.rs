//! The tables, and the version that says which plumb can read them.

use super::Fault;
use crate::error::Error;
use rusqlite::Connection;
use std::path::Path;

/// Marks a database as a plumb store: the ASCII codes of `plmb`.
const APPLICATION: i32 = 0x706c_6d62;
/// Raised whenever the tables change.
const VERSION: i32 = 4;

const TABLES: &str = "
CREATE TABLE campaign (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE configuration (
  campaign INTEGER NOT NULL REFERENCES campaign (id),
  number INTEGER NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (campaign, number)
) WITHOUT ROWID;
CREATE TABLE lease (
  campaign INTEGER NOT NULL REFERENCES campaign (id),
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  done INTEGER NOT NULL,
  PRIMARY KEY (campaign, first)
) WITHOUT ROWID;
CREATE TABLE program (
  campaign INTEGER NOT NULL REFERENCES campaign (id),
  seed INTEGER NOT NULL,
  name TEXT NOT NULL,
  rejected TEXT,
  about TEXT NOT NULL,
  detail TEXT NOT NULL,
  compilers_us INTEGER NOT NULL,
  plumb_us INTEGER NOT NULL,
  strategies TEXT NOT NULL,
  PRIMARY KEY (campaign, seed)
) WITHOUT ROWID;
CREATE TABLE result (
  campaign INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  configuration INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  why TEXT NOT NULL,
  about TEXT NOT NULL,
  detail TEXT NOT NULL,
  compile_us INTEGER NOT NULL,
  run_us INTEGER NOT NULL,
  PRIMARY KEY (campaign, seed, configuration),
  FOREIGN KEY (campaign, seed) REFERENCES program (campaign, seed),
  FOREIGN KEY (campaign, configuration) REFERENCES configuration (campaign, number)
) WITHOUT ROWID;
CREATE TABLE finding (
  id TEXT NOT NULL UNIQUE,
  campaign INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  program TEXT NOT NULL,
  configuration TEXT NOT NULL,
  kind TEXT NOT NULL,
  signature TEXT NOT NULL,
  summary TEXT NOT NULL,
  doubt TEXT,
  strategies TEXT NOT NULL,
  evidence_of TEXT NOT NULL DEFAULT '',
  FOREIGN KEY (campaign, seed) REFERENCES program (campaign, seed)
);
";

/// Tables of triage: what it says of findings, and what a person decided against it.
const TRIAGE: &str = "
CREATE TABLE triage (
  finding TEXT PRIMARY KEY,
  leader TEXT NOT NULL,
  rank INTEGER NOT NULL,
  known TEXT,
  analysis TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE decision (
  number INTEGER PRIMARY KEY,
  finding TEXT NOT NULL,
  other TEXT
);
";

/// What makes a store of version 3 one of version 4.
const FROM_3: &str = "ALTER TABLE finding ADD COLUMN evidence_of TEXT NOT NULL DEFAULT '';";

/// Makes the tables of a new database, adds what an old one lacks, and checks the result.
pub(super) fn prepare(db: &Connection, path: &Path) -> Result<(), Fault> {
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        let marks = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
        db.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} {TRIAGE} {marks} COMMIT;"))?;
    }
    let mark = |name| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
    if (mark("application_id")?, mark("user_version")?) == (APPLICATION, 3) {
        let marks = format!("PRAGMA user_version = {VERSION};");
        db.execute_batch(&format!("BEGIN IMMEDIATE; {FROM_3} {TRIAGE} {marks} COMMIT;"))?;
    }
    check(db, path)
}

/// Refuses a database that is not a plumb store of this version.
pub(super) fn check(db: &Connection, path: &Path) -> Result<(), Fault> {
    let application: i32 = db.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let version: i32 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let refuse = |why: String| Err(Fault::Other(Error::Store { path: path.to_owned(), why }));
    if application != APPLICATION {
        return refuse("this is another program's database; name another directory with --store".to_owned());
    }
    match version.cmp(&VERSION) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => refuse(format!(
            "it has version {version}, this plumb needs version {VERSION}; use the plumb that made it, or name \
             another directory with --store"
        )),
        std::cmp::Ordering::Greater => refuse(format!(
            "it has version {version}, newer than this plumb's {VERSION}; use a newer plumb, or name another \
             directory with --store"
        )),
    }
}
