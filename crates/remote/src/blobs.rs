//! Files and messages by their digests, and an action as the blobs that describe it.

use crate::failure::Failure;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Action as ActionMessage, Command, Digest, Directory, FileNode, Platform, command, platform,
};
use bazel_remote_apis::google::protobuf;
use campaign::executor::Action;
use prost::Message;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// What a command finds in its environment, and nothing else: compilers are looked for where systems have them, and their
/// messages are in English.
const ENVIRONMENT: &[(&str, &str)] =
    &[("LC_ALL", "C"), ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")];

/// The name of some bytes.
pub(crate) fn digest(bytes: &[u8]) -> Digest {
    let hash = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Digest { hash, size_bytes: i64::try_from(bytes.len()).unwrap_or(i64::MAX) }
}

/// An error where bytes are not those that were named.
pub(crate) fn check(what: &str, named: &Digest, bytes: &[u8]) -> Result<(), Failure> {
    let found = digest(bytes);
    if found == *named {
        return Ok(());
    }
    Err(Failure::Final(format!(
        "{what} is not what it says: {} bytes with the SHA-256 {} were announced, and {} bytes with {} came",
        named.size_bytes, named.hash, found.size_bytes, found.hash
    )))
}

/// An action ready to be sent.
pub(crate) struct Prepared {
    /// Its name.
    pub digest: Digest,
    /// All that describes it, by hash.
    pub blobs: BTreeMap<String, (Digest, Vec<u8>)>,
    /// The files wanted of it.
    pub outputs: Vec<String>,
    /// After so long it is to be ended.
    pub time: std::time::Duration,
}

impl Prepared {
    /// Describes an action. `extra` are properties from the command line; an empty value takes one away.
    pub fn of(action: &Action, extra: &BTreeMap<String, String>) -> Prepared {
        let mut blobs = BTreeMap::new();
        let mut add = |bytes: Vec<u8>| {
            let digest = digest(&bytes);
            blobs.insert(digest.hash.clone(), (digest.clone(), bytes));
            Some(digest)
        };
        // In the order of their names, as the API wants lists to be: maps are.
        let files = action.files.iter().map(|(name, bytes)| FileNode {
            name: name.clone(),
            digest: add(bytes.clone()),
            ..FileNode::default()
        });
        let root = Directory { files: files.collect(), ..Directory::default() };
        let mut properties = action.properties.clone();
        properties.extend(extra.clone());
        let properties = properties.into_iter().filter(|(_, value)| !value.is_empty());
        let properties = properties.map(|(name, value)| platform::Property { name, value }).collect();
        let platform = Some(Platform { properties });
        let variable = |&(name, value): &(&str, &str)| command::EnvironmentVariable {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let mut outputs = action.outputs.clone();
        outputs.sort();
        #[allow(deprecated, reason = "servers of version 2.0 know no other way to name them")]
        let command = Command {
            arguments: action.argv.clone(),
            environment_variables: ENVIRONMENT.iter().map(variable).collect(),
            output_files: outputs.clone(),
            output_paths: outputs.clone(),
            platform: platform.clone(),
            ..Command::default()
        };
        let seconds = i64::try_from(action.time.as_secs()).unwrap_or(i64::MAX);
        let message = ActionMessage {
            command_digest: add(command.encode_to_vec()),
            input_root_digest: add(root.encode_to_vec()),
            timeout: Some(protobuf::Duration { seconds, nanos: 0 }),
            platform,
            ..ActionMessage::default()
        };
        let digest = add(message.encode_to_vec()).unwrap_or_default();
        Prepared { digest, blobs, outputs, time: action.time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_all_that_the_answer_depends_on() {
        let action = Action {
            properties: [("compiler".to_owned(), "cc 1".to_owned())].into(),
            files: [("a.c".to_owned(), b"int a;".to_vec())].into(),
            argv: vec!["sh".to_owned()],
            outputs: vec!["out".to_owned()],
            time: std::time::Duration::from_secs(5),
        };
        let name = |action: &Action| Prepared::of(action, &BTreeMap::new()).digest.hash;
        let other = |change: &dyn Fn(&mut Action)| {
            let mut other = action.clone();
            change(&mut other);
            name(&other)
        };
        assert_eq!(name(&action), other(&|_| {}));
        let changes: [&dyn Fn(&mut Action); 5] = [
            &|a| drop(a.properties.insert("compiler".to_owned(), "cc 2".to_owned())),
            &|a| drop(a.files.insert("a.c".to_owned(), b"int b;".to_vec())),
            &|a| a.argv.push("x".to_owned()),
            &|a| a.outputs.push("x".to_owned()),
            &|a| a.time *= 2,
        ];
        for change in changes {
            assert_ne!(name(&action), other(change));
        }
        // The well-known hash of nothing.
        assert!(digest(b"").hash.starts_with("e3b0c44298fc1c14"));
    }

    #[test]
    fn bytes_that_are_not_what_they_say_are_refused() {
        assert!(check("x", &digest(b"one"), b"one").is_ok());
        assert!(check("x", &digest(b"one"), b"two").is_err());
        assert!(check("x", &Digest { size_bytes: 4, ..digest(b"one") }, b"one").is_err());
    }
}
