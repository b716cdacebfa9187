//! The virtual machine: state, frames, start-up, and how a run ends.

pub mod access;
pub mod call;
pub mod complex;
pub mod exec;
pub mod float;
pub mod jump;
pub mod objects;
pub mod observe;
mod pointers;
pub mod restrict;
pub mod seq;
pub mod tags;
pub mod vector;

use crate::bytecode::{Code, Constant, Insn, Program};
use crate::mem::{Kind, Memory, Ptr};
use crate::profile::{PointProfile, Profile};
use crate::stop::{Res, Stop, exhausted, undefined};
use crate::ub::Ub;
use crate::verdict::{Budget, Exit, Options, Outcome, Run, Verdict};
use crate::volatile::Recorder;
use csyntax::source::Span;
use csyntax::tree::{FnId, Unit};
use rustc_hash::FxHashMap;

/// A register.
#[derive(Copy, Clone, Default, Debug, PartialEq)]
#[repr(C)]
pub struct Slot {
    /// Low half.
    pub lo: u64,
    /// High half, or provenance.
    pub hi: u64,
}

/// The least address of a function ([`Vm::function_base`]).
pub const FUNCTION_BASE: u64 = 0x40_0000;
/// Addresses of labels: 16 bytes each, by constant index.
pub const LABEL_BASE: u64 = 0x0800_0000;
/// Address of the arena's first byte.
pub const ARENA_BASE: u64 = 0x1000_0000;
/// Registers of all frames together.
const REGISTERS: usize = 4 << 20;
/// Addresses that stand for the three standard streams.
pub const STREAM_BASE: u64 = 0x3_0000;

/// The registers of all frames: zeroed pages that cost nothing until used.
pub struct Registers(memmap2::MmapMut);

impl Registers {
    fn new() -> Res<Registers> {
        let bytes = REGISTERS * size_of::<Slot>();
        match memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon() {
            Ok(map) => Ok(Registers(map)),
            Err(_) => exhausted(Budget::Memory),
        }
    }
}

impl std::ops::Deref for Registers {
    type Target = [Slot];
    fn deref(&self) -> &[Slot] {
        // SAFETY: the map is page-aligned, `REGISTERS` slots long, and any bits are valid slots.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), REGISTERS) }
    }
}

impl std::ops::DerefMut for Registers {
    fn deref_mut(&mut self) -> &mut [Slot] {
        // SAFETY: as above, and borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), REGISTERS) }
    }
}

/// A function call in progress. Small, for calls copy it.
#[derive(Copy, Clone, Debug, Default)]
pub struct Frame {
    /// Code.
    pub code: u32,
    /// Next instruction.
    pub pc: u32,
    /// First register.
    pub fp: u32,
    /// First automatic slot.
    pub slots: u32,
    /// Automatic slots.
    pub locals: u32,
    /// Variable arguments: range in [`Vm::extra`].
    pub extra: (u32, u32),
    /// Open unsequenced regions at entry.
    pub regions: u32,
    /// Dynamic allocations at entry.
    pub dynamic: u32,
    /// Arena index of its memory.
    pub mem: usize,
    /// `stack_top` to return to.
    pub stack: usize,
    /// Serial number, for argument lists and jump buffers.
    pub serial: u64,
    /// For GNU nested functions: serial number of the enclosing function's frame.
    pub chain: u64,
}

/// A function that a library function or start-up calls, with the static chain of nested ones.
#[derive(Copy, Clone, Debug)]
pub struct Target {
    /// The function.
    pub id: FnId,
    /// Serial number of the enclosing frame, or 0.
    pub chain: u64,
}

impl From<FnId> for Target {
    fn from(id: FnId) -> Target {
        Target { id, chain: 0 }
    }
}

/// A variable argument.
#[derive(Copy, Clone, Debug)]
pub struct Extra {
    /// Its type as passed.
    pub ty: csyntax::types::Ty,
    /// Its value, or the pointer to it.
    pub value: Slot,
}

