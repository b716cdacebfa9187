//! The accesses to volatile objects that a program makes, recorded where they are asked for: what a compiled program is
//! held to (Csmith's thesis, sections 3.2.2 and 6.1).
//!
//! What an access is, is implementation-defined (6.7.3p7), so only what leaves no room is recorded: scalars of 1, 2, 4
//! or 8 bytes that are declared volatile, in objects with static storage and a name at file scope, each as a place of
//! its own. Left out are objects with bit-fields, unions or atomics (a neighbour may be read with them), members that are
//! not aligned, initialisation, and objects that are copied whole, which may be done in pieces of any size.

use crate::bytecode::Access as Typed;
use crate::class::{Scalar, scalar_of};
use crate::mem::Ptr;
use crate::{Options, Run, Runs, Verdict, runs, vm};
use csyntax::ast::Quals;
use csyntax::tree::{Linkage, Storage, Unit};
use csyntax::types::{QTy, TyKind, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use vm::Vm;

/// Accesses recorded in one run; a program with more is not compared.
const MOST: usize = 1 << 20;

/// One access to a place.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    /// The place is read.
    Read,
    /// This is written: the bytes as an unsigned number, or of a pointer whether it is not null.
    Write(u64),
}

/// A volatile scalar, with what is done to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The object's name.
    pub object: String,
    /// Bytes of the object.
    pub object_size: u64,
    /// Where in the object it is, in bytes.
    pub offset: u64,
    /// Its size: 1, 2, 4 or 8 bytes.
    pub size: u8,
    /// Is it a pointer? What is written is then known only as null or not.
    pub pointer: bool,
    /// What is done to it, in order.
    pub accesses: Vec<Access>,
    /// Does C fix the order? Otherwise only how often it is read and what is written count.
    pub ordered: bool,
}

/// The volatile places that a program uses, in the order of their first use. Empty where the program is not defined, has
/// none, or uses them too often. Places for which it depends on an order that C leaves open what is done are left out.
pub fn places(unit: &Unit, options: &Options) -> Vec<Place> {
    let options = Options { volatile: true, ..options.clone() };
    let Runs { run, moved, mirrored } = runs(unit, &options);
    let ordered = run.reordered.is_empty();
    let others: Vec<Run> = moved.into_iter().chain(mirrored).collect();
    let defined = |run: &Run| matches!(run.verdict, Verdict::Defined(_));
    if !defined(&run) || !others.iter().all(defined) {
        return Vec::new();
    }
    let mut places = run.volatile;
    let key = |place: &Place| (place.object.clone(), place.offset, place.size);
    let maps: Vec<FxHashMap<_, &Place>> =
        others.iter().map(|run| run.volatile.iter().map(|place| (key(place), place)).collect()).collect();
    let counts = |place: &Place| {
        let mut accesses = place.accesses.clone();
        accesses.sort_unstable();
        accesses
    };
    places.retain(|place| {
        maps.iter().all(|map| map.get(&key(place)).is_some_and(|other| counts(other) == counts(place)))
    });
    for place in &mut places {
        place.ordered = ordered;
    }
    places
}

/// What a run notes of volatile places.
#[derive(Default)]
pub struct Recorder {
    /// Index of a place, by object, offset and size; `None` for what is not compared.
    known: FxHashMap<(u32, u64, u64), Option<usize>>,
    places: Vec<(u32, Place)>,
    /// Objects that were copied whole.
    copied: FxHashSet<u32>,
    count: usize,
}

impl Recorder {
    /// What was recorded.
    pub fn finish(self) -> Vec<Place> {
        if self.count > MOST {
            return Vec::new();
        }
        let Recorder { places, copied, .. } = self;
        places.into_iter().filter(|(object, _)| !copied.contains(object)).map(|(_, place)| place).collect()
    }
}

