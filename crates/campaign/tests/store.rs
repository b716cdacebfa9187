//! One suite for both back ends of the store, and what only the one of many machines promises.

mod postgres;

use ::postgres::NoTls;
use campaign::store::{
    CampaignId, CampaignKey, ConfigurationKey, Copied, Decision, FindingRow, Kept, Lease, Offer, ProgramRow,
    ResultRow, RowVerdict, Store, TriageRow, copy,
};
use campaign::verdict::{Answer, FindingKind, Inconclusive, InconclusiveKind, Rejection};
use postgres::Server;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

fn key(name: &str) -> CampaignKey {
    let configuration = |level: &str| ConfigurationKey {
        label: format!("cc {level}"),
        compiler: "cc".to_owned(),
        level: level.to_owned(),
        version: "cc 1".to_owned(),
        hash: "00".to_owned(),
    };
    CampaignKey {
        key: name.to_owned(),
        title: format!("the {name}"),
        configurations: vec![configuration("-O0"), configuration("-O2")],
        words: vec!["hunt".to_owned()],
        total: Some(20),
    }
}

fn program(seed: u64) -> ProgramRow {
    let result = |configuration, verdict| ResultRow { configuration, verdict, compile_us: 3, run_us: 4 };
    let unsure = Inconclusive::said(InconclusiveKind::ReproducerDenies, "crash");
    ProgramRow {
        seed,
        name: format!("seed {seed}"),
        rejected: None,
        strategies: "orion".to_owned(),
        compilers_us: 7,
        plumb_us: 5,
        results: vec![result(0, RowVerdict::Pass), result(1, RowVerdict::Inconclusive(unsure))],
        findings: Vec::new(),
    }
}

/// A program that shows a bug of this signature, with the finding's directory.
fn alarming(store: &Store, seed: u64, signature: &str) -> ProgramRow {
    let id = format!("crash-{seed:010x}");
    let dir = store.findings_dir().join(&id);
    std::fs::create_dir_all(dir.join("reduced")).expect("writable");
    std::fs::write(dir.join("program.c"), format!("int x = {seed};\n")).expect("writable");
    std::fs::write(dir.join("reduced/program.c"), [0, 255, 10]).expect("writable");
    let finding = FindingRow {
        id,
        seed,
        program: format!("seed {seed}"),
        configuration: "cc -O2".to_owned(),
        kind: FindingKind::Crash,
        signature: signature.to_owned(),
        summary: "it ends".to_owned(),
        doubt: None,
        strategies: "seed".to_owned(),
        evidence_of: String::new(),
    };
    ProgramRow { findings: vec![finding], ..program(seed) }
}

fn lease(store: &Store, campaign: CampaignId) -> Lease {
    match store.lease(campaign, 100, Some(20), 4).expect("a lease") {
        Offer::Lease(lease) => lease,
        other => panic!("{other:?}"),
    }
}

/// What every back end does.
fn conforms(place: &Path) {
    let store = Store::open(place).expect("a new store");
    let campaign = store.campaign(&key("one")).expect("begun");
    assert_eq!(store.campaign(&key("one")).expect("found"), campaign);
    assert_ne!(store.campaign(&key("two")).expect("begun"), campaign);
    let first = lease(&store, campaign);
    assert_eq!(first.seeds, [100, 101, 102, 103]);
    assert_eq!(store.commit(campaign, &first, &program(100)).expect("kept"), Kept::New);
    assert_eq!(store.commit(campaign, &first, &program(100)).expect("equal"), Kept::Known);
    let rejected = ProgramRow {
        rejected: Some(Rejection::Internal("why".to_owned())),
        results: Vec::new(),
        ..program(101)
    };
    assert_eq!(store.commit(campaign, &first, &rejected).expect("kept"), Kept::New);
    let found = alarming(&store, 102, "a signature");
    assert_eq!(store.commit(campaign, &first, &found).expect("kept"), Kept::New);
    store.give_back(campaign, &first).expect("given back");
    let again = lease(&store, campaign);
    assert_eq!(again.seeds, [103], "what is done is not handed out again");
    store.commit(campaign, &again, &program(103)).expect("kept");
    store.finish(campaign, &again).expect("finished");
    let rest: Vec<u64> = (0..4).flat_map(|_| lease(&store, campaign).seeds).collect();
    assert_eq!(rest, (104..120).collect::<Vec<u64>>());
    assert!(!matches!(store.lease(campaign, 100, Some(20), 4).expect("an answer"), Offer::Lease(_)));
    drop(store);
    told(&Store::read(place).expect("it is there"), campaign);
    annotated(&Store::annotate(place).expect("it is there"));
}

