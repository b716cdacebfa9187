//! A PostgreSQL server of a test's own: on a socket in a directory of its own, without TCP, for at most five minutes, gone
//! when the test ends however it ends. Where no server is installed it says so loudly, and fails where
//! `PLUMB_NEED_POSTGRES` is set.

#![allow(dead_code, reason = "each test uses a part")]

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use toolchain::process::{Limits, Session, Spec, run};

/// The user that the server runs as where the tests run as root, which it refuses.
const NOBODY: u32 = 65534;

/// A running server.
pub struct Server {
    session: Option<Session>,
    dir: tempfile::TempDir,
    bin: PathBuf,
    /// Where it listens beside its socket, once that is wanted.
    port: Option<u16>,
}

impl Server {
    /// Starts one; `None` where there is no PostgreSQL.
    pub fn start() -> Option<Server> {
        let Some(bin) = installed() else {
            eprintln!(
                "\n*** PostgreSQL is not installed: the store of many machines is NOT TESTED here ***\n"
            );
            assert!(std::env::var_os("PLUMB_NEED_POSTGRES").is_none(), "PLUMB_NEED_POSTGRES is set");
            return None;
        };
        let dir = tempfile::tempdir().expect("a temporary directory");
        let data = dir.path().join("data");
        std::fs::create_dir(&data).expect("writable");
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).expect("its owner's");
        if is_root(dir.path()) {
            chown(&data, Some(NOBODY), Some(NOBODY)).expect("root may");
        }
        let mut server = Server { session: None, dir, bin, port: None };
        let made =
            run(&server.spec("initdb", &["-A", "trust", "-U", "plumb", "-N", "-E", "UTF8", "--locale=C"]));
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        assert!(made.outcome.success(), "initdb: {} {said}", made.outcome.describe());
        server.up();
        Some(server)
    }

    /// Starts it again after [`Server::down`].
    pub fn up(&mut self) {
        let socket = self.data().display().to_string();
        // What is killed are processes and not the machine: files need not be forced to the disk.
        let settings = ["-c", "log_min_messages=fatal", "-c", "fsync=off"];
        let port = self.port.map(|port| port.to_string());
        let tcp = match &port {
            Some(port) => vec!["-c", "listen_addresses=127.0.0.1", "-p", port],
            None => vec!["-c", "listen_addresses="],
        };
        let options = [&["-k", &socket, "-N", "100"][..], &settings[..], &tcp].concat();
        let spec = self.spec("postgres", &options);
        self.session = Some(Session::start(&spec).expect("it starts"));
        let end = Instant::now() + Duration::from_secs(60);
        while postgres::Client::connect(&self.address("postgres"), postgres::NoTls).is_err() {
            assert!(Instant::now() < end, "the server does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Starts it again listening on a port of this machine, too, and says which. With a certificate and its key, in PEM, it
    /// takes nothing but TLS there.
    pub fn listen(&mut self, tls: Option<(&str, &str)>) -> u16 {
        self.down();
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let kind = if tls.is_some() { "hostssl" } else { "host" };
        let rules = format!("local all all trust\n{kind} all all 127.0.0.1/32 trust\n");
        std::fs::write(self.data().join("pg_hba.conf"), rules).expect("writable");
        let mut settings = format!("port = {port}\n");
        if let Some((certificate, key)) = tls {
            for (name, text) in [("server.crt", certificate), ("server.key", key)] {
                let path = self.data().join(name);
                std::fs::write(&path, text).expect("writable");
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("its owner's");
                if is_root(self.dir.path()) {
                    chown(&path, Some(NOBODY), Some(NOBODY)).expect("root may");
                }
            }
            settings.push_str("ssl = on\n");
        }
        std::fs::write(self.data().join("postgresql.auto.conf"), settings).expect("writable");
        self.port = Some(port);
        self.up();
        port
    }

    /// Kills it as a power cut would.
    pub fn down(&mut self) {
        if let Some(mut session) = self.session.take() {
            session.kill();
            let _ = session.finish();
        }
        let _ = std::fs::remove_file(self.data().join("postmaster.pid"));
    }

    /// Has it stop as `pg_ctl --mode immediate` does: its processes end without writing what they still have.
    pub fn stop_at_once(&mut self) {
        let done = run(&self.spec("pg_ctl", &["--mode", "immediate", "--silent", "stop"]));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.outcome.success(), "pg_ctl: {} {said}", done.outcome.describe());
        self.down();
    }

    /// The address of a database on it.
    pub fn address(&self, database: &str) -> String {
        let socket = self.data().display().to_string().replace('/', "%2F");
        let port = self.port.map_or_else(String::new, |port| format!(":{port}"));
        format!("postgresql://plumb@{socket}{port}/{database}")
    }

    /// Makes an empty database and gives its address.
    pub fn database(&self, name: &str) -> String {
        self.client("postgres").batch_execute(&format!("CREATE DATABASE \"{name}\"")).expect("a new name");
        self.address(name)
    }

    /// A connection to a database as its owner.
    pub fn client(&self, database: &str) -> postgres::Client {
        postgres::Client::connect(&self.address(database), postgres::NoTls).expect("it answers")
    }

    /// Rows of a table as JSON, in order, without what is a time.
    pub fn rows(&self, database: &str, table: &str) -> Vec<String> {
        let times = "- 'at' - 'compile_us' - 'run_us' - 'compilers_us' - 'plumb_us'";
        let sql = format!("SELECT (to_jsonb(t) {times})::text FROM {table} AS t ORDER BY 1");
        self.client(database).query(&sql, &[]).expect("listed").iter().map(|row| row.get(0)).collect()
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// A program of the server's, on its data, as a user who may.
    fn spec(&self, program: &str, options: &[&str]) -> Spec {
        let path = self.bin.join(program).display().to_string();
        let (nobody, data) = (NOBODY.to_string(), self.data().display().to_string());
        let mut words = Vec::new();
        if is_root(self.dir.path()) {
            words.extend(["setpriv", "--reuid", &nobody, "--regid", &nobody, "--clear-groups", "--"]);
        }
        words.extend([path.as_str(), "-D", &data]);
        words.extend(options);
        let limits = Limits {
            wall: Some(Duration::from_secs(300)),
            cpu: None,
            address_space: None,
            file_size: None,
            processes: None,
            ..Limits::default()
        };
        Spec::from_argv(words).cwd(self.dir.path()).limits(limits)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.down();
    }
}

fn is_root(dir: &Path) -> bool {
    std::fs::metadata(dir).expect("it is there").uid() == 0
}

/// Where the newest installed server's programs are.
fn installed() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.filter_map(|entry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((number, entry.path().join("bin")))
    });
    let newest = debian.filter(|(_, bin)| bin.join("postgres").is_file()).max().map(|(_, bin)| bin);
    let path = std::env::var_os("PATH").unwrap_or_default();
    newest.or_else(|| std::env::split_paths(&path).find(|dir| dir.join("initdb").is_file()))
}
