//! Calling conventions: where the arguments and results of a call lie. A convention is data ([`Convention`]); one
//! procedure ([`Lowering`]) lays a signature out by it. Languages of source programs say what is passed (scalars of a
//! class, objects by value), those of machine programs read and write the places ([`Loc`]) as their registers.
//!
//! To add a convention, add a file with a [`Convention`], and let the pair of languages that uses it name it.

pub mod sysv;
pub mod variadic;

use crate::domain::{Domain, Ext, Res, Unsupported};

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

/// The kind of register that passes a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Integers and addresses.
    Integer,
    /// Floating-point numbers.
    Vector,
}

/// How a narrow integer fills the bits above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// With zeros.
    Zero,
    /// With copies of its sign.
    Sign,
}

/// A scalar (or the bytes of an object passed by value) of an argument or result.
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
    /// The size in bytes of an object whose bytes are passed instead of its address.
    pub by_value: Option<u32>,
    /// Where it lies.
    pub loc: Loc,
    /// At which bit of the register: the lanes of a vector share one.
    pub shift: u32,
}

/// A number, or a vector of numbers that one register holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The kind of register.
    pub class: Class,
    /// Bits of a number.
    pub bits: u32,
    /// How many numbers.
    pub lanes: u32,
}

impl Passed {
    /// One number.
    pub fn scalar(class: Class, bits: u32) -> Passed {
        Passed { class, bits, lanes: 1 }
    }
}

impl Piece {
    /// The part of a scalar that this piece carries, extended as the convention says.
    pub fn value<D: Domain>(&self, d: &mut D, scalar: &D::Bv) -> D::Bv {
        let part = d.extract(self.lo + self.bits - 1, self.lo, scalar);
        if self.signed { d.sfit(&part, self.width) } else { d.zfit(&part, self.width) }
    }
}

/// A signature, laid out.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// Arguments.
    pub args: Vec<Piece>,
    /// Results.
    pub ret: Vec<Piece>,
    /// The number of vector registers used, where a variadic callee is told.
    pub vector_count: Option<u8>,
    /// The argument that holds the address of the result, to be returned too.
    pub sret: Option<usize>,
    /// Bytes of stack arguments.
    pub stack_bytes: u32,
}

impl Signature {
    /// How many general-purpose and vector registers the arguments take.
    pub fn registers(&self) -> (u8, u8) {
        let first = |p: &&Piece| p.shift == 0;
        let count = |f: fn(&Loc) -> bool| self.args.iter().filter(first).filter(|p| f(&p.loc)).count() as u8;
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
                let at = if p.shift > 0 { format!("+{}", p.shift) } else { String::new() };
                format!("{:?}{at}:{}{extension}", p.loc, p.width)
            };
            pieces.iter().map(item).collect::<Vec<String>>().join(",")
        };
        format!("({})->({})", list(&self.args), list(&self.ret))
    }

    /// The scalars that the pieces of a result make up.
    pub fn join_results<D: Domain>(&self, d: &mut D, bits: &[D::Bv]) -> Vec<D::Bv> {
        let mut out: Vec<D::Bv> = Vec::new();
        for (piece, value) in self.ret.iter().zip(bits) {
            if piece.scalar < out.len() {
                let low = out[piece.scalar].clone();
                out[piece.scalar] = d.concat(value, &low);
            } else {
                out.push(value.clone());
            }
        }
        out
    }
}

/// The name of the area that incoming stack arguments lie in.
pub const AREA: &str = "arguments";

/// Where an incoming stack argument lies: in the area of all of them, or in an object of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Name of the object's address.
    pub object: String,
    /// Size of the object in bytes.
    pub size: u64,
    /// Where in it, in bytes.
    pub offset: u64,
}

impl Slot {
    /// Its address.
    pub fn address<D: Domain>(&self, d: &mut D) -> D::Bv {
        let base = d.address(&self.object, Some(self.size));
        d.add_num(&base, i128::from(self.offset))
    }
}

/// An incoming stack argument that both programs see in memory.
#[derive(Clone, Debug)]
pub struct StackArgument {
    /// Where it lies.
    pub slot: Slot,
    /// Its size in bytes.
    pub size: u64,
    /// What it holds.
    pub piece: Piece,
}

impl StackArgument {
    /// The memory with the argument in its place; `n` tells the bytes that pad it from those of the others.
    pub fn store<D: Domain>(&self, d: &mut D, n: usize, mem: D::Mem, value: &D::Bv) -> D::Mem {
        let (have, want) = (d.width(value), self.size as u32 * 8);
        let value = if have >= want {
            d.zfit(value, want)
        } else {
            let upper = d.symbol(&format!("stack argument padding {n}"), want - have);
            d.concat(&upper, value)
        };
        let address = self.slot.address(d);
        d.store(&mem, &address, &value)
    }
}

