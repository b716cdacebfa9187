//! The interpreter loop: one line an instruction, what it computes of values in [`arithmetic`], how it comes to registers
//! and memory in [`registers`] and [`memory`]. Registers are reached through a raw frame pointer: every register number is
//! below the code's register count, as [`crate::verify`] shows, and frames are pushed only when that many registers are
//! left.

mod arithmetic;
mod memory;
mod registers;

use super::{Slot, Vm};
use crate::bytecode::{Insn, Mem, StopDesc};
use crate::mem::{Kind, Ptr};
use crate::stop::{Res, Stop, exhausted, undefined, unsupported};
use crate::ub::Ub;
use crate::verdict::{Budget, Exit};
use arithmetic::{
    add_i32, add_i64, count, div_i32, div_i64, div_u64, f32_of, f64_of, index_within, mul_i32, mul_i64,
    of_f32, of_f64, rem_i32, rem_i64, rem_u64, shl_signed, sub_i32, sub_i64,
};

/// Signal of `__builtin_trap` on x86.
const SIGILL: i32 = 4;

impl Vm<'_> {
    /// Runs from the innermost frame until the frame below `floor` is reached.
    pub fn execute(&mut self, floor: usize) -> Res<()> {
        loop {
            match self.run_frames(floor) {
                Ok(()) => return Ok(()),
                Err(stop) => match *stop {
                    Stop::Longjmp(number, value) if self.resume(number, value, floor) => {}
                    Stop::Goto(label) => self.jump_outer(label, floor)?,
                    other => {
                        if self.stopped.is_none() && !matches!(other, Stop::Longjmp(..)) {
                            self.stopped = Some(self.place());
                        }
                        return Err(Box::new(other));
                    }
                },
            }
        }
    }

    fn run_frames(&mut self, floor: usize) -> Res<()> {
        let program = self.program;
        // What the loop needs of the innermost frame, apart: reading a whole frame right after its parts were
        // written would stall.
        let (mut id, mut first, mut mem, mut slots);
        let mut start: *const Insn;
        // The instruction that runs; the loop steps to the next.
        let mut ip: *const Insn;
        let mut fp: *mut Slot;

        macro_rules! reg {
            ($r:expr) => {
                // SAFETY: see the module's first lines.
                unsafe { &mut *fp.add($r as usize) }
            };
        }
        macro_rules! lo {
            ($r:expr) => {
                reg!($r).lo
            };
        }
        macro_rules! ptr {
            ($r:expr) => {{
                let from = reg!($r);
                // SAFETY: a register of this frame.
                unsafe { registers::pair(from) }
            }};
        }
        macro_rules! put_ptr {
            ($r:expr, $p:expr) => {{
                let p = $p;
                let to = reg!($r);
                // SAFETY: a register of this frame.
                unsafe { registers::put_pair(to, p) }
            }};
        }
        // Position of the next instruction.
        macro_rules! pc {
            () => {
                // SAFETY: both point into the code.
                unsafe { ip.offset_from(start) as u32 + 1 }
            };
        }
        macro_rules! save {
            () => {
                save!(pc!() - 1)
            };
            ($pc:expr) => {
                if let Some(last) = self.frames.last_mut() {
                    last.pc = $pc;
                }
            };
        }
        macro_rules! tri {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(stop) => {
                        save!();
                        return Err(stop);
                    }
                }
            };
        }
        // Steps are counted by position: a forward jump gives back what it skips.
        macro_rules! jump {
            ($t:expr) => {{
                let by = $t as i32 as isize;
                self.fuel += by as i64;
                if self.fuel < 0 {
                    save!();
                    return exhausted(Budget::Steps);
                }
                ip = ip.wrapping_offset(by);
            }};
        }
        // A loop's way back. Where the next instruction lies depends on the distance, which is read from memory; a
        // comparison with the last loop's head turns that into a branch, which the processor predicts, so that
        // rounds overlap.
        macro_rules! jump_back {
            ($t:expr) => {{
                let by = $t as i32 as isize;
                self.fuel += by as i64;
                if self.fuel < 0 {
                    save!();
                    return exhausted(Budget::Steps);
                }
                let to = ip.wrapping_offset(by);
                if to == self.head {
                    ip = opaque(self.head);
                } else {
                    (self.head, ip) = (to, to);
                }
            }};
        }
        macro_rules! jump_to {
            ($t:expr) => {{
                let by = $t.wrapping_sub(pc!());
                jump!(by)
            }};
        }
        macro_rules! jump_if {
            ($holds:expr, $t:expr) => {
                if $holds {
                    jump!($t)
                }
            };
        }
        // The end of a loop's round: a counter's new value, and whether there is another round.
        macro_rules! step {
            ($a:expr, $v:ident = $next:expr, $holds:expr, $t:expr) => {{
                let $v = $next;
                lo!($a) = $v as u64;
                if $holds {
                    jump_back!($t)
                }
            }};
        }
        macro_rules! load {
            ($d:expr, $index:expr, $kind:expr, $cls:expr) => {{
                let (index, to) = ($index, reg!($d));
                // SAFETY: the index is what `access` gave for as many bytes, or the verifier has shown that the bytes
                // lie in a local of this frame or in a static object.
                tri!(unsafe { self.load(to, index, $kind, $cls) })
            }};
        }
        macro_rules! store {
            ($s:expr, $index:expr, $kind:expr, $cls:expr) => {{
                let (index, from) = ($index, reg!($s));
                // SAFETY: as for `load!`.
                tri!(unsafe { self.store(from, index, $kind, $cls) })
            }};
        }
        macro_rules! element {
            ($i:expr, $r:expr) => {
                tri!(program.arrays[$r as usize].element(lo!($i)))
            };
        }
        macro_rules! through {
            ($p:expr, $off:expr, $kind:expr) => {
                tri!(self.through(ptr!($p).offset($off as i64 as u64), $kind))
            };
        }
        macro_rules! indexed {
            ($p:expr, $i:expr, $scale:expr, $kind:expr) => {
                tri!(self.through(ptr!($p).offset(lo!($i).wrapping_mul(u64::from($scale))), $kind))
            };
        }
        // Enters the innermost frame again after a call or return changed it.
        macro_rules! reload {
            () => {{
                if self.frames.len() <= floor {
                    return Ok(());
                }
                let frame = &self.frames[self.frames.len() - 1];
                (id, first, mem, slots) = (frame.code, frame.fp as usize, frame.mem, frame.slots);
                start = program.codes[id as usize].insns.as_ptr();
                ip = start.wrapping_add(frame.pc as usize).wrapping_sub(1);
                fp = self.regs[first..].as_mut_ptr();
            }};
        }

        reload!();
        loop {
            ip = ip.wrapping_add(1);
            debug_assert!((pc!() as usize) <= program.codes[id as usize].insns.len());
            // SAFETY: code ends in a return, and every jump target lies inside it.
            let insn = unsafe { &*ip };
            match *insn {
                Insn::AddI32 { d, a, b } => lo!(d) = tri!(add_i32(lo!(a), lo!(b))),
                Insn::SubI32 { d, a, b } => lo!(d) = tri!(sub_i32(lo!(a), lo!(b))),
                Insn::MulI32 { d, a, b } => lo!(d) = tri!(mul_i32(lo!(a), lo!(b))),
                Insn::AddI64 { d, a, b } => lo!(d) = tri!(add_i64(lo!(a), lo!(b))),
                Insn::SubI64 { d, a, b } => lo!(d) = tri!(sub_i64(lo!(a), lo!(b))),
                Insn::MulI64 { d, a, b } => lo!(d) = tri!(mul_i64(lo!(a), lo!(b))),
                Insn::AddU32 { d, a, b } => lo!(d) = u64::from((lo!(a) as u32).wrapping_add(lo!(b) as u32)),
                Insn::SubU32 { d, a, b } => lo!(d) = u64::from((lo!(a) as u32).wrapping_sub(lo!(b) as u32)),
                Insn::MulU32 { d, a, b } => lo!(d) = u64::from((lo!(a) as u32).wrapping_mul(lo!(b) as u32)),
                Insn::AddU64 { d, a, b } => lo!(d) = lo!(a).wrapping_add(lo!(b)),
                Insn::SubU64 { d, a, b } => lo!(d) = lo!(a).wrapping_sub(lo!(b)),
                Insn::MulU64 { d, a, b } => lo!(d) = lo!(a).wrapping_mul(lo!(b)),
                Insn::AddI32K { d, a, k } => lo!(d) = tri!(add_i32(lo!(a), k as i64 as u64)),
                Insn::MulI32K { d, a, k } => lo!(d) = tri!(mul_i32(lo!(a), k as i64 as u64)),
                Insn::AddI64K { d, a, k } => lo!(d) = tri!(add_i64(lo!(a), k as i64 as u64)),
                Insn::MulI64K { d, a, k } => lo!(d) = tri!(mul_i64(lo!(a), k as i64 as u64)),
                Insn::AddU32K { d, a, k } => lo!(d) = u64::from((lo!(a) as u32).wrapping_add(k as u32)),
                Insn::MulU32K { d, a, k } => lo!(d) = u64::from((lo!(a) as u32).wrapping_mul(k as u32)),
                Insn::AddU64K { d, a, k } => lo!(d) = lo!(a).wrapping_add(k as i64 as u64),
                Insn::MulU64K { d, a, k } => lo!(d) = lo!(a).wrapping_mul(k as i64 as u64),
                Insn::AddS8 { d, a, b } => lo!(d) = tri!(add_i32(lo!(a), lo!(b))) as i8 as i64 as u64,
                Insn::AddS16 { d, a, b } => lo!(d) = tri!(add_i32(lo!(a), lo!(b))) as i16 as i64 as u64,
                Insn::AddU8 { d, a, b } => lo!(d) = tri!(add_i32(lo!(a), lo!(b))) as u8 as i64 as u64,
                Insn::AddU16 { d, a, b } => lo!(d) = tri!(add_i32(lo!(a), lo!(b))) as u16 as i64 as u64,
                Insn::SubS8 { d, a, b } => lo!(d) = tri!(sub_i32(lo!(a), lo!(b))) as i8 as i64 as u64,
                Insn::SubS16 { d, a, b } => lo!(d) = tri!(sub_i32(lo!(a), lo!(b))) as i16 as i64 as u64,
                Insn::SubU8 { d, a, b } => lo!(d) = tri!(sub_i32(lo!(a), lo!(b))) as u8 as i64 as u64,
                Insn::SubU16 { d, a, b } => lo!(d) = tri!(sub_i32(lo!(a), lo!(b))) as u16 as i64 as u64,
                Insn::AddS8K { d, a, k } => {
                    lo!(d) = tri!(add_i32(lo!(a), k as i64 as u64)) as i8 as i64 as u64
                }
                Insn::AddS16K { d, a, k } => {
                    lo!(d) = tri!(add_i32(lo!(a), k as i64 as u64)) as i16 as i64 as u64
                }
                Insn::AddU8K { d, a, k } => {
                    lo!(d) = tri!(add_i32(lo!(a), k as i64 as u64)) as u8 as i64 as u64
                }
                Insn::AddU16K { d, a, k } => {
                    lo!(d) = tri!(add_i32(lo!(a), k as i64 as u64)) as u16 as i64 as u64
                }
                Insn::DivI32 { d, a, b } => lo!(d) = tri!(div_i32(lo!(a), lo!(b))),
                Insn::RemI32 { d, a, b } => lo!(d) = tri!(rem_i32(lo!(a), lo!(b))),
                Insn::DivI64 { d, a, b } => lo!(d) = tri!(div_i64(lo!(a), lo!(b))),
                Insn::RemI64 { d, a, b } => lo!(d) = tri!(rem_i64(lo!(a), lo!(b))),
                Insn::DivU { d, a, b } => lo!(d) = tri!(div_u64(lo!(a), lo!(b))),
                Insn::RemU { d, a, b } => lo!(d) = tri!(rem_u64(lo!(a), lo!(b))),
                Insn::And { d, a, b } => lo!(d) = lo!(a) & lo!(b),
                Insn::Or { d, a, b } => lo!(d) = lo!(a) | lo!(b),
                Insn::Xor { d, a, b } => lo!(d) = lo!(a) ^ lo!(b),
                Insn::AndK { d, a, k } => lo!(d) = lo!(a) & k as i64 as u64,
                Insn::OrK { d, a, k } => lo!(d) = lo!(a) | k as i64 as u64,
                Insn::XorK { d, a, k } => lo!(d) = lo!(a) ^ k as i64 as u64,
                Insn::ShlI32 { d, a, b } => lo!(d) = tri!(shl_signed(lo!(a) as i64, lo!(b), 32)),
                Insn::ShlI64 { d, a, b } => lo!(d) = tri!(shl_signed(lo!(a) as i64, lo!(b), 64)),
                Insn::ShlI32K { d, a, k } => lo!(d) = tri!(shl_signed(lo!(a) as i64, k as u64, 32)),
                Insn::ShlI64K { d, a, k } => lo!(d) = tri!(shl_signed(lo!(a) as i64, k as u64, 64)),
                Insn::ShlU32 { d, a, b } => lo!(d) = u64::from((lo!(a) as u32) << tri!(count(lo!(b), 32))),
                Insn::ShlU64 { d, a, b } => lo!(d) = lo!(a) << tri!(count(lo!(b), 64)),
                Insn::ShlU32K { d, a, k } => lo!(d) = u64::from((lo!(a) as u32) << k),
                Insn::ShlU64K { d, a, k } => lo!(d) = lo!(a) << k,
                Insn::ShrI32 { d, a, b } => lo!(d) = (lo!(a) as i64 >> tri!(count(lo!(b), 32))) as u64,
                Insn::ShrI64 { d, a, b } => lo!(d) = (lo!(a) as i64 >> tri!(count(lo!(b), 64))) as u64,
                Insn::ShrU32 { d, a, b } => lo!(d) = lo!(a) >> tri!(count(lo!(b), 32)),
                Insn::ShrU64 { d, a, b } => lo!(d) = lo!(a) >> tri!(count(lo!(b), 64)),
                Insn::ShrSK { d, a, k } => lo!(d) = (lo!(a) as i64 >> k) as u64,
                Insn::ShrUK { d, a, k } => lo!(d) = lo!(a) >> k,
                Insn::RotU32K { d, a, k } => lo!(d) = u64::from((lo!(a) as u32).rotate_left(k as u32)),
                Insn::RotU64K { d, a, k } => lo!(d) = lo!(a).rotate_left(k as u32),
                Insn::CEq { d, a, b } => lo!(d) = u64::from(lo!(a) == lo!(b)),
                Insn::CNe { d, a, b } => lo!(d) = u64::from(lo!(a) != lo!(b)),
                Insn::CLtS { d, a, b } => lo!(d) = u64::from((lo!(a) as i64) < lo!(b) as i64),
                Insn::CLeS { d, a, b } => lo!(d) = u64::from(lo!(a) as i64 <= lo!(b) as i64),
                Insn::CLtU { d, a, b } => lo!(d) = u64::from(lo!(a) < lo!(b)),
                Insn::CLeU { d, a, b } => lo!(d) = u64::from(lo!(a) <= lo!(b)),
                Insn::CEqK { d, a, k } => lo!(d) = u64::from(lo!(a) == k as i64 as u64),
                Insn::CNeK { d, a, k } => lo!(d) = u64::from(lo!(a) != k as i64 as u64),
                Insn::CLtSK { d, a, k } => lo!(d) = u64::from((lo!(a) as i64) < i64::from(k)),
                Insn::CGtSK { d, a, k } => lo!(d) = u64::from(lo!(a) as i64 > i64::from(k)),
                Insn::AddF64 { d, a, b } => lo!(d) = of_f64(f64_of(lo!(a)) + f64_of(lo!(b))),
                Insn::SubF64 { d, a, b } => lo!(d) = of_f64(f64_of(lo!(a)) - f64_of(lo!(b))),
                Insn::MulF64 { d, a, b } => lo!(d) = of_f64(f64_of(lo!(a)) * f64_of(lo!(b))),
                Insn::DivF64 { d, a, b } => lo!(d) = of_f64(f64_of(lo!(a)) / f64_of(lo!(b))),
                Insn::AddF32 { d, a, b } => lo!(d) = of_f32(f32_of(lo!(a)) + f32_of(lo!(b))),
                Insn::SubF32 { d, a, b } => lo!(d) = of_f32(f32_of(lo!(a)) - f32_of(lo!(b))),
                Insn::MulF32 { d, a, b } => lo!(d) = of_f32(f32_of(lo!(a)) * f32_of(lo!(b))),
                Insn::DivF32 { d, a, b } => lo!(d) = of_f32(f32_of(lo!(a)) / f32_of(lo!(b))),
                Insn::EqF64 { d, a, b } => lo!(d) = u64::from(f64_of(lo!(a)) == f64_of(lo!(b))),
                Insn::NeF64 { d, a, b } => lo!(d) = u64::from(f64_of(lo!(a)) != f64_of(lo!(b))),
                Insn::LtF64 { d, a, b } => lo!(d) = u64::from(f64_of(lo!(a)) < f64_of(lo!(b))),
                Insn::LeF64 { d, a, b } => lo!(d) = u64::from(f64_of(lo!(a)) <= f64_of(lo!(b))),
                Insn::EqF32 { d, a, b } => lo!(d) = u64::from(f32_of(lo!(a)) == f32_of(lo!(b))),
                Insn::NeF32 { d, a, b } => lo!(d) = u64::from(f32_of(lo!(a)) != f32_of(lo!(b))),
                Insn::LtF32 { d, a, b } => lo!(d) = u64::from(f32_of(lo!(a)) < f32_of(lo!(b))),
                Insn::LeF32 { d, a, b } => lo!(d) = u64::from(f32_of(lo!(a)) <= f32_of(lo!(b))),
                Insn::PLt { d, a, b } => {
                    tri!(self.same_object(ptr!(a), ptr!(b)));
                    lo!(d) = u64::from(lo!(a) < lo!(b));
                }
                Insn::PLe { d, a, b } => {
                    tri!(self.same_object(ptr!(a), ptr!(b)));
                    lo!(d) = u64::from(lo!(a) <= lo!(b));
                }
                Insn::PEq { d, a, b } => {
                    let (p, q) = (ptr!(a), ptr!(b));
                    let plain = p.prov == q.prov || p.addr == 0 || q.addr == 0;
                    let equal = if plain { p.addr == q.addr } else { tri!(self.equal_pointers(p, q)) };
                    lo!(d) = u64::from(equal);
                }
                Insn::Mov { d, a } => put_ptr!(d, ptr!(a)),
                Insn::NegI32 { d, a } => lo!(d) = tri!(sub_i32(0, lo!(a))),
                Insn::NegI64 { d, a } => lo!(d) = tri!(sub_i64(0, lo!(a))),
                Insn::NegU32 { d, a } => lo!(d) = u64::from((lo!(a) as u32).wrapping_neg()),
                Insn::NegU64 { d, a } => lo!(d) = lo!(a).wrapping_neg(),
                Insn::Not { d, a } => lo!(d) = !lo!(a),
                Insn::NotU32 { d, a } => lo!(d) = u64::from(!(lo!(a) as u32)),
                Insn::LogNot { d, a } => lo!(d) = u64::from(lo!(a) == 0),
                Insn::ToBool { d, a } => lo!(d) = u64::from(lo!(a) != 0),
                Insn::Sext8 { d, a } => lo!(d) = lo!(a) as i8 as i64 as u64,
                Insn::Sext16 { d, a } => lo!(d) = lo!(a) as i16 as i64 as u64,
                Insn::Sext32 { d, a } => lo!(d) = lo!(a) as i32 as i64 as u64,
                Insn::Zext8 { d, a } => lo!(d) = u64::from(lo!(a) as u8),
                Insn::Zext16 { d, a } => lo!(d) = u64::from(lo!(a) as u16),
                Insn::Zext32 { d, a } => lo!(d) = u64::from(lo!(a) as u32),
                Insn::NegF64 { d, a } => lo!(d) = lo!(a) ^ (1 << 63),
                Insn::NegF32 { d, a } => lo!(d) = lo!(a) ^ (1 << 31),
                Insn::SI64F64 { d, a } => lo!(d) = of_f64(lo!(a) as i64 as f64),
                Insn::SU64F64 { d, a } => lo!(d) = of_f64(lo!(a) as f64),
                Insn::SI64F32 { d, a } => lo!(d) = of_f32(lo!(a) as i64 as f32),
                Insn::SU64F32 { d, a } => lo!(d) = of_f32(lo!(a) as f32),
                Insn::F32F64 { d, a } => lo!(d) = of_f64(f32_of(lo!(a)).into()),
                Insn::F64F32 { d, a } => lo!(d) = of_f32(f64_of(lo!(a)) as f32),
                Insn::Sext128 { d, a } => {
                    let x = lo!(a);
                    *reg!(d) = Slot { lo: x, hi: (x as i64 >> 63) as u64 };
                }
                Insn::Zext128 { d, a } => *reg!(d) = Slot { lo: lo!(a), hi: 0 },
                Insn::PtrToInt { d, a } => lo!(d) = self.mem.expose(ptr!(a)),
                Insn::IntToPtr { d, a } => put_ptr!(d, self.int_to_ptr(lo!(a))),
                Insn::CkBool { d: _, a } => {
                    if lo!(a) > 1 {
                        save!();
                        return undefined(Ub::BoolRepresentation, format!("the byte is {}", lo!(a)));
                    }
                }
                Insn::JEq { a, b, t } => jump_if!(lo!(a) == lo!(b), t),
                Insn::JNe { a, b, t } => jump_if!(lo!(a) != lo!(b), t),
                Insn::JLtS { a, b, t } => jump_if!((lo!(a) as i64) < lo!(b) as i64, t),
                Insn::JLeS { a, b, t } => jump_if!(lo!(a) as i64 <= lo!(b) as i64, t),
                Insn::JLtU { a, b, t } => jump_if!(lo!(a) < lo!(b), t),
                Insn::JLeU { a, b, t } => jump_if!(lo!(a) <= lo!(b), t),
                Insn::JEqK { a, k, t } => jump_if!(lo!(a) == k as i64 as u64, t),
                Insn::JNeK { a, k, t } => jump_if!(lo!(a) != k as i64 as u64, t),
                Insn::JLtSK { a, k, t } => jump_if!((lo!(a) as i64) < i64::from(k), t),
                Insn::JLeSK { a, k, t } => jump_if!(lo!(a) as i64 <= i64::from(k), t),
                Insn::JGtSK { a, k, t } => jump_if!(lo!(a) as i64 > i64::from(k), t),
                Insn::JGeSK { a, k, t } => jump_if!(lo!(a) as i64 >= i64::from(k), t),
                Insn::StepI32Lt { a, b, by, t } => {
                    step!(a, v = tri!(add_i32(lo!(a), by as i64 as u64)) as i64, v < lo!(b) as i64, t)
                }
                Insn::StepI32Le { a, b, by, t } => {
                    step!(a, v = tri!(add_i32(lo!(a), by as i64 as u64)) as i64, v <= lo!(b) as i64, t)
                }
                Insn::StepI64Lt { a, b, by, t } => {
                    step!(a, v = tri!(add_i64(lo!(a), by as i64 as u64)) as i64, v < lo!(b) as i64, t)
                }
                Insn::StepI64Le { a, b, by, t } => {
                    step!(a, v = tri!(add_i64(lo!(a), by as i64 as u64)) as i64, v <= lo!(b) as i64, t)
                }
                Insn::StepU32Lt { a, b, by, t } => {
                    step!(a, v = u64::from((lo!(a) as u32).wrapping_add(by as u32)), v < lo!(b), t)
                }
                Insn::StepU64Lt { a, b, by, t } => {
                    step!(a, v = lo!(a).wrapping_add(by as u64), v < lo!(b), t)
                }
                Insn::StepI32Ne { a, by, k, t } => {
                    step!(a, v = tri!(add_i32(lo!(a), by as i64 as u64)) as i64, v != i64::from(k), t)
                }
                Insn::StepI32LtK { a, by, k, t } => {
                    step!(a, v = tri!(add_i32(lo!(a), by as i64 as u64)) as i64, v < i64::from(k), t)
                }
                Insn::StepI32LeK { a, by, k, t } => {
                    step!(a, v = tri!(add_i32(lo!(a), by as i64 as u64)) as i64, v <= i64::from(k), t)
                }
                Insn::StepI32GtK { a, by, k, t } => {
                    step!(a, v = tri!(add_i32(lo!(a), by as i64 as u64)) as i64, v > i64::from(k), t)
                }
                Insn::StepI32GeK { a, by, k, t } => {
                    step!(a, v = tri!(add_i32(lo!(a), by as i64 as u64)) as i64, v >= i64::from(k), t)
                }
                Insn::StepU32Ne { a, by, k, t } => {
                    let sum = u64::from((lo!(a) as u32).wrapping_add(by as u32));
                    step!(a, v = sum, v != k as i64 as u64, t)
                }
                Insn::StepU64Ne { a, by, k, t } => {
                    step!(a, v = lo!(a).wrapping_add(by as u64), v != k as i64 as u64, t)
                }
                Insn::Nop {} => {}
                Insn::Jmp { t } => jump!(t),
                Insn::JZ { a, t } => jump_if!(lo!(a) == 0, t),
                Insn::JNz { a, t } => jump_if!(lo!(a) != 0, t),
                Insn::JmpPtr { a } => {
                    let index = lo!(a).wrapping_sub(super::LABEL_BASE) / 16;
                    match program.constants.get(index as usize) {
                        Some(crate::bytecode::Constant::Label(owner, t)) if *owner == id => jump_to!(*t),
                        _ => {
                            tri!(self.jump_outer(index as u32, floor));
                            reload!();
                        }
                    }
                }
                Insn::Switch { a, table } => {
                    let table = &program.switches[table as usize];
                    let t = table.find(*reg!(a));
                    jump_to!(t)
                }
                Insn::K { d, k } => *reg!(d) = Slot { lo: k as i64 as u64, hi: 0 },
                Insn::Const { d, c } => *reg!(d) = self.constants[c as usize],
                Insn::LdL { d, kind, cls, off } => load!(d, mem + off as usize, kind, cls),
                Insn::StL { s, kind, cls, off } => store!(s, mem + off as usize, kind, cls),
                Insn::AddRotU32 { d, sum, a, b, k } => {
                    let both = (lo!(a) as u32).wrapping_add(lo!(b) as u32);
                    lo!(sum) = both.into();
                    lo!(d) = both.rotate_left(k.into()).into();
                }
                Insn::XorStLU32 { d, a, b, cls, off } => {
                    lo!(d) = lo!(a) ^ lo!(b);
                    store!(d, mem + off as usize, Mem::U32, cls)
                }
                Insn::LdG { d, kind, cls, at } => load!(d, at as usize, kind, cls),
                Insn::StG { s, kind, cls, at } => store!(s, at as usize, kind, cls),
                Insn::LdLX { d, i, kind, cls, r } => load!(d, mem + element!(i, r), kind, cls),
                Insn::StLX { s, i, kind, cls, r } => store!(s, mem + element!(i, r), kind, cls),
                Insn::LdGX { d, i, kind, cls, r } => load!(d, element!(i, r), kind, cls),
                Insn::StGX { s, i, kind, cls, r } => store!(s, element!(i, r), kind, cls),
                Insn::LdLO { d, o, kind, cls, off } => {
                    load!(d, mem + off as usize + lo!(o) as usize, kind, cls)
                }
                Insn::StLO { s, o, kind, cls, off } => {
                    store!(s, mem + off as usize + lo!(o) as usize, kind, cls)
                }
                Insn::LdGO { d, o, kind, cls, at } => load!(d, at as usize + lo!(o) as usize, kind, cls),
                Insn::StGO { s, o, kind, cls, at } => store!(s, at as usize + lo!(o) as usize, kind, cls),
                Insn::LdP { d, p, kind, cls, off } => load!(d, through!(p, off, kind), kind, cls),
                Insn::StP { s, p, kind, cls, off } => store!(s, through!(p, off, kind), kind, cls),
                Insn::LdX { d, p, i, kind, cls, scale } => load!(d, indexed!(p, i, scale, kind), kind, cls),
                Insn::StX { s, p, i, kind, cls, scale } => store!(s, indexed!(p, i, scale, kind), kind, cls),
                Insn::LdLI32 { d, off, cls } => load!(d, mem + off as usize, Mem::I32, cls),
                Insn::LdLU32 { d, off, cls } => load!(d, mem + off as usize, Mem::U32, cls),
                Insn::LdLW64 { d, off, cls } => load!(d, mem + off as usize, Mem::W64, cls),
                Insn::LdLPtr { d, off, cls } => load!(d, mem + off as usize, Mem::Ptr, cls),
                Insn::StLI32 { s, off, cls } => store!(s, mem + off as usize, Mem::I32, cls),
                Insn::StLU32 { s, off, cls } => store!(s, mem + off as usize, Mem::U32, cls),
                Insn::StLW64 { s, off, cls } => store!(s, mem + off as usize, Mem::W64, cls),
                Insn::StLPtr { s, off, cls } => store!(s, mem + off as usize, Mem::Ptr, cls),
                Insn::LdGI32 { d, at, cls } => load!(d, at as usize, Mem::I32, cls),
                Insn::LdGU32 { d, at, cls } => load!(d, at as usize, Mem::U32, cls),
                Insn::LdGW64 { d, at, cls } => load!(d, at as usize, Mem::W64, cls),
                Insn::LdGPtr { d, at, cls } => load!(d, at as usize, Mem::Ptr, cls),
                Insn::StGI32 { s, at, cls } => store!(s, at as usize, Mem::I32, cls),
                Insn::StGU32 { s, at, cls } => store!(s, at as usize, Mem::U32, cls),
                Insn::StGW64 { s, at, cls } => store!(s, at as usize, Mem::W64, cls),
                Insn::StGPtr { s, at, cls } => store!(s, at as usize, Mem::Ptr, cls),
                Insn::LdGXI32 { d, i, r, cls } => load!(d, element!(i, r), Mem::I32, cls),
                Insn::LdGXU32 { d, i, r, cls } => load!(d, element!(i, r), Mem::U32, cls),
                Insn::LdGXW64 { d, i, r, cls } => load!(d, element!(i, r), Mem::W64, cls),
                Insn::LdGXPtr { d, i, r, cls } => load!(d, element!(i, r), Mem::Ptr, cls),
                Insn::StGXI32 { s, i, r, cls } => store!(s, element!(i, r), Mem::I32, cls),
                Insn::StGXU32 { s, i, r, cls } => store!(s, element!(i, r), Mem::U32, cls),
                Insn::StGXW64 { s, i, r, cls } => store!(s, element!(i, r), Mem::W64, cls),
                Insn::StGXPtr { s, i, r, cls } => store!(s, element!(i, r), Mem::Ptr, cls),
                Insn::LdPI32 { d, p, off, cls } => load!(d, through!(p, off, Mem::I32), Mem::I32, cls),
                Insn::LdPU32 { d, p, off, cls } => load!(d, through!(p, off, Mem::U32), Mem::U32, cls),
                Insn::LdPW64 { d, p, off, cls } => load!(d, through!(p, off, Mem::W64), Mem::W64, cls),
                Insn::LdPPtr { d, p, off, cls } => load!(d, through!(p, off, Mem::Ptr), Mem::Ptr, cls),
                Insn::StPI32 { s, p, off, cls } => store!(s, through!(p, off, Mem::I32), Mem::I32, cls),
                Insn::StPU32 { s, p, off, cls } => store!(s, through!(p, off, Mem::U32), Mem::U32, cls),
                Insn::StPW64 { s, p, off, cls } => store!(s, through!(p, off, Mem::W64), Mem::W64, cls),
                Insn::StPPtr { s, p, off, cls } => store!(s, through!(p, off, Mem::Ptr), Mem::Ptr, cls),
                Insn::LdXI32 { d, p, i, scale, cls } => {
                    load!(d, indexed!(p, i, scale, Mem::I32), Mem::I32, cls)
                }
                Insn::LdXU32 { d, p, i, scale, cls } => {
                    load!(d, indexed!(p, i, scale, Mem::U32), Mem::U32, cls)
                }
                Insn::LdXW64 { d, p, i, scale, cls } => {
                    load!(d, indexed!(p, i, scale, Mem::W64), Mem::W64, cls)
                }
                Insn::LdXPtr { d, p, i, scale, cls } => {
                    load!(d, indexed!(p, i, scale, Mem::Ptr), Mem::Ptr, cls)
                }
                Insn::StXI32 { s, p, i, scale, cls } => {
                    store!(s, indexed!(p, i, scale, Mem::I32), Mem::I32, cls)
                }
                Insn::StXU32 { s, p, i, scale, cls } => {
                    store!(s, indexed!(p, i, scale, Mem::U32), Mem::U32, cls)
                }
                Insn::StXW64 { s, p, i, scale, cls } => {
                    store!(s, indexed!(p, i, scale, Mem::W64), Mem::W64, cls)
                }
                Insn::StXPtr { s, p, i, scale, cls } => {
                    store!(s, indexed!(p, i, scale, Mem::Ptr), Mem::Ptr, cls)
                }
                Insn::LdS { d, p, m } => {
                    *reg!(d) = tri!(self.load_slow(ptr!(p), &program.accesses[m as usize]));
                }
                Insn::StS { s, p, m } => {
                    let value = *reg!(s);
                    tri!(self.store_slow(ptr!(p), &program.accesses[m as usize], value));
                }
                Insn::IdxOff { d, i, r } => lo!(d) = element!(i, r) as u64,
                Insn::IdxAdd { d, a, i, r } => lo!(d) = lo!(a) + element!(i, r) as u64,
                Insn::LeaL { d, local, off } => {
                    let local = &program.codes[id as usize].locals[usize::from(local)];
                    let slot = 2 * (slots + local.slot) as usize + 1;
                    let addr = self.mem.addr(mem + local.offset as usize);
                    let prov = self.mem.prov_of_slot(slot);
                    put_ptr!(d, Ptr { addr, prov }.offset(off as i64 as u64));
                }
                Insn::PField { d, p, k } => put_ptr!(d, ptr!(p).offset(k as i64 as u64)),
                Insn::PAdd { d, p, i, scale } => {
                    let Some(by) = (lo!(i) as i64).checked_mul(i64::from(scale)) else {
                        save!();
                        return undefined(Ub::PointerArithmetic, "the offset does not fit any object");
                    };
                    put_ptr!(d, tri!(self.mem.step(ptr!(p), by)));
                }
                Insn::PAddR { d, p, i, scale, negative } => {
                    let by = (lo!(i) as i64).checked_mul(lo!(scale) as i64);
                    let by = by.and_then(|b| if negative { b.checked_neg() } else { Some(b) });
                    let Some(by) = by else {
                        save!();
                        return undefined(Ub::PointerArithmetic, "the offset does not fit any object");
                    };
                    put_ptr!(d, tri!(self.mem.step(ptr!(p), by)));
                }
                Insn::Narrow { d, p, size } => put_ptr!(d, self.mem.narrow(ptr!(p), size)),
                Insn::Widen { d, p } => put_ptr!(d, self.mem.widen(ptr!(p))),
                Insn::POff { d, p, o } => put_ptr!(d, ptr!(p).offset(lo!(o))),
                Insn::PAddK { d, p, k } => put_ptr!(d, tri!(self.mem.step(ptr!(p), k.into()))),
                Insn::PDiff { d, a, b, scale } => {
                    lo!(d) = tri!(self.ptr_diff(ptr!(a), ptr!(b), scale.into()));
                }
                Insn::PDiffR { d, a, b, scale } => {
                    lo!(d) = tri!(self.ptr_diff(ptr!(a), ptr!(b), lo!(scale)));
                }
                Insn::Copy { d, s, m } => tri!(self.copy_record(ptr!(d), ptr!(s), m)),
                Insn::Zero { p, size } => {
                    let addr = lo!(p);
                    self.zero(addr, size as usize);
                }
                Insn::InitStr { p, s, size } => {
                    let index = self.mem.index(lo!(p));
                    self.put_string(index, s, size as usize);
                }
                Insn::Enter { local } => tri!(self.enter(local)),
                Insn::EnterIfDead { local } => {
                    let slot = program.codes[id as usize].locals[usize::from(local)].slot;
                    if self.mem.slot(2 * (slots + slot) as usize + 1).kind != Kind::Auto {
                        tri!(self.enter(local))
                    }
                }
                Insn::Leave { local } => {
                    let slot = program.codes[id as usize].locals[usize::from(local)].slot;
                    self.mem.death(2 * (slots + slot) as usize + 1);
                }
                Insn::Reset { local } => self.reset(local),
                Insn::Seal { local } => self.seal(local),
                Insn::CkIndex { i, n } => {
                    let (i, n) = (lo!(i), lo!(n));
                    tri!(index_within(i, n));
                }
                Insn::CkExtent { p, n } => {
                    let p = ptr!(p);
                    tri!(self.check_extent(p, n));
                }
                Insn::CkOverlap { a, b, x } => {
                    let (a, b) = (lo!(a), lo!(b));
                    tri!(self.check_overlap(a, b, x));
                }
                Insn::StackMark { d } => {
                    *reg!(d) = Slot { lo: self.mem.stack_top as u64, hi: self.dynamic.len() as u64 };
                }
                Insn::StackFree { a } => {
                    let mark = *reg!(a);
                    self.free_dynamic(mark.hi as usize);
                    self.mem.stack_top = mark.lo as usize;
                }
                Insn::VlaCheck { a, signed } => {
                    let n = lo!(a);
                    if n == 0 || (signed && (n as i64) < 0) {
                        save!();
                        return undefined(Ub::VlaSize, format!("the length is {}", n as i64));
                    }
                }
                Insn::VlaAlloc { d, n, align } => {
                    let old = ptr!(d);
                    self.free_reached_again(old);
                    put_ptr!(d, tri!(self.dynamic_alloc(lo!(n), align.into())));
                }
                Insn::Alloca { d, n, align } => {
                    put_ptr!(d, tri!(self.dynamic_alloc(lo!(n), align.into())));
                }
                Insn::Wide { d, a, b, op, signed } => {
                    *reg!(d) = tri!(super::float::wide(op, signed, *reg!(a), *reg!(b)));
                }
                Insn::Soft { d, a, b, op, kind } => {
                    *reg!(d) = super::float::soft(op, kind, *reg!(a), *reg!(b));
                }
                Insn::Complex { d, a, divide, kind } => {
                    let parts = [*reg!(a), *reg!(a + 1), *reg!(a + 2), *reg!(a + 3)];
                    let [re, im] = tri!(super::complex::complex(divide, kind, parts));
                    *reg!(d) = re;
                    *reg!(d + 1) = im;
                }
                Insn::Conv { d, a, from, to } => *reg!(d) = tri!(super::float::convert(from, to, *reg!(a))),
                Insn::FClass { d, a, class, kind } => {
                    lo!(d) = super::float::classify(class, kind, *reg!(a)) as i64 as u64;
                }
                Insn::FQuiet { d, a, b, rel, kind } => {
                    lo!(d) = u64::from(super::float::quiet(rel, kind, *reg!(a), *reg!(b)));
                }
                Insn::Call { base, used: _, f } => {
                    save!(pc!());
                    let at = first + usize::from(base);
                    tri!(self.push_frame(f, at, (0, 0), 0));
                    let frame = &self.frames[self.frames.len() - 1];
                    (id, first, mem, slots) = (f, at, frame.mem, frame.slots);
                    start = program.codes[f as usize].insns.as_ptr();
                    ip = start.wrapping_sub(1);
                    // SAFETY: the frame's registers lie inside the file.
                    fp = unsafe { fp.add(usize::from(base)) };
                }
                Insn::CallSite { base, site } => {
                    save!(pc!());
                    let at = first + usize::from(base);
                    // A library function that called back has its own place.
                    tri!(self.call_site(site, at));
                    reload!();
                }
                Insn::CallPtr { base, p, site } => {
                    save!(pc!());
                    let at = first + usize::from(base);
                    let target = ptr!(p);
                    tri!(self.call_pointer(target, site, at));
                    reload!();
                }
                Insn::Ret {} => {
                    if !self.open_lists.is_empty() {
                        tri!(self.ended_lists());
                    }
                    self.fuel -= i64::from(pc!());
                    self.pop_frame();
                    reload!();
                }
                Insn::RetV { a } => {
                    if !self.open_lists.is_empty() {
                        tri!(self.ended_lists());
                    }
                    self.fuel -= i64::from(pc!());
                    put_ptr!(0, ptr!(a));
                    self.pop_frame();
                    reload!();
                }
                Insn::RetDangling {} => {
                    let what = "the function returns a pointer to an object that ends with it, and its caller uses it";
                    tri!(self.unused(floor, Ub::DanglingPointer, what));
                    self.pop_frame();
                    reload!();
                }
                Insn::RetMissing {} => {
                    if !self.open_lists.is_empty() {
                        tri!(self.ended_lists());
                    }
                    let what = "the function ended without a value, and its caller uses one";
                    tri!(self.unused(floor, Ub::MissingReturn, what));
                    self.pop_frame();
                    reload!();
                }
                Insn::VaStart { p } => tri!(self.va_start(ptr!(p))),
                Insn::VaArg { d, p, v, passed } => *reg!(d) = tri!(self.va_arg(ptr!(p), v, passed)),
                Insn::VaEnd { p } => tri!(self.va_end(ptr!(p))),
                Insn::VaCopy { d, s } => tri!(self.va_copy(ptr!(d), ptr!(s))),
                Insn::Overflow { d, a, b, op, v } => {
                    let (flag, value) =
                        super::float::overflow(op, program.overflows[v as usize], *reg!(a), *reg!(b));
                    *reg!(d) = Slot { lo: u64::from(flag), hi: 0 };
                    *reg!(d + 1) = value;
                }
                Insn::Setjmp { d, p, loses } => {
                    tri!(self.setjmp(ptr!(p), pc!(), d, loses));
                    *reg!(d) = Slot::default();
                }
                Insn::Longjmp { p, v } => {
                    let value = lo!(v) as i32;
                    tri!(self.longjmp(ptr!(p), value));
                }
                Insn::Vec { d, a, b, v } => tri!(self.vector(ptr!(d), ptr!(a), ptr!(b), v)),
                Insn::SeqOpen {} => self.seq_open(),
                Insn::SeqMark { d } => lo!(d) = self.seq_mark(),
                Insn::SeqPoint { a } => {
                    let mark = lo!(a);
                    self.seq_point(mark);
                }
                Insn::LeaUp { d, local, owner } => {
                    let up = tri!(self.outer_frame(owner));
                    let local = &program.codes[owner as usize].locals[usize::from(local)];
                    let slot = 2 * (up.slots + local.slot) as usize + 1;
                    let addr = self.mem.addr(up.mem + local.offset as usize);
                    put_ptr!(d, Ptr { addr, prov: self.mem.prov_of_slot(slot) });
                }
                Insn::FnPtr { d, f } => {
                    let chain = tri!(self.chain_for(f));
                    let lo = self.function_base() + 16 * u64::from(f);
                    *reg!(d) = Slot { lo, hi: chain };
                }
                Insn::JmpOuter { c } => {
                    tri!(self.jump_outer(c, floor));
                    reload!();
                }
                Insn::SeqNext {} => tri!(self.seq_next()),
                Insn::SeqClose { keep } => tri!(self.seq_close(keep)),
                Insn::LogR { p, n } => self.seq_log_extent(lo!(p), n, false),
                Insn::LogW { p, n } => self.seq_log_extent(lo!(p), n, true),
                Insn::LogRegR { v } => {
                    let at = self.register_address(first, v);
                    self.seq_log(at, 1, false);
                }
                Insn::LogRegW { v } => {
                    let at = self.register_address(first, v);
                    self.seq_log(at, 1, true);
                }
                Insn::SeqStore { p, n } => {
                    let (at, n) = super::seq::bits(lo!(p), n);
                    tri!(self.seq_store(at, n))
                }
                Insn::SeqStoreReg { v } => {
                    let at = self.register_address(first, v);
                    tri!(self.seq_store(at, 1));
                }
                Insn::MarkUninit { .. } | Insn::SetInit { .. } | Insn::CkInit { .. } => {}
                Insn::CkFlag { f } => {
                    if lo!(f) == 0 {
                        save!();
                        return undefined(Ub::UninitialisedRead, "the variable was never given a value");
                    }
                }
                Insn::RestrictOpen { d } => *reg!(d) = Slot { lo: self.restrict_open(), hi: 0 },
                Insn::RestrictClose { a } => self.restrict_close(lo!(a)),
                Insn::RestrictUse { d, a, scope, object } => {
                    *reg!(d) = self.restrict_use(*reg!(a), scope, object);
                }
                Insn::RestrictAssign { s, scope, object } => {
                    tri!(self.restrict_assign(*reg!(s), scope, object));
                }
                Insn::RestrictLog { p, write, n } => tri!(self.restrict_access(*reg!(p), n, write)),
                Insn::RestrictMeet { a, b } => self.restrict_meet(*reg!(a), *reg!(b)),
                Insn::Tag { p, t } => tri!(self.tag(ptr!(p), t)),
                Insn::OrderChosen {} => self.reordered[id as usize] = true,
                Insn::Count { id: point } => self.seen[point as usize].count += 1,
                Insn::Point { id: point } => {
                    let frame = self.frame();
                    self.observe(point, &frame);
                }
                Insn::Stop { s } => {
                    save!();
                    return match &program.stops[s as usize] {
                        StopDesc::Undefined(ub, text) => undefined(*ub, text.clone()),
                        StopDesc::Unsupported(text) => unsupported(text.clone()),
                        StopDesc::Cold => Err(Box::new(Stop::Cold)),
                        StopDesc::Trap => Err(Box::new(Stop::Exit(Exit::Signal(SIGILL)))),
                    };
                }
            }
        }
    }
}

/// The same pointer, of which the compiler knows nothing: else it would find out that a comparison has already said
/// what it is.
#[inline(always)]
fn opaque(mut p: *const Insn) -> *const Insn {
    // SAFETY: the template is empty.
    unsafe { std::arch::asm!("/* {0} */", inout(reg) p, options(pure, readonly, nostack, preserves_flags)) };
    p
}
