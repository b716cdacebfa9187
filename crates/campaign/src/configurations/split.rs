//! A program of several units compiled: each by itself, then linked.

use super::profile::together;
use super::{Configuration, unit_file};
use crate::error::Error;
use crate::units::Units;
use std::fs;
use std::path::Path;
use toolchain::compiler::{Compilation, CompileOutcome, Compiled};
use toolchain::process::{Limits, Usage};

impl Configuration {
    /// Compiles each unit in this directory and links them; the first step that fails is the answer, with what all steps
    /// cost. `job` may change each step before it is run.
    pub fn compile_units(
        &self,
        units: &Units,
        dir: &Path,
        limits: &Limits,
        job: &dyn Fn(Compilation) -> Compilation,
    ) -> Result<Compiled, Error> {
        let compiler = &self.tested.compiler;
        let mut objects = Vec::with_capacity(units.texts.len());
        let mut spent = Usage::default();
        let mut run = |step: Compilation| {
            let mut done = compiler.compile(&job(step));
            spent = together(spent, done.usage);
            done.usage = spent;
            done
        };
        for (number, text) in units.texts.iter().enumerate() {
            let (source, object) = (dir.join(unit_file(number)), dir.join(format!("unit-{number}.o")));
            fs::write(&source, text).map_err(|error| Error::file("write", &source, &error))?;
            let level = units.level(number, &self.level);
            let done = run(self.unit(&source, &object, level, units.lto, limits));
            if done.outcome != CompileOutcome::Ok {
                return Ok(done);
            }
            objects.push(object);
        }
        Ok(run(self.link(&objects, dir, units.lto, limits)))
    }
}
