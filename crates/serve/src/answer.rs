//! One function an address.

use crate::html::{self, Place};
use crate::metrics as prometheus;
use crate::server::Shared;
use crate::views::{Question, Trouble};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use campaign::view::View;
use futures_util::{Stream, stream};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// How often a listener learns whether the store has changed.
const TICK: Duration = Duration::from_secs(2);

type Parameters = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// Computes a view beside the requests of others.
async fn ask(shared: &Shared, question: Question) -> Result<Arc<View>, Trouble> {
    let views = Arc::clone(&shared.views);
    let computed = tokio::task::spawn_blocking(move || views.view(&question)).await;
    computed.unwrap_or_else(|error| {
        Err(Trouble::Store(campaign::Error::Internal(format!("the view could not be computed: {error}"))))
    })
}

fn pairs(parameters: Parameters) -> Result<Vec<(String, String)>, Trouble> {
    parameters.map(|Query(pairs)| pairs).map_err(|error| Trouble::Nonsense(error.body_text()))
}

/// The only parameter that an address may have.
fn only(parameters: Parameters, known: &str) -> Result<Option<String>, Trouble> {
    let mut found = None;
    for (name, value) in pairs(parameters)? {
        if name != known {
            return Err(Trouble::Nonsense(format!("`{name}`: expected `{known}` alone")));
        }
        found = Some(value).filter(|value| !value.is_empty());
    }
    Ok(found)
}

fn campaign_of(parameters: Parameters) -> Result<Question, Trouble> {
    let number = only(parameters, "id")?.map(|text| {
        text.parse().map_err(|_| Trouble::Nonsense(format!("`id={text}`: expected the number of a campaign")))
    });
    Ok(Question::Campaign(number.transpose()?))
}

impl Trouble {
    fn status(&self) -> StatusCode {
        match self {
            Trouble::Missing(_) => StatusCode::NOT_FOUND,
            Trouble::Nonsense(_) => StatusCode::BAD_REQUEST,
            Trouble::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn text(&self) -> String {
        match self {
            Trouble::Missing(text) | Trouble::Nonsense(text) => text.clone(),
            Trouble::Store(error) => error.to_string(),
        }
    }
}

/// A page, or one that says why there is none.
fn page(place: Place, asked: Result<Arc<View>, Trouble>) -> Response {
    let html = |status, text: String| {
        (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
    };
    match asked {
        Ok(view) => html(StatusCode::OK, html::page(place, &view).into_string()),
        Err(trouble) => html(trouble.status(), html::trouble(place, &trouble.text()).into_string()),
    }
}

/// A view as JSON, or why there is none.
fn json(asked: Result<Arc<View>, Trouble>) -> Response {
    let (status, text) = match asked {
        Ok(view) => (StatusCode::OK, serde_json::to_string(&*view)),
        Err(trouble) => {
            let error = serde_json::json!({ "type": "error", "message": trouble.text() });
            (trouble.status(), serde_json::to_string(&error))
        }
    };
    match text {
        Ok(text) => (status, [(header::CONTENT_TYPE, "application/json")], text + "\n").into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("not JSON: {error}\n")).into_response(),
    }
}

pub(crate) async fn campaign_page(State(shared): State<Shared>, parameters: Parameters) -> Response {
    let asked = match campaign_of(parameters) {
        Ok(question) => ask(&shared, question).await,
        Err(trouble) => Err(trouble),
    };
    page(Place::Campaign, asked)
}

pub(crate) async fn campaign_json(State(shared): State<Shared>, parameters: Parameters) -> Response {
    match campaign_of(parameters) {
        Ok(question) => json(ask(&shared, question).await),
        Err(trouble) => json(Err(trouble)),
    }
}

pub(crate) async fn campaigns_page(State(shared): State<Shared>) -> Response {
    page(Place::Campaigns, ask(&shared, Question::Campaigns).await)
}

pub(crate) async fn campaigns_json(State(shared): State<Shared>) -> Response {
    json(ask(&shared, Question::Campaigns).await)
}

pub(crate) async fn findings_page(State(shared): State<Shared>, parameters: Parameters) -> Response {
    let asked = match pairs(parameters) {
        Ok(pairs) => ask(&shared, Question::Findings(pairs)).await,
        Err(trouble) => Err(trouble),
    };
    page(Place::Findings, asked)
}

pub(crate) async fn findings_json(State(shared): State<Shared>, parameters: Parameters) -> Response {
    match pairs(parameters) {
        Ok(pairs) => json(ask(&shared, Question::Findings(pairs)).await),
        Err(trouble) => json(Err(trouble)),
    }
}

pub(crate) async fn finding_page(State(shared): State<Shared>, Path(id): Path<String>) -> Response {
    page(Place::Finding, ask(&shared, Question::Finding(id)).await)
}

pub(crate) async fn finding_json(State(shared): State<Shared>, parameters: Parameters) -> Response {
    match only(parameters, "id") {
        Ok(Some(id)) => json(ask(&shared, Question::Finding(id)).await),
        Ok(None) => json(Err(Trouble::Nonsense("expected `id=` and the name of a finding".to_owned()))),
        Err(trouble) => json(Err(trouble)),
    }
}

pub(crate) async fn metrics(State(shared): State<Shared>, parameters: Parameters) -> Response {
    let asked = match campaign_of(parameters) {
        Ok(question) => ask(&shared, question).await,
        Err(trouble) => Err(trouble),
    };
    let view = match &asked {
        Ok(view) => view,
        Err(trouble) => return (trouble.status(), trouble.text() + "\n").into_response(),
    };
    let View::Campaign(campaign) = &**view else {
        return (StatusCode::INTERNAL_SERVER_ERROR, "not a campaign\n").into_response();
    };
    match prometheus::text(campaign) {
        Ok(text) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

/// Says `changed` whenever the store has changed, and ends when plumb is stopped.
pub(crate) async fn events(
    State(shared): State<Shared>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let begin = (shared, None);
    let changes = stream::unfold(begin, |(mut shared, mut known)| async move {
        loop {
            let views = Arc::clone(&shared.views);
            let now = tokio::task::spawn_blocking(move || views.generation()).await.ok().and_then(Result::ok);
            if let Some(now) = now
                && known.replace(now).is_some_and(|before| before != now)
            {
                let event = Event::default().event("changed").data(now.to_string());
                return Some((Ok(event), (shared, known)));
            }
            tokio::select! {
                () = tokio::time::sleep(TICK) => {}
                _ = shared.stopped.wait_for(|stopped| *stopped) => return None,
            }
        }
    });
    Sse::new(changes).keep_alive(KeepAlive::default())
}

pub(crate) async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], html::STYLE).into_response()
}

pub(crate) async fn script() -> Response {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], html::SCRIPT).into_response()
}

pub(crate) async fn nothing() -> Response {
    page(Place::Campaigns, Err(Trouble::Missing("there is no such page".to_owned())))
}
