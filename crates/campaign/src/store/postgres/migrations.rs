//! The tables, made and raised by the numbered files beside this one.
//!
//! There are few files, and what a library of migrations would add to it (a table of versions, a lock) is below; it
//! would bring thirty packages with it.

use super::connection::Connection;
use super::connection::Session;
use crate::error::Error;
use std::cmp::Ordering;

/// What makes of a database of each version one of the next, from version 0, which has no tables.
const STEPS: [&str; 4] = [
    include_str!("migrations/V1__store.sql"),
    include_str!("migrations/V2__items.sql"),
    include_str!("migrations/V3__bucket.sql"),
    include_str!("migrations/V4__parts.sql"),
];
/// The number that keeps two processes from making the tables at once: the ASCII codes of `plmb`.
const LOCK: i64 = 0x706c_6d62;

/// Makes the tables of a new database and adds what an old one lacks.
pub(super) fn prepare(connection: &Connection) -> Result<(), Error> {
    if connection.run("asking for its version", version)? == newest() {
        return Ok(());
    }
    connection.durable("making the tables", |write| {
        write.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
        write.batch_execute("CREATE TABLE IF NOT EXISTS plumb_schema (version BIGINT PRIMARY KEY)")?;
        let sql = "SELECT coalesce(max(version), 0)::bigint FROM plumb_schema";
        let found: i64 = write.query_one(sql, &[])?.get(0);
        for (step, number) in STEPS.iter().zip(1i64..).filter(|(_, number)| *number > found) {
            write.batch_execute(step)?;
            write.execute("INSERT INTO plumb_schema VALUES ($1)", &[&number])?;
        }
        Ok(())
    })?;
    check(connection)
}

/// Refuses a database that is not a plumb store of this version.
pub(super) fn check(connection: &Connection) -> Result<(), Error> {
    let (found, newest) = (connection.run("asking for its version", version)?, newest());
    match found.cmp(&newest) {
        Ordering::Equal => Ok(()),
        Ordering::Less if found == 0 => Err(connection
            .refuse("there is no store here; start one with `plumb hunt`, or name another with --store")),
        Ordering::Less => Err(connection.refuse(&format!(
            "it has version {found}, this plumb needs {newest}; any `plumb hunt` of the database's owner raises it"
        ))),
        Ordering::Greater => Err(connection
            .refuse(&format!("it has version {found}, newer than this plumb's {newest}; use a newer plumb"))),
    }
}

fn newest() -> i64 {
    STEPS.len() as i64
}

/// The version of the tables; 0 where there are none.
fn version(session: &mut Session) -> Result<i64, postgres::Error> {
    let there: bool = session.query_one("SELECT to_regclass('plumb_schema') IS NOT NULL", &[])?.get(0);
    if !there {
        return Ok(0);
    }
    let sql = "SELECT coalesce(max(version), 0)::bigint FROM plumb_schema";
    Ok(session.query_one(sql, &[])?.get(0))
}
