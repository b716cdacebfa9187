//! The expressions of sweeps: arithmetic whose every form of an instruction gets operands at its boundaries.
//!
//! Operands are bare names, so that what a table holds meets what an instruction compares, shifts or carries; constants
//! come from the tables and their neighbours.

use super::builtins;
use super::idiom;
use crate::builder::{Ex, Gen};
use crate::flow::Flow;
use crate::model::{FloatTy, IntTy, Range, TyDef};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use csyntax::intern::Symbol;

/// The types that arithmetic is done in.
const COMPUTED: [IntTy; 4] = [IntTy::U32, IntTy::I32, IntTy::U64, IntTy::I64];

/// Comparisons.
pub(super) const RELATIONS: [BinOp; 6] = [BinOp::Lt, BinOp::Le, BinOp::Eq, BinOp::Gt, BinOp::Ge, BinOp::Ne];

/// Something that can be read: a name, or an element of an array.
#[derive(Copy, Clone, Debug)]
pub(super) struct Known {
    pub name: Symbol,
    pub index: Option<Symbol>,
    pub int: IntTy,
}

/// What an expression is made of.
pub(super) struct Terms<'g, 'o> {
    pub gen_: &'g mut Gen<'o>,
    /// Parameters and locals, or elements.
    pub known: Vec<Known>,
    /// Variables of file scope that are read and written.
    pub states: Vec<Known>,
    /// Those that are only written, which compilers do in memory.
    pub sinks: Vec<Known>,
    /// Values that the tables hold.
    pub pool: Vec<i128>,
    /// The name that was read last.
    pub last: Option<Symbol>,
}

impl Terms<'_, '_> {
    /// The use of a name.
    pub fn read(&mut self, known: Known) -> Ex {
        let kind = match known.index {
            None => ExprKind::Ident(known.name),
            Some(index) => {
                let (base, index) = (self.gen_.ident(known.name), self.gen_.ident(index));
                ExprKind::Index(base, index)
            }
        };
        self.gen_.int_ex(kind, known.int, known.int.range(), Flow::NOP)
    }

    /// One of the names.
    pub fn one(&mut self) -> Known {
        let all = self.known.len() as u32;
        if !self.states.is_empty() && self.gen_.choices.percent(12) {
            return self.gen_.choices.pick(&self.states);
        }
        // The parameters hold the boundaries.
        let at = self.gen_.choices.below(all + 2);
        self.known[(at % all) as usize]
    }

    /// A name; two in a row are not the same where there is another.
    fn name(&mut self) -> Ex {
        let mut known = self.one();
        if self.last == Some(known.name) {
            known = self.one();
        }
        self.last = Some(known.name);
        self.read(known)
    }

    fn as_int(&mut self, ex: Ex, int: IntTy) -> Ex {
        if self.gen_.int_of(&ex) == int { ex } else { self.gen_.convert(ex, int) }
    }

    /// A name as a value of a type.
    fn name_as(&mut self, int: IntTy) -> Ex {
        let ex = self.name();
        self.as_int(ex, int)
    }

    fn computed(&mut self) -> IntTy {
        let int = self.gen_.choices.pick(&COMPUTED);
        if int.bits() == 64 && !self.gen_.on(Switch::LongLong) { IntTy::U32 } else { int }
    }

    /// A constant: a value of the tables, one beside it, or any that is worth trying.
    pub fn constant(&mut self, int: IntTy) -> Ex {
        let value = match self.gen_.choices.weighted(&[30, 40, 30]).unwrap_or(0) {
            0 => i128::from(self.gen_.choices.below(4)) - 1,
            1 if !self.pool.is_empty() => {
                self.gen_.choices.pick(&self.pool) + self.gen_.choices.pick(&[0i128, 0, 1, -1])
            }
            _ => self.gen_.interesting(int),
        };
        let value = self.gen_.wrap(value, int);
        self.gen_.int_const(value, int)
    }

