//! External solvers over SMT-LIB 2: z3, bitwuzla and cvc5, as found on `PATH`. Each query is a process
//! of its own under the runner's limits. A satisfiable answer counts only with values that make a
//! model which evaluation confirms.

use super::{Answer, Limits, Solver, Why, all_goals};
use crate::print::Script;
use crate::{ArrayVal, Bv, Model, Node, Pool, Sort, TermId, Value};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use toolchain::process::{self, Outcome, Spec, Stdin};

/// A solver program: how it is named and called.
#[derive(Clone, Copy, Debug)]
pub struct SolverProgram {
    /// The program's name on `PATH`.
    pub name: &'static str,
    /// Its arguments to read a script from standard input, for a time in seconds and memory in MB.
    pub args: fn(u64, u64) -> Vec<String>,
}

/// The solver programs known, in order of preference. To add one, add a line.
pub const PROGRAMS: &[SolverProgram] = &[
    SolverProgram { name: "bitwuzla", args: |secs, _| vec![format!("--time-limit={}", secs * 1000)] },
    SolverProgram {
        name: "z3",
        args: |secs, mb| vec!["-in".into(), format!("-T:{secs}"), format!("-memory:{mb}")],
    },
    SolverProgram {
        name: "cvc5",
        args: |secs, _| vec!["--lang=smt2".into(), format!("--tlimit={}", secs * 1000), "-".into()],
    },
];

/// The solver programs found on `PATH`.
pub fn found() -> Vec<External> {
    let Some(path) = std::env::var_os("PATH") else { return Vec::new() };
    let dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    PROGRAMS
        .iter()
        .filter_map(|k| {
            let program = dirs.iter().map(|d| d.join(k.name)).find(|p| p.is_file())?;
            Some(External::new(*k, program))
        })
        .collect()
}

/// An external solver.
#[derive(Clone, Debug)]
pub struct External {
    kind: SolverProgram,
    program: PathBuf,
}

/// What a run of the program said.
pub(crate) enum Said {
    Sat(String),
    Unsat,
    Nothing(Why),
}

/// A query in the form that a process gets.
pub(crate) struct Question {
    script: Script,
    text: String,
    /// Reads of array symbols whose values are asked for.
    reads: Vec<(TermId, TermId, u32)>,
    /// Names asked for, in order.
    asked: Vec<String>,
}

/// Most time a program gets.
const LONGEST: Duration = Duration::from_secs(3600);

/// Most values asked for.
const MAX_ASKED: usize = 20_000;

impl External {
    /// A solver at a path.
    pub fn new(kind: SolverProgram, program: PathBuf) -> External {
        External { kind, program }
    }

    /// Runs the program on a question. Blocks until it ends or reaches a limit.
    fn run(&self, q: &Question, limits: &Limits) -> Said {
        // Its work cannot be counted: a tick is taken for a nanosecond.
        let time = Duration::from_nanos(limits.effort.ticks()).min(LONGEST);
        let secs = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        let mb = (limits.memory >> 20).max(64);
        let bounds = process::Limits {
            wall: Some(time),
            cpu: None,
            address_space: Some(limits.memory.saturating_add(256 << 20)),
            stdout: 64 << 20,
            ..process::Limits::default()
        };
        let spec = Spec::new(self.program.clone().into_os_string())
            .args((self.kind.args)(secs.max(1), mb))
            .stdin(Stdin::Bytes(q.text.as_bytes().into()))
            .limits(bounds);
        let done = process::run(&spec);
        let out = String::from_utf8_lossy(&done.stdout);
        let first = out.lines().next().unwrap_or("").trim();
        match done.outcome {
            Outcome::Exited(_) if first == "unsat" => Said::Unsat,
            Outcome::Exited(_) if first == "sat" => {
                Said::Sat(out[out.find("sat").unwrap_or(0) + 3..].to_owned())
            }
            Outcome::Exited(_) if first == "unknown" => Said::Nothing(Why::Incomplete(self.kind.name.into())),
            Outcome::Exited(_) if first == "timeout" => Said::Nothing(Why::Time),
            Outcome::Exited(_) if out.contains("out of memory") => Said::Nothing(Why::Memory),
            Outcome::TimedOut(_) => Said::Nothing(Why::Time),
            Outcome::Exited(_)
            | Outcome::Signaled(_)
            | Outcome::OutputLimit(_)
            | Outcome::ProcessLimit
            | Outcome::Cancelled
            | Outcome::SpawnFailed(_) => {
                let mut first: String = first.chars().take(200).collect();
                if first.is_empty() {
                    first = String::from_utf8_lossy(&done.stderr).chars().take(200).collect();
                }
                Said::Nothing(Why::Backend(format!("{}: {:?} {first}", self.kind.name, done.outcome)))
            }
        }
    }

