//! Random terms built through the constructors, with their values worked out alongside by the plain
//! meaning of each operation.
#![allow(dead_code, missing_docs)]

pub mod suite;

use smt::{Bv, Model, Pool, Sort, TermId, Value};

/// A small deterministic generator (xorshift), so that failures replay.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed | 1)
    }
    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n as u64) as usize
    }
    pub fn bv(&mut self, w: u32) -> Bv {
        let mut v = Bv::new(w, u128::from(self.draw()) << 64 | u128::from(self.draw()));
        if w > 128 {
            v = v.shl_by(w - 128).add(&Bv::new(w, u128::from(self.draw())));
        }
        match self.below(8) {
            0 => Bv::zero(w),
            1 => Bv::one(w),
            2 => Bv::ones(w),
            3 => Bv::smin(w),
            4 => Bv::bit_at(w, self.below(w as usize) as u32),
            5 => Bv::low_ones(w, self.below(w as usize + 1) as u32),
            _ => v,
        }
    }
}

type Build = fn(&mut Pool, TermId, TermId) -> TermId;
type Mean = fn(&Bv, &Bv) -> Bv;
type Test = fn(&Bv, &Bv) -> bool;
const OPS: &[(Build, Mean)] = &[
    (Pool::add, Bv::add),
    (Pool::add, Bv::add),
    (Pool::sub, Bv::sub),
    (Pool::mul, Bv::mul),
    (Pool::udiv, Bv::udiv),
    (Pool::urem, Bv::urem),
    (Pool::sdiv, Bv::sdiv),
    (Pool::srem, Bv::srem),
    (Pool::bv_and, Bv::and),
    (Pool::bv_or, Bv::or),
    (Pool::bv_xor, Bv::xor),
    (Pool::bv_and, Bv::and),
    (Pool::bv_or, Bv::or),
    (Pool::shl, Bv::shl),
    (Pool::lshr, Bv::lshr),
    (Pool::ashr, Bv::ashr),
];
const CMPS: &[(Build, Test)] = &[
    (Pool::eq, |a, b| a == b),
    (Pool::ult, |a, b| a.ucmp(b).is_lt()),
    (Pool::ule, |a, b| a.ucmp(b).is_le()),
    (Pool::slt, |a, b| a.scmp(b).is_lt()),
    (Pool::sle, |a, b| a.scmp(b).is_le()),
];

/// A term with its value under each of the assignments.
#[derive(Clone)]
pub struct Tracked {
    pub t: TermId,
    pub vals: Vec<Value>,
}

pub struct Gen {
    pub pool: Pool,
    pub rng: Rng,
    pub models: Vec<Model>,
    pub caches: Vec<std::cell::RefCell<rustc_hash::FxHashMap<TermId, Value>>>,
    pub bvs: Vec<Tracked>,
    pub bools: Vec<Tracked>,
    pub arrays: Vec<Tracked>,
    pub func: Option<smt::FuncId>,
    pub size: Size,
}

/// What the terms are made of.
#[derive(Clone, Copy)]
pub struct Size {
    pub width: u32,
    pub bvs: usize,
    pub bools: usize,
    pub arrays: usize,
    pub index: u32,
    pub elem: u32,
    pub func: bool,
    pub models: usize,
}

impl Gen {
    pub fn new(seed: u64, size: Size) -> Gen {
        let (w, models) = (size.width, size.models);
        let mut g = Gen {
            pool: Pool::new(),
            rng: Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            models: vec![Model::new(); models],
            caches: vec![Default::default(); models],
            bvs: vec![],
            bools: vec![],
            arrays: vec![],
            func: None,
            size,
        };
        for i in 0..size.bvs {
            let t = g.pool.var(&format!("x{i}"), Sort::Bv(w));
            let vals: Vec<Value> = (0..models).map(|_| Value::Bv(g.rng.bv(w))).collect();
            g.bind(t, vals, |g| &mut g.bvs);
        }
        for i in 0..size.bools {
            let t = g.pool.var(&format!("b{i}"), Sort::Bool);
            let vals: Vec<Value> = (0..models).map(|_| Value::Bool(g.rng.below(2) == 1)).collect();
            g.bind(t, vals, |g| &mut g.bools);
        }
        let Size { index, elem, .. } = size;
        for i in 0..size.arrays {
            let t = g.pool.var(&format!("m{i}"), Sort::Array { index, elem });
            let mut vals = Vec::new();
            for _ in 0..models {
                let mut a = smt::ArrayVal::new(index, g.rng.bv(elem));
                for _ in 0..g.rng.below(12) {
                    let (at, e) = (g.rng.bv(index), g.rng.bv(elem));
                    a.set(at, e);
                }
                vals.push(Value::Array(a));
            }
            g.bind(t, vals, |g| &mut g.arrays);
        }
        if size.func {
            let f = g.pool.func("f", &[Sort::Bv(w)], Sort::Bv(w));
            g.func = Some(f);
        }
        g
    }

