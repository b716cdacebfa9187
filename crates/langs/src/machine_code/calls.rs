//! Calls under the System V convention: what a callee can see of registers and stack, and what it gives.
//!
//! Where the types of a callee are known, exactly its arguments are shown. Where they are not, every argument register
//! is shown that may hold something meant for it: what a call left behind and what nobody set cannot be an argument.
//! Two sides then compare what both show, which is at least what is passed. What one side sets for nothing but the call is
//! passed, so that a side which does not show it is another one.

use super::abi::{Abi, members};
use super::facts::Facts;
use super::filled::Filled;
use super::flow::successors;
use super::function::{Function, Reference, Target};
use super::readers::{Reader, reader};
use super::uses::{Control, control, uses};
use crate::domain::Res;
use rustc_hash::FxHashMap;

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
    /// Registers, as bits, that it may be passed something in beside these: what it does not read itself, and may hand on.
    pub perhaps: u64,
    /// How arguments that are narrower than their registers fill these, where the machine's convention says so.
    pub filled_arguments: Vec<Filled>,
    /// The same of results.
    pub filled_results: Vec<Filled>,
    /// Registers, as bits, of arguments that hold a truth value: conventions have 0 or 1 in them.
    pub truths: u64,
    /// Whether its result is one.
    pub gives_truth: bool,
    /// The register that the caller passes the place for the result in, and the bytes of that, where the convention says that
    /// no other pointer leads there (System V ABI for x86-64, 3.2.3: the storage must not overlap any data that the callee
    /// sees through other names).
    pub place: Option<(usize, u64)>,
}

/// The name under which the convention is asked for that all callees by an address have in common; with the name of a
/// variable behind it, that of those whose address the variable holds.
pub const BY_ADDRESS: &str = "*";

impl Convention {
    /// All that a function without known types may be given, and `results` as what it may give.
    #[must_use]
    pub fn unknown(abi: &Abi, results: Vec<Piece>) -> Convention {
        let bits = |register: usize| if abi.counter == Some(register) { 8 } else { abi.width(register) };
        let arguments = abi.arguments.iter().map(|r| Piece { register: *r, bits: bits(*r) }).collect();
        Convention { arguments, results, variadic: true, ..Convention::default() }
    }
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The callee's name; none where a register or memory holds its address.
    pub callee: Option<String>,
    /// A piece of each register of [`Abi::arguments`], in that order; of no bits where nothing is passed.
    pub arguments: Vec<Piece>,
    /// Arguments on the stack: place in the frame and bytes.
    pub stack: Vec<(i64, u64)>,
    /// Its results, where its types are known.
    pub results: Option<Vec<Piece>>,
    /// How arguments fill their registers, and how results do.
    pub filled: (Vec<Filled>, Vec<Filled>),
    /// Whether its result is a truth value.
    pub gives_truth: bool,
    /// Whether more may be passed than the types of the callee say, or these are not known.
    pub open: bool,
    /// Whether something may be passed on the stack that the types do not say.
    pub pushes: bool,
    /// Registers, as bits, that its types name, or that may hold an argument whatever lies in those ahead of them.
    alone: u64,
    /// Registers, as bits, that may hold an argument beside those that its types name.
    perhaps: u64,
    /// Most bits of registers that a callee by an address is passed.
    most: Option<Vec<Piece>>,
    /// Whether that is by the type of a variable which holds the address: a program may call what it leads to as of another.
    by_variable: bool,
    /// Registers, as bits, that are set for nothing but this call, where it is open (see [`super::meant`]).
    pub meant: u64,
    /// Whether the function ends with it.
    pub tail: bool,
    /// Whether it never comes back.
    pub endless: bool,
    /// Whether it leaves memory as it was, by the callee's code.
    reads_only: bool,
    /// How many unnamed arguments there are by the format that it is passed as the last named one.
    formatted: Option<usize>,
    /// Whether that leaves out registers that hold something.
    pub by_format: bool,
    /// Registers, as bits, that may hold something else behind it.
    clobbers: u64,
}

