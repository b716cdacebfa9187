//! Cancellation tokens: one descriptor that many waiting jobs can sleep on.

use rustix::event::{EventfdFlags, eventfd};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A token shared by any number of jobs; cancelling it kills them all and keeps later ones from starting.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    raised: AtomicBool,
    event: OwnedFd,
}

impl Cancel {
    /// A token not yet cancelled. Fails only when the process has no descriptors left.
    pub fn new() -> std::io::Result<Self> {
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Cancel(Arc::new(Inner { raised: AtomicBool::new(false), event })))
    }

    /// Cancels all jobs that hold this token.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
        // The counter can only overflow after 2^64 calls, and it is readable from the first one on.
        let _ = rustix::io::write(&self.0.event, &1u64.to_ne_bytes());
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.0.event.as_fd()
    }
}
