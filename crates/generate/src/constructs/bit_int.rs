//! Bit-precise integers (C23 6.2.5p5): functions whose variables, arrays, members, parameters and loop counters are
//! `_BitInt`s of any width up to 128, and that give back a standard integer.

use super::ExpressionConstruct;
use super::bit_int_terms::{Object, Place, Term, Terms, Ty};
use super::helper::{self, Helper};
use crate::builder::Gen;
use crate::model::{IntTy, Range};
use crate::options::Switch;
use csyntax::ast::{
    ArraySize, BinOp, ExprId, ExprKind, FieldDecl, FieldDeclarator, ForInit, InitId, Param, Params, Quals,
    RecordSpec, StmtId, StmtKind, Storage, TypeId, TypeKind, UnOp,
};
use csyntax::intern::Symbol;
use csyntax::source::Span;

const NAME: &str = "bit precise call";

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: NAME,
    doc: "a call of a function that computes with `_BitInt(N)`: arithmetic, arrays, bit-fields, loops, `switch`, arguments",
    weight: 7,
    allowed: |gen_| gen_.on(Switch::BitInt) && helper::possible(gen_),
    build: |gen_, ops| helper::call(gen_, ops, NAME, define),
};

/// A function that takes and gives back bit-precise integers.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub name: Symbol,
    pub params: Vec<Ty>,
    pub ret: Ty,
    pub cost: u64,
}

/// Instructions of the machine for a node, where it has to check and to narrow.
const FACTOR: u64 = 8;

impl Terms<'_, '_> {
    fn declare(
        &mut self,
        storage: Storage,
        types: (TypeId, TypeId),
        name: Symbol,
        init: Option<InitId>,
    ) -> StmtId {
        let decl = self.gen_.declaration(storage, types, name, init);
        self.gen_.s(StmtKind::Decl(decl))
    }

    /// `T name = e;`
    fn variable(&mut self, ty: Ty, name: Symbol, value: ExprId) -> StmtId {
        let node = self.node(ty, Quals::NONE);
        let init = self.gen_.init_expr(value);
        self.declare(Storage::NONE, (node, node), name, Some(init))
    }

    fn add(&mut self, place: Place, ty: Ty, range: Range, free: bool) {
        self.objects.push(Object { place, ty, range, free });
    }

    /// A variable that begins as an expression of what there is.
    fn local(&mut self, all: &mut Vec<StmtId>) {
        let ty = self.random_bits();
        let name = self.gen_.fresh("b_");
        let ops = self.gen_.choices.below(4);
        let value = self.term(ops);
        all.push(self.variable(ty, name, value.id));
        self.add(Place::Name(name), ty, ty.range(), true);
    }

    /// An array of a power of two of elements; of constants, where nothing is stored.
    fn array(&mut self, all: &mut Vec<StmtId>) {
        let (ty, name) = (self.random_bits(), self.gen_.fresh("b_"));
        let len = self.gen_.choices.pick(&[4u32, 2, 8]);
        let fixed = self.gen_.choices.percent(40);
        let given = self.gen_.choices.range(1, len);
        let items = (0..given).map(|_| {
            let value = self.constant(ty);
            self.gen_.init_expr(value.id)
        });
        let items = items.collect();
        let init = self.gen_.init_list(items);
        let storage = if fixed { Storage::STATIC } else { Storage::NONE };
        let elem = self.node(ty, if fixed { Quals::CONST } else { Quals::NONE });
        let size = ArraySize::Expr(self.gen_.number(len));
        let kind = TypeKind::Array { elem, size, quals: Quals::NONE, is_static: false };
        let array = self.gen_.type_node(kind, Quals::NONE);
        all.push(self.declare(storage, (elem, array), name, Some(init)));
        self.add(Place::Element(name, len), ty, ty.range(), !fixed);
    }

