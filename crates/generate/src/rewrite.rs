//! What is done to a program once it is known how it runs: guards that never fire become bare operators, the expected
//! checksum goes into `main`, library calls go out.
//!
//! All of it is syntax: who runs the program, and how, is not this crate's matter.

use crate::Program;
use csyntax::ast::{
    ArraySize, Ast, Basic, BinOp, DeclId, ExprId, ExprKind, FnId, ForInit, Init, InitKind, IntBase,
    IntSuffix, Item, Param, Params, Quals, StmtId, StmtKind, Storage, StrLit, StrPrefix, TypeId, TypeKind,
    TypeNode, UnOp,
};
use csyntax::intern::Symbol;
use csyntax::source::Span;

/// A call of a guard (`safe_add_i32(a, b)`).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The call.
    pub call: ExprId,
    /// The operator that it guards; none for negation.
    pub op: Option<BinOp>,
    /// Its number, from 1.
    pub number: u32,
    /// Is the second operand, a shift count, converted from a wider type?
    pub narrowed: bool,
}

/// Makes nodes without counting them.
struct Maker<'a>(&'a mut Ast);

impl Maker<'_> {
    fn e(&mut self, kind: ExprKind) -> ExprId {
        self.0.expr(kind)
    }

    fn s(&mut self, kind: StmtKind) -> StmtId {
        self.0.stmt(kind)
    }

    fn name(&mut self, name: &str) -> Symbol {
        self.0.names.intern(name)
    }

    fn ident(&mut self, name: Symbol) -> ExprId {
        self.e(ExprKind::Ident(name))
    }

    fn number(&mut self, value: u32, unsigned: bool) -> ExprId {
        let suffix = IntSuffix { unsigned, long: 0, imaginary: false, bits: false };
        let base = if unsigned { IntBase::Hex } else { IntBase::Dec };
        self.e(ExprKind::Int { value: value.into(), suffix, base })
    }

    fn ty(&mut self, kind: TypeKind, quals: Quals) -> TypeId {
        self.0.push_type(TypeNode { kind, quals, attrs: Vec::new(), span: Span::NONE })
    }

    fn declare(
        &mut self,
        storage: Storage,
        (base, ty): (TypeId, TypeId),
        name: Symbol,
        init: Option<ExprId>,
    ) -> DeclId {
        let init = init.map(|e| self.0.push_init(Init { kind: InitKind::Expr(e), span: Span::NONE }));
        let decl = self.0.declaration(storage, (base, ty), name);
        self.0[decl].declarators[0].init = init;
        decl
    }

    /// `if (l op r) return 1;`
    fn return_if(&mut self, op: BinOp, left: ExprId, right: ExprId) -> StmtId {
        let cond = self.e(ExprKind::Binary(op, left, right));
        let one = self.number(1, false);
        let ret = self.s(StmtKind::Return(Some(one)));
        self.s(StmtKind::If(cond, ret, None))
    }
}

impl Program {
    /// Makes every guard a bare operator except those whose number `keep` wants.
    pub fn keep_guards(&mut self, keep: impl Fn(u32) -> bool) {
        let guards = std::mem::take(&mut self.guards);
        for guard in &guards {
            if keep(guard.number) {
                self.guards.push(*guard);
                continue;
            }
            let ExprKind::Call(_, args) = &self.ast[guard.call].kind else { continue };
            let args = args.clone();
            self.ast[guard.call].kind = match (guard.op, &args[..]) {
                (Some(op), &[left, right]) if guard.narrowed => {
                    let mut make = Maker(&mut self.ast);
                    let unsigned = make.ty(TypeKind::Basic(Basic::UInt), Quals::NONE);
                    ExprKind::Binary(op, left, make.e(ExprKind::Cast(unsigned, right)))
                }
                (Some(op), &[left, right]) => ExprKind::Binary(op, left, right),
                (_, &[only]) => ExprKind::Unary(UnOp::Minus, only),
                _ => continue,
            };
        }
        self.drop_unused_wrappers();
    }

