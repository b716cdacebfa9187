//! `plumb prove` from outside: verdicts and exit codes, answers that can be used, certificates, input that is not
//! what it should be, and workers that die.

mod common;

use common::{Done, Plumb, lines, repository};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn pairs(directory: &str) -> Vec<PathBuf> {
    let dir = repository().join("tests/equiv").join(directory);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("readable").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The lines of functions, and the summary.
fn reports(done: &Done) -> (Vec<Value>, Value) {
    let mut all = lines(&done.stdout);
    let summary = all.pop().unwrap_or_else(|| panic!("no summary: {}", done.stderr));
    assert_eq!(summary["type"], "summary", "{summary}");
    assert_eq!(summary["answered"].as_u64(), Some(all.len() as u64), "{summary}");
    (all, summary)
}

fn verdict<'v>(reports: &'v [Value], function: &str) -> &'v str {
    let found = reports.iter().find(|r| r["function"] == function);
    found
        .and_then(|r| r["verdict"].as_str())
        .unwrap_or_else(|| panic!("nothing about {function}: {reports:?}"))
}

/// Three small functions, as clang-19 -O0 selects instructions for them.
const THREE: &str = include_str!("prove/three.mir");

#[test]
fn files_get_the_verdict_of_their_directory() {
    let plumb = Plumb::new();
    for (directory, code, verdicts) in [
        ("equivalent", 0, ["proved", "conditional"]),
        ("broken", 1, ["refuted", "refuted"]),
        ("vacuous", 5, ["unknown", "unknown"]),
    ] {
        for path in pairs(directory) {
            let path = text(&path).to_owned();
            let target = path.replace(".src.ll", ".tgt.ll");
            let done = match () {
                () if path.ends_with(".tgt.ll") => continue,
                () if path.ends_with(".src.ll") => plumb.run(&["prove", "--json", &path, &target]),
                () => plumb.run(&["prove", "--json", &path]),
            };
            let (functions, _) = reports(&done);
            for f in &functions {
                let said = f["verdict"].as_str().expect("a verdict");
                assert!(verdicts.contains(&said), "{path}: {f}");
                assert!(f["place"].as_str().is_some_and(|p| p.contains(':')), "{path}: {f}");
            }
            assert_eq!(done.code, code, "{path}: {}", done.stdout);
        }
    }
}

#[test]
fn a_refutation_shows_inputs_and_both_traces() {
    let plumb = Plumb::new();
    let path = repository().join("tests/equiv/broken/waw_stores_merged_out_of_order.mir");
    let (functions, _) = reports(&plumb.run(&["prove", "--json", text(&path)]));
    let found = &functions[0]["counterexample"];
    assert!(["in-model", "natively"].iter().any(|how| found["replayed"] == *how), "{found}");
    assert!(found["inputs"]["mem"].is_string(), "{found}");
    let last = found["first_difference"].as_u64().expect("a number") as usize;
    for side in ["left", "right", "left_path", "right_path"] {
        assert_eq!(found[side].as_array().map(Vec::len), Some(last + 1), "{side}: {found}");
    }
    let differs = found["differences"][0].as_str().expect("a difference");
    assert!(differs.starts_with("byte @b+"), "{differs}");
    let shown = plumb.run(&["prove", text(&path)]).stdout;
    assert!(shown.contains(" | ") && shown.contains("input mem = ") && shown.contains(differs), "{shown}");
}

