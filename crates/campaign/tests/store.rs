//! One suite for both back ends of the store, and what only the one of many machines promises.

mod postgres;
#[cfg(feature = "s3")]
mod s3;
mod store_parts;

use ::postgres::NoTls;
use campaign::Error;
use campaign::store::{
    Batch, CampaignId, CampaignKey, ConfigurationKey, Copied, Decision, FileRow, FindingRow, Has, Job, Kept,
    Lease, Needs, Offer, Outcome, Outcomes, ProgramRow, ResultRow, RowVerdict, Store, TriageRow, copy,
};
use campaign::verdict::{Answer, FindingKind, Inconclusive, InconclusiveKind, Rejection};
use postgres::Server;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
        needs: Needs::default(),
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
    assert_eq!(store.triage_of("a").expect("listed"), Some(row("a", 1)));
    assert_eq!(store.triage_of("c").expect("listed"), None);
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
    items_once(&server.database("items"));
    store_parts::go_with_their_item(&server, "parts");
    programs_come_together(&server, "together");
    big_files_lie_in_a_bucket(&server, dir.path());
    a_store_of_the_first_version_is_raised(&server, "first");
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
    cut_connections_change_nothing(&mut server, "cut");
}

/// The same with a bucket of S3, as far as it is built in: in a process of its own, which has the keys from a file.
#[test]
fn files_lie_in_a_bucket_of_s3() {
    #[cfg(not(feature = "s3"))]
    {
        eprintln!("\n*** built without the feature `s3`: buckets of S3 are NOT TESTED here ***\n");
        assert!(std::env::var_os("PLUMB_NEED_S3").is_none(), "PLUMB_NEED_S3 is set");
    }
    #[cfg(feature = "s3")]
    {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let keys = dir.path().join("keys");
        let text = format!("[default]\naws_access_key_id={}\naws_secret_access_key=hush\n", s3::KEY);
        std::fs::write(&keys, text).expect("writable");
        let mut inner = std::process::Command::new(std::env::current_exe().expect("this test"));
        inner.args(["--ignored", "--exact", "--nocapture", "with_keys_from_a_file"]);
        let done = inner.env("AWS_SHARED_CREDENTIALS_FILE", keys).env_remove("AWS_ACCESS_KEY_ID").output();
        let done = done.expect("it starts");
        let said = [done.stdout, done.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(done.status.success() && said.contains("1 passed"), "{said}");
        assert!(!said.contains("hush"), "{said}");
    }
}

#[cfg(feature = "s3")]
#[test]
#[ignore = "`files_lie_in_a_bucket_of_s3` runs it with keys"]
fn with_keys_from_a_file() {
    let Some(server) = Server::start() else { return };
    let bucket = s3::S3::start();
    let place = |name: &str| {
        let store = server.database(name);
        keeps_files_in(&server, name, &bucket.place(name));
        store
    };
    let (one, other) = (place("one"), place("other"));
    conforms(Path::new(&one));
    assert_eq!(bucket.names("one").len(), 2, "`reduced/program.c` and `later`");
    copies(Path::new(&one), Path::new(&other));
    assert_eq!(bucket.names("other"), [""; 0]);
    items_once(&other);
    assert_eq!(bucket.names("other"), [""; 0]);
    let store = Store::open(Path::new(&one)).expect("it is there");
    let campaign = store.campaign(&key("again")).expect("begun");
    let held = lease(&store, campaign);
    bucket.away(true);
    let row = alarming(&store, 101, "");
    let error = store.commit(campaign, &held, &row).expect_err("nowhere to put it");
    assert!(matches!(error, Error::Resource(_)), "{error}");
    println!("{error}");
    bucket.away(false);
    assert_eq!(store.commit(campaign, &held, &row).expect("kept"), Kept::New);
    bucket.damage();
    let said =
        Store::read(Path::new(&one)).expect("it is there").fetch("crash-0000000066").expect_err("damaged");
    assert!(said.to_string().contains("SHA-256"), "{said}");
}

/// Four workers behind a proxy that cuts every connection after some thousand bytes, in the middle of whatever it is.
fn cut_connections_change_nothing(server: &mut Server, name: &str) {
    let port = server.listen(None);
    server.database(name);
    let (proxy, cuts) = cutting_proxy(port);
    let place = format!("postgresql://plumb@127.0.0.1:{proxy}/{name}");
    let campaign = Store::open(Path::new(&place)).expect("a store").campaign(&key("one")).expect("begun");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = Store::open_for(Path::new(&place), Duration::from_millis(500)).expect("a store");
                loop {
                    match store.lease(campaign, 0, Some(300), 4).expect("an answer") {
                        Offer::Lease(lease) => work_on(&store, campaign, &lease),
                        Offer::Wait => std::thread::sleep(Duration::from_millis(50)),
                        Offer::Done => return,
                    }
                }
            });
        }
    });
    assert!(cuts.load(Ordering::SeqCst) > 10, "it was to be cut often: {cuts:?}");
    let store = Store::read(Path::new(&server.address(name))).expect("it is there");
    let totals = store.totals(campaign).expect("counted");
    assert_eq!((totals.programs, totals.all_alarms(), totals.distinct()), (300, 30, 1));
    let found = store.findings().expect("listed");
    let leader = &found.iter().find(|row| row.seed == 0).expect("the first").id;
    assert!(found.iter().all(|row| row.seed == 0 || row.evidence_of == *leader));
    let open = "SELECT count(*) FROM lease WHERE NOT done";
    assert_eq!(server.client(name).query_one(open, &[]).expect("counted").get::<_, i64>(0), 0);
}

