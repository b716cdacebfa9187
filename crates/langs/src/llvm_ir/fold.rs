//! A function made simpler where the text alone says what comes out: copies and operations on constants are named as what
//! they are, ways that no branch takes are gone, and blocks that only follow one another are one.
//!
//! What inlining and known arguments leave is then as plain as what a compiler would have been given.

use super::ast::{
    BinOp, Block, BlockId, CastOp, ConstKind, Flags, Function, Inst, IntPred, Module, Op, Operand,
};
use super::intrinsics::Intrinsic;
use super::types::{Type, TypeId, Types};
use rustc_hash::FxHashMap;

impl Module {
    /// The function, simpler.
    pub(crate) fn folded(&mut self, f: &Function) -> Function {
        let mut blocks: Vec<Vec<Inst>> =
            (0..f.blocks.len()).map(|b| f.block_insts(BlockId(b as u32)).to_vec()).collect();
        // Each round names what the one before made constant; there are no more rounds than instructions.
        for _ in 0..=f.insts.len() {
            let named = self.fold_values(&mut blocks);
            let taken = self.fold_branches(&mut blocks);
            let joined = join(&mut blocks);
            if !(named || taken || joined) {
                break;
            }
        }
        assembled(f, blocks)
    }

    /// Names values as what they are; whether there were any.
    fn fold_values(&mut self, blocks: &mut [Vec<Inst>]) -> bool {
        let mut known: FxHashMap<u32, Operand> = FxHashMap::default();
        for inst in blocks.iter().flatten() {
            if let (Some(result), Some(value)) = (inst.result, self.known_value(inst)) {
                known.insert(result.0, value);
            }
        }
        if known.is_empty() {
            return false;
        }
        let end = |mut o: Operand| {
            for _ in 0..=known.len() {
                match o {
                    Operand::Local(l) => match known.get(&l.0) {
                        Some(next) => o = *next,
                        None => return Some(o),
                    },
                    Operand::Const(_) => return Some(o),
                }
            }
            // Copies of each other alone: code that is never reached.
            None
        };
        let ends: FxHashMap<u32, Operand> =
            known.keys().filter_map(|l| Some((*l, end(Operand::Local(super::ast::LocalId(*l)))?))).collect();
        for block in blocks.iter_mut() {
            block.retain(|i| !i.result.is_some_and(|r| ends.contains_key(&r.0)));
            for inst in block.iter_mut() {
                inst.op.for_each_operand_mut(|o| {
                    if let Operand::Local(l) = *o
                        && let Some(value) = ends.get(&l.0)
                    {
                        *o = *value;
                    }
                });
            }
        }
        !ends.is_empty()
    }

    /// What the result of an instruction is, if its text says it.
    fn known_value(&mut self, inst: &Inst) -> Option<Operand> {
        match &inst.op {
            Op::Cast { op: CastOp::BitCast, from, value, to, .. } if from == to => Some(*value),
            Op::Cast { op, flags: Flags(0), from, value, to } => {
                let (bits, wide) = (self.sized_number(*value, *from)?, self.types.int_width(*to)?);
                let from = self.types.int_width(*from)?;
                let result = match op {
                    CastOp::ZExt | CastOp::Trunc => bits,
                    CastOp::SExt => signed(bits, from) as u64,
                    _ => return None,
                };
                self.of_bits(*to, result, wide)
            }
            Op::Binary { op, flags, ty, lhs, rhs } => {
                let width = self.types.int_width(*ty)?;
                let (a, b) = (self.sized_number(*lhs, *ty)?, self.sized_number(*rhs, *ty)?);
                let result = computed(*op, *flags, width, a, b)?;
                self.of_bits(*ty, result, width)
            }
            Op::ICmp { pred, ty, lhs, rhs, .. } => {
                let width = self.types.int_width(*ty)?;
                let (a, b) = (self.sized_number(*lhs, *ty)?, self.sized_number(*rhs, *ty)?);
                let holds = compared(*pred, a, b, width);
                self.of_bits(Types::I1, u64::from(holds), 1)
            }
            Op::Select { flags: Flags(0), cond_ty, cond, then, other, .. } => {
                match self.sized_number(*cond, *cond_ty)? {
                    0 => Some(*other),
                    _ => Some(*then),
                }
            }
            Op::Phi { flags: Flags(0), incoming, .. } => {
                let own = inst.result.map(Operand::Local);
                let mut others = incoming.iter().map(|i| i.0).filter(|o| Some(*o) != own);
                let first = others.next()?;
                others.all(|o| self.is_same_operand(o, first)).then_some(first)
            }
            // What is expected of a number does not change it.
            Op::Call(call) if matches!(call.intrinsic, Some((Intrinsic::Expect, _))) => {
                let value = call.args.first().filter(|_| call.ret_attrs.is_empty())?.value;
                self.types.int_width(call.ret).map(|_| value)
            }
            _ => None,
        }
    }

