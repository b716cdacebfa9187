//! Options drawn for each program: what a level alone never reaches. A [`Menu`] is what one compiler offers, read from
//! the compiler itself; which options are never drawn, and why, is a table ([`excluded`]).
//!
//! A draw is a function of the program's seed, so that a campaign is the same at any number of jobs. A finding names
//! the fewest of the drawn options that still show it.

mod clang;
mod excluded;
mod gcc;
mod machine;

use super::profile::{GENERATE, USE};
use csyntax::target::Target;
use mutate::choices::Choices;
use std::fs;
use std::time::Duration;
use toolchain::compiler::{Compilation, CompileOutcome, Compiler, Family, Product, Runner, Version};
use toolchain::process::{Limits, Outcome, Spec, run};
use toolchain::scratch::ScratchRoot;

/// One dish: ways to write one option, of which a draw takes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dish {
    /// Each is one or more words.
    ways: Vec<Vec<String>>,
}

impl Dish {
    fn of<const N: usize>(ways: [String; N]) -> Dish {
        Dish { ways: ways.into_iter().map(|way| vec![way]).collect() }
    }
}

/// What one compiler offers beside its levels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Menu {
    /// Options of passes and code generation.
    options: Vec<Dish>,
    /// Numbers that steer passes (`--param`, `-mllvm`).
    parameters: Vec<Dish>,
    /// Processors to compile for, and how vectors are used.
    machine: Vec<Dish>,
    /// Sanitizers whose programs link and run here.
    checks: Vec<Dish>,
    /// Programs that write or use a profile of themselves.
    profiles: Vec<Dish>,
    /// Sets of the options above that earlier hunts found something with.
    proved: Vec<Vec<Vec<String>>>,
    /// What any draw needs so that the program means what it means: no fused operations.
    always: Vec<String>,
}

/// How many options and parameters a draw takes; many small draws, some large ones.
const OPTIONS: [usize; 6] = [0, 1, 3, 8, 20, 40];
const PARAMETERS: [usize; 5] = [0, 0, 1, 3, 8];
/// One draw in so many has a sanitizer: these cost a multiple to compile and to run.
const CHECKED: usize = 8;
/// One in so many has to do with profiles: two of three of these are compiled twice.
const PROFILED: usize = 8;
/// The first version of GCC that names profiles after the program, and not after the current directory.
const NAMES_PROFILES: Version = Version(11, 0, 0);

/// The sanitizers: a defined program is silent under each.
const SANITIZERS: [&str; 3] = ["-fsanitize=address", "-fsanitize=undefined", "-fsanitize=address,undefined"];

impl Menu {
    /// Reads what a compiler offers. One that does not say has nothing to draw from.
    pub fn read(compiler: &Compiler, target: &Target, scratch: &ScratchRoot) -> Menu {
        let tester = Tester { compiler, scratch };
        let mut menu = match compiler.family {
            Family::Gcc => gcc::menu(&tester),
            Family::Clang => clang::menu(&tester),
            Family::ZigCc | Family::Tcc | Family::Pcc | Family::Unknown => Menu::default(),
        };
        if menu == Menu::default() {
            return menu;
        }
        menu.machine = machine::dishes(&compiler.target.triple, target.pointer_bytes);
        menu.always = vec!["-ffp-contract=off".to_owned()];
        for dishes in [&mut menu.options, &mut menu.parameters, &mut menu.machine] {
            tester.keep_taken(dishes);
        }
        if compiler.runner != Runner::Native {
            tester.keep_running(&mut menu.machine);
        }
        let native = compiler.runner == Runner::Native;
        let runs = SANITIZERS.iter().filter(|word| native && tester.runs(PROBE, &[**word]));
        let ways: Vec<Vec<String>> = runs.map(|word| vec![(*word).to_owned()]).collect();
        let names = compiler.family == Family::Gcc && compiler.version >= Some(NAMES_PROFILES);
        if names && tester.runs(PROBE, &[GENERATE]) {
            let ways = [USE, USE, GENERATE].map(|word| vec![word.to_owned()]).to_vec();
            menu.profiles = vec![Dish { ways }];
        }
        menu.checks = if ways.is_empty() { Vec::new() } else { vec![Dish { ways }] };
        menu
    }

    /// Is there nothing to draw from?
    pub fn is_empty(&self) -> bool {
        self.options.is_empty() && self.parameters.is_empty() && self.machine.is_empty()
    }