/// Whether a program is on the search path.
fn installed(names: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    names.iter().any(|name| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
}

#[test]
fn refutations_are_run_natively() {
    let plumb = Plumb::new();
    let tools = installed(&["llc-19", "llc-18", "llc-17"]) && installed(&["clang", "gcc", "cc"]);
    for (name, how) in [
        // The two bugs of the paper, a loop, calls with a wrong argument, a result.
        ("waw_stores_merged_out_of_order.mir", "byte "),
        ("load_narrowing_too_wide.mir", "byte "),
        ("arithm_seq_sum_start.mir", "returned "),
        ("poison_through_a_slot_wrong_offset.mir", "call 1 of use with "),
        ("struct_by_value_wrong_word.mir", "call 1 of take with "),
        ("select_arms_swapped.src.ll", "returned "),
        ("division_made_unconditional.src.ll", "the target's run ended by signal "),
    ] {
        let path = repository().join("tests/equiv/broken").join(name);
        let path = text(&path).to_owned();
        let target = path.replace(".src.ll", ".tgt.ll");
        let files = if path.ends_with(".ll") { vec![&path, &target] } else { vec![&path] };
        let words = ["prove", "--json"].into_iter().chain(files.iter().map(|f| f.as_str()));
        let (functions, _) = reports(&plumb.run(&words.collect::<Vec<_>>()));
        let replayed = &functions[0]["counterexample"]["replayed"];
        let found = &functions[0]["counterexample"]["natively"];
        let what = found["what"].as_str().expect("a reason");
        assert_eq!(replayed, if tools { "natively" } else { "in-model" }, "{name}");
        if tools {
            assert_eq!(found["finding"], "confirmed", "{name}: {found}");
            assert!(what.starts_with(how), "{name}: {found}");
        } else {
            assert_eq!(found["finding"], "not-possible", "{name}: {found}");
        }
    }
}

#[test]
fn a_missing_tool_is_a_reason() {
    let plumb = Plumb::new();
    let path = repository().join("tests/equiv/broken/waw_stores_merged_out_of_order.mir");
    let mut command = plumb.command(&["prove", "--json", text(&path)]);
    let done = common::finish(command.env("PATH", "/nonexistent"));
    let (functions, _) = reports(&done);
    assert_eq!(verdict(&functions, "foo"), "refuted");
    assert_eq!(functions[0]["counterexample"]["replayed"], "in-model");
    let found = &functions[0]["counterexample"]["natively"];
    assert_eq!(found["finding"], "not-possible", "{found}");
    assert!(found["what"].as_str().is_some_and(|w| w.contains("on this machine")), "{found}");
}

#[test]
fn certificates_are_checked_without_search() {
    let plumb = Plumb::new();
    let path = repository().join("tests/equiv/equivalent/arithm_seq_sum.mir");
    let path = text(&path);
    let done = plumb.run(&["prove", path, "--certificate", "kept"]);
    assert_eq!(done.code, 0, "{}", done.stdout);
    let kept = plumb.dir().join("kept/arithm_seq_sum.arithm_seq_sum.json");
    let certificate = std::fs::read_to_string(&kept).expect("written");
    let check = || plumb.run(&["prove", path, "--certificate", "kept", "--check", "--json"]);
    assert_eq!(check().code, 0);

    // Without the relation that carries the loop, or with a false one, it is no proof.
    let mut value: Value = serde_json::from_str(&certificate).expect("JSON");
    let points = value["points"].as_array_mut().expect("points");
    assert!(points.len() > 1, "a loop needs a point of its own");
    points[1]["constraints"].as_array_mut().expect("relations").truncate(1);
    std::fs::write(&kept, value.to_string()).expect("writable");
    let done = check();
    assert_eq!(done.code, 5, "{}", done.stdout);
    for (bad, words) in
        [("{}", "not a certificate"), ("", "not a certificate"), ("[1,2]", "not a certificate")]
    {
        std::fs::write(&kept, bad).expect("writable");
        let done = check();
        assert_eq!(done.code, 5, "{}", done.stdout);
        assert!(done.stdout.contains(words), "{}", done.stdout);
    }

    // Another program does not fit it.
    std::fs::write(&kept, &certificate).expect("writable");
    let broken = repository().join("tests/equiv/broken/arithm_seq_sum_condition.mir");
    let copy = plumb.file("arithm_seq_sum.mir", std::fs::read(broken).expect("readable"));
    let done = plumb.run(&["prove", text(&copy), "--certificate", "kept", "--check"]);
    assert_eq!(done.code, 5, "{}", done.stdout);

    // As hints it is only where to begin.
    let done = plumb.run(&["prove", text(&copy), "--hints", text(&kept)]);
    assert_eq!(done.code, 1, "{}", done.stdout);
    let done = plumb.run(&["prove", path, "--hints", text(&kept)]);
    assert_eq!(done.code, 0, "{}", done.stdout);
    std::fs::remove_file(&kept).expect("it is there");
    let done = check();
    assert_eq!(done.code, 5, "{}", done.stdout);
}

#[test]
fn hints_in_words_take_the_place_of_guesses() {
    let plumb = Plumb::new();
    let path = repository().join("tests/equiv/equivalent/arithm_seq_sum.mir");
    let broken = repository().join("tests/equiv/broken/arithm_seq_sum_condition.mir");
    let loop_of = "# The loop.\nfunction arithm_seq_sum\nat for.cond / bb.1\n";
    let most = "right.mem = left.mem\nright.perm = left.perm\nright.%0 = left.%s.0\nright.%1 = left.%a.0\n\
                right.%2 = left.%i.0\nright.%7 = left.%d\n";
    let all = format!("{loop_of}{most}right.%8 = left.%n\n");
    let elsewhere = format!("function other\nat nowhere / bb.9\n{all}");
    for (name, hints, code, words) in [
        ("all", all.clone(), 0, "2 points, 12 relations"),
        ("a point alone", loop_of.to_owned(), 0, "2 points, 12 relations"),
        ("for others too", elsewhere, 0, "2 points, 12 relations"),
        // The bound is what the loop cannot do without; what does not hold is dropped, and proves nothing.
        ("too few", format!("{loop_of}{most}"), 5, "for.cond / bb.1"),
        (
            "a false one",
            format!("{loop_of}{most}right.%8 = left.%n + 1\nleft.%i.0 = 1\n"),
            5,
            "for.cond / bb.1",
        ),
        (
            "no point",
            "at nowhere / bb.1\n".to_owned(),
            2,
            "hints, line 1: arithm_seq_sum has no point `nowhere`",
        ),
        ("no relation", format!("{loop_of}right.%8 = = left.%n\n"), 2, "hints, line 4: "),
        ("no variable", format!("{loop_of}right.%99 = left.%n\n"), 2, "hints, line 4: "),
        ("no place", "right.%8 = left.%n\n".to_owned(), 2, "hints, line 1: "),
        ("no certificate", "{ not JSON".to_owned(), 2, "certificate"),
    ] {
        let file = plumb.file("hints.txt", &hints);
        let done = plumb.run(&["prove", text(&path), "--hints", text(&file)]);
        assert_eq!(done.code, code, "{name}: {}", done.stdout);
        assert!(done.stdout.contains(words), "{name}: {}", done.stdout);
        if code == 0 || code == 5 {
            let done = plumb.run(&["prove", text(&broken), "--hints", text(&file)]);
            assert_eq!(done.code, 1, "{name}: {}", done.stdout);
        }
    }
}

#[test]
fn one_function_that_cannot_be_read_costs_no_other() {
    let plumb = Plumb::new();
    let fine = plumb.file("fine.mir", THREE);
    let (functions, summary) = reports(&plumb.run(&["prove", "--json", text(&fine)]));
    assert!(functions.iter().all(|f| f["verdict"] == "proved"), "{functions:?}");
    assert_eq!(summary["verdicts"]["proved"], 3);
    // Files are read once, not once a function.
    assert_eq!(summary["workers_replaced"], 0);

    // Of the second function, which adds: an unknown opcode, a line cut short, inline assembly, other text.
    for (name, to) in [
        ("opcode", "FROBNICATE %0, %1"),
        ("cut", "ADD32rm %"),
        ("asm", "INLINEASM &\"incl $0\", 1"),
        ("noise", ")]}\u{1}=== @@@"),
    ] {
        let line = THREE.lines().find(|l| l.contains("ADD32rm")).expect("it adds");
        let at = line.find("ADD32rm").expect("there");
        let spoilt = plumb.file(&format!("{name}.mir"), THREE.replace(line, &format!("{}{to}", &line[..at])));
        let done = plumb.run(&["prove", "--json", text(&spoilt)]);
        let (functions, _) = reports(&done);
        assert_eq!(verdict(&functions, "low"), "proved");
        assert_eq!(verdict(&functions, "last"), "proved");
        let bad = functions.iter().find(|f| f["function"] == "plus").expect("it is told");
        assert_eq!(bad["verdict"], "unsupported", "{name}: {bad}");
        let told = bad["unsupported"].to_string();
        assert!(told.chars().any(|c| c.is_ascii_digit()), "{name}: a place: {told}");
        assert_eq!(done.code, 4, "{name}: {}", done.stdout);
    }
}

#[test]
fn what_is_unsupported_is_ranked() {
    let plumb = Plumb::new();
    let spoilt = plumb.file("ranked.mir", THREE.replace("MOV32mr", "FROBNICATE"));
    let done = plumb.run(&["prove", "--unsupported", text(&spoilt)]);
    let ranked: Vec<&str> =
        done.stdout.lines().skip_while(|l| !l.starts_with("unsupported")).skip(1).collect();
    assert!(ranked[0].trim().starts_with("2  FROBNICATE"), "{}", done.stdout);
}

#[test]
fn files_that_do_not_belong_together_are_told() {
    let plumb = Plumb::new();
    let mir = plumb.file("three.mir", THREE);
    let other = plumb.file("other.ll", "define i32 @other(i32 %x) {\n  ret i32 %x\n}\n");
    let done = plumb.run(&["prove", "--json", text(&other), text(&mir)]);
    let (functions, _) = reports(&done);
    assert_eq!(functions.len(), 4);
    assert!(functions.iter().all(|f| f["verdict"] == "unsupported"), "{functions:?}");
    assert_eq!(done.code, 4);
    // A body of the same name with other parameters.
    let other =
        plumb.file("plus.ll", "define i64 @plus(ptr %p) {\n  %v = load i64, ptr %p\n  ret i64 %v\n}\n");
    let done = plumb.run(&["prove", "--json", "--function", "plus", text(&other), text(&mir)]);
    assert!([1, 4, 5].contains(&done.code), "{}", done.stdout);
}

#[test]
fn unreadable_input_is_bad_usage() {
    let plumb = Plumb::new();
    plumb.file("empty.mir", "");
    plumb.file("empty.ll", "");
    plumb.file("binary.mir", [0u8, 159, 146, 150, 255, 0, 1]);
    plumb.file("words.mir", "these are only words\n");
    plumb.file("a.c", "int f(void) { return 0; }\n");
    plumb.file("three.mir", THREE);
    for words in [
        &["missing.mir"][..],
        &["empty.mir"],
        &["binary.mir"],
        &["words.mir"],
        &["."],
        &["empty.ll", "empty.ll"],
        &["a.c"],
        &["three.mir", "--function", "nothing"],
        &["three.mir", "--check"],
        &["three.mir", "-O2"],
        &["--cc", "no-such-compiler", "a.c"],
        &["three.mir", "empty.ll"],
        &["three.mir", "--memory", "1"],
    ] {
        let mut line = vec!["prove"];
        line.extend(words);
        let done = plumb.run(&line);
        assert_eq!(done.code, 2, "{words:?}: {} {}", done.stdout, done.stderr);
        assert!(!done.stderr.is_empty() && !done.stderr.contains("panic"), "{words:?}: {}", done.stderr);
        // For programs too: stdout holds JSON alone, and its last line says what is wrong.
        line.push("--json");
        let done = plumb.run(&line);
        assert_eq!(done.code, 2, "{words:?}: {} {}", done.stdout, done.stderr);
        let told = lines(&done.stdout);
        let error = told.iter().any(|l| l["type"] == "error" && l["exit"] == 2 && l["message"].is_string());
        let file = told.iter().any(|l| l["type"] == "file" && l["why"].is_string());
        assert!(error || file, "{words:?}: {}", done.stdout);
    }
}

#[test]
fn hints_that_are_not_there_are_bad_usage() {
    let plumb = Plumb::new();
    let path = repository().join("tests/equiv/equivalent/arithm_seq_sum.mir");
    let done = plumb.run(&["prove", text(&path), "--hints", "nowhere.txt"]);
    assert_eq!(done.code, 2, "{}", done.stdout);
    assert!(done.stderr.contains("nowhere.txt"), "{}", done.stderr);
}

#[test]
fn functions_that_no_side_can_be_read_of_are_told() {
    let plumb = Plumb::new();
    let bad = "define i32 @bad() {\n  ret i32 frobnicate\n}\n";
    let file = plumb.file("twice.ll", format!("{bad}define i32 @good() {{\n  ret i32 1\n}}\n"));
    let (functions, _) = reports(&plumb.run(&["prove", "--json", text(&file), text(&file)]));
    assert_eq!(verdict(&functions, "good"), "proved");
    assert_eq!(verdict(&functions, "bad"), "unsupported");
    let place = functions.iter().find(|f| f["function"] == "bad").expect("told")["place"].to_string();
    assert!(place.contains("twice.ll:2"), "{place}");
}

/// A small source of numbers.
fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |n| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n.max(1)
    }
}

