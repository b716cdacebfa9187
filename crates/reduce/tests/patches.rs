//! Laws of patches: what is merged can be applied, and hints carried over do what they would have done.

use reduce::patches::{merge, rebase, sound};
use reduce::{Case, Hint, Patch};

fn case(text: &str) -> Case {
    Case::new([("a".to_owned(), text.as_bytes().to_vec())])
}

fn put(start: usize, end: usize, with: &str) -> Patch {
    Patch { file: 0, span: start..end, with: with.as_bytes().to_vec() }
}

fn hint(patches: &[Patch]) -> Hint {
    Hint { patches: patches.to_vec() }
}

fn applied(text: &str, hints: &[Hint]) -> String {
    let after = case(text).patched(&merge(hints));
    String::from_utf8_lossy(&after.files[0].text).into_owned()
}

#[test]
fn the_outer_deletion_wins_and_the_first_of_two_that_contradict() {
    assert_eq!(applied("abcdef", &[hint(&[put(1, 5, "")]), hint(&[put(2, 3, "x"), put(5, 6, "y")])]), "ay");
    assert_eq!(applied("abcdef", &[hint(&[put(1, 3, "x")]), hint(&[put(2, 4, "y")])]), "axdef");
    assert_eq!(applied("abcdef", &[hint(&[put(0, 1, "")]), hint(&[put(0, 1, ""), put(3, 4, "")])]), "bcef");
}

#[test]
fn hints_are_carried_over() {
    let cut = merge(&[hint(&[put(1, 3, "")])]);
    assert_eq!(rebase(&hint(&[put(4, 5, "z")]), &cut), Some(hint(&[put(2, 3, "z")])));
    assert_eq!(rebase(&hint(&[put(0, 6, "")]), &cut), Some(hint(&[put(0, 4, "")])));
    assert_eq!(rebase(&hint(&[put(2, 3, "z")]), &cut), None);
    assert_eq!(rebase(&hint(&[put(2, 4, "")]), &cut), None);
    assert_eq!(rebase(&hint(&[put(1, 3, ""), put(5, 6, "")]), &cut), Some(hint(&[put(3, 4, "")])));
}

/// A generator of numbers, the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn merging_then_carrying_over_is_merging_all() {
    let text: String = ('a'..='z').chain('A'..='Z').collect();
    let mut numbers = Numbers(7);
    for _ in 0..20_000 {
        let mut made = || {
            let patches = (0..1 + numbers.below(2)).map(|_| {
                let start = numbers.below(50);
                put(start, start + 1 + numbers.below(52 - start - 1), "")
            });
            hint(&patches.collect::<Vec<_>>())
        };
        let hints = sound(&case(&text), vec![made(), made(), made()]);
        let [first, rest @ ..] = &hints[..] else { continue };
        let merged = merge([first]);
        let after = case(&text).patched(&merged);
        for other in rest {
            // Deletions go together in one step as in two, if they go together at all.
            let Some(moved) = rebase(other, &merged) else { continue };
            let two = after.patched(&merge([&moved]));
            let one = case(&text).patched(&merge([first, other]));
            assert_eq!(two.files[0].text, one.files[0].text, "{first:?} {other:?}");
        }
    }
}
