//! A call replaced by the body of the function it calls, which the module defines.
//!
//! What is done is what the call did. Promises about arguments and results (`noundef`, `nonnull`, `align`) become
//! assumptions; the others are dropped, so that more of the source is defined: a proof is of more than was asked, a
//! refutation may not be. Where the function throws nothing its calls do not either. Objects of the function's frame are
//! the caller's, which begin at the call and end behind it.

use super::ast::{
    Alias, Arg, Attr, Block, BlockId, Bundle, Call, CastOp, ConstKind, Flags, Function, Inst, Local, LocalId,
    Module, Op, Operand,
};
use super::intrinsics::{Block as BlockOp, Intrinsic};
use super::is_calling_convention;
use super::program::{OF_FUNCTIONS, OF_MODES};
use super::types::{Type, TypeId, Types};
use crate::names::Name;
use rustc_hash::FxHashSet;

/// Ways to pass an argument that a copy of its value does not stand for.
const PASSED_APART: [&str; 7] =
    ["inalloca", "preallocated", "nest", "swiftself", "swifterror", "swiftasync", "byref"];

/// Intrinsics that look at the frame of the function they stand in: inlined they would see the caller's.
const OF_FRAMES: [&str; 6] = [
    "llvm.returnaddress",
    "llvm.frameaddress",
    "llvm.addressofreturnaddress",
    "llvm.localescape",
    "llvm.stackrestore",
    "llvm.sponentry",
];

impl Module {
    /// The function of a name that a call of it certainly calls: defined here, and no other one may take its place.
    pub(crate) fn exact_definition(&self, name: Name) -> Option<&Function> {
        let replaced = ["weak", "linkonce", "extern_weak"];
        let is_alias = |a: &Alias| a.name == name;
        self.functions
            .iter()
            .find(|f| f.name == name && f.defined)
            .filter(|f| !f.words.iter().any(|w| replaced.contains(&self.names.text(*w))))
            .filter(|_| !self.aliases.iter().any(is_alias))
            .filter(|f| !self.may_be_interposed(f))
    }

    /// Whether the module says that definitions of its functions may be replaced when it is loaded, and this one is not
    /// kept from that.
    fn may_be_interposed(&self, f: &Function) -> bool {
        let flag =
            |text: &str| text.contains("!\"SemanticInterposition\"") && !text.trim_end().ends_with("i32 0}");
        !self.is_local(&f.words)
            && !f.words.iter().any(|w| self.names.text(*w) == "dso_local")
            && self.metadata.iter().any(|(_, text)| flag(text))
    }

    fn says(&self, attrs: &[Attr], word: &str) -> bool {
        attrs.iter().any(|a| self.names.text(a.name()) == word)
    }

    /// A call of an intrinsic that returns nothing.
    pub(crate) fn intrinsic_call(
        &mut self,
        name: &str,
        intrinsic: (Intrinsic, usize),
        args: Vec<Arg>,
        bundles: Box<[Bundle]>,
    ) -> Op {
        let name = self.names.intern(name);
        Op::Call(Box::new(Call {
            tail: None,
            flags: Flags(0),
            words: Box::new([]),
            ret_attrs: Vec::new(),
            ret: Types::VOID,
            fn_ty: None,
            callee: self.new_constant(Types::PTR, ConstKind::Global(name)),
            intrinsic: Some(intrinsic),
            args: args.into(),
            attrs: Vec::new(),
            groups: Vec::new(),
            bundles,
        }))
    }

    /// An assumption that a condition holds.
    pub(crate) fn assumption(&mut self, holds: Operand) -> Op {
        let arg = Arg { ty: Types::I1, attrs: Vec::new(), value: holds };
        self.intrinsic_call("llvm.assume", (Intrinsic::Assume, 1), vec![arg], Box::new([]))
    }

