//! What a confined program may and may not do, and that the report of it is honest.

use toolchain::process::{Outcome, Spec, run};
use toolchain::sandbox::{Enforcement, Sandbox};
use toolchain::scratch::ScratchRoot;

#[test]
fn a_confined_program_writes_only_beneath_its_directory() {
    let root = ScratchRoot::new().expect("scratch");
    let (inside, outside) = (root.dir().expect("scratch"), root.dir().expect("scratch"));
    let script = format!(
        "echo in > inside; echo null > /dev/null; cat /etc/passwd > copy; echo out > {0}/outside; mkdir {0}/d",
        outside.path().display()
    );
    let job = Spec::new("sh").args(["-c", &script]).cwd(inside.path());
    let done = run(&job.clone().sandbox(Sandbox::writing_beneath(inside.path())));
    let reached = done.sandbox.expect("a sandbox was asked for, so its enforcement is reported");
    assert!(inside.file("inside").exists() && inside.file("copy").exists(), "{done:?}");
    match reached {
        Enforcement::Enforced | Enforcement::Partial => {
            assert!(!outside.file("outside").exists() && !outside.file("d").exists(), "{done:?}");
        }
        // Where the kernel cannot, the report says so and the program ran unconfined.
        Enforcement::Unavailable => assert!(outside.file("outside").exists(), "{done:?}"),
    }
    let free = run(&job);
    assert_eq!((free.sandbox, outside.file("outside").exists()), (None, true));
}

#[test]
fn a_confined_program_cannot_signal_processes_outside() {
    let sandbox = Sandbox::read_only();
    let done = run(&Spec::new("sh").args(["-c", "kill -0 $PPID"]).sandbox(sandbox));
    match done.sandbox {
        Some(Enforcement::Enforced) => assert_eq!(done.outcome, Outcome::Exited(1), "{done:?}"),
        Some(Enforcement::Partial | Enforcement::Unavailable) => {
            eprintln!("this kernel does not confine signals: {:?}", done.sandbox);
        }
        None => panic!("the enforcement must be reported"),
    }
}

#[test]
fn a_writable_directory_that_is_missing_is_an_error_and_not_ignored() {
    let done = run(&Spec::new("true").sandbox(Sandbox::writing_beneath("/no/such/dir")));
    assert!(matches!(done.outcome, Outcome::SpawnFailed(_)), "{done:?}");
}
