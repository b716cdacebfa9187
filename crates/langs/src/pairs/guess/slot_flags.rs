//! Poison of promoted stack slots, which have a flag for each byte: all of them are what the flag of the other side's value
//! is. Runs do not show it where nothing was poison, and a counter of `int` may be: its sums do not wrap, or are poison.

use crate::llvm_ir::program::{poison_flag, undef_flag};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide};

/// Most values of the other side that a slot is compared with, where runs tell them apart and where none came.
const PARTNERS: [usize; 2] = [4, 12];

/// The flags that each value has.
const KINDS: [fn(&str) -> String; 2] = [poison_flag, undef_flag];

/// Of both sides' slots.
pub(super) struct SlotFlags;

impl Guess<Opt<'_, '_>> for SlotFlags {
    fn relations(&self, _: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        let most = PARTNERS[usize::from(!at.visited)];
        flags(&at.left, &at.right, most, &mut out);
        flags(&at.right, &at.left, most, &mut out);
        out
    }
}

/// Slots of one side, and values of the other that always were what they hold.
fn flags(slots: &ObservedSide<'_>, values: &ObservedSide<'_>, most: usize, out: &mut Vec<Constraint>) {
    for (held, width, kept) in slots.numbered() {
        let bytes = width / 8;
        let flagged = KINDS.map(|flag| flag(held));
        if bytes < 2 || !flagged.iter().any(|flag| slots.has(flag, bytes)) {
            continue;
        }
        let same = values.numbered().filter(|(_, w, other)| (*w, *other) == (width, kept));
        for (name, ..) in same.take(most) {
            for (flag, kind) in flagged.iter().zip(KINDS) {
                let other = kind(name);
                if slots.has(flag, bytes) && values.has(&other, 1) {
                    let one = Box::new(Expr::Var(values.side, other));
                    let a = Expr::Var(slots.side, flag.clone());
                    out.push(Constraint { a, b: Expr::Sext(one, bytes) });
                }
            }
        }
    }
}
