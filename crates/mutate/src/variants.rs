//! One variant: the edits of the strategies asked for, together, and the text they make.

use crate::choices::Choices;
use crate::edit::{Edit, Misfit};
use crate::seed::Seed;
use crate::strategies::{Settings, Strategy};

/// A program that must behave as its seed does.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its text.
    pub text: String,
    /// How it came from the seed.
    pub edits: Vec<Edit>,
}

/// The `index`-th variant of a seed. The same arguments give the same bytes.
pub fn variant(
    seed: &Seed,
    strategies: &[&dyn Strategy],
    settings: &Settings,
    number: u64,
    index: u64,
) -> Result<Variant, Misfit> {
    let drawn = Choices::nth(number, index).word();
    let mut edits = Vec::new();
    for strategy in strategies {
        // Each strategy draws from a source of its own: adding one leaves the others' edits as they were.
        let own = strategy.name().bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        edits.extend(strategy.edits(seed, settings, &mut Choices::nth(drawn, own)));
    }
    let text = seed.replay(&edits)?;
    Ok(Variant { text, edits })
}
