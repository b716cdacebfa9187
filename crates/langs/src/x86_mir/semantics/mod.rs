//! What x86-64 Machine IR means, over any value domain: one instruction at a time over virtual and physical
//! registers, flags and memory.

mod assembly;
pub(crate) mod atomics;
mod calls;
mod control;
mod encoding;
mod evex;
mod hardware;
mod ints;
mod lanes;
mod masked;
mod moves;
mod operands;
mod packed;
mod places;
mod strings;
pub mod table;
pub(crate) mod variadic;
mod vectors;

use super::ast::{MachineFunction, MachineInst, MemOperand, MirModule, Operand, Reg};
use super::classes::class_width;
use crate::abi::variadic::Variadic;
use crate::abi::{Signature, Slot};
use crate::assumption::Assumption;
pub(crate) use crate::domain::Res;
use crate::domain::{Domain, Ext, Unsupported};
use crate::memory::access::AccessCheck;
use crate::memory::atomic::atomic_label;
use crate::memory::objects::NamedObjects;
use crate::memory::promoted::PromotedSlots;
use crate::memory::stack;
use crate::memory::volatile::FENCE;
use crate::x86::flags::Flags;
use crate::x86::regs::Unit;
use ints::Current;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use table::{Family, Opcode, Sem};

/// What the pair relation tells about a function's surroundings.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Names and sizes of the frame objects' addresses by their numbers; others are private to this program.
    pub stack: Vec<Option<(String, u64)>>,
    /// The same for incoming stack arguments.
    pub fixed: Vec<Option<Slot>>,
    /// How this function is called.
    pub signature: Option<Signature>,
    /// How the calls it makes are called, by instruction index.
    pub calls: Vec<(usize, Signature)>,
    /// How accesses are permitted.
    pub access: AccessCheck,
    /// The stack objects that are promoted.
    pub promoted: Rc<PromotedSlots>,
    /// How unnamed arguments are found, where the function asks for them.
    pub variadic: Option<Variadic>,
    /// Objects passed by value: name, place in the area of incoming stack arguments, size.
    pub by_value: Vec<(String, u64, u64)>,
}

/// A machine function, ready to run.
pub struct X86<'m, O> {
    /// The module.
    pub m: &'m MirModule,
    /// The function.
    pub f: &'m MachineFunction,
    /// Its surroundings.
    pub env: Environment,
    /// Opcodes by instruction.
    pub opcodes: Vec<Option<Opcode>>,
    /// Assumptions the semantics made that a verdict must state.
    pub assumptions: RefCell<BTreeSet<Assumption>>,
    /// The instruction that defines each virtual register, where it is the only one.
    pub(crate) definitions: Vec<Option<u32>>,
    /// What the source says of the objects that it names.
    pub objects: O,
    /// Names for what some registers hold that nothing defines, by the lines of the instructions that say so.
    pub(crate) open: FxHashMap<u32, String>,
    has_stack_arguments: bool,
    /// Whether the function itself moves the stack pointer.
    pub(crate) moves_stack: bool,
}

/// The state of a run.
pub struct State<D: Domain> {
    /// Virtual registers.
    pub vregs: Vec<Option<D::Bv>>,
    /// General-purpose registers, 64 bits each.
    pub gpr: Vec<Option<D::Bv>>,
    /// Vector registers, of as many bits as were written.
    pub xmm: Vec<Option<D::Bv>>,
    /// Status flags.
    pub flags: Flags<D>,
    /// Memory.
    pub mem: D::Mem,
    /// Permissions, as in the LLVM IR semantics.
    pub perm: D::Mem,
    /// Outgoing stack arguments: offset from the stack pointer and value.
    pub outgoing: Vec<(i64, D::Bv)>,
    /// Whether those are all since the call's beginning: none was stored ahead of an event.
    pub outgoing_all: bool,
    /// What the volatile load that an instruction computes with gave, until it is used.
    pub given: Option<D::Bv>,
    /// What the `cmpxchg` before expected to find.
    pub expected: Option<D::Bv>,
    /// Where the stack ends, in multiples of 16.
    pub stack: D::Bv,
    /// Whether the stack pointer is below the arguments of a call that are being stored.
    pub outgoing_room: bool,
    /// Whether the processor has faulted.
    pub fault: D::Bool,
    /// What the promoted slots hold.
    pub promoted: Vec<D::Bv>,
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        Self {
            vregs: self.vregs.clone(),
            gpr: self.gpr.clone(),
            xmm: self.xmm.clone(),
            flags: self.flags.clone(),
            mem: self.mem.clone(),
            perm: self.perm.clone(),
            outgoing: self.outgoing.clone(),
            outgoing_all: self.outgoing_all,
            given: self.given.clone(),
            expected: self.expected.clone(),
            stack: self.stack.clone(),
            outgoing_room: self.outgoing_room,
            fault: self.fault.clone(),
            promoted: self.promoted.clone(),
        }
    }
}

