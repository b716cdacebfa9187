//! The views of a store that is being written to, computed once for all readers and anew when the store has changed.

use campaign::Error;
use campaign::store::Store;
use campaign::view::{self, Filter, View};
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shortest time for which views are kept.
const FRESH: Duration = Duration::from_secs(1);
/// Views are kept for this many times what computing them took: looking at a campaign must not slow it down.
const SHARE: u32 = 10;
/// Views kept at once.
const KEPT: usize = 64;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// All campaigns.
    Campaigns,
    /// One campaign; without a number the newest.
    Campaign(Option<i64>),
    /// The findings of a filter, as its parameters and its page say it.
    Findings(Vec<(String, String)>),
    /// One finding.
    Finding(String),
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// There is no such thing.
    Missing(String),
    /// The question makes no sense.
    Nonsense(String),
    /// The store cannot be read.
    Store(Error),
}

/// The views of the store in a directory.
pub(crate) struct Views {
    dir: PathBuf,
    state: Mutex<State>,
}

struct State {
    store: Store,
    /// Device and inode of the directory's database: another store may be put in its place.
    place: Option<(u64, u64)>,
    version: i64,
    /// Counts the states of the store that were seen.
    generation: u64,
    looked: Instant,
    cost: Duration,
    kept: HashMap<Question, Arc<View>>,
}

impl Views {
    /// Opens the store.
    pub fn open(dir: PathBuf) -> Result<Views, Error> {
        let store = Store::read(&dir)?;
        let state = State {
            version: store.version()?,
            place: place(&store),
            store,
            generation: 0,
            looked: Instant::now(),
            cost: Duration::ZERO,
            kept: HashMap::new(),
        };
        Ok(Views { dir, state: Mutex::new(state) })
    }

    /// Counts the states of the store that were seen.
    pub fn generation(&self) -> Result<u64, Trouble> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.refresh(self)?;
        Ok(state.generation)
    }

    /// The answer to a question.
    pub fn view(&self, question: &Question) -> Result<Arc<View>, Trouble> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.refresh(self)?;
        if let Some(view) = state.kept.get(question) {
            return Ok(Arc::clone(view));
        }
        let begun = Instant::now();
        let view = Arc::new(compute(&state.store, question)?);
        state.cost = state.cost.max(begun.elapsed());
        if state.kept.len() >= KEPT {
            state.kept.clear();
        }
        state.kept.insert(question.clone(), Arc::clone(&view));
        Ok(view)
    }
}

impl State {
    /// Forgets what is no longer so.
    fn refresh(&mut self, views: &Views) -> Result<(), Trouble> {
        if self.looked.elapsed() < FRESH.max(self.cost * SHARE) {
            return Ok(());
        }
        self.looked = Instant::now();
        if let Some(place) = place_of(&views.dir.join(campaign::store::DATABASE))
            && self.place.is_some_and(|known| known != place)
        {
            self.store = Store::read(&views.dir).map_err(Trouble::Store)?;
            self.place = Some(place);
            self.version = i64::MIN;
        }
        let version = self.store.version().map_err(Trouble::Store)?;
        if version != self.version {
            self.version = version;
            self.generation += 1;
            self.cost = Duration::ZERO;
            self.kept.clear();
        }
        Ok(())
    }
}

fn place(store: &Store) -> Option<(u64, u64)> {
    place_of(&store.dir().join(campaign::store::DATABASE))
}

fn place_of(path: &std::path::Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()))
}

fn compute(store: &Store, question: &Question) -> Result<View, Trouble> {
    match question {
        Question::Campaigns => view::campaigns(store).map(View::Campaigns).map_err(Trouble::Store),
        Question::Campaign(number) => {
            let row = view::find(store, *number).map_err(Trouble::Store)?.ok_or_else(|| {
                Trouble::Missing(match number {
                    Some(number) => format!("there is no campaign {number}"),
                    None => "the store has no campaign yet; start one with `plumb hunt`".to_owned(),
                })
            })?;
            view::campaign(store, &row).map(|c| View::Campaign(Box::new(c))).map_err(Trouble::Store)
        }
        Question::Findings(pairs) => {
            let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let filter = Filter::read(pairs).map_err(|error| Trouble::Nonsense(error.to_string()))?;
            view::findings(store, &filter).map(|f| View::Findings(Box::new(f))).map_err(Trouble::Store)
        }
        Question::Finding(id) => {
            let found = view::finding(store, id).map_err(Trouble::Store)?;
            let found = found.ok_or_else(|| Trouble::Missing(format!("there is no finding `{id}`")))?;
            Ok(View::Finding(Box::new(found)))
        }
    }
}
