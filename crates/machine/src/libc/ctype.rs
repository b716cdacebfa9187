//! `<ctype.h>` in the "C" locale: the functions, and the tables that glibc's macros index.

use super::{Args, Entry, int, pointer, static_object, static_pointer};
use crate::class::{CONST, Class};
use crate::mem::Ptr;
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use crate::vm::{Slot, Vm};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("isalnum", "ii", |_, a| class(a, ALNUM)),
    ("isalpha", "ii", |_, a| class(a, ALPHA)),
    ("isblank", "ii", |_, a| class(a, BLANK)),
    ("iscntrl", "ii", |_, a| class(a, CNTRL)),
    ("isdigit", "ii", |_, a| class(a, DIGIT)),
    ("isgraph", "ii", |_, a| class(a, GRAPH)),
    ("islower", "ii", |_, a| class(a, LOWER)),
    ("isprint", "ii", |_, a| class(a, PRINT)),
    ("ispunct", "ii", |_, a| class(a, PUNCT)),
    ("isspace", "ii", |_, a| class(a, SPACE)),
    ("isupper", "ii", |_, a| class(a, UPPER)),
    ("isxdigit", "ii", |_, a| class(a, XDIGIT)),
    ("isascii", "ii", |_, a| Ok(int((a.i32(0)? & !0x7f == 0).into()))),
    ("toascii", "ii", |_, a| Ok(int((a.i32(0)? & 0x7f).into()))),
    ("tolower", "ii", |_, a| Ok(int(fold(argument(a)?, |c| c.to_ascii_lowercase())))),
    ("toupper", "ii", |_, a| Ok(int(fold(argument(a)?, |c| c.to_ascii_uppercase())))),
    ("__ctype_b_loc", "p", |vm, _| table(vm, "ctype", Class::Short, |c| u32::from(mask(c)))),
    ("__ctype_tolower_loc", "p", |vm, _| {
        table(vm, "tolower", Class::Int, |c| fold(c, |c| c.to_ascii_lowercase()) as u32)
    }),
    ("__ctype_toupper_loc", "p", |vm, _| {
        table(vm, "toupper", Class::Int, |c| fold(c, |c| c.to_ascii_uppercase()) as u32)
    }),
];

// Bits of glibc's table on a little-endian machine.
const UPPER: u16 = 0x100;
const LOWER: u16 = 0x200;
const ALPHA: u16 = 0x400;
const DIGIT: u16 = 0x800;
const XDIGIT: u16 = 0x1000;
const SPACE: u16 = 0x2000;
const PRINT: u16 = 0x4000;
const GRAPH: u16 = 0x8000;
const BLANK: u16 = 0x1;
const CNTRL: u16 = 0x2;
const PUNCT: u16 = 0x4;
const ALNUM: u16 = 0x8;

/// All classes of a character.
fn mask(c: i32) -> u16 {
    let Some(c) = u8::try_from(c).ok().filter(u8::is_ascii) else { return 0 };
    [
        (c.is_ascii_uppercase(), UPPER),
        (c.is_ascii_lowercase(), LOWER),
        (c.is_ascii_alphabetic(), ALPHA),
        (c.is_ascii_digit(), DIGIT),
        (c.is_ascii_hexdigit(), XDIGIT),
        (matches!(c, b' ' | b'\t'..=b'\r'), SPACE),
        ((b' '..=b'~').contains(&c), PRINT),
        (c.is_ascii_graphic(), GRAPH),
        (matches!(c, b' ' | b'\t'), BLANK),
        (c.is_ascii_control(), CNTRL),
        (c.is_ascii_punctuation(), PUNCT),
        (c.is_ascii_alphanumeric(), ALNUM),
    ]
    .into_iter()
    .filter(|(holds, _)| *holds)
    .fold(0, |all, (_, bit)| all | bit)
}

/// The argument: a value of `unsigned char`, or `EOF` (C11 7.4p1).
fn argument(args: &Args<'_>) -> Res<i32> {
    let c = args.i32(0)?;
    if (-1..=255).contains(&c) {
        return Ok(c);
    }
    undefined(Ub::LibraryArgument, format!("{c} is neither EOF nor a value of unsigned char"))
}

fn class(args: &Args<'_>, bit: u16) -> Res<Slot> {
    let found = mask(argument(args)?) & bit;
    // Bits above 8 arrive as glibc's macros leave them.
    Ok(int(found.into()))
}

fn fold(c: i32, map: fn(u8) -> u8) -> i64 {
    i64::from(u8::try_from(c).map_or(c, |c| i32::from(map(c))))
}

/// Pointer to a pointer to entry 0 of a constant table from -1 to 255.
fn table(vm: &mut Vm<'_>, name: &'static str, class: Class, value: fn(i32) -> u32) -> Res<Slot> {
    if let Some(p) = vm.library.shown.get(name) {
        return Ok(pointer(*p));
    }
    let width = if class == Class::Short { 2 } else { 4 };
    let mut bytes = Vec::with_capacity(257 * width);
    for c in -1..=255 {
        if vm.mem.big_endian {
            bytes.extend(&value(c).to_be_bytes()[4 - width..]);
        } else {
            bytes.extend(&value(c).to_le_bytes()[..width]);
        }
    }
    let entries = static_object(vm, &bytes, class as u8 | CONST)?;
    let zero = Ptr { addr: entries.addr + width as u64, prov: entries.prov };
    let p = static_pointer(vm, zero)?;
    vm.library.shown.insert(name, p);
    Ok(pointer(p))
}