    /// Takes from these configurations what this compiler offers too: half of the draws begin with one of these sets.
    pub fn learn<'a>(&mut self, configurations: impl Iterator<Item = &'a Vec<String>>) {
        let dishes = [&self.options, &self.parameters, &self.machine];
        let offered: Vec<&Vec<String>> = dishes.into_iter().flatten().flat_map(|dish| &dish.ways).collect();
        let mut proved: Vec<Vec<Vec<String>>> = Vec::new();
        for words in configurations {
            let mut known = groups(words);
            known.retain(|group| offered.contains(&group));
            if !known.is_empty() && !proved.contains(&known) {
                proved.push(known);
            }
        }
        self.proved = proved;
    }

    /// The words of a draw.
    pub fn draw(&self, choices: &mut Choices) -> Vec<String> {
        let mut words = self.always.clone();
        let begun: &[Vec<String>] = match self.proved.len() {
            0 => &[],
            _ if choices.coin() => &[],
            count => &self.proved[choices.below(count)],
        };
        words.extend(begun.concat());
        let mut take = |dishes: &[Dish], count: usize, choices: &mut Choices| {
            let is_free = |dish: &&Dish| !dish.ways.iter().any(|way| begun.contains(way));
            let mut left: Vec<&Dish> = dishes.iter().filter(is_free).collect();
            for _ in 0..count.min(left.len()) {
                let dish = left.swap_remove(choices.below(left.len()));
                words.extend(dish.ways[choices.below(dish.ways.len())].iter().cloned());
            }
        };
        take(&self.options, OPTIONS[choices.below(OPTIONS.len())], choices);
        take(&self.parameters, PARAMETERS[choices.below(PARAMETERS.len())], choices);
        let machine = choices.below(self.machine.len().min(3) + 1);
        take(&self.machine, machine, choices);
        if choices.below(CHECKED) == 0 {
            take(&self.checks, 1, choices);
        }
        if !self.profiles.is_empty() && choices.below(PROFILED) == 0 {
            take(&self.profiles, 1, choices);
        }
        words
    }
}

/// Words that go together when options are cut away: `-mllvm` and what follows it.
pub fn groups(words: &[String]) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut open = false;
    for word in words {
        match groups.last_mut().filter(|_| open) {
            Some(group) => group.push(word.clone()),
            None => groups.push(vec![word.clone()]),
        }
        open = !open && word == clang::PREFIX;
    }
    groups
}

/// Time for one trial.
const TIME: Duration = Duration::from_secs(20);
/// Trials beneath which a whole list is not taken apart any further.
const MOST_TRIALS: usize = 400;

/// The program of a trial.
const PROBE: &str = "int printf(const char *, ...);\nint main(void) { return printf(\"\"); }\n";

/// Tries which words a compiler takes.
struct Tester<'a> {
    compiler: &'a Compiler,
    scratch: &'a ScratchRoot,
}

