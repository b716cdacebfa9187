//! The keyboard during a reduction: `s` skips the present pass.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, Termios, isatty, tcgetattr, tcsetattr};
use std::io::{IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// A terminal that hands over keys at once; as it was before when dropped.
pub struct Keys {
    before: Termios,
    ended: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
}

impl Keys {
    /// Listens, if there is a terminal to listen to. `s` raises the flag.
    pub fn listen(skip: &Arc<AtomicBool>) -> Option<Keys> {
        if !isatty(stdin()) || !std::io::stderr().is_terminal() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let mut eager = before.clone();
        // Signals such as that of Ctrl-C stay.
        eager.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Now, &eager).ok()?;
        let ended = Arc::new(AtomicBool::new(false));
        let (skip, over) = (Arc::clone(skip), Arc::clone(&ended));
        let listener = std::thread::Builder::new().spawn(move || {
            while !over.load(Ordering::SeqCst) {
                let wait = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
                let ready = poll(&mut [PollFd::new(&stdin(), PollFlags::IN)], Some(&wait));
                let mut byte = [0];
                if !matches!(ready, Ok(1..)) {
                    continue;
                }
                match std::io::stdin().read(&mut byte) {
                    Ok(1..) if byte[0] == b's' => skip.store(true, Ordering::SeqCst),
                    Ok(1..) => {}
                    Ok(0) | Err(_) => return,
                }
            }
        });
        Some(Keys { before, ended, listener: listener.ok() })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}