    /// Whether the body of `g` can stand in place of the call in `f`.
    pub(crate) fn can_inline(&self, f: &Function, call: &Call, g: &Function) -> bool {
        let convention = |words: &[Name]| -> Vec<&str> {
            words
                .iter()
                .map(|w| self.names.text(*w))
                .filter(|w| is_calling_convention(w.as_bytes()))
                .collect()
        };
        let modes = |f: &Function| -> Vec<Attr> {
            self.attributes_of(f).filter(|a| OF_MODES.contains(&self.names.text(a.name()))).cloned().collect()
        };
        let types = || g.params.iter().map(|p| p.ty).eq(call.args.iter().map(|a| a.ty));
        let apart = |attrs: &[Attr]| PASSED_APART.iter().any(|word| self.says(attrs, word));
        let entered_again =
            g.insts.iter().any(|i| i.op.is_terminator() && i.op.successors().contains(&BlockId(0)));
        !g.vararg
            && !self.attributes_of(g).any(|a| self.names.text(a.name()) == "naked")
            && call.bundles.is_empty()
            && call.tail.is_none_or(|t| self.names.text(t) != "musttail")
            && call.ret == g.ret
            && types()
            && convention(&call.words) == convention(&g.words)
            && modes(f) == modes(g)
            && !g.params.iter().any(|p| apart(&p.attrs))
            && !call.args.iter().any(|a| apart(&a.attrs))
            && !entered_again
            && g.insts.iter().enumerate().all(|(n, i)| self.can_move(g, n, i))
    }

    /// Whether a call, or the function that it calls, promises what is dropped where its body stands in the place of it.
    pub(crate) fn loses_promises(&self, call: &Call, g: &Function) -> bool {
        const KEPT: [&str; 7] = ["noundef", "byval", "sret", "signext", "zeroext", "inreg", "immarg"];
        const IDLE: [&str; 5] = ["nounwind", "norecurse", "nosync", "nofree", "nocallback"];
        let of_values = |attrs: &[Attr]| {
            let defined = self.says(attrs, "noundef");
            attrs.iter().any(|a| {
                let name = self.names.text(a.name());
                let assumed = defined && matches!(name, "nonnull" | "align");
                !(assumed || KEPT.contains(&name))
            })
        };
        let promises = |a: &Attr| {
            let name = self.names.text(a.name());
            OF_FUNCTIONS.contains(&name) && !IDLE.contains(&name)
        };
        let arguments = g.params.iter().zip(&call.args);
        arguments.map(|(p, a)| [&p.attrs[..], &a.attrs[..]].concat()).any(|attrs| of_values(&attrs))
            || of_values(&[&g.ret_attrs[..], &call.ret_attrs[..]].concat())
            || self.attributes_of(g).chain(&call.attrs).chain(self.grouped(&call.groups)).any(promises)
    }

    /// Whether an instruction of a function means the same in another one.
    fn can_move(&self, g: &Function, at: usize, inst: &Inst) -> bool {
        match &inst.op {
            Op::Alloca { flags, count, .. } => {
                g.block_of(at) == Some(BlockId(0))
                    && *flags == Flags(0)
                    && count.is_none_or(|(_, n)| matches!(n, Operand::Const(_)))
            }
            Op::IndirectBr { .. } | Op::CallBranch { .. } | Op::Exception(_) | Op::VaArg { .. } => false,
            Op::Call(call) => {
                let name = self.called(call).map(|n| self.names.text(n));
                let twice = |a: &Attr| self.names.text(a.name()) == "returns_twice";
                let declared = self.functions.iter().find(|f| Some(self.names.text(f.name)) == name);
                !matches!(call.intrinsic, Some((Intrinsic::VaStart | Intrinsic::VaCopy, _)))
                    && call.tail.is_none_or(|t| self.names.text(t) != "musttail")
                    && !name.is_some_and(|n| OF_FRAMES.iter().any(|own| n.starts_with(own)))
                    && !call.attrs.iter().chain(self.grouped(&call.groups)).any(twice)
                    && !declared.is_some_and(|f| self.attributes_of(f).any(twice))
            }
            _ => true,
        }
    }

    /// The function with the call that is instruction `at` replaced by what `g`, a function of this module, does. None
    /// where `at` is no such call, or where the body depends on being a function of its own.
    pub(crate) fn inlined(&mut self, f: &Function, at: usize, g: &Function) -> Option<Function> {
        let Op::Call(call) = &f.insts.get(at)?.op else { return None };
        if !self.can_inline(f, call, g) {
            return None;
        }
        let call = call.clone();
        let site = f.block_of(at)?.0 as usize;
        Body::new(self, f, g, &call, (at, site)).build()
    }
}

