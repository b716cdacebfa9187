//! Edits: what a variant is. Each is keyed by the statement of the seed it changes, so a list of them can be
//! replayed, written as JSON lines, and cut down to any subset, which is again a variant.

use csyntax::ast::StmtId;
use csyntax::source::Span;
use serde::{Deserialize, Serialize};

/// One change of the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edit {
    /// The strategy that made it, and where it has several kinds, which: `orion`, `hermes/tcb`.
    pub strategy: String,
    /// The statement of the seed, by its number in the canonical text.
    pub at: u32,
    /// What is done there.
    #[serde(flatten)]
    pub change: Change,
}

/// Kinds of edits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// The statement and all in it is replaced by a text (a statement too).
    Replace {
        /// What stands there instead.
        with: String,
    },
    /// Statements are put in front of it.
    Before {
        /// The statements.
        code: String,
    },
    /// Statements are put next to it, behind and inside whatever other edits put around it: they may change the state
    /// that those were made for.
    Next {
        /// The statements.
        code: String,
    },
    /// It is enclosed: `head { statement }`.
    Wrap {
        /// What stands in front of the opening brace.
        head: String,
    },
    /// As `Expression`, with a function put in front of the one that the statement is in.
    Function {
        /// The function's definition.
        code: String,
        /// See `Expression`.
        lo: u32,
        /// See `Expression`.
        hi: u32,
        /// See `Expression`.
        before: String,
        /// See `Expression`.
        after: String,
    },
    /// As `Before`, with definitions put in front of the function that the statement is in.
    Define {
        /// The definitions.
        definitions: String,
        /// The statements.
        code: String,
    },
    /// A qualifier is put in front of the name of a parameter. The statement is the function's body.
    Parameter {
        /// First byte of the name in the canonical text.
        lo: u32,
        /// What is put in front of it.
        before: String,
    },
    /// The value of an expression in it is changed to another expression of the same value.
    Expression {
        /// First byte of the expression in the canonical text.
        lo: u32,
        /// One past its last byte.
        hi: u32,
        /// What is put in front of it.
        before: String,
        /// What is put behind it.
        after: String,
    },
}

/// What the splicer has to know of a statement.
#[derive(Copy, Clone, Debug)]
pub struct Site {
    /// Its bytes in the canonical text.
    pub span: Span,
    /// Does it stand directly in a block (where declarations and several statements may stand)?
    pub in_block: bool,
    /// Where the function around it begins.
    pub function: u32,
}

/// An edit that has no place in the seed.
#[derive(Debug, thiserror::Error)]
#[error("edit {index} of the log does not fit this program: {why}")]
pub struct Misfit {
    /// Its position in the list.
    pub index: usize,
    /// What is wrong.
    pub why: &'static str,
}

/// Text to be put at a place.
struct Mark<'a> {
    place: u32,
    /// Among those of one place: expressions close, statements close, insertions and openings, replacements,
    /// expressions open.
    kind: u8,
    /// Among those of one kind: the larger node opens first and closes last.
    order: i64,
    text: std::borrow::Cow<'a, str>,
    /// Where the text goes on, for replacements.
    skip_to: Option<u32>,
    /// The edit it comes from.
    edit: usize,
}

/// Where a part of a variant's text comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// From this place of the seed on.
    Seed(u32),
    /// From this edit.
    Edit(usize),
}

/// A variant's text, and of which parts it is made: where each begins, in order.
pub struct Applied {
    /// The text.
    pub text: String,
    /// The parts.
    pub parts: Vec<(u32, Origin)>,
}

