//! Control-flow graphs of function bodies as they would be after some edits: a node a statement, an edge wherever
//! control may pass from one to another.

use csyntax::ast::{Ast, StmtId, StmtKind};
use csyntax::intern::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

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

/// The graph of a statement, counted whole.
#[cfg(test)]
fn flow(ast: &Ast, body: StmtId, overlay: &dyn Overlay) -> Flow {
    let mut builder = Builder::new(ast, overlay);
    builder.statement(body, &mut Vec::new());
    builder.jumps();
    builder.flow
}

/// The shape of a statement that is to be inserted elsewhere.
pub fn shape(ast: &Ast, stmt: StmtId) -> Shape {
    let mut builder = Builder::new(ast, &Unchanged);
    let mut exits = Vec::new();
    builder.statement(stmt, &mut exits);
    builder.jumps();
    let numbers: FxHashMap<u64, u32> =
        builder.flow.nodes.iter().enumerate().map(|(k, node)| (*node, k as u32)).collect();
    let number = |node: &u64| numbers.get(node).copied().unwrap_or(0);
    Shape {
        nodes: builder.flow.nodes.len() as u32,
        edges: builder.flow.edges.iter().map(|(a, b)| (number(a), number(b))).collect(),
        exits: exits.iter().map(number).collect(),
    }
}

/// What the statement of a seed adds to a graph where no edit touches it.
#[derive(Clone, Debug, Default)]
struct Part {
    nodes: usize,
    /// Edges of its own: not those by which control comes to it or goes on behind it, nor those of `goto`.
    edges: usize,
    /// The node where it is entered; `None` if it has none.
    entry: Option<u64>,
    /// Those from which control goes on behind it.
    exits: Box<[u64]>,
    /// Those that leave the statement around it.
    breaks: Box<[u64]>,
    /// Its labels, as a part of [`Whole::labels`].
    labels: (u32, u32),
    /// Its jumps, as a part of [`Whole::gotos`].
    gotos: (u32, u32),
}

/// What the items of a block before one add.
#[derive(Copy, Clone, Default, Debug)]
struct Sum {
    nodes: usize,
    /// Their own edges.
    edges: usize,
    /// Edges by which control comes to one from another of them.
    links: usize,
    /// How many of the block's breaks are theirs.
    breaks: usize,
    /// The last of them that has a node, and one.
    last: usize,
}

/// The graph of a function of a seed, with what each statement adds to it: the graph of a variant is put together of
/// what its edits touch and of these.
#[derive(Debug, Default)]
pub struct Whole {
    /// By statements from `first` on.
    parts: Vec<Option<Part>>,
    first: u32,
    /// Of each block, sums over its items before each, and over all.
    sums: FxHashMap<StmtId, Vec<Sum>>,
    labels: Vec<(Symbol, u64)>,
    gotos: Vec<(u64, Symbol)>,
    /// How many nodes it has.
    pub nodes: usize,
    /// Its edges in order, none twice.
    pub edges: Vec<(u64, u64)>,
}

impl Whole {
    /// Of a function's body.
    pub fn of(ast: &Ast, body: StmtId) -> Whole {
        let mut builder = Builder { parts: Some(Vec::new()), ..Builder::new(ast, &Unchanged) };
        builder.statement(body, &mut Vec::new());
        builder.jumps();
        let Builder { flow, labels, gotos, parts: found, .. } = builder;
        let found = found.unwrap_or_default();
        let first = found.iter().map(|(stmt, _)| stmt.0).min().unwrap_or(0);
        let mut parts = Vec::new();
        for (stmt, part) in found {
            let index = (stmt.0 - first) as usize;
            if parts.len() <= index {
                parts.resize(index + 1, None);
            }
            parts[index] = Some(part);
        }
        let mut whole = Whole {
            parts,
            first,
            sums: FxHashMap::default(),
            labels,
            gotos,
            nodes: flow.nodes.len(),
            edges: distinct(flow.edges),
        };
        for index in 0..whole.parts.len() {
            let stmt = StmtId(first + index as u32);
            if let (Some(_), StmtKind::Compound(items)) = (&whole.parts[index], &ast[stmt].kind) {
                let sums = whole.sums_of(items);
                whole.sums.insert(stmt, sums);
            }
        }
        whole
    }

    fn sums_of(&self, items: &[StmtId]) -> Vec<Sum> {
        let (mut sums, mut sum) = (vec![Sum::default()], Sum::default());
        for (index, item) in items.iter().enumerate() {
            if let Some(part) = self.part(*item) {
                sum.nodes += part.nodes;
                sum.edges += part.edges;
                sum.breaks += part.breaks.len();
                if part.entry.is_some() {
                    let before = sum.last.checked_sub(1).and_then(|last| self.part(items[last]));
                    let mut from: Vec<u64> = before.map_or(Vec::new(), |part| part.exits.to_vec());
                    from.sort_unstable();
                    from.dedup();
                    sum.links += from.len();
                    sum.last = index + 1;
                }
            }
            sums.push(sum);
        }
        sums
    }

