//! Calls under the System V convention: what a callee can see of registers and stack, and what it gives.
//!
//! Where the types of a callee are known, exactly its arguments are shown. Where they are not, every argument register
//! is shown that may hold something meant for it: what a call left behind and what nobody set cannot be an argument.
//! Two sides then compare what both show, which is at least what is passed. What one side sets for nothing but the call is
//! passed, so that a side which does not show it is another one.

use super::facts::{Facts, RSP};
use super::flow::{is_clobbered, number, successors};
use super::function::{Function, Target};
use crate::domain::Res;
use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess};
use rustc_hash::FxHashMap;

/// The registers of arguments in order: six general ones, eight vectors, and `al`, which counts the vectors of variadic
/// calls. Vectors are numbered from 16 on.
pub const ARGUMENTS: [usize; 15] = [7, 6, 2, 1, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23, 0];

/// The registers of results.
pub(crate) const RESULTS: [usize; 4] = [0, 2, 16, 17];

/// The width of a register in bits.
pub(crate) fn width(register: usize) -> u32 {
    if register < 16 { 64 } else { 128 }
}

/// The low bits of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// General registers by their hardware number, then vectors from 16 on.
    pub register: usize,
    /// How many bits.
    pub bits: u32,
}

/// How a function is called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Convention {
    /// Arguments in registers.
    pub arguments: Vec<Piece>,
    /// Arguments on the stack: bytes above the return address, and how many.
    pub stack: Vec<(u64, u64)>,
    /// Results in registers.
    pub results: Vec<Piece>,
    /// Whether it takes more arguments than these.
    pub variadic: bool,
}

impl Convention {
    /// All that a function without known types may be given, and `results` as what it may give.
    #[must_use]
    pub fn unknown(results: Vec<Piece>) -> Convention {
        let all = |register| Piece { register, bits: if register == 0 { 8 } else { width(register) } };
        Convention { arguments: ARGUMENTS.map(all).to_vec(), stack: Vec::new(), results, variadic: true }
    }
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The callee's name; none where a register or memory holds its address.
    pub callee: Option<String>,
    /// A piece of each register of [`ARGUMENTS`], in that order; of no bits where nothing is passed.
    pub arguments: Vec<Piece>,
    /// Arguments on the stack: place in the frame and bytes.
    pub stack: Vec<(i64, u64)>,
    /// Its results, where its types are known.
    pub results: Option<Vec<Piece>>,
    /// Whether more may be passed than the types of the callee say, or these are not known.
    pub open: bool,
    /// Registers, as bits, that are set for nothing but this call, where it is open (see [`super::meant`]).
    pub meant: u32,
    /// Whether the function ends with it.
    pub tail: bool,
    /// Whether it never comes back.
    pub endless: bool,
    /// Registers that it leaves as they were beside those that the convention keeps.
    keeps: u32,
}

impl Call {
    /// The registers that may hold something else behind it.
    pub fn clobbers(&self) -> impl Iterator<Item = usize> {
        let keeps = self.keeps;
        (0..32).filter(move |n| is_clobbered(*n) && keeps >> n & 1 == 0)
    }

    /// Whether a register that may hold an argument was set for nothing but this call.
    pub fn is_meant(&self, piece: Piece) -> bool {
        piece.bits > 0 && self.meant >> piece.register & 1 == 1
    }

    /// Takes as arguments, beside those that the types name, what follows them in registers that may hold something. Of a
    /// callee that is known to be variadic, `al` limits the vectors.
    fn guess(&mut self, held: u32, counted: Option<u64>) {
        let variadic = self.results.is_some();
        let given = |register: usize, known: &Piece| known.bits > 0 || held >> register & 1 == 1;
        let run = |places: std::ops::Range<usize>| {
            let pieces = ARGUMENTS[places.clone()].iter().zip(&self.arguments[places]);
            pieces.take_while(|(register, known)| given(**register, known)).count()
        };
        let (ints, mut vectors) = (run(0..6), run(6..14));
        if let (true, Some(most)) = (variadic, counted) {
            vectors = vectors.min(usize::try_from(most).unwrap_or(vectors));
        }
        for (n, piece) in self.arguments.iter_mut().enumerate() {
            let bits = match n {
                0..6 if n < ints => 64,
                // What is passed unnamed is as long as a double at most, but for types that C has not.
                6..14 if n - 6 < vectors => {
                    if variadic {
                        64
                    } else {
                        128
                    }
                }
                14 if counted.is_some() => 8,
                _ => 0,
            };
            if piece.bits == 0 {
                piece.bits = bits;
            }
        }
    }
}

/// The calls of a function, and how it is called itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    pub own: Convention,
    list: FxHashMap<usize, Call>,
}

