//! What the generator knows of a program's types, variables and abstract locations.
//!
//! Types carry the meaning that C gives the printed text (promotions included), so that the value range of every
//! expression is known while it is built. Every object is a tree of abstract locations (thesis section 4.4.1):
//! field-sensitive, array-member-insensitive, numbered so that a subtree is a range.

use crate::flow::{BlockId, FnIx};
use csyntax::ast::Quals;
use csyntax::intern::Symbol;

/// Integer types; their widths are those of every data model plumb knows.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum IntTy {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl IntTy {
    /// All but `_Bool`.
    pub const ALL: [IntTy; 8] =
        [IntTy::I32, IntTy::U32, IntTy::I16, IntTy::U16, IntTy::I8, IntTy::U8, IntTy::I64, IntTy::U64];

    /// Width of the value.
    pub fn bits(self) -> u32 {
        match self {
            IntTy::Bool => 1,
            IntTy::I8 | IntTy::U8 => 8,
            IntTy::I16 | IntTy::U16 => 16,
            IntTy::I32 | IntTy::U32 => 32,
            IntTy::I64 | IntTy::U64 => 64,
        }
    }

    /// Has it a sign?
    pub fn signed(self) -> bool {
        match self {
            IntTy::I8 | IntTy::I16 | IntTy::I32 | IntTy::I64 => true,
            IntTy::Bool | IntTy::U8 | IntTy::U16 | IntTy::U32 | IntTy::U64 => false,
        }
    }

    /// All values.
    pub fn range(self) -> Range {
        let bits = self.bits();
        if self.signed() {
            Range { lo: -(1i128 << (bits - 1)), hi: (1i128 << (bits - 1)) - 1 }
        } else {
            Range { lo: 0, hi: (1i128 << bits) - 1 }
        }
    }

    /// The type after the integer promotions.
    pub fn promoted(self) -> IntTy {
        if self.bits() < 32 { IntTy::I32 } else { self }
    }

    /// The type of arithmetic between two types (6.3.1.8).
    pub fn arith(self, other: IntTy) -> IntTy {
        let (a, b) = (self.promoted(), other.promoted());
        if a.bits() != b.bits() {
            if a.bits() > b.bits() { a } else { b }
        } else if a.signed() {
            b
        } else {
            a
        }
    }

    /// The unsigned type of the same width.
    pub fn unsigned(self) -> IntTy {
        match self {
            IntTy::Bool => IntTy::Bool,
            IntTy::I8 | IntTy::U8 => IntTy::U8,
            IntTy::I16 | IntTy::U16 => IntTy::U16,
            IntTy::I32 | IntTy::U32 => IntTy::U32,
            IntTy::I64 | IntTy::U64 => IntTy::U64,
        }
    }

    /// The suffix of names that tell the type.
    pub fn short(self) -> &'static str {
        match self {
            IntTy::Bool => "bool",
            IntTy::I8 => "i8",
            IntTy::U8 => "u8",
            IntTy::I16 => "i16",
            IntTy::U16 => "u16",
            IntTy::I32 => "i32",
            IntTy::U32 => "u32",
            IntTy::I64 => "i64",
            IntTy::U64 => "u64",
        }
    }
}

/// A closed interval of mathematical integers that holds every value an expression can have.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// Least.
    pub lo: i128,
    /// Greatest.
    pub hi: i128,
}

impl Range {
    /// One value.
    pub fn one(value: i128) -> Range {
        Range { lo: value, hi: value }
    }

    /// Is every value of `self` one of `other`?
    pub fn within(self, other: Range) -> bool {
        self.lo >= other.lo && self.hi <= other.hi
    }

    /// The smallest interval with the values of both.
    pub fn union(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What becomes of it in a conversion to `to`, which wraps.
    pub fn converted(self, to: IntTy) -> Range {
        if to == IntTy::Bool {
            let lo = i128::from(self.lo > 0 || self.hi < 0);
            return Range { lo, hi: i128::from(self != Range::one(0)) };
        }
        let (all, width) = (to.range(), self.hi - self.lo);
        // The number of values is a power of two.
        let lo = ((self.lo - all.lo) & (all.hi - all.lo)) + all.lo;
        if lo + width <= all.hi { Range { lo, hi: lo + width } } else { all }
    }
}

/// Floating types in use.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatTy {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`, of which only what `double` holds too is used
    Long,
}

