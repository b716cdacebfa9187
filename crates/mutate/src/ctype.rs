//! Declarations as text from semantic types, for variables and functions that an edit declares.

use csyntax::ast::Quals;
use csyntax::tree::Unit;
use csyntax::types::{ArrayLen, FloatKind, QTy, TyKind};

/// Deepest derivation printed.
const DEEPEST: usize = 12;

/// `T declarator`, where `declarator` is a name. `None` for types that have no name of their own or depend on a place:
/// records without tag, variable arrays, vectors, enums without tag.
pub fn declare(unit: &Unit, ty: QTy, declarator: &str) -> Option<String> {
    let (mut ty, mut text) = (ty, declarator.to_string());
    for _ in 0..DEEPEST {
        if unit.types.adjusted.contains_key(&ty.ty) {
            return None;
        }
        match unit.types.kind(ty.ty) {
            TyKind::Pointer(to) => {
                let space = if text.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
                    qualifiers(ty.quals)
                } else {
                    qualifiers(ty.quals).trim_end().to_string()
                };
                text = format!("*{space}{text}");
                if matches!(unit.types.kind(to.ty), TyKind::Array(..) | TyKind::Function(_)) {
                    text = format!("({text})");
                }
                ty = *to;
            }
            TyKind::Array(elem, ArrayLen::Fixed(n)) => {
                text = format!("{text}[{n}]");
                ty = QTy { ty: elem.ty, quals: elem.quals.with(ty.quals) };
            }
            TyKind::Function(function) => {
                let mut params = Vec::with_capacity(function.params.len());
                for param in &function.params {
                    params.push(declare(unit, *param, "")?.trim_end().to_string());
                }
                if function.variadic {
                    params.push("...".to_string());
                }
                let list = match (function.prototype, params.is_empty()) {
                    (false, _) => String::new(),
                    (true, true) => "void".to_string(),
                    (true, false) => params.join(", "),
                };
                text = format!("{text}({list})");
                ty = function.ret;
            }
            TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Enum(_)
            | TyKind::Record(_)
            | TyKind::Complex(_)
            | TyKind::Vector(..)
            | TyKind::VaList
            | TyKind::Array(_, ArrayLen::Unknown | ArrayLen::Variable(_)) => {
                return Some(format!("{}{} {text}", qualifiers(ty.quals), base(unit, ty)?));
            }
        }
    }
    None
}

fn base(unit: &Unit, ty: QTy) -> Option<String> {
    let tagged = |word: &str, tag: Option<csyntax::intern::Symbol>| {
        tag.map(|tag| format!("{word} {}", unit.names.name(tag)))
    };
    match unit.types.kind(ty.ty) {
        TyKind::Void => Some("void".to_string()),
        TyKind::Int(kind) => Some(crate::synth::arith::keyword(*kind).into_owned()),
        TyKind::Float(FloatKind::Float) => Some("float".to_string()),
        TyKind::Float(FloatKind::Double) => Some("double".to_string()),
        TyKind::Float(FloatKind::LongDouble) => Some("long double".to_string()),
        TyKind::Enum(id) => tagged("enum", unit.types.enums[id.0 as usize].tag),
        TyKind::Record(id) => {
            let record = &unit.types.records[id.0 as usize];
            tagged(if record.is_union { "union" } else { "struct" }, record.tag)
        }
        TyKind::Float(FloatKind::Float16 | FloatKind::Float128)
        | TyKind::Complex(_)
        | TyKind::Vector(..)
        | TyKind::VaList
        | TyKind::Pointer(_)
        | TyKind::Array(..)
        | TyKind::Function(_) => None,
    }
}

fn qualifiers(quals: Quals) -> String {
    let words = [(Quals::CONST, "const "), (Quals::VOLATILE, "volatile "), (Quals::RESTRICT, "restrict ")];
    let mut text: String = words.iter().filter(|(q, _)| quals.has(*q)).map(|(_, word)| *word).collect();
    if quals.has(Quals::ATOMIC) {
        text.push_str("_Atomic ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_read_back_as_what_they_were() {
        let text = "struct S { int a; }; int v; const unsigned char *p; int *const q; long a[2][3]; int (*f)(int, \
                    struct S *, ...); char *(*t[4])(void); struct S s; int (*pa)[5]; struct { int x; } nameless; \
                    unsigned _BitInt(13) narrow; const _BitInt(65) *wide;";
        let parsed = csyntax::parse::parse(text.as_bytes(), "t.c");
        let unit =
            csyntax::check::check(&parsed.ast, &csyntax::target::Target::LP64).unit.expect("it checks");
        let shown: Vec<Option<String>> = unit.objects.iter().map(|o| declare(&unit, o.ty, "$")).collect();
        let shown: Vec<&str> = shown.iter().map(|s| s.as_deref().unwrap_or("none")).collect();
        assert_eq!(
            shown,
            [
                "int $",
                "const unsigned char *$",
                "int *const $",
                "long $[2][3]",
                "int (*$)(int, struct S *, ...)",
                "char *(*$[4])(void)",
                "struct S $",
                "int (*$)[5]",
                "none",
                "unsigned _BitInt(13) $",
                "const _BitInt(65) *$"
            ]
        );
    }
}
