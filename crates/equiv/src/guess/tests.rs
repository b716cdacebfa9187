//! One case for each kind of guess: values seen at a pair of points, and what is guessed of them.

use super::GUESSES;
use super::observed::Observed;
use crate::model::{Point, PointId, PointKind, Shape, Val, VarDecl, VarSort};
use crate::run::{CoRun, Outcome, Visit};
use smt::{ArrayVal, Bv, Concrete};

/// A variable and its values, visit by visit.
type Column = (&'static str, VarSort, Vec<Val<Concrete>>);

fn numbers(name: &'static str, width: u32, values: &[u128]) -> Column {
    (name, VarSort::Bv(width), values.iter().map(|v| Val::Bv(Bv::new(width, *v))).collect())
}

/// A memory that holds these bytes at address 64, visit by visit.
fn memory(name: &'static str, bytes: &[u128]) -> Column {
    let one = |b: &u128| {
        let mut m = ArrayVal::new(64, Bv::zero(8));
        m.set(Bv::new(64, 64), Bv::new(8, *b));
        Val::Mem(m)
    };
    (name, VarSort::Mem { address: 64 }, bytes.iter().map(one).collect())
}

fn shape(columns: &[Column]) -> Shape {
    let vars =
        columns.iter().map(|(name, sort, _)| VarDecl { name: (*name).to_owned(), sort: *sort }).collect();
    let point = Point {
        name: "entry".to_owned(),
        aliases: Vec::new(),
        kind: PointKind::Block,
        vars,
        succs: Vec::new(),
    };
    Shape { name: "f".to_owned(), points: vec![point] }
}

/// What one kind of guess says of these values, in words.
fn guessed(kind: usize, left: &[Column], right: &[Column]) -> Vec<String> {
    let visits = |columns: &[Column]| -> Vec<Visit> {
        let count = columns.first().map_or(0, |c| c.2.len());
        let vals = |n: usize| columns.iter().map(|c| c.2[n].clone()).collect();
        (0..count).map(|n| Visit { at: PointId(0), vals: Some(vals(n)), events: 0 }).collect()
    };
    let run = CoRun { outcome: Outcome::Same, visits: [visits(left), visits(right)], ..CoRun::default() };
    let (l, r) = (shape(left), shape(right));
    let objects = [("object".to_owned(), Bv::new(64, 64))];
    let runs = [run];
    let observed = Observed::of((&l, &r), (PointId(0), PointId(0)), &runs, &objects);
    GUESSES[kind].relations(&(), &observed).iter().map(ToString::to_string).collect()
}

#[test]
fn each_kind_of_guess_finds_what_it_is_for() {
    let never: &[u128] = &[];
    let cases: &[(Column, Column, &[&str], Column)] = &[
        // left, right, what is guessed, a right of which nothing is guessed
        (memory("mem", &[1, 2]), memory("mem", &[1, 2]), &["right.mem = left.mem"], memory("mem", &[1, 3])),
        (numbers("x", 32, never), numbers("x", 32, never), &["right.x = left.x"], numbers("x", 64, never)),
        (
            numbers("x", 32, &[1, 7]),
            numbers("y", 32, &[1, 7]),
            &["right.y = left.x"],
            numbers("y", 32, &[1, 8]),
        ),
        (numbers("x", 32, &[1, 7]), numbers("y", 32, &[5, 5]), &["right.y = 5"], numbers("y", 32, &[5, 6])),
        (
            numbers("x", 32, &[1, 7]),
            numbers("y", 32, &[2, 8]),
            &["right.y = left.x + 1"],
            numbers("y", 32, &[2, 9]),
        ),
        (
            memory("mem", &[3, 4]),
            numbers("y", 8, &[3, 4]),
            &["right.y = left.mem[&object; 1]"],
            numbers("y", 8, &[3, 5]),
        ),
        (
            numbers("x", 32, &[1, 7, 2, 9]),
            numbers("y", 64, &[1, 8, 2, 9]),
            &["right.y = zext64(trunc32(right.y))"],
            numbers("y", 64, &[1, 8, 2, 1 << 40]),
        ),
    ];
    assert_eq!(cases.len(), GUESSES.len(), "one case a line of the registry, in its order");
    for (kind, (left, right, expected, other)) in cases.iter().enumerate() {
        let one = std::slice::from_ref;
        assert_eq!(guessed(kind, one(left), one(right)), *expected);
        assert_eq!(guessed(kind, one(left), one(other)), Vec::<String>::new(), "guess {kind}");
    }
}
