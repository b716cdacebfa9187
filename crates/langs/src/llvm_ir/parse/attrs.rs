//! Attributes of parameters, results, functions and calls.

use super::types::starts_type;
use super::{Parser, Res};
use crate::llvm_ir::ast::{Attr, BinOp, CastOp};
use crate::llvm_ir::lexer::Tok;

/// Whether a word can start a value, so that it ends a list of attributes.
fn starts_value(word: &[u8]) -> bool {
    matches!(
        word,
        b"null"
            | b"true"
            | b"false"
            | b"undef"
            | b"poison"
            | b"zeroinitializer"
            | b"none"
            | b"asm"
            | b"blockaddress"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"splat"
            | b"getelementptr"
            | b"icmp"
            | b"fcmp"
            | b"select"
            | b"fneg"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
            | b"extractvalue"
            | b"insertvalue"
    ) || CastOp::from_keyword(word).is_some()
        || BinOp::from_keyword(word).is_some()
        || word.starts_with(b"f0x")
        || word.starts_with(b"u0x")
        || word.starts_with(b"s0x")
}

impl Parser<'_> {
    /// One attribute, if one is next.
    pub(super) fn attr(&mut self) -> Res<Option<Attr>> {
        match self.tok {
            Tok::Str(raw) => {
                self.bump()?;
                let key = self.intern(raw);
                let value = if self.eat(b'=')? {
                    let text = self.string()?;
                    Some(self.m.names.intern(&text))
                } else {
                    None
                };
                Ok(Some(Attr::Text(key, value)))
            }
            Tok::Word(w) if starts_type(w) || starts_value(w) => Ok(None),
            Tok::Word(w) => {
                self.bump()?;
                let name = self.intern(w);
                match (w, self.tok) {
                    (b"align" | b"alignstack", Tok::Int(_)) => Ok(Some(Attr::Int(name, self.uint()?))),
                    (_, Tok::Punct(b'=')) => {
                        self.bump()?;
                        if matches!(self.tok, Tok::Str(_)) {
                            let text = self.string()?;
                            return Ok(Some(Attr::Text(name, Some(self.m.names.intern(&text)))));
                        }
                        Ok(Some(Attr::Int(name, self.uint()?)))
                    }
                    (
                        b"byval" | b"sret" | b"byref" | b"inalloca" | b"preallocated" | b"elementtype",
                        Tok::Punct(b'('),
                    ) => {
                        self.bump()?;
                        let ty = self.ty()?;
                        self.want(b')')?;
                        Ok(Some(Attr::Type(name, ty)))
                    }
                    (_, Tok::Punct(b'(')) => {
                        let raw = self.skip_brackets()?;
                        let text = String::from_utf8_lossy(raw);
                        Ok(Some(match text.trim().parse() {
                            Ok(n) => Attr::Int(name, n),
                            Err(_) => Attr::Raw(name, text.into()),
                        }))
                    }
                    _ => Ok(Some(Attr::Flag(name))),
                }
            }
            _ => Ok(None),
        }
    }

    /// Every attribute that is next.
    pub(super) fn attrs(&mut self) -> Res<Vec<Attr>> {
        let mut attrs = Vec::new();
        while let Some(attr) = self.attr()? {
            attrs.push(attr);
        }
        Ok(attrs)
    }
}
