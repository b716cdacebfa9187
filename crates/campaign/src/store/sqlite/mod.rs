//! The store of one machine: an SQLite database (WAL) and a directory of findings.
//!
//! A campaign is known by its key: everything its results depend on. Results are unique on (campaign, seed,
//! configuration) and a program's results are committed at once, with what they cost; so killing a hunt at any
//! moment loses at most what its open leases had in flight and can count nothing twice. A hunt holds the store's
//! lock file, which the system frees however the hunt ends; leases left open are void from then on.

mod backend;
mod history;
mod leases;
mod records;
mod schema;
mod totals;
mod triage;

use super::rows::{CampaignId, CampaignKey, FindingRow, Kept, Record};
use crate::error::Error;
use crate::verdict::Named;
use rusqlite::types::Type;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use toolchain::scratch::ScratchRoot;

/// The database's name in the store's directory.
pub(super) const DATABASE: &str = "plumb.sqlite";
/// The lock file of the hunting process.
const LOCK: &str = "lock";
/// The directory of findings.
const FINDINGS: &str = "findings";

/// An open store.
pub(super) struct Sqlite {
    dir: PathBuf,
    db: Mutex<Connection>,
    /// Held while hunting; `None` for readers.
    _lock: Option<File>,
    /// What is read in place of a database that cannot be opened where it lies.
    _copy: Option<ScratchRoot>,
}

impl Sqlite {
    /// Opens the store in a directory for hunting, making it where there is none.
    pub fn open(dir: &Path) -> Result<Sqlite, Error> {
        fs::create_dir_all(dir).map_err(|error| Error::file("make the store", dir, &error))?;
        let path = dir.join(LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(|error| Error::file("write", &path, &error))?;
        if lock.try_lock().is_err() {
            let why =
                "another hunt is using it; wait for it, stop it, or name another directory with --store";
            return Err(Error::Store { path: dir.to_owned(), why: why.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let db = connect(&dir.join(DATABASE), flags)?;
        let store = Sqlite { dir: dir.to_owned(), db: Mutex::new(db), _lock: Some(lock), _copy: None };
        schema::prepare(&store.db(), &store.database()).map_err(|error| store.fail(error))?;
        history::prepare(&store.db()).map_err(|error| store.fail(error))?;
        let findings = store.findings_dir();
        fs::create_dir_all(&findings).map_err(|error| Error::file("make", &findings, &error))?;
        Ok(store)
    }

    /// Opens an existing store for what is said of findings afterwards; a hunt may go on beside.
    pub fn annotate(dir: &Path) -> Result<Sqlite, Error> {
        let path = existing(dir)?;
        let db = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let store = Sqlite { dir: dir.to_owned(), db: Mutex::new(db), _lock: None, _copy: None };
        schema::prepare(&store.db(), &store.database()).map_err(|error| store.fail(error))?;
        Ok(store)
    }

    /// Opens an existing store for reading.
    pub fn read(dir: &Path) -> Result<Sqlite, Error> {
        let path = existing(dir)?;
        let (db, copy) = connect_to_read(dir, &path)?;
        let store = Sqlite { dir: dir.to_owned(), db: Mutex::new(db), _lock: None, _copy: copy };
        schema::check(&store.db(), &store.database()).map_err(|error| store.fail(error))?;
        Ok(store)
    }

    /// Where its findings lie.
    pub fn findings_dir(&self) -> PathBuf {
        self.dir.join(FINDINGS)
    }

    fn database(&self) -> PathBuf {
        self.dir.join(DATABASE)
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, error: Fault) -> Error {
        match error {
            Fault::Sql(error) => explain(&self.database(), &error),
            Fault::Other(error) => error,
        }
    }

    /// Finds the campaign of this key, or begins it. Leases left open by a killed hunt are void.
    pub fn campaign(&self, key: &CampaignKey) -> Result<CampaignId, Error> {
        let begin = |db: &mut Connection| -> Result<i64, Fault> {
            let write = db.transaction()?;
            write.execute(
                "INSERT INTO campaign (key, title) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING",
                params![key.key, key.title],
            )?;
            let id: i64 =
                write.query_row("SELECT id FROM campaign WHERE key = ?1", [&key.key], |row| row.get(0))?;
            for (number, configuration) in key.configurations.iter().enumerate() {
                write.execute(
                    "INSERT OR IGNORE INTO configuration (campaign, number, label) VALUES (?1, ?2, ?3)",
                    params![id, number as i64, configuration.label],
                )?;
            }
            history::begin(&write, id, &key.configurations)?;
            write.execute("DELETE FROM lease WHERE campaign = ?1 AND done = 0", [id])?;
            write.commit()?;
            Ok(id)
        };
        begin(&mut self.db()).map(CampaignId).map_err(|error| self.fail(error))
    }

    /// Writes what became of one program, all or nothing. A program already there is left as it is.
    pub fn add(&self, campaign: CampaignId, record: &Record) -> Result<Kept, Error> {
        let write = |db: &mut Connection| -> Result<Kept, Fault> {
            let write = db.transaction()?;
            let new = write.execute(
                "INSERT OR IGNORE INTO program (campaign, seed, name, rejected, about, detail, compilers_us, \
                 plumb_us, strategies) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![
                    campaign.0,
                    record.seed as i64,
                    record.name,
                    record.rejected,
                    record.about,
                    record.detail,
                    record.compilers_us as i64,
                    record.plumb_us as i64,
                    record.strategies
                ],
            )?;
            if new == 0 {
                return Ok(Kept::Known);
            }
            history::note(&write, campaign.0, record.seed, record.at)?;
            for result in &record.results {
                write.execute(
                    "INSERT INTO result (campaign, seed, configuration, verdict, why, about, detail, compile_us, \
                     run_us) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                    params![
                        campaign.0,
                        record.seed as i64,
                        result.configuration,
                        result.verdict,
                        result.why,
                        result.about,
                        result.detail,
                        result.compile_us,
                        result.run_us
                    ],
                )?;
            }
            for finding in &record.findings {
                write.execute(
                    "INSERT OR REPLACE INTO finding (id, campaign, seed, program, configuration, kind, signature, \
                     summary, doubt, strategies, evidence_of) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                    params![
                        finding.id,
                        campaign.0,
                        record.seed as i64,
                        finding.program,
                        finding.configuration,
                        finding.kind.name(),
                        finding.signature,
                        finding.summary,
                        finding.doubt,
                        finding.strategies,
                        finding.evidence_of
                    ],
                )?;
            }
            write.commit()?;
            Ok(Kept::New)
        };
        write(&mut self.db()).map_err(|error| self.fail(error))
    }

    /// The findings of a campaign, or of all, oldest first.
    pub fn findings_of(&self, campaign: Option<CampaignId>) -> Result<Vec<FindingRow>, Error> {
        let list = |db: &Connection| -> Result<Vec<FindingRow>, Fault> {
            let mut query = db.prepare(
                "SELECT id, seed, program, configuration, kind, signature, summary, doubt, strategies, evidence_of \
                 FROM finding WHERE ?1 IS NULL OR campaign = ?1 ORDER BY campaign, rowid",
            )?;
            let rows = query.query_map([campaign.map(|id| id.0)], finding)?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        list(&self.db()).map_err(|error| self.fail(error))
    }
}

/// A finding whose columns are those of [`Sqlite::findings_of`].
fn finding(row: &Row<'_>) -> rusqlite::Result<FindingRow> {
    Ok(FindingRow {
        id: row.get(0)?,
        seed: row.get::<_, i64>(1)? as u64,
        program: row.get(2)?,
        configuration: row.get(3)?,
        kind: named(row, 4)?,
        signature: row.get(5)?,
        summary: row.get(6)?,
        doubt: row.get(7)?,
        strategies: row.get(8)?,
        evidence_of: row.get(9)?,
    })
}

/// The database of the store in a directory.
fn existing(dir: &Path) -> Result<PathBuf, Error> {
    let path = dir.join(DATABASE);
    if path.is_file() {
        return Ok(path);
    }
    let why = "there is no store here; start one with `plumb hunt`, or name another with --store";
    Err(Error::Store { path: dir.to_owned(), why: why.to_owned() })
}

/// A value that is stored by its name. A name that this plumb does not know is an error that says so.
fn named<T: Named>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let name: String = row.get(column)?;
    T::of_name(&name).ok_or_else(|| {
        let why = format!("`{name}` is no value this plumb knows; use the plumb that wrote it");
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, why.into())
    })
}

