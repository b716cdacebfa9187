//! Functions of two files for different machines: what has to be known of their callees, and what is taken for granted.

use crate::equality::verdict::{Assumption, Lack};
use langs::machine_code::{Convention, Function, Target};
use langs::pairs::passes_alike;
use std::collections::BTreeSet;

/// How a callee is called on the old side, and on the new one.
pub type Told<'a> = &'a dyn Fn(&str) -> (Option<Convention>, Option<Convention>);

/// Whether the types of all callees that have a name are known on both sides, and say the same: registers alone do not
/// tell what two machines pass.
///
/// # Errors
/// The first callee that is not.
pub fn callees([a, b]: [&Function; 2], told: Told<'_>) -> Result<(), Lack> {
    for function in [a, b] {
        for insn in &function.insns {
            let Some(Target::Function(name)) = &insn.target else { continue };
            let known = told(name);
            let alike = |x: &Convention, y: &Convention| passes_alike((a.abi, x), (b.abi, y));
            if !known.0.zip(known.1).is_some_and(|(x, y)| alike(&x, &y)) {
                let what = format!("a call of `{name}`, whose types are not known, between machines");
                return Err(Lack { what, place: format!("{}+{:#x}", function.name, insn.offset) });
            }
        }
    }
    Ok(())
}

/// What a proof between machines takes for granted.
#[must_use]
pub fn assumptions(both: [&Function; 2]) -> BTreeSet<Assumption> {
    let mut out = BTreeSet::new();
    if both.into_iter().any(Function::makes_vectors) {
        out.insert(Assumption::MachineNumbers);
    }
    if both.into_iter().any(Function::calls_by_address) {
        out.insert(Assumption::ResultsAcross);
    }
    out
}
