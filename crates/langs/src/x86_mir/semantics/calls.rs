//! The System V calling convention: where arguments and results of an LLVM IR signature lie.

use super::{Res, State, X86};
use crate::domain::{Domain, Ext, Unsupported};
use crate::llvm_ir::ast::{Attr, Module};
use crate::llvm_ir::types::{FloatKind, Type, TypeId, Types};
use crate::x86_mir::ast::Operand;
use crate::x86_mir::regs::{PhysReg, Unit};

/// Where a value lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Loc {
    /// A general-purpose register by hardware number.
    Gpr(u8),
    /// A vector register.
    Xmm(u8),
    /// The stack: bytes above the first stack argument.
    Stack(u32),
}

/// A scalar (or the bytes of a `byval` object) of an argument or result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Which argument.
    pub arg: usize,
    /// Which scalar of it, in order; a wide integer's parts have the same number.
    pub scalar: usize,
    /// First bit of the scalar that this piece holds.
    pub lo: u32,
    /// Bits of the scalar that it holds.
    pub bits: u32,
    /// Bits the convention defines: more than `bits` after an extension.
    pub width: u32,
    /// Whether the extension is by sign.
    pub signed: bool,
    /// The size of a `byval` object whose bytes are passed instead of its address.
    pub by_value: Option<u32>,
    /// Where it lies.
    pub loc: Loc,
}

/// A lowered signature.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// Arguments.
    pub args: Vec<Piece>,
    /// Results.
    pub ret: Vec<Piece>,
    /// The number of vector registers used, which variadic callees want in `al`.
    pub vector_count: Option<u8>,
    /// The argument that holds the address of the result, to be returned too.
    pub sret: Option<usize>,
    /// Bytes of stack arguments.
    pub stack_bytes: u32,
}

impl Signature {
    /// How many general-purpose and vector registers the arguments take.
    pub fn registers(&self) -> (u8, u8) {
        let count = |f: fn(&Loc) -> bool| self.args.iter().filter(|p| f(&p.loc)).count() as u8;
        (count(|l| matches!(l, Loc::Gpr(_))), count(|l| matches!(l, Loc::Xmm(_))))
    }

    /// A text that two calls share exactly when they are made alike.
    pub fn key(&self) -> String {
        let list = |pieces: &[Piece]| {
            let item = |p: &Piece| {
                let extension = match (p.bits < p.width, p.signed) {
                    (false, _) => String::new(),
                    (true, signed) => format!("{}{}", if signed { "s" } else { "z" }, p.bits),
                };
                format!("{:?}:{}{extension}", p.loc, p.width)
            };
            pieces.iter().map(item).collect::<Vec<String>>().join(",")
        };
        format!("({})->({})", list(&self.args), list(&self.ret))
    }
}

/// The general-purpose registers that pass arguments, in order.
pub(super) const ARG_GPRS: [u8; 6] = [7, 6, 2, 1, 8, 9];
/// The name of the area that incoming stack arguments lie in.
pub const AREA: &str = "arguments";

/// Where an incoming stack argument lies: in the area of all of them, or in an object of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Name of the object's address.
    pub object: String,
    /// Size of the object.
    pub size: u64,
    /// Where in it.
    pub offset: u64,
}

impl Slot {
    /// Its address.
    pub fn address<D: Domain>(&self, d: &mut D) -> D::Bv {
        let base = d.address(&self.object, Some(self.size));
        d.add_num(&base, i128::from(self.offset))
    }
}

const RET_GPRS: [u8; 3] = [0, 2, 1];

struct Allocator {
    gprs: usize,
    xmms: u8,
    stack: u32,
}

enum Class {
    Integer,
    Vector,
}

fn scalars(m: &Module, ty: TypeId, out: &mut Vec<(Class, u32)>, depth: u32) -> Res<()> {
    let fail = |what: &str| Err(Unsupported::new(format!("{what} in a signature")));
    if depth > 8 || out.len() > 64 {
        return fail("large aggregate");
    }
    match m.types.resolve(ty) {
        Type::Int(w) if *w <= 128 => out.push((Class::Integer, *w)),
        Type::Ptr(0) => out.push((Class::Integer, 64)),
        Type::Float(FloatKind::Float) => out.push((Class::Vector, 32)),
        Type::Float(FloatKind::Double) => out.push((Class::Vector, 64)),
        Type::Vector { len, elem, scalable: false } => {
            let width = match m.types.resolve(*elem) {
                Type::Int(w) if matches!(w, 8 | 16 | 32 | 64) => *w,
                Type::Ptr(0) => 64,
                Type::Float(FloatKind::Float) => 32,
                Type::Float(FloatKind::Double) => 64,
                _ => return fail("vector"),
            };
            // One register; the lanes are the scalars.
            if !matches!(u64::from(width).checked_mul(*len), Some(64 | 128)) {
                return fail("vector");
            }
            return fail("vector");
        }
        Type::Struct { fields, .. } => {
            for field in fields.iter() {
                scalars(m, *field, out, depth + 1)?;
            }
        }
        Type::Array { len, elem } if *len <= 16 => {
            for _ in 0..*len {
                scalars(m, *elem, out, depth + 1)?;
            }
        }
        _ => return fail("type"),
    }
    Ok(())
}

