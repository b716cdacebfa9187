//! Structural equality of ASTs: the same tree, whatever its ids, spans and symbol numbers.
//!
//! A node is its shape (everything in it but its children) and its children; two trees are equal when shapes
//! agree pairwise. Works off a list, so no depth of tree exhausts the call stack.

use crate::ast::{
    Alignas, ArraySize, Ast, AttrArg, Attribute, Basic, Designator, ExprKind, FieldDecl, ForInit, InitKind,
    Item, Param, Params, Quals, StmtKind, TypeId, TypeKind,
};
use crate::intern::Symbol;
use crate::visit::{Node, chain, chain_end, children};
use std::mem::discriminant;

/// Are two units the same program text but for places and layout?
pub fn ast_eq(a: &Ast, b: &Ast) -> bool {
    first_difference(a, b).is_none()
}

/// Where two units first differ: the nodes on both sides, or `None` inside for the list of items itself.
pub fn first_difference(a: &Ast, b: &Ast) -> Option<Option<(Node, Node)>> {
    if a.items.len() != b.items.len() {
        return Some(None);
    }
    for (left, right) in a.items.iter().zip(&b.items) {
        let roots = match (left, right) {
            (Item::Function(l), Item::Function(r)) => (Node::Function(*l), Node::Function(*r)),
            (Item::Decl(l), Item::Decl(r)) => (Node::Decl(*l), Node::Decl(*r)),
            (Item::StaticAssert(l, lm, _), Item::StaticAssert(r, rm, _)) if lm == rm => {
                (Node::Expr(*l), Node::Expr(*r))
            }
            (Item::Asm(l, _), Item::Asm(r, _)) if l == r => continue,
            (Item::Pragma(l, _), Item::Pragma(r, _)) if l == r => continue,
            _ => return Some(None),
        };
        if let Some(nodes) = node_difference(a, roots.0, b, roots.1) {
            return Some(Some(nodes));
        }
    }
    None
}

/// Are two nodes, of one or two ASTs, the same?
pub fn node_eq(a: &Ast, left: Node, b: &Ast, right: Node) -> bool {
    node_difference(a, left, b, right).is_none()
}

fn node_difference(a: &Ast, left: Node, b: &Ast, right: Node) -> Option<(Node, Node)> {
    let mut pairs = vec![(left, right)];
    let (mut left_shape, mut right_shape) = (Shape::default(), Shape::default());
    let (mut left_nodes, mut right_nodes) = (Vec::new(), Vec::new());
    while let Some((left, right)) = pairs.pop() {
        left_shape.of(a, left);
        right_shape.of(b, right);
        left_nodes.clear();
        right_nodes.clear();
        children(a, left, |child| left_nodes.push(child));
        children(b, right, |child| right_nodes.push(child));
        if left_shape.atoms != right_shape.atoms || left_nodes.len() != right_nodes.len() {
            return Some((left, right));
        }
        pairs.extend(left_nodes.iter().copied().zip(right_nodes.iter().copied()).rev());
    }
    None
}

