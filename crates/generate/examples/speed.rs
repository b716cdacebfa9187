//! Generation speed beside csmith's, in the same call:
//! `cargo run --release -p plumb-generate --example speed -- [COUNT [PEERS]] [OPTION]...`
//!
//! Prints bytes, statements and expressions per CPU second, and percentiles of the time per program. With `csmith` and
//! its headers installed (`CSMITH_INCLUDE`, `/usr/include/csmith`), makes PEERS programs with it too. Its programs are
//! larger, so a last run makes plumb's as large as they are: as many statements and expressions a program.
//!
//! Nodes are counted in the syntax tree. Of csmith's programs those of its headers are left out; plumb's have none.

#![allow(clippy::disallowed_methods)]

use csyntax::visit::{self, Node, Visit};
use generate::{Limit, Options};
use std::process::Command;
use std::time::{Duration, Instant};

/// As in `plumb`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// CPU time of this process and of its children that ended, in seconds.
fn cpu() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(')').next().unwrap_or("").split_whitespace().map(|f| f.parse().unwrap_or(0.0)).collect();
    let at = |n: usize| fields.get(n).copied().unwrap_or(0.0) / 100.0;
    (at(11) + at(12), at(13) + at(14))
}

/// What a number of programs come to.
#[derive(Copy, Clone, Default)]
struct Made {
    programs: f64,
    bytes: f64,
    stmts: f64,
    exprs: f64,
    seconds: f64,
}

impl Made {
    fn count(&mut self, ast: &csyntax::ast::Ast, sign: f64) {
        visit::walk_unit(ast, |moment| {
            match moment {
                Visit::Enter(Node::Stmt(_)) => self.stmts += sign,
                Visit::Enter(Node::Expr(_)) => self.exprs += sign,
                Visit::Enter(_) | Visit::Leave(_) => {}
            }
            visit::Flow::Continue
        });
    }

    fn print(&self, who: &str) {
        let mean = |n: f64| n / self.programs;
        let rate = |n: f64| n / self.seconds / 1e6;
        println!(
            "{who}: {} programs, {:.2} s CPU; mean {:.0} bytes, {:.0} statements, {:.0} expressions; in millions \
             per CPU second {:.3} bytes, {:.4} statements, {:.4} expressions",
            self.programs,
            self.seconds,
            mean(self.bytes),
            mean(self.stmts),
            mean(self.exprs),
            rate(self.bytes),
            rate(self.stmts),
            rate(self.exprs)
        );
    }

    fn ratio(&self, other: &Made) {
        let over = |f: fn(&Made) -> f64| f(self) / self.seconds / (f(other) / other.seconds);
        println!(
            "plumb / csmith per CPU second: bytes {:.0}, statements {:.0}, expressions {:.0}",
            over(|m| m.bytes),
            over(|m| m.stmts),
            over(|m| m.exprs)
        );
    }
}

/// CPU time of this thread, in which other work on the machine does not show. The system may count it in ticks of 4 ms.
fn thread_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

/// Makes programs for the rate, then again to time each and to count.
fn plumb(count: u64, options: &Options) -> Made {
    let mut made = Made { programs: count as f64, ..Made::default() };
    let before = cpu().0;
    for seed in 0..count {
        made.bytes += generate::generate(seed, options).text().len() as f64;
    }
    made.seconds = cpu().0 - before;
    let (mut times, mut worst) = (Vec::new(), (Duration::ZERO, 0));
    for seed in 0..count {
        let (start, began) = (thread_time(), Instant::now());
        let program = generate::generate(seed, options);
        std::hint::black_box(program.text());
        times.push(began.elapsed());
        worst = worst.max((thread_time().saturating_sub(start), seed));
        made.count(&program.ast, 1.0);
    }
    made.print("plumb");
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "time: median {:?}, 99 % {:?}; worst CPU time {:?} (seed {})",
        at(0.5),
        at(0.99),
        worst.0,
        worst.1
    );
    made
}

fn preprocessed(path: &std::path::Path) -> Option<Vec<u8>> {
    let include = std::env::var("CSMITH_INCLUDE").unwrap_or_else(|_| "/usr/include/csmith".to_string());
    let output = Command::new("cc").args(["-E", "-P", "-I", &include]).arg(path).output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn csmith(count: u64) -> Option<Made> {
    let mut made = Made { programs: count as f64, ..Made::default() };
    let before = cpu().1;
    let mut texts = Vec::new();
    for seed in 1..=count {
        texts.push(Command::new("csmith").args(["--seed", &seed.to_string()]).output().ok()?.stdout);
    }
    made.seconds = cpu().1 - before;
    let path = std::env::temp_dir().join(format!("plumb-speed-{}.c", std::process::id()));
    let headers = b"#include \"csmith.h\"\n".to_vec();
    for (text, sign) in texts.iter().map(|t| (t, 1.0)).chain([(&headers, -(count as f64))]) {
        made.bytes += if sign > 0.0 { text.len() as f64 } else { 0.0 };
        std::fs::write(&path, text).ok()?;
        made.count(&csyntax::parse::parse(&preprocessed(&path)?, "peer.c").ast, sign);
    }
    std::fs::remove_file(&path).ok()?;
    made.print("csmith");
    Some(made)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = args.iter().map_while(|a| a.parse().ok()).take(2).collect();
    let mut options = match Options::parse(&args[numbers.len()..]) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let count = numbers.first().copied().unwrap_or(2000).max(1);
    let ours = plumb(count, &options);
    let peers = numbers.get(1).copied().unwrap_or(40);
    if peers == 0 {
        return;
    }
    let Some(theirs) = csmith(peers) else {
        return println!("csmith or its headers are not installed");
    };
    ours.ratio(&theirs);
    // As large as csmith's, arrays initialised in full as its are: the size in tokens follows from what it comes to.
    let wanted = theirs.stmts / theirs.programs;
    let mut larger = wanted / (ours.stmts / ours.programs);
    let (tokens, funcs) = (options.limit(Limit::Tokens), options.limit(Limit::MaxFuncs));
    let steps = options.limit(Limit::MaxSteps);
    let scaled = |options: &mut Options, larger: f64| {
        let times = |n: u64| (n as f64 * larger) as u64;
        options.set_limit(Limit::Tokens, times(tokens))?;
        options.set_limit(Limit::MaxFuncs, times(funcs).max(1))?;
        options.set_limit(Limit::MaxSteps, times(steps))?;
        options.set_limit(Limit::ArrayInits, 1000)
    };
    for _ in 0..4 {
        if let Err(error) = scaled(&mut options, larger) {
            return println!("{error}");
        }
        let mut made = Made::default();
        (0..40).for_each(|seed| made.count(&generate::generate(seed, &options).ast, 1.0));
        larger *= wanted / (made.stmts / 40.0);
    }
    if let Err(error) = scaled(&mut options, larger) {
        return println!("{error}");
    }
    println!("with programs {larger:.1} times as large, arrays initialised in full:");
    plumb((count as f64 / larger).max(1.0) as u64, &options).ratio(&theirs);
}
