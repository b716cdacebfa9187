//! A test for the compiler's own suite: DejaGnu for GCC, lit for LLVM.

use super::Form;
use super::facts::SourceFile;
use crate::findings::{Expected, Facts};
use crate::verdict::{FindingKind, Stage};
use serde::Serialize;

/// A test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Test {
    /// What its file is called.
    pub file: String,
    /// The file.
    pub text: String,
}

/// The test for a finding; `None` where its behaviour cannot be checked so. Of several files the first is the test, and the
/// others are compiled with it, which only DejaGnu can say.
pub fn test(
    form: Form,
    facts: &Facts,
    sources: &[SourceFile],
    expected: Option<&Expected>,
    level: &str,
) -> Option<Test> {
    let [SourceFile { text: source, .. }, others @ ..] = sources else { return None };
    if !others.is_empty() && (form != Form::Gcc || expected.is_some_and(|expected| expected.exit != Some(0)))
    {
        return None;
    }
    let program = match (facts.kind, facts.stage) {
        (FindingKind::Crash | FindingKind::Hang, Stage::Compile) => source.to_owned(),
        (FindingKind::Refusal, _) => source.to_owned(),
        (_, Stage::Compile)
        | (FindingKind::MissedOptimisation | FindingKind::SlowCompilation, _)
        | (FindingKind::DebugInfo | FindingKind::Volatile, _) => {
            return None;
        }
        (
            FindingKind::Crash | FindingKind::Hang | FindingKind::WrongCode | FindingKind::FalseReport,
            Stage::Run,
        ) => returning_zero(source, expected?)?,
    };
    let runs = facts.stage == Stage::Run;
    let stdout = if runs { expected?.stdout.as_str() } else { "" };
    match form {
        Form::Gcc => Some(dejagnu(&program, others, level, (runs, stdout))),
        Form::Llvm => Some(lit(&program, level, runs, stdout)),
        Form::Markdown => None,
    }
}

/// A program that exits with 0 where it does what it should: its own `main` is called and its status compared.
fn returning_zero(source: &str, expected: &Expected) -> Option<String> {
    let code = expected.exit?;
    if code == 0 {
        return Some(source.to_owned());
    }
    let (before, after) = source.split_once("main(void)").or_else(|| source.split_once("main()"))?;
    let word = before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
    if word || after.contains("main(") {
        return None;
    }
    Some(format!(
        "{before}tested(void){}\n\nint main(void)\n{{\n    if ((tested() & 255) != {code})\n        __builtin_abort();\n    \
         return 0;\n}}\n",
        after.trim_end()
    ))
}

fn dejagnu(program: &str, others: &[SourceFile], level: &str, (runs, stdout): (bool, &str)) -> Test {
    let what = if runs { "run" } else { "compile" };
    let mut head = format!("/* {{ dg-do {what} }} */\n/* {{ dg-options \"{}\" }} */\n", level.trim());
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|file| file.name.as_str()).collect();
        head.push_str(&format!("/* {{ dg-additional-sources \"{}\" }} */\n", names.join(" ")));
    }
    if !stdout.is_empty() {
        let escaped: String = stdout.trim_end_matches('\n').chars().map(tcl).collect();
        head.push_str(&format!("/* {{ dg-output \"^{escaped}(\\n|\\r\\n|\\r)$\" }} */\n"));
    }
    Test { file: "test.c".to_owned(), text: format!("{head}\n{}\n", program.trim_end()) }
}

/// A character in a regular expression inside a string of Tcl.
fn tcl(c: char) -> String {
    match c {
        '\n' => "(\\n|\\r\\n|\\r)".to_owned(),
        c if c.is_alphanumeric() || " _-,:;=<>%#@!~'/".contains(c) => c.to_string(),
        c => format!("\\\\{c}"),
    }
}

fn lit(program: &str, level: &str, runs: bool, stdout: &str) -> Test {
    let level = level.trim();
    let mut head = match (runs, stdout) {
        (false, _) => format!("// RUN: %clang {level} -w -c %s -o /dev/null\n"),
        (true, "") => format!("// REQUIRES: native\n// RUN: %clang {level} -w %s -o %t\n// RUN: %t\n"),
        (true, _) => format!(
            "// REQUIRES: native\n// RUN: %clang {level} -w %s -o %t\n// RUN: %t | FileCheck --match-full-lines --strict-whitespace %s\n"
        ),
    };
    for (number, line) in stdout.lines().enumerate() {
        let word = match (number, line) {
            (0, _) => "CHECK:",
            (_, "") => "CHECK-EMPTY:",
            (_, _) => "CHECK-NEXT:",
        };
        head.push_str(&format!("// {word}{}\n", line.replace("{{", "{{[{][{]}}")));
    }
    Test { file: "test.c".to_owned(), text: format!("{head}\n{}\n", program.trim_end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(exit: u8, stdout: &str) -> Expected {
        Expected { exit: Some(exit), signal: None, stdout: stdout.to_owned(), steps: 1 }
    }

    #[test]
    fn a_status_becomes_a_check() {
        let text = returning_zero("int main(void)\n{\n    return 7;\n}\n", &expected(7, "")).expect("a test");
        assert!(text.contains("int tested(void)\n") && text.contains("!= 7)\n"), "{text}");
        assert_eq!(returning_zero("int main(int n, char **v) { return 7; }", &expected(7, "")), None);
        assert_eq!(returning_zero("x", &expected(0, "")).as_deref(), Some("x"));
    }

    #[test]
    fn output_is_checked_by_dejagnu_and_lit() {
        let gcc = dejagnu("int x;", &[], "-O2", (true, "1.5\n(a)\n"));
        assert!(gcc.text.contains("dg-do run"), "{}", gcc.text);
        assert!(gcc.text.contains(r#"dg-output "^1\\.5(\n|\r\n|\r)\\(a\\)(\n|\r\n|\r)$""#), "{}", gcc.text);
        let llvm = lit("int x;", "-O2", true, "1\n\n2\n");
        assert!(llvm.text.contains("// CHECK:1\n// CHECK-EMPTY:\n// CHECK-NEXT:2\n"), "{}", llvm.text);
    }
}
