//! Passes over LLVM IR: files whose names end in `.ll`. They go by lines and words of the text, as LLVM prints it, so that
//! they work for what no reader of plumb's takes.

/// A pass that proposes hints for each file of LLVM IR: type, name, what it is about, the function, and its stage unless
/// that is the middle one.
macro_rules! ir_pass {
    ($pass:ident, $name:literal, $about:literal, $propose:expr) => {
        ir_pass!($pass, $name, $about, $propose, Middle);
    };
    ($pass:ident, $name:literal, $about:literal, $propose:expr, $stage:ident) => {
        file_pass!($pass, $name, $about, $stage, |case| crate::passes::ir::module::each(case, $propose));
    };
}

pub mod flow;
pub mod functions;
pub mod module;
pub mod names;
pub mod types;
pub mod values;
pub mod words;
