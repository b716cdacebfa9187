//! `<complex.h>` for `double` and `float` (C11 7.3), by the host's libm. Values come and go through memory.

use super::{Args, Entry, double, single};
use crate::class::Class;
use crate::mem::Ptr;
use crate::stop::{Res, unsupported};
use crate::vm::{Slot, Vm};

/// `double _Complex` as the C ABIs of x86-64 and AArch64 pass it: two floating registers.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct C64 {
    re: f64,
    im: f64,
}

/// `float _Complex`.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct C32 {
    re: f32,
    im: f32,
}

/// The host's libm: pure functions of numbers.
mod host {
    use super::{C32, C64};
    #[link(name = "m")]
    unsafe extern "C" {
        pub safe fn cabs(z: C64) -> f64;
        pub safe fn cabsf(z: C32) -> f32;
        pub safe fn carg(z: C64) -> f64;
        pub safe fn cargf(z: C32) -> f32;
        pub safe fn cexp(z: C64) -> C64;
        pub safe fn cexpf(z: C32) -> C32;
        pub safe fn clog(z: C64) -> C64;
        pub safe fn clogf(z: C32) -> C32;
        pub safe fn csqrt(z: C64) -> C64;
        pub safe fn csqrtf(z: C32) -> C32;
        pub safe fn csin(z: C64) -> C64;
        pub safe fn csinf(z: C32) -> C32;
        pub safe fn ccos(z: C64) -> C64;
        pub safe fn ccosf(z: C32) -> C32;
        pub safe fn ctan(z: C64) -> C64;
        pub safe fn ctanf(z: C32) -> C32;
        pub safe fn casin(z: C64) -> C64;
        pub safe fn casinf(z: C32) -> C32;
        pub safe fn cacos(z: C64) -> C64;
        pub safe fn cacosf(z: C32) -> C32;
        pub safe fn catan(z: C64) -> C64;
        pub safe fn catanf(z: C32) -> C32;
        pub safe fn csinh(z: C64) -> C64;
        pub safe fn csinhf(z: C32) -> C32;
        pub safe fn ccosh(z: C64) -> C64;
        pub safe fn ccoshf(z: C32) -> C32;
        pub safe fn ctanh(z: C64) -> C64;
        pub safe fn ctanhf(z: C32) -> C32;
        pub safe fn casinh(z: C64) -> C64;
        pub safe fn casinhf(z: C32) -> C32;
        pub safe fn cacosh(z: C64) -> C64;
        pub safe fn cacoshf(z: C32) -> C32;
        pub safe fn catanh(z: C64) -> C64;
        pub safe fn catanhf(z: C32) -> C32;
        pub safe fn cproj(z: C64) -> C64;
        pub safe fn cprojf(z: C32) -> C32;
        pub safe fn cpow(z: C64, w: C64) -> C64;
        pub safe fn cpowf(z: C32, w: C32) -> C32;
    }
}

macro_rules! table {
    ($($name:literal $single:literal $f:ident $g:ident;)*) => {
        /// The functions.
        pub const TABLE: &[Entry] = &[
            $(($name, "CC", |vm, a| map(vm, a, |z| host::$f(z))), ($single, "BB", |vm, a| map_single(vm, a, |z| host::$g(z))),)*
            ("cpow", "CCC", |vm, a| { let w = wide(vm, a, 1)?; map(vm, a, |z| host::cpow(z, w)) }),
            ("cpowf", "BBB", |vm, a| { let w = narrow(vm, a, 1)?; map_single(vm, a, |z| host::cpowf(z, w)) }),
            ("conj", "CC", |vm, a| map(vm, a, |z| C64 { im: -z.im, ..z })),
            ("conjf", "BB", |vm, a| map_single(vm, a, |z| C32 { im: -z.im, ..z })),
            ("creal", "dC", |vm, a| Ok(double(wide(vm, a, 0)?.re))),
            ("crealf", "fB", |vm, a| Ok(single(narrow(vm, a, 0)?.re))),
            ("cimag", "dC", |vm, a| Ok(double(wide(vm, a, 0)?.im))),
            ("cimagf", "fB", |vm, a| Ok(single(narrow(vm, a, 0)?.im))),
            ("cabs", "dC", |vm, a| Ok(double(host::cabs(wide(vm, a, 0)?)))),
            ("cabsf", "fB", |vm, a| Ok(single(host::cabsf(narrow(vm, a, 0)?)))),
            ("carg", "dC", |vm, a| Ok(double(host::carg(wide(vm, a, 0)?)))),
            ("cargf", "fB", |vm, a| Ok(single(host::cargf(narrow(vm, a, 0)?)))),
        ];
    };
}

