//! The same between two versions of an LLVM IR function: one side is the text as it is, the other has the fault.

use super::{Numbers, Outcome, ran};
use equiv::{Options, Verdict};
use langs::assumption::Assumption;
use langs::llvm_ir::ast::Module;
use langs::pairs::{Ask, answer_opt, prove_opt, run_opt_trusting};
use std::ops::Range;
use std::time::Duration;

/// An IR file taken apart.
pub struct IrCorpus {
    pub name: String,
    pub module: Module,
    lines: Vec<String>,
    functions: Vec<(String, Range<usize>)>,
}

/// Words that may stand for each other.
const ALIKE: &[&[&str]] = &[
    &["add", "sub", "mul", "and", "or", "xor"],
    &["shl", "lshr", "ashr"],
    &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"],
    &["sext", "zext"],
    &["udiv", "sdiv"],
    &["urem", "srem"],
];

impl IrCorpus {
    /// Reads a text. Its address arithmetic is taken without `inbounds`, which runs on numbers cannot judge.
    pub fn read(name: &str, text: &str) -> Option<IrCorpus> {
        let text = text
            .replace("getelementptr inbounds", "getelementptr")
            .replace(" nuw ", " ")
            .replace(" nsw ", " ");
        let module = langs::llvm_ir::parse(text.as_bytes()).ok()?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut functions = Vec::new();
        let mut start = None;
        for (i, line) in lines.iter().enumerate() {
            if line.starts_with("define ") {
                let name = line.split('@').nth(1).and_then(|r| r.split('(').next());
                start = name.map(|n| (n.trim_matches('"').to_owned(), i));
            } else if line == "}"
                && let Some((name, first)) = start.take()
            {
                functions.push((name, first..i));
            }
        }
        Some(IrCorpus { name: name.to_owned(), module, lines, functions })
    }

    /// The functions with at most so many lines.
    pub fn functions(&self, most: usize) -> Vec<String> {
        self.functions.iter().filter(|(_, r)| r.len() <= most).map(|(n, _)| n.clone()).collect()
    }

    /// The whole text with a fault in a function, and what was changed.
    pub fn plant(&self, function: &str, numbers: &mut Numbers) -> Option<(String, String)> {
        let range = self.functions.iter().find(|(n, _)| n == function)?.1.clone();
        for _ in 0..40 {
            let i = range.start + 1 + numbers.below(range.len().saturating_sub(1));
            let Some(changed) = self.change(i, &range, numbers) else { continue };
            let mut lines = self.lines.clone();
            let told = match &changed {
                Changed::Line(new) => {
                    let told = format!("{} -> {}", lines[i].trim(), new.trim());
                    lines[i].clone_from(new);
                    told
                }
                Changed::Dropped => format!("dropped: {}", lines.remove(i).trim()),
                Changed::Swapped(j) => {
                    lines.swap(i, *j);
                    format!("swapped: {} with {}", lines[i].trim(), lines[*j].trim())
                }
            };
            return Some((lines.join("\n") + "\n", told));
        }
        None
    }