    /// Takes out the wrappers that no guard calls any more.
    fn drop_unused_wrappers(&mut self) {
        let mut called: Vec<Symbol> = Vec::new();
        for guard in &self.guards {
            if let ExprKind::Call(callee, _) = &self.ast[guard.call].kind
                && let ExprKind::Ident(name) = self.ast[*callee].kind
                && !called.contains(&name)
            {
                called.push(name);
            }
        }
        let before = std::mem::take(&mut self.wrappers);
        self.wrappers = before.iter().copied().filter(|f| called.contains(&self.ast[*f].name)).collect();
        let dropped = |f: &FnId| before.contains(f) && !self.wrappers.contains(f);
        self.ast.items.retain(|item| match item {
            Item::Function(f) => !dropped(f),
            Item::Decl(_) | Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => true,
        });
    }

    /// Gives every call of a guard its number as the last argument.
    pub fn identify_guards(&mut self) {
        let id = self.ast.names.intern("id");
        for function in self.wrappers.clone() {
            let ty = self.ast[function].ty;
            let int = Maker(&mut self.ast).ty(TypeKind::Basic(Basic::UInt), Quals::NONE);
            let param = Param {
                storage: Storage::NONE,
                base: int,
                ty: int,
                name: Some(id),
                attrs: Vec::new(),
                span: Span::NONE,
            };
            if let TypeKind::Function { params: Params::Prototype { params, .. }, .. } =
                &mut self.ast[ty].kind
            {
                params.push(param);
            }
        }
        for guard in self.guards.clone() {
            let number = Maker(&mut self.ast).number(guard.number, false);
            if let ExprKind::Call(_, args) = &mut self.ast[guard.call].kind {
                args.push(number);
            }
        }
    }

    /// A program that runs as this one and then prints the numbers of the guards that fired, one a line behind a
    /// line `fired`. `None` without a `main` to print in.
    pub fn probe(&self) -> Option<Ast> {
        let ending = self.ending.clone()?;
        let mut probed = self.clone();
        probed.identify_guards();
        let mut make = Maker(&mut probed.ast);
        let fired = make.name("fired");
        let byte = make.ty(TypeKind::Basic(Basic::UChar), Quals::NONE);
        let count = self.guards.iter().map(|g| g.number + 1).max().unwrap_or(1);
        let size = make.number(count, false);
        let kind =
            TypeKind::Array { elem: byte, size: ArraySize::Expr(size), quals: Quals::NONE, is_static: false };
        let array = make.ty(kind, Quals::NONE);
        let decl = make.declare(Storage::STATIC, (byte, array), fired, None);
        let at = probed.ast.items.iter().position(|i| matches!(i, Item::Function(_))).unwrap_or(0);
        probed.ast.items.insert(at, Item::Decl(decl));
        for wrapper in probed.wrappers.clone() {
            note_firing(&mut probed.ast, wrapper, fired);
        }
        print_fired(&mut probed.ast, &ending, fired, count);
        Some(probed.ast)
    }

    /// Puts the expected checksum into `main`, which returns 1 where it turns out otherwise.
    pub fn expect(&mut self, checksum: u32) {
        let Some(ending) = self.ending.clone() else { return };
        let mut make = Maker(&mut self.ast);
        let (crc, wanted) = (make.ident(ending.crc), make.number(checksum, true));
        let check = make.return_if(BinOp::Ne, crc, wanted);
        insert_before(&mut self.ast, ending.body, ending.ret, &[check]);
    }

    /// Takes out what prints: instead, the checksum goes to `volatile unsigned int checksum`, a global variable.
    pub fn without_library(&mut self) {
        let Some(ending) = self.ending.clone() else { return };
        let mut make = Maker(&mut self.ast);
        let name = make.name("checksum");
        let ty = make.ty(TypeKind::Basic(Basic::UInt), Quals::VOLATILE);
        let decl = make.declare(Storage::NONE, (ty, ty), name, None);
        let (to, crc) = (make.ident(name), make.ident(ending.crc));
        let assign = make.e(ExprKind::Assign(None, to, crc));
        let assign = make.s(StmtKind::Expr(assign));
        let printf = self.ast.names.intern("printf");
        let declares = |ast: &Ast, item: &Item| match item {
            Item::Decl(d) => ast[*d].declarators.iter().any(|d| d.name == printf),
            Item::Function(_) | Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => false,
        };
        let items = std::mem::take(&mut self.ast.items);
        let items: Vec<Item> = items.into_iter().filter(|i| !declares(&self.ast, i)).collect();
        self.ast.items = items;
        self.ast.items.insert(0, Item::Decl(decl));
        let last = ending.prints.last().copied();
        if let StmtKind::Compound(all) = &mut self.ast.stmts[ending.body.index()].kind {
            for stmt in all.iter_mut().filter(|s| Some(**s) == last) {
                *stmt = assign;
            }
            all.retain(|s| !ending.prints.contains(s));
        }
    }
}

