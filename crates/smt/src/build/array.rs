//! Arrays: wide loads and stores over elements, resolved where addresses are provably equal or
//! disjoint, before any solver sees them.
//!
//! Two addresses relate when they are the same linear combination up to the constant, or when they
//! lie at constant offsets within two different declared objects ([`Pool::declare_object`]).

use crate::{Bv, Node, Pool, Sort, TermId};

/// A layer of writes is closed at this length: a bound on the cost of a store.
const MAX_LAYER: usize = 512;

/// Neighbouring writes are joined within windows of this many elements, which begin where the constant part of an
/// address is a multiple of it: so that what they become does not depend on their order.
const WINDOW: u32 = 256;

/// Most layers that are looked through for writes that a load misses.
const DEEPEST: usize = 8;

/// Most writes that are looked through for those which a store covers.
const COVERABLE: usize = 128;

/// How an access of `n` elements at `a` relates to one of `m` elements at `b`.
enum Relation {
    /// `b` is this many elements above `a` (modulo the index space).
    Offset(Bv),
    /// The accesses share no element.
    Disjoint,
    Unknown,
}

impl Pool {
    /// Declares that the `size` elements from `base` on are an object of their own: it does not
    /// wrap around the address space, does not begin at zero (one without elements as well) and is
    /// disjoint from every other declared object. `base` must be a variable. Rewrites use this; [`Pool::object_axioms`] states it for solvers.
    ///
    /// # Panics
    /// When `base` is no bit-vector variable, or declared before with another size that is not 0.
    pub fn declare_object(&mut self, base: TermId, size: u64) {
        assert!(matches!(self.node(base), Node::Var(_)), "an object's base is a variable");
        self.width(base);
        let old = self.objects.insert(base, size);
        assert!(old.is_none_or(|o| o == size || o == 0), "an object has one size");
    }

    /// The facts that [`Pool::declare_object`] promised about the objects whose bases are in
    /// `bases` (all of them when `None`): not at zero, no wrap-around, pairwise disjoint.
    pub fn object_axioms(&mut self, bases: Option<&[TermId]>) -> Vec<TermId> {
        let mut objs: Vec<(TermId, u64)> = self.objects.iter().map(|(b, s)| (*b, *s)).collect();
        objs.sort_unstable();
        if let Some(bs) = bases {
            objs.retain(|(b, _)| bs.contains(b));
        }
        let mut out = Vec::new();
        for (i, &(b, size)) in objs.iter().enumerate() {
            let null = self.num(self.width(b), 0);
            out.push(self.ne(b, null));
            if size == 0 {
                continue;
            }
            let last = self.add_num(b, i128::from(size) - 1);
            out.push(self.ule(b, last));
            for &(c, other) in &objs[..i] {
                if other == 0 || self.width(c) != self.width(b) {
                    continue;
                }
                let end = self.add_num(c, i128::from(other) - 1);
                let (below, above) = (self.ult(last, c), self.ult(end, b));
                out.push(self.or(below, above));
            }
        }
        out
    }

    /// The object a constant-offset address lies in, with the offset, if the access stays inside.
    fn object_of(&mut self, addr: TermId, n: u32) -> Option<TermId> {
        if self.objects.is_empty() {
            return None;
        }
        let view = self.linear_view(addr);
        let [(base, c)] = &view.terms[..] else { return None };
        let size = *self.objects.get(base)?;
        let k = view.k.to_u64()?;
        (c.is_one() && k.checked_add(u64::from(n))? <= size).then_some(*base)
    }

