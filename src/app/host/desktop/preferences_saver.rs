//! Writes the preferences in a thread: at once when they change, and once a second while
//! they keep changing. A window that is not drawn any more still saves, and so does one
//! whose display connection breaks, which ends the program without notice. A signal that ends
//! the program waits for a last save.

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
use super::write_file::describe_write_error;

/// Minimum time between two saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

/// Delay of a save, so that all changes of a frame are written together.
const SAVE_DELAY: Duration = Duration::from_millis(30);

/// Thread that writes the preferences. Dropping it writes all changes.
#[derive(Debug)]
pub(super) struct PreferencesSaver {
    shared: Arc<SharedPreferences>,
    thread: Option<JoinHandle<()>>,
}

/// Handle to the thread for the page.
#[derive(Clone, Debug)]
pub(super) struct SaverHandle(Arc<SharedPreferences>);

#[derive(Debug)]
struct SharedPreferences {
    save_interval: Duration,
    unsaved: Mutex<PendingSave>,
    changed: Condvar,
    file: Mutex<PreferencesFile>,
    /// Reason why the last save failed, as text for the reader.
    failure: Mutex<Option<String>>,
    /// Context of the page that shows the failure.
    context: OnceLock<Context>,
}

/// Changes that are not written yet.
#[derive(Debug)]
struct PendingSave {
    preferences: Option<Preferences>,
    /// Time of the next save. `None` if there is nothing to write.
    due: Option<Instant>,
    last_save: Instant,
    /// True if the thread has to end.
    has_ended: bool,
}

impl PreferencesSaver {
    pub(super) fn start(file: PreferencesFile) -> Self {
        Self::with_interval(file, SAVE_INTERVAL)
    }

    fn with_interval(file: PreferencesFile, save_interval: Duration) -> Self {
        let shared = Arc::new(SharedPreferences {
            save_interval,
            unsaved: Mutex::new(PendingSave {
                preferences: None,
                due: None,
                last_save: Instant::now(),
                has_ended: false,
            }),
            changed: Condvar::new(),
            file: Mutex::new(file),
            failure: Mutex::default(),
            context: OnceLock::new(),
        });
        let thread_shared = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("settings".to_owned())
            .spawn(move || thread_shared.run())
            .ok();
        Self { shared, thread }
    }

    pub(super) fn handle(&self) -> SaverHandle {
        SaverHandle(Arc::clone(&self.shared))
    }
}

impl Drop for PreferencesSaver {
    fn drop(&mut self) {
        lock(&self.shared.unsaved).has_ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.shared.save();
    }
}

impl SaverHandle {
    /// Sets the context to repaint when saving fails or succeeds again.
    pub(super) fn set_context(&self, context: &Context) {
        let _ = self.0.context.set(context.clone());
    }

    /// Writes the preferences soon, in the thread.
    pub(super) fn save_soon(&self, preferences: Preferences) {
        let mut unsaved = lock(&self.0.unsaved);
        unsaved.preferences = Some(preferences);
        let due = (unsaved.last_save + self.0.save_interval).max(Instant::now() + SAVE_DELAY);
        unsaved.due.get_or_insert(due);
        drop(unsaved);
        self.0.changed.notify_all();
    }

    /// Writes all changes before it returns.
    pub(super) fn save_now(&self) {
        self.0.save();
    }

    /// Tries the failed save once more, in the thread.
    pub(super) fn try_again(&self) {
        lock(&self.0.unsaved).due = Some(Instant::now());
        self.0.changed.notify_all();
    }

    /// Returns the reason why the last save failed, as text for the reader, or `None` if it
    /// succeeded.
    pub(super) fn failure(&self) -> Option<String> {
        lock(&self.0.failure).clone()
    }
}

impl SharedPreferences {
    /// Runs in the thread until it has to end.
    fn run(&self) {
        loop {
            let mut unsaved = lock(&self.unsaved);
            loop {
                if unsaved.has_ended {
                    return;
                }
                let now = Instant::now();
                unsaved = match unsaved.due {
                    Some(due) if due <= now => break,
                    Some(due) => {
                        let result = self.changed.wait_timeout(unsaved, due - now);
                        result.unwrap_or_else(PoisonError::into_inner).0
                    }
                    None => {
                        let result = self.changed.wait(unsaved);
                        result.unwrap_or_else(PoisonError::into_inner)
                    }
                };
            }
            drop(unsaved);
            self.save();
        }
    }

