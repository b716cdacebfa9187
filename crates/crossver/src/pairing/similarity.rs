//! Functions without a name in common: those whose blocks have the same mnemonics and call the same functions.

use super::Pairing;
use crate::code::{Code, Flow};
use crate::objects::Image;
use crate::places::{Place, references};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Functions of one side that are looked at; others stay without a partner.
const MOST: usize = 4000;

/// The least share of blocks in common.
const LEAST: f64 = 0.6;

/// Pairs among the functions that have none, the most alike first.
pub fn pairs(old: &Image, new: &Image, pairing: &Pairing) -> Vec<(usize, usize)> {
    let rest = |image: &Image, of_old: bool| {
        let rest = pairing.rest(image.functions.len(), of_old);
        rest.into_iter().take(MOST).map(|n| (n, fingerprint(image, n))).collect::<Vec<_>>()
    };
    let (a, b) = (rest(old, true), rest(new, false));
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, (_, blocks)) in b.iter().enumerate() {
        blocks.keys().for_each(|hash| holders.entry(*hash).or_default().push(at));
    }
    let mut scored: Vec<(f64, usize, usize)> = Vec::new();
    for (m, blocks) in &a {
        let mut common: HashMap<usize, u32> = HashMap::new();
        for (hash, count) in blocks {
            // What every function has tells none.
            let having = holders.get(hash).filter(|list| list.len() <= 64);
            for at in having.into_iter().flatten() {
                *common.entry(*at).or_default() += count.min(&b[*at].1[hash]);
            }
        }
        let total = |blocks: &HashMap<u64, u32>| blocks.values().sum::<u32>();
        for (at, shared) in common {
            let all = total(blocks) + total(&b[at].1) - shared;
            let score = f64::from(shared) / f64::from(all.max(1));
            if score >= LEAST {
                scored.push((score, *m, b[at].0));
            }
        }
    }
    scored.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let (mut found, mut old_taken, mut new_taken) = (Vec::new(), Vec::new(), Vec::new());
    for (_, m, n) in scored {
        if !old_taken.contains(&m) && !new_taken.contains(&n) {
            old_taken.push(m);
            new_taken.push(n);
            found.push((m, n));
        }
    }
    found
}

/// Hashes of runs of mnemonics between jumps, with the names called, and how often each occurs.
fn fingerprint(image: &Image, function: usize) -> HashMap<u64, u32> {
    let code = Code::of(image, function);
    let places = references(image, function, &code);
    let mut blocks = HashMap::new();
    for (stretch, references) in code.stretches.iter().zip(&places) {
        let mut hasher = DefaultHasher::new();
        let mut length = 0;
        for insn in stretch.insns.iter().filter(|insn| !insn.nop) {
            insn.opcode.hash(&mut hasher);
            length += 1;
            if matches!(insn.flow, Flow::Call | Flow::Jump) {
                let from = references.partition_point(|r| r.at < insn.at);
                for r in references[from..].iter().take_while(|r| r.at < insn.end()) {
                    if let Place::Name { name, .. } = &r.place {
                        name.hash(&mut hasher);
                    }
                }
            }
            // A block of one jump is in every function.
            if !matches!(insn.flow, Flow::Next | Flow::Call | Flow::IndirectCall) {
                if length > 1 {
                    *blocks.entry(hasher.finish()).or_default() += 1;
                }
                (hasher, length) = (DefaultHasher::new(), 0);
            }
        }
    }
    blocks
}
