//! What a native program of x86-64 does to given places in its static memory: each read and write, in order.
//!
//! The program runs as it is, with the processor's debug registers set (`process/watch.rs`): each access traps behind its
//! instruction, which is decoded to tell reads from writes. Up to four places are watched in one run.

use crate::process::{Outcome, Spec, Trap, WINDOWS, Watch, WatchEnd, Watched, Window, find_program, run};
use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, OpAccess, Register};
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// The most bytes that a trap takes in the tracer's output.
const LINE: usize = 48;

/// An executable file, as far as it must be known to be watched.
#[derive(Debug)]
pub struct Executable {
    entry: u64,
    /// Where objects lie and how large they are, by name.
    objects: BTreeMap<String, (u64, u64)>,
    /// Functions by address, with their sizes.
    functions: BTreeMap<u64, u64>,
    /// The bytes of the sections with code, by address.
    code: BTreeMap<u64, Vec<u8>>,
}

/// Where an object of a program lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// It lies here and has this size, in bytes.
    At(u64, u64),
    /// There is no symbol of it.
    Gone,
    /// There are symbols of what may be parts of it.
    Parts,
}

/// What one access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// It reads.
    Read,
    /// It writes, and the place holds this afterwards.
    Write(u64),
}

/// All that was done to a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The accesses in order, with how many bytes each moved.
    pub accesses: Vec<(Done, u64)>,
    /// How many instructions made them: one that reads and writes makes two.
    pub instructions: usize,
}

/// What was done to a watched place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// All of it.
    All(Log),
    /// More accesses than were to be expected: these and more.
    TooMany(Log),
    /// An instruction accessed it of which this file cannot tell what it does.
    Unclear,
}

/// Whether programs can be watched here; if not, why.
///
/// # Errors
///
/// What keeps the tracer from its work: a container that forbids `ptrace`, a processor without debug registers.
pub fn available() -> Result<(), String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("this is no x86-64".to_owned());
    }
    let path = find_program(OsStr::new("true"), std::env::var_os("PATH").as_deref());
    let path = path.map_err(|error| error.to_string())?;
    let executable = Executable::open(&path)?;
    let watch = Watch { entry: executable.entry, windows: Vec::new(), most: 0 };
    // One trap is enough: this program is ended there.
    let watched = Watched::read(&run(&Spec::new(path).watch(watch)).stdout);
    match watched.end {
        WatchEnd::TooMany => Ok(()),
        WatchEnd::Failed(why) => Err(why),
        WatchEnd::Exited(_) | WatchEnd::Signaled(_) => Err("debug registers do not trap".to_owned()),
    }
}

