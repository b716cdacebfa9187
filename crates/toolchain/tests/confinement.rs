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

#[test]
fn what_is_available_is_what_jobs_get() {
    let done = run(&Spec::new("true").sandbox(Sandbox::read_only()));
    assert_eq!(done.sandbox, Some(toolchain::sandbox::available()));
}

#[test]
fn a_confined_program_cannot_reach_the_network() {
    let root = ScratchRoot::new().expect("scratch");
    let dir = root.dir().expect("scratch");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback");
    let port = listener.local_addr().expect("bound").port();
    let text = format!(
        "#include <arpa/inet.h>\n#include <sys/socket.h>\nint main(void){{struct sockaddr_in a={{0}};\
         a.sin_family=AF_INET;a.sin_port=htons({port});a.sin_addr.s_addr=htonl(INADDR_LOOPBACK);\
         return connect(socket(AF_INET,SOCK_STREAM,0),(struct sockaddr*)&a,sizeof a)?1:0;}}\n"
    );
    std::fs::write(dir.file("n.c"), text).expect("scratch is writable");
    let made = run(&Spec::new("gcc").args(["n.c", "-o", "n"]).cwd(dir.path()));
    assert!(made.outcome.success(), "these tests need gcc (apt install gcc): {made:?}");
    let job = Spec::new(dir.file("n"));
    assert_eq!(run(&job).outcome, Outcome::Exited(0), "the program can connect when it may");
    let done = run(&job.clone().sandbox(Sandbox::read_only()));
    if done.sandbox == Some(Enforcement::Enforced) {
        assert_eq!(done.outcome, Outcome::Exited(1), "{done:?}");
    }
    let allowed = run(&job.sandbox(Sandbox::read_only().with_network()));
    assert_eq!(allowed.outcome, Outcome::Exited(0), "{allowed:?}");
}