/// Who is called.
pub enum Callee<D: Domain> {
    /// A function by name.
    Direct(String),
    /// A library function the compiler itself calls.
    Library(String),
    /// A function by address.
    Indirect(D::Bv),
}

/// What an instruction did besides changing the state.
pub enum Effect<D: Domain> {
    /// Go on with the next instruction.
    Next,
    /// Go to a block if the condition holds, else on.
    JumpIf(D::Bool, u32),
    /// Go to a block.
    Jump(u32),
    /// Go to one of these blocks, by the conditions; to nowhere if none holds.
    JumpAmong(Vec<(D::Bool, u32)>),
    /// Return; the values are in registers.
    Return,
    /// Call; a tail call returns afterwards.
    Call {
        /// Who.
        callee: Callee<D>,
        /// Whether the function returns when the callee does.
        tail: bool,
    },
    /// A volatile access; a load's result goes to [`X86::finish_volatile`].
    Volatile {
        /// Address.
        at: D::Bv,
        /// Bytes.
        bytes: u32,
        /// What is stored; none for a load.
        value: Option<D::Bv>,
    },
    /// A trap instruction.
    Trap,
    /// Inline assembly that the world sees; its results go to [`X86::write_output`].
    Assembly {
        /// What it is.
        label: String,
        /// Its inputs.
        args: Vec<D::Bv>,
    },
}

impl<'m, O: NamedObjects> X86<'m, O> {
    /// A function to run.
    pub fn new(m: &'m MirModule, f: &'m MachineFunction, env: Environment, objects: O) -> Self {
        let opcodes = f.insts.iter().map(|i| table::opcode(m.names.text(i.opcode))).collect();
        let mut definitions: Vec<Option<u32>> = vec![None; f.vregs.len()];
        let mut seen = vec![false; f.vregs.len()];
        let mut has_stack_arguments = false;
        for (i, inst) in f.insts.iter().enumerate() {
            let operands = f.operands_of(inst);
            for operand in operands {
                if let Operand::Reg { reg: Reg::Virtual(n), flags, .. } = operand
                    && flags.def
                    && let Some(slot) = definitions.get_mut(*n as usize)
                {
                    *slot = if seen[*n as usize] { None } else { Some(i as u32) };
                    seen[*n as usize] = true;
                }
            }
            if m.names.text(inst.opcode) == "ADJCALLSTACKDOWN64" {
                has_stack_arguments |= matches!(operands.first(), Some(Operand::Imm(n)) if *n != 0);
            }
        }
        Self {
            m,
            f,
            env,
            opcodes,
            assumptions: RefCell::new(BTreeSet::new()),
            definitions,
            objects,
            open: FxHashMap::default(),
            has_stack_arguments,
            moves_stack: moves_stack(f),
        }
    }

    fn unsupported<T>(&self, what: impl Into<String>) -> Res<T> {
        Err(Unsupported::new(what))
    }

    fn assume(&self, what: Assumption) {
        self.assumptions.borrow_mut().insert(what);
    }

    /// What a register holds that nothing defines.
    fn undefined<D: Domain>(&self, d: &mut D, inst: &MachineInst, width: u32) -> D::Bv {
        match self.open.get(&inst.line) {
            Some(name) => d.symbol(name, width),
            None => d.nondet("implicit_def", width),
        }
    }

