//! Planted faults: single edits of correct stack programs. None may be proved that running the two
//! programs tells apart.

mod toy;

use equiv::*;
use toy::{stack::Stack, whilelang::While};

struct Program {
    source: &'static str,
    code: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        source: "fn f(a0, d, n) { s = a0; a = a0; i = 1;
            while i < (n & 31) { a = a + d; s = s + a; i = i + 1; } return s; }",
        code: "enter a0 d n\nget a0\nset r0\nget a0\nset r1\npush 1\nset r2\nloop:\nget r2\nget n\npush 31\n&\n<\njz done\nget r1\nget d\n+\nset r3\nget r3\nget r0\n+\nset r0\nget r3\nset r1\npush 1\nget r2\n+\nset r2\njmp loop\ndone:\nget r0\nret",
    },
    Program {
        source: "fn f(p, x, c) { if c < 3 { [p] = x; y = x * 3; } else { [p + 4] = c; y = x / (c | 1); }
            z = call g(y, c); [p + 8] = z; return y ^ z; }",
        code: "enter p x c\nget c\npush 3\n<\njz big\nget p\nget x\nstore\nget x\npush 3\n*\nset y\njmp out\nbig:\nget p\npush 4\n+\nget c\nstore\nget x\nget c\npush 1\n|\n/\nset y\nout:\nget y\nget c\ncall g 2\nset z\nget p\npush 8\n+\nget z\nstore\nget z\nget y\n^\nret",
    },
    Program {
        source: "fn f(p, n) { i = 0; s = 0; while i < (n & 7) { s = (s << 1) + [p + i * 4]; [p + i * 4] = s;
            if s <s 0 { s = s >> 3; } else { t = i; } i = i + 1; } return s; }",
        code: "enter p n\nloop:\nget i\nget n\npush 7\n&\n<\njz end\nget p\nget i\npush 2\n<<\n+\nset q\nget s\npush 2\n*\nget q\nload\n+\nset s\nget q\nget s\nstore\nget s\npush 0\n<s\njz skip\nget s\npush 3\n>>\nset s\nskip:\nget i\npush 1\n+\nset i\njmp loop\nend:\nget s\nret",
    },
];

/// Every single edit of a line.
fn edits(code: &str) -> Vec<String> {
    const OPS: &[&str] = &["+", "-", "*", "&", "|", "^", "<<", ">>", "<", "<s", "==", "!="];
    let lines: Vec<&str> = code.lines().collect();
    let mut vars: Vec<&str> = lines.iter().filter_map(|l| l.strip_prefix("get ")).collect();
    vars.sort_unstable();
    vars.dedup();
    let labels: Vec<&str> = lines.iter().filter_map(|l| l.strip_suffix(':')).collect();
    let mut out = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let mut put = |new: String| {
            let mut all: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
            all[i] = new;
            out.push(all.join("\n"));
        };
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["push", n] => {
                let n: u128 = n.parse().expect("a number");
                put(format!("push {}", n + 1));
                put(format!("push {}", n ^ 2));
            }
            ["get", v] => vars.iter().filter(|w| **w != v).for_each(|w| put(format!("get {w}"))),
            ["jmp", l] => labels.iter().filter(|m| **m != l).for_each(|m| put(format!("jmp {m}"))),
            ["jz", l] => labels.iter().filter(|m| **m != l).for_each(|m| put(format!("jz {m}"))),
            [op] if OPS.contains(&op) => OPS.iter().filter(|o| **o != op).for_each(|o| put((*o).to_owned())),
            _ => {}
        }
    }
    out
}

#[test]
fn no_planted_fault_is_proved() {
    let accept = SameNames::default();
    let opts = Options {
        first_round: Some(smt::effort::Effort::mega(1_500)),
        rounds: 1,
        runs: 10,
        steps: 600,
        ..Options::default()
    };
    let every: usize = std::env::var("FAULTS_EVERY").ok().and_then(|s| s.parse().ok()).unwrap_or(5);
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for p in PROGRAMS {
        let left = While::parse(p.source);
        let good = Stack::parse(p.code);
        let r = prove(&Programs::new(&left, &good, &accept), &opts);
        assert_eq!(r.verdict.kind().name(), "proved", "the correct program: {:?}", r.verdict);
        for code in edits(p.code).into_iter().step_by(every) {
            let Ok(right) = std::panic::catch_unwind(|| Stack::parse(&code)) else { continue };
            let pair = Programs::new(&left, &right, &accept);
            match prove(&pair, &opts).verdict {
                Verdict::Refuted(c) => {
                    assert_eq!(c.replayed, equiv::Replay::InModel);
                    refuted += 1;
                }
                Verdict::Proved(_) | Verdict::Conditional { .. } => {
                    proved += 1;
                    // Many more runs than the proof made, with other inputs.
                    let many = Options { runs: 3_000, seed: 77, ..opts.clone() };
                    let r = prove(&pair, &many);
                    assert_ne!(r.verdict.kind().name(), "refuted", "proved, but {:?}:\n{code}", r.verdict);
                }
                Verdict::Bounded { .. } | Verdict::Unknown(_) | Verdict::Unsupported { .. } => open += 1,
            }
        }
    }
    eprintln!("{refuted} refuted, {proved} proved and not told apart, {open} open");
    assert!(refuted > 4 * open, "{refuted} refuted, {open} open");
}
