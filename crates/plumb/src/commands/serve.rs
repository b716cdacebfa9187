//! `plumb serve`

use crate::args::Serve;
use crate::output;
use ::serve::{Options, ServeError, serve};
use campaign::{Error, exit};
use schemars::JsonSchema;
use serde::Serialize;
use std::net::SocketAddr;

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// The page can be opened.
    Listening {
        /// The address.
        address: SocketAddr,
        /// What to open.
        url: String,
    },
}

/// Runs the command.
pub fn run(args: &Serve) -> Result<u8, Error> {
    let options = Options { store: args.store.clone(), listen: args.listen, hosts: args.host.clone() };
    if !args.listen.ip().is_loopback() {
        eprintln!("plumb: whoever can reach {} can read this store", args.listen);
    }
    let ready = |address: SocketAddr| {
        let url = format!("http://{address}/");
        if args.json {
            output::json(&Line::Listening { address, url });
        } else {
            output::line(&format!("serving {} at {url} (Ctrl-C stops it)", options.store.display()));
        }
    };
    serve(&options, ready).map_err(error)?;
    Ok(exit::OK)
}

fn error(error: ServeError) -> Error {
    match error {
        ServeError::Store(error) => error,
        error @ (ServeError::InUse(_) | ServeError::Address { .. }) => {
            Error::Usage(format!("serve: {error}"))
        }
        error @ ServeError::Failed(_) => Error::Resource(format!("serve: {error}")),
    }
}
