//! What earlier hunts yielded: which options and strategies findings needed. Draws of a hunt that learns from them favour these, as
//! schedulers of fuzzers favour what paid before.
//!
//! What is learnt is read once, when the hunt begins, and is part of the campaign's identity: draws stay a function of seed
//! and options.

use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::store::{FindingRow, Store};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What findings needed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Yields {
    /// The words of each configuration that showed a bug, its compiler's and level's among them.
    pub configurations: BTreeSet<Vec<String>>,
    /// The strategies whose edits findings needed.
    pub strategies: BTreeSet<String>,
}

impl Yields {
    /// Of all findings in these stores.
    pub fn of(stores: &[PathBuf]) -> Result<Yields, Error> {
        let mut all = Yields::default();
        for place in stores {
            all.learn(&Store::read(place)?.findings()?);
        }
        Ok(all)
    }

    fn learn(&mut self, rows: &[FindingRow]) {
        for row in rows {
            self.configurations.insert(row.configuration.split_whitespace().map(str::to_owned).collect());
            // `hermes/tcb` is a kind of edit of a strategy; `seed` is no strategy.
            let names = row.strategies.split(',').filter_map(|kind| kind.split('/').next());
            self.strategies
                .extend(names.filter(|name| !name.is_empty() && *name != "seed").map(str::to_owned));
        }
    }

    /// For the identity of a campaign; nothing where nothing was learnt.
    pub fn identity(&self) -> Option<String> {
        if *self == Yields::default() {
            return None;
        }
        let print = Fingerprint::default().add(format!("{self:?}").as_bytes()).value();
        Some(format!("learnt {} configurations, {print:016x}", self.configurations.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::FindingKind;

    #[test]
    fn options_and_strategies_of_findings_are_learnt_once() {
        let row = |configuration: &str, strategies: &str| FindingRow {
            id: String::new(),
            seed: 1,
            program: String::new(),
            configuration: configuration.to_owned(),
            kind: FindingKind::WrongCode,
            signature: String::new(),
            summary: String::new(),
            doubt: None,
            strategies: strategies.to_owned(),
            evidence_of: String::new(),
        };
        let mut yields = Yields::default();
        assert_eq!(yields.identity(), None);
        let rows = [
            row("gcc-12 -O2 -fno-gcse", "hermes/tcb,orion"),
            row("gcc-12 -O2 -fno-gcse", "seed"),
            row("tcc", ""),
        ];
        yields.learn(&rows);
        assert_eq!(yields.configurations.len(), 2);
        assert_eq!(yields.strategies.iter().map(String::as_str).collect::<Vec<_>>(), ["hermes", "orion"]);
        let mut more = yields.clone();
        more.learn(&[row("gcc-12 -O3", "")]);
        assert_ne!(more.identity(), yields.identity());
    }
}
