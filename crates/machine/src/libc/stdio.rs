//! `<stdio.h>` without formats: streams, characters, lines, blocks. Files are in `files.rs`.

use super::{Args, Entry, charge, errnos, files, int, pointer, set_errno};
use crate::mem::Ptr;
use crate::stop::{Res, undefined, unsupported};
use crate::ub::Ub;
use crate::vm::{STREAM_BASE, Slot, Vm};

/// `EOF`.
pub const EOF: i64 = -1;

/// A stream.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Stream {
    In,
    Out,
    Err,
    /// One on a file, by its number.
    File(usize),
}

/// The functions.
pub const TABLE: &[Entry] = &[
    ("puts", "ip", puts),
    ("puts_unlocked", "ip", puts),
    ("putchar", "ii", putchar),
    ("putchar_unlocked", "ii", putchar),
    ("putc", "iip", fputc),
    ("_IO_putc", "iip", fputc),
    ("putc_unlocked", "iip", fputc),
    ("fputc", "iip", fputc),
    ("fputc_unlocked", "iip", fputc),
    ("fputs", "ipp", fputs),
    ("fputs_unlocked", "ipp", fputs),
    ("fwrite", "zpzzp", fwrite),
    ("fwrite_unlocked", "zpzzp", fwrite),
    ("fread", "zpzzp", fread),
    ("fread_unlocked", "zpzzp", fread),
    ("fflush", "ip", fflush),
    ("fflush_unlocked", "ip", fflush),
    ("fclose", "ip", fclose),
    ("perror", "vp", perror),
    ("getchar", "i", getchar),
    ("getchar_unlocked", "i", getchar),
    ("getc", "ip", fgetc),
    ("_IO_getc", "ip", fgetc),
    ("getc_unlocked", "ip", fgetc),
    ("fgetc", "ip", fgetc),
    ("fgetc_unlocked", "ip", fgetc),
    ("fgets", "ppip", |vm, a| fgets(vm, a.ptr(0)?, a.i32(1)?, a.ptr(2)?)),
    ("fgets_unlocked", "ppip", |vm, a| fgets(vm, a.ptr(0)?, a.i32(1)?, a.ptr(2)?)),
    ("__fgets_chk", "ppzip", |vm, a| fgets(vm, a.ptr(0)?, a.i32(2)?, a.ptr(3)?)),
    ("ungetc", "iip", ungetc),
    ("feof", "ip", feof),
    ("feof_unlocked", "ip", feof),
    ("ferror", "ip", ferror),
    ("ferror_unlocked", "ip", ferror),
    ("clearerr", "vp", clearerr),
    ("fileno", "ip", fileno),
    ("setvbuf", "ippiz", setvbuf),
    ("setbuf", "vpp", setbuf),
    ("setlinebuf", "vp", setbuf),
    ("write", "zipz", write),
];

/// The stream behind a `FILE *`.
pub fn stream(vm: &Vm<'_>, p: Ptr) -> Res<Stream> {
    let (stream, n) = match p.addr.wrapping_sub(STREAM_BASE) {
        0 => (Stream::In, 0),
        16 => (Stream::Out, 1),
        32 => (Stream::Err, 2),
        _ => {
            return match files::number(p).and_then(|n| Some((n, vm.library.files.open.get(n)?))) {
                Some((n, open)) if !open.closed => Ok(Stream::File(n)),
                Some(_) => undefined(Ub::LibraryArgument, "the stream was closed"),
                None => undefined(Ub::LibraryArgument, format!("{:#x} is not a stream", p.addr)),
            };
        }
    };
    if vm.library.closed[n] {
        return undefined(Ub::LibraryArgument, "the stream was closed");
    }
    Ok(stream)
}

/// The stream that shares a file descriptor.
pub fn descriptor(fd: i32) -> Res<Stream> {
    match fd {
        0 => Ok(Stream::In),
        1 => Ok(Stream::Out),
        2 => Ok(Stream::Err),
        _ => unsupported(format!("file descriptor {fd}")),
    }
}

/// Writes to a stream; false if it does not take output.
pub fn put(vm: &mut Vm<'_>, stream: Stream, bytes: &[u8]) -> Res<bool> {
    match stream {
        Stream::In => {
            vm.library.failed = true;
            set_errno(vm, errnos::EBADF)?;
            return Ok(false);
        }
        Stream::Out => {
            vm.library.unflushed |= !bytes.is_empty();
            vm.write(false, bytes)?;
        }
        Stream::Err => vm.write(true, bytes)?,
        Stream::File(n) => {
            if !files::put(vm, n, bytes)? {
                return Ok(false);
            }
        }
    }
    charge(vm, bytes.len() as u64)?;
    Ok(true)
}

