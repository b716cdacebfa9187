//! Initialisers with designators, standard and GNU (C11 6.7.9).

use super::{P, Parser};
use crate::ast::{Designator, Init, InitId, InitItem, InitKind};
use crate::lex::token::Tok;

impl Parser<'_> {
    /// An expression or a braced list.
    pub(super) fn initializer(&mut self) -> P<InitId> {
        let lo = self.tok.lo;
        let kind = if self.tok.kind == Tok::LBrace {
            InitKind::List(self.nested(|p| p.initializer_list())?)
        } else {
            InitKind::Expr(self.assignment()?)
        };
        let span = self.span_from(lo);
        Ok(self.ast.push_init(Init { kind, span }))
    }

    /// `{ ... }` as an initialiser node.
    pub(super) fn braced_initializer(&mut self) -> P<InitId> {
        if self.tok.kind != Tok::LBrace {
            return Err(self.expected("`{`"));
        }
        self.initializer()
    }

    fn initializer_list(&mut self) -> P<Vec<InitItem>> {
        self.advance();
        let mut items = Vec::new();
        while self.tok.kind != Tok::RBrace {
            let designators = self.designators()?;
            let init = self.initializer()?;
            items.push(InitItem { designators, init });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "after the initialisers")?;
        Ok(items)
    }

    /// `.a[1][2 ... 3] =`, `[1]` without `=`, or `field:`; empty where there is none.
    fn designators(&mut self) -> P<Vec<Designator>> {
        let mut designators = Vec::new();
        if self.tok.kind == Tok::Ident {
            if self.peek().kind == Tok::Colon {
                designators.push(Designator::Field(self.tok.sym));
                self.advance();
                self.advance();
            }
            return Ok(designators);
        }
        loop {
            match self.kind() {
                Tok::Dot => {
                    self.advance();
                    designators.push(Designator::Field(self.expect_name("the name of a member")?));
                }
                Tok::LBracket => {
                    self.advance();
                    let low = self.conditional()?;
                    designators.push(if self.eat(Tok::Ellipsis) {
                        Designator::Range(low, self.conditional()?)
                    } else {
                        Designator::Index(low)
                    });
                    self.expect(Tok::RBracket, "after the index")?;
                }
                Tok::Assign if !designators.is_empty() => {
                    self.advance();
                    return Ok(designators);
                }
                _ => {
                    // GNU `[1] value`; a member's designator needs its `=`.
                    if let Some(Designator::Field(_)) = designators.last() {
                        return Err(self.expected("`=` after the designator"));
                    }
                    return Ok(designators);
                }
            }
        }
    }
}
