//! The statements of a seed: where they stand, whether they ran, what may be done to them.

use crate::edit::Site;
use crate::seed::Point;
use csyntax::ast::{Ast, BinOp, DeclId, ExprKind, ForInit, Item, Params, StmtId, StmtKind, TypeKind};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use csyntax::tree::{ObjId, Unit};
use csyntax::visit::{self, Flow, Node, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

/// Did a statement run?
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Life {
    /// It, or something in it, ran.
    Live,
    /// Neither it nor anything in it ran.
    Dead,
    /// It leaves no trace of its own (`;`, `{}`): as what is around it.
    Silent,
}

/// A statement of a function body of the user's.
#[derive(Clone, Debug)]
pub struct Place {
    /// The statement.
    pub stmt: StmtId,
    /// The statement around it; `None` for a function's body.
    pub parent: Option<StmtId>,
    /// Directly in a block?
    pub in_block: bool,
    /// Is it inside a loop, and inside a loop or switch (where `continue` and `break` may stand)?
    pub in_loop: bool,
    /// See `in_loop`.
    pub in_breakable: bool,
    /// Inside a statement expression: left alone but for the whole.
    pub in_expression: bool,
    /// Its function.
    pub function: u32,
    /// The names visible where it begins, as an index into [`Places::scopes`].
    pub scope: u32,
    /// Filled in by the profile.
    pub life: Life,
    /// May it be taken out (labels and declarations it holds are of no use elsewhere)?
    pub removable: bool,
}

/// One visible name, and those visible before it.
#[derive(Copy, Clone, Debug)]
pub struct Scope {
    /// The names visible before.
    pub outer: Option<u32>,
    /// The name.
    pub name: Symbol,
    /// The object it means, if it means one that no edit can take away.
    pub object: Option<ObjId>,
    /// The statement that declares it, in a block.
    declared: Option<StmtId>,
}

/// A parameter that may be called `restrict`.
#[derive(Copy, Clone, Debug)]
pub struct Promise {
    /// Where its name stands.
    pub at: u32,
}

/// A function of the user's.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Where its definition begins.
    pub start: u32,
    /// The scope around it.
    pub outer: u32,
    /// Labels that no edit takes away.
    pub labels: Vec<Symbol>,
    /// May live code be added (not in `const`/`pure` functions, whose callers rely on them)?
    pub live_edits: bool,
    /// What it does beside giving a value.
    pub effects: crate::purity::Effects,
    /// Parameters that may be called `restrict`: then only edits that touch no object with an address are open to it.
    pub promises: Vec<Promise>,
    /// Does it hold variable-length arrays or statement expressions, into whose scope no jump may lead?
    pub jump_barriers: bool,
}

/// All statements of the user's functions in pre-order.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The statements.
    pub all: Vec<Place>,
    /// The functions.
    pub functions: Vec<Function>,
    /// Chains of visible names; scope 0 is the empty one.
    pub scopes: Vec<Scope>,
    /// Objects of file scope: the scope from which on each is visible, unless hidden.
    pub file_scope: FxHashMap<ObjId, u32>,
    /// Does any function use `restrict`, so that touching objects with addresses could be undefined?
    pub restricted: bool,
    /// Does the program jump out of functions, so that changed locals would be indeterminate?
    pub long_jumps: bool,
    by_stmt: FxHashMap<StmtId, u32>,
    spans: Vec<Span>,
}

impl Places {
    /// The place of a statement, if it is one of the user's.
    pub fn get(&self, stmt: StmtId) -> Option<&Place> {
        self.by_stmt.get(&stmt).map(|&index| &self.all[index as usize])
    }

    /// The index of a statement's place.
    pub fn index(&self, stmt: StmtId) -> Option<usize> {
        self.by_stmt.get(&stmt).map(|&index| index as usize)
    }

    /// The bodies of the functions, in their order; of those left alone there is none.
    pub fn bodies(&self) -> Vec<Option<StmtId>> {
        let mut bodies = vec![None; self.functions.len()];
        for place in self.all.iter().rev().filter(|p| p.parent.is_none()) {
            bodies[place.function as usize] = Some(place.stmt);
        }
        bodies
    }

    /// Could touching an object with an address at a place break what a `restrict` says?
    pub fn guarded(&self, place: &Place) -> bool {
        self.restricted || !self.functions[place.function as usize].promises.is_empty()
    }

    /// What the splicer needs.
    pub fn site(&self, stmt: StmtId) -> Option<Site> {
        let index = *self.by_stmt.get(&stmt)? as usize;
        let place = &self.all[index];
        let function = self.functions[place.function as usize].start;
        Some(Site { span: self.spans[index], in_block: place.in_block, function })
    }

    /// The object that `name` means in a scope: `None` if nothing, `Some(None)` if something that is no object.
    pub fn resolve(&self, scope: u32, name: Symbol) -> Option<Option<ObjId>> {
        self.visible(scope).find(|s| s.name == name).map(|s| s.object)
    }

    /// The visible names of a scope, innermost first; hidden ones come too.
    pub fn visible(&self, scope: u32) -> impl Iterator<Item = &Scope> {
        let mut at = self.scopes.get(scope as usize);
        std::iter::from_fn(move || {
            let this = at?;
            at = this.outer.and_then(|outer| self.scopes.get(outer as usize));
            Some(this)
        })
        .filter(|s| s.name.0 != u32::MAX)
    }

