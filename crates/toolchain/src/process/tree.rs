//! The process tree under a supervisor, read from `/proc`: who descends from it and what they have cost.

use rustix::process::Pid;
use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// The live descendants of a process.
pub(super) struct Tree {
    /// In no particular order; without the root.
    pub members: Vec<Pid>,
    /// CPU time of the members and of the children that they have reaped.
    pub cpu: Duration,
}

/// One line of `/proc/PID/stat`, as far as it matters here.
struct Stat {
    parent: i32,
    zombie: bool,
    ticks: u64,
}

fn stat(pid: i32) -> Option<Stat> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The command name stands in parentheses and may itself hold any byte, parentheses too.
    let end = text.iter().rposition(|&b| b == b')')?;
    let fields: Vec<&str> = std::str::from_utf8(&text[end + 1..]).ok()?.split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|f| f.parse::<u64>().ok()).unwrap_or(0);
    let ticks = number(11) + number(12) + number(13) + number(14);
    Some(Stat { parent: fields.get(1)?.parse().ok()?, zombie: fields.first() == Some(&"Z"), ticks })
}

/// Children of a process through its `children` files, or `None` where the kernel has none.
fn listed_children(pid: i32) -> Option<Vec<i32>> {
    let mut found = Vec::new();
    let mut readable = false;
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        if let Ok(text) = fs::read_to_string(task.path().join("children")) {
            readable = true;
            found.extend(text.split_ascii_whitespace().filter_map(|word| word.parse::<i32>().ok()));
        }
    }
    readable.then_some(found)
}

/// Every process of the machine by parent, for kernels without `children` files.
fn scanned_children() -> HashMap<i32, Vec<i32>> {
    let mut by_parent: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok())
            && let Some(stat) = stat(pid)
        {
            by_parent.entry(stat.parent).or_default().push(pid);
        }
    }
    by_parent
}

/// The direct children of the calling process, ended ones included.
pub(super) fn own_children() -> Vec<Pid> {
    let me = rustix::process::getpid().as_raw_nonzero().get();
    let children = listed_children(me).unwrap_or_else(|| scanned_children().remove(&me).unwrap_or_default());
    children.into_iter().filter_map(Pid::from_raw).collect()
}

/// All live descendants of the calling process.
pub(super) fn descendants() -> Tree {
    let me = rustix::process::getpid().as_raw_nonzero().get();
    let scanned = listed_children(me).is_none().then(scanned_children);
    let children = |pid: i32| match &scanned {
        Some(by_parent) => by_parent.get(&pid).cloned().unwrap_or_default(),
        None => listed_children(pid).unwrap_or_default(),
    };
    let mut tree = Tree { members: Vec::new(), cpu: Duration::ZERO };
    let mut ticks = 0u64;
    let mut work = children(me);
    while let Some(pid) = work.pop() {
        let Some(stat) = stat(pid) else { continue };
        ticks = ticks.saturating_add(stat.ticks);
        if !stat.zombie {
            tree.members.extend(Pid::from_raw(pid));
            work.extend(children(pid));
        }
    }
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    tree.cpu = Duration::from_millis(ticks.saturating_mul(1000) / per_second);
    tree
}
