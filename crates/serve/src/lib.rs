//! A campaign for people and programs to look at: a live local page, JSON, Prometheus metrics, and one self-contained page.
//!
//! Nothing here computes a figure: all of them are [`campaign::view`]'s. The server only reads the store, listens on loopback
//! unless told otherwise, and answers no host name that it was not told: a page of another site whose name was made to point
//! here (DNS rebinding) reads nothing.

mod answer;
mod guard;
pub mod html;
mod junit;
mod metrics;
mod sarif;
mod server;
mod views;

pub use junit::junit;
pub use metrics::text as metrics;
pub use sarif::{encoded as sarif_address, log as sarif_log, sarif};
pub use server::{Options, ServeError, serve};
