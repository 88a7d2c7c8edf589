//! Writes the preferences on a thread of its own, at once when they changed, and
//! once a second while they go on changing: a window that is not drawn any more
//! still saves, and one whose display breaks off, which ends the program without
//! a word to it, has saved. A signal that ends the program waits for a last save.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bindpose_notebook::Preferences;
use eframe::egui::Context;
#[cfg(unix)]
use signal_hook::consts::{SIGINT, SIGTERM};
#[cfg(unix)]
use signal_hook::iterator::Signals;
#[cfg(unix)]
use signal_hook::low_level::emulate_default_handler;

use super::preferences_file::PreferencesFile;
use super::write_file::failure;

/// From one save to the next.
const PAUSE: Duration = Duration::from_secs(1);

/// What one frame changes comes in one go.
const AT_ONCE: Duration = Duration::from_millis(30);

/// The thread. Dropped, it has written everything.
#[derive(Debug)]
pub(super) struct PreferencesSaver {
    shared: Arc<SharedPreferences>,
    thread: Option<JoinHandle<()>>,
}

/// What the page sees of the thread; any number of them.
#[derive(Clone, Debug)]
pub(super) struct SaverHandle(Arc<SharedPreferences>);

#[derive(Debug)]
struct SharedPreferences {
    pause: Duration,
    unsaved: Mutex<Unsaved>,
    changed: Condvar,
    file: Mutex<PreferencesFile>,
    /// Why the last save failed, for people.
    failure: Mutex<Option<String>>,
    /// The page that is to show it.
    page: OnceLock<Context>,
}

/// What is still to be written.
#[derive(Debug)]
struct Unsaved {
    latest: Option<Preferences>,
    /// When to write it; `None`: not before something happens.
    due: Option<Instant>,
    /// When it was last written.
    saved: Instant,
    ended: bool,
}

impl PreferencesSaver {
    pub(super) fn start(file: PreferencesFile) -> Self {
        Self::with_pause(file, PAUSE)
    }

    fn with_pause(file: PreferencesFile, pause: Duration) -> Self {
        let shared = Arc::new(SharedPreferences {
            pause,
            unsaved: Mutex::new(Unsaved {
                latest: None,
                due: None,
                saved: Instant::now(),
                ended: false,
            }),
            changed: Condvar::new(),
            file: Mutex::new(file),
            failure: Mutex::default(),
            page: OnceLock::new(),
        });
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("settings".to_owned());
        let thread = thread.spawn(move || of_thread.run()).ok();
        Self { shared, thread }
    }

    pub(super) fn handle(&self) -> SaverHandle {
        SaverHandle(Arc::clone(&self.shared))
    }
}

impl Drop for PreferencesSaver {
    fn drop(&mut self) {
        lock(&self.shared.unsaved).ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.shared.save();
    }
}

impl SaverHandle {
    /// Wakes this page when saving fails, or succeeds again.
    pub(super) fn tells(&self, page: &Context) {
        let _ = self.0.page.set(page.clone());
    }

    /// Has these written soon.
    pub(super) fn keep(&self, preferences: Preferences) {
        let mut unsaved = lock(&self.0.unsaved);
        unsaved.latest = Some(preferences);
        let due = (unsaved.saved + self.0.pause).max(Instant::now() + AT_ONCE);
        unsaved.due.get_or_insert(due);
        drop(unsaved);
        self.0.changed.notify_all();
    }

    /// Writes what is not yet written, before it returns.
    pub(super) fn save_now(&self) {
        self.0.save();
    }

    /// Has the last save, which failed, tried once more.
    pub(super) fn try_again(&self) {
        lock(&self.0.unsaved).due = Some(Instant::now());
        self.0.changed.notify_all();
    }

    /// Why the last save failed, for people; `None` when it did not.
    pub(super) fn failure(&self) -> Option<String> {
        lock(&self.0.failure).clone()
    }
}

impl SharedPreferences {
    /// The thread, until it is ended.
    fn run(&self) {
        loop {
            let mut unsaved = lock(&self.unsaved);
            loop {
                if unsaved.ended {
                    return;
                }
                let now = Instant::now();
                unsaved = match unsaved.due {
                    Some(due) if due <= now => break,
                    Some(due) => {
                        let waited = self.changed.wait_timeout(unsaved, due - now);
                        waited.unwrap_or_else(PoisonError::into_inner).0
                    }
                    None => {
                        let waited = self.changed.wait(unsaved);
                        waited.unwrap_or_else(PoisonError::into_inner)
                    }
                };
            }
            drop(unsaved);
            self.save();
        }
    }

