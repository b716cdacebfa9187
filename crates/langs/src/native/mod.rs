//! Refutations run natively: a driver calls the compiled function of either side on a counterexample's inputs, with stubs
//! for what it calls, and tells what it did. Here is the text of it and the judgement; running tools is the caller's.
//!
//! Memory behind pointers and named objects lie at the very addresses that the counterexample gives them: the driver
//! maps pages there, and the linker places symbols. Only the function's own stack objects lie elsewhere.

mod judge;
mod text;

use crate::abi::{Loc, Piece, Signature, Slot};
use crate::floats::ROUNDING_MODE;
use crate::llvm_ir::ast::Module;
use crate::llvm_ir::program::{Program, is_poison_flag};
use crate::llvm_ir::semantics::global_address;
use crate::llvm_ir::signature::lower;
use crate::pairs::{IselFile, isel_pair, opt_left};
use equiv::{Counterexample, EventKind, Inputs, Seen, Val};
pub use judge::{Finding, Ran, judge};
use serde::{Deserialize, Serialize};
use smt::{ArrayVal, Bv, Concrete};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
pub use text::{embedded_ir, only_in_ir, only_in_mir, version};

/// Output in a C program that stands alone: `plumb_text`, `plumb_word`, `plumb_number`, `plumb_flush`, `plumb_exit`.
pub const PRINT: &str = include_str!("print.c");

/// What follows the tables.
const DRIVER: &str = concat!(include_str!("print.c"), include_str!("driver.c"));

/// Most pages that a run may need.
const PAGES: usize = 4096;

/// Most bytes of stack arguments.
const STACK: u32 = 1 << 12;

/// A register or stack place, and how many bits of it count.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shown {
    /// Where it lies.
    pub at: Loc,
    /// The first bit of it.
    pub shift: u32,
    /// How many bits.
    pub bits: u32,
}

/// How to run both sides of a counterexample natively.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The driver in C.
    pub driver: String,
    /// Places of symbols, as a linker script.
    pub script: String,
    /// What of the result counts; nothing where the run does not get there.
    pub result: Vec<Shown>,
    /// What of each call counts: the calls both sides have in common, and perhaps one more.
    pub calls: Vec<Vec<Shown>>,
    /// How many of the calls both sides have in common.
    pub common: usize,
    /// Names of the stubs, by their numbers.
    pub stubs: Vec<String>,
    /// The target is expected to run into an error.
    pub fails: bool,
    /// The sides differ where they return: memory that they differ in at a call is not looked at.
    pub at_exit: bool,
}

/// The plan for a function of a Machine IR file.
pub fn isel_plan(m: &IselFile, name: &str, c: &Counterexample) -> Result<Plan, String> {
    let pair = isel_pair(m, name, crate::memory::access::AccessCheck::Mapped).map_err(|e| e.what)?;
    plan(&pair.left, c)
}

/// The plan for a function of two IR files.
pub fn opt_plan(left: &Module, right: &Module, name: &str, c: &Counterexample) -> Result<Plan, String> {
    if left.layout.pointer_bits(0) != 64 || !left.layout.little_endian {
        return Err("the data layout is another machine's".to_owned());
    }
    let program = opt_left(left, right, name).map_err(|e| e.what)?;
    plan(&program, c)
}

/// Numbers of one counterexample.
struct Numbers<'a> {
    inputs: &'a Inputs,
    d: Concrete,
}

impl Numbers<'_> {
    fn bv(&self, name: &str) -> Option<&Bv> {
        self.inputs.vars.iter().find_map(|(n, v)| match v {
            Val::Bv(b) if n == name => Some(b),
            Val::Bv(_) | Val::Mem(_) => None,
        })
    }

    fn mem(&self, name: &str) -> Option<&ArrayVal> {
        self.inputs.vars.iter().find_map(|(n, v)| match v {
            Val::Mem(m) if n == name => Some(m),
            Val::Bv(_) | Val::Mem(_) => None,
        })
    }

    /// Where the objects of the program itself lie: their accesses need no permission.
    fn globals(&self) -> Vec<std::ops::Range<u64>> {
        let sized = self.d.objects.iter().filter(|((name, width), _)| name.starts_with('@') && *width == 64);
        sized
            .filter_map(|(key, size)| {
                let at = self.d.symbols.get(key)?.to_u64()?;
                Some(at..at.saturating_add(*size))
            })
            .collect()
    }

    /// Addresses of what the linker knows, and of what it does not.
    fn places(&self) -> (BTreeMap<String, u64>, Vec<std::ops::Range<u64>>) {
        let (mut named, mut other) = (BTreeMap::new(), Vec::new());
        for ((name, width), value) in &self.d.symbols {
            let (64, Some(at)) = (*width, value.to_u64()) else { continue };
            match name.strip_prefix('@') {
                Some(name) => {
                    named.insert(name.to_owned(), at);
                }
                None => {
                    let size = self.d.objects.get(&(name.clone(), 64)).copied().unwrap_or(0);
                    other.push(at..at.saturating_add(size));
                }
            }
        }
        (named, other)
    }
}

