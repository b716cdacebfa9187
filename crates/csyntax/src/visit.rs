//! Walking the tree: children of any node, walks in pre- and post-order, operands to replace.
//!
//! All walks use an explicit stack, so no depth of tree exhausts the call stack. Each node is met once: a
//! declaration lists its specifier type first and then, for each declarator, the type nodes between the name and
//! that specifier type; the children of a type node do not include the next node of its chain.

use crate::ast::{
    Alignas, ArraySize, Ast, AttrArg, Attribute, DeclId, Designator, EnumId, ExprId, ExprKind, FieldDecl,
    FnId, ForInit, InitId, InitKind, Item, Params, RecordId, StmtId, StmtKind, TypeId, TypeKind,
};

/// Any node of an AST.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// An expression.
    Expr(ExprId),
    /// A statement.
    Stmt(StmtId),
    /// A type node.
    Type(TypeId),
    /// An initialiser.
    Init(InitId),
    /// A declaration.
    Decl(DeclId),
    /// A function definition.
    Function(FnId),
    /// A struct or union specifier.
    Record(RecordId),
    /// An enum specifier.
    Enum(EnumId),
}

/// A moment of a walk.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Visit {
    /// Before the children of the node.
    Enter(Node),
    /// After them.
    Leave(Node),
}

/// How a walk goes on. After [`Visit::Leave`], `Skip` means the same as `Continue`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Into the children.
    Continue,
    /// Past the children; [`Visit::Leave`] still comes.
    Skip,
    /// The walk ends here.
    Stop,
}

/// Walks one node and all below it. False if the visitor stopped the walk.
pub fn walk(ast: &Ast, root: Node, mut visit: impl FnMut(Visit) -> Flow) -> bool {
    let mut stack = vec![Visit::Enter(root)];
    while let Some(moment) = stack.pop() {
        let flow = visit(moment);
        if flow == Flow::Stop {
            return false;
        }
        if let Visit::Enter(node) = moment {
            push_inside(ast, node, flow, &mut stack);
        }
    }
    true
}

/// As [`walk`], and the visitor may change the tree. The children walked are those after its `Enter` call.
pub fn walk_mut(ast: &mut Ast, root: Node, mut visit: impl FnMut(&mut Ast, Visit) -> Flow) -> bool {
    let mut stack = vec![Visit::Enter(root)];
    while let Some(moment) = stack.pop() {
        let flow = visit(ast, moment);
        if flow == Flow::Stop {
            return false;
        }
        if let Visit::Enter(node) = moment {
            push_inside(ast, node, flow, &mut stack);
        }
    }
    true
}

fn push_inside(ast: &Ast, node: Node, flow: Flow, stack: &mut Vec<Visit>) {
    stack.push(Visit::Leave(node));
    if flow == Flow::Continue {
        let from = stack.len();
        children(ast, node, |child| stack.push(Visit::Enter(child)));
        stack[from..].reverse();
    }
}

/// The nodes of the unit's items, in order. Asm and pragmas have none.
pub fn roots(ast: &Ast) -> Vec<Node> {
    let root = |item: &Item| match item {
        Item::Function(id) => Some(Node::Function(*id)),
        Item::Decl(id) => Some(Node::Decl(*id)),
        Item::StaticAssert(condition, _, _) => Some(Node::Expr(*condition)),
        Item::Asm(..) | Item::Pragma(..) => None,
    };
    ast.items.iter().filter_map(root).collect()
}

/// Walks the whole unit. False if the visitor stopped the walk.
pub fn walk_unit(ast: &Ast, mut visit: impl FnMut(Visit) -> Flow) -> bool {
    roots(ast).into_iter().all(|root| walk(ast, root, &mut visit))
}

/// Walks the whole unit, and the visitor may change the tree.
pub fn walk_unit_mut(ast: &mut Ast, mut visit: impl FnMut(&mut Ast, Visit) -> Flow) -> bool {
    roots(ast).into_iter().all(|root| walk_mut(ast, root, &mut visit))
}

