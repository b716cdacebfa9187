//! What runs showed at a pair of points: the values of the variables there, visit by visit.

use crate::model::{Constraint, Expr, PointId, Shape, Side, Val, VarDecl, VarSort};
use crate::run::{CoRun, Outcome};
use rustc_hash::FxHashMap;
use smt::{Bv, Concrete};

/// The values of one variable over all paired visits.
pub(crate) type Column = Vec<Val<Concrete>>;

/// Most pairs of visits looked at for one synchronisation point.
const MAX_SAMPLES: usize = 256;

/// Visits that are looked at of any run.
const FROM_ONE: usize = 16;

/// How many runs to a pair of points are few.
const FEW: usize = 4;

/// One side of a pair of points.
pub struct ObservedSide<'a> {
    /// Which program.
    pub side: Side,
    /// Its points.
    pub shape: &'a Shape,
    /// The point.
    pub at: PointId,
    /// The variables.
    pub vars: &'a [VarDecl],
    /// The values of each.
    pub(crate) columns: Vec<Column>,
    /// The same of bit-vectors, as numbers.
    numbers: Vec<Option<Vec<Bv>>>,
}

impl<'a> ObservedSide<'a> {
    fn new(side: Side, shape: &'a Shape, at: PointId, samples: &[&Vec<Val<Concrete>>]) -> ObservedSide<'a> {
        let vars = &shape.point(at).vars[..];
        let column = |i: usize| samples.iter().map(|v| v[i].clone()).collect::<Column>();
        let columns: Vec<Column> = (0..vars.len()).map(column).collect();
        let number = |v: &Val<Concrete>| match v {
            Val::Bv(b) => Some(b.clone()),
            Val::Mem(_) => None,
        };
        let numbers = columns.iter().map(|c| c.iter().map(number).collect()).collect();
        ObservedSide { side, shape, at, vars, columns, numbers }
    }

    /// Whether a bit-vector of this name and width is live there.
    pub fn has(&self, name: &str, width: u32) -> bool {
        self.shape.var(self.at, name).is_some_and(|i| self.vars[i].sort == VarSort::Bv(width))
    }

    /// The bit-vectors with their widths, and their values over all visits.
    pub fn numbered(&self) -> impl Iterator<Item = (&str, u32, &[Bv])> {
        let numbers = self.numbers.iter().map(Option::as_deref);
        self.vars.iter().zip(numbers).filter_map(|(var, numbers)| match var.sort {
            VarSort::Bv(width) => Some((var.name.as_str(), width, numbers?)),
            VarSort::Mem { .. } => None,
        })
    }

    /// Those of a width that did not have one value at all visits.
    pub fn changing(&self, width: u32) -> impl Iterator<Item = (&str, &[Bv])> {
        let changes = self.numbered().filter(move |(_, w, values)| *w == width && !constant(values));
        changes.map(|(name, _, values)| (name, values))
    }

    /// So many bytes that a memory held at these addresses, one a visit.
    pub fn loaded(&self, memory: &str, addresses: &[Bv], bytes: u32) -> Option<Vec<Bv>> {
        let column = &self.columns[self.shape.var(self.at, memory)?];
        let load = |(m, address): (&Val<Concrete>, &Bv)| match m {
            Val::Mem(m) => Some(m.load(address, bytes)),
            Val::Bv(_) => None,
        };
        let loads = column.iter().zip(addresses).map(load);
        if column.len() == addresses.len() { loads.collect() } else { None }
    }

    /// A variable as an expression.
    pub(crate) fn var(&self, i: usize) -> Expr {
        Expr::Var(self.side, self.vars[i].name.clone())
    }

    /// The values of a bit-vector variable over all visits.
    pub(crate) fn numbers(&self, i: usize) -> Option<&[Bv]> {
        self.numbers[i].as_deref()
    }
}

/// What was observed at a pair of points.
pub struct Observed<'a> {
    /// The source.
    pub left: ObservedSide<'a>,
    /// The target.
    pub right: ObservedSide<'a>,
    /// Whether any run came there on both sides.
    pub visited: bool,
    /// Objects met in runs, with their addresses, the same in all runs.
    pub(crate) objects: &'a [(String, Bv)],
    /// Variables of the left by their values.
    by_values: FxHashMap<Vec<Bv>, Vec<usize>>,
}

impl<'a> Observed<'a> {
    /// That of runs in which both sides did the same.
    pub(crate) fn of(
        (left, right): (&'a Shape, &'a Shape),
        at: (PointId, PointId),
        runs: &[CoRun],
        objects: &'a [(String, Bv)],
    ) -> Observed<'a> {
        let (mut vl, mut vr) = (Vec::new(), Vec::new());
        // One run that comes there often says less than many.
        let of_run = (2 * MAX_SAMPLES / runs.len().max(1)).max(FROM_ONE);
        // Where few came there and did the same to their end, those count, too, that ended in an error, or not at all.
        let came = |run: &&CoRun| run.visits[0].iter().any(|v| v.at == at.0);
        let few = runs.iter().filter(|r| r.outcome == Outcome::Same).filter(came).count() < FEW;
        let counts = |run: &&CoRun| match run.outcome {
            Outcome::Same => true,
            Outcome::LeftError | Outcome::Open => few,
            Outcome::Differ => false,
        };
        for run in runs.iter().filter(counts) {
            let visits = |side: usize, point| run.visits[side].iter().filter(move |v| v.at == point);
            let last = if run.outcome == Outcome::Same { 0 } else { 1 };
            let both = visits(0, at.0).count().min(visits(1, at.1).count()).saturating_sub(last);
            for (x, y) in visits(0, at.0).zip(visits(1, at.1)).take(both.min(of_run)) {
                if let (Some(x), Some(y)) = (&x.vals, &y.vals)
                    && vl.len() < MAX_SAMPLES
                {
                    vl.push(x);
                    vr.push(y);
                }
            }
        }
        let visited = !vl.is_empty();
        let left = ObservedSide::new(Side::Left, left, at.0, &vl);
        let right = ObservedSide::new(Side::Right, right, at.1, &vr);
        let mut by_values: FxHashMap<Vec<Bv>, Vec<usize>> = FxHashMap::default();
        for (i, values) in left.numbers.iter().enumerate() {
            if let Some(values) = values {
                by_values.entry(values.clone()).or_default().push(i);
            }
        }
        Observed { left, right, visited, objects, by_values }
    }

    /// Variables of the left that always had these values and have the sort of the right's variable `j`.
    pub(crate) fn equals(&self, j: usize, values: &[Bv]) -> Vec<usize> {
        let sort = self.right.vars[j].sort;
        let all = self.by_values.get(values).map(Vec::as_slice).unwrap_or_default();
        all.iter().copied().filter(|i| self.left.vars[*i].sort == sort).collect()
    }
}

/// Whether all values are one.
pub(crate) fn constant(values: &[Bv]) -> bool {
    values.windows(2).all(|w| w[0] == w[1])
}

/// `a = b`.
pub(crate) fn equal(a: Expr, b: Expr) -> Constraint {
    Constraint { a, b }
}
