//! Files (C11 7.21.4, 7.21.5, 7.21.9): they lie in memory and belong to one run. A program begins in an empty directory, as
//! compiled ones do in a hunt, and reaches files there by plain names; what lies elsewhere is of the machine that runs
//! it, and not supported.

use super::stdio::{self, Stream};
use super::{Args, Entry, charge, errnos, int, pointer, set_errno, static_object, store_int};
use crate::class::Class;
use crate::mem::Ptr;
use crate::stop::{Res, exhausted, undefined, unsupported};
use crate::ub::Ub;
use crate::verdict::Budget;
use crate::vm::{STREAM_BASE, Slot, Vm};
use std::collections::BTreeMap;

/// Streams open at once, with the three standard ones, as glibc allows a process by default.
const MOST_OPEN: usize = 1024 - 3;
/// Streams opened in a run: each has an address of its own, so that one that was closed is known.
const MOST: usize = 1 << 16;

/// The functions.
pub const TABLE: &[Entry] = &[
    ("fopen", "ppp", |vm, a| fopen(vm, a, None)),
    ("fopen64", "ppp", |vm, a| fopen(vm, a, None)),
    ("freopen", "pppp", freopen),
    ("tmpfile", "p", tmpfile),
    ("tmpnam", "pp", tmpnam),
    ("remove", "ip", remove),
    ("unlink", "ip", remove),
    ("rename", "ipp", rename),
    ("fseek", "ipli", seek),
    ("fseeko", "ipli", seek),
    ("ftell", "lp", |vm, a| Ok(int(tell(vm, a.ptr(0)?)?))),
    ("ftello", "lp", |vm, a| Ok(int(tell(vm, a.ptr(0)?)?))),
    ("rewind", "vp", rewind),
    ("fgetpos", "ipp", fgetpos),
    ("fsetpos", "ipp", fsetpos),
];

/// The last operation on a stream: input and output may not follow each other directly (7.21.5.3p7).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Last {
    Neither,
    Input,
    Output,
}

/// An open stream.
#[derive(Clone, Debug)]
pub struct Open {
    /// Its file, in [`Files::contents`].
    file: usize,
    /// Where the next byte is read or written.
    at: usize,
    read: bool,
    write: bool,
    append: bool,
    last: Last,
    /// Bytes given back by `ungetc`, the last of them first to be read.
    pub pushed: Vec<u8>,
    /// End of file was met.
    pub at_end: bool,
    /// An operation failed.
    pub failed: bool,
    pub closed: bool,
}

/// The files of a run and the streams on them.
#[derive(Clone, Debug, Default)]
pub struct Files {
    names: BTreeMap<Vec<u8>, usize>,
    contents: Vec<Vec<u8>>,
    /// Every stream that was ever opened.
    pub open: Vec<Open>,
    /// Names that `tmpnam` gave.
    temporary: Vec<Vec<u8>>,
    /// The array that `tmpnam` uses without one of the caller's.
    name: Option<Ptr>,
}

/// The stream's number among the files'.
pub fn number(p: Ptr) -> Option<usize> {
    let n = p.addr.checked_sub(STREAM_BASE + 48)?;
    (n.is_multiple_of(16)).then_some((n / 16) as usize)
}

fn handle(n: usize) -> Slot {
    pointer(Ptr { addr: STREAM_BASE + 48 + 16 * n as u64, prov: 0 })
}

/// A path as a name in the program's directory.
fn name(vm: &mut Vm<'_>, p: Ptr) -> Res<Vec<u8>> {
    let path = vm.mem.read_str(p)?;
    let plain = path.strip_prefix(b"./").unwrap_or(&path);
    if plain.contains(&b'/') && !vm.library.files.temporary.contains(&path) {
        return unsupported("a file outside the directory that the program runs in");
    }
    Ok(plain.to_vec())
}

fn failed(vm: &mut Vm<'_>, errno: i32) -> Res<Slot> {
    set_errno(vm, errno)?;
    Ok(pointer(Ptr::NULL))
}

/// `fopen`, or `freopen` of the stream `again`.
fn fopen(vm: &mut Vm<'_>, args: &Args<'_>, again: Option<usize>) -> Res<Slot> {
    let (path, mode) = (name(vm, args.ptr(0)?)?, vm.mem.read_str(args.ptr(1)?)?);
    let (first, rest) = (mode.first().copied().unwrap_or(0), mode.get(1..).unwrap_or_default());
    let known = rest.iter().all(|c| b"+bxe".contains(c)) && (first == b'w' || !rest.contains(&b'x'));
    if !b"rwa".contains(&first) || !known {
        return undefined(Ub::LibraryArgument, "the mode of the stream is none that C has");
    }
    let update = rest.contains(&b'+');
    let exists = vm.library.files.names.get(&path).copied();
    let file = match (first, exists) {
        (b'w', Some(_)) if rest.contains(&b'x') => return failed(vm, errnos::EEXIST),
        (b'r', None) => return failed(vm, errnos::ENOENT),
        (_, None) if path.is_empty() => return failed(vm, errnos::ENOENT),
        (b'w', Some(file)) => {
            vm.library.files.contents[file].clear();
            file
        }
        (_, Some(file)) => file,
        (_, None) => {
            let file = create(vm);
            vm.library.files.names.insert(path, file);
            file
        }
    };
    let open = Open { read: first == b'r' || update, write: first != b'r' || update, ..fresh(file) };
    attach(vm, Open { append: first == b'a', ..open }, again)
}

