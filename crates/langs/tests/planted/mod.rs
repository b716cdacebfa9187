//! Plants one fault in a machine function of a `.mir` file, has the pair proved, and compares both sides by running
//! them where a proof was found all the same: none may then be told apart.

#![allow(dead_code, reason = "the test and the long run use different parts")]

pub mod ir;
mod more;
mod promises;

use equiv::{Options, ReasonKind, Verdict};
use langs::assumption::Assumption;
use langs::pairs::{Ask, IselFile, Report, answer_isel, prove_isel, run_isel_trusting};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

/// A deterministic source of numbers (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }
}

/// Kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Opcode,
    Extension,
    Register,
    Constant,
    Condition,
    DroppedStore,
    SwappedStores,
    Target,
    StackSlot,
    Arguments,
    AddressExtension,
    Width,
    StoreOverLoad,
    Incoming,
    Carry,
    Call,
    /// A register of an argument or result that the instruction is not said to read.
    Liveness,
    /// Registers that a call is said to keep.
    Mask,
    /// What a memory operand says: that the memory never changes, another order, not volatile.
    Access,
    /// A thread-local variable as if it were none, or counted from elsewhere.
    Thread,
}

impl Kind {
    /// Whether runs of the instructions as they stand can tell: what misleads the passes behind they cannot.
    pub fn is_seen_by_runs(self) -> bool {
        !matches!(self, Kind::Liveness | Kind::Mask | Kind::Access)
    }
}

pub const KINDS: &[Kind] = &[
    Kind::Opcode,
    Kind::Extension,
    Kind::Register,
    Kind::Constant,
    Kind::Condition,
    Kind::DroppedStore,
    Kind::SwappedStores,
    Kind::Target,
    Kind::StackSlot,
    Kind::Arguments,
    Kind::AddressExtension,
    Kind::Width,
    Kind::StoreOverLoad,
    Kind::Incoming,
    Kind::Carry,
    Kind::Call,
    Kind::Liveness,
    Kind::Mask,
    Kind::Access,
    Kind::Thread,
];

/// A `.mir` file taken apart.
pub struct Corpus {
    pub name: String,
    pub module: IselFile,
    lines: Vec<String>,
    /// The functions' documents.
    documents: Vec<(String, Range<usize>)>,
}

impl Corpus {
    pub fn read(name: &str, text: &str) -> Corpus {
        let module = IselFile::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{name}:{e}"));
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut documents = Vec::new();
        let mut start = None;
        for (i, line) in lines.iter().enumerate() {
            match line.as_str() {
                "---" => start = Some(i),
                "..." => {
                    let Some(first) = start.take() else { continue };
                    let named = lines[first..i].iter().find_map(|l| l.strip_prefix("name:"));
                    if let Some(name) = named {
                        documents.push((name.trim().trim_matches(['\'', '"']).to_owned(), first..i + 1));
                    }
                }
                _ => {}
            }
        }
        Corpus { name: name.to_owned(), module, lines, documents }
    }

    pub fn functions(&self) -> Vec<String> {
        self.documents.iter().map(|(name, _)| name.clone()).collect()
    }

    fn document(&self, function: &str) -> Vec<String> {
        let found = self.documents.iter().find(|(name, _)| name == function);
        found.map(|(_, range)| self.lines[range.clone()].to_vec()).unwrap_or_default()
    }

    /// Runs something on the module with one function's text replaced.
    fn with<T>(&mut self, text: &[String], run: impl FnOnce(&IselFile) -> T) -> Option<T> {
        let mut other = IselFile::parse((text.join("\n") + "\n").as_bytes()).ok()?;
        other.ir = self.module.ir.take();
        let done = run(&other);
        self.module.ir = other.ir.take();
        Some(done)
    }

    /// The whole file with one function's text replaced.
    pub fn whole(&self, function: &str, text: &[String]) -> String {
        let mut out = self.lines.clone();
        if let Some((_, range)) = self.documents.iter().find(|(name, _)| name == function) {
            out.splice(range.clone(), text.iter().cloned());
        }
        out.join("\n") + "\n"
    }
}

