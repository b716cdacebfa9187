//! Constants and string literals.

use super::fold::Const;
use super::{At, Checker, float};
use crate::ast::{FloatSuffix, FloatSuffixKind, IntBase, IntSuffix, Quals, StrLit, StrPrefix};
use crate::intern::Symbol;
use crate::tree::{ExprId, ExprKind, InitEntry, Initializer, ObjId, StrId, StringObject};
use crate::types::{ArrayLen, FloatKind, IntKind, QTy, Ty, TyKind};

impl Checker<'_> {
    /// The type is the first of a list that holds the value (6.4.4.1).
    pub(super) fn int_literal(&mut self, value: u128, suffix: IntSuffix, base: IntBase, at: At) -> ExprId {
        let all = [
            (IntKind::Int, 0, false),
            (IntKind::UInt, 0, true),
            (IntKind::Long, 1, false),
            (IntKind::ULong, 1, true),
            (IntKind::LLong, 2, false),
            (IntKind::ULLong, 2, true),
            (IntKind::Int128, 3, false),
            (IntKind::UInt128, 3, true),
        ];
        let decimal = base == IntBase::Dec;
        if suffix.bits {
            return self.bit_literal(value, suffix.unsigned, at);
        }
        let found = all.into_iter().find(|&(kind, long, unsigned)| {
            let bits = self.types().int_bytes(kind) as u32 * 8 - u32::from(!unsigned);
            let fits = bits >= 128 || value < 1u128 << bits;
            let wide = long < 3 || self.types().target.int128;
            let sign = if unsigned { suffix.unsigned || !decimal } else { !suffix.unsigned };
            fits && wide && sign && long >= suffix.long
        });
        let kind = match found {
            Some((kind, _, _)) => kind,
            None => {
                self.warn(at.span, "this integer constant is too large for its type");
                IntKind::ULLong
            }
        };
        let ty = self.int_ty(kind);
        let real = self.int_const(value, ty, at);
        if suffix.imaginary { self.imaginary(real, at) } else { real }
    }

    /// A constant with `wb` has the narrowest `_BitInt` that holds it (C23 6.4.4.1).
    fn bit_literal(&mut self, value: u128, unsigned: bool, at: At) -> ExprId {
        let bits = 128 - value.leading_zeros();
        let width = if unsigned { bits.max(1) } else { (bits + 1).max(2) };
        match self.bit_int(i128::from(width), unsigned, at.span) {
            Some(ty) => self.int_const(value, ty, at),
            None => self.poison(at),
        }
    }

    pub(super) fn float_literal(&mut self, text: Symbol, suffix: FloatSuffix, at: At) -> ExprId {
        let kind = match suffix.kind {
            FloatSuffixKind::Double => FloatKind::Double,
            FloatSuffixKind::Float => FloatKind::Float,
            FloatSuffixKind::LongDouble => FloatKind::LongDouble,
            FloatSuffixKind::Float128 => FloatKind::Float128,
            FloatSuffixKind::Float16 => FloatKind::Float16,
            FloatSuffixKind::Other(width) => match width {
                16 => FloatKind::Float16,
                32 => FloatKind::Float,
                33 | 64 => FloatKind::Double,
                65 => FloatKind::LongDouble,
                128 => FloatKind::Float128,
                _ => {
                    self.unsupported(at.span, "decimal floating constants are not supported");
                    return self.poison(at);
                }
            },
        };
        let Some(value) = float::parse(self.name(text), kind, &self.types().target) else {
            return self.error_expr(at, "this is not a floating constant");
        };
        let real = self.push(ExprKind::Float(value), super::convert::float_ty(kind), at);
        self.set_const(real, Const::Float(value));
        if suffix.imaginary { self.imaginary(real, at) } else { real }
    }

    fn imaginary(&mut self, part: ExprId, at: At) -> ExprId {
        let elem = self.ty(part);
        let ty = self.tree.types.intern(TyKind::Complex(elem));
        let zero = self.zero(elem, at);
        self.push(ExprKind::Complex(zero, part), ty, at)
    }

    /// Zero of an arithmetic real type.
    pub(super) fn zero(&mut self, ty: Ty, at: At) -> ExprId {
        let zero = self.int_const(0, Ty::INT, at);
        self.coerce(zero, ty)
    }

    pub(super) fn char_literal(&mut self, value: i64, prefix: StrPrefix, at: At) -> ExprId {
        let ty = match prefix {
            StrPrefix::None => Ty::INT,
            StrPrefix::Utf8 | StrPrefix::Char16 | StrPrefix::Char32 | StrPrefix::Wide => self.unit_ty(prefix),
        };
        self.int_const(value as u128, ty, at)
    }

    /// The element type of string literals.
    fn unit_ty(&self, prefix: StrPrefix) -> Ty {
        match prefix {
            StrPrefix::None | StrPrefix::Utf8 => Ty::CHAR,
            StrPrefix::Char16 => Ty::USHORT,
            StrPrefix::Char32 => Ty::UINT,
            StrPrefix::Wide => match (self.types().target.wchar_signed, self.types().target.pointer_bytes) {
                (true, 4) => Ty::LONG,
                (true, _) => Ty::INT,
                (false, 4) => Ty::ULONG,
                (false, _) => Ty::UINT,
            },
        }
    }

    pub(super) fn str_literal(&mut self, lit: &StrLit, at: At) -> ExprId {
        let elem = self.unit_ty(lit.prefix);
        let len = ArrayLen::Fixed(lit.units.len() as u64 + 1);
        let ty = self.tree.types.intern(TyKind::Array(elem.into(), len));
        let id = self.string(lit.units.clone(), ty, at);
        self.push(ExprKind::Str(id), ty, at)
    }

    fn string(&mut self, units: Box<[u32]>, ty: Ty, at: At) -> StrId {
        self.tree.strings.push(StringObject { ty, units, span: at.span });
        StrId(self.tree.strings.len() as u32 - 1)
    }

    /// A static `const char` array with these contents.
    pub(super) fn string_object(&mut self, units: Box<[u32]>, at: At) -> ObjId {
        let len = ArrayLen::Fixed(units.len() as u64 + 1);
        let plain = self.tree.types.intern(TyKind::Array(Ty::CHAR.into(), len));
        let elem = QTy { ty: Ty::CHAR, quals: Quals::CONST };
        let ty = QTy::from(self.tree.types.intern(TyKind::Array(elem, len)));
        let string = self.string(units, plain, at);
        let value = self.push(ExprKind::Str(string), plain, at);
        let object = self.new_object(None, ty, crate::tree::Storage::Static, at.span);
        let entries = vec![InitEntry { offset: 0, bits: None, ty, value }];
        self.object(object).init = Some(Initializer { zero_fill: true, entries });
        object
    }
}
