//! The bugs of `docs/found`, a directory each as `plumb report ID -o DIR` wrote it: the reduced program is defined and
//! means what its report expects, and the index names it.

mod common;

use common::{Plumb, repository};

#[test]
fn each_reduced_program_is_defined_and_means_what_its_report_says() {
    let found = repository().join("docs/found");
    let index = std::fs::read_to_string(found.join("README.md")).expect("the index");
    let mut count = 0;
    for entry in std::fs::read_dir(&found).expect("docs/found").flatten() {
        let dir = entry.path();
        if !dir.is_dir() {
            continue;
        }
        let name = entry.file_name().into_string().expect("a plain name");
        assert!(index.contains(&format!("({name}/")), "docs/found/README.md does not link {name}");
        let has = |file: &str| dir.join(file).is_file();
        let reports = ["README.md", "report.md", "report.txt"];
        assert!(reports.into_iter().any(has), "{name}: no report");
        assert!(has("repro.sh"), "{name}: no reproducer");
        let units = (0..).map(|n| format!("unit-{n}.c")).take_while(|name| has(name));
        let files = if has("program.c") { vec!["program.c".to_owned()] } else { units.collect() };
        let paths: Vec<String> = files.iter().map(|file| dir.join(file).display().to_string()).collect();
        let words: Vec<&str> = std::iter::once("run").chain(paths.iter().map(String::as_str)).collect();
        let done = Plumb::new().run(&words);
        let expected = std::fs::read_to_string(dir.join("expected-stdout")).unwrap_or_default();
        assert_eq!((done.code, done.stdout.as_str()), (0, expected.as_str()), "{name}: {}", done.stderr);
        count += 1;
    }
    assert!(count > 0, "no report under {}", found.display());
}
