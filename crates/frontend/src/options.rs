//! Options that mean to plumb what they mean to `cc`.

use crate::preprocess::Choice;
use csyntax::target::Target;
use std::ffi::{OsStr, OsString};

/// How a C file is to be read. By default: no options, 64 bits, plumb's own preprocessor.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-I`: directories of headers.
    pub include: Vec<OsString>,
    /// `-D`: macros to define, `NAME` or `NAME=VALUE`.
    pub define: Vec<OsString>,
    /// `-U`: macros to undefine.
    pub undefine: Vec<OsString>,
    /// `-std=`: the standard.
    pub standard: Option<String>,
    /// `-include`: files to read first.
    pub forced: Vec<OsString>,
    /// `-m32`: pointers and longs of 32 bits.
    pub m32: bool,
    /// Who preprocesses.
    pub preprocessor: Choice,
}

impl Options {
    /// The data model they ask for.
    pub fn target(&self) -> Target {
        if self.m32 { Target::ILP32 } else { Target::LP64 }
    }

    /// The same as words for `cc`.
    pub fn words(&self) -> Vec<OsString> {
        let mut words = self.headers_and_macros();
        // Compilers know C23 longest by the name that it had before.
        let known = |standard: &String| match standard.as_str() {
            "c23" => "c2x".to_owned(),
            "gnu23" => "gnu2x".to_owned(),
            other => other.to_owned(),
        };
        words.extend(self.standard.iter().map(|s| OsString::from(format!("-std={}", known(s)))));
        words.extend(self.m32.then(|| OsString::from("-m32")));
        words.extend(self.forced.iter().flat_map(|file| [OsString::from("-include"), file.clone()]));
        words
    }

    /// Those of `-I`, `-D` and `-U` alone.
    pub fn headers_and_macros(&self) -> Vec<OsString> {
        let joined = |flag: &'static str, value: &OsString| {
            let mut word = OsString::from(flag);
            word.push::<&OsStr>(value);
            word
        };
        let groups = [("-I", &self.include), ("-D", &self.define), ("-U", &self.undefine)];
        groups.iter().flat_map(|(flag, values)| values.iter().map(|value| joined(flag, value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_cc() {
        let options = Options {
            include: vec!["inc".into()],
            define: vec!["A=1".into()],
            undefine: vec!["B".into()],
            standard: Some("c11".to_owned()),
            forced: vec!["x.h".into()],
            m32: true,
            preprocessor: Choice::Builtin,
        };
        let words = ["-Iinc", "-DA=1", "-UB", "-std=c11", "-m32", "-include", "x.h"];
        assert_eq!(options.words(), words);
        assert_eq!(options.target(), Target::ILP32);
        assert!(Options::default().words().is_empty());
    }
}
