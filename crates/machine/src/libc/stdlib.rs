//! `<stdlib.h>`: memory, process end, integer arithmetic, pseudo-random numbers, the environment.

use super::string::copy_bytes;
use super::{Args, Entry, errnos, int, pointer, set_errno};
use crate::class::Class;
use crate::mem::Ptr;
use crate::stop::{Res, Stop, undefined};
use crate::ub::Ub;
use crate::verdict::Exit;
use crate::vm::{Slot, Vm};
use csyntax::types::{Ty, TyKind};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("abort", "v", abort),
    ("exit", "vi", exit),
    ("_exit", "vi", |_, a| Err(Box::new(Stop::Exit(Exit::Code(a.int(0)? as u8))))),
    ("_Exit", "vi", |_, a| Err(Box::new(Stop::Exit(Exit::Code(a.int(0)? as u8))))),
    ("atexit", "ip", atexit),
    ("quick_exit", "vi", quick_exit),
    ("at_quick_exit", "ip", at_quick_exit),
    ("malloc", "pz", malloc),
    ("calloc", "pzz", calloc),
    ("realloc", "ppz", |vm, a| resize(vm, a.ptr(0)?, a.int(1)?)),
    ("reallocarray", "ppzz", reallocarray),
    ("free", "vp", free),
    ("cfree", "vp", free),
    ("aligned_alloc", "pzz", |vm, a| aligned(vm, a.int(0)?, a.int(1)?)),
    ("memalign", "pzz", |vm, a| aligned(vm, a.int(0)?, a.int(1)?)),
    ("valloc", "pz", |vm, a| aligned(vm, 4096, a.int(0)?)),
    ("posix_memalign", "ipzz", posix_memalign),
    ("malloc_usable_size", "zp", malloc_usable_size),
    ("abs", "ii", |_, a| absolute(a.int(0)? as i64, 4)),
    ("labs", "ll", |vm, a| absolute(a.int(0)? as i64, vm.options.target.long_bytes)),
    ("llabs", "qq", |_, a| absolute(a.int(0)? as i64, 8)),
    ("imaxabs", "qq", |_, a| absolute(a.int(0)? as i64, 8)),
    ("div", "sii", |vm, a| divide(vm, a, 4, Class::Int)),
    ("ldiv", "sll", |vm, a| divide(vm, a, u64::from(vm.options.target.long_bytes), Class::Long)),
    ("lldiv", "sqq", |vm, a| divide(vm, a, 8, Class::LLong)),
    ("rand", "i", |vm, _| Ok(int(generator(vm).next()))),
    ("srand", "vi", srand),
    ("random", "l", |vm, _| Ok(int(generator(vm).next()))),
    ("srandom", "vi", srand),
    ("rand_r", "ip", rand_r),
    ("getenv", "pp", getenv),
    ("secure_getenv", "pp", getenv),
];

/// Signal of `abort`.
const SIGABRT: i32 = 6;

fn abort(vm: &mut Vm<'_>, _: &Args<'_>) -> Res<Slot> {
    if let Some(handler) = vm.library.handlers.remove(&SIGABRT) {
        super::misc::handle(vm, handler, SIGABRT)?;
    }
    Err(Box::new(Stop::Exit(Exit::Signal(SIGABRT))))
}

fn exit(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let code = args.int(0)? as u8;
    vm.exit(code)?;
    Ok(int(0))
}

fn quick_exit(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    if std::mem::replace(&mut vm.library.exiting, true) {
        return undefined(Ub::LibraryArgument, "exit or quick_exit is called a second time");
    }
    while let Some(f) = vm.library.at_quick_exit.pop() {
        let target = callback(vm, f, &[], b'v')?;
        vm.call_function(target, &[])?;
    }
    Err(Box::new(Stop::Exit(Exit::Code(args.int(0)? as u8))))
}

fn at_quick_exit(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let f = args.ptr(0)?;
    callback(vm, f, &[], b'v')?;
    vm.library.at_quick_exit.push(f);
    Ok(int(0))
}

fn atexit(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let f = args.ptr(0)?;
    callback(vm, f, &[], b'v')?;
    vm.at_exit.push(f);
    Ok(int(0))
}

