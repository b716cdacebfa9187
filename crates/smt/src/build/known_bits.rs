//! Bits of a term known to be zero or one whatever the variables hold.

use crate::{Bv, Node, Pool, TermId};

/// KnownBits bits of a bit-vector term: `zeros` and `ones` are masks, disjoint.
#[derive(Clone, Debug)]
pub(crate) struct KnownBits {
    pub zeros: Bv,
    pub ones: Bv,
}

impl KnownBits {
    fn unknown(w: u32) -> KnownBits {
        KnownBits { zeros: Bv::zero(w), ones: Bv::zero(w) }
    }

    fn exact(v: &Bv) -> KnownBits {
        KnownBits { zeros: v.not(), ones: v.clone() }
    }

    /// The least unsigned value.
    pub fn min(&self) -> Bv {
        self.ones.clone()
    }

    /// The greatest unsigned value.
    pub fn max(&self) -> Bv {
        self.zeros.not()
    }

    /// The sign bit, if known.
    pub fn sign(&self) -> Option<bool> {
        if self.ones.sign() {
            Some(true)
        } else if self.zeros.sign() {
            Some(false)
        } else {
            None
        }
    }

    /// Number of top bits known to be zero.
    pub fn leading_zeros(&self) -> u32 {
        self.max().leading_zeros()
    }

    /// Number of low bits known to be zero.
    pub fn trailing_zeros(&self) -> u32 {
        self.max().trailing_zeros()
    }
}

/// How deep a term is looked into for bits that repeat its sign.
const DEEP: u32 = 6;

impl Pool {
    /// What is known of the bits of a bit-vector term.
    pub(crate) fn known(&self, t: TermId) -> KnownBits {
        match self.node(t) {
            Node::Const(v) => KnownBits::exact(v),
            _ => self.stored_known(t).cloned().unwrap_or_else(|| KnownBits::unknown(self.width(t))),
        }
    }

    /// How many of a bit-vector term's upper bits are zero whatever the variables hold.
    pub fn leading_zeros(&self, t: TermId) -> u32 {
        self.known(t).leading_zeros()
    }

    /// How many of a bit-vector term's upper bits are the same whatever the variables hold: at least the sign itself.
    pub fn leading_signs(&self, t: TermId) -> u32 {
        self.signs(t, DEEP)
    }

    fn signs(&self, t: TermId, deep: u32) -> u32 {
        let (w, k) = (self.width(t), self.known(t));
        let told = k.leading_zeros().max(k.ones.not().leading_zeros()).max(1);
        let Some(deep) = deep.checked_sub(1) else { return told };
        let all = |xs: &[TermId]| xs.iter().map(|x| self.signs(*x, deep)).min().unwrap_or(1);
        let made = match self.node(t) {
            Node::SExt(x) => w - self.width(*x) + self.signs(*x, deep),
            Node::BvAnd(xs) | Node::BvOr(xs) | Node::BvXor(xs) => all(xs),
            Node::Ite(_, a, b) => all(&[*a, *b]),
            Node::BvNot(x) | Node::Ashr(x, _) => self.signs(*x, deep),
            Node::Concat(parts) => self.signs(parts[0], deep),
            Node::Extract(hi, _, x) => {
                let above = self.width(*x) - 1 - hi;
                self.signs(*x, deep).saturating_sub(above).min(w)
            }
            _ => 1,
        };
        told.max(made)
    }

    /// Works out the known bits of a new node from those of its arguments; `None` for nothing.
    pub(crate) fn infer_known(&self, node: &Node, w: u32) -> Option<Box<KnownBits>> {
        let k = self.infer(node, w);
        (!k.zeros.is_zero() || !k.ones.is_zero()).then(|| Box::new(k))
    }

    /// Notes that a term is never above `max`.
    pub(crate) fn at_most(&mut self, t: TermId, max: &Bv) {
        let mut known = self.known(t);
        known.zeros = known.zeros.or(&leading_mask(max).and(&known.ones.not()));
        self.note_known(t, known);
    }

