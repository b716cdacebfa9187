//! Where the statements come from that Athena inserts.

use crate::error::Error;
use csyntax::target::Target;
use generate::SWITCHES;
use mutate::athena::Database;
use std::path::PathBuf;
use std::sync::Arc;

/// What Athena inserts where no corpus is named: the statements of so many generated programs.
const GENERATED: u64 = 20;

/// The statements of the generated programs that Athena inserts where no corpus is named. Constructs that are off in the
/// options are in none of them: compilers would refuse the variants.
pub fn generated(options: &generate::Options) -> Arc<Database> {
    let mut fitted = generate::Options::default();
    for info in SWITCHES.iter().filter(|info| !options.on(info.switch)) {
        fitted.set(info.switch, false);
    }
    let mut database = Database::default();
    learn(&mut database, GENERATED, &fitted);
    Arc::new(database)
}

fn learn(database: &mut Database, count: u64, options: &generate::Options) {
    for number in 0..count {
        database.learn_printed(&generate::generate(number, options).text(), "generated.c", &TARGET);
    }
}

/// What a statement's text means is the same in all data models; where it is not, it is checked when it is bound.
const TARGET: Target = Target::LP64;

/// The statements of C files, of directories of them, and of generated programs (`builtin` or `builtin:N`), for
/// Athena to insert. `None` if nothing is named.
pub fn corpus(paths: &[PathBuf], options: &frontend::Options) -> Result<Option<Arc<Database>>, Error> {
    if paths.is_empty() {
        return Ok(None);
    }
    let mut database = Database::default();
    for path in paths {
        let word = path.to_string_lossy();
        if let Some(count) = word.strip_prefix("builtin")
            && let Ok(count) = count.strip_prefix(':').unwrap_or("50").parse::<u64>()
        {
            learn(&mut database, count, &generate::Options::default());
            continue;
        }
        let mut read = 0;
        for one in &frontend::c_files(path)? {
            // A file that needs what is not here teaches nothing, and the others still do.
            if let Ok(text) = frontend::read(one, options) {
                read += 1;
                database.learn(&text.bytes, &text.name, &TARGET);
            }
        }
        if read == 0 {
            return Err(Error::Usage(format!("--corpus {word}: no C file in it could be read")));
        }
    }
    Ok(Some(Arc::new(database)))
}
