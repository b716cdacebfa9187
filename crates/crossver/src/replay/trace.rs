//! What a side did, in words, with instructions and lines of the source.

use super::judge::{masks, meant, name};
use super::plan::{Plan, SidePlan};
use super::ran::{End, Ran};

/// What a side did, in words.
pub fn trace(plan: &Plan, side: &SidePlan, ran: &Ran) -> Vec<String> {
    let mut out = Vec::new();
    let at =
        |address: u64| side.text.get(&address).map_or_else(|| format!("{address:#x}"), ToString::to_string);
    let before = |returns: u64| match side.text.range(..returns).next_back() {
        Some((_, text)) if returns != 0 && side.sites.iter().any(|s| s.returns == returns) => {
            text.to_string()
        }
        Some(_) | None => "a jump out of the function".to_owned(),
    };
    for seen in &ran.calls {
        let stub = plan.stubs.get(seen.stub);
        let types = stub.and_then(|stub| stub.types.as_ref());
        let mut pieces = types.map(|t| t.arguments.clone()).unwrap_or_default();
        pieces.extend(meant(side, seen, stub.map_or("", |stub| &stub.name)));
        pieces.sort_unstable();
        pieces.dedup_by_key(|(register, _)| *register);
        let arguments = pieces.into_iter().flat_map(masks);
        let arguments: Vec<String> = arguments
            .map(|(place, mask)| format!("{} = {:#x}", name(place), seen.registers[place] & mask))
            .collect();
        let name = stub.map_or("?", |stub| &stub.name);
        out.push(format!("{}: call {name}({})", before(seen.returns), arguments.join(", ")));
    }
    match &ran.end {
        End::Returned(registers) => {
            let results = plan.results.iter().flat_map(|piece| masks(*piece));
            let results: Vec<String> = results
                .map(|(place, mask)| format!("{} = {:#x}", name(place), registers[place] & mask))
                .collect();
            out.push(format!("return {}", results.join(", ")).trim_end().to_owned());
        }
        End::Signal { at: place, .. } => out.push(format!("{}: {}", at(*place), ran.end.told())),
        End::Stopped | End::NoMemory(_) | End::Other(_) => {}
    }
    const SHOWN: usize = 16;
    let bytes = ran.bytes.iter().take(SHOWN).map(|(at, v)| format!("[{at:#x}] = {v:#x}"));
    let bytes: Vec<String> = bytes.collect();
    if !bytes.is_empty() {
        let more = if ran.bytes.len() > SHOWN {
            format!(" and {} more", ran.bytes.len() - SHOWN)
        } else {
            String::new()
        };
        out.push(format!("memory: {}{more}", bytes.join(", ")));
    }
    out
}
