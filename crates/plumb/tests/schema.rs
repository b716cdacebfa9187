//! What `--json` prints is what `docs/schema` says: every line of every command is checked against the schema, and
//! no line has a key that the schema does not list.

mod common;

use common::{Plumb, lines, repository};
use serde_json::Value;
use std::fs;

/// A schema with its definitions.
struct Schema(Value);

impl Schema {
    fn of(command: &str) -> Schema {
        let path = repository().join("docs/schema").join(format!("{command}.json"));
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Schema(serde_json::from_str(&text).expect("JSON"))
    }

    /// Why a value does not fit; the keywords that our types use, and no others.
    fn misfit(&self, rule: &Value, value: &Value) -> Option<String> {
        let rule = rule.as_object()?;
        for (keyword, wanted) in rule {
            let wrong = || Some(format!("{keyword} {wanted}: {value}"));
            let found = match keyword.as_str() {
                "$ref" => self.misfit(self.definition(wanted), value),
                "anyOf" | "oneOf" => {
                    let rules = wanted.as_array().expect("rules");
                    let each: Vec<Option<String>> =
                        rules.iter().map(|rule| self.misfit(rule, value)).collect();
                    if each.iter().any(Option::is_none) {
                        None
                    } else {
                        Some(each.into_iter().flatten().collect())
                    }
                }
                "type" if is(wanted, value) => None,
                "enum" if wanted.as_array().expect("values").contains(value) => None,
                "const" if wanted == value => None,
                "minimum" if value.as_f64() >= wanted.as_f64() || value.is_null() => None,
                "maximum" if value.as_f64() <= wanted.as_f64() || value.is_null() => None,
                "type" | "enum" | "const" | "minimum" | "maximum" => wrong(),
                "required" => {
                    let missing = wanted.as_array().expect("names").iter();
                    let mut missing =
                        missing.filter(|name| value.get(name.as_str().expect("a name")).is_none());
                    missing.next().map(|name| format!("no {name} in {value}"))
                }
                "properties" => {
                    let rules = wanted.as_object().expect("rules");
                    rules.iter().find_map(|(name, rule)| self.misfit(rule, value.get(name)?))
                }
                "additionalProperties" => {
                    let values = value.as_object().into_iter().flat_map(|object| object.values());
                    values.into_iter().find_map(|value| self.misfit(wanted, value))
                }
                "items" => value.as_array().into_iter().flatten().find_map(|item| self.misfit(wanted, item)),
                "$schema" | "$defs" | "title" | "description" | "format" => None,
                other => panic!("the schema has the keyword `{other}`: teach it to this test"),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn definition(&self, reference: &Value) -> &Value {
        let path = reference.as_str().expect("a reference").trim_start_matches('#');
        self.0.pointer(path).unwrap_or_else(|| panic!("no {path}"))
    }

    /// All names of properties that the schema lists anywhere.
    fn names(&self) -> Vec<String> {
        fn collect(rule: &Value, names: &mut Vec<String>) {
            if let Some(object) = rule.as_object() {
                if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                    names.extend(properties.keys().cloned());
                }
                object.values().for_each(|value| collect(value, names));
            }
            rule.as_array().into_iter().flatten().for_each(|value| collect(value, names));
        }
        let mut names = Vec::new();
        collect(&self.0, &mut names);
        names
    }
}

fn is(wanted: &Value, value: &Value) -> bool {
    if let Some(several) = wanted.as_array() {
        return several.iter().any(|one| is(one, value));
    }
    match wanted.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the type `{other}`"),
    }
}

fn holds(command: &str, stdout: &str) -> Vec<Value> {
    let schema = Schema::of(command);
    let names = schema.names();
    let lines = lines(stdout);
    assert!(!lines.is_empty(), "{command} printed nothing");
    for line in &lines {
        assert!(line["type"].is_string(), "{command}: {line}");
        if let Some(why) = schema.misfit(&schema.0, line) {
            panic!("{command}: {line}\n{why}");
        }
        for name in line.as_object().expect("an object").keys() {
            assert!(names.contains(name), "{command}: `{name}` is not in docs/schema/{command}.json");
        }
    }
    lines
}

#[test]
fn every_line_fits_its_schema() {
    let plumb = Plumb::new();
    plumb.file("good.c", "int main(void) { return 3; }\n");
    plumb.file("bad.c", "int main(int n, char **v) { int x = 2147483647; return (x + n) != 0; }\n");
    plumb.file("odd.c", "_Decimal32 x; int main(void) { return x != 0; }\n");
    plumb.file("long.c", "int main(void) { for (;;) ; }\n");
    for (file, verdict) in [("good.c", "defined"), ("bad.c", "undefined"), ("long.c", "exhausted")] {
        let done = plumb.run(&["run", "--json", "--coverage", "--max-steps", "10000", file]);
        assert_eq!(holds("run", &done.stdout)[0]["verdict"], verdict);
    }
    for words in [&["run", "--json", "odd.c"][..], &["run", "--json", "no-such-file.c"]] {
        holds("run", &plumb.run(words).stdout);
    }
    holds("gen", &plumb.run(&["gen", "--json", "--expect"]).stdout);
    holds("gen", &plumb.run(&["gen", "--json", "--count", "2", "-o", "many"]).stdout);
    holds("gen", &plumb.run(&["gen", "--json", "--units", "2", "-o", "units"]).stdout);
    holds("gen", &plumb.run(&["gen", "--json", "--list"]).stdout);
    holds("emi", &plumb.run(&["emi", "--json", "-n", "2", "-o", "out", "good.c"]).stdout);
    holds("emi", &plumb.run(&["emi", "--json", "-n", "2", "-o", "out", "bad.c"]).stdout);
    let both = ["diff", "--json", "--no-cache", "--opcodes", "--cc", "gcc -O2", "--cc", "gcc -O0"];
    holds("diff", &plumb.run(&[&both[..], &["good.c", "long.c", "odd.c", "bad.c"]].concat()).stdout);
    plumb.file("wrong.c", "int main( {}\n");
    holds("diff", &plumb.run(&[&both[..], &["wrong.c"]].concat()).stdout);
    let mut gcc = std::process::Command::new("gcc");
    let compiled = gcc.args(["-O1", "-c", "good.c"]).current_dir(plumb.dir()).status();
    assert!(compiled.is_ok_and(|status| status.success()), "gcc does not compile good.c");
    let words = ["inject", "good.o", "--json", "-n", "3", "--diff", "--states", "5"];
    assert_eq!(holds("inject", &plumb.run(&words).stdout).len(), 4);
    plumb.script("test.sh", "#!/bin/sh\ngrep -q return good.c\n");
    holds("reduce", &plumb.run(&["reduce", "--json", "good.c", "--test", "test.sh", "-o", "small.c"]).stdout);
    holds("reduce", &plumb.run(&["reduce", "--json", "bad.c", "--test", "test.sh", "-o", "small.c"]).stdout);
    let canary = first_wrong_code();
    let hunt =
        ["hunt", "--json", "--cc", &canary, "--levels", "-O0,-O2", "--programs", "200", "--alarms", "1"];
    let done = plumb.run(&[&hunt[..], &["--jobs", "1", "--strategy", "orion,proteus"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    holds("hunt", &done.stdout);
    let rows = holds("findings", &plumb.run(&["findings", "--json"]).stdout);
    let id = rows[0]["id"].as_str().expect("an id");
    holds("show", &plumb.run(&["show", "--json", id]).stdout);
    // What is kept is what is shown, but for the type.
    let kept =
        fs::read_to_string(plumb.store().join("findings").join(id).join("finding.json")).expect("kept");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert!(kept["id"] == id && !kept.to_string().contains("Exited("), "{kept}");
}

/// A canary with planted wrong code.
fn first_wrong_code() -> String {
    let dir = repository().join("tests/hunt/canaries");
    let mut found: Vec<_> =
        fs::read_dir(dir).expect("canaries").flatten().map(|entry| entry.path()).collect();
    found.sort();
    let wrong = found.iter().find(|path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.contains("# expect: wrong-code") && !text.contains("# strategy:") && !text.contains("# options:")
    });
    wrong.expect("a canary with wrong code").display().to_string()
}