/// One fact about a node.
#[derive(PartialEq, Debug)]
enum Atom<'a> {
    Name(&'a str),
    Number(i128),
    Bytes(&'a [u8]),
    Units(&'a [u32]),
    Expr(std::mem::Discriminant<ExprKind>),
    Stmt(std::mem::Discriminant<StmtKind>),
    Type(std::mem::Discriminant<TypeKind>),
    Basic(Basic),
}

/// The facts about a node that are not its children, as a list.
#[derive(Default)]
struct Shape<'a> {
    atoms: Vec<Atom<'a>>,
}

impl<'a> Shape<'a> {
    fn number(&mut self, value: impl Into<i128>) {
        self.atoms.push(Atom::Number(value.into()));
    }

    fn count(&mut self, value: usize) {
        self.number(value as i64);
    }

    fn flag(&mut self, value: bool) {
        self.number(i32::from(value));
    }

    fn name(&mut self, ast: &'a Ast, name: Symbol) {
        self.atoms.push(Atom::Name(ast.names.name(name)));
    }

    fn maybe_name(&mut self, ast: &'a Ast, name: Option<Symbol>) {
        self.flag(name.is_some());
        if let Some(name) = name {
            self.name(ast, name);
        }
    }

    fn maybe_bytes(&mut self, bytes: Option<&'a [u8]>) {
        self.flag(bytes.is_some());
        self.atoms.extend(bytes.map(Atom::Bytes));
    }

    fn quals(&mut self, quals: Quals) {
        self.number(quals.0);
    }

    fn type_name(&mut self, ast: &'a Ast, ty: TypeId) {
        self.declarator(ast, ty, chain_end(ast, ty));
    }

    fn declarator(&mut self, ast: &'a Ast, ty: TypeId, base: TypeId) {
        self.count(chain(ast, ty, base).count());
    }

    fn attrs(&mut self, ast: &'a Ast, attrs: &'a [Attribute]) {
        self.count(attrs.len());
        for attr in attrs {
            self.name(ast, attr.name);
            self.flag(attr.args.is_some());
            self.count(attr.args.as_ref().map_or(0, Vec::len));
            for arg in attr.args.iter().flatten() {
                match arg {
                    AttrArg::Expr(_) => self.flag(false),
                    AttrArg::Type(ty) => {
                        self.flag(true);
                        self.type_name(ast, *ty);
                    }
                }
            }
        }
    }

    fn alignas(&mut self, ast: &'a Ast, alignas: &'a [Alignas]) {
        self.count(alignas.len());
        for alignment in alignas {
            match alignment {
                Alignas::Type(ty) => {
                    self.flag(true);
                    self.type_name(ast, *ty);
                }
                Alignas::Expr(_) => self.flag(false),
            }
        }
    }

    fn designators(&mut self, ast: &'a Ast, designators: &'a [Designator]) {
        self.count(designators.len());
        for designator in designators {
            match designator {
                Designator::Field(name) => self.name(ast, *name),
                Designator::Index(_) => self.number(1),
                Designator::Range(..) => self.number(2),
            }
        }
    }

    /// Replaces what is held by the shape of `node`.
    fn of(&mut self, ast: &'a Ast, node: Node) {
        self.atoms.clear();
        match node {
            Node::Expr(id) => self.expr(ast, &ast[id].kind),
            Node::Stmt(id) => self.stmt(ast, &ast[id].kind),
            Node::Type(id) => {
                self.quals(ast[id].quals);
                self.attrs(ast, &ast[id].attrs);
                self.ty(ast, &ast[id].kind);
            }
            Node::Init(id) => match &ast[id].kind {
                InitKind::Expr(_) => self.flag(false),
                InitKind::List(items) => {
                    self.flag(true);
                    self.count(items.len());
                    items.iter().for_each(|item| self.designators(ast, &item.designators));
                }
            },
            Node::Decl(id) => {
                let decl = &ast[id];
                self.number(decl.storage.0);
                self.alignas(ast, &decl.alignas);
                self.attrs(ast, &decl.attrs);
                self.count(decl.declarators.len());
                for declarator in &decl.declarators {
                    self.name(ast, declarator.name);
                    self.declarator(ast, declarator.ty, decl.base);
                    self.maybe_bytes(declarator.asm_label.as_deref());
                    self.attrs(ast, &declarator.attrs);
                    self.flag(declarator.init.is_some());
                }
            }
            Node::Function(id) => {
                let function = &ast[id];
                self.number(function.storage.0);
                self.name(ast, function.name);
                self.declarator(ast, function.ty, function.base);
                self.maybe_bytes(function.asm_label.as_deref());
                self.attrs(ast, &function.attrs);
                self.count(function.kr_decls.len());
            }
            Node::Record(id) => {
                let record = &ast[id];
                self.flag(record.is_union);
                self.maybe_name(ast, record.tag);
                self.attrs(ast, &record.attrs);
                self.number(record.pack.map_or(-1, i32::from));
                self.number(record.fields.as_ref().map_or(-1, |f| f.len() as i64));
                record.fields.iter().flatten().for_each(|field| self.field(ast, field));
            }
            Node::Enum(id) => {
                let spec = &ast[id];
                self.maybe_name(ast, spec.tag);
                self.attrs(ast, &spec.attrs);
                self.flag(spec.underlying.is_some());
                spec.underlying.into_iter().for_each(|ty| self.type_name(ast, ty));
                self.number(spec.enumerators.as_ref().map_or(-1, |e| e.len() as i64));
                for enumerator in spec.enumerators.iter().flatten() {
                    self.name(ast, enumerator.name);
                    self.attrs(ast, &enumerator.attrs);
                    self.flag(enumerator.value.is_some());
                }
            }
        }
    }

    fn field(&mut self, ast: &'a Ast, field: &'a FieldDecl) {
        match field {
            FieldDecl::Fields { base, alignas, attrs, declarators, span: _ } => {
                self.alignas(ast, alignas);
                self.attrs(ast, attrs);
                self.count(declarators.len());
                for field in declarators {
                    self.maybe_name(ast, field.name);
                    self.declarator(ast, field.ty, *base);
                    self.flag(field.width.is_some());
                    self.attrs(ast, &field.attrs);
                }
            }
            FieldDecl::StaticAssert(_, message) => {
                self.number(-1);
                self.maybe_bytes(message.as_deref());
            }
        }
    }

    fn param(&mut self, ast: &'a Ast, param: &'a Param) {
        self.number(param.storage.0);
        self.maybe_name(ast, param.name);
        self.declarator(ast, param.ty, param.base);
        self.attrs(ast, &param.attrs);
    }

    fn ty(&mut self, ast: &'a Ast, kind: &'a TypeKind) {
        self.atoms.push(Atom::Type(discriminant(kind)));
        match kind {
            TypeKind::Basic(basic) => self.atoms.push(Atom::Basic(*basic)),
            TypeKind::Typedef(name) => self.name(ast, *name),
            TypeKind::Array { elem: _, size, quals, is_static } => {
                self.quals(*quals);
                self.flag(*is_static);
                self.number(match size {
                    ArraySize::None => 0,
                    ArraySize::Star => 1,
                    ArraySize::Expr(_) => 2,
                });
            }
            TypeKind::Function { ret: _, params } => match params {
                Params::Unspecified => self.number(-1),
                Params::Identifiers(names) => {
                    self.number(-2);
                    names.iter().for_each(|&name| self.name(ast, name));
                }
                Params::Prototype { params, variadic } => {
                    self.count(params.len());
                    self.flag(*variadic);
                    params.iter().for_each(|param| self.param(ast, param));
                }
            },
            TypeKind::TypeofType(ty) | TypeKind::Atomic(ty) | TypeKind::Unqual(ty) => {
                self.type_name(ast, *ty)
            }
            TypeKind::BitInt(_, unsigned) => self.flag(*unsigned),
            TypeKind::Record(_)
            | TypeKind::Enum(_)
            | TypeKind::Pointer(_)
            | TypeKind::TypeofExpr(_)
            | TypeKind::Auto
            | TypeKind::Implicit => {}
        }
    }

    fn expr(&mut self, ast: &'a Ast, kind: &'a ExprKind) {
        self.atoms.push(Atom::Expr(discriminant(kind)));
        match kind {
            ExprKind::Ident(name) | ExprKind::LabelAddr(name) => self.name(ast, *name),
            ExprKind::Int { value, suffix, base } => {
                // Bit for bit; the sign means nothing here.
                self.number(*value as i128);
                self.flag(suffix.unsigned);
                self.number(suffix.long);
                self.flag(suffix.imaginary);
                self.flag(suffix.bits);
                self.number(*base as u8);
            }
            ExprKind::Float { text, suffix } => {
                self.name(ast, *text);
                self.atoms.push(Atom::Name(float_suffix(suffix.kind)));
                self.flag(suffix.imaginary);
            }
            ExprKind::Char { value, prefix } => {
                self.number(*value);
                self.number(*prefix as u8);
            }
            ExprKind::Str(lit) => {
                self.number(lit.prefix as u8);
                self.atoms.push(Atom::Units(&lit.units));
            }
            ExprKind::Unary(op, _) => self.number(*op as u8),
            ExprKind::Binary(op, ..) => self.number(*op as u8),
            ExprKind::Assign(op, ..) => self.number(op.map_or(-1, |op| op as i32)),
            ExprKind::Cond(_, middle, _) => self.flag(middle.is_some()),
            ExprKind::Call(_, args) => self.count(args.len()),
            ExprKind::Member { base: _, arrow, field } => {
                self.flag(*arrow);
                self.name(ast, *field);
            }
            ExprKind::Cast(ty, _) | ExprKind::CompoundLit(ty, _) => self.type_name(ast, *ty),
            ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) => self.type_name(ast, *ty),
            ExprKind::VaArg(_, ty) | ExprKind::ConvertVector(_, ty) => self.type_name(ast, *ty),
            ExprKind::Generic(_, arms) => {
                self.count(arms.len());
                for (ty, _) in arms {
                    self.flag(ty.is_some());
                    ty.iter().for_each(|&ty| self.type_name(ast, ty));
                }
            }
            ExprKind::Offsetof(ty, path) => {
                self.type_name(ast, *ty);
                self.designators(ast, path);
            }
            ExprKind::TypesCompatible(first, second) => {
                self.type_name(ast, *first);
                self.type_name(ast, *second);
            }
            ExprKind::Comma(..)
            | ExprKind::Index(..)
            | ExprKind::SizeofExpr(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::ChooseExpr(..)
            | ExprKind::Error => {}
        }
    }

    fn stmt(&mut self, ast: &'a Ast, kind: &'a StmtKind) {
        self.atoms.push(Atom::Stmt(discriminant(kind)));
        match kind {
            StmtKind::Compound(items) => self.count(items.len()),
            StmtKind::LocalLabels(names) => names.iter().for_each(|&name| self.name(ast, name)),
            StmtKind::StaticAssert(_, message) => self.maybe_bytes(message.as_deref()),
            StmtKind::If(_, _, otherwise) => self.flag(otherwise.is_some()),
            StmtKind::For { init, cond, step, body: _ } => {
                self.number(match init {
                    ForInit::None => 0,
                    ForInit::Expr(_) => 1,
                    ForInit::Decl(_) => 2,
                });
                self.flag(cond.is_some());
                self.flag(step.is_some());
            }
            StmtKind::Case(_, high, _) => self.flag(high.is_some()),
            StmtKind::Label(name, attrs, _) => {
                self.name(ast, *name);
                self.attrs(ast, attrs);
            }
            StmtKind::Goto(name) => self.name(ast, *name),
            StmtKind::Return(value) => self.flag(value.is_some()),
            StmtKind::Asm(asm) => {
                [asm.volatile, asm.goto, asm.inline, asm.extended].into_iter().for_each(|b| self.flag(b));
                self.atoms.push(Atom::Bytes(&asm.template));
                self.count(asm.outputs.len());
                for operand in asm.outputs.iter().chain(&asm.inputs) {
                    self.maybe_name(ast, operand.name);
                    self.atoms.push(Atom::Bytes(&operand.constraint));
                }
                self.atoms.extend(asm.clobbers.iter().map(|c| Atom::Bytes(c)));
                asm.labels.iter().for_each(|&label| self.name(ast, label));
            }
            StmtKind::Attr(attrs) => self.attrs(ast, attrs),
            StmtKind::Pragma(text) => self.atoms.push(Atom::Name(text)),
            StmtKind::Expr(_)
            | StmtKind::Null
            | StmtKind::Decl(_)
            | StmtKind::NestedFn(_)
            | StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::Switch(..)
            | StmtKind::Default(_)
            | StmtKind::GotoPtr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Error => {}
        }
    }
}

/// One spelling for each kind of floating suffix.
fn float_suffix(kind: crate::ast::FloatSuffixKind) -> &'static str {
    crate::lex::literal::FLOAT_SUFFIXES.iter().find(|s| s.1 == kind).map_or("?", |s| s.0)
}