impl Executable {
    /// Reads an executable file.
    ///
    /// # Errors
    ///
    /// It cannot be read, is no ELF file of x86-64, or has no symbols.
    pub fn open(path: &Path) -> Result<Executable, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file = ElfFile64::<Endianness>::parse(&*bytes).map_err(|error| error.to_string())?;
        if file.architecture() != object::Architecture::X86_64 {
            return Err("it is no program of x86-64".to_owned());
        }
        let mut executable = Executable {
            entry: file.entry(),
            objects: BTreeMap::new(),
            functions: BTreeMap::new(),
            code: BTreeMap::new(),
        };
        for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
            let Ok(name) = symbol.name() else { continue };
            match symbol.kind() {
                SymbolKind::Data => {
                    executable.objects.insert(name.to_owned(), (symbol.address(), symbol.size()));
                }
                SymbolKind::Text => {
                    executable.functions.insert(symbol.address(), symbol.size());
                }
                _ => {}
            }
        }
        for section in file.sections().filter(|section| section.kind() == object::SectionKind::Text) {
            let data = section.data().map_err(|error| error.to_string())?;
            executable.code.insert(section.address(), data.to_vec());
        }
        Ok(executable)
    }

    /// Where the object of this name lies.
    pub fn find(&self, name: &str) -> Found {
        if self.functions.is_empty() {
            return Found::Parts;
        }
        if let Some((address, size)) = self.objects.get(name) {
            return Found::At(*address, *size);
        }
        let parts = format!("{name}.");
        let next = self.objects.range(parts.clone()..).next();
        if next.is_some_and(|(other, _)| other.starts_with(&parts)) { Found::Parts } else { Found::Gone }
    }

    /// Runs the program that `spec` runs, as often as it takes, and notes what it does to these places. `most` is how
    /// many traps are to be expected of each; far more end a run. What each place saw is in the order of `places`.
    ///
    /// # Errors
    ///
    /// The program cannot be watched, or does not end within its limits; `None` where plumb was stopped.
    pub fn watch(&self, spec: &Spec, places: &[(Window, usize)]) -> Result<Vec<Seen>, Option<String>> {
        let mut all = Vec::new();
        let mut decoded = Decoded::default();
        for group in places.chunks(WINDOWS) {
            let expected: usize = group.iter().map(|(_, most)| most).sum();
            let windows = group.iter().map(|(window, _)| *window).collect();
            let most = 2 * expected as u64 + 64;
            let watch = Watch { entry: self.entry, windows, most };
            let mut spec = spec.clone().watch(watch);
            // The tracer is a process too, and its lines are the output.
            spec.limits.processes = spec.limits.processes.map(|most| most + 1);
            spec.limits.stdout = spec.limits.stdout.max(LINE * (2 * expected + 128));
            let done = run(&spec);
            match &done.outcome {
                Outcome::Exited(0) => {}
                Outcome::Cancelled => return Err(None),
                other => return Err(Some(other.describe())),
            }
            let watched = Watched::read(&done.stdout);
            if let WatchEnd::Failed(why) = watched.end {
                return Err(Some(why));
            }
            let cut = watched.end == WatchEnd::TooMany;
            for (number, (window, most)) in group.iter().enumerate() {
                let traps = watched.traps.iter().filter(|trap| trap.window == number);
                all.push(match (self.seen(traps, *window, &mut decoded), cut) {
                    (Seen::All(log), true) if log.accesses.len() > *most => Seen::TooMany(log),
                    // It was ended because of another place.
                    (Seen::All(_), true) => Seen::Unclear,
                    (seen, _) => seen,
                });
            }
        }
        Ok(all)
    }

    fn seen<'t>(&self, traps: impl Iterator<Item = &'t Trap>, window: Window, decoded: &mut Decoded) -> Seen {
        let mut log = Log::default();
        for trap in traps {
            log.instructions += 1;
            let Some(Effect { reads, writes, size }) = self.before(trap.next, decoded) else {
                return Seen::Unclear;
            };
            // What moves more than the place may move it with its neighbours.
            let size = if size == 0 { window.size.into() } else { size };
            if reads {
                log.accesses.push((Done::Read, size));
            }
            if writes {
                log.accesses.push((Done::Write(trap.value), size));
            }
        }
        Seen::All(log)
    }

    /// What the instruction that ends at an address does to memory.
    fn before(&self, next: u64, decoded: &mut Decoded) -> Option<Effect> {
        let (start, size) = self.functions.range(..next).next_back()?;
        if !decoded.functions.contains(start) {
            decoded.functions.insert(*start);
            self.decode(*start, *size, decoded);
        }
        decoded.effects.get(&next).copied().flatten()
    }

    fn decode(&self, start: u64, size: u64, decoded: &mut Decoded) -> Option<()> {
        let (section, bytes) = self.code.range(..=start).next_back()?;
        let from = usize::try_from(start - section).ok()?;
        let bytes = bytes.get(from..from.checked_add(usize::try_from(size).ok()?)?)?;
        let mut decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
        let mut facts = InstructionInfoFactory::new();
        while decoder.can_decode() {
            let instruction = decoder.decode();
            if instruction.is_invalid() {
                break;
            }
            let is_string = instruction.is_string_instruction();
            let used = facts.info(&instruction).used_memory();
            let other = |memory: &&iced_x86::UsedMemory| {
                memory.base() != Register::RSP && memory.access() != OpAccess::NoMemAccess
            };
            let mut all = used.iter().filter(other);
            let effect = match (all.next(), all.next()) {
                (Some(memory), None) if !is_string => effect(memory),
                _ => None,
            };
            decoded.effects.insert(instruction.next_ip(), effect);
        }
        Some(())
    }
}

/// What an instruction does to the one place of memory that it names.
#[derive(Debug, Clone, Copy)]
struct Effect {
    reads: bool,
    writes: bool,
    size: u64,
}

fn effect(memory: &iced_x86::UsedMemory) -> Option<Effect> {
    let (reads, writes) = match memory.access() {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write | OpAccess::CondWrite => (false, true),
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        OpAccess::None | OpAccess::NoMemAccess => return None,
    };
    Some(Effect { reads, writes, size: memory.memory_size().size() as u64 })
}

/// The instructions that were decoded, by the address behind them.
#[derive(Debug, Default)]
struct Decoded {
    functions: std::collections::BTreeSet<u64>,
    effects: BTreeMap<u64, Option<Effect>>,
}