fn work_on(store: &Store, campaign: CampaignId, lease: &Lease) {
    let mut batch = Batch::new(store, campaign, lease);
    for &seed in &lease.seeds {
        let row = if seed % 10 == 0 { alarming(store, seed, "a bug") } else { program(seed) };
        if batch.add(row).expect("an answer").0 == Kept::Late {
            return;
        }
    }
    batch.end(true).expect("an answer");
}

/// The port of a proxy in front of another, and how often it cut a connection.
fn cutting_proxy(port: u16) -> (u16, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let own = listener.local_addr().expect("bound").port();
    let cuts = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&cuts);
    // It ends with the test's process.
    std::thread::spawn(move || {
        for (number, client) in listener.incoming().flatten().enumerate() {
            let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
            let most = 6_000 + 977 * (number % 17);
            for (from, to) in [(&client, &server), (&server, &client)] {
                let (mut from, mut to) = (from.try_clone().expect("open"), to.try_clone().expect("open"));
                let cuts = Arc::clone(&counted);
                std::thread::spawn(move || {
                    let mut bytes = [0; 512];
                    let mut passed = 0;
                    while let Ok(count @ 1..) = from.read(&mut bytes) {
                        passed += count;
                        if passed > most {
                            cuts.fetch_add(1, Ordering::SeqCst);
                            break;
                        }
                        if to.write_all(&bytes[..count]).is_err() {
                            break;
                        }
                    }
                    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
                });
            }
        }
    });
    (own, cuts)
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

/// A range's programs are one transaction, with the mark that it is through; what a late worker brings so is refused.
fn programs_come_together(server: &Server, name: &str) {
    let place = server.database(name);
    let open = || Store::open_for(Path::new(&place), Duration::from_millis(300)).expect("a store");
    let (store, other) = (open(), open());
    let campaign = store.campaign(&key("one")).expect("begun");
    let count = || {
        let sql = "SELECT count(*) FROM program WHERE campaign = $1";
        server.client(name).query_one(sql, &[&campaign.number()]).expect("counted").get::<_, i64>(0)
    };
    let held = lease(&store, campaign);
    let mut batch = Batch::new(&store, campaign, &held);
    assert_eq!(batch.add(program(100)).expect("waits"), (Kept::Known, Vec::new()));
    assert_eq!(count(), 0);
    let (kept, rows) = batch.add(alarming(&store, 101, "a bug")).expect("a finding waits for nothing");
    assert_eq!((kept, rows.len(), count()), (Kept::New, 2, 2));
    assert_eq!(batch.add(program(102)).expect("waits").1, []);
    let (kept, rows) = batch.add(program(103)).expect("the last");
    assert_eq!((kept, rows.len(), count()), (Kept::New, 2, 4));
    assert_eq!(batch.end(true).expect("nothing to do"), (Kept::Known, Vec::new()));
    let done = "SELECT count(*) FROM lease WHERE done";
    assert_eq!(server.client(name).query_one(done, &[]).expect("counted").get::<_, i64>(0), 1);

    let late = lease(&store, campaign);
    let mut batch = Batch::new(&store, campaign, &late);
    batch.add(program(104)).expect("waits");
    std::thread::sleep(Duration::from_millis(400));
    let taken: Vec<Lease> = (0..4).map(|_| lease(&other, campaign)).collect();
    let again = taken.iter().find(|lease| lease.seeds == late.seeds).expect("it was free again");
    assert_eq!(batch.end(false).expect("an answer").0, Kept::Late);
    assert_eq!(count(), 4);
    let mut batch = Batch::new(&other, campaign, again);
    for seed in 104..108 {
        batch.add(program(seed)).expect("kept");
    }
    assert_eq!(count(), 8);
}

