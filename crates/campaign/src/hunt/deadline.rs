//! The end of a hunt's time. When it is over no further program is begun; soon after, whatever still runs is stopped,
//! be it a compiler that was asked for its version, so that a hunt ends when it was told to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long what was begun may go on when the time is over.
const GRACE: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Shared {
    ended: Mutex<bool>,
    changed: Condvar,
    expired: AtomicBool,
}

/// Watches the clock until it is dropped.
pub(super) struct Deadline(Arc<Shared>);

impl Deadline {
    /// Begins to watch; without a time there is nothing to watch.
    pub fn start(time: Option<Duration>) -> Deadline {
        let shared = Arc::new(Shared::default());
        if let Some(time) = time {
            let watched = Arc::clone(&shared);
            // Without a thread for it the hunt ends when its last program does.
            let _ = std::thread::Builder::new()
                .name("deadline".to_owned())
                .spawn(move || watched.watch(time.saturating_add(GRACE)));
        }
        Deadline(shared)
    }

    /// Whether it stopped what was running.
    pub fn expired(&self) -> bool {
        self.0.expired.load(Ordering::SeqCst)
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn watch(&self, time: Duration) {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(ended, time, |ended| !*ended);
        let (ended, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if !*ended && !toolchain::stop::requested() {
            self.expired.store(true, Ordering::SeqCst);
            // Where even that fails, jobs end by limits of their own.
            let _ = toolchain::stop::request();
        }
    }
}