    /// A name or a constant.
    fn leaf(&mut self) -> Ex {
        if self.gen_.choices.percent(15) {
            let int = self.computed();
            return self.constant(int);
        }
        self.name()
    }

    /// An expression of so many levels.
    pub fn value(&mut self, depth: u32) -> Ex {
        if depth == 0 || self.gen_.choices.exhausted() {
            return self.leaf();
        }
        let wide = if self.gen_.on(Switch::Gnu) && self.gen_.on(Switch::Int128) { 9 } else { 0 };
        let built_in = if self.gen_.on(Switch::Gnu) && self.gen_.on(Switch::Builtins) { 7 } else { 0 };
        let floating = if self.gen_.on(Switch::Float) { 8 } else { 0 };
        let idioms = if self.gen_.on(Switch::Idioms) { 9 } else { 0 };
        let carries = if self.gen_.on(Switch::LongLong) { 5 } else { 2 };
        let weights =
            [2, 16, 13, 5, 9, 12, 6, 9, 8, idioms, carries, wide, 5, 6, built_in, floating, 5, 7, 8, 6];
        match self.gen_.choices.weighted(&weights).unwrap_or(0) {
            1 => self.arithmetic(depth - 1),
            2 => self.shift(depth - 1),
            3 => self.variable_shift(),
            4 => self.comparison(depth - 1),
            5 => self.select(depth - 1),
            6 => self.unary(depth - 1),
            7 => self.conversion(depth - 1),
            8 => self.division(depth - 1),
            9 => self.idiom(),
            10 => self.carry(),
            11 => self.two_words(),
            12 => self.mask(),
            13 => self.bit(),
            14 => self.builtin(depth - 1),
            15 => self.floating(),
            16 => self.address(),
            17 => self.product(depth - 1),
            18 => self.extreme(),
            19 => self.rotation(),
            _ => self.leaf(),
        }
    }

    fn arithmetic(&mut self, depth: u32) -> Ex {
        let a = self.value(depth);
        let a = if self.gen_.choices.percent(40) {
            let int = self.computed();
            self.as_int(a, int)
        } else {
            a
        };
        let b = if self.gen_.choices.percent(25) {
            let int = self.gen_.int_of(&a).promoted();
            self.constant(int)
        } else {
            self.value(depth)
        };
        let all = [BinOp::Add, BinOp::Sub, BinOp::Xor, BinOp::And, BinOp::Or, BinOp::Add, BinOp::Sub];
        let op = self.gen_.choices.pick(&all);
        self.gen_.binary(op, a, b)
    }

    /// A product with a constant.
    fn product(&mut self, depth: u32) -> Ex {
        if !self.gen_.on(Switch::Muls) {
            return self.leaf();
        }
        let int = self.computed().unsigned();
        let a = self.value(depth);
        let a = self.as_int(a, int);
        let by = match self.gen_.choices.below(3) {
            0 => i128::from(self.gen_.choices.range(3, 13)),
            1 => i128::from(self.gen_.choices.word() >> self.gen_.choices.range(8, 24)),
            _ => self.gen_.interesting(int),
        };
        let by = self.gen_.int_const(by, int);
        self.gen_.binary(BinOp::Mul, a, by)
    }

    /// `a >> k`; to the right with sign as every compiler here does it: arithmetically.
    pub fn shifted(&mut self, op: BinOp, a: Ex, by: Ex) -> Ex {
        let int = self.gen_.int_of(&a).promoted();
        let arithmetic = op == BinOp::Shr && a.range.lo < 0;
        if !arithmetic {
            return self.gen_.binary(op, a, by);
        }
        let least = by.range.lo.clamp(0, 63) as u32;
        let range = Range { lo: a.range.lo >> least, hi: (a.range.hi >> least).max(0) };
        self.gen_.int_ex(ExprKind::Binary(op, a.id, by.id), int, range, Flow::NOP)
    }

