//! Writes a module as text that LLVM and this crate's reader take: opaque pointers, no comments, no named metadata.

use super::ast::{
    Access, Arg, Attr, BlockId, Call, ConstExpr, ConstId, ConstKind, Flags, Function, Inst, Module, Op,
    Operand,
};
use super::types::{FloatKind, Type, TypeId, Types};
use crate::names::Name;
use std::fmt::Write as _;

/// The module's text.
pub fn print(m: &Module) -> String {
    let mut p = Printer { m, out: String::new() };
    p.module();
    p.out
}

struct Printer<'m> {
    m: &'m Module,
    out: String,
}

macro_rules! put {
    ($p:expr, $($arg:tt)*) => { let _ = write!($p.out, $($arg)*); };
}

/// A name as LLVM writes it: in quotes unless it is a number, or of letters, digits and `_.$-` that begin with no digit.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    let number = text.starts_with(|c: char| c.is_ascii_digit());
    let all = if number { text.chars().all(|c| c.is_ascii_digit()) } else { text.chars().all(plain) };
    if !text.is_empty() && all { text.to_owned() } else { format!("\"{text}\"") }
}

impl<'m> Printer<'m> {
    fn text(&self, name: Name) -> &'m str {
        self.m.names.text(name)
    }

    fn quoted(&self, name: Name) -> String {
        quoted(self.text(name))
    }

    fn module(&mut self) {
        let m = self.m;
        if !m.source_name.is_empty() {
            put!(self, "source_filename = \"{}\"\n", m.source_name);
        }
        if !m.layout.text.is_empty() {
            put!(self, "target datalayout = \"{}\"\n", m.layout.text);
        }
        if !m.triple.is_empty() {
            put!(self, "target triple = \"{}\"\n", m.triple);
        }
        for named in &m.types.named {
            let body = named.body.map_or("opaque".to_owned(), |b| self.ty(b));
            put!(self, "%{} = type {body}\n", self.quoted(named.name));
        }
        for g in &m.globals {
            put!(self, "@{} = ", self.quoted(g.name));
            self.words(&g.words);
            if g.space != 0 {
                put!(self, "addrspace({}) ", g.space);
            }
            put!(self, "{} {}", if g.constant { "constant" } else { "global" }, self.ty(g.ty));
            if let Some(init) = g.init {
                put!(self, " {}", self.constant(init));
            }
            if let Some(align) = g.align {
                put!(self, ", align {align}");
            }
            self.out.push('\n');
        }
        for a in &m.aliases {
            put!(self, "@{} = ", self.quoted(a.name));
            self.words(&a.words);
            let kind = if a.ifunc { "ifunc" } else { "alias" };
            put!(self, "{kind} {}, {}\n", self.ty(a.ty), self.typed(a.target));
        }
        for f in &m.functions {
            self.function(f);
        }
        for (n, attrs) in &m.attr_groups {
            // In groups alignments are written with `=`.
            let list: Vec<String> = attrs.iter().map(|a| self.attr(a, true)).collect();
            put!(self, "attributes #{n} = {{ {} }}\n", list.join(" "));
        }
        for (n, text) in &m.metadata {
            put!(self, "!{n} = {text}\n");
        }
    }

    fn words(&mut self, words: &[Name]) {
        for w in words {
            put!(self, "{} ", self.text(*w));
        }
    }

    fn attr(&self, attr: &Attr, group: bool) -> String {
        let name = self.text(attr.name());
        match attr {
            Attr::Flag(_) => name.to_owned(),
            Attr::Int(_, n) if matches!(name, "align" | "alignstack") && group => format!("{name}={n}"),
            Attr::Int(_, n) if name == "align" => format!("align {n}"),
            Attr::Int(_, n) => format!("{name}({n})"),
            Attr::Type(_, ty) => format!("{name}({})", self.ty(*ty)),
            Attr::Text(_, None) => format!("\"{name}\""),
            Attr::Text(_, Some(value)) => format!("\"{name}\"=\"{}\"", self.text(*value)),
            Attr::Raw(_, text) => format!("{name}({text})"),
        }
    }

    fn attrs(&self, attrs: &[Attr]) -> String {
        attrs.iter().map(|a| format!("{} ", self.attr(a, false))).collect()
    }

    fn ty(&self, id: TypeId) -> String {
        match self.m.types.get(id) {
            Type::Void => "void".into(),
            Type::Int(w) => format!("i{w}"),
            Type::Float(k) => k.keyword().into(),
            Type::Ptr(0) => "ptr".into(),
            Type::Ptr(n) => format!("ptr addrspace({n})"),
            Type::Array { len, elem } => format!("[{len} x {}]", self.ty(*elem)),
            Type::Vector { len, elem, scalable } => {
                format!("<{}{len} x {}>", if *scalable { "vscale x " } else { "" }, self.ty(*elem))
            }
            Type::Struct { fields, packed } => {
                let list: Vec<String> = fields.iter().map(|f| self.ty(*f)).collect();
                let body =
                    if list.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", list.join(", ")) };
                if *packed { format!("<{body}>") } else { body }
            }
            Type::Named(n) => format!("%{}", self.quoted(self.m.types.named[*n as usize].name)),
            Type::Func { ret, params, vararg } => {
                let mut list: Vec<String> = params.iter().map(|f| self.ty(*f)).collect();
                if *vararg {
                    list.push("...".into());
                }
                format!("{} ({})", self.ty(*ret), list.join(", "))
            }
            Type::Label => "label".into(),
            Type::Metadata => "metadata".into(),
            Type::Token => "token".into(),
            Type::Other(name) => self.text(*name).into(),
        }
    }

    fn typed(&self, id: ConstId) -> String {
        format!("{} {}", self.ty(self.m.consts[id.0 as usize].ty), self.constant(id))
    }

    fn list(&self, ids: &[ConstId]) -> String {
        ids.iter().map(|i| self.typed(*i)).collect::<Vec<_>>().join(", ")
    }

    fn constant(&self, id: ConstId) -> String {
        let c = &self.m.consts[id.0 as usize];
        match &c.kind {
            ConstKind::Int(v) if c.ty == Types::I1 => (if *v == 1 { "true" } else { "false" }).into(),
            ConstKind::Int(v) => v.to_string(),
            ConstKind::Wide(words) => {
                let digits: Vec<u32> = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
                num_bigint::BigUint::new(digits).to_string()
            }
            ConstKind::Float(v) => match self.m.types.get(c.ty) {
                Type::Float(FloatKind::Float) => {
                    let (bits, nan) = (*v as u32, f32::from_bits(*v as u32).is_nan());
                    let wide = if nan {
                        (u64::from(bits & 0x8000_0000) << 32)
                            | 0x7ff0_0000_0000_0000
                            | (u64::from(bits & 0x7f_ffff) << 29)
                    } else {
                        f64::from(f32::from_bits(bits)).to_bits()
                    };
                    format!("0x{wide:016X}")
                }
                Type::Float(FloatKind::X86Fp80) => format!("0xK{v:020X}"),
                Type::Float(FloatKind::Half) => format!("0xH{v:04X}"),
                Type::Float(FloatKind::BFloat) => format!("0xR{v:04X}"),
                Type::Float(FloatKind::Fp128) => format!("0xL{:032X}", v.rotate_left(64)),
                Type::Float(FloatKind::PpcFp128) => format!("0xM{:032X}", v.rotate_left(64)),
                _ => format!("0x{v:016X}"),
            },
            ConstKind::Null => "null".into(),
            ConstKind::Undef => "undef".into(),
            ConstKind::Poison => "poison".into(),
            ConstKind::Zero => "zeroinitializer".into(),
            ConstKind::None => "none".into(),
            ConstKind::Global(name) => format!("@{}", self.quoted(*name)),
            ConstKind::Aggregate(items) => {
                let list = self.list(items);
                match self.m.types.resolve(c.ty) {
                    Type::Array { .. } => format!("[{list}]"),
                    Type::Vector { .. } => format!("<{list}>"),
                    Type::Struct { packed: true, .. } => format!("<{{ {list} }}>"),
                    _ => format!("{{ {list} }}"),
                }
            }
            ConstKind::Bytes(bytes) => {
                let mut text = String::from("c\"");
                for b in bytes.iter() {
                    if (0x20..0x7f).contains(b) && *b != b'"' && *b != b'\\' {
                        text.push(*b as char);
                    } else {
                        let _ = write!(text, "\\{b:02X}");
                    }
                }
                text.push('"');
                text
            }
            ConstKind::Splat(v) => format!("splat ({})", self.typed(*v)),
            ConstKind::Expr(e) => self.expr(e, c.ty),
            ConstKind::BlockAddress(f, b) => {
                format!("blockaddress(@{}, %{})", self.quoted(*f), self.quoted(*b))
            }
            ConstKind::Wrapped(how, name) => format!("{how} @{}", self.quoted(*name)),
            ConstKind::Metadata(text) => text.to_string(),
            ConstKind::Asm(asm) => {
                let flags = if asm.0.is_empty() { String::new() } else { format!("{} ", asm.0) };
                format!("asm {flags}\"{}\", \"{}\"", asm.1, asm.2)
            }
        }
    }

    fn expr(&self, e: &ConstExpr, ty: TypeId) -> String {
        match e {
            ConstExpr::Gep { flags, source, args } => {
                format!("getelementptr {}({}, {})", flag_words(*flags), self.ty(*source), self.list(args))
            }
            ConstExpr::Cast(op, flags, v) => {
                // Casts between pointers vanished with typed pointers.
                format!("{} {}({} to {})", op.keyword(), flag_words(*flags), self.typed(*v), self.ty(ty))
            }
            ConstExpr::Binary(op, flags, a, b) => {
                format!("{} {}({}, {})", op.keyword(), flag_words(*flags), self.typed(*a), self.typed(*b))
            }
            ConstExpr::ICmp(pred, a, b) => {
                format!("icmp {} ({}, {})", pred.keyword(), self.typed(*a), self.typed(*b))
            }
            ConstExpr::FCmp(pred, a, b) => {
                format!("fcmp {} ({}, {})", pred.keyword(), self.typed(*a), self.typed(*b))
            }
            ConstExpr::Other(op, args) => format!("{op} ({})", self.list(args)),
        }
    }

    fn function(&mut self, f: &'m Function) {
        put!(self, "{} ", if f.defined { "define" } else { "declare" });
        self.words(&f.words);
        let ret = format!("{}{}", self.attrs(&f.ret_attrs), self.ty(f.ret));
        put!(self, "{ret} @{}(", self.quoted(f.name));
        let mut list: Vec<String> = Vec::new();
        for p in &f.params {
            let name = f.locals.get(p.local.0 as usize).filter(|_| f.defined);
            let name = name.map_or(String::new(), |l| format!("%{}", self.quoted(l.name)));
            list.push(format!("{} {}{name}", self.ty(p.ty), self.attrs(&p.attrs)));
        }
        if f.vararg {
            list.push("...".into());
        }
        put!(self, "{})", list.join(", "));
        for attr in &f.attrs {
            put!(self, " {}", self.attr(attr, false));
        }
        for g in &f.groups {
            put!(self, " #{g}");
        }
        if !f.defined {
            self.out.push('\n');
            return;
        }
        self.out.push_str(" {\n");
        for block in &f.blocks {
            put!(self, "{}:\n", self.quoted(block.name));
            for inst in f.insts.get(block.first as usize..block.end as usize).unwrap_or(&[]) {
                self.inst(f, inst);
            }
        }
        self.out.push_str("}\n");
    }

    fn inst(&mut self, f: &Function, inst: &Inst) {
        self.out.push_str("  ");
        if let Some(l) = inst.result {
            put!(self, "%{} = ", self.quoted(f.locals[l.0 as usize].name));
        }
        let text = self.op(f, &inst.op);
        self.out.push_str(&text);
        for (kind, node) in &inst.attachments {
            if let Some(n) = node {
                put!(self, ", !{} !{n}", self.text(*kind));
            }
        }
        self.out.push('\n');
    }

    fn op(&self, f: &Function, op: &Op) -> String {
        let p = Operands { p: self, f };
        match op {
            Op::Ret(None) => "ret void".into(),
            Op::Ret(Some((t, o))) => format!("ret {}", p.typed(t, o)),
            Op::Br(to) => format!("br {}", p.label(to)),
            Op::CondBr { cond, then, other } => {
                format!("br i1 {}, {}, {}", p.value(cond), p.label(then), p.label(other))
            }
            Op::Switch { ty, value, default, cases } => {
                let case = |(c, to): &(ConstId, BlockId)| format!("{}, {}", self.typed(*c), p.label(to));
                let list: Vec<String> = cases.iter().map(case).collect();
                format!("switch {}, {} [ {} ]", p.typed(ty, value), p.label(default), list.join(" "))
            }
            Op::IndirectBr { address, targets } => {
                let list: Vec<String> = targets.iter().map(|b| p.label(b)).collect();
                format!("indirectbr ptr {}, [{}]", p.value(address), list.join(", "))
            }
            Op::Unreachable => "unreachable".into(),
            Op::Call(call) => self.call(call, &|o| p.value(o)),
            Op::CallBranch { mnemonic, call, targets } => {
                let list: Vec<String> = targets.iter().map(|b| p.label(b)).collect();
                let text = self.call(call, &|o| p.value(o)).replacen("call", self.text(*mnemonic), 1);
                match list.split_first() {
                    Some((to, [unwind])) if self.text(*mnemonic) == "invoke" => {
                        format!("{text} to {to} unwind {unwind}")
                    }
                    Some((to, rest)) => format!("{text} to {to} [{}]", rest.join(", ")),
                    None => text,
                }
            }
            Op::Exception(name) => self.text(*name).into(),
            Op::Alloca { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Fence(_)
            | Op::CmpXchg { .. }
            | Op::AtomicRmw { .. }
            | Op::VaArg { .. } => p.memory(op),
            _ => p.computed(op),
        }
    }

    fn call(&self, call: &Call, v: &dyn Fn(&Operand) -> String) -> String {
        let tail = call.tail.map_or(String::new(), |t| format!("{} ", self.text(t)));
        let words: String = call.words.iter().map(|w| format!("{} ", self.text(*w))).collect();
        let arg = |a: &Arg| format!("{} {}{}", self.ty(a.ty), self.attrs(&a.attrs), v(&a.value));
        let args: Vec<String> = call.args.iter().map(arg).collect();
        let mut text = format!(
            "{tail}call {}{words}{}{} {}({})",
            flag_words(call.flags),
            self.attrs(&call.ret_attrs),
            self.ty(call.fn_ty.unwrap_or(call.ret)),
            v(&call.callee),
            args.join(", ")
        );
        for attr in &call.attrs {
            text.push_str(&format!(" {}", self.attr(attr, false)));
        }
        for g in &call.groups {
            text.push_str(&format!(" #{g}"));
        }
        text
    }
}

