//! External declarations, declarations in blocks, and function definitions (C11 6.7, 6.9).

use super::declarator::{Declared, Naming};
use super::specifiers::Specifiers;
use super::{P, Parser};
use crate::ast::{
    Attribute, DeclId, Declaration, Declarator, ExprId, FnId, Function, Item, Params, Storage, TypeKind,
};
use crate::lex::token::{Soft, Tok};

/// What a declaration turned out to be.
pub(super) enum DeclOrFn {
    Decl(DeclId),
    Function(FnId),
}

impl Parser<'_> {
    /// One external declaration.
    pub(super) fn item(&mut self) -> P<()> {
        let lo = self.tok.lo;
        while self.eat(Tok::Extension) {}
        match self.kind() {
            Tok::Semi => self.advance(),
            Tok::StaticAssert => self.static_assert_item(lo)?,
            Tok::Asm => {
                let asm = self.asm_statement()?;
                let span = self.span_from(lo);
                self.ast.items.push(Item::Asm(asm.template, span));
            }
            Tok::Ident if self.at_static_assert() => self.static_assert_item(lo)?,
            Tok::Ident | Tok::Star | Tok::LParen => self.declaration_item(Vec::new())?,
            _ if self.at_attribute() => {
                let mut attrs = Vec::new();
                self.attributes(&mut attrs)?;
                // Attributes alone declare nothing.
                if !self.eat(Tok::Semi) {
                    self.declaration_item(attrs)?;
                }
            }
            _ if self.at_declaration() => self.declaration_item(Vec::new())?,
            _ => return Err(self.expected("a declaration")),
        }
        Ok(())
    }

    fn declaration_item(&mut self, attrs: Vec<Attribute>) -> P<()> {
        let item = match self.declaration(attrs)? {
            DeclOrFn::Decl(id) => Item::Decl(id),
            DeclOrFn::Function(id) => Item::Function(id),
        };
        self.ast.items.push(item);
        Ok(())
    }

    fn static_assert_item(&mut self, lo: u32) -> P<()> {
        let (condition, message) = self.static_assert()?;
        let span = self.span_from(lo);
        self.ast.items.push(Item::StaticAssert(condition, message, span));
        Ok(())
    }

    /// Does an assertion start here, in C11's spelling or in C23's?
    pub(super) fn at_static_assert(&mut self) -> bool {
        match self.kind() {
            Tok::StaticAssert => true,
            Tok::Ident if self.scopes.soft(self.tok.sym) == Some(Soft::StaticAssert) => {
                self.peek().kind == Tok::LParen
            }
            _ => false,
        }
    }

    /// `_Static_assert(e, "message");`
    pub(super) fn static_assert(&mut self) -> P<(ExprId, Option<Box<[u8]>>)> {
        self.advance();
        self.expect(Tok::LParen, "after `_Static_assert`")?;
        let condition = self.conditional()?;
        let message = if self.eat(Tok::Comma) { Some(self.string_bytes("the message")?) } else { None };
        self.expect(Tok::RParen, "after the assertion")?;
        self.expect(Tok::Semi, "after the assertion")?;
        Ok((condition, message))
    }

    /// A declaration or, where its first declarator is a function's and a body follows, a definition.
    pub(super) fn declaration(&mut self, attrs: Vec<Attribute>) -> P<DeclOrFn> {
        let lo = self.tok.lo;
        let mut specifiers = self.specifiers(attrs)?;
        self.infer(&mut specifiers);
        let typedef = specifiers.storage.has(Storage::TYPEDEF);
        let mut declarators = Vec::new();
        if self.tok.kind != Tok::Semi {
            loop {
                let mut leading = Vec::new();
                if !declarators.is_empty() {
                    self.attributes(&mut leading)?;
                }
                let mut declared = self.declarator(specifiers.base, Naming::Named)?;
                declared.attrs.extend(leading);
                let asm_label = self.label_and_attributes(&mut declared.attrs)?;
                if declarators.is_empty() && self.at_function_body(&declared) {
                    return self.function(lo, specifiers, declared, asm_label).map(DeclOrFn::Function);
                }
                let declarator = self.finish_declarator(declared, asm_label, typedef)?;
                declarators.push(declarator);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::Semi, "after the declaration")?;
        let Specifiers { storage, base, attrs, alignas } = specifiers;
        let span = self.span_from(lo);
        Ok(DeclOrFn::Decl(self.ast.push_decl(Declaration {
            storage,
            alignas,
            base,
            attrs,
            declarators,
            span,
        })))
    }

    /// C23's `auto x = e` is written as GNU C's `__auto_type x = e`, which no compiler takes for an `int`: where something
    /// before it says that the text is C23.
    fn infer(&mut self, specifiers: &mut Specifiers) {
        let Specifiers { storage, base, .. } = *specifiers;
        let infers = storage.has(Storage::AUTO) || storage.has(Storage::CONSTEXPR);
        let untyped = matches!(self.ast[base].kind, TypeKind::Implicit);
        // Behind the name there may be attributes. (An array without a type C23 has not.)
        let inferred = [Tok::Assign, Tok::Attribute, Tok::LBracket];
        if infers
            && untyped
            && self.ast.c23
            && self.tok.kind == Tok::Ident
            && inferred.contains(&self.peek().kind)
        {
            self.ast[base].kind = TypeKind::Auto;
            specifiers.storage = storage.without(Storage::AUTO);
        }
    }

    /// `asm("name")` and attributes behind a declarator.
    fn label_and_attributes(&mut self, attrs: &mut Vec<Attribute>) -> P<Option<Box<[u8]>>> {
        let mut label = None;
        loop {
            if self.tok.kind == Tok::Asm {
                self.advance();
                self.expect(Tok::LParen, "after `asm`")?;
                label = Some(self.string_bytes("the assembler name")?);
                self.expect(Tok::RParen, "after the assembler name")?;
            } else if self.at_attribute() {
                self.attributes(attrs)?;
            } else {
                return Ok(label);
            }
        }
    }

    /// The name comes into scope, then its initialiser is read.
    fn finish_declarator(
        &mut self,
        declared: Declared,
        asm_label: Option<Box<[u8]>>,
        typedef: bool,
    ) -> P<Declarator> {
        let Declared { name: Some(name), ty, attrs, span } = declared else {
            return Err(self.expected("a name to declare"));
        };
        self.scopes.declare(name, typedef);
        let init = if self.eat(Tok::Assign) { Some(self.initializer()?) } else { None };
        let span = self.span_from(span.lo);
        Ok(Declarator { name, ty, asm_label, attrs, init, span })
    }

    fn at_function_body(&mut self, declared: &Declared) -> bool {
        let old_style = match &self.ast[declared.ty].kind {
            TypeKind::Function { params, .. } => matches!(params, Params::Identifiers(_)),
            _ => return false,
        };
        self.tok.kind == Tok::LBrace || old_style && self.at_declaration()
    }

    /// The rest of a function definition, from old-style declarations on.
    fn function(
        &mut self,
        lo: u32,
        specifiers: Specifiers,
        declared: Declared,
        asm_label: Option<Box<[u8]>>,
    ) -> P<FnId> {
        let Declared { name: Some(name), ty, attrs: own_attrs, .. } = declared else {
            return Err(self.expected("the name of the function"));
        };
        self.scopes.declare(name, false);
        self.scopes.open();
        self.declare_parameters(ty);
        let rest = self.nested(|p| {
            let kr_decls = p.old_style_declarations()?;
            Ok((kr_decls, p.compound()?))
        });
        self.scopes.close();
        let (kr_decls, body) = rest?;
        let Specifiers { storage, base, mut attrs, alignas: _ } = specifiers;
        attrs.extend(own_attrs);
        let span = self.span_from(lo);
        Ok(self.ast.push_function(Function {
            storage,
            base,
            ty,
            name,
            attrs,
            asm_label,
            kr_decls,
            body,
            span,
        }))
    }

    fn old_style_declarations(&mut self) -> P<Vec<DeclId>> {
        let mut decls = Vec::new();
        while self.tok.kind != Tok::LBrace && self.at_declaration() {
            match self.declaration(Vec::new())? {
                DeclOrFn::Decl(id) => decls.push(id),
                DeclOrFn::Function(id) => {
                    let span = self.ast[id].span;
                    self.error(span, "expected the declaration of a parameter, found a function".to_string());
                }
            }
        }
        Ok(decls)
    }
}
