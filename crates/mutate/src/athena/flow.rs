//! Control-flow graphs of function bodies as they would be after some edits: a node a statement, an edge wherever
//! control may pass from one to another.

use csyntax::ast::{Ast, StmtId, StmtKind};
use csyntax::intern::Symbol;
use rustc_hash::FxHashMap;

/// A graph whose nodes are numbers that mean the same statement in every variant.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The nodes, none twice.
    pub nodes: Vec<u64>,
    /// The edges, some perhaps twice.
    pub edges: Vec<(u64, u64)>,
}

/// The shape of an inserted statement: nodes `0..nodes`, entered at 0.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// How many nodes.
    pub nodes: u32,
    /// Edges between them.
    pub edges: Vec<(u32, u32)>,
    /// Those from which control goes on behind it.
    pub exits: Vec<u32>,
}

/// What edits make of a statement.
pub trait Overlay {
    /// Is it replaced by an empty one?
    fn removed(&self, stmt: StmtId) -> bool;
    /// Number and shape of each statement put before it, in order.
    fn before(&self, stmt: StmtId) -> Vec<(u32, &Shape)>;
}

/// No edit.
pub struct Unchanged;

impl Overlay for Unchanged {
    fn removed(&self, _: StmtId) -> bool {
        false
    }

    fn before(&self, _: StmtId) -> Vec<(u32, &Shape)> {
        Vec::new()
    }
}

/// The node of an empty statement that stands for a removed one.
const HOLE: u64 = 1 << 40;
/// The first node of inserted statements.
const INSERTED: u64 = 1 << 41;

/// Is a node a statement of the seed, and so one of its graph?
pub fn is_own(node: u64) -> bool {
    node < HOLE
}

/// The graph of a statement.
pub fn flow(ast: &Ast, body: StmtId, overlay: &dyn Overlay) -> Flow {
    let mut builder = Builder {
        ast,
        overlay,
        flow: Flow::default(),
        labels: FxHashMap::default(),
        gotos: Vec::new(),
        around: Vec::new(),
    };
    builder.statement(body, Vec::new());
    for (from, label) in std::mem::take(&mut builder.gotos) {
        if let Some(to) = builder.labels.get(&label) {
            builder.flow.edges.push((from, *to));
        }
    }
    builder.flow
}

/// The shape of a statement that is to be inserted elsewhere.
pub fn shape(ast: &Ast, stmt: StmtId) -> Shape {
    let mut builder = Builder {
        ast,
        overlay: &Unchanged,
        flow: Flow::default(),
        labels: FxHashMap::default(),
        gotos: Vec::new(),
        around: Vec::new(),
    };
    let exits = builder.statement(stmt, Vec::new());
    for (from, label) in std::mem::take(&mut builder.gotos) {
        if let Some(to) = builder.labels.get(&label) {
            builder.flow.edges.push((from, *to));
        }
    }
    let numbers: FxHashMap<u64, u32> =
        builder.flow.nodes.iter().enumerate().map(|(k, node)| (*node, k as u32)).collect();
    let number = |node: &u64| numbers.get(node).copied().unwrap_or(0);
    Shape {
        nodes: builder.flow.nodes.len() as u32,
        edges: builder.flow.edges.iter().map(|(a, b)| (number(a), number(b))).collect(),
        exits: exits.iter().map(number).collect(),
    }
}

/// A loop or switch around the statement.
#[derive(Default)]
struct Around {
    /// Where `continue` goes; `None` in a switch.
    head: Option<u64>,
    /// Where cases come from.
    switch: Option<u64>,
    breaks: Vec<u64>,
}

struct Builder<'a> {
    ast: &'a Ast,
    overlay: &'a dyn Overlay,
    flow: Flow,
    labels: FxHashMap<Symbol, u64>,
    gotos: Vec<(u64, Symbol)>,
    around: Vec<Around>,
}