    fn relate(&mut self, a: TermId, n: u32, b: TermId, m: u32) -> Relation {
        let d = self.sub(b, a);
        if let Some(k) = self.as_const(d) {
            let k = k.clone();
            let w = k.width();
            // b starts at or after a's end, and ends before a starts again.
            let space = 1u128.checked_shl(w).filter(|_| w < 128);
            let (lo, hi) = (u128::from(n), space.map(|s| s - u128::from(m)));
            let below = k.to_u128().is_some_and(|v| v < lo);
            let above = match hi {
                Some(h) => k.to_u128().is_none_or(|v| v > h),
                None => k.neg().to_u128().is_some_and(|v| v < u128::from(m)),
            };
            return if below || above { Relation::Offset(k) } else { Relation::Disjoint };
        }
        if let (Some(x), Some(y)) = (self.object_of(a, n), self.object_of(b, m))
            && x != y
        {
            return Relation::Disjoint;
        }
        if self.known_apart.is_some() {
            let view = self.linear_view(d);
            if self.known_apart.as_ref().is_some_and(|f| f.away(view, m, n)) {
                return Relation::Disjoint;
            }
        }
        Relation::Unknown
    }

    /// Can accesses of `n` elements at `a` and of `m` at `b` share one?
    fn may_meet(&mut self, a: TermId, n: u32, b: TermId, m: u32) -> bool {
        !matches!(self.relate(a, n, b, m), Relation::Disjoint)
    }

    /// The array with the same element everywhere.
    pub fn const_array(&mut self, index: u32, elem: TermId) -> TermId {
        let elem_width = self.width(elem);
        self.intern(Node::ConstArray(elem), Sort::Array { index, elem: elem_width })
    }

