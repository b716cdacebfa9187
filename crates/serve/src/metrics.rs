//! A campaign's figures in the text format of OpenMetrics, as Prometheus reads it.

use campaign::view::CampaignView;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use std::sync::atomic::AtomicU64;

/// Names and values that tell the samples of a metric apart.
type Labels = Vec<(&'static str, String)>;
type Real = Gauge<f64, AtomicU64>;

/// The metrics of a campaign.
pub fn text(campaign: &CampaignView) -> Result<String, std::fmt::Error> {
    let mut registry = Registry::with_prefix_and_labels(
        "plumb",
        [("campaign".into(), campaign.id.to_string().into())].into_iter(),
    );
    totals(&mut registry, campaign);
    fleet(&mut registry, campaign);
    by_configuration(&mut registry, campaign);
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

fn totals(registry: &mut Registry, campaign: &CampaignView) {
    let mut count = |name: &str, help: &str, value: u64| {
        let counter: Counter = Counter::default();
        counter.inc_by(value);
        registry.register(name, help, counter);
    };
    count("programs", "Programs looked at", campaign.programs);
    count("programs_tested", "Programs tested in at least one configuration", campaign.tested);
    count("programs_rejected", "Programs not used", campaign.rejected_programs);
    count("findings", "Alarms raised", campaign.findings);
    count("bugs", "Distinct bugs", campaign.bugs);
    let mut real = |name: &str, help: &str, unit: Option<Unit>, value: f64| {
        let gauge: Real = Gauge::default();
        gauge.set(value);
        match unit {
            Some(unit) => registry.register_with_unit(name, help, unit, gauge),
            None => registry.register(name, help, gauge),
        }
    };
    let seconds = || Some(Unit::Seconds);
    real("hunting", "Time hunted, without breaks between runs", seconds(), campaign.hunting_seconds);
    real(
        "compilers_cpu",
        "CPU time of compilers and compiled programs",
        seconds(),
        campaign.compilers_cpu_seconds,
    );
    real("own_cpu", "CPU time of plumb itself", seconds(), campaign.plumb_cpu_seconds);
    real("program_rate", "Programs a second in the last minute of hunting", None, campaign.recent_rate);
    real("store_latency", "Time the store took for one small question", seconds(), campaign.store_seconds);
    if let Some(since) = &campaign.since_new_bug {
        real("since_new_bug", "Hunting since the last new bug", seconds(), since.seconds);
    }
    if let Some(at) = campaign.last_program {
        real("last_program_timestamp", "When the last program was done", seconds(), at as f64 / 1000.0);
    }
}

/// Of a campaign that many machines work on.
fn fleet(registry: &mut Registry, campaign: &CampaignView) {
    let Some(fleet) = &campaign.fleet else { return };
    for (name, help, value) in [
        ("leases", "Ranges of programs handed out", fleet.leases),
        (
            "leases_lost",
            "Ranges handed out again, after a worker was silent, stopped or died",
            fleet.leases_again,
        ),
        ("items", "Functions and findings of the store that are done", fleet.items_done),
    ] {
        let counter: Counter = Counter::default();
        counter.inc_by(value);
        registry.register(name, help, counter);
    }
    for (name, help, value) in [
        ("workers", "Processes heard of in the last minute", fleet.workers),
        ("items_open", "Functions and findings of the store that are to be done", fleet.items_open),
    ] {
        let gauge: Gauge = Gauge::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        registry.register(name, help, gauge);
    }
}

fn by_configuration(registry: &mut Registry, campaign: &CampaignView) {
    let results: Family<Labels, Counter> = Family::default();
    let sound: Family<Labels, Gauge> = Family::default();
    let alarms: Family<Labels, Counter> = Family::default();
    for configuration in &campaign.configurations {
        let of = |verdict: Option<&str>| -> Labels {
            let mut labels = vec![
                ("configuration", configuration.label.clone()),
                ("compiler", configuration.compiler.clone()),
                ("level", configuration.level.clone()),
            ];
            labels.extend(verdict.map(|verdict| ("verdict", verdict.to_owned())));
            labels
        };
        for (verdict, count) in [
            ("pass", configuration.passed),
            ("alarm", configuration.alarms),
            ("inconclusive", configuration.inconclusive),
            ("rejected", configuration.rejected),
        ] {
            results.get_or_create(&of(Some(verdict))).inc_by(count);
        }
        sound.get_or_create(&of(None)).set(i64::from(configuration.warning().is_none()));
    }
    for (kind, count) in &campaign.alarms {
        alarms.get_or_create(&vec![("kind", kind.clone())]).inc_by(*count);
    }
    registry.register("results", "Pairs of program and configuration by verdict", results);
    registry.register(
        "configuration_sound",
        "Whether most results of a configuration decide something",
        sound,
    );
    registry.register("alarms", "Alarms by kind", alarms);
}
