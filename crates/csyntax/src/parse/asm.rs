//! Inline assembly, carried as written.

use super::{P, Parser};
use crate::ast::{AsmOperand, AsmStmt};
use crate::lex::token::Tok;

impl Parser<'_> {
    /// From `asm` to the `;`.
    pub(super) fn asm_statement(&mut self) -> P<AsmStmt> {
        self.advance();
        let (mut volatile, mut goto, mut inline) = (false, false, false);
        loop {
            match self.kind() {
                Tok::Volatile => volatile = true,
                Tok::Goto => goto = true,
                Tok::Inline => inline = true,
                Tok::Const => {}
                _ => break,
            }
            self.advance();
        }
        self.expect(Tok::LParen, "after `asm`")?;
        let template = self.string_bytes("the assembler text")?;
        let mut asm = AsmStmt {
            volatile,
            goto,
            inline,
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
            extended: false,
        };
        if self.eat(Tok::Colon) {
            asm.extended = true;
            asm.outputs = self.asm_operands()?;
            if self.eat(Tok::Colon) {
                asm.inputs = self.asm_operands()?;
                if self.eat(Tok::Colon) {
                    self.asm_clobbers(&mut asm)?;
                }
            }
        }
        self.expect(Tok::RParen, "after the operands of `asm`")?;
        self.expect(Tok::Semi, "after `asm`")?;
        Ok(asm)
    }

    fn asm_operands(&mut self) -> P<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        if matches!(self.tok.kind, Tok::Colon | Tok::RParen) {
            return Ok(operands);
        }
        loop {
            let name = if self.eat(Tok::LBracket) {
                let name = self.expect_name("the name of the operand")?;
                self.expect(Tok::RBracket, "after the name of the operand")?;
                Some(name)
            } else {
                None
            };
            let constraint = self.string_bytes("a constraint")?;
            self.expect(Tok::LParen, "after the constraint")?;
            let expr = self.nested(|p| p.expression())?;
            self.expect(Tok::RParen, "after the operand")?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(Tok::Comma) {
                return Ok(operands);
            }
        }
    }

    fn asm_clobbers(&mut self, asm: &mut AsmStmt) -> P<()> {
        while self.tok.kind == Tok::Str {
            asm.clobbers.push(self.string_bytes("a clobber")?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.eat(Tok::Colon) {
            while self.tok.kind == Tok::Ident {
                asm.labels.push(self.expect_name("a label")?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        Ok(())
    }
}
