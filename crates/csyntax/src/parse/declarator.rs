//! Declarators and type names (C11 6.7.6, 6.7.7), turned inside out into type nodes.
//!
//! A declarator is read into chunks, nearest to the name first; the chunks are then folded onto the specifier
//! type from the other end.

use super::specifiers::{Specifiers, qualifier};
use super::{MAX_NESTING, P, Parser};
use crate::ast::{
    Alignas, ArraySize, AttrArg, Attribute, ExprKind, Param, Params, Quals, Storage, TypeId, TypeKind,
    TypeNode,
};
use crate::intern::Symbol;
use crate::lex::token::Tok;
use crate::source::Span;

/// One part of a declarator.
pub(super) struct Chunk {
    kind: ChunkKind,
    quals: Quals,
    attrs: Vec<Attribute>,
    span: Span,
}

enum ChunkKind {
    Pointer,
    Array { size: ArraySize, quals: Quals, is_static: bool },
    Function(Params),
}

/// May or must a declarator have a name?
#[derive(Copy, Clone, PartialEq)]
pub(super) enum Naming {
    Named,
    Abstract,
    Either,
}

/// What a declarator declares.
pub(super) struct Declared {
    pub(super) name: Option<Symbol>,
    pub(super) ty: TypeId,
    /// Attributes of the declared entity itself.
    pub(super) attrs: Vec<Attribute>,
    pub(super) span: Span,
}

