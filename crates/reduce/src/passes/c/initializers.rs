//! Initialisers made shorter or removed.

use crate::Hint;
use crate::passes::c::view::View;
use csyntax::ast::{DeclId, ExprKind, InitId, InitKind};
use csyntax::source::Span;

c_pass!(Initializers, "initializers", "Removes initialisers.", initializers);
c_pass!(InitializerLists, "initializer-lists", "Removes items of initialiser lists, and nesting.", lists);

/// From the `=` in front of an initialiser to its end.
pub fn with_equals(view: View<'_>, init: InitId) -> Option<Span> {
    let span = view.ast[init].span;
    let before = view.text.get(..span.lo as usize)?;
    let end = before.iter().rposition(|b| !b.is_ascii_whitespace())?;
    (before[end] == b'=').then(|| Span::new(end as u32, span.hi))
}

/// The initialisers of declarators.
fn outermost(view: View<'_>) -> Vec<InitId> {
    let decls = (0..view.ast.decls.len() as u32).map(DeclId);
    decls.flat_map(|id| view.ast[id].declarators.iter().filter_map(|d| d.init)).collect()
}

fn initializers(view: View<'_>, hints: &mut Vec<Hint>) {
    for init in outermost(view) {
        if let Some(span) = with_equals(view, init) {
            hints.extend(view.one(view.cut(span)));
        }
    }
    for init in outermost(view) {
        let is_zero = match &view.ast[init].kind {
            InitKind::Expr(value) => matches!(view.ast[*value].kind, ExprKind::Int { .. }),
            InitKind::List(items) => items.len() < 2,
        };
        if !is_zero {
            let text = if matches!(view.ast[init].kind, InitKind::List(_)) { "{0}" } else { "0" };
            hints.extend(view.one(view.put(view.ast[init].span, text)));
        }
    }
}

/// Where the items of a list begin and end, designators included.
pub fn item_spans(view: View<'_>, items: &[csyntax::ast::InitItem], list: Span) -> Vec<Span> {
    let mut from = list.lo + 1;
    let mut spans = Vec::with_capacity(items.len());
    for item in items {
        let end = view.ast[item.init].span.hi;
        let text = view.source(Span::new(from, end));
        let blanks = text.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
        spans.push(Span::new(from + blanks as u32, end));
        from = end;
    }
    spans
}

fn lists(view: View<'_>, hints: &mut Vec<Hint>) {
    let mut nested = Vec::new();
    for init in &view.ast.inits {
        let InitKind::List(items) = &init.kind else { continue };
        let spans = item_spans(view, items, init.span);
        // The second half at once, then items from the last on.
        if let (Some(middle), Some(last)) = (spans.get(spans.len() / 2), spans.last())
            && spans.len() > 3
        {
            let before = spans[spans.len() / 2 - 1].hi;
            hints.extend(view.one(view.cut(Span::new(before.min(middle.lo), last.hi))));
        }
        for cut in view.list_cuts(&spans).into_iter().rev() {
            hints.extend((spans.len() > 1).then(|| view.one(view.cut(cut))).flatten());
        }
        for (item, span) in items.iter().zip(&spans) {
            let designators = Span::new(span.lo, view.ast[item.init].span.lo);
            nested.extend((!item.designators.is_empty()).then(|| view.one(view.cut(designators))).flatten());
            if let InitKind::List(inner) = &view.ast[item.init].kind {
                let first = inner.first().map_or(&b"0"[..], |first| view.source(view.ast[first.init].span));
                nested.extend(view.one(view.put(*span, first)));
            }
        }
        if let [only] = &items[..] {
            nested.extend(view.one(view.put(init.span, view.source(view.ast[only.init].span))));
        }
    }
    hints.extend(nested);
}
