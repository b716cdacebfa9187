//! Names that compilers make: clones of functions, numbered local objects, unnamed constants.

/// A function's name without what cloning adds, and what was added: `f.isra.0` is (`f`, `isra`).
#[must_use]
pub fn clone_base(name: &str) -> (&str, Vec<&str>) {
    let mut parts = name.split('.');
    // A name may begin with a dot.
    let base_end = match name.strip_prefix('.') {
        Some(rest) => 1 + rest.find('.').unwrap_or(rest.len()),
        None => parts.next().map_or(0, str::len),
    };
    let base = name.get(..base_end).unwrap_or(name);
    let rest = name.get(base_end..).unwrap_or_default();
    let kinds = rest.split('.').filter(|part| !part.is_empty() && !is_number(part)).collect();
    (base, kinds)
}

/// The number at the end of a clone's name; 0 without one.
#[must_use]
pub fn clone_number(name: &str) -> u64 {
    name.rsplit('.').find_map(|part| part.parse().ok()).unwrap_or(0)
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

/// Beginnings of names that compilers give to constants, whose contents alone matter.
const CONSTANTS: &[&str] =
    &["CSWTCH", "switch.table", ".Lswitch.table", ".L__const.", "__const.", ".LC", ".L.str", "C."];

/// The name of a local object as its source has it: without the number of its function's copy, and without the function that LLVM
/// names it after. All that compilers name themselves is one name.
#[must_use]
pub fn data_base(name: &str) -> &str {
    if CONSTANTS.iter().any(|prefix| name.starts_with(prefix)) {
        return "";
    }
    let base = match name.rsplit_once('.') {
        Some((base, number)) if is_number(number) && !base.is_empty() => base,
        Some(_) | None => name,
    };
    match base.rsplit_once('.') {
        Some((function, object)) if !function.is_empty() && !object.is_empty() => object,
        Some(_) | None => base,
    }
}

/// Whether a local object is named after its function.
#[must_use]
pub fn names_function(name: &str) -> bool {
    name.split('.').filter(|part| !is_number(part)).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_named_after_their_function() {
        assert_eq!(clone_base("f.isra.0"), ("f", vec!["isra"]));
        assert_eq!(clone_base("f.constprop.0.isra.12"), ("f", vec!["constprop", "isra"]));
        assert_eq!(clone_base("f"), ("f", vec![]));
        assert_eq!(clone_number("f.part.7"), 7);
    }

    #[test]
    fn local_objects_lose_their_number() {
        assert_eq!(data_base("counter.3"), "counter");
        assert_eq!(data_base("f.counter"), "counter");
        assert_eq!(data_base("f.counter.1"), "counter");
        assert!(names_function("f.counter.1") && !names_function("counter.1"));
        assert_eq!(data_base("CSWTCH.12"), "");
        assert_eq!(data_base("x"), "x");
    }
}