    fn bind(&mut self, t: TermId, vals: Vec<Value>, to: impl Fn(&mut Gen) -> &mut Vec<Tracked>) {
        for (m, v) in self.models.iter_mut().zip(&vals) {
            m.set(&self.pool, t, v.clone());
        }
        to(self).push(Tracked { t, vals });
    }

    fn pick(&mut self) -> Tracked {
        // Recent terms more often: depth.
        let n = self.bvs.len();
        let i = if self.rng.below(2) == 0 { self.rng.below(n) } else { n - 1 - self.rng.below(n.min(6)) };
        self.bvs[i].clone()
    }

    fn pick_width(&mut self, w: u32) -> Tracked {
        if self.rng.below(4) == 0 {
            return self.constant(w);
        }
        let same: Vec<usize> = (0..self.bvs.len()).filter(|i| self.pool.width(self.bvs[*i].t) == w).collect();
        match same.len() {
            0 => {
                let x = self.pick();
                let signed = self.rng.below(2) == 0;
                let t = self.pool.resize(x.t, w, signed);
                let f = |v: &Bv| {
                    if v.width() >= w {
                        v.trunc(w)
                    } else if signed {
                        v.sext(w)
                    } else {
                        v.zext(w)
                    }
                };
                self.map1(t, &x, |v| Value::Bv(f(v.as_bv())))
            }
            n => {
                let i = same[self.rng.below(n)];
                self.bvs[i].clone()
            }
        }
    }

    fn constant(&mut self, w: u32) -> Tracked {
        let v = self.rng.bv(w);
        self.number(v)
    }

    fn number(&mut self, v: Bv) -> Tracked {
        let t = self.pool.constant(v.clone());
        Tracked { t, vals: vec![Value::Bv(v); self.models.len()] }
    }

    fn pick_bool(&mut self) -> Tracked {
        let i = self.rng.below(self.bools.len());
        self.bools[i].clone()
    }

    fn map1(&self, t: TermId, x: &Tracked, f: impl Fn(&Value) -> Value) -> Tracked {
        Tracked { t, vals: x.vals.iter().map(f).collect() }
    }

    fn map2(&self, t: TermId, x: &Tracked, y: &Tracked, f: impl Fn(&Value, &Value) -> Value) -> Tracked {
        Tracked { t, vals: x.vals.iter().zip(&y.vals).map(|(a, b)| f(a, b)).collect() }
    }