/// A `va_list` in use.
#[derive(Copy, Clone, Debug)]
pub struct List {
    /// Next argument, index into [`Vm::extra`].
    pub next: usize,
    /// One past the last.
    pub end: usize,
    /// The frame whose arguments they are.
    pub serial: u64,
    /// The frame that started it, and the arena index of the `va_list` that it was started in: 0 once it has ended.
    pub started: (u64, usize),
    /// The function that it was passed to and that used it last (7.16p3): its frame, or [`List::LIBRARY`].
    pub used_by: Option<u64>,
}

impl List {
    /// A library function, which has returned.
    pub const LIBRARY: u64 = 0;
}

/// A `jmp_buf` that was set.
#[derive(Clone, Debug)]
pub struct Jump {
    /// Depth of its frame.
    pub depth: usize,
    /// The frame's serial number.
    pub serial: u64,
    /// Instruction after `setjmp`.
    pub pc: u32,
    /// Register for its result.
    pub d: u16,
    /// The bytes of the frame's objects: what has changed at the `longjmp` is lost.
    pub before: Box<[u8]>,
}

/// The machine while it runs a program.
pub struct Vm<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its checked tree (types, names).
    pub unit: &'p Unit,
    /// Budgets and inputs.
    pub options: &'p Options,
    /// Memory.
    pub mem: Memory,
    /// Registers of all frames.
    pub regs: Registers,
    /// Calls in progress.
    pub frames: Vec<Frame>,
    /// Resolved constants.
    pub constants: Vec<Slot>,
    /// Provenances of statics.
    pub statics: Vec<Ptr>,
    /// Steps left.
    pub fuel: i64,
    /// The head of the loop that is run, or ran last.
    head: *const Insn,
    /// Variable arguments of the frames.
    pub extra: Vec<Extra>,
    /// Argument lists.
    pub lists: Vec<List>,
    /// Those that were started and did not end yet: index into [`Vm::lists`].
    pub open_lists: Vec<usize>,
    /// Set jump buffers.
    pub jumps: Vec<Jump>,
    /// Bytes kept in [`Vm::jumps`].
    pub jump_bytes: usize,
    /// Dynamic allocations of frames (slots), in order.
    pub dynamic: Vec<u32>,
    /// Words looked at so far to find `restrict` tags that are free again.
    pub restrict_work: u64,
    /// Next dynamic slot.
    pub next_serial: u64,
    /// Unsequenced regions.
    pub regions: Vec<seq::Region>,
    /// Standard output so far.
    pub stdout: Vec<u8>,
    /// Standard error so far.
    pub stderr: Vec<u8>,
    /// Position in the standard input.
    pub stdin_at: usize,
    /// Volatile accesses: count and hash.
    pub volatile: (u64, u64),
    /// Objects accessed as volatile, in the order of the first access: the trace knows them by that, so that it is
    /// the same for programs that differ in other declarations.
    pub traced: Vec<u32>,
    /// Accesses to volatile places, where they are asked for.
    pub recorder: Option<Box<Recorder>>,
    /// What was seen at points.
    pub seen: Vec<PointProfile>,
    /// Room for a row of the profile.
    pub row: Vec<crate::profile::Seen>,
    /// Of each code, whether it came to an order of evaluation that a call could tell apart.
    pub reordered: Vec<bool>,
    /// `atexit` functions.
    pub at_exit: Vec<Ptr>,
    /// State of library functions (`strtok`, `rand`).
    pub library: crate::libc::State,
    /// Where execution stopped (code, pc) when a nested run unwound.
    pub stopped: Option<(Span, Vec<(String, Span)>)>,
    /// Cache of function type compatibility.
    pub compatible: FxHashMap<(csyntax::types::Ty, csyntax::types::Ty), bool>,
    /// Which records may share bytes, in programs where that matters.
    pub kin: tags::Related,
}

