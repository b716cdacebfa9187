//! What each name means: declarations and uses, by the scopes of C11 6.2.1.

use csyntax::ast::{
    Ast, DeclId, EnumId, ExprId, ExprKind, FnId, Params, StmtKind, Storage, TypeId, TypeKind,
};
use csyntax::intern::Symbol;
use csyntax::visit::{Flow, Node, Visit, walk_unit};
use rustc_hash::FxHashMap;

/// Where something is declared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Site {
    /// A declarator of a declaration, by its place there.
    Declarator(DeclId, usize),
    /// A function definition.
    Function(FnId),
    /// A parameter of a definition, by its place there.
    Parameter(FnId, usize),
    /// An enumerator, by its place.
    Enumerator(EnumId, usize),
}

/// An object, function, typedef or enumerator.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Its name.
    pub name: Symbol,
    /// All its declarations, in order.
    pub sites: Vec<Site>,
    /// Expressions that name it.
    pub uses: Vec<ExprId>,
    /// Types that name it.
    pub types: Vec<TypeId>,
    /// The function whose scope it is in; none for file scope.
    pub owner: Option<FnId>,
}

/// The entities of a unit.
#[derive(Debug, Default)]
pub struct Names {
    /// In the order of their first declarations.
    pub entities: Vec<Entity>,
    /// Of each naming expression, what it names.
    pub meaning: FxHashMap<ExprId, usize>,
    /// Expressions whose name is declared nowhere.
    pub unknown: Vec<ExprId>,
    scopes: Vec<FxHashMap<Symbol, usize>>,
    functions: Vec<FnId>,
}

/// Resolves the names of a unit. A name is taken to be visible in all of the declaration that declares it.
pub fn resolve(ast: &Ast) -> Names {
    let mut names = Names { scopes: vec![FxHashMap::default()], ..Names::default() };
    walk_unit(ast, |visit| {
        match visit {
            Visit::Enter(node) => names.enter(ast, node),
            Visit::Leave(node) => names.leave(ast, node),
        }
        Flow::Continue
    });
    names
}

fn opens_scope(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Compound(_) | StmtKind::For { .. })
}

impl Names {
    fn enter(&mut self, ast: &Ast, node: Node) {
        match node {
            Node::Decl(id) => {
                for (index, declarator) in ast[id].declarators.iter().enumerate() {
                    let outer = self.functions.is_empty() || ast[id].storage.has(Storage::EXTERN);
                    self.declare(declarator.name, Site::Declarator(id, index), outer);
                }
            }
            Node::Function(id) => {
                self.declare(ast[id].name, Site::Function(id), self.functions.is_empty());
                self.functions.push(id);
                self.scopes.push(FxHashMap::default());
                for (index, param) in parameters(ast, id).iter().enumerate() {
                    if let Some(name) = param.name {
                        self.declare(name, Site::Parameter(id, index), false);
                    }
                }
            }
            Node::Stmt(id) if opens_scope(&ast[id].kind) => self.scopes.push(FxHashMap::default()),
            Node::Enum(id) => {
                for (index, enumerator) in ast[id].enumerators.iter().flatten().enumerate() {
                    self.declare(enumerator.name, Site::Enumerator(id, index), false);
                }
            }
            Node::Expr(id) => {
                if let ExprKind::Ident(name) = ast[id].kind {
                    match self.find(name) {
                        Some(entity) => {
                            self.entities[entity].uses.push(id);
                            self.meaning.insert(id, entity);
                        }
                        None => self.unknown.push(id),
                    }
                }
            }
            Node::Type(id) => {
                if let TypeKind::Typedef(name) = ast[id].kind
                    && let Some(entity) = self.find(name)
                {
                    self.entities[entity].types.push(id);
                }
            }
            Node::Stmt(_) | Node::Init(_) | Node::Record(_) => {}
        }
    }

    fn leave(&mut self, ast: &Ast, node: Node) {
        match node {
            Node::Function(_) => {
                self.scopes.pop();
                self.functions.pop();
            }
            Node::Stmt(id) if opens_scope(&ast[id].kind) => {
                self.scopes.pop();
            }
            Node::Stmt(_)
            | Node::Expr(_)
            | Node::Type(_)
            | Node::Init(_)
            | Node::Decl(_)
            | Node::Record(_)
            | Node::Enum(_) => {}
        }
    }

    /// Declares a name in the innermost scope; with `linked`, another declaration of it is the same entity.
    fn declare(&mut self, name: Symbol, site: Site, linked: bool) {
        let known = if linked {
            self.scopes[0].get(&name).copied()
        } else {
            self.scopes.last().and_then(|scope| scope.get(&name).copied())
        };
        let index = known.unwrap_or(self.entities.len());
        if known.is_none() {
            let owner = self.functions.last().copied().filter(|_| !linked);
            let entity = Entity { name, sites: Vec::new(), uses: Vec::new(), types: Vec::new(), owner };
            self.entities.push(entity);
            if linked {
                self.scopes[0].insert(name, index);
            }
        }
        self.entities[index].sites.push(site);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, index);
        }
    }

    fn find(&self, name: Symbol) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(&name).copied())
    }
}

impl Entity {
    /// Is nothing said about it but its declarations?
    pub fn is_unused(&self) -> bool {
        self.uses.is_empty() && self.types.is_empty()
    }

    /// Its only declarator, if it has one declaration and that is an object's or typedef's.
    pub fn only_declarator(&self) -> Option<(DeclId, usize)> {
        match self.sites[..] {
            [Site::Declarator(decl, index)] => Some((decl, index)),
            _ => None,
        }
    }

    /// Its definition as a function.
    pub fn definition(&self) -> Option<FnId> {
        self.sites.iter().find_map(|site| match site {
            Site::Function(id) => Some(*id),
            Site::Declarator(..) | Site::Parameter(..) | Site::Enumerator(..) => None,
        })
    }
}

/// The parameters of a definition with a prototype.
pub fn parameters(ast: &Ast, function: FnId) -> &[csyntax::ast::Param] {
    match &ast[ast[function].ty].kind {
        TypeKind::Function { params: Params::Prototype { params, .. }, .. } => params,
        _ => &[],
    }
}

/// Is a definition's declarator just a name and its parameters, with nothing derived around?
pub fn is_plain_function(ast: &Ast, function: FnId) -> bool {
    let TypeKind::Function { ret, .. } = &ast[ast[function].ty].kind else { return false };
    *ret == ast[function].base || matches!(ast[*ret].kind, TypeKind::Pointer(_))
}
