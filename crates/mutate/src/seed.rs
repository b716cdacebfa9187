//! Seeds: a program in canonical form, what it does on its inputs, and the profile of that (Hermes, section 4.1).
//!
//! The canonical text is the printed tree; statement numbers of edits are those of its parse. Several inputs make
//! one profile. Each input is also run with operands right to left: a value that C lets a compiler see in another
//! order belongs to the valuation too.

use crate::athena::{Database, Graphs, Names, TypeTable};
use crate::canonical::{own_items, prune};
use crate::edit::Origin;
use crate::places::{Place, Places};
use crate::synth::env::Env;
use crate::walk::places;
use csyntax::ast::{Ast, ExprId, Item, StmtId};
use csyntax::check::Checked;
use csyntax::intern::Symbol;
use csyntax::parse::Parsed;
use csyntax::prefix::Prefix;
use csyntax::source::{Diagnostic, Severity, SourceMap};
use csyntax::target::Target;
use csyntax::tree::{ObjId, Unit};
use machine::profile::{MAX_ROWS, Profile, Range, Seen};
use machine::{Exit, Options, Outcome, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// What a program is given.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// `argv[1..]`
    pub args: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
}

/// Why a program cannot be a seed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refusal {
    /// The text is not a C program.
    #[error("{0}")]
    NotC(String),
    /// It is undefined on an input.
    #[error("{place}: error: undefined behaviour: {detail} [{name}]")]
    Undefined {
        /// Where.
        place: String,
        /// What happened.
        detail: String,
        /// The stable name of the rule.
        name: &'static str,
    },
    /// The machine does not know something it uses, or its behaviour is not a function of its inputs.
    #[error("{0}")]
    Unsupported(String),
    /// It did not end within the budget.
    #[error("{0}")]
    Exhausted(String),
    /// plumb itself failed.
    #[error("{0}")]
    Internal(String),
}

/// What was seen at a statement.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// How often it was reached, over all inputs.
    pub count: u64,
    /// The variables in scope: an object, and where in it the scalar is.
    pub variables: Vec<(ObjId, u64)>,
    /// Distinct rows of values, one column a variable.
    pub rows: Vec<Vec<Seen>>,
    /// Are these all rows there were?
    pub complete: bool,
    /// The range of each variable over all visits; `None` where some visits are not known.
    pub ranges: Option<Vec<Range>>,
}

/// Share of the points whose values are profiled, in a program of many; the others are only counted. Variants draw
/// their points from these, each as often as the probability of a point in the whole calls for, so that the variants
/// of a seed differ in their points although it is profiled once (Hermes, section 4.5.1).
const PROFILED: f64 = 0.25;
/// So many points are profiled in the mean at least, where a program has them.
const LEAST_PROFILED: f64 = 250.0;

/// A program whose variants are wanted.
pub struct Seed {
    /// The canonical text.
    pub text: String,
    /// Its tree.
    pub ast: Ast,
    /// Its checked form.
    pub unit: Unit,
    /// Its statements.
    pub places: Places,
    /// What was seen at each statement that has a point.
    pub points: FxHashMap<StmtId, Point>,
    /// Inputs and what the program does on them.
    pub truth: Vec<(Input, Outcome)>,
    /// Options of its runs.
    pub options: Options,
    /// Steps of the longest run.
    pub steps: u64,
    /// The typed expression that an expression of the tree became: the first, so without implicit conversions.
    pub typed: FxHashMap<ExprId, u32>,
    /// The share of the points whose values were profiled.
    pub profiled: f64,
    /// Names of objects that have another name too (GNU `alias`).
    pub aliased: FxHashSet<Symbol>,
    /// Did numbers made of addresses matter? Then variables that edits add could change them.
    pub addresses_seen: bool,
    /// Is its meaning not the machine's but that of a compiled program (see [`crate::opaque`])? Then it has no values.
    pub opaque: bool,
    own: Vec<bool>,
    statements: OnceLock<Database>,
    type_table: OnceLock<TypeTable>,
    graphs: OnceLock<Graphs>,
    names: OnceLock<Names>,
    promises: OnceLock<Vec<bool>>,
    dead: OnceLock<Vec<u32>>,
    prefix: Option<Prefix>,
    envs: Vec<OnceLock<Option<Box<Env>>>>,
}

/// The refusal that a diagnostic asks for.
fn refused(parsed: &csyntax::parse::Parsed, error: &Diagnostic) -> Refusal {
    let said = parsed.render(error);
    match error.severity {
        Severity::Unsupported => Refusal::Unsupported(said),
        Severity::Error | Severity::Warning => Refusal::NotC(said),
    }
}

