//! How tightly expressions bind (C11 6.5), to know where parentheses are needed.

use csyntax::ast::{BinOp, ExprKind};

/// Of a comma expression.
pub const COMMA: u8 = 1;
/// Of an assignment; arguments and initialisers need it at least.
pub const ASSIGN: u8 = 2;
/// Of a conditional expression; constant expressions need it at least.
pub const CONDITIONAL: u8 = 3;
/// Of a prefix operator or cast.
pub const UNARY: u8 = 14;
/// Of names, constants and postfix operators.
pub const POSTFIX: u8 = 16;

/// The precedence of an expression's own operator.
pub fn precedence(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Comma(..) => COMMA,
        ExprKind::Assign(..) => ASSIGN,
        ExprKind::Cond(..) => CONDITIONAL,
        ExprKind::Binary(op, ..) => binary(*op),
        ExprKind::Cast(..)
        | ExprKind::SizeofExpr(_)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofExpr(_)
        | ExprKind::AlignofType(_) => UNARY,
        ExprKind::Unary(op, _) => match op {
            csyntax::ast::UnOp::PostInc | csyntax::ast::UnOp::PostDec => POSTFIX,
            csyntax::ast::UnOp::Plus
            | csyntax::ast::UnOp::Minus
            | csyntax::ast::UnOp::BitNot
            | csyntax::ast::UnOp::Not
            | csyntax::ast::UnOp::Deref
            | csyntax::ast::UnOp::AddrOf
            | csyntax::ast::UnOp::PreInc
            | csyntax::ast::UnOp::PreDec
            | csyntax::ast::UnOp::Real
            | csyntax::ast::UnOp::Imag
            | csyntax::ast::UnOp::Extension => UNARY,
        },
        ExprKind::Ident(_)
        | ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Char { .. }
        | ExprKind::Str(_)
        | ExprKind::Call(..)
        | ExprKind::Index(..)
        | ExprKind::Member { .. }
        | ExprKind::CompoundLit(..)
        | ExprKind::Generic(..)
        | ExprKind::StmtExpr(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::VaArg(..)
        | ExprKind::Offsetof(..)
        | ExprKind::TypesCompatible(..)
        | ExprKind::ChooseExpr(..)
        | ExprKind::ConvertVector(..)
        | ExprKind::Error => POSTFIX,
    }
}

/// The precedence of a binary operator.
pub fn binary(op: BinOp) -> u8 {
    match op {
        BinOp::Mul | BinOp::Div | BinOp::Rem => 13,
        BinOp::Add | BinOp::Sub => 12,
        BinOp::Shl | BinOp::Shr => 11,
        BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge => 10,
        BinOp::Eq | BinOp::Ne => 9,
        BinOp::And => 8,
        BinOp::Xor => 7,
        BinOp::Or => 6,
        BinOp::LogAnd => 5,
        BinOp::LogOr => 4,
    }
}
