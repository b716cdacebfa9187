//! Hunts each canary under `tests/hunt/canaries/`: a real compiler with one planted bug. A canary that is missed
//! fails the test, and so does an alarm on the plain compiler.

mod common;

use common::{Plumb, lines, repository};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a canary says of itself in its comments.
struct Canary {
    path: PathBuf,
    name: String,
    /// The kind of alarm it must raise.
    expect: String,
    /// Within so many programs.
    programs: String,
    levels: String,
    /// The strategy whose variants alone show it: programs of the generator must not.
    strategy: Option<String>,
    /// Where programs come from, in the repository; without it, from the generator.
    from: Option<String>,
    /// Options of the hunt or the generator.
    options: Vec<String>,
    /// The percentage of compilations with drawn options.
    drawn: String,
    /// How the one drawn option begins that the finding must name.
    needs: Option<String>,
    /// What is looked for beside what every hunt does.
    also: Option<String>,
}

fn canaries() -> Vec<Canary> {
    let dir = repository().join("tests/hunt/canaries");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(&dir).expect("the canaries are there") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|e| e == "sh") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a canary is a script");
        let said = |what: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("# {what}: ")));
            line.map(str::to_owned)
        };
        let must =
            |what: &str| said(what).unwrap_or_else(|| panic!("{}: no line `# {what}: ...`", path.display()));
        all.push(Canary {
            name: path.file_name().expect("a file").to_string_lossy().into_owned(),
            expect: must("expect"),
            programs: must("programs"),
            levels: must("levels"),
            strategy: said("strategy"),
            drawn: said("drawn").unwrap_or_else(|| "0".to_owned()),
            needs: said("needs"),
            also: said("also"),
            from: said("from"),
            options: said("options")
                .iter()
                .flat_map(|o| o.split(' ').map(str::to_owned).collect::<Vec<_>>())
                .collect(),
            path,
        });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// How a canary was caught, or why it was missed.
fn hunt(canary: &Canary) -> Result<String, String> {
    let plumb = Plumb::new();
    let compiler = canary.path.display().to_string();
    let what = ["hunt", "--json", "--cc", &compiler, "--levels", &canary.levels, "--drawn", &canary.drawn];
    let bounds = ["--programs", &canary.programs, "--alarms", "1", "--jobs", "1"];
    // What costs too much is not to be taken for what does not end.
    let time = if canary.also.is_some() { "30s" } else { "3s" };
    let limits = ["--compile-time", time, "--run-time", "1s"];
    let options: Vec<&str> = canary.options.iter().map(String::as_str).collect();
    let mut plain = [what.as_slice(), &bounds, &limits, &options].concat();
    let from = canary.from.as_ref().map(|from| repository().join(from).display().to_string());
    plain.extend(from.iter().flat_map(|from| ["--from", from]));
    plain.extend(canary.also.iter().flat_map(|kinds| ["--also", kinds]));
    let done = match &canary.strategy {
        Some(strategy) => {
            let alone = Plumb::new().run(&plain);
            if alone.code != 0 {
                return Err(format!("programs without variants show it too: exit {}", alone.code));
            }
            plumb.run(&[plain.as_slice(), &["--strategy", strategy]].concat())
        }
        None => plumb.run(&plain),
    };
    if done.code != 1 {
        let last = done.stdout.lines().last().unwrap_or_default();
        return Err(format!("no alarm: exit {}\n{last}\n{}", done.code, done.stderr));
    }
    let found = lines(&done.stdout)
        .iter()
        .find_map(|line| line["findings"].as_array()?.first().cloned())
        .ok_or_else(|| format!("no finding in\n{}", done.stdout))?;
    if found["kind"] != canary.expect.as_str() {
        return Err(format!("expected an alarm of kind {}, got {found}", canary.expect));
    }
    let dir = plumb.store().join("findings").join(found["id"].as_str().unwrap_or_default());
    reproduces(&dir)?;
    if let Some(needs) = &canary.needs {
        let label = found["configuration"].as_str().unwrap_or_default();
        let drawn: Vec<&str> = label.split(' ').skip_while(|word| *word != canary.levels).skip(1).collect();
        if !matches!(drawn[..], [one] if one.starts_with(needs.as_str())) {
            return Err(format!("the finding names the options {drawn:?} instead of one like {needs}"));
        }
    }
    if let Some(strategy) = &canary.strategy {
        let facts = std::fs::read_to_string(dir.join("finding.json")).expect("the facts are there");
        let facts: serde_json::Value = serde_json::from_str(&facts).expect("JSON");
        let named = found["strategies"].as_str().is_some_and(|names| names.starts_with(strategy.as_str()));
        let edits = facts["edits"].as_array().map_or(0, Vec::len);
        if !named || edits != 1 || !dir.join("seed.c").is_file() || !dir.join("edits.jsonl").is_file() {
            return Err(format!("the finding does not say which edit it needs: {facts:#}"));
        }
    }
    let programs = lines(&done.stdout).iter().filter(|line| line["type"] == "program").count();
    Ok(format!("{} after {programs} programs: {}", canary.expect, found["summary"]))
}

