//! Expressions (C11 6.5, with GNU C). Binary operators by precedence on an explicit stack.

use super::{P, Parser};
use crate::ast::{BinOp, Designator, Expr, ExprId, ExprKind, IntBase, IntSuffix, StrLit, StrPrefix, UnOp};
use crate::lex::literal;
use crate::lex::token::{Soft, Tok, Token};
use crate::source::Span;

/// A binary operator with its left operand, waiting for the right one.
pub(super) struct Pending {
    left: ExprId,
    op: BinOp,
    precedence: u8,
}

/// The binary operator a token is, with its precedence (higher binds tighter).
fn binary_operator(kind: Tok) -> Option<(BinOp, u8)> {
    Some(match kind {
        Tok::Star => (BinOp::Mul, 10),
        Tok::Slash => (BinOp::Div, 10),
        Tok::Percent => (BinOp::Rem, 10),
        Tok::Plus => (BinOp::Add, 9),
        Tok::Minus => (BinOp::Sub, 9),
        Tok::Shl => (BinOp::Shl, 8),
        Tok::Shr => (BinOp::Shr, 8),
        Tok::Lt => (BinOp::Lt, 7),
        Tok::Gt => (BinOp::Gt, 7),
        Tok::Le => (BinOp::Le, 7),
        Tok::Ge => (BinOp::Ge, 7),
        Tok::EqEq => (BinOp::Eq, 6),
        Tok::NotEq => (BinOp::Ne, 6),
        Tok::Amp => (BinOp::And, 5),
        Tok::Caret => (BinOp::Xor, 4),
        Tok::Pipe => (BinOp::Or, 3),
        Tok::AmpAmp => (BinOp::LogAnd, 2),
        Tok::PipePipe => (BinOp::LogOr, 1),
        _ => return None,
    })
}

/// The assignment operator a token is: `None` inside for `=`.
fn assignment_operator(kind: Tok) -> Option<Option<BinOp>> {
    Some(match kind {
        Tok::Assign => None,
        Tok::StarAssign => Some(BinOp::Mul),
        Tok::SlashAssign => Some(BinOp::Div),
        Tok::PercentAssign => Some(BinOp::Rem),
        Tok::PlusAssign => Some(BinOp::Add),
        Tok::MinusAssign => Some(BinOp::Sub),
        Tok::ShlAssign => Some(BinOp::Shl),
        Tok::ShrAssign => Some(BinOp::Shr),
        Tok::AmpAssign => Some(BinOp::And),
        Tok::CaretAssign => Some(BinOp::Xor),
        Tok::PipeAssign => Some(BinOp::Or),
        _ => return None,
    })
}

