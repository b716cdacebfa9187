//! Checks the checker: the rules that every typed tree keeps, stated once more and independently of how it is made.

use crate::tree::*;
use crate::types::{FnTy, RecordId, Ty, TyKind};

/// What a tree breaks of the rules of [`crate::tree`]; empty for every tree the checker makes.
pub fn violations(unit: &Unit) -> Vec<String> {
    let mut verifier = Verifier { unit, found: Vec::new() };
    for index in 0..unit.exprs.len() {
        verifier.expr(ExprId(index as u32));
    }
    for object in &unit.objects {
        for entry in object.init.iter().flat_map(|i| &i.entries) {
            verifier.entry(entry);
        }
    }
    for stmt in &unit.stmts {
        verifier.stmt(&stmt.kind);
    }
    verifier.found
}

struct Verifier<'a> {
    unit: &'a Unit,
    found: Vec<String>,
}

impl Verifier<'_> {
    fn ty(&self, id: ExprId) -> Ty {
        self.unit[id].ty.ty
    }

    /// The same type, alignment and aliasing attributes aside.
    fn same(&self, a: Ty, b: Ty) -> bool {
        a == b || self.unit.types.kind(a) == self.unit.types.kind(b)
    }

    fn is_lvalue(&self, id: ExprId) -> bool {
        matches!(
            self.unit[id].kind,
            ExprKind::Object(_)
                | ExprKind::Str(_)
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
                | ExprKind::CompoundLit(_)
                | ExprKind::Materialize(..)
                | ExprKind::VectorElem(..)
                | ExprKind::ComplexPart { .. }
        ) || matches!(&self.unit[id].kind, ExprKind::VlaEval(_, inner) if self.is_lvalue(*inner))
    }

    fn must(&mut self, holds: bool, id: ExprId, rule: &str) {
        if !holds {
            let text = super::dump::expr_text(self.unit, id);
            let short: String = text.chars().take(300).collect();
            self.found.push(format!("{rule}: {short}"));
        }
    }

    fn rv(&mut self, id: ExprId, parent: ExprId) {
        let lvalue = self.is_lvalue(id) || matches!(self.unit[id].kind, ExprKind::Function(_));
        self.must(!lvalue, parent, "an operand must be a value");
    }

    fn lv(&mut self, id: ExprId, parent: ExprId) {
        let lvalue = self.is_lvalue(id);
        self.must(lvalue, parent, "an operand must be an lvalue");
    }

    fn is_scalar(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        types.int_kind(ty).is_some()
            || matches!(types.kind(ty), TyKind::Float(_) | TyKind::Complex(_) | TyKind::Pointer(_))
    }

    fn is_int(&self, ty: Ty) -> bool {
        self.unit.types.int_kind(ty).is_some()
    }

    fn expr(&mut self, id: ExprId) {
        let unit = self.unit;
        let ty = self.ty(id);
        match &unit[id].kind {
            ExprKind::Int(_) => {
                let right = self.is_int(ty) || matches!(unit.types.kind(ty), TyKind::Pointer(_));
                self.must(right, id, "an integer constant has an integer or pointer type");
            }
            ExprKind::Float(value) => {
                let right = matches!(unit.types.kind(ty), TyKind::Float(kind) if *kind == value.kind);
                self.must(right, id, "a floating constant has its format's type");
            }
            ExprKind::VlaLen(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::LabelAddrOuter(..)
            | ExprKind::Object(_)
            | ExprKind::Str(_)
            | ExprKind::CompoundLit(_)
            | ExprKind::Function(_)
            | ExprKind::Same => {}
            ExprKind::Deref(p) => self.deref(id, *p),
            ExprKind::Member { base, record, field } => self.member(id, *base, *record, *field),
            ExprKind::Materialize(value, _) => self.rv(*value, id),
            ExprKind::VectorElem(base, index) => {
                self.lv(*base, id);
                self.rv(*index, id);
            }
            ExprKind::ComplexPart { base, .. } => self.lv(*base, id),
            ExprKind::Load(place) => self.load(id, *place),
            ExprKind::Decay(place) => self.decay(id, *place),
            ExprKind::AddrOf(place) => {
                let right = matches!(unit.types.kind(ty), TyKind::Pointer(to) if to.ty == self.ty(*place));
                self.must(right, id, "an address points to its place's type");
            }
            ExprKind::Convert { kind, value, .. } => self.conversion(id, *kind, *value),
            ExprKind::Neg(a) | ExprKind::BitNot(a) => {
                self.rv(*a, id);
                let right = self.same(self.ty(*a), ty);
                self.must(right, id, "a unary operator keeps its type");
            }
            ExprKind::Not(a) => self.rv(*a, id),
            ExprKind::Binary(op, a, b) => self.binary(id, *op, *a, *b),
            ExprKind::Compare(_, a, b) => self.compare(id, *a, *b),
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.rv(*ptr, id);
                self.rv(*index, id);
                let right = self.same(self.ty(*ptr), ty) && self.is_int(self.ty(*index));
                self.must(right, id, "pointer addition keeps the pointer's type");
            }
            ExprKind::PtrDiff(a, b, _) => {
                self.rv(*a, id);
                self.rv(*b, id);
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                let right = self.is_scalar(self.ty(*a)) && self.is_scalar(self.ty(*b));
                self.must(right, id, "logical operators take scalars");
            }
            ExprKind::Cond(c, a, b) | ExprKind::CondElvis { cond: c, value: a, other: b } => {
                self.conditional(id, *c, [*a, *b])
            }
            ExprKind::Comma(_, b) => {
                let right = self.same(self.ty(*b), ty) || self.is_int(ty);
                self.must(right, id, "a comma has its right operand's type");
            }
            ExprKind::Assign(place, value)
            | ExprKind::CompoundAssign { place, compute: value }
            | ExprKind::IncDec { place, compute: value, .. } => self.assign(id, *place, *value),
            ExprKind::Call(callee, args) => self.call(id, *callee, args),
            ExprKind::Builtin(_, args) => {
                for &arg in args {
                    self.rv(arg, id);
                }
            }
            ExprKind::StmtExpr { value, .. } => {
                let right = value.map_or(ty == Ty::VOID, |v| self.same(self.ty(v), ty));
                self.must(right, id, "a statement expression has its value's type");
            }
            ExprKind::VaArg(list) => {
                let right =
                    matches!(unit.types.kind(self.ty(*list)), TyKind::Pointer(to) if to.ty == Ty::VA_LIST);
                self.must(right, id, "va_arg takes a pointer to a list");
            }
            ExprKind::Complex(a, b) => {
                let right = matches!(unit.types.kind(ty), TyKind::Complex(elem)
                    if self.same(*elem, self.ty(*a)) && self.same(*elem, self.ty(*b)));
                self.must(right, id, "parts have the element type");
            }
            ExprKind::PartOf(a, _) => self.rv(*a, id),
            ExprKind::VlaEval(_, value) => {
                let right = self.same(self.ty(*value), ty);
                self.must(right, id, "evaluating lengths keeps the type");
            }
        }
    }

    fn deref(&mut self, id: ExprId, p: ExprId) {
        let (unit, ty) = (self.unit, self.ty(id));
        self.rv(p, id);
        let right = matches!(unit.types.kind(self.ty(p)), TyKind::Pointer(to) if to.ty == ty);
        self.must(right, id, "deref gives what the pointer points to");
    }

    fn member(&mut self, id: ExprId, base: ExprId, record: RecordId, field: u32) {
        let unit = self.unit;
        self.lv(base, id);
        let right = matches!(unit.types.kind(self.ty(base)), TyKind::Record(r) if *r == record);
        self.must(right, id, "a member's base is its record");
        let fields = unit.types.records[record.0 as usize].fields.as_deref().unwrap_or(&[]);
        self.must((field as usize) < fields.len(), id, "a member exists");
    }

    fn load(&mut self, id: ExprId, place: ExprId) {
        let (unit, ty) = (self.unit, self.ty(id));
        self.lv(place, id);
        let right = self.same(self.ty(place), ty) && unit[id].ty.quals == crate::ast::Quals::NONE;
        self.must(right, id, "load gives the unqualified type of its place");
    }

    fn decay(&mut self, id: ExprId, place: ExprId) {
        let (unit, ty) = (self.unit, self.ty(id));
        self.lv(place, id);
        let elem = match unit.types.kind(self.ty(place)) {
            TyKind::Array(elem, _) => Some(*elem),
            _ => None,
        };
        let right = matches!(unit.types.kind(ty), TyKind::Pointer(to) if Some(*to) == elem);
        self.must(right, id, "decay gives a pointer to the elements");
    }

    fn binary(&mut self, id: ExprId, op: Op, a: ExprId, b: ExprId) {
        let ty = self.ty(id);
        self.rv(a, id);
        self.rv(b, id);
        let shift = matches!(op, Op::Shl | Op::Shr);
        let right = self.same(self.ty(a), ty) && (shift || self.same(self.ty(b), ty));
        self.must(right, id, "operands have the operator's type");
    }

    fn compare(&mut self, id: ExprId, a: ExprId, b: ExprId) {
        let unit = self.unit;
        self.rv(a, id);
        self.rv(b, id);
        let pointers = matches!(
            (unit.types.kind(self.ty(a)), unit.types.kind(self.ty(b))),
            (TyKind::Pointer(_), TyKind::Pointer(_))
        );
        let right = self.same(self.ty(a), self.ty(b)) || pointers;
        self.must(right, id, "compared operands have one type");
    }

    fn conditional(&mut self, id: ExprId, c: ExprId, [a, b]: [ExprId; 2]) {
        let ty = self.ty(id);
        self.rv(c, id);
        let right = self.is_scalar(self.ty(c)) && self.same(self.ty(a), ty) && self.same(self.ty(b), ty);
        self.must(right, id, "branches have the conditional's type");
    }

    fn assign(&mut self, id: ExprId, place: ExprId, value: ExprId) {
        let ty = self.ty(id);
        self.lv(place, id);
        self.rv(value, id);
        let right = self.same(self.ty(place), self.ty(value)) && self.same(self.ty(place), ty);
        self.must(right, id, "an assigned value has its place's type");
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) {
        self.rv(callee, id);
        let unit = self.unit;
        let TyKind::Pointer(to) = unit.types.kind(self.ty(callee)) else {
            return self.must(false, id, "a callee is a pointer");
        };
        let TyKind::Function(FnTy { ret, params, prototype, .. }) = unit.types.kind(to.ty) else {
            return self.must(false, id, "a callee points to a function");
        };
        let mut right = self.same(ret.ty, self.ty(id));
        if *prototype {
            right &= args.len() >= params.len()
                && params.iter().zip(args).all(|(p, a)| self.same(p.ty, self.ty(*a)));
        }
        for &arg in args {
            self.rv(arg, id);
        }
        self.must(right, id, "arguments have the parameters' types");
    }

    fn conversion(&mut self, id: ExprId, kind: Conversion, value: ExprId) {
        let types = &self.unit.types;
        let (from, to) = (self.ty(value), self.ty(id));
        let float = |ty: Ty| matches!(types.kind(ty), TyKind::Float(_));
        let pointer = |ty: Ty| matches!(types.kind(ty), TyKind::Pointer(_));
        let complex = |ty: Ty| matches!(types.kind(ty), TyKind::Complex(_));
        let int = |ty: Ty| types.int_kind(ty).is_some();
        let right = match kind {
            Conversion::IntToInt => int(from) && int(to),
            Conversion::IntToFloat => int(from) && float(to),
            Conversion::FloatToInt => float(from) && int(to),
            Conversion::FloatToFloat => float(from) && float(to),
            Conversion::ToBool => self.is_scalar(from) && int(to),
            Conversion::IntToPtr => int(from) && pointer(to),
            Conversion::PtrToInt => pointer(from) && int(to),
            Conversion::PtrToPtr => pointer(from) && pointer(to),
            Conversion::ToVoid => to == Ty::VOID,
            Conversion::RealToComplex => {
                matches!(types.kind(to), TyKind::Complex(elem) if self.same(*elem, from))
            }
            Conversion::ComplexToComplex => complex(from) && complex(to),
            Conversion::ComplexToReal => {
                matches!(types.kind(from), TyKind::Complex(elem) if self.same(*elem, to))
            }
            Conversion::Bitcast => types.layout(from).map(|l| l.size) == types.layout(to).map(|l| l.size),
            Conversion::Splat => matches!(types.kind(to), TyKind::Vector(elem, _) if self.same(*elem, from)),
            Conversion::ToUnion(_) => matches!(types.kind(to), TyKind::Record(_)),
            Conversion::NoOp => {
                let compatible_enum = int(from) && int(to) && types.int_kind(from) == types.int_kind(to);
                self.same(from, to) || compatible_enum
            }
        };
        self.must(right, id, "a conversion fits its types");
        if kind != Conversion::ToVoid {
            self.rv(value, id);
        }
    }

    fn entry(&mut self, entry: &InitEntry) {
        let ty = entry.ty;
        let value = entry.value;
        if matches!(self.unit[value].kind, ExprKind::Str(_)) {
            let right = matches!(self.unit.types.kind(ty.ty), TyKind::Array(..));
            return self.must(right, value, "a string initialises an array");
        }
        let right = self.same(ty.ty, self.ty(value)) && !self.is_lvalue(value);
        self.must(right, value, "an initialiser has its sub-object's type");
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::If(cond, ..)
            | StmtKind::While(cond, _)
            | StmtKind::DoWhile(_, cond)
            | StmtKind::For { cond: Some(cond), .. } => {
                let right = self.is_scalar(self.ty(*cond));
                self.must(right, *cond, "a condition is a scalar");
                self.rv(*cond, *cond);
            }
            StmtKind::Switch { value, .. } => {
                let right = self.is_int(self.ty(*value));
                self.must(right, *value, "a switch takes an integer");
            }
            StmtKind::Return(Some(value)) => self.rv(*value, *value),
            StmtKind::Nop
            | StmtKind::Expr(_)
            | StmtKind::Block { .. }
            | StmtKind::Decl(_)
            | StmtKind::VlaEval(_)
            | StmtKind::For { .. }
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::GotoPtr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Asm(_) => {}
        }
    }
}