fn plan(left: &Program<'_>, c: &Counterexample) -> Result<Plan, String> {
    let Some(inputs) = &c.numbers else {
        return Err("the difference is gone at addresses that a process may have".to_owned());
    };
    if inputs.right_leaves_open {
        return Err("the target's value may be anything, which no run shows".to_owned());
    }
    if inputs.domain.picks_all {
        return Err("the source may choose otherwise, and no choice agrees, which no run shows".to_owned());
    }
    if inputs.domain.chose {
        return Err("the programs may choose otherwise, which no run shows".to_owned());
    }
    let mode = inputs.domain.symbols.iter().find(|((name, _), _)| name == ROUNDING_MODE);
    if mode.is_some_and(|(_, mode)| !mode.is_zero()) {
        return Err("numbers are rounded in another mode than a process begins in".to_owned());
    }
    let poison = |(name, v): &(String, Val<Concrete>)| {
        is_poison_flag(name) && matches!(v, Val::Bv(flag) if flag.is_ones())
    };
    if inputs.vars.iter().any(poison) {
        return Err("an argument is poison, which no run shows".to_owned());
    }
    let f = left.ir.f;
    if f.vararg {
        return Err("the function takes unnamed arguments".to_owned());
    }
    let mut numbers = Numbers { inputs, d: inputs.domain.clone() };
    numbers.d.accesses = None;
    let (Some(mem), Some(perm)) = (numbers.mem("mem").cloned(), numbers.mem("perm").cloned()) else {
        return Err("no memory among the inputs".to_owned());
    };
    let mem = left.ir.concrete_constants(&mut numbers.d, &mem);
    let signature = signature_of(left)?;
    let mut stubs: BTreeMap<u64, String> = BTreeMap::new();
    let (named, other) = numbers.places();
    let on_stack = |v: &Val<Concrete>| match v {
        Val::Bv(v) => v.to_u64().is_some_and(|at| other.iter().any(|object| object.contains(&at))),
        Val::Mem(_) => false,
    };
    if inputs.seen.iter().any(|event| event.results.iter().any(on_stack)) {
        return Err(
            "a call gives the place of an object on the stack, which lies elsewhere in a process".to_owned()
        );
    }
    for (name, at) in &named {
        if is_function(left.ir.m, name) {
            stubs.insert(*at, name.clone());
        }
    }
    let (mut calls, mut answers, mut result) = (Vec::new(), Vec::new(), Vec::new());
    for (n, seen) in inputs.seen.iter().enumerate() {
        if seen.event.is_none() {
            result = shown(&seen.args, &signature.ret, left.is_lowered());
            // The address of a result in memory is returned too.
            result.extend(signature.sret.map(|_| Shown { at: Loc::Gpr(0), shift: 0, bits: 64 }));
            continue;
        }
        let Some(Val::Bv(to)) = seen.args.first().filter(|_| seen.event == Some(EventKind::Call)) else {
            return Err(format!("`{}` comes before the difference", short(&seen.label.deed)));
        };
        let to = to.to_u64().unwrap_or_default();
        stubs.entry(to).or_insert_with(|| format!("{to:#x}"));
        let signature = called(left, &mut numbers.d, seen)?;
        calls.push(shown(&seen.args[2..], &signature.args, left.is_lowered()));
        let last = n + 1 == inputs.seen.len();
        if !(last && seen.results.is_empty()) {
            answers.push(answer(&mut numbers.d, seen, &signature.ret, left.is_lowered())?);
        }
    }
    let mut driver = String::new();
    let (pages, bytes) = memory(&numbers, &mem, &perm, (&stubs, &other))?;
    table(&mut driver, "plumb_pages", &pages.iter().map(|p| format!("{p:#x}ul")).collect::<Vec<_>>());
    let _ = writeln!(driver, "static const unsigned char plumb_fill = {};", small(mem.default_elem()));
    driver.push_str("static const struct { unsigned long at; unsigned char value; } plumb_bytes[] = {\n");
    for (at, v) in &bytes {
        let _ = writeln!(driver, "{{{at:#x}ul, {v}}},");
    }
    let _ = writeln!(driver, "{{0, 0}}}};\nstatic const long plumb_bytes_length = {};", bytes.len());
    table(&mut driver, "plumb_functions", &stubs.keys().map(|p| format!("{p:#x}ul")).collect::<Vec<_>>());
    driver.push_str("static const unsigned long plumb_answers[][7] = {\n");
    for a in &answers {
        let _ = writeln!(driver, "{{{}}},", a.map(|v| format!("{v:#x}ul")).join(", "));
    }
    let _ = writeln!(driver, "{{0}}}};\nstatic const long plumb_answers_length = {};", answers.len());
    let (registers, stack) = arguments(left, &mut numbers, &signature, &mem)?;
    table(&mut driver, "plumb_input", &registers.iter().map(|v| format!("{v:#x}ul")).collect::<Vec<_>>());
    table(&mut driver, "plumb_stack", &stack.iter().map(|v| format!("{v:#x}ul")).collect::<Vec<_>>());
    driver.push_str(DRIVER);
    let fails = inputs.right_errs;
    let at_exit = inputs.seen.last().is_some_and(|seen| seen.event.is_none());
    let script = script(&named)?;
    let stubs = stubs.into_values().collect();
    Ok(Plan { driver, script, result, calls, common: answers.len(), stubs, fails, at_exit })
}

