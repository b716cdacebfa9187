//! The one source of randomness: every decision of the generator is a recorded draw.
//!
//! A program is a function of its draws (thesis section 7.2.1, Seq-Reduce): a recorded sequence can be replayed,
//! cut short or changed anywhere, and whatever comes out is again a valid program. Draws past the end of a replayed
//! sequence are 0, so alternatives are ordered with the simplest first and every loop over draws must end on zeros.

/// Draws with their record.
#[derive(Clone, Debug)]
pub struct Choices {
    rng: Xoshiro,
    replay: Option<Vec<u32>>,
    record: Vec<u32>,
    /// How many values each draw could have had, where all programs are gone through.
    bounds: Option<Vec<u32>>,
}

impl Choices {
    /// Draws from a pseudo-random generator seeded with `seed`.
    pub fn from_seed(seed: u64) -> Choices {
        Choices { rng: Xoshiro::new(seed), replay: None, record: Vec::with_capacity(1 << 14), bounds: None }
    }

    /// Draws from `sequence`, then zeros.
    pub fn replay(sequence: Vec<u32>) -> Choices {
        Choices { rng: Xoshiro::new(0), replay: Some(sequence), record: Vec::new(), bounds: None }
    }

    /// The same, for going through all sequences: nothing is cut short where the sequence ends, and how many values
    /// each draw could have had is remembered.
    pub fn bounded(sequence: Vec<u32>) -> Choices {
        Choices { bounds: Some(Vec::new()), ..Choices::replay(sequence) }
    }

    /// The first sequence, in the order of its numbers, that comes after the recorded one; `None` after the last.
    /// Draws of 32 bits stay as they are.
    pub fn successor(mut self) -> Option<Vec<u32>> {
        let bounds = self.bounds.take()?;
        let last = self.record.iter().zip(&bounds).rposition(|(value, bound)| value + 1 < *bound)?;
        self.record.truncate(last + 1);
        self.record[last] += 1;
        Some(self.record)
    }

    /// What was drawn so far.
    pub fn recorded(&self) -> &[u32] {
        &self.record
    }

    /// Gives up the record.
    pub fn into_recorded(self) -> Vec<u32> {
        self.record
    }

    /// Has a replayed sequence come to its end?
    pub fn exhausted(&self) -> bool {
        self.bounds.is_none() && self.replay.as_ref().is_some_and(|r| self.record.len() >= r.len())
    }

    /// A number in `0..n`; 0 for `n < 2`, without a draw.
    pub fn below(&mut self, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        let value = match &self.replay {
            None => ((u64::from(self.rng.next() as u32) * u64::from(n)) >> 32) as u32,
            Some(sequence) => sequence.get(self.record.len()).map_or(0, |v| v % n),
        };
        self.keep(value, n);
        value
    }

    #[inline]
    fn keep(&mut self, value: u32, bound: u32) {
        self.record.push(value);
        if self.bounds.is_some() {
            self.keep_bound(bound);
        }
    }

    #[cold]
    fn keep_bound(&mut self, bound: u32) {
        if let Some(bounds) = &mut self.bounds {
            bounds.push(bound);
        }
    }

    /// A number in `lo..=hi`; `lo` is the simple one.
    pub fn range(&mut self, lo: u32, hi: u32) -> u32 {
        lo + self.below(hi.saturating_sub(lo).saturating_add(1))
    }

    /// True in `percent` of 100 draws; false is the simple one. No draw where the answer is known.
    pub fn percent(&mut self, percent: u32) -> bool {
        match percent {
            0 => false,
            1..=99 => self.below(100) >= 100 - percent,
            100.. => true,
        }
    }

    /// 32 bits.
    pub fn word(&mut self) -> u32 {
        let value = match &self.replay {
            None => self.rng.next() as u32,
            Some(sequence) => sequence.get(self.record.len()).copied().unwrap_or(0),
        };
        self.keep(value, 0);
        value
    }

    /// An index with probability in proportion to its weight; `None` if all weights are 0.
    #[inline(always)]
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|w| u64::from(*w)).sum();
        if total == 0 {
            return None;
        }
        let mut at = self.below(u32::try_from(total).unwrap_or(u32::MAX));
        for (index, &weight) in weights.iter().enumerate() {
            if at < weight {
                return Some(index);
            }
            at -= weight;
        }
        None
    }

    /// One of a non-empty slice.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

/// xoshiro256++ (Blackman and Vigna), seeded through splitmix64.
#[derive(Clone, Debug)]
struct Xoshiro([u64; 4]);

impl Xoshiro {
    fn new(seed: u64) -> Xoshiro {
        let mut at = seed;
        let mut split = || {
            at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = at;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Xoshiro([split(), split(), split(), split()])
    }

    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result >> 16
    }
}

