//! Types: specifiers, declarators outside in again, records, enums, attributes.

use super::{Printer, Task, leading_attrs};
use crate::ast::{
    ArraySize, AttrArg, Attribute, Basic, ComplexInt, EnumId, FieldDecl, Param, Params, Quals, RecordId,
    Storage, TypeId, TypeKind,
};
use crate::intern::Symbol;

/// How a type named by keywords is written.
pub(super) fn basic(basic: Basic) -> &'static str {
    match basic {
        Basic::Void => "void",
        Basic::Bool => "_Bool",
        Basic::Char => "char",
        Basic::SChar => "signed char",
        Basic::UChar => "unsigned char",
        Basic::Short => "short",
        Basic::UShort => "unsigned short",
        Basic::Int => "int",
        Basic::UInt => "unsigned int",
        Basic::Long => "long",
        Basic::ULong => "unsigned long",
        Basic::LLong => "long long",
        Basic::ULLong => "unsigned long long",
        Basic::Int128 => "__int128",
        Basic::UInt128 => "unsigned __int128",
        Basic::Float16 => "_Float16",
        Basic::Float => "float",
        Basic::Double => "double",
        Basic::LongDouble => "long double",
        Basic::Float128 => "_Float128",
        Basic::ComplexFloat => "_Complex float",
        Basic::ComplexDouble => "_Complex double",
        Basic::ComplexLongDouble => "_Complex long double",
        Basic::ComplexFloatN(bits) => match bits {
            16 => "_Complex _Float16",
            32 => "_Complex _Float32",
            33 => "_Complex _Float32x",
            64 => "_Complex _Float64",
            65 => "_Complex _Float64x",
            _ => "_Complex _Float128",
        },
        Basic::ComplexInt(kind) => match kind {
            ComplexInt::Char => "_Complex char",
            ComplexInt::UChar => "_Complex unsigned char",
            ComplexInt::Short => "_Complex short",
            ComplexInt::UShort => "_Complex unsigned short",
            ComplexInt::Int => "_Complex int",
            ComplexInt::UInt => "_Complex unsigned int",
            ComplexInt::Long => "_Complex long",
            ComplexInt::ULong => "_Complex unsigned long",
            ComplexInt::LLong => "_Complex long long",
            ComplexInt::ULLong => "_Complex unsigned long long",
        },
        Basic::VaList => "__builtin_va_list",
        Basic::FloatN(bits) => match bits {
            32 => "_Float32",
            33 => "_Float32x",
            64 => "_Float64",
            _ => "_Float64x",
        },
        Basic::Decimal(bits) => match bits {
            32 => "_Decimal32",
            64 => "_Decimal64",
            _ => "_Decimal128",
        },
    }
}

/// Qualifiers with their spellings, in the order they are written.
const QUALIFIERS: [(Quals, &str); 4] = [
    (Quals::CONST, "const"),
    (Quals::VOLATILE, "volatile"),
    (Quals::RESTRICT, "restrict"),
    (Quals::ATOMIC, "_Atomic"),
];

/// Storage and function specifiers with their spellings, in the order they are written.
const STORAGE: [(Storage, &str); 9] = [
    (Storage::TYPEDEF, "typedef"),
    (Storage::EXTERN, "extern"),
    (Storage::STATIC, "static"),
    (Storage::AUTO, "auto"),
    (Storage::REGISTER, "register"),
    (Storage::THREAD, "_Thread_local"),
    (Storage::INLINE, "inline"),
    (Storage::NORETURN, "_Noreturn"),
    (Storage::CONSTEXPR, "constexpr"),
];

impl<'a> Printer<'a> {
    pub(super) fn storage(&mut self, storage: Storage) {
        if storage == Storage::NONE {
            return;
        }
        for (bit, word) in STORAGE {
            if storage.has(bit) {
                self.word(word);
            }
        }
    }

