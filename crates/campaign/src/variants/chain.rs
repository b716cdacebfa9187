//! Chains of variants (Hermes, algorithm 1: `P' <- EMI(P')`): a variant becomes the seed of the next round, so that edits
//! accumulate and meet: a guard around a block that an earlier round made, values computed from values that it put there.
//!
//! Each round is profiled as any seed is. What it does must be what the first seed does; another behaviour is a bug of the
//! strategy that made it, and is returned as a wrong variant.

use super::{Mutator, Prepared, Variant, same};
use crate::verdict::{Rejection, RejectionKind};
use machine::Options;
use mutate::choices::Choices;
use mutate::{Edit, Input, Seed, to_log};
use std::sync::Arc;

/// Rounds at most, where nothing else is said.
pub const CHAIN: usize = 3;
/// No further round is made of a text that is so many times as long as the first seed's, or longer than this.
const GROWTH: usize = 4;
const LONGEST: usize = 400 << 10;
/// Nor of one that needs more than this part of the machine's steps.
const STEPS: u64 = 4;

/// One round: the program that it changes.
#[derive(Clone)]
pub struct Round {
    /// The program as a seed.
    pub seed: Prepared,
    /// The edits that make the next round's program; of the last round, the variant's.
    pub edits: Vec<Edit>,
}

/// A variant and the rounds that it came from: at least one, the seed of the source first.
pub struct Chained {
    /// The variant.
    pub variant: Variant,
    /// Its rounds.
    pub rounds: Vec<Round>,
}

impl Mutator {
    /// A variant of a seed, or of a variant of it.
    pub fn chained(
        &self,
        first: &Prepared,
        (number, index): (u64, u64),
        (name, options): (&str, &Options),
    ) -> Result<Chained, Rejection> {
        let mut rounds: Vec<Round> = Vec::new();
        let mut prepared = Arc::clone(first);
        let more = self.rounds(number, index) - 1;
        for round in 1..=more {
            let seed = prepared.as_ref().as_ref().map_err(Clone::clone)?;
            if seed.opaque || self.chosen.editing.is_empty() || !has_room(seed, &rounds, options) {
                break;
            }
            let own = number ^ (round as u64) << 48;
            let made = self.edited(seed, (own, index), &mut Choices::nth(own ^ 0x5eed, index))?;
            let Some(next) = self.seed_of(&made, seed, (name, options))? else { break };
            rounds.push(Round { seed: prepared, edits: made.edits });
            prepared = Arc::new(Ok(next));
        }
        let seed = prepared.as_ref().as_ref().map_err(Clone::clone)?;
        let variant = self.variant(seed, number, index)?;
        rounds.push(Round { seed: Arc::clone(&prepared), edits: variant.edits.clone() });
        Ok(Chained { variant, rounds })
    }

    /// How many rounds a variant has: half of them one, half of the others two, and so on.
    fn rounds(&self, number: u64, index: u64) -> usize {
        let mut draw = Choices::nth(number ^ 0xc4a1, index);
        1 + (1..self.chain).take_while(|_| draw.coin()).count()
    }

    /// A round's result as the next one's seed. `None` where nothing was changed, or a budget keeps it from being one.
    fn seed_of(
        &self,
        made: &Variant,
        seed: &Seed,
        (name, options): (&str, &Options),
    ) -> Result<Option<Seed>, Rejection> {
        if made.edits.is_empty() {
            return Ok(None);
        }
        let input = Input { args: options.args.clone(), stdin: options.stdin.clone() };
        let wrong =
            |why: String| Rejection::WrongVariant(format!("{why}; its edits: {}", to_log(&made.edits)));
        match frontend::guarded(|| Seed::new(made.text.as_bytes(), name, options, &[input])) {
            Ok(Ok(next)) if same(&seed.truth[0].1, &next.truth[0].1) => Ok(Some(next)),
            Ok(Ok(_)) => Err(wrong("it behaves otherwise than its seed".to_owned())),
            Ok(Err(refusal)) => match super::not_used(&refusal) {
                Rejection::SeedNotUsed { because: RejectionKind::Exhausted, .. } => Ok(None),
                _ => Err(wrong(refusal.to_string())),
            },
            Err(said) => Err(Rejection::Internal(format!("the profile panicked: {said}"))),
        }
    }
}

/// May this program grow further?
fn has_room(seed: &Seed, rounds: &[Round], options: &Options) -> bool {
    let first = rounds.first().and_then(|round| round.seed.as_ref().as_ref().ok());
    let begun = first.map_or(seed.text.len(), |first| first.text.len());
    seed.text.len() <= LONGEST.min(GROWTH * begun) && seed.steps <= options.max_steps / STEPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutate::Settings;

    const PROGRAM: &str = "int printf(const char *, ...);
int f(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum += i * 3; if (i > 90) sum -= 5; } return sum; }
int main(void) { int a = f(7); int b = f(a % 9); if (a < 0) b = 4; printf(\"%d %d\\n\", a, b); return 0; }
";

    fn mutator(chain: usize) -> Mutator {
        Mutator::new(&["orion,hermes".to_owned()], 8, Settings::default(), &[], None)
            .expect("known")
            .chaining(chain)
    }

    #[test]
    fn rounds_build_on_each_other_and_can_be_replayed() {
        let options = Options::default();
        let mutator = mutator(3);
        let first = mutator.prepare(0, PROGRAM.as_bytes(), ("p.c", &options), None);
        let mut lengths = Vec::new();
        for index in 1..25 {
            let made = mutator.chained(&first, (0, index), ("p.c", &options)).expect("a variant");
            lengths.push(made.rounds.len());
            for (round, next) in made.rounds.iter().zip(made.rounds.iter().skip(1)) {
                let (Ok(seed), Ok(next)) = (&*round.seed, &*next.seed) else { panic!("no seed") };
                let text = seed.replay(&round.edits).expect("it fits");
                let again = Seed::new(text.as_bytes(), "p.c", &options, &[Input::default()]).expect("a seed");
                assert_eq!(again.text, next.text);
                assert!(same(&seed.truth[0].1, &next.truth[0].1));
            }
            let last =
                made.rounds.last().and_then(|round| round.seed.as_ref().as_ref().ok()).expect("a round");
            assert_eq!(last.replay(&made.variant.edits).expect("it fits"), made.variant.text);
            let again = mutator.chained(&first, (0, index), ("p.c", &options)).expect("a variant");
            assert_eq!(again.variant.text, made.variant.text);
        }
        assert!((1..=3).all(|n| lengths.contains(&n)), "{lengths:?}");
    }

    #[test]
    fn one_round_is_a_variant_of_the_seed() {
        let options = Options::default();
        let mutator = mutator(1);
        let first = mutator.prepare(0, PROGRAM.as_bytes(), ("p.c", &options), None);
        let Ok(seed) = &*first else { panic!("no seed") };
        for index in 1..5 {
            let made = mutator.chained(&first, (0, index), ("p.c", &options)).expect("a variant");
            assert_eq!(made.rounds.len(), 1);
            assert_eq!(made.variant.text, mutator.variant(seed, 0, index).expect("a variant").text);
        }
    }
}