    fn save(&self) {
        // Locked until the end, so that `save_now` waits for a save in another thread.
        let mut file = lock(&self.file);
        let mut unsaved = lock(&self.unsaved);
        unsaved.due = None;
        unsaved.last_save = Instant::now();
        let Some(preferences) = unsaved.preferences.take() else {
            return;
        };
        drop(unsaved);
        let path = file.path().map(std::path::Path::to_owned);
        let result = file.write(&preferences);
        if result.is_err() {
            // Tried again with the next change, or by `try_again`.
            let mut unsaved = lock(&self.unsaved);
            unsaved.preferences.get_or_insert(preferences);
        }
        let why = result.err().map(|error| describe_write_error(&path.unwrap_or_default(), &error));
        let earlier_why = std::mem::replace(&mut *lock(&self.failure), why.clone());
        if earlier_why == why {
            return;
        }
        if let Some(why) = why {
            log::warn!("{why}");
        }
        if let Some(context) = self.context.get() {
            context.request_repaint();
        }
    }
}

/// Locks a mutex and ignores poisoning, because a thread that panicked left valid values.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Saves before the program ends by SIGTERM or SIGINT. The exit status still shows the
/// signal. SIGHUP is not handled, because `nohup` needs it to stay ignored.
#[cfg(unix)]
pub(super) fn save_before_termination(saver: SaverHandle) {
    let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) else {
        return;
    };
    // Without this thread nothing acts on the signals.
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let result = thread.spawn(move || {
        for signal in signals.forever() {
            saver.save_now();
            let _ = emulate_default_handler(signal);
        }
    });
    if let Err(error) = result {
        log::warn!("the program cannot be ended by a signal: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn start_saver(folder: &Path, save_interval: Duration) -> PreferencesSaver {
        let (file, _, _) = PreferencesFile::open_in(Some(folder));
        PreferencesSaver::with_interval(file, save_interval)
    }

    fn read_zoom(folder: &Path) -> f32 {
        let (_, preferences, _) = PreferencesFile::open_in(Some(folder));
        preferences.zoom
    }

    fn preferences_with_zoom(zoom: f32) -> Preferences {
        Preferences { zoom, ..Preferences::default() }
    }

    fn wait_until(event: &str, has_happened: impl Fn() -> bool) {
        let start = Instant::now();
        while !has_happened() {
            assert!(start.elapsed().as_secs() < 60, "never {event}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn changes_are_written_without_a_further_call() {
        let dir = tempfile::tempdir().unwrap();
        let saver = start_saver(dir.path(), Duration::from_millis(20));
        saver.handle().save_soon(preferences_with_zoom(1.25));
        saver.handle().save_soon(preferences_with_zoom(1.5));
        wait_until("written", || read_zoom(dir.path()) == 1.5);
        saver.handle().save_soon(preferences_with_zoom(2.0));
        wait_until("written again", || read_zoom(dir.path()) == 2.0);
    }

    #[test]
    fn pending_changes_are_written_by_save_now_and_on_drop() {
        let dir = tempfile::tempdir().unwrap();
        let saver = start_saver(dir.path(), Duration::from_secs(1000));
        let handle = saver.handle();
        handle.save_soon(preferences_with_zoom(1.25));
        handle.save_soon(preferences_with_zoom(1.5));
        assert_eq!(read_zoom(dir.path()), 1.0, "it waits");
        handle.save_now();
        assert_eq!(read_zoom(dir.path()), 1.5);
        handle.save_soon(preferences_with_zoom(2.0));
        drop(saver);
        assert_eq!(read_zoom(dir.path()), 2.0);
    }

    #[test]
    fn a_failed_save_is_reported_and_can_be_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("settings");
        std::fs::write(&folder, "a file where the folder would be").unwrap();
        let saver = start_saver(&folder, Duration::ZERO);
        let handle = saver.handle();
        handle.save_soon(preferences_with_zoom(1.5));
        wait_until("reported", || handle.failure().is_some());
        let failure = handle.failure().unwrap();
        assert!(failure.contains("settings.json was not saved"), "{failure}");
        std::fs::remove_file(&folder).unwrap();
        handle.try_again();
        wait_until("saved", || handle.failure().is_none());
        assert_eq!(read_zoom(&folder), 1.5);
    }
}
