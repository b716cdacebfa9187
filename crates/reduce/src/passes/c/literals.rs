//! Constants made smaller and plainer.

use crate::Hint;
use crate::passes::c::outline::outline;
use crate::passes::c::types::ExprTypes;
use crate::passes::c::view::View;
use csyntax::ast::{ArraySize, ExprId, ExprKind, IntBase, IntSuffix, StrPrefix, TypeKind};
use csyntax::tree;
use csyntax::types::IntKind;

c_pass!(Literals, "literals", "Makes constants smaller: 0, 1, a power of two or less.", literals, Fine);
c_pass!(
    Spellings,
    "spellings",
    "Writes constants in decimal without suffix, and floating ones as integers.",
    spellings,
    Polish
);
c_pass!(Strings, "strings", "Shortens string literals.", strings);
c_pass!(Folded, "folded", "Replaces expressions of constant value by that value.", folded);
c_pass!(ArraySizes, "array-sizes", "Makes arrays shorter.", array_sizes);

/// Values up to this one are also lowered by one; what is tried above it is a share of the value, for a walk downwards that
/// goes by ones would not end for hours.
const BY_ONES: u128 = 64;

/// Simpler values than this one, the simplest first. Each is less by a share of the value at least, so that a number of n
/// bits is at its least after some multiple of n steps.
fn simpler(value: u128) -> Vec<u128> {
    let power = if value == 0 { 0 } else { 1u128 << value.ilog2() };
    let shares = [2, 4, 16, BY_ONES].map(|share| value - value / share);
    let one_less = if value <= BY_ONES { value.saturating_sub(1) } else { value };
    let mut values = vec![0, 1, 2, value & 0xff, value & 0xffff, power, power.saturating_add(1)];
    values.extend(shares);
    values.push(one_less);
    let mut seen = Vec::new();
    values.retain(|&v| {
        let new = v < value && !seen.contains(&v);
        seen.push(v);
        new
    });
    values
}

fn literals(view: View<'_>, hints: &mut Vec<Hint>) {
    let exprs = outline(view.ast).exprs;
    let ints = exprs.iter().filter_map(|place| match view.ast[place.id].kind {
        ExprKind::Int { value, suffix, .. } => Some((view.ast[place.id].span, simpler(value), suffix)),
        _ => None,
    });
    let ints: Vec<_> = ints.collect();
    let most = ints.iter().map(|(_, values, _)| values.len()).max().unwrap_or(0);
    for nth in 0..most {
        for (span, values, suffix) in &ints {
            if let Some(value) = values.get(nth) {
                hints.extend(view.one(view.put(*span, format!("{value}{}", suffix_text(*suffix)))));
            }
        }
    }
}

fn suffix_text(suffix: IntSuffix) -> String {
    let unsigned = if suffix.unsigned { "U" } else { "" };
    let long = ["", "L", "LL"][usize::from(suffix.long.min(2))];
    let imaginary = if suffix.imaginary { "i" } else { "" };
    format!("{unsigned}{long}{imaginary}")
}

fn spellings(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outline(view.ast).exprs {
        let span = view.ast[place.id].span;
        match view.ast[place.id].kind {
            ExprKind::Int { value, suffix, base } => {
                if suffix != IntSuffix::default() {
                    hints.extend(view.one(view.put(span, format!("{value}"))));
                } else if base != IntBase::Dec {
                    hints.extend(view.one(view.put(span, format!("{value}{}", suffix_text(suffix)))));
                }
            }
            ExprKind::Char { value, .. } => hints.extend(view.one(view.put(span, format!("{value}")))),
            ExprKind::Float { text, .. } => {
                let number: f64 = view.ast.names.name(text).parse().unwrap_or(1.0);
                hints.extend(view.one(view.put(span, "0")));
                hints.extend(view.one(view.put(span, format!("{}", number.trunc().min(1e15) as i64))));
            }
            _ => {}
        }
    }
}

fn strings(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outline(view.ast).exprs {
        let span = view.ast[place.id].span;
        let ExprKind::Str(literal) = &view.ast[place.id].kind else { continue };
        let plain = |units: &[u32]| -> Option<String> {
            let text: Option<String> = units.iter().map(|&unit| char::from_u32(unit)).collect();
            text.filter(|text| text.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b'"' && b != b'\\'))
        };
        if literal.prefix != StrPrefix::None || literal.units.is_empty() {
            hints.extend((!literal.units.is_empty()).then(|| view.one(view.put(span, "\"\""))).flatten());
            continue;
        }
        let units = &literal.units;
        // One conversion alone, as in formats; then nothing, halves, and one character less.
        let conversion = units.iter().position(|&u| u == u32::from(b'%')).map(|at| &units[at..]);
        let end = conversion
            .and_then(|c| c.iter().skip(1).position(|&u| char::from_u32(u).is_some_and(char::is_alphabetic)));
        let candidates = [
            Some(&units[..0]),
            conversion.zip(end).map(|(c, end)| &c[..end + 2]),
            Some(&units[..units.len() / 2]),
            Some(&units[units.len() / 2..]),
            Some(&units[1..]),
            Some(&units[..units.len() - 1]),
        ];
        for candidate in candidates.into_iter().flatten() {
            if let Some(text) = plain(candidate) {
                hints.extend(view.one(view.put(span, format!("\"{text}\""))));
            }
        }
    }
}

