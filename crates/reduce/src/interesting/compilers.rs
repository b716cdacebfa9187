//! The test built in for findings: a candidate is a defined program that a compiler still fails on in the same way. What
//! compilers are and how they are run is the caller's, through [`Subject`].

use super::gate::{Gate, NoMeaning};
use super::{Answer, Interesting};
use crate::Case;
use machine::{Exit, Outcome};
use toolchain::Cancel;

/// A compiler's failure, as far as two can be told apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Symptom {
    /// The compiler failed itself, with this signature.
    Crash(String),
    /// The compiler ran out of time.
    CompilerHangs,
    /// The program is compiled and does not do what it means.
    WrongCode(Wrong),
    /// The compiler refuses the program, for this reason.
    Refused(String),
    /// Nothing is wrong.
    None,
}

/// In what a program that was compiled wrongly differs from its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It ends as it should, with other output.
    Output,
    /// It exits with another code, or exits where a signal should end it. Kept apart from the former: a `main` without
    /// `return` has another code wherever the compiler follows an older standard.
    Code,
    /// A signal ends it.
    Signal(i32),
    /// It does not end.
    Endless,
    /// The compiler reports success and there is no program.
    NoProgram,
}

/// What compiling and running a candidate came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    /// The compiler crashed, with this signature.
    Crashed(String),
    /// The compiler ran out of time.
    CompilerHung,
    /// The compiler refused the text, for this reason.
    Refused(String),
    /// The compiler reported success and wrote no program.
    NoProgram,
    /// The program exited with this code and this output.
    Exited(i32, Vec<u8>),
    /// The program wrote far more than it means to.
    Chatty,
    /// A signal ended the program, which had printed this.
    Signaled(i32, Vec<u8>),
    /// The program ran out of time.
    Endless,
    /// The test itself failed.
    Failed(String),
}

/// A configuration of a compiler under suspicion: compiles a candidate and runs the result.
pub trait Subject: Sync {
    /// Compiles and runs. For `worker` and `cancel` see [`Interesting::ask`].
    fn run(&self, worker: usize, case: &Case, cancel: &Cancel) -> Ran;

    /// Are these the same signal? A trap raises different ones on different processors.
    fn same_signal(&self, meant: i32, seen: i32) -> bool {
        meant == seen
    }
}

/// The test: the machine's gate, then the compiler, which must show the same symptom (anti-slippage), and last
/// configurations that must not show it.
pub struct Finding<'f> {
    /// The gate. Where the compiler itself fails, a candidate need not be a whole program: it must be C, and not undefined.
    pub gate: &'f Gate<'f>,
    /// The configuration that fails.
    pub subject: &'f dyn Subject,
    /// Configurations that must go on to be right.
    pub references: Vec<&'f dyn Subject>,
    /// What is to stay.
    pub symptom: Symptom,
}

impl Finding<'_> {
    /// What a candidate means, if that is needed; why it is no candidate otherwise.
    fn meaning(&self, case: &Case) -> Result<Option<Outcome>, NoMeaning> {
        let of_compiler = match self.symptom {
            Symptom::Crash(_) | Symptom::CompilerHangs => true,
            Symptom::WrongCode(_) | Symptom::Refused(_) | Symptom::None => false,
        };
        match self.gate.meaning(case) {
            Ok((outcome, _)) => Ok(Some(outcome)),
            Err(NoMeaning::Unsupported(_) | NoMeaning::Exhausted(_) | NoMeaning::Open) if of_compiler => {
                Ok(None)
            }
            Err(why) => Err(why),
        }
    }
}

impl Interesting for Finding<'_> {
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        let meaning = match self.meaning(case) {
            Ok(meaning) => meaning,
            Err(why) => return Answer::Not(why.to_string()),
        };
        match shows(self.subject, &self.symptom, meaning.as_ref(), (worker, case, cancel)) {
            Answer::Interesting => {}
            answer @ (Answer::Not(_) | Answer::Unresolved(_)) => return answer,
        }
        for reference in &self.references {
            match shows(*reference, &Symptom::None, meaning.as_ref(), (worker, case, cancel)) {
                Answer::Interesting => {}
                answer @ (Answer::Not(_) | Answer::Unresolved(_)) => return answer,
            }
        }
        Answer::Interesting
    }
}

