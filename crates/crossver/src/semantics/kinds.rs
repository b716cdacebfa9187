//! Types as far as they tell which objects may share their places: C has an object accessed as what it is alone
//! (C17, 6.5p7), and compilers rely on that at some levels.

use super::names::plain;
use langs::machine_code::{Part, Pointees};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// The number of a type in a table.
pub type Number = usize;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Not known, or none.
    Unknown,
    /// A character: what accesses anything.
    Character,
    /// A truth value: a byte that holds 0 or 1.
    Truth,
    /// An integer of so many bytes, signed or not, or an enumeration.
    Integer(u64),
    /// A `long long` of so many bytes: no other integer type is compatible with it, however long `long` is.
    LongLong(u64),
    /// A floating-point number of so many bytes.
    Float(u64),
    /// A pointer to a type.
    Pointer(Number),
    /// Elements of a type, in so many bytes.
    Array(Number, u64),
    /// A structure or union: name, bytes, and parts with the place of each.
    Members(String, u64, Vec<(u64, Number)>),
}

/// What types tell of a function and of what it refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kinds {
    /// Any object may be accessed in any way.
    pub any: bool,
    /// Signed numbers may overflow.
    pub wraps: bool,
    /// Types, by number.
    pub types: Vec<Kind>,
    /// The types of the function's arguments in general registers, by register.
    pub arguments: Vec<(usize, Number)>,
    /// What is narrower than 32 bits among these: register, bits, and whether it has a sign. Callers extend it.
    pub narrow: Vec<(usize, u32, bool)>,
    /// The types of objects, by address.
    pub objects: Vec<(u64, Number)>,
    /// The types that callees give, by name.
    pub results: Vec<(String, Number)>,
    /// The names of structures and unions that others have in them.
    pub parts: BTreeSet<String>,
}

/// A number, character or pointer of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Leaf {
    /// Where it begins.
    start: u64,
    /// Its type, where that is known.
    of: Option<Number>,
    /// Whether it is a member by itself, and none of a row.
    member: bool,
}

/// How deep types are looked into.
const DEPTH: u32 = 16;

impl Kinds {
    fn kind(&self, n: Number) -> &Kind {
        self.types.get(n).unwrap_or(&Kind::Unknown)
    }

    /// Adds what callees give that only another table knows of: without optimisation GCC tells nothing of functions of other
    /// files.
    #[must_use]
    pub fn with_results_of(mut self, other: Kinds) -> Kinds {
        let more: Vec<(String, Number)> =
            other.results.into_iter().filter(|(name, _)| self.result(name).is_none()).collect();
        let first = self.types.len();
        let moved = |kind: Kind| match kind {
            Kind::Pointer(to) => Kind::Pointer(first + to),
            Kind::Array(of, bytes) => Kind::Array(first + of, bytes),
            Kind::Members(name, bytes, parts) => {
                let parts = parts.into_iter().map(|(at, of)| (at, first + of));
                Kind::Members(name, bytes, parts.collect())
            }
            Kind::Unknown
            | Kind::Character
            | Kind::Truth
            | Kind::Integer(_)
            | Kind::LongLong(_)
            | Kind::Float(_) => kind,
        };
        if !more.is_empty() {
            self.types.extend(other.types.into_iter().map(moved));
            self.results.extend(more.into_iter().map(|(name, n)| (name, first + n)));
        }
        self
    }

