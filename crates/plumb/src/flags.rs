//! Words that clap cannot take as users write them: `-std=c11` and `-m32` as for `cc`, and the generator's options,
//! which the generator itself knows.

use generate::Options;
use std::ffi::OsString;

/// The command line taken apart.
pub struct Words {
    /// For clap.
    pub rest: Vec<OsString>,
    /// For the generator, in their order.
    pub generator: Vec<String>,
}

/// Takes generator options out of `gen` and `hunt`, and spells the compiler's options with two dashes.
pub fn rewrite(words: Vec<OsString>) -> Words {
    let command = words.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    let generates = matches!(command.as_str(), "gen" | "hunt");
    let mut taken = Words { rest: Vec::new(), generator: Vec::new() };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        if text == "--" {
            taken.rest.push(word);
            taken.rest.extend(words);
            break;
        }
        let next = words.as_slice().first().and_then(|next| next.to_str());
        let taken_words = if generates { Options::words(text, next) } else { 0 };
        if taken_words > 0 {
            taken.generator.push(text.to_owned());
            let more = words.by_ref().take(taken_words - 1);
            taken.generator.extend(more.filter_map(|value| value.into_string().ok()));
        } else if let Some(standard) = text.strip_prefix("-std=") {
            taken.rest.push(format!("--std={standard}").into());
        } else if matches!(text, "-m32" | "-m64" | "-include") {
            taken.rest.push(format!("-{text}").into());
        } else {
            taken.rest.push(word);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> (Vec<String>, Vec<String>) {
        let words = rewrite(line.split(' ').map(OsString::from).collect());
        (words.rest.into_iter().filter_map(|w| w.into_string().ok()).collect(), words.generator)
    }

    #[test]
    fn compiler_options_get_two_dashes() {
        assert_eq!(
            of("plumb run -std=c11 -m32 -include x.h f.c -- -m32").0.join(" "),
            "plumb run --std=c11 --m32 --include x.h f.c -- -m32"
        );
    }

    #[test]
    fn generator_options_are_taken_out() {
        let (rest, generator) = of("plumb gen --seed 3 --max-funcs 4 --no-unions -o x");
        assert_eq!(rest.join(" "), "plumb gen --seed 3 -o x");
        assert_eq!(generator.join(" "), "--max-funcs 4 --no-unions");
        let (rest, generator) = of("plumb hunt --safe-math elided --programs 4 --safe-math --jobs 2");
        assert_eq!(rest.join(" "), "plumb hunt --programs 4 --jobs 2");
        assert_eq!(generator.join(" "), "--safe-math elided --safe-math");
    }

    #[test]
    fn other_commands_keep_theirs() {
        assert_eq!(of("plumb run --max-steps 5 f.c").0.join(" "), "plumb run --max-steps 5 f.c");
    }
}