impl<'p> Vm<'p> {
    /// A machine ready to start.
    pub fn new(unit: &'p Unit, program: &'p Program, options: &'p Options) -> Res<Vm<'p>> {
        let target = &options.target;
        let stack = (options.max_memory / 4).clamp(8 << 20, 256 << 20);
        if program.static_bytes > options.max_memory {
            return exhausted(Budget::Memory);
        }
        let big = target.endian == csyntax::target::Endian::Big;
        let mem = Memory::new(
            program.static_bytes,
            options.max_memory,
            stack,
            ARENA_BASE + options.layout_shift,
            target.pointer_bytes.into(),
            big,
        )?;
        let mut mem = mem;
        if options.allow_misaligned {
            mem.alignment = 0;
        }
        mem.any_type = options.allow_aliasing;
        mem.turn_unspecified = options.layout_shift != 0;
        mem.restrict = restrict::state(unit, program);
        mem.tags = (!program.tagged.is_empty()).then(Default::default);
        let mut vm = Vm {
            program,
            unit,
            options,
            mem,
            regs: Registers::new()?,
            frames: Vec::new(),
            constants: Vec::new(),
            statics: Vec::new(),
            head: std::ptr::null(),
            fuel: i64::try_from(options.max_steps).unwrap_or(i64::MAX),
            extra: Vec::new(),
            lists: vec![List { next: 0, end: 0, serial: 0, started: (0, 0), used_by: None }],
            open_lists: Vec::new(),
            jumps: Vec::new(),
            jump_bytes: 0,
            dynamic: Vec::new(),
            restrict_work: 0,
            next_serial: 1,
            regions: Vec::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            stdin_at: 0,
            volatile: (0, 0xcbf2_9ce4_8422_2325),
            traced: Vec::new(),
            recorder: options.volatile.then(Default::default),
            seen: vec![PointProfile::default(); program.points.len()],
            row: Vec::new(),
            reordered: vec![false; program.codes.len()],
            at_exit: Vec::new(),
            library: crate::libc::State::default(),
            stopped: None,
            compatible: FxHashMap::default(),
            kin: tags::Related::default(),
        };
        vm.place_statics()?;
        vm.resolve_constants();
        Ok(vm)
    }

    fn place_statics(&mut self) -> Res<()> {
        for item in &self.program.statics {
            let (at, size) = (item.at as usize, item.size as usize);
            let kind = if item.literal.is_some() { Kind::Literal } else { Kind::Static };
            let prov = self.mem.place_static(at, item.size, kind, item.tag)?;
            self.statics.push(Ptr { addr: self.mem.addr(at), prov });
            let template = &self.program.templates[item.template as usize];
            self.mem.shadow_mut(at, size).copy_from_slice(template);
            self.mem.mark_zeroed(at, size);
            if let Some(s) = item.literal {
                self.put_string(at, s, size);
            }
        }
        for (stream, index) in self.program.streams.iter().enumerate() {
            if let Some(index) = index {
                let at = self.program.statics[*index as usize].at as usize;
                let class = crate::class::Class::Ptr as u8;
                let ptr = Ptr { addr: STREAM_BASE + 16 * stream as u64, prov: 0 };
                self.mem.store_ptr(at, class, ptr)?;
            }
        }
        Ok(())
    }

    /// Writes a string literal's units, and zeros up to `size` bytes.
    pub fn put_string(&mut self, at: usize, s: u32, size: usize) {
        let string = &self.unit.strings[s as usize];
        let types = &self.unit.types;
        let elem = match types.kind(string.ty) {
            csyntax::types::TyKind::Array(elem, _) => types.layout(elem.ty).map_or(1, |l| l.size as usize),
            _ => 1,
        };
        let mut bytes = Vec::with_capacity(size);
        for unit in string.units.iter() {
            let le = unit.to_le_bytes();
            if self.mem.big_endian {
                bytes.extend(le[..elem].iter().rev());
            } else {
                bytes.extend(&le[..elem]);
            }
        }
        bytes.resize(size, 0);
        self.mem.data_mut(at, size).copy_from_slice(&bytes);
        for byte in self.mem.shadow_mut(at, size) {
            *byte = (*byte | crate::class::INIT) & !crate::class::PIECE;
        }
    }

    fn resolve_constants(&mut self) {
        for (index, constant) in self.program.constants.iter().enumerate() {
            let slot = match *constant {
                Constant::Bits(lo, hi) => Slot { lo, hi },
                Constant::Static(index, off) => {
                    let ptr = self.statics[index as usize];
                    Slot { lo: ptr.addr.wrapping_add(off as u64), hi: ptr.prov }
                }
                Constant::Function(id) => Slot { lo: self.function_base() + 16 * u64::from(id), hi: 0 },
                Constant::Label(..) => Slot { lo: LABEL_BASE + 16 * index as u64, hi: 0 },
            };
            self.constants.push(slot);
        }
    }

    /// Address of the function with id 0; function `n` lies 16 bytes further each. Functions move with the layout, by
    /// less than what keeps them below the labels, and not by whole pages: low bits of addresses change too.
    pub fn function_base(&self) -> u64 {
        let shift = self.options.layout_shift & 0x3f_f000;
        FUNCTION_BASE + shift + (shift >> 8 & 0xff0)
    }

    /// The function at an address.
    pub fn function_at(&self, addr: u64) -> Option<FnId> {
        let offset = addr.checked_sub(self.function_base())?;
        let id = offset / 16;
        (offset % 16 == 0 && id < self.unit.functions.len() as u64).then_some(FnId(id as u32))
    }

    /// The code of the innermost frame.
    pub fn code(&self, index: u32) -> &'p Code {
        &self.program.codes[index as usize]
    }

