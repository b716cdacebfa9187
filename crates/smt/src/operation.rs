//! Operations of programs that are not modelled: uninterpreted functions (QF_UF) that remember what they stand for.

/// Tells kinds of operations apart for those who name them; the number means nothing to this crate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OperationClass(pub u8);

/// An operation that is not modelled: the same function of its operands wherever name, class and widths are the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Operation {
    /// What kind of operation it is.
    pub class: OperationClass,
    /// Its name, as people read it; two operations of different meaning have different names.
    pub name: String,
    /// Whether it tells ranges apart: of an argument it gives where the range begins that the argument lies in, or the
    /// argument where it lies in none. So it is ascending, and what it gives alike lies less than half of all numbers apart.
    pub of_ranges: bool,
    /// Whether its first two arguments may change places.
    pub commutes: bool,
}

impl OperationClass {
    /// Of the operation that tells objects apart: relations at points of programs name it as well as languages do.
    pub const OBJECTS: OperationClass = OperationClass(u8::MAX);
}

impl Operation {
    /// Where the object begins that an address lies in, or the address itself where it lies in none. An object is a range
    /// of addresses, less than half of all there are.
    pub fn object_of_an_address() -> Operation {
        Operation {
            class: OperationClass::OBJECTS,
            name: "object of an address".to_owned(),
            of_ranges: true,
            commutes: false,
        }
    }

    /// The name of the solver's function for it at these widths, in bits.
    pub fn symbol(&self, width: u32, args: &[u32]) -> String {
        let mut full = format!("op:{}:{width}", self.name);
        for w in args {
            full.push_str(&format!(",{w}"));
        }
        full
    }
}
