//! The reproducer: a POSIX shell script that compiles and runs the program and says whether the bug shows.
//!
//! It needs the compiler (and an emulator where the target is foreign), `cmp` and `mktemp`; nothing of plumb.

use super::against::BETTER;
use super::repro_volatile;
use super::{Against, Contrast, CostFacts, EXPECTED, Evidence, STDIN};
use crate::configurations::profile::{is_trained, training};
use crate::configurations::{Configuration, SANITIZER_ENVIRONMENT};
use crate::oracles::debug_info::{AWK, OPTION};
use crate::truth::Truth;
use crate::verdict::{FindingKind, Measure, Named, Stage};
use machine::Exit;
use toolchain::crash::{GIVES_UP, marks};

/// How many times its CPU time a process may take by the clock.
const PATIENCE: u64 = 10;
/// What ends a process that is over its CPU time.
const SIGXCPU: i32 = 24;
/// What drivers of compilers say where that ended a part of theirs.
const TOO_LONG: &str = "cpu time limit exceeded";

/// The script for an alarm.
pub fn script(evidence: &Evidence<'_>) -> String {
    let alarm = evidence.alarm;
    let comment = |text: &str| text.replace(['\n', '\r'], " ");
    let mut commands = evidence.commands("PROGRAM");
    for word in commands.iter_mut().flatten() {
        *word = shown(word);
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
         # CPU time decides, so that a busy machine changes nothing; the clock only ends what waits for ever.\n\
         ulimit -S -t {seconds} 2>/dev/null\n\
         if command -v timeout >/dev/null 2>&1; then limit='timeout {wall}'; else limit=; fi\n\
         late() {{ [ \"$1\" -eq 124 ] || [ \"$1\" -eq {late} ] || grep -q -i '{TOO_LONG}' \"$tmp/messages\"; }}\n\
         \n\
         {environment}\
         echo \"compiler: {version}\"\n",
        environment = environment(evidence.configuration),
        kind = alarm.kind.name(),
        configuration = comment(&evidence.configuration.label()),
        program = comment(evidence.program),
        summary = comment(&alarm.summary),
        seconds = evidence.limit.as_secs().max(1),
        wall = evidence.limit.as_secs().max(1) * PATIENCE,
        late = 128 + SIGXCPU,
        version = plain(&evidence.configuration.tested.compiler.banner),
    );
    let mut compile = String::from(": >\"$tmp/messages\"\ncompiled=0\n");
    let training = train(evidence, &commands);
    compile.push_str(&training);
    for (number, command) in commands.iter().enumerate() {
        // The line of a plain program begins with the limit, each further one with the success of those before.
        let when = if number == 0 && training.is_empty() { "" } else { "[ $compiled -ne 0 ] || " };
        let line = format!("{when}$limit {} >>\"$tmp/messages\" 2>&1 || compiled=$?\n", command.join(" "));
        compile.push_str(&line);
    }
    compile.push_str("head -n 20 \"$tmp/messages\"\n");
    if let Some(against) = evidence.against {
        return format!("{head}{}", compare(&commands.concat(), against));
    }
    let verdict = match (alarm.kind, alarm.stage) {
        (FindingKind::Refusal, _) => refusal(),
        (FindingKind::Crash, _) => crash(&alarm.signature),
        (FindingKind::Hang, Stage::Compile) => hang("compiled", "the compiler"),
        (FindingKind::WrongCode, Stage::Compile) => no_program(),
        (FindingKind::Hang | FindingKind::WrongCode | FindingKind::FalseReport, _) => run(evidence),
        (FindingKind::Volatile, _) => match evidence.accesses {
            Some(facts) => repro_volatile::count(facts, &arguments(evidence)),
            None => run(evidence),
        },
        (FindingKind::MissedOptimisation | FindingKind::SlowCompilation | FindingKind::DebugInfo, _) => {
            run(evidence)
        }
    };
    format!("{head}{compile}\n{verdict}")
}

/// A word of a command, with the program's name where it is.
fn shown(word: &str) -> String {
    match word.strip_prefix("PROGRAM") {
        Some(rest) => format!("\"$tmp/program{rest}\""),
        None => shell_words::quote(word).into_owned(),
    }
}

/// The profile that commands use: the program is made to write it, and run.
fn train(evidence: &Evidence<'_>, commands: &[Vec<String>]) -> String {
    if !is_trained(commands.iter().flatten().map(String::as_str)) {
        return String::new();
    }
    let mut text = String::new();
    for (number, command) in commands.iter().enumerate() {
        let when = if number == 0 { "" } else { "[ $compiled -ne 0 ] || " };
        let command = command.iter().map(String::as_str).map(training).collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{when}$limit {command} >>\"$tmp/messages\" 2>&1 || compiled=$?\n"));
    }
    let start = started(evidence);
    text.push_str(&format!("[ $compiled -ne 0 ] || {start} >/dev/null 2>&1\n"));
    text
}

/// The command that runs the program, with its arguments and its input.
fn started(evidence: &Evidence<'_>) -> String {
    let runner = evidence.configuration.runner();
    let runner = if runner.is_empty() { String::new() } else { format!("{} ", shell_words::join(&runner)) };
    format!("$limit {runner}\"$tmp/program\"{}", arguments(evidence))
}

/// What the program is given: its arguments and its input.
fn arguments(evidence: &Evidence<'_>) -> String {
    let quoted = |arg: &Vec<u8>| format!(" {}", shell_words::quote(&String::from_utf8_lossy(arg)));
    let args: String = evidence.input.args.iter().map(quoted).collect();
    let stdin = if evidence.input.stdin.is_empty() { "/dev/null" } else { STDIN };
    format!("{args} <{stdin}")
}

/// What a program that checks itself finds in its environment, as commands.
fn environment(configuration: &Configuration) -> String {
    let all = if configuration.is_sanitized() { SANITIZER_ENVIRONMENT } else { &[] };
    all.iter().map(|(name, value)| format!("export {name}={value}\n")).collect()
}

/// Text that means nothing inside double quotes of a shell.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || "\"\\$`".contains(c) { ' ' } else { c }).collect()
}

