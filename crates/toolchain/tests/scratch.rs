//! Temporary directories: private, separate, removed with all that is in them, and never somebody else's.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use toolchain::scratch::ScratchRoot;

/// A directory for one test, outside of what is tested.
fn parent(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("plumb-test-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    dir
}

#[test]
fn nothing_is_left_when_the_last_root_goes() {
    let parent = parent("left");
    let root = ScratchRoot::beneath(&parent).expect("scratch");
    let dir = root.dir().expect("scratch");
    std::fs::create_dir_all(dir.path().join("a/b/c")).expect("writable");
    std::fs::write(dir.path().join("a/b/file"), "x").expect("writable");
    std::fs::set_permissions(dir.path().join("a/b"), std::fs::Permissions::from_mode(0o000)).expect("own");
    let path = dir.path().to_owned();
    assert_eq!(std::fs::metadata(&path).expect("there").mode() & 0o777, 0o700);
    drop(root);
    assert!(path.exists(), "a directory in use keeps its root");
    drop(dir);
    assert!(!path.exists());
    assert_eq!(std::fs::read_dir(&parent).expect("there").count(), 0);
    std::fs::remove_dir(&parent).expect("empty");
}

#[test]
fn roots_come_and_go_at_once() {
    let parent = parent("many");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let root = ScratchRoot::beneath(&parent).unwrap_or_else(|e| panic!("{e}"));
                    let dir = root.dir().unwrap_or_else(|e| panic!("{e}"));
                    std::fs::write(dir.file("mine"), "x").unwrap_or_else(|e| panic!("{e}"));
                }
            });
        }
    });
    std::fs::remove_dir_all(&parent).expect("own");
}

#[test]
fn a_live_root_is_not_swept_and_a_dead_one_is() {
    let parent = parent("sweep");
    let live = ScratchRoot::beneath(&parent).expect("scratch");
    let dead = live.path().with_file_name("1-dead");
    std::fs::create_dir(&dead).expect("writable");
    std::fs::write(dead.join(".lock"), "").expect("writable");
    let next = ScratchRoot::beneath(&parent).expect("scratch");
    assert!(live.path().exists() && next.path().exists() && !dead.exists());
    drop((live, next));
    std::fs::remove_dir_all(&parent).expect("own");
}

#[test]
fn a_directory_that_others_may_write_is_refused() {
    let parent = parent("refused");
    let root = ScratchRoot::beneath(&parent).expect("scratch");
    let home = root.path().parent().expect("has one").to_owned();
    std::fs::set_permissions(&home, std::fs::Permissions::from_mode(0o777)).expect("own");
    let refused = ScratchRoot::beneath(&parent).expect_err("anybody could have put things there");
    assert!(refused.to_string().contains("private directory"), "{refused}");
    std::fs::set_permissions(&home, std::fs::Permissions::from_mode(0o700)).expect("own");
    drop(root);
    std::fs::remove_dir_all(&parent).expect("own");
    let missing = ScratchRoot::beneath(&parent.join("nowhere")).expect_err("no such directory");
    assert!(missing.to_string().contains("nowhere"), "{missing}");
}
