//! The data layout string, and sizes, alignments and field offsets under it.

use super::types::{Type, TypeId, Types};
use rustc_hash::FxHashMap;

/// What a module's `target datalayout` says, with LLVM's defaults for the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataLayout {
    /// The text as written.
    pub text: String,
    /// Little-endian.
    pub little_endian: bool,
    /// Pointers: address space, bits, ABI alignment in bits, index bits.
    pub pointers: Vec<(u32, u32, u32, u32)>,
    ints: Vec<(u32, u32)>,
    floats: Vec<(u32, u32)>,
    vectors: Vec<(u32, u32)>,
    aggregate: u32,
    /// Address space of stack objects.
    pub alloca_space: u32,
    /// Stack alignment in bits, 0 if not given.
    pub stack_align: u32,
}

impl Default for DataLayout {
    fn default() -> Self {
        Self {
            text: String::new(),
            little_endian: true,
            pointers: vec![(0, 64, 64, 64)],
            ints: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            aggregate: 0,
            alloca_space: 0,
            stack_align: 0,
        }
    }
}

fn set(table: &mut Vec<(u32, u32)>, bits: u32, align: u32) {
    match table.binary_search_by_key(&bits, |e| e.0) {
        Ok(i) => table[i].1 = align,
        Err(i) => table.insert(i, (bits, align)),
    }
}

/// Bounds a walk through types: depth against self-containing structs, steps against sharing that unfolds.
struct Walk {
    depth: u32,
    fuel: u32,
    /// Alignment and size of the fields so far, in bytes.
    known: FxHashMap<TypeId, (u64, u64)>,
}

impl Default for Walk {
    fn default() -> Self {
        Self { depth: 0, fuel: 1 << 20, known: FxHashMap::default() }
    }
}

impl Walk {
    fn enter(&mut self) -> Option<()> {
        self.fuel = self.fuel.checked_sub(1)?;
        self.depth += 1;
        (self.depth < 256).then_some(())
    }
}

impl DataLayout {
    /// Reads a layout string; parts it does not know are left at their defaults.
    pub fn parse(text: &str) -> Self {
        let mut layout = Self { text: text.to_owned(), ..Self::default() };
        for part in text.split('-') {
            layout.part(part);
        }
        layout
    }

    fn part(&mut self, part: &str) {
        let Some(kind) = part.chars().next() else { return };
        let rest = &part[kind.len_utf8()..];
        let numbers: Vec<Option<u32>> = rest.split(':').map(|n| n.parse().ok()).collect();
        let at = |i: usize| numbers.get(i).copied().flatten();
        match kind {
            'e' => self.little_endian = true,
            'E' => self.little_endian = false,
            'p' => {
                let space = at(0).unwrap_or(0);
                if let Some(bits) = at(1) {
                    let abi = at(2).unwrap_or(bits);
                    let index = at(4).unwrap_or(bits);
                    self.pointers.retain(|p| p.0 != space);
                    self.pointers.push((space, bits, abi, index));
                }
            }
            'i' | 'f' | 'v' => {
                if let (Some(bits), Some(abi)) = (at(0), at(1)) {
                    let table = match kind {
                        'i' => &mut self.ints,
                        'f' => &mut self.floats,
                        _ => &mut self.vectors,
                    };
                    set(table, bits, abi);
                }
            }
            'a' => self.aggregate = at(1).unwrap_or(0),
            'A' => self.alloca_space = at(0).unwrap_or(0),
            'S' => self.stack_align = at(0).unwrap_or(0),
            _ => {}
        }
    }

