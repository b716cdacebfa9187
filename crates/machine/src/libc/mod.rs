//! The C library as the machine knows it: one file a header, one table line a function.
//!
//! To add one: write it in the file of its header with the signature of [`Native`], and add a line to that file's
//! table: name, signature, function. The signature is checked before the function runs (see [`Signature`]), so
//! arguments have the kind it states.

use crate::class::{Class, scalar_of};
use crate::mem::{Kind, Ptr};
use crate::stop::{Res, exhausted, undefined, unsupported};
use crate::ub::Ub;
use crate::verdict::Budget;
use crate::vm::{Slot, Vm};
use csyntax::types::{FloatKind, Ty, TyKind, Types};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

mod bits;
mod complex;
mod ctype;
mod decimal;
mod files;
mod format;
mod math;
mod math_long;
mod misc;
mod number;
mod print;
mod scan;
mod sort;
mod stdio;
mod stdlib;
mod strerror;
mod string;
mod strings;
mod wchar;

/// A library function.
pub type Native = fn(&mut Vm<'_>, &Args<'_>) -> Res<Slot>;

/// Result and parameter kinds of a library function, a letter each, the result first: `v` void, `i` int or unsigned,
/// `h` 16 bits, `l` long, `q` long long, `o` 128 bits, `z` size_t or ptrdiff_t, `p` pointer, `f` float, `d` double,
/// `e` long double, `Q` quad float, `C` and `B` complex of double and float, `a` va_list, `s` record returned in memory; a final `*` stands for variable
/// arguments.
pub type Signature = &'static str;

/// One function: name, signature, code. Names with `__builtin_` exist only as builtins.
pub type Entry = (&'static str, Signature, Native);

/// All tables.
const TABLES: &[&[Entry]] = &[
    stdlib::TABLE,
    number::TABLE,
    sort::TABLE,
    string::TABLE,
    strings::TABLE,
    stdio::TABLE,
    files::TABLE,
    print::TABLE,
    scan::TABLE,
    ctype::TABLE,
    math::TABLE,
    math_long::TABLE,
    complex::TABLE,
    bits::TABLE,
    wchar::TABLE,
    misc::TABLE,
];

/// The tables in one row, and the place of each name.
struct Index {
    entries: Vec<Entry>,
    names: FxHashMap<&'static str, u32>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let entries: Vec<Entry> = TABLES.iter().flat_map(|t| t.iter()).copied().collect();
        let names = entries.iter().enumerate().map(|(n, e)| (e.0, n as u32)).collect();
        Index { entries, names }
    })
}

/// Is there a library function with this index?
pub fn known(native: u32) -> bool {
    (native as usize) < index().entries.len()
}

/// State that library functions keep between calls.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Where `strtok` goes on.
    pub strtok: Ptr,
    /// `rand` and `random`.
    pub rand: Option<Box<stdlib::Generator>>,
    /// The object of `errno`.
    pub errno: Option<Ptr>,
    /// Bytes given back to the standard input.
    pub pushed: Vec<u8>,
    /// End of file was met on the standard input.
    pub at_end: bool,
    /// Output to the standard input was tried.
    pub failed: bool,
    /// Standard output holds bytes that were not flushed.
    pub unflushed: bool,
    /// Standard streams that were closed.
    pub closed: [bool; 3],
    /// Files and the streams on them.
    pub files: files::Files,
    /// Objects the library shows to the program, by name.
    pub shown: FxHashMap<&'static str, Ptr>,
    /// Messages of `strerror`.
    pub messages: FxHashMap<i32, Ptr>,
    /// Functions that `quick_exit` calls, the last of them first.
    pub at_quick_exit: Vec<Ptr>,
    /// Was `exit` or `quick_exit` called?
    pub exiting: bool,
    /// Is a handler running that `raise` or `abort` called?
    pub handling: bool,
    /// Signal handlers.
    pub handlers: FxHashMap<i32, Ptr>,
    /// By call site, the function whose signature its types were last found to agree with.
    pub checked: Vec<Option<u32>>,
}

/// How many arguments a call keeps without allocating.
const FEW: usize = 6;

