//! What a function shows of itself: what a return leaves, what a call passes, and memory without what nobody else knows of.

use super::super::escape::{Allocation, Sight};
use super::super::filled::Filled;
use super::super::frame::before_moved;
use super::super::state::Machine;
use super::super::uses::{repeats, uses};
use super::place::PLACE;
use super::{ALONE, MEANT, Machines, Program, Var};
use crate::domain::{Domain, Ext, Res};
use crate::memory::MEM;
use crate::memory::access::AccessCheck;
use crate::x86::flags::Flags;
use equiv::{Event, EventKind, Label, Next, PointId, State, Val, VarSort};
use std::collections::{BTreeMap, BTreeSet};

/// Longest object of the frame that is cleared at the end, in bytes.
const LONGEST_CLEARED: u64 = 2048;

/// Bytes of it that are cleared at once.
const CLEARED: u64 = 64;

/// How far below the stack of a call objects of a frame are no more that of the caller itself, in bytes, but of a body that stands
/// in the place of an earlier call: they are gone since that returned, as C has it.
const OWN_FRAME: i64 = 1 << 16;

/// Longest object of the frame that may be none of memory's while its address is not out, in bytes.
const LONGEST_HIDDEN: u64 = 512;

impl Program {
    /// What a return shows: results, the registers that a call keeps, and memory without objects of the frame.
    pub(super) fn exit<D: Domain>(&self, d: &mut D, m: &Machine<D>, i: usize) -> Res<Next<D>> {
        let mut vals = Vec::new();
        for p in &self.calls.own.results {
            vals.push(Val::Bv(match &m.registers[p.register] {
                Some(v) => d.zfit(v, p.bits),
                None => d.nondet("a result that nobody set", p.bits),
            }));
        }
        let mut kept = d.bool(true);
        for n in self.f.abi.saved {
            let value = match &m.registers[*n] {
                _ if !self.touched.contains(n) => self.saved(d, *n),
                Some(v) => d.zfit(v, 64),
                None => {
                    return Err(self.f.unsupported(i, "a return with a register of the caller lost"));
                }
            };
            if self.machines == Machines::Two {
                let before = self.saved(d, *n);
                let same = d.eq(&value, &before);
                kept = d.and(&kept, &same);
            } else {
                vals.push(Val::Bv(value));
            }
        }
        if self.machines == Machines::Two {
            // What another machine has no rule for is this one's own affair, too.
            for filled in &self.calls.own.filled_results {
                if let Some(v) = &m.registers[filled.register] {
                    let holds = filled.holds(d, v);
                    kept = d.and(&kept, &holds);
                }
            }
            vals.push(Val::Bv(d.bool_to_bv(&kept)));
        }
        vals.push(Val::Mem(self.without(d, m, |n| !self.is_place(n))));
        Ok(Next::Exit(vals))
    }