    /// The names of file scope and where each enters, in no order; of one declared again, each time.
    pub fn file_names(&self) -> impl Iterator<Item = (u32, &Scope)> {
        let last = self.functions.iter().map(|f| f.outer).max();
        let mut at = last;
        std::iter::from_fn(move || {
            let here = at?;
            let scope = self.scopes.get(here as usize)?;
            at = scope.outer;
            Some((here, scope))
        })
        .filter(|(_, s)| s.name.0 != u32::MAX)
    }

    /// Decides which statements ran (bottom-up: children come after their parents).
    pub fn mark_dead(&mut self, ast: &Ast, points: &FxHashMap<StmtId, Point>) {
        for index in (0..self.all.len()).rev() {
            let stmt = self.all[index].stmt;
            let own = points.get(&stmt).map(|p| p.count > 0);
            let mut life = match own {
                Some(true) => Life::Live,
                Some(false) => Life::Dead,
                None => Life::Silent,
            };
            let mut inner = Vec::new();
            visit::walk(ast, Node::Stmt(stmt), |moment| match moment {
                Visit::Enter(Node::Stmt(id)) if id != stmt => {
                    inner.push(id);
                    Flow::Skip
                }
                Visit::Enter(_) | Visit::Leave(_) => Flow::Continue,
            });
            let labelled =
                matches!(ast[stmt].kind, StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_));
            for id in inner {
                let below = self.get(id).map_or(Life::Live, |place| place.life);
                life = match (life, below) {
                    (Life::Live, _) | (_, Life::Live) => Life::Live,
                    // A jump to a label in front of nothing leaves no trace.
                    (_, Life::Silent) if labelled => Life::Live,
                    (Life::Silent, below) => below,
                    (Life::Dead, Life::Dead | Life::Silent) => Life::Dead,
                };
            }
            self.all[index].life = life;
        }
        self.keep_lasting_labels(ast);
        // What a removable declaration declares is not used elsewhere, and must not be by added code.
        for index in 0..self.scopes.len() {
            let declared = self.scopes[index].declared.and_then(|stmt| self.get(stmt));
            if declared.is_some_and(|place| place.life == Life::Dead && place.removable) {
                self.scopes[index].object = None;
            }
        }
    }

    /// Labels that some variant may lose with the dead statement around them are no targets for added jumps.
    fn keep_lasting_labels(&mut self, ast: &Ast) {
        let mut lasting: Vec<Vec<Symbol>> = vec![Vec::new(); self.functions.len()];
        let mut lost = 0;
        for (place, span) in self.all.iter().zip(&self.spans) {
            if place.life == Life::Dead && place.removable {
                lost = lost.max(span.hi);
            }
            if let StmtKind::Label(name, ..) = &ast[place.stmt].kind
                && span.lo >= lost
            {
                lasting[place.function as usize].push(*name);
            }
        }
        for (function, labels) in self.functions.iter_mut().zip(lasting) {
            function.labels = labels;
        }
    }
}

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
    walker.found.long_jumps = jumps.iter().any(|name| ast.names.lookup(name).is_some());
    let attributes = relied_on(ast);
    // Distances between labels are numbers that every edit changes.
    let strip = |mut e: csyntax::ast::ExprId| {
        while let ExprKind::Cast(_, inner) = ast[e].kind {
            e = inner;
        }
        matches!(ast[e].kind, ExprKind::LabelAddr(_))
    };
    let distance =
        |e: &csyntax::ast::Expr| matches!(e.kind, ExprKind::Binary(BinOp::Sub, a, b) if strip(a) || strip(b));
    walker.distances = ast.exprs.iter().any(distance);
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
        self.mark_removable(id, first);
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
    fn mark_removable(&mut self, id: csyntax::ast::FnId, first: usize) {
        let ast = self.ast;
        let mut label_uses: FxHashMap<Symbol, u32> = FxHashMap::default();
        let mut mentions: FxHashMap<Symbol, u32> = FxHashMap::default();
        for node in visit::nodes(ast, Node::Function(id)) {
            count(ast, node, &mut label_uses, &mut mentions);
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
            let mut declared = Vec::new();
            if let StmtKind::Decl(decl) = kind {
                // Tags and enumerators are not followed.
                let tags = visit::nodes(ast, Node::Decl(*decl));
                if tags.iter().any(|n| matches!(n, Node::Record(_) | Node::Enum(_))) {
                    continue;
                }
                let decl = &ast[*decl];
                if decl.storage.has(csyntax::ast::Storage::TYPEDEF) {
                    continue;
                }
                declared.extend(decl.declarators.iter().map(|d| d.name));
            }
            let (mut inside, mut names, mut labels) =
                (FxHashMap::default(), FxHashMap::default(), Vec::new());
            for node in visit::nodes(ast, Node::Stmt(stmt)) {
                count(ast, node, &mut inside, &mut names);
                if let Node::Stmt(s) = node
                    && let StmtKind::Label(name, ..) = &ast[s].kind
                {
                    labels.push(*name);
                }
            }
            let closed = labels.iter().all(|l| label_uses.get(l) == inside.get(l));
            let unused = declared.iter().all(|d| mentions.get(d) == names.get(d));
            self.found.all[index].removable = closed && unused;
        }
    }
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
