//! Which variables can come to life unseen: those of blocks that a computed goto can enter past their beginning.
//!
//! Where control comes from is known only when it jumps, so that no instruction on the way can say that such variables
//! have no value (C11 6.2.4p6: entered by a jump, they are indeterminate). In memory the life of each is followed
//! while the program runs; in a register another block's value may stand in its place.

use csyntax::tree::{Function, ObjId, StmtId, StmtKind, Unit};
use rustc_hash::FxHashSet;

/// The objects of inner blocks of a function that hold labels. Where a label stands in a statement expression, which
/// this does not look into, those of all inner blocks.
pub(super) fn entered(unit: &Unit, function: &Function) -> FxHashSet<ObjId> {
    let Some(body) = function.body.filter(|_| !function.labels.is_empty()) else {
        return FxHashSet::default();
    };
    let mut found = Found::default();
    // Statements still to be looked at, each with the innermost block around it.
    let mut work = vec![(body, None)];
    while let Some((at, parent)) = work.pop() {
        let mut around = parent;
        if let StmtKind::Block { locals, .. } = &unit[at].kind {
            found.blocks.push(Block { parent, locals, holds: false });
            around = Some(found.blocks.len() - 1);
        } else if let StmtKind::Label(..) = &unit[at].kind {
            found.label(parent);
        }
        inner(&unit[at].kind, |s| work.push((s, around)));
    }
    let all = found.labels < function.labels.len();
    // The first block is the function's own: it is entered once, by the call.
    let blocks = found.blocks.iter().skip(1).filter(|b| b.holds || all);
    blocks.flat_map(|b| b.locals).copied().collect()
}

/// Blocks and labels met so far.
#[derive(Default)]
struct Found<'u> {
    blocks: Vec<Block<'u>>,
    labels: usize,
}

struct Block<'u> {
    parent: Option<usize>,
    locals: &'u [ObjId],
    /// Is there a label in it?
    holds: bool,
}

impl Found<'_> {
    /// A label in this block, and so in those around it.
    fn label(&mut self, mut block: Option<usize>) {
        self.labels += 1;
        while let Some(at) = block.filter(|at| !self.blocks[*at].holds) {
            self.blocks[at].holds = true;
            block = self.blocks[at].parent;
        }
    }
}

/// The statements directly in a statement.
pub(super) fn inner(kind: &StmtKind, mut f: impl FnMut(StmtId)) {
    match kind {
        StmtKind::Block { body, .. } => body.iter().copied().for_each(f),
        StmtKind::If(_, yes, no) => {
            f(*yes);
            no.iter().copied().for_each(f);
        }
        StmtKind::For { init, body, .. } => {
            init.iter().copied().for_each(&mut f);
            f(*body);
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Switch { body, .. }
        | StmtKind::Case(_, body)
        | StmtKind::Default(body)
        | StmtKind::Label(_, body) => f(*body),
        StmtKind::Nop
        | StmtKind::Expr(_)
        | StmtKind::Decl(_)
        | StmtKind::VlaEval(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoOuter(..)
        | StmtKind::GotoPtr(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_) => {}
    }
}
