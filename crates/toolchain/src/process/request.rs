//! From a description of a job to the request that its supervisor gets: finds the program, fixes the directory,
//! makes up the environment.

use super::outcome::SpawnError;
use super::spec::Spec;
use super::wire::Request;
use rustix::fs::{Access, access};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

/// The request for a job, or why there can be none.
pub(super) fn request(spec: &Spec) -> Result<Request, SpawnError> {
    let name = spec.argv.first().filter(|name| !name.is_empty()).ok_or(SpawnError::Empty)?;
    let path = match spec.vars.get(OsStr::new("PATH")) {
        Some(path) => path.clone(),
        None => std::env::var_os("PATH"),
    };
    let program = find_program(name, path.as_deref())?;
    let here =
        || std::env::current_dir().map_err(|e| SpawnError::Directory { dir: ".".into(), why: e.to_string() });
    let cwd = match &spec.cwd {
        Some(dir) => std::path::absolute(dir).or_else(|_| here())?,
        None => here()?,
    };
    let argv: Vec<Vec<u8>> = spec.argv.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    let env = spec.environment();
    if let Some(bad) = argv.iter().chain(&env).find(|s| s.contains(&0)) {
        return Err(SpawnError::Nul(OsStr::from_bytes(bad).to_owned()));
    }
    let ns = |time: Option<Duration>| time.map(|t| u64::try_from(t.as_nanos()).unwrap_or(u64::MAX / 4));
    let limits = &spec.limits;
    Ok(Request {
        program: program.into_os_string().into_encoded_bytes(),
        argv,
        env,
        cwd: cwd.into_os_string().into_encoded_bytes(),
        wall_ns: ns(limits.wall),
        cpu_ns: ns(limits.cpu),
        address_space: limits.address_space,
        stack: limits.stack,
        file_size: limits.file_size,
        processes: limits.processes,
        sandbox: spec.sandbox.clone(),
        fixed_addresses: spec.fixed_addresses,
        watch: spec.watch.clone(),
    })
}

/// The path of a program: as named if it has a slash, else the first executable file of that name on `path`.
pub(crate) fn find_program(name: &OsStr, path: Option<&OsStr>) -> Result<PathBuf, SpawnError> {
    let not_found = || SpawnError::NotFound { program: name.to_owned() };
    if name.as_bytes().contains(&0) {
        return Err(SpawnError::Nul(name.to_owned()));
    }
    if name.as_bytes().contains(&b'/') {
        let program = std::path::absolute(name).map_err(|_| not_found())?;
        return match std::fs::metadata(&program) {
            Ok(meta) if meta.is_dir() => {
                Err(SpawnError::NotExecutable { program, why: "it is a directory".to_owned() })
            }
            Ok(_) => access(&program, Access::EXEC_OK)
                .map_err(|errno| SpawnError::NotExecutable {
                    program: program.clone(),
                    why: errno.to_string(),
                })
                .map(|()| program),
            Err(_) => Err(not_found()),
        };
    }
    let candidates = std::env::split_paths(path.unwrap_or_default()).map(|dir| dir.join(name));
    let executable = |file: &PathBuf| file.is_file() && access(file, Access::EXEC_OK).is_ok();
    let found = candidates.into_iter().find(executable).ok_or_else(not_found)?;
    std::path::absolute(found).map_err(|_| not_found())
}
