//! Small expressions: `sizeof`, string elements, elements of array literals, `_Generic`, statement expressions.

use super::ExpressionConstruct;
use crate::builder::Ex;
use crate::flow::Flow;
use crate::model::{IntTy, Range};
use crate::options::Switch;
use csyntax::ast::{ArraySize, ExprKind, Quals, StmtKind, StrLit, StrPrefix, TypeKind};

pub(super) const SIZEOF: ExpressionConstruct = ExpressionConstruct {
    name: "sizeof",
    doc: "`(int)sizeof(T)` of types of one size everywhere",
    weight: 1,
    allowed: |gen_| gen_.on(Switch::Sizeof),
    build: |gen_, _| {
        let int = gen_.random_int();
        let ty = gen_.int_ty(int);
        let name = gen_.type_name(ty);
        let size = gen_.e(ExprKind::SizeofType(name));
        let i32_ty = gen_.int_ty(IntTy::I32);
        let id = gen_.cast(i32_ty, size);
        let range = Range::one(i128::from(int.bits() / 8));
        Some(Ex { id, ty: i32_ty, range, node: Flow::NOP, val: Flow::NUMBER, bits: false })
    },
};

pub(super) const STRING: ExpressionConstruct = ExpressionConstruct {
    name: "string element",
    doc: "`\"text\"[i]`",
    weight: 1,
    allowed: |gen_| gen_.on(Switch::Strings),
    build: |gen_, _| {
        let len = gen_.choices.range(1, 12);
        let units = (0..len).map(|_| gen_.choices.pick(&[97u32, 48, 32, 65, 122, 126, 46, 57, 90])).collect();
        let text = gen_.e(ExprKind::Str(StrLit { prefix: StrPrefix::None, units }));
        let (index, node) = gen_.index(len + 1);
        let kind = ExprKind::Index(text, index);
        Some(gen_.int_ex(kind, IntTy::I32, Range { lo: 0, hi: 126 }, node))
    },
};

pub(super) const ELEMENT: ExpressionConstruct = ExpressionConstruct {
    name: "array literal",
    doc: "`(int[3]){a, b, c}[i]`",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::CompoundLiterals),
    build: |gen_, ops| {
        let int = gen_.random_int();
        let ty = gen_.int_ty(int);
        let len = gen_.choices.range(1, 5);
        let elem = gen_.type_name(ty);
        let size = ArraySize::Expr(gen_.number(len));
        let array = TypeKind::Array { elem, size, quals: Quals::NONE, is_static: false };
        let array = gen_.type_node(array, Quals::NONE);
        let mut nodes = Vec::new();
        let items = (0..len)
            .map(|_| {
                let ex = gen_.int_expr((ops / len).min(2));
                nodes.push(ex.node);
                gen_.init_expr(ex.id)
            })
            .collect();
        let init = gen_.init_list(items);
        let literal = gen_.e(ExprKind::CompoundLit(array, init));
        let (index, node) = gen_.index(len);
        nodes.push(node);
        let node = gen_.flow.unseq(&nodes);
        Some(gen_.int_ex(ExprKind::Index(literal, index), int, int.range(), node))
    },
};

pub(super) const GENERIC: ExpressionConstruct = ExpressionConstruct {
    name: "generic selection",
    doc: "`_Generic(e, int: a, default: b)`",
    weight: 1,
    allowed: |gen_| gen_.on(Switch::Generic),
    build: |gen_, ops| {
        let control = gen_.int_leaf();
        let control = gen_.unary(csyntax::ast::UnOp::Plus, control);
        let int = gen_.int_of(&control);
        let listed = gen_.choices.pick(&[IntTy::I32, IntTy::U32, IntTy::I64, IntTy::U64]);
        let (taken, other) = (gen_.int_expr(ops), gen_.int_leaf());
        let ty = gen_.int_ty(listed);
        let name = gen_.type_name(ty);
        let (a, b) = if int == listed { (taken.id, other.id) } else { (other.id, taken.id) };
        if taken.bits {
            return None;
        }
        let kind = ExprKind::Generic(control.id, vec![(Some(name), a), (None, b)]);
        let int = gen_.int_of(&taken);
        let selected = gen_.int_ex(kind, int, taken.range, taken.node);
        if gen_.atomic_reads.contains(&taken.id) {
            gen_.atomic_reads.push(selected.id);
        }
        Some(selected)
    },
};

pub(super) const STATEMENT_EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "statement expression",
    doc: "`({ T t = a; b; })`",
    weight: 3,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::StatementExpressions) && !gen_.cx.pure,
    build: |gen_, ops| {
        let int = gen_.random_int();
        let (first, rest) = gen_.split(ops);
        let value = gen_.int_expr(first);
        let ty = gen_.int_ty(int);
        let init = gen_.init_expr(value.id);
        let block = gen_.cx.scopes.len() - 1;
        let (var, decl) = gen_.declare_local(ty, block, Some(init));
        let decl = gen_.s(StmtKind::Decl(decl));
        let lv = gen_.variable(var);
        let held = gen_.loaded(&lv);
        let other = gen_.int_expr(rest);
        let op = super::binary::operator(gen_);
        let last = gen_.binary(op, held, other);
        let last_stmt = gen_.s(StmtKind::Expr(last.id));
        let body = gen_.s(StmtKind::Compound(vec![decl, last_stmt]));
        let node = gen_.flow.seq(&[value.node, last.node]);
        if last.bits {
            return None;
        }
        let int = gen_.int_of(&last);
        Some(gen_.int_ex(ExprKind::StmtExpr(body), int, last.range, node))
    },
};
