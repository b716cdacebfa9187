//! A farm as an executor: what passes is tried again after pauses, and what does not is an error that says what and where.

use crate::address;
use crate::bearer::Bearer;
use crate::blobs::Prepared;
use crate::exchange::{Exchange, Executed, GOODBYE, Running};
use crate::failure::Failure;
use bazel_remote_apis::build::bazel::remote::execution::v2::ActionResult;
use campaign::Error;
use campaign::executor::{Action, Executor, Ran};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;
use tonic::service::interceptor::InterceptedService;

/// The first pause before something is tried again, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));
/// How often a farm may say that it lacks what it was just given.
const FORGETFUL: u32 = 3;
/// How often a waiting thread looks whether plumb is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// How a farm is asked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Properties of every action, beside those that it has; an empty value takes one away.
    pub properties: BTreeMap<String, String>,
    /// How long a farm may be away, or say that it cannot now, before it is given up.
    pub patience: Duration,
    /// How long it may take for an answer that needs no machine.
    pub answer: Duration,
    /// How long an action may wait for a machine.
    pub wait: Duration,
    /// Who asks.
    pub bearer: Bearer,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            properties: BTreeMap::new(),
            patience: Duration::from_secs(120),
            answer: Duration::from_secs(30),
            wait: Duration::from_secs(600),
            bearer: Bearer::default(),
        }
    }
}

/// What a farm was asked, and how it answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Actions.
    pub actions: u64,
    /// Those that it had done before.
    pub cached: u64,
    /// Those that it could not tell the end of.
    pub unknown: u64,
    /// Attempts that failed and were made again.
    pub again: u64,
    /// Bytes of files and messages sent.
    pub sent: u64,
    /// Those that it was told to end, as nobody waited for them any more.
    pub cancelled: u64,
}

/// A farm.
pub struct Farm {
    address: String,
    settings: Settings,
    exchange: Exchange,
    runtime: Runtime,
    counts: [AtomicU64; 6],
}

/// The places of [`Counts`] in a farm.
#[derive(Clone, Copy)]
enum Count {
    Actions,
    Cached,
    Unknown,
    Again,
    Sent,
    Cancelled,
}

impl fmt::Debug for Farm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Farm({})", self.address)
    }
}