    fn part(&self, stmt: StmtId) -> Option<&Part> {
        self.parts.get(stmt.0.checked_sub(self.first)? as usize)?.as_ref()
    }
}

/// How large a variant's graph of a function is, and what of it is the seed's too.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Its nodes.
    pub nodes: usize,
    /// Its edges.
    pub edges: usize,
    /// Nodes of the seed among them.
    pub common_nodes: usize,
    /// Edges of the seed among them.
    pub common_edges: usize,
}

/// Counts the graph of a function as edits make it. `touched` says whether there are any at a statement or in it.
pub fn count(
    ast: &Ast,
    body: StmtId,
    overlay: &dyn Overlay,
    whole: &Whole,
    touched: &FxHashSet<StmtId>,
) -> Counts {
    let mut builder = Builder { rest: Some((whole, touched)), ..Builder::new(ast, overlay) };
    builder.statement(body, &mut Vec::new());
    builder.jumps();
    let Builder { flow, left_out: (nodes, edges), .. } = builder;
    let own = flow.nodes.iter().filter(|node| is_own(**node)).count();
    let here = distinct(flow.edges);
    let common = here.iter().filter(|edge| whole.edges.binary_search(edge).is_ok()).count();
    Counts {
        nodes: nodes + flow.nodes.len(),
        edges: edges + here.len(),
        common_nodes: nodes + own,
        common_edges: edges + common,
    }
}

fn distinct(mut edges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    edges.sort_unstable();
    edges.dedup();
    edges
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
    labels: Vec<(Symbol, u64)>,
    gotos: Vec<(u64, Symbol)>,
    around: Vec<Around>,
    /// What each statement adds, if that is wanted.
    parts: Option<Vec<(StmtId, Part)>>,
    /// What is known of untouched statements, and which are touched.
    rest: Option<(&'a Whole, &'a FxHashSet<StmtId>)>,
    /// Nodes and edges that untouched statements add and that are not in `flow`.
    left_out: (usize, usize),
}

