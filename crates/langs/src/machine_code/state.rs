//! The machine while a block runs: registers, flags, slots, memory, and whether an access or a division has failed.

use super::effect::Effect;
use super::escape::Escapes;
use super::facts::Facts;
use super::frame::Frame;
use super::function::{Decoded, Function, Insn, Target};
use super::kinds::Apart;
use super::spelled::Spelling;
use crate::domain::{Domain, Res, Unsupported};
use crate::memory::access::AccessCheck;
use crate::x86::flags::Flags;

/// What a run of a function is about.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub f: &'a Function,
    pub facts: &'a Facts,
    pub frame: &'a Frame,
    pub access: AccessCheck,
    /// Where pointers that are not made from an object's address are taken not to lead into it: which those are. None
    /// where nothing is taken for granted.
    pub apart: Option<&'a Escapes>,
    /// What accesses are kept apart from, as types tell; none where nothing is taken for granted.
    pub kinds: Option<&'a Apart>,
    /// Where the place that the caller has for the result is followed (see [`super::program::place`]): what may hold an address
    /// in it, and its bytes.
    pub place: Option<(&'a Escapes, u64)>,
    /// What is compared by what it does (see [`super::spelled`]).
    pub spelling: Option<&'a Spelling>,
}

/// The machine.
pub struct Machine<D: Domain> {
    /// General registers, then vectors; none where what they hold is not data.
    pub registers: Vec<Option<D::Bv>>,
    /// The status flags.
    pub flags: Flags<D>,
    /// Memory.
    pub mem: D::Mem,
    /// Which bytes of it may be accessed; none where all may.
    pub perm: Option<D::Mem>,
    /// Stack slots.
    pub slots: Vec<D::Bv>,
    /// Memory that calls gave: address and size, each of the last time; none where that is not followed.
    pub fresh: Vec<(D::Bv, D::Bv)>,
    /// Where the caller has the place for the result; none where that is not followed.
    pub place: Option<D::Bv>,
    /// Whether the access that is run lies in it.
    pub in_place: Option<D::Bool>,
    /// Of each object of the frame whether its address went out; none where that does not depend on the way.
    pub out: Vec<Option<D::Bool>>,
    /// An address that was aligned, as so many bytes below what it was before, and as what the instruction makes of it.
    pub aligned: Option<(D::Bv, D::Bv)>,
    /// Addresses that instructions accessed, of those that later ones are kept apart from.
    pub accessed: Vec<(usize, D::Bv)>,
    /// Whether the processor has stopped the program.
    pub fault: D::Bool,
}

impl<D: Domain> Clone for Machine<D> {
    fn clone(&self) -> Self {
        Machine {
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            mem: self.mem.clone(),
            perm: self.perm.clone(),
            slots: self.slots.clone(),
            fresh: self.fresh.clone(),
            place: self.place.clone(),
            in_place: self.in_place.clone(),
            out: self.out.clone(),
            aligned: self.aligned.clone(),
            accessed: self.accessed.clone(),
            fault: self.fault.clone(),
        }
    }
}

impl<D: Domain> Machine<D> {
    /// A machine that holds nothing.
    pub fn new(d: &mut D, mem: D::Mem, perm: Option<D::Mem>) -> Machine<D> {
        Machine {
            registers: vec![None; 64],
            flags: Flags::Unknown,
            mem,
            perm,
            slots: Vec::new(),
            fresh: Vec::new(),
            place: None,
            in_place: None,
            out: Vec::new(),
            aligned: None,
            accessed: Vec::new(),
            fault: d.bool(false),
        }
    }

    /// The program ends with a fault where this holds.
    pub(crate) fn fault_if(&mut self, d: &mut D, when: &D::Bool) {
        self.fault = d.or(&self.fault, when);
    }
}

impl Code<'_> {
    /// The address that a register holds, which points into the frame.
    pub(crate) fn frame_register<D: Domain>(&self, d: &mut D, i: usize, n: usize) -> Res<D::Bv> {
        let at = self.facts.frame(i, n).unwrap_or_default();
        self.frame_address(d, i, at)
    }

    /// An address in the frame as data: of an object.
    pub(crate) fn frame_address<D: Domain>(&self, d: &mut D, i: usize, at: i64) -> Res<D::Bv> {
        match self.frame.object(at) {
            Some((object, delta)) => Ok(self.frame.address(d, object, delta)),
            None => {
                Err(self.f.unsupported(i, "the address of a part of the frame that no object is known in"))
            }
        }
    }
}

/// Runs one instruction without jumps or stack on a machine: what the processor is compared with.
///
/// # Errors
/// Where the instruction is not modelled.
pub fn run_one<D: Domain>(
    d: &mut D,
    m: &mut Machine<D>,
    abi: &'static super::Abi,
    insn: Decoded,
) -> Result<(), Unsupported> {
    alone(d, m, abi, Insn::plain(0, insn)).map(|_| ())
}

/// Whether a conditional jump is taken on a machine.
///
/// # Errors
/// Where it is none, or not modelled.
pub fn run_branch<D: Domain>(
    d: &mut D,
    m: &mut Machine<D>,
    abi: &'static super::Abi,
    insn: Decoded,
) -> Result<D::Bool, Unsupported> {
    let insn = Insn { target: Some(Target::Block(0)), ..Insn::plain(0, insn) };
    match alone(d, m, abi, insn)? {
        Effect::JumpIf(condition, _) => Ok(condition),
        _ => Err(Unsupported::new("no conditional jump")),
    }
}

fn alone<D: Domain>(d: &mut D, m: &mut Machine<D>, abi: &'static super::Abi, insn: Insn) -> Res<Effect<D>> {
    let block = super::function::Block { first: 0, end: 1, falls: None };
    let f = Function {
        abi,
        name: "one".into(),
        insns: vec![insn],
        blocks: vec![block],
        tables: Vec::new(),
        constants: Vec::new(),
        bodies: Vec::new(),
        long_constants: Vec::new(),
        read_only: Vec::new(),
        begins: Vec::new(),
    };
    let facts = Facts::of(&f)?;
    let frame = Frame::default();
    let access = AccessCheck::Off;
    let (apart, kinds, place, spelling) = (None, None, None, None);
    let code = Code { f: &f, facts: &facts, frame: &frame, access, apart, kinds, place, spelling };
    code.exec(d, m, 0)
}
