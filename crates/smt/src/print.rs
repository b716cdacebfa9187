//! SMT-LIB 2: the text of a query for external solvers, and the key of a query for the cache.
//!
//! Symbols, functions and terms are numbered in the order they are met from the goals, so that the
//! text depends on the structure alone, not on names or on what else the pool holds.

use crate::{Bv, FuncId, Node, Pool, Sort, SymId, TermId};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A query as text, with what its numbers stand for.
pub struct Script {
    /// `set-logic`, declarations, definitions, assertions; without `check-sat`.
    pub text: String,
    /// The symbols `s0`, `s1`, …
    pub symbols: Vec<SymId>,
    /// The functions `f0`, `f1`, …
    pub funcs: Vec<FuncId>,
    /// The terms `t0`, `t1`, … (those that are no constants and no symbols).
    pub terms: Vec<TermId>,
    /// Names of all terms.
    pub names: FxHashMap<TermId, String>,
}

fn constant(v: &Bv) -> String {
    format!("(_ bv{} {})", v, v.width())
}

struct Printer<'a> {
    pool: &'a Pool,
    out: Script,
    decls: String,
    defs: String,
    arrays: bool,
    func_names: FxHashMap<FuncId, String>,
}

impl Printer<'_> {
    fn name(&self, t: TermId) -> &str {
        &self.out.names[&t]
    }

    fn list(&self, op: &str, xs: &[TermId]) -> String {
        let mut s = format!("({op}");
        for x in xs {
            s.push(' ');
            s.push_str(self.name(*x));
        }
        s.push(')');
        s
    }

    fn fold(&self, op: &str, xs: &[TermId]) -> String {
        let mut acc = self.name(xs[0]).to_owned();
        for x in &xs[1..] {
            acc = format!("({op} {acc} {})", self.name(*x));
        }
        acc
    }

    fn at(&self, index: TermId, k: u32) -> String {
        if k == 0 {
            return self.name(index).to_owned();
        }
        let w = self.pool.width(index);
        format!("(bvadd {} {})", self.name(index), constant(&Bv::new(w, u128::from(k))))
    }

    fn body(&self, t: TermId) -> String {
        let p = self.pool;
        match p.node(t) {
            Node::Bool(b) => b.to_string(),
            Node::Const(v) => constant(v),
            Node::Var(_) => self.name(t).to_owned(),
            Node::Not(a) => self.list("not", &[*a]),
            Node::And(xs) => self.list("and", xs),
            Node::Eq(a, b) => self.list("=", &[*a, *b]),
            Node::Ult(a, b) => self.list("bvult", &[*a, *b]),
            Node::Slt(a, b) => self.list("bvslt", &[*a, *b]),
            Node::Ite(c, a, b) => self.list("ite", &[*c, *a, *b]),
            Node::Lin(xs, k) => {
                let mut acc = constant(k);
                for (x, c) in xs.iter() {
                    let term = if c.is_one() {
                        self.name(*x).to_owned()
                    } else {
                        format!("(bvmul {} {})", constant(c), self.name(*x))
                    };
                    acc = format!("(bvadd {acc} {term})");
                }
                acc
            }
            Node::Mul(xs) => self.fold("bvmul", xs),
            Node::UDiv(a, b) => self.list("bvudiv", &[*a, *b]),
            Node::URem(a, b) => self.list("bvurem", &[*a, *b]),
            Node::SDiv(a, b) => self.list("bvsdiv", &[*a, *b]),
            Node::SRem(a, b) => self.list("bvsrem", &[*a, *b]),
            Node::BvNot(a) => self.list("bvnot", &[*a]),
            Node::BvAnd(xs) => self.fold("bvand", xs),
            Node::BvOr(xs) => self.fold("bvor", xs),
            Node::BvXor(xs) => self.fold("bvxor", xs),
            Node::Shl(a, b) => self.list("bvshl", &[*a, *b]),
            Node::Lshr(a, b) => self.list("bvlshr", &[*a, *b]),
            Node::Ashr(a, b) => self.list("bvashr", &[*a, *b]),
            Node::Concat(xs) => self.fold("concat", xs),
            Node::Extract(hi, lo, a) => format!("((_ extract {hi} {lo}) {})", self.name(*a)),
            Node::SExt(a) => {
                let n = p.width(t) - p.width(*a);
                format!("((_ sign_extend {n}) {})", self.name(*a))
            }
            Node::Select(m, i) => {
                let n = p.width(t) / p.array_widths(*m).1;
                let mut acc = String::new();
                for k in 0..n {
                    let e = format!("(select {} {})", self.name(*m), self.at(*i, k));
                    acc = if k == 0 { e } else { format!("(concat {e} {acc})") };
                }
                acc
            }
            Node::Store(m, ws) => {
                let elem = p.array_widths(*m).1;
                let mut acc = self.name(*m).to_owned();
                for (i, v) in ws.iter() {
                    for k in 0..p.width(*v) / elem {
                        let (hi, lo) = ((k + 1) * elem - 1, k * elem);
                        let e = format!("((_ extract {hi} {lo}) {})", self.name(*v));
                        acc = format!("(store {acc} {} {e})", self.at(*i, k));
                    }
                }
                acc
            }
            Node::ConstArray(e) => format!("((as const {}) {})", p.sort(t), self.name(*e)),
            Node::Apply(f, xs) if xs.is_empty() => self.func_names[f].clone(),
            Node::Apply(f, xs) => self.list(&self.func_names[f], xs),
        }
    }

    fn visit(&mut self, t: TermId) {
        let p = self.pool;
        self.arrays |= matches!(p.sort(t), Sort::Array { .. });
        match p.node(t) {
            Node::Bool(b) => {
                self.out.names.insert(t, b.to_string());
            }
            Node::Const(v) => {
                self.out.names.insert(t, constant(v));
            }
            Node::Var(s) => {
                let name = format!("s{}", self.out.symbols.len());
                self.out.symbols.push(*s);
                let _ = writeln!(self.decls, "(declare-fun {name} () {})", p.sort(t));
                self.out.names.insert(t, name);
            }
            node => {
                if let Node::Apply(f, _) = node
                    && !self.func_names.contains_key(f)
                {
                    let name = format!("f{}", self.out.funcs.len());
                    let d = p.func_decl(*f);
                    let args: Vec<String> = d.args.iter().map(ToString::to_string).collect();
                    let _ = writeln!(self.decls, "(declare-fun {name} ({}) {})", args.join(" "), d.ret);
                    self.func_names.insert(*f, name);
                    self.out.funcs.push(*f);
                }
                let name = format!("t{}", self.out.terms.len());
                let body = self.body(t);
                let _ = writeln!(self.defs, "(define-fun {name} () {} {body})", p.sort(t));
                self.out.terms.push(t);
                self.out.names.insert(t, name);
            }
        }
    }
}

