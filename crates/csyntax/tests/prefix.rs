//! The law of prefixes: a text read behind what was read before is the text read whole.

use csyntax::check::check;
use csyntax::parse::parse;
use csyntax::prefix::Prefix;
use csyntax::target::Target;

/// Programs of the repository that need no preprocessing.
fn programs() -> Vec<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let directories = ["tests/check/tree", "tests/accepted", "../../tests/machine/defined"];
    let mut texts = Vec::new();
    for directory in directories {
        let entries = std::fs::read_dir(format!("{root}/{directory}")).expect("the directory is there");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "c")) {
            let text = std::fs::read_to_string(path).expect("readable");
            texts.extend(Some(text).filter(|text| !csyntax::parse::needs_preprocessing(text.as_bytes())));
        }
    }
    texts
}

/// Everything that is known of a text, read whole.
fn whole(text: &str) -> String {
    let parsed = parse(text.as_bytes(), "p.c");
    let checked = (!parsed.has_errors()).then(|| check(&parsed.ast, &Target::LP64));
    format!("{:?}", (parsed, checked))
}

/// The same, read behind a prefix.
fn behind(prefix: &Prefix, text: &str) -> String {
    format!("{:?}", prefix.read(text.as_bytes(), "p.c"))
}

#[test]
fn behind_any_prefix_a_text_is_the_same() {
    let (mut compared, mut cut) = (0, 0);
    for text in programs() {
        let known = whole(&text);
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        for &end in ends.iter().step_by(1 + ends.len() / 40) {
            cut += 1;
            let Some(prefix) = Prefix::new(&text.as_bytes()[..end], &Target::LP64) else { continue };
            compared += 1;
            assert!(behind(&prefix, &text) == known, "cut at {end}:\n{text}");
            let more = format!("{}int one_more(void) {{ return sizeof one_more(); }}\n", &text[..end]);
            assert!(behind(&prefix, &more) == whole(&more), "more behind {end}:\n{text}");
        }
    }
    assert!(compared > 200 && cut > 2 * compared, "{compared} of {cut}");
}

#[test]
fn what_is_no_whole_part_of_a_text_is_no_prefix() {
    for text in [
        "",
        "int a;",
        "int a\n",
        "int f(void)\n",
        "int a; /*\n",
        "int a; // \\\n",
        "b a;\n",
        "int a = b;\n",
        "}\n",
    ] {
        assert!(Prefix::new(text.as_bytes(), &Target::LP64).is_none(), "{text:?}");
    }
}

#[test]
fn errors_behind_a_prefix_are_found_where_they_are() {
    let prefix = Prefix::new(b"typedef int T;\nextern T a;\n", &Target::LP64).expect("right");
    for text in [
        "typedef int T;\nextern T a;\nT b = c;\n",
        "typedef int T;\nextern T a;\nlong a;\n",
        "typedef int T;\nextern T a;\nT f(\n",
        "typedef long T;\nextern T a;\nT b = a;\n",
    ] {
        assert_eq!(behind(&prefix, text), whole(text));
    }
}
