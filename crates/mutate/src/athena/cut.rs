//! Cuts a statement out of a program: which of its names are its own, which must be bound to others, what it leaves by.

use super::database::{Fragment, Hole, Part, Returns};
use super::flow::{self, Shape};
use super::types::TypeTable;
use crate::ctype::declare;
use csyntax::ast::{Ast, ExprId, ExprKind, StmtId, StmtKind, Storage, TypeKind, UnOp};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use csyntax::tree::{self, Unit};
use csyntax::types::{QTy, Ty, TyKind};
use csyntax::visit::{self, Node};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Bytes of one statement's text.
const LONGEST: usize = 2000;
/// Variables and functions one statement may need.
const MOST_HOLES: usize = 24;

/// Cuts statements out of a checked program.
pub struct Cutter<'a> {
    text: &'a str,
    ast: &'a Ast,
    unit: &'a Unit,
    /// By expressions of the tree, the first typed expression that each became.
    typed: Vec<Option<&'a tree::Expr>>,
    types: TypeTable,
    /// Declarations of variables and functions by type.
    declared: RefCell<FxHashMap<QTy, Option<Declared>>>,
}

/// How a name is declared.
#[derive(Clone)]
struct Declared {
    declaration: String,
    /// As a pointer to it, if it is a function.
    pointer: Option<String>,
    /// The tags that the declaration names.
    tags: Vec<String>,
}

impl<'a> Cutter<'a> {
    /// For the statements of a program.
    pub fn new(text: &'a str, ast: &'a Ast, unit: &'a Unit) -> Cutter<'a> {
        let mut typed = vec![None; ast.exprs.len()];
        for expr in unit.exprs.iter() {
            if let Some(first) = typed.get_mut(expr.origin.index()) {
                first.get_or_insert(expr);
            }
        }
        Cutter { text, ast, unit, typed, types: TypeTable::of(ast), declared: RefCell::default() }
    }

    fn typed(&self, e: ExprId) -> Option<&'a tree::Expr> {
        self.typed.get(e.index()).copied().flatten()
    }

    /// The statements in the body of a function; `None` if it defines types of its own, or holds what cannot be moved.
    pub fn statements(&self, id: csyntax::ast::FnId) -> Option<Vec<StmtId>> {
        let ast = self.ast;
        let nodes = visit::nodes(ast, Node::Stmt(ast[id].body));
        let fixed = nodes.iter().any(|node| match node {
            Node::Record(r) => ast[*r].fields.is_some(),
            Node::Enum(e) => ast[*e].enumerators.is_some(),
            Node::Decl(d) => ast[*d].storage.has(Storage::TYPEDEF),
            Node::Function(_) => true,
            Node::Stmt(s) => matches!(ast[*s].kind, StmtKind::LocalLabels(_) | StmtKind::Asm(_)),
            Node::Expr(e) => matches!(ast[*e].kind, ExprKind::StmtExpr(_) | ExprKind::LabelAddr(_)),
            Node::Type(t) => matches!(
                ast[*t].kind,
                TypeKind::TypeofExpr(_)
                    | TypeKind::TypeofType(_)
                    | TypeKind::Unqual(_)
                    | TypeKind::Auto
                    | TypeKind::Implicit
            ),
            Node::Init(_) => false,
        });
        let stmt = |node| if let Node::Stmt(id) = node { Some(id) } else { None };
        (!fixed).then(|| nodes.into_iter().filter_map(stmt).skip(1).collect())
    }

    /// A statement with the context it needs; `None` of what cannot stand elsewhere.
    pub fn cut(&self, stmt: StmtId) -> Option<Fragment> {
        let root = &self.ast[stmt];
        let movable = matches!(
            root.kind,
            StmtKind::Expr(_)
                | StmtKind::If(..)
                | StmtKind::While(..)
                | StmtKind::DoWhile(..)
                | StmtKind::For { .. }
                | StmtKind::Switch(..)
                | StmtKind::Compound(_)
        );
        let span = root.span;
        if !movable || span.hi.saturating_sub(span.lo) as usize > LONGEST {
            return None;
        }
        let nodes = visit::nodes(self.ast, Node::Stmt(stmt));
        let mut cut = Cut::new(self, span);
        // Labels first: a `goto` may stand before its own.
        nodes.iter().try_for_each(|node| cut.declares(*node))?;
        nodes.iter().try_for_each(|node| cut.uses(*node))?;
        cut.addresses(&nodes);
        if cut.fragment.holes.len() > MOST_HOLES || !self.jumps(stmt, &nodes, &mut cut.fragment) {
            return None;
        }
        cut.finish(flow::shape(self.ast, stmt))
    }

