//! Jobs whose accesses to some of their own memory are noted: the command runs under a tracer that sets the processor's
//! debug registers, so that each access costs a trap and nothing else is slowed down.
//!
//! The tracer stands where the command of other jobs does, between its supervisor and the program, and is bound by the
//! same limits. It dies with its supervisor, and the program with it (`PTRACE_O_EXITKILL`). The program's output goes to
//! `/dev/null`: on the job's standard output the tracer writes what it saw, a line each.

use super::sys::{self, Fork};
use rustix::process::{Pid, Signal};
use serde::{Deserialize, Serialize};
use std::ffi::{c_int, c_long, c_ulong};
use std::fmt::Write as _;
use std::io::Write as _;
use std::mem::offset_of;

/// How many windows the processor watches at once.
pub const WINDOWS: usize = 4;

/// Bytes of memory to watch: 1, 2, 4 or 8, aligned to as many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Where, as the executable file has it.
    pub address: u64,
    /// How many.
    pub size: u8,
}

/// What to watch in a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {
    /// The entry point as the executable file has it: watching begins there, and tells where the file was loaded.
    pub entry: u64,
    /// At most [`WINDOWS`]; the top of the stack at the entry, where none is given: a program reads it.
    pub windows: Vec<Window>,
    /// Traps after which the program is ended.
    pub most: u64,
}

/// A trap: an instruction that accessed a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trap {
    /// Which window.
    pub window: usize,
    /// Where the program went on behind that instruction, as the executable file has it.
    pub next: u64,
    /// What the window holds now.
    pub value: u64,
}

/// What a watched program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Its traps, in order.
    pub traps: Vec<Trap>,
    /// How it ended.
    pub end: WatchEnd,
}

/// How watching ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchEnd {
    /// The program exited.
    Exited(i32),
    /// A signal ended it.
    Signaled(i32),
    /// It trapped more often than [`Watch::most`].
    TooMany,
    /// It could not be watched: why.
    Failed(String),
}

impl Watched {
    /// Reads what the tracer of a job wrote.
    pub fn read(output: &[u8]) -> Watched {
        let text = String::from_utf8_lossy(output);
        let mut watched =
            Watched { traps: Vec::new(), end: WatchEnd::Failed("the tracer was ended".to_owned()) };
        for line in text.lines() {
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            let number = || rest.parse().unwrap_or(-1);
            match kind {
                "trap" => watched.traps.extend(trap(rest)),
                "exited" => watched.end = WatchEnd::Exited(number()),
                "signal" => watched.end = WatchEnd::Signaled(number()),
                "many" => watched.end = WatchEnd::TooMany,
                _ => watched.end = WatchEnd::Failed(rest.to_owned()),
            }
        }
        watched
    }
}

fn trap(text: &str) -> Option<Trap> {
    let mut numbers = text.split(' ').map(|word| u64::from_str_radix(word, 16).ok());
    let mut next = || numbers.next().flatten();
    Some(Trap { window: usize::try_from(next()?).ok()?, next: next()?, value: next()? })
}

/// Why watching failed, in words.
type Failure = String;

/// Starts the command and watches it to its end. Called in the process that other jobs exec from.
pub(super) fn trace(watch: &Watch, image: &sys::Image) -> ! {
    let mut output = String::new();
    if let Err(why) = follow(watch, image, &mut output) {
        let _ = writeln!(output, "failed {why}");
    }
    let done = std::io::stdout().write_all(output.as_bytes()).and_then(|()| std::io::stdout().flush());
    sys::exit_now(i32::from(done.is_err()))
}

/// The debug registers are at these offsets of the kernel's `struct user`.
fn register(number: usize) -> usize {
    offset_of!(libc::user, u_debugreg) + number * size_of::<c_ulong>()
}

