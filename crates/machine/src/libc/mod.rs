//! The C library as the machine knows it: one entry a function, its checks in its own file.
//!
//! To add one: write it in the file of its header with the signature of [`Native`], and add a line to that file's
//! table. Arguments arrive as the call passed them; [`Args`] checks their number and kind.

use crate::mem::Ptr;
use crate::stop::{Res, undefined, unsupported};
use crate::ub::Ub;
use crate::vm::{Slot, Vm};
use csyntax::types::Ty;

mod stdlib;

/// A library function.
pub type Native = fn(&mut Vm<'_>, &Args) -> Res<Slot>;

/// All tables; a function's number is its position in their concatenation.
const TABLES: &[&[(&str, Native)]] = &[stdlib::TABLE];

/// State that library functions keep between calls.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Where `strtok` goes on.
    pub strtok: Ptr,
    /// State of `rand`.
    pub rand: u64,
}

/// The arguments of a call.
#[derive(Clone, Debug)]
pub struct Args {
    /// Values.
    pub values: Vec<Slot>,
    /// Types as passed.
    pub types: Vec<Ty>,
    /// Where the result goes if it is returned in memory.
    pub result: Option<Ptr>,
}

impl Args {
    /// The n-th argument as it is.
    pub fn get(&self, n: usize) -> Res<Slot> {
        match self.values.get(n) {
            Some(slot) => Ok(*slot),
            None => {
                undefined(Ub::WrongArguments, format!("argument {} of a library function is missing", n + 1))
            }
        }
    }

    /// An integer argument.
    pub fn int(&self, n: usize) -> Res<u64> {
        Ok(self.get(n)?.lo)
    }

    /// A pointer argument.
    pub fn ptr(&self, n: usize) -> Res<Ptr> {
        let slot = self.get(n)?;
        Ok(Ptr { addr: slot.lo, prov: slot.hi })
    }
}

/// Finds a library function by name; `__builtin_` versions are the same function.
pub fn find(name: &str) -> Option<u32> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    TABLES.iter().flat_map(|t| t.iter()).position(|(known, _)| *known == plain).map(|n| n as u32)
}

/// Calls a library function for a call site whose arguments start at register `at`.
pub fn call(vm: &mut Vm<'_>, native: u32, site: u32, at: usize) -> Res<Slot> {
    let site = &vm.program.sites[site as usize];
    let hidden = usize::from(site.hidden);
    let values = vm.regs[at + hidden..at + hidden + site.args.len()].to_vec();
    let result = (hidden == 1).then(|| Ptr { addr: vm.regs[at].lo, prov: vm.regs[at].hi });
    let args = Args { values, types: site.args.clone(), result };
    match TABLES.iter().flat_map(|t| t.iter()).nth(native as usize) {
        Some((_, function)) => function(vm, &args),
        None => unsupported("a library function"),
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