impl Pool {
    /// The query "can all goals be true?" as SMT-LIB 2.
    pub fn script(&self, goals: &[TermId]) -> Script {
        let out = Script {
            text: String::new(),
            symbols: Vec::new(),
            funcs: Vec::new(),
            terms: Vec::new(),
            names: FxHashMap::default(),
        };
        let mut pr = Printer {
            pool: self,
            out,
            decls: String::new(),
            defs: String::new(),
            arrays: false,
            func_names: FxHashMap::default(),
        };
        let mut stack: Vec<(TermId, bool)> = goals.iter().rev().map(|g| (*g, false)).collect();
        while let Some((t, ready)) = stack.pop() {
            if pr.out.names.contains_key(&t) {
                continue;
            }
            if ready {
                pr.visit(t);
            } else {
                stack.push((t, true));
                let mut kids = self.children(t);
                kids.reverse();
                stack.extend(kids.into_iter().map(|c| (c, false)));
            }
        }
        let logic = match (pr.arrays, pr.out.funcs.is_empty()) {
            (true, true) => "QF_ABV",
            (true, false) => "QF_AUFBV",
            (false, true) => "QF_BV",
            (false, false) => "QF_UFBV",
        };
        let mut text = format!("(set-option :produce-models true)\n(set-logic {logic})\n");
        text.push_str(&pr.decls);
        text.push_str(&pr.defs);
        for g in goals {
            let _ = writeln!(text, "(assert {})", pr.name(*g));
        }
        pr.out.text = text;
        pr.out
    }

    /// The value or structure of a term, for messages; long terms are cut.
    pub fn show(&self, t: TermId) -> String {
        let s = self.script_of_term(t);
        let mut end = s.len().min(2000);
        while !s.is_char_boundary(end) {
            end -= 1;
        }
        if end < s.len() { format!("{}…", &s[..end]) } else { s }
    }

    fn script_of_term(&self, t: TermId) -> String {
        match self.node(t) {
            Node::Var(s) => self.symbol(*s).name.clone(),
            Node::Const(v) => v.to_string(),
            Node::Bool(b) => b.to_string(),
            _ => {
                let s = self.script(&[t]);
                s.text.lines().filter(|l| !l.starts_with("(set-")).collect::<Vec<_>>().join(" ")
            }
        }
    }
}
