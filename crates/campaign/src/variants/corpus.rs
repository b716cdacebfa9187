//! Where the statements come from that Athena inserts.

use crate::error::Error;
use csyntax::target::Target;
use mutate::athena::Database;
use std::path::PathBuf;
use std::sync::Arc;

/// The statements of C files, of directories of them, and of generated programs (`builtin` or `builtin:N`), for
/// Athena to insert. `None` if nothing is named.
pub fn corpus(paths: &[PathBuf], options: &frontend::Options) -> Result<Option<Arc<Database>>, Error> {
    if paths.is_empty() {
        return Ok(None);
    }
    // What a statement's text means is the same in all data models; where it is not, it is checked when it is bound.
    let target = Target::LP64;
    let mut database = Database::default();
    for path in paths {
        let word = path.to_string_lossy();
        if let Some(count) = word.strip_prefix("builtin")
            && let Ok(count) = count.strip_prefix(':').unwrap_or("50").parse::<u64>()
        {
            for number in 0..count {
                let text = generate::generate(number, &generate::Options::default()).text();
                database.learn_printed(&text, "generated.c", &target);
            }
            continue;
        }
        let mut read = 0;
        for one in &frontend::c_files(path)? {
            // A file that needs what is not here teaches nothing, and the others still do.
            if let Ok(text) = frontend::read(one, options) {
                read += 1;
                database.learn(&text.bytes, &text.name, &target);
            }
        }
        if read == 0 {
            return Err(Error::Usage(format!("--corpus {word}: no C file in it could be read")));
        }
    }
    Ok(Some(Arc::new(database)))
}
