//! Callees in the place of their calls: where one side calls a function of its own file more often than the other
//! side, that may hold its body, and both are compared with the body in them.

use super::convert::{Converted, Origin};
use super::linked::{self, FramePointer, Saved};
use iced_x86::{Code, Decoder, DecoderOptions, Mnemonic};
use langs::machine_code::aarch64::{self, insn::Op};
use langs::machine_code::riscv::{self, insn::Op as RiscVOp};
use langs::machine_code::{Abi, Block, Decoded, Facts, Frame, Function, Insn, JumpTable, Target};

/// Most instructions of a function with what was put into it.
const LARGEST: usize = 3000;

/// How far below the stack of a call a body's frame lies, times the number of the body: bodies share no places then, so that the
/// objects of each are its own.
const APART: i32 = 1 << 16;

/// An instruction, with where it came from, and how far the frame pointer is from the stack pointer before it.
type Item = (Insn, Option<Origin>, Option<i64>);

/// A block that owns its instructions.
struct Owned {
    items: Vec<Item>,
    falls: Option<usize>,
}

/// A function in the making.
struct Draft {
    abi: &'static Abi,
    name: String,
    blocks: Vec<Owned>,
    tables: Vec<JumpTable>,
    /// The blocks at which bodies begin that stand in the place of calls.
    begins: Vec<usize>,
    /// How many bodies have frames of their own.
    bodies: i32,
}

/// Puts the body of `callee` in the place of all its direct calls. False where there is none that can be, and nothing is changed.
pub fn inline(main: &mut Converted, name: &str, callee: &Converted) -> bool {
    let calls = |insn: &&Insn| insn.target == Some(Target::Function(name.to_owned()));
    let count = main.function.insns.iter().filter(calls).count();
    let size = main.function.insns.len() + count * callee.function.insns.len();
    let plain = |insn: &Insn| match insn.decoded {
        Decoded::X86(insn) => insn.mnemonic() != Mnemonic::Ret || insn.op_count() == 0,
        Decoded::AArch64(_) | Decoded::RiscV(_) => true,
    };
    let own = callee.function.insns.iter().any(|insn| calls(&insn) || !plain(insn));
    // What is taken not to come back does not, as its body stands.
    let endless = main.function.insns.iter().filter(calls).any(|insn| insn.endless);
    let no_tables = callee.function.tables.is_empty();
    let comes_back = callee.function.insns.iter().any(|insn| left(insn, no_tables).is_some());
    if count == 0 || size > LARGEST || own || endless && comes_back {
        return false;
    }
    let mut draft = Draft::of(main);
    // Where the frame pointer leads into the frame, the body has to bring it back.
    let apart = linked::apart(&main.function);
    let links = main.function.insns.iter().zip(&apart).any(|(insn, apart)| calls(&insn) && apart.is_some());
    let pointer = if links { linked::of(callee) } else { FramePointer::Untouched };
    let saved = match &pointer {
        FramePointer::Untouched => None,
        FramePointer::Saved(saved) => Some(saved),
        FramePointer::Other => return false,
    };
    let lone = has_own_frame(&callee.function);
    let mut known = apart.into_iter();
    for (.., apart) in draft.blocks.iter_mut().flat_map(|block| &mut block.items) {
        *apart = known.next().flatten();
    }
    let mut at = 0;
    // Blocks that are appended are looked at, too: they hold what followed a call.
    while at < draft.blocks.len() {
        let found = draft.blocks[at].items.iter().position(|(insn, ..)| calls(&insn));
        match found {
            Some(k) => draft.put((at, k), callee, (saved, lone)),
            None => at += 1,
        }
    }
    *main = draft.finish();
    true
}

/// Whether a body of x86-64 reads nothing of its caller's stack, so that its frame may lie anywhere.
fn has_own_frame(f: &Function) -> bool {
    let Ok(facts) = Facts::of(f) else { return false };
    let x86 = f.insns.iter().all(|insn| matches!(insn.decoded, Decoded::X86(_)));
    x86 && !Frame::reaches_arguments(f, &facts, &Frame::accesses(f, &facts))
}

/// What stands in the place of a call or return.
#[derive(Clone, Copy)]
enum Filling {
    /// What a call does beside leading elsewhere: `sub rsp, n`, of 8 or more; a number in `x30` or `ra`, where nobody knows what
    /// it was.
    Enters(i32),
    /// What a return does: `add rsp, n`; nothing on others. (Flags are nothing around calls and returns.)
    Returns(i32),
    /// Nothing.
    Nothing,
    /// A call, whose callee is filled in.
    Calls,
}