/// What a worker has, with so much memory.
fn has(memory: u64) -> Has {
    Has { host: "here".to_owned(), architecture: "x86_64".to_owned(), memory, jobs: 1 }
}

/// Items are handed out to who can do them, under epochs, and what comes of each is kept once.
fn items_once(place: &str) {
    let open = || Store::open_for(Path::new(place), Duration::from_millis(300)).expect("a store");
    let (one, other) = (open(), open());
    let file = |name: &str, bytes: &[u8]| FileRow {
        name: name.to_owned(),
        executable: false,
        bytes: bytes.to_vec(),
    };
    let job = Job {
        kind: "test".to_owned(),
        title: "a test".to_owned(),
        spec: "{}".to_owned(),
        needs: Needs { architecture: "x86_64".to_owned(), memory: 100 },
        files: vec![file("a/b", &[0, 1]), file("c", b"d")],
        inputs: vec!["0".to_owned(), "1".to_owned()],
    };
    let id = one.begin_job(&job).expect("begun");
    assert_eq!(other.begin_job(&job).expect("found"), id);
    assert_eq!(one.job_files(id, "a/").expect("read"), [file("a/b", &[0, 1])]);
    let arm = Has { architecture: "aarch64".to_owned(), ..has(1000) };
    for unfit in [has(99), arm] {
        assert_eq!(other.take_item(&unfit, &[], &[]).expect("an answer"), None, "{unfit:?}");
        assert_eq!(other.items(&unfit, &[]).expect("an answer"), (false, false));
    }
    assert_eq!(other.take_item(&has(100), &[], &[id]).expect("an answer"), None, "it was refused");
    let take = |store: &Store| store.take_item(&has(100), &[id], &[]).expect("an answer");
    let first = take(&one).expect("an item");
    assert_eq!((first.number, first.input.as_str()), (0, "0"));
    let second = take(&other).expect("the other one");
    assert_eq!((second.number, take(&other)), (1, None));
    assert_eq!(one.items(&has(100), &[]).expect("an answer"), (false, true));
    // Who is silent loses it, and what he brings then is refused; a sign of life keeps it.
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(100));
        other.renew_items().expect("renewed");
    }
    let again = take(&other).expect("the first again");
    assert_eq!(again.number, 0);
    assert_eq!(one.keep_item(&first, &[file("answer", b"late")]).expect("an answer"), Kept::Late);
    assert_eq!(other.keep_item(&again, &[file("answer", b"x")]).expect("kept"), Kept::New);
    assert_eq!(
        other.keep_item(&again, &[file("answer", b"y")]).expect("an answer"),
        Kept::Late,
        "it is done"
    );
    other.give_back_item(&second, false).expect("given back");
    let wanted = [(id, 0), (id, 1)];
    let done = one.outcomes(&wanted).expect("read");
    assert_eq!(done, Outcomes::from([((id, 0), Outcome::Done(vec![file("answer", b"x")]))]));
    // One that nobody comes back from is given up; being given back untried does not count.
    for _ in 0..5 {
        let item = take(&one).expect("free");
        one.give_back_item(&item, true).expect("given back");
    }
    assert_eq!(take(&one), None);
    assert_eq!(one.outcomes(&wanted[1..]).expect("read"), Outcomes::from([((id, 1), Outcome::GivenUp)]));
    told_of_work(&one, &other, &job);
}