/// The reproducer must show the bug without plumb, and not show it with a compiler that is right.
fn reproduces(dir: &Path) -> Result<(), String> {
    let script = dir.join("repro.sh");
    let bad = common::shell(&[&script.display().to_string()]);
    if bad.code != 1 {
        return Err(format!("{}: exit {}\n{}{}", script.display(), bad.code, bad.stdout, bad.stderr));
    }
    let text = std::fs::read_to_string(&script).expect("the reproducer is readable");
    let canaries = repository().join("tests/hunt/canaries");
    let command = text.lines().find(|line| line.contains("$limit ")).ok_or("it compiles nothing")?;
    let compiler = command.split(' ').find(|word| word.contains(&canaries.display().to_string()));
    let cured = dir.join("cured.sh");
    std::fs::write(&cured, text.replace(compiler.ok_or("it names no compiler")?, "gcc")).expect("writable");
    let good = common::shell(&["sh", &cured.display().to_string()]);
    if good.code != 0 {
        return Err(format!(
            "{} with gcc: exit {}\n{}{}",
            script.display(),
            good.code,
            good.stdout,
            good.stderr
        ));
    }
    Ok(())
}

#[test]
fn every_canary_is_caught() {
    let canaries = canaries();
    assert!(canaries.len() >= 8, "only {} canaries", canaries.len());
    let (next, missed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(canary) = canaries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if canary.also.as_deref() == Some("volatile") && !watching() {
                        continue;
                    }
                    match hunt(canary) {
                        Ok(how) => println!("{}: {how}", canary.name),
                        Err(why) => {
                            missed.lock().expect("not poisoned").push(format!("{}: {why}", canary.name));
                        }
                    }
                }
            });
        }
    });
    let missed = missed.into_inner().expect("not poisoned");
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), canaries.len(), missed.join("\n"));
}

#[test]
fn the_plain_compiler_raises_no_alarm() {
    let plumb = Plumb::new();
    let done = plumb.run(&["hunt", "--json", "--cc", "gcc", "--levels", "-O0,-O2", "--programs", "30"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["tested"], 30, "{summary}");
    assert_eq!(summary["results"]["pass"], 60, "{summary}");
}

/// Programs whose meaning the machine cannot give are compared, with variants of them, with what they do unoptimised: on
/// request, and where they show it.
#[test]
fn a_plain_compiler_passes_on_opaque_programs_and_their_variants() {
    let from = repository().join("tests/hunt/opaque").display().to_string();
    let what = ["hunt", "--json", "--cc", "gcc", "--levels", "-O0,-O2", "--drawn", "0", "--from", &from];
    let variants = ["--strategy", "orion", "--variants", "4"];
    let done = Plumb::new().run(&[what.as_slice(), &variants].concat());
    assert_eq!(done.code, 5, "{}{}", done.stdout, done.stderr);
    let done = Plumb::new().run(&[what.as_slice(), &variants, &["--differential"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let all = lines(&done.stdout);
    let summary = all.last().expect("a summary");
    assert_eq!(summary["tested"], summary["programs"], "{summary}");
    assert!(summary["variants"]["orion"].as_u64() > Some(1), "{summary}");
    let named = |line: &&serde_json::Value| line["type"] == "program";
    for program in all.iter().filter(named) {
        let name = program["name"].as_str().unwrap_or_default();
        assert!(name.ends_with("(meaning: unoptimised programs')"), "{program}");
    }
}

/// Can accesses to volatile objects be counted here? Says so where they cannot: then there is nothing to test.
fn watching() -> bool {
    match toolchain::accesses::available() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("not tested: programs cannot be watched here: {why}");
            false
        }
    }
}

/// The other half of the canary that strips `volatile`: a compiler that does not is not accused, and asked.
#[test]
fn a_plain_compiler_keeps_volatile_accesses() {
    if !watching() {
        return;
    }
    let what =
        ["hunt", "--json", "--cc", "gcc", "--levels", "-O0,-O2,-O3", "--drawn", "0", "--programs", "30"];
    let done = Plumb::new().run(&[what.as_slice(), &["--also", "volatile"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    let watched = |what: &str| summary["volatile"][what].as_u64().unwrap_or_default();
    assert!(watched("compared") >= 20 && watched("accesses") >= 200, "{summary}");
}

/// Results alone do not show that `volatile` is stripped.
#[test]
fn a_canary_without_volatile_is_silent_unless_asked() {
    let canary = repository().join("tests/hunt/canaries/stripped-volatile").display().to_string();
    let what = ["hunt", "--json", "--cc", &canary, "--levels", "-O2", "--drawn", "0", "--programs", "30"];
    let done = Plumb::new().run(&what);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
}

/// What is not asked for is not looked for.
#[test]
fn a_canary_of_cost_alone_is_silent_unless_asked() {
    let plumb = Plumb::new();
    let canary = repository().join("tests/hunt/canaries/slow-compilation").display().to_string();
    let what = ["hunt", "--json", "--cc", &canary, "--levels", "-O0,-O2", "--drawn", "0", "--programs", "4"];
    let done = plumb.run(&what);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
}