impl Call {
    /// The registers that may hold something else behind it.
    pub fn clobbers(&self) -> impl Iterator<Item = usize> {
        members(self.clobbers)
    }

    /// What it does if it leaves memory as it was. What a callee of the file gives may be a pointer.
    pub fn reader(&self) -> Option<Reader> {
        self.library_reader().or(self.reads_only.then_some(Reader::Finds))
    }

    /// The same, if it is a function of the library.
    pub fn library_reader(&self) -> Option<Reader> {
        self.callee.as_deref().and_then(reader)
    }

    /// Whether a register may hold something else behind it.
    pub fn changes(&self, register: usize) -> bool {
        self.clobbers >> register & 1 == 1
    }

    /// Whether a register that may hold an argument was set for nothing but this call.
    pub fn is_meant(&self, piece: Piece) -> bool {
        piece.bits > 0 && self.meant >> piece.register & 1 == 1
    }

    /// Whether a register counts whatever lies in those ahead of it: arguments that types name may leave some out.
    pub fn is_alone(&self, piece: Piece) -> bool {
        piece.bits > 0 && self.alone >> piece.register & 1 == 1
    }

    /// Whether more may be passed than is known.
    fn is_open(&self) -> bool {
        self.open || self.perhaps != 0
    }

    /// Takes as arguments what may be handed on and is held; of a callee by an address no more than any such callee is passed.
    fn bound(&mut self, abi: &Abi, held: u64) {
        for piece in &mut self.arguments {
            let handed = self.perhaps & held;
            if piece.bits == 0 && handed >> piece.register & 1 == 1 {
                piece.bits = abi.width(piece.register);
            }
            let passed = self.by_variable && self.meant >> piece.register & 1 == 1;
            if let Some(most) = self.most.as_ref().filter(|_| !passed) {
                let known = most.iter().find(|p| p.register == piece.register).map_or(0, |p| p.bits);
                piece.bits = piece.bits.min(known);
            }
        }
    }

    /// Whether a register was set for nothing but this call.
    fn sets(&self, register: usize) -> bool {
        self.meant >> register & 1 == 1
    }

    /// How many general registers its types name.
    fn named(&self, abi: &Abi) -> usize {
        let general = &abi.arguments[..abi.general_arguments];
        general.iter().rposition(|r| (self.alone & !self.perhaps) >> *r & 1 == 1).map_or(0, |n| n + 1)
    }

    /// Takes as arguments, beside those that the types name, what follows them in registers that may hold something. Of a
    /// callee that is known to be variadic, `al` limits the vectors.
    fn guess(&mut self, abi: &Abi, held: u64, counted: Option<u64>) {
        let variadic = self.results.is_some();
        let given = |register: usize, known: &Piece| known.bits > 0 || held >> register & 1 == 1;
        let run = |places: std::ops::Range<usize>| {
            let pieces = &self.arguments[places];
            pieces.iter().take_while(|piece| given(piece.register, piece)).count()
        };
        let (general, both) = (abi.general_arguments, abi.general_arguments + abi.vector_arguments);
        let (mut ints, mut vectors) = (run(0..general), run(general..both));
        if variadic && !abi.unnamed_vectors {
            vectors = 0;
        }
        if let (true, Some(most)) = (variadic, counted) {
            vectors = vectors.min(usize::try_from(most).unwrap_or(vectors));
        }
        if let Some(conversions) = self.formatted {
            let named = self.named(abi);
            // What is set for nothing but the call is passed, whatever the string says.
            let more = |from: usize, end: usize| {
                self.arguments[from.min(end)..end].iter().any(|p| self.sets(p.register))
            };
            let (i, v) = (ints.min(named + conversions), vectors.min(conversions));
            if !more(i, general) && !more(general + v, both) {
                self.by_format |= i < ints || v < vectors;
                (ints, vectors) = (i, v);
            }
        }
        for (n, piece) in self.arguments.iter_mut().enumerate() {
            let bits = if n < general {
                if n < ints { 64 } else { 0 }
            } else if n < both {
                // What is passed unnamed is as long as a double at most, but for types that C has not.
                let width = if variadic { 64 } else { abi.vector_width };
                if n - general < vectors { width } else { 0 }
            } else {
                match abi.counter == Some(piece.register) {
                    true => counted.map_or(0, |_| 8),
                    // Where a result in memory goes, which no variadic type here has.
                    false if given(piece.register, piece) && !variadic => 64,
                    false => 0,
                }
            };
            if piece.bits == 0 {
                piece.bits = bits;
            }
        }
    }
}

