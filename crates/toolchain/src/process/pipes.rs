//! plumb's ends of a job's streams.

use super::outcome::SpawnError;
use super::spec::Stdin;
use rustix::buffer::spare_capacity;
use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags, memfd_create, open};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, pipe_with};
use std::os::fd::{AsRawFd, OwnedFd};

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

fn runner(what: &str, errno: Errno) -> SpawnError {
    SpawnError::Runner(format!("{what}: {errno}"))
}

/// A memory file with these bytes, positioned at its start.
pub(super) fn memory_file(name: &str, bytes: &[u8]) -> Result<OwnedFd, SpawnError> {
    let make = || -> Result<OwnedFd, Errno> {
        let fd = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        let mut rest = bytes;
        let mut offset = 0;
        while !rest.is_empty() {
            match rustix::io::pwrite(&fd, rest, offset) {
                Ok(n) => {
                    rest = &rest[n..];
                    offset += n as u64;
                }
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
        }
        rustix::fs::fcntl_add_seals(&fd, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK)?;
        Ok(fd)
    };
    make().map_err(|errno| runner("cannot make a memory file", errno))
}

/// A pipe whose end that plumb keeps never blocks. Returns (kept end, the command's end).
fn pipe() -> Result<(OwnedFd, OwnedFd), SpawnError> {
    let make = || -> Result<(OwnedFd, OwnedFd), Errno> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&read, true)?;
        Ok((read, write))
    };
    make().map_err(|errno| runner("cannot make a pipe", errno))
}

/// A stream to write to: sockets, since writing to a pipe whose reader has died may end plumb by SIGPIPE.
fn stream() -> Result<(OwnedFd, OwnedFd), SpawnError> {
    let make = || -> Result<(OwnedFd, OwnedFd), Errno> {
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        Ok((ours, theirs))
    };
    make().map_err(|errno| runner("cannot make a socket", errno))
}

/// The command's standard input, and the end to write to if there is one.
pub(super) fn open_stdin(stdin: &Stdin) -> Result<(OwnedFd, Option<OwnedFd>), SpawnError> {
    let read_only = |path: &std::path::Path| {
        // Opened without blocking, for a named pipe without a writer would hold plumb up for ever; read normally.
        open(path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())
            .and_then(|fd| rustix::io::ioctl_fionbio(&fd, false).map(|()| fd))
            .map_err(|errno| SpawnError::Input { path: path.to_owned(), why: errno.to_string() })
    };
    match stdin {
        Stdin::Null => Ok((read_only("/dev/null".as_ref())?, None)),
        Stdin::File(path) => Ok((read_only(path)?, None)),
        Stdin::Bytes(bytes) => {
            let fd = memory_file("plumb-stdin", bytes)?;
            let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
            Ok((read_only(path.as_ref())?, None))
        }
        Stdin::Piped => stream().map(|(ours, theirs)| (theirs, Some(ours))),
    }
}

/// An output stream being read, never holding more than its limit.
pub(super) struct Capture {
    /// `None` once the stream has ended or overflowed.
    pub fd: Option<OwnedFd>,
    pub bytes: Vec<u8>,
    limit: usize,
    pub overflowed: bool,
}

impl Capture {
    /// A new stream and the command's end of it.
    pub fn new(limit: usize) -> Result<(Self, OwnedFd), SpawnError> {
        let (ours, theirs) = pipe()?;
        Ok((Capture { fd: Some(ours), bytes: Vec::new(), limit, overflowed: false }, theirs))
    }

    /// Reads once. False when there is nothing more to read now.
    pub fn read(&mut self) -> bool {
        let Some(fd) = &self.fd else { return false };
        let room = self.limit.saturating_sub(self.bytes.len()).saturating_add(1).min(CHUNK);
        if self.bytes.try_reserve(room).is_err() {
            self.overflowed = true;
            self.fd = None;
            return false;
        }
        match rustix::io::read(fd, spare_capacity(&mut self.bytes)) {
            Ok(0) => {
                self.fd = None;
                false
            }
            Ok(_) if self.bytes.len() > self.limit => {
                self.bytes.truncate(self.limit);
                self.overflowed = true;
                self.fd = None;
                false
            }
            Ok(_) | Err(Errno::INTR) => true,
            Err(Errno::AGAIN) => false,
            Err(_) => {
                self.fd = None;
                false
            }
        }
    }
}
