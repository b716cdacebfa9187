//! Atomic accesses with an ordering, and operations on memory in one step: events that both sides must do alike.
//!
//! Another thread may see all of memory where one of these releases it and may have changed all of it where one acquires:
//! as with a fence, the event shows the whole memory and gives back another. Orderings belong to the event's name, since
//! later passes of the compiler move other accesses by them.

/// The name of the event of an atomic access: what is done, to how many bytes, in which orders (as LLVM writes them, the
/// scope before).
pub(crate) fn atomic_label(what: &str, bytes: u32, orders: &str, volatile: bool) -> String {
    format!("atomic {what} {bytes} {orders}{}", if volatile { " volatile" } else { "" })
}

/// Whether accesses in this order are no more than volatile ones: they order nothing else.
pub(crate) fn is_relaxed(order: &str) -> bool {
    matches!(order, "unordered" | "monotonic")
}
