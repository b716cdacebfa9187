//! Hints written by hand: points to cut at and what relates the values there, in the words of reports.
//!
//! ```text
//! # The loops of `sum` and of what it became.
//! function sum
//! at 5 / bb.3
//!   right.%4 = zext64(left.%.0)
//!   below(left.%.0, 256) = 1
//! at 9 / bb.7
//! ```
//!
//! Lines before the first `function` hold for every function. A relation is an equality of two expressions:
//! `left.NAME`, `right.NAME`, numbers, `&OBJECT`, `X + N`, `zextW(X)`, `sextW(X)`, `truncW(X)`, `concat(X, Y, ...)`,
//! `below(X, N)`, and `MEMORY[X; BYTES]`. Numbers take the width of what they stand beside. What is not preserved is
//! dropped, as with guesses: a hint can't make a wrong proof. A point without relations gets guessed ones.

use crate::model::{
    Certificate, Constraint, Expr, Extreme, Operation, PointId, Shape, Side, SyncPoint, VarSort,
};
use smt::Bv;

/// Points to start a proof from, of which nothing is trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hints {
    /// Those of a certificate of earlier programs.
    Certificate(Certificate),
    /// Written by hand, in the words of reports.
    Text(String),
}

impl Hints {
    /// From text of either kind.
    pub fn from_text(text: &str) -> Result<Hints, String> {
        if text.trim_start().starts_with('{') {
            Certificate::from_text(text).map(Hints::Certificate)
        } else {
            Ok(Hints::Text(text.to_owned()))
        }
    }

    /// The points they name in two programs.
    pub fn points(&self, left: &Shape, right: &Shape) -> Result<Vec<SyncPoint>, String> {
        match self {
            Hints::Certificate(c) => Ok(c.hints(left, right)),
            Hints::Text(text) => parse(text, left, right),
        }
    }
}

/// The hints that a text has for a function, `at` lines resolved to points.
pub(crate) fn parse(text: &str, left: &Shape, right: &Shape) -> Result<Vec<SyncPoint>, String> {
    let mut out: Vec<SyncPoint> = Vec::new();
    let mut mine = true;
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        let fail = |what: String| format!("hints, line {}: {what}", n + 1);
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix("function ") {
            mine = name.trim() == left.name || name.trim() == right.name;
        } else if !mine {
            continue;
        } else if let Some(at) = line.strip_prefix("at ") {
            let (l, r) = at
                .split_once('/')
                .ok_or_else(|| fail("expected `at LEFT / RIGHT`, the names of two points".into()))?;
            let point = |shape: &Shape, name: &str| {
                let name = name.trim();
                shape.find(name).ok_or_else(|| fail(format!("{} has no point `{name}`", shape.name)))
            };
            out.push(SyncPoint { left: point(left, l)?, right: point(right, r)?, constraints: Vec::new() });
        } else {
            let Some(p) = out.last_mut() else {
                return Err(fail("expected `at LEFT / RIGHT` before the first relation".into()));
            };
            let c = relation(line, (left, p.left), (right, p.right)).map_err(fail)?;
            p.constraints.push(c);
        }
    }
    Ok(out)
}

/// A part read: with its width (none for a memory), or a number that takes the width of its neighbour.
enum Part {
    Sized(Expr, Option<u32>),
    Number(String),
}

type At<'a> = (&'a Shape, PointId);

struct Reader<'a> {
    rest: &'a str,
    left: At<'a>,
    right: At<'a>,
    depth: u32,
}

fn number(text: &str, width: u32) -> Result<Bv, String> {
    let (minus, digits) = match text.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => digits.parse::<u128>(),
    };
    let value = Bv::new(width, value.map_err(|_| format!("`{text}` is no number"))?);
    Ok(if minus { value.neg() } else { value })
}

