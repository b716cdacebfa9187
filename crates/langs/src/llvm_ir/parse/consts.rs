//! Constants and constant expressions.

use super::{Parser, Res};
use crate::floats::FloatPred;
use crate::llvm_ir::ast::{BinOp, CastOp, Const, ConstExpr, ConstId, ConstKind, Flags, IntPred};
use crate::llvm_ir::lexer::Tok;
use crate::llvm_ir::types::{TypeId, Types};
use crate::names::{canonical, unescape};

impl Parser<'_> {
    pub(super) fn push_const(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        let id = ConstId(self.m.consts.len() as u32);
        self.m.consts.push(Const { ty, kind });
        id
    }

    /// A constant of a known type.
    pub(super) fn constant(&mut self, ty: TypeId) -> Res<ConstId> {
        self.deeper(|p| {
            let kind = p.constant_kind(ty)?;
            Ok(p.push_const(ty, kind))
        })
    }

    fn constant_kind(&mut self, ty: TypeId) -> Res<ConstKind> {
        let kind = match self.tok {
            Tok::Int(text) => self.integer(ty, text)?,
            Tok::Float(text) => self.float(ty, text)?,
            Tok::HexFloat(text) => self.hex_float(ty, text)?,
            Tok::CStr(raw) => ConstKind::Bytes(unescape(raw).into()),
            Tok::Global(_) | Tok::GlobalNum(_) => return Ok(ConstKind::Global(self.global_name()?)),
            Tok::Punct(b'[') => return self.aggregate(b']'),
            Tok::Punct(b'{') => return self.aggregate(b'}'),
            Tok::Punct(b'<') => {
                self.bump()?;
                if self.is(b'{') {
                    let kind = self.aggregate(b'}')?;
                    self.want(b'>')?;
                    return Ok(kind);
                }
                return self.aggregate_inside(b'>');
            }
            Tok::Word(word) => return self.word_constant(ty, word),
            _ => return self.expected("a value"),
        };
        self.bump()?;
        Ok(kind)
    }

    fn word_constant(&mut self, ty: TypeId, word: &[u8]) -> Res<ConstKind> {
        let kind = match word {
            b"true" | b"false" => {
                if ty != Types::I1 {
                    return self.error("`true` and `false` are values of i1");
                }
                ConstKind::Int(u64::from(word == b"true"))
            }
            b"null" => ConstKind::Null,
            b"undef" => ConstKind::Undef,
            b"poison" => ConstKind::Poison,
            b"zeroinitializer" => ConstKind::Zero,
            b"none" => ConstKind::None,
            b"splat" => {
                self.bump()?;
                self.want(b'(')?;
                let value = self.typed_const()?;
                self.want(b')')?;
                return Ok(ConstKind::Splat(value));
            }
            b"asm" => return self.asm(),
            b"blockaddress" => {
                self.bump()?;
                self.want(b'(')?;
                let function = self.global_name()?;
                self.want(b',')?;
                let block = match self.bump()? {
                    Tok::Local(raw) => self.intern(raw),
                    Tok::LocalNum(n) => self.number_name(n),
                    _ => return self.error("expected a block name"),
                };
                self.want(b')')?;
                return Ok(ConstKind::BlockAddress(function, block));
            }
            b"dso_local_equivalent" | b"no_cfi" => {
                let how = if word == b"no_cfi" { "no_cfi" } else { "dso_local_equivalent" };
                self.bump()?;
                return Ok(ConstKind::Wrapped(how, self.global_name()?));
            }
            _ if word.starts_with(b"f0x") => self.float_bits(ty, word)?,
            _ if word.starts_with(b"u0x") || word.starts_with(b"s0x") => self.hex_integer(ty, word)?,
            _ => return self.const_expr(word).map(|e| ConstKind::Expr(Box::new(e))),
        };
        self.bump()?;
        Ok(kind)
    }

    fn asm(&mut self) -> Res<ConstKind> {
        self.bump()?;
        let mut flags = String::new();
        while let Tok::Word(w) = self.tok {
            if !flags.is_empty() {
                flags.push(' ');
            }
            flags.push_str(&canonical(w));
            self.bump()?;
        }
        let template = self.string()?;
        self.want(b',')?;
        let constraints = self.string()?;
        Ok(ConstKind::Asm(Box::new((flags, template, constraints))))
    }

    fn aggregate(&mut self, close: u8) -> Res<ConstKind> {
        self.bump()?;
        self.aggregate_inside(close)
    }

    fn aggregate_inside(&mut self, close: u8) -> Res<ConstKind> {
        let mut items = Vec::new();
        while !self.is(close) {
            items.push(self.typed_const()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.want(close)?;
        Ok(ConstKind::Aggregate(items.into()))
    }

    fn integer(&mut self, ty: TypeId, text: &[u8]) -> Res<ConstKind> {
        let Some(width) = self.m.types.int_width(ty) else {
            return self.error("a number here needs an integer type");
        };
        let (negative, digits) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let digits_of_max = width as usize * 302 / 1000 + 2;
        if digits.len() > digits_of_max + 20 || (digits.len() > 20_000) {
            return self.error(format!("number does not fit i{width}"));
        }
        let mut words = vec![0u64; (width as usize).div_ceil(64)];
        for &d in digits {
            let mut carry = u128::from(d - b'0');
            for w in &mut words {
                let v = u128::from(*w) * 10 + carry;
                *w = v as u64;
                carry = v >> 64;
            }
        }
        if negative {
            let mut carry = true;
            for w in &mut words {
                let (v, c) = (!*w).overflowing_add(u64::from(carry));
                *w = v;
                carry = c;
            }
        }
        Ok(int_kind(words, width))
    }

    fn hex_integer(&mut self, ty: TypeId, word: &[u8]) -> Res<ConstKind> {
        let Some(width) = self.m.types.int_width(ty) else {
            return self.error("a number here needs an integer type");
        };
        let digits = &word[3..];
        let Some(words) = hex_words(digits) else { return self.error("bad hexadecimal digits") };
        let mut words = words;
        let bits = digits.len() as u32 * 4;
        words.resize((width as usize).div_ceil(64), 0);
        if word[0] == b's' && bits < width && bits > 0 && bit(&words, bits - 1) {
            for i in bits..width {
                words[i as usize / 64] |= 1 << (i % 64);
            }
        }
        Ok(int_kind(words, width))
    }

    fn const_expr(&mut self, word: &[u8]) -> Res<ConstExpr> {
        if let Some(op) = CastOp::from_keyword(word) {
            self.bump()?;
            let flags = self.flags()?;
            self.want(b'(')?;
            let value = self.typed_const()?;
            self.want_word("to")?;
            // The target type is the type the context already knows.
            self.ty()?;
            self.want(b')')?;
            return Ok(ConstExpr::Cast(op, flags, value));
        }
        if let Some(op) = BinOp::from_keyword(word) {
            self.bump()?;
            let flags = self.flags()?;
            let (a, b) = self.pair()?;
            return Ok(ConstExpr::Binary(op, flags, a, b));
        }
        let other = match word {
            b"getelementptr" => return self.const_gep(),
            b"icmp" => {
                self.bump()?;
                let Some(pred) = self.pred(IntPred::from_keyword)? else {
                    return self.expected("a comparison predicate");
                };
                let (a, b) = self.pair()?;
                return Ok(ConstExpr::ICmp(pred, a, b));
            }
            b"fcmp" => {
                self.bump()?;
                let Some(pred) = self.pred(FloatPred::from_keyword)? else {
                    return self.expected("a comparison predicate");
                };
                let (a, b) = self.pair()?;
                return Ok(ConstExpr::FCmp(pred, a, b));
            }
            b"select" => "select",
            b"extractelement" => "extractelement",
            b"insertelement" => "insertelement",
            b"shufflevector" => "shufflevector",
            b"fneg" => "fneg",
            _ => return self.expected("a value"),
        };
        self.bump()?;
        self.want(b'(')?;
        let mut args = vec![self.typed_const()?];
        while self.eat(b',')? {
            args.push(self.typed_const()?);
        }
        self.want(b')')?;
        Ok(ConstExpr::Other(other, args.into()))
    }

    pub(super) fn pred<P>(&mut self, from: fn(&[u8]) -> Option<P>) -> Res<Option<P>> {
        let Tok::Word(w) = self.tok else { return Ok(None) };
        let pred = from(w);
        if pred.is_some() {
            self.bump()?;
        }
        Ok(pred)
    }

    fn pair(&mut self) -> Res<(ConstId, ConstId)> {
        self.want(b'(')?;
        let a = self.typed_const()?;
        self.want(b',')?;
        let b = self.typed_const()?;
        self.want(b')')?;
        Ok((a, b))
    }

    fn const_gep(&mut self) -> Res<ConstExpr> {
        self.bump()?;
        let mut flags = self.flags()?;
        if self.eat_word("inrange")? {
            if self.is(b'(') {
                self.skip_brackets()?;
            }
            flags = flags.with(self.flags()?);
        }
        self.want(b'(')?;
        let source = self.ty()?;
        let mut args = Vec::new();
        while self.eat(b',')? {
            self.eat_word("inrange")?;
            args.push(self.typed_const()?);
        }
        self.want(b')')?;
        if args.is_empty() {
            return self.expected("a base pointer");
        }
        Ok(ConstExpr::Gep { flags, source, args: args.into() })
    }

    /// Every instruction flag that is next.
    pub(super) fn flags(&mut self) -> Res<Flags> {
        let mut flags = Flags::default();
        while let Tok::Word(w) = self.tok {
            let Some((flag, _)) = Flags::ALL.iter().find(|(_, word)| word.as_bytes() == w) else { break };
            flags = flags.with(*flag);
            self.bump()?;
        }
        Ok(flags)
    }
}

fn bit(words: &[u64], i: u32) -> bool {
    words.get(i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
}

fn hex_words(digits: &[u8]) -> Option<Vec<u64>> {
    let mut words = Vec::with_capacity(digits.len().div_ceil(16));
    for chunk in digits.rchunks(16) {
        words.push(u64::from_str_radix(std::str::from_utf8(chunk).ok()?, 16).ok()?);
    }
    (!words.is_empty()).then_some(words)
}

fn int_kind(mut words: Vec<u64>, width: u32) -> ConstKind {
    if !width.is_multiple_of(64)
        && let Some(last) = words.last_mut()
    {
        *last &= (1 << (width % 64)) - 1;
    }
    if words.len() == 1 { ConstKind::Int(words[0]) } else { ConstKind::Wide(words.into()) }
}
