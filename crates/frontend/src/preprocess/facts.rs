//! What compilers predefine and where they look: asked of each once, and kept in the user's cache directory.
//!
//! An answer is known by the compiler's file, that file's size and time of change, the options and the variables that
//! add directories. A cache that cannot be read or written costs time, nothing else.

use ::preprocess::Compiler;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use toolchain::compiler::Preprocessor;

/// Variables that change what a compiler answers.
const VARIABLES: &[&str] =
    &["CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS", "SYSROOT"];

/// What a compiler said of itself.
#[derive(Clone)]
struct Said {
    compiler: Arc<Compiler>,
    /// Whether its directories of headers are here. Compilers name no directories but those that exist where they run.
    here: bool,
}

/// Answers by their keys; `None` for compilers that are of no use here.
type Answers = HashMap<Vec<u8>, Option<Said>>;

static KNOWN: Mutex<Option<Answers>> = Mutex::new(None);

/// What the compiler says. `None` if it cannot be asked, is neither gcc nor clang, or lives elsewhere ([`is_elsewhere`]).
pub(super) fn of(cpp: &Preprocessor, options: &[OsString]) -> Option<Arc<Compiler>> {
    said(cpp, options).filter(|said| said.here).map(|said| said.compiler)
}

/// Whether a compiler has directories of headers that are not here: a wrapper runs it in another root or a container,
/// where the directories that are here may hold other files, too.
pub(super) fn is_elsewhere(cpp: &Preprocessor) -> bool {
    said(cpp, &[]).is_some_and(|said| !said.here)
}

/// What the compiler says, as it was asked or is kept.
fn said(cpp: &Preprocessor, options: &[OsString]) -> Option<Said> {
    let cpp = cpp.clone().args(options.iter().cloned());
    let key = key(&cpp)?;
    if let Some(known) = lock().as_ref().and_then(|known| known.get(&key)) {
        return known.clone();
    }
    let file = cache_file(&key);
    let found = file.as_deref().and_then(|file| load(file, &key)).or_else(|| {
        let (stdout, stderr) = cpp.describe(&Compiler::question()).ok()?;
        let compiler = Compiler::parse(&stdout, &stderr).ok()?;
        if let Some(file) = &file {
            // Without a cache the compiler is asked again next time.
            let _ = store(file, &key, &compiler.to_text());
        }
        Some(compiler)
    });
    let found = found.filter(Compiler::is_gnu).map(|compiler| {
        let here = compiler.directories().all(|dir| Path::new(OsStr::from_bytes(dir)).is_dir());
        Said { compiler: Arc::new(compiler), here }
    });
    lock().get_or_insert_default().insert(key, found.clone());
    found
}

fn lock() -> MutexGuard<'static, Option<Answers>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All that an answer depends on, as one line.
fn key(cpp: &Preprocessor) -> Option<Vec<u8>> {
    let program = fs::canonicalize(cpp.program()?).ok()?;
    let meta = fs::metadata(&program).ok()?;
    let mut question = DefaultHasher::new();
    Compiler::question().hash(&mut question);
    let mut key = format!(
        "plumb {} {:x} {} {} {}",
        env!("CARGO_PKG_VERSION"),
        question.finish(),
        meta.size(),
        meta.mtime(),
        meta.mtime_nsec()
    )
    .into_bytes();
    let mut add = |bytes: &[u8]| {
        key.push(b' ');
        key.extend(bytes.escape_ascii());
    };
    add(program.as_os_str().as_bytes());
    cpp.words().for_each(|word| add(word.as_bytes()));
    for name in VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            add(name.as_bytes());
            add(value.as_bytes());
        }
    }
    // Directories in options and variables may be relative.
    let harmless = |word: &OsStr| {
        ["-std", "-m", "-O", "-f", "-W", "-D", "-U"]
            .iter()
            .any(|flag| word.as_bytes().starts_with(flag.as_bytes()))
    };
    if VARIABLES.iter().any(|name| std::env::var_os(name).is_some()) || !cpp.words().skip(1).all(harmless) {
        add(std::env::current_dir().unwrap_or_default().as_os_str().as_bytes());
    }
    Some(key)
}

/// Where an answer is kept.
fn cache_file(key: &[u8]) -> Option<PathBuf> {
    let absolute = |dir: OsString| Some(PathBuf::from(dir)).filter(|dir| dir.is_absolute());
    let base = std::env::var_os("XDG_CACHE_HOME")
        .and_then(absolute)
        .or_else(|| Some(absolute(std::env::var_os("HOME")?)?.join(".cache")))?;
    let mut hash = DefaultHasher::new();
    key.hash(&mut hash);
    Some(base.join("plumb").join("compilers").join(format!("{:016x}", hash.finish())))
}

/// Reads an answer: the key on the first line, to be sure, then the text.
fn load(file: &Path, key: &[u8]) -> Option<Compiler> {
    let text = fs::read(file).ok()?;
    Compiler::from_text(text.strip_prefix(key)?.strip_prefix(b"\n")?.strip_suffix(b"end\n")?).ok()
}

/// Writes an answer so that nobody reads half of it.
fn store(file: &Path, key: &[u8], text: &[u8]) -> std::io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(dir)?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let part = dir.join(name);
    let written = fs::File::create_new(&part).and_then(|mut out| {
        out.write_all(key)?;
        out.write_all(b"\n")?;
        out.write_all(text)?;
        out.write_all(b"end\n")
    });
    let moved = written.and_then(|()| fs::rename(&part, file));
    if moved.is_err() {
        let _ = fs::remove_file(&part);
    }
    moved
}
