//! `plumb report --html`, `--sarif`, `--junit`: a whole campaign as one file.

use crate::args::Report;
use crate::output;
use campaign::store::Store;
use campaign::view::{self, CampaignView, FindingView};
use campaign::{Error, exit};
use std::fs;

/// Runs the command.
pub fn run(args: &Report) -> Result<u8, Error> {
    let store = Store::read(&args.store)?;
    let row = view::find(&store, args.campaign)?.ok_or_else(|| {
        let which = args.campaign.map_or_else(String::new, |number| format!(" {number}"));
        Error::Usage(format!("report: there is no campaign{which} in `{}`", args.store.display()))
    })?;
    let campaign = view::campaign(&store, &row)?;
    let text = if args.html {
        html(&store, &campaign)?
    } else if args.sarif {
        for group in &campaign.groups {
            store.fetch(&group.representative)?;
        }
        let text = serde_json::to_string_pretty(&::serve::sarif(&campaign, &store.findings_dir()));
        text.map_err(|error| Error::Internal(format!("the SARIF log is not JSON: {error}")))? + "\n"
    } else {
        ::serve::junit(&campaign)
            .map_err(|error| Error::Internal(format!("the JUnit report is not XML: {error}")))?
    };
    match &args.output {
        Some(path) => fs::write(path, text).map_err(|error| Error::file("write", path, &error))?,
        None => output::bytes(text.as_bytes()),
    }
    Ok(if campaign.findings == 0 { exit::OK } else { exit::ALARM })
}

/// One page that needs nothing beside itself, with the finding that stands for each bug.
fn html(store: &Store, campaign: &CampaignView) -> Result<String, Error> {
    let representatives = campaign.groups.iter().map(|group| &group.representative);
    let findings: Result<Vec<Option<FindingView>>, Error> =
        representatives.map(|id| view::finding(store, id)).collect();
    let findings: Vec<FindingView> = findings?.into_iter().flatten().collect();
    Ok(::serve::html::report(campaign, &findings).into_string())
}