fn has(m: &Module, attrs: &[Attr], name: &str) -> bool {
    attrs.iter().any(|a| m.names.text(a.name()) == name)
}

/// The widest extension an attribute asks for: arguments to 32 bits, results of one bit to a byte.
fn extension(m: &Module, attrs: &[Attr], bits: u32, result: bool) -> (u32, bool) {
    let (zero, sign) = (has(m, attrs, "zeroext"), has(m, attrs, "signext"));
    let to = match (result, bits) {
        (false, 0..=31) => 32,
        (true, 1) => 8,
        _ => bits,
    };
    if zero || sign { (to, sign) } else { (bits, false) }
}

/// Lowers a signature: the types and attributes of arguments as passed, and of the result.
pub fn lower(
    m: &Module,
    args: &[(TypeId, &[Attr])],
    ret: (TypeId, &[Attr]),
    variadic: bool,
    words: &[&str],
) -> Res<Signature> {
    for word in words {
        if (word.ends_with("cc") || word.starts_with("cc ")) && !matches!(*word, "ccc" | "fastcc" | "coldcc")
        {
            return Err(Unsupported::new(format!("calling convention {word}")));
        }
    }
    let mut signature = Signature::default();
    let mut at = Allocator { gprs: 0, xmms: 0, stack: 0 };
    for (i, (ty, attrs)) in args.iter().enumerate() {
        for bad in ["nest", "inalloca", "preallocated", "swiftself", "swifterror", "swiftasync", "inreg"] {
            if has(m, attrs, bad) {
                return Err(Unsupported::new(format!("{bad} argument")));
            }
        }
        if has(m, attrs, "sret") {
            signature.sret = Some(i);
        }
        let by_value = attrs.iter().find_map(|a| match a {
            Attr::Type(name, ty) if m.names.text(*name) == "byval" => Some(*ty),
            _ => None,
        });
        if let Some(object) = by_value {
            signature.args.push(by_value_piece(m, i, object, attrs, &mut at)?);
            continue;
        }
        let mut list = Vec::new();
        scalars(m, *ty, &mut list, 0)?;
        for (scalar, (class, bits)) in list.into_iter().enumerate() {
            let (width, signed) = extension(m, attrs, bits, false);
            place(&mut signature.args, &mut at, (i, scalar), class, bits, (width, signed))?;
        }
    }
    if variadic {
        signature.vector_count = Some(at.xmms);
    }
    signature.stack_bytes = at.stack;
    if ret.0 != Types::VOID {
        let mut list = Vec::new();
        scalars(m, ret.0, &mut list, 0)?;
        let (mut gprs, mut xmms) = (0usize, 0u8);
        for (scalar, (class, bits)) in list.into_iter().enumerate() {
            let (width, signed) = extension(m, ret.1, bits, true);
            for lo in (0..bits).step_by(64) {
                let part = (bits - lo).min(64);
                let loc = match class {
                    Class::Integer => {
                        let Some(n) = RET_GPRS.get(gprs) else {
                            return Err(Unsupported::new("result in memory"));
                        };
                        gprs += 1;
                        Loc::Gpr(*n)
                    }
                    Class::Vector => {
                        if xmms >= 2 {
                            return Err(Unsupported::new("result in memory"));
                        }
                        xmms += 1;
                        Loc::Xmm(xmms - 1)
                    }
                };
                let width = if bits <= 64 { width } else { part };
                signature.ret.push(Piece {
                    arg: 0,
                    scalar,
                    lo,
                    bits: part,
                    width,
                    signed,
                    by_value: None,
                    loc,
                });
            }
        }
    }
    Ok(signature)
}

fn by_value_piece(m: &Module, arg: usize, object: TypeId, attrs: &[Attr], at: &mut Allocator) -> Res<Piece> {
    let size =
        m.layout.alloc_size(&m.types, object).and_then(|s| u32::try_from(s).ok()).filter(|s| *s <= 512);
    let Some(size) = size.filter(|s| *s > 0) else {
        return Err(Unsupported::new("byval argument of this size"));
    };
    let align = attrs.iter().find_map(|a| match a {
        Attr::Int(name, n) if m.names.text(*name) == "align" => u32::try_from(*n).ok(),
        _ => None,
    });
    let align = align.unwrap_or(8).clamp(8, 64);
    at.stack = at.stack.next_multiple_of(align);
    let loc = Loc::Stack(at.stack);
    at.stack += size.next_multiple_of(8);
    let bits = size * 8;
    Ok(Piece { arg, scalar: 0, lo: 0, bits, width: bits, signed: false, by_value: Some(size), loc })
}

