//! Between fork and exec: gives the command its session, streams, directory, limits and sandbox.

use super::sys;
use super::wire::{Report, Request, Step};
use rustix::fd::AsFd;
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, setrlimit};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use std::os::fd::OwnedFd;

/// The descriptors of a job, as the spawner received them.
pub(super) struct Streams {
    pub stdin: OwnedFd,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
}

/// Why the command could not be started.
struct Failure {
    step: Step,
    errno: i32,
    text: String,
}

fn at(step: Step) -> impl Fn(Errno) -> Failure {
    move |errno| Failure { step, errno: errno.raw_os_error(), text: String::new() }
}

/// Becomes the command, or tells plumb why not and exits. `supervisor` is the parent.
pub(super) fn become_command(request: &Request, streams: &Streams, job: &OwnedFd, supervisor: Pid) -> ! {
    let failure = match prepare(request, streams, job, supervisor) {
        Ok(image) => match &request.watch {
            Some(watch) => super::watch::trace(watch, &image),
            None => at(Step::Exec)(image.exec()),
        },
        Err(failure) => failure,
    };
    let Failure { step, errno, text } = failure;
    send(job, &Report::Failed { step, errno, text });
    sys::exit_now(127)
}

fn prepare(
    request: &Request,
    streams: &Streams,
    job: &OwnedFd,
    supervisor: Pid,
) -> Result<sys::Image, Failure> {
    // The supervisor kills this command with all its offspring; should the supervisor itself be killed, at least
    // the command dies, and the spawner finds the orphans.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(at(Step::Session))?;
    if rustix::process::getppid() != Some(supervisor) {
        sys::exit_now(127);
    }
    rustix::process::setsid().map_err(at(Step::Session))?;
    dup2_stdin(&streams.stdin).map_err(at(Step::Streams))?;
    dup2_stdout(&streams.stdout).map_err(at(Step::Streams))?;
    dup2_stderr(&streams.stderr).map_err(at(Step::Streams))?;
    rustix::process::chdir(request.cwd.as_slice()).map_err(at(Step::Directory))?;
    let image = sys::Image::new(&request.program, &request.argv, &request.env).map_err(|error| Failure {
        step: Step::Exec,
        errno: 0,
        text: error.to_string(),
    })?;
    // When memory runs out the kernel should take this process and not plumb. Where it may not be said, so be it.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    if let Some(sandbox) = &request.sandbox {
        let reached = sandbox.enter().map_err(|text| Failure { step: Step::Sandbox, errno: 0, text })?;
        send(job, &Report::Sandboxed(reached));
    }
    if request.fixed_addresses {
        sys::fix_addresses();
    }
    sys::close_on_exec();
    sys::unblock_signals();
    // Last, for the limits are meant for the command: from here on nothing is allocated.
    limit(request)?;
    Ok(image)
}

fn limit(request: &Request) -> Result<(), Failure> {
    let set = |resource, soft: u64, slack: u64| {
        // A limit above the inherited hard one cannot be had, and is not needed: the inherited one is stricter.
        let hard = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let new =
            Rlimit { current: Some(soft.min(hard)), maximum: Some(soft.saturating_add(slack).min(hard)) };
        setrlimit(resource, new).map_err(at(Step::Limits))
    };
    // Not 0: with 0 the kernel still starts a core handler when core_pattern is a pipe, with 1 it does not.
    set(Resource::Core, 1, 0)?;
    if let Some(bytes) = request.address_space {
        set(Resource::As, bytes, 0)?;
    }
    if let Some(bytes) = request.stack {
        set(Resource::Stack, bytes, 0)?;
    }
    if let Some(bytes) = request.file_size {
        set(Resource::Fsize, bytes, 0)?;
    }
    if let Some(ns) = request.cpu_ns {
        // The supervisor measures the whole job finely; this stops a single process even if it is not awake.
        set(Resource::Cpu, ns.div_ceil(1_000_000_000).max(1), 1)?;
    }
    Ok(())
}

/// Sends a report to plumb. A plumb that is gone needs none.
pub(super) fn send(job: impl AsFd, report: &Report) {
    let mut buffer = [0u8; super::wire::REPORT_MAX];
    let mut report = report.clone();
    if let Report::Failed { text, .. } = &mut report {
        let end = (0..=text.len().min(super::wire::REPORT_MAX / 2)).rev().find(|&i| text.is_char_boundary(i));
        text.truncate(end.unwrap_or(0));
    }
    if let Ok(bytes) = postcard::to_slice(&report, &mut buffer) {
        let _ = rustix::net::send(job, bytes, rustix::net::SendFlags::NOSIGNAL);
    }
}
