//! Constants and constant expressions.

use super::steps::Around;
use super::{Ir, Res, Scalar, Value};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{ConstExpr, ConstId, ConstKind, Flags, Function, Operand};
use crate::llvm_ir::types::{Type, TypeId};
use num_bigint::BigUint;
use smt::Bv;

impl Ir<'_> {
    /// The value of a constant.
    pub fn constant<D: Domain>(&self, d: &mut D, id: ConstId, ty: TypeId) -> Res<Value<D>> {
        let m = self.m;
        let Some(c) = m.consts.get(id.0 as usize) else { return self.unsupported("constant") };
        match &c.kind {
            ConstKind::Int(v) => {
                let bits = self.scalar_bits(c.ty)?;
                let bits = d.num(bits, u128::from(*v));
                Ok(Value::plain(d, bits))
            }
            ConstKind::Wide(words) => {
                let width = self.scalar_bits(c.ty)?;
                let digits: Vec<u32> = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
                let bits = d.constant(Bv::from_big(width, BigUint::new(digits)));
                Ok(Value::plain(d, bits))
            }
            ConstKind::Float(v) => {
                let bits = self.scalar_bits(c.ty)?;
                let bits = d.num(bits, *v);
                Ok(Value::plain(d, bits))
            }
            ConstKind::Null | ConstKind::Zero => self.build(d, ty, &mut |d, _, bits| {
                let zero = d.num(bits, 0);
                Scalar::plain(d, zero)
            }),
            ConstKind::Undef => self.build(d, ty, &mut |d, _, bits| {
                let bits = d.num(bits, 0);
                Scalar { bits, poison: d.bool(false), undef: d.bool(true) }
            }),
            ConstKind::Poison => self.build(d, ty, &mut |d, _, bits| {
                let bits = d.num(bits, 0);
                Scalar { bits, poison: d.bool(true), undef: d.bool(false) }
            }),
            ConstKind::Global(name) => {
                self.needs_whole_pointers()?;
                let address = self.global_address(d, m.names.text(*name));
                Ok(Value::plain(d, address))
            }
            ConstKind::Aggregate(items) => {
                let items: Res<Vec<_>> =
                    items.iter().map(|i| self.constant(d, *i, m.consts[i.0 as usize].ty)).collect();
                Ok(Value::Aggregate(items?.into()))
            }
            ConstKind::Bytes(bytes) => {
                let items: Vec<Value<D>> = bytes
                    .iter()
                    .map(|b| {
                        let bits = d.num(8, u128::from(*b));
                        Value::plain(d, bits)
                    })
                    .collect();
                Ok(Value::Aggregate(items.into()))
            }
            ConstKind::Splat(item) => {
                let value = self.constant(d, *item, m.consts[item.0 as usize].ty)?;
                match m.types.resolve(c.ty) {
                    Type::Vector { len, scalable: false, .. } if *len <= 4096 => {
                        Ok(Value::Aggregate(vec![value; *len as usize].into()))
                    }
                    _ => self.unsupported("splat of this type"),
                }
            }
            ConstKind::Expr(expr) => self.const_expr(d, expr, c.ty),
            ConstKind::None => self.unsupported("token constant"),
            ConstKind::BlockAddress(function, block) => {
                match label_address(d, m, m.names.text(*function), m.names.text(*block)) {
                    Some(address) => Ok(Value::plain(d, address)),
                    None => self.unsupported("blockaddress of a block that is not there"),
                }
            }
            ConstKind::Wrapped(how, _) => self.unsupported(*how),
            ConstKind::Metadata(_) => self.unsupported("metadata as a value"),
            ConstKind::Asm(_) => self.unsupported("inline assembly"),
        }
    }

    /// The address of a global variable or function, shared by name between programs.
    pub fn global_address<D: Domain>(&self, d: &mut D, name: &str) -> D::Bv {
        global_address(d, self.m, name)
    }

    fn const_expr<D: Domain>(&self, d: &mut D, expr: &ConstExpr, ty: TypeId) -> Res<Value<D>> {
        let m = self.m;
        let ty_of = |c: ConstId| m.consts[c.0 as usize].ty;
        match expr {
            ConstExpr::Gep { flags, source, args } => {
                let Some((base, indices)) = args.split_first() else {
                    return self.unsupported("getelementptr without base");
                };
                let named = Operand::Const(*base);
                let base = self.constant(d, *base, ty_of(*base))?;
                let mut list = Vec::new();
                for i in indices {
                    list.push((ty_of(*i), self.constant(d, *i, ty_of(*i))?));
                }
                let operands: Vec<Operand> = indices.iter().map(|i| Operand::Const(*i)).collect();
                let flags = self.without_kept_bounds(d, (*flags, *source), (&base, named), &operands);
                self.gep_values(d, &Around { perm: None, variable: None }, (flags, *source), &base, &list)
            }
            ConstExpr::Cast(op, flags, value) => {
                let v = self.constant(d, *value, ty_of(*value))?;
                self.cast(d, (*op, *flags, false), &v, ty_of(*value), ty)
            }
            ConstExpr::Binary(op, flags, a, b) => {
                let (x, y) = (self.constant(d, *a, ty_of(*a))?, self.constant(d, *b, ty_of(*b))?);
                let mut unused = d.bool(false);
                self.binary_with(d, &mut unused, (*op, *flags), self.elem_type(ty_of(*a)), (&x, &y))
            }
            ConstExpr::ICmp(pred, a, b) => {
                let (x, y) = (self.constant(d, *a, ty_of(*a))?, self.constant(d, *b, ty_of(*b))?);
                self.icmp(d, Default::default(), *pred, &x, &y)
            }
            ConstExpr::FCmp(pred, a, b) => {
                let (x, y) = (self.constant(d, *a, ty_of(*a))?, self.constant(d, *b, ty_of(*b))?);
                self.fcmp(d, (*pred, Flags::default()), self.elem_type(ty_of(*a)), &x, &y)
            }
            ConstExpr::Other(mnemonic, _) => self.unsupported(format!("constant expression {mnemonic}")),
        }
    }
}