    /// A constant number of up to 64 bits.
    fn sized_number(&self, o: Operand, ty: TypeId) -> Option<u64> {
        let number = matches!(self.types.resolve(ty), Type::Int(1..=64));
        number.then(|| self.number(o)).flatten()
    }

    fn of_bits(&mut self, ty: TypeId, bits: u64, width: u32) -> Option<Operand> {
        (1..=64).contains(&width).then(|| self.new_constant(ty, ConstKind::Int(bits & mask(width))))
    }

    /// Leaves out what no branch leads to; whether there was any.
    fn fold_branches(&self, blocks: &mut [Vec<Inst>]) -> bool {
        let mut changed = false;
        for n in 0..blocks.len() {
            let Some(last) = blocks[n].last() else { continue };
            let to = match &last.op {
                Op::CondBr { cond, then, other } => match self.sized_number(*cond, Types::I1) {
                    Some(0) => *other,
                    Some(_) => *then,
                    None if then == other => *then,
                    None => continue,
                },
                Op::Switch { ty, value, default, cases } => match self.sized_number(*value, *ty) {
                    Some(n) => cases
                        .iter()
                        .find(|(c, _)| self.sized_number(Operand::Const(*c), *ty) == Some(n))
                        .map_or(*default, |(_, to)| *to),
                    None => continue,
                },
                _ => continue,
            };
            let before = last.op.successors();
            let at = blocks[n].len() - 1;
            blocks[n][at].op = Op::Br(to);
            // Each edge has its entry in a PHI; one is left of those that lead on.
            for left in
                before.iter().enumerate().filter(|(k, b)| **b != to || before[..*k].contains(b)).map(|e| e.1)
            {
                forget_edge(&mut blocks[left.0 as usize], n as u32);
            }
            changed = true;
        }
        changed | without_unreached(blocks)
    }
}

/// Takes one entry for a block out of the PHIs.
fn forget_edge(block: &mut [Inst], from: u32) {
    for inst in block {
        if let Op::Phi { incoming, .. } = &mut inst.op
            && let Some(at) = incoming.iter().position(|(_, b)| b.0 == from)
        {
            let mut kept = incoming.to_vec();
            kept.remove(at);
            *incoming = kept.into();
        }
    }
}

/// Empties blocks that nothing leads to; whether there were any.
fn without_unreached(blocks: &mut [Vec<Inst>]) -> bool {
    let mut reached = vec![false; blocks.len()];
    let mut todo = vec![0_usize];
    while let Some(n) = todo.pop() {
        if std::mem::replace(&mut reached[n], true) {
            continue;
        }
        if let Some(last) = blocks[n].last() {
            todo.extend(last.op.successors().iter().map(|b| b.0 as usize));
        }
    }
    let mut changed = false;
    for n in 0..blocks.len() {
        if !reached[n] && !blocks[n].is_empty() {
            blocks[n].clear();
            changed = true;
        }
        for inst in &mut blocks[n] {
            if let Op::Phi { incoming, .. } = &mut inst.op
                && incoming.iter().any(|(_, b)| !reached[b.0 as usize])
            {
                *incoming = incoming.iter().filter(|(_, b)| reached[b.0 as usize]).copied().collect();
                changed = true;
            }
        }
    }
    changed
}

