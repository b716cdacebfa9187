//! Random C programs of known meaning: self-contained, never undefined, always ending (thesis chapters 3 and 4).
//!
//! [`generate`] draws a program from a seed, [`replay`] from recorded choices. Both are functions of their arguments
//! and the version alone. A program prints one line, the checksum of its global variables, and exits with 0.

pub mod analysis;
mod arith;
mod builder;
mod checksum;
pub mod choices;
pub mod command_line;
mod constructs;
mod declare;
mod exhaustive;
mod expr;
mod floats;
pub mod flow;
mod functions;
mod loops;
mod lvalue;
pub mod manual;
pub mod model;
mod named;
pub mod options;
pub mod peer_options;
mod records;
pub mod rewrite;
mod spelling;
mod step_hash;
mod syntax;
mod units;
mod vectors;
mod wide;
mod wrappers;

pub use builder::Stats;
pub use checksum::Ending;
pub use choices::{ChoicesError, read_choices, shortened, write_choices};
pub use exhaustive::Exhaustive;
pub use options::{Limit, OptionError, Options, SWITCHES, SafeMath, Switch};
pub use rewrite::Guard;

use builder::Gen;
use choices::Choices;
use csyntax::ast::{Ast, FnId, Item};

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The syntax.
    pub ast: Ast,
    /// Every choice in order; [`replay`] makes the same program of them.
    pub choices: Vec<u32>,
    /// What it consists of.
    pub stats: Stats,
    /// The calls of guards in it.
    pub guards: Vec<Guard>,
    /// The functions that guards call.
    pub wrappers: Vec<FnId>,
    /// Where `main` prints and returns, if there is one.
    pub ending: Option<Ending>,
    /// Which of [`Options::late`] it has.
    pub late: Vec<Switch>,
    /// Are constants that can be changed to be marked in the text?
    marks: bool,
    /// How the text is spelled.
    spelling: spelling::Spelling,
}

impl Program {
    /// The program as C text.
    pub fn text(&self) -> String {
        if self.marks { self.printed(&self.marked()) } else { self.printed(&self.ast) }
    }

    fn printed(&self, ast: &Ast) -> String {
        self.spelling.of(csyntax::print::print(ast))
    }
}

/// The program of a seed.
pub fn generate(seed: u64, options: &Options) -> Program {
    with_record(run(Choices::from_seed(seed), options))
}

/// The program of a sequence of choices, recorded or made up.
pub fn replay(choices: &[u32], options: &Options) -> Program {
    let choices = choices.to_vec();
    let choices = if options.exhaustive { Choices::bounded(choices) } else { Choices::replay(choices) };
    with_record(run(choices, options))
}

fn with_record((program, choices): (Program, Choices)) -> Program {
    Program { choices: choices.into_recorded(), ..program }
}

/// The program without its record of choices, and the choices it was made of.
fn run(mut choices: Choices, options: &Options) -> (Program, Choices) {
    let mut drawn = options.drawn(&mut choices);
    drawn.silence_late();
    let mut gen_ = Gen::new(&drawn, choices);
    gen_.declare_types();
    gen_.declare_globals();
    constructs::sweep::of_main(&mut gen_);
    let mut before = gen_.state.clone();
    let mut tops = vec![gen_.top_function()];
    let enough = drawn.limit(Limit::Tokens) * 4 / 5;
    while gen_.tokens < enough
        && (gen_.functions.len() as u64) < drawn.limit(Limit::MaxFuncs)
        && !gen_.choices.exhausted()
        && gen_.steps_left() > 1000
    {
        // Nothing asks for the facts after the last one.
        gen_.run_top(tops[tops.len() - 1], before);
        before = gen_.state.clone();
        tops.push(gen_.top_function());
    }
    finish(gen_, &tops)
}

/// What the program has of newer compilers' C. That of C23 is spelled so throughout.
fn late(gen_: &Gen) -> Vec<Switch> {
    // Each is a function, which stays where the call that it was made for is taken back.
    let used = |switch| gen_.helpers.iter().any(|helper| constructs::late(helper.construct) == Some(switch));
    Options::late().filter(|switch| gen_.on(*switch) && (*switch == Switch::C23 || used(*switch))).collect()
}

fn finish(mut gen_: Gen, tops: &[flow::FnIx]) -> (Program, Choices) {
    gen_.materialise();
    let (list, identified) = (gen_.opts.kept_guards.clone(), gen_.on(Switch::IdentifyWrappers));
    let printf = gen_.declare_printf();
    let abort = gen_.on(Switch::Paranoid).then(|| gen_.declare_abort());
    let mut items = std::mem::take(&mut gen_.type_items);
    items.push(printf);
    items.extend(abort);
    let (crc, mix) = gen_.mixer();
    items.extend([Item::Decl(crc), Item::Function(mix)]);
    items.extend(gen_.wrapper_defs.iter().map(|f| Item::Function(*f)));
    items.extend(gen_.global_decls.iter().map(|d| Item::Decl(*d)));
    items.extend(gen_.helper_defs.iter().map(|f| Item::Function(*f)));
    items.append(&mut gen_.prototypes());
    items.extend(gen_.step_hash().into_iter().flatten());
    items.extend(gen_.table_decls.iter().map(|d| Item::Decl(*d)));
    items.extend(gen_.functions.iter().filter_map(|f| f.def).map(Item::Function));
    let mut ending = None;
    if gen_.on(Switch::Main) {
        let (main, end) = gen_.main_function(tops);
        items.push(Item::Function(main));
        ending = Some(end);
    }
    gen_.ast.items = items;
    let marks = gen_.on(Switch::MarkMutable);
    let spelling = spelling::Spelling { c23: gen_.on(Switch::C23), jumps: gen_.on(Switch::Musttail) };
    let names = constructs::STATEMENTS.iter().map(|c| c.name);
    let names = names.chain(constructs::EXPRESSIONS.iter().map(|c| c.name));
    gen_.stats.constructs = names.zip(gen_.used_constructs.iter().copied()).collect();
    gen_.stats.steps = gen_.used;
    gen_.stats.tokens = gen_.tokens;
    let late = late(&gen_);
    let mut program = Program {
        ast: gen_.ast,
        choices: Vec::new(),
        stats: gen_.stats,
        guards: gen_.guards,
        late,
        marks,
        spelling,
        wrappers: gen_.wrapper_defs,
        ending,
    };
    if let Some(kept) = list {
        program.keep_guards(|number| kept.contains(&number));
    }
    if identified {
        program.identify_guards();
    }
    (program, gen_.choices)
}
