//! Seeds whose meaning the machine cannot give, as those with inline assembly: what of them runs is learnt from a
//! compiled program that notes it, as Orion does with `gcov` (PLDI 2014, section 4.1), and what they do is what a
//! compiled program does. Their variants lose statements that do not run, no more.

use crate::edit::{Change, Edit};
use crate::places::Place;
use crate::seed::{Input, Point, Refusal, Seed};
use csyntax::ast::{StmtId, StmtKind};
use csyntax::source::Severity;
use machine::{Exit, Options, Outcome};

/// What the names that probes add begin with.
const PREFIX: &str = "plumb_ran";

/// The file into which a program with probes writes one byte a probe when it exits: `1` where it was reached.
pub const REPORT: &str = "plumb-ran";

/// A program that notes which of its statements it reaches.
#[derive(Clone, Debug)]
pub struct Probed {
    /// Its text.
    pub text: String,
    /// The statement of each probe.
    probes: Vec<StmtId>,
}

/// A seed of which nothing is known yet but its text.
pub struct Unprofiled(Seed);

impl Unprofiled {
    /// Reads a preprocessed text. What the machine does not support is no reason to refuse it.
    pub fn new(text: &[u8], name: &str, options: &Options) -> Result<Unprofiled, Refusal> {
        let wrong = |severity| match severity {
            Severity::Error => true,
            Severity::Warning | Severity::Unsupported => false,
        };
        let (mut seed, _) = Seed::unprofiled(text, name, options, wrong)?;
        // Assembly that jumps goes where no probe sees it.
        let jumps = |kind: &StmtKind| matches!(kind, StmtKind::Asm(asm) if asm.goto);
        if seed.ast.stmts.iter().any(|stmt| jumps(&stmt.kind)) {
            return Err(Refusal::Unsupported(format!("{name}: inline assembly that jumps")));
        }
        seed.opaque = true;
        Ok(Unprofiled(seed))
    }

    /// The program with a probe at each statement that can have one. `None` where it uses the probes' names itself.
    pub fn probed(&self) -> Option<Probed> {
        let seed = &self.0;
        if seed.text.contains(PREFIX) {
            return None;
        }
        let probes: Vec<StmtId> =
            seed.places.all.iter().filter(|place| takes_probe(seed, place)).map(|place| place.stmt).collect();
        let probe = |(number, stmt): (usize, &StmtId)| Edit {
            strategy: "probe".to_owned(),
            at: stmt.0,
            change: Change::Before { code: format!("{PREFIX}[{number}] = 1;") },
        };
        let edits: Vec<Edit> = probes.iter().enumerate().map(probe).collect();
        let text = seed.replay(&edits).ok()?;
        // The labels keep these declarations from clashing with those of headers.
        let text = format!(
            "static volatile unsigned char {PREFIX}[{count}];\n{text}\n\
             extern int {PREFIX}_open(const char *, int) __asm__(\"creat\");\n\
             extern __PTRDIFF_TYPE__ {PREFIX}_write(int, const volatile void *, __SIZE_TYPE__) __asm__(\"write\");\n\
             __attribute__((destructor)) static void {PREFIX}_report(void)\n\
             {{ {PREFIX}_write({PREFIX}_open(\"{REPORT}\", 0600), {PREFIX}, {count}); }}\n",
            count = probes.len().max(1),
        );
        Some(Probed { text, probes })
    }

    /// The seed: what was reached is what a run of the probed program reported, and what it does is what the program
    /// without probes did. `None` where that is no report of these probes.
    pub fn ran(self, probed: &Probed, report: &[u8], (input, outcome): (Input, Outcome)) -> Option<Seed> {
        let Unprofiled(mut seed) = self;
        let whole = report.len() == probed.probes.len().max(1);
        if !whole || !report.iter().all(|byte| *byte <= 1) || !report.contains(&1) {
            return None;
        }
        for (stmt, ran) in probed.probes.iter().zip(report) {
            seed.points.insert(*stmt, Point { count: u64::from(*ran), ..Point::default() });
        }
        // Nothing is known of values, so nothing may be added to what runs.
        seed.addresses_seen = true;
        seed.truth.push((input, outcome));
        seed.profiled();
        Some(seed)
    }
}

/// Does a statement in front of this one run exactly when it does? One in front of a label is jumped over, and
/// inside of expressions only the whole counts.
fn takes_probe(seed: &Seed, place: &Place) -> bool {
    if place.parent.is_none() || place.in_expression {
        return false;
    }
    match &seed.ast[place.stmt].kind {
        StmtKind::Label(..)
        | StmtKind::Case(..)
        | StmtKind::Default(_)
        | StmtKind::LocalLabels(_)
        | StmtKind::NestedFn(_)
        | StmtKind::StaticAssert(..)
        | StmtKind::Null
        | StmtKind::Attr(_)
        | StmtKind::Pragma(_)
        | StmtKind::Error => false,
        StmtKind::Compound(_)
        | StmtKind::Expr(_)
        | StmtKind::Decl(_)
        | StmtKind::If(..)
        | StmtKind::While(..)
        | StmtKind::DoWhile(..)
        | StmtKind::For { .. }
        | StmtKind::Switch(..)
        | StmtKind::Goto(_)
        | StmtKind::GotoPtr(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_) => true,
    }
}

/// What a program did that no machine ran: how it exited and what it wrote.
pub fn outcome(status: u8, stdout: Vec<u8>) -> Outcome {
    Outcome {
        exit: Exit::Code(status),
        stdout,
        stderr: Vec::new(),
        volatile_trace: (0, 0),
        address_dependent: false,
        order_dependent: false,
    }
}