fn relation(line: &str, left: At<'_>, right: At<'_>) -> Result<Constraint, String> {
    let mut r = Reader { rest: line, left, right, depth: 0 };
    let a = r.part()?;
    r.eat("=")?;
    let b = r.part()?;
    if !r.rest.trim().is_empty() {
        return Err(format!("`{}` is left over", r.rest.trim()));
    }
    let (a, b) = match (a, b) {
        (Part::Sized(a, wa), Part::Sized(b, wb)) if wa == wb => (a, b),
        (Part::Sized(_, wa), Part::Sized(_, wb)) => {
            let show = |w: Option<u32>| w.map_or("a memory".to_owned(), |w| format!("{w} bits"));
            return Err(format!("{} against {}", show(wa), show(wb)));
        }
        (Part::Sized(a, Some(w)), Part::Number(n)) => (a, Expr::Const(number(&n, w)?)),
        (Part::Number(n), Part::Sized(b, Some(w))) => (Expr::Const(number(&n, w)?), b),
        (Part::Number(_), _) | (_, Part::Number(_)) => return Err("a number beside no value".into()),
    };
    Ok(Constraint { a, b })
}

impl<'a> Reader<'a> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, what: &str) -> Result<(), String> {
        self.skip();
        match self.rest.strip_prefix(what) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(format!("expected `{what}` before `{}`", self.rest)),
        }
    }

    fn peek(&mut self, what: &str) -> bool {
        self.skip();
        self.rest.starts_with(what)
    }

    fn word(&mut self, stop: &dyn Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(stop).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// The name of a variable; brackets with a semicolon are an access, others belong to the name.
    fn name(&mut self) -> &'a str {
        let (mut end, mut open) = (self.rest.len(), 0);
        for (i, c) in self.rest.char_indices() {
            match c {
                '[' => {
                    let inner = &self.rest[i..];
                    if inner.find(';') < inner.find(']') && inner.contains(';') {
                        end = i;
                        break;
                    }
                    open += 1;
                }
                ']' if open > 0 => open -= 1,
                ',' | ')' | ']' | ';' if open == 0 => {
                    end = i;
                    break;
                }
                c if c.is_whitespace() && open == 0 => {
                    end = i;
                    break;
                }
                _ => {}
            }
        }
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name
    }

    fn sized(&mut self) -> Result<(Expr, u32), String> {
        match self.part()? {
            Part::Sized(e, Some(w)) => Ok((e, w)),
            Part::Sized(_, None) => Err("a memory where a value is needed".into()),
            Part::Number(n) => Err(format!("`{n}` has no width here")),
        }
    }

    /// Two parts with a comma between them, of one width, which a number has from the other.
    fn two_parts(&mut self, kind: &str) -> Result<(Expr, Expr, u32), String> {
        let x = self.part()?;
        self.eat(",")?;
        match (x, self.part()?) {
            (Part::Sized(x, Some(w)), Part::Number(k)) => Ok((x, Expr::Const(number(&k, w)?), w)),
            (Part::Number(k), Part::Sized(y, Some(w))) => Ok((Expr::Const(number(&k, w)?), y, w)),
            (Part::Sized(x, Some(w)), Part::Sized(y, v)) if v == Some(w) => Ok((x, y, w)),
            _ => Err(format!("`{kind}` of different widths")),
        }
    }

    fn part(&mut self) -> Result<Part, String> {
        self.depth += 1;
        if self.depth > 64 {
            return Err("nested too deeply".into());
        }
        let mut out = self.plain()?;
        loop {
            if self.peek("[")
                && let Part::Sized(m, None) = out
            {
                self.eat("[")?;
                let (at, _) = self.sized()?;
                self.eat(";")?;
                self.skip();
                let n = self.word(&|c| !c.is_ascii_digit());
                let n: u32 = n.parse().map_err(|_| format!("`{n}` is no number of bytes"))?;
                if n == 0 || n > 64 {
                    return Err(format!("an access of {n} bytes"));
                }
                self.eat("]")?;
                out = Part::Sized(Expr::Load(Box::new(m), Box::new(at), n), Some(8 * n));
            } else if self.peek("+")
                && let Part::Sized(x, Some(w)) = out
            {
                self.eat("+")?;
                self.skip();
                let n = self.word(&|c| !(c.is_ascii_alphanumeric() || c == '-'));
                out = Part::Sized(Expr::Offset(Box::new(x), number(n, w)?), Some(w));
            } else {
                break;
            }
        }
        self.depth -= 1;
        Ok(out)
    }

    fn plain(&mut self) -> Result<Part, String> {
        self.skip();
        for (prefix, side, (shape, at)) in
            [("left.", Side::Left, self.left), ("right.", Side::Right, self.right)]
        {
            if let Some(rest) = self.rest.strip_prefix(prefix) {
                self.rest = rest;
                let name = self.name();
                let i = shape.var(at, name).ok_or_else(|| {
                    format!("`{name}` is not live at `{}` of {}", shape.point(at).name, shape.name)
                })?;
                let width = match shape.point(at).vars[i].sort {
                    VarSort::Bv(w) => Some(w),
                    VarSort::Mem { .. } => None,
                };
                return Ok(Part::Sized(Expr::Var(side, name.to_owned()), width));
            }
        }
        if let Some(rest) = self.rest.strip_prefix('&') {
            self.rest = rest;
            let name = self.name();
            return Ok(Part::Sized(Expr::Symbol(name.to_owned(), 64), Some(64)));
        }
        let word = self.word(&|c| !(c.is_ascii_alphanumeric() || c == '-'));
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return Ok(Part::Number(word.to_owned()));
        }
        let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let kind = &word[..word.len() - digits.len()];
        self.eat("(")?;
        let out = match kind {
            "zext" | "sext" | "trunc" => {
                let to: u32 = digits.parse().map_err(|_| format!("`{word}` lacks a width"))?;
                let (x, w) = self.sized()?;
                let x = Box::new(x);
                match kind {
                    "trunc" if to > 0 && to <= w => Part::Sized(Expr::Trunc(x, to), Some(to)),
                    "zext" if to >= w && to <= 4096 => Part::Sized(Expr::Zext(x, to), Some(to)),
                    "sext" if to >= w && to <= 4096 => Part::Sized(Expr::Sext(x, to), Some(to)),
                    _ => return Err(format!("`{word}` of {w} bits")),
                }
            }
            "concat" => {
                let (mut parts, mut total) = (Vec::new(), 0u32);
                loop {
                    let (x, w) = self.sized()?;
                    parts.push(x);
                    total = total.saturating_add(w);
                    if !self.peek(",") {
                        break;
                    }
                    self.eat(",")?;
                }
                Part::Sized(Expr::Concat(parts), Some(total))
            }
            "below" => {
                let (x, w) = self.sized()?;
                self.eat(",")?;
                let Part::Number(k) = self.part()? else { return Err("a bound is a number".into()) };
                Part::Sized(Expr::Below(Box::new(x), number(&k, w)?), Some(1))
            }
            "either" | "sum" | "less" | "sless" | "smin" | "smax" | "umin" | "umax" | "mul" | "udiv"
            | "urem" | "and" | "xor" | "shl" | "lshr" | "ashr" => {
                let (x, y, w) = self.two_parts(kind)?;
                let (x, y) = (Box::new(x), Box::new(y));
                let extreme = Extreme::NAMES.iter().find(|(name, _)| *name == kind);
                if let Some((_, extreme)) = extreme {
                    self.eat(")")?;
                    return Ok(Part::Sized(Expr::Extreme(*extreme, x, y), Some(w)));
                }
                if let Some(operation) = Operation::by_name(kind) {
                    self.eat(")")?;
                    return Ok(Part::Sized(Expr::Binary(operation, x, y), Some(w)));
                }
                match kind {
                    "either" => Part::Sized(Expr::Either(x, y), Some(w)),
                    "sum" => Part::Sized(Expr::Sum(x, y), Some(w)),
                    _ => Part::Sized(Expr::Less(kind == "sless", x, y), Some(1)),
                }
            }
            "choice" => {
                let (c, one) = self.sized()?;
                self.eat(",")?;
                let (x, y, w) = self.two_parts(kind)?;
                if one != 1 {
                    return Err(format!("a condition of {one} bits"));
                }
                Part::Sized(Expr::Choice(Box::new(c), Box::new(x), Box::new(y)), Some(w))
            }
            "stored" => {
                let Part::Sized(m, None) = self.part()? else { return Err("`stored` in no memory".into()) };
                self.eat(",")?;
                let (at, _) = self.sized()?;
                self.eat(",")?;
                let (x, w) = self.sized()?;
                if !w.is_multiple_of(8) {
                    return Err(format!("{w} bits are no bytes"));
                }
                Part::Sized(Expr::Stored(Box::new(m), Box::new(at), Box::new(x)), None)
            }
            "object" => {
                let (x, w) = self.sized()?;
                Part::Sized(Expr::Object(Box::new(x)), Some(w))
            }
            "scaled" => {
                let (x, w) = self.sized()?;
                self.eat(",")?;
                let Part::Number(k) = self.part()? else { return Err("a factor is a number".into()) };
                Part::Sized(Expr::Scaled(Box::new(x), number(&k, w)?), Some(w))
            }
            _ => return Err(format!("`{word}` is no expression")),
        };
        self.eat(")")?;
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Point, PointKind, VarDecl};

    fn shape(name: &str) -> Shape {
        let var = |name: &str, sort| VarDecl { name: name.into(), sort };
        let vars = vec![
            var("mem", VarSort::Mem { address: 64 }),
            var("%4", VarSort::Bv(64)),
            var("%.0", VarSort::Bv(32)),
            var("stack.0.0[0..4]", VarSort::Bv(32)),
        ];
        let point = |name: &str, kind| Point {
            name: name.into(),
            aliases: Vec::new(),
            kind,
            vars: vars.clone(),
            succs: Vec::new(),
        };
        Shape {
            name: name.into(),
            points: vec![point("entry", PointKind::Entry), point("bb.3", PointKind::Block)],
        }
    }

    #[test]
    fn relations_read_as_they_are_shown() {
        let s = shape("f");
        let lines = [
            "right.mem = left.mem",
            "right.%4 = zext64(left.%.0)",
            "right.%4 = left.%4 + 124",
            "left.%.0 = trunc32(right.%4)",
            "right.%4 = concat(left.%.0, left.stack.0.0[0..4])",
            "below(left.%.0, 256) = 1",
            "either(below(left.%.0, 256), trunc1(right.%4)) = 1",
            "right.%4 = sum(left.%4, scaled(right.%4, 12))",
            "sless(left.%.0, right.%.0) = 1",
            "less(9, left.%.0) = 0",
            "left.%.0 = smax(right.%.0, 0)",
            "right.%4 = mul(left.%4, lshr(right.%4, 3))",
            "left.%.0 = xor(right.%.0, and(left.%.0, 255))",
            "left.%.0 = right.mem[&stack.0.0; 4]",
            "left.mem = stored(right.mem, &stack.0.0, right.%4)",
            "left.%.0 = 7",
        ];
        let text =
            format!("function f\nat bb.3 / bb.3  # the loop\n{}\nfunction g\nnonsense", lines.join("\n"));
        let points = parse(&text, &s, &s).expect("hints");
        assert_eq!(points.len(), 1);
        let shown: Vec<String> = points[0].constraints.iter().map(ToString::to_string).collect();
        assert_eq!(shown, lines);
    }

    #[test]
    fn what_cannot_be_meant_is_told() {
        let s = shape("f");
        for (line, why) in [
            ("right.%4 = left.%.0", "64 bits against 32 bits"),
            ("right.%9 = left.%.0", "`%9` is not live"),
            ("right.%4 = left.mem", "64 bits against a memory"),
            ("right.%4 = zext16(left.%.0)", "of 32 bits"),
            ("right.%4 = left.%4 left.%4", "left over"),
            ("right.%4", "expected `=`"),
            ("either(left.%4, right.%.0) = 1", "`either` of different widths"),
            ("1 = 2", "beside no value"),
        ] {
            let e = parse(&format!("at bb.3 / bb.3\n{line}"), &s, &s).expect_err(line);
            assert!(e.contains(why) && e.contains("line 2"), "{line}: {e}");
        }
        assert!(parse("at nowhere / bb.3", &s, &s).is_err());
        let deep = format!("at bb.3 / bb.3\n{}left.%4", "zext64(".repeat(100_000));
        assert!(parse(&deep, &s, &s).is_err_and(|e| e.contains("deeply")));
    }
}
