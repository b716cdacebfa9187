//! Calls of the library that optimisers make calls of simpler functions of (`printf` of one letter is `putchar`): so does the
//! source where the target has fewer of the former.
//!
//! C17 7.21 says what these functions print. Nobody may look at what the source's call returns, since the simpler function
//! returns something else.

use super::beyond::callees;
use super::opt::find;
use crate::llvm_ir::ast::{
    Access, Arg, Attr, Call, CastOp, ConstKind, Flags, Function, Global, Inst, LocalId, Module, Op, Operand,
    Param,
};
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::names::Name;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What an argument of the simpler call is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Given {
    /// An argument of the call that it stands for.
    Same(usize),
    /// The same, which points to a text.
    Read(usize),
    /// A number of so many bits.
    Number(u32, u64),
    /// The byte that an argument points to.
    ByteAt(usize),
    /// A constant with these bytes.
    Text(Vec<u8>),
}

/// A call of a simpler function; nothing at all where it has no name.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Simpler {
    name: &'static str,
    args: Vec<Given>,
}

/// Functions that are made simpler.
const MADE_SIMPLER: [&str; 5] = ["printf", "fprintf", "puts", "fputs", "fwrite"];

/// What a call comes to, if nobody looks at its result, one step: the function, and its arguments as far as they are texts.
fn simpler(name: &str, texts: &[Option<Vec<u8>>], numbers: &[Option<u64>]) -> Option<Simpler> {
    let call = |name, args: &[Given]| Some(Simpler { name, args: args.to_vec() });
    let letter = |c: u8| Given::Number(32, u64::from(c));
    let text = |n: usize| texts.get(n)?.as_deref();
    // Without conversions what is printed is what is written, but for `%%`.
    let plain = |text: &[u8]| match text {
        b"%%" => Some(b"%".to_vec()),
        _ => (!text.contains(&b'%')).then(|| text.to_vec()),
    };
    let shown = |bytes: &[u8]| match bytes {
        [] => call("", &[]),
        [c] => call("putchar", &[letter(*c)]),
        [line @ .., b'\n'] => call("puts", &[Given::Text([line, b"\0"].concat())]),
        _ => None,
    };
    match (name, texts.len()) {
        ("printf", 1) => shown(&plain(text(0)?)?),
        ("printf", 2) => match text(0)? {
            b"%s" => shown(text(1)?),
            b"%s\n" => call("puts", &[Given::Read(1)]),
            b"%c" => call("putchar", &[Given::Same(1)]),
            _ => None,
        },
        ("fprintf", 2) => {
            let all = text(1)?;
            let bytes = all.len() as u64;
            let block = [Given::Same(1), Given::Number(64, bytes), Given::Number(64, 1), Given::Same(0)];
            (!all.contains(&b'%')).then(|| call("fwrite", &block))?
        }
        ("fprintf", 3) => match text(1)? {
            b"%c" => call("fputc", &[Given::Same(2), Given::Same(0)]),
            b"%s" => call("fputs", &[Given::Read(2), Given::Same(0)]),
            _ => None,
        },
        ("puts", 1) => text(0)?.is_empty().then(|| call("putchar", &[letter(b'\n')]))?,
        ("fputs", 2) => {
            let bytes = text(0)?.len() as u64;
            call("fwrite", &[Given::Same(0), Given::Number(64, bytes), Given::Number(64, 1), Given::Same(1)])
        }
        ("fwrite", 4) => match (numbers.get(1)?, numbers.get(2)?) {
            (Some(0), _) | (_, Some(0)) => call("", &[]),
            (Some(1), Some(1)) => call("fputc", &[Given::ByteAt(0), Given::Same(3)]),
            (_, _) => None,
        },
        _ => None,
    }
}

impl Module {
    /// The constant variable that an operand is the address of.
    fn constant_at(&self, o: Operand) -> Option<&Global> {
        let Operand::Const(c) = o else { return None };
        let ConstKind::Global(name) = self.consts.get(c.0 as usize)?.kind else { return None };
        self.globals.iter().find(|g| g.name == name && g.constant)
    }

    /// The first local constant with these bytes.
    fn first_with(&self, bytes: &[u8]) -> Option<&Global> {
        let fits = |g: &&Global| self.is_local(&g.words) && self.is_constant_of(g, bytes);
        self.globals.iter().find(fits)
    }

    fn is_constant_of(&self, g: &Global, bytes: &[u8]) -> bool {
        g.constant && self.bytes_of(g).is_some_and(|b| b == bytes)
    }

