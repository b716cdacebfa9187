//! GNU attributes that mean something here.

use super::Checker;
use crate::ast::{AttrArg, Attribute, ExprKind};
use crate::intern::Symbol;
use crate::source::Span;
use crate::target::Endian;
use crate::tree::DEFAULT_PRIORITY;
use crate::types::{Adjusted, FloatKind, IntKind, QTy, Ty, TyKind};

/// What a list of attributes says.
#[derive(Clone, Debug, Default)]
pub(super) struct Attrs {
    pub(super) packed: bool,
    pub(super) aligned: Option<u64>,
    pub(super) vector_size: Option<u64>,
    pub(super) mode: Option<Symbol>,
    pub(super) may_alias: bool,
    pub(super) transparent: bool,
    pub(super) noreturn: bool,
    pub(super) constructor: Option<u16>,
    pub(super) destructor: Option<u16>,
    pub(super) gnu_inline: bool,
    pub(super) alias: Option<Symbol>,
    pub(super) cleanup: Option<Symbol>,
    pub(super) nonnull: u64,
    pub(super) returns_nonnull: bool,
}

impl Attrs {
    /// Both lists.
    pub(super) fn with(self, other: Attrs) -> Attrs {
        Attrs {
            packed: self.packed || other.packed,
            aligned: self.aligned.max(other.aligned),
            vector_size: self.vector_size.or(other.vector_size),
            mode: self.mode.or(other.mode),
            may_alias: self.may_alias || other.may_alias,
            transparent: self.transparent || other.transparent,
            noreturn: self.noreturn || other.noreturn,
            constructor: self.constructor.or(other.constructor),
            destructor: self.destructor.or(other.destructor),
            gnu_inline: self.gnu_inline || other.gnu_inline,
            alias: self.alias.or(other.alias),
            cleanup: self.cleanup.or(other.cleanup),
            nonnull: self.nonnull | other.nonnull,
            returns_nonnull: self.returns_nonnull || other.returns_nonnull,
        }
    }
}