fn folded(view: View<'_>, hints: &mut Vec<Hint>) {
    let types = ExprTypes::new(view);
    let Some(unit) = view.file.checked() else { return };
    let mut values: Vec<Option<u128>> = vec![None; view.ast.exprs.len()];
    // The last node of an expression that is no implicit conversion is the one for its own operator.
    for expr in &unit.exprs {
        let value = match expr.kind {
            tree::ExprKind::Int(value) => Some(value),
            tree::ExprKind::Load(_)
            | tree::ExprKind::Decay(_)
            | tree::ExprKind::Convert { explicit: false, .. } => continue,
            _ => None,
        };
        if let Some(slot) = values.get_mut(expr.origin.index()) {
            *slot = value;
        }
    }
    let mut places = outline(view.ast).exprs;
    places.retain(|place| worth_folding(&view.ast[place.id].kind));
    for place in places {
        let Some(value) = values[place.id.index()] else { continue };
        let signed = types.table().zip(types.of(place.id)).and_then(|(table, ty)| {
            let kind = table.int_kind(ty.ty)?;
            let bits = table.int_width(kind);
            let shifted = (value << (128 - bits.min(128))) as i128 >> (128 - bits.min(128));
            Some(if table.int_signed(kind) { shifted } else { value as i128 })
        });
        let text = signed.unwrap_or(value as i128).to_string();
        let binding = if text.starts_with('-') { crate::passes::c::precedence::UNARY } else { u8::MAX };
        let span = view.ast[place.id].span;
        hints.extend(view.one(view.put(span, view.fit_text(place.id, text.as_bytes(), binding))));
        // Of the same type as well.
        let suffix =
            types.table().zip(types.of(place.id)).and_then(|(table, ty)| suffix(table.int_kind(ty.ty)?));
        if let Some(suffix) = suffix.filter(|_| binding == u8::MAX) {
            let text = view.fit_text(place.id, format!("{text}{suffix}").as_bytes(), binding);
            hints.extend(view.one(view.put(span, text)));
        }
    }
}

/// What makes a decimal constant of this type, if it takes something.
fn suffix(kind: IntKind) -> Option<&'static str> {
    match kind {
        IntKind::UInt => Some("U"),
        IntKind::Long => Some("L"),
        IntKind::ULong => Some("UL"),
        IntKind::LLong => Some("LL"),
        IntKind::ULLong => Some("ULL"),
        _ => None,
    }
}

fn worth_folding(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Ident(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cond(..)
        | ExprKind::Cast(..)
        | ExprKind::SizeofExpr(_)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofExpr(_)
        | ExprKind::AlignofType(_)
        | ExprKind::Offsetof(..)
        | ExprKind::TypesCompatible(..)
        | ExprKind::Comma(..)
        | ExprKind::ChooseExpr(..)
        | ExprKind::Generic(..) => true,
        ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Char { .. }
        | ExprKind::Str(_)
        | ExprKind::Assign(..)
        | ExprKind::Call(..)
        | ExprKind::Index(..)
        | ExprKind::Member { .. }
        | ExprKind::CompoundLit(..)
        | ExprKind::StmtExpr(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::VaArg(..)
        | ExprKind::ConvertVector(..)
        | ExprKind::Error => false,
    }
}

fn array_sizes(view: View<'_>, hints: &mut Vec<Hint>) {
    let sizes: Vec<ExprId> = view
        .ast
        .types
        .iter()
        .filter_map(|node| match node.kind {
            TypeKind::Array { size: ArraySize::Expr(size), .. } => Some(size),
            _ => None,
        })
        .collect();
    for nth in 0..4 {
        for &size in &sizes {
            let ExprKind::Int { value, .. } = view.ast[size].kind else { continue };
            // The step downwards is never less than a share of the length: lengths are of any size.
            let least = if value <= BY_ONES { 1 } else { value / BY_ONES };
            let mut values = vec![1, 2, value / 2, value.saturating_sub(least)];
            values.dedup();
            if let Some(&smaller) = values.get(nth)
                && smaller > 0
                && smaller < value
            {
                hints.extend(view.one(view.put(view.ast[size].span, smaller.to_string())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::simpler;

    /// The least value that a test holds for, found as the engine finds it: the first simpler one that still holds.
    fn least(mut value: u128, holds: impl Fn(u128) -> bool) -> (u128, usize) {
        let mut steps = 0;
        while let Some(next) = simpler(value).into_iter().find(|&v| holds(v)) {
            (value, steps) = (next, steps + 1);
        }
        (value, steps)
    }

    #[test]
    fn a_number_is_at_its_least_after_few_steps() {
        assert_eq!(least(u128::from(u32::MAX) - 7, |v| v > 1 << 30).0, (1 << 30) + 1);
        assert_eq!(least(1000, |v| v > 40).0, 41);
        for bound in [3_000_000_000, 2_147_483_437, 77_777] {
            let (value, steps) = least(1 << 62, |v| v >= bound);
            assert!(value < bound + bound / 50 && steps < 400, "{bound}: {value} in {steps}");
        }
    }
}
