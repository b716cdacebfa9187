//! Parses preprocessed files, prints diagnostics and times, and checks that printing loses nothing.
//!
//! `parse_file [--print] a.i b.i ...`

use std::time::Instant;

fn main() -> std::process::ExitCode {
    let mut failed = 0;
    let mut show = false;
    for name in std::env::args().skip(1) {
        if name == "--print" {
            show = true;
            continue;
        }
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
        let parse_time = start.elapsed();
        for diagnostic in &parsed.diagnostics {
            println!("{}", parsed.render(diagnostic));
        }
        let start = Instant::now();
        let printed = csyntax::print::print(&parsed.ast);
        let print_time = start.elapsed();
        if show {
            print!("{printed}");
        }
        let again = csyntax::parse::parse(printed.as_bytes(), "printed");
        let start = Instant::now();
        let difference = csyntax::equal::first_difference(&parsed.ast, &again.ast);
        let compare_time = start.elapsed();
        if parsed.has_errors() {
            failed += 1;
        } else if again.has_errors() || difference.is_some() {
            failed += 1;
            println!("{name}: printed text parses differently: {difference:?}");
            for diagnostic in &again.diagnostics {
                println!("{}", again.render(diagnostic));
            }
            if let Some(Some((left, right))) = difference {
                println!("{:?}", describe(&parsed.ast, left));
                println!("{:?}", describe(&again.ast, right));
            }
        }
        println!(
            "{name}: {} bytes, {} items, parse {:.1} ms, print {:.1} ms, compare {:.1} ms",
            text.len(),
            parsed.ast.items.len(),
            parse_time.as_secs_f64() * 1e3,
            print_time.as_secs_f64() * 1e3,
            compare_time.as_secs_f64() * 1e3
        );
    }
    std::process::ExitCode::from(u8::from(failed > 0))
}

fn describe(ast: &csyntax::ast::Ast, node: csyntax::visit::Node) -> String {
    use csyntax::visit::Node;
    match node {
        Node::Expr(id) => csyntax::print::print_expr(ast, id),
        Node::Stmt(id) => csyntax::print::print_stmt(ast, id),
        Node::Type(id) => csyntax::print::print_type(ast, id),
        Node::Decl(id) => csyntax::print::print_decl(ast, id),
        Node::Init(id) => format!("{:?}", ast[id]),
        Node::Function(id) => format!("{:?}", ast[id]),
        Node::Record(id) => format!("{:?}", ast[id]),
        Node::Enum(id) => format!("{:?}", ast[id]),
    }
}
