//! The typed tree as text: one S-expression a node with its type, for golden tests and for reading.

use crate::ast::Quals;
use crate::tree::*;
use crate::types::{ArrayLen, FloatKind, IntKind, QTy, Ty, TyKind};
use std::fmt::Write;

/// A type as C-like text, read from the inside out: `array[3] of pointer to const char`.
pub fn type_text(unit: &Unit, ty: QTy) -> String {
    let mut out = String::new();
    write_type(unit, ty, &mut out, 0);
    out
}

fn quals_text(quals: Quals) -> String {
    let mut out = String::new();
    for (one, text) in [
        (Quals::CONST, "const "),
        (Quals::VOLATILE, "volatile "),
        (Quals::RESTRICT, "restrict "),
        (Quals::ATOMIC, "_Atomic "),
    ] {
        if quals.has(one) {
            out.push_str(text);
        }
    }
    out
}

fn write_type(unit: &Unit, ty: QTy, out: &mut String, depth: u32) {
    if depth > 100 {
        out.push_str("...");
        return;
    }
    out.push_str(&quals_text(ty.quals));
    match unit.types.kind(ty.ty) {
        TyKind::Void => out.push_str("void"),
        TyKind::Int(kind) => out.push_str(&int_text(*kind)),
        TyKind::Float(kind) => out.push_str(float_text(*kind)),
        TyKind::Complex(elem) => {
            out.push_str("complex ");
            write_type(unit, (*elem).into(), out, depth + 1);
        }
        TyKind::Enum(id) => {
            let tag = unit.types.enums[id.0 as usize].tag;
            let _ = write!(out, "enum {}", tag.map_or("<unnamed>", |t| unit.names.name(t)));
        }
        TyKind::Pointer(to) => {
            out.push_str("pointer to ");
            write_type(unit, *to, out, depth + 1);
        }
        TyKind::Array(elem, len) => {
            let _ = match len {
                ArrayLen::Fixed(n) => write!(out, "array[{n}] of "),
                ArrayLen::Unknown => write!(out, "array[] of "),
                ArrayLen::Variable(id) => write!(out, "array[vla {}] of ", id.0),
            };
            write_type(unit, *elem, out, depth + 1);
        }
        TyKind::Vector(elem, n) => {
            let _ = write!(out, "vector[{n}] of ");
            write_type(unit, (*elem).into(), out, depth + 1);
        }
        TyKind::Function(f) => {
            out.push_str("function(");
            for (index, param) in f.params.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_type(unit, *param, out, depth + 1);
            }
            if f.variadic {
                out.push_str(", ...");
            }
            if !f.prototype {
                out.push('?');
            }
            out.push_str(") returning ");
            write_type(unit, f.ret, out, depth + 1);
        }
        TyKind::Record(id) => {
            let record = &unit.types.records[id.0 as usize];
            let word = if record.is_union { "union" } else { "struct" };
            let _ = write!(out, "{word} {}", record.tag.map_or("<unnamed>", |t| unit.names.name(t)));
        }
        TyKind::VaList => out.push_str("va_list"),
    }
}

fn int_text(kind: IntKind) -> std::borrow::Cow<'static, str> {
    let text = match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LLong => "long long",
        IntKind::ULLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
        IntKind::BitInt(width) => return format!("_BitInt({width})").into(),
        IntKind::UBitInt(width) => return format!("unsigned _BitInt({width})").into(),
    };
    text.into()
}

fn float_text(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "_Float128",
    }
}

/// The whole unit: objects of static storage, then functions.
pub fn unit_text(unit: &Unit) -> String {
    let mut dump = Dump { unit, out: String::new() };
    for (index, object) in unit.objects.iter().enumerate() {
        if object.storage == Storage::Static && (object.defined || object.linkage != Linkage::None) {
            dump.object(ObjId(index as u32), 0);
        }
    }
    for function in &unit.functions {
        dump.function(function);
    }
    dump.out
}

/// One expression of a unit.
pub fn expr_text(unit: &Unit, id: ExprId) -> String {
    let mut dump = Dump { unit, out: String::new() };
    dump.expr(id);
    dump.out
}

struct Dump<'a> {
    unit: &'a Unit,
    out: String,
}