    fn infer(&self, node: &Node, w: u32) -> KnownBits {
        match node {
            Node::Const(_) => KnownBits::unknown(w),
            Node::Ite(c, a, b) => {
                let (a, b) = (self.known_where(*c, true, *a), self.known_where(*c, false, *b));
                KnownBits { zeros: a.zeros.and(&b.zeros), ones: a.ones.and(&b.ones) }
            }
            Node::BvNot(a) => {
                let k = self.known(*a);
                KnownBits { zeros: k.ones, ones: k.zeros }
            }
            Node::BvAnd(xs) => {
                let mut acc = KnownBits { zeros: Bv::zero(w), ones: Bv::ones(w) };
                for x in xs.iter() {
                    let k = self.known(*x);
                    acc = KnownBits { zeros: acc.zeros.or(&k.zeros), ones: acc.ones.and(&k.ones) };
                }
                acc
            }
            Node::BvOr(xs) => {
                let mut acc = KnownBits { zeros: Bv::ones(w), ones: Bv::zero(w) };
                for x in xs.iter() {
                    let k = self.known(*x);
                    acc = KnownBits { zeros: acc.zeros.and(&k.zeros), ones: acc.ones.or(&k.ones) };
                }
                acc
            }
            Node::BvXor(xs) => {
                let mut acc = KnownBits::exact(&Bv::zero(w));
                for x in xs.iter() {
                    let k = self.known(*x);
                    let both = acc.zeros.or(&acc.ones).and(&k.zeros.or(&k.ones));
                    let v = acc.ones.xor(&k.ones);
                    acc = KnownBits { zeros: both.and(&v.not()), ones: both.and(&v) };
                }
                acc
            }
            Node::Concat(parts) => {
                let mut acc: Option<KnownBits> = None;
                for p in parts.iter() {
                    let k = self.known(*p);
                    acc = Some(match acc {
                        None => k,
                        Some(a) => {
                            KnownBits { zeros: a.zeros.concat(&k.zeros), ones: a.ones.concat(&k.ones) }
                        }
                    });
                }
                acc.unwrap_or_else(|| KnownBits::unknown(w))
            }
            Node::Extract(hi, lo, a) => {
                let k = self.known(*a);
                KnownBits { zeros: k.zeros.extract(*hi, *lo), ones: k.ones.extract(*hi, *lo) }
            }
            Node::SExt(a) => {
                let k = self.known(*a);
                KnownBits { zeros: k.zeros.sext(w), ones: k.ones.sext(w) }
            }
            Node::UDiv(a, b) => match self.as_const(*b) {
                Some(d) if !d.is_zero() => {
                    let max = self.known(*a).max().udiv(d);
                    KnownBits { zeros: leading_mask(&max), ones: Bv::zero(w) }
                }
                _ => KnownBits::unknown(w),
            },
            Node::URem(a, _) => {
                // Never above the dividend.
                let max = self.known(*a).max();
                KnownBits { zeros: leading_mask(&max), ones: Bv::zero(w) }
            }
            Node::Lshr(a, _) => {
                let max = self.known(*a).max();
                KnownBits { zeros: leading_mask(&max), ones: Bv::zero(w) }
            }
            Node::Lin(xs, k) => self.known_sum(xs, k),
            Node::Mul(xs) => {
                let low: u32 = xs.iter().map(|x| self.known(*x).trailing_zeros()).sum();
                KnownBits { zeros: Bv::low_ones(w, low.min(w)), ones: Bv::zero(w) }
            }
            Node::Var(_)
            | Node::SDiv(..)
            | Node::SRem(..)
            | Node::Shl(..)
            | Node::Ashr(..)
            | Node::Select(..)
            | Node::Apply(..)
            | Node::Bool(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Eq(..)
            | Node::Ult(..)
            | Node::Slt(..)
            | Node::Store(..)
            | Node::ConstArray(_) => KnownBits::unknown(w),
        }
    }

    /// What is known of a term where a comparison of it holds, or does not.
    fn known_where(&self, condition: TermId, holds: bool, t: TermId) -> KnownBits {
        let mut known = self.known(t);
        let w = self.width(t);
        let zeros = match *self.node(condition) {
            // Below another, or not above it.
            Node::Ult(x, most) if x == t && holds => Some(leading_mask(&self.known(most).max())),
            Node::Ult(most, x) if x == t && !holds => Some(leading_mask(&self.known(most).max())),
            // Above k, which is not below minus one.
            Node::Slt(k, x) if x == t && holds => {
                self.as_const(k).filter(|k| !k.sign() || k.is_ones()).map(|_| Bv::smin(w))
            }
            // The sign is clear.
            Node::Eq(a, b) if !holds => [(a, b), (b, a)].into_iter().find_map(|(k, x)| {
                let Node::Extract(hi, lo, y) = *self.node(x) else { return None };
                let sign = y == t && hi == lo && hi + 1 == w && self.as_const(k).is_some_and(Bv::is_one);
                sign.then(|| Bv::smin(w))
            }),
            _ => None,
        };
        if let Some(zeros) = zeros {
            known.zeros = known.zeros.or(&zeros.and(&known.ones.not()));
        }
        known
    }

    /// Low bits that no addend reaches are the constant's; high zeros if the sum can't wrap.
    fn known_sum(&self, xs: &[(TermId, Bv)], k: &Bv) -> KnownBits {
        let w = k.width();
        let mut low = w;
        // Two bits more for each doubling of the count would do; a sum of w + 32 bits never wraps.
        let wide = w + 40;
        let mut max = k.zext(wide);
        let mut fits = xs.len() < 256;
        for (x, c) in xs {
            let kx = self.known(*x);
            low = low.min(c.trailing_zeros().saturating_add(kx.trailing_zeros()).min(w));
            let product = kx.max().zext(2 * w).mul(&c.zext(2 * w));
            if product.leading_zeros() < w {
                fits = false;
            } else {
                max = max.add(&product.trunc(w).zext(wide));
            }
        }
        fits &= max.leading_zeros() >= 40;
        let mask = Bv::low_ones(w, low);
        let mut zeros = k.not().and(&mask);
        if fits {
            zeros = zeros.or(&leading_mask(&max.trunc(w)));
        }
        KnownBits { zeros, ones: k.and(&mask) }
    }
}

/// The bits above the highest one bit of `max`.
fn leading_mask(max: &Bv) -> Bv {
    let w = max.width();
    Bv::low_ones(w, w - max.leading_zeros()).not()
}

#[cfg(test)]
mod tests {
    use crate::{Pool, Sort};

    #[test]
    fn bits_that_repeat_the_sign() {
        let mut p = Pool::new();
        let x = p.var("x", Sort::Bv(32));
        let y = p.var("y", Sort::Bv(64));
        let wide = p.sext(x, 64);
        let (mask, small) = (p.num(64, u128::from(!31u64)), p.num(64, 31));
        let rounded = p.bv_and(wide, mask);
        assert_eq!(p.leading_signs(rounded), 33);
        let rest = p.bv_and(wide, small);
        assert_eq!(p.leading_signs(rest), 59);
        let mixed = p.bv_xor(wide, y);
        assert_eq!((p.leading_signs(mixed), p.leading_signs(y), p.leading_signs(x)), (1, 1, 1));
        let top = p.extract(62, 16, wide);
        assert_eq!(p.leading_signs(top), 32);
        let low = p.extract(31, 0, rounded);
        assert_eq!(p.leading_signs(low), 1);
    }
}
