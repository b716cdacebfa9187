//! Generated programs on the abstract machine: guards that never fire become bare operators, and the answer that
//! a compiled program must give is found (the machine is no part of the generator, so neither can hide the other's
//! bugs).

use csyntax::ast::Ast;
use csyntax::tree::Unit;
use generate::{Options, Program, SafeMath, rewrite};
use machine::{Options as Machine, Outcome, Run, Verdict};

/// Why a generated program has no known answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unknown {
    /// It is not what it should be: a bug of plumb, or options that ask for undefined programs.
    #[error("the program is not defined: {0}")]
    NotDefined(String),
    /// The machine gave up.
    #[error("the budget of {0} ran out")]
    Exhausted(&'static str),
    /// It prints no checksum, or has no `main`.
    #[error("it prints no checksum, which `--no-main` and `--no-checksum` take away")]
    NoChecksum,
}

/// A program with what it does.
#[derive(Clone, Debug)]
pub struct Known {
    /// The answer.
    pub outcome: Outcome,
    /// Steps of the machine.
    pub steps: u64,
    /// How many of its statements run, of how many.
    pub executed: (u64, u64),
}

fn unit(ast: &Ast, options: &Machine) -> Result<Unit, Unknown> {
    let checked = csyntax::check::check(ast, &options.target);
    checked.unit.ok_or_else(|| {
        let first = checked.diagnostics.first().map_or("it does not check", |d| d.message.as_str());
        Unknown::NotDefined(first.to_owned())
    })
}

fn defined(run: Run) -> Result<(Outcome, Run), Unknown> {
    match &run.verdict {
        Verdict::Defined(outcome) => Ok((outcome.clone(), run)),
        Verdict::Undefined { ub, detail, .. } => {
            Err(Unknown::NotDefined(format!("{detail} [{}]", ub.name())))
        }
        Verdict::Unsupported { what, .. } => Err(Unknown::NotDefined(format!("not supported: {what}"))),
        Verdict::Exhausted(budget) => Err(Unknown::Exhausted(budget.name())),
    }
}

/// Runs a program, and runs it again where something unspecified could matter.
pub fn answer(program: &Program, options: &Machine) -> Result<Known, Unknown> {
    let options = Machine { profile: true, profile_rate: 0, ..options.clone() };
    let (outcome, run) = defined(machine::judge(&unit(&program.ast, &options)?, &options))?;
    if outcome.address_dependent || outcome.order_dependent {
        return Err(Unknown::NotDefined("its behaviour depends on an unspecified choice".to_owned()));
    }
    let ran = run.profile.seen.iter().filter(|seen| seen.count > 0).count() as u64;
    Ok(Known { outcome, steps: run.steps, executed: (ran, run.profile.seen.len() as u64) })
}

/// Makes the guards that do not fire in a run bare operators, and runs the program again to see that it means the
/// same. A program without `main` keeps its guards.
pub fn elide(program: &mut Program, options: &Machine) -> Result<(), Unknown> {
    let Some(probe) = program.probe() else { return Ok(()) };
    let options = Machine { profile: false, ..options.clone() };
    let (_, run) = defined(machine::run(&unit(&probe, &options)?, &options))?;
    let Some(fired) = rewrite::fired(&run.stdout) else { return Err(Unknown::NoChecksum) };
    let printed = run.stdout.len() - (b"fired\n".len() + digits(&fired));
    program.keep_guards(|number| fired.contains(&number));
    let (_, again) = defined(machine::run(&unit(&program.ast, &options)?, &options))?;
    if again.stdout != run.stdout[..printed] {
        return Err(Unknown::NotDefined(
            "it means something else without guards that never fired".to_owned(),
        ));
    }
    Ok(())
}

/// Bytes of the lines that [`rewrite::fired`] read.
fn digits(fired: &[u32]) -> usize {
    fired.iter().map(|n| n.max(&1).ilog10() as usize + 2).sum()
}

/// The program of a seed as these options have it, its guards elided where they say so. Where that fails the guards
/// stay: the run that finds the program's meaning will tell why.
pub fn of_seed(seed: u64, options: &Options, machine: &Machine) -> Program {
    let program = generate::generate(seed, options);
    if options.guarding() != SafeMath::Elided {
        return program;
    }
    let mut bare = program.clone();
    match elide(&mut bare, machine) {
        Ok(()) => bare,
        Err(Unknown::NotDefined(_) | Unknown::Exhausted(_) | Unknown::NoChecksum) => program,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elided() -> Options {
        Options::parse(&["--safe-math", "elided"]).expect("options there are")
    }

    #[test]
    fn guards_that_never_fire_go_and_the_meaning_stays() {
        let machine = Machine::default();
        let (mut before, mut after) = (0, 0);
        for seed in 0..12 {
            let whole = generate::generate(seed, &elided());
            let bare = of_seed(seed, &elided(), &machine);
            let answers = [&whole, &bare].map(|p| answer(p, &machine).expect("defined").outcome.stdout);
            assert_eq!(answers[0], answers[1], "seed {seed}");
            before += whole.guards.len();
            after += bare.guards.len();
        }
        assert!(after * 3 < before, "{after} of {before} guards are left");
    }

    #[test]
    fn a_program_checks_itself() {
        let machine = Machine::default();
        let mut program = generate::generate(3, &Options::default());
        let known = answer(&program, &machine).expect("defined");
        let checksum = rewrite::checksum(&known.outcome.stdout).expect("a checksum");
        for (expected, exit) in [(checksum, 0), (!checksum, 1)] {
            let mut checking = program.clone();
            checking.expect(expected);
            let outcome = answer(&checking, &machine).expect("defined").outcome;
            assert_eq!(outcome.exit, machine::Exit::Code(exit));
        }
        program.expect(checksum);
        program.without_library();
        assert!(!program.text().contains("printf"));
        assert_eq!(answer(&program, &machine).expect("defined").outcome.exit, machine::Exit::Code(0));
    }

    #[test]
    fn every_way_of_guarding_is_defined() {
        for mode in ["wrappers", "analysis"] {
            let options = Options::parse(&["--safe-math", mode]).expect("options there are");
            for seed in 0..6 {
                let program = generate::generate(seed, &options);
                assert_eq!(answer(&program, &Machine::default()).err(), None, "{mode} {seed}");
            }
        }
    }
}
