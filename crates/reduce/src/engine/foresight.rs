//! What the passes after the present one will try if it brings nothing: handed in when workers have nothing else to do.
//! Small cases are gone through by one pass after the other with a few candidates each, most of them in vain; without
//! this, one worker tries the last of them while the others wait. Which passes come is the schedule's to say, so that
//! nothing but elapsed time and the number of tests depends on how far workers were ahead.

use super::Schedule;
use super::plan::Plan;
use super::pool::{Goal, Pool};
use crate::Case;
use crate::passes::Pass;
use std::collections::VecDeque;
use std::sync::Arc;

/// Passes looked ahead at most.
const PASSES: usize = 16;

/// Plans of the next passes for the present case.
#[derive(Default)]
pub struct Foresight {
    /// As the schedule will be after the last of the plans.
    then: Option<Schedule>,
    plans: VecDeque<Plan>,
}

impl Foresight {
    /// The plan of a pass for the present case, if it was made; no other one is of use then.
    pub fn take(&mut self, pass: usize, goal: Goal, pool: &Pool<'_>) -> Option<Plan> {
        if self.plans.front().is_some_and(|plan| (plan.pass, plan.goal) == (pass, goal)) {
            return self.plans.pop_front();
        }
        self.clear(pool);
        None
    }

    /// Drops all plans: the case is another one.
    pub fn clear(&mut self, pool: &Pool<'_>) {
        self.plans.iter_mut().for_each(|plan| plan.abandon(pool));
        self.plans.clear();
        self.then = None;
    }

    /// Hands in one more candidate of a pass after `present`. `false` if there is none.
    pub fn hand_in(
        &mut self,
        present: usize,
        case: &Arc<Case>,
        schedule: &Schedule,
        passes: &[&'static dyn Pass],
        pool: &Pool<'_>,
    ) -> bool {
        let (key, size) = (case.key(), case.size());
        let then = self.then.get_or_insert_with(|| {
            let mut then = schedule.clone();
            then.dry(present, key);
            then
        });
        loop {
            if self.plans.back_mut().is_some_and(|plan| plan.hand_in(case, pool)) {
                return true;
            }
            if self.plans.len() >= PASSES {
                return false;
            }
            let Some(pass) = then.next(passes, key, size) else { return false };
            then.begin(pass);
            self.plans.push_back(Plan::new(pass, passes[pass], &then.records[pass], case, Goal::Smaller));
            then.dry(pass, key);
        }
    }
}