/// Writes past the stream's buffer.
pub fn put_directly(vm: &mut Vm<'_>, stream: Stream, bytes: &[u8]) -> Res<()> {
    match stream {
        Stream::In => return unsupported("output to descriptor 0"),
        Stream::Out if vm.library.unflushed && !bytes.is_empty() => {
            return unsupported("output to a descriptor while its stream holds unflushed output");
        }
        Stream::Out => vm.write(false, bytes)?,
        Stream::Err => vm.write(true, bytes)?,
        Stream::File(_) => return unsupported("the descriptor of a file"),
    }
    Ok(())
}

fn puts(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let mut text = vm.mem.read_str(args.ptr(0)?)?;
    text.push(b'\n');
    put(vm, Stream::Out, &text)?;
    Ok(int((text.len() as i64).min(i64::from(i32::MAX))))
}

fn character(vm: &mut Vm<'_>, value: u64, stream: Stream) -> Res<Slot> {
    let byte = value as u8;
    Ok(int(if put(vm, stream, &[byte])? { byte.into() } else { EOF }))
}

fn putchar(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    character(vm, args.int(0)?, Stream::Out)
}

fn fputc(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let stream = stream(vm, args.ptr(1)?)?;
    character(vm, args.int(0)?, stream)
}

fn fputs(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let stream = stream(vm, args.ptr(1)?)?;
    let text = vm.mem.read_str(args.ptr(0)?)?;
    Ok(int(if put(vm, stream, &text)? { 1 } else { EOF }))
}

fn fwrite(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, size, count) = (args.ptr(0)?, args.int(1)?, args.int(2)?);
    let stream = stream(vm, args.ptr(3)?)?;
    let Some(n) = size.checked_mul(count) else {
        return undefined(Ub::OutOfBounds, "the block is larger than any object");
    };
    if n == 0 {
        return Ok(int(0));
    }
    let bytes = vm.mem.read_bytes(p, n)?;
    Ok(int(if put(vm, stream, &bytes)? { count as i64 } else { 0 }))
}

