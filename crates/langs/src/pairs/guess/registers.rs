//! Which virtual registers instruction selection gives to which values: those used outside their block, and PHIs,
//! get the first numbers, in order. Only a guess about the compiler, to be confirmed like any other: it says nothing
//! that the proof relies on.

use crate::llvm_ir::ast::{Function, LocalId, Op};
use crate::llvm_ir::semantics::Ir;
use crate::llvm_ir::types::{FloatKind, Type, TypeId};
use crate::pairs::Machine;
use crate::pairs::isel::Isel;
use equiv::{Constraint, Expr, Guess, Observed, Side};
use rustc_hash::FxHashMap;

/// How one value lies in registers.
#[derive(Clone, Debug)]
struct Value {
    /// Which it is.
    local: LocalId,
    /// The number of its first register.
    first: u32,
    /// Names and widths of its scalars on the left.
    scalars: Vec<(String, u32)>,
    /// Names and widths of the registers, the lowest first.
    registers: Vec<(String, u32)>,
}

/// Values of the source and the registers they are expected in.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    values: Vec<Value>,
}

/// The widths of the registers that a value of a type gets, vectors of so many bits at most; none where that is not known.
fn register_widths(ir: &Ir<'_>, ty: TypeId, most: u32) -> Option<Vec<u32>> {
    Some(match ir.m.types.resolve(ty) {
        Type::Int(1..=8) => vec![8],
        Type::Int(9..=16) => vec![16],
        Type::Int(17..=32) => vec![32],
        Type::Int(w @ 33..) => vec![64; w.div_ceil(64) as usize],
        Type::Ptr(_) => vec![64],
        Type::Float(FloatKind::Float) => vec![32],
        Type::Float(FloatKind::Double) => vec![64],
        Type::Vector { len, elem, scalable: false } => {
            let bits = len.checked_mul(u64::from(ir.scalar_bits(*elem).ok()?))?;
            if !bits.is_power_of_two() || bits > 2048 || ir.scalar_bits(*elem).ok()? < 8 {
                return None;
            }
            let each = if bits > 128 { most } else { 128 };
            vec![each; bits.div_ceil(each.into()) as usize]
        }
        Type::Struct { fields, .. } => {
            let mut out = Vec::new();
            for f in fields.iter() {
                out.extend(register_widths(ir, *f, most)?);
            }
            out
        }
        _ => return None,
    })
}

/// The locals used outside the block that defines them, or by a PHI.
fn exported(f: &Function) -> Vec<bool> {
    let mut block_of: FxHashMap<u32, usize> = FxHashMap::default();
    for (b, block) in f.blocks.iter().enumerate() {
        for i in block.first..block.end {
            if let Some(l) = f.insts[i as usize].result {
                block_of.insert(l.0, b);
            }
        }
    }
    let mut out = vec![false; f.locals.len()];
    let mut used = vec![false; f.locals.len()];
    for (b, block) in f.blocks.iter().enumerate() {
        for i in block.first..block.end {
            let inst = &f.insts[i as usize];
            let phi = matches!(inst.op, Op::Phi { .. });
            inst.op.for_each_operand(|o| {
                if let crate::llvm_ir::ast::Operand::Local(l) = o {
                    let n = l.0 as usize;
                    used[n] = true;
                    out[n] |= phi || block_of.get(&l.0) != Some(&b);
                }
            });
        }
    }
    for (n, local) in f.locals.iter().enumerate() {
        let def = local.def.and_then(|i| f.insts.get(i as usize));
        out[n] |= used[n] && def.is_some_and(|i| matches!(i.op, Op::Phi { .. }));
    }
    out
}

impl Registers {
    /// The registers of a function's values, as far as the types agree with the register classes.
    pub fn of(ir: &Ir<'_>, x86: &Machine<'_>, scalars: impl Fn(LocalId) -> Vec<(String, u32)>) -> Self {
        let exported = exported(ir.f);
        let objects: Vec<LocalId> = ir.stack_objects().into_iter().map(|o| o.0).collect();
        let widths = (0..x86.f.vregs.len() as u32).filter_map(|n| x86.vreg_width(n).ok());
        let most = widths.max().unwrap_or(0).max(128);
        let mut values = Vec::new();
        let mut next = 0u32;
        'all: for block in &ir.f.blocks {
            for i in block.first..block.end {
                let Some(local) = ir.f.insts[i as usize].result else { continue };
                if !exported[local.0 as usize] || objects.contains(&local) {
                    continue;
                }
                let ty = ir.f.locals[local.0 as usize].ty;
                let Some(widths) = register_widths(ir, ty, most) else { break 'all };
                let (first, mut registers) = (next, Vec::new());
                for w in widths {
                    if x86.vreg_width(next).ok() != Some(w) {
                        break 'all;
                    }
                    registers.push((format!("%{next}"), w));
                    next += 1;
                }
                values.push(Value { local, first, scalars: scalars(local), registers });
            }
        }
        Registers { values }
    }

    /// The numbers of the registers that each value is expected in.
    pub fn numbers(&self) -> impl Iterator<Item = (LocalId, std::ops::Range<u32>)> {
        self.values.iter().map(|v| (v.local, v.first..v.first + v.registers.len() as u32))
    }
}

/// What they say about the values live at a pair of points.
pub(super) struct Expected;

impl Guess<Isel> for Expected {
    fn relations(&self, known: &Isel, at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        for v in &known.registers.values {
            let live = v.scalars.iter().all(|(name, width)| at.left.has(name, *width))
                && v.registers.iter().all(|(name, width)| at.right.has(name, *width));
            if live && !v.scalars.is_empty() && !v.registers.is_empty() {
                v.relations(&mut out);
            }
        }
        out
    }
}

impl Value {
    fn relations(&self, out: &mut Vec<Constraint>) {
        let l = |n: &str| Expr::Var(Side::Left, n.to_owned());
        let r = |n: &str| Expr::Var(Side::Right, n.to_owned());
        let mut add = |a: Expr, b: Expr| out.push(Constraint { a, b });
        if self.scalars.len() == self.registers.len() {
            for ((s, w), (reg, rw)) in self.scalars.iter().zip(&self.registers) {
                if w == rw {
                    add(r(reg), l(s));
                } else if w < rw {
                    add(r(reg), Expr::Zext(Box::new(l(s)), *rw));
                    add(r(reg), Expr::Sext(Box::new(l(s)), *rw));
                    add(l(s), Expr::Trunc(Box::new(r(reg)), *w));
                }
            }
            return;
        }
        if let [(s, w)] = &self.scalars[..] {
            // One wide number, in pieces.
            let total: u32 = self.registers.iter().map(|x| x.1).sum();
            if total == *w {
                let parts = self.registers.iter().rev().map(|x| r(&x.0)).collect();
                add(l(s), Expr::Concat(parts));
            }
            return;
        }
        // Lanes of a vector.
        let lane = self.scalars[0].1;
        if self.scalars.iter().any(|s| s.1 != lane) {
            return;
        }
        let mut rest = &self.scalars[..];
        for (reg, w) in &self.registers {
            let n = ((w / lane) as usize).min(rest.len());
            let (mine, more) = rest.split_at(n);
            rest = more;
            let parts: Vec<Expr> = mine.iter().rev().map(|s| l(&s.0)).collect();
            let bits = lane * mine.len() as u32;
            if bits == *w {
                add(r(reg), Expr::Concat(parts));
            } else if bits > 0 && bits < *w {
                add(Expr::Concat(parts), Expr::Trunc(Box::new(r(reg)), bits));
            }
        }
    }
}