/// What a reader sees of that.
fn told(store: &Store, campaign: CampaignId) {
    let totals = store.totals(campaign).expect("counted");
    assert_eq!((totals.programs, totals.tested, totals.all_rejected()), (4, 3, 1));
    assert_eq!((totals.all_alarms(), totals.distinct(), totals.all_inconclusive()), (1, 1, 3));
    assert_eq!(totals.results.get(&Answer::Pass), Some(&3));
    assert_eq!(totals.compilers, Duration::from_micros(28));
    assert_eq!(totals.variants.get("orion"), Some(&3));
    assert_eq!(store.findings().expect("listed").len(), 1);
    let row = store.named("crash-00000").expect("the only one");
    let dir = store.fetch(&row.id).expect("brought");
    assert_eq!(std::fs::read(dir.join("program.c")).expect("written"), b"int x = 102;\n");
    assert_eq!(std::fs::read(dir.join("reduced/program.c")).expect("written"), [0, 255, 10]);
    assert!(store.named("hang").is_err());
    let titles: Vec<String> = store.campaigns().expect("listed").into_iter().map(|row| row.title).collect();
    assert_eq!(titles, ["the one", "the two"]);
    let levels = store.configurations(campaign).expect("listed").into_iter().map(|row| row.level);
    assert_eq!(levels.collect::<Vec<_>>(), ["-O0", "-O2"]);
    assert_eq!(store.runs(campaign).expect("listed").len(), 2);
    let moments = store.moments(campaign).expect("listed");
    assert!(moments.len() == 4 && moments.iter().all(|at| *at > 1_700_000_000_000), "{moments:?}");
    let counts: u64 = store.results(campaign).expect("counted").iter().map(|row| row.count).sum();
    assert_eq!(counts, 6);
    let found = store.finding_moments().expect("listed");
    assert!(found.len() == 1 && found[0].campaign == campaign && found[0].at.is_some());
    store.version().expect("a number");
}

/// What is said of findings afterwards.
fn annotated(store: &Store) {
    let row = |finding: &str, rank| TriageRow {
        finding: finding.to_owned(),
        group: "a".to_owned(),
        rank,
        known: None,
        analysis: "{}".to_owned(),
    };
    store.keep_triage(&[row("a", 2), row("b", 2)]).expect("kept");
    store.keep_triage(&[row("a", 1)]).expect("kept");
    assert_eq!(store.triaged().expect("listed"), [row("a", 1), row("b", 2)]);
    let decisions = [Decision::Merge("a".to_owned(), "b".to_owned()), Decision::Split("b".to_owned())];
    for decision in &decisions {
        store.decide(decision).expect("kept");
    }
    assert_eq!(store.decisions().expect("listed"), decisions);
    let id = store.findings().expect("listed").remove(0).id;
    let file = store.fetch(&id).expect("brought").join("later");
    std::fs::write(file, "more").expect("writable");
    store.keep_files(&id).expect("kept");
}

/// A store copied to another is the same there; what is taken away is gone, and nothing else.
fn copies(from: &Path, to: &Path) {
    let (here, there) = (Store::read(from).expect("it is there"), Store::open(to).expect("a new store"));
    let copied = copy(&here, &there).expect("copied");
    assert_eq!((copied.campaigns, copied.programs, copied.findings), (2, 4, 1));
    assert_eq!(copy(&here, &there).expect("again"), Copied { campaigns: 2, ..Copied::default() });
    let id = |store: &Store| store.campaigns().expect("listed")[0].id;
    let totals = |store: &Store| store.totals(id(store)).expect("counted");
    assert_eq!(totals(&there), totals(&here));
    assert_eq!(there.findings().expect("listed"), here.findings().expect("listed"));
    assert_eq!(there.moments(id(&there)).expect("listed"), here.moments(id(&here)).expect("listed"));
    assert_eq!(there.results(id(&there)).expect("counted"), here.results(id(&here)).expect("counted"));
    assert_eq!(there.triaged().expect("listed"), here.triaged().expect("listed"));
    assert_eq!(there.decisions().expect("listed"), here.decisions().expect("listed"));
    let row = there.findings().expect("listed").remove(0);
    let (copied, original) = (there.fetch(&row.id).expect("brought"), here.fetch(&row.id).expect("brought"));
    for file in ["program.c", "reduced/program.c", "later"] {
        assert_eq!(
            std::fs::read(copied.join(file)).expect(file),
            std::fs::read(original.join(file)).expect(file)
        );
    }
    drop(there);
    let there = Store::open(to).expect("it is there");
    let campaign = id(&there);
    while let Offer::Lease(lease) = there.lease(campaign, 100, Some(4), 4).expect("an answer") {
        assert!(lease.seeds.is_empty(), "what was copied is not tested again: {:?}", lease.seeds);
        there.finish(campaign, &lease).expect("finished");
    }
    there.prune(campaign).expect("nobody works on it");
    assert!(there.campaigns().expect("listed").iter().all(|row| row.id != campaign));
    assert!(there.findings().expect("listed").is_empty());
}

