//! Observation points: which variables, members and elements a profile records at a statement.

use super::func::{FnLower, Loc};
use crate::bytecode::Insn;
use crate::class::Scalar;
use crate::profile::{Home, MAX_PARTS, MAX_STATICS, PointDesc, Variable};
use csyntax::ast::Quals;
use csyntax::tree::{ObjId, Stmt};
use csyntax::types::{ArrayLen, QTy, TyKind, Types};

/// Parts recorded of one aggregate.
const PARTS_OF_ONE: usize = 2;
/// Deepest member of a member.
const DEEPEST: usize = 8;

impl FnLower<'_, '_> {
    /// Are the points of this function recorded?
    pub fn is_observed(&self) -> bool {
        let all = self.lw.observed.as_deref();
        all.is_none_or(|all| self.function.is_none_or(|f| all.get(f.index()).copied().unwrap_or(true)))
    }

    /// A point: only counted, or if it is drawn, with the integer, floating and pointer variables in scope, and parts
    /// of the aggregates. What is drawn depends on the seed and the statement alone, not on the order of lowering.
    pub fn point(&mut self, stmt: &Stmt) {
        let unit = self.lw.unit;
        let id = self.lw.program.points.len() as u32;
        let (rate, seed) = self.lw.rate;
        let mut pick =
            Pick((u64::from(stmt.origin.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed << 1 | 1);
        if pick.below(65536) >= u64::from(rate) {
            let (stmt, span, function) = (stmt.origin, stmt.span, self.function);
            self.lw.program.points.push(PointDesc {
                stmt,
                span,
                function,
                variables: Vec::new(),
                stale: false,
            });
            self.emit(Insn::Count { id });
            return;
        }
        let mut scope = self.scope;
        let mut objects: Vec<ObjId> = self.function.map_or(Vec::new(), |f| unit[f].params.clone());
        while let Some(index) = scope {
            objects.extend(&self.scopes[index as usize].objects);
            scope = self.scopes[index as usize].parent;
        }
        if self.globals.is_none() {
            let visible = |id: &&ObjId| unit[**id].owner.is_none_or(|owner| Some(owner) == self.function);
            self.globals = Some(self.lw.globals.iter().filter(visible).copied().collect());
        }
        let globals = self.globals.as_deref().unwrap_or_default();
        if globals.len() <= MAX_STATICS {
            objects.extend(globals);
        } else {
            let start = pick.below(globals.len() as u64) as usize;
            objects.extend(globals.iter().cycle().skip(start).take(MAX_STATICS));
        }
        let mut variables = Vec::with_capacity(objects.len());
        let mut parts = 0;
        for object in objects {
            let ty = unit[object].ty;
            if ty.quals.has(Quals::VOLATILE) {
                continue;
            }
            if let Some(scalar) = self.scalar(ty.ty) {
                self.record(object, 0, scalar, &mut variables);
            } else if matches!(unit.types.kind(ty.ty), TyKind::Record(_) | TyKind::Array(..)) {
                for _ in 0..PARTS_OF_ONE {
                    let Some((offset, scalar)) = part(&unit.types, ty, &mut pick) else { continue };
                    let known = |v: &Variable| v.object == object && v.offset == offset;
                    if parts < MAX_PARTS && !variables.iter().any(known) {
                        parts += 1;
                        self.record(object, offset, scalar, &mut variables);
                    }
                }
            }
        }
        let (stmt, span) = (stmt.origin, stmt.span);
        self.points.push(id);
        self.lw.program.points.push(PointDesc {
            stmt,
            span,
            function: self.function,
            variables,
            stale: false,
        });
        self.emit(Insn::Point { id });
    }

    fn record(&mut self, object: ObjId, offset: u64, scalar: Scalar, variables: &mut Vec<Variable>) {
        if matches!(scalar, Scalar::F16 | Scalar::F80 | Scalar::F128) {
            return;
        }
        let home = match self.allocate(object) {
            Loc::Reg(reg) => Home::Reg(reg, None),
            Loc::Local(local) => Home::Local(self.local_offset(local, offset as i64)),
            Loc::Static(u32::MAX) | Loc::Ref(_) => return,
            Loc::Static(index) => Home::Static(self.static_offset(index, offset as i64)),
        };
        variables.push(Variable { object, offset, scalar, home });
    }
}

/// A scalar somewhere in an aggregate, reached by members and elements at random; no bit-fields and nothing in unions,
/// whose bytes may mean something else.
fn part(types: &Types, ty: QTy, pick: &mut Pick) -> Option<(u64, Scalar)> {
    let (mut ty, mut offset) = (ty, 0);
    for _ in 0..DEEPEST {
        if ty.quals.has(Quals::VOLATILE) || ty.quals.has(Quals::ATOMIC) {
            return None;
        }
        if let Some(scalar) = crate::class::scalar_of(types, ty.ty) {
            return Some((offset, scalar));
        }
        match types.kind(ty.ty) {
            TyKind::Array(elem, ArrayLen::Fixed(n)) if *n > 0 => {
                offset += pick.below(*n) * types.layout(elem.ty)?.size;
                ty = *elem;
            }
            TyKind::Record(id) => {
                let record = &types.records[id.0 as usize];
                let fields = record.fields.as_deref().filter(|f| !f.is_empty() && !record.is_union)?;
                let field = &fields[pick.below(fields.len() as u64) as usize];
                if field.bits.is_some() {
                    return None;
                }
                offset += field.offset;
                ty = field.ty;
            }
            _ => return None,
        }
    }
    None
}

/// Choices that depend on the point alone (xorshift64).
struct Pick(u64);

impl Pick {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * u128::from(n)) >> 64) as u64
    }
}
