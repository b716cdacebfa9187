//! What people look at, made of a store that is only read: the live page, its JSON and metrics, the report of a campaign and
//! the status screen of a hunt all show these figures and compute none of their own.
//!
//! A view is a function of the store: no clock is read here. Times are milliseconds since 1970 where they are moments, and
//! seconds of hunting (breaks between runs left out) where they are distances.

mod configurations;
mod curves;
mod filter;
mod finding;
mod groups;
mod model;
mod preview;

pub use configurations::shares;
pub use filter::{Filter, FilterError};
pub use finding::finding;
pub use groups::Grouping;
pub use model::{
    CampaignLine, CampaignView, Campaigns, Cell, ConfigurationView, Counted, Discovery, FindingLine,
    FindingView, Findings, FleetView, GroupView, Health, Matrix, MatrixRow, Rate, Reduction, SinceNewBug,
    Text, View,
};

use crate::error::Error;
use crate::store::{CampaignId, CampaignRow, FindingMoment, FindingRow, Store, Totals};
use crate::verdict::{Named, Reason};
use std::collections::BTreeMap;
use std::time::Instant;

/// Lines of reasons that are shown; the others are summed up.
const REASONS: usize = 10;

/// Everything that several views need of the findings of a store.
pub struct Known {
    rows: Vec<FindingRow>,
    moments: Vec<FindingMoment>,
    grouping: Grouping,
}

impl Known {
    /// Reads it.
    pub fn of(store: &Store) -> Result<Known, Error> {
        let (rows, moments) = (store.findings()?, store.finding_moments()?);
        let configurations: Result<Vec<_>, Error> =
            store.campaigns()?.iter().map(|campaign| store.configurations(campaign.id)).collect();
        let grouping = Grouping::of(store, &rows, &configurations?.concat())?;
        Ok(Known { rows, moments, grouping })
    }

    /// The findings of one campaign, or of all, with when they were found.
    fn each(&self, campaign: Option<CampaignId>) -> impl Iterator<Item = (&FindingRow, &FindingMoment)> {
        // Both lists have the store's order; a hunt may have added to the later one in between.
        let pairs = self.rows.iter().zip(&self.moments);
        pairs.filter(move |(row, moment)| {
            row.id == moment.id && campaign.is_none_or(|id| moment.campaign == id)
        })
    }
}

/// All campaigns of a store, the newest first.
pub fn campaigns(store: &Store) -> Result<Campaigns, Error> {
    let known = Known::of(store)?;
    let mut lines = Vec::new();
    for row in store.campaigns()?.iter().rev() {
        let totals = store.totals(row.id)?;
        lines.push(CampaignLine {
            id: row.id.number(),
            title: row.title.clone(),
            begun: store.runs(row.id)?.first().copied(),
            programs: totals.programs,
            findings: totals.all_alarms(),
            bugs: known.grouping.bugs(known.each(Some(row.id)).map(|(row, _)| row)),
        });
    }
    Ok(Campaigns { store: store.dir().to_owned(), campaigns: lines })
}

/// The campaign of this number; without one the newest. `None` where there is none.
pub fn find(store: &Store, number: Option<i64>) -> Result<Option<CampaignRow>, Error> {
    let mut all = store.campaigns()?;
    Ok(match number {
        None => all.pop(),
        Some(number) => all.into_iter().find(|row| row.id.number() == number),
    })
}

/// Workers of which the last words are told.
const LAST_WORDS: usize = 10;

fn fleet(store: &Store, row: &CampaignRow) -> Result<Option<FleetView>, Error> {
    let Some(fleet) = store.fleet(row.id)? else { return Ok(None) };
    let ended = store.workers()?.into_iter().filter_map(|worker| Some((worker.host, worker.words?)));
    Ok(Some(FleetView {
        leases: fleet.leases,
        leases_again: fleet.leases_again,
        workers: fleet.workers,
        items_open: fleet.items_open,
        items_done: fleet.items_done,
        last_words: ended.take(LAST_WORDS).collect(),
    }))
}