/// A fault planted.
pub struct Fault {
    pub kind: Kind,
    pub text: Vec<String>,
    /// The line before and after.
    pub change: String,
}

/// Where a line's opcode is.
fn opcode(line: &str) -> Option<Range<usize>> {
    let start = match line.find(" = ") {
        Some(at) => at + 3,
        None => line.len() - line.trim_start().len(),
    };
    let flags = ["nsw ", "nuw ", "exact ", "nofpexcept ", "disjoint ", "nneg ", "frame-setup ", "contract "];
    let mut at = start;
    while let Some(f) = flags.iter().find(|f| line[at..].starts_with(**f)) {
        at += f.len();
    }
    let len = line[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len() - at);
    let upper = line[at..].starts_with(|c: char| c.is_ascii_uppercase());
    (upper && len > 2).then_some(at..at + len)
}

/// Operations of one shape.
const ALIKE: &[&[&str]] = &[
    &["ADD", "SUB", "AND", "OR", "XOR"],
    &["SHL", "SHR", "SAR", "ROL", "ROR"],
    &["INC", "DEC", "NEG", "NOT"],
    &["CMP", "TEST"],
    &["IMUL", "ADD", "SUB"],
    &["ADDSD", "SUBSD", "MULSD", "DIVSD"],
    &["ADDSS", "SUBSS", "MULSS", "DIVSS"],
    &["PADD", "PSUB"],
    &["PAND", "POR", "PXOR"],
    &["DIV", "IDIV"],
    &["BSF", "BSR"],
];

fn other_opcode(op: &str, numbers: &mut Numbers) -> Option<String> {
    for group in ALIKE {
        for name in *group {
            let Some(rest) = op.strip_prefix(name) else { continue };
            let fits = rest.starts_with(|c: char| c.is_ascii_digit())
                || rest.starts_with('r')
                || name.starts_with('P');
            if fits {
                let others: Vec<&&str> = group.iter().filter(|n| *n != name).collect();
                return numbers.pick(&others).map(|n| format!("{n}{rest}"));
            }
        }
    }
    None
}

/// The part of a line that holds operands: after the opcode, before memory operands.
fn operands(line: &str) -> Option<Range<usize>> {
    let start = opcode(line)?.end;
    Some(start..line.find(" :: ").unwrap_or(line.len()))
}

fn block_of(line: &str) -> Option<u32> {
    let rest = line.trim_start().strip_prefix("bb.")?;
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (line.trim_end().ends_with(':') || line.contains('(')).then_some(())?;
    number.parse().ok()
}

fn virtual_registers(text: &str) -> Vec<(Range<usize>, u32)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('%') {
        let start = at + found;
        let digits = text[start + 1..].bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let end = start + 1 + digits;
            if let Ok(n) = text[start + 1..end].parse() {
                out.push((start..end, n));
            }
        }
        at = start + 1;
    }
    out
}

fn defined(line: &str) -> Vec<u32> {
    match line.find(" = ") {
        Some(at) => virtual_registers(&line[..at]).into_iter().map(|(_, n)| n).collect(),
        None => Vec::new(),
    }
}

fn is_store(line: &str) -> bool {
    opcode(line).is_some_and(|op| line[op].starts_with("MOV"))
        && line.contains(":: (store")
        && !line.contains(" = ")
}

fn replaced(line: &str, range: Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &line[..range.start], &line[range.end..])
}

/// Plants a fault of a kind, if the function has a place for it.
pub fn plant(text: &[String], kind: Kind, numbers: &mut Numbers) -> Option<Fault> {
    let body = text.iter().position(|l| l.starts_with("body:"))? + 1;
    let lines: Vec<usize> = (body..text.len()).filter(|i| opcode(&text[*i]).is_some()).collect();
    let ground = Ground { text, lines, kind };
    match kind {
        Kind::Opcode => ground.opcode_changed(numbers),
        Kind::Extension => ground.extension(numbers),
        Kind::Register => ground.register(numbers),
        Kind::Constant => ground.constant(numbers),
        Kind::Condition => ground.condition(numbers),
        Kind::DroppedStore => ground.dropped_store(numbers),
        Kind::SwappedStores => ground.swapped_stores(numbers),
        Kind::Target => ground.target(numbers),
        Kind::StackSlot
        | Kind::Arguments
        | Kind::AddressExtension
        | Kind::Width
        | Kind::StoreOverLoad
        | Kind::Incoming
        | Kind::Carry
        | Kind::Call => more::plant(text, &ground.lines, kind, numbers),
        Kind::Liveness | Kind::Mask | Kind::Access | Kind::Thread => {
            promises::plant(text, &ground.lines, kind, numbers)
        }
    }
}