/// The arguments of a call.
#[derive(Clone, Debug)]
pub struct Args<'p> {
    few: [Slot; FEW],
    many: Vec<Slot>,
    /// Types as passed.
    pub types: &'p [Ty],
    /// Where the result goes if it is returned in memory.
    pub result: Option<Ptr>,
    /// The result's type as the call has it.
    pub ret: Ty,
}

impl Args<'_> {
    /// All values.
    pub fn values(&self) -> &[Slot] {
        if self.many.is_empty() { &self.few[..self.types.len()] } else { &self.many }
    }

    /// The n-th argument as it is.
    pub fn get(&self, n: usize) -> Res<Slot> {
        match self.values().get(n) {
            Some(slot) => Ok(*slot),
            None => {
                undefined(Ub::WrongArguments, format!("argument {} of a library function is missing", n + 1))
            }
        }
    }

    /// An integer argument, in register form.
    pub fn int(&self, n: usize) -> Res<u64> {
        Ok(self.get(n)?.lo)
    }

    /// An `int` argument.
    pub fn i32(&self, n: usize) -> Res<i32> {
        Ok(self.get(n)?.lo as i32)
    }

    /// A pointer argument.
    pub fn ptr(&self, n: usize) -> Res<Ptr> {
        let slot = self.get(n)?;
        Ok(Ptr { addr: slot.lo, prov: slot.hi })
    }

    /// A `double` argument.
    pub fn f64(&self, n: usize) -> Res<f64> {
        Ok(f64::from_bits(self.get(n)?.lo))
    }

    /// A `float` argument.
    pub fn f32(&self, n: usize) -> Res<f32> {
        Ok(f32::from_bits(self.get(n)?.lo as u32))
    }
}

/// Finds a library function by name; `__builtin_` versions are the same function.
pub fn find(name: &str) -> Option<u32> {
    let names = &index().names;
    match names.get(name) {
        Some(n) => Some(*n),
        None => names.get(name.strip_prefix("__builtin_")?).copied(),
    }
}

/// Calls a library function for a call site whose arguments start at register `at`.
pub fn call(vm: &mut Vm<'_>, native: u32, site: u32, at: usize) -> Res<Slot> {
    let Some(&(name, signature, function)) = index().entries.get(native as usize) else {
        return unsupported("a library function");
    };
    let program = vm.program;
    let site_index = site as usize;
    let site = &program.sites[site_index];
    let hidden = usize::from(site.hidden);
    let start = at + hidden;
    let count = site.args.len();
    let result = (hidden == 1).then(|| Ptr { addr: vm.regs[at].lo, prov: vm.regs[at].hi });
    let mut args =
        Args { few: [Slot::default(); FEW], many: Vec::new(), types: &site.args, result, ret: site.ret };
    if count <= FEW {
        args.few[..count].copy_from_slice(&vm.regs[start..start + count]);
    } else {
        args.many = vm.regs[start..start + count].to_vec();
    }
    // The types of a call are the same every time.
    if vm.library.checked.get(site_index) != Some(&Some(native)) {
        check(&vm.unit.types, name, signature, site.ty, &args)?;
        vm.library.checked.resize(program.sites.len(), None);
        vm.library.checked[site_index] = Some(native);
    }
    charge(vm, 16)?;
    let slot = function(vm, &args)?;
    // The caller may have declared the result with the other signedness.
    match scalar_of(&vm.unit.types, site.ret) {
        Some(scalar) if scalar.is_int() && !scalar.is_wide() => {
            let (lo, hi) = crate::vm::access::canonical(scalar, narrow(slot.lo, scalar.bytes(8)));
            Ok(Slot { lo, hi })
        }
        Some(_) | None => Ok(slot),
    }
}

/// Calls a library function that the library itself was given to call (`atexit(abort)`).
pub fn call_back(vm: &mut Vm<'_>, native: u32, fn_ty: Ty, values: &[Slot]) -> Res<Slot> {
    let Some(&(name, signature, function)) = index().entries.get(native as usize) else {
        return unsupported("a library function");
    };
    let unit = vm.unit;
    let TyKind::Function(shape) = unit.types.kind(fn_ty) else { return unsupported("a library function") };
    let types: Vec<Ty> = shape.params.iter().map(|p| p.ty).take(values.len()).collect();
    if types.len() < values.len() {
        return unsupported(format!("{name} declared without a prototype as a callback"));
    }
    let mut args = Args {
        few: [Slot::default(); FEW],
        many: Vec::new(),
        types: &types,
        result: None,
        ret: shape.ret.ty,
    };
    if values.len() <= FEW {
        args.few[..values.len()].copy_from_slice(values);
    } else {
        args.many = values.to_vec();
    }
    check(&unit.types, name, signature, fn_ty, &args)?;
    charge(vm, 16)?;
    function(vm, &args)
}