    /// A struct of bit-precise members, bit-fields among them.
    fn record(&mut self, all: &mut Vec<StmtId>) {
        let name = self.gen_.fresh("b_");
        let (mut fields, mut items, mut members) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..self.gen_.choices.range(2, 4) {
            let (ty, field) = (self.random_bits(), self.gen_.name(&format!("f{number}")));
            let node = self.node(ty, Quals::NONE);
            let narrow = self.gen_.on(Switch::Bitfields) && ty.width() > 2 && self.gen_.choices.percent(45);
            // The machine has no wider bit-fields.
            let bits = narrow.then(|| self.gen_.choices.range(2, ty.width().min(64)));
            let held = Ty::Bits { width: bits.unwrap_or(ty.width()), signed: ty.signed() };
            let width = bits.map(|bits| self.gen_.number(bits));
            let declarator =
                FieldDeclarator { name: Some(field), ty: node, width, attrs: Vec::new(), span: Span::NONE };
            fields.push(FieldDecl::Fields {
                base: node,
                alignas: Vec::new(),
                attrs: Vec::new(),
                declarators: vec![declarator],
                span: Span::NONE,
            });
            let value = self.term(1);
            items.push(self.gen_.init_expr(value.id));
            members.push(Object { place: Place::Member(name, field), ty, range: held.range(), free: true });
        }
        // Only now, so that no initialiser reads it.
        self.objects.append(&mut members);
        let spec = RecordSpec {
            is_union: false,
            tag: None,
            fields: Some(fields),
            attrs: Vec::new(),
            pack: None,
            span: Span::NONE,
        };
        let record = self.gen_.ast.push_record(spec);
        let node = self.gen_.type_node(TypeKind::Record(record), Quals::NONE);
        let init = self.gen_.init_list(items);
        all.push(self.declare(Storage::NONE, (node, node), name, Some(init)));
    }

    fn target(&mut self) -> Option<Object> {
        let free: Vec<Object> = self.objects.iter().filter(|o| o.free).copied().collect();
        (!free.is_empty()).then(|| self.gen_.choices.pick(&free))
    }

    fn expression(&mut self, id: ExprId) -> StmtId {
        self.gen_.s(StmtKind::Expr(id))
    }

    /// `x = e;`
    fn assign(&mut self) -> Option<StmtId> {
        let target = self.target()?;
        let ops = self.gen_.choices.range(1, 5);
        let value = self.term(ops);
        let to = self.place(target);
        let id = self.gen_.e(ExprKind::Assign(None, to, value.id));
        Some(self.expression(id))
    }

    /// `x op= e;`, with the conversions that keep it from overflowing.
    fn update(&mut self) -> Option<StmtId> {
        let target = self.target()?;
        let held = self.read(target);
        let to = held.id;
        let ops = self.gen_.choices.below(3);
        let value = self.term(ops);
        let wraps = !target.ty.signed() && !held.ty.arith(value.ty).signed();
        let (op, value) = match self.gen_.choices.below(4) {
            0 if wraps => (self.gen_.choices.pick(&[BinOp::Add, BinOp::Sub]), value),
            1 if wraps && self.gen_.on(Switch::Muls) => (BinOp::Mul, value),
            2 => {
                let most = 1i128 << target.ty.width().ilog2();
                let count = self.gen_.choices.below(most as u32);
                let op = if target.ty.signed() { BinOp::Shr } else { BinOp::Shl };
                (op, self.number(count.into()))
            }
            _ => (self.gen_.choices.pick(&[BinOp::Xor, BinOp::And, BinOp::Or]), value),
        };
        let id = self.gen_.e(ExprKind::Assign(Some(op), to, value.id));
        Some(self.expression(id))
    }

    /// `x++;` of a type without sign.
    fn step(&mut self) -> Option<StmtId> {
        let target = self.target().filter(|target| !target.ty.signed())?;
        let to = self.place(target);
        let op = self.gen_.choices.pick(&[UnOp::PostInc, UnOp::PreDec, UnOp::PreInc, UnOp::PostDec]);
        let id = self.gen_.e(ExprKind::Unary(op, to));
        Some(self.expression(id))
    }

    /// `x = __builtin_add_overflow(a, b, &y);`
    fn overflow(&mut self) -> Option<StmtId> {
        let free: Vec<Object> =
            self.objects.iter().filter(|o| o.free && matches!(o.place, Place::Name(_))).copied().collect();
        let to = if free.len() < 2 {
            None
        } else {
            Some(self.gen_.choices.below(free.len() as u32 - 1) as usize)
        }?;
        let (to, flag) = (free[to], free[free.len() - 1]);
        let (a, b) = (self.term(1), self.term(1));
        // Clang multiplies more bits than a register has by a function of its own library.
        let narrow = a.ty.width().max(b.ty.width()).max(to.ty.width()) < 32;
        let names = ["__builtin_add_overflow", "__builtin_sub_overflow", "__builtin_mul_overflow"];
        let name = self.gen_.choices.pick(&names[..if narrow { 3 } else { 2 }]);
        let (callee, place) = (self.gen_.name(name), self.place(to));
        let callee = self.gen_.ident(callee);
        let address = self.gen_.e(ExprKind::Unary(UnOp::AddrOf, place));
        let call = self.gen_.e(ExprKind::Call(callee, vec![a.id, b.id, address]));
        let flag = self.place(flag);
        let id = self.gen_.e(ExprKind::Assign(None, flag, call));
        Some(self.expression(id))
    }

