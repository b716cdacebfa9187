//! `plumb prove`: function by function, in worker processes, with a verdict for each.

mod answer;
mod input;
mod json;
mod native;
pub mod refutation;
mod summary;
mod worker;

pub use json::Line;

/// The hidden command of the process that proves.
pub fn work() -> u8 {
    super::workers::run::<Pair>()
}

use crate::args::Prove;
use crate::commands::items::{Tasks, open, share};
use crate::commands::workers::Progress;
use crate::output::{self, Exit};
use answer::Answer;
use campaign::store::Store;
use campaign::toolchain::stop;
use campaign::{Error, exit};
use equiv::{Ending, Verdict};
use input::Unit;
use json::{Ended, FileLine, FileVerdict, FunctionLine};
use langs::native::Finding;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use summary::Summary;
pub use worker::Pair;
use worker::{Listed, Listing, Task};

/// A process that proves.
type Worker = super::workers::Worker<Pair>;

/// A function to answer for.
struct Item {
    unit: usize,
    listed: Listed,
}

/// Runs the command.
pub fn run(args: &Prove) -> Result<u8, Error> {
    if let Some(hints) = &args.hints {
        std::fs::metadata(hints).map_err(|error| Error::file("read", hints, &error))?;
    }
    let (units, _made) = input::units(args)?;
    let mut unreadable = 0;
    let mut items = Vec::new();
    // The worker that listed a file goes on with it, so that a large file is read once.
    let ready: Mutex<Option<(usize, Worker)>> = Mutex::new(None);
    for (n, unit) in units.iter().enumerate() {
        let listing = Worker::start(&unit.job).map(|(worker, listing)| {
            if let (Listing::Functions(_), Ok(mut ready)) = (&listing, ready.lock()) {
                ready.get_or_insert((n, worker));
            }
            listing
        });
        // What cannot be read keeps no other file from being looked at.
        match listing.unwrap_or_else(|error| Listing::Unreadable(error.to_string())) {
            Listing::Unreadable(why) => {
                unreadable += 1;
                eprintln!("plumb: {why}");
                if args.json {
                    let (file, verdict) = (unit.label.clone(), FileVerdict::Unreadable);
                    output::json(&Line::File(FileLine { file, verdict, why }));
                }
            }
            Listing::Functions(list) => {
                let place = |l: Listed| Listed { place: unit.place(&l.place), ..l };
                items.extend(list.into_iter().map(|l| Item { unit: n, listed: place(l) }));
            }
        }
    }
    let items = chosen(args, &units, items)?;
    if items.is_empty() && unreadable == 0 {
        return Err(Error::Usage("there is no function in what was given".to_owned()));
    }
    if items.is_empty() && !args.json {
        return Ok(exit::USAGE);
    }
    if let Some(dir) = args.certificate.as_ref().filter(|_| !args.check) {
        std::fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, &error))?;
    }
    let mut summary = Summary::new(items.len());
    let progress = Progress::new(items.len(), "functions");
    let (send, receive) = mpsc::channel();
    let next = AtomicUsize::new(0);
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |jobs| usize::from(jobs.get()),
    );
    let store = open(args.store.as_deref())?;
    let mut failed = None;
    let shared = std::thread::scope(|scope| {
        let sharing = store.as_ref().map(|store| {
            let (send, items, units) = (send.clone(), &items, &units);
            scope.spawn(move || share_out(args, units, items, (store, jobs), &send))
        });
        let alone = if sharing.is_some() { 0 } else { jobs.min(items.len()) };
        for _ in 0..alone {
            let (send, next, items, units, ready) = (send.clone(), &next, &items, &units, &ready);
            scope.spawn(move || work_off(args, units, items, (next, ready), &send));
        }
        drop(send);
        // Lines come in the order of the files, whoever is first.
        let mut early: BTreeMap<usize, Answer> = BTreeMap::new();
        let mut due = 0;
        for (n, answer) in receive {
            early.insert(n, answer);
            while let Some(answer) = early.remove(&due) {
                let (item, unit) = (&items[due], &units[items[due].unit]);
                let lines = tell(args, unit, item, &answer);
                summary.add(&item.listed.name, &answer);
                progress.around(summary.done, &summary.counts(), || output::line(&lines));
                if let Some(dir) = args.certificate.as_ref().filter(|_| !args.check)
                    && let Err(error) = keep(dir, unit, &item.listed.name, &answer)
                {
                    failed.get_or_insert(error);
                }
                due += 1;
            }
        }
        sharing
            .map_or(Ok(()), |sharing| sharing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    progress.end();
    shared?;
    if args.json {
        output::json(&Line::Summary(summary.to_json()));
    } else {
        output::line(&summary.to_text(args.unsupported));
    }
    if let Some(error) = failed {
        return Err(error);
    }
    // A certificate that is missing proves nothing; hints that cannot be read are a mistake of whoever wrote them.
    let malformed = args.hints.is_some() && summary.unusable > 0;
    let exit = if unreadable > 0 || malformed { summary.exit().max(Exit::Usage) } else { summary.exit() };
    Ok(exit.code())
}

/// The functions asked for: by name, or a sample that the seed alone decides.
fn chosen(args: &Prove, units: &[Unit], mut items: Vec<Item>) -> Result<Vec<Item>, Error> {
    if !args.function.is_empty() {
        items.retain(|item| args.function.contains(&item.listed.name));
        let missing = args.function.iter().find(|name| !items.iter().any(|i| i.listed.name == **name));
        if let Some(name) = missing {
            return Err(Error::Usage(format!("there is no function `{name}` in what was given")));
        }
    }
    if let Some(n) = args.sample {
        let key = |item: &Item| {
            let text = format!("{} {} {}", args.seed, units[item.unit].label, item.listed.name);
            hash(text.as_bytes())
        };
        let mut keys: Vec<u64> = items.iter().map(key).collect();
        keys.sort_unstable();
        if let Some(limit) = keys.get(n).copied() {
            items.retain(|item| key(item) < limit);
        }
    }
    Ok(items)
}

/// FNV-1a with a finaliser: the same on every machine.
fn hash(bytes: &[u8]) -> u64 {
    let h = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    let h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h ^ (h >> 31)
}

/// Answers for items until there are none, with a worker that is kept as long as it lives and fits.
fn work_off(
    args: &Prove,
    units: &[Unit],
    items: &[Item],
    (next, ready): (&AtomicUsize, &Mutex<Option<(usize, Worker)>>),
    send: &mpsc::Sender<(usize, Answer)>,
) {
    let mut kept: Option<(usize, Worker)> = ready.lock().ok().and_then(|mut ready| ready.take());
    loop {
        let n = next.fetch_add(1, Ordering::Relaxed);
        let Some(item) = items.get(n).filter(|_| !stop::requested()) else { return };
        let unit = &units[item.unit];
        let mut answer = match (&item.listed.lacks, task(args, unit, &item.listed.name)) {
            (Some(why), _) => Answer::unsupported(why.clone(), String::new()),
            (None, Err(why)) => Answer::certificate(why),
            (None, Ok(task)) => {
                let ready = match kept.take().filter(|(u, _)| *u == item.unit) {
                    Some((_, worker)) => Ok(worker),
                    None => Worker::start(&unit.job).map(|(worker, _)| worker),
                };
                match ready {
                    Ok(worker) => {
                        let (mut answer, worker) = worker.answer(&task);
                        answer.replaced = worker.is_none();
                        kept = worker.map(|worker| (item.unit, worker));
                        natively(unit, &item.listed.name, &mut answer);
                        answer
                    }
                    Err(error) => Answer::ended_as(Ending::NotStarted { why: error.to_string() }, None),
                }
            }
        };
        placed(item, &mut answer);
        if send.send((n, answer)).is_err() {
            return;
        }
    }
}

/// Has items answered by all workers of a store.
fn share_out(
    args: &Prove,
    units: &[Unit],
    items: &[Item],
    (store, jobs): (&Store, usize),
    send: &mpsc::Sender<(usize, Answer)>,
) -> Result<(), Error> {
    let mut tasks: Vec<Tasks<'_, Pair>> = units.iter().map(|unit| (&unit.job, Vec::new())).collect();
    // Of each unit the items that are asked for, in the order of its tasks.
    let mut numbers: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    let tell = |n: usize, mut answer: Answer| {
        placed(&items[n], &mut answer);
        // Who receives goes last.
        let _ = send.send((n, answer));
    };
    for (n, item) in items.iter().enumerate() {
        match (&item.listed.lacks, task(args, &units[item.unit], &item.listed.name)) {
            (Some(why), _) => tell(n, Answer::unsupported(why.clone(), String::new())),
            (None, Err(why)) => tell(n, Answer::certificate(why)),
            (None, Ok(task)) => {
                tasks[item.unit].1.push(task);
                numbers[item.unit].push(n);
            }
        }
    }
    share::<Pair>(store, jobs, &tasks, |unit, number, mut answer| {
        let n = numbers[unit][number];
        natively(&units[unit], &items[n].listed.name, &mut answer);
        tell(n, answer);
    })
}

/// Says of what is unsupported where it is, if nobody did.
fn placed(item: &Item, answer: &mut Answer) {
    if let Verdict::Unsupported { place, .. } = &mut answer.report.verdict
        && place.is_empty()
    {
        place.clone_from(&item.listed.place);
    }
}

/// Runs a refutation natively, and says what came of it.
fn natively(unit: &Unit, function: &str, answer: &mut Answer) {
    let found = match answer.native.take() {
        None => return,
        Some(Ok(plan)) => native::confirm(unit, function, &plan),
        Some(Err(why)) => Finding::NotPossible(why),
    };
    answer.ran_natively(found);
}

/// The work on a function, with its certificate or hint where one is asked for.
fn task(args: &Prove, unit: &Unit, function: &str) -> Result<Task, String> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
    };
    let certificate = match (&args.certificate, &args.hints) {
        (Some(dir), _) if args.check => {
            let path = certificate_path(dir, unit, function);
            if !path.is_file() {
                return Err(format!("no certificate `{}`", path.display()));
            }
            Some(read(&path)?)
        }
        (_, Some(hints)) if hints.is_dir() => {
            let path = certificate_path(hints, unit, function);
            path.is_file().then(|| read(&path)).transpose()?
        }
        (_, Some(hints)) => Some(read(hints)?),
        (_, None) => None,
    };
    Ok(Task { function: function.to_owned(), certificate, check: args.check })
}

