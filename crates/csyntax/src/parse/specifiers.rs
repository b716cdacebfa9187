//! Declaration specifiers (C11 6.7.1 to 6.7.5, C23's beside them): storage, qualifiers, type specifiers in any order.

use super::{P, Parser};
use crate::ast::{Alignas, Attribute, Basic, ComplexInt, ExprId, Quals, Storage, TypeId, TypeKind, TypeNode};
use crate::lex::token::{Soft, Tok};

/// What stands before the declarators.
pub(super) struct Specifiers {
    pub(super) storage: Storage,
    pub(super) base: TypeId,
    pub(super) attrs: Vec<Attribute>,
    pub(super) alignas: Vec<Alignas>,
}

/// Type specifier keywords seen so far; `long` is counted.
#[derive(Copy, Clone, Default, PartialEq)]
struct Words {
    bits: u16,
    longs: u8,
}

/// Specifiers as far as they were read.
struct Read {
    storage: Storage,
    quals: Quals,
    alignas: Vec<Alignas>,
    attrs: Vec<Attribute>,
    words: Words,
    /// A type that one specifier is alone.
    whole: Option<TypeKind>,
}

const VOID: u16 = 1;
const BOOL: u16 = 2;
const CHAR: u16 = 4;
const SHORT: u16 = 8;
const INT: u16 = 16;
const SIGNED: u16 = 32;
const UNSIGNED: u16 = 64;
const FLOAT: u16 = 128;
const DOUBLE: u16 = 256;
const COMPLEX: u16 = 512;
const INT128: u16 = 1024;