/// Does a configuration show this symptom, given what the program means?
fn shows(
    subject: &dyn Subject,
    symptom: &Symptom,
    meaning: Option<&Outcome>,
    (worker, case, cancel): (usize, &Case, &Cancel),
) -> Answer {
    match symptom_of(subject, subject.run(worker, case, cancel), meaning) {
        Err(why) => Answer::Unresolved(why),
        Ok(seen) if seen == *symptom => Answer::Interesting,
        Ok(seen) => Answer::Not(format!("{seen:?} instead of {symptom:?}")),
    }
}

/// What a run of the compiler and its program shows, given what the program means. Without a meaning nothing that a
/// compiled program does is wrong.
pub fn symptom_of(subject: &dyn Subject, ran: Ran, meaning: Option<&Outcome>) -> Result<Symptom, String> {
    let meant = |signal: i32| match meaning.map(|m| m.exit) {
        None => true,
        Some(Exit::Signal(wanted)) => subject.same_signal(wanted, signal),
        Some(Exit::Code(_)) => false,
    };
    let printed = |output: &[u8]| meaning.is_none_or(|m| m.stdout == output);
    Ok(match ran {
        Ran::Failed(why) => return Err(why),
        Ran::Crashed(signature) => Symptom::Crash(signature),
        Ran::CompilerHung => Symptom::CompilerHangs,
        Ran::Refused(why) => Symptom::Refused(why),
        Ran::NoProgram => Symptom::WrongCode(Wrong::NoProgram),
        Ran::Endless => Symptom::WrongCode(Wrong::Endless),
        Ran::Chatty => Symptom::WrongCode(Wrong::Output),
        Ran::Signaled(signal, output) if meant(signal) && printed(&output) => Symptom::None,
        Ran::Signaled(signal, _) if meant(signal) => Symptom::WrongCode(Wrong::Output),
        Ran::Signaled(signal, _) => Symptom::WrongCode(Wrong::Signal(signal)),
        Ran::Exited(code, output) => match meaning {
            Some(m) if m.exit != Exit::Code((code & 0xff) as u8) => Symptom::WrongCode(Wrong::Code),
            Some(_) | None if !printed(&output) => Symptom::WrongCode(Wrong::Output),
            Some(_) | None => Symptom::None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::Options;

    /// A compiler whose programs print nothing if the text has `+`.
    struct Deaf;

    impl Subject for Deaf {
        fn run(&self, _: usize, case: &Case, _: &Cancel) -> Ran {
            if case.files[0].text.contains(&b'+') {
                Ran::Exited(3, Vec::new())
            } else {
                Ran::Exited(7, Vec::new())
            }
        }
    }

    fn ask(text: &str) -> Answer {
        let gate = Gate::new(Options { max_steps: 10_000, ..Options::default() }, None);
        let test = Finding {
            gate: &gate,
            subject: &Deaf,
            references: Vec::new(),
            symptom: Symptom::WrongCode(Wrong::Code),
        };
        let cancel = Cancel::new().expect("a descriptor");
        test.ask(0, &Case::new([("a.c".to_owned(), text.as_bytes().to_vec())]), &cancel)
    }

    #[test]
    fn a_defined_program_with_the_symptom_is_interesting() {
        assert_eq!(ask("int main(void) { return 1 + 1; }"), Answer::Interesting);
    }

    #[test]
    fn undefined_programs_and_other_symptoms_are_not() {
        for text in [
            "int main(void) { return 2147483647 + 1; }",
            "int main(void) { return 1 + 2; }",
            "int main(void) { return 7; }",
            "int main(void) { for (;;) 1 + 1; }",
            "int main(void) { return 1 + ; }",
            "int f(void); int main(void) { return 1 + ((long)f >> 12 & 1); } int f(void) { return 0; }",
            "int f(void) { return 0; } int printf(const char *, ...); int main(void) { printf(\"%p\", f); return 1 + 1; }",
        ] {
            assert!(matches!(ask(text), Answer::Not(_)), "{text}: {:?}", ask(text));
        }
    }
}