fn follow(watch: &Watch, image: &sys::Image, output: &mut String) -> Result<(), Failure> {
    let program = start(image)?;
    let tracee = Tracee(program);
    let base = tracee.to_entry()?.wrapping_sub(watch.entry);
    let stack = tracee.peek_user(offset_of!(libc::user_regs_struct, rsp))?;
    let top = [Window { address: stack.wrapping_sub(base), size: 8 }];
    let windows = if watch.windows.is_empty() { &top[..] } else { &watch.windows[..] };
    tracee.arm(windows, base)?;
    let (mut traps, mut deliver) = (0, 0);
    loop {
        tracee.go_on(deliver)?;
        deliver = 0;
        match tracee.wait()? {
            Stop::Exited(code) => return say(output, &format!("exited {code}")),
            Stop::Signaled(signal) => return say(output, &format!("signal {signal}")),
            Stop::Signal(libc::SIGTRAP) => {
                let status = tracee.peek_user(register(6))?;
                tracee.poke_user(register(6), 0)?;
                let next = tracee.peek_user(offset_of!(libc::user_regs_struct, rip))?.wrapping_sub(base);
                for (number, window) in windows.iter().enumerate().filter(|(n, _)| status >> n & 1 == 1) {
                    let value = tracee.peek(window.address.wrapping_add(base), window.size)?;
                    say(output, &format!("trap {number:x} {next:x} {value:x}"))?;
                    traps += 1;
                }
                if traps > watch.most {
                    let _ = rustix::process::kill_process(program, Signal::KILL);
                    return say(output, "many");
                }
            }
            Stop::Signal(signal) => deliver = signal,
        }
    }
}

/// Writes a line; the result is that of a tracer that is done.
fn say(output: &mut String, line: &str) -> Result<(), Failure> {
    output.push_str(line);
    output.push('\n');
    Ok(())
}

/// Forks the program, which stops when it has its image.
fn start(image: &sys::Image) -> Result<Pid, Failure> {
    let me = rustix::process::getpid();
    match sys::fork() {
        Ok(Fork::Parent(pid)) => Ok(pid),
        Ok(Fork::Child) => {
            let bound = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
            if bound.is_ok() && rustix::process::getppid() == Some(me) && silence() && ask_to_be_traced() {
                image.exec();
            }
            sys::exit_now(127)
        }
        Err(errno) => Err(format!("fork: {errno}")),
    }
}

fn silence() -> bool {
    let Ok(null) = std::fs::OpenOptions::new().write(true).open("/dev/null") else { return false };
    rustix::stdio::dup2_stdout(&null).is_ok() && rustix::stdio::dup2_stderr(&null).is_ok()
}

fn ask_to_be_traced() -> bool {
    // SAFETY: concerns this process only, which becomes another program next.
    unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0usize, 0usize) == 0 }
}

/// Why a traced program stopped.
enum Stop {
    Exited(i32),
    Signaled(i32),
    Signal(c_int),
}

/// A traced program.
struct Tracee(Pid);

impl Tracee {
    fn ask(&self, what: libc::c_uint, address: u64, data: u64) -> Result<c_long, Failure> {
        // SAFETY: requests that read or write a child that is stopped, never this process.
        let (result, error) = unsafe {
            *libc::__errno_location() = 0;
            let pid = self.0.as_raw_nonzero().get();
            (libc::ptrace(what, pid, address as usize, data as usize), *libc::__errno_location())
        };
        if result == -1 && error != 0 {
            let why = std::io::Error::from_raw_os_error(error);
            return Err(format!("ptrace request {what}: {why}"));
        }
        Ok(result)
    }

    fn peek_user(&self, offset: usize) -> Result<u64, Failure> {
        Ok(self.ask(libc::PTRACE_PEEKUSER, offset as u64, 0)? as u64)
    }

    fn poke_user(&self, offset: usize, value: u64) -> Result<(), Failure> {
        self.ask(libc::PTRACE_POKEUSER, offset as u64, value).map(drop)
    }

