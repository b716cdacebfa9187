//! The test built in for findings: a candidate is a defined program that a compiler still fails on in the same way. What
//! compilers are and how they are run is the caller's, through [`Subject`].

use super::gate::Gate;
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
    /// The compiler refuses the program.
    Refused,
    /// Nothing is wrong.
    None,
}

/// In what a program that was compiled wrongly differs from its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It ends as it should, with other output.
    Output,
    /// It ends with another code.
    Code,
    /// A signal ends it.
    Signal(i32),
    /// It does not end.
    Endless,
}

/// What compiling and running a candidate came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    /// The compiler crashed, with this signature.
    Crashed(String),
    /// The compiler ran out of time.
    CompilerHung,
    /// The compiler refused the text.
    Refused,
    /// The program exited with this code and this output.
    Exited(i32, Vec<u8>),
    /// A signal ended the program.
    Signaled(i32),
    /// The program ran out of time.
    Endless,
    /// The test itself failed.
    Failed(String),
}

/// A configuration of a compiler under suspicion: compiles a candidate and runs the result.
pub trait Subject: Sync {
    /// Compiles and runs. For `worker` and `cancel` see [`Interesting::ask`].
    fn run(&self, worker: usize, case: &Case, cancel: &Cancel) -> Ran;
}

/// The test: the machine's gate, then the compiler, which must show the same symptom (anti-slippage).
pub struct Finding<'f> {
    /// The gate; a crash of the compiler may do without a meaning, and then need not have one.
    pub gate: Option<Gate<'f>>,
    /// The configuration that fails.
    pub subject: &'f dyn Subject,
    /// A configuration that does not, where there is one: it must go on to be right.
    pub reference: Option<&'f dyn Subject>,
    /// What is to stay.
    pub symptom: Symptom,
}

impl Interesting for Finding<'_> {
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        let meaning = match &self.gate {
            Some(gate) => match gate.meaning(case) {
                Ok((outcome, _)) => Some(outcome),
                Err(why) => return Answer::Not(why),
            },
            None => None,
        };
        let wanted = |subject: &dyn Subject, symptom: &Symptom| {
            let seen = match symptom_of(subject.run(worker, case, cancel), meaning.as_ref()) {
                Ok(seen) => seen,
                Err(why) => return Answer::Unresolved(why),
            };
            if seen == *symptom {
                Answer::Interesting
            } else {
                Answer::Not(format!("{seen:?} instead of {symptom:?}"))
            }
        };
        match (wanted(self.subject, &self.symptom), self.reference) {
            (Answer::Interesting, Some(reference)) => wanted(reference, &Symptom::None),
            (answer, _) => answer,
        }
    }
}

/// What a run of the compiler and its program shows, given what the program means. Without a meaning nothing that a
/// compiled program does is wrong.
pub fn symptom_of(ran: Ran, meaning: Option<&Outcome>) -> Result<Symptom, String> {
    let ends_with = |signal: i32| meaning.is_none_or(|m| m.exit == Exit::Signal(signal));
    Ok(match ran {
        Ran::Failed(why) => return Err(why),
        Ran::Crashed(signature) => Symptom::Crash(signature),
        Ran::CompilerHung => Symptom::CompilerHangs,
        Ran::Refused => Symptom::Refused,
        Ran::Endless => Symptom::WrongCode(Wrong::Endless),
        Ran::Signaled(signal) if ends_with(signal) => Symptom::None,
        Ran::Signaled(signal) => Symptom::WrongCode(Wrong::Signal(signal)),
        Ran::Exited(code, output) => match meaning {
            Some(m) if m.exit != Exit::Code((code & 0xff) as u8) => Symptom::WrongCode(Wrong::Code),
            Some(m) if m.stdout != output => Symptom::WrongCode(Wrong::Output),
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
        let test = Finding {
            gate: Some(Gate::new(Options { max_steps: 10_000, ..Options::default() }, None)),
            subject: &Deaf,
            reference: None,
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