/// Applies edits to the canonical text. Edits inside a replaced statement vanish with it.
pub fn apply(text: &str, site: impl Fn(StmtId) -> Option<Site>, edits: &[Edit]) -> Result<Applied, Misfit> {
    let mut sites = Vec::with_capacity(edits.len());
    for (index, edit) in edits.iter().enumerate() {
        let misfit = |why| Misfit { index, why };
        let found = site(StmtId(edit.at)).ok_or_else(|| misfit("there is no such statement"))?;
        if found.span.lo >= found.span.hi
            || text.get(found.span.lo as usize..found.span.hi as usize).is_none()
        {
            return Err(misfit("the statement has no text"));
        }
        sites.push(found);
    }
    let cuts = outermost(edits, &sites);
    let mut marks: Vec<Mark> = Vec::new();
    for (index, (edit, Site { span, in_block, function })) in edits.iter().zip(&sites).enumerate() {
        let cut = cuts.partition_point(|cut| cut.hi < span.hi);
        let around = cuts.get(cut).filter(|cut| cut.lo <= span.lo && span.hi <= cut.hi);
        if around.is_some_and(|cut| cut != span) {
            continue;
        }
        let order = |lo: u32, hi: u32| -(i64::from(hi - lo) << 20) + index as i64;
        let mut mark = |place, kind, order, text: std::borrow::Cow<'_, str>| {
            let text = text.into_owned().into();
            marks.push(Mark { place, kind, order, text, skip_to: None, edit: index });
        };
        let key = order(span.lo, span.hi);
        match &edit.change {
            Change::Replace { with } => {
                let text = with.as_str().into();
                let skip_to = Some(span.hi);
                marks.push(Mark { place: span.lo, kind: 3, order: key, text, skip_to, edit: index });
            }
            // Other edits of the statement are no more than this, and those of shorter ones come later.
            Change::Next { code } => {
                let key = key + (1 << 19);
                let (open, close) = if *in_block { ("", "") } else { ("{ ", "}") };
                mark(span.lo, 2, key, format!("{open}{code}\n").into());
                mark(span.hi, 1, -key, close.into());
            }
            Change::Before { code } | Change::Define { code, .. } => {
                let (open, close) = if *in_block { ("", "") } else { ("{ ", "}") };
                mark(span.lo, 2, key, format!("{open}{code}\n").into());
                mark(span.hi, 1, -key, close.into());
                if let Change::Define { definitions, .. } = &edit.change {
                    mark(*function, 2, index as i64, format!("{definitions}\n").into());
                }
            }
            // An `else` that follows belongs to the `if` around, not to one in the head.
            Change::Wrap { head } => {
                let (open, close) = if *in_block { ("", "}") } else { ("{ ", "} }") };
                mark(span.lo, 2, key, format!("{open}{head} {{\n").into());
                mark(span.hi, 1, -key, close.into());
            }
            Change::Parameter { lo, before } => {
                if *lo < *function || *lo >= span.lo || !text.is_char_boundary(*lo as usize) {
                    return Err(Misfit { index, why: "there is no such parameter" });
                }
                mark(*lo, 4, index as i64, before.as_str().into());
            }
            Change::Expression { lo, hi, before, after } | Change::Function { lo, hi, before, after, .. } => {
                if lo >= hi
                    || *lo < span.lo
                    || *hi > span.hi
                    || text.get(*lo as usize..*hi as usize).is_none()
                {
                    return Err(Misfit { index, why: "the expression is not inside the statement" });
                }
                if around.is_none() {
                    if let Change::Function { code, .. } = &edit.change {
                        mark(*function, 2, index as i64, format!("{code}\n").into());
                    }
                    mark(*lo, 4, order(*lo, *hi), before.as_str().into());
                    mark(*hi, 0, -order(*lo, *hi), after.as_str().into());
                }
            }
        }
    }
    marks.sort_by_key(|mark| (mark.place, mark.kind, mark.order));
    Ok(splice(text, &marks))
}

/// The replaced statements that are in no other one, in order.
fn outermost(edits: &[Edit], sites: &[Site]) -> Vec<Span> {
    let replaced = edits.iter().zip(sites).filter(|(edit, _)| matches!(edit.change, Change::Replace { .. }));
    let mut cuts: Vec<Span> = replaced.map(|(_, site)| site.span).collect();
    cuts.sort_by_key(|cut| (cut.lo, std::cmp::Reverse(cut.hi)));
    let mut outer: Vec<Span> = Vec::new();
    for cut in cuts {
        if outer.last().is_none_or(|last| cut.lo >= last.hi) {
            outer.push(cut);
        }
    }
    outer
}

fn splice(text: &str, marks: &[Mark]) -> Applied {
    let mut out = String::with_capacity(text.len() + marks.iter().map(|m| m.text.len()).sum::<usize>());
    let mut parts = Vec::with_capacity(2 * marks.len() + 1);
    let mut at = 0;
    for mark in marks {
        let place = mark.place as usize;
        // The second replacement of one statement finds it gone.
        if place < at {
            continue;
        }
        parts.push((out.len() as u32, Origin::Seed(at as u32)));
        out.push_str(&text[at..place]);
        at = mark.skip_to.map_or(place, |to| to as usize);
        parts.push((out.len() as u32, Origin::Edit(mark.edit)));
        let mut lines = mark.text.split('\n');
        out.push_str(lines.next().unwrap_or_default());
        for line in lines {
            out.push('\n');
            out.push_str(indentation(text, place));
            out.push_str(line);
        }
    }
    parts.push((out.len() as u32, Origin::Seed(at as u32)));
    out.push_str(&text[at..]);
    Applied { text: out, parts }
}

/// The blanks that the line around a place begins with.
fn indentation(text: &str, place: usize) -> &str {
    let line = &text[text[..place].rfind('\n').map_or(0, |end| end + 1)..place];
    &line[..line.len() - line.trim_start_matches(' ').len()]
}

/// The log of a variant: one JSON object a line.
pub fn to_log(edits: &[Edit]) -> String {
    let line = |edit: &Edit| serde_json::to_string(edit).unwrap_or_default() + "\n";
    edits.iter().map(line).collect()
}

/// Reads a log.
pub fn from_log(log: &str) -> Result<Vec<Edit>, serde_json::Error> {
    log.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect()
}
