//! A server that is killed, or told to stop at once, at any moment while workers commit to it without waiting for its disk:
//! what it forgets is done again, and what users were told stays true.

mod postgres;

use campaign::store::{
    CampaignId, CampaignKey, ConfigurationKey, FindingRow, Kept, Lease, Needs, Offer, ProgramRow, ResultRow,
    RowVerdict, Store,
};
use campaign::verdict::FindingKind;
use postgres::Server;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

const PROGRAMS: u64 = 12_000;
const WORKERS: usize = 3;
/// One program in so many shows a bug.
const ALARMING: u64 = 40;

/// What users were told, and what it cost.
#[derive(Default)]
struct Told {
    /// Identities of findings that were printed.
    findings: Mutex<BTreeSet<String>>,
    /// How often a program was new to the store.
    new: AtomicU64,
    /// Workers that heard that nothing is left.
    through: AtomicUsize,
}

fn key() -> CampaignKey {
    let configuration = ConfigurationKey {
        label: "cc".to_owned(),
        compiler: "cc".to_owned(),
        level: String::new(),
        version: String::new(),
        hash: String::new(),
    };
    CampaignKey {
        key: "crashes".to_owned(),
        title: "crashes".to_owned(),
        configurations: vec![configuration],
        words: Vec::new(),
        total: Some(PROGRAMS),
        needs: Needs::default(),
    }
}

/// What the test of a program comes to.
fn program(store: &Store, seed: u64) -> ProgramRow {
    let alarm = seed.is_multiple_of(ALARMING);
    let verdict = if alarm { RowVerdict::Alarm } else { RowVerdict::Pass };
    let findings = if alarm { vec![finding(store, seed)] } else { Vec::new() };
    ProgramRow {
        seed,
        name: format!("seed {seed}"),
        rejected: None,
        strategies: String::new(),
        compilers_us: 2,
        plumb_us: 1,
        results: vec![ResultRow { configuration: 0, verdict, compile_us: 1, run_us: 1 }],
        findings,
    }
}

fn finding(store: &Store, seed: u64) -> FindingRow {
    let id = format!("crash-{seed:010x}");
    let dir = store.findings_dir().join(&id);
    std::fs::create_dir_all(&dir).expect("writable");
    std::fs::write(dir.join("program.c"), format!("int x = {seed};\n")).expect("writable");
    FindingRow {
        id,
        seed,
        program: format!("seed {seed}"),
        configuration: "cc".to_owned(),
        kind: FindingKind::Crash,
        signature: format!("bug {}", seed % 7),
        summary: "it ends".to_owned(),
        doubt: None,
        strategies: String::new(),
        evidence_of: String::new(),
    }
}

/// A worker, until it hears that nothing is left.
fn work(place: &str, campaign: CampaignId, told: &Told) {
    let store = Store::open_for(Path::new(place), Duration::from_secs(1)).expect("a store");
    loop {
        match store.lease(campaign, 0, Some(PROGRAMS), 4).expect("an answer") {
            Offer::Lease(lease) => all_of(&store, campaign, &lease, told),
            Offer::Wait => std::thread::sleep(Duration::from_millis(20)),
            Offer::Done => break,
        }
    }
    told.through.fetch_add(1, Ordering::SeqCst);
}

fn all_of(store: &Store, campaign: CampaignId, lease: &Lease, told: &Told) {
    for &seed in &lease.seeds {
        let row = program(store, seed);
        match store.commit(campaign, lease, &row).expect("an answer") {
            Kept::New => told.new.fetch_add(1, Ordering::SeqCst),
            Kept::Known => 0,
            Kept::Late => return,
        };
        let mut printed = told.findings.lock().expect("no panic");
        printed.extend(row.findings.into_iter().map(|finding| finding.id));
    }
    store.finish(campaign, lease).expect("an answer");
}

/// Crashes the server at moments that differ, by turns in both ways, until the workers are through.
fn crash_often(server: &mut Server, told: &Told) -> usize {
    for number in 0.. {
        for _ in 0..(5 + number * 7 % 11) {
            std::thread::sleep(Duration::from_millis(37));
            if told.through.load(Ordering::SeqCst) == WORKERS {
                return number;
            }
        }
        let printed = told.findings.lock().expect("no panic").clone();
        if number % 2 == 0 {
            server.down()
        } else {
            server.stop_at_once()
        }
        server.up();
        let sql = "SELECT id FROM finding";
        let rows = server.client("crashes").query(sql, &[]).expect("listed");
        let kept: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
        assert!(printed.is_subset(&kept), "printed, and gone: {:?}", printed.difference(&kept));
    }
    unreachable!("the loop ends by returning")
}

#[test]
fn what_a_crash_takes_is_done_again() {
    let Some(mut server) = Server::start() else { return };
    let place = server.database("crashes");
    let campaign = Store::open(Path::new(&place)).expect("a store").campaign(&key()).expect("begun");
    let told = Told::default();
    let crashes = std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| work(&place, campaign, &told));
        }
        crash_often(&mut server, &told)
    });
    // They were told that nothing is left: a crash now takes nothing.
    server.down();
    server.up();
    let mut client = server.client("crashes");
    let mut count = |sql: &str| client.query_one(sql, &[]).expect("counted").get::<_, i64>(0) as u64;
    assert_eq!(count("SELECT count(*) FROM program"), PROGRAMS);
    assert_eq!(count("SELECT count(*) FROM result"), PROGRAMS);
    assert_eq!(count("SELECT count(*) FROM finding"), PROGRAMS / ALARMING);
    assert_eq!(count("SELECT count(DISTINCT finding) FROM finding_file"), 7);
    assert_eq!(count("SELECT count(*) FROM lease WHERE NOT done"), 0);
    let again = told.new.load(Ordering::SeqCst).saturating_sub(PROGRAMS);
    eprintln!("{crashes} crashes, {again} programs done again");
    assert!(crashes >= 2 && again > 0, "{crashes} crashes took {again} programs: the test is void");
}
