//! Function definitions, nested ones too.

use super::attr::Attrs;
use super::scope::Entity;
use super::{Checker, labels::Labels};
use crate::ast::{self, ArraySize, Params, Quals, Storage as Spec, TypeKind};
use crate::intern::Symbol;
use crate::source::Span;
use crate::tree::{FnId, Linkage, ObjId, StmtId, StmtKind, Storage};
use crate::types::{FnTy, QTy, Ty, TyKind};
use rustc_hash::FxHashMap;

/// A function whose body is being checked.
#[derive(Debug)]
pub(super) struct FnState {
    pub(super) id: FnId,
    /// Its definition.
    pub(super) definition: ast::FnId,
    pub(super) ret: Ty,
    /// Automatic objects of the blocks that are open, the innermost last.
    pub(super) locals: Vec<Vec<ObjId>>,
    pub(super) labels: Labels,
    pub(super) switches: Vec<super::stmt::SwitchState>,
    /// How many loops and switches can be left by `break`.
    pub(super) breakable: u32,
    /// How many loops can be continued.
    pub(super) loops: u32,
    /// The object behind `__func__`.
    pub(super) name_object: Option<ObjId>,
    /// Does it call `setjmp`?
    pub(super) setjmp: bool,
}

impl Checker<'_> {
    pub(super) fn function_definition(&mut self, id: ast::FnId) {
        let ast = self.ast;
        let node = &ast[id];
        let (function, fresh) = self.function_entity(node.name, node.span);
        let attrs = self.attrs(&node.attrs, node.span);
        let was = self.tree.functions[function.index()].body.is_some();
        let Some(ty) = self.open_function(id, function, &attrs) else { return };
        let ty = self.implicit_int(node, function, fresh, ty);
        self.merge_function(function, fresh, ty, node.storage, &attrs, node.span);
        let before = self.function(function).origin;
        let inline_before = before.is_some_and(|o| {
            let gnu = self.attrs(&ast[o].attrs, ast[o].span).gnu_inline;
            gnu && ast[o].storage.has(Spec::INLINE) && ast[o].storage.has(Spec::EXTERN)
        });
        if was && !inline_before {
            let text = self.name(node.name).to_string();
            self.error(node.span, format!("redefinition of the function '{text}'"));
        }
        self.close_function(id, function);
    }

    /// `void f(void); f(void) { ... }`: a definition without return type keeps the declared `void`.
    fn implicit_int(&mut self, node: &ast::Function, function: FnId, fresh: bool, ty: Ty) -> Ty {
        let old = self.fn_ty(self.tree.functions[function.index()].ty).map(|f| f.ret.ty);
        let implicit = matches!(self.ast[node.base].kind, TypeKind::Implicit);
        if fresh || !implicit || old != Some(Ty::VOID) {
            return ty;
        }
        let Some(fn_ty) = self.fn_ty(ty).cloned().filter(|f| f.ret.ty == Ty::INT) else { return ty };
        if let Some(state) = self.functions.last_mut() {
            state.ret = Ty::VOID;
        }
        self.tree.types.intern(TyKind::Function(FnTy { ret: Ty::VOID.into(), ..fn_ty }))
    }

    /// A nested function, in the block where it stands.
    pub(super) fn nested_definition(&mut self, id: ast::FnId) {
        let ast = self.ast;
        let node = &ast[id];
        let attrs = self.attrs(&node.attrs, node.span);
        let function = self.nested_declaration(node.name, Ty::VOID, node.span);
        let Some(ty) = self.open_function(id, function, &attrs) else { return };
        self.function(function).ty = ty;
        self.close_function(id, function);
    }

    /// Declares a nested function (`auto int f(int);`) or finds it declared.
    pub(super) fn nested_declaration(&mut self, name: Symbol, ty: Ty, span: Span) -> FnId {
        let parent = self.current();
        if let Some(Entity::Function(id)) = self.scope.lookup_here(name)
            && self.tree.functions[id.index()].parent == parent
            && self.tree.functions[id.index()].body.is_none()
        {
            return id;
        }
        let id = self.new_function(name, ty, span);
        let function = self.function(id);
        function.parent = parent;
        function.linkage = Linkage::None;
        self.bind_function(name, id, span);
        id
    }

    /// Enters the scope of a function's parameters and declares them; gives the function's type.
    fn open_function(&mut self, id: ast::FnId, function: FnId, attrs: &Attrs) -> Option<Ty> {
        let ast = self.ast;
        let node = &ast[id];
        let base = self.base_type(node.base);
        let TypeKind::Function { ret, params } = &ast[node.ty].kind else {
            let text = self.name(node.name).to_string();
            self.error(node.span, format!("'{text}' is defined like a function but its type is none"));
            return None;
        };
        let ret_ty = self.resolve(*ret, Some((node.base, base)));
        let ret_ty = self.apply_type_attrs(ret_ty, attrs, node.span);
        self.check_return(ret_ty.ty, node.span);
        let ret_ty = QTy { ty: ret_ty.ty, quals: Quals::NONE };
        if !self.is_void(ret_ty.ty) && !self.is_complete(ret_ty.ty) {
            let text = self.show(ret_ty);
            self.error(node.span, format!("the return type '{text}' is incomplete"));
        }
        self.functions.push(FnState {
            id: function,
            definition: id,
            ret: ret_ty.ty,
            locals: vec![Vec::new()],
            labels: Labels::default(),
            switches: Vec::new(),
            breakable: 0,
            loops: 0,
            name_object: None,
            setjmp: false,
        });
        self.scope.enter();
        let mut objects = Vec::new();
        let made = match params {
            Params::Prototype { params, variadic } => {
                let mut types = Vec::new();
                for param in params {
                    let (ty, list) = self.param_type(param);
                    types.push(QTy { ty: ty.ty, quals: Quals::NONE });
                    let own = self.attrs(&param.attrs, param.span);
                    let object = self.parameter(param.name, ty, objects.len(), own.aligned, param.span);
                    self.object(object).least = self.least_bytes(param, ty);
                    self.object(object).list = list;
                    objects.push(object);
                }
                FnTy { ret: ret_ty, params: types, variadic: *variadic, prototype: true }
            }
            Params::Identifiers(names) => {
                objects = self.old_style(node, names);
                FnTy { ret: ret_ty, params: Vec::new(), variadic: false, prototype: false }
            }
            Params::Unspecified => {
                FnTy { ret: ret_ty, params: Vec::new(), variadic: false, prototype: false }
            }
        };
        self.function(function).params = objects;
        Some(self.tree.types.intern(TyKind::Function(made)))
    }

    fn parameter(
        &mut self,
        name: Option<Symbol>,
        ty: QTy,
        index: usize,
        aligned: Option<u64>,
        span: Span,
    ) -> ObjId {
        let ty = if self.is_complete(ty.ty) {
            ty
        } else {
            let text = self.show(ty);
            self.error(
                span,
                format!("a parameter of a defined function cannot have the incomplete type '{text}'"),
            );
            Ty::INT.into()
        };
        let object = self.new_object(name, ty, Storage::Param(index as u32), span);
        self.align_object(object, aligned);
        if let Some(name) = name {
            if self.scope.lookup_here(name).is_some() {
                let text = self.name(name).to_string();
                self.error(span, format!("two parameters are called '{text}'"));
            }
            self.scope.bind(name, Entity::Object(object));
        }
        object
    }

    /// What `[static n]` asks of an argument, in bytes (C11 6.7.6.3p7); 0 where the length is no constant.
    fn least_bytes(&mut self, param: &ast::Param, ty: QTy) -> u64 {
        let TypeKind::Array { is_static: true, size: ArraySize::Expr(size), .. } = self.ast[param.ty].kind
        else {
            return 0;
        };
        let elem = match self.tykind(ty.ty) {
            TyKind::Pointer(elem) => self.types().layout(elem.ty).map_or(0, |l| l.size),
            _ => 0,
        };
        let count = self.constant(size).and_then(|(n, _)| u64::try_from(n).ok()).unwrap_or(0);
        count.saturating_mul(elem)
    }

    /// Parameters of `int f(a, b) int a; char b; { ... }`.
    fn old_style(&mut self, node: &ast::Function, names: &[Symbol]) -> Vec<ObjId> {
        let ast = self.ast;
        let mut declared: FxHashMap<Symbol, (QTy, Option<u64>, Span)> = FxHashMap::default();
        for &decl in &node.kr_decls {
            let decl = &ast[decl];
            let base = self.base_type(decl.base);
            for declarator in &decl.declarators {
                let span = declarator.span;
                let attrs = self.both_attrs(&declarator.attrs, &decl.attrs, span);
                let ty = self.resolve(declarator.ty, Some((decl.base, base)));
                let ty = self.apply_type_attrs(ty, &attrs, span);
                let ty = self.adjust_param(ty, Quals::NONE, span);
                if !names.contains(&declarator.name) {
                    let text = self.name(declarator.name).to_string();
                    self.error(span, format!("'{text}' is declared here but is no parameter"));
                }
                declared.insert(declarator.name, (ty, attrs.aligned, span));
            }
        }
        let mut objects = Vec::with_capacity(names.len());
        for &name in names {
            let unknown = (QTy::from(Ty::INT), None, node.span);
            let (ty, aligned, span) = declared.get(&name).copied().unwrap_or(unknown);
            objects.push(self.parameter(Some(name), ty, objects.len(), aligned, span));
        }
        objects
    }

    /// `longjmp` takes the values of changed objects (C11 7.13.2.1p3): none of the function's may live in registers.
    fn keep_in_memory(&mut self, function: FnId) {
        for object in self.tree.objects.iter_mut().rev().filter(|o| o.owner == Some(function)) {
            object.addressed |= object.storage != Storage::Static;
        }
    }

    /// Checks the body in the scope of the parameters and leaves the function.
    fn close_function(&mut self, id: ast::FnId, function: FnId) {
        let ast = self.ast;
        let node = &ast[id];
        if let Some(label) = &node.asm_label {
            self.function(function).asm_label = Some(label.clone());
        }
        self.function(function).origin = Some(id);
        self.function(function).span = node.span;
        if self.functions.len() > 1 {
            self.function(function).linkage = Linkage::None;
        }
        let mut body: Vec<StmtId> = Vec::new();
        self.flush_vlas(&mut body, Some(node.body), ast[node.body].span);
        match &ast[node.body].kind {
            ast::StmtKind::Compound(items) => self.items(items, &mut body),
            _ => {
                let stmt = self.stmt(node.body);
                body.push(stmt);
            }
        }
        self.scope.leave();
        let Some(mut state) = self.functions.pop() else { return };
        if state.setjmp {
            self.keep_in_memory(function);
        }
        let locals = state.locals.pop().unwrap_or_default();
        let block = self.push_stmt(StmtKind::Block { locals, body }, ast[node.body].span, node.body);
        let labels = self.finish_labels(state.labels);
        let function = self.function(function);
        function.body = Some(block);
        function.labels = labels;
    }
}
