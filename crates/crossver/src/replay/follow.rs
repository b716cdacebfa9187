//! What a run accesses through which pointers: for each access of memory the place that its address came from (an argument,
//! a word of memory, what a callee gave, a named object), followed through registers and memory one instruction at a time.

use super::link::READ_ONLY;
use super::plan::{PAGE, Plan, STACK, SidePlan};
use super::steps::{MOST, Step, instructions};
use crate::semantics::kinds::{Kinds, Number};
use iced_x86::{
    Instruction, InstructionInfo, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory,
};
use langs::machine_code::gives_first;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of a root.
pub(super) type Root = usize;

/// Where a pointer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// An argument in a register.
    Register(usize),
    /// A word of memory, read by another pointer, as it was after so many calls.
    Word { by: Root, at: u64, calls: usize },
    /// What the callee of that call gave, in the first register of results.
    Result(usize),
    /// A named object, or what has an address of its own in the code.
    Object(u64),
    /// Anything else: with that value.
    Other(u64),
}

/// A pointer that the function was given, in one way or another.
#[derive(Debug, Clone)]
pub(super) struct Pointer {
    /// Where it came from.
    pub origin: Origin,
    /// Its value.
    pub to: u64,
    /// The type that it leads to.
    pub kind: Option<Number>,
    /// Whether what it was read from held it before the function wrote anything there.
    pub given: bool,
    /// The pages that are accessed by it.
    pub pages: BTreeSet<u64>,
}

/// How a byte is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    /// It is written.
    wrote: bool,
    /// Together with bytes beside it.
    wide: bool,
}

/// What a run accesses.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// Pointers, in the order in which they were met.
    pub pointers: Vec<Pointer>,
    /// Who accessed a byte, and how.
    bytes: HashMap<u64, Vec<(Root, Access)>>,
    /// Bytes that are accessed alone, by a pointer to what has no known type.
    alone: BTreeSet<u64>,
    /// What was read last where there is no memory, and by which pointer.
    failed: Option<(Root, u64)>,
    /// Whether all of the run was followed.
    pub whole: bool,
}

/// How far from a pointer what is made from it may lead: an `int` of larger objects.
const FAR: u64 = 1 << 36;

/// The registers that a call changes.
const CHANGED: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

struct Follower<'p> {
    plan: &'p Plan,
    kinds: &'p Kinds,
    pages: BTreeSet<u64>,
    code: BTreeMap<u64, Instruction>,
    factory: InstructionInfoFactory,
    registers: [Option<Root>; 16],
    vectors: [[Option<Root>; 2]; 16],
    words: BTreeMap<u64, Option<Root>>,
    /// By word that a callee changed: after how many calls.
    changed: HashMap<u64, usize>,
    known: HashMap<Origin, Root>,
    calls: usize,
    out: Followed,
}

/// Follows a run of a side.
pub(super) fn follow(plan: &Plan, kinds: &Kinds, side: &SidePlan, steps: &[Step]) -> Followed {
    let mut follower = Follower {
        plan,
        kinds,
        pages: plan.pages.iter().copied().collect(),
        code: instructions(side),
        factory: InstructionInfoFactory::new(),
        registers: [None; 16],
        vectors: [[None; 2]; 16],
        words: BTreeMap::new(),
        changed: HashMap::new(),
        known: HashMap::new(),
        calls: 0,
        out: Followed { whole: (steps.len() as u64) < MOST, ..Followed::default() },
    };
    for (register, kind) in &kinds.arguments {
        if let Some((value, _)) = plan.registers.get(*register) {
            let to = kinds.pointee(*kind);
            follower.registers[*register] =
                Some(follower.pointer(Origin::Register(*register), *value, to, true));
        }
    }
    for n in [7, 6, 2, 1, 8, 9usize] {
        if let (None, Some((value, given))) = (follower.registers[n], plan.registers.get(n))
            && *given == u64::MAX
        {
            follower.registers[n] = Some(follower.pointer(Origin::Register(n), *value, None, true));
        }
    }
    for n in 0..steps.len() {
        follower.step(&steps[n], steps.get(n + 1));
    }
    follower.out
}

