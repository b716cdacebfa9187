//! One program compiled and run by an [`Executor`](crate::executor::Executor), as one action: a shell script.
//!
//! Only one answer is believed: that the program compiled and did what it means. Whatever else came of it, be it an alarm, a
//! limit, a refusal, or nothing, is no answer, and this machine looks itself: so a farm cannot raise an alarm. A shell also
//! cannot tell every end of a program from every other (a signal from a status over 128), which here is no answer either.

use super::context::Hunt;
use super::meaning::Meaning;
use super::observe::{At, limits};
use crate::configurations::{Configuration, INPUT, OUTPUT, SANITIZER_ENVIRONMENT, unit_file};
use crate::error::Error;
use crate::executor::{Action, Executor, Ran};
use crate::oracles::{Compared, Observation, compare};
use crate::truth::Truth;
use crate::verdict::Stage;
use mutate::Input;
use std::collections::BTreeMap;
use std::time::Duration;
use toolchain::compiler::{CompileOutcome, Compiled};
use toolchain::process::{Finished, Limits, Outcome, Usage};

/// The property that says by which compiler an action is to be done: the first line of what it says of itself.
pub const COMPILER: &str = "compiler";

const SCRIPT: &str = "compile-and-run.sh";
const STDIN: &str = "stdin";
const STATUS: &str = "out/status";
const MESSAGES: &str = "out/messages";
const STDOUT: &str = "out/stdout";
const STDERR: &str = "out/stderr";

/// Exit statuses up to this one are the program's own: shells have those above for what they could not run, and for signals.
const LAST_STATUS: i32 = 125;

/// What an executor made of a program.
pub(super) enum Elsewhere {
    /// It does what it means.
    Passed(Box<Observation>),
    /// This machine has to look.
    Unknown,
    /// plumb was stopped.
    Stopped,
}

/// Has the program compiled and run in a configuration, where that can be said in an action.
pub(super) fn observe(
    hunt: &Hunt<'_>,
    executor: &dyn Executor,
    at: At<'_>,
    meaning: &Meaning,
) -> Result<Elsewhere, Error> {
    let configuration = &hunt.plan.configurations[at.configuration].with(at.drawn);
    let expected = match &meaning.truth {
        Truth::Known { outcome, .. } | Truth::Opaque { outcome, .. } => outcome,
        Truth::Rejected(_) => return Ok(Elsewhere::Unknown),
    };
    // A profile is written by the compiled program, wherever its compiler decides.
    if configuration.trainer().is_some() {
        return Ok(Elsewhere::Unknown);
    }
    let bounds = [Stage::Compile, Stage::Run].map(|stage| limits(hunt, &meaning.truth, stage, false));
    let commands = commands(configuration, meaning);
    let action = action(configuration, meaning, &commands, &hunt.options.input, &bounds);
    let outputs = match executor.run(&action)? {
        Ran::Ended { code: 0, outputs } => outputs,
        Ran::Ended { .. } | Ran::Unknown(_) => return Ok(Elsewhere::Unknown),
        Ran::Stopped => return Ok(Elsewhere::Stopped),
    };
    let Some(mut seen) = read(outputs) else { return Ok(Elsewhere::Unknown) };
    let banner = &configuration.tested.compiler.banner;
    if seen.compiler != *banner {
        return Err(another(configuration, &seen.compiler));
    }
    if !matches!(compare(expected, &seen.run, configuration.is_x86()), Compared::Same) {
        return Ok(Elsewhere::Unknown);
    }
    seen.compile.argv =
        commands.into_iter().next_back().unwrap_or_default().into_iter().map(Into::into).collect();
    Ok(Elsewhere::Passed(Box::new(Observation {
        configuration: at.configuration,
        drawn: at.drawn.to_vec(),
        compile: seen.compile,
        run: Some(seen.run),
        alone: false,
    })))
}

fn another(configuration: &Configuration, said: &str) -> Error {
    let name = &configuration.tested.name;
    let banner = &configuration.tested.compiler.banner;
    let said = if said.is_empty() { "nothing".to_owned() } else { format!("`{said}`") };
    Error::Tool {
        tool: format!("--executor: `{name}`"),
        why: format!(
            "a machine of the farm says {said} for it, this one `{banner}`; have the farm route by the property \
             `{COMPILER}`, or start both from one image"
        ),
    }
}

/// The command lines that compile the program, with plain file names.
fn commands(configuration: &Configuration, meaning: &Meaning) -> Vec<Vec<String>> {
    match &meaning.units {
        None => vec![configuration.command(OUTPUT)],
        Some(units) => {
            let level = |unit| units.level(unit, &configuration.level).to_owned();
            let levels: Vec<String> = (0..units.texts.len()).map(level).collect();
            configuration.unit_commands(&levels, units.lto, OUTPUT)
        }
    }
}

