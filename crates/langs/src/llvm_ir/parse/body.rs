//! Function headers and bodies.

use super::types::starts_type;
use super::{Parser, Res};
use crate::llvm_ir::ast::{Block, BlockId, Function, Inst, Local, LocalId, Operand, Param};
use crate::llvm_ir::lexer::Tok;
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::names::Name;
use rustc_hash::FxHashMap;

/// A function under construction.
pub(super) struct Builder {
    pub(super) f: Function,
    locals: FxHashMap<Name, LocalId>,
    blocks: FxHashMap<Name, BlockId>,
    placed: Vec<bool>,
    defined: Vec<bool>,
    next_number: u32,
    order: Vec<BlockId>,
}

impl Parser<'_> {
    pub(super) fn declaration(&mut self) -> Res<()> {
        self.bump()?;
        while matches!(self.tok, Tok::Meta(_)) {
            self.bump()?;
            self.node()?;
        }
        let (mut f, _) = self.header()?;
        self.header_suffix(&mut f, false)?;
        self.m.functions.push(f);
        Ok(())
    }

    pub(super) fn definition(&mut self) -> Res<()> {
        self.bump()?;
        let (mut f, names) = self.header()?;
        self.header_suffix(&mut f, true)?;
        f.defined = true;
        if !self.is(b'{') {
            return self.expected("`{`");
        }
        // Where the body ends if it cannot be read: a line that is just a closing brace.
        let resume = self.body_end();
        let declaration = f.clone();
        // Which of two is meant, nobody knows: neither is read.
        let twice = self.m.functions.iter().any(|g| g.name == f.name && g.defined);
        let body = match twice {
            true => self.error("a function of this name is already defined"),
            false => self.body(f, &names),
        };
        match body {
            Ok(f) => self.m.functions.push(f),
            Err(error) => {
                let Some(resume) = resume else { return Err(error) };
                self.m.damaged.push((declaration.name, error));
                let mut f = declaration;
                f.defined = false;
                f.locals.clear();
                self.m.functions.push(f);
                self.depth = 0;
                self.lex = self.lex.clone().moved_to(resume);
                self.bump()?;
            }
        }
        Ok(())
    }

    fn body_end(&self) -> Option<usize> {
        let source = self.lex.source();
        let from = self.lex.pos();
        let mut line = from;
        while let Some(p) = source[line..].iter().position(|b| *b == b'\n') {
            line += p + 1;
            if source[line..].starts_with(b"}") {
                return Some(line + 1);
            }
        }
        None
    }

    fn header(&mut self) -> Res<(Function, Vec<Option<Name>>)> {
        let at = self.at as u32;
        let mut words = Vec::new();
        let mut ret_attrs = Vec::new();
        loop {
            match self.tok {
                Tok::Word(w) if starts_type(w) => break,
                Tok::Word(b"cc") => {
                    self.bump()?;
                    let n = self.uint()?;
                    words.push(self.m.names.intern(&format!("cc {n}")));
                }
                Tok::Word(w) if is_header_word(w) => {
                    words.push(self.intern(w));
                    self.bump()?;
                }
                Tok::Word(_) | Tok::Str(_) => match self.attr()? {
                    Some(attr) => ret_attrs.push(attr),
                    None => return self.expected("a result type"),
                },
                _ => break,
            }
        }
        let ret = self.ty()?;
        let name = self.global_name()?;
        self.want(b'(')?;
        let (mut params, mut names, mut locals, mut vararg) = (Vec::new(), Vec::new(), Vec::new(), false);
        while !self.is(b')') {
            if self.tok == Tok::Dots {
                self.bump()?;
                vararg = true;
                break;
            }
            let ty = self.ty()?;
            let attrs = self.attrs()?;
            let local = LocalId(params.len() as u32);
            let name = match self.tok {
                Tok::Local(raw) => Some(self.intern(raw)),
                Tok::LocalNum(n) => Some(self.number_name(n)),
                _ => None,
            };
            if name.is_some() {
                self.bump()?;
            }
            names.push(name);
            locals.push(ty);
            params.push(Param { ty, attrs, local });
            if !self.eat(b',')? {
                break;
            }
        }
        self.want(b')')?;
        let f = Function {
            name,
            words: words.into(),
            ret_attrs,
            ret,
            params,
            vararg,
            attrs: Vec::new(),
            groups: Vec::new(),
            defined: false,
            locals: Vec::new(),
            blocks: Vec::new(),
            insts: Vec::new(),
            at,
        };
        Ok((f, names))
    }

    fn header_suffix(&mut self, f: &mut Function, define: bool) -> Res<()> {
        loop {
            match self.tok {
                Tok::AttrGroup(n) => {
                    self.bump()?;
                    f.groups.push(n);
                }
                Tok::Word(
                    b"define" | b"declare" | b"target" | b"source_filename" | b"attributes" | b"module"
                    | b"uselistorder",
                ) => return Ok(()),
                Tok::Word(b"section" | b"partition" | b"gc") => {
                    self.bump()?;
                    self.string()?;
                }
                Tok::Word(b"comdat") => {
                    self.bump()?;
                    if self.is(b'(') {
                        self.skip_brackets()?;
                    }
                }
                Tok::Word(b"prefix" | b"prologue" | b"personality") => {
                    self.bump()?;
                    self.typed_const()?;
                }
                Tok::Word(b"addrspace") => {
                    self.address_space()?;
                }
                Tok::Meta(_) if define => {
                    self.bump()?;
                    self.node()?;
                }
                Tok::Word(_) | Tok::Str(_) => match self.attr()? {
                    Some(attr) => f.attrs.push(attr),
                    None => return self.expected("a function attribute"),
                },
                _ => return Ok(()),
            }
        }
    }

    fn body(&mut self, f: Function, names: &[Option<Name>]) -> Res<Function> {
        self.want(b'{')?;
        let mut b = Builder {
            f,
            locals: FxHashMap::default(),
            blocks: FxHashMap::default(),
            placed: Vec::new(),
            defined: Vec::new(),
            next_number: 0,
            order: Vec::new(),
        };
        for (i, name) in names.iter().enumerate() {
            let name = match name {
                Some(name) => *name,
                None => self.number_name(b.next_number),
            };
            if self.numbers.get(b.next_number as usize) == Some(&name) {
                b.next_number += 1;
            }
            let ty = b.f.params[i].ty;
            self.define(&mut b, name, ty, None)?;
        }
        while !self.is(b'}') {
            match self.tok {
                Tok::Word(b"uselistorder") => self.skip_line()?,
                _ => self.block(&mut b)?,
            }
        }
        for (i, defined) in b.defined.iter().enumerate() {
            if !defined {
                let name = self.m.names.text(b.f.locals[i].name).to_owned();
                return self.error(format!("`%{name}` is used but never defined"));
            }
        }
        if let Some(i) = b.placed.iter().position(|p| !p) {
            let name = self.m.names.text(b.f.blocks[i].name).to_owned();
            return self.error(format!("block `%{name}` is branched to but never defined"));
        }
        if b.f.blocks.is_empty() {
            return self.error("a function body needs a block");
        }
        reorder(&mut b);
        self.want(b'}')?;
        Ok(b.f)
    }

    fn block(&mut self, b: &mut Builder) -> Res<()> {
        let name = match self.tok {
            Tok::Label(raw) => {
                let name = self.intern(raw);
                self.bump()?;
                name
            }
            Tok::LabelNum(n) => {
                self.bump()?;
                b.next_number = n.saturating_add(1);
                self.number_name(n)
            }
            _ => {
                let n = b.next_number;
                b.next_number = n.saturating_add(1);
                self.number_name(n)
            }
        };
        let id = b.block_named(name);
        if b.placed[id.0 as usize] {
            let text = self.m.names.text(name).to_owned();
            return self.error(format!("block `%{text}` defined twice"));
        }
        b.placed[id.0 as usize] = true;
        b.order.push(id);
        let first = b.f.insts.len() as u32;
        loop {
            if matches!(self.tok, Tok::HashWord(_)) {
                self.bump()?;
                if self.is(b'(') {
                    self.skip_brackets()?;
                }
                continue;
            }
            let end = self.instruction(b)?;
            if end {
                break;
            }
        }
        // Debug records may trail the terminator only before the next label; none do in practice.
        let end = b.f.insts.len() as u32;
        let block = &mut b.f.blocks[id.0 as usize];
        (block.first, block.end) = (first, end);
        Ok(())
    }

    /// Notes the definition of a local.
    pub(super) fn define(
        &mut self,
        b: &mut Builder,
        name: Name,
        ty: TypeId,
        def: Option<u32>,
    ) -> Res<LocalId> {
        let id = b.local_named(name, ty);
        let slot = id.0 as usize;
        if b.defined[slot] {
            let text = self.m.names.text(name).to_owned();
            return self.error(format!("`%{text}` defined twice"));
        }
        if b.f.locals[slot].ty != ty {
            let text = self.m.names.text(name).to_owned();
            return self.error(format!("`%{text}` is defined with another type than it is used with"));
        }
        b.defined[slot] = true;
        b.f.locals[slot].def = def;
        Ok(id)
    }

    /// An operand of a known type.
    pub(super) fn operand(&mut self, b: &mut Builder, ty: TypeId) -> Res<Operand> {
        let name = match self.tok {
            Tok::Local(raw) => self.intern(raw),
            Tok::LocalNum(n) => self.number_name(n),
            _ => return Ok(Operand::Const(self.constant(ty)?)),
        };
        let id = b.local_named(name, ty);
        if b.f.locals[id.0 as usize].ty != ty {
            let text = self.m.names.text(name).to_owned();
            return self.error(format!("`%{text}` has another type"));
        }
        self.bump()?;
        Ok(Operand::Local(id))
    }

    /// A type and an operand of it.
    pub(super) fn typed_operand(&mut self, b: &mut Builder) -> Res<(TypeId, Operand)> {
        let ty = self.ty()?;
        let value = self.operand(b, ty)?;
        Ok((ty, value))
    }

    /// `label %name`.
    pub(super) fn target_block(&mut self, b: &mut Builder) -> Res<BlockId> {
        self.want_word("label")?;
        self.block_name(b)
    }

    /// `%name` of a block.
    pub(super) fn block_name(&mut self, b: &mut Builder) -> Res<BlockId> {
        let name = match self.tok {
            Tok::Local(raw) => self.intern(raw),
            Tok::LocalNum(n) => self.number_name(n),
            _ => return self.expected("a block name"),
        };
        self.bump()?;
        Ok(b.block_named(name))
    }

    /// The name an instruction's result gets, read from `%name =`.
    pub(super) fn result_name(&mut self, b: &mut Builder) -> Res<Option<Name>> {
        let name = match self.tok {
            Tok::Local(raw) => self.intern(raw),
            Tok::LocalNum(n) => {
                b.next_number = n.saturating_add(1);
                self.number_name(n)
            }
            _ => return Ok(None),
        };
        self.bump()?;
        self.want(b'=')?;
        Ok(Some(name))
    }

    /// The name of a result that was not spelled out.
    pub(super) fn implicit_name(&mut self, b: &mut Builder) -> Name {
        let n = b.next_number;
        b.next_number = n.saturating_add(1);
        self.number_name(n)
    }

    /// `i1`, or a vector of as many as `ty` has elements.
    pub(super) fn bool_like(&mut self, ty: TypeId) -> TypeId {
        self.with_shape(ty, Types::I1)
    }

    /// `elem`, or a vector of it of the shape of `ty`.
    pub(super) fn with_shape(&mut self, ty: TypeId, elem: TypeId) -> TypeId {
        match *self.m.types.resolve(ty) {
            Type::Vector { len, scalable, .. } => self.m.types.intern(Type::Vector { len, elem, scalable }),
            _ => elem,
        }
    }
}