impl FloatTy {
    /// Bits of significand: integers up to two to this power are exact.
    pub fn digits(self) -> u32 {
        match self {
            FloatTy::Float => 24,
            FloatTy::Double | FloatTy::Long => 53,
        }
    }
}

/// What a vector consists of.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// Integers.
    Int(IntTy),
    /// Floating values.
    Float(FloatTy),
}

/// Names a type of the program.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyId(pub u32);

/// A type with qualifiers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Qualified {
    /// The type.
    pub ty: TyId,
    /// Its qualifiers.
    pub quals: Quals,
}

/// What a type is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TyDef {
    /// No value (function results only).
    Void,
    /// An integer type.
    Int(IntTy),
    /// A floating type.
    Float(FloatTy),
    /// `__int128`, with or without sign.
    Wide(bool),
    /// A GNU vector: what of, how many.
    Vector(Lane, u8),
    /// A pointer.
    Pointer(Qualified),
    /// A struct or union, by index into [`Model::records`].
    Record(u32),
    /// An enum, by index into [`Model::enums`].
    Enum(u32),
}

/// A member of a record.
#[derive(Copy, Clone, Debug)]
pub struct Field {
    /// Its name; unnamed bit-fields have none.
    pub name: Option<Symbol>,
    /// Its (element) type with qualifiers.
    pub ty: Qualified,
    /// Array dimensions.
    pub dims: Dims,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// Offset of its location in the location tree of the record.
    pub loc: u32,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag.
    pub tag: Symbol,
    /// `union`?
    pub is_union: bool,
    /// Laid out under `#pragma pack(1)`?
    pub packed: bool,
    /// The members.
    pub fields: Vec<Field>,
    /// How many locations an object of this type is made of.
    pub locs: u32,
    /// Scalars in it, arrays counted in full.
    pub scalars: u64,
    /// Depth of nested records.
    pub level: u32,
    /// Is some member, however deep, `const` (so that the whole cannot be assigned)?
    pub has_const: bool,
    /// Is some member, however deep, `volatile`?
    pub has_volatile: bool,
    /// Is a pointer or a union in it?
    pub has_facts: bool,
    /// What can be found in it and behind its pointers.
    pub kinds: Kinds,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// The tag.
    pub tag: Symbol,
    /// Enumerators with their values, ascending.
    pub values: Vec<(Symbol, i32)>,
}

impl EnumDef {
    /// The values that objects of the type hold here: 0 and what lies between the enumerators.
    pub fn hull(&self) -> Range {
        let zero = Range::one(0);
        self.values.iter().fold(zero, |hull, (_, value)| hull.union(Range::one((*value).into())))
    }
}

/// Dimensions of an array, none for what is no array.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Dims {
    count: u8,
    of: [u32; Dims::MOST],
}

impl Dims {
    /// No array has more.
    pub const MOST: usize = 6;

    /// Adds one, if there is room.
    pub fn push(&mut self, dim: u32) {
        if let Some(slot) = self.of.get_mut(usize::from(self.count)) {
            *slot = dim;
            self.count += 1;
        }
    }
}

impl std::ops::Deref for Dims {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.of[..usize::from(self.count)]
    }
}

impl FromIterator<u32> for Dims {
    fn from_iter<I: IntoIterator<Item = u32>>(dims: I) -> Dims {
        let mut all = Dims::default();
        dims.into_iter().for_each(|dim| all.push(dim));
        all
    }
}

/// Names a variable.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// Names an abstract location.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc(pub u32);

impl Loc {
    /// Every volatile access writes this, so that two unsequenced ones conflict.
    pub const VOLATILE: Loc = Loc(0);
    /// What a null pointer points to.
    pub const NULL: Loc = Loc(1);
    /// What an uninitialised or dangling pointer points to.
    pub const GARBAGE: Loc = Loc(2);
}

/// No fact is kept for a location.
pub const NO_FACT: u32 = u32::MAX;

/// What a location has from the variable or member around it.
#[derive(Copy, Clone, Default)]
struct Within {
    volatile: bool,
    /// The union it lies in, and which member of it holds it.
    union: Option<(Loc, u32)>,
    /// It is that member, whole.
    whole_member: bool,
}