fn narrow(value: u64, bytes: u64) -> u128 {
    u128::from(if bytes >= 8 { value } else { value & ((1 << (8 * bytes)) - 1) })
}

/// Compares a call with the signature of the function it calls.
fn check(types: &Types, name: &str, signature: &str, fn_ty: Ty, args: &Args<'_>) -> Res<()> {
    let letters = signature.as_bytes();
    let (result, mut params) = (letters[0], &letters[1..]);
    let variadic = params.last() == Some(&b'*');
    if variadic {
        params = &params[..params.len() - 1];
    }
    // Builtins are declared by the checker, some of them for any type of argument.
    if let TyKind::Function(f) = types.kind(fn_ty)
        && f.prototype
        && !name.starts_with("__builtin_")
        && (f.variadic, f.params.len()) != (variadic, params.len())
    {
        let more = |variadic| if variadic { " and more" } else { "" };
        let (own, seen) = (more(variadic), more(f.variadic));
        return undefined(
            Ub::WrongFunctionType,
            format!(
                "{name} has {} parameter(s){own}, not {}{seen} as declared",
                params.len(),
                f.params.len()
            ),
        );
    }
    let count = args.types.len();
    if count < params.len() || count > params.len() && !variadic {
        return undefined(
            Ub::WrongArguments,
            format!("{name}: {count} argument(s) for {} parameter(s)", params.len()),
        );
    }
    for (n, (ty, letter)) in args.types.iter().zip(params).enumerate() {
        if !fits(types, *ty, *letter) {
            let prototype = matches!(types.kind(fn_ty), TyKind::Function(f) if f.prototype);
            let ub = if prototype { Ub::WrongFunctionType } else { Ub::WrongArguments };
            return undefined(
                ub,
                format!("{name}: argument {} does not have the type of its parameter", n + 1),
            );
        }
    }
    if result == b'v' && !matches!(types.kind(args.ret), TyKind::Void) {
        return undefined(
            Ub::WrongFunctionType,
            format!("{name}: declared with a result, which it does not have"),
        );
    }
    if result != b'v' && !matches!(types.kind(args.ret), TyKind::Void) && !fits(types, args.ret, result) {
        return undefined(Ub::WrongFunctionType, format!("{name}: declared with a wrong result type"));
    }
    Ok(())
}

/// Does a type agree with a letter of a signature?
fn fits(types: &Types, ty: Ty, letter: u8) -> bool {
    let kind = types.kind(ty);
    let bytes = types.int_kind(ty).map(|k| types.int_bytes(k));
    match letter {
        b'p' => matches!(kind, TyKind::Pointer(_)),
        b'i' => bytes == Some(4),
        b'h' => bytes == Some(2) || bytes == Some(4),
        b'l' => bytes == Some(u64::from(types.target.long_bytes)),
        b'z' => bytes == Some(u64::from(types.target.pointer_bytes)),
        b'q' => bytes == Some(8),
        b'o' => bytes == Some(16),
        b'f' => *kind == TyKind::Float(FloatKind::Float),
        b'd' => *kind == TyKind::Float(FloatKind::Double),
        b'e' => *kind == TyKind::Float(FloatKind::LongDouble),
        b'Q' => *kind == TyKind::Float(FloatKind::Float128),
        b'a' => match kind {
            TyKind::VaList => true,
            TyKind::Pointer(to) => matches!(types.kind(to.ty), TyKind::VaList),
            _ => false,
        },
        b'C' => *kind == TyKind::Complex(Ty::DOUBLE),
        b'B' => *kind == TyKind::Complex(Ty::FLOAT),
        b's' => matches!(kind, TyKind::Record(_)),
        _ => true,
    }
}

/// An integer result.
pub fn int(value: i64) -> Slot {
    Slot { lo: value as u64, hi: 0 }
}

