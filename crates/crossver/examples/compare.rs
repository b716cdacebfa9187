//! Compares objects of the same names in two directories, made elsewhere, and prints counts: verdicts, how they were
//! found, kinds of first differences, and the mnemonics of functions that stay open.
//! `cargo run --release -p plumb-crossver --example compare -- OLD NEW [MNEMONICS]`

use crossver::objects::load;
use crossver::report::{FileReport, compare_images};
use std::collections::BTreeMap;
use std::path::Path;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (old, new) = match words.as_slice() {
        [old, new] | [old, new, _] => (Path::new(old), Path::new(new)),
        _ => return Err("OLD NEW [MNEMONICS]".to_owned()),
    };
    let most = words.get(2).and_then(|n| n.parse().ok()).unwrap_or(0usize);
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut opcodes: BTreeMap<String, u64> = BTreeMap::new();
    let mut instructions = (0, 0);
    let mut files: Vec<_> = std::fs::read_dir(old).map_err(|error| error.to_string())?.flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    for file in files {
        let report = match pair(&file.path(), &new.join(file.file_name())) {
            Ok(report) => report,
            Err(why) => {
                eprintln!("{why}");
                *counts.entry("files without a report".to_owned()).or_default() += 1;
                continue;
            }
        };
        for f in &report.functions {
            let mut add = |key: String| *counts.entry(key).or_default() += 1;
            add("pairs".to_owned());
            add(format!("verdict {}", f.verdict.name()));
            add(format!("by {}", f.by.name()));
            f.how.iter().for_each(|how| add(format!("how {}", how.name())));
            f.difference.iter().for_each(|d| add(format!("difference {d}")));
            f.assumptions
                .iter()
                .for_each(|a| add(format!("assuming {}", a.split('`').next().unwrap_or_default())));
        }
        let mut add = |key: &str, n: u64| *counts.entry(key.to_owned()).or_default() += n;
        add("only old", report.lone.iter().filter(|l| l.old).count() as u64);
        add("only new", report.lone.iter().filter(|l| !l.old).count() as u64);
        add("objects the same", report.same_objects);
        add("objects open", report.objects.len() as u64);
        instructions.0 += report.instructions.0;
        instructions.1 += report.instructions.1;
        report.opcodes.into_iter().for_each(|(name, n)| *opcodes.entry(name).or_default() += n);
    }
    for (key, n) in &counts {
        println!("{n:8}  {key}");
    }
    println!("{} instructions, {} unknown to the decoder", instructions.0, instructions.1);
    let mut ranked: Vec<_> = opcodes.into_iter().collect();
    ranked.sort_by_key(|(name, n)| (std::cmp::Reverse(*n), name.clone()));
    let shown: Vec<String> = ranked.iter().take(most).map(|(name, n)| format!("{name} {n}")).collect();
    println!("{}", shown.join(" "));
    Ok(())
}

fn pair(old: &Path, new: &Path) -> Result<FileReport, String> {
    let load = |path: &Path| load(path).map_err(|error| error.to_string());
    let (a, b) = (load(old)?, load(new)?);
    match (a.images.as_slice(), b.images.as_slice()) {
        ([(_, a)], [(_, b)]) => {
            compare_images(a, b, 2, std::time::Duration::from_secs(10)).map_err(|error| error.to_string())
        }
        _ => Err(format!("{}: not a single object", old.display())),
    }
}
