//! The parameters of the strategies: each is declared once, with its default and what it means, and can be set by
//! its name from a command line.

use crate::athena::Database;
use std::sync::Arc;

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident: $ty:ty = $default:expr, $range:expr;)*) => {
        /// Parameters, by the values of the papers where they give any.
        #[derive(Clone, Debug)]
        pub struct Settings {
            $($(#[doc = $doc])+ pub $name: $ty,)*
            /// Statements to insert into dead code, beside those of the seed itself.
            pub database: Option<Arc<Database>>,
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($name: $default,)* database: None }
            }
        }

        impl Settings {
            /// Sets a parameter by its name.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
                match name {
                    $(stringify!($name) => {
                        let wrong = || format!("`{value}` is no value for {name}: expected {:?}", $range);
                        let value: $ty = value.trim().parse().map_err(|_| wrong())?;
                        if !$range.contains(&value) {
                            return Err(wrong());
                        }
                        self.$name = value;
                        Ok(())
                    })*
                    _ => Err(format!("`{name}` is no parameter; there are {}", Self::names().join(", "))),
                }
            }

            /// All names.
            pub fn names() -> Vec<&'static str> {
                vec![$(stringify!($name)),*]
            }

            /// Name, default and meaning of each.
            pub fn described() -> Vec<(&'static str, String, String)> {
                let default = Settings::default();
                vec![$((
                    stringify!($name),
                    default.$name.to_string(),
                    [$($doc),+].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "),
                )),*]
            }
        }
    };
}

settings! {
    /// Live strategies: probability that a point is profiled, and so mutated (Hermes, section 5.1).
    point_probability: f64 = 0.1, (0.0..=1.0);
    /// Live strategies: so many points are mutated in the mean at least, where a program has them.
    least_points: f64 = 8.0, (0.0..=1e6);
    /// Deepest predicate (Hermes, section 5.1).
    predicate_depth: usize = 2, (0..=8);
    /// Most leaves of a synthesised expression.
    expression_leaves: usize = 6, (1..=64);
    /// Deepest nesting of synthesised dead statements.
    dead_depth: usize = 3, (0..=8);
    /// At most so many times may a point run to be given live code.
    hottest: u64 = 100_000, (0..=u64::MAX);
    /// Sweep: tables that are computed with, in the mean.
    sweeps: f64 = 3.0, (0.0..=1e6);
    /// Facts: use `__builtin_assume`, which only clang has.
    assume: bool = false, [false, true];
    /// Athena: weight of the Jaccard distance of the nodes of the control-flow graphs.
    alpha: f64 = 1.0, (0.0..=1e6);
    /// Athena: weight of the Jaccard distance of their edges.
    beta: f64 = 1.0, (0.0..=1e6);
    /// Athena: what a change of size, as a part of the seed's, costs.
    gamma: f64 = 0.1, (0.0..=1e6);
    /// Athena: how much a more distant program is preferred.
    sigma: f64 = 5.0, (0.0..=1e6);
    /// Athena: proposals made for one variant.
    steps: usize = 60, (0..=1_000_000);
    /// Athena: most statements in an inserted one.
    fragment_size: usize = 16, (1..=1000);
}
