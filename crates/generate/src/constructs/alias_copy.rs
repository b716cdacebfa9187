//! Copies of arrays through a `may_alias` type of their elements' size.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node};
use crate::model::{FloatTy, IntTy, Model, Qualified, TyDef, VarId};
use crate::options::Switch;
use csyntax::ast::{Attribute, ExprId, ExprKind, Quals, TypeId, TypeKind};
use csyntax::intern::Symbol;

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "alias copy",
    doc: "`for (...) ((A *)x)[i] = ((A *)y)[i];` with `typedef T A __attribute__((may_alias))`",
    weight: 2,
    allowed: |gen_| {
        gen_.on(Switch::Gnu)
            && gen_.on(Switch::MayAlias)
            && gen_.on(Switch::Arrays)
            && gen_.on(Switch::Pointers)
    },
    build,
};

/// The unsigned type of the size of an array's elements, and whether they are floating.
fn unit(model: &Model, var: VarId) -> Option<(IntTy, bool)> {
    let v = model.var(var);
    if v.dims.is_empty() || !v.free || !Quals::CONST.has(v.ty.quals) {
        return None;
    }
    match model.def(v.ty.ty) {
        TyDef::Int(IntTy::Bool) => None,
        TyDef::Int(int) => Some((int.unsigned(), false)),
        TyDef::Float(FloatTy::Float) => Some((IntTy::U32, true)),
        TyDef::Float(FloatTy::Double | FloatTy::Long)
        | TyDef::Void
        | TyDef::Wide(_)
        | TyDef::Vector(..)
        | TyDef::Pointer(_)
        | TyDef::Record(_)
        | TyDef::Enum(_) => None,
    }
}

fn elements(model: &Model, var: VarId) -> u32 {
    model.var(var).dims.iter().product()
}

/// `typedef unsigned int u32_a __attribute__((may_alias));`, declared at its first use.
fn alias(gen_: &mut Gen, int: IntTy) -> Symbol {
    let name = gen_.name(&format!("{}_alias", int.short()));
    if gen_.aliases.contains(&int) {
        return name;
    }
    gen_.aliases.push(int);
    let ty = gen_.int_ty(int);
    let written = gen_.written(Qualified { ty, quals: Quals::NONE });
    let attr = Attribute { name: gen_.name("may_alias"), args: None };
    gen_.type_alias(name, written, Some(attr));
    name
}

/// `((A *)x)[i]`
fn element(gen_: &mut Gen, var: VarId, alias: Symbol, quals: Quals, i: Symbol) -> ExprId {
    let lv = gen_.variable(var);
    let to: TypeId = gen_.type_node(TypeKind::Typedef(alias), quals);
    let pointer = gen_.type_node(TypeKind::Pointer(to), Quals::NONE);
    let base = gen_.e(ExprKind::Cast(pointer, lv.id));
    let index = gen_.ident(i);
    gen_.e(ExprKind::Index(base, index))
}

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let to = gen_.pick_var(|m, v| unit(m, v).is_some() && m.var(v).ty.quals == Quals::NONE)?;
    if gen_.transfer.is_locked(to) {
        return None;
    }
    let wanted = unit(&gen_.model, to);
    let from = gen_.pick_var(|m, v| unit(m, v) == wanted && v != to)?;
    let (int, _) = wanted?;
    let count = elements(&gen_.model, to).min(elements(&gen_.model, from));
    let (alias, i) = (alias(gen_, int), gen_.name("i"));
    let target = element(gen_, to, alias, Quals::NONE, i);
    let source = element(gen_, from, alias, Quals::CONST, i);
    let body = gen_.assign_stmt_to(target, source);
    let stmt = gen_.counted(i, count, body);
    gen_.cost += 20 * u64::from(count);
    let (from, to) = (gen_.variable_place(from), gen_.variable_place(to));
    let load = gen_.flow.node(Node::Load(from));
    let kids = gen_.flow.kids(&[load]);
    let node = gen_.flow.node(Node::Store { kids, place: to, val: Flow::NUMBER });
    let node = gen_.flow.node(Node::Full(node));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}