fn fresh(file: usize) -> Open {
    Open {
        file,
        at: 0,
        read: true,
        write: true,
        append: false,
        last: Last::Neither,
        pushed: Vec::new(),
        at_end: false,
        failed: false,
        closed: false,
    }
}

fn create(vm: &mut Vm<'_>) -> usize {
    vm.library.files.contents.push(Vec::new());
    vm.library.files.contents.len() - 1
}

fn attach(vm: &mut Vm<'_>, open: Open, again: Option<usize>) -> Res<Slot> {
    let all = &mut vm.library.files.open;
    if let Some(n) = again {
        all[n] = open;
        return Ok(handle(n));
    }
    if all.len() >= MOST {
        return unsupported("a program that opens that many streams");
    }
    // Those that are closed were counted once: only long lists are looked at.
    if all.len() >= MOST_OPEN && all.iter().filter(|o| !o.closed).count() >= MOST_OPEN {
        return failed(vm, errnos::EMFILE);
    }
    all.push(open);
    let n = all.len() - 1;
    charge(vm, 256)?;
    Ok(handle(n))
}

fn freopen(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    match stdio::stream(vm, args.ptr(2)?)? {
        Stream::File(_) if args.ptr(0)?.addr == 0 => unsupported("another mode for an open stream"),
        Stream::File(n) => {
            vm.library.files.open[n].closed = true;
            fopen(vm, args, Some(n))
        }
        Stream::In | Stream::Out | Stream::Err => unsupported("a standard stream on a file"),
    }
}

fn tmpfile(vm: &mut Vm<'_>, _: &Args<'_>) -> Res<Slot> {
    let file = create(vm);
    attach(vm, fresh(file), None)
}

/// Names as glibc makes them; what they are exactly nobody may rely on.
fn tmpnam(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    vm.mem.unspecified_read = true;
    let letter = if vm.mem.turn_unspecified { 'b' } else { 'a' };
    let name = format!("/tmp/file{letter}{:05}", vm.library.files.temporary.len() % 100_000).into_bytes();
    vm.library.files.temporary.push(name.clone());
    let to = match (args.ptr(0)?, vm.library.files.name) {
        (Ptr { addr: 0, .. }, Some(p)) => p,
        (Ptr { addr: 0, .. }, None) => {
            let p = static_object(vm, &[0; 20], Class::Char as u8)?;
            vm.library.files.name = Some(p);
            p
        }
        (p, _) => p,
    };
    vm.mem.write_bytes(to, &[name, vec![0]].concat())?;
    Ok(pointer(to))
}

fn remove(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let path = name(vm, args.ptr(0)?)?;
    // Streams that are open keep what they have.
    if vm.library.files.names.remove(&path).is_none() {
        set_errno(vm, errnos::ENOENT)?;
        return Ok(int(-1));
    }
    Ok(int(0))
}

fn rename(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (from, to) = (name(vm, args.ptr(0)?)?, name(vm, args.ptr(1)?)?);
    let Some(file) = vm.library.files.names.remove(&from) else {
        set_errno(vm, errnos::ENOENT)?;
        return Ok(int(-1));
    };
    vm.library.files.names.insert(to, file);
    Ok(int(0))
}

// ----- input and output

/// Begins an operation on a stream; false, with the error set, if it does not take it.
fn begin(vm: &mut Vm<'_>, n: usize, now: Last) -> Res<bool> {
    let open = &mut vm.library.files.open[n];
    if !(if now == Last::Input { open.read } else { open.write }) {
        open.failed = true;
        set_errno(vm, errnos::EBADF)?;
        return Ok(false);
    }
    let turned = open.last != Last::Neither && open.last != now;
    if turned && !(now == Last::Output && open.at_end) {
        let what =
            "input directly after output, or output after input, without a call that positions the stream";
        return undefined(Ub::LibraryArgument, what);
    }
    open.last = now;
    Ok(true)
}

/// Writes; false if the stream does not take output.
pub fn put(vm: &mut Vm<'_>, n: usize, bytes: &[u8]) -> Res<bool> {
    if !begin(vm, n, Last::Output)? {
        return Ok(false);
    }
    let Files { open, contents, .. } = &mut vm.library.files;
    let open = &mut open[n];
    let content = &mut contents[open.file];
    if open.append {
        open.at = content.len();
    }
    let end = open.at.saturating_add(bytes.len());
    if end as u64 > vm.options.max_output {
        return exhausted(Budget::Output);
    }
    let grown = end.saturating_sub(content.len());
    content.resize(content.len() + grown, 0);
    content[open.at..end].copy_from_slice(bytes);
    open.at = end;
    charge(vm, grown as u64)?;
    Ok(true)
}

