//! The few system calls that have no safe wrapper elsewhere: fork, exec, wait4, signal masks.
//!
//! All of them are used by the spawner's processes only, which have one thread; that is what makes the code
//! between fork and exec ordinary code.

use rustix::io::Errno;
use rustix::process::Pid;
use std::convert::Infallible;
use std::ffi::{CString, NulError, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, OwnedFd};
use std::panic::AssertUnwindSafe;
use std::time::Duration;

/// Which side of a fork this is.
pub(super) enum Fork {
    Parent(Pid),
    Child,
}

fn errno() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::INVAL)
}

/// Forks. To be called only where the process has a single thread.
pub(super) fn fork() -> Result<Fork, Errno> {
    // SAFETY: the caller's process has one thread, so no lock can be held by a thread that the child lacks.
    match unsafe { libc::fork() } {
        -1 => Err(errno()),
        0 => Ok(Fork::Child),
        pid => Pid::from_raw(pid).map(Fork::Parent).ok_or(Errno::SRCH),
    }
}

/// Ends the process without running destructors or exit handlers.
pub(super) fn exit_now(code: c_int) -> ! {
    // SAFETY: ends the process; nothing can follow.
    unsafe { libc::_exit(code) }
}

/// Room for the child's part until exec: far more than it uses.
const CHILD_STACK: usize = 512 << 10;

/// Starts a child that borrows this process's memory, on a stack of its own, until it execs or exits; this process
/// stands still meanwhile. That saves copying page tables, which is most of what a fork costs.
///
/// The child may allocate: this process has one thread, so the allocator is in order, and what the child leaves
/// behind in it is lost until this process ends, no more.
pub(super) fn fork_until_exec<F: FnMut() -> Infallible>(mut child: F) -> Result<Pid, Errno> {
    extern "C" fn enter<F: FnMut() -> Infallible>(child: *mut c_void) -> c_int {
        // SAFETY: the pointer is to the closure below, which outlives the child's use of this memory.
        let child = unsafe { &mut *child.cast::<F>() };
        // A panic must not unwind out of the child's first frame.
        let Err(_) = std::panic::catch_unwind(AssertUnwindSafe(child));
        exit_now(127)
    }
    let mut stack = vec![MaybeUninit::<u128>::uninit(); CHILD_STACK / size_of::<u128>()];
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the stack grows down from its aligned end and outlives the child's use of this memory, as does the
    // closure: CLONE_VFORK returns only when the child has left it by exec or exit.
    let pid = unsafe {
        let top = stack.as_mut_ptr_range().end.cast::<c_void>();
        libc::clone(enter::<F>, top, flags, (&raw mut child).cast::<c_void>())
    };
    if pid < 0 { Err(errno()) } else { Pid::from_raw(pid).ok_or(Errno::SRCH) }
}

/// A program with its arguments and environment, ready for exec without further allocation.
pub(super) struct Image {
    program: CString,
    argv: Vec<*const c_char>,
    env: Vec<*const c_char>,
    _strings: Vec<CString>,
}

impl Image {
    /// Copies all strings. Fails where one holds a NUL byte.
    pub(super) fn new(program: &[u8], argv: &[Vec<u8>], env: &[Vec<u8>]) -> Result<Image, NulError> {
        let program = CString::new(program)?;
        let strings = |list: &[Vec<u8>]| -> Result<Vec<CString>, NulError> {
            list.iter().map(|s| CString::new(s.as_slice())).collect()
        };
        let (mut strings_of_argv, strings_of_env) = (strings(argv)?, strings(env)?);
        let pointers = |list: &[CString]| list.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect();
        let (argv, env) = (pointers(&strings_of_argv), pointers(&strings_of_env));
        strings_of_argv.extend(strings_of_env);
        Ok(Image { program, argv, env, _strings: strings_of_argv })
    }

    /// Replaces the process image; returns only on failure.
    pub(super) fn exec(&self) -> Errno {
        // SAFETY: NUL-terminated strings and null-terminated arrays of them, all alive in `self`.
        unsafe { libc::execve(self.program.as_ptr(), self.argv.as_ptr(), self.env.as_ptr()) };
        errno()
    }
}

