//! The statements of a function in C23: each declares or changes variables whose types and values are known.

use super::helper;
use crate::builder::{Ex, Gen};
use crate::flow::Flow;
use crate::model::{IntTy, Qualified, Range};
use crate::options::Switch;
use csyntax::ast::{
    Alignas, ArraySize, Attribute, BinOp, Declaration, EnumSpec, Enumerator, ExprId, ExprKind, FieldDecl,
    FieldDeclarator, ForInit, InitId, IntBase, IntSuffix, Quals, RecordSpec, StmtId, StmtKind, Storage,
    TypeId, TypeKind, UnOp,
};
use csyntax::intern::Symbol;
use csyntax::source::Span;

/// A value with a name.
#[derive(Copy, Clone, Debug)]
struct Named {
    name: Symbol,
    int: IntTy,
    range: Range,
    /// Can it be assigned to?
    free: bool,
    /// Is its type surely none of an enum? To those gcc gives no result of checked arithmetic.
    plain: bool,
}

/// A function under construction.
pub(super) struct Body<'g, 'o> {
    pub gen_: &'g mut Gen<'o>,
    names: Vec<Named>,
}

impl<'g, 'o> Body<'g, 'o> {
    pub(super) fn new(gen_: &'g mut Gen<'o>) -> Body<'g, 'o> {
        Body { gen_, names: Vec::new() }
    }

    /// A value that cannot be assigned to.
    pub(super) fn add(&mut self, name: Symbol, int: IntTy, range: Range) {
        self.names.push(Named { name, int, range, free: false, plain: true });
    }

    fn free(&mut self, name: Symbol, int: IntTy, plain: bool) {
        self.names.push(Named { name, int, range: int.range(), free: true, plain });
    }

    fn named(&mut self, named: Named) -> Ex {
        self.gen_.named_ex(named.name, named.int, named.range)
    }

    /// `true` or `false`, of type `bool`.
    fn truth(&mut self) -> Ex {
        let value = self.gen_.choices.percent(50);
        let name = self.gen_.name(if value { "true" } else { "false" });
        self.gen_.named_ex(name, IntTy::Bool, Range::one(value.into()))
    }

    fn leaf(&mut self) -> Ex {
        match self.gen_.choices.weighted(&[70, 5, 10, 15]).unwrap_or(0) {
            1 => self.truth(),
            2 => {
                let value = self.gen_.choices.word() >> self.gen_.choices.below(32);
                let suffix = IntSuffix { unsigned: true, long: 0, imaginary: false, bits: false };
                let kind = ExprKind::Int { value: value.into(), suffix, base: IntBase::Bin };
                self.gen_.int_ex(kind, IntTy::U32, Range::one(value.into()), Flow::NOP)
            }
            0 if !self.names.is_empty() => {
                let at = self.gen_.choices.below(self.names.len() as u32) as usize;
                self.named(self.names[at])
            }
            _ => {
                let int = self.gen_.random_int();
                let value = self.gen_.interesting(int);
                self.gen_.int_const(value, int)
            }
        }
    }

    fn term(&mut self, ops: u32) -> Ex {
        if ops == 0 || self.gen_.choices.exhausted() {
            return self.leaf();
        }
        let op = super::binary::operator(self.gen_);
        let (left, right) = self.gen_.split(ops - 1);
        let (a, b) = (self.term(left), self.term(right));
        self.gen_.binary(op, a, b)
    }

    fn some_term(&mut self) -> Ex {
        let ops = self.gen_.choices.below(4);
        self.term(ops)
    }

    fn int_node(&mut self, int: IntTy, quals: Quals) -> TypeId {
        let ty = self.gen_.int_ty(int);
        self.gen_.written(Qualified { ty, quals }).1
    }

    fn expression(&mut self, id: ExprId) -> StmtId {
        self.gen_.s(StmtKind::Expr(id))
    }

