//! Jumps made shorter once labels are places: jumps to jumps, branches around jumps, jumps to returns and into loops,
//! and the steps of counters joined with the branches on them.

use crate::bytecode::Insn;

/// Hops followed from a jump to where it leads; a loop of empty jumps is left as it is.
const HOPS: usize = 8;

/// Shortens the jumps of a function's instructions in place; what is no longer needed becomes [`Insn::Nop`].
/// `jumps` are the positions of all jumps, `entries` are targets of switches and computed gotos.
pub(super) fn thread(insns: &mut [Insn], jumps: &[u32], entries: &[u32]) {
    if jumps.is_empty() {
        return;
    }
    for pc in jumps.iter().map(|pc| *pc as usize) {
        let Some(mut t) = insns[pc].target_mut().map(|t| *t) else { continue };
        for _ in 0..HOPS {
            t = past_empty(insns, t);
            match insns[t as usize] {
                Insn::Jmp { t: next } => t = next,
                _ => break,
            }
        }
        match (insns[pc], insns[t as usize]) {
            (Insn::Jmp { .. }, end @ (Insn::Ret {} | Insn::RetV { .. })) => insns[pc] = end,
            // The way into a loop, over its body to its test, is the test's opposite and goes past it.
            (Insn::Jmp { .. }, test)
                if let Some(opposite) = inverse(test, t + 1)
                    && body(test).map(|b| past_empty(insns, b)) == Some(past_empty(insns, pc as u32 + 1)) =>
            {
                insns[pc] = opposite;
            }
            _ => {
                if let Some(to) = insns[pc].target_mut() {
                    *to = t;
                }
            }
        }
    }
    let targets = entered(insns, entries);
    for pc in jumps.iter().map(|pc| *pc as usize) {
        // `if (c) skip; goto far; skip:` is `if (!c) goto far;`.
        let next = follower(insns, &targets, pc);
        if let (Some(Insn::Jmp { t: far }), false) =
            (insns.get(next).copied(), targets[next.min(insns.len())])
            && let Some(skip) = insns[pc].target_mut().map(|t| *t as usize)
            && skip > next
            && insns[next + 1..skip].iter().all(|i| matches!(i, Insn::Nop {}))
            && let Some(inverse) = inverse(insns[pc], far)
        {
            insns[pc] = inverse;
            insns[next] = Insn::Nop {};
        }
    }
    for pc in 0..insns.len() {
        if !matches!(
            insns[pc],
            Insn::AddI32K { .. } | Insn::AddU32K { .. } | Insn::AddI64K { .. } | Insn::AddU64K { .. }
        ) {
            continue;
        }
        let next = follower(insns, &targets, pc);
        if let (Some(&branch), false) = (insns.get(next), targets[next.min(insns.len())])
            && let Some(both) = insns[pc].stepped(branch)
        {
            insns[pc] = both;
            insns[next] = Insn::Nop {};
        }
    }
}

/// Which positions something else than the instruction before leads to: jumps, and what `entries` names.
pub(super) fn entered(insns: &[Insn], entries: &[u32]) -> Vec<bool> {
    let mut targets = vec![false; insns.len() + 1];
    let jumps = insns.iter().copied().filter_map(|mut insn| insn.target_mut().map(|t| *t));
    jumps.chain(entries.iter().copied()).for_each(|t| targets[t as usize] = true);
    targets
}

fn body(mut test: Insn) -> Option<u32> {
    test.target_mut().map(|t| *t)
}

/// The first position from `t` on that is not empty.
fn past_empty(insns: &[Insn], mut t: u32) -> u32 {
    while matches!(insns[t as usize], Insn::Nop {}) {
        t += 1;
    }
    t
}

/// The next position after `pc` that is not empty or that is a target.
pub(super) fn follower(insns: &[Insn], targets: &[bool], pc: usize) -> usize {
    let mut next = pc + 1;
    while next < insns.len() && matches!(insns[next], Insn::Nop {}) && !targets[next] {
        next += 1;
    }
    next
}

/// The branch taken exactly when `insn` is not.
fn inverse(insn: Insn, t: u32) -> Option<Insn> {
    Some(match insn {
        Insn::JZ { a, .. } => Insn::JNz { a, t },
        Insn::JNz { a, .. } => Insn::JZ { a, t },
        Insn::JEq { a, b, .. } => Insn::JNe { a, b, t },
        Insn::JNe { a, b, .. } => Insn::JEq { a, b, t },
        Insn::JLtS { a, b, .. } => Insn::JLeS { a: b, b: a, t },
        Insn::JLeS { a, b, .. } => Insn::JLtS { a: b, b: a, t },
        Insn::JLtU { a, b, .. } => Insn::JLeU { a: b, b: a, t },
        Insn::JLeU { a, b, .. } => Insn::JLtU { a: b, b: a, t },
        Insn::JEqK { a, k, .. } => Insn::JNeK { a, k, t },
        Insn::JNeK { a, k, .. } => Insn::JEqK { a, k, t },
        Insn::JLtSK { a, k, .. } => Insn::JGeSK { a, k, t },
        Insn::JGeSK { a, k, .. } => Insn::JLtSK { a, k, t },
        Insn::JLeSK { a, k, .. } => Insn::JGtSK { a, k, t },
        Insn::JGtSK { a, k, .. } => Insn::JLeSK { a, k, t },
        _ => return None,
    })
}
