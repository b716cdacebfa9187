//! The status screen on a real terminal: a pseudo-terminal whose other end is read by a terminal emulator. Whatever ends the
//! hunt, the terminal is left as it was.

mod common;

use common::Plumb;
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Time for something to show. A busy machine is slow; what does not come at all ends the test.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a terminal has been sent.
struct Seen {
    emulator: vt100::Parser,
    bytes: Vec<u8>,
}

/// A terminal with a hunt in it.
struct Terminal {
    ours: File,
    /// Kept open, so that the last output is read after the hunt has ended.
    theirs: File,
    seen: Arc<Mutex<Seen>>,
    child: Child,
    before: Termios,
    _plumb: Plumb,
}

/// The two ends of a new pseudo-terminal of this size.
fn pair(rows: u16, columns: u16) -> (File, File) {
    let (mut ours, mut theirs) = (-1, -1);
    let size = libc::winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the pointers are to live variables, the null ones are allowed.
    let made =
        unsafe { libc::openpty(&mut ours, &mut theirs, std::ptr::null_mut(), std::ptr::null_mut(), &size) };
    assert_eq!(made, 0, "no pseudo-terminal: {}", std::io::Error::last_os_error());
    for end in [ours, theirs] {
        // SAFETY: it was opened just now. No other process is to inherit it.
        unsafe { libc::fcntl(end, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    // SAFETY: both were opened just now and have no other owner.
    unsafe { (File::from_raw_fd(ours), File::from_raw_fd(theirs)) }
}

impl Terminal {
    /// Hunts in a terminal, which is the controlling one, as for a person.
    fn hunt(more: &[&str], environment: &[(&str, &str)]) -> Terminal {
        let plumb = Plumb::new();
        let (ours, theirs) = pair(30, 100);
        let before = tcgetattr(&theirs).expect("a terminal");
        let end = || Stdio::from(theirs.try_clone().expect("a descriptor"));
        let mut command = Command::new("setsid");
        command.args([
            "--ctty",
            "--wait",
            env!("CARGO_BIN_EXE_plumb"),
            "hunt",
            "--cc",
            "gcc",
            "--levels",
            "-O0",
        ]);
        command.args(["--for", "10m", "--jobs", "1", "--drawn", "0", "--tokens", "500"]).args(more);
        command.current_dir(plumb.dir()).env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR").envs(environment.iter().copied());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("it starts");
        let seen = Seen { emulator: vt100::Parser::new(30, 100, 0), bytes: Vec::new() };
        let seen = Arc::new(Mutex::new(seen));
        let (read, shared) = (ours.try_clone().expect("a descriptor"), Arc::clone(&seen));
        std::thread::spawn(move || follow(read, &shared));
        Terminal { ours, theirs, seen, child, before, _plumb: plumb }
    }

    /// Waits until what was sent is as wanted.
    fn wait(&self, what: &str, wanted: impl Fn(&Seen) -> bool) {
        let begun = Instant::now();
        while !wanted(&self.seen.lock().expect("not poisoned")) {
            if begun.elapsed() > PATIENCE {
                panic!("{what}: not seen; the screen shows\n{}", self.text());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the screen is drawn with the figures of a program at least.
    fn drawn(&self) {
        self.wait("a screen with figures", |seen| {
            let text = seen.emulator.screen().contents();
            let programs =
                text.lines().filter_map(|line| line.split_once(" programs,")?.0.trim().parse().ok());
            text.contains("plumb hunt") && text.contains("q stops") && programs.max().unwrap_or(0_u64) > 0
        });
    }

    fn text(&self) -> String {
        self.seen.lock().expect("not poisoned").emulator.screen().contents()
    }

    fn press(&mut self, key: u8) {
        self.ours.write_all(&[key]).expect("the terminal takes keys");
    }

    fn resize(&self, rows: u16, columns: u16) {
        self.seen.lock().expect("not poisoned").emulator.screen_mut().set_size(rows, columns);
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.ours, size).expect("a terminal");
    }

    /// Is the terminal set to give every key at once?
    fn is_raw(&self) -> bool {
        !tcgetattr(&self.theirs).expect("a terminal").local_modes.contains(LocalModes::ICANON)
    }

    /// The exit status, 128 and more for a signal.
    fn end(&mut self) -> i32 {
        let begun = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => break status,
                None if begun.elapsed() > PATIENCE => panic!("it does not end:\n{}", self.text()),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        status.code().or(status.signal().map(|signal| 128 + signal)).expect("a code or a signal")
    }

    /// Nothing is left of the screen: not its modes, not its page, not its hidden cursor.
    fn is_as_before(&self) {
        self.wait("the terminal's own page and cursor", |seen| {
            let screen = seen.emulator.screen();
            !screen.alternate_screen() && !screen.hide_cursor()
        });
        let now = tcgetattr(&self.theirs).expect("a terminal");
        let modes = |of: &Termios| (of.input_modes, of.output_modes, of.control_modes, of.local_modes);
        assert_eq!(modes(&now), modes(&self.before));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Of a test that failed; one that ended is no longer there to be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn follow(mut from: File, seen: &Mutex<Seen>) {
    let mut buffer = [0; 4096];
    // Until the other end is closed, which is an error on Linux.
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let mut seen = seen.lock().expect("not poisoned");
        seen.emulator.process(&buffer[..count]);
        seen.bytes.extend_from_slice(&buffer[..count]);
    }
}

/// Does a text of escape sequences set a colour?
fn is_coloured(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.split("\x1b[").skip(1).any(|rest| {
        let Some((codes, _)) = rest.split_once('m') else { return false };
        let all: Option<Vec<u16>> = codes.split(';').map(|code| code.parse().ok()).collect();
        all.is_some_and(|all| all.iter().any(|code| matches!(code, 30..=38 | 40..=48 | 90..=97 | 100..=107)))
    })
}

#[test]
fn q_ends_the_hunt_and_gives_the_terminal_back() {
    let mut terminal = Terminal::hunt(&[], &[]);
    terminal.drawn();
    assert!(terminal.is_raw(), "keys are not read one by one");
    assert!(terminal.seen.lock().expect("not poisoned").emulator.screen().alternate_screen());
    assert!(is_coloured(&terminal.seen.lock().expect("not poisoned").bytes));
    terminal.press(b'q');
    let code = terminal.end();
    terminal.is_as_before();
    terminal.wait("the summary", |seen| seen.emulator.screen().contents().contains("tested in"));
    assert_eq!(code, 0, "{}", terminal.text());
    assert!(terminal.text().contains("stopped; the same command goes on from here"), "{}", terminal.text());
}

#[test]
fn control_c_does_the_same() {
    let mut terminal = Terminal::hunt(&[], &[]);
    terminal.drawn();
    terminal.press(3);
    let code = terminal.end();
    terminal.is_as_before();
    assert_eq!(code, 0, "{}", terminal.text());
}

#[test]
fn a_new_size_is_drawn_anew() {
    let mut terminal = Terminal::hunt(&[], &[]);
    terminal.drawn();
    let rule = |seen: &Seen, columns: u16| {
        // A line from one end to the other is above the curves.
        seen.emulator
            .screen()
            .rows(0, columns)
            .any(|row| row.chars().filter(|c| *c == '─').count() > usize::from(columns) / 2)
    };
    terminal.wait("a line across", |seen| rule(seen, 100));
    for (rows, columns) in [(40, 140), (12, 50), (3, 8), (24, 80)] {
        terminal.resize(rows, columns);
        if rows >= 12 {
            terminal.wait(&format!("{rows} by {columns}"), |seen| {
                let screen = seen.emulator.screen();
                screen.contents().contains("plumb hunt") && (rows < 24 || rule(seen, columns))
            });
        }
    }
    terminal.press(b'q');
    assert_eq!(terminal.end(), 0, "{}", terminal.text());
    terminal.is_as_before();
}

#[test]
fn no_colour_is_shown_where_none_is_wanted() {
    let mut terminal = Terminal::hunt(&[], &[("NO_COLOR", "1")]);
    terminal.drawn();
    terminal.press(b'q');
    assert_eq!(terminal.end(), 0, "{}", terminal.text());
    terminal.is_as_before();
    let bytes = terminal.seen.lock().expect("not poisoned").bytes.clone();
    assert!(!is_coloured(&bytes), "{}", String::from_utf8_lossy(&bytes).escape_debug());
}

#[test]
fn plain_lines_leave_the_terminal_alone() {
    for (more, environment) in [(&["--plain"][..], ("TERM", "xterm")), (&[][..], ("TERM", "dumb"))] {
        let more = [more, &["--programs", "3"]].concat();
        let mut terminal = Terminal::hunt(&more, &[environment, ("NO_COLOR", "1")]);
        terminal.wait("plain lines", |seen| seen.bytes.windows(12).any(|w| w == b"hunting with"));
        assert!(!terminal.is_raw());
        assert_eq!(terminal.end(), 0, "{}", terminal.text());
        terminal.wait("the summary", |seen| seen.bytes.windows(9).any(|w| w == b"tested in"));
        let bytes = terminal.seen.lock().expect("not poisoned").bytes.clone();
        assert!(!bytes.contains(&0x1b), "{}", String::from_utf8_lossy(&bytes).escape_debug());
        terminal.is_as_before();
    }
}