/// A pointer result.
pub fn pointer(p: Ptr) -> Slot {
    Slot { lo: p.addr, hi: p.prov }
}

/// A `double` result.
pub fn double(value: f64) -> Slot {
    Slot { lo: value.to_bits(), hi: 0 }
}

/// A `float` result.
pub fn single(value: f32) -> Slot {
    Slot { lo: value.to_bits().into(), hi: 0 }
}

/// Takes the steps that work on `n` bytes costs.
pub fn charge(vm: &mut Vm<'_>, n: u64) -> Res<()> {
    vm.fuel = vm.fuel.saturating_sub((n / 16).min(i64::MAX as u64) as i64);
    if vm.fuel < 0 { exhausted(Budget::Steps) } else { Ok(()) }
}

/// A static object of the library with this content; its bytes get `class`.
pub fn static_object(vm: &mut Vm<'_>, bytes: &[u8], class: u8) -> Res<Ptr> {
    let Some(p) = vm.mem.heap_alloc(bytes.len() as u64, 16)? else { return exhausted(Budget::Memory) };
    let index = vm.mem.index(p.addr);
    vm.mem.data_mut(index, bytes.len()).copy_from_slice(bytes);
    vm.mem.fill_shadow(index, bytes.len(), class | crate::class::INIT);
    let slot = (p.prov & 0x00ff_ffff) as usize;
    let prov = vm.mem.birth(slot, index, bytes.len() as u64, Kind::Static, 0);
    Ok(Ptr { addr: p.addr, prov })
}

/// A static object that holds a pointer.
pub fn static_pointer(vm: &mut Vm<'_>, to: Ptr) -> Res<Ptr> {
    let word = vm.mem.pointer_bytes as usize;
    let p = static_object(vm, &vec![0; word], Class::Ptr as u8)?;
    let index = vm.mem.index(p.addr);
    vm.mem.store_ptr(index, Class::Ptr as u8, to)?;
    Ok(p)
}

/// The object of `errno`.
pub fn errno_object(vm: &mut Vm<'_>) -> Res<Ptr> {
    if let Some(p) = vm.library.errno {
        return Ok(p);
    }
    let p = static_object(vm, &[0; 4], Class::Int as u8)?;
    vm.library.errno = Some(p);
    Ok(p)
}

/// Sets `errno`.
pub fn set_errno(vm: &mut Vm<'_>, value: i32) -> Res<()> {
    let p = errno_object(vm)?;
    store_int(vm, p, value.into(), 4, Class::Int)
}

/// The value of `errno`.
pub fn errno(vm: &mut Vm<'_>) -> Res<i32> {
    let p = errno_object(vm)?;
    let index = vm.mem.access(p, 4, 4)?;
    Ok(vm.mem.load::<4>(index, Class::Int as u8)? as i32)
}

/// Writes an integer object of 1, 2, 4 or 8 bytes.
pub fn store_int(vm: &mut Vm<'_>, p: Ptr, value: i64, bytes: u64, class: Class) -> Res<()> {
    let align = if bytes == 8 { u64::from(vm.options.target.align8) } else { bytes };
    let index = vm.mem.access(p, bytes, align)?;
    let (value, class) = (value as u64, class as u8);
    match bytes {
        1 => vm.mem.store_byte(index, value),
        2 => vm.mem.store::<2>(index, class, value & 0xffff),
        4 => vm.mem.store::<4>(index, class, value & 0xffff_ffff),
        _ => vm.mem.store::<8>(index, class, value),
    }
}

/// Do two ranges share a byte?
pub fn overlap(a: Ptr, n: u64, b: Ptr, m: u64) -> bool {
    n > 0 && m > 0 && a.addr < b.addr.saturating_add(m) && b.addr < a.addr.saturating_add(n)
}

/// `errno` values.
pub mod errnos {
    #![allow(missing_docs)]
    pub const ENOENT: i32 = 2;
    pub const EBADF: i32 = 9;
    pub const ENOMEM: i32 = 12;
    pub const EEXIST: i32 = 17;
    pub const EINVAL: i32 = 22;
    pub const EMFILE: i32 = 24;
    pub const EDOM: i32 = 33;
    pub const ERANGE: i32 = 34;
    pub const EOVERFLOW: i32 = 75;
    pub const EILSEQ: i32 = 84;
}