    fn shift(&mut self, depth: u32) -> Ex {
        let int = self.gen_.random_int();
        let op = self.gen_.choices.pick(&[BinOp::Shr, BinOp::Shl, BinOp::Shr]);
        let of = if op == BinOp::Shl { int.unsigned() } else { int };
        let a = if self.gen_.choices.percent(60) { self.name() } else { self.value(depth) };
        let a = self.as_int(a, of);
        let bits = of.bits();
        let by = match self.gen_.choices.weighted(&[30, 20, 12, 38]).unwrap_or(0) {
            0 => bits - 1,
            1 => bits / 2,
            2 => 1,
            _ => self.gen_.choices.range(1, bits - 1),
        };
        let by = self.gen_.int_const(by.into(), IntTy::I32);
        let moved = if op == BinOp::Shl && bits < 32 {
            let a = self.gen_.convert(a, IntTy::U32);
            self.shifted(op, a, by)
        } else {
            self.shifted(op, a, by)
        };
        if bits < 32 || self.gen_.choices.percent(20) { self.gen_.convert(moved, int) } else { moved }
    }

    fn variable_shift(&mut self) -> Ex {
        let int = self.computed();
        let op = self.gen_.choices.pick(&[BinOp::Shr, BinOp::Shl]);
        let of = if op == BinOp::Shl { int.unsigned() } else { int };
        let a = self.name_as(of);
        let count = self.name_as(IntTy::U32);
        let mask = self.gen_.int_const(i128::from(of.bits()) - 1, IntTy::I32);
        let by = self.gen_.binary(BinOp::And, count, mask);
        self.shifted(op, a, by)
    }

    fn comparison(&mut self, depth: u32) -> Ex {
        let op = self.gen_.choices.pick(&RELATIONS);
        match self.gen_.choices.weighted(&[30, 26, 18, 10, 8, 12]).unwrap_or(0) {
            0 => {
                let a = self.name();
                let int = self.gen_.int_of(&a);
                let b = self.constant(int);
                self.gen_.binary(op, a, b)
            }
            1 => {
                let a = self.name();
                let of =
                    if self.gen_.choices.percent(60) { self.gen_.int_of(&a) } else { self.gen_.random_int() };
                let (a, b) = (self.as_int(a, of), self.name_as(of));
                self.gen_.binary(op, a, b)
            }
            2 => {
                // A few values, all of which the constants meet.
                let a = self.value(depth);
                let most = self.gen_.choices.pick(&[7u32, 1, 3, 15, 63]);
                let mask = self.gen_.int_const(most.into(), IntTy::I32);
                let a = self.gen_.binary(BinOp::And, a, mask);
                let a = if self.gen_.choices.percent(30) {
                    let int = self.gen_.random_int();
                    self.gen_.convert(a, int)
                } else {
                    a
                };
                let edge = i128::from(self.gen_.choices.below(most.min(8) + 1));
                let b = self.gen_.int_const(edge, IntTy::I32);
                self.gen_.binary(op, a, b)
            }
            5 => self.near(op),
            3 => {
                let a = self.value(depth);
                let int = self.computed();
                let int = if int.unsigned().bits() == 64 { IntTy::I64 } else { IntTy::I32 };
                let (a, zero) = (self.as_int(a, int), self.gen_.int_const(0, IntTy::I32));
                let op = self.gen_.choices.pick(&[BinOp::Lt, BinOp::Ge]);
                self.gen_.binary(op, a, zero)
            }
            _ => {
                let (a, b) = (self.value(depth), self.value(depth));
                self.gen_.binary(op, a, b)
            }
        }
    }

