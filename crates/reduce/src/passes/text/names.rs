//! Names.

use super::tokened::Tokened;
use crate::passes::{Pass, Stage};
use crate::tokens::TokenKind;
use crate::{Case, Hint, Patch};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Puts short names for long ones, the same everywhere.
pub struct Names;

impl Pass for Names {
    fn name(&self) -> &'static str {
        "names"
    }

    fn about(&self) -> &'static str {
        "Puts one letter for each name."
    }

    fn stage(&self) -> Stage {
        Stage::Polish
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut places: FxHashMap<Vec<u8>, Vec<Patch>> = FxHashMap::default();
        let mut order: Vec<Vec<u8>> = Vec::new();
        let mut words: FxHashSet<Vec<u8>> = FxHashSet::default();
        for file in Tokened::all(case) {
            for (at, token) in file.tokens.iter().enumerate() {
                let word = file.word(at).to_vec();
                words.insert(word.clone());
                if token.kind == TokenKind::Name && word != b"main" {
                    let found = places.entry(word.clone()).or_insert_with(|| {
                        order.push(word);
                        Vec::new()
                    });
                    found.push(Patch { file: file.file, span: token.span.clone(), with: Vec::new() });
                }
            }
        }
        // The most frequent ones get the shortest names; of equally frequent ones the first in the text.
        order.sort_by_key(|name| Reverse(places[name].len()));
        let mut free = (0..).map(letters).filter(|name| !words.contains(name.as_bytes()));
        let mut hints = Vec::new();
        for name in order {
            if name.len() < 2 {
                continue;
            }
            let Some(new) = free.next() else { break };
            let mut patches = places.remove(&name).unwrap_or_default();
            if new.len() < name.len() {
                patches.iter_mut().for_each(|p| p.with = new.clone().into_bytes());
                hints.push(Hint { patches });
            }
        }
        hints
    }
}

/// a, b, ..., z, aa, ab, ...
fn letters(mut n: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.insert(0, b'a' + (n % 26) as u8);
        if n < 26 {
            return String::from_utf8_lossy(&name).into_owned();
        }
        n = n / 26 - 1;
    }
}