    /// A state with no register defined.
    pub fn blank<D: Domain>(&self, d: &mut D, mem: D::Mem, perm: D::Mem) -> State<D> {
        State {
            vregs: vec![None; self.f.vregs.len()],
            gpr: vec![None; 32],
            xmm: vec![None; 32],
            flags: Flags::Unknown,
            mem,
            perm,
            outgoing: Vec::new(),
            outgoing_all: false,
            given: None,
            expected: None,
            stack: stack::at_entry(d),
            outgoing_room: false,
            fault: d.bool(false),
            promoted: (0..self.env.promoted.len()).map(|i| self.env.promoted.initial(d, i)).collect(),
        }
    }

    /// The width of a virtual register.
    pub fn vreg_width(&self, n: u32) -> Res<u32> {
        let class = self.f.vregs.get(n as usize).copied().flatten();
        let Some(class) = class else { return self.unsupported(format!("register %{n} without a class")) };
        match class_width(self.m.names.text(class)) {
            Some(w) => Ok(u32::from(w)),
            None => self.unsupported(format!("register class {}", self.m.names.text(class))),
        }
    }

    /// Notes a fault under a condition.
    fn note_fault<D: Domain>(&self, d: &mut D, st: &mut State<D>, when: &D::Bool) {
        st.fault = d.or(&st.fault, when);
    }

    /// The PHIs at the start of a block, evaluated on the edge from another, all at once.
    pub fn enter<D: Domain>(&self, d: &mut D, st: &mut State<D>, from: u32, to: usize) -> Res<()> {
        let mut values = Vec::new();
        let first = self.f.blocks.get(to).map_or(0, |b| b.first as usize);
        for (i, inst) in self.f.block_insts(to).iter().enumerate() {
            if !matches!(self.opcodes[first + i], Some(Opcode { sem: Sem::Phi, .. })) {
                break;
            }
            let operands = self.f.operands_of(inst);
            let Some((Operand::Reg { reg: Reg::Virtual(result), .. }, incoming)) = operands.split_first()
            else {
                return self.unsupported("PHI without a result");
            };
            let source = incoming.chunks(2).find(|pair| matches!(pair, [_, Operand::Block(b)] if *b == from));
            let Some([source, _]) = source else {
                return self.unsupported("PHI without a value for a predecessor");
            };
            let width = self.vreg_width(*result)?;
            let value = self.read(d, st, source, width)?;
            values.push((*result, value));
        }
        for (result, value) in values {
            st.vregs[result as usize] = Some(value);
        }
        Ok(())
    }

    /// Runs one instruction by its index (PHIs are [`X86::enter`]'s and do nothing here).
    pub fn exec<D: Domain>(&self, d: &mut D, st: &mut State<D>, index: usize) -> Res<Effect<D>> {
        let effect = self.run_one(d, st, index)?;
        let sem = self.opcodes[index].map(|o| o.sem);
        let computes = !matches!(
            sem,
            Some(
                Sem::SetCarry
                    | Sem::Nothing
                    | Sem::CallBegin
                    | Sem::CallEnd
                    | Sem::SaveVectors
                    | Sem::Assembly
            )
        );
        let destroyed = |o: &Operand| {
            matches!(o, Operand::Reg { reg: Reg::Physical(p), flags, .. }
                if p.unit == Unit::Flags && flags.def && (flags.dead || !computes))
        };
        if self.f.operands_of(&self.f.insts[index]).iter().any(destroyed) {
            st.flags = Flags::Unknown;
        }
        Ok(effect)
    }

    fn run_one<D: Domain>(&self, d: &mut D, st: &mut State<D>, index: usize) -> Res<Effect<D>> {
        let Some(inst) = self.f.insts.get(index) else { return self.unsupported("end of the function") };
        let name = self.m.names.text(inst.opcode);
        let Some(op) = self.opcodes[index] else { return self.unsupported(name.to_owned()) };
        let ex = self.explicit(inst);
        if encoding::is_beyond(name, op.sem, &ex) {
            return self.unsupported(format!("{name} of an immediate that it cannot be encoded with"));
        }
        if st.given.is_none()
            && self.f.mem_of(inst).iter().any(MemOperand::is_seen)
            && !matches!(op.sem, Sem::Call | Sem::TailCall | Sem::Assembly | Sem::Atomic(_))
        {
            return self.volatile(d, st, (inst, index), op, &ex);
        }
        let current = Current { inst, op, ex: &ex };
        match (op.sem.family(), op.evex) {
            (Family::Control, _) => return self.control(d, st, op, &ex, index),
            (Family::Other, _) => return self.other(d, st, current, index),
            (_, Some(evex)) if op.is_masked() => self.masked_operation(d, st, current, evex)?,
            _ => self.compute(d, st, current)?,
        }
        Ok(Effect::Next)
    }

