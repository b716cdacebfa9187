//! From text to the machine's answer: parse, check, run. The only place that knows all three.

use csyntax::source::{Diagnostic, SourceMap};
use machine::{Options, Run};

/// A program that was run.
pub struct Answer {
    /// What the machine says.
    pub run: Run,
    /// Turns its spans into places.
    pub source: SourceMap,
    /// What the parser and checker found worth saying.
    pub warnings: Vec<Diagnostic>,
}

/// Why a text was not run.
pub enum Refusal {
    /// It is not a C program.
    NotC {
        /// What is wrong, in order.
        diagnostics: Vec<Diagnostic>,
        /// Turns their spans into places.
        source: SourceMap,
    },
    /// plumb itself failed: a bug to report.
    Internal(String),
}

/// Gives a preprocessed text its meaning. Never panics: a panic inside is a [`Refusal::Internal`].
pub fn meaning(text: &[u8], name: &str, options: &Options) -> Result<Answer, Refusal> {
    let work = std::panic::AssertUnwindSafe(|| evaluate(text, name, options));
    std::panic::catch_unwind(work).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Refusal::Internal(said))
    })
}

// STAND-IN until the parser, checker and machine land: gcc with sanitizers as the reference.
fn evaluate(text: &[u8], name: &str, options: &Options) -> Result<Answer, Refusal> {
    use csyntax::source::{Severity, Span};
    use machine::{Exit, Outcome, Verdict};
    use toolchain::process::{self, Limits, Outcome as O, Spec};
    let source = SourceMap::new(name, text);
    let scratch = toolchain::scratch::ScratchRoot::new().unwrap();
    let dir = scratch.dir().unwrap();
    std::fs::write(dir.file("p.c"), text).unwrap();
    let limits = || Limits { address_space: None, ..Limits::within(std::time::Duration::from_secs(20)) };
    let model = if options.target.pointer_bytes == 4 { "-m32" } else { "-m64" };
    let cc = Spec::new("gcc").args([model, "-w", "-O0", "-fsanitize=address,undefined"]);
    let cc = cc.args(["-fno-sanitize-recover=all", "p.c", "-o", "p", "-lm"]).cwd(dir.path()).limits(limits());
    let done = process::run(&cc);
    if done.outcome != O::Exited(0) {
        let message = String::from_utf8_lossy(&done.stderr).lines().next().unwrap_or_default().to_owned();
        let d = Diagnostic { severity: Severity::Error, span: Span::new(0, 1), message };
        return Err(Refusal::NotC { diagnostics: vec![d], source });
    }
    let done = process::run(&Spec::new(dir.file("p")).limits(limits()).env("ASAN_OPTIONS", "exitcode=99"));
    let steps = done.usage.cpu().as_micros() as u64 * 100;
    let verdict = match done.outcome {
        O::Exited(1) | O::Exited(99) if String::from_utf8_lossy(&done.stderr).contains("runtime error") => {
            Verdict::Undefined {
                ub: machine::Ub::SignedOverflow,
                span: Span::new(0, 1),
                detail: "ubsan".into(),
                stack: vec![],
            }
        }
        O::Exited(code) => Verdict::Defined(Outcome {
            exit: Exit::Code(code as u8),
            stdout: done.stdout.clone(),
            stderr: vec![],
            volatile_trace: (0, 0),
            address_dependent: false,
        }),
        O::Signaled(s) => Verdict::Defined(Outcome {
            exit: Exit::Signal(s),
            stdout: done.stdout.clone(),
            stderr: vec![],
            volatile_trace: (0, 0),
            address_dependent: false,
        }),
        _ => Verdict::Exhausted(machine::Budget::Steps),
    };
    Ok(Answer { run: Run { verdict, steps, stdout: done.stdout, stderr: vec![] }, source, warnings: vec![] })
}