impl Parser<'_> {
    /// Reads a declarator and folds it onto `base`.
    pub(super) fn declarator(&mut self, base: TypeId, naming: Naming) -> P<Declared> {
        let lo = self.tok.lo;
        let start = self.chunks.len();
        let mut attrs = Vec::new();
        let name = match self.declarator_chunks(naming, &mut attrs) {
            Ok(name) => name,
            Err(failed) => {
                self.chunks.truncate(start);
                return Err(failed);
            }
        };
        let mut ty = base;
        while self.chunks.len() > start {
            let Some(chunk) = self.chunks.pop() else { break };
            let kind = match chunk.kind {
                ChunkKind::Pointer => TypeKind::Pointer(ty),
                ChunkKind::Array { size, quals, is_static } => {
                    TypeKind::Array { elem: ty, size, quals, is_static }
                }
                ChunkKind::Function(params) => TypeKind::Function { ret: ty, params },
            };
            ty = self.ast.push_type(TypeNode {
                kind,
                quals: chunk.quals,
                attrs: chunk.attrs,
                span: chunk.span,
            });
        }
        Ok(Declared { name, ty, attrs, span: self.span_from(lo) })
    }

    /// Pushes the chunks of a declarator, nearest to the name first; gives the name.
    fn declarator_chunks(&mut self, naming: Naming, own_attrs: &mut Vec<Attribute>) -> P<Option<Symbol>> {
        let pointers = self.pointers()?;
        let name = match self.kind() {
            Tok::Ident if naming != Naming::Abstract => {
                let name = self.tok.sym;
                self.advance();
                Some(name)
            }
            Tok::LParen => {
                self.advance();
                let lo = self.prev_hi - 1;
                let mut attrs = Vec::new();
                self.attributes(&mut attrs)?;
                let parameters = naming != Naming::Named
                    && (matches!(self.tok.kind, Tok::RParen | Tok::Ellipsis) || self.at_declaration());
                if parameters {
                    self.parameters_chunk(lo, attrs)?;
                    None
                } else {
                    self.parenthesised(naming, attrs, own_attrs)?
                }
            }
            _ if naming == Naming::Named => return Err(self.expected("a name to declare")),
            _ => None,
        };
        self.suffixes(own_attrs)?;
        self.chunks.extend(pointers.into_iter().rev());
        Ok(name)
    }

    /// The inside of a parenthesised declarator and its `)`. Leading attributes belong to the type around it.
    fn parenthesised(
        &mut self,
        naming: Naming,
        attrs: Vec<Attribute>,
        own_attrs: &mut Vec<Attribute>,
    ) -> P<Option<Symbol>> {
        let name = self.nested(|p| p.declarator_chunks(naming, own_attrs))?;
        self.expect(Tok::RParen, "after the declarator")?;
        if attrs.is_empty() {
            return Ok(name);
        }
        let around = self.chunks.len();
        self.suffixes(own_attrs)?;
        match self.chunks.get_mut(around) {
            Some(chunk) => chunk.attrs.extend(attrs),
            None => own_attrs.extend(attrs),
        }
        Ok(name)
    }

    /// `* const volatile __attribute__((x)) * ...`, left to right.
    fn pointers(&mut self) -> P<Vec<Chunk>> {
        let mut pointers = Vec::new();
        while matches!(self.tok.kind, Tok::Star | Tok::Caret) {
            if self.tok.kind == Tok::Caret {
                return Err(self.expected("a declarator (blocks are not C)"));
            }
            let lo = self.tok.lo;
            self.advance();
            let mut attrs = Vec::new();
            let quals = self.qualifiers(&mut attrs)?;
            let span = self.span_from(lo);
            pointers.push(Chunk { kind: ChunkKind::Pointer, quals, attrs, span });
            self.check_chunks(pointers.len())?;
        }
        Ok(pointers)
    }

    fn qualifiers(&mut self, attrs: &mut Vec<Attribute>) -> P<Quals> {
        let mut quals = Quals::NONE;
        loop {
            match self.kind() {
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => {
                    quals = quals.with(qualifier(self.tok.kind));
                    self.advance();
                }
                Tok::Attribute => self.attributes(attrs)?,
                Tok::LBracket if self.at_attribute() => self.attributes(attrs)?,
                _ => return Ok(quals),
            }
        }
    }

    /// Array bounds and parameter lists behind the name; `[[...]]` among them goes to `own_attrs`.
    fn suffixes(&mut self, own_attrs: &mut Vec<Attribute>) -> P<()> {
        loop {
            self.check_chunks(0)?;
            match self.kind() {
                Tok::LBracket => {
                    if self.at_attribute() {
                        self.attributes(own_attrs)?;
                    } else {
                        self.array_chunk()?;
                    }
                }
                Tok::LParen => {
                    let lo = self.tok.lo;
                    self.advance();
                    self.parameters_chunk(lo, Vec::new())?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// A type built from too many parts nests as deep.
    fn check_chunks(&mut self, more: usize) -> P<()> {
        if self.chunks.len() + more > MAX_NESTING as usize {
            return Err(self.too_deep());
        }
        Ok(())
    }

    fn array_chunk(&mut self) -> P<()> {
        let lo = self.tok.lo;
        self.advance();
        let mut ignored = Vec::new();
        let mut is_static = self.eat(Tok::Static);
        let mut quals = self.qualifiers(&mut ignored)?;
        if !is_static && self.eat(Tok::Static) {
            is_static = true;
            quals = quals.with(self.qualifiers(&mut ignored)?);
        }
        let size = match self.kind() {
            Tok::RBracket => ArraySize::None,
            Tok::Star if self.peek().kind == Tok::RBracket => {
                self.advance();
                ArraySize::Star
            }
            _ => ArraySize::Expr(self.nested(|p| p.expression())?),
        };
        self.expect(Tok::RBracket, "after the array bound")?;
        let kind = ChunkKind::Array { size, quals, is_static };
        let span = self.span_from(lo);
        self.chunks.push(Chunk { kind, quals: Quals::NONE, attrs: Vec::new(), span });
        Ok(())
    }

    /// A parameter list whose `(` at `lo` is read; `attrs` were read as the start of the first parameter.
    fn parameters_chunk(&mut self, lo: u32, attrs: Vec<Attribute>) -> P<()> {
        self.scopes.open();
        let params = self.nested(|p| p.parameters(attrs));
        self.scopes.close();
        let params = params?;
        let span = self.span_from(lo);
        self.chunks.push(Chunk {
            kind: ChunkKind::Function(params),
            quals: Quals::NONE,
            attrs: Vec::new(),
            span,
        });
        Ok(())
    }

    fn parameters(&mut self, attrs: Vec<Attribute>) -> P<Params> {
        if self.eat(Tok::RParen) {
            return Ok(Params::Unspecified);
        }
        if self.tok.kind == Tok::Void && attrs.is_empty() && self.peek().kind == Tok::RParen {
            self.advance();
            self.advance();
            return Ok(Params::Prototype { params: Vec::new(), variadic: false });
        }
        if self.tok.kind == Tok::Ident
            && !self.at_type_name()
            && matches!(self.peek().kind, Tok::Comma | Tok::RParen)
        {
            return self.identifier_list();
        }
        let mut params = Vec::new();
        let mut attrs = attrs;
        loop {
            if self.eat(Tok::Ellipsis) {
                self.expect(Tok::RParen, "after `...`")?;
                return Ok(Params::Prototype { params, variadic: true });
            }
            // It means nothing here, and is no type.
            while self.eat(Tok::Extension) {}
            if attrs.is_empty() && !self.at_declaration() && !self.at_attribute() {
                let unknown = self.tok.kind == Tok::Ident;
                let next = self.peek().kind;
                if !(unknown && matches!(next, Tok::Ident | Tok::Star | Tok::Comma | Tok::RParen)) {
                    return Err(self.expected("the type of a parameter"));
                }
                let name = self.ast.names.name(self.tok.sym).to_string();
                self.error(
                    self.tok.span(),
                    format!("expected the type of a parameter, found the unknown name `{name}`"),
                );
                self.scopes.declare(self.tok.sym, true);
            }
            params.push(self.parameter(std::mem::take(&mut attrs))?);
            if self.tok.kind == Tok::Semi {
                return Err(
                    self.expected("`,` or `)` (parameters declared ahead with `;` are not supported)")
                );
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "after the parameters")?;
        Ok(Params::Prototype { params, variadic: false })
    }

    fn identifier_list(&mut self) -> P<Params> {
        let mut names = Vec::new();
        loop {
            let name = self.expect_name("the name of a parameter")?;
            self.scopes.declare(name, false);
            names.push(name);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "after the parameters")?;
        Ok(Params::Identifiers(names))
    }

    fn parameter(&mut self, attrs: Vec<Attribute>) -> P<Param> {
        let lo = self.tok.lo;
        let Specifiers { storage, base, mut attrs, alignas: _ } = self.specifiers(attrs)?;
        let declared = self.declarator(base, Naming::Either)?;
        let nothing = declared.name.is_none() && declared.ty == base;
        if nothing && matches!(self.ast[base].kind, TypeKind::Implicit) {
            return Err(self.expected("the type of a parameter"));
        }
        attrs.extend(declared.attrs);
        self.attributes(&mut attrs)?;
        if let Some(name) = declared.name {
            self.scopes.declare(name, false);
        }
        if storage.0 & !Storage::REGISTER.0 != 0 {
            let span = self.span_from(lo);
            self.error(
                span,
                "expected no storage class but `register` on a parameter, found another".to_string(),
            );
        }
        Ok(Param { storage, base, ty: declared.ty, name: declared.name, attrs, span: self.span_from(lo) })
    }

    /// A type name, as in casts. Attributes of the specifiers go to the specifier type's node.
    pub(super) fn type_name(&mut self) -> P<TypeId> {
        self.nested(Self::type_name_inside)
    }

    fn type_name_inside(&mut self) -> P<TypeId> {
        let specifiers = self.specifier_qualifiers(Vec::new())?;
        let declared = self.declarator(specifiers.base, Naming::Abstract)?;
        let mut attrs = specifiers.attrs;
        // A type name has no place for alignments but the attribute that means the same.
        for alignment in specifiers.alignas {
            let value = match alignment {
                Alignas::Expr(value) => value,
                Alignas::Type(ty) => self.ast.expr(ExprKind::AlignofType(ty)),
            };
            let name = self.ast.names.intern("aligned");
            attrs.push(Attribute { name, args: Some(vec![AttrArg::Expr(value)]) });
        }
        attrs.extend(declared.attrs);
        self.attributes(&mut attrs)?;
        self.ast[specifiers.base].attrs = attrs;
        Ok(declared.ty)
    }

    /// Declares the parameters of the function type `ty` in the scope of its body.
    pub(super) fn declare_parameters(&mut self, ty: TypeId) {
        if let TypeKind::Function { params, .. } = &self.ast[ty].kind {
            match params {
                Params::Unspecified => {}
                Params::Identifiers(names) => {
                    for &name in names {
                        self.scopes.declare(name, false);
                    }
                }
                Params::Prototype { params, .. } => {
                    for name in params.iter().filter_map(|p| p.name) {
                        self.scopes.declare(name, false);
                    }
                }
            }
        }
    }
}