#[test]
fn garbled_files_get_a_verdict_and_never_a_crash() {
    let plumb = Plumb::new();
    let mut tried = 0;
    for seed in 0..24u64 {
        let mut next = numbers(seed + 1);
        let mut bytes = THREE.as_bytes().to_vec();
        match seed % 4 {
            0 => bytes.truncate(next(THREE.len())),
            1 => (0..20).for_each(|_| {
                let at = next(THREE.len());
                bytes[at] = next(256) as u8;
            }),
            2 => {
                let at = next(THREE.len());
                bytes.drain(at..(at + next(2000)).min(THREE.len()));
            }
            _ => {
                let mut all: Vec<&str> = THREE.lines().collect();
                for _ in 0..10 {
                    let (a, b) = (next(all.len()), next(all.len()));
                    all.swap(a, b);
                }
                bytes = all.join("\n").into_bytes();
            }
        }
        let path = plumb.file("garbled.mir", &bytes);
        let done = plumb.run(&["prove", "--json", "--timeout", "5s", text(&path)]);
        assert!((0..=5).contains(&done.code) && done.code != 3, "seed {seed}: {}", done.code);
        assert!(!done.stdout.contains("internal error"), "seed {seed}: {}", done.stdout);
        if done.code != 2 {
            tried += reports(&done).0.len();
        }
    }
    assert!(tried > 20, "only {tried} functions were looked at");
}

