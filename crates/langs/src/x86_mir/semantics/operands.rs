//! Reading and writing operands: registers and their parts, addresses, memory.

use super::{Res, State, X86};
use crate::bits::FRAME_ADDRESS;
use crate::bits::replace_bits;
use crate::domain::{BitOp, Domain, Ext};
use crate::memory::access::{AccessCheck, Asked};
use crate::memory::objects::{NamedObjects, RETURN_ADDRESS, THREAD_POINTER};
use crate::memory::stack;
use crate::x86::regs::{PhysReg, Unit};
use crate::x86_mir::ast::{FrameObject, Operand, Reg};
use std::rc::Rc;

/// Where code and jump tables lie: this distance apart, from a common unknown base.
const TABLE_STRIDE: i128 = 1 << 16;
const TABLES_AT: i128 = 1 << 30;

/// Where the variables of this module begin that the thread has of its own.
const THREAD_PART: &str = "thread's part of the module";

impl<O: NamedObjects> X86<'_, O> {
    /// The value of a register or immediate operand, in a width (registers must have it).
    pub(super) fn read<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        operand: &Operand,
        width: u32,
    ) -> Res<D::Bv> {
        match operand {
            Operand::Reg { reg, sub, flags } => {
                if flags.undef {
                    return Ok(d.nondet("undef", width));
                }
                let value = self.read_reg(d, st, *reg)?;
                let value = match sub {
                    Some((lo, w)) => {
                        let (lo, w) = (u32::from(*lo), u32::from(*w));
                        if lo + w > d.width(&value) {
                            return self.unsupported("subregister outside its register");
                        }
                        d.extract(lo + w - 1, lo, &value)
                    }
                    None => value,
                };
                if d.width(&value) == width {
                    return Ok(value);
                }
                // Vector registers hold scalars in their low bits: a 64-bit view of a 128-bit copy and back.
                if d.width(&value) > width && width >= 32 {
                    return Ok(d.zfit(&value, width));
                }
                let found = d.width(&value);
                self.unsupported(format!("operand of {found} bits where {width} are needed"))
            }
            Operand::Imm(n) => Ok(d.signed(width, i128::from(*n))),
            Operand::Stack(_)
            | Operand::Fixed(_)
            | Operand::Pool(..)
            | Operand::JumpTable(_)
            | Operand::Global(..)
            | Operand::External(..) => {
                let address = self.symbol_address(d, operand)?;
                Ok(d.zfit(&address, width))
            }
            Operand::Block(_)
            | Operand::Symbol(_)
            | Operand::SubReg(..)
            | Operand::Mask(_)
            | Operand::Other(_) => self.unsupported("operand of this kind"),
        }
    }

    pub(super) fn read_reg<D: Domain>(&self, d: &mut D, st: &State<D>, reg: Reg) -> Res<D::Bv> {
        match reg {
            Reg::Virtual(n) => match st.vregs.get(n as usize) {
                Some(Some(v)) => Ok(v.clone()),
                _ => self.unsupported(format!("use of %{n} before its definition")),
            },
            Reg::Physical(p) => self.read_phys(d, st, p),
            Reg::None => self.unsupported("use of $noreg"),
        }
    }

    /// Whether the frame pointer holds the frame's address wherever it is read: that is asked for, and nothing here
    /// writes the register.
    fn has_frame_address(&self) -> bool {
        let written = |o: &Operand| match o {
            Operand::Reg { reg: Reg::Physical(p), flags, .. } => p.unit == Unit::Gpr(5) && flags.def,
            _ => false,
        };
        self.f.frame_address_taken && !self.f.operands.iter().any(written)
    }

    pub(crate) fn read_phys<D: Domain>(&self, d: &mut D, st: &State<D>, p: PhysReg) -> Res<D::Bv> {
        let whole = match p.unit {
            Unit::Gpr(4) if self.moves_stack && !st.outgoing_room => Some(stack::pointer(d, &st.stack)),
            Unit::Gpr(4) => Some(d.symbol("rsp", 64)),
            Unit::Gpr(5) if self.has_frame_address() => Some(d.symbol(FRAME_ADDRESS, 64)),
            Unit::Gpr(n) => st.gpr.get(n as usize).cloned().flatten(),
            Unit::Xmm(n) => st.xmm.get(n as usize).cloned().flatten(),
            Unit::Flags | Unit::Rip | Unit::Other(_) => None,
        };
        let Some(whole) = whole else { return self.unsupported("use of an undefined physical register") };
        let (lo, width) = (u32::from(p.lo), u32::from(p.width));
        if lo + width > d.width(&whole) {
            return self.unsupported("vector register wider than what it holds");
        }
        Ok(d.extract(lo + width - 1, lo, &whole))
    }

    /// Writes a register operand.
    pub(super) fn write<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        operand: &Operand,
        value: &D::Bv,
    ) -> Res<()> {
        let Operand::Reg { reg, sub: None, .. } = operand else {
            return self.unsupported("result that is not a register");
        };
        match reg {
            Reg::Virtual(n) => {
                let width = self.vreg_width(*n)?;
                let found = d.width(value);
                if found != width {
                    return self.unsupported(format!("result of {found} bits for a register of {width}"));
                }
                match st.vregs.get_mut(*n as usize) {
                    Some(slot) => *slot = Some(value.clone()),
                    None => return self.unsupported("register number"),
                }
                Ok(())
            }
            Reg::Physical(p) => self.write_phys(d, st, *p, value),
            Reg::None => Ok(()),
        }
    }

    /// Writes what a `COPY` leaves in a register. A copy of 32 bits may become none at all, where both registers turn out
    /// to be one: it clears nothing above.
    pub(super) fn write_copied<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        target: &Operand,
        value: &D::Bv,
    ) -> Res<()> {
        self.write(d, st, target, value)?;
        if let Operand::Reg { reg: Reg::Physical(p), .. } = target
            && let (Unit::Gpr(n), 32) = (p.unit, p.width)
        {
            let upper = d.nondet("above a copy", 32);
            st.gpr[n as usize] = Some(d.concat(&upper, value));
        }
        Ok(())
    }

    pub(crate) fn write_phys<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        p: PhysReg,
        value: &D::Bv,
    ) -> Res<()> {
        let width = u32::from(p.width);
        match p.unit {
            Unit::Gpr(4) if width == 64 && !st.outgoing_room => {
                let odd = stack::is_odd(d, value);
                self.note_fault(d, st, &odd);
                st.stack = stack::sixteens(d, value);
                Ok(())
            }
            Unit::Gpr(4) => self.unsupported("write of the stack pointer"),
            Unit::Gpr(n) => {
                let whole = if width >= 32 {
                    let value = d.zfit(value, width);
                    d.zfit(&value, 64)
                } else {
                    let old = match &st.gpr[n as usize] {
                        Some(old) => old.clone(),
                        None => d.nondet("upper", 64),
                    };
                    let value = d.zfit(value, width);
                    replace_bits(d, &old, &value, u32::from(p.lo))
                };
                st.gpr[n as usize] = Some(whole);
                Ok(())
            }
            Unit::Xmm(n) if matches!(width, 128 | 256 | 512) => {
                let found = d.width(value);
                let whole = if found >= width {
                    value.clone()
                } else {
                    // A scalar copied to a vector register leaves the rest unspecified.
                    let upper = d.nondet("upper", width - found);
                    d.concat(&upper, value)
                };
                st.xmm[n as usize] = Some(whole);
                Ok(())
            }
            Unit::Xmm(_) => self.unsupported("vector register of this width"),
            Unit::Flags | Unit::Rip | Unit::Other(_) => self.unsupported("write of a special register"),
        }
    }

    /// The address of a frame object, constant, global or jump table.
    pub(super) fn symbol_address<D: Domain>(&self, d: &mut D, operand: &Operand) -> Res<D::Bv> {
        match operand {
            Operand::Stack(n) => match self.env.stack.get(*n as usize) {
                Some(Some((name, size))) => Ok(d.address(name, Some(*size))),
                _ => {
                    let object = self.f.stack.iter().find(|o| o.id == *n);
                    let Some(size) = object.and_then(|o| o.size) else {
                        return self.unsupported("frame object of a variable size");
                    };
                    Ok(d.address(&format!("machine.stack.{n}"), Some(size)))
                }
            },
            Operand::Fixed(n) => match self.env.fixed.get(*n as usize) {
                Some(Some(slot)) => Ok(slot.address(d)),
                _ => self.unsupported("incoming stack argument that the signature does not have"),
            },
            Operand::Pool(n, offset) => {
                let base = d.address(&format!("machine.const.{n}"), Some(self.pool_size(*n)?));
                Ok(d.add_num(&base, i128::from(*offset)))
            }
            Operand::JumpTable(n) => {
                let base = d.symbol("machine.code", 64);
                Ok(d.add_num(&base, TABLES_AT + TABLE_STRIDE * i128::from(*n)))
            }
            Operand::Global(name, offset, flag) => {
                let text = self.m.names.text(*name);
                let own = self.objects.variable(text).is_some_and(|v| v.thread_local);
                let base = self.objects.address(d, text);
                let at = d.add_num(&base, i128::from(*offset));
                match (own, flag.map(|flag| self.m.names.text(flag))) {
                    (false, None | Some("x86-plt" | "x86-gotpcrel" | "x86-gotpcrel-norelax")) => Ok(at),
                    (true, Some(flag)) => self.within_thread(d, &at, flag),
                    (true, None) => self.unsupported("thread-local variable as if there were one alone"),
                    (false, Some(flag)) => self.unsupported(format!("address with {flag}")),
                }
            }
            Operand::External(name, offset) => {
                let base = d.address(&format!("@{}", self.m.names.text(*name)), None);
                Ok(d.add_num(&base, i128::from(*offset)))
            }
            Operand::Other(text) => match self.block_label(d, self.m.names.text(*text)) {
                Some(address) => Ok(address),
                None => self.unsupported("address of this kind"),
            },
            Operand::Reg { .. }
            | Operand::Imm(_)
            | Operand::Block(_)
            | Operand::Symbol(_)
            | Operand::SubReg(..)
            | Operand::Mask(_) => self.unsupported("address of this kind"),
        }
    }

    /// The address that `blockaddress(@f, %ir-block.b)` stands for.
    fn block_label<D: Domain>(&self, d: &mut D, text: &str) -> Option<D::Bv> {
        let inside = text.strip_prefix("blockaddress(@")?.strip_suffix(')')?;
        let (function, label) = inside.split_once(", %ir-block.")?;
        let (function, label) = (function.trim_matches('"'), label.trim_matches('"'));
        self.objects.label(d, function, label)
    }

    fn pool_entry(&self, n: u32) -> Res<&crate::x86_mir::ast::PoolConstant> {
        match self.f.constants.iter().find(|c| c.id == n) {
            Some(c) => Ok(c),
            None => self.unsupported("constant pool entry"),
        }
    }

    /// The bytes of a constant-pool entry.
    fn pool_bits<D: Domain>(&self, d: &mut D, n: u32) -> Res<D::Bv> {
        self.objects.constant(d, &self.pool_entry(n)?.value)
    }

    fn pool_size(&self, n: u32) -> Res<u64> {
        let mut d = smt::Concrete::new(0);
        let bits = self.pool_bits(&mut d, n)?;
        Ok(u64::from(bits.width() / 8))
    }

    fn pool_value<D: Domain>(&self, d: &mut D, n: u32, offset: i64, bits: u32) -> Res<D::Bv> {
        let whole = self.pool_bits(d, n)?;
        let lo = u32::try_from(offset).ok().and_then(|o| o.checked_mul(8));
        match lo.and_then(|lo| Some((lo, lo.checked_add(bits)?))) {
            Some((lo, hi)) if hi <= d.width(&whole) => Ok(d.extract(hi - 1, lo, &whole)),
            _ => self.unsupported("load beyond a constant pool entry"),
        }
    }

    /// An element of a table in the constant pool, at an address that is computed.
    fn pool_element<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        n: u32,
        at: &D::Bv,
        bits: u32,
    ) -> Res<D::Bv> {
        let whole = self.pool_bits(d, n)?;
        let start = self.symbol_address(d, &Operand::Pool(n, 0))?;
        let offset = d.sub(at, &start);
        let width = d.width(&whole);
        if width < bits {
            return self.unsupported("load beyond a constant pool entry");
        }
        // What lies beyond is a fault: then it does not matter which element this is.
        let (mut value, mut beyond) = (d.extract(bits - 1, 0, &whole), d.bool(true));
        for lo in (0..width).step_by(bits as usize).filter(|lo| lo + bits <= width) {
            let (element, place) = (d.extract(lo + bits - 1, lo, &whole), d.num(64, u128::from(lo / 8)));
            let here = d.eq(&offset, &place);
            value = d.ite(&here, &element, &value);
            let not = d.not(&here);
            beyond = d.and(&beyond, &not);
        }
        self.note_fault(d, st, &beyond);
        Ok(value)
    }

    /// The address of a block, for jump tables.
    pub(super) fn block_address<D: Domain>(&self, d: &mut D, block: u32) -> D::Bv {
        let base = d.symbol("machine.code", 64);
        d.add_num(&base, 16 * i128::from(block))
    }

    /// A memory operand's address: base, scale, index, displacement, segment.
    pub(super) fn address<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        ex: &[&Operand],
        width: u32,
    ) -> Res<D::Bv> {
        let [base, scale, index, displacement, segment, ..] = ex else {
            return self.unsupported("memory operand with too few parts");
        };
        if !super::encoding::is_address(scale, displacement) {
            return self.unsupported("address that cannot be encoded");
        }
        let thread = self.is_thread_segment(segment)?;
        let mut at = match base {
            Operand::Reg { reg: Reg::None, .. } => d.num(64, 0),
            Operand::Reg { reg: Reg::Physical(p), .. } if p.unit == Unit::Rip => d.num(64, 0),
            Operand::Reg { reg: Reg::Physical(p), .. } if p.unit == Unit::Other(1) => {
                return self.unsupported("special base register");
            }
            _ => self.wide(d, st, base)?,
        };
        if !matches!(index, Operand::Reg { reg: Reg::None, .. }) {
            let Operand::Imm(scale) = scale else { return self.unsupported("scale") };
            let index = self.wide(d, st, index)?;
            let scale = d.num(64, *scale as u128);
            let offset = d.bin(BitOp::Mul, &index, &scale);
            at = d.add(&at, &offset);
        }
        at = match displacement {
            Operand::Imm(n) => d.add_num(&at, i128::from(*n)),
            _ => {
                let symbol = self.symbol_address(d, displacement)?;
                d.add(&at, &symbol)
            }
        };
        if thread {
            let start = d.symbol(THREAD_POINTER, 64);
            at = d.add(&at, &start);
        }
        Ok(d.zfit(&at, width))
    }

    /// Whether a memory operand names a segment: then it is no place in the object that its other parts name.
    pub(super) fn in_segment(&self, ex: &[&Operand]) -> bool {
        matches!(ex.get(4), Some(Operand::Reg { reg: Reg::Physical(_), .. }))
    }

    /// Whether a memory operand is counted from the thread pointer.
    pub(super) fn is_thread_segment(&self, segment: &Operand) -> Res<bool> {
        match segment {
            Operand::Reg { reg: Reg::None, .. } => Ok(false),
            Operand::Reg { reg: Reg::Physical(p), .. } if Some(*p) == PhysReg::from_name("fs") => Ok(true),
            _ => self.unsupported("segment register"),
        }
    }

    /// How a thread-local variable's address is written: as the distance from the thread pointer, or from where the
    /// thread's part of this module begins.
    fn within_thread<D: Domain>(&self, d: &mut D, at: &D::Bv, flag: &str) -> Res<D::Bv> {
        let from = match flag {
            "x86-tpoff" | "x86-gottpoff" => d.symbol(THREAD_POINTER, 64),
            "x86-dtpoff" => d.symbol(THREAD_PART, 64),
            _ => return self.unsupported(format!("thread-local variable with {flag}")),
        };
        Ok(d.sub(at, &from))
    }

    /// The call that finds a thread-local variable, or where the thread's part of this module begins.
    pub(super) fn find_in_thread<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        ex: &[&Operand],
        whole: bool,
    ) -> Res<()> {
        let Some(Operand::Global(name, 0, Some(flag))) = ex.get(3) else {
            return self.unsupported("thread-local variable of this form");
        };
        let (text, flag) = (self.m.names.text(*name), self.m.names.text(*flag));
        let own = self.objects.variable(text).is_some_and(|v| v.thread_local);
        let at = match (whole, flag) {
            (false, "x86-tlsgd") if own => self.objects.address(d, text),
            (true, "x86-tlsld") => d.symbol(THREAD_PART, 64),
            _ => return self.unsupported(format!("thread-local variable with {flag}")),
        };
        self.clobber(st);
        st.gpr[0] = Some(at);
        Ok(())
    }

    /// A base or index in 64 bits; 32-bit address parts are zero-extended by the address-size prefix.
    fn wide<D: Domain>(&self, d: &mut D, st: &State<D>, operand: &Operand) -> Res<D::Bv> {
        match operand {
            Operand::Reg { reg, flags, .. } if flags.undef && *reg != Reg::None => Ok(d.nondet("undef", 64)),
            Operand::Reg { reg, sub, .. } => {
                let value = self.read_reg(d, st, *reg)?;
                let width = sub.map_or(d.width(&value), |(_, w)| u32::from(w));
                if width != 64 {
                    return self.unsupported("32-bit address registers");
                }
                self.read(d, st, operand, 64)
            }
            _ => self.symbol_address(d, operand),
        }
    }

    /// The part of a memory operand's displacement that is the global offset table's entry of a symbol: the
    /// loaded value is the symbol's address.
    fn got_entry<D: Domain>(&self, d: &mut D, ex: &[&Operand]) -> Option<Res<D::Bv>> {
        let displacement = ex.get(3).filter(|_| !self.in_segment(ex))?;
        let Operand::Global(_, _, Some(flag)) = displacement else { return None };
        let flag = self.m.names.text(*flag);
        (flag.starts_with("x86-gotpcrel") || flag == "x86-gottpoff")
            .then(|| self.symbol_address(d, displacement))
    }

    /// Whether an address is that of the word that a call pushes: below the incoming arguments.
    fn is_return_address(&self, ex: &[&Operand]) -> bool {
        let [
            Operand::Fixed(n),
            Operand::Imm(1),
            Operand::Reg { reg: Reg::None, .. },
            Operand::Imm(0),
            Operand::Reg { reg: Reg::None, .. },
            ..,
        ] = ex
        else {
            return false;
        };
        self.f.fixed.iter().any(|o| o.id == *n && o.offset == -8 && o.size == Some(8))
    }

    /// Loads through a memory operand.
    pub(super) fn load<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        ex: &[&Operand],
        bits: u32,
    ) -> Res<D::Bv> {
        if let Some(value) = st.given.take() {
            if d.width(&value) != bits {
                return self.unsupported("volatile operand of another width");
            }
            return Ok(value);
        }
        if let Some(address) = self.got_entry(d, ex) {
            let address = address?;
            return if bits == 64 { Ok(address) } else { self.unsupported("narrow load of an address") };
        }
        if bits == 64 && self.is_return_address(ex) {
            return Ok(d.symbol(RETURN_ADDRESS, 64));
        }
        // The first word that a thread has of its own is the address of that word.
        if let [
            Operand::Reg { reg: Reg::None, .. },
            _,
            Operand::Reg { reg: Reg::None, .. },
            Operand::Imm(0),
            segment,
            ..,
        ] = ex
            && bits == 64
            && self.is_thread_segment(segment)?
        {
            return Ok(d.symbol(THREAD_POINTER, 64));
        }
        if let Some(Operand::Pool(n, offset)) = ex.get(3)
            && matches!(ex[2], Operand::Reg { reg: Reg::None, .. })
            && !self.in_segment(ex)
        {
            return self.pool_value(d, *n, *offset, bits);
        }
        if let Some((object, offset)) = self.promoted_place(ex) {
            if self.leaves_object(ex, bits / 8) {
                return self.unsupported("access beyond a frame object");
            }
            return Ok(self.env.promoted.load(d, &st.promoted, &object, offset, u64::from(bits / 8)));
        }
        let at = self.address(d, st, ex, 64)?;
        if let Some(n) = self.jump_table(ex) {
            return self.table_entry(d, n, &at, bits);
        }
        if let Some(n) = self.pool_table(ex) {
            return self.pool_element(d, st, n, &at, bits);
        }
        if let Some(offset) = self.outgoing_offset(d, &at) {
            return self.read_outgoing(d, st, offset, bits);
        }
        self.check_access(d, st, (ex, &at), bits / 8, false);
        let mem = self.objects.memory_with_constant(d, &st.mem, &at, u64::from(bits / 8));
        Ok(d.load(&mem, &at, bits / 8))
    }

    /// Stores through a memory operand.
    pub(super) fn store<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        ex: &[&Operand],
        value: &D::Bv,
    ) -> Res<()> {
        if let Some((object, offset)) = self.promoted_place(ex) {
            if self.leaves_object(ex, d.width(value) / 8) {
                return self.unsupported("access beyond a frame object");
            }
            let promoted = Rc::clone(&self.env.promoted);
            promoted.store(d, &mut st.promoted, &object, offset, value);
            return Ok(());
        }
        let at = self.address(d, st, ex, 64)?;
        if let Some(offset) = self.outgoing_offset(d, &at) {
            st.outgoing.push((offset, value.clone()));
            return Ok(());
        }
        let bytes = d.width(value) / 8;
        self.check_access(d, st, (ex, &at), bytes, true);
        st.mem = d.store(&st.mem, &at, value);
        Ok(())
    }

    /// Notes the fault of an access that may not be allowed; frame objects and known globals always are.
    pub(super) fn check_access<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ex, at): (&[&Operand], &D::Bv),
        bytes: u32,
        write: bool,
    ) {
        if self.env.access == AccessCheck::Off
            || self.inside_object(ex, u64::from(bytes), write)
            || self.runs_inside_frame(d, at, u64::from(bytes))
        {
            return;
        }
        let fine = self.env.access.permits(d, &st.perm, at, (u64::from(bytes), write), Asked::Ends);
        let bad = d.not(&fine);
        self.note_fault(d, st, &bad);
    }

    /// Whether a run accesses a frame object, however it came by the address: such memory is always there. What lives in
    /// promoted slots is not counted, since memory does not hold it.
    pub(super) fn runs_inside_frame<D: Domain>(&self, d: &mut D, at: &D::Bv, bytes: u64) -> bool {
        self.f.stack.iter().any(|object| {
            !self.env.promoted.has(&self.frame_object(object.id))
                && self
                    .run_is_at(d, object, at)
                    .is_some_and(|(offset, size)| offset.checked_add(bytes).is_some_and(|end| end <= size))
        })
    }

    /// How far into a frame object an address of a run is, and how long the object is.
    fn run_is_at<D: Domain>(&self, d: &mut D, object: &FrameObject, at: &D::Bv) -> Option<(u64, u64)> {
        let at = d.as_const(at)?.to_u64()?;
        let size = object.size?;
        let base = self.symbol_address(d, &Operand::Stack(object.id)).ok()?;
        let offset = at.checked_sub(d.as_const(&base)?.to_u64()?)?;
        (offset < size).then_some((offset, size))
    }

    /// How far an address of a run is into an object that is aligned as declared: the run's own place for it need not be.
    fn run_is_aligned_by<D: Domain>(&self, d: &mut D, at: &D::Bv, bytes: u64) -> Option<D::Bv> {
        let mut objects = self.f.stack.iter().filter(|object| object.align >= bytes);
        let (offset, _) = objects.find_map(|object| self.run_is_at(d, object, at))?;
        Some(d.num(64, u128::from(offset)))
    }

    /// The stack object and the distance from its start that an operand is by what defines it.
    fn in_stack_object(&self, base: &Operand) -> Option<(u32, i64)> {
        let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = base else {
            return if let Operand::Stack(n) = base { Some((*n, 0)) } else { None };
        };
        match self.f.operands_of(self.definition(*n).filter(|i| self.m.names.text(i.opcode) == "LEA64r")?) {
            [
                _,
                Operand::Stack(object),
                Operand::Imm(_),
                Operand::Reg { reg: Reg::None, .. },
                Operand::Imm(k),
                ..,
            ] => Some((*object, *k)),
            _ => None,
        }
    }

    /// Notes the fault of an aligned vector access at an address that is not aligned.
    pub(super) fn check_aligned<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        ex: &[&Operand],
        bytes: u64,
    ) -> Res<()> {
        let plain = !self.in_segment(ex);
        if let Some((n, start)) = ex.first().filter(|_| plain).and_then(|base| self.in_stack_object(base))
            && let Some(object) = self.f.stack.iter().find(|o| o.id == n)
            && object.align >= bytes
            && let (Some(Operand::Imm(k)), Some(Operand::Reg { reg: Reg::None, .. })) = (ex.get(3), ex.get(2))
            && start.wrapping_add(*k) % bytes as i64 == 0
        {
            return Ok(());
        }
        // Incoming stack arguments begin at a multiple of 16.
        if bytes <= 16
            && let Some(Operand::Fixed(n)) = ex.first().filter(|_| plain)
            && let Some(object) = self.f.fixed.iter().find(|o| o.id == *n)
            && let (Some(Operand::Imm(k)), Some(Operand::Reg { reg: Reg::None, .. })) = (ex.get(3), ex.get(2))
            && object.offset.checked_add(*k).is_some_and(|at| at % 16 == 0)
        {
            return Ok(());
        }
        let pool = |n: &u32| self.pool_entry(*n).is_ok_and(|entry| entry.align >= bytes);
        if plain
            && (matches!(ex.get(3), Some(Operand::Pool(n, 0)) if pool(n)) || self.aligned_global(ex, bytes))
        {
            return Ok(());
        }
        let at = self.address(d, st, ex, 64)?;
        // What counts is the distance from the start of an object that lies as it is declared to.
        let start = if plain { self.aligned_start(d, ex, bytes)? } else { None };
        let from = match start {
            Some(start) => d.sub(&at, &start),
            None => self.run_is_aligned_by(d, &at, bytes).unwrap_or(at),
        };
        let low = d.zfit(&from, bytes.trailing_zeros());
        let aligned = d.is_zero(&low);
        let bad = d.not(&aligned);
        self.note_fault(d, st, &bad);
        Ok(())
    }

    /// Where the stack object or the variable begins that an address is made from with an index, if it is aligned to so many bytes.
    fn aligned_start<D: Domain>(&self, d: &mut D, ex: &[&Operand], bytes: u64) -> Res<Option<D::Bv>> {
        let (Some(base), Some(displacement)) = (ex.first(), ex.get(3)) else { return Ok(None) };
        if let Some((n, _)) = self.in_stack_object(base) {
            let aligned = self.f.stack.iter().any(|o| o.id == n && o.align.is_multiple_of(bytes));
            return if aligned { self.symbol_address(d, &Operand::Stack(n)).map(Some) } else { Ok(None) };
        }
        match self.place_in_global(base, displacement) {
            Some((name, _)) if self.is_aligned_variable(name, bytes) => {
                self.symbol_address(d, &Operand::Global(name, 0, None)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The offset of an address from the stack pointer, if it is one.
    pub(super) fn outgoing_offset<D: Domain>(&self, d: &mut D, at: &D::Bv) -> Option<i64> {
        if !self.has_stack_arguments {
            return None;
        }
        let rsp = d.symbol("rsp", 64);
        let offset = d.sub(at, &rsp);
        let offset = d.as_const(&offset)?.to_u64()? as i64;
        (0..1 << 20).contains(&offset).then_some(offset)
    }

    /// An outgoing argument as stored before: the last store that covers it whole. What was never stored is whatever
    /// lies there, as for an argument that the source leaves undefined.
    pub(super) fn read_outgoing<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        offset: i64,
        bits: u32,
    ) -> Res<D::Bv> {
        let bytes = i64::from(bits / 8);
        let mut parts: Vec<Option<D::Bv>> = vec![None; bytes as usize];
        for (at, value) in &st.outgoing {
            let size = i64::from(d.width(value) / 8);
            if *at == offset && size == bytes {
                parts = vec![None; bytes as usize];
            }
            for i in 0..size {
                let place = at + i - offset;
                if (0..bytes).contains(&place) {
                    let byte = d.extract(i as u32 * 8 + 7, i as u32 * 8, value);
                    parts[place as usize] = Some(byte);
                }
            }
        }
        if !st.outgoing_all && parts.iter().any(Option::is_none) {
            return self.unsupported("outgoing stack argument that was not stored");
        }
        let mut all: Vec<D::Bv> = Vec::with_capacity(parts.len());
        for (at, part) in (offset..).zip(parts) {
            all.push(match part {
                Some(byte) => byte,
                None => d.symbol(&format!("never stored at the stack pointer + {at}"), 8),
            });
        }
        Ok(crate::bits::join(d, &all))
    }

    /// The entry of a jump table at an address.
    fn table_entry<D: Domain>(&self, d: &mut D, n: u32, at: &D::Bv, bits: u32) -> Res<D::Bv> {
        let Some(blocks) = self.f.jump_tables.get(n as usize) else {
            return self.unsupported("jump table number");
        };
        let relative = self.f.relative_tables;
        let size = if relative { 4 } else { 8 };
        if bits != size * 8 {
            return self.unsupported("narrow load from a jump table");
        }
        let start = self.symbol_address(d, &Operand::JumpTable(n))?;
        let offset = d.sub(at, &start);
        let mut value = d.nondet("beyond the jump table", bits);
        for (i, block) in blocks.iter().enumerate().rev() {
            let entry = if relative {
                let distance = TABLES_AT + TABLE_STRIDE * i128::from(n);
                d.signed(32, 16 * i128::from(*block) - distance)
            } else {
                self.block_address(d, *block)
            };
            let place = d.num(64, i as u128 * u128::from(size));
            let here = d.eq(&offset, &place);
            value = d.ite(&here, &entry, &value);
        }
        Ok(value)
    }
}