/// The registers that pass arguments or results, in order, by hardware number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passing {
    /// General-purpose registers.
    pub general: &'static [u8],
    /// Vector registers.
    pub vector: &'static [u8],
}

impl Passing {
    /// The next register of a class.
    fn take(&mut self, class: Class) -> Option<Loc> {
        let (list, place): (&mut &[u8], fn(u8) -> Loc) = match class {
            Class::Integer => (&mut self.general, Loc::Gpr),
            Class::Vector => (&mut self.vector, Loc::Xmm),
        };
        let (first, rest) = list.split_first()?;
        *list = rest;
        Some(place(*first))
    }

    fn left(&self, class: Class) -> usize {
        match class {
            Class::Integer => self.general.len(),
            Class::Vector => self.vector.len(),
        }
    }
}

/// A calling convention, as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convention {
    /// Its name.
    pub name: &'static str,
    /// The width of a general-purpose register and of a stack slot, in bits.
    pub word: u32,
    /// What passes arguments.
    pub arguments: Passing,
    /// What passes results.
    pub results: Passing,
    /// General-purpose registers that a callee leaves as they were, besides the stack pointer.
    pub preserved: &'static [u8],
    /// How many general-purpose registers there are.
    pub general: u8,
    /// The stack pointer.
    pub stack_pointer: u8,
    /// The register that returns the address of a result in memory.
    pub result_address: u8,
    /// The register whose low byte tells a variadic callee how many vector registers hold arguments.
    pub vector_count: Option<u8>,
    /// The width that narrower arguments are extended to, in bits.
    pub extended_argument: u32,
    /// The width that one bit is extended to as a result, in bits.
    pub extended_bit: u32,
    /// The largest object passed by value that is modelled, in bytes.
    pub largest_object: u32,
    /// The largest alignment of an object on the stack, in bytes.
    pub largest_align: u32,
}

impl Convention {
    /// The general-purpose registers that a call destroys.
    pub fn destroyed(&self) -> impl Iterator<Item = u8> {
        (0..self.general).filter(|n| *n != self.stack_pointer && !self.preserved.contains(n))
    }

    /// The width of an integer where it is passed, and whether its sign fills what is above.
    fn extended(&self, bits: u32, extension: Option<Extension>, result: bool) -> (u32, bool) {
        let to = match (result, bits) {
            (false, bits) if bits < self.extended_argument => self.extended_argument,
            (true, 1) => self.extended_bit,
            _ => bits,
        };
        extension.map_or((bits, false), |e| (to, e == Extension::Sign))
    }
}

/// A signature in the making: arguments in order, then the result.
#[derive(Clone, Debug)]
pub struct Lowering {
    convention: &'static Convention,
    free: Passing,
    stack: u32,
    next: usize,
    signature: Signature,
}

impl Lowering {
    /// A signature without arguments.
    pub fn new(convention: &'static Convention) -> Lowering {
        let signature = Signature::default();
        Lowering { convention, free: convention.arguments, stack: 0, next: 0, signature }
    }

    /// The next argument is the address of the result.
    pub fn next_is_result_address(&mut self) {
        self.signature.sret = Some(self.next);
    }

    /// An object of so many bytes whose bytes are passed.
    pub fn object(&mut self, bytes: Option<u64>, align: Option<u32>) -> Res<()> {
        let c = self.convention;
        let size = bytes.and_then(|s| u32::try_from(s).ok()).filter(|s| (1..=c.largest_object).contains(s));
        let Some(size) = size else { return Err(Unsupported::new("byval argument of this size")) };
        let least = c.word / 8;
        self.stack = self.stack.next_multiple_of(align.unwrap_or(least).clamp(least, c.largest_align));
        let (loc, bits) = (Loc::Stack(self.stack), size * 8);
        self.stack += size.next_multiple_of(least);
        let by_value = Some(size);
        let piece = Piece {
            arg: self.next,
            scalar: 0,
            lo: 0,
            bits,
            width: bits,
            signed: false,
            by_value,
            loc,
            shift: 0,
        };
        self.signature.args.push(piece);
        self.next += 1;
        Ok(())
    }

