//! Expressions and initialisers.

use super::{Printer, Task, literal};
use crate::ast::{BinOp, Designator, ExprId, ExprKind, InitId, InitKind, UnOp};

const COMMA: u8 = 1;
pub(super) const ASSIGN: u8 = 2;
const COND: u8 = 3;
const LOG_OR: u8 = 4;
const CAST: u8 = 14;
const UNARY: u8 = 15;
const POSTFIX: u8 = 16;
const PRIMARY: u8 = 17;

/// Spelling with blanks around it, and precedence, of a binary operator.
fn binary(op: BinOp) -> (&'static str, u8) {
    match op {
        BinOp::Mul => (" * ", 13),
        BinOp::Div => (" / ", 13),
        BinOp::Rem => (" % ", 13),
        BinOp::Add => (" + ", 12),
        BinOp::Sub => (" - ", 12),
        BinOp::Shl => (" << ", 11),
        BinOp::Shr => (" >> ", 11),
        BinOp::Lt => (" < ", 10),
        BinOp::Gt => (" > ", 10),
        BinOp::Le => (" <= ", 10),
        BinOp::Ge => (" >= ", 10),
        BinOp::Eq => (" == ", 9),
        BinOp::Ne => (" != ", 9),
        BinOp::And => (" & ", 8),
        BinOp::Xor => (" ^ ", 7),
        BinOp::Or => (" | ", 6),
        BinOp::LogAnd => (" && ", 5),
        BinOp::LogOr => (" || ", LOG_OR),
    }
}

/// The compound assignment of a binary operator, with blanks.
fn assignment(op: Option<BinOp>) -> &'static str {
    match op {
        None => " = ",
        Some(BinOp::Mul) => " *= ",
        Some(BinOp::Div) => " /= ",
        Some(BinOp::Rem) => " %= ",
        Some(BinOp::Add) => " += ",
        Some(BinOp::Sub) => " -= ",
        Some(BinOp::Shl) => " <<= ",
        Some(BinOp::Shr) => " >>= ",
        Some(BinOp::And) => " &= ",
        Some(BinOp::Xor) => " ^= ",
        Some(BinOp::Or) => " |= ",
        // No such operators exist; no parser or checked builder makes them.
        Some(BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne) => " = ",
        Some(BinOp::LogAnd | BinOp::LogOr) => " = ",
    }
}

/// How tightly an expression binds.
fn precedence(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Comma(..) => COMMA,
        ExprKind::Assign(..) => ASSIGN,
        ExprKind::Cond(..) => COND,
        ExprKind::Binary(op, ..) => binary(*op).1,
        ExprKind::Cast(..) => CAST,
        ExprKind::Unary(UnOp::PostInc | UnOp::PostDec, _) => POSTFIX,
        ExprKind::Unary(..) | ExprKind::SizeofExpr(_) | ExprKind::AlignofExpr(_) => UNARY,
        ExprKind::SizeofType(_) | ExprKind::AlignofType(_) | ExprKind::LabelAddr(_) => UNARY,
        ExprKind::Call(..) | ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::CompoundLit(..) => {
            POSTFIX
        }
        ExprKind::Ident(_) | ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Char { .. } => PRIMARY,
        ExprKind::Str(_) | ExprKind::Generic(..) | ExprKind::StmtExpr(_) | ExprKind::VaArg(..) => PRIMARY,
        ExprKind::Offsetof(..) | ExprKind::TypesCompatible(..) | ExprKind::ChooseExpr(..) => PRIMARY,
        ExprKind::ConvertVector(..) | ExprKind::Error => PRIMARY,
    }
}