/// How many unnamed arguments a variadic call has by the string that its last named argument leads to: one for each
/// conversion, and for each width or precision that is an argument.
fn formatted(f: &Function, call: &Call, i: usize) -> Option<usize> {
    if !call.open || call.results.is_none() {
        return None;
    }
    let format = *f.abi.arguments.get(call.named(f.abi).checked_sub(1)?)?;
    let block = f.blocks.iter().find(|b| (b.first..b.end).contains(&i))?;
    let sets = |n: &usize| call_at(f, *n) || uses(f, *n).writes >> format & 1 == 1;
    let set = (block.first..i).rev().find(sets)?;
    f.insns[set].conversions
}

fn call_at(f: &Function, i: usize) -> bool {
    control(f, i) == Control::Call
}

/// The calls of a function, and how it is called itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    pub own: Convention,
    list: FxHashMap<usize, Call>,
    /// Instructions that store registers which are not set on every way there, in order.
    pub unset: Vec<usize>,
}

impl Calls {
    /// Finds the calls; `types` knows how functions are called.
    pub fn of(
        f: &Function,
        facts: &Facts,
        own: Convention,
        types: &dyn Fn(&str) -> Option<Convention>,
    ) -> Res<Calls> {
        let mut calls = Calls { own, list: FxHashMap::default(), unset: Vec::new() };
        let pointers = super::pointers::called(f, facts);
        for i in (0..f.insns.len()).filter(|i| facts.reached(*i)) {
            let insn = &f.insns[i];
            let callee = match &insn.target {
                Some(Target::Function(name)) => Some(name.clone()),
                Some(Target::Block(_)) | None => None,
            };
            let how = control(f, i);
            let call = how == Control::Call;
            let leaves = how == Control::Jump && callee.is_some()
                || how == Control::IndirectJump && (callee.is_some() || facts.table(i).is_none());
            if call && matches!(insn.target, Some(Target::Block(_))) {
                return Err(f.unsupported(i, "a call into the function itself"));
            }
            if callee.is_some() && !call && !leaves {
                return Err(f.unsupported(i, "a conditional jump out of the function"));
            }
            if !call && !leaves {
                continue;
            }
            let Some(sp) = facts.stack(i) else {
                return Err(f.unsupported(i, "a call without a known stack"));
            };
            if leaves && sp != 0 {
                return Err(f.unsupported(i, "a jump out of the function with a frame on the stack"));
            }
            let known = callee.as_deref().and_then(types);
            let above = if leaves { sp + f.abi.incoming } else { sp };
            let piece = |register: usize| {
                let named = known.as_ref().map(|c| &c.arguments);
                let bits =
                    named.map(|list| list.iter().find(|p| p.register == register).map_or(0, |p| p.bits));
                Piece { register, bits: bits.unwrap_or(0) }
            };
            let stack = known.iter().flat_map(|c| &c.stack).map(|(at, n)| (above + *at as i64, *n)).collect();
            let results = known.as_ref().map(|c| c.results.clone());
            let arguments = f.abi.arguments.iter().map(|r| piece(*r)).collect();
            let open = known.as_ref().is_none_or(|c| c.variadic);
            let gives_truth = known.as_ref().is_some_and(|c| c.gives_truth);
            let held = pointers.get(&i).and_then(|name| types(&format!("{BY_ADDRESS}{name}")));
            let by_variable = held.is_some();
            let most = if callee.is_none() { held.or_else(|| types(BY_ADDRESS)) } else { None };
            let filled = known.as_ref().or(most.as_ref());
            let filled =
                filled.map(|c| (c.filled_arguments.clone(), c.filled_results.clone())).unwrap_or_default();
            let pushes = open && most.as_ref().is_none_or(|c| !c.stack.is_empty());
            let perhaps = known.as_ref().map_or(0, |c| c.perhaps);
            let named = known.iter().flat_map(|c| &c.arguments).fold(0, |set, p| set | 1 << p.register);
            let (endless, reads_only) = (insn.endless, insn.reads_only);
            // What a jump calls returns to the caller.
            let link = f.abi.link.filter(|_| leaves).map_or(0, |n| 1 << n);
            let clobbers = f.abi.clobbered & !insn.keeps & !link;
            calls.list.insert(
                i,
                Call {
                    callee,
                    arguments,
                    stack,
                    results,
                    filled,
                    gives_truth,
                    open,
                    pushes,
                    alone: named | perhaps,
                    perhaps,
                    most: most.map(|c| c.arguments),
                    by_variable,
                    meant: 0,
                    tail: leaves,
                    endless,
                    reads_only,
                    formatted: None,
                    by_format: false,
                    clobbers,
                },
            );
        }
        // Ahead of the guess: what types name is read by a call, what is guessed is not.
        for (i, meant) in super::meant::meant(f, facts, &calls) {
            if let Some(call) = calls.list.get_mut(&i) {
                call.meant = meant;
            }
        }
        for (i, call) in &mut calls.list {
            call.formatted = formatted(f, call, *i);
        }
        calls.guess(f, facts);
        match super::x86::wide(f, facts, &calls) {
            Some(i) => Err(f.unsupported(i, "a vector of 256 bits where types are not known")),
            None => Ok(calls),
        }
    }

