//! What is told of the files: lines as they come, counts at the end, and the exit code that the worst decides.

use super::baseline::Known;
use super::json::{FileLine, Line, ObjectCounts, ObjectLine, SummaryLine};
use super::reports::{self, Item, Open, Summary};
use super::{Failure, Outcome};
use crate::args::Diff;
use crate::commands::workers::Progress;
use crate::output::{self, Exit};
use campaign::Error;
use campaign::hunt::progress::counted;
use crossver::buckets::Rules;
use crossver::equality::verdict::VerdictKind;
use crossver::report::{FileReport, FunctionReport, LoneReport};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Counts by name.
type Counts = BTreeMap<String, u64>;

/// Counts over all files.
pub struct Totals {
    /// Files so far.
    pub files: u64,
    failed: u64,
    pairs: u64,
    skipped: u64,
    verdicts: BTreeMap<VerdictKind, u64>,
    how: Counts,
    why: Counts,
    by: Counts,
    differences: Counts,
    buckets: Counts,
    lone: [u64; 2],
    lone_global: u64,
    /// What is known already, and the verdicts of what is not.
    known: Known,
    fresh: BTreeSet<VerdictKind>,
    fresh_objects: u64,
    same_objects: u64,
    different_objects: u64,
    opcodes: Counts,
    not_modelled: Counts,
    instructions: (u64, u64),
    not_compiled: u64,
    /// Pairs for which a proof was looked for, and the milliseconds of all.
    proofs: (u64, f64),
    begun: Instant,
    progress: Progress,
    /// What is not proved, where a report is asked for.
    open: Open,
}

fn add(map: &mut Counts, key: &str, n: u64) {
    *map.entry(key.to_owned()).or_default() += n;
}

impl Totals {
    /// Nothing so far, of so many files.
    pub fn new(files: usize, known: Known) -> Totals {
        Totals {
            files: 0,
            failed: 0,
            pairs: 0,
            skipped: 0,
            verdicts: BTreeMap::new(),
            how: Counts::new(),
            why: Counts::new(),
            by: Counts::new(),
            differences: Counts::new(),
            buckets: Counts::new(),
            lone: [0, 0],
            lone_global: 0,
            known,
            fresh: BTreeSet::new(),
            fresh_objects: 0,
            same_objects: 0,
            different_objects: 0,
            opcodes: Counts::new(),
            not_modelled: Counts::new(),
            instructions: (0, 0),
            not_compiled: 0,
            proofs: (0, 0.0),
            begun: Instant::now(),
            progress: Progress::new(files, "files"),
            open: Open::default(),
        }
    }

    /// Reports a file, and counts it.
    pub fn tell(&mut self, args: &Diff, label: &str, outcome: Outcome) {
        self.files += 1;
        let mut lines = Vec::new();
        match outcome {
            Ok(found) => {
                self.skipped += found.skipped;
                for (member, report) in found.reports {
                    let file = member.map_or_else(|| label.to_owned(), |member| format!("{label}({member})"));
                    self.count(&file, &report);
                    if reports::wanted(args) {
                        self.keep(&file, &report);
                    }
                    lines.extend(if args.json {
                        lines_json(&file, report)
                    } else {
                        lines_text(args, &file, &report)
                    });
                }
            }
            Err(Failure { verdict, why }) => {
                self.failed += 1;
                self.not_compiled += u64::from(verdict == super::json::FileVerdict::NotCompiled);
                eprintln!("plumb: {why}");
                let file = FileLine { file: label.to_owned(), verdict, why };
                if args.json {
                    lines.push(output::json_text(&Line::File(file.clone())));
                }
                self.open.files.push(file);
            }
        }
        let counts = self.counted_verdicts();
        self.progress
            .around(self.files as usize, &counts, || lines.iter().for_each(|line| output::line(line)));
    }

    fn counted_verdicts(&self) -> String {
        let list: Vec<String> = self.verdicts.iter().map(|(v, n)| format!("{n} {}", v.name())).collect();
        list.join(", ")
    }

    fn count(&mut self, file: &str, report: &FileReport) {
        self.pairs += report.functions.len() as u64;
        for f in &report.functions {
            *self.verdicts.entry(f.verdict).or_default() += 1;
            add(&mut self.by, f.by.name(), 1);
            f.how.iter().for_each(|how| add(&mut self.how, how.name(), 1));
            f.why.iter().for_each(|why| add(&mut self.why, why.name(), 1));
            f.difference.iter().for_each(|d| add(&mut self.differences, d, 1));
            f.bucket.iter().for_each(|bucket| add(&mut self.buckets, bucket, 1));
            if !self.known.function(file, f) {
                self.fresh.insert(f.verdict);
            }
            if let Some(ms) = f.ms {
                self.proofs = (self.proofs.0 + 1, self.proofs.1 + ms);
            }
        }
        for lone in &report.lone {
            self.lone[usize::from(!lone.old)] += 1;
            self.lone_global += u64::from(!lone.local && !self.known.lone(file, lone));
        }
        self.same_objects += report.same_objects;
        self.different_objects += report.objects.len() as u64;
        let fresh = report.objects.iter().filter(|(name, _)| !self.known.object(file, name));
        self.fresh_objects += fresh.count() as u64;
        report.opcodes.iter().for_each(|(name, n)| add(&mut self.opcodes, name, *n));
        report.not_modelled.iter().for_each(|(name, n)| add(&mut self.not_modelled, name, *n));
        self.instructions.0 += report.instructions.0;
        self.instructions.1 += report.instructions.1;
    }