/// All nodes at and below `root`, in pre-order.
pub fn nodes(ast: &Ast, root: Node) -> Vec<Node> {
    let (mut all, mut stack) = (Vec::with_capacity(64), Vec::with_capacity(64));
    stack.push(root);
    while let Some(node) = stack.pop() {
        all.push(node);
        let from = stack.len();
        children(ast, node, |child| stack.push(child));
        stack[from..].reverse();
    }
    all
}

/// All expressions at and below `root`, in pre-order.
pub fn exprs(ast: &Ast, root: Node) -> Vec<ExprId> {
    let expr = |node| if let Node::Expr(id) = node { Some(id) } else { None };
    nodes(ast, root).into_iter().filter_map(expr).collect()
}

/// All statements at and below `root`, in pre-order.
pub fn stmts(ast: &Ast, root: Node) -> Vec<StmtId> {
    let stmt = |node| if let Node::Stmt(id) = node { Some(id) } else { None };
    nodes(ast, root).into_iter().filter_map(stmt).collect()
}

/// The type nodes of a declarator, nearest to the name first, without the specifier type `base`.
pub fn chain(ast: &Ast, ty: TypeId, base: TypeId) -> impl Iterator<Item = TypeId> + '_ {
    let mut next = Some(ty).filter(|&ty| ty != base);
    std::iter::from_fn(move || {
        let this = next?;
        next = inner_type(&ast[this].kind).filter(|&ty| ty != base);
        Some(this)
    })
}

/// The specifier type where the chain of a type name ends.
pub fn chain_end(ast: &Ast, mut ty: TypeId) -> TypeId {
    while let Some(inner) = inner_type(&ast[ty].kind) {
        ty = inner;
    }
    ty
}

/// What a derived type is derived from.
pub fn inner_type(kind: &TypeKind) -> Option<TypeId> {
    match kind {
        TypeKind::Pointer(inner) => Some(*inner),
        TypeKind::Array { elem, .. } => Some(*elem),
        TypeKind::Function { ret, .. } => Some(*ret),
        TypeKind::Basic(_)
        | TypeKind::Typedef(_)
        | TypeKind::Record(_)
        | TypeKind::Enum(_)
        | TypeKind::TypeofExpr(_)
        | TypeKind::TypeofType(_)
        | TypeKind::Atomic(_)
        | TypeKind::Unqual(_)
        | TypeKind::BitInt(..)
        | TypeKind::Auto
        | TypeKind::Implicit => None,
    }
}

/// Calls `f` with each child of `node`, in source order (attributes first).
pub fn children(ast: &Ast, node: Node, mut f: impl FnMut(Node)) {
    let f = &mut f;
    match node {
        Node::Expr(id) => expr_children(ast, &ast[id].kind, f),
        Node::Stmt(id) => stmt_children(ast, &ast[id].kind, f),
        Node::Type(id) => {
            attr_children(ast, &ast[id].attrs, f);
            type_children(ast, &ast[id].kind, f);
        }
        Node::Init(id) => match &ast[id].kind {
            InitKind::Expr(value) => f(Node::Expr(*value)),
            InitKind::List(items) => {
                for item in items {
                    designator_children(&item.designators, f);
                    f(Node::Init(item.init));
                }
            }
        },
        Node::Decl(id) => {
            let decl = &ast[id];
            attr_children(ast, &decl.attrs, f);
            alignas_children(ast, &decl.alignas, f);
            f(Node::Type(decl.base));
            for declarator in &decl.declarators {
                chain(ast, declarator.ty, decl.base).for_each(|ty| f(Node::Type(ty)));
                attr_children(ast, &declarator.attrs, f);
                declarator.init.into_iter().for_each(|init| f(Node::Init(init)));
            }
        }
        Node::Function(id) => {
            let function = &ast[id];
            attr_children(ast, &function.attrs, f);
            f(Node::Type(function.base));
            chain(ast, function.ty, function.base).for_each(|ty| f(Node::Type(ty)));
            function.kr_decls.iter().for_each(|&decl| f(Node::Decl(decl)));
            f(Node::Stmt(function.body));
        }
        Node::Record(id) => {
            attr_children(ast, &ast[id].attrs, f);
            ast[id].fields.iter().flatten().for_each(|field| field_children(ast, field, f));
        }
        Node::Enum(id) => {
            attr_children(ast, &ast[id].attrs, f);
            ast[id].underlying.into_iter().for_each(|ty| type_name_children(ast, ty, f));
            for enumerator in ast[id].enumerators.iter().flatten() {
                attr_children(ast, &enumerator.attrs, f);
                enumerator.value.into_iter().for_each(|value| f(Node::Expr(value)));
            }
        }
    }
}

