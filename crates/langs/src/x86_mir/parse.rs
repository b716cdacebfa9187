//! Reader of `.mir` files: documents, frame objects, constants, jump tables. Bodies are read by `body`.

use super::ast::{Embedded, FrameObject, MachineFunction, MirModule, PoolConstant};
use super::body::Body;
use super::yaml::{self, Yaml};
use crate::error::ParseError;
use crate::x86::regs::PhysReg;

/// Reads a `.mir` file. A function that cannot be read is listed in [`MirModule::damaged`].
pub fn parse(source: &[u8]) -> Result<MirModule, ParseError> {
    let text = String::from_utf8_lossy(source);
    let lines: Vec<&str> = text.lines().collect();
    if u32::try_from(lines.len()).is_err() {
        return Err(ParseError::at(source, 0, "too many lines"));
    }
    let mut module = MirModule::default();
    let mut at = 0;
    let mut documents = 0;
    while at < lines.len() {
        let line = lines[at];
        if !line.starts_with("---") {
            if documents == 0 && !line.trim().is_empty() && !line.starts_with('#') {
                let message = "expected `---`: not a Machine IR file";
                return Err(ParseError { line: at as u32 + 1, column: 1, message: message.into() });
            }
            at += 1;
            continue;
        }
        documents += 1;
        let start = at + 1;
        let is_ir = line[3..].trim() == "|";
        let mut end = start;
        while end < lines.len()
            && lines[end].trim_end() != "..."
            && !lines[end].starts_with("--- ")
            && lines[end] != "---"
        {
            end += 1;
        }
        if is_ir {
            embedded(&mut module, &lines[start..end], start);
        } else {
            document(&mut module, &lines[start..end], start);
        }
        at = if end < lines.len() && lines[end].starts_with("---") { end } else { end + 1 };
    }
    if documents == 0 {
        let message = "no document: expected `---`";
        return Err(ParseError { line: 1, column: 1, message: message.into() });
    }
    Ok(module)
}

fn embedded(module: &mut MirModule, lines: &[&str], start: usize) {
    let mut text = String::with_capacity(lines.iter().map(|l| l.len() + 1).sum());
    for line in lines {
        text.push_str(line.strip_prefix("  ").unwrap_or(line));
        text.push('\n');
    }
    module.source = Some(Embedded { text, line: start as u32, indent: 2 });
}

fn document(module: &mut MirModule, lines: &[&str], start: usize) {
    let body_at = lines.iter().position(|l| l.starts_with("body:"));
    let (head, body) = match body_at {
        Some(p) => (&lines[..p], &lines[p + 1..]),
        None => (lines, &[][..]),
    };
    let Some(doc) = yaml::read(head) else { return };
    let name = doc.string("name").to_owned();
    let mut function = header(module, &doc, name, start as u32 + 1);
    let first_line = start + body_at.map_or(0, |p| p + 1);
    match (Body { names: &mut module.names, f: &mut function }).read(body, first_line as u32 + 1) {
        Ok(()) if module.functions.iter().any(|f| f.name == function.name) => {
            let message = "a function of this name is already there".to_owned();
            module.damaged.push((function.name, ParseError { line: start as u32 + 1, column: 1, message }));
        }
        Ok(()) => module.functions.push(function),
        Err(error) => module.damaged.push((function.name, error)),
    }
}

fn header(module: &mut MirModule, doc: &Yaml, name: String, line: u32) -> MachineFunction {
    let list = |key: &str| doc.get(key).map_or(&[][..], Yaml::items);
    let mut vregs = Vec::new();
    for reg in list("registers") {
        // Numbers are dense; one far beyond the count is not believed here but set by its use.
        if let Some(id) = reg.number::<u32>("id")
            && id < 1 << 24
        {
            if vregs.len() <= id as usize {
                vregs.resize(id as usize + 1, None);
            }
            vregs[id as usize] = Some(module.names.intern(reg.string("class")));
        }
    }
    let live_ins = list("liveins").iter().filter_map(|l| {
        let reg = PhysReg::from_name(l.string("reg").trim_start_matches('$'))?;
        Some((reg, l.string("virtual-reg").trim_start_matches('%').parse().ok()))
    });
    let constants = list("constants").iter().filter_map(|c| {
        let align = c.number("alignment").unwrap_or(1);
        Some(PoolConstant { id: c.number("id")?, value: c.string("value").to_owned(), align })
    });
    let (mut jump_tables, mut relative_tables) = (Vec::new(), false);
    if let Some(table) = doc.get("jumpTable") {
        relative_tables = table.string("kind").starts_with("label-difference");
        for entry in table.get("entries").map_or(&[][..], Yaml::items) {
            let blocks = entry.get("blocks").map_or(&[][..], Yaml::items);
            let number = |b: &Yaml| {
                let text = b.text()?.strip_prefix("%bb.")?;
                text.split('.').next()?.parse::<u32>().ok()
            };
            // A block that cannot be read makes the table useless: keep it empty, so that jumps are refused.
            jump_tables.push(blocks.iter().map(number).collect::<Option<Vec<_>>>().unwrap_or_default());
        }
    }
    MachineFunction {
        name,
        vregs,
        live_ins: live_ins.collect(),
        fixed: list("fixedStack").iter().filter_map(frame_object).collect(),
        stack: list("stack").iter().filter_map(frame_object).collect(),
        constants: constants.collect(),
        jump_tables,
        relative_tables,
        frame_address_taken: doc.get("frameInfo").is_some_and(|i| i.string("isFrameAddressTaken") == "true"),
        blocks: Vec::new(),
        insts: Vec::new(),
        operands: Vec::new(),
        mem_operands: Vec::new(),
        line,
    }
}

fn frame_object(object: &Yaml) -> Option<FrameObject> {
    let variable = object.string("type") == "variable-sized";
    Some(FrameObject {
        id: object.number("id")?,
        name: object.string("name").to_owned(),
        offset: object.number("offset").unwrap_or(0),
        size: if variable { None } else { object.number("size") },
        align: object.number("alignment").unwrap_or(1),
    })
}
