//! Undef lanes of the source's vector constants, taken for what their other lanes hold: one of the source's choices, and the
//! one that optimisers make where they treat such a vector as one number in every lane.

use crate::llvm_ir::ast::{ConstId, ConstKind, Module};
use crate::llvm_ir::types::Type;

/// The module with that choice made; none where no constant has such a lane.
pub(super) fn with_lanes_alike(m: &Module) -> Option<Module> {
    let open = |c: &ConstId| matches!(m.consts.get(c.0 as usize).map(|c| &c.kind), Some(ConstKind::Undef));
    let known = |c: &ConstId| {
        matches!(
            m.consts.get(c.0 as usize).map(|c| &c.kind),
            Some(ConstKind::Int(_) | ConstKind::Wide(_) | ConstKind::Float(_) | ConstKind::Null)
        )
    };
    let mut changed = None;
    for (n, c) in m.consts.iter().enumerate() {
        let ConstKind::Aggregate(items) = &c.kind else { continue };
        if !matches!(m.types.resolve(c.ty), Type::Vector { .. }) || !items.iter().any(open) {
            continue;
        }
        let Some(other) = items.iter().find(|c| known(c)) else { continue };
        let alike = items.iter().map(|c| if open(c) { *other } else { *c }).collect();
        changed.get_or_insert_with(|| m.clone()).consts[n].kind = ConstKind::Aggregate(alike);
    }
    changed
}