    fn set(&mut self, name: Symbol, value: ExprId) -> StmtId {
        let to = self.gen_.ident(name);
        let id = self.gen_.e(ExprKind::Assign(None, to, value));
        self.expression(id)
    }

    /// A declaration of one name, now and then with `[[maybe_unused]]`.
    fn declare(&mut self, storage: Storage, base: TypeId, ty: TypeId, name: Symbol, init: InitId) -> StmtId {
        let decl = self.gen_.declaration(storage, (base, ty), name, Some(init));
        if self.gen_.choices.percent(25) {
            let unused = self.gen_.name("unused");
            self.gen_.ast[decl].declarators[0].attrs.push(Attribute { name: unused, args: None });
        }
        self.gen_.s(StmtKind::Decl(decl))
    }

    fn variable(&mut self, node: TypeId, int: IntTy, value: ExprId) -> StmtId {
        let name = self.gen_.fresh("v_");
        let init = self.gen_.init_expr(value);
        let stmt = self.declare(Storage::NONE, node, node, name, init);
        // The types that are asked for may be those of enums, as an enum's own is.
        let plain = match &self.gen_.ast[node].kind {
            // That of an expression is one of a sum.
            TypeKind::Basic(_) | TypeKind::Typedef(_) | TypeKind::TypeofExpr(_) => true,
            TypeKind::Auto => !matches!(self.gen_.ast[value].kind, ExprKind::Ident(_)),
            _ => false,
        };
        self.free(name, int, plain);
        stmt
    }

    /// `constexpr T k = 7;`: its name, and the declaration.
    fn constant(&mut self, int: IntTy, value: i128) -> (Symbol, StmtId) {
        let name = self.gen_.fresh("k_");
        let literal = self.gen_.int_const(value, int);
        let init = self.gen_.init_expr(literal.id);
        let node = self.int_node(int, Quals::NONE);
        let storage = if self.gen_.choices.percent(20) { Storage::STATIC } else { Storage::NONE };
        let stmt = self.declare(storage.with(Storage::CONSTEXPR), node, node, name, init);
        self.add(name, int, Range::one(value));
        (name, stmt)
    }

    /// `static_assert(k == 7);`
    fn assertion(&mut self, left: ExprId, right: ExprId) -> StmtId {
        let equal = self.gen_.e(ExprKind::Binary(BinOp::Eq, left, right));
        self.gen_.s(StmtKind::StaticAssert(equal, None))
    }

    fn some_constant(&mut self, all: &mut Vec<StmtId>) {
        let int = self.gen_.random_int();
        let value = self.gen_.interesting(int);
        let (name, stmt) = self.constant(int, value);
        all.push(stmt);
        if self.gen_.choices.percent(50) {
            let (left, right) = (self.gen_.ident(name), self.gen_.int_const(value, int).id);
            all.push(self.assertion(left, right));
        }
    }

    /// `auto x = e;`
    fn inferred(&mut self, all: &mut Vec<StmtId>) {
        let value = self.some_term();
        let int = self.gen_.int_of(&value);
        let node = self.gen_.type_node(TypeKind::Auto, Quals::NONE);
        all.push(self.variable(node, int, value.id));
    }

    /// `typeof(a + b) x = e;`, `typeof_unqual(k) x = e;`
    fn asked(&mut self, all: &mut Vec<StmtId>) {
        let a = self.leaf();
        let (kind, int) = if self.gen_.choices.percent(40) {
            let b = self.leaf();
            // Nothing is evaluated, so nothing overflows.
            let int = self.gen_.int_of(&a).arith(self.gen_.int_of(&b));
            (TypeKind::TypeofExpr(self.gen_.e(ExprKind::Binary(BinOp::Add, a.id, b.id))), int)
        } else {
            let plain = self.gen_.type_node(TypeKind::TypeofExpr(a.id), Quals::NONE);
            // That of a constant would be `const`.
            (TypeKind::Unqual(plain), self.gen_.int_of(&a))
        };
        let node = self.gen_.type_node(kind, Quals::NONE);
        let value = self.some_term();
        all.push(self.variable(node, int, value.id));
    }

