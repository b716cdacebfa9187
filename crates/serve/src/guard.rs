//! What every request must satisfy and what every answer carries.

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Nothing from elsewhere, no script but our own file, no frame, no form but to us.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What every answer carries.
const HEADERS: [(header::HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses requests for hosts that are not ours, and marks answers.
pub(crate) async fn guard(State(hosts): State<Arc<Vec<String>>>, request: Request, next: Next) -> Response {
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = named.or_else(|| request.uri().host()).unwrap_or_default();
    let mut response = if is_ours(host, &hosts) {
        next.run(request).await
    } else {
        let why = "plumb serve: this host name is not served here; open the address that plumb printed, or name the host \
                   with --host\n";
        (StatusCode::MISDIRECTED_REQUEST, why).into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Is it an address, which no name server can make point elsewhere, this machine, or a name that was allowed? The port may be
/// another one: that of a tunnel.
fn is_ours(host: &str, allowed: &[String]) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, _)) => name,
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    let name = name.trim_end_matches('.');
    name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || allowed.iter().any(|host| host.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_refused() {
        let allowed = ["build-7.example".to_owned()];
        for host in
            ["127.0.0.1:80", "localhost", "LocalHost:9", "[::1]:8321", "10.0.0.7", "build-7.example:1"]
        {
            assert!(is_ours(host, &allowed), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example", "", "[evil]", "1"]
        {
            assert!(!is_ours(host, &allowed), "{host}");
        }
    }
}
