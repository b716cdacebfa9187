//! GNU vectors. Arithmetic is on unsigned lanes, which wrap; signed lanes come of comparisons, conversions and bitwise
//! operators; floating lanes hold small integers, as all floating objects do.

use crate::builder::{Ex, Gen};
use crate::flow::{Flow, NodeId};
use crate::lvalue::{Use, Want};
use crate::model::{FloatTy, IntTy, Lane, Range, TyDef, TyId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, InitId, UnOp};

/// Vector types in use: lanes and how many.
const TYPES: [(Lane, u8); 13] = [
    (Lane::Int(IntTy::U32), 4),
    (Lane::Int(IntTy::I32), 4),
    (Lane::Int(IntTy::U16), 8),
    (Lane::Int(IntTy::U8), 16),
    (Lane::Int(IntTy::U64), 2),
    (Lane::Int(IntTy::I16), 8),
    (Lane::Int(IntTy::I8), 16),
    (Lane::Int(IntTy::I64), 2),
    (Lane::Float(FloatTy::Float), 4),
    (Lane::Float(FloatTy::Double), 2),
    (Lane::Int(IntTy::U32), 2),
    (Lane::Int(IntTy::U16), 4),
    (Lane::Int(IntTy::U32), 8),
];

/// A vector type taken apart.
#[derive(Copy, Clone)]
struct Shape {
    ty: TyId,
    lane: Lane,
    count: u8,
}