/// Checks that `p` points to a function with these parameters (signature letters; `c` is a pointer to const void)
/// and result, which the library is to call.
pub fn callback(vm: &Vm<'_>, p: Ptr, params: &[u8], ret: u8) -> Res<crate::vm::Target> {
    let Some(id) = vm.function_at(p.addr) else {
        return undefined(Ub::LibraryArgument, format!("{:#x} is not the address of a function", p.addr));
    };
    let types = &vm.unit.types;
    let wrong =
        || undefined(Ub::WrongFunctionType, "a function of another type is passed for the library to call");
    let TyKind::Function(f) = types.kind(vm.unit[id].ty) else { return wrong() };
    let result = match ret {
        b'v' => matches!(types.kind(f.ret.ty), TyKind::Void),
        _ => f.ret.ty == Ty::INT,
    };
    let fits = |ty: Ty, letter: u8| match letter {
        b'i' => types.int_kind(ty) == types.int_kind(Ty::INT),
        _ => matches!(types.kind(ty), TyKind::Pointer(to)
            if matches!(types.kind(to.ty), TyKind::Void) && to.quals.has(csyntax::ast::Quals::CONST)),
    };
    let parameters: Vec<Ty> = if f.prototype {
        f.params.iter().map(|p| p.ty).collect()
    } else {
        vm.unit[id].params.iter().map(|p| vm.unit[*p].ty.ty).collect()
    };
    let same = parameters.len() == params.len() && parameters.iter().zip(params).all(|(t, l)| fits(*t, *l));
    if !result || !same || f.variadic {
        return wrong();
    }
    Ok(crate::vm::Target { id, chain: p.prov })
}

// ----- memory

fn allocate(vm: &mut Vm<'_>, size: u64, align: u64) -> Res<Ptr> {
    let largest = if vm.mem.pointer_bytes == 4 { 0x7fff_ffff } else { i64::MAX as u64 };
    let made = if size > largest { None } else { vm.mem.heap_alloc(size, align)? };
    match made {
        Some(p) => Ok(p),
        None => {
            set_errno(vm, errnos::ENOMEM)?;
            Ok(Ptr::NULL)
        }
    }
}

fn malloc(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    Ok(pointer(allocate(vm, args.int(0)?, 16)?))
}

fn calloc(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let size = args.int(0)?.saturating_mul(args.int(1)?);
    let p = allocate(vm, size, 16)?;
    if p.addr != 0 {
        super::charge(vm, size)?;
        let index = vm.mem.index(p.addr);
        vm.mem.data_mut(index, size as usize).fill(0);
        vm.mem.clear_partial(index, size as usize);
        vm.mem.mark_zeroed(index, size as usize);
    }
    Ok(pointer(p))
}

fn resize(vm: &mut Vm<'_>, old: Ptr, size: u64) -> Res<Slot> {
    if old.addr == 0 {
        return Ok(pointer(allocate(vm, size, 16)?));
    }
    let Some(before) = vm.mem.heap_size(old) else {
        // Reports what is wrong with the pointer.
        vm.mem.heap_free(old)?;
        return Ok(pointer(Ptr::NULL));
    };
    if size == 0 {
        vm.mem.heap_free(old)?;
        return Ok(pointer(Ptr::NULL));
    }
    let new = allocate(vm, size, 16)?;
    if new.addr != 0 {
        copy_bytes(vm, new, old, before.min(size), true)?;
        vm.mem.heap_free(old)?;
    }
    Ok(pointer(new))
}

fn reallocarray(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    match args.int(1)?.checked_mul(args.int(2)?) {
        Some(size) => resize(vm, args.ptr(0)?, size),
        None => {
            set_errno(vm, errnos::ENOMEM)?;
            Ok(pointer(Ptr::NULL))
        }
    }
}

fn free(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let p = args.ptr(0)?;
    if p.addr != 0 {
        vm.mem.heap_free(p)?;
    }
    Ok(int(0))
}

fn aligned(vm: &mut Vm<'_>, align: u64, size: u64) -> Res<Slot> {
    if !align.is_power_of_two() {
        return undefined(Ub::LibraryArgument, format!("{align} is not an alignment"));
    }
    if align > 1 << 30 {
        set_errno(vm, errnos::ENOMEM)?;
        return Ok(pointer(Ptr::NULL));
    }
    Ok(pointer(allocate(vm, size, align)?))
}

