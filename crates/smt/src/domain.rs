//! Value domains: what a language's semantics computes with.
//!
//! A semantics written against [`Domain`] runs in two ways from one definition: concretely
//! ([`Concrete`], to be compared with hardware or an emulator and to replay counterexamples) and
//! symbolically ([`Symbolic`], to prove). Operations have SMT-LIB meaning in both; a language whose
//! operation is undefined or traps somewhere says so with a condition of its own.

use crate::choices::{Choices, Stored};
use crate::effort::{Work, count};
use crate::objects::Objects;
use crate::task::Task;
use crate::{ArrayVal, Bv, Operation, Pool, Sort, TermId};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Binary operations on bit-vectors of one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    /// Sum modulo `2^w`.
    Add,
    /// Difference modulo `2^w`.
    Sub,
    /// Product modulo `2^w`.
    Mul,
    /// Unsigned quotient; all ones for divisor zero.
    UDiv,
    /// Unsigned remainder; the dividend for divisor zero.
    URem,
    /// Signed quotient towards zero.
    SDiv,
    /// Signed remainder with the dividend's sign.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift; zero for amounts of the width or more.
    Shl,
    /// Logical right shift; zero for amounts of the width or more.
    Lshr,
    /// Arithmetic right shift; copies of the sign for amounts of the width or more.
    Ashr,
}

/// Every [`BinOp`].
pub const BIN_OPS: [BinOp; 13] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::URem,
    BinOp::SDiv,
    BinOp::SRem,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::Lshr,
    BinOp::Ashr,
];

/// Comparisons of bit-vectors of one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CmpOp {
    /// Equal.
    Eq,
    /// Unsigned less-than.
    Ult,
    /// Unsigned at most.
    Ule,
    /// Signed less-than.
    Slt,
    /// Signed at most.
    Sle,
}

/// A domain of values: Booleans, bit-vectors, and byte memory.
pub trait Domain {
    /// A truth value.
    type Bool: Clone + Debug;
    /// A bit-vector; the order is any that stays the same.
    type Bv: Clone + Ord + Debug;
    /// A memory (an array of bytes or other elements).
    type Mem: Clone + Debug;

    /// A constant.
    fn constant(&mut self, v: Bv) -> Self::Bv;
    /// A truth value.
    fn bool(&mut self, b: bool) -> Self::Bool;
    /// The width of a bit-vector.
    fn width(&self, a: &Self::Bv) -> u32;
    /// The value, where it is a constant.
    fn as_const(&self, a: &Self::Bv) -> Option<Bv>;
    /// The truth value, where it is a constant.
    fn as_bool(&self, a: &Self::Bool) -> Option<bool>;