fn table(out: &mut String, name: &str, values: &[String]) {
    let _ = writeln!(out, "static const unsigned long {name}[] = {{");
    for v in values {
        let _ = writeln!(out, "{v},");
    }
    let _ = writeln!(out, "0}};\nstatic const long {name}_length = {};", values.len());
}

/// The first line of a deed, without how it differs from others of its kind.
fn short(deed: &str) -> &str {
    deed.split(" with ").next().unwrap_or(deed).lines().next().unwrap_or(deed)
}

fn small(v: &Bv) -> u64 {
    v.to_u64().unwrap_or_default()
}

fn is_function(m: &Module, name: &str) -> bool {
    m.names.get(name).is_some_and(|id| m.functions.iter().any(|f| f.name == id))
}

fn signature_of(left: &Program<'_>) -> Result<Signature, String> {
    let (m, f) = (left.ir.m, left.ir.f);
    let args: Vec<_> = f.params.iter().map(|p| (p.ty, &p.attrs[..])).collect();
    let words: Vec<&str> = f.words.iter().map(|w| m.names.text(*w)).collect();
    // Of vector registers a run has the lower 128 bits.
    lower(m, &args, (f.ret, &f.ret_attrs), false, &words, 128).map_err(|e| e.what)
}

/// The signature of the call that an event was.
fn called(left: &Program<'_>, d: &mut Concrete, seen: &Seen) -> Result<Signature, String> {
    let Some(Val::Bv(to)) = seen.args.first() else { return Err("a call without a callee".to_owned()) };
    let mut found: Option<Signature> = None;
    for (name, label, signature) in left.calls() {
        let here = name.as_ref().is_none_or(|name| global_address(d, left.ir.m, name) == *to);
        if label != seen.label || !here {
            continue;
        }
        match &found {
            Some(other) if *other != signature => {
                return Err("calls of different kinds that look alike".to_owned());
            }
            Some(_) => {}
            None => found = Some(signature),
        }
    }
    found.ok_or_else(|| "a call that the source does not have".to_owned())
}

/// The position of a piece among values: as the convention has them, or as the source has.
fn position(pieces: &[Piece], n: usize, lowered: bool) -> usize {
    if lowered {
        return n;
    }
    let key = |p: &Piece| (p.arg, p.scalar);
    let before: BTreeSet<_> = pieces[..n].iter().map(key).filter(|k| *k != key(&pieces[n])).collect();
    before.len()
}

/// The pieces that count: those whose value the source does not leave open.
fn shown(vals: &[Val<Concrete>], pieces: &[Piece], lowered: bool) -> Vec<Shown> {
    let mut out = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        let free = match vals.get(2 * position(pieces, n, lowered) + 1) {
            Some(Val::Bv(flag)) => flag.bit(0),
            _ => true,
        };
        match (free, piece.by_value, piece.loc) {
            (true, ..) => {}
            // The words that a structure is passed as.
            (false, Some(size), Loc::Stack(at)) => {
                let words = (0..size).step_by(8);
                out.extend(words.map(|k| Shown {
                    at: Loc::Stack(at + k),
                    shift: 0,
                    bits: 8 * (size - k).min(8),
                }));
            }
            (false, Some(_), Loc::Gpr(_) | Loc::Xmm(_)) => {}
            (false, None, at) => out.push(Shown { at, shift: piece.shift, bits: piece.width }),
        }
    }
    out
}

