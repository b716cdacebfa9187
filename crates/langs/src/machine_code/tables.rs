//! Jump tables: a block as a number, which number an entry holds, and where a jump by one goes.

use super::effect::Effect;
use super::state::Code;
use crate::domain::Domain;

/// A number that stands for a block as the target of a jump by a table.
fn label(block: usize) -> u128 {
    0x7fff_0000_0000 + block as u128
}

impl Code<'_> {
    /// The entry of a table as a label, where `at` is its number times `step`; zero behind the table's end.
    pub(super) fn entry_of<D: Domain>(&self, d: &mut D, (at, step): (&D::Bv, u32), table: usize) -> D::Bv {
        let mut entry = d.num(64, 0);
        for (n, block) in self.f.tables[table].entries.iter().enumerate().rev() {
            let number = d.num(64, n as u128 * u128::from(step));
            let here = d.eq(at, &number);
            let label = d.num(64, label(*block));
            entry = d.ite(&here, &label, &entry);
        }
        entry
    }

    /// A jump to one of a table's entries.
    pub(super) fn among_entries<D: Domain>(&self, d: &mut D, to: &D::Bv, table: usize) -> Effect<D> {
        let mut blocks = self.f.tables[table].entries.clone();
        blocks.sort_unstable();
        blocks.dedup();
        let ways = blocks.into_iter().map(|block| {
            let label = d.num(64, label(block));
            (d.eq(to, &label), block)
        });
        Effect::Among(ways.collect())
    }
}
