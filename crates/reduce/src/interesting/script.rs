//! A script as creduce and cvise take it: run in a scratch directory that holds the candidate under its own name, it
//! exits with 0 while the candidate is interesting.

use super::{Answer, Interesting};
use crate::Case;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use toolchain::Cancel;
use toolchain::process::{Finished, Limits, Outcome, Spec, run};
use toolchain::scratch::{Scratch, ScratchRoot};

/// Bytes of output kept of a script, to show when it refuses the original. More than that of noise ends no test.
const OUTPUT: usize = 64 << 20;

/// A script with the directories it runs in.
pub struct Script {
    program: PathBuf,
    limits: Limits,
    root: ScratchRoot,
    rooms: Vec<Mutex<Option<Room>>>,
}

/// The directories of a worker, used again from test to test.
struct Room {
    /// What the script sees: the files of the case alone.
    here: Scratch,
    /// `TMPDIR` of the script, so that nothing stays behind when it is killed.
    temporary: Scratch,
    /// What the files of `here` were last written with, and how they looked then.
    written: Vec<(String, Arc<[u8]>, Look)>,
}

/// When a file was changed last, and which file it is.
type Look = (u64, i64, i64, u64);

impl Script {
    /// A test by this program, for so many workers, with a time limit for each run.
    pub fn new(program: &Path, jobs: usize, time: Duration) -> io::Result<Script> {
        let program = std::path::absolute(program)?;
        // Memory is quicker than a disk, where there is one of the kind.
        let memory = Path::new("/dev/shm");
        let root = ScratchRoot::beneath(memory).or_else(|_| ScratchRoot::new())?;
        let rooms = (0..jobs.max(1)).map(|_| Mutex::new(None)).collect();
        let limits = Limits {
            wall: Some(time),
            cpu: None,
            address_space: None,
            stack: None,
            stdout: OUTPUT,
            stderr: OUTPUT,
            file_size: None,
            processes: None,
        };
        Ok(Script { program, limits, root, rooms })
    }

    /// Another time limit for each run.
    pub fn set_time(&mut self, time: Duration) {
        self.limits.wall = Some(time);
    }

    /// Runs it on a case and gives all that is known of the run.
    pub fn run(&self, worker: usize, case: &Case, cancel: &Cancel) -> io::Result<Finished> {
        let mut room = self.rooms[worker % self.rooms.len()].lock().unwrap_or_else(PoisonError::into_inner);
        let room = match &mut *room {
            Some(room) => room,
            empty @ None => empty.insert(Room {
                here: self.root.dir()?,
                temporary: self.root.dir()?,
                written: Vec::new(),
            }),
        };
        room.furnish(case)?;
        let spec = Spec::new(&self.program)
            .cwd(room.here.path())
            .env("TMPDIR", room.temporary.path())
            .env("PWD", room.here.path())
            .limits(self.limits.clone())
            .cancel(cancel);
        let done = run(&spec);
        room.tidy(case)?;
        Ok(done)
    }
}

impl Interesting for Script {
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        match self.run(worker, case, cancel) {
            Ok(done) => judge(&done.outcome),
            Err(error) => Answer::Unresolved(format!("cannot prepare the script's directory: {error}")),
        }
    }
}

fn judge(outcome: &Outcome) -> Answer {
    match outcome {
        Outcome::Exited(0) => Answer::Interesting,
        Outcome::Exited(code) => Answer::Not(format!("the script exits with {code}")),
        Outcome::Signaled(signal) => Answer::Not(format!("signal {signal} ends the script")),
        Outcome::TimedOut(_) => Answer::Not("the script runs out of time".to_owned()),
        Outcome::OutputLimit(_) => Answer::Not("the script writes without end".to_owned()),
        Outcome::ProcessLimit => Answer::Not("the script starts processes without end".to_owned()),
        Outcome::Cancelled => Answer::Unresolved("stopped".to_owned()),
        Outcome::SpawnFailed(error) => Answer::Unresolved(error.to_string()),
    }
}

impl Room {
    /// Writes the case's files, but for those that are there already, untouched.
    fn furnish(&mut self, case: &Case) -> io::Result<()> {
        self.written.truncate(case.files.len());
        for (index, file) in case.files.iter().enumerate() {
            let path = self.here.file(&file.name);
            let known = self.written.get(index).is_some_and(|(name, text, look)| {
                *name == file.name
                    && Arc::ptr_eq(text, &file.text)
                    && looks(&path).is_ok_and(|now| now == *look)
            });
            if known {
                continue;
            }
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            // A new file, should the script have made the old one a link or unwritable.
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
            fs::write(&path, &file.text)?;
            let entry = (file.name.clone(), Arc::clone(&file.text), looks(&path)?);
            match self.written.get_mut(index) {
                Some(old) => *old = entry,
                None => self.written.push(entry),
            }
        }
        Ok(())
    }

    /// Removes what the script left.
    fn tidy(&self, case: &Case) -> io::Result<()> {
        clear(self.here.path(), Path::new(""), &|path| {
            case.files.iter().any(|file| Path::new(&file.name).starts_with(path))
        })?;
        clear(self.temporary.path(), Path::new(""), &|_| false)
    }
}

fn looks(path: &Path) -> io::Result<Look> {
    use std::os::unix::fs::MetadataExt;
    let meta = fs::symlink_metadata(path)?;
    Ok((meta.ino(), meta.ctime(), meta.ctime_nsec(), meta.size()))
}

/// Removes all in a directory, but for paths beneath it that are to stay.
fn clear(root: &Path, inside: &Path, stays: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(root.join(inside))? {
        let entry = entry?;
        let name: &OsStr = &entry.file_name();
        let relative = inside.join(name);
        let is_dir = entry.file_type()?.is_dir();
        let gone = match (stays(&relative), is_dir) {
            (true, true) => clear(root, &relative, stays),
            (true, false) => Ok(()),
            (false, true) => fs::remove_dir_all(entry.path()),
            (false, false) => fs::remove_file(entry.path()),
        };
        match gone {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => other?,
        }
    }
    Ok(())
}
