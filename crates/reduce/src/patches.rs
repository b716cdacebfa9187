//! Patches put together and carried over: which of several hints can be applied at once, and what is left of the others
//! afterwards.

use crate::{Case, Hint, Patch};
use std::cmp::Reverse;
use std::ops::Range;

/// The patches of all hints that can be applied together, sorted and apart from each other. A patch inside another's
/// deletion goes with it; of two hints that contradict each other the first is applied.
pub fn merge<'h>(hints: impl IntoIterator<Item = &'h Hint>) -> Vec<Patch> {
    let hints: Vec<&Hint> = hints.into_iter().collect();
    let mut all: Vec<(usize, &Patch)> = Vec::new();
    for (index, hint) in hints.iter().enumerate() {
        all.extend(hint.patches.iter().map(|patch| (index, patch)));
    }
    all.sort_by_key(|(index, p)| (p.file, p.span.start, Reverse(p.span.end), *index));
    let mut refused = vec![false; hints.len()];
    // Refusing a hint sets others free, yet only once more: a second look that refused again would rarely gain.
    clashes(&all, &mut refused);
    let mut kept: Vec<Patch> = Vec::new();
    for (index, patch) in all {
        if refused[index] {
            continue;
        }
        match kept.last() {
            Some(last) if last.file == patch.file && last.span.end > patch.span.start => {}
            Some(last) if last.file == patch.file && last.span == patch.span && last.with == patch.with => {}
            Some(_) | None => kept.push(patch.clone()),
        }
    }
    kept
}

/// Marks hints that contradict others: whose patches overlap without one deleting the other whole. Of two such hints the
/// later one is refused.
fn clashes(all: &[(usize, &Patch)], refused: &mut [bool]) {
    let mut open: Vec<(usize, &Patch)> = Vec::new();
    for &(index, patch) in all {
        open.retain(|(_, o)| {
            o.file == patch.file
                && (o.span.end > patch.span.start || o.span == patch.span && patch.span.is_empty())
        });
        for &(other, outer) in &open {
            if other == index || refused[other] || refused[index] || agree(outer, patch) {
                continue;
            }
            refused[other.max(index)] = true;
        }
        open.push((index, patch));
    }
}

/// Do two overlapping patches, the first beginning no later than the second, go together?
fn agree(outer: &Patch, inner: &Patch) -> bool {
    outer == inner || outer.with.is_empty() && !outer.span.is_empty() && inner.span.end <= outer.span.end
}

/// The text with these patches of it, which are sorted and apart from each other.
pub fn patched(text: &[u8], patches: &[Patch]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for patch in patches {
        out.extend_from_slice(&text[at..patch.span.start]);
        out.extend_from_slice(&patch.with);
        at = patch.span.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// What a hint becomes once `applied` (as [`merge`] made it) has been applied: its patches shifted, those that were
/// swallowed left out. `None` if nothing is left of it or it no longer fits.
pub fn rebase(hint: &Hint, applied: &[Patch]) -> Option<Hint> {
    let mut patches = Vec::new();
    for patch in &hint.patches {
        match moved(patch, applied) {
            Moved::To(span) => patches.push(Patch { file: patch.file, span, with: patch.with.clone() }),
            Moved::Gone => {}
            Moved::Unfit => return None,
        }
    }
    let does_something = patches.iter().any(|p| !p.span.is_empty() || !p.with.is_empty());
    does_something.then_some(Hint { patches })
}

enum Moved {
    To(Range<usize>),
    Gone,
    Unfit,
}

/// Where a patch stands after `applied`. Those before it shift it; those within a deletion shrink it.
fn moved(patch: &Patch, applied: &[Patch]) -> Moved {
    let from = applied.partition_point(|a| (a.file, a.span.end) < (patch.file, patch.span.start));
    let mut inner: isize = 0;
    for other in &applied[from..] {
        let past = other.file != patch.file || other.span.start > patch.span.end;
        let touches = other.span.end == patch.span.start || other.span.start == patch.span.end;
        if past {
            break;
        }
        if other.span == patch.span && (other.with == patch.with || other.with.is_empty()) {
            return Moved::Gone;
        }
        if touches && other.span != patch.span {
            continue;
        }
        let within = patch.span.start >= other.span.start && patch.span.end <= other.span.end;
        let around = other.span.start >= patch.span.start && other.span.end <= patch.span.end;
        if within && other.with.is_empty() {
            return Moved::Gone;
        }
        if !around || !patch.with.is_empty() {
            return Moved::Unfit;
        }
        inner += change(other);
    }
    let before = applied.iter().filter(|a| a.file == patch.file && a.span.end <= patch.span.start);
    let shift: isize = before.map(change).sum();
    let start = patch.span.start.saturating_add_signed(shift);
    Moved::To(start..patch.span.end.saturating_add_signed(shift + inner))
}

fn change(patch: &Patch) -> isize {
    patch.with.len() as isize - patch.span.len() as isize
}

/// The hints that change something, each once, with sound patches: within the text, in order, apart.
pub fn sound(case: &Case, hints: Vec<Hint>) -> Vec<Hint> {
    let mut seen = rustc_hash::FxHashSet::default();
    let fits = |patch: &Patch| {
        let text = case.files.get(patch.file).map(|file| &file.text);
        text.is_some_and(|text| patch.span.start <= patch.span.end && patch.span.end <= text.len())
    };
    let acts = |p: &Patch| case.files[p.file].text[p.span.clone()] != p.with[..];
    let ordered = |hint: &Hint| {
        hint.patches.windows(2).all(|w| {
            (w[0].file, w[0].span.start) <= (w[1].file, w[1].span.start)
                && (w[0].file != w[1].file || w[0].span.end <= w[1].span.start)
        })
    };
    let mut kept = Vec::with_capacity(hints.len());
    for mut hint in hints {
        hint.patches.sort_by_key(|p| (p.file, p.span.start, p.span.end));
        hint.patches.dedup();
        if hint.patches.iter().all(fits)
            && ordered(&hint)
            && hint.patches.iter().any(acts)
            && seen.insert(hint.clone())
        {
            kept.push(hint);
        }
    }
    kept
}
