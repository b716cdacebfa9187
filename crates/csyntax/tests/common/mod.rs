//! Random ASTs for property tests: every choice is a byte of one stream, so that cases shrink and replay.
//!
//! The ASTs are those a parser can make (an `else` never dangles, labels stand before statements); they mean
//! nothing, and no type checker would take them.

use csyntax::ast::*;
use csyntax::intern::Symbol;

/// Builds a random unit from a stream of choices; after the stream every choice is the smallest.
pub struct Random<'c> {
    choices: std::slice::Iter<'c, u8>,
    ast: Ast,
    depth: u32,
}

/// A whole unit.
pub fn unit(choices: &[u8]) -> Ast {
    let mut random = Random { choices: choices.iter(), ast: Ast::default(), depth: 0 };
    random.prelude();
    while random.choices.len() > 0 {
        random.item();
    }
    random.ast
}

impl Random<'_> {
    fn pick(&mut self, below: usize) -> usize {
        usize::from(self.choices.next().copied().unwrap_or(0)) % below
    }

    fn flip(&mut self) -> bool {
        self.pick(2) == 1
    }

    fn many<T>(&mut self, most: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.pick(most + 1)).map(|_| one(self)).collect()
    }

    fn maybe<T>(&mut self, one: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flip() { Some(one(self)) } else { None }
    }

    /// Deep inside only leaves are made.
    fn deep(&self) -> bool {
        self.depth > 12 || self.choices.len() == 0
    }

    fn name(&mut self) -> Symbol {
        let name = ["a", "b", "c", "x1", "_y", "$z", "été", "longer_name"][self.pick(8)];
        self.ast.names.intern(name)
    }

    fn typedef_name(&mut self) -> Symbol {
        let name = ["T0", "T1"][self.pick(2)];
        self.ast.names.intern(name)
    }

    fn bytes(&mut self) -> Box<[u8]> {
        self.many(6, |r| r.choices.next().copied().unwrap_or(b'x')).into()
    }

    /// `typedef int T0, T1;`
    fn prelude(&mut self) {
        let base = self.ast.ty(TypeKind::Basic(Basic::Int));
        let declarators = ["T0", "T1"]
            .into_iter()
            .map(|name| Declarator {
                name: self.ast.names.intern(name),
                ty: base,
                asm_label: None,
                attrs: Vec::new(),
                init: None,
                span: Default::default(),
            })
            .collect();
        let (storage, span) = (Storage::TYPEDEF, Default::default());
        let decl = Declaration { storage, alignas: vec![], base, attrs: vec![], declarators, span };
        let decl = self.ast.push_decl(decl);
        self.ast.items.push(Item::Decl(decl));
    }

    fn item(&mut self) {
        let span = Default::default();
        let item = match self.pick(8) {
            0 => Item::StaticAssert(self.expr(), self.maybe(Self::bytes), span),
            1 => Item::Asm(self.bytes(), span),
            2 => Item::Pragma("GCC poison_nothing".into(), span),
            3 | 4 => Item::Function(self.function()),
            _ => Item::Decl(self.declaration(false)),
        };
        self.ast.items.push(item);
    }

    fn storage(&mut self) -> Storage {
        let kinds = [
            Storage::NONE,
            Storage::EXTERN,
            Storage::STATIC,
            Storage::REGISTER,
            Storage::STATIC.with(Storage::INLINE),
            Storage::EXTERN.with(Storage::THREAD),
            Storage::NORETURN.with(Storage::INLINE),
            Storage::AUTO,
        ];
        kinds[self.pick(kinds.len())]
    }

    fn attrs(&mut self) -> Vec<Attribute> {
        if self.pick(8) != 1 {
            return Vec::new();
        }
        self.many(2, |r| {
            let name = ["packed", "aligned", "const", "format"][r.pick(4)];
            let name = r.ast.names.intern(name);
            let args = r.maybe(|r| {
                r.many(2, |r| if r.flip() { AttrArg::Type(r.type_name()) } else { AttrArg::Expr(r.expr()) })
            });
            Attribute { name, args }
        })
    }

    fn quals(&mut self) -> Quals {
        if self.pick(3) != 1 { Quals::NONE } else { Quals(self.pick(8) as u8) }
    }

    fn basic(&mut self) -> Basic {
        use Basic::*;
        let all = [
            Int,
            Char,
            SChar,
            UChar,
            Short,
            UShort,
            UInt,
            Long,
            ULong,
            LLong,
            ULLong,
            Void,
            Bool,
            Int128,
            UInt128,
            Float,
            Double,
            LongDouble,
            Float16,
            Float128,
            ComplexFloat,
            ComplexDouble,
            ComplexLongDouble,
            VaList,
            FloatN(32),
            FloatN(33),
            FloatN(64),
            FloatN(65),
            Decimal(32),
            Decimal(64),
            Decimal(128),
            ComplexFloatN(16),
            ComplexFloatN(128),
            ComplexFloatN(65),
            ComplexInt(self::ComplexInt::UChar),
            ComplexInt(self::ComplexInt::Short),
            ComplexInt(self::ComplexInt::ULLong),
        ];
        all[self.pick(all.len())]
    }

    /// A specifier type.
    fn base(&mut self) -> TypeId {
        self.depth += 1;
        let kind = match if self.deep() { 0 } else { self.pick(12) } {
            1 | 2 => TypeKind::Typedef(self.typedef_name()),
            3 => TypeKind::Record(self.record()),
            4 => TypeKind::Enum(self.enumeration()),
            5 => TypeKind::TypeofExpr(self.expr()),
            6 => TypeKind::TypeofType(self.type_name()),
            7 => TypeKind::Atomic(self.type_name()),
            8 => TypeKind::Auto,
            9 => TypeKind::BitInt(self.expr(), self.flip()),
            10 => TypeKind::Unqual(self.typeof_type()),
            _ => TypeKind::Basic(self.basic()),
        };
        self.depth -= 1;
        let (quals, attrs, span) = (self.quals(), Vec::new(), Default::default());
        self.ast.push_type(TypeNode { kind, quals, attrs, span })
    }

    /// What an enum can have underneath without braces that would be taken for its own.
    fn plain_type(&mut self) -> TypeId {
        let kind = TypeKind::Basic(self.basic());
        let (quals, attrs, span) = (self.quals(), Vec::new(), Default::default());
        self.ast.push_type(TypeNode { kind, quals, attrs, span })
    }

    /// The `typeof` inside a `typeof_unqual`.
    fn typeof_type(&mut self) -> TypeId {
        let kind = TypeKind::TypeofType(self.type_name());
        let (quals, attrs, span) = (Default::default(), Vec::new(), Default::default());
        self.ast.push_type(TypeNode { kind, quals, attrs, span })
    }

    /// A declarator chain onto `base`.
    fn declarator(&mut self, base: TypeId) -> TypeId {
        let mut ty = base;
        self.depth += 1;
        for _ in 0..self.pick(4) {
            if self.deep() {
                break;
            }
            let mut quals = Quals::NONE;
            let kind = match self.pick(4) {
                0 | 1 => {
                    quals = self.quals();
                    TypeKind::Pointer(ty)
                }
                2 => {
                    let size = match self.pick(3) {
                        0 => ArraySize::Expr(self.expr()),
                        1 => ArraySize::Star,
                        _ => ArraySize::None,
                    };
                    let is_static = matches!(size, ArraySize::Expr(_)) && self.flip();
                    TypeKind::Array { elem: ty, size, quals: self.quals(), is_static }
                }
                _ => TypeKind::Function { ret: ty, params: self.params() },
            };
            let attrs = self.attrs();
            ty = self.ast.push_type(TypeNode { kind, quals, attrs, span: Default::default() });
        }
        self.depth -= 1;
        ty
    }

    fn params(&mut self) -> Params {
        if self.pick(4) == 0 {
            return Params::Unspecified;
        }
        let params = self.many(3, |r| {
            let base = r.base();
            let ty = r.declarator(base);
            let storage = if r.pick(8) == 1 { Storage::REGISTER } else { Storage::NONE };
            // An attribute in front of an unnamed function or array would belong to it.
            let name = r.maybe(Self::name);
            let attrs = r.attrs();
            strip_attrs(&mut r.ast, ty, base, name.is_some());
            Param { storage, base, ty, name, attrs, span: Default::default() }
        });
        // A lone `void` is an empty list.
        let void = |p: &Param| {
            let node = &self.ast[p.ty];
            p.name.is_none() && matches!(node.kind, TypeKind::Basic(Basic::Void)) && node.quals == Quals::NONE
        };
        let params = if params.len() == 1 && void(&params[0]) { Vec::new() } else { params };
        Params::Prototype { variadic: self.flip(), params }
    }

    fn type_name(&mut self) -> TypeId {
        let base = self.base();
        let ty = self.declarator(base);
        strip_attrs(&mut self.ast, ty, base, false);
        self.ast[base].attrs = self.attrs();
        ty
    }

    fn record(&mut self) -> RecordId {
        let tag = self.name();
        let fields = self.maybe(|r| r.many(3, Self::field));
        let tag = if fields.is_none() || self.flip() { Some(tag) } else { None };
        let (is_union, attrs, span) = (self.flip(), self.attrs(), Default::default());
        self.ast.push_record(RecordSpec { is_union, tag, fields, attrs, pack: None, span })
    }

    fn field(&mut self) -> FieldDecl {
        if self.pick(8) == 1 {
            return FieldDecl::StaticAssert(self.expr(), self.maybe(Self::bytes));
        }
        let base = self.base();
        let declarators = self.many(3, |r| {
            let width = r.maybe(Self::expr);
            let name = if width.is_none() || r.flip() { Some(r.name()) } else { None };
            let ty = if name.is_some() { r.declarator(base) } else { base };
            FieldDeclarator { name, ty, width, attrs: r.attrs(), span: Default::default() }
        });
        let (alignas, attrs) = (self.alignas(), self.attrs());
        FieldDecl::Fields { base, alignas, attrs, declarators, span: Default::default() }
    }

    fn alignas(&mut self) -> Vec<Alignas> {
        if self.pick(8) != 1 {
            return Vec::new();
        }
        self.many(2, |r| if r.flip() { Alignas::Type(r.type_name()) } else { Alignas::Expr(r.expr()) })
    }

    fn enumeration(&mut self) -> EnumId {
        let tag = self.name();
        let enumerators = self.maybe(|r| {
            let mut all = r.many(3, Self::enumerator);
            all.push(r.enumerator());
            all
        });
        let tag = if enumerators.is_none() || self.flip() { Some(tag) } else { None };
        let (attrs, span) = (self.attrs(), Default::default());
        let underlying = self.maybe(Self::plain_type);
        self.ast.push_enum(EnumSpec { tag, underlying, enumerators, attrs, span })
    }

    fn enumerator(&mut self) -> Enumerator {
        let (name, attrs, value) = (self.name(), self.attrs(), self.maybe(Self::expr));
        Enumerator { name, value, attrs, span: Default::default() }
    }

    fn declaration(&mut self, in_for: bool) -> DeclId {
        let storage = self.storage();
        let base = self.base();
        let declarators = self.many(3, |r| {
            let ty = r.declarator(base);
            Declarator {
                name: r.name(),
                ty,
                asm_label: if r.pick(8) == 1 { Some(r.bytes()) } else { None },
                attrs: r.attrs(),
                init: r.maybe(Self::init),
                span: Default::default(),
            }
        });
        let (alignas, attrs) = (self.alignas(), if in_for { Vec::new() } else { self.attrs() });
        let span = Default::default();
        self.ast.push_decl(Declaration { storage, alignas, base, attrs, declarators, span })
    }

    fn init(&mut self) -> InitId {
        self.depth += 1;
        let kind = if self.deep() || self.flip() {
            InitKind::Expr(self.expr())
        } else {
            InitKind::List(self.many(3, |r| {
                let designators = r.many(2, |r| match r.pick(3) {
                    0 => Designator::Field(r.name()),
                    1 => Designator::Index(r.expr()),
                    _ => Designator::Range(r.expr(), r.expr()),
                });
                InitItem { designators, init: r.init() }
            }))
        };
        self.depth -= 1;
        self.ast.push_init(Init { kind, span: Default::default() })
    }

    fn function(&mut self) -> FnId {
        let storage = self.storage();
        let base = self.base();
        let ret = self.declarator(base);
        let mut kr_decls = Vec::new();
        let params = if self.pick(4) == 1 {
            kr_decls = self.many(2, |r| r.declaration(false));
            for &decl in &kr_decls {
                // What begins an old-style declaration must be a specifier, or it would begin the body.
                self.ast[decl].attrs.clear();
            }
            let mut names = self.many(2, Self::name);
            names.push(self.name());
            Params::Identifiers(names)
        } else {
            self.params()
        };
        let kind = TypeKind::Function { ret, params };
        let ty = self.ast.ty(kind);
        let name = self.name();
        let (attrs, body) = (self.attrs(), self.block());
        let asm_label = if self.pick(8) == 1 { Some(self.bytes()) } else { None };
        let span = Default::default();
        self.ast.push_function(Function { storage, base, ty, name, attrs, asm_label, kr_decls, body, span })
    }

    fn block(&mut self) -> StmtId {
        let items = self.many(5, Self::block_item);
        self.ast.stmt(StmtKind::Compound(items))
    }

    fn block_item(&mut self) -> StmtId {
        self.depth += 1;
        let kind = match if self.deep() { 0 } else { self.pick(16) } {
            1..=3 => Some(StmtKind::Decl(self.declaration(false))),
            4 => Some(StmtKind::NestedFn(self.function())),
            5 => {
                let name = self.name();
                let mut names = self.many(2, Self::name);
                names.push(name);
                Some(StmtKind::LocalLabels(names))
            }
            6 => Some(StmtKind::StaticAssert(self.expr(), self.maybe(Self::bytes))),
            7 => Some(StmtKind::Pragma("omp whatever (x)".into())),
            8 => {
                let name = self.ast.names.intern("fallthrough");
                Some(StmtKind::Attr(vec![Attribute { name, args: None }]))
            }
            _ => None,
        };
        self.depth -= 1;
        match kind {
            Some(kind) => self.ast.stmt(kind),
            None => self.stmt(),
        }
    }

    fn stmt(&mut self) -> StmtId {
        self.depth += 1;
        let kind = match if self.deep() { 0 } else { self.pick(20) } {
            1 => StmtKind::Compound(self.many(4, Self::block_item)),
            2 => StmtKind::Null,
            3 => {
                let condition = self.expr();
                let otherwise = self.maybe(Self::stmt);
                // Without braces the inner statement could take the `else`.
                let then = if otherwise.is_some() { self.block() } else { self.stmt() };
                StmtKind::If(condition, then, otherwise)
            }
            4 => StmtKind::While(self.expr(), self.stmt()),
            5 => StmtKind::DoWhile(self.stmt(), self.expr()),
            6 => {
                let init = match self.pick(3) {
                    0 => ForInit::None,
                    1 => ForInit::Expr(self.expr()),
                    _ => ForInit::Decl(self.declaration(true)),
                };
                let (cond, step) = (self.maybe(Self::expr), self.maybe(Self::expr));
                StmtKind::For { init, cond, step, body: self.stmt() }
            }
            7 => StmtKind::Switch(self.expr(), self.stmt()),
            8 => StmtKind::Case(self.expr(), self.maybe(Self::expr), self.stmt()),
            9 => StmtKind::Default(self.stmt()),
            10 => StmtKind::Label(self.name(), self.attrs(), self.stmt()),
            11 => StmtKind::Goto(self.name()),
            12 => StmtKind::GotoPtr(self.expr()),
            13 => StmtKind::Break,
            14 => StmtKind::Continue,
            15 => StmtKind::Return(self.maybe(Self::expr)),
            16 => StmtKind::Asm(Box::new(self.asm())),
            _ => StmtKind::Expr(self.expr()),
        };
        self.depth -= 1;
        self.ast.stmt(kind)
    }

    fn asm(&mut self) -> AsmStmt {
        let extended = self.flip();
        let goto = extended && self.flip();
        let none = usize::from(extended);
        let (inputs, outputs) = (self.many(2 * none, Self::operand), self.many(2 * none, Self::operand));
        AsmStmt {
            volatile: self.flip(),
            goto,
            inline: self.flip(),
            template: self.bytes(),
            outputs,
            inputs,
            clobbers: self.many(2 * none, Self::bytes),
            labels: self.many(2 * usize::from(goto), Self::name),
            extended,
        }
    }

    fn operand(&mut self) -> AsmOperand {
        AsmOperand { name: self.maybe(Self::name), constraint: self.bytes(), expr: self.expr() }
    }

    fn int(&mut self) -> ExprKind {
        let bases = [IntBase::Dec, IntBase::Oct, IntBase::Hex, IntBase::Bin];
        let value = match self.pick(4) {
            0 => self.pick(256) as u128,
            1 => u128::from(u64::MAX) - self.pick(3) as u128,
            2 => u128::MAX - self.pick(3) as u128,
            _ => (self.pick(256) as u128) << self.pick(100),
        };
        let suffix = IntSuffix {
            unsigned: self.flip(),
            long: self.pick(3) as u8,
            imaginary: self.pick(8) == 1,
            bits: false,
        };
        ExprKind::Int { value, suffix, base: bases[self.pick(4)] }
    }

    fn string(&mut self) -> StrLit {
        let prefixes =
            [StrPrefix::None, StrPrefix::Utf8, StrPrefix::Char16, StrPrefix::Char32, StrPrefix::Wide];
        let prefix = prefixes[self.pick(5)];
        let units = self.many(8, |r| {
            let unit = match r.pick(6) {
                0 => r.pick(256) as u32,
                1 => b"0123456789abcdefABCDEF?\\\"'\n"[r.pick(27)].into(),
                2 => 0xd800 + r.pick(256) as u32,
                3 => 0x1f600 + r.pick(256) as u32,
                4 => u32::MAX - r.pick(256) as u32,
                _ => 0x100 * r.pick(256) as u32 + r.pick(256) as u32,
            };
            match prefix {
                StrPrefix::None | StrPrefix::Utf8 => unit & 0xff,
                StrPrefix::Char16 => unit & 0xffff,
                StrPrefix::Char32 | StrPrefix::Wide => unit,
            }
        });
        StrLit { prefix, units: units.into() }
    }

    fn char(&mut self) -> ExprKind {
        let raw = i64::from(u32::from_le_bytes(std::array::from_fn(|_| self.pick(256) as u8)) as i32);
        let shift = self.pick(32);
        let (value, prefix) = match self.pick(4) {
            0 => (raw >> shift, StrPrefix::None),
            1 => (raw >> shift, StrPrefix::Wide),
            2 => ((raw >> shift) & 0xffff, StrPrefix::Char16),
            _ => ((raw >> shift) & 0xffff_ffff, StrPrefix::Char32),
        };
        ExprKind::Char { value, prefix }
    }

    fn float(&mut self) -> ExprKind {
        let text = ["1.0", ".5", "1e10", "3.E-2", "0x1p-3", "0x.8p+1"][self.pick(6)];
        let hex = text.starts_with("0x");
        let kinds = [
            FloatSuffixKind::Double,
            FloatSuffixKind::Float,
            FloatSuffixKind::LongDouble,
            FloatSuffixKind::Float128,
            FloatSuffixKind::Float16,
            FloatSuffixKind::Other(32),
            FloatSuffixKind::Other(33),
            FloatSuffixKind::Other(65),
            FloatSuffixKind::Other(0x100 + 64),
        ];
        let kind = kinds[self.pick(if hex { 3 } else { kinds.len() })];
        let suffix = FloatSuffix { kind, imaginary: self.pick(8) == 1 };
        ExprKind::Float { text: self.ast.names.intern(text), suffix }
    }

    fn leaf(&mut self) -> ExprKind {
        match self.pick(6) {
            0 | 1 => ExprKind::Ident(self.name()),
            2 => self.int(),
            3 => self.float(),
            4 => self.char(),
            _ => ExprKind::Str(self.string()),
        }
    }

    fn unary(&mut self) -> UnOp {
        use UnOp::*;
        let all = [
            Plus, Minus, BitNot, Not, Deref, AddrOf, PreInc, PreDec, PostInc, PostDec, Real, Imag, Extension,
        ];
        all[self.pick(all.len())]
    }

    fn binary(&mut self) -> BinOp {
        use BinOp::*;
        let all = [Mul, Div, Rem, Add, Sub, Shl, Shr, Lt, Gt, Le, Ge, Eq, Ne, And, Xor, Or, LogAnd, LogOr];
        all[self.pick(all.len())]
    }

    fn expr(&mut self) -> ExprId {
        self.depth += 1;
        let kind = match if self.deep() { 0 } else { self.pick(36) } {
            1..=5 => ExprKind::Unary(self.unary(), self.expr()),
            6..=11 => ExprKind::Binary(self.binary(), self.expr(), self.expr()),
            12 | 13 => {
                use BinOp::*;
                let ops = [Mul, Div, Rem, Add, Sub, Shl, Shr, And, Xor, Or];
                let op = self.maybe(|r| ops[r.pick(ops.len())]);
                ExprKind::Assign(op, self.expr(), self.expr())
            }
            14 | 15 => ExprKind::Cond(self.expr(), self.maybe(Self::expr), self.expr()),
            16 => ExprKind::Comma(self.expr(), self.expr()),
            17 => ExprKind::Call(self.expr(), self.many(3, Self::expr)),
            18 => ExprKind::Index(self.expr(), self.expr()),
            19 | 20 => ExprKind::Member { base: self.expr(), arrow: self.flip(), field: self.name() },
            21 | 22 => ExprKind::Cast(self.type_name(), self.expr()),
            23 => {
                let ty = self.type_name();
                let kind = InitKind::List(self.many(2, |r| InitItem { designators: vec![], init: r.init() }));
                let init = self.ast.push_init(Init { kind, span: Default::default() });
                ExprKind::CompoundLit(ty, init)
            }
            24 => ExprKind::SizeofExpr(self.expr()),
            25 => ExprKind::SizeofType(self.type_name()),
            26 => ExprKind::AlignofExpr(self.expr()),
            27 => ExprKind::AlignofType(self.type_name()),
            28 => {
                let arms = self.many(3, |r| (r.maybe(Self::type_name), r.expr()));
                ExprKind::Generic(self.expr(), arms)
            }
            29 => ExprKind::StmtExpr(self.block()),
            30 => ExprKind::LabelAddr(self.name()),
            31 => ExprKind::VaArg(self.expr(), self.type_name()),
            32 => {
                let mut path = vec![Designator::Field(self.name())];
                path.extend(self.many(3, |r| {
                    if r.flip() { Designator::Field(r.name()) } else { Designator::Index(r.expr()) }
                }));
                ExprKind::Offsetof(self.type_name(), path)
            }
            33 => ExprKind::TypesCompatible(self.type_name(), self.type_name()),
            34 => ExprKind::ChooseExpr(self.expr(), self.expr(), self.expr()),
            35 => ExprKind::ConvertVector(self.expr(), self.type_name()),
            _ => self.leaf(),
        };
        self.depth -= 1;
        self.ast.expr(kind)
    }
}

/// Without a name, attributes of the outermost suffix have no declarator to stand in; they cannot be written.
fn strip_attrs(ast: &mut Ast, ty: TypeId, base: TypeId, named: bool) {
    if ty != base && !named && !matches!(ast[ty].kind, TypeKind::Pointer(_)) {
        ast[ty].attrs.clear();
    }
}