/// Where a function's certificate is; other characters than plain ones are spelled by their codes.
fn certificate_path(dir: &Path, unit: &Unit, function: &str) -> PathBuf {
    let mut name = format!("{}.", unit.stem);
    for b in function.bytes() {
        if b.is_ascii_alphanumeric() || b == b'_' || b == b'.' {
            name.push(char::from(b));
        } else {
            name.push_str(&format!("%{b:02x}"));
        }
    }
    // File names end at 255 bytes.
    if name.len() > 200 {
        let tail = format!("~{:016x}", hash(function.as_bytes()));
        let cut: String = name.chars().take(180).collect();
        name = cut + &tail;
    }
    dir.join(name + ".json")
}

fn keep(dir: &Path, unit: &Unit, function: &str, answer: &Answer) -> Result<(), Error> {
    let path = certificate_path(dir, unit, function);
    match answer.report.verdict.certificate() {
        Some(certificate) => std::fs::write(&path, certificate.to_text())
            .map_err(|error| Error::file("write", path.clone(), &error)),
        None => {
            // One of an earlier run would now be wrong.
            let _ = std::fs::remove_file(&path);
            Ok(())
        }
    }
}

/// The function's line, or lines.
fn tell(args: &Prove, unit: &Unit, item: &Item, answer: &Answer) -> String {
    let (name, place) = (&item.listed.name, &item.listed.place);
    if args.json {
        let line = FunctionLine::of(name, &unit.label, place, answer);
        return output::json_text(&Line::Function(Box::new(line)));
    }
    let verdict = &answer.report.verdict;
    let late = answer.ended().filter(|how| matches!(how, Ended::Time | Ended::Memory));
    let late = late.map_or_else(String::new, |how| format!(" ({})", how.words()));
    let mut line = format!("{name}: {}{late}", verdict.kind().name());
    if answer.tried {
        line.push_str(&format!(" in {:.0} ms", answer.report.time.as_secs_f64() * 1e3));
    }
    line.push_str(&format!(": {}", answer.report.headline()));
    let wanted = match verdict {
        Verdict::Unsupported { place, .. } => {
            line.push_str(&format!(" [{place}]"));
            false
        }
        Verdict::Unknown(_) => {
            line.push_str(&format!(" [{place}]"));
            !args.function.is_empty()
        }
        Verdict::Refuted(_) => {
            line.push_str(&format!(" [{place}]"));
            true
        }
        Verdict::Proved(_) | Verdict::Conditional { .. } | Verdict::Bounded { .. } => false,
    };
    if wanted || args.verbose {
        for detail in answer.details().lines() {
            line.push_str(&format!("\n    {detail}"));
        }
    }
    line
}
