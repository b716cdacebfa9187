//! Reports as JSON and as lines for people.

use crate::{Certificate, Counterexample, Reason, Report, Verdict};
use serde_json::{Value, json};

/// Most relations of a point that are shown as text.
const SHOWN: usize = 12;

impl Report {
    /// Everything but the certificate's machine-readable form, as one object.
    pub fn to_json(&self) -> Value {
        let stats = &self.stats;
        let costliest = stats.costliest.as_ref().map(|(q, t)| json!({ "query": q, "ms": ms(*t) }));
        let mut out = json!({
            "verdict": self.verdict.name(),
            "ms": ms(self.time),
            "queries": {
                "normalised": stats.trivial, "solver": stats.solver, "solver_ms": ms(stats.time), "costliest": costliest,
            },
        });
        match &self.verdict {
            Verdict::Proved(certificate) => out["points"] = points(certificate),
            Verdict::Conditional { assumptions, certificate } => {
                out["assumptions"] = json!(assumptions);
                out["points"] = points(certificate);
            }
            Verdict::Bounded { passes, why } => {
                out["passes"] = json!(passes);
                out["reason"] = reason(why);
            }
            Verdict::Refuted(found) => out["counterexample"] = counterexample(found),
            Verdict::Unknown(why) => out["reason"] = reason(why),
            Verdict::Unsupported { what, place } => {
                out["unsupported"] = json!({ "what": what, "place": place });
            }
        }
        out
    }

    /// What the verdict rests on, in one line.
    pub fn headline(&self) -> String {
        match &self.verdict {
            Verdict::Proved(c) => at_points(c),
            Verdict::Conditional { assumptions, certificate } => {
                format!("{}; assuming: {}", at_points(certificate), assumptions.join("; "))
            }
            Verdict::Bounded { passes, why } => format!("up to {passes} passes of each point; {why}"),
            Verdict::Refuted(c) => match c.differences.first() {
                Some(d) => d.clone(),
                None => {
                    let end = |trace: &[String]| trace.last().cloned().unwrap_or_default();
                    format!("{} | {}", end(&c.left), end(&c.right))
                }
            },
            Verdict::Unknown(why) => why.to_string(),
            Verdict::Unsupported { what, .. } => what.clone(),
        }
    }

    /// What comes below the verdict's line: traces, points with their relations, or why there is no answer.
    pub fn details(&self) -> String {
        match &self.verdict {
            Verdict::Proved(c) | Verdict::Conditional { certificate: c, .. } => relations(c),
            Verdict::Bounded { why, .. } | Verdict::Unknown(why) => explain(why),
            Verdict::Refuted(c) => c.to_string(),
            Verdict::Unsupported { .. } => String::new(),
        }
    }
}

fn ms(t: std::time::Duration) -> f64 {
    (t.as_secs_f64() * 1e6).round() / 1e3
}

fn at_points(c: &Certificate) -> String {
    let relations: usize = c.points.iter().map(|p| p.constraints.len()).sum();
    let many = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    format!("{}, {}", many(c.points.len(), "point"), many(relations, "relation"))
}

fn points(c: &Certificate) -> Value {
    let point = |(p, (l, r)): (&crate::SyncPoint, &(String, String))| {
        let relations: Vec<String> = p.constraints.iter().map(ToString::to_string).collect();
        json!({ "left": l, "right": r, "relations": relations })
    };
    c.points.iter().zip(&c.point_names).map(point).collect()
}

fn counterexample(c: &Counterexample) -> Value {
    let inputs: serde_json::Map<String, Value> =
        c.inputs.iter().map(|(n, v)| (n.clone(), Value::from(v.as_str()))).collect();
    json!({
        "inputs": inputs, "left": c.left, "right": c.right,
        "left_path": c.paths[0], "right_path": c.paths[1],
        "first_difference": c.first_difference, "differences": c.differences, "replayed": c.replayed,
    })
}

fn reason(r: &Reason) -> Value {
    json!({
        "what": r.kind.to_string(),
        "at": r.at.as_ref().map(|(l, r)| json!({ "left": l, "right": r })),
        "relation": r.relation, "dropped": r.dropped, "solver": r.solver,
        "costliest": r.costliest.as_ref().map(|(q, t)| json!({ "query": q, "ms": *t as u64 })),
    })
}

fn relations(c: &Certificate) -> String {
    let mut out = String::new();
    for (p, (l, r)) in c.points.iter().zip(&c.point_names) {
        out.push_str(&format!("at {l} / {r}: {}\n", shorten(&p.constraints)));
    }
    out
}

fn explain(r: &Reason) -> String {
    let mut out = format!("open: {}\n", r.kind);
    if let Some((l, right)) = &r.at {
        out.push_str(&format!("from: {l} / {right}\n"));
    }
    if !r.relation.is_empty() {
        out.push_str(&format!("assuming: {}\n", shorten(&r.relation)));
    }
    if !r.dropped.is_empty() {
        out.push_str(&format!("not preserved: {}\n", shorten(&r.dropped)));
    }
    if let Some(s) = &r.solver {
        out.push_str(&format!("solver: {s}\n"));
    }
    if let Some((query, time)) = &r.costliest {
        out.push_str(&format!("costliest query: {query} ({time} ms)\n"));
    }
    out
}

fn shorten<T: ToString>(items: &[T]) -> String {
    let mut out: Vec<String> = items.iter().take(SHOWN).map(ToString::to_string).collect();
    if items.len() > SHOWN {
        out.push(format!("and {} more", items.len() - SHOWN));
    }
    out.join(", ")
}