/// Both compilations, and in what they differ.
fn compare(worse: &[String], against: &Against) -> String {
    let mut better = against.configuration.assembly_command(BETTER);
    if let Some(last) = better.last_mut().filter(|last| *last == BETTER) {
        *last = format!("PROGRAM-{BETTER}");
    }
    let better: Vec<String> = better.iter().map(|word| shown(word)).collect();
    let (worse, better) = (worse.join(" "), better.join(" "));
    let version = plain(&against.configuration.tested.compiler.banner);
    let head = format!("echo \"better:   {version}\"\n");
    let rest = match &against.what {
        Contrast::Marker(name) => marker(name, &worse, &better),
        Contrast::Cost(costs) => cost(costs, &worse, &better),
        Contrast::Code => code(&worse, &better),
    };
    format!("{head}{rest}")
}

/// The lines that compare the instructions of the two assemblies, one made with debug information and one without.
fn code(worse: &str, better: &str) -> String {
    format!(
        "code() {{ awk '{AWK}' \"$1\" >\"$1.code\"; }}\n\
         $limit {worse} >\"$tmp/messages\" 2>&1 && $limit {better} >>\"$tmp/messages\" 2>&1\n\
         if [ $? -ne 0 ]; then head -n 20 \"$tmp/messages\"; echo 'a compiler failed'; exit 2; fi\n\
         code \"$tmp/program\" && code \"$tmp/program-{BETTER}\" || exit 2\n\
         echo 'expected: the same instructions with and without {OPTION}'\n\
         if cmp -s \"$tmp/program.code\" \"$tmp/program-{BETTER}.code\"\n\
         then echo 'the bug does not show'; exit 0; fi\n\
         diff \"$tmp/program.code\" \"$tmp/program-{BETTER}.code\" | head -n 20\n\
         echo 'the bug shows'\n\
         exit 1\n"
    )
}

/// Which of the two calls the undefined function?
fn marker(name: &str, worse: &str, better: &str) -> String {
    format!(
        "calls() {{ grep -v '^[[:space:]]*[.#]' \"$1\" | grep -c -w {name}; }}\n\
         $limit {worse} >\"$tmp/messages\" 2>&1 && $limit {better} >>\"$tmp/messages\" 2>&1\n\
         if [ $? -ne 0 ]; then head -n 20 \"$tmp/messages\"; echo 'a compiler failed'; exit 2; fi\n\
         echo 'expected: none calls {name}, whose block never runs'\n\
         worse=$(calls \"$tmp/program\") better=$(calls \"$tmp/program-{BETTER}\")\n\
         echo \"actual:   $worse calls, and $better by the better one\"\n\
         if [ \"$worse\" -gt 0 ] && [ \"$better\" -eq 0 ]; then echo 'the bug shows'; exit 1; fi\n\
         echo 'the bug does not show'\n"
    )
}