/// The address of a block, the same in both programs of a pair: blocks of a function lie apart.
pub(crate) fn label_address<D: Domain>(
    d: &mut D,
    m: &crate::llvm_ir::ast::Module,
    function: &str,
    label: &str,
) -> Option<D::Bv> {
    let name = m.names.get(function)?;
    let f = m.functions.iter().find(|f| f.name == name && f.defined)?;
    let index = f.blocks.iter().position(|b| m.names.text(b.name) == label)?;
    let base = d.symbol(&format!("labels of @{function}"), 64);
    Some(d.add_num(&base, 16 * (index as i128 + 1)))
}

/// Whether a variable of unknown size or a function is there for certain, which only an `extern_weak` one need not be;
/// and if so, whether its address is no other's: the linker may replace a weak one by another, and merge those whose
/// address is said not to matter.
fn is_somewhere(m: &crate::llvm_ir::ast::Module, name: crate::names::Name) -> Option<bool> {
    let (words, function) = match m.globals.iter().find(|g| g.name == name) {
        Some(g) => (&g.words, None),
        None => m.functions.iter().find(|f| f.name == name).map(|f| (&f.words, Some(f)))?,
    };
    let has = |start: &str| words.iter().any(|w| m.names.text(*w).starts_with(start));
    let merged = |f: &Function| f.attrs.iter().any(|a| m.names.text(a.name()) == "unnamed_addr");
    (!has("extern_weak")).then(|| function.is_some_and(|f| !(has("weak") || has("linkonce") || merged(f))))
}

/// The address of a global variable or function of a module.
pub(crate) fn global_address<D: Domain>(d: &mut D, m: &crate::llvm_ir::ast::Module, name: &str) -> D::Bv {
    let id = m.names.get(name);
    let size = id.and_then(|id| super::memory::known_global_size(m, id));
    let symbol = format!("@{name}");
    if size.is_none()
        && let Some(apart) = id.and_then(|id| is_somewhere(m, id))
    {
        d.declare_place(&symbol, 64, apart);
    }
    d.address(&symbol, size)
}
