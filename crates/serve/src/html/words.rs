//! Numbers, times and addresses as people and browsers read them.

use chrono::{DateTime, Utc};
use maud::{Markup, html};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where links of a page lead.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Links {
    /// To other live pages.
    Live,
    /// Inside the page that is the whole report.
    Report,
}

impl Links {
    /// A finding.
    pub fn finding(self, id: &str) -> String {
        match self {
            Links::Live => format!("/finding/{}", encoded(id)),
            Links::Report => format!("#{}", anchor(id)),
        }
    }

    /// The findings that have these properties, where there is a page of them.
    pub fn findings(self, parameters: &[(&str, String)]) -> Option<String> {
        match self {
            Links::Live => Some(format!("/findings{}", query(parameters, None))),
            Links::Report => None,
        }
    }
}

/// What a finding is called inside the page.
pub(super) fn anchor(id: &str) -> String {
    format!("finding-{}", encoded(id))
}

/// `?a=b&c=d`, or nothing.
pub(super) fn query(parameters: &[(&str, String)], page: Option<usize>) -> String {
    let mut parts: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    parts.extend(page.map(|page| format!("page={page}")));
    if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
}

/// Percent-encodes all but unreserved characters (RFC 3986, 2.3).
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

/// `1 bug`, `2 bugs`.
pub(super) fn count(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// `1 234 567`, with spaces that do not break.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// Programs a second, or an hour where that is easier to read.
pub(super) fn rate(per_second: f64) -> String {
    if per_second >= 0.1 || per_second == 0.0 {
        format!("{per_second:.1}/s")
    } else {
        format!("{:.1}/h", per_second * 3600.0)
    }
}

/// `3 d 4 h`, `1 h 02 min`, `2 min 05 s`, `7 s`.
pub(super) fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 86400, whole / 3600 % 24, whole / 60 % 60, whole % 60) {
        (0, 0, 0, s) => format!("{s} s"),
        (0, 0, m, s) => format!("{m} min {s:02} s"),
        (0, h, m, _) => format!("{h} h {m:02} min"),
        (d, h, _, _) => format!("{d} d {h} h"),
    }
}

/// A moment, for people and machines; a dash where it is not known.
pub(super) fn moment(at: Option<i64>) -> Markup {
    let known = at.and_then(DateTime::<Utc>::from_timestamp_millis);
    html! {
        @match known {
            Some(at) => time datetime=(at.format("%Y-%m-%dT%H:%M:%SZ")) { (at.format("%Y-%m-%d %H:%M:%S UTC")) },
            None => span title="this store does not know" { "–" },
        }
    }
}

/// How long ago a moment was.
pub(super) fn ago(at: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs_f64() - at as f64 / 1000.0;
    format!("{} ago", duration(seconds))
}

/// `1 234 bytes`, `12 KB`.
pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        0..10_000 => count(bytes, "byte", "bytes"),
        10_000..10_000_000 => format!("{} KB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!((grouped(0), grouped(999)), ("0".to_owned(), "999".to_owned()));
        assert_eq!(duration(3720.0), "1 h 02 min");
        assert_eq!(duration(90_000.0), "1 d 1 h");
        assert_eq!((rate(2.25), rate(0.01)), ("2.2/s".to_owned(), "36.0/h".to_owned()));
    }

    #[test]
    fn addresses_are_encoded() {
        let parameters = [("compiler", "gcc -m32".to_owned()), ("q", "a&b=ü".to_owned())];
        assert_eq!(query(&parameters, Some(2)), "?compiler=gcc%20-m32&q=a%26b%3D%C3%BC&page=2");
        assert_eq!(query(&[], None), "");
    }
}
