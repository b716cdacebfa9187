//! Runs preprocessed C files under the machine and prints a line for each: a harness for measurements.
use std::io::Write;
fn main() {
    let mut timing = false;
    let mut show = false;
    let mut dump = false;
    let mut lax = false;
    for path in std::env::args().skip(1) {
        if path == "-t" {
            timing = true;
            continue;
        }
        if path == "-l" {
            lax = true;
            continue;
        }
        if path == "-d" {
            dump = true;
            continue;
        }
        if path == "-o" {
            show = true;
            continue;
        }
        let text = match std::fs::read(&path) {
            Ok(t) => t,
            Err(e) => {
                println!("{path}: {e}");
                continue;
            }
        };
        let t0 = std::time::Instant::now();
        let parsed = csyntax::parse::parse(&text, &path);
        let t1 = t0.elapsed();
        let place = |s: csyntax::source::Span| parsed.source.place(s.lo).to_string();
        if let Some(d) = parsed.diagnostics.iter().find(|d| d.severity.refuses()) {
            println!("{path}: SYNTAX {} {}", place(d.span), d.message);
            continue;
        }
        let checked = csyntax::check::check(&parsed.ast, &csyntax::target::Target::LP64);
        let t2 = t0.elapsed();
        let Some(unit) = checked.unit else {
            let d = checked.diagnostics.iter().find(|d| d.severity.refuses());
            println!("{path}: CHECK {:?}", d.map(|d| (place(d.span), d.message.clone())));
            continue;
        };
        let options = machine::Options {
            max_steps: 3_000_000_000,
            allow_aliasing: lax,
            allow_misaligned: lax,
            ..Default::default()
        };
        if dump && let Ok(program) = machine::lower::lower(&unit, &options) {
            for code in &program.codes {
                println!("code of {} registers, {} bytes of locals", code.regs, code.frame_size);
                for (at, (insn, span)) in code.insns.iter().zip(&code.spans).enumerate() {
                    let to = insn.leads_to(at).map_or(String::new(), |to| format!(" to {to}"));
                    println!("{at:5} {insn:?}{to}   // {}", place(*span));
                }
            }
        }
        let run = machine::run(&unit, &options);
        let t3 = t0.elapsed();
        let text = match &run.verdict {
            machine::Verdict::Defined(o) => format!("DEFINED {:?}", o.exit),
            machine::Verdict::Undefined { ub, span, detail, .. } => {
                format!("UNDEFINED {} {} {detail}", ub.name(), place(*span))
            }
            machine::Verdict::Unsupported { what, span } => format!("UNSUPPORTED {what} {}", place(*span)),
            machine::Verdict::Exhausted(b) => format!("EXHAUSTED {b:?}"),
        };
        if show {
            let _ = std::io::stdout().write_all(&run.stdout);
        }
        if timing {
            println!(
                "{path}: {text} parse {:?} check {:?} run {:?} steps {}",
                t1,
                t2 - t1,
                t3 - t2,
                run.steps
            );
        } else {
            println!("{path}: {text}");
        }
    }
}