    pub(super) fn quals(&mut self, quals: Quals) {
        if quals == Quals::NONE {
            return;
        }
        for (bit, word) in QUALIFIERS {
            if quals.has(bit) {
                self.word(word);
            }
        }
    }

    /// Attributes, qualifiers and the type where a declarator chain ends.
    pub(super) fn specifier(&mut self, id: TypeId) {
        if self.specifier_direct(id) {
            return;
        }
        let node = &self.ast[id];
        if !node.attrs.is_empty() {
            // The attributes need tasks of their own; what follows them comes after.
            let (quals, kind) = (node.quals, &node.kind);
            let mut tasks = Vec::new();
            leading_attrs(&node.attrs, &mut tasks);
            tasks.extend(QUALIFIERS.iter().filter(|q| quals.has(q.0)).map(|q| Task::Word(q.1)));
            self.kind_tasks(kind, &mut tasks);
            self.then(tasks);
            return;
        }
        self.quals(node.quals);
        let mut tasks = Vec::new();
        self.kind_tasks(&node.kind, &mut tasks);
        self.then(tasks);
    }

    fn kind_tasks(&self, kind: &'a TypeKind, tasks: &mut Vec<Task<'a>>) {
        match kind {
            TypeKind::Basic(kind) => tasks.push(Task::Word(basic(*kind))),
            TypeKind::Typedef(name) => tasks.push(Task::Name(*name)),
            TypeKind::Record(id) => self.record_tasks(*id, tasks),
            TypeKind::Enum(id) => self.enum_tasks(*id, tasks),
            TypeKind::TypeofExpr(value) => {
                tasks.extend([
                    Task::Word("__typeof__"),
                    Task::Text("("),
                    Task::Expr(*value, 0),
                    Task::Text(")"),
                ]);
            }
            TypeKind::TypeofType(ty) => {
                tasks.extend([
                    Task::Word("__typeof__"),
                    Task::Text("("),
                    Task::TypeName(*ty),
                    Task::Text(")"),
                ]);
            }
            TypeKind::Atomic(ty) => {
                tasks.extend([Task::Word("_Atomic"), Task::Text("("), Task::TypeName(*ty), Task::Text(")")]);
            }
            TypeKind::Unqual(ty) => {
                tasks.extend([
                    Task::Word("__typeof_unqual__"),
                    Task::Text("("),
                    Task::TypeName(*ty),
                    Task::Text(")"),
                ]);
            }
            TypeKind::BitInt(width, unsigned) => {
                tasks.extend(unsigned.then_some(Task::Word("unsigned")));
                tasks.extend([
                    Task::Word("_BitInt"),
                    Task::Text("("),
                    Task::Expr(*width, 3),
                    Task::Text(")"),
                ]);
            }
            TypeKind::Auto => tasks.push(Task::Word("__auto_type")),
            // Derived types are declarators; the chain ends before them.
            TypeKind::Implicit
            | TypeKind::Pointer(_)
            | TypeKind::Array { .. }
            | TypeKind::Function { .. } => {}
        }
    }

    fn record_tasks(&self, id: RecordId, tasks: &mut Vec<Task<'a>>) {
        let record = &self.ast[id];
        tasks.push(Task::Word(if record.is_union { "union" } else { "struct" }));
        leading_attrs(&record.attrs, tasks);
        tasks.extend(record.tag.map(Task::Name));
        if let Some(fields) = &record.fields {
            tasks.extend([Task::Text(" {"), Task::Inc]);
            for field in fields {
                tasks.extend([Task::NewLine, Task::Field(field)]);
            }
            tasks.extend([Task::Dec, Task::NewLine, Task::Text("}")]);
        }
    }

