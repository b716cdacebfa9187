//! Inline assembly: operands are checked, the text is carried along.

use super::Checker;
use crate::ast::{AsmOperand, AsmStmt};
use crate::source::Span;
use crate::tree::{Asm, ExprId, StmtKind};

/// Does a constraint allow nothing but memory?
fn memory_only(constraint: &[u8]) -> bool {
    let memory = constraint.iter().any(|c| b"moV<>".contains(c));
    memory && !constraint.iter().any(|c| c.is_ascii_alphanumeric() && !b"moV".contains(c))
}

impl Checker<'_> {
    pub(super) fn asm(&mut self, asm: &AsmStmt, _span: Span) -> StmtKind {
        let outputs = asm.outputs.iter().map(|o| self.asm_output(o)).collect();
        let inputs = asm.inputs.iter().map(|i| self.asm_input(i)).collect();
        StmtKind::Asm(Box::new(Asm {
            template: asm.template.clone(),
            volatile: asm.volatile || asm.outputs.is_empty(),
            outputs,
            inputs,
            goto: asm.goto,
        }))
    }

    fn asm_output(&mut self, operand: &AsmOperand) -> (Box<[u8]>, ExprId) {
        let place = self.expr(operand.expr);
        if operand.constraint.contains(&b'm') {
            self.mark_addressed(place);
        }
        if !self.is_lvalue(place) && !self.is_poison(place) {
            let at = self.at_of(place);
            self.error(at.span, "an output operand of asm must be an object");
        }
        (operand.constraint.clone(), place)
    }

    fn asm_input(&mut self, operand: &AsmOperand) -> (Box<[u8]>, ExprId) {
        let expr = self.expr(operand.expr);
        let value = if memory_only(&operand.constraint) && self.is_lvalue(expr) {
            self.mark_addressed(expr);
            expr
        } else {
            self.value(expr)
        };
        (operand.constraint.clone(), value)
    }
}
