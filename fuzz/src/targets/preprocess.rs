//! Texts with directives; behind a form feed and a line break begins another file, which the first can include.

use preprocess::{Compiler, Host, Limits, Options, Source};
use std::sync::{Arc, OnceLock};

/// The files `a.h`, `b.h` and so on.
struct Files<'a>(Vec<&'a [u8]>);

impl Host for Files<'_> {
    fn read(&mut self, path: &[u8], trigraphs: bool) -> Result<Option<Arc<Source>>, String> {
        let letter = match path.strip_suffix(b".h").and_then(|stem| stem.last()) {
            Some(letter) => letter.wrapping_sub(b'a'),
            None => return Ok(None),
        };
        Ok(self.0.get(usize::from(letter)).map(|text| Arc::new(Source::new(text.to_vec(), trigraphs))))
    }
}

fn compiler() -> &'static Compiler {
    static COMPILER: OnceLock<Compiler> = OnceLock::new();
    COMPILER.get_or_init(|| {
        let text = "bracket system /inc\nmacros\n#define __STDC__ 1\n#define __STDC_VERSION__ 201112L\n";
        Compiler::from_text(text.as_bytes()).expect("a compiler")
    })
}

pub fn run(data: &[u8]) {
    let mut texts = Vec::new();
    let mut rest = data;
    while let Some(at) = rest.windows(2).position(|two| two == b"\x0c\n") {
        texts.push(&rest[..at]);
        rest = &rest[at + 2..];
    }
    texts.push(rest);
    let main = texts.remove(0);
    let limits =
        Limits { depth: 20, includes: 200, bytes: 1 << 20, tokens: 200_000, held: 1 << 16, output: 1 << 20 };
    let options = Options { name: "t.c".to_owned(), limits, ..Options::default() };
    let _ = preprocess::preprocess(compiler().source(main.to_vec()), &options, compiler(), &mut Files(texts));
}
