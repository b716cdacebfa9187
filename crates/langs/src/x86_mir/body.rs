//! Reader of machine function bodies, one instruction a line.

use super::asm_words;
use super::ast::{MachineBlock, MachineFunction, MachineInst, MemOperand, Operand, Reg, RegFlags};
use super::classes::subreg;
use crate::error::ParseError;
use crate::names::{Name, Names};
use crate::x86::regs::PhysReg;

pub(super) struct Body<'m> {
    pub(super) names: &'m mut Names,
    pub(super) f: &'m mut MachineFunction,
}

type Res<T> = Result<T, ParseError>;

/// A cursor over one line.
struct Line<'a> {
    text: &'a str,
    at: usize,
    number: u32,
}

const INST_FLAGS: [&str; 24] = [
    "frame-setup",
    "frame-destroy",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "contract",
    "afn",
    "reassoc",
    "nuw",
    "nsw",
    "exact",
    "nofpexcept",
    "nomerge",
    "unpredictable",
    "noconvergent",
    "nneg",
    "disjoint",
    "nusw",
    "samesign",
    "inbounds",
    "lr-split",
    "bundle-pred",
    "bundle-succ",
];

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '$')
}

impl<'a> Line<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error<T>(&self, message: impl Into<String>) -> Res<T> {
        Err(ParseError { line: self.number, column: self.at as u32 + 1, message: message.into() })
    }

    fn blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            match trimmed.strip_prefix("/*").and_then(|t| t.find("*/")) {
                Some(end) => self.at += end + 4,
                None => return,
            }
        }
    }

    fn eat(&mut self, prefix: &str) -> bool {
        self.blank();
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    fn want(&mut self, prefix: &str) -> Res<()> {
        if self.eat(prefix) { Ok(()) } else { self.error(format!("expected `{prefix}`")) }
    }

    fn word(&mut self) -> &'a str {
        self.blank();
        let rest = self.rest();
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A word if it is exactly this one.
    fn eat_word(&mut self, word: &str) -> bool {
        self.blank();
        let rest = self.rest();
        let found = rest.starts_with(word) && !rest[word.len()..].starts_with(is_word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn int(&mut self) -> Option<i64> {
        self.blank();
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let len = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        if len == 0 {
            return None;
        }
        let end = rest.len() - digits.len() + len;
        let text = &rest[..end];
        let value = text.parse::<i64>().ok().or_else(|| text.parse::<u64>().ok().map(|v| v as i64))?;
        self.at += end;
        Some(value)
    }

    /// Skips to just after the bracket that closes one already passed; the text between.
    fn balanced(&mut self) -> Res<&'a str> {
        let rest = self.rest();
        let (mut depth, mut quoted) = (1u32, false);
        for (i, c) in rest.char_indices() {
            match c {
                '"' => quoted = !quoted,
                '(' | '{' | '[' if !quoted => depth += 1,
                ')' | '}' | ']' if !quoted => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += i + 1;
                        return Ok(&rest[..i]);
                    }
                }
                _ => {}
            }
        }
        self.error("bracket never closed")
    }

    fn name(&mut self) -> Res<&'a str> {
        if self.rest().starts_with('"') {
            let inner = &self.rest()[1..];
            let Some(end) = inner.find('"') else { return self.error("string without closing quote") };
            self.at += end + 2;
            return Ok(&inner[..end]);
        }
        let word = self.word();
        if word.is_empty() { self.error("expected a name") } else { Ok(word) }
    }

    fn offset(&mut self) -> Res<i64> {
        for (sign, factor) in [(" + ", 1), (" - ", -1)] {
            if self.rest().starts_with(sign) {
                self.at += sign.len();
                return match self.int() {
                    Some(n) => Ok(n.wrapping_mul(factor)),
                    None => self.error("expected an offset"),
                };
            }
        }
        Ok(0)
    }
}

