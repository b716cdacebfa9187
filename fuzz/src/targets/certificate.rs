//! Certificates: read, or refused; what is written of one is the same certificate.

use equiv::Certificate;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(certificate) = Certificate::from_text(text) else { return };
    let written = certificate.to_text();
    let again = Certificate::from_text(&written).expect("what was written is read");
    assert_eq!(again.to_text(), written, "written twice, two texts");
}
