//! Code that debug information changes.

use super::{Beside, assembly, micros, raise};
use crate::configurations::Level;
use crate::error::Error;
use crate::findings::{Against, Contrast};
use crate::hunt::context::Hunt;
use crate::hunt::raise::Tested;
use crate::oracles::debug_info::{OPTION, difference, mnemonics};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, OracleName, Relation, Stage};
use toolchain::compiler::{CompileOutcome, Family};

/// Compiles the program to assembly with and without debug information in each configuration that optimises.
pub(super) fn changed(
    hunt: &Hunt<'_>,
    tested: &Tested<'_>,
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    for (number, configuration) in hunt.plan.configurations.iter().enumerate() {
        let meaning = tested.meanings.of(hunt, number);
        let judged = matches!(meaning.truth, Truth::Known { .. }) && meaning.units.is_none();
        let judged = judged && tested.program.is_for(number);
        if !judged || configuration.rank() == Level::None || !says_so(configuration.family()) {
            continue;
        }
        let with = configuration.with(&[OPTION.to_owned()]);
        let mut texts = Vec::new();
        for configuration in [&with, configuration] {
            let Some((compiled, text)) = assembly(hunt, configuration, &meaning.text, false)? else {
                return Ok(None);
            };
            beside.compilers_us += micros(&compiled.usage);
            if compiled.outcome == CompileOutcome::Ok {
                texts.push(text);
            }
        }
        let [debug, plain] = &texts[..] else { continue };
        let Some(how) = difference(debug, plain) else { continue };
        let better = configuration.clone();
        let against = Against { configuration: better, relation: Relation::DebugInfo, what: Contrast::Code };
        let family = configuration.family().name();
        let alarm = Alarm {
            kind: FindingKind::DebugInfo,
            oracle: OracleName::DebugInfo,
            stage: Stage::Compile,
            signature: format!("{family} {}: {}", configuration.level_of_any_text(), mnemonics(debug, plain)),
            summary: format!("debug information changes the code: {how}"),
            doubt: None,
        };
        let text = meaning.text.to_vec();
        let Some(()) = raise(hunt, (tested, meaning), &text, (&with, &alarm, &against), beside)? else {
            return Ok(None);
        };
    }
    Ok(Some(()))
}

/// Does the compiler promise that debug information changes nothing? Others are left alone.
fn says_so(family: Family) -> bool {
    match family {
        Family::Gcc | Family::Clang | Family::ZigCc => true,
        Family::Tcc | Family::Pcc | Family::Unknown => false,
    }
}
