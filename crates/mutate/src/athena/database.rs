//! Statements taken from a corpus, each with the context it needs: variables and functions by type, labels, what may
//! be jumped out of, and the type definitions that its text names.

use super::cut::Cutter;
use super::flow::Shape;
use crate::canonical::own_items;
use csyntax::ast::{Ast, Item};
use csyntax::target::Target;
use csyntax::tree::Unit;
use rustc_hash::FxHashSet;
use std::hash::{Hash, Hasher};

/// Statements kept.
const MOST: usize = 50_000;

/// A part of a statement's text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// The name of what is bound to this hole.
    Hole(usize),
    /// The name of a label of the function around it.
    Outer(usize),
    /// The name of a label of its own, which must be new.
    Own(usize),
}

/// What a hole must be bound to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Hole {
    /// Its declaration, with `$` for the name. For functions, that of the function.
    pub declaration: String,
    /// The same as a pointer to it: functions only.
    pub pointer: Option<String>,
    /// Is its address taken?
    pub addressed: bool,
}

/// What `return` statements in it give back.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Returns {
    /// There are none.
    Never,
    /// Nothing.
    Nothing,
    /// A number.
    Number,
}

/// A statement that can be put elsewhere.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Its text.
    pub parts: Vec<Part>,
    /// What it is bound to.
    pub holes: Vec<Hole>,
    /// How many labels it jumps to that are not its own.
    pub outer: usize,
    /// Has it a `break` or `continue` that leaves it?
    pub breaks: bool,
    /// See `breaks`.
    pub continues: bool,
    /// Its `return` statements.
    pub returns: Returns,
    /// The names that it declares itself, and those of its types.
    pub declares: Vec<String>,
    /// Definitions that its types need, in order: name and text.
    pub types: Vec<(String, String)>,
    /// Its control flow.
    pub shape: Shape,
}

/// A statement database.
#[derive(Clone, Debug, Default)]
pub struct Database {
    /// The statements.
    pub fragments: Vec<Fragment>,
    known: FxHashSet<(Vec<Part>, Vec<Hole>)>,
}

impl Database {
    /// Adds the statements of a preprocessed program and says how many were new. A text that is no C program adds
    /// none.
    pub fn learn(&mut self, text: &[u8], name: &str, target: &Target) -> usize {
        let parsed = csyntax::parse::parse(text, name);
        if parsed.has_errors() {
            return 0;
        }
        let own = own_items(&parsed.ast, &parsed.source);
        let canonical = csyntax::print::print(&parsed.ast);
        self.learn_canonical(&canonical, Some(&own), name, target)
    }

    /// As [`Database::learn`], of a text in canonical form that has no headers: a generated program, as it is printed.
    pub fn learn_printed(&mut self, text: &str, name: &str, target: &Target) -> usize {
        self.learn_canonical(text, None, name, target)
    }

    /// Adds the statements of a text in canonical form: of the items that `own` says so of, or of all.
    fn learn_canonical(
        &mut self,
        canonical: &str,
        own: Option<&[bool]>,
        name: &str,
        target: &Target,
    ) -> usize {
        let again = csyntax::parse::parse(canonical.as_bytes(), name);
        debug_assert!(again.has_errors() || csyntax::print::print(&again.ast) == canonical, "not canonical");
        let all = vec![true; again.ast.items.len()];
        let own = own.unwrap_or(&all);
        if again.has_errors() || again.ast.items.len() != own.len() {
            return 0;
        }
        let checked = csyntax::check::check(&again.ast, target);
        let Some(unit) = checked.unit else { return 0 };
        if checked.diagnostics.iter().any(|d| d.severity.refuses()) {
            return 0;
        }
        self.learn_unit(canonical, &again.ast, &unit, own)
    }

    /// Adds the statements of functions of a checked program whose items `own` says so of.
    pub fn learn_unit(&mut self, text: &str, ast: &Ast, unit: &Unit, own: &[bool]) -> usize {
        let before = self.fragments.len();
        let cutter = Cutter::new(text, ast, unit);
        for (item, own) in ast.items.iter().zip(own) {
            if let (Item::Function(id), true) = (item, own) {
                for stmt in cutter.statements(*id).unwrap_or_default() {
                    if self.fragments.len() >= MOST {
                        break;
                    }
                    if let Some(fragment) = cutter.cut(stmt)
                        && self.known.insert((fragment.parts.clone(), fragment.holes.clone()))
                    {
                        self.fragments.push(fragment);
                    }
                }
            }
        }
        self.fragments.len() - before
    }

    /// A number that other statements, or another order of them, would have another one of.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        for fragment in &self.fragments {
            (&fragment.parts, &fragment.holes).hash(&mut hasher);
        }
        hasher.finish()
    }
}