/// What is known of a location.
#[derive(Copy, Clone, Debug)]
pub struct LocInfo {
    /// The variable it is in.
    pub var: VarId,
    /// Locations of its subtree, itself included.
    pub size: u32,
    /// Does it stand for several elements of an array?
    pub many: bool,
    /// Is an access to it volatile?
    pub volatile: bool,
    /// The slot of its points-to set or, for unions, of the member last stored to.
    pub fact: u32,
    /// The first slot of its subtree, and how many there are.
    pub slots: (u32, u32),
    /// Is it a pointer?
    pub pointer: bool,
    /// The innermost union it is a part of, and the member it is in.
    pub union: Option<(Loc, u32)>,
    /// Is it exactly that member, not a part of it?
    pub whole_member: bool,
}

/// Where a variable lives.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// File scope, or static in a function: alive for the whole run.
    Static,
    /// A block; parameters live in the body of their function.
    Block(BlockId),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: Symbol,
    /// Its (element) type with qualifiers.
    pub ty: Qualified,
    /// Array dimensions.
    pub dims: Dims,
    /// Where it lives.
    pub home: Home,
    /// Its first location.
    pub loc: Loc,
    /// Values it always has where that is less than its type allows.
    pub range: Option<Range>,
    /// May the generator assign to it and take its address? (Loop counters and the like belong to their construct.)
    pub free: bool,
    /// May it be seen by every function (file scope)?
    pub global: bool,
    /// The function it belongs to, if its lifetime ends with a call.
    pub owner: Option<FnIx>,
}

/// Kinds of objects, one bit each.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Kinds(u8);

#[allow(missing_docs)]
impl Kinds {
    pub const NONE: Kinds = Kinds(0);
    pub const INT: Kinds = Kinds(1);
    pub const FLOAT: Kinds = Kinds(2);
    pub const ENUM: Kinds = Kinds(4);
    pub const WIDE: Kinds = Kinds(8);
    pub const VECTOR: Kinds = Kinds(16);
    pub const POINTER: Kinds = Kinds(32);
    pub const RECORD: Kinds = Kinds(64);

    /// Those of both.
    pub fn with(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Has it one of these?
    pub fn any(self, of: Kinds) -> bool {
        self.0 & of.0 != 0
    }
}

/// Types that every program has, in the order of [`IntTy`].
const FIRST: [TyDef; 10] = [
    TyDef::Void,
    TyDef::Int(IntTy::Bool),
    TyDef::Int(IntTy::I8),
    TyDef::Int(IntTy::U8),
    TyDef::Int(IntTy::I16),
    TyDef::Int(IntTy::U16),
    TyDef::Int(IntTy::I32),
    TyDef::Int(IntTy::U32),
    TyDef::Int(IntTy::I64),
    TyDef::Int(IntTy::U64),
];

/// Types, variables, locations.
#[derive(Clone, Debug)]
pub struct Model {
    /// By [`TyId`].
    pub types: Vec<TyDef>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// Enums.
    pub enums: Vec<EnumDef>,
    /// By [`VarId`].
    pub vars: Vec<Var>,
    /// By [`VarId`]: what can be found in a variable and behind its pointers.
    pub reach: Vec<Kinds>,
    /// By [`Loc`].
    pub locs: Vec<LocInfo>,
    /// The value of every fact slot when the lifetime of its variable starts.
    pub initial: Vec<u32>,
    /// The location of every fact slot.
    pub fact_locs: Vec<Loc>,
}

impl Default for Model {
    fn default() -> Model {
        let special = LocInfo {
            var: VarId(0),
            size: 1,
            many: true,
            volatile: false,
            fact: NO_FACT,
            slots: (0, 0),
            pointer: false,
            union: None,
            whole_member: false,
        };
        Model {
            types: FIRST.to_vec(),
            records: Vec::new(),
            enums: Vec::new(),
            vars: Vec::new(),
            reach: Vec::new(),
            locs: vec![special; 3],
            initial: Vec::new(),
            fact_locs: Vec::new(),
        }
    }
}

impl Model {
    /// `void`
    pub const VOID: TyId = TyId(0);