impl Followed {
    /// The first byte that is accessed, and written, by two pointers of types that may not share it; and these.
    pub fn shared(&self, kinds: &Kinds) -> Option<(u64, [Root; 2])> {
        self.clash(|(a, access), (b, other)| {
            let of = |n: Root| (self.pointers[n].kind, self.pointers[n].to);
            (access.wrote || other.wrote) && !kinds.may_share(of(a), of(b))
        })
    }

    /// The first byte that one pointer reads together with bytes beside it and another one writes so, one of them a pointer
    /// to characters; and both pointers. Characters are accessed one by one unless a compiler knows that what it copies does
    /// not overlap: `memcpy` (C17, 7.24.2.1) and what copies a whole object (6.5.16.1p3) leave open what becomes of blocks
    /// that do, and compilers choose widths and order of the pieces.
    pub fn overlapping(&self, kinds: &Kinds) -> Option<(u64, [Root; 2])> {
        let characters = |n: Root| self.pointers[n].kind.is_some_and(|kind| kinds.is_character(kind));
        self.clash(|(a, access), (b, other)| {
            access.wide && other.wide && access.wrote != other.wrote && (characters(a) || characters(b))
        })
    }

    /// The first byte that two pointers access in such a way; and these.
    fn clash(&self, clash: impl Fn((Root, Access), (Root, Access)) -> bool) -> Option<(u64, [Root; 2])> {
        let of = |list: &[(Root, Access)]| {
            let before = |(n, one): (usize, &(Root, Access))| {
                let other = list[..n].iter().find(|other| one.0 != other.0 && clash(*one, **other))?;
                Some([one.0, other.0])
            };
            list.iter().enumerate().find_map(before)
        };
        self.bytes.iter().filter_map(|(at, list)| Some((*at, of(list)?))).min()
    }

    /// The page of what was read where there is no memory, if another run accesses that structure by a pointer to its type: all of
    /// it is there then, and may be read ahead of what asks for it. What lies beside the accesses of the other run may be of such a
    /// structure, too, where nothing is known of the pointer.
    pub fn ahead(&self, other: &Followed, kinds: &Kinds) -> Option<u64> {
        let (root, at) = self.failed?;
        let page = at / PAGE * PAGE;
        let Some(kind) = self.pointers[root].kind else {
            return other.bytes.keys().any(|byte| byte.abs_diff(at) < PAGE).then_some(page);
        };
        let to = self.pointers[root].to;
        let (start, bytes) = kinds.whole(kind, at.wrapping_sub(to) as i64)?;
        let start = to.wrapping_add_signed(start);
        let by_type = |(root, _): &(Root, Access)| {
            other.pointers[*root].kind.is_some_and(|other| kinds.alike(kind, other))
        };
        let accessed = |(byte, list): (&u64, &Vec<(Root, Access)>)| {
            byte.wrapping_sub(start) < bytes && list.iter().any(by_type)
        };
        other.bytes.iter().any(accessed).then_some(page)
    }

    /// The bytes that hold truth values, by the types of the pointers that they are accessed by, and those that may: accessed alone,
    /// by a pointer to a type whose members are not told.
    pub fn truths<'f>(&'f self, kinds: &'f Kinds) -> impl Iterator<Item = u64> + 'f {
        let by = move |at: u64, root: Root| {
            let pointer = &self.pointers[root];
            pointer.kind.is_some_and(|kind| kinds.is_truth(kind, at.wrapping_sub(pointer.to) as i64))
        };
        let known = self.bytes.iter().filter(move |(at, list)| list.iter().any(|(root, _)| by(**at, *root)));
        known.map(|(at, _)| *at).chain(self.alone.iter().copied())
    }
}

fn reads(access: OpAccess) -> bool {
    !matches!(access, OpAccess::None | OpAccess::Write | OpAccess::CondWrite | OpAccess::NoMemAccess)
}

fn writes(access: OpAccess) -> bool {
    !matches!(access, OpAccess::None | OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess)
}

/// Whether a pointer in memory is moved on.
fn steps(mnemonic: Mnemonic) -> bool {
    matches!(mnemonic, Mnemonic::Add | Mnemonic::Sub | Mnemonic::Inc | Mnemonic::Dec)
}

