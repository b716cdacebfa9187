//! What a compiler takes of the generator's C, asked with programs of the generator itself: tcc and pcc, say, know neither
//! vectors nor `_Atomic`. A hunt leaves out the constructs that one of its compilers refuses; else nearly every program
//! would be lost on it.

use super::Context;
use crate::configurations::{INPUT, OUTPUT, Tested, dialect_limits};
use csyntax::target::{Endian, LongDouble, Target};
use generate::{Limit, Options, Switch};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use toolchain::compiler::{Compilation, CompileOutcome};
use toolchain::process::Limits;
use toolchain::scratch::{Scratch, ScratchRoot};

/// Programs that a compiler has to take before a set of constructs counts as taken.
const PROGRAMS: u64 = 10;
/// Their size in tokens, as `--tokens` has it: enough for every construct to be in some of them. A few large ones cost less
/// than many small ones: starting a compiler and a linker is most of it.
const SIZE: u64 = 6000;
/// How many small ones where the compiler fails itself on a large one, as pcc does on most, and their size.
const SMALL_PROGRAMS: u64 = 60;
const SMALL: u64 = 600;

/// The switches that stand for constructs which compilers may not know. What turns other switches meaningful comes first.
const DIALECT: &[Switch] = &[
    Switch::Gnu,
    Switch::LongLong,
    Switch::Float,
    Switch::Bitfields,
    Switch::Volatiles,
    Switch::InlineFunction,
    Switch::ReturnStructs,
    Switch::ReturnUnions,
    Switch::ArgStructs,
    Switch::ArgUnions,
    Switch::Strings,
    Switch::CompoundLiterals,
    Switch::Generic,
    Switch::StaticLocals,
    Switch::Enums,
    Switch::Typedefs,
    Switch::Restrict,
    Switch::Vla,
    Switch::Atomics,
    Switch::PackedStruct,
    Switch::Aligned,
    Switch::Attributes,
    Switch::PureFunctions,
    Switch::MayAlias,
    Switch::StatementExpressions,
    Switch::ComputedGoto,
    Switch::Builtins,
    Switch::Alloca,
    Switch::Malloc,
    Switch::Variadic,
    Switch::Vectors,
    Switch::ShuffleVector,
    Switch::Int128,
    Switch::LongDouble,
    Switch::Kernels,
    Switch::MixedLoops,
    Switch::BitLoops,
    Switch::Sweeps,
    Switch::Idioms,
];

/// Programs with each construct of newer compilers that a compiler has to take before these count as taken, most programs
/// that are looked at for that, and their size.
const LATE_PROGRAMS: usize = 3;
const LATE_MOST: u64 = 12;
const LATE_SIZE: u64 = 3000;

/// What few programs have, asked about by itself.
const RARE: &[(Switch, &str)] =
    &[(Switch::Atomics, "_Atomic int a = 1;\nint main(void)\n{\n    a += 2;\n    return a - 3;\n}\n")];

/// A compiler that is asked.
pub(super) struct Asked<'a> {
    tested: &'a Tested,
    scratch: &'a ScratchRoot,
    /// Of each compilation.
    limits: Limits,
}

impl<'a> Asked<'a> {
    /// A compiler gets no more for a program than the hunt gives it later.
    pub fn new(tested: &'a Tested, context: &Context<'a>) -> Self {
        let (usual, hunt) = (dialect_limits(), context.compile);
        let limits = Limits {
            wall: usual.wall.min(hunt.wall.or(usual.wall)),
            cpu: usual.cpu.min(hunt.cpu.or(usual.cpu)),
            address_space: hunt.address_space,
            ..usual
        };
        Asked { tested, scratch: context.scratch, limits }
    }
}