    pub fn step(&mut self) {
        let x = self.pick();
        let w = self.pool.width(x.t);
        let bv2 = |f: fn(&Bv, &Bv) -> Bv| move |a: &Value, b: &Value| Value::Bv(f(a.as_bv(), b.as_bv()));
        match self.rng.below(24) {
            0..=8 => {
                let y = self.pick_width(w);
                let (x, y) = if self.rng.below(2) == 0 { (x, y) } else { (y, x) };
                let op = OPS[self.rng.below(OPS.len())];
                let r = self.operate(op, &x, &y);
                self.keep(r);
            }
            9..=11 => {
                let y = self.pick_width(w);
                let (x, y) = if self.rng.below(2) == 0 { (x, y) } else { (y, x) };
                let r = self.compare(&x, &y);
                self.keep_bool(r);
            }
            12 => {
                let t = self.pool.bv_not(x.t);
                let r = self.map1(t, &x, |v| Value::Bv(v.as_bv().not()));
                self.keep(r);
            }
            13 | 14 => {
                let lo = self.rng.below(w as usize) as u32;
                let hi = lo + self.rng.below((w - lo) as usize) as u32;
                let r = self.bits(hi, lo, &x);
                self.keep(r);
            }
            15 => {
                let y = self.pick();
                if w + self.pool.width(y.t) <= 200 {
                    let t = self.pool.concat(x.t, y.t);
                    let r = self.map2(t, &x, &y, bv2(Bv::concat));
                    self.keep(r);
                }
            }
            16 | 17 => {
                let to = w + self.rng.below(9) as u32;
                let signed = self.rng.below(2) == 0;
                let t = if signed { self.pool.sext(x.t, to) } else { self.pool.zext(x.t, to) };
                let r = self
                    .map1(t, &x, |v| Value::Bv(if signed { v.as_bv().sext(to) } else { v.as_bv().zext(to) }));
                self.keep(r);
            }
            18 => {
                let (c, y) = (self.pick_bool(), self.pick_width(w));
                let r = self.choose(&c, &x, &y);
                self.keep(r);
            }
            19 => {
                let (a, b) = (self.pick_bool(), self.pick_bool());
                let (t, f): (TermId, fn(bool, bool) -> bool) = match self.rng.below(5) {
                    0 => (self.pool.and(a.t, b.t), |a, b| a && b),
                    1 => (self.pool.or(a.t, b.t), |a, b| a || b),
                    2 => (self.pool.xor(a.t, b.t), |a, b| a != b),
                    3 => (self.pool.implies(a.t, b.t), |a, b| !a || b),
                    _ => (self.pool.eq(a.t, b.t), |a, b| a == b),
                };
                let r = self.map2(t, &a, &b, |a, b| Value::Bool(f(a.as_bool(), b.as_bool())));
                self.keep_bool(r);
            }
            20 => {
                let (c, a, b) = (self.pick_bool(), self.pick_bool(), self.pick_bool());
                let r = self.choose(&c, &a, &b);
                self.keep_bool(r);
                let c = self.pick_bool();
                let t = self.pool.bool_to_bv(c.t);
                let r = self.map1(t, &c, |v| Value::Bv(Bv::new(1, u128::from(v.as_bool()))));
                self.keep(r);
            }
            21 if self.func.is_some() => {
                let f = self.func.expect("declared");
                let arg = self.pool.resize(x.t, self.size.width, false);
                let t = self.pool.apply(f, &[arg]);
                let vals = self.models.iter().map(|m| m.eval(&self.pool, t)).collect();
                self.keep(Tracked { t, vals });
            }
            _ if self.arrays.is_empty() => {}
            _ => self.array_step(),
        }
    }

    fn array_step(&mut self) {
        let n = self.arrays.len();
        let m = self.arrays[self.rng.below(n)].clone();
        let (index, _) = self.pool.array_widths(m.t);
        let i = self.pick_width(index);
        match self.rng.below(8) {
            0..=2 => {
                let count = 1 + self.rng.below(4.min(1 << index.min(8))) as u32;
                let r = self.read(&m, &i, count);
                self.keep(r);
            }
            3..=5 => {
                let count = 1 + self.rng.below(4.min(1 << index.min(8))) as u32;
                let v = self.pick_width(self.size.elem * count);
                let r = self.write(&m, &i, &v);
                self.arrays.push(r);
            }
            6 => {
                let o = self.arrays[self.rng.below(n)].clone();
                let t = self.pool.eq(m.t, o.t);
                let r = self.map2(t, &m, &o, |a, b| Value::Bool(a == b));
                self.keep_bool(r);
            }
            _ => {
                let (c, o) = (self.pick_bool(), self.arrays[self.rng.below(n)].clone());
                let r = self.choose(&c, &m, &o);
                self.check(&r);
                self.arrays.push(r);
            }
        }
    }

    fn operate(&mut self, (build, mean): (Build, Mean), x: &Tracked, y: &Tracked) -> Tracked {
        let t = build(&mut self.pool, x.t, y.t);
        self.map2(t, x, y, |a, b| Value::Bv(mean(a.as_bv(), b.as_bv())))
    }

    fn compare(&mut self, x: &Tracked, y: &Tracked) -> Tracked {
        let (build, test) = CMPS[self.rng.below(CMPS.len())];
        let t = build(&mut self.pool, x.t, y.t);
        self.map2(t, x, y, |a, b| Value::Bool(test(a.as_bv(), b.as_bv())))
    }

