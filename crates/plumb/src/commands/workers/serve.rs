//! The worker's side: it reads once, then answers one task after the other.

use super::{OUT_OF_MEMORY, Work};
use crate::output;
use campaign::exit;
use equiv::Ending;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;

/// Stack of the thread that works: terms and programs nest deeply.
const STACK: usize = 256 << 20;

/// Runs the hidden command of some work.
pub fn run<W: Work + 'static>() -> u8 {
    nursery::end_without_memory(OUT_OF_MEMORY);
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let what = info.payload();
        let text = what
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| what.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "panic".to_owned());
        if let Ok(mut last) = PANIC.lock() {
            *last = text + &place;
        }
    }));
    let thread = std::thread::Builder::new().stack_size(STACK);
    match thread.spawn(serve::<W>).map(std::thread::JoinHandle::join) {
        Ok(Ok(())) => exit::OK,
        Ok(Err(_)) => exit::UNKNOWN,
        // The stack is the largest thing it asks for.
        Err(_) => OUT_OF_MEMORY,
    }
}

/// What the last panic said.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn panic_text() -> String {
    PANIC.lock().map(|text| text.clone()).unwrap_or_default()
}

fn serve<W: Work>() {
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let Some(job) = lines.next().and_then(|line| serde_json::from_str::<W::Job>(&line).ok()) else { return };
    let work = match catch_unwind(AssertUnwindSafe(|| W::read(&job))) {
        Ok(Ok((work, listing))) => {
            output::json(&listing);
            work
        }
        Ok(Err(why)) => return output::json(&W::unreadable(why)),
        Err(_) => {
            return output::json(&W::unreadable(format!("internal error while reading: {}", panic_text())));
        }
    };
    for line in lines {
        let Ok(task) = serde_json::from_str::<W::Task>(&line) else { return };
        // Linux: begin counting the peak anew. Where that is refused the peak is that of the process.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let begun = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| work.answer(&job, &task)));
        let mut answer = answer
            .unwrap_or_else(|_| W::ended(Ending::Panicked { what: panic_text() }, Some(begun.elapsed())));
        let (peak, size) = W::memory(&mut answer);
        (*peak, *size) = memory();
        output::json(&answer);
    }
}

/// Peak and present memory of this process, in bytes.
fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        number.unwrap_or_default() << 10
    };
    (of("VmHWM:"), of("VmRSS:"))
}