impl Parser<'_> {
    fn push_expr(&mut self, lo: u32, kind: ExprKind) -> ExprId {
        let span = self.span_from(lo);
        self.ast.push_expr(Expr { kind, span })
    }

    /// A node over two operands that stand left and right in the text.
    fn join(&mut self, left: ExprId, right: ExprId, kind: ExprKind) -> ExprId {
        let span = Span::new(self.ast[left].span.lo, self.ast[right].span.hi);
        self.ast.push_expr(Expr { kind, span })
    }

    /// An expression with commas.
    pub(super) fn expression(&mut self) -> P<ExprId> {
        let mut left = self.assignment()?;
        while self.eat(Tok::Comma) {
            let right = self.assignment()?;
            left = self.join(left, right, ExprKind::Comma(left, right));
        }
        Ok(left)
    }

    /// An expression without commas; chains of assignments by iteration.
    pub(super) fn assignment(&mut self) -> P<ExprId> {
        let first = self.conditional()?;
        let Some(op) = assignment_operator(self.tok.kind) else {
            return Ok(first);
        };
        self.advance();
        let mut pending = vec![(first, op)];
        let mut value = self.conditional()?;
        while let Some(op) = assignment_operator(self.tok.kind) {
            self.advance();
            pending.push((value, op));
            value = self.conditional()?;
        }
        while let Some((left, op)) = pending.pop() {
            value = self.join(left, value, ExprKind::Assign(op, left, value));
        }
        Ok(value)
    }

    /// `c ? t : e`, `c ?: e`; chains by iteration.
    pub(super) fn conditional(&mut self) -> P<ExprId> {
        let first = self.binary()?;
        if self.tok.kind != Tok::Question {
            return Ok(first);
        }
        let mut pending = Vec::new();
        let mut value = first;
        while self.eat(Tok::Question) {
            let middle =
                if self.tok.kind == Tok::Colon { None } else { Some(self.nested(|p| p.expression())?) };
            self.expect(Tok::Colon, "in the conditional expression")?;
            pending.push((value, middle));
            value = self.binary()?;
        }
        while let Some((condition, middle)) = pending.pop() {
            value = self.join(condition, value, ExprKind::Cond(condition, middle, value));
        }
        Ok(value)
    }

    fn binary(&mut self) -> P<ExprId> {
        let mut left = self.cast()?;
        let Some(mut next) = binary_operator(self.tok.kind) else {
            return Ok(left);
        };
        let base = self.operators.len();
        loop {
            self.operators.push(Pending { left, op: next.0, precedence: next.1 });
            self.advance();
            left = match self.cast() {
                Ok(operand) => operand,
                Err(failed) => {
                    self.operators.truncate(base);
                    return Err(failed);
                }
            };
            let found = binary_operator(self.tok.kind);
            let precedence = found.map_or(0, |f| f.1);
            while self.operators.len() > base {
                match self.operators.pop_if(|p| p.precedence >= precedence) {
                    Some(p) => left = self.join(p.left, left, ExprKind::Binary(p.op, p.left, left)),
                    None => break,
                }
            }
            match found {
                Some(found) => next = found,
                None => return Ok(left),
            }
        }
    }

    /// A cast, unary or postfix expression.
    fn cast(&mut self) -> P<ExprId> {
        let op = match self.kind() {
            Tok::Ident => {
                match self.scopes.soft(self.tok.sym) {
                    Some(Soft::Alignof) if self.peek().kind == Tok::LParen => return self.size_or_align(),
                    Some(Soft::Constant) => self.ast.c23 = true,
                    _ => {}
                }
                let name = ExprKind::Ident(self.tok.sym);
                let lo = self.tok.lo;
                self.advance();
                let name = self.push_expr(lo, name);
                return self.postfix(name);
            }
            Tok::LParen => return self.parenthesis(),
            Tok::Plus => UnOp::Plus,
            Tok::Minus => UnOp::Minus,
            Tok::Tilde => UnOp::BitNot,
            Tok::Bang => UnOp::Not,
            Tok::Star => UnOp::Deref,
            Tok::Amp => UnOp::AddrOf,
            Tok::Inc => UnOp::PreInc,
            Tok::Dec => UnOp::PreDec,
            Tok::Real => UnOp::Real,
            Tok::Imag => UnOp::Imag,
            Tok::Extension => UnOp::Extension,
            Tok::Sizeof | Tok::Alignof => return self.size_or_align(),
            Tok::AmpAmp => {
                let lo = self.tok.lo;
                self.advance();
                let label = self.expect_name("a label after `&&`")?;
                return Ok(self.push_expr(lo, ExprKind::LabelAddr(label)));
            }
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        let lo = self.tok.lo;
        self.advance();
        let operand = self.nested(|p| p.cast())?;
        Ok(self.push_expr(lo, ExprKind::Unary(op, operand)))
    }

    /// What starts with `(`: a cast, a compound literal, a statement expression, or parentheses.
    fn parenthesis(&mut self) -> P<ExprId> {
        let lo = self.tok.lo;
        self.advance();
        if self.tok.kind == Tok::LBrace {
            let block = self.nested(|p| p.compound())?;
            self.expect(Tok::RParen, "after the statement expression")?;
            let expr = self.push_expr(lo, ExprKind::StmtExpr(block));
            return self.postfix(expr);
        }
        if self.at_type_name() {
            let ty = self.type_name()?;
            self.expect(Tok::RParen, "after the type")?;
            if self.tok.kind == Tok::LBrace {
                return self.compound_literal(lo, ty);
            }
            let operand = self.nested(|p| p.cast())?;
            return Ok(self.push_expr(lo, ExprKind::Cast(ty, operand)));
        }
        let inner = self.nested(|p| p.expression())?;
        self.expect(Tok::RParen, "to close the parenthesis")?;
        self.ast[inner].span = self.span_from(lo);
        self.postfix(inner)
    }

    fn compound_literal(&mut self, lo: u32, ty: crate::ast::TypeId) -> P<ExprId> {
        let init = self.braced_initializer()?;
        let literal = self.push_expr(lo, ExprKind::CompoundLit(ty, init));
        self.postfix(literal)
    }

    fn size_or_align(&mut self) -> P<ExprId> {
        let lo = self.tok.lo;
        let size = self.tok.kind == Tok::Sizeof;
        self.advance();
        if self.tok.kind == Tok::LParen {
            let next = self.peek();
            if self.starts_type_name(next) {
                let open = self.tok.lo;
                self.advance();
                let ty = self.type_name()?;
                self.expect(Tok::RParen, "after the type")?;
                if self.tok.kind != Tok::LBrace {
                    let kind = if size { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType(ty) };
                    return Ok(self.push_expr(lo, kind));
                }
                let operand = self.compound_literal(open, ty)?;
                let kind = if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
                return Ok(self.push_expr(lo, kind));
            }
        }
        let operand = self.nested(|p| p.cast())?;
        let kind = if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        Ok(self.push_expr(lo, kind))
    }

    /// Calls, indices, members and increments behind `base`, by iteration.
    fn postfix(&mut self, mut base: ExprId) -> P<ExprId> {
        let lo = self.ast[base].span.lo;
        loop {
            let kind = match self.kind() {
                Tok::LParen => {
                    self.advance();
                    ExprKind::Call(base, self.arguments()?)
                }
                Tok::LBracket => {
                    self.advance();
                    let index = self.nested(|p| p.expression())?;
                    self.expect(Tok::RBracket, "after the index")?;
                    ExprKind::Index(base, index)
                }
                Tok::Dot | Tok::Arrow => {
                    let arrow = self.tok.kind == Tok::Arrow;
                    self.advance();
                    ExprKind::Member { base, arrow, field: self.expect_name("the name of a member")? }
                }
                Tok::Inc => {
                    self.advance();
                    ExprKind::Unary(UnOp::PostInc, base)
                }
                Tok::Dec => {
                    self.advance();
                    ExprKind::Unary(UnOp::PostDec, base)
                }
                _ => return Ok(base),
            };
            base = self.push_expr(lo, kind);
        }
    }

    fn arguments(&mut self) -> P<Vec<ExprId>> {
        let mut args = Vec::new();
        if self.eat(Tok::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.nested(|p| p.assignment())?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "after the arguments")?;
        Ok(args)
    }

    fn primary(&mut self) -> P<ExprId> {
        let lo = self.tok.lo;
        let kind = match self.kind() {
            Tok::Number => self.number(),
            Tok::Char => self.character(),
            Tok::Str => ExprKind::Str(self.string()),
            Tok::Generic => self.nested(|p| p.generic())?,
            Tok::VaArg => self.nested(|p| p.va_arg())?,
            Tok::Offsetof => self.nested(|p| p.offsetof())?,
            Tok::TypesCompatible => {
                self.advance();
                self.expect(Tok::LParen, "after `__builtin_types_compatible_p`")?;
                let first = self.type_name()?;
                self.expect(Tok::Comma, "between the types")?;
                let second = self.type_name()?;
                self.expect(Tok::RParen, "after the types")?;
                ExprKind::TypesCompatible(first, second)
            }
            Tok::ChooseExpr => self.nested(|p| p.choose_expr())?,
            Tok::ConvertVector => self.nested(|p| p.convert_vector())?,
            _ => return Err(self.expected("an expression")),
        };
        Ok(self.push_expr(lo, kind))
    }

    fn generic(&mut self) -> P<ExprKind> {
        self.advance();
        self.expect(Tok::LParen, "after `_Generic`")?;
        let control = self.assignment()?;
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) { None } else { Some(self.type_name()?) };
            self.expect(Tok::Colon, "after the type of the association")?;
            arms.push((ty, self.assignment()?));
        }
        self.expect(Tok::RParen, "after the associations")?;
        Ok(ExprKind::Generic(control, arms))
    }

    fn va_arg(&mut self) -> P<ExprKind> {
        let (list, ty) = self.expression_and_type("__builtin_va_arg")?;
        Ok(ExprKind::VaArg(list, ty))
    }

    fn convert_vector(&mut self) -> P<ExprKind> {
        let (vector, ty) = self.expression_and_type("__builtin_convertvector")?;
        Ok(ExprKind::ConvertVector(vector, ty))
    }

    fn expression_and_type(&mut self, name: &str) -> P<(ExprId, crate::ast::TypeId)> {
        self.advance();
        self.expect(Tok::LParen, &format!("after `{name}`"))?;
        let expr = self.assignment()?;
        self.expect(Tok::Comma, "before the type")?;
        let ty = self.type_name()?;
        self.expect(Tok::RParen, "after the type")?;
        Ok((expr, ty))
    }

    fn choose_expr(&mut self) -> P<ExprKind> {
        self.advance();
        self.expect(Tok::LParen, "after `__builtin_choose_expr`")?;
        let condition = self.assignment()?;
        self.expect(Tok::Comma, "after the condition")?;
        let first = self.assignment()?;
        self.expect(Tok::Comma, "between the choices")?;
        let second = self.assignment()?;
        self.expect(Tok::RParen, "after the choices")?;
        Ok(ExprKind::ChooseExpr(condition, first, second))
    }

    fn offsetof(&mut self) -> P<ExprKind> {
        self.advance();
        self.expect(Tok::LParen, "after `__builtin_offsetof`")?;
        let ty = self.type_name()?;
        self.expect(Tok::Comma, "after the type")?;
        let mut path = vec![Designator::Field(self.expect_name("the name of a member")?)];
        loop {
            match self.kind() {
                Tok::Dot => {
                    self.advance();
                    path.push(Designator::Field(self.expect_name("the name of a member")?));
                }
                Tok::Arrow => {
                    let lo = self.tok.lo;
                    self.advance();
                    let (suffix, base) = (IntSuffix::default(), IntBase::Dec);
                    let zero = self.push_expr(lo, ExprKind::Int { value: 0, suffix, base });
                    path.push(Designator::Index(zero));
                    path.push(Designator::Field(self.expect_name("the name of a member")?));
                }
                Tok::LBracket => {
                    self.advance();
                    path.push(Designator::Index(self.expression()?));
                    self.expect(Tok::RBracket, "after the index")?;
                }
                _ => break,
            }
        }
        self.expect(Tok::RParen, "after the member")?;
        Ok(ExprKind::Offsetof(ty, path))
    }

    // Constants.

    fn number(&mut self) -> ExprKind {
        let token = self.tok;
        self.advance();
        let bytes = self.token_text(token);
        if bytes.len() < 18 && (bytes[0] != b'0' || bytes.len() == 1) && bytes.iter().all(u8::is_ascii_digit)
        {
            let value = bytes.iter().fold(0u64, |value, b| value * 10 + u64::from(b - b'0'));
            return ExprKind::Int {
                value: u128::from(value),
                suffix: IntSuffix::default(),
                base: IntBase::Dec,
            };
        }
        let text = String::from_utf8_lossy(bytes);
        self.ast.c23 |= bytes.contains(&b'\'');
        match literal::number(&text, &mut self.ast.names) {
            Ok(kind) => kind,
            Err(message) => {
                self.error(token.span(), message);
                ExprKind::Error
            }
        }
    }

    fn character(&mut self) -> ExprKind {
        let token = self.tok;
        self.advance();
        let text = self.token_text(token);
        let prefix = literal::prefix(text);
        let mut units = Vec::new();
        if let Err(message) = literal::decode(text, prefix, &mut units) {
            self.error(token.span(), message);
        }
        match literal::char_value(prefix, &units) {
            Some(value) => ExprKind::Char { value, prefix },
            None => {
                self.error(token.span(), "expected a character between the quotes, found none".to_string());
                ExprKind::Error
            }
        }
    }

    /// Adjacent string literals, joined in the encoding that any of them asks for.
    fn string(&mut self) -> StrLit {
        let first = self.tok;
        self.advance();
        let mut prefix = literal::prefix(self.token_text(first));
        let mut units = Vec::new();
        if self.tok.kind != Tok::Str {
            self.decode(first, prefix, &mut units);
            return StrLit { prefix, units: units.into() };
        }
        let mut tokens = vec![first];
        while self.tok.kind == Tok::Str {
            tokens.push(self.tok);
            let next = literal::prefix(self.token_text(self.tok));
            if next != StrPrefix::None {
                if prefix != StrPrefix::None && prefix != next {
                    self.error(self.tok.span(), "expected strings of one encoding, found two".to_string());
                }
                prefix = next;
            }
            self.advance();
        }
        for token in tokens {
            self.decode(token, prefix, &mut units);
        }
        StrLit { prefix, units: units.into() }
    }

    fn decode(&mut self, token: Token, prefix: StrPrefix, units: &mut Vec<u32>) {
        let text = self.token_text(token);
        units.reserve(text.len());
        if let Err(message) = literal::decode(text, prefix, units) {
            self.error(token.span(), message);
        }
    }

    /// The bytes of one string token.
    pub(super) fn bytes_of(&mut self, token: Token) -> Vec<u8> {
        let mut units = Vec::new();
        self.decode(token, StrPrefix::None, &mut units);
        units.into_iter().map(|u| u as u8).collect()
    }

    /// Adjacent narrow strings as bytes; `what` is expected here.
    pub(super) fn string_bytes(&mut self, what: &str) -> P<Box<[u8]>> {
        if self.tok.kind != Tok::Str {
            return Err(self.expected(&format!("a string for {what}")));
        }
        let mut bytes = Vec::new();
        while self.tok.kind == Tok::Str {
            let token = self.tok;
            self.advance();
            bytes.extend(self.bytes_of(token));
        }
        Ok(bytes.into())
    }
}
