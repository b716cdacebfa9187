//! Local variables that the target keeps in one bit, since they only ever hold the number they begin with or one other (LLVM's
//! GlobalOpt shrinks such a variable). The source is rewritten to keep them in one bit too.

use super::opt::find;
use super::variables::{constants, named, reached};
use crate::llvm_ir::ast::{
    Access, ConstExpr, ConstKind, Flags, Function, Global, Inst, LocalId, Module, Op, Operand,
};
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::names::Name;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Most bodies that are looked into for what is stored.
const BODIES: usize = 8;

/// A store: its function and its instruction.
type Place = (usize, usize);

/// A variable that holds one of two numbers: its type, what it begins with, the other, and whether that is what each store puts
/// there.
struct OneOfTwo {
    ty: TypeId,
    first: u64,
    other: u64,
    stores: BTreeMap<Place, bool>,
}

/// Keeps in one bit what the target does of the variables that a function of either side leads to. Whether there were any. That
/// the bit stands for the other number is a guess: with a target that has it the other way round the sides differ.
pub(super) fn narrow(source: &mut Cow<'_, Module>, right: &Module, name: &str) -> bool {
    let (Ok(f), Ok(g)) = (find(source, name), find(right, name)) else { return false };
    let mut names: Vec<Name> = reached(source, f);
    names.extend(reached(right, g).into_iter().filter_map(|n| source.names.get(right.names.text(n))));
    names.sort_unstable();
    names.dedup();
    let in_a_bit = |n: &Name| {
        let id = right.names.get(source.names.text(*n));
        right.globals.iter().any(|h| Some(h.name) == id && h.ty == Types::I1)
    };
    names.retain(in_a_bit);
    let mut any = false;
    for variable in names {
        let Some((ty, first, stores)) = stored(source, variable) else { continue };
        let Some(of) = one_of_two(source.to_mut(), variable, (ty, first), stores) else { continue };
        shrink(source.to_mut(), variable, &of);
        any = true;
    }
    any
}

/// Whether an operand is the address of a variable.
fn is_address(m: &Module, o: Operand, variable: Name) -> bool {
    matches!(o, Operand::Const(c) if m.consts.get(c.0 as usize).is_some_and(|c| c.kind == ConstKind::Global(variable)))
}

/// The type of a variable, what it begins with and all stores to it, where nobody but plain loads and stores of its module knows
/// its address.
fn stored(m: &Module, variable: Name) -> Option<(TypeId, u64, Vec<Place>)> {
    let global: &Global = m.globals.iter().find(|g| g.name == variable)?;
    let (ty, init) = (global.ty, global.init?);
    let number = matches!(m.types.resolve(ty), Type::Int(2..=64));
    let unread = |kind: &ConstKind| matches!(kind, ConstKind::Expr(e) if matches!(**e, ConstExpr::Other(..)));
    if !number
        || global.constant
        || !m.is_local(&global.words)
        || !m.damaged.is_empty()
        || m.consts.iter().any(|c| unread(&c.kind))
    {
        return None;
    }
    let contents = m.globals.iter().filter_map(|g| g.init).chain(m.aliases.iter().map(|a| a.target));
    if named(m, contents.collect(), false).contains(&variable) {
        return None;
    }
    let mut stores = Vec::new();
    let each = m.functions.iter().enumerate();
    for (place, inst) in
        each.flat_map(|(n, f)| f.insts.iter().enumerate().map(move |(i, inst)| ((n, i), inst)))
    {
        match &inst.op {
            Op::Load { ty: t, ptr, access } if is_address(m, *ptr, variable) => {
                if *t != ty || !access.is_plain() {
                    return None;
                }
            }
            Op::Store { ty: t, ptr, access, .. } if is_address(m, *ptr, variable) => {
                if *t != ty || !access.is_plain() {
                    return None;
                }
                stores.push(place);
            }
            op => {
                if named(m, constants(op), false).contains(&variable) {
                    return None;
                }
            }
        }
    }
    Some((ty, m.number(Operand::Const(init))?, stores))
}