    /// A binary operation.
    fn bin(&mut self, op: BinOp, a: &Self::Bv, b: &Self::Bv) -> Self::Bv;
    /// A comparison.
    fn cmp(&mut self, op: CmpOp, a: &Self::Bv, b: &Self::Bv) -> Self::Bool;
    /// Bitwise complement.
    fn bv_not(&mut self, a: &Self::Bv) -> Self::Bv;
    /// Bits `hi` to `lo`.
    fn extract(&mut self, hi: u32, lo: u32, a: &Self::Bv) -> Self::Bv;
    /// Concatenation, `a` above `b`.
    fn concat(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bv;
    /// Zero extension to a width.
    fn zext(&mut self, a: &Self::Bv, width: u32) -> Self::Bv;
    /// Sign extension to a width.
    fn sext(&mut self, a: &Self::Bv, width: u32) -> Self::Bv;
    /// A choice between bit-vectors.
    fn ite(&mut self, c: &Self::Bool, a: &Self::Bv, b: &Self::Bv) -> Self::Bv;
    /// A choice between memories.
    fn ite_mem(&mut self, c: &Self::Bool, a: &Self::Mem, b: &Self::Mem) -> Self::Mem;

    /// Negation.
    fn not(&mut self, a: &Self::Bool) -> Self::Bool;
    /// Conjunction.
    fn and(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool;

    /// Bits of an address of this memory.
    fn address_width(&self, m: &Self::Mem) -> u32;
    /// `n` neighbouring elements from `addr` on, the lowest address least significant.
    fn load(&mut self, m: &Self::Mem, addr: &Self::Bv, n: u32) -> Self::Bv;
    /// Memory with the elements of `v` written from `addr` on, least significant first.
    fn store(&mut self, m: &Self::Mem, addr: &Self::Bv, v: &Self::Bv) -> Self::Mem;

    /// What a store writes that may be anything where `open` holds: the bits, or what was picked ([`Stored`]).
    fn stored(&mut self, _at: &Self::Bv, bits: &Self::Bv, _open: &Self::Bool) -> Self::Bv {
        bits.clone()
    }

    /// Do two memories hold the same everywhere?
    fn eq_mem(&mut self, a: &Self::Mem, b: &Self::Mem) -> Self::Bool;

    /// A value that the name alone determines, the same on both sides of a comparison: the address
    /// of a global, an incoming argument.
    fn symbol(&mut self, name: &str, width: u32) -> Self::Bv;
    /// Promises that `symbol(name)` is the base of an object of `size` elements, not wrapping and
    /// disjoint from all other declared objects.
    fn declare_object(&mut self, name: &str, width: u32, size: u64);
    /// Promises that `symbol(name)` is not zero, nor, if it lies `apart`, inside another declared object or at another
    /// such place: a function's address.
    fn declare_place(&mut self, name: &str, width: u32, apart: bool);
    /// A value that the program may choose, and may choose otherwise: in a run on numbers that whoever runs goes through
    /// all choices of. None where this is no such run, or there would be too many.
    fn pick(&mut self, _width: u32) -> Option<Self::Bv> {
        None
    }
    /// A value that the program on the target's side may choose: one is enough to show what it may do. None where this is
    /// no run that shows one.
    fn pick_of_target(&mut self, _name: &str, _width: u32) -> Option<Self::Bv> {
        None
    }
    /// Whether what the program may choose is followed as unknowns: then nothing else may be chosen for it.
    fn follows_choices(&self) -> bool {
        false
    }
    /// Bits of the byte at an address, those that are set, may be anything from here on: in a run on numbers comparisons of
    /// memories leave them out.
    fn leave_open(&mut self, _at: &Self::Bv, _bits: u8) {}
    /// So many bytes from an address on hold what is stored there now: what was open of them is not any more.
    fn settle(&mut self, _at: &Self::Bv, _n: u64) {}
    /// Whether any of so many elements from an address on may be anything.
    fn is_open(&self, _at: &Self::Bv, _n: u64) -> bool {
        false
    }
    /// Whether no element of a memory from one address up to another is zero, in a run on numbers; none where this is no such run.
    fn holds_no_zero(&self, _mem: &Self::Mem, _range: std::ops::Range<u64>) -> Option<bool> {
        None
    }
    /// Whether two addresses lie in, or one past, one declared object, in a run on numbers; false where the bytes between
    /// them belong to one in part, none where to no such object, or where this is no such run.
    fn shares_object(&self, _low: &Self::Bv, _high: &Self::Bv) -> Option<bool> {
        None
    }
    /// What follows, in a run on numbers, from what was said first of whether two addresses lie in one object: that does not
    /// change when memory is given back or made later.
    fn said_first(&mut self, _of: (u64, u64), said: Option<bool>) -> Option<bool> {
        said
    }
    /// A choice of two values, and what both are added to, by the text: the condition, and what there is where it holds
    /// and where not.
    fn as_either(&mut self, _a: &Self::Bv) -> Option<(Self::Bool, Self::Bv, Self::Bv)> {
        None
    }
    /// Whether an address is a base and a distance, by the text.
    fn is_made_from(&self, _a: &Self::Bv, _base: &Self::Bv) -> bool {
        false
    }
    /// The result of an operation that is not modelled: some function of its arguments, the same on
    /// both sides where operation, widths and arguments are. Results that rest on it are conditional.
    fn uninterpreted(&mut self, operation: &Operation, args: &[Self::Bv], width: u32) -> Self::Bv;
    /// A value nothing is known of, different at each call (an undefined register, padding).
    fn nondet(&mut self, name: &str, width: u32) -> Self::Bv;

    // What follows is made of the above.

    /// The constant `v mod 2^width`.
    fn num(&mut self, width: u32, v: u128) -> Self::Bv {
        self.constant(Bv::new(width, v))
    }
    /// The constant `v` in two's complement.
    fn signed(&mut self, width: u32, v: i128) -> Self::Bv {
        self.constant(Bv::from_i128(width, v))
    }
    /// Sum.
    fn add(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        self.bin(BinOp::Add, a, b)
    }
    /// Difference.
    fn sub(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        self.bin(BinOp::Sub, a, b)
    }
    /// Product.
    fn mul(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        self.bin(BinOp::Mul, a, b)
    }
    /// Bitwise and.
    fn bv_and(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        self.bin(BinOp::And, a, b)
    }
    /// Bitwise or.
    fn bv_or(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        self.bin(BinOp::Or, a, b)
    }
    /// Bitwise exclusive or.
    fn bv_xor(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        self.bin(BinOp::Xor, a, b)
    }
    /// Two's complement negation.
    fn neg(&mut self, a: &Self::Bv) -> Self::Bv {
        let zero = self.num(self.width(a), 0);
        self.sub(&zero, a)
    }
    /// Equality.
    fn eq(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bool {
        self.cmp(CmpOp::Eq, a, b)
    }
    /// Inequality.
    fn ne(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bool {
        let e = self.eq(a, b);
        self.not(&e)
    }
    /// Unsigned less-than.
    fn ult(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bool {
        self.cmp(CmpOp::Ult, a, b)
    }
    /// Signed less-than.
    fn slt(&mut self, a: &Self::Bv, b: &Self::Bv) -> Self::Bool {
        self.cmp(CmpOp::Slt, a, b)
    }
    /// Disjunction.
    fn or(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool {
        let (x, y) = (self.not(a), self.not(b));
        let r = self.and(&x, &y);
        self.not(&r)
    }
    /// Exclusive or.
    fn xor(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool {
        let (x, y) = (self.bool_to_bv(a), self.bool_to_bv(b));
        self.ne(&x, &y)
    }
    /// The low `width` bits.
    fn trunc(&mut self, a: &Self::Bv, width: u32) -> Self::Bv {
        self.extract(width - 1, 0, a)
    }
    /// The bit of a truth value.
    fn bool_to_bv(&mut self, c: &Self::Bool) -> Self::Bv {
        let (one, zero) = (self.num(1, 1), self.num(1, 0));
        self.ite(c, &one, &zero)
    }
    /// Is any bit set?
    fn bv_to_bool(&mut self, a: &Self::Bv) -> Self::Bool {
        let zero = self.num(self.width(a), 0);
        self.ne(a, &zero)
    }
    /// The most significant bit as a truth value.
    fn sign(&mut self, a: &Self::Bv) -> Self::Bool {
        let w = self.width(a);
        let bit = self.extract(w - 1, w - 1, a);
        self.bv_to_bool(&bit)
    }
}

/// Runs with values. Symbols come from a table, by default from a hash of their name; operations
/// not modelled and unknown values are hashes too: some fixed function, the same on both sides.
#[derive(Clone, Debug, Default)]
pub struct Concrete {
    /// Values of symbols; what is missing is made up and kept here.
    pub symbols: BTreeMap<(String, u32), Bv>,
    /// Objects declared: base symbol and size.
    pub objects: BTreeMap<(String, u32), u64>,
    /// Varies what is made up.
    pub seed: u64,
    /// Results of operations not modelled, by the name a [`Symbolic`] run gives them and arguments;
    /// what is missing is made up.
    pub points: BTreeMap<(String, Vec<Bv>), Bv>,
    /// Memories that the world hands back, by names that who runs knows.
    pub memories: BTreeMap<String, ArrayVal>,
    /// Operations met that are not modelled.
    pub unmodelled: std::collections::BTreeSet<Operation>,
    /// Addresses of at most 64 bits met by loads and stores, with the bytes there: where it is wanted.
    pub accesses: Option<std::collections::BTreeSet<(u64, u32)>>,
    /// What the program chooses, in order; zero where nothing is said.
    pub picks: Vec<Bv>,
    /// What it chose so far.
    pub picked: Vec<Bv>,
    /// Whether choices of any width are made: where whoever runs has shown that it does not matter which.
    pub picks_all: bool,
    /// Whether a program was to choose anything in the runs so far.
    pub chose: bool,
    /// What the target chooses, by name, where whoever runs has found it.
    pub picks_of_target: BTreeMap<String, Bv>,
    /// What was said of two addresses, whether they lie in one object.
    said: Objects,
    open: std::collections::BTreeMap<u64, u8>,
    /// How often something unknown of each name was asked for: what one program asks does not change what another is told.
    counts: BTreeMap<String, u64>,
    next_object: u64,
}

/// Bytes between objects that are given a place here, and bytes of what may still be declared.
const GAP: u64 = 64;
const UNDECLARED: u64 = 4096;

/// The most bits that a program may choose in a run all of whose choices are gone through.
const PICKED_BITS: u32 = 8;

impl Concrete {
    /// A domain whose made-up values vary with the seed.
    pub fn new(seed: u64) -> Concrete {
        Concrete { seed, ..Concrete::default() }
    }

    /// Symbols of a width as addresses: where each begins and ends; what is not declared has so many bytes.
    fn placed(&self, width: u32, undeclared: u64) -> impl Iterator<Item = (u64, u64)> {
        let all = self.symbols.iter().filter(move |((_, w), _)| *w == width);
        all.filter_map(move |(key, value)| {
            let base = value.to_u64()?;
            Some((base, base.saturating_add(self.objects.get(key).copied().unwrap_or(undeclared))))
        })
    }

    /// Objects that are declared: width of their addresses, beginning and end.
    fn declared(&self) -> impl Iterator<Item = (u32, u64, u64)> {
        self.objects.iter().filter_map(|(key, size)| {
            let base = self.symbols.get(key)?.to_u64()?;
            Some((key.1, base, base.saturating_add(*size)))
        })
    }

    /// Whether objects share their places that are declared, which none do: a model that knew some of them alone put them so.
    #[must_use]
    pub fn objects_overlap(&self) -> bool {
        let mut all: Vec<_> = self.declared().filter(|(_, base, end)| base < end).collect();
        all.sort_unstable();
        all.windows(2).any(|two| two[0].0 == two[1].0 && two[1].1 < two[0].2)
    }

    /// A value that is a fixed function of the seed, a name and arguments.
    pub fn made_up(&self, name: &str, args: &[Bv], width: u32) -> Bv {
        self.made_up_of(&[name], args, width)
    }

    /// A value that is a fixed function of the seed, a name in parts, and arguments.
    fn made_up_of(&self, name: &[&str], args: &[Bv], width: u32) -> Bv {
        // FNV-1a over everything, then a finaliser for each 64 bits wanted.
        let mut h = 0xcbf2_9ce4_8422_2325u64 ^ self.seed;
        let mut eat = |b: u8| h = (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3);
        name.iter().flat_map(|part| part.bytes()).for_each(&mut eat);
        for a in args {
            eat(0xff);
            a.width().to_le_bytes().into_iter().for_each(&mut eat);
            a.to_big().to_bytes_le().into_iter().for_each(&mut eat);
        }
        let mut acc: Option<Bv> = None;
        let mut done = 0;
        while done < width {
            h = h.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = h;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^= z >> 31;
            let part = Bv::new((width - done).min(64), u128::from(z));
            done += part.width();
            acc = Some(match acc {
                None => part,
                Some(a) => part.concat(&a),
            });
        }
        acc.expect("a bit-vector has at least one bit")
    }

    /// The domain for another run from the same start, in which the program chooses this.
    pub fn restart(&mut self, picks: Vec<Bv>) {
        self.picks = picks;
        self.picked.clear();
        self.open.clear();
        self.counts.clear();
    }

    /// The choices that come after those of the run that ended; none where it was the last.
    pub fn next_picks(&self) -> Option<Vec<Bv>> {
        let mut next = self.picked.clone();
        while let Some(last) = next.pop() {
            if !last.is_ones() {
                next.push(last.add(&Bv::new(last.width(), 1)));
                return Some(next);
            }
        }
        None
    }

    fn access(&mut self, addr: &Bv, n: u32) {
        if let (Some(all), Some(at)) = (&mut self.accesses, addr.to_u64()) {
            all.insert((at, n));
        }
    }
}

impl Domain for Concrete {
    type Bool = bool;
    type Bv = Bv;
    type Mem = ArrayVal;

    fn constant(&mut self, v: Bv) -> Bv {
        v
    }
    fn bool(&mut self, b: bool) -> bool {
        b
    }
    fn width(&self, a: &Bv) -> u32 {
        a.width()
    }
    fn as_const(&self, a: &Bv) -> Option<Bv> {
        Some(a.clone())
    }
    fn as_bool(&self, a: &bool) -> Option<bool> {
        Some(*a)
    }
    fn bin(&mut self, op: BinOp, a: &Bv, b: &Bv) -> Bv {
        count(Work::Operation, 1);
        match op {
            BinOp::Add => a.add(b),
            BinOp::Sub => a.sub(b),
            BinOp::Mul => a.mul(b),
            BinOp::UDiv => a.udiv(b),
            BinOp::URem => a.urem(b),
            BinOp::SDiv => a.sdiv(b),
            BinOp::SRem => a.srem(b),
            BinOp::And => a.and(b),
            BinOp::Or => a.or(b),
            BinOp::Xor => a.xor(b),
            BinOp::Shl => a.shl(b),
            BinOp::Lshr => a.lshr(b),
            BinOp::Ashr => a.ashr(b),
        }
    }
    fn cmp(&mut self, op: CmpOp, a: &Bv, b: &Bv) -> bool {
        count(Work::Operation, 1);
        match op {
            CmpOp::Eq => a == b,
            CmpOp::Ult => a.ucmp(b).is_lt(),
            CmpOp::Ule => a.ucmp(b).is_le(),
            CmpOp::Slt => a.scmp(b).is_lt(),
            CmpOp::Sle => a.scmp(b).is_le(),
        }
    }
    fn bv_not(&mut self, a: &Bv) -> Bv {
        count(Work::Operation, 1);
        a.not()
    }
    fn extract(&mut self, hi: u32, lo: u32, a: &Bv) -> Bv {
        count(Work::Operation, 1);
        a.extract(hi, lo)
    }
    fn concat(&mut self, a: &Bv, b: &Bv) -> Bv {
        count(Work::Operation, 1);
        a.concat(b)
    }
    fn zext(&mut self, a: &Bv, width: u32) -> Bv {
        count(Work::Operation, 1);
        a.zext(width)
    }
    fn sext(&mut self, a: &Bv, width: u32) -> Bv {
        count(Work::Operation, 1);
        a.sext(width)
    }
    fn ite(&mut self, c: &bool, a: &Bv, b: &Bv) -> Bv {
        count(Work::Operation, 1);
        if *c { a.clone() } else { b.clone() }
    }
    fn ite_mem(&mut self, c: &bool, a: &ArrayVal, b: &ArrayVal) -> ArrayVal {
        if *c { a.clone() } else { b.clone() }
    }
    fn not(&mut self, a: &bool) -> bool {
        !a
    }
    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a && *b
    }
    fn address_width(&self, m: &ArrayVal) -> u32 {
        m.index_width()
    }
    fn load(&mut self, m: &ArrayVal, addr: &Bv, n: u32) -> Bv {
        count(Work::Operation, 1);
        self.access(addr, n);
        m.load(addr, n)
    }
    fn store(&mut self, m: &ArrayVal, addr: &Bv, v: &Bv) -> ArrayVal {
        count(Work::Operation, 1);
        self.access(addr, v.width() / 8);
        let mut m = m.clone();
        m.store(addr, v);
        m
    }
    fn eq_mem(&mut self, a: &ArrayVal, b: &ArrayVal) -> bool {
        if self.open.is_empty() {
            return a == b;
        }
        let (mut a, mut b) = (a.clone(), b.clone());
        for (at, open) in &self.open {
            let at = Bv::new(a.index_width(), u128::from(*at));
            for memory in [&mut a, &mut b] {
                let byte = memory.get(&at);
                let kept = Bv::new(byte.width(), u128::from(!*open));
                memory.set(at.clone(), byte.and(&kept));
            }
        }
        a == b
    }
    fn pick(&mut self, width: u32) -> Option<Bv> {
        self.chose = true;
        let before: u32 = self.picked.iter().map(Bv::width).sum();
        if before + width > PICKED_BITS && !self.picks_all {
            return None;
        }
        let said = self.picks.get(self.picked.len()).filter(|v| v.width() == width);
        let value = said.cloned().unwrap_or_else(|| Bv::zero(width));
        self.picked.push(value.clone());
        Some(value)
    }
    fn pick_of_target(&mut self, name: &str, width: u32) -> Option<Bv> {
        self.chose = true;
        self.picks_of_target.get(&format!("{name}:{width}")).cloned()
    }
    fn leave_open(&mut self, at: &Bv, bits: u8) {
        if let Some(at) = at.to_u64() {
            *self.open.entry(at).or_default() |= bits;
        }
    }
    fn settle(&mut self, at: &Bv, n: u64) {
        if let (false, Some(at)) = (self.open.is_empty(), at.to_u64()) {
            let mut behind = self.open.split_off(&at);
            self.open.append(&mut behind.split_off(&at.saturating_add(n)));
        }
    }
    fn is_open(&self, at: &Bv, n: u64) -> bool {
        at.to_u64().is_some_and(|at| self.open.range(at..at.saturating_add(n)).next().is_some())
    }
    fn holds_no_zero(&self, mem: &ArrayVal, range: std::ops::Range<u64>) -> Option<bool> {
        Some(mem.holds_no_zero(range))
    }
    fn said_first(&mut self, of: (u64, u64), said: Option<bool>) -> Option<bool> {
        self.said.told(of, said)
    }
    fn shares_object(&self, low: &Bv, high: &Bv) -> Option<bool> {
        let (low, high) = (low.to_u64()?, high.to_u64()?);
        let met = self.declared().filter(|(_, base, end)| low < *end && *base < high);
        met.map(|(_, base, end)| base <= low && high <= end).reduce(|a, b| a && b)
    }
    fn symbol(&mut self, name: &str, width: u32) -> Bv {
        count(Work::Operation, 1);
        let key = (name.to_owned(), width);
        if let Some(v) = self.symbols.get(&key) {
            return v.clone();
        }
        let v = self.made_up(name, &[], width);
        self.symbols.insert(key, v.clone());
        v
    }
    fn declare_object(&mut self, name: &str, width: u32, size: u64) {
        let key = (name.to_owned(), width);
        if self.objects.insert(key.clone(), size).is_none() && !self.symbols.contains_key(&key) {
            // One after the other from an even place, a gap between them; some have the place that a model gave them.
            let mut at = self.next_object.max(0x1_0000);
            let near = |at: u64| {
                let met = |(base, end): &(u64, u64)| {
                    *base < at.saturating_add(size).saturating_add(GAP) && at < end.saturating_add(GAP)
                };
                let (_, end) = self.placed(width, UNDECLARED).find(met)?;
                end.checked_add(GAP)?.checked_next_multiple_of(16)
            };
            while let Some(next) = near(at) {
                at = next;
            }
            self.next_object = (at + size + GAP).next_multiple_of(16);
            self.symbols.insert(key, Bv::new(width, u128::from(at)));
        }
    }
    fn declare_place(&mut self, _: &str, _: u32, _: bool) {
        // What is made up of a name is neither zero nor near anything else.
    }
    fn uninterpreted(&mut self, operation: &Operation, args: &[Bv], width: u32) -> Bv {
        count(Work::Operation, 1);
        self.unmodelled.insert(operation.clone());
        let widths: Vec<u32> = args.iter().map(Bv::width).collect();
        let full = operation.symbol(width, &widths);
        match self.points.get(&(full, args.to_vec())) {
            Some(v) => v.clone(),
            None => self.made_up_of(&["op ", &operation.name], args, width),
        }
    }
    fn nondet(&mut self, name: &str, width: u32) -> Bv {
        let count = match self.counts.get_mut(name) {
            Some(count) => count,
            None => self.counts.entry(name.to_owned()).or_default(),
        };
        *count += 1;
        let count = *count;
        self.made_up_of(&["any ", &count.to_string(), " ", name], &[], width)
    }
}

/// Runs with terms of a pool.
#[derive(Clone, Default)]
pub struct Symbolic {
    /// The arena of the terms.
    pub pool: Pool,
    /// The choices made, in a run that follows them.
    pub choices: Option<Choices>,
    /// What stores left open, oldest first.
    pub stored: Vec<Stored>,
    /// The task at work.
    pub(crate) task: Option<Task>,
}

impl Symbolic {
    /// A domain over an empty pool.
    pub fn new() -> Symbolic {
        Symbolic::default()
    }
}

impl Domain for Symbolic {
    type Bool = TermId;
    type Bv = TermId;
    type Mem = TermId;

    fn constant(&mut self, v: Bv) -> TermId {
        self.pool.constant(v)
    }
    fn bool(&mut self, b: bool) -> TermId {
        self.pool.bool(b)
    }
    fn width(&self, a: &TermId) -> u32 {
        self.pool.width(*a)
    }
    fn as_const(&self, a: &TermId) -> Option<Bv> {
        self.pool.as_const(*a).cloned()
    }

    fn as_either(&mut self, a: &TermId) -> Option<(TermId, TermId, TermId)> {
        let choice = |pool: &Pool, t: TermId| match *pool.node(t) {
            crate::Node::Ite(c, x, y) => Some((c, x, y)),
            _ => None,
        };
        let crate::Node::Lin(parts, _) = self.pool.node(*a) else { return choice(&self.pool, *a) };
        let (chosen, (c, x, y)) = parts
            .iter()
            .filter(|(_, times)| times.is_one())
            .find_map(|(t, _)| Some((*t, choice(&self.pool, *t)?)))?;
        let rest = self.pool.sub(*a, chosen);
        Some((c, self.pool.add(rest, x), self.pool.add(rest, y)))
    }

    fn is_made_from(&self, a: &TermId, base: &TermId) -> bool {
        a == base
            || matches!(self.pool.node(*a), crate::Node::Lin(parts, _)
                if parts.iter().any(|(t, times)| t == base && times.is_one()))
    }
    fn as_bool(&self, a: &TermId) -> Option<bool> {
        self.pool.as_bool(*a)
    }
    fn bin(&mut self, op: BinOp, a: &TermId, b: &TermId) -> TermId {
        let (p, a, b) = (&mut self.pool, *a, *b);
        match op {
            BinOp::Add => p.add(a, b),
            BinOp::Sub => p.sub(a, b),
            BinOp::Mul => p.mul(a, b),
            BinOp::UDiv => p.udiv(a, b),
            BinOp::URem => p.urem(a, b),
            BinOp::SDiv => p.sdiv(a, b),
            BinOp::SRem => p.srem(a, b),
            BinOp::And => p.bv_and(a, b),
            BinOp::Or => p.bv_or(a, b),
            BinOp::Xor => p.bv_xor(a, b),
            BinOp::Shl => p.shl(a, b),
            BinOp::Lshr => p.lshr(a, b),
            BinOp::Ashr => p.ashr(a, b),
        }
    }
    fn cmp(&mut self, op: CmpOp, a: &TermId, b: &TermId) -> TermId {
        let (p, a, b) = (&mut self.pool, *a, *b);
        match op {
            CmpOp::Eq => p.eq(a, b),
            CmpOp::Ult => p.ult(a, b),
            CmpOp::Ule => p.ule(a, b),
            CmpOp::Slt => p.slt(a, b),
            CmpOp::Sle => p.sle(a, b),
        }
    }
    fn bv_not(&mut self, a: &TermId) -> TermId {
        self.pool.bv_not(*a)
    }
    fn extract(&mut self, hi: u32, lo: u32, a: &TermId) -> TermId {
        self.pool.extract(hi, lo, *a)
    }
    fn concat(&mut self, a: &TermId, b: &TermId) -> TermId {
        self.pool.concat(*a, *b)
    }
    fn zext(&mut self, a: &TermId, width: u32) -> TermId {
        self.pool.zext(*a, width)
    }
    fn sext(&mut self, a: &TermId, width: u32) -> TermId {
        self.pool.sext(*a, width)
    }
    fn ite(&mut self, c: &TermId, a: &TermId, b: &TermId) -> TermId {
        self.pool.ite(*c, *a, *b)
    }
    fn ite_mem(&mut self, c: &TermId, a: &TermId, b: &TermId) -> TermId {
        self.pool.ite(*c, *a, *b)
    }
    fn not(&mut self, a: &TermId) -> TermId {
        self.pool.not(*a)
    }
    fn and(&mut self, a: &TermId, b: &TermId) -> TermId {
        self.pool.and(*a, *b)
    }
    fn or(&mut self, a: &TermId, b: &TermId) -> TermId {
        self.pool.or(*a, *b)
    }
    fn xor(&mut self, a: &TermId, b: &TermId) -> TermId {
        self.pool.xor(*a, *b)
    }
    fn address_width(&self, m: &TermId) -> u32 {
        self.pool.array_widths(*m).0
    }
    fn load(&mut self, m: &TermId, addr: &TermId, n: u32) -> TermId {
        self.pool.load(*m, *addr, n)
    }
    fn store(&mut self, m: &TermId, addr: &TermId, v: &TermId) -> TermId {
        self.pool.store(*m, *addr, *v)
    }
    fn stored(&mut self, at: &TermId, bits: &TermId, open: &TermId) -> TermId {
        self.leave_stored(*at, *bits, *open)
    }
    fn eq_mem(&mut self, a: &TermId, b: &TermId) -> TermId {
        self.pool.eq(*a, *b)
    }
    fn symbol(&mut self, name: &str, width: u32) -> TermId {
        self.pool.var(&format!("{name}:{width}"), Sort::Bv(width))
    }
    fn declare_object(&mut self, name: &str, width: u32, size: u64) {
        let base = self.symbol(name, width);
        self.pool.declare_object(base, size);
    }
    fn declare_place(&mut self, name: &str, width: u32, apart: bool) {
        let base = self.symbol(name, width);
        if !self.pool.is_object(base) {
            self.pool.declare_object(base, u64::from(apart));
        }
    }
    fn uninterpreted(&mut self, operation: &Operation, args: &[TermId], width: u32) -> TermId {
        let sorts: Vec<Sort> = args.iter().map(|a| self.pool.sort(*a)).collect();
        let f = self.pool.operation(operation, &sorts, width);
        self.pool.apply(f, args)
    }
    fn nondet(&mut self, name: &str, width: u32) -> TermId {
        self.unknown(&format!("any:{name}"), Sort::Bv(width))
    }
    fn follows_choices(&self) -> bool {
        self.choices.is_some()
    }
    fn pick(&mut self, width: u32) -> Option<TermId> {
        let choices = self.choices.as_mut()?;
        let any = self.pool.fresh("chosen", Sort::Bv(width));
        choices.of_source.push(any);
        Some(any)
    }
    fn pick_of_target(&mut self, name: &str, width: u32) -> Option<TermId> {
        let choices = self.choices.as_mut()?;
        let (pool, key) = (&mut self.pool, format!("{name}:{width}"));
        let any = choices.of_target.entry(key).or_insert_with(|| pool.fresh("chosen", Sort::Bv(width)));
        Some(*any)
    }
}