/// One campaign.
pub fn campaign(store: &Store, row: &CampaignRow) -> Result<CampaignView, Error> {
    let known = Known::of(store)?;
    let totals = store.totals(row.id)?;
    let results = store.results(row.id)?;
    let keys = store.configurations(row.id)?;
    let configurations = configurations::of(&keys, &results);
    let findings: Vec<&FindingRow> = known.each(Some(row.id)).map(|(row, _)| row).collect();
    let matrix = configurations::matrix(&configurations, &findings, &known.grouping);
    let clock = curves::Clock::new(store.runs(row.id)?, store.moments(row.id)?);
    let found =
        known.each(Some(row.id)).filter_map(|(row, moment)| Some((known.grouping.key(row), moment.at?)));
    let discoveries = curves::discoveries(&clock, found);
    let asked = Instant::now();
    store.version()?;
    let store_seconds = asked.elapsed().as_secs_f64();
    Ok(CampaignView {
        fleet: fleet(store, row)?,
        store_seconds,
        id: row.id.number(),
        title: row.title.clone(),
        key: row.key.clone(),
        begun: clock.begun(),
        last_program: clock.last(),
        hunting_seconds: clock.seconds(),
        programs: totals.programs,
        tested: totals.tested,
        rejected_programs: totals.all_rejected(),
        rate: clock.rate(),
        recent_rate: clock.recent_rate(),
        rates: clock.rates(),
        results: totals.results.iter().map(|(answer, count)| (answer.name().to_owned(), *count)).collect(),
        rejected: counted(&totals.rejected),
        inconclusive: counted(&totals.inconclusive),
        findings: totals.all_alarms(),
        alarms: totals.alarms.iter().map(|(kind, count)| (kind.name().to_owned(), *count)).collect(),
        bugs: known.grouping.bugs(findings.iter().copied()),
        since_new_bug: clock.since(discoveries.last()),
        discoveries,
        groups: known.grouping.views(known.each(Some(row.id))),
        warnings: configurations.iter().filter_map(ConfigurationView::warning).collect(),
        configurations,
        matrix,
        variants: totals.variants.clone(),
        alarms_by_strategy: totals.alarms_by_strategy.clone(),
        compilers_cpu_seconds: totals.compilers.as_secs_f64(),
        plumb_cpu_seconds: totals.plumb.as_secs_f64(),
        plumb_cpu_percent: Totals::own_share(&totals),
    })
}

/// The findings that a filter lets through, the newest first, and their groups.
pub fn findings(store: &Store, filter: &Filter) -> Result<Findings, Error> {
    let known = Known::of(store)?;
    let keys: Vec<_> = {
        let all: Result<Vec<_>, Error> =
            store.campaigns()?.iter().map(|c| store.configurations(c.id)).collect();
        all?.concat()
    };
    let passing: Vec<_> = known
        .each(None)
        .filter(|(row, moment)| filter.passes(row, moment.campaign, &known.grouping, &keys))
        .collect();
    let page = filter.page_of(passing.len());
    let lines = passing.iter().rev().skip(page.skip).take(page.take);
    Ok(Findings {
        store: store.dir().to_owned(),
        filter: filter.clone(),
        all: known.rows.len(),
        matching: passing.len(),
        page: page.number,
        pages: page.of,
        groups: known.grouping.views(passing.iter().copied()),
        findings: lines.map(|(row, moment)| line(&known.grouping, row, moment)).collect(),
        choices: filter::choices(&known.rows, &keys),
    })
}

/// A finding as lists show it.
fn line(grouping: &Grouping, row: &FindingRow, moment: &FindingMoment) -> FindingLine {
    FindingLine {
        row: row.clone(),
        campaign: moment.campaign.number(),
        at: moment.at,
        group: grouping.key(row).to_owned(),
    }
}

/// Reasons with their counts, the most frequent first, at most [`REASONS`] lines.
fn counted<K: Named>(counts: &BTreeMap<Reason<K>, u64>) -> Vec<Counted> {
    let lines = counts.iter().map(|(reason, count)| {
        let words = match reason.about.as_str() {
            "" => reason.kind.text().to_owned(),
            about => format!("{}: {about}", reason.kind.text()),
        };
        Counted { reason: reason.to_string(), words, count: *count }
    });
    most_frequent(lines.collect())
}

/// The most frequent first; what is beyond [`REASONS`] lines becomes one.
fn most_frequent(mut lines: Vec<Counted>) -> Vec<Counted> {
    lines.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    if lines.len() > REASONS {
        let rest = lines.split_off(REASONS - 1);
        lines.push(Counted {
            reason: "others".to_owned(),
            words: format!("{} other reasons", rest.len()),
            count: rest.iter().map(|line| line.count).sum(),
        });
    }
    lines
}
