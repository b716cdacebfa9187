//! Programs and their verdicts: the directory under `tests/machine` is the verdict, the line that must fail
//! carries `// UB: NAME` or `// UNSUPPORTED: TEXT`, and every behaviour of `Ub::ALL` has a failing and a passing
//! program.
//!
//! `missed` holds undefined programs that the machine does not catch yet, `wrong` defined ones whose answer it
//! gets wrong; both lists must shrink, so a file there that behaves is a failure too: move it.

mod support;

use machine::{Exit, Ub};
use std::path::Path;
use support::{
    Answer, applies, ask_compiler, ask_machine, c_files, compilers, each, preprocess, programs, stem, targets,
};

/// The annotation of a file: what follows `marker`, and its line.
fn annotation(text: &str, marker: &str) -> Option<(String, u32)> {
    let mut found = text.lines().enumerate().filter_map(|(n, line)| {
        line.split_once(marker).map(|(_, name)| (name.trim().to_string(), n as u32 + 1))
    });
    let first = found.next();
    if found.next().is_some() { None } else { first }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaint(s):\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn every_behaviour_has_a_failing_and_a_passing_program() {
    let mut complaints = Vec::new();
    for ub in Ub::ALL {
        let file = format!("{}.c", ub.name());
        if !programs("defined").join(&file).exists() && !programs("wrong").join(&file).exists() {
            complaints.push(format!("defined/{file} is missing"));
        }
        if !programs("undefined").join(&file).exists() && !programs("missed").join(&file).exists() {
            complaints.push(format!("undefined/{file} is missing"));
        }
    }
    for path in ["undefined", "missed"].iter().flat_map(|d| c_files(&programs(d))) {
        // `NAME.c` and `NAME.detail.c` are about NAME.
        let name = stem(&path).split('.').next().unwrap_or_default().to_string();
        match annotation(&read(&path), "// UB: ") {
            Some((about, _)) if about == name && Ub::ALL.iter().any(|u| u.name() == name) => {}
            Some((about, _)) => complaints.push(format!("{} is annotated {about}", path.display())),
            None => complaints.push(format!("{} needs one annotation // UB: {name}", path.display())),
        }
    }
    report(&complaints);
}

/// What the machine must say of an annotated file.
fn expected(text: &str) -> Answer {
    let (name, line) = annotation(text, "// UB: ").expect("checked by the test above");
    Answer::Undefined(name, line)
}

#[test]
fn undefined_programs_are_caught_where_they_fail() {
    let complaints = each(&c_files(&programs("undefined")), |path| {
        let text = read(path);
        let mut complaints = Vec::new();
        for (target, model) in targets().iter().filter(|(t, _)| applies(&text, t)) {
            let answer = ask_machine(&preprocess(path, model), "", target);
            if answer != expected(&text) {
                complaints.push(format!(
                    "{} {model}: expected {:?}, found {answer:?}",
                    path.display(),
                    expected(&text)
                ));
            }
        }
        complaints
    });
    report(&complaints);
}

#[test]
fn missed_programs_are_still_missed() {
    let complaints = each(&c_files(&programs("missed")), |path| {
        let text = read(path);
        let caught = targets()
            .iter()
            .filter(|(t, _)| applies(&text, t))
            .all(|(target, model)| ask_machine(&preprocess(path, model), "", target) == expected(&text));
        if caught {
            vec![format!("{} is caught now: move it to undefined/", path.display())]
        } else {
            Vec::new()
        }
    });
    report(&complaints);
}

/// Runs a defined program everywhere; complaints about the machine and about the file itself are kept apart.
fn run_defined(path: &Path) -> (Vec<String>, Vec<String>) {
    let text = read(path);
    let (mut machine_wrong, mut file_wrong) = (Vec::new(), Vec::new());
    for (target, model) in targets().iter().filter(|(t, _)| applies(&text, t)) {
        let mut truth = None;
        for compiler in compilers() {
            // gcc 12 has little of C23.
            let c23 = text.starts_with("// std: gnu2x");
            if *compiler != "gcc" && text.contains("// gcc alone") || *compiler == "gcc" && c23 {
                continue;
            }
            for level in ["-O0", "-O2"] {
                let standard = if c23 { "-std=gnu2x" } else { "-std=gnu17" };
                let answer = ask_compiler(compiler, &[standard, model, level], path);
                if !matches!(answer, Answer::Ends(Exit::Code(0), _)) {
                    file_wrong.push(format!("{} {compiler} {model} {level}: {answer:?}", path.display()));
                }
                match &truth {
                    None => truth = Some(answer),
                    Some(first) if *first != answer => file_wrong.push(format!(
                        "{}: {compiler} {model} {level} says {answer:?}, gcc -O0 {first:?}",
                        path.display()
                    )),
                    Some(_) => {}
                }
            }
        }
        let answer = ask_machine(&preprocess(path, model), "", target);
        let unasked = truth.is_none() && text.starts_with("// std: gnu2x");
        if Some(&answer) != truth.as_ref() && !(unasked && matches!(answer, Answer::Ends(Exit::Code(0), _))) {
            machine_wrong
                .push(format!("{} {model}: compilers say {truth:?}, the machine {answer:?}", path.display()));
        }
    }
    (machine_wrong, file_wrong)
}

#[test]
fn defined_programs_mean_what_compilers_make_of_them() {
    let complaints = each(&c_files(&programs("defined")), |path| {
        let (mut machine, file) = run_defined(path);
        machine.extend(file);
        machine
    });
    report(&complaints);
}

#[test]
fn wrong_programs_are_still_wrong() {
    let complaints = each(&c_files(&programs("wrong")), |path| {
        let (machine, mut file) = run_defined(path);
        if machine.is_empty() {
            file.push(format!("{} is right now: move it to defined/", path.display()));
        }
        file
    });
    report(&complaints);
}

#[test]
fn unsupported_programs_say_so() {
    let complaints = each(&c_files(&programs("unsupported")), |path| {
        let text = read(path);
        let Some((wanted, line)) = annotation(&text, "// UNSUPPORTED: ") else {
            return vec![format!("{} needs one annotation // UNSUPPORTED: TEXT", path.display())];
        };
        match ask_machine(&preprocess(path, "-m64"), "", &csyntax::target::Target::LP64) {
            Answer::Unsupported(what, at) if what.contains(&wanted) && at == line => Vec::new(),
            other => {
                vec![format!("{}: expected unsupported {wanted} at {line}, found {other:?}", path.display())]
            }
        }
    });
    report(&complaints);
}
