//! The spawner: this executable started again, caught before `main`, which forks a supervisor per job.
//!
//! Being caught before `main` lets every program that links this library, test programs too, have a spawner
//! without doing anything for it. The start function below does nothing unless standard input is the right kind of
//! socket and the command line is exactly the spawner's.

use super::child::{Streams, send};
use super::supervisor::supervise;
use super::sys::{self, Fork, Waited};
use super::tree;
use super::wire::{FORGET, HELLO, JOB, JOB_FDS, REMOVE, Report, Step};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketType};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;

/// The name a spawner runs under.
pub(super) const NAME: &str = "plumb-spawner";
/// Its only argument.
pub(super) const ROLE: &str = "--serve-control-socket-on-stdin";
/// The longest control message: a path to remove.
const MESSAGE_MAX: usize = 8192;

#[used]
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn() = at_start;

/// Runs before `main` in every program that links this library. For all but a spawner it is one system call: whose
/// standard input is no such socket is none. The arguments that some C libraries hand to this function are not
/// used, since others hand none.
extern "C" fn at_start() {
    // SAFETY: the borrow ends with this process or at once; a closed standard input fails the call below.
    let stdin = unsafe { BorrowedFd::borrow_raw(0) };
    if rustix::net::sockopt::socket_type(stdin) != Ok(SocketType::SEQPACKET) || !is_spawner() {
        return;
    }
    let served = std::panic::catch_unwind(|| serve(stdin));
    sys::exit_now(i32::from(!matches!(served, Ok(Ok(())))))
}

/// Whether this process was started as a spawner.
pub(super) fn is_spawner() -> bool {
    let words = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let mut words = words.split(|&byte| byte == 0);
    words.next() == Some(NAME.as_bytes()) && words.next() == Some(ROLE.as_bytes())
}

/// Serves control messages until plumb is gone and all jobs have ended.
fn serve(control: BorrowedFd<'_>) -> Result<(), Errno> {
    // Out of plumb's process group: a Ctrl-C meant for plumb must not end the one that cleans up after it.
    let _ = rustix::process::setsid();
    // Hold no directory: every job names its own.
    let _ = rustix::process::chdir("/");
    sys::default_signals();
    let signals = sys::child_signals()?;
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    rustix::net::send(control, HELLO, SendFlags::NOSIGNAL)?;
    let mut spawner = Spawner { supervisors: HashSet::new(), doomed: BTreeSet::new(), signals, open: true };
    while spawner.open || !spawner.supervisors.is_empty() {
        spawner.turn(control)?;
    }
    spawner.kill_orphans();
    for dir in &spawner.doomed {
        crate::scratch::remove_root(std::path::Path::new(dir));
    }
    Ok(())
}

struct Spawner {
    supervisors: HashSet<Pid>,
    /// Directories to remove once plumb is gone.
    doomed: BTreeSet<OsString>,
    signals: OwnedFd,
    /// Whether plumb still holds its end of the control socket.
    open: bool,
}

impl Spawner {
    fn turn(&mut self, control: BorrowedFd<'_>) -> Result<(), Errno> {
        let mut fds =
            [PollFd::new(&self.signals, PollFlags::IN), PollFd::from_borrowed_fd(control, PollFlags::IN)];
        let count = if self.open { 2 } else { 1 };
        match poll(&mut fds[..count], None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
        let (child_ended, spoken) = (!fds[0].revents().is_empty(), self.open && !fds[1].revents().is_empty());
        if child_ended {
            let mut buffer = [0u8; 1024];
            let _ = rustix::io::read(&self.signals, &mut buffer);
            self.reap();
        }
        if spoken {
            self.receive(control);
        }
        Ok(())
    }

    fn reap(&mut self) {
        let mut orphaned = false;
        while let Waited::Ended(pid) = sys::peek_ended() {
            let supervisor = self.supervisors.remove(&pid);
            let well = sys::reap(pid).is_some_and(|(status, _)| sys::decode_status(status) == Ok(0));
            orphaned |= !supervisor || !well;
        }
        if orphaned {
            self.kill_orphans();
        }
    }

    /// Kills what a supervisor that was itself killed has left to this process. Each that dies wakes
    /// [`Spawner::reap`], which comes back here for its children.
    fn kill_orphans(&self) {
        for child in tree::own_children() {
            if !self.supervisors.contains(&child) {
                let _ = kill_process(child, Signal::KILL);
            }
        }
    }

    fn receive(&mut self, control: BorrowedFd<'_>) {
        let mut bytes = [0u8; MESSAGE_MAX];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(JOB_FDS))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let received = rustix::net::recvmsg(
            control,
            &mut [IoSliceMut::new(&mut bytes)],
            &mut ancillary,
            RecvFlags::CMSG_CLOEXEC,
        );
        let length = match received {
            Ok(message) if message.bytes > 0 => message.bytes,
            Err(Errno::INTR | Errno::AGAIN) => return,
            Ok(_) | Err(_) => {
                self.open = false;
                return;
            }
        };
        let fds: Vec<OwnedFd> = ancillary
            .drain()
            .flat_map(|message| match message {
                RecvAncillaryMessage::ScmRights(fds) => fds.collect::<Vec<_>>(),
                _ => Vec::new(),
            })
            .collect();
        let path = || OsString::from_vec(bytes[1..length].to_vec());
        match bytes[0] {
            JOB => self.start(fds, control),
            REMOVE => drop(self.doomed.insert(path())),
            FORGET => drop(self.doomed.remove(&path())),
            _ => {}
        }
    }

    fn start(&mut self, fds: Vec<OwnedFd>, control: BorrowedFd<'_>) {
        // A job without all its descriptors (the table was full) closes its socket, which tells plumb.
        let Ok([request, stdin, stdout, stderr, job]) = <[OwnedFd; JOB_FDS]>::try_from(fds) else { return };
        match sys::fork() {
            Ok(Fork::Child) => {
                close_control(control);
                let streams = Streams { stdin, stdout, stderr };
                let supervised = || supervise(&request, streams, &job, &self.signals);
                let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(supervised));
                let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                send(&job, &Report::Failed { step: Step::Supervisor, errno: 0, text });
                sys::exit_now(1)
            }
            Ok(Fork::Parent(pid)) => drop(self.supervisors.insert(pid)),
            Err(errno) => {
                let (step, errno) = (Step::Fork, errno.raw_os_error());
                send(job.as_fd(), &Report::Failed { step, errno, text: String::new() });
            }
        }
    }
}

/// Puts `/dev/null` in the place of the control socket, so that only the spawner holds its end.
fn close_control(_control: BorrowedFd<'_>) {
    // SAFETY: standard output of the spawner is /dev/null and open all its life.
    let null = unsafe { BorrowedFd::borrow_raw(1) };
    let _ = rustix::stdio::dup2_stdin(null);
}
