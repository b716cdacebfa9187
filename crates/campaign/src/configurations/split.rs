//! A program of several units compiled: each by itself, then linked.

use super::objects::Objects;
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
    /// cost. `job` may change each step before it is run. A unit that `known` has is not compiled again.
    pub fn compile_units(
        &self,
        units: &Units,
        dir: &Path,
        limits: &Limits,
        known: Option<&Objects>,
        job: &dyn Fn(Compilation) -> Compilation,
    ) -> Result<Compiled, Error> {
        let compiler = &self.tested.compiler;
        let mut objects = Vec::with_capacity(units.texts.len());
        let mut spent = Usage::default();
        for (number, text) in units.texts.iter().enumerate() {
            let (source, object) = (dir.join(unit_file(number)), dir.join(format!("unit-{number}.o")));
            let level = units.level(number, &self.level);
            let step = |source: &Path, object: &Path| self.unit(source, object, level, units.lto, limits);
            let key = known.and_then(|_| Objects::key(compiler, &step(Path::new(""), Path::new("")), text));
            if let (Some(known), Some(key)) = (known, &key)
                && let Some(made) = known.get(key)
            {
                fs::write(&object, &made.bytes).map_err(|error| Error::file("write", &object, &error))?;
                spent = together(spent, made.usage);
                objects.push(object);
                continue;
            }
            fs::write(&source, text).map_err(|error| Error::file("write", &source, &error))?;
            let mut done = compiler.compile(&job(step(&source, &object)));
            if done.outcome != CompileOutcome::Ok {
                done.usage = together(spent, done.usage);
                return Ok(done);
            }
            if let (Some(known), Some(key)) = (known, key) {
                known.put(key, &object, done.usage);
            }
            spent = together(spent, done.usage);
            objects.push(object);
        }
        let mut done = compiler.compile(&job(self.link(&objects, dir, units.lto, limits)));
        done.usage = together(spent, done.usage);
        Ok(done)
    }
}
