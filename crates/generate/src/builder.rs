//! The state of one generation, and how statements and blocks are committed (thesis sections 3.4 and 4.3.2).

use crate::analysis::effects::Effect;
use crate::analysis::transfer::{FnFlow, Invalid, State, Transfer, World};
use crate::choices::Choices;
use crate::constructs;
use crate::flow::{BlockId, Flow, FnIx, LabelId, NodeId, ValId};
use crate::model::{Model, Range, TyId, VarId};
use crate::options::{Limit, Options, Switch};
use crate::wrappers::Wrapper;
use csyntax::ast::{Ast, ExprId, StmtId, StmtKind};
use csyntax::intern::Symbol;
use rustc_hash::FxHashMap;

/// An expression with all that is known of it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Ex {
    /// The syntax.
    pub id: ExprId,
    /// Its C type; bit-fields have their promoted type.
    pub ty: TyId,
    /// Its values, for integers.
    pub range: Range,
    /// What evaluating it does.
    pub node: NodeId,
    /// What it is, for pointers and records.
    pub val: ValId,
    /// Is it a bit-field, whose type as the result of `,` or `=` compilers disagree on?
    pub bits: bool,
}

/// A statement of a block.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Item {
    /// One statement.
    One(StmtId),
    /// A statement, a label, statements without braces, a jump back to the label.
    Back {
        /// What comes before the label.
        first: StmtId,
        /// The labelled statement.
        target: StmtId,
        /// The statements.
        group: BlockId,
        /// The jump.
        jump: StmtId,
    },
    /// As `Back`, with a jump past the first part of the statements.
    Into {
        /// What comes before the first part: the jump and the labelled statement too.
        first: [StmtId; 3],
        /// The first part.
        skipped: BlockId,
        /// The labelled statement between both.
        middle: StmtId,
        /// The second part.
        group: BlockId,
        /// The jump back.
        jump: StmtId,
    },
    /// Two statements.
    Pair(StmtId, StmtId),
    /// Statements of a block without braces, and the labelled statement behind them.
    Group(BlockId, StmtId),
}

/// A statement just built.
pub(crate) struct Built {
    /// The syntax.
    pub item: Item,
    /// The flow.
    pub node: NodeId,
    /// Did building it already move the running facts past it?
    pub done: bool,
    /// A variable that can be used after it.
    pub declares: Option<VarId>,
}

/// A block that generation is inside of.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Which.
    pub block: BlockId,
    /// Variables that can be seen from here on.
    pub vars: Vec<VarId>,
    /// Is it a true scope, and not a group of statements between jump and label?
    pub real: bool,
}

/// A loop counter that can be read within its loop.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Counter {
    /// The variable.
    pub var: VarId,
    /// Its values in the body.
    pub range: Range,
}