    /// The answer that what was said amounts to.
    pub(crate) fn judge(&self, pool: &Pool, goals: &[TermId], q: &Question, said: Said) -> Answer {
        match said {
            Said::Unsat => Answer::Unsat,
            Said::Nothing(w) => Answer::Unknown(w),
            Said::Sat(values) => match q.model(pool, &values) {
                Some(m) if m.eval_all(pool, goals).iter().all(Value::as_bool) => Answer::Sat(m),
                Some(_) | None => Answer::Unknown(Why::Incomplete(format!(
                    "{}: satisfiable, without a model",
                    self.kind.name
                ))),
            },
        }
    }
}

/// Defines what an array holds so many places behind an index, under names with this number; the names.
fn define_read(
    pool: &Pool,
    script: &Script,
    out: &mut String,
    (array, index, behind): (TermId, TermId, u32),
    number: usize,
) -> [String; 2] {
    let w = pool.width(index);
    let at = format!("(bvadd {} (_ bv{behind} {w}))", script.names[&index]);
    let names = [format!("ri{number}"), format!("re{number}")];
    let (is, es) = (Sort::Bv(w), Sort::Bv(pool.array_widths(array).1));
    let _ = writeln!(out, "(define-fun {} () {is} {at})", names[0]);
    let _ = writeln!(out, "(define-fun {} () {es} (select {} {at}))", names[1], script.names[&array]);
    names
}

impl Question {
    pub fn new(pool: &mut Pool, goals: &[TermId]) -> Question {
        let script = pool.script(goals);
        let mut asked = Vec::new();
        let mut arrays: Vec<TermId> = Vec::new();
        for s in &script.symbols {
            let t = pool.symbol_term(*s);
            match pool.sort(t) {
                Sort::Bool | Sort::Bv(_) => asked.push(script.names[&t].clone()),
                Sort::Array { .. } => arrays.push(t),
            }
        }
        // Every index in play, at every array of its sort.
        let mut indices: Vec<(TermId, u32)> = Vec::new();
        for t in &script.terms {
            match pool.node(*t) {
                Node::Select(m, i) => indices.push((*i, pool.width(*t) / pool.array_widths(*m).1)),
                Node::Store(m, ws) => {
                    let e = pool.array_widths(*m).1;
                    indices.extend(ws.iter().map(|(i, v)| (*i, pool.width(*v) / e)));
                }
                Node::Apply(_, xs) => {
                    asked.push(script.names[t].clone());
                    asked.extend(xs.iter().filter_map(|x| {
                        let plain = !matches!(pool.sort(*x), Sort::Array { .. });
                        (plain && script.names[x].starts_with('t')).then(|| script.names[x].clone())
                    }));
                }
                _ => {}
            }
        }
        indices.sort_unstable();
        indices.dedup();
        let mut reads = Vec::new();
        let mut extra = String::new();
        for &a in &arrays {
            for &(i, n) in indices.iter().filter(|(i, _)| pool.width(*i) == pool.array_widths(a).0) {
                for k in 0..n.min((MAX_ASKED.saturating_sub(asked.len())).div_ceil(2) as u32) {
                    asked.extend(define_read(pool, &script, &mut extra, (a, i, k), reads.len()));
                    reads.push((a, i, k));
                }
            }
        }
        let mut text = script.text.clone();
        text.push_str(&extra);
        text.push_str("(check-sat)\n");
        for chunk in asked.chunks(200) {
            let _ = writeln!(text, "(get-value ({}))", chunk.join(" "));
        }
        Question { script, text, reads, asked }
    }

