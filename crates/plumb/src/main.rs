//! The command line of plumb.
fn main() {}