impl Calls {
    /// Finds the calls; `types` knows how functions are called.
    pub fn of(
        f: &Function,
        facts: &Facts,
        own: Convention,
        types: &dyn Fn(&str) -> Option<Convention>,
    ) -> Res<Calls> {
        let mut calls = Calls { own, list: FxHashMap::default() };
        for i in (0..f.insns.len()).filter(|i| facts.reached(*i)) {
            let insn = &f.insns[i];
            let d = &insn.decoded;
            let callee = match &insn.target {
                Some(Target::Function(name)) => Some(name.clone()),
                Some(Target::Block(_)) | None => None,
            };
            let call = d.mnemonic() == Mnemonic::Call;
            let leaves = d.mnemonic() == Mnemonic::Jmp
                && (callee.is_some() || d.is_jmp_near_indirect() && facts.table(i).is_none());
            if call && matches!(insn.target, Some(Target::Block(_))) {
                return Err(f.unsupported(i, "a call into the function itself"));
            }
            if callee.is_some() && !call && !leaves {
                return Err(f.unsupported(i, "a conditional jump out of the function"));
            }
            if !call && !leaves {
                continue;
            }
            let Some(sp) = facts.frame(i, RSP) else {
                return Err(f.unsupported(i, "a call without a known stack"));
            };
            if leaves && sp != 0 {
                return Err(f.unsupported(i, "a jump out of the function with a frame on the stack"));
            }
            let types = callee.as_deref().and_then(types);
            let above = if leaves { sp + 8 } else { sp };
            let piece = |register: usize| {
                let known = types.as_ref().map(|c| &c.arguments);
                let known =
                    known.map(|list| list.iter().find(|p| p.register == register).map_or(0, |p| p.bits));
                Piece { register, bits: known.unwrap_or(0) }
            };
            let stack = types.iter().flat_map(|c| &c.stack).map(|(at, n)| (above + *at as i64, *n)).collect();
            let results = types.as_ref().map(|c| c.results.clone());
            let arguments = ARGUMENTS.map(piece).to_vec();
            let open = types.as_ref().is_none_or(|c| c.variadic);
            let endless = insn.endless;
            calls.list.insert(
                i,
                Call {
                    callee,
                    arguments,
                    stack,
                    results,
                    open,
                    meant: 0,
                    tail: leaves,
                    endless,
                    keeps: insn.keeps,
                },
            );
        }
        // Ahead of the guess: what types name is read by a call, what is guessed is not.
        for (i, meant) in super::meant::meant(f, facts, &calls) {
            if let Some(call) = calls.list.get_mut(&i) {
                call.meant = meant;
            }
        }
        calls.guess(f, facts);
        Ok(calls)
    }

    /// The call that an instruction is.
    pub fn at(&self, insn: usize) -> Option<&Call> {
        self.list.get(&insn)
    }

    /// The calls that may be passed more than is known.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        self.list.iter().filter(|(_, c)| c.open).map(|(i, _)| *i)
    }

    /// Which registers may hold something that is meant for a callee of unknown types: those that were set on every way to
    /// the call. A forward dataflow.
    fn guess(&mut self, f: &Function, facts: &Facts) {
        let mut at_start: Vec<Option<u32>> = vec![None; f.blocks.len()];
        let entry = self.own.arguments.iter().fold(0u32, |set, p| set | 1 << p.register);
        if let Some(first) = at_start.first_mut() {
            *first = Some(entry);
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some(mut held) = at_start[b] else { continue };
            for i in f.blocks[b].first..f.blocks[b].end {
                self.step(f, i, &mut held, &mut None);
            }
            for to in successors(f, facts, b) {
                let joined = at_start[to].map_or(held, |known| known & held);
                if at_start[to] != Some(joined) {
                    at_start[to] = Some(joined);
                    open.push(to);
                }
            }
        }
        for (block, start) in f.blocks.iter().zip(at_start) {
            let Some(mut held) = start else { continue };
            let mut counted = None;
            for i in block.first..block.end {
                if let Some(call) = self.list.get_mut(&i).filter(|call| call.open) {
                    call.guess(held, counted);
                }
                self.step(f, i, &mut held, &mut counted);
            }
        }
    }

    fn step(&self, f: &Function, i: usize, held: &mut u32, counted: &mut Option<u64>) {
        let d = &f.insns[i].decoded;
        if let Some(call) = self.list.get(&i) {
            call.clobbers().for_each(|r| *held &= !(1 << r));
            match &call.results {
                Some(results) => results.iter().for_each(|p| *held |= 1 << p.register),
                None => RESULTS.iter().for_each(|r| *held |= 1 << r),
            }
            *counted = None;
            return;
        }
        let mut factory = InstructionInfoFactory::new();
        for used in factory.info(d).used_registers() {
            let reads = matches!(
                used.access(),
                OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess
            );
            if let (false, Some(n)) = (reads, number(used.register())) {
                *held |= 1 << n;
                if n == 0 {
                    // The number of vectors is set by a constant right before the call.
                    *counted = match d.mnemonic() {
                        Mnemonic::Xor if d.op0_register() == d.op1_register() => Some(0),
                        Mnemonic::Mov => d.try_immediate(1).ok(),
                        _ => None,
                    };
                }
            }
        }
    }
}