    /// The type of a definition.
    pub fn intern(&mut self, def: TyDef) -> TyId {
        if let TyDef::Int(int) = def {
            return TyId(1 + int as u32);
        }
        match self.types.iter().position(|d| *d == def) {
            Some(known) => TyId(known as u32),
            None => {
                self.types.push(def);
                TyId(self.types.len() as u32 - 1)
            }
        }
    }

    /// What a type is.
    pub fn def(&self, ty: TyId) -> TyDef {
        self.types[ty.0 as usize]
    }

    /// The integer type, if it is one.
    pub fn int(&self, ty: TyId) -> Option<IntTy> {
        match self.def(ty) {
            TyDef::Int(int) => Some(int),
            TyDef::Void | TyDef::Float(_) | TyDef::Pointer(_) | TyDef::Record(_) => None,
            TyDef::Enum(_) | TyDef::Wide(_) | TyDef::Vector(..) => None,
        }
    }

    /// The record, if it is one.
    pub fn record(&self, ty: TyId) -> Option<&Record> {
        match self.def(ty) {
            TyDef::Record(index) => Some(&self.records[index as usize]),
            TyDef::Void | TyDef::Int(_) | TyDef::Float(_) | TyDef::Pointer(_) => None,
            TyDef::Enum(_) | TyDef::Wide(_) | TyDef::Vector(..) => None,
        }
    }

    /// What it points to, if it is a pointer.
    pub fn pointee(&self, ty: TyId) -> Option<Qualified> {
        match self.def(ty) {
            TyDef::Pointer(to) => Some(to),
            TyDef::Void | TyDef::Int(_) | TyDef::Float(_) | TyDef::Record(_) => None,
            TyDef::Enum(_) | TyDef::Wide(_) | TyDef::Vector(..) => None,
        }
    }

    /// Levels of indirection.
    pub fn depth(&self, ty: TyId) -> u32 {
        self.pointee(ty).map_or(0, |to| 1 + self.depth(to.ty))
    }

    /// Locations of one element of a type.
    pub fn loc_count(&self, ty: TyId) -> u32 {
        self.record(ty).map_or(1, |r| r.locs)
    }

    /// Scalars of one element of a type.
    pub fn scalars(&self, ty: TyId) -> u64 {
        match self.def(ty) {
            TyDef::Record(index) => self.records[index as usize].scalars,
            TyDef::Vector(_, count) => count.into(),
            TyDef::Wide(_) => 2,
            TyDef::Void | TyDef::Int(_) | TyDef::Float(_) | TyDef::Pointer(_) | TyDef::Enum(_) => 1,
        }
    }

    /// Does an object of this type hold pointers or unions?
    pub fn has_facts(&self, ty: TyId) -> bool {
        match self.def(ty) {
            TyDef::Pointer(_) => true,
            TyDef::Record(index) => {
                let record = &self.records[index as usize];
                record.has_facts
            }
            TyDef::Void | TyDef::Int(_) | TyDef::Float(_) | TyDef::Enum(_) => false,
            TyDef::Wide(_) | TyDef::Vector(..) => false,
        }
    }

    /// The kind of a type itself.
    pub fn kind(&self, ty: TyId) -> Kinds {
        match self.def(ty) {
            TyDef::Void => Kinds::NONE,
            TyDef::Int(_) => Kinds::INT,
            TyDef::Float(_) => Kinds::FLOAT,
            TyDef::Enum(_) => Kinds::ENUM,
            TyDef::Wide(_) => Kinds::WIDE,
            TyDef::Vector(..) => Kinds::VECTOR,
            TyDef::Pointer(_) => Kinds::POINTER,
            TyDef::Record(_) => Kinds::RECORD,
        }
    }

    /// What can be found in an object of a type and behind its pointers.
    fn kinds(&self, ty: TyId) -> Kinds {
        let here = self.kind(ty);
        match self.def(ty) {
            TyDef::Pointer(to) => here.with(self.kinds(to.ty)),
            TyDef::Record(index) => here.with(self.records[index as usize].kinds),
            TyDef::Void | TyDef::Int(_) | TyDef::Float(_) | TyDef::Enum(_) => here,
            TyDef::Wide(_) | TyDef::Vector(..) => here,
        }
    }

