//! `<stdlib.h>`: memory, process end.

use super::{Args, Native, int, pointer};
use crate::mem::Ptr;
use crate::stop::{Res, Stop};
use crate::verdict::Exit;
use crate::vm::{Slot, Vm};

/// Signal of `abort`.
const SIGABRT: i32 = 6;

/// The functions.
pub const TABLE: &[(&str, Native)] = &[
    ("abort", abort),
    ("exit", exit),
    ("_exit", quick_exit),
    ("_Exit", quick_exit),
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("free", free),
];

fn abort(_: &mut Vm<'_>, _: &Args) -> Res<Slot> {
    Err(Box::new(Stop::Exit(Exit::Signal(SIGABRT))))
}

fn exit(vm: &mut Vm<'_>, args: &Args) -> Res<Slot> {
    let code = args.int(0)? as u8;
    vm.exit(code)?;
    Ok(int(0))
}

fn quick_exit(_: &mut Vm<'_>, args: &Args) -> Res<Slot> {
    Err(Box::new(Stop::Exit(Exit::Code(args.int(0)? as u8))))
}

fn malloc(vm: &mut Vm<'_>, args: &Args) -> Res<Slot> {
    let size = args.int(0)?;
    Ok(pointer(vm.mem.heap_alloc(size, 16)?.unwrap_or(Ptr::NULL)))
}

fn calloc(vm: &mut Vm<'_>, args: &Args) -> Res<Slot> {
    let Some(size) = args.int(0)?.checked_mul(args.int(1)?) else { return Ok(pointer(Ptr::NULL)) };
    let Some(p) = vm.mem.heap_alloc(size, 16)? else { return Ok(pointer(Ptr::NULL)) };
    let index = vm.mem.index(p.addr);
    vm.mem.data_mut(index, size as usize).fill(0);
    vm.mem.clear_partial(index, size as usize);
    vm.mem.mark_zeroed(index, size as usize);
    Ok(pointer(p))
}

fn realloc(vm: &mut Vm<'_>, args: &Args) -> Res<Slot> {
    let (old, size) = (args.ptr(0)?, args.int(1)?);
    if old.addr == 0 {
        return Ok(pointer(vm.mem.heap_alloc(size, 16)?.unwrap_or(Ptr::NULL)));
    }
    let Some(before) = vm.mem.heap_size(old) else {
        vm.mem.heap_free(old)?;
        return Ok(pointer(Ptr::NULL));
    };
    let Some(new) = vm.mem.heap_alloc(size, 16)? else { return Ok(pointer(Ptr::NULL)) };
    let (from, to) = (vm.mem.index(old.addr), vm.mem.index(new.addr));
    vm.mem.copy(to, from, before.min(size) as usize, false)?;
    vm.mem.heap_free(old)?;
    Ok(pointer(new))
}

fn free(vm: &mut Vm<'_>, args: &Args) -> Res<Slot> {
    let p = args.ptr(0)?;
    if p.addr != 0 {
        vm.mem.heap_free(p)?;
    }
    Ok(int(0))
}