    /// A comparison of a value with one that is made of it, and often the same.
    fn near(&mut self, op: BinOp) -> Ex {
        let known = self.one();
        let (a, again) = (self.read(known), self.read(known));
        let int = known.int.promoted();
        let b = match self.gen_.choices.below(4) {
            0 => {
                let narrow = self.gen_.random_int();
                self.gen_.convert(again, narrow)
            }
            1 => {
                let (other, one) = (self.name_as(int), self.gen_.int_const(1, int));
                let bit = self.gen_.binary(BinOp::And, other, one);
                self.gen_.binary(BinOp::Xor, again, bit)
            }
            2 => {
                let mask = self.constant(int);
                self.gen_.binary(BinOp::And, again, mask)
            }
            _ => {
                let other = self.comparison(0);
                self.gen_.binary(BinOp::Or, again, other)
            }
        };
        self.gen_.binary(op, a, b)
    }

    /// A condition.
    pub fn condition(&mut self, depth: u32) -> Ex {
        match self.gen_.choices.weighted(&[60, 14, 10, 10, 6]).unwrap_or(0) {
            1 => self.bit(),
            2 => self.member(),
            3 if depth > 0 => {
                let op = self.gen_.choices.pick(&[BinOp::LogAnd, BinOp::LogOr]);
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                self.gen_.binary(op, a, b)
            }
            4 => self.floating_relation(),
            _ => self.comparison(depth.min(1)),
        }
    }

    fn select(&mut self, depth: u32) -> Ex {
        let cond = self.condition(depth.min(1));
        let depth = if self.gen_.choices.percent(50) { 0 } else { depth };
        let (yes, no) = (self.value(depth), self.value(depth));
        self.gen_.conditional(cond, yes, no)
    }

    /// `a < b ? a : b`, `a < 0 ? -a : a` and others whose arms are names.
    fn extreme(&mut self) -> Ex {
        let int = self.computed();
        let (x, y) = (self.one(), self.one());
        let op = self.gen_.choices.pick(&RELATIONS);
        let read = |terms: &mut Self, known: Known| {
            let ex = terms.read(known);
            terms.as_int(ex, int)
        };
        let (a, b) = (read(self, x), read(self, y));
        let b = match self.gen_.choices.below(3) {
            0 => b,
            1 => self.constant(int),
            _ => self.gen_.int_const(0, int),
        };
        let cond = self.gen_.binary(op, a, b);
        let yes = match self.gen_.choices.below(3) {
            0 => read(self, x),
            1 => {
                let ex = self.read(x);
                let ex = self.as_int(ex, int.unsigned());
                let negated = self.gen_.unary(UnOp::Minus, ex);
                self.as_int(negated, int)
            }
            _ => self.name_as(int),
        };
        let no = if self.gen_.choices.percent(60) { read(self, y) } else { self.name_as(int) };
        self.gen_.conditional(cond, yes, no)
    }

    /// `x << k | x >> (w - k)`
    fn rotation(&mut self) -> Ex {
        let known = self.one();
        let int = self.computed().unsigned();
        let bits = int.bits();
        let by = self.gen_.choices.range(1, bits - 1);
        let mut part = |op, by: u32| {
            let ex = self.read(known);
            let ex = self.as_int(ex, int);
            let by = self.gen_.int_const(by.into(), IntTy::I32);
            self.gen_.binary(op, ex, by)
        };
        let (high, low) = (part(BinOp::Shl, by), part(BinOp::Shr, bits - by));
        self.gen_.binary(BinOp::Or, high, low)
    }

    fn unary(&mut self, depth: u32) -> Ex {
        let (a, int) = (self.value(depth), self.computed());
        let op = self.gen_.choices.pick(&[UnOp::Minus, UnOp::BitNot, UnOp::Minus, UnOp::Not]);
        let a = self.as_int(a, if op == UnOp::Minus { int.unsigned() } else { int });
        self.gen_.unary(op, a)
    }

    fn conversion(&mut self, depth: u32) -> Ex {
        let narrow = self.gen_.random_int();
        let a = self.value(depth);
        let a = self.gen_.convert(a, narrow);
        if self.gen_.choices.percent(60) {
            let int = self.computed();
            return self.as_int(a, int);
        }
        a
    }

