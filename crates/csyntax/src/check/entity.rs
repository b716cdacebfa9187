//! Declared functions and objects: linkage, redeclaration, composite types.

use super::attr::Attrs;
use super::scope::Entity;
use super::{Checker, builtin_table};
use crate::ast::Storage as Spec;
use crate::intern::Symbol;
use crate::source::Span;
use crate::tree::{FnId, Function, Linkage, ObjId, Storage};
use crate::types::{ArrayLen, QTy, Ty, TyKind};

impl Checker<'_> {
    /// The function of that name with linkage, made if there is none; `true` if it was made.
    pub(super) fn function_entity(&mut self, name: Symbol, span: Span) -> (FnId, bool) {
        let known = match self.scope.linked(name) {
            Some(Entity::Function(id)) => Some(id),
            Some(Entity::Object(_)) => {
                let text = self.name(name).to_string();
                self.error(span, format!("'{text}' is declared as an object elsewhere"));
                None
            }
            Some(Entity::Typedef(_) | Entity::Constant(..) | Entity::ProtoParam(_)) | None => None,
        };
        let id = match known {
            Some(id) => id,
            None => {
                let id = self.new_function(name, Ty::VOID, span);
                self.scope.link(name, Entity::Function(id));
                id
            }
        };
        self.bind_function(name, id, span);
        (id, known.is_none())
    }

    /// Makes a function's name visible in the innermost scope.
    pub(super) fn bind_function(&mut self, name: Symbol, id: FnId, span: Span) {
        match self.scope.lookup_here(name) {
            Some(Entity::Function(known)) if known == id => {}
            Some(_) => {
                let text = self.name(name).to_string();
                self.error(span, format!("'{text}' is declared as something else in this scope"));
            }
            None => self.scope.bind(name, Entity::Function(id)),
        }
    }

    pub(super) fn new_function(&mut self, name: Symbol, ty: Ty, span: Span) -> FnId {
        self.tree.functions.push(Function {
            name,
            ty,
            params: Vec::new(),
            body: None,
            linkage: Linkage::External,
            implicit: false,
            unlike_library: false,
            noreturn: false,
            nonnull: 0,
            returns_nonnull: false,
            asm_label: None,
            alias: None,
            align: 1,
            constructor: None,
            destructor: None,
            labels: Vec::new(),
            parent: None,
            origin: None,
            span,
        });
        FnId(self.tree.functions.len() as u32 - 1)
    }

    pub(super) fn function(&mut self, id: FnId) -> &mut Function {
        &mut self.tree.functions[id.index()]
    }

    /// Joins one more declaration of a function to what is known of it.
    pub(super) fn merge_function(
        &mut self,
        id: FnId,
        fresh: bool,
        ty: Ty,
        storage: Spec,
        attrs: &Attrs,
        span: Span,
    ) {
        let name = self.tree.functions[id.index()].name;
        let text = self.name(name).to_string();
        let builtin = builtin_table::lookup(&text);
        let is_static = storage.has(Spec::STATIC);
        if fresh {
            let mut ty = ty;
            let mut unlike = false;
            if let Some(builtin) = builtin {
                let known = self.builtin_ty(builtin);
                unlike = !is_static && self.unlike_library(known, ty);
                if self.compatible(known, ty) && self.fn_ty(ty).is_some_and(|f| !f.prototype) {
                    ty = self.composite(known, ty);
                }
            }
            let function = self.function(id);
            function.ty = ty;
            function.unlike_library = unlike;
            function.linkage = if is_static { Linkage::Internal } else { Linkage::External };
            function.noreturn = builtin.is_some_and(|b| b.noreturn);
        } else {
            let old = self.tree.functions[id.index()].clone();
            if self.compatible(old.ty, ty) {
                let ty = self.composite(old.ty, ty);
                self.function(id).ty = ty;
            } else {
                let (a, b) = (self.show(old.ty), self.show(ty));
                let void = self.fn_ty(ty).is_some_and(|f| f.ret.ty == Ty::VOID);
                if old.implicit && (builtin.is_some() || void) {
                    self.warn(span, format!("'{text}' was used as '{a}' and is now declared as '{b}'"));
                } else {
                    self.error(span, format!("conflicting types for '{text}': '{a}' before, '{b}' now"));
                }
                self.function(id).ty = ty;
            }
            if is_static && old.linkage == Linkage::External {
                if old.implicit && builtin.is_some() {
                    self.function(id).linkage = Linkage::Internal;
                } else {
                    self.error(span, format!("static declaration of '{text}' follows a non-static one"));
                }
            }
        }
        let function = self.function(id);
        function.implicit = false;
        function.noreturn |= attrs.noreturn || storage.has(Spec::NORETURN);
        function.nonnull |= attrs.nonnull;
        function.returns_nonnull |= attrs.returns_nonnull;
        function.constructor = attrs.constructor.or(function.constructor);
        function.destructor = attrs.destructor.or(function.destructor);
        function.alias = function.alias.or(attrs.alias);
        function.align = function.align.max(attrs.aligned.unwrap_or(1));
    }

    /// Is a declared type another than that of the library function? Where the table says `void *`, any pointer is meant:
    /// headers name types there that it cannot (`FILE *`).
    fn unlike_library(&self, known: Ty, declared: Ty) -> bool {
        if self.compatible(known, declared) {
            return false;
        }
        let (Some(known), Some(declared)) = (self.fn_ty(known), self.fn_ty(declared)) else { return true };
        let stands_for = |known: &QTy, declared: &QTy| match (self.tykind(known.ty), self.tykind(declared.ty))
        {
            (TyKind::Pointer(to), TyKind::Pointer(_)) if to.ty == Ty::VOID => true,
            _ => self.compatible_q(*known, *declared),
        };
        // Without a prototype a function with `...` must not be called (C11 6.5.2.2p6); others may be declared so.
        if !declared.prototype {
            return known.variadic;
        }
        (known.variadic, known.params.len()) != (declared.variadic, declared.params.len())
            || !stands_for(&known.ret, &declared.ret)
            || known.params.iter().zip(&declared.params).any(|(a, b)| !stands_for(a, b))
    }

    /// A function called without declaration.
    pub(super) fn implicit_function(&mut self, name: Symbol, span: Span) -> FnId {
        if let Some(Entity::Function(id)) = self.scope.linked(name) {
            self.scope.bind(name, Entity::Function(id));
            return id;
        }
        let ret = QTy::from(Ty::INT);
        let fn_ty = crate::types::FnTy { ret, params: Vec::new(), variadic: false, prototype: false };
        let ty = self.tree.types.intern(TyKind::Function(fn_ty));
        let id = self.new_function(name, ty, span);
        self.function(id).implicit = true;
        self.scope.link(name, Entity::Function(id));
        self.scope.bind(name, Entity::Function(id));
        id
    }

    /// Declares an object with linkage (file scope, or `extern` in a block).
    pub(super) fn linked_object(
        &mut self,
        name: Symbol,
        ty: QTy,
        storage: Spec,
        defines: bool,
        span: Span,
    ) -> ObjId {
        let text = self.name(name).to_string();
        let is_static = storage.has(Spec::STATIC);
        let id = match self.scope.linked(name) {
            Some(Entity::Object(id)) => {
                let old = self.tree.objects[id.index()].clone();
                if !self.compatible_q(old.ty, ty) {
                    let (a, b) = (self.show(old.ty), self.show(ty));
                    self.error(span, format!("conflicting types for '{text}': '{a}' before, '{b}' now"));
                }
                let merged = self.composite(old.ty.ty, ty.ty);
                self.object(id).ty.ty = merged;
                if is_static && old.linkage == Linkage::External {
                    self.error(span, format!("static declaration of '{text}' follows a non-static one"));
                } else if !is_static && old.linkage == Linkage::Internal && !storage.has(Spec::EXTERN) {
                    self.error(span, format!("non-static declaration of '{text}' follows a static one"));
                }
                id
            }
            other => {
                if other.is_some() {
                    self.error(span, format!("'{text}' is declared as a function elsewhere"));
                }
                let id = self.new_object(Some(name), ty, Storage::Static, span);
                let object = self.object(id);
                object.linkage = if is_static { Linkage::Internal } else { Linkage::External };
                object.owner = None;
                object.defined = false;
                self.scope.link(name, Entity::Object(id));
                id
            }
        };
        match self.scope.lookup_here(name) {
            Some(Entity::Object(known)) if known == id => {}
            Some(_) => self.error(span, format!("'{text}' is declared as something else in this scope")),
            None => self.scope.bind(name, Entity::Object(id)),
        }
        if defines {
            let object = self.object(id);
            object.defined = true;
            object.span = span;
        }
        id
    }

    /// Raises an object's alignment to what its type and attributes ask for.
    pub(super) fn align_object(&mut self, id: ObjId, aligned: Option<u64>) {
        let ty = self.tree.objects[id.index()].ty.ty;
        let natural = self.types().layout(ty).map_or(1, |l| l.align);
        let object = self.object(id);
        object.align = object.align.max(natural).max(aligned.unwrap_or(1));
    }

    /// At the end of the unit: tentative definitions of arrays get one element, incomplete ones are errors.
    pub(super) fn finish_tentative(&mut self) {
        for index in 0..self.tree.objects.len() {
            let object = &self.tree.objects[index];
            if object.linkage == Linkage::None || !object.defined {
                continue;
            }
            let (ty, span, name) = (object.ty, object.span, object.name);
            if let TyKind::Array(elem, ArrayLen::Unknown) = *self.tykind(ty.ty) {
                self.tree.objects[index].ty.ty =
                    self.tree.types.intern(TyKind::Array(elem, ArrayLen::Fixed(1)));
            } else if !self.is_complete(ty.ty) {
                let text = name.map(|n| self.name(n).to_string()).unwrap_or_default();
                let ty = self.show(ty);
                self.error(span, format!("'{text}' has the incomplete type '{ty}'"));
                continue;
            }
            self.align_object(ObjId(index as u32), None);
        }
    }
}
