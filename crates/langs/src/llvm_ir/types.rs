//! LLVM IR types, interned per module.

use crate::names::Name;
use rustc_hash::FxHashMap;

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub(crate) u32);

/// Floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// Brain float.
    BFloat,
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
    /// x87 80-bit.
    X86Fp80,
    /// IEEE binary128.
    Fp128,
    /// PowerPC double-double.
    PpcFp128,
}

impl FloatKind {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::BFloat => "bfloat",
            Self::Float => "float",
            Self::Double => "double",
            Self::X86Fp80 => "x86_fp80",
            Self::Fp128 => "fp128",
            Self::PpcFp128 => "ppc_fp128",
        }
    }

    /// Bits of the format.
    pub fn bits(self) -> u32 {
        match self {
            Self::Half | Self::BFloat => 16,
            Self::Float => 32,
            Self::Double => 64,
            Self::X86Fp80 => 80,
            Self::Fp128 | Self::PpcFp128 => 128,
        }
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// `iN`.
    Int(u32),
    /// A floating-point type.
    Float(FloatKind),
    /// `ptr` or `T*`, by address space: what a typed pointer points to is never needed, so it is not kept.
    Ptr(u32),
    /// `[N x T]`.
    Array {
        /// Elements.
        len: u64,
        /// Element type.
        elem: TypeId,
    },
    /// `<N x T>`.
    Vector {
        /// Elements (least number if scalable).
        len: u64,
        /// Element type.
        elem: TypeId,
        /// `vscale x`.
        scalable: bool,
    },
    /// `{ … }` or `<{ … }>`.
    Struct {
        /// Field types.
        fields: Box<[TypeId]>,
        /// Without padding.
        packed: bool,
    },
    /// `%name`, an index into the module's named structs.
    Named(u32),
    /// `R (P…)`.
    Func {
        /// Result.
        ret: TypeId,
        /// Parameters.
        params: Box<[TypeId]>,
        /// `...`.
        vararg: bool,
    },
    /// `label`.
    Label,
    /// `metadata`.
    Metadata,
    /// `token`.
    Token,
    /// Any other type, by its text: `x86_mmx`, `x86_amx`, `target("…")`.
    Other(Name),
}

/// A named struct of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedType {
    /// Its name.
    pub name: Name,
    /// The body; none if opaque or never defined.
    pub body: Option<TypeId>,
}

/// The types of a module.
#[derive(Clone, Debug)]
pub struct Types {
    ids: FxHashMap<Type, TypeId>,
    list: Vec<Type>,
    /// Named structs in order of first mention.
    pub named: Vec<NamedType>,
    named_ids: FxHashMap<Name, u32>,
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Self {
            ids: FxHashMap::default(),
            list: Vec::new(),
            named: Vec::new(),
            named_ids: FxHashMap::default(),
        };
        for ty in [Type::Void, Type::Int(1), Type::Int(64), Type::Ptr(0)] {
            types.intern(ty);
        }
        types
    }
}

impl Types {
    /// `void`.
    pub const VOID: TypeId = TypeId(0);
    /// `i1`.
    pub const I1: TypeId = TypeId(1);
    /// `i64`.
    pub const I64: TypeId = TypeId(2);
    /// `ptr`.
    pub const PTR: TypeId = TypeId(3);

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type of an id, names not resolved.
    pub fn get(&self, id: TypeId) -> &Type {
        self.list.get(id.0 as usize).unwrap_or(&Type::Void)
    }

    /// Every type there is.
    pub fn all(&self) -> impl Iterator<Item = &Type> {
        self.list.iter()
    }

    /// The type of an id, a named struct replaced by its body; `Named` remains only when opaque.
    pub fn resolve(&self, id: TypeId) -> &Type {
        match self.get(id) {
            Type::Named(n) => match self.named.get(*n as usize).and_then(|n| n.body) {
                Some(body) => self.get(body),
                None => self.get(id),
            },
            other => other,
        }
    }

    /// The index of a named struct, made opaque if new.
    pub fn named(&mut self, name: Name) -> u32 {
        if let Some(&index) = self.named_ids.get(&name) {
            return index;
        }
        let index = self.named.len() as u32;
        self.named.push(NamedType { name, body: None });
        self.named_ids.insert(name, index);
        index
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no type; never true.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether values of this type have pointers in them, or what is not known to have none.
    pub fn holds_pointers(&self, id: TypeId) -> bool {
        self.holds_pointers_within(id, 32)
    }

    fn holds_pointers_within(&self, id: TypeId, depth: u32) -> bool {
        match self.resolve(id) {
            Type::Int(_) | Type::Float(_) | Type::Void | Type::Label | Type::Metadata => false,
            Type::Array { elem, .. } | Type::Vector { elem, .. } => {
                depth == 0 || self.holds_pointers_within(*elem, depth - 1)
            }
            Type::Struct { fields, .. } => {
                depth == 0 || fields.iter().any(|f| self.holds_pointers_within(*f, depth - 1))
            }
            Type::Ptr(_) | Type::Func { .. } | Type::Named(_) | Type::Token | Type::Other(_) => true,
        }
    }

    /// Whether values of this type are vectors.
    pub fn is_vector(&self, id: TypeId) -> bool {
        matches!(self.resolve(id), Type::Vector { .. })
    }

    /// The width of an integer type.
    pub fn int_width(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Int(w) => Some(*w),
            _ => None,
        }
    }
}
