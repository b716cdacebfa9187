//! `main`: calls the program's functions, then mixes every global scalar into a checksum and prints it.
//!
//! The mix works on the value as 64 bits, so it knows neither byte order nor the width of `long`. Arrays are walked in
//! loops to keep `main` small.

use crate::builder::Gen;
use crate::flow::FnIx;
use crate::model::{IntTy, Lane, Qualified, TyDef, TyId, VarId};
use crate::options::Switch;
use csyntax::ast::{
    Basic, BinOp, ExprId, ExprKind, FnId, ForInit, IntBase, IntSuffix, Param, Quals, StmtId, StmtKind,
    Storage, StrLit, StrPrefix, TypeKind, UnOp,
};
use csyntax::intern::Symbol;

/// What of a variable goes into the checksum: a chain of members and dimensions down to a scalar.
#[derive(Clone, Debug)]
enum Step {
    Field(Symbol),
    Index(u32),
}

/// The end of `main`.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The body of `main`.
    pub body: StmtId,
    /// The statements in it that print.
    pub prints: Vec<StmtId>,
    /// `return 0;`
    pub ret: StmtId,
    /// The checksum's variable.
    pub crc: Symbol,
}

impl Gen<'_> {
    pub(crate) fn hex(&mut self, value: u64, long: u8) -> ExprId {
        let suffix = IntSuffix { unsigned: true, long, imaginary: false, bits: false };
        self.e(ExprKind::Int { value: value.into(), suffix, base: IntBase::Hex })
    }

    pub(crate) fn string(&mut self, text: &str) -> ExprId {
        let units = text.bytes().map(u32::from).collect();
        self.e(ExprKind::Str(StrLit { prefix: StrPrefix::None, units }))
    }

    fn assign_stmt(&mut self, op: Option<BinOp>, to: Symbol, value: ExprId) -> StmtId {
        let to = self.ident(to);
        let assign = self.e(ExprKind::Assign(op, to, value));
        self.s(StmtKind::Expr(assign))
    }

    /// `static unsigned crc = 0xffffffffu;` and `static void mix(unsigned long long v)`.
    pub(crate) fn mixer(&mut self) -> (csyntax::ast::DeclId, FnId) {
        let (crc, mix, v) = (self.name("crc"), self.name("mix"), self.name("v"));
        let unsigned = self.int_ty(IntTy::U32);
        let plain = |ty| Qualified { ty, quals: Quals::NONE };
        let written = self.written(plain(unsigned));
        let start = self.hex(0xffff_ffff, 0);
        let init = self.init_expr(start);
        let decl = self.declaration(Storage::STATIC, written, crc, Some(init));
        // crc = (crc ^ (unsigned)v) * 0x9e3779b1u; crc ^= crc >> 15; crc = (crc ^ (unsigned)(v >> 32)) * ...
        let mut body = Vec::new();
        for (half, factor) in [(false, 0x9e37_79b1), (true, 0x85eb_ca77)] {
            let mut value = self.ident(v);
            if half {
                let by = self.number(32);
                value = self.e(ExprKind::Binary(BinOp::Shr, value, by));
            }
            let value = self.cast(unsigned, value);
            let old = self.ident(crc);
            let mixed = self.e(ExprKind::Binary(BinOp::Xor, old, value));
            let factor = self.hex(factor, 0);
            let product = self.e(ExprKind::Binary(BinOp::Mul, mixed, factor));
            body.push(self.assign_stmt(None, crc, product));
            let (old, by) = (self.ident(crc), self.number(15));
            let shifted = self.e(ExprKind::Binary(BinOp::Shr, old, by));
            body.push(self.assign_stmt(Some(BinOp::Xor), crc, shifted));
        }
        let body = self.s(StmtKind::Compound(body));
        let long = self.int_ty(IntTy::U64);
        let param = self.param(plain(long), Some(v));
        let ty = self.function_type(crate::model::Model::VOID, vec![param], false);
        (decl, self.function(Storage::STATIC, ty, mix, body))
    }

    /// `main`
    pub(crate) fn main_function(&mut self, tops: &[FnIx]) -> (FnId, Ending) {
        let mut body = std::mem::take(&mut self.main_sweeps);
        let mut prints = Vec::new();
        for top in tops {
            let name = self.functions[top.0 as usize].name;
            let callee = self.ident(name);
            let call = self.e(ExprKind::Call(callee, Vec::new()));
            // Without global variables what it returns is all that is seen of it.
            let counts =
                self.on(Switch::Checksum) && self.model.int(self.functions[top.0 as usize].ret).is_some();
            let call = if counts { self.mix_call(call) } else { self.s(StmtKind::Expr(call)) };
            body.push(call);
        }
        if self.on(Switch::Checksum) {
            for var in [self.globals.clone(), self.hashed.clone()].concat() {
                self.mix_variable(var, &mut body, &mut prints);
            }
            let format = self.string("checksum = %X\n");
            let print = self.print_crc(format);
            prints.push(print);
            body.push(print);
        }
        let zero = self.number(0);
        let ret = self.s(StmtKind::Return(Some(zero)));
        body.push(ret);
        let body = self.s(StmtKind::Compound(body));
        let ending = Ending { body, prints, ret, crc: self.name("crc") };
        let int = self.int_ty(IntTy::I32);
        let mut params = Vec::new();
        if self.on(Switch::Argc) {
            let (argc, argv) = (self.name("argc"), self.name("argv"));
            params.push(self.param(Qualified { ty: int, quals: Quals::NONE }, Some(argc)));
            let base = self.type_node(TypeKind::Basic(Basic::Char), Quals::NONE);
            let text = self.type_node(TypeKind::Pointer(base), Quals::NONE);
            let ty = self.type_node(TypeKind::Pointer(text), Quals::NONE);
            let (storage, span) = (Storage::NONE, csyntax::source::Span::NONE);
            params.push(Param { storage, base, ty, name: Some(argv), attrs: Vec::new(), span });
        }
        let ty = self.function_type(int, params, false);
        let name = self.name("main");
        (self.function(Storage::NONE, ty, name, body), ending)
    }

    fn print_crc(&mut self, format: ExprId) -> StmtId {
        let (printf, crc) = (self.name("printf"), self.name("crc"));
        let (callee, crc) = (self.ident(printf), self.ident(crc));
        let call = self.e(ExprKind::Call(callee, vec![format, crc]));
        self.s(StmtKind::Expr(call))
    }

    /// Mixes every scalar of a variable.
    pub(crate) fn mix_scalars(&mut self, var: VarId, body: &mut Vec<StmtId>) {
        let (name, ty, dims) = {
            let v = self.model.var(var);
            (v.name, v.ty.ty, v.dims)
        };
        let mut paths = Vec::new();
        self.scalars_of(ty, &dims, &mut Vec::new(), &mut paths);
        for (path, ty) in paths {
            body.push(self.mix_path(name, &path, ty));
        }
    }

    fn mix_variable(&mut self, var: VarId, body: &mut Vec<StmtId>, prints: &mut Vec<StmtId>) {
        let (name, ty, dims) = {
            let v = self.model.var(var);
            (v.name, v.ty.ty, v.dims)
        };
        let mut paths = Vec::new();
        self.scalars_of(ty, &dims, &mut Vec::new(), &mut paths);
        let any = !paths.is_empty();
        for (path, ty) in paths {
            body.push(self.mix_path(name, &path, ty));
            if path.is_empty() && self.on(Switch::CheckGlobal) && self.model.int(ty).is_some() {
                let print = self.print_value(name);
                prints.push(print);
                body.push(print);
            }
        }
        if any && self.on(Switch::HashValuePrintf) {
            let text = format!("{} %X\n", self.ast.names.name(name));
            let format = self.string(&text);
            let print = self.print_crc(format);
            prints.push(print);
            body.push(print);
        }
    }

    /// `printf("g_1 = %lld\n", (long long)g_1);`
    fn print_value(&mut self, name: Symbol) -> StmtId {
        let text = format!("{} = %lld\n", self.ast.names.name(name));
        let (format, printf) = (self.string(&text), self.name("printf"));
        let (callee, value) = (self.ident(printf), self.ident(name));
        let long = self.int_ty(IntTy::I64);
        let value = self.cast(long, value);
        let call = self.e(ExprKind::Call(callee, vec![format, value]));
        self.s(StmtKind::Expr(call))
    }

    /// Every integer in an object that is sure to hold a value: all but members of unions other than the active one.
    fn scalars_of(&mut self, ty: TyId, dims: &[u32], at: &mut Vec<Step>, out: &mut Vec<(Vec<Step>, TyId)>) {
        let depth = at.len();
        at.extend(dims.iter().map(|d| Step::Index(*d)));
        match self.model.def(ty) {
            TyDef::Int(_) | TyDef::Float(_) | TyDef::Enum(_) | TyDef::Wide(_) => out.push((at.clone(), ty)),
            TyDef::Vector(lane, count) => {
                at.push(Step::Index(count.into()));
                let lane = match lane {
                    Lane::Int(int) => self.int_ty(int),
                    Lane::Float(float) => self.model.intern(TyDef::Float(float)),
                };
                out.push((at.clone(), lane));
            }
            TyDef::Record(index) if !self.model.records[index as usize].is_union => {
                for field in self.model.records[index as usize].fields.clone() {
                    if let Some(name) = field.name {
                        at.push(Step::Field(name));
                        self.scalars_of(field.ty.ty, &field.dims, at, out);
                        at.pop();
                    }
                }
            }
            TyDef::Record(_) | TyDef::Void | TyDef::Pointer(_) => {}
        }
        at.truncate(depth);
    }

    fn mix_path(&mut self, name: Symbol, path: &[Step], ty: TyId) -> StmtId {
        let mut loops = Vec::new();
        let mut id = self.ident(name);
        for step in path {
            id = match step {
                Step::Field(field) => self.e(ExprKind::Member { base: id, arrow: false, field: *field }),
                Step::Index(len) => {
                    let counter = self.name(["i", "j", "k", "m", "n", "o", "q", "r"][loops.len() % 8]);
                    loops.push((counter, *len));
                    let at = self.ident(counter);
                    self.e(ExprKind::Index(id, at))
                }
            };
        }
        let mut value = id;
        match self.model.def(ty) {
            TyDef::Float(_) => {
                let signed = self.int_ty(IntTy::I64);
                value = self.cast(signed, id);
            }
            TyDef::Enum(_) => {
                let int = self.int_ty(IntTy::I32);
                value = self.cast(int, id);
            }
            TyDef::Int(_)
            | TyDef::Wide(_)
            | TyDef::Vector(..)
            | TyDef::Void
            | TyDef::Pointer(_)
            | TyDef::Record(_) => {}
        }
        let mut stmt = self.mix_call(value);
        if let TyDef::Wide(_) = self.model.def(ty) {
            let unsigned = self.model.intern(TyDef::Wide(false));
            let (again, by) = (self.cast(unsigned, id), self.number(64));
            let high = self.e(ExprKind::Binary(BinOp::Shr, again, by));
            let high = self.mix_call(high);
            stmt = self.s(StmtKind::Compound(vec![stmt, high]));
        }
        for (counter, len) in loops.into_iter().rev() {
            let int = self.int_ty(IntTy::I32);
            let written = self.written(Qualified { ty: int, quals: Quals::NONE });
            let zero = self.number(0);
            let init = self.init_expr(zero);
            let decl = self.declaration(Storage::NONE, written, counter, Some(init));
            let (i, n) = (self.ident(counter), self.number(len));
            let cond = self.e(ExprKind::Binary(BinOp::Lt, i, n));
            let i = self.ident(counter);
            let step = self.e(ExprKind::Unary(UnOp::PostInc, i));
            stmt = self.s(StmtKind::For {
                init: ForInit::Decl(decl),
                cond: Some(cond),
                step: Some(step),
                body: stmt,
            });
        }
        stmt
    }

    /// `mix((unsigned long long)e);`
    fn mix_call(&mut self, value: ExprId) -> StmtId {
        let long = self.int_ty(IntTy::U64);
        let value = self.cast(long, value);
        let mix = self.name("mix");
        let callee = self.ident(mix);
        let call = self.e(ExprKind::Call(callee, vec![value]));
        self.s(StmtKind::Expr(call))
    }
}
