//! A small imperative language over 32-bit words:
//! `fn f(a, b) { x = a / b; while x < b { x = x + 1; [a] = x; } y = call g(x); return [y]; }`.
//! Division by zero is undefined; variables start at zero; loads and stores move four bytes.

use equiv::*;
use smt::Domain;

const W: u32 = 32;

#[derive(Clone, Debug)]
enum Ex {
    Num(u128),
    Var(usize),
    Load(Box<Ex>),
    Bin(&'static str, Box<Ex>, Box<Ex>),
}
#[derive(Clone, Debug)]
enum Ins {
    Set(usize, Ex),
    Store(Ex, Ex),
}
#[derive(Clone, Debug)]
enum End {
    Goto(usize),
    If(Ex, usize, usize),
    Call(usize, String, Vec<Ex>, usize),
    Return(Ex),
}

#[derive(Clone, Debug)]
struct Block {
    ins: Vec<Ins>,
    end: End,
}

pub struct While {
    shape: Shape,
    blocks: Vec<Block>,
    params: usize,
    vars: Vec<String>,
}

struct Parser {
    toks: Vec<String>,
    at: usize,
    vars: Vec<String>,
    blocks: Vec<Block>,
    names: Vec<(String, PointKind)>,
}

impl Parser {
    fn next(&mut self) -> String {
        self.at += 1;
        self.toks[self.at - 1].clone()
    }
    fn eat(&mut self, t: &str) -> bool {
        let hit = self.toks.get(self.at).is_some_and(|x| x == t);
        self.at += usize::from(hit);
        hit
    }
    fn want(&mut self, t: &str) {
        assert!(self.eat(t), "expected `{t}`, found `{:?}`", self.toks.get(self.at));
    }
    fn var(&mut self, name: &str) -> usize {
        if !self.vars.iter().any(|v| v == name) {
            self.vars.push(name.to_owned());
        }
        self.vars.iter().position(|v| v == name).expect("just pushed")
    }
    fn expr(&mut self) -> Ex {
        const LEVELS: [&[&str]; 3] =
            [&["<", "<s", "==", "!="], &["+", "-", "&", "|", "^"], &["*", "/", "%", "<<", ">>"]];
        self.level(&LEVELS)
    }
    fn level(&mut self, levels: &[&[&'static str]]) -> Ex {
        let Some((ops, rest)) = levels.split_first() else { return self.atom() };
        let mut e = self.level(rest);
        while let Some(op) = ops.iter().find(|o| self.eat(o)) {
            let r = self.level(rest);
            e = Ex::Bin(op, Box::new(e), Box::new(r));
        }
        e
    }
    fn atom(&mut self) -> Ex {
        let t = self.next();
        if t == "(" {
            let e = self.expr();
            self.want(")");
            return e;
        }
        if t == "[" {
            let e = self.expr();
            self.want("]");
            return Ex::Load(Box::new(e));
        }
        t.parse().map_or_else(|_| Ex::Var(self.var(&t)), Ex::Num)
    }
    fn block(&mut self, name: &str, kind: PointKind) -> usize {
        let n = self.blocks.len();
        self.blocks.push(Block { ins: vec![], end: End::Goto(n) });
        self.names.push((format!("{name}{n}"), kind));
        n
    }
    /// Parses statements up to `}` into the block `b`; the block that control ends in, unless it left.
    fn body(&mut self, mut b: usize) -> Option<usize> {
        let mut live = true;
        while !self.eat("}") {
            assert!(live, "statement after return");
            match self.next().as_str() {
                "while" => {
                    let head = self.block("while", PointKind::Block);
                    self.blocks[b].end = End::Goto(head);
                    let c = self.expr();
                    self.want("{");
                    let body = self.block("body", PointKind::Block);
                    if let Some(e) = self.body(body) {
                        self.blocks[e].end = End::Goto(head);
                    }
                    b = self.block("done", PointKind::Block);
                    self.blocks[head].end = End::If(c, body, b);
                }
                "if" => {
                    let c = self.expr();
                    self.want("{");
                    let yes = self.block("then", PointKind::Block);
                    let ends = [self.body(yes), {
                        let no = self.block("else", PointKind::Block);
                        self.blocks[b].end = End::If(c, yes, no);
                        if self.eat("else") {
                            self.want("{");
                            self.body(no)
                        } else {
                            Some(no)
                        }
                    }];
                    b = self.block("join", PointKind::Block);
                    for e in ends.into_iter().flatten() {
                        self.blocks[e].end = End::Goto(b);
                    }
                }
                "return" => {
                    self.blocks[b].end = End::Return(self.expr());
                    self.want(";");
                    live = false;
                }
                "[" => {
                    let a = self.expr();
                    self.want("]");
                    self.want("=");
                    let v = self.expr();
                    self.want(";");
                    self.blocks[b].ins.push(Ins::Store(a, v));
                }
                x => {
                    let x = self.var(x);
                    self.want("=");
                    if self.eat("call") {
                        let f = self.next();
                        self.want("(");
                        let mut args = vec![];
                        while !self.eat(")") {
                            args.push(self.expr());
                            self.eat(",");
                        }
                        let after = self.block("after", PointKind::AfterEvent);
                        self.blocks[b].end = End::Call(x, f, args, after);
                        b = after;
                    } else {
                        let e = self.expr();
                        self.blocks[b].ins.push(Ins::Set(x, e));
                    }
                    self.want(";");
                }
            }
        }
        live.then_some(b)
    }
}

impl While {
    pub fn parse(text: &str) -> While {
        let mut spaced = text.to_owned();
        for c in ["(", ")", "{", "}", "[", "]", ",", ";"] {
            spaced = spaced.replace(c, &format!(" {c} "));
        }
        let toks = spaced.split_whitespace().map(str::to_owned).collect();
        let mut p = Parser { toks, at: 0, vars: vec![], blocks: vec![], names: vec![] };
        p.want("fn");
        let name = p.next();
        p.want("(");
        while !p.eat(")") {
            let x = p.next();
            p.var(&x);
            p.eat(",");
        }
        let params = p.vars.len();
        p.want("{");
        let entry = p.block("entry", PointKind::Entry);
        assert!(p.body(entry).is_none(), "a function ends in return");
        let decl = |name: &String, sort| VarDecl { name: name.clone(), sort };
        let all = |n: usize, vars: &[String]| {
            let mem = [decl(&"mem".into(), VarSort::Mem { address: W })];
            vars[..n].iter().map(|x| decl(x, VarSort::Bv(W))).chain(mem).collect()
        };
        let points = p.blocks.iter().zip(&p.names).map(|(b, (name, kind))| Point {
            name: name.clone(),
            aliases: vec![],
            kind: *kind,
            vars: all(if *kind == PointKind::Entry { params } else { p.vars.len() }, &p.vars),
            succs: match &b.end {
                End::Goto(t) | End::Call(_, _, _, t) => vec![PointId(*t as u32)],
                End::If(_, a, b) => vec![PointId(*a as u32), PointId(*b as u32)],
                End::Return(_) => vec![],
            },
        });
        let shape = Shape { name, points: points.collect() };
        While { shape, blocks: p.blocks, params, vars: p.vars }
    }

    /// The value, and when it is undefined.
    fn eval<D: Domain>(d: &mut D, e: &Ex, s: &[Val<D>], bad: &mut D::Bool) -> D::Bv {
        match e {
            Ex::Num(n) => d.num(W, *n),
            Ex::Var(i) => s[*i].bv().clone(),
            Ex::Load(a) => {
                let a = Self::eval(d, a, s, bad);
                d.load(s[s.len() - 1].mem(), &a, 4)
            }
            Ex::Bin(op, a, b) => {
                let (a, b) = (Self::eval(d, a, s, bad), Self::eval(d, b, s, bad));
                super::operate(d, op, &a, &b, bad)
            }
        }
    }
}

impl Semantics for While {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn step<D: Domain>(&self, d: &mut D, s: &State<D>) -> Vec<Successor<D>> {
        let mut vals = s.vals.clone();
        if s.at == Shape::ENTRY {
            for _ in self.params..self.vars.len() {
                let zero = d.num(W, 0);
                vals.insert(vals.len() - 1, Val::Bv(zero));
            }
        }
        let b = &self.blocks[s.at.index()];
        let mut bad = d.bool(false);
        let mem = vals.len() - 1;
        for i in &b.ins {
            match i {
                Ins::Set(x, e) => vals[*x] = Val::Bv(Self::eval(d, e, &vals, &mut bad)),
                Ins::Store(a, v) => {
                    let (a, v) = (Self::eval(d, a, &vals, &mut bad), Self::eval(d, v, &vals, &mut bad));
                    vals[mem] = Val::Mem(d.store(vals[mem].mem(), &a, &v));
                }
            }
        }
        let to = |t: usize, vals: Vec<Val<D>>| State { at: PointId(t as u32), vals };
        let always = d.bool(true);
        let nexts = match &b.end {
            End::Goto(t) => vec![(always, Next::Go(to(*t, vals)))],
            End::If(c, x, y) => {
                let c = Self::eval(d, c, &vals, &mut bad);
                let zero = d.num(W, 0);
                let no = d.eq(&c, &zero);
                let yes = d.not(&no);
                vec![(yes, Next::Go(to(*x, vals.clone()))), (no, Next::Go(to(*y, vals)))]
            }
            End::Call(_, f, args, after) => {
                let mut args: Vec<Val<D>> =
                    args.iter().map(|a| Val::Bv(Self::eval(d, a, &vals, &mut bad))).collect();
                args.push(vals[mem].clone());
                let results = vec![VarSort::Bv(W), VarSort::Mem { address: W }];
                vec![(
                    always,
                    Next::Event(
                        Event { kind: EventKind::Call, label: f.clone().into(), args, results },
                        to(*after, vals),
                    ),
                )]
            }
            End::Return(e) => {
                let v = Self::eval(d, e, &vals, &mut bad);
                vec![(always, Next::Exit(vec![Val::Bv(v), vals[mem].clone()]))]
            }
        };
        super::guarded(d, bad, nexts, &self.shape.point(s.at).name)
    }

    fn resume<D: Domain>(&self, _d: &mut D, mut after: State<D>, results: &[Val<D>]) -> State<D> {
        let x = self.blocks.iter().find_map(|b| match &b.end {
            End::Call(x, _, _, t) if *t == after.at.index() => Some(*x),
            _ => None,
        });
        after.vals[x.expect("a point after a call")] = results[0].clone();
        let mem = after.vals.len() - 1;
        after.vals[mem] = results[1].clone();
        after
    }
}