    /// Keeps what is not proved.
    fn keep(&mut self, file: &str, report: &FileReport) {
        let named = || file.to_owned();
        let open = |f: &&FunctionReport| !matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
        for f in report.functions.iter().filter(open) {
            let known = self.known.function(file, f);
            self.open.functions.push(Item { what: f.clone(), file: named(), known });
        }
        for lone in &report.lone {
            let known = self.known.lone(file, lone);
            self.open.lone.push(Item { what: lone.clone(), file: named(), known });
        }
        for object in &report.objects {
            let known = self.known.object(file, &object.0);
            self.open.objects.push(Item { what: object.clone(), file: named(), known });
        }
    }

    /// The summary, and the exit code that the worst of what was found decides.
    pub fn end(&self, args: &Diff, rules: &Rules) -> Result<u8, Error> {
        self.progress.end();
        let summary = Summary {
            title: title(args),
            verdicts: &self.verdicts,
            buckets: &self.buckets,
            rules,
            text: self.to_text(false),
        };
        reports::write(args, &summary, &self.open)?;
        if args.json {
            output::json(&Line::Summary(Box::new(self.to_json(args))));
        } else {
            output::line(&self.to_text(args.opcodes));
        }
        if self.files == self.failed {
            return Ok(Exit::Usage.code());
        }
        let verdicts = self.fresh.iter().map(|verdict| match verdict {
            VerdictKind::Proved | VerdictKind::Conditional => Exit::Ok,
            VerdictKind::Unsupported => Exit::Unsupported,
            VerdictKind::Unknown => Exit::Unknown,
            VerdictKind::Different => Exit::Alarm,
        });
        let others = [
            (self.failed - self.not_compiled, Exit::Usage),
            (self.lone_global + self.fresh_objects + self.skipped, Exit::Unknown),
            (self.not_compiled, Exit::Unsupported),
        ];
        let others = others.into_iter().filter(|(n, _)| *n > 0).map(|(_, exit)| exit);
        Ok(verdicts.chain(others).max().unwrap_or(Exit::Ok).code())
    }

    fn mean_ms(&self) -> f64 {
        if self.proofs.0 == 0 { 0.0 } else { self.proofs.1 / self.proofs.0 as f64 }
    }

    fn to_json(&self, args: &Diff) -> SummaryLine {
        SummaryLine {
            files: self.files,
            files_failed: self.failed,
            functions: self.pairs,
            skipped: self.skipped,
            verdicts: self.verdicts.clone(),
            how: self.how.clone(),
            why: self.why.clone(),
            by: self.by.clone(),
            differences: self.differences.clone(),
            buckets: self.buckets.clone(),
            only_old: self.lone[0],
            only_new: self.lone[1],
            objects: ObjectCounts { same: self.same_objects, open: self.different_objects },
            instructions: self.instructions.0,
            instructions_unknown: self.instructions.1,
            instructions_not_modelled: self.not_modelled.values().sum(),
            proofs: self.proofs.0,
            mean_ms: self.mean_ms(),
            seconds: self.begun.elapsed().as_secs_f64(),
            opcodes: args.opcodes.then(|| self.opcodes.clone()),
            not_modelled: args.opcodes.then(|| self.not_modelled.clone()),
        }
    }

