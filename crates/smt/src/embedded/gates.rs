//! Gates with structural hashing, each defined by clauses as it is made, and words of them.

use super::sat::{Lit, Sat, Stop};
use crate::Bv;
use crate::effort::Deadline;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
    Maj(Lit, Lit, Lit),
}

/// A word: bits, least significant first.
pub(crate) type Word = Vec<Lit>;

/// The gates made so far, in a SAT solver.
pub(crate) struct Gates {
    pub sat: Sat,
    table: FxHashMap<Gate, Lit>,
    /// No more gates are made beyond this many; results are then meaningless and
    /// [`Gates::overflown`] says so.
    pub max_vars: u32,
    pub deadline: Deadline,
    overflown: Option<Stop>,
}

impl Gates {
    pub fn new(patience: u64) -> Gates {
        Gates {
            sat: Sat::new(patience),
            table: FxHashMap::default(),
            max_vars: u32::MAX,
            deadline: Deadline::NEVER,
            overflown: None,
        }
    }

    pub fn overflown(&self) -> Option<Stop> {
        self.overflown
    }

    /// Stops making gates when a limit is reached.
    pub fn check_limits(&mut self) -> bool {
        if self.overflown.is_none() {
            if self.sat.vars() > self.max_vars {
                self.overflown = Some(Stop::Memory);
            } else {
                self.overflown = self.deadline.passed().map(Stop::Spent);
            }
        }
        self.overflown.is_some()
    }

    pub fn fresh(&mut self) -> Lit {
        self.sat.new_var()
    }