    fn simple(&mut self) -> Option<StmtId> {
        let compound = if self.gen_.on(Switch::CompoundAssignment) { 25 } else { 0 };
        let builtins = if self.gen_.on(Switch::Gnu) && self.gen_.on(Switch::Builtins) { 8 } else { 0 };
        match self.gen_.choices.weighted(&[50, compound, 10, builtins]).unwrap_or(0) {
            1 => self.update(),
            2 => self.step(),
            3 => self.overflow(),
            _ => self.assign(),
        }
    }

    fn block(&mut self, most: u32) -> StmtId {
        let count = self.gen_.choices.range(1, most);
        let all = (0..count).filter_map(|_| self.simple()).collect();
        self.gen_.s(StmtKind::Compound(all))
    }

    /// `for (_BitInt(7) i = 0; i < n; i++)`, or down to 1; the counter is read in the body.
    fn turns(&mut self) -> StmtId {
        let signed = self.gen_.choices.percent(40);
        let ty = Ty::Bits { width: self.gen_.choices.range(5, 40), signed };
        let (name, up) = (self.gen_.fresh("i_"), self.gen_.choices.percent(60));
        let most = self.gen_.choices.range(2, 12);
        let start = self.gen_.number(if up { 0 } else { most });
        let node = self.node(ty, Quals::NONE);
        let init = self.gen_.init_expr(start);
        let init = ForInit::Decl(self.gen_.declaration(Storage::NONE, (node, node), name, Some(init)));
        let (held, bound) = (self.gen_.ident(name), self.gen_.number(if up { most } else { 0 }));
        let cond = self.gen_.e(ExprKind::Binary(if up { BinOp::Lt } else { BinOp::Gt }, held, bound));
        let held = self.gen_.ident(name);
        let step = self.gen_.e(ExprKind::Unary(if up { UnOp::PostInc } else { UnOp::PostDec }, held));
        let range = Range { lo: i128::from(!up), hi: i128::from(most) - i128::from(up) };
        self.add(Place::Name(name), ty, range, false);
        let before = self.gen_.cost;
        let body = self.block(3);
        let body_cost = self.gen_.cost - before + 4;
        self.gen_.cost = self.gen_.cost.saturating_add(body_cost.saturating_mul(u64::from(most)));
        self.objects.retain(|o| !matches!(o.place, Place::Name(held) if held == name));
        self.gen_.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body })
    }

    /// `switch (e) { case 1: ... default: ... }`
    fn switch(&mut self) -> StmtId {
        let on = self.term(2);
        let all = on.ty.range();
        let mut body = Vec::new();
        for value in 0..self.gen_.choices.range(1, 4) {
            let Some(value) = Some(i128::from(value)).filter(|value| *value <= all.hi) else { break };
            let Some(stmt) = self.simple() else { continue };
            let value = self.number(value);
            body.push(self.gen_.s(StmtKind::Case(value.id, None, stmt)));
            if self.gen_.choices.percent(70) {
                body.push(self.gen_.s(StmtKind::Break));
            }
        }
        let last = self.simple().unwrap_or_else(|| self.gen_.s(StmtKind::Null));
        body.push(self.gen_.s(StmtKind::Default(last)));
        let body = self.gen_.s(StmtKind::Compound(body));
        self.gen_.s(StmtKind::Switch(on.id, body))
    }

    fn statement(&mut self) -> Option<StmtId> {
        match self.gen_.choices.weighted(&[50, 15, 25, 10]).unwrap_or(0) {
            1 => {
                let cond = self.term(2);
                let then = self.block(2);
                let otherwise = self.gen_.choices.percent(40).then(|| self.block(2));
                Some(self.gen_.s(StmtKind::If(cond.id, then, otherwise)))
            }
            2 => Some(self.turns()),
            3 => Some(self.switch()),
            _ => self.simple(),
        }
    }

    /// All bits of all objects in one word.
    fn sum(&mut self, word: IntTy) -> ExprId {
        let mut parts: Vec<Term> = Vec::new();
        for object in self.objects.clone() {
            let name = match object.place {
                Place::Element(name, len) => (0..len).map(|at| (name, Some(at))).collect(),
                Place::Name(name) | Place::Member(name, _) => vec![(name, None)],
            };
            for (name, at) in name {
                let read = |terms: &mut Self| match at {
                    Some(at) => {
                        let (array, index) = (terms.gen_.ident(name), terms.gen_.number(at));
                        terms.gen_.e(ExprKind::Index(array, index))
                    }
                    None => terms.place(object),
                };
                let low = Term { id: read(self), ty: object.ty, range: object.range };
                parts.push(self.cast(low, Ty::Std(word)));
                if object.ty.width() > word.bits() {
                    let (high, by) = (read(self), self.gen_.number(word.bits()));
                    let high = self.gen_.e(ExprKind::Binary(BinOp::Shr, high, by));
                    let high = Term { id: high, ty: object.ty, range: object.ty.range() };
                    parts.push(self.cast(high, Ty::Std(word)));
                }
            }
        }
        let mut sum = self.gen_.literal(17, word);
        for part in parts {
            let factor = self.gen_.number(31);
            let more = self.gen_.e(ExprKind::Binary(BinOp::Mul, sum, factor));
            sum = self.gen_.e(ExprKind::Binary(BinOp::Add, more, part.id));
        }
        sum
    }
}

