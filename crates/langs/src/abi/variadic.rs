//! Variadic functions by the System V convention: the unnamed arguments that registers hold at entry, the area they
//! are saved in, and the `va_list` that points there.
//!
//! The source sees the save area as an object that is filled when the function is entered; the target fills it by its
//! own instructions. Arguments on the stack lie behind one address that both programs share.

use super::Signature;
use super::sysv::SYSTEM_V;
use crate::domain::{Domain, Ext, Res, Unsupported};

/// Name of the address of the first unnamed argument on the stack.
pub const OVERFLOW: &str = "varargs.overflow";
/// Name of the address of the save area.
pub const SAVED: &str = "varargs.saved";
/// Where the vector registers lie in the save area.
const VECTORS_AT: u32 = 48;

/// A register that may hold an unnamed argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Incoming {
    /// A general-purpose register, by its place among those that pass arguments.
    Gpr(u8),
    /// A vector register.
    Xmm(u8),
    /// How many vector registers are used, at most: `al`.
    Count,
}

impl Incoming {
    /// Its name as a variable of the entry, in both programs.
    pub fn name(self) -> String {
        match self {
            Incoming::Gpr(n) => format!("vararg.gpr{n}"),
            Incoming::Xmm(n) => format!("vararg.xmm{n}"),
            Incoming::Count => "vararg.count".to_owned(),
        }
    }

    /// Its width in bits.
    pub fn width(self) -> u32 {
        match self {
            Incoming::Gpr(_) => 64,
            Incoming::Xmm(_) => 128,
            Incoming::Count => 8,
        }
    }
}

/// The object that the registers with unnamed arguments are saved in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SaveArea {
    /// The number of the machine program's frame object.
    pub object: u32,
    /// Its size in bytes.
    pub size: u64,
    /// Whether vector registers are saved there.
    pub vectors: bool,
}

/// How a function that calls `va_start` finds its unnamed arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variadic {
    /// General-purpose registers that named arguments take.
    gprs: u8,
    /// Vector registers that named arguments take.
    xmms: u8,
    saved: Option<SaveArea>,
}

impl Variadic {
    /// A function of a signature whose machine program has such an area, if any.
    pub fn new(signature: &Signature, saved: Option<SaveArea>) -> Variadic {
        let (gprs, xmms) = signature.registers();
        Variadic { gprs, xmms, saved }
    }

    /// The save area.
    pub fn save_area(&self) -> Option<SaveArea> {
        self.saved
    }

    /// The registers that may hold unnamed arguments, in the order in which targets save them.
    pub fn incoming(&self) -> Vec<Incoming> {
        let Some(area) = self.saved else { return Vec::new() };
        let passing = SYSTEM_V.arguments;
        let mut out = Vec::new();
        if area.vectors {
            out.push(Incoming::Count);
            out.extend((self.xmms..passing.vector.len() as u8).map(Incoming::Xmm));
        }
        out.extend((self.gprs..passing.general.len() as u8).rev().map(Incoming::Gpr));
        out
    }

    /// The memory in which the save area holds these registers.
    pub fn save<D: Domain>(&self, d: &mut D, mem: D::Mem, values: &[(Incoming, D::Bv)]) -> D::Mem {
        let Some(area) = self.saved else { return mem };
        let area = d.address(SAVED, Some(area.size));
        let count = values.iter().find(|(i, _)| *i == Incoming::Count).map(|(_, v)| v.clone());
        let mut mem = mem;
        for (incoming, value) in values {
            mem = match incoming {
                Incoming::Count => mem,
                Incoming::Gpr(n) => {
                    let at = d.add_num(&area, 8 * i128::from(*n));
                    d.store(&mem, &at, value)
                }
                Incoming::Xmm(n) => {
                    let at = d.add_num(&area, i128::from(VECTORS_AT) + 16 * i128::from(*n));
                    match &count {
                        Some(count) => save_vector(d, &mem, &at, value, count),
                        None => mem,
                    }
                }
            };
        }
        mem
    }

    /// The fields of the `va_list` that `va_start` makes: offset, value.
    pub fn list<D: Domain>(&self, d: &mut D) -> Res<Vec<(u64, D::Bv)>> {
        let Some(saved) = self.saved else { return Err(Unsupported::new("va_start")) };
        let (gprs, xmms) = (u32::from(self.gprs), u32::from(self.xmms));
        let offsets = [8 * gprs, VECTORS_AT + 16 * xmms].map(|n| d.num(32, u128::from(n)));
        let [gp, fp] = offsets;
        let (overflow, area) = (d.address(OVERFLOW, Some(1)), d.address(SAVED, Some(saved.size)));
        Ok(vec![(0, gp), (4, fp), (8, overflow), (16, area)])
    }
}

/// A vector register stored where `al` is not zero.
pub(crate) fn save_vector<D: Domain>(
    d: &mut D,
    mem: &D::Mem,
    at: &D::Bv,
    value: &D::Bv,
    count: &D::Bv,
) -> D::Mem {
    let none = d.is_zero(count);
    let old = d.load(mem, at, 16);
    let value = d.ite(&none, &old, value);
    d.store(mem, at, &value)
}
