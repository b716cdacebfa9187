//! Where each run does what the other does not: the instructions that made what is observed to differ.

use super::flow::{Called, Flow, REGISTERS};
use crate::replay::Observed;
use crate::replay::plan::Plan;
use crate::replay::steps::{place, stack_pointer};

/// The instructions of the old and of the new run, where there are any: what is as it was at the entry nobody made.
pub type Starts = [Vec<usize>; 2];

/// The starts; none where this run does not show the difference.
pub fn starts(plan: &Plan, observed: &Observed, flows: [&Flow; 2], second: bool) -> Option<Starts> {
    let register = |place: &str| -> Option<Starts> {
        let n = self::place(place)?;
        let held = flows.map(|flow| flow.registers.as_ref().map(|held| held[n]));
        (held[0] != held[1] || second).then_some(())?;
        Some(flows.map(|flow| flow.makers.get(maker(n)).copied().flatten().into_iter().collect()))
    };
    match observed {
        Observed::Callee { call, .. } => {
            let stub = |flow: &Flow| flow.calls.get(call - 1).map(|called| called.stub);
            (stub(flows[0]) != stub(flows[1]) || second).then_some(())?;
            Some(flows.map(|flow| flow.calls.get(call - 1).map_or_else(|| last(flow), |c| vec![c.node])))
        }
        Observed::Argument { call, place, .. } => {
            let called = |n: usize| -> Option<&Called> { flows[n].calls.get(call - 1) };
            argument([flows[0], flows[1]], [called(0)?, called(1)?], place, second)
        }
        Observed::End { .. } => Some(flows.map(last)),
        Observed::Result { place, .. } | Observed::Kept { place, .. } => register(place),
        Observed::Memory { at, .. } => Some(flows.map(|flow| writer(flow, *at, flow.nodes.len()))),
        Observed::Frame { object, at, .. } => {
            let mut starts = Starts::default();
            for (n, side) in plan.sides.iter().enumerate() {
                let (_, offset, _) = side.objects.iter().find(|(name, ..)| name == object)?;
                let before = flows[n].calls.last().map_or(flows[n].nodes.len(), |called| called.node);
                let at = stack_pointer(second).wrapping_add_signed(*offset).wrapping_add(*at);
                starts[n] = writer(flows[n], at, before);
            }
            Some(starts)
        }
    }
}

/// The number of a register's maker, by its place among the words of registers.
fn maker(word: usize) -> usize {
    (if word < 16 { word } else { 16 + (word - 16) / 2 }).min(REGISTERS - 1)
}

fn last(flow: &Flow) -> Vec<usize> {
    flow.nodes.len().checked_sub(1).into_iter().collect()
}

fn writer(flow: &Flow, at: u64, before: usize) -> Vec<usize> {
    flow.writer(at, before).into_iter().collect()
}

/// What a call is passed in a register, or on the stack.
fn argument(flows: [&Flow; 2], called: [&Called; 2], place: &str, second: bool) -> Option<Starts> {
    if let Some(offset) = place.strip_prefix("stack+") {
        let offset: u64 = offset.parse().ok()?;
        let by = |n: usize| writer(flows[n], called[n].stack.wrapping_add(offset), called[n].node);
        return Some([by(0), by(1)]);
    }
    let n = self::place(place)?;
    (called[0].registers[n] != called[1].registers[n] || second).then_some(())?;
    Some(called.map(|called| called.makers[maker(n)].into_iter().collect()))
}
