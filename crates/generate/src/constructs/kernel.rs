//! Kernels: functions of loops over array parameters, as optimisers look for them. Stencils, reductions, products,
//! searches, swaps from both ends, strides, triangular and deep nests, conditions that do not change in the loop;
//! `restrict`, `nonnull` and `pure` where they are true.

use super::ExpressionConstruct;
use super::kernel_loops::{Form, Kernel};
use crate::builder::{Ex, Gen};
use crate::flow::{Flow, Node};
use crate::model::{IntTy, Model, Qualified, Range, TyDef, VarId};
use crate::options::Switch;
use csyntax::ast::{
    AttrArg, Attribute, BinOp, ExprId, ExprKind, ForInit, Quals, StmtId, StmtKind, Storage, TypeId, UnOp,
};
use csyntax::intern::Symbol;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "kernel call",
    doc: "`k(a, b, n, c)` of a function of loops over the arrays `a` and `b`",
    weight: 7,
    allowed: |gen_| {
        gen_.on(Switch::Kernels)
            && gen_.on(Switch::Arrays)
            && gen_.on(Switch::Pointers)
            && !gen_.cx.pure
            && gen_.steps_left() > 4000
    },
    build,
};

/// A kernel that exists.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    name: Symbol,
    /// Elements of the array that is written, and of the one that is read.
    types: (IntTy, IntTy),
    /// The arrays are at least so long.
    len: u32,
    /// What it returns.
    ret: IntTy,
    /// Does it write?
    writes: bool,
    /// Must the arrays be different ones?
    restrict: bool,
    cost: u64,
}

/// Arrays that a kernel can work on: the last dimension is what it sees.
fn usable(model: &Model, var: VarId, written: bool) -> bool {
    let v = model.var(var);
    let quals = if written { v.ty.quals == Quals::NONE } else { Quals::CONST.has(v.ty.quals) };
    let int = model.int(v.ty.ty).is_some_and(|i| i != IntTy::Bool);
    int && quals && v.free && v.dims.last().is_some_and(|d| *d > 1)
}

/// `a`, or `a[1][0]` of more dimensions.
fn row(gen_: &mut Gen, var: VarId) -> ExprId {
    let mut lv = gen_.variable(var);
    let dims = std::mem::take(&mut lv.dims);
    for dim in &dims[..dims.len() - 1] {
        let at = gen_.choices.below(*dim);
        let at = gen_.number(at);
        lv.id = gen_.e(ExprKind::Index(lv.id, at));
    }
    lv.id
}

fn element(gen_: &Gen, var: VarId) -> IntTy {
    gen_.model.int(gen_.model.var(var).ty.ty).unwrap_or(IntTy::I32)
}

fn len(gen_: &Gen, var: VarId) -> u32 {
    gen_.model.var(var).dims.last().copied().unwrap_or(1)
}

fn build(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let a = gen_.pick_var(|m, v| usable(m, v, true))?;
    let b = gen_.pick_var(|m, v| usable(m, v, false))?;
    if gen_.transfer.is_locked(a) {
        return None;
    }
    let types = (element(gen_, a), element(gen_, b));
    let shortest = len(gen_, a).min(len(gen_, b));
    let budget = gen_.steps_left() / 4;
    let fits =
        |k: &Known| k.types == types && k.len <= shortest && k.cost < budget && !(k.restrict && a == b);
    let known: Vec<usize> = (0..gen_.kernels.len()).filter(|n| fits(&gen_.kernels[*n])).collect();
    let kernel = if !known.is_empty() && gen_.choices.percent(40) {
        let index = gen_.choices.pick(&known);
        gen_.kernels[index].clone()
    } else {
        define(gen_, types, shortest, a != b)
    };
    if kernel.cost > budget {
        return None;
    }
    gen_.cost = gen_.cost.saturating_add(kernel.cost);
    // How many elements: a constant, or drawn from a value.
    let (count, node) = if gen_.choices.percent(50) {
        let leaf = gen_.int_leaf();
        let mask = gen_.number((1 << (kernel.len).ilog2()) - 1);
        let masked = gen_.e(ExprKind::Binary(csyntax::ast::BinOp::And, leaf.id, mask));
        let one = gen_.number(1);
        (gen_.e(ExprKind::Binary(csyntax::ast::BinOp::Add, masked, one)), leaf.node)
    } else {
        (gen_.number(kernel.len), Flow::NOP)
    };
    let factor = gen_.int_expr(ops.min(3));
    let args = [row(gen_, a), row(gen_, b), count, factor.id];
    let (from, to) = (gen_.variable_place(b), gen_.variable_place(a));
    let (load_b, load_a) = (gen_.flow.node(Node::Load(from)), gen_.flow.node(Node::Load(to)));
    let node = if kernel.writes {
        let kids = gen_.flow.kids(&[node, factor.node, load_b, load_a]);
        gen_.flow.node(Node::Store { kids, place: to, val: Flow::NUMBER })
    } else {
        gen_.flow.unseq(&[node, factor.node, load_b, load_a])
    };
    let callee = gen_.ident(kernel.name);
    let kind = ExprKind::Call(callee, args.to_vec());
    Some(gen_.int_ex(kind, kernel.ret, kernel.ret.range(), node))
}