    /// `enum e : unsigned char { A = 3, B }; enum e x = e;`, whose values are all of the type.
    fn enumeration(&mut self, all: &mut Vec<StmtId>) {
        let (tag, int) = (self.gen_.fresh("e_"), self.gen_.random_int());
        let mut values = Vec::new();
        for _ in 0..self.gen_.choices.range(1, 3) {
            let (name, value) = (self.gen_.fresh("E_"), self.gen_.interesting(int));
            let literal = self.gen_.int_const(value, int);
            values.push(Enumerator { name, value: Some(literal.id), attrs: Vec::new(), span: Span::NONE });
            self.add(name, int, Range::one(value));
        }
        let underlying = Some(self.int_node(int, Quals::NONE));
        let spec = EnumSpec {
            tag: Some(tag),
            underlying,
            enumerators: Some(values),
            attrs: Vec::new(),
            span: Span::NONE,
        };
        let id = self.gen_.ast.push_enum(spec);
        let base = self.gen_.type_node(TypeKind::Enum(id), Quals::NONE);
        let decl = self.gen_.ast.push_decl(Declaration {
            storage: Storage::NONE,
            alignas: Vec::new(),
            base,
            attrs: Vec::new(),
            declarators: Vec::new(),
            span: Span::NONE,
        });
        all.push(self.gen_.s(StmtKind::Decl(decl)));
        let spec = EnumSpec {
            tag: Some(tag),
            underlying: None,
            enumerators: None,
            attrs: Vec::new(),
            span: Span::NONE,
        };
        let id = self.gen_.ast.push_enum(spec);
        let node = self.gen_.type_node(TypeKind::Enum(id), Quals::NONE);
        let value = self.some_term();
        let value = self.gen_.convert(value, int);
        all.push(self.variable(node, int, value.id));
    }

    /// `bool b = e;`
    fn truth_value(&mut self, all: &mut Vec<StmtId>) {
        let value = if self.gen_.choices.percent(30) { self.truth() } else { self.some_term() };
        let node = self.int_node(IntTy::Bool, Quals::NONE);
        all.push(self.variable(node, IntTy::Bool, value.id));
    }

    /// `T *p = nullptr; if (e) p = &x; if (p != nullptr) *p = e;`
    fn pointer(&mut self, all: &mut Vec<StmtId>) -> Option<()> {
        let free: Vec<Named> = self.names.iter().filter(|named| named.free).copied().collect();
        let target = (!free.is_empty()).then(|| self.gen_.choices.pick(&free))?;
        let (name, null) = (self.gen_.fresh("p_"), self.gen_.name("nullptr"));
        let base = self.gen_.ident(target.name);
        // So written it is the type whatever named it.
        let base = self.gen_.type_node(TypeKind::TypeofExpr(base), Quals::NONE);
        let pointer = self.gen_.type_node(TypeKind::Pointer(base), Quals::NONE);
        let start = self.gen_.ident(null);
        let init = self.gen_.init_expr(start);
        all.push(self.declare(Storage::NONE, base, pointer, name, init));
        let (cond, held) = (self.some_term(), self.gen_.ident(target.name));
        let address = self.gen_.e(ExprKind::Unary(UnOp::AddrOf, held));
        let then = self.set(name, address);
        all.push(self.gen_.s(StmtKind::If(cond.id, then, None)));
        let (held, none) = (self.gen_.ident(name), self.gen_.ident(null));
        let some = if self.gen_.choices.percent(70) {
            self.gen_.e(ExprKind::Binary(BinOp::Ne, held, none))
        } else {
            held
        };
        let (value, to) = (self.some_term(), self.gen_.ident(name));
        let to = self.gen_.e(ExprKind::Unary(UnOp::Deref, to));
        let assign = self.gen_.e(ExprKind::Assign(None, to, value.id));
        let then = self.expression(assign);
        all.push(self.gen_.s(StmtKind::If(some, then, None)));
        Some(())
    }