    /// An argument of these scalars.
    pub fn argument(&mut self, scalars: &[Passed], extension: Option<Extension>) -> Res<()> {
        let mut scalar = 0;
        for passed @ Passed { class, bits, lanes } in scalars {
            if *lanes > 1 {
                let Some(loc) = self.free.take(*class) else {
                    return Err(Unsupported::new("vector on the stack"));
                };
                self.signature.args.extend(lanes_of(self.next, scalar, passed, loc));
                scalar += *lanes as usize;
                continue;
            }
            let extended = self.convention.extended(*bits, extension, false);
            let parts = bits.div_ceil(self.convention.word) as usize;
            let fits = self.free.left(*class) >= parts;
            if !fits && parts > 1 {
                return Err(Unsupported::new("wide integer on the stack"));
            }
            for part in 0..parts as u32 {
                let loc = match self.free.take(*class) {
                    Some(loc) => loc,
                    None => {
                        self.stack += self.convention.word / 8;
                        Loc::Stack(self.stack - self.convention.word / 8)
                    }
                };
                let piece = self.piece((self.next, scalar), (part, *bits), extended, loc);
                self.signature.args.push(piece);
            }
            scalar += 1;
        }
        self.next += 1;
        Ok(())
    }

    /// The part of a scalar that lies in one register or stack slot.
    fn piece(
        &self,
        (arg, scalar): (usize, usize),
        (part, bits): (u32, u32),
        (width, signed): (u32, bool),
        loc: Loc,
    ) -> Piece {
        let word = self.convention.word;
        let here = (bits - part * word).min(word);
        let width = if bits <= word { width } else { here };
        Piece { arg, scalar, lo: part * word, bits: here, width, signed, by_value: None, loc, shift: 0 }
    }

    /// The result, of these scalars.
    pub fn result(&mut self, scalars: &[Passed], extension: Option<Extension>) -> Res<()> {
        let (mut free, mut scalar) = (self.convention.results, 0);
        for passed @ Passed { class, bits, lanes } in scalars {
            if *lanes > 1 {
                let Some(loc) = free.take(*class) else { return Err(Unsupported::new("result in memory")) };
                self.signature.ret.extend(lanes_of(0, scalar, passed, loc));
                scalar += *lanes as usize;
                continue;
            }
            let extended = self.convention.extended(*bits, extension, true);
            for part in 0..bits.div_ceil(self.convention.word) {
                let Some(loc) = free.take(*class) else { return Err(Unsupported::new("result in memory")) };
                let piece = self.piece((0, scalar), (part, *bits), extended, loc);
                self.signature.ret.push(piece);
            }
            scalar += 1;
        }
        Ok(())
    }

    /// The arguments are all there; the function takes more than those it names.
    pub fn variadic(&mut self) {
        let used = self.convention.arguments.vector.len() - self.free.vector.len();
        self.signature.vector_count = self.convention.vector_count.map(|_| used as u8);
    }

    /// The signature.
    pub fn done(self) -> Signature {
        Signature { stack_bytes: self.stack, ..self.signature }
    }
}

/// The lanes of a vector in one register; `scalar` is the number of the first.
fn lanes_of(arg: usize, scalar: usize, passed: &Passed, loc: Loc) -> impl Iterator<Item = Piece> + use<> {
    let Passed { bits, lanes, .. } = *passed;
    (0..lanes).map(move |n| Piece {
        arg,
        scalar: scalar + n as usize,
        lo: 0,
        bits,
        width: bits,
        signed: false,
        by_value: None,
        loc,
        shift: n * bits,
    })
}

#[cfg(test)]
mod tests {
    use super::sysv::SYSTEM_V;
    use super::*;

    fn places(scalars: &[(Class, u32)]) -> Vec<Loc> {
        let mut lowering = Lowering::new(&SYSTEM_V);
        for scalar in scalars {
            lowering.argument(&[Passed::scalar(scalar.0, scalar.1)], None).expect("plain scalars");
        }
        lowering.done().args.into_iter().map(|p| p.loc).collect()
    }

    #[test]
    fn what_registers_do_not_hold_goes_to_the_stack_in_order() {
        let ints = places(&[(Class::Integer, 64); 8]);
        assert_eq!(ints[..2], [Loc::Gpr(7), Loc::Gpr(6)]);
        assert_eq!(ints[6..], [Loc::Stack(0), Loc::Stack(8)]);
        assert_eq!(places(&[(Class::Vector, 32); 9])[8], Loc::Stack(0));
    }

    #[test]
    fn a_wide_integer_takes_two_registers_or_is_refused() {
        assert_eq!(places(&[(Class::Integer, 128)]), [Loc::Gpr(7), Loc::Gpr(6)]);
        let mut lowering = Lowering::new(&SYSTEM_V);
        for _ in 0..5 {
            lowering.argument(&[Passed::scalar(Class::Integer, 64)], None).expect("a register is left");
        }
        assert!(lowering.argument(&[Passed::scalar(Class::Integer, 128)], None).is_err());
    }

    #[test]
    fn a_call_destroys_what_is_not_preserved() {
        assert_eq!(SYSTEM_V.destroyed().collect::<Vec<_>>(), [0, 1, 2, 6, 7, 8, 9, 10, 11]);
    }
}
