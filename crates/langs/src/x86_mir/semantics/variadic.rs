//! Variadic functions by the System V convention: the unnamed arguments that registers hold at entry, the area they
//! are saved in, and the `va_list` that points there.
//!
//! The source sees the save area as an object that is filled when the function is entered; the target fills it by its
//! own instructions. Arguments on the stack lie behind one address that both programs share.

use super::calls::{ARG_GPRS, Signature};
use super::{Res, State, X86};
use crate::domain::{BitOp, Domain, Ext, Unsupported};
use crate::names::Names;
use crate::x86_mir::ast::{MachineFunction, Operand};

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

/// How a function that calls `va_start` finds its unnamed arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variadic {
    /// General-purpose registers that named arguments take.
    gprs: u8,
    /// Vector registers that named arguments take.
    xmms: u8,
    /// The frame object that is the save area, its size, and whether vector registers are saved there.
    saved: Option<(u32, u64, bool)>,
}

impl Variadic {
    /// What the machine function tells of its save area; `own` says which frame objects stand for no `alloca`.
    pub fn find(
        names: &Names,
        target: &MachineFunction,
        signature: &Signature,
        own: impl Fn(u32) -> bool,
    ) -> Variadic {
        let (gprs, xmms) = signature.registers();
        let vectors = target.insts.iter().find_map(|inst| {
            let saves = names.text(inst.opcode) == "VASTART_SAVE_XMM_REGS";
            target.operands_of(inst).iter().filter(|_| saves).find_map(|o| match o {
                Operand::Stack(n) => Some(*n),
                _ => None,
            })
        });
        let fits = |size: u64| size == 48 || size == 176;
        let object = target
            .stack
            .iter()
            .filter(|o| own(o.id) && o.size.is_some_and(fits))
            .find(|o| vectors.is_none_or(|n| n == o.id));
        let saved = object.and_then(|o| Some((o.id, o.size?, vectors == Some(o.id))));
        Variadic { gprs, xmms, saved }
    }

    /// The frame object that is the save area, and its size.
    pub fn save_area(&self) -> Option<(u32, u64)> {
        self.saved.map(|(id, size, _)| (id, size))
    }

    /// The registers that may hold unnamed arguments, in the order in which targets save them.
    pub fn incoming(&self) -> Vec<Incoming> {
        let Some((_, _, vectors)) = self.saved else { return Vec::new() };
        let mut out = Vec::new();
        if vectors {
            out.push(Incoming::Count);
            out.extend((self.xmms..8).map(Incoming::Xmm));
        }
        out.extend((self.gprs..6).rev().map(Incoming::Gpr));
        out
    }

    /// The memory in which the save area holds these registers.
    pub fn save<D: Domain>(&self, d: &mut D, mem: D::Mem, values: &[(Incoming, D::Bv)]) -> D::Mem {
        let Some((_, size, _)) = self.saved else { return mem };
        let area = d.address(SAVED, Some(size));
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
        let Some((_, size, _)) = self.saved else { return Err(Unsupported::new("va_start")) };
        let (gprs, xmms) = (u32::from(self.gprs), u32::from(self.xmms));
        let offsets = [8 * gprs, VECTORS_AT + 16 * xmms].map(|n| d.num(32, u128::from(n)));
        let [gp, fp] = offsets;
        let (overflow, area) = (d.address(OVERFLOW, Some(1)), d.address(SAVED, Some(size)));
        Ok(vec![(0, gp), (4, fp), (8, overflow), (16, area)])
    }
}

/// A vector register stored where `al` is not zero.
fn save_vector<D: Domain>(d: &mut D, mem: &D::Mem, at: &D::Bv, value: &D::Bv, count: &D::Bv) -> D::Mem {
    let none = d.is_zero(count);
    let old = d.load(mem, at, 16);
    let value = d.ite(&none, &old, value);
    d.store(mem, at, &value)
}

