//! Finds the statements of a seed's functions, with the names visible at each and what makes a statement removable.

use crate::places::{Function, Life, Place, Places, Scope};
use csyntax::ast::{Ast, BinOp, DeclId, ExprKind, ForInit, Item, Params, StmtId, StmtKind, TypeKind};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use csyntax::tree::{self, ObjId, Unit};
use csyntax::types::{QTy, TyKind};
use csyntax::visit::{self, Flow, Node, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

/// Finds the statements of the functions that are items for which `own` says so.
pub fn places(ast: &Ast, unit: &Unit, own: &[bool]) -> Places {
    let mut objects = FxHashMap::default();
    for (index, object) in unit.objects.iter().enumerate() {
        if let Some(name) = object.name {
            objects.entry((name, object.span)).or_insert(ObjId(index as u32));
        }
    }
    let by_name = unit.objects.iter().enumerate().filter(|(_, o)| o.owner.is_none());
    let globals = by_name.filter_map(|(k, o)| Some((o.name?, ObjId(k as u32)))).collect();
    let mut walker = Walker {
        ast,
        objects,
        globals,
        found: Places::default(),
        scope: 0,
        fresh: 0,
        declaring: None,
        distances: false,
    };
    walker.found.scopes.push(Scope { outer: None, name: Symbol(u32::MAX), object: None, declared: None });
    let jumps = ["setjmp", "_setjmp", "__builtin_setjmp", "sigsetjmp", "__sigsetjmp"];
    walker.found.restricted = unit.objects.iter().any(|o| says_restrict(unit, o.ty))
        || unit
            .types
            .records
            .iter()
            .flat_map(|r| r.fields.iter().flatten())
            .any(|f| says_restrict(unit, f.ty));
    walker.found.long_jumps = jumps.iter().any(|name| ast.names.lookup(name).is_some());
    let attributes = relied_on(ast);
    // Distances between labels are numbers that every edit changes, also where the addresses come from variables.
    let strip = |mut e: csyntax::ast::ExprId| {
        while let ExprKind::Cast(_, inner) = ast[e].kind {
            e = inner;
        }
        matches!(ast[e].kind, ExprKind::LabelAddr(_))
    };
    let distance =
        |e: &csyntax::ast::Expr| matches!(e.kind, ExprKind::Binary(BinOp::Sub, a, b) if strip(a) || strip(b));
    let numbers = |e: &tree::Expr| {
        let number = tree::Conversion::PtrToInt;
        matches!(e.kind, tree::ExprKind::PtrDiff(..))
            || matches!(&e.kind, tree::ExprKind::Convert { kind, .. } if *kind == number)
    };
    let labels = ast.exprs.iter().any(|e| matches!(e.kind, ExprKind::LabelAddr(_)));
    walker.distances = ast.exprs.iter().any(distance) || labels && unit.exprs.iter().any(numbers);
    for (item, own) in ast.items.iter().zip(own) {
        match item {
            Item::Decl(id) => walker.declare(*id, true),
            Item::Function(id) => {
                walker.bind(ast[*id].name, None);
                if *own {
                    walker.function(*id, !attributes.contains(&ast[*id].name));
                }
            }
            Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => {}
        }
    }
    walker.found
}

/// Is a type, or what it points to or is an array of, qualified with `restrict`?
fn says_restrict(unit: &Unit, mut ty: QTy) -> bool {
    loop {
        if ty.quals.has(csyntax::ast::Quals::RESTRICT) {
            return true;
        }
        match unit.types.kind(ty.ty) {
            TyKind::Pointer(to) | TyKind::Array(to, _) => ty = *to,
            TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Complex(_)
            | TyKind::Enum(_)
            | TyKind::Vector(..)
            | TyKind::Function(_)
            | TyKind::Record(_)
            | TyKind::VaList => return false,
        }
    }
}

/// Functions about which their attributes promise something that added code could break.
fn relied_on(ast: &Ast) -> FxHashSet<Symbol> {
    let promises = |attrs: &[csyntax::ast::Attribute]| {
        attrs.iter().any(|a| matches!(ast.names.name(a.name), "const" | "pure" | "naked"))
    };
    let mut names = FxHashSet::default();
    for item in &ast.items {
        match item {
            Item::Function(id) if promises(&ast[*id].attrs) => {
                names.insert(ast[*id].name);
            }
            Item::Decl(id) => {
                let decl = &ast[*id];
                let of = |d: &&csyntax::ast::Declarator| promises(&decl.attrs) || promises(&d.attrs);
                names.extend(decl.declarators.iter().filter(of).map(|d| d.name));
            }
            Item::Function(_) | Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => {}
        }
    }
    names
}

struct Walker<'a> {
    ast: &'a Ast,
    objects: FxHashMap<(Symbol, Span), ObjId>,
    globals: FxHashMap<Symbol, ObjId>,
    found: Places,
    scope: u32,
    fresh: u32,
    declaring: Option<StmtId>,
    /// Does it compute with distances between labels?
    distances: bool,
}