    fn choose(&mut self, c: &Tracked, x: &Tracked, y: &Tracked) -> Tracked {
        let t = self.pool.ite(c.t, x.t, y.t);
        let vals = (0..x.vals.len()).map(|i| if c.vals[i].as_bool() { x } else { y }.vals[i].clone());
        Tracked { t, vals: vals.collect() }
    }

    fn bits(&mut self, hi: u32, lo: u32, x: &Tracked) -> Tracked {
        let t = self.pool.extract(hi, lo, x.t);
        self.map1(t, x, |v| Value::Bv(v.as_bv().extract(hi, lo)))
    }

    fn extend(&mut self, x: &Tracked, to: u32, signed: bool) -> Tracked {
        let t = self.pool.resize(x.t, to, signed);
        self.map1(t, x, |v| Value::Bv(if signed { v.as_bv().sext(to) } else { v.as_bv().zext(to) }))
    }

    /// A term made of another and little else, as wide as that.
    fn relative(&mut self, x: &Tracked) -> Tracked {
        let w = self.pool.width(x.t);
        let k = self.constant(w);
        // Bits from a border up, and those below it.
        let cut = 1 + self.rng.below(w as usize - 1) as u32;
        match self.rng.below(16) {
            0 | 1 => {
                let op = OPS[self.rng.below(OPS.len())];
                self.operate(op, x, &k)
            }
            2 => self.operate((Pool::mul, Bv::mul), x, &k),
            3 => {
                let amount = self.number(Bv::new(w, cut.into()));
                let shift =
                    [(Pool::shl as Build, Bv::shl as Mean), (Pool::lshr, Bv::lshr), (Pool::ashr, Bv::ashr)];
                let shift = shift[self.rng.below(3)];
                self.operate(shift, x, &amount)
            }
            4 | 5 => {
                let (high, low) = (self.bits(w - 1, cut, x), self.pick_width(cut));
                self.operate((Pool::concat, Bv::concat), &high, &low)
            }
            6 | 7 => {
                let (high, low) = (self.pick_width(w - cut), self.bits(cut - 1, 0, x));
                self.operate((Pool::concat, Bv::concat), &high, &low)
            }
            8 => {
                let (high, low) = (self.bits(w - 1, cut, x), self.bits(cut - 1, 0, x));
                self.operate((Pool::concat, Bv::concat), &low, &high)
            }
            9..=11 => {
                let part = if self.rng.below(2) == 0 {
                    self.bits(cut - 1, 0, x)
                } else {
                    self.bits(w - 1, w - cut, x)
                };
                let signed = self.rng.below(2) == 0;
                self.extend(&part, w, signed)
            }
            12 => {
                let ones = self.number(Bv::ones(w));
                self.operate((Pool::bv_xor, Bv::xor), x, &ones)
            }
            13 => {
                let c = if self.rng.below(2) == 0 { self.compare(x, &k) } else { self.compare(&k, x) };
                let y = self.constant(w);
                let z = if self.rng.below(2) == 0 { x } else { &k };
                self.choose(&c, &y, z)
            }
            14 => {
                let c = self.pick_bool();
                self.choose(&c, x, &k)
            }
            _ => {
                let c = self.pick_bool();
                let y = self.constant(w);
                self.choose(&c, &y, &k)
            }
        }
    }

    /// A step whose operands are made of the same term, which is what rewrites of two operands look for.
    pub fn related_step(&mut self) {
        if !self.arrays.is_empty() && self.rng.below(4) == 0 {
            return self.related_writes();
        }
        let x = self.pick();
        let w = self.pool.width(x.t);
        if w == 1 {
            return self.step();
        }
        let mut pair = [x.clone(), self.relative(&x)];
        for _ in 0..self.rng.below(4) {
            let i = self.rng.below(2);
            pair[i] = self.relative(&pair[i].clone());
            self.check(&pair[i]);
        }
        let [x, y] = pair;
        match self.rng.below(8) {
            0..=2 => {
                let op = OPS[self.rng.below(OPS.len())];
                let r = self.operate(op, &x, &y);
                self.keep(r);
            }
            3 => {
                let r = self.compare(&x, &y);
                self.keep_bool(r);
            }
            4 => {
                let (a, b) = (self.compare(&x, &y), self.compare(&y, &x));
                let t = self.pool.and(a.t, b.t);
                let r = self.map2(t, &a, &b, |a, b| Value::Bool(a.as_bool() && b.as_bool()));
                self.keep_bool(r);
            }
            5 => {
                let c = self.compare(&x, &y);
                let r = self.choose(&c, &x, &y);
                self.keep(r);
            }
            6 => {
                // Upper bits of a multiple of an extended term, as of a quotient by a constant.
                let k = self.constant(2 * w);
                let signed = self.rng.below(2) == 0;
                let wide = self.extend(&y, 2 * w, signed);
                let wide = self.operate((Pool::mul, Bv::mul), &wide, &k);
                let lo = self.rng.below(2 * w as usize) as u32;
                let hi = lo + self.rng.below((2 * w - lo) as usize) as u32;
                let r = self.bits(hi, lo, &wide);
                self.keep(r);
            }
            _ => {
                let lo = self.rng.below(w as usize) as u32;
                let hi = lo + self.rng.below((w - lo) as usize) as u32;
                let r = self.bits(hi, lo, &y);
                self.keep(r);
            }
        }
    }