fn type_name_children(ast: &Ast, ty: TypeId, f: &mut impl FnMut(Node)) {
    let base = chain_end(ast, ty);
    f(Node::Type(base));
    chain(ast, ty, base).for_each(|ty| f(Node::Type(ty)));
}

fn attr_children(ast: &Ast, attrs: &[Attribute], f: &mut impl FnMut(Node)) {
    for arg in attrs.iter().filter_map(|a| a.args.as_ref()).flatten() {
        match arg {
            AttrArg::Expr(value) => f(Node::Expr(*value)),
            AttrArg::Type(ty) => type_name_children(ast, *ty, f),
        }
    }
}

fn alignas_children(ast: &Ast, alignas: &[Alignas], f: &mut impl FnMut(Node)) {
    for alignment in alignas {
        match alignment {
            Alignas::Type(ty) => type_name_children(ast, *ty, f),
            Alignas::Expr(value) => f(Node::Expr(*value)),
        }
    }
}

fn designator_children(designators: &[Designator], f: &mut impl FnMut(Node)) {
    for designator in designators {
        match designator {
            Designator::Field(_) => {}
            Designator::Index(index) => f(Node::Expr(*index)),
            Designator::Range(low, high) => {
                f(Node::Expr(*low));
                f(Node::Expr(*high));
            }
        }
    }
}

fn field_children(ast: &Ast, field: &FieldDecl, f: &mut impl FnMut(Node)) {
    match field {
        FieldDecl::Fields { base, alignas, attrs, declarators, span: _ } => {
            attr_children(ast, attrs, f);
            alignas_children(ast, alignas, f);
            f(Node::Type(*base));
            for field in declarators {
                chain(ast, field.ty, *base).for_each(|ty| f(Node::Type(ty)));
                attr_children(ast, &field.attrs, f);
                field.width.into_iter().for_each(|width| f(Node::Expr(width)));
            }
        }
        FieldDecl::StaticAssert(condition, _) => f(Node::Expr(*condition)),
    }
}

fn type_children(ast: &Ast, kind: &TypeKind, f: &mut impl FnMut(Node)) {
    match kind {
        TypeKind::Record(id) => f(Node::Record(*id)),
        TypeKind::Enum(id) => f(Node::Enum(*id)),
        TypeKind::Array { size: ArraySize::Expr(size), .. } => f(Node::Expr(*size)),
        TypeKind::Function { params: Params::Prototype { params, .. }, .. } => {
            for param in params {
                attr_children(ast, &param.attrs, f);
                f(Node::Type(param.base));
                chain(ast, param.ty, param.base).for_each(|ty| f(Node::Type(ty)));
            }
        }
        TypeKind::TypeofExpr(value) => f(Node::Expr(*value)),
        TypeKind::TypeofType(ty) | TypeKind::Atomic(ty) | TypeKind::Unqual(ty) => {
            type_name_children(ast, *ty, f);
        }
        TypeKind::BitInt(width, _) => f(Node::Expr(*width)),
        TypeKind::Array { size: ArraySize::None | ArraySize::Star, .. }
        | TypeKind::Function { params: Params::Unspecified | Params::Identifiers(_), .. }
        | TypeKind::Basic(_)
        | TypeKind::Typedef(_)
        | TypeKind::Pointer(_)
        | TypeKind::Auto
        | TypeKind::Implicit => {}
    }
}

