//! The one source of randomness: a seeded pseudo-random generator. Same seed, same draws, on every machine.

/// xoshiro256++ (Blackman and Vigna), seeded through splitmix64.
#[derive(Clone, Debug)]
pub struct Choices([u64; 4]);

impl Choices {
    /// Draws of a seed.
    pub fn new(seed: u64) -> Choices {
        let mut at = seed;
        let mut split = || {
            at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = at;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Choices([split(), split(), split(), split()])
    }

    /// Independent draws for the `index`-th of many works under one seed.
    pub fn nth(seed: u64, index: u64) -> Choices {
        let mut first = Choices::new(seed);
        Choices::new(first.word() ^ index.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    /// 64 bits.
    pub fn word(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number in `0..n`; 0 for `n < 2`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// A number in `lo..=hi`.
    pub fn range(&mut self, lo: usize, hi: usize) -> usize {
        lo + self.below(hi.saturating_sub(lo) + 1)
    }

    /// True in one of two draws.
    pub fn coin(&mut self) -> bool {
        self.word() >> 63 == 1
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of a slice, by reference; `None` only of an empty one.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// Reorders a slice (Fisher and Yates).
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for end in (1..slice.len()).rev() {
            slice.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_in_range_and_repeat() {
        let (mut a, mut b) = (Choices::nth(3, 5), Choices::nth(3, 5));
        for n in 1..500 {
            let drawn = a.below(n);
            assert!(drawn < n);
            assert_eq!(drawn, b.below(n));
        }
        assert_ne!(Choices::nth(3, 5).word(), Choices::nth(3, 6).word());
        assert_eq!(a.pick::<u8>(&[]), None);
    }
}
