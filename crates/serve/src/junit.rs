//! A campaign as JUnit XML, which every CI shows: one suite a configuration, with a case that stands for its results and a
//! failed case for each bug. A configuration that compiles or decides nothing is an error, never a pass.

use campaign::verdict::Named;
use campaign::view::{CampaignView, ConfigurationView, GroupView, Health};
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

/// The document.
pub fn junit(campaign: &CampaignView) -> Result<String, SerializeError> {
    let mut report = Report::new(format!("plumb hunt: {}", campaign.title));
    for configuration in &campaign.configurations {
        report.add_test_suite(suite(campaign, configuration));
    }
    report.to_string()
}

fn suite(campaign: &CampaignView, configuration: &ConfigurationView) -> TestSuite {
    let mut suite = TestSuite::new(configuration.label.as_str());
    if !configuration.version.is_empty() {
        suite.add_property(("compiler", configuration.version.as_str()));
    }
    for (name, count) in [
        ("results", configuration.results),
        ("pass", configuration.passed),
        ("alarm", configuration.alarms),
        ("inconclusive", configuration.inconclusive),
        ("rejected", configuration.rejected),
    ] {
        suite.add_property((name, count.to_string().as_str()));
    }
    suite.add_test_case(whole(configuration));
    let own = campaign.groups.iter().filter(|group| group.configurations.contains(&configuration.label));
    suite.add_test_cases(own.map(|group| bug(group, &configuration.label)));
    suite
}

/// The case that stands for all results.
fn whole(configuration: &ConfigurationView) -> TestCase {
    let status = match configuration.health {
        Health::Sound => TestCaseStatus::success(),
        Health::Untested => {
            let mut status = TestCaseStatus::skipped();
            status.set_message("no program was tested in it");
            status
        }
        Health::Doubtful | Health::CompilesNothing | Health::DecidesNothing => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(configuration.warning().unwrap_or_default());
            status
        }
    };
    let mut case = TestCase::new("most results decide something", status);
    case.set_classname(configuration.label.as_str());
    case
}

fn bug(group: &GroupView, configuration: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(group.kind.name());
    status.set_message(group.title.as_str());
    let mut text = format!("look at it: plumb show {}\nfindings: {}\n", group.representative, group.findings);
    if let Some(culprit) = &group.culprit {
        text.push_str(&format!("to blame: {culprit}\n"));
    }
    status.set_description(text);
    let mut case = TestCase::new(format!("{} {}", group.kind.name(), group.representative), status);
    case.set_classname(configuration);
    case
}
