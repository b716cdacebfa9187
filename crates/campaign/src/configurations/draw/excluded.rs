//! Options that are never drawn, with the reason of each: those that change what a program means, those that need a
//! library or another unit compiled alike, those that make a compiler slow or silent on purpose.

/// A word of an option's name, between hyphens or at its ends, and why such options are left out. A name ending in
/// `*` stands for all that begin like it.
pub(super) const EXCLUDED: &[(&str, &str)] = &[
    // What a program means.
    ("*math*", "floating point may give other results"),
    ("*fast*", "floating point may give other results"),
    ("associative", "floating point may give other results"),
    ("reciprocal", "floating point may give other results"),
    ("signaling", "floating point traps"),
    ("signed-zeros", "floating point may give other results"),
    ("finite", "floating point may give other results"),
    ("rounding*", "another rounding mode"),
    ("cx-*", "complex arithmetic may give other results"),
    ("excess-precision", "floating point may give other results"),
    ("fp-contract", "fused operations round once"),
    ("fp-int-builtin-inexact", "floating-point exceptions"),
    ("single-precision-constant", "constants have another type"),
    ("float-store", "floating point may give other results on x87"),
    ("trapping", "floating-point exceptions"),
    ("short-*", "types have other sizes"),
    ("pack-struct", "structures have another layout"),
    ("pcc-struct-return", "another convention than the C library's"),
    ("reg-struct-return", "another convention than the C library's"),
    ("wrapv*", "only makes more programs defined: nothing new is tested"),
    ("trapv", "documented as incomplete"),
    ("strict-volatile-bitfields", "other accesses to volatile bit-fields"),
    ("allow-store-data-races", "concurrency only"),
    ("merge-all-constants", "objects may share an address"),
    ("*interference-size", "only constants of C++"),
    ("freestanding", "main is no longer special"),
    // What is not there.
    ("profile*", "has its own draw"),
    ("auto-profile", "needs a profile"),
    ("branch-probabilities", "needs a profile"),
    ("branch-count*", "not on this target"),
    ("vpt", "needs a profile"),
    ("parloops*", "needs threads"),
    ("tree-parallelize-loops", "needs threads"),
    ("openmp*", "needs a library"),
    ("openacc*", "needs a library"),
    ("asan*", "sanitizers are asked for by --cc"),
    ("hwasan*", "sanitizers are asked for by --cc"),
    ("tsan*", "sanitizers are asked for by --cc"),
    ("memtag*", "sanitizers are asked for by --cc"),
    ("sanitize*", "sanitizers are asked for by --cc"),
    ("analyzer*", "only warnings"),
    ("split-stack", "needs a linker of its own"),
    ("section-anchors", "not on this target"),
    ("exceptions", "another language"),
    ("handle-exceptions", "another language"),
    ("rtti", "another language"),
    ("threadsafe-statics", "another language"),
    ("live-patching", "excludes other options"),
    ("lto*", "has its own draw"),
    ("semantic-interposition", "only for shared objects"),
    ("ipa-stack-alignment", "needs all units compiled alike"),
    ("stack-limit*", "needs a symbol"),
    ("stack-check", "another stack than the one that is given"),
    ("patchable-function-entry", "changes only what can be patched"),
    // What plumb does itself, or limits.
    ("ggc*", "the compiler's own memory"),
    ("file-cache", "the compiler's own reading of files"),
    ("*debug*", "the compiler's own output"),
    ("*dump*", "the compiler's own output"),
    ("*verbose*", "the compiler's own output"),
    ("*diagnos*", "the compiler's own output"),
    ("save-optimization-record", "the compiler's own output"),
    ("opt-info", "the compiler's own output"),
    ("var-tracking*", "debug information"),
    ("*iterations*", "compile time without end"),
    ("*-max-steps", "compile time without end"),
    ("logical-op-non-short-circuit", "only a preference of the front end"),
    ("threads", "the compiler's own threads"),
];

/// Why an option is left out, by its name without hyphens in front.
pub(super) fn why(name: &str) -> Option<&'static str> {
    EXCLUDED.iter().find(|(pattern, _)| fits(pattern, name)).map(|(_, why)| *why)
}

fn fits(pattern: &str, name: &str) -> bool {
    let name = name.strip_prefix("no-").unwrap_or(name);
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => name.contains(pattern.trim_matches('*')),
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => {
            name == pattern || name.starts_with(pattern) && name[pattern.len()..].starts_with('-')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_meaning_is_left_out_and_passes_are_not() {
        for name in
            ["unsafe-math-optimizations", "fast-math", "short-enums", "no-trapv", "rounding-math", "lto"]
        {
            assert!(why(name).is_some(), "{name}");
        }
        for name in
            ["tree-vectorize", "gcse", "ivopts", "schedule-insns", "max-inline-insns-auto", "no-inline"]
        {
            assert_eq!(why(name), None, "{name}");
        }
    }
}