/// The function under generation.
#[derive(Clone, Debug)]
pub(crate) struct FnCx {
    /// Which.
    pub fx: FnIx,
    /// What it returns.
    pub ret: TyId,
    /// Its blocks, outermost first.
    pub scopes: Vec<Scope>,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// How often the present place runs, at most, per call.
    pub turns: u64,
    /// How often the function is called from where it is generated.
    pub calls: u64,
    /// Its cost so far, per call.
    pub cost: u64,
    /// Counters of the loops around.
    pub counters: Vec<Counter>,
    /// Loops around; `continue` is possible in them.
    pub loops: u32,
    /// Loops and switches around; `break` is possible in them.
    pub breakable: u32,
    /// What the full expression under construction did so far.
    pub effects: Vec<Effect>,
    /// Labels that can be jumped to from here.
    pub labels: Vec<(LabelId, Symbol)>,
    /// No statement is added once the program has this many tokens.
    pub token_limit: u64,
    /// No statement is added once the program uses this many evaluations.
    pub step_limit: u64,
    /// Only expressions without calls and side effects, as optimisers of loops like them.
    pub pure: bool,
    /// Functions that wait for this one.
    pub nesting: u32,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct FnInfo {
    /// Its name.
    pub name: Symbol,
    /// What it returns.
    pub ret: TyId,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// Is it complete, so that it can be called?
    pub done: bool,
    /// Bound on the evaluations of one call.
    pub cost: u64,
    /// The definition.
    pub def: Option<csyntax::ast::FnId>,
}

/// What a program consists of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Functions besides main.
    pub functions: u32,
    /// Statements.
    pub statements: u32,
    /// Statements that the transfer function rejected.
    pub rejected: u32,
    /// Statements dropped by backtracking out of loops.
    pub backtracked: u32,
    /// Bound on the evaluations of a run.
    pub steps: u64,
    /// Estimated tokens.
    pub tokens: u64,
    /// How often each construct was used.
    pub constructs: Vec<(&'static str, u32)>,
}

/// One generation.
pub(crate) struct Gen<'o> {
    pub opts: &'o Options,
    /// The sums of the weights of statements and of expressions.
    pub totals: (u32, u32),
    pub choices: Choices,
    pub ast: Ast,
    pub model: Model,
    pub flow: Flow,
    pub transfer: Transfer,
    /// Facts at the present place.
    pub state: State,
    pub cx: FnCx,
    pub functions: Vec<FnInfo>,
    pub fn_flow: Vec<FnFlow>,
    pub globals: Vec<VarId>,
    /// Variables that only their construct writes, and that the checksum has all the same.
    pub hashed: Vec<VarId>,
    /// What `main` does first.
    pub main_sweeps: Vec<StmtId>,
    /// Expressions that name an atomic object and nothing more.
    pub atomic_reads: Vec<ExprId>,
    /// Statements of every block.
    pub items: Vec<Vec<Item>>,
    /// The compound statement of every block.
    pub compounds: Vec<StmtId>,
    /// Declarations of every block's variables.
    pub decls: Vec<Vec<StmtId>>,
    /// Literals' facts, by record type.
    pub blanks: FxHashMap<TyId, crate::flow::PlaceId>,
    /// Tables of functions, declared after the functions.
    pub table_decls: Vec<csyntax::ast::DeclId>,
    /// Functions that constructs bring along.
    pub helper_defs: Vec<csyntax::ast::FnId>,
    /// Functions with variable arguments, by the type of these.
    pub variadics: Vec<(crate::model::IntTy, Symbol)>,
    /// Functions that loop over bits.
    pub bit_loops: Vec<constructs::bit_loop::Known>,
    /// Functions of one call each that constructs bring along.
    pub helpers: Vec<constructs::helper::Helper>,
    /// Functions that take and give back bit-precise integers.
    pub bit_precise: Vec<constructs::bit_int::Callee>,
    /// `may_alias` types that are declared.
    pub aliases: Vec<crate::model::IntTy>,
    /// Is the object that dead blocks ask declared?
    pub has_dead: bool,
    /// Functions that do what the flow does not show.
    pub impure: Vec<FnIx>,
    /// Kernels made so far.
    pub kernels: Vec<constructs::kernel::Known>,
    /// Names of types: `typedef`, and every vector type in use.
    pub typedefs: FxHashMap<TyId, Symbol>,
    /// Enumerators with their values.
    pub enumerators: Vec<(Symbol, i32)>,
    pub global_decls: Vec<csyntax::ast::DeclId>,
    pub type_items: Vec<csyntax::ast::Item>,
    pub wrappers: FxHashMap<Wrapper, Symbol>,
    pub wrapper_defs: Vec<csyntax::ast::FnId>,
    pub guards: Vec<crate::rewrite::Guard>,
    pub tokens: u64,
    /// Evaluations of the statement under construction.
    pub cost: u64,
    /// Evaluations of a whole run so far.
    pub used: u64,
    pub names_used: u32,
    pub labels: u32,
    pub stats: Stats,
    pub used_constructs: Vec<u32>,
}

