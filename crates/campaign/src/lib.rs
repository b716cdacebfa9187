//! Hunts: program sources, oracles, store, findings.