fn expr_children(ast: &Ast, kind: &ExprKind, f: &mut impl FnMut(Node)) {
    match kind {
        ExprKind::Ident(_)
        | ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Char { .. }
        | ExprKind::Str(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::Error => {}
        ExprKind::Unary(_, e) | ExprKind::SizeofExpr(e) | ExprKind::AlignofExpr(e) => f(Node::Expr(*e)),
        ExprKind::Member { base, .. } => f(Node::Expr(*base)),
        ExprKind::Binary(_, a, b)
        | ExprKind::Assign(_, a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Index(a, b) => {
            f(Node::Expr(*a));
            f(Node::Expr(*b));
        }
        ExprKind::Cond(condition, middle, otherwise) => {
            f(Node::Expr(*condition));
            middle.iter().for_each(|&e| f(Node::Expr(e)));
            f(Node::Expr(*otherwise));
        }
        ExprKind::Call(callee, args) => {
            f(Node::Expr(*callee));
            args.iter().for_each(|&arg| f(Node::Expr(arg)));
        }
        ExprKind::Cast(ty, e) => {
            type_name_children(ast, *ty, f);
            f(Node::Expr(*e));
        }
        ExprKind::CompoundLit(ty, init) => {
            type_name_children(ast, *ty, f);
            f(Node::Init(*init));
        }
        ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) => type_name_children(ast, *ty, f),
        ExprKind::Generic(control, arms) => {
            f(Node::Expr(*control));
            for (ty, value) in arms {
                ty.iter().for_each(|&ty| type_name_children(ast, ty, f));
                f(Node::Expr(*value));
            }
        }
        ExprKind::StmtExpr(block) => f(Node::Stmt(*block)),
        ExprKind::VaArg(e, ty) | ExprKind::ConvertVector(e, ty) => {
            f(Node::Expr(*e));
            type_name_children(ast, *ty, f);
        }
        ExprKind::Offsetof(ty, path) => {
            type_name_children(ast, *ty, f);
            designator_children(path, f);
        }
        ExprKind::TypesCompatible(a, b) => {
            type_name_children(ast, *a, f);
            type_name_children(ast, *b, f);
        }
        ExprKind::ChooseExpr(c, a, b) => [c, a, b].into_iter().for_each(|&e| f(Node::Expr(e))),
    }
}

fn stmt_children(ast: &Ast, kind: &StmtKind, f: &mut impl FnMut(Node)) {
    match kind {
        StmtKind::Compound(items) => items.iter().for_each(|&item| f(Node::Stmt(item))),
        StmtKind::Expr(e) | StmtKind::GotoPtr(e) | StmtKind::StaticAssert(e, _) => f(Node::Expr(*e)),
        StmtKind::Decl(id) => f(Node::Decl(*id)),
        StmtKind::NestedFn(id) => f(Node::Function(*id)),
        StmtKind::If(condition, then, otherwise) => {
            f(Node::Expr(*condition));
            f(Node::Stmt(*then));
            otherwise.iter().for_each(|&s| f(Node::Stmt(s)));
        }
        StmtKind::While(condition, body) | StmtKind::Switch(condition, body) => {
            f(Node::Expr(*condition));
            f(Node::Stmt(*body));
        }
        StmtKind::DoWhile(body, condition) => {
            f(Node::Stmt(*body));
            f(Node::Expr(*condition));
        }
        StmtKind::For { init, cond, step, body } => {
            match init {
                ForInit::None => {}
                ForInit::Expr(e) => f(Node::Expr(*e)),
                ForInit::Decl(id) => f(Node::Decl(*id)),
            }
            cond.iter().chain(step).for_each(|&e| f(Node::Expr(e)));
            f(Node::Stmt(*body));
        }
        StmtKind::Case(low, high, body) => {
            f(Node::Expr(*low));
            high.iter().for_each(|&e| f(Node::Expr(e)));
            f(Node::Stmt(*body));
        }
        StmtKind::Default(body) => f(Node::Stmt(*body)),
        StmtKind::Label(_, attrs, body) => {
            attr_children(ast, attrs, f);
            f(Node::Stmt(*body));
        }
        StmtKind::Return(value) => value.iter().for_each(|&e| f(Node::Expr(e))),
        StmtKind::Asm(asm) => {
            asm.outputs.iter().chain(&asm.inputs).for_each(|operand| f(Node::Expr(operand.expr)));
        }
        StmtKind::Attr(attrs) => attr_children(ast, attrs, f),
        StmtKind::Null
        | StmtKind::LocalLabels(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Pragma(_)
        | StmtKind::Error => {}
    }
}

/// The direct subexpressions of an expression, to be replaced.
pub fn operands_mut(kind: &mut ExprKind) -> Vec<&mut ExprId> {
    match kind {
        ExprKind::Ident(_)
        | ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Char { .. }
        | ExprKind::Str(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::CompoundLit(..)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofType(_)
        | ExprKind::StmtExpr(_)
        | ExprKind::TypesCompatible(..)
        | ExprKind::Error => Vec::new(),
        ExprKind::Unary(_, e) | ExprKind::SizeofExpr(e) | ExprKind::AlignofExpr(e) => vec![e],
        ExprKind::Member { base, .. } => vec![base],
        ExprKind::Cast(_, e) | ExprKind::VaArg(e, _) | ExprKind::ConvertVector(e, _) => vec![e],
        ExprKind::Binary(_, a, b)
        | ExprKind::Assign(_, a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Index(a, b) => {
            vec![a, b]
        }
        ExprKind::Cond(condition, middle, otherwise) => {
            let mut all = vec![condition];
            all.extend(middle.as_mut());
            all.push(otherwise);
            all
        }
        ExprKind::Call(callee, args) => {
            let mut all = vec![callee];
            all.extend(args);
            all
        }
        ExprKind::Generic(control, arms) => {
            let mut all = vec![control];
            all.extend(arms.iter_mut().map(|arm| &mut arm.1));
            all
        }
        ExprKind::Offsetof(_, path) => path
            .iter_mut()
            .flat_map(|designator| match designator {
                Designator::Field(_) => vec![],
                Designator::Index(index) => vec![index],
                Designator::Range(low, high) => vec![low, high],
            })
            .collect(),
        ExprKind::ChooseExpr(c, a, b) => vec![c, a, b],
    }
}

/// The direct substatements of a statement, to be replaced. The items of a block are its own vector.
pub fn substatements_mut(kind: &mut StmtKind) -> Vec<&mut StmtId> {
    match kind {
        StmtKind::Compound(items) => items.iter_mut().collect(),
        StmtKind::If(_, then, otherwise) => std::iter::once(then).chain(otherwise).collect(),
        StmtKind::While(_, body) | StmtKind::Switch(_, body) | StmtKind::DoWhile(body, _) => vec![body],
        StmtKind::For { body, .. } | StmtKind::Case(_, _, body) => vec![body],
        StmtKind::Default(body) | StmtKind::Label(_, _, body) => vec![body],
        StmtKind::Expr(_)
        | StmtKind::Null
        | StmtKind::Decl(_)
        | StmtKind::NestedFn(_)
        | StmtKind::LocalLabels(_)
        | StmtKind::StaticAssert(..)
        | StmtKind::Goto(_)
        | StmtKind::GotoPtr(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_)
        | StmtKind::Attr(_)
        | StmtKind::Pragma(_)
        | StmtKind::Error => Vec::new(),
    }
}

/// The expressions that stand directly in a statement, to be replaced.
pub fn stmt_exprs_mut(kind: &mut StmtKind) -> Vec<&mut ExprId> {
    match kind {
        StmtKind::Expr(e) | StmtKind::GotoPtr(e) | StmtKind::StaticAssert(e, _) => vec![e],
        StmtKind::If(e, ..) | StmtKind::While(e, _) | StmtKind::Switch(e, _) | StmtKind::DoWhile(_, e) => {
            vec![e]
        }
        StmtKind::For { init, cond, step, .. } => {
            let init = if let ForInit::Expr(e) = init { Some(e) } else { None };
            init.into_iter().chain(cond).chain(step).collect()
        }
        StmtKind::Case(low, high, _) => std::iter::once(low).chain(high).collect(),
        StmtKind::Return(value) => value.iter_mut().collect(),
        StmtKind::Asm(asm) => asm.outputs.iter_mut().chain(&mut asm.inputs).map(|o| &mut o.expr).collect(),
        StmtKind::Compound(_)
        | StmtKind::Null
        | StmtKind::Decl(_)
        | StmtKind::NestedFn(_)
        | StmtKind::LocalLabels(_)
        | StmtKind::Default(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Attr(_)
        | StmtKind::Pragma(_)
        | StmtKind::Error => Vec::new(),
    }
}
