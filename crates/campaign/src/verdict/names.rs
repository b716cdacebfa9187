//! Enums whose values have stable names: in the store, in JSON and on the command line.

/// Of an enum whose values have stable names.
pub trait Named: Copy + Ord + Sized + 'static {
    /// All values.
    const ALL: &'static [Self];
    /// The stable name.
    fn name(self) -> &'static str;
    /// What it means, for people.
    fn text(self) -> &'static str;
    /// The value of a name.
    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

/// Makes an enum with a stable name and words for each value; the words are its documentation.
macro_rules! named {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident $name:literal $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(
            Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
            schemars::JsonSchema,
        )]
        pub enum $enum {
            $(#[doc = $text] #[serde(rename = $name)] $variant,)*
        }

        impl $crate::verdict::Named for $enum {
            const ALL: &'static [$enum] = &[$($enum::$variant,)*];

            fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }

            fn text(self) -> &'static str {
                match self { $($enum::$variant => $text,)* }
            }
        }
    };
}
pub(crate) use named;
