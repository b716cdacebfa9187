//! What a program means in each data model of a campaign.

use super::context::Hunt;
use crate::sources::Program;
use crate::truth::{self, Truth};
use crate::units::Units;
use crate::verdict::Rejection;
use frontend::{Unmergeable, preprocess};
use std::ffi::OsString;
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

/// What a program means in each data model, and what each configuration is given to compile.
pub(super) struct Meanings {
    /// By data model, as the first compiler of each reads the program.
    pub models: Vec<Meaning>,
    /// By configuration: the text with the headers of its own compiler, where that is another and means the same.
    own: Vec<Option<Arc<Meaning>>>,
}

impl Meanings {
    /// What a configuration is given.
    pub fn of(&self, hunt: &Hunt<'_>, configuration: usize) -> &Meaning {
        match self.own.get(configuration) {
            Some(Some(own)) => own,
            _ => &self.models[hunt.plan.configurations[configuration].model],
        }
    }
}

/// The program's text and meaning for each configuration. `None` when plumb was stopped.
pub(super) fn meanings(hunt: &Hunt<'_>, program: &Program, units: Option<Arc<Units>>) -> Option<Meanings> {
    let models =
        if program.parts.is_empty() { by_model(hunt, program, units)? } else { of_parts(hunt, program)? };
    let own = match program.parts.is_empty() && is_preprocessed(hunt, program) {
        true => own_texts(hunt, program, &models)?,
        false => Vec::new(),
    };
    Some(Meanings { models, own })
}

/// The program as compilers beside the one that leads their data model read it: headers of one are often refused by another.
fn own_texts(hunt: &Hunt<'_>, program: &Program, models: &[Meaning]) -> Option<Vec<Option<Arc<Meaning>>>> {
    let mut known: Vec<(String, Option<Arc<Meaning>>)> = Vec::new();
    let leading: Vec<String> = (0..hunt.plan.models.len()).map(|model| compiler_of(hunt, model)).collect();
    let mut all = Vec::new();
    for configuration in &hunt.plan.configurations {
        let (model, name) = (configuration.model, configuration.tested.compiler.name());
        if name == leading[model] {
            all.push(None);
            continue;
        }
        let own = match known.iter().find(|(other, _)| *other == name) {
            Some((_, own)) => own.clone(),
            None => {
                let own = match preprocessed_by(hunt, program, &name) {
                    Ok(text) => own_meaning(hunt, program, model, (text, &models[model])).map(Arc::new),
                    Err(PreprocessError::Cancelled) => return None,
                    Err(_) => None,
                };
                known.push((name, own.clone()));
                own
            }
        };
        all.push(own);
    }
    Some(all)
}

/// What another text of a program means, where that is the same.
fn own_meaning(
    hunt: &Hunt<'_>,
    program: &Program,
    model: usize,
    (text, first): (Vec<u8>, &Meaning),
) -> Option<Meaning> {
    let Truth::Known { outcome: expected, .. } = &first.truth else { return None };
    if text[..] == first.text[..] {
        return None;
    }
    let truth = truth::of(&text, &program.name, &machine_options(hunt, &hunt.plan.models[model]));
    let same = matches!(&truth, Truth::Known { outcome, .. } if outcome == expected);
    same.then(|| Meaning { text: Arc::from(text), truth, units: first.units.clone() })
}

