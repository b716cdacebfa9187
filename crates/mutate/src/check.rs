//! The check every variant passes before it is used: same behaviour as the seed on every input, still defined.

use crate::edit::{Edit, to_log};
use crate::seed::Seed;
use machine::{Options, Verdict};
use std::sync::Arc;

/// A variant that is no variant: a bug of the strategies in its edits.
#[derive(Clone, Debug, thiserror::Error)]
#[error("a variant is wrong, which is a bug of its strategy: {why}; its edits:\n{}", to_log(.edits))]
pub struct Wrong {
    /// What is different.
    pub why: String,
    /// How the variant was made.
    pub edits: Vec<Edit>,
    /// Did the machine only run out of budget (the variant may be right)?
    pub exhausted: bool,
}

/// Runs the text of a variant on every input of its seed.
pub fn check(seed: &Seed, text: &str, edits: &[Edit]) -> Result<(), Box<Wrong>> {
    let wrong = |why: String| Err(Box::new(Wrong { why, edits: edits.to_vec(), exhausted: false }));
    let (parsed, checked) = seed.read(text);
    let Some(checked) = checked else {
        let error = parsed.diagnostics.iter().find(|d| d.severity.refuses());
        let said = error.map(|e| parsed.render(e)).unwrap_or_default();
        return wrong(format!("it does not parse: {said}"));
    };
    let Some(unit) = checked.unit else {
        let error = checked.diagnostics.iter().find(|d| d.severity.refuses());
        let said = error.map(|e| parsed.render(e)).unwrap_or_default();
        return wrong(format!("it does not check: {said}"));
    };
    let cold: Option<Arc<[(u32, u32)]>> = seed.cold(text, edits).map(Arc::from);
    for (number, (input, truth)) in seed.truth.iter().enumerate() {
        let options = Options {
            args: input.args.clone(),
            stdin: input.stdin.clone(),
            profile: false,
            cold: cold.clone(),
            // Added code may run once per step of the seed, several steps long.
            max_steps: seed.steps.saturating_mul(100).saturating_add(1_000_000).min(seed.options.max_steps),
            ..seed.options.clone()
        };
        let at = |span: csyntax::source::Span| {
            let place = parsed.source.place(span.lo);
            let line = text.lines().nth(place.line as usize - 1).unwrap_or_default().trim();
            format!("{place}: `{line}`")
        };
        match machine::judge(&unit, &options).verdict {
            Verdict::Defined(outcome) => {
                let pairs = [
                    ("exit", outcome.exit != truth.exit),
                    ("stdout", outcome.stdout != truth.stdout),
                    ("stderr", outcome.stderr != truth.stderr),
                    ("volatile trace", outcome.volatile_trace != truth.volatile_trace),
                    ("dependence on addresses", outcome.address_dependent),
                    ("dependence on evaluation order", outcome.order_dependent),
                ];
                let differing = pairs.iter().find(|(_, differs)| *differs);
                if outcome.order_dependent
                    && let Verdict::Undefined { span, detail, .. } =
                        machine::run(&unit, &Options { reverse: !options.reverse, ..options.clone() }).verdict
                {
                    return wrong(format!(
                        "{}: undefined in another order of evaluation: {detail}",
                        at(span)
                    ));
                }
                if let Some((what, _)) = differing {
                    return wrong(format!("other {what} on input {number}"));
                }
            }
            Verdict::Undefined { ub, span, detail, .. } => {
                return wrong(format!("{}: undefined on input {number}: {detail} [{}]", at(span), ub.name()));
            }
            Verdict::Unsupported { what, span } => {
                return wrong(format!("{}: not supported: {what}", at(span)));
            }
            Verdict::Exhausted(budget) => {
                let why = format!("out of budget ({budget:?}) on input {number}");
                return Err(Box::new(Wrong { why, edits: edits.to_vec(), exhausted: true }));
            }
        }
    }
    Ok(())
}
