//! Arena indices as types of their own: dense `u32` ids, so that side tables are plain vectors.

/// Declares one id type a name.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// The arena index.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}

pub(crate) use ids;