/// The choices without a stretch that a seed draws: one step of reducing them, as likely short as long.
pub fn shortened(choices: &[u32], seed: u64) -> Vec<u32> {
    let count = u32::try_from(choices.len()).unwrap_or(u32::MAX);
    let mut draw = Choices::from_seed(seed);
    let longest = 1 << draw.below(count.max(1).ilog2() + 1);
    let len = draw.range(1, longest).min(count);
    let first = draw.below(count - len + 1) as usize;
    let mut all = choices.to_vec();
    all.drain(first..first + len as usize);
    all
}

/// The first word of a file of choices.
const MAGIC: &str = "plumb-choices";

/// Why a text is no file of choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoicesError {
    /// It does not begin as one.
    NotChoices,
    /// A line holds something else than a number.
    Number(usize, String),
}

impl std::fmt::Display for ChoicesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ChoicesError::NotChoices => {
                write!(f, "not a file of choices: its first line should be `{MAGIC} 1`")
            }
            ChoicesError::Number(line, found) => {
                write!(f, "line {line}: expected a number below 2^32, found `{found}`")
            }
        }
    }
}

impl std::error::Error for ChoicesError {}

/// Choices as a text to keep, cut or change: a first line, a line of the options they were made with, then a number
/// a line.
pub fn write_choices(options: &[String], choices: &[u32]) -> String {
    use std::fmt::Write;
    let mut out = format!("{MAGIC} 1\noptions {}\n", options.join(" "));
    for choice in choices {
        let _ = writeln!(out, "{choice}");
    }
    out
}

/// The options and choices of such a text; empty lines and lines that begin with `#` say nothing.
pub fn read_choices(text: &str) -> Result<(Vec<String>, Vec<u32>), ChoicesError> {
    let mut lines = text.lines().enumerate();
    if lines.next().is_none_or(|(_, first)| first.split(' ').next() != Some(MAGIC)) {
        return Err(ChoicesError::NotChoices);
    }
    let (mut options, mut choices) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.strip_prefix("options") {
            Some(words) => options.extend(words.split_whitespace().map(str::to_string)),
            None => {
                let bad = |_| ChoicesError::Number(number + 1, line.to_string());
                choices.push(line.parse().map_err(bad)?);
            }
        }
    }
    Ok((options, choices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replayed_record_draws_the_same() {
        let mut first = Choices::from_seed(7);
        let drawn: Vec<u32> = (1..200).map(|n| first.below(n)).collect();
        let mut again = Choices::replay(first.into_recorded());
        assert_eq!(drawn, (1..200).map(|n| again.below(n)).collect::<Vec<u32>>());
        assert!(again.exhausted());
        assert_eq!(again.below(1000), 0);
    }

    #[test]
    fn choices_are_read_as_they_were_written() {
        let options = ["--no-unions".to_string(), "--max-funcs".to_string(), "3".to_string()];
        let text = write_choices(&options, &[3, 0, u32::MAX]);
        assert_eq!(read_choices(&text), Ok((options.to_vec(), vec![3, 0, u32::MAX])));
        assert_eq!(read_choices("int main"), Err(ChoicesError::NotChoices));
        assert_eq!(read_choices("plumb-choices 1\n7\n-1\n"), Err(ChoicesError::Number(3, "-1".to_string())));
    }

    #[test]
    fn a_step_of_reduction_takes_one_stretch() {
        let all: Vec<u32> = (0..1000).collect();
        for seed in 0..50 {
            let left = shortened(&all, seed);
            assert!(left.len() < all.len() && left == shortened(&all, seed));
            let gaps = left.windows(2).filter(|w| w[1] != w[0] + 1).count();
            assert!(gaps <= 1, "seed {seed}: {gaps} gaps");
        }
        assert_eq!(shortened(&[7], 1), []);
        assert_eq!(shortened(&[], 1), []);
    }

    #[test]
    fn sequences_come_one_after_the_other() {
        let mut all = Vec::new();
        let mut next = Some(Vec::new());
        while let Some(sequence) = next {
            let mut choices = Choices::bounded(sequence);
            let first = choices.below(3);
            let second = if first == 1 { choices.below(2) } else { 9 };
            all.push((first, second));
            next = choices.successor();
        }
        assert_eq!(all, [(0, 9), (1, 0), (1, 1), (2, 9)]);
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut choices = Choices::from_seed(1);
        for _ in 0..1000 {
            assert!(matches!(choices.weighted(&[0, 3, 0, 1]), Some(1 | 3)));
        }
        assert_eq!(choices.weighted(&[0, 0]), None);
    }
}