    fn to_text(&self, opcodes: bool) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        let verdicts = self.counted_verdicts();
        let how = joined(self.how.iter().map(|(how, n)| format!("{n} {how}")).collect());
        let mut text = match self.pairs {
            0 => "no functions to compare".to_owned(),
            pairs => format!("{}: {verdicts}", counted(pairs, "function pair")),
        };
        if !self.how.is_empty() {
            text.push_str(&format!(" ({how})"));
        }
        if !self.why.is_empty() {
            let why = joined(self.why.iter().map(|(why, n)| format!("{n} {why}")).collect());
            text.push_str(&format!("; unknown: {why}"));
        }
        if !self.buckets.is_empty() {
            let buckets = joined(self.buckets.iter().map(|(bucket, n)| format!("{n} {bucket}")).collect());
            text.push_str(&format!("; different: {buckets}"));
        }
        if self.proofs.0 > 0 {
            let proofs = counted(self.proofs.0, "proof");
            text.push_str(&format!("; {proofs} looked for, {:.0} ms on average", self.mean_ms()));
        }
        if self.skipped > 0 {
            text.push_str(&format!("; {} not in the sample", self.skipped));
        }
        if self.lone != [0, 0] {
            text.push_str(&format!("; {} only in the old, {} only in the new", self.lone[0], self.lone[1]));
        }
        if self.different_objects > 0 {
            text.push_str(&format!("; {} objects whose contents are open", self.different_objects));
        }
        if self.failed > 0 {
            text.push_str(&format!("; {} of {} files not compared", self.failed, self.files));
        }
        let lists = [("of functions that stay open", &self.opcodes), ("not modelled", &self.not_modelled)];
        for (what, list) in lists.into_iter().filter(|_| opcodes) {
            let mut ranked: Vec<_> = list.iter().collect();
            ranked.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), name.as_str()));
            text.push_str(&format!("\ninstructions {what}:"));
            for (name, n) in ranked {
                text.push_str(&format!("\n{n:9}  {name}"));
            }
        }
        text
    }
}

/// What was compared, in words.
fn title(args: &Diff) -> String {
    match (args.cc.as_slice(), args.files.as_slice()) {
        ([old, new], _) => format!("{old} against {new}"),
        (_, [old, new]) => format!("{} against {}", old.display(), new.display()),
        _ => "machine code".to_owned(),
    }
}

fn lines_json(file: &str, report: FileReport) -> Vec<String> {
    let named = || file.to_owned();
    let functions = report.functions.into_iter();
    let functions = functions.map(|f| Line::Function(Box::new(FunctionReport { file: named(), ..f })));
    let lone = report.lone.into_iter().map(|f| Line::Only(LoneReport { file: named(), ..f }));
    let objects = report.objects.into_iter().map(|(object, text)| {
        Line::Object(ObjectLine { file: named(), object, verdict: VerdictKind::Unknown, text })
    });
    functions.chain(lone).chain(objects).map(|line| output::json_text(&line)).collect()
}

fn lines_text(args: &Diff, file: &str, report: &FileReport) -> Vec<String> {
    let functions = report.functions.iter().filter(|f| args.verbose || f.verdict != VerdictKind::Proved);
    let functions = functions.map(|f| line(file, f) + &traces(f));
    let lone = report.lone.iter().map(|f| lone_line(file, f));
    let objects = report.objects.iter();
    let objects = objects.map(|(name, difference)| format!("{file}: object {name}: unknown: {difference}"));
    functions.chain(lone).chain(objects).collect()
}

fn line(file: &str, f: &FunctionReport) -> String {
    let mut text = format!("{file}: {}: {}", f.function, f.verdict.name());
    if let Some(how) = &f.how {
        text.push_str(&format!(" ({})", how.name()));
    }
    if let Some(bucket) = &f.bucket {
        text.push_str(&format!(" ({bucket})"));
    }
    if f.old.name != f.new.name {
        text.push_str(&format!(", was {}, found by {}", f.old.name, f.by.name()));
    }
    if let Some(why) = &f.text {
        text.push_str(&format!(": {why}"));
    }
    if !f.assumptions.is_empty() {
        text.push_str(&format!(", if {}", f.assumptions.join("; ")));
    }
    text
}

/// The inputs and both traces of a difference, side by side.
fn traces(f: &FunctionReport) -> String {
    let Some(replay) = f.replay.as_ref().filter(|_| f.verdict == VerdictKind::Different) else {
        return String::new();
    };
    const INPUTS: usize = 12;
    const WIDE: usize = 60;
    let mut out = String::new();
    if let Some(cause) = &f.cause {
        out.push_str(&format!("\n    cause ({}): {cause}", cause.kind.name()));
    }
    for (name, value) in replay.inputs.iter().take(INPUTS) {
        out.push_str(&format!("\n    {name} = {value}"));
    }
    if replay.inputs.len() > INPUTS {
        out.push_str(&format!("\n    and {} inputs more", replay.inputs.len() - INPUTS));
    }
    let empty = String::new();
    for n in 0..replay.old.len().max(replay.new.len()) {
        let [old, new] = [&replay.old, &replay.new].map(|side| side.get(n).unwrap_or(&empty));
        match old.chars().count() <= WIDE {
            true => out.push_str(&format!("\n    {old:WIDE$} | {new}")),
            false => out.push_str(&format!("\n    {old}\n    {:WIDE$} | {new}", "")),
        }
    }
    out
}

fn lone_line(file: &str, lone: &LoneReport) -> String {
    let side = if lone.old { "old" } else { "new" };
    let seen = if lone.local { "local" } else { "global" };
    format!("{file}: {}: only in the {side} ({seen}, {} bytes)", lone.function, lone.bytes)
}
