//! Hints in the words of reports or as a certificate: placed in two small functions, or refused.

use equiv::{Hints, Point, PointId, PointKind, Shape, VarDecl, VarSort};

/// A function of three blocks in a row, the middle one a loop, with a number and memory live everywhere.
fn function(blocks: [&str; 3], number: &str) -> Shape {
    let decl = |name: &str, sort| VarDecl { name: name.to_owned(), sort };
    let point = |(n, name): (usize, &&str)| Point {
        name: (*name).to_owned(),
        aliases: Vec::new(),
        kind: PointKind::Block,
        vars: vec![decl(number, VarSort::Bv(32)), decl("memory", VarSort::Mem { address: 64 })],
        succs: if n == 1 { vec![PointId(1), PointId(2)] } else { vec![PointId(1)] },
    };
    Shape { name: "f".to_owned(), points: blocks.iter().enumerate().map(point).collect() }
}

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(hints) = Hints::from_text(text) else { return };
    let (left, right) = (function(["0", "5", "9"], "%4"), function(["bb.0", "bb.3", "bb.7"], "%0"));
    if let Ok(points) = hints.points(&left, &right) {
        for point in points {
            assert!(left.points.len() > point.left.index() && right.points.len() > point.right.index());
        }
    }
}