/// Whoever waits is told of what others begin; workers are listed with how they ended.
fn told_of_work(one: &Store, other: &Store, job: &Job) {
    while one.wait(Duration::from_millis(200)) {}
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let begun = Instant::now();
            (one.wait(Duration::from_secs(20)), begun.elapsed())
        });
        std::thread::sleep(Duration::from_millis(300));
        let another = Job { inputs: vec!["2".to_owned()], ..job.clone() };
        other.begin_job(&another).expect("begun");
        let (told, time) = waiting.join().expect("no panic");
        assert!(told && time < Duration::from_secs(10), "{told} after {time:?}");
    });
    one.sign_in(&has(100), "campaign 1").expect("written");
    other.sign_in(&has(100), "").expect("written");
    other.last_words("nothing was left to do").expect("written");
    let rows = one.workers().expect("listed");
    let seen: Vec<(&str, Option<&str>)> =
        rows.iter().map(|row| (row.doing.as_str(), row.words.as_deref())).collect();
    assert_eq!(seen, [("", Some("nothing was left to do")), ("campaign 1", None)]);
    assert_eq!(one.prune_jobs(Duration::ZERO, true).expect("counted"), 2);
    assert_eq!(one.prune_jobs(Duration::ZERO, false).expect("gone"), 2);
    assert_eq!(one.items(&has(100), &[]).expect("an answer"), (false, false));
}

/// Has a database keep all files but programs in a bucket.
fn keeps_files_in(server: &Server, name: &str, bucket: &str) {
    drop(Store::open(Path::new(&server.address(name))).expect("its tables are made"));
    let sql = "INSERT INTO bucket (place, above, patience, grace) VALUES ($1, 0, '1 s', '0')";
    server.client(name).execute(sql, &[&bucket]).expect("the owner may");
}

/// A database whose files lie beside it conforms as one that has them, and says so if one is missing or damaged.
fn big_files_lie_in_a_bucket(server: &Server, dir: &Path) {
    let place = |name: &str| {
        let bucket = dir.join(format!("bucket-{name}"));
        std::fs::create_dir(&bucket).expect("writable");
        let store = server.database(name);
        keeps_files_in(server, name, &format!("file://{}", bucket.display()));
        (store, bucket)
    };
    let names = |bucket: &Path| {
        let entries = std::fs::read_dir(bucket).expect("it is there");
        entries.map(|entry| entry.expect("listed").path()).collect::<Vec<_>>()
    };
    let (one, bucket) = place("beside");
    conforms(Path::new(&one));
    assert_eq!(names(&bucket).len(), 2, "`reduced/program.c` and `later`");
    copies(Path::new(&one), &dir.join("copied-from-bucket"));
    let (other, emptied) = place("beside too");
    copies(Path::new(&one), Path::new(&other));
    assert_eq!(names(&emptied), Vec::<std::path::PathBuf>::new(), "what nobody names is gone");
    items_once(&other);
    assert_eq!(names(&emptied), Vec::<std::path::PathBuf>::new());

    let fetch = || {
        let store = Store::read(Path::new(&one)).expect("it is there");
        store
            .fetch("crash-0000000066")
            .map(|dir| std::fs::read(dir.join("reduced/program.c")).expect("written"))
    };
    assert_eq!(fetch().expect("whole"), [0, 255, 10]);
    let damaged = names(&bucket);
    for path in &damaged {
        std::fs::write(path, "else").expect("writable");
    }
    let said = fetch().expect_err("damaged").to_string();
    assert!(said.contains("SHA-256") && said.contains("file `"), "{said}");
    damaged.iter().for_each(|path| std::fs::remove_file(path).expect("writable"));
    let said = fetch().expect_err("missing").to_string();
    assert!(said.contains("is not there") && said.contains("file `"), "{said}");
    // One that is away loses nothing: what could not be brought is brought once it is back.
    let store = Store::open(Path::new(&one)).expect("it is there");
    let campaign = store.campaign(&key("again")).expect("begun");
    let held = lease(&store, campaign);
    let away = dir.join("away");
    std::fs::rename(&bucket, &away).expect("writable");
    let row = alarming(&store, 101, "");
    let error = store.commit(campaign, &held, &row).expect_err("nowhere to put it");
    assert!(
        matches!(error, Error::Resource(_)) && error.to_string().contains("nothing committed is lost"),
        "{error}"
    );
    assert_eq!(store.totals(campaign).expect("counted").programs, 0);
    std::fs::rename(&away, &bucket).expect("writable");
    assert_eq!(store.commit(campaign, &held, &row).expect("kept"), Kept::New);
}

