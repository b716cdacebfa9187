//! The commonest statements, declarations and types, written without tasks.
//!
//! What a function here writes is what the tasks for the same node would; it says whether it wrote. Its callers see to
//! it that the nesting is below [`super::DEPTH`], so everything called from here is complete when it returns.

use super::{Printer, expr};
use crate::ast::{
    ArraySize, Attribute, Basic, DeclId, ExprId, FnId, ForInit, InitId, InitItem, InitKind, Param, Params,
    StmtId, StmtKind, TypeId, TypeKind,
};
use crate::intern::Symbol;

/// Derived types in a declarator; longer chains are left to tasks.
const CHAIN: usize = 12;

impl<'a> Printer<'a> {
    /// Runs `write` one level deeper, if there is a level left.
    pub(super) fn nested(&mut self, write: impl FnOnce(&mut Printer<'a>) -> bool) -> bool {
        if self.depth >= super::DEPTH {
            return false;
        }
        self.depth += 1;
        let done = write(self);
        self.depth -= 1;
        done
    }

    pub(super) fn stmt_direct(&mut self, id: StmtId) -> bool {
        let ast = self.ast;
        match &ast[id].kind {
            StmtKind::Compound(items) => {
                self.out.push('{');
                self.indent += 1;
                for &item in items {
                    self.new_line();
                    self.stmt(item);
                }
                self.indent -= 1;
                self.new_line();
                self.out.push('}');
            }
            StmtKind::Expr(value) => {
                self.expr(*value, 0);
                self.out.push(';');
            }
            StmtKind::Decl(id) => self.declaration(*id),
            StmtKind::If(condition, then, otherwise) => {
                self.head("if (", *condition);
                match otherwise {
                    Some(otherwise) => self.arms(*then, *otherwise),
                    None => self.body(*then),
                }
            }
            StmtKind::While(condition, body) => {
                self.head("while (", *condition);
                self.body(*body);
            }
            StmtKind::DoWhile(body, condition) => {
                self.out.push_str("do");
                self.body(*body);
                if self.is_block(*body) {
                    self.out.push(' ');
                } else {
                    self.new_line();
                }
                self.head("while (", *condition);
                self.out.push(';');
            }
            StmtKind::For { init, cond, step, body } => {
                self.for_head(init, *cond, *step);
                self.body(*body);
            }
            StmtKind::Switch(value, body) => {
                self.head("switch (", *value);
                self.body(*body);
            }
            StmtKind::Case(low, high, body) => {
                self.outdent();
                self.out.push_str("case ");
                self.expr(*low, 3);
                if let Some(high) = high {
                    self.out.push_str(" ... ");
                    self.expr(*high, 3);
                }
                self.out.push(':');
                self.new_line();
                self.stmt(*body);
            }
            StmtKind::Default(body) => {
                self.outdent();
                self.out.push_str("default:");
                self.new_line();
                self.stmt(*body);
            }
            StmtKind::Label(name, attrs, body) => {
                self.outdent();
                self.word(ast.names.name(*name));
                self.out.push(':');
                self.attrs(attrs);
                self.new_line();
                self.stmt(*body);
            }
            StmtKind::Goto(label) => {
                self.out.push_str("goto ");
                self.word(ast.names.name(*label));
                self.out.push(';');
            }
            StmtKind::Return(Some(value)) => {
                self.out.push_str("return ");
                self.expr(*value, 0);
                self.out.push(';');
            }
            StmtKind::Null
            | StmtKind::NestedFn(_)
            | StmtKind::LocalLabels(_)
            | StmtKind::StaticAssert(..)
            | StmtKind::GotoPtr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Asm(_)
            | StmtKind::Attr(_)
            | StmtKind::Pragma(_)
            | StmtKind::Error => return false,
        }
        true
    }

    /// `word (condition)`; the word with its space and parenthesis.
    fn head(&mut self, word: &str, condition: ExprId) {
        self.out.push_str(word);
        self.expr(condition, 0);
        self.out.push(')');
    }

    /// What follows an `if` that has an `else`.
    fn arms(&mut self, then: StmtId, otherwise: StmtId) {
        if self.is_block(then) {
            self.body(then);
            self.out.push_str(" else");
        } else if self.takes_else(then) {
            self.out.push_str(" {");
            self.body(then);
            self.new_line();
            self.out.push_str("} else");
        } else {
            self.body(then);
            self.new_line();
            self.out.push_str("else");
        }
        if matches!(self.ast[otherwise].kind, StmtKind::If(..)) {
            self.out.push(' ');
            self.stmt(otherwise);
        } else {
            self.body(otherwise);
        }
    }

    fn for_head(&mut self, init: &'a ForInit, cond: Option<ExprId>, step: Option<ExprId>) {
        self.out.push_str("for (");
        match init {
            ForInit::None => self.out.push(';'),
            ForInit::Expr(value) => {
                self.expr(*value, 0);
                self.out.push(';');
            }
            ForInit::Decl(decl) => self.declaration(*decl),
        }
        if let Some(cond) = cond {
            self.out.push(' ');
            self.expr(cond, 0);
        }
        self.out.push(';');
        if let Some(step) = step {
            self.out.push(' ');
            self.expr(step, 0);
        }
        self.out.push(')');
    }

    pub(super) fn body_direct(&mut self, id: StmtId) -> bool {
        if self.is_block(id) {
            self.out.push(' ');
            self.stmt(id);
        } else {
            self.indent += 1;
            self.new_line();
            self.stmt(id);
            self.indent -= 1;
        }
        true
    }

    pub(super) fn init_direct(&mut self, id: InitId) -> bool {
        let ast = self.ast;
        match &ast[id].kind {
            InitKind::Expr(value) => self.expr(*value, expr::ASSIGN),
            InitKind::List(items) => {
                let plain = |item: &InitItem| item.designators.is_empty();
                if !items.iter().all(plain) {
                    return false;
                }
                self.out.push('{');
                self.indent += 1;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.comma();
                    }
                    self.init(item.init);
                }
                self.indent -= 1;
                self.out.push('}');
            }
        }
        true
    }

    /// A declaration of one name without any alignment, label or attributes in front.
    pub(super) fn declaration_direct(&mut self, id: DeclId) -> bool {
        let decl = &self.ast[id];
        let ([one], [], []) = (&decl.declarators[..], &decl.attrs[..], &decl.alignas[..]) else {
            return false;
        };
        if one.asm_label.is_some() {
            return false;
        }
        self.storage(decl.storage);
        self.specifier(decl.base);
        self.gap(one.ty, decl.base, Some(one.name));
        self.declarator(one.ty, decl.base, Some(one.name));
        self.attrs(&one.attrs);
        if let Some(init) = one.init {
            self.out.push_str(" = ");
            self.init(init);
        }
        self.out.push(';');
        true
    }

    /// A function definition without a label or declarations of its parameters.
    pub(super) fn function_direct(&mut self, id: FnId) -> bool {
        let function = &self.ast[id];
        if function.asm_label.is_some() || !function.kr_decls.is_empty() {
            return false;
        }
        self.storage(function.storage);
        if !function.attrs.is_empty() {
            self.attrs(&function.attrs);
            self.out.push(' ');
        }
        self.specifier(function.base);
        self.gap(function.ty, function.base, Some(function.name));
        self.declarator(function.ty, function.base, Some(function.name));
        self.new_line();
        self.stmt(function.body);
        true
    }

    pub(super) fn param_direct(&mut self, param: &'a Param) -> bool {
        self.storage(param.storage);
        if !param.attrs.is_empty() {
            self.attrs(&param.attrs);
            self.out.push(' ');
        }
        self.specifier(param.base);
        self.gap(param.ty, param.base, param.name);
        self.declarator(param.ty, param.base, param.name);
        true
    }

    /// A type named by a keyword, a typedef or a tag, without attributes.
    pub(super) fn specifier_direct(&mut self, id: TypeId) -> bool {
        let ast = self.ast;
        let node = &ast[id];
        if !node.attrs.is_empty() {
            return false;
        }
        match &node.kind {
            TypeKind::Basic(kind) => {
                self.quals(node.quals);
                self.word(match kind {
                    Basic::Int => "int",
                    Basic::UInt => "unsigned int",
                    other => super::types::basic(*other),
                });
            }
            TypeKind::Typedef(name) => {
                self.quals(node.quals);
                self.word(ast.names.name(*name));
            }
            TypeKind::Record(id) if ast[*id].fields.is_none() && ast[*id].attrs.is_empty() => {
                self.quals(node.quals);
                self.word(if ast[*id].is_union { "union" } else { "struct" });
                self.word(ast[*id].tag.map_or("", |tag| ast.names.name(tag)));
            }
            TypeKind::Enum(id)
                if ast[*id].enumerators.is_none()
                    && ast[*id].underlying.is_none()
                    && ast[*id].attrs.is_empty() =>
            {
                self.quals(node.quals);
                self.word("enum");
                self.word(ast[*id].tag.map_or("", |tag| ast.names.name(tag)));
            }
            TypeKind::Record(_)
            | TypeKind::Enum(_)
            | TypeKind::TypeofExpr(_)
            | TypeKind::TypeofType(_)
            | TypeKind::Atomic(_)
            | TypeKind::Unqual(_)
            | TypeKind::BitInt(..)
            | TypeKind::Auto
            | TypeKind::Implicit
            | TypeKind::Pointer(_)
            | TypeKind::Array { .. }
            | TypeKind::Function { .. } => return false,
        }
        true
    }

    /// A declarator of pointers, plain arrays and functions with prototypes, none of them with attributes.
    pub(super) fn declarator_direct(&mut self, ty: TypeId, base: TypeId, name: Option<Symbol>) -> bool {
        let ast = self.ast;
        // From the name outwards.
        let mut chain = [ty; CHAIN];
        let (mut count, mut at) = (0, ty);
        while at != base {
            let node = &ast[at];
            if count == CHAIN || !node.attrs.is_empty() {
                return false;
            }
            chain[count] = at;
            count += 1;
            at = match &node.kind {
                TypeKind::Pointer(to) => *to,
                TypeKind::Array { elem, quals, is_static: false, .. } if *quals == Default::default() => {
                    *elem
                }
                TypeKind::Function { ret, params: Params::Prototype { .. } | Params::Unspecified } => *ret,
                TypeKind::Basic(_)
                | TypeKind::Typedef(_)
                | TypeKind::Record(_)
                | TypeKind::Enum(_)
                | TypeKind::TypeofExpr(_)
                | TypeKind::TypeofType(_)
                | TypeKind::Atomic(_)
                | TypeKind::Unqual(_)
                | TypeKind::BitInt(..)
                | TypeKind::Auto
                | TypeKind::Implicit
                | TypeKind::Array { .. }
                | TypeKind::Function { .. } => return false,
            };
        }
        let pointer = |n: usize| matches!(ast[chain[n]].kind, TypeKind::Pointer(_));
        for n in (0..count).rev() {
            if pointer(n) {
                self.word("*");
                self.quals(ast[chain[n]].quals);
            } else if n > 0 && pointer(n - 1) {
                self.out.push('(');
            }
        }
        if let Some(name) = name {
            self.word(ast.names.name(name));
        }
        for n in 0..count {
            if pointer(n) {
                continue;
            }
            if n > 0 && pointer(n - 1) {
                self.out.push(')');
            }
            match &ast[chain[n]].kind {
                TypeKind::Array { size, .. } => {
                    self.out.push('[');
                    match size {
                        ArraySize::None => {}
                        ArraySize::Star => self.out.push('*'),
                        ArraySize::Expr(size) => self.expr(*size, 0),
                    }
                    self.out.push(']');
                }
                TypeKind::Function { params: Params::Prototype { params, variadic }, .. } => {
                    self.prototype(params, *variadic);
                }
                _ => self.out.push_str("()"),
            }
        }
        true
    }

    fn prototype(&mut self, params: &'a [Param], variadic: bool) {
        self.out.push('(');
        if params.is_empty() && !variadic {
            self.out.push_str("void");
        }
        self.indent += 1;
        for (index, param) in params.iter().enumerate() {
            if index > 0 {
                self.comma();
            }
            self.param(param);
        }
        if variadic {
            self.out.push_str(if params.is_empty() { "..." } else { ", ..." });
        }
        self.indent -= 1;
        self.out.push(')');
    }

    pub(super) fn attrs_direct(&mut self, attrs: &'a [Attribute]) -> bool {
        let ast = self.ast;
        self.blank();
        self.out.push_str("__attribute__((");
        for (index, attr) in attrs.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.word(ast.names.name(attr.name));
            if let Some(args) = &attr.args {
                self.out.push('(');
                for (index, arg) in args.iter().enumerate() {
                    if index > 0 {
                        self.comma();
                    }
                    match arg {
                        crate::ast::AttrArg::Expr(value) => self.expr(*value, expr::ASSIGN),
                        crate::ast::AttrArg::Type(ty) => self.type_name(*ty),
                    }
                }
                self.out.push(')');
            }
        }
        self.out.push_str("))");
        true
    }

    /// `static`, `typedef` and the like, then the type, of the names that a declaration shares.
    pub(super) fn type_name_direct(&mut self, ty: TypeId, base: TypeId) -> bool {
        self.specifier(base);
        self.gap(ty, base, None);
        self.declarator(ty, base, None);
        true
    }
}
