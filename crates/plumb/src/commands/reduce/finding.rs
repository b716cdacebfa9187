//! `plumb reduce --finding ID`

use super::view::{Line, Progress};
use super::{chosen, jobs, key, say};
use crate::args::Reduce;
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
    let mut watch = Watch { stop: &stop::requested, skip: &skip, observer: &mut progress };
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