/// The switches that are on, were not turned on by name, and stand for what the compiler refuses. None, too, where it
/// refuses everything: then it is not for the constructs.
pub(super) fn refused(options: &Options, compiler: &Asked<'_>) -> Vec<Switch> {
    let mut options = options.clone();
    // A swarm would leave constructs out of the few programs that are asked about.
    options.swarm = false;
    options.set(Switch::VarySize, false);
    if options.set_limit(Limit::Tokens, SIZE).is_err() {
        return Vec::new();
    }
    let on: Vec<Switch> = DIALECT.iter().copied().filter(|switch| options.on(*switch)).collect();
    let (named, mut asked): (Vec<Switch>, Vec<Switch>) = on.iter().partition(|switch| options.said(**switch));
    // What a person insists on is not asked about, nor is what it would not be there without.
    options = with(&options, &[], &named);
    if !named.is_empty() {
        options.set(Switch::Gnu, true);
        asked.retain(|switch| *switch != Switch::Gnu);
    }
    let rare = RARE.iter().filter(|(switch, text)| asked.contains(switch) && refuses(text, compiler));
    let rare: Vec<Switch> = rare.map(|(switch, _)| *switch).collect();
    options = with(&options, &[], &rare);
    asked.retain(|switch| !rare.contains(switch));
    let takes = |on: &[Switch], off: &[Switch]| takes(&with(&options, on, off), compiler);
    if takes(&asked, &[]) || !takes(&[], &asked) {
        return rare;
    }
    let mut taken = Vec::new();
    add(&asked, &mut taken, &|on| {
        let off: Vec<Switch> = asked.iter().copied().filter(|switch| !on.contains(switch)).collect();
        takes(on, &off)
    });
    asked.into_iter().filter(|switch| !taken.contains(switch)).chain(rare).collect()
}

/// Adds what can be added to what is `taken`: all of `more` if that is taken too, else what can be of either half.
fn add(more: &[Switch], taken: &mut Vec<Switch>, takes: &dyn Fn(&[Switch]) -> bool) {
    let before = taken.len();
    taken.extend_from_slice(more);
    if more.is_empty() || takes(taken) {
        return;
    }
    taken.truncate(before);
    if more.len() > 1 {
        let (first, rest) = more.split_at(more.len() / 2);
        add(first, taken, takes);
        add(rest, taken, takes);
    }
}

fn with(options: &Options, on: &[Switch], off: &[Switch]) -> Options {
    let mut options = options.clone();
    for (switches, value) in [(on, true), (off, false)] {
        switches.iter().for_each(|switch| options.set(*switch, value));
    }
    options
}

/// Does the compiler take the first programs of these options? One that it crashes on, or takes too long or too much for, says nothing
/// of constructs (it is what hunts are for). Where there was one, more and smaller ones are asked about.
fn takes(options: &Options, compiler: &Asked<'_>) -> bool {
    match take(options, compiler, PROGRAMS) {
        Answer::Takes => true,
        Answer::Refuses => false,
        Answer::Fails => {
            let mut small = options.clone();
            let set = small.set_limit(Limit::Tokens, SMALL).is_ok();
            !(set && matches!(take(&small, compiler, SMALL_PROGRAMS), Answer::Refuses))
        }
    }
}

/// What a compiler makes of some programs.
enum Answer {
    /// It takes them.
    Takes,
    /// It refuses one.
    Refuses,
    /// It refuses none, but fails itself on one.
    Fails,
}

fn take(options: &Options, compiler: &Asked<'_>, programs: u64) -> Answer {
    let Ok(dir) = compiler.scratch.dir() else { return Answer::Takes };
    let mut answer = Answer::Takes;
    for seed in 0..programs {
        match compiled(
            &generate::generate(seed, options).text(),
            compiler,
            words(options, compiler.tested),
            &dir,
        ) {
            Some(CompileOutcome::Ok) => {}
            Some(CompileOutcome::Rejected { .. }) => return Answer::Refuses,
            None
            | Some(
                CompileOutcome::TimedOut(_) | CompileOutcome::OutOfMemory { .. } | CompileOutcome::Cancelled,
            ) => return Answer::Takes,
            Some(_) => answer = Answer::Fails,
        }
    }
    answer
}

/// Of the constructs that came with newer compilers, which are off unless asked for, those that this one takes, but for what
/// the command line says anyway. `None` where it does not answer.
pub(super) fn late(options: &Options, compiler: &Asked<'_>) -> Option<Vec<Switch>> {
    let tested = compiler.tested;
    let mut options = options.clone();
    options.swarm = false;
    options.set(Switch::VarySize, false);
    if options.set_limit(Limit::Tokens, LATE_SIZE).is_err() || !tested.compiler.family.optimises() {
        return Some(Vec::new());
    }
    let all: Vec<Switch> = late_switches(&options).filter(|s| knows_layout(*s, &tested.target)).collect();
    let (mut taken, given_up) = (Vec::new(), Cell::new(false));
    add(&all, &mut taken, &|on| {
        !given_up.get()
            && takes_late(&with(&options, on, &[]), compiler).unwrap_or_else(|NoAnswer| {
                given_up.set(true);
                false
            })
    });
    (!given_up.get()).then_some(taken)
}

/// A compiler that takes too long or too much, or that cannot be started any more, says nothing.
struct NoAnswer;