impl<'a> Printer<'a> {
    pub(super) fn expr(&mut self, id: ExprId, least: u8) {
        let ast = self.ast;
        let kind = &ast[id].kind;
        if self.nested(|p| p.at_once(kind, least)) {
            return;
        }
        if precedence(kind) < least {
            self.then([Task::Text("("), Task::Expr(id, 0), Task::Text(")")]);
            return;
        }
        match kind {
            // Nothing is nested in these.
            ExprKind::Ident(_)
            | ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Char { .. }
            | ExprKind::Str(_) => {
                self.at_once(kind, 0);
            }
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Binary(op, left, right) => {
                let (text, precedence) = binary(*op);
                self.then([
                    Task::Expr(*left, precedence),
                    Task::Text(text),
                    Task::Expr(*right, precedence + 1),
                ]);
            }
            ExprKind::Assign(op, left, right) => {
                self.then([
                    Task::Expr(*left, UNARY),
                    Task::Text(assignment(*op)),
                    Task::Expr(*right, ASSIGN),
                ]);
            }
            ExprKind::Cond(condition, Some(middle), otherwise) => self.then([
                Task::Expr(*condition, LOG_OR),
                Task::Text(" ? "),
                Task::Expr(*middle, COMMA),
                Task::Text(" : "),
                Task::Expr(*otherwise, COND),
            ]),
            ExprKind::Cond(condition, None, otherwise) => {
                self.then([Task::Expr(*condition, LOG_OR), Task::Text(" ?: "), Task::Expr(*otherwise, COND)]);
            }
            ExprKind::Comma(left, right) => {
                self.then([Task::Expr(*left, COMMA), Task::Text(", "), Task::Expr(*right, ASSIGN)]);
            }
            ExprKind::Call(callee, args) => {
                let open = [Task::Expr(*callee, POSTFIX), Task::Text("("), Task::Inc];
                let args = commas(args.iter().map(|&arg| Task::Expr(arg, ASSIGN)));
                self.then(open.into_iter().chain(args).chain([Task::Dec, Task::Text(")")]));
            }
            ExprKind::Index(base, index) => self.then([
                Task::Expr(*base, POSTFIX),
                Task::Text("["),
                Task::Expr(*index, COMMA),
                Task::Text("]"),
            ]),
            ExprKind::Member { base, arrow, field } => {
                let least = self.postfix_base(*base);
                let dot = if *arrow { "->" } else { "." };
                self.then([Task::Expr(*base, least), Task::Text(dot), Task::Name(*field)]);
            }
            ExprKind::Cast(ty, operand) => {
                self.then([
                    Task::Text("("),
                    Task::TypeName(*ty),
                    Task::Text(")"),
                    Task::Expr(*operand, CAST),
                ]);
            }
            ExprKind::CompoundLit(ty, init) => {
                self.then([Task::Text("("), Task::TypeName(*ty), Task::Text(")"), Task::Init(*init)]);
            }
            ExprKind::SizeofExpr(operand) => {
                self.then([Task::Word("sizeof"), Task::Text(" "), Task::Expr(*operand, UNARY)])
            }
            ExprKind::AlignofExpr(operand) => {
                self.then([Task::Word("__alignof__"), Task::Text(" "), Task::Expr(*operand, UNARY)]);
            }
            ExprKind::SizeofType(ty) => self.of_type("sizeof", *ty),
            ExprKind::AlignofType(ty) => self.of_type("_Alignof", *ty),
            ExprKind::LabelAddr(label) => self.then([Task::Prefix("&&"), Task::Name(*label)]),
            ExprKind::Generic(..)
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(..)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..)
            | ExprKind::ChooseExpr(..)
            | ExprKind::ConvertVector(..)
            | ExprKind::Error => self.special(kind),
        }
    }

    /// All but the rarest expressions, written without tasks; false where it is one of those. What it writes is what
    /// [`Printer::expr`] would.
    fn at_once(&mut self, kind: &'a ExprKind, least: u8) -> bool {
        let ast = self.ast;
        let apart = precedence(kind) < least;
        if apart {
            self.out.push('(');
        }
        match kind {
            ExprKind::Ident(name) => self.word(ast.names.name(*name)),
            ExprKind::Int { value, suffix, base } => {
                self.word_gap();
                literal::int(&mut self.out, *value, *suffix, *base);
            }
            ExprKind::Float { text, suffix } => {
                self.word_gap();
                literal::float(&mut self.out, ast.names.name(*text), *suffix);
            }
            ExprKind::Char { value, prefix } => {
                self.word_gap();
                literal::character(&mut self.out, *value, *prefix);
            }
            ExprKind::Str(lit) => {
                self.word_gap();
                literal::string(&mut self.out, lit);
            }
            ExprKind::Binary(op, left, right) => {
                let (text, precedence) = binary(*op);
                self.expr(*left, precedence);
                self.out.push_str(text);
                self.expr(*right, precedence + 1);
            }
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Assign(op, left, right) => {
                self.expr(*left, UNARY);
                self.out.push_str(assignment(*op));
                self.expr(*right, ASSIGN);
            }
            ExprKind::Cond(condition, middle, otherwise) => {
                self.expr(*condition, LOG_OR);
                match middle {
                    Some(middle) => {
                        self.out.push_str(" ? ");
                        self.expr(*middle, COMMA);
                        self.out.push_str(" : ");
                    }
                    None => self.out.push_str(" ?: "),
                }
                self.expr(*otherwise, COND);
            }
            ExprKind::Comma(left, right) => {
                self.expr(*left, COMMA);
                self.out.push_str(", ");
                self.expr(*right, ASSIGN);
            }
            ExprKind::Call(callee, args) => {
                self.expr(*callee, POSTFIX);
                self.out.push('(');
                self.indent += 1;
                for (index, arg) in args.iter().enumerate() {
                    if index > 0 {
                        self.comma();
                    }
                    self.expr(*arg, ASSIGN);
                }
                self.indent -= 1;
                self.out.push(')');
            }
            ExprKind::Index(base, index) => {
                self.expr(*base, POSTFIX);
                self.out.push('[');
                self.expr(*index, COMMA);
                self.out.push(']');
            }
            ExprKind::Member { base, arrow, field } => {
                let bound = self.postfix_base(*base);
                self.expr(*base, bound);
                self.out.push_str(if *arrow { "->" } else { "." });
                self.word(ast.names.name(*field));
            }
            ExprKind::Cast(ty, operand) => {
                self.out.push('(');
                self.type_name(*ty);
                self.out.push(')');
                self.expr(*operand, CAST);
            }
            ExprKind::CompoundLit(ty, init) => {
                self.out.push('(');
                self.type_name(*ty);
                self.out.push(')');
                self.init(*init);
            }
            ExprKind::SizeofExpr(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofType(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Generic(..)
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(..)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..)
            | ExprKind::ChooseExpr(..)
            | ExprKind::ConvertVector(..)
            | ExprKind::Error => {
                if apart {
                    self.out.pop();
                }
                return false;
            }
        }
        if apart {
            self.out.push(')');
        }
        true
    }

    /// Expressions with a syntax of their own.
    fn special(&mut self, kind: &'a ExprKind) {
        match kind {
            ExprKind::Generic(control, arms) => {
                let mut tasks = vec![Task::Word("_Generic"), Task::Text("("), Task::Expr(*control, ASSIGN)];
                for (ty, value) in arms {
                    tasks.push(Task::Comma);
                    tasks.push(ty.map_or(Task::Text("default"), Task::TypeName));
                    tasks.extend([Task::Text(": "), Task::Expr(*value, ASSIGN)]);
                }
                tasks.push(Task::Text(")"));
                self.then(tasks);
            }
            ExprKind::StmtExpr(block) => self.then([Task::Text("("), Task::Stmt(*block), Task::Text(")")]),
            ExprKind::VaArg(list, ty) => self.expr_and_type("__builtin_va_arg", *list, *ty),
            ExprKind::ConvertVector(value, ty) => self.expr_and_type("__builtin_convertvector", *value, *ty),
            ExprKind::Offsetof(ty, path) => {
                let mut tasks = vec![
                    Task::Word("__builtin_offsetof"),
                    Task::Text("("),
                    Task::TypeName(*ty),
                    Task::Text(", "),
                ];
                for (index, designator) in path.iter().enumerate() {
                    match designator {
                        Designator::Field(name) if index == 0 => tasks.push(Task::Name(*name)),
                        other => designator_tasks(&mut tasks, other),
                    }
                }
                tasks.push(Task::Text(")"));
                self.then(tasks);
            }
            ExprKind::TypesCompatible(first, second) => self.then([
                Task::Word("__builtin_types_compatible_p"),
                Task::Text("("),
                Task::TypeName(*first),
                Task::Text(", "),
                Task::TypeName(*second),
                Task::Text(")"),
            ]),
            ExprKind::ChooseExpr(condition, first, second) => self.then([
                Task::Word("__builtin_choose_expr"),
                Task::Text("("),
                Task::Expr(*condition, ASSIGN),
                Task::Text(", "),
                Task::Expr(*first, ASSIGN),
                Task::Text(", "),
                Task::Expr(*second, ASSIGN),
                Task::Text(")"),
            ]),
            _ => self.word("0 /* unreadable */"),
        }
    }

    fn of_type(&mut self, word: &'static str, ty: crate::ast::TypeId) {
        self.then([Task::Word(word), Task::Text("("), Task::TypeName(ty), Task::Text(")")]);
    }

    fn expr_and_type(&mut self, name: &'static str, expr: ExprId, ty: crate::ast::TypeId) {
        self.then([
            Task::Word(name),
            Task::Text("("),
            Task::Expr(expr, ASSIGN),
            Task::Text(", "),
            Task::TypeName(ty),
            Task::Text(")"),
        ]);
    }

    fn unary(&mut self, op: UnOp, operand: ExprId) {
        let prefix = match op {
            UnOp::Plus => "+",
            UnOp::Minus => "-",
            UnOp::BitNot => "~",
            UnOp::Not => "!",
            UnOp::Deref => "*",
            UnOp::AddrOf => "&",
            UnOp::PreInc => "++",
            UnOp::PreDec => "--",
            UnOp::PostInc => {
                return self.then([Task::Expr(operand, self.postfix_base(operand)), Task::Text("++")]);
            }
            UnOp::PostDec => {
                return self.then([Task::Expr(operand, self.postfix_base(operand)), Task::Text("--")]);
            }
            UnOp::Real => return self.word_operator("__real__", operand),
            UnOp::Imag => return self.word_operator("__imag__", operand),
            UnOp::Extension => return self.word_operator("__extension__", operand),
        };
        if self.depth < super::DEPTH {
            self.prefix(prefix);
            return self.expr(operand, CAST);
        }
        self.then([Task::Prefix(prefix), Task::Expr(operand, CAST)]);
    }

    /// Numbers stand in parentheses: `1.x` and `0xe++` would be read as one token.
    fn postfix_base(&self, base: ExprId) -> u8 {
        match self.ast[base].kind {
            ExprKind::Int { .. } | ExprKind::Float { .. } => PRIMARY + 1,
            _ => POSTFIX,
        }
    }

    fn word_operator(&mut self, word: &'static str, operand: ExprId) {
        // A second `__extension__` at the start of a statement would not be part of the expression.
        let again = matches!(self.ast[operand].kind, ExprKind::Unary(UnOp::Extension, _));
        let least = if again { PRIMARY } else { CAST };
        self.then([Task::Word(word), Task::Text(" "), Task::Expr(operand, least)]);
    }

    /// Tasks with commas between them, broken over lines where long.
    pub(super) fn list(&self, tasks: &mut Vec<Task<'a>>, items: impl Iterator<Item = Task<'a>>) {
        tasks.extend(commas(items));
    }

    fn word_gap(&mut self) {
        if self.last().is_some_and(super::glues) {
            self.out.push(' ');
        }
    }

    pub(super) fn init(&mut self, id: InitId) {
        if self.nested(|p| p.init_direct(id)) {
            return;
        }
        match &self.ast[id].kind {
            InitKind::Expr(value) => self.then([Task::Expr(*value, ASSIGN)]),
            InitKind::List(items) if items.iter().all(|i| i.designators.is_empty()) => {
                let open = [Task::Text("{"), Task::Inc];
                let items = commas(items.iter().map(|i| Task::Init(i.init)));
                self.then(open.into_iter().chain(items).chain([Task::Dec, Task::Text("}")]));
            }
            InitKind::List(items) => {
                let mut tasks = vec![Task::Text("{"), Task::Inc];
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        tasks.push(Task::Comma);
                    }
                    for designator in &item.designators {
                        designator_tasks(&mut tasks, designator);
                    }
                    if !item.designators.is_empty() {
                        tasks.push(Task::Text(" = "));
                    }
                    tasks.push(Task::Init(item.init));
                }
                tasks.extend([Task::Dec, Task::Text("}")]);
                self.then(tasks);
            }
        }
    }
}

/// The same without a list to put them into.
pub(super) fn commas<'a>(items: impl Iterator<Item = Task<'a>>) -> impl Iterator<Item = Task<'a>> {
    items.enumerate().flat_map(|(index, item)| (index > 0).then_some(Task::Comma).into_iter().chain([item]))
}

fn designator_tasks(tasks: &mut Vec<Task<'_>>, designator: &Designator) {
    match designator {
        Designator::Field(name) => tasks.extend([Task::Text("."), Task::Name(*name)]),
        Designator::Index(index) => {
            tasks.extend([Task::Text("["), Task::Expr(*index, COND), Task::Text("]")])
        }
        Designator::Range(low, high) => tasks.extend([
            Task::Text("["),
            Task::Expr(*low, COND),
            Task::Text(" ... "),
            Task::Expr(*high, COND),
            Task::Text("]"),
        ]),
    }
}