/// A body on its way into a caller.
struct Body<'m, 'f> {
    m: &'m mut Module,
    f: &'f Function,
    g: &'f Function,
    call: &'f Call,
    /// The call: its instruction and its block.
    at: usize,
    site: usize,
    locals: Vec<Local>,
    taken: FxHashSet<Name>,
    /// Objects of the caller's frame that are new.
    objects: Vec<Inst>,
    /// What stands before the body.
    before: Vec<Inst>,
    /// What stands for each parameter.
    given: Vec<Operand>,
    /// The blocks that return, and with what.
    returns: Vec<(usize, Option<Operand>)>,
}

impl<'m, 'f> Body<'m, 'f> {
    fn new(
        m: &'m mut Module,
        f: &'f Function,
        g: &'f Function,
        call: &'f Call,
        (at, site): (usize, usize),
    ) -> Self {
        let taken = f.locals.iter().map(|l| l.name).chain(f.blocks.iter().map(|b| b.name)).collect();
        let returns =
            (0..g.blocks.len()).filter_map(|n| match &g.block_insts(BlockId(n as u32)).last()?.op {
                Op::Ret(value) => Some((n, value.as_ref().map(|v| v.1))),
                _ => None,
            });
        let returns = returns.collect();
        let (locals, given) = (f.locals.clone(), call.args.iter().map(|a| a.value).collect());
        let (objects, before) = (Vec::new(), Vec::new());
        Body { m, f, g, call, at, site, locals, taken, objects, before, given, returns }
    }

    fn build(mut self) -> Option<Function> {
        for local in &self.g.locals {
            let name = self.fresh_name(local.name);
            self.locals.push(Local { name, ..local.clone() });
        }
        self.pass_arguments()?;
        let begun = self.begin_objects();
        let (first, last) = (self.f.blocks[self.site].first as usize, self.f.blocks[self.site].end as usize);
        let mut bodies: Vec<(Name, Vec<Inst>)> = Vec::new();
        for n in 0..self.g.blocks.len() {
            let name =
                if n == 0 { self.f.blocks[self.site].name } else { self.fresh_name(self.g.blocks[n].name) };
            let mut insts = self.moved(n);
            self.promise_of_result(&mut insts);
            if self.returns.iter().any(|(r, _)| *r == n) {
                insts.pop();
                let ends =
                    begun.iter().map(|o| self.lifetime("llvm.lifetime.end.p0", *o)).collect::<Vec<_>>();
                insts.extend(ends);
                if self.returns.len() > 1 {
                    insts.push(self.plain(None, Op::Br(self.behind())));
                }
            }
            bodies.push((name, insts));
        }
        let head: Vec<Inst> = self.f.insts[first..self.at].to_vec();
        let before = std::mem::take(&mut self.before);
        let start: Vec<Inst> = head.into_iter().map(|i| self.kept(i)).chain(before).collect();
        bodies[0].1.splice(0..0, start);
        let mut rest = self.result();
        let tail: Vec<Inst> = self.f.insts[self.at + 1..last].to_vec();
        rest.extend(tail.into_iter().map(|i| self.kept(i)));
        if let [(only, _)] = self.returns[..] {
            bodies[only].1.extend(rest);
        } else {
            let name = self.fresh_name(self.f.blocks[self.site].name);
            bodies.push((name, rest));
        }
        let (mut blocks, mut insts) = (Vec::new(), Vec::new());
        let mut push = |name: Name, mut body: Vec<Inst>| {
            let first = insts.len() as u32;
            insts.append(&mut body);
            blocks.push(Block { name, first, end: insts.len() as u32 });
        };
        for (n, block) in self.f.blocks.iter().enumerate() {
            let mut here: Vec<(Name, Vec<Inst>)> = if n == self.site {
                std::mem::take(&mut bodies)
            } else {
                let of_block = &self.f.insts[block.first as usize..block.end as usize];
                vec![(block.name, of_block.iter().map(|i| self.kept(i.clone())).collect())]
            };
            if n == 0 {
                let own = here[0].1.iter().take_while(|i| matches!(i.op, Op::Alloca { .. })).count();
                here[0].1.splice(own..own, std::mem::take(&mut self.objects));
            }
            here.into_iter().for_each(|(name, body)| push(name, body));
        }
        Some(Function { insts, blocks, locals: self.locals, ..self.f.clone() }.renumbered())
    }