    fn enum_tasks(&self, id: EnumId, tasks: &mut Vec<Task<'a>>) {
        let spec = &self.ast[id];
        tasks.push(Task::Word("enum"));
        leading_attrs(&spec.attrs, tasks);
        tasks.extend(spec.tag.map(Task::Name));
        if let Some(underlying) = spec.underlying {
            tasks.extend([Task::Text(" : "), Task::TypeName(underlying)]);
        }
        if let Some(enumerators) = &spec.enumerators {
            tasks.extend([Task::Text(" {"), Task::Inc, Task::NewLine]);
            for (index, enumerator) in enumerators.iter().enumerate() {
                if index > 0 {
                    tasks.push(Task::Comma);
                }
                tasks.extend([Task::Name(enumerator.name), Task::Attrs(&enumerator.attrs)]);
                if let Some(value) = enumerator.value {
                    tasks.extend([Task::Text(" = "), Task::Expr(value, 3)]);
                }
            }
            tasks.extend([Task::Dec, Task::NewLine, Task::Text("}")]);
        }
    }

    pub(super) fn field(&mut self, field: &'a FieldDecl) {
        let mut tasks = Vec::new();
        match field {
            FieldDecl::Fields { base, alignas, attrs, declarators, span: _ } => {
                leading_attrs(attrs, &mut tasks);
                super::decl::alignas_tasks(alignas, &mut tasks);
                tasks.push(Task::Specifier(*base));
                for (index, field) in declarators.iter().enumerate() {
                    if index > 0 {
                        tasks.push(Task::Text(", "));
                    }
                    tasks.push(Task::Gap(field.ty, *base, field.name));
                    tasks.push(Task::Declarator(field.ty, *base, field.name));
                    if let Some(width) = field.width {
                        let colon = if index > 0 && field.name.is_none() { ": " } else { " : " };
                        tasks.extend([Task::Text(colon), Task::Expr(width, 3)]);
                    }
                    tasks.push(Task::Attrs(&field.attrs));
                }
                tasks.push(Task::Text(";"));
            }
            FieldDecl::StaticAssert(condition, message) => {
                super::decl::static_assert_tasks(*condition, message.as_deref(), &mut tasks);
            }
        }
        self.then(tasks);
    }

    pub(super) fn param(&mut self, param: &'a Param) {
        if self.nested(|p| p.param_direct(param)) {
            return;
        }
        self.storage(param.storage);
        let mut tasks = Vec::new();
        leading_attrs(&param.attrs, &mut tasks);
        tasks.extend([
            Task::Specifier(param.base),
            Task::Gap(param.ty, param.base, param.name),
            Task::Declarator(param.ty, param.base, param.name),
        ]);
        self.then(tasks);
    }

    /// The node where the declarator chain of a type ends.
    fn chain_end(&self, mut ty: TypeId) -> TypeId {
        loop {
            match &self.ast[ty].kind {
                TypeKind::Pointer(inner) => ty = *inner,
                TypeKind::Array { elem, .. } => ty = *elem,
                TypeKind::Function { ret, .. } => ty = *ret,
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
                | TypeKind::Implicit => return ty,
            }
        }
    }

    pub(super) fn type_name(&mut self, ty: TypeId) {
        let base = self.chain_end(ty);
        if ty == base {
            return self.specifier(base);
        }
        if self.nested(|p| p.type_name_direct(ty, base)) {
            return;
        }
        self.then([Task::Specifier(base), Task::Gap(ty, base, None), Task::Declarator(ty, base, None)]);
    }

