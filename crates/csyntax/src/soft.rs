//! Floating formats computed in software: one dispatch from a format to its type for checker and machine.

#[doc(hidden)]
pub use rustc_apfloat::ieee;

/// A floating format of IEEE 754 or x87.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// binary16.
    Half,
    /// binary32.
    Single,
    /// binary64.
    Double,
    /// 80 bits with an explicit integer bit.
    X87,
    /// binary128.
    Quad,
}

/// Evaluates a body with a name standing for the Rust type of a [`Format`].
#[macro_export]
macro_rules! with_format {
    ($format:expr, $name:ident => $body:expr) => {
        match $format {
            $crate::soft::Format::Half => {
                type $name = $crate::soft::ieee::Half;
                $body
            }
            $crate::soft::Format::Single => {
                type $name = $crate::soft::ieee::Single;
                $body
            }
            $crate::soft::Format::Double => {
                type $name = $crate::soft::ieee::Double;
                $body
            }
            $crate::soft::Format::X87 => {
                type $name = $crate::soft::ieee::X87DoubleExtended;
                $body
            }
            $crate::soft::Format::Quad => {
                type $name = $crate::soft::ieee::Quad;
                $body
            }
        }
    };
}