impl Body<'_> {
    /// Reads the lines of a body; `first` is the number of the first.
    pub(super) fn read(mut self, lines: &[&str], first: u32) -> Res<()> {
        let mut bundle = false;
        for (i, text) in lines.iter().enumerate() {
            let mut line = Line { text, at: 0, number: first + i as u32 };
            line.blank();
            let rest = line.rest();
            if rest.is_empty() || rest.starts_with(';') {
                continue;
            }
            if rest.starts_with("bb.") && text.starts_with("  bb.") {
                self.block_header(&mut line)?;
            } else if self.f.blocks.is_empty() {
                return line.error("expected a block `bb.0:`");
            } else if rest.starts_with("successors:") {
                self.successors(&mut line)?;
            } else if rest.starts_with("liveins:") {
                continue;
            } else if rest == "}" && bundle {
                bundle = false;
            } else {
                bundle |= rest.ends_with('{');
                self.instruction(&mut line)?;
            }
            let end = self.f.insts.len() as u32;
            if let Some(block) = self.f.blocks.last_mut() {
                block.end = end;
            }
        }
        let numbers: rustc_hash::FxHashSet<u32> = self.f.blocks.iter().map(|b| b.number).collect();
        if numbers.len() != self.f.blocks.len() {
            return Err(ParseError {
                line: first,
                column: 1,
                message: "two blocks have the same number".into(),
            });
        }
        Ok(())
    }

    fn block_header(&mut self, line: &mut Line<'_>) -> Res<()> {
        line.want("bb.")?;
        let Some(number) = line.int().and_then(|n| u32::try_from(n).ok()) else {
            return line.error("expected a block number");
        };
        let name = if line.eat(".") { line.name()?.to_owned() } else { String::new() };
        let (mut ir_block, mut special) = (None, false);
        if line.eat("(") {
            for part in line.balanced()?.split(',') {
                let part = part.trim();
                if let Some(b) = part.strip_prefix("%ir-block.") {
                    ir_block = Some(b.trim_matches('"').to_owned());
                } else if !part.starts_with("align") {
                    special = true;
                }
            }
        }
        line.want(":")?;
        if ir_block.is_none() && !name.is_empty() {
            ir_block = Some(name.clone());
        }
        let first = self.f.insts.len() as u32;
        self.f.blocks.push(MachineBlock {
            number,
            name,
            ir_block,
            successors: Vec::new(),
            special,
            first,
            end: first,
        });
        Ok(())
    }

    fn successors(&mut self, line: &mut Line<'_>) -> Res<()> {
        line.want("successors:")?;
        loop {
            line.blank();
            if line.rest().is_empty() {
                return Ok(());
            }
            line.want("%bb.")?;
            let Some(n) = line.int().and_then(|n| u32::try_from(n).ok()) else {
                return line.error("expected a block number");
            };
            if line.eat(".") {
                line.name()?;
            }
            if line.eat("(") {
                line.balanced()?;
            }
            if let Some(block) = self.f.blocks.last_mut() {
                block.successors.push(n);
            }
            if !line.eat(",") && !line.rest().trim().is_empty() {
                return line.error("expected `,`");
            }
        }
    }

    fn instruction(&mut self, line: &mut Line<'_>) -> Res<()> {
        let first = self.f.operands.len() as u32;
        let mut defs = 0u16;
        line.blank();
        // Results, if there is a ` = ` before the opcode.
        if starts_register(line.rest()) {
            loop {
                let operand = self.operand(line, true)?;
                self.f.operands.push(operand);
                defs = defs.saturating_add(1);
                if !line.eat(",") {
                    break;
                }
            }
            line.want("=")?;
        }
        while INST_FLAGS.iter().any(|f| line.eat_word(f)) {}
        let opcode = line.word();
        if opcode.is_empty() {
            return line.error("expected an opcode");
        }
        let numbered = opcode.starts_with("INLINEASM").then(|| asm_words::numbered(line.rest())).flatten();
        let opcode = self.names.intern(opcode);
        match numbered {
            Some(text) => {
                let mut line = Line { text: &text, at: 0, number: line.number };
                self.operands(&mut line, opcode, (first, defs))
            }
            None => self.operands(line, opcode, (first, defs)),
        }
    }

    /// What follows an opcode, and the instruction of which the first operands are read.
    fn operands(&mut self, line: &mut Line<'_>, opcode: Name, (first, defs): (u32, u16)) -> Res<()> {
        let mut count = defs;
        let (mem, mut mem_count) = (self.f.mem_operands.len() as u32, 0u16);
        line.blank();
        while !line.rest().is_empty() && !line.rest().starts_with("::") {
            if line.eat("{") {
                break;
            }
            if line.eat_word("debug-location")
                || line.eat_word("pcsections")
                || line.eat_word("heap-alloc-marker")
            {
                line.blank();
                let end = line.rest().find("::").unwrap_or(line.rest().len());
                line.at += end;
                break;
            }
            if line.eat_word("debug-instr-number") || line.eat_word("cfi-type") {
                line.int();
            } else if line.eat_word("pre-instr-symbol") || line.eat_word("post-instr-symbol") {
                line.want("<mcsymbol ")?;
                let end = line.rest().find('>').unwrap_or(0);
                line.at += end;
                line.want(">")?;
            } else {
                let operand = self.operand(line, false)?;
                self.f.operands.push(operand);
                count = count.checked_add(1).map_or_else(|| line.error("too many operands"), Ok)?;
            }
            if !line.eat(",") {
                line.blank();
                if !line.rest().is_empty() && !line.rest().starts_with("::") && !line.rest().starts_with('{')
                {
                    return line.error("expected `,` between operands");
                }
            }
            line.blank();
        }
        if line.eat("::") {
            loop {
                line.want("(")?;
                let text = line.balanced()?;
                self.f.mem_operands.push(mem_operand(text));
                mem_count = mem_count.saturating_add(1);
                if !line.eat(",") {
                    break;
                }
            }
        }
        self.f.insts.push(MachineInst { opcode, first, count, defs, mem, mem_count, line: line.number });
        Ok(())
    }

    fn operand(&mut self, line: &mut Line<'_>, def: bool) -> Res<Operand> {
        line.blank();
        if starts_register(line.rest()) {
            return self.register(line, def);
        }
        if let Some(n) = line.int() {
            // `12.5` and the like never occur as integers.
            return Ok(Operand::Imm(n));
        }
        let rest = line.rest();
        if rest.starts_with("target-flags(") {
            line.at += "target-flags(".len();
            let flag = line.balanced()?;
            let flag = self.names.intern(flag);
            line.blank();
            if line.rest().starts_with("target-flags(") {
                return line.error("target flags twice");
            }
            return Ok(match self.operand(line, def)? {
                Operand::Global(name, offset, _) => Operand::Global(name, offset, Some(flag)),
                other => other,
            });
        }
        match rest.as_bytes().first() {
            None => line.error("expected an operand"),
            Some(b'%') => self.percent(line),
            Some(b'@') => {
                line.at += 1;
                let name = self.names.intern(line.name()?);
                Ok(Operand::Global(name, line.offset()?, None))
            }
            Some(b'&') => {
                line.at += 1;
                let name = self.names.intern(line.name()?);
                Ok(Operand::External(name, line.offset()?))
            }
            Some(b'<') if line.eat("<mcsymbol ") => {
                let Some(end) = line.rest().find('>') else { return line.error("expected `>`") };
                let name = self.names.intern(&line.rest()[..end]);
                line.at += end + 1;
                Ok(Operand::Symbol(name))
            }
            Some(_) => self.other(line),
        }
    }

    /// `blockaddress(…)`, `double 1.0`, `i32 5`, masks, predicates, metadata.
    fn other(&mut self, line: &mut Line<'_>) -> Res<Operand> {
        let start = line.at;
        let rest = line.rest();
        if rest.starts_with('!') || rest.starts_with('"') {
            let (mut depth, mut quoted) = (0i32, false);
            let end = rest.find(|c| {
                match c {
                    '"' => quoted = !quoted,
                    '(' if !quoted => depth += 1,
                    ')' if !quoted => depth -= 1,
                    ',' if !quoted && depth == 0 => return true,
                    _ => {}
                }
                false
            });
            line.at += end.unwrap_or(rest.len());
            return Ok(Operand::Other(self.names.intern(rest[..end.unwrap_or(rest.len())].trim())));
        }
        let word = line.word();
        if word.is_empty() {
            return line.error("expected an operand");
        }
        if line.rest().starts_with('(') {
            line.at += 1;
            line.balanced()?;
            return Ok(Operand::Other(self.names.intern(&line.text[start..line.at])));
        }
        if word.starts_with("csr_") || word == "noregs" {
            return Ok(Operand::Mask(self.names.intern(word)));
        }
        // A typed literal: `i64 5`, `double 1.000000e+00`.
        if line.rest().starts_with(' ') && !line.rest().trim_start().starts_with("::") {
            let rest = line.rest();
            let end = rest.find([',', ':']).unwrap_or(rest.len());
            let value = rest[..end].trim();
            line.at += end;
            if word.starts_with('i')
                && let Ok(n) = value.parse::<i64>()
            {
                return Ok(Operand::Imm(n));
            }
        }
        Ok(Operand::Other(self.names.intern(line.text[start..line.at].trim())))
    }

    fn percent(&mut self, line: &mut Line<'_>) -> Res<Operand> {
        line.want("%")?;
        let kind_end = line.rest().find(['.', ' ', ',']).unwrap_or(line.rest().len());
        let kind = &line.rest()[..kind_end];
        line.at += kind_end;
        if !line.rest().starts_with('.') {
            return line.error(format!("unknown operand `%{kind}`"));
        }
        line.at += 1;
        if kind == "subreg" {
            let name = line.name()?;
            return match subreg(name) {
                Some((lo, width)) => Ok(Operand::SubReg(lo, width)),
                None => Ok(Operand::Other(self.names.intern(&format!("%subreg.{name}")))),
            };
        }
        if kind == "ir-block" || kind == "ir" {
            let name = line.name()?;
            return Ok(Operand::Other(self.names.intern(&format!("%{kind}.{name}"))));
        }
        let Some(n) = line.int().and_then(|n| u32::try_from(n).ok()) else {
            return line.error("expected a number");
        };
        if line.rest().starts_with('.') {
            line.at += 1;
            line.name()?;
        }
        match kind {
            "bb" => Ok(Operand::Block(n)),
            "stack" => Ok(Operand::Stack(n)),
            "fixed-stack" => Ok(Operand::Fixed(n)),
            "const" => Ok(Operand::Pool(n, line.offset()?)),
            "jump-table" => Ok(Operand::JumpTable(n)),
            _ => line.error(format!("unknown operand `%{kind}.{n}`")),
        }
    }

    fn register(&mut self, line: &mut Line<'_>, def: bool) -> Res<Operand> {
        let mut flags = RegFlags { def, ..RegFlags::default() };
        loop {
            if line.eat_word("implicit-def") {
                (flags.implicit, flags.def) = (true, true);
            } else if line.eat_word("implicit") {
                flags.implicit = true;
            } else if line.eat_word("def") {
                flags.def = true;
            } else if line.eat_word("undef") {
                flags.undef = true;
            } else if line.eat_word("dead") {
                flags.dead = true;
            } else if !REG_FLAGS.iter().any(|f| line.eat_word(f)) {
                break;
            }
        }
        line.blank();
        let reg = if line.eat("$") {
            let rest = line.rest();
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let name = &rest[..end];
            match PhysReg::from_name(name) {
                _ if name == "noreg" => Reg::None,
                Some(reg) => Reg::Physical(reg),
                None => return line.error(format!("unknown register `${name}`")),
            }
        } else {
            line.want("%")?;
            match line.int().and_then(|n| u32::try_from(n).ok()) {
                Some(n) => Reg::Virtual(n),
                None => return line.error("expected a register number"),
            }
        };
        if matches!(reg, Reg::Physical(_) | Reg::None) {
            let rest = line.rest();
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            line.at += end;
        }
        let mut sub = None;
        if line.rest().starts_with('.') {
            line.at += 1;
            let name = line.name()?;
            match subreg(name) {
                Some(bits) => sub = Some(bits),
                None => return line.error(format!("unknown subregister `{name}`")),
            }
        }
        if line.rest().starts_with(':') && !line.rest().starts_with("::") {
            line.at += 1;
            let class = line.name()?;
            if let Reg::Virtual(n) = reg
                && n < 1 << 24
            {
                let class = self.names.intern(class);
                if self.f.vregs.len() <= n as usize {
                    self.f.vregs.resize(n as usize + 1, None);
                }
                self.f.vregs[n as usize] = Some(class);
            }
        }
        if line.rest().starts_with('(') {
            line.at += 1;
            line.balanced()?;
        }
        Ok(Operand::Reg { reg, sub, flags })
    }
}