impl Gen<'_> {
    /// One of the vector types that the options allow.
    pub(crate) fn random_vector(&mut self) -> TyId {
        let weights = TYPES.map(|(lane, _)| match lane {
            Lane::Int(int) if int.bits() == 64 => u32::from(self.on(Switch::LongLong)),
            Lane::Int(IntTy::I8) => u32::from(self.on(Switch::Int8)),
            Lane::Int(IntTy::U8) => u32::from(self.on(Switch::Uint8)),
            Lane::Int(_) => 2,
            Lane::Float(_) => u32::from(self.on(Switch::Float)),
        });
        let (lane, count) = TYPES[self.choices.weighted(&weights).unwrap_or(0)];
        self.model.intern(TyDef::Vector(lane, count))
    }

    fn vector_of(&mut self, lane: Lane, count: u8) -> Shape {
        Shape { ty: self.model.intern(TyDef::Vector(lane, count)), lane, count }
    }

    fn vector_ex(&mut self, id: ExprId, ty: TyId, node: NodeId) -> Ex {
        if let TyDef::Vector(_, count) = self.model.def(ty) {
            self.cost += 2 * u64::from(count);
        }
        Ex { id, ty, range: Range::one(0), node, val: Flow::NUMBER, bits: false }
    }

    /// An initialiser of constants.
    pub(crate) fn vector_init(&mut self, lane: Lane, count: u8) -> InitId {
        let written = self.choices.range(1, count.into());
        let items = (0..written)
            .map(|_| {
                let value = match lane {
                    Lane::Int(int) => {
                        let value = self.interesting(int);
                        self.int_const(value, int).id
                    }
                    Lane::Float(float) => {
                        let value = self.choices.below(1000);
                        self.float_literal(value, float)
                    }
                };
                self.init_expr(value)
            })
            .collect();
        self.init_list(items)
    }

    fn vector_literal(&mut self, shape: Shape) -> Ex {
        let init = self.vector_init(shape.lane, shape.count);
        let name = self.type_name(shape.ty);
        let id = self.e(ExprKind::CompoundLit(name, init));
        self.vector_ex(id, shape.ty, Flow::NOP)
    }

    /// `(v4u32){0}`
    pub(crate) fn vector_zero(&mut self, ty: TyId) -> Ex {
        let zero = self.number(0);
        let zero = self.init_expr(zero);
        let init = self.init_list(vec![zero]);
        let name = self.type_name(ty);
        let id = self.e(ExprKind::CompoundLit(name, init));
        self.vector_ex(id, ty, Flow::NOP)
    }

    fn vector_leaf(&mut self, shape: Shape) -> Ex {
        if self.choices.percent(65)
            && let Some(lv) = self.find(Want::Exactly(shape.ty), Use::Read)
        {
            return self.loaded(&lv);
        }
        self.vector_literal(shape)
    }

    /// A value of a vector type.
    pub(crate) fn vector_expr(&mut self, ty: TyId, ops: u32) -> Ex {
        let TyDef::Vector(lane, count) = self.model.def(ty) else { return self.vector_zero(ty) };
        self.vector_value(Shape { ty, lane, count }, ops.min(8))
    }

    fn vector_value(&mut self, shape: Shape, ops: u32) -> Ex {
        if ops == 0 || self.choices.exhausted() {
            return self.vector_leaf(shape);
        }
        if self.choices.percent(15) && self.on(Switch::ShuffleVector) {
            return self.shuffled(shape, ops - 1);
        }
        match shape.lane {
            Lane::Int(int) if int.signed() => self.signed_vector(shape, int, ops - 1),
            Lane::Int(int) => self.unsigned_vector(shape, int, ops - 1),
            Lane::Float(float) => self.float_vector(shape, float, ops - 1),
        }
    }

    /// `__builtin_shufflevector(a, b, 3, 0, 5, 6)`
    fn shuffled(&mut self, shape: Shape, ops: u32) -> Ex {
        let (left, right) = self.split(ops);
        let (a, b) = (self.vector_value(shape, left), self.vector_value(shape, right));
        let name = self.name("__builtin_shufflevector");
        let callee = self.ident(name);
        let mut args = vec![a.id, b.id];
        for _ in 0..shape.count {
            let lane = self.choices.below(2 * u32::from(shape.count));
            args.push(self.number(lane));
        }
        let node = self.flow.unseq(&[a.node, b.node]);
        let id = self.e(ExprKind::Call(callee, args));
        self.vector_ex(id, shape.ty, node)
    }

    /// `(T)e` between vectors of lanes of one width.
    fn reinterpreted(&mut self, ex: Ex, ty: TyId) -> Ex {
        let id = self.cast(ty, ex.id);
        self.vector_ex(id, ty, ex.node)
    }

    /// `__builtin_convertvector(e, T)`
    fn converted(&mut self, ex: Ex, ty: TyId) -> Ex {
        let name = self.type_name(ty);
        let id = self.e(ExprKind::ConvertVector(ex.id, name));
        self.vector_ex(id, ty, ex.node)
    }

    fn pair(&mut self, op: BinOp, a: Ex, b: Ex, ty: TyId) -> Ex {
        let node = self.flow.unseq(&[a.node, b.node]);
        let id = self.e(ExprKind::Binary(op, a.id, b.id));
        self.vector_ex(id, ty, node)
    }

    /// `e op 7`, with a constant that every lane holds.
    fn with_constant(&mut self, op: BinOp, ex: Ex, value: u32) -> Ex {
        let by = self.number(value);
        let id = self.e(ExprKind::Binary(op, ex.id, by));
        self.vector_ex(id, ex.ty, ex.node)
    }

    fn unsigned_vector(&mut self, shape: Shape, int: IntTy, ops: u32) -> Ex {
        let (left, right) = self.split(ops);
        match self.choices.weighted(&[50, 14, 10, 8, 10, 8]).unwrap_or(0) {
            1 => {
                let (a, by) = (self.vector_value(shape, left), self.vector_value(shape, right));
                let by = self.with_constant(BinOp::And, by, int.bits() - 1);
                let op = self.choices.pick(&[BinOp::Shl, BinOp::Shr]);
                self.pair(op, a, by, shape.ty)
            }
            2 => {
                let (a, by) = (self.vector_value(shape, left), self.vector_value(shape, right));
                let by = self.with_constant(BinOp::Or, by, 1);
                let op = self.choices.pick(&[BinOp::Div, BinOp::Rem]);
                self.pair(op, a, by, shape.ty)
            }
            3 => {
                let op = self.choices.pick(&[UnOp::BitNot, UnOp::Minus]);
                let a = self.vector_value(shape, ops);
                let id = self.e(ExprKind::Unary(op, a.id));
                self.vector_ex(id, shape.ty, a.node)
            }
            4 => {
                let signed = self.vector_of(Lane::Int(as_signed(int)), shape.count);
                let a = self.vector_value(signed, ops);
                self.reinterpreted(a, shape.ty)
            }
            5 => self.resized(shape, ops),
            _ => {
                let (a, b) = (self.vector_value(shape, left), self.vector_value(shape, right));
                let all = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::Or, BinOp::Xor];
                let op = self.choices.pick(&all);
                self.pair(op, a, b, shape.ty)
            }
        }
    }

    /// Lanes of another width, converted.
    fn resized(&mut self, shape: Shape, ops: u32) -> Ex {
        let widths = [IntTy::U32, IntTy::I32, IntTy::U16, IntTy::I16, IntTy::U8];
        let other = self.choices.pick(&widths);
        let from = self.vector_of(Lane::Int(other), shape.count);
        if other.bits() * u32::from(shape.count) > 256 || from.ty == shape.ty {
            return self.vector_leaf(shape);
        }
        let ex = self.vector_value(from, ops);
        self.converted(ex, shape.ty)
    }

    fn signed_vector(&mut self, shape: Shape, int: IntTy, ops: u32) -> Ex {
        let unsigned = Lane::Int(int.unsigned());
        let (left, right) = self.split(ops);
        match self.choices.weighted(&[30, 25, 20, 8]).unwrap_or(0) {
            1 => {
                let from =
                    if self.choices.percent(50) { shape } else { self.vector_of(unsigned, shape.count) };
                let (a, b) = (self.vector_value(from, left), self.vector_value(from, right));
                let all = [BinOp::Lt, BinOp::Gt, BinOp::Le, BinOp::Ge, BinOp::Eq, BinOp::Ne];
                let op = self.choices.pick(&all);
                let mask = self.pair(op, a, b, shape.ty);
                self.reinterpreted(mask, shape.ty)
            }
            2 => {
                let (a, b) = (self.vector_value(shape, left), self.vector_value(shape, right));
                let op = self.choices.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]);
                self.pair(op, a, b, shape.ty)
            }
            3 => {
                let a = self.vector_value(shape, ops);
                let by = self.choices.below(int.bits());
                self.with_constant(BinOp::Shr, a, by)
            }
            _ => {
                let from = self.vector_of(unsigned, shape.count);
                let ex = self.vector_value(from, ops);
                self.reinterpreted(ex, shape.ty)
            }
        }
    }

    /// Small integers converted, and one operation on them.
    fn float_vector(&mut self, shape: Shape, float: FloatTy, ops: u32) -> Ex {
        let int = if float == FloatTy::Float { IntTy::I32 } else { IntTy::I64 };
        let from = self.vector_of(Lane::Int(int), shape.count);
        let small = |gen_: &mut Self, ops, most| {
            let ex = gen_.vector_value(from, ops);
            let masked = gen_.with_constant(BinOp::And, ex, most);
            gen_.converted(masked, shape.ty)
        };
        let (left, right) = self.split(ops);
        if self.choices.percent(50) {
            let (a, b) = (small(self, left, 255), small(self, right, 255));
            let op = self.choices.pick(&[BinOp::Mul, BinOp::Add, BinOp::Sub]);
            return self.pair(op, a, b, shape.ty);
        }
        small(self, ops, 4095)
    }
}

fn as_signed(int: IntTy) -> IntTy {
    match int {
        IntTy::U8 | IntTy::I8 | IntTy::Bool => IntTy::I8,
        IntTy::U16 | IntTy::I16 => IntTy::I16,
        IntTy::U32 | IntTy::I32 => IntTy::I32,
        IntTy::U64 | IntTy::I64 => IntTy::I64,
    }
}
