//! What an LLVM IR signature passes, laid out by the calling convention.

use super::ast::{Attr, Function, Module};
use super::types::{FloatKind, Type, TypeId, Types};
use crate::abi::sysv::SYSTEM_V;
use crate::abi::{Class, Extension, Lowering, Passed, Signature};
use crate::domain::{Res, Unsupported};

/// The width of the widest registers that a function passes vectors in, its own and those of its calls: by the features that
/// it is compiled for. (Where it says that it needs no vectors of 512 bits, LLVM may do without.)
pub fn widest_vector(m: &Module, f: &Function) -> u32 {
    let text = |key: &str| {
        m.attributes_of(f).find_map(|attr| match attr {
            Attr::Text(name, Some(value)) if m.names.text(*name) == key => Some(m.names.text(*value)),
            _ => None,
        })
    };
    let has = |feature: &str| text("target-features").is_some_and(|all| all.split(',').any(|f| f == feature));
    let needs = text("min-legal-vector-width").and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
    match (has("+avx512f") && needs >= 512, has("+avx")) {
        (true, _) => 512,
        (false, true) => 256,
        (false, false) => 128,
    }
}

/// The scalars of a type and the vectors that are passed as such, in order; `widest` as [`widest_vector`] says.
fn scalars(m: &Module, (ty, widest): (TypeId, u32), out: &mut Vec<Passed>, depth: u32) -> Res<()> {
    let fail = |what: &str| Err(Unsupported::new(format!("{what} in a signature")));
    if depth > 8 || out.len() > 64 {
        return fail("large aggregate");
    }
    match m.types.resolve(ty) {
        Type::Int(w) if *w <= 128 => out.push(Passed::scalar(Class::Integer, *w)),
        Type::Ptr(0) => out.push(Passed::scalar(Class::Integer, 64)),
        Type::Float(FloatKind::Float) => out.push(Passed::scalar(Class::Vector, 32)),
        Type::Float(FloatKind::Double) => out.push(Passed::scalar(Class::Vector, 64)),
        Type::Vector { scalable: false, len, elem } => match vector(m, *len, *elem, widest) {
            Some(vector) => out.push(vector),
            None => return fail("vector of this width"),
        },
        Type::Struct { fields, .. } => {
            for field in fields.iter() {
                scalars(m, (*field, widest), out, depth + 1)?;
            }
        }
        Type::Array { len, elem } if *len <= 16 => {
            for _ in 0..*len {
                scalars(m, (*elem, widest), out, depth + 1)?;
            }
        }
        _ => return fail("type"),
    }
    Ok(())
}

/// A vector that fills a register, or the lower half of one of 128 bits as two `float` do: the others are cut or widened.
fn vector(m: &Module, len: u64, elem: TypeId, widest: u32) -> Option<Passed> {
    let bits = match m.types.resolve(elem) {
        Type::Int(w @ (8 | 16 | 32 | 64)) => *w,
        Type::Ptr(0) | Type::Float(FloatKind::Double) => 64,
        Type::Float(FloatKind::Float) if len == 2 => {
            return Some(Passed { class: Class::Vector, bits: 32, lanes: 2 });
        }
        Type::Float(FloatKind::Float) => 32,
        _ => return None,
    };
    let lanes = u32::try_from(len).ok()?;
    let fills = lanes.checked_mul(bits).is_some_and(|all| matches!(all, 128 | 256 | 512) && all <= widest);
    (lanes > 1 && fills).then_some(Passed { class: Class::Vector, bits, lanes })
}

fn has(m: &Module, attrs: &[Attr], name: &str) -> bool {
    attrs.iter().any(|a| m.names.text(a.name()) == name)
}

/// The extension that attributes ask for.
fn extension(m: &Module, attrs: &[Attr]) -> Option<Extension> {
    match (has(m, attrs, "zeroext"), has(m, attrs, "signext")) {
        (_, true) => Some(Extension::Sign),
        (true, false) => Some(Extension::Zero),
        (false, false) => None,
    }
}

/// Parameters that no convention here passes.
const REFUSED: [&str; 7] =
    ["nest", "inalloca", "preallocated", "swiftself", "swifterror", "swiftasync", "inreg"];

fn argument(m: &Module, lowering: &mut Lowering, (ty, widest): (TypeId, u32), attrs: &[Attr]) -> Res<()> {
    if let Some(bad) = REFUSED.iter().find(|bad| has(m, attrs, bad)) {
        return Err(Unsupported::new(format!("{bad} argument")));
    }
    if has(m, attrs, "sret") {
        lowering.next_is_result_address();
    }
    let by_value = attrs.iter().find_map(|a| match a {
        Attr::Type(name, ty) if m.names.text(*name) == "byval" => Some(*ty),
        _ => None,
    });
    if let Some(object) = by_value {
        let align = attrs.iter().find_map(|a| match a {
            Attr::Int(name, n) if m.names.text(*name) == "align" => u32::try_from(*n).ok(),
            _ => None,
        });
        return lowering.object(m.layout.alloc_size(&m.types, object), align);
    }
    let mut list = Vec::new();
    scalars(m, (ty, widest), &mut list, 0)?;
    lowering.argument(&list, extension(m, attrs))
}

/// Lays out a signature: the types and attributes of arguments as passed, and of the result; `words` may name a
/// convention, `widest` is as [`widest_vector`] says.
pub fn lower(
    m: &Module,
    args: &[(TypeId, &[Attr])],
    ret: (TypeId, &[Attr]),
    variadic: bool,
    words: &[&str],
    widest: u32,
) -> Res<Signature> {
    for word in words {
        if (word.ends_with("cc") || word.starts_with("cc ")) && !matches!(*word, "ccc" | "fastcc" | "coldcc")
        {
            return Err(Unsupported::new(format!("calling convention {word}")));
        }
    }
    let mut lowering = Lowering::new(&SYSTEM_V);
    for (ty, attrs) in args {
        argument(m, &mut lowering, (*ty, widest), attrs)?;
    }
    if variadic {
        lowering.variadic();
    }
    if ret.0 != Types::VOID {
        let mut list = Vec::new();
        scalars(m, (ret.0, widest), &mut list, 0)?;
        lowering.result(&list, extension(m, ret.1))?;
    }
    Ok(lowering.done())
}