/// What stands around a statement.
#[derive(Copy, Clone)]
struct Around {
    parent: Option<StmtId>,
    in_block: bool,
    in_loop: bool,
    in_breakable: bool,
    in_expression: bool,
}

impl Walker<'_> {
    fn bind(&mut self, name: Symbol, object: Option<ObjId>) {
        let declared = self.declaring;
        self.found.scopes.push(Scope { outer: Some(self.scope), name, object, declared });
        self.scope = self.found.scopes.len() as u32 - 1;
    }

    fn declare(&mut self, id: DeclId, file_scope: bool) {
        let ast = self.ast;
        // Enumerators are names too.
        for node in visit::nodes(ast, Node::Decl(id)) {
            if let Node::Enum(id) = node {
                let names: Vec<Symbol> = ast[id].enumerators.iter().flatten().map(|e| e.name).collect();
                names.into_iter().for_each(|name| self.bind(name, None));
            }
        }
        let typedef = ast[id].storage.has(csyntax::ast::Storage::TYPEDEF);
        for d in &ast[id].declarators {
            let here = self.objects.get(&(d.name, d.span)).copied();
            let object = here.or_else(|| self.globals.get(&d.name).copied().filter(|_| file_scope));
            self.bind(d.name, object.filter(|_| !typedef));
            if let Some(object) = object.filter(|_| file_scope && !typedef) {
                self.found.file_scope.entry(object).or_insert(self.scope);
            }
        }
    }

    fn function(&mut self, id: csyntax::ast::FnId, live_edits: bool) {
        let ast = self.ast;
        let function = &ast[id];
        let outside = self.scope;
        let first = self.found.all.len();
        self.fresh = self.found.functions.len() as u32;
        let nodes = visit::nodes(ast, Node::Function(id));
        let mut nested = false;
        let mut jump_barriers = false;
        let mut labels = Vec::new();
        let mut type_restricts = |node: &Node| match node {
            Node::Type(ty) => ast[*ty].quals.has(csyntax::ast::Quals::RESTRICT),
            _ => false,
        };
        let restricted = nodes.iter().any(&mut type_restricts);
        self.found.restricted |= restricted;
        for node in &nodes {
            match node {
                Node::Stmt(s) => match &ast[*s].kind {
                    StmtKind::Label(name, ..) => labels.push(*name),
                    StmtKind::NestedFn(_) | StmtKind::LocalLabels(_) => nested = true,
                    _ => {}
                },
                Node::Expr(e) => jump_barriers |= matches!(ast[*e].kind, ExprKind::StmtExpr(_)),
                Node::Type(ty) => {
                    jump_barriers |= matches!(ast[*ty].kind, TypeKind::Array { size: csyntax::ast::ArraySize::Expr(e), .. }
                        if !matches!(ast[e].kind, ExprKind::Int { .. }));
                }
                _ => {}
            }
        }
        self.found.functions.push(Function {
            name: function.name,
            start: function.span.lo,
            outer: self.scope,
            effects: crate::purity::Effects::Some,
            labels,
            promises: Vec::new(),
            live_edits: live_edits && !nested && !self.distances,
            jump_barriers,
        });
        if nested {
            return;
        }
        if let TypeKind::Function { params: Params::Prototype { params, .. }, .. } = &ast[function.ty].kind {
            for param in params {
                if let Some(name) = param.name {
                    let object = self.objects.get(&(name, param.span)).copied();
                    self.bind(name, object);
                }
            }
        }
        function.kr_decls.iter().for_each(|&decl| self.declare(decl, false));
        let around = Around {
            parent: None,
            in_block: false,
            in_loop: false,
            in_breakable: false,
            in_expression: false,
        };
        self.statement(function.body, around);
        self.scope = outside;
        self.mark_removable(&nodes, first);
    }

    fn statement(&mut self, id: StmtId, around: Around) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.statement_inside(id, around));
    }

    fn statement_inside(&mut self, id: StmtId, around: Around) {
        let ast = self.ast;
        self.found.by_stmt.insert(id, self.found.all.len() as u32);
        self.found.spans.push(ast[id].span);
        self.found.all.push(Place {
            stmt: id,
            parent: around.parent,
            in_block: around.in_block,
            in_loop: around.in_loop,
            in_breakable: around.in_breakable,
            in_expression: around.in_expression,
            function: self.fresh,
            scope: self.scope,
            life: Life::Silent,
            removable: false,
        });
        let scope = self.scope;
        let mut below = Around { parent: Some(id), in_block: false, ..around };
        match &ast[id].kind {
            StmtKind::Compound(_) => below.in_block = true,
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => {
                (below.in_loop, below.in_breakable) = (true, true);
            }
            StmtKind::Switch(..) => below.in_breakable = true,
            StmtKind::Decl(decl) => {
                self.inner_blocks(id, below);
                self.declaring = Some(id);
                self.declare(*decl, false);
                self.declaring = None;
                return;
            }
            _ => {}
        }
        if let StmtKind::For { init: ForInit::Decl(decl), .. } = &ast[id].kind {
            self.declare(*decl, false);
        }
        self.inner_blocks(id, below);
        // Labels do not open scopes: a declaration cannot follow one directly in C11.
        self.scope = scope;
    }

    /// The statements directly inside, those of statement expressions among them.
    fn inner_blocks(&mut self, id: StmtId, below: Around) {
        let ast = self.ast;
        let mut inner = Vec::new();
        visit::walk(ast, Node::Stmt(id), |moment| match moment {
            Visit::Enter(Node::Stmt(s)) if s != id => {
                inner.push(s);
                Flow::Skip
            }
            Visit::Enter(Node::Function(_)) => Flow::Skip,
            Visit::Enter(_) | Visit::Leave(_) => Flow::Continue,
        });
        let direct: FxHashSet<StmtId> =
            visit::substatements_mut(&mut ast[id].kind.clone()).into_iter().map(|s| *s).collect();
        let mut governed = false;
        for s in inner {
            let own = direct.contains(&s);
            // The span of a declaration does not hold the attributes in front of it.
            if let StmtKind::Decl(decl) = &ast[s].kind {
                governed |= !ast[*decl].attrs.is_empty();
            }
            let around = Around {
                // What a pragma stands in front of must stay there.
                in_expression: below.in_expression || !own || governed,
                in_block: below.in_block && own,
                ..below
            };
            self.statement(s, around);
            governed = matches!(ast[s].kind, StmtKind::Pragma(_) | StmtKind::Attr(_));
        }
    }

    /// A statement may be removed if no label in it is used outside it, and no name it declares anywhere else.
    /// `nodes` are all of the function.
    fn mark_removable(&mut self, nodes: &[Node], first: usize) {
        let ast = self.ast;
        let mut label_uses: FxHashMap<Symbol, u32> = FxHashMap::default();
        let mut mentions: FxHashMap<Symbol, u32> = FxHashMap::default();
        for node in nodes {
            count(ast, *node, &mut label_uses, &mut mentions);
        }
        let mut labelled = vec![false; self.found.all.len() - first];
        for index in first..self.found.all.len() {
            if !matches!(ast[self.found.all[index].stmt].kind, StmtKind::Label(..)) {
                continue;
            }
            let mut around = Some(index);
            while let Some(holder) = around.filter(|holder| !labelled[*holder - first]) {
                labelled[holder - first] = true;
                around = self.found.all[holder].parent.and_then(|parent| self.found.index(parent));
            }
        }
        for index in first..self.found.all.len() {
            let stmt = self.found.all[index].stmt;
            let kind = &ast[stmt].kind;
            let fit = !self.found.all[index].in_expression
                && self.found.all[index].parent.is_some()
                && !matches!(
                    kind,
                    StmtKind::LocalLabels(_) | StmtKind::NestedFn(_) | StmtKind::StaticAssert(..)
                );
            if !fit {
                continue;
            }
            let unused = match kind {
                StmtKind::Decl(decl) => self.unused(*decl, &mentions),
                _ => true,
            };
            let closed = unused && (!labelled[index - first] || closed(ast, stmt, &label_uses));
            self.found.all[index].removable = closed;
        }
    }

    /// Does a declaration declare nothing that is mentioned outside it, so often as `mentions` has it in all?
    fn unused(&self, id: DeclId, mentions: &FxHashMap<Symbol, u32>) -> bool {
        let (ast, decl) = (self.ast, &self.ast[id]);
        if decl.storage.has(csyntax::ast::Storage::TYPEDEF) {
            return false;
        }
        let names: Vec<Symbol> = decl.declarators.iter().map(|d| d.name).collect();
        let mut inside = vec![0u32; names.len()];
        for node in visit::nodes(ast, Node::Decl(id)) {
            match node {
                // Tags and enumerators are not followed.
                Node::Record(_) | Node::Enum(_) => return false,
                Node::Expr(e) => {
                    if let ExprKind::Ident(name) = ast[e].kind {
                        let own = names.iter().zip(&mut inside).filter(|(own, _)| **own == name);
                        own.for_each(|(_, count)| *count += 1);
                    }
                }
                Node::Stmt(_) | Node::Type(_) | Node::Init(_) | Node::Decl(_) | Node::Function(_) => {}
            }
        }
        names.iter().zip(inside).all(|(name, inside)| mentions.get(name).copied().unwrap_or(0) == inside)
    }
}

