//! Which findings are asked for, as an address says it: `kind=crash&compiler=gcc-12&q=ICE`.

use super::groups::Grouping;
use crate::store::{CampaignId, ConfigurationKey, FindingRow};
use crate::verdict::{FindingKind, Named};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// Findings on one page.
const PAGE: usize = 100;

/// Which findings are asked for; everything that is left empty lets all through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Filter {
    /// Of this campaign.
    pub campaign: Option<i64>,
    /// Of this kind.
    pub kind: Option<FindingKind>,
    /// Of this compiler.
    pub compiler: Option<String>,
    /// At this level.
    pub level: Option<String>,
    /// Of this group.
    pub group: Option<String>,
    /// Doubtful ones alone, or none of them.
    pub doubtful: Option<bool>,
    /// With this text in identity, configuration, program or summary, whatever its case.
    pub text: Option<String>,
    /// The page, from 1.
    pub page: usize,
}

/// Something that an address asks for and that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}={value}`: expected {expected}")]
pub struct FilterError {
    name: String,
    value: String,
    expected: String,
}

/// What can be asked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Choices {
    /// Kinds that there are.
    pub kinds: Vec<FindingKind>,
    /// Compilers that there are findings of.
    pub compilers: Vec<String>,
    /// Levels that there are findings at.
    pub levels: Vec<String>,
}

/// A page of a list.
pub(super) struct Page {
    pub number: usize,
    pub of: usize,
    pub skip: usize,
    pub take: usize,
}

impl Filter {
    /// Reads the parameters of an address; those it does not know are refused.
    pub fn read<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Filter, FilterError> {
        let mut filter = Filter { page: 1, ..Filter::default() };
        for (name, value) in pairs {
            let wrong = |expected: &str| FilterError {
                name: name.to_owned(),
                value: value.to_owned(),
                expected: expected.to_owned(),
            };
            let text = || Some(value.to_owned());
            match name {
                // An empty field of a form asks for nothing.
                _ if value.is_empty() => {}
                "campaign" => filter.campaign = Some(value.parse().map_err(|_| wrong("a number"))?),
                "kind" => filter.kind = Some(FindingKind::of_name(value).ok_or_else(|| wrong(&kinds()))?),
                "compiler" => filter.compiler = text(),
                "level" => filter.level = text(),
                "group" => filter.group = text(),
                "doubtful" if value == "yes" => filter.doubtful = Some(true),
                "doubtful" if value == "no" => filter.doubtful = Some(false),
                "doubtful" => return Err(wrong("yes or no")),
                "q" => filter.text = text(),
                "page" => {
                    let page = value.parse().ok().filter(|page| *page > 0);
                    filter.page = page.ok_or_else(|| wrong("a number from 1"))?;
                }
                _ => {
                    return Err(wrong(
                        "one of campaign, kind, compiler, level, group, doubtful, q and page before the sign",
                    ));
                }
            }
        }
        Ok(filter)
    }

    /// The parameters that ask for it, without the page.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let doubtful = self.doubtful.map(|doubtful| if doubtful { "yes" } else { "no" }.to_owned());
        let all = [
            ("campaign", self.campaign.map(|id| id.to_string())),
            ("kind", self.kind.map(|kind| kind.name().to_owned())),
            ("compiler", self.compiler.clone()),
            ("level", self.level.clone()),
            ("group", self.group.clone()),
            ("doubtful", doubtful),
            ("q", self.text.clone()),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Whether a finding is asked for.
    pub(super) fn passes(
        &self,
        row: &FindingRow,
        campaign: CampaignId,
        grouping: &Grouping,
        configurations: &[ConfigurationKey],
    ) -> bool {
        let key = configurations.iter().find(|key| key.label == row.configuration);
        let compiler = key.map_or(&row.configuration, |key| &key.compiler);
        let level = key.map_or("", |key| &key.level);
        self.campaign.is_none_or(|id| id == campaign.number())
            && self.kind.is_none_or(|kind| kind == row.kind)
            && self.compiler.as_ref().is_none_or(|wanted| wanted == compiler)
            && self.level.as_ref().is_none_or(|wanted| wanted == level)
            && self.group.as_ref().is_none_or(|group| group == grouping.key(row))
            && self.doubtful.is_none_or(|doubtful| doubtful == row.doubt.is_some())
            && self.text.as_ref().is_none_or(|text| mentions(row, &text.to_lowercase()))
    }

    /// The page of a list of so many; the last where there are fewer.
    pub(super) fn page_of(&self, matching: usize) -> Page {
        let of = matching.div_ceil(PAGE).max(1);
        let number = self.page.clamp(1, of);
        Page { number, of, skip: (number - 1) * PAGE, take: PAGE }
    }
}

fn kinds() -> String {
    let names: Vec<&str> = FindingKind::ALL.iter().map(|kind| kind.name()).collect();
    format!("one of {}", names.join(", "))
}

fn mentions(row: &FindingRow, text: &str) -> bool {
    [&row.id, &row.configuration, &row.program, &row.summary, &row.signature, &row.strategies]
        .iter()
        .any(|field| field.to_lowercase().contains(text))
}

/// What there are findings of.
pub(super) fn choices(rows: &[FindingRow], configurations: &[ConfigurationKey]) -> Choices {
    let kinds: BTreeSet<FindingKind> = rows.iter().map(|row| row.kind).collect();
    let with: BTreeSet<&str> = rows.iter().map(|row| row.configuration.as_str()).collect();
    let (mut compilers, mut levels): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for key in configurations.iter().filter(|key| with.contains(key.label.as_str())) {
        if !compilers.contains(&key.compiler) {
            compilers.push(key.compiler.clone());
        }
        if !key.level.is_empty() && !levels.contains(&key.level) {
            levels.push(key.level.clone());
        }
    }
    Choices { kinds: kinds.into_iter().collect(), compilers, levels }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_written() {
        let pairs =
            [("kind", "crash"), ("compiler", "gcc -m32"), ("q", ""), ("doubtful", "no"), ("page", "2")];
        let filter = Filter::read(pairs.into_iter()).expect("all are known");
        assert_eq!(filter.page, 2);
        let written = filter.parameters();
        let again = Filter::read(written.iter().map(|(name, value)| (*name, value.as_str()))).expect("known");
        assert_eq!(Filter { page: 2, ..again }, filter);
        assert_eq!(written.len(), 3);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_was_expected() {
        for (name, value, expected) in [
            ("kind", "bug", "wrong-code"),
            ("page", "0", "from 1"),
            ("x", "y", "compiler"),
            ("doubtful", "1", "yes"),
        ] {
            let error = Filter::read([(name, value)].into_iter()).expect_err(name);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn a_page_beyond_the_last_is_the_last() {
        let filter = Filter { page: 9, ..Filter::default() };
        let page = filter.page_of(250);
        assert_eq!((page.number, page.of, page.skip), (3, 3, 200));
        assert_eq!(filter.page_of(0).of, 1);
    }
}