    /// The element at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        self.load(array, index, 1)
    }

    /// `n` neighbouring elements, the one at `index` least significant (a little-endian load).
    ///
    /// # Panics
    /// When the index doesn't fit the array, or `n` is zero or exceeds the index space.
    pub fn load(&mut self, array: TermId, index: TermId, n: u32) -> TermId {
        let (iw, elem) = self.array_widths(array);
        assert_eq!(self.width(index), iw, "an index of another width");
        assert!(n > 0 && (iw >= 32 || n <= 1 << iw), "a load of {n} elements");
        let mut array = array;
        // Layers that the load provably misses, or hits whole, are looked through one at a time.
        loop {
            match self.node(array).clone() {
                Node::ConstArray(e) => {
                    let parts = vec![e; n as usize];
                    return self.concat_all(&parts);
                }
                Node::Store(below, writes) => match self.load_layer(below, &writes, index, n, elem) {
                    Layer::Value(v) => return v,
                    Layer::Below => array = below,
                    Layer::Unknown => match self.near_layer(below, &writes, index, n, elem) {
                        Some(near) => array = near,
                        None => {
                            let array = self.pared(array, index, n);
                            return self.select_node(array, index, n);
                        }
                    },
                },
                Node::Ite(c, a, b) => {
                    // Worth it where a side resolves.
                    let found = self.deeper(|p| {
                        let (x, y) = (p.load(a, index, n), p.load(b, index, n));
                        (x, y)
                    });
                    return match found {
                        Some((x, y)) => self.ite(c, x, y),
                        None => self.select_node(array, index, n),
                    };
                }
                _ => return self.select_node(array, index, n),
            }
        }
    }

    /// An array without the writes that a load provably misses, in the layer that keeps it from resolving; and where
    /// there are objects, or facts tell addresses apart, in those below too. What else was written is then none of the load's.
    fn pared(&mut self, array: TermId, at: TermId, n: u32) -> TermId {
        let told_apart = self.known_apart.is_some() || !self.objects.is_empty();
        let deepest = if told_apart { DEEPEST } else { 1 };
        self.without_writes(array, (deepest, usize::MAX), |p, a, m| !p.may_meet(a, m, at, n))
    }

    /// An array without those of its writes, each an address and a number of elements, that are `needless`: of so many layers, and
    /// of the first ones with no more writes than so many in all.
    fn without_writes(
        &mut self,
        array: TermId,
        (deepest, most): (usize, usize),
        needless: impl Fn(&mut Pool, TermId, u32) -> bool,
    ) -> TermId {
        let elem = self.array_widths(array).1;
        let (mut layers, mut below, mut less, mut seen) = (Vec::new(), array, false, 0);
        while layers.len() < deepest
            && let Node::Store(next, writes) = self.node(below).clone()
        {
            let all = writes.len();
            seen += all;
            if seen > most {
                break;
            }
            let mut kept = Vec::with_capacity(all);
            for (a, v) in writes {
                let m = self.width(v) / elem;
                if !needless(self, a, m) {
                    kept.push((a, v));
                }
            }
            less |= kept.len() < all;
            layers.push(kept);
            below = next;
        }
        if !less {
            return array;
        }
        for kept in layers.into_iter().rev().filter(|kept| !kept.is_empty()) {
            below = self.store_node(below, kept);
        }
        below
    }

    pub(crate) fn select_node(&mut self, array: TermId, index: TermId, n: u32) -> TermId {
        let (_, elem) = self.array_widths(array);
        self.intern(Node::Select(array, index), Sort::Bv(n * elem))
    }

    fn load_layer(
        &mut self,
        below: TermId,
        writes: &[(TermId, TermId)],
        at: TermId,
        n: u32,
        elem: u32,
    ) -> Layer {
        // Which write each loaded element comes from, with its place in that write.
        let mut from: Vec<Option<(usize, u32)>> = vec![None; n as usize];
        let mut unknown = false;
        for (i, &(a, v)) in writes.iter().enumerate() {
            let m = self.width(v) / elem;
            match self.relate(a, m, at, n) {
                Relation::Disjoint => {}
                Relation::Unknown => unknown = true,
                Relation::Offset(k) => {
                    let step = Bv::one(k.width());
                    let mut place = k;
                    for slot in from.iter_mut() {
                        if let Some(p) = place.to_u128().filter(|p| *p < u128::from(m)) {
                            *slot = Some((i, p as u32));
                        }
                        place = place.add(&step);
                    }
                }
            }
        }
        if unknown && from.iter().any(Option::is_none) {
            return Layer::Unknown;
        }
        if from.iter().all(Option::is_none) {
            return Layer::Below;
        }
        // Runs of elements from one source, least significant first.
        let mut parts = Vec::new();
        let mut e = 0u32;
        while e < n {
            let start = e;
            match from[e as usize] {
                Some((i, p)) => {
                    let mut last = p;
                    e += 1;
                    while e < n && from[e as usize] == Some((i, last + 1)) {
                        last += 1;
                        e += 1;
                    }
                    let v = writes[i].1;
                    parts.push(self.extract((last + 1) * elem - 1, p * elem, v));
                }
                None => {
                    while e < n && from[e as usize].is_none() {
                        e += 1;
                    }
                    let a = self.add_num(at, i128::from(start));
                    let piece = self.deeper(|p| p.load(below, a, e - start));
                    let Some(piece) = piece else { return Layer::Unknown };
                    parts.push(piece);
                }
            }
        }
        parts.reverse();
        Layer::Value(self.concat_all(&parts))
    }

    /// Where facts about addresses are at hand: a layer without the elements that a load cannot see by them, so that
    /// what is loaded does not depend on what else was written. `None` when it may see all of them.
    fn near_layer(
        &mut self,
        below: TermId,
        writes: &[(TermId, TermId)],
        at: TermId,
        n: u32,
        elem: u32,
    ) -> Option<TermId> {
        self.known_apart.as_ref()?;
        let mut near = Vec::with_capacity(writes.len());
        for &(a, v) in writes {
            let m = self.width(v) / elem;
            if !self.may_meet(a, m, at, n) {
                continue;
            }
            let sees = |p: &mut Pool, e: u32| {
                let a = p.add_num(a, i128::from(e));
                p.may_meet(a, 1, at, n)
            };
            let (mut first, mut end) = (0, m);
            while first < end && !sees(self, first) {
                first += 1;
            }
            while first < end && !sees(self, end - 1) {
                end -= 1;
            }
            if first == end {
                continue;
            }
            let start = self.add_num(a, i128::from(first));
            let part = self.extract(end * elem - 1, first * elem, v);
            near.push((start, part));
        }
        (near != writes).then(|| self.store_node(below, near))
    }

    /// The array with the elements from `index` on replaced by those of `value`, its least
    /// significant element first (a little-endian store).
    ///
    /// # Panics
    /// When the index doesn't fit the array, or the value is no whole number of elements.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let (iw, elem) = self.array_widths(array);
        let w = self.width(value);
        assert_eq!(self.width(index), iw, "an index of another width");
        let n = w / elem;
        assert!(w.is_multiple_of(elem) && (iw >= 32 || n <= 1 << iw), "a store of {w} bits");
        // Writing what is there changes nothing.
        if let Node::Select(m, i) = self.node(value)
            && (*m, *i) == (array, index)
        {
            return array;
        }
        let (below, writes) = match self.node(array).clone() {
            Node::Store(b, ws) if ws.len() < MAX_LAYER => (b, ws),
            _ => return self.new_layer(array, index, value, elem),
        };
        let mut out: Vec<(TermId, TermId)> = Vec::with_capacity(writes.len() + 1);
        let mut fresh = vec![(index, value)];
        for &(a, v) in writes.iter() {
            let m = self.width(v) / elem;
            match self.relate(a, m, index, n) {
                Relation::Disjoint => out.push((a, v)),
                Relation::Unknown => return self.new_layer(array, index, value, elem),
                Relation::Offset(k) => {
                    // Keep what the new write leaves of the old one.
                    let mut e = 0;
                    while e < m {
                        let start = e;
                        let hit = |e: u32| {
                            let p = Bv::new(k.width(), u128::from(e)).sub(&k);
                            p.to_u128().is_some_and(|p| p < u128::from(n))
                        };
                        let covered = hit(e);
                        while e < m && hit(e) == covered {
                            e += 1;
                        }
                        if !covered {
                            let at = self.add_num(a, i128::from(start));
                            let piece = self.extract(e * elem - 1, start * elem, v);
                            fresh.push((at, piece));
                        }
                    }
                }
            }
        }
        self.join_runs(&mut out, fresh, elem);
        let below = self.uncovered(below, index, n);
        self.store_node(below, out)
    }

    /// An array without the writes that one of `n` elements at an address covers whole, whatever lies between: what they
    /// wrote is not seen behind it.
    fn uncovered(&mut self, array: TermId, at: TermId, n: u32) -> TermId {
        self.without_writes(array, (DEEPEST, COVERABLE), |p, a, m| {
            let from = p.sub(a, at);
            let from = p.as_const(from).and_then(Bv::to_u128);
            from.is_some_and(|from| from + u128::from(m) <= u128::from(n))
        })
    }

    /// A layer of one write.
    fn new_layer(&mut self, below: TermId, index: TermId, value: TermId, elem: u32) -> TermId {
        let below = self.uncovered(below, index, self.width(value) / elem);
        let mut writes = Vec::with_capacity(1);
        self.join_runs(&mut writes, vec![(index, value)], elem);
        self.store_node(below, writes)
    }

    /// Adds writes to others that share no element with them. Writes that follow each other become one, so that
    /// what a layer is does not depend on how it was written.
    fn join_runs(&mut self, writes: &mut Vec<(TermId, TermId)>, mut fresh: Vec<(TermId, TermId)>, elem: u32) {
        while let Some((a, v)) = fresh.pop() {
            let n = self.width(v) / elem;
            let room = WINDOW - self.in_window(a);
            if n > room {
                let next = self.add_num(a, i128::from(room));
                let high = self.extract(n * elem - 1, room * elem, v);
                let low = self.extract(room * elem - 1, 0, v);
                fresh.extend([(next, high), (a, low)]);
                continue;
            }
            let mut next = None;
            for (j, &(b, u)) in writes.iter().enumerate() {
                let m = self.width(u) / elem;
                if n + m > WINDOW {
                    continue;
                }
                let d = self.sub(b, a);
                let Some(d) = self.as_const(d).cloned() else { continue };
                // The one that begins a window has the other in the window before.
                let joined = if d == Bv::new(d.width(), u128::from(n)) && self.in_window(b) != 0 {
                    (a, u, v)
                } else if d.neg() == Bv::new(d.width(), u128::from(m)) && self.in_window(a) != 0 {
                    (b, v, u)
                } else {
                    continue;
                };
                next = Some((j, joined));
                break;
            }
            match next {
                Some((j, (at, high, low))) => {
                    writes.swap_remove(j);
                    let joined = self.concat(high, low);
                    fresh.push((at, joined));
                }
                None => writes.push((a, v)),
            }
        }
    }

    /// How far into its window an address lies.
    fn in_window(&mut self, address: TermId) -> u32 {
        let k = self.linear_view(address).k;
        k.extract(k.width().min(WINDOW.trailing_zeros()) - 1, 0).to_u64().unwrap_or(0) as u32
    }

    fn store_node(&mut self, below: TermId, writes: Vec<(TermId, TermId)>) -> TermId {
        let elem = self.array_widths(below).1;
        // Writes of what was there before vanish.
        let mut kept = Vec::with_capacity(writes.len());
        for (a, v) in writes {
            self.without_same(below, a, v, elem, &mut kept);
        }
        if kept.is_empty() {
            return below;
        }
        kept.sort_unstable();
        let sort = self.sort(below);
        self.intern(Node::Store(below, kept.into()), sort)
    }

    /// The parts of a write that may change something.
    fn without_same(
        &mut self,
        below: TermId,
        a: TermId,
        v: TermId,
        elem: u32,
        out: &mut Vec<(TermId, TermId)>,
    ) {
        let reads = |p: &Pool, t: TermId| match p.node(t) {
            Node::Select(..) => true,
            Node::Extract(_, _, inner) => matches!(p.node(*inner), Node::Select(..)),
            _ => false,
        };
        let parts: Vec<TermId> = match self.node(v) {
            Node::Concat(xs) => xs.iter().rev().copied().collect(),
            _ => vec![v],
        };
        if !parts.iter().any(|x| reads(self, *x)) {
            out.push((a, v));
            return;
        }
        // Whole elements of each part that are what is there.
        let mut same: Vec<(u32, u32)> = Vec::new();
        let mut low = 0;
        for part in parts {
            let high = low + self.width(part);
            let (from, to) = (low.div_ceil(elem), high / elem);
            low = high;
            if from >= to || !reads(self, part) {
                continue;
            }
            let piece = self.extract(to * elem - 1, from * elem, v);
            let at = self.add_num(a, i128::from(from));
            let there = self.deeper(|p| p.load(below, at, to - from));
            if there == Some(piece) {
                same.push((from, to));
            }
        }
        let mut start = 0;
        let end = self.width(v) / elem;
        for (from, to) in same.into_iter().chain([(end, end)]) {
            if start < from {
                let at = self.add_num(a, i128::from(start));
                let piece = self.extract(from * elem - 1, start * elem, v);
                out.push((at, piece));
            }
            start = to;
        }
    }

    /// Equality of arrays: two layers over one array are equal where either writes.
    pub(crate) fn eq_array(&mut self, a: TermId, b: TermId) -> TermId {
        let (wa, base_a) = self.layer(a);
        let (wb, base_b) = self.layer(b);
        if base_a == base_b && (wa.len() + wb.len()) <= MAX_LAYER {
            let (_, elem) = self.array_widths(a);
            let mut conds = Vec::new();
            for &(i, v) in wa.iter().chain(wb.iter()) {
                let n = self.width(v) / elem;
                let (x, y) = (self.load(a, i, n), self.load(b, i, n));
                conds.push(self.eq(x, y));
            }
            return self.and_all(&conds);
        }
        // The same choice on both sides.
        if let (Node::Ite(c, x, y), Node::Ite(e, u, v)) = (self.node(a).clone(), self.node(b).clone())
            && c == e
            && let Some((yes, no)) = self.deeper(|p| (p.eq(x, u), p.eq(y, v)))
        {
            return self.ite(c, yes, no);
        }
        self.eq_node(a, b)
    }

    /// The writes of an array's upper layer: indices, and what is there from each on.
    #[must_use]
    pub fn writes(&self, array: TermId) -> Vec<(TermId, TermId)> {
        self.layer(array).0.into_vec()
    }

    fn layer(&self, a: TermId) -> (Box<[(TermId, TermId)]>, TermId) {
        match self.node(a) {
            Node::Store(b, ws) => (ws.clone(), *b),
            _ => (Box::from([]), a),
        }
    }
}

