//! What a program means in each data model of a campaign.

use super::context::Hunt;
use crate::configurations::Configuration;
use crate::sources::Program;
use crate::truth::{self, Truth};
use crate::units::Units;
use crate::verdict::Rejection;
use frontend::preprocess;
use std::path::PathBuf;
use std::sync::Arc;
use toolchain::compiler::{PreprocessError, Source};

/// The text and meaning of a program in one data model.
pub(super) struct Meaning {
    pub text: Arc<[u8]>,
    pub truth: Truth,
    /// Compiled instead of the text.
    pub units: Option<Arc<Units>>,
}

/// The program's text and meaning in each data model. `None` when plumb was stopped.
pub(super) fn meanings(
    hunt: &Hunt<'_>,
    program: &Program,
    units: Option<Arc<Units>>,
) -> Option<Vec<Meaning>> {
    let needed = is_preprocessed(hunt, program);
    let plain: Arc<[u8]> = Arc::from(program.text.as_slice());
    let mut all = Vec::new();
    for (number, target) in hunt.plan.models.iter().enumerate() {
        let text = if needed {
            match preprocessed(hunt, program, number) {
                Ok(text) => Arc::from(text),
                Err(PreprocessError::Cancelled) => return None,
                Err(error) => {
                    let truth = Truth::Rejected(Rejection::NotPreprocessed(error.to_string()));
                    all.push(Meaning { text: Arc::clone(&plain), truth, units: None });
                    continue;
                }
            }
        } else {
            Arc::clone(&plain)
        };
        let truth = truth::of(&text, &program.name, &machine_options(hunt, target));
        all.push(Meaning { text, truth, units: units.clone() });
    }
    Some(all)
}

/// Does a program go through a preprocessor?
pub(super) fn is_preprocessed(hunt: &Hunt<'_>, program: &Program) -> bool {
    preprocess::is_needed(&program.text) || !hunt.options.reading.headers_and_macros().is_empty()
}

/// How the machine runs programs of this campaign.
pub(super) fn machine_options(hunt: &Hunt<'_>, target: &csyntax::target::Target) -> machine::Options {
    machine::Options {
        target: target.clone(),
        max_steps: hunt.options.max_steps,
        args: hunt.options.input.args.clone(),
        stdin: hunt.options.input.stdin.clone(),
        ..machine::Options::default()
    }
}

/// Preprocesses with the first compiler of a data model: its headers fit.
pub(super) fn preprocessed(
    hunt: &Hunt<'_>,
    program: &Program,
    model: usize,
) -> Result<Vec<u8>, PreprocessError> {
    let of_model = |c: &&Configuration| c.model == model;
    let command = match hunt.plan.configurations.iter().find(of_model) {
        Some(configuration) => configuration.tested.compiler.name(),
        None => "cc".to_owned(),
    };
    let mut reading = hunt.options.reading.clone();
    reading.include.extend(program.include.iter().map(|dir| dir.as_os_str().to_owned()));
    let source = match &program.file {
        Some(path) => Source::File(path.clone()),
        None => Source::Text { bytes: Arc::from(program.text.as_slice()), dir: PathBuf::from(".") },
    };
    let words = reading.headers_and_macros();
    preprocess::run(reading.preprocessor, Some(&command), &words, &source).map(|done| done.text)
}
