//! The reproducer: a POSIX shell script that compiles and runs the program and says whether the bug shows.
//!
//! It needs the compiler (and an emulator where the target is foreign), `cmp` and `mktemp`; nothing of plumb.

use super::{EXPECTED, Evidence, STDIN};
use crate::truth::Truth;
use crate::verdict::{FindingKind, Named, Stage};
use machine::Exit;
use toolchain::crash::{GIVES_UP, marks};

/// The script for an alarm.
pub fn script(evidence: &Evidence<'_>) -> String {
    let alarm = evidence.alarm;
    let comment = |text: &str| text.replace(['\n', '\r'], " ");
    let mut commands = evidence.commands("PROGRAM");
    for word in commands.iter_mut().flatten() {
        *word = match word.strip_prefix("PROGRAM") {
            Some(rest) => format!("\"$tmp/program{rest}\""),
            None => shell_words::quote(word).into_owned(),
        };
    }
    let head = format!(
        "#!/bin/sh\n\
         # {kind}: {configuration}, {program}\n\
         # {summary}\n\
         # Exit status: 1 when the bug shows, 0 when it does not, 2 when that cannot be told.\n\
         cd \"$(dirname \"$0\")\" || exit 2\n\
         tmp=$(mktemp -d) || exit 2\n\
         trap 'rm -rf \"$tmp\"' EXIT\n\
         trap 'exit 2' HUP INT TERM\n\
         if command -v timeout >/dev/null 2>&1; then limit='timeout {seconds}'; else limit=; fi\n\
         \n\
         echo \"compiler: {version}\"\n",
        kind = alarm.kind.name(),
        configuration = comment(&evidence.configuration.label()),
        program = comment(evidence.program),
        summary = comment(&alarm.summary),
        seconds = evidence.limit.as_secs().max(1),
        version = plain(&evidence.configuration.tested.compiler.banner),
    );
    let mut compile = String::from(": >\"$tmp/messages\"\ncompiled=0\n");
    for (number, command) in commands.iter().enumerate() {
        // The line of a plain program begins with the limit, each further one with the success of those before.
        let when = if number == 0 { "" } else { "[ $compiled -ne 0 ] || " };
        let line = format!("{when}$limit {} >>\"$tmp/messages\" 2>&1 || compiled=$?\n", command.join(" "));
        compile.push_str(&line);
    }
    compile.push_str("head -n 20 \"$tmp/messages\"\n");
    let verdict = match (alarm.kind, alarm.stage) {
        (FindingKind::Crash, _) => crash(&alarm.signature),
        (FindingKind::Hang, Stage::Compile) => hang("compiled", "the compiler"),
        (FindingKind::WrongCode, Stage::Compile) => no_program(),
        (FindingKind::Hang | FindingKind::WrongCode | FindingKind::MissedOptimisation, _) => run(evidence),
    };
    format!("{head}{compile}\n{verdict}")
}

/// Text that means nothing inside double quotes of a shell.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || "\"\\$`".contains(c) { ' ' } else { c }).collect()
}

fn crash(signature: &str) -> String {
    format!(
        "echo \"expected: the compiler translates the program or refuses it with an error message\"\n\
         echo \"actual:   exit status $compiled ({signature})\"\n\
         if [ $compiled -eq 124 ]; then echo 'it ran out of time'; exit 2; fi\n\
         if [ $compiled -ge 126 ] || grep -v '{GIVES_UP}' \"$tmp/messages\" | grep -q -i -E \\\n  \
         '{marks}'\n\
         then echo 'the bug shows'; exit 1; fi\n\
         echo 'the bug does not show'\n",
        signature = plain(signature),
        marks = marks(),
    )
}

fn hang(status: &str, who: &str) -> String {
    format!(
        "echo \"expected: {who} ends\"\n\
         if [ -z \"$limit\" ]; then echo \"actual:   it did, with exit status ${status}\"; exit 0; fi\n\
         if [ ${status} -eq 124 ]; then echo \"actual:   it was stopped by: $limit\"; echo 'the bug shows'; exit 1; fi\n\
         echo \"actual:   it ended with exit status ${status}\"\n\
         echo 'the bug does not show'\n"
    )
}

fn no_program() -> String {
    "if [ $compiled -ne 0 ]; then echo 'the compiler failed'; exit 2; fi\n\
     echo 'expected: an executable file'\n\
     if [ -s \"$tmp/program\" ]; then echo 'actual:   there is one'; exit 0; fi\n\
     echo 'actual:   none was written'\n\
     echo 'the bug shows'\n\
     exit 1\n"
        .to_owned()
}

fn run(evidence: &Evidence<'_>) -> String {
    let runner = evidence.configuration.runner();
    let runner = if runner.is_empty() { String::new() } else { format!("{} ", shell_words::join(&runner)) };
    let compile = "if [ $compiled -ne 0 ]; then echo 'the compiler failed'; exit 2; fi\n";
    let quoted = |arg: &Vec<u8>| format!(" {}", shell_words::quote(&String::from_utf8_lossy(arg)));
    let args: String = evidence.input.args.iter().map(quoted).collect();
    let stdin = if evidence.input.stdin.is_empty() { "/dev/null" } else { STDIN };
    let start = format!("$limit {runner}\"$tmp/program\"{args} >\"$tmp/stdout\" <{stdin}\nended=$?\n");
    let judge = match evidence.truth {
        Truth::Known { outcome, .. } if evidence.alarm.kind != FindingKind::Hang => {
            let status = match outcome.exit {
                Exit::Code(code) => i32::from(code),
                Exit::Signal(signal) => 128 + signal,
            };
            format!(
                "echo 'expected: exit status {status} and this output'\n\
                 head -c 2000 {EXPECTED}\n\
                 echo \"actual:   exit status $ended and this output\"\n\
                 head -c 2000 \"$tmp/stdout\"\n\
                 if [ $ended -eq {status} ] && cmp -s {EXPECTED} \"$tmp/stdout\"\n\
                 then echo 'the bug does not show'; exit 0; fi\n\
                 echo 'the bug shows'\n\
                 exit 1\n"
            )
        }
        Truth::Known { .. } => hang("ended", "the compiled program"),
        Truth::Rejected(_) => format!(
            "echo '{}'\n\
             echo \"actual:   exit status $ended and this output\"\n\
             head -c 2000 \"$tmp/stdout\"\n\
             echo 'compare with another compiler'\n\
             exit 2\n",
            plain(&evidence.alarm.summary).replace('\'', " ")
        ),
    };
    format!("{compile}{start}{judge}")
}