fn insert_before(ast: &mut Ast, body: StmtId, before: StmtId, new: &[StmtId]) {
    if let StmtKind::Compound(all) = &mut ast.stmts[body.index()].kind {
        let at = all.iter().position(|s| *s == before).unwrap_or(all.len());
        all.splice(at..at, new.iter().copied());
    }
}

/// `return c ? a : a + b;` becomes `return c ? fired[id] = 1, a : a + b;`
fn note_firing(ast: &mut Ast, wrapper: FnId, fired: Symbol) {
    let body = ast[wrapper].body;
    let StmtKind::Compound(all) = &ast[body].kind else { return };
    let Some(StmtKind::Return(Some(value))) = all.first().map(|s| &ast[*s].kind) else { return };
    let (value, ExprKind::Cond(cond, Some(same), other)) = (*value, ast[*value].kind.clone()) else { return };
    let mut make = Maker(ast);
    let id = make.name("id");
    let (array, index) = (make.ident(fired), make.ident(id));
    let element = make.e(ExprKind::Index(array, index));
    let one = make.number(1, false);
    let note = make.e(ExprKind::Assign(None, element, one));
    let noted = make.e(ExprKind::Comma(note, same));
    ast[value].kind = ExprKind::Cond(cond, Some(noted), other);
}

/// `printf("fired\n"); for (int i = 0; i < n; i++) if (fired[i]) printf("%d\n", i);`
fn print_fired(ast: &mut Ast, ending: &crate::Ending, fired: Symbol, count: u32) {
    let mut make = Maker(ast);
    let (printf, i) = (make.name("printf"), make.name("i"));
    let print = |make: &mut Maker, text: &str, value: Option<ExprId>| {
        let units = text.bytes().map(u32::from).collect();
        let text = make.e(ExprKind::Str(StrLit { prefix: StrPrefix::None, units }));
        let callee = make.ident(printf);
        let call = make.e(ExprKind::Call(callee, [Some(text), value].into_iter().flatten().collect()));
        make.s(StmtKind::Expr(call))
    };
    let first = print(&mut make, "fired\n", None);
    let index = make.ident(i);
    let line = print(&mut make, "%d\n", Some(index));
    let (array, index) = (make.ident(fired), make.ident(i));
    let element = make.e(ExprKind::Index(array, index));
    let body = make.s(StmtKind::If(element, line, None));
    let int = make.ty(TypeKind::Basic(Basic::Int), Quals::NONE);
    let zero = make.number(0, false);
    let decl = make.declare(Storage::NONE, (int, int), i, Some(zero));
    let (index, bound) = (make.ident(i), make.number(count, false));
    let cond = make.e(ExprKind::Binary(BinOp::Lt, index, bound));
    let index = make.ident(i);
    let step = make.e(ExprKind::Unary(UnOp::PostInc, index));
    let turns = make.s(StmtKind::For { init: ForInit::Decl(decl), cond: Some(cond), step: Some(step), body });
    insert_before(ast, ending.body, ending.ret, &[first, turns]);
}

/// The numbers that a program made by [`Program::probe`] printed; `None` if it did not get so far.
pub fn fired(output: &[u8]) -> Option<Vec<u32>> {
    let text = std::str::from_utf8(output).ok()?;
    let (_, lines) = text.rsplit_once("fired\n")?;
    lines.lines().map(|line| line.parse().ok()).collect()
}

/// The checksum that a program printed last.
pub fn checksum(output: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(output).ok()?;
    let line = text.lines().rev().find_map(|line| line.strip_prefix("checksum = "))?;
    u32::from_str_radix(line, 16).ok()
}
