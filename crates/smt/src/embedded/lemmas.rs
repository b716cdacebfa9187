//! Lemmas on demand: reads of arrays, products, quotients and applications start as unknown words, and what they
//! must fulfil is added only where a candidate model breaks it.
//!
//! Most queries of a proof relate the same reads and products on both sides, so they fall without a single lemma,
//! where spelling out every pair of reads would drown the search. Every lemma holds in all models, so an
//! unsatisfiable answer is right; a satisfiable one is checked by evaluation (in the parent).

use super::blast::{Bits, Blaster, Call, orders};
use super::gates::{Gates, Word};
use super::sat::Lit;
use crate::{ArrayVal, Bv, Model, Node, Pool, Sort, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the unknowns.
#[derive(Default)]
pub(super) struct Lazy {
    /// The postponed terms, oldest first.
    terms: Vec<TermId>,
    /// Lemmas added: the terms they are about and what tells them apart.
    done: FxHashSet<(TermId, TermId, Bv)>,
    /// Terms whose circuits are there.
    built: FxHashSet<TermId>,
    /// Variables there were at the last search: only those have values.
    vars: u32,
    /// What the query at hand is made of, and what lemmas for it brought in: nothing else needs to fit.
    cone: FxHashSet<TermId>,
    /// The reads that tell the arrays of an equality apart.
    witnesses: FxHashMap<TermId, [TermId; 2]>,
}

/// Smallest width at which products and quotients are postponed.
const WIDE: u32 = 16;

/// What a round of refinement found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refined {
    /// The candidate breaks nothing.
    Nothing,
    /// Lemmas were added, or terms that have no value yet.
    More,
}

impl Lazy {
    /// Adds terms and what they are made of to the query at hand.
    fn widen(&mut self, pool: &Pool, terms: &[TermId]) {
        let mut todo = terms.to_vec();
        while let Some(t) = todo.pop() {
            if self.cone.insert(t) {
                pool.for_children(t, |c| todo.push(c));
                todo.extend(self.witnesses.get(&t).into_iter().flatten());
            }
        }
    }

    /// Is a term part of the query at hand?
    pub(super) fn near(&self, t: TermId) -> bool {
        self.cone.contains(&t)
    }
}

impl Blaster {
    /// The bits of a term that is postponed, if it is one.
    pub(super) fn postpone(&mut self, pool: &mut Pool, t: TermId, node: &Node) -> Option<Bits> {
        self.lazy.as_ref()?;
        let width = match pool.sort(t) {
            Sort::Bv(w) => w,
            Sort::Bool => {
                if let Node::Eq(a, b) = node
                    && let Sort::Array { .. } = pool.sort(*a)
                {
                    return Some(Bits::Bool(self.postponed_eq(pool, t, *a, *b)));
                }
                return None;
            }
            Sort::Array { .. } => return None,
        };
        let costly = match node {
            Node::Select(m, _) => !matches!(pool.node(*m), Node::ConstArray(_)),
            Node::Mul(_) | Node::UDiv(..) | Node::URem(..) | Node::SDiv(..) | Node::SRem(..) => width >= WIDE,
            Node::Apply(..) => true,
            _ => false,
        };
        if !costly {
            return None;
        }
        let word = self.g.fresh_word(width);
        if let Node::Apply(f, args) = node {
            let call = Call { args: args.to_vec(), result: Bits::Word(word.clone()), of: Some(t) };
            self.calls.entry(*f).or_default().push(call);
        }
        if let Some(lazy) = &mut self.lazy {
            lazy.terms.push(t);
            lazy.widen(pool, &[t]);
        }
        Some(Bits::Word(word))
    }