/// `static T k(A *restrict a, const B *restrict b, int n, T c)`
fn define(gen_: &mut Gen, types: (IntTy, IntTy), len: u32, distinct: bool) -> Known {
    let outer = std::mem::take(&mut gen_.cost);
    let pure = std::mem::replace(&mut gen_.cx.pure, true);
    let name = gen_.fresh("k_");
    let restrict = distinct && gen_.on(Switch::Restrict) && gen_.choices.percent(60);
    let ret = gen_.choices.pick(&[IntTy::U32, IntTy::I32, IntTy::U32, IntTy::U64]);
    let ret = if ret.bits() == 64 && !gen_.on(Switch::LongLong) { IntTy::U32 } else { ret };
    let form = Form::draw(gen_, len);
    let mut kernel = Kernel::new(gen_, types, ret, len, form);
    let body = kernel.body(gen_);
    let (writes, cost) = (kernel.writes, gen_.cost);
    let parameters = parameters(gen_, types, ret, restrict, writes);
    let ret_ty = gen_.int_ty(ret);
    let ty = gen_.function_type(ret_ty, parameters, false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    attributes(gen_, def, writes);
    gen_.helper_defs.push(def);
    gen_.cx.pure = pure;
    gen_.cost = outer;
    let known = Known { name, types, len, ret, writes, restrict, cost: 2 * cost + 40 };
    gen_.kernels.push(known.clone());
    known
}

fn parameters(
    gen_: &mut Gen,
    types: (IntTy, IntTy),
    ret: IntTy,
    restrict: bool,
    writes: bool,
) -> Vec<csyntax::ast::Param> {
    let quals = if restrict { Quals::RESTRICT } else { Quals::NONE };
    let mut pointer = |int: IntTy, constant: bool, name: &str| {
        let ty = gen_.int_ty(int);
        let to = Qualified { ty, quals: if constant { Quals::CONST } else { Quals::NONE } };
        let ty = gen_.model.intern(TyDef::Pointer(to));
        let name = gen_.name(name);
        gen_.param(Qualified { ty, quals }, Some(name))
    };
    let mut all = vec![pointer(types.0, !writes, "a"), pointer(types.1, true, "b")];
    for (int, name) in [(IntTy::I32, "n"), (ret, "c")] {
        let (ty, name) = (gen_.int_ty(int), gen_.name(name));
        all.push(gen_.param(Qualified { ty, quals: Quals::NONE }, Some(name)));
    }
    all
}

/// The arrays are there, and a kernel that writes nothing only reads them.
fn attributes(gen_: &mut Gen, def: csyntax::ast::FnId, writes: bool) {
    if !(gen_.on(Switch::Gnu) && gen_.on(Switch::PureFunctions)) {
        return;
    }
    if gen_.choices.percent(40) {
        let args = [1, 2].map(|n| AttrArg::Expr(gen_.number(n))).to_vec();
        let name = gen_.name("nonnull");
        gen_.ast[def].attrs.push(Attribute { name, args: Some(args) });
    }
    if !writes && gen_.choices.percent(50) {
        let name = gen_.name("pure");
        gen_.ast[def].attrs.push(Attribute { name, args: None });
    }
    if gen_.on(Switch::Attributes) && gen_.choices.percent(50) {
        let name = gen_.name("noinline");
        gen_.ast[def].attrs.push(Attribute { name, args: None });
    }
}

/// Small makers of syntax that the loops share.
impl Gen<'_> {
    /// A use of a name that the model does not know, as a value.
    pub(crate) fn named_ex(&mut self, name: Symbol, int: IntTy, range: Range) -> Ex {
        self.int_ex(ExprKind::Ident(name), int, range, Flow::NOP)
    }

    /// `int name = e;`
    pub(crate) fn named_decl(&mut self, name: Symbol, int: IntTy, value: ExprId) -> csyntax::ast::StmtId {
        let ty = self.int_ty(int);
        let written: (TypeId, TypeId) = self.written(Qualified { ty, quals: Quals::NONE });
        let init = self.init_expr(value);
        let decl = self.declaration(Storage::NONE, written, name, Some(init));
        self.s(StmtKind::Decl(decl))
    }

    /// `to = e;`
    pub(crate) fn assign_stmt_to(&mut self, to: ExprId, value: ExprId) -> csyntax::ast::StmtId {
        let assign = self.e(ExprKind::Assign(None, to, value));
        self.s(StmtKind::Expr(assign))
    }

    /// `for (int i = 0; i < n; i++) body`
    pub(crate) fn counted(&mut self, i: Symbol, count: u32, body: StmtId) -> StmtId {
        let zero = self.number(0);
        let decl = self.named_decl(i, IntTy::I32, zero);
        let init = match self.ast[decl].kind {
            StmtKind::Decl(decl) => ForInit::Decl(decl),
            _ => ForInit::None,
        };
        let (held, bound) = (self.ident(i), self.number(count));
        let cond = self.e(ExprKind::Binary(BinOp::Lt, held, bound));
        let step = self.named_step(i, true);
        self.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body })
    }

    /// `name++` or `name--`, as the step of a loop.
    pub(crate) fn named_step(&mut self, name: Symbol, up: bool) -> ExprId {
        let held = self.ident(name);
        self.e(ExprKind::Unary(if up { UnOp::PostInc } else { UnOp::PostDec }, held))
    }
}
