//! Statements.

use super::convert::Purpose;
use super::{At, Checker};
use crate::ast::{self, ForInit, StmtKind as A};
use crate::source::Span;
use crate::tree::{Builtin, ExprId, ExprKind, StmtId, StmtKind};
use crate::types::Ty;

/// A `switch` whose body is being checked.
#[derive(Debug)]
pub(super) struct SwitchState {
    ty: Ty,
    cases: Vec<(i128, i128)>,
    spans: Vec<Span>,
    has_default: bool,
}

impl Checker<'_> {
    fn state(&mut self) -> Option<&mut super::function::FnState> {
        self.functions.last_mut()
    }

    /// One statement.
    pub(super) fn stmt(&mut self, id: ast::StmtId) -> StmtId {
        let span = self.ast[id].span;
        let nop = |c: &mut Self| c.push_stmt(StmtKind::Nop, span, id);
        self.deeper(span, |c| c.stmt_node(id, span), nop)
    }

    /// Statements of a block, declarations spread over as many as they need.
    pub(super) fn items(&mut self, items: &[ast::StmtId], out: &mut Vec<StmtId>) {
        for &item in items {
            match self.ast[item].kind {
                A::Decl(decl) => {
                    let made = self.declaration(decl, Some(item));
                    out.extend(made);
                }
                _ => out.push(self.stmt(item)),
            }
        }
    }

    fn stmt_node(&mut self, id: ast::StmtId, span: Span) -> StmtId {
        let ast = self.ast;
        let kind = match &ast[id].kind {
            A::Compound(items) => return self.compound(items, span, id),
            A::Expr(expr) => {
                let value = self.expr(*expr);
                StmtKind::Expr(self.discarded(value))
            }
            A::Null | A::Pragma(_) => StmtKind::Nop,
            A::Attr(attrs) => return self.attribute_statement(attrs, span, id),
            A::Decl(decl) => {
                let body = self.declaration(*decl, Some(id));
                StmtKind::Block { locals: Vec::new(), body }
            }
            A::NestedFn(function) => {
                self.nested_definition(*function);
                StmtKind::Nop
            }
            A::LocalLabels(names) => {
                if let Some(state) = self.state() {
                    for &name in names {
                        state.labels.declare_local(name, span);
                    }
                }
                StmtKind::Nop
            }
            A::StaticAssert(cond, message) => {
                self.static_assert(*cond, message.as_deref(), span);
                StmtKind::Nop
            }
            A::If(cond, then, other) => self.as_block(id, span, |c| {
                let cond = c.cond_expr(*cond);
                let then = c.substatement(*then);
                StmtKind::If(cond, then, other.map(|s| c.substatement(s)))
            }),
            A::While(cond, body) => self.as_block(id, span, |c| {
                let cond = c.cond_expr(*cond);
                StmtKind::While(cond, c.loop_body(*body))
            }),
            A::DoWhile(body, cond) => self.as_block(id, span, |c| {
                let body = c.loop_body(*body);
                StmtKind::DoWhile(body, c.cond_expr(*cond))
            }),
            A::For { init, cond, step, body } => return self.for_loop(init, *cond, *step, *body, span, id),
            A::Switch(value, body) => self.as_block(id, span, |c| c.switch(*value, *body)),
            A::Case(low, high, body) => self.case(*low, *high, *body, span),
            A::Default(body) => self.default(*body, span),
            A::Label(name, _, body) => {
                let label = self.define_label(*name, span);
                StmtKind::Label(label, self.stmt(*body))
            }
            A::Goto(name) => self.goto(*name, span),
            A::GotoPtr(target) => {
                let value = self.rvalue(*target);
                let pointer = self.tree.types.pointer(Ty::VOID);
                StmtKind::GotoPtr(self.coerce(value, pointer))
            }
            A::Break => {
                if self.functions.last().is_none_or(|f| f.breakable == 0) {
                    self.error(span, "'break' outside of a loop or switch");
                }
                StmtKind::Break
            }
            A::Continue => {
                if self.functions.last().is_none_or(|f| f.loops == 0) {
                    self.error(span, "'continue' outside of a loop");
                }
                StmtKind::Continue
            }
            A::Return(value) => self.return_stmt(*value, span),
            A::Asm(asm) => self.asm(asm, span),
            A::Error => {
                self.errors += 1;
                StmtKind::Nop
            }
        };
        self.push_stmt(kind, span, id)
    }

    /// Attributes on an empty statement: `assume(e)` says that `e` would be true here (GNU C, since gcc 13 and clang 19).
    fn attribute_statement(&mut self, attrs: &[ast::Attribute], span: Span, id: ast::StmtId) -> StmtId {
        let mut body = Vec::new();
        let ast = self.ast;
        for attr in attrs.iter().filter(|attr| ast.names.name(attr.name) == "assume") {
            // With a string it is clang's older attribute of OpenMP.
            let Some([ast::AttrArg::Expr(condition)]) = attr.args.as_deref() else { continue };
            if matches!(self.ast[*condition].kind, ast::ExprKind::Str(_)) {
                continue;
            }
            let promise = self.assumption(*condition, span);
            body.push(self.push_stmt(StmtKind::Expr(promise), span, id));
        }
        match body.as_slice() {
            [] => self.push_stmt(StmtKind::Nop, span, id),
            &[one] => one,
            _ => self.push_stmt(StmtKind::Block { locals: Vec::new(), body }, span, id),
        }
    }

    /// A condition that is not evaluated and has to hold. What has side effects cannot be looked at without them.
    fn assumption(&mut self, condition: ast::ExprId, span: Span) -> ExprId {
        let first = self.tree.exprs.len();
        let value = self.expr(condition);
        let value = self.condition(value);
        let acts = self.tree.exprs[first..].iter().any(|expr| match &expr.kind {
            ExprKind::Load(place) => self.qty(*place).quals.has(ast::Quals::VOLATILE),
            ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call(..)
            | ExprKind::Builtin(..)
            | ExprKind::StmtExpr { .. }
            | ExprKind::CompoundLit(_)
            | ExprKind::VlaEval(..)
            | ExprKind::VaArg(_) => true,
            _ => false,
        });
        if acts {
            self.unsupported(span, "an assumption with side effects, calls or statements in it");
        }
        let at = self.at(condition);
        self.push(ExprKind::Builtin(Builtin::Assume, vec![value]), Ty::VOID, at)
    }

    fn compound(&mut self, items: &[ast::StmtId], span: Span, id: ast::StmtId) -> StmtId {
        let mark = self.enter_block();
        let mut body = Vec::with_capacity(items.len());
        self.items(items, &mut body);
        let locals = self.leave_block(mark);
        self.push_stmt(StmtKind::Block { locals, body }, span, id)
    }

    fn enter_block(&mut self) -> usize {
        self.scope.enter();
        match self.state() {
            Some(state) => {
                state.locals.push(Vec::new());
                state.labels.mark()
            }
            None => 0,
        }
    }

    fn leave_block(&mut self, mark: usize) -> Vec<crate::tree::ObjId> {
        self.scope.leave();
        match self.state() {
            Some(state) => {
                state.labels.leave(mark);
                state.locals.pop().unwrap_or_default()
            }
            None => Vec::new(),
        }
    }

    /// A selection or iteration statement, or the statement that one governs, is a block (6.8.4p3, 6.8.5p5): for tags,
    /// and for the lifetimes of compound literals.
    fn as_block(
        &mut self,
        id: ast::StmtId,
        span: Span,
        inside: impl FnOnce(&mut Self) -> StmtKind,
    ) -> StmtKind {
        let mark = self.enter_block();
        let kind = inside(self);
        let locals = self.leave_block(mark);
        if locals.is_empty() {
            return kind;
        }
        let body = vec![self.push_stmt(kind, span, id)];
        StmtKind::Block { locals, body }
    }

    fn substatement(&mut self, id: ast::StmtId) -> StmtId {
        let mark = self.enter_block();
        let stmt = self.stmt(id);
        let locals = self.leave_block(mark);
        if locals.is_empty() {
            return stmt;
        }
        self.push_stmt(StmtKind::Block { locals, body: vec![stmt] }, self.ast[id].span, id)
    }

    fn cond_expr(&mut self, cond: ast::ExprId) -> ExprId {
        let value = self.expr(cond);
        self.condition(value)
    }

    fn loop_body(&mut self, body: ast::StmtId) -> StmtId {
        if let Some(state) = self.state() {
            state.breakable += 1;
            state.loops += 1;
        }
        let body = self.substatement(body);
        if let Some(state) = self.state() {
            state.breakable -= 1;
            state.loops -= 1;
        }
        body
    }

    fn for_loop(
        &mut self,
        init: &ForInit,
        cond: Option<ast::ExprId>,
        step: Option<ast::ExprId>,
        body: ast::StmtId,
        span: Span,
        id: ast::StmtId,
    ) -> StmtId {
        let mark = self.enter_block();
        let init = match init {
            ForInit::None => Vec::new(),
            ForInit::Expr(expr) => {
                let value = self.expr(*expr);
                let value = self.discarded(value);
                vec![self.push_stmt(StmtKind::Expr(value), self.ast[*expr].span, id)]
            }
            ForInit::Decl(decl) => self.declaration(*decl, Some(id)),
        };
        let cond = cond.map(|c| self.cond_expr(c));
        let step = step.map(|s| {
            let value = self.expr(s);
            self.discarded(value)
        });
        let body = self.loop_body(body);
        let locals = self.leave_block(mark);
        let stmt = self.push_stmt(StmtKind::For { init, cond, step, body }, span, id);
        if locals.is_empty() {
            return stmt;
        }
        self.push_stmt(StmtKind::Block { locals, body: vec![stmt] }, span, id)
    }

    // ----- switch

    fn switch(&mut self, value: ast::ExprId, body: ast::StmtId) -> StmtKind {
        let value = self.rvalue(value);
        let mut value = self.promote(value);
        if !self.is_integer(self.ty(value)) {
            let text = self.show(self.ty(value));
            let at = self.at_of(value);
            value = self.error_expr(at, format!("'switch' needs an integer, found '{text}'"));
        }
        let ty = self.ty(value);
        let fresh = SwitchState { ty, cases: Vec::new(), spans: Vec::new(), has_default: false };
        if let Some(state) = self.state() {
            state.switches.push(fresh);
            state.breakable += 1;
        }
        let body = self.substatement(body);
        let Some(state) = self.state() else { return StmtKind::Nop };
        state.breakable -= 1;
        let Some(switch) = state.switches.pop() else { return StmtKind::Nop };
        self.check_cases(&switch);
        StmtKind::Switch { value, cases: switch.cases, has_default: switch.has_default, body }
    }

    fn check_cases(&mut self, switch: &SwitchState) {
        let mut order: Vec<usize> =
            (0..switch.cases.len()).filter(|&i| switch.cases[i].0 <= switch.cases[i].1).collect();
        order.sort_by_key(|&i| switch.cases[i].0);
        for pair in order.windows(2) {
            let (first, second) = (switch.cases[pair[0]], switch.cases[pair[1]]);
            if second.0 <= first.1 {
                self.error(switch.spans[pair[1]], format!("the case value {} appears twice", second.0));
            }
        }
    }

    fn case(
        &mut self,
        low: ast::ExprId,
        high: Option<ast::ExprId>,
        body: ast::StmtId,
        span: Span,
    ) -> StmtKind {
        let low = self.need_constant(low, "a case label");
        let high = match high {
            Some(high) => self.need_constant(high, "a case label"),
            None => low,
        };
        let Some(ty) = self.state().and_then(|s| s.switches.last()).map(|s| s.ty) else {
            self.error(span, "a case label outside of a switch");
            return StmtKind::Block { locals: Vec::new(), body: vec![self.stmt(body)] };
        };
        let (low, high) = (low.map_or(0, |v| v.0), high.map_or(0, |v| v.0));
        let fit = |c: &Self, value: i128| c.extend(c.truncate(value as u128, ty), ty);
        let range = (fit(self, low), fit(self, high));
        if range.0 > range.1 {
            self.warn(span, "this case range is empty");
        }
        let mut index = 0;
        if let Some(switch) = self.state().and_then(|s| s.switches.last_mut()) {
            index = switch.cases.len() as u32;
            switch.cases.push(range);
            switch.spans.push(span);
        }
        StmtKind::Case(index, self.stmt(body))
    }

    fn default(&mut self, body: ast::StmtId, span: Span) -> StmtKind {
        match self.state().and_then(|s| s.switches.last_mut()) {
            Some(switch) => {
                if std::mem::replace(&mut switch.has_default, true) {
                    self.error(span, "a switch has two defaults");
                }
            }
            None => self.error(span, "'default' outside of a switch"),
        }
        StmtKind::Default(self.stmt(body))
    }

    fn return_stmt(&mut self, value: Option<ast::ExprId>, span: Span) -> StmtKind {
        let Some(ret) = self.functions.last().map(|f| f.ret) else { return StmtKind::Nop };
        let Some(expr) = value else {
            if !self.is_void(ret) {
                self.warn(span, "'return' without a value in a function that returns one");
            }
            return StmtKind::Return(None);
        };
        let value = self.rvalue(expr);
        if self.is_void(ret) {
            if !self.is_void(self.ty(value)) {
                self.warn(span, "'return' with a value in a function that returns none");
            }
            return StmtKind::Return(Some(self.voided(value)));
        }
        let at = self.at(expr);
        StmtKind::Return(Some(self.assign_convert(value, ret.into(), Purpose::Return, at)))
    }

    // ----- statement expressions

    pub(super) fn statement_expr(&mut self, body: ast::StmtId, at: At) -> ExprId {
        let ast = self.ast;
        let A::Compound(items) = &ast[body].kind else { return self.poison(at) };
        if self.functions.is_empty() {
            return self.error_expr(at, "a statement expression outside of a function");
        }
        let mark = self.enter_block();
        let mut out = Vec::with_capacity(items.len());
        let mut value = None;
        if let Some((&last, before)) = items.split_last() {
            self.items(before, &mut out);
            value = self.last_value(last, &mut out);
        }
        let locals = self.leave_block(mark);
        let block = self.push_stmt(StmtKind::Block { locals, body: out }, ast[body].span, body);
        let ty = value.map_or(Ty::VOID, |v| self.ty(v));
        let id = self.push(ExprKind::StmtExpr { block, value }, ty, at);
        if let Some(value) = value {
            self.facts[id.index()].narrow = self.facts[value.index()].narrow;
        }
        id
    }

    /// The last statement of a statement expression gives its value if it is an expression, labelled or not.
    fn last_value(&mut self, mut last: ast::StmtId, out: &mut Vec<StmtId>) -> Option<ExprId> {
        let ast = self.ast;
        let labelled = {
            let mut inner = last;
            while let A::Label(_, _, body) = ast[inner].kind {
                inner = body;
            }
            matches!(ast[inner].kind, A::Expr(_))
        };
        if !labelled {
            self.items(&[last], out);
            return None;
        }
        while let A::Label(name, _, body) = &ast[last].kind {
            let span = ast[last].span;
            let label = self.define_label(*name, span);
            let nop = self.push_stmt(StmtKind::Nop, span, last);
            out.push(self.push_stmt(StmtKind::Label(label, nop), span, last));
            last = *body;
        }
        let A::Expr(expr) = ast[last].kind else { return None };
        let value = self.rvalue(expr);
        if self.is_void(self.ty(value)) {
            out.push(self.push_stmt(StmtKind::Expr(value), ast[last].span, last));
            return None;
        }
        Some(value)
    }
}