    fn split(&self, lo: u32, hi: u32, mut marks: Vec<(u32, u32, Part)>) -> Option<Vec<Part>> {
        marks.sort_by_key(|mark| mark.0);
        let (mut parts, mut at) = (Vec::new(), lo);
        for (from, to, part) in marks {
            parts.push(Part::Text(self.text.get(at as usize..from as usize)?.to_string()));
            parts.push(part);
            at = to;
        }
        parts.push(Part::Text(self.text.get(at as usize..hi as usize)?.to_string()));
        Some(parts)
    }

    fn tag(&self, is_union: bool, tag: Option<csyntax::intern::Symbol>) -> Option<String> {
        Some(format!("{} {}", if is_union { "union" } else { "struct" }, self.ast.names.name(tag?)))
    }

    /// How a variable or function of a type is declared elsewhere.
    fn declared(&self, ty: QTy) -> Option<Declared> {
        let mut known = self.declared.borrow_mut();
        known.entry(ty).or_insert_with(|| self.declaration(ty)).clone()
    }

    fn declaration(&self, ty: QTy) -> Option<Declared> {
        let function = matches!(self.unit.types.kind(ty.ty), TyKind::Function(_));
        let pointer = if function { Some(declare(self.unit, ty, "(*$)")?) } else { None };
        let mut tags = Vec::new();
        self.named_types(ty.ty, &mut tags)?;
        Some(Declared { declaration: declare(self.unit, ty, "$")?, pointer, tags })
    }

    /// The tags that a declaration of this type names.
    fn named_types(&self, ty: Ty, names: &mut Vec<String>) -> Option<()> {
        let mut todo = vec![ty];
        let mut met = 0;
        while let Some(ty) = todo.pop() {
            met += 1;
            if met > 64 {
                return None;
            }
            match self.unit.types.kind(ty) {
                TyKind::Pointer(to) | TyKind::Array(to, _) => todo.push(to.ty),
                TyKind::Function(function) => {
                    todo.push(function.ret.ty);
                    todo.extend(function.params.iter().map(|p| p.ty));
                }
                TyKind::Record(id) => {
                    let record = &self.unit.types.records[id.0 as usize];
                    let word = if record.is_union { "union" } else { "struct" };
                    names.push(format!("{word} {}", self.unit.names.name(record.tag?)));
                }
                TyKind::Enum(id) => {
                    let tag = self.unit.types.enums[id.0 as usize].tag?;
                    names.push(format!("enum {}", self.unit.names.name(tag)));
                }
                TyKind::Void
                | TyKind::Int(_)
                | TyKind::Float(_)
                | TyKind::Complex(_)
                | TyKind::Vector(..)
                | TyKind::VaList => {}
            }
        }
        Some(())
    }

    fn is_number(&self, e: ExprId) -> bool {
        let kind = self.typed(e).map(|typed| self.unit.types.kind(typed.ty.ty));
        kind.is_some_and(|kind| matches!(kind, TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_)))
    }

    /// Notes the `break`, `continue` and `case` that belong to statements around; false where a case does.
    fn jumps(&self, stmt: StmtId, nodes: &[Node], fragment: &mut Fragment) -> bool {
        let ast = self.ast;
        let jumps = |node: &Node| match node {
            Node::Stmt(s) => matches!(
                ast[*s].kind,
                StmtKind::Break | StmtKind::Continue | StmtKind::Case(..) | StmtKind::Default(_)
            ),
            _ => false,
        };
        if !nodes.iter().any(jumps) {
            return true;
        }
        let (mut loops, mut switches) = (0u32, 0u32);
        visit::walk(ast, Node::Stmt(stmt), |moment| {
            let (visit::Visit::Enter(node) | visit::Visit::Leave(node)) = moment;
            let enter = matches!(moment, visit::Visit::Enter(_));
            let Node::Stmt(s) = node else { return visit::Flow::Continue };
            match &ast[s].kind {
                StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => {
                    loops = if enter { loops + 1 } else { loops - 1 };
                }
                StmtKind::Switch(..) => switches = if enter { switches + 1 } else { switches - 1 },
                StmtKind::Break if loops + switches == 0 => fragment.breaks = true,
                StmtKind::Continue if loops == 0 => fragment.continues = true,
                StmtKind::Case(..) | StmtKind::Default(_) if switches == 0 => return visit::Flow::Stop,
                _ => {}
            }
            visit::Flow::Continue
        })
    }
}

