//! The bugs of `docs/found`: each reduced program is defined, and means what its page says.

mod common;

use common::{Plumb, repository};

#[test]
fn each_reduced_program_is_defined_and_means_what_its_page_says() {
    let found = repository().join("docs/found");
    let mut pages = 0;
    for entry in std::fs::read_dir(&found).expect("docs/found").flatten() {
        let dir = entry.path();
        let program = dir.join("reduced.c").display().to_string();
        let expected = std::fs::read_to_string(dir.join("expected-stdout")).expect("expected-stdout");
        assert!(dir.join("README.md").is_file(), "{program}: no page");
        let done = Plumb::new().run(&["run", &program]);
        assert_eq!((done.code, done.stdout.as_str()), (0, expected.as_str()), "{program}: {}", done.stderr);
        pages += 1;
    }
    assert!(pages > 0, "no page under {}", found.display());
}
