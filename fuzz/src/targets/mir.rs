//! Machine IR text: read, or refused with a place.

pub fn run(data: &[u8]) {
    let _ = langs::x86_mir::parse(data);
}
