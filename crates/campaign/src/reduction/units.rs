//! A program of several units made one of fewer: two of them are merged while the finding shows, those that are empty go, and
//! they are compiled alike and linked without optimisation if that still shows it.

use super::session::Session;
use crate::configurations::{INPUT, unit_file};
use crate::error::Error;
use crate::units::Units;
use reduce::Case;
use std::time::Instant;

/// The units of a program as one text, for the machine.
pub(super) fn join(units: &[(String, Vec<u8>)]) -> Result<String, String> {
    frontend::merge(units).map_err(|why| why.to_string())
}

impl Session {
    /// Makes fewer units of the program, and compiles them more alike, while the finding shows.
    pub fn fewer_units(&mut self) -> Result<(), Error> {
        let (begun, tests) = (Instant::now(), self.tests);
        let Some(units) = self.subject.units.clone() else { return Ok(()) };
        let case = self.text.clone();
        if !units.levels.is_empty() {
            self.take(&case, Units { levels: Vec::new(), ..units.clone() })?;
        }
        let units = self.subject.units.clone().unwrap_or(units);
        if units.lto {
            self.take(&case, Units { lto: false, ..units })?;
        }
        while self.one_less()? {}
        self.note("units", begun, tests);
        Ok(())
    }

    /// Takes the first program of one unit less that shows the finding; `false` if none does. In one piece it does not.
    fn one_less(&mut self) -> Result<bool, Error> {
        let count = self.text.files.len();
        if count <= 2 {
            return Ok(false);
        }
        for gone in (1..count).rev() {
            for kept in 0..gone {
                let Some(case) = merged(&self.text, kept, gone) else { continue };
                let mut units = self.subject.units.clone().unwrap_or_default();
                if gone <= units.levels.len() {
                    units.levels.remove(gone - 1);
                }
                if self.take(&case, units)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Goes on with this program and this way to compile it, if that shows the finding.
    fn take(&mut self, case: &Case, units: Units) -> Result<bool, Error> {
        let before = self.subject.units.clone();
        self.set_units(Some(units));
        let shows = self.ask(std::slice::from_ref(case))? == [true];
        if shows {
            self.text = case.clone();
        } else {
            self.set_units(before);
        }
        Ok(shows)
    }

    /// From here on units are compiled like this, by all compilers.
    pub(super) fn set_units(&mut self, units: Option<Units>) {
        for reference in &mut self.references {
            reference.units.clone_from(&units);
        }
        self.subject.units = units;
    }

    /// The units that are left, with their texts, where there are several.
    pub(super) fn units_left(&self) -> Option<Units> {
        Some(self.subject.units.as_ref()?.with_texts(&self.text))
    }

    /// The program in one piece.
    pub(super) fn whole(&self) -> Result<Vec<u8>, Error> {
        match &self.text.files[..] {
            [file] => Ok(file.text.to_vec()),
            files => {
                let units: Vec<_> = files.iter().map(|f| (f.name.clone(), f.text.to_vec())).collect();
                let text = join(&units).map_err(|why| Error::Internal(format!("{INPUT}: {why}")))?;
                Ok(text.into_bytes())
            }
        }
    }
}

/// A program with one unit merged into another, numbered anew; `None` if they cannot be merged.
fn merged(case: &Case, kept: usize, gone: usize) -> Option<Case> {
    let named = |unit: usize| (case.files[unit].name.clone(), case.files[unit].text.to_vec());
    let text = join(&[named(kept), named(gone)]).ok()?;
    let left = (0..case.files.len()).filter(|unit| *unit != gone).map(|unit| match unit {
        _ if unit == kept => text.clone().into_bytes(),
        _ => case.files[unit].text.to_vec(),
    });
    Some(Case::new(left.enumerate().map(|(number, text)| (unit_file(number), text))))
}
