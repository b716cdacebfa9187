//! Compressed instructions as the longer ones that they stand for (the C extension of RV64 with doubles). Distances of jumps
//! are left out: where jumps lead is not told by the instruction alone.

/// Opcodes with the first bits of what they are followed by, for [`word`].
const LOAD: u32 = 0x03;
const LOAD_FLOAT: u32 = 0x07;
const NUMBER: u32 = 0x13;
const NUMBER_HALF: u32 = 0x1b;
const STORE: u32 = 0x23;
const STORE_FLOAT: u32 = 0x27;
const REGISTER: u32 = 0x33;
const REGISTER_HALF: u32 = 0x3b;

/// An instruction with a number of twelve bits.
fn number(opcode: u32, f3: u32, to: u32, a: u32, n: u32) -> u32 {
    (n & 0xfff) << 20 | a << 15 | f3 << 12 | to << 7 | opcode
}

/// One of three registers.
fn registers(opcode: u32, (f7, f3): (u32, u32), to: u32, a: u32, b: u32) -> u32 {
    f7 << 25 | b << 20 | a << 15 | f3 << 12 | to << 7 | opcode
}

/// One that stores.
fn store(opcode: u32, f3: u32, from: u32, base: u32, n: u32) -> u32 {
    (n >> 5 & 0x7f) << 25 | from << 20 | base << 15 | f3 << 12 | (n & 0x1f) << 7 | opcode
}

/// The word that 16 bits stand for; none where they are reserved.
pub(super) fn expand(half: u16) -> Option<u32> {
    let c = u32::from(half);
    match c & 3 {
        0 => first(c),
        1 => second(c),
        2 => third(c),
        _ => None,
    }
}

/// So many bits from a place on.
fn bits(c: u32, low: u32, count: u32) -> u32 {
    c >> low & ((1 << count) - 1)
}

/// Bits moved: so many from a place on, to another place.
fn moved(c: u32, list: &[(u32, u32, u32)]) -> u32 {
    list.iter().fold(0, |n, (low, count, to)| n | bits(c, *low, *count) << to)
}

/// The number of six bits with a sign that most instructions have.
fn six(c: u32) -> u32 {
    let n = moved(c, &[(2, 5, 0), (12, 1, 5)]);
    if bits(c, 12, 1) == 1 { n | !0x3f } else { n }
}

fn first(c: u32) -> Option<u32> {
    let (to, base) = (bits(c, 2, 3) + 8, bits(c, 7, 3) + 8);
    let words = moved(c, &[(10, 3, 3), (6, 1, 2), (5, 1, 6)]);
    let doubles = moved(c, &[(10, 3, 3), (5, 2, 6)]);
    match bits(c, 13, 3) {
        0 => {
            let n = moved(c, &[(11, 2, 4), (7, 4, 6), (6, 1, 2), (5, 1, 3)]);
            (n != 0).then(|| number(NUMBER, 0, to, 2, n))
        }
        1 => Some(number(LOAD_FLOAT, 3, to, base, doubles)),
        2 => Some(number(LOAD, 2, to, base, words)),
        3 => Some(number(LOAD, 3, to, base, doubles)),
        5 => Some(store(STORE_FLOAT, 3, to, base, doubles)),
        6 => Some(store(STORE, 2, to, base, words)),
        7 => Some(store(STORE, 3, to, base, doubles)),
        _ => None,
    }
}

fn second(c: u32) -> Option<u32> {
    let (to, near) = (bits(c, 7, 5), bits(c, 7, 3) + 8);
    match bits(c, 13, 3) {
        0 => Some(number(NUMBER, 0, to, to, six(c))),
        1 => (to != 0).then(|| number(NUMBER_HALF, 0, to, to, six(c))),
        2 => Some(number(NUMBER, 0, to, 0, six(c))),
        3 if to == 2 => {
            let n = moved(c, &[(6, 1, 4), (5, 1, 6), (3, 2, 7), (2, 1, 5)]);
            let n = if bits(c, 12, 1) == 1 { n | !0x1ff } else { n };
            (n != 0).then(|| number(NUMBER, 0, 2, 2, n))
        }
        3 => (six(c) != 0).then(|| six(c) << 12 | to << 7 | 0x37),
        4 => arithmetic(c, near),
        5 => Some(0x6f),
        6 => Some(near << 15 | 0x63),
        _ => Some(near << 15 | 1 << 12 | 0x63),
    }
}

fn arithmetic(c: u32, to: u32) -> Option<u32> {
    let (b, by) = (bits(c, 2, 3) + 8, moved(c, &[(2, 5, 0), (12, 1, 5)]));
    let three = |opcode, f| Some(registers(opcode, f, to, to, b));
    match (bits(c, 10, 2), bits(c, 12, 1), bits(c, 5, 2)) {
        (0, ..) => Some(number(NUMBER, 5, to, to, by)),
        (1, ..) => Some(number(NUMBER, 5, to, to, by | 0x400)),
        (2, ..) => Some(number(NUMBER, 7, to, to, six(c))),
        (_, 0, 0) => three(REGISTER, (0x20, 0)),
        (_, 0, 1) => three(REGISTER, (0, 4)),
        (_, 0, 2) => three(REGISTER, (0, 6)),
        (_, 0, _) => three(REGISTER, (0, 7)),
        (_, _, 0) => three(REGISTER_HALF, (0x20, 0)),
        (_, _, 1) => three(REGISTER_HALF, (0, 0)),
        _ => None,
    }
}

fn third(c: u32) -> Option<u32> {
    let (to, b) = (bits(c, 7, 5), bits(c, 2, 5));
    let words = moved(c, &[(4, 3, 2), (2, 2, 6), (12, 1, 5)]);
    let doubles = moved(c, &[(5, 2, 3), (2, 3, 6), (12, 1, 5)]);
    let stored = moved(c, &[(10, 3, 3), (7, 3, 6)]);
    match bits(c, 13, 3) {
        0 => Some(number(NUMBER, 1, to, to, moved(c, &[(2, 5, 0), (12, 1, 5)]))),
        1 => Some(number(LOAD_FLOAT, 3, to, 2, doubles)),
        2 => (to != 0).then(|| number(LOAD, 2, to, 2, words)),
        3 => (to != 0).then(|| number(LOAD, 3, to, 2, doubles)),
        4 => match (bits(c, 12, 1), to, b) {
            (0, 0, 0) => None,
            (0, _, 0) => Some(number(0x67, 0, 0, to, 0)),
            (0, ..) => Some(registers(REGISTER, (0, 0), to, 0, b)),
            (_, 0, 0) => Some(0x0010_0073),
            (_, _, 0) => Some(number(0x67, 0, 1, to, 0)),
            _ => Some(registers(REGISTER, (0, 0), to, to, b)),
        },
        5 => Some(store(STORE_FLOAT, 3, b, 2, stored)),
        6 => Some(store(STORE, 2, b, 2, moved(c, &[(9, 4, 2), (7, 2, 6)]))),
        _ => Some(store(STORE, 3, b, 2, stored)),
    }
}