/// What a variable holds, where its stores put no more than one other number there than it begins with.
fn one_of_two(
    m: &mut Module,
    variable: Name,
    (ty, first): (TypeId, u64),
    places: Vec<Place>,
) -> Option<OneOfTwo> {
    let (mut stores, mut other) = (BTreeMap::new(), None);
    for (n, i) in places {
        let number = number_stored(m, variable, (n, i))?;
        if number != first && *other.get_or_insert(number) != number {
            return None;
        }
        stores.insert((n, i), number != first);
    }
    Some(OneOfTwo { ty, first, other: other?, stores })
}

/// The number that a store puts into a variable: a constant, or what functions of the module make of constants.
fn number_stored(m: &mut Module, variable: Name, (n, i): Place) -> Option<u64> {
    let mut f = m.functions.get(n)?.clone();
    let at = f.insts.get(i)?.at;
    for _ in 0..BODIES {
        let store = f.insts.iter().find(|i| {
            i.at == at && matches!(&i.op, Op::Store { ptr, .. } if is_address(m, *ptr, variable))
        })?;
        let Op::Store { value, .. } = store.op else { return None };
        if let Some(number) = m.number(value) {
            return Some(number);
        }
        let Operand::Local(local) = value else { return None };
        let call = f.insts.iter().position(|i| i.result == Some(local))?;
        let Op::Call(of) = &f.insts[call].op else { return None };
        let body = m.exact_definition(m.called(of)?)?.clone();
        f = m.inlined(&f, call, &body)?;
        f = m.folded(&f);
    }
    None
}

/// Keeps a variable in one bit.
fn shrink(m: &mut Module, variable: Name, of: &OneOfTwo) {
    let bits = [0, 1].map(|bit| m.new_constant(Types::I1, ConstKind::Int(bit)));
    let [first, other] = [of.first, of.other].map(|n| m.new_constant(of.ty, ConstKind::Int(n)));
    let access = Access { align: Some(1), ..Access::default() };
    for n in 0..m.functions.len() {
        let reads = |i: &&Inst| matches!(&i.op, Op::Load { ptr, .. } if is_address(m, *ptr, variable));
        let writes = |i: &Inst| matches!(&i.op, Op::Store { ptr, .. } if is_address(m, *ptr, variable));
        let mut f: Function = m.functions[n].clone();
        let loads = f.insts.iter().filter(reads).count();
        if loads == 0 && !f.insts.iter().any(writes) {
            continue;
        }
        let mut read: Vec<LocalId> = (0..loads).map(|_| m.new_local(&mut f, "bit", Types::I1)).collect();
        m.functions[n] = f.rewritten(|at, inst| {
            let with = |op: Op, result: Option<LocalId>| Inst {
                op,
                result,
                attachments: Box::new([]),
                ..inst.clone()
            };
            match &inst.op {
                Op::Load { ptr, .. } if is_address(m, *ptr, variable) => {
                    let Some(local) = read.pop() else { return vec![inst.clone()] };
                    let load = Op::Load { ty: Types::I1, ptr: *ptr, access };
                    let choice = Op::Select {
                        flags: Flags(0),
                        cond_ty: Types::I1,
                        cond: Operand::Local(local),
                        ty: of.ty,
                        then: other,
                        other: first,
                    };
                    vec![with(load, Some(local)), with(choice, inst.result)]
                }
                Op::Store { ptr, .. } if is_address(m, *ptr, variable) => {
                    let value = bits[usize::from(of.stores.get(&(n, at)) == Some(&true))];
                    vec![with(Op::Store { ty: Types::I1, value, ptr: *ptr, access }, None)]
                }
                _ => vec![inst.clone()],
            }
        });
    }
    let Operand::Const(zero) = bits[0] else { return };
    if let Some(global) = m.globals.iter_mut().find(|g| g.name == variable) {
        (global.ty, global.init, global.align) = (Types::I1, Some(zero), None);
    }
}
