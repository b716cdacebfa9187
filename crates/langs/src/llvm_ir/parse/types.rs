//! Types.

use super::{Parser, Res};
use crate::llvm_ir::lexer::{Tok, small_number};
use crate::llvm_ir::types::{FloatKind, Type, TypeId, Types};

/// The widest integer type LLVM has.
const MAX_INT_BITS: u32 = 1 << 23;

/// Whether a word starts a type.
pub(super) fn starts_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"half"
            | b"bfloat"
            | b"float"
            | b"double"
            | b"x86_fp80"
            | b"fp128"
            | b"ppc_fp128"
            | b"ptr"
            | b"label"
            | b"metadata"
            | b"token"
            | b"x86_mmx"
            | b"x86_amx"
            | b"target"
            | b"opaque"
    ) || (word[0] == b'i' && small_number(&word[1..]).is_some())
}

impl Parser<'_> {
    /// A type.
    pub(super) fn ty(&mut self) -> Res<TypeId> {
        self.deeper(|p| {
            let base = p.base_type()?;
            p.type_suffix(base)
        })
    }

    fn type_suffix(&mut self, mut ty: TypeId) -> Res<TypeId> {
        loop {
            match self.tok {
                Tok::Punct(b'*') => {
                    self.bump()?;
                    ty = Types::PTR;
                }
                Tok::Word(b"addrspace") => {
                    let space = self.address_space()?;
                    // On `ptr` the space stands alone, on `T` a star follows.
                    self.eat(b'*')?;
                    ty = self.m.types.intern(Type::Ptr(space));
                }
                Tok::Punct(b'(') => ty = self.function_type(ty)?,
                _ => return Ok(ty),
            }
        }
    }

    pub(super) fn address_space(&mut self) -> Res<u32> {
        self.want_word("addrspace")?;
        self.want(b'(')?;
        let space = match self.tok {
            Tok::Str(_) => {
                self.bump()?;
                0
            }
            _ => self.small()?,
        };
        self.want(b')')?;
        Ok(space)
    }

    fn function_type(&mut self, ret: TypeId) -> Res<TypeId> {
        self.want(b'(')?;
        let (mut params, mut vararg) = (Vec::new(), false);
        while !self.is(b')') {
            if self.tok == Tok::Dots {
                self.bump()?;
                vararg = true;
                break;
            }
            params.push(self.ty()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.want(b')')?;
        Ok(self.m.types.intern(Type::Func { ret, params: params.into(), vararg }))
    }

    fn base_type(&mut self) -> Res<TypeId> {
        let float = |k| Type::Float(k);
        let ty = match self.tok {
            Tok::Word(w) => match w {
                b"void" => Type::Void,
                b"half" => float(FloatKind::Half),
                b"bfloat" => float(FloatKind::BFloat),
                b"float" => float(FloatKind::Float),
                b"double" => float(FloatKind::Double),
                b"x86_fp80" => float(FloatKind::X86Fp80),
                b"fp128" => float(FloatKind::Fp128),
                b"ppc_fp128" => float(FloatKind::PpcFp128),
                b"ptr" => Type::Ptr(0),
                b"label" => Type::Label,
                b"metadata" => Type::Metadata,
                b"token" => Type::Token,
                b"x86_mmx" | b"x86_amx" => Type::Other(self.intern(w)),
                b"target" => return self.target_type(),
                _ => match w.strip_prefix(b"i").and_then(small_number) {
                    Some(bits) if (1..=MAX_INT_BITS).contains(&bits) => Type::Int(bits),
                    _ => return self.expected("a type"),
                },
            },
            Tok::Local(raw) => {
                let name = self.intern(raw);
                Type::Named(self.m.types.named(name))
            }
            Tok::LocalNum(n) => {
                let name = self.number_name(n);
                Type::Named(self.m.types.named(name))
            }
            Tok::Punct(b'[') => return self.sequence(b']'),
            Tok::Punct(b'{') => return self.struct_type(false),
            Tok::Punct(b'<') => {
                self.bump()?;
                if self.is(b'{') {
                    let ty = self.struct_type(true)?;
                    self.want(b'>')?;
                    return Ok(ty);
                }
                return self.sequence_inside(b'>');
            }
            _ => return self.expected("a type"),
        };
        self.bump()?;
        Ok(self.m.types.intern(ty))
    }

    fn target_type(&mut self) -> Res<TypeId> {
        self.bump()?;
        if !self.is(b'(') {
            return self.expected("`(` after `target`");
        }
        let text = String::from_utf8_lossy(self.skip_brackets()?).into_owned();
        let name = self.m.names.intern(&format!("target({text})"));
        Ok(self.m.types.intern(Type::Other(name)))
    }

    fn sequence(&mut self, close: u8) -> Res<TypeId> {
        self.bump()?;
        self.sequence_inside(close)
    }

    fn sequence_inside(&mut self, close: u8) -> Res<TypeId> {
        let scalable = self.eat_word("vscale")?;
        if scalable {
            self.want_word("x")?;
        }
        let len = self.uint()?;
        self.want_word("x")?;
        let elem = self.ty()?;
        self.want(close)?;
        let ty = match close {
            b']' => Type::Array { len, elem },
            _ => Type::Vector { len, elem, scalable },
        };
        Ok(self.m.types.intern(ty))
    }

    fn struct_type(&mut self, packed: bool) -> Res<TypeId> {
        self.want(b'{')?;
        let mut fields = Vec::new();
        while !self.is(b'}') {
            fields.push(self.ty()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.want(b'}')?;
        Ok(self.m.types.intern(Type::Struct { fields: fields.into(), packed }))
    }
}
