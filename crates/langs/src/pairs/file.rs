//! A `.mir` file with the LLVM IR that its functions were made of.

use crate::error::ParseError;
use crate::llvm_ir::{self, ast::Module};
use crate::x86_mir::{self, ast::MirModule};

/// Both programs of a `.mir` file.
#[derive(Clone, Debug, Default)]
pub struct IselFile {
    /// The machine functions.
    pub machine: MirModule,
    /// The LLVM IR, if the file has it and it could be read.
    pub ir: Option<Module>,
    /// Why the LLVM IR could not be read.
    pub ir_error: Option<ParseError>,
}

impl IselFile {
    /// Reads a file. A function that cannot be read is listed in `damaged` of its module.
    pub fn parse(text: &[u8]) -> Result<IselFile, ParseError> {
        let mut machine = x86_mir::parse(text)?;
        let (mut ir, mut ir_error) = (None, None);
        if let Some(source) = machine.source.take() {
            let shift = |error: &mut ParseError| {
                error.line += source.line;
                error.column += source.indent;
            };
            match llvm_ir::parse(source.text.as_bytes()) {
                Ok(mut module) => {
                    module.damaged.iter_mut().for_each(|(_, error)| shift(error));
                    ir = Some(module);
                }
                Err(mut error) => {
                    shift(&mut error);
                    ir_error = Some(error);
                }
            }
        }
        Ok(IselFile { machine, ir, ir_error })
    }
}
