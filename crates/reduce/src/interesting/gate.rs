//! The undefined-behaviour gate: before any compiler is asked, the abstract machine must call a candidate defined, so that
//! no step of a reduction can drift into a program that may do anything (thesis 5.2.4).

use super::{Answer, Interesting};
use crate::Case;
use crate::case::File;
use csyntax::ast::{Ast, Params, TypeKind};
use csyntax::check::check;
use csyntax::parse::parse;
use csyntax::source::{Diagnostic, SourceMap};
use csyntax::tree::{ExprId, ExprKind, Function, StmtId, StmtKind, Unit};
use csyntax::types::{ArrayLen, Ty, TyKind};
use machine::{Budget, Options, Outcome, Verdict};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use toolchain::Cancel;

/// Turns a text with directives into one without, as a compiler would; or says why it cannot.
pub type Preprocess<'p> = &'p (dyn Fn(&str, &[u8]) -> Result<Vec<u8>, String> + Sync);

/// Makes one text of a program of several files, each with its name, or says why it cannot.
pub type Join = fn(&[(String, Vec<u8>)]) -> Result<String, String>;

/// Why a candidate has no meaning that is known, in words that name the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMeaning {
    /// It is no C program, or not one of a single file.
    #[error("{0}")]
    NotC(String),
    /// Its behaviour is undefined.
    #[error("{0}")]
    Undefined(String),
    /// It depends on addresses or on orders of evaluation, which C leaves open.
    #[error("it depends on what C leaves open")]
    Open,
    /// The machine does not know what it uses; a text without `main` is among these.
    #[error("{0}")]
    Unsupported(String),
    /// A budget of the machine ran out.
    #[error("the budget of {} ran out", .0.name())]
    Exhausted(Budget),
}

/// The gate, for cases of one file, or of several that are joined.
pub struct Gate<'p> {
    options: Options,
    preprocess: Option<Preprocess<'p>>,
    join: Option<Join>,
    /// Which of [`FROWNED_UPON`] is refused.
    refused: Vec<fn(&Ast, &Unit) -> Option<String>>,
    status: bool,
    /// Whether nothing may be warned of.
    quiet: bool,
}

/// A case read as C.
struct Read {
    ast: Ast,
    unit: Unit,
    source: SourceMap,
    /// The first warning: of something that compilers take and C does not.
    warning: Option<String>,
}

impl<'p> Gate<'p> {
    /// A gate with these options of the machine, whose budgets bound what a candidate may cost.
    pub fn new(options: Options, preprocess: Option<Preprocess<'p>>) -> Gate<'p> {
        Gate { options, preprocess, join: None, refused: Vec::new(), status: false, quiet: false }
    }

    /// With this way to make one text of several files, which cases may have then.
    pub fn joining(self, join: Join) -> Gate<'p> {
        Gate { join: Some(join), ..self }
    }

    /// From here on refuses what today's compilers refuse or no standard has, if the case can do without: types left out,
    /// functions without declaration or declared unlike the library's, names as parameters, empty arrays and structures, and
    /// whatever plumb warns of.
    /// `Err` says what it cannot do without.
    pub fn keep_modern(&mut self, case: &Case) -> Result<(), NoMeaning> {
        let Read { ast, unit, warning, .. } = self.read(case)?;
        self.quiet = warning.is_none();
        let needed = |check: &&fn(&Ast, &Unit) -> Option<String>| check(&ast, &unit);
        let first = FROWNED_UPON.iter().find_map(|check| needed(&check));
        self.refused = FROWNED_UPON.iter().filter(|check| needed(check).is_none()).copied().collect();
        first.or(warning).map_or(Ok(()), |why| Err(NoMeaning::NotC(why)))
    }

    /// From here on refuses a `main` that gives its status otherwise than by a `return` at its end, if the case does not: what
    /// status a compiler makes of that is its standard's affair, and no other bug is to become it.
    pub fn keep_status(&mut self, case: &Case) {
        self.status = self.read(case).is_ok_and(|read| returns(&read.unit));
    }

    /// Sets the steps a candidate may take.
    pub fn set_steps(&mut self, steps: u64) {
        self.options.max_steps = steps;
    }