impl Filling {
    /// As an instruction of x86-64 at an address, or of another machine.
    fn decoded(self, like: &Decoded) -> Decoded {
        match like {
            Decoded::X86(insn) => {
                let moves = |op: u8, n: i32| [&[0x48, 0x81, op], &n.to_le_bytes()[..]].concat();
                let bytes = match self {
                    Filling::Enters(n) => moves(0xec, n),
                    Filling::Returns(n) => moves(0xc4, n),
                    Filling::Nothing => vec![0x90],
                    Filling::Calls => vec![0xe8, 0, 0, 0, 0],
                };
                Decoded::X86(Decoder::with_ip(64, &bytes, insn.ip(), DecoderOptions::NONE).decode())
            }
            Decoded::AArch64(_) => Decoded::AArch64(aarch64::decode(match self {
                Filling::Enters(_) => 0xd280_0000 | 0xd1e5 << 5 | 30,
                Filling::Returns(_) | Filling::Nothing => 0xd503_201f,
                Filling::Calls => 0x9400_0000,
            })),
            Decoded::RiscV(_) => Decoded::RiscV(riscv::decode(&match self {
                Filling::Enters(_) => (0x0d1e_5037u32 | 1 << 7).to_le_bytes(),
                Filling::Returns(_) | Filling::Nothing => 0x13u32.to_le_bytes(),
                Filling::Calls => 0xefu32.to_le_bytes(),
            })),
        }
    }

    /// As an instruction in the place of another.
    fn instead(self, of: &Insn) -> Insn {
        Insn::plain(of.offset, self.decoded(&of.decoded))
    }
}

/// Whether an instruction calls, and comes back behind it.
fn is_call(insn: &Insn) -> bool {
    match insn.decoded {
        Decoded::X86(insn) => insn.mnemonic() == Mnemonic::Call,
        Decoded::AArch64(insn) => matches!(insn.op, Some(Op::Call)),
        Decoded::RiscV(insn) => matches!(insn.op, Some(RiscVOp::Call)),
    }
}

impl Draft {
    fn of(cut: &Converted) -> Draft {
        let f = &cut.function;
        let owned = |b: &Block| Owned {
            items: (b.first..b.end).map(|n| (f.insns[n].clone(), cut.origins[n].clone(), None)).collect(),
            falls: b.falls,
        };
        let blocks = f.blocks.iter().map(owned).collect();
        let (tables, begins) = (f.tables.clone(), f.bodies.clone());
        Draft { abi: f.abi, name: f.name.clone(), blocks, tables, begins, bodies: cut.bodies }
    }

    /// Puts a body in the place of the call or jump at a place of a block.
    fn put(&mut self, (at, k): (usize, usize), callee: &Converted, (saved, lone): (Option<&Saved>, bool)) {
        let rest = self.blocks[at].items.split_off(k + 1);
        let falls = self.blocks[at].falls;
        let Some((site, origin, apart)) = self.blocks[at].items.pop() else { return };
        let call = is_call(&site);
        // A call puts the address behind it on the stack.
        let moved_by = 8 + if lone { (self.bodies + 1) * APART } else { 0 };
        if lone {
            self.bodies += 1 + callee.bodies;
        }
        let apart = apart.map(|apart| if call { apart + i64::from(moved_by) } else { apart });
        let entry = callee.origins.iter().flatten().next().map(|o| (o.section, o.at));
        let origin = origin.map(|o| Origin { calls: entry, ..o });
        let insn = if call { Filling::Enters(moved_by) } else { Filling::Nothing }.instead(&site);
        self.blocks[at].items.push((insn, origin, None));
        let behind = self.blocks.len();
        if call {
            self.blocks.push(Owned { items: rest, falls });
        }
        let (first, tables) = (self.blocks.len(), self.tables.len());
        self.blocks[at].falls = Some(first);
        let begins = std::iter::once(first).chain(callee.function.bodies.iter().map(|b| b + first));
        self.begins.extend(begins.filter(|_| call));
        let left = |insn: &Insn| left(insn, callee.function.tables.is_empty());
        let mut number = 0;
        for block in &Draft::of(callee).blocks {
            let mut items: Vec<Item> = Vec::new();
            let mut falls = block.falls.map(|to| to + first);
            for (insn, origin, _) in &block.items {
                let moved = moved(insn, first, tables);
                let n = number;
                number += 1;
                if let Some(list) = apart
                    .zip(saved)
                    .and_then(|(apart, saved)| saved.instead(saved.part(n)?, apart, insn.offset))
                {
                    let origins = [origin.clone()].into_iter().chain(std::iter::repeat(None));
                    let plain = |decoded| Insn::plain(insn.offset, decoded);
                    items.extend(list.into_iter().zip(origins).map(|(d, origin)| (plain(d), origin, None)));
                    continue;
                }
                match (call, left(insn)) {
                    (true, Some(how)) => {
                        items.push((
                            Filling::Returns(moved_by).instead(insn),
                            if matches!(how, Left::Returns) { origin.clone() } else { None },
                            None,
                        ));
                        let calls = match how {
                            Left::Returns => None,
                            Left::Jumps => Some(Filling::Calls.decoded(&insn.decoded)),
                            Left::JumpsTo(calls) => Some(calls),
                        };
                        if let Some(decoded) = calls {
                            items.push((Insn { decoded, ..moved }, origin.clone(), None));
                        }
                        falls = Some(behind);
                    }
                    (true | false, _) => items.push((moved, origin.clone(), None)),
                }
            }
            self.blocks.push(Owned { items, falls });
        }
        let entries = |table: &JumpTable| JumpTable {
            width: table.width,
            entries: table.entries.iter().map(|to| to + first).collect(),
            may_go_on: table.may_go_on,
        };
        self.tables.extend(callee.function.tables.iter().map(entries));
    }

