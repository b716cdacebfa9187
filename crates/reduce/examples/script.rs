//! The library in a few lines: makes a file small while a script exits with 0. `plumb reduce` does the same with a journal,
//! progress and care for the original.
//!
//! `cargo run --release -p plumb-reduce --example script -- FILE SCRIPT OUTPUT [JOBS]`

use reduce::engine::Figures;
use reduce::interesting::script::Script;
use reduce::passes::PASSES;
use reduce::{Case, Engine, Event, Interesting, Observer, Options};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use toolchain::Cancel;

/// Says what each pass did.
struct Lines;

impl Observer for Lines {
    fn event(&mut self, event: &Event<'_>, figures: &Figures) {
        match event {
            Event::Pass { name, hints } => eprintln!(
                "{:7.2} s {:6} tests {:6} tokens: {name}, {hints} hints",
                figures.elapsed.as_secs_f64(),
                figures.tests,
                figures.now.tokens
            ),
            Event::Better { .. } | Event::Tick => {}
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, file, script, output, rest @ ..] = &words[..] else {
        return Err("expected FILE SCRIPT OUTPUT [JOBS]".into());
    };
    let jobs = rest.first().map_or(Ok(2), |word| word.parse())?;
    let name = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or("input");
    let case = Case::new([(name.to_owned(), std::fs::read(file)?)]);
    let test = Script::new(Path::new(script), jobs, Duration::from_secs(10))?;
    let answer = test.ask(0, &case, &Cancel::new()?);
    if !answer.holds() {
        return Err(format!("the script does not accept the original: {answer:?}").into());
    }
    let options = Options { jobs, passes: PASSES.to_vec(), filter: true };
    let skip = AtomicBool::new(false);
    let engine = Engine {
        options,
        test: &test,
        stop: &toolchain::stop::requested,
        skip: &skip,
        journal: None,
        others: None,
    };
    let report = engine.reduce(&case, None, &mut Lines);
    std::fs::write(output, &report.case.files[0].text)?;
    for (name, record) in report.passes.iter().filter(|(_, record)| record.runs > 0) {
        eprintln!(
            "{name:20} {:4} runs {:6} tests {:5} edits {:6} tokens {:7} bytes",
            record.runs, record.tests, record.wins, record.tokens, record.bytes
        );
    }
    eprintln!("{:#?}", report.figures);
    Ok(())
}
