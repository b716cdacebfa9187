//! Compares functions of two objects in this process, and says what came of each in a line: verdict, milliseconds, reason.
//! `cargo run --release -p plumb-crossver --example one -- OLD.o NEW.o [FUNCTION...]`

use crossver::buckets::Rules;
use crossver::objects::load;
use crossver::replay::Replayer;
use crossver::report::Comparison;
use std::path::Path;
use std::time::Duration;

/// Time for one proof, and memory in bytes.
const LIMITS: (Duration, u64) = (Duration::from_secs(10), 2 << 30);

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [old, new, names @ ..] = words.as_slice() else { return Err("OLD NEW [FUNCTION...]".to_owned()) };
    let load = |path: &String| load(Path::new(path)).map_err(|error| error.to_string());
    let (a, b) = (load(old)?, load(new)?);
    let ([(_, a)], [(_, b)]) = (a.images.as_slice(), b.images.as_slice()) else {
        return Err(format!("{old}: not a single object"));
    };
    let comparison = Comparison::new(a, b, 1).map_err(|error| error.to_string())?;
    let (replayer, rules) = (Replayer::default(), Rules::default());
    for n in 0..comparison.pairs() {
        let wanted = |f: &String| names.is_empty() || names.contains(f);
        let cheap = comparison.cheap(n).filter(|found| found.open && wanted(&found.function.function));
        if cheap.is_none() {
            continue;
        }
        let Some(mut found) = comparison.prove(n, LIMITS) else { continue };
        found.replay(&replayer, &rules);
        let f = &found.function;
        let why = f.why.as_deref().unwrap_or_default();
        println!(
            "{} {} {:?} {why} {:.0} ms {}",
            new,
            f.function,
            f.verdict,
            f.ms.unwrap_or_default(),
            f.text.as_deref().unwrap_or_default().chars().take(300).collect::<String>()
        );
    }
    Ok(())
}
