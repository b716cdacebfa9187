//! `*(volatile T *)&x`: reads that happen as written (`--enable-access-once`).

use crate::builder::{Ex, Gen};
use crate::lvalue::{Use, Want};
use crate::model::{Qualified, TyDef};
use csyntax::ast::{ExprKind, Quals, UnOp};

/// One read; none where nothing in sight can be read so.
pub(crate) fn read(gen_: &mut Gen) -> Option<Ex> {
    let lv = gen_.find(Want::Int, Use::Read)?;
    if lv.bits.is_some() || lv.packed || lv.ty.quals != Quals::NONE {
        return None;
    }
    let ex = gen_.loaded(&lv);
    let to = Qualified { ty: lv.ty.ty, quals: Quals::VOLATILE };
    let pointer = gen_.model.intern(TyDef::Pointer(to));
    let address = gen_.e(ExprKind::Unary(UnOp::AddrOf, lv.id));
    let cast = gen_.cast(pointer, address);
    let id = gen_.e(ExprKind::Unary(UnOp::Deref, cast));
    let node = gen_.flow.node(crate::flow::Node::Volatile(ex.node));
    Some(Ex { id, node, ..ex })
}