    /// The call that an instruction is.
    pub fn at(&self, insn: usize) -> Option<&Call> {
        self.list.get(&insn)
    }

    /// The calls that may be passed more than is known.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        self.list.iter().filter(|(_, c)| c.is_open()).map(|(i, _)| *i)
    }

    /// Those that may be passed it on the stack.
    pub fn pushing(&self) -> impl Iterator<Item = usize> + '_ {
        self.list.iter().filter(|(_, c)| c.pushes).map(|(i, _)| *i)
    }

    /// Which registers may hold something that is meant for a callee of unknown types: those that were set on every way to
    /// the call. A forward dataflow.
    fn guess(&mut self, f: &Function, facts: &Facts) {
        let mut at_start: Vec<Option<u64>> = vec![None; f.blocks.len()];
        let entry = self.own.arguments.iter().fold(0u64, |set, p| set | 1 << p.register);
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
                if let Some(call) = self.list.get_mut(&i).filter(|call| call.is_open()) {
                    if call.open {
                        call.guess(f.abi, held, counted);
                    }
                    call.bound(f.abi, held);
                }
                let stored = uses(f, i).stored & !(1 << f.abi.stack);
                if stored != 0 && stored & held == 0 {
                    self.unset.push(i);
                }
                self.step(f, i, &mut held, &mut counted);
            }
        }
        self.unset.sort_unstable();
    }

    fn step(&self, f: &Function, i: usize, held: &mut u64, counted: &mut Option<u64>) {
        if let Some(call) = self.list.get(&i) {
            *held &= !call.clobbers;
            match &call.results {
                Some(results) => results.iter().for_each(|p| *held |= 1 << p.register),
                None => f.abi.results.iter().for_each(|r| *held |= 1 << r),
            }
            *counted = None;
            return;
        }
        let writes = uses(f, i).writes;
        // No C code can name a jump table: its address is meant for no callee.
        let of_table = [&f.insns[i].memory, &f.insns[i].immediate].into_iter().flatten();
        match of_table.into_iter().any(|r| matches!(r, Reference::Table(_))) {
            true => *held &= !writes,
            false => *held |= writes,
        }
        if let Some(changed) = super::uses::counts_vectors(f, i, writes) {
            *counted = changed;
        }
    }
}