fn by_model(hunt: &Hunt<'_>, program: &Program, units: Option<Arc<Units>>) -> Option<Vec<Meaning>> {
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

/// As [`by_model`], of a program of several files: its text is that of all of them merged, and they are its units.
fn of_parts(hunt: &Hunt<'_>, program: &Program) -> Option<Vec<Meaning>> {
    let mut all = Vec::new();
    for (number, target) in hunt.plan.models.iter().enumerate() {
        let meaning = match merged(hunt, program, number) {
            Ok((text, texts)) => {
                let truth = truth::of(text.as_bytes(), &program.name, &machine_options(hunt, target));
                let units = Units { texts, levels: Vec::new(), lto: false };
                Meaning { text: Arc::from(text.as_bytes()), truth, units: Some(Arc::new(units)) }
            }
            Err(Unmerged::Stopped) => return None,
            Err(Unmerged::Rejected(why)) => {
                Meaning { text: Arc::from(&program.text[..]), truth: Truth::Rejected(why), units: None }
            }
        };
        all.push(meaning);
    }
    Some(all)
}

/// Why the files of a program are not one text.
pub(super) enum Unmerged {
    /// They are none.
    Rejected(Rejection),
    /// plumb was stopped.
    Stopped,
}

/// The files of a program in a data model: as one text, and each by itself.
pub(super) fn merged(
    hunt: &Hunt<'_>,
    program: &Program,
    model: usize,
) -> Result<(String, Vec<String>), Unmerged> {
    let mut units = Vec::new();
    for part in &program.parts {
        let words = hunt.options.reading.headers_and_macros();
        let words: Vec<OsString> = part.words.iter().cloned().chain(words).collect();
        let source = Source::File(part.file.clone());
        let command = compiler_of(hunt, model);
        match preprocess::run(hunt.options.reading.preprocessor, Some(&command), &words, &source) {
            Ok(done) => units.push((part.file.display().to_string(), done.text)),
            Err(PreprocessError::Cancelled) => return Err(Unmerged::Stopped),
            Err(error) => return Err(Unmerged::Rejected(Rejection::NotPreprocessed(error.to_string()))),
        }
    }
    match frontend::guarded(|| frontend::merge(&units)) {
        Ok(Ok(text)) => {
            let unit = |(_, text): (String, Vec<u8>)| String::from_utf8_lossy(&text).into_owned();
            Ok((text, units.into_iter().map(unit).collect()))
        }
        Ok(Err(why @ Unmergeable::NotC(_))) => Err(Unmerged::Rejected(Rejection::NotC(why.to_string()))),
        Ok(Err(why @ Unmergeable::Named { .. })) => {
            let what = "units that keep a name to themselves and ask for names of functions".to_owned();
            Err(Unmerged::Rejected(Rejection::Unsupported { what, at: why.to_string() }))
        }
        Err(said) => Err(Unmerged::Rejected(Rejection::Internal(said))),
    }
}

/// The command of the first compiler of a data model whose headers are seen here, or of the first: its headers fit.
fn compiler_of(hunt: &Hunt<'_>, model: usize) -> String {
    let mut names: Vec<String> = Vec::new();
    for configuration in hunt.plan.configurations.iter().filter(|c| c.model == model) {
        let name = configuration.tested.compiler.name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let here = names.iter().position(|name| !preprocess::is_elsewhere(name));
    match names.is_empty() {
        true => "cc".to_owned(),
        false => names.swap_remove(here.unwrap_or(0)),
    }
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

/// Preprocesses with the compiler that leads a data model: its headers fit.
pub(super) fn preprocessed(
    hunt: &Hunt<'_>,
    program: &Program,
    model: usize,
) -> Result<Vec<u8>, PreprocessError> {
    preprocessed_by(hunt, program, &compiler_of(hunt, model))
}

/// Preprocesses with the headers of a compiler; what they declare and the program does not need is left out, since variants
/// of this text are given to compilers with other headers.
fn preprocessed_by(hunt: &Hunt<'_>, program: &Program, command: &str) -> Result<Vec<u8>, PreprocessError> {
    let mut reading = hunt.options.reading.clone();
    reading.include.extend(program.include.iter().map(|dir| dir.as_os_str().to_owned()));
    let source = match &program.file {
        Some(path) => Source::File(path.clone()),
        None => Source::Text { bytes: Arc::from(program.text.as_slice()), dir: PathBuf::from(".") },
    };
    let words = reading.headers_and_macros();
    let done = preprocess::run(reading.preprocessor, Some(command), &words, &source)?;
    let text =
        frontend::guarded(|| frontend::without_unneeded(&done.text, &program.name)).unwrap_or(done.text);
    let text = if program.file.is_none() { without_markers(&text) } else { text };
    Ok(with_whole_packs(&text))
}

/// A preprocessed text with `#pragma pack(push)` and the `#pragma pack(N)` that follows it, as Csmith writes them, in one
/// line. They mean the same, but tcc takes no `push` without a number.
fn with_whole_packs(text: &[u8]) -> Vec<u8> {
    let words = |line: &[u8]| -> Vec<u8> {
        line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>()
    };
    let number = |line: &[u8]| -> Option<Vec<u8>> {
        let words = words(line);
        let number = words.strip_prefix(b"#pragmapack(")?.strip_suffix(b")")?;
        (!number.is_empty() && number.iter().all(u8::is_ascii_digit)).then(|| number.to_vec())
    };
    let mut out = Vec::with_capacity(text.len());
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let pushes = line.first() == Some(&b'#') && words(line) == b"#pragmapack(push)";
        match lines.peek().and_then(|next| number(next)).filter(|_| pushes) {
            Some(number) => {
                lines.next();
                out.extend([b"#pragma pack(push, ", &number[..], b")\n\n"].concat());
            }
            None => out.extend(line),
        }
    }
    out
}

/// A preprocessed text without its line markers, which name no file where it was never in one. Not every compiler takes
/// them: pcc wants `#line`.
fn without_markers(text: &[u8]) -> Vec<u8> {
    let is_marker =
        |line: &[u8]| line.strip_prefix(b"# ").and_then(|rest| rest.first()).is_some_and(u8::is_ascii_digit);
    text.split_inclusive(|byte| *byte == b'\n').filter(|line| !is_marker(line)).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::{with_whole_packs, without_markers};

    #[test]
    fn markers_go_and_directives_stay() {
        let text = b"\n# 1 \"<stdin>\"\n#pragma pack(1)\nint a; # 3\n# 12 \"x.h\" 3\nint b;";
        assert_eq!(without_markers(text), b"\n#pragma pack(1)\nint a; # 3\nint b;");
    }

    #[test]
    fn a_push_and_its_number_are_one_line() {
        let text = b"#pragma pack(push)\n#pragma pack(1)\nint a;\n#pragma pack(pop)\n";
        assert_eq!(with_whole_packs(text), b"#pragma pack(push, 1)\n\nint a;\n#pragma pack(pop)\n");
        let apart = b"#pragma pack(push)\nint a;\n#pragma pack(1)\nint b;";
        assert_eq!(with_whole_packs(apart), apart);
    }
}