/// A statement on its way out of its program.
struct Cut<'c, 'a> {
    from: &'c Cutter<'a>,
    span: Span,
    fragment: Fragment,
    /// Words of the text that other parts take the place of: from, to, part.
    marks: Vec<(u32, u32, Part)>,
    /// The holes of variables and functions from around.
    objects: FxHashMap<tree::ObjId, usize>,
    functions: FxHashMap<tree::FnId, usize>,
    /// Labels inside, and those outside that it jumps to.
    own: Vec<Symbol>,
    outer: Vec<Symbol>,
    /// Tags and typedefs that it names.
    type_names: Vec<String>,
}

impl<'c, 'a> Cut<'c, 'a> {
    fn new(from: &'c Cutter<'a>, span: Span) -> Cut<'c, 'a> {
        let fragment = Fragment {
            parts: Vec::new(),
            holes: Vec::new(),
            outer: 0,
            breaks: false,
            continues: false,
            returns: Returns::Never,
            declares: Vec::new(),
            types: Vec::new(),
            shape: Shape::default(),
        };
        Cut {
            from,
            span,
            fragment,
            marks: Vec::new(),
            objects: FxHashMap::default(),
            functions: FxHashMap::default(),
            own: Vec::new(),
            outer: Vec::new(),
            type_names: Vec::new(),
        }
    }

    fn mark(&mut self, at: u32, word: &str, part: Part) -> Option<()> {
        let end = at + word.len() as u32;
        (self.from.text.get(at as usize..end as usize)? == word).then(|| self.marks.push((at, end, part)))
    }

    /// Notes what a node declares, and the types it names; `None` of what cannot stand elsewhere.
    fn declares(&mut self, node: Node) -> Option<()> {
        let ast = self.from.ast;
        match node {
            Node::Stmt(s) => {
                if let StmtKind::Label(name, attrs, _) = &ast[s].kind {
                    if !attrs.is_empty() {
                        return None;
                    }
                    self.mark(ast[s].span.lo, ast.names.name(*name), Part::Own(self.own.len()))?;
                    self.own.push(*name);
                }
            }
            Node::Decl(d) => {
                let decl = &ast[d];
                // What a static object begins with must not depend on what holes are bound to.
                let initialised = decl.declarators.iter().any(|d| d.init.is_some());
                if !decl.attrs.is_empty()
                    || decl.storage.has(Storage::EXTERN)
                    || decl.storage.has(Storage::STATIC) && initialised
                {
                    return None;
                }
                let names = decl.declarators.iter().map(|d| ast.names.name(d.name).to_string());
                self.fragment.declares.extend(names);
            }
            Node::Type(t) => {
                if let TypeKind::Typedef(name) = &ast[t].kind {
                    self.type_names.push(ast.names.name(*name).to_string());
                }
            }
            Node::Record(r) => self.type_names.push(self.from.tag(ast[r].is_union, ast[r].tag)?),
            Node::Enum(e) => self.type_names.push(format!("enum {}", ast.names.name(ast[e].tag?))),
            Node::Expr(_) | Node::Init(_) | Node::Function(_) => {}
        }
        Some(())
    }

