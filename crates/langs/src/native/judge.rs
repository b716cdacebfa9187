//! What two native runs say about a counterexample.

use super::{Plan, Shown};
use crate::abi::Loc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// A native run as its output tells it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// Numbers of the stubs called, and the registers and stack words then.
    calls: Vec<(usize, Vec<u64>)>,
    /// What was returned: `rax`, `rdx`, `rcx`, and both words of two vector registers.
    returned: Option<Vec<u64>>,
    /// Bytes that changed.
    bytes: BTreeMap<u64, u64>,
    /// Where the stack was.
    stack: Range<u64>,
    /// A page that could not be had.
    unmapped: Option<u64>,
    /// It came to its end.
    ended: bool,
}

impl Ran {
    /// Reads what the driver printed.
    pub fn parse(text: &str) -> Ran {
        let mut out = Ran::default();
        for line in text.lines() {
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or_default();
            let Ok(numbers) = words.map(|w| u64::from_str_radix(w, 16)).collect::<Result<Vec<_>, _>>() else {
                continue;
            };
            match (kind, &numbers[..]) {
                ("call", [n, rest @ ..]) => out.calls.push((*n as usize, rest.to_vec())),
                ("return", _) => out.returned = Some(numbers),
                ("byte", [at, value]) => {
                    out.bytes.insert(*at, *value);
                }
                ("stack", [lo, hi]) => out.stack = *lo..*hi,
                ("unmapped", [at]) => out.unmapped = Some(*at),
                ("ended" | "stopped", []) => out.ended = true,
                _ => {}
            }
        }
        out
    }

    /// The register or stack word that a place at a call is; none where it was not printed.
    fn at_call(&self, call: usize, shown: &Shown) -> Option<u64> {
        let (_, words) = self.calls.get(call)?;
        let index = match shown.at {
            Loc::Gpr(7) => 0,
            Loc::Gpr(6) => 1,
            Loc::Gpr(2) => 2,
            Loc::Gpr(1) => 3,
            Loc::Gpr(8) => 4,
            Loc::Gpr(9) => 5,
            Loc::Gpr(_) => return None,
            Loc::Xmm(n) => 7 + 2 * usize::from(n) + shown.shift as usize / 64,
            Loc::Stack(offset) => 23 + offset as usize / 8,
        };
        words.get(index).copied()
    }

    fn at_return(&self, shown: &Shown) -> Option<u64> {
        let index = match shown.at {
            Loc::Gpr(0) => 0,
            Loc::Gpr(2) => 1,
            Loc::Gpr(1) => 2,
            Loc::Xmm(n @ 0..2) => 3 + 2 * usize::from(n) + shown.shift as usize / 64,
            Loc::Gpr(_) | Loc::Xmm(_) | Loc::Stack(_) => return None,
        };
        self.returned.as_ref()?.get(index).copied()
    }

    /// The changed bytes of an aligned word.
    fn word(&self, at: u64) -> u64 {
        let byte = |k: u64| self.bytes.get(&((at & !7) + k)).copied().unwrap_or(0) << (8 * k);
        (0..8).map(byte).sum()
    }
}

/// What came of running a counterexample natively.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "finding", content = "what", rename_all = "kebab-case")]
pub enum Finding {
    /// The compiled sides differ; how.
    Confirmed(String),
    /// They do not, or not for certain.
    NotReproduced(String),
    /// Both do the same, though by the counterexample neither fails and they differ where they return.
    NoDifference,
    /// It could not be tried.
    NotPossible(String),
}

impl Finding {
    /// In words.
    pub fn text(&self) -> String {
        match self {
            Finding::Confirmed(how) => format!("confirmed ({how})"),
            Finding::NotReproduced(why) => format!("not reproduced ({why})"),
            Finding::NoDifference => "no difference (both do the same)".to_owned(),
            Finding::NotPossible(why) => format!("not possible ({why})"),
        }
    }
}

/// Whether two values are addresses on the stacks of both runs, which lie apart.
fn on_stacks((l, r): (&Ran, &Ran), a: u64, b: u64) -> bool {
    l.stack.contains(&a) && r.stack.contains(&b)
}

/// How two values of a place differ in the bits that count, if they do.
fn part(ran: (&Ran, &Ran), what: &str, shown: &Shown, (a, b): (Option<u64>, Option<u64>)) -> Option<String> {
    let mask = if shown.bits >= 64 { u64::MAX } else { (1 << shown.bits) - 1 };
    let lowest = |word: u64| word >> (shown.shift % 64) & mask;
    let (a, b) = (lowest(a?), lowest(b?));
    (a != b && !on_stacks(ran, a, b)).then(|| format!("{what} {a:#x} | {b:#x}"))
}

