//! Types of expressions where the checker knows them, by the broad classes that decide what may stand for what.

use crate::passes::c::view::View;
use csyntax::ast::ExprId;
use csyntax::tree::{ExprKind, Unit};
use csyntax::types::{QTy, TyKind, Types};

/// What values a type has, roughly: expressions of one class can mostly stand for each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// No value.
    Void,
    /// Integers, enums and floating types.
    Arithmetic,
    /// Pointers, and arrays and functions, which become pointers.
    Pointer,
    /// A struct or union.
    Record(u32),
    /// Complex numbers, vectors and argument lists.
    Other(u32),
}

/// The types of a file's expressions.
pub struct ExprTypes<'a> {
    unit: Option<&'a Unit>,
    of: Vec<Option<QTy>>,
}

impl<'a> ExprTypes<'a> {
    /// Of a file; nothing is known of one that the checker refuses.
    pub fn new(view: View<'a>) -> ExprTypes<'a> {
        let unit = view.file.checked();
        let mut of = vec![None; view.ast.exprs.len()];
        for expr in unit.iter().flat_map(|unit| &unit.exprs) {
            let implicit = matches!(
                expr.kind,
                ExprKind::Load(_)
                    | ExprKind::Decay(_)
                    | ExprKind::Same
                    | ExprKind::Convert { explicit: false, .. }
            );
            if let Some(known) = of.get_mut(expr.origin.index())
                && (known.is_none() || !implicit)
            {
                *known = Some(expr.ty);
            }
        }
        ExprTypes { unit, of }
    }

    /// The type of an expression before conversions.
    pub fn of(&self, id: ExprId) -> Option<QTy> {
        self.of.get(id.index()).copied().flatten()
    }

    /// The table of types.
    pub fn table(&self) -> Option<&'a Types> {
        self.unit.map(|unit| &unit.types)
    }

    /// The class of an expression's type.
    pub fn class(&self, id: ExprId) -> Option<Class> {
        let ty = self.of(id)?.ty;
        Some(match self.table()?.kind(ty) {
            TyKind::Void => Class::Void,
            TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_) => Class::Arithmetic,
            TyKind::Pointer(_) | TyKind::Array(..) | TyKind::Function(_) => Class::Pointer,
            TyKind::Record(record) => Class::Record(record.0),
            TyKind::Complex(_) | TyKind::Vector(..) | TyKind::VaList => Class::Other(ty.0),
        })
    }

    /// May `new` stand for `old`? Yes, where nothing is known.
    pub fn can_replace(&self, old: ExprId, new: ExprId) -> bool {
        match (self.class(old), self.class(new)) {
            (Some(old), Some(new)) => old == new || old == Class::Void,
            (Some(_), None) | (None, _) => true,
        }
    }

    /// May 0 stand for it?
    pub fn can_be_zero(&self, id: ExprId) -> bool {
        match self.class(id) {
            Some(Class::Record(_) | Class::Other(_)) => false,
            Some(Class::Void | Class::Arithmetic | Class::Pointer) | None => true,
        }
    }
}