/// Are the labels in a statement used nowhere outside it, so often as `uses` has it in all?
fn closed(ast: &Ast, stmt: StmtId, uses: &FxHashMap<Symbol, u32>) -> bool {
    let (mut inside, mut mentions, mut labels) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
    for node in visit::nodes(ast, Node::Stmt(stmt)) {
        count(ast, node, &mut inside, &mut mentions);
        if let Node::Stmt(s) = node
            && let StmtKind::Label(name, ..) = &ast[s].kind
        {
            labels.push(*name);
        }
    }
    labels.iter().all(|l| uses.get(l) == inside.get(l))
}

fn count(ast: &Ast, node: Node, labels: &mut FxHashMap<Symbol, u32>, mentions: &mut FxHashMap<Symbol, u32>) {
    match node {
        Node::Stmt(s) => match &ast[s].kind {
            StmtKind::Goto(name) => *labels.entry(*name).or_default() += 1,
            StmtKind::Asm(asm) => asm.labels.iter().for_each(|l| *labels.entry(*l).or_default() += 1),
            _ => {}
        },
        Node::Expr(e) => match &ast[e].kind {
            ExprKind::LabelAddr(name) => *labels.entry(*name).or_default() += 1,
            ExprKind::Ident(name) => *mentions.entry(*name).or_default() += 1,
            _ => {}
        },
        _ => {}
    }
}