/// What stands before the first function of the user's, which is the first that edits can change.
fn prefix(ast: &mut Ast, own: &[bool], target: &Target) -> Option<Prefix> {
    let function = |item: &Item| matches!(item, Item::Function(_));
    let first = ast.items.iter().zip(own).position(|(item, own)| *own && function(item))?;
    let rest = ast.items.split_off(first);
    let text = csyntax::print::print(ast);
    ast.items.extend(rest);
    Prefix::new(text.as_bytes(), target)
}

/// Parses a text, and checks it if it parses.
fn read(prefix: Option<&Prefix>, text: &str, name: &str, target: &Target) -> (Parsed, Option<Checked>) {
    if let Some(prefix) = prefix {
        return prefix.read(text.as_bytes(), name);
    }
    let parsed = csyntax::parse::parse(text.as_bytes(), name);
    let checked = (!parsed.has_errors()).then(|| csyntax::check::check(&parsed.ast, target));
    (parsed, checked)
}

impl Seed {
    /// A name that the program does not use, nor begins others with: variants of variants have those of earlier rounds.
    pub fn unused(&self, stem: String) -> String {
        let mut name = stem;
        while self.ast.names.iter().any(|other| other.starts_with(&name)) {
            name.push('_');
        }
        name
    }

    /// Reads, runs and profiles a preprocessed text. Only functions of the file that was named are mutated.
    pub fn new(text: &[u8], name: &str, options: &Options, inputs: &[Input]) -> Result<Seed, Refusal> {
        let (mut seed, source) = Seed::unprofiled(text, name, options, Severity::refuses)?;
        let nothing = [Input::default()];
        for input in if inputs.is_empty() { &nothing } else { inputs } {
            seed.observe(input, name, &source, text)?;
        }
        seed.profiled();
        Ok(seed)
    }

    /// Ends the profile: what ran is known of every statement.
    pub(crate) fn profiled(&mut self) {
        self.options.profile = false;
        self.options.observed = None;
        if self.addresses_seen {
            self.places.functions.iter_mut().for_each(|f| f.live_edits = false);
        }
        self.places.mark_dead(&self.ast, &self.points);
        self.envs.resize_with(self.places.all.len(), OnceLock::new);
    }

    /// Reads a preprocessed text, in which no diagnostic is as bad as `refuses` says. Nothing is known of its runs.
    pub(crate) fn unprofiled(
        text: &[u8],
        name: &str,
        options: &Options,
        refuses: fn(Severity) -> bool,
    ) -> Result<(Seed, SourceMap), Refusal> {
        let mut parsed = csyntax::parse::parse(text, name);
        if let Some(error) = parsed.diagnostics.iter().find(|d| refuses(d.severity)) {
            return Err(refused(&parsed, error));
        }
        let mut own = own_items(&parsed.ast, &parsed.source);
        prune(&mut parsed.ast, &mut own);
        let canonical = csyntax::print::print(&parsed.ast);
        let prefix = prefix(&mut parsed.ast, &own, &options.target);
        let (again, checked) = read(prefix.as_ref(), &canonical, name, &options.target);
        let Some(checked) = checked.filter(|_| again.ast.items.len() == parsed.ast.items.len()) else {
            return Err(Refusal::Internal(format!("{name}: the printed program does not read back")));
        };
        let sound = !checked.diagnostics.iter().any(|d| refuses(d.severity));
        let Some(unit) = checked.unit.filter(|_| sound) else {
            // Places of messages are those of the text as it was given.
            let given = csyntax::check::check(&parsed.ast, &options.target);
            return Err(match given.diagnostics.iter().find(|d| refuses(d.severity)) {
                Some(error) => refused(&parsed, error),
                None => Refusal::Internal(format!("{name}: the printed program does not check")),
            });
        };
        let mut typed = FxHashMap::with_capacity_and_hasher(again.ast.exprs.len(), Default::default());
        for (index, expr) in unit.exprs.iter().enumerate() {
            typed.entry(expr.origin).or_insert(index as u32);
        }
        let mutated: FxHashSet<_> = (again.ast.items.iter().zip(&own))
            .filter_map(|(item, own)| match item {
                csyntax::ast::Item::Function(id) if *own => Some(*id),
                _ => None,
            })
            .collect();
        let places = places(&again.ast, &unit, &own);
        let profiled = PROFILED.max(LEAST_PROFILED / places.all.len().max(1) as f64).min(1.0);
        let profile_rate = (profiled * 65536.0).round() as u32;
        let aliased = unit.objects.iter().filter_map(|o| o.alias).collect();
        let mut seed = Seed {
            places,
            aliased,
            text: canonical,
            ast: again.ast,
            unit,
            points: FxHashMap::default(),
            truth: Vec::new(),
            options: Options { profile: true, profile_rate, ..options.clone() },
            profiled,
            steps: 0,
            typed,
            addresses_seen: false,
            opaque: false,
            own,
            statements: OnceLock::new(),
            type_table: OnceLock::new(),
            graphs: OnceLock::new(),
            names: OnceLock::new(),
            promises: OnceLock::new(),
            dead: OnceLock::new(),
            prefix,
            envs: Vec::new(),
        };
        // What functions of other files do is seen where they are called.
        let user = |f: &csyntax::tree::Function| f.origin.is_some_and(|id| mutated.contains(&id));
        seed.options.observed = Some(seed.unit.functions.iter().map(user).collect());
        crate::purity::mark(&seed.ast, &seed.unit, &seed.typed, &mut seed.places);
        crate::promise::mark(&seed.ast, &seed.unit, &seed.typed, &seed.text, &mut seed.places);
        Ok((seed, parsed.source))
    }

