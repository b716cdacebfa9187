//! Loads and stores of those lanes of a vector that a mask chooses: what the others would access is not touched.

use crate::domain::{Domain, Ext};

/// A lane: whether it is chosen, and its value where it is not (of a load) or what is stored.
pub(crate) type Chosen<D> = (<D as Domain>::Bool, <D as Domain>::Bv);

/// The lanes of a load, lowest address first, all of one width.
pub(crate) fn load_chosen<D: Domain>(d: &mut D, mem: &D::Mem, at: &D::Bv, lanes: &[Chosen<D>]) -> Vec<D::Bv> {
    let mut out = Vec::new();
    for (i, (chosen, other)) in lanes.iter().enumerate() {
        let bytes = d.width(other) / 8;
        let place = place_of_lane(d, at, i, bytes);
        let there = d.load(mem, &place, bytes);
        out.push(d.ite(chosen, &there, other));
    }
    out
}

/// Memory behind a store of lanes, lowest address first, all of one width: what is not chosen stays as it is.
pub(crate) fn store_chosen<D: Domain>(d: &mut D, mem: &D::Mem, at: &D::Bv, lanes: &[Chosen<D>]) -> D::Mem {
    let mut mem = mem.clone();
    for (i, (chosen, value)) in lanes.iter().enumerate() {
        let bytes = d.width(value) / 8;
        let place = place_of_lane(d, at, i, bytes);
        let there = d.load(&mem, &place, bytes);
        let value = d.ite(chosen, value, &there);
        mem = d.store(&mem, &place, &value);
    }
    mem
}

/// Where a lane of so many bytes lies.
pub(crate) fn place_of_lane<D: Domain>(d: &mut D, at: &D::Bv, lane: usize, bytes: u32) -> D::Bv {
    d.add_num(at, i128::from(bytes) * lane as i128)
}
