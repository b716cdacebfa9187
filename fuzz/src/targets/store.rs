//! What a hunt left on disk: the facts of a finding (text) or the database of a store (everything else), damaged or not.

use std::fs;

/// How SQLite's files begin.
const MAGIC: &[u8] = b"SQLite format 3";

pub fn run(data: &[u8]) {
    let dir = tempfile::tempdir().expect("a scratch directory");
    if data.starts_with(MAGIC) {
        fs::write(dir.path().join("plumb.sqlite"), data).expect("a database");
        if let Ok(store) = campaign::store::Store::read(dir.path()) {
            let _ = store.findings();
        }
    } else {
        fs::write(dir.path().join(campaign::findings::FACTS), data).expect("facts");
        let _ = campaign::findings::read(dir.path());
    }
}
