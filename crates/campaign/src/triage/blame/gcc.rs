//! Blame for GCC, which numbers no passes: those that its list says are on are left out by `-fdisable-KIND-PASS`, from the
//! last backwards, as LLVM's `-opt-bisect-limit` does; then options, by `-fno-*`; then the transformation, by `-fdbg-cnt`.

use super::passes::{Listed, Safe, Usable, leaving_out, listed, taking};
use super::search::first_that_shows;
use super::{Blame, Error};
use crate::triage::model::{CompilerStage, Confidence, Pass, PassKind, Seen, Transformation};
use crate::triage::subject::{Subject, Variation};
use std::collections::BTreeMap;

/// Blames a pass, or an option where no pass can be blamed; `whole` for both, and the transformation.
pub fn blame(subject: &Subject<'_>, whole: bool) -> Result<Blame, Error> {
    let mut blame = Blame::default();
    let (compiled, _) = subject.assembly(&Variation::with(["-fdump-passes".to_owned()]))?;
    let on = listed(&String::from_utf8_lossy(&compiled.stderr));
    if on.is_empty() {
        return Ok(Blame::nothing("the compiler does not list its passes (`-fdump-passes`)"));
    }
    let mut safe = Safe::of(subject)?;
    let usable = safe.among(&on, subject)?;
    let unsafe_count = on.len() - usable.alone.len();
    let found = pass(subject, &usable)?;
    let behind = found.as_ref().is_some_and(|(pass, _)| pass.kind == PassKind::Rtl);
    let expansion = if behind { None } else { expansion(subject)? };
    if let Some((pass, confidence)) = expansion.or(found) {
        blame.stage = Some(pass.kind.stage());
        blame.confidence = confidence;
        if whole {
            blame.culprit.transformation = transformation(subject, &pass)?;
        }
        blame.culprit.pass = Some(pass);
        if !whole {
            return Ok(blame);
        }
    } else {
        blame.notes.push(format!(
            "no pass could be blamed; {unsafe_count} of {} that are on cannot be left out on clean programs",
            on.len()
        ));
    }
    match option(subject)? {
        Options::One(flag, confidence) => {
            if blame.culprit.pass.is_none() {
                blame.confidence = confidence;
            }
            blame.culprit.flag = Some(flag);
        }
        Options::None => {}
        Options::Unknown(why) => blame.notes.push(why),
    }
    if blame.stage.is_none() && subject.ask(&Variation::at("-O0"))?.seen == Seen::Shows {
        // What shows without optimisation and that no pass can be blamed for arises before them or in expansion.
        blame.stage = Some(CompilerStage::Front);
    }
    Ok(blame)
}

fn without(passes: &[Listed]) -> Variation {
    let disable: Vec<String> = passes.iter().map(Listed::disable).collect();
    Variation::with(leaving_out(&disable))
}

/// Without this pass alone the bug is gone, and not for the sake of what else it takes to leave it out.
fn ends_it(subject: &Subject<'_>, pass: &Listed) -> Result<bool, Error> {
    let gone = subject.ask(&without(std::slice::from_ref(pass)))?.seen == Seen::Right;
    let takes: Vec<String> = taking(&[pass.disable()]).collect();
    Ok(gone && (takes.is_empty() || subject.ask(&Variation::with(takes))?.seen == Seen::Shows))
}

fn named(listed: &Listed) -> Pass {
    Pass { kind: listed.kind, name: listed.name.clone(), number: None, function: None }
}

/// The last pass without which alone the bug is gone. Passes that can be left out all at once are bisected: the one with
/// which the bug begins if all behind it are left out. Where that is not the answer, and for the rest, each is tried alone. What
/// several passes do, as what all of them call, is blamed on the first of them that does it.
fn pass(subject: &Subject<'_>, usable: &Usable) -> Result<Option<(Pass, Confidence)>, Error> {
    let (begins, one_of_several) = match bisected(subject, &usable.together)? {
        Some((found, mut confidence)) if ends_it(subject, &found)? => {
            confidence.add(true);
            (Some((found, confidence)), None)
        }
        first => (None, first),
    };
    // Of several that do the same, none alone ends it, though one in front of them may: the bug is that of those with which it begins.
    if let Some((first, _)) = &one_of_several {
        let same = of_one_name(&usable.alone).remove(&name_of(first)).unwrap_or_default();
        if let (true, Some(confidence)) = (same.len() > 1, ended_without(subject, &same)?) {
            return Ok(Some((named(first), confidence)));
        }
    }
    let behind = match &begins {
        Some((found, _)) => usable.alone.iter().position(|pass| pass == found).map_or(0, |at| at + 1),
        None => 0,
    };
    let others = usable.alone[behind..].iter().rev();
    // Those that were bisected and stand behind what was found are not needed for the bug.
    let others = others.filter(|pass| begins.is_none() || !usable.together.contains(pass));
    for blamed in others {
        if ends_it(subject, blamed)? && (begins.is_none() || is_needed(subject, usable, behind, blamed)?) {
            let confidence = confirmed(subject, &without(std::slice::from_ref(blamed)))?;
            return Ok(Some((named(blamed), confidence)));
        }
    }
    if begins.is_none()
        && let Some(found) = instances(subject, &usable.alone)?
    {
        return Ok(Some(found));
    }
    Ok(begins.or(one_of_several).map(|(found, confidence)| (named(&found), confidence)))
}