#[test]
fn a_directory_conforms() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (one, other) = (dir.path().join("one"), dir.path().join("other"));
    conforms(&one);
    copies(&one, &other);
    assert_eq!(std::fs::read_dir(other.join("findings")).expect("it is there").count(), 0);
}

#[test]
fn a_database_conforms_and_leases_end_by_its_clock() {
    let Some(mut server) = Server::start() else { return };
    let conforming = server.database("conforming");
    conforms(Path::new(&conforming));
    let dir = tempfile::tempdir().expect("a temporary directory");
    copies(Path::new(&conforming), &dir.path().join("copied"));
    copies(Path::new(&conforming), Path::new(&server.database("copied")));
    let alone = dir.path().join("alone");
    conforms(&alone);
    copies(&alone, Path::new(&server.database("raised")));
    late_results_are_refused(&server.database("late"));
    everything_once(&server.database("once"));
    first_by_seed(&server, "leading");
    a_hostile_worker_is_held(&server, "held");
    let place = server.database("mending");
    let store = Store::open(Path::new(&place)).expect("a new store");
    let campaign = store.campaign(&key("one")).expect("begun");
    let held = lease(&store, campaign);
    // What was committed last may be lost with the server's processes, but not a finding, or what came before one.
    assert_eq!(store.commit(campaign, &held, &alarming(&store, 101, "")).expect("kept"), Kept::New);
    server.down();
    server.up();
    assert_eq!(store.commit(campaign, &held, &program(100)).expect("on another connection"), Kept::New);
    assert!(Store::read(Path::new(&server.address("postgres"))).is_err(), "no store there");
}

fn late_results_are_refused(place: &str) {
    let open = || Store::open_for(Path::new(place), Duration::from_millis(700)).expect("a store");
    let (slow, other) = (open(), open());
    let campaign = slow.campaign(&key("one")).expect("begun");
    let held = lease(&slow, campaign);
    slow.commit(campaign, &held, &program(100)).expect("kept");
    for _ in 0..4 {
        lease(&other, campaign);
    }
    assert_eq!(other.lease(campaign, 100, Some(20), 4).expect("an answer"), Offer::Wait);
    // A sign of life keeps it.
    std::thread::sleep(Duration::from_millis(400));
    slow.renew(campaign).expect("renewed");
    std::thread::sleep(Duration::from_millis(400));
    let mut taken = Vec::new();
    while taken.len() < 5 {
        match other.lease(campaign, 100, Some(20), 4).expect("an answer") {
            Offer::Lease(lease) => taken.push(lease),
            Offer::Wait => std::thread::sleep(Duration::from_millis(50)),
            Offer::Done => panic!("nothing is finished"),
        }
    }
    let again = taken.iter().find(|lease| lease.seeds == [101, 102, 103]).expect("the silent one's");
    assert_eq!(slow.commit(campaign, &held, &program(101)).expect("an answer"), Kept::Late);
    assert_eq!(other.commit(campaign, again, &program(101)).expect("kept"), Kept::New);
    slow.finish(campaign, &held).expect("without effect");
    slow.give_back(campaign, &held).expect("without effect");
    assert_eq!(other.commit(campaign, again, &program(102)).expect("still his"), Kept::New);
    assert_eq!(other.totals(campaign).expect("counted").programs, 3);
}

fn everything_once(place: &str) {
    let campaign = Store::open(Path::new(place)).expect("a store").campaign(&key("one")).expect("begun");
    let all: Vec<u64> = std::thread::scope(|scope| {
        let take = || {
            let store = Store::open(Path::new(place)).expect("a store");
            let mut seeds = Vec::new();
            while let Offer::Lease(lease) = store.lease(campaign, 0, Some(1003), 4).expect("an answer") {
                for &seed in &lease.seeds {
                    assert_eq!(store.commit(campaign, &lease, &program(seed)).expect("kept"), Kept::New);
                }
                store.finish(campaign, &lease).expect("finished");
                seeds.extend(lease.seeds);
            }
            seeds
        };
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    assert_eq!(all.len(), 1003, "nothing twice");
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), (0..1003).collect(), "nothing lost");
}