    /// Appends program output.
    pub fn write(&mut self, stderr: bool, bytes: &[u8]) -> Res<()> {
        let used = (self.stdout.len() + self.stderr.len() + bytes.len()) as u64;
        if used > self.options.max_output {
            return exhausted(Budget::Output);
        }
        if stderr {
            self.stderr.extend(bytes)
        } else {
            self.stdout.extend(bytes)
        }
        Ok(())
    }

    /// Notes a volatile access.
    pub fn trace_volatile(&mut self, ptr: Ptr, size: u64, write: bool, value: u64) {
        let rec = self.mem.object(ptr.prov).copied();
        let (tag, offset) = rec.map_or((0, 0), |r| (r.tag, ptr.addr.wrapping_sub(r.base)));
        let object = self.traced.iter().position(|known| *known == tag).unwrap_or_else(|| {
            self.traced.push(tag);
            self.traced.len() - 1
        }) as u64;
        let mut hash = self.volatile.1;
        for word in [object, offset, size << 1 | u64::from(write), value] {
            hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17);
        }
        self.volatile = (self.volatile.0 + 1, hash);
    }

    fn start(&mut self) -> Res<()> {
        self.run_code(self.program.init, 0, &[])?;
        for id in &self.program.constructors {
            self.call_function(*id, &[])?;
        }
        let Some(main) = self.program.main else {
            return Err(Box::new(Stop::Unsupported("a program without main".into())));
        };
        let args = self.main_arguments(main)?;
        let result = self.call_function(main, &args)?;
        self.exit(result.lo as u8)
    }

    /// `exit`: runs the registered functions, then stops the run.
    pub fn exit(&mut self, code: u8) -> Res<()> {
        if std::mem::replace(&mut self.library.exiting, true) {
            return undefined(Ub::LibraryArgument, "exit or quick_exit is called a second time");
        }
        while let Some(f) = self.at_exit.pop() {
            if let Some(id) = self.function_at(f.addr) {
                self.call_function(id, &[])?;
            }
        }
        for id in &self.program.destructors {
            self.call_function(*id, &[])?;
        }
        Err(Box::new(Stop::Exit(Exit::Code(code))))
    }

    fn main_arguments(&mut self, main: FnId) -> Res<Vec<Slot>> {
        let wanted = self.unit[main].params.len();
        let argv: Vec<Vec<u8>> =
            std::iter::once(b"program".to_vec()).chain(self.options.args.iter().cloned()).collect();
        let word = self.mem.pointer_bytes;
        let table = self.mem.heap_alloc((argv.len() as u64 + 1) * word, 16)?.unwrap_or(Ptr::NULL);
        for (k, arg) in argv.iter().enumerate() {
            let text = self.mem.heap_alloc(arg.len() as u64 + 1, 16)?.unwrap_or(Ptr::NULL);
            self.mem.write_bytes(text, arg)?;
            self.mem.write_bytes(text.offset(arg.len() as u64), &[0])?;
            let at = self.mem.index(table.addr + k as u64 * word);
            self.mem.store_ptr(at, crate::class::Class::Ptr as u8, text)?;
        }
        let at = self.mem.index(table.addr + argv.len() as u64 * word);
        self.mem.store_ptr(at, crate::class::Class::Ptr as u8, Ptr::NULL)?;
        let env = Slot { lo: table.addr + argv.len() as u64 * word, hi: table.prov };
        let all = [Slot { lo: argv.len() as u64, hi: 0 }, Slot { lo: table.addr, hi: table.prov }, env];
        Ok(all[..wanted.min(3)].to_vec())
    }

    /// Runs the whole program and gives the verdict.
    pub fn run(mut self) -> Run {
        let end = self.start();
        let steps = self.options.max_steps.saturating_sub(self.fuel.max(0) as u64);
        let (span, stack) = self.stopped.take().unwrap_or_else(|| self.place());
        let cold = matches!(end.as_ref().map_err(|e| &**e), Err(Stop::Cold));
        let verdict = match end.map_err(|e| *e) {
            Ok(()) => Verdict::Unsupported { what: "a program that neither returns nor exits".into(), span },
            Err(Stop::Exit(exit)) => Verdict::Defined(Outcome {
                exit,
                stdout: self.stdout.clone(),
                stderr: self.stderr.clone(),
                volatile_trace: self.volatile,
                address_dependent: self.mem.address_seen || self.mem.unspecified_read,
                order_dependent: false,
            }),
            Err(Stop::Undefined(ub, detail)) => Verdict::Undefined { ub, span, detail, stack },
            Err(Stop::Unsupported(what)) => Verdict::Unsupported { what, span },
            Err(Stop::Exhausted(budget)) => Verdict::Exhausted(budget),
            Err(Stop::Cold) => Verdict::Unsupported { what: "a statement that was left out".into(), span },
            Err(Stop::Longjmp(..) | Stop::Goto(_)) => Verdict::Undefined {
                ub: crate::ub::Ub::JumpTarget,
                span,
                detail: "longjmp to a function that has ended".into(),
                stack,
            },
        };
        let mut profile = Profile::default();
        for (point, seen) in self.program.points.iter().zip(self.seen).filter(|(point, _)| !point.stale) {
            profile.points.push(point.clone());
            profile.seen.push(seen);
        }
        let chosen = self.reordered.iter().enumerate().filter(|(_, chosen)| **chosen);
        let reordered = chosen.map(|(code, _)| code as u32).collect();
        let volatile = self.recorder.map(|recorder| recorder.finish()).unwrap_or_default();
        Run { verdict, steps, stdout: self.stdout, stderr: self.stderr, profile, volatile, reordered, cold }
    }

    /// Where the innermost frame is, and the calls around it.
    pub fn place(&self) -> (Span, Vec<(String, Span)>) {
        let mut stack = Vec::new();
        for (depth, frame) in self.frames.iter().rev().take(32).enumerate() {
            let code = self.code(frame.code);
            // Callers stand at the instruction after their call.
            let pc = if depth == 0 { frame.pc } else { frame.pc.saturating_sub(1) };
            let span = code.spans.get(pc as usize).copied().unwrap_or(Span::NONE);
            stack.push((self.code_name(frame.code), span));
        }
        (stack.first().map_or(Span::NONE, |s| s.1), stack)
    }

    fn code_name(&self, code: u32) -> String {
        let found = self
            .program
            .callees
            .iter()
            .position(|c| matches!(c, crate::bytecode::Callee::Code(n) if *n == code));
        found.map_or_else(String::new, |f| self.unit.names.name(self.unit.functions[f].name).to_string())
    }
}