/// The next byte.
pub fn take(vm: &mut Vm<'_>, n: usize) -> Res<Option<u8>> {
    if !begin(vm, n, Last::Input)? {
        return Ok(None);
    }
    let Files { open, contents, .. } = &mut vm.library.files;
    let open = &mut open[n];
    if let Some(byte) = open.pushed.pop() {
        return Ok(Some(byte));
    }
    let byte = contents[open.file].get(open.at).copied();
    match byte {
        Some(_) => open.at += 1,
        None => open.at_end = true,
    }
    Ok(byte)
}

/// All bytes that are left to read, and how many of them were given back; `None` if the stream gives no input.
pub fn rest(vm: &mut Vm<'_>, n: usize) -> Res<Option<Vec<u8>>> {
    if !begin(vm, n, Last::Input)? {
        return Ok(None);
    }
    let files = &vm.library.files;
    let open = &files.open[n];
    let mut bytes: Vec<u8> = open.pushed.iter().rev().copied().collect();
    bytes.extend(files.contents[open.file].get(open.at..).unwrap_or_default());
    Ok(Some(bytes))
}

/// Takes `used` of the bytes that [`rest`] gave.
pub fn skip(vm: &mut Vm<'_>, n: usize, used: usize, all: bool) {
    let open = &mut vm.library.files.open[n];
    let given_back = used.min(open.pushed.len());
    open.pushed.truncate(open.pushed.len() - given_back);
    open.at += used - given_back;
    open.at_end |= all;
}

/// What was written is where it belongs: input may follow.
pub fn flush(vm: &mut Vm<'_>, n: usize) -> Res<()> {
    let open = &mut vm.library.files.open[n];
    if open.last == Last::Input {
        return undefined(Ub::LibraryArgument, "fflush of a stream whose last operation was input");
    }
    open.last = Last::Neither;
    Ok(())
}

// ----- positions

fn file(vm: &Vm<'_>, p: Ptr) -> Res<usize> {
    match stdio::stream(vm, p)? {
        Stream::File(n) => Ok(n),
        Stream::In | Stream::Out | Stream::Err => unsupported("the position of a standard stream"),
    }
}

fn tell(vm: &mut Vm<'_>, p: Ptr) -> Res<i64> {
    let n = file(vm, p)?;
    let open = &vm.library.files.open[n];
    Ok(open.at as i64 - open.pushed.len() as i64)
}

fn position(vm: &mut Vm<'_>, n: usize, at: i64) -> Res<Slot> {
    let Ok(at) = usize::try_from(at) else {
        set_errno(vm, errnos::EINVAL)?;
        return Ok(int(-1));
    };
    let open = &mut vm.library.files.open[n];
    (open.at, open.at_end, open.last) = (at, false, Last::Neither);
    open.pushed.clear();
    Ok(int(0))
}

fn seek(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let n = file(vm, args.ptr(0)?)?;
    let by = args.int(1)? as i64;
    let from = match args.i32(2)? {
        0 => 0,
        1 => tell(vm, args.ptr(0)?)?,
        2 => vm.library.files.contents[vm.library.files.open[n].file].len() as i64,
        _ => -1,
    };
    let at = if from < 0 { -1 } else { from.saturating_add(by) };
    position(vm, n, at)
}

fn rewind(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let n = file(vm, args.ptr(0)?)?;
    vm.library.files.open[n].failed = false;
    position(vm, n, 0)
}

/// An `fpos_t` is glibc's: the offset, a `long`, and the state of a conversion, whose first `int` here is the stream's
/// number from 1: a position of another stream, or of none, is no position of this one (7.21.9.3p2).
fn fgetpos(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let n = file(vm, args.ptr(0)?)?;
    let at = tell(vm, args.ptr(0)?)?;
    let (to, long) = (args.ptr(1)?, u64::from(vm.options.target.long_bytes));
    store_int(vm, to, at, long, Class::Long)?;
    store_int(vm, to.offset(long), n as i64 + 1, 4, Class::Int)?;
    Ok(int(0))
}

fn fsetpos(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let n = file(vm, args.ptr(0)?)?;
    let long = usize::from(vm.options.target.long_bytes);
    let bytes = vm.mem.read_bytes(args.ptr(1)?, long as u64 + 4)?;
    let number = |bytes: &[u8]| {
        let (most, big) = (bytes.len() - 1, vm.mem.big_endian);
        let each = bytes.iter().enumerate();
        each.fold(0, |sum, (k, byte)| sum | i64::from(*byte) << (8 * if big { most - k } else { k }))
    };
    if number(&bytes[long..]) != n as i64 + 1 {
        return undefined(Ub::LibraryArgument, "the position is none that fgetpos gave for this stream");
    }
    let at = number(&bytes[..long]);
    position(vm, n, at)
}