/// Makes one block of two of which the second alone follows the first, and the first alone leads to it; whether there were
/// any.
fn join(blocks: &mut [Vec<Inst>]) -> bool {
    let mut ways_in = vec![0_u32; blocks.len()];
    for block in blocks.iter() {
        if let Some(last) = block.last() {
            last.op.successors().iter().for_each(|b| ways_in[b.0 as usize] += 1);
        }
    }
    let mut changed = false;
    for n in 0..blocks.len() {
        while let Some(Op::Br(next)) = blocks[n].last().map(|i| &i.op) {
            let next = next.0 as usize;
            let phis = blocks[next].first().is_some_and(|i| matches!(i.op, Op::Phi { .. }));
            if next == 0 || next == n || ways_in[next] != 1 || phis {
                break;
            }
            blocks[n].pop();
            let mut body = std::mem::take(&mut blocks[next]);
            let after = body.last().map(|i| i.op.successors()).unwrap_or_default();
            blocks[n].append(&mut body);
            for b in after {
                for inst in &mut blocks[b.0 as usize] {
                    if let Op::Phi { incoming, .. } = &mut inst.op {
                        incoming
                            .iter_mut()
                            .filter(|(_, b)| b.0 as usize == next)
                            .for_each(|i| i.1 = BlockId(n as u32));
                    }
                }
            }
            changed = true;
        }
    }
    changed
}

/// The function of these blocks, of which empty ones are left out.
fn assembled(f: &Function, blocks: Vec<Vec<Inst>>) -> Function {
    let mut number: Vec<u32> = Vec::new();
    let mut next = 0;
    for block in &blocks {
        number.push(next);
        next += u32::from(!block.is_empty());
    }
    let (mut out, mut insts) = (Vec::new(), Vec::new());
    for (n, body) in blocks.into_iter().enumerate().filter(|(_, b)| !b.is_empty()) {
        let first = insts.len() as u32;
        for mut inst in body {
            inst.op.for_each_block(|b| b.0 = number[b.0 as usize]);
            insts.push(inst);
        }
        out.push(Block { name: f.blocks[n].name, first, end: insts.len() as u32 });
    }
    Function { insts, blocks: out, ..f.clone() }.renumbered()
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(bits: u64, width: u32) -> i64 {
    ((bits << (64 - width)) as i64) >> (64 - width)
}

/// The result of an operation, unless a flag makes it poison or it is undefined.
fn computed(op: BinOp, flags: Flags, width: u32, a: u64, b: u64) -> Option<u64> {
    if !(1..=64).contains(&width) || flags.has(Flags::EXACT) || flags.has(Flags::DISJOINT) {
        return None;
    }
    let (x, y) = (i128::from(signed(a, width)), i128::from(signed(b, width)));
    let (u, v) = (i128::from(a), i128::from(b));
    let in_range = |sum: i128, of_bits: i128| {
        let fits = !flags.has(Flags::NSW) || i128::from(signed(sum as u64 & mask(width), width)) == sum;
        let wide = !flags.has(Flags::NUW) || (0..=i128::from(mask(width))).contains(&of_bits);
        (fits && wide).then_some(sum as u64)
    };
    match op {
        BinOp::Add => in_range(x + y, u + v),
        BinOp::Sub => in_range(x - y, u - v),
        BinOp::Mul => in_range(x.checked_mul(y)?, u.checked_mul(v)?),
        BinOp::And => Some(a & b),
        BinOp::Or => Some(a | b),
        BinOp::Xor => Some(a ^ b),
        BinOp::UDiv => a.checked_div(b),
        BinOp::URem => a.checked_rem(b),
        BinOp::LShr if b < u64::from(width) => Some(a >> b),
        BinOp::Shl if b < u64::from(width) && flags == Flags(0) => Some(a << b),
        BinOp::AShr if b < u64::from(width) => Some((signed(a, width) >> b) as u64),
        _ => None,
    }
}

fn compared(pred: IntPred, a: u64, b: u64, width: u32) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
        IntPred::Ult => a < b,
        IntPred::Ule => a <= b,
        IntPred::Sgt => x > y,
        IntPred::Sge => x >= y,
        IntPred::Slt => x < y,
        IntPred::Sle => x <= y,
    }
}
