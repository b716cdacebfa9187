//! Inputs near one on which C leaves open what becomes: the same memory, other numbers. What differs may differ there, too.

use super::apart::told;
use super::plan::{PAGE, Plan};

/// How many are tried.
const TRIED: usize = 12;

/// Numbers that are tried.
const NUMBERS: [u64; 13] = [1, 2, 3, 5, 8, 16, 31, 100, 255, 0, 1000, 0x7fff_ffff, u64::MAX];

/// The inputs, in the order in which they are tried.
pub(super) fn nearby(plan: &Plan) -> impl Iterator<Item = Plan> + '_ {
    let leads = |value: u64| {
        plan.pages.contains(&(value / PAGE * PAGE)) || plan.stubs.iter().any(|stub| stub.at == value)
    };
    let numbers: Vec<usize> = (0..plan.registers.len())
        .filter(|n| plan.registers[*n].1 != 0 && !leads(plan.registers[*n].0))
        .collect();
    let tried = if numbers.is_empty() { 0 } else { TRIED };
    (0..tried).map(move |round| {
        let mut out = plan.clone();
        for (k, n) in numbers.iter().enumerate() {
            // Not the same number in each.
            out.registers[*n].0 = NUMBERS[(round * (2 * k + 1) + k) % NUMBERS.len()] & out.registers[*n].1;
        }
        Plan { inputs: told(&out), ..out }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_change_and_addresses_stay() {
        let registers = vec![(0x5008, u64::MAX), (0, u64::MAX), (7, 0), (9, 0xff)];
        let plan = Plan { pages: vec![0x5000], registers, ..Plan::default() };
        let all: Vec<Plan> = nearby(&plan).collect();
        assert_eq!(all.len(), TRIED);
        assert!(
            all.iter().all(|p| p.registers[0].0 == 0x5008 && p.registers[2].0 == 7 && p.registers[3].0 < 256)
        );
        assert!(all.iter().any(|p| p.registers[1].0 != p.registers[3].0));
        assert_eq!(nearby(&Plan::default()).count(), 0);
    }
}
