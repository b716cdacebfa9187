//! Reads LLVM IR or Machine IR files and tells how long that took: `parse_time FILE...`.
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read(&path) else { continue };
        let start = Instant::now();
        let megabytes = text.len() as f64 / 1e6;
        if path.ends_with(".mir") {
            let result = langs::pairs::IselFile::parse(&text);
            let time = start.elapsed().as_secs_f64();
            match result {
                Ok(file) => {
                    let m = &file.machine;
                    let insts: usize = m.functions.iter().map(|f| f.insts.len()).sum();
                    let (functions, damaged) = (m.functions.len(), m.damaged.len());
                    println!(
                        "{path}: {functions} functions, {insts} instructions, {damaged} damaged, {megabytes:.1} MB in {:.0} ms",
                        time * 1e3
                    );
                    for (name, error) in m.damaged.iter().take(5) {
                        println!("  {name}: {error}");
                    }
                    if let Some(error) = &file.ir_error {
                        println!("  IR: {error}");
                    }
                }
                Err(e) => println!("{path}:{e}"),
            }
            continue;
        }
        let result = langs::llvm_ir::parse(&text);
        let time = start.elapsed().as_secs_f64();
        match result {
            Ok(m) => {
                let insts: usize = m.functions.iter().map(|f| f.insts.len()).sum();
                let (functions, damaged) = (m.functions.len(), m.damaged.len());
                println!(
                    "{path}: {functions} functions, {insts} instructions, {damaged} damaged, {megabytes:.1} MB in {:.0} ms",
                    time * 1e3
                );
                for (name, error) in m.damaged.iter().take(5) {
                    println!("  {}: {error}", m.names.text(*name));
                }
            }
            Err(e) => println!("{path}:{e}"),
        }
    }
}
