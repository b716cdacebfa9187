//! `qsort` and `bsearch`: the calls of the comparison function come in the order glibc makes them. How many there are, and
//! of which elements, C leaves open: a run with the other choices of what is unspecified makes more, which an
//! inconsistent comparison function does not survive (C11 7.22.5p4: its results for the same objects agree, and those for
//! `qsort` define a total order).

use super::string::copy_bytes;
use super::{Args, Entry, charge, int, pointer, stdlib};
use crate::mem::Ptr;
use crate::stop::{Res, exhausted, undefined};
use crate::ub::Ub;
use crate::verdict::Budget;
use crate::vm::Target;
use crate::vm::{Slot, Vm};

/// The functions.
pub const TABLE: &[Entry] = &[("qsort", "vpzzp", qsort), ("bsearch", "pppzzp", bsearch)];

/// A merge sort in progress.
struct Sort {
    compare: Target,
    size: u64,
    scratch: Ptr,
}

fn call(vm: &mut Vm<'_>, compare: Target, a: Ptr, b: Ptr) -> Res<i32> {
    Ok(vm.call_function(compare, &[pointer(a), pointer(b)])?.lo as i32)
}

fn extent(count: u64, size: u64) -> Res<u64> {
    match count.checked_mul(size) {
        Some(n) => Ok(n),
        None => undefined(Ub::OutOfBounds, "more elements than any array has"),
    }
}

/// Most elements between which `bsearch` looks, in a run that doubts.
const MOST: u64 = 4096;

fn inconsistent<T>(what: &str) -> Res<T> {
    undefined(Ub::LibraryArgument, what)
}

/// Does this run make other choices than the first? That there are any makes it run.
fn doubts(vm: &mut Vm<'_>) -> bool {
    vm.mem.unspecified_read = true;
    vm.mem.turn_unspecified
}

fn qsort(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (base, count, size) = (args.ptr(0)?, args.int(1)?, args.int(2)?);
    let compare = stdlib::callback(vm, args.ptr(3)?, b"cc", b'i')?;
    let bytes = extent(count, size)?;
    vm.mem.access(base, bytes, 1)?;
    if count < 2 || size == 0 {
        return Ok(int(0));
    }
    let Some(scratch) = vm.mem.heap_alloc(bytes, 16)? else { return exhausted(Budget::Memory) };
    let sort = Sort { compare, size, scratch };
    let end = sort.run(vm, base, count);
    vm.mem.heap_free(scratch)?;
    end?;
    if doubts(vm) {
        sorted(vm, compare, base, count, size)?;
    }
    Ok(int(0))
}

/// Neighbours compare as they were sorted, and the other way round. Not undefined where that could still be another order
/// of equal elements.
fn sorted(vm: &mut Vm<'_>, compare: Target, base: Ptr, count: u64, size: u64) -> Res<()> {
    for at in 1..count {
        charge(vm, size)?;
        let (a, b) = (base.offset((at - 1) * size), base.offset(at * size));
        let (there, back) = (call(vm, compare, a, b)?, call(vm, compare, b, a)?);
        if there.signum() != -back.signum() {
            return inconsistent("the comparison function does not say the opposite of exchanged arguments");
        }
        if there > 0 {
            return inconsistent("the comparison function does not define an order of the elements");
        }
    }
    Ok(())
}

/// Elements that compare less than the key come first, then equal ones, then those that compare greater (C11 7.22.5.1p2).
fn partitioned(vm: &mut Vm<'_>, compare: Target, key: Ptr, (base, count, size): (Ptr, u64, u64)) -> Res<()> {
    let mut last = 1;
    for at in 0..count.min(MOST) {
        charge(vm, 1)?;
        let order = call(vm, compare, key, base.offset(at * size))?.signum();
        if order > last {
            return inconsistent("the array is not in the order in which its elements compare with the key");
        }
        last = order;
    }
    Ok(())
}

impl Sort {
    /// Sorts `count` elements: each half, then merges. The depth is that of a binary logarithm.
    fn run(&self, vm: &mut Vm<'_>, base: Ptr, count: u64) -> Res<()> {
        if count <= 1 {
            return Ok(());
        }
        let (mut left, mut right) = (count / 2, count - count / 2);
        let (mut a, mut b) = (base, base.offset(left * self.size));
        self.run(vm, a, left)?;
        self.run(vm, b, right)?;
        let mut to = self.scratch;
        while left > 0 && right > 0 {
            charge(vm, self.size)?;
            if call(vm, self.compare, a, b)? <= 0 {
                left -= 1;
                copy_bytes(vm, to, a, self.size, true)?;
                a = a.offset(self.size);
            } else {
                right -= 1;
                copy_bytes(vm, to, b, self.size, true)?;
                b = b.offset(self.size);
            }
            to = to.offset(self.size);
        }
        if left > 0 {
            copy_bytes(vm, to, a, left * self.size, true)?;
        }
        copy_bytes(vm, base, self.scratch, (count - right) * self.size, true)
    }
}

fn bsearch(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (key, base, count, size) = (args.ptr(0)?, args.ptr(1)?, args.int(2)?, args.int(3)?);
    let compare = stdlib::callback(vm, args.ptr(4)?, b"cc", b'i')?;
    vm.mem.access(key, 0, 1)?;
    vm.mem.access(base, extent(count, size)?, 1)?;
    if doubts(vm) {
        partitioned(vm, compare, key, (base, count, size))?;
    }
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let p = base.offset(middle * size);
        match call(vm, compare, key, p)? {
            0 => return Ok(pointer(p)),
            order if order < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(pointer(Ptr::NULL))
}