    /// Arrays that differ do so somewhere; that they are equal is left to the check of the model.
    fn postponed_eq(&mut self, pool: &mut Pool, t: TermId, a: TermId, b: TermId) -> Lit {
        let lit = self.g.fresh();
        let (iw, _) = pool.array_widths(a);
        let k = pool.fresh("differ", Sort::Bv(iw));
        let (x, y) = (pool.select(a, k), pool.select(b, k));
        if let Some(lazy) = &mut self.lazy {
            lazy.witnesses.insert(t, [x, y]);
            if lazy.cone.contains(&t) {
                lazy.widen(pool, &[x, y]);
            }
        }
        let (x, y) = (self.word_at(pool, x), self.word_at(pool, y));
        let same = self.g.eq(&x, &y);
        self.g.sat.clause(&[lit, !same]);
        // Arrays made by the same choices and writes of equal values at equal places are equal.
        let alike = self.alike(pool, a, b, &mut FxHashMap::default(), 0);
        self.g.sat.clause(&[lit, !alike]);
        lit
    }

    /// A literal that implies that two arrays are equal, by the way they are made; false where that tells nothing.
    fn alike(
        &mut self,
        pool: &mut Pool,
        a: TermId,
        b: TermId,
        seen: &mut FxHashMap<(TermId, TermId), Lit>,
        depth: u32,
    ) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        if let Some(l) = seen.get(&(a, b)) {
            return *l;
        }
        if depth > 200 || seen.len() > 2_000 || self.g.overflown().is_some() {
            return Lit::FALSE;
        }
        let lit = match (pool.node(a).clone(), pool.node(b).clone()) {
            (Node::Ite(c, x, y), other) => {
                let ((p, q), (r, s)) = match other {
                    Node::Ite(e, u, v) if e == c => ((x, u), (y, v)),
                    _ => ((x, b), (y, b)),
                };
                let c = self.bool(pool, c);
                let (yes, no) =
                    (self.alike(pool, p, q, seen, depth + 1), self.alike(pool, r, s, seen, depth + 1));
                self.g.mux(c, yes, no)
            }
            (_, Node::Ite(c, x, y)) => {
                let c = self.bool(pool, c);
                let (yes, no) =
                    (self.alike(pool, a, x, seen, depth + 1), self.alike(pool, a, y, seen, depth + 1));
                self.g.mux(c, yes, no)
            }
            (Node::Store(p, ws), Node::Store(q, xs)) if ws.len() == xs.len() => {
                let mut all = vec![self.alike(pool, p, q, seen, depth + 1)];
                // Same places first, then in order.
                let mut left: Vec<(TermId, TermId)> = xs.to_vec();
                let mut odd = Vec::new();
                for w in ws.iter() {
                    match left.iter().position(|x| x.0 == w.0) {
                        Some(n) => all.push(self.same_value(pool, w.1, left.remove(n).1)),
                        None => odd.push(*w),
                    }
                }
                for w in odd {
                    let n = left.iter().position(|x| x.1 == w.1).unwrap_or(0);
                    let x = left.remove(n);
                    all.push(self.same_value(pool, w.0, x.0));
                    all.push(self.same_value(pool, w.1, x.1));
                }
                self.g.and_all(&all)
            }
            _ => Lit::FALSE,
        };
        seen.insert((a, b), lit);
        lit
    }

    fn same_value(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> Lit {
        if pool.sort(a) != pool.sort(b) {
            return Lit::FALSE;
        }
        let same = pool.eq(a, b);
        self.bool(pool, same)
    }

    /// Remembers which variables the search to come gives values.
    pub(super) fn mark(&mut self) {
        let vars = self.g.sat.vars();
        if let Some(lazy) = &mut self.lazy {
            lazy.vars = vars;
        }
    }

    /// Begins a query about these terms.
    pub(super) fn focus(&mut self, pool: &Pool, goals: &[TermId]) {
        if let Some(lazy) = &mut self.lazy {
            lazy.cone.clear();
            lazy.widen(pool, goals);
        }
    }

    /// Are the terms defined so far more than `times` as many as those of the query at hand?
    pub(super) fn sparse(&self, times: usize) -> bool {
        self.lazy.as_ref().is_some_and(|l| self.bits.len() / times > l.cone.len())
    }

    /// The value that the last search gave a word; none for newer ones.
    fn old_value(&mut self, w: &[Lit]) -> Option<Bv> {
        let vars = self.lazy.as_ref()?.vars;
        if w.is_empty() || w.iter().any(|l| l.0 >> 1 >= vars) {
            return None;
        }
        Some(self.value(w))
    }

    fn term_value(&mut self, pool: &mut Pool, t: TermId) -> (Word, Option<Bv>) {
        if let Some(lazy) = &mut self.lazy {
            lazy.widen(pool, &[t]);
        }
        let w = self.word_at(pool, t);
        let v = self.old_value(&w);
        (w, v)
    }

    fn first_time(&mut self, a: TermId, b: TermId, k: Bv) -> bool {
        self.lazy.as_mut().is_some_and(|l| l.done.insert((a, b, k)))
    }

    /// Adds what the candidate model breaks.
    pub(super) fn refine(&mut self, pool: &mut Pool) -> Refined {
        // All values first: what is added below has none.
        let near = |l: &Lazy| l.terms.iter().copied().filter(|t| l.near(*t)).collect();
        let terms: Vec<TermId> = self.lazy.as_ref().map(near).unwrap_or_default();
        let mut more = false;
        let mut values: Vec<(TermId, Word, Bv)> = Vec::new();
        for &t in &terms {
            match self.term_value(pool, t) {
                (w, Some(v)) => values.push((t, w, v)),
                (_, None) => more = true,
            }
        }
        let mut by_array: FxHashMap<TermId, Vec<(Bv, TermId, Word, Bv)>> = FxHashMap::default();
        let mut groups: FxHashMap<(u8, u32, Vec<Bv>), (TermId, Bv)> = FxHashMap::default();
        let mut rest: Vec<(TermId, Bv, Vec<Bv>)> = Vec::new();
        let mut reads: Vec<(TermId, TermId, TermId, Word, Bv, Bv)> = Vec::new();
        for (t, w, v) in values {
            let node = pool.node(t).clone();
            if let Node::Select(m, i) = node {
                let Some(at) = self.term_value(pool, i).1 else {
                    more = true;
                    continue;
                };
                match pool.node(m) {
                    Node::Var(_) | Node::Apply(..) => by_array.entry(m).or_default().push((at, t, w, v)),
                    _ => reads.push((t, m, i, w, v, at)),
                }
                continue;
            }
            let args = pool.children(t);
            let vals: Option<Vec<Bv>> = args.iter().map(|a| self.arg_value(pool, *a)).collect();
            let Some(vals) = vals else {
                more = true;
                continue;
            };
            // How many arguments, from the first, may change places.
            let exchanged = match &node {
                Node::Mul(_) => vals.len(),
                Node::Apply(f, _) if pool.commutes(*f) => 2,
                _ => 0,
            };
            let kind = match &node {
                Node::Mul(_) => (0, 0),
                Node::UDiv(..) => (1, 0),
                Node::URem(..) => (2, 0),
                Node::SDiv(..) => (3, 0),
                Node::SRem(..) => (4, 0),
                Node::Apply(f, _) => (5, f.0),
                _ => continue,
            };
            let mut key = vals.clone();
            key[..exchanged].sort_by(|a, b| a.ucmp(b));
            match groups.get(&(kind.0, kind.1, key.clone())) {
                Some((other, u)) if *u != v => {
                    let other = *other;
                    more |= self.congruent(pool, other, t, exchanged == 2);
                }
                Some(_) => {}
                None => {
                    groups.insert((kind.0, kind.1, key), (t, v.clone()));
                    if kind.0 != 5 {
                        rest.push((t, v, vals));
                    }
                }
            }
        }
        for (_, list) in by_array {
            more |= self.same_array(pool, list);
        }
        more |= self.alike_reads(pool, &reads);
        for (t, m, i, w, v, at) in reads {
            more |= self.read_layer(pool, (t, m, i), &w, &v, &at);
        }
        if more {
            return Refined::More;
        }
        // Only then the circuits.
        for (t, v, vals) in rest {
            let right = match pool.node(t) {
                Node::Mul(_) => vals[1..].iter().fold(vals[0].clone(), |a, b| a.mul(b)),
                Node::UDiv(..) => vals[0].udiv(&vals[1]),
                Node::URem(..) => vals[0].urem(&vals[1]),
                Node::SDiv(..) => vals[0].sdiv(&vals[1]),
                Node::SRem(..) => vals[0].srem(&vals[1]),
                _ => continue,
            };
            if right != v && self.lazy.as_mut().is_some_and(|l| l.built.insert(t)) {
                self.circuit(pool, t);
                more = true;
            }
        }
        if more { Refined::More } else { Refined::Nothing }
    }

    fn arg_value(&mut self, pool: &mut Pool, a: TermId) -> Option<Bv> {
        match self.bits.get(&a).cloned() {
            Some(Bits::Bool(l)) => self.old_value(&[l]),
            _ => self.term_value(pool, a).1,
        }
    }

    fn circuit(&mut self, pool: &mut Pool, t: TermId) {
        let args: Vec<Word> = pool.children(t).into_iter().map(|a| self.word_of(a)).collect();
        let g = &mut self.g;
        let value = match pool.node(t) {
            Node::Mul(_) => {
                let mut acc = args[0].clone();
                for x in &args[1..] {
                    acc = g.mul(&acc, x);
                }
                acc
            }
            Node::UDiv(..) => g.udivrem(&args[0], &args[1]).0,
            Node::URem(..) => g.udivrem(&args[0], &args[1]).1,
            Node::SDiv(..) => g.sdiv(&args[0], &args[1]),
            Node::SRem(..) => g.srem(&args[0], &args[1]),
            _ => return,
        };
        let word = self.word_of(t);
        equal_when(&mut self.g, &[], &word, &value);
    }

    /// The same operation on equal arguments has equal results.
    fn congruent(&mut self, pool: &mut Pool, a: TermId, b: TermId, commutes: bool) -> bool {
        if !self.first_time(a, b, Bv::zero(1)) {
            return false;
        }
        let (xs, ys) = (pool.children(a), pool.children(b));
        let (u, v) = (self.word_of(a), self.word_of(b));
        for order in orders(ys, commutes) {
            let mut when = Vec::new();
            for (x, y) in xs.iter().zip(&order) {
                if pool.sort(*x) != pool.sort(*y) {
                    return false;
                }
                let same = pool.eq(*x, *y);
                when.push(self.bool(pool, same));
            }
            equal_when(&mut self.g, &when, &u, &v);
        }
        true
    }

    /// Reads of one array: the elements they share are equal.
    fn same_array(&mut self, pool: &mut Pool, mut list: Vec<(Bv, TermId, Word, Bv)>) -> bool {
        list.sort_by(|a, b| a.0.ucmp(&b.0).then(a.1.cmp(&b.1)));
        let mut more = false;
        for x in 0..list.len() {
            let Node::Select(m, i) = *pool.node(list[x].1) else { continue };
            let elem = pool.array_widths(m).1;
            let n = list[x].3.width() / elem;
            for y in x + 1..list.len() {
                let delta = list[y].0.sub(&list[x].0);
                let Some(gap) = delta.to_u128().filter(|g| *g < u128::from(n)).map(|g| g as u32) else {
                    break;
                };
                let Node::Select(_, j) = *pool.node(list[y].1) else { continue };
                let shared = (n - gap).min(list[y].3.width() / elem);
                let (lo, bits) = (gap * elem, shared * elem);
                if list[x].3.extract(lo + bits - 1, lo) == list[y].3.extract(bits - 1, 0) {
                    continue;
                }
                if !self.first_time(list[x].1, list[y].1, delta.clone()) {
                    continue;
                }
                let d = pool.sub(j, i);
                let k = pool.constant(delta);
                let here = pool.eq(d, k);
                let here = self.bool(pool, here);
                let (a, b) =
                    (list[x].2[lo as usize..(lo + bits) as usize].to_vec(), &list[y].2[..bits as usize]);
                equal_when(&mut self.g, &[here], &a, b);
                more = true;
            }
        }
        more
    }

    /// Reads at one place of arrays that are made alike are equal.
    fn alike_reads(&mut self, pool: &mut Pool, reads: &[(TermId, TermId, TermId, Word, Bv, Bv)]) -> bool {
        let mut more = false;
        let mut first: FxHashMap<(u32, Bv), Vec<usize>> = FxHashMap::default();
        for (n, (t, m, i, w, v, at)) in reads.iter().enumerate() {
            let before = first.entry((v.width(), at.clone())).or_default();
            for &o in before.iter().take(8) {
                let (u, p, j, x, y, _) = &reads[o];
                if y == v || !self.first_time(*u, *t, Bv::ones(1)) {
                    continue;
                }
                let arrays = self.alike(pool, *p, *m, &mut FxHashMap::default(), 0);
                if arrays == Lit::FALSE {
                    continue;
                }
                let places = self.same_value(pool, *j, *i);
                equal_when(&mut self.g, &[arrays, places], x, w);
                more = true;
            }
            before.push(n);
        }
        more
    }

    /// A read over writes or a choice.
    fn read_layer(
        &mut self,
        pool: &mut Pool,
        (t, m, i): (TermId, TermId, TermId),
        word: &Word,
        value: &Bv,
        at: &Bv,
    ) -> bool {
        let elem = pool.array_widths(m).1;
        let n = value.width() / elem;
        match pool.node(m).clone() {
            Node::Ite(c, a, b) => {
                let l = self.bool(pool, c);
                let Some(yes) = self.old_value(&[l]) else { return true };
                let (side, when) = if yes.is_zero() { (b, !l) } else { (a, l) };
                let inner = pool.load(side, i, n);
                let (w, v) = self.term_value(pool, inner);
                if v.as_ref() == Some(value) || !self.first_time(t, side, Bv::zero(1)) {
                    return v.is_none();
                }
                equal_when(&mut self.g, &[when], word, &w);
                true
            }
            Node::Store(below, writes) => {
                self.read_writes(pool, (t, below, i), &writes, (word, value, at), elem)
            }
            _ => false,
        }
    }

    fn read_writes(
        &mut self,
        pool: &mut Pool,
        (t, below, i): (TermId, TermId, TermId),
        writes: &[(TermId, TermId)],
        (word, value, at): (&Word, &Bv, &Bv),
        elem: u32,
    ) -> bool {
        let n = value.width() / elem;
        let mut covered = vec![false; n as usize];
        let (mut more, mut fresh) = (false, false);
        for &(a, v) in writes {
            let Some(place) = self.term_value(pool, a).1 else {
                fresh = true;
                continue;
            };
            let len = pool.width(v) / elem;
            // Element e of the read is element e + delta of the write.
            let delta = at.sub(&place);
            let hits: Vec<u32> = (0..n)
                .filter(|e| {
                    let p = delta.add(&Bv::new(delta.width(), u128::from(*e)));
                    p.to_u128().is_some_and(|p| p < u128::from(len))
                })
                .collect();
            let (Some(&first), Some(&last)) = (hits.first(), hits.last()) else { continue };
            hits.iter().for_each(|e| covered[*e as usize] = true);
            let from = delta.add(&Bv::new(delta.width(), u128::from(first))).to_u128().unwrap_or(0) as u32;
            let (lo, hi) = (first * elem, (last + 1) * elem);
            let (w, v_val) = self.term_value(pool, v);
            let piece = from * elem..from * elem + (hi - lo);
            if w.len() < piece.end as usize {
                // Out of room on the way.
                fresh = true;
                continue;
            }
            let right =
                v_val.is_some_and(|x| x.extract(piece.end - 1, piece.start) == value.extract(hi - 1, lo));
            if right || !self.first_time(t, a, delta.clone()) {
                continue;
            }
            let d = pool.sub(i, a);
            let k = pool.constant(delta);
            let here = pool.eq(d, k);
            let here = self.bool(pool, here);
            equal_when(
                &mut self.g,
                &[here],
                &word[lo as usize..hi as usize],
                &w[piece.start as usize..piece.end as usize],
            );
            more = true;
        }
        if fresh || more {
            return true;
        }
        let mut e = 0;
        while e < n {
            let start = e;
            while e < n && covered[e as usize] == covered[start as usize] {
                e += 1;
            }
            if !covered[start as usize] {
                more |= self.read_below(pool, (t, below, i), writes, (word, value), (start, e, elem));
            }
        }
        more
    }

    /// Elements that no write hits come from below.
    fn read_below(
        &mut self,
        pool: &mut Pool,
        (t, below, i): (TermId, TermId, TermId),
        writes: &[(TermId, TermId)],
        (word, value): (&Word, &Bv),
        (start, end, elem): (u32, u32, u32),
    ) -> bool {
        let from = pool.add_num(i, i128::from(start));
        let inner = pool.load(below, from, end - start);
        let (w, v) = self.term_value(pool, inner);
        let (lo, hi) = (start * elem, end * elem);
        let Some(v) = v else { return true };
        let key = Bv::new(64, u128::from(start) << 32 | u128::from(end));
        if v == value.extract(hi - 1, lo) || !self.first_time(t, below, key) {
            return false;
        }
        let iw = pool.width(i);
        let mut when = Vec::new();
        for &(a, x) in writes {
            let len = pool.width(x) / elem;
            let (up, down) = (pool.sub(from, a), pool.sub(a, from));
            let (len, n) = (pool.num(iw, u128::from(len)), pool.num(iw, u128::from(end - start)));
            let (inside, over) = (pool.ult(up, len), pool.ult(down, n));
            let (p, q) = (self.bool(pool, inside), self.bool(pool, over));
            when.extend([!p, !q]);
        }
        equal_when(&mut self.g, &when, &word[lo as usize..hi as usize], &w);
        true
    }

    /// The model of the last search, arrays as the reads have them.
    pub(super) fn lazy_model(&mut self, pool: &Pool) -> Model {
        let mut m = self.model(pool);
        let near = |l: &Lazy| l.terms.iter().copied().filter(|t| l.near(*t)).collect();
        let terms: Vec<TermId> = self.lazy.as_ref().map(near).unwrap_or_default();
        let mut arrays: FxHashMap<TermId, ArrayVal> = FxHashMap::default();
        for t in terms {
            let Node::Select(array, i) = *pool.node(t) else { continue };
            if !matches!(pool.node(array), Node::Var(_)) {
                continue;
            }
            let (iw, elem) = pool.array_widths(array);
            let (index, value) = (self.word_of(i), self.word_of(t));
            let (Some(index), Some(value)) = (self.old_value(&index), self.old_value(&value)) else {
                continue;
            };
            arrays.entry(array).or_insert_with(|| ArrayVal::new(iw, Bv::zero(elem))).store(&index, &value);
        }
        for (array, value) in arrays {
            if let Node::Var(s) = pool.node(array) {
                m.symbols.insert(*s, Value::Array(value));
            }
        }
        m
    }
}