/// `static T bq_3(T a, U b) { return e; }` of bit-precise types, which others call.
fn callee(gen_: &mut Gen) {
    let outer = std::mem::take(&mut gen_.cost);
    let name = gen_.fresh("bq_");
    let mut terms = Terms { gen_, objects: Vec::new() };
    let mut types = Vec::new();
    let mut params = Vec::new();
    for number in 0..terms.gen_.choices.range(1, 6) {
        let ty = terms.random_bits();
        let param = terms.gen_.name(&format!("p{number}"));
        let node = terms.node(ty, Quals::NONE);
        params.push(Param {
            storage: Storage::NONE,
            base: node,
            ty: node,
            name: Some(param),
            attrs: Vec::new(),
            span: Span::NONE,
        });
        types.push(ty);
        terms.add(Place::Name(param), ty, ty.range(), true);
    }
    let mut all = Vec::new();
    if terms.gen_.choices.percent(40) {
        all.extend(terms.simple());
    }
    let ops = terms.gen_.choices.range(1, 5);
    let value = terms.term(ops);
    let ret = terms.random_bits();
    all.push(helper::give_back(terms.gen_, value.id));
    let base = terms.node(ret, Quals::NONE);
    let params = Params::Prototype { params, variadic: false };
    let full = gen_.type_node(TypeKind::Function { ret: base, params }, Quals::NONE);
    let body = gen_.s(StmtKind::Compound(all));
    let def = gen_.function(Storage::STATIC, (base, full), name, body);
    if gen_.on(Switch::Gnu) && gen_.on(Switch::Attributes) && gen_.choices.percent(60) {
        let name = gen_.name("noinline");
        gen_.ast[def].attrs.push(csyntax::ast::Attribute { name, args: None });
    }
    gen_.helper_defs.push(def);
    let cost = std::mem::replace(&mut gen_.cost, outer);
    gen_.bit_precise.push(Callee { name, params: types, ret, cost: cost + 20 });
}

/// `static unsigned long long bp_7(int a, unsigned long long b)`
fn define(gen_: &mut Gen) -> Helper {
    if gen_.bit_precise.len() < 8 && gen_.choices.percent(50) {
        callee(gen_);
    }
    let (name, word) = (gen_.fresh("bp_"), helper::word(gen_));
    let mut ints = Vec::new();
    let mut terms = Terms { gen_, objects: Vec::new() };
    let mut params = Vec::new();
    for number in 0..terms.gen_.choices.range(1, 3) {
        let int = if number == 0 { word } else { terms.gen_.random_int() };
        let param = terms.gen_.name(&format!("p{number}"));
        params.push(helper::parameter(terms.gen_, int, param));
        ints.push(int);
        terms.add(Place::Name(param), Ty::Std(int), int.range(), false);
    }
    let mut all = Vec::new();
    for _ in 0..terms.gen_.choices.range(1, 3) {
        terms.local(&mut all);
    }
    if terms.gen_.on(Switch::Arrays) && terms.gen_.choices.percent(50) {
        terms.array(&mut all);
    }
    if terms.gen_.on(Switch::Structs) && terms.gen_.choices.percent(50) {
        terms.record(&mut all);
    }
    for _ in 0..terms.gen_.choices.range(1, 5) {
        all.extend(terms.statement());
    }
    let sum = terms.sum(word);
    all.push(helper::give_back(gen_, sum));
    let body = gen_.s(StmtKind::Compound(all));
    let ret = gen_.int_ty(word);
    let ty = gen_.function_type(ret, params, false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    gen_.helper_defs.push(def);
    Helper { construct: NAME, name, params: ints, ret: word, cost: FACTOR * gen_.cost + 60 }
}
