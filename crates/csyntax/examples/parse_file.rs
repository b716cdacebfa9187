//! Parses preprocessed files and prints diagnostics and times: `parse_file a.i b.i ...`.

use std::time::Instant;

fn main() {
    let mut failed = 0;
    for name in std::env::args().skip(1) {
        let text = match std::fs::read(&name) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{name}: {error}");
                failed += 1;
                continue;
            }
        };
        let start = Instant::now();
        let parsed = csyntax::parse::parse(&text, &name);
        let time = start.elapsed();
        for diagnostic in &parsed.diagnostics {
            println!("{}", parsed.render(diagnostic));
        }
        failed += i32::from(parsed.has_errors());
        println!(
            "{name}: {} bytes, {} items, {:.1} ms",
            text.len(),
            parsed.ast.items.len(),
            time.as_secs_f64() * 1e3
        );
    }
    std::process::exit(i32::from(failed > 0));
}