/// The storage class (or function specifier) that a keyword is.
fn storage_class(kind: Tok) -> Option<Storage> {
    Some(match kind {
        Tok::Typedef => Storage::TYPEDEF,
        Tok::Extern => Storage::EXTERN,
        Tok::Static => Storage::STATIC,
        Tok::Auto => Storage::AUTO,
        Tok::Register => Storage::REGISTER,
        Tok::ThreadLocal => Storage::THREAD,
        Tok::Inline => Storage::INLINE,
        Tok::Noreturn => Storage::NORETURN,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Can the current token begin a declaration?
    pub(super) fn at_declaration(&self) -> bool {
        match self.kind() {
            Tok::Typedef | Tok::Extern | Tok::Static | Tok::Auto | Tok::Register => true,
            Tok::ThreadLocal | Tok::Inline | Tok::Noreturn => true,
            _ => self.at_type_name(),
        }
    }

    /// Can the current token begin a type name?
    pub(super) fn at_type_name(&self) -> bool {
        self.starts_type_name(self.tok)
    }

    /// Can `token` begin a type name?
    pub(super) fn starts_type_name(&self, token: crate::lex::token::Token) -> bool {
        match token.kind {
            Tok::Ident => {
                self.scopes.is_typedef(token.sym)
                    || self.scopes.soft(token.sym).is_some_and(begins_declaration)
            }
            kind => is_type_word(kind),
        }
    }

    /// Reads declaration specifiers; `attrs` were read before them.
    pub(super) fn specifiers(&mut self, attrs: Vec<Attribute>) -> P<Specifiers> {
        let lo = self.tok.lo;
        let mut read = Read {
            storage: Storage::NONE,
            quals: Quals::NONE,
            alignas: Vec::new(),
            attrs,
            words: Words::default(),
            whole: None,
        };
        while self.word(&mut read.words) || self.specifier(&mut read)? {}
        let kind = self.type_of_words(read.words, read.whole, lo);
        let span = self.span_from(lo);
        let base = self.ast.push_type(TypeNode { kind, quals: read.quals, attrs: Vec::new(), span });
        Ok(Specifiers { storage: read.storage, base, attrs: read.attrs, alignas: read.alignas })
    }

    /// Reads one of the keywords that types are put together from, if there is one.
    #[inline]
    fn word(&mut self, words: &mut Words) -> bool {
        let word = match self.tok.kind {
            Tok::Void => VOID,
            Tok::Bool => BOOL,
            Tok::KwChar => CHAR,
            Tok::Short => SHORT,
            Tok::Int => INT,
            Tok::Signed => SIGNED,
            Tok::Unsigned => UNSIGNED,
            Tok::Float => FLOAT,
            Tok::Double => DOUBLE,
            Tok::Complex => COMPLEX,
            Tok::Int128 => INT128,
            Tok::Long => {
                words.longs += 1;
                if words.longs > 2 {
                    self.error(self.tok.span(), "expected at most `long long`, found a third `long`".into());
                    words.longs = 2;
                }
                self.advance();
                return true;
            }
            _ => return false,
        };
        if words.bits & word != 0 {
            self.second_word();
        }
        words.bits |= word;
        self.advance();
        true
    }

    /// Reads a specifier that is no such keyword, if there is one.
    fn specifier(&mut self, read: &mut Read) -> P<bool> {
        let kind = self.tok.kind;
        let seen_type = read.whole.is_some() || read.words != Words::default();
        match kind {
            Tok::Ident if self.scopes.soft(self.tok.sym).is_some_and(begins_declaration) => {
                return self.soft_specifier(read, seen_type);
            }
            Tok::Ident => {
                if seen_type || (!self.scopes.is_typedef(self.tok.sym) && !self.unknown_type()) {
                    return Ok(false);
                }
                read.whole = Some(TypeKind::Typedef(self.tok.sym));
                self.advance();
            }
            Tok::Const | Tok::Volatile | Tok::Restrict => {
                read.quals = read.quals.with(qualifier(kind));
                self.advance();
            }
            Tok::Atomic => {
                self.advance();
                if self.tok.kind == Tok::LParen {
                    self.advance();
                    let inner = self.type_name()?;
                    self.expect(Tok::RParen, "after the type of `_Atomic`")?;
                    self.one_type(seen_type);
                    read.whole = Some(TypeKind::Atomic(inner));
                } else {
                    read.quals = read.quals.with(Quals::ATOMIC);
                }
            }
            Tok::BitInt => {
                self.one_type(read.whole.is_some() || read.words.longs > 0);
                self.one_type(read.words.bits & !(SIGNED | UNSIGNED) != 0);
                read.whole = Some(TypeKind::BitInt(self.bit_int()?, false));
            }
            Tok::Extension => self.advance(),
            Tok::Attribute => self.attributes(&mut read.attrs)?,
            Tok::LBracket if self.at_attribute() => self.attributes(&mut read.attrs)?,
            Tok::Alignas => read.alignas.push(self.alignas()?),
            Tok::Struct | Tok::Union | Tok::Enum | Tok::Typeof | Tok::TypeofUnqual => {
                self.one_type(seen_type);
                read.whole = Some(self.nested(|p| match kind {
                    Tok::Enum => p.enum_specifier(),
                    Tok::Typeof => p.typeof_specifier(),
                    Tok::TypeofUnqual => p.typeof_unqual(),
                    _ => p.record_specifier(),
                })?);
            }
            _ => match storage_class(kind) {
                Some(class) => {
                    read.storage = read.storage.with(class);
                    self.advance();
                }
                None => return Ok(self.whole_type(read, seen_type)),
            },
        }
        Ok(true)
    }

    /// Reads a keyword that is a type alone, if there is one.
    fn whole_type(&mut self, read: &mut Read, seen_type: bool) -> bool {
        let kind = match single_type(self.tok.kind) {
            // clang has no such keywords: its headers say `typedef float _Float32;`.
            Some(_) if seen_type && read.storage.has(Storage::TYPEDEF) && read.words.bits != COMPLEX => {
                self.tok.kind = Tok::Ident;
                return false;
            }
            Some(_) if self.scopes.is_typedef(self.tok.sym) => {
                self.one_type(seen_type);
                TypeKind::Typedef(self.tok.sym)
            }
            Some(basic) => {
                // `_Complex _Float128` and the like combine.
                if read.words.bits != COMPLEX
                    || !matches!(basic, Basic::Float128 | Basic::FloatN(_) | Basic::Float16)
                {
                    self.one_type(seen_type);
                }
                TypeKind::Basic(basic)
            }
            None if self.tok.kind == Tok::AutoType => {
                self.one_type(seen_type);
                TypeKind::Auto
            }
            None => return false,
        };
        read.whole = Some(kind);
        self.advance();
        true
    }

    /// Specifiers and qualifiers of a type name or member, where no storage class may stand.
    pub(super) fn specifier_qualifiers(&mut self, attrs: Vec<Attribute>) -> P<Specifiers> {
        let lo = self.tok.lo;
        let specifiers = self.specifiers(attrs)?;
        if specifiers.storage != Storage::NONE {
            let span = self.span_from(lo);
            self.error(span, "expected a type, found a storage class".to_string());
        }
        Ok(specifiers)
    }

    #[cold]
    fn second_word(&mut self) {
        let message = format!("expected one `{}`, found a second", self.tok.kind.spelling());
        self.error(self.tok.span(), message);
    }

    fn one_type(&mut self, seen: bool) {
        if seen {
            let found = self.describe(self.tok);
            self.error(self.tok.span(), format!("expected one type, found a second one at {found}"));
        }
    }

    /// Is the name here, which is no typedef name, used as a type? Then says so and takes it for one.
    fn unknown_type(&mut self) -> bool {
        let (next, token) = (self.peek(), self.tok);
        let used = match next.kind {
            Tok::Ident => true,
            Tok::Star => self.depth == 0,
            _ => false,
        };
        if used {
            let name = self.ast.names.name(token.sym).to_string();
            self.error(token.span(), format!("expected a type, found the unknown name `{name}`"));
            self.scopes.declare(token.sym, true);
        }
        used
    }

    fn alignas(&mut self) -> P<Alignas> {
        self.advance();
        self.expect(Tok::LParen, "after `_Alignas`")?;
        let alignas = if self.at_type_name() {
            Alignas::Type(self.type_name()?)
        } else {
            Alignas::Expr(self.conditional()?)
        };
        self.expect(Tok::RParen, "after the alignment")?;
        Ok(alignas)
    }

    /// `_BitInt(N)` of C23: the width.
    fn bit_int(&mut self) -> P<ExprId> {
        self.advance();
        self.expect(Tok::LParen, "after `_BitInt`")?;
        let width = self.nested(|p| p.conditional())?;
        self.expect(Tok::RParen, "after the width")?;
        Ok(width)
    }

    /// A keyword of C23 that C17 leaves to programs. Behind a type it is the name that is declared.
    fn soft_specifier(&mut self, read: &mut Read, seen_type: bool) -> P<bool> {
        let soft = self.scopes.soft(self.tok.sym);
        if seen_type {
            let next = self.peek();
            let goes_on = matches!(next.kind, Tok::Ident | Tok::Star) || self.starts_type_name(next);
            let qualifies = match soft {
                Some(Soft::Constexpr | Soft::ThreadLocal) => goes_on,
                Some(Soft::Alignas) => next.kind == Tok::LParen,
                _ => false,
            };
            if !qualifies {
                return Ok(false);
            }
        }
        self.ast.c23 = true;
        match soft {
            Some(Soft::Bool) => {
                read.words.bits |= BOOL;
                self.advance();
            }
            Some(Soft::Constexpr) => {
                read.storage = read.storage.with(Storage::CONSTEXPR);
                self.advance();
            }
            Some(Soft::ThreadLocal) => {
                read.storage = read.storage.with(Storage::THREAD);
                self.advance();
            }
            Some(Soft::Alignas) => read.alignas.push(self.alignas()?),
            _ => read.whole = Some(self.nested(|p| p.typeof_unqual())?),
        }
        Ok(true)
    }

    /// From `typeof_unqual` on.
    fn typeof_unqual(&mut self) -> P<TypeKind> {
        let lo = self.tok.lo;
        let kind = self.typeof_specifier()?;
        // What is printed for an expression: the `typeof` is there already.
        if let TypeKind::TypeofType(ty) = kind {
            let node = &self.ast[ty];
            let bare = node.quals == Quals::NONE && node.attrs.is_empty();
            if bare && matches!(node.kind, TypeKind::TypeofExpr(_) | TypeKind::TypeofType(_)) {
                return Ok(TypeKind::Unqual(ty));
            }
        }
        let span = self.span_from(lo);
        let inner = self.ast.push_type(TypeNode { kind, quals: Quals::NONE, attrs: Vec::new(), span });
        Ok(TypeKind::Unqual(inner))
    }

    fn typeof_specifier(&mut self) -> P<TypeKind> {
        self.advance();
        self.expect(Tok::LParen, "after `typeof`")?;
        let kind = if self.at_type_name() {
            TypeKind::TypeofType(self.type_name()?)
        } else {
            TypeKind::TypeofExpr(self.nested(|p| p.expression())?)
        };
        self.expect(Tok::RParen, "after the operand of `typeof`")?;
        Ok(kind)
    }

    /// The type the keywords mean together.
    fn type_of_words(&mut self, words: Words, whole: Option<TypeKind>, lo: u32) -> TypeKind {
        if let Some(whole) = whole {
            if let TypeKind::BitInt(width, _) = whole
                && words.longs == 0
                && matches!(words.bits, SIGNED | UNSIGNED)
            {
                return TypeKind::BitInt(width, words.bits == UNSIGNED);
            }
            if words.bits == COMPLEX && words.longs == 0 {
                match whole {
                    TypeKind::Basic(Basic::Float128) => return TypeKind::Basic(Basic::ComplexFloatN(128)),
                    TypeKind::Basic(Basic::Float16) => return TypeKind::Basic(Basic::ComplexFloatN(16)),
                    TypeKind::Basic(Basic::FloatN(n)) => return TypeKind::Basic(Basic::ComplexFloatN(n)),
                    _ => {}
                }
            }
            if words != Words::default() {
                let span = self.span_from(lo);
                self.error(span, "expected one type, found more type words beside it".to_string());
            }
            return whole;
        }
        if words == Words::default() {
            return TypeKind::Implicit;
        }
        match basic_of_words(words) {
            Some(basic) => TypeKind::Basic(basic),
            None => {
                let span = self.span_from(lo);
                self.error(
                    span,
                    "expected type words that name a type together, found a mix that does not".into(),
                );
                TypeKind::Basic(Basic::Int)
            }
        }
    }
}

/// Is the token a keyword that can begin a type name?
fn is_type_word(kind: Tok) -> bool {
    match kind {
        Tok::Void
        | Tok::Bool
        | Tok::KwChar
        | Tok::Short
        | Tok::Int
        | Tok::Long
        | Tok::Signed
        | Tok::Unsigned => true,
        Tok::Float | Tok::Double | Tok::Complex | Tok::Int128 | Tok::AutoType => true,
        Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic | Tok::Attribute => true,
        Tok::Struct | Tok::Union | Tok::Enum | Tok::Typeof | Tok::Alignas | Tok::BitInt => true,
        Tok::TypeofUnqual => true,
        _ => single_type(kind).is_some(),
    }
}

/// Can a declaration begin with it?
fn begins_declaration(soft: Soft) -> bool {
    match soft {
        Soft::Bool | Soft::Constexpr | Soft::ThreadLocal | Soft::Alignas | Soft::TypeofUnqual => true,
        Soft::Alignof | Soft::StaticAssert | Soft::Constant => false,
    }
}

/// Keywords that are a whole type.
fn single_type(kind: Tok) -> Option<Basic> {
    Some(match kind {
        Tok::Float16 => Basic::Float16,
        Tok::Float32 => Basic::FloatN(32),
        Tok::Float64 => Basic::FloatN(64),
        Tok::Float32x => Basic::FloatN(33),
        Tok::Float64x => Basic::FloatN(65),
        Tok::Float128 => Basic::Float128,
        Tok::Float80 => Basic::LongDouble,
        Tok::Decimal32 => Basic::Decimal(32),
        Tok::Decimal64 => Basic::Decimal(64),
        Tok::Decimal128 => Basic::Decimal(128),
        Tok::VaList => Basic::VaList,
        Tok::Int128T => Basic::Int128,
        Tok::UInt128T => Basic::UInt128,
        _ => return None,
    })
}

/// The qualifier a keyword means.
pub(super) fn qualifier(kind: Tok) -> Quals {
    match kind {
        Tok::Const => Quals::CONST,
        Tok::Volatile => Quals::VOLATILE,
        Tok::Restrict => Quals::RESTRICT,
        Tok::Atomic => Quals::ATOMIC,
        _ => Quals::NONE,
    }
}

fn basic_of_words(words: Words) -> Option<Basic> {
    let complex = words.bits & COMPLEX != 0;
    let signedness = words.bits & (SIGNED | UNSIGNED);
    let unsigned = signedness == UNSIGNED;
    if signedness == SIGNED | UNSIGNED {
        return None;
    }
    let rest = words.bits & !(COMPLEX | SIGNED | UNSIGNED);
    if complex {
        return complex_of_words(rest, words.longs, signedness != 0, unsigned);
    }
    let pick = |signed, unsigned_type| Some(if unsigned { unsigned_type } else { signed });
    match (rest, words.longs, signedness) {
        (VOID, 0, 0) => Some(Basic::Void),
        (BOOL, 0, 0) => Some(Basic::Bool),
        (CHAR, 0, 0) => Some(Basic::Char),
        (CHAR, 0, _) => pick(Basic::SChar, Basic::UChar),
        (SHORT, 0, _) => pick(Basic::Short, Basic::UShort),
        (bits, 0, _) if bits == SHORT | INT => pick(Basic::Short, Basic::UShort),
        (0 | INT, 0, _) => pick(Basic::Int, Basic::UInt),
        (0 | INT, 1, _) => pick(Basic::Long, Basic::ULong),
        (0 | INT, _, _) => pick(Basic::LLong, Basic::ULLong),
        (INT128, 0, _) => pick(Basic::Int128, Basic::UInt128),
        (FLOAT, 0, 0) => Some(Basic::Float),
        (DOUBLE, 0, 0) => Some(Basic::Double),
        (DOUBLE, 1, 0) => Some(Basic::LongDouble),
        _ => None,
    }
}

fn complex_of_words(rest: u16, longs: u8, signedness: bool, unsigned: bool) -> Option<Basic> {
    let pick = |signed, unsigned_kind| Some(Basic::ComplexInt(if unsigned { unsigned_kind } else { signed }));
    match (rest, longs) {
        (0, 0) if !signedness => Some(Basic::ComplexDouble),
        (FLOAT, 0) if !signedness => Some(Basic::ComplexFloat),
        (DOUBLE, 0) if !signedness => Some(Basic::ComplexDouble),
        (DOUBLE, 1) if !signedness => Some(Basic::ComplexLongDouble),
        (CHAR, 0) => pick(ComplexInt::Char, ComplexInt::UChar),
        (SHORT, 0) => pick(ComplexInt::Short, ComplexInt::UShort),
        (bits, 0) if bits == SHORT | INT => pick(ComplexInt::Short, ComplexInt::UShort),
        (0 | INT, 0) => pick(ComplexInt::Int, ComplexInt::UInt),
        (0 | INT, 1) => pick(ComplexInt::Long, ComplexInt::ULong),
        (0 | INT, _) => pick(ComplexInt::LLong, ComplexInt::ULLong),
        _ => None,
    }
}
