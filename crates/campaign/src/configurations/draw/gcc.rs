//! What a GCC offers, as `-Q --help=optimizers` and `-Q --help=params` list it.

use super::excluded::why;
use super::{Dish, Menu, Tester};

/// Options that GCC lists elsewhere, each a choice: code as distributions build it, and what hardens it.
const MORE: &[&[&str]] = &[
    &["-fPIC", "-fPIE", "-fno-pic"],
    &["-g", "-g3"],
    &["-fstack-protector-all", "-fstack-protector-strong"],
    &["-fcf-protection=full", "-fcf-protection=none"],
    &["-fzero-call-used-regs=all", "-fzero-call-used-regs=used"],
    &["-fharden-compares"],
    &["-fharden-conditional-branches"],
    &["-fno-builtin"],
    &["-ftrivial-auto-var-init=pattern", "-ftrivial-auto-var-init=zero"],
    &["-flto", "-flto-partition=one", "-flto-partition=max"],
    &["-fwhole-program"],
    &["-ffunction-sections", "-fdata-sections"],
    &["-fno-common", "-fcommon"],
    &["-fvisibility=hidden"],
];

/// Values above this make compilers slow, not different.
const MOST: u64 = 10_000;

/// The menu.
pub(super) fn menu(tester: &Tester<'_>) -> Menu {
    let options = tester.said(&["-Q", "--help=optimizers"]);
    let parameters = tester.said(&["-Q", "--help=params"]);
    let more =
        MORE.iter().map(|ways| Dish { ways: ways.iter().map(|way| vec![(*way).to_owned()]).collect() });
    let mut options: Vec<Dish> = options.lines().filter_map(option).collect();
    if options.is_empty() {
        return Menu::default();
    }
    options.extend(more);
    Menu { options, parameters: parameters.lines().filter_map(parameter).collect(), ..Menu::default() }
}

/// A line such as `-fgcse  [enabled]` or `-fira-algorithm=[CB|priority]  CB`.
fn option(line: &str) -> Option<Dish> {
    let mut words = line.split_whitespace();
    let name = words.next()?.strip_prefix("-f")?;
    let state = words.next();
    if let Some((name, values)) = name.split_once('=') {
        let values = values.strip_prefix('[')?.strip_suffix(']')?;
        if why(name).is_some() {
            return None;
        }
        let ways = values.split('|').map(|value| vec![format!("-f{name}={value}")]).collect();
        return Some(Dish { ways });
    }
    let switch = matches!(state, Some("[enabled]" | "[disabled]"));
    let plain = name.strip_prefix("no-").unwrap_or(name);
    (switch && why(plain).is_none()).then(|| Dish::of([format!("-f{plain}"), format!("-fno-{plain}")]))
}

/// A line such as `--param=align-threshold=<1,65536>  100` or `--param=avg-loop-niter=  10`.
fn parameter(line: &str) -> Option<Dish> {
    let mut words = line.split_whitespace();
    let (name, range) = words.next()?.strip_prefix("--param=")?.split_once('=')?;
    let default: u64 = words.next()?.parse().ok()?;
    if why(name).is_some() {
        return None;
    }
    let (low, high) = match range.strip_prefix('<').and_then(|range| range.strip_suffix('>')) {
        Some(range) => {
            let (low, high) = range.split_once(',')?;
            (low.parse::<u64>().ok()?, high.parse::<u64>().unwrap_or(u64::MAX))
        }
        None if range.is_empty() => (0, u64::MAX),
        None => return None,
    };
    let mut values: Vec<u64> = [low, low + 1, default / 2, default * 2, default * 8, high.min(MOST)]
        .into_iter()
        .filter(|value| (low..=high.min(MOST)).contains(value) && *value != default)
        .collect();
    values.sort_unstable();
    values.dedup();
    let ways: Vec<Vec<String>> = values.iter().map(|value| vec![format!("--param={name}={value}")]).collect();
    (!ways.is_empty()).then_some(Dish { ways })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(dish: Option<Dish>) -> Vec<String> {
        dish.map_or_else(Vec::new, |dish| dish.ways.concat())
    }

    #[test]
    fn lines_are_read_as_they_are_printed() {
        assert_eq!(ways(option("  -fgcse                  \t[enabled]")), ["-fgcse", "-fno-gcse"]);
        assert_eq!(ways(option("  -fno-inline-x  [disabled]")), ["-finline-x", "-fno-inline-x"]);
        assert_eq!(ways(option("  -fira-region=[one|all] \tone")), ["-fira-region=one", "-fira-region=all"]);
        assert!(ways(option("  -ffast-math  [disabled]")).is_empty());
        assert!(ways(option("  -frtti  [available in C++]")).is_empty());
        let range = ways(parameter("  --param=align-threshold=<1,65536> \t100"));
        assert_eq!(range.first().map(String::as_str), Some("--param=align-threshold=1"));
        assert!(range.contains(&"--param=align-threshold=200".to_owned()), "{range:?}");
        assert_eq!(ways(parameter("  --param=ranger-recompute-depth=<0,1> \t1")).len(), 1);
        assert!(ways(parameter("  --param=asan-stack=<0,1> \t1")).is_empty());
    }
}