    /// Bits of a pointer in an address space.
    pub fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer(space).1
    }

    /// Bits of a pointer's index arithmetic in an address space.
    pub fn index_bits(&self, space: u32) -> u32 {
        self.pointer(space).3
    }

    fn pointer(&self, space: u32) -> (u32, u32, u32, u32) {
        let find = |s: u32| self.pointers.iter().find(|p| p.0 == s).copied();
        find(space).or_else(|| find(0)).unwrap_or((0, 64, 64, 64))
    }

    /// Bits a value of the type has; none for unsized, scalable or absurdly large types.
    pub fn bits(&self, types: &Types, ty: TypeId) -> Option<u64> {
        self.bits_at(types, ty, &mut Walk::default())
    }

    fn bits_at(&self, types: &Types, ty: TypeId, w: &mut Walk) -> Option<u64> {
        w.enter()?;
        let bits = self.bits_inside(types, ty, w);
        w.depth -= 1;
        bits
    }

    fn bits_inside(&self, types: &Types, ty: TypeId, w: &mut Walk) -> Option<u64> {
        match types.resolve(ty) {
            Type::Int(width) => Some(u64::from(*width)),
            Type::Float(k) => Some(u64::from(k.bits())),
            Type::Ptr(space) => Some(u64::from(self.pointer_bits(*space))),
            Type::Array { len, elem } => self.size_at(types, *elem, w)?.checked_mul(*len)?.checked_mul(8),
            Type::Vector { len, elem, scalable } => {
                if *scalable {
                    return None;
                }
                self.bits_at(types, *elem, w)?.checked_mul(*len)
            }
            Type::Struct { fields, packed } => {
                let (_, size, _) = self.fields_at(types, fields, *packed, w)?;
                size.checked_mul(8)
            }
            Type::Other(_) => None,
            Type::Void | Type::Named(_) | Type::Func { .. } | Type::Label | Type::Metadata | Type::Token => {
                None
            }
        }
    }

    /// Bytes that a store of the type writes.
    pub fn store_size(&self, types: &Types, ty: TypeId) -> Option<u64> {
        Some(self.bits(types, ty)?.div_ceil(8))
    }

    /// Bytes from one element of an array of the type to the next.
    pub fn alloc_size(&self, types: &Types, ty: TypeId) -> Option<u64> {
        self.size_at(types, ty, &mut Walk::default())
    }

    fn size_at(&self, types: &Types, ty: TypeId, w: &mut Walk) -> Option<u64> {
        let bytes = self.bits_at(types, ty, w)?.div_ceil(8);
        bytes.checked_next_multiple_of(self.align_at(types, ty, w)?)
    }

    /// ABI alignment in bytes.
    pub fn align(&self, types: &Types, ty: TypeId) -> Option<u64> {
        self.align_at(types, ty, &mut Walk::default())
    }

    fn align_at(&self, types: &Types, ty: TypeId, w: &mut Walk) -> Option<u64> {
        w.enter()?;
        let align = self.align_inside(types, ty, w);
        w.depth -= 1;
        align
    }

    fn align_inside(&self, types: &Types, ty: TypeId, w: &mut Walk) -> Option<u64> {
        let bits = match types.resolve(ty) {
            Type::Int(width) => {
                // The next larger given width, else the largest given.
                let entry = self.ints.iter().find(|e| e.0 >= *width).or(self.ints.last())?;
                u64::from(entry.1)
            }
            Type::Float(k) => match self.floats.iter().find(|e| e.0 == k.bits()) {
                Some(entry) => u64::from(entry.1),
                None => u64::from(k.bits().next_power_of_two()),
            },
            Type::Ptr(space) => u64::from(self.pointer(*space).2),
            Type::Array { elem, .. } => return self.align_at(types, *elem, w),
            Type::Vector { .. } => {
                let bits = self.bits_at(types, ty, w)?;
                match self.vectors.iter().find(|e| u64::from(e.0) == bits) {
                    Some(entry) => u64::from(entry.1),
                    None => bits.div_ceil(8).checked_next_power_of_two()?.checked_mul(8)?,
                }
            }
            Type::Struct { fields, packed } => {
                if *packed {
                    return Some(1);
                }
                let (_, _, align) = self.fields_at(types, fields, false, w)?;
                return Some(align.max(u64::from(self.aggregate) / 8).max(1));
            }
            Type::Void
            | Type::Named(_)
            | Type::Func { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Other(_) => return None,
        };
        Some((bits / 8).max(1))
    }

    /// Field offsets, size and alignment of a struct, in bytes.
    pub fn fields(&self, types: &Types, fields: &[TypeId], packed: bool) -> Option<(Vec<u64>, u64, u64)> {
        self.fields_at(types, fields, packed, &mut Walk::default())
    }

    fn fields_at(
        &self,
        types: &Types,
        fields: &[TypeId],
        packed: bool,
        w: &mut Walk,
    ) -> Option<(Vec<u64>, u64, u64)> {
        let (mut at, mut align) = (0u64, 1u64);
        let mut offsets = Vec::with_capacity(fields.len());
        for &field in fields {
            let (own, size) = match w.known.get(&field) {
                Some(known) => *known,
                None => (self.align_at(types, field, w)?, self.size_at(types, field, w)?),
            };
            w.known.insert(field, (own, size));
            let own = if packed { 1 } else { own };
            align = align.max(own);
            at = at.checked_next_multiple_of(own)?;
            offsets.push(at);
            at = at.checked_add(size)?;
        }
        Some((offsets, at.checked_next_multiple_of(align)?, align))
    }
}