    /// The statements of the program itself, as a database.
    pub fn own_statements(&self) -> &Database {
        self.statements.get_or_init(|| {
            let mut database = Database::default();
            database.learn_unit(&self.text, &self.ast, &self.unit, &self.own);
            database
        })
    }

    /// Its type definitions at file scope.
    pub fn type_table(&self) -> &TypeTable {
        self.type_table.get_or_init(|| TypeTable::of(&self.ast))
    }

    /// The control-flow graphs of its functions.
    pub fn graphs(&self) -> &Graphs {
        self.graphs.get_or_init(|| Graphs::of(&self.ast, self.places.bodies()))
    }

    /// What is known of the variables where a statement begins; `None` where nothing is for sure.
    pub fn env(&self, place: &Place) -> Option<&Env> {
        let index = self.places.index(place.stmt)?;
        self.envs.get(index)?.get_or_init(|| Env::of(self, place).map(Box::new)).as_deref()
    }

    /// Of each function, whether the machine finds its parameters `restrict` on all inputs.
    pub fn promises(&self) -> &[bool] {
        self.promises.get_or_init(|| crate::promise::proved(self))
    }

    /// What inserted statements can be bound to.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(self))
    }

    fn observe(&mut self, input: &Input, name: &str, source: &SourceMap, text: &[u8]) -> Result<(), Refusal> {
        let options =
            Options { args: input.args.clone(), stdin: input.stdin.clone(), ..self.options.clone() };
        let machine::Runs { mut run, moved, mirrored } = machine::runs(&self.unit, &options);
        if let Verdict::Defined(outcome) = &mut run.verdict {
            // What depends on addresses is not known of a variant, whose objects may lie elsewhere.
            self.addresses_seen |= outcome.address_dependent;
            outcome.address_dependent = moved.as_ref().is_some_and(|moved| moved.differs(outcome));
            outcome.order_dependent = mirrored.as_ref().is_some_and(|mirrored| mirrored.differs(outcome));
            if let Some(moved) = &moved {
                forget_differing(&mut run.profile, &moved.profile);
            }
        }
        let outcome = self.accept(run.verdict, name, source, text, &options)?;
        self.steps = self.steps.max(run.steps);
        self.merge(run.profile);
        mirrored.into_iter().for_each(|mirrored| self.merge(mirrored.profile));
        self.truth.push((input.clone(), outcome));
        Ok(())
    }

    fn accept(
        &self,
        verdict: Verdict,
        name: &str,
        source: &SourceMap,
        text: &[u8],
        options: &Options,
    ) -> Result<Outcome, Refusal> {
        match verdict {
            Verdict::Defined(outcome) if outcome.address_dependent => {
                Err(Refusal::Unsupported(format!("{name}: its behaviour depends on where objects lie")))
            }
            Verdict::Defined(outcome) if outcome.order_dependent => Err(Refusal::Unsupported(format!(
                "{name}: its behaviour depends on an order of evaluation that C leaves open"
            ))),
            Verdict::Defined(outcome) => Ok(outcome),
            // Spans are those of the canonical text: run the text as it was given for a place the user knows.
            Verdict::Undefined { ub, detail, span, .. } => {
                let given = csyntax::parse::parse(text, name);
                let unit = csyntax::check::check(&given.ast, &options.target).unit;
                let plain = Options { profile: false, ..options.clone() };
                let place = match unit.map(|unit| machine::run(&unit, &plain).verdict) {
                    Some(Verdict::Undefined { span, .. }) => source.place(span.lo).to_string(),
                    Some(Verdict::Defined(_) | Verdict::Unsupported { .. } | Verdict::Exhausted(_))
                    | None => SourceMap::new(name, self.text.as_bytes()).place(span.lo).to_string(),
                };
                Err(Refusal::Undefined { place, detail, name: ub.name() })
            }
            Verdict::Unsupported { what, .. } => {
                Err(Refusal::Unsupported(format!("{name}: not supported: {what}")))
            }
            Verdict::Exhausted(budget) => Err(Refusal::Exhausted(format!(
                "{name}: it does not end within its budget of {}",
                format!("{budget:?}").to_lowercase()
            ))),
        }
    }

    fn merge(&mut self, profile: Profile) {
        // A declaration of several names has several points: the first is where it begins.
        let mut met = FxHashSet::default();
        for (desc, mut seen) in profile.points.into_iter().zip(profile.seen) {
            let first = met.insert(desc.stmt);
            let point = self.points.entry(desc.stmt).or_insert_with(|| Point {
                variables: desc.variables.iter().map(|v| (v.object, v.offset)).collect(),
                complete: true,
                ranges: Some(vec![Range::default(); desc.variables.len()]),
                ..Point::default()
            });
            point.count += seen.count;
            if !first {
                continue;
            }
            let whole = seen.rows.len() < MAX_ROWS;
            point.complete &= whole;
            point.ranges = match (point.ranges.take(), &seen.ranges) {
                (Some(mut ranges), Some(more)) => {
                    ranges.iter_mut().zip(more).for_each(|(range, more)| range.join(more));
                    Some(ranges)
                }
                (Some(mut ranges), None) if whole => {
                    for row in &seen.rows {
                        ranges.iter_mut().zip(row).for_each(|(range, seen)| range.add(*seen));
                    }
                    Some(ranges)
                }
                (Some(_), None) | (None, _) => None,
            };
            if point.rows.is_empty() {
                point.rows = std::mem::take(&mut seen.rows);
                continue;
            }
            for row in seen.rows {
                if row.len() == point.variables.len() && !point.rows.contains(&row) {
                    point.rows.push(row);
                }
            }
        }
    }

    /// Parses the text of a variant, and checks it if it parses. What stands before the first function that edits can
    /// change is known from the seed.
    pub fn read(&self, text: &str) -> (Parsed, Option<Checked>) {
        read(self.prefix.as_ref(), text, "variant.c", &self.options.target)
    }

    /// The text of a list of edits.
    pub fn replay(&self, edits: &[crate::Edit]) -> Result<String, crate::edit::Misfit> {
        Ok(crate::edit::apply(&self.text, |stmt| self.places.site(stmt), edits)?.text)
    }

    /// Where statements begin in a variant's text that are not expected to run: those of the seed that do not, and the
    /// bodies of false blocks. `None` if the text is not that of the edits.
    pub fn cold(&self, text: &str, edits: &[crate::Edit]) -> Option<Vec<(u32, u32)>> {
        let applied = crate::edit::apply(&self.text, |stmt| self.places.site(stmt), edits).ok()?;
        if applied.text != text {
            return None;
        }
        let dead = self.dead.get_or_init(|| self.places.dead());
        let ends = applied.parts.iter().skip(1).map(|part| part.0).chain([text.len() as u32]);
        let mut cold = Vec::new();
        for (&(lo, origin), hi) in applied.parts.iter().zip(ends) {
            match origin {
                Origin::Seed(from) => {
                    let first = dead.partition_point(|at| *at < from);
                    let here = dead[first..].iter().take_while(|at| **at < from + (hi - lo));
                    cold.extend(here.map(|at| (at - from + lo, at - from + lo + 1)));
                }
                Origin::Edit(edit) if edits[edit].strategy == crate::strategies::hermes::FALSE_BLOCK => {
                    let code = text.get(lo as usize..hi as usize).unwrap_or_default();
                    // A block around it, where the edit is no item of one, runs.
                    let around = code.len() - code.trim_start_matches(['{', ' ']).len();
                    let body = code[around..].find('{').map(|body| around + body);
                    cold.extend(body.map(|body| (lo + body as u32, hi)));
                }
                Origin::Edit(_) => {}
            }
        }
        Some(cold)
    }

    /// Exit status and signal as one number, for comparison in messages.
    pub fn exit_text(exit: Exit) -> String {
        match exit {
            Exit::Code(code) => format!("exit status {code}"),
            Exit::Signal(signal) => format!("signal {signal}"),
        }
    }
}

/// Makes unknown what was seen otherwise in a run with objects at other addresses.
fn forget_differing(profile: &mut Profile, moved: &Profile) {
    for ((desc, seen), other) in profile.points.iter().zip(&mut profile.seen).zip(&moved.seen) {
        if seen.rows == other.rows && seen.ranges == other.ranges {
            continue;
        }
        for column in 0..desc.variables.len() {
            let values = |rows: &[Vec<Seen>]| rows.iter().map(|row| row[column]).collect::<FxHashSet<Seen>>();
            let range = |ranges: &Option<Vec<Range>>| ranges.as_ref().map(|ranges| ranges[column]);
            if values(&seen.rows) == values(&other.rows) && range(&seen.ranges) == range(&other.ranges) {
                continue;
            }
            seen.rows.iter_mut().for_each(|row| row[column] = Seen::Indeterminate);
            if let Some(ranges) = &mut seen.ranges {
                ranges[column].other = true;
            }
        }
    }
}
