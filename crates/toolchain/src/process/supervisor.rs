//! One process per job: starts the command, holds its limits, and outlives every descendant of it.

use super::child::{Streams, become_command, send};
use super::sys::{self, Cost, Fork, Waited};
use super::tree;
use super::wire::{Cause, Report, Request, Step};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::convert::Infallible;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// The shortest and the longest pause between two looks at the process tree.
const LOOK: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));
/// How long the killing may take before plumb is told the result anyhow. The killing goes on after that.
const KILLING: Duration = Duration::from_secs(3);

/// Runs the job to its end. Called in a fresh fork of the spawner.
pub(super) fn supervise(request: &OwnedFd, streams: Streams, job: &OwnedFd, signals: &OwnedFd) -> ! {
    send(job, &Report::Started);
    let request = match read_request(request) {
        Ok(request) => request,
        Err(text) => fail(job, Step::Request, 0, text),
    };
    let me = rustix::process::getpid();
    // Orphans of the command come to this process rather than to init, so that none is lost.
    if let Err(errno) = rustix::process::set_child_subreaper(Some(me)) {
        fail(job, Step::Session, errno.raw_os_error(), String::new());
    }
    let started = Instant::now();
    let command = match start(&request, &streams, job, me) {
        Ok(pid) => pid,
        Err(errno) => fail(job, Step::Fork, errno.raw_os_error(), String::new()),
    };
    drop(streams);
    let mut watch = Watch { command, started, signals, job, cost: Cost::default(), status: 0, reaped: false };
    let cause = watch.wait(&request);
    watch.kill_all(cause);
    sys::exit_now(0)
}

/// Starts the command, or the tracer of one that is watched, which never execs and so needs memory of its own.
fn start(request: &Request, streams: &Streams, job: &OwnedFd, me: Pid) -> Result<Pid, Errno> {
    if request.watch.is_none() {
        return sys::fork_until_exec(|| -> Infallible { become_command(request, streams, job, me) });
    }
    match sys::fork()? {
        Fork::Parent(pid) => Ok(pid),
        Fork::Child => become_command(request, streams, job, me),
    }
}

fn fail(job: &OwnedFd, step: Step, errno: i32, text: String) -> ! {
    send(job, &Report::Failed { step, errno, text });
    sys::exit_now(0)
}

fn read_request(file: &OwnedFd) -> Result<Request, String> {
    let size = rustix::fs::fstat(file).map_err(|e| e.to_string())?.st_size;
    let mut bytes = vec![0; usize::try_from(size).map_err(|e| e.to_string())?];
    let mut filled = 0;
    while filled < bytes.len() {
        match rustix::io::pread(file, &mut bytes[filled..], filled as u64) {
            Ok(0) => return Err("the request is cut short".to_owned()),
            Ok(n) => filled += n,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.to_string()),
        }
    }
    postcard::from_bytes(&bytes).map_err(|e| e.to_string())
}

struct Watch<'a> {
    command: Pid,
    started: Instant,
    signals: &'a OwnedFd,
    job: &'a OwnedFd,
    cost: Cost,
    status: i32,
    reaped: bool,
}

