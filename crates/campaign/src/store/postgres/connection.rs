//! One connection that mends itself: what fails for the connection's sake is done again on another, after a pause that
//! grows and differs from process to process, so that a server that comes back is not asked by all at once.

use super::address;
use crate::error::Error;
use postgres::config::SslMode;
use postgres::error::SqlState;
use postgres::{Client, Config, NoTls, Statement, Transaction};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a server may be away before a command gives up.
const PATIENCE: Duration = Duration::from_secs(120);
/// The first pause, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));
/// Bounds of a statement, of waiting for a lock, and of a transaction that its client left lying.
const TIMEOUTS: &str = "SET statement_timeout = '120s'; SET lock_timeout = '30s'; \
                        SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning; \
                        SET search_path = public, pg_temp";
/// What is committed need not be on the disk, but where [`Connection::durable`] or the statement itself says so
/// (`leases.rs` says why that is safe). Tables have an index for what is asked often: a plan that reads them whole, made while
/// they were empty, would be kept as they grow, until they are analysed. A plan that must read one whole is then thought so dear
/// that the server would compile it, which takes longer than any statement here.
const PLANS: &str = "SET synchronous_commit = off; SET enable_seqscan = off; SET jit = off";

/// A connection to a database.
pub(super) struct Connection {
    address: String,
    config: Config,
    session: Mutex<Option<Session>>,
}

/// What lasts until the connection breaks: with what the server has prepared, so that it reads and plans what is asked for
/// every program once.
pub(super) struct Session {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
}

impl Session {
    /// A prepared statement: the server parses it once a session, however often it is executed.
    pub fn prepared(&mut self, sql: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Returns when all that this session has seen or written is on the server's disk. If the server crashed meanwhile it
    /// fails, as the session then ended: what was seen is to be looked at again.
    pub fn settle(&mut self) -> Result<(), postgres::Error> {
        // A message that nobody reads: only a transaction that wrote to the log waits for it.
        let sql = "SELECT set_config('synchronous_commit', 'on', true), \
                   CASE WHEN NOT pg_is_in_recovery() THEN pg_logical_emit_message(true, 'plumb', '') END";
        self.client.execute(sql, &[]).map(|_| ())
    }
}

impl Deref for Session {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Connection {
    /// Connects. What cannot be reached at first is an error at once: it is most likely a wrong address.
    pub fn open(text: &str) -> Result<Connection, Error> {
        let mut config = address::parse(text)?;
        config.connect_timeout(Duration::from_secs(10)).keepalives_idle(Duration::from_secs(30));
        let connection = Connection { address: text.to_owned(), config, session: Mutex::new(None) };
        let session = connection.connect()?;
        *connection.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
        Ok(connection)
    }

    pub fn connect(&self) -> Result<Session, Error> {
        let connected = match self.config.get_ssl_mode() {
            SslMode::Disable => self.config.connect(NoTls),
            // Sockets of this machine have no name that a certificate could be for.
            SslMode::Prefer => self.config.connect(NoTls),
            _ => self.config.connect(MakeRustlsConnect::new(tls()?)),
        };
        let mut client = connected.map_err(|error| self.explain("connecting", &error))?;
        client
            .batch_execute(&format!("{TIMEOUTS}; {PLANS}"))
            .map_err(|error| self.explain("connecting", &error))?;
        Ok(Session { client, prepared: HashMap::new() })
    }

    /// Does `work`, again from its beginning where the connection broke or the server asks for it; so it must be one
    /// transaction, and one that may be done twice.
    pub fn run<T>(
        &self,
        what: &'static str,
        mut work: impl FnMut(&mut Session) -> Result<T, postgres::Error>,
    ) -> Result<T, Error> {
        let mut held = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let (begun, mut pause) = (Instant::now(), PAUSES.0);
        loop {
            let done = match held.as_mut().filter(|session| !session.is_closed()) {
                Some(session) => work(session),
                None => match self.connect() {
                    Ok(session) => work(held.insert(session)),
                    Err(error) if begun.elapsed() > PATIENCE || toolchain::stop::requested() => {
                        return Err(error);
                    }
                    Err(_) => {
                        sleep(&mut pause);
                        continue;
                    }
                },
            };
            let error = match done {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            let broken = held.as_ref().is_none_or(|session| session.is_closed());
            if !(broken || passes(&error)) || begun.elapsed() > PATIENCE || toolchain::stop::requested() {
                return Err(self.explain(what, &error));
            }
            sleep(&mut pause);
        }
    }

    /// Does `work` as one transaction that is on the server's disk when this returns. Without it, what was written last
    /// may be lost with the server's machine, as leases may.
    pub fn durable<T>(
        &self,
        what: &'static str,
        mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, postgres::Error>,
    ) -> Result<T, Error> {
        self.run(what, |session| {
            let mut transaction = session.transaction()?;
            transaction.batch_execute("SET LOCAL synchronous_commit = on")?;
            let value = work(&mut transaction)?;
            transaction.commit()?;
            Ok(value)
        })
    }

    /// An error of this store that is not the server's.
    pub fn refuse(&self, why: &str) -> Error {
        Error::Store { path: PathBuf::from(&self.address), why: why.to_owned() }
    }

    fn explain(&self, what: &str, error: &postgres::Error) -> Error {
        let why = match error.as_db_error() {
            Some(said) => format!("{what}: {}", said.message()),
            None => {
                let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
                format!("{what}: {error}{}", cause.unwrap_or_default())
            }
        };
        let full = [SqlState::DISK_FULL, SqlState::OUT_OF_MEMORY, SqlState::TOO_MANY_CONNECTIONS];
        match error.code() {
            Some(code) if full.contains(code) => Error::Resource(format!(
                "store `{}`: {why}; run the same command again, nothing committed is lost",
                self.address
            )),
            Some(_) | None => self.refuse(&why),
        }
    }
}

/// Does the trouble pass if the transaction is done again?
fn passes(error: &postgres::Error) -> bool {
    const PASSING: [SqlState; 6] = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
    ];
    error.is_closed() || error.code().is_some_and(|code| PASSING.contains(code))
}

/// Sleeps for between half and all of a pause, and doubles it.
fn sleep(pause: &mut Duration) {
    let random = RandomState::new().hash_one(std::process::id()) % 1024;
    std::thread::sleep(pause.mul_f64(0.5 + random as f64 / 2048.0));
    *pause = (*pause * 2).min(PAUSES.1);
}

/// What certificates are believed: those of the file that `PGSSLROOTCERT` names, else those of the system. The server's
/// name is always checked.
fn tls() -> Result<rustls::ClientConfig, Error> {
    let mut roots = rustls::RootCertStore::empty();
    let named = std::env::var_os("PGSSLROOTCERT").map(PathBuf::from);
    let found = match &named {
        Some(path) => {
            let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
            let why = |error: rustls::pki_types::pem::Error| error.to_string();
            read.map_err(|error| Error::File { action: "read", path: path.clone(), why: why(error) })?
        }
        None => rustls_native_certs::load_native_certs().certs,
    };
    roots.add_parsable_certificates(found);
    if roots.is_empty() {
        let why = "no certificate to check the server's with; name a file of them with PGSSLROOTCERT";
        return Err(Error::Usage(format!("--store: {why}")));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Internal(format!("TLS: {error}")))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
