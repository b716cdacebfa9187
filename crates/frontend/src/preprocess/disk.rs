//! Headers from this machine's file system, kept in memory as long as their files do not change.

use ::preprocess::{Host, Source};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, PoisonError};

/// Kept in memory at most, all together.
const MOST: usize = 64 << 20;

/// The file system.
pub(super) struct Disk;

/// What tells one state of a file from another.
#[derive(Copy, Clone, PartialEq, Eq)]
struct State {
    device: u64,
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

#[derive(Default)]
struct Kept {
    files: HashMap<Vec<u8>, (State, bool, Arc<Source>)>,
    size: usize,
}

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

impl Host for Disk {
    fn read(&mut self, path: &[u8], trigraphs: bool) -> Result<Option<Arc<Source>>, String> {
        let file = OsStr::from_bytes(path);
        let Ok(meta) = fs::metadata(file) else { return Ok(None) };
        if !meta.is_file() {
            // A directory is passed over; reading a device or pipe might never end.
            return if meta.is_dir() { Ok(None) } else { Err("it is no regular file".to_owned()) };
        }
        let state = State {
            device: meta.dev(),
            inode: meta.ino(),
            size: meta.size(),
            changed: (meta.ctime(), meta.ctime_nsec()),
        };
        {
            let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((known, with, source)) = kept.as_ref().and_then(|kept| kept.files.get(path))
                && (*known, *with) == (state, trigraphs)
            {
                return Ok(Some(Arc::clone(source)));
            }
        }
        if meta.len() >= ::preprocess::LARGEST as u64 {
            return Err("it is too large".to_owned());
        }
        // Two bytes more than the file has: the preprocessor puts an end behind it.
        let mut bytes = Vec::with_capacity(meta.len() as usize + 2);
        let read = fs::File::open(file).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| error.to_string())?;
        let source = Arc::new(Source::new(bytes, trigraphs));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get_or_insert_default();
        if kept.size + source.len() > MOST {
            *kept = Kept::default();
        }
        kept.size += source.len();
        kept.files.insert(path.to_vec(), (state, trigraphs, Arc::clone(&source)));
        Ok(Some(source))
    }
}
