//! LLVM IR text: read, or refused with a place; what is printed of it is read again as the same.

pub fn run(data: &[u8]) {
    let Ok(module) = langs::llvm_ir::parse(data) else { return };
    let text = langs::llvm_ir::print(&module);
    let again = langs::llvm_ir::parse(text.as_bytes());
    let again = again.unwrap_or_else(|error| panic!("what was printed is not read: {error}\n{text}"));
    assert_eq!(langs::llvm_ir::print(&again), text, "printed twice, two texts");
}
