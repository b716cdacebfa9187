//! Which findings are the same bug, and in which order to look at bugs (thesis 7.2.4).
//!
//! Findings with the same signature are one bug; what is gone without each of several passes that are to blame for others is
//! kept apart, since it may be a bug of any of them, and shown behind these. Findings for which none is known are put together where their programs and
//! failures are much alike. What a person decided comes last and wins. Bugs are ordered furthest point first: each next one is
//! the one most unlike all before it, and known bugs come last.

use super::distance::Features;
use crate::store::Decision;
use std::collections::BTreeMap;

/// Findings without a signature nearer than this, on the average of two groups, are one bug.
const ALIKE: f64 = 0.5;

/// A finding as far as grouping looks at it.
#[derive(Clone, Debug, Default)]
pub struct Member {
    /// Its identity.
    pub id: String,
    /// What findings of the same bug have in common; `None` where that is not known.
    pub key: Option<String>,
    /// What only findings that may be the same bug have in common, as compiler and kind.
    pub class: String,
    /// For comparing.
    pub features: Features,
    /// The bytes of its program: the smallest stands for a group.
    pub bytes: u64,
    /// Is it doubtful?
    pub doubtful: bool,
    /// Does its key name several bugs, of which it may be any?
    pub rivalled: bool,
    /// The name of the known bug that it is.
    pub known: Option<String>,
}

/// A bug: findings by their index, the one that stands for it first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The members.
    pub members: Vec<usize>,
}

/// Groups findings and orders the groups.
pub fn groups(members: &[Member], decisions: &[Decision]) -> Vec<Group> {
    let mut label: Vec<usize> = (0..members.len()).collect();
    by_key(members, &mut label);
    by_likeness(members, &mut label);
    decide(members, decisions, &mut label);
    let mut by_label: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, label) in label.iter().enumerate() {
        by_label.entry(*label).or_default().push(index);
    }
    let mut found: Vec<Group> = by_label.into_values().map(|members| Group { members }).collect();
    for group in &mut found {
        group.members.sort_by_key(|&index| {
            let member = &members[index];
            (member.doubtful, member.bytes, member.id.clone())
        });
    }
    furthest_first(members, found)
}

fn by_key(members: &[Member], label: &mut [usize]) {
    let mut first: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (index, member) in members.iter().enumerate() {
        if let Some(key) = &member.key {
            label[index] = *first.entry((&member.class, key)).or_insert(index);
        }
    }
}

/// Puts findings without a key together, the nearest groups first, until none are near.
fn by_likeness(members: &[Member], label: &mut [usize]) {
    let mut groups: Vec<Vec<usize>> =
        (0..members.len()).filter(|&index| members[index].key.is_none()).map(|index| vec![index]).collect();
    let mean = |a: &[usize], b: &[usize]| {
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y)));
        let sum: f64 = pairs.map(|(x, y)| members[x].features.distance(&members[y].features)).sum();
        sum / (a.len() * b.len()) as f64
    };
    let mut distances: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let class = |group: &[usize]| &members[group[0]].class;
    for b in 0..groups.len() {
        for a in 0..b {
            if class(&groups[a]) == class(&groups[b]) {
                distances.insert((a, b), mean(&groups[a], &groups[b]));
            }
        }
    }
    while let Some((&(a, b), _)) =
        distances.iter().filter(|(_, d)| **d < ALIKE).min_by(|x, y| x.1.total_cmp(y.1).then(x.0.cmp(y.0)))
    {
        let moved = std::mem::take(&mut groups[b]);
        groups[a].extend(moved);
        distances.retain(|(x, y), _| *x != b && *y != b);
        let again: Vec<(usize, usize)> =
            distances.keys().copied().filter(|(x, y)| *x == a || *y == a).collect();
        for (x, y) in again {
            distances.insert((x, y), mean(&groups[x], &groups[y]));
        }
    }
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let first = group.iter().copied().min().unwrap_or(group[0]);
        for &index in group {
            label[index] = first;
        }
    }
}

/// What a person said: a merge joins the groups of two findings, a split takes one out of its group for good.
fn decide(members: &[Member], decisions: &[Decision], label: &mut [usize]) {
    let find = |id: &str| members.iter().position(|member| member.id == id);
    for decision in decisions {
        match decision {
            Decision::Merge(one, other) => {
                if let (Some(one), Some(other)) = (find(one), find(other)) {
                    let (kept, gone) = (label[one], label[other]);
                    label.iter_mut().filter(|label| **label == gone).for_each(|label| *label = kept);
                }
            }
            Decision::Split(id) => {
                if let Some(index) = find(id) {
                    // Labels of groups are indices of members: one beyond them is nobody's.
                    label[index] = members.len() + index;
                }
            }
        }
    }
}

