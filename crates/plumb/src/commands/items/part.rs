//! Batches of candidates of a reduction that another worker holds: tested here, where its compilers are, with the test that the
//! finding's own files make.

use super::damaged;
use super::desk::Answered;
use super::reduction::{self, Asked};
use campaign::Error;
use campaign::reduction::Tester;
use campaign::store::{Item, JobId, Store};
use campaign::toolchain::scratch::ScratchRoot;
use campaign::toolchain::stop;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use toolchain::Cancel;

/// How such jobs are called.
pub const KIND: &str = "reduce-part";
/// How often to look whether the answers are still waited for.
const LOOK: Duration = Duration::from_secs(1);
/// How long a finding stays open: after that its compilers are looked at again.
const LASTS: Duration = Duration::from_secs(300);

/// The last reduction that candidates were of.
#[derive(Default)]
pub struct Tests(Option<Open>);

/// A finding whose candidates are tested.
struct Open {
    /// The job that its reduction is.
    whole: JobId,
    tester: Tester,
    since: Instant,
    _root: ScratchRoot,
}

/// Where threads leave their [`Tests`] to those who come after them: to open a finding takes as long as dozens of candidates.
#[derive(Default)]
pub struct Shelf(Mutex<Vec<Tests>>);

impl Shelf {
    /// What somebody left, if anybody did.
    pub fn take(&self) -> Tests {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Leaves something.
    pub fn put(&self, tests: Tests) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(tests);
    }
}

impl Tests {
    /// Answers one here.
    pub fn answer(&mut self, store: &Store, item: &Item) -> Result<Answered, Error> {
        let Some((whole, batch)) = store.whole(item)? else { return Ok(Answered::Unwanted) };
        let is_it = |open: &Open| {
            open.whole == whole.job && open.since.elapsed() < LASTS && open.tester.agrees(&item.spec)
        };
        let mut open = match self.0.take().filter(is_it) {
            Some(open) => open,
            None => {
                let asked: Asked = serde_json::from_str(&whole.input).map_err(|error| damaged(&error))?;
                let options = asked.options();
                let root =
                    ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
                let dir = reduction::bring(store, whole.job, &root)?;
                if let Err(why) = asked.fits(&dir, &options) {
                    return Ok(Answered::NotHere(why));
                }
                let tester = match Tester::open(&dir, &options) {
                    Ok(tester) => tester,
                    Err(_) if stop::requested() => return Ok(Answered::Again("stopped".to_owned())),
                    Err(error) => return Ok(Answered::NotHere(error.to_string())),
                };
                if !tester.agrees(&item.spec) {
                    let why = format!("{}: it shows in another way here", asked.finding);
                    return Ok(Answered::NotHere(why));
                }
                Open { whole: whole.job, tester, since: Instant::now(), _root: root }
            }
        };
        let cancel = Cancel::new().map_err(|error| Error::Resource(error.to_string()))?;
        let done = std::thread::scope(|scope| {
            let (_going, end) = channel::<()>();
            let cancel = &cancel;
            scope.spawn(move || {
                while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(LOOK) {
                    if store.holds(item).is_ok_and(|holds| !holds) {
                        return cancel.cancel();
                    }
                }
            });
            open.tester.test(&batch, cancel)
        });
        self.0 = Some(open);
        match done {
            Ok(Some(files)) => Ok(Answered::Done(files)),
            Ok(None) if stop::requested() => Ok(Answered::Again("stopped".to_owned())),
            Ok(None) => Ok(Answered::Unwanted),
            Err(error @ Error::Internal(_)) => Ok(Answered::NotHere(error.to_string())),
            Err(error) => Err(error),
        }
    }
}
