//! What can go wrong with a farm, and whether asking again may help.

use bazel_remote_apis::google::rpc;
use tonic::{Code, Status};

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The farm does not know or have something that it was given, which may be because it forgot: give it again.
    Missing(String),
    /// The connection, or a farm that has too much to do: ask again later.
    Passing(String),
    /// No machine took what was asked in all the time that it had.
    Late(String),
    /// Asking again would come to the same.
    Final(String),
}

impl Failure {
    /// What happened, for people.
    pub fn why(&self) -> &str {
        let (Failure::Missing(why) | Failure::Passing(why) | Failure::Late(why) | Failure::Final(why)) = self;
        why
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        let mut why =
            if status.message().is_empty() { status.code().description() } else { status.message() }
                .to_owned();
        let mut cause = std::error::Error::source(&status);
        while let Some(inner) = cause {
            let said = inner.to_string();
            if !why.contains(&said) {
                why = format!("{why}: {said}");
            }
            cause = inner.source();
        }
        of(status.code(), why)
    }
}

/// A status that is part of an answer; `None` where it says that all is well.
pub(crate) fn inside(status: Option<rpc::Status>) -> Option<(Code, String)> {
    let status = status.filter(|status| status.code != 0)?;
    Some((Code::from(status.code), status.message))
}

/// What a code of an answer comes to.
pub(crate) fn of(code: Code, why: String) -> Failure {
    let why = format!("{why} ({code:?})");
    match code {
        Code::Unavailable
        | Code::DeadlineExceeded
        | Code::ResourceExhausted
        | Code::Aborted
        | Code::Internal
        | Code::Cancelled
        | Code::Unknown => Failure::Passing(why),
        Code::NotFound | Code::FailedPrecondition => Failure::Missing(why),
        Code::Ok
        | Code::InvalidArgument
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::DataLoss
        | Code::Unauthenticated => Failure::Final(why),
    }
}