fn posix_memalign(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, align, size) = (args.ptr(0)?, args.int(1)?, args.int(2)?);
    let word = vm.mem.pointer_bytes;
    if !align.is_power_of_two() || align % word != 0 {
        return Ok(int(errnos::EINVAL.into()));
    }
    let p = aligned(vm, align, size)?;
    if p.lo == 0 {
        return Ok(int(errnos::ENOMEM.into()));
    }
    let index = vm.mem.access(to, word, word)?;
    vm.mem.store_ptr(index, Class::Ptr as u8, Ptr { addr: p.lo, prov: p.hi })?;
    Ok(int(0))
}

/// The size asked for: bytes beyond it must not be used.
fn malloc_usable_size(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let p = args.ptr(0)?;
    if p.addr == 0 {
        return Ok(int(0));
    }
    match vm.mem.heap_size(p) {
        Some(n) => Ok(int(n as i64)),
        None => undefined(Ub::LibraryArgument, "not an allocated object"),
    }
}

// ----- integers

fn absolute(value: i64, bytes: u8) -> Res<Slot> {
    let least = if bytes == 4 { i64::from(i32::MIN) } else { i64::MIN };
    if value == least {
        return undefined(Ub::SignedOverflow, format!("the absolute value of {value} does not fit its type"));
    }
    Ok(int(value.abs()))
}

fn divide(vm: &mut Vm<'_>, args: &Args<'_>, bytes: u64, class: Class) -> Res<Slot> {
    let (a, b) = (args.int(0)? as i64, args.int(1)? as i64);
    if b == 0 {
        return undefined(Ub::DivisionByZero, format!("{a} is divided by zero"));
    }
    let least = if bytes == 4 { i64::from(i32::MIN) } else { i64::MIN };
    if a == least && b == -1 {
        return undefined(Ub::DivisionOverflow, format!("{a} / -1 does not fit its type"));
    }
    let Some(to) = args.result else {
        return undefined(Ub::WrongFunctionType, "the result is declared with a wrong type");
    };
    super::store_int(vm, to, a / b, bytes, class)?;
    super::store_int(vm, to.offset(bytes), a % b, bytes, class)?;
    Ok(pointer(to))
}

// ----- pseudo-random numbers

/// The additive feedback generator behind glibc's `rand` and `random` in its default size.
#[derive(Clone, Debug)]
pub struct Generator {
    table: [u32; 31],
    front: usize,
}

impl Generator {
    fn new(seed: u32) -> Generator {
        let mut table = [0u32; 31];
        table[0] = seed.max(1);
        for k in 1..31 {
            let before = i64::from(table[k - 1] as i32);
            let (high, low) = (before / 127_773, before % 127_773);
            let mut word = 16_807 * low - 2_836 * high;
            if word < 0 {
                word += 2_147_483_647;
            }
            table[k] = word as u32;
        }
        let mut made = Generator { table, front: 3 };
        (0..310).for_each(|_| {
            made.next();
        });
        made
    }

    fn next(&mut self) -> i64 {
        let back = (self.front + 31 - 3) % 31;
        let value = self.table[self.front].wrapping_add(self.table[back]);
        self.table[self.front] = value;
        self.front = (self.front + 1) % 31;
        i64::from(value >> 1)
    }
}

fn generator<'a>(vm: &'a mut Vm<'_>) -> &'a mut Generator {
    vm.library.rand.get_or_insert_with(|| Box::new(Generator::new(1)))
}

fn srand(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    vm.library.rand = Some(Box::new(Generator::new(args.int(0)? as u32)));
    Ok(int(0))
}

fn rand_r(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let index = vm.mem.access(args.ptr(0)?, 4, 4)?;
    let mut next = vm.mem.load::<4>(index, Class::Int as u8)? as u32;
    let mut step = || {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        next / 65_536
    };
    let mut result = step() % 2048;
    result = (result << 10) ^ (step() % 1024);
    result = (result << 10) ^ (step() % 1024);
    vm.mem.store::<4>(index, Class::Int as u8, next.into())?;
    Ok(int(result.into()))
}

// ----- environment

/// The environment is empty.
fn getenv(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    vm.mem.read_str(args.ptr(0)?)?;
    Ok(pointer(Ptr::NULL))
}