    /// The model that the values make.
    fn model(&self, pool: &Pool, values: &str) -> Option<Model> {
        let toks = tokens(values);
        let mut at = 0;
        let mut got: rustc_hash::FxHashMap<&str, Value> = rustc_hash::FxHashMap::default();
        // Lists of pairs (name value).
        while at < toks.len() {
            match toks[at] {
                "(" | ")" => at += 1,
                name => {
                    let (v, next) = value(&toks, at + 1)?;
                    got.insert(name, v);
                    at = next;
                }
            }
        }
        if self.asked.iter().any(|n| !got.contains_key(n.as_str())) {
            return None;
        }
        let mut m = Model::new();
        let fit = |v: &Value, s: Sort| match (v, s) {
            (Value::Bv(b), Sort::Bv(w)) => (b.width() == w).then(|| v.clone()),
            (Value::Bool(_), Sort::Bool) => Some(v.clone()),
            (Value::Bv(_) | Value::Bool(_) | Value::Array(_), _) => None,
        };
        let mut arrays: std::collections::BTreeMap<TermId, ArrayVal> = Default::default();
        for (n, (a, ..)) in self.reads.iter().enumerate() {
            let (iw, ew) = pool.array_widths(*a);
            let i = fit(got.get(format!("ri{n}").as_str())?, Sort::Bv(iw))?;
            let e = fit(got.get(format!("re{n}").as_str())?, Sort::Bv(ew))?;
            arrays
                .entry(*a)
                .or_insert_with(|| ArrayVal::new(iw, Bv::zero(ew)))
                .set(i.as_bv().clone(), e.as_bv().clone());
        }
        for s in &self.script.symbols {
            let t = pool.symbol_term(*s);
            let v = match pool.sort(t) {
                Sort::Array { .. } => match arrays.get(&t) {
                    Some(a) => Value::Array(a.clone()),
                    None => continue,
                },
                sort @ (Sort::Bool | Sort::Bv(_)) => fit(got.get(self.script.names[&t].as_str())?, sort)?,
            };
            m.symbols.insert(*s, v);
        }
        for t in &self.script.terms {
            let Node::Apply(f, xs) = pool.node(*t) else { continue };
            let args = m.eval_all(pool, xs);
            let v = fit(got.get(self.script.names[t].as_str())?, pool.sort(*t))?;
            m.funcs.entry(*f).or_default().points.insert(args, v);
        }
        Some(m)
    }
}

fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        if c == '(' || c == ')' || c.is_whitespace() {
            if let Some(s) = start.take() {
                out.push(&text[s..i]);
            }
            if !c.is_whitespace() {
                out.push(&text[i..=i]);
            }
        } else if start.is_none() {
            start = Some(i);
        }
    }
    if let Some(s) = start {
        out.push(&text[s..]);
    }
    out
}

/// A value at a position, and the position after it.
fn value(toks: &[&str], at: usize) -> Option<(Value, usize)> {
    let t = *toks.get(at)?;
    let radix = |digits: &str, radix: u32, width: u32| {
        let v = num_bigint::BigUint::parse_bytes(digits.as_bytes(), radix)?;
        (width > 0).then(|| Value::Bv(Bv::from_big(width, v)))
    };
    let v = match t {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "(" => {
            // (_ bvN W)
            let n = toks.get(at + 2)?.strip_prefix("bv")?;
            let w: u32 = toks.get(at + 3)?.parse().ok()?;
            return Some((radix(n, 10, w)?, at + 5));
        }
        _ => match (t.strip_prefix("#x"), t.strip_prefix("#b")) {
            (Some(h), _) => radix(h, 16, 4 * u32::try_from(h.len()).ok()?)?,
            (_, Some(b)) => radix(b, 2, u32::try_from(b.len()).ok()?)?,
            (None, None) => return None,
        },
    };
    Some((v, at + 1))
}

impl Solver for External {
    fn name(&self) -> &str {
        self.kind.name
    }

    fn check(&mut self, pool: &mut Pool, asked: &[TermId], limits: &Limits) -> Answer {
        let goals = all_goals(pool, asked);
        if goals.iter().any(|g| pool.as_bool(*g) == Some(false)) {
            return Answer::Unsat;
        }
        let q = Question::new(pool, &goals);
        let said = self.run(&q, limits);
        self.judge(pool, &goals, &q, said)
    }
}
