//! Command lines of what many machines do together, and of what is done to whole stores.

use super::time;
use clap::Args as Group;
use std::path::PathBuf;
use std::time::Duration;

/// A farm that compiles and runs programs, as `hunt` and `work` take it.
#[derive(Group, Clone, Default)]
pub struct Farm {
    /// Have a farm that speaks the Remote Execution API compile and run programs, and look here only where one does not do what
    /// it should: grpc://HOST:PORT/INSTANCE, or grpcs:// for TLS
    #[arg(long, value_name = "ADDRESS")]
    pub executor: Option<String>,
    /// A property that the farm's machines are to have; without a value, one that they need not have, as compiler=, which
    /// is else the first line that the compiler says of its version
    #[arg(long, value_name = "NAME=VALUE", requires = "executor", value_parser = property)]
    pub executor_property: Vec<(String, String)>,
    /// A file (mode 0600) whose first line is the token by which the farm knows who asks
    #[arg(long, value_name = "FILE", requires = "executor")]
    pub executor_token: Option<PathBuf>,
    /// How long a program may wait for a machine of the farm [default: 10m]
    #[arg(long, value_name = "TIME", requires = "executor", value_parser = time)]
    pub executor_wait: Option<Duration>,
}

fn property(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err("it is to be NAME=VALUE".to_owned()),
    }
}

/// `plumb work`
#[derive(Group)]
#[command(
    after_help = "Campaigns are begun by `plumb hunt --store postgres://USER@HOST/DATABASE`. A worker whose compilers are not those of a\n\
    campaign says so and leaves it to others. Passwords come from the file that PGPASSFILE names; certificates of a\n\
    server from the file that PGSSLROOTCERT names, else from the system.\n\
    SIGTERM ends it in good order: what it holds is given back at once."
)]
pub struct Work {
    /// The store: postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS")]
    pub store: PathBuf,
    /// Programs worked on at once [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Silence after which others take over what this worker holds
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    pub lease: Duration,
    /// Megabytes of memory for all programs worked on at once, so that only what fits is taken [default: what this machine has]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub memory: Option<u64>,
    /// End when nothing is left to do, instead of waiting for more
    #[arg(long)]
    pub drain: bool,
    #[command(flatten)]
    pub farm: Farm,
}

/// `plumb copy`
#[derive(Group)]
#[command(
    after_help = "What is there already is left as it is: the same copy can be made again, and brings what is new."
)]
pub struct Copy {
    /// The store to read: a directory, or postgres://USER@HOST/DATABASE
    pub from: PathBuf,
    /// The store to write, made where there is none
    pub to: PathBuf,
}

/// `plumb prune`
#[derive(Group)]
#[command(group = clap::ArgGroup::new("which").required(true))]
pub struct Prune {
    /// The store: a directory, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// A campaign to take away, by its number, with its findings; may be repeated
    #[arg(long, value_name = "N", group = "which")]
    pub campaign: Vec<i64>,
    /// All campaigns in which nothing was done for so long
    #[arg(long, value_name = "TIME", value_parser = time, group = "which")]
    pub older_than: Option<Duration>,
    /// Say what would go, and take nothing away
    #[arg(long)]
    pub dry_run: bool,
}
