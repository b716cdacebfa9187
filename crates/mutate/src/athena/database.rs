//! Statements taken from a corpus, each with the context it needs: variables and functions by type, labels, what may
//! be jumped out of, and the type definitions that its text names.

use super::flow::{self, Shape};
use crate::canonical::own_items;
use crate::ctype::declare;
use csyntax::ast::{Ast, ExprId, ExprKind, Item, StmtId, StmtKind, Storage, TypeKind, UnOp};
use csyntax::source::Severity;
use csyntax::target::Target;
use csyntax::tree::{self, Unit};
use csyntax::types::{QTy, Ty, TyKind};
use csyntax::visit::{self, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of one statement's text.
const LONGEST: usize = 2000;
/// Type definitions one statement may need.
const MOST_TYPES: usize = 8;
/// Variables and functions one statement may need.
const MOST_HOLES: usize = 24;
/// Statements kept.
const MOST: usize = 50_000;

/// A part of a statement's text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// The name of what is bound to this hole.
    Hole(usize),
    /// The name of a label of the function around it.
    Outer(usize),
    /// The name of a label of its own, which must be new.
    Own(usize),
}

/// What a hole must be bound to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Hole {
    /// Its declaration, with `$` for the name. For functions, that of the function.
    pub declaration: String,
    /// The same as a pointer to it: functions only.
    pub pointer: Option<String>,
    /// Is its address taken?
    pub addressed: bool,
}

/// What `return` statements in it give back.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Returns {
    /// There are none.
    Never,
    /// Nothing.
    Nothing,
    /// A number.
    Number,
}

/// A statement that can be put elsewhere.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Its text.
    pub parts: Vec<Part>,
    /// What it is bound to.
    pub holes: Vec<Hole>,
    /// How many labels it jumps to that are not its own.
    pub outer: usize,
    /// Has it a `break` or `continue` that leaves it?
    pub breaks: bool,
    /// See `breaks`.
    pub continues: bool,
    /// Its `return` statements.
    pub returns: Returns,
    /// The names that it declares itself, and those of its types.
    pub declares: Vec<String>,
    /// Definitions that its types need, in order: name and text.
    pub types: Vec<(String, String)>,
    /// Its control flow.
    pub shape: Shape,
}

/// A statement database.
#[derive(Clone, Debug, Default)]
pub struct Database {
    /// The statements.
    pub fragments: Vec<Fragment>,
    known: FxHashSet<(Vec<Part>, Vec<Hole>)>,
}

impl Database {
    /// Adds the statements of a preprocessed program and says how many were new. A text that is no C program adds
    /// none.
    pub fn learn(&mut self, text: &[u8], name: &str, target: &Target) -> usize {
        let parsed = csyntax::parse::parse(text, name);
        if parsed.has_errors() {
            return 0;
        }
        let own = own_items(&parsed.ast, &parsed.source);
        let canonical = csyntax::print::print(&parsed.ast);
        let again = csyntax::parse::parse(canonical.as_bytes(), name);
        if again.has_errors() || again.ast.items.len() != own.len() {
            return 0;
        }
        let checked = csyntax::check::check(&again.ast, target);
        let Some(unit) = checked.unit else { return 0 };
        if checked.diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return 0;
        }
        self.learn_unit(&canonical, &again.ast, &unit, &own)
    }

    /// Adds the statements of functions of a checked program whose items `own` says so of.
    pub fn learn_unit(&mut self, text: &str, ast: &Ast, unit: &Unit, own: &[bool]) -> usize {
        let before = self.fragments.len();
        let mut typed = FxHashMap::default();
        for expr in unit.exprs.iter() {
            typed.entry(expr.origin).or_insert(expr);
        }
        let cutter = Cutter { text, ast, unit, typed, types: TypeTable::of(ast) };
        for (item, own) in ast.items.iter().zip(own) {
            if let (Item::Function(id), true) = (item, own)
                && !cutter.has_own_types(*id)
            {
                for stmt in visit::stmts(ast, Node::Stmt(ast[*id].body)).into_iter().skip(1) {
                    if self.fragments.len() >= MOST {
                        break;
                    }
                    if let Some(fragment) = cutter.cut(stmt)
                        && self.known.insert((fragment.parts.clone(), fragment.holes.clone()))
                    {
                        self.fragments.push(fragment);
                    }
                }
            }
        }
        self.fragments.len() - before
    }
}

/// The type definitions at file scope, as texts.
#[derive(Debug, Default)]
pub struct TypeTable {
    definitions: FxHashMap<String, (String, Vec<String>, u32)>,
}