    /// Stores near one address, a load near it, and whether they changed anything.
    fn related_writes(&mut self) {
        let n = self.arrays.len();
        let first = self.arrays[self.rng.below(n)].clone();
        let (index, elem) = self.pool.array_widths(first.t);
        let mut m = first.clone();
        if self.rng.below(4) == 0 {
            let e = self.pick_width(elem);
            let t = self.pool.const_array(index, e.t);
            m = self.map1(t, &e, |e| Value::Array(smt::ArrayVal::new(index, e.as_bv().clone())));
        }
        let around = self.pick_width(index);
        let near = |g: &mut Gen| {
            let k = Bv::from_i128(index, g.rng.below(9) as i128 - 4);
            let k = g.number(k);
            g.operate((Pool::add, Bv::add), &around, &k)
        };
        for _ in 0..1 + self.rng.below(3) {
            let at = if self.rng.below(5) == 0 { self.pick_width(index) } else { near(self) };
            let v = if self.rng.below(4) == 0 {
                let old = self.arrays[self.rng.below(n)].clone();
                self.read(&old, &at, 1)
            } else {
                let count = 1 + self.rng.below(4.min(1 << index.min(8))) as u32;
                self.pick_width(elem * count)
            };
            m = self.write(&m, &at, &v);
        }
        let count = 1 + self.rng.below(4.min(1 << index.min(8))) as u32;
        let at = near(self);
        let r = self.read(&m, &at, count);
        self.keep(r);
        let t = self.pool.eq(m.t, first.t);
        let same = self.map2(t, &m, &first, |a, b| Value::Bool(a == b));
        self.keep_bool(same);
        let c = self.pick_bool();
        let (a, b) = (self.choose(&c, &m, &first), self.choose(&c, &first, &m));
        let t = self.pool.eq(a.t, b.t);
        let same = self.map2(t, &a, &b, |a, b| Value::Bool(a == b));
        self.keep_bool(same);
        self.arrays.push(m);
    }

    fn read(&mut self, m: &Tracked, at: &Tracked, count: u32) -> Tracked {
        let t = self.pool.load(m.t, at.t, count);
        self.map2(t, m, at, |m, i| Value::Bv(m.as_array().load(i.as_bv(), count)))
    }

    fn write(&mut self, m: &Tracked, at: &Tracked, v: &Tracked) -> Tracked {
        let t = self.pool.store(m.t, at.t, v.t);
        let vals = (0..m.vals.len()).map(|k| {
            let mut a = m.vals[k].as_array().clone();
            a.store(at.vals[k].as_bv(), v.vals[k].as_bv());
            Value::Array(a)
        });
        let r = Tracked { t, vals: vals.collect() };
        self.check(&r);
        r
    }

    fn keep(&mut self, r: Tracked) {
        self.check(&r);
        self.bvs.push(r);
    }

    fn keep_bool(&mut self, r: Tracked) {
        self.check(&r);
        self.bools.push(r);
    }

    fn check(&self, r: &Tracked) {
        for ((m, v), cache) in self.models.iter().zip(&r.vals).zip(&self.caches) {
            let got = m.eval_cached(&self.pool, &[r.t], &mut cache.borrow_mut()).remove(0);
            assert_eq!(got, *v, "{:?} = {:?}", r.t, self.pool.node(r.t));
        }
    }
}
