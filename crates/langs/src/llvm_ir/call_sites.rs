//! Who calls whom in a module, found once: a function is asked of for each function that it calls.

use super::ast::{ConstKind, Module, Op, Operand};
use crate::names::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// The calls of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallSites {
    /// The calls of each function by its name: the caller and the instruction, by their numbers.
    pub of: FxHashMap<Name, Vec<(usize, usize)>>,
    /// Names that stand elsewhere than where they are called.
    pub named_otherwise: FxHashSet<Name>,
}

impl Module {
    /// The calls of the module, as it was when it was first asked.
    pub(crate) fn call_sites(&self) -> &CallSites {
        self.call_sites.get_or_init(|| {
            let mut out = CallSites::default();
            // Each constant of a module stands in one place.
            let mut callees: FxHashSet<u32> = FxHashSet::default();
            for (n, f) in self.functions.iter().enumerate().filter(|(_, f)| f.defined) {
                for (at, inst) in f.insts.iter().enumerate() {
                    let Op::Call(call) = &inst.op else { continue };
                    if let Operand::Const(c) = call.callee {
                        callees.insert(c.0);
                    }
                    if let (None, Some(name)) = (call.intrinsic, self.called(call)) {
                        out.of.entry(name).or_default().push((n, at));
                    }
                }
            }
            let named = self.consts.iter().enumerate().filter(|(n, _)| !callees.contains(&(*n as u32)));
            out.named_otherwise.extend(named.filter_map(|(_, c)| match c.kind {
                ConstKind::Global(name) | ConstKind::Wrapped(_, name) => Some(name),
                _ => None,
            }));
            out
        })
    }
}
