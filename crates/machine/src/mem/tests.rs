//! Memory by itself, small enough for Miri: typed values, pieces of pointers, copies, lifetimes, unspecified bytes.

use super::{Kind, Memory, Ptr};
use crate::class::{Class, RETYPE};
use crate::stop::{Res, Stop};
use crate::ub::Ub;

const INT: u8 = Class::Int as u8;
const PTR: u8 = Class::Ptr as u8;

fn memory(pointer_bytes: u64, big_endian: bool) -> Memory {
    Memory::new(4096, 1 << 16, 1 << 16, 0x1000_0000, pointer_bytes, big_endian).expect("room")
}

fn ub<T>(result: Res<T>) -> Option<Ub> {
    match result.err().map(|stop| *stop) {
        Some(Stop::Undefined(ub, _)) => Some(ub),
        Some(_) | None => None,
    }
}

fn block(memory: &mut Memory, size: u64) -> (Ptr, usize) {
    let ptr = memory.heap_alloc(size, 16).expect("room").expect("an object");
    let index = memory.access(ptr, size, 1).expect("inside");
    (ptr, index)
}

#[test]
fn values_are_read_as_they_were_written() {
    for (word, big) in [(8, false), (4, false), (8, true), (4, true)] {
        let mut memory = memory(word, big);
        let (_, at) = block(&mut memory, 64);
        assert_eq!(ub(memory.load::<4>(at, INT)), Some(Ub::UninitialisedRead));
        memory.store::<4>(at, INT, 0x8102_0304).expect("a store");
        assert_eq!(memory.load::<4>(at, INT).expect("a value"), 0x8102_0304);
        assert_eq!(ub(memory.load::<4>(at, Class::Float as u8)), Some(Ub::EffectiveType));
        assert_eq!(memory.load_byte(at).expect("a byte"), if big { 0x81 } else { 4 });
        memory.store_byte(at + 3, 9).expect("a byte");
        assert_eq!(memory.load::<4>(at, INT).expect("a value") & 0xff == 9, big);
        memory.store_wide(at + 16, 16, Class::Int128 as u8, 1 << 100).expect("a store");
        assert_eq!(memory.load_wide(at + 16, 16, Class::Int128 as u8).expect("a value"), 1 << 100);
        memory.store_bits(at + 40, 3, 7, 0x55, false).expect("a field");
        assert_eq!(memory.load_bits(at + 40, 3, 7).expect("a field"), 0x55);
    }
}

#[test]
fn pointers_keep_what_they_point_to() {
    for (word, at_odd) in [(8, 0), (8, 3), (4, 0), (4, 1)] {
        let mut memory = memory(word, false);
        let (target, _) = block(&mut memory, 24);
        let (_, from) = block(&mut memory, 64);
        let (_, to) = block(&mut memory, 64);
        memory.store_ptr(from + at_odd, PTR, target.offset(8)).expect("a store");
        assert_eq!(memory.load_ptr(from + at_odd, PTR).expect("a pointer"), target.offset(8));
        for shift in [0, 5, 8, 16] {
            memory.copy(to + shift, from, 32, false).expect("a copy");
            let copied = memory.load_ptr(to + shift + at_odd, PTR).expect("a pointer");
            assert_eq!(copied, target.offset(8), "{word} {at_odd} {shift}");
        }
        memory.copy(from + 8, from, 32, false).expect("a copy onto itself");
        assert_eq!(memory.load_ptr(from + 8 + at_odd, PTR).expect("a pointer"), target.offset(8));
        memory.heap_free(target).expect("freed");
        assert_eq!(ub(memory.access(target, 1, 1)), Some(Ub::DanglingPointer));
        assert_eq!(ub(memory.heap_free(target)), Some(Ub::InvalidFree));
    }
}

#[test]
fn a_byte_of_a_pointer_exposes_its_object() {
    let mut memory = memory(8, false);
    let (target, _) = block(&mut memory, 8);
    let (_, at) = block(&mut memory, 8);
    memory.store_ptr(at, PTR, target).expect("a store");
    assert_eq!(memory.from_int(target.addr).prov, 0);
    memory.load_byte(at + 2).expect("a byte");
    assert_eq!(memory.from_int(target.addr), target);
    assert!(memory.address_seen);
}

#[test]
fn accesses_outside_are_no_accesses() {
    let mut memory = memory(8, false);
    let (ptr, _) = block(&mut memory, 8);
    assert_eq!(ub(memory.access(ptr.offset(1), 8, 1)), Some(Ub::OutOfBounds));
    assert_eq!(ub(memory.access(ptr.offset(1), 4, 4)), Some(Ub::MisalignedConversion));
    assert_eq!(ub(memory.access(Ptr::NULL, 1, 1)), Some(Ub::NullDereference));
    assert_eq!(ub(memory.step(ptr, 9)), Some(Ub::PointerArithmetic));
    assert_eq!(memory.step(ptr, 8).expect("one past"), ptr.offset(8));
    let end = memory.capacity();
    let outside = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| memory.data(end, 1)[0]));
    assert!(outside.is_err(), "safe functions look where they read");
}

#[test]
fn bytes_that_a_union_forgets_are_unspecified() {
    let mut memory = memory(8, false);
    let (_, at) = block(&mut memory, 8);
    memory.store::<4>(at, INT, 7).expect("a store");
    memory.forget(at + 1, 3);
    assert_eq!(memory.load::<4>(at, INT).expect("a value"), 7);
    assert!(memory.unspecified_read);
    memory.turn_unspecified = true;
    memory.forget(at + 1, 3);
    assert_eq!(memory.load::<4>(at, Class::Any as u8).expect("a value"), 0xffff_ff07);
}

#[test]
fn slots_know_their_generations() {
    let mut memory = memory(8, false);
    memory.ensure_slot(9).expect("a slot");
    let index = memory.stack_push(16, 16).expect("room");
    let first = memory.birth(9, index, 16, Kind::Auto, 0);
    memory.fill_shadow(index, 16, RETYPE);
    memory.death(9);
    let second = memory.birth(9, index, 16, Kind::Auto, 0);
    assert!(memory.rec(first).is_none() && memory.rec(second).is_some());
}
