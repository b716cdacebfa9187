//! Statements.

use super::{INDENT, Printer, Task};
use crate::ast::{AsmOperand, AsmStmt, ExprId, ForInit, StmtId, StmtKind};

impl<'a> Printer<'a> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        let ast = self.ast;
        if self.nested(|p| p.stmt_direct(id)) {
            return;
        }
        match &ast[id].kind {
            StmtKind::Compound(items) => {
                let open = [Task::Text("{"), Task::Inc];
                let items = items.iter().flat_map(|&item| [Task::NewLine, Task::Stmt(item)]);
                self.then(open.into_iter().chain(items).chain([Task::Dec, Task::NewLine, Task::Text("}")]));
            }
            StmtKind::Expr(value) => self.then([Task::Expr(*value, 0), Task::Text(";")]),
            StmtKind::Null => self.out.push(';'),
            StmtKind::Decl(id) => self.then([Task::Decl(*id)]),
            StmtKind::NestedFn(id) => self.then([Task::Function(*id)]),
            StmtKind::LocalLabels(labels) => {
                let mut tasks = vec![Task::Text("__label__ ")];
                self.list(&mut tasks, labels.iter().map(|&l| Task::Name(l)));
                tasks.push(Task::Text(";"));
                self.then(tasks);
            }
            StmtKind::StaticAssert(condition, message) => {
                let mut tasks = Vec::new();
                super::decl::static_assert_tasks(*condition, message.as_deref(), &mut tasks);
                self.then(tasks);
            }
            StmtKind::If(condition, then, None) => self.head_and_body("if (", *condition, *then),
            StmtKind::If(condition, then, otherwise) => {
                let mut tasks = vec![Task::Text("if ("), Task::Expr(*condition, 0), Task::Text(")")];
                self.if_tasks(*then, *otherwise, &mut tasks);
                self.then(tasks);
            }
            StmtKind::While(condition, body) => self.head_and_body("while (", *condition, *body),
            StmtKind::DoWhile(body, condition) => {
                let before = if self.is_block(*body) { Task::Text(" ") } else { Task::NewLine };
                self.then([
                    Task::Text("do"),
                    Task::Body(*body),
                    before,
                    Task::Text("while ("),
                    Task::Expr(*condition, 0),
                    Task::Text(");"),
                ]);
            }
            StmtKind::For { init, cond, step, body } => self.for_tasks(init, *cond, *step, *body),
            StmtKind::Switch(value, body) => self.head_and_body("switch (", *value, *body),
            StmtKind::Case(low, high, body) => {
                self.outdent();
                let mut tasks = vec![Task::Text("case "), Task::Expr(*low, 3)];
                if let Some(high) = high {
                    tasks.extend([Task::Text(" ... "), Task::Expr(*high, 3)]);
                }
                tasks.extend([Task::Text(":"), Task::NewLine, Task::Stmt(*body)]);
                self.then(tasks);
            }
            StmtKind::Default(body) => {
                self.outdent();
                self.then([Task::Text("default:"), Task::NewLine, Task::Stmt(*body)]);
            }
            StmtKind::Label(name, attrs, body) => {
                self.outdent();
                self.then([
                    Task::Name(*name),
                    Task::Text(":"),
                    Task::Attrs(attrs),
                    Task::NewLine,
                    Task::Stmt(*body),
                ]);
            }
            StmtKind::Goto(label) => self.then([Task::Text("goto "), Task::Name(*label), Task::Text(";")]),
            StmtKind::GotoPtr(value) => {
                self.then([Task::Text("goto *"), Task::Expr(*value, 0), Task::Text(";")])
            }
            StmtKind::Break => self.out.push_str("break;"),
            StmtKind::Continue => self.out.push_str("continue;"),
            StmtKind::Return(None) => self.out.push_str("return;"),
            StmtKind::Return(Some(value)) => {
                self.then([Task::Text("return "), Task::Expr(*value, 0), Task::Text(";")]);
            }
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::Attr(attrs) => self.then([Task::Attrs(attrs), Task::Text(";")]),
            StmtKind::Pragma(text) => self.then([Task::Text("#pragma "), Task::Word(text)]),
            StmtKind::Error => self.out.push_str("; /* unreadable */"),
        }
    }

    /// `word (condition)` and the body behind it; the word with its space and parenthesis.
    fn head_and_body(&mut self, word: &'static str, condition: ExprId, body: StmtId) {
        self.then([Task::Text(word), Task::Expr(condition, 0), Task::Text(")"), Task::Body(body)]);
    }

    fn for_tasks(&mut self, init: &ForInit, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId) {
        let mut tasks = [Task::Text(""); 9];
        tasks[0] = Task::Text("for (");
        match init {
            ForInit::None => tasks[2] = Task::Text(";"),
            ForInit::Expr(value) => tasks[1..3].copy_from_slice(&[Task::Expr(*value, 0), Task::Text(";")]),
            ForInit::Decl(decl) => tasks[1] = Task::Decl(*decl),
        }
        if let Some(cond) = cond {
            tasks[3..5].copy_from_slice(&[Task::Text(" "), Task::Expr(cond, 0)]);
        }
        tasks[5] = Task::Text(";");
        if let Some(step) = step {
            tasks[6..8].copy_from_slice(&[Task::Text(" "), Task::Expr(step, 0)]);
        }
        tasks[8] = Task::Text(")");
        self.then(tasks.into_iter().chain([Task::Body(body)]));
    }

    pub(super) fn is_block(&self, id: StmtId) -> bool {
        matches!(self.ast[id].kind, StmtKind::Compound(_))
    }

    pub(super) fn body(&mut self, id: StmtId) {
        if self.nested(|p| p.body_direct(id)) {
            return;
        }
        if self.is_block(id) {
            self.then([Task::Text(" "), Task::Stmt(id)]);
        } else {
            self.then([Task::Inc, Task::NewLine, Task::Stmt(id), Task::Dec]);
        }
    }

    fn if_tasks(&self, then: StmtId, otherwise: Option<StmtId>, tasks: &mut Vec<Task<'a>>) {
        let Some(otherwise) = otherwise else {
            tasks.push(Task::Body(then));
            return;
        };
        if self.is_block(then) {
            tasks.extend([Task::Body(then), Task::Text(" else")]);
        } else if self.takes_else(then) {
            // Braces, or the `else` would go to the inner `if`.
            tasks.extend([Task::Text(" {"), Task::Body(then), Task::NewLine, Task::Text("} else")]);
        } else {
            tasks.extend([Task::Body(then), Task::NewLine, Task::Text("else")]);
        }
        match self.ast[otherwise].kind {
            StmtKind::If(..) => tasks.extend([Task::Text(" "), Task::Stmt(otherwise)]),
            _ => tasks.push(Task::Body(otherwise)),
        }
    }

    /// Would an `else` behind this statement be read as part of it?
    pub(super) fn takes_else(&self, mut id: StmtId) -> bool {
        loop {
            id = match &self.ast[id].kind {
                StmtKind::If(_, _, None) => return true,
                StmtKind::If(_, _, Some(last)) => *last,
                StmtKind::While(_, body) | StmtKind::Switch(_, body) | StmtKind::For { body, .. } => *body,
                StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, _, body) => *body,
                StmtKind::Compound(_)
                | StmtKind::Expr(_)
                | StmtKind::Null
                | StmtKind::Decl(_)
                | StmtKind::NestedFn(_)
                | StmtKind::LocalLabels(_)
                | StmtKind::StaticAssert(..)
                | StmtKind::DoWhile(..)
                | StmtKind::Goto(_)
                | StmtKind::GotoPtr(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Asm(_)
                | StmtKind::Attr(_)
                | StmtKind::Pragma(_)
                | StmtKind::Error => return false,
            };
        }
    }

    /// Labels stand one step left of the statements around them.
    pub(super) fn outdent(&mut self) {
        let line = &self.out[self.line_start..];
        if line.len() >= INDENT && line.bytes().rev().all(|b| b == b' ') {
            self.out.truncate(self.out.len() - INDENT);
        }
    }

    fn asm(&mut self, asm: &'a AsmStmt) {
        let mut tasks = vec![Task::Text("__asm__")];
        for (set, word) in [(asm.volatile, " volatile"), (asm.inline, " inline"), (asm.goto, " goto")] {
            if set {
                tasks.push(Task::Text(word));
            }
        }
        tasks.extend([Task::Text("("), Task::Bytes(&asm.template)]);
        if asm.extended {
            let sections = if asm.goto {
                4
            } else if !asm.clobbers.is_empty() {
                3
            } else if !asm.inputs.is_empty() {
                2
            } else {
                1
            };
            tasks.push(Task::Text(" :"));
            self.operands(&asm.outputs, &mut tasks);
            if sections > 1 {
                tasks.push(Task::Text(" :"));
                self.operands(&asm.inputs, &mut tasks);
            }
            if sections > 2 {
                tasks.push(Task::Text(if asm.clobbers.is_empty() { " :" } else { " : " }));
                self.list(&mut tasks, asm.clobbers.iter().map(|c| Task::Bytes(c)));
            }
            if sections > 3 {
                tasks.push(Task::Text(" : "));
                self.list(&mut tasks, asm.labels.iter().map(|&l| Task::Name(l)));
            }
        }
        tasks.push(Task::Text(");"));
        self.then(tasks);
    }

    fn operands(&self, operands: &'a [AsmOperand], tasks: &mut Vec<Task<'a>>) {
        for (index, operand) in operands.iter().enumerate() {
            tasks.push(if index > 0 { Task::Comma } else { Task::Text(" ") });
            if let Some(name) = operand.name {
                tasks.extend([Task::Text("["), Task::Name(name), Task::Text("] ")]);
            }
            tasks.push(Task::Bytes(&operand.constraint));
            tasks.extend([Task::Text(" ("), Task::Expr(operand.expr, 0), Task::Text(")")]);
        }
    }
}