    fn fresh_name(&mut self, like: Name) -> Name {
        let stem = format!("{}.i", self.m.names.text(like));
        let mut name = self.m.names.intern(&stem);
        let mut n = self.taken.len();
        while !self.taken.insert(name) {
            name = self.m.names.intern(&format!("{stem}{n}"));
            n += 1;
        }
        name
    }

    fn new_local(&mut self, like: &str, ty: TypeId) -> LocalId {
        let like = self.m.names.intern(like);
        let name = self.fresh_name(like);
        self.locals.push(Local { name, ty, def: None });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// An instruction at the call.
    fn plain(&self, result: Option<LocalId>, op: Op) -> Inst {
        Inst { result, op, attachments: Box::new([]), at: self.f.insts[self.at].at }
    }

    /// Where the caller goes on.
    fn behind(&self) -> BlockId {
        let n = match self.returns[..] {
            [(only, _)] => only,
            _ => self.g.blocks.len(),
        };
        BlockId((self.site + n) as u32)
    }

    /// An instruction of the caller, whose blocks have other numbers now.
    fn kept(&self, mut inst: Inst) -> Inst {
        let more = self.g.blocks.len() - usize::from(self.returns.len() == 1);
        let later = |b: &mut BlockId| {
            if b.0 as usize > self.site {
                b.0 += more as u32;
            }
        };
        match &mut inst.op {
            Op::Phi { incoming, .. } => {
                for (_, from) in incoming {
                    if from.0 as usize == self.site { *from = self.behind() } else { later(from) }
                }
            }
            op => op.for_each_block(later),
        }
        inst
    }

    /// The instructions of a block of the body in the caller, with what is given for the parameters; without objects.
    fn moved(&mut self, block: usize) -> Vec<Inst> {
        let (shift, site) = (self.f.locals.len() as u32, self.site as u32);
        let params: Vec<LocalId> = self.g.params.iter().map(|p| p.local).collect();
        // An exception that leaves a call of the body would leave the function.
        let said =
            self.m.attributes_of(self.g).chain(&self.call.attrs).chain(self.m.grouped(&self.call.groups));
        let leaves_none = said.map(Attr::name).find(|n| self.m.names.text(*n) == "nounwind");
        let mut out = Vec::new();
        for inst in self.g.block_insts(BlockId(block as u32)) {
            let mut inst = inst.clone();
            inst.result = inst.result.map(|l| LocalId(l.0 + shift));
            inst.op.for_each_block(|b| b.0 += site);
            inst.op.for_each_operand_mut(|o| *o = self.given_for(&params, *o));
            // Accesses that alias scopes tell apart are those of one run of the body; another copy of it has the same scopes.
            let of_scopes = |n: Name| matches!(self.m.names.text(n), "noalias" | "alias.scope");
            inst.attachments =
                inst.attachments.iter().filter(|(kind, _)| !of_scopes(*kind)).copied().collect();
            match &mut inst.op {
                Op::Alloca { .. } => {
                    self.objects.push(inst);
                    continue;
                }
                Op::Call(call) => {
                    call.tail = None;
                    if call.intrinsic.is_none() && !self.m.says(&call.attrs, "nounwind") {
                        call.attrs.extend(leaves_none.map(Attr::Flag));
                    }
                }
                _ => {}
            }
            out.push(inst);
        }
        out
    }

    fn given_for(&self, params: &[LocalId], o: Operand) -> Operand {
        match o {
            Operand::Local(l) => match params.iter().position(|p| *p == l) {
                Some(n) => self.given[n],
                None => Operand::Local(LocalId(l.0 + self.f.locals.len() as u32)),
            },
            Operand::Const(_) => o,
        }
    }

    /// What is promised of the arguments, and copies of those that are passed by value in memory.
    fn pass_arguments(&mut self) -> Option<()> {
        for (n, param) in self.g.params.iter().enumerate() {
            let by_value = param.attrs.iter().find_map(|a| match a {
                Attr::Type(name, ty) if self.m.names.text(*name) == "byval" => Some(*ty),
                _ => None,
            });
            let attrs: Vec<Attr> = param.attrs.iter().chain(&self.call.args[n].attrs).cloned().collect();
            match by_value {
                Some(ty) => self.copy_argument(n, ty, &attrs)?,
                None if self.m.says(&attrs, "byval") => return None,
                // Of what is certain nothing is promised, so that an object is not handed on.
                None if self.is_certain(self.given[n]) => {}
                None => {
                    let told = self.promised(&attrs, (param.ty, self.given[n]));
                    self.before.extend(told);
                }
            }
        }
        Some(())
    }

    /// Whether an operand of the caller is a constant, or leads to an object of its frame.
    fn is_certain(&self, o: Operand) -> bool {
        let mut at = o;
        for _ in 0..self.f.insts.len() {
            let Operand::Local(l) = at else { return true };
            match self.f.definition(l).map(|i| &i.op) {
                Some(Op::Alloca { .. }) => return true,
                Some(Op::Gep { base, .. }) => at = *base,
                Some(Op::Cast { op: CastOp::BitCast, value, .. }) => at = *value,
                _ => return false,
            }
        }
        false
    }

    fn copy_argument(&mut self, n: usize, ty: TypeId, attrs: &[Attr]) -> Option<()> {
        let align = attrs.iter().find_map(|a| match a {
            Attr::Int(name, n) if self.m.names.text(*name) == "align" => Some(*n),
            _ => None,
        });
        let size = self.m.layout.alloc_size(&self.m.types, ty)?;
        let copy = self.new_local("copy", Types::PTR);
        let object = Op::Alloca { flags: Flags(0), ty, count: None, align };
        self.objects.push(self.plain(Some(copy), object));
        let wide = self.m.types.intern(Type::Int(64));
        let (size, plainly) = (
            self.m.new_constant(wide, ConstKind::Int(size)),
            self.m.new_constant(Types::I1, ConstKind::Int(0)),
        );
        let arg = |ty, value| Arg { ty, attrs: Vec::new(), value };
        let args = vec![
            arg(Types::PTR, Operand::Local(copy)),
            arg(Types::PTR, self.given[n]),
            arg(wide, size),
            arg(Types::I1, plainly),
        ];
        let op = self.m.intrinsic_call(
            "llvm.memcpy.p0.p0.i64",
            (Intrinsic::Block(BlockOp::Copy), 4),
            args,
            Box::new([]),
        );
        self.before.push(self.plain(None, op));
        self.given[n] = Operand::Local(copy);
        Some(())
    }

    /// Promises of a value as an assumption.
    fn promised(&mut self, attrs: &[Attr], (ty, value): (TypeId, Operand)) -> Option<Inst> {
        if !matches!(self.m.types.resolve(ty), Type::Int(_) | Type::Ptr(_) | Type::Float(_)) {
            return None;
        }
        let mut bundles = Vec::new();
        for attr in attrs {
            let mut args = vec![Arg { ty, attrs: Vec::new(), value }];
            let tag = match (self.m.names.text(attr.name()), attr) {
                ("noundef", _) => "noundef",
                // Of a null pointer, or one that is not aligned, these make poison alone.
                ("nonnull", _) if self.m.says(attrs, "noundef") => "nonnull",
                ("align", Attr::Int(_, n)) if self.m.says(attrs, "noundef") => {
                    let (ty, n) = (self.m.types.intern(Type::Int(64)), *n);
                    args.push(Arg {
                        ty,
                        attrs: Vec::new(),
                        value: self.m.new_constant(ty, ConstKind::Int(n)),
                    });
                    "align"
                }
                _ => continue,
            };
            let tag = self.m.names.intern(tag);
            if !bundles.iter().any(|b: &Bundle| b.tag == tag) {
                bundles.push(Bundle { tag, args: args.into() });
            }
        }
        if bundles.is_empty() {
            return None;
        }
        let value = self.m.new_constant(Types::I1, ConstKind::Int(1));
        let truth = vec![Arg { ty: Types::I1, attrs: Vec::new(), value }];
        let op = self.m.intrinsic_call("llvm.assume", (Intrinsic::Assume, 1), truth, bundles.into());
        Some(self.plain(None, op))
    }

    /// What the function promises of its result, where that is the result of a call before it returns: there too.
    fn promise_of_result(&self, insts: &mut [Inst]) {
        const UNDEFINED: [&str; 3] = ["noalias", "dereferenceable", "dereferenceable_or_null"];
        const POISON: [&str; 3] = ["nonnull", "align", "range"];
        let Some(Inst { op: Op::Ret(Some((_, value))), .. }) = insts.last() else { return };
        let returned = *value;
        let given: Vec<&Attr> = self.g.ret_attrs.iter().chain(&self.call.ret_attrs).collect();
        // A result that is poison behind the function is none in it.
        let defined = given.iter().any(|a| self.m.names.text(a.name()) == "noundef");
        let poison = |call: &Call| {
            defined || (self.is_only_returned(returned) && !self.m.says(&call.ret_attrs, "noundef"))
        };
        let of = |words: &[&str]| -> Vec<Attr> {
            given.iter().filter(|a| words.contains(&self.m.names.text(a.name()))).copied().cloned().collect()
        };
        for inst in insts.iter_mut().rev().skip(1) {
            let own = inst.result.map(Operand::Local) == Some(returned);
            match &mut inst.op {
                Op::Call(call) if own && call.intrinsic.is_none() && call.ret == self.g.ret => {
                    let mut more = of(&UNDEFINED);
                    if poison(call) {
                        more.extend(of(&POISON));
                    }
                    more.retain(|a| !call.ret_attrs.iter().any(|b| b.name() == a.name()));
                    call.ret_attrs.extend(more);
                    return;
                }
                // What might not go on keeps the promise from being one of the call.
                Op::Call(call) if call.intrinsic.is_none() => return,
                _ => {}
            }
        }
    }

    /// Whether nothing in the body uses a value of it but one return.
    fn is_only_returned(&self, value: Operand) -> bool {
        let Operand::Local(l) = value else { return false };
        let Some(own) = l.0.checked_sub(self.f.locals.len() as u32) else { return false };
        let mut uses = 0;
        for inst in &self.g.insts {
            inst.op.for_each_operand(|o| uses += u32::from(o == Operand::Local(LocalId(own))));
        }
        uses == 1
    }

    fn lifetime(&mut self, name: &str, object: LocalId) -> Inst {
        let args = vec![Arg { ty: Types::PTR, attrs: Vec::new(), value: Operand::Local(object) }];
        let op = self.m.intrinsic_call(name, (Intrinsic::Lifetime, 0), args, Box::new([]));
        self.plain(None, op)
    }

    /// Begins objects of the body that it does not begin itself; which are those.
    fn begin_objects(&mut self) -> Vec<LocalId> {
        let mut begun: Vec<LocalId> = Vec::new();
        for inst in &self.g.insts {
            let (Op::Alloca { .. }, Some(local)) = (&inst.op, inst.result) else { continue };
            let begins = |i: &Inst| match &i.op {
                Op::Call(call) => {
                    matches!(call.intrinsic, Some((Intrinsic::Lifetime, _)))
                        && call.args.last().is_some_and(|a| a.value == Operand::Local(local))
                }
                _ => false,
            };
            if !self.g.insts.iter().any(begins) {
                begun.push(LocalId(local.0 + self.f.locals.len() as u32));
            }
        }
        for object in &begun {
            let start = self.lifetime("llvm.lifetime.start.p0", *object);
            self.before.push(start);
        }
        begun
    }

    /// The definition of the call's result, and what is promised of it.
    fn result(&mut self) -> Vec<Inst> {
        let Some(result) = self.f.insts[self.at].result else { return Vec::new() };
        let params: Vec<LocalId> = self.g.params.iter().map(|p| p.local).collect();
        let ty = self.call.ret;
        let mut values = Vec::new();
        for (block, value) in &self.returns {
            let Some(value) = value else { continue };
            let from = BlockId((self.site + block) as u32);
            values.push((self.given_for(&params, *value), from));
        }
        let op = match &values[..] {
            [] => {
                let value = self.m.new_constant(ty, ConstKind::Poison);
                Op::Cast { op: CastOp::BitCast, flags: Flags(0), from: ty, value, to: ty }
            }
            [(value, _)] => {
                Op::Cast { op: CastOp::BitCast, flags: Flags(0), from: ty, value: *value, to: ty }
            }
            _ => Op::Phi { flags: Flags(0), ty, incoming: values.into() },
        };
        let attrs: Vec<Attr> = self.g.ret_attrs.iter().chain(&self.call.ret_attrs).cloned().collect();
        let told = self.promised(&attrs, (ty, Operand::Local(result)));
        std::iter::once(self.plain(Some(result), op)).chain(told).collect()
    }
}