    /// What changes registers and memory alone.
    fn compute<D: Domain>(&self, d: &mut D, st: &mut State<D>, current: Current<'_>) -> Res<()> {
        match current.op.sem.family() {
            Family::Integer => self.integer(d, st, current),
            Family::Moves => self.moves(d, st, current),
            Family::Vector => self.packed(d, st, current),
            Family::Lanes => self.lanes(d, st, current),
            Family::Floating => self.floating(d, st, current),
            Family::Control | Family::Other => self.unsupported("operation that is not of values"),
        }
    }

    /// What belongs to no family.
    fn other<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, index: usize) -> Res<Effect<D>> {
        match c.op.sem {
            Sem::Atomic(atomic) => return self.atomic(d, st, c, (atomic, index)),
            Sem::ThreadLocal(whole) => self.find_in_thread(d, st, c.ex, whole)?,
            Sem::Fence => return Ok(Effect::Assembly { label: FENCE.to_owned(), args: Vec::new() }),
            Sem::StackFence => {
                self.changes_nothing(c.ex)?;
                st.flags = Flags::Unknown;
                return Ok(Effect::Assembly { label: FENCE.to_owned(), args: Vec::new() });
            }
            Sem::Assembly => return self.inline_assembly(d, st, c.inst),
            Sem::SaveVectors => self.save_vectors(d, st, c.ex)?,
            Sem::RepeatCopy(unit) => self.repeat_copy(d, st, unit)?,
            Sem::RepeatFill(unit) => self.repeat_fill(d, st, unit)?,
            Sem::CallBegin => {
                st.outgoing.clear();
                st.outgoing_all = true;
                st.outgoing_room = !matches!(c.ex.first(), Some(Operand::Imm(0)));
            }
            Sem::CallEnd => st.outgoing_room = false,
            // PHIs are evaluated on the edge.
            _ => {}
        }
        Ok(Effect::Next)
    }

    /// The operands that are not implicit.
    fn explicit(&self, inst: &MachineInst) -> Vec<&'m Operand> {
        let implicit = |o: &&Operand| !matches!(o, Operand::Reg { flags, .. } if flags.implicit);
        self.f.operands_of(inst).iter().filter(implicit).collect()
    }

    /// Whether the instruction's flags are read by anyone.
    fn flags_live(&self, inst: &MachineInst) -> bool {
        self.f.operands_of(inst).iter().any(|o| {
            matches!(o, Operand::Reg { reg: Reg::Physical(p), flags, .. }
                if p.unit == Unit::Flags && flags.def && !flags.dead)
        })
    }

    fn set_flags<D: Domain>(&self, st: &mut State<D>, inst: &MachineInst, flags: Flags<D>) {
        st.flags = if self.flags_live(inst) { flags } else { Flags::Unknown };
    }

    /// Where the operands of the memory begin that an instruction computes with in registers and otherwise leaves
    /// alone, and how many bits it reads there: what may be volatile besides plain moves.
    pub(crate) fn computes_with_memory(&self, index: usize) -> Option<(usize, u32)> {
        use table::Form;
        let (inst, op) = (self.f.insts.get(index)?, (*self.opcodes.get(index)?)?);
        let bits = match (op.sem, op.form) {
            (Sem::Cmp | Sem::Test, Form::RM | Form::MI | Form::MR) => op.width,
            (Sem::Alu(_) | Sem::Float(_) | Sem::FloatFlags | Sem::Sqrt, Form::RM) => op.width,
            (Sem::ToInt(_) | Sem::ToUnsigned(_), Form::RM) => op.width,
            (Sem::FromInt(w) | Sem::FromUnsigned(w) | Sem::FloatConvert(w), Form::RM) => w,
            _ => return None,
        };
        let ex = self.explicit(inst);
        let begins = |i: &usize| {
            matches!(ex.get(i + 1), Some(Operand::Imm(1 | 2 | 4 | 8)))
                && matches!(ex.get(i + 2), Some(Operand::Reg { .. }))
                && ex.get(i + 4).is_some_and(|segment| self.is_thread_segment(segment).is_ok())
        };
        let mut places = (0..ex.len()).filter(begins);
        match (places.next(), places.next()) {
            (Some(at), None) => Some((at, bits)),
            _ => None,
        }
    }

    /// Plain moves and what computes with memory in registers have volatile forms here.
    fn volatile<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, index): (&MachineInst, usize),
        op: Opcode,
        ex: &[&Operand],
    ) -> Res<Effect<D>> {
        use table::Form;
        let name = self.m.names.text(inst.opcode);
        if op.is_masked() {
            return self.unsupported(format!("volatile {name}"));
        }
        if let Some((place, bits)) = self.computes_with_memory(index) {
            let at = self.address(d, st, &ex[place..], 64)?;
            self.check_access(d, st, (&ex[place..], &at), bits / 8, false);
            return Ok(self.plain_event(inst, at, bits / 8, None));
        }
        let bits = match op.sem {
            Sem::Movzx(w) | Sem::Movsx(w) | Sem::MovFit(w) => w,
            Sem::Mov => op.width,
            _ => return self.unsupported(format!("volatile {name}")),
        };
        match op.form {
            Form::RM => {
                let at = self.address(d, st, &ex[1..], 64)?;
                self.check_access(d, st, (&ex[1..], &at), bits / 8, false);
                Ok(self.plain_event(inst, at, bits / 8, None))
            }
            Form::MR | Form::MI => {
                let at = self.address(d, st, ex, 64)?;
                self.check_access(d, st, (ex, &at), bits / 8, true);
                let Some(operand) = ex.get(5) else { return self.unsupported("store without a value") };
                let value = self.read(d, st, operand, bits)?;
                if self.ordering(inst).is_some_and(|o| o.contains("seq_cst")) {
                    return self.unsupported("plain store where others must see one order of all");
                }
                Ok(self.plain_event(inst, at, bits / 8, Some(value)))
            }
            _ => self.unsupported(format!("volatile {name}")),
        }
    }

    /// The event of a move that is volatile, or orders others beside it.
    fn plain_event<D: Domain>(
        &self,
        inst: &MachineInst,
        at: D::Bv,
        bytes: u32,
        value: Option<D::Bv>,
    ) -> Effect<D> {
        let Some(orders) = self.ordering(inst) else { return Effect::Volatile { at, bytes, value } };
        let volatile = self.f.mem_of(inst).iter().any(|m| m.volatile);
        let what = if value.is_some() { "store" } else { "load" };
        let label = atomic_label(what, bytes, orders, volatile);
        Effect::Assembly { label, args: [at].into_iter().chain(value).collect() }
    }

    /// Gives the result of a volatile load its value.
    pub fn finish_volatile<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        index: usize,
        value: &D::Bv,
    ) -> Res<()> {
        let (Some(inst), Some(Some(op))) = (self.f.insts.get(index), self.opcodes.get(index)) else {
            return self.unsupported("volatile access");
        };
        let ex = self.explicit(inst);
        if let Sem::Atomic(atomic) = op.sem {
            let current = Current { inst, op: *op, ex: &ex };
            return self.finish_update(d, st, (current, atomic), value);
        }
        if self.computes_with_memory(index).is_some() {
            st.given = Some(value.clone());
            let effect = self.exec(d, st, index)?;
            let used = st.given.take().is_none();
            return match (effect, used) {
                (Effect::Next, true) => Ok(()),
                _ => self.unsupported("volatile operand that is not read once"),
            };
        }
        let value = match op.sem {
            Sem::Movsx(_) => d.sfit(value, op.width),
            _ => d.zfit(value, op.width),
        };
        match ex.first() {
            Some(target) => self.write(d, st, target, &value),
            None => self.unsupported("volatile load without a result"),
        }
    }
}

/// Whether a function moves the stack pointer by itself, for objects of sizes that it computes.
fn moves_stack(f: &MachineFunction) -> bool {
    let written = |o: &Operand| match o {
        Operand::Reg { reg: Reg::Physical(p), flags, .. } => {
            p.unit == Unit::Gpr(4) && flags.def && !flags.implicit
        }
        _ => false,
    };
    f.stack.iter().any(|object| object.size.is_none()) || f.operands.iter().any(written)
}