fn action(
    configuration: &Configuration,
    meaning: &Meaning,
    commands: &[Vec<String>],
    input: &Input,
    [compile, run]: &[Limits; 2],
) -> Action {
    let mut files: BTreeMap<String, Vec<u8>> = match &meaning.units {
        None => [(INPUT.to_owned(), meaning.text.to_vec())].into(),
        Some(units) => {
            let texts = units.texts.iter().enumerate();
            texts.map(|(number, text)| (unit_file(number), text.clone().into_bytes())).collect()
        }
    };
    if !input.stdin.is_empty() {
        files.insert(STDIN.to_owned(), input.stdin.clone());
    }
    files.insert(SCRIPT.to_owned(), script(configuration, commands, input, compile, run));
    let wall = |limits: &Limits| limits.wall.unwrap_or_default();
    let steps = u32::try_from(commands.len()).unwrap_or(u32::MAX);
    Action {
        properties: [(COMPILER.to_owned(), configuration.tested.compiler.banner.clone())].into(),
        files,
        argv: vec!["sh".to_owned(), SCRIPT.to_owned()],
        outputs: [STATUS, MESSAGES, STDOUT, STDERR].map(str::to_owned).to_vec(),
        time: wall(compile).saturating_mul(steps) + wall(run),
    }
}

/// The script: POSIX, but for `ulimit -v` and `-s`, which are left away where the shell does not have them.
fn script(
    configuration: &Configuration,
    commands: &[Vec<String>],
    input: &Input,
    compile: &Limits,
    run: &Limits,
) -> Vec<u8> {
    let driver = words(&configuration.tested.compiler.command);
    let mut text = format!(
        "# Compiles a program and runs it, each within limits. What became of it goes to out/.\n\
         mkdir -p out run tmp || exit 1\n\
         TMPDIR=$PWD/tmp\n\
         export TMPDIR\n\
         {driver} --version >tmp/said 2>tmp/said-too </dev/null\n\
         cat tmp/said tmp/said-too | while read -r line; do\n  \
           [ -z \"$line\" ] || {{ printf '%s\\n' \"$line\"; break; }}\n\
         done >{STATUS}\n\
         [ -s {STATUS} ] || echo >{STATUS}\n\
         : >{MESSAGES}\n"
    );
    let bounds = bounds(compile, compile.address_space);
    for command in commands {
        let command = words(command);
        text.push_str(&format!("( {bounds}exec {command} ) </dev/null >/dev/null 2>>{MESSAGES} || exit 1\n"));
    }
    text.push_str(&format!("[ -s {OUTPUT} ] || exit 1\n{{ echo compiled; times; }} >>{STATUS}\n"));
    let mut text = text.into_bytes();
    // Sanitizers and emulators reserve terabytes of addresses.
    let is_plain = !configuration.is_sanitized() && configuration.runner().is_empty();
    let bounds = self::bounds(run, run.address_space.filter(|_| is_plain));
    let environment: String = match configuration.is_sanitized() {
        true => SANITIZER_ENVIRONMENT.iter().map(|(name, value)| format!("{name}={value} ")).collect(),
        false => String::new(),
    };
    let environment = if environment.is_empty() { environment } else { format!("export {environment}; ") };
    let stdin = if input.stdin.is_empty() { "/dev/null".to_owned() } else { format!("../{STDIN}") };
    let runner: String = configuration.runner().iter().map(|word| format!("{} ", quoted(word))).collect();
    text.extend(format!("cd run || exit 1\n( {bounds}{environment}exec {runner}../{OUTPUT}").bytes());
    for arg in &input.args {
        text.push(b' ');
        text.extend(quoted_bytes(arg));
    }
    text.extend(
        format!(
            " ) <{stdin} >../{STDOUT} 2>../{STDERR}\n\
             code=$?\n\
             cd ..\n\
             {{ echo \"ran $code\"; times; }} >>{STATUS}\n"
        )
        .bytes(),
    );
    text
}

/// The commands that set limits for what follows in a subshell. A limit that cannot be set is lower already, or unknown to
/// the shell.
fn bounds(limits: &Limits, address_space: Option<u64>) -> String {
    let all = [
        ("t", limits.cpu.map(|time| time.as_secs() + u64::from(time.subsec_nanos() > 0))),
        ("v", address_space.map(|bytes| bytes.div_ceil(1 << 10))),
        ("s", limits.stack.map(|bytes| bytes.div_ceil(1 << 10))),
        ("f", limits.file_size.map(|bytes| bytes.div_ceil(512))),
        ("c", Some(0)),
    ];
    let set = all.into_iter().filter_map(|(letter, value)| Some((letter, value?)));
    set.map(|(letter, value)| format!("ulimit -{letter} {value} 2>/dev/null; ")).collect()
}