impl Farm {
    /// Connects to the farm at `grpc://HOST:PORT/INSTANCE` and asks what it can do. What cannot be reached at first is an
    /// error at once: it is most likely a wrong address.
    pub fn open(text: &str, settings: Settings) -> Result<Farm, Error> {
        let address = address::parse(text)?;
        if settings.bearer.is_some() && !address.keeps_secrets() {
            let why = "a token is for grpcs:// alone, or for a farm of this machine: others could read it on the way";
            return Err(Error::Usage(format!("--executor {text}: {why}")));
        }
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| Error::Resource(format!("cannot start a thread for the farm: {error}")))?;
        let unusable = |why: String| Error::Tool { tool: format!("--executor {text}"), why };
        let exchange = runtime.block_on(async {
            let channel = address.endpoint.connect().await.map_err(|error| {
                unusable(format!("cannot connect: {}; is a farm listening there?", causes(&error)))
            })?;
            let mut exchange = Exchange {
                channel: InterceptedService::new(channel, settings.bearer.clone()),
                instance: address.instance,
                answer: settings.answer,
                wait: settings.wait,
                batch: 0,
            };
            exchange
                .greet()
                .await
                .map_err(|failure| unusable(format!("not a farm that can be used: {}", failure.why())))?;
            Ok::<_, Error>(exchange)
        })?;
        Ok(Farm { address: text.to_owned(), settings, exchange, runtime, counts: Default::default() })
    }

    /// What it was asked so far.
    pub fn counts(&self) -> Counts {
        let of = |count: Count| self.counts[count as usize].load(Ordering::Relaxed);
        Counts {
            actions: of(Count::Actions),
            cached: of(Count::Cached),
            unknown: of(Count::Unknown),
            again: of(Count::Again),
            sent: of(Count::Sent),
            cancelled: of(Count::Cancelled),
        }
    }

    fn add(&self, count: Count, number: u64) {
        self.counts[count as usize].fetch_add(number, Ordering::Relaxed);
    }

    /// Tries until there is an answer, or no hope of one.
    async fn insist(&self, action: &Prepared, running: &Running) -> Result<Ran, Error> {
        let (begun, mut pause, mut missing, mut fresh) = (Instant::now(), PAUSES.0, 0, false);
        let ends = |why: &str| {
            Error::Resource(format!(
                "--executor {}: {why}; nothing committed is lost, run the same command again when the farm is well",
                self.address
            ))
        };
        loop {
            let failure = match self.attempt(action, &mut fresh, running).await {
                Ok(ran) => return Ok(ran),
                Err(failure) => failure,
            };
            match &failure {
                Failure::Passing(why) if begun.elapsed() > self.settings.patience => return Err(ends(why)),
                Failure::Passing(_) => {}
                Failure::Missing(_) if missing < FORGETFUL => missing += 1,
                Failure::Late(why) => return Err(ends(why)),
                Failure::Missing(why) | Failure::Final(why) => {
                    return Err(Error::Tool {
                        tool: format!("--executor {}", self.address),
                        why: why.clone(),
                    });
                }
            }
            self.add(Count::Again, 1);
            // Between half and all of the pause, so that those who wait do not come back at once.
            let random = RandomState::new().hash_one(pause) % 1024;
            sleep(pause.mul_f64(0.5 + random as f64 / 2048.0)).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Asks what is known of an action; what is not is sent and done. `fresh` once what is known turned out to be lost.
    async fn attempt(&self, action: &Prepared, fresh: &mut bool, running: &Running) -> Result<Ran, Failure> {
        if !*fresh && let Some(result) = self.exchange.known(action).await? {
            match self.ended(action, result).await {
                Ok(ran) => {
                    self.add(Count::Cached, 1);
                    return Ok(ran);
                }
                Err(Failure::Missing(_)) => *fresh = true,
                Err(failure) => return Err(failure),
            }
        }
        let sent = self.exchange.send(action).await?;
        self.add(Count::Sent, sent);
        match self.exchange.execute(action, *fresh, running).await? {
            Executed::OutOfTime => Ok(Ran::Unknown("it ran out of time".to_owned())),
            Executed::Ended(result, cached) => {
                let ran = self.ended(action, *result).await;
                match &ran {
                    Ok(_) if cached => self.add(Count::Cached, 1),
                    Err(Failure::Missing(_)) => *fresh = true,
                    Ok(_) | Err(_) => {}
                }
                ran
            }
        }
    }

    async fn ended(&self, action: &Prepared, result: ActionResult) -> Result<Ran, Failure> {
        let code = result.exit_code;
        Ok(match self.exchange.fetch(action, result).await? {
            Some(outputs) => Ran::Ended { code, outputs },
            None => Ran::Unknown("it wrote a file that is too big for a message".to_owned()),
        })
    }

    /// Is each of its blobs small enough to be sent?
    fn fits(&self, action: &Prepared) -> bool {
        action.blobs.values().all(|(_, bytes)| bytes.len() <= self.exchange.batch)
    }
}

impl Executor for Farm {
    fn run(&self, action: &Action) -> Result<Ran, Error> {
        let prepared = Prepared::of(action, &self.settings.properties);
        self.add(Count::Actions, 1);
        let ran = if self.fits(&prepared) {
            let running = Running::default();
            self.runtime.block_on(async {
                let mut asking = pin!(self.insist(&prepared, &running));
                let ran = tokio::select! {
                    ran = &mut asking => ran,
                    () = stopped() => tokio::select! {
                        ran = &mut asking => ran,
                        () = named(&running) => Ok(Ran::Stopped),
                    },
                };
                // plumb is to stop, or no longer waits: what a machine of the farm still does is for nobody.
                if let Some(name) = running.take()
                    && self.exchange.cancel(name).await
                {
                    self.add(Count::Cancelled, 1);
                }
                ran
            })?
        } else {
            Ran::Unknown("a file of it is too big for a message".to_owned())
        };
        if matches!(ran, Ran::Unknown(_)) {
            self.add(Count::Unknown, 1);
        }
        Ok(ran)
    }
}

/// Returns when plumb is to stop.
async fn stopped() {
    while !toolchain::stop::requested() {
        sleep(LOOK).await;
    }
}

/// Returns when an operation that was asked for has a name by which it can be cancelled, if that is soon.
async fn named(running: &Running) {
    let begun = Instant::now();
    while running.is_unnamed() && begun.elapsed() < GOODBYE {
        sleep(LOOK / 5).await;
    }
}

/// An error with what is behind it, which often says more.
fn causes(error: &dyn std::error::Error) -> String {
    let (mut text, mut next) = (error.to_string(), error.source());
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        next = cause.source();
    }
    text
}