/// What a wait found.
pub(super) enum Waited {
    /// No child has ended yet.
    Running,
    /// There are no children.
    NoChildren,
    /// This child ended.
    Ended(Pid),
}

/// Looks for a child that has ended, without reaping it: its id stays taken.
pub(super) fn peek_ended() -> Waited {
    loop {
        // SAFETY: an all-zero siginfo_t is valid, and the kernel fills it in.
        let (result, pid) = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            (libc::waitid(libc::P_ALL, 0, &raw mut info, flags), info.si_pid())
        };
        match (result, Pid::from_raw(pid)) {
            (0, Some(pid)) => return Waited::Ended(pid),
            (0, None) => return Waited::Running,
            _ if errno() == Errno::INTR => {}
            _ => return Waited::NoChildren,
        }
    }
}

/// What one reaped child and its own reaped children cost.
#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    pub user: Duration,
    pub system: Duration,
    pub max_rss: u64,
}

/// Reaps one child that is known to have ended.
pub(super) fn reap(pid: Pid) -> Option<(c_int, Cost)> {
    let mut status = 0;
    // SAFETY: an all-zero rusage is valid, and the kernel fills it in.
    let (result, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(pid.as_raw_nonzero().get(), &raw mut status, libc::WNOHANG, &raw mut usage), usage)
    };
    let time = |t: libc::timeval| {
        Duration::from_secs(u64::try_from(t.tv_sec).unwrap_or(0))
            + Duration::from_micros(u64::try_from(t.tv_usec).unwrap_or(0))
    };
    let max_rss = u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024;
    let cost = Cost { user: time(usage.ru_utime), system: time(usage.ru_stime), max_rss };
    (result > 0).then_some((status, cost))
}

/// The exit code, or the signal as an error, of a wait status.
pub(super) fn decode_status(status: c_int) -> Result<i32, i32> {
    if libc::WIFSIGNALED(status) { Err(libc::WTERMSIG(status)) } else { Ok(libc::WEXITSTATUS(status)) }
}

/// Blocks SIGCHLD and returns a descriptor that is readable whenever one is pending. It works in forked children
/// too, for their own signals.
pub(super) fn child_signals() -> Result<OwnedFd, Errno> {
    // SAFETY: the set is initialised by sigemptyset before use; signalfd returns a new descriptor or -1.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        if libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut()) != 0 {
            return Err(errno());
        }
        let fd = libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        if fd < 0 { Err(errno()) } else { Ok(OwnedFd::from_raw_fd(fd)) }
    }
}

/// Signals that a parent of plumb commonly ignores (`nohup`, Python, shells): children get the default back.
const RESTORED: [c_int; 11] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGPIPE,
    libc::SIGTERM,
    libc::SIGCHLD,
    libc::SIGXFSZ,
    libc::SIGXCPU,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
];

/// Restores default dispositions; forks and execs inherit them.
pub(super) fn default_signals() {
    for signal in RESTORED {
        // SAFETY: setting a default disposition installs no code.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Unblocks all signals.
pub(super) fn unblock_signals() {
    // SAFETY: the set is initialised by sigemptyset before use.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut());
    }
}

/// Marks all descriptors from 3 on close-on-exec.
pub(super) fn close_on_exec() {
    // SAFETY: changes only flags of this process's descriptors. An old kernel refuses it; every descriptor of
    // the spawner is close-on-exec from birth anyhow.
    unsafe { libc::syscall(libc::SYS_close_range, 3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// Switches address randomisation off for what this process execs.
pub(super) fn fix_addresses() {
    // SAFETY: changes only this process's execution domain; 0xffffffff asks for the present one. A child that borrows
    // its parent's memory has its own.
    unsafe {
        let present = libc::personality(0xffff_ffff);
        if let Ok(present) = libc::c_ulong::try_from(present) {
            libc::personality(present | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
    }
}