/// What a stub returns: `rax`, `rdx`, `rcx`, and both words of two vector registers.
fn answer(d: &mut Concrete, seen: &Seen, pieces: &[Piece], lowered: bool) -> Result<[u64; 7], String> {
    let mut out = [0; 7];
    for (n, piece) in pieces.iter().enumerate() {
        let Some(Val::Bv(value)) = seen.results.get(position(pieces, n, lowered)) else {
            return Err("a result that the call does not have".to_owned());
        };
        let value = match lowered {
            true if piece.signed => value.sext(piece.width.max(value.width())),
            true => value.zext(piece.width.max(value.width())),
            false => piece.value(d, value),
        };
        let at = match piece.loc {
            Loc::Gpr(0) => 0,
            Loc::Gpr(2) => 1,
            Loc::Gpr(1) => 2,
            Loc::Xmm(n @ 0..2) => 3 + 2 * usize::from(n) + piece.shift as usize / 64,
            Loc::Gpr(_) | Loc::Xmm(_) | Loc::Stack(_) => return Err("a result in this place".to_owned()),
        };
        out[at] |= small(&value) << (piece.shift % 64);
    }
    Ok(out)
}

/// Registers by hardware number, vector registers behind them; and words on the stack.
fn arguments(
    left: &Program<'_>,
    numbers: &mut Numbers<'_>,
    signature: &Signature,
    mem: &ArrayVal,
) -> Result<([u64; 32], Vec<u64>), String> {
    if signature.stack_bytes > STACK {
        return Err("too many arguments on the stack".to_owned());
    }
    let mut registers = [0u64; 32];
    let mut stack = vec![0u64; (signature.stack_bytes as usize).div_ceil(8)];
    for piece in &signature.args {
        if let (Some(size), Loc::Stack(at)) = (piece.by_value, piece.loc) {
            let from = match left.by_value(piece.arg) {
                Some(slot) => Slot::address(slot, &mut numbers.d),
                None => match numbers.bv(&format!("arg{}.0", piece.arg)) {
                    Some(at) => at.clone(),
                    None => return Err("an argument without a value".to_owned()),
                },
            };
            for k in 0..u64::from(size) {
                let byte = small(&mem.get(&from.add(&Bv::new(64, u128::from(k)))));
                let at = u64::from(at) + k;
                if let Some(word) = stack.get_mut(at as usize / 8) {
                    *word |= byte << (at % 8 * 8);
                }
            }
            continue;
        }
        let Some(value) = numbers.bv(&format!("arg{}.{}", piece.arg, piece.scalar)).cloned() else {
            return Err("an argument without a value".to_owned());
        };
        let value = small(&piece.value(&mut numbers.d, &value));
        match piece.loc {
            Loc::Gpr(n) => registers[usize::from(n) & 15] = value,
            Loc::Xmm(n) => {
                let word = 16 + 2 * (usize::from(n) & 7) + piece.shift as usize / 64;
                registers[word] |= value << (piece.shift % 64);
            }
            Loc::Stack(at) => {
                if let Some(word) = stack.get_mut(at as usize / 8) {
                    *word = value;
                }
            }
        }
    }
    Ok((registers, stack))
}

type Memory = (Vec<u64>, Vec<(u64, u64)>);

/// The pages to map, and the bytes there that are not the usual one.
fn memory(
    numbers: &Numbers<'_>,
    mem: &ArrayVal,
    perm: &ArrayVal,
    (stubs, other): (&BTreeMap<u64, String>, &[std::ops::Range<u64>]),
) -> Result<Memory, String> {
    let mut pages: BTreeSet<u64> = BTreeSet::new();
    for at in stubs.keys() {
        if *at < 0x1_0000 {
            return Err(format!("a call goes to {at:#x}"));
        }
        pages.extend([at & !4095, (at + 18) & !4095]);
    }
    let close = |w: &[&u64]| w[1] - w[0] < 19;
    if stubs.keys().collect::<Vec<_>>().windows(2).any(close) {
        return Err("functions that lie too close together".to_owned());
    }
    let globals = numbers.globals();
    for (at, bytes) in numbers.inputs.domain.accesses.iter().flatten() {
        if other.iter().any(|o| o.contains(at)) {
            continue;
        }
        for k in 0..u64::from(*bytes) {
            let at = at.wrapping_add(k);
            // What may not be accessed is not there.
            let own = globals.iter().any(|o| o.contains(&at));
            if own || !perm.get(&Bv::new(64, u128::from(at))).is_zero() {
                pages.insert(at & !4095);
            }
        }
    }
    if pages.len() > PAGES {
        return Err("too many pages of memory".to_owned());
    }
    let entries = mem.entries().into_iter().filter_map(|(at, v)| Some((at.to_u64()?, small(&v))));
    let bytes: Vec<(u64, u64)> = entries.filter(|(at, _)| pages.contains(&(at & !4095))).collect();
    Ok((pages.into_iter().collect(), bytes))
}

fn script(named: &BTreeMap<String, u64>) -> Result<String, String> {
    let mut out = String::new();
    for (name, at) in named {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-');
        if !name.bytes().all(plain) || name.starts_with("plumb_") || name == "_start" {
            return Err(format!("a symbol is called `{name}`"));
        }
        let _ = writeln!(out, "\"{name}\" = {at:#x};");
    }
    Ok(out)
}