    /// The text that an operand points to: what a constant variable begins with, up to its first zero.
    fn text_at(&self, o: Operand) -> Option<Vec<u8>> {
        let global = self.constant_at(o)?;
        let replaced = ["weak", "linkonce", "common", "extern_weak", "available_externally"];
        let word = |w: &str| replaced.iter().any(|r| w.starts_with(r));
        if global.words.iter().any(|w| word(self.names.text(*w))) {
            return None;
        }
        let bytes = self.bytes_of(global)?;
        let end = bytes.iter().position(|b| *b == 0)?;
        Some(bytes[..end].to_vec())
    }

    /// All bytes of the local constant that an operand points to.
    fn local_text(&self, o: Operand) -> Option<Vec<u8>> {
        let global = self.constant_at(o)?;
        self.is_local(&global.words).then(|| self.bytes_of(global))?
    }

    /// All bytes of a variable, where its content is text or zeros.
    fn bytes_of(&self, global: &Global) -> Option<Vec<u8>> {
        match &self.consts.get(global.init?.0 as usize)?.kind {
            ConstKind::Bytes(bytes) => Some(bytes.to_vec()),
            ConstKind::Zero => match self.layout.alloc_size(&self.types, global.ty)? {
                n @ 1..=64 => Some(vec![0; n as usize]),
                _ => None,
            },
            _ => None,
        }
    }

    /// A call of a library's function that is declared, and its name.
    fn library_call<'i>(&self, inst: &'i Inst) -> Option<(&'i Call, &str)> {
        let Op::Call(call) = &inst.op else { return None };
        if call.intrinsic.is_some() || !call.bundles.is_empty() {
            return None;
        }
        let name = self.called(call)?;
        let declared = self.functions.iter().all(|f| f.name != name || !f.defined);
        declared.then(|| (&**call, self.names.text(name)))
    }
}

/// Whether the program says that a function of the name need not be the library's.
fn is_own(m: &Module, f: &Function, call: &Call, name: &str) -> bool {
    let of_call = call.attrs.iter().chain(m.grouped(&call.groups));
    let this = format!("no-builtin-{name}");
    let says = |a: &Attr| ["nobuiltin", "no-builtins", &this].contains(&m.names.text(a.name()));
    let declared = m.functions.iter().filter(|g| Some(g.name) == m.called(call));
    of_call.chain(m.attributes_of(f)).chain(declared.flat_map(|g| m.attributes_of(g))).any(says)
}

/// What a call of a function comes to in one step.
fn step(m: &Module, f: &Function, inst: &Inst) -> Option<Simpler> {
    let (call, name) = m.library_call(inst)?;
    if !MADE_SIMPLER.contains(&name) || inst.result.is_some_and(|r| f.uses(r)) || is_own(m, f, call, name) {
        return None;
    }
    let texts: Vec<_> = call.args.iter().map(|a| m.text_at(a.value)).collect();
    let numbers: Vec<_> = call.args.iter().map(|a| m.number(a.value)).collect();
    simpler(name, &texts, &numbers)
}

/// Functions that print a byte, of which they are given an `int`.
const OF_A_BYTE: [&str; 3] = ["putchar", "fputc", "putc"];

/// Puts simpler calls in the place of those of a source that the target has fewer of, one step after the other. Whether there
/// were any: then both sides are given the byte alone where a byte is printed, and of texts that are alike the first.
pub(super) fn make_simpler(source: &mut Cow<'_, Module>, target: &mut Cow<'_, Module>, name: &str) -> bool {
    let any = with_simpler_calls(source, target, name);
    if any {
        put_plainly(source, name, |m, bytes| text_of_target((m, target), bytes));
        put_plainly(target, name, |m, bytes| Some(m.first_with(bytes)?.name));
    }
    any
}