/// A function in which a fault is planted.
struct Ground<'a> {
    text: &'a [String],
    /// The lines that hold instructions.
    lines: Vec<usize>,
    kind: Kind,
}

impl Ground<'_> {
    /// The fault of having this line in the place of line `i`, if that is another.
    fn change(&self, i: usize, line: String) -> Option<Fault> {
        let told = format!("{} -> {}", self.text[i].trim(), line.trim());
        let mut all = self.text.to_vec();
        let same = all[i] == line;
        all[i] = line;
        (!same).then_some(Fault { kind: self.kind, text: all, change: told })
    }

    fn op(&self, i: usize) -> String {
        opcode(&self.text[i]).map(|r| self.text[i][r].to_owned()).unwrap_or_default()
    }

    /// Another opcode of the same operands.
    fn opcode_changed(&self, numbers: &mut Numbers) -> Option<Fault> {
        let able: Vec<(usize, String)> =
            self.lines.iter().filter_map(|i| Some((*i, other_opcode(&self.op(*i), numbers)?))).collect();
        let (i, new) = numbers.pick(&able)?;
        self.change(*i, replaced(&self.text[*i], opcode(&self.text[*i])?, new))
    }

    /// A sign extension for a zero extension, or the other way round.
    fn extension(&self, numbers: &mut Numbers) -> Option<Fault> {
        let able: Vec<usize> = self
            .lines
            .iter()
            .copied()
            .filter(|i| self.op(*i).starts_with("MOVSX") || self.op(*i).starts_with("MOVZX"))
            .collect();
        let i = *numbers.pick(&able)?;
        let old = self.op(i);
        let new = match old.strip_prefix("MOVSX") {
            Some("64rr32" | "64rm32") => return None,
            Some(rest) => format!("MOVZX{rest}"),
            None => format!("MOVSX{}", &old[5..]),
        };
        self.change(i, replaced(&self.text[i], opcode(&self.text[i])?, &new))
    }

    /// A register of the same class that was defined before.
    fn register(&self, numbers: &mut Numbers) -> Option<Fault> {
        let class: BTreeMap<u32, String> = classes(self.text);
        let mut known: Vec<u32> = Vec::new();
        let mut able: Vec<(usize, Range<usize>, Vec<u32>)> = Vec::new();
        for &i in &self.lines {
            if let Some(part) = operands(&self.text[i]) {
                for (at, n) in virtual_registers(&self.text[i][part.clone()]) {
                    let fits = |m: &&u32| **m != n && class.get(m) == class.get(&n) && class.contains_key(&n);
                    let others: Vec<u32> = known.iter().filter(fits).copied().collect();
                    if !others.is_empty() && !self.op(i).starts_with("PHI") {
                        able.push((i, part.start + at.start..part.start + at.end, others));
                    }
                }
            }
            known.extend(defined(&self.text[i]));
        }
        let (i, at, others) = numbers.pick(&able)?;
        let new = numbers.pick(others)?;
        self.change(*i, replaced(&self.text[*i], at.clone(), &format!("%{new}")))
    }

    /// One bit of an immediate operand.
    fn constant(&self, numbers: &mut Numbers) -> Option<Fault> {
        let mut able = Vec::new();
        for &i in &self.lines {
            if ["JCC_1", "PHI", "INSERT_SUBREG", "SUBREG_TO_REG", "ADJCALLSTACKDOWN64", "ADJCALLSTACKUP64"]
                .contains(&self.op(i).as_str())
                || self.op(i).starts_with("SETCC")
                || self.op(i).starts_with("CMOV")
            {
                continue;
            }
            let Some(part) = operands(&self.text[i]) else { continue };
            let mut at = part.start;
            for word in self.text[i][part].split(',') {
                let trimmed = word.trim();
                if let Ok(value) = trimmed.parse::<i64>() {
                    let start = at + (word.len() - word.trim_start().len());
                    able.push((i, start..start + trimmed.len(), value));
                }
                at += word.len() + 1;
            }
        }
        let (i, at, value) = numbers.pick(&able)?.clone();
        let bits = if value.unsigned_abs() > 255 { 31 } else { 7 };
        let new = value ^ (1 << numbers.below(bits));
        self.change(i, replaced(&self.text[i], at, &new.to_string()))
    }

    /// Another condition code.
    fn condition(&self, numbers: &mut Numbers) -> Option<Fault> {
        let conditional = |i: &usize| {
            let op = self.op(*i);
            op == "JCC_1" || op.starts_with("SETCC") || op.starts_with("CMOV")
        };
        let able: Vec<usize> = self.lines.iter().copied().filter(conditional).collect();
        let i = *numbers.pick(&able)?;
        let part = operands(&self.text[i])?;
        let mut at = part.start;
        let mut last = None;
        for word in self.text[i][part].split(',') {
            if let Ok(value) = word.trim().parse::<u32>() {
                let start = at + (word.len() - word.trim_start().len());
                last = Some((start..start + word.trim().len(), value));
            }
            at += word.len() + 1;
        }
        let (at, value) = last?;
        let new = (value + 1 + numbers.below(15) as u32) % 16;
        self.change(i, replaced(&self.text[i], at, &new.to_string()))
    }

    /// One store less.
    fn dropped_store(&self, numbers: &mut Numbers) -> Option<Fault> {
        let able: Vec<usize> = self.lines.iter().copied().filter(|i| is_store(&self.text[*i])).collect();
        let i = *numbers.pick(&able)?;
        let mut all = self.text.to_vec();
        let told = format!("dropped: {}", all.remove(i).trim());
        Some(Fault { kind: self.kind, text: all, change: told })
    }

    /// Two stores in the other order, where nothing between them is used by the second.
    fn swapped_stores(&self, numbers: &mut Numbers) -> Option<Fault> {
        let mut able = Vec::new();
        for (k, &i) in self.lines.iter().enumerate() {
            for &j in self.lines[k + 1..].iter().take(6) {
                if self.text[i..j].iter().any(|l| block_of(l).is_some())
                    || !is_store(&self.text[i])
                    || !is_store(&self.text[j])
                {
                    continue;
                }
                let uses: Vec<u32> = virtual_registers(&self.text[j]).into_iter().map(|(_, n)| n).collect();
                if !self.text[i..j].iter().any(|l| defined(l).iter().any(|d| uses.contains(d)))
                    && self.text[i] != self.text[j]
                {
                    able.push((i, j));
                }
            }
        }
        let (i, j) = *numbers.pick(&able)?;
        let mut all = self.text.to_vec();
        all.swap(i, j);
        let told = format!("swapped: {} with {}", self.text[i].trim(), self.text[j].trim());
        Some(Fault { kind: self.kind, text: all, change: told })
    }

    /// Another block to jump to.
    fn target(&self, numbers: &mut Numbers) -> Option<Fault> {
        let blocks: Vec<u32> = self.text.iter().filter_map(|l| block_of(l)).collect();
        let able: Vec<usize> = self
            .lines
            .iter()
            .copied()
            .filter(|i| ["JMP_1", "JCC_1"].contains(&self.op(*i).as_str()))
            .collect();
        let i = *numbers.pick(&able)?;
        let part = operands(&self.text[i])?;
        let start = part.start + self.text[i][part.clone()].find("%bb.")?;
        let digits = self.text[i][start + 4..].bytes().take_while(u8::is_ascii_digit).count();
        let new = numbers.pick(&blocks)?;
        self.change(i, replaced(&self.text[i], start..start + 4 + digits, &format!("%bb.{new}")))
    }
}

