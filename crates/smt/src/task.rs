//! Names of unknown values, the same when a task is done again: what was shown of them then needs no other proof.

use crate::{Sort, Symbolic, TermId};
use rustc_hash::FxHashMap;

/// A task, and how many values of each name it has met.
#[derive(Clone, Default, Debug)]
pub(crate) struct Task {
    name: String,
    met: FxHashMap<String, u32>,
}

impl Symbolic {
    /// A task begins. When it is done again, its first unknown value of a name is the same term as before, its second too, and
    /// so on.
    pub fn begin(&mut self, task: String) {
        self.task = Some(Task { name: task, ..Task::default() });
    }

    /// A value of which nothing is known, another than all others of the task.
    pub fn unknown(&mut self, name: &str, sort: Sort) -> TermId {
        let Some(Task { name: task, met }) = &mut self.task else { return self.pool.fresh(name, sort) };
        let name = match sort {
            Sort::Bool => format!("{name}:truth"),
            Sort::Bv(width) => format!("{name}:{width}"),
            Sort::Array { index, elem } => format!("{name}:{elem} at {index}"),
        };
        let n = met.entry(name.clone()).or_default();
        *n += 1;
        self.pool.var(&format!("{name}!{n} from {task}"), sort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_done_again_has_the_same_values() {
        let mut d = Symbolic::new();
        let all = |d: &mut Symbolic| [8, 8, 32].map(|width| d.unknown("result", Sort::Bv(width)));
        let fresh = all(&mut d);
        d.begin("one".into());
        let (one, more) = (all(&mut d), all(&mut d));
        d.begin("other".into());
        let other = all(&mut d);
        d.begin("one".into());
        assert_eq!(all(&mut d), one);
        let mut differ = [fresh, one, more, other].concat();
        differ.sort_unstable();
        differ.dedup();
        assert_eq!(differ.len(), 12);
    }
}
