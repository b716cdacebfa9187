//! What a compiler compiles for: its triple, its data model, and how to run the result on this machine.

use crate::process::{Limits, find_program};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The sizes and orders that a C program can observe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DataModel {
    /// Bytes of a pointer.
    pub pointer: u8,
    /// Bytes of `int`.
    pub int: u8,
    /// Bytes of `long`.
    pub long: u8,
    /// Bytes that `long double` occupies.
    pub long_double: u8,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// Whether plain `char` is signed.
    pub char_signed: bool,
    /// Whether the compiler said so itself; otherwise it is a guess from the triple.
    pub stated: bool,
}

/// What a compiler compiles for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// Processor, vendor, system; `unknown` where the compiler does not tell.
    pub triple: String,
    /// Its data model.
    pub data: DataModel,
}

/// How programs for a target are run on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runner {
    /// As they are.
    Native,
    /// By an emulator: the words before the program.
    Emulator(Vec<OsString>),
    /// Not at all: they can be compiled but not run.
    Unavailable(String),
}

/// Address space that an emulator takes for itself, the guest's image included.
const EMULATOR_SPACE: u64 = 32 << 30;

impl Runner {
    /// The command line and limits of a run.
    pub(super) fn wrap(&self, executable: &Path, limits: &Limits) -> Option<(Vec<OsString>, Limits)> {
        let mut limits = limits.clone();
        let argv = match self {
            Runner::Native => vec![executable.into()],
            Runner::Emulator(words) => {
                limits.address_space = limits.address_space.map(|bytes| bytes.saturating_add(EMULATOR_SPACE));
                words.iter().cloned().chain([executable.into()]).collect()
            }
            Runner::Unavailable(_) => return None,
        };
        Some((argv, limits))
    }

    /// The way to run programs for `triple` here.
    pub(super) fn for_triple(triple: &str) -> Runner {
        let arch = triple.split('-').next().unwrap_or_default();
        let Some(guest) = processor(arch) else {
            return Runner::Unavailable(format!("plumb knows no emulator for `{triple}`"));
        };
        if ["mingw", "windows", "darwin", "macos", "wasi"].iter().any(|system| triple.contains(system)) {
            return Runner::Unavailable(format!("programs for `{triple}` do not run on Linux"));
        }
        if guest == "none" {
            return Runner::Native;
        }
        let host = processor(std::env::consts::ARCH).unwrap_or_default();
        if guest == host || (host == "x86_64" && guest == "i386") || triple == "unknown" {
            return Runner::Native;
        }
        let path = std::env::var_os("PATH");
        let names = [format!("qemu-{guest}"), format!("qemu-{guest}-static")];
        let found = names.iter().find_map(|name| find_program(OsStr::new(name), path.as_deref()).ok());
        let Some(emulator) = found else {
            return Runner::Unavailable(format!("`{triple}` needs qemu-{guest}: install qemu-user"));
        };
        let mut words = vec![emulator.into_os_string()];
        if let Some(root) = system_root(triple) {
            words.extend(["-L".into(), root.into_os_string()]);
        }
        Runner::Emulator(words)
    }
}

/// Where Debian's cross packages keep the target's libraries.
fn system_root(triple: &str) -> Option<PathBuf> {
    let words: Vec<&str> = triple.split('-').collect();
    // clang writes a vendor that the directory lacks.
    let short = match words.as_slice() {
        [arch, _vendor, system, abi] => format!("{arch}-{system}-{abi}"),
        _ => triple.to_owned(),
    };
    [triple, &short].iter().map(|name| PathBuf::from(format!("/usr/{name}"))).find(|dir| dir.is_dir())
}