    /// Memory with those objects of the frame cleared that a test chooses. Long ones stay: that asks for more than is needed.
    pub(super) fn without<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        chosen: impl Fn(usize) -> bool,
    ) -> D::Mem {
        self.with_objects(d, (&m.mem, m.place.as_ref()), chosen, |d, _, _, bytes| zeros(d, bytes))
    }

    /// Memory with other contents of those objects of the frame that a test chooses, piece by piece: of an object at an address
    /// and so many bytes. The last one may be the place for the result.
    pub(super) fn with_objects<D: Domain>(
        &self,
        d: &mut D,
        (mem, place): (&D::Mem, Option<&D::Bv>),
        chosen: impl Fn(usize) -> bool,
        contents: impl Fn(&mut D, usize, &D::Bv, u64) -> D::Bv,
    ) -> D::Mem {
        let mut mem = mem.clone();
        for (n, object) in self.frame.objects.list.iter().enumerate() {
            if !object.own || object.size > LONGEST_CLEARED || !chosen(n) {
                continue;
            }
            for (at, bytes) in Self::cleared_at_once(object.size) {
                let address = self.frame.address(d, n, at as i64);
                let new = contents(d, n, &address, bytes);
                mem = d.store(&mem, &address, &new);
            }
        }
        let followed = self.place.as_ref().filter(|place| chosen(place.number));
        for (at, bytes) in followed.iter().flat_map(|place| Self::cleared_at_once(place.bytes)) {
            let Some(base) = place else { break };
            let address = d.add_num(base, i128::from(at));
            let new = contents(d, self.frame.objects.list.len(), &address, bytes);
            mem = d.store(&mem, &address, &new);
        }
        mem
    }

    /// The pieces in which memory is cleared of an object of so many bytes: where each begins in it, and its bytes.
    pub(crate) fn cleared_at_once(size: u64) -> impl Iterator<Item = (u64, u64)> {
        (0..size).step_by(CLEARED as usize).map(move |at| (at, (size - at).min(CLEARED)))
    }

    /// Memory as a call sees it: without what it cannot know of, and with anything in the place of what is gone.
    pub(super) fn shown<D: Domain>(&self, d: &mut D, m: &Machine<D>, call: usize) -> D::Mem {
        let contents = |d: &mut D, n: usize, at: &D::Bv, bytes: u64| {
            let nothing = zeros(d, bytes);
            match (self.sight(call, n), m.out.get(n).and_then(Option::as_ref)) {
                (Sight::Hidden, _) => nothing,
                (Sight::Shown | Sight::ByWay, _) if self.is_given_up(call, n) => self.left_of(d, n, bytes),
                (Sight::ByWay, Some(out)) => {
                    let held = d.load(&m.mem, at, bytes as u32);
                    d.ite(out, &held, &nothing)
                }
                (Sight::Shown | Sight::ByWay, _) => nothing,
            }
        };
        let memory = (&m.mem, m.place.as_ref());
        let chosen = |n: usize| self.sight(call, n) != Sight::Shown || self.is_given_up(call, n);
        self.with_objects(d, memory, chosen, contents)
    }

    /// How far an object of the frame that is gone for a call begins below the stack that the callee is given, which may write there;
    /// nothing where the function ends with the call.
    fn gone(&self, call: usize, object: usize) -> Option<i64> {
        let known = self.calls.at(call)?;
        let own = self.frame.objects.list.get(object).filter(|o| o.own && o.size <= LONGEST_HIDDEN)?;
        let offset = before_moved(own.offset);
        let below = self.facts.stack(call).map(|sp| sp - offset).filter(|below| *below > 0);
        if known.tail { Some(0) } else { below }
    }

    /// Whether a call may find anything in an object of the frame, since this function has given that up. At a call that
    /// ends the function that holds of both programs; at others of the new one alone: the old one's objects are taken to be
    /// still there, which asks for more than is needed.
    fn is_given_up(&self, call: usize, object: usize) -> bool {
        let most = if self.apart { 0 } else { OWN_FRAME };
        self.gone(call, object).is_some_and(|below| below <= most)
    }

    /// What is left of an object of the frame that is gone: nobody knows, and both programs have the same there.
    fn left_of<D: Domain>(&self, d: &mut D, object: usize, bytes: u64) -> D::Bv {
        d.symbol(&format!("what is left of {}", self.object_name(object)), bytes as u32 * 8)
    }

    /// What an object of the frame holds where it begins is anybody's, and the same in both programs.
    pub(super) fn begin<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) {
        for (_, offset) in self.f.begins.iter().filter(|(at, _)| *at == i) {
            let begins = |o: &super::super::frame::StackObject| o.own && o.offset == *offset;
            let Some(n) = self.frame.objects.list.iter().position(begins) else { continue };
            for (at, bytes) in Self::cleared_at_once(self.frame.objects.list[n].size) {
                let address = self.frame.address(d, n, at as i64);
                let name = Self::piece_name(self.object_name(n), (at as i64, bytes));
                let held = d.symbol(&format!("what is there as {name} begin"), bytes as u32 * 8);
                m.mem = d.store(&m.mem, &address, &held);
            }
        }
    }

    /// Notes which addresses of objects go out at an instruction.
    pub(super) fn go_out<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) {
        for n in self.escapes.going(i) {
            m.out[n] = Some(d.bool(true));
        }
    }

    /// Which addresses of objects went out ahead of a point.
    pub(super) fn outs<D: Domain>(&self, d: &mut D, s: &State<D>) -> Vec<Option<D::Bool>> {
        let mut all = vec![None; self.frame.objects.list.len()];
        for (var, val) in self.stops[s.at.index()].vars.iter().zip(&s.vals) {
            if let Var::Out(n) = var {
                all[*n] = Some(d.is_set(val.bv()));
            }
        }
        all
    }

    /// Whether a call may not know of an object of the frame.
    fn is_short(&self, object: usize) -> bool {
        self.frame.objects.list.get(object).is_none_or(|o| o.size <= LONGEST_HIDDEN)
    }

    /// What a call knows of an object of the frame: of one that is hidden it neither sees nor changes what that holds.
    pub(super) fn sight(&self, call: usize, object: usize) -> Sight {
        if !self.is_short(object) {
            return Sight::Shown;
        }
        if self.unknown_to.contains(&(call, object)) {
            return Sight::Hidden;
        }
        self.escapes.sight(call, object, self.passed_to(call))
    }

    /// The registers, as bits, that a call passes something in.
    fn passed_to(&self, call: usize) -> u64 {
        if repeats(&self.f, call) {
            return uses(&self.f, call).reads;
        }
        let arguments = self.calls.at(call).into_iter().flat_map(|c| &c.arguments);
        arguments.filter(|p| p.bits > 0).fold(0u64, |set, p| set | 1 << p.register)
    }

    /// How much memory is kept apart, as far as that is known ahead.
    pub(super) fn room<D: Domain>(&self, d: &mut D, allocation: &Allocation) -> D::Bv {
        match allocation {
            Allocation::Call { .. } => d.num(64, 0),
            Allocation::Caller { bytes, .. } => d.num(64, u128::from(*bytes)),
        }
    }

    /// Objects of the frame that no call of a callee may know: the names of the callee and of the object.
    pub(crate) fn unknown_objects(&self) -> BTreeSet<(Option<String>, String)> {
        self.objects_at_calls(true, |i, n| self.sight(i, n) == Sight::Hidden)
    }

    /// [`Program::unknown_objects`], and those objects that the function has given up before a call that is not passed their
    /// address.
    pub(crate) fn unknown_or_gone(&self) -> BTreeSet<(Option<String>, String)> {
        self.objects_at_calls(true, |i, n| {
            let gone = self.gone(i, n).is_some() && !self.escapes.is_passed(i, n, self.passed_to(i));
            gone || self.sight(i, n) == Sight::Hidden
        })
    }

    /// Those that are given up for some call of a callee.
    pub(crate) fn given_up(&self) -> BTreeSet<(Option<String>, String)> {
        self.objects_at_calls(false, |i, n| self.is_given_up(i, n))
    }

    /// The objects of which something holds at all calls of a callee, or at some.
    fn objects_at_calls(
        &self,
        all: bool,
        holds: impl Fn(usize, usize) -> bool,
    ) -> BTreeSet<(Option<String>, String)> {
        let mut found: BTreeMap<(Option<&str>, &str), bool> = BTreeMap::new();
        for i in 0..self.f.insns.len() {
            let Some(call) = self.calls.at(i).filter(|_| !self.spelling.contains_key(&i)) else { continue };
            let objects = self.frame.objects.list.iter().enumerate().filter(|(_, o)| o.own);
            let objects = objects.map(|(n, object)| (n, object.name.as_str()));
            for (n, object) in objects.chain(self.place.as_ref().map(|place| (place.number, PLACE))) {
                let known = found.entry((call.callee.as_deref(), object)).or_insert(all);
                *known = if all { *known && holds(i, n) } else { *known || holds(i, n) };
            }
        }
        let found = found.into_iter().filter(|(_, holds)| *holds);
        found.map(|((callee, object), _)| (callee.map(str::to_owned), object.to_owned())).collect()
    }

    /// Takes for unknown to calls of a callee the objects that the other program's calls of it cannot know.
    ///
    /// Calls have to be the same on both sides: registers, memory without these objects, all calls before. The other side never
    /// let the object's address go anywhere that they see, and so this one did not, either, whatever it looks like.
    pub(crate) fn hide(&mut self, unknown: &BTreeSet<(Option<String>, String)>) {
        for i in 0..self.f.insns.len() {
            let Some(call) = self.calls.at(i) else { continue };
            let objects = self.frame.objects.list.iter().map(|o| o.name.as_str());
            let objects = objects.chain(self.place.as_ref().map(|_| PLACE));
            let names = objects.map(|object| (call.callee.clone(), object.to_owned()));
            let hidden = names.enumerate().filter(|(_, name)| unknown.contains(name));
            self.unknown_to.extend(hidden.map(|(n, _)| (i, n)));
        }
    }

    /// The objects of the frame that are no part of memory at a point: names, and the pieces that they are followed in.
    pub(crate) fn apart_from_memory(&self, at: PointId) -> impl Iterator<Item = (&str, &[(i64, u64)])> {
        let hidden = self.stops.get(at.index()).into_iter().flat_map(|stop| &stop.hidden);
        hidden.filter_map(|n| Some((self.object_name(*n), self.pieces(*n)?)))
    }

    /// The name of a piece of such an object: bytes from its start, and how many.
    pub(crate) fn piece_name(object: &str, (at, bytes): (i64, u64)) -> String {
        format!("{object}, bytes {at} to {}", at + bytes as i64 - 1)
    }

    /// Notes how much memory a call gives.
    fn note_size<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) {
        let all = self.escapes.allocations.iter().zip(&mut m.fresh);
        for (allocation, fresh) in all {
            let Allocation::Call { insn, size: factors } = allocation else { continue };
            if *insn != i {
                continue;
            }
            let mut size = d.num(64, 1);
            for n in factors {
                size = match &m.registers[*n] {
                    Some(v) => d.mul(&size, v),
                    None => d.num(64, 0),
                };
            }
            *fresh = (d.num(64, 0), size);
        }
    }

    /// Of registers that a call keeps in part, the rest may be anything.
    pub(super) fn keep_halves<D: Domain>(&self, d: &mut D, m: &mut Machine<D>) {
        for n in self.f.abi.half_kept() {
            if let Some(v) = &m.registers[n] {
                let low = d.zfit(v, 64);
                m.registers[n] = Some(self.with_above(d, n, low));
            }
        }
    }

    /// A call as the world sees it; the registers that it may change hold nothing then.
    ///
    /// Arguments are: memory, the address called (zero where it has a name), whether something unknown may be on the
    /// stack, for each argument register how many bits may matter (and [`MEANT`] more where it is set for this call alone)
    /// and what they are, then what is known to be passed on the stack.
    pub(super) fn call<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        target: Option<D::Bv>,
    ) -> Res<Event<D>> {
        let Some(call) = self.calls.at(i) else { return Err(self.f.unsupported(i, "a call")) };
        let mem = self.shown(d, m, i);
        let target = target.unwrap_or_else(|| d.num(64, 0));
        let pushed = d.num(1, u128::from(self.may_push.contains(&i)));
        let mut args = vec![Val::Mem(mem), Val::Bv(target), Val::Bv(pushed)];
        for p in &call.arguments {
            let value = match &m.registers[p.register] {
                Some(v) => v.clone(),
                None => d.nondet("an argument that nobody set", self.f.abi.width(p.register)),
            };
            // Where a register points into the frame, facts have its value.
            let general = Some(p.register).filter(|n| *n < self.f.abi.general);
            let value = match general.and_then(|n| self.facts.frame(i, n)) {
                Some(at) if p.bits > 0 => self.code().frame_address(d, i, at)?,
                Some(_) | None => value,
            };
            let meant = if call.is_meant(*p) { MEANT } else { 0 };
            let alone = if call.is_alone(*p) { ALONE } else { 0 };
            let filled =
                Filled::of(&call.filled.0, p.register).filter(|_| p.bits > 0).map_or(0, Filled::told);
            args.push(Val::Bv(d.num(16, u128::from(p.bits | meant | alone | filled))));
            args.push(Val::Bv(value));
        }
        for (at, bytes) in &call.stack {
            args.push(Val::Bv(self.code().load_frame(d, m, (i, *at), *bytes)?));
        }
        let label = Label::call(call.callee.clone());
        self.note_size(d, m, i);
        for n in call.clobbers() {
            m.registers[n] = None;
        }
        self.keep_halves(d, m);
        m.flags = Flags::Unknown;
        let results = [MEM, VarSort::Bv(64), VarSort::Bv(64), VarSort::Bv(128), VarSort::Bv(128)];
        let results = match self.access {
            AccessCheck::Off => results.to_vec(),
            AccessCheck::Named | AccessCheck::Mapped | AccessCheck::MappedFromZero => {
                results.into_iter().chain([MEM]).collect()
            }
        };
        Ok(Event { kind: EventKind::Call, label, args, results })
    }
}

/// Nothing, as the contents of an object.
fn zeros<D: Domain>(d: &mut D, bytes: u64) -> D::Bv {
    d.num(bytes as u32 * 8, 0)
}