impl Dump<'_> {
    fn line(&mut self, depth: usize) {
        self.out.push('\n');
        for _ in 0..depth {
            self.out.push_str("  ");
        }
    }

    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn object_name(&self, id: ObjId) -> String {
        match self.unit[id].name {
            Some(name) => format!("{}#{}", self.unit.names.name(name), id.0),
            None => format!("#{}", id.0),
        }
    }

    fn object(&mut self, id: ObjId, depth: usize) {
        let object = &self.unit[id];
        let linkage = match object.linkage {
            Linkage::External => " external",
            Linkage::Internal => " internal",
            Linkage::None => "",
        };
        let storage = match object.storage {
            Storage::Static => " static".to_string(),
            Storage::Auto => String::new(),
            Storage::Param(n) => format!(" param {n}"),
        };
        let declared = if object.defined { "" } else { " declared" };
        let addressed = if object.addressed { " addressed" } else { "" };
        let extra = if object.extra > 0 { format!(" extra {}", object.extra) } else { String::new() };
        let head = format!(
            "(object {}{storage}{linkage}{declared}{addressed}{extra} align {} '{}'",
            self.object_name(id),
            object.align,
            type_text(self.unit, object.ty)
        );
        self.line(depth);
        self.word(&head);
        if let Some(init) = &object.init {
            self.init(init, depth + 1);
        }
        self.word(")");
    }

    fn init(&mut self, init: &Initializer, depth: usize) {
        if init.zero_fill {
            self.line(depth);
            self.word("zero-fill");
        }
        for entry in &init.entries {
            self.line(depth);
            let bits = entry.bits.map_or(String::new(), |b| format!(".{}:{}", b.start, b.width));
            let text = format!("(at {}{bits} '{}' ", entry.offset, type_text(self.unit, entry.ty));
            self.word(&text);
            self.expr(entry.value);
            self.word(")");
        }
    }

    fn function(&mut self, function: &Function) {
        let linkage = match function.linkage {
            Linkage::External => "external",
            Linkage::Internal => "internal",
            Linkage::None => "nested",
        };
        let flags = [(function.implicit, " implicit"), (function.noreturn, " noreturn")];
        let flags: String = flags.into_iter().filter(|f| f.0).map(|f| f.1).collect();
        let head = format!(
            "(function {} {linkage}{flags} '{}'",
            self.unit.names.name(function.name),
            type_text(self.unit, function.ty.into())
        );
        self.line(0);
        self.word(&head);
        for &param in &function.params {
            self.object(param, 1);
        }
        if let Some(body) = function.body {
            self.stmt(body, 1);
        }
        self.word(")");
    }

    fn stmt(&mut self, id: StmtId, depth: usize) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_node(id, depth));
    }

    fn stmt_node(&mut self, id: StmtId, depth: usize) {
        self.line(depth);
        let next = depth + 1;
        match &self.unit[id].kind {
            StmtKind::Nop => self.word("(nop"),
            StmtKind::Expr(value) => {
                self.word("(expr ");
                self.expr(*value);
            }
            StmtKind::Block { locals, body } => {
                self.word("(block");
                for &local in locals {
                    self.object(local, next);
                }
                for &stmt in body {
                    self.stmt(stmt, next);
                }
            }
            StmtKind::Decl(object) => {
                let text = format!("(decl {}", self.object_name(*object));
                self.word(&text);
            }
            StmtKind::VlaEval(vla) => {
                let text = format!("(vla-eval {} ", vla.0);
                self.word(&text);
                self.expr(self.unit.vlas[vla.0 as usize].len);
            }
            StmtKind::If(cond, then, other) => {
                self.word("(if ");
                self.expr(*cond);
                self.stmt(*then, next);
                if let Some(other) = other {
                    self.stmt(*other, next);
                }
            }
            StmtKind::While(cond, body) => {
                self.word("(while ");
                self.expr(*cond);
                self.stmt(*body, next);
            }
            StmtKind::DoWhile(body, cond) => {
                self.word("(do ");
                self.expr(*cond);
                self.stmt(*body, next);
            }
            StmtKind::For { init, cond, step, body } => {
                self.word("(for");
                for &stmt in init {
                    self.stmt(stmt, next);
                }
                for part in [cond, step] {
                    self.line(next);
                    match part {
                        Some(part) => self.expr(*part),
                        None => self.word("-"),
                    }
                }
                self.stmt(*body, next);
            }
            StmtKind::Switch { value, cases, has_default, body } => {
                self.word("(switch ");
                self.expr(*value);
                for (index, (lo, hi)) in cases.iter().enumerate() {
                    let text = format!(" {index}={lo}..{hi}");
                    self.word(&text);
                }
                if *has_default {
                    self.word(" default");
                }
                self.stmt(*body, next);
            }
            StmtKind::Case(index, body) => {
                let text = format!("(case {index}");
                self.word(&text);
                self.stmt(*body, next);
            }
            StmtKind::Default(body) => {
                self.word("(default");
                self.stmt(*body, next);
            }
            StmtKind::Label(label, body) => {
                let text = format!("(label {}", label.0);
                self.word(&text);
                self.stmt(*body, next);
            }
            StmtKind::Goto(label) => {
                let text = format!("(goto {}", label.0);
                self.word(&text);
            }
            StmtKind::GotoOuter(function, label) => {
                let text = format!("(goto-outer {} {}", function.0, label.0);
                self.word(&text);
            }
            StmtKind::GotoPtr(value) => {
                self.word("(goto-ptr ");
                self.expr(*value);
            }
            StmtKind::Break => self.word("(break"),
            StmtKind::Continue => self.word("(continue"),
            StmtKind::Return(value) => {
                self.word("(return");
                if let Some(value) = value {
                    self.word(" ");
                    self.expr(*value);
                }
            }
            StmtKind::Asm(asm) => {
                self.word("(asm");
                for (constraint, value) in asm.outputs.iter().chain(&asm.inputs) {
                    let text = format!(" {:?} ", String::from_utf8_lossy(constraint));
                    self.word(&text);
                    self.expr(*value);
                }
            }
        }
        self.word(")");
    }

    fn expr(&mut self, id: ExprId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_node(id));
    }

    /// `(name 'type' operands...)`.
    fn node(&mut self, id: ExprId, name: &str, operands: &[ExprId]) {
        let text = format!("({name} '{}'", type_text(self.unit, self.unit[id].ty));
        self.word(&text);
        for &operand in operands {
            self.word(" ");
            self.expr(operand);
        }
        self.word(")");
    }

    fn expr_node(&mut self, id: ExprId) {
        let unit = self.unit;
        match &unit[id].kind {
            ExprKind::Int(value) => {
                let text =
                    format!("{} '{}'", int_value(unit, *value, unit[id].ty.ty), type_text(unit, unit[id].ty));
                self.word(&text);
            }
            ExprKind::Float(value) => self.node(id, &format!("float {:#x}", value.bits), &[]),
            ExprKind::VlaLen(vla) => self.node(id, &format!("vla-len {}", vla.0), &[]),
            ExprKind::LabelAddr(label) => self.node(id, &format!("label {}", label.0), &[]),
            ExprKind::LabelAddrOuter(function, label) => {
                self.node(id, &format!("outer-label {} {}", function.0, label.0), &[]);
            }
            ExprKind::Object(object) => {
                let text = self.object_name(*object);
                self.word(&text);
            }
            ExprKind::Str(string) => {
                let text = string_text(&unit[*string]);
                self.word(&text);
            }
            ExprKind::Deref(a) => self.node(id, "deref", &[*a]),
            ExprKind::Member { base, record, field } => {
                let record = &unit.types.records[record.0 as usize];
                let name = record.fields.as_deref().and_then(|f| f.get(*field as usize)).and_then(|f| f.name);
                let name = name.map_or(format!("<{field}>"), |n| unit.names.name(n).to_string());
                self.node(id, &format!("member {name}"), &[*base]);
            }
            ExprKind::CompoundLit(object) => {
                let text = format!("compound-literal {}", self.object_name(*object));
                self.node(id, &text, &[]);
            }
            ExprKind::Materialize(value, object) => {
                let text = format!("materialize {}", self.object_name(*object));
                self.node(id, &text, &[*value]);
            }
            ExprKind::VectorElem(a, b) => self.node(id, "element", &[*a, *b]),
            ExprKind::ComplexPart { base, imag } | ExprKind::PartOf(base, imag) => {
                self.node(id, if *imag { "imag" } else { "real" }, &[*base]);
            }
            ExprKind::Function(function) => {
                let text = unit.names.name(unit[*function].name).to_string();
                self.word(&text);
            }
            ExprKind::Load(a) => self.node(id, "load", &[*a]),
            ExprKind::Decay(a) => self.node(id, "decay", &[*a]),
            ExprKind::AddrOf(a) => self.node(id, "addr", &[*a]),
            ExprKind::Convert { kind, value, explicit } => {
                let word = if *explicit { "cast" } else { "convert" };
                self.node(id, &format!("{word} {kind:?}"), &[*value]);
            }
            ExprKind::Neg(a) => self.node(id, "neg", &[*a]),
            ExprKind::BitNot(a) => self.node(id, "not", &[*a]),
            ExprKind::Not(a) => self.node(id, "lognot", &[*a]),
            ExprKind::Binary(op, a, b) => self.node(id, &format!("{op:?}").to_lowercase(), &[*a, *b]),
            ExprKind::Compare(rel, a, b) => self.node(id, &format!("{rel:?}").to_lowercase(), &[*a, *b]),
            ExprKind::PtrAdd { ptr, index, negative, scale } => {
                let mut operands = vec![*ptr, *index];
                operands.extend(scale);
                self.node(id, if *negative { "ptr-sub" } else { "ptr-add" }, &operands);
            }
            ExprKind::PtrDiff(a, b, scale) => {
                let mut operands = vec![*a, *b];
                operands.extend(scale);
                self.node(id, "ptr-diff", &operands);
            }
            ExprKind::LogAnd(a, b) => self.node(id, "and-also", &[*a, *b]),
            ExprKind::LogOr(a, b) => self.node(id, "or-else", &[*a, *b]),
            ExprKind::Cond(c, a, b) => self.node(id, "cond", &[*c, *a, *b]),
            ExprKind::CondElvis { cond, value, other } => self.node(id, "elvis", &[*cond, *value, *other]),
            ExprKind::Same => self.node(id, "same", &[]),
            ExprKind::Comma(a, b) => self.node(id, "comma", &[*a, *b]),
            ExprKind::Assign(a, b) => self.node(id, "assign", &[*a, *b]),
            ExprKind::CompoundAssign { place, compute } => self.node(id, "update", &[*place, *compute]),
            ExprKind::IncDec { place, compute, post } => {
                self.node(id, if *post { "post-update" } else { "pre-update" }, &[*place, *compute]);
            }
            ExprKind::Call(callee, args) => {
                let mut operands = vec![*callee];
                operands.extend(args);
                self.node(id, "call", &operands);
            }
            ExprKind::Builtin(builtin, args) => self.node(id, &format!("builtin {builtin:?}"), args),
            ExprKind::StmtExpr { block, value } => {
                let text = format!("(stmt-expr '{}'", type_text(unit, unit[id].ty));
                self.word(&text);
                self.stmt(*block, 4);
                if let Some(value) = value {
                    self.word(" ");
                    self.expr(*value);
                }
                self.word(")");
            }
            ExprKind::VaArg(a) => self.node(id, "va-arg", &[*a]),
            ExprKind::Complex(a, b) => self.node(id, "complex", &[*a, *b]),
            ExprKind::VlaEval(vlas, value) => {
                let list: Vec<String> = vlas.iter().map(|v| v.0.to_string()).collect();
                self.node(id, &format!("vla-eval {}", list.join(",")), &[*value]);
            }
        }
    }
}

fn int_value(unit: &Unit, value: u128, ty: Ty) -> String {
    let Some(kind) = unit.types.int_kind(ty) else { return format!("{value:#x}") };
    let bits = unit.types.int_width(kind).max(8);
    if unit.types.int_signed(kind) {
        (((value << (128 - bits)) as i128) >> (128 - bits)).to_string()
    } else {
        value.to_string()
    }
}

fn string_text(string: &StringObject) -> String {
    let text: String = string.units.iter().map(|&u| char::from_u32(u).unwrap_or('\u{fffd}')).collect();
    format!("{text:?}")
}
