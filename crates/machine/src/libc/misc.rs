//! Small headers: `<errno.h>`, `<assert.h>`, `<signal.h>`, `<locale.h>`.

use super::{
    Args, Entry, errno_object, errnos, int, pointer, set_errno, static_object, stdio, stdlib, store_int,
};
use crate::class::{CONST, Class};
use crate::mem::Ptr;
use crate::stop::{Res, Stop, undefined, unsupported};
use crate::ub::Ub;
use crate::verdict::Exit;
use crate::vm::{Slot, Vm};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("__errno_location", "p", |vm, _| Ok(pointer(errno_object(vm)?))),
    ("__assert_fail", "vppip", assert_fail),
    ("__assert", "vppi", assert_fail),
    ("signal", "pip", signal),
    ("raise", "ii", |vm, a| raise(vm, a.i32(0)?)),
    ("setlocale", "pip", setlocale),
    ("localeconv", "p", localeconv),
    ("time", "lp", time),
    ("clock", "l", clock),
];

/// What `time` says in a run, and in the one that shows whether behaviour depends on it, in seconds.
const TIMES: [i64; 2] = [1_000_000_000, 1_234_567_890];

/// The time of day is no part of what a program means: it is unspecified, and the same in every run.
fn time(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    vm.mem.unspecified_read = true;
    let now = TIMES[usize::from(vm.mem.turn_unspecified)];
    let to = args.ptr(0)?;
    if to.addr != 0 {
        let long = vm.options.target.long_bytes.into();
        store_int(vm, to, now, long, Class::Long)?;
    }
    Ok(int(now))
}

/// Steps of the machine for processor time, also unspecified.
fn clock(vm: &mut Vm<'_>, _: &Args<'_>) -> Res<Slot> {
    vm.mem.unspecified_read = true;
    let used = i64::try_from(vm.options.max_steps).unwrap_or(i64::MAX).saturating_sub(vm.fuel);
    Ok(int(if vm.mem.turn_unspecified { used / 10 + 1_000 } else { used / 100 }))
}

/// Calls a signal handler.
pub fn handle(vm: &mut Vm<'_>, handler: Ptr, number: i32) -> Res<()> {
    let id = stdlib::callback(vm, handler, b"i", b'v')?;
    let outer = std::mem::replace(&mut vm.library.handling, true);
    let returned = vm.call_function(id, &[int(number.into())]);
    vm.library.handling = outer;
    returned?;
    if COMPUTATIONAL.contains(&number) {
        let what = format!("the handler of signal {number}, a computational exception, returns");
        return undefined(Ub::LibraryArgument, what);
    }
    Ok(())
}

fn assert_fail(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let expression = vm.mem.read_str(args.ptr(0)?)?;
    let file = vm.mem.read_str(args.ptr(1)?)?;
    let line = args.int(2)? as u32;
    let mut text = [b"program: ".as_slice(), &file, format!(":{line}: ").as_bytes()].concat();
    if args.types.len() > 3 && args.ptr(3)?.addr != 0 {
        text.extend(vm.mem.read_str(args.ptr(3)?)?);
        text.extend(b": ");
    }
    text.extend([b"Assertion `".as_slice(), &expression, b"' failed.\n"].concat());
    stdio::put(vm, stdio::Stream::Err, &text)?;
    raise(vm, 6)?;
    Err(Box::new(Stop::Exit(Exit::Signal(6))))
}

/// Computational exceptions, from whose handlers nothing returns (7.14.1.1p3): SIGILL, SIGBUS, SIGFPE, SIGSEGV.
const COMPUTATIONAL: &[i32] = &[4, 7, 8, 11];
/// Signals that do nothing unless handled: SIGCHLD, SIGCONT, SIGURG, SIGWINCH.
const QUIET: &[i32] = &[17, 18, 23, 28];
/// Signals that stop the process: SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU.
const STOPPING: &[i32] = &[19, 20, 21, 22];
/// SIGKILL and SIGSTOP cannot be handled.
const UNCATCHABLE: &[i32] = &[9, 19];

fn signal(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (number, handler) = (args.i32(0)?, args.ptr(1)?);
    if !(1..=64).contains(&number) || UNCATCHABLE.contains(&number) {
        set_errno(vm, errnos::EINVAL)?;
        return Ok(int(-1));
    }
    if handler.addr > 1 && vm.function_at(handler.addr).is_none() {
        return undefined(Ub::LibraryArgument, format!("{:#x} is not a signal handler", handler.addr));
    }
    let before = vm.library.handlers.insert(number, handler).unwrap_or(Ptr::NULL);
    Ok(pointer(before))
}

fn raise(vm: &mut Vm<'_>, number: i32) -> Res<Slot> {
    if !(1..=64).contains(&number) {
        set_errno(vm, errnos::EINVAL)?;
        return Ok(int(-1));
    }
    match vm.library.handlers.get(&number).copied() {
        Some(p) if p.addr == 1 => Ok(int(0)),
        Some(p) if p.addr > 1 => {
            if vm.library.handling {
                let what = "a handler that raise called calls raise itself";
                return undefined(Ub::LibraryArgument, what);
            }
            handle(vm, p, number)?;
            Ok(int(0))
        }
        Some(_) | None if QUIET.contains(&number) => Ok(int(0)),
        Some(_) | None if STOPPING.contains(&number) => unsupported("a signal that stops the process"),
        Some(_) | None => Err(Box::new(Stop::Exit(Exit::Signal(number)))),
    }
}

/// Only the "C" locale exists.
fn setlocale(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let name = args.ptr(1)?;
    if name.addr != 0 {
        let name = vm.mem.read_str(name)?;
        if !matches!(name.as_slice(), b"" | b"C" | b"POSIX") {
            return Ok(pointer(Ptr::NULL));
        }
    }
    if let Some(p) = vm.library.shown.get("locale") {
        return Ok(pointer(*p));
    }
    let p = super::static_object(vm, b"C\0", Class::Char as u8 | CONST)?;
    vm.library.shown.insert("locale", p);
    Ok(pointer(p))
}

/// Pointer members of `struct lconv`, the decimal point first.
const LCONV_STRINGS: usize = 10;
/// Its `char` members after them.
const LCONV_CHARS: usize = 14;

/// The conventions of the "C" locale, as glibc lays them out (C11 7.11.2.1).
fn localeconv(vm: &mut Vm<'_>, _: &Args<'_>) -> Res<Slot> {
    if let Some(p) = vm.library.shown.get("localeconv") {
        return Ok(pointer(*p));
    }
    let word = vm.mem.pointer_bytes as usize;
    let size = (LCONV_STRINGS * word + LCONV_CHARS).next_multiple_of(word);
    // CHAR_MAX says that a value is not available.
    let p = static_object(vm, &vec![127; size], Class::Char as u8)?;
    let point = static_object(vm, b".\0", Class::Char as u8 | CONST)?;
    let index = vm.mem.index(p.addr);
    for k in 0..LCONV_STRINGS {
        let text = if k == 0 { point } else { point.offset(1) };
        vm.mem.fill_shadow(index + k * word, word, Class::Ptr as u8);
        vm.mem.store_ptr(index + k * word, Class::Ptr as u8, text)?;
    }
    for byte in vm.mem.shadow_mut(index, size) {
        *byte |= CONST;
    }
    vm.library.shown.insert("localeconv", p);
    Ok(pointer(p))
}