/// What differs in the calls of two runs, if anything does.
fn calls(plan: &Plan, l: &Ran, r: &Ran) -> Option<Finding> {
    let name = |n: usize| plan.stubs.get(n).map_or("?", |s| s);
    for n in 0..l.calls.len().max(r.calls.len()) {
        let how = match (l.calls.get(n), r.calls.get(n)) {
            (Some(a), Some(b)) if a.0 == b.0 => plan.calls.get(n).into_iter().flatten().find_map(|shown| {
                let what = format!("call {} of {} with", n + 1, name(a.0));
                part((l, r), &what, shown, (l.at_call(n, shown), r.at_call(n, shown)))
            }),
            (Some(a), Some(b)) => Some(format!("call {} of {} | of {}", n + 1, name(a.0), name(b.0))),
            (Some(a), None) if r.ended => Some(format!("call {} of {} | none", n + 1, name(a.0))),
            (None, Some(b)) => Some(format!("no call | call {} of {}", n + 1, name(b.0))),
            (Some(_) | None, None) => break,
        };
        // Where the counterexample has the sides agree, a difference is one of how they were compiled or placed.
        match how {
            Some(how) if n < plan.common => {
                let why = format!("they part before the counterexample does: {how}");
                return Some(Finding::NotReproduced(why));
            }
            Some(how) => return Some(Finding::Confirmed(how)),
            None => {}
        }
    }
    None
}

/// Judges two runs; an end that is none of the driver's is given in words.
pub fn judge(plan: &Plan, left: (&Ran, Option<&str>), right: (&Ran, Option<&str>)) -> Finding {
    let ((l, left_end), (r, right_end)) = (left, right);
    for ran in [l, r] {
        if let Some(at) = ran.unmapped {
            return Finding::NotPossible(format!("no memory at {at:#x} on this machine"));
        }
    }
    if !l.ended {
        let how = left_end.unwrap_or("ended too early");
        return Finding::NotPossible(format!("the source's run {how}"));
    }
    if let Some(found) = calls(plan, l, r) {
        return found;
    }
    if !r.ended {
        let how = format!("the target's run {}", right_end.unwrap_or("ended too early"));
        return if plan.fails { Finding::Confirmed(how) } else { Finding::NotReproduced(how) };
    }
    for shown in &plan.result {
        if let Some(how) = part((l, r), "returned", shown, (l.at_return(shown), r.at_return(shown))) {
            return Finding::Confirmed(how);
        }
    }
    for at in l.bytes.keys().chain(r.bytes.keys()) {
        let (a, b) = (l.bytes.get(at), r.bytes.get(at));
        if a != b && !on_stacks((l, r), l.word(*at), r.word(*at)) {
            let show = |v: Option<&u64>| v.map_or("as before".to_owned(), |v| format!("{v:#x}"));
            return Finding::Confirmed(format!("byte {at:#x}: {} | {}", show(a), show(b)));
        }
    }
    // What fails by the semantics may well do the same when it is run.
    if plan.fails || !plan.at_exit {
        return Finding::NotReproduced("both do the same".to_owned());
    }
    Finding::NoDifference
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            driver: String::new(),
            script: String::new(),
            result: vec![Shown { at: Loc::Gpr(0), shift: 0, bits: 32 }],
            calls: vec![vec![Shown { at: Loc::Gpr(7), shift: 0, bits: 8 }]],
            common: 0,
            stubs: vec!["g".to_owned()],
            fails: false,
            at_exit: true,
        }
    }

    fn found(left: &str, right: &str) -> String {
        let (l, r) = (Ran::parse(left), Ran::parse(right));
        judge(&plan(), (&l, None), (&r, Some("ended by signal 11"))).text()
    }

    #[test]
    fn only_what_counts_is_compared() {
        let left = "stack 1000 2000\ncall 0 105 0\nreturn 7 0\nbyte 50 10\nbyte 51 10\nended\n";
        let same = "stack 3000 4000\ncall 0 205 1\nreturn 100000007 1\nbyte 50 10\nbyte 51 30\nended\n";
        assert_eq!(found(left, same), "no difference (both do the same)");
        let other = same.replace("205", "206");
        assert_eq!(found(left, &other), "confirmed (call 1 of g with 0x5 | 0x6)");
        let other = same.replace("100000007", "100000008");
        assert_eq!(found(left, &other), "confirmed (returned 0x7 | 0x8)");
        let other = same.replace("byte 51 30", "byte 51 50");
        assert_eq!(found(left, &other), "confirmed (byte 0x51: 0x10 | 0x50)");
    }

    #[test]
    fn a_difference_elsewhere_confirms_nothing() {
        let left = Ran::parse("call 0 1\nreturn 7\nended\n");
        let right = Ran::parse("call 0 2\nreturn 7\nended\n");
        let plan = Plan { common: 1, ..plan() };
        let finding = judge(&plan, (&left, None), (&right, None));
        assert!(matches!(finding, Finding::NotReproduced(why) if why.contains("part before")));
    }

    #[test]
    fn runs_that_break_off_say_little() {
        let fine = "stack 0 0\nreturn 7\nended\n";
        assert_eq!(found("stack 0 0\n", fine), "not possible (the source's run ended too early)");
        assert_eq!(found(fine, "stack 0 0\n"), "not reproduced (the target's run ended by signal 11)");
        assert_eq!(found(fine, "unmapped 10000\n"), "not possible (no memory at 0x10000 on this machine)");
    }
}