    /// Adds a variable with its locations. Pointers in it start as `pointer` (a points-to set), unions with their
    /// first member stored.
    pub fn add_var(&mut self, mut var: Var, pointer: u32) -> VarId {
        let id = VarId(self.vars.len() as u32);
        var.loc = Loc(self.locs.len() as u32);
        let many = !var.dims.is_empty();
        let ty = var.ty;
        self.vars.push(var);
        let reach = self.kinds(ty.ty);
        self.reach.push(reach);
        self.add_locs(id, ty, many, Within::default(), pointer);
        id
    }

    fn add_locs(&mut self, var: VarId, ty: Qualified, many: bool, within: Within, pointer: u32) {
        let loc = Loc(self.locs.len() as u32);
        let Within { volatile, union, whole_member } = within;
        let volatile = volatile || ty.quals.has(Quals::VOLATILE);
        let fact = match self.def(ty.ty) {
            TyDef::Pointer(_) => Some(pointer),
            TyDef::Record(index) if self.records[index as usize].is_union => Some(0),
            TyDef::Record(_) | TyDef::Void | TyDef::Int(_) | TyDef::Float(_) => None,
            TyDef::Enum(_) | TyDef::Wide(_) | TyDef::Vector(..) => None,
        };
        let slot = match fact {
            Some(value) => {
                self.initial.push(value);
                self.fact_locs.push(loc);
                self.initial.len() as u32 - 1
            }
            None => NO_FACT,
        };
        let first = self.initial.len() as u32 - u32::from(slot != NO_FACT);
        let pointer_here = self.pointee(ty.ty).is_some();
        self.locs.push(LocInfo {
            var,
            size: self.loc_count(ty.ty),
            many,
            volatile,
            fact: slot,
            slots: (first, 0),
            pointer: pointer_here,
            union,
            whole_member,
        });
        if let TyDef::Record(index) = self.def(ty.ty) {
            let is_union = self.records[index as usize].is_union;
            for n in 0..self.records[index as usize].fields.len() {
                let field = &self.records[index as usize].fields[n];
                let (field_ty, array) = (field.ty, !field.dims.is_empty());
                let (union, whole_member) =
                    if is_union { (Some((loc, n as u32)), !array) } else { (union, false) };
                let within = Within { volatile, union, whole_member };
                self.add_locs(var, field_ty, many || array, within, pointer);
            }
        }
        self.locs[loc.0 as usize].slots.1 = self.initial.len() as u32 - first;
    }

    /// What is known of a location.
    pub fn loc(&self, loc: Loc) -> &LocInfo {
        &self.locs[loc.0 as usize]
    }

    /// A variable.
    pub fn var(&self, var: VarId) -> &Var {
        &self.vars[var.0 as usize]
    }

    /// Computes what follows from the members of a new record, and adds it.
    pub fn add_record(&mut self, tag: Symbol, is_union: bool, packed: bool, mut fields: Vec<Field>) -> TyId {
        let (mut locs, mut scalars, mut level) = (1, 0, 0);
        let (mut has_const, mut has_volatile, mut has_facts) = (false, false, is_union);
        let mut kinds = Kinds::NONE;
        for field in &mut fields {
            field.loc = locs;
            locs += self.loc_count(field.ty.ty);
            let count: u64 = field.dims.iter().map(|d| u64::from(*d)).product();
            scalars += count * self.scalars(field.ty.ty);
            has_const |= field.ty.quals.has(Quals::CONST);
            has_volatile |= field.ty.quals.has(Quals::VOLATILE);
            has_facts |= self.has_facts(field.ty.ty);
            kinds = kinds.with(self.kinds(field.ty.ty));
            if let Some(inner) = self.record(field.ty.ty) {
                level = level.max(inner.level + 1);
                has_const |= inner.has_const;
                has_volatile |= inner.has_volatile;
            }
        }
        let record = Record {
            tag,
            is_union,
            packed,
            fields,
            locs,
            scalars,
            level,
            has_const,
            has_volatile,
            has_facts,
            kinds,
        };
        self.records.push(record);
        self.intern(TyDef::Record(self.records.len() as u32 - 1))
    }
}
