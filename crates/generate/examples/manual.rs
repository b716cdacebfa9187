//! Prints the reference part of `docs/generate.md`.

fn main() {
    print!("{}", generate::manual::reference());
}
