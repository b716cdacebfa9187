//! What triage and reports have plumb's other commands do: prove a pass of LLVM.

use campaign::Error;
use campaign::triage::{Broken, Tools};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use toolchain::process::{Limits, Spec, run};

/// plumb's own commands.
pub struct Own {
    /// CPU time for proving one pass.
    pub prove: Duration,
}

impl Tools for Own {
    fn prove(&self, before: &Path, after: &Path, function: Option<&str>) -> Result<Option<Broken>, Error> {
        let time = self.prove;
        let mut words = vec!["prove".to_owned(), "--json".to_owned(), "--timeout".to_owned()];
        words.push(format!("{}s", time.as_secs().max(1)));
        if let Some(name) = function {
            words.extend(["--function".to_owned(), name.to_owned()]);
        }
        words.extend([before, after].map(|path| path.display().to_string()));
        let done = itself(&words, time * 4)?;
        Ok(String::from_utf8_lossy(&done.stdout).lines().find_map(refuted))
    }
}

/// Starts plumb again.
fn itself(words: &[String], time: Duration) -> Result<toolchain::process::Finished, Error> {
    let path = std::env::current_exe().map_err(|error| Error::file("find", "plumb itself", &error))?;
    let limits = Limits { address_space: None, processes: None, ..Limits::within(time) };
    Ok(run(&Spec::new(path).args(words).limits(limits)))
}

/// The function that a line of `prove --json` refutes, with its inputs.
fn refuted(line: &str) -> Option<Broken> {
    let line: Value = serde_json::from_str(line).ok()?;
    if line.get("verdict")?.as_str()? != "refuted" {
        return None;
    }
    let inputs = line.pointer("/counterexample/inputs").and_then(Value::as_object);
    let named = inputs.into_iter().flatten().map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name} = {text}"),
        None => format!("{name} = {value}"),
    });
    let input = named.collect::<Vec<_>>().join(", ");
    let input = if input.is_empty() { "no inputs".to_owned() } else { input };
    Some(Broken { function: line.get("function")?.as_str()?.to_owned(), input })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuted_functions_are_read() {
        let line = r#"{"type":"function","function":"f","verdict":"refuted","counterexample":{"inputs":{"%a":"3"}}}"#;
        let broken = refuted(line).expect("refuted");
        assert_eq!((broken.function.as_str(), broken.input.as_str()), ("f", "%a = 3"));
        assert_eq!(refuted(r#"{"type":"function","function":"f","verdict":"proved"}"#), None);
        assert_eq!(refuted("not JSON"), None);
    }
}