    fn finish(self) -> Converted {
        let mut function = Function {
            abi: self.abi,
            name: self.name,
            insns: Vec::new(),
            blocks: Vec::new(),
            tables: self.tables,
            constants: Vec::new(),
            bodies: self.begins,
            long_constants: Vec::new(),
            read_only: Vec::new(),
            begins: Vec::new(),
        };
        let mut origins = Vec::new();
        for block in self.blocks {
            let first = function.insns.len();
            for (insn, origin, _) in block.items {
                function.insns.push(insn);
                origins.push(origin);
            }
            // A block without instructions is where execution goes on behind a call that was its last.
            if function.insns.len() == first {
                function.insns.push(Insn::plain(0, (self.abi.nothing)()));
                origins.push(None);
            }
            function.blocks.push(Block { first, end: function.insns.len(), falls: block.falls });
        }
        Converted { function, origins, callees: std::collections::BTreeMap::new(), bodies: self.bodies }
    }
}

/// How an instruction leaves a function for good.
enum Left {
    Returns,
    Jumps,
    /// It jumps to an address in a register or memory; the instruction that calls that address.
    JumpsTo(Decoded),
}

/// How an instruction leaves. In a function with jump tables a jump to an address in a register is one through a table.
fn left(insn: &Insn, no_tables: bool) -> Option<Left> {
    let (returns, jumps) = match insn.decoded {
        Decoded::X86(insn) => (insn.mnemonic() == Mnemonic::Ret, insn.mnemonic() == Mnemonic::Jmp),
        Decoded::AArch64(insn) => (matches!(insn.op, Some(Op::Return)), matches!(insn.op, Some(Op::Jump))),
        Decoded::RiscV(insn) => {
            (matches!(insn.op, Some(RiscVOp::Return)), matches!(insn.op, Some(RiscVOp::Jump { .. })))
        }
    };
    match &insn.target {
        _ if returns => Some(Left::Returns),
        Some(Target::Function(_)) if jumps => Some(Left::Jumps),
        Some(_) => None,
        None if no_tables => called(&insn.decoded).map(Left::JumpsTo),
        None => None,
    }
}

/// A jump to an address in a register or memory, as a call of the same address.
fn called(insn: &Decoded) -> Option<Decoded> {
    match insn {
        Decoded::X86(insn) if insn.code() == Code::Jmp_rm64 => {
            let mut call = *insn;
            call.set_code(Code::Call_rm64);
            Some(Decoded::X86(call))
        }
        Decoded::X86(_) => None,
        Decoded::AArch64(insn) => match insn.op {
            Some(Op::JumpRegister(n)) => {
                Some(Decoded::AArch64(aarch64::decode(0xd63f_0000 | u32::from(n) << 5)))
            }
            _ => None,
        },
        Decoded::RiscV(insn) => match insn.op {
            Some(RiscVOp::JumpRegister(n)) => {
                let call = 0x67u32 | 1 << 7 | u32::from(n) << 15;
                Some(Decoded::RiscV(riscv::decode(&call.to_le_bytes())))
            }
            _ => None,
        },
    }
}

/// An instruction with its blocks and tables counted anew.
fn moved(insn: &Insn, blocks: usize, tables: usize) -> Insn {
    use langs::machine_code::Reference;
    let mut out = insn.clone();
    if let Some(Target::Block(to)) = &mut out.target {
        *to += blocks;
    }
    for reference in [&mut out.memory, &mut out.immediate].into_iter().flatten() {
        if let Reference::Table(n) = reference {
            *n += tables;
        }
    }
    out
}