    fn change(&self, i: usize, range: &Range<usize>, numbers: &mut Numbers) -> Option<Changed> {
        let line = &self.lines[i];
        let code = line.split(", !").next().unwrap_or(line);
        if !line.starts_with("  ") || code.contains("call ") || code.contains("llvm.") {
            return None;
        }
        let words = words(code);
        let line_with = |at: Range<usize>, by: &str| {
            let new = format!("{}{by}{}", &line[..at.start], &line[at.end..]);
            (new != *line).then_some(Changed::Line(new))
        };
        match numbers.below(7) {
            6 => {
                // A promise that the source does not make.
                let (able, word) = [
                    (" add ", " nsw"),
                    (" sub ", " nuw"),
                    (" mul ", " nsw"),
                    (" shl ", " nuw"),
                    (" lshr ", " exact"),
                    (" zext ", " nneg"),
                    (" or ", " disjoint"),
                ]
                .into_iter()
                .find(|(o, w)| code.contains(&format!(" ={o}")) && !code.contains(w))?;
                let at = code.find(able)? + able.len() - 1;
                line_with(at..at, word)
            }
            0 if code.trim_start().starts_with("store ") => Some(Changed::Dropped),
            1 if code.trim_start().starts_with("store ") => {
                let next =
                    (i + 1..range.end).take(4).find(|j| self.lines[*j].trim_start().starts_with("store "))?;
                let uses = |j: usize| self.lines[j].trim_start().starts_with('%');
                (!(i + 1..next).any(uses)).then_some(Changed::Swapped(next))
            }
            0..=2 => {
                // An operation, comparison or extension for another.
                let mut able = Vec::new();
                for w in &words {
                    for group in ALIKE.iter().filter(|g| g.contains(&&code[w.clone()])) {
                        able.push((w.clone(), group));
                    }
                }
                let (at, group) = numbers.pick(&able)?.clone();
                let others: Vec<&&str> = group.iter().filter(|o| **o != &code[at.clone()]).collect();
                let new = numbers.pick(&others)?;
                line_with(at, new)
            }
            3 => {
                let number = |w: &&Range<usize>| {
                    let before = code[..w.start].trim_end();
                    code[(*w).clone()].parse::<i64>().is_ok()
                        && !before.ends_with("align")
                        && !before.ends_with("label")
                        && !before.ends_with("struct")
                };
                let able: Vec<Range<usize>> = words.iter().filter(number).cloned().collect();
                let at = numbers.pick(&able)?.clone();
                let value: i64 = code[at.clone()].parse().ok()?;
                line_with(at, &(value ^ (1 << numbers.below(7))).to_string())
            }
            4 => {
                // Another value of the same type, by the words before both.
                let values: Vec<Range<usize>> =
                    words.iter().filter(|w| code[(*w).clone()].starts_with('%')).skip(1).cloned().collect();
                let at = numbers.pick(&values)?.clone();
                let ty = code[..at.start].split_whitespace().last()?.to_owned();
                let mut others = Vec::new();
                for l in &self.lines[range.start..i] {
                    for w in self::words(l) {
                        let before = l[..w.start].split_whitespace().last();
                        if l[w.clone()].starts_with('%') && before == Some(ty.as_str()) {
                            others.push(l[w].to_owned());
                        }
                    }
                }
                let new = numbers.pick(&others)?.clone();
                line_with(at, &new)
            }
            _ => {
                let (a, b) = code.strip_prefix("  br i1 ")?.split_once(", label ")?;
                let (then, other) = b.split_once(", label ")?;
                Some(Changed::Line(format!("  br i1 {a}, label {other}, label {then}")))
            }
        }
    }
}

enum Changed {
    Line(String),
    Dropped,
    Swapped(usize),
}

fn words(line: &str) -> Vec<Range<usize>> {
    let (mut out, mut start) = (Vec::new(), None);
    for (i, c) in line.char_indices().chain([(line.len(), ' ')]) {
        let inside = c.is_ascii_alphanumeric() || matches!(c, '%' | '.' | '_' | '-');
        match (inside, start) {
            (true, None) => start = Some(i),
            (false, Some(s)) => {
                out.push(s..i);
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// Asks whether the faulty text refines the original.
pub fn attempt_ir(
    corpus: &IrCorpus,
    function: &str,
    faulty: &str,
    opts: &Options,
    runs: u32,
    seed: u64,
) -> Outcome {
    let Ok(right) = langs::llvm_ir::parse(faulty.as_bytes()) else { return Outcome::Unsupported };
    let judge = || judge_ir(corpus, &right, function, opts, runs, seed);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(judge)).unwrap_or(Outcome::Panicked)
}

fn judge_ir(
    corpus: &IrCorpus,
    right: &Module,
    function: &str,
    opts: &Options,
    runs: u32,
    seed: u64,
) -> Outcome {
    let verdict = prove_opt(&corpus.module, right, function, opts).verdict;
    match &verdict {
        Verdict::Refuted(_) => Outcome::Refuted,
        Verdict::Unknown(_) | Verdict::Bounded { .. } => Outcome::Unknown,
        Verdict::Unsupported { .. } => Outcome::Unsupported,
        Verdict::Proved(_) | Verdict::Conditional { .. } => {
            let opts = Options { seed, time: Duration::from_secs(20), ..opts.clone() };
            // What was proved under the promises of alias metadata is compared where they are kept.
            let trusting = matches!(&verdict, Verdict::Conditional { assumptions, .. }
                if assumptions.contains_key(&Assumption::AliasMetadata));
            if trusting {
                return ran(&run_opt_trusting(&corpus.module, right, function, &opts, runs));
            }
            ran(&answer_opt(&corpus.module, right, function, &opts, &Ask::Run(runs)))
        }
    }
}
