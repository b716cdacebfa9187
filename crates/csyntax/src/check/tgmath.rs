//! `__builtin_tgmath`, on which glibc's `<tgmath.h>` stands: picks one of several functions by the types of arguments
//! (C11 7.25p3).

use super::{At, Checker};
use crate::ast;
use crate::tree::{ExprId, ExprKind};
use crate::types::{FloatKind, FnTy, Ty, TyKind};

/// A floating type as the choice sees it: format and complexity.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Shape {
    rank: u8,
    complex: bool,
}

fn rank(kind: FloatKind) -> u8 {
    match kind {
        FloatKind::Float16 => 0,
        FloatKind::Float => 1,
        FloatKind::Double => 2,
        FloatKind::LongDouble => 3,
        FloatKind::Float128 => 4,
    }
}

impl Checker<'_> {
    /// `__builtin_tgmath(functions..., arguments...)`.
    pub(super) fn tgmath(&mut self, args: &[ast::ExprId], at: At) -> ExprId {
        let mut functions: Vec<(ExprId, FnTy)> = Vec::new();
        for &arg in args {
            let enough =
                functions.first().is_some_and(|(_, f)| functions.len() + f.params.len() >= args.len());
            if enough {
                break;
            }
            let pointer = self.rvalue(arg);
            if self.is_poison(pointer) {
                return self.poison(at);
            }
            let ty = self.pointee(self.ty(pointer)).map(|to| self.tykind(to.ty).clone());
            let Some(TyKind::Function(fn_ty)) = ty else { break };
            functions.push((pointer, fn_ty));
        }
        let count = functions.len();
        let arity = functions.first().map_or(0, |(_, f)| f.params.len());
        if count == 0 || arity == 0 || count + arity != args.len() {
            return self
                .error_expr(at, "'__builtin_tgmath' takes functions and an argument for each parameter");
        }
        if functions.iter().any(|(_, f)| f.params.len() != arity) {
            return self.error_expr(at, "the functions of '__builtin_tgmath' differ in their parameters");
        }
        let values = &args[count..];
        let first = functions[0].1.clone();
        let generic: Vec<usize> = (0..arity)
            .filter(|&p| count == 1 || functions.iter().any(|(_, f)| f.params[p].ty != first.params[p].ty))
            .collect();
        let mut wanted: Option<Shape> = None;
        for &position in &generic {
            self.unevaluated += 1;
            let value = self.rvalue(values[position]);
            self.unevaluated -= 1;
            if self.is_poison(value) {
                return self.poison(at);
            }
            let Some(shape) = self.shape(self.ty(value)) else {
                let text = self.show(self.ty(value));
                return self.error_expr(at, format!("a type-generic function takes no '{text}'"));
            };
            wanted = Some(match wanted {
                None => shape,
                Some(old) => Shape { rank: old.rank.max(shape.rank), complex: old.complex || shape.complex },
            });
        }
        let shapes: Vec<Option<Shape>> = functions
            .iter()
            .map(|(_, f)| generic.first().and_then(|&p| self.shape(f.params[p].ty)))
            .collect();
        let fits = |want: Shape| shapes.iter().position(|s| *s == Some(want));
        // Functions that narrow have no version for every type: the next wider one is taken.
        let chosen = match wanted {
            None => Some(0),
            Some(want) => (want.rank..=4).find_map(|rank| fits(Shape { rank, ..want })),
        };
        let Some(chosen) = chosen else {
            return self.error_expr(at, "no function of '__builtin_tgmath' fits the arguments");
        };
        let (pointer, fn_ty) = functions.swap_remove(chosen);
        let made = self.arguments(&fn_ty, values, at);
        let ret = self.plain(fn_ty.ret.ty);
        self.push(ExprKind::Call(pointer, made), ret, at)
    }

    /// Integers count as `double` (7.25p3).
    fn shape(&self, ty: Ty) -> Option<Shape> {
        match self.tykind(ty) {
            TyKind::Float(kind) => Some(Shape { rank: rank(*kind), complex: false }),
            TyKind::Complex(elem) => match self.tykind(*elem) {
                TyKind::Float(kind) => Some(Shape { rank: rank(*kind), complex: true }),
                _ => Some(Shape { rank: rank(FloatKind::Double), complex: true }),
            },
            _ if self.is_integer(ty) => Some(Shape { rank: rank(FloatKind::Double), complex: false }),
            _ => None,
        }
    }
}
