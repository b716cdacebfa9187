//! A stack machine over 32-bit words, one instruction a line: `push 3`, `get x`, `set x`, an operator
//! (`+ - * / % & | ^ << >> < <s == !=`), `load`, `store` (address below value), `label:`, `jmp l`,
//! `jz l`, `call f 2`, `ret`, `enter a b` (parameters, first line). Locals start at zero.

use super::{guarded, operate};
use equiv::*;
use smt::Domain;
use std::collections::BTreeMap;

const W: u32 = 32;

#[derive(Clone, Debug)]
enum Op {
    Push(u128),
    Get(usize),
    Set(usize),
    Bin(String),
    Load,
    Store,
    Jmp(String),
    Jz(String),
    Call(String, usize),
    Ret,
}

pub struct Stack {
    shape: Shape,
    code: Vec<Op>,
    /// First instruction of each point.
    starts: Vec<usize>,
    labels: BTreeMap<String, usize>,
    params: usize,
    locals: usize,
}

impl Stack {
    pub fn parse(text: &str) -> Stack {
        let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let enter = lines.remove(0);
        let mut vars: Vec<String> = enter.split_whitespace().skip(1).map(str::to_owned).collect();
        let params = vars.len();
        let (mut code, mut labels) = (Vec::new(), BTreeMap::new());
        let mut names = vec![(0usize, "entry".to_owned(), PointKind::Entry)];
        for l in lines {
            if let Some(name) = l.strip_suffix(':') {
                labels.insert(name.to_owned(), code.len());
                names.push((code.len(), name.to_owned(), PointKind::Block));
                continue;
            }
            let w: Vec<&str> = l.split_whitespace().collect();
            let mut var = |x: &str| match vars.iter().position(|v| v == x) {
                Some(i) => i,
                None => {
                    vars.push(x.to_owned());
                    vars.len() - 1
                }
            };
            code.push(match w[0] {
                "push" => Op::Push(w[1].parse().expect("a number")),
                "get" => Op::Get(var(w[1])),
                "set" => Op::Set(var(w[1])),
                "load" => Op::Load,
                "store" => Op::Store,
                "jmp" => Op::Jmp(w[1].to_owned()),
                "jz" => Op::Jz(w[1].to_owned()),
                "call" => Op::Call(w[1].to_owned(), w[2].parse().expect("a count")),
                "ret" => Op::Ret,
                op => Op::Bin(op.to_owned()),
            });
            match code.last() {
                Some(Op::Call(..)) => {
                    names.push((code.len(), format!("after{}", code.len()), PointKind::AfterEvent))
                }
                Some(Op::Jz(_)) => names.push((code.len(), format!("next{}", code.len()), PointKind::Block)),
                _ => {}
            }
        }
        names.sort_by_key(|n| (n.0, n.2 != PointKind::Entry));
        names.dedup_by(|b, a| a.0 == b.0 && a.0 != 0);
        let starts: Vec<usize> = names.iter().map(|n| n.0).collect();
        let mut s = Stack { shape: Shape::default(), code, starts, labels, params, locals: vars.len() };
        let depths = s.depths();
        let points = names.iter().enumerate().map(|(i, (_, name, kind))| {
            let n = if *kind == PointKind::Entry { params } else { vars.len() };
            let mut v: Vec<String> = vars[..n].to_vec();
            v.extend((0..depths[i]).map(|k| format!("s{k}")));
            let mut v: Vec<VarDecl> =
                v.into_iter().map(|name| VarDecl { name, sort: VarSort::Bv(W) }).collect();
            v.push(VarDecl { name: "mem".into(), sort: VarSort::Mem { address: W } });
            let succs = s.walk(i, 0).1.into_iter().map(|p| PointId(p as u32)).collect();
            Point { name: name.clone(), aliases: vec![], kind: *kind, vars: v, succs }
        });
        s.shape = Shape { name: "stack".into(), points: points.collect() };
        s
    }

    fn point_at(&self, pc: usize) -> Option<usize> {
        self.starts.iter().rposition(|s| *s == pc)
    }

    /// From a point's stack depth: the depths at its successors, and those.
    fn walk(&self, point: usize, depth: i64) -> (Vec<i64>, Vec<usize>) {
        let (mut pc, mut n) = (self.starts[point], depth);
        let mut first = true;
        loop {
            if let Some(p) = self.point_at(pc)
                && (!first || p != point)
            {
                return (vec![n], vec![p]);
            }
            first = false;
            match &self.code[pc] {
                Op::Push(_) | Op::Get(_) => n += 1,
                Op::Set(_) | Op::Bin(_) => n -= 1,
                Op::Load => {}
                Op::Store => n -= 2,
                Op::Jmp(l) => return (vec![n], vec![self.point_at(self.labels[l]).expect("a label")]),
                Op::Jz(l) => {
                    let to = [self.labels[l], pc + 1].map(|t| self.point_at(t).expect("a point"));
                    return (vec![n - 1; 2], to.to_vec());
                }
                Op::Call(_, args) => {
                    return (vec![n - *args as i64 + 1], vec![self.point_at(pc + 1).expect("a point")]);
                }
                Op::Ret => return (vec![], vec![]),
            }
            pc += 1;
        }
    }