    /// The declarator that makes `ty` from `base`, around `name`.
    pub(super) fn declarator(&mut self, ty: TypeId, base: TypeId, name: Option<Symbol>) {
        if ty == base {
            if let Some(name) = name {
                self.word(self.ast.names.name(name));
            }
            return;
        }
        if self.nested(|p| p.declarator_direct(ty, base, name)) {
            return;
        }
        // Left of the name in reverse order, and right of it.
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let mut at = ty;
        let mut after_pointer = false;
        while at != base {
            let node = &self.ast[at];
            at = match &node.kind {
                TypeKind::Pointer(inner) => {
                    let words =
                        QUALIFIERS.iter().rev().filter(|q| node.quals.has(q.0)).map(|q| Task::Word(q.1));
                    left.extend(words);
                    if !node.attrs.is_empty() {
                        left.extend([Task::Text(" "), Task::Attrs(&node.attrs)]);
                    }
                    left.push(Task::Star);
                    after_pointer = true;
                    *inner
                }
                TypeKind::Array { elem, size, quals, is_static } => {
                    self.parentheses(after_pointer, &node.attrs, &mut left, &mut right);
                    right.push(Task::Text("["));
                    if *is_static {
                        right.push(Task::Text("static "));
                    }
                    right.extend(QUALIFIERS.iter().filter(|q| quals.has(q.0)).map(|q| Task::Word(q.1)));
                    match size {
                        ArraySize::None => {}
                        ArraySize::Star => right.push(Task::Text("*")),
                        ArraySize::Expr(size) => {
                            if *quals != Quals::NONE {
                                right.push(Task::Text(" "));
                            }
                            right.push(Task::Expr(*size, 0));
                        }
                    }
                    right.push(Task::Text("]"));
                    after_pointer = false;
                    *elem
                }
                TypeKind::Function { ret, params } => {
                    self.parentheses(after_pointer, &node.attrs, &mut left, &mut right);
                    self.params(params, &mut right);
                    after_pointer = false;
                    *ret
                }
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
                | TypeKind::Implicit => break,
            };
        }
        let name = name.map(Task::Name);
        let tasks: Vec<Task<'a>> = left.into_iter().rev().chain(name).chain(right).collect();
        self.then(tasks);
    }

    /// Array and function suffixes behind a `*` need parentheses around what is inside; so do attributes.
    fn parentheses(
        &self,
        after_pointer: bool,
        attrs: &'a [Attribute],
        left: &mut Vec<Task<'a>>,
        right: &mut Vec<Task<'a>>,
    ) {
        if after_pointer || !attrs.is_empty() {
            if !attrs.is_empty() {
                left.extend([Task::Text(" "), Task::Attrs(attrs)]);
            }
            left.push(Task::Text("("));
            right.push(Task::Text(")"));
        }
    }

    fn params(&self, params: &'a Params, tasks: &mut Vec<Task<'a>>) {
        tasks.push(Task::Text("("));
        match params {
            Params::Unspecified => {}
            Params::Identifiers(names) => {
                for (index, name) in names.iter().enumerate() {
                    if index > 0 {
                        tasks.push(Task::Text(", "));
                    }
                    tasks.push(Task::Name(*name));
                }
            }
            Params::Prototype { params, variadic } => {
                if params.is_empty() && !variadic {
                    tasks.push(Task::Text("void"));
                }
                tasks.push(Task::Inc);
                self.list(tasks, params.iter().map(Task::Param));
                if *variadic {
                    tasks.push(Task::Text(if params.is_empty() { "..." } else { ", ..." }));
                }
                tasks.push(Task::Dec);
            }
        }
        tasks.push(Task::Text(")"));
    }

    pub(super) fn attrs(&mut self, attrs: &'a [Attribute]) {
        if attrs.is_empty() {
            return;
        }
        if self.nested(|p| p.attrs_direct(attrs)) {
            return;
        }
        self.blank();
        let mut tasks = vec![Task::Text("__attribute__((")];
        for (index, attr) in attrs.iter().enumerate() {
            if index > 0 {
                tasks.push(Task::Text(", "));
            }
            tasks.push(Task::Name(attr.name));
            if let Some(args) = &attr.args {
                tasks.push(Task::Text("("));
                self.list(
                    &mut tasks,
                    args.iter().map(|arg| match arg {
                        AttrArg::Expr(value) => Task::Expr(*value, 2),
                        AttrArg::Type(ty) => Task::TypeName(*ty),
                    }),
                );
                tasks.push(Task::Text(")"));
            }
        }
        tasks.push(Task::Text("))"));
        self.then(tasks);
    }
}