    /// Marks the names that a node uses and notes how it leaves; `None` of what cannot stand elsewhere.
    fn uses(&mut self, node: Node) -> Option<()> {
        let ast = self.from.ast;
        match node {
            Node::Stmt(s) => match &ast[s].kind {
                StmtKind::Goto(name) => self.goto(ast[s].span.lo, *name),
                StmtKind::Return(value) => self.leaves(*value),
                StmtKind::GotoPtr(_) | StmtKind::NestedFn(_) | StmtKind::Asm(_) | StmtKind::Pragma(_) => None,
                _ => Some(()),
            },
            Node::Expr(e) => match ast[e].kind {
                ExprKind::VaArg(..) => None,
                ExprKind::Ident(name) => self.name(e, name),
                _ => Some(()),
            },
            Node::Type(_)
            | Node::Init(_)
            | Node::Decl(_)
            | Node::Function(_)
            | Node::Record(_)
            | Node::Enum(_) => Some(()),
        }
    }

    fn goto(&mut self, at: u32, name: Symbol) -> Option<()> {
        let part = match self.own.iter().position(|l| *l == name) {
            Some(k) => Part::Own(k),
            None => Part::Outer(self.outer.iter().position(|l| *l == name).unwrap_or_else(|| {
                self.outer.push(name);
                self.outer.len() - 1
            })),
        };
        self.mark(at + "goto ".len() as u32, self.from.ast.names.name(name), part)
    }

    /// A `return`: all of a statement give a number, or all give nothing.
    fn leaves(&mut self, value: Option<ExprId>) -> Option<()> {
        let now = match value {
            None => Returns::Nothing,
            Some(e) if self.from.is_number(e) => Returns::Number,
            Some(_) => return None,
        };
        if self.fragment.returns != Returns::Never && self.fragment.returns != now {
            return None;
        }
        self.fragment.returns = now;
        Some(())
    }

    /// A name: a hole, unless it is declared inside; an enumerator's value in its place.
    fn name(&mut self, e: ExprId, name: Symbol) -> Option<()> {
        let word = self.from.ast.names.name(name);
        let at = self.from.ast[e].span.lo;
        let typed = self.from.typed(e)?;
        match &typed.kind {
            tree::ExprKind::Object(id) => {
                let object = &self.from.unit[*id];
                let inside = object.span.lo >= self.span.lo && object.span.hi <= self.span.hi;
                if inside && object.owner.is_some() {
                    return Some(());
                }
                let hole = match self.objects.get(id) {
                    Some(hole) => *hole,
                    None => self.hole(object.ty)?,
                };
                self.objects.insert(*id, hole);
                self.mark(at, word, Part::Hole(hole))
            }
            tree::ExprKind::Function(_) if word.starts_with("__builtin_") => Some(()),
            tree::ExprKind::Function(id) => {
                let hole = match self.functions.get(id) {
                    Some(hole) => *hole,
                    None => self.hole(QTy::from(self.from.unit[*id].ty))?,
                };
                self.functions.insert(*id, hole);
                self.mark(at, word, Part::Hole(hole))
            }
            tree::ExprKind::Int(value) if typed.ty.ty == Ty::INT => {
                let value = *value as u32 as i32;
                self.marks.push((at, at + word.len() as u32, Part::Text(format!("({value})"))));
                Some(())
            }
            // A builtin with rules of its own, or an operand that is not evaluated.
            _ => None,
        }
    }

    /// A new hole for something of this type.
    fn hole(&mut self, ty: QTy) -> Option<usize> {
        let Declared { declaration, pointer, tags } = self.from.declared(ty)?;
        self.type_names.extend(tags);
        self.fragment.holes.push(Hole { declaration, pointer, addressed: false });
        Some(self.fragment.holes.len() - 1)
    }

    /// Notes the variables from around whose addresses are taken.
    fn addresses(&mut self, nodes: &[Node]) {
        for node in nodes {
            if let Node::Expr(e) = node
                && let ExprKind::Unary(UnOp::AddrOf, of) = self.from.ast[*e].kind
                && let Some(tree::ExprKind::Object(id)) = self.from.typed(of).map(|typed| &typed.kind)
                && let Some(hole) = self.objects.get(id)
            {
                self.fragment.holes[*hole].addressed = true;
            }
        }
    }

    fn finish(mut self, shape: Shape) -> Option<Fragment> {
        self.type_names.sort();
        self.type_names.dedup();
        self.fragment.types = self.from.types.closure(&self.type_names)?;
        self.fragment.outer = self.outer.len();
        self.fragment.shape = shape;
        self.fragment.parts = self.from.split(self.span.lo, self.span.hi, self.marks)?;
        Some(self.fragment)
    }
}
