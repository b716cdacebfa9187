//! Addresses of farms: `grpc://HOST:PORT/INSTANCE`, or `grpcs://` with TLS.

use campaign::Error;
use std::net::IpAddr;
use std::time::Duration;
use tonic::transport::{ClientTlsConfig, Endpoint, Uri};

/// How long a farm may take to take a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// A silent connection is looked after so often, by TCP: servers take it amiss where HTTP/2 does it.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// Where a farm is, and which of its instances is meant.
pub(crate) struct Address {
    pub endpoint: Endpoint,
    /// Empty where the address names none.
    pub instance: String,
}

impl Address {
    /// Whether nobody reads on the way what is sent there.
    pub fn keeps_secrets(&self) -> bool {
        let uri = self.endpoint.uri();
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        here || uri.scheme_str() == Some("https")
    }
}

/// Reads an address.
pub(crate) fn parse(text: &str) -> Result<Address, Error> {
    let wrong = |why: &str| {
        Error::Usage(format!(
            "--executor {text}: {why}; it is to be grpc://HOST:PORT, or grpcs://HOST:PORT with TLS"
        ))
    };
    let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong("not an address"))?;
    let secure = match scheme {
        "grpc" => false,
        "grpcs" => true,
        _ => return Err(wrong("not the address of a farm")),
    };
    if rest.contains('@') {
        return Err(wrong("a name or password has no place in it"));
    }
    let (authority, instance) = rest.split_once('/').unwrap_or((rest, ""));
    if authority.is_empty() {
        return Err(wrong("it names no host"));
    }
    let scheme = if secure { "https" } else { "http" };
    let uri: Uri = format!("{scheme}://{authority}").parse().map_err(|_| wrong("not a host and a port"))?;
    if uri.port_u16().is_none() {
        return Err(wrong("it names no port"));
    }
    let mut endpoint = Endpoint::from(uri)
        .connect_timeout(CONNECT)
        .tcp_keepalive(Some(KEEPALIVE))
        .user_agent(concat!("plumb/", env!("CARGO_PKG_VERSION")))
        .map_err(|error| Error::Internal(format!("--executor: {error}")))?;
    if secure {
        endpoint = endpoint
            .tls_config(ClientTlsConfig::new().with_native_roots())
            .map_err(|error| wrong(&format!("no TLS: {error}")))?;
    }
    Ok(Address { endpoint, instance: instance.trim_end_matches('/').to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_host_port_and_instance() {
        let of =
            |text| parse(text).map(|address| (address.endpoint.uri().to_string(), address.instance)).ok();
        let is = |uri: &str, instance: &str| Some((uri.to_owned(), instance.to_owned()));
        assert_eq!(of("grpc://farm.example:8980"), is("http://farm.example:8980/", ""));
        assert_eq!(of("grpc://farm.example:8980/"), is("http://farm.example:8980/", ""));
        assert_eq!(of("grpc://[::1]:8980/a/b/"), is("http://[::1]:8980/", "a/b"));
        for (text, kept) in [
            ("grpc://farm.example:1", false),
            ("grpcs://farm.example:1", true),
            ("grpc://[::1]:1", true),
            ("grpc://localhost:1", true),
        ] {
            assert_eq!(parse(text).ok().map(|address| address.keeps_secrets()), Some(kept), "{text}");
        }
        for wrong in [
            "",
            "farm:1",
            "http://farm:1",
            "grpc://",
            "grpc:///x",
            "grpc://farm",
            "grpc://u:p@farm:1",
            "grpc://a b:1",
            "grpc://farm:99999",
        ] {
            assert!(of(wrong).is_none(), "{wrong}");
        }
    }
}