    fn division(&mut self, depth: u32) -> Ex {
        if !self.gen_.on(Switch::Divs) {
            return self.leaf();
        }
        let (int, op) = (self.computed(), self.gen_.choices.pick(&[BinOp::Div, BinOp::Rem]));
        if self.gen_.choices.percent(50) {
            let a = self.name_as(int);
            let b = self.name_as(int);
            if int.signed() {
                return self.gen_.binary(op, a, b);
            }
            let one = self.gen_.int_const(1, int);
            let by = self.gen_.binary(BinOp::Or, b, one);
            let by = Ex { range: Range { lo: 1, hi: int.range().hi }, ..by };
            return self.gen_.binary(op, a, by);
        }
        let a = self.value(depth);
        let a = self.as_int(a, int);
        let by = match self.gen_.choices.below(3) {
            0 => self.gen_.choices.pick(&[10i128, 3, 7, 2, 5, 8, 16, 100, 641]),
            1 => i128::from(self.gen_.choices.range(2, 70_000)),
            _ => self.gen_.interesting(int),
        };
        let by = if by == 0 { 1 } else { by };
        let by = self.gen_.int_const(by, int);
        self.gen_.binary(op, a, by)
    }

    fn idiom(&mut self) -> Ex {
        let (x, y) = (self.one(), self.one());
        if x.index.is_some() || y.index.is_some() {
            return self.leaf();
        }
        let int = if self.computed().bits() == 64 { IntTy::U64 } else { IntTy::U32 };
        idiom::of_names(self.gen_, int, (x.name, x.int), (y.name, y.int))
    }

    /// The high word of a sum or difference of two words each.
    fn carry(&mut self) -> Ex {
        let int = if self.gen_.on(Switch::LongLong) && self.gen_.choices.percent(75) {
            IntTy::U64
        } else {
            IntTy::U32
        };
        let (low, other) = (self.one(), self.one());
        let word = |terms: &mut Self, known: Known| {
            let ex = terms.read(known);
            terms.as_int(ex, int)
        };
        let (a, b) = (word(self, low), word(self, other));
        let up = self.gen_.choices.percent(50);
        let over = if up {
            let sum = self.gen_.binary(BinOp::Add, a, b);
            let again = word(self, low);
            self.gen_.binary(BinOp::Lt, sum, again)
        } else {
            self.gen_.binary(BinOp::Lt, a, b)
        };
        let op = if up { BinOp::Add } else { BinOp::Sub };
        let (high, more) = (self.name_as(int), self.name_as(int));
        let sum = self.gen_.binary(op, high, more);
        self.gen_.binary(op, sum, over)
    }

    fn double_word(&mut self, signed: bool, high: Ex, low: Option<Ex>) -> ExprId {
        let ty = self.gen_.model.intern(TyDef::Wide(false));
        let to = self.gen_.model.intern(TyDef::Wide(true));
        let whole = self.gen_.cast(ty, high.id);
        match low {
            None => self.gen_.cast(if signed { to } else { ty }, high.id),
            Some(low) => {
                let by = self.gen_.number(64);
                let up = self.gen_.e(ExprKind::Binary(BinOp::Shl, whole, by));
                let both = self.gen_.e(ExprKind::Binary(BinOp::Or, up, low.id));
                if signed { self.gen_.cast(to, both) } else { both }
            }
        }
    }

