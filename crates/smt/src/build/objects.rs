//! Objects in models. That declared objects lie apart and none at zero ([`Pool::object_axioms`]) is told to a solver with every
//! query that they occur in. A model from another query, or one made up, may know nothing of some of them: taken for zero
//! they would break what was promised, and the model would speak against what is true.

use crate::{Bv, Model, Pool, SymId, TermId, Value};

/// Where objects are put that a model knows nothing of, and how far apart.
const FIRST: u64 = 0x1000_0000;
const APART: u64 = 0x100_0000;

/// The bytes of an object: the first, and how many; none of what is only not at zero.
type Extent = (Bv, u64);

/// Whether two objects share a byte, neither of which wraps around.
fn meet((x, n): &Extent, (y, m): &Extent) -> bool {
    let below = |apart: Bv, size: u64| apart.to_u128().is_some_and(|apart| apart < u128::from(size));
    x.width() == y.width() && *n > 0 && *m > 0 && (below(y.sub(x), *n) || below(x.sub(y), *m))
}

impl Pool {
    /// Gives the objects in these terms places of their own as far as a model has none for them; whether all that it
    /// has lie as was promised.
    pub fn place_objects(&self, symbols: &[SymId], model: &mut Model) -> bool {
        let objects: Vec<(SymId, TermId)> = symbols.iter().map(|s| (*s, self.symbol_term(*s))).collect();
        let (mut known, mut missing) = (Vec::new(), Vec::new());
        for (s, t) in objects.into_iter().filter(|(_, t)| self.is_object(*t)) {
            let size = self.objects[&t];
            match model.symbols.get(&s) {
                Some(Value::Bv(at)) => known.push((at.clone(), size)),
                _ => missing.push((s, self.width(t), size)),
            }
        }
        let wraps = |(at, size): &Extent| {
            let last = at.add(&Bv::new(at.width(), u128::from(size.saturating_sub(1))));
            at.is_zero() || *size > 0 && last.ucmp(at) == std::cmp::Ordering::Less
        };
        let meets = |list: &[Extent], one: &Extent| list.iter().any(|other| meet(other, one));
        if known.iter().enumerate().any(|(n, one)| wraps(one) || meets(&known[..n], one)) {
            return false;
        }
        let mut next = FIRST;
        for (s, width, size) in missing {
            loop {
                let one = (Bv::new(width, u128::from(next)), size);
                next = next.saturating_add(APART.max(size.next_multiple_of(APART)));
                if wraps(&one) || u64::BITS > width && next >> width != 0 {
                    return false;
                }
                if !meets(&known, &one) {
                    model.symbols.insert(s, Value::Bv(one.0.clone()));
                    known.push(one);
                    break;
                }
            }
        }
        true
    }

    /// A model with places for the objects in these symbols, if it may have any.
    pub fn with_objects(&self, symbols: &[SymId], model: &Model) -> Option<Model> {
        let mut model = model.clone();
        self.place_objects(symbols, &mut model).then_some(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn objects_without_a_place_get_one_and_others_are_held_to_theirs() {
        let mut p = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|n| p.var(n, Sort::Bv(64)));
        p.declare_object(a, 0x200_0000);
        p.declare_object(b, 8);
        p.declare_object(c, 0);
        let symbols = p.free_symbols(&[a, b, c]);
        let at = |n: u64| Value::Bv(Bv::new(64, u128::from(n)));
        let mut m = Model::new();
        m.set(&p, a, at(FIRST));
        assert!(p.place_objects(&symbols, &mut m));
        let axioms = p.object_axioms(None);
        assert!(m.eval_all(&p, &axioms).iter().all(Value::as_bool));
        for (x, y) in [(0, 4096), (4096, 4100), (u64::MAX, 4096)] {
            let mut m = Model::new();
            m.set(&p, a, at(x));
            m.set(&p, b, at(y));
            assert!(!p.place_objects(&symbols, &mut m), "{x} {y}");
        }
    }

    /// A model has objects where they may be just where the axioms hold that solvers are told: all places of two objects.
    #[test]
    fn objects_lie_as_the_axioms_say() {
        let w = 4;
        for (n, m) in [(0, 0), (0, 3), (3, 0), (1, 1), (3, 5), (8, 7)] {
            let mut p = Pool::new();
            let [a, b] = ["a", "b"].map(|n| p.var(n, Sort::Bv(w)));
            p.declare_object(a, n);
            p.declare_object(b, m);
            let (symbols, axioms) = (p.free_symbols(&[a, b]), p.object_axioms(None));
            for places in 0..1u128 << (2 * w) {
                let mut model = Model::new();
                model.set(&p, a, Value::Bv(Bv::new(w, places >> w)));
                model.set(&p, b, Value::Bv(Bv::new(w, places)));
                let lie = model.eval_all(&p, &axioms).iter().all(Value::as_bool);
                assert_eq!(p.place_objects(&symbols, &mut model), lie, "{n} and {m} elements at {places:#x}");
            }
        }
    }

    #[test]
    fn objects_have_places_in_short_addresses_only_where_these_reach() {
        for (width, fits) in [(16, false), (28, false), (29, true), (63, true)] {
            let mut p = Pool::new();
            let a = p.var("a", Sort::Bv(width));
            p.declare_object(a, 8);
            let mut m = Model::new();
            assert_eq!(p.place_objects(&p.free_symbols(&[a]), &mut m), fits, "{width} bits");
        }
    }
}
