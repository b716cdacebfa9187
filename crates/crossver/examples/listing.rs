//! Lists the instructions of an object as decoded: function, address, length, mnemonic and operands, a line each.
//! `benches/decoders.sh` compares the list with objdump's. With `--blocks`: blocks and where they lead.

use crossver::code::cfg::Graph;
use crossver::code::{Code, bytes_of, decoder};
use crossver::equality::Function;
use crossver::objects::load;
use crossver::places::FunctionTargets;
use std::io::Write;
use std::path::Path;

fn main() -> Result<(), String> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let blocks = words.iter().position(|word| word == "--blocks").map(|n| words.remove(n)).is_some();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for file in &words {
        let loaded = load(Path::new(file)).map_err(|error| error.to_string())?;
        for (_, image) in &loaded.images {
            let decoder = decoder(image.arch);
            for (n, f) in image.functions.iter().enumerate() {
                let code = Code::of(image, n);
                for stretch in &code.stretches {
                    let section = &image.sections[stretch.section].name;
                    for insn in &stretch.insns {
                        let text = decoder.text(&bytes_of(image, stretch.section, insn), insn);
                        let known = if insn.known() { "" } else { " ?" };
                        let line = format!("{section} {} {:x} {}{known} {text}", f.name, insn.at, insn.len);
                        writeln!(out, "{line}").map_err(|error| error.to_string())?;
                    }
                }
                if blocks {
                    let whole = Function::of(image, n);
                    let targets = FunctionTargets::of(image, n, &whole.code, &whole.references);
                    for (m, block) in Graph::of(&whole.code, &targets).blocks.iter().enumerate() {
                        let line = format!(
                            "block {m}: {} instructions, next {:?}{}{}",
                            block.end - block.first,
                            block.next,
                            if block.leaves { ", leaves" } else { "" },
                            if block.open { ", open" } else { "" }
                        );
                        writeln!(out, "{line}").map_err(|error| error.to_string())?;
                    }
                }
            }
        }
    }
    Ok(())
}
