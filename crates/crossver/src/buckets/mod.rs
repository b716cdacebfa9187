//! Buckets: differences that look alike ("Will you still compile me tomorrow?", section 3.3: classifiers put a thousand
//! differences into a handful of buckets). Rules are data; the first that holds names the bucket.

use crate::replay::Observed;
pub use crate::replay::features::Feature;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules that come with plumb.
const RULES: &str = include_str!("rules.json");

/// The bucket of what no rule names.
pub const OTHER: &str = "other";

/// How two values may be related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The low 8, 16 or 32 bits are the same.
    LowBitsAgree,
    /// One bit differs.
    OneBit,
    /// Both are zero or one.
    Truth,
    /// They are less than 256 apart.
    Near,
}

impl Relation {
    fn holds(self, old: u64, new: u64) -> bool {
        match self {
            Relation::LowBitsAgree => [8, 16, 32].iter().any(|bits| (old ^ new) & ((1 << bits) - 1) == 0),
            Relation::OneBit => (old ^ new).is_power_of_two(),
            Relation::Truth => old <= 1 && new <= 1,
            Relation::Near => old.abs_diff(new) < 256,
        }
    }
}

/// A rule: what it says nothing of may be as it likes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The bucket's stable name.
    pub name: String,
    /// What is in it, in words.
    pub what: String,
    /// What runs differ in, by the kinds of [`Observed`]; anything where nothing is said.
    #[serde(default)]
    pub observed: Vec<String>,
    /// How both values are related.
    #[serde(default)]
    pub values: Option<Relation>,
    /// What the code of both has not in common.
    #[serde(default)]
    pub differs: Vec<Feature>,
    /// What it has in common.
    #[serde(default)]
    pub same: Vec<Feature>,
}

/// Rules in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules(Vec<Rule>);

impl Default for Rules {
    fn default() -> Rules {
        // The tests read the file.
        Rules(serde_json::from_str(RULES).unwrap_or_default())
    }
}

impl Rules {
    /// The rules of a text, and then those that come with plumb.
    ///
    /// # Errors
    /// It is no list of rules; where and why.
    pub fn parse(text: &str) -> Result<Rules, String> {
        let mut rules: Vec<Rule> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let kinds = Observed::NAMES;
        for rule in &rules {
            if let Some(kind) = rule.observed.iter().find(|kind| !kinds.contains(&kind.as_str())) {
                return Err(format!("rule `{}`: `{kind}` is none of {}", rule.name, kinds.join(", ")));
            }
        }
        rules.extend(Rules::default().0);
        Ok(Rules(rules))
    }

    /// The bucket of a difference.
    #[must_use]
    pub fn bucket(&self, observed: &Observed, differing: &[Feature]) -> &str {
        let holds = |rule: &&Rule| {
            let kind = rule.observed.is_empty() || rule.observed.iter().any(|kind| kind == observed.name());
            let related =
                |relation: Relation| observed.values().is_some_and(|(old, new)| relation.holds(old, new));
            kind && rule.values.is_none_or(related)
                && rule.differs.iter().all(|feature| differing.contains(feature))
                && !rule.same.iter().any(|feature| differing.contains(feature))
        };
        self.0.iter().find(holds).map_or(OTHER, |rule| rule.name.as_str())
    }

    /// What is in a bucket, in words.
    #[must_use]
    pub fn what(&self, bucket: &str) -> &str {
        self.0.iter().find(|rule| rule.name == bucket).map_or("no rule names it", |rule| rule.what.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(old: u64, new: u64) -> Observed {
        Observed::Result { place: "rax".to_owned(), old, new }
    }

    #[test]
    fn the_first_rule_that_holds_names_the_bucket() {
        let rules = Rules::default();
        assert_eq!(rules.0.len(), serde_json::from_str::<Vec<Rule>>(RULES).expect("rules").len());
        assert_eq!(
            rules.bucket(&result(0xff, 0xffff_ffff_ffff_ffff), &[Feature::Extensions]),
            "missing-extension"
        );
        assert_eq!(rules.bucket(&result(0x105, 5), &[]), "operand-width");
        assert_eq!(rules.bucket(&result(1, 0), &[Feature::Conditions]), "condition");
        assert_eq!(rules.bucket(&result(7, 9), &[Feature::Constants]), "constant");
        assert_eq!(rules.bucket(&result(7, 9), &[]), "operand");
    }

    #[test]
    fn rules_of_a_file_come_first() {
        let rules = Rules::parse(
            r#"[{"name": "off-by-two", "what": "x", "observed": ["result"], "values": "near"}]"#,
        );
        assert_eq!(rules.expect("rules").bucket(&result(7, 9), &[]), "off-by-two");
        let wrong = Rules::parse(r#"[{"name": "n", "what": "x", "observed": ["reslut"]}]"#)
            .expect_err("a typing error");
        assert!(wrong.contains("reslut") && wrong.contains("result"), "{wrong}");
    }
}