impl TypeTable {
    /// Those of a program. Keys are `struct S`, `enum E`, and plain names for typedefs and enumerators.
    pub fn of(ast: &Ast) -> TypeTable {
        let mut table = TypeTable::default();
        let mut twice = Vec::new();
        for item in &ast.items {
            let Item::Decl(id) = item else { continue };
            let decl = &ast[*id];
            let typedef = decl.storage.has(Storage::TYPEDEF);
            let nodes = visit::nodes(ast, Node::Decl(*id));
            let mut names = Vec::new();
            let mut needs = Vec::new();
            for node in &nodes {
                match node {
                    Node::Record(r) => {
                        let record = &ast[*r];
                        let word = if record.is_union { "union" } else { "struct" };
                        let key = record.tag.map(|tag| format!("{word} {}", ast.names.name(tag)));
                        let into = if record.fields.is_some() { &mut names } else { &mut needs };
                        into.extend(key);
                    }
                    Node::Enum(e) => {
                        let key = ast[*e].tag.map(|tag| format!("enum {}", ast.names.name(tag)));
                        match &ast[*e].enumerators {
                            Some(list) => {
                                names.extend(key);
                                names.extend(list.iter().map(|e| ast.names.name(e.name).to_string()));
                            }
                            None => needs.extend(key),
                        }
                    }
                    Node::Type(t) => {
                        if let TypeKind::Typedef(name) = &ast[*t].kind {
                            needs.push(ast.names.name(*name).to_string());
                        }
                    }
                    Node::Expr(_) | Node::Stmt(_) | Node::Init(_) | Node::Decl(_) | Node::Function(_) => {}
                }
            }
            let text = if typedef {
                names.extend(decl.declarators.iter().map(|d| ast.names.name(d.name).to_string()));
                csyntax::print::print_decl(ast, *id)
            } else if names.is_empty() {
                continue;
            } else {
                format!("{};", csyntax::print::print_type(ast, decl.base))
            };
            needs.retain(|need| !names.contains(need));
            for name in names {
                if let Some((old, ..)) = table.definitions.get(&name)
                    && *old != text
                {
                    twice.push(name.clone());
                }
                table.definitions.insert(name, (text.clone(), needs.clone(), decl.span.hi));
            }
        }
        // What is defined twice means one thing here and another there.
        for name in twice {
            table.definitions.remove(&name);
        }
        table
    }

    /// The text that defines a name, if it stands before a place.
    pub fn definition(&self, name: &str, before: u32) -> Option<&str> {
        self.definitions.get(name).filter(|(_, _, end)| *end <= before).map(|(text, ..)| text.as_str())
    }

    /// The definitions that names need, each after those it needs itself.
    fn closure(&self, names: &[String]) -> Option<Vec<(String, String)>> {
        let mut found: Vec<(String, String)> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        for name in names {
            self.add(name, &mut found, &mut open)?;
        }
        Some(found)
    }

    fn add(&self, name: &str, found: &mut Vec<(String, String)>, open: &mut Vec<String>) -> Option<()> {
        if found.iter().any(|(known, _)| known == name) {
            return Some(());
        }
        if open.len() >= MOST_TYPES || found.len() >= MOST_TYPES || open.iter().any(|o| o == name) {
            return None;
        }
        let (text, needs, _) = self.definitions.get(name)?;
        if found.iter().any(|(_, known)| known == text) {
            return Some(());
        }
        open.push(name.to_string());
        for need in needs {
            self.add(need, found, open)?;
        }
        open.pop();
        found.push((name.to_string(), text.clone()));
        Some(())
    }
}

struct Cutter<'a> {
    text: &'a str,
    ast: &'a Ast,
    unit: &'a Unit,
    typed: FxHashMap<ExprId, &'a tree::Expr>,
    types: TypeTable,
}

impl Cutter<'_> {
    /// Does a function define types of its own, or hold what cannot be moved?
    fn has_own_types(&self, id: csyntax::ast::FnId) -> bool {
        let ast = self.ast;
        visit::nodes(ast, Node::Stmt(ast[id].body)).iter().any(|node| match node {
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
        })
    }

    fn cut(&self, stmt: StmtId) -> Option<Fragment> {
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
                    match self.typed.get(e).map(|typed| &typed.kind) {
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
                                    let declaration = declare(self.unit, object.ty, "$")?;
                                    self.named_types(object.ty.ty, &mut type_names)?;
                                    fragment.holes.push(Hole {
                                        declaration,
                                        pointer: None,
                                        addressed: false,
                                    });
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
                                    let declaration = declare(self.unit, ty, "$")?;
                                    let pointer = declare(self.unit, ty, "(*$)")?;
                                    self.named_types(ty.ty, &mut type_names)?;
                                    fragment.holes.push(Hole {
                                        declaration,
                                        pointer: Some(pointer),
                                        addressed: false,
                                    });
                                    functions.insert(*id, fragment.holes.len() - 1);
                                    fragment.holes.len() - 1
                                }
                            };
                            self.mark(&mut marks, at, word, Part::Hole(hole))?;
                        }
                        Some(tree::ExprKind::Int(value)) if self.typed[e].ty.ty == Ty::INT => {
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
        for e in visit::exprs(ast, Node::Stmt(stmt)) {
            if let ExprKind::Unary(UnOp::AddrOf, of) = ast[e].kind
                && let Some(tree::ExprKind::Object(id)) = self.typed.get(&of).map(|typed| &typed.kind)
                && let Some(hole) = objects.get(id)
            {
                fragment.holes[*hole].addressed = true;
            }
        }
        if fragment.holes.len() > MOST_HOLES || !self.jumps(stmt, &mut fragment) {
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
        let kind = self.typed.get(&e).map(|typed| self.unit.types.kind(typed.ty.ty));
        kind.is_some_and(|kind| matches!(kind, TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_)))
    }

    /// Notes the `break`, `continue` and `case` that belong to statements around; false where a case does.
    fn jumps(&self, stmt: StmtId, fragment: &mut Fragment) -> bool {
        let ast = self.ast;
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