    /// Reads a case, and refuses what is no C of the kind that is kept.
    fn read(&self, case: &Case) -> Result<Read, NoMeaning> {
        let read = match (&case.files[..], self.join) {
            ([file], _) => self.read_text(&self.preprocessed(file)?, &file.name)?,
            (files, Some(join)) => {
                let mut units = Vec::with_capacity(files.len());
                for file in files {
                    let text = self.preprocessed(file)?;
                    // What compilers see of several files is not the joined text.
                    self.read_text(&text, &file.name)?;
                    units.push((file.name.clone(), text.into_owned()));
                }
                self.read_text(join(&units).map_err(NoMeaning::NotC)?.as_bytes(), "program.c")?
            }
            (_, None) => return Err(NoMeaning::NotC("the machine runs programs of one file".to_owned())),
        };
        if self.status && !returns(&read.unit) {
            return Err(NoMeaning::NotC("'main' does not end in a 'return' of its status".to_owned()));
        }
        Ok(read)
    }

    fn read_text(&self, text: &[u8], name: &str) -> Result<Read, NoMeaning> {
        let parsed = parse(text, name);
        refused(&parsed.diagnostics, &parsed.source)?;
        let checked = check(&parsed.ast, &self.options.target);
        refused(&checked.diagnostics, &parsed.source)?;
        let unit = checked.unit.ok_or_else(|| NoMeaning::NotC("the checker has no answer".to_owned()))?;
        if let Some(why) = self.refused.iter().find_map(|check| check(&parsed.ast, &unit)) {
            return Err(NoMeaning::NotC(why));
        }
        let warned = parsed.diagnostics.iter().chain(&checked.diagnostics).next();
        let warning = warned.map(|d| format!("{}: warning: {}", parsed.source.place(d.span.lo), d.message));
        match warning {
            Some(why) if self.quiet => Err(NoMeaning::NotC(why)),
            warning => Ok(Read { ast: parsed.ast, unit, source: parsed.source, warning }),
        }
    }

    fn preprocessed<'c>(&self, file: &'c File) -> Result<Cow<'c, [u8]>, NoMeaning> {
        match self.preprocess {
            Some(preprocess) if file.text.contains(&b'#') => {
                Ok(Cow::Owned(preprocess(&file.name, &file.text).map_err(NoMeaning::NotC)?))
            }
            Some(_) | None => Ok(Cow::Borrowed(&file.text)),
        }
    }

    /// What the program means, and the steps that took; else why it means nothing or nobody knows.
    pub fn meaning(&self, case: &Case) -> Result<(Outcome, u64), NoMeaning> {
        let Read { unit, source, .. } = self.read(case)?;
        // A failure of the machine itself is no verdict, and no end of the reduction.
        let run = catch_unwind(AssertUnwindSafe(|| machine::judge(&unit, &self.options)))
            .map_err(|_| NoMeaning::Unsupported("the abstract machine fails on it".to_owned()))?;
        let place = |span: csyntax::source::Span| source.place(span.lo);
        match run.verdict {
            Verdict::Defined(outcome) if outcome.address_dependent || outcome.order_dependent => {
                Err(NoMeaning::Open)
            }
            Verdict::Defined(outcome) => Ok((outcome, run.steps)),
            Verdict::Undefined { ub, span, detail, .. } => {
                let (place, name, clause) = (place(span), ub.name(), ub.clause());
                let text = format!("{place}: undefined behaviour: {detail} [{name}, C11 {clause}]");
                Err(NoMeaning::Undefined(text))
            }
            Verdict::Unsupported { what, span } => {
                Err(NoMeaning::Unsupported(format!("{}: not supported: {what}", place(span))))
            }
            Verdict::Exhausted(budget) => Err(NoMeaning::Exhausted(budget)),
        }
    }
}

/// What a program does that no report should, if the original did not: each says where a program does it.
const FROWNED_UPON: &[fn(&Ast, &Unit) -> Option<String>] = &[
    types_left_out,
    undeclared,
    unlike_library,
    names_as_parameters,
    empty_array,
    empty_record,
    nothing_returned,
];

/// Refused since C99.
fn types_left_out(ast: &Ast, _: &Unit) -> Option<String> {
    let found = ast.types.iter().any(|ty| matches!(ty.kind, TypeKind::Implicit));
    found.then(|| "a declaration leaves its type out".to_owned())
}

/// Refused since C99.
fn undeclared(_: &Ast, unit: &Unit) -> Option<String> {
    let name = |f: &Function| unit.names.name(f.name).to_owned();
    let called = |f: &&Function| f.implicit && !name(f).starts_with("__builtin_");
    let function = unit.functions.iter().find(called)?;
    Some(format!("'{}' is called without a declaration", name(function)))
}

