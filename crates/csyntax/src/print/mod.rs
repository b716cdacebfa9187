//! The printer: an AST back to readable C that parses to the same AST.
//!
//! What is to be written is a [`Task`]. Tasks are done where they arise, by plain recursion; below a certain depth
//! they go on an explicit stack instead, so no depth of tree exhausts the call stack. Parentheses are written by
//! precedence alone. No line markers are written; pragmas stand where the tree has them.

mod decl;
mod direct;
mod expr;
mod literal;
mod stmt;
mod types;

use crate::ast::{Ast, Attribute, DeclId, ExprId, FieldDecl, FnId, InitId, Item, Param, StmtId, TypeId};
use crate::intern::Symbol;

/// The whole unit as C text.
pub fn print(ast: &Ast) -> String {
    let mut printer = Printer::new(ast);
    printer.out.reserve(ast.exprs.len() * 6);
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
    /// The `*` of a declarator, kept apart from a word before it.
    Star,
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

/// Would a word run into one that ends so?
fn glues(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b >= 0x80 || b == b'_' || b == b'$'
}

const INDENT: usize = 4;
const LINE: usize = 100;
/// Nested calls before tasks go on the stack.
const DEPTH: usize = 200;
/// Blanks to indent with.
const BLANKS: &str = "                                                                                ";

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
    indent: usize,
    line_start: usize,
    tasks: Vec<Task<'a>>,
    /// Calls of [`Printer::then`] that are not finished.
    depth: usize,
}

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast) -> Printer<'a> {
        Printer { ast, out: String::new(), indent: 0, line_start: 0, tasks: Vec::new(), depth: 0 }
    }

    /// Does tasks in the order given, before anything else. Called last of all by whoever calls it: beyond
    /// [`DEPTH`] the tasks are only put in front of all others.
    fn then(&mut self, tasks: impl IntoIterator<Item = Task<'a>>) {
        if self.depth < DEPTH {
            self.depth += 1;
            for task in tasks {
                self.step(task);
            }
            self.depth -= 1;
            return;
        }
        let from = self.tasks.len();
        self.tasks.extend(tasks);
        self.tasks[from..].reverse();
        if self.depth == DEPTH {
            self.depth += 1;
            while self.tasks.len() > from
                && let Some(task) = self.tasks.pop()
            {
                self.step(task);
            }
            self.depth -= 1;
        }
    }

    fn run(&mut self, tasks: impl IntoIterator<Item = Task<'a>>) {
        self.then(tasks);
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
            Task::Comma => self.comma(),
            Task::Gap(ty, base, name) => self.gap(ty, base, name),
            Task::Expr(id, least) => self.expr(id, least),
            Task::Prefix(op) => self.prefix(op),
            Task::Star => self.word("*"),
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
        let mut left = self.indent * INDENT;
        while left > 0 {
            let now = left.min(BLANKS.len());
            self.out.push_str(&BLANKS[..now]);
            left -= now;
        }
    }

    fn last(&self) -> Option<u8> {
        self.out.as_bytes().last().copied()
    }

    /// Writes a word, with a blank where it would run into one before it.
    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let glued = self.last().is_some_and(|b| glues(b) || b == b'"' || b == b'\'');
        if glued {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    /// Writes a blank unless one is there or the line begins here.
    fn blank(&mut self) {
        if !matches!(self.last(), None | Some(b' ' | b'\n' | b'(')) {
            self.out.push(' ');
        }
    }

    /// A comma, and a line break where the line is long.
    fn comma(&mut self) {
        self.out.push(',');
        if self.out.len() - self.line_start > LINE {
            self.new_line();
        } else {
            self.out.push(' ');
        }
    }

    /// A blank, unless the declarator behind it has nothing to write.
    fn gap(&mut self, ty: TypeId, base: TypeId, name: Option<Symbol>) {
        if ty != base || name.is_some() {
            self.blank();
        }
    }

    /// A prefix operator, kept apart from the same character before it.
    fn prefix(&mut self, op: &'static str) {
        let first = op.as_bytes().first().copied();
        if self.last() == first && matches!(first, Some(b'+' | b'-' | b'&')) {
            self.out.push(' ');
        }
        self.out.push_str(op);
    }
}
