//! One file of a case with its syntax, and how passes write patches for it.

use crate::passes::c::precedence::precedence;
use crate::{Case, File, Hint, Patch};
use csyntax::ast::{Ast, ExprId};
use csyntax::source::Span;

/// A file that the parser can take whole.
#[derive(Copy, Clone)]
pub struct View<'a> {
    /// Its place in the case.
    pub index: usize,
    /// The file.
    pub file: &'a File,
    /// Its text.
    pub text: &'a [u8],
    /// Its syntax.
    pub ast: &'a Ast,
}

/// What `propose` has for each file that can be parsed, in order.
pub fn each<'c>(case: &'c Case, mut propose: impl FnMut(View<'c>, &mut Vec<Hint>)) -> Vec<Hint> {
    let mut hints = Vec::new();
    for (index, file) in case.files.iter().enumerate() {
        if let Some(ast) = file.syntax() {
            propose(View { index, file, text: &file.text, ast }, &mut hints);
        }
    }
    hints
}

impl<'a> View<'a> {
    /// The text of a span.
    pub fn source(&self, span: Span) -> &'a [u8] {
        self.text.get(span.lo as usize..span.hi as usize).unwrap_or_default()
    }

    /// A replacement.
    pub fn put(&self, span: Span, with: impl Into<Vec<u8>>) -> Patch {
        Patch { file: self.index, span: span.lo as usize..span.hi as usize, with: with.into() }
    }

    /// A deletion.
    pub fn cut(&self, span: Span) -> Patch {
        self.put(span, Vec::new())
    }

    /// An insertion in front of a place.
    pub fn insert(&self, at: u32, with: impl Into<Vec<u8>>) -> Patch {
        self.put(Span::new(at, at), with)
    }

    /// The hint of these patches in any order. Those inside another one are left out; nothing, if two cross or nothing
    /// would change.
    pub fn hint(&self, mut patches: Vec<Patch>) -> Option<Hint> {
        patches.retain(|patch| self.text.get(patch.span.clone()).is_some_and(|old| old != patch.with));
        patches.sort_by_key(|patch| (patch.span.start, std::cmp::Reverse(patch.span.end)));
        let mut kept: Vec<Patch> = Vec::with_capacity(patches.len());
        for patch in patches {
            match kept.last() {
                Some(last) if patch.span.start < last.span.end => {
                    if patch.span.end > last.span.end {
                        return None;
                    }
                }
                Some(last) if *last == patch => {}
                Some(_) | None => kept.push(patch),
            }
        }
        (!kept.is_empty()).then_some(Hint { patches: kept })
    }

    /// The hint of one patch.
    pub fn one(&self, patch: Patch) -> Option<Hint> {
        self.hint(vec![patch])
    }

    /// The text of `new`, to stand where `old` stands.
    pub fn fit(&self, old: ExprId, new: ExprId) -> Vec<u8> {
        self.fit_text(old, self.source(self.ast[new].span), self.binding(new))
    }

    /// How tightly an expression's text binds, parentheses included.
    pub fn binding(&self, id: ExprId) -> u8 {
        if self.in_parentheses(id) { u8::MAX } else { precedence(&self.ast[id].kind) }
    }

    fn in_parentheses(&self, id: ExprId) -> bool {
        // The span of an expression in parentheses holds them: its first operand begins later.
        let span = self.ast[id].span;
        if self.source(span).first() != Some(&b'(') {
            return false;
        }
        let kind = &self.ast[id].kind;
        let starts_so = matches!(
            kind,
            csyntax::ast::ExprKind::Cast(..)
                | csyntax::ast::ExprKind::CompoundLit(..)
                | csyntax::ast::ExprKind::StmtExpr(_)
        );
        let mut first = None;
        csyntax::visit::children(self.ast, csyntax::visit::Node::Expr(id), |child| {
            if first.is_none()
                && let csyntax::visit::Node::Expr(child) = child
            {
                first = Some(self.ast[child].span.lo);
            }
        });
        if starts_so {
            let inner = self.source(span);
            return inner.get(1..).and_then(|rest| rest.iter().find(|b| !b.is_ascii_whitespace()))
                == Some(&b'(');
        }
        first != Some(span.lo)
    }

    /// This text, which binds so tightly, to stand where `old` stands.
    pub fn fit_text(&self, old: ExprId, text: &[u8], binding: u8) -> Vec<u8> {
        if binding >= self.binding(old) { self.apart(old, text) } else { [b"(", text, b")"].concat() }
    }

    /// With a blank in front where it would run into the word or operator before it.
    fn apart(&self, old: ExprId, text: &[u8]) -> Vec<u8> {
        let lo = self.ast[old].span.lo as usize;
        let before = lo.checked_sub(1).and_then(|at| self.text.get(at));
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let glues = match (before, text.first()) {
            (Some(&a), Some(&b)) => word(a) && word(b) || a == b && b"+-&".contains(&a),
            (Some(_), None) | (None, _) => false,
        };
        if glues { [b" ", text].concat() } else { text.to_vec() }
    }

    /// The spans to delete for each of a comma-separated list: a comma goes with each.
    pub fn list_cuts(&self, spans: &[Span]) -> Vec<Span> {
        let cut = |index: usize| match (spans.get(index + 1), index.checked_sub(1)) {
            (Some(next), _) => Span::new(spans[index].lo, next.lo),
            (None, Some(before)) => Span::new(spans[before].hi, spans[index].hi),
            (None, None) => spans[index],
        };
        (0..spans.len()).map(cut).collect()
    }
}