fn general(register: Register) -> Option<usize> {
    register.full_register().is_gpr64().then(|| register.full_register().number())
}

fn vector(register: Register) -> Option<usize> {
    let full = register.full_register();
    (full.is_vector_register() && full.number() < 16).then(|| full.number())
}

impl Follower<'_> {
    fn pointer(&mut self, origin: Origin, to: u64, kind: Option<Number>, given: bool) -> Root {
        if let Some(known) = self.known.get(&origin) {
            return *known;
        }
        self.out.pointers.push(Pointer { origin, to, kind, given, pages: BTreeSet::new() });
        let root = self.out.pointers.len() - 1;
        self.known.insert(origin, root);
        root
    }

    fn step(&mut self, step: &Step, next: Option<&Step>) {
        let Some(insn) = self.code.get(&step.at).copied() else {
            if self.plan.stubs.iter().any(|stub| stub.at == step.at) {
                self.call(step.at);
            }
            return;
        };
        let info = self.factory.info(&insn).clone();
        let memory: Vec<(UsedMemory, u64)> = info
            .used_memory()
            .iter()
            .filter(|m| !matches!(m.access(), OpAccess::None | OpAccess::NoMemAccess))
            .filter_map(|m| Some((*m, m.virtual_address(0, |r, _, _| held(self.plan, step, r))?)))
            .collect();
        let mut through = Vec::new();
        for (used, at) in &memory {
            let root = self.address(&insn, step, (used, *at));
            match root {
                Some(root) if self.pages.contains(&(at / PAGE * PAGE)) => self.touch(root, *at, used),
                Some(root) if !writes(used.access()) => self.out.failed = Some((root, *at)),
                _ => {}
            }
            through.push((*used, *at, root));
        }
        self.vectors(&insn, &through);
        self.general(&insn, &info, (step, next), &through);
    }

    /// The pointer that an access goes by; none of what lies in the frame or is read-only.
    fn address(&mut self, insn: &Instruction, step: &Step, (used, at): (&UsedMemory, u64)) -> Option<Root> {
        let own = STACK.contains(&at) || READ_ONLY.contains(&at);
        if own || matches!(used.segment(), Register::FS | Register::GS) {
            return None;
        }
        let by = [used.base(), if used.scale() == 1 { used.index() } else { Register::None }];
        let found = self.nearest(by.into_iter().filter_map(general), step, at);
        if found.is_some() {
            return found;
        }
        // A name, with what is added to it.
        let object =
            self.kinds.objects.iter().filter(|(start, _)| *start <= at).max_by_key(|(start, _)| *start);
        match object.copied() {
            Some((start, kind)) if at - start < PAGE => {
                Some(self.pointer(Origin::Object(start), start, Some(kind), true))
            }
            _ if insn.is_ip_rel_memory_operand() => Some(self.pointer(Origin::Object(at), at, None, true)),
            _ => Some(self.pointer(Origin::Other(at / PAGE), at, None, false)),
        }
    }

    /// Of some registers the pointer that is nearest to a value; of two, one of a known type.
    fn nearest(&self, registers: impl Iterator<Item = usize>, step: &Step, value: u64) -> Option<Root> {
        let list = registers.filter_map(|n| Some((self.registers[n]?, step.registers[n])));
        self.choose(list, value)
    }

    fn choose(&self, list: impl Iterator<Item = (Root, u64)>, value: u64) -> Option<Root> {
        let far = |held: u64| value.wrapping_sub(held).min(held.wrapping_sub(value));
        let near = list.filter(|(_, held)| far(*held) < FAR && *held > PAGE);
        let key = |(root, held): &(Root, u64)| (self.out.pointers[*root].kind.is_none(), far(*held));
        near.min_by_key(key).map(|(root, _)| root)
    }

    fn touch(&mut self, root: Root, at: u64, used: &UsedMemory) {
        let bytes = used.memory_size().size() as u64;
        let access = Access { wrote: writes(used.access()), wide: bytes > 1 };
        if bytes == 1 && self.out.pointers[root].kind.is_some_and(|kind| self.kinds.is_unknown(kind)) {
            self.out.alone.insert(at);
        }
        for at in (0..bytes).map(|k| at.wrapping_add(k)) {
            self.out.pointers[root].pages.insert(at / PAGE * PAGE);
            let list = self.out.bytes.entry(at).or_default();
            if !list.contains(&(root, access)) {
                list.push((root, access));
            }
        }
    }

    /// The pointer that a word of memory holds.
    fn word(&mut self, at: u64, by: Option<Root>) -> Option<Root> {
        if let Some(known) = self.words.get(&at) {
            return *known;
        }
        let by = by?;
        let made = self.words.range(at.saturating_sub(7)..at.saturating_add(8)).next().is_some();
        let calls = self.changed.get(&at).copied().unwrap_or(0);
        let (kind, start) = (self.out.pointers[by].kind, self.out.pointers[by].to);
        let part = kind.and_then(|kind| self.kinds.at(kind, at.wrapping_sub(start) as i64));
        let to = part.and_then(|part| self.kinds.pointee(part));
        let value =
            (0..8).fold(0, |value, k| value | u64::from(self.given(at.wrapping_add(k), calls)) << (8 * k));
        Some(self.pointer(Origin::Word { by, at, calls }, value, to, !made))
    }

    /// What a byte holds behind so many calls, before the function writes anything there.
    fn given(&self, at: u64, calls: usize) -> u8 {
        let answers = self.plan.answers.iter().take(calls).rev();
        let changed = answers.flat_map(|answer| &answer.changes).find(|(changed, _)| *changed == at);
        changed.map(|(_, value)| *value).or_else(|| self.plan.byte(at)).unwrap_or(self.plan.fill)
    }

    /// A word is written: what it holds then; where that is not known, nothing.
    fn put(&mut self, at: u64, bytes: u64, holds: &[Option<Root>]) {
        let old: Vec<u64> =
            self.words.range(at.saturating_sub(7)..at.saturating_add(bytes)).map(|(at, _)| *at).collect();
        for word in old {
            self.words.insert(word, None);
        }
        for (n, root) in holds.iter().enumerate() {
            self.words.insert(at.wrapping_add(8 * n as u64), *root);
        }
        if holds.is_empty() {
            self.words.insert(at, None);
        }
    }

    fn general(
        &mut self,
        insn: &Instruction,
        info: &InstructionInfo,
        (step, next): (&Step, Option<&Step>),
        memory: &[(UsedMemory, u64, Option<Root>)],
    ) {
        let mut sources: Vec<(Root, u64)> = Vec::new();
        let address = insn.mnemonic() == Mnemonic::Lea;
        for used in info.used_registers() {
            if let (true, Some(n)) = (reads(used.access()), general(used.register()))
                && used.register().is_gpr64()
                && (address || !memory.iter().any(|(m, ..)| [m.base(), m.index()].contains(&used.register())))
            {
                sources.extend(self.registers[n].map(|root| (root, step.registers[n])));
            }
        }
        for (_, at, by) in memory.iter().filter(|(m, ..)| reads(m.access()) && m.memory_size().size() == 8) {
            let Some((root, n)) = self.word(*at, *by).zip(general(insn.op0_register())) else { continue };
            let result = next.map_or(0, |next| next.registers[n]);
            match insn.mnemonic() {
                Mnemonic::Mov | Mnemonic::Pop => sources.push((root, result)),
                Mnemonic::Add => sources.push((root, result.wrapping_sub(step.registers[n]))),
                _ => {}
            }
        }
        self.stores(insn, memory);
        for used in info.used_registers().iter().filter(|used| writes(used.access())) {
            let Some(n) = general(used.register()).filter(|n| *n != 4) else { continue };
            let value = next.map_or(0, |next| next.registers[n]);
            let whole = used.register().is_gpr64();
            self.registers[n] = if whole { self.choose(sources.iter().copied(), value) } else { None };
        }
    }

    fn stores(&mut self, insn: &Instruction, memory: &[(UsedMemory, u64, Option<Root>)]) {
        for (used, at, by) in memory.iter().filter(|(used, ..)| writes(used.access())) {
            let bytes = used.memory_size().size() as u64;
            let stored = (0..insn.op_count()).filter(|op| insn.op_kind(*op) == OpKind::Register);
            let register = stored.map(|op| insn.op_register(op)).find(|r| r.is_gpr64());
            let vector = (0..insn.op_count())
                .filter(|op| *op > 0 && insn.op_kind(*op) == OpKind::Register)
                .find_map(|op| vector(insn.op_register(op)));
            let plain = matches!(insn.mnemonic(), Mnemonic::Mov | Mnemonic::Push);
            match (register, vector) {
                (Some(register), _) if plain && bytes == 8 => {
                    let root = general(register).and_then(|n| self.registers[n]);
                    self.put(*at, 8, &[root]);
                }
                (None, Some(n)) if bytes >= 8 => {
                    let [low, high] = self.vectors[n];
                    let halves = if insn.mnemonic() == Mnemonic::Movhps { [high, None] } else { [low, high] };
                    self.put(*at, bytes, &halves[..(bytes / 8).min(2) as usize]);
                }
                _ if insn.mnemonic() == Mnemonic::Call => {}
                _ if steps(insn.mnemonic()) && bytes == 8 => {
                    let root = self.word(*at, *by);
                    self.put(*at, 8, &[root]);
                }
                _ => self.put(*at, bytes, &[]),
            }
        }
    }

    fn vectors(&mut self, insn: &Instruction, memory: &[(UsedMemory, u64, Option<Root>)]) {
        let Some(n) = (insn.op_count() > 0 && insn.op0_kind() == OpKind::Register)
            .then(|| vector(insn.op0_register()))
            .flatten()
        else {
            return;
        };
        let mut loaded = [None; 2];
        if let Some((used, at, by)) = memory.first() {
            for (k, half) in loaded.iter_mut().enumerate().take(used.memory_size().size() / 8) {
                *half = self.word(at.wrapping_add(8 * k as u64), *by);
            }
        } else if insn.op_count() > 1 && insn.op1_kind() == OpKind::Register {
            let from = insn.op1_register();
            loaded = match (general(from).filter(|_| from.is_gpr64()), vector(from)) {
                (Some(n), _) => [self.registers[n], None],
                (None, Some(m)) => self.vectors[m],
                (None, None) => [None; 2],
            };
        }
        self.vectors[n] = match insn.mnemonic() {
            Mnemonic::Movups
            | Mnemonic::Movaps
            | Mnemonic::Movdqu
            | Mnemonic::Movdqa
            | Mnemonic::Movupd
            | Mnemonic::Movapd => loaded,
            Mnemonic::Movq => [loaded[0], None],
            Mnemonic::Movhps | Mnemonic::Movhpd | Mnemonic::Punpcklqdq => [self.vectors[n][0], loaded[0]],
            _ => [None; 2],
        };
    }

    fn call(&mut self, at: u64) {
        let (n, passed) = (self.calls, self.registers[7]);
        self.calls += 1;
        for register in CHANGED {
            self.registers[register] = None;
        }
        self.vectors = [[None; 2]; 16];
        let Some(answer) = self.plan.answers.get(n) else { return };
        for (at, _) in &answer.changes {
            for word in at.saturating_sub(7)..=*at {
                self.changed.insert(word, n + 1);
                self.words.remove(&word);
            }
        }
        let name = self.plan.stubs.iter().find(|stub| stub.at == at).map(|stub| stub.name.as_str());
        if name.is_some_and(gives_first) {
            self.registers[0] = passed;
            return;
        }
        let to = name.and_then(|name| self.kinds.pointee(self.kinds.result(name)?));
        self.registers[0] = Some(self.pointer(Origin::Result(n), answer.registers[0], to, true));
    }
}

/// What a register holds before an instruction.
fn held(plan: &Plan, step: &Step, register: Register) -> Option<u64> {
    match register {
        Register::FS => Some(plan.thread),
        r if r.is_segment_register() => Some(0),
        r if r.is_ip() => Some(step.at),
        r => {
            // Of a part of a register the part.
            let whole = step.registers[general(r)?];
            Some(if r.size() == 4 { whole & 0xffff_ffff } else { whole })
        }
    }
}