    /// `constexpr int k = 8; T x[k] = {};` and a loop over it that adds up.
    fn array(&mut self, all: &mut Vec<StmtId>) {
        let len = self.gen_.choices.range(2, 12);
        let (count, stmt) = self.constant(IntTy::I32, len.into());
        all.push(stmt);
        let (name, int) = (self.gen_.fresh("a_"), self.gen_.random_int());
        let elem = self.int_node(int, Quals::NONE);
        let size = ArraySize::Expr(self.gen_.ident(count));
        let kind = TypeKind::Array { elem, size, quals: Quals::NONE, is_static: false };
        let ty = self.gen_.type_node(kind, Quals::NONE);
        let empty = self.gen_.init_list(Vec::new());
        let decl = self.gen_.declaration(Storage::NONE, (elem, ty), name, Some(empty));
        if self.gen_.choices.percent(30) {
            let bytes = self.gen_.choices.pick(&[16, 32, 64]);
            let bytes = self.gen_.number(bytes);
            self.gen_.ast[decl].alignas.push(Alignas::Expr(bytes));
        }
        all.push(self.gen_.s(StmtKind::Decl(decl)));
        let (whole, one) = (self.gen_.ident(name), self.gen_.ident(name));
        let zero = self.gen_.number(0);
        let one = self.gen_.e(ExprKind::Index(one, zero));
        let (whole, one) = (self.gen_.e(ExprKind::SizeofExpr(whole)), self.gen_.e(ExprKind::SizeofExpr(one)));
        let parts = self.gen_.e(ExprKind::Binary(BinOp::Div, whole, one));
        let expected = self.gen_.ident(count);
        all.push(self.assertion(parts, expected));
        let word = helper::word(self.gen_);
        let node = self.int_node(word, Quals::NONE);
        let start = self.gen_.number(0);
        all.push(self.variable(node, word, start));
        let Some(sum) = self.names.pop() else { return };
        all.push(self.sweep((name, int), (count, len), sum.name));
        self.names.push(sum);
    }