/// Cuts what is printed as a byte down to one, and has `puts` print the constant that stands for all of its text.
fn put_plainly(
    module: &mut Cow<'_, Module>,
    name: &str,
    mut text: impl FnMut(&mut Module, &[u8]) -> Option<Name>,
) {
    let Ok(f) = find(module, name) else { return };
    let (mut f, m) = (f.clone(), module.to_mut());
    let byte = m.types.intern(Type::Int(8));
    let plain = f.clone().rewritten(|_, inst| {
        let Some((call, callee)) = m.library_call(inst) else { return vec![inst.clone()] };
        let (mut call, mut out) = (call.clone(), Vec::new());
        let is_byte = OF_A_BYTE.contains(&callee);
        match call.args.first() {
            Some(a) if is_byte && m.types.int_width(a.ty) == Some(32) => {
                let (ty, value) = (a.ty, a.value);
                call.args[0].value = match m.number(value) {
                    Some(n) => m.new_constant(ty, ConstKind::Int(n & 0xff)),
                    None => {
                        let (low, wide) =
                            (m.new_local(&mut f, "byte", byte), m.new_local(&mut f, "letter", ty));
                        let flags = Flags(0);
                        let cut = Op::Cast { op: CastOp::Trunc, flags, from: ty, value, to: byte };
                        let value = Operand::Local(low);
                        let widened = Op::Cast { op: CastOp::ZExt, flags, from: byte, value, to: ty };
                        out.extend([(cut, low), (widened, wide)]);
                        Operand::Local(wide)
                    }
                };
            }
            Some(a) if callee == "puts" => {
                if let Some(bytes) = m.local_text(a.value)
                    && let Some(first) = text(m, &bytes)
                {
                    call.args[0].value = m.new_constant(Types::PTR, ConstKind::Global(first));
                }
            }
            Some(_) | None => {}
        }
        let new = |(op, result)| Inst { op, result: Some(result), attachments: Box::new([]), ..inst.clone() };
        let call = Inst { op: Op::Call(Box::new(call)), ..inst.clone() };
        out.into_iter().map(new).chain([call]).collect()
    });
    m.put(Function { locals: f.locals, ..plain }.renumbered());
}

/// The simpler calls themselves.
fn with_simpler_calls(source: &mut Cow<'_, Module>, right: &Module, name: &str) -> bool {
    let mut any = false;
    // No call is made simpler more often than there are functions to be made simpler.
    for _ in MADE_SIMPLER {
        let (Ok(f), Ok(g)) = (find(source, name), find(right, name)) else { return any };
        let (ours, theirs) = (callees(source, f), callees(right, g));
        let fewer = |name: &str| theirs.get(name) < ours.get(name);
        // Of what the target itself could have made simpler nothing is known.
        let left_over = |name: &str| {
            let also = |i: &Inst| right.library_call(i).is_some_and(|(_, n)| n == name);
            g.insts.iter().any(|i| also(i) && step(right, g, i).is_some())
        };
        let taken = |i: &Inst| {
            let (_, name) = source.library_call(i)?;
            step(source, f, i).filter(|_| fewer(name) && !left_over(name))
        };
        let all: BTreeMap<u32, Simpler> = f.insts.iter().filter_map(|i| Some((i.at, taken(i)?))).collect();
        if all.is_empty() {
            return any;
        }
        let (mut f, m) = (f.clone(), source.to_mut());
        let mut changed = false;
        let plain = f.clone().rewritten(|_, inst| {
            let new = all.get(&inst.at).and_then(|to| {
                let Op::Call(call) = &inst.op else { return None };
                instead((m, right), &mut f, (inst, call), to)
            });
            changed |= new.is_some();
            new.unwrap_or_else(|| vec![inst.clone()])
        });
        if !changed || m.put(Function { locals: f.locals, ..plain }.renumbered()).is_none() {
            return any;
        }
        any = true;
    }
    any
}

