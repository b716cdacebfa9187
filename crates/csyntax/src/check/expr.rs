//! Expressions: one line a kind, and the primary and postfix ones.

use super::scope::Entity;
use super::{At, Checker};
use crate::ast::{self, BinOp, ExprKind as A};
use crate::intern::Symbol;
use crate::tree::{ExprId, ExprKind, Linkage, Object, Storage};
use crate::types::{QTy, RecordId, Ty, TyKind};

impl Checker<'_> {
    /// An expression as written: an lvalue, a function designator or a value.
    pub(super) fn expr(&mut self, id: ast::ExprId) -> ExprId {
        let at = self.at(id);
        // Nothing is deeper than a leaf.
        if let A::Ident(_) | A::Int { .. } = self.ast[id].kind {
            return self.expr_node(id, at);
        }
        self.deeper(at.span, |c| c.expr_node(id, at), |c| c.poison(at))
    }

    /// The value of an expression.
    pub(super) fn rvalue(&mut self, id: ast::ExprId) -> ExprId {
        let expr = self.expr(id);
        self.value(expr)
    }

    fn expr_node(&mut self, id: ast::ExprId, at: At) -> ExprId {
        let ast = self.ast;
        match &ast[id].kind {
            A::Ident(name) => self.ident(*name, at),
            A::Int { value, suffix, base } => self.int_literal(*value, *suffix, *base, at),
            A::Float { text, suffix } => self.float_literal(*text, *suffix, at),
            A::Char { value, prefix } => self.char_literal(*value, *prefix, at),
            A::Str(lit) => self.str_literal(lit, at),
            A::Unary(op, operand) => self.unary(*op, *operand, at),
            A::Binary(..) => self.binary_chain(id),
            A::Assign(op, place, value) => self.assign(*op, *place, *value, at),
            A::Cond(cond, then, other) => self.conditional(*cond, *then, *other, at),
            A::Comma(..) => self.comma_chain(id),
            A::Call(callee, args) => self.call(*callee, args, at),
            A::Index(base, index) => self.index(*base, *index, at),
            A::Member { base, arrow, field } => self.member_access(*base, *arrow, *field, at),
            A::Cast(ty, value) => self.cast(*ty, *value, at),
            A::CompoundLit(ty, init) => self.compound_literal(*ty, *init, at),
            A::SizeofExpr(operand) => self.sizeof_expr(*operand, at),
            A::SizeofType(ty) => self.sizeof_type(*ty, at),
            A::AlignofExpr(operand) => self.alignof_expr(*operand, at),
            A::AlignofType(ty) => self.alignof_type(*ty, at),
            A::Generic(value, choices) => self.generic(*value, choices, at),
            A::StmtExpr(body) => self.statement_expr(*body, at),
            A::LabelAddr(label) => self.label_address(*label, at),
            A::VaArg(list, ty) => self.va_arg(*list, *ty, at),
            A::Offsetof(ty, path) => self.offsetof(*ty, path, at),
            A::TypesCompatible(a, b) => self.types_compatible(*a, *b, at),
            A::ChooseExpr(cond, a, b) => self.choose_expr(*cond, *a, *b, at),
            A::ConvertVector(value, ty) => self.convert_vector(*value, *ty, at),
            A::Error => {
                self.errors += 1;
                self.poison(at)
            }
        }
    }

    /// `a op b op c ...`, without recursion along the left operands.
    fn binary_chain(&mut self, id: ast::ExprId) -> ExprId {
        let ast = self.ast;
        let (mut spine, mut first) = (Vec::new(), id);
        while let A::Binary(op, left, right) = ast[first].kind {
            spine.push((first, op, right));
            first = left;
        }
        let mut left = self.expr(first);
        for (id, op, right) in spine.into_iter().rev() {
            let at = self.at(id);
            left = match op {
                BinOp::LogAnd | BinOp::LogOr => self.logical(op == BinOp::LogAnd, left, right, at),
                _ => {
                    let right = self.expr(right);
                    self.binary(op, left, right, at)
                }
            };
        }
        left
    }

    fn comma_chain(&mut self, id: ast::ExprId) -> ExprId {
        let ast = self.ast;
        let (mut spine, mut first) = (Vec::new(), id);
        while let A::Comma(left, right) = ast[first].kind {
            spine.push((first, right));
            first = left;
        }
        let mut left = self.expr(first);
        for (id, right) in spine.into_iter().rev() {
            let at = self.at(id);
            let effects = self.discarded(left);
            let right = self.rvalue(right);
            left = self.push(ExprKind::Comma(effects, right), self.ty(right), at);
            self.facts[left.index()].narrow = self.facts[right.index()].narrow;
        }
        left
    }

    /// An expression whose value nobody uses. Lvalues are read all the same (volatile ones count).
    pub(super) fn discarded(&mut self, id: ExprId) -> ExprId {
        let qty = self.qty(id);
        if self.is_array(qty.ty) || self.is_function(qty.ty) {
            return id;
        }
        if self.is_record(qty.ty) && self.is_lvalue(id) && self.types().layout(qty.ty).is_none() {
            return id;
        }
        self.value(id)
    }

    // ----- names

    fn ident(&mut self, name: Symbol, at: At) -> ExprId {
        match self.scope.lookup(name) {
            Some(Entity::Object(object)) => {
                self.capture(object);
                let ty = self.tree.objects[object.index()].ty;
                self.push(ExprKind::Object(object), ty, at)
            }
            Some(Entity::Function(function)) => {
                let ty = self.tree.functions[function.index()].ty;
                self.push(ExprKind::Function(function), ty, at)
            }
            Some(Entity::Constant(value, ty)) => self.int_const(value, ty, at),
            Some(Entity::ProtoParam(ty)) => {
                let object = self.new_object(None, ty, Storage::Auto, at.span);
                self.object(object).defined = false;
                self.push(ExprKind::Object(object), ty, at)
            }
            Some(Entity::Typedef(_)) => {
                let text = self.name(name).to_string();
                self.error_expr(at, format!("expected an expression, found the type name '{text}'"))
            }
            None => self.predeclared(name, at),
        }
    }

    fn predeclared(&mut self, name: Symbol, at: At) -> ExprId {
        let text = self.name(name).to_string();
        match text.as_str() {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => return self.function_name(at),
            // Constants of C23 where no declaration made another thing of them.
            "true" | "false" => return self.int_const(u128::from(text == "true"), Ty::BOOL, at),
            "nullptr" => {
                let pointer = self.tree.types.pointer(Ty::VOID);
                let zero = self.int_const(0, Ty::INT, at);
                return self.coerce(zero, pointer);
            }
            _ => {}
        }
        if text.starts_with("__builtin_")
            && let Some(function) = self.declare_builtin(name, &text, at.span)
        {
            let ty = self.tree.functions[function.index()].ty;
            return self.push(ExprKind::Function(function), ty, at);
        }
        self.error_expr(at, format!("'{text}' is not declared"))
    }

    /// Notes the use of an enclosing function's automatic object by a nested function.
    fn capture(&mut self, object: crate::tree::ObjId) {
        let current = self.current();
        let unevaluated = self.unevaluated > 0;
        let node = self.object(object);
        if matches!(node.storage, Storage::Auto | Storage::Param(_)) && node.owner != current && !unevaluated
        {
            node.addressed = true;
        }
    }

    /// `__func__`: a static array with the function's name.
    fn function_name(&mut self, at: At) -> ExprId {
        let Some(state) = self.functions.last() else {
            return self.error_expr(at, "'__func__' outside of a function");
        };
        if let Some(object) = state.name_object {
            let ty = self.tree.objects[object.index()].ty;
            return self.push(ExprKind::Object(object), ty, at);
        }
        let name = self.tree.functions[state.id.index()].name;
        let units: Box<[u32]> = self.name(name).bytes().map(u32::from).collect();
        let object = self.string_object(units, at);
        if let Some(state) = self.functions.last_mut() {
            state.name_object = Some(object);
        }
        let ty = self.tree.objects[object.index()].ty;
        self.push(ExprKind::Object(object), ty, at)
    }

    /// A new object without linkage, and its entry in the block it lives in.
    pub(super) fn new_object(
        &mut self,
        name: Option<Symbol>,
        ty: QTy,
        storage: Storage,
        span: crate::source::Span,
    ) -> crate::tree::ObjId {
        let align = self.types().layout(ty.ty).map_or_else(|| self.elem_align(ty.ty), |l| l.align);
        let addressed = !self.is_scalar_object(ty.ty);
        let owner = self.current();
        self.tree.objects.push(Object {
            name,
            ty,
            storage,
            linkage: Linkage::None,
            defined: true,
            init: None,
            align,
            extra: 0,
            least: 0,
            list: false,
            cleanup: None,
            alias: None,
            addressed,
            owner,
            span,
        });
        let id = crate::tree::ObjId(self.tree.objects.len() as u32 - 1);
        if storage == Storage::Auto
            && let Some(state) = self.functions.last_mut()
            && let Some(locals) = state.locals.last_mut()
        {
            locals.push(id);
        }
        id
    }

    /// Alignment of arrays without constant size.
    fn elem_align(&self, mut ty: Ty) -> u64 {
        while let TyKind::Array(elem, _) = *self.tykind(ty) {
            ty = elem.ty;
        }
        self.types().layout(ty).map_or(1, |l| l.align)
    }

    /// Scalars that can live without an address. Complex numbers and vectors have parts, so they cannot.
    pub(super) fn is_scalar_object(&self, ty: Ty) -> bool {
        self.is_real(ty) || self.is_pointer(ty)
    }

    // ----- postfix

    /// `*pointer`.
    pub(super) fn deref(&mut self, pointer: ExprId, at: At) -> ExprId {
        let Some(to) = self.pointee(self.ty(pointer)) else {
            if self.is_poison(pointer) {
                return self.poison(at);
            }
            let text = self.show(self.ty(pointer));
            return self.error_expr(at, format!("expected a pointer to follow, found '{text}'"));
        };
        let node = self.push(ExprKind::Deref(pointer), to, at);
        self.copy_const(node, pointer);
        node
    }

    fn index(&mut self, base: ast::ExprId, index: ast::ExprId, at: At) -> ExprId {
        let base = self.expr(base);
        let index = self.expr(index);
        if let TyKind::Vector(elem, _) = *self.tykind(self.ty(base)) {
            let quals = self.qty(base).quals;
            let index = self.value(index);
            let place = if self.is_lvalue(base) {
                self.mark_addressed(base);
                base
            } else {
                self.materialize(base, at)
            };
            return self.push(ExprKind::VectorElem(place, index), QTy { ty: elem, quals }, at);
        }
        let (base, index) = (self.value(base), self.value(index));
        let (base, index) = if self.is_pointer(self.ty(base)) { (base, index) } else { (index, base) };
        if self.is_poison(base) || self.is_poison(index) {
            return self.poison(at);
        }
        if !self.is_pointer(self.ty(base)) || !self.is_integer(self.ty(index)) {
            let (a, b) = (self.show(self.ty(base)), self.show(self.ty(index)));
            return self.error_expr(
                at,
                format!("a subscript needs a pointer and an integer, found '{a}' and '{b}'"),
            );
        }
        let sum = self.pointer_add(base, index, false, at);
        self.deref(sum, at)
    }

    /// A temporary object that holds a value whose parts are wanted.
    pub(super) fn materialize(&mut self, value: ExprId, at: At) -> ExprId {
        let ty = self.qty(value);
        let object = self.new_object(None, ty, Storage::Auto, at.span);
        self.push(ExprKind::Materialize(value, object), ty, at)
    }

    fn member_access(&mut self, base: ast::ExprId, arrow: bool, field: Symbol, at: At) -> ExprId {
        let mut place = self.expr(base);
        if arrow {
            let pointer = self.value(place);
            if self.is_poison(pointer) {
                return self.poison(at);
            }
            place = self.deref(pointer, at);
        }
        if self.is_poison(place) {
            return self.poison(at);
        }
        let TyKind::Record(record) = *self.tykind(self.ty(place)) else {
            let (text, name) = (self.show(self.ty(place)), self.name(field).to_string());
            return self.error_expr(at, format!("'{text}' has no member '{name}': it is no struct or union"));
        };
        if self.types().records[record.0 as usize].fields.is_none() {
            let text = self.show(self.ty(place));
            return self.error_expr(at, format!("the type '{text}' is incomplete here"));
        }
        let Some(path) = self.find_member(record, field) else {
            let (text, name) = (self.show(self.ty(place)), self.name(field).to_string());
            return self.error_expr(at, format!("'{text}' has no member '{name}'"));
        };
        if !self.is_lvalue(place) {
            place = self.materialize(place, at);
        }
        self.member_path(place, &path, at)
    }

    /// Members of members by index.
    pub(super) fn member_path(&mut self, mut place: ExprId, path: &[u32], at: At) -> ExprId {
        for &index in path {
            let qty = self.qty(place);
            let TyKind::Record(record) = *self.tykind(qty.ty) else { return place };
            let Some((ty, offset)) = self.field(record, index).map(|f| (f.ty, f.offset)) else {
                return place;
            };
            let ty = self.qualify(ty, qty.quals);
            let member = self.push(ExprKind::Member { base: place, record, field: index }, ty, at);
            self.fold_address(member, place, offset);
            place = member;
        }
        place
    }

    pub(super) fn field(&self, record: RecordId, index: u32) -> Option<&crate::types::Field> {
        self.types().records[record.0 as usize].fields.as_deref()?.get(index as usize)
    }

    // ----- casts

    fn cast(&mut self, ty: ast::TypeId, operand: ast::ExprId, at: At) -> ExprId {
        let mark = self.pending_vlas.len();
        let to = self.type_name(ty);
        let vlas = self.pending_vlas.split_off(mark);
        let operand = self.expr(operand);
        let value = self.cast_to(operand, to.ty, at);
        self.with_vlas(vlas, value, at)
    }

    /// Evaluates variable lengths before a value.
    pub(super) fn with_vlas(&mut self, vlas: Vec<crate::types::VlaId>, value: ExprId, at: At) -> ExprId {
        if vlas.is_empty() {
            return value;
        }
        let ty = self.qty(value);
        self.push(ExprKind::VlaEval(vlas, value), ty, at)
    }

    pub(super) fn cast_to(&mut self, operand: ExprId, to: Ty, at: At) -> ExprId {
        if self.is_void(to) {
            let value = self.discarded(operand);
            return match self.convert_to(value, Ty::VOID, true, at) {
                Some(id) => id,
                None => value,
            };
        }
        let value = self.value(operand);
        if self.is_poison(value) {
            return self.convert_to(value, to, true, at).unwrap_or(value);
        }
        if let TyKind::Record(id) = *self.tykind(to)
            && self.ty(value) != to
            && self.types().records[id.0 as usize].is_union
            && let Some(fields) = self.types().records[id.0 as usize].fields.as_deref()
            && let Some(index) = fields.iter().position(|f| self.compatible(f.ty.ty, self.ty(value)))
        {
            let field = self.plain(fields[index].ty.ty);
            let value = self.coerce(value, field);
            return self.node_convert(value, to, crate::tree::Conversion::ToUnion(index as u32), true);
        }
        let to = self.plain(to);
        let value = self.retyped_call(value, to).unwrap_or(value);
        let castable = self.is_scalar(to) || self.is_vector(to) || self.compatible(self.ty(value), to);
        if castable
            && !self.is_array(to)
            && !self.is_function(to)
            && let Some(id) = self.convert_to(value, to, true, at)
        {
            return id;
        }
        let (from, to) = (self.show(self.ty(value)), self.show(to));
        self.error_expr(at, format!("a value of type '{from}' cannot be cast to '{to}'"))
    }
}
