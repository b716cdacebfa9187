//! The global stop: SIGINT, SIGTERM and SIGHUP end every running job, and plumb then ends in good order.
//!
//! The first signal raises the flag and wakes all waiting jobs; the second ends plumb at once, whose spawner then
//! kills what is left and removes the scratch directories.

use rustix::pipe::{PipeFlags, pipe_with};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

struct Stop {
    raised: Arc<AtomicBool>,
    read: OwnedFd,
    write: OwnedFd,
}

static STOP: OnceLock<Stop> = OnceLock::new();
static INSTALLED: Mutex<bool> = Mutex::new(false);

fn get() -> io::Result<&'static Stop> {
    if let Some(stop) = STOP.get() {
        return Ok(stop);
    }
    let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
    Ok(STOP.get_or_init(|| Stop { raised: Arc::new(AtomicBool::new(false)), read, write }))
}

/// Makes SIGINT, SIGTERM and SIGHUP stop plumb in good order; a second one ends it at once with 128 + signal.
/// Call it once, early in `main`; further calls do nothing.
pub fn install() -> io::Result<()> {
    let stop = get()?;
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if *installed {
        return Ok(());
    }
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order, so that the first signal finds the flag still down.
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop.raised))?;
        signal_hook::flag::register(signal, Arc::clone(&stop.raised))?;
        signal_hook::low_level::pipe::register(signal, stop.write.try_clone()?)?;
    }
    *installed = true;
    Ok(())
}

/// Whether plumb was asked to stop.
#[must_use]
pub fn requested() -> bool {
    STOP.get().is_some_and(|stop| stop.raised.load(Ordering::SeqCst))
}

/// Asks plumb to stop, as a signal would.
pub fn request() -> io::Result<()> {
    let stop = get()?;
    stop.raised.store(true, Ordering::SeqCst);
    match rustix::io::write(&stop.write, b"s") {
        Ok(_) | Err(rustix::io::Errno::AGAIN) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Readable, and for ever, once plumb was asked to stop: the pipe is never drained.
pub(crate) fn fd() -> io::Result<BorrowedFd<'static>> {
    Ok(get()?.read.as_fd())
}