/// Register classes as the header or the definitions give them.
fn classes(text: &[String]) -> BTreeMap<u32, String> {
    let mut out = BTreeMap::new();
    for line in text {
        if let Some(rest) = line.trim_start().strip_prefix("- { id: ")
            && let Some((id, rest)) = rest.split_once(", class: ")
            && let Ok(id) = id.parse()
        {
            out.insert(id, rest.split([',', ' ']).next().unwrap_or_default().to_owned());
        }
    }
    out
}

/// What came of a planted fault.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    Refuted,
    Unknown,
    Unsupported,
    /// Proved, and so many runs that ended on both sides found no difference.
    Proved(u32),
    /// Proved, and told apart by a run: the engine or the semantics is wrong.
    Unsound(String),
    /// The engine failed.
    Panicked,
}

/// The options of one proof here.
pub fn options(time: Duration) -> Options {
    Options { time, rounds: 1, memory: 256 << 20, ..Options::default() }
}

/// Whether the function as the compiler made it is proved.
pub fn is_proved(corpus: &mut Corpus, function: &str, opts: &Options) -> bool {
    let text = corpus.document(function);
    let report = corpus.with(&text, |m| prove_isel(m, function, opts));
    report.is_some_and(|r| matches!(r.verdict, Verdict::Proved(_) | Verdict::Conditional { .. }))
}

