//! The server: binds, answers, and ends in good order when plumb is stopped.

use crate::answer;
use crate::guard::guard;
use crate::views::Views;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use campaign::Error;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often it is asked whether plumb was stopped.
const LISTEN: Duration = Duration::from_millis(50);
/// How long answers that are being written may take when it was.
const GRACE: Duration = Duration::from_secs(2);

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The store's directory.
    pub store: PathBuf,
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Names of this machine that are answered beside its addresses.
    pub hosts: Vec<String>,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] Error),
    /// The address is taken.
    #[error("{0} is in use, perhaps by another `plumb serve`; stop that, or name another port with --listen")]
    InUse(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {why}; name another with --listen")]
    Address {
        /// Which.
        address: SocketAddr,
        /// The system's reason.
        why: io::Error,
    },
    /// The system does not let it go on.
    #[error("serving failed: {0}")]
    Failed(#[source] io::Error),
}

/// What all handlers share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub views: Arc<Views>,
    /// Becomes true when plumb was stopped.
    pub stopped: watch::Receiver<bool>,
}

/// Serves until plumb is stopped. `ready` is told the address when the first request can be answered.
pub fn serve(options: &Options, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let views = Views::open(options.store.clone())?;
    let listener = listen(options.listen)?;
    let address = listener.local_addr().map_err(ServeError::Failed)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(ServeError::Failed)?;
    let done = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let (stop, stopped) = watch::channel(false);
        let shared = Shared { views: Arc::new(views), stopped: stopped.clone() };
        let app = router(shared, options.hosts.clone());
        ready(address);
        let mut until = stopped;
        let server = axum::serve(listener, app).with_graceful_shutdown(async move {
            let _ = until.wait_for(|stopped| *stopped).await;
        });
        tokio::select! {
            done = server => done,
            () = end(stop) => Ok(()),
        }
    });
    // A view that is being computed reads only, and need not be waited for.
    runtime.shutdown_background();
    done.map_err(ServeError::Failed)
}

/// Ends [`GRACE`] after plumb was stopped.
async fn end(stop: watch::Sender<bool>) {
    while !campaign::toolchain::stop::requested() {
        tokio::time::sleep(LISTEN).await;
    }
    // Nobody may be left to hear it.
    let _ = stop.send(true);
    tokio::time::sleep(GRACE).await;
}

fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let bound = TcpListener::bind(address).map_err(|why| match why.kind() {
        io::ErrorKind::AddrInUse => ServeError::InUse(address),
        _ => ServeError::Address { address, why },
    })?;
    bound.set_nonblocking(true).map_err(ServeError::Failed)?;
    Ok(bound)
}

fn router(shared: Shared, hosts: Vec<String>) -> Router {
    Router::new()
        .route("/", get(answer::campaign_page))
        .route("/campaign", get(answer::campaign_page))
        .route("/campaigns", get(answer::campaigns_page))
        .route("/findings", get(answer::findings_page))
        .route("/finding/{id}", get(answer::finding_page))
        .route("/api/campaigns.json", get(answer::campaigns_json))
        .route("/api/campaign.json", get(answer::campaign_json))
        .route("/api/findings.json", get(answer::findings_json))
        .route("/api/finding.json", get(answer::finding_json))
        .route("/metrics", get(answer::metrics))
        .route("/events", get(answer::events))
        .route("/style.css", get(answer::style))
        .route("/live.js", get(answer::script))
        .fallback(answer::nothing)
        .with_state(shared)
        .layer(from_fn_with_state(Arc::new(hosts), guard))
}