impl Vm<'_> {
    /// Notes an access through a volatile lvalue.
    #[cold]
    pub fn record_volatile(&mut self, ptr: Ptr, size: u64, write: Option<u64>, access: &Typed) {
        let rec = self.mem.object(ptr.prov).copied();
        let Some(recorder) = self.recorder.as_deref_mut().filter(|_| !access.initial) else { return };
        let Some((object, base)) = rec.and_then(|rec| Some((rec.tag.checked_sub(1)?, rec.base))) else {
            return;
        };
        recorder.count += 1;
        if recorder.count > MOST {
            return;
        }
        let offset = ptr.addr.wrapping_sub(base);
        let places = &mut recorder.places;
        let index = *recorder.known.entry((object, offset, size)).or_insert_with(|| {
            let place = place(self.unit, object, offset, size)?;
            places.push((object, place));
            Some(places.len() - 1)
        });
        let Some((_, place)) = index.and_then(|index| places.get_mut(index)) else { return };
        place.accesses.push(match write {
            None => Access::Read,
            Some(value) if place.pointer => Access::Write(u64::from(value != 0)),
            Some(value) => Access::Write(low_bytes(value, place.size)),
        });
    }

    /// Notes that a record is copied as a whole.
    pub fn record_copy(&mut self, ptr: Ptr) {
        if self.recorder.is_none() {
            return;
        }
        let tag = self.mem.object(ptr.prov).and_then(|rec| rec.tag.checked_sub(1));
        if let (Some(recorder), Some(object)) = (&mut self.recorder, tag) {
            recorder.copied.insert(object);
        }
    }
}

/// The lowest bytes of a number.
pub fn low_bytes(value: u64, size: u8) -> u64 {
    if size >= 8 { value } else { value & ((1 << (8 * u32::from(size))) - 1) }
}

/// The volatile scalar at an offset of an object, if it is one that can be compared.
fn place(unit: &Unit, object: u32, offset: u64, size: u64) -> Option<Place> {
    let object = unit.objects.get(object as usize)?;
    let whole = unit.types.layout(object.ty.ty)?.size;
    let named = object.storage == Storage::Static && object.linkage != Linkage::None && object.defined;
    if !named || object.alias.is_some() || object.extra > 0 || !is_plain(&unit.types, object.ty) {
        return None;
    }
    let scalar = volatile_at(&unit.types, object.ty, offset, size)?;
    let size = u8::try_from(size).ok().filter(|size| [1, 2, 4, 8].contains(size))?;
    let aligned = offset.is_multiple_of(size.into()) && object.align >= u64::from(size);
    aligned.then(|| Place {
        object: object.name.map(|name| unit.names.name(name).to_string()).unwrap_or_default(),
        object_size: whole,
        offset,
        size,
        pointer: scalar == Scalar::Ptr,
        accesses: Vec::new(),
        ordered: true,
    })
}

/// Has a type neither bit-fields nor unions nor atomics in it, nor a `_BitInt`, whose padding bits are anybody's?
fn is_plain(types: &Types, ty: QTy) -> bool {
    if ty.quals.has(Quals::ATOMIC) {
        return false;
    }
    match types.kind(ty.ty) {
        TyKind::Array(elem, _) => is_plain(types, *elem),
        TyKind::Record(id) => {
            let record = &types.records[id.0 as usize];
            let plain = |field: &csyntax::types::Field| field.bits.is_none() && is_plain(types, field.ty);
            !record.is_union && record.fields.iter().flatten().all(plain)
        }
        TyKind::Vector(..) | TyKind::Complex(_) => false,
        TyKind::Int(kind) => kind.bit_precise().is_none(),
        TyKind::Void
        | TyKind::Float(_)
        | TyKind::Enum(_)
        | TyKind::Pointer(_)
        | TyKind::Function(_)
        | TyKind::VaList => true,
    }
}

/// The scalar of this size that lies at this offset of a type and is declared volatile, itself or with what it is in.
fn volatile_at(types: &Types, ty: QTy, offset: u64, size: u64) -> Option<Scalar> {
    let (mut ty, mut offset, mut volatile) = (ty, offset, false);
    loop {
        volatile |= ty.quals.has(Quals::VOLATILE);
        if let Some(scalar) = scalar_of(types, ty.ty) {
            let whole = offset == 0 && types.layout(ty.ty)?.size == size;
            return (whole && volatile).then_some(scalar);
        }
        match types.kind(ty.ty) {
            TyKind::Array(elem, _) => {
                offset = offset.checked_rem(types.layout(elem.ty)?.size)?;
                ty = *elem;
            }
            TyKind::Record(id) => {
                let fields = types.records[id.0 as usize].fields.iter().flatten();
                let inside = |field: &&csyntax::types::Field| {
                    let size = types.layout(field.ty.ty).map_or(0, |layout| layout.size);
                    field.offset <= offset && offset - field.offset < size
                };
                let field = fields.into_iter().find(inside)?;
                offset -= field.offset;
                ty = field.ty;
            }
            TyKind::Vector(..)
            | TyKind::Complex(_)
            | TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Enum(_)
            | TyKind::Pointer(_)
            | TyKind::Function(_)
            | TyKind::VaList => return None,
        }
    }
}