    /// `for (auto i = 0; i < k; i++) { x[i] += e; sum = sum * 31 + x[i]; }`
    fn sweep(&mut self, (name, int): (Symbol, IntTy), (count, len): (Symbol, u32), sum: Symbol) -> StmtId {
        let i = self.gen_.fresh("i_");
        let node = self.gen_.type_node(TypeKind::Auto, Quals::NONE);
        let zero = self.gen_.number(0);
        let init = self.gen_.init_expr(zero);
        let init = ForInit::Decl(self.gen_.declaration(Storage::NONE, (node, node), i, Some(init)));
        let (held, bound) = (self.gen_.ident(i), self.gen_.ident(count));
        let cond = self.gen_.e(ExprKind::Binary(BinOp::Lt, held, bound));
        let step = self.gen_.named_step(i, true);
        self.add(i, IntTy::I32, Range { lo: 0, hi: i128::from(len) - 1 });
        let before = self.gen_.cost;
        let element = |body: &mut Self| {
            let (array, index) = (body.gen_.ident(name), body.gen_.ident(i));
            body.gen_.e(ExprKind::Index(array, index))
        };
        let mut value = self.some_term();
        if int.signed() || int.bits() < 32 {
            value = self.gen_.convert(value, int);
        }
        let to = element(self);
        let op = self.gen_.choices.pick(&[BinOp::Xor, BinOp::Or]);
        let store = self.gen_.e(ExprKind::Assign(Some(op), to, value.id));
        let store = self.expression(store);
        let (held, factor, one) = (self.gen_.ident(sum), self.gen_.number(31), element(self));
        let more = self.gen_.e(ExprKind::Binary(BinOp::Mul, held, factor));
        let more = self.gen_.e(ExprKind::Binary(BinOp::Add, more, one));
        let add = self.set(sum, more);
        let each = self.gen_.cost - before + 4;
        self.gen_.cost = self.gen_.cost.saturating_add(each * u64::from(len));
        self.names.pop();
        let body = self.gen_.s(StmtKind::Compound(vec![store, add]));
        self.gen_.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body })
    }

    /// `struct { T a; U b; static_assert(...); } s = {};`, then its members.
    fn record(&mut self, all: &mut Vec<StmtId>) {
        let name = self.gen_.fresh("s_");
        let (mut fields, mut members) = (Vec::new(), Vec::new());
        for number in 0..self.gen_.choices.range(1, 3) {
            let (int, field) = (self.gen_.random_int(), self.gen_.name(&format!("f{number}")));
            let base = self.int_node(int, Quals::NONE);
            let plain = FieldDeclarator {
                name: Some(field),
                ty: base,
                width: None,
                attrs: Vec::new(),
                span: Span::NONE,
            };
            let declarators = vec![plain];
            fields.push(FieldDecl::Fields {
                base,
                alignas: Vec::new(),
                attrs: Vec::new(),
                declarators,
                span: Span::NONE,
            });
            members.push((field, int));
        }
        let node = self.int_node(IntTy::I32, Quals::NONE);
        let (size, four) = (self.gen_.e(ExprKind::SizeofType(node)), self.gen_.number(4));
        let holds = self.gen_.e(ExprKind::Binary(BinOp::Eq, size, four));
        fields.push(FieldDecl::StaticAssert(holds, None));
        let spec = RecordSpec {
            is_union: false,
            tag: None,
            fields: Some(fields),
            attrs: Vec::new(),
            pack: None,
            span: Span::NONE,
        };
        let id = self.gen_.ast.push_record(spec);
        let node = self.gen_.type_node(TypeKind::Record(id), Quals::NONE);
        let empty = self.gen_.init_list(Vec::new());
        all.push(self.declare(Storage::NONE, node, node, name, empty));
        for (field, int) in members {
            let member = |body: &mut Self| {
                let base = body.gen_.ident(name);
                body.gen_.e(ExprKind::Member { base, arrow: false, field })
            };
            if self.gen_.choices.percent(60) {
                let (to, value) = (member(self), self.some_term());
                let store = self.gen_.e(ExprKind::Assign(None, to, value.id));
                all.push(self.expression(store));
            }
            let (node, value) = (self.gen_.type_node(TypeKind::Auto, Quals::NONE), member(self));
            all.push(self.variable(node, int, value));
        }
    }

    /// `switch (e) { case k: x = e; [[fallthrough]]; case 2: ... default: ... }`
    fn switch(&mut self, all: &mut Vec<StmtId>) -> Option<()> {
        let free: Vec<Named> = self.names.iter().filter(|named| named.free).copied().collect();
        let target = (!free.is_empty()).then(|| self.gen_.choices.pick(&free))?;
        let (name, stmt) = self.constant(IntTy::I32, 0);
        all.push(stmt);
        let on = self.some_term();
        let mask = self.gen_.int_const(3, IntTy::I32);
        let on = self.gen_.binary(BinOp::And, on, mask);
        let mut body = Vec::new();
        for value in 0..self.gen_.choices.range(1, 3) {
            let label = if value == 0 { self.gen_.ident(name) } else { self.gen_.number(value) };
            let set = self.some_term();
            let set = self.set(target.name, set.id);
            body.push(self.gen_.s(StmtKind::Case(label, None, set)));
            let last = if self.gen_.choices.percent(50) {
                StmtKind::Break
            } else {
                let name = self.gen_.name("fallthrough");
                StmtKind::Attr(vec![Attribute { name, args: None }])
            };
            body.push(self.gen_.s(last));
        }
        let set = self.some_term();
        let set = self.set(target.name, set.id);
        body.push(self.gen_.s(StmtKind::Default(set)));
        let body = self.gen_.s(StmtKind::Compound(body));
        all.push(self.gen_.s(StmtKind::Switch(on.id, body)));
        Some(())
    }

    /// `bool o = __builtin_add_overflow(a, b, &x);`, which `ckd_add` of `<stdckdint.h>` stands for.
    fn checked(&mut self, all: &mut Vec<StmtId>) -> Option<()> {
        let fits = |named: &&Named| named.free && named.plain && named.int != IntTy::Bool;
        let free: Vec<Named> = self.names.iter().filter(fits).copied().collect();
        let target = (!free.is_empty()).then(|| self.gen_.choices.pick(&free))?;
        let (a, b) = (self.some_term(), self.some_term());
        let (a, b) = (self.plus(a), self.plus(b));
        let ints = [self.gen_.int_of(&a), self.gen_.int_of(&b), target.int];
        let mixed = ints.contains(&IntTy::U64) && ints.iter().any(|int| int.signed());
        let names = ["__builtin_add_overflow", "__builtin_sub_overflow", "__builtin_mul_overflow"];
        // Clang before version 14 multiplies 65 bits by a function of its own library.
        let name = self.gen_.choices.pick(&names[..if mixed { 2 } else { 3 }]);
        let name = self.gen_.name(name);
        let (callee, held) = (self.gen_.ident(name), self.gen_.ident(target.name));
        let address = self.gen_.e(ExprKind::Unary(UnOp::AddrOf, held));
        let call = self.gen_.e(ExprKind::Call(callee, vec![a.id, b.id, address]));
        let node = self.int_node(IntTy::Bool, Quals::NONE);
        all.push(self.variable(node, IntTy::Bool, call));
        Some(())
    }

    /// `+e`: checked arithmetic takes no `bool`, and no value of an enum in C23's `ckd_add`.
    fn plus(&mut self, e: Ex) -> Ex {
        self.gen_.unary(UnOp::Plus, e)
    }

    fn statement(&mut self, all: &mut Vec<StmtId>) {
        let builtins = if self.gen_.on(Switch::Gnu) && self.gen_.on(Switch::Builtins) { 10 } else { 0 };
        let arrays = if self.gen_.on(Switch::Arrays) { 12 } else { 0 };
        let records = if self.gen_.on(Switch::Structs) { 10 } else { 0 };
        let enums = if self.gen_.on(Switch::Enums) { 12 } else { 0 };
        let pointers = if self.gen_.on(Switch::Pointers) { 12 } else { 0 };
        let weights = [12, 14, 14, enums, 8, pointers, arrays, records, 10, builtins];
        match self.gen_.choices.weighted(&weights).unwrap_or(0) {
            1 => self.inferred(all),
            2 => self.asked(all),
            3 => self.enumeration(all),
            4 => self.truth_value(all),
            5 => drop(self.pointer(all)),
            6 => self.array(all),
            7 => self.record(all),
            8 => drop(self.switch(all)),
            9 => drop(self.checked(all)),
            _ => self.some_constant(all),
        }
    }

    /// The whole body: all variables end in what it returns.
    pub(super) fn statements(&mut self, word: IntTy) -> Vec<StmtId> {
        let mut all = Vec::new();
        // First, since it tells every reader that `auto` is C23's.
        self.some_constant(&mut all);
        for _ in 0..self.gen_.choices.range(2, 7) {
            self.statement(&mut all);
        }
        let mut sum = self.gen_.literal(7, word);
        for named in self.names.clone() {
            let value = self.named(named);
            let value = if named.int == word { value } else { self.gen_.convert(value, word) };
            let factor = self.gen_.number(31);
            let more = self.gen_.e(ExprKind::Binary(BinOp::Mul, sum, factor));
            sum = self.gen_.e(ExprKind::Binary(BinOp::Add, more, value.id));
        }
        all.push(helper::give_back(self.gen_, sum));
        all
    }
}
