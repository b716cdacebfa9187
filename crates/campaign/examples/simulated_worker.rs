//! A worker whose compilers only sleep, for `benches/fleet.py`: what the store costs, and what becomes of a campaign whose
//! workers are killed.
//!
//! `simulated_worker STORE PROGRAMS MILLISECONDS LEASE-MILLISECONDS RANGE [leases]` takes ranges of RANGE programs of a
//! campaign of PROGRAMS until nothing is left, sleeps MILLISECONDS for each program, and says how many leases and programs it
//! had, how many seconds it worked, and how many of these it waited for the store. With `leases` it commits no program.

use campaign::Error;
use campaign::store::{
    Batch, Brought, CampaignId, CampaignKey, ConfigurationKey, FindingRow, Kept, Lease, Needs, Offer,
    ProgramRow, ResultRow, RowVerdict, Store,
};
use campaign::verdict::FindingKind;
use std::path::Path;
use std::time::{Duration, Instant};

/// One program in so many shows one of `BUGS` bugs.
const ALARMING: u64 = 10;
const BUGS: u64 = 7;

/// What a worker is told, and what it counts.
struct Worker {
    store: Store,
    campaign: CampaignId,
    programs: u64,
    sleep: Duration,
    range: u64,
    /// Only takes and finishes leases.
    bare: bool,
    leases: u64,
    tested: u64,
    waited: Duration,
}

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let (Some(place), Some(programs), Some(sleep), Some(lease), Some(range)) =
        (words.first(), number(1), number(2), number(3), number(4))
    else {
        return Err(Error::Usage("expected STORE PROGRAMS MILLISECONDS LEASE-MILLISECONDS RANGE".to_owned()));
    };
    let store = Store::open_for(Path::new(place), Duration::from_millis(lease))?;
    let campaign = store.campaign(&key(programs))?;
    let mut worker = Worker {
        store,
        campaign,
        programs,
        sleep: Duration::from_millis(sleep),
        range,
        bare: words.get(5).is_some_and(|word| word == "leases"),
        leases: 0,
        tested: 0,
        waited: Duration::ZERO,
    };
    let begun = Instant::now();
    worker.work()?;
    let Worker { leases, tested, waited, .. } = worker;
    println!("{leases} {tested} {:.6} {:.6}", begun.elapsed().as_secs_f64(), waited.as_secs_f64());
    Ok(())
}

impl Worker {
    fn work(&mut self) -> Result<(), Error> {
        loop {
            let asked = Instant::now();
            let offer = self.store.lease(self.campaign, 0, Some(self.programs), self.range)?;
            self.waited += asked.elapsed();
            match offer {
                Offer::Lease(lease) => self.all_of(&lease)?,
                Offer::Wait => std::thread::sleep(Duration::from_millis(50)),
                Offer::Done => return Ok(()),
            }
        }
    }

    fn all_of(&mut self, lease: &Lease) -> Result<(), Error> {
        self.leases += 1;
        let programs = if self.bare { &[] } else { lease.seeds.as_slice() };
        let mut batch = Batch::new(&self.store, self.campaign, lease);
        let (mut tested, mut waited) = (0, Duration::ZERO);
        let mut count = |(kept, rows): Brought| {
            tested += if kept == Kept::New { rows.len() as u64 } else { 0 };
            kept != Kept::Late
        };
        let mut holds = true;
        for &seed in programs {
            std::thread::sleep(self.sleep);
            let asked = Instant::now();
            holds = count(batch.add(self.program(seed)?)?);
            waited += asked.elapsed();
            if !holds {
                break;
            }
        }
        let asked = Instant::now();
        if holds {
            count(batch.end(true)?);
        }
        self.waited += waited + asked.elapsed();
        self.tested += tested;
        Ok(())
    }

    /// What the test of a program comes to: a function of its seed alone.
    fn program(&self, seed: u64) -> Result<ProgramRow, Error> {
        let verdict = |alarm| if alarm { RowVerdict::Alarm } else { RowVerdict::Pass };
        let alarm = seed.is_multiple_of(ALARMING);
        let results = [false, alarm].into_iter().enumerate();
        let results = results.map(|(configuration, alarm)| ResultRow {
            configuration,
            verdict: verdict(alarm),
            compile_us: 1,
            run_us: 1,
        });
        let findings = if alarm { vec![self.finding(seed)?] } else { Vec::new() };
        Ok(ProgramRow {
            seed,
            name: format!("seed {seed}"),
            rejected: None,
            strategies: String::new(),
            compilers_us: 2,
            plumb_us: 1,
            results: results.collect(),
            findings,
        })
    }

    fn finding(&self, seed: u64) -> Result<FindingRow, Error> {
        let id = format!("crash-{seed:010x}");
        let dir = self.store.findings_dir().join(&id);
        let file = dir.join("program.c");
        std::fs::create_dir_all(&dir).map_err(|error| Error::file("make", &dir, &error))?;
        std::fs::write(&file, format!("int x = {seed};\n"))
            .map_err(|error| Error::file("write", &file, &error))?;
        Ok(FindingRow {
            id,
            seed,
            program: format!("seed {seed}"),
            configuration: "cc -O2".to_owned(),
            kind: FindingKind::Crash,
            signature: format!("bug {}", seed / ALARMING % BUGS),
            summary: "it ends".to_owned(),
            doubt: None,
            strategies: String::new(),
            evidence_of: String::new(),
        })
    }
}

fn key(programs: u64) -> CampaignKey {
    let configuration = |level: &str| ConfigurationKey {
        label: format!("cc {level}"),
        compiler: "cc".to_owned(),
        level: level.to_owned(),
        version: String::new(),
        hash: String::new(),
    };
    CampaignKey {
        key: "simulated".to_owned(),
        title: "simulated".to_owned(),
        configurations: vec![configuration("-O0"), configuration("-O2")],
        words: Vec::new(),
        total: Some(programs),
        needs: Needs::default(),
    }
}
