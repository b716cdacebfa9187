//! Rewrites against brute force: random terms are built through the constructors and, in parallel,
//! evaluated by the plain meaning of each operation; the two must agree on every assignment tried.

mod common;

use common::{Gen, Size};

#[test]
fn constructors_keep_the_meaning() {
    let rounds: u64 = std::env::var("REWRITE_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(8);
    for w in [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64, 128, 150] {
        for seed in 0..rounds {
            let index = w.clamp(3, 64);
            let size =
                Size { width: w, bvs: 4, bools: 2, arrays: 2, index, elem: 2, func: false, models: 24 };
            let mut g = Gen::new(seed * 1000 + u64::from(w), size);
            for _ in 0..60 {
                g.step();
            }
        }
    }
}