    fn gate(&mut self, g: Gate) -> Lit {
        if let Some(&l) = self.table.get(&g) {
            return l;
        }
        if self.overflown.is_some() {
            return Lit::FALSE;
        }
        let o = self.sat.new_var();
        if o.0 & 0x1fff == 0 {
            self.check_limits();
        }
        let s = &mut self.sat;
        match g {
            Gate::And(a, b) => {
                s.clause(&[!o, a]);
                s.clause(&[!o, b]);
                s.clause(&[o, !a, !b]);
            }
            Gate::Xor(a, b) => {
                s.clause(&[!o, a, b]);
                s.clause(&[!o, !a, !b]);
                s.clause(&[o, !a, b]);
                s.clause(&[o, a, !b]);
            }
            Gate::Mux(c, a, b) => {
                s.clause(&[!c, !a, o]);
                s.clause(&[!c, a, !o]);
                s.clause(&[c, !b, o]);
                s.clause(&[c, b, !o]);
                s.clause(&[!a, !b, o]);
                s.clause(&[a, b, !o]);
            }
            Gate::Maj(a, b, c) => {
                s.clause(&[!a, !b, o]);
                s.clause(&[!a, !c, o]);
                s.clause(&[!b, !c, o]);
                s.clause(&[a, b, !o]);
                s.clause(&[a, c, !o]);
                s.clause(&[b, c, !o]);
            }
        }
        self.table.insert(g, o);
        o
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::TRUE || a == b {
            b
        } else if a == Lit::FALSE || a == !b {
            Lit::FALSE
        } else {
            self.gate(Gate::And(a, b))
        }
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.negated() != b.negated();
        let (a, b) = (Lit(a.0 & !1), Lit(b.0 & !1));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let r = if a == b {
            Lit::FALSE
        } else if a == Lit::TRUE {
            !b
        } else {
            self.gate(Gate::Xor(a, b))
        };
        if flip { !r } else { r }
    }

    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if c == Lit::TRUE || a == b {
            return a;
        }
        if c == Lit::FALSE {
            return b;
        }
        if c.negated() {
            return self.mux(!c, b, a);
        }
        if a == !b {
            return self.xor(c, b);
        }
        if a == Lit::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Lit::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Lit::FALSE || b == c {
            return self.and(c, a);
        }
        if b == Lit::TRUE || b == !c {
            return self.or(!c, a);
        }
        if a.negated() {
            return !self.gate(Gate::Mux(c, !a, !b));
        }
        self.gate(Gate::Mux(c, a, b))
    }

    pub fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut v = [a, b, c];
        v.sort_unstable();
        let [a, b, c] = v;
        if a == b {
            a
        } else if b == c {
            b
        } else if a == !b {
            c
        } else if b == !c {
            a
        } else if a == Lit::TRUE {
            self.or(b, c)
        } else if a == Lit::FALSE {
            self.and(b, c)
        } else {
            self.gate(Gate::Maj(a, b, c))
        }
    }

    pub fn and_all(&mut self, xs: &[Lit]) -> Lit {
        let mut acc = Lit::TRUE;
        for &x in xs {
            acc = self.and(acc, x);
        }
        acc
    }

    // Words.

    pub fn word(&self, v: &Bv) -> Word {
        (0..v.width()).map(|i| if v.bit(i) { Lit::TRUE } else { Lit::FALSE }).collect()
    }

    pub fn fresh_word(&mut self, w: u32) -> Word {
        (0..w).map(|_| self.fresh()).collect()
    }

    pub fn not_word(&self, a: &[Lit]) -> Word {
        a.iter().map(|l| !*l).collect()
    }

    pub fn zip(&mut self, a: &[Lit], b: &[Lit], f: impl Fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(x, y)| f(self, *x, *y)).collect()
    }

    pub fn mux_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        self.zip(a, b, |g, x, y| g.mux(c, x, y))
    }

    /// `a + b + carry`.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Word {
        let mut c = carry;
        let mut out = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let t = self.xor(x, y);
            out.push(self.xor(t, c));
            c = self.maj(x, y, c);
        }
        out
    }

    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let nb = self.not_word(b);
        self.add(a, &nb, Lit::TRUE)
    }

    pub fn neg(&mut self, a: &[Lit]) -> Word {
        let zero = vec![Lit::FALSE; a.len()];
        self.sub(&zero, a)
    }

    pub fn eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(x, y)| !self.xor(*x, *y)).collect();
        if same.contains(&Lit::FALSE) {
            return Lit::FALSE;
        }
        self.and_all(&same)
    }

    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut lt = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            lt = self.maj(!x, y, lt);
        }
        lt
    }

    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        for w in [&mut a, &mut b] {
            if let Some(s) = w.last_mut() {
                *s = !*s;
            }
        }
        self.ult(&a, &b)
    }

    fn shifted(&self, a: &[Lit], by: usize) -> Word {
        let mut out = vec![Lit::FALSE; by.min(a.len())];
        out.extend_from_slice(&a[..a.len() - by.min(a.len())]);
        out
    }

    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let consts = |w: &[Lit]| w.iter().filter(|l| l.is_const()).count();
        let (a, b) = if consts(a) > consts(b) { (b, a) } else { (a, b) };
        let mut acc = vec![Lit::FALSE; a.len()];
        for (i, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE || self.overflown.is_some() {
                continue;
            }
            let row: Word = self.shifted(a, i).into_iter().map(|x| self.and(bit, x)).collect();
            acc = self.add(&acc, &row, Lit::FALSE);
        }
        acc
    }

    /// Product with a constant, from its signed-digit form (few additions).
    pub fn mul_const(&mut self, a: &[Lit], c: &Bv) -> Word {
        let w = a.len();
        let mut acc = vec![Lit::FALSE; w];
        let mut i = 0;
        // Runs of ones 2^i + ... + 2^(j-1) become 2^j - 2^i.
        while i < w {
            if !c.bit(i as u32) {
                i += 1;
                continue;
            }
            let mut j = i;
            while j < w && c.bit(j as u32) {
                j += 1;
            }
            if j - i <= 2 {
                for k in i..j {
                    let row = self.shifted(a, k);
                    acc = self.add(&acc, &row, Lit::FALSE);
                }
            } else {
                let low = self.shifted(a, i);
                acc = self.sub(&acc, &low);
                let high = self.shifted(a, j);
                acc = self.add(&acc, &high, Lit::FALSE);
            }
            i = j;
        }
        acc
    }

    /// Quotient and remainder by the restoring method; for divisor zero all ones and the dividend.
    pub fn udivrem(&mut self, a: &[Lit], d: &[Lit]) -> (Word, Word) {
        let w = a.len();
        // One more bit for the shifted remainder.
        let mut wide = d.to_vec();
        wide.push(Lit::FALSE);
        let mut r = vec![Lit::FALSE; w + 1];
        let mut q = vec![Lit::FALSE; w];
        for i in (0..w).rev() {
            if self.overflown.is_some() {
                break;
            }
            r = self.shifted(&r, 1);
            r[0] = a[i];
            let fits = !self.ult(&r, &wide);
            let less = self.sub(&r, &wide);
            r = self.mux_word(fits, &less, &r);
            q[i] = fits;
        }
        r.truncate(w);
        (q, r)
    }

    fn abs(&mut self, a: &[Lit]) -> Word {
        let n = self.neg(a);
        let s = *a.last().unwrap_or(&Lit::FALSE);
        self.mux_word(s, &n, a)
    }

    pub fn sdiv(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.abs(a), self.abs(b));
        let (q, _) = self.udivrem(&x, &y);
        let flip = self.xor(a[a.len() - 1], b[b.len() - 1]);
        let n = self.neg(&q);
        self.mux_word(flip, &n, &q)
    }

    pub fn srem(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.abs(a), self.abs(b));
        let (_, r) = self.udivrem(&x, &y);
        let n = self.neg(&r);
        self.mux_word(a[a.len() - 1], &n, &r)
    }

    /// Shift by a variable amount; `fill` comes in, `left` says which way.
    pub fn shift(&mut self, a: &[Lit], n: &[Lit], left: bool, fill: Lit) -> Word {
        let w = a.len();
        let mut out = a.to_vec();
        let mut beyond = Lit::FALSE;
        for (k, &bit) in n.iter().enumerate() {
            if k >= 31 || 1usize << k >= w {
                beyond = self.or(beyond, bit);
                continue;
            }
            let by = 1usize << k;
            let mut moved = vec![fill; w];
            if left {
                moved[by..].copy_from_slice(&out[..w - by]);
            } else {
                moved[..w - by].copy_from_slice(&out[by..]);
            }
            out = self.mux_word(bit, &moved, &out);
        }
        let all = vec![fill; w];
        self.mux_word(beyond, &all, &out)
    }
}
