//! `plumb reduce --finding ID`

use super::view::{Line, Progress};
use super::{chosen, jobs, key, say};
use crate::args::Reduce;
use crate::commands::items;
use crate::output;
use campaign::configurations::INPUT;
use campaign::reduction::{self, Options, Reduced, Watch};
use campaign::store::Store;
use campaign::{Error, exit};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use toolchain::stop;

/// Reduces the finding whose name begins so.
pub fn run(args: &Reduce, id: &str) -> Result<u8, Error> {
    let store = Store::read(&args.store)?;
    let id = store.named(id)?.id;
    let options = Options {
        jobs: jobs(args),
        time: args.time,
        again: args.again,
        passes: chosen(args.passes.as_deref())?,
        ..Options::default()
    };
    let skip = Arc::new(AtomicBool::new(false));
    let keys = key::Keys::listen(&skip);
    let mut progress = Progress::new(args.json);
    let mut watch = Watch { stop: &stop::requested, skip: &skip, observer: &mut progress, shared: None };
    let done = reduction::reduce_watched(&store, &id, &options, &mut watch);
    drop(keys);
    progress.clear();
    let reduced = done?;
    let stopped = reduced.stopped;
    if args.json {
        output::json(&Line::Finding(reduced));
    } else {
        print(&reduced)?;
    }
    Ok(if stopped { exit::UNKNOWN } else { exit::OK })
}

/// Reduces what is not reduced yet, or everything anew: one finding after the other, or, where many machines share the store,
/// with all of them.
pub fn all(args: &Reduce) -> Result<u8, Error> {
    let store = Store::read(&args.store)?;
    let options = Options {
        jobs: jobs(args),
        again: args.again,
        passes: chosen(args.passes.as_deref())?,
        ..Options::default()
    };
    let mut ids = Vec::new();
    for row in store.findings()?.into_iter().filter(|row| row.evidence_of.is_empty()) {
        let known = reduction::result(&store.fetch(&row.id)?)?.filter(|known| !known.stopped);
        if args.again || known.is_none() {
            ids.push(row.id);
        }
    }
    let (count, mut done, mut open) = (ids.len(), 0, 0);
    let mut tell = |id: &str, reduced: Result<Reduced, String>| {
        done += 1;
        let text = match &reduced {
            Ok(Reduced { tokens_before, tokens, .. }) => format!("{tokens_before} -> {tokens} tokens"),
            Err(why) => format!("not reduced: {why}"),
        };
        say(args.json, &format!("{done} of {count}: {id}: {text}"));
        match reduced {
            Ok(reduced) if args.json => output::json(&Line::Finding(reduced)),
            Ok(_) => {}
            Err(why) => {
                open += 1;
                if args.json {
                    output::json(&Line::NotReduced { id: id.to_owned(), why });
                }
            }
        }
        output::check()
    };
    if store.is_shared() {
        items::reduction::share(&store, &ids, &options, &mut tell)?;
    } else {
        for id in &ids {
            if stop::requested() {
                break;
            }
            match reduction::reduce_finding(&store, id, &options) {
                Ok(reduced) => tell(id, Ok(reduced))?,
                Err(error @ Error::Resource(_)) if stop::requested() => return Err(error),
                Err(error) => tell(id, Err(error.to_string()))?,
            }
        }
    }
    Ok(if open == 0 && done == count { exit::OK } else { exit::UNKNOWN })
}

fn print(reduced: &Reduced) -> Result<(), Error> {
    let path = reduced.directory.join(INPUT);
    let text = std::fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
    output::line(String::from_utf8_lossy(&text).trim_end());
    let Reduced { tokens_before, bytes_before, tokens, bytes, .. } = reduced;
    say(
        false,
        &format!(
            "{}: {tokens_before} tokens, {bytes_before} bytes -> {tokens} tokens, {bytes} bytes in {:.1} s, {} tests",
            reduced.id, reduced.seconds, reduced.tests
        ),
    );
    say(false, &format!("shows with: {}", reduced.configuration));
    if !reduced.options_removed.is_empty() {
        say(false, &format!("does not need: {}", reduced.options_removed.join(" ")));
    }
    if !reduced.references.is_empty() {
        say(false, &format!("right with: {}", reduced.references.join(", ")));
    }
    if reduced.stopped {
        say(false, "stopped early; the same command goes on from here");
    }
    say(false, &format!("kept in {}", reduced.directory.display()));
    Ok(())
}
