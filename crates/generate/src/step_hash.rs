//! `--step-hash-by-stmt`: the checksum before every statement, so that the first that two compilers disagree about is
//! seen; and `--mark-mutable-const`.

use crate::Program;
use crate::builder::Gen;
use crate::model::{IntTy, Model, Qualified};
use crate::options::Switch;
use csyntax::ast::{
    Ast, BinOp, ExprId, ExprKind, FnId, InitId, InitKind, Item, Quals, StmtId, StmtKind, Storage, UnOp,
};
use csyntax::intern::Symbol;

impl Gen<'_> {
    /// `static void step_hash(int n)`: prints the checksum of all global variables and begins it anew; and the calls of
    /// it. What a call costs does not count towards the bound on evaluations, which holds for the program without.
    pub(crate) fn step_hash(&mut self) -> Option<[Item; 2]> {
        if !self.on(Switch::StepHash) || !self.on(Switch::Checksum) || self.on(Switch::Freestanding) {
            return None;
        }
        let (name, number) = (self.name("step_hash"), self.name("stmt"));
        let mut body = Vec::new();
        for var in [self.globals.clone(), self.hashed.clone()].concat() {
            self.mix_scalars(var, &mut body);
        }
        let (printf, crc) = (self.name("printf"), self.name("crc"));
        let callee = self.ident(printf);
        let format = self.string("before stmt(%d): checksum = %X\n");
        let (held, value) = (self.ident(number), self.ident(crc));
        let call = self.e(ExprKind::Call(callee, vec![format, held, value]));
        body.push(self.s(StmtKind::Expr(call)));
        let (to, start) = (self.ident(crc), self.hex(0xffff_ffff, 0));
        body.push(self.assign_stmt_to(to, start));
        let body = self.s(StmtKind::Compound(body));
        let int = self.int_ty(IntTy::I32);
        let param = self.param(Qualified { ty: int, quals: Quals::NONE }, Some(number));
        let ty = self.function_type(Model::VOID, vec![param], false);
        let def = self.function(Storage::STATIC, ty, name, body);
        let functions: Vec<FnId> = self.functions.iter().filter_map(|f| f.def).collect();
        let mut next = 0;
        for function in functions {
            let (own, body) = (self.ast[function].name, self.ast[function].body);
            let monitored = &self.opts.monitored;
            if monitored.is_empty() || monitored.iter().any(|m| m == self.ast.names.name(own)) {
                self.hash_steps(body, name, &mut next);
            }
        }
        let unnamed = self.param(Qualified { ty: int, quals: Quals::NONE }, None);
        let ty = self.function_type(Model::VOID, vec![unnamed], false);
        let prototype = self.declaration(Storage::STATIC, ty, name, None);
        Some([Item::Decl(prototype), Item::Function(def)])
    }

    /// Puts a call before every statement of every block within; jumps may pass it, as they pass the statement before.
    fn hash_steps(&mut self, outermost: StmtId, hash: Symbol, next: &mut u32) {
        let mut pending = vec![outermost];
        while let Some(stmt) = pending.pop() {
            let kind = self.ast.stmts[stmt.index()].kind.clone();
            let StmtKind::Compound(all) = kind else {
                inner(&kind, &mut pending);
                continue;
            };
            let mut with = Vec::with_capacity(2 * all.len());
            for stmt in all {
                let kind = &self.ast.stmts[stmt.index()].kind;
                let hashed = !matches!(
                    kind,
                    StmtKind::Decl(_)
                        | StmtKind::Case(..)
                        | StmtKind::Default(_)
                        | StmtKind::Label(..)
                        | StmtKind::Attr(_)
                );
                if hashed {
                    *next += 1;
                    let (callee, number) = (self.ident(hash), self.number(*next));
                    let call = self.e(ExprKind::Call(callee, vec![number]));
                    with.push(self.s(StmtKind::Expr(call)));
                }
                with.push(stmt);
                pending.push(stmt);
            }
            self.ast.stmts[stmt.index()].kind = StmtKind::Compound(with);
        }
    }
}

/// The statements that one is made of.
fn inner(kind: &StmtKind, pending: &mut Vec<StmtId>) {
    match kind {
        StmtKind::If(_, then, otherwise) => {
            pending.push(*then);
            pending.extend(*otherwise);
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::For { body, .. }
        | StmtKind::Switch(_, body)
        | StmtKind::Case(_, _, body)
        | StmtKind::Default(body)
        | StmtKind::Label(_, _, body) => pending.push(*body),
        _ => {}
    }
}

impl Program {
    /// The program with parentheses around the constants that global variables begin with: any other value of their type
    /// is as good, since nothing that was proved of the program rests on them.
    pub(crate) fn marked(&self) -> Ast {
        let mut ast = self.ast.clone();
        let mut inits: Vec<InitId> = Vec::new();
        for item in &ast.items {
            if let Item::Decl(decl) = item {
                let own = |d: &&csyntax::ast::Declarator| ast.names.name(d.name).starts_with("g_");
                inits.extend(ast[*decl].declarators.iter().filter(own).filter_map(|d| d.init));
            }
        }
        let mut constants = Vec::new();
        while let Some(init) = inits.pop() {
            match &ast[init].kind {
                InitKind::Expr(value) => constant(&ast, *value, &mut constants),
                InitKind::List(items) => inits.extend(items.iter().map(|item| item.init)),
            }
        }
        for id in constants {
            let text = csyntax::print::print_expr(&ast, id);
            let marked = ast.names.intern(&format!("({text})"));
            ast.exprs[id.index()].kind = ExprKind::Ident(marked);
        }
        ast
    }
}

/// A constant, or one made negative; the least value of a type is written as a difference.
fn constant(ast: &Ast, value: ExprId, out: &mut Vec<ExprId>) {
    let number = |id: ExprId| matches!(ast[id].kind, ExprKind::Int { .. });
    let negative = |id: ExprId| match ast[id].kind {
        ExprKind::Unary(UnOp::Minus, digits) => number(digits),
        _ => false,
    };
    let least = match ast[value].kind {
        ExprKind::Binary(BinOp::Sub, left, right) => negative(left) && number(right),
        _ => false,
    };
    if number(value) || negative(value) || least {
        out.push(value);
    }
}