fn flag_words(flags: Flags) -> String {
    Flags::ALL.iter().filter(|(f, _)| flags.has(*f)).map(|(_, w)| format!("{w} ")).collect()
}

/// The operands of a function's instructions in text.
struct Operands<'a> {
    p: &'a Printer<'a>,
    f: &'a Function,
}

impl Operands<'_> {
    fn value(&self, o: &Operand) -> String {
        match o {
            Operand::Local(l) => format!("%{}", self.p.quoted(self.f.locals[l.0 as usize].name)),
            Operand::Const(c) => self.p.constant(*c),
        }
    }

    fn typed(&self, t: &TypeId, o: &Operand) -> String {
        format!("{} {}", self.p.ty(*t), self.value(o))
    }

    fn label(&self, b: &BlockId) -> String {
        format!("label %{}", self.p.quoted(self.f.blocks[b.0 as usize].name))
    }

    /// Instructions about memory.
    fn memory(&self, op: &Op) -> String {
        let (v, tv) = (|o: &Operand| self.value(o), |t: &TypeId, o: &Operand| self.typed(t, o));
        let aligned = |a: &Option<u64>| a.map_or(String::new(), |a| format!(", align {a}"));
        let head = |word: &str, a: &Access| {
            let atomic = if a.ordering.is_some() { "atomic " } else { "" };
            format!("{word} {atomic}{}", if a.volatile { "volatile " } else { "" })
        };
        let tail = |a: &Access| {
            let ordering = a.ordering.map_or(String::new(), |o| format!(" {}", self.p.text(o)));
            format!("{ordering}{}", aligned(&a.align))
        };
        match op {
            Op::Alloca { flags, ty, count, align } => {
                let count = count.as_ref().map_or(String::new(), |(t, o)| format!(", {}", tv(t, o)));
                format!("alloca {}{}{count}{}", flag_words(*flags), self.p.ty(*ty), aligned(align))
            }
            Op::Load { ty, ptr, access } => {
                format!("{}{}, ptr {}{}", head("load", access), self.p.ty(*ty), v(ptr), tail(access))
            }
            Op::Store { ty, value, ptr, access } => {
                format!("{}{}, ptr {}{}", head("store", access), tv(ty, value), v(ptr), tail(access))
            }
            Op::Fence(o) => format!("fence {}", self.p.text(*o)),
            Op::CmpXchg { flags, ptr, ty, expected, new, orderings, align } => {
                let (flags, values) = (flag_words(*flags), format!("{}, {}", tv(ty, expected), tv(ty, new)));
                let (one, other) = (self.p.text(orderings.0), self.p.text(orderings.1));
                format!("cmpxchg {flags}ptr {}, {values} {one} {other}{}", v(ptr), aligned(align))
            }
            Op::AtomicRmw { flags, op, ptr, ty, value, ordering, align } => {
                let (flags, op, ordering) = (flag_words(*flags), self.p.text(*op), self.p.text(*ordering));
                format!(
                    "atomicrmw {flags}{op} ptr {}, {} {ordering}{}",
                    v(ptr),
                    tv(ty, value),
                    aligned(align)
                )
            }
            Op::VaArg { list, ty } => format!("va_arg ptr {}, {}", v(list), self.p.ty(*ty)),
            _ => String::new(),
        }
    }

    /// Instructions that compute.
    fn computed(&self, op: &Op) -> String {
        let (v, tv) = (|o: &Operand| self.value(o), |t: &TypeId, o: &Operand| self.typed(t, o));
        let path = |p: &[u32]| p.iter().map(|i| format!(", {i}")).collect::<String>();
        match op {
            Op::Binary { op, flags, ty, lhs, rhs } => {
                format!("{} {}{}, {}", op.keyword(), flag_words(*flags), tv(ty, lhs), v(rhs))
            }
            Op::FNeg { flags, ty, value } => format!("fneg {}{}", flag_words(*flags), tv(ty, value)),
            Op::ICmp { flags, pred, ty, lhs, rhs } => {
                format!("icmp {}{} {}, {}", flag_words(*flags), pred.keyword(), tv(ty, lhs), v(rhs))
            }
            Op::FCmp { flags, pred, ty, lhs, rhs } => {
                format!("fcmp {}{} {}, {}", flag_words(*flags), pred.keyword(), tv(ty, lhs), v(rhs))
            }
            Op::Cast { op, flags, from, value, to } => {
                format!("{} {}{} to {}", op.keyword(), flag_words(*flags), tv(from, value), self.p.ty(*to))
            }
            Op::Select { flags, cond_ty, cond, ty, then, other } => {
                let (flags, cond) = (flag_words(*flags), tv(cond_ty, cond));
                format!("select {flags}{cond}, {}, {}", tv(ty, then), tv(ty, other))
            }
            Op::Freeze { ty, value } => format!("freeze {}", tv(ty, value)),
            Op::Phi { flags, ty, incoming } => {
                let block = |b: &BlockId| self.p.quoted(self.f.blocks[b.0 as usize].name);
                let list: Vec<String> =
                    incoming.iter().map(|(o, p)| format!("[ {}, %{} ]", v(o), block(p))).collect();
                format!("phi {}{} {}", flag_words(*flags), self.p.ty(*ty), list.join(", "))
            }
            Op::Gep { flags, source, base_ty, base, indices } => {
                let list: String = indices.iter().map(|(t, o)| format!(", {}", tv(t, o))).collect();
                let (flags, source) = (flag_words(*flags), self.p.ty(*source));
                format!("getelementptr {flags}{source}, {}{list}", tv(base_ty, base))
            }
            Op::ExtractValue { ty, value, path: p } => format!("extractvalue {}{}", tv(ty, value), path(p)),
            Op::InsertValue { ty, value, elem_ty, elem, path: p } => {
                format!("insertvalue {}, {}{}", tv(ty, value), tv(elem_ty, elem), path(p))
            }
            Op::ExtractElement { ty, value, index_ty, index } => {
                format!("extractelement {}, {}", tv(ty, value), tv(index_ty, index))
            }
            Op::InsertElement { ty, value, elem, index_ty, index } => {
                let elem_ty = match self.p.m.types.resolve(*ty) {
                    Type::Vector { elem, .. } => *elem,
                    _ => *ty,
                };
                format!("insertelement {}, {}, {}", tv(ty, value), tv(&elem_ty, elem), tv(index_ty, index))
            }
            Op::Shuffle { ty, a, b, mask } => {
                format!("shufflevector {}, {}, {}", tv(ty, a), tv(ty, b), self.p.typed(*mask))
            }
            _ => String::new(),
        }
    }
}
