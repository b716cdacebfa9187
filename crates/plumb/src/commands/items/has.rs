//! What this machine has, so that it is handed what fits.

use campaign::store::Has;

/// Where Linux says what the machine is called.
const NAME: &str = "/proc/sys/kernel/hostname";
/// Where it says how much memory there is, and how much of it this process may take: in control groups of version 2, and of
/// version 1.
const MEMORY: &str = "/proc/meminfo";
const GROUPS: [&str; 2] = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// What this machine has, for so many jobs at once, and so much memory if that is said.
pub fn has(jobs: usize, memory: Option<u64>) -> Has {
    Has {
        host: std::fs::read_to_string(NAME).unwrap_or_default().trim().to_owned(),
        architecture: std::env::consts::ARCH.to_owned(),
        memory: memory.unwrap_or_else(memory_here),
        jobs: jobs as u64,
    }
}

/// Bytes of memory; where nobody says how many, as many as may be wanted.
fn memory_here() -> u64 {
    let whole = std::fs::read_to_string(MEMORY).unwrap_or_default();
    let whole = whole.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let whole = whole.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    let group = |path: &&str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limits = GROUPS.iter().filter_map(group);
    limits.chain(whole.map(|kib| kib << 10)).min().unwrap_or(u64::MAX)
}