impl Builder {
    fn local_named(&mut self, name: Name, ty: TypeId) -> LocalId {
        if let Some(&id) = self.locals.get(&name) {
            return id;
        }
        let id = LocalId(self.f.locals.len() as u32);
        self.f.locals.push(Local { name, ty, def: None });
        self.defined.push(false);
        self.locals.insert(name, id);
        id
    }

    fn block_named(&mut self, name: Name) -> BlockId {
        if let Some(&id) = self.blocks.get(&name) {
            return id;
        }
        let id = BlockId(self.f.blocks.len() as u32);
        self.f.blocks.push(Block { name, first: 0, end: 0 });
        self.placed.push(false);
        self.blocks.insert(name, id);
        id
    }

    pub(super) fn push(&mut self, inst: Inst) {
        self.f.insts.push(inst);
    }
}

/// Blocks were numbered as first mentioned; number them as written.
fn reorder(b: &mut Builder) {
    let mut to = vec![BlockId(0); b.order.len()];
    for (new, old) in b.order.iter().enumerate() {
        to[old.0 as usize] = BlockId(new as u32);
    }
    b.f.blocks = b.order.iter().map(|old| b.f.blocks[old.0 as usize].clone()).collect();
    for inst in &mut b.f.insts {
        inst.op.for_each_block(|block| *block = to[block.0 as usize]);
    }
}

fn is_header_word(w: &[u8]) -> bool {
    matches!(
        w,
        b"private"
            | b"internal"
            | b"available_externally"
            | b"linkonce"
            | b"weak"
            | b"common"
            | b"appending"
            | b"extern_weak"
            | b"linkonce_odr"
            | b"weak_odr"
            | b"external"
            | b"dso_local"
            | b"dso_preemptable"
            | b"default"
            | b"hidden"
            | b"protected"
            | b"dllimport"
            | b"dllexport"
            | b"unnamed_addr"
            | b"local_unnamed_addr"
    ) || is_calling_convention(w)
}

/// Whether a word names a calling convention.
pub(crate) fn is_calling_convention(w: &[u8]) -> bool {
    w.ends_with(b"cc")
        || w.ends_with(b"_conv")
        || matches!(w, b"intel_ocl_bicc" | b"spir_kernel" | b"spir_func")
}
