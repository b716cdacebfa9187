//! Damages an object at random, again and again, and compares it with itself: looks for panics and for proofs of what
//! cannot be the same. `cargo run --release -p plumb-crossver --example mutate -- FILE.o COUNT SEED`

use crossver::equality::verdict::VerdictKind;
use crossver::objects::{Bytes, map, parse};
use crossver::report::compare_images;
use std::path::Path;

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, count, seed] = words.as_slice() else { return Err("FILE.o COUNT SEED".to_owned()) };
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("`{text}`: {error}"));
    let (count, mut state) = (number(count)?, number(seed)? | 1);
    let whole = map(Path::new(file)).map_err(|error| error.to_string())?;
    let good = parse(file, &whole).map_err(|error| error.to_string())?;
    let Some((_, good)) = good.images.first() else { return Err("no image".to_owned()) };
    let (mut read, mut refused, mut proved) = (0u64, 0u64, 0u64);
    for _ in 0..count {
        let mut bytes = whole.get().to_vec();
        for _ in 0..=random(&mut state) % 8 {
            let at = random(&mut state) as usize % bytes.len();
            bytes[at] = random(&mut state) as u8;
        }
        match parse("damaged", &Bytes::owned(bytes)) {
            Ok(loaded) => {
                read += 1;
                for (_, image) in &loaded.images {
                    let report = compare_images(good, image, 1, std::time::Duration::from_secs(10));
                    let functions = report.map(|r| r.functions).unwrap_or_default();
                    proved += functions.iter().filter(|f| f.verdict == VerdictKind::Proved).count() as u64;
                }
            }
            Err(_) => refused += 1,
        }
    }
    println!("{read} read, {refused} refused, {proved} functions proved");
    Ok(())
}