    fn save(&self) {
        // Held all the time, so that nobody returns before another has written.
        let mut file = lock(&self.file);
        let mut unsaved = lock(&self.unsaved);
        unsaved.due = None;
        unsaved.saved = Instant::now();
        let Some(preferences) = unsaved.latest.take() else {
            return;
        };
        drop(unsaved);
        let path = file.path().map(std::path::Path::to_owned);
        let written = file.write(&preferences);
        if written.is_err() {
            // Tried again with the next change, or when the reader asks.
            let mut unsaved = lock(&self.unsaved);
            unsaved.latest.get_or_insert(preferences);
        }
        let why = written.err().map(|error| {
            let path = path.unwrap_or_default();
            failure(&path, &error)
        });
        let told = std::mem::replace(&mut *lock(&self.failure), why.clone());
        if told == why {
            return;
        }
        if let Some(why) = why {
            log::warn!("{why}");
        }
        if let Some(page) = self.page.get() {
            page.request_repaint();
        }
    }
}

/// A thread that broke off has left whole values.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Saves before the program ends by a signal that the system sends when it wants that;
/// whoever sent it sees that it ended by it. A hangup is left as it is: `nohup` wants it ignored.
#[cfg(unix)]
pub(super) fn save_before_the_end(saver: SaverHandle) {
    let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) else {
        return;
    };
    let work = move || {
        for signal in signals.forever() {
            saver.save_now();
            let _ = emulate_default_handler(signal);
        }
    };
    // Without a thread they must keep on ending the program.
    let thread = std::thread::Builder::new().name("signals".to_owned());
    if let Err(error) = thread.spawn(work) {
        log::warn!("the program cannot be ended by a signal: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn opened(folder: &Path) -> (PreferencesFile, Preferences) {
        let (file, preferences, _) = PreferencesFile::open_in(Some(folder));
        (file, preferences)
    }

    fn zoomed(zoom: f32) -> Preferences {
        Preferences { zoom, ..Preferences::default() }
    }

    /// Waits until something is so.
    fn until(what: &str, is_so: impl Fn() -> bool) {
        let began = Instant::now();
        while !is_so() {
            assert!(began.elapsed().as_secs() < 60, "never {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn what_changed_is_written_without_a_further_call() {
        let dir = tempfile::tempdir().unwrap();
        let saver = PreferencesSaver::with_pause(opened(dir.path()).0, Duration::from_millis(20));
        saver.handle().keep(zoomed(1.25));
        saver.handle().keep(zoomed(1.5));
        until("written", || opened(dir.path()).1.zoom == 1.5);
        saver.handle().keep(zoomed(2.0));
        until("written again", || opened(dir.path()).1.zoom == 2.0);
    }

    #[test]
    fn what_waits_is_written_at_once_on_asking_and_at_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let long = Duration::from_secs(1000);
        let saver = PreferencesSaver::with_pause(opened(dir.path()).0, long);
        let handle = saver.handle();
        handle.keep(zoomed(1.25));
        handle.keep(zoomed(1.5));
        assert_eq!(opened(dir.path()).1.zoom, 1.0, "it waits");
        handle.save_now();
        assert_eq!(opened(dir.path()).1.zoom, 1.5);
        handle.keep(zoomed(2.0));
        drop(saver);
        assert_eq!(opened(dir.path()).1.zoom, 2.0);
    }

    #[test]
    fn a_save_that_fails_is_told_and_done_on_asking() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("settings");
        std::fs::write(&folder, "a file where the folder would be").unwrap();
        let saver = PreferencesSaver::with_pause(opened(&folder).0, Duration::ZERO);
        let handle = saver.handle();
        handle.keep(zoomed(1.5));
        until("told", || handle.failure().is_some());
        let words = handle.failure().unwrap();
        assert!(words.contains("settings.json was not saved"), "{words}");
        std::fs::remove_file(&folder).unwrap();
        handle.try_again();
        until("saved", || handle.failure().is_none());
        assert_eq!(opened(&folder).1.zoom, 1.5);
    }
}
