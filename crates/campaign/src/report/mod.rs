//! A finding written up as a maintainer wants it. Everything in a report was run for it or is kept with the finding; nothing
//! is ever sent anywhere.
//!
//! In: a finding that was triaged. Out: the text in one of several forms, and the files that belong to it. To add a form: a
//! template, its value of [`Form`], and its line in [`Form::template`].

mod defined;
mod facts;
mod testcase;

pub use facts::{Facts, gather, names};

use crate::error::Error;
use crate::verdict::{Named, named};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

named! {
    /// For whom a report is.
    Form {
        Gcc "gcc" "Text for GCC's Bugzilla, with a DejaGnu test.";
        Llvm "llvm" "Markdown for LLVM's issues, with a lit test.";
        Markdown "markdown" "Markdown for anybody.";
    }
}

impl Form {
    fn template(self) -> &'static str {
        match self {
            Form::Gcc => include_str!("templates/gcc.txt"),
            Form::Llvm => include_str!("templates/llvm.md"),
            Form::Markdown => include_str!("templates/markdown.md"),
        }
    }

    /// What the report's file is called.
    pub fn file(self) -> &'static str {
        match self {
            Form::Gcc => "report.txt",
            Form::Llvm => "report.md",
            Form::Markdown => "README.md",
        }
    }
}

/// The text of a report.
pub fn render(form: Form, facts: &Facts) -> Result<String, Error> {
    let wrong = |error: minijinja::Error| Error::Internal(format!("the template of a report: {error:#}"));
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    let mut environment = Environment::new();
    environment.set_syntax(syntax.build().map_err(wrong)?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    // What templates use of Jinja's own filters: all of them take seconds to build.
    environment.add_filter("trim", |text: String| text.trim().to_owned());
    environment.add_filter("join", |words: Vec<String>, between: String| words.join(&between));
    environment.add_filter("replace", |text: String, old: String, new: String| text.replace(&old, &new));
    environment.add_template(form.name(), form.template()).map_err(wrong)?;
    let template = environment.get_template(form.name()).map_err(wrong)?;
    template.render(Serde(facts)).map_err(wrong)
}

/// Writes a report and the files that belong to it into a directory, which is made where there is none. Their paths.
pub fn write(dir: &Path, form: Form, facts: &Facts, text: &str) -> Result<Vec<PathBuf>, Error> {
    fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, &error))?;
    let mut written = Vec::new();
    let mut put = |name: &str, bytes: &[u8], mode: u32| -> Result<(), Error> {
        let path = dir.join(name);
        fs::write(&path, bytes).map_err(|error| Error::file("write", &path, &error))?;
        let set = fs::set_permissions(&path, fs::Permissions::from_mode(mode));
        set.map_err(|error| Error::file("write", &path, &error))?;
        written.push(path);
        Ok(())
    };
    put(form.file(), text.as_bytes(), 0o644)?;
    for file in facts.files() {
        put(&file.name, &file.bytes, if file.executable { 0o755 } else { 0o644 })?;
    }
    Ok(written)
}