/// Furthest point first: begins with the bug of most findings.
fn furthest_first(members: &[Member], groups: Vec<Group>) -> Vec<Group> {
    let lead = |group: &Group| &members[group.members[0]];
    let is_known = |group: &Group| group.members.iter().any(|&index| members[index].known.is_some());
    let (known, open): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(is_known);
    // What may be one of the others comes behind them.
    let (behind, open): (Vec<Group>, Vec<Group>) = open.into_iter().partition(|group| lead(group).rivalled);
    let mut ordered: Vec<Group> = Vec::new();
    for open in [open, behind] {
        order(members, open, &known, &mut ordered);
    }
    ordered.extend(known);
    ordered
}

/// Adds groups to those that are ordered already, the one most unlike all of these first.
fn order(members: &[Member], mut open: Vec<Group>, known: &[Group], ordered: &mut Vec<Group>) {
    let lead = |group: &Group| &members[group.members[0]];
    // Likeness to a known bug counts as likeness to one that was shown already.
    let mut nearest: Vec<f64> = open
        .iter()
        .map(|group| {
            let shown = known.iter().chain(ordered.iter());
            shown.map(|other| lead(other).features.distance(&lead(group).features)).fold(1.0, f64::min)
        })
        .collect();
    while !open.is_empty() {
        let best = (0..open.len()).max_by(|&a, &b| {
            let size = |at: usize| open[at].members.len();
            nearest[a].total_cmp(&nearest[b]).then(size(a).cmp(&size(b))).then(b.cmp(&a))
        });
        let at = best.unwrap_or(0);
        let next = open.remove(at);
        nearest.remove(at);
        for (group, nearest) in open.iter().zip(&mut nearest) {
            *nearest = nearest.min(lead(&next).features.distance(&lead(group).features));
        }
        ordered.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(id: &str, key: Option<&str>, text: &str) -> Member {
        Member {
            id: id.to_owned(),
            key: key.map(str::to_owned),
            class: "wrong-code tcc".to_owned(),
            features: Features::of(text, "exit"),
            bytes: text.len() as u64,
            ..Member::default()
        }
    }

    fn names(members: &[Member], groups: &[Group]) -> Vec<Vec<String>> {
        let name = |index: &usize| members[*index].id.clone();
        groups.iter().map(|group| group.members.iter().map(name).collect()).collect()
    }

    fn sample() -> Vec<Member> {
        vec![
            member("a", None, "int x; int main(void) { return x << 3; }"),
            member("b", None, "int yy; int main(void) { return yy << 30; }"),
            member("c", None, "struct s { long f : 3; } v; int main(void) { v.f--; printf(\"%d\", v.f); }"),
            member(
                "d",
                Some("pass"),
                "double q(float f) { return f * 2.0; } int main(void) { return q(1); }",
            ),
            member("e", Some("pass"), "int main(void) { while (1) break; }"),
        ]
    }

    #[test]
    fn the_same_key_or_much_likeness_is_one_bug() {
        let members = sample();
        let mut found = names(&members, &groups(&members, &[]));
        found.sort();
        assert_eq!(found, [vec!["a", "b"], vec!["c"], vec!["e", "d"]]);
    }

    #[test]
    fn decisions_win_and_the_last_one_most() {
        let members = sample();
        let merge = Decision::Merge("a".to_owned(), "c".to_owned());
        let split = Decision::Split("b".to_owned());
        let mut found = names(&members, &groups(&members, &[merge.clone(), split.clone()]));
        found.sort();
        assert_eq!(found, [vec!["a", "c"], vec!["b"], vec!["e", "d"]]);
        let back = Decision::Merge("a".to_owned(), "b".to_owned());
        assert_eq!(groups(&members, &[merge, split, back]).len(), 2);
    }

    #[test]
    fn what_may_be_another_bug_comes_behind_it() {
        let mut members = sample();
        members[3].key = Some("pass or other".to_owned());
        members[3].rivalled = true;
        let found = names(&members, &groups(&members, &[]));
        assert_eq!(found.last(), Some(&vec!["d".to_owned()]));
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn known_bugs_come_last_and_unlike_ones_early() {
        let mut members = sample();
        members[0].known = Some("reported".to_owned());
        let found = names(&members, &groups(&members, &[]));
        assert_eq!(found.last(), Some(&vec!["a".to_owned(), "b".to_owned()]));
        let order = groups(&sample(), &[]);
        assert_eq!(order[0].members.len(), 2, "most findings first");
    }
}
