//! Attributes: GNU `__attribute__((...))` and `[[...]]` (kept under the GNU names that mean the same).

use super::{P, Parser};
use crate::ast::{AttrArg, Attribute};
use crate::lex::token::Tok;

impl Parser<'_> {
    /// Does an attribute specifier start here?
    pub(super) fn at_attribute(&mut self) -> bool {
        match self.kind() {
            Tok::Attribute => true,
            Tok::LBracket => self.peek().kind == Tok::LBracket,
            _ => false,
        }
    }

    /// Zero or more attribute specifiers, appended to `out`.
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) -> P<()> {
        loop {
            match self.kind() {
                Tok::Attribute => self.gnu_attribute(out)?,
                Tok::LBracket if self.peek().kind == Tok::LBracket => self.standard_attribute(out)?,
                _ => return Ok(()),
            }
        }
    }

    fn gnu_attribute(&mut self, out: &mut Vec<Attribute>) -> P<()> {
        self.advance();
        self.expect(Tok::LParen, "after `__attribute__`")?;
        self.expect(Tok::LParen, "after `__attribute__(`")?;
        loop {
            while self.eat(Tok::Comma) {}
            if self.tok.kind == Tok::RParen {
                break;
            }
            let attribute = self.attribute()?;
            out.push(attribute);
            if self.tok.kind != Tok::Comma {
                break;
            }
        }
        self.expect(Tok::RParen, "after the attributes")?;
        self.expect(Tok::RParen, "after the attributes")
    }

    /// `name` or `name(arguments)`; the name may be any word.
    fn attribute(&mut self) -> P<Attribute> {
        let name = self.attribute_name()?;
        let name = self.strip_underscores(name);
        let args = if self.tok.kind == Tok::LParen { Some(self.attribute_arguments()?) } else { None };
        Ok(Attribute { name: self.ast.names.intern(&name), args })
    }

    fn attribute_name(&mut self) -> P<crate::intern::Symbol> {
        let word = self.token_text(self.tok).first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
        if self.tok.kind == Tok::Ident || word && !matches!(self.tok.kind, Tok::Str | Tok::Char) {
            let name = self.tok.sym;
            self.advance();
            return Ok(name);
        }
        Err(self.expected("the name of an attribute"))
    }

    fn strip_underscores(&self, name: crate::intern::Symbol) -> String {
        let name = self.ast.names.name(name);
        let bare = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).filter(|n| !n.is_empty());
        bare.unwrap_or(name).to_string()
    }

    fn attribute_arguments(&mut self) -> P<Vec<AttrArg>> {
        self.nested(Self::attribute_arguments_inside)
    }

    fn attribute_arguments_inside(&mut self) -> P<Vec<AttrArg>> {
        self.advance();
        let mut args = Vec::new();
        if self.eat(Tok::RParen) {
            return Ok(args);
        }
        loop {
            let arg = if self.at_type_name() {
                AttrArg::Type(self.type_name()?)
            } else {
                AttrArg::Expr(self.assignment()?)
            };
            args.push(arg);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "after the arguments of the attribute")?;
        Ok(args)
    }

    /// Skips from `(` to its `)`.
    fn skip_balanced(&mut self) {
        let mut open = 0u32;
        loop {
            match self.kind() {
                Tok::LParen | Tok::LBracket | Tok::LBrace => open += 1,
                Tok::RParen | Tok::RBracket | Tok::RBrace => open = open.saturating_sub(1),
                Tok::Eof => return,
                _ => {}
            }
            self.advance();
            if open == 0 {
                return;
            }
        }
    }

    /// `[[a, gnu::b(c)]]`. Attributes without a GNU name of the same meaning are left out.
    fn standard_attribute(&mut self, out: &mut Vec<Attribute>) -> P<()> {
        self.advance();
        self.advance();
        loop {
            while self.eat(Tok::Comma) {}
            if self.tok.kind == Tok::RBracket {
                break;
            }
            let mut name = self.attribute_name()?;
            let mut vendor = false;
            if self.tok.kind == Tok::Colon && self.peek().kind == Tok::Colon {
                self.advance();
                self.advance();
                vendor = matches!(self.strip_underscores(name).as_str(), "gnu" | "clang");
                name = self.attribute_name()?;
                if !vendor {
                    name = self.ast.names.intern("");
                }
            }
            let name = self.strip_underscores(name);
            let name = match name.as_str() {
                name if vendor => Some(name),
                "maybe_unused" => Some("unused"),
                "nodiscard" => Some("warn_unused_result"),
                "_Noreturn" => Some("noreturn"),
                name @ ("deprecated" | "fallthrough" | "noreturn") => Some(name),
                _ => None,
            };
            let arguments = self.tok.kind == Tok::LParen;
            match name {
                Some(name) => {
                    let name = self.ast.names.intern(name);
                    let args = if arguments { Some(self.attribute_arguments()?) } else { None };
                    out.push(Attribute { name, args });
                }
                None if arguments => self.skip_balanced(),
                None => {}
            }
            if self.tok.kind != Tok::Comma {
                break;
            }
        }
        self.expect(Tok::RBracket, "after the attributes")?;
        self.expect(Tok::RBracket, "after the attributes")
    }
}