    /// What a pointer leads to.
    #[must_use]
    pub fn pointee(&self, n: Number) -> Option<Number> {
        match self.kind(n) {
            Kind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The type that a callee gives.
    #[must_use]
    pub fn result(&self, callee: &str) -> Option<Number> {
        self.results.iter().find(|(known, _)| known == plain(callee)).map(|(_, n)| *n)
    }

    /// Whether nothing is told of a type: it is declared, and defined elsewhere.
    #[must_use]
    pub fn is_unknown(&self, n: Number) -> bool {
        matches!(self.kind(n), Kind::Unknown)
    }

    /// Whether a type is a character's.
    #[must_use]
    pub fn is_character(&self, n: Number) -> bool {
        matches!(self.kind(n), Kind::Character)
    }

    /// Whether a truth value lies so far from a pointer to a type.
    #[must_use]
    pub fn is_truth(&self, n: Number, offset: i64) -> bool {
        self.at(n, offset).is_some_and(|part| matches!(self.kind(part), Kind::Truth))
    }

    fn bytes(&self, n: Number) -> Option<u64> {
        match self.kind(n) {
            Kind::Unknown => None,
            Kind::Character | Kind::Truth => Some(1),
            Kind::Integer(bytes)
            | Kind::LongLong(bytes)
            | Kind::Float(bytes)
            | Kind::Array(_, bytes)
            | Kind::Members(_, bytes, _) => Some(*bytes),
            Kind::Pointer(_) => Some(8),
        }
    }

    /// The type that lies so far from a pointer to one, among others of its kind; where there are several, one with the
    /// length of a pointer is meant.
    #[must_use]
    pub fn at(&self, n: Number, offset: i64) -> Option<Number> {
        self.part(n, self.within(n, offset)?, 0)
    }

    /// A place in an element, where a pointer leads to one of several.
    fn within(&self, n: Number, offset: i64) -> Option<u64> {
        let bytes = self.bytes(n).filter(|bytes| *bytes > 0)?;
        let flexible = match self.kind(n) {
            Kind::Members(_, _, parts) => parts
                .iter()
                .max_by_key(|(at, _)| *at)
                .is_some_and(|(_, last)| matches!(self.kind(*last), Kind::Array(..))),
            _ => false,
        };
        // Behind the end of a structure its last member may go on.
        if flexible && !(0..bytes as i64).contains(&offset) {
            return None;
        }
        Some(offset.rem_euclid(bytes as i64) as u64)
    }

    fn part(&self, n: Number, offset: u64, depth: u32) -> Option<Number> {
        match self.kind(n) {
            _ if depth > DEPTH => None,
            Kind::Array(of, _) => {
                let bytes = self.bytes(*of).filter(|bytes| *bytes > 0)?;
                self.part(*of, offset % bytes, depth + 1)
            }
            Kind::Members(_, _, parts) => {
                let holds = |(at, of): &&(u64, Number)| {
                    self.bytes(*of).is_some_and(|bytes| (*at..*at + bytes).contains(&offset))
                };
                let mut found =
                    parts.iter().filter(holds).map(|(at, of)| self.part(*of, offset - at, depth + 1));
                let all: Vec<Number> = found.by_ref().flatten().collect();
                let pointer = all.iter().find(|n| matches!(self.kind(**n), Kind::Pointer(_)));
                pointer.or(all.first()).copied()
            }
            _ => (offset == 0).then_some(n),
        }
    }

    /// The structure that lies so far from a pointer to its type, among others of its kind: where it begins, from the pointer, and
    /// its bytes.
    #[must_use]
    pub fn whole(&self, n: Number, offset: i64) -> Option<(i64, u64)> {
        let Kind::Members(_, bytes, _) = self.kind(n) else { return None };
        Some((offset - self.within(n, offset)? as i64, *bytes))
    }

    /// Whether a type is another, or has it, or what is not known, or a row of characters, anywhere.
    fn has_anywhere(&self, a: Number, b: Number, depth: u32) -> bool {
        if depth > DEPTH || self.same(a, b, 0) {
            return true;
        }
        match self.kind(a) {
            Kind::Unknown => true,
            Kind::Array(of, _) => {
                matches!(self.kind(*of), Kind::Character) || self.has_anywhere(*of, b, depth + 1)
            }
            Kind::Members(_, _, parts) => parts.iter().any(|(_, of)| self.has_anywhere(*of, b, depth + 1)),
            _ => false,
        }
    }

    /// Whether a type is a structure or union of which all parts are known, none of them a row of characters, and the last no
    /// row: nothing but what its parts say lies in it, and nothing behind it.
    fn is_closed(&self, n: Number, depth: u32) -> bool {
        let known = |of: Number| match self.kind(of) {
            Kind::Unknown => false,
            Kind::Array(of, _) => match self.kind(*of) {
                Kind::Character | Kind::Unknown | Kind::Array(..) => false,
                Kind::Members(..) => self.is_closed(*of, depth + 1),
                _ => true,
            },
            Kind::Members(..) => self.is_closed(of, depth + 1),
            _ => true,
        };
        match self.kind(n) {
            Kind::Members(_, bytes, parts) => {
                let last = parts.iter().max_by_key(|(at, _)| *at);
                let row = last.is_some_and(|(_, of)| matches!(self.kind(*of), Kind::Array(..)));
                depth <= DEPTH
                    && *bytes > 0
                    && last.is_some()
                    && !row
                    && parts.iter().all(|(_, of)| known(*of))
            }
            _ => false,
        }
    }

    /// Whether a number or pointer of so many bytes lies so far from the start of a type.
    fn has_scalar(&self, n: Number, (at, bytes): (u64, u64), depth: u32) -> bool {
        match self.kind(n) {
            _ if depth > DEPTH => false,
            Kind::Array(of, _) => self
                .bytes(*of)
                .and_then(|each| at.checked_rem(each))
                .is_some_and(|at| self.has_scalar(*of, (at, bytes), depth + 1)),
            Kind::Members(_, _, parts) => parts
                .iter()
                .any(|(start, of)| *start <= at && self.has_scalar(*of, (at - start, bytes), depth + 1)),
            _ => at == 0 && self.bytes(n) == Some(bytes),
        }
    }

    /// Whether a type is a structure or union with a name. Two without one may be the same.
    fn is_named(&self, n: Number) -> bool {
        matches!(self.kind(n), Kind::Members(name, ..) if !name.is_empty())
    }

    /// Whether all parts of a structure are the first ones of another.
    fn begins_as(&self, a: Number, b: Number) -> bool {
        let (Kind::Members(_, _, short), Kind::Members(_, _, long)) = (self.kind(a), self.kind(b)) else {
            return false;
        };
        let alike =
            |((x, of), (y, other)): (&(u64, Number), &(u64, Number))| x == y && self.same(*of, *other, 0);
        short.len() <= long.len() && short.iter().zip(long).all(alike)
    }

    /// Whether two types are one.
    #[must_use]
    pub fn alike(&self, a: Number, b: Number) -> bool {
        self.same(a, b, 0)
    }

    /// Whether objects of two types may share their places where pointers to them lead to these addresses: either is a
    /// character, or lies in the other at that place. Of what is not known nothing is permitted.
    #[must_use]
    pub fn may_share(&self, (a, at): (Option<Number>, u64), (b, there): (Option<Number>, u64)) -> bool {
        if self.any {
            return true;
        }
        let (Some(a), Some(b)) = (a, b) else { return false };
        if [a, b].into_iter().any(|n| matches!(self.kind(n), Kind::Character)) {
            return true;
        }
        let apart = there.wrapping_sub(at) as i64;
        self.holds(a, apart, b) || self.holds(b, apart.wrapping_neg(), a)
    }

    /// Whether an object of a type has one of another so far from its start.
    fn holds(&self, a: Number, offset: i64, b: Number) -> bool {
        self.within(a, offset).is_some_and(|offset| self.has_at(a, offset, b, 0))
    }

    fn has_at(&self, a: Number, offset: u64, b: Number, depth: u32) -> bool {
        if offset == 0 && self.same(a, b, 0) {
            return true;
        }
        match self.kind(a) {
            _ if depth > DEPTH => false,
            Kind::Array(of, _) => {
                let bytes = self.bytes(*of).filter(|bytes| *bytes > 0);
                bytes.is_some_and(|bytes| self.has_at(*of, offset % bytes, b, depth + 1))
            }
            Kind::Members(_, _, parts) => parts.iter().any(|(at, of)| {
                let inside = offset >= *at && self.bytes(*of).is_some_and(|bytes| offset < at + bytes);
                inside && self.has_at(*of, offset - at, b, depth + 1)
            }),
            _ => false,
        }
    }

    /// The numbers, characters and pointers of an object that share one of these bytes.
    fn leaves(
        &self,
        (n, member): (Number, bool),
        start: u64,
        bytes: &Range<u64>,
        depth: u32,
        out: &mut Vec<Leaf>,
    ) {
        let meets = |from: u64, length: u64| from < bytes.end && bytes.start < from + length;
        match self.kind(n) {
            _ if depth > DEPTH => out.push(Leaf { start, of: None, member }),
            Kind::Unknown => out.push(Leaf { start, of: None, member }),
            Kind::Array(of, all) => match self.bytes(*of).filter(|each| *each > 0) {
                Some(each) => {
                    let first = bytes.start.saturating_sub(start) / each;
                    let elements = (first..*all / each).map(|k| start + k * each);
                    elements
                        .take_while(|at| *at < bytes.end)
                        .for_each(|at| self.leaves((*of, false), at, bytes, depth + 1, out));
                }
                None => out.push(Leaf { start, of: None, member }),
            },
            Kind::Members(_, _, parts) => {
                for (at, of) in parts {
                    if self.bytes(*of).is_none_or(|length| meets(start + at, length)) {
                        self.leaves((*of, true), start + at, bytes, depth + 1, out);
                    }
                }
            }
            Kind::Character
            | Kind::Truth
            | Kind::Integer(_)
            | Kind::LongLong(_)
            | Kind::Float(_)
            | Kind::Pointer(_) => out.push(Leaf { start, of: Some(n), member }),
        }
    }

    /// The same of a part that lies in its object.
    fn leaves_of(&self, part: Part) -> Vec<Leaf> {
        let mut out = Vec::new();
        match u64::try_from(part.at).ok().filter(|_| self.has(part.of, part.at, part.bytes)) {
            Some(at) => self.leaves((part.of, false), 0, &(at..at + part.bytes), 0, &mut out),
            None => out.push(Leaf { start: 0, of: None, member: false }),
        }
        // A character that shares its place with something longer in a union is not what so many bytes are.
        let character = |leaf: &Leaf| leaf.of.is_some_and(|n| self.is_character(n));
        let first = |leaf: &Leaf| i64::try_from(leaf.start) == Ok(part.at);
        let exact = |leaf: &Leaf| first(leaf) && leaf.of.and_then(|n| self.bytes(n)) == Some(part.bytes);
        if out.iter().any(|leaf| !character(leaf) && exact(leaf)) {
            out.retain(|leaf| !character(leaf) || !first(leaf));
        }
        out
    }

    /// Whether an object of a type may lie in an object and share one of these bytes: as a member, or in a row of characters, or
    /// in what is not known.
    fn lies_in(&self, inner: Number, part: Part) -> bool {
        match u64::try_from(part.at).ok().filter(|_| self.has(part.of, part.at, part.bytes)) {
            Some(at) => self.may_be_in(inner, part.of, (at, at + part.bytes), 0),
            None => true,
        }
    }

    fn may_be_in(&self, inner: Number, outer: Number, (first, end): (u64, u64), depth: u32) -> bool {
        let inside = |n: Number, range: (u64, u64)| {
            depth > DEPTH || self.same(n, inner, 0) || self.may_be_in(inner, n, range, depth + 1)
        };
        match self.kind(outer) {
            Kind::Unknown => true,
            Kind::Array(of, _) => match self.bytes(*of).filter(|each| *each > 0) {
                None => true,
                Some(_) if self.is_character(*of) => true,
                Some(each) if first / each == (end - 1) / each => {
                    inside(*of, (first % each, first % each + (end - first)))
                }
                Some(each) => inside(*of, (0, each)),
            },
            Kind::Members(_, _, parts) => parts.iter().any(|(at, of)| match self.bytes(*of) {
                None => true,
                Some(length) => {
                    let (first, end) = (first.max(*at), end.min(at + length));
                    first < end && inside(*of, (first - at, end - at))
                }
            }),
            Kind::Character
            | Kind::Truth
            | Kind::Integer(_)
            | Kind::LongLong(_)
            | Kind::Float(_)
            | Kind::Pointer(_) => false,
        }
    }

    /// Whether two numbers or pointers may be of one type. Pointers are all one here: some programs and all compilers have
    /// `void *` in the place of others.
    fn exchanged(&self, a: Number, b: Number) -> bool {
        let pointer = |n: Number| matches!(self.kind(n), Kind::Pointer(_));
        self.same(a, b, 0) || pointer(a) && pointer(b)
    }

    fn same(&self, a: Number, b: Number, depth: u32) -> bool {
        a == b && !matches!(self.kind(a), Kind::Unknown)
            || match (self.kind(a), self.kind(b)) {
                (Kind::Members(x, m, _), Kind::Members(y, n, _)) => !x.is_empty() && x == y && m == n,
                (Kind::Integer(x), Kind::Integer(y))
                | (Kind::LongLong(x), Kind::LongLong(y))
                | (Kind::Float(x), Kind::Float(y)) => x == y,
                (Kind::Pointer(x), Kind::Pointer(y)) => depth > DEPTH || self.same(*x, *y, depth + 1),
                (Kind::Array(x, m), Kind::Array(y, n)) => m == n && self.same(*x, *y, depth + 1),
                (Kind::Character, Kind::Character) | (Kind::Truth, Kind::Truth) => true,
                _ => false,
            }
    }
}

impl Pointees for Kinds {
    fn argument(&self, register: usize) -> Option<Number> {
        let found = self.arguments.iter().find(|(known, _)| *known == register)?;
        self.pointee(found.1)
    }

    fn inside(&self, of: Number, at: i64) -> Option<Number> {
        self.has(of, at, 8).then(|| self.pointee(self.at(of, at)?)).flatten()
    }

    fn given(&self, callee: &str) -> Option<Number> {
        self.pointee(self.result(callee)?)
    }

    fn has(&self, of: Number, at: i64, bytes: u64) -> bool {
        let end = u64::try_from(at).ok().and_then(|at| at.checked_add(bytes));
        end.zip(self.bytes(of)).is_some_and(|(end, all)| end <= all)
    }

    /// Neither is a character, or has the other in it, or begins as the other does, as structures do that are used in the
    /// place of one another.
    fn apart(&self, a: Number, b: Number) -> bool {
        let plain = |n: Number| !matches!(self.kind(n), Kind::Character | Kind::Unknown);
        !self.any
            && plain(a)
            && plain(b)
            && !self.has_anywhere(a, b, 0)
            && !self.has_anywhere(b, a, 0)
            && !self.begins_as(a, b)
            && !self.begins_as(b, a)
    }

    /// Of a structure or union of which all is known, and which nothing else has in it: what such a pointer is moved to by its
    /// length, or several, is another one, and no member of something longer.
    fn element(&self, of: Number, at: i64, bytes: u64) -> Option<i64> {
        let Kind::Members(name, size, _) = self.kind(of) else { return None };
        let inside = at.checked_rem_euclid(i64::try_from(*size).ok()?)?;
        let alone = !self.any && !name.is_empty() && !self.parts.contains(name) && self.is_closed(of, 0);
        (alone && self.has_scalar(of, (inside as u64, bytes), 0)).then_some(inside)
    }

    /// Both are structures or unions of which all is known, and no distance at which these bytes meet is one at which an
    /// object of either type is a part of an object of the other one.
    ///
    /// Why that is so in C: each pointer leads to an object of its type while it is used (6.5p7). Two objects that share a
    /// byte are the same, or one is a part of the other; so the distance is one at which types have each other, as
    /// [`Kinds::may_share`] tells. Left out is what programs have lie in the place of another type nonetheless: what
    /// begins as the other does, rows of characters, and what goes on behind its end.
    fn apart_at(&self, one: Part, other: Part) -> bool {
        let (a, b) = (one.of, other.of);
        let begins = !self.same(a, b, 0) && (self.begins_as(a, b) || self.begins_as(b, a));
        let told = a == b || self.is_named(a) && self.is_named(b);
        if self.any || begins || !told || ![a, b].into_iter().all(|n| self.is_closed(n, 0)) {
            return false;
        }
        if !self.has_anywhere(a, b, 0) && !self.has_anywhere(b, a, 0) {
            return false;
        }
        // From the start of the one to that of the other, where the first byte of these is the last of those, and so on.
        let meet = one.at - other.at;
        let mut apart = (1 - other.bytes as i64)..one.bytes as i64;
        apart.all(|by| !self.may_share((Some(a), 0), (Some(b), (meet + by) as u64)))
    }

    /// Both have names, neither begins as the other does, and neither type is that of a member of the other that has one of
    /// these bytes; nor do they lie in a row of characters, or in what is not known.
    fn apart_inside(&self, one: Part, other: Part) -> bool {
        let (a, b) = (one.of, other.of);
        !self.any
            && self.is_named(a)
            && self.is_named(b)
            && !self.same(a, b, 0)
            && !self.begins_as(a, b)
            && !self.begins_as(b, a)
            && !self.lies_in(b, one)
            && !self.lies_in(a, other)
    }

    /// What lies there in the object is known, and neither of that type nor a row of characters. (A character that is a member by
    /// itself is none of a number's bytes: it is accessed as a part of its structure, which GCC holds apart from the number.)
    fn row_apart(&self, number: Number, bytes: u64, other: Part) -> bool {
        let itself = Leaf { start: 0, of: Some(number), member: false };
        let alone = self.leaves_of(Part { of: number, at: 0, bytes: 1 }) == [itself];
        let plain = alone && !self.is_character(number);
        let whole = self.bytes(number).and_then(|each| bytes.checked_rem(each)) == Some(0);
        let holds = |leaf: &Leaf| {
            leaf.of.is_none_or(|n| self.is_character(n) && !leaf.member || self.exchanged(n, number))
        };
        !self.any && plain && whole && !self.leaves_of(other).iter().any(holds)
    }

    /// One is a single number, and what lies in the place of the other is known: where it is of that type, just that long. (What
    /// is of another type shares no byte.)
    fn same_or_apart(&self, one: Part, other: Part) -> bool {
        let fits = |one: Part, other: Part| {
            let exact = |part: Part, start: u64, n: Number| {
                i64::try_from(start) == Ok(part.at) && self.bytes(n) == Some(part.bytes)
            };
            let number = match self.leaves_of(one)[..] {
                [Leaf { start, of: Some(n), .. }] if exact(one, start, n) && !self.is_character(n) => n,
                _ => return false,
            };
            let fits = |leaf: Leaf| {
                leaf.of.is_some_and(|n| match self.exchanged(n, number) {
                    true => exact(other, leaf.start, n),
                    false => !self.is_character(n),
                })
            };
            self.leaves_of(other).into_iter().all(fits)
        };
        !self.any && one.bytes == other.bytes && (fits(one, other) || fits(other, one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `int`, `float`, `struct s { int a; float b; int c[3]; }`, `struct t { struct s *to; struct s in; }`, a character,
    /// what is not known, `long`, `long long`.
    fn kinds() -> Kinds {
        let types = vec![
            Kind::Integer(4),
            Kind::Float(4),
            Kind::Array(0, 12),
            Kind::Members("s".to_owned(), 20, vec![(0, 0), (4, 1), (8, 2)]),
            Kind::Pointer(3),
            Kind::Members("t".to_owned(), 32, vec![(0, 4), (8, 3)]),
            Kind::Character,
            Kind::Unknown,
            Kind::Integer(8),
            Kind::LongLong(8),
        ];
        Kinds { types, ..Kinds::default() }
    }

    #[test]
    fn parts_are_found_at_their_places() {
        let k = kinds();
        assert_eq!(k.at(3, 0), Some(0));
        assert_eq!(k.at(3, 4), Some(1));
        assert_eq!(k.at(3, 16), Some(0));
        assert_eq!(k.at(5, 0).and_then(|n| k.pointee(n)), Some(3));
        assert_eq!(k.at(5, 12), Some(1));
        // One of several, and what its last member may reach.
        assert_eq!(k.at(5, 32 + 12), Some(1));
        assert_eq!(k.at(3, 20), None);
        assert_eq!((k.whole(5, 40), k.whole(5, -8), k.whole(0, 0)), (Some((32, 32)), Some((-32, 32)), None));
    }

    #[test]
    fn objects_share_places_where_one_is_a_part_of_the_other() {
        let k = kinds();
        let share = |a, b, apart: u64| {
            let both = k.may_share((Some(a), 0x1000), (Some(b), 0x1000 + apart));
            assert_eq!(both, k.may_share((Some(b), 0x1000 + apart), (Some(a), 0x1000)));
            both
        };
        assert!(share(0, 0, 0) && share(0, 0, 4) && !share(0, 0, 2));
        assert!(!share(0, 1, 0));
        assert!(share(3, 0, 0) && !share(3, 0, 4) && share(3, 0, 12) && share(3, 1, 4));
        assert!(share(5, 3, 8) && !share(5, 3, 0));
        assert!(share(6, 5, 3));
        assert!(share(8, 8, 0) && share(9, 9, 0) && !share(8, 9, 0));
        assert!(!share(7, 0, 0) && !k.may_share((None, 0), (Some(0), 0)));
    }

    #[test]
    fn elements_overlap_nowhere_in_part() {
        // `struct v { long n; char tag; }`, `struct h { long m[2]; struct v in; }`.
        let types = vec![
            Kind::Integer(8),
            Kind::Character,
            Kind::Members("v".to_owned(), 16, vec![(0, 0), (8, 1)]),
            Kind::Array(0, 16),
            Kind::Members("h".to_owned(), 32, vec![(0, 3), (16, 2)]),
        ];
        let k = Kinds { types, ..Kinds::default() };
        assert_eq!((k.element(2, -8, 1), k.element(2, 32, 8)), (Some(8), Some(0)));
        assert_eq!((k.element(2, -8, 8), k.element(2, -4, 4)), (None, None));
        let inside = Kinds { parts: BTreeSet::from(["v".to_owned()]), ..k.clone() };
        assert_eq!(inside.element(2, -16, 8), None);
        let part = |of, at, bytes| Part { of, at, bytes };
        assert!(k.apart_at(part(2, 0, 8), part(2, 8, 1)));
        assert!(!k.apart_at(part(2, 0, 8), part(2, 0, 8)));
        assert!(k.apart_at(part(4, 16, 8), part(2, 8, 1)) && !k.apart_at(part(4, 24, 1), part(2, 8, 1)));
        // What lies in a row of characters is told by the place.
        let rows = [Kind::Array(1, 12), Kind::Members("r".to_owned(), 24, vec![(0, 0), (8, 5), (20, 1)])];
        let rows = Kinds { types: [&k.types[..], &rows].concat(), ..k.clone() };
        assert!(rows.apart_inside(part(2, 0, 8), part(6, 0, 8)));
        assert!(rows.apart_inside(part(6, 20, 1), part(2, 8, 1)));
        assert!(!rows.apart_inside(part(2, 0, 8), part(6, 12, 1)));
        assert!(!rows.apart_inside(part(6, 4, 8), part(2, 8, 1)));
        // A character by itself is none of the bytes of a number; one of a row may be.
        assert!(rows.row_apart(0, 8, part(6, 20, 1)) && !rows.row_apart(0, 8, part(6, 12, 1)));
        assert!(!rows.row_apart(0, 8, part(1, 0, 1)));
        // Shorts are no part of a `long`, `long`s may be, and what lies behind a member is not known.
        let types = [&k.types[..], &[Kind::Integer(2)]].concat();
        let k = Kinds { types, ..k };
        assert!(!k.row_apart(1, 8, part(4, 16, 8)) && !k.row_apart(0, 8, part(1, 0, 1)));
        assert!(k.row_apart(5, 2, part(4, 16, 8)) && k.row_apart(5, 16, part(4, 0, 16)));
        assert!(!k.row_apart(0, 8, part(4, 16, 8)) && k.row_apart(5, 2, part(4, 24, 1)));
        assert!(!k.row_apart(5, 3, part(4, 16, 8)) && !k.row_apart(5, 2, part(4, 32, 8)));
        // The same `long`, or another one; none of the characters beside it.
        assert!(
            k.same_or_apart(part(2, 0, 8), part(4, 8, 8)) && k.same_or_apart(part(0, 0, 8), part(4, 16, 8))
        );
        assert!(
            !k.same_or_apart(part(2, 0, 8), part(4, 4, 8)) && !k.same_or_apart(part(2, 8, 1), part(4, 24, 1))
        );
        assert!(!k.same_or_apart(part(5, 0, 2), part(2, 0, 8)));
        let any = Kinds { any: true, ..k };
        assert!(!any.same_or_apart(part(2, 0, 8), part(4, 8, 8)));
        assert!(!any.apart_at(part(2, 0, 8), part(2, 8, 1)) && !any.row_apart(5, 2, part(4, 16, 8)));
    }

    #[test]
    fn what_callees_give_is_taken_from_a_table_that_knows() {
        let more = Kinds { results: vec![("g".to_owned(), 4)], ..kinds() };
        let both = Kinds { types: vec![Kind::Character], ..Kinds::default() }.with_results_of(more);
        assert_eq!(both.result("g").and_then(|n| both.pointee(n)), Some(4));
        assert_eq!(both.at(4, 4).map(|n| both.kind(n)), Some(&Kind::Float(4)));
    }
}
