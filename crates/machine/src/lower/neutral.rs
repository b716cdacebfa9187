//! Neutral functions: they read their arguments and write their own variables, and nothing else. A call of one can be
//! moved past anything that is evaluated beside it (C11 6.5p3, 6.5.2.2p10), so that no other order need be tried.

use super::seq::operands;
use csyntax::ast::Quals;
use csyntax::tree::{ExprId, ExprKind, FnId, ObjId, StmtId, StmtKind, Storage, Unit};

/// Of each function, whether it is neutral. Calls of functions that come later, and recursive ones, count against it.
pub(super) fn neutral(unit: &Unit) -> Vec<bool> {
    let mut known = vec![false; unit.functions.len()];
    for index in 0..unit.functions.len() {
        let id = FnId(index as u32);
        let function = &unit[id];
        let plain = function.parent.is_none() && function.alias.is_none() && function.asm_label.is_none();
        if let Some(body) = function.body.filter(|_| plain && !function.noreturn) {
            known[index] = Inside { unit, function: id, known: &known }.body(body);
        }
    }
    known
}

/// All calls that name their function, with their arguments.
pub(super) fn direct_calls(unit: &Unit) -> impl Iterator<Item = (FnId, &[ExprId])> {
    unit.exprs.iter().filter_map(|e| match &e.kind {
        ExprKind::Call(callee, args) => unit.called(*callee).map(|f| (f, &args[..])),
        _ => None,
    })
}

struct Inside<'a> {
    unit: &'a Unit,
    function: FnId,
    known: &'a [bool],
}

impl Inside<'_> {
    fn body(&self, body: StmtId) -> bool {
        let mut stack = vec![body];
        while let Some(s) = stack.pop() {
            let fine = match &self.unit[s].kind {
                StmtKind::Nop | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => true,
                StmtKind::Expr(e) | StmtKind::Return(Some(e)) => self.value(*e),
                StmtKind::Block { body, .. } => {
                    stack.extend(body);
                    true
                }
                StmtKind::Decl(id) => {
                    let entries = self.unit[*id].init.iter().flat_map(|i| &i.entries);
                    self.own(*id) && entries.into_iter().all(|entry| self.value(entry.value))
                }
                StmtKind::If(c, t, f) => {
                    stack.push(*t);
                    stack.extend(f);
                    self.value(*c)
                }
                StmtKind::While(c, b) | StmtKind::DoWhile(b, c) => {
                    stack.push(*b);
                    self.value(*c)
                }
                StmtKind::For { init, cond, step, body } => {
                    stack.extend(init);
                    stack.push(*body);
                    cond.iter().chain(step).all(|e| self.value(*e))
                }
                StmtKind::Switch { value, body, .. } => {
                    stack.push(*body);
                    self.value(*value)
                }
                StmtKind::Case(_, s) | StmtKind::Default(s) | StmtKind::Label(_, s) => {
                    stack.push(*s);
                    true
                }
                StmtKind::Goto(_) => true,
                StmtKind::VlaEval(_) | StmtKind::GotoOuter(..) | StmtKind::GotoPtr(_) | StmtKind::Asm(_) => {
                    false
                }
            };
            if !fine {
                return false;
            }
        }
        true
    }

    /// An object of this activation that nothing outside can reach.
    fn own(&self, id: ObjId) -> bool {
        let object = &self.unit[id];
        object.storage != Storage::Static
            && object.owner == Some(self.function)
            && !object.addressed
            && object.cleanup.is_none()
            && !object.ty.quals.has(Quals::VOLATILE)
    }

    fn value(&self, e: ExprId) -> bool {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            let kind = &self.unit[e].kind;
            let fine = match kind {
                ExprKind::Object(id) => self.own(*id),
                ExprKind::Call(callee, args) => {
                    stack.extend(args);
                    let neutral = self.unit.called(*callee).is_some_and(|f| self.known[f.index()]);
                    if neutral {
                        continue;
                    }
                    false
                }
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Same
                | ExprKind::Load(_)
                | ExprKind::Convert { .. }
                | ExprKind::Neg(_)
                | ExprKind::BitNot(_)
                | ExprKind::Not(_)
                | ExprKind::Binary(..)
                | ExprKind::Compare(..)
                | ExprKind::LogAnd(..)
                | ExprKind::LogOr(..)
                | ExprKind::Cond(..)
                | ExprKind::CondElvis { .. }
                | ExprKind::Comma(..)
                | ExprKind::Assign(..)
                | ExprKind::CompoundAssign { .. }
                | ExprKind::IncDec { .. } => true,
                ExprKind::VlaLen(_)
                | ExprKind::LabelAddr(_)
                | ExprKind::LabelAddrOuter(..)
                | ExprKind::Str(_)
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
                | ExprKind::CompoundLit(_)
                | ExprKind::Materialize(..)
                | ExprKind::VectorElem(..)
                | ExprKind::ComplexPart { .. }
                | ExprKind::Function(_)
                | ExprKind::Decay(_)
                | ExprKind::AddrOf(_)
                | ExprKind::PtrAdd { .. }
                | ExprKind::PtrDiff(..)
                | ExprKind::Builtin(..)
                | ExprKind::StmtExpr { .. }
                | ExprKind::VaArg(_)
                | ExprKind::PartOf(..)
                | ExprKind::VlaEval(..)
                | ExprKind::Complex(..) => false,
            };
            if !fine {
                return false;
            }
            operands(kind, &mut stack);
        }
        true
    }
}
