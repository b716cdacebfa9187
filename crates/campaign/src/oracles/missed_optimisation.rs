//! Dead blocks that one configuration removes and another, which should do no less, leaves in (Theodoridis, Rigger and
//! Su, ASPLOS 2022). That the blocks are dead is known from execution; that a compiler could have known it is shown by
//! one that did.
//!
//! Only the newest version of a compiler is accused: what it removes again is no news. At `-O0` nothing is missed.

use crate::configurations::{Configuration, Level};
use crate::verdict::Relation;
use mutate::markers::PREFIX;
use std::collections::BTreeSet;

/// What one configuration left in.
#[derive(Clone, Debug)]
pub struct Survivors {
    /// Index of the configuration.
    pub configuration: usize,
    /// The numbers of the markers that are called in its assembly.
    pub markers: BTreeSet<usize>,
}

/// A marker that one configuration leaves in and another removes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// The marker's number.
    pub marker: usize,
    /// What the better configuration is to the worse.
    pub relation: Relation,
    /// Index of the configuration that leaves it in.
    pub worse: usize,
    /// Index of the one that removes it.
    pub better: usize,
}

/// The markers that instructions of an assembly text name. Directives and comments are no uses.
pub fn survivors(assembly: &str) -> BTreeSet<usize> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let instructions = assembly.lines().map(str::trim_start).filter(|line| !line.starts_with(['.', '#']));
    instructions
        .flat_map(|line| line.split(|c| !is_word(c)))
        .filter_map(|word| word.strip_prefix(PREFIX)?.parse().ok())
        .collect()
}

/// Each marker that a configuration misses, once for each compiler that misses it: by the most telling comparison.
pub fn compare(configurations: &[Configuration], seen: &[Survivors]) -> Vec<Missed> {
    let of = |survivors: &Survivors| &configurations[survivors.configuration];
    let newest = |survivors: &Survivors| {
        let mine = of(survivors);
        seen.iter().all(|other| of(other).line() != mine.line() || of(other).version() <= mine.version())
    };
    let accused: Vec<&Survivors> =
        seen.iter().filter(|survivors| newest(survivors) && of(survivors).rank() != Level::None).collect();
    let mut lines: Vec<_> = accused.iter().map(|survivors| of(survivors).line()).collect();
    lines.sort();
    lines.dedup();
    let mut missed = Vec::new();
    for line in lines {
        let mut mine: Vec<&Survivors> =
            accused.iter().copied().filter(|survivors| of(survivors).line() == line).collect();
        mine.sort_by_key(|survivors| std::cmp::Reverse(of(survivors).rank()));
        let markers: BTreeSet<usize> =
            mine.iter().flat_map(|survivors| &survivors.markers).copied().collect();
        missed.extend(markers.iter().filter_map(|marker| of_marker(configurations, seen, &mine, *marker)));
    }
    missed
}

/// The most telling comparison of a marker: with an older version, then with another level, then with another compiler.
/// `mine` are the levels of one compiler, the highest first.
fn of_marker(
    configurations: &[Configuration],
    seen: &[Survivors],
    mine: &[&Survivors],
    marker: usize,
) -> Option<Missed> {
    let leaving: Vec<&Configuration> = mine
        .iter()
        .filter(|survivors| survivors.markers.contains(&marker))
        .map(|survivors| &configurations[survivors.configuration])
        .collect();
    let highest = mine.first().map(|survivors| configurations[survivors.configuration].rank());
    for relation in [Relation::Regression, Relation::Level, Relation::Compiler] {
        for worse in &leaving {
            // What another level of the compiler removes is not missed for want of the other compiler's wit.
            if relation == Relation::Compiler && Some(worse.rank()) != highest {
                continue;
            }
            let removes = seen.iter().filter(|other| !other.markers.contains(&marker));
            let related =
                removes.filter(|other| relates(relation, worse, &configurations[other.configuration]));
            // The nearest level of the compiler itself, the lowest of another, the newest of the older versions.
            let best = related.max_by_key(|other| {
                let better = &configurations[other.configuration];
                let level = better.rank() as i32;
                (if relation == Relation::Compiler { -level } else { level }, better.version())
            });
            if let Some(best) = best {
                let index = configurations.iter().position(|c| std::ptr::eq(c, *worse))?;
                return Some(Missed { marker, relation, worse: index, better: best.configuration });
            }
        }
    }
    None
}

