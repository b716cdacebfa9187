//! What the driver prints of a run.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// 16 general registers, then two words of each vector.
pub type Registers = [u64; 48];

/// A call that a function made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The stub, by its number.
    pub stub: usize,
    /// Where it returns to.
    pub returns: u64,
    /// Registers then.
    pub registers: Box<Registers>,
    /// Words on the stack above the return address.
    pub stack: Vec<u64>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The function returned, with these registers.
    Returned(Box<Registers>),
    /// It was stopped at a call: behind it nothing is known.
    Stopped,
    /// The processor stopped it.
    Signal {
        /// The signal's number.
        number: u64,
        /// The instruction's address.
        at: u64,
        /// The address that it accessed.
        address: u64,
    },
    /// Memory that it needs could not be had.
    NoMemory(u64),
    /// Otherwise, in words.
    Other(String),
}

impl End {
    /// What ends have to agree in.
    pub fn kind(&self) -> &'static str {
        match self {
            End::Returned(_) => "returned",
            End::Stopped => "stopped",
            End::Signal { number: 4 | 5, .. } => "trapped",
            End::Signal { .. } => "failed",
            End::NoMemory(_) | End::Other(_) => "other",
        }
    }

    /// In words.
    pub fn told(&self) -> String {
        match self {
            End::Returned(_) => "returned".to_owned(),
            End::Stopped => "called".to_owned(),
            End::Signal { number: 4 | 5, .. } => "stopped by a trap".to_owned(),
            End::Signal { number: 8, .. } => "failed in a division".to_owned(),
            End::Signal { address, .. } => format!("failed at an access of {address:#x}"),
            End::NoMemory(at) => format!("found no memory at {at:#x}"),
            End::Other(how) => how.clone(),
        }
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Calls.
    pub calls: Vec<Seen>,
    /// The end.
    pub end: End,
    /// Bytes of memory that are no longer what they were.
    pub bytes: BTreeMap<u64, u64>,
    /// Objects of the frame at the call where it was stopped: object and byte.
    pub locals: BTreeMap<(u64, u64), u64>,
}

impl Ran {
    /// Reads what the driver printed of a run that ended otherwise than by itself as `how` says, if it did.
    pub fn parse(text: &str, how: Option<String>) -> Ran {
        let other = End::Other(how.unwrap_or_else(|| "ended too early".to_owned()));
        let mut out = Ran { calls: Vec::new(), end: other, bytes: BTreeMap::new(), locals: BTreeMap::new() };
        let mut end = None;
        for line in text.lines() {
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or_default();
            let Ok(numbers) = words.map(|w| u64::from_str_radix(w, 16)).collect::<Result<Vec<_>, _>>() else {
                continue;
            };
            match (kind, &numbers[..]) {
                ("call", [stub, returns, rest @ ..]) if rest.len() > 48 => {
                    let (registers, stack) = rest.split_at(48);
                    let mut all = Box::new([0; 48]);
                    all.copy_from_slice(registers);
                    let (stub, stack) = (*stub as usize, stack.to_vec());
                    out.calls.push(Seen { stub, returns: *returns, registers: all, stack });
                }
                ("return", registers) if registers.len() == 48 => {
                    let mut all = Box::new([0; 48]);
                    all.copy_from_slice(registers);
                    end = Some(End::Returned(all));
                }
                ("signal", [number, at, address]) => {
                    end = Some(End::Signal { number: *number, at: *at, address: *address });
                }
                ("byte", [at, value]) => out.bytes.extend([(*at, *value)]),
                ("local", [object, at, value]) => out.locals.extend([((*object, *at), *value)]),
                ("unmapped", [at]) => out.end = End::NoMemory(*at),
                // Only now all has been told.
                ("ended" | "stopped", []) => out.end = end.take().unwrap_or(End::Stopped),
                _ => {}
            }
        }
        out
    }

    /// The changed bytes of an aligned word.
    pub fn word(&self, at: u64) -> u64 {
        let byte = |k: u64| self.bytes.get(&((at & !7) + k)).copied().unwrap_or(0) << (8 * k);
        (0..8).map(byte).sum()
    }

    /// Whether an address in this range went out: to a callee, or into memory.
    pub fn mentions(&self, range: RangeInclusive<u64>) -> bool {
        let seen = |s: &Seen| {
            let arguments = [7, 6, 2, 1, 8, 9].into_iter().map(|n| s.registers[n]);
            arguments.chain(s.stack.iter().copied()).any(|v| range.contains(&v))
        };
        self.calls.iter().any(seen) || self.bytes.keys().any(|at| range.contains(&self.word(*at)))
    }
}