impl X86<'_> {
    /// The registers that may hold unnamed arguments get these values.
    pub(crate) fn enter_variadic<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        values: &[(Incoming, D::Bv)],
    ) {
        for (incoming, value) in values {
            match incoming {
                Incoming::Gpr(n) => st.gpr[ARG_GPRS[usize::from(*n)] as usize] = Some(value.clone()),
                Incoming::Xmm(n) => st.xmm[usize::from(*n)] = Some(value.clone()),
                Incoming::Count => {
                    let upper = d.nondet("upper", 56);
                    st.gpr[0] = Some(d.concat(&upper, value));
                }
            }
        }
    }

    /// `VASTART_SAVE_XMM_REGS`: count, address, offset, then the registers.
    pub(super) fn save_vectors<D: Domain>(&self, d: &mut D, st: &mut State<D>, ex: &[&Operand]) -> Res<()> {
        let count = self.read(d, st, self.at(ex, 0)?, 8)?;
        let (place, registers) = (self.tail(ex, 1)?, self.tail(ex, 6)?);
        // Up to LLVM 14 the offset may be an operand of its own.
        let (extra, registers) = match registers.split_first() {
            Some((Operand::Imm(n), rest)) => (*n, rest),
            _ => (0, registers),
        };
        let base = self.address(d, st, place, 64)?;
        for (n, register) in registers.iter().enumerate() {
            let value = self.read(d, st, register, 128)?;
            let at = d.add_num(&base, i128::from(extra) + 16 * n as i128);
            if !matches!(place.first(), Some(Operand::Stack(_))) {
                return self.unsupported("vector registers saved outside the frame");
            }
            st.mem = save_vector(d, &st.mem, &at, &value, &count);
        }
        Ok(())
    }

    /// `rep movs`: so many bytes an element, the count in `rcx`.
    pub(super) fn repeat_copy<D: Domain>(&self, d: &mut D, st: &mut State<D>, unit: u64) -> Res<()> {
        let (count, to, from) = (self.gpr(d, st, 1)?, self.gpr(d, st, 7)?, self.gpr(d, st, 6)?);
        let Some(bytes) = known_length(d, &count, unit) else {
            return self.unsupported("rep movs of this length");
        };
        self.check_range(d, st, &from, bytes, false);
        let source = match &self.constants {
            Some(ir) => ir.memory_with_constant(d, &st.mem, &from, bytes),
            None => st.mem.clone(),
        };
        let outgoing = self.outgoing_offset(d, &to);
        if outgoing.is_none() {
            self.check_range(d, st, &to, bytes, true);
        }
        for at in (0..bytes).step_by(8) {
            let size = (bytes - at).min(8) as u32;
            let address = d.add_num(&from, i128::from(at));
            let value = d.load(&source, &address, size);
            match outgoing {
                Some(offset) => st.outgoing.push((offset + at as i64, value)),
                None => {
                    let address = d.add_num(&to, i128::from(at));
                    st.mem = d.store(&st.mem, &address, &value);
                }
            }
        }
        if outgoing.is_none() {
            // Copied upwards, element by element: the same as reading everything first unless they overlap.
            let overlap = d.sub(&to, &from);
            let limit = d.num(64, u128::from(bytes));
            let near = d.ult(&overlap, &limit);
            let same = d.is_zero(&overlap);
            let differ = d.not(&same);
            let bad = d.and(&near, &differ);
            self.note_fault(d, st, &bad);
        }
        self.advance(d, st, &[(7, &to), (6, &from)], bytes);
        Ok(())
    }

    /// `rep stos`: so many bytes an element, the count in `rcx`.
    pub(super) fn repeat_fill<D: Domain>(&self, d: &mut D, st: &mut State<D>, unit: u64) -> Res<()> {
        let (count, to, value) = (self.gpr(d, st, 1)?, self.gpr(d, st, 7)?, self.gpr(d, st, 0)?);
        let Some(bytes) = known_length(d, &count, unit) else {
            return self.unsupported("rep stos of this length");
        };
        self.check_range(d, st, &to, bytes, true);
        let element = d.zfit(&value, unit as u32 * 8);
        for at in (0..bytes).step_by(unit as usize) {
            let address = d.add_num(&to, i128::from(at));
            st.mem = d.store(&st.mem, &address, &element);
        }
        self.advance(d, st, &[(7, &to)], bytes);
        Ok(())
    }

    fn gpr<D: Domain>(&self, d: &mut D, st: &State<D>, n: u8) -> Res<D::Bv> {
        let unit = crate::x86_mir::regs::Unit::Gpr(n);
        self.read_phys(d, st, crate::x86_mir::regs::PhysReg { unit, lo: 0, width: 64 })
    }

    fn advance<D: Domain>(&self, d: &mut D, st: &mut State<D>, pointers: &[(usize, &D::Bv)], bytes: u64) {
        for (n, pointer) in pointers {
            let length = d.num(64, u128::from(bytes));
            st.gpr[*n] = Some(d.bin(BitOp::Add, pointer, &length));
        }
        st.gpr[1] = Some(d.num(64, 0));
    }
}

/// Longest block that an instruction may move, in bytes.
const LONGEST: u64 = 2048;

fn known_length<D: Domain>(d: &D, count: &D::Bv, unit: u64) -> Option<u64> {
    let count = d.as_const(count)?.to_u64()?;
    count.checked_mul(unit).filter(|n| *n <= LONGEST)
}
