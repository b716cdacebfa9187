//! Callees in the place of their calls: where one side calls a function of its own file more often than the other
//! side, that may hold its body, and both are compared with the body in them.

use super::convert::{Converted, Origin};
use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use langs::machine_code::{Abi, Block, Decoded, Function, Insn, JumpTable, Target};

/// Most instructions of a function with what was put into it.
const LARGEST: usize = 3000;

/// An instruction, with where it came from.
type Item = (Insn, Option<Origin>);

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
}

/// Puts the body of `callee` in the place of all its direct calls. False where there is none that can be, and nothing is changed.
pub fn inline(main: &mut Converted, name: &str, callee: &Converted) -> bool {
    // What takes the place of calls and returns is known of x86-64.
    if !main.function.insns.iter().all(|insn| matches!(insn.decoded, Decoded::X86(_))) {
        return false;
    }
    let calls = |insn: &&Insn| insn.target == Some(Target::Function(name.to_owned()));
    let count = main.function.insns.iter().filter(calls).count();
    let size = main.function.insns.len() + count * callee.function.insns.len();
    let plain = |insn: &Insn| !matches!(insn.x86().mnemonic(), Mnemonic::Ret) || insn.x86().op_count() == 0;
    let leaves = |insn: &Insn| insn.x86().is_jmp_near_indirect() && callee.function.tables.is_empty();
    let own = callee.function.insns.iter().any(|insn| calls(&insn) || !plain(insn) || leaves(insn));
    let endless = main.function.insns.iter().filter(calls).any(|insn| insn.endless);
    if count == 0 || size > LARGEST || own || endless {
        return false;
    }
    let mut draft = Draft::of(main);
    let mut at = 0;
    // Blocks that are appended are looked at, too: they hold what followed a call.
    while at < draft.blocks.len() {
        let found = draft.blocks[at].items.iter().position(|(insn, _)| calls(&insn));
        match found {
            Some(k) => draft.put((at, k), callee),
            None => at += 1,
        }
    }
    *main = draft.finish();
    true
}

fn decoded(bytes: &[u8], at: u64) -> Decoded {
    Decoded::X86(Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode())
}

/// An instruction in the place of another.
fn instead(of: &Insn, bytes: &[u8]) -> Insn {
    Insn::plain(of.offset, decoded(bytes, of.x86().ip()))
}

/// `sub rsp, 8`, `add rsp, 8`, `nop`: flags are nothing around calls and returns. `call` with a distance to fill in.
const PUSHES: [u8; 4] = [0x48, 0x83, 0xec, 8];
const POPS: [u8; 4] = [0x48, 0x83, 0xc4, 8];
const NOP: [u8; 1] = [0x90];
const CALL: [u8; 5] = [0xe8, 0, 0, 0, 0];

impl Draft {
    fn of(cut: &Converted) -> Draft {
        let f = &cut.function;
        let owned = |b: &Block| Owned {
            items: (b.first..b.end).map(|n| (f.insns[n].clone(), cut.origins[n].clone())).collect(),
            falls: b.falls,
        };
        let blocks = f.blocks.iter().map(owned).collect();
        Draft { abi: f.abi, name: f.name.clone(), blocks, tables: f.tables.clone() }
    }

    /// Puts a body in the place of the call or jump at a place of a block.
    fn put(&mut self, (at, k): (usize, usize), callee: &Converted) {
        let rest = self.blocks[at].items.split_off(k + 1);
        let falls = self.blocks[at].falls;
        let Some((site, origin)) = self.blocks[at].items.pop() else { return };
        let call = site.x86().mnemonic() == Mnemonic::Call;
        let entry = callee.origins.iter().flatten().next().map(|o| (o.section, o.at));
        let origin = origin.map(|o| Origin { calls: entry, ..o });
        let insn = instead(&site, if call { &PUSHES } else { &NOP });
        self.blocks[at].items.push((insn, origin));
        let behind = self.blocks.len();
        if call {
            self.blocks.push(Owned { items: rest, falls });
        }
        let (first, tables) = (self.blocks.len(), self.tables.len());
        self.blocks[at].falls = Some(first);
        for block in &Draft::of(callee).blocks {
            let mut items = Vec::new();
            let mut falls = block.falls.map(|to| to + first);
            for (insn, origin) in &block.items {
                let moved = moved(insn, first, tables);
                match (call, left(insn)) {
                    (true, Some(how)) => {
                        items.push((
                            instead(insn, &POPS),
                            if how == Left::Returns { origin.clone() } else { None },
                        ));
                        if how == Left::Jumps {
                            let decoded = decoded(&CALL, insn.x86().ip());
                            items.push((Insn { decoded, ..moved }, origin.clone()));
                        }
                        falls = Some(behind);
                    }
                    (true | false, _) => items.push((moved, origin.clone())),
                }
            }
            self.blocks.push(Owned { items, falls });
        }
        let entries = |table: &JumpTable| JumpTable {
            width: table.width,
            entries: table.entries.iter().map(|to| to + first).collect(),
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
        };
        let mut origins = Vec::new();
        for block in self.blocks {
            let first = function.insns.len();
            for (insn, origin) in block.items {
                function.insns.push(insn);
                origins.push(origin);
            }
            // A block without instructions is where execution goes on behind a call that was its last.
            if function.insns.len() == first {
                let nop = decoded(&NOP, 0);
                function.insns.push(Insn {
                    offset: 0,
                    decoded: nop,
                    memory: None,
                    immediate: None,
                    target: None,
                    endless: false,
                    keeps: 0,
                });
                origins.push(None);
            }
            function.blocks.push(Block { first, end: function.insns.len(), falls: block.falls });
        }
        Converted { function, origins, callees: std::collections::BTreeMap::new() }
    }
}

/// How an instruction leaves a function for good.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Left {
    Returns,
    Jumps,
}

fn left(insn: &Insn) -> Option<Left> {
    match (insn.x86().mnemonic(), &insn.target) {
        (Mnemonic::Ret, _) => Some(Left::Returns),
        (Mnemonic::Jmp, Some(Target::Function(_))) => Some(Left::Jumps),
        _ => None,
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