/// Warned of by all.
fn unlike_library(_: &Ast, unit: &Unit) -> Option<String> {
    let function = unit.functions.iter().find(|f| f.unlike_library)?;
    Some(format!("'{}' is declared with a type that is not the library's", unit.names.name(function.name)))
}

/// Gone in C23.
fn names_as_parameters(ast: &Ast, _: &Unit) -> Option<String> {
    let old = |params: &Params| matches!(params, Params::Identifiers(_));
    let found =
        ast.types.iter().any(|ty| matches!(&ty.kind, TypeKind::Function { params, .. } if old(params)));
    found.then(|| "a function's parameters are names alone".to_owned())
}

/// No standard's C (6.7.6.2p1); flexible members have no length.
fn empty_array(_: &Ast, unit: &Unit) -> Option<String> {
    let found = unit.types.kinds().any(|kind| matches!(kind, TyKind::Array(_, ArrayLen::Fixed(0))));
    found.then(|| "an array has no elements".to_owned())
}

/// No standard's C (6.7.2.1p8).
fn empty_record(_: &Ast, unit: &Unit) -> Option<String> {
    let found = unit.types.records.iter().any(|record| record.fields.as_ref().is_some_and(Vec::is_empty));
    found.then(|| "a structure has no members".to_owned())
}

/// Warned of by all (6.9.1p12 allows it while nobody uses the value); that of `main` is [`returns`].
fn nothing_returned(_: &Ast, unit: &Unit) -> Option<String> {
    let wants = |f: &Function| match unit.types.kind(f.ty) {
        TyKind::Function(of) => of.ret.ty != Ty::VOID,
        _ => false,
    };
    let named = |f: &Function| unit.names.name(f.name).to_owned();
    let found = unit
        .functions
        .iter()
        .find(|f| wants(f) && named(f) != "main" && f.body.is_some_and(|body| ends(unit, body)))?;
    Some(format!("'{}' ends without a 'return' of a value", named(found)))
}

