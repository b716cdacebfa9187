//! The printer: an AST back to readable C that parses to the same AST.
//!
//! Printing works off an explicit stack of [`Task`]s, so no depth of tree exhausts the call stack. Parentheses
//! are written by precedence alone. No line markers are written; pragmas stand where the tree has them.

mod decl;
mod expr;
mod literal;
mod stmt;
mod types;

use crate::ast::{Ast, Attribute, DeclId, ExprId, FieldDecl, FnId, InitId, Item, Param, StmtId, TypeId};
use crate::intern::Symbol;

/// The whole unit as C text.
pub fn print(ast: &Ast) -> String {
    let mut printer = Printer::new(ast);
    for (index, item) in ast.items.iter().enumerate() {
        let apart = matches!(item, Item::Function(_))
            || index > 0 && matches!(ast.items[index - 1], Item::Function(_));
        if index > 0 && apart {
            printer.out.push('\n');
        }
        printer.run([Task::Item(item), Task::NewLine]);
    }
    printer.out
}

/// One external declaration.
pub fn print_item(ast: &Ast, item: &Item) -> String {
    one(ast, Task::Item(item))
}

/// One statement, without a line end.
pub fn print_stmt(ast: &Ast, stmt: StmtId) -> String {
    one(ast, Task::Stmt(stmt))
}

/// One expression, without outer parentheses.
pub fn print_expr(ast: &Ast, expr: ExprId) -> String {
    one(ast, Task::Expr(expr, 0))
}

/// One type as a type name, as it stands in a cast.
pub fn print_type(ast: &Ast, ty: TypeId) -> String {
    one(ast, Task::TypeName(ty))
}

/// One declaration with its `;`.
pub fn print_decl(ast: &Ast, decl: DeclId) -> String {
    one(ast, Task::Decl(decl))
}

fn one(ast: &Ast, task: Task<'_>) -> String {
    let mut printer = Printer::new(ast);
    printer.run([task]);
    printer.out
}

/// Something still to be written.
#[derive(Copy, Clone)]
enum Task<'a> {
    /// Text as it is.
    Text(&'static str),
    /// A word, kept apart from a word before it.
    Word(&'a str),
    /// A name, kept apart from a word before it.
    Name(Symbol),
    /// A narrow string literal.
    Bytes(&'a [u8]),
    /// A line end and the indentation of the next line.
    NewLine,
    /// One step of indentation more.
    Inc,
    /// One step less.
    Dec,
    /// A comma, and a line break where the line is long.
    Comma,
    /// A blank, unless the declarator behind it has nothing to write.
    Gap(TypeId, TypeId, Option<Symbol>),
    /// An expression, in parentheses if it binds looser than this.
    Expr(ExprId, u8),
    /// A prefix operator, kept apart from the same character before it.
    Prefix(&'static str),
    Stmt(StmtId),
    /// A statement governed by another one: a block on the same line, anything else on a line of its own.
    Body(StmtId),
    Init(InitId),
    Item(&'a Item),
    Decl(DeclId),
    Function(FnId),
    Field(&'a FieldDecl),
    Param(&'a Param),
    /// A specifier type with its qualifiers and attributes.
    Specifier(TypeId),
    /// A declarator: the chain from the first type down to the second, around a name.
    Declarator(TypeId, TypeId, Option<Symbol>),
    TypeName(TypeId),
    /// `__attribute__((...))` with a blank before it where needed.
    Attrs(&'a [Attribute]),
}

/// Attributes in front of a specifier or declarator, with a blank behind them.
fn leading_attrs<'a>(attrs: &'a [Attribute], tasks: &mut Vec<Task<'a>>) {
    if !attrs.is_empty() {
        tasks.extend([Task::Attrs(attrs), Task::Text(" ")]);
    }
}

const INDENT: usize = 4;
const LINE: usize = 100;

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
    indent: usize,
    line_start: usize,
    tasks: Vec<Task<'a>>,
}

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast) -> Printer<'a> {
        Printer { ast, out: String::new(), indent: 0, line_start: 0, tasks: Vec::new() }
    }

    /// Puts tasks in front of all others, to be done in the order given.
    fn then(&mut self, tasks: impl IntoIterator<Item = Task<'a>>) {
        let from = self.tasks.len();
        self.tasks.extend(tasks);
        self.tasks[from..].reverse();
    }

    fn run(&mut self, tasks: impl IntoIterator<Item = Task<'a>>) {
        self.then(tasks);
        while let Some(task) = self.tasks.pop() {
            self.step(task);
        }
    }

    fn step(&mut self, task: Task<'a>) {
        match task {
            Task::Text(text) => self.out.push_str(text),
            Task::Word(word) => self.word(word),
            Task::Name(name) => self.word(self.ast.names.name(name)),
            Task::Bytes(bytes) => literal::bytes(&mut self.out, bytes),
            Task::NewLine => self.new_line(),
            Task::Inc => self.indent += 1,
            Task::Dec => self.indent = self.indent.saturating_sub(1),
            Task::Comma => {
                self.out.push(',');
                if self.out.len() - self.line_start > LINE {
                    self.new_line();
                } else {
                    self.out.push(' ');
                }
            }
            Task::Gap(ty, base, name) => {
                if (ty != base || name.is_some())
                    && !self.out.ends_with([' ', '\n', '('])
                    && !self.out.is_empty()
                {
                    self.out.push(' ');
                }
            }
            Task::Expr(id, least) => self.expr(id, least),
            Task::Prefix(op) => {
                if self.out.ends_with(&op[..1]) {
                    self.out.push(' ');
                }
                self.out.push_str(op);
            }
            Task::Stmt(id) => self.stmt(id),
            Task::Body(id) => self.body(id),
            Task::Init(id) => self.init(id),
            Task::Item(item) => self.item(item),
            Task::Decl(id) => self.declaration(id),
            Task::Function(id) => self.function(id),
            Task::Field(field) => self.field(field),
            Task::Param(param) => self.param(param),
            Task::Specifier(id) => self.specifier(id),
            Task::Declarator(ty, base, name) => self.declarator(ty, base, name),
            Task::TypeName(ty) => self.type_name(ty),
            Task::Attrs(attrs) => self.attrs(attrs),
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.line_start = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', self.indent * INDENT));
    }

    /// Writes a word, with a blank where it would run into one before it.
    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let glued = self
            .out
            .bytes()
            .next_back()
            .is_some_and(|b| b.is_ascii_alphanumeric() || b >= 0x80 || b"_$\"'".contains(&b));
        if glued {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    /// Writes a blank unless one is there or the line begins here.
    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with([' ', '\n', '(']) {
            self.out.push(' ');
        }
    }
}