/// A store that a plumb before this one made goes on.
fn a_store_of_the_first_version_is_raised(server: &Server, name: &str) {
    let place = server.database(name);
    let mut client = server.client(name);
    client.batch_execute("CREATE TABLE plumb_schema (version BIGINT PRIMARY KEY)").expect("made");
    client.batch_execute(include_str!("../src/store/postgres/migrations/V1__store.sql")).expect("made");
    client.batch_execute("INSERT INTO plumb_schema VALUES (1)").expect("made");
    assert!(Store::read(Path::new(&place)).is_err(), "a reader does not raise it");
    conforms(Path::new(&place));
}

/// Roles of the database, as `deploy` has them: a worker tests what it may, and does nothing else.
fn a_hostile_worker_is_held(server: &Server, name: &str) {
    let place = server.database(name);
    let owner = Store::open(Path::new(&place)).expect("a store");
    let bucket = tempfile::tempdir().expect("a temporary directory");
    keeps_files_in(server, name, &format!("file://{}", bucket.path().display()));
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
        "UPDATE item SET input = ''".to_owned(),
        "UPDATE item_file SET bytes = ''".to_owned(),
        "INSERT INTO job (key, kind, version, title, spec, architecture, memory) VALUES ('', '', '', '', '', '', 0)".to_owned(),
        "INSERT INTO worker (id, role, host, architecture, memory, jobs, version) VALUES ('', 'plumb', '', '', 0, 0, '')".to_owned(),
        "INSERT INTO job_file (job, name, executable, bytes) VALUES (1, 'part/1/', false, '')".to_owned(),
        "SELECT parts_end()".to_owned(),
        "SET ROLE plumb".to_owned(),
        "SELECT * FROM bucket_file".to_owned(),
        "DELETE FROM bucket_file".to_owned(),
        "UPDATE bucket SET place = 's3://mallory'".to_owned(),
        format!("INSERT INTO finding_file VALUES ({its}, 'crash-0000000064', 'x', false, '', repeat('0', 64))"),
        format!(
            "SELECT putting(ARRAY[repeat('0', 64)]); INSERT INTO finding VALUES ({its}, 'x', 101, 0, 'p', 'c', 'crash', '', 's', \
             NULL, ''); INSERT INTO finding_file VALUES ({its}, 'x', 'program.c', false, '', repeat('0', 64))"
        ),
    ] {
        assert!(client.batch_execute(&bad).is_err(), "{bad}");
    }
    assert_eq!(
        client.execute("UPDATE lease SET done = true WHERE campaign = $1", &[&other]).expect("none seen"),
        0
    );
    // Parts are for those who see items, and then of what they hold alone.
    let job = Job {
        kind: "test".to_owned(),
        title: String::new(),
        spec: String::new(),
        needs: Needs::default(),
        files: Vec::new(),
        inputs: vec![String::new(), String::new()],
    };
    let id = owner.begin_job(&job).expect("begun");
    let theirs = owner.take_item(&has(100), &[], &[]).expect("an answer").expect("an item");
    let hand = |item| store.hand_out(item, "", &[Vec::new()], false);
    let functions =
        ["hand_out(1, 0, 1, '', ARRAY[''::bytea])", "withdraw(1, 0, 1, ARRAY[1])", "keep_state(1, 0, 1, '')"];
    for function in functions {
        let sql = format!("SELECT count(*) FROM {function} AS done WHERE done::text <> 'false'");
        assert_eq!(client.query_one(&sql, &[]).expect("an answer").get::<_, i64>(0), 0, "{function}");
    }
    assert_eq!(hand(&theirs).expect("an answer"), None, "it sees no items");
    server
        .client(name)
        .batch_execute("INSERT INTO access VALUES ('mallory', NULL, true)")
        .expect("the owner may");
    let mine = store.take_item(&has(100), &[], &[]).expect("an answer").expect("the other item");
    assert_eq!(hand(&mine).expect("an answer"), Some(vec![1]));
    assert!(store.keep_state(&mine, b"far").expect("an answer"));
    let files = owner.job_files(id, "").expect("read");
    assert_eq!(
        files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
        ["state/1"],
        "and nothing else of the owner's"
    );
    assert!(client.batch_execute("INSERT INTO job (key, kind, version, title, spec, architecture, memory, of_job, of_number, of_epoch) VALUES ('k', 'test-part', '', '', '', '', 0, 1, 1, 1)").is_err());
    let still = owner.totals(owner.campaign(&key("two")).expect("found")).expect("counted");
    assert_eq!((still.programs, still.all_alarms()), (1, 1));
}