/// May the end of a statement be reached, as compilers see it that warn?
fn ends(unit: &Unit, statement: StmtId) -> bool {
    let always = |cond: ExprId| matches!(unit[cond].kind, ExprKind::Int(value) if value != 0);
    match &unit[statement].kind {
        StmtKind::Block { body, .. } => body.iter().fold(true, |reached, &inner| {
            let entered =
                matches!(unit[inner].kind, StmtKind::Case(..) | StmtKind::Default(_) | StmtKind::Label(..));
            (reached || entered) && ends(unit, inner)
        }),
        StmtKind::If(_, then, other) => ends(unit, *then) || other.is_none_or(|other| ends(unit, other)),
        StmtKind::While(cond, body) => !always(*cond) || leaves(unit, *body),
        StmtKind::DoWhile(body, cond) => leaves(unit, *body) || ends(unit, *body) && !always(*cond),
        StmtKind::For { cond, body, .. } => cond.is_some_and(|cond| !always(cond)) || leaves(unit, *body),
        StmtKind::Switch { has_default, body, .. } => {
            !has_default || leaves(unit, *body) || ends(unit, *body)
        }
        StmtKind::Case(_, inner) | StmtKind::Default(inner) | StmtKind::Label(_, inner) => ends(unit, *inner),
        StmtKind::Expr(e) => !never_returns(unit, *e),
        StmtKind::Goto(_)
        | StmtKind::GotoOuter(..)
        | StmtKind::GotoPtr(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => false,
        StmtKind::Nop | StmtKind::Decl(_) | StmtKind::VlaEval(_) | StmtKind::Asm(_) => true,
    }
}

/// Does a `break` leave the loop or `switch` that this is the body of?
fn leaves(unit: &Unit, body: StmtId) -> bool {
    match &unit[body].kind {
        StmtKind::Break => true,
        StmtKind::Block { body, .. } => body.iter().any(|&inner| leaves(unit, inner)),
        StmtKind::If(_, then, other) => leaves(unit, *then) || other.is_some_and(|other| leaves(unit, other)),
        StmtKind::Case(_, inner) | StmtKind::Default(inner) | StmtKind::Label(_, inner) => {
            leaves(unit, *inner)
        }
        _ => false,
    }
}

/// Is it a call of a function that does not return?
fn never_returns(unit: &Unit, e: ExprId) -> bool {
    let ExprKind::Call(callee, _) = &unit[e].kind else { return false };
    unit.called(*callee).is_some_and(|function| {
        let function = &unit.functions[function.index()];
        function.noreturn || matches!(unit.names.name(function.name), "abort" | "exit" | "__builtin_abort")
    })
}

/// Is `main` a function of type `int` that ends in a `return` of a value, and has none without?
fn returns(unit: &Unit) -> bool {
    let is_main = |f: &&Function| f.body.is_some() && unit.names.name(f.name) == "main";
    let Some(main) = unit.functions.iter().find(is_main) else { return false };
    let TyKind::Function(of) = unit.types.kind(main.ty) else { return false };
    let last = main.body.and_then(|body| match &unit[body].kind {
        StmtKind::Block { body, .. } => body.last().copied(),
        _ => None,
    });
    let is_return = last.is_some_and(|last| matches!(unit[last].kind, StmtKind::Return(Some(_))));
    is_return && of.ret.ty == Ty::INT
}

/// The first error of a text that is refused.
fn refused(diagnostics: &[Diagnostic], source: &SourceMap) -> Result<(), NoMeaning> {
    match diagnostics.iter().find(|d| d.severity.refuses()) {
        Some(first) => {
            let place = source.place(first.span.lo);
            Err(NoMeaning::NotC(format!("{place}: error: {}", first.message)))
        }
        None => Ok(()),
    }
}

impl Interesting for Gate<'_> {
    fn ask(&self, _worker: usize, case: &Case, _cancel: &Cancel) -> Answer {
        match self.meaning(case) {
            Ok(_) => Answer::Interesting,
            Err(why) => Answer::Not(why.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(text: &str) -> Case {
        Case::new([("program.c".to_owned(), text.as_bytes().to_vec())])
    }

    #[test]
    fn a_status_is_returned_where_it_was() {
        let mut gate = Gate::new(Options::default(), None);
        let silent = case("int main(void) { }");
        gate.keep_status(&silent);
        assert!(gate.meaning(&silent).is_ok(), "what has no `return` needs none");
        gate.keep_status(&case("int a; int main(void) { if (a) return 2; return 3; }"));
        for text in [
            "int main(void) { }",
            "int a; int main(void) { if (!a) return 3; }",
            "struct { int a; } main() { }",
        ] {
            assert!(gate.meaning(&case(text)).is_err(), "{text}");
        }
        assert!(gate.meaning(&case("int main(void) { return 1; }")).is_ok());
    }

    #[test]
    fn what_no_report_should_have_is_refused_where_the_program_did_not_need_it() {
        let old = [
            "main() { return 0; }",
            "int main(void) { printf(\"x\"); return 0; }",
            "int printf(char *, ...); int main(void) { printf(\"x\"); return 0; }",
            "int printf(); int main(void) { printf(\"x\"); return 0; }",
            "a; int main(void) { return a; }",
            "int f(a) { return a; } int main(void) { return f(0); }",
            "int f(a) int a; { return a; } int main(void) { return f(0); }",
            "int main(void) { int a[0]; return sizeof a; }",
            "struct S { } s; int main(void) { return 0; }",
            "int f(void) { } int main(void) { f(); return 0; }",
            "struct S { int a } s; int main(void) { return 0; }",
            "int a, *p = &a; char *q; int main(void) { q = p; return *q; }",
        ];
        for text in old {
            let mut gate = Gate::new(Options::default(), None);
            assert!(gate.meaning(&case(text)).is_ok(), "{text}");
            assert!(gate.keep_modern(&case(text)).is_err(), "{text}");
            assert!(gate.meaning(&case(text)).is_ok(), "what needs it keeps it: {text}");
        }
        let mut gate = Gate::new(Options::default(), None);
        let new = "int printf(const char *, ...); int f(); int f(int a) { return a; } struct S { int n, a[]; } s; \
                   int g(int a) { switch (a) { case 1: return 2; default: for (;;) if (a) return 1; } } \
                   int h(int a) { while (1) { if (a) goto end; } end: if (a) return 1; else { __builtin_abort(); } } \
                   int main() { return f(printf(\"x\")) - g(1) + h(1); }";
        gate.keep_modern(&case(new)).expect("modern enough");
        for text in old {
            assert!(gate.meaning(&case(text)).is_err(), "{text}");
        }
        // What needs one of them is kept from the others.
        gate.keep_modern(&case("struct S { } s; int main(void) { return 0; }")).expect_err("empty");
        assert!(gate.meaning(&case(old[7])).is_err(), "{}", old[7]);
    }
}