impl Tester<'_> {
    /// Drops the ways that the compiler refuses: the whole list is tried, and halved where it is refused.
    fn keep_taken(&self, dishes: &mut Vec<Dish>) {
        let widest = dishes.iter().map(|dish| dish.ways.len()).max().unwrap_or(0);
        let mut trials = MOST_TRIALS;
        let mut kept: Vec<Dish> = dishes.iter().map(|_| Dish { ways: Vec::new() }).collect();
        for way in 0..widest {
            let all: Vec<usize> = (0..dishes.len()).filter(|&n| dishes[n].ways.len() > way).collect();
            let mut pending = vec![all];
            while let Some(part) = pending.pop() {
                if part.is_empty() || trials == 0 {
                    continue;
                }
                trials -= 1;
                let words = part.iter().flat_map(|&n| dishes[n].ways[way].iter().cloned());
                if self.takes(words) {
                    part.iter().for_each(|&n| kept[n].ways.push(dishes[n].ways[way].clone()));
                } else if part.len() > 1 {
                    let (left, right) = part.split_at(part.len() / 2);
                    pending.extend([left.to_vec(), right.to_vec()]);
                }
            }
        }
        kept.retain(|dish| !dish.ways.is_empty());
        *dishes = kept;
    }

    /// Drops the ways whose programs do not run: an emulator has not every processor.
    fn keep_running(&self, dishes: &mut Vec<Dish>) {
        for dish in dishes.iter_mut() {
            dish.ways.retain(|way| {
                let words: Vec<&str> = way.iter().map(String::as_str).collect();
                self.runs(machine::VECTORS, &[&["-O3"][..], &words].concat())
            });
        }
        dishes.retain(|dish| !dish.ways.is_empty());
    }

    /// What the compiler says when asked with these words; nothing where it fails.
    fn said(&self, words: &[&str]) -> String {
        let Ok(dir) = self.scratch.dir() else { return String::new() };
        let limits = Limits { stdout: 4 << 20, ..Limits::within(TIME) };
        let spec = Spec::from_argv(self.compiler.command.iter().cloned()).args(words.iter().copied());
        let done = run(&spec.working_in(dir.path()).limits(limits));
        match done.outcome {
            Outcome::Exited(0) => String::from_utf8_lossy(&done.stdout).into_owned(),
            _ => String::new(),
        }
    }

    /// Does this program link with these words, and run?
    fn runs(&self, program: &str, words: &[&str]) -> bool {
        let (Ok(dir), Ok(cwd)) = (self.scratch.dir(), self.scratch.dir()) else { return false };
        if fs::write(dir.file(super::INPUT), program).is_err() {
            return false;
        }
        let limits = Limits { processes: Some(256), address_space: None, ..Limits::within(TIME) };
        let job = Compilation::new(dir.file(super::INPUT), dir.file(super::OUTPUT))
            .args(["-w"])
            .args(words.iter().copied());
        let done = self.compiler.compile(&job.limits(limits.clone()));
        if done.outcome != CompileOutcome::Ok {
            return false;
        }
        let spec = self.compiler.run_spec(&dir.file(super::OUTPUT), cwd.path(), &limits);
        let spec = spec.map(super::checking_itself);
        spec.is_some_and(|spec| run(&spec).outcome == Outcome::Exited(0))
    }

    fn takes(&self, words: impl Iterator<Item = String>) -> bool {
        let Ok(dir) = self.scratch.dir() else { return false };
        if fs::write(dir.file(super::INPUT), PROBE).is_err() {
            return false;
        }
        let limits = Limits { processes: Some(256), ..Limits::within(TIME) };
        let job = Compilation::new(dir.file(super::INPUT), dir.file("program.o"))
            .args(["-O2".to_owned(), "-w".to_owned()])
            .args(words)
            .product(Product::Object)
            .limits(limits);
        self.compiler.compile(&job).outcome == CompileOutcome::Ok
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu() -> Menu {
        let dish = |n: usize| Dish::of([format!("-f{n}"), format!("-fno-{n}")]);
        Menu { options: (0..50).map(dish).collect(), always: vec!["-k".to_owned()], ..Menu::default() }
    }

    #[test]
    fn a_draw_is_a_function_of_its_seed_and_takes_no_option_twice() {
        for seed in 0..200 {
            let words = menu().draw(&mut Choices::new(seed));
            assert_eq!(words, menu().draw(&mut Choices::new(seed)));
            let mut names: Vec<&str> =
                words.iter().map(|w| w.trim_start_matches("-fno-").trim_start_matches("-f")).collect();
            let before = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), before, "{words:?}");
        }
    }

    #[test]
    fn half_of_the_draws_begin_with_what_earlier_hunts_found_something_with() {
        let mut learnt = menu();
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
        // Of the second configuration nothing can be drawn here.
        let all = [words("gcc-12 -O2 -f7 -fno-9"), words("tcc -O1"), words("gcc-12 -O1 -f7 -fno-9")];
        learnt.learn(all.iter());
        assert_eq!(learnt.proved, [vec![words("-f7"), words("-fno-9")]]);
        let begun = |seed| {
            let drawn = learnt.draw(&mut Choices::new(seed));
            assert!(!drawn.contains(&"-fno-7".to_owned()) || !drawn.contains(&"-f7".to_owned()), "{drawn:?}");
            drawn[1..].starts_with(&["-f7".to_owned(), "-fno-9".to_owned()])
        };
        let count = (0..400).filter(|seed| begun(*seed)).count();
        assert!((160..240).contains(&count), "{count}");
        let mut other = menu();
        other.learn(all[1..2].iter());
        assert_eq!(other, menu());
    }

    #[test]
    fn some_draws_have_a_sanitizer() {
        let checks = vec![Dish { ways: SANITIZERS.map(|word| vec![word.to_owned()]).to_vec() }];
        let (plain, checked) = (menu(), Menu { checks, ..menu() });
        let draws =
            (0..800).map(|seed| (plain.draw(&mut Choices::new(seed)), checked.draw(&mut Choices::new(seed))));
        let more: Vec<_> = draws.filter(|(plain, checked)| plain != checked).collect();
        assert!((60..140).contains(&more.len()), "{}", more.len());
        for (plain, checked) in more {
            assert_eq!(checked[..plain.len()], plain);
            assert!(matches!(&checked[plain.len()..], [word] if SANITIZERS.contains(&word.as_str())));
        }
    }

    #[test]
    fn words_that_belong_together_stay_together() {
        let words = ["-fx", "-mllvm", "-a=1", "-mllvm", "-mllvm", "-fy"].map(str::to_owned);
        let of = |group: &[&str]| group.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            groups(&words),
            [of(&["-fx"]), of(&["-mllvm", "-a=1"]), of(&["-mllvm", "-mllvm"]), of(&["-fy"])]
        );
    }
}