    /// `(unsigned long long)((unsigned __int128)a * b >> 64)`, sums and comparisons of two words.
    fn two_words(&mut self) -> Ex {
        let signed = self.gen_.choices.percent(40);
        let int = if signed { IntTy::I64 } else { IntTy::U64 };
        let word = |terms: &mut Self| terms.name_as(int);
        let kind = self.gen_.choices.below(4);
        if kind == 0 {
            let (a, b) = (word(self), word(self));
            let a = self.double_word(signed, a, None);
            let b = self.double_word(signed, b, None);
            let product = self.gen_.e(ExprKind::Binary(BinOp::Mul, a, b));
            let by = self.gen_.choices.pick(&[64u32, 64, 32, 63]);
            return self.low_word(product, by);
        }
        let pair = |terms: &mut Self, signed| {
            let (high, low) = (terms.name_as(IntTy::U64), terms.name_as(IntTy::U64));
            terms.double_word(signed, high, Some(low))
        };
        if kind == 1 {
            let (a, b) = (pair(self, signed), pair(self, signed));
            let op = self.gen_.choices.pick(&RELATIONS);
            return self.gen_.int_ex(
                ExprKind::Binary(op, a, b),
                IntTy::I32,
                Range { lo: 0, hi: 1 },
                Flow::NOP,
            );
        }
        let a = pair(self, false);
        let whole = if kind == 2 {
            let b = pair(self, false);
            let op = self.gen_.choices.pick(&[BinOp::Add, BinOp::Sub]);
            self.gen_.e(ExprKind::Binary(op, a, b))
        } else {
            match self.gen_.choices.below(3) {
                0 => self.gen_.e(ExprKind::Unary(UnOp::Minus, a)),
                by => {
                    let count = self.gen_.choices.range(1, 127);
                    let count = self.gen_.number(count);
                    let op = if by == 1 { BinOp::Shl } else { BinOp::Shr };
                    self.gen_.e(ExprKind::Binary(op, a, count))
                }
            }
        };
        let by = self.gen_.choices.pick(&[64u32, 64, 1, 33]);
        self.low_word(whole, by)
    }

    fn low_word(&mut self, whole: ExprId, by: u32) -> Ex {
        let by = self.gen_.number(by);
        let moved = self.gen_.e(ExprKind::Binary(BinOp::Shr, whole, by));
        let long = self.gen_.int_ty(IntTy::U64);
        let name = self.gen_.type_name(long);
        self.gen_.int_ex(ExprKind::Cast(name, moved), IntTy::U64, IntTy::U64.range(), Flow::NOP)
    }