fn fread(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, size, count) = (args.ptr(0)?, args.int(1)?, args.int(2)?);
    let stream = input(vm, args.ptr(3)?)?;
    let Some(n) = size.checked_mul(count) else {
        return undefined(Ub::OutOfBounds, "the block is larger than any object");
    };
    if n == 0 {
        return Ok(int(0));
    }
    vm.mem.access(p, n, 1)?;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < n {
        match take(vm, stream)? {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    charge(vm, bytes.len() as u64)?;
    vm.mem.write_bytes(p, &bytes)?;
    Ok(int((bytes.len() as u64 / size) as i64))
}

fn fflush(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let p = args.ptr(0)?;
    if p.addr == 0 {
        vm.library.unflushed = false;
        return Ok(int(0));
    }
    match stream(vm, p)? {
        Stream::Out => vm.library.unflushed = false,
        Stream::File(n) => files::flush(vm, n)?,
        Stream::In | Stream::Err => {}
    }
    Ok(int(0))
}

fn fclose(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let n = match stream(vm, args.ptr(0)?)? {
        Stream::In => 0,
        Stream::Out => 1,
        Stream::Err => 2,
        Stream::File(n) => {
            vm.library.files.open[n].closed = true;
            return Ok(int(0));
        }
    };
    vm.library.closed[n] = true;
    if n == 1 {
        vm.library.unflushed = false;
    }
    Ok(int(0))
}

fn perror(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let p = args.ptr(0)?;
    let mut text = if p.addr == 0 { Vec::new() } else { vm.mem.read_str(p)? };
    if !text.is_empty() {
        text.extend(b": ");
    }
    text.extend(super::strerror::message(super::errno(vm)?).as_bytes());
    text.push(b'\n');
    put(vm, Stream::Err, &text)?;
    Ok(int(0))
}

// ----- input

/// The stream behind a `FILE *` that is to be read.
pub fn input(vm: &Vm<'_>, p: Ptr) -> Res<Stream> {
    match stream(vm, p)? {
        from @ (Stream::In | Stream::File(_)) => Ok(from),
        Stream::Out | Stream::Err => unsupported("input from an output stream"),
    }
}

/// The next byte of a stream that [`input`] gave.
pub fn take(vm: &mut Vm<'_>, stream: Stream) -> Res<Option<u8>> {
    if let Stream::File(n) = stream {
        return files::take(vm, n);
    }
    if let Some(byte) = vm.library.pushed.pop() {
        return Ok(Some(byte));
    }
    let byte = vm.options.stdin.get(vm.stdin_at).copied();
    match byte {
        Some(_) => vm.stdin_at += 1,
        None => vm.library.at_end = true,
    }
    Ok(byte)
}

fn getchar(vm: &mut Vm<'_>, _: &Args<'_>) -> Res<Slot> {
    if vm.library.closed[0] {
        return undefined(Ub::LibraryArgument, "the stream was closed");
    }
    Ok(int(take(vm, Stream::In)?.map_or(EOF, i64::from)))
}

fn fgetc(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let stream = input(vm, args.ptr(0)?)?;
    Ok(int(take(vm, stream)?.map_or(EOF, i64::from)))
}

fn fgets(vm: &mut Vm<'_>, p: Ptr, n: i32, file: Ptr) -> Res<Slot> {
    let stream = input(vm, file)?;
    if n <= 0 {
        return undefined(Ub::LibraryArgument, format!("fgets into {n} byte(s)"));
    }
    if n == 1 {
        vm.mem.write_bytes(p, &[0])?;
        return Ok(pointer(p));
    }
    let mut line = Vec::new();
    while line.len() + 1 < n as usize {
        match take(vm, stream)? {
            Some(byte) => line.push(byte),
            None => break,
        }
        if line.last() == Some(&b'\n') {
            break;
        }
    }
    if line.is_empty() {
        return Ok(pointer(Ptr::NULL));
    }
    charge(vm, line.len() as u64)?;
    line.push(0);
    vm.mem.write_bytes(p, &line)?;
    Ok(pointer(p))
}

fn ungetc(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let stream = input(vm, args.ptr(1)?)?;
    let value = args.i32(0)?;
    let library = &mut vm.library;
    let (pushed, at_end) = match stream {
        Stream::File(n) => {
            let open = &mut library.files.open[n];
            (&mut open.pushed, &mut open.at_end)
        }
        Stream::In | Stream::Out | Stream::Err => (&mut library.pushed, &mut library.at_end),
    };
    if i64::from(value) == EOF || pushed.len() >= 4096 {
        return Ok(int(EOF));
    }
    pushed.push(value as u8);
    *at_end = false;
    Ok(int(i64::from(value as u8)))
}

fn feof(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let at_end = match stream(vm, args.ptr(0)?)? {
        Stream::In => vm.library.at_end,
        Stream::File(n) => vm.library.files.open[n].at_end,
        Stream::Out | Stream::Err => false,
    };
    Ok(int(at_end.into()))
}

fn ferror(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let failed = match stream(vm, args.ptr(0)?)? {
        Stream::File(n) => vm.library.files.open[n].failed,
        Stream::In => vm.library.failed,
        Stream::Out | Stream::Err => false,
    };
    Ok(int(failed.into()))
}

fn clearerr(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    match stream(vm, args.ptr(0)?)? {
        Stream::In => (vm.library.at_end, vm.library.failed) = (false, false),
        Stream::File(n) => {
            let open = &mut vm.library.files.open[n];
            (open.at_end, open.failed) = (false, false);
        }
        Stream::Out | Stream::Err => {}
    }
    Ok(int(0))
}

fn fileno(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    Ok(int(match stream(vm, args.ptr(0)?)? {
        Stream::In => 0,
        Stream::Out => 1,
        Stream::Err => 2,
        Stream::File(_) => return unsupported("the descriptor of a file"),
    }))
}

/// Buffering does not show in what is written, only in when.
fn setvbuf(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    stream(vm, args.ptr(0)?)?;
    Ok(int(if (0..=2).contains(&args.i32(2)?) { 0 } else { -1 }))
}

fn setbuf(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    stream(vm, args.ptr(0)?)?;
    Ok(int(0))
}

fn write(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, n) = (args.ptr(1)?, args.int(2)?);
    let stream = descriptor(args.i32(0)?)?;
    let bytes = vm.mem.read_bytes(p, n)?;
    put_directly(vm, stream, &bytes)?;
    Ok(int(n as i64))
}
