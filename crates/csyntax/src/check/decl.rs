//! Declarations at file scope and in blocks.

use super::Checker;
use super::attr::Attrs;
use super::fold::Const;
use super::scope::Entity;
use crate::ast::{self, DeclId, InitKind, Storage as Spec, TypeId, TypeKind};
use crate::source::Span;
use crate::tree::{InitEntry, Initializer, ObjId, StmtId, StmtKind, Storage};
use crate::types::{ArrayLen, QTy, Ty, TyKind};

/// Type and storage of an object that may be `constexpr`: such are `const`, and of internal linkage at file scope.
fn constexpr_as(ty: QTy, storage: Spec, at_file_scope: bool) -> (QTy, Spec) {
    if !storage.has(Spec::CONSTEXPR) {
        return (ty, storage);
    }
    let ty = QTy { quals: ty.quals.with(ast::Quals::CONST), ..ty };
    (ty, if at_file_scope { storage.with(Spec::STATIC) } else { storage })
}

impl Checker<'_> {
    /// Checks a declaration; in a block (`origin`) gives the statements it stands for.
    pub(super) fn declaration(&mut self, id: DeclId, origin: Option<ast::StmtId>) -> Vec<StmtId> {
        let ast = self.ast;
        let decl = &ast[id];
        let mut out = Vec::new();
        if decl.declarators.is_empty()
            && let TypeKind::Record(spec) = ast[decl.base].kind
        {
            self.redeclare_tag(spec);
        }
        let common = self.attrs(&decl.attrs, decl.span);
        let base = self.base_type(decl.base);
        let alignas = self.alignas(&decl.alignas, decl.span);
        if decl.declarators.is_empty() {
            self.flush_vlas(&mut out, origin, decl.span);
        }
        for declarator in &decl.declarators {
            let span = declarator.span;
            let own = self.attrs(&declarator.attrs, span);
            let mut attrs = own.with(common.clone());
            attrs.aligned = attrs.aligned.max(alignas);
            if self.infers_type(decl, declarator) {
                self.auto_type(declarator, base, decl.storage, &attrs, (origin, &mut out));
                continue;
            }
            let ty = self.resolve(declarator.ty, Some((decl.base, base)));
            let ty = self.apply_type_attrs(ty, &attrs, span);
            if origin.is_none() && self.variably_modified(ty.ty) && self.functions.is_empty() {
                self.error(span, "a declaration at file scope cannot depend on variable lengths");
                self.pending_vlas.clear();
                continue;
            }
            self.flush_vlas(&mut out, origin, span);
            if decl.storage.has(Spec::TYPEDEF) {
                self.typedef(declarator, decl.base, ty, &attrs);
            } else if self.is_function(ty.ty) {
                self.function_declaration(declarator, ty.ty, decl.storage, &attrs, origin.is_some());
            } else {
                let (ty, storage) = constexpr_as(ty, decl.storage, origin.is_none());
                self.object_declaration(declarator, ty, storage, &attrs, origin, &mut out);
            }
        }
        out
    }

    /// Statements that evaluate the variable lengths met since the last ones.
    pub(super) fn flush_vlas(&mut self, out: &mut Vec<StmtId>, origin: Option<ast::StmtId>, span: Span) {
        for vla in std::mem::take(&mut self.pending_vlas) {
            if let Some(origin) = origin {
                out.push(self.push_stmt(StmtKind::VlaEval(vla), span, origin));
            }
        }
    }

    fn typedef(&mut self, declarator: &ast::Declarator, base: TypeId, ty: QTy, attrs: &Attrs) {
        let ty = self.apply_typedef_attrs(ty, attrs);
        if attrs.transparent
            && let TyKind::Record(id) = *self.tykind(ty.ty)
        {
            self.tree.types.records[id.0 as usize].attrs.transparent = true;
        }
        let _ = base;
        match self.scope.lookup_here(declarator.name) {
            None => self.scope.bind(declarator.name, Entity::Typedef(ty)),
            Some(Entity::Typedef(old)) if self.compatible_q(old, ty) => {
                self.scope.rebind(declarator.name, Entity::Typedef(ty));
            }
            Some(_) => {
                let text = self.name(declarator.name).to_string();
                self.error(declarator.span, format!("redefinition of '{text}' as a different type"));
            }
        }
    }

    fn function_declaration(
        &mut self,
        declarator: &ast::Declarator,
        ty: Ty,
        storage: Spec,
        attrs: &Attrs,
        in_block: bool,
    ) {
        let span = declarator.span;
        if declarator.init.is_some() {
            let text = self.name(declarator.name).to_string();
            self.error(span, format!("the function '{text}' cannot be initialised"));
        }
        if in_block && storage.has(Spec::AUTO) {
            self.nested_declaration(declarator.name, ty, span);
            return;
        }
        if let Some(Entity::Function(id)) = self.scope.lookup_here(declarator.name)
            && self.tree.functions[id.index()].parent.is_some()
        {
            return;
        }
        let (id, fresh) = self.function_entity(declarator.name, span);
        self.merge_function(id, fresh, ty, storage, attrs, span);
        if let Some(label) = &declarator.asm_label {
            self.function(id).asm_label = Some(label.clone());
        }
    }

    fn object_declaration(
        &mut self,
        declarator: &ast::Declarator,
        ty: QTy,
        storage: Spec,
        attrs: &Attrs,
        origin: Option<ast::StmtId>,
        out: &mut Vec<StmtId>,
    ) {
        let span = declarator.span;
        let in_block = origin.is_some();
        if self.is_void(ty.ty) && in_block && !storage.has(Spec::EXTERN) {
            let text = self.name(declarator.name).to_string();
            self.error(span, format!("the object '{text}' cannot have type 'void'"));
            return;
        }
        let is_extern = storage.has(Spec::EXTERN);
        if !in_block || is_extern {
            let defines = declarator.init.is_some() || (!is_extern && attrs.alias.is_none());
            if in_block && declarator.init.is_some() {
                let text = self.name(declarator.name).to_string();
                self.error(span, format!("'{text}' is extern in a block and has an initialiser"));
            }
            let id = self.linked_object(declarator.name, ty, storage, defines, span);
            self.object(id).alias = attrs.alias;
            self.align_object(id, attrs.aligned);
            if let Some(init) = declarator.init {
                if self.tree.objects[id.index()].init.is_some() {
                    let text = self.name(declarator.name).to_string();
                    self.error(span, format!("redefinition of '{text}'"));
                }
                self.initialize(id, init, true);
            }
            self.note_constexpr(id, storage, span);
            return;
        }
        if self.scope.lookup_here(declarator.name).is_some() {
            let text = self.name(declarator.name).to_string();
            self.error(span, format!("redeclaration of '{text}' in the same block"));
        }
        let is_static = storage.has(Spec::STATIC) || storage.has(Spec::THREAD);
        let duration = if is_static { Storage::Static } else { Storage::Auto };
        let id = self.new_object(Some(declarator.name), ty, duration, span);
        self.scope.bind(declarator.name, Entity::Object(id));
        self.align_object(id, attrs.aligned);
        self.object(id).alias = attrs.alias;
        if let (Some(name), false) = (attrs.cleanup, is_static) {
            self.cleanup(id, name, span);
        }
        if is_static && self.variably_modified(ty.ty) && self.is_variable(ty.ty) {
            let text = self.name(declarator.name).to_string();
            self.error(span, format!("the static object '{text}' cannot have variable size"));
        }
        if let Some(init) = declarator.init {
            if self.is_variable(ty.ty) {
                self.error(span, "an array of variable length cannot be initialised");
            } else {
                self.initialize(id, init, is_static);
            }
        }
        self.note_constexpr(id, storage, span);
        self.need_complete(id, span);
        if let (Storage::Auto, Some(origin)) = (duration, origin) {
            out.push(self.push_stmt(StmtKind::Decl(id), span, origin));
        }
    }

    /// The GNU attribute `cleanup`: names the function that takes the object's address when its scope is left.
    fn cleanup(&mut self, id: ObjId, name: crate::intern::Symbol, span: Span) {
        match self.scope.lookup(name) {
            Some(Entity::Function(function)) => {
                let object = self.object(id);
                object.cleanup = Some(function);
                object.addressed = true;
            }
            Some(_) | None => {
                let text = self.name(name).to_string();
                self.error(span, format!("the cleanup '{text}' is no function"));
            }
        }
    }

    /// An object with storage must have a size by the end of its declarator.
    fn need_complete(&mut self, id: ObjId, span: Span) {
        let object = &self.tree.objects[id.index()];
        let (ty, name) = (object.ty, object.name);
        if !self.is_complete(ty.ty) {
            let text = name.map(|n| self.name(n).to_string()).unwrap_or_default();
            let shown = self.show(ty);
            if let TyKind::Array(elem, ArrayLen::Unknown) = *self.tykind(ty.ty) {
                self.error(span, format!("the size of the array '{text}' is missing"));
                self.object(id).ty.ty = self.tree.types.intern(TyKind::Array(elem, ArrayLen::Fixed(1)));
            } else {
                self.error(span, format!("the size of '{text}' is not known: '{shown}' is incomplete"));
                self.object(id).ty = Ty::INT.into();
            }
        }
    }

    /// Flattens the initialiser of an object and completes its type.
    pub(super) fn initialize(&mut self, id: ObjId, init: ast::InitId, is_static: bool) {
        let ty = self.tree.objects[id.index()].ty;
        let (initializer, ty, extra) = self.initializer(ty, init, is_static);
        let object = self.object(id);
        object.init = Some(initializer);
        object.ty = ty;
        object.extra = extra;
        self.align_object(id, None);
    }

    /// `__auto_type x = e`, or `auto x = e` that nothing before it says to be C23: an `int` by both readings, or neither.
    fn infers_type(&self, decl: &ast::Declaration, declarator: &ast::Declarator) -> bool {
        let plain = || declarator.ty == decl.base && declarator.init.is_some();
        match self.ast[decl.base].kind {
            TypeKind::Auto => true,
            TypeKind::Implicit => {
                (decl.storage.has(Spec::AUTO) || decl.storage.has(Spec::CONSTEXPR)) && plain()
            }
            _ => false,
        }
    }

    /// Keeps the value of a `constexpr` object (C23 6.7.2p5): it can stand in constant expressions.
    fn note_constexpr(&mut self, id: ObjId, storage: Spec, span: Span) {
        if !storage.has(Spec::CONSTEXPR) {
            return;
        }
        let object = &self.tree.objects[id.index()];
        let scalar = self.is_scalar(object.ty.ty) && !self.is_complex(object.ty.ty);
        let value = match object.init.as_ref().map(|init| init.entries.as_slice()) {
            None => {
                self.error(span, "a constexpr object needs an initialiser");
                return;
            }
            Some([entry]) if scalar => self.const_of(entry.value),
            // `{}`
            Some([]) if scalar && !self.is_float(object.ty.ty) => Some(Const::Int(0)),
            _ => return,
        };
        match value {
            Some(value) => {
                self.constexprs.insert(id, value);
            }
            None => self.error(span, "the initialiser of a constexpr object must be constant"),
        }
    }

    /// An object whose type is that of its initialiser.
    fn auto_type(
        &mut self,
        declarator: &ast::Declarator,
        base: QTy,
        storage: Spec,
        attrs: &Attrs,
        (origin, out): (Option<ast::StmtId>, &mut Vec<StmtId>),
    ) {
        let span = declarator.span;
        let value = match declarator.init.map(|i| &self.ast[i].kind) {
            Some(InitKind::Expr(value)) => self.rvalue(*value),
            Some(InitKind::List(_)) | None => {
                self.error(span, "'__auto_type' needs a plain initialiser");
                return;
            }
        };
        self.type_is_asked(value, span);
        let ty = QTy { ty: self.plain(self.ty(value)), quals: base.quals };
        let implicit = matches!(self.ast[declarator.ty].kind, TypeKind::Implicit);
        if implicit && ty.ty != Ty::INT {
            let what = "`auto` without a type, for which compilers of C17 take `int` and those of C23 the initialiser's";
            self.unsupported(span, what);
        }
        let (ty, storage) = constexpr_as(ty, storage, origin.is_none());
        let is_static = storage.has(Spec::STATIC) || storage.has(Spec::THREAD);
        if is_static && origin.is_some() && self.const_of(value).is_none() {
            self.error(span, "the initialiser of a static object must be constant");
        }
        let id = match origin {
            None => self.linked_object(declarator.name, ty, storage, true, span),
            Some(_) => {
                let duration = if is_static { Storage::Static } else { Storage::Auto };
                let id = self.new_object(Some(declarator.name), ty, duration, span);
                self.scope.bind(declarator.name, Entity::Object(id));
                id
            }
        };
        self.align_object(id, attrs.aligned);
        let entries = vec![InitEntry { offset: 0, bits: None, ty, value }];
        self.object(id).init = Some(Initializer { zero_fill: false, entries });
        self.note_constexpr(id, storage, span);
        self.flush_vlas(out, origin, span);
        if let (Some(origin), false) = (origin, is_static) {
            out.push(self.push_stmt(StmtKind::Decl(id), span, origin));
        }
    }

    pub(super) fn static_assert(&mut self, cond: ast::ExprId, message: Option<&[u8]>, span: Span) {
        if let Some((0, _)) = self.need_constant(cond, "the condition of '_Static_assert'") {
            let text = message.map(String::from_utf8_lossy).unwrap_or_default();
            self.error(span, format!("static assertion failed: {text}"));
        }
    }
}