/// Whoever comes first: the finding with the smallest seed stands for the others, and has the files.
fn first_by_seed(server: &Server, name: &str) {
    let place = server.database(name);
    let store = Store::open(Path::new(&place)).expect("a store");
    let campaign = store.campaign(&key("one")).expect("begun");
    let held = lease(&store, campaign);
    for seed in [103, 101, 102] {
        let row = alarming(&store, seed, "the same");
        assert_eq!(store.commit(campaign, &held, &row).expect("kept"), Kept::New);
    }
    let of: Vec<(u64, String)> =
        store.findings().expect("listed").into_iter().map(|row| (row.seed, row.evidence_of)).collect();
    let leader = "crash-0000000065".to_owned();
    assert_eq!(of, [(101, String::new()), (102, leader.clone()), (103, leader.clone())]);
    let mut client = ::postgres::Client::connect(&place, NoTls).expect("it answers");
    let with: Vec<String> = client
        .query("SELECT DISTINCT finding FROM finding_file", &[])
        .expect("listed")
        .iter()
        .map(|row| row.get(0))
        .collect();
    assert_eq!(with, [leader]);
    let bare = "INSERT INTO finding VALUES (1, 'x', 101, 0, 'p', 'c', 'crash', '', 's', NULL, '')";
    let refused = client.execute(bare, &[]).expect_err("a finding without a program");
    let said = refused.as_db_error().map(|error| error.message().to_owned());
    assert_eq!(said.as_deref(), Some("finding x has no program"));
}

/// Roles of the database, as `deploy` has them: a worker tests what it may, and does nothing else.
fn a_hostile_worker_is_held(server: &Server, name: &str) {
    let place = server.database(name);
    let owner = Store::open(Path::new(&place)).expect("a store");
    let (its, other) =
        (owner.campaign(&key("one")).expect("begun"), owner.campaign(&key("two")).expect("begun"));
    let secret = lease(&owner, other);
    owner.commit(other, &secret, &alarming(&owner, 100, "")).expect("kept");
    let mut client = server.client(name);
    let roles = include_str!("../../../deploy/postgres/roles.sql");
    client.batch_execute(roles).expect("the owner may");
    client.batch_execute(roles).expect("again");
    let mallory = format!(
        "CREATE ROLE mallory LOGIN IN ROLE plumb_worker; INSERT INTO access VALUES ('mallory', {})",
        its.number()
    );
    client.batch_execute(&mallory).expect("the owner may");

    let address = place.replace("//plumb@", "//mallory@");
    let store = Store::open(Path::new(&address)).expect("it may");
    assert_eq!(store.campaign(&key("one")).expect("found"), its);
    let seen: Vec<CampaignId> = store.campaigns().expect("listed").iter().map(|row| row.id).collect();
    assert_eq!(seen, [its]);
    assert_eq!(store.work().expect("listed").len(), 1);
    let held = lease(&store, its);
    for seed in [101, 100] {
        let row = alarming(&store, seed, "the same");
        assert_eq!(store.commit(its, &held, &row).expect("kept"), Kept::New, "as a right worker does");
    }
    store.finish(its, &held).expect("finished");
    let found: Vec<u64> = store.findings().expect("listed").iter().map(|row| row.seed).collect();
    assert_eq!(found, [100, 101], "its own alone");
    assert!(store.campaign(&key("three")).is_err(), "campaigns are the owner's");

    let mut client = ::postgres::Client::connect(&address, NoTls).expect("it answers");
    let counts = client.query_one("SELECT count(*) FROM finding_file WHERE campaign <> $1", &[&its.number()]);
    assert_eq!(counts.expect("an answer").get::<_, i64>(0), 0);
    let (its, other) = (its.number(), other.number());
    for bad in [
        format!("INSERT INTO finding VALUES ({its}, 'x', 101, 0, 'p', 'c', 'crash', '', 's', NULL, '')"),
        format!(
            "CREATE TEMP TABLE finding_file (campaign BIGINT, finding TEXT, name TEXT); \
             INSERT INTO pg_temp.finding_file VALUES ({its}, 'x', 'program.c'); \
             INSERT INTO finding VALUES ({its}, 'x', 101, 0, 'p', 'c', 'crash', '', 's', NULL, '')"
        ),
        format!("INSERT INTO program VALUES ({other}, 7, 'p', NULL, '', '', 0, 0, '')"),
        format!("INSERT INTO lease (campaign, first, count) VALUES ({other}, 1000, 4)"),
        "UPDATE campaign SET words = '[]'".to_owned(),
        "UPDATE result SET verdict = 'pass'".to_owned(),
        "UPDATE finding_file SET bytes = ''".to_owned(),
        "DELETE FROM finding_file".to_owned(),
        "DELETE FROM program".to_owned(),
        "INSERT INTO access VALUES ('mallory', NULL)".to_owned(),
        "SELECT * FROM access".to_owned(),
        "SET ROLE plumb".to_owned(),
    ] {
        assert!(client.batch_execute(&bad).is_err(), "{bad}");
    }
    assert_eq!(
        client.execute("UPDATE lease SET done = true WHERE campaign = $1", &[&other]).expect("none seen"),
        0
    );
    let still = owner.totals(owner.campaign(&key("two")).expect("found")).expect("counted");
    assert_eq!((still.programs, still.all_alarms()), (1, 1));
}