impl Watch<'_> {
    /// Sleeps until the command has ended or must end, and says why.
    fn wait(&mut self, request: &Request) -> Cause {
        let deadline = request.wall_ns.and_then(|ns| self.started.checked_add(Duration::from_nanos(ns)));
        let cpu_limit = request.cpu_ns.map(Duration::from_nanos);
        let counting = request.processes.is_some();
        let mut next_look = self.started.checked_add(pause(cpu_limit, Duration::ZERO, counting));
        loop {
            if self.reap_orphans() {
                let cost = self.end_group();
                return if cpu_limit.is_some_and(|limit| cost >= limit) {
                    Cause::Cpu
                } else {
                    Cause::Natural
                };
            }
            let now = Instant::now();
            if deadline.is_some_and(|at| now >= at) {
                return Cause::Wall;
            }
            if next_look.is_some_and(|at| now >= at) {
                let tree = tree::descendants();
                if request.processes.is_some_and(|most| tree.members.len() > most as usize) {
                    return Cause::Processes;
                }
                let used = tree.cpu + self.cost.user + self.cost.system;
                if cpu_limit.is_some_and(|limit| used >= limit) {
                    return Cause::Cpu;
                }
                next_look = now.checked_add(pause(cpu_limit, used, counting));
            }
            let wake = [deadline, next_look].into_iter().flatten().min();
            if self.sleep(wake, true) {
                return Cause::Asked;
            }
        }
    }

    /// Sleeps until a child ends, plumb speaks or the time comes. True when plumb wants the job to end.
    fn sleep(&self, wake: Option<Instant>, listen: bool) -> bool {
        let mut fds = [PollFd::new(self.signals, PollFlags::IN), PollFd::new(self.job, PollFlags::IN)];
        let left = wake.map(|at| at.saturating_duration_since(Instant::now()));
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        let count = if listen { 2 } else { 1 };
        match poll(&mut fds[..count], timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            // Without poll nothing can be watched: end the job rather than run it unwatched.
            Err(_) => return true,
        }
        if !fds[0].revents().is_empty() {
            let mut buffer = [0u8; 1024];
            let _ = rustix::io::read(self.signals, &mut buffer);
        }
        listen && !fds[1].revents().is_empty()
    }

    /// Reaps all that ended except the command, and tells whether that has ended too.
    fn reap_orphans(&mut self) -> bool {
        loop {
            match sys::peek_ended() {
                Waited::Ended(pid) if pid == self.command => return true,
                Waited::Ended(pid) => self.reap(pid),
                Waited::Running => return false,
                Waited::NoChildren => return true,
            }
        }
    }

    fn reap(&mut self, pid: Pid) {
        if let Some((status, cost)) = sys::reap(pid) {
            self.cost.user += cost.user;
            self.cost.system += cost.system;
            self.cost.max_rss = self.cost.max_rss.max(cost.max_rss);
            if pid == self.command {
                self.status = status;
                self.reaped = true;
            }
        }
    }

    /// Kills the command's group, once, while the command is not yet reaped and its id so still taken; reaps it
    /// if it has ended, and gives the time used so far.
    fn end_group(&mut self) -> Duration {
        if !self.reaped {
            let _ = kill_process_group(self.command, Signal::KILL);
            self.reap(self.command);
        }
        self.cost.user + self.cost.system
    }

    /// Kills the group, then every descendant that left it, until none is left; then reports.
    fn kill_all(&mut self, cause: Cause) {
        let wall = self.started.elapsed();
        self.end_group();
        let began = Instant::now();
        let mut reported = false;
        let mut nap = Duration::from_millis(1);
        loop {
            let alone = loop {
                match sys::peek_ended() {
                    Waited::Ended(pid) => self.reap(pid),
                    Waited::Running => break false,
                    Waited::NoChildren => break true,
                }
            };
            if !reported && (alone || began.elapsed() >= KILLING) {
                self.report(cause, wall);
                reported = true;
            }
            if alone {
                return;
            }
            // Those who left the group become children of this process as their parents die, and die in turn.
            for child in tree::own_children() {
                let _ = kill_process(child, Signal::KILL);
            }
            self.sleep(Some(Instant::now() + nap), false);
            nap = (nap * 2).min(LOOK.1);
        }
    }

    fn report(&self, cause: Cause, wall: Duration) {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let Cost { user, system, max_rss } = self.cost;
        let (user_ns, system_ns, wall_ns) = (ns(user), ns(system), ns(wall));
        send(self.job, &Report::Ended { cause, status: self.status, user_ns, system_ns, wall_ns, max_rss });
    }
}

/// How long until the next look at the process tree. A CPU limit cannot be reached before every core has worked
/// for its share of what is left, so a look before that would be wasted.
fn pause(cpu_limit: Option<Duration>, used: Duration, counting: bool) -> Duration {
    let cores =
        std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(u32::MAX));
    let by_clock = cpu_limit.map_or(Duration::MAX, |limit| limit.saturating_sub(used) / cores);
    let by_count = if counting { LOOK.1 / 5 } else { Duration::MAX };
    by_clock.min(by_count).max(LOOK.0)
}
