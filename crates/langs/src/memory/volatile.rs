//! Volatile accesses: events that the world sees.

use crate::domain::Domain;
use equiv::{Event, EventKind, Val, VarSort};

/// The event of a sequentially consistent fence.
pub(crate) const FENCE: &str = "fence seq_cst";

/// The event of a fence of some order.
pub(crate) fn fence(order: &str) -> String {
    format!("fence {order}")
}

/// A volatile access as an event, and what it leaves in memory; values are followed by a flag where the other side
/// compares them loosely.
///
/// What is behind the address may be memory all the same: so what a load finds there is shown, lest stores move behind
/// it, and what a store leaves is there for the loads that follow.
pub(crate) fn volatile_event<D: Domain>(
    d: &mut D,
    mem: &D::Mem,
    at: &D::Bv,
    bytes: u32,
    value: Option<D::Bv>,
) -> (Event<D>, D::Mem) {
    let no = d.num(1, 0);
    let mut args = vec![Val::Bv(at.clone()), Val::Bv(no.clone())];
    let (what, results, shown, after) = match value {
        Some(v) => {
            let after = d.store(mem, at, &v);
            ("store", Vec::new(), v, after)
        }
        None => {
            let there = d.load(mem, at, bytes);
            ("load", vec![VarSort::Bv(bytes * 8)], there, mem.clone())
        }
    };
    args.push(Val::Bv(shown));
    args.push(Val::Bv(no));
    let label = format!("volatile {what} {bytes}").into();
    (Event { kind: EventKind::Volatile, label, args, results }, after)
}