impl Builder<'_> {
    fn node(&mut self, node: u64, from: &[u64]) {
        self.flow.nodes.push(node);
        self.flow.edges.extend(from.iter().map(|f| (*f, node)));
    }

    /// Adds a statement reached from `from`; gives the nodes from which control goes on behind it.
    fn statement(&mut self, stmt: StmtId, from: Vec<u64>) -> Vec<u64> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.inside(stmt, from))
    }

    fn inside(&mut self, stmt: StmtId, mut from: Vec<u64>) -> Vec<u64> {
        for (serial, shape) in self.overlay.before(stmt) {
            let base = INSERTED + (u64::from(serial) << 16);
            for k in 0..shape.nodes {
                self.flow.nodes.push(base + u64::from(k));
            }
            self.flow.edges.extend(from.iter().map(|f| (*f, base)));
            self.flow
                .edges
                .extend(shape.edges.iter().map(|(a, b)| (base + u64::from(*a), base + u64::from(*b))));
            from = shape.exits.iter().map(|k| base + u64::from(*k)).collect();
        }
        let own = u64::from(stmt.0);
        if self.overlay.removed(stmt) {
            self.node(HOLE + own, &from);
            return only(from, HOLE + own);
        }
        let ast = self.ast;
        match &ast[stmt].kind {
            StmtKind::Compound(items) => items.iter().fold(from, |from, item| self.statement(*item, from)),
            StmtKind::If(_, then, otherwise) => {
                self.node(own, &from);
                let mut out = self.statement(*then, only(from, own));
                match otherwise {
                    Some(otherwise) => out.extend(self.statement(*otherwise, vec![own])),
                    None => out.push(own),
                }
                out
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => {
                self.node(own, &from);
                self.around.push(Around { head: Some(own), ..Around::default() });
                let mut out = self.statement(*body, only(from, own));
                self.flow.edges.extend(out.iter().map(|back| (*back, own)));
                out.clear();
                out.extend(self.around.pop().into_iter().flat_map(|around| around.breaks));
                out.push(own);
                out
            }
            StmtKind::Switch(_, body) => {
                self.node(own, &from);
                self.around.push(Around { switch: Some(own), ..Around::default() });
                let mut out = self.statement(*body, Vec::new());
                out.extend(self.around.pop().map_or(Vec::new(), |around| around.breaks));
                out.push(own);
                out
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) => {
                let head = self.around.iter().rev().find_map(|around| around.switch);
                from.extend(head);
                self.node(own, &from);
                self.statement(*body, only(from, own))
            }
            StmtKind::Label(name, _, body) => {
                self.node(own, &from);
                self.labels.insert(*name, own);
                self.statement(*body, only(from, own))
            }
            StmtKind::Goto(name) => {
                self.node(own, &from);
                self.gotos.push((own, *name));
                Vec::new()
            }
            StmtKind::Break => {
                self.node(own, &from);
                if let Some(around) = self.around.last_mut() {
                    around.breaks.push(own);
                }
                Vec::new()
            }
            StmtKind::Continue => {
                self.node(own, &from);
                if let Some(head) = self.around.iter().rev().find_map(|around| around.head) {
                    self.flow.edges.push((own, head));
                }
                Vec::new()
            }
            StmtKind::Return(_) | StmtKind::GotoPtr(_) => {
                self.node(own, &from);
                Vec::new()
            }
            StmtKind::Expr(_)
            | StmtKind::Null
            | StmtKind::Decl(_)
            | StmtKind::NestedFn(_)
            | StmtKind::LocalLabels(_)
            | StmtKind::StaticAssert(..)
            | StmtKind::Asm(_)
            | StmtKind::Attr(_)
            | StmtKind::Pragma(_)
            | StmtKind::Error => {
                self.node(own, &from);
                only(from, own)
            }
        }
    }
}

/// The list with nothing but this node in it.
fn only(mut list: Vec<u64>, node: u64) -> Vec<u64> {
    list.clear();
    list.push(node);
    list
}
