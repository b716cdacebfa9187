//! Certificates: the synchronisation points of a proof with their relations, to be checked again without search.

use super::{PointId, Shape, SyncPoint};
use serde::{Deserialize, Serialize};

/// What a proof consists of: the synchronisation points with their relations. Checking it again
/// needs no search (`recheck`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// Format version.
    pub version: u32,
    /// The functions' names.
    pub functions: (String, String),
    /// The points' names, to notice that the programs changed.
    pub point_names: Vec<(String, String)>,
    /// Was equivalence shown in both directions (no undefined behaviour used)?
    pub bisimulation: bool,
    /// The synchronisation points, the entries first.
    pub points: Vec<SyncPoint>,
}

impl Certificate {
    pub(crate) fn new(
        left: &Shape,
        right: &Shape,
        bisimulation: bool,
        points: Vec<SyncPoint>,
    ) -> Certificate {
        let name = |p: &SyncPoint| (left.point(p.left).name.clone(), right.point(p.right).name.clone());
        Certificate {
            version: 1,
            functions: (left.name.clone(), right.name.clone()),
            point_names: points.iter().map(name).collect(),
            bisimulation,
            points,
        }
    }

    /// As text (JSON).
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Its points as hints for another proof: found again by their names, so that they also fit programs in which
    /// they moved. Points that are gone are left out.
    pub fn hints(&self, left: &Shape, right: &Shape) -> Vec<SyncPoint> {
        let find = |(p, (l, r)): (&SyncPoint, &(String, String))| {
            Some(SyncPoint { left: left.find(l)?, right: right.find(r)?, constraints: p.constraints.clone() })
        };
        self.points.iter().zip(&self.point_names).filter_map(find).collect()
    }

    /// From text.
    pub fn from_text(text: &str) -> Result<Certificate, String> {
        serde_json::from_str(text).map_err(|e| format!("not a certificate: {e}"))
    }

    /// Does it speak of these programs?
    pub(crate) fn fits(&self, left: &Shape, right: &Shape) -> Result<(), String> {
        if self.version != 1 {
            return Err(format!("certificate of version {}, expected 1", self.version));
        }
        if self.points.len() != self.point_names.len() {
            return Err("as many names as points expected".into());
        }
        for (p, (l, r)) in self.points.iter().zip(&self.point_names) {
            let name = |s: &Shape, i: PointId| s.points.get(i.index()).map(|p| p.name.clone());
            if name(left, p.left).as_ref() != Some(l) || name(right, p.right).as_ref() != Some(r) {
                return Err(format!("the programs have no points {l} / {r} at these places"));
            }
        }
        match self.points.first() {
            Some(p) if p.left == Shape::ENTRY && p.right == Shape::ENTRY => Ok(()),
            Some(_) | None => Err("the first point must be the entries".into()),
        }
    }
}