/// Plants a fault in a function and asks for a proof.
pub fn attempt(
    corpus: &mut Corpus,
    function: &str,
    numbers: &mut Numbers,
    opts: &Options,
    runs: u32,
) -> Option<(Fault, Outcome)> {
    let text = corpus.document(function);
    let first = numbers.below(KINDS.len());
    let fault = (0..KINDS.len()).find_map(|k| plant(&text, KINDS[(first + k) % KINDS.len()], numbers))?;
    let seed = numbers.next();
    let seen = fault.kind.is_seen_by_runs();
    let outcome = corpus.with(&fault.text, |m| {
        let judged =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| judge(m, function, opts, runs, seed)));
        judged.unwrap_or(Outcome::Panicked)
    })?;
    let outcome = match outcome {
        Outcome::Proved(_) if !seen => {
            Outcome::Unsound("proved, though the passes behind are misled".to_owned())
        }
        other => other,
    };
    Some((fault, outcome))
}

fn judge(m: &IselFile, function: &str, opts: &Options, runs: u32, seed: u64) -> Outcome {
    match prove_isel(m, function, opts).verdict {
        Verdict::Refuted(_) => Outcome::Refuted,
        Verdict::Unknown(_) | Verdict::Bounded { .. } => Outcome::Unknown,
        Verdict::Unsupported { .. } => Outcome::Unsupported,
        Verdict::Proved(_) => {
            let opts = Options { seed, time: Duration::from_secs(20), ..opts.clone() };
            ran(&answer_isel(m, function, &opts, &Ask::Run(runs)))
        }
        Verdict::Conditional { assumptions, .. } => {
            let opts = Options { seed, time: Duration::from_secs(20), ..opts.clone() };
            // What was proved under the promises of alias metadata is compared where they are kept.
            let trusting = assumptions.contains_key(&Assumption::AliasMetadata);
            match trusting.then(|| run_isel_trusting(m, function, &opts, runs)).flatten() {
                Some(report) => ran(&report),
                None => ran(&answer_isel(m, function, &opts, &Ask::Run(runs))),
            }
        }
    }
}

pub fn ran(report: &Report) -> Outcome {
    match &report.verdict {
        Verdict::Refuted(c) => Outcome::Unsound(c.to_string()),
        Verdict::Unknown(why) => match why.kind {
            ReasonKind::Ran { ended, .. } => Outcome::Proved(ended),
            ReasonKind::Open { .. }
            | ReasonKind::Vacuous
            | ReasonKind::Entry { .. }
            | ReasonKind::NotNatively { .. }
            | ReasonKind::Certificate { .. }
            | ReasonKind::Ended { .. } => Outcome::Proved(0),
        },
        Verdict::Proved(_)
        | Verdict::Conditional { .. }
        | Verdict::Bounded { .. }
        | Verdict::Unsupported { .. } => Outcome::Proved(0),
    }
}