impl<'a> Builder<'a> {
    fn new(ast: &'a Ast, overlay: &'a dyn Overlay) -> Builder<'a> {
        Builder {
            ast,
            overlay,
            flow: Flow::default(),
            labels: Vec::new(),
            gotos: Vec::new(),
            around: Vec::new(),
            parts: None,
            rest: None,
            left_out: (0, 0),
        }
    }

    /// Adds the edges of `goto`.
    fn jumps(&mut self) {
        if self.gotos.is_empty() {
            return;
        }
        let labels: FxHashMap<Symbol, u64> = self.labels.iter().copied().collect();
        let edge = |(from, label): &(u64, Symbol)| Some((*from, *labels.get(label)?));
        self.flow.edges.extend(self.gotos.iter().filter_map(edge));
    }

    /// Adds a node reached from `from`; then it is what control comes from.
    fn step(&mut self, node: u64, from: &mut Vec<u64>) {
        self.flow.nodes.push(node);
        self.flow.edges.extend(from.iter().map(|f| (*f, node)));
        from.clear();
        from.push(node);
    }

    /// Adds a statement reached from `from`, which becomes the nodes from which control goes on behind it.
    fn statement(&mut self, stmt: StmtId, from: &mut Vec<u64>) {
        if let Some((whole, touched)) = self.rest
            && let Some(part) = whole.part(stmt)
            && !touched.contains(&stmt)
        {
            self.untouched(whole, part, from);
        } else if self.parts.is_some() {
            self.recorded(stmt, from);
        } else {
            stacker::maybe_grow(64 << 10, 1 << 20, || self.inside(stmt, from));
        }
    }

    fn untouched(&mut self, whole: &Whole, part: &Part, from: &mut Vec<u64>) {
        let range = |(lo, hi): (u32, u32)| lo as usize..hi as usize;
        self.left_out.0 += part.nodes;
        self.left_out.1 += part.edges;
        self.labels.extend_from_slice(&whole.labels[range(part.labels)]);
        self.gotos.extend_from_slice(&whole.gotos[range(part.gotos)]);
        if let Some(around) = self.around.last_mut() {
            around.breaks.extend_from_slice(&part.breaks);
        }
        if let Some(entry) = part.entry {
            self.flow.edges.extend(from.iter().map(|f| (*f, entry)));
            from.clear();
            from.extend_from_slice(&part.exits);
        }
    }

    /// The items of a block, of which untouched neighbours count as one.
    fn items(&mut self, block: StmtId, items: &[StmtId], from: &mut Vec<u64>) {
        let known = self
            .rest
            .and_then(|(whole, touched)| Some((whole, touched, whole.sums.get(&block)?, whole.part(block)?)));
        let Some((whole, touched, sums, part)) = known else {
            items.iter().for_each(|item| self.statement(*item, from));
            return;
        };
        let mut at = 0;
        while let Some(item) = items.get(at) {
            if touched.contains(item) {
                self.statement(*item, from);
                at += 1;
                continue;
            }
            let count = items[at..].iter().take_while(|item| !touched.contains(item)).count();
            let (lo, hi) = (sums[at], sums[at + count]);
            let (Some(head), Some(tail)) = (whole.part(items[at]), whole.part(items[at + count - 1])) else {
                self.statement(*item, from);
                at += 1;
                continue;
            };
            let range = |lo: u32, hi: u32| lo as usize..hi as usize;
            self.labels.extend_from_slice(&whole.labels[range(head.labels.0, tail.labels.1)]);
            self.gotos.extend_from_slice(&whole.gotos[range(head.gotos.0, tail.gotos.1)]);
            if let Some(around) = self.around.last_mut() {
                around.breaks.extend_from_slice(&part.breaks[lo.breaks..hi.breaks]);
            }
            // Where the first of them is entered that has a node, and how often control passes between them.
            let first = (at..at + count).find(|k| sums[k + 1].last == k + 1);
            if let Some(first) = first
                && let Some(entry) = whole.part(items[first]).and_then(|part| part.entry)
                && let Some(last) = whole.part(items[hi.last - 1])
            {
                self.left_out.0 += hi.nodes - lo.nodes;
                self.left_out.1 += hi.edges - lo.edges + hi.links - sums[first + 1].links;
                self.flow.edges.extend(from.iter().map(|f| (*f, entry)));
                from.clear();
                from.extend_from_slice(&last.exits);
            }
            at += count;
        }
    }

    /// As [`Builder::statement`], and notes what it adds.
    fn recorded(&mut self, stmt: StmtId, from: &mut Vec<u64>) {
        let (nodes, edges) = (self.flow.nodes.len(), self.flow.edges.len());
        let (labels, gotos) = (self.labels.len() as u32, self.gotos.len() as u32);
        let breaks = self.around.last().map_or(0, |around| around.breaks.len());
        let entered = from.len();
        stacker::maybe_grow(64 << 10, 1 << 20, || self.inside(stmt, from));
        let entry = self.flow.nodes.get(nodes).copied();
        let own = if entry.is_some() { self.flow.edges[edges + entered..].to_vec() } else { Vec::new() };
        let part = Part {
            nodes: self.flow.nodes.len() - nodes,
            edges: distinct(own).len(),
            entry,
            exits: from.as_slice().into(),
            breaks: self.around.last().map_or(Box::default(), |around| around.breaks[breaks..].into()),
            labels: (labels, self.labels.len() as u32),
            gotos: (gotos, self.gotos.len() as u32),
        };
        if let Some(parts) = &mut self.parts {
            parts.push((stmt, part));
        }
    }

    fn inside(&mut self, stmt: StmtId, from: &mut Vec<u64>) {
        for (serial, shape) in self.overlay.before(stmt) {
            let base = INSERTED + (u64::from(serial) << 16);
            for k in 0..shape.nodes {
                self.flow.nodes.push(base + u64::from(k));
            }
            self.flow.edges.extend(from.iter().map(|f| (*f, base)));
            self.flow
                .edges
                .extend(shape.edges.iter().map(|(a, b)| (base + u64::from(*a), base + u64::from(*b))));
            from.clear();
            from.extend(shape.exits.iter().map(|k| base + u64::from(*k)));
        }
        let own = u64::from(stmt.0);
        if self.overlay.removed(stmt) {
            self.step(HOLE + own, from);
            return;
        }
        let ast = self.ast;
        match &ast[stmt].kind {
            StmtKind::Compound(items) => self.items(stmt, items, from),
            StmtKind::If(_, then, otherwise) => {
                self.step(own, from);
                self.statement(*then, from);
                let mut other = vec![own];
                if let Some(otherwise) = otherwise {
                    self.statement(*otherwise, &mut other);
                }
                from.append(&mut other);
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => {
                self.step(own, from);
                self.around.push(Around { head: Some(own), ..Around::default() });
                self.statement(*body, from);
                self.flow.edges.extend(from.iter().map(|back| (*back, own)));
                from.clear();
                from.extend(self.around.pop().into_iter().flat_map(|around| around.breaks));
                from.push(own);
            }
            StmtKind::Switch(_, body) => {
                self.step(own, from);
                self.around.push(Around { switch: Some(own), ..Around::default() });
                from.clear();
                self.statement(*body, from);
                from.extend(self.around.pop().into_iter().flat_map(|around| around.breaks));
                from.push(own);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) => {
                from.extend(self.around.iter().rev().find_map(|around| around.switch));
                self.step(own, from);
                self.statement(*body, from);
            }
            StmtKind::Label(name, _, body) => {
                self.labels.push((*name, own));
                self.step(own, from);
                self.statement(*body, from);
            }
            StmtKind::Goto(name) => {
                self.step(own, from);
                self.gotos.push((own, *name));
                from.clear();
            }
            StmtKind::Break => {
                self.step(own, from);
                if let Some(around) = self.around.last_mut() {
                    around.breaks.push(own);
                }
                from.clear();
            }
            StmtKind::Continue => {
                self.step(own, from);
                if let Some(head) = self.around.iter().rev().find_map(|around| around.head) {
                    self.flow.edges.push((own, head));
                }
                from.clear();
            }
            StmtKind::Return(_) | StmtKind::GotoPtr(_) => {
                self.step(own, from);
                from.clear();
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
            | StmtKind::Error => self.step(own, from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Overlay, Shape, Whole, count, distinct, flow, is_own};
    use crate::choices::Choices;
    use csyntax::ast::{Ast, Item, StmtId, StmtKind};
    use csyntax::visit::{Node, Visit, stmts};
    use rustc_hash::FxHashSet;

    struct Edits {
        removed: FxHashSet<StmtId>,
        before: Vec<(StmtId, u32, Shape)>,
    }

    impl Overlay for Edits {
        fn removed(&self, stmt: StmtId) -> bool {
            self.removed.contains(&stmt)
        }

        fn before(&self, stmt: StmtId) -> Vec<(u32, &Shape)> {
            self.before.iter().filter(|b| b.0 == stmt).map(|b| (b.1, &b.2)).collect()
        }
    }

    /// Statements at which there is an edit, and those around them.
    fn touched(ast: &Ast, body: StmtId, edits: &Edits) -> FxHashSet<StmtId> {
        let (mut open, mut touched) = (Vec::new(), FxHashSet::default());
        csyntax::visit::walk(ast, Node::Stmt(body), |moment| {
            match moment {
                Visit::Enter(Node::Stmt(s)) => {
                    open.push(s);
                    if edits.removed(s) || !edits.before(s).is_empty() {
                        touched.extend(open.iter().copied());
                    }
                }
                Visit::Leave(Node::Stmt(_)) => drop(open.pop()),
                Visit::Enter(_) | Visit::Leave(_) => {}
            }
            csyntax::visit::Flow::Continue
        });
        touched
    }

    #[test]
    fn counting_parts_is_counting_the_whole() {
        let text = "int f(int a, int b) {
            if (a) { } if (a) b++; else { if (b) return 1; while (a--) { if (b) break; if (a) continue; b += 2; } }
            again: switch (a) { int k; case 1: case 2: b = 3; break; { } default: while (b) { case 7: b--; } { if (a) break; } b = 4; }
            for (int i = 0; i < a; i++) { do { if (i) goto again; if (b) goto out; } while (b--); { { } } }
            { } { { a++; } ; } if (b) out: a--; while (a) ; goto end; b = 1; end: return a + b; }";
        let ast = csyntax::parse::parse(text.as_bytes(), "f.c").ast;
        let Some(Item::Function(f)) = ast.items.first() else { panic!("a function") };
        let body = ast[*f].body;
        let all = stmts(&ast, Node::Stmt(body));
        assert!(all.len() > 50);
        let whole = Whole::of(&ast, body);
        for number in 0..3000 {
            let mut draw = Choices::nth(7, number);
            let mut edits = Edits { removed: FxHashSet::default(), before: Vec::new() };
            for serial in 0..draw.range(0, 4) {
                let stmt = all[1 + draw.below(all.len() - 1)];
                if draw.coin() && !matches!(ast[stmt].kind, StmtKind::Case(..) | StmtKind::Default(_)) {
                    edits.removed.insert(stmt);
                } else {
                    let shape = Shape { nodes: 2, edges: vec![(0, 1)], exits: vec![0, 1] };
                    edits.before.push((stmt, serial as u32, shape));
                }
            }
            let full = flow(&ast, body, &edits);
            let edges = distinct(full.edges);
            let expected = Counts {
                nodes: full.nodes.len(),
                edges: edges.len(),
                common_nodes: full.nodes.iter().filter(|n| is_own(**n)).count(),
                common_edges: edges.iter().filter(|e| whole.edges.contains(e)).count(),
            };
            let touched = touched(&ast, body, &edits);
            assert_eq!(
                count(&ast, body, &edits, &whole, &touched),
                expected,
                "{number}: {:?}",
                edits.removed
            );
        }
    }
}