impl<'o> Gen<'o> {
    pub(crate) fn new(opts: &'o Options, choices: Choices) -> Gen<'o> {
        const { assert!(constructs::STATEMENTS.len() <= 64 && constructs::EXPRESSIONS.len() <= 64) };
        let (statements, expressions) = opts.weights.split_at(constructs::STATEMENTS.len());
        Gen {
            opts,
            totals: (statements.iter().sum(), expressions.iter().sum()),
            choices,
            ast: Ast {
                exprs: Vec::with_capacity(1 << 13),
                stmts: Vec::with_capacity(1 << 11),
                types: Vec::with_capacity(1 << 10),
                ..Ast::default()
            },
            model: Model::default(),
            flow: Flow::new(),
            transfer: Transfer::new(opts.on(Switch::StrictVolatileRule)),
            state: State::start(),
            cx: FnCx {
                fx: FnIx(u32::MAX),
                ret: Model::VOID,
                scopes: Vec::new(),
                params: Vec::new(),
                turns: 1,
                calls: 1,
                cost: 0,
                counters: Vec::new(),
                loops: 0,
                breakable: 0,
                effects: Vec::new(),
                labels: Vec::new(),
                token_limit: 0,
                step_limit: opts.limit(Limit::MaxSteps),
                pure: false,
                nesting: 0,
            },
            functions: Vec::new(),
            fn_flow: Vec::new(),
            globals: Vec::new(),
            hashed: Vec::new(),
            main_sweeps: Vec::new(),
            atomic_reads: Vec::new(),
            items: Vec::new(),
            compounds: Vec::new(),
            decls: Vec::new(),
            variadics: Vec::new(),
            bit_loops: Vec::new(),
            helpers: Vec::new(),
            bit_precise: Vec::new(),
            aliases: Vec::new(),
            impure: Vec::new(),
            has_dead: false,
            kernels: Vec::new(),
            typedefs: FxHashMap::default(),
            enumerators: Vec::new(),
            blanks: FxHashMap::default(),
            table_decls: Vec::new(),
            helper_defs: Vec::new(),
            global_decls: Vec::new(),
            type_items: Vec::new(),
            wrappers: FxHashMap::default(),
            wrapper_defs: Vec::new(),
            guards: Vec::new(),
            tokens: 0,
            cost: 0,
            used: 0,
            names_used: 0,
            labels: 0,
            stats: Stats::default(),
            used_constructs: vec![0; constructs::STATEMENTS.len() + constructs::EXPRESSIONS.len()],
        }
    }

    /// Is a switch on?
    pub(crate) fn on(&self, switch: Switch) -> bool {
        self.opts.on(switch)
    }

    /// How often the present place runs in a whole run, at most.
    pub(crate) fn frequency(&self) -> u64 {
        self.cx.turns.saturating_mul(self.cx.calls)
    }

    /// Evaluations that are left for the present place.
    pub(crate) fn steps_left(&self) -> u64 {
        self.cx.step_limit.saturating_sub(self.used) / self.frequency().max(1)
    }

    /// Should nothing more be added here?
    pub(crate) fn full(&self) -> bool {
        self.tokens >= self.cx.token_limit
            || self.choices.exhausted()
            || self.steps_left() < 40
            || u64::from(self.stats.statements) >= self.opts.limit(Limit::StopByStmt)
    }

    /// Blocks that can be nested here.
    pub(crate) fn can_nest(&self) -> bool {
        (self.cx.scopes.len() as u64) <= self.opts.limit(Limit::MaxBlockDepth)
    }

    /// Are there evaluations left for `cost` more at the present place?
    pub(crate) fn affords(&self, cost: u64) -> bool {
        let total = cost.saturating_mul(self.frequency());
        self.used.saturating_add(total) <= self.opts.limit(Limit::MaxSteps)
    }

    /// Charges evaluations of the present place.
    pub(crate) fn charge(&mut self, cost: u64) {
        self.used = self.used.saturating_add(cost.saturating_mul(self.frequency()));
        self.cx.cost = self.cx.cost.saturating_add(cost.saturating_mul(self.cx.turns));
    }

    /// Joins the facts of another path into the running ones.
    pub(crate) fn merge(&mut self, other: &State) {
        let world = World { model: &self.model, flow: &self.flow, functions: &self.fn_flow };
        self.transfer.join(world, &mut self.state, other);
    }

    /// Runs a node over the running facts, which stay as they are where it is invalid.
    pub(crate) fn advance(&mut self, node: NodeId) -> Result<(), Invalid> {
        if node == Flow::NOP {
            return Ok(());
        }
        let saved = self.state.clone();
        let world = World { model: &self.model, flow: &self.flow, functions: &self.fn_flow };
        let outcome = self.transfer.run(world, node, &mut self.state);
        if outcome.is_err() {
            self.state = saved;
        }
        outcome
    }

    /// Opens a block inside the present one.
    pub(crate) fn open_block(&mut self, real: bool) -> BlockId {
        let block = self.flow.block();
        let compound = self.s(StmtKind::Null);
        self.compounds.push(compound);
        self.items.push(Vec::new());
        self.decls.push(Vec::new());
        self.cx.scopes.push(Scope { block, vars: Vec::new(), real });
        self.transfer.enter_block(block);
        block
    }

    /// Closes it.
    pub(crate) fn close_block(&mut self, block: BlockId) {
        self.cx.scopes.pop();
        let world = World { model: &self.model, flow: &self.flow, functions: &self.fn_flow };
        self.transfer.leave_block(world, block, &mut self.state);
    }

    /// The statement that a block is.
    pub(crate) fn compound(&self, block: BlockId) -> StmtId {
        self.compounds[block.0 as usize]
    }

    /// A block of random statements.
    pub(crate) fn random_block(&mut self) -> BlockId {
        let block = self.open_block(true);
        let most = self.opts.small(Limit::MaxBlockSize);
        let count = self.choices.range(1, most);
        self.fill(block, count);
        if self.items[block.0 as usize].is_empty() && self.state.live && !self.choices.exhausted() {
            self.statement_of(block, 0);
        }
        self.close_block(block);
        block
    }

    /// Adds up to `count` statements to the innermost block.
    pub(crate) fn fill(&mut self, block: BlockId, count: u32) {
        for _ in 0..count {
            if self.full() || !self.state.live {
                return;
            }
            self.statement(block);
        }
    }

    /// Adds one random statement, if it turns out valid.
    pub(crate) fn statement(&mut self, block: BlockId) {
        if let Some(index) = constructs::due(self) {
            return self.statement_of(block, index);
        }
        let weights = &self.opts.weights[..constructs::STATEMENTS.len()];
        let index =
            self.draw(weights, self.totals.0, |gen_, index| (constructs::STATEMENTS[index].allowed)(gen_));
        if let Some(index) = index {
            self.statement_of(block, index);
        }
    }

    /// Draws one of the allowed by weight: draws from all whose sum is `total`, and again without it where one is not
    /// allowed. So few have to be asked.
    pub(crate) fn draw(
        &mut self,
        weights: &[u32],
        total: u32,
        allowed: impl Fn(&Gen, usize) -> bool,
    ) -> Option<usize> {
        let (mut left, mut refused) = (total, 0u64);
        while left > 0 {
            let mut at = self.choices.below(left);
            let mut index = 0;
            while refused >> index & 1 == 1 || at >= weights[index] {
                at -= if refused >> index & 1 == 1 { 0 } else { weights[index] };
                index += 1;
            }
            if allowed(self, index) {
                return Some(index);
            }
            refused |= 1 << index;
            left -= weights[index];
        }
        None
    }

    /// Adds one statement of a construct, if it turns out valid.
    pub(crate) fn statement_of(&mut self, block: BlockId, index: usize) {
        let outer = std::mem::take(&mut self.cost);
        let built = (constructs::STATEMENTS[index].build)(self);
        if built.is_some_and(|built| self.commit(block, built)) {
            self.used_constructs[index] += 1;
        }
        self.cost = outer;
    }

    /// Adds a statement to the block where it is valid.
    pub(crate) fn commit(&mut self, block: BlockId, built: Built) -> bool {
        let cost = 2 * std::mem::take(&mut self.cost) + 1;
        if !built.done {
            self.cx.effects.clear();
            if !self.affords(cost) || self.advance(built.node).is_err() {
                self.stats.rejected += 1;
                return false;
            }
            self.charge(cost);
        }
        self.stats.statements += 1;
        self.flow.blocks[block.0 as usize].nodes.push(built.node);
        self.items[block.0 as usize].push(built.item);
        if let (Some(var), Some(scope)) = (built.declares, self.cx.scopes.last_mut()) {
            scope.vars.push(var);
        }
        true
    }

    /// Revalidates a statement whose parts were committed with other facts than they will see, from the facts
    /// before it; drops committed statements from the offending one on until it is valid (section 4.3.7).
    pub(crate) fn settle(&mut self, node: NodeId, before: &State) -> bool {
        for _ in 0..64 {
            self.state = before.clone();
            if self.advance(node).is_ok() {
                return true;
            }
            let Some((block, index)) = self.transfer.position() else {
                break;
            };
            let (nodes, items) =
                (&mut self.flow.blocks[block.0 as usize].nodes, &mut self.items[block.0 as usize]);
            if index >= nodes.len() {
                break;
            }
            self.stats.backtracked += (nodes.len() - index) as u32;
            nodes.truncate(index);
            items.truncate(index);
        }
        self.state = before.clone();
        false
    }

    /// Writes every block's statements into the tree.
    pub(crate) fn materialise(&mut self) {
        for block in 0..self.items.len() {
            let mut all = std::mem::take(&mut self.decls[block]);
            self.flatten(BlockId(block as u32), &mut all);
            self.ast.stmts[self.compounds[block].index()].kind = StmtKind::Compound(all);
        }
    }

    fn flatten(&self, block: BlockId, into: &mut Vec<StmtId>) {
        for item in &self.items[block.0 as usize] {
            match item {
                Item::One(stmt) => into.push(*stmt),
                Item::Pair(first, second) => into.extend([*first, *second]),
                Item::Back { first, target, group, jump } => {
                    into.extend([*first, *target]);
                    self.flatten(*group, into);
                    into.push(*jump);
                }
                Item::Into { first, skipped, middle, group, jump } => {
                    into.extend(first);
                    self.flatten(*skipped, into);
                    into.push(*middle);
                    self.flatten(*group, into);
                    into.push(*jump);
                }
                Item::Group(inner, last) => {
                    self.flatten(*inner, into);
                    into.push(*last);
                }
            }
        }
    }
}
