//! plumb's side of the control socket: starts the spawner when first needed, and again should it ever die.

use super::outcome::SpawnError;
use super::spawner::{NAME, ROLE, is_spawner};
use super::wire::{FORGET, HELLO, JOB, JOB_FDS, REMOVE};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
};
use std::collections::BTreeSet;
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How long a new spawner may take to say that it is ready.
const READY: Timespec = Timespec { tv_sec: 20, tv_nsec: 0 };

/// A running spawner.
struct Spawner {
    socket: OwnedFd,
    process: Mutex<Child>,
}

impl Drop for Spawner {
    fn drop(&mut self) {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        // Only a spawner that failed is dropped; if it lives it ends by itself when the socket closes.
        let _ = process.try_wait();
    }
}

struct State {
    current: Option<Arc<Spawner>>,
    /// Directories to remove after plumb's death; told again to every new spawner.
    doomed: BTreeSet<PathBuf>,
}

static STATE: Mutex<State> = Mutex::new(State { current: None, doomed: BTreeSet::new() });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn runner(what: &str, error: impl std::fmt::Display) -> SpawnError {
    SpawnError::Runner(format!("{what}: {error}"))
}

/// A pair of connected sockets that keep message boundaries.
pub(super) fn socket_pair() -> Result<(OwnedFd, OwnedFd), SpawnError> {
    rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
        .map_err(|e| runner("cannot make a socket", e))
}

fn start() -> Result<Spawner, SpawnError> {
    // A copy that was not caught before `main` must not start copies of its own.
    if is_spawner() {
        return Err(SpawnError::Runner(
            "this program was linked without the spawner's start function".to_owned(),
        ));
    }
    let (socket, theirs) = socket_pair()?;
    let process = Command::new("/proc/self/exe")
        .arg0(NAME)
        .arg(ROLE)
        .stdin(Stdio::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| runner("cannot start the spawner from /proc/self/exe", e))?;
    let spawner = Spawner { socket, process: Mutex::new(process) };
    let ready = poll(&mut [PollFd::new(&spawner.socket, PollFlags::IN)], Some(&READY));
    let mut hello = [0u8; 64];
    let said = match ready {
        Ok(1..) => {
            rustix::net::recv(&spawner.socket, &mut hello, rustix::net::RecvFlags::empty()).map(|(n, _)| n)
        }
        Ok(0) => Err(Errno::TIMEDOUT),
        Err(errno) => Err(errno),
    };
    match said {
        Ok(length) if &hello[..length] == HELLO => Ok(spawner),
        Ok(_) => {
            Err(SpawnError::Runner("the spawner did not greet: was the executable replaced?".to_owned()))
        }
        Err(errno) => Err(runner("the spawner did not start", errno)),
    }
}

/// The running spawner, started if need be. `broken` is one that failed just now.
fn spawner(broken: Option<&Arc<Spawner>>) -> Result<Arc<Spawner>, SpawnError> {
    let mut state = state();
    let usable = state.current.as_ref().filter(|now| broken.is_none_or(|old| !Arc::ptr_eq(now, old)));
    if let Some(current) = usable {
        return Ok(Arc::clone(current));
    }
    let fresh = Arc::new(start()?);
    for dir in &state.doomed {
        send(&fresh, &path_message(REMOVE, dir), None).map_err(|e| runner("the spawner is deaf", e))?;
    }
    state.current = Some(Arc::clone(&fresh));
    Ok(fresh)
}

fn send(to: &Spawner, bytes: &[u8], fds: Option<&[BorrowedFd<'_>; JOB_FDS]>) -> Result<(), Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(JOB_FDS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if let Some(fds) = fds
        && !ancillary.push(SendAncillaryMessage::ScmRights(fds))
    {
        return Err(Errno::NOBUFS);
    }
    loop {
        match rustix::net::sendmsg(&to.socket, &[IoSlice::new(bytes)], &mut ancillary, SendFlags::NOSIGNAL) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// Hands a job to the spawner: request, standard input, output, error, job socket.
pub(super) fn submit(fds: &[BorrowedFd<'_>; JOB_FDS]) -> Result<(), SpawnError> {
    let first = spawner(None)?;
    match send(&first, &[JOB], Some(fds)) {
        Ok(()) => Ok(()),
        Err(Errno::PIPE | Errno::CONNRESET | Errno::NOTCONN) => {
            let second = spawner(Some(&first))?;
            send(&second, &[JOB], Some(fds)).map_err(|e| runner("the spawner cannot be reached", e))
        }
        Err(errno) => Err(runner("the spawner cannot be reached", errno)),
    }
}

fn path_message(kind: u8, dir: &Path) -> Vec<u8> {
    let mut message = vec![kind];
    message.extend_from_slice(dir.as_os_str().as_bytes());
    message
}

/// Has the spawner remove a directory once plumb is gone, however it went; or no longer.
pub(crate) fn remove_after_death(dir: &Path, remove: bool) -> Result<(), SpawnError> {
    let current = {
        let mut state = state();
        if remove {
            state.doomed.insert(dir.to_owned());
        } else {
            state.doomed.remove(dir);
        }
        state.current.clone()
    };
    // A spawner that is not there yet is told at its start.
    match current {
        Some(current) => {
            let kind = if remove { REMOVE } else { FORGET };
            send(&current, &path_message(kind, dir), None)
                .map_err(|e| runner("the spawner cannot be reached", e))
        }
        None => Ok(()),
    }
}