/// Is the one out of line with the other? Each is measured three times, and the least of it counts.
fn cost(costs: &CostFacts, worse: &str, better: &str) -> String {
    let (measure, least) = match costs.measure {
        Measure::Time => (
            "once() {\n  sh -c '\"$@\" >/dev/null 2>&1 || exit 2; times' sh \"$@\" |\n    \
             awk 'NR == 2 { split($1, u, \"[ms]\"); split($2, s, \"[ms]\"); print 60 * (u[1] + s[1]) + u[2] + s[2] }'\n}\n",
            costs.measure.least(),
        ),
        Measure::Memory => (
            "[ -x /usr/bin/time ] || { echo 'no /usr/bin/time to measure memory by'; exit 2; }\n\
             once() { /usr/bin/time -f %M \"$@\" 2>&1 >/dev/null | awk 'END { print $1 * 1024 }'; }\n",
            costs.measure.least(),
        ),
    };
    let unit = match costs.measure {
        Measure::Time => "seconds of CPU time",
        Measure::Memory => "bytes of memory",
    };
    format!(
        "{measure}\
         least() {{ for n in 1 2 3; do once \"$@\"; done | sort -n | head -n 1; }}\n\
         worse=$(least $limit {worse})\n\
         better=$(least $limit {better})\n\
         if [ -z \"$worse\" ] || [ -z \"$better\" ]; then echo 'a compiler failed'; exit 2; fi\n\
         echo 'expected: less than {factor:.1} times what the better one takes'\n\
         echo \"actual:   $worse {unit}, and $better by the better one\"\n\
         if awk \"BEGIN {{ exit !($worse >= {least} && $worse >= {factor} * $better) }}\"\n\
         then echo 'the bug shows'; exit 1; fi\n\
         echo 'the bug does not show'\n",
        factor = costs.factor,
    )
}

fn crash(signature: &str) -> String {
    format!(
        "echo \"expected: the compiler translates the program or refuses it with an error message\"\n\
         echo \"actual:   exit status $compiled ({signature})\"\n\
         if late $compiled; then echo 'it ran out of time'; exit 2; fi\n\
         if [ $compiled -ge 126 ] || grep -v '{GIVES_UP}' \"$tmp/messages\" | grep -q -i -E \\\n  \
         '{marks}'\n\
         then echo 'the bug shows'; exit 1; fi\n\
         echo 'the bug does not show'\n",
        signature = plain(signature),
        marks = marks(),
    )
}

fn refusal() -> String {
    "echo 'expected: the compiler takes the program, as it does at another level'\n\
     if late $compiled; then echo 'it ran out of time'; exit 2; fi\n\
     if [ $compiled -ge 126 ]; then echo 'the compiler does not start'; exit 2; fi\n\
     if [ $compiled -ne 0 ]; then echo \"actual:   exit status $compiled\"; echo 'the bug shows'; exit 1; fi\n\
     echo 'the bug does not show'\n"
        .to_owned()
}

fn hang(status: &str, who: &str) -> String {
    format!(
        "echo \"expected: {who} ends\"\n\
         if late ${status}; then echo \"actual:   it was stopped by its limit of time\"; echo 'the bug shows'; exit 1; fi\n\
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
    let compile = "if [ $compiled -ne 0 ]; then echo 'the compiler failed'; exit 2; fi\n";
    let start = format!("{} >\"$tmp/stdout\"\nended=$?\n", started(evidence));
    let judge = match evidence.truth {
        Truth::Known { outcome, .. } | Truth::Opaque { outcome, .. }
            if evidence.alarm.kind != FindingKind::Hang =>
        {
            let status = match outcome.exit {
                Exit::Code(code) => i32::from(code),
                Exit::Signal(signal) => 128 + signal,
            };
            format!(
                "if late $ended; then echo 'it ran out of time'; exit 2; fi\n\
                 echo 'expected: exit status {status} and this output'\n\
                 head -c 2000 {EXPECTED}\n\
                 echo \"actual:   exit status $ended and this output\"\n\
                 head -c 2000 \"$tmp/stdout\"\n\
                 if [ $ended -eq {status} ] && cmp -s {EXPECTED} \"$tmp/stdout\"\n\
                 then echo 'the bug does not show'; exit 0; fi\n\
                 echo 'the bug shows'\n\
                 exit 1\n"
            )
        }
        Truth::Known { .. } | Truth::Opaque { .. } => hang("ended", "the compiled program"),
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
