//! Counters that the target keeps in a wider register: the source's one extended, unless that is poison. A loop that ends
//! by equality may pass the greatest number, behind which the narrow counter is poison and the wide one goes on.

use super::limits::counted;
use crate::llvm_ir::ast::LocalId;
use crate::llvm_ir::program::{Here, scaled, sum};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide};
use smt::Bv;

/// Most counters of the source that one of the target is compared with.
const PARTNERS: usize = 3;

/// Of counters with one step.
pub(super) struct Widened;

impl Guess<Opt<'_, '_>> for Widened {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let left = Here { program: known.left, side: at.left.side, at: at.left.at };
        let right = Here { program: known.right, side: at.right.side, at: at.right.at };
        let mut out = Vec::new();
        let narrow = counted(&left);
        for (wide, by, width) in counted(&right) {
            let less = |c: &&(LocalId, i64, u32)| c.1 == by && c.2 < width;
            let all = narrow.iter().filter(less).filter_map(|(l, _, from)| {
                let name = left.program.local_name(*l, 0);
                let flag = format!("{name}.poison");
                let shown = shown(at, &name, &right.program.local_name(wide, 0), width);
                (at.left.has(&flag, 1) && shown && at.left.has(&name, *from)).then_some((*l, flag))
            });
            for (l, flag) in all.take(PARTNERS) {
                for signed in [false, true] {
                    let x = Box::new(left.value(l));
                    let x = if signed { Expr::Sext(x, width) } else { Expr::Zext(x, width) };
                    let flag = Expr::Var(left.side, flag.clone());
                    out.push(unless(flag, right.value(wide), x, width));
                }
            }
        }
        out
    }
}

/// Whether runs do not show that one value is no extension of the other.
fn shown(at: &Observed<'_>, narrow: &str, wide: &str, width: u32) -> bool {
    let of = |side: &ObservedSide<'_>, name: &str| -> Option<Vec<Bv>> {
        side.numbered().find(|(n, ..)| *n == name).map(|(_, _, values)| values.to_vec())
    };
    let (Some(x), Some(y)) = (of(&at.left, narrow), of(&at.right, wide)) else { return !at.visited };
    let extends = |(x, y): (&Bv, &Bv)| x.zext(width) == *y || x.sext(width) == *y;
    x.iter().zip(&y).all(extends)
}

/// That two numbers are equal, or a flag is set.
fn unless(flag: Expr, x: Expr, y: Expr, width: u32) -> Constraint {
    let apart = sum(x, scaled(y, Bv::ones(width)));
    let differ = Expr::Less(false, Box::new(Expr::Const(Bv::zero(width))), Box::new(apart));
    let equal = Expr::Offset(Box::new(differ), Bv::one(1));
    Constraint { a: Expr::Either(Box::new(flag), Box::new(equal)), b: Expr::Const(Bv::one(1)) }
}
