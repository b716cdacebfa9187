//! Instructions.

use super::body::{Builder, is_calling_convention};
use super::types::starts_type;
use super::{Parser, Res};
use crate::floats::FloatPred;
use crate::llvm_ir::ast::{
    Access, Arg, Attachment, Attr, BinOp, Bundle, Call, CastOp, ConstKind, Inst, IntPred, Op, Operand,
};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::lexer::Tok;
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::names::Name;

impl Parser<'_> {
    /// Reads one instruction; tells whether it ends its block.
    pub(super) fn instruction(&mut self, b: &mut Builder) -> Res<bool> {
        let at = self.at as u32;
        let name = self.result_name(b)?;
        let Tok::Word(mnemonic) = self.tok else { return self.expected("an instruction") };
        self.bump()?;
        let (op, ty) = self.operation(b, mnemonic)?;
        let attachments = self.attachments()?;
        let index = b.f.insts.len() as u32;
        let result = match (name, ty) {
            (Some(_), Types::VOID) => return self.error("this instruction has no result to name"),
            (None, Types::VOID) => None,
            (Some(name), ty) => Some(self.define(b, name, ty, Some(index))?),
            (None, ty) => {
                let name = self.implicit_name(b);
                Some(self.define(b, name, ty, Some(index))?)
            }
        };
        let end = op.is_terminator()
            || matches!(mnemonic, b"resume" | b"cleanupret" | b"catchret" | b"catchswitch");
        b.push(Inst { result, op, attachments, at });
        Ok(end)
    }

    fn attachments(&mut self) -> Res<Box<[Attachment]>> {
        let mut list = Vec::new();
        while self.eat(b',')? {
            let Tok::Meta(kind) = self.tok else { return self.expected("metadata") };
            self.bump()?;
            let kind = self.intern(kind);
            list.push((kind, self.node()?));
        }
        Ok(list.into())
    }

    /// Whether a comma with more operands (not metadata) follows; takes the comma.
    fn more(&mut self) -> Res<bool> {
        if !self.is(b',') {
            return Ok(false);
        }
        let ahead = self.lex.clone().token()?.0;
        if matches!(ahead, Tok::Meta(_)) {
            return Ok(false);
        }
        self.bump()?;
        Ok(true)
    }

    fn operation(&mut self, b: &mut Builder, mnemonic: &[u8]) -> Res<(Op, TypeId)> {
        if let Some(op) = BinOp::from_keyword(mnemonic) {
            let flags = self.flags()?;
            let (ty, lhs, rhs) = self.two(b)?;
            return Ok((Op::Binary { op, flags, ty, lhs, rhs }, ty));
        }
        if let Some(op) = CastOp::from_keyword(mnemonic) {
            let flags = self.flags()?;
            let (from, value) = self.typed_operand(b)?;
            self.want_word("to")?;
            let to = self.ty()?;
            return Ok((Op::Cast { op, flags, from, value, to }, to));
        }
        match mnemonic {
            b"ret" => self.ret(b),
            b"br" => self.br(b),
            b"switch" => self.switch(b),
            b"indirectbr" => self.indirect_br(b),
            b"unreachable" => Ok((Op::Unreachable, Types::VOID)),
            b"fneg" => {
                let flags = self.flags()?;
                let (ty, value) = self.typed_operand(b)?;
                Ok((Op::FNeg { flags, ty, value }, ty))
            }
            b"icmp" | b"fcmp" => self.comparison(b, mnemonic),
            b"select" => {
                let flags = self.flags()?;
                let (cond_ty, cond) = self.typed_operand(b)?;
                self.want(b',')?;
                let (ty, then) = self.typed_operand(b)?;
                self.want(b',')?;
                let (_, other) = self.typed_operand(b)?;
                Ok((Op::Select { flags, cond_ty, cond, ty, then, other }, ty))
            }
            b"freeze" => {
                let (ty, value) = self.typed_operand(b)?;
                Ok((Op::Freeze { ty, value }, ty))
            }
            b"phi" => self.phi(b),
            b"alloca" => self.alloca(b),
            b"load" => self.load(b),
            b"store" => self.store(b),
            b"fence" => {
                let ordering = self.ordering()?;
                Ok((Op::Fence(ordering), Types::VOID))
            }
            b"cmpxchg" => self.cmpxchg(b),
            b"atomicrmw" => self.atomicrmw(b),
            b"getelementptr" => self.gep(b),
            b"extractvalue" | b"insertvalue" | b"extractelement" | b"insertelement" => {
                self.parts(b, mnemonic)
            }
            b"shufflevector" => self.shuffle(b),
            b"va_arg" => {
                let (_, list) = self.typed_operand(b)?;
                self.want(b',')?;
                let ty = self.ty()?;
                Ok((Op::VaArg { list, ty }, ty))
            }
            b"call" | b"tail" | b"musttail" | b"notail" => self.call(b, mnemonic),
            b"invoke" | b"callbr" => self.call_branch(b, mnemonic),
            b"resume" | b"landingpad" | b"cleanupret" | b"catchret" | b"catchswitch" | b"catchpad"
            | b"cleanuppad" => {
                let name = self.intern(mnemonic);
                self.error(format!("exception handling (`{}`) is not read", self.m.names.text(name)))
            }
            _ => {
                let name = self.intern(mnemonic);
                self.error(format!("unknown instruction `{}`", self.m.names.text(name)))
            }
        }
    }

    /// Parts of aggregates and vectors taken out and put in.
    fn parts(&mut self, b: &mut Builder, mnemonic: &[u8]) -> Res<(Op, TypeId)> {
        match mnemonic {
            b"extractvalue" => {
                let (ty, value) = self.typed_operand(b)?;
                let path = self.path()?;
                let result = self.element_type(ty, &path)?;
                Ok((Op::ExtractValue { ty, value, path }, result))
            }
            b"insertvalue" => {
                let (ty, value) = self.typed_operand(b)?;
                self.want(b',')?;
                let (elem_ty, elem) = self.typed_operand(b)?;
                let path = self.path()?;
                if self.element_type(ty, &path)? != elem_ty {
                    return self.error("the element's type does not fit its place");
                }
                Ok((Op::InsertValue { ty, value, elem_ty, elem, path }, ty))
            }
            b"extractelement" => {
                let (ty, value) = self.typed_operand(b)?;
                self.want(b',')?;
                let (index_ty, index) = self.typed_operand(b)?;
                let elem = self.vector_elem(ty)?;
                Ok((Op::ExtractElement { ty, value, index_ty, index }, elem))
            }
            _ => {
                let (ty, value) = self.typed_operand(b)?;
                self.want(b',')?;
                let (_, elem) = self.typed_operand(b)?;
                self.want(b',')?;
                let (index_ty, index) = self.typed_operand(b)?;
                self.vector_elem(ty)?;
                Ok((Op::InsertElement { ty, value, elem, index_ty, index }, ty))
            }
        }
    }

    fn comparison(&mut self, b: &mut Builder, mnemonic: &[u8]) -> Res<(Op, TypeId)> {
        match mnemonic {
            b"icmp" => {
                let flags = self.flags()?;
                let Some(pred) = self.pred(IntPred::from_keyword)? else {
                    return self.expected("an integer predicate");
                };
                let (ty, lhs, rhs) = self.two(b)?;
                let result = self.bool_like(ty);
                Ok((Op::ICmp { flags, pred, ty, lhs, rhs }, result))
            }
            _ => {
                let flags = self.flags()?;
                let Some(pred) = self.pred(FloatPred::from_keyword)? else {
                    return self.expected("a floating-point predicate");
                };
                let (ty, lhs, rhs) = self.two(b)?;
                let result = self.bool_like(ty);
                Ok((Op::FCmp { flags, pred, ty, lhs, rhs }, result))
            }
        }
    }

    fn two(&mut self, b: &mut Builder) -> Res<(TypeId, Operand, Operand)> {
        let (ty, lhs) = self.typed_operand(b)?;
        self.want(b',')?;
        let rhs = self.operand(b, ty)?;
        Ok((ty, lhs, rhs))
    }

    fn ret(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let ty = self.ty()?;
        if ty == Types::VOID {
            return Ok((Op::Ret(None), Types::VOID));
        }
        let value = self.operand(b, ty)?;
        Ok((Op::Ret(Some((ty, value))), Types::VOID))
    }

    fn br(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        if self.is_word("label") {
            return Ok((Op::Br(self.target_block(b)?), Types::VOID));
        }
        let (_, cond) = self.typed_operand(b)?;
        self.want(b',')?;
        let then = self.target_block(b)?;
        self.want(b',')?;
        let other = self.target_block(b)?;
        Ok((Op::CondBr { cond, then, other }, Types::VOID))
    }

    fn switch(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let (ty, value) = self.typed_operand(b)?;
        self.want(b',')?;
        let default = self.target_block(b)?;
        self.want(b'[')?;
        let mut cases = Vec::new();
        while !self.eat(b']')? {
            let case = self.typed_const()?;
            if !matches!(self.m.consts[case.0 as usize].kind, ConstKind::Int(_) | ConstKind::Wide(_)) {
                return self.error("a case must be an integer");
            }
            self.want(b',')?;
            cases.push((case, self.target_block(b)?));
        }
        Ok((Op::Switch { ty, value, default, cases: cases.into() }, Types::VOID))
    }

    fn indirect_br(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let (_, address) = self.typed_operand(b)?;
        self.want(b',')?;
        self.want(b'[')?;
        let mut targets = Vec::new();
        while !self.eat(b']')? {
            targets.push(self.target_block(b)?);
            self.eat(b',')?;
        }
        Ok((Op::IndirectBr { address, targets: targets.into() }, Types::VOID))
    }

    fn phi(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let flags = self.flags()?;
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.want(b'[')?;
            let value = self.operand(b, ty)?;
            self.want(b',')?;
            let block = self.block_name(b)?;
            self.want(b']')?;
            incoming.push((value, block));
            if !self.more()? {
                break;
            }
        }
        Ok((Op::Phi { flags, ty, incoming: incoming.into() }, ty))
    }

    fn alloca(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let mut flags = self.flags()?;
        self.eat_word("swifterror")?;
        flags = flags.with(self.flags()?);
        let ty = self.ty()?;
        let (mut count, mut align, mut result) = (None, None, Types::PTR);
        while self.more()? {
            if self.eat_word("align")? {
                align = Some(self.uint()?);
            } else if self.is_word("addrspace") {
                let space = self.address_space()?;
                result = self.m.types.intern(Type::Ptr(space));
            } else {
                count = Some(self.typed_operand(b)?);
            }
        }
        Ok((Op::Alloca { flags, ty, count, align }, result))
    }

    fn load(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let ty = self.ty()?;
        self.want(b',')?;
        let (_, ptr) = self.typed_operand(b)?;
        let access = self.access(atomic, volatile)?;
        Ok((Op::Load { ty, ptr, access }, ty))
    }

    fn store(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let (ty, value) = self.typed_operand(b)?;
        self.want(b',')?;
        let (_, ptr) = self.typed_operand(b)?;
        let access = self.access(atomic, volatile)?;
        Ok((Op::Store { ty, value, ptr, access }, Types::VOID))
    }

    fn access(&mut self, atomic: bool, volatile: bool) -> Res<Access> {
        let mut access = Access { volatile, ..Access::default() };
        if atomic {
            access.ordering = Some(self.ordering()?);
        }
        access.align = self.align_suffix()?;
        Ok(access)
    }

    fn align_suffix(&mut self) -> Res<Option<u64>> {
        if !self.more()? {
            return Ok(None);
        }
        self.want_word("align")?;
        Ok(Some(self.uint()?))
    }

    /// An ordering, its scope before where that is not the whole system.
    fn ordering(&mut self) -> Res<Name> {
        let scope = self.sync_scope()?;
        let order = self.word_name()?;
        if scope.is_empty() {
            return Ok(order);
        }
        let order = format!("{scope}{}", self.m.names.text(order));
        Ok(self.intern(order.as_bytes()))
    }

    /// `syncscope("...") `, or nothing.
    fn sync_scope(&mut self) -> Res<String> {
        if !self.eat_word("syncscope")? {
            return Ok(String::new());
        }
        self.want(b'(')?;
        let scope = self.string()?;
        self.want(b')')?;
        Ok(format!("syncscope(\"{}\") ", scope))
    }

    fn word_name(&mut self) -> Res<Name> {
        let Tok::Word(w) = self.tok else { return self.expected("a word") };
        self.bump()?;
        Ok(self.intern(w))
    }

    fn cmpxchg(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let flags = self.flags()?;
        let (_, ptr) = self.typed_operand(b)?;
        self.want(b',')?;
        let (ty, expected) = self.typed_operand(b)?;
        self.want(b',')?;
        let (_, new) = self.typed_operand(b)?;
        let orderings = (self.ordering()?, self.word_name()?);
        let align = self.align_suffix()?;
        let result = self.m.types.intern(Type::Struct { fields: [ty, Types::I1].into(), packed: false });
        Ok((Op::CmpXchg { flags, ptr, ty, expected, new, orderings, align }, result))
    }

    fn atomicrmw(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let flags = self.flags()?;
        let op = self.word_name()?;
        let (_, ptr) = self.typed_operand(b)?;
        self.want(b',')?;
        let (ty, value) = self.typed_operand(b)?;
        let ordering = self.ordering()?;
        let align = self.align_suffix()?;
        Ok((Op::AtomicRmw { flags, op, ptr, ty, value, ordering, align }, ty))
    }

    fn gep(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let mut flags = self.flags()?;
        if self.eat_word("inrange")? {
            self.skip_brackets()?;
            flags = flags.with(self.flags()?);
        }
        let source = self.ty()?;
        self.want(b',')?;
        let (base_ty, base) = self.typed_operand(b)?;
        let mut indices = Vec::new();
        let mut result = base_ty;
        while self.more()? {
            let (ty, value) = self.typed_operand(b)?;
            if self.m.types.is_vector(ty) && !self.m.types.is_vector(result) {
                result = self.with_shape(ty, base_ty);
            }
            indices.push((ty, value));
        }
        Ok((Op::Gep { flags, source, base_ty, base, indices: indices.into() }, result))
    }

    fn path(&mut self) -> Res<Box<[u32]>> {
        let mut path = Vec::new();
        while self.more()? {
            path.push(self.small()?);
        }
        if path.is_empty() {
            return self.expected("an index");
        }
        Ok(path.into())
    }

    fn element_type(&mut self, mut ty: TypeId, path: &[u32]) -> Res<TypeId> {
        for &i in path {
            let inner = match self.m.types.resolve(ty) {
                Type::Struct { fields, .. } => fields.get(i as usize).copied(),
                Type::Array { len, elem } if u64::from(i) < *len => Some(*elem),
                _ => None,
            };
            match inner {
                Some(inner) => ty = inner,
                None => return self.error("index does not fit the aggregate's type"),
            }
        }
        Ok(ty)
    }

    fn vector_elem(&mut self, ty: TypeId) -> Res<TypeId> {
        match *self.m.types.resolve(ty) {
            Type::Vector { elem, .. } => Ok(elem),
            _ => self.error("expected a vector"),
        }
    }

    fn shuffle(&mut self, b: &mut Builder) -> Res<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(b)?;
        self.want(b',')?;
        let (_, second) = self.typed_operand(b)?;
        self.want(b',')?;
        let mask_ty = self.ty()?;
        let mask = self.constant(mask_ty)?;
        let elem = self.vector_elem(ty)?;
        self.vector_elem(mask_ty)?;
        let result = self.with_shape(mask_ty, elem);
        Ok((Op::Shuffle { ty, a, b: second, mask }, result))
    }

    fn call(&mut self, b: &mut Builder, mnemonic: &[u8]) -> Res<(Op, TypeId)> {
        let tail = if mnemonic == b"call" {
            None
        } else {
            self.want_word("call")?;
            Some(self.intern(mnemonic))
        };
        let call = self.call_inside(b, tail)?;
        let ret = call.ret;
        Ok((Op::Call(Box::new(call)), ret))
    }

    /// What may stand before the result type of a call: its convention, and attributes of the result.
    fn call_words(&mut self) -> Res<(Vec<Name>, Vec<Attr>)> {
        let (mut words, mut ret_attrs) = (Vec::new(), Vec::new());
        loop {
            match self.tok {
                Tok::Word(w) if starts_type(w) => break,
                Tok::Word(b"cc") => {
                    self.bump()?;
                    let n = self.uint()?;
                    words.push(self.m.names.intern(&format!("cc {n}")));
                }
                Tok::Word(b"addrspace") => {
                    self.address_space()?;
                }
                Tok::Word(w) if is_calling_convention(w) => {
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
        Ok((words, ret_attrs))
    }

    /// The intrinsic that a callee is, if any.
    fn intrinsic(&self, callee: Operand) -> Option<(Intrinsic, usize)> {
        let Operand::Const(c) = callee else { return None };
        match self.m.consts.get(c.0 as usize)?.kind {
            ConstKind::Global(name) | ConstKind::Wrapped(_, name) => Intrinsic::of(self.m.names.text(name)),
            _ => None,
        }
    }

    /// The arguments of a call as LLVM has them since version 7: before, memcpy and its like said in an argument before the
    /// last how their areas are aligned. Where that says nothing, it is left out, as LLVM does when it reads such a file.
    fn without_old_alignment(&self, callee: Operand, mut args: Vec<Arg>) -> Vec<Arg> {
        let says_nothing = |arg: &Arg| match arg.value {
            Operand::Const(c) => match self.m.consts[c.0 as usize].kind {
                ConstKind::Int(n) => n <= 1,
                ConstKind::Zero => true,
                _ => false,
            },
            Operand::Local(_) => false,
        };
        let block = matches!(self.intrinsic(callee), Some((Intrinsic::Block(_), _)));
        if block && args.len() == 5 && says_nothing(&args[3]) {
            args.remove(3);
        }
        args
    }

    fn call_inside(&mut self, b: &mut Builder, tail: Option<Name>) -> Res<Call> {
        let flags = self.flags()?;
        let (words, ret_attrs) = self.call_words()?;
        let ty = self.ty()?;
        let (ret, fn_ty) = match self.m.types.get(ty) {
            Type::Func { ret, .. } => (*ret, Some(ty)),
            _ => (ty, None),
        };
        let callee = self.operand(b, Types::PTR)?;
        self.want(b'(')?;
        let mut args = Vec::new();
        while !self.is(b')') {
            args.push(self.argument(b)?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.want(b')')?;
        let mut call = Call {
            tail,
            flags,
            words: words.into(),
            ret_attrs,
            ret,
            fn_ty,
            callee,
            intrinsic: self.intrinsic(callee),
            args: self.without_old_alignment(callee, args).into(),
            attrs: Vec::new(),
            groups: Vec::new(),
            bundles: Box::default(),
        };
        loop {
            match self.tok {
                Tok::AttrGroup(n) => {
                    self.bump()?;
                    call.groups.push(n);
                }
                Tok::Punct(b'[') => {
                    call.bundles = self.bundles(b)?;
                }
                // `invoke` goes on with `to label`.
                Tok::Word(b"to") => break,
                // The next instruction starts with a word too; attributes of calls are in groups or known.
                Tok::Word(w) if is_call_attr(w) => match self.attr()? {
                    Some(attr) => call.attrs.push(attr),
                    None => break,
                },
                Tok::Str(_) => match self.attr()? {
                    Some(attr) => call.attrs.push(attr),
                    None => break,
                },
                _ => break,
            }
        }
        Ok(call)
    }

    /// `["tag"(type value, …), …]`.
    fn bundles(&mut self, b: &mut Builder) -> Res<Box<[Bundle]>> {
        self.want(b'[')?;
        let mut out = Vec::new();
        while !self.is(b']') {
            let Tok::Str(text) = self.tok else { return self.expected("the tag of an operand bundle") };
            let tag = self.m.names.intern(&String::from_utf8_lossy(text));
            self.bump()?;
            self.want(b'(')?;
            let mut args = Vec::new();
            while !self.is(b')') {
                args.push(self.argument(b)?);
                if !self.eat(b',')? {
                    break;
                }
            }
            self.want(b')')?;
            out.push(Bundle { tag, args: args.into() });
            if !self.eat(b',')? {
                break;
            }
        }
        self.want(b']')?;
        Ok(out.into())
    }

    fn argument(&mut self, b: &mut Builder) -> Res<Arg> {
        let ty = self.ty()?;
        if *self.m.types.get(ty) == Type::Metadata {
            let value = self.metadata_argument()?;
            return Ok(Arg { ty, attrs: Vec::new(), value });
        }
        let attrs = self.attrs()?;
        let value = self.operand(b, ty)?;
        Ok(Arg { ty, attrs, value })
    }

    fn metadata_argument(&mut self) -> Res<Operand> {
        let ty = self.m.types.intern(Type::Metadata);
        let (start, mut end) = (self.at, self.at);
        while !matches!(self.tok, Tok::Punct(b',' | b')') | Tok::Eof) {
            if matches!(self.tok, Tok::Punct(b'(' | b'{' | b'[')) {
                self.skip_brackets()?;
            } else {
                self.bump()?;
            }
            end = self.before;
        }
        let text = String::from_utf8_lossy(&self.lex.source()[start..end.max(start)]).into();
        Ok(Operand::Const(self.push_const(ty, ConstKind::Metadata(text))))
    }

    fn call_branch(&mut self, b: &mut Builder, mnemonic: &[u8]) -> Res<(Op, TypeId)> {
        let mnemonic = self.intern(mnemonic);
        let call = self.call_inside(b, None)?;
        self.want_word("to")?;
        let mut targets = vec![self.target_block(b)?];
        if self.eat_word("unwind")? {
            targets.push(self.target_block(b)?);
        } else if self.eat(b'[')? {
            while !self.eat(b']')? {
                targets.push(self.target_block(b)?);
                self.eat(b',')?;
            }
        }
        let ret = call.ret;
        Ok((Op::CallBranch { mnemonic, call: Box::new(call), targets: targets.into() }, ret))
    }
}

/// Attributes that may stand behind a call's arguments.
fn is_call_attr(w: &[u8]) -> bool {
    matches!(
        w,
        b"noreturn"
            | b"nounwind"
            | b"readnone"
            | b"readonly"
            | b"writeonly"
            | b"argmemonly"
            | b"memory"
            | b"willreturn"
            | b"nosync"
            | b"nofree"
            | b"norecurse"
            | b"noinline"
            | b"alwaysinline"
            | b"inlinehint"
            | b"optsize"
            | b"minsize"
            | b"cold"
            | b"hot"
            | b"convergent"
            | b"nobuiltin"
            | b"builtin"
            | b"nocallback"
            | b"noduplicate"
            | b"nomerge"
            | b"mustprogress"
            | b"speculatable"
            | b"returns_twice"
            | b"strictfp"
            | b"allocsize"
            | b"alignstack"
            | b"nocf_check"
            | b"inaccessiblememonly"
            | b"inaccessiblemem_or_argmemonly"
    )
}