impl Checker<'_> {
    /// Reads a list of attributes.
    pub(super) fn attrs(&mut self, list: &[Attribute], span: Span) -> Attrs {
        let mut attrs = Attrs::default();
        for attribute in list {
            let name = self.ast.names.name(attribute.name);
            match name.trim_matches('_') {
                "packed" => attrs.packed = true,
                "aligned" => attrs.aligned = attrs.aligned.max(self.aligned(attribute, span)),
                "vector_size" => attrs.vector_size = self.attr_int(attribute, span),
                "mode" => attrs.mode = self.attr_ident(attribute),
                "may_alias" => attrs.may_alias = true,
                "transparent_union" => attrs.transparent = true,
                "noreturn" | "Noreturn" => attrs.noreturn = true,
                "constructor" => attrs.constructor = self.priority(attribute, span),
                "destructor" => attrs.destructor = self.priority(attribute, span),
                "gnu_inline" => attrs.gnu_inline = true,
                "alias" => attrs.alias = self.attr_string(attribute),
                "cleanup" => attrs.cleanup = self.attr_ident(attribute),
                "nonnull" => attrs.nonnull |= self.attr_positions(attribute),
                "returns_nonnull" => attrs.returns_nonnull = true,
                "ms_struct" => {
                    self.unsupported(span, "the record layout of Microsoft's compilers (`ms_struct`)")
                }
                "scalar_storage_order" => self.storage_order(attribute, span),
                _ => {}
            }
        }
        attrs
    }

    /// The priority of a constructor or destructor, 0 to 65535.
    fn priority(&mut self, attribute: &Attribute, span: Span) -> Option<u16> {
        if attribute.args.as_ref().is_none_or(|a| a.is_empty()) {
            return Some(DEFAULT_PRIORITY);
        }
        let given = self.attr_int(attribute, span)?;
        if u16::try_from(given).is_err() {
            self.error(span, format!("the priority {given} is not between 0 and 65535"));
        }
        Some(u16::try_from(given).unwrap_or(DEFAULT_PRIORITY))
    }

    /// Records whose members are stored in the other byte order than the target's have no meaning here.
    fn storage_order(&mut self, attribute: &Attribute, span: Span) {
        let order = self.attr_string(attribute).map(|text| self.name(text).to_owned());
        let little = self.types().target.endian == Endian::Little;
        if order.as_deref() != Some(if little { "little-endian" } else { "big-endian" }) {
            self.unsupported(span, "members in another byte order (`scalar_storage_order`)");
        }
    }

    fn aligned(&mut self, attribute: &Attribute, span: Span) -> Option<u64> {
        if attribute.args.as_ref().is_none_or(|a| a.is_empty()) {
            return Some(self.types().target.max_align.into());
        }
        let value = match attribute.args.as_deref() {
            Some([AttrArg::Type(ty)]) => {
                let ty = self.type_name(*ty);
                self.types().layout(ty.ty).map(|l| l.align)
            }
            _ => self.attr_int(attribute, span),
        }?;
        self.check_alignment(value, span)
    }

    /// A requested alignment must be a power of two that fits an object file.
    pub(super) fn check_alignment(&mut self, value: u64, span: Span) -> Option<u64> {
        if value.is_power_of_two() && value <= 1 << 28 {
            return Some(value);
        }
        if value != 0 {
            self.error(span, format!("requested alignment {value} is not a power of two up to 2^28"));
        }
        None
    }

    fn attr_int(&mut self, attribute: &Attribute, span: Span) -> Option<u64> {
        let Some([AttrArg::Expr(arg)]) = attribute.args.as_deref() else { return None };
        match self.constant(*arg) {
            Some((value, _)) => u64::try_from(value).ok(),
            None => {
                let name = self.ast.names.name(attribute.name);
                self.error(span, format!("attribute '{name}' needs an integer constant"));
                None
            }
        }
    }

    /// Parameter positions, counted from 1, as bits; all where none is named.
    fn attr_positions(&mut self, attribute: &Attribute) -> u64 {
        let Some(args) = attribute.args.as_deref().filter(|a| !a.is_empty()) else { return u64::MAX };
        let mut bits = 0;
        for arg in args {
            let AttrArg::Expr(arg) = arg else { continue };
            if let Some((value @ 1..=64, _)) = self.constant(*arg) {
                bits |= 1 << (value - 1);
            }
        }
        bits
    }

    fn attr_ident(&self, attribute: &Attribute) -> Option<Symbol> {
        let Some([AttrArg::Expr(arg)]) = attribute.args.as_deref() else { return None };
        match self.ast[*arg].kind {
            ExprKind::Ident(name) => Some(name),
            _ => None,
        }
    }

    fn attr_string(&mut self, attribute: &Attribute) -> Option<Symbol> {
        let Some([AttrArg::Expr(arg)]) = attribute.args.as_deref() else { return None };
        let ExprKind::Str(text) = &self.ast[*arg].kind else { return None };
        let text: String = text.units.iter().filter_map(|&u| char::from_u32(u)).collect();
        Some(self.tree.names.intern(&text))
    }

    /// Applies `mode` and `vector_size` to a type.
    pub(super) fn apply_type_attrs(&mut self, mut ty: QTy, attrs: &Attrs, span: Span) -> QTy {
        if let Some(mode) = attrs.mode {
            ty.ty = self.apply_mode(ty.ty, mode, span);
        }
        if let Some(bytes) = attrs.vector_size {
            ty = self.apply_vector(ty, bytes, span);
        }
        ty
    }

    /// Applies what only typedefs keep: alignment and aliasing.
    pub(super) fn apply_typedef_attrs(&mut self, ty: QTy, attrs: &Attrs) -> QTy {
        if attrs.aligned.is_none() && !attrs.may_alias {
            return ty;
        }
        let old = self.types().adjusted.get(&ty.ty).copied();
        let adjusted = Adjusted {
            align: attrs.aligned.or(old.and_then(|o| o.align)),
            may_alias: attrs.may_alias || old.is_some_and(|o| o.may_alias),
        };
        QTy { ty: self.tree.types.adjust(ty.ty, adjusted), quals: ty.quals }
    }

    fn apply_mode(&mut self, ty: Ty, mode: Symbol, span: Span) -> Ty {
        let name = self.ast.names.name(mode).trim_matches('_');
        if let Some(digits) = name.strip_prefix('V') {
            let count = digits.bytes().take_while(u8::is_ascii_digit).count();
            let elem = self.scalar_mode(ty, &digits[count..]);
            return match (elem, digits[..count].parse::<u32>()) {
                (Some(elem), Ok(n)) if n.is_power_of_two() => self.tree.types.intern(TyKind::Vector(elem, n)),
                _ => {
                    self.error(span, format!("unknown machine mode '{name}'"));
                    ty
                }
            };
        }
        match self.scalar_mode(ty, name) {
            Some(ty) => ty,
            None => {
                self.error(span, format!("machine mode '{name}' does not fit the type"));
                ty
            }
        }
    }

    fn scalar_mode(&mut self, ty: Ty, name: &str) -> Option<Ty> {
        if self.is_pointer(ty) {
            let wide = self.types().target.pointer_bytes == 8;
            let fits = matches!(name, "word" | "pointer") || name == if wide { "DI" } else { "SI" };
            return fits.then_some(ty);
        }
        if let TyKind::Complex(elem) = *self.tykind(ty) {
            let elem = match name {
                "SC" => Ty::FLOAT,
                "DC" => Ty::DOUBLE,
                "XC" => Ty::LONG_DOUBLE,
                "TC" => Ty::FLOAT128,
                _ => {
                    self.scalar_mode(elem, &name.strip_prefix('C').map_or(name.to_string(), str::to_string))?
                }
            };
            return Some(self.tree.types.intern(TyKind::Complex(elem)));
        }
        if let TyKind::Float(_) = self.tykind(ty) {
            let kind = match name {
                "HF" => FloatKind::Float16,
                "SF" => FloatKind::Float,
                "DF" => FloatKind::Double,
                "XF" => FloatKind::LongDouble,
                "TF" => FloatKind::Float128,
                _ => return None,
            };
            return Some(super::convert::float_ty(kind));
        }
        let kind = self.types().int_kind(ty)?;
        let signed = self.types().int_signed(kind);
        let wide = self.types().target.pointer_bytes == 8;
        let pick = |s: IntKind, u: IntKind| if signed { s } else { u };
        let kind = match name {
            "QI" | "byte" => pick(IntKind::SChar, IntKind::UChar),
            "HI" => pick(IntKind::Short, IntKind::UShort),
            "SI" => pick(IntKind::Int, IntKind::UInt),
            "DI" if self.types().target.long_bytes == 8 => pick(IntKind::Long, IntKind::ULong),
            "DI" => pick(IntKind::LLong, IntKind::ULLong),
            "TI" if self.types().target.int128 => pick(IntKind::Int128, IntKind::UInt128),
            "word" | "pointer" | "unwind_word" if wide => pick(IntKind::Long, IntKind::ULong),
            "word" | "pointer" | "unwind_word" => pick(IntKind::Int, IntKind::UInt),
            _ => return None,
        };
        Some(self.int_ty(kind))
    }

    /// `vector_size` goes through pointers, arrays and function results to the scalar at the end.
    fn apply_vector(&mut self, ty: QTy, bytes: u64, span: Span) -> QTy {
        self.deeper(span, |c| c.apply_vector_node(ty, bytes, span), |_| ty)
    }

    fn apply_vector_node(&mut self, ty: QTy, bytes: u64, span: Span) -> QTy {
        let made = match self.tykind(ty.ty).clone() {
            TyKind::Pointer(to) => {
                let to = self.apply_vector(to, bytes, span);
                self.tree.types.pointer(to)
            }
            TyKind::Array(elem, len) => {
                let elem = self.apply_vector(elem, bytes, span);
                self.tree.types.intern(TyKind::Array(elem, len))
            }
            TyKind::Function(mut f) => {
                f.ret = self.apply_vector(f.ret, bytes, span);
                self.tree.types.intern(TyKind::Function(f))
            }
            TyKind::Int(kind) if kind.bit_precise().is_some() => {
                self.unsupported(span, "vectors of bit-precise integers");
                return ty;
            }
            TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_) => {
                let elem = self.plain(ty.ty);
                let size = self.types().layout(elem).map_or(1, |l| l.size);
                let count = bytes / size.max(1);
                if !bytes.is_multiple_of(size.max(1))
                    || !count.is_power_of_two()
                    || count > u64::from(u32::MAX)
                {
                    let text = self.show(elem);
                    self.error(span, format!("{bytes} bytes are no power-of-two number of '{text}'"));
                    return ty;
                }
                self.tree.types.intern(TyKind::Vector(elem, count as u32))
            }
            TyKind::Void | TyKind::Complex(_) | TyKind::Vector(..) | TyKind::Record(_) | TyKind::VaList => {
                let text = self.show(ty);
                self.error(span, format!("'{text}' cannot be the element of a vector"));
                return ty;
            }
        };
        QTy { ty: made, quals: ty.quals }
    }
}