/// What a load finds in a layer of writes.
enum Layer {
    Value(TermId),
    Below,
    Unknown,
}

#[cfg(test)]
mod tests {
    use crate::{Pool, Sort};

    /// Objects that are cleared at the end: what was written to them before does not count, whatever an unknown address
    /// was written to between; and a load of one object does not see the other.
    #[test]
    fn a_layer_does_not_depend_on_what_is_covered_or_missed_below() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let [object, other, anywhere] = ["object", "other", "anywhere"].map(|name| p.var(name, Sort::Bv(64)));
        p.declare_object(object, 32);
        p.declare_object(other, 16);
        let (word, wide) = (p.var("word", Sort::Bv(64)), p.num(256, 0));
        let part = p.add_num(object, 8);
        let across = p.add_num(object, 28);
        let straight = p.store(mem, anywhere, word);
        let inside = p.store(mem, part, word);
        let around = p.store(inside, anywhere, word);
        let beyond = p.store(mem, across, word);
        let beyond = p.store(beyond, anywhere, word);
        assert_ne!(around, straight);
        let [a, b, c] = [straight, around, beyond].map(|m| p.store(m, object, wide));
        assert_eq!(a, b);
        // Four bytes lie behind the object.
        assert_ne!(a, c);
        assert_eq!(p.load(straight, other, 8), p.load(around, other, 8));
        assert_ne!(p.load(straight, part, 8), p.load(around, part, 8));
    }

    /// The save area of a variadic function, filled from its ends and from its middle; behind it a window ends.
    #[test]
    fn a_layer_does_not_depend_on_the_order_of_its_writes() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let area = p.var("area", Sort::Bv(64));
        let wide = p.var("wide", Sort::Bv(128));
        let word = p.var("word", Sort::Bv(64));
        let mut writes = Vec::new();
        for n in 0..6 {
            writes.push((8 * n, word));
        }
        for n in 0..20 {
            writes.push((48 + 16 * n, wide));
        }
        // One lies across the end of a window.
        writes.push((1020, wide));
        let fill = |p: &mut Pool, order: &dyn Fn(usize) -> usize| {
            let mut m = mem;
            for i in 0..writes.len() {
                let (at, v) = writes[order(i)];
                let at = p.add_num(area, at);
                m = p.store(m, at, v);
            }
            m
        };
        let n = writes.len();
        let forward = fill(&mut p, &|i| i);
        assert_eq!(fill(&mut p, &|i| n - 1 - i), forward);
        // Seven has no factor in common with the number of writes.
        assert_eq!(fill(&mut p, &|i| (7 * i + 3) % n), forward);
        let at = p.add_num(area, 1020);
        assert_eq!(p.load(forward, at, 16), wide);
    }

    #[test]
    fn a_load_rests_on_no_write_that_it_misses() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let [at, to, x, y, z] = ["at", "to", "x", "y", "z"].map(|n| p.var(n, Sort::Bv(64)));
        let near = p.add_num(at, 8);
        let unknown = p.store(mem, to, z);
        let loads = [x, y].map(|v| {
            let m = p.store(mem, near, v);
            let m = p.store(m, to, z);
            (p.load(m, at, 8), m)
        });
        // The layers differ, and what lies beneath an unknown write is not looked at but where facts are at hand.
        assert_ne!(loads[0].0, loads[1].0);
        let (up, down, seven) = (p.sub(to, near), p.sub(near, to), p.num(64, 7));
        let facts = [p.ult(seven, up), p.ult(seven, down)];
        let plain = p.load(unknown, at, 8);
        for (load, _) in loads {
            let apart = p.apart(&facts);
            assert_eq!(p.settle(&[load], apart), [plain]);
        }
        // An access that may be hit stays.
        let half = p.add_num(at, 4);
        for (_, m) in loads {
            let load = p.load(m, half, 8);
            let apart = p.apart(&facts);
            assert_ne!(p.settle(&[load], apart), [plain]);
        }
    }
}
