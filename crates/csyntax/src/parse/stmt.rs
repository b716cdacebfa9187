//! Statements and blocks (C11 6.8, with GNU C).

use super::decl::DeclOrFn;
use super::{P, Parser};
use crate::ast::{Attribute, ExprId, ForInit, Stmt, StmtId, StmtKind};
use crate::intern::Symbol;
use crate::lex::token::Tok;

/// A label in front of a statement.
enum Prefix {
    Case(ExprId, Option<ExprId>),
    Default,
    Label(Symbol, Vec<Attribute>),
}

impl Parser<'_> {
    fn push_stmt(&mut self, lo: u32, kind: StmtKind) -> StmtId {
        let span = self.span_from(lo);
        self.ast.push_stmt(Stmt { kind, span })
    }

    /// `{ ... }` with a scope of its own.
    pub(super) fn compound(&mut self) -> P<StmtId> {
        let lo = self.tok.lo;
        self.expect(Tok::LBrace, "to begin a block")?;
        self.scopes.open();
        let items = self.nested(|p| p.block_items());
        self.scopes.close();
        let items = items?;
        self.expect(Tok::RBrace, "to end the block")?;
        Ok(self.push_stmt(lo, StmtKind::Compound(items)))
    }

    fn block_items(&mut self) -> P<Vec<StmtId>> {
        let mut items = Vec::new();
        loop {
            if !self.pragmas.is_empty() {
                for pragma in self.take_pragmas() {
                    items.push(
                        self.ast.push_stmt(Stmt { kind: StmtKind::Pragma(pragma.text), span: pragma.span }),
                    );
                }
            }
            if matches!(self.tok.kind, Tok::RBrace | Tok::Eof) {
                return Ok(items);
            }
            let lo = self.tok.lo;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(failed) if self.tok.kind == Tok::Eof => return Err(failed),
                Err(_) => {
                    self.skip_statement();
                    items.push(self.push_stmt(lo, StmtKind::Error));
                }
            }
        }
    }

    /// A declaration or a statement.
    fn block_item(&mut self) -> P<StmtId> {
        while self.tok.kind == Tok::Extension {
            let next = self.peek();
            let declares = match next.kind {
                Tok::Extension | Tok::Static | Tok::Typedef | Tok::Extern | Tok::Auto | Tok::Register => true,
                Tok::Inline | Tok::ThreadLocal | Tok::LBracket => true,
                _ => self.starts_type_name(next),
            };
            if !declares {
                break;
            }
            self.advance();
        }
        let lo = self.tok.lo;
        match self.kind() {
            Tok::Ident => {
                let next = self.peek().kind;
                if next == Tok::Colon {
                    self.statement()
                } else if self.at_static_assert() {
                    let (condition, message) = self.static_assert()?;
                    Ok(self.push_stmt(lo, StmtKind::StaticAssert(condition, message)))
                } else if next == Tok::Ident || self.at_type_name() {
                    self.declaration_statement(Vec::new())
                } else {
                    self.statement()
                }
            }
            Tok::StaticAssert => {
                let (condition, message) = self.static_assert()?;
                Ok(self.push_stmt(lo, StmtKind::StaticAssert(condition, message)))
            }
            Tok::Label => self.local_labels(),
            Tok::Attribute | Tok::LBracket => {
                let mut attrs = Vec::new();
                self.attributes(&mut attrs)?;
                if self.eat(Tok::Semi) {
                    Ok(self.push_attributes(lo, attrs))
                } else if self.at_declaration() && self.peek().kind != Tok::Colon {
                    self.declaration_statement(attrs)
                } else {
                    self.statement()
                }
            }
            _ if self.at_declaration() => self.declaration_statement(Vec::new()),
            _ => self.statement(),
        }
    }

    fn declaration_statement(&mut self, attrs: Vec<Attribute>) -> P<StmtId> {
        let lo = self.tok.lo;
        let kind = match self.declaration(attrs)? {
            DeclOrFn::Decl(id) => StmtKind::Decl(id),
            DeclOrFn::Function(id) => StmtKind::NestedFn(id),
        };
        Ok(self.push_stmt(lo, kind))
    }

    fn local_labels(&mut self) -> P<StmtId> {
        let lo = self.tok.lo;
        self.advance();
        let mut labels = Vec::new();
        loop {
            labels.push(self.expect_name("a label")?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semi, "after the labels")?;
        Ok(self.push_stmt(lo, StmtKind::LocalLabels(labels)))
    }

    /// A statement that another one governs.
    fn substatement(&mut self) -> P<StmtId> {
        self.nested(|p| p.statement())
    }

    /// The body of a selection or iteration statement, a block even without braces.
    fn scoped_substatement(&mut self) -> P<StmtId> {
        self.scoped(|p| p.nested(|p| p.statement()))
    }

    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> P<T>) -> P<T> {
        self.scopes.open();
        let result = inner(self);
        self.scopes.close();
        result
    }

    pub(super) fn statement(&mut self) -> P<StmtId> {
        let lo = self.tok.lo;
        match self.kind() {
            Tok::LBrace => self.compound(),
            Tok::Semi => {
                self.advance();
                Ok(self.push_stmt(lo, StmtKind::Null))
            }
            Tok::Case | Tok::Default => self.labelled(),
            Tok::Ident if self.peek().kind == Tok::Colon => self.labelled(),
            Tok::If => self.scoped(|p| p.if_chain()),
            Tok::While => self.scoped(|p| {
                let condition = p.condition("while")?;
                let body = p.scoped_substatement()?;
                Ok(p.push_stmt(lo, StmtKind::While(condition, body)))
            }),
            Tok::Do => self.scoped(|p| p.do_while()),
            Tok::For => self.scoped(|p| p.for_loop()),
            Tok::Switch => self.scoped(|p| {
                let condition = p.condition("switch")?;
                let body = p.scoped_substatement()?;
                Ok(p.push_stmt(lo, StmtKind::Switch(condition, body)))
            }),
            Tok::Goto => self.goto(),
            Tok::Break => self.simple(StmtKind::Break, "break"),
            Tok::Continue => self.simple(StmtKind::Continue, "continue"),
            Tok::Return => {
                self.advance();
                let value = if self.tok.kind == Tok::Semi { None } else { Some(self.expression()?) };
                self.expect(Tok::Semi, "after `return`")?;
                Ok(self.push_stmt(lo, StmtKind::Return(value)))
            }
            Tok::Asm => {
                let asm = self.asm_statement()?;
                Ok(self.push_stmt(lo, StmtKind::Asm(Box::new(asm))))
            }
            Tok::Attribute => self.attributed_statement(),
            Tok::LBracket if self.at_attribute() => self.attributed_statement(),
            _ if self.tok.kind != Tok::Ident && self.at_declaration() => Err(self.expected("a statement")),
            Tok::RBrace | Tok::RParen | Tok::RBracket | Tok::Eof | Tok::Else => {
                Err(self.expected("a statement"))
            }
            _ => {
                let expression = self.expression()?;
                self.expect(Tok::Semi, "after the expression")?;
                Ok(self.push_stmt(lo, StmtKind::Expr(expression)))
            }
        }
    }

    /// Attributes and `;`, or attributes in front of a statement (which mean nothing there and are dropped).
    fn attributed_statement(&mut self) -> P<StmtId> {
        let lo = self.tok.lo;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if self.eat(Tok::Semi) {
            return Ok(self.push_attributes(lo, attrs));
        }
        self.substatement()
    }

    /// An attribute statement; with no attribute that is kept, an empty statement.
    fn push_attributes(&mut self, lo: u32, attrs: Vec<Attribute>) -> StmtId {
        let kind = if attrs.is_empty() { StmtKind::Null } else { StmtKind::Attr(attrs) };
        self.push_stmt(lo, kind)
    }

    fn simple(&mut self, kind: StmtKind, word: &str) -> P<StmtId> {
        let lo = self.tok.lo;
        self.advance();
        self.expect(Tok::Semi, &format!("after `{word}`"))?;
        Ok(self.push_stmt(lo, kind))
    }

    /// The keyword `word` and `( expression )`.
    fn condition(&mut self, word: &str) -> P<ExprId> {
        self.advance();
        if self.tok.kind != Tok::LParen {
            return Err(self.expected(&format!("`(` after `{word}`")));
        }
        self.advance();
        let condition = self.nested(|p| p.expression())?;
        self.expect(Tok::RParen, "after the condition")?;
        Ok(condition)
    }

    /// `if` with all its `else if`, by iteration.
    fn if_chain(&mut self) -> P<StmtId> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let lo = self.tok.lo;
            let condition = self.condition("if")?;
            let then = self.scoped_substatement()?;
            arms.push((lo, condition, then));
            if !self.eat(Tok::Else) {
                break;
            }
            if self.tok.kind != Tok::If {
                otherwise = Some(self.scoped_substatement()?);
                break;
            }
        }
        let Some((lo, condition, then)) = arms.pop() else {
            return Err(self.expected("`if`"));
        };
        let mut statement = self.push_stmt(lo, StmtKind::If(condition, then, otherwise));
        while let Some((lo, condition, then)) = arms.pop() {
            statement = self.push_stmt(lo, StmtKind::If(condition, then, Some(statement)));
        }
        Ok(statement)
    }

    fn do_while(&mut self) -> P<StmtId> {
        let lo = self.tok.lo;
        self.advance();
        let body = self.scoped_substatement()?;
        if self.tok.kind != Tok::While {
            return Err(self.expected("`while` after the body of `do`"));
        }
        let condition = self.condition("while")?;
        self.expect(Tok::Semi, "after `do ... while (...)`")?;
        Ok(self.push_stmt(lo, StmtKind::DoWhile(body, condition)))
    }

    fn for_loop(&mut self) -> P<StmtId> {
        let lo = self.tok.lo;
        self.advance();
        self.expect(Tok::LParen, "after `for`")?;
        while self.tok.kind == Tok::Extension {
            let next = self.peek();
            if !self.starts_type_name(next) {
                break;
            }
            self.advance();
        }
        let init = if self.eat(Tok::Semi) {
            ForInit::None
        } else if self.at_static_assert() {
            self.static_assert()?;
            ForInit::None
        } else if self.at_declaration()
            || self.at_attribute()
            || self.tok.kind == Tok::Ident && self.peek().kind == Tok::Ident
        {
            match self.nested(|p| p.declaration(Vec::new()))? {
                DeclOrFn::Decl(id) => ForInit::Decl(id),
                DeclOrFn::Function(id) => {
                    let span = self.ast[id].span;
                    self.error(span, "expected a declaration of objects, found a function".to_string());
                    ForInit::None
                }
            }
        } else {
            let expression = self.expression()?;
            self.expect(Tok::Semi, "after the first clause of `for`")?;
            ForInit::Expr(expression)
        };
        let cond = if self.tok.kind == Tok::Semi { None } else { Some(self.expression()?) };
        self.expect(Tok::Semi, "after the condition of `for`")?;
        let step = if self.tok.kind == Tok::RParen { None } else { Some(self.expression()?) };
        self.expect(Tok::RParen, "after the clauses of `for`")?;
        let body = self.scoped_substatement()?;
        Ok(self.push_stmt(lo, StmtKind::For { init, cond, step, body }))
    }

    fn goto(&mut self) -> P<StmtId> {
        let lo = self.tok.lo;
        self.advance();
        let kind = if self.eat(Tok::Star) {
            StmtKind::GotoPtr(self.expression()?)
        } else {
            StmtKind::Goto(self.expect_name("a label after `goto`")?)
        };
        self.expect(Tok::Semi, "after `goto`")?;
        Ok(self.push_stmt(lo, kind))
    }

    /// Labels, by iteration, and the statement behind them. Before `}` or a declaration they label nothing (C23).
    fn labelled(&mut self) -> P<StmtId> {
        let mut prefixes: Vec<(u32, Prefix)> = Vec::new();
        loop {
            let lo = self.tok.lo;
            match self.kind() {
                Tok::Case => {
                    self.advance();
                    let low = self.conditional()?;
                    let high = if self.eat(Tok::Ellipsis) { Some(self.conditional()?) } else { None };
                    self.expect(Tok::Colon, "after the value of `case`")?;
                    prefixes.push((lo, Prefix::Case(low, high)));
                }
                Tok::Default => {
                    self.advance();
                    self.expect(Tok::Colon, "after `default`")?;
                    prefixes.push((lo, Prefix::Default));
                }
                Tok::Ident if self.peek().kind == Tok::Colon => {
                    let name = self.tok.sym;
                    self.advance();
                    self.advance();
                    let mut attrs = Vec::new();
                    let behind = self.tok.lo;
                    if self.tok.kind == Tok::Attribute {
                        self.attributes(&mut attrs)?;
                    }
                    if self.tok.kind == Tok::Semi && self.is_statement_attribute(&attrs) {
                        self.advance();
                        prefixes.push((lo, Prefix::Label(name, Vec::new())));
                        let last = self.push_stmt(behind, StmtKind::Attr(attrs));
                        return Ok(self.fold_labels(prefixes, last));
                    }
                    prefixes.push((lo, Prefix::Label(name, attrs)));
                }
                _ => break,
            }
            if self.tok.kind == Tok::LBracket && self.at_attribute() {
                let behind = self.tok.lo;
                let mut attrs = Vec::new();
                self.attributes(&mut attrs)?;
                if self.eat(Tok::Semi) {
                    let last = self.push_attributes(behind, attrs);
                    return Ok(self.fold_labels(prefixes, last));
                }
            }
        }
        let nothing = match self.kind() {
            Tok::RBrace | Tok::StaticAssert => true,
            Tok::Ident if self.at_static_assert() => true,
            Tok::Attribute | Tok::LBracket => false,
            _ => self.at_declaration(),
        };
        let statement = if nothing {
            let lo = self.prev_hi;
            self.push_stmt(lo, StmtKind::Null)
        } else {
            self.substatement()?
        };
        Ok(self.fold_labels(prefixes, statement))
    }

    /// `fallthrough` belongs to an empty statement, also behind a label.
    fn is_statement_attribute(&self, attrs: &[Attribute]) -> bool {
        attrs.iter().any(|a| self.ast.names.name(a.name) == "fallthrough")
    }

    fn fold_labels(&mut self, mut prefixes: Vec<(u32, Prefix)>, mut statement: StmtId) -> StmtId {
        while let Some((lo, prefix)) = prefixes.pop() {
            let kind = match prefix {
                Prefix::Case(low, high) => StmtKind::Case(low, high, statement),
                Prefix::Default => StmtKind::Default(statement),
                Prefix::Label(name, attrs) => StmtKind::Label(name, attrs, statement),
            };
            statement = self.push_stmt(lo, kind);
        }
        statement
    }
}
