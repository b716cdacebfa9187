//! The store of many machines: a PostgreSQL database. Truth and coordination are its alone: leases end by its clock, and
//! nothing trusts a worker's. No file system is shared: files of findings are rows (big ones may lie in a bucket), and what a command needs of them is
//! brought to a directory of this machine.

/// A time as milliseconds since 1970.
macro_rules! millis {
    ($column:literal) => {
        concat!("(extract(epoch FROM ", $column, ") * 1000)::bigint")
    };
}

mod address;
mod aside;
mod backend;
mod campaigns;
mod commit;
mod connection;
mod files;
mod items;
mod leases;
mod migrations;
mod parts;
mod passwords;
mod records;
mod service;
mod totals;
mod triage;
mod views;
mod workers;

use super::rows::CampaignId;
use crate::error::Error;
use crate::verdict::Named;
use connection::{Connection, Session};
use postgres::Row;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;
use toolchain::scratch::ScratchRoot;

/// An open database.
pub(super) struct Postgres {
    connection: Connection,
    /// How this process is named in leases: another one every time.
    holder: String,
    lease: Duration,
    files: PathBuf,
    /// The findings whose files were brought already.
    fetched: Mutex<BTreeSet<String>>,
    leaders: Mutex<commit::Leaders>,
    /// Where big files are.
    beside: aside::Known,
    /// A connection of its own that is told of what others do, once somebody waits.
    listening: Mutex<Option<Session>>,
    /// Where files lie that only this process needs.
    _scratch: ScratchRoot,
}

impl Postgres {
    /// Opens the database at an address for hunting, making its tables where there are none.
    pub fn open(address: &str, lease: Duration) -> Result<Postgres, Error> {
        let connection = Connection::open(address)?;
        migrations::prepare(&connection)?;
        Postgres::new(connection, lease)
    }

    /// Opens an existing store for reading, and for what is said of findings.
    pub fn read(address: &str, lease: Duration) -> Result<Postgres, Error> {
        let connection = Connection::open(address)?;
        migrations::check(&connection)?;
        Postgres::new(connection, lease)
    }

    fn new(connection: Connection, lease: Duration) -> Result<Postgres, Error> {
        let scratch =
            ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
        let files = scratch.path().join("findings");
        std::fs::create_dir_all(&files).map_err(|error| Error::file("make", &files, &error))?;
        let holder = connection.run("naming this process", |client| {
            Ok(client.query_one("SELECT gen_random_uuid()::text", &[])?.get(0))
        })?;
        Ok(Postgres {
            connection,
            holder,
            lease,
            files,
            fetched: Mutex::default(),
            leaders: Mutex::default(),
            beside: Mutex::default(),
            listening: Mutex::default(),
            _scratch: scratch,
        })
    }

    /// The rows that `sql` selects, of one campaign where one is given.
    fn rows<T>(
        &self,
        what: &'static str,
        sql: &str,
        campaign: Option<CampaignId>,
        read: impl Fn(&Row) -> Result<T, String>,
    ) -> Result<Vec<T>, Error> {
        let rows = self.connection.run(what, |client| {
            Ok(match campaign {
                Some(campaign) => client.query(sql, &[&campaign.0])?,
                None => client.query(sql, &[])?,
            })
        })?;
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|why| self.connection.refuse(&why))
    }
}

/// A value that is stored by its name. A name that this plumb does not know is an error that says so.
fn named<T: Named>(row: &Row, column: usize) -> Result<T, String> {
    let name: String = row.get(column);
    T::of_name(&name)
        .ok_or_else(|| format!("`{name}` is no value this plumb knows; use the plumb that wrote it"))
}
