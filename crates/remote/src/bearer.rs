//! Who asks a farm: a bearer token (RFC 6750) with every call, from a file that nobody else can read, and only to farms that are
//! spoken to in TLS or run on this machine.

use campaign::Error;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::{Request, Status};

/// A token, or none.
#[derive(Clone, Default)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Bearer(a token)" } else { "Bearer(none)" })
    }
}

impl Bearer {
    /// Reads the first line of a file.
    pub fn read(path: &Path) -> Result<Bearer, Error> {
        let failed = |error: std::io::Error| Error::file("read", path, &error);
        let mode = std::fs::metadata(path).map_err(failed)?.permissions().mode();
        let wrong = |why: &str| Error::Usage(format!("--executor-token {}: {why}", path.display()));
        if mode & 0o077 != 0 {
            return Err(wrong("others can read it, too; its mode is to be 0600"));
        }
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let token = text.lines().next().unwrap_or_default().trim();
        if token.is_empty() {
            return Err(wrong("its first line is empty"));
        }
        let mut value: MetadataValue<Ascii> =
            format!("Bearer {token}").parse().map_err(|_| wrong("its first line is no token"))?;
        value.set_sensitive(true);
        Ok(Bearer(Some(value)))
    }

    /// Whether there is one.
    pub(crate) fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
}
