//! The C abstract machine: lowering to typed bytecode, virtual machine, undefined-behaviour detection.
