//! What a program is likely to need of a crash are the functions that the compiler names as it crashes, and those through which
//! they are reached: all others go first, many at once.

use super::session::Session;
use crate::error::Error;
use reduce::Hint;
use reduce::interesting::compilers::Symptom;
use reduce::passes::Pass;
use reduce::passes::c::functions::{Removal, removals};
use reduce::passes::c::unused::Unused;
use reduce::patches::{merge, rebase};
use std::time::Instant;

/// Tests after which what is left is left to the engine.
const TESTS: u64 = 40;

impl Session {
    /// Takes away the functions that the compiler does not name, if it names any.
    pub fn only_named(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Error> {
        let (begun, tests) = (Instant::now(), self.tests);
        let Symptom::Crash(_) = self.symptom else { return Ok(()) };
        let mut hints = others(removals(&self.text), &self.said);
        if hints.is_empty() {
            return Ok(());
        }
        let mut chunk = hints.len();
        while chunk > 0 {
            let mut at = 0;
            while at < hints.len() {
                if stop() || self.tests - tests >= TESTS {
                    chunk = 0;
                    break;
                }
                let end = (at + chunk).min(hints.len());
                let edit = merge(&hints[at..end]);
                let case = self.text.patched(&edit);
                if self.ask(std::slice::from_ref(&case))? != [true] {
                    at = end;
                    continue;
                }
                self.text = case;
                let left =
                    |hints: &[Hint]| hints.iter().filter_map(|hint| rebase(hint, &edit)).collect::<Vec<_>>();
                let (before, behind) = (left(&hints[..at]), left(&hints[end..]));
                at = before.len();
                hints = [before, behind].concat();
            }
            chunk /= 2;
        }
        while !stop() && self.without_unused()? {}
        self.note("functions not named", begun, tests);
        Ok(())
    }

    /// Takes away all that nothing names any more, at once; `false` if there is nothing or that does not show it.
    fn without_unused(&mut self) -> Result<bool, Error> {
        let case = self.text.patched(&merge(&Unused.hints(&self.text)));
        let shows = case.is_below(&self.text) && self.ask(std::slice::from_ref(&case))? == [true];
        if shows {
            self.text = case;
        }
        Ok(shows)
    }
}

/// What takes away the functions that a text does not name and that do not lead to one that it does. Nothing, where it names none.
fn others(all: Vec<Removal>, said: &str) -> Vec<Hint> {
    let words: Vec<&str> = said.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let mut needed: Vec<bool> = all.iter().map(|removal| words.contains(&removal.name.as_str())).collect();
    if !needed.contains(&true) {
        return Vec::new();
    }
    let mut grows = true;
    while grows {
        grows = false;
        for at in 0..all.len() {
            let leads = |(needed, other): (&bool, &Removal)| *needed && all[at].uses(other);
            if !needed[at] && needed.iter().zip(&all).any(leads) {
                (needed[at], grows) = (true, true);
            }
        }
    }
    all.into_iter().zip(needed).filter(|(_, needed)| !needed).map(|(removal, _)| removal.hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduction::session::case_of;

    #[test]
    fn what_leads_to_a_named_function_stays() {
        let text = "int a(void) { return 1; }\nint b(void) { return a(); }\nint c(void) { return 3; }\n\
                    int d(void) { return b() + c(); }\nint main(void) { return d() - 4; }\n";
        let left = |said: &str| {
            let case = case_of(text.as_bytes());
            let hints = others(removals(&case), said);
            String::from_utf8_lossy(&case.patched(&merge(&hints)).files[0].text).replace('\n', "")
        };
        let kept =
            "int b(void) { return 0; }int d(void) { return b() + 0; }int main(void) { return d() - 4; }";
        assert_eq!(left("In function 'b.constprop.0': internal compiler error"), kept);
        assert_eq!(left("nothing is named"), text.replace('\n', ""));
    }
}