    /// A few aligned bytes of the program's memory.
    fn peek(&self, address: u64, size: u8) -> Result<u64, Failure> {
        let word = self.ask(libc::PTRACE_PEEKDATA, address & !7, 0)? as u64;
        let value = word >> (8 * (address & 7));
        Ok(if size >= 8 { value } else { value & ((1 << (8 * u32::from(size))) - 1) })
    }

    fn go_on(&self, signal: c_int) -> Result<(), Failure> {
        self.ask(libc::PTRACE_CONT, 0, signal as u64).map(drop)
    }

    fn wait(&self) -> Result<Stop, Failure> {
        let mut status = 0;
        loop {
            // SAFETY: the status is a valid place to write to.
            let done = unsafe { libc::waitpid(self.0.as_raw_nonzero().get(), &raw mut status, 0) };
            let error = std::io::Error::last_os_error();
            match done {
                -1 if error.raw_os_error() == Some(libc::EINTR) => {}
                -1 => return Err(format!("waitpid: {error}")),
                _ if libc::WIFSTOPPED(status) => return Ok(Stop::Signal(libc::WSTOPSIG(status))),
                _ => break,
            }
        }
        Ok(match sys::decode_status(status) {
            Ok(code) => Stop::Exited(code),
            Err(signal) => Stop::Signaled(signal),
        })
    }

    /// Lets the program come to its entry point, behind the dynamic linker, and gives where that is.
    fn to_entry(&self) -> Result<u64, Failure> {
        let stopped = |stop| match stop {
            Stop::Signal(libc::SIGTRAP) => Ok(()),
            Stop::Signal(_) | Stop::Exited(_) | Stop::Signaled(_) => {
                Err("it cannot be traced here, or does not start".to_owned())
            }
        };
        stopped(self.wait()?)?;
        let options = libc::PTRACE_O_EXITKILL as u64;
        self.ask(libc::PTRACE_SETOPTIONS, 0, options)?;
        let entry = self.entry()?;
        let before = self.ask(libc::PTRACE_PEEKTEXT, entry, 0)? as u64;
        // `int3`
        self.ask(libc::PTRACE_POKETEXT, entry, before & !0xff | 0xcc)?;
        self.go_on(0)?;
        stopped(self.wait()?)?;
        let at = offset_of!(libc::user_regs_struct, rip);
        if self.peek_user(at)? != entry + 1 {
            return Err("it stopped before its entry point".to_owned());
        }
        self.ask(libc::PTRACE_POKETEXT, entry, before)?;
        self.poke_user(at, entry)?;
        Ok(entry)
    }

    /// The entry point in memory, as the kernel tells the program on its stack: behind arguments and environment.
    fn entry(&self) -> Result<u64, Failure> {
        let top = self.peek_user(offset_of!(libc::user_regs_struct, rsp))?;
        let mut at = top + 8 * (self.peek(top, 8)? + 2);
        while self.peek(at, 8)? != 0 {
            at += 8;
        }
        loop {
            match (self.peek(at + 8, 8)?, self.peek(at + 16, 8)?) {
                (libc::AT_ENTRY, entry) => return Ok(entry),
                (0, _) => return Err("the kernel tells no entry point".to_owned()),
                _ => at += 16,
            }
        }
    }

    /// Sets the debug registers.
    fn arm(&self, windows: &[Window], base: u64) -> Result<(), Failure> {
        let mut control = 0;
        for (number, window) in windows.iter().enumerate().take(WINDOWS) {
            self.poke_user(register(number), window.address.wrapping_add(base))?;
            let length = match window.size {
                1 => 0,
                2 => 1,
                4 => 3,
                8 => 2,
                size => return Err(format!("a window of {size} bytes")),
            };
            // Reads and writes, of that many bytes, in this task.
            control |= (length << 2 | 3) << (16 + 4 * number) | 1 << (2 * number);
        }
        self.poke_user(register(7), control)
    }
}