table! {
    "cexp" "cexpf" cexp cexpf;
    "clog" "clogf" clog clogf;
    "csqrt" "csqrtf" csqrt csqrtf;
    "csin" "csinf" csin csinf;
    "ccos" "ccosf" ccos ccosf;
    "ctan" "ctanf" ctan ctanf;
    "casin" "casinf" casin casinf;
    "cacos" "cacosf" cacos cacosf;
    "catan" "catanf" catan catanf;
    "csinh" "csinhf" csinh csinhf;
    "ccosh" "ccoshf" ccosh ccoshf;
    "ctanh" "ctanhf" ctanh ctanhf;
    "casinh" "casinhf" casinh casinhf;
    "cacosh" "cacoshf" cacosh cacoshf;
    "catanh" "catanhf" catanh catanhf;
    "cproj" "cprojf" cproj cprojf;
}

/// Both parts of a complex argument, which arrives as a pointer.
fn parts(vm: &mut Vm<'_>, args: &Args<'_>, n: usize, bytes: usize, class: Class) -> Res<[u64; 2]> {
    let p = args.ptr(n)?;
    let mut found = [0; 2];
    for (k, part) in found.iter_mut().enumerate() {
        let index = vm.mem.access(p.offset((k * bytes) as u64), bytes as u64, 1)?;
        *part = vm.mem.load_wide(index, bytes, class as u8)? as u64;
    }
    Ok(found)
}

fn wide(vm: &mut Vm<'_>, args: &Args<'_>, n: usize) -> Res<C64> {
    let [re, im] = parts(vm, args, n, 8, Class::Double)?;
    Ok(C64 { re: f64::from_bits(re), im: f64::from_bits(im) })
}

fn narrow(vm: &mut Vm<'_>, args: &Args<'_>, n: usize) -> Res<C32> {
    let [re, im] = parts(vm, args, n, 4, Class::Float)?;
    Ok(C32 { re: f32::from_bits(re as u32), im: f32::from_bits(im as u32) })
}

fn give(vm: &mut Vm<'_>, args: &Args<'_>, bytes: usize, class: Class, parts: [u64; 2]) -> Res<Slot> {
    let Some(p) = args.result else { return unsupported("a complex result that goes nowhere") };
    for (k, part) in parts.into_iter().enumerate() {
        let to: Ptr = p.offset((k * bytes) as u64);
        let index = vm.mem.access(to, bytes as u64, 1)?;
        vm.mem.store_wide(index, bytes, class as u8, part.into())?;
    }
    Ok(Slot::default())
}

fn map(vm: &mut Vm<'_>, args: &Args<'_>, f: impl Fn(C64) -> C64) -> Res<Slot> {
    let z = f(wide(vm, args, 0)?);
    give(vm, args, 8, Class::Double, [z.re.to_bits(), z.im.to_bits()])
}

fn map_single(vm: &mut Vm<'_>, args: &Args<'_>, f: impl Fn(C32) -> C32) -> Res<Slot> {
    let z = f(narrow(vm, args, 0)?);
    give(vm, args, 4, Class::Float, [z.re.to_bits().into(), z.im.to_bits().into()])
}