    fn depths(&self) -> Vec<i64> {
        let mut depth = vec![0; self.starts.len()];
        let mut todo = vec![0];
        let mut seen = vec![false; self.starts.len()];
        while let Some(p) = todo.pop() {
            if std::mem::replace(&mut seen[p], true) {
                continue;
            }
            let (ns, ps) = self.walk(p, depth[p]);
            for (n, q) in ns.into_iter().zip(ps) {
                depth[q] = n;
                todo.push(q);
            }
        }
        depth
    }
}

impl Semantics for Stack {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn step<D: Domain>(&self, d: &mut D, s: &State<D>) -> Vec<Successor<D>> {
        let mut vals: Vec<Val<D>> = s.vals.clone();
        let Some(Val::Mem(mut mem)) = vals.pop() else { panic!("memory comes last") };
        let mut stack: Vec<D::Bv> = vals
            .split_off(if s.at == Shape::ENTRY { self.params } else { self.locals })
            .iter()
            .map(|v| v.bv().clone())
            .collect();
        while vals.len() < self.locals {
            let zero = d.num(W, 0);
            vals.push(Val::Bv(zero));
        }
        let (mut bad, always) = (d.bool(false), d.bool(true));
        let mut pc = self.starts[s.at.index()];
        let mut first = true;
        let place = self.shape.point(s.at).name.clone();
        let go = |pc: usize, vals: &[Val<D>], stack: &[D::Bv], mem: &D::Mem| {
            let mut v = vals.to_vec();
            v.extend(stack.iter().cloned().map(Val::Bv));
            v.push(Val::Mem(mem.clone()));
            State { at: PointId(self.point_at(pc).expect("a point") as u32), vals: v }
        };
        loop {
            if !first && self.point_at(pc).is_some()
                || first && s.at == Shape::ENTRY && self.point_at(pc) != Some(0)
            {
                let to = Next::Go(go(pc, &vals, &stack, &mem));
                return guarded(d, bad, vec![(always, to)], &place);
            }
            first = false;
            let mut pop = || stack.pop().expect("depth was checked");
            match &self.code[pc] {
                Op::Push(n) => stack.push(d.num(W, *n)),
                Op::Get(x) => stack.push(vals[*x].bv().clone()),
                Op::Set(x) => vals[*x] = Val::Bv(pop()),
                Op::Bin(op) => {
                    let (b, a) = (pop(), pop());
                    let r = operate(d, op, &a, &b, &mut bad);
                    stack.push(r);
                }
                Op::Load => {
                    let a = pop();
                    stack.push(d.load(&mem, &a, 4));
                }
                Op::Store => {
                    let (v, a) = (pop(), pop());
                    mem = d.store(&mem, &a, &v);
                }
                Op::Jmp(l) => {
                    let to = Next::Go(go(self.labels[l], &vals, &stack, &mem));
                    return guarded(d, bad, vec![(always, to)], &place);
                }
                Op::Jz(l) => {
                    let (c, zero) = (pop(), d.num(W, 0));
                    let z = d.eq(&c, &zero);
                    let nz = d.not(&z);
                    let yes = Next::Go(go(self.labels[l], &vals, &stack, &mem));
                    let no = Next::Go(go(pc + 1, &vals, &stack, &mem));
                    return guarded(d, bad, vec![(z, yes), (nz, no)], &place);
                }
                Op::Call(f, n) => {
                    let mut args: Vec<Val<D>> =
                        stack.split_off(stack.len() - n).into_iter().map(Val::Bv).collect();
                    args.push(Val::Mem(mem.clone()));
                    stack.push(d.num(W, 0));
                    let results = vec![VarSort::Bv(W), VarSort::Mem { address: W }];
                    let e = Event { kind: EventKind::Call, label: f.clone().into(), args, results };
                    let to = Next::Event(e, go(pc + 1, &vals, &stack, &mem));
                    return guarded(d, bad, vec![(always, to)], &place);
                }
                Op::Ret => {
                    let v = pop();
                    let end = Next::Exit(vec![Val::Bv(v), Val::Mem(mem)]);
                    return guarded(d, bad, vec![(always, end)], &place);
                }
            }
            pc += 1;
        }
    }

    fn resume<D: Domain>(&self, _d: &mut D, mut after: State<D>, results: &[Val<D>]) -> State<D> {
        let n = after.vals.len();
        after.vals[n - 2] = results[0].clone();
        after.vals[n - 1] = results[1].clone();
        after
    }
}
