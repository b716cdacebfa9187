//! Union members (section 4.6): which member of a union was last stored to, as the state of a fact slot.

/// No single member is known to be the last one stored to.
pub const UNKNOWN: u32 = u32::MAX - 1;

/// The state where two paths meet.
pub fn join(a: u32, b: u32) -> u32 {
    if a == b { a } else { UNKNOWN }
}

/// The state after a store to member `member`, whole or in part, of a union that may be one of several objects.
/// `None` where the store is not allowed: a part of a member that is not active.
pub fn stored(state: u32, member: u32, whole: bool, certain: bool) -> Option<u32> {
    match (whole, certain) {
        (true, true) => Some(member),
        (true, false) => Some(join(state, member)),
        (false, _) => (state == member).then_some(state),
    }
}

/// May member `member` be read?
pub fn readable(state: u32, member: u32) -> bool {
    state == member
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_member_last_stored_to_is_readable() {
        let state = stored(0, 2, true, true).unwrap();
        assert!(readable(state, 2) && !readable(state, 0));
        let state = stored(state, 1, true, false).unwrap();
        assert!(!readable(state, 1) && !readable(state, 2));
        assert_eq!(stored(state, 1, false, true), None);
    }
}