fn words(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    shell_words::quote(word).into_owned()
}

/// A word that may hold any byte.
fn quoted_bytes(word: &[u8]) -> Vec<u8> {
    let mut text = vec![b'\''];
    for byte in word {
        match byte {
            b'\'' => text.extend(b"'\\''"),
            byte => text.push(*byte),
        }
    }
    text.push(b'\'');
    text
}

/// What an action's files tell of a program that compiled and ended.
struct Seen {
    compiler: String,
    compile: Compiled,
    run: Finished,
}

/// Reads the files of an action; `None` where they do not tell all.
fn read(mut outputs: BTreeMap<String, Vec<u8>>) -> Option<Seen> {
    let status = String::from_utf8_lossy(outputs.get(STATUS)?).into_owned();
    let mut lines = status.lines();
    let compiler = lines.next()?.trim().to_owned();
    let mut usages = [Usage::default(); 2];
    let mut code = None;
    for (number, usage) in usages.iter_mut().enumerate() {
        let head = lines.next()?;
        match number {
            0 if head == "compiled" => {}
            1 => code = head.strip_prefix("ran ").and_then(|code| code.parse::<i32>().ok()),
            _ => return None,
        }
        // The shell's own, and its children's.
        lines.next()?;
        let mut times = lines.next()?.split_whitespace().map(time);
        *usage = Usage { user: times.next()??, system: times.next()??, ..Usage::default() };
    }
    let code = code.filter(|code| (0..=LAST_STATUS).contains(code))?;
    let [compile, both] = usages;
    let run = Usage {
        user: both.user.saturating_sub(compile.user),
        system: both.system.saturating_sub(compile.system),
        ..both
    };
    let mut take = |name: &str| outputs.remove(name);
    Some(Seen {
        compiler,
        compile: Compiled {
            outcome: CompileOutcome::Ok,
            usage: compile,
            stderr: take(MESSAGES)?,
            argv: Vec::new(),
        },
        run: Finished {
            outcome: Outcome::Exited(code),
            stdout: take(STDOUT)?,
            stderr: take(STDERR)?,
            usage: run,
            sandbox: None,
        },
    })
}

/// A time as `times` prints it: `0m1.25s`.
fn time(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    let seconds = 60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(status: &str) -> BTreeMap<String, Vec<u8>> {
        let texts = [(STATUS, status), (MESSAGES, ""), (STDOUT, "out"), (STDERR, "")];
        texts.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into()
    }

    const TIMES: &str = "0m0.00s 0m0.00s\n0m0.25s 0m0.5s\n";
    const LATER: &str = "0m0.00s 0m0.00s\n1m1.25s 0m0.75s\n";

    #[test]
    fn the_status_of_a_program_that_ran_is_read_with_what_both_steps_cost() {
        let seen = read(outputs(&format!("cc 1.0\ncompiled\n{TIMES}ran 7\n{LATER}"))).expect("all is there");
        assert_eq!(seen.compiler, "cc 1.0");
        assert_eq!(seen.compile.usage.cpu(), Duration::from_millis(750));
        assert_eq!(seen.run.usage.user, Duration::from_millis(61_000));
        assert_eq!((seen.run.outcome, seen.run.stdout.as_slice()), (Outcome::Exited(7), &b"out"[..]));
    }

    #[test]
    fn what_a_shell_cannot_tell_and_what_is_missing_is_no_answer() {
        let of = |code: &str| read(outputs(&format!("cc\ncompiled\n{TIMES}ran {code}\n{LATER}"))).is_some();
        assert!(of("0") && of("125"));
        assert!(!of("126") && !of("139") && !of("-1") && !of("x") && !of(""));
        for half in
            ["", "cc\n", "cc\ncompiled\n", &format!("cc\ncompiled\n{TIMES}"), "cc\ncompiled\nx\ny\nran 0\n"]
        {
            assert!(read(outputs(half)).is_none(), "{half:?}");
        }
        let mut lost = outputs(&format!("cc\ncompiled\n{TIMES}ran 0\n{LATER}"));
        lost.remove(STDOUT);
        assert!(read(lost).is_none());
    }

    #[test]
    fn any_argument_can_be_quoted() {
        assert_eq!(quoted_bytes(b"it's \xff$x"), b"'it'\\''s \xff$x'");
    }
}