/// Should the worse configuration remove what the better one does, for this reason?
fn relates(relation: Relation, worse: &Configuration, better: &Configuration) -> bool {
    let same_line = better.line() == worse.line();
    worse.compares(better)
        && match relation {
            Relation::Regression => {
                same_line && better.level == worse.level && better.version() < worse.version()
            }
            Relation::Level => {
                same_line
                    && better.version() == worse.version()
                    && better.rank() != worse.rank()
                    && better.rank().at_most(worse.rank())
            }
            // These have the same code, or it is a bug of another kind.
            Relation::DebugInfo => false,
            Relation::Compiler => better.family() != worse.family() && better.rank().at_most(worse.rank()),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configurations::{Tested, cross};
    use csyntax::target::Target;
    use toolchain::compiler::{Compiler, Family, Runner, Version};

    fn tested(name: &str, family: Family, version: u32) -> Tested {
        let data = toolchain::compiler::DataModel {
            pointer: 8,
            int: 4,
            long: 8,
            long_double: 16,
            big_endian: false,
            char_signed: true,
            stated: true,
        };
        let compiler = Compiler {
            command: vec![name.to_owned()],
            program: name.into(),
            family,
            version: Some(Version(version, 0, 0)),
            banner: name.to_owned(),
            target: toolchain::compiler::Target { triple: "x86_64-linux-gnu".to_owned(), data },
            runner: Runner::Native,
        };
        Tested {
            compiler,
            name: name.to_owned(),
            target: Target::LP64,
            x86: Some(64),
            float_flags: Vec::new(),
            older: Vec::new(),
            newer: Vec::new(),
            lto: false,
            menu: Default::default(),
        }
    }

    /// What is missed where each configuration, in order, leaves these markers in.
    fn missed(left: &[&[usize]]) -> Vec<(usize, Relation, String, String)> {
        let compilers = vec![
            tested("gcc-11", Family::Gcc, 11),
            tested("gcc-12", Family::Gcc, 12),
            tested("clang-19", Family::Clang, 19),
        ];
        let levels = ["-O0", "-O1", "-O2"].map(str::to_owned);
        let (configurations, _) = cross(compilers, &levels);
        assert_eq!(configurations.len(), left.len());
        let seen: Vec<Survivors> = left
            .iter()
            .enumerate()
            .map(|(configuration, left)| Survivors { configuration, markers: left.iter().copied().collect() })
            .collect();
        let label = |index: usize| configurations[index].label();
        compare(&configurations, &seen)
            .into_iter()
            .map(|missed| (missed.marker, missed.relation, label(missed.worse), label(missed.better)))
            .collect()
    }

    fn one(relation: Relation, worse: &str, better: &str) -> Vec<(usize, Relation, String, String)> {
        vec![(7, relation, worse.to_owned(), better.to_owned())]
    }

    #[test]
    fn the_most_telling_comparison_is_taken() {
        let (no, it): (&[usize], &[usize]) = (&[], &[7]);
        assert_eq!(
            missed(&[it, it, no, it, it, it, it, no, no]),
            one(Relation::Regression, "gcc-12 -O2", "gcc-11 -O2")
        );
        assert_eq!(
            missed(&[it, it, it, it, no, it, it, it, no]),
            one(Relation::Level, "gcc-12 -O2", "gcc-12 -O1")
        );
        assert_eq!(
            missed(&[it, it, it, it, it, it, it, no, no]),
            one(Relation::Compiler, "gcc-12 -O2", "clang-19 -O1")
        );
        assert_eq!(
            missed(&[no, no, no, no, no, no, it, it, it]),
            one(Relation::Compiler, "clang-19 -O2", "gcc-12 -O0")
        );
    }

    #[test]
    fn what_is_no_news_is_not_told() {
        let (no, it): (&[usize], &[usize]) = (&[], &[7]);
        // All leave it in; only the old version; only below the level that removes it; only at `-O0`.
        for left in [[it; 9], [it, it, it, no, no, no, no, no, no], [it, it, it, it, it, no, it, it, no]] {
            assert_eq!(missed(&left), []);
        }
        assert_eq!(missed(&[it, no, no, it, no, no, it, no, no]), []);
    }

    #[test]
    fn only_instructions_are_uses() {
        let text = "\t.globl\tplumb_dead_1\n# plumb_dead_2\nmain:\n\tcall\tplumb_dead_3@PLT\n\tjmp\tplumb_dead_14\n\t.addrsig_sym plumb_dead_5\n\tcallq\t*plumb_dead_6@GOTPCREL(%rip)\n\tmov plumb_dead_x, %eax\n";
        assert_eq!(survivors(text), BTreeSet::from([3, 6, 14]));
    }
}
