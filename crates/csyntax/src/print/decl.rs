//! Declarations, function definitions, and the items of a unit.

use super::{Printer, Task, leading_attrs};
use crate::ast::{Alignas, DeclId, ExprId, FnId, Item};

/// `_Alignas(...)` specifiers.
pub(super) fn alignas_tasks<'a>(alignas: &[Alignas], tasks: &mut Vec<Task<'a>>) {
    for alignment in alignas {
        tasks.extend([Task::Word("_Alignas"), Task::Text("(")]);
        tasks.push(match alignment {
            Alignas::Type(ty) => Task::TypeName(*ty),
            Alignas::Expr(value) => Task::Expr(*value, 3),
        });
        tasks.push(Task::Text(") "));
    }
}

/// `_Static_assert(...);`
pub(super) fn static_assert_tasks<'a>(
    condition: ExprId,
    message: Option<&'a [u8]>,
    tasks: &mut Vec<Task<'a>>,
) {
    tasks.extend([Task::Word("_Static_assert"), Task::Text("("), Task::Expr(condition, 3)]);
    if let Some(message) = message {
        tasks.extend([Task::Text(", "), Task::Bytes(message)]);
    }
    tasks.push(Task::Text(");"));
}

impl<'a> Printer<'a> {
    pub(super) fn item(&mut self, item: &'a Item) {
        match item {
            Item::Function(id) => self.then([Task::Function(*id)]),
            Item::Decl(id) => self.then([Task::Decl(*id)]),
            Item::StaticAssert(condition, message, _) => {
                let mut tasks = Vec::new();
                static_assert_tasks(*condition, message.as_deref(), &mut tasks);
                self.then(tasks);
            }
            Item::Asm(template, _) => {
                self.then([Task::Text("__asm__("), Task::Bytes(template), Task::Text(");")]);
            }
            Item::Pragma(text, _) => self.then([Task::Text("#pragma "), Task::Word(text)]),
        }
    }

    pub(super) fn declaration(&mut self, id: DeclId) {
        if self.nested(|p| p.declaration_direct(id)) {
            return;
        }
        let decl = &self.ast[id];
        self.storage(decl.storage);
        if let ([one], [], []) = (&decl.declarators[..], &decl.attrs[..], &decl.alignas[..])
            && one.asm_label.is_none()
        {
            let name = Some(one.name);
            let plain = [
                Task::Specifier(decl.base),
                Task::Gap(one.ty, decl.base, name),
                Task::Declarator(one.ty, decl.base, name),
                Task::Attrs(&one.attrs),
            ];
            let init = one.init.map(|init| [Task::Text(" = "), Task::Init(init)]);
            self.then(plain.into_iter().chain(init.into_iter().flatten()).chain([Task::Text(";")]));
            return;
        }
        let mut tasks = Vec::new();
        leading_attrs(&decl.attrs, &mut tasks);
        alignas_tasks(&decl.alignas, &mut tasks);
        tasks.push(Task::Specifier(decl.base));
        for (index, declarator) in decl.declarators.iter().enumerate() {
            let name = Some(declarator.name);
            if index > 0 {
                tasks.push(Task::Text(", "));
            }
            tasks.push(Task::Gap(declarator.ty, decl.base, name));
            tasks.push(Task::Declarator(declarator.ty, decl.base, name));
            if let Some(label) = &declarator.asm_label {
                tasks.extend([Task::Text(" __asm__("), Task::Bytes(label), Task::Text(")")]);
            }
            tasks.push(Task::Attrs(&declarator.attrs));
            if let Some(init) = declarator.init {
                tasks.extend([Task::Text(" = "), Task::Init(init)]);
            }
        }
        tasks.push(Task::Text(";"));
        self.then(tasks);
    }

    pub(super) fn function(&mut self, id: FnId) {
        if self.nested(|p| p.function_direct(id)) {
            return;
        }
        let function = &self.ast[id];
        self.storage(function.storage);
        let mut tasks = Vec::new();
        leading_attrs(&function.attrs, &mut tasks);
        tasks.push(Task::Specifier(function.base));
        tasks.push(Task::Gap(function.ty, function.base, Some(function.name)));
        tasks.push(Task::Declarator(function.ty, function.base, Some(function.name)));
        if let Some(label) = &function.asm_label {
            tasks.extend([Task::Text(" __asm__("), Task::Bytes(label), Task::Text(")")]);
        }
        if !function.kr_decls.is_empty() {
            tasks.push(Task::Inc);
            for &decl in &function.kr_decls {
                tasks.extend([Task::NewLine, Task::Decl(decl)]);
            }
            tasks.push(Task::Dec);
        }
        tasks.extend([Task::NewLine, Task::Stmt(function.body)]);
        self.then(tasks);
    }
}