/// The switches of such constructs that the command line leaves to the hunt.
pub(super) fn late_switches(options: &Options) -> impl Iterator<Item = Switch> {
    Options::late().filter(|switch| !options.said(*switch) && !options.on(*switch))
}

/// Has the machine a layout of what the switch stands for in the data model?
fn knows_layout(switch: Switch, target: &Target) -> bool {
    let x86_64 =
        target.pointer_bytes == 8 && target.endian == Endian::Little && target.long_double == LongDouble::X87;
    switch != Switch::BitInt || x86_64
}

/// Does the compiler take programs that have, together, several of each construct that is on? A program in which there is
/// none says nothing of it. At both ends of its levels: what must be a jump is one in another way where nothing is optimised.
fn takes_late(options: &Options, compiler: &Asked<'_>) -> Result<bool, NoAnswer> {
    let dir = compiler.scratch.dir().map_err(|_| NoAnswer)?;
    let mut options = options.clone();
    options.favour_late();
    let mut seen: BTreeMap<Switch, usize> =
        Options::late().filter(|switch| options.on(*switch)).map(|switch| (switch, 0)).collect();
    for seed in 0..LATE_MOST {
        let program = generate::generate(seed, &options);
        let level = if seed % 2 == 0 { "-O0" } else { "-O2" }.to_owned();
        let words: Vec<String> = words(&options, compiler.tested).iter().cloned().chain([level]).collect();
        match compiled(&program.text(), compiler, &words, &dir).ok_or(NoAnswer)? {
            CompileOutcome::Rejected { .. } => return Ok(false),
            CompileOutcome::TimedOut(_)
            | CompileOutcome::Cancelled
            | CompileOutcome::NotStarted(_)
            | CompileOutcome::OutOfMemory { .. }
            | CompileOutcome::DiskFull { .. }
            | CompileOutcome::ProcessLimit => return Err(NoAnswer),
            // What it fails itself on it may take, or have refused later.
            CompileOutcome::Crashed(_) | CompileOutcome::OutputLimit(_) | CompileOutcome::NoOutput => {
                continue;
            }
            CompileOutcome::Ok => {}
        }
        program.late.iter().for_each(|switch| *seen.entry(*switch).or_default() += 1);
        if seen.values().all(|count| *count >= LATE_PROGRAMS) {
            return Ok(true);
        }
    }
    Ok(seen.values().all(|count| *count > 0))
}

/// What the compiler is asked with for programs of these options.
fn words<'a>(options: &Options, tested: &'a Tested) -> &'a [String] {
    if options.on(Switch::C23) { &tested.newer } else { &tested.older }
}

fn refuses(text: &str, compiler: &Asked<'_>) -> bool {
    let Ok(dir) = compiler.scratch.dir() else { return false };
    matches!(compiled(text, compiler, &compiler.tested.older, &dir), Some(CompileOutcome::Rejected { .. }))
}

/// What a compiler makes of a program. It is linked, since a builtin that a compiler does not know may be a call for it that
/// nothing defines.
fn compiled(text: &str, compiler: &Asked<'_>, words: &[String], dir: &Scratch) -> Option<CompileOutcome> {
    fs::write(dir.file(INPUT), text).ok()?;
    let job = Compilation::new(dir.file(INPUT), dir.file(OUTPUT))
        .args(words.iter().cloned())
        .library("-lm")
        .limits(compiler.limits.clone());
    Some(compiler.tested.compiler.compile(&job).outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_alone_or_together_is_left_out() {
        let all = &DIALECT[..12];
        for refused in [vec![], vec![all[0]], vec![all[3], all[4], all[11]]] {
            let mut taken = Vec::new();
            add(all, &mut taken, &|on| !refused.iter().any(|switch| on.contains(switch)));
            let left: Vec<Switch> = all.iter().copied().filter(|switch| !refused.contains(switch)).collect();
            assert_eq!(taken, left);
        }
        // Two that are taken by themselves and not together: the later one goes.
        let mut taken = Vec::new();
        add(all, &mut taken, &|on| !(on.contains(&all[2]) && on.contains(&all[9])));
        assert_eq!(taken.len(), all.len() - 1);
        assert!(!taken.contains(&all[9]));
    }

    #[test]
    fn a_switch_stands_once_and_none_of_those_without_which_a_program_says_nothing() {
        for (number, switch) in DIALECT.iter().enumerate() {
            assert!(!DIALECT[..number].contains(switch), "{switch:?}");
        }
        assert!(!DIALECT.contains(&Switch::Main) && !DIALECT.contains(&Switch::Checksum));
    }
}
