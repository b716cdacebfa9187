//! Cuts a statement out of a program: which of its names are its own, which must be bound to others, what it leaves by.

use super::database::{Fragment, Hole, Part, Returns};
use super::flow::{self, Shape};
use super::types::TypeTable;
use crate::ctype::declare;
use csyntax::ast::{Ast, ExprId, ExprKind, StmtId, StmtKind, Storage, TypeKind, UnOp};
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
                TypeKind::TypeofExpr(_) | TypeKind::TypeofType(_) | TypeKind::Auto | TypeKind::Implicit
            ),
            Node::Init(_) => false,
        });
        let stmt = |node| if let Node::Stmt(id) = node { Some(id) } else { None };
        (!fixed).then(|| nodes.into_iter().filter_map(stmt).skip(1).collect())
    }

    /// A statement with the context it needs; `None` of what cannot stand elsewhere.
    pub fn cut(&self, stmt: StmtId) -> Option<Fragment> {
        let ast = self.ast;
        let root = &ast[stmt];
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
        let mut fragment = Fragment {
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
        let mut marks: Vec<(u32, u32, Part)> = Vec::new();
        let mut objects: FxHashMap<tree::ObjId, usize> = FxHashMap::default();
        let mut functions: FxHashMap<tree::FnId, usize> = FxHashMap::default();
        let nodes = visit::nodes(ast, Node::Stmt(stmt));
        let mut own: Vec<csyntax::intern::Symbol> = Vec::new();
        let mut type_names: Vec<String> = Vec::new();
        for node in &nodes {
            match node {
                Node::Stmt(s) => {
                    if let StmtKind::Label(name, attrs, _) = &ast[*s].kind {
                        if !attrs.is_empty() {
                            return None;
                        }
                        let lo = ast[*s].span.lo;
                        self.mark(&mut marks, lo, ast.names.name(*name), Part::Own(own.len()))?;
                        own.push(*name);
                    }
                }
                Node::Decl(d) => {
                    let decl = &ast[*d];
                    // What a static object begins with must not depend on what holes are bound to.
                    let initialised = decl.declarators.iter().any(|d| d.init.is_some());
                    if !decl.attrs.is_empty()
                        || decl.storage.has(Storage::EXTERN)
                        || decl.storage.has(Storage::STATIC) && initialised
                    {
                        return None;
                    }
                    fragment
                        .declares
                        .extend(decl.declarators.iter().map(|d| ast.names.name(d.name).to_string()));
                }
                Node::Type(t) => {
                    if let TypeKind::Typedef(name) = &ast[*t].kind {
                        type_names.push(ast.names.name(*name).to_string());
                    }
                }
                Node::Record(r) => type_names.push(self.tag(ast[*r].is_union, ast[*r].tag)?),
                Node::Enum(e) => type_names.push(format!("enum {}", ast.names.name(ast[*e].tag?))),
                Node::Expr(_) | Node::Init(_) | Node::Function(_) => {}
            }
        }
        let mut outer: Vec<csyntax::intern::Symbol> = Vec::new();
        for node in &nodes {
            match node {
                Node::Stmt(s) => match &ast[*s].kind {
                    StmtKind::Goto(name) => {
                        let at = ast[*s].span.lo + "goto ".len() as u32;
                        let part = match own.iter().position(|l| l == name) {
                            Some(k) => Part::Own(k),
                            None => Part::Outer(outer.iter().position(|l| l == name).unwrap_or_else(|| {
                                outer.push(*name);
                                outer.len() - 1
                            })),
                        };
                        self.mark(&mut marks, at, ast.names.name(*name), part)?;
                    }
                    StmtKind::Return(value) => {
                        let now = match value {
                            None => Returns::Nothing,
                            Some(e) if self.is_number(*e) => Returns::Number,
                            Some(_) => return None,
                        };
                        if fragment.returns != Returns::Never && fragment.returns != now {
                            return None;
                        }
                        fragment.returns = now;
                    }
                    StmtKind::GotoPtr(_) | StmtKind::NestedFn(_) | StmtKind::Asm(_) | StmtKind::Pragma(_) => {
                        return None;
                    }
                    _ => {}
                },
                Node::Expr(e) => {
                    if let ExprKind::VaArg(..) = ast[*e].kind {
                        return None;
                    }
                    let ExprKind::Ident(name) = ast[*e].kind else { continue };
                    let word = ast.names.name(name);
                    let at = ast[*e].span.lo;
                    match self.typed(*e).map(|typed| &typed.kind) {
                        Some(tree::ExprKind::Object(id)) => {
                            let object = &self.unit[*id];
                            if object.span.lo >= span.lo
                                && object.span.hi <= span.hi
                                && object.owner.is_some()
                            {
                                continue;
                            }
                            let hole = match objects.get(id) {
                                Some(hole) => *hole,
                                None => {
                                    let Declared { declaration, pointer, tags } = self.declared(object.ty)?;
                                    type_names.extend(tags);
                                    fragment.holes.push(Hole { declaration, pointer, addressed: false });
                                    objects.insert(*id, fragment.holes.len() - 1);
                                    fragment.holes.len() - 1
                                }
                            };
                            self.mark(&mut marks, at, word, Part::Hole(hole))?;
                        }
                        Some(tree::ExprKind::Function(id)) => {
                            if word.starts_with("__builtin_") {
                                continue;
                            }
                            let hole = match functions.get(id) {
                                Some(hole) => *hole,
                                None => {
                                    let ty = QTy::from(self.unit[*id].ty);
                                    let Declared { declaration, pointer, tags } = self.declared(ty)?;
                                    type_names.extend(tags);
                                    fragment.holes.push(Hole { declaration, pointer, addressed: false });
                                    functions.insert(*id, fragment.holes.len() - 1);
                                    fragment.holes.len() - 1
                                }
                            };
                            self.mark(&mut marks, at, word, Part::Hole(hole))?;
                        }
                        Some(tree::ExprKind::Int(value))
                            if self.typed(*e).is_some_and(|e| e.ty.ty == Ty::INT) =>
                        {
                            let value = *value as u32 as i32;
                            marks.push((at, at + word.len() as u32, Part::Text(format!("({value})"))));
                        }
                        // A builtin with rules of its own, or an operand that is not evaluated.
                        Some(_) | None => return None,
                    }
                }
                Node::Type(_)
                | Node::Init(_)
                | Node::Decl(_)
                | Node::Function(_)
                | Node::Record(_)
                | Node::Enum(_) => {}
            }
        }
        for node in &nodes {
            if let Node::Expr(e) = node
                && let ExprKind::Unary(UnOp::AddrOf, of) = ast[*e].kind
                && let Some(tree::ExprKind::Object(id)) = self.typed(of).map(|typed| &typed.kind)
                && let Some(hole) = objects.get(id)
            {
                fragment.holes[*hole].addressed = true;
            }
        }
        if fragment.holes.len() > MOST_HOLES || !self.jumps(stmt, &nodes, &mut fragment) {
            return None;
        }
        type_names.sort();
        type_names.dedup();
        fragment.types = self.types.closure(&type_names)?;
        fragment.outer = outer.len();
        fragment.shape = flow::shape(ast, stmt);
        fragment.parts = self.split(span.lo, span.hi, marks)?;
        Some(fragment)
    }

    fn mark(&self, marks: &mut Vec<(u32, u32, Part)>, at: u32, word: &str, part: Part) -> Option<()> {
        let end = at + word.len() as u32;
        (self.text.get(at as usize..end as usize)? == word).then(|| marks.push((at, end, part)))
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
