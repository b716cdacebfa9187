//! Objects that have names: global variables, functions, blocks whose address is taken. A machine program names them as
//! its source does; what they are and hold only the source's language knows.

use crate::domain::{Domain, Ext, Res, Unsupported};

/// Where the thread's own variables are counted from (on x86, what the segment register `fs` leads to).
pub(crate) const THREAD_POINTER: &str = "thread pointer";

/// The symbol of the address that the function returns to.
pub(crate) const RETURN_ADDRESS: &str = "return address";

/// What is known of a global variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its size in bytes; none where the linker may put another variable in its place.
    pub size: Option<u64>,
    /// Its alignment in bytes, where that is said.
    pub align: Option<u64>,
    /// Whether nothing writes it.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
}

/// What a program's text says of the objects it names.
pub trait NamedObjects {
    /// A global variable.
    fn variable(&self, name: &str) -> Option<Variable>;
    /// Names and sizes in bytes of the variables whose size is known.
    fn sized(&self) -> Vec<(&str, u64)>;
    /// The address of a variable or function, shared by name between programs.
    fn address<D: Domain>(&self, d: &mut D, name: &str) -> D::Bv;
    /// The address of a block of a function.
    fn label<D: Domain>(&self, d: &mut D, function: &str, block: &str) -> Option<D::Bv>;
    /// The bytes of a constant in the language's notation.
    fn constant<D: Domain>(&self, d: &mut D, text: &str) -> Res<D::Bv>;
    /// The memory to read so many bytes at an address from: where that lies in a constant, one that holds it.
    fn memory_with_constant<D: Domain>(&self, d: &mut D, mem: &D::Mem, at: &D::Bv, bytes: u64) -> D::Mem;
    /// In a run on numbers, the memory in which all constants hold their content.
    fn concrete_constants<D: Domain>(&self, d: &mut D, mem: &D::Mem) -> D::Mem;
}

/// Nothing is known of any object.
impl NamedObjects for () {
    fn variable(&self, _name: &str) -> Option<Variable> {
        None
    }

    fn sized(&self) -> Vec<(&str, u64)> {
        Vec::new()
    }

    fn address<D: Domain>(&self, d: &mut D, name: &str) -> D::Bv {
        Ext::address(d, &format!("@{name}"), None)
    }

    fn label<D: Domain>(&self, _d: &mut D, _function: &str, _block: &str) -> Option<D::Bv> {
        None
    }

    fn constant<D: Domain>(&self, _d: &mut D, _text: &str) -> Res<D::Bv> {
        Err(Unsupported::new("constant of an unknown language"))
    }

    fn memory_with_constant<D: Domain>(&self, _d: &mut D, mem: &D::Mem, _at: &D::Bv, _bytes: u64) -> D::Mem {
        mem.clone()
    }

    fn concrete_constants<D: Domain>(&self, _d: &mut D, mem: &D::Mem) -> D::Mem {
        mem.clone()
    }
}