/// The simpler call; none where the target has no constant of the text that it takes.
fn instead(
    (m, right): (&mut Module, &Module),
    f: &mut Function,
    (inst, call): (&Inst, &Call),
    to: &Simpler,
) -> Option<Vec<Inst>> {
    if to.name.is_empty() {
        return Some(Vec::new());
    }
    let (int, byte) = (m.types.intern(Type::Int(32)), m.types.intern(Type::Int(8)));
    let (mut out, mut args) = (Vec::new(), Vec::new());
    let plain = |ty: TypeId, value: Operand| Arg { ty, attrs: Vec::new(), value };
    for given in &to.args {
        args.push(match given {
            Given::Same(n) => call.args.get(*n)?.clone(),
            Given::Read(n) => {
                let [defined, something, readable] =
                    ["noundef", "nonnull", "dereferenceable"].map(|word| m.names.intern(word));
                let attrs = vec![Attr::Flag(defined), Attr::Flag(something), Attr::Int(readable, 1)];
                Arg { attrs, ..call.args.get(*n)?.clone() }
            }
            Given::Number(bits, n) => {
                let ty = m.types.intern(Type::Int(*bits));
                plain(ty, m.new_constant(ty, ConstKind::Int(*n)))
            }
            Given::Text(bytes) => {
                let name = text_of_target((m, right), bytes)?;
                plain(Types::PTR, m.new_constant(Types::PTR, ConstKind::Global(name)))
            }
            Given::ByteAt(n) => {
                let (read, wide) = (m.new_local(f, "byte", byte), m.new_local(f, "letter", int));
                let ptr = call.args.get(*n)?.value;
                let load = Op::Load { ty: byte, ptr, access: Access { align: Some(1), ..Access::default() } };
                let zext = Op::Cast {
                    op: CastOp::ZExt,
                    flags: Flags(0),
                    from: byte,
                    value: Operand::Local(read),
                    to: int,
                };
                let new =
                    |op, result| Inst { op, result: Some(result), attachments: Box::new([]), ..inst.clone() };
                out.extend([new(load, read), new(zext, wide)]);
                plain(int, Operand::Local(wide))
            }
        });
    }
    let (id, ret) = (m.names.intern(to.name), if to.name == "fwrite" { Types::I64 } else { int });
    if let Some(there) = m.functions.iter().find(|f| f.name == id) {
        if there.defined {
            return None;
        }
    } else {
        let like = m.functions.iter().find(|f| Some(f.name) == m.called(call))?;
        let param = |a: &Arg| Param { ty: a.ty, attrs: Vec::new(), local: LocalId(u32::MAX) };
        let declared = Function {
            name: id,
            ret,
            params: args.iter().map(param).collect(),
            vararg: false,
            ..like.clone()
        };
        m.functions.push(declared);
    }
    let callee = m.new_constant(Types::PTR, ConstKind::Global(id));
    let (tail, fn_ty, ret_attrs, args) = (None, None, Vec::new(), args.into());
    let simpler = Call { tail, fn_ty, ret, ret_attrs, callee, args, ..call.clone() };
    // Nobody looks at what it returns, though it be of another type.
    out.push(Inst { op: Op::Call(Box::new(simpler)), result: None, ..inst.clone() });
    Some(out)
}

/// The local constant of the target that has these bytes, which the source is given, too.
fn text_of_target((m, right): (&mut Module, &Module), bytes: &[u8]) -> Option<Name> {
    let theirs = right.first_with(bytes)?;
    let name = m.names.intern(right.names.text(theirs.name));
    if let Some(ours) = m.globals.iter().find(|g| g.name == name) {
        return m.is_constant_of(ours, bytes).then_some(name);
    }
    let byte = m.types.intern(Type::Int(8));
    let ty = m.types.intern(Type::Array { len: bytes.len() as u64, elem: byte });
    let Operand::Const(init) = m.new_constant(ty, ConstKind::Bytes(bytes.into())) else { return None };
    let words = theirs.words.iter().map(|w| m.names.intern(right.names.text(*w))).collect();
    m.globals.push(Global { name, words, ty, init: Some(init), ..theirs.clone() });
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_decide_what_a_call_comes_to() {
        let text = |s: &str| Some(s.as_bytes().to_vec());
        let name = |name: &str, texts: &[Option<Vec<u8>>]| {
            simpler(name, texts, &vec![None; texts.len()]).map(|s| s.name)
        };
        assert_eq!(name("printf", &[text("{")]), Some("putchar"));
        assert_eq!(name("printf", &[text("%%")]), Some("putchar"));
        assert_eq!(name("printf", &[text("")]), Some(""));
        assert_eq!(name("printf", &[text("two\n")]), Some("puts"));
        assert_eq!(name("printf", &[text("two")]), None);
        assert_eq!(name("printf", &[text("%d\n")]), None);
        assert_eq!(name("printf", &[None]), None);
        assert_eq!(name("printf", &[text("%s\n"), None]), Some("puts"));
        assert_eq!(name("printf", &[text("%s"), None]), None);
        assert_eq!(name("printf", &[text("%c"), None]), Some("putchar"));
        assert_eq!(name("fprintf", &[None, text("no %%")]), None);
        assert_eq!(name("fprintf", &[None, text("no")]), Some("fwrite"));
        assert_eq!(name("fprintf", &[None, text("%s"), None]), Some("fputs"));
        assert_eq!(name("puts", &[text("")]), Some("putchar"));
        assert_eq!(name("puts", &[text("x")]), None);
        let one = simpler("fwrite", &vec![None; 4], &[None, Some(1), Some(1), None]);
        assert_eq!(one.map(|s| s.args), Some(vec![Given::ByteAt(0), Given::Same(3)]));
    }
}
