//! `struct`, `union` and `enum` specifiers (C11 6.7.2.1, 6.7.2.2; C23 6.7.3.3 for underlying types).

use super::declarator::Naming;
use super::specifiers::Specifiers;
use super::{P, Parser};
use crate::ast::{EnumSpec, Enumerator, FieldDecl, FieldDeclarator, Quals, RecordSpec, TypeId, TypeKind};
use crate::lex::token::Tok;

impl Parser<'_> {
    /// From `struct` or `union` on.
    pub(super) fn record_specifier(&mut self) -> P<TypeKind> {
        let lo = self.tok.lo;
        let is_union = self.tok.kind == Tok::Union;
        self.advance();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = if self.tok.kind == Tok::Ident { Some(self.expect_name("a tag")?) } else { None };
        let (mut fields, mut pack) = (None, None);
        if self.tok.kind == Tok::LBrace {
            self.advance();
            fields = Some(self.fields()?);
            pack = self.pack;
            self.expect(Tok::RBrace, "after the members")?;
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        let span = self.span_from(lo);
        let id = self.ast.push_record(RecordSpec { is_union, tag, fields, attrs, pack, span });
        Ok(TypeKind::Record(id))
    }

    fn fields(&mut self) -> P<Vec<FieldDecl>> {
        let mut fields = Vec::new();
        loop {
            match self.kind() {
                Tok::RBrace | Tok::Eof => return Ok(fields),
                Tok::Semi => self.advance(),
                _ if self.at_static_assert() => {
                    let (condition, message) = self.static_assert()?;
                    fields.push(FieldDecl::StaticAssert(condition, message));
                }
                _ => match self.field() {
                    Ok(field) => fields.push(field),
                    Err(failed) if self.tok.kind == Tok::Eof => return Err(failed),
                    Err(_) => self.skip_statement(),
                },
            }
        }
    }

    fn field(&mut self) -> P<FieldDecl> {
        let lo = self.tok.lo;
        if self.tok.kind == Tok::Ident && !self.at_type_name() {
            let name = self.ast.names.name(self.tok.sym).to_string();
            self.error(
                self.tok.span(),
                format!("expected the type of a member, found the unknown name `{name}`"),
            );
            self.scopes.declare(self.tok.sym, true);
        } else if !self.at_type_name()
            && !self.at_attribute()
            && !matches!(self.tok.kind, Tok::Extension | Tok::Alignas)
        {
            return Err(self.expected("a member or `}`"));
        }
        let Specifiers { storage: _, base, attrs, alignas } = self.specifier_qualifiers(Vec::new())?;
        let untyped = matches!(self.ast[base].kind, TypeKind::Implicit);
        let ends = matches!(self.kind(), Tok::Semi | Tok::RBrace);
        if untyped && (ends || self.ast[base].quals == Quals::NONE) {
            return Err(self.expected("the type of a member"));
        }
        let mut declarators = Vec::new();
        if !matches!(self.tok.kind, Tok::Semi | Tok::RBrace) {
            loop {
                let declarator = self.field_declarator(base)?;
                declarators.push(declarator);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        if self.tok.kind == Tok::RBrace {
            self.warn(self.span_from(lo), "a member ends without `;`, which compilers accept".to_owned());
        } else {
            self.expect(Tok::Semi, "after the member")?;
        }
        Ok(FieldDecl::Fields { base, alignas, attrs, declarators, span: self.span_from(lo) })
    }

    fn field_declarator(&mut self, base: crate::ast::TypeId) -> P<FieldDeclarator> {
        let lo = self.tok.lo;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let (mut name, mut ty) = (None, base);
        if self.tok.kind != Tok::Colon {
            let declared = self.declarator(base, Naming::Named)?;
            (name, ty) = (declared.name, declared.ty);
            attrs.extend(declared.attrs);
        }
        let width = if self.eat(Tok::Colon) { Some(self.conditional()?) } else { None };
        self.attributes(&mut attrs)?;
        Ok(FieldDeclarator { name, ty, width, attrs, span: self.span_from(lo) })
    }

    /// From `enum` on.
    pub(super) fn enum_specifier(&mut self) -> P<TypeKind> {
        let lo = self.tok.lo;
        self.advance();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = if self.tok.kind == Tok::Ident { Some(self.expect_name("a tag")?) } else { None };
        let mut enumerators = None;
        // In a record, `enum e : 3` is a bit-field: what follows says which it is.
        let mut underlying = None;
        if self.tok.kind == Tok::Colon {
            let next = self.peek();
            if self.starts_type_name(next) {
                self.advance();
                underlying = Some(self.underlying_type()?);
            }
        }
        if self.tok.kind == Tok::LBrace {
            self.advance();
            enumerators = Some(self.enumerators()?);
            self.expect(Tok::RBrace, "after the enumerators")?;
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        let span = self.span_from(lo);
        let id = self.ast.push_enum(EnumSpec { tag, underlying, enumerators, attrs, span });
        Ok(TypeKind::Enum(id))
    }

    /// The type behind the `:` of an `enum`, without declarators.
    fn underlying_type(&mut self) -> P<TypeId> {
        let Specifiers { base, attrs, .. } = self.specifier_qualifiers(Vec::new())?;
        self.ast[base].attrs = attrs;
        Ok(base)
    }

    fn enumerators(&mut self) -> P<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        while self.tok.kind != Tok::RBrace {
            let lo = self.tok.lo;
            let name = self.expect_name("an enumerator")?;
            let mut attrs = Vec::new();
            self.attributes(&mut attrs)?;
            let value = if self.eat(Tok::Assign) { Some(self.conditional()?) } else { None };
            self.scopes.declare(name, false);
            enumerators.push(Enumerator { name, value, attrs, span: self.span_from(lo) });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(enumerators)
    }
}