/// Two words are equal where all the conditions hold.
fn equal_when(g: &mut Gates, when: &[Lit], a: &[Lit], b: &[Lit]) {
    let mut clause: Vec<Lit> = when.iter().map(|l| !*l).collect();
    for (x, y) in a.iter().zip(b) {
        clause.extend([!*x, *y]);
        g.sat.clause(&clause);
        clause.truncate(when.len());
        clause.extend([*x, !*y]);
        g.sat.clause(&clause);
        clause.truncate(when.len());
    }
}

#[cfg(test)]
mod tests {
    use crate::effort::Effort;
    use crate::tactic::{Holds, Prover};
    use crate::{Embedded, Operation, OperationClass, Sort};

    /// `x + y = a + b` follows from `x = b` and `y = a` only if the operation commutes. It is no rewriting of terms that
    /// shows it, but a lemma about the two applications.
    #[test]
    fn arguments_change_places_where_the_operation_lets_them() {
        for commutes in [true, false] {
            let mut p = Prover::new(Box::new(Embedded::new()), 1 << 30);
            let pool = &mut p.d.pool;
            let operation =
                Operation { class: OperationClass(0), name: "sum".into(), of_ranges: false, commutes };
            let f = pool.operation(&operation, &[Sort::Bv(32), Sort::Bv(32)], 32);
            let [x, y, a, b] = ["x", "y", "a", "b"].map(|name| pool.var(name, Sort::Bv(32)));
            let facts = [pool.eq(x, b), pool.eq(y, a)];
            let (one, other) = (pool.apply(f, &[x, y]), pool.apply(f, &[a, b]));
            let goal = pool.eq(one, other);
            let holds = matches!(p.implied(&facts, goal, Effort::mega(1_000), &String::new), Holds::Yes);
            assert_eq!(holds, commutes);
        }
    }
}