/// Is a pass needed for the bug also where those behind the pass with which it begins are left out? One that arranges code
/// may only hide it where they run.
fn is_needed(subject: &Subject<'_>, usable: &Usable, behind: usize, pass: &Listed) -> Result<bool, Error> {
    let later = usable.alone[behind..].iter().filter(|other| usable.together.contains(other));
    let left_out: Vec<Listed> = later.chain([pass]).cloned().collect();
    Ok(subject.ask(&without(&left_out))?.seen == Seen::Right)
}

/// A pass that runs several times and does the same each time: without all its instances the bug is gone, and none of them
/// alone ends it. The first is named.
fn instances(subject: &Subject<'_>, passes: &[Listed]) -> Result<Option<(Pass, Confidence)>, Error> {
    for all in of_one_name(passes).into_values().filter(|instances| instances.len() > 1) {
        if let Some(confidence) = ended_without(subject, &all)? {
            return Ok(all.first().map(|first| (named(first), confidence)));
        }
    }
    Ok(None)
}

/// How sure it is that the bug is gone without these passes; `None` where it is not.
fn ended_without(subject: &Subject<'_>, passes: &[Listed]) -> Result<Option<Confidence>, Error> {
    ended_by(subject, &without(passes))
}

fn ended_by(subject: &Subject<'_>, variation: &Variation) -> Result<Option<Confidence>, Error> {
    if subject.ask(variation)?.seen != Seen::Right {
        return Ok(None);
    }
    confirmed(subject, variation).map(Some)
}

/// How sure it is that a variation ends the bug, which it did once: it does again, and without it the bug shows.
fn confirmed(subject: &Subject<'_>, variation: &Variation) -> Result<Confidence, Error> {
    let mut confidence = Confidence { agreed: 1, runs: 1 };
    confidence.add(subject.ask(variation)?.seen == Seen::Right);
    confidence.add(subject.ask(&Variation::default())?.seen == Seen::Shows);
    Ok(confidence)
}

/// What the instances of a pass have in common.
fn name_of(pass: &Listed) -> (PassKind, String) {
    (pass.kind, early(stem(&pass.name)).to_owned())
}

/// Passes by what their instances have in common.
fn of_one_name(passes: &[Listed]) -> BTreeMap<(PassKind, String), Vec<Listed>> {
    let mut of: BTreeMap<_, Vec<Listed>> = BTreeMap::new();
    for pass in passes {
        of.entry(name_of(pass)).or_default().push(pass.clone());
    }
    of
}

/// Expansion cannot be left out, but one thing that it does can: objects of different blocks share their places. It is to blame
/// where the bug is gone without that.
fn expansion(subject: &Subject<'_>) -> Result<Option<(Pass, Confidence)>, Error> {
    let found = ended_by(subject, &Variation::with(["-fstack-reuse=none".to_owned()]))?;
    let expand = Pass { kind: PassKind::Rtl, name: "expand".to_owned(), number: None, function: None };
    Ok(found.map(|confidence| (expand, confidence)))
}

/// The name of which `esra` and `evrp` are the early ones.
fn early(name: &str) -> &str {
    name.strip_prefix('e').filter(|rest| rest.len() > 2).unwrap_or(name)
}

/// A pass's name without the number of its instance.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// The pass with which the bug begins if all behind it are left out, if that is sure.
fn bisected(subject: &Subject<'_>, passes: &[Listed]) -> Result<Option<(Listed, Confidence)>, Error> {
    let ask = |number: u64| {
        let left_out = passes.get(number as usize..).unwrap_or_default();
        subject.ask(&without(left_out)).map(|tried| tried.seen)
    };
    if passes.is_empty() || ask(0)? != Seen::Right {
        return Ok(None);
    }
    let found = first_that_shows(passes.len() as u64, ask)?;
    let blamed = &passes[found.first as usize - 1];
    Ok((found.confidence.share() >= 1.0).then(|| (blamed.clone(), found.confidence)))
}

