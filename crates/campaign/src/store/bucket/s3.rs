//! A bucket of Amazon's S3 or of what speaks its protocol, through `object_store`. Credentials are those of the usual `AWS_*`
//! variables, of the machine's or pod's role, or of the file `~/.aws/credentials`; none is in an address.

use super::Trouble;
use crate::error::Error;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Key;
use object_store::{ObjectStoreExt, PutPayload, RetryConfig};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// An open bucket.
pub(super) struct Objects {
    store: AmazonS3,
    prefix: String,
    runtime: Runtime,
}

impl Objects {
    pub fn open(place: &str, patience: Duration) -> Result<Objects, Error> {
        let wrong = |why: String| Error::Usage(format!("the store's bucket cannot be used: {why}"));
        let rest = place.trim_start_matches("s3://");
        let (path, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (name, prefix) = path.split_once('/').unwrap_or((path, ""));
        if name.is_empty() || name.contains(['@', ':']) {
            return Err(wrong("expected `s3://NAME/PREFIX`, without a secret".to_owned()));
        }
        // Of several libraries in one program each could bring another; this is the one that all others here use.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry = RetryConfig { retry_timeout: patience, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::from_env().with_bucket_name(name).with_retry(retry);
        // One request a file: not all that speak the protocol have the one for many.
        builder = builder.with_disable_bulk_delete(true);
        for option in options.split('&').filter(|option| !option.is_empty()) {
            builder = match option.split_once('=') {
                Some(("region", region)) => builder.with_region(region),
                Some(("endpoint", url)) => {
                    if !url.starts_with("https://") && !is_here(url) {
                        return Err(wrong(
                            "its endpoint is neither https:// nor on this machine: others could read what goes there"
                                .to_owned(),
                        ));
                    }
                    builder.with_endpoint(url).with_allow_http(is_here(url))
                }
                Some(_) | None => {
                    return Err(wrong("it has `region=NAME` and `endpoint=URL` alone as options".to_owned()));
                }
            };
        }
        if std::env::var_os("AWS_ACCESS_KEY_ID").is_none()
            && let Some(keys) = keys_of_file(wrong)?
        {
            builder = builder.with_access_key_id(keys.id).with_secret_access_key(keys.secret);
            if let Some(token) = keys.token {
                builder = builder.with_token(token);
            }
        }
        let store = builder.build().map_err(|error| wrong(error.to_string()))?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Error::Resource(format!("cannot prepare to speak to the bucket: {error}")))?;
        Ok(Objects { store, prefix: prefix.trim_matches('/').to_owned(), runtime })
    }

    pub fn put(&self, hash: &str, bytes: &[u8]) -> Result<(), Trouble> {
        let key = self.key(hash);
        let put = self.store.put(&key, PutPayload::from(bytes.to_vec()));
        self.runtime.block_on(put).map(|_| ()).map_err(|error| trouble("write", error))
    }

    pub fn get(&self, hash: &str) -> Result<Vec<u8>, Trouble> {
        let key = self.key(hash);
        let got = async { self.store.get(&key).await?.bytes().await };
        self.runtime.block_on(got).map(|bytes| bytes.to_vec()).map_err(|error| trouble("read", error))
    }

    pub fn remove(&self, hash: &str) -> Result<(), Trouble> {
        self.runtime.block_on(self.store.delete(&self.key(hash))).map_err(|error| trouble("remove", error))
    }

    fn key(&self, hash: &str) -> Key {
        Key::from_iter(self.prefix.split('/').filter(|part| !part.is_empty()).chain([hash]))
    }
}

/// Is the address one of this machine?
fn is_here(url: &str) -> bool {
    let host = url.trim_start_matches("http://");
    url.starts_with("http://")
        && ["127.0.0.1", "localhost", "[::1]"].iter().any(|here| {
            host.strip_prefix(here).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
        })
}

fn trouble(what: &'static str, error: object_store::Error) -> Trouble {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return Trouble::Missing;
    }
    let (mut why, mut next) = (error.to_string(), std::error::Error::source(&error));
    while let Some(cause) = next {
        let said = cause.to_string();
        if !why.contains(&said) {
            why = format!("{why}: {said}");
        }
        next = cause.source();
    }
    Trouble::Passing(what, why)
}

/// Who asks, as a file has it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Keys {
    id: String,
    secret: String,
    token: Option<String>,
}

/// The keys of the file that `AWS_SHARED_CREDENTIALS_FILE` names, else of `~/.aws/credentials`, for the profile that
/// `AWS_PROFILE` names; `None` where there is no file.
fn keys_of_file(wrong: impl Fn(String) -> Error) -> Result<Option<Keys>, Error> {
    let named = std::env::var_os("AWS_SHARED_CREDENTIALS_FILE").map(PathBuf::from);
    let usual = || std::env::home_dir().map(|home| home.join(".aws/credentials"));
    let Some(path) = named.clone().or_else(usual).filter(|path| named.is_some() || path.is_file()) else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(&path).map_err(|error| Error::file("read", &path, &error))?;
    let profile = std::env::var("AWS_PROFILE").unwrap_or_else(|_| "default".to_owned());
    let none = || wrong(format!("`{}` has no keys for the profile `{profile}`", shown(&path)));
    keys(&text, &profile).map(Some).ok_or_else(none)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The keys of a profile.
fn keys(text: &str, profile: &str) -> Option<Keys> {
    let mut keys = Keys::default();
    let mut inside = false;
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            inside = name.trim() == profile;
        } else if let Some((name, value)) = line.split_once('=').filter(|_| inside) {
            let value = value.trim().to_owned();
            match name.trim() {
                "aws_access_key_id" => keys.id = value,
                "aws_secret_access_key" => keys.secret = value,
                "aws_session_token" => keys.token = Some(value),
                _ => {}
            }
        }
    }
    (!keys.id.is_empty() && !keys.secret.is_empty()).then_some(keys)
}

#[cfg(test)]
mod tests {
    use super::{Keys, Objects, is_here, keys};
    use std::time::Duration;

    #[test]
    fn keys_are_those_of_a_profile() {
        let text = "# x\n[default]\naws_access_key_id = A\naws_secret_access_key=B\n[night]\n\
                    aws_access_key_id=C\naws_secret_access_key = D=\naws_session_token=E\n[half]\naws_access_key_id=F\n";
        let own = |id: &str, secret: &str, token: Option<&str>| {
            Some(Keys { id: id.to_owned(), secret: secret.to_owned(), token: token.map(str::to_owned) })
        };
        assert_eq!(keys(text, "default"), own("A", "B", None));
        assert_eq!(keys(text, "night"), own("C", "D=", Some("E")));
        assert_eq!((keys(text, "half"), keys(text, "none")), (None, None));
    }

    #[test]
    fn plain_text_stays_on_this_machine() {
        assert!(is_here("http://127.0.0.1:9000") && is_here("http://localhost/x"));
        assert!(!is_here("http://127.0.0.1.example") && !is_here("http://minio:9000"));
        for bad in [
            "s3://key:hush@bucket",
            "s3://",
            "s3://b?endpoint=http://minio:9000",
            "s3://b?token=hush",
            "s3://b?x",
        ] {
            let said = Objects::open(bad, Duration::from_secs(1)).err().expect(bad).to_string();
            assert!(!said.contains("hush"), "{said}");
        }
    }
}
