//! Asks plumb's own solver what SMT-LIB 2 files ask: `ask [--ticks MILLIONS] [--plain] [--patience CONFLICTS] FILE...`. A
//! line a file: the answer, the work, the time. `--plain` leaves out the tactics; after so many conflicts a search is
//! left to the solver for hard ones. It reads what `Pool::script` writes: bit-vectors, arrays of them,
//! functions, definitions without parameters. With it a proof's slow queries are studied apart from the proof, beside
//! other solvers.

use smt::effort::Effort;
use smt::tactic::Prover;
use smt::{Answer, Bv, Embedded, FuncId, Limits, Pool, Solver, Sort, TermId};
use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Instant;

/// An expression of the file.
enum Expr<'t> {
    Word(&'t str),
    List(Vec<Expr<'t>>),
}

/// The expressions of a text, comments left out.
fn expressions(text: &str) -> Result<Vec<Expr<'_>>, String> {
    let mut open: Vec<Vec<Expr<'_>>> = vec![Vec::new()];
    for line in text.lines().map(|l| l.split(';').next().unwrap_or("")) {
        let mut rest = line.trim_start();
        while let Some(c) = rest.chars().next() {
            let end = match c {
                '(' | ')' => 1,
                _ => rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            match word {
                "(" => open.push(Vec::new()),
                ")" => {
                    let list = Expr::List(open.pop().unwrap_or_default());
                    open.last_mut().ok_or("a `)` too many")?.push(list);
                }
                _ => open.last_mut().ok_or("a `)` too many")?.push(Expr::Word(word)),
            }
            rest = after.trim_start();
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(all), true) => Ok(all),
        _ => Err("a `(` is not closed".into()),
    }
}

#[derive(Default)]
struct Reader {
    pool: Pool,
    names: HashMap<String, TermId>,
    functions: HashMap<String, FuncId>,
    goals: Vec<TermId>,
}

fn number(word: &str) -> Result<u32, String> {
    word.parse().map_err(|_| format!("no number: {word}"))
}

fn sort(e: &Expr<'_>) -> Result<Sort, String> {
    match e {
        Expr::Word("Bool") => Ok(Sort::Bool),
        Expr::List(l) => match l.as_slice() {
            [Expr::Word("_"), Expr::Word("BitVec"), Expr::Word(n)] => Ok(Sort::Bv(number(n)?)),
            [Expr::Word("Array"), index, elem] => match (sort(index)?, sort(elem)?) {
                (Sort::Bv(index), Sort::Bv(elem)) => Ok(Sort::Array { index, elem }),
                _ => Err("an array of something else than bit-vectors".into()),
            },
            _ => Err("an unknown sort".into()),
        },
        Expr::Word(w) => Err(format!("an unknown sort: {w}")),
    }
}

impl Reader {
    fn command(&mut self, e: &Expr<'_>) -> Result<(), String> {
        let Expr::List(l) = e else { return Err("a command is a list".into()) };
        match l.as_slice() {
            [Expr::Word("declare-fun"), Expr::Word(name), Expr::List(args), result] => {
                let args = args.iter().map(sort).collect::<Result<Vec<_>, _>>()?;
                let result = sort(result)?;
                if args.is_empty() {
                    self.names.insert((*name).to_owned(), self.pool.var(name, result));
                } else {
                    self.functions.insert((*name).to_owned(), self.pool.func(name, &args, result));
                }
            }
            [Expr::Word("define-fun"), Expr::Word(name), Expr::List(none), _, body] if none.is_empty() => {
                let body = self.term(body)?;
                self.names.insert((*name).to_owned(), body);
            }
            [Expr::Word("assert"), goal] => {
                let goal = self.term(goal)?;
                self.goals.push(goal);
            }
            [Expr::Word("set-option" | "set-logic" | "check-sat" | "exit" | "set-info"), ..] => {}
            _ => return Err("a command that is not read here".into()),
        }
        Ok(())
    }

    fn term(&mut self, e: &Expr<'_>) -> Result<TermId, String> {
        let list = match e {
            Expr::Word("true") => return Ok(self.pool.bool(true)),
            Expr::Word("false") => return Ok(self.pool.bool(false)),
            Expr::Word(w) => return self.names.get(*w).copied().ok_or_else(|| format!("not declared: {w}")),
            Expr::List(list) => list,
        };
        if let [Expr::Word("_"), Expr::Word(value), Expr::Word(width)] = list.as_slice() {
            let digits = value.strip_prefix("bv").ok_or("an unknown constant")?;
            let value = digits.parse().map_err(|_| format!("no number: {digits}"))?;
            return Ok(self.pool.constant(Bv::from_big(number(width)?, value)));
        }
        let [head, args @ ..] = list.as_slice() else { return Err("an empty list".into()) };
        let args = args.iter().map(|a| self.term(a)).collect::<Result<Vec<_>, _>>()?;
        match head {
            Expr::Word(op) => self.operation(op, &args),
            Expr::List(indexed) => self.indexed(indexed, &args),
        }
    }

    fn indexed(&mut self, op: &[Expr<'_>], args: &[TermId]) -> Result<TermId, String> {
        match (op, args) {
            ([_, Expr::Word("extract"), Expr::Word(hi), Expr::Word(lo)], [a]) => {
                Ok(self.pool.extract(number(hi)?, number(lo)?, *a))
            }
            ([_, Expr::Word("sign_extend"), Expr::Word(n)], [a]) => {
                let width = self.pool.width(*a) + number(n)?;
                Ok(self.pool.sext(*a, width))
            }
            ([Expr::Word("as"), Expr::Word("const"), of], [e]) => match sort(of)? {
                Sort::Array { index, .. } => Ok(self.pool.const_array(index, *e)),
                Sort::Bool | Sort::Bv(_) => Err("a constant array of no array's sort".into()),
            },
            _ => Err("an unknown indexed operation".into()),
        }
    }

    fn operation(&mut self, op: &str, args: &[TermId]) -> Result<TermId, String> {
        let p = &mut self.pool;
        Ok(match (op, args) {
            ("not", [a]) => p.not(*a),
            ("and", all) => p.and_all(all),
            ("or", all) => p.or_all(all),
            ("=", [a, b]) => p.eq(*a, *b),
            ("ite", [c, a, b]) => p.ite(*c, *a, *b),
            ("bvult", [a, b]) => p.ult(*a, *b),
            ("bvslt", [a, b]) => p.slt(*a, *b),
            ("bvadd", [a, b]) => p.add(*a, *b),
            ("bvmul", [a, b]) => p.mul(*a, *b),
            ("bvudiv", [a, b]) => p.udiv(*a, *b),
            ("bvurem", [a, b]) => p.urem(*a, *b),
            ("bvsdiv", [a, b]) => p.sdiv(*a, *b),
            ("bvsrem", [a, b]) => p.srem(*a, *b),
            ("bvnot", [a]) => p.bv_not(*a),
            ("bvand", [a, b]) => p.bv_and(*a, *b),
            ("bvor", [a, b]) => p.bv_or(*a, *b),
            ("bvxor", [a, b]) => p.bv_xor(*a, *b),
            ("bvshl", [a, b]) => p.shl(*a, *b),
            ("bvlshr", [a, b]) => p.lshr(*a, *b),
            ("bvashr", [a, b]) => p.ashr(*a, *b),
            ("concat", [a, b]) => p.concat(*a, *b),
            ("select", [m, i]) => p.select(*m, *i),
            ("store", [m, i, v]) => p.store(*m, *i, *v),
            (f, all) => match self.functions.get(f) {
                Some(f) => p.apply(*f, all),
                None => return Err(format!("an unknown operation: {f}")),
            },
        })
    }
}

fn ask(file: &str, budget: Effort, (plain, patience): (bool, Option<u64>)) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let mut reader = Reader::default();
    for e in expressions(&text)? {
        reader.command(&e)?;
    }
    let Reader { pool, goals, .. } = &mut reader;
    let (start, work) = (Instant::now(), Effort::so_far());
    let mut solver = patience.map_or_else(Embedded::new, Embedded::with_patience);
    let answer = if plain {
        solver.check(pool, goals, &Limits { effort: budget, memory: 1 << 30 })
    } else {
        let mut prover = Prover::new(Box::new(solver), 1 << 30);
        prover.d.pool = std::mem::take(pool);
        prover.possible(goals, budget, &String::new)
    };
    let said = match answer {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat => "unsat".to_owned(),
        Answer::Unknown(why) => format!("unknown ({why:?})"),
    };
    let ticks = Effort::since(work).ticks() / 1_000_000;
    Ok(format!("{said} {ticks} Mticks {} ms", start.elapsed().as_millis()))
}

fn main() -> ExitCode {
    let (mut budget, mut plain, mut files) = (Effort::mega(10_000), false, Vec::new());
    let mut patience = None;
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        match a.as_str() {
            "--plain" => plain = true,
            "--ticks" | "--patience" => match args.next().and_then(|n| n.parse().ok()) {
                Some(n) if a == "--ticks" => budget = Effort::mega(n),
                Some(n) => patience = Some(n),
                None => {
                    eprintln!("{a} takes a number");
                    return ExitCode::from(2);
                }
            },
            _ => files.push(a),
        }
    }
    let mut bad = files.is_empty();
    for file in &files {
        match ask(file, budget, (plain, patience)) {
            Ok(said) => println!("{file}: {said}"),
            Err(why) => {
                eprintln!("{file}: {why}");
                bad = true;
            }
        }
    }
    if bad { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