/// The name that qemu gives to a processor of a triple. The unknown processor is taken for this machine's.
fn processor(arch: &str) -> Option<&'static str> {
    Some(match arch {
        "x86_64" | "amd64" => "x86_64",
        "i386" | "i486" | "i586" | "i686" | "x86" => "i386",
        "aarch64" | "arm64" => "aarch64",
        "aarch64_be" => "aarch64_be",
        "riscv64" | "riscv64gc" => "riscv64",
        "riscv32" => "riscv32",
        "s390x" => "s390x",
        "powerpc" | "ppc" => "ppc",
        "powerpc64" | "ppc64" => "ppc64",
        "powerpc64le" | "ppc64le" => "ppc64le",
        "mips" | "mipsisa32r6" => "mips",
        "mipsel" | "mipsisa32r6el" => "mipsel",
        "mips64" | "mipsisa64r6" => "mips64",
        "mips64el" | "mipsisa64r6el" => "mips64el",
        "sparc64" | "sparcv9" => "sparc64",
        "sparc" => "sparc",
        "alpha" => "alpha",
        "hppa" | "parisc" => "hppa",
        "m68k" => "m68k",
        "sh4" | "sh" => "sh4",
        "loongarch64" => "loongarch64",
        "hexagon" => "hexagon",
        "unknown" => "none",
        arm if arm.starts_with("armeb") => "armeb",
        arm if arm.starts_with("arm") || arm.starts_with("thumb") => "arm",
        _ => return None,
    })
}

impl DataModel {
    /// The usual data model of a triple.
    pub(super) fn guess(triple: &str) -> DataModel {
        let arch = triple.split('-').next().unwrap_or_default();
        let guest = match processor(arch) {
            Some("none") | None => std::env::consts::ARCH,
            Some(known) => known,
        };
        let wide = guest.contains("64") || matches!(guest, "s390x" | "alpha" | "aarch64_be");
        let pointer = if wide && !triple.ends_with("x32") && !triple.ends_with("abin32") { 8 } else { 4 };
        let long = if triple.contains("mingw") || triple.contains("windows") { 4 } else { pointer };
        let long_double = match guest {
            "i386" => 12,
            "arm" | "armeb" | "mips" | "mipsel" | "sh4" | "hppa" => 8,
            _ => 16,
        };
        let big_endian = matches!(
            guest,
            "s390x"
                | "ppc"
                | "ppc64"
                | "mips"
                | "mips64"
                | "sparc"
                | "sparc64"
                | "hppa"
                | "m68k"
                | "armeb"
                | "aarch64_be"
        );
        let char_signed = !matches!(
            guest,
            "aarch64"
                | "aarch64_be"
                | "arm"
                | "armeb"
                | "ppc"
                | "ppc64"
                | "ppc64le"
                | "s390x"
                | "riscv64"
                | "riscv32"
        );
        DataModel { pointer, int: 4, long, long_double, big_endian, char_signed, stated: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_follow_the_triple() {
        let of = |triple: &str| {
            let data = DataModel::guess(triple);
            (data.pointer, data.long, data.big_endian, data.char_signed)
        };
        assert_eq!(of("x86_64-linux-gnu"), (8, 8, false, true));
        assert_eq!(of("i686-linux-gnu"), (4, 4, false, true));
        assert_eq!(of("x86_64-w64-mingw32"), (8, 4, false, true));
        assert_eq!(of("s390x-linux-gnu"), (8, 8, true, false));
        assert_eq!(of("powerpc-linux-gnu"), (4, 4, true, false));
        assert_eq!(of("armv7l-unknown-linux-gnueabihf"), (4, 4, false, false));
        assert_eq!(of("mips64el-linux-gnuabi64"), (8, 8, false, true));
        assert_eq!(of("alpha-linux-gnu"), (8, 8, false, true));
    }

    #[test]
    fn foreign_systems_and_unknown_processors_are_unavailable_with_a_reason() {
        for triple in ["x86_64-w64-mingw32", "z80-unknown-none"] {
            match Runner::for_triple(triple) {
                Runner::Unavailable(why) => assert!(why.contains(triple), "{why}"),
                other => panic!("{triple}: {other:?}"),
            }
        }
        assert_eq!(Runner::for_triple(&format!("{}-linux-gnu", std::env::consts::ARCH)), Runner::Native);
        assert_eq!(Runner::for_triple("unknown"), Runner::Native);
    }

    #[test]
    fn an_emulator_gets_address_space_of_its_own() {
        let runner = Runner::Emulator(vec!["qemu-arm".into()]);
        let limits = Limits { address_space: Some(1), ..Limits::default() };
        let (argv, wrapped) = runner.wrap(Path::new("/a"), &limits).expect("an emulator runs programs");
        assert_eq!(argv, ["qemu-arm", "/a"]);
        assert_eq!(wrapped.address_space, Some(EMULATOR_SPACE + 1));
    }
}