/// Processes whose working directory is this one and that prove.
fn workers(dir: &Path) -> Vec<i32> {
    let proving = |pid: &i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let here = std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == dir);
        here && String::from_utf8_lossy(&line).contains("prove-worker")
    };
    let all = std::fs::read_dir("/proc").expect("Linux").flatten();
    all.filter_map(|e| e.file_name().to_str()?.parse().ok()).filter(proving).collect()
}

#[test]
fn a_worker_that_dies_costs_one_function() {
    let plumb = Plumb::new();
    // A product of three unknowns, associated otherwise: no solver sees that soon.
    let body = |ops: [&str; 4]| {
        format!(
            "define i64 @hard(i64 %a, i64 %b, i64 %c) {{\n  %x = mul i64 {}, {}\n  %y = udiv i64 %x, {}\n  %z = urem i64 \
             %y, {}\n  ret i64 %z\n}}\ndefine i64 @easy(i64 %a) {{\n  ret i64 %a\n}}\n",
            ops[0], ops[1], ops[2], ops[3]
        )
    };
    let left = plumb.file("left.ll", body(["%a", "%b", "%c", "%a"]));
    let right = plumb.file(
        "right.ll",
        body(["%b", "%a", "%c", "%a"]).replace(
            "%z = urem i64 %y, %a",
            "%q = udiv i64 %y, %a\n  %p = mul i64 %a, %q\n  %z = sub i64 %y, %p",
        ),
    );
    let mut command =
        plumb.command(&["prove", "--json", "-j1", "--timeout", "30s", text(&left), text(&right)]);
    let child = command.stdout(std::process::Stdio::piped()).spawn().expect("it starts");
    let begun = Instant::now();
    let dir = plumb.dir().canonicalize().expect("it is there");
    let mut killed = 0;
    // The first worker only lists; kill the one that has worked for a while.
    while begun.elapsed() < Duration::from_secs(20) && killed == 0 {
        std::thread::sleep(Duration::from_millis(1500));
        for pid in workers(&dir) {
            let done = common::shell(&["kill", "-9", &pid.to_string()]);
            killed += i32::from(done.code == 0);
        }
    }
    let out = child.wait_with_output().expect("it ends");
    let done =
        Done { code: 0, stdout: String::from_utf8_lossy(&out.stdout).into_owned(), stderr: String::new() };
    let (functions, _) = reports(&done);
    assert_eq!(verdict(&functions, "easy"), "proved", "{functions:?}");
    let hard = functions.iter().find(|f| f["function"] == "hard").expect("it is told");
    if killed > 0 {
        assert_eq!(hard["verdict"], "unknown", "{hard}");
        assert_eq!(hard["ended"], "memory", "{hard}");
        assert_eq!(out.status.code(), Some(5));
    }
    // Supervisors end their workers when plumb is gone.
    let gone = Instant::now();
    while !workers(&dir).is_empty() {
        assert!(gone.elapsed() < Duration::from_secs(10), "a worker stays behind");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What its parent takes for "out of memory", instead of reading what it printed.
#[test]
fn a_worker_without_memory_ends_with_a_code_of_its_own() {
    let line = format!("ulimit -v 300000; echo '{{}}' | '{}' prove-worker", env!("CARGO_BIN_EXE_plumb"));
    let done = common::shell(&["sh", "-c", &line]);
    assert_eq!(done.code, 77, "{} {}", done.stdout, done.stderr);
}

#[test]
fn a_function_that_takes_too_long_is_given_up() {
    let plumb = Plumb::new();
    let f = |body: &str| format!("define i64 @slow(i64 %a, i64 %b) {{\n{body}}}\n");
    let left = plumb.file("left.ll", f("  %x = mul i64 %a, %b\n  %y = udiv i64 %x, %b\n  ret i64 %y\n"));
    let right = plumb.file(
        "right.ll",
        f("  %x = mul i64 %a, %b\n  %r = urem i64 %x, %b\n  %s = sub i64 %x, %r\n  %y = udiv i64 %s, %b\n  ret i64 %y\n"),
    );
    let begun = Instant::now();
    let done = plumb.run(&["prove", "--json", "--timeout", "1s", text(&left), text(&right)]);
    let (functions, summary) = reports(&done);
    assert!(begun.elapsed() < Duration::from_secs(30));
    if functions[0]["verdict"] == "unknown" {
        assert_eq!(summary["timed_out"], 1, "{functions:?}");
        assert_eq!(done.code, 5);
    }
}

#[test]
fn c_files_are_compiled_and_proved() {
    let plumb = Plumb::new();
    let file = plumb.file(
        "odd.c",
        "#ifndef MASK\n#error no mask\n#endif\nint odd(unsigned x) { return x & MASK; }\nvoid set(char *p) { p[0] = 1; p[1] = 2; }\n\
         int asks(int x) { __asm__(\"incl %0\" : \"+r\"(x)); return x; }\nint stops(int x) { if (x) __builtin_trap(); return 2; }\n\
         void *frame(void) { return __builtin_frame_address(0); }\n\
         long double half(long double x) { return x / 2; }\n",
    );
    for (level, keep) in [("-O0", None), ("-O2", Some("kept"))] {
        let mut words = vec!["prove", "--json", "--cc", "clang-19", level, "-DMASK=1", text(&file)];
        words.extend(keep.iter().flat_map(|dir| ["--keep", dir]));
        let done = plumb.run(&words);
        let (functions, _) = reports(&done);
        for (name, expected) in [
            ("odd", "proved"),
            ("set", "proved"),
            ("asks", "conditional"),
            ("stops", "proved"),
            ("frame", "proved"),
            ("half", "unsupported"),
        ] {
            assert_eq!(verdict(&functions, name), expected, "{level} {name}: {functions:?}");
        }
        assert_eq!(done.code, 4, "{level}: {}", done.stdout);
    }
    assert!(plumb.dir().join("kept/odd.mir").is_file());
    // A level in the command itself counts, and one beside it more.
    for (level, plain) in [(&[][..], false), (&["-O0"], true)] {
        let mut words =
            vec!["prove", "--json", "--cc", "clang-19 -O2", "-DMASK=1", "--keep", "levels", text(&file)];
        words.extend(level);
        plumb.run(&words);
        let made = std::fs::read_to_string(plumb.dir().join("levels/odd.mir")).unwrap();
        assert_eq!(made.contains("optnone"), plain, "{level:?}");
    }
    let done = plumb.run(&[
        "prove",
        "--json",
        "--cc",
        "clang-19",
        "--passes",
        "simplifycfg",
        "-DMASK=1",
        text(&file),
    ]);
    let (functions, _) = reports(&done);
    assert_eq!(verdict(&functions, "odd"), "proved", "{functions:?}");
    for words in [
        &["--cc", "clang-19"][..],
        &["--cc", "gcc", "-DMASK=1"],
        &["--cc", "clang-19", "-DMASK=1", "--passes", "no-such-pass"],
    ] {
        let mut line = vec!["prove"];
        line.extend(words);
        line.push(text(&file));
        let done = plumb.run(&line);
        assert_eq!(done.code, 2, "{words:?}: {} {}", done.stdout, done.stderr);
        assert!(!done.stderr.is_empty(), "{words:?}");
    }
}

#[test]
fn one_file_that_cannot_be_read_costs_no_other() {
    let plumb = Plumb::new();
    let (good, bad) = (plumb.file("good.mir", THREE), plumb.file("bad.mir", "no documents\n"));
    let done = plumb.run(&["prove", "--json", text(&bad), text(&good)]);
    assert_eq!(done.code, 2, "{}", done.stdout);
    let all = lines(&done.stdout);
    assert_eq!(all[0]["verdict"], "unreadable", "{}", all[0]);
    assert_eq!(all.iter().filter(|l| l["verdict"] == "proved").count(), 3, "{}", done.stdout);
}