const REG_FLAGS: [&str; 6] =
    ["killed", "internal", "early-clobber", "debug-use", "renamable", "killed-undef"];

fn starts_register(rest: &str) -> bool {
    let word_end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if rest.starts_with('$') {
        return true;
    }
    if let Some(after) = rest.strip_prefix('%') {
        return after.starts_with(|c: char| c.is_ascii_digit());
    }
    matches!(&rest[..word_end], "implicit" | "implicit-def" | "def" | "undef" | "dead")
        || REG_FLAGS.contains(&&rest[..word_end])
}

fn mem_operand(text: &str) -> MemOperand {
    let mut operand = MemOperand {
        load: false,
        store: false,
        volatile: false,
        atomic: false,
        orders: String::new(),
        invariant: false,
        bits: None,
        base: String::new(),
    };
    let (head, tail) = match text.find(" from ").or_else(|| text.find(" into ")).or_else(|| text.find(" on "))
    {
        Some(p) => (&text[..p], text[p + 1..].split_once(' ').map_or("", |t| t.1)),
        None => (text, ""),
    };
    for word in head.split_whitespace() {
        match word {
            "load" => operand.load = true,
            "store" => operand.store = true,
            "volatile" => operand.volatile = true,
            "invariant" => operand.invariant = true,
            "unordered" | "monotonic" | "acquire" | "release" | "acq_rel" | "seq_cst" => {
                operand.atomic = true;
                if !operand.orders.is_empty() {
                    operand.orders.push(' ');
                }
                operand.orders.push_str(word);
            }
            _ if word.starts_with("syncscope(") => operand.orders.push_str(word),
            _ => {
                if let Some(n) = word.strip_prefix("(s").and_then(|w| w.strip_suffix(')')) {
                    operand.bits = n.parse().ok();
                } else if let Ok(bytes) = word.parse::<u64>() {
                    // Before LLVM 14 sizes were bytes without brackets.
                    operand.bits = bytes.checked_mul(8);
                }
            }
        }
    }
    let end = match tail.strip_prefix('`') {
        Some(quoted) => quoted.find('`').map_or(tail.len(), |p| p + 2),
        None => tail.find(',').unwrap_or(tail.len()),
    };
    operand.base = tail[..end].to_owned();
    operand
}