    /// `-(unsigned)(a < b)`, alone or as a mask.
    fn mask(&mut self) -> Ex {
        let int = self.computed().unsigned();
        let (a, b) = (self.name_as(int), self.name_as(int));
        let op = self.gen_.choices.pick(&RELATIONS);
        let cond = self.gen_.binary(op, a, b);
        let cond = self.gen_.convert(cond, int);
        let mask = self.gen_.unary(UnOp::Minus, cond);
        if self.gen_.choices.percent(50) {
            return mask;
        }
        let other = self.name_as(int);
        let op = self.gen_.choices.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]);
        self.gen_.binary(op, other, mask)
    }

    /// One bit of a value, by a constant or a variable number.
    fn bit(&mut self) -> Ex {
        let of = self.gen_.random_int();
        let a = self.name_as(of);
        let int = of.promoted().unsigned();
        if self.gen_.choices.percent(50) {
            let at = match self.gen_.choices.below(2) {
                0 => self.gen_.choices.below(4),
                _ => self.gen_.choices.below(of.bits()),
            };
            let mask = self.gen_.int_const(1i128 << at, int);
            return self.gen_.binary(BinOp::And, a, mask);
        }
        let a = self.as_int(a, int);
        let count = self.name_as(IntTy::U32);
        let mask = self.gen_.int_const(i128::from(int.bits()) - 1, IntTy::I32);
        let by = self.gen_.binary(BinOp::And, count, mask);
        let one = self.gen_.int_const(1, int);
        if self.gen_.choices.percent(50) {
            let moved = self.gen_.binary(BinOp::Shr, a, by);
            return self.gen_.binary(BinOp::And, moved, one);
        }
        let moved = self.gen_.binary(BinOp::Shl, one, by);
        self.gen_.binary(BinOp::And, a, moved)
    }

    /// `x == 1 || x == 5 || x == 40` of a value below 64.
    fn member(&mut self) -> Ex {
        let known = self.one();
        let most = if self.gen_.choices.percent(60) { 63 } else { 31 };
        let count = self.gen_.choices.range(3, 5);
        let mut all: Option<Ex> = None;
        for n in 0..count {
            let a = self.read(known);
            let mask = self.gen_.int_const(most, IntTy::I32);
            let a = self.gen_.binary(BinOp::And, a, mask);
            let edge = match n {
                0 => most,
                1 => 0,
                _ => i128::from(self.gen_.choices.below(most as u32)),
            };
            let edge = self.gen_.int_const(edge, IntTy::I32);
            let test = self.gen_.binary(BinOp::Eq, a, edge);
            all = Some(match all {
                None => test,
                Some(rest) => self.gen_.binary(BinOp::LogOr, rest, test),
            });
        }
        match all {
            Some(all) => all,
            None => self.name(),
        }
    }

    fn builtin(&mut self, depth: u32) -> Ex {
        let ex = if self.gen_.choices.percent(60) { self.name() } else { self.value(depth) };
        builtins::bits_of(self.gen_, |_| ex)
    }

    /// `a + b * 4 + c`
    fn address(&mut self) -> Ex {
        let int = self.computed().unsigned();
        let a = self.name_as(int);
        let by = self.gen_.choices.pick(&[4i128, 8, 2, 3, 5, 9]);
        let factor = self.gen_.int_const(by, int);
        let scaled = self.gen_.binary(BinOp::Mul, a, factor);
        let base = match self.gen_.choices.below(3) {
            0 => scaled,
            _ => {
                let b = self.name_as(int);
                self.gen_.binary(BinOp::Add, b, scaled)
            }
        };
        if self.gen_.choices.percent(40) {
            return base;
        }
        let more = i128::from(self.gen_.choices.below(200)) - 100;
        let more = if self.gen_.choices.percent(40) { -1 } else { more };
        let wrapped = self.gen_.wrap(more, int);
        let more = self.gen_.int_const(wrapped, int);
        self.gen_.binary(BinOp::Add, base, more)
    }

    /// `(double)a / 4.0`, exact in every format.
    pub fn fraction(&mut self) -> ExprId {
        let a = self.name_as(IntTy::I32);
        let ty = self.gen_.model.intern(TyDef::Float(FloatTy::Double));
        let value = self.gen_.cast(ty, a.id);
        let by = self.gen_.choices.pick(&[1u32, 2, 4]);
        if by == 1 {
            return value;
        }
        let by = self.gen_.float_literal(by, FloatTy::Double);
        self.gen_.e(ExprKind::Binary(BinOp::Div, value, by))
    }

    /// Sums of fractions, rounded towards 0.
    fn floating(&mut self) -> Ex {
        if self.gen_.choices.percent(30) {
            return self.floating_relation();
        }
        let (a, b) = (self.fraction(), self.fraction());
        let op = self.gen_.choices.pick(&[BinOp::Add, BinOp::Sub]);
        let sum = self.gen_.e(ExprKind::Binary(op, a, b));
        let int = if self.gen_.on(Switch::LongLong) { IntTy::I64 } else { IntTy::I32 };
        let sum = if int == IntTy::I32 {
            let by = self.gen_.float_literal(4, FloatTy::Double);
            self.gen_.e(ExprKind::Binary(BinOp::Div, sum, by))
        } else {
            sum
        };
        let ty = self.gen_.int_ty(int);
        let name = self.gen_.type_name(ty);
        let most = 1i128 << if int == IntTy::I64 { 32 } else { 30 };
        self.gen_.int_ex(ExprKind::Cast(name, sum), int, Range { lo: -most, hi: most }, Flow::NOP)
    }

    fn floating_relation(&mut self) -> Ex {
        if !self.gen_.on(Switch::Float) {
            return self.comparison(0);
        }
        let (a, b) = (self.fraction(), self.fraction());
        let op = self.gen_.choices.pick(&RELATIONS);
        self.gen_.int_ex(ExprKind::Binary(op, a, b), IntTy::I32, Range { lo: 0, hi: 1 }, Flow::NOP)
    }
}