fn place(
    out: &mut Vec<Piece>,
    at: &mut Allocator,
    (arg, scalar): (usize, usize),
    class: Class,
    bits: u32,
    (width, signed): (u32, bool),
) -> Res<()> {
    let parts = bits.div_ceil(64);
    let fits = match class {
        Class::Integer => at.gprs + parts as usize <= ARG_GPRS.len(),
        Class::Vector => at.xmms < 8,
    };
    if !fits && parts > 1 {
        return Err(Unsupported::new("wide integer on the stack"));
    }
    for part in 0..parts {
        let lo = part * 64;
        let bits_here = (bits - lo).min(64);
        let loc = match class {
            _ if !fits => {
                at.stack += 8;
                Loc::Stack(at.stack - 8)
            }
            Class::Integer => {
                at.gprs += 1;
                Loc::Gpr(ARG_GPRS[at.gprs - 1])
            }
            Class::Vector => {
                at.xmms += 1;
                Loc::Xmm(at.xmms - 1)
            }
        };
        let width = if parts == 1 { width } else { bits_here };
        out.push(Piece { arg, scalar, lo, bits: bits_here, width, signed, by_value: None, loc });
    }
    Ok(())
}

impl X86<'_> {
    /// The value that a piece has at a call or return.
    pub fn read_piece<D: Domain>(&self, d: &mut D, st: &State<D>, piece: &Piece) -> Res<D::Bv> {
        let width = piece.width;
        match piece.loc {
            Loc::Gpr(n) => {
                let whole = self.read_phys(d, st, PhysReg { unit: Unit::Gpr(n), lo: 0, width: 64 })?;
                Ok(d.zfit(&whole, width))
            }
            Loc::Xmm(n) => {
                let whole = self.read_phys(d, st, PhysReg { unit: Unit::Xmm(n), lo: 0, width: 128 })?;
                Ok(d.zfit(&whole, width))
            }
            Loc::Stack(offset) => {
                let bits = width.next_multiple_of(8);
                let whole = self.read_outgoing(d, st, i64::from(offset), bits)?;
                Ok(d.zfit(&whole, width))
            }
        }
    }

    /// Whether the stack has room for the arguments of a call, and is back behind it where it was: what lies beyond is
    /// another object's. Said by the instructions around the call, where its block has them.
    pub fn check_room(&self, call: usize, bytes: u32) -> Res<()> {
        let amount = |i: usize, name: &str| {
            let inst = self.f.insts.get(i).filter(|inst| self.m.names.text(inst.opcode) == name)?;
            match self.f.operands_of(inst).first() {
                Some(Operand::Imm(n)) => Some(*n),
                _ => None,
            }
        };
        let Some(block) = self.f.blocks.iter().find(|b| (b.first as usize..b.end as usize).contains(&call))
        else {
            return Ok(());
        };
        let down = (block.first as usize..call).rev().find_map(|i| amount(i, "ADJCALLSTACKDOWN64"));
        let up = (call..block.end as usize).find_map(|i| amount(i, "ADJCALLSTACKUP64"));
        match (down, up) {
            (Some(down), _) if down < bytes.into() => {
                self.unsupported("call without room for its stack arguments")
            }
            (Some(down), Some(up)) if down != up => {
                self.unsupported("stack not back where it was behind a call")
            }
            _ => Ok(()),
        }
    }

    /// The value that a piece has at a tail call, whose stack arguments take the place of this function's own.
    pub fn read_tail_piece<D: Domain>(&self, d: &mut D, st: &State<D>, piece: &Piece) -> Res<D::Bv> {
        let Loc::Stack(offset) = piece.loc else { return self.read_piece(d, st, piece) };
        let area = self.env.signature.as_ref().map_or(0, |s| u64::from(s.stack_bytes));
        let bytes = piece.width.div_ceil(8);
        if u64::from(offset) + u64::from(bytes) > area {
            return self.unsupported("tail call with more stack arguments than its caller's");
        }
        let slot = Slot { object: AREA.to_owned(), size: area, offset: u64::from(offset) };
        let at = slot.address(d);
        let whole = d.load(&st.mem, &at, bytes);
        Ok(d.zfit(&whole, piece.width))
    }

    /// Puts a value where a piece lies in registers; bits the convention leaves open are unknown.
    pub fn write_piece<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        piece: &Piece,
        value: &D::Bv,
    ) -> Res<()> {
        let fill = |d: &mut D, width: u32| {
            let have = d.width(value);
            if have >= width {
                return value.clone();
            }
            let upper = d.nondet("upper", width - have);
            d.concat(&upper, value)
        };
        match piece.loc {
            Loc::Gpr(n) => {
                let whole = fill(d, 64);
                st.gpr[n as usize] = Some(whole);
                Ok(())
            }
            Loc::Xmm(n) => {
                let whole = fill(d, 128);
                st.xmm[n as usize] = Some(whole);
                Ok(())
            }
            Loc::Stack(_) => self.unsupported("result on the stack"),
        }
    }
}

/// The part of a scalar that a piece carries, extended as the convention says.
pub fn piece_value<D: Domain>(d: &mut D, piece: &Piece, scalar: &D::Bv) -> D::Bv {
    let part = d.extract(piece.lo + piece.bits - 1, piece.lo, scalar);
    if piece.signed { d.sfit(&part, piece.width) } else { d.zfit(&part, piece.width) }
}
