//! The status screen of a hunt: the figures of [`campaign::view`] on a terminal, until the hunt ends or `q` stops it.
//!
//! It draws on standard error from a thread of its own and reads the store as any reader does. The terminal is given back when
//! the hunt ends, however it ends, a panic included.

mod draw;

use campaign::Error;
use campaign::hunt::progress::human;
use campaign::hunt::{Observer, Plan, Summary};
use campaign::store::{ProgramRow, Store, Totals};
use campaign::toolchain::stop;
use campaign::view::{self, CampaignView};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io::{self, IsTerminal, Stderr, stderr, stdin};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often keys are looked at.
const KEYS: Duration = Duration::from_millis(100);
/// How often the figures are read again, at most.
const EVERY: Duration = Duration::from_secs(1);
/// The figures are kept for this many times what reading them took.
const SHARE: u32 = 20;

/// The screen of a hunt.
pub struct Screen {
    store: PathBuf,
    ended: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What is drawn.
struct Shown {
    view: Option<CampaignView>,
    /// What is left of the hunt, in words.
    left: String,
    /// Asked to stop.
    stopping: bool,
    /// Colours are wanted.
    colours: bool,
}

/// Can a screen be shown? Both sides must be a terminal that can place its cursor.
pub fn possible() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    stderr().is_terminal() && stdin().is_terminal() && !dumb
}

/// Are colours wanted? (no-color.org)
pub fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

impl Screen {
    /// A screen of the store in a directory, shown when the hunt begins.
    pub fn new(store: PathBuf) -> Screen {
        Screen { store, ended: Arc::new(AtomicBool::new(false)), thread: Mutex::new(None) }
    }

    /// Gives the terminal back.
    fn close(&self) {
        self.ended.store(true, Ordering::SeqCst);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // Its guard has restored the terminal even if it panicked.
            let _ = thread.join();
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.close();
    }
}

impl Observer for Screen {
    fn begin(&self, plan: &Plan) {
        let mut show = Drawing {
            store: self.store.clone(),
            campaign: plan.campaign.number(),
            until: plan.time.map(|time| plan.begun + time),
            programs: plan.programs,
            ended: Arc::clone(&self.ended),
        };
        // Without a thread the hunt goes on unseen.
        let thread = std::thread::Builder::new().name("screen".to_owned()).spawn(move || {
            let _ = show.run();
        });
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = thread.ok();
    }

    fn program(&self, _row: &ProgramRow, _totals: &Totals) -> Result<(), Error> {
        Ok(())
    }

    fn tick(&self, _totals: &Totals) {}

    fn end(&self, summary: &Summary) {
        self.close();
        if summary.stopped {
            eprintln!("stopped; the same command goes on from here");
        }
    }
}

/// The thread that draws.
struct Drawing {
    store: PathBuf,
    campaign: i64,
    until: Option<Instant>,
    programs: Option<u64>,
    ended: Arc<AtomicBool>,
}

/// Gives the terminal back when it is dropped.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Raw> {
        enable_raw_mode()?;
        let raw = Raw;
        execute!(stderr(), EnterAlternateScreen)?;
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // A terminal that went away needs nothing.
    let _ = execute!(stderr(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

impl Drawing {
    fn run(&mut self) -> io::Result<()> {
        let _raw = Raw::enter()?;
        let mut terminal: Terminal<CrosstermBackend<Stderr>> =
            Terminal::new(CrosstermBackend::new(stderr()))?;
        let store = Store::read(&self.store).ok();
        let mut shown = Shown { view: None, left: String::new(), stopping: false, colours: colours() };
        let (mut next, mut drawn) = (Instant::now(), String::new());
        while !self.ended.load(Ordering::SeqCst) {
            if Instant::now() >= next {
                let begun = Instant::now();
                shown.view = store.as_ref().and_then(|store| self.look(store)).or(shown.view);
                next = Instant::now() + EVERY.max(begun.elapsed() * SHARE);
                drawn.clear();
            }
            shown.stopping = stop::requested();
            shown.left = self.left(shown.view.as_ref());
            let state = format!("{}{}", shown.left, shown.stopping);
            if state != drawn {
                terminal.draw(|frame| draw::draw(frame, &shown))?;
                drawn = state;
            }
            if poll(KEYS)? && key(&read()?) {
                drawn.clear();
            }
        }
        Ok(())
    }

    fn look(&self, store: &Store) -> Option<CampaignView> {
        let row = view::find(store, Some(self.campaign)).ok()??;
        view::campaign(store, &row).ok()
    }

    /// What is left, by the clock or by the number of programs.
    fn left(&self, view: Option<&CampaignView>) -> String {
        let by_clock = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        let by_number = match (self.programs, view) {
            (Some(programs), Some(view)) if view.rate > 0.0 => {
                let missing = programs.saturating_sub(view.programs) as f64 / view.rate;
                Some(Duration::from_secs_f64(missing.min(1e9)))
            }
            _ => None,
        };
        match [by_clock, by_number].into_iter().flatten().min() {
            Some(left) => format!("{} left", human(left)),
            None => "until stopped".to_owned(),
        }
    }
}

/// Acts on a key; whether the screen is to be drawn anew.
fn key(event: &Event) -> bool {
    let Event::Key(key) = event else { return matches!(event, Event::Resize(..)) };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let stops = match key.code {
        KeyCode::Char('q') => !control,
        KeyCode::Char('c') => control,
        _ => false,
    };
    if key.kind == KeyEventKind::Press && stops {
        if stop::requested() {
            // The second time ends plumb at once, as a second signal would.
            restore();
            let _ = signal_hook::low_level::raise(signal_hook::consts::SIGINT);
        }
        // Where even that fails, the hunt ends by limits of its own.
        let _ = stop::request();
    }
    stops
}
