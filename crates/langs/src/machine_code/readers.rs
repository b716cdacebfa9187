//! What is known of functions of the library by their names.
//!
//! Functions that leave memory as it was: what is loaded ahead of a call of one is what would be loaded behind it. Those of the
//! C library (C11 7.4, 7.24), of which those that give no pointer keep none either, and those whose code writes nothing but
//! their own frames: compilers find these, and load ahead of their calls what the source loads behind them.

use super::facts::Facts;
use super::function::{Decoded, Function};
use super::uses::{Control, control, frame_accesses, repeats, uses};

/// What a function does that leaves memory as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reader {
    /// It gives a number.
    Measures,
    /// It gives a pointer into what it is passed.
    Finds,
}

const READERS: &[(Reader, &str)] = &[
    (Reader::Measures, "abs bcmp labs llabs memcmp strcmp strcspn strlen strncmp strnlen strspn"),
    (
        Reader::Measures,
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper",
    ),
    (Reader::Measures, "isxdigit tolower toupper"),
    (Reader::Finds, "memchr memrchr strchr strpbrk strrchr strstr"),
];

/// Functions that give back what they are passed first (C11 7.24.2, 7.24.3, 7.24.6.1).
const GIVE_FIRST: [&str; 13] = [
    "memcpy",
    "memmove",
    "memset",
    "strcat",
    "strcpy",
    "strncat",
    "strncpy",
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
    "__strcat_chk",
    "__strcpy_chk",
    "__strncpy_chk",
];

/// Whether a function of the library gives back what it is passed first: compilers use that.
#[must_use]
pub fn gives_first(name: &str) -> bool {
    GIVE_FIRST.contains(&name)
}

/// What a function of this name does, if it leaves memory as it was.
pub(crate) fn reader(name: &str) -> Option<Reader> {
    let has = |(_, names): &&(Reader, &str)| names.split(' ').any(|known| known == name);
    READERS.iter().find(has).map(|(reader, _)| *reader)
}

/// Whether a function of x86-64 writes no memory but its own frame, whatever its inputs are, if that holds of what it calls by
/// name, too.
///
/// Each instruction is one whose meaning is known, and each of those that write writes at a known place below the return address:
/// that is gone when the function returns, and no part of memory then as its callers see it. What is called by an address
/// may write anything, and so may what others see in between (atomic instructions), and what goes over memory.
#[must_use]
pub fn writes_its_frame_alone(f: &Function) -> bool {
    let Ok(facts) = Facts::of(f) else { return false };
    let named = |i: usize| f.insns[i].target.is_some() || facts.table(i).is_some();
    (0..f.insns.len()).filter(|i| facts.reached(*i)).all(|i| {
        let known = matches!(f.insns[i].decoded, Decoded::X86(_)) && f.insns[i].decoded.is_modelled();
        let below = !uses(f, i).stores || writes_below(f, &facts, i);
        let alone = match control(f, i) {
            Control::Other | Control::Return | Control::Trap => below,
            Control::Jump | Control::IndirectJump => below && named(i),
            // What it writes is the address behind it.
            Control::Call => named(i) && facts.stack(i).is_some_and(|sp| sp <= 0),
        };
        known && alone && !repeats(f, i)
    })
}

/// Whether all that an instruction writes lies below the return address.
fn writes_below(f: &Function, facts: &Facts, i: usize) -> bool {
    let mut writes = frame_accesses(f, facts, i).into_iter().filter(|(.., writes)| *writes).peekable();
    writes.peek().is_some()
        && writes.all(|(at, bytes, ..)| at.checked_add(bytes as i64).is_some_and(|end| end <= 0))
}
