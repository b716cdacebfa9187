//! Calls of functions that return one of their arguments, by the word of the source's declaration (`returned`): what such a
//! call gives is that argument, on both sides.

use super::promised::same_attr;
use crate::llvm_ir::ast::{Attr, Call, CastOp, Flags, Function, Inst, Module, Op, Operand};
use crate::llvm_ir::program::OF_VALUES;
use crate::llvm_ir::types::Type;

/// Both modules with the results of such calls named as the arguments they are; none where the source declares no such
/// function that either calls.
pub(super) fn with_arguments(
    left: &Module,
    f: &Function,
    right: &Module,
    g: &Function,
) -> Option<[Module; 2]> {
    let told = [(left, f), (right, g)].map(|(m, f)| told(left, m, f));
    if told.iter().all(Option::is_none) {
        return None;
    }
    let [l, r] = told;
    Some([(l, left), (r, right)].map(|(told, m)| without_the_word(left, told.unwrap_or_else(|| m.clone()))))
}

/// Whether the source promises something of a result that is named as an argument, which is lost: more of it is defined then.
pub(super) fn loses_promises(left: &Module, f: &Function) -> bool {
    named(left, left, f).any(|call| !promises(left, call).is_empty())
}

/// Whether the target promises something of such a result that the source does not of each of its own.
pub(super) fn promises_more(left: &Module, f: &Function, right: &Module, g: &Function) -> bool {
    named(left, right, g).any(|theirs| {
        let of_same = |call: &&Call| left.called(call).map(|n| left.names.text(n)) == callee(right, theirs);
        let said = |b: &&Attr| {
            named(left, left, f)
                .filter(of_same)
                .all(|call| promises(left, call).iter().any(|a| same_attr(left, a, right, b)))
        };
        !promises(right, theirs).iter().all(said)
    })
}

/// The calls whose results are named as arguments.
fn named<'m>(source: &'m Module, m: &'m Module, f: &'m Function) -> impl Iterator<Item = &'m Call> {
    f.insts.iter().filter_map(move |inst| match &inst.op {
        Op::Call(call) if inst.result.is_some() && returned(source, m, call).is_some() => Some(&**call),
        _ => None,
    })
}

fn callee<'m>(m: &'m Module, call: &Call) -> Option<&'m str> {
    m.called(call).map(|n| m.names.text(n))
}

/// What is promised of the result of a call, there and where the function is declared.
fn promises<'m>(m: &'m Module, call: &'m Call) -> Vec<&'m Attr> {
    let declared = m.called(call).and_then(|n| m.functions.iter().find(|f| f.name == n));
    let all = declared.into_iter().flat_map(|f| &f.ret_attrs).chain(&call.ret_attrs);
    all.filter(|a| OF_VALUES.contains(&m.names.text(a.name()))).collect()
}

/// The module without what is said of results that are named now.
fn without_the_word(source: &Module, mut m: Module) -> Module {
    let (names, mut functions) = (&m.names, std::mem::take(&mut m.functions));
    for f in functions.iter_mut().filter(|f| declared(source, names.text(f.name)).is_some()) {
        f.params.iter_mut().for_each(|p| p.attrs.retain(|a| names.text(a.name()) != "returned"));
    }
    m.functions = functions;
    m
}

/// Which argument the source says that a function returns.
fn declared(source: &Module, name: &str) -> Option<usize> {
    let name = source.names.get(name)?;
    let says = |a: &Attr| source.names.text(a.name()) == "returned";
    let f = source.functions.iter().find(|f| f.name == name)?;
    f.params.iter().position(|p| p.attrs.iter().any(says))
}

fn told(source: &Module, m: &Module, f: &Function) -> Option<Module> {
    let mut any = false;
    let h = f.rewritten(|_, inst| match (&inst.op, inst.result) {
        (Op::Call(call), Some(result)) => match returned(source, m, call) {
            Some(value) => {
                any = true;
                let (from, to) = (call.ret, call.ret);
                let op = Op::Cast { op: CastOp::BitCast, flags: Flags(0), from, value, to };
                let copy = Inst { result: Some(result), op, attachments: Box::new([]), at: inst.at };
                vec![Inst { result: None, ..inst.clone() }, copy]
            }
            None => vec![inst.clone()],
        },
        _ => vec![inst.clone()],
    });
    if !any {
        return None;
    }
    let mut changed = m.clone();
    changed.put(h)?;
    Some(changed)
}

/// The argument that a call returns.
fn returned(source: &Module, m: &Module, call: &Call) -> Option<Operand> {
    if call.intrinsic.is_some()
        || !matches!(m.types.resolve(call.ret), Type::Int(_) | Type::Ptr(_) | Type::Float(_))
    {
        return None;
    }
    let which = declared(source, m.names.text(m.called(call)?))?;
    call.args.get(which).filter(|a| a.ty == call.ret).map(|a| a.value)
}