/// Those of some passes that run in front of the blamed one and without which alone the bug is gone, too. Where it shows
/// without all of them none is asked about alone.
pub fn rivals(subject: &Subject<'_>, blamed: &Pass, others: &[Pass]) -> Result<Vec<Pass>, Error> {
    let (compiled, _) = subject.assembly(&Variation::with(["-fdump-passes".to_owned()]))?;
    let on = listed(&String::from_utf8_lossy(&compiled.stderr));
    let is = |listed: &Listed, pass: &Pass| listed.kind == pass.kind && listed.name == pass.name;
    let before = on.iter().take_while(|listed| !is(listed, blamed));
    let asked: Vec<Listed> =
        before.filter(|listed| others.iter().any(|pass| is(listed, pass))).cloned().collect();
    if asked.is_empty() || subject.ask(&without(&asked))?.seen == Seen::Shows {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for listed in &asked {
        if ends_it(subject, listed)? {
            found.push(named(listed));
        }
    }
    Ok(found)
}

/// What switching options off says.
enum Options {
    /// This one alone makes the bug go away.
    One(String, Confidence),
    /// With all off the bug shows.
    None,
    /// That cannot be told.
    Unknown(String),
}

/// The option of the optimiser that alone makes the bug go away.
fn option(subject: &Subject<'_>) -> Result<Options, Error> {
    let asked = ["-Q", "--help=optimizers"].map(str::to_owned);
    let stdout = subject.answer(&Variation::with(asked))?;
    let on = enabled(&stdout);
    let ask = |flags: &[String]| subject.ask(&Variation::with(flags.iter().cloned())).map(|tried| tried.seen);
    match ask(&on)? {
        Seen::Right => {}
        Seen::Shows => return Ok(Options::None),
        Seen::Unknown { why } => return Ok(Options::Unknown(format!("with all options off: {why}"))),
    }
    // With the first options kept on and the rest off: the last one that must be on for the bug to show.
    let most = on.len() as u64;
    let found = first_that_shows(most, |number| ask(on.get(number as usize..).unwrap_or_default()))?;
    let flag = &on[found.first as usize - 1];
    if ask(std::slice::from_ref(flag))? == Seen::Right {
        let mut confidence = found.confidence;
        confidence.add(true);
        return Ok(Options::One(flag.clone(), confidence));
    }
    Ok(Options::Unknown(format!(
        "no option alone makes the bug go away ({flag} does so with those listed behind it)"
    )))
}

/// The options that `-Q --help=optimizers` says are on, negated.
fn enabled(text: &str) -> Vec<String> {
    let negated = |line: &str| {
        let (flag, state) = line.trim().split_once(char::is_whitespace)?;
        let name = flag.strip_prefix("-f")?;
        (state.trim() == "[enabled]" && !name.contains('=')).then(|| match name.strip_prefix("no-") {
            Some(positive) => format!("-f{positive}"),
            None => format!("-fno-{name}"),
        })
    };
    text.lines().filter_map(negated).collect()
}

/// The transformation of a blamed pass with which the bug begins, where the compiler counts them.
fn transformation(subject: &Subject<'_>, pass: &Pass) -> Result<Option<Transformation>, Error> {
    let list = subject.answer(&Variation::with(["-fdbg-cnt-list".to_owned()]))?;
    let mut counters = counters(&list);
    // A pass's own counter has a name like its own; others may end the bug for reasons of theirs.
    counters.retain(|(name, _)| related(name, &pass.name));
    for (counter, value) in counters {
        let ask = |number: u64| {
            let option = format!("-fdbg-cnt={counter}:{number}");
            subject.ask(&Variation::with([option])).map(|tried| tried.seen)
        };
        if ask(0)? != Seen::Right || ask(value)? != Seen::Shows {
            continue;
        }
        let found = first_that_shows(value, ask)?;
        if found.confidence.share() >= 1.0 {
            return Ok(Some(Transformation { counter, number: found.first }));
        }
    }
    Ok(None)
}

/// Counters that count anything, with what they count.
fn counters(list: &str) -> Vec<(String, u64)> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, value) = (words.next()?, words.next()?.parse().ok()?);
        (value > 0).then(|| (name.to_owned(), value))
    };
    list.lines().filter_map(line).collect()
}

/// Does a counter's name speak of a pass? `treepre_insert` and `pre`, `dse1` and `dse1`, `tree_sra` and `esra`.
fn related(counter: &str, pass: &str) -> bool {
    let stem = early(stem(pass));
    counter.contains(stem) || counter.split('_').any(|word| word.len() > 2 && pass.contains(word))
}

/// The kind of pass that a list names.
pub(super) fn kind(word: &str) -> Option<PassKind> {
    match word {
        "tree" => Some(PassKind::Gimple),
        "ipa" => Some(PassKind::Ipa),
        "rtl" => Some(PassKind::Rtl),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enabled_options_are_negated() {
        let text = "The following options control optimizations:\n  -O<number>\n  -falign-loops \t\t[enabled]\n  \
            -falign-loops=    \t16\n  -fno-threadsafe-statics  [enabled]\n  -fgcse-sm   [disabled]\n";
        assert_eq!(enabled(text), ["-fno-align-loops", "-fthreadsafe-statics"]);
    }

    #[test]
    fn counters_with_a_value_are_read() {
        let text = "  counter name   counter value   closed intervals\n-----\n  asan   0  unset\n  ccp   44  unset\n";
        assert_eq!(counters(text), [("ccp".to_owned(), 44)]);
        for (counter, pass) in
            [("ccp", "ccp2"), ("tree_sra", "esra"), ("treepre_insert", "pre"), ("dse1", "dse1")]
        {
            assert!(related(counter, pass), "{counter} {pass}");
        }
        for (counter, pass) in [("ccp", "combine"), ("if_conversion", "dse1")] {
            assert!(!related(counter, pass), "{counter} {pass}");
        }
    }
}