/// What can go wrong inside the module.
enum Fault {
    Sql(rusqlite::Error),
    Other(Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Sql(error)
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let open = || -> Result<Connection, rusqlite::Error> {
        let db = Connection::open_with_flags(path, flags)?;
        db.busy_timeout(Duration::from_secs(30))?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        db.pragma_update(None, "foreign_keys", "ON")?;
        Ok(db)
    };
    open().map_err(|error| explain(path, &error))
}

/// Opens a database for reading. A reader of a WAL database writes its shared-memory file; where that is not allowed
/// a copy of the database and its log is read instead.
fn connect_to_read(dir: &Path, path: &Path) -> Result<(Connection, Option<ScratchRoot>), Error> {
    let open = |path: &Path| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let usable = |db: Connection| -> rusqlite::Result<Connection> {
        db.busy_timeout(Duration::from_secs(30))?;
        db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(db)
    };
    let refused = match open(path).and_then(usable) {
        Ok(db) => return Ok((db, None)),
        Err(error) => error,
    };
    match refused.sqlite_error_code() {
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {}
        Some(_) | None => return Err(explain(path, &refused)),
    }
    let scratch = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let copy = scratch.path().join(DATABASE);
    for ending in ["", "-wal"] {
        let name = format!("{DATABASE}{ending}");
        let from = dir.join(&name);
        if ending.is_empty() || from.exists() {
            let copied = fs::copy(&from, scratch.path().join(&name));
            copied.map_err(|error| Error::file("read", &from, &error))?;
            writable(&scratch.path().join(&name))?;
        }
    }
    let db = open(&copy).and_then(usable).map_err(|error| explain(path, &error))?;
    Ok((db, Some(scratch)))
}

/// A copy has the permissions of what it was copied from.
fn writable(path: &Path) -> Result<(), Error> {
    let set = fs::set_permissions(path, fs::Permissions::from_mode(0o600));
    set.map_err(|error| Error::file("write", path, &error))
}

/// An SQLite error in words that say what to do.
fn explain(path: &Path, error: &rusqlite::Error) -> Error {
    let store = |why: &str| Error::Store { path: path.to_owned(), why: why.to_owned() };
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Error::Resource(format!(
            "store `{}`: the disk is full; free some space and run the same command again, nothing committed is lost",
            path.display()
        )),
        Some(ErrorCode::SystemIoFailure) => Error::Resource(format!(
            "store `{}`: reading or writing it failed ({error}); check the disk and its free space and run the \
             same command again, nothing committed is lost",
            path.display()
        )),
        Some(ErrorCode::NotADatabase) => {
            store("this is not a plumb store; name another directory with --store, or remove the file")
        }
        Some(ErrorCode::DatabaseCorrupt) => store(
            "the database is damaged; move it away and start another, its findings directories stay readable",
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            store("it cannot be opened for writing; check its permissions or name another with --store")
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            store("another program holds it; close that and run the same command again")
        }
        _ => store(&error.to_string()),
    }
}
